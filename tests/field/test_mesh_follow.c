/* tests/field/test_mesh_follow.c - fields after a deformation are, bit for bit, those of a fresh start on the
 * deformed surface: of a solver that follows, and of a world that was deformed while it ran.
 */
#include <stdlib.h>

#include "support/mesh_fields.h"
#include "throng/model.h"
#include "throng/world.h"

#define AROUND LONG_RUN(108u, 24u)
#define ALONG LONG_RUN(324u, 60u)

enum { DISCS = 6, KINDS = 5 };

typedef struct stage {
  th_soup soup;
  th_region disc[DISCS];
  th_vertex_move *move;
  uint32_t count;
  th_ground *before, *after, *fresh;
} stage;

/* A torus with obstacles, at coordinates that a float holds. */
static th_mesh_ground_def torus_def(stage *s) {
  th_mesh_ground_def def = mesh_kind_def(&s->soup);
  for (uint32_t n = 0; n < DISCS; n++) {
    const double *p = s->soup.xyz[n * (s->soup.vertex_count / DISCS) + 7 * n];
    s->disc[n] = (th_region){.kind = TH_REGION_BALL, .centre = {(float)p[0], (float)p[1], (float)p[2]}, .radius = 1.5f};
  }
  def.blocked = s->disc;
  def.blocked_count = DISCS;
  return def;
}

/* A tenth of the torus, on one side, swells by up to a quarter of its tube. */
static void swell(stage *s) {
  s->move = malloc(s->soup.vertex_count * sizeof *s->move);
  assert_non_null(s->move);
  for (uint32_t v = 0; v < s->soup.vertex_count; v++) {
    const double *p = s->soup.xyz[v];
    const double angle = atan2(p[1], p[0]), r = sqrt(p[0] * p[0] + p[1] * p[1]), out = r - 30.0;
    if (fabs(angle - 0.6) > 0.31416) continue;
    const double lift = 0.25 * cos(5.0 * (angle - 0.6)), k = 1.0 + lift * out / r;
    s->move[s->count++] = (th_vertex_move){v, {(float)(k * p[0]), (float)(k * p[1]), (float)((1.0 + lift) * p[2])}};
  }
  assert_in_range(s->count, s->soup.vertex_count / 12, s->soup.vertex_count / 8);
}

static void stage_make(stage *s) {
  *s = (stage){.soup = th_soup_begin(NULL)};
  th_make_torus(&s->soup, AROUND, ALONG, 30.0, 10.0);
  for (uint32_t v = 0; v < s->soup.vertex_count; v++)
    for (int k = 0; k < 3; k++) s->soup.xyz[v][k] = (double)(float)s->soup.xyz[v][k];
  th_mesh_ground_def def = torus_def(s);
  s->before = mesh_kind_ground_of(&def);
  swell(s);
  assert_int_equal(th_ground_deform(s->before, s->move, s->count, &s->after, NULL), TH_OK);
  /* no obstacle lies where it swells, so the fresh ground blocks the same faces */
  for (uint32_t n = 0; n < s->count; n++) {
    double *p = s->soup.xyz[s->move[n].vertex];
    p[0] = (double)s->move[n].to.x, p[1] = (double)s->move[n].to.y, p[2] = (double)s->move[n].to.z;
  }
  def = torus_def(s);
  s->fresh = mesh_kind_ground_of(&def);
  for (uint32_t f = 0; f < s->soup.face_count; f++)
    assert_int_equal(s->after->mesh->blocked[f], s->fresh->mesh->blocked[f]);
}

static void stage_free(stage *s) {
  th_ground_release(s->before);
  th_ground_release(s->after);
  th_ground_release(s->fresh);
  th_soup_free(&s->soup);
  free(s->move);
}

static th_field_def field_def(int kind) {
  static const th_field_kind kinds[KINDS] = {TH_FIELD_HARMONIC, TH_FIELD_HARMONIC, TH_FIELD_BLEND, TH_FIELD_GEODESIC,
                                             TH_FIELD_ROOMY};
  th_field_def def = th_default_field_def();
  def.kind = kinds[kind];
  def.walls = kind == 1 ? TH_WALLS_NEUMANN : TH_WALLS_DIRICHLET;
  def.blend = 0.5f;
  return def;
}

/* u, heights, metres and all that sampling reads. */
static void assert_same(const th_field *a, const th_field *b) {
  const th_mesh_field *x = a->mesh, *y = b->mesh;
  const th_mesh *m = &x->ground->mesh->mesh;
  if (x->u) {
    assert_memory_equal(x->u, y->u, m->vertex_count * sizeof *x->u);
    assert_memory_equal(x->log_u, y->log_u, m->vertex_count * sizeof *x->log_u);
  }
  assert_memory_equal(x->climb, y->climb, m->vertex_count * sizeof *x->climb);
  assert_memory_equal(x->left, y->left, m->vertex_count * sizeof *x->left);
  assert_memory_equal(x->node, y->node, m->face_count * sizeof *x->node);
}

static th_vec3 goal_of(const stage *s) {
  uint32_t face = s->soup.face_count / 3;
  while (s->after->mesh->blocked[face]) face++;
  return th_ground_point(s->after, th_ground_place_of(s->after, face, (th_vec3){0.3f, 0.3f, 0.4f}));
}

static void followed_fields_are_fresh_fields(void **state) {
  (void)state;
  stage s;
  stage_make(&s);
  th_solver *old = solver_of(s.before), *fresh = solver_of(s.fresh), *next = NULL;
  for (int k = 0; k < KINDS; k++) th_field_release(field_to_point(old, field_def(k), goal_of(&s)));
  assert_int_equal(th_solver_follow(old, s.after, &next, NULL), TH_OK);
  th_solver_release(old); /* what is shared lives on */
  for (int k = 0; k < KINDS; k++) {
    th_field *a = field_to_point(next, field_def(k), goal_of(&s)),
             *b = field_to_point(fresh, field_def(k), goal_of(&s));
    assert_same(a, b);
    th_field_release(a);
    th_field_release(b);
  }
  th_solver_release(next);
  th_solver_release(fresh);
  stage_free(&s);
}

/* The world's own way: deformed while it runs, against a solver on the deformed surface. */
static void a_deformed_world_has_fresh_fields(void **state) {
  (void)state;
  stage s;
  stage_make(&s);
  const th_vec3 at = goal_of(&s);
  const th_vec2 point = {at.x, at.y};
  th_world_def def = th_default_world_def();
  th_world *world;
  th_goal_id goal[KINDS];
  def.ground = s.before;
  assert_int_equal(th_world_make(&def, &world, NULL), TH_OK);
  for (int k = 0; k < KINDS; k++) {
    const th_field_def field = field_def(k);
    th_goal_def goal_def = th_default_goal_def();
    goal_def.shape = th_point_shape_at((th_vec3){point.x, point.y, at.z});
    goal_def.field = field.kind;
    goal_def.blend = field.blend;
    goal_def.walls = field.walls;
    assert_int_equal(th_world_add_goal(world, &goal_def, &goal[k], NULL), TH_OK);
    th_place from = free_place(s.before, 5 + (uint64_t)k);
    th_vec3 start = th_ground_point(s.before, from);
    th_agent_def agent = th_default_body_def();
    agent.model = &th_model_follow;
    agent.point = start;
    agent.route[0].goal = goal[k];
    agent.route_count = 1;
    assert_int_equal(th_world_add_agents(world, &agent, 1, NULL, NULL), TH_OK);
  }
  for (int n = 0; n < 3; n++) th_world_step(world);
  th_edit edit = {.kind = TH_EDIT_DEFORM, .move = s.move, .move_count = s.count};
  assert_int_equal(th_world_edit(world, &edit, 1, NULL), TH_OK);
  for (int n = 0; n < 3; n++) th_world_step(world);
  assert_int_equal(th_ground_version(th_world_ground(world)), 2);
  th_solver *fresh = solver_of(s.fresh);
  for (int k = 0; k < KINDS; k++) {
    const th_field *now = th_world_field(world, goal[k], 0.2f);
    th_field *expected = field_to_point(fresh, field_def(k), at);
    assert_non_null(now);
    assert_same(now, expected);
    th_field_release(expected);
  }
  th_solver_release(fresh);
  th_world_free(world);
  stage_free(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(followed_fields_are_fresh_fields),
                                     cmocka_unit_test(a_deformed_world_has_fresh_fields)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
