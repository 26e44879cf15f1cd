/* tests/field/test_grid_edges.c - ways along the edges of the raster's grid. */
#include "field/grid/edges.h"
#include "support/allocator.h"
#include "support/worlds.h"

static th_field *field_to(th_solver *solver, float x, float y) {
  th_vec2 at = {x, y};
  th_field_def def = th_default_field_def();
  th_field *field = NULL;
  def.kind = TH_FIELD_EDGES;
  def.goal = th_point_shape(at.x, at.y);
  OK(th_field_make(solver, &def, &field, &error));
  return field;
}

/* In an empty hall the way is the octagonal distance, and leads straight to where it turns onto a diagonal. */
static void open_hall(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_box(&env, 12, 9);
  th_solver *solver;
  OK(th_solver_make(&(th_solver_def){.env = env, .ground = ground}, &solver, &error));
  th_field *field = field_to(solver, 6.1f, 4.1f);
  uint32_t goal = th_ground_locate(ground, 6.1f, 4.1f).cell, seen = 0;
  int32_t width = (int32_t)ground->flat->width, gi = (int32_t)goal % width, gj = (int32_t)goal / width;
  uint64_t seed = 3;
  for (int n = 0; n < 2000; n++) {
    float x = worlds_in(&seed, 0.5f, 11.5f), y = worlds_in(&seed, 0.5f, 8.5f);
    th_place p = th_ground_locate(ground, x, y);
    int32_t i = (int32_t)p.cell % width, j = (int32_t)p.cell / width, a = abs(i - gi), b = abs(j - gj);
    float cx = ground->flat->x0 + ((float)i + 0.5f) * ground->cell,
          cy = ground->flat->y0 + ((float)j + 0.5f) * ground->cell;
    if (a + b == 0) continue;
    double octile = ((a > b ? a - b : b - a) + sqrt(2.0) * (a > b ? b : a)) * (double)ground->cell;
    th_field_gradient centre = th_field_gradient_at(field, (th_place){p.cell, cx, cy}),
                      here = th_field_gradient_at(field, p);
    assert_true(fabs((double)centre.left - octile) < 1e-4 * octile + 1e-5);
    assert_true(fabsf(here.left - centre.left) < ground->cell);
    /* sides first, so the way runs along the longer axis until it is on a diagonal of the goal */
    bool wide = a > b;
    float tx = (float)(a == b ? gi - i : wide ? (gi > i ? a - b : b - a) : 0) * ground->cell + cx - x;
    float ty = (float)(a == b ? gj - j : wide ? 0 : (gj > j ? b - a : a - b)) * ground->cell + cy - y;
    float far = hypotf(tx, ty);
    if (fabsf(tx / far - here.dx) + fabsf(ty / far - here.dy) > 1e-3f)
      fail_msg("seed 3, case %d: at %g, %g heads %g, %g, not %g, %g", n, x, y, here.dx, here.dy, tx / far, ty / far);
    seen++;
  }
  assert_true(seen > 1900);
  th_field_release(field);
  th_solver_release(solver);
  th_ground_release(ground);
}

/* Distances of random maps are those of repeated relaxation of all edges; no edge passes between two walls. */
static void random_maps(void **state) {
  (void)state;
  enum { W = 24, H = 18 };
  for (uint64_t seed = 1; seed <= 40; seed++) {
    uint64_t draw = seed;
    uint8_t kind[W * H];
    double distance[W * H], reference[W * H];
    for (int c = 0; c < W * H; c++) {
      bool ring = c % W == 0 || c / W == 0 || c % W == W - 1 || c / W == H - 1;
      kind[c] = ring || worlds_in(&draw, 0, 1) < 0.35f ? TH_CELL_WALL : TH_CELL_FREE;
      reference[c] = INFINITY;
    }
    uint32_t cell[2] = {5 * W + 5, 9 * W + 20};
    th_cell_list goal = {cell, 2, 2};
    for (int n = 0; n < 2; n++) kind[cell[n]] = TH_CELL_PINNED, reference[cell[n]] = 0.0;
    for (bool changed = true; changed;) {
      changed = false;
      for (int c = 0; c < W * H; c++)
        for (int k = 0; k < 9; k++) {
          int i = k % 3 - 1, j = k / 3 - 1, to = c + i + j * W;
          if (kind[c] == TH_CELL_WALL || k == 4 || kind[to] == TH_CELL_WALL) continue;
          if (i && j && (kind[c + i] == TH_CELL_WALL || kind[c + j * W] == TH_CELL_WALL)) continue;
          double t = reference[to] + (i && j ? sqrt(2.0) : 1.0);
          if (t < reference[c] - 1e-12) reference[c] = t, changed = true;
        }
    }
    th_allocator allocator = th_env_complete(NULL).allocator;
    const th_march grid = {W, H, kind, &goal, NULL, NULL};
    OK(th_grid_edges_run(&allocator, &grid, distance, &error));
    for (int c = 0; c < W * H; c++)
      if (!(distance[c] == reference[c] || fabs(distance[c] - reference[c]) < 1e-9))
        fail_msg("seed %u, cell %d: %g, not %g", (unsigned)seed, c, distance[c], reference[c]);
  }
}

/* From everywhere in the house ways end at the goal and get shorter all along; a way is at most 8.3 % longer than the
 * shortest. */
static void ways_arrive(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_house(&env);
  th_solver *solver;
  OK(th_solver_make(&(th_solver_def){.env = env, .ground = ground}, &solver, &error));
  th_field *field = field_to(solver, 22, 14);
  th_vec2 at = {22, 14};
  th_field_def def = th_default_field_def();
  th_field *shortest;
  def.kind = TH_FIELD_GEODESIC;
  def.goal = th_point_shape(at.x, at.y);
  OK(th_field_make(solver, &def, &shortest, &error));
  uint64_t seed = 11;
  uint32_t traced = 0;
  for (int n = 0; n < 300; n++) {
    th_place from = th_ground_locate(ground, worlds_in(&seed, 0.4f, 23.6f), worlds_in(&seed, 0.4f, 15.6f));
    if (from.cell == TH_NO_CELL || !th_field_reaches(shortest, from)) continue;
    assert_true(th_field_reaches(field, from));
    float edges = th_field_gradient_at(field, from).left, straight = th_field_gradient_at(shortest, from).left;
    assert_true(edges > straight - 0.4f && edges < 1.083f * straight + 1.0f);
    th_place way[2048];
    uint32_t count = th_field_trace_places(field, from, way, 2048);
    assert_in_range(count, 1, 2048);
    th_place end = way[count - 1];
    if (hypotf(end.x - 22, end.y - 14) > 0.4f) fail_msg("seed 11, case %d ends at %g, %g", n, end.x, end.y);
    traced++;
  }
  assert_true(traced > 200);
  assert_null(th_field_values(field, &(uint32_t){0}, &(uint32_t){0}));
  assert_null(th_field_lengths(field, &(uint32_t){0}));
  th_field_release(shortest);
  th_field_release(field);
  th_solver_release(solver);
  th_ground_release(ground);
}

static th_result make_all(const th_env *env, void *context) {
  (void)context;
  th_ground *ground = NULL;
  th_solver *solver = NULL;
  th_field *field = NULL;
  th_vec2 at = {2, 3};
  th_field_def def = th_default_field_def();
  def.kind = TH_FIELD_EDGES;
  def.goal = th_point_shape(at.x, at.y);
  th_result result = worlds_try_house(env, 1.0f, &ground, NULL);
  if (result == TH_OK) result = th_solver_make(&(th_solver_def){.env = *env, .ground = ground}, &solver, NULL);
  if (result == TH_OK) result = th_field_make(solver, &def, &field, NULL);
  th_field_release(field);
  th_solver_release(solver);
  th_ground_release(ground);
  return result;
}

static void survives_every_failing_allocation(void **state) {
  (void)state;
  assert_true(failing_every(make_all, NULL) > 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(open_hall),
      cmocka_unit_test(random_maps),
      cmocka_unit_test(ways_arrive),
      cmocka_unit_test(survives_every_failing_allocation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
