/* io/recording/read/groups.c - the group of each sample of a recording.
 *
 * The file has a row where an agent's group changes; samples from there on get it, so a part of a recording knows the
 * groups that agents came into before it. Files without groups have no column. Cost: changes times samples of a path.
 */
#include "base/error.h"
#include "base/memory.h"
#include "io/recording/read/file.h"
#include "io/recording/tracks.h"

static th_result read_names(const th_record_file *in, th_tracks *tracks) {
  sqlite3_stmt *query = NULL;
  th_result result = th_record_prepare(in, "SELECT id, name FROM throng_group ORDER BY id", &query);
  while (th_record_next(in, query, &result))
    if (!th_tracks_add_group(tracks, sqlite3_column_int64(query, 0), th_record_text(query, 1)))
      result = th_fail_memory(in->error, in->path);
  sqlite3_finalize(query);
  return result;
}

static uint32_t group_at(const th_tracks *tracks, int64_t id) {
  for (uint32_t k = 0; k < tracks->group_name_count; k++)
    if (tracks->group_name[k].id == id) return k;
  return UINT32_MAX;
}

static bool take_column(th_tracks *tracks) {
  if (tracks->group) return true;
  tracks->group = TH_TAKE(&tracks->env.allocator, uint32_t, tracks->tail.sample_capacity);
  for (uint32_t k = 0; tracks->group && k < tracks->tail.sample_capacity; k++) tracks->group[k] = UINT32_MAX;
  return tracks->group != NULL;
}

static void take_member(th_tracks *tracks, int64_t frame, int64_t id, int64_t group) {
  const th_track *track = th_tracks_of(tracks, id);
  for (uint32_t k = track ? track->count : 0; k > 0; k--) {
    const uint32_t sample = track->first + k - 1;
    if ((int64_t)tracks->frame[sample] < frame) return;
    tracks->group[sample] = group_at(tracks, group);
  }
}

th_result th_tracks_read_groups(const th_record_file *in, th_tracks *tracks) {
  sqlite3_stmt *query = NULL;
  if (!th_record_has_table(in, "throng_member")) return TH_OK;
  th_result result = read_names(in, tracks);
  if (result == TH_OK)
    result = th_record_prepare(in,
                               "SELECT frame, id, group_id FROM throng_member WHERE frame <= max(?1, ?2) "
                               "ORDER BY frame, id",
                               &query);
  while (th_record_next(in, query, &result)) {
    if (!take_column(tracks))
      result = th_fail_memory(in->error, in->path);
    else
      take_member(tracks, sqlite3_column_int64(query, 0), sqlite3_column_int64(query, 1),
                  sqlite3_column_int64(query, 2));
  }
  sqlite3_finalize(query);
  return result;
}
