/* io/recording/open.c - the beginning and the end of a recording.
 *
 * The file is built as path.part and renamed to its path when its tables exist; the former file is kept until the
 * recording has ended successfully, so that a failed recording destroys no file. Cost: that of making the tables.
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/recording/recording.h"
#include "throng/ground.h"

th_recording_agent_def th_default_recording_agent_def(void) { return (th_recording_agent_def){0}; }

th_recording_def th_default_recording_def(void) {
  return (th_recording_def){.dt = 0.1, .every = 1, .seed = 1, .version = 2, .events = true};
}

static th_result check_def(const char *path, const th_recording_def *def, th_error *error) {
  if (!(def->dt > 0.0 && def->dt <= 10.0))
    return th_fail(error, TH_ERROR_RANGE, "recording dt", "expected above 0 to 10 s, found %g", def->dt);
  if (def->every < 1) return th_fail(error, TH_ERROR_RANGE, "recording every", "expected 1 or more, found 0");
  if (def->version != 2 && def->version != 3)
    return th_fail(error, TH_ERROR_RANGE, "recording version", "expected 2 or 3, found %u", def->version);
  if (!def->wkt) return th_fail(error, TH_ERROR_STATE, "recording wkt", "expected the ground, or its WKT, found none");
  return th_file_check(path, error);
}

static bool start_thread(th_recording *recording) {
  if (!th_mutex_make(&recording->mutex)) return false;
  if (th_condition_make(&recording->filled)) {
    if (th_condition_make(&recording->emptied)) {
      if (th_thread_start(&recording->thread, th_recording_thread, recording)) return true;
      th_condition_free(&recording->emptied);
    }
    th_condition_free(&recording->filled);
  }
  th_mutex_free(&recording->mutex);
  return false;
}

static void free_recording(th_recording *recording) {
  th_allocator allocator = recording->env.allocator;
  th_mutex_free(&recording->mutex);
  th_condition_free(&recording->filled);
  th_condition_free(&recording->emptied);
  th_record_log_free(&allocator, &recording->filling);
  th_record_log_free(&allocator, &recording->emptying);
  th_record_forget(recording);
  TH_GIVE(&allocator, recording->geometry_seen, recording->geometry_capacity);
  th_space_free(&recording->space);
  TH_GIVE(&allocator, recording, 1);
}

/* Builds path.part, gives it its name and opens it. */
static th_result build_file(th_recording *recording, const th_recording_def *def, double fps, th_error *error) {
  char part[TH_PATH_ROOM];
  (void)th_file_path_join(part, recording->path, ".part");
  th_result result = th_recording_tables(part, def, fps, error);
  if (result != TH_OK) return result;
  result = th_file_publish(recording->path, error);
  if (result != TH_OK) {
    th_file_remove(part);
    return result;
  }
  result = th_recording_attach(recording, error);
  if (result == TH_OK && !start_thread(recording)) {
    result = th_fail(error, TH_ERROR_CAPACITY, recording->path, "cannot start the writing thread");
    th_recording_detach(recording);
  }
  if (result != TH_OK && !th_file_restore(recording->path)) th_file_remove(recording->path);
  return result;
}

static th_result open_file(th_recording *recording, const th_recording_def *def, double fps, th_error *error) {
  th_result result = th_file_lock(recording->path, &recording->lock, error);
  if (result != TH_OK) return result;
  result = build_file(recording, def, fps, error);
  if (result != TH_OK) th_file_unlock(recording->path, recording->lock);
  return result;
}

th_result th_recording_open(const char *path, const th_recording_def *def, double fps, th_recording **recording,
                            th_error *error) {
  th_result result = check_def(path, def, error);
  if (result != TH_OK) return result;
  th_env env = th_env_complete(&def->env);
  th_recording *made = TH_TAKE(&env.allocator, th_recording, 1);
  if (!made) return th_fail_memory(error, path);
  made->env = env;
  made->every = def->every;
  made->version = def->version;
  made->dt = def->dt;
  made->mesh = def->mesh;
  made->events = def->events;
  made->space.env = env;
  made->limit = TH_RECORDING_FIRST_BURST;
  made->geometry = th_recording_wkt_hash(def->wkt);
  snprintf(made->path, sizeof made->path, "%s", path);
  result =
      th_record_geometry_seen(made, made->geometry) ? open_file(made, def, fps, error) : th_fail_memory(error, path);
  if (result != TH_OK) {
    TH_GIVE(&env.allocator, made->geometry_seen, made->geometry_capacity);
    TH_GIVE(&env.allocator, made, 1);
    return result;
  }
  *recording = made;
  return TH_OK;
}

th_result th_recording_make(const char *path, const th_recording_def *def, th_recording **recording, th_error *error) {
  th_recording_def whole = *def;
  char *wkt = NULL;
  th_result result = def->ground ? th_ground_wkt(def->ground, &wkt, error) : TH_OK;
  if (def->ground) {
    whole.wkt = wkt;
    whole.mesh = th_ground_mesh(def->ground) != NULL;
  }
  if (result == TH_OK) result = th_recording_open(path, &whole, 1.0 / (def->dt * def->every), recording, error);
  th_text_free(wkt);
  return result;
}

/* SQLite counts transactions in bytes 24 and 92 of the header (its file format, section 1.3). How many bursts there
 * were depends on the machine; with the count set to 1 equal runs give equal bytes. No other program has the file open
 * for writing, so no cache becomes stale. */
static void forget_bursts(const char *path) {
  static const uint8_t one[4] = {0, 0, 0, 1};
  FILE *file = th_file_stream(path, "r+b");
  if (!file) return;
  if (fseek(file, 24, SEEK_SET) == 0) fwrite(one, 1, sizeof one, file);
  if (fseek(file, 92, SEEK_SET) == 0) fwrite(one, 1, sizeof one, file);
  fclose(file);
}

th_result th_recording_close(th_recording *recording, th_error *error) {
  if (!recording) return TH_OK;
  th_mutex_lock(&recording->mutex);
  recording->stop = true;
  th_condition_tell_one(&recording->filled);
  th_mutex_unlock(&recording->mutex);
  th_thread_join(&recording->thread);
  th_recording_detach(recording);
  th_result result = TH_OK;
  if (recording->failed) {
    bool back = th_file_restore(recording->path);
    result = th_fail(error, recording->why.code, recording->path, "%.200s; what was written is in %s%s",
                     recording->why.text, recording->path, back ? ".part, the former file is back" : "");
  } else {
    forget_bursts(recording->path);
    th_file_settle(recording->path);
  }
  th_file_unlock(recording->path, recording->lock);
  free_recording(recording);
  return result;
}
