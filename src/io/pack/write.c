/* io/pack/write.c - a scene and all that it names as one text.
 *
 * JSON, because every program that shows a scene can make and read it; ASCII without <, > and &, so that it may stand
 * in a page as it is; arrays as base64 of their bytes, the low byte first. The ground is made once before, so that a
 * pack is good when it is written. Cost: that of the ground and of the files.
 */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/building/read.h"
#include "io/pack/base64.h"
#include "io/pack/pack.h"
#include "io/scene/events/acts.h"
#include "io/text.h"

typedef struct packing {
  const th_scene *scene;
  const th_env *env;
  json_t *list; /* of files */
  json_t *mesh; /* the one that is being written */
} packing;

static json_t *base64_of(const packing *p, const void *bytes, size_t size) {
  const size_t length = th_base64_length(size);
  char *text = length < SIZE_MAX ? TH_TAKE(&p->env->allocator, char, length + 1) : NULL;
  if (!text) return NULL;
  th_base64_write(bytes, size, text);
  json_t *json = json_stringn_nocheck(text, length);
  TH_GIVE(&p->env->allocator, text, length + 1);
  return json;
}

/* ---------------------------------------------------------------- meshes */

/* As floats where every number is one: the reading library keeps no more, unless a shift was added. */
static bool put_points(packing *p, const th_mesh_def *def) {
  const size_t count = 3 * (size_t)def->vertex_count;
  bool narrow = true;
  for (size_t k = 0; k < count && narrow; k++) narrow = (double)(float)def->xyz_double[k] == def->xyz_double[k];
  if (!narrow)
    return json_object_set_new(p->mesh, "doubles", base64_of(p, def->xyz_double, count * sizeof(double))) == 0;
  float *xyz = TH_TAKE(&p->env->allocator, float, count);
  if (!xyz) return false;
  for (size_t k = 0; k < count; k++) xyz[k] = (float)def->xyz_double[k];
  const bool done = json_object_set_new(p->mesh, "floats", base64_of(p, xyz, count * sizeof *xyz)) == 0;
  TH_GIVE(&p->env->allocator, xyz, count);
  return done;
}

static th_result put_triangles(void *user, const th_mesh_def *def, th_error *error) {
  packing *p = user;
  bool done = json_object_set_new(p->mesh, "vertices", json_integer(def->vertex_count)) == 0;
  done = done && json_object_set_new(p->mesh, "faces", json_integer(def->face_count)) == 0 && put_points(p, def);
  done = done && !json_object_set_new(p->mesh, "corners", base64_of(p, def->corner, 12 * (size_t)def->face_count));
  return done ? TH_OK : th_fail_memory(error, def->where);
}

static bool put_marks(packing *p, const th_marks *marks) {
  if (!marks->terrain_count || !marks->count) return true;
  json_t *terrains = json_array();
  for (uint32_t i = 0; i < marks->terrain_count; i++) {
    const th_terrain *t = &marks->terrain[i];
    json_array_append_new(
        terrains, json_pack("{s:s, s:f, s:f, s:f, s:b}", "name", marks->name[i], "speed", (double)t->speed, "speed_up",
                            (double)t->speed_up, "speed_down", (double)t->speed_down, "blocked", t->blocked));
  }
  return json_object_set_new(p->mesh, "terrains", terrains) == 0 &&
         json_object_set_new(p->mesh, "level", base64_of(p, marks->level, 4 * (size_t)marks->count)) == 0 &&
         json_object_set_new(p->mesh, "terrain_of", base64_of(p, marks->terrain_of, marks->count)) == 0;
}

static th_result fill_mesh(packing *p, const char *name, th_error *error) {
  static const char *const up[] = {"given", "y", "z"};
  const th_scene_mesh *from = p->scene->ground.mesh;
  const th_files *files = p->scene->files;
  th_mesh_def def = from->def;
  th_marks marks;
  def.env = *p->env;
  p->mesh = json_pack("{s:s, s:[f, f, f], s:f}", "up", up[from->axes.up], "shift", from->axes.shift[0],
                      from->axes.shift[1], from->axes.shift[2], "metres_per_unit", def.metres_per_unit);
  if (!p->mesh) return th_fail_memory(error, p->scene->path);
  th_result result = files->triangles(files, &def, &from->axes, name, &(th_mesh_use){put_triangles, p}, error);
  if (result != TH_OK) return result;
  result = files->marks(files, p->env, name, &marks, error);
  if (result == TH_OK && !put_marks(p, &marks)) result = th_fail_memory(error, p->scene->path);
  th_marks_free(&marks);
  return result;
}

/* ---------------------------------------------------------------- files */

/* Takes the reference. */
static th_result add(packing *p, const char *name, const char *key, json_t *value, th_error *error) {
  json_t *file = value ? json_pack("{s:s, s:o}", "name", name, key, value) : NULL;
  return json_array_append_new(p->list, file) == 0 ? TH_OK : th_fail_memory(error, p->scene->path);
}

static bool was_added(const packing *p, const char *name) {
  size_t i;
  json_t *file;
  json_array_foreach(p->list, i, file) {
    if (strcmp(json_string_value(json_object_get(file, "name")), name) == 0) return true;
  }
  return false;
}

static th_result add_image(packing *p, const char *name, th_error *error) {
  th_image_file file;
  if (!name || was_added(p, name)) return TH_OK;
  th_result result = p->scene->files->image(p->scene->files, p->env, name, &file, error);
  if (result != TH_OK) return result;
  const th_image *i = &file.image;
  json_t *grey = base64_of(p, i->grey, (size_t)i->width * i->height);
  json_t *image = grey ? json_pack("{s:i, s:i, s:f, s:[f, f], s:i, s:o}", "width", (int)i->width, "height",
                                   (int)i->height, "metres_per_pixel", (double)i->metres_per_pixel, "origin",
                                   (double)i->origin.x, (double)i->origin.y, "dark", (int)i->dark, "grey", grey)
                       : NULL;
  th_image_file_free(&file);
  return add(p, name, "image", image, error);
}

static th_result add_mesh(packing *p, const char *name, th_error *error) {
  th_result result = fill_mesh(p, name, error);
  if (result != TH_OK) {
    json_decref(p->mesh);
    return result;
  }
  return add(p, name, "mesh", p->mesh, error);
}

static th_result add_text(packing *p, const char *name, th_error *error) {
  th_file_bytes file;
  th_result result = p->scene->files->bytes(p->scene->files, p->env, name, &file, error);
  if (result != TH_OK) return result;
  json_t *text = json_stringn((const char *)file.bytes, file.size);
  th_file_unload(&p->env->allocator, &file);
  return add(p, name, "text", text, error);
}

static th_result add_bytes(packing *p, const char *name, th_error *error) {
  th_file_bytes file;
  if (!p->scene->files->has(p->scene->files, name)) return TH_OK;
  th_result result = p->scene->files->bytes(p->scene->files, p->env, name, &file, error);
  if (result != TH_OK) return result;
  json_t *bytes = base64_of(p, file.bytes, file.size);
  const size_t size = file.size;
  th_file_unload(&p->env->allocator, &file);
  result = add(p, name, "bytes", bytes, error);
  json_t *last = json_array_get(p->list, json_array_size(p->list) - 1);
  if (result == TH_OK && json_object_set_new(last, "size", json_integer((json_int_t)size)) != 0)
    result = th_fail_memory(error, p->scene->path);
  return result;
}

/* All that the scene and its events name. */
static th_result add_all(packing *p, th_error *error) {
  const th_scene *scene = p->scene;
  const th_scene_ground *ground = &scene->ground;
  const char *mesh = ground->mesh ? ground->mesh->file : NULL;
  th_result result = add_image(p, ground->image.file, error);
  if (result == TH_OK) result = add_image(p, ground->map, error);
  if (result == TH_OK && mesh) result = (th_building_file_is_text(mesh) ? add_text : add_mesh)(p, mesh, error);
  if (result == TH_OK && ground->markers.file) result = add_bytes(p, ground->markers.file, error);
  for (uint32_t i = 0; i < scene->group_count && result == TH_OK; i++)
    result = add_image(p, scene->group[i].image.file, error);
  for (uint32_t i = 0; i < scene->event_count && result == TH_OK; i++)
    if (scene->event[i].act == TH_ACT_GROUP) result = add_image(p, scene->event[i].group->image.file, error);
  return result;
}

/* ---------------------------------------------------------------- the text */

/* Inside of texts the marks of markup as escapes; they stand nowhere else in JSON. */
static char *without_markup(const th_allocator *allocator, char *json) {
  static const char *const escape[] = {"\\u003c", "\\u003e", "\\u0026"};
  th_text text = {.allocator = *allocator};
  for (char *at = json; *at;) {
    char *end = at + strcspn(at, "<>&");
    const char mark = *end;
    *end = 0;
    th_text_append(&text, at);
    if (mark) th_text_append(&text, escape[mark == '<' ? 0 : mark == '>' ? 1 : 2]);
    at = mark ? end + 1 : end;
  }
  return th_text_finish(&text);
}

static th_result write_text(const packing *p, char **text, th_error *error) {
  const char *slash = strrchr(p->scene->path, '/');
  json_t *root = json_pack("{s:i, s:s, s:s, s:O}", "pack", TH_PACK_VERSION, "name", slash ? slash + 1 : p->scene->path,
                           "scene", p->scene->text, "files", p->list);
  char *json = th_text_of_json(&p->env->allocator, root, JSON_INDENT(1) | JSON_ENSURE_ASCII);
  json_decref(root);
  *text = json ? without_markup(&p->env->allocator, json) : NULL;
  th_text_free(json);
  if (!*text) return th_fail_memory(error, p->scene->path);
  const size_t length = strlen(*text);
  if (length <= TH_JSON_MAX_BYTES) return TH_OK;
  th_text_free(*text);
  *text = NULL;
  return th_fail(error, TH_ERROR_CAPACITY, p->scene->path, "expected a pack of at most %zu MB, found %zu MB",
                 TH_JSON_MAX_BYTES >> 20, length >> 20);
}

th_result th_scene_pack(const th_scene *scene, char **text, th_error *error) {
  th_ground *ground;
  *text = NULL;
  th_result result = th_scene_make_ground(scene, &ground, error);
  if (result != TH_OK) return result;
  th_ground_release(ground);
  packing p = {.scene = scene, .env = th_scene_memory_env(scene->memory), .list = json_array()};
  result = p.list ? add_all(&p, error) : th_fail_memory(error, scene->path);
  if (result == TH_OK) result = write_text(&p, text, error);
  json_decref(p.list);
  return result;
}
