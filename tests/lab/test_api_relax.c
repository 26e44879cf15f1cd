/* tests/lab/test_api_relax.c - every call of the published planners once, by the public headers alone; see
 * test_api.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <throng/make.h>
#include <throng/published/planner.h>
#include <throng/published/relax.h>
#include <throng/published/relax_mesh.h>
#include <throng/throng.h>

#include "support/unit.h"

#define OK(call) assert_int_equal(call, TH_OK)

enum { WIDTH = 24, HEIGHT = 6 };

static void fill(uint8_t *cell) {
  for (uint32_t j = 0; j < HEIGHT; j++)
    for (uint32_t i = 0; i < WIDTH; i++) {
      bool border = i == 0 || j == 0 || i == WIDTH - 1 || j == HEIGHT - 1;
      cell[j * WIDTH + i] = border ? TH_TILE_WALL : TH_TILE_FREE;
    }
  cell[2 * WIDTH + 2] = TH_TILE_GOAL;
}

static void relaxations(void **state) {
  (void)state;
  uint8_t cell[WIDTH * HEIGHT], mark[WIDTH * HEIGHT];
  double value[WIDTH * HEIGHT], gx, gy;
  fill(cell);
  th_grid grid = th_default_grid();
  grid.env = th_default_env();
  grid.width = WIDTH, grid.height = HEIGHT, grid.cell = cell;
  th_relax_def def = th_default_relax_def();
  th_relaxation *relaxation = NULL, *copy = NULL;
  OK(th_relaxation_make(&def, &grid, &relaxation, NULL));
  th_relaxation_sweep(relaxation, 10);
  th_relaxation_sweep_window(relaxation, &(th_relax_window){1, 1, 5, 5}, 2);
  assert_true(th_relaxation_swept(relaxation) >= 10);
  OK(th_relaxation_copy(relaxation, &copy, NULL));
  assert_true(th_relaxation_converge(copy));
  assert_true(th_relaxation_omega(copy) > 0.0);
  assert_int_equal(th_relaxation_tile(copy, 2, 2), TH_TILE_GOAL);
  assert_true(th_relaxation_u(copy, 3, 2) > 0.0 && th_relaxation_p(copy, 3, 2) < 1.0);
  th_relaxation_descent(copy, 5, 2, &gx, &gy);
  assert_true(gx < 0.0);
  th_relaxation_read_p(copy, value);
  assert_true(value[2 * WIDTH + 2] == 0.0);
  th_relaxation_read_u(copy, value);
  uint32_t lost = 99, width, height;
  OK(th_grid_lost(&grid, value, &lost, NULL));
  assert_int_equal(lost, 0);
  th_relaxation_size(copy, &width, &height);
  assert_true(width == WIDTH && height == HEIGHT && value[2 * WIDTH + 2] == 1.0);
  assert_false(th_relaxation_is_flat(copy, 3, 2, 1e-12));
  const th_planner planner = th_relax_planner(&def);
  OK(planner.plan(planner.user, &(th_planner_cells){grid.env, NULL, WIDTH, HEIGHT, cell}, value, NULL));
  assert_true(value[2 * WIDTH + 2] == 1.0 && value[2 * WIDTH + 3] > 0.0);
  th_relaxation_flat(copy, 1e-8, mark);
  th_relaxation_mark(copy, 4, 4, TH_TILE_WALL);
  OK(th_relaxation_bias(copy, (th_vec2){1, 0}, 0.1, NULL));
  th_relaxation_free(copy);
  th_relaxation_free(relaxation);
}

static void subgoals(void **state) {
  (void)state;
  uint8_t cell[WIDTH * HEIGHT];
  fill(cell);
  const th_grid grid = {.width = WIDTH, .height = HEIGHT, .cell = cell};
  th_relax_def def = th_default_relax_def();
  th_relaxation *field = NULL;
  OK(th_relaxation_make(&def, &grid, &field, NULL));
  th_relaxation_converge(field);
  th_flatness_def flatness = th_default_flatness_def();
  flatness.null_gradient = 1e-4;
  th_subgoals *stack = NULL;
  uint32_t level;
  OK(th_subgoals_make(field, &flatness, &stack, NULL));
  OK(th_subgoals_reach(stack, WIDTH - 3, 2, &level, NULL));
  assert_true(level <= th_subgoals_count(stack));
  assert_non_null(th_subgoals_field(stack, 0));
  if (level) assert_non_null(th_subgoals_ring(stack, level));
  assert_int_equal(th_subgoals_drop(stack, level, WIDTH - 3, 2), level);
  th_descender walker = {3.5, 2.5, 0};
  assert_int_not_equal(th_subgoals_step(stack, &walker, 0.1), TH_DESCENT_BLOCKED);
  th_subgoals_free(stack);
  th_relaxation_free(field);
}

/* ---------------------------------------------------------------- on a mesh */

typedef struct stage {
  th_mesh mesh;
  uint8_t *tile;
  th_mesh_relax_weights *weights;
  th_mesh_relax *relax;
} stage;

static void begin(stage *s) {
  *s = (stage){0};
  th_make_params make = th_default_make_params();
  OK(th_mesh_generate(&make, &s->mesh, NULL));
  s->tile = calloc(s->mesh.vertex_count, 1);
  const uint32_t goal = 0, occupied = s->mesh.vertex_count - 1;
  th_mesh_relax_bounds bounds = th_default_mesh_relax_bounds();
  bounds.goal = &goal;
  bounds.goal_count = 1;
  bounds.occupied = &occupied;
  bounds.occupied_count = 1;
  OK(th_mesh_relax_tag(&s->mesh, &bounds, s->tile, NULL, NULL));
  const th_mesh_relax_weights_def weights = th_default_mesh_relax_weights_def();
  OK(th_mesh_relax_weights_make(&s->mesh, &weights, &s->weights, NULL));
  th_mesh_relax_def def = th_default_mesh_relax_def();
  OK(th_mesh_relax_make(&def, s->weights, s->tile, &s->relax, NULL));
}

static void end(stage *s) {
  th_mesh_relax_free(s->relax);
  th_mesh_relax_weights_free(s->weights);
  free(s->tile);
  th_mesh_free(&s->mesh);
}

static void relaxations_on_a_mesh(void **state) {
  (void)state;
  stage s;
  begin(&s);
  const uint32_t *neighbour;
  const double *weight;
  assert_true(th_mesh_relax_weights_of(s.weights, 0, &neighbour, &weight) > 2);
  th_relax_def flat = th_default_relax_def();
  assert_true(th_mesh_relax_def_of(&flat).max_sweeps > 0);
  assert_true(th_mesh_relax_sweep(s.relax, 3) > 0.0);
  assert_true(th_mesh_relax_converge(s.relax).converged);
  th_mesh_relax *copy = NULL;
  OK(th_mesh_relax_copy(s.relax, &copy, NULL));
  th_mesh_relax_retag(copy, s.tile, true);
  assert_ptr_equal(th_mesh_relax_mesh(copy), &s.mesh);
  assert_int_equal(th_mesh_relax_tiles(copy)[0], TH_TILE_GOAL);
  assert_true(th_mesh_relax_p(copy, 0) == 0.0 && th_mesh_relax_u(copy, 0) == 1.0);
  double *height = calloc(s.mesh.vertex_count, sizeof *height);
  th_mesh_relax_heights(copy, height);
  assert_int_equal(th_mesh_relax_hops(copy)[0], 0);
  th_mesh_relax_pits(copy);
  th_mesh_height *map = NULL;
  th_mesh_height_def hill = th_default_mesh_height_def();
  hill.mesh = &s.mesh, hill.height = height, hill.tile = s.tile;
  OK(th_mesh_height_make(&hill, &map, NULL));
  double gradient[3];
  th_mesh_height_gradient(map, 0, gradient);
  assert_true(th_mesh_height_gradients_made(map) >= 1);
  th_mesh_height_null_faces(map, 1e-12, NULL);
  th_mesh_height_free(map);
  free(height);
  th_mesh_relax_free(copy);
  end(&s);
}

static void walks_on_a_mesh(void **state) {
  (void)state;
  stage s;
  begin(&s);
  th_mesh_relax_converge(s.relax);
  th_mesh_height *map = NULL;
  OK(th_mesh_height_of(s.relax, &map, NULL));
  const th_mesh_spot spot = {s.mesh.face_count / 2, {0.5, 0.3, 0.2}};
  double xyz[3];
  th_mesh_spot_xyz(&s.mesh, &spot, xyz);
  assert_int_equal(th_mesh_relax_cell(&s.mesh, &spot), s.mesh.corner[3 * spot.face]);
  th_mesh_printed_walker printed = {{xyz[0], xyz[1], xyz[2]}, spot.face};
  th_mesh_printed_walker_update(map, &printed, 0.01, TH_MESH_PRINTED_DOWN);
  th_mesh_height_walker walker = th_mesh_height_walker_at(&s.mesh, &spot);
  th_mesh_height_walker_advance(map, &walker, 0.01);
  th_mesh_height_path path = {0};
  OK(th_mesh_height_trace(map, &spot, &path, NULL));
  assert_true(path.count > 1);
  th_mesh_height_path_free(&path);
  th_mesh_height_free(map);
  static const double corner[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, value[3] = {0, 1, 0};
  double normal[3][3], gradient[3];
  th_mesh_edge_normals(corner, normal);
  th_mesh_face_gradient(corner, value, gradient);
  assert_true(fabs(gradient[0] - 1.0) < 1e-12 && fabs(gradient[1]) < 1e-12);
  end(&s);
}

static void rings_on_a_mesh(void **state) {
  (void)state;
  stage s;
  begin(&s);
  th_flatness_def def = th_default_flatness_def();
  th_mesh_relax_rings *rings = NULL;
  OK(th_mesh_relax_rings_make(s.relax, &def, &rings, NULL));
  assert_non_null(th_mesh_relax_rings_field(rings, 0));
  assert_true(th_mesh_relax_rings_level(rings, s.mesh.face_count / 2) <= th_mesh_relax_rings_count(rings));
  const th_mesh_spot spot = {s.mesh.face_count / 2, {0.5, 0.3, 0.2}};
  th_mesh_height_path path = {0};
  OK(th_mesh_relax_rings_trace(rings, &spot, &path, NULL));
  th_mesh_height_path_free(&path);
  th_mesh_relax_rings_free(rings);
  end(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(relaxations),     cmocka_unit_test(subgoals),        cmocka_unit_test(relaxations_on_a_mesh),
      cmocka_unit_test(walks_on_a_mesh), cmocka_unit_test(rings_on_a_mesh),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
