/* base/platform/windows/terminal.c - the console of Windows. */
#include "base/platform/terminal.h"

#include "base/platform/system.h"

#ifdef TH_SYSTEM_WINDOWS

#include <io.h>
#include <stdio.h>

bool th_terminal_watched(void) { return _isatty(_fileno(stderr)) != 0; }

#endif
