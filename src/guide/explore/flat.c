/* guide/explore/flat.c - exploring flat ground: the map is the raster.
 *
 * Each cell is unknown, free or blocked for the radius class of the largest explorer. Directions are blended from the
 * slopes of the four cells around a place. Memory: 13 bytes per cell. Cost of an answer: about 50 ns.
 */
#include <math.h>

#include "guide/explore/explore.h"

/* ---------------------------------------------------------------- memory */

static size_t size(const th_ground *ground) {
  size_t cells = (size_t)ground->flat->width * ground->flat->height;
  return th_explore_rounded(sizeof(th_explore_head)) + th_explore_rounded(cells * sizeof(double)) +
         th_explore_rounded(cells * sizeof(float)) + th_explore_rounded(cells);
}

th_explore_map th_explore_flat_open(const void *memory) {
  uint8_t *at = (uint8_t *)(uintptr_t)memory;
  th_explore_map map = {.head = (th_explore_head *)(void *)at};
  size_t cells = (size_t)map.head->width * map.head->height;
  at += th_explore_rounded(sizeof(th_explore_head));
  map.u = (double *)(void *)at;
  at += th_explore_rounded(cells * sizeof(double));
  map.left = (float *)(void *)at;
  map.mark = at + th_explore_rounded(cells * sizeof(float));
  return map;
}

static void forget(void *memory, const th_ground *ground) {
  (void)ground;
  th_explore_map own = th_explore_flat_open(memory), *map = &own;
  th_explore_head *head = map->head;
  for (uint32_t j = 0; j < head->height; j++) {
    for (uint32_t i = 0; i < head->width; i++) {
      bool ring = i == 0 || j == 0 || i + 1 == head->width || j + 1 == head->height;
      size_t c = (size_t)j * head->width + i;
      map->u[c] = ring ? 0.0 : 1.0;
      map->left[c] = INFINITY;
      map->mark[c] = ring ? TH_EXPLORE_KNOWN | TH_EXPLORE_BLOCKED : 0;
    }
  }
  head->known = (th_explore_box){head->width, head->height, 0, 0};
  head->marked = (th_explore_box){0, 0, 0, 0};
  head->sensed = head->found = head->marks = head->stale = head->fresh = 0;
  head->mark_sum = 0;
}

static void init(void *memory, const th_ground *ground) {
  th_explore_head *head = memory;
  head->width = ground->flat->width;
  head->height = ground->flat->height;
  head->cell = ground->cell;
  forget(memory, ground);
}

/* ---------------------------------------------------------------- growing */

static void sense(void *memory, const th_guide_update *update, uint32_t explorer) {
  th_explore_map map = th_explore_flat_open(memory);
  th_explore_sense(&map, update, explorer);
}

static void seek(void *memory, const th_guide_update *update) {
  th_explore_map map = th_explore_flat_open(memory);
  th_explore_flat_seek(&map, update);
}

static void find_open(void *memory, const th_ground *ground) {
  (void)ground;
  th_explore_map map = th_explore_flat_open(memory);
  th_explore_find_open(&map);
}

static void measure(void *memory, const th_ground *ground) {
  (void)ground;
  th_explore_map map = th_explore_flat_open(memory);
  th_explore_measure(&map);
}

static void relax(void *memory, const th_guide_update *update, uint32_t explorer) {
  const th_explore_params *params = update->params;
  th_explore_map map = th_explore_flat_open(memory);
  th_explore_box box =
      explorer < update->count ? th_explore_window(&map, update->place[explorer].cell, params->sight) : map.head->known;
  th_explore_relax(&map, box, params);
}

/* ---------------------------------------------------------------- answers */

/* Double: u spans more powers of ten than a float. */
typedef struct gradient {
  double x, y;
} gradient;

/* The uphill direction at one cell: grad u by central differences (times 2 h), or the upwind descent of `left`. */
static gradient slope(const th_explore_map *map, uint32_t c, bool by_left) {
  uint32_t width = map->head->width;
  const double *u = map->u;
  if (!by_left) return (gradient){u[c + 1] - u[c - 1], u[c + width] - u[c - width]};
  const float *left = map->left;
  float w = left[c - 1], e = left[c + 1], s = left[c - width], n = left[c + width], here = left[c];
  gradient up = {0.0, 0.0};
  if (!(here < INFINITY)) return up;
  if (fminf(w, e) < here) up.x = (double)(e < w ? here - e : w - here);
  if (fminf(s, n) < here) up.y = (double)(n < s ? here - n : s - here);
  return up;
}

/* Blends the slopes of the four cells around a place, weighted by nearness, so that headings turn without jumps. */
static gradient blended(const th_explore_map *map, const th_ground *ground, th_vec2 at, bool by_left) {
  const th_flat_ground *flat = ground->flat;
  uint32_t width = map->head->width;
  float fi = (at.x - flat->x0) * flat->inverse_cell - 0.5f, fj = (at.y - flat->y0) * flat->inverse_cell - 0.5f;
  fi = fmaxf(fminf(fi, (float)width - 2.5f), 1.0f);
  fj = fmaxf(fminf(fj, (float)map->head->height - 2.5f), 1.0f);
  uint32_t i = (uint32_t)fi, j = (uint32_t)fj, c = j * width + i;
  double a = (double)(fi - (float)i), b = (double)(fj - (float)j);
  const uint32_t cell[4] = {c, c + 1, c + width, c + width + 1};
  const double weight[4] = {(1 - a) * (1 - b), a * (1 - b), (1 - a) * b, a * b};
  gradient sum = {0.0, 0.0};
  for (int k = 0; k < 4; k++) {
    if (weight[k] == 0.0) continue;
    gradient one = slope(map, cell[k], by_left);
    sum.x += weight[k] * one.x;
    sum.y += weight[k] * one.y;
  }
  return sum;
}

static th_vec2 direction_from(const void *memory, const th_ground *ground, th_place place, bool by_left) {
  th_explore_map map = th_explore_flat_open(memory);
  gradient up = blended(&map, ground, (th_vec2){place.x, place.y}, by_left);
  if (up.x == 0.0 && up.y == 0.0) { /* flat, or between walls: to the best cell near by */
    uint32_t best = th_explore_stand(&map, place.cell, by_left);
    up.x = (double)(ground->flat->x0 + ((float)(best % ground->flat->width) + 0.5f) * ground->cell - place.x);
    up.y = (double)(ground->flat->y0 + ((float)(best / ground->flat->width) + 0.5f) * ground->cell - place.y);
  }
  return th_explore_unit(up.x, up.y);
}

static const uint8_t *mark_of(const void *memory, const th_ground *ground) {
  (void)ground;
  return th_explore_flat_open(memory).mark;
}

static bool is_open(const void *memory, const th_ground *ground, th_place place) {
  (void)ground;
  th_explore_map map = th_explore_flat_open(memory);
  return map.mark[th_explore_stand(&map, place.cell, false)] & TH_EXPLORE_OPEN;
}

static float left_from(const void *memory, const th_ground *ground, th_place place) {
  (void)ground;
  th_explore_map map = th_explore_flat_open(memory);
  return map.left[th_explore_stand(&map, place.cell, true)];
}

const th_explore_kind th_explore_on_flat = {
    .size = size,
    .init = init,
    .forget = forget,
    .sense = sense,
    .seek = seek,
    .find_open = find_open,
    .measure = measure,
    .relax = relax,
    .mark = mark_of,
    .is_open = is_open,
    .left = left_from,
    .direction = direction_from,
};
