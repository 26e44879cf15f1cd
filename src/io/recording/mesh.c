/* io/recording/mesh.c - what recordings of mesh ground hold beside JuPedSim's tables: places in space, and the mesh.
 *
 * trajectory_data keeps x and y, so every reader sees the crowd from above; throng_places adds, row by row, the face
 * with two of its three barycentric weights (the third is 1 minus both), the height and the heading in space.
 * throng_mesh holds the ground as blobs of little-endian numbers: vertices as 3 doubles, faces as 3 uint32, blocked
 * faces as bytes. A door changes only the blocked faces, a deformation only the vertices: a part that did not change is
 * NULL, and the row before holds it. Cost: one copy of what changed.
 */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/recording/recording.h"
#include "io/text.h"

const char *const th_record_mesh_tables =
    "CREATE TABLE throng_places(frame INTEGER NOT NULL, id INTEGER NOT NULL, face INTEGER NOT NULL,"
    " weight_1 REAL NOT NULL, weight_2 REAL NOT NULL, pos_z REAL NOT NULL, vel_z REAL NOT NULL,"
    " head_x REAL NOT NULL, head_y REAL NOT NULL, head_z REAL NOT NULL, PRIMARY KEY(frame, id)) WITHOUT ROWID;"
    "CREATE TABLE throng_mesh(version INTEGER PRIMARY KEY, frame INTEGER NOT NULL, vertices BLOB, faces BLOB,"
    " blocked BLOB);"
    "CREATE TABLE throng_spot(kind TEXT NOT NULL, name TEXT NOT NULL, face INTEGER NOT NULL, x REAL NOT NULL,"
    " y REAL NOT NULL, z REAL NOT NULL, radius REAL NOT NULL, closed INTEGER, low REAL, high REAL, outline BLOB);"
    "CREATE TABLE throng_terrain(number INTEGER PRIMARY KEY, name TEXT NOT NULL, faces BLOB NOT NULL);";

bool th_record_put_mesh_places(th_recording *recording, int64_t frame, const th_record_row *row) {
  sqlite3_stmt *insert = recording->insert[TH_TABLE_MESH_PLACE];
  const float value[7] = {row->weight_1, row->weight_2, row->z, row->vz, row->hx, row->hy, row->hz};
  sqlite3_bind_int64(insert, 1, frame);
  sqlite3_bind_int64(insert, 2, row->id);
  sqlite3_bind_int64(insert, 3, row->face);
  for (int k = 0; k < 7; k++) sqlite3_bind_double(insert, 4 + k, (double)value[k]);
  return th_record_put(insert);
}

bool th_record_put_mesh(th_recording *recording, const th_record *record) {
  sqlite3_stmt *insert = recording->insert[TH_TABLE_MESH];
  sqlite3_bind_int64(insert, 1, record->id);
  sqlite3_bind_int64(insert, 2, (int64_t)record->step);
  for (int k = 0; k < 3; k++) {
    const th_record_blob *blob = &record->blob[k];
    if (blob->bytes)
      sqlite3_bind_blob64(insert, 3 + k, blob->bytes, blob->size, SQLITE_STATIC);
    else
      sqlite3_bind_null(insert, 3 + k);
  }
  return th_record_put(insert);
}

th_record_blob *th_record_blob_take(const th_allocator *allocator, size_t size) {
  th_record_blob *blob = TH_TAKE(allocator, th_record_blob, 3);
  if (!blob) return NULL;
  blob[0].bytes = TH_TAKE(allocator, uint8_t, size);
  blob[0].size = size;
  if (blob[0].bytes) return blob;
  TH_GIVE(allocator, blob, 3);
  return NULL;
}

void th_record_blobs_free(const th_allocator *allocator, th_record_blob *blob) {
  if (!blob) return;
  for (int k = 0; k < 3; k++) TH_GIVE(allocator, (uint8_t *)blob[k].bytes, blob[k].size);
  TH_GIVE(allocator, blob, 3);
}

/* FNV-1a over bytes. */
static uint64_t hash_bytes(const void *bytes, size_t size) {
  uint64_t hash = 14695981039346656037u;
  for (const uint8_t *at = bytes, *end = at + size; at < end; at++) hash = (hash ^ *at) * 1099511628211u;
  return hash;
}

/* The numbers of a part as bytes; NULL when out of memory. */
static void *copy_part(const th_allocator *allocator, const th_mesh *mesh, const uint8_t *blocked, int part,
                       size_t *size) {
  size_t faces = mesh->face_count;
  const void *from = part == 0 ? (const void *)mesh->xyz : part == 1 ? (const void *)mesh->corner : blocked;
  *size = part == 0 ? 3 * sizeof(double) * mesh->vertex_count : part == 1 ? 3 * sizeof(uint32_t) * faces : faces;
  uint8_t *bytes = TH_TAKE(allocator, uint8_t, *size);
  if (bytes && from) memcpy(bytes, from, *size);
  return bytes;
}

/* Fills `blob` with what differs from the mesh before. */
static bool changed_parts(th_recording *recording, const th_mesh *mesh, const uint8_t *blocked, th_record_blob *blob,
                          uint64_t hash[3]) {
  const th_allocator *allocator = &recording->env.allocator;
  for (int k = 0; k < 3; k++) {
    blob[k].bytes = copy_part(allocator, mesh, blocked, k, &blob[k].size);
    if (!blob[k].bytes) {
      blob[k].size = 0;
      return false;
    }
    hash[k] = hash_bytes(blob[k].bytes, blob[k].size);
    if (recording->mesh_count == 0 || hash[k] != recording->mesh_part[k]) continue;
    TH_GIVE(allocator, (uint8_t *)blob[k].bytes, blob[k].size);
    blob[k] = (th_record_blob){0};
  }
  return true;
}

th_result th_recording_mesh(th_recording *recording, const th_mesh *mesh, const uint8_t *blocked, th_error *error) {
  const th_allocator *allocator = &recording->env.allocator;
  uint64_t hash[3] = {0};
  if (!recording->mesh)
    return th_fail(error, TH_ERROR_STATE, recording->path, "expected a recording that was created with mesh = true");
  th_record_blob *blob = TH_TAKE(allocator, th_record_blob, 3);
  th_result result =
      blob && changed_parts(recording, mesh, blocked, blob, hash) ? TH_OK : th_fail_memory(error, recording->path);
  bool same = result == TH_OK && !blob[0].bytes && !blob[1].bytes && !blob[2].bytes;
  if (result == TH_OK && !same) result = th_record_begin(recording, 1, 0, error);
  if (result != TH_OK || same) {
    th_record_blobs_free(allocator, blob);
    return result;
  }
  memcpy(recording->mesh_part, hash, sizeof hash);
  th_record_add(
      recording,
      (th_record){.kind = TH_RECORD_MESH, .id = ++recording->mesh_count, .step = recording->frame_next, .blob = blob});
  th_record_end(recording);
  return TH_OK;
}
