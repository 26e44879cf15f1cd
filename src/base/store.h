/* base/store.h - many arrays of one size in few blocks. */
#ifndef TH_BASE_STORE_H
#define TH_BASE_STORE_H

#include "throng/base.h"

typedef struct th_store th_store;

/* Arrays of `size` bytes, 64-byte aligned. Whoever makes or retains a store releases it; the last one frees it, and by
 * then all its arrays have been given back. NULL when out of memory. All calls: any thread. */
th_store *th_store_make(const th_allocator *allocator, size_t size);
th_store *th_store_retain(th_store *store);
void th_store_release(th_store *store); /* NULL is ignored */

/* An array with whatever was in it before; NULL when out of memory. */
void *th_store_take(th_store *store);
void th_store_give(th_store *store, void *array); /* NULL is ignored */

#endif
