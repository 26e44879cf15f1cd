/* model/biocrowds/move.lanes.c - the motion vector of an agent from its own markers.
 *
 *   f = (1 + cos angle to the goal) / (1 + distance), or the weight that a group gives the marker; m = sum f d / sum f
 *
 * A group that lines up while it travels has the product of both: the published weight alone has no pull of the goal,
 * and such a group stands still for ever.
 *
 * Sixteen markers of a row of squares are one block, whatever the width of the registers, and its sixteen partial sums
 * are added as a tree, so that every instruction set rounds alike. Blocks without a marker of the agent are skipped.
 * Cost: about 13 blocks, 6 of them with markers of the agent.
 */
#include "model/biocrowds/cells.h"

#define PARTS (16 / TH_LANES)

typedef struct sums {
  vf sum[PARTS], mx[PARTS], my[PARTS];
} sums;

static const int32_t count_up[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

/* Numbers of markers, by entry. */
static inline vi numbers(const th_cell_batch *b, uint32_t at) {
  if (!b->markers->number) return vi_add(vi_set((int32_t)at), vi_load(count_up));
  return vi_load((const int32_t *)b->markers->number + at);
}

static inline vi owners(const th_cell_batch *b, uint32_t at) {
  if (b->near) return vi_load((const int32_t *)b->near + at);
  return vi_gather((const int32_t *)b->owner, numbers(b, at));
}

static inline vf coherence(const th_cell_batch *b, vf dx, vf dy, vf length) {
  const vf one = vf_set(1.0f), dot = vf_add(vf_mul(vf_set(b->ux), dx), vf_mul(vf_set(b->uy), dy));
  const vm off = vf_lt(vf_set(1e-6f), length);
  const vf cosine = vf_select(off, vf_div(dot, length), vf_zero());
  return vf_div(vf_max(vf_add(one, cosine), vf_zero()), vf_add(one, length));
}

static inline void block(const th_cell_batch *b, uint32_t at, uint32_t end, sums *s) {
  for (int p = 0; p < PARTS; p++) {
    const uint32_t first = at + (uint32_t)(p * TH_LANES);
    if (first >= end) return;
    const vi owner = owners(b, first);
    const vi place = vi_add(vi_set((int32_t)first), vi_load(count_up));
    vm own = vm_and(vi_eq(owner, vi_set((int32_t)b->me)), vi_lt(place, vi_set((int32_t)end)));
    if (!vm_any(own)) continue;
    const vf dx = vf_sub(vf_load(b->markers->x + first), vf_set(b->x));
    const vf dy = vf_sub(vf_load(b->markers->y + first), vf_set(b->y));
    const vf length = vf_sqrt(vf_add(vf_mul(dx, dx), vf_mul(dy, dy)));
    own = vm_and(own, vf_le(length, vf_set(b->reach)));
    vf raw = b->weight ? vf_gather(b->weight, numbers(b, first)) : coherence(b, dx, dy, length);
    if (b->travels) raw = vf_mul(raw, coherence(b, dx, dy, length));
    const vf f = vf_select(own, raw, vf_zero());
    s->sum[p] = vf_add(s->sum[p], f);
    s->mx[p] = vf_add(s->mx[p], vf_mul(f, dx));
    s->my[p] = vf_add(s->my[p], vf_mul(f, dy));
  }
}

static inline float tree(const vf part[PARTS]) {
  float n[16];
  for (int p = 0; p < PARTS; p++) vf_store(n + p * TH_LANES, part[p]);
  for (int half = 8; half; half /= 2)
    for (int k = 0; k < half; k++) n[k] += n[k + half];
  return n[0];
}

void TH_LANES_NAME(th_biocrowds_move_sum)(th_cell_batch *b) {
  const th_view_markers *m = b->markers;
  const th_cell_range r = th_cell_squares(m, b->x, b->y, b->reach);
  sums s;
  for (int p = 0; p < PARTS; p++) s.sum[p] = s.mx[p] = s.my[p] = vf_zero();
  for (uint32_t j = r.j0; j <= r.j1; j++) {
    const uint32_t end = m->start[j * m->columns + r.i1 + 1];
    for (uint32_t at = m->start[j * m->columns + r.i0]; at < end; at += 16) block(b, at, end, &s);
  }
  b->sum = tree(s.sum);
  b->mx = tree(s.mx);
  b->my = tree(s.my);
}
