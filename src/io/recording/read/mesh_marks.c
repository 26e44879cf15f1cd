/* io/recording/read/mesh_marks.c - what lies on the mesh of a recording: marks with their outlines, and terrains.
 *
 * They are for drawing only: a mark that no mesh could hold is left out, and so is an outline that is damaged. Files
 * from before outlines or terrains were kept have circles and one terrain. Cost: O(rows + faces).
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/recording/read/file.h"
#include "io/recording/tracks.h"

/* Points of an outline, copied; a mark without one, or with one that cannot be drawn, stays a circle. */
static bool take_outline(const th_tracks *tracks, sqlite3_stmt *query, th_mesh_mark *spot) {
  const size_t size = (size_t)sqlite3_column_bytes(query, 10), count = size / sizeof(th_vec3);
  const void *bytes = sqlite3_column_blob(query, 10);
  const float low = (float)sqlite3_column_double(query, 8), high = (float)sqlite3_column_double(query, 9);
  if (!bytes || count < 2 || size % sizeof(th_vec3) || count > UINT32_MAX || !(low <= high)) return true;
  th_vec3 *point = TH_TAKE(&tracks->env.allocator, th_vec3, count);
  if (!point) return false;
  memcpy(point, bytes, size);
  bool good = true;
  for (size_t k = 0; k < count; k++)
    good = good && fabsf(point[k].x) < 1e9f && fabsf(point[k].y) < 1e9f && fabsf(point[k].z) < 1e9f;
  if (!good) {
    TH_GIVE(&tracks->env.allocator, point, count);
    return true;
  }
  spot->outline = point;
  spot->outline_count = (uint32_t)count;
  spot->closed = sqlite3_column_int(query, 7) != 0 && count > 2;
  spot->low = low;
  spot->high = high;
  return true;
}

static th_result take_spot(const th_record_file *in, th_tracks *tracks, sqlite3_stmt *query) {
  int64_t face = sqlite3_column_int64(query, 2);
  double v[4];
  bool good = face >= 0 && face < (int64_t)tracks->mesh[0].mesh.face_count;
  for (int k = 0; k < 4; k++) good = fabs(v[k] = sqlite3_column_double(query, 3 + k)) < 1e9 && good;
  if (!good || !(v[3] > 0.0)) return TH_OK;
  if (!th_grow(&tracks->env.allocator, (void **)&tracks->spot, &tracks->tail.spot_capacity, tracks->spot_count + 1,
               sizeof *tracks->spot))
    return th_fail_memory(in->error, in->path);
  th_mesh_mark *spot = &tracks->spot[tracks->spot_count++];
  *spot =
      (th_mesh_mark){.face = (uint32_t)face, .point = {(float)v[0], (float)v[1], (float)v[2]}, .radius = (float)v[3]};
  snprintf(spot->kind, sizeof spot->kind, "%s", th_record_text(query, 0));
  snprintf(spot->name, sizeof spot->name, "%s", th_record_text(query, 1));
  if (in->has_outline && !take_outline(tracks, query, spot)) return th_fail_memory(in->error, in->path);
  return TH_OK;
}

static th_result read_spots(const th_record_file *in, th_tracks *tracks) {
  sqlite3_stmt *query = NULL;
  if (!th_record_has_table(in, "throng_spot")) return TH_OK;
  const char *sql = in->has_outline ? "SELECT kind, name, face, x, y, z, radius, closed, low, high, outline "
                                      "FROM throng_spot ORDER BY rowid"
                                    : "SELECT kind, name, face, x, y, z, radius FROM throng_spot ORDER BY rowid";
  th_result result = th_record_prepare(in, sql, &query);
  while (th_record_next(in, query, &result)) result = take_spot(in, tracks, query);
  sqlite3_finalize(query);
  return result;
}

/* Faces that no row names are of the first terrain. */
static th_result take_terrain(const th_record_file *in, th_tracks *tracks, sqlite3_stmt *query) {
  const uint32_t faces = tracks->mesh[0].mesh.face_count;
  const size_t count = (size_t)sqlite3_column_bytes(query, 2) / sizeof(uint32_t);
  const uint8_t *bytes = sqlite3_column_blob(query, 2);
  const uint32_t number = tracks->terrain_count;
  if (number > UINT8_MAX || !bytes)
    return th_fail(in->error, TH_ERROR_FORMAT, in->path, "throng_terrain: expected at most 256 terrains with faces");
  if (!th_tracks_add_terrain(tracks, sqlite3_column_int64(query, 0), th_record_text(query, 1)))
    return th_fail_memory(in->error, in->path);
  for (size_t k = 0; k < count; k++) {
    uint32_t face;
    memcpy(&face, bytes + k * sizeof face, sizeof face);
    if (face >= faces)
      return th_fail(in->error, TH_ERROR_FORMAT, in->path, "throng_terrain: expected a face below %u, found %u", faces,
                     face);
    tracks->terrain_of[face] = (uint8_t)number;
  }
  return TH_OK;
}

static th_result read_terrains(const th_record_file *in, th_tracks *tracks) {
  sqlite3_stmt *query = NULL;
  if (!th_record_has_table(in, "throng_terrain")) return TH_OK;
  th_result result = th_record_prepare(in, "SELECT number, name, faces FROM throng_terrain ORDER BY number", &query);
  while (th_record_next(in, query, &result)) {
    if (!tracks->terrain_of)
      tracks->terrain_of = TH_TAKE(&tracks->env.allocator, uint8_t, tracks->mesh[0].mesh.face_count);
    result = tracks->terrain_of ? take_terrain(in, tracks, query) : th_fail_memory(in->error, in->path);
  }
  sqlite3_finalize(query);
  return result;
}

th_result th_tracks_read_mesh_marks(const th_record_file *in, th_tracks *tracks) {
  if (tracks->mesh_count == 0) return TH_OK;
  th_result result = read_spots(in, tracks);
  return result == TH_OK ? read_terrains(in, tracks) : result;
}
