/* guide/explore/flat_sense.c - writes what an explorer sees into the map.
 *
 * A cell is seen when it lies within the sight distance and no solid cell stands on the line between the two centres
 * (Bresenham 1965, in the symmetric form with rounded steps; a step through a corner needs one of the two cells beside
 * it). Lines are drawn only to cells that the map does not know or knows differently, so an explorer on known ground
 * costs one comparison per cell of its disc; a disc of R cells costs at most about 2 R^3 steps of lines.
 */
#include <stdlib.h>

#include "guide/explore/explore.h"

/* a * s / n, rounded to the nearest, halves up. */
static int32_t along(int32_t a, int32_t s, int32_t n) {
  int32_t twice = 2 * a * s + n, q = twice / (2 * n);
  return q - (twice % (2 * n) < 0);
}

bool th_explore_sees(const th_ground *ground, uint32_t from, uint32_t to) {
  int32_t width = (int32_t)ground->flat->width, i0 = (int32_t)from % width, j0 = (int32_t)from / width;
  int32_t di = (int32_t)to % width - i0, dj = (int32_t)to / width - j0;
  int32_t n = abs(di) > abs(dj) ? abs(di) : abs(dj), i = i0, j = j0;
  const uint8_t *solid = ground->flat->solid;
  for (int32_t s = 1; s <= n; s++) {
    int32_t ni = i0 + along(di, s, n), nj = j0 + along(dj, s, n);
    if (ni != i && nj != j && solid[j * width + ni] && solid[nj * width + i]) return false;
    if (s < n && solid[nj * width + ni]) return false;
    i = ni, j = nj;
  }
  return true;
}

static uint8_t look_of(const th_explore_map *map, const th_ground *ground, uint32_t cell) {
  return ground->flat->blocked[map->head->radius_class][cell] ? TH_EXPLORE_KNOWN | TH_EXPLORE_BLOCKED
                                                              : TH_EXPLORE_KNOWN;
}

static void learn(th_explore_map *map, uint32_t cell, uint8_t look) {
  th_explore_head *head = map->head;
  th_explore_box *known = &head->known;
  uint32_t i = cell % head->width, j = cell / head->width;
  if (!(map->mark[cell] & TH_EXPLORE_KNOWN)) head->sensed++;
  uint8_t kept = map->mark[cell] & TH_EXPLORE_TARGET;
  map->mark[cell] = (uint8_t)(look | kept | (look & TH_EXPLORE_BLOCKED ? 0 : TH_EXPLORE_OPEN));
  if (look & TH_EXPLORE_BLOCKED) map->u[cell] = 0.0;
  head->fresh = head->stale = 1;
  if (i < known->i0) known->i0 = i;
  if (j < known->j0) known->j0 = j;
  if (i >= known->i1) known->i1 = i + 1;
  if (j >= known->j1) known->j1 = j + 1;
}

void th_explore_sense(th_explore_map *map, const th_guide_update *update, uint32_t explorer) {
  const th_explore_params *params = update->params;
  const th_ground *ground = update->ground;
  const th_explore_head *head = map->head;
  uint32_t from = update->place[explorer].cell;
  th_explore_box box = th_explore_window(map, from, params->sight);
  float reach = params->sight / head->cell, ci = (float)(from % head->width), cj = (float)(from / head->width);
  const uint8_t both = TH_EXPLORE_KNOWN | TH_EXPLORE_BLOCKED;
  for (uint32_t j = box.j0; j < box.j1; j++) {
    for (uint32_t i = box.i0; i < box.i1; i++) {
      uint32_t cell = j * head->width + i;
      uint8_t look = look_of(map, ground, cell);
      if ((map->mark[cell] & both) == look) continue;
      float di = (float)i - ci, dj = (float)j - cj;
      if (!params->through_walls && (di * di + dj * dj > reach * reach || !th_explore_sees(ground, from, cell)))
        continue;
      learn(map, cell, look);
    }
  }
}
