/* base/platform/posix/signals.c - signals of POSIX. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "base/platform/signals.h"

#include "base/platform/system.h"

#ifdef TH_SYSTEM_POSIX

#include <signal.h>
#include <stddef.h>

void th_signals_catch(void (*handler)(int number)) {
  struct sigaction action = {0}, ignore = {0};
  action.sa_handler = handler;
  action.sa_flags = (int)SA_RESETHAND;
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGXFSZ, &ignore, NULL);
}

bool th_signals_hurry(int number) { return number == SIGTERM; }

#endif
