/* base/tally.h - an allocator on top of the host's that counts the bytes in use.
 *
 * The tally must outlive every block that was allocated through it. Cost: one relaxed atomic addition per block.
 */
#ifndef TH_BASE_TALLY_H
#define TH_BASE_TALLY_H

#include <stdatomic.h>

#include "throng/base.h"

typedef struct th_tally {
  th_allocator host;
  atomic_size_t bytes; /* in use */
} th_tally;

/* Begins at 0; the allocator may be copied. */
th_allocator th_tally_begin(th_tally *tally, const th_allocator *host);

static inline size_t th_tally_bytes(const th_tally *tally) {
  return atomic_load_explicit(&tally->bytes, memory_order_relaxed);
}

#endif
