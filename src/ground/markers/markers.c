/* ground/markers/markers.c - a set of markers: tile after tile, colour after colour.
 *
 * The markers of a tile depend on the ground in it and on the markers of the tiles around it that have a lower colour.
 * So tiles of one colour are filled in parallel, and the result is a function of ground and def alone. When the ground
 * has changed, only tiles whose ground changed, and later colours beside those that were filled again, can differ: a
 * change spreads over seven tiles at most. Cost: see throw.c; an area of 200 m x 200 m takes about two seconds of one
 * core.
 */
#include "ground/markers/markers.h"

#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "ground/markers/fill.h"
#include "ground/mesh/ground.h"

/* Distance at which random markers are as dense as a grid of width 1: sqrt(4 x 0.547 / pi), by the jamming density of
 * discs. */
#define RANDOM_OF_GRID 0.8346

th_markers_def th_default_markers_def(void) { return (th_markers_def){.distance = 0.2f, .seed = 1}; }
th_markers_def th_sparse_markers_def(void) {
  return (th_markers_def){.distance = 1.5f, .layout = TH_MARKERS_GRID, .noise = 0.1f, .seed = 1};
}

/* A tile of the set that is being made. */
typedef struct tile_markers {
  th_place *place;
  uint32_t count;
  uint32_t copy; /* number of the tile in the old set with the same markers, or TH_TILE_NONE */
  bool changed;  /* its ground changed; after it was filled: its markers may have */
} tile_markers;

typedef struct maker {
  const th_markers_job *job;
  th_marker_fill fill;
  const th_allocator *allocator;
  th_marker_tiles tiles;
  tile_markers *tile;
  th_marker_scratch *scratch;
  uint32_t scratches;
  uint32_t *list, listed; /* tiles of one colour */
  bool *full;             /* by worker */
} maker;

/* The count of references is not part of what readers see. */
void th_markers_retain(const th_markers *m) {
  if (m) atomic_fetch_add(&((th_markers *)(uintptr_t)m)->references, 1);
}

void th_markers_release(th_markers *m) {
  if (!m || atomic_fetch_sub(&m->references, 1) != 1) return;
  const th_allocator a = m->allocator;
  TH_GIVE(&a, m->first, m->tiles.count + 1);
  TH_GIVE(&a, m->by_tile, m->count);
  th_marker_index_free(m);
  th_marker_tiles_free(&m->tiles, &a);
  TH_GIVE(&a, m, 1);
}

/* ---------------------------------------------------------------- what has changed */

static bool same_corners(const th_mesh *a, const th_mesh *b, uint32_t face) {
  for (uint32_t k = 0; k < 3; k++)
    if (memcmp(&a->xyz[3 * (size_t)a->corner[3 * face + k]], &b->xyz[3 * (size_t)b->corner[3 * face + k]],
               3 * sizeof *a->xyz) != 0)
      return false;
  return true;
}

/* The old tile has the same faces, and none of them has moved. */
static bool same_faces(const maker *m, uint32_t tile, uint32_t old) {
  const th_marker_tiles *now = &m->tiles, *then = &m->job->old->tiles;
  uint32_t first = now->first_face[tile], count = now->first_face[tile + 1] - first, from = then->first_face[old];
  if (then->first_face[old + 1] - from != count) return false;
  if (memcmp(now->face + first, then->face + from, count * sizeof *now->face) != 0) return false;
  const th_mesh_ground *a = m->job->ground->mesh, *b = m->job->before->mesh;
  if (!a || a->form == b->form) return true;
  for (uint32_t n = first; n < first + count; n++)
    if (!same_corners(&a->mesh, &b->mesh, now->face[n])) return false;
  return true;
}

/* Flat ground: the tile, and a marker distance around it, lies outside the cells that differ. */
static bool same_cells(const maker *m, uint32_t tile) {
  const th_flat_ground *flat = m->job->ground->flat;
  if (!flat || flat->changed_i1 == 0) return true;
  int64_t at[3];
  th_tile_at(m->tiles.key[tile], at);
  const double side = m->tiles.side, cell = (double)m->job->ground->cell;
  const double more = 2.0 * (double)m->fill.def->distance + cell;
  const double x0 = (double)flat->x0 + flat->changed_i0 * cell, x1 = (double)flat->x0 + flat->changed_i1 * cell;
  const double y0 = (double)flat->y0 + flat->changed_j0 * cell, y1 = (double)flat->y0 + flat->changed_j1 * cell;
  return (double)at[0] * side > x1 + more || (double)(at[0] + 1) * side < x0 - more ||
         (double)at[1] * side > y1 + more || (double)(at[1] + 1) * side < y0 - more;
}

static void compare(maker *m) {
  for (uint32_t t = 0; t < m->tiles.count; t++) {
    uint32_t old = m->job->old ? th_marker_tiles_find(&m->job->old->tiles, m->tiles.key[t]) : TH_TILE_NONE;
    bool same = old != TH_TILE_NONE && same_faces(m, t, old) && same_cells(m, t);
    m->tile[t] = (tile_markers){.copy = same ? old : TH_TILE_NONE, .changed = !same};
  }
  /* A tile that is no more has lost its markers: those around it have changed. */
  for (uint32_t o = 0; m->job->old && o < m->job->old->tiles.count; o++) {
    int64_t at[3];
    if (th_marker_tiles_find(&m->tiles, m->job->old->tiles.key[o]) != TH_TILE_NONE) continue;
    th_tile_at(m->job->old->tiles.key[o], at);
    for (int n = 0; n < 27; n++) {
      uint64_t key = th_tile_key(at[0] + n % 3 - 1, at[1] + n / 3 % 3 - 1, at[2] + n / 9 - 1);
      uint32_t t = th_marker_tiles_find(&m->tiles, key);
      if (t != TH_TILE_NONE) m->tile[t] = (tile_markers){.copy = TH_TILE_NONE, .changed = true};
    }
  }
}

/* ---------------------------------------------------------------- filling */

/* The tiles beside one that are filled before it; returns how many. */
static uint32_t before_it(const maker *m, uint32_t tile, uint32_t beside[26]) {
  int64_t at[3];
  uint32_t count = 0, colour = th_tile_colour(m->tiles.key[tile]);
  th_tile_at(m->tiles.key[tile], at);
  for (int n = 0; n < 27; n++) {
    uint64_t key = th_tile_key(at[0] + n % 3 - 1, at[1] + n / 3 % 3 - 1, at[2] + n / 9 - 1);
    if (th_tile_colour(key) >= colour) continue;
    uint32_t t = th_marker_tiles_find(&m->tiles, key);
    if (t != TH_TILE_NONE) beside[count++] = t;
  }
  return count;
}

/* Copies the old markers; on a mesh a face that did not move has the same frame, on flat ground the same cells. */
static bool copy_old(const maker *m, tile_markers *t) {
  const th_markers *old = m->job->old;
  const uint32_t first = old->first[t->copy];
  t->count = old->first[t->copy + 1] - first;
  t->place = TH_TAKE(m->allocator, th_place, t->count);
  if (t->place) memcpy(t->place, old->by_tile + first, t->count * sizeof *t->place);
  return t->place != NULL;
}

static bool fill_tile(maker *m, th_marker_scratch *scratch, uint32_t tile) {
  tile_markers *t = &m->tile[tile];
  uint32_t beside[26];
  bool grid = m->fill.def->layout == TH_MARKERS_GRID, random = !grid || th_ground_is_mesh(m->fill.ground);
  uint32_t count = random ? before_it(m, tile, beside) : 0;
  for (uint32_t n = 0; n < count; n++) t->changed |= m->tile[beside[n]].changed;
  if (!t->changed) return copy_old(m, t);
  th_marker_scratch_begin(scratch, &m->fill, m->tiles.key[tile]);
  for (uint32_t n = 0; n < count; n++)
    for (uint32_t k = 0; k < m->tile[beside[n]].count; k++)
      th_marker_scratch_know(scratch, &m->fill, m->tile[beside[n]].place[k]);
  if (!(random ? th_marker_throw : th_marker_lattice)(scratch, &m->fill, tile)) return false;
  t->count = scratch->found_count;
  t->place = TH_TAKE(m->allocator, th_place, t->count);
  if (t->place && t->count) memcpy(t->place, scratch->found, t->count * sizeof *t->place);
  return t->place != NULL;
}

static void fill_block(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  maker *m = context;
  for (uint32_t n = begin; n < end && !m->full[worker]; n++)
    m->full[worker] = !fill_tile(m, &m->scratch[worker], m->list[n]);
}

static bool fill_all(maker *m) {
  for (uint32_t colour = 0; colour < TH_TILE_COLOURS; colour++) {
    m->listed = 0;
    for (uint32_t t = 0; t < m->tiles.count; t++)
      if (th_tile_colour(m->tiles.key[t]) == colour) m->list[m->listed++] = t;
    th_parallel_for(m->job->pool, m->listed, 1, fill_block, m);
    for (uint32_t k = 0; k < m->scratches; k++)
      if (m->full[k]) return false;
  }
  return true;
}

/* ---------------------------------------------------------------- the set */

static bool begin(maker *m) {
  const th_allocator *a = m->allocator;
  m->scratches = th_pool_workers(m->job->pool);
  m->scratch = TH_TAKE(a, th_marker_scratch, m->scratches);
  m->full = TH_TAKE(a, bool, m->scratches);
  m->tile = TH_TAKE(a, tile_markers, m->tiles.count);
  m->list = TH_TAKE(a, uint32_t, m->tiles.count);
  bool made = m->scratch && m->full && m->tile && m->list;
  for (uint32_t k = 0; made && k < m->scratches; k++) made = th_marker_scratch_make(&m->scratch[k], a);
  return made;
}

static void end(maker *m) {
  const th_allocator *a = m->allocator;
  for (uint32_t t = 0; m->tile && t < m->tiles.count; t++) TH_GIVE(a, m->tile[t].place, m->tile[t].count);
  for (uint32_t k = 0; m->scratch && k < m->scratches; k++)
    if (m->scratch[k].head) th_marker_scratch_free(&m->scratch[k]);
  TH_GIVE(a, m->scratch, m->scratches);
  TH_GIVE(a, m->full, m->scratches);
  TH_GIVE(a, m->tile, m->tiles.count);
  TH_GIVE(a, m->list, m->tiles.count);
  th_marker_tiles_free(&m->tiles, a);
}

/* Takes the tiles over. NULL when out of memory. */
static th_markers *collect(maker *m) {
  const th_allocator *a = m->allocator;
  th_markers *set = TH_TAKE(a, th_markers, 1);
  if (!set) return NULL;
  set->references = 1;
  set->allocator = *a;
  set->def = *m->job->def;
  for (uint32_t t = 0; t < m->tiles.count; t++) set->count += m->tile[t].count;
  set->first = TH_TAKE(a, uint32_t, m->tiles.count + 1);
  set->by_tile = TH_TAKE(a, th_place, set->count);
  if (!set->first || !set->by_tile) {
    TH_GIVE(a, set->first, m->tiles.count + 1);
    TH_GIVE(a, set->by_tile, set->count);
    TH_GIVE(a, set, 1);
    return NULL;
  }
  for (uint32_t t = 0, n = 0; t < m->tiles.count; t++) {
    if (m->tile[t].count) memcpy(set->by_tile + n, m->tile[t].place, m->tile[t].count * sizeof *set->place);
    set->first[t] = n;
    n += m->tile[t].count;
  }
  set->first[m->tiles.count] = set->count;
  set->tiles = m->tiles;
  for (uint32_t t = 0; t < m->tiles.count; t++) TH_GIVE(a, m->tile[t].place, m->tile[t].count);
  TH_GIVE(a, m->tile, m->tiles.count);
  TH_GIVE(a, m->list, m->tiles.count);
  m->tile = NULL;
  m->list = NULL;
  m->tiles = (th_marker_tiles){0};
  return set;
}

static th_result check(const th_ground *ground, const th_markers_def *def, th_error *error) {
  if (!(def->distance >= 0.02f && def->distance <= 100.0f))
    return th_fail(error, TH_ERROR_RANGE, "markers", "expected a distance from 0.02 to 100 m, found %g",
                   (double)def->distance);
  if ((uint32_t)def->layout > TH_MARKERS_GRID)
    return th_fail(error, TH_ERROR_RANGE, "markers", "expected the layout random or grid, found %d", def->layout);
  if (!(def->noise >= 0.0f && def->noise <= 0.5f * def->distance))
    return th_fail(error, TH_ERROR_RANGE, "markers", "expected noise from 0 to half the distance, found %g m",
                   (double)def->noise);
  const th_box *b = &ground->bounds;
  double width = fmax(b->x1 - b->x0, b->y1 - b->y0);
  if (th_ground_is_mesh(ground)) {
    const th_mesh *mesh = &ground->mesh->mesh;
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
      low = fmin(low, mesh->xyz[3 * (size_t)v + 2]);
      high = fmax(high, mesh->xyz[3 * (size_t)v + 2]);
    }
    width = fmax(width, high - low);
  }
  if ((double)def->distance > width)
    return th_fail(error, TH_ERROR_RANGE, "markers",
                   "expected a distance below the %g m that the ground is wide, found %g m", width,
                   (double)def->distance);
  return TH_OK;
}

th_result th_markers_make(const th_markers_job *job, th_markers **markers, th_error *error) {
  *markers = NULL;
  th_result result = check(job->ground, job->def, error);
  maker m = {.job = job, .allocator = &job->ground->env.allocator};
  if (!result) result = th_marker_tiles_make(&m.tiles, job->ground, job->def, error);
  if (result) return result;
  bool sparse_mesh = job->def->layout == TH_MARKERS_GRID && th_ground_is_mesh(job->ground);
  m.fill = (th_marker_fill){job->ground, job->def, &m.tiles,
                            (sparse_mesh ? RANDOM_OF_GRID : 1.0) * (double)job->def->distance};
  bool made = begin(&m);
  if (made) compare(&m);
  *markers = made && fill_all(&m) ? collect(&m) : NULL;
  end(&m);
  if (*markers && !th_marker_index_make(*markers, job->ground)) {
    th_markers_release(*markers);
    *markers = NULL;
  }
  if (!*markers) return th_fail_memory(error, "markers");
  if ((*markers)->count) return TH_OK;
  th_markers_release(*markers);
  *markers = NULL;
  return th_fail(error, TH_ERROR_GEOMETRY, "markers", "expected free ground for markers %g m apart, found none",
                 (double)job->def->distance);
}

uint32_t th_markers_count(const th_markers *markers) { return markers ? markers->count : 0; }
const th_place *th_markers_places(const th_markers *markers) { return markers ? markers->place : NULL; }

uint64_t th_markers_hash(const th_markers *m) {
  if (!m) return 0;
  th_hash hash = th_hash_begin(0);
  th_hash_float(&hash, &m->def.distance, 1);
  th_hash_u32(&hash, (const uint32_t *)&m->def.layout, 1);
  th_hash_float(&hash, &m->def.noise, 1);
  th_hash_u64(&hash, &m->def.seed, 1);
  for (uint32_t n = 0; n < m->count; n++) {
    th_hash_u32(&hash, &m->place[n].cell, 1);
    th_hash_float(&hash, (const float[2]){m->place[n].x, m->place[n].y}, 2);
  }
  return th_hash_end(&hash);
}
