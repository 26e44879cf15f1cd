/* tests/field/test_mesh_plans.c - in random floor plans on meshes, fields lead bodies on from wherever they can stand:
 * also from faces whose corners the class blocks, through rows of seats, and round corners where paths part.
 */
#include "ground/mesh/visible_walls.h"
#include "support/mesh_fields.h"
#include "support/plan_run.h"

#define RADIUS 0.2f /* of a body; the class has 0.25 [m] */
#define STEP 0.05   /* [m] */

typedef struct plan_fields {
  uint64_t seed;
  th_scene *scene;
  th_run *run;
  const th_ground *ground;
  const th_field *field[PLAN_EXITS + 2];
  uint32_t fields;
} plan_fields;

/* The fields that people of the plan of a seed follow. */
static void plan_fields_make(plan_fields *p, uint64_t seed) {
  const plan_scene_def def = {.mesh = true, .duration = 10.0};
  th_error error = {0};
  *p = (plan_fields){.seed = seed};
  char *text = plan_scene_text(seed, &def, NULL, NULL);
  assert_non_null(text);
  assert_int_equal(th_scene_parse(text, strlen(text), &p->scene, &error), TH_OK);
  th_run_def run = th_default_run_def();
  run.scene = p->scene, run.seed = seed, run.workers = 1;
  assert_int_equal(th_run_make(&run, &p->run, &error), TH_OK);
  for (int k = 0; k < 2; k++) assert_int_equal(th_run_step(p->run, &error), TH_OK);
  const th_world *world = th_run_world(p->run);
  const th_agents agents = th_world_agents(world);
  p->ground = th_world_ground(world);
  for (uint32_t i = 0; i < agents.count; i++) {
    th_agent_def agent;
    assert_true(th_world_agent_def(world, agents.id[i], &agent));
    const th_field *field = th_world_field(world, agent.route[0].goal, RADIUS);
    uint32_t k = 0;
    while (k < p->fields && p->field[k] != field) k++;
    if (k == p->fields) p->field[p->fields++] = field;
  }
  free(text);
}

static void plan_fields_free(plan_fields *p) {
  th_run_free(p->run);
  th_scene_free(p->scene);
}

/* Walks to the goal. What is left falls over every metre. */
static void walk_down(const plan_fields *p, const th_field *field, th_place place) {
  const th_vec3 from = th_ground_point(p->ground, place);
  float before = INFINITY;
  for (uint32_t n = 0;; n++) {
    const th_field_gradient s = th_field_gradient_at(field, place);
    if ((double)s.left <= STEP) return;
    if (n % 20 == 0) {
      const th_vec3 at = th_ground_point(p->ground, place);
      if (!(s.left < before) || n > 20000)
        fail_msg("plan %d: from (%g, %g, %g) to (%g, %g), where %g m are left, %g a metre before", (int)p->seed,
                 (double)from.x, (double)from.y, (double)from.z, (double)at.x, (double)at.y, (double)s.left,
                 (double)before);
      before = s.left;
    }
    th_ground_walk(p->ground, &place, (th_vec2){(float)STEP * s.dx, (float)STEP * s.dy}, RADIUS, NULL);
  }
}

/* From four places of a face, as far as a body can stand there. Returns how many. */
static uint32_t walk_from_face(const plan_fields *p, const th_field *field, uint32_t face) {
  static const th_vec3 weight[4] = {{0.34f, 0.33f, 0.33f}, {0.6f, 0.2f, 0.2f}, {0.2f, 0.6f, 0.2f}, {0.2f, 0.2f, 0.6f}};
  uint32_t walks = 0;
  for (int k = 0; k < 4 && !p->ground->mesh->blocked[face]; k++) {
    const th_place place = th_ground_place_of(p->ground, face, weight[k]);
    const th_point at = {(double)place.x, (double)place.y};
    if (!(th_mesh_clearance(p->ground->mesh, face, at, 1.0) >= (double)RADIUS)) continue;
    const th_vec3 from = th_ground_point(p->ground, place);
    if (!th_field_reaches(field, place))
      fail_msg("plan %d: no path from (%g, %g, %g)", (int)p->seed, (double)from.x, (double)from.y, (double)from.z);
    walk_down(p, field, place);
    walks++;
  }
  return walks;
}

static void walk_plan(uint64_t seed, uint32_t stride) {
  plan_fields p;
  uint32_t walks = 0;
  plan_fields_make(&p, seed);
  for (uint32_t k = 0; k < p.fields; k++)
    for (uint32_t f = 0; f < p.ground->mesh->mesh.face_count; f += stride) walks += walk_from_face(&p, p.field[k], f);
  assert_true(walks > 100);
  plan_fields_free(&p);
}

/* Rows of seats whose gaps have room for a body, but hardly for a vertex. */
static void rows_of_seats_lead_on(void **state) {
  (void)state;
  static const uint64_t seed[] = {9, 22, 33, 52};
  for (int k = 0; k < LONG_RUN(4, 1); k++) walk_plan(seed[k], LONG_RUN(1, 7));
}

/* Before these corners some paths lead past the tip, and others the other way. */
static void corners_where_paths_part_draw_nobody(void **state) {
  (void)state;
  static const uint64_t seed[] = {21, 222, 11, 185};
  for (int k = 0; k < LONG_RUN(4, 1); k++) walk_plan(seed[k], LONG_RUN(k < 3 ? 1 : 3, 7));
}

/* Faces between a jamb and the vertex that they lead round. */
static void jambs_are_not_walked_into(void **state) {
  (void)state;
  walk_plan(276, LONG_RUN(3, 12));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_of_seats_lead_on),
      cmocka_unit_test(corners_where_paths_part_draw_nobody),
      cmocka_unit_test(jambs_are_not_walked_into),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
