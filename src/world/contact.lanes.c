/* world/contact.lanes.c - which bodies overlap, and which way each gives.
 *
 * Candidates are first cut down to the box around the sixteen bodies, several at a time, then broadcast one by one. An
 * overlap is shared by how mobile the two are; the sum over contacts is damped, because neighbours correct at the same
 * time. Corrections are summed in slot order, so nothing depends on the instruction set.
 *
 *   push = (1 - slop) (r_i + r_j) - d,   correction_i = damp * push * m_i / (m_i + m_j) * (p_i - p_j) / d
 */
#include "motion.h"

#define SLOP 0.005f /* overlaps below this part of the radii's sum are left alone */
#define DAMP 0.8f
#define MOST_NEAR 256

typedef struct box {
  float x0, y0, x1, y1;
} box;

static box around(const th_contact *c) {
  box b = {c->x[0], c->y[0], c->x[0], c->y[0]};
  float radius = 0.0f;
  for (uint32_t i = 0; i < c->lanes; i++) {
    b.x0 = c->x[i] < b.x0 ? c->x[i] : b.x0;
    b.x1 = c->x[i] > b.x1 ? c->x[i] : b.x1;
    b.y0 = c->y[i] < b.y0 ? c->y[i] : b.y0;
    b.y1 = c->y[i] > b.y1 ? c->y[i] : b.y1;
    radius = c->radius[i] > radius ? c->radius[i] : radius;
  }
  radius += c->radius_max;
  return (box){b.x0 - radius, b.y0 - radius, b.x1 + radius, b.y1 + radius};
}

static void push_apart(th_contact *c, uint32_t j, vf *px, vf *py) {
  const vf jx = vf_set(c->cx[j]), jy = vf_set(c->cy[j]), jr = vf_set(c->cradius[j]), jm = vf_set(c->cmobile[j]);
  for (uint32_t g = 0; g < 16 / TH_LANES; g++) {
    uint32_t i = g * TH_LANES;
    vf dx = vf_sub(vf_load(c->x + i), jx), dy = vf_sub(vf_load(c->y + i), jy);
    vf d2 = vf_add(vf_mul(dx, dx), vf_mul(dy, dy)), sum = vf_add(vf_load(c->radius + i), jr);
    vf least = vf_mul(sum, vf_set(1.0f - SLOP));
    vi own = vi_load((const int32_t *)c->own + i), other = vi_set((int32_t)j);
    vm hit = vm_andnot(vf_lt(d2, vf_mul(least, least)), vi_eq(own, other));
    if (!vm_any(hit)) continue;
    c->touching |= vm_bits(hit) << i;
    vf d = vf_sqrt(d2), mine = vf_load(c->mobile + i), both = vf_add(mine, jm);
    vf part = vf_div(mine, vf_select(vf_lt(vf_zero(), both), both, vf_set(1.0f)));
    vf push = vf_mul(vf_mul(vf_sub(least, d), part), vf_set(DAMP));
    vm apart = vf_lt(vf_set(1e-6f), d); /* bodies on one point part along x, the lower slot to the left */
    vf side = vf_select(vi_lt(own, other), vf_set(-1.0f), vf_set(1.0f)), length = vf_select(apart, d, vf_set(1.0f));
    vf ux = vf_select(apart, vf_div(dx, length), side), uy = vf_select(apart, vf_div(dy, length), vf_zero());
    px[g] = vf_add(px[g], vf_select(hit, vf_mul(push, ux), vf_zero()));
    py[g] = vf_add(py[g], vf_select(hit, vf_mul(push, uy), vf_zero()));
  }
}

/* Slots of one run inside the box, from *at on; returns when the list is full or the run is done. */
static uint32_t sift(const th_contact *c, const box *b, uint32_t *at, uint32_t last, uint32_t *near) {
  uint32_t count = 0;
  while (*at < last && count <= MOST_NEAR - TH_LANES) {
    vf x = vf_load(c->cx + *at), y = vf_load(c->cy + *at);
    vm in = vm_and(vm_and(vf_lt(vf_set(b->x0), x), vf_lt(x, vf_set(b->x1))),
                   vm_and(vf_lt(vf_set(b->y0), y), vf_lt(y, vf_set(b->y1))));
    uint32_t bits = vm_bits(in), rest = last - *at;
    if (rest < TH_LANES) bits &= (1u << rest) - 1u;
    for (; bits; bits &= bits - 1) near[count++] = *at + (uint32_t)__builtin_ctz(bits);
    *at += TH_LANES;
  }
  return count;
}

void TH_LANES_NAME(th_contact_find)(th_contact *c) {
  vf px[16 / TH_LANES], py[16 / TH_LANES];
  for (uint32_t g = 0; g < 16 / TH_LANES; g++) px[g] = py[g] = vf_zero();
  box b = around(c);
  uint32_t near[MOST_NEAR];
  c->touching = 0;
  for (uint32_t run = 0; run < c->runs; run++) {
    for (uint32_t at = c->first[run]; at < c->last[run];) {
      uint32_t count = sift(c, &b, &at, c->last[run], near);
      for (uint32_t k = 0; k < count; k++) push_apart(c, near[k], px, py);
    }
  }
  for (uint32_t g = 0; g < 16 / TH_LANES; g++) {
    vf_store(c->dx + g * TH_LANES, px[g]);
    vf_store(c->dy + g * TH_LANES, py[g]);
  }
}
