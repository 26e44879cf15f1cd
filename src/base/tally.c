/* base/tally.c - see base/tally.h. */
#include "base/tally.h"

static void *take(void *user, size_t size, size_t align) {
  th_tally *tally = user;
  void *memory = tally->host.allocate(tally->host.user, size, align);
  if (memory) atomic_fetch_add_explicit(&tally->bytes, size, memory_order_relaxed);
  return memory;
}

static void give(void *user, void *memory, size_t size) {
  th_tally *tally = user;
  atomic_fetch_sub_explicit(&tally->bytes, size, memory_order_relaxed);
  tally->host.release(tally->host.user, memory, size);
}

th_allocator th_tally_begin(th_tally *tally, const th_allocator *host) {
  tally->host = *host;
  atomic_init(&tally->bytes, 0);
  return (th_allocator){take, give, tally};
}
