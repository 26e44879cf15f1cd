/* tests/world/mesh/test_bvp_mesh.c - the model bvp on meshes: its local map is cut from the surface around an agent and
 * follows it, and others on the surface are obstacles that it walks around by itself. */
#include "geometry/vector.h"
#include "model/bvp/state.h"
#include "support/mesh_worlds.h"
#include "support/slow.h"
#include "support/unit.h"
#include "throng/model/bvp.h"
#include "world/world.h"

enum { SHAPES = 3, SIDE = 8 };

/* Hills, a ring and a ball, each with a rock of faces beside the way from one start to the other. */
/* Points on a line over the surface, from -1 to 1 about 12 m apart. */
static th_vec3 on_line(int shape, float t) {
  const float turn = t * (shape == 1 ? 0.151f : 0.61f);
  if (shape == 0) return (th_vec3){20.3f + 6.1f * t, 20.3f, 0.0f};
  return shape == 1 ? (th_vec3){40.5f * cosf(turn), 40.5f * sinf(turn), 0.0f}
                    : (th_vec3){11.0f * sinf(turn), 0.0f, 11.0f * cosf(turn)};
}

static th_ground *ground_of(const th_env *env, int shape) {
  static const int32_t kind[SHAPES] = {TH_MAKE_SHAPE_TERRAIN, TH_MAKE_SHAPE_TORUS, TH_MAKE_SHAPE_PLANET};
  static const th_vec3 centre[SHAPES] = {{20, 22.2f, 0}, {39.9f, 0, 2.2f}, {0, 2.2f, 9.7f}};
  th_make_params make = mesh_grounds_shape(kind[shape]);
  th_region rock = {.kind = TH_REGION_BALL, .centre = centre[shape], .radius = 1.2f};
  th_mesh_ground_def def = th_default_mesh_ground_def();
  def.blocked = &rock;
  def.blocked_count = 1;
  return mesh_grounds_make_of(env, &make, def);
}

static th_world *world_of(th_ground *ground, const th_env *env) {
  th_world_def def = th_default_world_def();
  def.env = *env;
  def.ground = ground;
  def.contact_rounds = 0; /* nobody is pushed: what the model does not avoid overlaps */
  th_world *world = NULL;
  OK(th_world_make(&def, &world, &error));
  return world;
}

static th_agent_id add_at(th_world *world, th_vec3 p, th_goal_id goal, const th_bvp_params *params) {
  th_agent_def def = worlds_agent_def(p.x, p.y, goal);
  def.point.z = p.z;
  def.model = &th_model_bvp;
  def.params = params;
  return worlds_add(world, &def);
}

/* ---------------------------------------------------------------- the map */

static const th_bvp_state *state_of(const th_world *world, uint32_t row) {
  const th_model_slot *use = &world->model[world->rows.model[row]];
  return (const th_bvp_state *)(const void *)(use->states + row * use->state_stride);
}

/* The place at an offset in an agent's own frame, straight over the surface; false when a wall is before it. */
static bool place_at(const th_world *world, uint32_t row, float x, float y, th_place *place) {
  const th_rows *r = &world->rows;
  *place = (th_place){r->cell[row], r->x[row], r->y[row]};
  return !th_ground_walk(world->ground, place, th_outward2((th_vec2){x, y}, r->frame[row]), 0.0f, NULL);
}

typedef struct expected {
  bool blocked[31][31], unsure[31][31];
} expected;

/* What the surface itself says about each cell of the map: walls and others, reached by walking straight over it. */
static void look_around(const th_world *world, uint32_t row, const th_bvp_params *p, expected *e) {
  const th_rows *r = &world->rows;
  for (int32_t j = 2; j < p->n - 2; j++)
    for (int32_t i = 2; i < p->n - 2; i++) {
      float x = (float)(i - p->n / 2) * p->cell, y = (float)(j - p->n / 2) * p->cell, unsure = 0.12f;
      th_place place;
      bool open = place_at(world, row, x, y, &place);
      float spare = open ? th_ground_clearance_at(world->ground, place) - r->radius[row] : -1.0f;
      for (uint32_t k = 0; k < r->count && open; k++) {
        if (k == row) continue;
        float apart = mesh_grounds_apart(mesh_grounds_at(world, k), th_ground_point(world->ground, place));
        spare = fminf(spare, apart - r->radius[row] - r->radius[k]);
      }
      e->blocked[j][i] = spare < 0.0f;
      e->unsure[j][i] = fabsf(spare) < unsure || (i == p->n / 2 && j == p->n / 2);
    }
}

/* On hills, a ring and a ball: an agent among standing people, beside a block of faces. Wherever it walks, the cells of
 * its map are blocked as the surface around it says, in its own frame. */
/* shows: SBVP-114 */
static void the_map_is_cut_from_the_surface(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  for (int shape = 0; shape < SHAPES; shape++) {
    th_ground *ground = ground_of(&env, shape);
    th_world *world = world_of(ground, &env);
    th_vec3 from = on_line(shape, -1.0f);
    th_bvp_params params = th_default_bvp_params(15);
    params.period = 0.1f;
    params.foresight = 0.0f;
    params.others = TH_BVP_OTHERS_ALL;
    th_agent_id walks = add_at(world, from, worlds_goal_at(world, on_line(shape, 1.0f), TH_FIELD_GEODESIC), &params);
    uint64_t seed = 3 + (uint64_t)shape;
    for (int k = 0; k < 24; k++) {
      th_place place = th_ground_locate_at(ground, on_line(shape, worlds_in(&seed, -0.8f, 0.8f)), TH_ANY_LEVEL, 10.0f);
      th_ground_walk(ground, &place, (th_vec2){worlds_in(&seed, -1.6f, 1.6f), worlds_in(&seed, -1.6f, 1.6f)}, 0.0f,
                     NULL);
      if (mesh_grounds_apart(th_ground_point(ground, place), from) > 1.0f)
        add_at(world, th_ground_point(ground, place), TH_NULL_GOAL, &params);
    }
    worlds_steps(world, 2);
    uint32_t blocked = 0, compared = 0;
    for (int step = 0; step < 60 && th_world_has_agent(world, walks); step++) {
      static expected e;
      uint32_t row = th_world_row(world, walks);
      look_around(world, row, &params, &e);
      th_world_step(world);
      row = th_world_row(world, walks);
      if (row == UINT32_MAX) break;
      const th_bvp_state *s = state_of(world, row);
      for (uint32_t j = 2; j < 13; j++)
        for (uint32_t i = 2; i < 13; i++) {
          if (e.unsure[j][i]) continue;
          compared++;
          blocked += e.blocked[j][i];
          if ((s->row[j] >> i & 1u) != e.blocked[j][i]) fail_msg("shape %d, step %d: cell %u %u", shape, step, i, j);
        }
    }
    print_message("shape %d: %u cells compared, %u blocked\n", shape, compared, blocked);
    assert_true(compared > 2000 && blocked > 100);
    assert_int_equal(h.faults, 0);
    worlds_end(world, ground);
  }
}

/* ---------------------------------------------------------------- others */

/* Steps times pairs whose bodies overlap while two groups of eight pass each other; `avoids` 0: nobody sees others. */
static uint32_t overlaps(int shape, uint32_t avoids, uint32_t *arrived) {
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = ground_of(&env, shape);
  th_world *world = world_of(ground, &env);
  th_bvp_params params = th_default_bvp_params(15);
  params.period = 0.1f; /* every step, as in the thesis */
  th_goal_id goal[2] = {worlds_goal_at(world, on_line(shape, 2.2f), TH_FIELD_GEODESIC),
                        worlds_goal_at(world, on_line(shape, -2.2f), TH_FIELD_GEODESIC)};
  for (int k = 0; k < 2 * SIDE; k++) {
    th_place place = th_ground_locate_at(ground, on_line(shape, k < SIDE ? -1.0f : 1.0f), TH_ANY_LEVEL, 10.0f);
    float x = 0.9f * (float)(k % 4) - 1.35f, y = 0.9f * (float)(k % SIDE / 4) - 0.45f;
    th_ground_walk(ground, &place, (th_vec2){x, y}, 0.0f, NULL);
    th_agent_id id = add_at(world, th_ground_point(ground, place), goal[k / SIDE], &params);
    OK(th_world_set_layers(world, id, 1, avoids, &error));
  }
  uint32_t count = 0;
  for (int step = 0; step < 900 && !th_world_done(world); step++) {
    th_world_step(world);
    th_agents a = th_world_agents(world);
    for (uint32_t i = 0; i < a.count; i++)
      for (uint32_t j = 0; j < i; j++)
        count += mesh_grounds_apart(mesh_grounds_at(world, i), mesh_grounds_at(world, j)) <
                 0.95f * (a.radius[i] + a.radius[j]);
  }
  *arrived = (uint32_t)th_world_counters(world).arrived;
  assert_int_equal(h.faults, 0);
  worlds_end(world, ground);
  return count;
}

/* shows: SBVP-114 */
static void others_on_the_surface_are_avoided(void **state) {
  (void)state;
  for (int shape = 0; shape < SHAPES; shape++) {
    uint32_t arrived, blind_arrived, blind = overlaps(shape, 0, &blind_arrived),
                                     seeing = overlaps(shape, UINT32_MAX, &arrived);
    print_message("shape %d: %u pair-steps overlap when others are not seen, %u when they are; %u and %u arrive\n",
                  shape, blind, seeing, blind_arrived, arrived);
    assert_true(blind > 50 && seeing * 10 < blind);
    assert_int_equal(arrived, 2 * SIDE);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_map_is_cut_from_the_surface),
      cmocka_unit_test(others_on_the_surface_are_avoided),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
