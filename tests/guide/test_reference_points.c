/* tests/guide/test_reference_points.c - the guide `reference_points`: everyone arrives, fields are shared, made aside
 * and waited for.
 */
#include <time.h>

#include "geometry/mesh/halfedge.h"
#include "make/shapes.h"
#include "support/mesh_worlds.h"
#include "support/slow.h"
#include "support/unit.h"
#include "throng/model.h"
#include "throng/model/orca.h"
#include "world/field_requests.h"

enum { STARTS = 100 };

/* Scaled so that the mean edge is 1 m. */
static th_ground *ground_of(const th_env *env, th_soup *soup) {
  double sum = 0.0;
  for (uint32_t f = 0; f < soup->face_count; f++)
    for (int k = 0; k < 3; k++) {
      const double *p = soup->xyz[soup->corner[f][k]], *q = soup->xyz[soup->corner[f][(k + 1) % 3]];
      sum += sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) + (p[2] - q[2]) * (p[2] - q[2]));
    }
  for (uint32_t v = 0; v < soup->vertex_count; v++)
    for (int k = 0; k < 3; k++) soup->xyz[v][k] *= 3.0 * soup->face_count / sum;
  th_mesh_ground_def def = th_default_mesh_ground_def();
  def.env = *env;
  def.triangles.xyz_double = soup->xyz[0];
  def.triangles.vertex_count = soup->vertex_count;
  def.triangles.corner = soup->corner[0];
  def.triangles.face_count = soup->face_count;
  th_ground *ground = NULL;
  OK(th_ground_make_mesh(&def, &ground, &error));
  th_soup_free(soup);
  return ground;
}

static th_ground *sized(const th_env *env, th_make_size size) {
  th_soup soup = th_soup_begin(NULL);
  assert_int_equal(th_make_sized(&soup, size, NULL), TH_OK);
  return ground_of(env, &soup);
}

static th_ground *sphere(const th_env *env, uint32_t level) {
  th_soup soup = th_soup_begin(NULL);
  assert_int_equal(th_make_icosphere(&soup, level, 10.0, 0.0, NULL), TH_OK);
  return ground_of(env, &soup);
}

static th_vec3 vertex_at(const th_ground *ground, uint32_t v) {
  const double *p = th_ground_mesh(ground)->xyz + 3 * (size_t)v;
  return (th_vec3){(float)p[0], (float)p[1], (float)p[2]};
}

static th_guide_id guide_of(th_world *world, bool guard) {
  th_reference_points_params params = {guard};
  th_guide_id guide;
  OK(th_world_add_guide(world, &th_guide_reference_points, &params, &guide, &error));
  return guide;
}

static th_agent_id walker(th_world *world, th_vec3 from, th_goal_id goal, th_guide_id guide) {
  th_agent_def agent = th_default_body_def();
  agent.model = &th_model_follow;
  agent.point = from;
  agent.radius = 0.15f;
  agent.speed = 1.0f;
  agent.speed_max = 1.0f;
  agent.acceleration_max = agent.turn_max = INFINITY;
  agent.guide = guide;
  agent.route[0].goal = goal;
  agent.route_count = 1;
  agent.remove = false;
  agent.collide = false; /* alone, each of them */
  th_agent_id id;
  OK(th_world_add_agents(world, &agent, 1, &id, &error));
  return id;
}

typedef struct trip {
  float best, walked;
  bool arrived;
} trip;

/* The shortest way along edges, with the piece to the first vertex. */
static float best_way(const th_ground *ground, const th_field *field, th_place at) {
  uint32_t count;
  const float *left = th_field_lengths(field, &count);
  float best = INFINITY;
  th_vec3 p = th_ground_point(ground, at);
  for (uint32_t k = 0; k < 3; k++) {
    uint32_t v = th_ground_mesh(ground)->corner[3 * at.cell + k];
    best = fminf(best, left[v] + mesh_grounds_apart(p, vertex_at(ground, v)));
  }
  return best;
}

static void walk_all(th_world *world, const th_goal_id *goal, uint32_t count, trip *all) {
  const th_ground *ground = th_world_ground(world);
  th_vec3 *before = calloc(count, sizeof *before);
  th_world_step(world);
  th_world_step(world);
  float longest = 0.0f;
  th_agents a = th_world_agents(world);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t row = th_world_row(world, (th_agent_id){i + 1, 1, 0});
    before[i] = mesh_grounds_at(world, row);
    all[i].best = best_way(ground, th_world_field(world, goal[i], 0.15f), (th_place){a.cell[row], a.x[row], a.y[row]});
    longest = fmaxf(longest, all[i].best);
  }
  for (uint32_t step = 0; (float)step * 0.1f < 4.0f * longest + 10.0f && !th_world_done(world); step++) {
    th_world_step(world);
    a = th_world_agents(world);
    for (uint32_t i = 0; i < count; i++) {
      uint32_t row = th_world_row(world, (th_agent_id){i + 1, 1, 0});
      th_vec3 now = mesh_grounds_at(world, row);
      if (!all[i].arrived) all[i].walked += mesh_grounds_apart(now, before[i]);
      all[i].arrived |= a.state[row] == TH_AGENT_ARRIVED;
      before[i] = now;
    }
  }
  free(before);
}

static void judge(const char *name, const trip *all, uint32_t count) {
  uint32_t arrived = 0;
  float worst = 0.0f, mean = 0.0f;
  for (uint32_t i = 0; i < count; i++) {
    arrived += all[i].arrived;
    worst = fmaxf(worst, all[i].walked / all[i].best);
    mean += all[i].walked / all[i].best / (float)count;
  }
  print_message("%s: %u of %u arrive, walked / best way along edges: mean %.3f, most %.3f\n", name, arrived, count,
                (double)mean, (double)worst);
  assert_int_equal(arrived, count);
  assert_true(worst <= 1.2f);
}

/* shows: PLAN-29 PLAN-08 */
static void single_agents_arrive_on_every_genus(void **state) {
  (void)state;
  static const th_make_size size[] = {TH_MAKE_BALL, TH_MAKE_FERTILITY, TH_MAKE_HEPTOROID};
  static const char *const name[] = {"genus 0", "genus 4", "genus 22"};
  for (int k = 0; k < 3; k++) {
    log_capture h = {0};
    th_env env = worlds_env(&h);
    th_ground *ground = sized(&env, size[k]);
    th_world *world = worlds_make(ground, &env);
    th_guide_id guide = guide_of(world, true);
    th_goal_id goal[STARTS];
    trip all[STARTS] = {0};
    uint64_t random = 11;
    for (uint32_t i = 0; i < STARTS; i++) {
      if (i % 10 == 0)
        goal[i] = worlds_goal_at(world, vertex_at(ground, worlds_below(&random, th_ground_mesh(ground)->vertex_count)),
                                 TH_FIELD_EDGES);
      goal[i] = goal[i - i % 10];
      walker(world, th_ground_point(ground, mesh_grounds_place(ground, &random)), goal[i], guide);
    }
    assert_int_equal(world->entry_count, STARTS / 10);
    walk_all(world, goal, STARTS, all);
    judge(name[k], all, STARTS);
    mesh_grounds_assert_sound(world);
    assert_int_equal(h.faults, 0);
    worlds_end(world, ground);
  }
}

/* 100 trips from one side of a sphere to the other. */
static void antipodal(bool guard, trip *all) {
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = sphere(&env, 5);
  th_world *world = worlds_make(ground, &env);
  th_guide_id guide = guide_of(world, guard);
  th_goal_id goal[STARTS];
  uint64_t random = 5;
  for (uint32_t i = 0; i < STARTS; i++) {
    th_vec3 p = vertex_at(ground, worlds_below(&random, th_ground_mesh(ground)->vertex_count));
    goal[i] = worlds_goal_at(world, p, TH_FIELD_EDGES);
    walker(world, (th_vec3){-p.x, -p.y, -p.z}, goal[i], guide);
  }
  walk_all(world, goal, STARTS, all);
  worlds_end(world, ground);
}

/* shows: PLAN-29 */
static void antipodal_agents_arrive_with_the_guard(void **state) {
  (void)state;
  trip with[STARTS] = {0}, without[STARTS] = {0};
  antipodal(true, with);
  judge("antipodal, guarded", with, STARTS);
  antipodal(false, without);
  uint32_t arrived = 0, worse = 0;
  for (uint32_t i = 0; i < STARTS; i++) {
    arrived += without[i].arrived;
    worse += without[i].walked > with[i].walked + 1.0f;
  }
  print_message("antipodal, the thesis' own rule: %u arrive, %u take a longer way than with the guard\n", arrived,
                worse);
  assert_true(arrived < STARTS || worse > 0); /* what the guard is for */
}

/* shows: PLAN-04 PLAN-08 */
static void a_thousand_agents_share_one_field(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = sphere(&env, 4);
  th_world *world = worlds_make(ground, &env);
  th_guide_id guide = guide_of(world, true);
  th_goal_id goal = worlds_goal_at(world, vertex_at(ground, 99), TH_FIELD_EDGES);
  uint64_t random = 3;
  th_agent_id id = TH_NULL_AGENT;
  for (uint32_t i = 0; i < 1000; i++)
    id = walker(world, th_ground_point(ground, mesh_grounds_place(ground, &random)), goal, guide);
  uint32_t requests = 0;
  for (const th_request *r = world->request; r; r = r->next) requests += r->count;
  assert_int_equal(requests, 1);
  assert_int_equal(world->entry_count, 1);
  worlds_steps(world, 10);
  const th_field *field = th_world_field(world, goal, 0.15f);
  assert_non_null(field);
  OK(th_world_place_agent(world, id, th_ground_point(ground, mesh_grounds_place(ground, &random)), &error));
  worlds_steps(world, 10); /* pushed off its way, it goes on from where it is on the same field */
  assert_ptr_equal(field, th_world_field(world, goal, 0.15f));
  assert_null(world->request);
  assert_true(th_world_agents(world).state[th_world_row(world, id)] == TH_AGENT_WALKING);
  worlds_end(world, ground);
}

enum { TIMES = 2000 };

/* Processor times of steps, the first ones of many. */
typedef struct times {
  double second[TIMES];
  uint32_t count;
} times;

static void keep_time(times *t, double seconds) {
  if (t->count < TIMES) t->second[t->count++] = seconds;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* What a quarter of the steps did not take: a busy machine spoils the others. */
static double usual_of(times *t) {
  qsort(t->second, t->count, sizeof *t->second, ascending);
  return t->second[t->count / 4];
}

/* Processor time of the thread that steps the world [s]. */
static double time_of_step(th_world *world) {
  struct timespec begin, end;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
  th_world_step(world);
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
  return (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
}

/* shows: PLAN-05 PLAN-06 PLAN-26 */
static void agents_stand_until_their_field_is_there(void **state) {
  (void)state;
  for (int realtime = 0; realtime < 2; realtime++) {
    log_capture h = {0};
    th_env env = worlds_env(&h);
    th_ground *ground = sized(&env, TH_MAKE_FERTILITY);
    th_world_def def = th_default_world_def();
    def.env = env;
    def.ground = ground;
    def.workers = 2;
    def.realtime = realtime;
    th_world *world;
    OK(th_world_make(&def, &world, &error));
    assert_int_equal(h.warnings, (uint32_t)realtime); /* says aloud what is given up */
    if (realtime) assert_non_null(strstr(h.last, "realtime"));
    th_guide_id guide = guide_of(world, true);
    uint64_t random = 9;
    enum { GOALS = 100 };
    th_vec3 from[GOALS];
    th_agent_id id[GOALS];
    for (uint32_t i = 0; i < GOALS; i++) {
      from[i] = th_ground_point(ground, mesh_grounds_place(ground, &random));
      id[i] = walker(world, from[i], worlds_goal_at(world, vertex_at(ground, 150 * i), TH_FIELD_EDGES), guide);
      from[i] = mesh_grounds_at(world, th_world_row(world, id[i]));
    }
    uint32_t steps = 0, late = 0, moving = 0;
    static times waiting, walking;
    waiting.count = walking.count = 0;
    for (; moving < GOALS && steps < 100000000; steps++) {
      double time = time_of_step(world);
      if (moving < GOALS / 2) keep_time(&waiting, time);
      uint32_t waits = 0;
      moving = 0;
      for (uint32_t i = 0; i < GOALS; i++) {
        uint32_t row = th_world_row(world, id[i]);
        bool moved = mesh_grounds_apart(from[i], mesh_grounds_at(world, row)) > 0.0f;
        moving += moved;
        waits += !moved;
        if (!moved) continue;
        assert_non_null(world->entry[world->rows.field[row]].field);
      }
      late += waits > 0;
    }
    print_message("%s: all %d walk after %u steps\n", realtime ? "real time" : "waiting", GOALS, steps);
    for (int k = 0; k < TIMES; k++) keep_time(&walking, time_of_step(world));
    if (realtime) {
      print_message("a step takes %.1f us while they wait, %.1f us when all walk\n", 1e6 * usual_of(&waiting),
                    1e6 * usual_of(&walking));
      assert_true(late > 3); /* the world went on without them, at the rate of a crowd that walks */
      if (!SLOW_BUILD) assert_true(usual_of(&waiting) < 1.3 * usual_of(&walking));
    } else
      assert_int_equal(steps, 2); /* asked for before step 0, in force from step 1 on */
    worlds_end(world, ground);
  }
}

/* shows: PLAN-27 PLAN-28 */
static void fields_are_read_when_the_face_changes_only(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = sphere(&env, 4);
  th_world *world = worlds_make(ground, &env);
  th_goal_id goal = worlds_goal_at(world, vertex_at(ground, 99), TH_FIELD_EDGES);
  th_agent_id id = walker(world, (th_vec3){0.3f, 0.2f, 40.0f * 0.4f}, goal, guide_of(world, true));
  worlds_steps(world, 3);
  uint32_t row = th_world_row(world, id);
  uint32_t count;
  float *left = (float *)th_field_lengths(th_world_field(world, goal, 0.15f), &count);
  const uint32_t face = world->rows.cell[row];
  for (uint32_t v = 0; v < count; v++) left[v] = INFINITY; /* whoever reads this is lost */
  uint32_t steps = 0;
  for (; world->rows.cell[row] == face && steps < 100; steps++) {
    assert_int_equal(world->rows.state[row], TH_AGENT_WALKING);
    th_world_step(world);
  }
  assert_in_range(steps, 1, 99);
  th_world_step(world);
  assert_int_equal(world->rows.state[row], TH_AGENT_LOST);
  worlds_end(world, ground);
}

/* An agent that stays in its face: while the goal stays, nothing is read; once it has moved, and its field is there,
 * the agent is told the new distance though its face is the old one; with any number of workers. */
/* shows: PLAN-27 */
static void a_new_field_is_read_in_the_old_face(void **state) {
  (void)state;
  uint64_t hash[2];
  for (uint32_t workers = 1; workers <= 3; workers += 2) {
    log_capture h = {0};
    th_env env = worlds_env(&h);
    th_ground *ground = sphere(&env, 4);
    th_world_def wish = th_default_world_def();
    th_world *world = NULL;
    wish.env = env;
    wish.ground = ground;
    wish.workers = workers;
    OK(th_world_make(&wish, &world, &error));
    th_goal_id goal = worlds_goal_at(world, vertex_at(ground, 99), TH_FIELD_EDGES);
    th_guide_id guide = guide_of(world, true);
    th_agent_id id = walker(world, (th_vec3){0.3f, 0.2f, 40.0f * 0.4f}, goal, guide);
    uint64_t random = 5;
    for (uint32_t i = 0; i < 100; i++)
      walker(world, th_ground_point(ground, mesh_grounds_place(ground, &random)), goal, guide);
    worlds_steps(world, 3);
    OK(th_world_set_speed(world, id, 0.0f, &error)); /* it stays */
    worlds_steps(world, 3);
    uint32_t row = th_world_row(world, id), face = th_world_agents(world).cell[row];
    float before = th_world_agents(world).left[row];
    th_vec3 other = vertex_at(ground, 700);
    th_shape shape = th_point_shape_at(other);
    OK(th_world_move_goal(world, goal, &shape, &error));
    worlds_steps(world, 3);
    row = th_world_row(world, id);
    float after = th_world_agents(world).left[row];
    assert_int_equal(th_world_agents(world).cell[row], face);
    float straight = mesh_grounds_apart(mesh_grounds_at(world, row), other);
    if (fabsf(after - before) < 0.5f || after < straight || after > 1.8f * straight)
      fail_msg("left %g before, %g after, %g m straight on", (double)before, (double)after, (double)straight);
    hash[workers / 2] = th_world_hash(world);
    worlds_end(world, ground);
  }
  assert_true(hash[0] == hash[1]);
}

/* shows: PLAN-22 */
static void places_are_faces_with_weights(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = sphere(&env, 4);
  th_world *world = worlds_make(ground, &env);
  th_guide_id guide = guide_of(world, true);
  th_goal_id goal = worlds_goal_at(world, vertex_at(ground, 99), TH_FIELD_EDGES);
  uint64_t random = 3;
  for (uint32_t i = 0; i < 50; i++)
    walker(world, th_ground_point(ground, mesh_grounds_place(ground, &random)), goal, guide);
  worlds_steps(world, 25);
  th_vec3 weights[50], point[50], velocity[50];
  th_world_points(world, &(th_points){.point = point, .velocity = velocity, .weights = weights});
  th_agents a = th_world_agents(world);
  for (uint32_t i = 0; i < 50; i++) {
    th_vec3 sum = {0, 0, 0}, w = weights[i], corner[3];
    for (uint32_t k = 0; k < 3; k++) {
      corner[k] = vertex_at(ground, th_ground_mesh(ground)->corner[3 * a.cell[i] + k]);
      float b = k == 0 ? w.x : k == 1 ? w.y : w.z;
      sum.x += b * corner[k].x, sum.y += b * corner[k].y, sum.z += b * corner[k].z;
    }
    assert_true(fabsf(w.x + w.y + w.z - 1.0f) < 1e-5f && mesh_grounds_apart(sum, point[i]) < 1e-4f);
    /* the velocity as weights that sum to 0: it lies in the plane of the face */
    th_vec3 e = {corner[1].x - corner[0].x, corner[1].y - corner[0].y, corner[1].z - corner[0].z};
    th_vec3 f = {corner[2].x - corner[0].x, corner[2].y - corner[0].y, corner[2].z - corner[0].z};
    th_vec3 n = {e.y * f.z - e.z * f.y, e.z * f.x - e.x * f.z, e.x * f.y - e.y * f.x};
    assert_true(fabsf(n.x * velocity[i].x + n.y * velocity[i].y + n.z * velocity[i].z) < 1e-4f);
  }
  worlds_end(world, ground);
}

/* shows: PLAN-23 PLAN-44 */
static void every_agent_is_in_the_list_of_its_cluster(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = sphere(&env, 4);
  for (uint32_t workers = 1; workers <= 3; workers += 2) {
    th_world_def def = th_default_world_def();
    def.env = env;
    def.ground = ground;
    def.workers = workers;
    def.mesh.one_face = true; /* then clusters are faces: the lists of the thesis */
    th_world *world;
    OK(th_world_make(&def, &world, &error));
    th_guide_id guide = guide_of(world, true);
    th_goal_id goal = worlds_goal_at(world, vertex_at(ground, 99), TH_FIELD_EDGES);
    uint64_t random = 3;
    for (uint32_t i = 0; i < 300; i++)
      walker(world, th_ground_point(ground, mesh_grounds_place(ground, &random)), goal, guide);
    for (uint32_t step = 0; step < 60; step++) {
      th_world_step(world);
      th_world_advise(world); /* sorts anew and moves nobody */
      const th_order *o = &world->order;
      assert_int_equal(o->count, 300);
      uint8_t seen[300] = {0};
      const th_patches *p = &world->mesh->atlas->patches;
      for (uint32_t c = 0; c < p->cluster_count; c++)
        for (uint32_t slot = o->start[c]; slot < o->start[c + 1]; slot++) {
          uint32_t row = o->row[slot];
          assert_int_equal(p->cluster_of[world->rows.cell[row]], c);
          assert_false(seen[row]);
          seen[row] = 1;
        }
      th_world_integrate(world);
    }
    th_world_free(world);
  }
  th_ground_release(ground);
}

static th_world *crowd(const th_env *env, th_ground *ground, uint32_t workers) {
  th_world_def def = th_default_world_def();
  def.env = *env;
  def.ground = ground;
  def.workers = workers;
  th_world *world;
  OK(th_world_make(&def, &world, &error));
  th_guide_id guide = guide_of(world, true);
  uint64_t random = 3;
  th_goal_id goal[7];
  for (uint32_t i = 0; i < 7; i++) goal[i] = worlds_goal_at(world, vertex_at(ground, 70 * i + 3), TH_FIELD_EDGES);
  for (uint32_t i = 0; i < 300; i++) {
    th_agent_id id = walker(world, th_ground_point(ground, mesh_grounds_place(ground, &random)), goal[i % 7], guide);
    th_agent_def agent;
    assert_true(th_world_agent_def(world, id, &agent));
    agent.model = &th_model_orca;
    agent.params = NULL;
    OK(th_world_change_agent(world, id, &agent, &error));
  }
  return world;
}

/* shows: PLAN-40 */
static void workers_and_snapshots_do_not_show(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = sphere(&env, 4);
  th_world *world[3];
  for (uint32_t k = 0; k < 3; k++) {
    world[k] = crowd(&env, ground, k + 1);
    worlds_steps(world[k], 40);
    assert_true(th_world_hash(world[k]) == th_world_hash(world[0]));
  }
  size_t size = th_world_snapshot(world[0], NULL, 0);
  void *memory = malloc(size);
  th_world_snapshot(world[0], memory, size);
  OK(th_world_restore(world[1], memory, size, &error));
  for (uint32_t k = 0; k < 3; k++) {
    worlds_steps(world[k], 40);
    assert_true(th_world_hash(world[k]) == th_world_hash(world[0]));
  }
  for (uint32_t k = 0; k < 3; k++) th_world_free(world[k]);
  free(memory);
  th_ground_release(ground);
}

static void other_fields_and_flat_ground(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *flat = worlds_box(&env, 10, 10), *ground = sphere(&env, 3);
  th_world *world = worlds_make(flat, &env);
  th_goal_def def = th_default_goal_def();
  th_vec2 at = {5, 5};
  def.shape = th_point_shape(at.x, at.y);
  def.field = TH_FIELD_EDGES;
  th_goal_id goal;
  OK(th_world_add_goal(world, &def, &goal, &error));
  th_agent_def plain = worlds_agent_def(1, 2, goal);
  plain.guide = guide_of(world, true);
  worlds_add(world, &plain);
  for (int step = 0; step < 200 && !th_world_done(world); step++) th_world_step(world);
  assert_int_equal(th_world_counters(world).arrived, 1);
  worlds_end(world, flat);
  world = worlds_make(ground, &env);
  th_vec3 p = vertex_at(ground, 9);
  def.shape = th_point_shape_at(p);
  def.field = TH_FIELD_GEODESIC;
  OK(th_world_add_goal(world, &def, &goal, &error));
  th_agent_id id = walker(world, vertex_at(ground, 200), goal, guide_of(world, true));
  for (int step = 0; step < 1000 && !th_world_done(world); step++) th_world_step(world);
  assert_int_equal(th_world_agents(world).state[th_world_row(world, id)], TH_AGENT_ARRIVED);
  worlds_end(world, ground);
}

/* Two goals along edges, one with a geodesic and one with a harmonic field. */
static th_goal_id one_of_four(th_world *world, const th_ground *ground, uint32_t n) {
  static const th_field_kind kind[] = {TH_FIELD_EDGES, TH_FIELD_GEODESIC, TH_FIELD_EDGES, TH_FIELD_HARMONIC};
  th_vec3 p = vertex_at(ground, 100 + 37 * (n % 4));
  th_goal_def def = th_default_goal_def();
  def.shape = th_point_shape_at(p);
  def.field = kind[n % 4];
  th_goal_id goal;
  OK(th_world_add_goal(world, &def, &goal, &error));
  return goal;
}

/* Neighbours ask together, whatever their goals: each is led as if it were alone. */
static void goals_of_neighbours_do_not_show(void **state) {
  (void)state;
  enum { WALKERS = 24, STEPS = 30 };
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = sphere(&env, 3);
  th_world *all = worlds_make(ground, &env);
  th_guide_id guide = guide_of(all, true);
  th_goal_id goal[4];
  th_agent_id id[WALKERS];
  for (uint32_t k = 0; k < 4; k++) goal[k] = one_of_four(all, ground, k);
  th_vec3 from = vertex_at(ground, 0);
  for (uint32_t n = 0; n < WALKERS; n++)
    id[n] = walker(all, (th_vec3){from.x, from.y + 0.02f * (float)n, from.z}, goal[n % 4], guide);
  worlds_steps(all, STEPS);
  for (uint32_t n = 0; n < WALKERS; n++) {
    th_world *own = worlds_make(ground, &env);
    guide = guide_of(own, true);
    th_agent_id alone =
        walker(own, (th_vec3){from.x, from.y + 0.02f * (float)n, from.z}, one_of_four(own, ground, n), guide);
    worlds_steps(own, STEPS);
    uint32_t a = th_world_row(all, id[n]), b = th_world_row(own, alone);
    assert_int_equal(all->rows.cell[a], own->rows.cell[b]);
    assert_true(all->rows.x[a] == own->rows.x[b] && all->rows.y[a] == own->rows.y[b]);
    assert_true(all->rows.left[a] == own->rows.left[b] && isfinite(own->rows.left[b]));
    th_world_free(own);
  }
  worlds_end(all, ground);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(single_agents_arrive_on_every_genus),
      cmocka_unit_test(antipodal_agents_arrive_with_the_guard),
      cmocka_unit_test(a_thousand_agents_share_one_field),
      cmocka_unit_test(agents_stand_until_their_field_is_there),
      cmocka_unit_test(fields_are_read_when_the_face_changes_only),
      cmocka_unit_test(a_new_field_is_read_in_the_old_face),
      cmocka_unit_test(places_are_faces_with_weights),
      cmocka_unit_test(every_agent_is_in_the_list_of_its_cluster),
      cmocka_unit_test(workers_and_snapshots_do_not_show),
      cmocka_unit_test(other_fields_and_flat_ground),
      cmocka_unit_test(goals_of_neighbours_do_not_show),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
