/* throng/simd.h - which vector instructions to use. Every choice gives the same bits.
 *
 * Threads: any.
 */
#ifndef THRONG_SIMD_H
#define THRONG_SIMD_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum th_simd { TH_SIMD_AUTO = 0, TH_SIMD_SSE2, TH_SIMD_AVX2, TH_SIMD_AVX512 } th_simd;

/** "sse2", "avx2", "avx512"; the widest set of this processor, or what the variable TH_SIMD asks for. Any thread. */
TH_API const char *th_simd_name(th_simd simd);

/** True when this processor can run the set. Any thread. */
TH_API bool th_simd_has(th_simd simd);

#ifdef __cplusplus
}
#endif
#endif
