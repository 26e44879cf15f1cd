/* tests/support/slow.h - builds with sanitizers look at the code, not at the numbers: long runs are replaced there. */
#ifndef TH_TESTS_SUPPORT_SLOW_H
#define TH_TESTS_SUPPORT_SLOW_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SLOW_BUILD 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SLOW_BUILD 1
#endif
#endif
#ifndef SLOW_BUILD
#define SLOW_BUILD 0
#endif

/* What takes minutes in a slow build, and what runs the same code there instead. */
#define LONG_RUN(usual, instead) (SLOW_BUILD ? (instead) : (usual))

#endif
