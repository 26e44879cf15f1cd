/* ground/chart/chart.c - builds one chart.
 *
 * The patch and its surroundings are laid flat (geometry/mesh/polar_map.h or conformal_map.h); the faces within reach
 * are marked; a walk from the own faces over the marked ones tells walls and open ends apart; then clusters and maps
 * are written into one block. Vertices are placed once, so maps of neighbours agree along their edge and a face has one
 * copy, the nearest. `cover` is measured, not assumed: the least distance of the patch from an edge where the chart
 * ends though the surface goes on. Cost: about 0.25 us per vertex.
 */
#include "ground/chart/chart.h"

#include <string.h>

#include "base/memory.h"
#include "ground/chart/sheet.h"
#include "ground/chart/stages.h"

static bool take_maker(th_chart_maker *k) {
  k->mark = TH_TAKE(&k->allocator, uint32_t, k->face_capacity);
  k->face = TH_TAKE(&k->allocator, uint32_t, k->face_capacity);
  k->cluster_mark = TH_TAKE(&k->allocator, uint32_t, k->cluster_capacity);
  k->cluster = TH_TAKE(&k->allocator, uint32_t, k->cluster_capacity);
  return k->mark && k->face && k->cluster_mark && k->cluster;
}

bool th_chart_maker_make(th_chart_maker *k, const th_allocator *allocator, const th_mesh *mesh,
                         const th_patches *patches) {
  *k = (th_chart_maker){
      .allocator = *allocator, .face_capacity = mesh->face_count, .cluster_capacity = patches->cluster_count};
  if (take_maker(k) && th_polar_map_make(&k->map, allocator, mesh)) return true;
  th_chart_maker_free(k);
  return false;
}

void th_chart_maker_free(th_chart_maker *k) {
  if (!k->allocator.release) return;
  TH_GIVE(&k->allocator, k->mark, k->face_capacity);
  TH_GIVE(&k->allocator, k->face, k->face_capacity);
  TH_GIVE(&k->allocator, k->cluster_mark, k->cluster_capacity);
  TH_GIVE(&k->allocator, k->cluster, k->cluster_capacity);
  TH_GIVE(&k->allocator, k->wall, k->wall_capacity);
  TH_GIVE(&k->allocator, k->rim, k->rim_capacity);
  TH_GIVE(&k->allocator, k->tear, k->tear_capacity);
  TH_GIVE(&k->allocator, k->cell, k->cell_capacity);
  TH_GIVE(&k->allocator, k->bucket, k->bucket_capacity);
  TH_GIVE(&k->allocator, k->bucket_entry, k->bucket_entry_capacity);
  TH_GIVE(&k->allocator, k->bucket_box, k->bucket_box_capacity);
  th_polar_map_free(&k->map);
  th_conformal_map_free(&k->conformal_map);
  *k = (th_chart_maker){0};
}

static bool own_is_mapped(const th_chart_task *t) {
  const th_patches *p = t->patches;
  const uint32_t *corner = t->frames->mesh->corner;
  for (uint32_t n = p->start[p->first[t->patch]]; n < p->start[p->first[t->patch + 1]]; n++)
    for (uint32_t h = 3 * p->face[n]; h < 3 * p->face[n] + 3; h++)
      if (!th_polar_map_has(&t->maker->map, corner[h])) return false;
  return true;
}

/* Bounds the distance of the own corners from the centre: the value of th_patches_make, unless the surface has moved
 * since. */
static void measure_radius(const th_chart_task *t) {
  const th_patches *p = t->patches;
  const uint32_t *corner = t->frames->mesh->corner;
  double max = 0.0;
  for (uint32_t n = p->start[p->first[t->patch]]; n < p->start[p->first[t->patch + 1]]; n++)
    for (uint32_t h = 3 * p->face[n]; h < 3 * p->face[n] + 3; h++) max = fmax(max, t->maker->map.node[corner[h]].key);
  t->maker->radius = fmax((double)(float)(max * (1.0 + 1e-6)), (double)p->radius[t->patch]);
}

/* Lays the patch and its surroundings flat. */
static void lay_polar(const th_chart_task *t) {
  th_polar_map *map = &t->maker->map;
  map->tag = t->patches->patch_of;
  map->own = t->patch;
  th_polar_map_begin(map, t->frames, t->patches->centre[t->patch]);
  /* What is within reach of the patch is within radius + reach of its centre; half an edge more, because the middle
   * of an edge may be nearer than its ends. A deformed patch may have grown beyond its radius. */
  const double beyond = (double)t->def->reach + 0.5 * (double)t->patches->mean_edge;
  double limit = (double)t->patches->radius[t->patch] + beyond;
  th_polar_map_advance(map, limit);
  while (map->heap.count > 0 && !own_is_mapped(t)) th_polar_map_advance(map, limit *= 1.25);
  measure_radius(t);
  th_polar_map_advance(map, fmax(limit, t->maker->radius + beyond));
  th_polar_map_close(map);
}

static double box_gap(const th_box *a, const th_box *b) {
  double x = fmax(0.0, fmax(b->x0 - a->x1, a->x0 - b->x1)), y = fmax(0.0, fmax(b->y0 - a->y1, a->y0 - b->y1));
  return sqrt(x * x + y * y);
}

static void measure_own(const th_chart_task *t) {
  const th_patches *p = t->patches;
  t->maker->own = th_box_empty();
  for (uint32_t n = p->start[p->first[t->patch]]; n < p->start[p->first[t->patch + 1]]; n++) {
    th_box box = th_chart_face_box(t, p->face[n]);
    th_box_join(&t->maker->own, &box);
  }
}

/* Marks the faces that may enter: all own ones, and others within reach. */
static void choose(const th_chart_task *t) {
  th_chart_maker *k = t->maker;
  const th_patches *p = t->patches;
  for (uint32_t n = 0; n < k->map.face_count; n++) {
    uint32_t f = k->map.face[n];
    bool own = p->patch_of[f] == t->patch;
    if (!own && t->def->method == TH_CHART_DGPC) {
      th_box box = th_chart_face_box(t, f);
      if (box_gap(&box, &k->own) > (double)t->def->reach) continue;
    }
    k->mark[f] = 2 * t->run;
  }
}

static bool append(const th_chart_maker *k, uint32_t **list, uint32_t *capacity, uint32_t *count, uint32_t value) {
  void *memory = *list;
  if (!th_grow(&k->allocator, &memory, capacity, *count + 1, sizeof **list)) return false;
  *list = memory;
  (*list)[(*count)++] = value;
  return true;
}

static void hold(const th_chart_task *t, uint32_t f) {
  th_chart_maker *k = t->maker;
  k->mark[f] = 2 * t->run + 1;
  k->face[k->face_count++] = f;
  th_box box = th_chart_face_box(t, f);
  th_box_join(&k->box, &box);
  uint32_t cluster = t->patches->cluster_of[f];
  if (k->cluster_mark[cluster] == t->run) return;
  k->cluster_mark[cluster] = t->run;
  k->cluster[k->cluster_count++] = cluster;
}

/* Classifies what lies beyond side h of a held face: a wall, a face to hold, a held face, or an open end. */
static bool cross(const th_chart_task *t, uint32_t h, bool own) {
  th_chart_maker *k = t->maker;
  uint32_t twin = t->frames->mesh->twin[h], g = twin == TH_NO_HALF ? TH_NO_ELEMENT : twin / 3;
  bool wall = g == TH_NO_ELEMENT || (t->frames->blocked && t->frames->blocked[g]);
  if (own && (wall || t->patches->patch_of[g] != t->patch) && !append(k, &k->rim, &k->rim_capacity, &k->rim_count, h))
    return false;
  if (wall) return append(k, &k->wall, &k->wall_capacity, &k->wall_count, h);
  if (k->mark[g] == 2 * t->run) hold(t, g);
  return k->mark[g] == 2 * t->run + 1 || append(k, &k->tear, &k->tear_capacity, &k->tear_count, h);
}

/* Ascending. Heap sort: in place, and never worse than n log n. */
static void sort(uint32_t *value, uint32_t count) {
  for (uint32_t end = count, start = count / 2; end > 1;) {
    uint32_t held;
    if (start > 0) {
      held = value[--start];
    } else {
      held = value[--end];
      value[end] = value[0];
    }
    uint32_t at = start;
    for (uint32_t child; (child = 2 * at + 1) < end; at = child) {
      if (child + 1 < end && value[child + 1] > value[child]) child++;
      if (value[child] <= held) break;
      value[at] = value[child];
    }
    value[at] = held;
  }
}

/* Holds the own faces, then all faces connected with them. */
static bool gather(const th_chart_task *t) {
  th_chart_maker *k = t->maker;
  const th_patches *p = t->patches;
  k->face_count = k->cluster_count = k->wall_count = k->rim_count = k->tear_count = 0;
  k->box = th_box_empty();
  for (uint32_t n = p->start[p->first[t->patch]]; n < p->start[p->first[t->patch + 1]]; n++) hold(t, p->face[n]);
  for (uint32_t n = 0; n < k->face_count; n++) {
    uint32_t f = k->face[n];
    bool own = p->patch_of[f] == t->patch;
    for (uint32_t h = 3 * f; h < 3 * f + 3; h++)
      if (!cross(t, h, own)) return false;
  }
  sort(k->cluster, k->cluster_count);
  return true;
}

static uint32_t padded(uint32_t clusters) { return (clusters + 15) / 16 * 16; }

static th_chart *take_block(const th_chart_task *t, th_chart *head, uint32_t samples) {
  th_chart_maker *k = t->maker;
  head->vertex_count = k->map.vertex_count;
  head->map_count = 0;
  bool single = true;
  for (uint32_t n = 0; n < k->cluster_count; n++) {
    uint32_t held = th_cluster_size(t->patches, k->cluster[n]);
    head->map_count += held;
    single &= held == 1;
  }
  size_t words =
      (size_t)head->cluster_count * (single ? 1 : 2) + padded(head->cluster_count) + head->vertex_count + samples;
  head->bytes = sizeof(th_chart) + 4 * words + (head->map_count + (size_t)1) * sizeof(th_chart_map) +
                head->wall_count * sizeof(th_segment);
  uint8_t *block = th_take(&k->allocator, head->bytes, 1);
  if (!block) return NULL;
  uint8_t *at = block + sizeof(th_chart);
  head->map = (th_chart_map *)(void *)at, at += (head->map_count + (size_t)1) * sizeof(th_chart_map);
  head->cluster = (uint32_t *)(void *)at, at += 4 * (size_t)head->cluster_count;
  head->away = (float *)(void *)at, at += 4 * (size_t)padded(head->cluster_count);
  if (!single) head->first = (uint32_t *)(void *)at, at += 4 * (size_t)head->cluster_count;
  head->wall = (th_segment *)(void *)at, at += head->wall_count * sizeof(th_segment);
  head->vertex = (uint32_t *)(void *)at, at += 4 * (size_t)head->vertex_count;
  if (samples) head->clearance.sample = (float *)(void *)at;
  memcpy(block, head, sizeof *head);
  return (th_chart *)(void *)block;
}

/* From (0, 0), (bx, 0), (cx, cy) to the corners' planar coordinates. */
static th_chart_map map_of(const th_chart_task *t, uint32_t f) {
  th_point p = th_chart_corner(t, 3 * f), q = th_chart_corner(t, 3 * f + 1), r = th_chart_corner(t, 3 * f + 2);
  const th_face_frame *frame = &th_frames_walked(t->frames)->face[f];
  double a = (q.x - p.x) / frame->bx, c = (q.y - p.y) / frame->bx;
  double b = (r.x - p.x - a * frame->cx) / frame->cy, d = (r.y - p.y - c * frame->cx) / frame->cy;
  return (th_chart_map){(float)a, (float)b, (float)c, (float)d, (float)p.x, (float)p.y};
}

static th_chart_box float_box(const th_box *b, double slack) {
  return (th_chart_box){(float)(b->x0 - slack), (float)(b->y0 - slack), (float)(b->x1 + slack), (float)(b->y1 + slack)};
}

/* Round the faces [face, end): all of them, or those that the chart holds. */
static th_chart_octagon octagon_of(const th_chart_task *t, const uint32_t *face, const uint32_t *end, bool held) {
  th_box box = th_box_empty(), slant = th_box_empty();
  for (; face < end; face++) {
    if (held && t->maker->mark[*face] != 2 * t->run + 1) continue;
    for (uint32_t h = 3 * *face; h < 3 * *face + 3; h++) {
      th_point p = th_chart_corner(t, h);
      th_box_add(&box, p.x, p.y);
      th_box_add(&slant, (p.x + p.y) * (double)TH_SLANT, (p.y - p.x) * (double)TH_SLANT);
    }
  }
  const double slack = 1e-4; /* places are rounded to floats */
  return (th_chart_octagon){float_box(&box, slack), float_box(&slant, slack)};
}

static float apart(float low, float high, float other_low, float other_high) {
  return fmaxf(low - other_high, other_low - high);
}

static float boxes_apart(const th_chart_box *a, const th_chart_box *b) {
  return fmaxf(apart(a->x0, a->x1, b->x0, b->x1), apart(a->y0, a->y1, b->y0, b->y1));
}

static const th_chart_map nobody = {NAN, NAN, NAN, NAN, NAN, NAN};

static void write_maps(const th_chart_task *t, th_chart *chart) {
  const th_patches *p = t->patches;
  uint32_t *cluster = (uint32_t *)(uintptr_t)chart->cluster, *first = (uint32_t *)(uintptr_t)chart->first;
  th_chart_map *map = (th_chart_map *)(uintptr_t)chart->map;
  float *away = (float *)(uintptr_t)chart->away;
  uint32_t at = 0;
  for (uint32_t n = 0; n < chart->cluster_count; n++) {
    uint32_t id = t->maker->cluster[n];
    cluster[n] = id;
    th_chart_octagon held = octagon_of(t, p->face + p->start[id], p->face + p->start[id + 1], true);
    away[n] = fmaxf(boxes_apart(&chart->own.box, &held.box), boxes_apart(&chart->own.slant, &held.slant));
    if (first) first[n] = at;
    if (id == p->first[t->patch]) chart->own_first = n;
    for (uint32_t k = p->start[id]; k < p->start[id + 1]; k++) {
      bool mapped = t->maker->mark[p->face[k]] == 2 * t->run + 1;
      map[at++] = mapped ? map_of(t, p->face[k]) : nobody;
    }
  }
  map[at] = nobody;
  for (uint32_t n = chart->cluster_count; n < padded(chart->cluster_count); n++) away[n] = INFINITY;
}

static void write_walls(const th_chart_task *t, th_chart *chart) {
  th_segment *wall = (th_segment *)(uintptr_t)chart->wall;
  for (uint32_t n = 0; n < chart->wall_count; n++) {
    th_point a = th_chart_corner(t, t->maker->wall[n]), b = th_chart_corner(t, th_half_next(t->maker->wall[n]));
    wall[n] = (th_segment){(float)a.x, (float)a.y, (float)b.x, (float)b.y};
  }
}

static th_chart *write_chart(const th_chart_task *t, bool polar) {
  th_chart_maker *k = t->maker;
  const th_patches *p = t->patches;
  th_chart head = {.patch = t->patch, .cover = k->cover, .torn = k->torn, .face_count = k->face_count, .polar = polar};
  head.own = octagon_of(t, p->face + p->start[p->first[t->patch]], p->face + p->start[p->first[t->patch + 1]], false);
  head.box = float_box(&k->box, 0.0);
  head.cluster_count = k->cluster_count;
  head.wall_count = k->wall_count;
  th_lattice lattice = th_chart_lattice(t, &head.clearance);
  th_chart *chart = take_block(t, &head, lattice.width * lattice.height);
  if (!chart) return NULL;
  write_maps(t, chart);
  write_walls(t, chart);
  memcpy((void *)(uintptr_t)chart->vertex, k->map.vertex, chart->vertex_count * sizeof *chart->vertex);
  if (!lattice.width || th_chart_clearance(t, chart, &lattice)) return chart;
  th_chart_free(chart, &k->allocator);
  return NULL;
}

/* Run numbers restart, so the marks of old runs are cleared. */
static void forget(th_chart_maker *k) {
  memset(k->map.mark, 0, k->map.vertex_capacity * sizeof *k->map.mark);
  memset(k->mark, 0, k->face_capacity * sizeof *k->mark);
  memset(k->cluster_mark, 0, k->cluster_capacity * sizeof *k->cluster_mark);
  k->map.run = 0;
}

th_chart *th_chart_build(th_chart_maker *maker, const th_mesh_frames *frames, const th_patches *patches,
                         const th_chart_def *def, uint32_t patch) {
  th_chart_task t = {maker, frames, patches, def, patch, 0};
  if (maker->map.run >= UINT32_MAX / 2 - 1) forget(maker);
  maker->map.failed = false;
  bool conformal = def->method == TH_CHART_LSCM && th_chart_lay_conformal(&t);
  if (!conformal && !maker->map.failed) lay_polar(&t);
  t.run = maker->map.run;
  if (maker->map.failed) return NULL;
  measure_own(&t);
  choose(&t);
  if ((!conformal && !th_chart_drop_overlaps(&t)) || !gather(&t)) return NULL;
  th_chart_measure_cover(&t);
  return write_chart(&t, !conformal);
}

void th_chart_free(th_chart *chart, const th_allocator *allocator) {
  if (!chart) return;
  th_marker_sheet_free(chart->sheet, allocator);
  th_give(allocator, chart, chart->bytes, 1);
}

uint32_t th_chart_lookup(const th_chart *chart, const th_patches *patches, uint32_t face) {
  uint32_t low = 0, high = chart->cluster_count, cluster = patches->cluster_of[face];
  uint32_t own = cluster - chart->cluster[chart->own_first] + chart->own_first; /* those of a patch follow each other */
  if (own < high && chart->cluster[own] == cluster) low = high = own;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (chart->cluster[middle] < cluster)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == chart->cluster_count || chart->cluster[low] != cluster) return chart->map_count;
  return th_chart_first(chart, low) + patches->rank_of[face] - patches->start[cluster];
}

const th_chart_map *th_chart_find(const th_chart *chart, const th_patches *patches, uint32_t face) {
  const th_chart_map *map = chart->map + th_chart_lookup(chart, patches, face);
  return th_chart_holds(map) ? map : NULL;
}
