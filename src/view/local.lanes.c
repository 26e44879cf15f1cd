/* view/local.lanes.c - who is in and around a patch: places and velocities of faces become those of the chart.
 *
 * The agents of the clusters that overlap an octagon are listed first, whole registers at a time, because clusters hold
 * few; then the list goes through its faces' maps, and those inside the octagon are packed together in place. Faces
 * that the chart does not hold have NaN maps, so the comparison drops them. Cost: about 3 ns an agent listed.
 */
#include "local.h"

#include "base/simd_pack.h"
#include "base/simd_rows.h"

typedef struct list {
  th_local *local;
  const th_local_input *in;
  const th_chart *chart;
  uint32_t count;
} list;

/* Who has walked into another cluster since the order was made: the map is looked up, lanes in the mask. */
static void look_up(list *l, uint32_t slot, uint32_t at, uint32_t lanes) {
  for (; lanes; lanes &= lanes - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(lanes), s = slot + lane;
    l->local->fmap[at + lane] = th_chart_lookup(l->chart, l->in->cluster[s], l->in->number[s]);
  }
}

static inline void list_cluster(list *l, uint32_t n, vi lane) {
  const th_local_input *in = l->in;
  th_local *to = l->local;
  const uint32_t cluster = l->chart->cluster[n], first = in->order->start[cluster];
  const uint32_t size = in->order->start[cluster + 1] - first;
  const uint32_t map = th_chart_first(l->chart, n);
  const vi base = vi_set((int32_t)map);
  for (uint32_t i = 0; i < size; i += TH_LANES) {
    uint32_t slot = first + i, at = l->count + i;
    vf_store(to->fx + at, vf_load(in->x + slot));
    vf_store(to->fy + at, vf_load(in->y + slot));
    vi_store((int32_t *)to->fslot + at, vi_add(vi_set((int32_t)slot), lane));
    vi_store((int32_t *)to->fmap + at, vi_add(base, vi_load_short(in->number + slot)));
    for (uint32_t k = i; k < i + TH_LANES && k < size; k++) /* maps of all charts do not fit the caches near a core */
      __builtin_prefetch(&l->chart->map[map + in->number[first + k]]);
    if (!in->cluster) continue;
    uint32_t here = vm_bits(vi_eq(vi_load((const int32_t *)in->cluster + slot), vi_set((int32_t)cluster)));
    uint32_t left = size - i, own = left < TH_LANES ? (1u << left) - 1u : (1u << TH_LANES) - 1u;
    if (own & ~here) look_up(l, slot, at, own & ~here);
  }
  l->count += size;
}

static inline vm boxes_meet(const float *part, size_t room, const th_chart_box *b) {
  vm x = vm_and(vf_le(vf_load(part), vf_set(b->x1)), vf_le(vf_set(b->x0), vf_load(part + 2 * room)));
  vm y = vm_and(vf_le(vf_load(part + room), vf_set(b->y1)), vf_le(vf_set(b->y0), vf_load(part + 3 * room)));
  return vm_and(x, y);
}

/* Which of TH_LANES clusters may overlap the octagon. */
static inline uint32_t overlaps(const th_chart *chart, uint32_t n, const th_chart_octagon *o) {
  const float *part = chart->part + n;
  const size_t room = chart->part_room;
  return vm_bits(vm_and(boxes_meet(part, room, &o->box), boxes_meet(part + 4 * room, room, &o->slant)));
}

/* False when there is no room for all. */
static bool list_clusters(list *l, const th_chart_octagon *o) {
  const th_chart *chart = l->chart;
  const uint32_t *start = l->in->order->start, *cluster = chart->cluster;
  int32_t number[TH_LANES];
  for (int32_t i = 0; i < TH_LANES; i++) number[i] = i;
  const vi lane = vi_load(number);
  for (uint32_t first = 0; first < chart->cluster_count; first += TH_LANES) {
    for (uint32_t bits = overlaps(chart, first, o); bits; bits &= bits - 1) {
      uint32_t n = first + (uint32_t)__builtin_ctz(bits), size = start[cluster[n] + 1] - start[cluster[n]];
      if (!size) continue;
      if (l->count + size > TH_MOST_LOCAL) return false;
      list_cluster(l, n, lane);
    }
  }
  return true;
}

bool TH_LANES_NAME(th_local_any)(const th_chart *chart, const th_chart_octagon *around, const uint8_t *mark) {
  for (uint32_t first = 0; first < chart->cluster_count; first += TH_LANES)
    for (uint32_t bits = overlaps(chart, first, around); bits; bits &= bits - 1)
      if (mark[chart->cluster[first + (uint32_t)__builtin_ctz(bits)]]) return true;
  return false;
}

static inline vm box_holds(const th_chart_box *b, vf x, vf y) {
  vm in_x = vm_and(vf_le(vf_set(b->x0), x), vf_le(x, vf_set(b->x1)));
  return vm_and(in_x, vm_and(vf_le(vf_set(b->y0), y), vf_le(y, vf_set(b->y1))));
}

/* Places become those of the chart; returns how many lie in the octagon. */
static uint32_t keep_inside(list *l, const th_chart_octagon *around) {
  th_local *to = l->local;
  const th_chart_octagon o = *around;
  const vf slant = vf_set(TH_SLANT);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < l->count; i += TH_LANES) {
    uint32_t left = l->count - i, all = left < TH_LANES ? (1u << left) - 1u : (1u << TH_LANES) - 1u;
    vi slot = vi_load((const int32_t *)to->fslot + i), number = vi_load((const int32_t *)to->fmap + i);
    vf x = vf_load(to->fx + i), y = vf_load(to->fy + i), m[8];
    if (all != (1u << TH_LANES) - 1u) number = vi_select(vm_from_bits(all), number, vi_set(0));
    vf_load_rows((const float *)l->chart->map, vi_mul(number, vi_set(TH_CHART_WORDS)), m);
    vf px = vf_add(vf_add(vf_mul(m[0], x), vf_mul(m[1], y)), m[4]);
    vf py = vf_add(vf_add(vf_mul(m[2], x), vf_mul(m[3], y)), m[5]);
    vf u = vf_mul(vf_add(px, py), slant), w = vf_mul(vf_sub(py, px), slant);
    uint32_t bits = vm_bits(vm_and(box_holds(&o.box, px, py), box_holds(&o.slant, u, w))) & all;
    vpack pack = vpack_of(to->pack, bits);
    vf_store(to->fx + kept, vf_packed(px, pack));
    vf_store(to->fy + kept, vf_packed(py, pack));
    vi_store((int32_t *)to->fslot + kept, vi_packed(slot, pack));
    vi_store((int32_t *)to->fmap + kept, vi_packed(number, pack));
    kept += (uint32_t)__builtin_popcount(bits);
  }
  return kept;
}

bool TH_LANES_NAME(th_local_find)(th_local *local, const th_local_input *input, const th_chart_octagon *around) {
  list l = {local, input, local->chart, 0};
  local->order.count = 0;
  if (!list_clusters(&l, around)) return false;
  local->order.count = keep_inside(&l, around);
  return true;
}

/* Squares of everyone found; all lie in the box, so no index is negative. */
void TH_LANES_NAME(th_local_squares)(th_local *l) {
  const th_order *o = &l->order;
  const vf x0 = vf_set(o->x0), y0 = vf_set(o->y0), inverse = vf_set(o->inverse);
  const vf most_i = vf_set((float)(o->columns - 1)), most_j = vf_set((float)(o->rows - 1));
  const vi columns = vi_set((int32_t)o->columns);
  for (uint32_t k = 0; k < o->count; k += TH_LANES) {
    vf i = vf_min(vf_mul(vf_sub(vf_load(l->fx + k), x0), inverse), most_i);
    vf j = vf_min(vf_mul(vf_sub(vf_load(l->fy + k), y0), inverse), most_j);
    vi_store((int32_t *)l->fcluster + k, vi_add(vi_mul(vf_to_int(j), columns), vf_to_int(i)));
  }
}

/* The patch's own agents among everyone, in the order of their squares. */
void TH_LANES_NAME(th_local_list_own)(th_local *l) {
  const vi first = vi_set((int32_t)l->own_first), last = vi_set((int32_t)l->own_last);
  int32_t number[TH_LANES];
  for (int32_t i = 0; i < TH_LANES; i++) number[i] = i;
  vi at = vi_load(number);
  uint32_t kept = 0;
  for (uint32_t k = 0; k < l->order.count; k += TH_LANES, at = vi_add(at, vi_set(TH_LANES))) {
    vi slot = vi_load((const int32_t *)l->slot + k);
    uint32_t left = l->order.count - k, all = left < TH_LANES ? (1u << left) - 1u : (1u << TH_LANES) - 1u;
    uint32_t bits = vm_bits(vm_andnot(vi_lt(slot, last), vi_lt(slot, first))) & all;
    vi_store((int32_t *)l->own + kept, vi_packed(at, vpack_of(l->pack, bits)));
    kept += (uint32_t)__builtin_popcount(bits);
  }
  l->own_count = kept;
}

/* Velocities of everyone, in the order of their squares. */
void TH_LANES_NAME(th_local_velocities)(th_local *l, const th_local_input *in) {
  const th_order *o = &l->order;
  for (uint32_t at = 0; at < o->count; at += TH_LANES) {
    vi slot = vi_load((const int32_t *)l->slot + at), number = vi_load((const int32_t *)l->map + at);
    vf m[8];
    if (o->count - at < TH_LANES) {
      vm some = vm_from_bits((1u << (o->count - at)) - 1u);
      slot = vi_select(some, slot, vi_set(0));
      number = vi_select(some, number, vi_set(0));
    }
    vf vx = vf_gather(in->order->vx, slot), vy = vf_gather(in->order->vy, slot);
    vf_load_rows((const float *)l->chart->map, vi_mul(number, vi_set(TH_CHART_WORDS)), m);
    vf_store(o->vx + at, vf_add(vf_mul(m[0], vx), vf_mul(m[1], vy)));
    vf_store(o->vy + at, vf_add(vf_mul(m[2], vx), vf_mul(m[3], vy)));
  }
}
