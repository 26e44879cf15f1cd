/* ground/markers/spots.c - the markers of a tile and around it in space, and the points and triangles that they cover.
 *
 * Spots are in lists by cubes of one marker distance. A spot covers a point that is nearer than
 * the distance, and a triangle whose corners are all nearer than the distance. A triangle and its four parts have six
 * different corners, so one search and six distances to each spot nearby decide all five. Cost: some 20 cubes and 8
 * spots per triangle, 100 ns.
 */
#include <math.h>

#include "base/memory.h"
#include "ground/markers/fill.h"

bool th_marker_scratch_make(th_marker_scratch *scratch, const th_allocator *allocator) {
  *scratch = (th_marker_scratch){.allocator = *allocator};
  scratch->head = TH_TAKE(allocator, uint32_t, TH_TILE_CELLS * TH_TILE_CELLS * TH_TILE_CELLS);
  return scratch->head != NULL;
}

void th_marker_scratch_free(th_marker_scratch *scratch) {
  const th_allocator *a = &scratch->allocator;
  TH_GIVE(a, scratch->cell, scratch->cell_capacity);
  TH_GIVE(a, scratch->fresh, scratch->fresh_capacity);
  TH_GIVE(a, scratch->sum, scratch->sum_capacity);
  TH_GIVE(a, scratch->spot, scratch->spot_capacity);
  TH_GIVE(a, scratch->found, scratch->found_capacity);
  TH_GIVE(a, scratch->head, TH_TILE_CELLS * TH_TILE_CELLS * TH_TILE_CELLS);
}

void th_marker_scratch_begin(th_marker_scratch *scratch, const th_marker_fill *fill, uint64_t tile) {
  int64_t at[3];
  th_tile_at(tile, at);
  for (int n = 0; n < 3; n++)
    scratch->corner[n] = (double)at[n] * fill->tiles->side - TH_TILE_APRON * (double)fill->def->distance;
  scratch->inverse = 1.0 / (double)fill->def->distance;
  scratch->flat = !th_ground_is_mesh(fill->ground);
  for (uint32_t n = 0; n < TH_TILE_CELLS * TH_TILE_CELLS * TH_TILE_CELLS; n++) scratch->head[n] = TH_TILE_NONE;
  scratch->spot_count = scratch->found_count = scratch->cell_count = 0;
  scratch->full = false;
}

bool th_marker_found(th_marker_scratch *scratch, th_place place) {
  void *memory = scratch->found;
  if (!th_grow(&scratch->allocator, &memory, &scratch->found_capacity, scratch->found_count + 1,
               sizeof *scratch->found))
    return false;
  scratch->found = memory;
  scratch->found[scratch->found_count++] = place;
  return true;
}

/* ---------------------------------------------------------------- spots by cubes */

/* The cube of a coordinate; -1 or TH_TILE_CELLS outside the apron. */
static int32_t cube_of(const th_marker_scratch *scratch, double at, int axis) {
  const double c = (at - scratch->corner[axis]) * scratch->inverse;
  return c >= 0.0 ? (c < TH_TILE_CELLS ? (int32_t)c : TH_TILE_CELLS) : -1;
}

static uint32_t number_of(int32_t i, int32_t j, int32_t k) {
  return (uint32_t)((k * TH_TILE_CELLS + j) * TH_TILE_CELLS + i);
}

void th_marker_spot_put(th_marker_scratch *scratch, const double at[3], const double normal[3]) {
  int32_t c[3];
  for (int n = 0; n < 3; n++) {
    c[n] = cube_of(scratch, at[n], n);
    if (c[n] < 0 || c[n] == TH_TILE_CELLS) return;
  }
  void *memory = scratch->spot;
  if (!th_grow(&scratch->allocator, &memory, &scratch->spot_capacity, scratch->spot_count + 1, sizeof *scratch->spot)) {
    scratch->full = true;
    return;
  }
  scratch->spot = memory;
  th_marker_spot *s = &scratch->spot[scratch->spot_count];
  for (int n = 0; n < 3; n++) s->at[n] = at[n], s->normal[n] = normal[n];
  uint32_t *head = &scratch->head[number_of(c[0], c[1], c[2])];
  s->next = *head;
  *head = scratch->spot_count++;
}

void th_marker_scratch_know(th_marker_scratch *scratch, const th_marker_fill *fill, th_place place) {
  double at[3];
  const th_marker_face face = th_marker_face_of(fill->ground, scratch->flat ? 0 : place.cell);
  th_marker_point(&face, (th_point){(double)place.x, (double)place.y}, at);
  th_marker_spot_put(scratch, at, face.normal);
}

/* ---------------------------------------------------------------- what they hide */

typedef struct search {
  const double *centre, *normal;
  double far, far2;      /* spots at this distance from the centre or farther off do not count [m]; its square */
  const double (*at)[3]; /* six points of a triangle */
  double distance2;
  uint32_t hidden;
} search;

typedef bool (*judge)(search *q, const double spot[3]); /* true: enough is known */

static inline double square_between(const double a[3], const double b[3]) {
  const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
  return x * x + y * y + z * z;
}

static inline bool judge_list(const th_marker_scratch *scratch, uint32_t s, search *q, judge judges) {
  for (; s != TH_TILE_NONE; s = scratch->spot[s].next) {
    const th_marker_spot *spot = &scratch->spot[s];
    const double *n = spot->normal, *m = q->normal;
    if (!(square_between(spot->at, q->centre) < q->far2)) continue;
    if (n[0] * m[0] + n[1] * m[1] + n[2] * m[2] > 0.0 && judges(q, spot->at)) return true;
  }
  return false;
}

/* Shows spots near the centre to the judge. Inline, so that each kind of search is a loop of its own. */
static inline void look_round(const th_marker_scratch *scratch, search *q, judge judges) {
  int32_t low[3], high[3];
  for (int n = 0; n < 3; n++) {
    const double by = n == 2 && scratch->flat ? 0.0 : q->far * (1.0 + 1e-9);
    const int32_t from = cube_of(scratch, q->centre[n] - by, n), to = cube_of(scratch, q->centre[n] + by, n);
    low[n] = from < 0 ? 0 : from;
    high[n] = to == TH_TILE_CELLS ? TH_TILE_CELLS - 1 : to;
  }
  for (int32_t k = low[2]; k <= high[2]; k++)
    for (int32_t j = low[1]; j <= high[1]; j++)
      for (int32_t i = low[0]; i <= high[0]; i++)
        if (judge_list(scratch, scratch->head[number_of(i, j, k)], q, judges)) return;
}

static bool judge_point(search *q, const double spot[3]) {
  (void)spot;
  q->hidden = 1;
  return true;
}

bool th_marker_hides_point(const th_marker_scratch *scratch, const double at[3], const double normal[3],
                           double distance) {
  search q = {.centre = at, .normal = normal, .far = distance, .far2 = distance * distance};
  look_round(scratch, &q, judge_point);
  return q.hidden != 0;
}

/* Points 0, 1, 2 are the corners; 3, 4, 5 lie between 0 and 1, 1 and 2, 2 and 0. */
static bool judge_triangle(search *q, const double spot[3]) {
  static const uint32_t part[4] = {1u | 8u | 32u, 8u | 2u | 16u, 32u | 16u | 4u, 16u | 32u | 8u};
  uint32_t near = 0;
  for (int k = 0; k < 6; k++) near |= (uint32_t)(square_between(spot, q->at[k]) < q->distance2) << k;
  for (uint32_t k = 0; k < 4; k++) q->hidden |= (uint32_t)((near & part[k]) == part[k]) << k;
  if ((near & 7u) == 7u) q->hidden = TH_TRIANGLE_HIDDEN;
  return q->hidden == TH_TRIANGLE_HIDDEN;
}

/* A spot that hides a part is near two of the points between corners. */
uint32_t th_marker_hides_triangle(const th_marker_scratch *scratch, const double at[6][3], const double normal[3],
                                  double distance) {
  double centre[3], far2 = 0.0;
  for (int n = 0; n < 3; n++) centre[n] = (at[3][n] + at[4][n] + at[5][n]) / 3.0;
  for (int k = 3; k < 6; k++) {
    const double square = square_between(at[k], centre);
    far2 = square > far2 ? square : far2;
  }
  const double far = (distance + sqrt(far2)) * (1.0 + 1e-9);
  search q = {
      .centre = centre, .normal = normal, .far = far, .far2 = far * far, .at = at, .distance2 = distance * distance};
  look_round(scratch, &q, judge_triangle);
  return q.hidden;
}
