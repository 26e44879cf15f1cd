/* world/contact.lanes.c - which bodies overlap, and which way each gives.
 *
 * Clusters are several bodies wide, so most bodies meet only those of their own cluster and need one or two registers
 * of candidates. The few overlaps that are found are then handled one by one in slot order, in plain arithmetic, so
 * nothing depends on the instruction set. The sum over contacts is damped, because neighbours correct at the same
 * time.
 *
 *   push = (1 - slop) (r_i + r_j) - d,   correction_i = damp * push * share * (p_i - p_j) / d,
 *   share = 1/2 when the other gives way too, else 1
 *
 * Cost: about 10 ns a body without contacts.
 */
#include <math.h>

#include "motion.h"

#define SLOP 0.005f /* overlaps below this part of the radii's sum are left alone */
#define DAMP 0.8f

static inline uint32_t index_of(float value, uint32_t count) {
  if (!(value > 0.0f)) return 0;
  return value < (float)count ? (uint32_t)value : count - 1;
}

static inline void push(const th_contacts *c, uint32_t i, uint32_t j, float p[2]) {
  float dx = c->x[i] - c->x[j], dy = c->y[i] - c->y[j], d2 = dx * dx + dy * dy, d = sqrtf(d2);
  float least = (c->radius[i] + c->radius[j]) * (1.0f - SLOP), share = c->mobile[j] > 0.0f ? 0.5f * DAMP : DAMP;
  if (d2 > 1e-12f) {
    float k = share * (least - d) / d;
    p[0] += k * dx;
    p[1] += k * dy;
  } else { /* bodies on one point part along x, the lower slot to the left */
    p[0] += (i < j ? -share : share) * least;
  }
}

/* Overlaps of body i with the slots [first, last). */
static bool scan(const th_contacts *c, uint32_t i, uint32_t first, uint32_t last, float p[2]) {
  const vf x = vf_set(c->x[i]), y = vf_set(c->y[i]), r = vf_set(c->radius[i]), shrink = vf_set(1.0f - SLOP);
  bool any = false;
  for (uint32_t j = first; j < last; j += TH_LANES) {
    vf dx = vf_sub(vf_load(c->x + j), x), dy = vf_sub(vf_load(c->y + j), y);
    vf d2 = vf_add(vf_mul(dx, dx), vf_mul(dy, dy)), least = vf_mul(vf_add(r, vf_load(c->radius + j)), shrink);
    vm takes_part = vf_le(vf_zero(), vf_load(c->mobile + j));
    uint32_t bits = vm_bits(vm_and(vf_lt(d2, vf_mul(least, least)), takes_part));
    if (last - j < TH_LANES) bits &= (1u << (last - j)) - 1u;
    if (i - j < TH_LANES) bits &= ~(1u << (i - j)); /* itself */
    any |= bits != 0;
    for (; bits; bits &= bits - 1) push(c, i, j + (uint32_t)__builtin_ctz(bits), p);
  }
  return any;
}

static bool correct(const th_contacts *c, uint32_t i) {
  float reach = c->radius[i] + c->reach, x = c->x[i] - c->x0, y = c->y[i] - c->y0, p[2] = {0.0f, 0.0f};
  uint32_t c0 = index_of((x - reach) * c->inverse, c->columns), c1 = index_of((x + reach) * c->inverse, c->columns);
  uint32_t r0 = index_of((y - reach) * c->inverse, c->rows), r1 = index_of((y + reach) * c->inverse, c->rows);
  bool any = false;
  for (uint32_t row = r0; row <= r1; row++) {
    const uint32_t *start = c->start + (size_t)row * c->columns;
    any |= scan(c, i, start[c0], start[c1 + 1], p);
  }
  c->dx[i] = p[0];
  c->dy[i] = p[1];
  return any;
}

/* In later rounds only bodies near one that moved need another look. */
static bool quiet(const th_contacts *c, uint32_t cluster) {
  uint32_t row = cluster / c->columns, column = cluster % c->columns;
  uint32_t c0 = column > c->rings ? column - c->rings : 0, r0 = row > c->rings ? row - c->rings : 0;
  for (uint32_t r = r0; r <= row + c->rings && r < c->rows; r++)
    for (uint32_t k = c0; k <= column + c->rings && k < c->columns; k++)
      if (c->before[(size_t)r * c->columns + k]) return false;
  return true;
}

void TH_LANES_NAME(th_contacts_find)(const th_contacts *c, uint32_t first, uint32_t last) {
  for (uint32_t cluster = first; cluster < last; cluster++) {
    uint32_t begin = c->start[cluster], end = c->start[cluster + 1];
    bool any = false;
    if (begin != end && !(c->before && quiet(c, cluster))) {
      for (uint32_t i = begin; i < end; i++) {
        c->dx[i] = c->dy[i] = 0.0f;
        if (c->mobile[i] > 0.0f) any |= correct(c, i);
      }
    }
    c->now[cluster] = any;
  }
}
