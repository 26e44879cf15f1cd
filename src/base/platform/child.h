/* base/platform/child.h - a program that this one starts and feeds. */
#ifndef TH_BASE_PLATFORM_CHILD_H
#define TH_BASE_PLATFORM_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct th_child {
  intptr_t input;   /* what it reads */
  intptr_t process; /* who it is */
} th_child;

/* Starts argument[0], found as a shell finds it, with arguments up to NULL; its output is thrown away, its errors are
 * this program's. 0, or the errno: ENOENT when there is no such program. Windows: ENOENT always. */
int th_child_start(th_child *child, const char *const *argument);

/* False when the child has ended. No signal is raised: a library must not change the signals of its host. */
bool th_child_send(th_child *child, const void *bytes, size_t size);

/* Ends its input and waits; its exit code, -1 when it has none. */
int th_child_end(th_child *child);

#endif
