/* io/scene/mesh.c - the mesh ground of a scene.
 *
 * The mesh comes from a file, is made by its parameters or is that of a building, whose levels and classes it keeps;
 * obstacles, doors and terrain of the scene become regions of it: a polygon becomes a prism between two heights, a ball
 * stays a ball. When the mesh or the ground is refused, the error names its position in the scene file. Cost: that of
 * th_ground_make_mesh.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "geometry/shape.h"
#include "io/building/read.h"
#include "io/scene/world.h"
#include "throng/mesh_file.h"

#define EVERYWHERE 1e6f /* radius of a ball that holds every mesh that is taken [m] */

/* What a surface def points to while it is made. */
typedef struct parts {
  th_building source; /* the mesh, its levels and its own classes */
  th_region *blocked;
  th_mesh_door *door;
  th_face_class *class;
  uint8_t *class_of;
  uint32_t blocked_count, door_count, class_count, faces;
} parts;

th_region th_scene_region(const th_scene_area *area) {
  const th_shape *shape = &area->shape;
  th_region region = {.name = area->name, .low = area->low, .high = area->high};
  if (shape->kind == TH_SHAPE_DISC) {
    region.kind = TH_REGION_BALL;
    region.centre = shape->point[0];
    region.radius = shape->radius < EVERYWHERE ? shape->radius : EVERYWHERE;
    return region;
  }
  region.kind = TH_REGION_PRISM;
  region.outline = th_scene_polygon(area->name, shape).point;
  region.outline_count = shape->count;
  return region;
}

static bool take_parts(const th_env *env, const th_scene_ground *from, parts *p) {
  const th_allocator *a = &env->allocator;
  p->blocked_count = from->obstacle_count;
  p->door_count = from->door_count;
  p->class_count = from->mesh->terrain_count + p->source.class_count;
  p->faces = p->source.mesh.face_count;
  p->blocked = TH_TAKE(a, th_region, p->blocked_count);
  p->door = TH_TAKE(a, th_mesh_door, p->door_count);
  p->class = TH_TAKE(a, th_face_class, p->class_count);
  p->class_of = TH_TAKE(a, uint8_t, p->faces);
  return p->blocked && p->door && p->class && p->class_of;
}

static void give_parts(const th_env *env, parts *p) {
  const th_allocator *a = &env->allocator;
  TH_GIVE(a, p->blocked, p->blocked_count);
  TH_GIVE(a, p->door, p->door_count);
  TH_GIVE(a, p->class, p->class_count);
  TH_GIVE(a, p->class_of, p->faces);
  th_building_free(&p->source);
}

static th_vec3 centroid(const th_mesh *mesh, uint32_t face) {
  double sum[3] = {0, 0, 0};
  for (uint32_t k = 0; k < 3; k++)
    for (uint32_t i = 0; i < 3; i++) sum[i] += mesh->xyz[3 * (size_t)mesh->corner[3 * face + k] + i] / 3.0;
  return (th_vec3){(float)sum[0], (float)sum[1], (float)sum[2]};
}

static void paint_terrain(const th_scene_mesh *from, parts *p) {
  uint32_t own = p->source.class_count;
  for (uint32_t i = 0; i < own; i++) p->class[i] = p->source.face_class[i];
  for (uint32_t face = 0; face < p->faces; face++) p->class_of[face] = p->source.class_of[face];
  for (uint32_t i = 0; i < from->terrain_count; i++) {
    const th_scene_terrain *terrain = &from->terrain[i];
    p->class[own + i] =
        (th_face_class){terrain->area.name, terrain->speed, terrain->blocked, terrain->speed_up, terrain->speed_down};
    for (uint32_t face = 0; face < p->faces; face++) {
      th_vec3 c = centroid(&p->source.mesh, face);
      bool high = c.z >= terrain->area.low && c.z <= terrain->area.high;
      if (high && th_shape_holds(&terrain->area.shape, (double)c.x, (double)c.y, (double)c.z))
        p->class_of[face] = (uint8_t)(own + i);
    }
  }
}

static void fill_parts(const th_scene_ground *from, parts *p) {
  for (uint32_t i = 0; i < p->blocked_count; i++) p->blocked[i] = th_scene_region(&from->obstacle[i]);
  for (uint32_t i = 0; i < p->door_count; i++)
    p->door[i] = (th_mesh_door){th_scene_region(&from->door[i]), from->door[i].closed};
  paint_terrain(from->mesh, p);
}

/* A made surface has one class and no levels. */
static th_result make_mesh(const th_scene *scene, const th_env *env, th_building *source, th_error *error) {
  th_error found = {0};
  th_make_params make = *scene->ground.mesh->make;
  make.env = *env;
  th_result result = th_mesh_generate(&make, &source->mesh, &found);
  if (result != TH_OK)
    return th_scene_fail(scene, error, result, "/ground/mesh/make", "%s: %s", found.where, found.text);
  source->face_count = source->mesh.face_count;
  source->class_count = 1;
  source->level_of = TH_TAKE(&env->allocator, int32_t, source->face_count);
  source->class_of = TH_TAKE(&env->allocator, uint8_t, source->face_count);
  source->face_class = TH_TAKE(&env->allocator, th_face_class, 1);
  if (!source->level_of || !source->class_of || !source->face_class) return th_fail_memory(error, scene->path);
  source->face_class[0] = (th_face_class){.name = "plain", .speed = 1.0f};
  return TH_OK;
}

static th_result make_building(const th_scene *scene, const th_env *env, th_building *source, th_error *error) {
  char inside[TH_JSON_POINTER], pointer[TH_JSON_POINTER + 32];
  th_error found = {0};
  th_result result = th_building_of_text(env, scene->ground.mesh->building, source, inside, &found);
  if (result == TH_OK) return TH_OK;
  snprintf(pointer, sizeof pointer, "/ground/mesh/building%s", inside);
  return th_scene_fail(scene, error, result, pointer, "%s", found.text);
}

static th_result load_mesh(const th_scene *scene, const th_env *env, th_building *source, th_error *error) {
  const th_scene_mesh *from = scene->ground.mesh;
  th_error found = {0};
  *source = (th_building){.allocator = env->allocator};
  if (from->make) return make_mesh(scene, env, source, error);
  if (from->building) return make_building(scene, env, source, error);
  char path[1024];
  if (*from->file == '/')
    snprintf(path, sizeof path, "%s", from->file);
  else
    snprintf(path, sizeof path, "%s/%s", scene->folder, from->file);
  th_mesh_def def = from->def;
  def.env = *env;
  def.where = path;
  th_result result = th_building_load(&def, path, source, &found);
  if (result == TH_OK) return TH_OK;
  if (found.line)
    return th_scene_fail(scene, error, result, "/ground/mesh/file", "%s:%u: %s", path, found.line, found.text);
  return th_scene_fail(scene, error, result, "/ground/mesh/file", "%s: %s", path, found.text);
}

/* The ground names its list and element; this adds their position in the file. */
static th_result retell(const th_scene *scene, const th_error *found, th_result code, th_error *error) {
  static const char *const key[][2] = {
      {"blocked", "obstacles"}, {"door", "doors"}, {"radius_class", "radius_classes"}, {"face_class", "mesh/terrain"}};
  char pointer[64] = "/ground/mesh";
  for (size_t i = 0; i < sizeof key / sizeof *key; i++) {
    if (strcmp(found->where, key[i][0]) != 0) continue;
    if (found->element == TH_NO_ELEMENT)
      snprintf(pointer, sizeof pointer, "/ground/%s", key[i][1]);
    else
      snprintf(pointer, sizeof pointer, "/ground/%s/%u", key[i][1], found->element);
  }
  return th_scene_fail(scene, error, code, pointer, "%s", found->text);
}

static th_result make_ground(const th_scene *scene, const th_env *env, const parts *p, th_ground **ground,
                             th_error *error) {
  const th_scene_ground *from = &scene->ground;
  th_mesh_ground_def def = from->mesh->ground;
  def.env = *env;
  def.mesh = &p->source.mesh;
  def.blocked = p->blocked;
  def.blocked_count = p->blocked_count;
  def.door = p->door;
  def.door_count = p->door_count;
  def.face_class = p->class;
  def.face_class_count = p->class_count;
  def.class_of = p->class_of;
  def.level_of = p->source.level_of;
  memcpy(def.radius_class, from->def.radius_class, sizeof def.radius_class);
  def.class_count = from->def.class_count;
  def.markers = from->markers.def;
  th_error found = {0};
  th_result result = th_ground_make_mesh(&def, ground, &found);
  return result == TH_OK ? TH_OK : retell(scene, &found, result, error);
}

/* The mesh that the scene names, and the other parts of its ground. */
static th_result load_parts(const th_scene *scene, const th_env *env, parts *p, th_error *error) {
  memset(p, 0, sizeof *p);
  th_result result = load_mesh(scene, env, &p->source, error);
  if (result != TH_OK) return result;
  uint32_t max = TH_MAX_FACE_CLASSES - p->source.class_count;
  if (scene->ground.mesh->terrain_count > max)
    return th_scene_fail(scene, error, TH_ERROR_CAPACITY, "/ground/mesh/terrain",
                         "expected at most %u kinds of terrain, found %u", max, scene->ground.mesh->terrain_count);
  if (!take_parts(env, &scene->ground, p)) return th_fail_memory(error, scene->path);
  fill_parts(&scene->ground, p);
  return TH_OK;
}

th_result th_scene_make_mesh_ground(const th_scene *scene, const th_env *env, th_ground **ground, th_error *error) {
  parts p;
  th_result result = load_parts(scene, env, &p, error);
  if (result == TH_OK) result = make_ground(scene, env, &p, ground, error);
  give_parts(env, &p);
  return result;
}

/* The names of all classes in one block, which is theirs from now on. */
static bool own_names(const th_allocator *a, parts *p, char **names, size_t *size) {
  *size = 0;
  for (uint32_t i = 0; i < p->class_count; i++) {
    if (!p->class[i].name) p->class[i].name = "terrain";
    *size += strlen(p->class[i].name) + 1;
  }
  char *to = *names = TH_TAKE(a, char, *size);
  for (uint32_t i = 0; to && i < p->class_count; i++) {
    size_t length = strlen(p->class[i].name) + 1;
    memcpy(to, p->class[i].name, length);
    p->class[i].name = to;
    to += length;
  }
  return *names != NULL;
}

th_result th_scene_make_building(const th_scene *scene, th_building *building, th_error *error) {
  const th_env full = *th_scene_memory_env(scene->memory);
  *building = (th_building){0};
  if (!scene->ground.mesh)
    return th_fail(error, TH_ERROR_STATE, scene->path, "expected a scene on mesh ground, found flat ground");
  parts p;
  char *names = NULL;
  size_t size = 0;
  th_result result = load_parts(scene, &full, &p, error);
  if (result == TH_OK && !own_names(&full.allocator, &p, &names, &size)) result = th_fail_memory(error, scene->path);
  if (result == TH_OK) { /* painted classes for those of the file, which go with the parts */
    th_building old = p.source;
    *building = old;
    building->class_of = p.class_of;
    building->face_class = p.class;
    building->class_count = p.class_count;
    building->names = names;
    building->tail.names_size = size;
    p.source = (th_building){.allocator = full.allocator,
                             .face_count = old.face_count,
                             .class_count = old.class_count,
                             .class_of = old.class_of,
                             .face_class = old.face_class,
                             .names = old.names,
                             .tail.names_size = old.tail.names_size};
    p.class_of = NULL;
    p.class = NULL;
  }
  give_parts(&full, &p);
  return result;
}
