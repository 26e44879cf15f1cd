/* io/recording/mesh_marks.c - what lies on the mesh of a recording: marks with their outlines, and terrains.
 *
 * throng_spot has a row per mark, with the points of its outline as 3 floats each; throng_terrain has a row per terrain
 * with its faces as uint32. Both are little-endian blobs. Terrains never change, so they are written once, and not at
 * all where there is only one. Cost: one pass over the faces per terrain.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "ground/ground.h"
#include "io/recording/recording.h"
#include "io/text.h"

bool th_record_put_mesh_mark(th_recording *recording, const th_record *record) {
  sqlite3_stmt *insert = recording->insert[TH_TABLE_SPOT];
  const double value[4] = {record->x, record->y, record->z, record->value};
  sqlite3_clear_bindings(insert);
  sqlite3_bind_text(insert, 1, record->text, -1, SQLITE_STATIC);
  sqlite3_bind_text(insert, 2, record->more, -1, SQLITE_STATIC);
  sqlite3_bind_int64(insert, 3, record->id);
  for (int k = 0; k < 4; k++) sqlite3_bind_double(insert, 4 + k, value[k]);
  if (!record->blob) return th_record_put(insert);
  sqlite3_bind_int64(insert, 8, record->count);
  sqlite3_bind_double(insert, 9, record->low);
  sqlite3_bind_double(insert, 10, record->high);
  sqlite3_bind_blob64(insert, 11, record->blob[0].bytes, record->blob[0].size, SQLITE_STATIC);
  return th_record_put(insert);
}

bool th_record_put_terrain(th_recording *recording, const th_record *record) {
  sqlite3_stmt *insert = recording->insert[TH_TABLE_TERRAIN];
  sqlite3_bind_int64(insert, 1, record->id);
  sqlite3_bind_text(insert, 2, record->text, -1, SQLITE_STATIC);
  sqlite3_bind_blob64(insert, 3, record->blob[0].bytes, record->blob[0].size, SQLITE_STATIC);
  return th_record_put(insert);
}

/* Hands a complete record to the log, or frees what it holds. */
static th_result add(th_recording *recording, th_record record, bool complete, th_error *error) {
  th_result result = complete ? th_record_begin(recording, 1, 0, error) : th_fail_memory(error, recording->path);
  if (result != TH_OK) {
    th_text_free(record.text);
    th_text_free(record.more);
    th_record_blobs_free(&recording->env.allocator, record.blob);
    return result;
  }
  th_record_add(recording, record);
  th_record_end(recording);
  return TH_OK;
}

th_result th_recording_mesh_mark(th_recording *recording, const th_mesh_mark *spot, th_error *error) {
  const th_allocator *allocator = &recording->env.allocator;
  if (!recording->mesh)
    return th_fail(error, TH_ERROR_STATE, recording->path, "expected a recording that was created with mesh = true");
  th_record record = {.kind = TH_RECORD_SPOT,
                      .text = th_text_copy(allocator, spot->kind),
                      .more = th_text_copy(allocator, spot->name),
                      .id = spot->face,
                      .count = spot->closed,
                      .x = (double)spot->point.x,
                      .y = (double)spot->point.y,
                      .z = (double)spot->point.z,
                      .value = (double)spot->radius,
                      .low = (double)spot->low,
                      .high = (double)spot->high};
  const size_t size = spot->outline_count * sizeof *spot->outline;
  if (size) record.blob = th_record_blob_take(allocator, size);
  if (record.blob) memcpy(record.blob[0].bytes, spot->outline, size);
  return add(recording, record, record.text && record.more && (record.blob || !size), error);
}

th_result th_recording_terrain(th_recording *recording, const th_recorded_name *terrain, const uint8_t *terrain_of,
                               uint32_t faces, th_error *error) {
  const th_allocator *allocator = &recording->env.allocator;
  uint32_t count = 0, n = 0;
  for (uint32_t f = 0; f < faces; f++) count += terrain_of[f] == terrain->id;
  if (!count) return TH_OK;
  th_record record = {.kind = TH_RECORD_TERRAIN,
                      .id = terrain->id,
                      .text = th_text_copy(allocator, terrain->text),
                      .blob = th_record_blob_take(allocator, count * sizeof(uint32_t))};
  uint32_t *list = record.blob ? record.blob[0].bytes : NULL;
  for (uint32_t f = 0; list && f < faces; f++)
    if (terrain_of[f] == terrain->id) list[n++] = f;
  return add(recording, record, record.text && list, error);
}

th_result th_recording_terrains(th_recording *recording, const th_ground *ground, th_error *error) {
  const uint32_t faces = th_ground_mesh(ground)->face_count;
  uint8_t *terrain_of = TH_TAKE(&recording->env.allocator, uint8_t, faces);
  if (!terrain_of) return th_fail_memory(error, recording->path);
  uint32_t most = 0;
  for (uint32_t f = 0; f < faces; f++) {
    terrain_of[f] = (uint8_t)th_ground_terrain(ground, f);
    if (terrain_of[f] > most) most = terrain_of[f];
  }
  th_result result = TH_OK;
  for (uint32_t k = 0; k <= most && most && result == TH_OK; k++) {
    th_recorded_name terrain = {.id = k};
    snprintf(terrain.text, sizeof terrain.text, "%s", th_ground_terrain_name(ground, k));
    result = th_recording_terrain(recording, &terrain, terrain_of, faces, error);
  }
  TH_GIVE(&recording->env.allocator, terrain_of, faces);
  if (result == TH_OK) recording->terrains = true;
  return result;
}
