/* view/patch_crowd.lanes.c - the agents in and around a patch: places and velocities are mapped from faces to the
 * chart.
 *
 * The numbers of the clusters within reach of the patch form runs. The agents of such a run are consecutive slots. The
 * maps of its faces lie in the chart in the order of the faces' ranks, so the map of a face is found by adding one
 * number to its rank, the same for the whole run. The runs are listed first. Then the agents of all runs are mapped,
 * and those inside the octagon round the reach are packed in place. Faces that the chart does not hold have NaN maps,
 * so the comparison drops them. Cost: about 2 ns per listed agent.
 */
#include "view/patch_crowd.h"

#include "base/platform/compiler.h"
#include "base/platform/fetch.h"
#include "base/simd/pack.h"
#include "base/simd/rows.h"

enum { MAX_RUNS = 128 }; /* a multiple of every TH_LANES; a patch of 8 m has about 30 */

/* Clusters whose numbers follow each other: their agents' slots, their faces by rank. */
typedef struct runs {
  uint32_t count, slot[MAX_RUNS], size[MAX_RUNS], shift[MAX_RUNS]; /* map = rank + shift, modulo 2^32 */
  int32_t min[MAX_RUNS], max[MAX_RUNS];                            /* ranks [min, max) */
  bool all;                                                        /* every cluster within reach is in them */
} runs;

typedef struct list {
  th_patch_crowd *crowd;
  const th_patch_crowd_input *in;
  const th_chart *chart;
  uint32_t count;
  runs runs;
} list;

/* The map of an agent that has left the clusters of a run since the order was made. All clusters within reach are in
 * runs, and others do not matter. */
static uint32_t look_up(const list *l, uint32_t slot, uint32_t rank) {
  const runs *r = &l->runs;
  if (!r->all) return th_chart_lookup(l->chart, l->in->patches, l->in->cell[slot]);
  for (uint32_t i = 0; i < r->count; i += TH_LANES) {
    vi at = vi_set((int32_t)rank);
    vm below = vi_lt(at, vi_load(r->min + i)), within = vi_lt(at, vi_load(r->max + i));
    uint32_t bits = vm_bits(vm_andnot(within, below));
    if (bits) return rank + r->shift[i + th_lowest_bit(bits)];
  }
  return l->chart->map_count;
}

/* Lanes whose face is not one of [first, last) by rank. */
static inline uint32_t outside(vi rank, int32_t first, int32_t last) {
  vm below = vi_lt(rank, vi_set(first)), within = vi_lt(rank, vi_set(last));
  return vm_bits(vm_andnot(within, below)) ^ ((1u << TH_LANES) - 1u);
}

/* False when the memory does not hold all. */
static bool list_run(list *l, uint32_t n, vi lane) {
  const th_patch_crowd_input *in = l->in;
  th_patch_crowd *to = l->crowd;
  const uint32_t first = l->runs.slot[n], size = l->runs.size[n], shift = l->runs.shift[n];
  if (l->count + size > TH_MAX_PATCH_CROWD) return false;
  for (uint32_t i = 0; i < size; i += TH_LANES) {
    uint32_t slot = first + i, at = l->count + i;
    vi rank = vi_load((const int32_t *)in->rank + slot);
    vf_store(to->fx + at, vf_load(in->x + slot));
    vf_store(to->fy + at, vf_load(in->y + slot));
    vi_store((int32_t *)to->fslot + at, vi_add(vi_set((int32_t)slot), lane));
    vi_store((int32_t *)to->fmap + at, vi_add(vi_set((int32_t)shift), rank));
    uint32_t left = size - i, all = left < TH_LANES ? (1u << left) - 1u : (1u << TH_LANES) - 1u;
    uint32_t away = in->moved ? outside(rank, l->runs.min[n], l->runs.max[n]) & all : 0;
    for (; away; away &= away - 1) {
      uint32_t k = th_lowest_bit(away);
      to->fmap[at + k] = look_up(l, slot + k, in->rank[slot + k]);
    }
    for (uint32_t k = at; k < at + TH_LANES && k < l->count + size; k++)
      th_fetch_line(&l->chart->map[to->fmap[k]]); /* maps of all charts do not fit the caches near a core */
  }
  l->count += size;
  return true;
}

static bool list_runs(list *l) {
  int32_t number[TH_LANES];
  for (int32_t i = 0; i < TH_LANES; i++) number[i] = i;
  const vi lane = vi_load(number);
  bool scratch = true;
  for (uint32_t n = 0; scratch && n < l->runs.count; n++) scratch = list_run(l, n, lane);
  l->runs.count = 0;
  return scratch;
}

/* Of TH_LANES clusters; only long steps have them. */
static vf hops_of(const th_chart *chart, uint32_t n, const float *hops) {
  float of[TH_LANES] = {0};
  for (uint32_t lane = 0; lane < TH_LANES && n + lane < chart->cluster_count; lane++)
    of[lane] = hops[chart->cluster[n + lane]];
  return vf_load(of);
}

/* Which of TH_LANES clusters may hold an agent within `reach` of the patch. */
static inline uint32_t reached(const th_chart *chart, uint32_t n, float reach, const float *hops) {
  vf away = vf_load(chart->away + n);
  return vm_bits(vf_le(hops ? vf_sub(away, hops_of(chart, n, hops)) : away, vf_set(reach)));
}

/* Takes up clusters [first, last) of the chart as a run. Runs lie apart in memory and the hardware cannot predict the
 * next one, so the first data of its agents is prefetched. */
static bool add_run(list *l, uint32_t first, uint32_t last) {
  const th_patch_crowd_input *in = l->in;
  runs *r = &l->runs;
  if (r->count == MAX_RUNS) {
    r->all = false;
    if (!list_runs(l)) return false;
  }
  const uint32_t begin = l->chart->cluster[first], end = l->chart->cluster[last - 1] + 1, n = r->count++;
  const uint32_t slot = in->order->start[begin], size = in->order->start[end] - slot;
  r->slot[n] = slot;
  r->size[n] = size;
  r->min[n] = (int32_t)in->patches->start[begin];
  r->max[n] = (int32_t)in->patches->start[end];
  r->shift[n] = th_chart_first(l->chart, first) - (uint32_t)r->min[n];
  th_fetch_line(in->rank + slot);
  th_fetch_line(in->x + slot);
  th_fetch_line(in->y + slot);
  return true;
}

static bool list_clusters(list *l, float reach) {
  const th_chart *chart = l->chart;
  const uint32_t *cluster = chart->cluster;
  uint32_t first = 0, last = 0;
  if (reach == 0.0f) { /* nobody else is asked for */
    first = chart->own_first;
    last = first + l->in->patches->first[chart->patch + 1] - l->in->patches->first[chart->patch];
  }
  for (uint32_t i = reach == 0.0f ? chart->cluster_count : 0; i < chart->cluster_count; i += TH_LANES) {
    for (uint32_t bits = reached(chart, i, reach, l->in->hops); bits; bits &= bits - 1) {
      uint32_t n = i + th_lowest_bit(bits);
      bool joins = n == last && last > first && cluster[n] == cluster[n - 1] + 1;
      if (!joins && last > first && !add_run(l, first, last)) return false;
      first = joins ? first : n;
      last = n + 1;
    }
  }
  if (last > first && !add_run(l, first, last)) return false;
  for (uint32_t n = l->runs.count; n % TH_LANES; n++) l->runs.min[n] = l->runs.max[n] = 0;
  return list_runs(l);
}

/* Of a chart's clusters only those next to the patch are within reach of a touch, so the distances are tested first. */
bool TH_LANES_NAME(th_patch_crowd_any)(const th_chart *chart, float reach, const uint8_t *mark, const float *hops) {
  for (uint32_t n = 0; n < chart->cluster_count; n += TH_LANES)
    for (uint32_t bits = reached(chart, n, reach, hops); bits; bits &= bits - 1)
      if (mark[chart->cluster[n + th_lowest_bit(bits)]]) return true;
  return false;
}

static inline vm box_holds(const th_chart_box *b, vf x, vf y) {
  vm in_x = vm_and(vf_le(vf_set(b->x0), x), vf_le(x, vf_set(b->x1)));
  return vm_and(in_x, vm_and(vf_le(vf_set(b->y0), y), vf_le(y, vf_set(b->y1))));
}

static inline void maps_of(const th_chart *chart, const uint32_t *number, vf m[8]) {
  vf_load_rows_at((const float *)chart->map, TH_CHART_WORDS, (const int32_t *)number, m);
}

/* The lanes after the last agent get a valid map number, because a whole register is read. */
static inline void end_maps(uint32_t *number) { vi_store((int32_t *)number, vi_set(0)); }

/* Places become those of the chart; returns how many lie in the octagon. */
static uint32_t keep_inside(list *l, const th_chart_octagon *around) {
  th_patch_crowd *to = l->crowd;
  const th_chart_octagon o = *around;
  const vf slant = vf_set(TH_SLANT);
  uint32_t kept = 0;
  end_maps(to->fmap + l->count);
  for (uint32_t i = 0; i < l->count; i += TH_LANES) {
    uint32_t left = l->count - i, all = left < TH_LANES ? (1u << left) - 1u : (1u << TH_LANES) - 1u;
    vi slot = vi_load((const int32_t *)to->fslot + i), number = vi_load((const int32_t *)to->fmap + i);
    vf x = vf_load(to->fx + i), y = vf_load(to->fy + i), m[8];
    maps_of(l->chart, to->fmap + i, m);
    vf px = vf_add(vf_add(vf_mul(m[0], x), vf_mul(m[1], y)), m[4]);
    vf py = vf_add(vf_add(vf_mul(m[2], x), vf_mul(m[3], y)), m[5]);
    vf u = vf_mul(vf_add(px, py), slant), w = vf_mul(vf_sub(py, px), slant);
    uint32_t bits = vm_bits(vm_and(box_holds(&o.box, px, py), box_holds(&o.slant, u, w))) & all;
    vpack pack = vpack_of(to->pack, bits);
    vf_store(to->fx + kept, vf_packed(px, pack));
    vf_store(to->fy + kept, vf_packed(py, pack));
    vi_store((int32_t *)to->fslot + kept, vi_packed(slot, pack));
    vi_store((int32_t *)to->fmap + kept, vi_packed(number, pack));
    kept += th_count_bits(bits);
  }
  return kept;
}

bool TH_LANES_NAME(th_patch_crowd_find)(th_patch_crowd *crowd, const th_patch_crowd_input *input, float reach) {
  list l;
  l.crowd = crowd;
  l.in = input;
  l.chart = crowd->chart;
  l.count = l.runs.count = 0;
  l.runs.all = true;
  crowd->order.count = 0;
  if (!list_clusters(&l, reach)) return false;
  th_chart_octagon around = th_chart_octagon_grown(&crowd->chart->own, reach);
  crowd->order.count = keep_inside(&l, &around);
  return true;
}

/* Squares of all agents found; all lie in the box, so no index is negative. */
void TH_LANES_NAME(th_patch_crowd_squares)(th_patch_crowd *l) {
  const th_order *o = &l->order;
  const vf x0 = vf_set(o->grid.x0), y0 = vf_set(o->grid.y0), inverse = vf_set(o->grid.inverse);
  const vf max_i = vf_set((float)(o->grid.columns - 1)), max_j = vf_set((float)(o->grid.rows - 1));
  const vi columns = vi_set((int32_t)o->grid.columns);
  for (uint32_t k = 0; k < o->count; k += TH_LANES) {
    vf i = vf_min(vf_mul(vf_sub(vf_load(l->fx + k), x0), inverse), max_i);
    vf j = vf_min(vf_mul(vf_sub(vf_load(l->fy + k), y0), inverse), max_j);
    vi_store((int32_t *)l->fcluster + k, vi_add(vi_mul(vf_to_int(j), columns), vf_to_int(i)));
  }
}

/* The patch's own agents among all found, in the order of their squares. */
void TH_LANES_NAME(th_patch_crowd_list_own)(th_patch_crowd *l) {
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
    kept += th_count_bits(bits);
  }
  l->own_count = kept;
}

/* Velocities of all agents found, in the order of their squares. */
void TH_LANES_NAME(th_patch_crowd_velocities)(th_patch_crowd *l, const th_patch_crowd_input *in) {
  const th_order *o = &l->order;
  end_maps(l->map + o->count);
  vi_store((int32_t *)l->slot + o->count, vi_set(0));
  for (uint32_t at = 0; at < o->count; at += TH_LANES) {
    vi slot = vi_load((const int32_t *)l->slot + at);
    vf m[8], vx = vf_gather(in->order->vx, slot), vy = vf_gather(in->order->vy, slot);
    maps_of(l->chart, l->map + at, m);
    vf_store(o->vx + at, vf_add(vf_mul(m[0], vx), vf_mul(m[1], vy)));
    vf_store(o->vy + at, vf_add(vf_mul(m[2], vx), vf_mul(m[3], vy)));
  }
}

/* A unit vector of a face in the chart; the map is near enough to a rotation that no vector vanishes. */
static inline void turn(const vf *m, float *x, float *y) {
  vf vx = vf_load(x), vy = vf_load(y);
  vf tx = vf_add(vf_mul(m[0], vx), vf_mul(m[1], vy)), ty = vf_add(vf_mul(m[2], vx), vf_mul(m[3], vy));
  vf square = vf_add(vf_mul(tx, tx), vf_mul(ty, ty)), one = vf_set(1.0f);
  vm some = vf_lt(vf_zero(), square);
  vf k = vf_select(some, vf_div(one, vf_sqrt(vf_select(some, square, one))), one);
  vf_store(x, vf_mul(k, tx));
  vf_store(y, vf_mul(k, ty));
}

/* Maps of the agents at these places of the local order. */
static inline void maps_at(const th_patch_crowd *l, const uint32_t *at, vf m[8]) {
  uint32_t number[TH_LANES];
  for (uint32_t lane = 0; lane < TH_LANES; lane++) number[lane] = l->map[at[lane]];
  maps_of(l->chart, number, m);
}

/* Frames and advice are stored per agent: this holds their components as columns. */
typedef struct turned {
  float fc[TH_VIEW_LANES], fs[TH_VIEW_LANES], wx[TH_VIEW_LANES], wy[TH_VIEW_LANES];
} turned;

static void take_apart(const th_view_scratch *scratch, turned *t) {
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) {
    t->fc[lane] = scratch->frame[lane].c;
    t->fs[lane] = scratch->frame[lane].s;
    t->wx[lane] = scratch->want[lane].dx;
    t->wy[lane] = scratch->want[lane].dy;
  }
}

static void put_back(th_view_scratch *scratch, const turned *t) {
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) {
    scratch->frame[lane] = (th_turn){t->fc[lane], t->fs[lane]};
    scratch->want[lane].dx = t->wx[lane];
    scratch->want[lane].dy = t->wy[lane];
  }
}

/* Headings, frames and advice of the lanes. */
void TH_LANES_NAME(th_patch_crowd_turn)(const th_patch_crowd *l, th_view_scratch *scratch) {
  turned t;
  take_apart(scratch, &t);
  for (uint32_t i = 0; i < TH_VIEW_LANES; i += TH_LANES) {
    vf m[8];
    maps_at(l, scratch->slot + i, m);
    turn(m, scratch->hx + i, scratch->hy + i);
    turn(m, t.fc + i, t.fs + i);
    turn(m, t.wx + i, t.wy + i);
  }
  put_back(scratch, &t);
}

/* The inverse of the map's linear part. */
void TH_LANES_NAME(th_patch_crowd_to_faces)(const th_patch_crowd *l, const uint32_t *at, float *vector[4]) {
  for (uint32_t i = 0; i < TH_VIEW_LANES; i += TH_LANES) {
    vf m[8];
    maps_at(l, at + i, m);
    vf inverse = vf_div(vf_set(1.0f), vf_sub(vf_mul(m[0], m[3]), vf_mul(m[1], m[2])));
    for (uint32_t k = 0; k < 4; k += 2) {
      vf x = vf_load(vector[k] + i), y = vf_load(vector[k + 1] + i);
      vf_store(vector[k] + i, vf_mul(vf_sub(vf_mul(m[3], x), vf_mul(m[1], y)), inverse));
      vf_store(vector[k + 1] + i, vf_mul(vf_sub(vf_mul(m[0], y), vf_mul(m[2], x)), inverse));
    }
  }
}
