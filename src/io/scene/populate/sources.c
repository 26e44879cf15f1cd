/* io/scene/populate/sources.c - sources of a scene, as sources of a world.
 *
 * What they emit is made of the same crowd as populations are; whom they emit where is drawn by the world. Cost:
 * constant per source.
 */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "geometry/shape.h"
#include "ground/ground.h"
#include "io/scene/run.h"

/* The region of a source, seen from above; on a mesh its height goes to the agents. Of a ball (or everywhere) it is the
 * octagon in it. `corner` is the memory for that. */
static th_polygon region_of(const th_ground *ground, const th_scene_source *from, th_vec2 corner[8], float *height) {
  static const th_vec2 octagon[8] = {{1, 0},  {0.7071f, 0.7071f},   {0, 1},  {-0.7071f, 0.7071f},
                                     {-1, 0}, {-0.7071f, -0.7071f}, {0, -1}, {0.7071f, -0.7071f}};
  const th_shape *shape = &from->region;
  *height = th_shape_middle(shape).z;
  if (shape->kind != TH_SHAPE_DISC) return th_scene_polygon(from->name, shape);
  th_vec2 lower, upper, middle = {shape->point[0].x, shape->point[0].y};
  float radius = shape->radius;
  th_ground_bounds(ground, &lower, &upper);
  if (!(radius < INFINITY)) {
    middle = (th_vec2){0.5f * (lower.x + upper.x), 0.5f * (lower.y + upper.y)};
    radius = upper.x - lower.x + upper.y - lower.y;
  }
  for (int i = 0; i < 8; i++) corner[i] = (th_vec2){middle.x + radius * octagon[i].x, middle.y + radius * octagon[i].y};
  return (th_polygon){from->name, corner, 8};
}

th_result th_run_make_source(th_run *run, const th_scene_source *from, th_source_id *id, th_error *error) {
  th_source_def def = from->def;
  def.agent = th_run_crowd_def(run, &from->crowd);
  def.spread = from->crowd.spread;
  th_run_link(run, &from->crowd, TH_NULL_AGENT, &def.agent);
  th_vec2 corner[8];
  def.region = region_of(th_world_ground(run->world), from, corner, &def.agent.point.z);
  def.agent.level = from->region.level;
  return th_world_add_source(run->world, &def, id, error);
}

th_result th_run_add_sources(th_run *run, th_error *error) {
  for (uint32_t i = 0; i < run->scene->source_count; i++) {
    th_error found = {0};
    th_source_id id;
    th_result result = th_run_make_source(run, &run->scene->source[i], &id, &found);
    if (result == TH_OK) run->list[TH_NAMED_SOURCE].item[i].id = TH_ID(id);
    if (result == TH_OK) continue;
    char pointer[48];
    snprintf(pointer, sizeof pointer, "/sources/%u", i);
    return th_scene_fail(run->scene, error, found.code ? found.code : result, pointer, "%s: %s", found.where,
                         found.text);
  }
  return TH_OK;
}
