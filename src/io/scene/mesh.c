/* io/scene/mesh.c - the mesh ground of a scene.
 *
 * The mesh comes from a file, is made by its parameters or is that of a building, whose levels and terrains it keeps;
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

#define EVERYWHERE 1e6f /* radius of a ball that holds every mesh that is taken [m] */

/* What a surface def points to while it is made. */
typedef struct parts {
  th_building source; /* the mesh, its levels and its own terrains */
  th_region *blocked;
  th_mesh_door *door;
  th_terrain *terrain;
  uint8_t *terrain_of;
  uint32_t blocked_count, door_count, terrain_count, faces;
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
  p->terrain_count = from->mesh->terrain_count + p->source.terrain_count;
  p->faces = p->source.mesh.face_count;
  p->blocked = TH_TAKE(a, th_region, p->blocked_count);
  p->door = TH_TAKE(a, th_mesh_door, p->door_count);
  p->terrain = TH_TAKE(a, th_terrain, p->terrain_count);
  p->terrain_of = TH_TAKE(a, uint8_t, p->faces);
  return p->blocked && p->door && p->terrain && p->terrain_of;
}

static void give_parts(const th_env *env, parts *p) {
  const th_allocator *a = &env->allocator;
  TH_GIVE(a, p->blocked, p->blocked_count);
  TH_GIVE(a, p->door, p->door_count);
  TH_GIVE(a, p->terrain, p->terrain_count);
  TH_GIVE(a, p->terrain_of, p->faces);
  th_building_free(&p->source);
}

static th_vec3 centroid(const th_mesh *mesh, uint32_t face) {
  double sum[3] = {0, 0, 0};
  for (uint32_t k = 0; k < 3; k++)
    for (uint32_t i = 0; i < 3; i++) sum[i] += mesh->xyz[3 * (size_t)mesh->corner[3 * face + k] + i] / 3.0;
  return (th_vec3){(float)sum[0], (float)sum[1], (float)sum[2]};
}

static void paint_terrain(const th_scene_mesh *from, parts *p) {
  uint32_t own = p->source.terrain_count;
  for (uint32_t i = 0; i < own; i++) p->terrain[i] = p->source.terrain[i];
  for (uint32_t face = 0; face < p->faces; face++) p->terrain_of[face] = p->source.terrain_of[face];
  for (uint32_t i = 0; i < from->terrain_count; i++) {
    const th_scene_terrain *terrain = &from->terrain[i];
    p->terrain[own + i] =
        (th_terrain){terrain->area.name, terrain->speed, terrain->blocked, terrain->speed_up, terrain->speed_down};
    for (uint32_t face = 0; face < p->faces; face++) {
      th_vec3 c = centroid(&p->source.mesh, face);
      bool high = c.z >= terrain->area.low && c.z <= terrain->area.high;
      if (high && th_shape_holds(&terrain->area.shape, (double)c.x, (double)c.y, (double)c.z))
        p->terrain_of[face] = (uint8_t)(own + i);
    }
  }
}

static void fill_parts(const th_scene_ground *from, parts *p) {
  for (uint32_t i = 0; i < p->blocked_count; i++) p->blocked[i] = th_scene_region(&from->obstacle[i]);
  for (uint32_t i = 0; i < p->door_count; i++)
    p->door[i] = (th_mesh_door){th_scene_region(&from->door[i]), from->door[i].closed};
  paint_terrain(from->mesh, p);
}

/* A made surface has one terrain and no levels. */
static th_result make_mesh(const th_scene *scene, const th_env *env, th_building *source, th_error *error) {
  th_error found = {0};
  th_make_params make = *scene->ground.mesh->make;
  make.env = *env;
  th_result result = th_mesh_generate(&make, &source->mesh, &found);
  if (result != TH_OK)
    return th_scene_fail(scene, error, result, "/ground/mesh/make", "%s: %s", found.where, found.text);
  source->face_count = source->mesh.face_count;
  source->terrain_count = 1;
  source->level_of = TH_TAKE(&env->allocator, int32_t, source->face_count);
  source->terrain_of = TH_TAKE(&env->allocator, uint8_t, source->face_count);
  source->terrain = TH_TAKE(&env->allocator, th_terrain, 1);
  if (!source->level_of || !source->terrain_of || !source->terrain) return th_fail_memory(error, scene->path);
  source->terrain[0] = (th_terrain){.name = "plain", .speed = 1.0f};
  return TH_OK;
}

static th_result make_building(const th_scene *scene, const th_env *env, th_building *source, th_error *error) {
  char inside[TH_JSON_POINTER], pointer[TH_JSON_POINTER + 32];
  th_error found = {0};
  th_result result = th_building_read_text(env, scene->ground.mesh->building, source, inside, &found);
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
  th_mesh_def def = from->def;
  def.env = *env;
  th_result result = th_building_file_fetch(scene->files, &def, &from->axes, from->file, source, &found);
  if (result == TH_OK) return TH_OK;
  if (found.line)
    return th_scene_fail(scene, error, result, "/ground/mesh/file", "%s:%u: %s", found.where, found.line, found.text);
  return th_scene_fail(scene, error, result, "/ground/mesh/file", "%s: %s", found.where, found.text);
}

static const char *const places[][2] = {{"blocked", "/obstacles"},
                                        {"door", "/doors"},
                                        {"radius_class", "/radius_classes"},
                                        {"terrain", "/mesh/terrain"},
                                        {NULL, "/mesh"}};

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
  def.terrain = p->terrain;
  def.terrain_count = p->terrain_count;
  def.terrain_of = p->terrain_of;
  def.level_of = p->source.level_of;
  memcpy(def.radius_class, from->def.radius_class, sizeof def.radius_class);
  def.class_count = from->def.class_count;
  def.markers = from->markers.def;
  th_error found = {0};
  th_result result = th_ground_make_mesh(&def, ground, &found);
  return result == TH_OK ? TH_OK : th_scene_retell(scene, &found, result, places, error);
}

/* The mesh that the scene names, and the other parts of its ground. */
static th_result load_parts(const th_scene *scene, const th_env *env, parts *p, th_error *error) {
  memset(p, 0, sizeof *p);
  th_result result = load_mesh(scene, env, &p->source, error);
  if (result != TH_OK) return result;
  uint32_t max = TH_MAX_TERRAINS - p->source.terrain_count;
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

/* The names of all terrains in one block, which is theirs from now on. */
static bool own_names(const th_allocator *a, parts *p, char **names, size_t *size) {
  *size = 0;
  for (uint32_t i = 0; i < p->terrain_count; i++) {
    if (!p->terrain[i].name) p->terrain[i].name = "terrain";
    *size += strlen(p->terrain[i].name) + 1;
  }
  char *to = *names = TH_TAKE(a, char, *size);
  for (uint32_t i = 0; to && i < p->terrain_count; i++) {
    size_t length = strlen(p->terrain[i].name) + 1;
    memcpy(to, p->terrain[i].name, length);
    p->terrain[i].name = to;
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
  if (result == TH_OK) { /* painted terrains for those of the file, which go with the parts */
    th_building old = p.source;
    *building = old;
    building->terrain_of = p.terrain_of;
    building->terrain = p.terrain;
    building->terrain_count = p.terrain_count;
    building->names = names;
    building->tail.names_size = size;
    p.source = (th_building){.allocator = full.allocator,
                             .face_count = old.face_count,
                             .terrain_count = old.terrain_count,
                             .terrain_of = old.terrain_of,
                             .terrain = old.terrain,
                             .names = old.names,
                             .tail.names_size = old.tail.names_size};
    p.terrain_of = NULL;
    p.terrain = NULL;
  }
  give_parts(&full, &p);
  return result;
}
