/* base/platform/program.h - where the running program lies, so that it finds the files that were installed with it. */
#ifndef TH_BASE_PLATFORM_PROGRAM_H
#define TH_BASE_PLATFORM_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

/* The folder of the program's file, without a separator at its end; false where the system does not tell, or when it
 * does not fit. */
bool th_program_folder(char *folder, size_t size);

#endif
