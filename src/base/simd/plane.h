/* base/simd/plane.h - products of vectors of the plane, one per lane; as th_dot2 and th_cross2, with the same bits.
 *
 * A file that is compiled for a single lane includes base/simd/scalar.h first.
 */
#ifndef TH_BASE_SIMD_PLANE_H
#define TH_BASE_SIMD_PLANE_H

#include "base/simd/simd.h"

static inline vf vf_dot(vf ax, vf ay, vf bx, vf by) { return vf_add(vf_mul(ax, bx), vf_mul(ay, by)); }
static inline vf vf_cross(vf ax, vf ay, vf bx, vf by) { return vf_sub(vf_mul(ax, by), vf_mul(ay, bx)); }

#endif
