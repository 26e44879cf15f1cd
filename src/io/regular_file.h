/* io/regular_file.h - opening files that a scene or a host names. */
#ifndef TH_IO_REGULAR_FILE_H
#define TH_IO_REGULAR_FILE_H

#include <stdio.h>

#include "throng/base.h"

/* For reading; NULL, with an error, for what is not there and for folders, pipes and devices. */
FILE *th_file_open(const char *path, th_error *error);

#endif
