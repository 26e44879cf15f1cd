/* bench/bench_field.c - fields on a 512 x 512 map of rooms: 60 boxes, the rest free.
 *
 *   speedup_over_sor        relaxation with its best factor until no cell changes by 1e-10 of the largest,
 *                           over one solve for a new goal on the kept factor
 *   region100_over_factor   a field to a goal of 100 cells (update and solve), over factoring the map
 *   door_over_factor        a door's update of the factor, over factoring the map
 *   sample_ns               direction and distance to the goal at one of sixteen random places
 *   geodesic_ms             distances to a point by fast marching
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "bench.h"
#include "field/grid/factor.h"
#include "field/grid/geodesic.h"
#include "field/sample.h"
#include "relax/grid/sor.h"

enum { SIDE = 512, SIZE = SIDE * SIDE, REPEATS = 5 };

typedef struct rooms {
  th_env env;
  uint8_t *kind, *edited;
  uint32_t goal;
  double *u, *work;
  th_factor *factor;
  double factor_time;
} rooms;

static uint32_t below(uint64_t *state, uint32_t limit) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((*state >> 33) % limit);
}

static void rooms_draw(uint8_t *kind) {
  uint64_t seed = 7;
  memset(kind, TH_CELL_WALL, SIZE);
  for (uint32_t j = 1; j < SIDE - 1; j++) memset(kind + j * SIDE + 1, TH_CELL_FREE, SIDE - 2);
  for (int n = 0; n < 60; n++) {
    uint32_t i0 = 8 + below(&seed, SIDE - 16), j0 = 8 + below(&seed, SIDE - 16);
    uint32_t i1 = i0 + 8 + below(&seed, 56), j1 = j0 + 8 + below(&seed, 56);
    for (uint32_t j = j0; j < j1 && j < SIDE - 8; j++)
      for (uint32_t i = i0; i < i1 && i < SIDE - 8; i++) kind[j * SIDE + i] = TH_CELL_WALL;
  }
}

static th_operator op_of(const uint8_t *kind) { return (th_operator){.width = SIDE, .height = SIDE, .kind = kind}; }

static bool rooms_make(rooms *r) {
  *r = (rooms){.env = th_env_complete(NULL), .kind = malloc(SIZE), .edited = malloc(SIZE)};
  r->u = calloc(SIZE, sizeof(double));
  if (!r->kind || !r->edited || !r->u) return false;
  rooms_draw(r->kind);
  r->goal = 300 * SIDE + 200;
  while (r->kind[r->goal] != TH_CELL_FREE) r->goal++;
  memcpy(r->edited, r->kind, SIZE);
  double time[REPEATS];
  th_operator op = op_of(r->kind);
  for (int n = 0; n < REPEATS; n++) {
    th_factor_release(r->factor);
    double start = th_bench_now();
    if (th_grid_factor_make(&r->env, &op, TH_SIMD_AUTO, &r->factor, NULL) != TH_OK) return false;
    time[n] = th_bench_now() - start;
  }
  r->factor_time = th_bench_median(time, REPEATS);
  r->work = malloc(th_factor_work_size(r->factor) * sizeof(double));
  return r->work != NULL;
}

static void rooms_free(rooms *r) {
  th_factor_release(r->factor);
  free(r->work);
  free(r->u);
  free(r->edited);
  free(r->kind);
}

static double solve_time(rooms *r) {
  double time[REPEATS], one = 1.0;
  for (int n = 0; n < REPEATS; n++) {
    double start = th_bench_now();
    th_factor_solve(r->factor, &r->goal, &one, 1, r->u, r->work);
    time[n] = th_bench_now() - start;
  }
  return th_bench_median(time, REPEATS);
}

/* The smallest time over factors around Young's. */
static double sor_time(rooms *r) {
  r->edited[r->goal] = TH_CELL_PINNED;
  th_relax relax = {.op = op_of(r->edited), .tolerance = 1e-10, .min = 1.0, .max_sweeps = 5000};
  const double young = th_relax_omega(&r->env.allocator, &relax.op, 400);
  double best = 1e30;
  for (int n = 0; n <= 6; n++) {
    relax.omega = 2.0 - (2.0 - young) * pow(0.75, n);
    memset(r->u, 0, SIZE * sizeof(double));
    r->u[r->goal] = 1.0;
    double start = th_bench_now();
    (void)th_relax_run(&r->env.allocator, &relax, r->u);
    double time = th_bench_now() - start;
    if (time < best) best = time;
  }
  r->edited[r->goal] = TH_CELL_FREE;
  return best;
}

/* Median time to update the factor for `edited`, with a solve for `count` sources when that is not 0. */
static double update_time(rooms *r, const uint32_t *cell, const double *value, uint32_t count) {
  double time[REPEATS];
  th_operator op = op_of(r->edited);
  for (int n = 0; n < REPEATS; n++) {
    th_factor *next = NULL;
    double start = th_bench_now();
    if (th_grid_factor_update(r->factor, &op, &next, NULL) != TH_OK) return -1.0;
    if (count > 0) th_factor_solve(next, cell, value, count, r->u, r->work);
    time[n] = th_bench_now() - start;
    th_factor_release(next);
  }
  return th_bench_median(time, REPEATS);
}

/* 10 x 10 pinned cells in the open and the sum of pinned neighbours around them. */
static double region_time(rooms *r) {
  uint32_t cell[40], count = 0, i0 = r->goal % SIDE, j0 = r->goal / SIDE;
  double value[40];
  for (uint32_t j = j0; j < j0 + 12; j++)
    for (uint32_t i = i0; i < i0 + 12; i++) {
      bool rim_i = i == i0 || i == i0 + 11, rim_j = j == j0 || j == j0 + 11;
      if (!rim_i && !rim_j)
        r->edited[j * SIDE + i] = TH_CELL_PINNED;
      else if (rim_i != rim_j && r->edited[j * SIDE + i] == TH_CELL_FREE)
        cell[count] = j * SIDE + i, value[count++] = 1.0;
    }
  double time = update_time(r, cell, value, count);
  memcpy(r->edited, r->kind, SIZE);
  return time;
}

/* A door of 8 x 2 cells between two boxes. */
static double door_time(rooms *r) {
  uint32_t at = r->goal + 40 * SIDE;
  for (uint32_t j = 0; j < 2; j++)
    for (uint32_t i = 0; i < 8; i++) r->edited[at + j * SIDE + i] ^= TH_CELL_WALL ^ TH_CELL_FREE;
  double time = update_time(r, NULL, NULL, 0);
  memcpy(r->edited, r->kind, SIZE);
  return time;
}

/* With `cost` of each cell: as roomy fields are marched. */
static double march_time(rooms *r, const double *cost, double *length) {
  double time[REPEATS];
  th_cell_list goal = {&r->goal, 1, 1};
  th_march march = {SIDE, SIDE, r->kind, &goal, cost, length};
  for (int n = 0; n < REPEATS; n++) {
    double start = th_bench_now();
    (void)th_march_run(&r->env.allocator, &march, r->u, NULL);
    time[n] = th_bench_now() - start;
  }
  return th_bench_median(time, REPEATS);
}

/* Costs from 1 to 1.1 that fall from a wall to the fifth cell beside it. */
static double roomy_time(rooms *r) {
  double *cost = malloc(SIZE * sizeof *cost), *length = malloc(SIZE * sizeof *length), time = -1.0;
  for (uint32_t c = 0; cost && c < SIZE; c++) cost[c] = r->kind[c] == TH_CELL_WALL ? 1.1 : 1.0;
  for (int n = 0; cost && n < 4; n++)
    for (uint32_t c = SIDE; c < SIZE - SIDE; c++)
      cost[c] = fmax(cost[c], fmax(fmax(cost[c - 1], cost[c + 1]), fmax(cost[c - SIDE], cost[c + SIDE])) - 0.02);
  if (cost && length) time = march_time(r, cost, length);
  free(length);
  free(cost);
  return time;
}

/* A field with the map's walls, made through the solver on a raster of cells. */
static th_field *field_make(rooms *r, th_ground *ground, th_flat_ground *flat) {
  uint8_t *blocked = malloc(SIZE);
  th_solver *solver = NULL;
  th_field *field = NULL;
  if (!blocked) return NULL;
  for (uint32_t c = 0; c < SIZE; c++) blocked[c] = r->kind[c] == TH_CELL_WALL;
  *flat = (th_flat_ground){.inverse_cell = 4.0f, .width = SIDE, .height = SIDE};
  *ground = (th_ground){.version = 1, .cell = 0.25f, .flat = flat};
  atomic_init(&ground->references, 1);
  ground->class_count = 1;
  flat->solid = flat->blocked[0] = blocked;
  th_vec2 point = {((float)(r->goal % SIDE) + 0.5f) * 0.25f, ((float)(r->goal / SIDE) + 0.5f) * 0.25f};
  th_field_def def = th_default_field_def();
  def.goal = th_point_shape(point.x, point.y);
  if (th_solver_make(&(th_solver_def){.env = r->env, .ground = ground}, &solver, NULL) == TH_OK)
    (void)th_field_make(solver, &def, &field, NULL);
  th_solver_release(solver);
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
      ask[b].x[n] = (float)below(&seed, 1u << 20) * (SIDE * 0.25f / (float)(1u << 20));
      ask[b].y[n] = (float)below(&seed, 1u << 20) * (SIDE * 0.25f / (float)(1u << 20));
    }
  static const float eps[16];
  th_guide_answer want[16];
  th_guide_query query = {.lanes = 16, .eps = eps, .simd = (uint32_t)th_simd_level(), .want = want};
  double time[REPEATS];
  for (int k = 0; k < REPEATS; k++) {
    double start = th_bench_now();
    for (int b = 0; b < BATCHES; b++) {
      query.x = ask[b % 4096].x;
      query.y = ask[b % 4096].y;
      th_field_answer(field, &query);
    }
    time[k] = (th_bench_now() - start) / (BATCHES * (double)TH_FIELD_LANES);
  }
  free(ask);
  return th_bench_median(time, REPEATS);
}

void th_bench_field(th_bench *bench);

void th_bench_field(th_bench *bench) {
  if (!th_bench_wants(bench, "field.grid512")) return;
  rooms r;
  if (rooms_make(&r)) {
    if (th_bench_wants(bench, "field.grid512.speedup_over_sor"))
      th_bench_report(bench, "field.grid512.speedup_over_sor", sor_time(&r) / solve_time(&r), "x");
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
  rooms_free(&r);
}
