/* io/recording/copy.c - a recording copied whole.
 *
 * SQLite copies its pages, so the copy holds everything: frames, events, shapes, the scene, and tables that other
 * programs have added. Like every recording it is built as path.part and renamed. Cost: one reading of the file.
 */

#include "base/error.h"
#include "io/recording/file.h"
#include "io/recording/read/file.h"

static th_result copy_pages(const th_record_file *in, const char *part) {
  sqlite3 *out = NULL;
  sqlite3_backup *backup = NULL;
  th_file_remove(part);
  if (sqlite3_open_v2(part, &out, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) == SQLITE_OK &&
      sqlite3_exec(out, "PRAGMA synchronous=OFF", NULL, NULL, NULL) == SQLITE_OK)
    backup = sqlite3_backup_init(out, "main", in->file, "main");
  int step = backup ? sqlite3_backup_step(backup, -1) : SQLITE_ERROR;
  sqlite3_backup_finish(backup);
  th_result result = TH_OK;
  if (step != SQLITE_DONE)
    result = th_fail(in->error, TH_ERROR_FILE, part, "cannot be written: %s", sqlite3_errmsg(out));
  sqlite3_close(out);
  if (result != TH_OK) th_file_remove(part);
  return result;
}

static th_result copy_as(const th_record_file *in, const char *to, th_error *error) {
  char part[TH_PATH_ROOM];
  intptr_t lock;
  th_result result = th_file_lock(to, &lock, error);
  if (result != TH_OK) return result;
  (void)th_file_path_join(part, to, ".part");
  result = copy_pages(in, part);
  if (result == TH_OK) result = th_file_publish(to, error);
  if (result == TH_OK) th_file_settle(to);
  th_file_unlock(to, lock);
  return result;
}

th_result th_recording_copy(const char *from, const char *to, th_error *error) {
  th_record_file in;
  th_result result = th_file_check(to, error);
  if (result == TH_OK && th_file_same(from, to))
    result = th_fail(error, TH_ERROR_STATE, to, "expected another file than the one to copy, found the same");
  if (result == TH_OK) result = th_record_file_open(from, &in, error);
  if (result != TH_OK) return result;
  result = copy_as(&in, to, error);
  sqlite3_close(in.file);
  return result;
}
