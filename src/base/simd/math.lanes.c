/* base/simd/math.lanes.c - exp, log, sin and cos of whole arrays, once per instruction set.
 *
 * The scalar functions, which give the same bits, compute the elements after the last full register. Cost: one register
 * of results every 10 to 20 cycles.
 */
#include "base/simd/math.h"

#define WHOLE(count) ((count) - (count) % TH_LANES)

void TH_LANES_NAME(th_math_exp_array)(const float *x, float *y, uint32_t count) {
  uint32_t i = 0;
  for (; i < WHOLE(count); i += TH_LANES) vf_store(y + i, vf_exp(vf_load(x + i)));
  for (; i < count; i++) y[i] = th_expf(x[i]);
}

void TH_LANES_NAME(th_math_log_array)(const float *x, float *y, uint32_t count) {
  uint32_t i = 0;
  for (; i < WHOLE(count); i += TH_LANES) vf_store(y + i, vf_log(vf_load(x + i)));
  for (; i < count; i++) y[i] = th_logf(x[i]);
}

void TH_LANES_NAME(th_math_sincos_array)(const float *x, float *sine, float *cosine, uint32_t count) {
  uint32_t i = 0;
  for (; i < WHOLE(count); i += TH_LANES) {
    vf s, c;
    vf_sincos(vf_load(x + i), &s, &c);
    vf_store(sine + i, s);
    vf_store(cosine + i, c);
  }
  for (; i < count; i++) th_sincosf(x[i], &sine[i], &cosine[i]);
}
