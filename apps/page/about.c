/* apps/page/about.c - what there is in a run now, as one JSON text: goals, guides, doors, populations, groups, sources.
 *
 * Lists hold what has a name and is not gone, those of events included, so a page that edits reads what it has made.
 * Names and texts leave as JSON strings; who shows them must take them as text, never as markup.
 */
#include <jansson.h>
#include <math.h>

#include "io/scene/run.h"
#include "page.h"
#include "throng/guide.h"
#include "throng/model.h"
#include "throng/param.h"
#include "throng/watch.h"

json_t *th_page_shape(const th_shape *shape) {
  json_t *points = json_array();
  for (uint32_t i = 0; i < shape->count; i++) json_array_append_new(points, th_page_vector(shape->point[i]));
  double radius = isfinite(shape->radius) ? (double)shape->radius : 0;
  return json_pack("{s:i, s:f, s:i, s:b, s:o}", "kind", (int)shape->kind, "radius", radius, "level", (int)shape->level,
                   "apart", shape->apart, "points", points);
}

static json_t *describe_goal(const th_page *page, uint32_t item, const char *name) {
  th_goal_id id = th_run_goal_at(page->run, item);
  th_goal_def def;
  if (!th_world_has_goal(th_page_world(page), id) || !th_world_goal_def(th_page_world(page), id, &def)) return NULL;
  return json_pack("{s:s, s:I, s:o}", "name", name, "id", (json_int_t)id.index, "shape", th_page_shape(&def.shape));
}

json_t *th_page_params(const th_param *row, uint32_t count, const void *values) {
  char text[TH_PARAM_TEXT_MAX];
  json_t *all = json_object();
  for (uint32_t i = 0; i < count && values; i++) {
    th_param_get(&row[i], values, text, sizeof text);
    json_object_set_new(all, row[i].name, json_string(text));
  }
  return all;
}

static json_t *describe_guide(const th_page *page, uint32_t item, const char *name) {
  const th_world *world = th_page_world(page);
  th_guide_id id = th_run_guide_at(page->run, item);
  if (!th_world_has_guide(world, id)) return NULL;
  const th_guide *kind = th_world_guide_kind(world, id);
  const th_path_params *path = kind == &th_guide_path ? th_world_guide_params(world, id) : NULL;
  json_t *points = json_array();
  for (uint32_t i = 0; path && i < path->count; i++) json_array_append_new(points, th_page_vector(path->point[i]));
  return json_pack("{s:s, s:I, s:s, s:o, s:b, s:o}", "name", name, "id", (json_int_t)id.index, "kind", kind->name,
                   "params", th_page_params(kind->param, kind->param_count, th_world_guide_params(world, id)), "closed",
                   path && path->closed, "points", points);
}

static json_t *corners_of(const th_polygon *polygon, float z) {
  json_t *points = json_array();
  for (uint32_t i = 0; i < polygon->count; i++)
    json_array_append_new(points, th_page_vector((th_vec3){polygon->point[i].x, polygon->point[i].y, z}));
  return points;
}

static json_t *describe_source(const th_page *page, uint32_t item, const char *name) {
  th_source_id id = th_run_source_at(page->run, item);
  th_source_def def;
  if (!th_world_source_def(th_page_world(page), id, &def)) return NULL;
  return json_pack("{s:s, s:I, s:o}", "name", name, "id", (json_int_t)id.index, "shape",
                   json_pack("{s:i, s:f, s:o}", "kind", (int)TH_SHAPE_POLYGON, "radius", 0.0, "points",
                             corners_of(&def.region, def.agent.point.z)));
}

/* Outlines one after the other, as polygons. */
static json_t *describe_group(const th_page *page, uint32_t item, const char *name) {
  const th_world *world = th_page_world(page);
  th_group_id id = th_run_group_at(page->run, item);
  th_group_def def;
  if (!th_world_has_group(world, id) || !th_world_group_def(world, id, &def)) return NULL;
  json_t *areas = json_array();
  for (uint32_t k = 0; k < def.area_count; k++) json_array_append_new(areas, corners_of(&def.area[k], 0));
  return json_pack("{s:s, s:I, s:I, s:o}", "name", name, "id", (json_int_t)id.index, "members",
                   (json_int_t)th_world_group_members(world, id, NULL, 0), "areas", areas);
}

typedef json_t *(*describer)(const th_page *page, uint32_t item, const char *name);

static json_t *list_of(const th_page *page, th_named kind, describer describe) {
  const th_run_list *list = &page->run->list[kind];
  json_t *all = json_array();
  for (uint32_t i = 0; i < list->count; i++) {
    const th_run_item *item = &list->item[i];
    json_t *one = item->gone ? NULL : describe(page, i, item->name ? item->name : "");
    if (one) json_array_append_new(all, one);
  }
  return all;
}

/* Those of the scene; barriers.c has all, as they are now. */
static json_t *list_doors(const th_page *page) {
  json_t *list = json_array();
  const th_scene_ground *ground = &page->scene->ground;
  for (uint32_t i = 0; i < ground->door_count; i++) {
    const th_scene_area *door = &ground->door[i];
    json_array_append_new(list, json_pack("{s:s, s:b, s:o}", "name", door->name ? door->name : "", "closed",
                                          door->closed, "shape", th_page_shape(&door->shape)));
  }
  return list;
}

/* By number, as agents name theirs: those that are gone keep their place. */
static json_t *list_populations(const th_page *page) {
  const th_run_list *list = &page->run->list[TH_NAMED_POPULATION];
  json_t *all = json_array();
  for (uint32_t i = 0; i < list->count; i++)
    json_array_append_new(all, json_string(list->item[i].name ? list->item[i].name : ""));
  return all;
}

static json_t *list_models(void) {
  json_t *list = json_array();
  for (const th_model *const *model = th_models(); *model; model++)
    json_array_append_new(list, json_string((*model)->name));
  return list;
}

const char *th_page_about(th_page *page) {
  const th_scene *scene = page->scene;
  json_t *root = json_object();
  json_object_set_new(root, "name", json_string(th_scene_name(scene)));
  json_object_set_new(root, "description", json_string(scene->description ? scene->description : ""));
  json_object_set_new(root, "dt", json_real((double)th_world_dt(th_page_world(page))));
  json_object_set_new(root, "duration", json_real((double)th_run_duration(page->run)));
  json_object_set_new(root, "seed", json_integer((json_int_t)th_run_seed(page->run)));
  json_object_set_new(root, "mesh", json_boolean(th_ground_mesh(th_world_ground(th_page_world(page))) != NULL));
  json_object_set_new(root, "goals", list_of(page, TH_NAMED_GOAL, describe_goal));
  json_object_set_new(root, "doors", list_doors(page));
  json_object_set_new(root, "guides", list_of(page, TH_NAMED_GUIDE, describe_guide));
  json_object_set_new(root, "sources", list_of(page, TH_NAMED_SOURCE, describe_source));
  json_object_set_new(root, "groups", list_of(page, TH_NAMED_GROUP, describe_group));
  json_object_set_new(root, "populations", list_populations(page));
  json_object_set_new(root, "models", list_models());
  return th_page_say(page, root);
}
