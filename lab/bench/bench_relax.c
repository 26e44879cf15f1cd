/* bench/bench_relax.c - the solvers of the literature and the direct one, on 129 x 129 cells.
 *
 * Two maps: a serpentine of corridors 3 cells wide, the hardest case for a potential, and rooms made by boxes.
 *
 *   field.flatness.<solver>.lost_percent         serpentine: free cells from which climbing never ends on the goal
 *   field.flatness.<solver>.rooms_lost_percent   the same in the rooms
 *   field.relax.<solver>.ms                      rooms: time of one field; for direct with its factorisation
 *   field.relax.<solver>.serpentine_ms           the same in the serpentine
 *
 * Solvers: direct; jacobi, seidel, seidel_alternating and sor (with its best factor) as printed: p in double, until no
 * cell changes by 1e-12; the suffixes _float (p in float), _u (u in double, absolute change) and _u_relative (u, until
 * no cell changes by 1e-6 of itself).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "bench.h"
#include "field/field.h"
#include "throng/published/relax.h"

enum { SIDE = 129, SIZE = SIDE * SIDE };

typedef struct solver_case {
  const char *name;
  th_method method;
  th_storage storage;
  th_precision precision;
  double min;
} solver_case;

static const solver_case cases[] = {
    {"direct", TH_METHOD_DIRECT, TH_STORAGE_U, TH_PRECISION_DOUBLE, 0.0},
    {"jacobi", TH_METHOD_JACOBI, TH_STORAGE_P, TH_PRECISION_DOUBLE, 1.0},
    {"seidel", TH_METHOD_SEIDEL, TH_STORAGE_P, TH_PRECISION_DOUBLE, 1.0},
    {"seidel_alternating", TH_METHOD_SEIDEL_ALTERNATING, TH_STORAGE_P, TH_PRECISION_DOUBLE, 1.0},
    {"sor", TH_METHOD_SOR, TH_STORAGE_P, TH_PRECISION_DOUBLE, 1.0},
    {"seidel_float", TH_METHOD_SEIDEL, TH_STORAGE_P, TH_PRECISION_FLOAT, 1.0},
    {"seidel_u", TH_METHOD_SEIDEL, TH_STORAGE_U, TH_PRECISION_DOUBLE, 1.0},
    {"seidel_u_relative", TH_METHOD_SEIDEL, TH_STORAGE_U, TH_PRECISION_DOUBLE, 0.0},
};

static void fill(uint8_t *cell, uint32_t i0, uint32_t j0, uint32_t i1, uint32_t j1) {
  for (uint32_t j = j0; j < j1 && j < SIDE - 1; j++)
    for (uint32_t i = i0; i < i1 && i < SIDE - 1; i++) cell[j * SIDE + i] = TH_TILE_WALL;
}

static void draw_room(uint8_t *cell) {
  memset(cell, TH_TILE_WALL, SIZE);
  for (uint32_t j = 1; j < SIDE - 1; j++) memset(cell + j * SIDE + 1, TH_TILE_FREE, SIDE - 2);
}

static void draw_serpentine(uint8_t *cell) {
  draw_room(cell);
  bool left = false;
  for (uint32_t j = 4; j + 1 < SIDE; j += 4, left = !left) fill(cell, left ? 4 : 1, j, left ? SIDE : SIDE - 4, j + 1);
  cell[2 * SIDE + 2] = TH_TILE_GOAL;
}

static void draw_rooms(uint8_t *cell) {
  uint64_t seed = 7;
  draw_room(cell);
  for (int n = 0; n < 60; n++) {
    uint32_t at[4];
    for (int k = 0; k < 4; k++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      at[k] = (uint32_t)((seed >> 33) % (k < 2 ? SIDE - 8 : 14));
    }
    fill(cell, 4 + at[0], 4 + at[1], 6 + at[0] + at[2], 6 + at[1] + at[3]);
  }
  cell[2 * SIDE + 2] = TH_TILE_GOAL;
}

/* Free cells without a path to the goal must not count as lost: they become walls. */
static void close_islands(uint8_t *cell) {
  static const int side[4] = {1, SIDE, -1, -SIDE};
  uint32_t *queue = malloc(SIZE * sizeof *queue), count = 1;
  uint8_t *seen = calloc(SIZE, 1);
  if (queue && seen) {
    queue[0] = 2 * SIDE + 2;
    seen[queue[0]] = 1;
    for (uint32_t n = 0; n < count; n++)
      for (int k = 0; k < 4; k++) {
        uint32_t c = (uint32_t)((int)queue[n] + side[k]);
        if (cell[c] == TH_TILE_WALL || seen[c]) continue;
        seen[c] = 1;
        queue[count++] = c;
      }
    for (uint32_t c = 0; c < SIZE; c++)
      if (!seen[c]) cell[c] = TH_TILE_WALL;
  }
  free(queue);
  free(seen);
}

/* log u of a field of the direct solver, with its factorisation. */
static double direct_time(const uint8_t *cell, double *height) {
  uint8_t *blocked = malloc(SIZE);
  th_solver *solver = NULL;
  th_field *field = NULL;
  if (!blocked) return -1.0;
  for (uint32_t c = 0; c < SIZE; c++) blocked[c] = cell[c] == TH_TILE_WALL;
  th_flat_ground flat = {.inverse_cell = 1.0f, .width = SIDE, .height = SIDE, .solid = blocked, .blocked = {blocked}};
  th_ground ground = {.version = 1, .cell = 1.0f, .flat = &flat};
  atomic_init(&ground.references, 1);
  ground.class_count = 1;
  th_vec2 goal = {2.5f, 2.5f};
  th_field_def def = th_default_field_def();
  def.goal = th_point_shape(goal.x, goal.y);
  double start = th_bench_now(), time = -1.0;
  if (th_solver_make(&(th_solver_def){.ground = &ground}, &solver, NULL) == TH_OK &&
      th_field_make(solver, &def, &field, NULL) == TH_OK) {
    time = th_bench_now() - start;
    for (uint32_t c = 0; c < SIZE; c++) height[c] = field->log_u ? field->log_u[c] : field->u[c];
  }
  th_field_release(field);
  th_solver_release(solver);
  free(blocked);
  return time;
}

/* Young's factor for a map, found before the clock runs; other methods have none. */
static double best_omega(th_relax_def def, const th_grid *grid) {
  th_relaxation *r = NULL;
  def.omega = 0.0;
  if (th_relaxation_make(&def, grid, &r, NULL) != TH_OK) return 1.0;
  double omega = th_relaxation_omega(r);
  th_relaxation_free(r);
  return omega;
}

static double relaxed_time(const solver_case *from, const uint8_t *cell, double *height) {
  const th_grid grid = {.width = SIDE, .height = SIDE, .cell = cell};
  th_relax_def def = th_default_relax_def();
  th_relaxation *r = NULL;
  def.method = from->method;
  def.storage = from->storage;
  def.precision = from->precision;
  def.min = from->min;
  if (def.min == 0.0) def.tolerance = 1e-6;
  if (def.method == TH_METHOD_SOR) def.omega = best_omega(def, &grid);
  double start = th_bench_now();
  if (th_relaxation_make(&def, &grid, &r, NULL) != TH_OK) return -1.0;
  (void)th_relaxation_converge(r);
  double time = th_bench_now() - start;
  th_relaxation_read_u(r, height);
  th_relaxation_free(r);
  return time;
}

static double lost_percent(const uint8_t *cell, const double *height) {
  const th_grid grid = {.width = SIDE, .height = SIDE, .cell = cell};
  uint32_t lost = 0, open = 0;
  if (th_grid_lost(&grid, height, &lost, NULL) != TH_OK) return -1.0;
  for (uint32_t c = 0; c < SIZE; c++) open += cell[c] == TH_TILE_FREE;
  return 100.0 * lost / open;
}

static void run_case(th_bench *bench, const solver_case *one, const uint8_t *cell, bool rooms) {
  char flat[96], time_name[96];
  snprintf(flat, sizeof flat, "field.flatness.%s.%slost_percent", one->name, rooms ? "rooms_" : "");
  snprintf(time_name, sizeof time_name, "field.relax.%s.%sms", one->name, rooms ? "" : "serpentine_");
  if (!th_bench_wants(bench, flat) && !th_bench_wants(bench, time_name)) return;
  double *height = calloc(SIZE, sizeof(double));
  if (!height) return;
  double time = one->method == TH_METHOD_DIRECT ? direct_time(cell, height) : relaxed_time(one, cell, height);
  th_bench_report(bench, flat, lost_percent(cell, height), "%");
  th_bench_report(bench, time_name, 1e3 * time, "ms");
  free(height);
}

void th_bench_relax(th_bench *bench);

void th_bench_relax(th_bench *bench) {
  if (!th_bench_wants(bench, "field.flatness") && !th_bench_wants(bench, "field.relax")) return;
  uint8_t *cell = malloc(SIZE);
  if (!cell) return;
  for (int rooms = 0; rooms < 2; rooms++) {
    if (rooms)
      draw_rooms(cell);
    else
      draw_serpentine(cell);
    close_islands(cell);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) run_case(bench, &cases[k], cell, rooms);
  }
  free(cell);
}
