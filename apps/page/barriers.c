/* apps/page/barriers.c - doors and obstacles as they stand in the world now, those of events included.
 *
 * A door that an event made is an obstacle of the world while it is closed, and nothing while it is open: it is told as
 * the door that it is.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "io/scene/run.h"
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

/* Doors that events have made. */
static void list_made(const th_page *page, json_t *list) {
  const th_run_list *doors = &page->run->list[TH_NAMED_DOOR];
  for (uint32_t i = 0; i < doors->count; i++) {
    const th_run_item *door = &doors->item[i];
    if (door->gone || !door->area) continue;
    json_array_append_new(list, json_pack("{s:s, s:b, s:b, s:o}", "name", door->name, "door", true, "closed",
                                          door->closed, "shape", th_page_shape(&door->area->shape)));
  }
}

static bool is_made_door(const th_page *page, const char *name) {
  const th_run_list *doors = &page->run->list[TH_NAMED_DOOR];
  for (uint32_t i = 0; name && i < doors->count; i++)
    if (!doors->item[i].gone && doors->item[i].area && strcmp(doors->item[i].name, name) == 0) return true;
  return false;
}

const char *th_page_barriers(th_page *page) {
  const th_world *world = th_page_world(page);
  const uint32_t count = th_world_barriers(world, NULL, 0);
  th_barrier *barrier = malloc((count + 1) * sizeof *barrier);
  const uint32_t found = barrier ? th_world_barriers(world, barrier, count) : 0;
  json_t *list = json_array();
  for (uint32_t i = 0; i < found; i++)
    if (!is_made_door(page, barrier[i].name)) json_array_append_new(list, describe(&barrier[i]));
  list_made(page, list);
  free(barrier);
  return th_page_say(page, list);
}
