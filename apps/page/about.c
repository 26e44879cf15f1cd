/* apps/page/about.c - what a scene says of itself, as one JSON text: names, goals, doors, populations, models.
 *
 * Names and texts leave as JSON strings; who shows them must take them as text, never as markup.
 */
#include <jansson.h>
#include <math.h>

#include "page.h"
#include "throng/model.h"

static json_t *describe_shape(const th_shape *shape) {
  json_t *points = json_array();
  for (uint32_t i = 0; i < shape->count; i++) json_array_append_new(points, th_page_vector(shape->point[i]));
  double radius = isfinite(shape->radius) ? (double)shape->radius : 0;
  return json_pack("{s:i, s:f, s:o}", "kind", (int)shape->kind, "radius", radius, "points", points);
}

static json_t *list_goals(const th_page *page) {
  json_t *list = json_array();
  for (uint32_t i = 0; i < th_scene_goal_count(page->scene); i++) {
    th_goal_id id = th_run_goal(page->run, i);
    th_goal_def def;
    if (!th_world_has_goal(th_page_world(page), id) || !th_world_goal_def(th_page_world(page), id, &def)) continue;
    json_array_append_new(list, json_pack("{s:s, s:I, s:o}", "name", th_scene_goal_name(page->scene, i), "id",
                                          (json_int_t)id.index, "shape", describe_shape(&def.shape)));
  }
  return list;
}

static json_t *list_doors(const th_page *page) {
  json_t *list = json_array();
  const th_scene_ground *ground = &page->scene->ground;
  for (uint32_t i = 0; i < ground->door_count; i++) {
    const th_scene_area *door = &ground->door[i];
    json_array_append_new(list, json_pack("{s:s, s:b, s:o}", "name", door->name ? door->name : "", "closed",
                                          door->closed, "shape", describe_shape(&door->shape)));
  }
  return list;
}

static json_t *list_populations(const th_page *page) {
  json_t *list = json_array();
  for (uint32_t i = 0; i < th_scene_population_count(page->scene); i++) {
    const char *name = th_scene_population_name(page->scene, i);
    json_array_append_new(list, json_string(name ? name : ""));
  }
  return list;
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
  json_object_set_new(root, "dt", json_real((double)scene->world.dt));
  json_object_set_new(root, "duration", json_real((double)th_run_duration(page->run)));
  json_object_set_new(root, "seed", json_integer((json_int_t)th_run_seed(page->run)));
  json_object_set_new(root, "mesh", json_boolean(th_ground_mesh(th_world_ground(th_page_world(page))) != NULL));
  json_object_set_new(root, "goals", list_goals(page));
  json_object_set_new(root, "doors", list_doors(page));
  json_object_set_new(root, "populations", list_populations(page));
  json_object_set_new(root, "models", list_models());
  return th_page_say(page, root);
}
