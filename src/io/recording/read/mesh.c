/* io/recording/read/mesh.c - mesh ground of a recording: places in space, and the meshes themselves.
 *
 * Each mesh is rebuilt by th_mesh_build, without welding, so that it has half-edges and all data of the file are
 * checked; a mesh that would lose vertices or faces in this is refused, because places name faces by number. A part
 * that a version leaves out is taken from the version before. Cost: O(rows log agents), and O(n log n) per mesh.
 */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/recording/read/file.h"
#include "io/recording/tracks.h"

typedef struct mesh_reader {
  const th_record_file *file;
  const char *path;
  th_tracks *tracks;
  th_error *error;
} mesh_reader;

/* ---------------------------------------------------------------- places */

static th_result take_place(const mesh_reader *in, sqlite3_stmt *query) {
  int64_t frame = sqlite3_column_int64(query, 0), id = sqlite3_column_int64(query, 1),
          face = sqlite3_column_int64(query, 2);
  const th_track *track = th_tracks_of(in->tracks, id);
  if (!track || frame < 0 || frame >= UINT32_MAX) return TH_OK; /* no such path: nothing to lift */
  uint32_t sample = th_tracks_find(in->tracks, track, (uint32_t)frame);
  if (sample == UINT32_MAX || in->tracks->frame[sample] != (uint32_t)frame) return TH_OK;
  double value[7];
  for (int k = 0; k < 7; k++) value[k] = sqlite3_column_double(query, 3 + k);
  if (face >= 0 && face < UINT32_MAX && th_tracks_lift_sample(in->tracks, sample, (uint32_t)face, value)) return TH_OK;
  return th_fail(in->error, TH_ERROR_FORMAT, in->path, "throng_places: frame %lld of id %lld is out of range",
                 (long long)frame, (long long)id);
}

static th_result read_places(const mesh_reader *in) {
  sqlite3_stmt *query = NULL;
  if (!th_tracks_lift(in->tracks)) return th_fail_memory(in->error, in->path);
  th_result result = th_record_prepare(in->file,
                                       "SELECT frame, id, face, weight_1, weight_2, pos_z, vel_z, head_x, head_y, "
                                       "head_z FROM throng_places WHERE frame BETWEEN ?1 AND ?2 ORDER BY frame, id",
                                       &query);
  while (th_record_next(in->file, query, &result)) result = take_place(in, query);
  sqlite3_finalize(query);
  return result;
}

/* ---------------------------------------------------------------- meshes */

/* Bytes of a part, aligned by copying into `*copy`; the part of the mesh before when the row leaves it out. */
static th_result take_part(const mesh_reader *in, sqlite3_stmt *query, int column, size_t unit, void **copy,
                           size_t *size) {
  const th_tracks *tracks = in->tracks;
  const th_tracks_mesh *before = tracks->mesh_count ? &tracks->mesh[tracks->mesh_count - 1] : NULL;
  const void *bytes = sqlite3_column_blob(query, column);
  *size = (size_t)sqlite3_column_bytes(query, column);
  if (sqlite3_column_type(query, column) == SQLITE_NULL && before) {
    bytes = column == 2   ? (const void *)before->mesh.xyz
            : column == 3 ? (const void *)before->mesh.corner
                          : before->blocked;
    *size = column == 2   ? 24 * (size_t)before->mesh.vertex_count
            : column == 3 ? 12 * (size_t)before->mesh.face_count
                          : before->mesh.face_count;
  }
  if (!bytes || *size == 0 || *size % unit != 0 || *size / unit >= UINT32_MAX)
    return th_fail(in->error, TH_ERROR_FORMAT, in->path,
                   "throng_mesh: expected vertices of 24 bytes, faces of 12 and blocked faces of 1, found %zu bytes",
                   *size);
  *copy = TH_TAKE(&tracks->env.allocator, uint8_t, *size);
  if (!*copy) return th_fail_memory(in->error, in->path);
  memcpy(*copy, bytes, *size);
  return TH_OK;
}

static th_result make_mesh(const mesh_reader *in, void *const part[3], const size_t size[3], th_tracks_mesh *made) {
  th_mesh_def def = th_default_mesh_def();
  def.env = in->tracks->env;
  def.where = in->path;
  def.xyz_double = (const double *)part[0];
  def.corner = (const uint32_t *)part[1];
  def.vertex_count = (uint32_t)(size[0] / 24);
  def.face_count = (uint32_t)(size[1] / 12);
  def.weld = -1;
  if (size[2] != def.face_count)
    return th_fail(in->error, TH_ERROR_FORMAT, in->path, "throng_mesh: expected %u bytes of blocked faces, found %zu",
                   def.face_count, size[2]);
  th_result result = th_mesh_build(&def, &made->mesh, in->error);
  if (result != TH_OK) return result;
  if (made->mesh.face_count == def.face_count && made->mesh.vertex_count == def.vertex_count) return TH_OK;
  th_mesh_free(&made->mesh);
  return th_fail(in->error, TH_ERROR_FORMAT, in->path,
                 "throng_mesh: expected a mesh without faces to drop, found some");
}

static th_result take_mesh(const mesh_reader *in, sqlite3_stmt *query) {
  static const size_t unit[3] = {24, 12, 1};
  th_tracks *tracks = in->tracks;
  const th_allocator *allocator = &tracks->env.allocator;
  void *part[3] = {NULL, NULL, NULL};
  size_t size[3] = {0, 0, 0};
  int64_t frame = sqlite3_column_int64(query, 1);
  th_tracks_mesh made = {.frame = (uint32_t)frame};
  th_result result = TH_OK;
  if (frame < 0 || frame >= UINT32_MAX)
    result = th_fail(in->error, TH_ERROR_FORMAT, in->path, "throng_mesh: a frame is out of range");
  for (int k = 0; k < 3 && result == TH_OK; k++) result = take_part(in, query, 2 + k, unit[k], &part[k], &size[k]);
  if (result == TH_OK && !th_grow(allocator, (void **)&tracks->mesh, &tracks->tail.mesh_capacity,
                                  tracks->mesh_count + 1, sizeof *tracks->mesh))
    result = th_fail_memory(in->error, in->path);
  if (result == TH_OK) result = make_mesh(in, part, size, &made);
  if (result == TH_OK) {
    made.blocked = part[2];
    tracks->mesh[tracks->mesh_count++] = made;
  }
  for (int k = 0; k < (result == TH_OK ? 2 : 3); k++)
    if (part[k]) TH_GIVE(allocator, (uint8_t *)part[k], size[k]);
  return result;
}

static th_result check_faces(const mesh_reader *in) {
  const th_tracks *tracks = in->tracks;
  if (tracks->mesh_count == 0) return TH_OK;
  uint32_t faces = tracks->mesh[0].mesh.face_count;
  for (uint32_t k = 1; k < tracks->mesh_count; k++)
    if (tracks->mesh[k].mesh.face_count != faces)
      return th_fail(in->error, TH_ERROR_FORMAT, in->path, "throng_mesh: expected %u faces in every version", faces);
  for (uint32_t i = 0; i < tracks->sample_count; i++)
    if (tracks->face[i] >= faces)
      return th_fail(in->error, TH_ERROR_FORMAT, in->path, "throng_places: expected a face below %u, found %u", faces,
                     tracks->face[i]);
  return TH_OK;
}

th_result th_tracks_read_mesh_places(const th_record_file *file, th_tracks *tracks) {
  mesh_reader in = {file, file->path, tracks, file->error};
  if (!th_record_has_table(file, "throng_places") || !th_record_has_table(file, "throng_mesh")) return TH_OK;
  th_result result = read_places(&in);
  if (result != TH_OK) return result;
  sqlite3_stmt *query = NULL;
  result = th_record_prepare(file, "SELECT version, frame, vertices, faces, blocked FROM throng_mesh ORDER BY version",
                             &query);
  while (th_record_next(file, query, &result)) result = take_mesh(&in, query);
  sqlite3_finalize(query);
  if (result == TH_OK) result = check_faces(&in);
  return result == TH_OK ? th_tracks_read_mesh_marks(file, tracks) : result;
}
