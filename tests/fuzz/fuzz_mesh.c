/* tests/fuzz/fuzz_mesh.c - any bytes as a mesh file: an error or a mesh that is whole, never a crash or a leak. */
#include <stdlib.h>
#include <string.h>

#include "io/mesh/check.h"

static volatile double sink;

/* By the first bytes, as the ending of a name would tell. */
static const char *format_of(const uint8_t *data, size_t size) {
  if (size >= 3 && memcmp(data, "ply", 3) == 0) return "ply";
  if (size >= 4 && memcmp(data, "glTF", 4) == 0) return "glb";
  if (size >= 1 && data[0] == '{') return "gltf";
  if (size >= 5 && memcmp(data, "solid", 5) == 0) return "stl";
  return size >= 84 && memchr(data, 0, 84) ? "stl" : "obj";
}

/* assimp, in C++, loses memory of its own when it gives up in the middle of a file. Ours, in C, is still watched. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libassimp\nleak:libstdc++\n"; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  th_mesh_def def = th_default_mesh_def();
  th_mesh_bytes bytes = {data, size, format_of(data, size)};
  th_mesh mesh;
  th_error error;
  def.drop_crowded = size % 2 == 0;
  def.weld = size % 3 == 0 ? 0.01 : 0.0;
  if (th_mesh_decode(&def, NULL, &bytes, &mesh, &error) != TH_OK) return 0;
  for (uint32_t h = 0; h < 3 * mesh.face_count; h++) {
    if (mesh.corner[h] >= mesh.vertex_count) abort();
    if (mesh.twin[h] != TH_NO_HALF && mesh.twin[mesh.twin[h]] != h) abort();
    sink = mesh.xyz[3 * (size_t)mesh.corner[h]];
  }
  th_mesh_free(&mesh);
  return 0;
}
