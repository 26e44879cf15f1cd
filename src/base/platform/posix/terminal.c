/* base/platform/posix/terminal.c - terminals of POSIX. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "base/platform/terminal.h"

#include "base/platform/system.h"

#ifdef TH_SYSTEM_POSIX

#include <unistd.h>

bool th_terminal_watched(void) { return isatty(STDERR_FILENO); }

#endif
