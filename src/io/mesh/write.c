/* io/mesh/write.c - writes meshes to files, so that other programs can open them and Throng can read them back.
 *
 * OBJ is text with 17 digits, enough for the same bits; PLY is binary with doubles, ten times as fast to read. Both are
 * written without a library: a header and two loops. In a building each face also has level, terrain and speed: as
 * properties in PLY, where comments name the terrains; as comments in OBJ, which has no place for them. Cost: linear.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/letters.h"
#include "io/recording/file.h"
#include "io/text.h"
#include "throng/mesh_file.h"

/* "terrain 1 0.6 open stairs": number, speed, open or blocked, name; "open,0.5,0.7" with speeds up and down. */
static void put_terrains(FILE *out, const char *lead, const th_building *b) {
  char number[TH_NUMBER_ROOM], up[TH_NUMBER_ROOM], down[TH_NUMBER_ROOM];
  for (uint32_t i = 0; b && i < b->terrain_count; i++) {
    const th_terrain *c = &b->terrain[i];
    fprintf(out, "%s terrain %u %s %s", lead, i, th_number_of_float(number, c->speed), c->blocked ? "blocked" : "open");
    if (c->speed_up > 0.0f || c->speed_down > 0.0f)
      fprintf(out, ",%s,%s", th_number_of_float(up, c->speed_up), th_number_of_float(down, c->speed_down));
    fprintf(out, " %s\n", c->name);
  }
}

static void put_obj_marks(FILE *out, const th_building *b, size_t f) {
  if (!b || (f && b->level_of[f] == b->level_of[f - 1] && b->terrain_of[f] == b->terrain_of[f - 1])) return;
  fprintf(out, "# throng faces %d %u\n", b->level_of[f], b->terrain_of[f]);
}

static void put_obj(FILE *out, const th_mesh *mesh, const th_building *b) {
  fprintf(out, "# throng: %u vertices, %u faces\n", mesh->vertex_count, mesh->face_count);
  for (size_t v = 0; v < mesh->vertex_count; v++)
    fprintf(out, "v %.17g %.17g %.17g\n", mesh->xyz[3 * v], mesh->xyz[3 * v + 1], mesh->xyz[3 * v + 2]);
  put_terrains(out, "# throng", b);
  for (size_t f = 0; f < mesh->face_count; f++) {
    put_obj_marks(out, b, f);
    fprintf(out, "f %u %u %u\n", mesh->corner[3 * f] + 1, mesh->corner[3 * f + 1] + 1, mesh->corner[3 * f + 2] + 1);
  }
}

static void put_little(uint8_t *to, uint64_t value, int bytes) {
  for (int k = 0; k < bytes; k++) to[k] = (uint8_t)(value >> (8 * k));
}

static void put_ply_header(FILE *out, const th_mesh *mesh, const th_building *b) {
  fprintf(out, "ply\nformat binary_little_endian 1.0\ncomment throng\n");
  put_terrains(out, "comment throng", b);
  fprintf(out,
          "element vertex %u\nproperty double x\nproperty double y\nproperty double z\nelement face %u\n"
          "property list uchar uint vertex_indices\n%send_header\n",
          mesh->vertex_count, mesh->face_count,
          b ? "property int level\nproperty uchar terrain\nproperty float speed\n" : "");
}

/* Nine bytes behind the corners. */
static void put_ply_marks(uint8_t *to, const th_building *b, size_t f) {
  uint32_t bits;
  memcpy(&bits, &b->terrain[b->terrain_of[f]].speed, sizeof bits);
  put_little(to, (uint32_t)b->level_of[f], 4);
  to[4] = b->terrain_of[f];
  put_little(to + 5, bits, 4);
}

static void put_ply(FILE *out, const th_mesh *mesh, const th_building *b) {
  put_ply_header(out, mesh, b);
  for (size_t k = 0; k < 3 * (size_t)mesh->vertex_count; k++) {
    uint64_t bits;
    uint8_t bytes[8];
    memcpy(&bits, &mesh->xyz[k], sizeof bits);
    put_little(bytes, bits, 8);
    fwrite(bytes, 1, 8, out);
  }
  for (size_t f = 0; f < mesh->face_count; f++) {
    uint8_t bytes[22] = {3};
    for (size_t k = 0; k < 3; k++) put_little(bytes + 1 + 4 * k, mesh->corner[3 * f + k], 4);
    if (b) put_ply_marks(bytes + 13, b, f);
    fwrite(bytes, 1, b ? 22 : 13, out);
  }
}

static th_result save(const th_mesh *mesh, const th_building *b, const char *path, th_error *error) {
  char part[TH_PATH_ROOM];
  const char *dot = strrchr(path, '.');
  bool obj = dot && th_letters_same(dot, ".obj"), ply = dot && th_letters_same(dot, ".ply");
  if (!obj && !ply)
    return th_fail(error, TH_ERROR_FORMAT, path, "expected a name that ends in .obj or .ply, found '%s'",
                   dot ? dot : "");
  th_result result = th_file_check(path, error);
  if (result != TH_OK) return result;
  (void)th_file_path_join(part, path, ".part");
  FILE *out = th_file_fresh(part);
  if (!out) return th_fail(error, TH_ERROR_FILE, path, "cannot be written: %s", strerror(errno));
  (obj ? put_obj : put_ply)(out, mesh, b);
  bool good = !ferror(out);
  good = fclose(out) == 0 && good;
  if (good && th_file_rename(part, path)) return TH_OK;
  result = th_fail(error, TH_ERROR_FILE, path, "cannot be written: %s", strerror(errno));
  th_file_remove(part);
  return result;
}

th_result th_mesh_save(const th_mesh *mesh, const char *path, th_error *error) { return save(mesh, NULL, path, error); }

th_result th_building_save(const th_building *building, const char *path, th_error *error) {
  return save(&building->mesh, building, path, error);
}
