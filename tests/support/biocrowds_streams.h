/* tests/support/biocrowds_streams.h - dense counterflow of the model biocrowds, watched step by step. */
#ifndef TH_TESTS_SUPPORT_BIOCROWDS_STREAMS_H
#define TH_TESTS_SUPPORT_BIOCROWDS_STREAMS_H

#include "support/biocrowds_worlds.h"

typedef struct streams {
  float length, width; /* of the corridor [m] */
  uint32_t count, steps;
  bool body;
  uint64_t seed;
} streams;

typedef struct streams_seen {
  uint64_t agent_steps, outside; /* steps in which an agent left its old cell */
  double deepest;                /* how far beyond the bisector [m] */
  double closest;                /* pair, as the distance less the sum of radii [m] */
} streams_seen;

/* Agents of each metre of the corridor: others farther away than a cell is wide cannot matter. */
typedef struct streams_bins {
  uint32_t *next, head[1024];
} streams_bins;

static inline void streams_sort(streams_bins *bins, const th_vec2 *at, uint32_t count) {
  memset(bins->head, 0xff, sizeof bins->head);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t bin = (uint32_t)fmaxf(at[i].x, 0.0f) % 1024;
    bins->next[i] = bins->head[bin];
    bins->head[bin] = i;
  }
}

/* `to` of agent i against the bisectors of its old place with all others within 3 m; and the nearest pair. */
static inline void streams_watch(streams_seen *seen, const streams_bins *bins, const th_vec2 *from, const th_vec2 *to,
                                 uint32_t i) {
  uint32_t bin = (uint32_t)fmaxf(from[i].x, 0.0f);
  double deepest = -1.0;
  for (uint32_t b = bin < 3 ? 0 : bin - 3; b <= bin + 3; b++)
    for (uint32_t k = bins->head[b % 1024]; k != UINT32_MAX; k = bins->next[k]) {
      if (k == i) continue;
      double x = (double)from[k].x - (double)from[i].x, y = (double)from[k].y - (double)from[i].y,
             d = sqrt(x * x + y * y);
      double u = (double)to[i].x - (double)from[i].x, v = (double)to[i].y - (double)from[i].y;
      double ax = (double)to[k].x - (double)to[i].x, ay = (double)to[k].y - (double)to[i].y;
      deepest = fmax(deepest, (u * x + v * y) / d - 0.5 * d);
      seen->closest = fmin(seen->closest, sqrt(ax * ax + ay * ay) - 0.4);
    }
  seen->outside += deepest > 1e-6;
  seen->deepest = fmax(seen->deepest, deepest);
  seen->agent_steps++;
}

static inline streams_seen streams_run(const streams *s) {
  th_ground *ground = worlds_box(&(th_env){0}, s->length, s->width);
  static arena a;
  static th_vec2 from[ARENA_MAX], to[ARENA_MAX];
  th_biocrowds_params params = th_default_biocrowds_params();
  params.body = s->body;
  arena_make(&a, ground, &(arena_def){0});
  arena_streams(&a, s->length, s->width, s->count, &params, s->seed);
  streams_seen seen = {.closest = 1e9, .deepest = -1e9};
  streams_bins bins = {.next = (uint32_t *)malloc(sizeof *bins.next * s->count)};
  for (uint32_t n = 0; n < s->steps; n++) {
    arena_places(&a, from);
    th_world_step(a.world);
    arena_places(&a, to);
    streams_sort(&bins, from, a.count);
    for (uint32_t i = 0; i < a.count; i++) streams_watch(&seen, &bins, from, to, i);
    arena_recycle(&a);
  }
  free(bins.next);
  arena_free(&a);
  th_ground_release(ground);
  return seen;
}

#endif
