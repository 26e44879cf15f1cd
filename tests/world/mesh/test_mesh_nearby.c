/* Who is near on a mesh, against brute force, while agents walk, come, leave and are put elsewhere; and which way those
 * look who were put or pushed somewhere else. */
#include "support/mesh_worlds.h"
#include "support/unit.h"
#include "throng/model/orca.h"
#include "world/nearby.h"

enum { CROWD = 700, MAX = 2000 };

static th_vec3 any_point(const th_ground *ground, uint64_t *random) {
  return th_ground_point(ground, mesh_grounds_place(ground, random));
}

static bool add(th_world *world, th_vec3 p, th_goal_id goal, float radius) {
  th_agent_def def = worlds_agent_def(p.x, p.y, goal);
  def.point.z = p.z;
  def.radius = radius;
  def.model = &th_model_orca;
  return th_world_add_agents(world, &def, 1, NULL, NULL) == TH_OK;
}

/* ---------------------------------------------------------------- near */

static void check(const th_world *world, th_vec3 p, float reach, uint64_t seed) {
  static th_agent_id found[MAX];
  th_agents a = th_world_agents(world);
  uint32_t expected = 0, nearest = 0, count = th_world_within(world, p, reach, NULL, found, MAX);
  float min = INFINITY;
  for (uint32_t i = 0; i < a.count; i++) {
    float apart = mesh_grounds_apart(mesh_grounds_at(world, i), p);
    if (a.state[i] == TH_AGENT_DELAYED || fabsf(apart - reach) < 1e-5f) continue;
    if (apart < reach) expected++;
    if (apart < min || (apart == min && a.id[i].index < nearest)) min = apart, nearest = a.id[i].index;
  }
  if (count != expected) fail_msg("seed %llu: %u within, not %u", (unsigned long long)seed, count, expected);
  for (uint32_t k = 1; k < count; k++)
    assert_true(mesh_grounds_apart(mesh_grounds_at(world, th_world_row(world, found[k])), p) + 1e-5f >=
                mesh_grounds_apart(mesh_grounds_at(world, th_world_row(world, found[k - 1])), p));
  if (expected) assert_int_equal(found[0].index, nearest);
  assert_int_equal(th_world_nearest(world, p, INFINITY, NULL).index, nearest);
  assert_int_equal(th_world_nearest(world, p, reach, NULL).index, expected ? nearest : 0);
}

static void check_box(const th_world *world, th_vec3 p, th_vec3 half, uint64_t seed) {
  const th_vec3 low = {p.x - half.x, p.y - half.y, p.z - half.z}, high = {p.x + half.x, p.y + half.y, p.z + half.z};
  static th_agent_id found[MAX];
  th_agents a = th_world_agents(world);
  uint32_t expected = 0, count = th_world_inside(world, low, high, NULL, found, MAX);
  for (uint32_t i = 0; i < a.count; i++) {
    const th_vec3 q = mesh_grounds_at(world, i);
    expected += a.state[i] != TH_AGENT_DELAYED && q.x >= low.x && q.x <= high.x && q.y >= low.y && q.y <= high.y &&
                q.z >= low.z && q.z <= high.z;
  }
  if (count != expected) fail_msg("seed %llu: %u in the box, not %u", (unsigned long long)seed, count, expected);
  for (uint32_t k = 1; k < count && isfinite(half.x); k++) /* its middle is p */
    assert_true(mesh_grounds_apart(mesh_grounds_at(world, th_world_row(world, found[k])), p) + 1e-4f >=
                mesh_grounds_apart(mesh_grounds_at(world, th_world_row(world, found[k - 1])), p));
}

/* The walk looks at some of all agents only: it is local. */
static uint32_t looked_at(const th_world *world, th_vec3 p, float reach) {
  uint32_t count = 0, row;
  for (th_nearby n = th_nearby_begin(world, p, reach); th_nearby_next(&n, &row);) count++;
  return count;
}

static void change(th_world *world, uint64_t *random, th_goal_id goal) {
  th_agents a = th_world_agents(world);
  const th_ground *ground = th_world_ground(world);
  th_agent_id someone = a.id[worlds_below(random, a.count)];
  th_vec3 p = any_point(ground, random);
  switch (worlds_below(random, 7)) {
    case 0:
    case 1:
      th_world_step(world);
      break;
    case 2:
      th_world_remove_agent(world, someone);
      break;
    case 3:
      add(world, p, goal, 0.1f);
      break;
    case 4:
      th_world_place_agent(world, someone, p, NULL);
      break;
    case 5: /* the last row moves into a hole */
      add(world, p, goal, 0.1f);
      th_world_remove_agent(world, someone);
      break;
    default: { /* the host moves bodies */
      static th_vec3 point[MAX];
      th_world_advise(world);
      a = th_world_agents(world);
      for (uint32_t i = 0; i < a.count; i++) point[i] = i % 50 ? mesh_grounds_at(world, i) : any_point(ground, random);
      th_world_accept(world, point, a.count);
    }
  }
}

static void try_shape(th_make_params make, uint64_t seed) {
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = mesh_grounds_make(&env, &make);
  th_world *world = worlds_make(ground, &env);
  uint64_t random = seed;
  th_goal_id goal = worlds_goal_at(world, any_point(ground, &random), TH_FIELD_HARMONIC);
  for (uint32_t i = 0; i < CROWD; i++) add(world, any_point(ground, &random), goal, 0.1f);
  check(world, any_point(ground, &random), 2.0f, seed);
  for (int n = 0; n < 40; n++) {
    change(world, &random, goal);
    for (int k = 0; k < 6; k++) check(world, any_point(ground, &random), worlds_in(&random, 0.0f, 3.0f), seed);
    const th_vec3 half = {worlds_in(&random, 0, 4), worlds_in(&random, 0, 1), worlds_in(&random, 0, 2)};
    check_box(world, any_point(ground, &random), half, seed);
    check_box(world, any_point(ground, &random), (th_vec3){INFINITY, INFINITY, 1.0f}, seed);
    th_vec3 off = any_point(ground, &random);
    off.z += 0.8f; /* above the surface, or below it */
    check(world, off, 1.5f, seed);
  }
  th_world_step(world);
  th_agents a = th_world_agents(world);
  uint32_t max = 0;
  for (int k = 0; k < 50; k++) {
    uint32_t count = looked_at(world, any_point(ground, &random), 0.2f);
    max = count > max ? count : max;
  }
  assert_true(a.count > 300 && max < a.count / 2);
  assert_int_equal(h.faults, 0);
  worlds_end(world, ground);
}

static void near_is_what_brute_force_finds(void **state) {
  (void)state;
  static const int32_t shape[4] = {TH_MAKE_SHAPE_PLANET, TH_MAKE_SHAPE_HOUSE, TH_MAKE_SHAPE_TORUS, TH_MAKE_SHAPE_COSTA};
  for (uint64_t seed = 1; seed <= 2; seed++)
    for (int k = 0; k < 4; k++) {
      th_make_params make = mesh_grounds_shape(shape[k]);
      make.level = 4;
      make.large = 12.0f;
      make.radius = shape[k] == TH_MAKE_SHAPE_TORUS ? 4.0f : 8.0f;
      try_shape(make, seed * 17 + (uint64_t)k);
    }
}

/* ---------------------------------------------------------------- which way they look */

static th_vec3 heading_of(const th_world *world, th_agent_id id) {
  th_agents a = th_world_agents(world);
  uint32_t row = th_world_row(world, id);
  return th_ground_to_space(th_world_ground(world), (th_place){a.cell[row], a.x[row], a.y[row]},
                            (th_vec2){a.hx[row], a.hy[row]});
}

static th_vec3 velocity_of(const th_world *world, th_agent_id id) {
  th_agents a = th_world_agents(world);
  uint32_t row = th_world_row(world, id);
  return th_ground_to_space(th_world_ground(world), (th_place){a.cell[row], a.x[row], a.y[row]},
                            (th_vec2){a.vx[row], a.vy[row]});
}

static float dot(th_vec3 a, th_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/* The part of a vector that lies in the face of an agent, one long. */
static th_vec3 in_face(const th_world *world, th_agent_id id, th_vec3 v) {
  th_agents a = th_world_agents(world);
  uint32_t row = th_world_row(world, id);
  th_vec3 n = th_ground_normal(th_world_ground(world), (th_place){a.cell[row], a.x[row], a.y[row]});
  float along = dot(v, n);
  v = (th_vec3){v.x - along * n.x, v.y - along * n.y, v.z - along * n.z};
  float size = sqrtf(dot(v, v));
  return (th_vec3){v.x / size, v.y / size, v.z / size};
}

/* On a sphere frames of faces lie any way; who is put elsewhere still looks where it looked. */
static void who_is_put_elsewhere_looks_the_same_way(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_PLANET);
  make.level = 4;
  th_ground *ground = mesh_grounds_make(&env, &make);
  th_world *world = worlds_make(ground, &env);
  uint64_t random = 4;
  th_goal_id goal = worlds_goal_at(world, (th_vec3){0, 0, 10}, TH_FIELD_HARMONIC);
  th_agent_def def = worlds_agent_def(10, 0, goal);
  def.v = (th_vec2){0.0f, 1.0f};
  th_agent_id id = worlds_add(world, &def);
  worlds_steps(world, 6);
  uint32_t tried = 0;
  for (int n = 0; n < 200; n++) {
    th_vec3 before = heading_of(world, id), moving = velocity_of(world, id);
    float angle = dot(before, moving);
    OK(th_world_place_agent(world, id, any_point(ground, &random), &error));
    th_vec3 after = heading_of(world, id), want = in_face(world, id, before);
    assert_true(fabsf(dot(after, after) - 1.0f) < 1e-4f);
    /* velocity and heading turn together */
    assert_true(fabsf(dot(after, velocity_of(world, id)) - angle) < 1e-3f * (1.0f + fabsf(angle)));
    th_agents a = th_world_agents(world);
    uint32_t row = th_world_row(world, id);
    th_vec3 up = th_ground_normal(ground, (th_place){a.cell[row], a.x[row], a.y[row]});
    if (fabsf(dot(up, before)) > 0.99f) continue; /* straight into the ground: no such way there */
    assert_true(dot(after, want) > 0.9999f);
    tried++;
  }
  assert_true(tried > 150);
  mesh_grounds_assert_sound(world);
  assert_int_equal(h.faults, 0);
  worlds_end(world, ground);
}

/* Level ground: pushed out of a rock that fell on it, over faces whose frames differ, nobody turns at all. */
static void who_is_pushed_out_of_a_wall_does_not_turn(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_PLANE);
  make.length = make.width = 20;
  make.edge = 0.5f;
  th_ground *ground = mesh_grounds_make(&env, &make);
  th_world *world = worlds_make(ground, &env);
  th_agent_id id[24];
  th_vec3 before[24];
  for (int i = 0; i < 24; i++) { /* who waits for nothing stands and looks where it was told */
    float angle = 0.2617994f * (float)i;
    th_agent_def def =
        worlds_agent_def(10.0f + 0.8f * cosf(1.7f * (float)i), 10.0f + 0.8f * sinf(1.7f * (float)i), NOWHERE);
    def.heading.x = cosf(angle);
    def.heading.y = sinf(angle);
    def.collide = false;
    id[i] = worlds_add(world, &def);
    before[i] = heading_of(world, id[i]);
    assert_true(fabsf(before[i].x - def.heading.x) < 1e-4f && fabsf(before[i].y - def.heading.y) < 1e-4f);
  }
  worlds_steps(world, 1);
  th_region rock = {.name = "rock", .kind = TH_REGION_BALL, .centre = {10, 10, 0}, .radius = 2.5f};
  th_edit edit = {.kind = TH_EDIT_ADD, .name = "rock", .region = &rock};
  OK(th_world_edit(world, &edit, 1, &error));
  worlds_steps(world, 2);
  uint32_t displaced = 0;
  for (int i = 0; i < 24; i++) {
    displaced += mesh_grounds_apart(mesh_grounds_at(world, th_world_row(world, id[i])), (th_vec3){10, 10, 0}) > 1.5f;
    assert_true(dot(heading_of(world, id[i]), before[i]) > 0.9999f);
  }
  assert_int_equal(displaced, 24);
  mesh_grounds_assert_sound(world);
  assert_int_equal(h.faults, 0);
  worlds_end(world, ground);
}

/* An external agent is driven by points and vectors in space; what they have along the ground counts. */
static void a_player_is_driven_in_space(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  const th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_PLANET);
  th_ground *ground = mesh_grounds_make(&env, &make);
  th_world *world = worlds_make(ground, &env);
  uint64_t random = 4;
  th_agent_def def = th_default_body_def();
  def.point = any_point(ground, &random);
  def.external = true;
  th_agent_id player = worlds_add(world, &def);
  for (int n = 0; n < 50; n++) {
    const th_vec3 to = any_point(ground, &random),
                  v = {worlds_in(&random, -1, 1), worlds_in(&random, -1, 1), worlds_in(&random, -1, 1)};
    th_vec3 point, velocity, heading, normal;
    assert_int_equal(th_world_drive_agent(world, player, to, v, v, NULL), TH_OK);
    th_world_step(world);
    th_world_points(world,
                    &(th_points){.point = &point, .velocity = &velocity, .heading = &heading, .normal = &normal});
    const float up = v.x * normal.x + v.y * normal.y + v.z * normal.z;
    const th_vec3 along = {v.x - up * normal.x, v.y - up * normal.y, v.z - up * normal.z};
    const float length = sqrtf(along.x * along.x + along.y * along.y + along.z * along.z);
    assert_true(mesh_grounds_apart(point, to) < 1e-3f);
    assert_true(mesh_grounds_apart(velocity, along) < 1e-4f);
    assert_true(mesh_grounds_apart(heading, (th_vec3){along.x / length, along.y / length, along.z / length}) < 1e-3f);
  }
  th_error error = {0};
  const th_vec3 off = {1000, 0, 0}, none = {0, 0, 0};
  assert_int_equal(th_world_drive_agent(world, player, off, none, none, &error), TH_ERROR_GEOMETRY);
  worlds_end(world, ground);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(near_is_what_brute_force_finds), cmocka_unit_test(who_is_put_elsewhere_looks_the_same_way),
      cmocka_unit_test(who_is_pushed_out_of_a_wall_does_not_turn), cmocka_unit_test(a_player_is_driven_in_space)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
