/* base/platform/signals.h - how a program is asked to end. Programs call this; a library leaves signals alone. */
#ifndef TH_BASE_PLATFORM_SIGNALS_H
#define TH_BASE_PLATFORM_SIGNALS_H

#include <stdbool.h>

/* Calls handler(number) when the program is asked to end; the second time ends it at once. From then on a full disk and
 * a closed pipe are errors of the call that writes. The handler may do no more than set a volatile sig_atomic_t. */
void th_signals_catch(void (*handler)(int number));

/* Did the system ask, rather than somebody at the keyboard? */
bool th_signals_hurry(int number);

#endif
