/* base/platform/posix/pages.c - aligned memory of the C library. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "base/platform/pages.h"

#include "base/platform/system.h"

#ifdef TH_SYSTEM_POSIX

#include <stdlib.h>
#include <sys/mman.h>

void *th_pages_take(size_t size, size_t align) {
#ifdef MADV_HUGEPAGE
  const size_t large = (size_t)1 << 21;
  if (size >= 2 * large) align = large;
#endif
  if (size > SIZE_MAX - align) return NULL;
  void *memory = aligned_alloc(align, (size + align - 1) / align * align);
#ifdef MADV_HUGEPAGE
  if (memory && align == large) madvise(memory, size, MADV_HUGEPAGE);
#endif
  return memory;
}

void th_pages_give(void *memory) { free(memory); }

#endif
