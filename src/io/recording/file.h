/* io/recording/file.h - replacing a file by another. */
#ifndef TH_IO_RECORDING_FILE_H
#define TH_IO_RECORDING_FILE_H

#include "throng/base.h"

#define TH_PATH_ROOM 4096

/* `path` + `ending` in `buffer`; false when it does not fit. */
bool th_path_join(char buffer[TH_PATH_ROOM], const char *path, const char *ending);

/* TH_OK when `path` is free or a regular file, so that it may be replaced. */
th_result th_path_check(const char *path, th_error *error);

/* path.part becomes path; what was there becomes path.old. SQLite's journals move along with their files. */
th_result th_path_publish(const char *path, th_error *error);

/* The new file is good: path.old is deleted. */
void th_path_settle(const char *path);

/* The new file is bad: it becomes path.part, and path.old becomes path again. Returns false when there was no old. */
bool th_path_restore(const char *path);

#endif
