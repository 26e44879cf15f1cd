/* io/recording/file.h - replacing a file by another. */
#ifndef TH_IO_RECORDING_FILE_H
#define TH_IO_RECORDING_FILE_H

#include <stdint.h>

#include "base/platform/file.h"

/* `path` + `ending` in `buffer`; false when it does not fit. */
bool th_file_path_join(char buffer[TH_PATH_ROOM], const char *path, const char *ending);

/* Is `path` free or a regular file? */
bool th_file_is_replaceable(const char *path);

/* TH_OK when `path` is free or a regular file, so that it may be replaced. */
th_result th_file_check(const char *path, th_error *error);

/* Keeps other programs, and other recordings of this one, from writing to `path`: an error when another writer has it.
 * The lock is a file path.lock; it ends with the program, however that ends. Where locks are not possible `*lock` is
 * -1, and there is none. */
th_result th_file_lock(const char *path, intptr_t *lock, th_error *error);
void th_file_unlock(const char *path, intptr_t lock);

/* path.part becomes path; what was there becomes path.old. SQLite's journals move along with their files. */
th_result th_file_publish(const char *path, th_error *error);

/* The new file is good: path.old is deleted. */
void th_file_settle(const char *path);

/* The new file is bad: it becomes path.part, and path.old becomes path again. Returns false when there was no old. */
bool th_file_restore(const char *path);

#endif
