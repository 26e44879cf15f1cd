/* ground/markers/tiles.c - which faces meet which tile.
 *
 * A face larger than a tile is split until its parts are smaller, so that a slanting one does not enter all tiles of
 * its box. Cost: a sort of about two entries per face.
 */
#include "ground/markers/tiles.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "ground/mesh/ground.h"

uint32_t th_marker_face_count(const th_ground *ground) {
  return th_ground_is_mesh(ground) ? ground->mesh->mesh.face_count : 2;
}

bool th_marker_face_open(const th_ground *ground, uint32_t face) {
  return !th_ground_is_mesh(ground) || !ground->mesh->blocked[face];
}

static th_marker_face half_of_box(const th_box *b, uint32_t half) {
  th_marker_face f = {.x = {1.0}, .y = {0.0, 1.0}, .normal = {0.0, 0.0, 1.0}};
  f.corner[0] = (th_point){b->x0, b->y0};
  f.corner[1] = half ? (th_point){b->x1, b->y1} : (th_point){b->x1, b->y0};
  f.corner[2] = half ? (th_point){b->x0, b->y1} : (th_point){b->x1, b->y1};
  return f;
}

th_marker_face th_marker_face_of(const th_ground *ground, uint32_t face) {
  if (!th_ground_is_mesh(ground)) return half_of_box(&ground->bounds, face);
  const th_mesh_frames *frames = &ground->mesh->frames;
  th_marker_face f;
  th_frames_axes(frames, face, f.x, f.y);
  memcpy(f.origin, &frames->mesh->xyz[3 * (size_t)frames->mesh->corner[3 * (size_t)face]], sizeof f.origin);
  for (uint32_t k = 0; k < 3; k++) {
    f.corner[k] = th_frames_corner(frames, 3 * face + k);
    f.normal[k] = f.x[(k + 1) % 3] * f.y[(k + 2) % 3] - f.x[(k + 2) % 3] * f.y[(k + 1) % 3];
  }
  return f;
}

static th_point middle(th_point a, th_point b) { return (th_point){0.5 * (a.x + b.x), 0.5 * (a.y + b.y)}; }

void th_marker_cell_points(const th_marker_cell *cell, th_point point[6]) {
  const th_point *c = cell->corner;
  for (int k = 0; k < 3; k++) {
    point[k] = c[k];
    point[3 + k] = middle(c[k], c[(k + 1) % 3]);
  }
}

void th_marker_cell_split(const th_marker_cell *cell, th_marker_cell part[4]) {
  th_point p[6];
  th_marker_cell_points(cell, p);
  part[0] = (th_marker_cell){{p[0], p[3], p[5]}, cell->face};
  part[1] = (th_marker_cell){{p[3], p[1], p[4]}, cell->face};
  part[2] = (th_marker_cell){{p[5], p[4], p[2]}, cell->face};
  part[3] = (th_marker_cell){{p[4], p[5], p[3]}, cell->face};
}

double th_marker_cell_edge(const th_marker_cell *cell) {
  double longest = 0.0;
  for (int k = 0; k < 3; k++) {
    th_point a = cell->corner[k], b = cell->corner[(k + 1) % 3];
    longest = fmax(longest, (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
  }
  return sqrt(longest);
}

void th_marker_cell_box(const th_marker_cell *cell, const th_marker_face *face, double low[3], double high[3]) {
  for (int k = 0; k < 3; k++) {
    double xyz[3];
    th_marker_point(face, cell->corner[k], xyz);
    for (int n = 0; n < 3; n++) {
      low[n] = k ? fmin(low[n], xyz[n]) : xyz[n];
      high[n] = k ? fmax(high[n], xyz[n]) : xyz[n];
    }
  }
}

typedef struct entry {
  uint64_t key;
  uint32_t face;
} entry;

typedef struct entries {
  const th_allocator *allocator;
  entry *at;
  uint32_t count, capacity;
  double side;
  bool full, far;
} entries;

static void add(entries *e, uint64_t key, uint32_t face) {
  void *memory = e->at;
  if (e->full || !th_grow(e->allocator, &memory, &e->capacity, e->count + 1, sizeof *e->at)) {
    e->full = true;
    return;
  }
  e->at = memory;
  e->at[e->count++] = (entry){key, face};
}

static void enter(entries *e, const th_marker_cell *cell, const th_marker_face *face) {
  if (th_marker_cell_edge(cell) > e->side) {
    th_marker_cell part[4];
    th_marker_cell_split(cell, part);
    for (int k = 0; k < 4; k++) enter(e, &part[k], face);
    return;
  }
  double low[3], high[3];
  int64_t from[3], to[3];
  th_marker_cell_box(cell, face, low, high);
  for (int n = 0; n < 3; n++) {
    if (fmax(fabs(low[n]), fabs(high[n])) >= e->side * (double)((1 << 20) - 2)) e->far = true;
    if (e->far) return;
    from[n] = (int64_t)floor(low[n] / e->side);
    to[n] = (int64_t)floor(high[n] / e->side);
  }
  for (int64_t k = from[2]; k <= to[2]; k++)
    for (int64_t j = from[1]; j <= to[1]; j++)
      for (int64_t i = from[0]; i <= to[0]; i++) add(e, th_tile_key(i, j, k), cell->face);
}

static int by_tile(const void *a, const void *b) {
  const entry *p = a, *q = b;
  if (p->key != q->key) return p->key < q->key ? -1 : 1;
  return (p->face > q->face) - (p->face < q->face);
}

/* Sorted entries without repetitions become lists by tile. */
static bool list(th_marker_tiles *tiles, entries *e) {
  if (e->count) qsort(e->at, e->count, sizeof *e->at, by_tile);
  uint32_t kept = 0;
  for (uint32_t n = 0; n < e->count; n++) {
    const entry *now = &e->at[n];
    if (kept && e->at[kept - 1].key == now->key && e->at[kept - 1].face == now->face) continue;
    tiles->count += !kept || e->at[kept - 1].key != now->key;
    e->at[kept++] = *now;
  }
  tiles->face_entries = kept;
  tiles->key = TH_TAKE(e->allocator, uint64_t, tiles->count);
  tiles->first_face = TH_TAKE(e->allocator, uint32_t, tiles->count + 1);
  tiles->face = TH_TAKE(e->allocator, uint32_t, kept);
  if (!tiles->key || !tiles->first_face || !tiles->face) return false;
  uint32_t tile = 0;
  for (uint32_t n = 0; n < kept; n++) {
    if (n == 0 || e->at[n].key != e->at[n - 1].key) {
      tiles->key[tile] = e->at[n].key;
      tiles->first_face[tile++] = n;
    }
    tiles->face[n] = e->at[n].face;
  }
  tiles->first_face[tile] = kept;
  return true;
}

th_result th_marker_tiles_make(th_marker_tiles *tiles, const th_ground *ground, const th_markers_def *def,
                               th_error *error) {
  *tiles = (th_marker_tiles){.side = TH_TILE_SPAN * (double)def->distance};
  entries e = {.allocator = &ground->env.allocator, .side = tiles->side};
  for (uint32_t f = 0; f < th_marker_face_count(ground) && !e.far && !e.full; f++) {
    if (!th_marker_face_open(ground, f)) continue;
    const th_marker_face face = th_marker_face_of(ground, f);
    enter(&e, &(th_marker_cell){{face.corner[0], face.corner[1], face.corner[2]}, f}, &face);
  }
  bool made = !e.full && !e.far && list(tiles, &e);
  TH_GIVE(e.allocator, e.at, e.capacity);
  if (made) return TH_OK;
  th_marker_tiles_free(tiles, e.allocator);
  if (!e.far) return th_fail_memory(error, "markers");
  return th_fail(error, TH_ERROR_RANGE, "markers",
                 "expected ground within %.0f km of the origin for markers %g m apart, found some beyond",
                 1e-3 * e.side * (1 << 20), (double)def->distance);
}

void th_marker_tiles_free(th_marker_tiles *tiles, const th_allocator *allocator) {
  TH_GIVE(allocator, tiles->key, tiles->count);
  TH_GIVE(allocator, tiles->first_face, tiles->count + 1);
  TH_GIVE(allocator, tiles->face, tiles->face_entries);
  *tiles = (th_marker_tiles){0};
}

uint32_t th_marker_tiles_find(const th_marker_tiles *tiles, uint64_t key) {
  uint32_t low = 0, high = tiles->count;
  while (low < high) {
    uint32_t half = low + (high - low) / 2;
    if (tiles->key[half] < key)
      low = half + 1;
    else
      high = half;
  }
  return low < tiles->count && tiles->key[low] == key ? low : TH_TILE_NONE;
}
