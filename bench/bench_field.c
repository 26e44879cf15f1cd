/* bench/bench_field.c - fields on a 512 x 512 map of rooms: 60 boxes, the rest free.
 *
 *   region100_over_factor   a field to a goal of 100 cells (update and solve), over factoring the map
 *   door_over_factor        a door's update of the factor, over factoring the map
 *   sample_ns               direction and distance to the goal at one of sixteen random places
 *   geodesic_ms             distances to a point by fast marching
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "field/grid/geodesic.h"
#include "field/sample.h"
#include "rooms.h"

/* Median time to update the factor for `edited`, with a solve for `count` sources when that is not 0. */
static double update_time(th_rooms *r, const uint32_t *cell, const double *value, uint32_t count) {
  double time[TH_ROOMS_REPEATS];
  th_operator op = th_rooms_operator(r->edited);
  for (int n = 0; n < TH_ROOMS_REPEATS; n++) {
    th_factor *next = NULL;
    double start = th_bench_now();
    if (th_grid_factor_update(r->factor, &op, &next, NULL) != TH_OK) return -1.0;
    if (count > 0) th_factor_solve(next, cell, value, count, r->u, r->work);
    time[n] = th_bench_now() - start;
    th_factor_release(next);
  }
  return th_bench_median(time, TH_ROOMS_REPEATS);
}

/* 10 x 10 pinned cells in the open and the sum of pinned neighbours around them. */
static double region_time(th_rooms *r) {
  uint32_t cell[40], count = 0, i0 = r->goal % TH_ROOMS_SIDE, j0 = r->goal / TH_ROOMS_SIDE;
  double value[40];
  for (uint32_t j = j0; j < j0 + 12; j++)
    for (uint32_t i = i0; i < i0 + 12; i++) {
      bool rim_i = i == i0 || i == i0 + 11, rim_j = j == j0 || j == j0 + 11;
      if (!rim_i && !rim_j)
        r->edited[j * TH_ROOMS_SIDE + i] = TH_CELL_PINNED;
      else if (rim_i != rim_j && r->edited[j * TH_ROOMS_SIDE + i] == TH_CELL_FREE)
        cell[count] = j * TH_ROOMS_SIDE + i, value[count++] = 1.0;
    }
  double time = update_time(r, cell, value, count);
  memcpy(r->edited, r->kind, TH_ROOMS_SIZE);
  return time;
}

/* A door of 8 x 2 cells between two boxes. */
static double door_time(th_rooms *r) {
  uint32_t at = r->goal + 40 * TH_ROOMS_SIDE;
  for (uint32_t j = 0; j < 2; j++)
    for (uint32_t i = 0; i < 8; i++) r->edited[at + j * TH_ROOMS_SIDE + i] ^= TH_CELL_WALL ^ TH_CELL_FREE;
  double time = update_time(r, NULL, NULL, 0);
  memcpy(r->edited, r->kind, TH_ROOMS_SIZE);
  return time;
}

/* With `cost` of each cell: as roomy fields are marched. */
static double march_time(th_rooms *r, const double *cost, double *length) {
  double time[TH_ROOMS_REPEATS];
  th_cell_list goal = {&r->goal, 1, 1};
  th_march march = {TH_ROOMS_SIDE, TH_ROOMS_SIDE, r->kind, &goal, cost, length};
  for (int n = 0; n < TH_ROOMS_REPEATS; n++) {
    double start = th_bench_now();
    (void)th_geodesic_march(&r->env.allocator, &march, r->u, NULL);
    time[n] = th_bench_now() - start;
  }
  return th_bench_median(time, TH_ROOMS_REPEATS);
}

/* Costs from 1 to 1.1 that fall from a wall to the fifth cell beside it. */
static double roomy_time(th_rooms *r) {
  double *cost = malloc(TH_ROOMS_SIZE * sizeof *cost), *length = malloc(TH_ROOMS_SIZE * sizeof *length), time = -1.0;
  for (uint32_t c = 0; cost && c < TH_ROOMS_SIZE; c++) cost[c] = r->kind[c] == TH_CELL_WALL ? 1.1 : 1.0;
  for (int n = 0; cost && n < 4; n++)
    for (uint32_t c = TH_ROOMS_SIDE; c < TH_ROOMS_SIZE - TH_ROOMS_SIDE; c++)
      cost[c] = fmax(
          cost[c], fmax(fmax(cost[c - 1], cost[c + 1]), fmax(cost[c - TH_ROOMS_SIDE], cost[c + TH_ROOMS_SIDE])) - 0.02);
  if (cost && length) time = march_time(r, cost, length);
  free(length);
  free(cost);
  return time;
}

/* A field with the map's walls, made through the solver on a raster of cells. */
static th_field *field_make(th_rooms *r, th_ground *ground, th_flat_ground *flat) {
  uint8_t *blocked = malloc(TH_ROOMS_SIZE);
  float *clearance = malloc(TH_ROOMS_SIZE * sizeof *clearance); /* of centres: half a cell will do */
  th_solver *solver = NULL;
  th_field *field = NULL;
  for (uint32_t c = 0; blocked && clearance && c < TH_ROOMS_SIZE; c++) {
    blocked[c] = r->kind[c] == TH_CELL_WALL;
    clearance[c] = blocked[c] ? -0.125f : 0.125f;
  }
  *flat = (th_flat_ground){.inverse_cell = 4.0f, .width = TH_ROOMS_SIDE, .height = TH_ROOMS_SIDE};
  *ground = (th_ground){.version = 1, .cell = 0.25f, .flat = flat};
  atomic_init(&ground->references, 1);
  ground->class_count = 1;
  flat->solid = flat->blocked[0] = blocked;
  flat->clearance = clearance;
  th_vec2 point = {((float)(r->goal % TH_ROOMS_SIDE) + 0.5f) * 0.25f,
                   ((float)(r->goal / TH_ROOMS_SIDE) + 0.5f) * 0.25f};
  th_field_def def = th_default_field_def();
  def.goal = th_point_shape(point.x, point.y);
  const bool there = blocked && clearance;
  if (there && th_solver_make(&(th_solver_def){.env = r->env, .ground = ground}, &solver, NULL) == TH_OK)
    (void)th_field_make(solver, &def, &field, NULL);
  th_solver_release(solver);
  free(clearance);
  free(blocked);
  return field;
}

static double sample_time(const th_field *field) {
  enum { BATCHES = 20000 };
  typedef struct places {
    float x[16], y[16];
  } places;
  places *ask = malloc(sizeof *ask * 4096);
  if (!ask) return -1.0;
  uint64_t seed = 3;
  for (int b = 0; b < 4096; b++)
    for (int n = 0; n < TH_FIELD_LANES; n++) {
      ask[b].x[n] = (float)th_rooms_below(&seed, 1u << 20) * (TH_ROOMS_SIDE * 0.25f / (float)(1u << 20));
      ask[b].y[n] = (float)th_rooms_below(&seed, 1u << 20) * (TH_ROOMS_SIDE * 0.25f / (float)(1u << 20));
    }
  static const float eps[16];
  th_guide_answer want[16];
  th_guide_query query = {.lanes = 16, .eps = eps, .simd = (uint32_t)th_simd_level(), .want = want};
  double time[TH_ROOMS_REPEATS];
  for (int k = 0; k < TH_ROOMS_REPEATS; k++) {
    double start = th_bench_now();
    for (int b = 0; b < BATCHES; b++) {
      query.x = ask[b % 4096].x;
      query.y = ask[b % 4096].y;
      th_field_sample_query(field, &query);
    }
    time[k] = (th_bench_now() - start) / (BATCHES * (double)TH_FIELD_LANES);
  }
  free(ask);
  return th_bench_median(time, TH_ROOMS_REPEATS);
}

void th_bench_field(th_bench *bench);

void th_bench_field(th_bench *bench) {
  if (!th_bench_wants(bench, "field.grid512")) return;
  th_rooms r;
  if (th_rooms_make(&r)) {
    th_bench_report(bench, "field.grid512.region100_over_factor", region_time(&r) / r.factor_time, "x");
    th_bench_report(bench, "field.grid512.door_over_factor", door_time(&r) / r.factor_time, "x");
    if (th_bench_wants(bench, "field.grid512.sample_ns")) {
      th_ground ground;
      th_flat_ground flat;
      th_field *field = field_make(&r, &ground, &flat);
      if (field) th_bench_report(bench, "field.grid512.sample_ns", 1e9 * sample_time(field), "ns");
      th_field_release(field);
    }
    th_bench_report(bench, "field.grid512.geodesic_ms", 1e3 * march_time(&r, NULL, NULL), "ms");
    if (th_bench_wants(bench, "field.grid512.roomy_ms"))
      th_bench_report(bench, "field.grid512.roomy_ms", 1e3 * roomy_time(&r), "ms");
  }
  th_rooms_free(&r);
}
