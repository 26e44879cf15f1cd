/* io/pack/files.c - the files that a scene names, from a pack: what its base64 holds. All of it was checked when the
 * pack was read, but for what depends on how the scene wants it. Cost: linear in what is asked for. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/pack/base64.h"
#include "io/pack/pack.h"

static const th_pack_file *find(const th_files *files, const char *name) {
  const th_pack *pack = files->pack;
  for (uint32_t i = 0; i < pack->file_count; i++)
    if (strcmp(pack->file[i].name, name) == 0) return &pack->file[i];
  return NULL;
}

/* A file is there once, in the form that the scene needs. */
static th_result missing(const th_files *files, const char *name, const char *what, th_error *error) {
  return th_fail(error, TH_ERROR_FILE, files->folder, "expected %s \"%s\" in the pack, found %s", what, name,
                 find(files, name) ? "it as something else" : "none");
}

static bool has(const th_files *files, const char *name) { return find(files, name) != NULL; }

static th_result bytes(const th_files *files, const th_env *env, const char *name, th_file_bytes *file,
                       th_error *error) {
  const th_pack_file *from = find(files, name);
  if (!from || (!from->text && !from->bytes)) return missing(files, name, "the file", error);
  file->size = from->text ? strlen(from->text) : from->size;
  file->bytes = TH_TAKE(&env->allocator, uint8_t, file->size);
  if (!file->bytes) return th_fail_memory(error, files->folder);
  if (from->text)
    memcpy(file->bytes, from->text, file->size);
  else
    th_base64_read(from->bytes, file->size, file->bytes);
  return TH_OK;
}

static th_result image(const th_files *files, const th_env *env, const char *name, th_image_file *file,
                       th_error *error) {
  const th_pack_file *from = find(files, name);
  *file = (th_image_file){0};
  if (!from || !from->image) return missing(files, name, "the image", error);
  const th_pack_image *packed = from->image;
  const size_t pixels = (size_t)packed->width * packed->height;
  uint8_t *grey = TH_TAKE(&env->allocator, uint8_t, pixels);
  if (!grey) return th_fail_memory(error, files->folder);
  th_base64_read(packed->grey, pixels, grey);
  file->tail.allocator = env->allocator;
  file->image = th_default_image();
  file->image.grey = grey;
  file->image.width = packed->width;
  file->image.height = packed->height;
  file->image.metres_per_pixel = packed->metres_per_pixel;
  file->image.origin = packed->origin;
  file->image.dark = (uint8_t)packed->dark;
  return TH_OK;
}

/* ---------------------------------------------------------------- meshes */

/* A shift is added while a file is read, so that another one cannot be had from a pack. */
static bool read_alike(const th_pack_mesh *mesh, const th_mesh_def *def, const th_mesh_axes *axes) {
  bool alike = mesh->up == (int32_t)axes->up;
  alike &= mesh->metres_per_unit == def->metres_per_unit;
  for (int k = 0; k < 3; k++) alike &= mesh->shift[k] == axes->shift[k];
  return alike;
}

static void read_points(const th_pack_mesh *mesh, double *xyz) {
  const size_t count = 3 * (size_t)mesh->vertices;
  if (mesh->doubles) {
    th_base64_read(mesh->doubles, count * sizeof *xyz, xyz);
    return;
  }
  float *narrow = (float *)(void *)xyz + count; /* the second half of the block, widened from its start */
  th_base64_read(mesh->floats, count * sizeof *narrow, narrow);
  for (size_t k = 0; k < count; k++) {
    float one;
    memcpy(&one, (const uint8_t *)narrow + k * sizeof one, sizeof one);
    const double wide = (double)one;
    memcpy((uint8_t *)xyz + k * sizeof wide, &wide, sizeof wide);
  }
}

static th_result triangles(const th_files *files, const th_mesh_def *given, const th_mesh_axes *axes, const char *name,
                           const th_mesh_use *use, th_error *error) {
  const th_pack_file *from = find(files, name);
  const th_pack_mesh *mesh = from ? from->mesh : NULL;
  char path[TH_FILE_PATH];
  if (!mesh) return missing(files, name, "the mesh", error);
  th_result result = th_files_path(files, name, path, error);
  if (result != TH_OK) return result;
  if (!read_alike(mesh, given, axes))
    return th_fail(error, TH_ERROR_STATE, path,
                   "expected up, shift and metres_per_unit as when it was packed, found others; pack the scene again");
  const th_allocator a = th_env_complete(&given->env).allocator;
  th_mesh_def def = *given;
  double *xyz = TH_TAKE(&a, double, 3 * (size_t)mesh->vertices);
  uint32_t *corner = TH_TAKE(&a, uint32_t, 3 * (size_t)mesh->faces);
  if (xyz && corner) {
    read_points(mesh, xyz);
    th_base64_read(mesh->corners, 12 * (size_t)mesh->faces, corner);
    def.where = path;
    def.xyz_float = NULL, def.xyz_double = xyz, def.corner = corner;
    def.vertex_count = mesh->vertices, def.face_count = mesh->faces;
    result = use->run(use->user, &def, error);
  } else {
    result = th_fail_memory(error, path);
  }
  TH_GIVE(&a, xyz, 3 * (size_t)mesh->vertices);
  TH_GIVE(&a, corner, 3 * (size_t)mesh->faces);
  return result;
}

static th_result read_terrains(const th_files *files, const th_pack_mesh *mesh, th_marks *marks, th_error *error) {
  for (uint32_t i = 0; i < mesh->terrain_count; i++) {
    const th_pack_terrain *t = &mesh->terrain[i];
    marks->terrain[i] =
        (th_terrain){.speed = t->speed, .blocked = t->blocked, .speed_up = t->speed_up, .speed_down = t->speed_down};
    const int length = snprintf(marks->name[i], TH_MARKS_NAME, "%s", t->name);
    if (length >= TH_MARKS_NAME)
      return th_fail(error, TH_ERROR_FORMAT, files->folder, "expected names of terrains below %d bytes, found %d",
                     TH_MARKS_NAME, length);
  }
  for (uint32_t f = 0; f < mesh->faces; f++)
    if (marks->terrain_of[f] >= mesh->terrain_count)
      return th_fail_at(error, TH_ERROR_FORMAT, files->folder, f, "expected a terrain below %u, found %u",
                        mesh->terrain_count, marks->terrain_of[f]);
  marks->terrain_count = mesh->terrain_count;
  marks->count = mesh->faces;
  return TH_OK;
}

static th_result read_marks(const th_files *files, const th_env *env, const char *name, th_marks *marks,
                            th_error *error) {
  const th_pack_file *from = find(files, name);
  const th_pack_mesh *mesh = from ? from->mesh : NULL;
  *marks = (th_marks){.allocator = env->allocator};
  if (!mesh) return missing(files, name, "the mesh", error);
  if (!mesh->terrain_count) return TH_OK;
  marks->capacity = mesh->faces;
  marks->level = TH_TAKE(&env->allocator, int32_t, mesh->faces);
  marks->terrain_of = TH_TAKE(&env->allocator, uint8_t, mesh->faces);
  if (!marks->level || !marks->terrain_of) return th_fail_memory(error, files->folder);
  th_base64_read(mesh->level, 4 * (size_t)mesh->faces, marks->level);
  th_base64_read(mesh->terrain_of, mesh->faces, marks->terrain_of);
  return read_terrains(files, mesh, marks, error);
}

th_files th_files_of_pack(const th_pack *pack, const char *path) {
  return (th_files){.folder = path,
                    .pack = pack,
                    .has = has,
                    .bytes = bytes,
                    .image = image,
                    .triangles = triangles,
                    .marks = read_marks};
}
