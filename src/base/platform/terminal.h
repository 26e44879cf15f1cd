/* base/platform/terminal.h - whether somebody looks. */
#ifndef TH_BASE_PLATFORM_TERMINAL_H
#define TH_BASE_PLATFORM_TERMINAL_H

#include <stdbool.h>

/* Is the standard error a terminal? */
bool th_terminal_watched(void);

#endif
