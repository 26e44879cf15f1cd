/* ground/flat/passages.c - passages that the shapes leave open and the raster closes, or tells by a cell or two.
 *
 * The exact clearance is sampled 4 times finer than the raster. Fine cells that a disc may use but the raster does not
 * offer are added to the raster's free cells in order of falling clearance (the merge tree of a height field, after
 * Carr, Snoeyink and Axen 2003). A cell that brings two free regions together, or closes a ring whose other side is not
 * near, is the narrowest spot of the widest path: a passage. The spot is then refined on the exact walls and dropped
 * when it is too narrow after all. Narrow passages that the raster keeps are found in the same way, starting from the
 * cells where a body has more room than asked. Cost: 16 distances per raster cell and a linear sort, twice for narrow
 * passages; meant for checking a scene, not for a step. Very large grounds are sampled more coarsely to bound the
 * memory.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "ground/ground.h"

#define MAX_FINE 134217728.0 /* fine cells: about 1.2 GB of work space */
#define LEVELS 4096u
#define REACH 40 /* fine cells: a detour within this distance is near */
#define SIDE (2 * REACH + 1)
#define MAX_ROOM 3.0f /* cells beside a body up to which clearance is sampled */

enum { ACTIVE = 1, ANCHORED = 2 };
enum { NAMED = 2 }; /* in `solid`: a closed passage was found here */

typedef struct finder {
  const th_ground *ground;
  uint32_t scale; /* fine cells along one raster cell */
  th_lattice lattice;
  size_t size;
  float *clearance; /* per fine cell, negative in solid */
  uint8_t *solid;
  uint32_t *parent; /* union-find over fine cells */
  uint8_t *state;
  uint32_t *order; /* lost cells by falling clearance */
  uint32_t order_count;
  uint8_t seen[SIDE * SIDE];
  uint32_t queue[SIDE * SIDE];
  uint32_t radius_class;
  float radius;
  float wide; /* clearance that is wide enough [m]; 0: whatever the raster offers is */
  th_passage *passage;
  uint32_t count, capacity;
} finder;

static uint32_t root_of(finder *f, uint32_t c) {
  while (f->parent[c] != c) c = f->parent[c] = f->parent[f->parent[c]];
  return c;
}

/* The lower index wins, so that the result does not depend on the order of unions. */
static void unite(finder *f, uint32_t a, uint32_t b) {
  uint32_t low = a < b ? a : b, high = a < b ? b : a;
  f->state[low] |= f->state[high] & ANCHORED;
  f->parent[high] = low;
}

static uint32_t raster_cell(const finder *f, uint32_t c) {
  uint32_t i = c % f->lattice.width / f->scale, j = c / f->lattice.width / f->scale;
  return j * f->ground->flat->width + i;
}

static th_point centre(const finder *f, uint32_t c) {
  return (th_point){th_lattice_x(&f->lattice, c % f->lattice.width), th_lattice_y(&f->lattice, c / f->lattice.width)};
}

/* No wall between two neighbours: certain when one of them is farther from walls than they are from each other. */
static bool linked(const finder *f, uint32_t a, uint32_t b) {
  float safe = 1.5f * (float)f->lattice.cell;
  if (f->clearance[a] > safe || f->clearance[b] > safe) return true;
  th_point p = centre(f, a), q = centre(f, b), d = {q.x - p.x, q.y - p.y};
  double length = sqrt(d.x * d.x + d.y * d.y), distance;
  d = (th_point){d.x / length, d.y / length};
  return th_segment_grid_ray(&f->ground->flat->wall_grid, p, d, length, &distance) == UINT32_MAX;
}

static bool is_free(const finder *f, uint32_t c) {
  if (f->wide > 0.0f) return f->clearance[c] >= f->wide;
  return !f->ground->flat->blocked[f->radius_class][raster_cell(f, c)];
}

/* Free cells become active and are united with their free neighbours; those of the raster are all fine cells of each.
 */
static void add_free(finder *f) {
  uint32_t w = f->lattice.width;
  for (uint32_t c = 0; c < f->size; c++) {
    f->parent[c] = c;
    f->state[c] = is_free(f, c) ? ACTIVE | ANCHORED : 0;
  }
  for (uint32_t c = w; c < f->size; c++) {
    if (!f->state[c]) continue;
    const uint32_t before[2] = {c - 1, c - w};
    for (uint32_t k = 0; k < 2; k++) {
      uint32_t a = root_of(f, c), b = root_of(f, before[k]);
      if (f->state[before[k]] && a != b) unite(f, a, b);
    }
  }
}

/* Least clearance worth a look: the best spot of a gap lies within 0.71 fine cells of a sample. */
static float min_clearance(const finder *f) {
  float fine = (float)f->lattice.cell, min = f->radius - 0.75f * fine;
  return min > 0.01f * fine ? min : 0.01f * fine;
}

static uint32_t level_of(const finder *f, uint32_t c, float max) {
  float share = f->clearance[c] / max;
  return LEVELS - 1 - (share < 1.0f ? (uint32_t)(share * (float)(LEVELS - 1)) : LEVELS - 1);
}

static void sort_lost(finder *f, float max) {
  uint32_t start[LEVELS + 1] = {0};
  float min = min_clearance(f);
  for (uint32_t c = 0; c < f->size; c++)
    if (!f->state[c] && f->clearance[c] >= min) start[level_of(f, c, max) + 1]++;
  for (uint32_t k = 0; k < LEVELS; k++) start[k + 1] += start[k];
  f->order_count = start[LEVELS];
  for (uint32_t c = 0; c < f->size; c++)
    if (!f->state[c] && f->clearance[c] >= min) f->order[start[level_of(f, c, max)]++] = c;
}

static const int RING[8][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};

static uint32_t neighbour(const finder *f, uint32_t c, uint32_t k) {
  return (uint32_t)((int64_t)c + RING[k][1] * (int64_t)f->lattice.width + RING[k][0]);
}

/* Searches a path from a to b over active cells near `middle`, but not through it. */
static bool near_path(finder *f, uint32_t middle, uint32_t a, uint32_t b) {
  int64_t w = f->lattice.width, mi = middle % w, mj = middle / w;
  memset(f->seen, 0, sizeof f->seen);
  uint32_t head = 0, tail = 0;
  f->queue[tail++] = a;
  f->seen[(a / w - mj + REACH) * SIDE + (a % w - mi + REACH)] = 1;
  f->seen[REACH * SIDE + REACH] = 1;
  while (head < tail) {
    uint32_t c = f->queue[head++];
    if (c == b) return true;
    for (uint32_t k = 0; k < 8; k++) {
      uint32_t n = neighbour(f, c, k);
      int64_t i = n % w - mi + REACH, j = n / w - mj + REACH;
      if (i < 0 || j < 0 || i >= SIDE || j >= SIDE || f->seen[j * SIDE + i]) continue;
      if (!(f->state[n] & ACTIVE) || !linked(f, c, n)) continue;
      f->seen[j * SIDE + i] = 1;
      f->queue[tail++] = n;
    }
  }
  return false;
}

static double clearance_at(const finder *f, th_point p) {
  th_point on;
  double distance;
  th_segment_grid_nearest(&f->ground->flat->wall_grid, p, 1e6, &on, &distance);
  return distance;
}

/* Widest point across the passage: moving away from the nearest wall, clearance rises until the other side is as
 * near. Golden section over two fine cells. */
static double widest_across(const finder *f, th_point *p, th_point across) {
  const double golden = 0.6180339887498949;
  double low = -1.5 * f->lattice.cell, high = -low;
  for (uint32_t n = 0; n < 24; n++) {
    double a = high - golden * (high - low), b = low + golden * (high - low);
    double ca = clearance_at(f, (th_point){p->x + a * across.x, p->y + a * across.y});
    double cb = clearance_at(f, (th_point){p->x + b * across.x, p->y + b * across.y});
    if (ca < cb)
      low = a;
    else
      high = b;
  }
  double s = 0.5 * (low + high);
  *p = (th_point){p->x + s * across.x, p->y + s * across.y};
  return clearance_at(f, *p);
}

/* From a sample near the narrowest spot to that spot; returns the clearance there. */
static double refine(const finder *f, th_point *p) {
  th_point on;
  double distance;
  th_segment_grid_nearest(&f->ground->flat->wall_grid, *p, 1e6, &on, &distance);
  if (!(distance > 0.0)) return 0.0;
  th_point across = {(p->x - on.x) / distance, (p->y - on.y) / distance}, along = {-across.y, across.x};
  double best = widest_across(f, p, across);
  for (double step = 0.5 * f->lattice.cell; step > 0.01 * f->lattice.cell; step *= 0.5) {
    for (int side = -1; side <= 1; side += 2) {
      th_point q = {p->x + side * step * along.x, p->y + side * step * along.y};
      double c = widest_across(f, &q, across);
      if (c >= best) continue;
      best = c;
      *p = q;
    }
  }
  return best;
}

static bool is_named(const finder *f, uint32_t c) {
  int64_t w = f->lattice.width, h = f->lattice.height, i = c % w, j = c / w;
  for (int64_t y = j - REACH < 0 ? 0 : j - REACH; y < h && y <= j + REACH; y++)
    for (int64_t x = i - REACH < 0 ? 0 : i - REACH; x < w && x <= i + REACH; x++)
      if (f->solid[y * w + x] == NAMED) return true;
  return false;
}

/* Reports the passage at cell c; false when it is too narrow for the class. A closed one is not named as narrow, too.
 */
static bool report(finder *f, uint32_t c) {
  th_point p = centre(f, c);
  double clearance = refine(f, &p);
  bool closed = !(f->wide > 0.0f);
  if (clearance < (double)f->radius * (1.0 - 1e-6) || !(clearance > 0.0)) return false;
  if (!closed && (clearance >= (double)f->wide || is_named(f, c))) return true;
  if (closed) f->solid[c] = NAMED;
  if (f->count < f->capacity)
    f->passage[f->count] = (th_passage){(float)p.x, (float)p.y, (float)(2.0 * clearance), f->radius_class, closed};
  f->count++;
  return true;
}

/* Joins the groups of active cells around c; each group is a run of the ring of 8 neighbours. */
static void join(finder *f, uint32_t c) {
  bool active[8];
  for (uint32_t k = 0; k < 8; k++) {
    uint32_t n = neighbour(f, c, k);
    active[k] = (f->state[n] & ACTIVE) && linked(f, c, n);
  }
  uint32_t first = UINT32_MAX; /* a neighbour of the first group */
  for (uint32_t k = 0; k < 8; k++) {
    if (!active[k] || active[(k + 7) & 7]) continue; /* not the start of a run */
    uint32_t n = neighbour(f, c, k);
    if (first == UINT32_MAX) {
      first = n;
      continue;
    }
    uint32_t a = root_of(f, first), b = root_of(f, n);
    bool anchored = f->state[a] & f->state[b] & ANCHORED;
    if (anchored && (a != b || !near_path(f, c, first, n)) && !report(f, c)) return;
    if (a != b) unite(f, a, b);
  }
  f->state[c] |= ACTIVE;
  if (first == UINT32_MAX && active[0]) first = neighbour(f, c, 0); /* all 8 */
  if (first != UINT32_MAX) unite(f, root_of(f, first), root_of(f, c));
}

static void search(finder *f, float wide) {
  f->wide = wide;
  add_free(f);
  sort_lost(f, f->radius + MAX_ROOM * f->ground->cell);
  for (uint32_t n = 0; n < f->order_count; n++) join(f, f->order[n]);
}

static void find_class(finder *f, uint32_t radius_class, float cells) {
  f->radius_class = radius_class;
  f->radius = f->ground->radius_class[radius_class];
  search(f, 0.0f);
  if (!(cells > 0.0f)) return;
  search(f, f->radius + 0.5f * fminf(cells, 2.0f * MAX_ROOM) * f->ground->cell);
  for (uint32_t c = 0; c < f->size; c++)
    if (f->solid[c] == NAMED) f->solid[c] = 0; /* the next class names its own */
}

static bool sample(finder *f, const th_allocator *allocator) {
  const th_ground *ground = f->ground;
  th_window all = th_lattice_all(&f->lattice);
  float widest = ground->radius_class[ground->class_count - 1];
  if (!th_shapes_fill(ground->flat->shapes, &f->lattice, &all, f->solid, allocator)) return false;
  if (!th_raster_distance(&f->lattice, &all, &ground->flat->wall_grid, (double)(widest + MAX_ROOM * ground->cell),
                          f->clearance, allocator))
    return false;
  for (size_t c = 0; c < f->size; c++) f->clearance[c] = f->solid[c] ? -f->clearance[c] : f->clearance[c];
  return true;
}

static void set_lattice(finder *f) {
  const th_ground *ground = f->ground;
  f->scale = 4;
  while (f->scale > 1 && (double)ground->flat->width * ground->flat->height * f->scale * f->scale > MAX_FINE)
    f->scale /= 2;
  f->lattice = th_ground_lattice(ground);
  f->lattice.cell /= f->scale;
  f->lattice.width *= f->scale;
  f->lattice.height *= f->scale;
  f->size = (size_t)f->lattice.width * f->lattice.height;
}

static bool take(finder *f, const th_allocator *allocator) {
  f->clearance = TH_TAKE(allocator, float, f->size);
  f->solid = TH_TAKE(allocator, uint8_t, f->size);
  f->parent = TH_TAKE(allocator, uint32_t, f->size);
  f->state = TH_TAKE(allocator, uint8_t, f->size);
  f->order = TH_TAKE(allocator, uint32_t, f->size);
  return f->clearance && f->solid && f->parent && f->state && f->order;
}

uint32_t th_ground_passages(const th_ground *ground, float cells, th_passage *passage, uint32_t capacity) {
  if (th_ground_is_mesh(ground)) return 0; /* no raster, nothing it could close */
  const th_allocator *allocator = &ground->env.allocator;
  finder *f = TH_TAKE(allocator, finder, 1);
  uint32_t count = UINT32_MAX;
  if (f) {
    f->ground = ground;
    f->passage = passage;
    f->capacity = capacity;
    set_lattice(f);
    const bool done = take(f, allocator) && sample(f, allocator);
    for (uint32_t k = 0; k < ground->class_count && done; k++) find_class(f, k, cells);
    if (done) count = f->count;
    TH_GIVE(allocator, f->clearance, f->size);
    TH_GIVE(allocator, f->solid, f->size);
    TH_GIVE(allocator, f->parent, f->size);
    TH_GIVE(allocator, f->state, f->size);
    TH_GIVE(allocator, f->order, f->size);
    TH_GIVE(allocator, f, 1);
  }
  return count;
}
