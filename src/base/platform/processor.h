/* base/platform/processor.h - what this processor can do beyond four lanes. */
#ifndef TH_BASE_PLATFORM_PROCESSOR_H
#define TH_BASE_PLATFORM_PROCESSOR_H

#include <stdbool.h>

/* A table lookup in the compiler's runtime; false wherever the lanes are not built (TH_WIDER). */
#ifdef TH_WIDER
static inline bool th_processor_has_avx2(void) { return __builtin_cpu_supports("avx2"); }
static inline bool th_processor_has_avx512(void) {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
}
#else
static inline bool th_processor_has_avx2(void) { return false; }
static inline bool th_processor_has_avx512(void) { return false; }
#endif

#endif
