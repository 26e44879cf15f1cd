/* base/platform/lock.h - locks between programs, each a file with a name. They end with the program, however that ends.
 */
#ifndef TH_BASE_PLATFORM_LOCK_H
#define TH_BASE_PLATFORM_LOCK_H

#include <stdint.h>

typedef enum th_lock_state {
  TH_LOCK_TAKEN,
  TH_LOCK_HELD,       /* by another program, or another place of this one */
  TH_LOCK_IMPOSSIBLE, /* no such file can be made here, or the system has no locks */
} th_lock_state;

/* Sets `lock` when it is taken. */
th_lock_state th_lock_take(const char *name, intptr_t *lock);

/* Removes the file, too. */
void th_lock_give(const char *name, intptr_t lock);

#endif
