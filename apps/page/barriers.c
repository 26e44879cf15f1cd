/* apps/page/barriers.c - doors and obstacles as they stand in the world now, those of events included. */
#include <jansson.h>
#include <stdlib.h>

#include "page.h"
#include "throng/watch.h"

static json_t *describe(const th_barrier *barrier) {
  json_t *points = json_array();
  const th_polygon *outline = &barrier->outline;
  for (uint32_t i = 0; i < outline->count; i++)
    json_array_append_new(points, th_page_vector((th_vec3){outline->point[i].x, outline->point[i].y, 0}));
  json_t *shape = json_pack("{s:i, s:f, s:o}", "kind", (int)TH_SHAPE_POLYGON, "radius", 0.0, "points", points);
  return json_pack("{s:s, s:b, s:b, s:o}", "name", barrier->name ? barrier->name : "", "door", barrier->door, "closed",
                   barrier->closed, "shape", shape);
}

const char *th_page_barriers(th_page *page) {
  const th_world *world = th_page_world(page);
  const uint32_t count = th_world_barriers(world, NULL, 0);
  th_barrier *barrier = malloc((count + 1) * sizeof *barrier);
  const uint32_t found = barrier ? th_world_barriers(world, barrier, count) : 0;
  json_t *list = json_array();
  for (uint32_t i = 0; i < found; i++) json_array_append_new(list, describe(&barrier[i]));
  free(barrier);
  return th_page_say(page, list);
}
