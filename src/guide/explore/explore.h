/* guide/explore/explore.h - the map that explorers share: one flat block of bytes without pointers. */
#ifndef TH_GUIDE_EXPLORE_EXPLORE_H
#define TH_GUIDE_EXPLORE_EXPLORE_H

#include <math.h>

#include "ground/ground.h"
#include "throng/guide.h"
#include "throng/trace.h"

enum {
  TH_EXPLORE_KNOWN = 1,   /* sensed */
  TH_EXPLORE_BLOCKED = 2, /* sensed, and no body of the explorers' class can stand there */
  TH_EXPLORE_TARGET = 4,  /* the target was found and is here: u stays 1 */
  TH_EXPLORE_OPEN = 8,    /* as far as known, a path leads from here to something unknown */
  TH_EXPLORE_PLACE = 16,  /* mesh ground: the target is here, found or not */
  TH_EXPLORE_SETTLED = 32 /* mesh ground: the distance of the vertex is final */
};

/* Cells [i0, i1) x [j0, j1). */
typedef struct th_explore_box {
  uint32_t i0, j0, i1, j1;
} th_explore_box;

typedef struct th_explore_head {
  uint32_t width, height; /* flat ground */
  uint32_t vertices;      /* mesh ground; 0 on flat ground */
  float cell;             /* [m] */
  uint32_t radius_class;  /* of the largest explorer so far */
  uint32_t sensed;        /* cells or vertices known */
  uint32_t rounds;        /* how often the map was reset */
  uint32_t found;         /* 1: the target has been seen */
  uint32_t fresh;         /* something was learnt since OPEN was last computed */
  uint32_t stale;         /* `left` must be measured again */
  uint32_t marks;         /* cells or vertices that carry TARGET */
  uint32_t stamp;         /* mesh ground: of the last window */
  uint64_t mark_sum;      /* of the numbers of marks, on mesh ground of the target: it changes when the target moves */
  double area;            /* mesh ground: known [m2] */
  th_explore_box known, marked;
  /* Mesh ground: what `owner` and `far` belong to, the target's place (cell TH_NO_CELL: it is no point) with the
   * radius that counts as there, and where it was when `left` was measured. */
  uint32_t version, exits_class;
  th_place target, measured;
  float radius;
} th_explore_head;

/* What an exploration needs of a kind of ground; the algorithm is the same on both (explore.c). */
typedef struct th_explore_kind {
  size_t (*size)(const th_ground *ground);
  void (*init)(void *memory, const th_ground *ground);
  void (*forget)(void *memory, const th_ground *ground);
  void (*renew)(void *memory, const th_ground *ground); /* after the class or the version may have changed; or NULL */
  void (*sense)(void *memory, const th_guide_update *update, uint32_t explorer);
  void (*seek)(void *memory, const th_guide_update *update); /* looks for the target, marks it once it is found */
  void (*find_open)(void *memory, const th_ground *ground);
  void (*measure)(void *memory, const th_ground *ground); /* `left` */
  void (*relax)(void *memory, const th_guide_update *update,
                uint32_t explorer);                                    /* its window; `count`: all that is known */
  const uint8_t *(*mark)(const void *memory, const th_ground *ground); /* of each cell or vertex */
  bool (*is_open)(const void *memory, const th_ground *ground, th_place place);
  float (*left)(const void *memory, const th_ground *ground, th_place place); /* INFINITY: no known path */
  th_vec2 (*direction)(const void *memory, const th_ground *ground, th_place place, bool by_left); /* 0, 0: none */
} th_explore_kind;

extern const th_explore_kind th_explore_on_flat, th_explore_on_mesh;

/* The share of u that each relaxed value loses in a sweep. Walls hold u down; where no wall is known, u would be 1
 * everywhere and have no slope. So there, or always with `fade`, it falls by 1/e over a length L: u = (1 - sink) mean
 * is h^2 / 4 laplace(u) = sink u, with L^-2 u = laplace(u). */
static inline double th_explore_sink(const th_explore_params *params, float cell, bool walled) {
  if (walled && !(params->fade > 0.0f)) return 0.0;
  double share = 0.5 * (double)cell / (double)(params->fade > 0.0f ? params->fade : params->sight);
  return share < 0.5 ? share * share : 0.25;
}

/* Parts of a block begin at multiples of 64. */
static inline size_t th_explore_rounded(size_t size) { return (size + 63) / 64 * 64; }

/* A unit vector; u spans more powers of ten than a float. */
static inline th_vec2 th_explore_unit(double dx, double dy) {
  double largest = fmax(fabs(dx), fabs(dy));
  if (!(largest > 0.0)) return (th_vec2){0.0f, 0.0f};
  float x = (float)(dx / largest), y = (float)(dy / largest), length = sqrtf(x * x + y * y);
  return (th_vec2){x / length, y / length};
}

/* trace.c: of a lane that is traced; `found`: it is led to the target. */
#define TH_EXPLORE_TRACES 3
extern const th_trace th_explore_traces[TH_EXPLORE_TRACES];
void th_explore_trace_publish(const th_guide_query *query, uint32_t lane, bool found);

/* ---------------------------------------------------------------- flat ground */

/* The parts of a block. u: 0 where blocked, 1 where unknown and on the target; left: distance to the target [m]. */
typedef struct th_explore_map {
  th_explore_head *head;
  double *u;
  float *left;
  uint8_t *mark;
} th_explore_map;

th_explore_map th_explore_flat_open(const void *memory); /* for readers too: they write nothing */

/* flat_sense.c */
void th_explore_sense(th_explore_map *map, const th_guide_update *update, uint32_t explorer);
/* True when no solid cell stands between the centres of two cells. */
bool th_explore_sees(const th_ground *ground, uint32_t from, uint32_t to);

/* flat_target.c: looks for the target, marks it once it is found. */
void th_explore_flat_seek(th_explore_map *map, const th_guide_update *update);

/* flat_relax.c */
void th_explore_relax(th_explore_map *map, th_explore_box box, const th_explore_params *params);
th_explore_box th_explore_window(const th_explore_map *map, uint32_t cell, float reach);
void th_explore_measure(th_explore_map *map);   /* `left`, from the target over known cells */
void th_explore_find_open(th_explore_map *map); /* OPEN; overwrites `left` */

/* A cell at or next to `cell` where a body can stand, the best one by `left` (nearer) or u (higher); the cell itself
 * when there is none. */
uint32_t th_explore_stand(const th_explore_map *map, uint32_t cell, bool by_left);

#endif
