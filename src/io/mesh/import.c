/* io/mesh/import.c - the triangles of a mesh file through assimp's C interface.
 *
 * assimp turns every format into one scene of meshes with triangles; their arrays are joined. It manages its own
 * memory, and its imports share no state with Throng.
 */
#include "io/mesh/import.h"

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "geometry/vector.h"

static void count_parts(const struct aiScene *scene, uint64_t *vertices, uint64_t *faces) {
  *vertices = *faces = 0;
  for (unsigned i = 0; i < scene->mNumMeshes; i++) {
    const struct aiMesh *m = scene->mMeshes[i];
    *vertices += m->mNumVertices;
    for (unsigned f = 0; f < m->mNumFaces; f++) *faces += m->mFaces[f].mNumIndices == 3;
  }
}

static void turn(bool y_up, const double from[3], double to[3]) {
  memcpy(to, (double[3]){from[0], y_up ? -from[2] : from[1], y_up ? from[1] : from[2]}, 3 * sizeof *to);
}

static void join(const th_mesh_import *import, const struct aiScene *scene, double *xyz, uint32_t *corner) {
  const double *shift = import->shift;
  uint32_t first = 0;
  for (unsigned i = 0; i < scene->mNumMeshes; i++) {
    const struct aiMesh *m = scene->mMeshes[i];
    for (unsigned v = 0; v < m->mNumVertices; v++, xyz += 3) {
      const struct aiVector3D *p = &m->mVertices[v];
      const double at[3] = {(double)p->x + shift[0], (double)p->y + shift[1], (double)p->z + shift[2]};
      turn(import->y_up, at, xyz);
    }
    for (unsigned f = 0; f < m->mNumFaces; f++) {
      if (m->mFaces[f].mNumIndices != 3) continue;
      for (int k = 0; k < 3; k++) *corner++ = first + m->mFaces[f].mIndices[k];
    }
    first += m->mNumVertices;
  }
}

/* The vertices of a PLY file keep their order here, so the nearest has the number that the file counts. */
static uint32_t ply_number(const void *user, const double xyz[3]) {
  const th_mesh_def *def = user;
  uint32_t best = TH_NO_ELEMENT;
  double least = HUGE_VAL;
  for (uint32_t v = 0; v < def->vertex_count; v++) {
    const double away = th_distance3d(def->xyz_double + 3 * (size_t)v, xyz);
    if (away < least) least = away, best = v;
  }
  return best;
}

static th_result use(const th_mesh_import *import, const struct aiScene *scene, const th_mesh_def *given,
                     th_error *error) {
  th_mesh_def def = *given;
  uint64_t vertices, faces;
  count_parts(scene, &vertices, &faces);
  if (!faces) return th_fail(error, TH_ERROR_FORMAT, def.where, "expected triangles, found none");
  if (faces > TH_MESH_MAX_FACES || vertices > 3ull * TH_MESH_MAX_FACES)
    return th_fail(error, TH_ERROR_CAPACITY, def.where, "expected at most %u faces, found %llu", TH_MESH_MAX_FACES,
                   (unsigned long long)faces);
  const th_allocator a = th_env_complete(&def.env).allocator;
  double *xyz = TH_TAKE(&a, double, 3 * vertices);
  uint32_t *corner = TH_TAKE(&a, uint32_t, 3 * faces);
  th_result result = TH_ERROR_MEMORY;
  if (xyz && corner) {
    join(import, scene, xyz, corner);
    def.xyz_double = xyz;
    def.xyz_float = NULL;
    def.corner = corner;
    def.vertex_count = (uint32_t)vertices;
    def.face_count = (uint32_t)faces;
    if (strcmp(import->bytes.format, "ply") == 0 && scene->mNumMeshes == 1)
      def.number = ply_number, def.number_user = &def;
    result = import->use->run(import->use->user, &def, error);
  } else {
    th_fail_memory(error, def.where);
  }
  TH_GIVE(&a, xyz, 3 * vertices);
  TH_GIVE(&a, corner, 3 * faces);
  return result;
}

static const struct aiScene *import_scene(const th_mesh_bytes *bytes, const char *path) {
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

th_result th_mesh_import_run(const th_mesh_import *import, const th_mesh_def *def, th_error *error) {
  const struct aiScene *scene = import_scene(&import->bytes, import->path);
  if (!scene)
    return th_fail(error, TH_ERROR_FORMAT, def->where, "expected a whole %s file: %.200s", import->bytes.format,
                   aiGetErrorString());
  th_result result = use(import, scene, def, error);
  aiReleaseImport(scene);
  return result;
}
