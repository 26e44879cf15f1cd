/* base/platform/fetch.h - prefetches a cache line before it is needed. */
#ifndef TH_BASE_PLATFORM_FETCH_H
#define TH_BASE_PLATFORM_FETCH_H

#include <stddef.h>

/* A prefetch that gcc keeps: gcc treats a function that holds only the builtin as one without effect and drops it. */
#if defined(__GNUC__) && defined(__x86_64__)
#define TH_FETCH(line) __asm__ volatile("prefetcht0 %0" : : "m"(*(const char *)(line)))
#elif defined(__GNUC__)
#define TH_FETCH(line) __builtin_prefetch(line)
#else
#define TH_FETCH(line) ((void)(line))
#endif
static inline void th_fetch_line(const void *line) { TH_FETCH(line); }

/* All lines of a struct that starts on a line. */
static inline void th_fetch_lines(const void *from, size_t bytes) {
  for (size_t at = 0; at < bytes; at += 64) th_fetch_line((const char *)from + at);
}

#endif
