/* bench/rooms.h - a 512 x 512 map of rooms, 60 boxes and the rest free, with its factor. */
#ifndef TH_BENCH_ROOMS_H
#define TH_BENCH_ROOMS_H

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "bench.h"
#include "field/grid/factor.h"

enum { TH_ROOMS_SIDE = 512, TH_ROOMS_SIZE = TH_ROOMS_SIDE * TH_ROOMS_SIDE, TH_ROOMS_REPEATS = 5 };

typedef struct th_rooms {
  th_env env;
  uint8_t *kind, *edited;
  uint32_t goal;
  double *u, *work;
  th_factor *factor;
  double factor_time;
} th_rooms;

static inline uint32_t th_rooms_below(uint64_t *state, uint32_t limit) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((*state >> 33) % limit);
}

static inline void th_rooms_draw(uint8_t *kind) {
  uint64_t seed = 7;
  memset(kind, TH_CELL_WALL, TH_ROOMS_SIZE);
  for (uint32_t j = 1; j < TH_ROOMS_SIDE - 1; j++)
    memset(kind + j * TH_ROOMS_SIDE + 1, TH_CELL_FREE, TH_ROOMS_SIDE - 2);
  for (int n = 0; n < 60; n++) {
    uint32_t i0 = 8 + th_rooms_below(&seed, TH_ROOMS_SIDE - 16), j0 = 8 + th_rooms_below(&seed, TH_ROOMS_SIDE - 16);
    uint32_t i1 = i0 + 8 + th_rooms_below(&seed, 56), j1 = j0 + 8 + th_rooms_below(&seed, 56);
    for (uint32_t j = j0; j < j1 && j < TH_ROOMS_SIDE - 8; j++)
      for (uint32_t i = i0; i < i1 && i < TH_ROOMS_SIDE - 8; i++) kind[j * TH_ROOMS_SIDE + i] = TH_CELL_WALL;
  }
}

static inline th_operator th_rooms_operator(const uint8_t *kind) {
  return (th_operator){.width = TH_ROOMS_SIDE, .height = TH_ROOMS_SIDE, .kind = kind};
}

static inline bool th_rooms_make(th_rooms *r) {
  *r = (th_rooms){.env = th_env_complete(NULL), .kind = malloc(TH_ROOMS_SIZE), .edited = malloc(TH_ROOMS_SIZE)};
  r->u = calloc(TH_ROOMS_SIZE, sizeof(double));
  if (!r->kind || !r->edited || !r->u) return false;
  th_rooms_draw(r->kind);
  r->goal = 300 * TH_ROOMS_SIDE + 200;
  while (r->kind[r->goal] != TH_CELL_FREE) r->goal++;
  memcpy(r->edited, r->kind, TH_ROOMS_SIZE);
  double time[TH_ROOMS_REPEATS];
  th_operator op = th_rooms_operator(r->kind);
  for (int n = 0; n < TH_ROOMS_REPEATS; n++) {
    th_factor_release(r->factor);
    double start = th_bench_now();
    if (th_grid_factor_make(&r->env, &op, TH_SIMD_AUTO, &r->factor, NULL) != TH_OK) return false;
    time[n] = th_bench_now() - start;
  }
  r->factor_time = th_bench_median(time, TH_ROOMS_REPEATS);
  r->work = malloc(th_factor_work_size(r->factor) * sizeof(double));
  return r->work != NULL;
}

static inline void th_rooms_free(th_rooms *r) {
  th_factor_release(r->factor);
  free(r->work);
  free(r->u);
  free(r->edited);
  free(r->kind);
}

static inline double th_rooms_solve_time(th_rooms *r) {
  double time[TH_ROOMS_REPEATS], one = 1.0;
  for (int n = 0; n < TH_ROOMS_REPEATS; n++) {
    double start = th_bench_now();
    th_factor_solve(r->factor, &r->goal, &one, 1, r->u, r->work);
    time[n] = th_bench_now() - start;
  }
  return th_bench_median(time, TH_ROOMS_REPEATS);
}

#endif
