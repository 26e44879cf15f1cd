/* view/candidates.lanes.c - copies a run of slots into the candidates of a view.
 *
 * Runs are short, a few registers long, so one loop of whole registers copies all columns; a separate loop per column
 * spent most of its time on loop start-up. Cost: about one operation per candidate and column.
 */
#include "view/view.h"

static inline void copy(float *to, const float *from) { vf_store(to, vf_load(from)); }
static inline void copy_words(uint32_t *to, const uint32_t *from) {
  vi_store((int32_t *)to, vi_load((const int32_t *)from));
}

/* Both sides have 16 entries of padding. */
void TH_LANES_NAME(th_candidates_append)(th_view_scratch *scratch, const th_order *order, uint32_t first,
                                         uint32_t count, uint32_t at) {
  int32_t lane[TH_LANES];
  for (int32_t i = 0; i < TH_LANES; i++) lane[i] = i;
  vi slot = vi_add(vi_set((int32_t)first), vi_load(lane));
  for (uint32_t i = 0; i < count; i += TH_LANES) {
    copy(scratch->nx + at + i, order->x + first + i);
    copy(scratch->ny + at + i, order->y + first + i);
    copy(scratch->nvx + at + i, order->vx + first + i);
    copy(scratch->nvy + at + i, order->vy + first + i);
    copy(scratch->nradius + at + i, order->body + first + i);
    copy(scratch->nshare + at + i, order->share + first + i);
    copy_words(scratch->nlayers + at + i, order->layers + first + i);
    vi_store((int32_t *)scratch->nslot + at + i, slot);
    slot = vi_add(slot, vi_set(TH_LANES));
  }
}

/* Appends sixteen entries that lie far away and stand for no agent. */
void TH_LANES_NAME(th_candidates_pad)(th_view_scratch *scratch, uint32_t at) {
  for (uint32_t i = at; i < at + 16; i += TH_LANES) {
    vf_store(scratch->nx + i, vf_set(1e15f));
    vf_store(scratch->ny + i, vf_set(1e15f));
    vf_store(scratch->nvx + i, vf_zero());
    vf_store(scratch->nvy + i, vf_zero());
    vf_store(scratch->nradius + i, vf_zero());
    vf_store(scratch->nshare + i, vf_zero());
    vi_store((int32_t *)scratch->nlayers + i, vi_set(0));
    vi_store((int32_t *)scratch->nslot + i, vi_set(-1));
  }
}
