/* base/platform/windows/signals.c - the few signals that Windows' C library knows; it forgets a handler that it calls.
 */
#include "base/platform/signals.h"

#include "base/platform/system.h"

#ifdef TH_SYSTEM_WINDOWS

#include <signal.h>

void th_signals_catch(void (*handler)(int number)) {
  signal(SIGINT, handler);
  signal(SIGTERM, handler);
  signal(SIGBREAK, handler); /* the console is closed */
}

bool th_signals_hurry(int number) { return number != SIGINT; }

#endif
