/* io/mesh/file.c - reads mesh files through assimp's C interface.
 *
 * assimp turns every format into one scene of meshes with triangles; their arrays are joined and go through
 * th_mesh_build like any other triangles. assimp manages its own memory, and its imports share no state with Throng.
 * The bytes are checked before (io/mesh/check.h), because assimp trusts counts and drops what it does not understand.
 */
#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
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
    if (strcasecmp(formats[i].name, name) == 0) return &formats[i];
  return NULL;
}

static void count_parts(const struct aiScene *scene, uint64_t *vertices, uint64_t *faces) {
  *vertices = *faces = 0;
  for (unsigned i = 0; i < scene->mNumMeshes; i++) {
    const struct aiMesh *m = scene->mMeshes[i];
    *vertices += m->mNumVertices;
    for (unsigned f = 0; f < m->mNumFaces; f++) *faces += m->mFaces[f].mNumIndices == 3;
  }
}

static void copy_vertex(float *out, const struct aiVector3D *v, bool y_up) {
  out[0] = v->x;
  out[1] = y_up ? -v->z : v->y;
  out[2] = y_up ? v->y : v->z;
}

static void join(const struct aiScene *scene, bool y_up, float *xyz, uint32_t *corner) {
  uint32_t first = 0;
  for (unsigned i = 0; i < scene->mNumMeshes; i++) {
    const struct aiMesh *m = scene->mMeshes[i];
    for (unsigned v = 0; v < m->mNumVertices; v++) copy_vertex(xyz + 3 * ((size_t)first + v), &m->mVertices[v], y_up);
    for (unsigned f = 0; f < m->mNumFaces; f++) {
      if (m->mFaces[f].mNumIndices != 3) continue;
      for (int k = 0; k < 3; k++) *corner++ = first + m->mFaces[f].mIndices[k];
    }
    first += m->mNumVertices;
  }
}

static th_result make_mesh(const th_mesh_def *given, const struct aiScene *scene, bool y_up, th_mesh *mesh,
                           th_error *error) {
  th_mesh_def def = *given;
  uint64_t vertices, faces;
  count_parts(scene, &vertices, &faces);
  if (!faces) return th_fail(error, TH_ERROR_FORMAT, def.where, "expected triangles, found none");
  if (faces > TH_MESH_MAX_FACES || vertices > 3ull * TH_MESH_MAX_FACES)
    return th_fail(error, TH_ERROR_CAPACITY, def.where, "expected at most %u faces, found %llu", TH_MESH_MAX_FACES,
                   (unsigned long long)faces);
  def.env.allocator = th_env_complete(&def.env).allocator;
  float *xyz = TH_TAKE(&def.env.allocator, float, 3 * vertices);
  uint32_t *corner = TH_TAKE(&def.env.allocator, uint32_t, 3 * faces);
  th_result result;
  if (xyz && corner) {
    join(scene, y_up, xyz, corner);
    def.xyz_float = xyz;
    def.xyz_double = NULL;
    def.corner = corner;
    def.vertex_count = (uint32_t)vertices;
    def.face_count = (uint32_t)faces;
    result = th_mesh_build(&def, mesh, error);
  } else {
    result = th_fail_memory(error, def.where);
  }
  TH_GIVE(&def.env.allocator, xyz, 3 * vertices);
  TH_GIVE(&def.env.allocator, corner, 3 * faces);
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

static th_result read_mesh(const th_mesh_def *def, const th_mesh_bytes *bytes, const char *path, th_mesh *mesh,
                           th_error *error) {
  const format *form = find_format(bytes->format);
  if (!form)
    return th_fail(error, TH_ERROR_FORMAT, def->where, "expected obj, ply, stl, gltf or glb, found %s",
                   bytes->format ? bytes->format : "no ending");
  if (!bytes->size) return th_fail(error, TH_ERROR_FORMAT, def->where, "expected a mesh, found an empty file");
  if (bytes->size > MAX_BYTES)
    return th_fail(error, TH_ERROR_CAPACITY, def->where, "expected at most %ld bytes, found %zu", MAX_BYTES,
                   bytes->size);
  th_mesh_source source = {def->where, bytes->bytes, bytes->size};
  th_result result = form->check ? form->check(&source, error) : TH_OK;
  if (result != TH_OK) return result;
  const struct aiScene *scene = import(bytes, path && strcmp(form->name, "gltf") == 0 ? path : NULL);
  if (!scene)
    return th_fail(error, TH_ERROR_FORMAT, def->where, "expected a whole %s file: %.200s", form->name,
                   aiGetErrorString());
  th_mesh_def numbered = *def;
  if (form->check == th_mesh_check_obj) numbered.number = th_mesh_obj_number, numbered.number_user = &source;
  result = make_mesh(&numbered, scene, form->y_up, mesh, error);
  aiReleaseImport(scene);
  return result;
}

static th_mesh_def name_def(const th_mesh_def *def, const char *where) {
  th_mesh_def named = *def;
  if (!named.where) named.where = where;
  return named;
}

th_result th_mesh_decode(const th_mesh_def *def, const th_mesh_bytes *bytes, th_mesh *mesh, th_error *error) {
  th_mesh_def named = name_def(def, "mesh");
  *mesh = (th_mesh){0};
  return read_mesh(&named, bytes, NULL, mesh, error);
}

static th_result read_open(const th_mesh_def *def, const char *path, FILE *stream, th_mesh *mesh, th_error *error) {
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
                         ? read_mesh(def, &all, path, mesh, error)
                         : th_fail(error, TH_ERROR_FILE, path, "expected %ld bytes, found fewer", size);
  TH_GIVE(&allocator, bytes, (size_t)size);
  return result;
}

th_result th_mesh_load(const th_mesh_def *def, const char *path, th_mesh *mesh, th_error *error) {
  th_mesh_def named = *def;
  named.where = path;
  *mesh = (th_mesh){0};
  FILE *stream = fopen(path, "rb");
  if (!stream) return th_fail(error, TH_ERROR_FILE, path, "expected a readable file: %s", strerror(errno));
  th_result result = read_open(&named, path, stream, mesh, error);
  fclose(stream);
  return result;
}
