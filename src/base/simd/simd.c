/* base/simd/simd.c - picks an instruction set.
 *
 * The processor's features are queried at each call (a table lookup in the compiler's runtime), so there is no global
 * state; worlds and solvers store the answer.
 */
#include "base/simd/simd.h"

#include <stdlib.h>
#include <string.h>

#include "base/platform/processor.h"

const char *th_simd_name(th_simd simd) {
  static const char *const name[] = {"auto", "four", "avx2", "avx512"};
  return (unsigned)simd <= TH_SIMD_AVX512 ? name[simd] : "unknown";
}

bool th_simd_has(th_simd simd) {
  switch (simd) {
    case TH_SIMD_AUTO:
    case TH_SIMD_FOUR:
      return true;
    case TH_SIMD_AVX2:
      return th_processor_has_avx2();
    case TH_SIMD_AVX512:
      return th_processor_has_avx512();
  }
  return false;
}

static th_simd widest(void) {
  return th_simd_has(TH_SIMD_AVX512) ? TH_SIMD_AVX512 : th_simd_has(TH_SIMD_AVX2) ? TH_SIMD_AVX2 : TH_SIMD_FOUR;
}

th_simd th_simd_level(void) {
  const char *wish = getenv("TH_SIMD");
  for (th_simd simd = TH_SIMD_FOUR; wish && simd <= TH_SIMD_AVX512; simd++)
    if (!strcmp(wish, th_simd_name(simd)) && th_simd_has(simd)) return simd;
  return widest();
}

th_simd th_simd_choose(th_simd wanted) {
  if (wanted == TH_SIMD_AUTO) return th_simd_level();
  return th_simd_has(wanted) ? wanted : widest();
}
