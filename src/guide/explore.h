/* guide/explore.h - the map that explorers share: one flat block of bytes without pointers. */
#ifndef TH_GUIDE_EXPLORE_H
#define TH_GUIDE_EXPLORE_H

#include "ground/ground.h"
#include "throng/guide.h"

enum {
  TH_EXPLORE_KNOWN = 1,   /* sensed */
  TH_EXPLORE_BLOCKED = 2, /* sensed, and no body of the explorers' class can stand there */
  TH_EXPLORE_TARGET = 4,  /* the target was found and is here: u stays 1 */
  TH_EXPLORE_OPEN = 8     /* as far as known a way leads from here to something unknown */
};

/* Cells [i0, i1) x [j0, j1). */
typedef struct th_explore_box {
  uint32_t i0, j0, i1, j1;
} th_explore_box;

typedef struct th_explore_head {
  uint32_t width, height;
  float cell;            /* [m] */
  uint32_t radius_class; /* of the largest explorer so far */
  uint32_t sensed;       /* cells known */
  uint32_t rounds;       /* how often everything was forgotten */
  uint32_t found;        /* 1: the target has been seen */
  uint32_t fresh;        /* something was learnt since the last look for what is open */
  uint32_t stale;        /* `left` must be measured again */
  uint32_t marks;        /* cells that carry TARGET */
  uint64_t mark_sum;     /* of their numbers: tells whether they moved */
  th_explore_box known, marked;
} th_explore_head;

/* The parts of a block. u: 0 where blocked, 1 where unknown and on the target; left: metres to the target. */
typedef struct th_explore_map {
  th_explore_head *head;
  double *u;
  float *left;
  uint8_t *mark;
} th_explore_map;

size_t th_explore_size(const th_ground *ground);
void th_explore_init(void *memory, const th_ground *ground);
th_explore_map th_explore_open(const void *memory); /* for readers too: they write nothing */
void th_explore_forget(th_explore_map *map);

/* explore_sense.c */
void th_explore_sense(th_explore_map *map, const th_growth *growth, uint32_t explorer);
/* True when no solid cell stands between the centres of two cells. */
bool th_explore_sees(const th_ground *ground, uint32_t from, uint32_t to);

/* explore_target.c: looks for the target, marks it once it is found. */
void th_explore_seek(th_explore_map *map, const th_growth *growth);

/* explore_relax.c */
void th_explore_relax(th_explore_map *map, th_explore_box box, uint32_t sweeps);
th_explore_box th_explore_window(const th_explore_map *map, uint32_t cell, float reach);
void th_explore_measure(th_explore_map *map);   /* `left`, from the target over known cells */
void th_explore_find_open(th_explore_map *map); /* OPEN; overwrites `left` */

/* A cell at or next to `cell` where a body can stand, the best one by `left` (nearer) or u (higher); the cell itself
 * when there is none. */
uint32_t th_explore_stand(const th_explore_map *map, uint32_t cell, bool by_left);

#endif
