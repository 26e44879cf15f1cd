/* io/markers/file.c - markers saved and loaded.
 *
 * A file holds a line of text that names it, the def, a hash of the ground, the markers tile by tile, and a hash of all
 * that. Loading checks everything and makes the lists that follow from the markers, so a loaded set equals the made one
 * bit for bit and follows edits as it does. Cost: 12 bytes per marker; loading takes a fiftieth of making.
 */
#include "io/markers/file.h"

#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/platform/file.h"
#include "ground/markers/shelf.h"
#include "ground/mesh/ground.h"
#include "throng/scene.h"

static const char title[] = "throng markers 1\n";

/* Everything of a ground that markers depend on. */
static uint64_t print_of(const th_ground *ground) {
  th_hash hash = th_hash_begin(1);
  const th_mesh_ground *mesh = ground->mesh;
  if (mesh) {
    th_hash_double(&hash, mesh->mesh.xyz, 3 * (size_t)mesh->mesh.vertex_count);
    th_hash_u32(&hash, mesh->mesh.corner, 3 * (size_t)mesh->mesh.face_count);
    th_hash_bytes(&hash, mesh->blocked, mesh->mesh.face_count);
    return th_hash_end(&hash);
  }
  const th_flat_ground *flat = ground->flat;
  th_hash_float(&hash, (const float[3]){flat->x0, flat->y0, ground->cell}, 3);
  for (uint32_t k = 0; k < flat->wall_count; k++) {
    const th_segment *w = &flat->wall[k];
    th_hash_float(&hash, (const float[4]){w->ax, w->ay, w->bx, w->by}, 4);
  }
  th_hash_bytes(&hash, flat->solid, (size_t)flat->width * flat->height);
  return th_hash_end(&hash);
}

static void write_set(th_byte_writer *out, const th_ground *ground, const th_markers *m) {
  const uint64_t print = print_of(ground);
  const uint32_t walls = m->def.through_walls, tiles = m->tiles.count;
  th_bytes_write(out, title, sizeof title - 1);
  TH_WRITE(out, m->def.distance);
  TH_WRITE(out, m->def.layout);
  TH_WRITE(out, m->def.noise);
  TH_WRITE(out, m->def.seed);
  TH_WRITE(out, walls);
  TH_WRITE(out, print);
  TH_WRITE(out, tiles);
  TH_WRITE(out, m->count);
  th_bytes_write(out, m->first, sizeof *m->first * (tiles + 1));
  th_bytes_write(out, m->by_tile, sizeof *m->by_tile * m->count);
}

static uint64_t sum_of(const uint8_t *memory, size_t size) {
  th_hash hash = th_hash_begin(2);
  th_hash_bytes(&hash, memory, size);
  return th_hash_end(&hash);
}

th_result th_markers_save(const th_ground *ground, const th_markers *markers, const char *path, th_error *error) {
  th_byte_writer count = {0};
  write_set(&count, ground, markers);
  const th_allocator *a = &ground->env.allocator;
  const size_t size = count.used + sizeof(uint64_t);
  uint8_t *memory = th_take(a, size, 1);
  if (!memory) return th_fail_memory(error, path);
  th_byte_writer out = {memory, size, 0};
  write_set(&out, ground, markers);
  const uint64_t sum = sum_of(memory, out.used);
  TH_WRITE(&out, sum);
  FILE *file = th_file_stream(path, "wb");
  bool done = file && fwrite(memory, 1, size, file) == size;
  if (file) done &= fclose(file) == 0;
  th_give(a, memory, size, 1);
  return done ? TH_OK : th_fail(error, TH_ERROR_FILE, path, "expected a file that can be written, found none");
}

/* ---------------------------------------------------------------- loading */

static th_result damaged(const char *path, th_error *error) {
  return th_fail(error, TH_ERROR_FORMAT, path,
                 "expected markers as th_markers_save writes them, found another file or a damaged one");
}

/* Places that the ground has, in tiles that it has. */
static bool sound(const th_ground *ground, const th_markers *m) {
  const uint32_t cells = ground->mesh ? ground->mesh->mesh.face_count : ground->flat->width * ground->flat->height;
  if (m->first[0] != 0 || m->first[m->tiles.count] != m->count) return false;
  for (uint32_t t = 0; t < m->tiles.count; t++)
    if (m->first[t] > m->first[t + 1]) return false;
  for (uint32_t n = 0; n < m->count; n++)
    if (m->by_tile[n].cell >= cells || !(m->by_tile[n].x - m->by_tile[n].x == 0.0f) ||
        !(m->by_tile[n].y - m->by_tile[n].y == 0.0f))
      return false;
  return true;
}

static th_result read_set(th_byte_reader *in, const th_ground *ground, const char *path, th_markers *m,
                          th_error *error) {
  uint64_t print = 0;
  uint32_t walls = 0, tiles = 0;
  const char *name = th_bytes_in_place(in, sizeof title - 1);
  if (!name || memcmp(name, title, sizeof title - 1) != 0) return damaged(path, error);
  TH_READ(in, m->def.distance);
  TH_READ(in, m->def.layout);
  TH_READ(in, m->def.noise);
  TH_READ(in, m->def.seed);
  TH_READ(in, walls);
  TH_READ(in, print);
  TH_READ(in, tiles);
  TH_READ(in, m->count);
  m->def.through_walls = walls != 0;
  if (print != print_of(ground))
    return th_fail(error, TH_ERROR_FORMAT, path, "expected markers of this ground, found those of another one");
  th_result result = th_marker_tiles_make(&m->tiles, ground, &m->def, error);
  if (result) return result;
  const size_t list = sizeof *m->first * ((size_t)m->tiles.count + 1), places = sizeof *m->by_tile * (size_t)m->count;
  if (tiles != m->tiles.count || in->size - in->used != list + places) return damaged(path, error);
  m->first = TH_TAKE(&m->allocator, uint32_t, m->tiles.count + 1);
  m->by_tile = TH_TAKE(&m->allocator, th_place, m->count);
  if (!m->first || !m->by_tile) return th_fail_memory(error, path);
  th_bytes_read(in, m->first, list);
  th_bytes_read(in, m->by_tile, places);
  if (!sound(ground, m)) return damaged(path, error);
  return th_marker_index_make(m, ground) ? TH_OK : th_fail_memory(error, path);
}

th_result th_markers_file_read(const th_ground *ground, const th_file_bytes *file, const char *where,
                               const th_markers **markers, th_error *error) {
  const bool sum = file->size > 8;
  uint64_t found = 0;
  *markers = NULL;
  if (sum) memcpy(&found, file->bytes + file->size - 8, sizeof found);
  if (!sum || found != sum_of(file->bytes, file->size - 8)) return damaged(where, error);
  th_markers *m = TH_TAKE(&ground->env.allocator, th_markers, 1);
  if (!m) return th_fail_memory(error, where);
  m->references = 1;
  m->allocator = ground->env.allocator;
  th_byte_reader in = {file->bytes, file->size - 8, 0, false};
  th_result result = read_set(&in, ground, where, m, error);
  if (result == TH_OK) return th_marker_shelf_put(ground, m, markers, error);
  th_markers_release(m);
  return result;
}

th_result th_markers_load(const th_ground *ground, const char *path, const th_markers **markers, th_error *error) {
  th_file_bytes file;
  *markers = NULL;
  th_result result = th_file_load(&ground->env.allocator, path, TH_MARKERS_BYTES, &file, error);
  if (result == TH_OK) result = th_markers_file_read(ground, &file, path, markers, error);
  th_file_unload(&ground->env.allocator, &file);
  return result;
}
