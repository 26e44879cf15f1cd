/* io/mesh/file.c - mesh files: what they are, and their triangles as the meshes of the library.
 *
 * The bytes are checked first (io/mesh/check.h), because the library that reads them trusts counts and drops what it
 * does not understand. Its triangles (io/mesh/import.c) go through th_mesh_build like any others, or into a pack.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/letters.h"
#include "base/memory.h"
#include "io/mesh/import.h"
#include "io/whole_file.h"

#define MAX_BYTES ((size_t)0x7fffffff)

typedef struct format {
  const char *name;
  th_result (*check)(const th_mesh_source *source, th_error *error);
  bool y_up;
} format;

static const format formats[] = {{"obj", th_mesh_check_obj, false},
                                 {"ply", th_mesh_check_ply, false},
                                 {"stl", th_mesh_check_stl, false},
                                 {"gltf", NULL, true},
                                 {"glb", th_mesh_check_glb, true}};

static const format *find_format(const char *name) {
  for (size_t i = 0; name && i < sizeof formats / sizeof *formats; i++)
    if (th_letters_same(formats[i].name, name)) return &formats[i];
  return NULL;
}

/* One file while it is read. */
typedef struct reading {
  const format *form;
  th_mesh_def def;
  bool y_up;
  double shift[3]; /* that is still to be added, in units and axes of the file */
  th_mesh_source source;
  th_mesh_mover mover;
  const th_mesh_use *use;
} reading;

/* From z up to the axes of the file. */
static void turn_back(bool y_up, const double from[3], double to[3]) {
  memcpy(to, (double[3]){from[0], y_up ? from[2] : from[1], y_up ? -from[1] : from[2]}, 3 * sizeof *to);
}

static uint32_t obj_number(const void *user, const double xyz[3]) {
  const reading *r = user;
  double at[3];
  turn_back(r->y_up, xyz, at);
  return th_mesh_obj_number(&r->source, at);
}

/* Checks the bytes. With a shift they become shifted ones, where the format allows it, and none is left to be added. */
static th_result check_source(reading *r, th_error *error) {
  if (r->shift[0] != 0.0 || r->shift[1] != 0.0 || r->shift[2] != 0.0) r->source.mover = &r->mover;
  th_result result = r->form->check ? r->form->check(&r->source, error) : TH_OK;
  if (result != TH_OK || !r->source.mover || r->mover.from == 0) return result;
  if (!th_mesh_move_end(&r->source)) return th_fail_memory(error, r->def.where);
  r->source = (th_mesh_source){r->source.where, r->mover.bytes, r->mover.size, NULL};
  memset(r->shift, 0, sizeof r->shift);
  return TH_OK;
}

static th_result check_axes(const th_mesh_def *def, const th_mesh_axes *axes, th_error *error) {
  if ((unsigned)axes->up > TH_MESH_UP_Z)
    return th_fail(error, TH_ERROR_RANGE, def->where, "expected an axis of th_mesh_up, found %d", (int)axes->up);
  if (isfinite(axes->shift[0]) && isfinite(axes->shift[1]) && isfinite(axes->shift[2])) return TH_OK;
  return th_fail(error, TH_ERROR_RANGE, def->where, "expected a finite shift, found (%g, %g, %g)", axes->shift[0],
                 axes->shift[1], axes->shift[2]);
}

static void set_axes(reading *r, const th_mesh_axes *axes) {
  double units[3];
  r->y_up = axes->up == TH_MESH_UP_GIVEN ? r->form->y_up : axes->up == TH_MESH_UP_Y;
  const double unit = r->def.metres_per_unit; /* checked later */
  for (int k = 0; k < 3; k++) units[k] = unit > 0.0 ? axes->shift[k] / unit : 0.0;
  turn_back(r->y_up, units, r->shift);
  memcpy(r->mover.shift, r->shift, sizeof r->shift);
}

static th_result read_checked(const reading *r, const char *path, th_error *error) {
  const bool names_others = strcmp(r->form->name, "gltf") == 0;
  th_mesh_def def = r->def;
  th_mesh_import import = {.bytes = {r->source.bytes, r->source.size, r->form->name},
                           .path = names_others ? path : NULL,
                           .y_up = r->y_up,
                           .shift = r->shift,
                           .use = r->use};
  if (r->form->check == th_mesh_check_obj) def.number = obj_number, def.number_user = r;
  return th_mesh_import_run(&import, &def, error);
}

static th_result read_mesh(reading *r, const th_mesh_axes *axes, const th_mesh_bytes *bytes, const char *path,
                           th_error *error) {
  const char *where = r->def.where;
  r->form = find_format(bytes->format);
  if (!r->form)
    return th_fail(error, TH_ERROR_FORMAT, where, "expected obj, ply, stl, gltf or glb, found %s",
                   bytes->format ? bytes->format : "no ending");
  if (!bytes->size) return th_fail(error, TH_ERROR_FORMAT, where, "expected a mesh, found an empty file");
  if (bytes->size > MAX_BYTES)
    return th_fail(error, TH_ERROR_CAPACITY, where, "expected at most %zu bytes, found %zu", MAX_BYTES, bytes->size);
  r->source = (th_mesh_source){where, bytes->bytes, bytes->size, NULL};
  set_axes(r, axes);
  th_result result = check_source(r, error);
  return result == TH_OK ? read_checked(r, path, error) : result;
}

th_result th_mesh_read(const th_mesh_def *def, const th_mesh_axes *axes, const th_mesh_bytes *bytes, const char *path,
                       const th_mesh_use *use, th_error *error) {
  const th_mesh_axes as_given = {.up = TH_MESH_UP_GIVEN};
  const th_allocator allocator = th_env_complete(&def->env).allocator;
  reading r = {.def = *def, .mover.allocator = &allocator, .use = use};
  if (!axes) axes = &as_given;
  th_result result = check_axes(def, axes, error);
  if (result == TH_OK) result = read_mesh(&r, axes, bytes, path, error);
  th_mesh_move_free(&r.mover);
  return result;
}

static th_result build(void *user, const th_mesh_def *def, th_error *error) { return th_mesh_build(def, user, error); }

th_result th_mesh_decode(const th_mesh_def *def, const th_mesh_axes *axes, const th_mesh_bytes *bytes, th_mesh *mesh,
                         th_error *error) {
  th_mesh_def named = *def;
  if (!named.where) named.where = "mesh";
  *mesh = (th_mesh){0};
  return th_mesh_read(&named, axes, bytes, NULL, &(th_mesh_use){build, mesh}, error);
}

th_result th_mesh_read_file(const th_mesh_def *def, const th_mesh_axes *axes, const char *path, const th_mesh_use *use,
                            th_error *error) {
  const th_allocator allocator = th_env_complete(&def->env).allocator;
  const char *dot = strrchr(path, '.');
  th_mesh_def named = *def;
  th_file_bytes file;
  named.where = path;
  th_result result = th_file_load(&allocator, path, MAX_BYTES, &file, error);
  const th_mesh_bytes bytes = {file.bytes, file.size, dot ? dot + 1 : NULL};
  if (result == TH_OK) result = th_mesh_read(&named, axes, &bytes, path, use, error);
  th_file_unload(&allocator, &file);
  return result;
}

th_result th_mesh_load(const th_mesh_def *def, const th_mesh_axes *axes, const char *path, th_mesh *mesh,
                       th_error *error) {
  *mesh = (th_mesh){0};
  return th_mesh_read_file(def, axes, path, &(th_mesh_use){build, mesh}, error);
}
