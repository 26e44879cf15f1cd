/* io/mesh/file.c - reads mesh files through assimp's C interface.
 *
 * assimp turns every format into one scene of meshes with triangles; their arrays are joined and go through
 * th_mesh_build like any other triangles. assimp manages its own memory, and its imports share no state with Throng.
 * The bytes are checked before (io/mesh/check.h), because assimp trusts counts and drops what it does not understand.
 */
#include "base/platform/file.h"

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/letters.h"
#include "base/memory.h"
#include "io/mesh/check.h"
#include "throng/mesh_file.h"

#define MAX_BYTES 0x7fffffffL

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
} reading;

static void count_parts(const struct aiScene *scene, uint64_t *vertices, uint64_t *faces) {
  *vertices = *faces = 0;
  for (unsigned i = 0; i < scene->mNumMeshes; i++) {
    const struct aiMesh *m = scene->mMeshes[i];
    *vertices += m->mNumVertices;
    for (unsigned f = 0; f < m->mNumFaces; f++) *faces += m->mFaces[f].mNumIndices == 3;
  }
}

/* To z up, or back. */
static void turn(bool y_up, const double from[3], double to[3]) {
  memcpy(to, (double[3]){from[0], y_up ? -from[2] : from[1], y_up ? from[1] : from[2]}, 3 * sizeof *to);
}

static void turn_back(bool y_up, const double from[3], double to[3]) {
  memcpy(to, (double[3]){from[0], y_up ? from[2] : from[1], y_up ? -from[1] : from[2]}, 3 * sizeof *to);
}

static void join(const reading *r, const struct aiScene *scene, double *xyz, uint32_t *corner) {
  uint32_t first = 0;
  for (unsigned i = 0; i < scene->mNumMeshes; i++) {
    const struct aiMesh *m = scene->mMeshes[i];
    for (unsigned v = 0; v < m->mNumVertices; v++, xyz += 3) {
      const struct aiVector3D *p = &m->mVertices[v];
      const double at[3] = {(double)p->x + r->shift[0], (double)p->y + r->shift[1], (double)p->z + r->shift[2]};
      turn(r->y_up, at, xyz);
    }
    for (unsigned f = 0; f < m->mNumFaces; f++) {
      if (m->mFaces[f].mNumIndices != 3) continue;
      for (int k = 0; k < 3; k++) *corner++ = first + m->mFaces[f].mIndices[k];
    }
    first += m->mNumVertices;
  }
}

static uint32_t obj_number(const void *user, const double xyz[3]) {
  const reading *r = user;
  double at[3];
  turn_back(r->y_up, xyz, at);
  return th_mesh_obj_number(&r->source, at);
}

static th_result make_mesh(const reading *r, const struct aiScene *scene, th_mesh *mesh, th_error *error) {
  th_mesh_def def = r->def;
  uint64_t vertices, faces;
  count_parts(scene, &vertices, &faces);
  if (!faces) return th_fail(error, TH_ERROR_FORMAT, def.where, "expected triangles, found none");
  if (faces > TH_MESH_MAX_FACES || vertices > 3ull * TH_MESH_MAX_FACES)
    return th_fail(error, TH_ERROR_CAPACITY, def.where, "expected at most %u faces, found %llu", TH_MESH_MAX_FACES,
                   (unsigned long long)faces);
  const th_allocator *a = r->mover.allocator;
  double *xyz = TH_TAKE(a, double, 3 * vertices);
  uint32_t *corner = TH_TAKE(a, uint32_t, 3 * faces);
  th_result result;
  if (xyz && corner) {
    join(r, scene, xyz, corner);
    def.xyz_double = xyz;
    def.xyz_float = NULL;
    def.corner = corner;
    def.vertex_count = (uint32_t)vertices;
    def.face_count = (uint32_t)faces;
    if (r->form->check == th_mesh_check_obj) def.number = obj_number, def.number_user = r;
    result = th_mesh_build(&def, mesh, error);
  } else {
    result = th_fail_memory(error, def.where);
  }
  TH_GIVE(a, xyz, 3 * vertices);
  TH_GIVE(a, corner, 3 * faces);
  return result;
}

/* Reads from memory, or by the path when the file refers to other files. */
static const struct aiScene *import(const th_mesh_bytes *bytes, const char *path) {
  const unsigned flags =
      aiProcess_Triangulate | aiProcess_SortByPType | aiProcess_PreTransformVertices | aiProcess_ValidateDataStructure;
  struct aiPropertyStore *store = aiCreatePropertyStore();
  if (!store) return NULL;
  aiSetImportPropertyInteger(store, AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  const struct aiScene *scene =
      path ? aiImportFileExWithProperties(path, flags, NULL, store)
           : aiImportFileFromMemoryWithProperties(bytes->bytes, (unsigned)bytes->size, flags, bytes->format, store);
  aiReleasePropertyStore(store);
  return scene;
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

static th_result read_checked(const reading *r, const char *path, th_mesh *mesh, th_error *error) {
  const th_mesh_bytes bytes = {r->source.bytes, r->source.size, r->form->name};
  const struct aiScene *scene = import(&bytes, path && strcmp(r->form->name, "gltf") == 0 ? path : NULL);
  if (!scene)
    return th_fail(error, TH_ERROR_FORMAT, r->def.where, "expected a whole %s file: %.200s", r->form->name,
                   aiGetErrorString());
  th_result result = make_mesh(r, scene, mesh, error);
  aiReleaseImport(scene);
  return result;
}

static th_result read_mesh(reading *r, const th_mesh_axes *axes, const th_mesh_bytes *bytes, const char *path,
                           th_mesh *mesh, th_error *error) {
  const char *where = r->def.where;
  r->form = find_format(bytes->format);
  if (!r->form)
    return th_fail(error, TH_ERROR_FORMAT, where, "expected obj, ply, stl, gltf or glb, found %s",
                   bytes->format ? bytes->format : "no ending");
  if (!bytes->size) return th_fail(error, TH_ERROR_FORMAT, where, "expected a mesh, found an empty file");
  if (bytes->size > MAX_BYTES)
    return th_fail(error, TH_ERROR_CAPACITY, where, "expected at most %ld bytes, found %zu", MAX_BYTES, bytes->size);
  r->source = (th_mesh_source){where, bytes->bytes, bytes->size, NULL};
  set_axes(r, axes);
  th_result result = check_source(r, error);
  return result == TH_OK ? read_checked(r, path, mesh, error) : result;
}

static th_result decode(const th_mesh_def *def, const th_mesh_axes *axes, const th_mesh_bytes *bytes, const char *path,
                        th_mesh *mesh, th_error *error) {
  const th_mesh_axes as_given = {.up = TH_MESH_UP_GIVEN};
  const th_allocator allocator = th_env_complete(&def->env).allocator;
  reading r = {.def = *def, .mover.allocator = &allocator};
  if (!axes) axes = &as_given;
  th_result result = check_axes(def, axes, error);
  if (result == TH_OK) result = read_mesh(&r, axes, bytes, path, mesh, error);
  th_mesh_move_free(&r.mover);
  return result;
}

th_result th_mesh_decode(const th_mesh_def *def, const th_mesh_axes *axes, const th_mesh_bytes *bytes, th_mesh *mesh,
                         th_error *error) {
  th_mesh_def named = *def;
  if (!named.where) named.where = "mesh";
  *mesh = (th_mesh){0};
  return decode(&named, axes, bytes, NULL, mesh, error);
}

static th_result read_open(const th_mesh_def *def, const th_mesh_axes *axes, FILE *stream, th_mesh *mesh,
                           th_error *error) {
  const char *path = def->where;
  const th_allocator allocator = th_env_complete(&def->env).allocator;
  long size = fseek(stream, 0, SEEK_END) == 0 ? ftell(stream) : -1;
  if (size < 0 || fseek(stream, 0, SEEK_SET) != 0)
    return th_fail(error, TH_ERROR_FILE, path, "expected a file with a size: %s", strerror(errno));
  if (size > MAX_BYTES)
    return th_fail(error, TH_ERROR_CAPACITY, path, "expected at most %ld bytes, found %ld", MAX_BYTES, size);
  uint8_t *bytes = TH_TAKE(&allocator, uint8_t, (size_t)size);
  if (!bytes) return th_fail_memory(error, path);
  const char *dot = strrchr(path, '.');
  th_mesh_bytes all = {bytes, (size_t)size, dot ? dot + 1 : NULL};
  th_result result = fread(bytes, 1, (size_t)size, stream) == (size_t)size
                         ? decode(def, axes, &all, path, mesh, error)
                         : th_fail(error, TH_ERROR_FILE, path, "expected %ld bytes, found fewer", size);
  TH_GIVE(&allocator, bytes, (size_t)size);
  return result;
}

th_result th_mesh_load(const th_mesh_def *def, const th_mesh_axes *axes, const char *path, th_mesh *mesh,
                       th_error *error) {
  th_mesh_def named = *def;
  named.where = path;
  *mesh = (th_mesh){0};
  FILE *stream = th_file_open(path, error);
  if (!stream) return TH_ERROR_FILE;
  th_result result = read_open(&named, axes, stream, mesh, error);
  fclose(stream);
  return result;
}
