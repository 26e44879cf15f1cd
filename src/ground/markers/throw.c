/* ground/markers/throw.c - dart throwing in a tile until no further marker fits.
 *
 * Darts that are uniform over all free ground hardly find the last gaps: 7,000 per square metre lead to 97 % of the
 * jamming density. So the faces of the tile are cut into triangles; those that the disc of one marker covers are
 * dropped, the others are cut into four, and darts go to the triangles that are left (the flat quadtree of Ebeida et
 * al., "A simple algorithm for maximal Poisson-disk sampling in high dimensions", 2012). A dart is still uniform over
 * all places where a marker may be, so the result is that of plain dart throwing. Gaps narrower than a fiftieth of the
 * marker distance may remain. Distances are straight lines in space, between places whose normals point to the same
 * side: markers on the two sides of a sheet do not meet. Cost: about 3 us per marker.
 */
#include "base/memory.h"
#include "base/random.h"
#include "ground/markers/fill.h"

#define STREAM 0x44415254u
#define LEVELS 7
#define FIRST_EDGE 1.5     /* longest edge of a first triangle, in marker distances */
#define DARTS_PER_CELL 1.0 /* in each level */

/* ---------------------------------------------------------------- cells */

/* The tile that is being filled. */
typedef struct tile_work {
  th_marker_scratch *scratch;
  const th_marker_fill *fill;
  int64_t at[3];
  uint64_t key; /* of random numbers */
  uint64_t number;
  th_marker_face face;
  uint32_t face_number;
} tile_work;

static const th_marker_face *load(tile_work *w, uint32_t face) {
  if (face != w->face_number) w->face = th_marker_face_of(w->fill->ground, face);
  w->face_number = face;
  return &w->face;
}

static th_point centre_of(const th_marker_cell *c) {
  const th_point *p = c->corner;
  return (th_point){(p[0].x + p[1].x + p[2].x) / 3.0, (p[0].y + p[1].y + p[2].y) / 3.0};
}

static bool add_cell(th_marker_scratch *scratch, th_marker_cell **list, uint32_t *capacity, uint32_t count,
                     const th_marker_cell *cell) {
  void *memory = *list;
  if (!th_grow(&scratch->allocator, &memory, capacity, count + 1, sizeof **list)) {
    scratch->full = true;
    return false;
  }
  *list = memory;
  (*list)[count] = *cell;
  return true;
}

/* Cuts a face into first triangles and keeps those whose centre lies in the tile. */
static void cut(tile_work *w, const th_marker_cell *cell) {
  const th_marker_face *face = load(w, cell->face);
  const double side = w->fill->tiles->side;
  double low[3], high[3], at[3];
  th_marker_cell_box(cell, face, low, high);
  for (int n = 0; n < 3; n++)
    if (high[n] < (double)w->at[n] * side || low[n] > (double)(w->at[n] + 1) * side) return;
  if (th_marker_cell_edge(cell) > FIRST_EDGE * (double)w->fill->def->distance) {
    th_marker_cell part[4];
    th_marker_cell_split(cell, part);
    for (int k = 0; k < 4; k++) cut(w, &part[k]);
    return;
  }
  th_marker_point(face, centre_of(cell), at);
  for (int n = 0; n < 3; n++)
    if (floor(at[n] / side) != (double)w->at[n]) return;
  th_marker_scratch *scratch = w->scratch;
  if (add_cell(scratch, &scratch->cell, &scratch->cell_capacity, scratch->cell_count, cell)) scratch->cell_count++;
}

static double area_of(const th_marker_cell *c) {
  const th_point *p = c->corner;
  return 0.5 * fabs((p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[1].y - p[0].y) * (p[2].x - p[0].x));
}

/* Flat ground: no point of the triangle is free. The raster decides far from walls; close to them only the distance
 * itself does, or the triangles of a strip as wide as a raster cell would be cut to the last level. */
static bool is_solid(const th_ground *ground, const th_marker_cell *c) {
  if (th_ground_is_mesh(ground)) return false;
  const th_flat_ground *flat = ground->flat;
  const th_point p = centre_of(c);
  const float x = (float)p.x, y = (float)p.y, depth = flat->clearance[th_ground_cell(ground, x, y)];
  const float edge = (float)th_marker_cell_edge(c);
  if (depth > flat->half_diagonal) return false;
  return depth < -(flat->half_diagonal + edge) || th_ground_clearance(ground, x, y) < -edge;
}

/* The parts of a triangle that one marker hides. */
static uint32_t hidden_parts(tile_work *w, const th_marker_cell *c) {
  const th_marker_face *face = load(w, c->face);
  th_point point[6];
  double at[6][3];
  th_marker_cell_points(c, point);
  for (int k = 0; k < 6; k++) th_marker_point(face, point[k], at[k]);
  return th_marker_hides_triangle(w->scratch, at, face->normal, w->fill->distance);
}

/* Drops triangles that hold no free place and cuts the others into four. */
static void refine(tile_work *w) {
  th_marker_scratch *scratch = w->scratch;
  uint32_t count = 0;
  for (uint32_t n = 0; n < scratch->cell_count && !scratch->full; n++) {
    th_marker_cell part[4];
    const th_marker_cell whole = scratch->cell[n];
    if (is_solid(w->fill->ground, &whole)) continue;
    const uint32_t hidden = hidden_parts(w, &whole);
    if (hidden == TH_TRIANGLE_HIDDEN) continue;
    th_marker_cell_split(&whole, part);
    for (uint32_t k = 0; k < 4; k++)
      if (!(hidden >> k & 1u)) count += add_cell(scratch, &scratch->fresh, &scratch->fresh_capacity, count, &part[k]);
  }
  th_marker_cell *cell = scratch->cell;
  uint32_t capacity = scratch->cell_capacity;
  scratch->cell = scratch->fresh;
  scratch->cell_capacity = scratch->fresh_capacity;
  scratch->cell_count = count;
  scratch->fresh = cell;
  scratch->fresh_capacity = capacity;
}

/* ---------------------------------------------------------------- darts */

/* Sums of areas; false when out of memory. */
static bool sum_up(th_marker_scratch *scratch) {
  void *memory = scratch->sum;
  if (!th_grow(&scratch->allocator, &memory, &scratch->sum_capacity, scratch->cell_count, sizeof *scratch->sum))
    return false;
  scratch->sum = memory;
  double sum = 0.0;
  for (uint32_t n = 0; n < scratch->cell_count; n++) scratch->sum[n] = sum += area_of(&scratch->cell[n]);
  return true;
}

static const th_marker_cell *pick(const th_marker_scratch *scratch, double part) {
  const double want = part * scratch->sum[scratch->cell_count - 1];
  uint32_t low = 0, high = scratch->cell_count - 1;
  while (low < high) {
    uint32_t half = low + (high - low) / 2;
    if (scratch->sum[half] <= want)
      low = half + 1;
    else
      high = half;
  }
  return &scratch->cell[low];
}

/* A uniform point of the triangle, rounded to what a place holds. */
static th_point aim(const th_marker_cell *c, uint64_t bits) {
  double u = (double)(uint32_t)(bits >> 32) * 0x1p-32, v = (double)(uint32_t)bits * 0x1p-32;
  if (u + v > 1.0) u = 1.0 - u, v = 1.0 - v;
  const th_point *p = c->corner;
  th_point at = {p[0].x + u * (p[1].x - p[0].x) + v * (p[2].x - p[0].x),
                 p[0].y + u * (p[1].y - p[0].y) + v * (p[2].y - p[0].y)};
  return (th_point){(double)(float)at.x, (double)(float)at.y};
}

static void dart(tile_work *w) {
  const uint64_t golden = 0x9e3779b97f4a7c15u;
  uint64_t bits = th_random_mix((w->key ^ w->number++) + golden);
  const th_marker_cell *c = pick(w->scratch, th_random_to_double(bits));
  const th_point p = aim(c, th_random_mix(bits + golden));
  const th_ground *ground = w->fill->ground;
  const bool mesh = th_ground_is_mesh(ground);
  const float x = (float)p.x, y = (float)p.y;
  if (!mesh && !th_ground_is_walkable(ground, x, y)) return;
  const th_marker_face *face = load(w, c->face);
  double at[3];
  th_marker_point(face, p, at);
  if (th_marker_hides_point(w->scratch, at, face->normal, w->fill->distance)) return;
  th_marker_spot_put(w->scratch, at, face->normal);
  if (!th_marker_found(w->scratch, (th_place){mesh ? c->face : th_ground_cell(ground, x, y), x, y}))
    w->scratch->full = true;
}

bool th_marker_throw(th_marker_scratch *scratch, const th_marker_fill *fill, uint32_t tile) {
  const th_marker_tiles *tiles = fill->tiles;
  tile_work w = {.scratch = scratch, .fill = fill, .face_number = TH_TILE_NONE};
  th_tile_at(tiles->key[tile], w.at);
  w.key = th_random(fill->def->seed, STREAM, (uint32_t)(tiles->key[tile] >> 32), tiles->key[tile]);
  for (uint32_t n = tiles->first_face[tile]; n < tiles->first_face[tile + 1]; n++) {
    const th_marker_face *f = load(&w, tiles->face[n]);
    cut(&w, &(th_marker_cell){{f->corner[0], f->corner[1], f->corner[2]}, tiles->face[n]});
  }
  for (int level = 0; level < LEVELS && scratch->cell_count && !scratch->full; level++) {
    if (!sum_up(scratch)) return false;
    uint32_t darts = (uint32_t)ceil(DARTS_PER_CELL * (double)scratch->cell_count);
    for (uint32_t n = 0; n < darts && !scratch->full; n++) dart(&w);
    if (level + 1 < LEVELS) refine(&w);
  }
  return !scratch->full;
}
