/* io/mesh_write.c - meshes to files, so that what was made can be opened elsewhere and read back.
 *
 * OBJ is text with 17 digits, enough for the same bits; PLY is binary with doubles, ten times as fast to read. Both are
 * written by hand: a header and two loops. Cost: linear.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/error.h"
#include "io/recording_file.h"
#include "throng/mesh_file.h"

static void put_obj(FILE *out, const th_mesh *mesh) {
  fprintf(out, "# throng: %u vertices, %u faces\n", mesh->vertex_count, mesh->face_count);
  for (size_t v = 0; v < mesh->vertex_count; v++)
    fprintf(out, "v %.17g %.17g %.17g\n", mesh->xyz[3 * v], mesh->xyz[3 * v + 1], mesh->xyz[3 * v + 2]);
  for (size_t f = 0; f < mesh->face_count; f++)
    fprintf(out, "f %u %u %u\n", mesh->corner[3 * f] + 1, mesh->corner[3 * f + 1] + 1, mesh->corner[3 * f + 2] + 1);
}

static void put_little(uint8_t *to, uint64_t value, int bytes) {
  for (int k = 0; k < bytes; k++) to[k] = (uint8_t)(value >> (8 * k));
}

static void put_ply(FILE *out, const th_mesh *mesh) {
  fprintf(out,
          "ply\nformat binary_little_endian 1.0\ncomment throng\nelement vertex %u\nproperty double x\n"
          "property double y\nproperty double z\nelement face %u\nproperty list uchar uint vertex_indices\n"
          "end_header\n",
          mesh->vertex_count, mesh->face_count);
  for (size_t k = 0; k < 3 * (size_t)mesh->vertex_count; k++) {
    uint64_t bits;
    uint8_t bytes[8];
    memcpy(&bits, &mesh->xyz[k], sizeof bits);
    put_little(bytes, bits, 8);
    fwrite(bytes, 1, 8, out);
  }
  for (size_t f = 0; f < mesh->face_count; f++) {
    uint8_t bytes[13] = {3};
    for (size_t k = 0; k < 3; k++) put_little(bytes + 1 + 4 * k, mesh->corner[3 * f + k], 4);
    fwrite(bytes, 1, sizeof bytes, out);
  }
}

th_result th_mesh_save(const th_mesh *mesh, const char *path, th_error *error) {
  char part[TH_PATH_ROOM];
  const char *dot = strrchr(path, '.');
  bool obj = dot && strcasecmp(dot, ".obj") == 0, ply = dot && strcasecmp(dot, ".ply") == 0;
  if (!obj && !ply)
    return th_fail(error, TH_ERROR_FORMAT, path, "expected a name that ends in .obj or .ply, found '%s'",
                   dot ? dot : "");
  th_result result = th_path_check(path, error);
  if (result != TH_OK) return result;
  (void)th_path_join(part, path, ".part");
  FILE *out = fopen(part, "wb");
  if (!out) return th_fail(error, TH_ERROR_FILE, path, "cannot be written: %s", strerror(errno));
  (obj ? put_obj : put_ply)(out, mesh);
  bool good = !ferror(out);
  good = fclose(out) == 0 && good;
  if (good && rename(part, path) == 0) return TH_OK;
  result = th_fail(error, TH_ERROR_FILE, path, "cannot be written: %s", strerror(errno));
  unlink(part);
  return result;
}
