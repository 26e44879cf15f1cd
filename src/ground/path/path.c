/* ground/path/path.c - the shortest path between two places, for a body of some radius. */
#include <math.h>

#include "base/memory.h"
#include "ground/path/search.h"
#include "ground/path/shelf.h"

static th_place place_at(const th_ground *ground, th_point p) {
  return th_ground_locate(ground, (float)p.x, (float)p.y);
}

/* A place near a wall stands for the nearest one that the body has room at. */
static th_free_spot spot_of(const th_free_space *space, th_place place, uint32_t part) {
  const th_point p = {(double)place.x, (double)place.y};
  const th_free_spot spot = th_free_space_locate(space, p);
  return spot.face != TH_NOWHERE ? spot : th_free_space_nearest(space, p, part);
}

static uint32_t flat_path(const th_ground *ground, const th_free_space *space, const th_place end[2], th_place *place,
                          uint32_t capacity) {
  const th_allocator *a = &ground->env.allocator;
  const th_free_spot from = spot_of(space, end[0], TH_ANY_PART);
  if (from.face == TH_NOWHERE) return 0;
  const th_free_spot ends[2] = {from, spot_of(space, end[1], space->part[from.face])};
  th_path_search *search = th_path_search_make(space);
  th_point *corner = capacity ? TH_TAKE(a, th_point, capacity) : NULL;
  th_path_found found = {0};
  if (search && (corner || !capacity))
    found = th_path_search_run(search, ends, UINT32_MAX, corner, capacity ? capacity - 1 : 0);
  if (!found.whole) found.count = 0;
  if (found.count && capacity) place[0] = place_at(ground, from.at);
  for (uint32_t i = 0; i < found.count && i + 1 < capacity; i++) place[i + 1] = place_at(ground, corner[i]);
  if (corner) TH_GIVE(a, corner, capacity);
  th_path_search_free(search);
  return found.count ? found.count + 1 : 0;
}

uint32_t th_ground_path(const th_ground *ground, th_place from, th_place to, float radius, th_place *place,
                        uint32_t capacity) {
  th_path_ground on;
  if (from.cell == TH_NO_CELL || to.cell == TH_NO_CELL) return 0;
  if (th_path_shelf_find(ground, th_ground_class(ground, radius), &on, NULL)) return 0;
  const th_place end[2] = {from, to};
  if (!on.space) return th_portal_search_query(ground, on.portals, end, place, capacity);
  return flat_path(ground, on.space, end, place, capacity);
}
