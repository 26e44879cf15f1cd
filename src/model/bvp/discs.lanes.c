/* model/bvp/discs.lanes.c - other agents as runs of bits.
 *
 * A cell of the update zone is blocked when its centre lies within the sum of the radii of another agent, or when that
 * agent stands in it (a disc smaller than a cell must not be missed). Candidates are tested a register at a time, the
 * few that touch the zone are collected, and then each register holds one row of several discs:
 *
 *   row j of a disc at (fx, fy), radius r, in cells:   i from ceil(fx - h) to floor(fx + h),   h = sqrt(r^2 - (j -
 * fy)^2)
 *
 * Cost with AVX2: 1 ns for three candidates, 6 ns for a disc.
 */
#include "model/bvp/discs.h"

#define ROOM 64 /* discs collected before they are drawn */

typedef struct found {
  float x[ROOM + 16], y[ROOM + 16], r[ROOM + 16];
  uint32_t count;
} found;

static vf vf_ceil(vf a) { return vf_negate(vf_floor(vf_negate(a))); }

/* Sets bits i0 to i1 of row j in the lanes of the mask. */
static void set_runs(const th_bvp_discs *q, vm mask, vf j, vf i0, vf i1) {
  int32_t row[TH_LANES], from[TH_LANES], to[TH_LANES];
  vi_store(row, vf_to_int(j));
  vi_store(from, vf_to_int(i0));
  vi_store(to, vf_to_int(i1));
  for (uint32_t bits = vm_bits(mask); bits; bits &= bits - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(bits);
    q->row[row[lane]] |= (((uint64_t)2 << (to[lane] - from[lane])) - 1) << from[lane];
  }
}

static void draw(const th_bvp_discs *q, found *f) {
  const vf first = vf_set((float)q->first), last = vf_set((float)q->last);
  for (uint32_t i = f->count; i < f->count + TH_LANES; i++)
    f->x[i] = f->y[i] = -1e3f, f->r[i] = 1.0f; /* far off the map */
  for (uint32_t k = 0; k < f->count; k += TH_LANES) {
    vf x = vf_load(f->x + k), y = vf_load(f->y + k), r = vf_load(f->r + k), r2 = vf_mul(r, r);
    vm small = vf_lt(r, vf_set(0.708f)); /* a larger disc covers the centre of the cell it stands on */
    if (vm_any(small)) {
      vf i = vf_floor(vf_add(x, vf_set(0.5f))), j = vf_floor(vf_add(y, vf_set(0.5f)));
      vm inside = vm_and(vm_and(vf_le(first, i), vf_le(i, last)), vm_and(vf_le(first, j), vf_le(j, last)));
      set_runs(q, vm_and(inside, small), j, i, i);
    }
    vf top = vf_min(vf_add(y, r), last);
    for (vf j = vf_max(vf_ceil(vf_sub(y, r)), first);; j = vf_add(j, vf_set(1.0f))) {
      vm some = vf_le(j, top);
      if (!vm_any(some)) break;
      vf dy = vf_sub(j, y), h = vf_sqrt(vf_max(vf_sub(r2, vf_mul(dy, dy)), vf_zero()));
      vf i0 = vf_max(vf_ceil(vf_sub(x, h)), first), i1 = vf_min(vf_floor(vf_add(x, h)), last);
      set_runs(q, vm_and(some, vf_le(i0, i1)), j, i0, i1);
    }
  }
  f->count = 0;
}

static bool in_cone(const th_bvp_discs *q, float x, float y) {
  return q->cos_half < -1.0f || x * q->d.x + y * q->d.y >= q->cos_half * __builtin_sqrtf(x * x + y * y);
}

void TH_LANES_NAME(th_bvp_draw_discs)(const th_bvp_discs *q) {
  const th_near *near = q->near;
  const vf x = vf_set(q->x), y = vf_set(q->y), c = vf_set(q->frame.c), s = vf_set(q->frame.s);
  const vf own = vf_set(q->radius), half = vf_set(0.5f * q->cell), zone = vf_set((float)(q->last - q->c) * q->cell);
  const vf reach2 = vf_set(q->reach * q->reach);
  found f = {.count = 0};
  for (uint32_t k = 0; k < near->count; k += TH_LANES) {
    vf dx = vf_sub(vf_load(near->x + k), x), dy = vf_sub(vf_load(near->y + k), y);
    vf ox = vf_add(vf_mul(c, dx), vf_mul(s, dy)), oy = vf_sub(vf_mul(c, dy), vf_mul(s, dx));
    vf r = vf_add(vf_load(near->radius + k), own), edge = vf_add(zone, vf_max(r, half));
    vm touches = vm_and(vf_le(vf_abs(ox), edge), vf_le(vf_abs(oy), edge));
    touches = vm_and(touches, vf_le(vf_add(vf_mul(dx, dx), vf_mul(dy, dy)), reach2));
    float fx[TH_LANES], fy[TH_LANES], fr[TH_LANES];
    uint32_t bits = vm_bits(touches);
    if (!bits) continue;
    vf_store(fx, ox);
    vf_store(fy, oy);
    vf_store(fr, r);
    for (; bits; bits &= bits - 1) {
      uint32_t lane = (uint32_t)__builtin_ctz(bits), i = k + lane;
      if (i >= near->count || near->slot[i] == q->slot || !(near->layers[i] & q->sees)) continue;
      if (!in_cone(q, fx[lane], fy[lane])) continue;
      f.x[f.count] = fx[lane] * q->inverse + (float)q->c;
      f.y[f.count] = fy[lane] * q->inverse + (float)q->c;
      f.r[f.count++] = fr[lane] * q->inverse;
    }
    if (f.count > ROOM - TH_LANES) draw(q, &f);
  }
  if (f.count) draw(q, &f);
}
