/* Crowds whose bodies would meet above the surface: with `overhead` they see each other, keep clear and still arrive.
 */
#include "support/bodies.h"
#include "support/slow.h"
#include "support/unit.h"
#include "throng/model/bvp.h"
#include "world/world.h"

static bodies_stage *fresh(void) {
  static bodies_stage s;
  memset(&s, 0, sizeof s);
  s.env = worlds_env(&s.h);
  s.height = 1.75f;
  return &s;
}

static void add(bodies_stage *s, th_vec3 from, th_vec3 to) { s->walker[s->count++] = (bodies_walker){from, to}; }

/* ---------------------------------------------------------------- the scenes */

/* A valley of two slopes of 50 degrees: on each, half of the people walk one way and half the other. */
static th_ground *valley(bodies_stage *s) {
  uint64_t seed = 3;
  const float c = cosf(0.8726646f), h = sinf(0.8726646f);
  for (uint32_t i = 0; i < 40; i++) {
    float up = 0.5f + 0.7f * (float)(i % 2) + worlds_in(&seed, -0.05f, 0.05f), x = (i % 4 < 2 ? c : -c) * up;
    float y = i < 20 ? 2.0f + 0.4f * (float)i : 28.0f - 0.4f * (float)(i - 20);
    add(s, (th_vec3){x, y, h * up}, (th_vec3){x, i < 20 ? 28.5f : 1.5f, h * up});
  }
  return bodies_valley(&s->env, 50.0, 30.0, 6.0);
}

/* Inside a tube 4 m wide heads come within a metre of each other: two streams of three abreast. */
static th_ground *tube(bodies_stage *s) {
  for (uint32_t i = 0; i < 30; i++) {
    float angle = (float)(i % 3) * 2.0943951f + (i < 15 ? 0.0f : 0.4f), x = 2.0f * cosf(angle), y = 2.0f * sinf(angle);
    float z = i < 15 ? 2.0f + 1.2f * (float)(i / 3) : 28.0f - 1.2f * (float)((i - 15) / 3);
    add(s, (th_vec3){x, y, z}, (th_vec3){x, y, i < 15 ? 28.0f : 2.0f});
  }
  return bodies_tube(&s->env, 2.0f, 30.0f, 0.4f);
}

/* Two floors: people of 1.8 m on floors 1.7 m apart, or facing each other 3 m apart. */
static th_ground *floors(bodies_stage *s, bool facing) {
  uint64_t seed = 9;
  s->height = facing ? 1.75f : 1.8f;
  for (uint32_t i = 0; i < 60; i++) {
    float y = 1.0f + 0.8f * (float)(i % 6) + worlds_in(&seed, -0.1f, 0.1f), z = i < 30 ? 0.0f : facing ? 3.0f : 1.7f;
    float x = i < 30 ? 2.0f + 1.0f * (float)(i / 6) : 22.0f - 1.0f * (float)((i - 30) / 6);
    add(s, (th_vec3){x, y, z}, (th_vec3){24.0f - x, y, z});
  }
  return bodies_floors(&s->env, 24.0, facing ? 3.0 : 1.7, facing);
}

static th_ground *scene(bodies_stage *s, int which) {
  return which == 0 ? valley(s) : which == 1 ? tube(s) : floors(s, which == 3);
}

static const char *const scene_name[] = {"valley", "tube", "floors", "facing walls"};

/* ---------------------------------------------------------------- walking */

typedef struct outcome {
  bodies_run without, with;
} outcome;

static outcome both(int which, const th_model *model, uint32_t steps) {
  outcome o;
  bodies_stage *s = fresh();
  th_ground *ground = scene(s, which);
  s->model = model;
  for (int k = 0; k < 2; k++) {
    th_world *world = bodies_world(s, ground, k ? TH_OVERHEAD_NORMAL : TH_OVERHEAD_OFF, 1, TH_SIMD_AUTO);
    bodies_run run = bodies_walk(s, world, steps, s->height);
    mesh_grounds_assert_sound(world);
    print_message("%s, %s, above %s: %llu pair-steps, at most %u pairs, deepest %.2f of the radii, %.2f m left\n",
                  scene_name[which], model->name, k ? "on" : "off", (unsigned long long)run.pair_steps, run.max,
                  (double)run.deepest, (double)run.left);
    *(k ? &o.with : &o.without) = run;
    th_world_free(world);
  }
  assert_int_equal(s->h.faults, 0);
  th_ground_release(ground);
  return o;
}

/* shows: PLAN-64 */
static void streams_pass_without_their_heads_meeting(void **unused) {
  (void)unused;
  for (int which = 0; which < 4; which++) {
    outcome o = both(which, &th_model_orca, LONG_RUN(300, 60));
    if (SLOW_BUILD) continue;
    assert_true(o.without.pair_steps > 100);
    assert_true(o.with.pair_steps * 20 < o.without.pair_steps);
    assert_true(o.with.left < 1.5f); /* and nobody is kept from going on */
  }
}

/* Models that look at every candidate see bodies above as well; who avoids nobody is pushed aside. (In a valley bodies
 * cross like bars: who only pushes stays there.) */
static void other_models_see_them_too(void **unused) {
  (void)unused;
  for (int which = 0; which < 4; which += 3) {
    outcome bvp = both(which, &th_model_bvp, LONG_RUN(200, 20));
    if (!SLOW_BUILD) assert_true(bvp.with.pair_steps * 5 < bvp.without.pair_steps);
  }
  outcome follow = both(3, &th_model_follow, LONG_RUN(200, 20));
  if (SLOW_BUILD) return;
  assert_true(follow.with.pair_steps * 4 < follow.without.pair_steps);
  assert_true(follow.with.left < follow.without.left + 1.0f);
}

/* Two who walk opposite each other in a tube 3.3 m wide have their heads in each other: one lets the other go first. */
static void opposite_in_a_narrow_tube(void **unused) {
  (void)unused;
  bodies_stage *s = fresh();
  add(s, (th_vec3){1.65f, 0, 3}, (th_vec3){1.65f, 0, 27});
  add(s, (th_vec3){-1.65f, 0, 3}, (th_vec3){-1.65f, 0, 27});
  th_ground *ground = bodies_tube(&s->env, 1.65f, 30.0f, 0.4f);
  th_world *world = bodies_world(s, ground, TH_OVERHEAD_NORMAL, 1, TH_SIMD_AUTO);
  assert_int_equal(bodies_meetings(world, 1.75f, 0.1f).pairs, 1);
  worlds_steps(world, 20);
  bodies_run run = bodies_walk(s, world, 100, 1.75f);
  print_message("narrow tube: deepest %.3f of the radii, %.2f m left\n", (double)run.deepest, (double)run.left);
  assert_int_equal(run.pair_steps, 0);
  assert_true(run.left < 14.0f); /* of 24 m after 12 s */
  th_world_free(world);
  th_ground_release(ground);
}

/* Two who face each other on floors 3 m apart stand with 0.3 m between their axes instead of 0.4, of which 5 % are left
 * alone: each goes its half of what is missing, and no farther. */
static void two_share_what_is_missing(void **unused) {
  (void)unused;
  bodies_stage *s = fresh();
  s->model = &th_model_follow;
  add(s, (th_vec3){10.0f, 3, 0}, (th_vec3){10.0f, 3, 0});
  add(s, (th_vec3){10.3f, 3, 3}, (th_vec3){10.3f, 3, 3});
  th_ground *ground = bodies_floors(&s->env, 24.0, 3.0, true);
  th_world *world = bodies_world(s, ground, TH_OVERHEAD_NORMAL, 1, TH_SIMD_AUTO);
  worlds_steps(world, 4);
  th_vec3 a = mesh_grounds_at(world, th_world_row(world, (th_agent_id){1, 1, 0}));
  th_vec3 b = mesh_grounds_at(world, th_world_row(world, (th_agent_id){2, 1, 0}));
  print_message("apart %.4f, the first moved by %.4f\n", (double)(b.x - a.x), (double)(10.0f - a.x));
  assert_true(b.x - a.x > 0.375f && b.x - a.x < 0.385f);
  assert_true(fabsf((10.0f - a.x) - (b.x - 10.3f)) < 1e-3f);
  th_world_free(world);
  th_ground_release(ground);
}

/* Bodies tested for contacts above in twenty steps of 200 people between facing walls, whose heads pass 1.4 m beside
 * each other; `fast`: one of them goes 6 m a step. */
static uint64_t tested_above(bool fast) {
  bodies_stage *s = fresh();
  for (uint32_t i = 0; i < 200; i++) {
    const bool below = i < 100;
    float x = 3.0f + 1.1f * (float)(i % 100 / 2), y = (below ? 0.8f : 3.6f) + (float)(i % 2), z = below ? 0.0f : 3.0f;
    add(s, (th_vec3){x, y, z}, (th_vec3){below ? 58.0f : 2.0f, y, z});
  }
  th_ground *ground = bodies_floors(&s->env, 60.0, 3.0, true);
  th_world *world = bodies_world(s, ground, TH_OVERHEAD_NORMAL, 1, TH_SIMD_AUTO);
  th_agent_def def;
  assert_true(th_world_agent_def(world, (th_agent_id){1, 1, 0}, &def));
  def.model = &th_model_follow;
  def.speed = def.speed_max = fast ? 60.0f : def.speed;
  def.acceleration_max = def.turn_max = INFINITY;
  OK(th_world_change_agent(world, (th_agent_id){1, 1, 0}, &def, &error));
  float farthest = 0.0f;
  for (uint32_t n = 0; n < 20; n++) {
    th_world_step(world);
    farthest = fmaxf(farthest, world->farthest);
  }
  assert_true(fast ? farthest > 5.0f : farthest < 0.3f);
  uint64_t sum = world->scratch[0].looked_up;
  th_world_free(world);
  th_ground_release(ground);
  return sum;
}

/* Everybody was tested, 200 in each of the first steps, while one went far. */
static void one_that_goes_far_does_not_have_all_tested(void **unused) {
  (void)unused;
  const uint64_t slow = tested_above(false), fast = tested_above(true);
  print_message("tested above: %llu, with one that goes far %llu\n", (unsigned long long)slow,
                (unsigned long long)fast);
  assert_true(slow < 100 && fast < slow + 400);
}

/* ---------------------------------------------------------------- what one sees of the other */

static const th_ghost *only_ghost(th_world *world, uint32_t agent) {
  uint32_t slot = world->order.slot_of[th_world_row(world, (th_agent_id){agent, 1, 0})];
  assert_int_equal(world->mesh->overhead->count[slot], 1);
  return &world->mesh->overhead->ghost[(size_t)slot * TH_MAX_GHOSTS];
}

/* Facing walls `apart` metres from each other, two people `aside` metres from being opposite. */
static th_ghost seen_over(double apart, bool facing, float aside, float height) {
  bodies_stage *s = fresh();
  s->height = height;
  add(s, (th_vec3){5, 3, 0}, (th_vec3){5, 3, 0});
  add(s, (th_vec3){5.0f + aside, 3, (float)apart}, (th_vec3){5.0f + aside, 3, (float)apart});
  th_ground *ground = bodies_floors(&s->env, 12, apart, facing);
  th_world *world = bodies_world(s, ground, TH_OVERHEAD_NORMAL, 1, TH_SIMD_AUTO);
  th_world_advise(world);
  th_ghost a = *only_ghost(world, 1), b = *only_ghost(world, 2);
  assert_true(fabsf(a.radius - b.radius) < 1e-5f && fabsf(a.gap - b.gap) < 1e-5f);
  th_world_free(world);
  th_ground_release(ground);
  return a;
}

/* shows: PLAN-64 */
static void a_body_above_is_a_disc_in_the_own_plane(void **unused) {
  (void)unused;
  th_ghost level = seen_over(3.0, true, 0.8f, 1.75f); /* the axes reach past each other */
  assert_true(fabsf(hypotf(level.x, level.y) - 0.8f) < 1e-4f);
  assert_true(fabsf(level.radius + 0.2f - 0.95f * 0.4f) < 1e-4f);
  assert_true(fabsf(level.share - 0.5f) < 1e-3f);
  th_ghost ends = seen_over(3.3, true, 0.8f, 1.75f); /* heads 0.2 m apart along the normal */
  assert_true(fabsf(hypotf(ends.x, ends.y) - 0.8f) < 1e-4f);
  assert_true(fabsf(ends.radius + 0.2f - sqrtf(0.38f * 0.38f - 0.2f * 0.2f)) < 1e-3f);
  th_ghost floor = seen_over(1.7, false, 0.8f, 1.8f); /* a head below feet */
  assert_true(fabsf(floor.radius + 0.2f - sqrtf(0.38f * 0.38f - 0.3f * 0.3f)) < 1e-3f);
}

/* One walks towards a wall on which another stands at breast height: only the first can do anything about it. */
static void who_can_avoid_does(void **unused) {
  (void)unused;
  static bodies_soup soup;
  soup.vertices = soup.faces = 0;
  bodies_sheet(&soup, (bodies_plane){{0, 0, 0}, {10, 0, 0}, {0, 10, 0}, 10, 10});
  bodies_sheet(&soup, (bodies_plane){{0, 0, 0}, {0, 10, 0}, {0, 0, 10}, 10, 10});
  bodies_stage *s = fresh();
  add(s, (th_vec3){3, 5, 0}, (th_vec3){0.5f, 5, 0});
  add(s, (th_vec3){0, 5, 1}, (th_vec3){0, 5, 1});
  th_ground *ground = bodies_ground(&s->env, &soup);
  th_world *world = bodies_world(s, ground, TH_OVERHEAD_NORMAL, 1, TH_SIMD_AUTO);
  th_world_advise(world);
  const th_ghost *ghost = only_ghost(world, 1);
  assert_true(fabsf(hypotf(ghost->x, ghost->y) - (3.0f - 1.55f)) < 1e-3f);
  assert_true(ghost->share < 1e-3f); /* it takes the whole avoidance over */
  th_world_integrate(world);
  bodies_run run = bodies_walk(s, world, 60, 1.75f);
  print_message("head against head: deepest %.3f of the radii\n", (double)run.deepest);
  assert_true(run.deepest < 0.1f);
  th_world_free(world);
  th_ground_release(ground);
}

/* On a slope of 50 degrees people who stand upright, one above the other, are nearer than their feet. */
static void upright_on_a_slope(void **unused) {
  (void)unused;
  const float c = cosf(0.8726646f), h = sinf(0.8726646f);
  for (int k = 0; k < 2; k++) {
    bodies_stage *s = fresh();
    for (uint32_t i = 0; i < 2; i++) {
      float up = 2.0f + 0.5f * (float)i;
      add(s, (th_vec3){c * up, 3, h * up}, (th_vec3){c * up, 27, h * up});
    }
    th_ground *ground = bodies_valley(&s->env, 50.0, 30.0, 6.0);
    th_world *world = bodies_world(s, ground, k ? TH_OVERHEAD_PLUMB : TH_OVERHEAD_OFF, 1, TH_SIMD_AUTO);
    float min = INFINITY; /* seen from above */
    for (uint32_t i = 0; i < 120; i++) {
      th_world_step(world);
      th_vec3 a = mesh_grounds_at(world, 0), b = mesh_grounds_at(world, 1);
      if (i > 10) min = fminf(min, hypotf(a.x - b.x, a.y - b.y));
    }
    print_message("upright on a slope, above %s: %.3f m apart\n", k ? "plumb" : "off", (double)min);
    assert_true(k ? min > 0.36f : min < 0.34f);
    th_world_free(world);
    th_ground_release(ground);
  }
}

/* shows: PLAN-64 PLAN-41 */
static void a_thin_sheet_is_not_seen_through(void **unused) {
  (void)unused;
  bodies_stage *s = fresh();
  for (uint32_t i = 0; i < 40; i++) { /* on both sides, in each other's way as seen from above */
    float x = i % 2 ? 18.0f - 0.7f * (float)(i / 8) : 4.0f + 0.7f * (float)(i / 8),
          y = 0.8f + 1.1f * (float)(i / 2 % 4);
    float z = i % 2 ? 0.02f : 0.0f;
    add(s, (th_vec3){x, y, z}, (th_vec3){i % 2 ? 2.0f : 20.0f, y, z});
  }
  th_ground *ground = bodies_floors(&s->env, 22, -0.02, false);
  th_world *with = bodies_world(s, ground, TH_OVERHEAD_NORMAL, 1, TH_SIMD_AUTO),
           *without = bodies_world(s, ground, TH_OVERHEAD_OFF, 1, TH_SIMD_AUTO);
  assert_int_equal(with->mesh->overhead->lists->runs, 0);
  for (int i = 0; i < 60; i++) {
    th_world_step(with);
    th_world_step(without);
    assert_true(th_world_hash(with) == th_world_hash(without));
  }
  th_world_free(with);
  th_world_free(without);
  th_ground_release(ground);
}

/* ---------------------------------------------------------------- promises */

static uint64_t hash_after(int which, uint32_t workers, th_simd simd, uint32_t steps) {
  bodies_stage *s = fresh();
  th_ground *ground = scene(s, which);
  th_world *world = bodies_world(s, ground, TH_OVERHEAD_NORMAL, workers, simd);
  worlds_steps(world, steps);
  uint64_t hash = th_world_hash(world);
  th_world_free(world);
  th_ground_release(ground);
  return hash;
}

/* shows: PLAN-64 */
static void workers_and_instructions_change_nothing(void **unused) {
  (void)unused;
  for (int which = 0; which < 3; which++) {
    uint32_t steps = LONG_RUN(120, 15);
    uint64_t one = hash_after(which, 1, TH_SIMD_AUTO, steps);
    assert_true(hash_after(which, 2, TH_SIMD_AUTO, steps) == one);
    assert_true(hash_after(which, 3, TH_SIMD_FOUR, steps) == one);
    assert_true(hash_after(which, 8, TH_SIMD_AVX2, steps) == one);
  }
}

/* Lanes and scalar ORCA agree on ghosts bit by bit, ties and shares included. */
static void both_backends_see_the_same(void **unused) {
  (void)unused;
  uint64_t hash[2];
  for (int k = 0; k < 2; k++) {
    bodies_stage *s = fresh();
    th_ground *ground = valley(s);
    th_world *world = bodies_world(s, ground, TH_OVERHEAD_NORMAL, 1, TH_SIMD_AUTO);
    th_orca_params params = th_default_orca_params();
    params.backend = k ? TH_ORCA_SCALAR : TH_ORCA_LANES;
    for (uint32_t i = 0; i < s->count; i++) {
      th_agent_def def;
      assert_true(th_world_agent_def(world, (th_agent_id){i + 1, 1, 0}, &def));
      def.params = &params;
      OK(th_world_change_agent(world, (th_agent_id){i + 1, 1, 0}, &def, &error));
    }
    worlds_steps(world, LONG_RUN(100, 15));
    th_agents a = th_world_agents(world);
    hash[k] = 0;
    for (uint32_t i = 0; i < a.count; i++) {
      uint32_t bits[2];
      memcpy(&bits[0], &a.x[i], 4);
      memcpy(&bits[1], &a.y[i], 4);
      hash[k] = (hash[k] * 31 + bits[0]) * 31 + bits[1] + a.cell[i];
    }
    th_world_free(world);
    th_ground_release(ground);
  }
  assert_true(hash[0] == hash[1]);
}

static void a_snapshot_goes_on_as_it_was(void **unused) {
  (void)unused;
  bodies_stage *s = fresh();
  th_ground *ground = valley(s);
  th_world *world = bodies_world(s, ground, TH_OVERHEAD_NORMAL, 2, TH_SIMD_AUTO),
           *other = bodies_world(s, ground, TH_OVERHEAD_NORMAL, 1, TH_SIMD_AUTO);
  worlds_steps(world, 40);
  worlds_saved saved = worlds_save(world);
  OK(th_world_restore(other, saved.memory, saved.size, &error));
  free(saved.memory);
  worlds_steps(world, 20);
  worlds_steps(other, 20);
  assert_true(th_world_hash(world) == th_world_hash(other));
  th_world_free(world);
  th_world_free(other);
  th_ground_release(ground);
}

/* Larger bodies and another version of the ground make the lists anew. */
static void lists_follow_bodies_and_ground(void **unused) {
  (void)unused;
  bodies_stage *s = fresh();
  th_ground *ground = floors(s, true);
  th_world *world = bodies_world(s, ground, TH_OVERHEAD_NORMAL, 1, TH_SIMD_AUTO);
  const th_world_overhead *overhead = world->mesh->overhead;
  worlds_steps(world, 5);
  float height = overhead->lists->def.height;
  th_agent_def giant = th_default_body_def();
  giant.model = &th_model_follow;
  giant.point.x = 12, giant.point.y = 3, giant.height = 2.6f;
  OK(th_world_add_agents(world, &giant, 1, NULL, &error));
  assert_true(overhead->lists->def.height > height);
  uint32_t version = overhead->lists_version;
  const worlds_rect rect = worlds_rectangle(11, 0, 13, 2);
  th_region block = {
      .name = "block", .kind = TH_REGION_PRISM, .outline = rect.point, .outline_count = 4, .low = -1, .high = 1};
  th_edit edit = {.kind = TH_EDIT_ADD, .region = &block};
  OK(th_world_edit(world, &edit, 1, &error));
  worlds_steps(world, 3);
  assert_true(overhead->lists_version != version);
  assert_int_equal(overhead->lists->cluster_count, world->order.grid.cluster_count);
  worlds_steps(world, 40);
  mesh_grounds_assert_sound(world);
  assert_int_equal(s->h.faults, 0);
  th_world_free(world);
  th_ground_release(ground);
}

static void a_step_allocates_nothing(void **unused) {
  (void)unused;
  failing f = {0};
  bodies_stage *s = fresh();
  s->env = failing_env(&f);
  th_ground *ground = valley(s);
  th_world *world = bodies_world(s, ground, TH_OVERHEAD_NORMAL, 2, TH_SIMD_AUTO);
  worlds_steps(world, 30); /* charts of patches that are seen for the first time take memory */
  failing_lock(&f);
  worlds_steps(world, 10);
  failing_unlock(&f);
  th_world_free(world);
  th_ground_release(ground);
  failing_assert_empty(&f);
}

static th_result live(const th_env *env, void *context) {
  th_ground *ground = context;
  th_world_def def = th_default_world_def();
  th_world *world;
  def.env = *env;
  def.ground = ground;
  def.mesh.overhead = TH_OVERHEAD_NORMAL;
  def.agent_capacity = 8;
  th_result result = th_world_make(&def, &world, NULL);
  if (result) return result;
  th_agent_def agent = th_default_body_def();
  agent.model = &th_model_follow;
  agent.point.x = 3, agent.point.y = 3;
  result = th_world_add_agents(world, &agent, 1, NULL, NULL);
  agent.point.x = 4, agent.height = 2.5f;
  if (!result) result = th_world_add_agents(world, &agent, 1, NULL, NULL);
  th_world_free(world);
  return result;
}

static void running_out_of_memory_leaves_nothing(void **unused) {
  (void)unused;
  bodies_stage *s = fresh();
  th_ground *ground = bodies_floors(&s->env, 6, 1.7, false);
  assert_true(failing_every(live, ground) > 20);
  th_ground_release(ground);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(streams_pass_without_their_heads_meeting),
      cmocka_unit_test(other_models_see_them_too),
      cmocka_unit_test(opposite_in_a_narrow_tube),
      cmocka_unit_test(two_share_what_is_missing),
      cmocka_unit_test(one_that_goes_far_does_not_have_all_tested),
      cmocka_unit_test(a_body_above_is_a_disc_in_the_own_plane),
      cmocka_unit_test(who_can_avoid_does),
      cmocka_unit_test(upright_on_a_slope),
      cmocka_unit_test(a_thin_sheet_is_not_seen_through),
      cmocka_unit_test(workers_and_instructions_change_nothing),
      cmocka_unit_test(both_backends_see_the_same),
      cmocka_unit_test(a_snapshot_goes_on_as_it_was),
      cmocka_unit_test(lists_follow_bodies_and_ground),
      cmocka_unit_test(a_step_allocates_nothing),
      cmocka_unit_test(running_out_of_memory_leaves_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
