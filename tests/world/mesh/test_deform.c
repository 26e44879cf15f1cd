/* A surface moves under a crowd: the world keeps its patches, makes a few charts anew in each step, and neither workers
 * nor memory nor a snapshot in the middle of it can be told from what happens. */
#include "ground/chart/stages.h"
#include "support/mesh_worlds.h"
#include "support/slow.h"
#include "support/unit.h"
#include "throng/model/orca.h"
#include "world/world.h"

/* ---------------------------------------------------------------- a torus with waves */

typedef struct sea {
  th_env env;
  th_mesh rest; /* coordinates are floats, so that vertices can come back exactly */
  th_ground *ground;
  th_vertex_move *move;
} sea;

static void sea_make(sea *s, const th_env *env, th_make_params make) {
  *s = (sea){.env = *env};
  make.env = *env;
  OK(th_mesh_generate(&make, &s->rest, &error));
  for (size_t k = 0; k < 3 * (size_t)s->rest.vertex_count; k++) s->rest.xyz[k] = (double)(float)s->rest.xyz[k];
  th_mesh_ground_def def = th_default_mesh_ground_def();
  def.env = *env;
  def.mesh = &s->rest;
  OK(th_ground_make_mesh(&def, &s->ground, &error));
  s->move = test_calloc(s->rest.vertex_count, sizeof *s->move);
}

static void sea_free(sea *s) {
  test_free(s->move);
  th_ground_release(s->ground);
  th_mesh_free(&s->rest);
}

static th_make_params torus(float radius, float large) {
  th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_TORUS);
  make.radius = radius;
  make.large = large;
  return make;
}

/* Waves of 20 m run round the torus and lift it away from the axis of its tube; where x < 0 it is calm. */
static uint32_t roll(sea *s, float large, double height, double phase) {
  uint32_t count = 0;
  for (uint32_t v = 0; v < s->rest.vertex_count; v++) {
    const double *p = s->rest.xyz + 3 * (size_t)v;
    if (p[0] < 0.0) continue;
    double r = sqrt(p[0] * p[0] + p[1] * p[1]), out = r - (double)large, a = atan2(p[1], p[0]);
    double length = sqrt(out * out + p[2] * p[2]), along = a * (double)large;
    double lift = height * cos(a) * cos(a) * sin(2.0 * 3.14159265358979 * along / 20.0 - phase) / length;
    double k = lift * out / r;
    th_vec3 to = {(float)(p[0] * (1.0 + k)), (float)(p[1] * (1.0 + k)), (float)(p[2] * (1.0 + lift))};
    s->move[count++] = (th_vertex_move){v, to};
  }
  return count;
}

static void deform(th_world *world, const th_vertex_move *move, uint32_t count) {
  th_edit edit = {.kind = TH_EDIT_DEFORM, .move = move, .move_count = count};
  OK(th_world_edit(world, &edit, 1, &error));
}

static void populate(th_world *world, uint32_t count, th_goal_id goal) {
  uint64_t random = 5;
  const th_ground *ground = th_world_ground(world);
  th_agent_def *agent = test_calloc(count, sizeof *agent);
  for (uint32_t i = 0; i < count; i++) {
    th_vec3 p = th_ground_point(ground, mesh_grounds_place(ground, &random));
    agent[i] = worlds_agent_def(p.x, p.y, goal);
    agent[i].point.z = p.z;
    agent[i].remove = false;
    agent[i].model = i % 4 ? &th_model_orca : &th_model_follow;
  }
  OK(th_world_add_agents(world, agent, count, NULL, &error));
  test_free(agent);
}

/* ---------------------------------------------------------------- equal to what is made from scratch */

static bool same_chart(const th_chart *a, const th_chart *b) {
  return a->bytes == b->bytes && a->cover == b->cover && a->torn == b->torn &&
         !memcmp(&a->own, &b->own, sizeof a->own) && !memcmp(a + 1, b + 1, a->bytes - sizeof *a);
}

/* Every chart that is kept is the one that its patch would get now. Returns how many there are. */
static uint32_t assert_charts_fresh(const th_world *world) {
  const th_atlas *atlas = world->mesh->atlas;
  const th_mesh_frames *frames = &world->ground->mesh->frames;
  th_chart_maker maker;
  uint32_t kept = 0;
  assert_true(th_chart_maker_make(&maker, &atlas->def.allocator, frames->mesh, &atlas->patches));
  for (uint32_t p = 0; p < atlas->patches.count; p++) {
    const th_chart *chart = th_atlas_chart(atlas, p);
    if (!chart) continue;
    th_chart *fresh = th_chart_build(&maker, frames, &atlas->patches, &atlas->charts.def.chart, p);
    assert_true(same_chart(chart, fresh));
    th_chart_free(fresh, &maker.allocator);
    kept++;
  }
  th_chart_maker_free(&maker);
  return kept;
}

static void assert_patches_fresh(const th_world *world) {
  const th_patches *a = &world->mesh->atlas->patches;
  th_atlas *fresh;
  OK(th_atlas_make(&world->mesh->atlas->def, world->ground, NULL, &fresh, &error));
  const th_patches *b = &fresh->patches;
  assert_true(a->count == b->count && a->cluster_count == b->cluster_count && a->mean_edge == b->mean_edge);
  assert_memory_equal(a->patch_of, b->patch_of, a->face_count * sizeof *a->patch_of);
  assert_memory_equal(a->cluster_of, b->cluster_of, a->face_count * sizeof *a->cluster_of);
  assert_memory_equal(a->rank_of, b->rank_of, a->face_count * sizeof *a->rank_of);
  assert_memory_equal(a->centre, b->centre, a->count * sizeof *a->centre);
  assert_memory_equal(a->radius, b->radius, a->count * sizeof *a->radius);
  th_atlas_free(fresh);
}

/* Steps until no chart waits; at most `renewals` are made anew in each. */
static uint32_t calm_down(th_world *world) {
  uint32_t steps = 0;
  for (uint32_t k = 0; k <= world->def.latency; k++) th_world_step(world); /* what was asked for last is in force */
  while (th_world_backlog(world)) {
    uint32_t before = th_world_backlog(world);
    th_world_step(world);
    assert_true(th_world_backlog(world) + world->def.mesh.renewals >= before);
    assert_true(++steps < 200);
  }
  return steps;
}

/* shows: PLAN-37 PLAN-47 PLAN-49 PLAN-50 PLAN-52 */
static void twenty_thousand_on_a_sea(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  sea s;
  sea_make(&s, &env, torus(LONG_RUN(12, 5), LONG_RUN(40, 20)));
  const uint32_t agents = LONG_RUN(20000, 1500), waves = LONG_RUN(40, 12);
  const float large = LONG_RUN(40, 20);
  th_world_def def = th_default_world_def();
  def.env = env;
  def.ground = s.ground;
  def.agent_capacity = agents;
  def.workers = 2;
  def.mesh.renewals = 8;
  th_world *world;
  OK(th_world_make(&def, &world, &error));
  populate(world, agents, NOWHERE);
  const th_atlas *atlas = world->mesh->atlas;
  uint32_t max = 0;
  for (uint32_t step = 0; step < waves; step++) {
    deform(world, s.move, roll(&s, large, 0.6, 0.3 * step));
    th_world_step(world);
    if (step % 4 == 0) mesh_grounds_assert_sound(world);
    max = th_world_backlog(world) > max ? th_world_backlog(world) : max;
  }
  uint32_t steps = calm_down(world);
  assert_ptr_equal(world->mesh->atlas, atlas);
  print_message("%u agents, %u faces, %u patches: %u charts waited at most, %u steps until all were made anew\n",
                agents, s.rest.face_count, atlas->patches.count, max, steps);
  assert_true(max > def.mesh.renewals && steps > 1);
  assert_true(assert_charts_fresh(world) > 40);
  mesh_grounds_assert_sound(world);
  deform(world, s.move, roll(&s, large, 0.0, 0.0)); /* back to where it all began: patches too are those from scratch */
  calm_down(world);
  assert_ptr_equal(world->mesh->atlas, atlas);
  assert_true(assert_charts_fresh(world) > 40);
  assert_patches_fresh(world);
  mesh_grounds_assert_sound(world);
  assert_int_equal(th_world_agents(world).count, agents);
  assert_int_equal(h.faults, 0);
  th_world_free(world);
  sea_free(&s);
}

/* ---------------------------------------------------------------- workers, memory, snapshots */

enum { CREW = LONG_RUN(250, 100), STEPS = LONG_RUN(36, 24) };
#define SMALL_TUBE 4.0f
#define SMALL_RING 16.0f

static th_world *small_sea(const sea *s, uint32_t workers) {
  th_world_def def = th_default_world_def();
  def.env = s->env;
  def.ground = s->ground;
  def.workers = workers;
  def.mesh.renewals = 2;
  def.latency = 3;
  def.mesh.patch_size = 5;
  th_world *world;
  OK(th_world_make(&def, &world, &error));
  populate(world, CREW, worlds_goal_at(world, (th_vec3){-SMALL_RING - SMALL_TUBE, 0, 0}, TH_FIELD_HARMONIC));
  return world;
}

/* The form changes in some steps, not in others, and a rock blocks faces on the way. */
static void weather(sea *s, th_world *world, uint32_t step) {
  th_region rock = {.name = "rock", .kind = TH_REGION_BALL, .centre = {0, SMALL_RING + SMALL_TUBE, 0}, .radius = 2};
  th_edit add = {.kind = TH_EDIT_ADD, .region = &rock};
  if (step == 21) OK(th_world_edit(world, &add, 1, &error));
  if (step % 7 < 4) deform(world, s->move, roll(s, SMALL_RING, 0.25, 0.4 * step));
}

static uint64_t sail(sea *s, th_world *world, uint32_t from, uint32_t to, uint64_t *hash) {
  for (uint32_t step = from; step < to; step++) {
    weather(s, world, step);
    th_world_step(world);
    if (hash) hash[step] = th_world_hash(world);
  }
  return th_world_hash(world);
}

/* shows: PLAN-49 */
static void workers_and_memory_leave_no_trace(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  sea s;
  static uint64_t first[STEPS], next[STEPS];
  static const uint32_t workers[] = {1, 2, 3, 8, 1}; /* the last one with no room for charts */
  const uint32_t runs = LONG_RUN(5, 2);
  sea_make(&s, &env, torus(SMALL_TUBE, SMALL_RING));
  for (uint32_t k = 5 - runs; k < 5; k++) {
    th_world *world = small_sea(&s, workers[k]);
    uint32_t waited = 0;
    for (uint32_t step = 0; step < STEPS; step++) {
      if (k == 4) world->mesh->atlas->charts.def.budget = 1; /* keeps what is needed, and not a chart more */
      sail(&s, world, step, step + 1, k > 5 - runs ? next : first);
      waited += th_world_backlog(world) > 0;
    }
    assert_true(waited > STEPS / 2);
    mesh_grounds_assert_sound(world);
    if (k > 5 - runs) assert_memory_equal(first, next, sizeof first);
    th_world_free(world);
  }
  assert_int_equal(h.faults, 0);
  sea_free(&s);
}

/* In the middle of a backlog, with more deformations on their way. */
static void a_snapshot_holds_the_backlog(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  sea s;
  static uint64_t hash[STEPS], again[STEPS];
  sea_make(&s, &env, torus(SMALL_TUBE, SMALL_RING));
  th_world *world = small_sea(&s, 2), *other = small_sea(&s, 1);
  for (uint32_t at = 9; at < STEPS; at += 18) { /* before and after the rock cut the patches anew */
    sail(&s, world, (uint32_t)th_world_step_count(world), at, NULL);
    assert_true(th_world_backlog(world) > 0);
    worlds_saved saved = worlds_save(world);
    sail(&s, world, at, STEPS, hash);
    OK(th_world_restore(other, saved.memory, saved.size,
                        &error)); /* charts of several versions are made, one after the other */
    sail(&s, other, at, STEPS, again);
    assert_memory_equal(hash + at, again + at, sizeof *hash * (STEPS - at));
    OK(th_world_restore(world, saved.memory, saved.size, &error)); /* back, in the world that went on */
    sail(&s, world, at, STEPS, again);
    assert_memory_equal(hash + at, again + at, sizeof *hash * (STEPS - at));
    OK(th_world_restore(world, saved.memory, saved.size, &error));
    free(saved.memory);
  }
  th_world_free(other);
  th_world_free(world);
  assert_int_equal(h.faults, 0);
  sea_free(&s);
}

/* A world that never had an agent takes over everything, also how far they see. */
static void an_empty_world_takes_over(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  sea s;
  static uint64_t hash[STEPS], again[STEPS];
  sea_make(&s, &env, torus(SMALL_TUBE, SMALL_RING));
  th_world *world = small_sea(&s, 2), *empty;
  th_world_def def = world->def;
  def.workers = 1;
  OK(th_world_make(&def, &empty, &error));
  sail(&s, world, 0, 10, NULL);
  worlds_saved saved = worlds_save(world);
  OK(th_world_restore(empty, saved.memory, saved.size, &error));
  sail(&s, world, 10, 20, hash);
  sail(&s, empty, 10, 20, again);
  assert_memory_equal(hash + 10, again + 10, 10 * sizeof *hash);
  free(saved.memory);
  th_world_free(empty);
  th_world_free(world);
  assert_int_equal(h.faults, 0);
  sea_free(&s);
}

/* A patch that no longer lies flat is not kept: all are cut anew, and agents stay on the surface. */
static void what_cannot_be_laid_flat_is_cut_anew(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  sea s;
  sea_make(&s, &env, torus(SMALL_TUBE, SMALL_RING));
  th_world *world = small_sea(&s, 1);
  sail(&s, world, 0, 10, NULL);
  uint32_t version = world->mesh->atlas->version, count = 0;
  for (uint32_t v = 0; v < s.rest.vertex_count; v++) { /* a horn of 6 m */
    const double *p = s.rest.xyz + 3 * (size_t)v;
    double dx = p[0] - 20.0, d2 = dx * dx + p[1] * p[1] + p[2] * p[2];
    if (d2 < 9.0)
      s.move[count++] = (th_vertex_move){v, {(float)(p[0] + 6.0 - 2.0 * sqrt(d2)), (float)p[1], (float)p[2]}};
  }
  assert_true(count > 10);
  deform(world, s.move, count);
  for (int k = 0; k < 30; k++) {
    th_world_step(world);
    mesh_grounds_assert_sound(world);
  }
  assert_true(world->mesh->atlas->version > version);
  assert_int_equal(th_world_backlog(world), 0);
  assert_true(assert_charts_fresh(world) > 10);
  assert_patches_fresh(world);
  assert_int_equal(h.faults, 0);
  th_world_free(world);
  sea_free(&s);
}

static void wrong_numbers_are_refused(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  sea s;
  sea_make(&s, &env, torus(2, 5));
  th_world_def def = th_default_world_def();
  def.env = env;
  def.ground = s.ground;
  th_world *world = NULL;
  th_error error = {0};
  def.mesh.renewals = 0;
  assert_int_equal(th_world_make(&def, &world, &error), TH_ERROR_RANGE);
  assert_string_equal(error.where, "renewals");
  def.mesh.renewals = 1;
  def.field_threads = 65;
  assert_int_equal(th_world_make(&def, &world, &error), TH_ERROR_RANGE);
  assert_string_equal(error.where, "field_threads");
  assert_null(world);
  sea_free(&s);
}

/* ---------------------------------------------------------------- fields */

/* How many moved in the last step. */
static uint32_t walking(const th_world *world) {
  th_agents a = th_world_agents(world);
  uint32_t count = 0;
  for (uint32_t i = 0; i < a.count; i++)
    count += a.cell[i] != a.previous_cell[i] || a.x[i] != a.previous_x[i] || a.y[i] != a.previous_y[i];
  return count;
}

/* Fields of the new form are made beside the steps and come into force with it; everybody goes on by the old ones until
 * then, on the old form. */
/* shows: PLAN-51 PLAN-05 */
static void fields_are_made_anew_in_the_background(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  sea s;
  sea_make(&s, &env, torus(SMALL_TUBE, SMALL_RING));
  uint64_t hash[3];
  for (uint32_t threads = 1; threads <= 3; threads++) {
    enum { GOALS = 5, LATENCY = 4 };
    th_world_def def = th_default_world_def();
    def.env = env;
    def.ground = s.ground;
    def.latency = LATENCY;
    def.field_threads = threads;
    th_world *world;
    th_goal_id goal[GOALS];
    OK(th_world_make(&def, &world, &error));
    for (uint32_t k = 0; k < GOALS; k++) {
      float a = (float)k;
      goal[k] =
          worlds_goal_at(world, (th_vec3){(SMALL_RING + SMALL_TUBE) * cosf(a), (SMALL_RING + SMALL_TUBE) * sinf(a), 0},
                         TH_FIELD_HARMONIC);
      populate(world, 20, goal[k]);
    }
    for (int k = 0; k <= LATENCY; k++) th_world_step(world);
    const th_field *field[GOALS];
    for (uint32_t k = 0; k < GOALS; k++) assert_non_null(field[k] = th_world_field(world, goal[k], 0.2f));
    deform(world, s.move, roll(&s, SMALL_RING, 0.25, 1.0));
    for (int step = 0; step < LATENCY; step++) { /* asked for at s, in force from s + LATENCY on */
      th_world_step(world);
      assert_int_equal(th_ground_version(th_world_ground(world)), 1);
      for (uint32_t k = 0; k < GOALS; k++) assert_ptr_equal(th_world_field(world, goal[k], 0.2f), field[k]);
      assert_true(walking(world) > GOALS * 20 / 2); /* nobody waits for the new ones */
    }
    th_world_step(world);
    assert_int_equal(th_ground_version(th_world_ground(world)), 2);
    for (uint32_t k = 0; k < GOALS; k++) {
      const th_field *now = th_world_field(world, goal[k], 0.2f);
      assert_true(now && now != field[k]);
    }
    for (int k = 0; k < 10; k++) th_world_step(world);
    mesh_grounds_assert_sound(world);
    hash[threads - 1] = th_world_hash(world);
    th_world_free(world);
  }
  assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
  assert_int_equal(h.faults, 0);
  sea_free(&s);
}

/* ---------------------------------------------------------------- no memory */

static th_result try_all(const th_env *env, void *context) {
  sea *s = context;
  th_world_def def = th_default_world_def();
  def.env = *env;
  def.ground = s->ground;
  def.agent_capacity = 32;
  def.mesh.renewals = 1;
  th_world *world = NULL;
  th_error error;
  th_result result = th_world_make(&def, &world, &error);
  th_edit edit = {.kind = TH_EDIT_DEFORM, .move = s->move, .move_count = roll(s, 5.0f, 0.1, 1.0)};
  worlds_saved saved = {0};
  for (uint32_t i = 0; i < 12 && !result; i++) {
    float a = 0.5f * (float)i;
    th_agent_def agent = th_default_body_def();
    agent.point.x = 7.0f * cosf(a);
    agent.point.y = 7.0f * sinf(a);
    agent.model = &th_model_orca;
    result = th_world_add_agents(world, &agent, 1, NULL, &error);
  }
  if (!result) th_world_step(world);
  if (!result) result = th_world_edit(world, &edit, 1, &error);
  if (!result) th_world_step(world), th_world_step(world);
  if (!result) saved = worlds_save(world);
  if (!result) result = th_world_restore(world, saved.memory, saved.size, &error);
  free(saved.memory);
  th_world_free(world);
  return result;
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  sea s;
  th_make_params ring = torus(2, 5);
  ring.edge = 2;
  sea_make(&s, &env, ring);
  uint64_t failures = 0, refused = 0;
  for (uint64_t n = 1;; n++) { /* a step that lacks memory for a chart goes on without it, and says so */
    failing f = {.fail_at = n};
    th_env short_of = failing_env(&f);
    th_result result = try_all(&short_of, &s);
    failing_assert_empty(&f);
    assert_true(result == TH_OK || result == TH_ERROR_MEMORY);
    refused += result != TH_OK;
    failures += f.failed;
    if (f.failed == 0) break;
  }
  assert_true(failures > 200 && refused > 100 && refused < failures);
  sea_free(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(twenty_thousand_on_a_sea),
      cmocka_unit_test(workers_and_memory_leave_no_trace),
      cmocka_unit_test(a_snapshot_holds_the_backlog),
      cmocka_unit_test(an_empty_world_takes_over),
      cmocka_unit_test(what_cannot_be_laid_flat_is_cut_anew),
      cmocka_unit_test(wrong_numbers_are_refused),
      cmocka_unit_test(fields_are_made_anew_in_the_background),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
