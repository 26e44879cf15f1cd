/* base/platform/file.h - files and folders. Names are UTF-8 on every system; bytes are read and written as they are. */
#ifndef TH_BASE_PLATFORM_FILE_H
#define TH_BASE_PLATFORM_FILE_H

#include <stdio.h>

#include "throng/base.h"

#define TH_PATH_ROOM 4096

typedef enum th_file_kind {
  TH_FILE_NOTHING, /* no such name, or a link that leads nowhere */
  TH_FILE_REGULAR,
  TH_FILE_FOLDER,
  TH_FILE_DEVICE, /* or a pipe */
} th_file_kind;

/* What a name leads to. */
th_file_kind th_file_look(const char *path);

/* Is the name taken, be it by a link that leads nowhere? */
bool th_file_name_taken(const char *path);

/* Bytes of a regular file; 0 for anything else. */
uint64_t th_file_size(const char *path);

/* Are both names of one existing file? */
bool th_file_same(const char *a, const char *b);

/* The absolute name of what exists, without links and "..", with '/'. */
bool th_file_real_path(const char *path, char real[TH_PATH_ROOM]);

/* A regular file, for reading; NULL, with an error, for what is not there and for folders, pipes and devices: a scene
 * may name anything as its mesh or image, a pipe would be waited for without end, and a folder has no size. */
FILE *th_file_open(const char *path, th_error *error);

/* As fopen, with the modes "rb", "wb", "ab" and "r+b". NULL, with errno. */
FILE *th_file_stream(const char *path, const char *mode);

/* A new file of this name, for writing, instead of whatever has it: nothing is written through a link that somebody
 * else put there. NULL, with errno, when it cannot be made. */
FILE *th_file_fresh(const char *path);

/* Gives a file another name, whose former file is replaced in one moment. False, with errno. */
bool th_file_rename(const char *from, const char *to);

/* The same for a name that is free: a file that has it stays, also one that appeared a moment ago. */
bool th_file_rename_new(const char *from, const char *to);

/* False, with errno. */
bool th_file_remove(const char *path);

/* One folder, in one that exists; true when it is there already. False, with errno. */
bool th_file_make_folder(const char *path);

/* May files be made in this folder? False, with errno. */
bool th_file_may_write_into(const char *folder);

#endif
