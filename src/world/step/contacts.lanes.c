/* world/step/contacts.lanes.c - finds bodies that overlap and the correction of each.
 *
 * Slots are sorted by place, so a register of consecutive bodies stands close together: one box around them chooses the
 * clusters, and each body in them is tested against all lanes at once. The test uses the largest radius, so it may find
 * false pairs but misses none; the few pairs that remain are tested exactly and handled one by one in slot order, in
 * plain arithmetic. So a body's sum has the same terms in the same order on every instruction set. It is damped,
 * because neighbours correct at the same time.
 *
 *   push = (1 - slop) (r_i + r_j) - d,   correction_i = damp * push * share * (p_i - p_j) / d,
 *   share = 1/2 when the other body may be pushed too, else 1
 *
 * On flat ground all bodies of a run of clusters are corrected; in a chart those of a list, the patch's own.
 *
 * Cost: about 5 ns per body without contacts.
 */
#include <math.h>
#include <string.h>

#include "base/platform/compiler.h"
#include "world/step/motion.h"

#define DAMP 0.8f

/* A register of bodies of one row of clusters, and what is known of them. */
typedef struct group {
  uint32_t count, cluster, at[TH_LANES]; /* lanes in use; cluster of the first; slots */
  const float *px, *py;                  /* places of the lanes */
  vf x, y, bound; /* bound: squared distance beyond which nobody overlaps; 0 for a body that is not moved */
  vi slot;
  float dx[TH_LANES], dy[TH_LANES];
  bool any; /* one of them is pushed */
} group;

static inline uint32_t index_of(float value, uint32_t count) {
  if (!(value > 0.0f)) return 0;
  return value < (float)count ? (uint32_t)value : count - 1;
}

static inline bool overlap(const th_contacts *c, uint32_t i, uint32_t j) {
  float dx = c->x[i] - c->x[j], dy = c->y[i] - c->y[j], min = (c->radius[i] + c->radius[j]) * (1.0f - c->least);
  return dx * dx + dy * dy < min * min;
}

static inline float mobile_of(const th_contacts *c, uint32_t slot) { return c->mobile[c->from ? c->from[slot] : slot]; }

static void mark(const th_contacts *c, const group *g, uint32_t slot) {
  uint32_t cluster = g->cluster;
  while (c->start[cluster + 1] <= slot) cluster++;
  c->now[cluster] = 1;
}

static void push(const th_contacts *c, group *g, uint32_t lane, uint32_t j) {
  const uint32_t i = g->at[lane];
  const float mobile = mobile_of(c, j);
  if (!(overlap(c, i, j) && mobile >= 0.0f)) return;
  float dx = c->x[i] - c->x[j], dy = c->y[i] - c->y[j], d2 = dx * dx + dy * dy;
  float min = (c->radius[i] + c->radius[j]) * (1.0f - TH_CONTACT_SLOP), share = mobile > 0.0f ? 0.5f * DAMP : DAMP;
  g->any = true;
  if (c->now) mark(c, g, i);
  if (d2 > 1e-12f) {
    float d = sqrtf(d2), k = share * (min - d) / d;
    g->dx[lane] += k * dx;
    g->dy[lane] += k * dy;
  } else { /* bodies on one point part along x, the lower slot to the left */
    g->dx[lane] += (i < j ? -share : share) * min;
  }
}

/* Lanes that body j may overlap, except itself. */
static inline vm near(const th_contacts *c, const group *g, uint32_t j, bool own) {
  vf dx = vf_sub(vf_set(c->x[j]), g->x), dy = vf_sub(vf_set(c->y[j]), g->y);
  vm close = vf_lt(vf_add(vf_mul(dx, dx), vf_mul(dy, dy)), g->bound);
  return own ? vm_andnot(close, vi_eq(g->slot, vi_set((int32_t)j))) : close;
}

/* Most fours of slots are far from every lane. */
static inline bool four_near(const th_contacts *c, const group *g, uint32_t j, bool own) {
  vm two = vm_or(near(c, g, j, own), near(c, g, j + 1, own));
  vm more = vm_or(near(c, g, j + 2, own), near(c, g, j + 3, own));
  return vm_any(vm_or(two, more));
}

static inline bool is_far(const th_contacts *c, uint32_t slot) {
  for (uint32_t k = 0; k < c->far_count; k++)
    if (c->far[k] == slot) return true;
  return false;
}

/* The slots [j, last) push the lanes. */
static inline void scan(const th_contacts *c, group *g, uint32_t j, uint32_t last, bool own) {
  *c->looked += last - j;
  for (; j < last; j += 4) {
    if (!four_near(c, g, j, own)) continue;
    for (uint32_t k = j; k < j + 4 && k < last; k++)
      for (uint32_t bits = is_far(c, k) ? 0 : vm_bits(near(c, g, k, own)); bits; bits &= bits - 1)
        push(c, g, th_lowest_bit(bits), k);
  }
}

/* Bodies that have gone far push last, wherever they come from, so that the order does not depend on the register. */
static inline void scan_far(const th_contacts *c, group *g) {
  *c->looked += c->far_count;
  for (uint32_t k = 0; k < c->far_count; k++)
    for (uint32_t bits = vm_bits(near(c, g, c->far[k], true)); bits; bits &= bits - 1)
      push(c, g, th_lowest_bit(bits), c->far[k]);
}

/* Lanes that may not be pushed overlap nobody. */
static inline void load(const th_contacts *c, group *g, vf radius, vf mobile) {
  vf far = vf_mul(vf_add(radius, vf_set(c->radius_max)), vf_set(1.0f - c->least));
  vm there = vm_and(vm_from_bits((1u << g->count) - 1u), vf_lt(vf_zero(), mobile));
  g->x = vf_load(g->px);
  g->y = vf_load(g->py);
  g->bound = vf_select(there, vf_mul(far, far), vf_zero());
  g->slot = vi_load((const int32_t *)g->at);
}

static inline void bounds(const float *a, uint32_t count, float *min, float *max) {
  *min = *max = a[0];
  for (uint32_t i = 1; i < count; i++) {
    *min = a[i] < *min ? a[i] : *min;
    *max = a[i] > *max ? a[i] : *max;
  }
}

/* Clusters that hold every body that may overlap one of the group. */
typedef struct around {
  uint32_t c0, c1, r0, r1;
} around;

static inline around around_of(const th_contacts *c, const group *g) {
  float reach = c->radius_max + c->reach, x0, x1, y0, y1;
  bounds(g->px, g->count, &x0, &x1);
  bounds(g->py, g->count, &y0, &y1);
  return (around){index_of((x0 - c->grid.x0 - reach) * c->grid.inverse, c->grid.columns),
                  index_of((x1 - c->grid.x0 + reach) * c->grid.inverse, c->grid.columns),
                  index_of((y0 - c->grid.y0 - reach) * c->grid.inverse, c->grid.rows),
                  index_of((y1 - c->grid.y0 + reach) * c->grid.inverse, c->grid.rows)};
}

/* `to`: where the corrections of the lanes are kept. */
static TH_INLINE void correct(const th_contacts *c, group *g, uint32_t row, uint32_t to) {
  around a = around_of(c, g);
  vf_store(g->dx, vf_zero());
  vf_store(g->dy, vf_zero());
  for (uint32_t r = a.r0; r <= a.r1; r++) {
    const uint32_t *start = c->start + (size_t)r * c->grid.columns;
    if (r == row)
      scan(c, g, start[a.c0], start[a.c1 + 1], true);
    else
      scan(c, g, start[a.c0], start[a.c1 + 1], false);
  }
  scan_far(c, g);
  memcpy(c->dx + to, g->dx, g->count * sizeof *g->dx);
  memcpy(c->dy + to, g->dy, g->count * sizeof *g->dy);
}

/* True when no body that has gone far starts in the clusters [first, last], or stands around them. */
static bool far_are_quiet(const th_contacts *c, uint32_t first, uint32_t last) {
  const th_cluster_grid *grid = &c->grid;
  const float reach = 2.0f * c->radius_max + c->reach, row = (float)(first / grid->columns);
  const float x0 = grid->x0 + (float)(first % grid->columns) * grid->side - reach,
              y0 = grid->y0 + row * grid->side - reach;
  const float x1 = grid->x0 + (float)(last % grid->columns + 1) * grid->side + reach;
  const float y1 = grid->y0 + (row + 1.0f) * grid->side + reach;
  for (uint32_t k = 0; k < c->far_count; k++) {
    uint32_t slot = c->far[k];
    if (slot >= c->start[first] && slot < c->start[last + 1]) return false;
    if (c->x[slot] > x0 && c->x[slot] < x1 && c->y[slot] > y0 && c->y[slot] < y1) return false;
  }
  return true;
}

/* In later rounds only bodies near one that moved need another look: true when nobody moved around the clusters
 * [first, last] of one row. */
static bool quiet(const th_contacts *c, uint32_t first, uint32_t last) {
  if (c->far_count && !far_are_quiet(c, first, last)) return false;
  uint32_t row = first / c->grid.columns, begin = row * c->grid.columns, end = begin + c->grid.columns - 1;
  uint32_t k0 = first - begin > c->rings ? first - c->rings : begin, k1 = end - last > c->rings ? last + c->rings : end;
  uint32_t r0 = row > c->rings ? row - c->rings : 0,
           r1 = row + c->rings < c->grid.rows ? row + c->rings : c->grid.rows - 1;
  for (uint32_t r = r0; r <= r1; r++)
    if (memchr(c->before + (size_t)r * c->grid.columns + (k0 - begin), 1, k1 - k0 + 1)) return false;
  return true;
}

/* Bodies of consecutive slots. */
static inline void correct_run(const th_contacts *c, group *g, uint32_t first, uint32_t row) {
  for (uint32_t lane = 0; lane < TH_LANES; lane++) g->at[lane] = first + lane;
  g->px = c->x + first;
  g->py = c->y + first;
  load(c, g, vf_load(c->radius + first), vf_load(c->mobile + first));
  correct(c, g, row, first);
}

void TH_LANES_NAME(th_contacts_find)(const th_contacts *c, uint32_t first, uint32_t last) {
  group g;
  memset(c->now + first, 0, last - first);
  if (c->start[first] == c->start[last] || (c->before && quiet(c, first, last - 1))) return;
  g.cluster = first;
  for (uint32_t slot = c->start[first]; slot < c->start[last]; slot += g.count) {
    uint32_t rest = c->start[last] - slot;
    g.count = rest < TH_LANES ? rest : TH_LANES;
    while (c->start[g.cluster + 1] <= slot) g.cluster++;
    uint32_t end = g.cluster;
    while (c->start[end + 1] < slot + g.count) end++;
    if (!(c->before && quiet(c, g.cluster, end))) correct_run(c, &g, slot, first / c->grid.columns);
  }
}

/* Bodies [first, first + g->count) of a list, all of one row. */
static void correct_listed(const th_contacts *c, group *g, const uint32_t *list, uint32_t first, uint32_t row) {
  float x[TH_LANES], y[TH_LANES], radius[TH_LANES], mobile[TH_LANES];
  for (uint32_t lane = 0; lane < TH_LANES; lane++) {
    const uint32_t slot = list[first + (lane < g->count ? lane : 0)];
    g->at[lane] = slot;
    x[lane] = c->x[slot];
    y[lane] = c->y[slot];
    radius[lane] = c->radius[slot];
    mobile[lane] = mobile_of(c, slot);
  }
  g->px = x;
  g->py = y;
  load(c, g, vf_load(radius), vf_load(mobile));
  correct(c, g, row, first);
}

/* A row is cut into equal parts: short groups have fewer bodies around them. */
bool TH_LANES_NAME(th_contacts_listed)(const th_contacts *c, const uint32_t *list, uint32_t count) {
  group g = {.any = false};
  for (uint32_t row = 0, first = 0; first < count; row++) {
    const uint32_t end = c->start[(size_t)(row + 1) * c->grid.columns];
    uint32_t last = first;
    while (last < count && list[last] < end) last++;
    for (uint32_t parts = (last - first + TH_LANES - 1) / TH_LANES; parts; parts--, first += g.count) {
      g.count = (last - first) / parts;
      correct_listed(c, &g, list, first, row);
    }
  }
  return g.any;
}
