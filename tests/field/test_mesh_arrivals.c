/* tests/field/test_mesh_arrivals.c - on every surface that we make, plain, noisy or badly shaped, with every kind of
 * field and of walls, everyone arrives: along traced paths, in steps along the sampled direction, and as agents of a
 * world.
 */
#include "ground/mesh/visible_walls.h"
#include "support/mesh_fields.h"
#include "support/mesh_worlds.h"
#include "throng/model.h"
#include "throng/world.h"

#define STARTS LONG_RUN(1000u, 24u)
#define GOALS LONG_RUN(5u, 1u)
#define RADIUS 0.2f    /* of a body [m] */
#define MAX_CUT_OFF 1u /* starts of a mesh: behind noise that closes a corner of the house */

enum { SHAPES = TH_MAKE_SHAPE_CAR + 1, MESHES = MESH_KINDS + 2 * SHAPES };

/* Steps in mean edges. */
static const double share[6] = {0.02, 0.05, 0.1, 0.2, 0.35, 0.5};

static const char *name_of(int mesh) {
  static const char *const name[SHAPES] = {"plane", "terrain", "planet", "torus", "tube",
                                           "costa", "house",   "statue", "sieve", "car"};
  return mesh < MESH_KINDS ? mesh_kind_name[mesh] : name[(mesh - MESH_KINDS) % SHAPES];
}

/* The small surfaces of support/mesh_grounds.h, then all of th_mesh_generate, plain and shaken. */
static th_ground *mesh_ground(int number) {
  if (number < MESH_KINDS) return mesh_kind_ground((mesh_kind)number, 7);
  th_make_params make = th_default_make_params();
  make.shape = (number - MESH_KINDS) % SHAPES;
  make.noise = number < MESH_KINDS + SHAPES ? 0.0f : 0.43f;
  make.genus = make.shape == TH_MAKE_SHAPE_STATUE || make.shape == TH_MAKE_SHAPE_SIEVE ? 4 : 0;
  make.level = 4;
  make.faces = 4000;
  make.length = 24.0f;
  make.width = 20.0f;
  make.large = 8.0f;
  make.radius = 3.0f;
  return mesh_grounds_make(&(th_env){0}, &make);
}

static bool has_room(const th_ground *ground, th_place place, float radius) {
  const th_point p = {(double)place.x, (double)place.y};
  return th_mesh_clearance(ground->mesh, place.cell, p, (double)radius) >= (double)radius;
}

/* Where a body can stand, on ground that the class leaves free. */
static th_place goal_place(const th_ground *ground, uint64_t seed, float radius) {
  for (uint64_t n = seed;; n += 1000) {
    th_place place = free_place(ground, n);
    if (has_room(ground, place, radius)) return place;
  }
}

/* Start number n: anywhere that has room for the body. */
static th_place start_place(const th_ground *ground, uint64_t seed, uint32_t n, float radius) {
  for (uint32_t k = n;; k += 1000000) {
    th_place place = mesh_kind_any_place(ground, seed, k);
    if (has_room(ground, place, radius)) return place;
  }
}

typedef struct trial {
  int mesh;
  const th_ground *ground;
  const th_field *field;
  float radius;
  uint64_t seed;
} trial;

static bool walks(const trial *t, th_place place, double step) {
  double max = 6.0 * (double)th_field_gradient_at(t->field, place).left / step + 3000.0;
  for (double n = 0.0; n < max; n += 1.0) {
    th_field_gradient s = th_field_gradient_at(t->field, place);
    if ((double)s.left <= step) return true;
    th_ground_walk(t->ground, &place, (th_vec2){(float)step * s.dx, (float)step * s.dy}, t->radius, NULL);
  }
  return false;
}

/* Vertices of the goal's part of the ground, found by walking along edges of open faces between vertices that the class
 * leaves free: a search of our own, with nothing of the field's. */
static uint8_t *flood(const trial *t, th_place goal) {
  const th_mesh *m = &t->ground->mesh->mesh;
  uint8_t *met = (uint8_t *)calloc(m->vertex_count, 1);
  bool grows = true;
  for (uint32_t k = 0; k < 3; k++) met[m->corner[3 * (size_t)goal.cell + k]] = 1;
  while (grows) {
    grows = false;
    for (uint32_t f = 0; f < m->face_count; f++) {
      const uint32_t *c = m->corner + 3 * (size_t)f;
      uint32_t in = 0;
      if (t->ground->mesh->blocked[f]) continue;
      for (uint32_t k = 0; k < 3; k++) in += met[c[k]] && !th_mesh_vertex_blocked(t->ground, 0, c[k]);
      for (uint32_t k = 0; k < 3 && in; k++)
        if (!met[c[k]] && !th_mesh_vertex_blocked(t->ground, 0, c[k])) met[c[k]] = 1, grows = true;
    }
  }
  return met;
}

/* No corner of a place that is called unreachable is free and on the goal's part. */
static void assert_cut_off(const trial *t, const uint8_t *met, th_place from, uint32_t n) {
  const uint32_t *c = t->ground->mesh->mesh.corner + 3 * (size_t)from.cell;
  for (uint32_t k = 0; k < 3; k++)
    if (met[c[k]] && !th_mesh_vertex_blocked(t->ground, 0, c[k]))
      fail_msg("mesh %d, %s, seed %d: start %u is called unreachable", t->mesh, name_of(t->mesh), (int)t->seed, n);
}

static uint32_t try_starts(const trial *t, th_place goal, uint32_t starts) {
  uint8_t *met = flood(t, goal);
  uint32_t asked = 0;
  for (uint32_t n = 0; n < starts; n++) {
    th_place from = start_place(t->ground, t->seed, n, t->radius);
    if (!th_field_reaches(t->field, from)) {
      assert_cut_off(t, met, from, n);
      continue;
    }
    const double step = share[n % 6] * (double)t->ground->cell;
    asked++;
    if (th_field_trace_places(t->field, from, NULL, 0) == 0)
      fail_msg("mesh %d, %s, seed %d: no path from start %u", t->mesh, name_of(t->mesh), (int)t->seed, n);
    if (!walks(t, from, step))
      fail_msg("mesh %d, %s, seed %d, body of %g m: steps of %g m from start %u do not arrive", t->mesh,
               name_of(t->mesh), (int)t->seed, (double)t->radius, step, n);
  }
  free(met);
  return asked;
}

static void everyone_arrives(th_field_kind kind, th_wall_rule walls) {
  th_field_def def = th_default_field_def();
  def.kind = kind;
  def.walls = walls;
  def.blend = 0.6f;
  for (int mesh = 0; mesh < MESHES; mesh++) {
    th_ground *ground = mesh_ground(mesh);
    th_solver *solver = solver_of(ground);
    uint32_t asked = 0;
    for (uint32_t goal = 1; goal <= GOALS; goal++) {
      const float radius = goal % 2 ? RADIUS : 0.0f;
      const th_place centre = goal_place(ground, goal, radius);
      th_field *field = field_to_point(solver, def, th_ground_point(ground, centre));
      asked += try_starts(&(trial){mesh, ground, field, radius, 40 + goal}, centre, STARTS / GOALS);
      th_field_release(field);
    }
    assert_true(asked + MAX_CUT_OFF >= STARTS / GOALS * GOALS);
    th_solver_release(solver);
    th_ground_release(ground);
  }
}

/* shows: SBVP-43 SBVP-44 SBVP-48 SBVP-49 */
static void harmonic_fields_lead_everyone(void **state) {
  (void)state;
  everyone_arrives(TH_FIELD_HARMONIC, TH_WALLS_DIRICHLET);
}

static void harmonic_fields_along_walls_lead_everyone(void **state) {
  (void)state;
  everyone_arrives(TH_FIELD_HARMONIC, TH_WALLS_NEUMANN);
}

static void geodesic_fields_lead_everyone(void **state) {
  (void)state;
  everyone_arrives(TH_FIELD_GEODESIC, TH_WALLS_DIRICHLET);
}

static void roomy_fields_lead_everyone(void **state) {
  (void)state;
  everyone_arrives(TH_FIELD_ROOMY, TH_WALLS_DIRICHLET);
}

static void blended_fields_lead_everyone(void **state) {
  (void)state;
  everyone_arrives(TH_FIELD_BLEND, TH_WALLS_DIRICHLET);
}

static void blended_fields_along_walls_lead_everyone(void **state) {
  (void)state;
  everyone_arrives(TH_FIELD_BLEND, TH_WALLS_NEUMANN);
}

/* ---------------------------------------------------------------- worlds */

static void add_walkers(th_world *world, th_goal_id goal, uint32_t count) {
  const th_ground *ground = th_world_ground(world);
  const float cell = ground->cell;
  const th_follow_params follow = {.slow_within = cell};
  for (uint32_t n = 0; n < count; n++) {
    th_vec3 at = th_ground_point(ground, start_place(ground, 9, n, RADIUS));
    th_agent_def agent = th_default_body_def();
    agent.model = &th_model_follow;
    agent.point = at;
    agent.radius = RADIUS;
    agent.speed = agent.speed_max = (float)share[n % 6] * cell / 0.05f;
    agent.acceleration_max = agent.turn_max = INFINITY;
    agent.params = &follow;
    agent.collide = false; /* a thousand starts, not a crowd */
    agent.route[0].goal = goal;
    agent.route_count = 1;
    assert_int_equal(th_world_add_agents(world, &agent, 1, NULL, NULL), TH_OK);
  }
}

/* How many are lost in the end: there is no way from where they stand. Nobody else is left. */
static uint32_t count_lost(const trial *t, const th_world *world, th_place goal) {
  const th_agents agents = th_world_agents(world);
  uint8_t *met = flood(t, goal);
  for (uint32_t n = 0; n < agents.count; n++) {
    assert_int_equal(agents.state[n], TH_AGENT_LOST);
    assert_cut_off(t, met, (th_place){agents.cell[n], agents.x[n], agents.y[n]}, n);
  }
  free(met);
  return agents.count;
}

static void world_arrives(int mesh, th_wall_rule walls) {
  th_ground *ground = mesh_ground(mesh);
  th_world_def def = th_default_world_def();
  th_goal_def goal_def = th_default_goal_def();
  goal_def.field = TH_FIELD_HARMONIC;
  const th_place centre = goal_place(ground, 3, RADIUS);
  const th_vec3 to = th_ground_point(ground, centre);
  const th_vec2 point = {to.x, to.y};
  th_world *world;
  th_goal_id goal;
  def.ground = ground;
  def.dt = 0.05f;
  assert_int_equal(th_world_make(&def, &world, NULL), TH_OK);
  goal_def.shape = th_point_shape_at((th_vec3){point.x, point.y, to.z});
  goal_def.walls = walls;
  goal_def.arrive = 0.25f * ground->cell;
  assert_int_equal(th_world_add_goal(world, &goal_def, &goal, NULL), TH_OK);
  add_walkers(world, goal, STARTS / 2);
  assert_int_equal(th_world_agents(world).count, STARTS / 2);
  for (uint32_t steps = 0; steps < 60000 && !th_world_done(world); steps++) th_world_step(world);
  const uint32_t lost = count_lost(&(trial){mesh, ground, NULL, RADIUS, 9}, world, centre);
  if (lost > MAX_CUT_OFF) fail_msg("mesh %d, %s, walls %d: %u are lost", mesh, name_of(mesh), (int)walls, lost);
  th_world_free(world);
  th_ground_release(ground);
}

static void everyone_arrives_in_worlds(void **state) {
  (void)state;
  for (int mesh = 0; mesh < MESHES; mesh += LONG_RUN(1, 5)) world_arrives(mesh, TH_WALLS_DIRICHLET);
}

static void everyone_arrives_in_worlds_along_walls(void **state) {
  (void)state;
  for (int mesh = 0; mesh < MESHES; mesh += LONG_RUN(1, 5)) world_arrives(mesh, TH_WALLS_NEUMANN);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(harmonic_fields_lead_everyone), cmocka_unit_test(harmonic_fields_along_walls_lead_everyone),
      cmocka_unit_test(geodesic_fields_lead_everyone), cmocka_unit_test(roomy_fields_lead_everyone),
      cmocka_unit_test(blended_fields_lead_everyone),  cmocka_unit_test(blended_fields_along_walls_lead_everyone),
      cmocka_unit_test(everyone_arrives_in_worlds),    cmocka_unit_test(everyone_arrives_in_worlds_along_walls),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
