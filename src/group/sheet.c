/* group/sheet.c - weights of markers that shape a group (Rodrigues 2010, chapter 5).
 *
 * Formation: markers of the area weigh ten times as much as others, so an agent that owns one is drawn into the area
 * and competition spreads the group over it. Alignment: every member carries a mask of arms along the axes. A marker in
 * a mask weighs its distance from that member, and the weights of all members add up in one array. So markers where
 * several masks cross weigh most, and each marker draws the agent that owns it. Only ratios of weights count: the model
 * divides by their sum, because otherwise agents would jitter for ever. Cost: a pass over the markers for an area; 100
 * ns per marker within reach of an arm.
 */
#include <math.h>

#include "geometry/vector.h"
#include "group/shape.h"

#define STOREY 1.5f /* [m]: markers farther above or below are of another floor */

static uint32_t square_of(const th_group_sheet *s, th_vec3 p) {
  return th_bin((p.y - s->y0) / s->square, s->rows) * s->columns + th_bin((p.x - s->x0) / s->square, s->columns);
}

void th_group_sheet_free(th_group_sheet *sheet, const th_allocator *allocator) {
  TH_GIVE(allocator, sheet->point, sheet->count);
  TH_GIVE(allocator, sheet->item, sheet->count);
  TH_GIVE(allocator, sheet->start, (size_t)sheet->columns * sheet->rows + 1);
  *sheet = (th_group_sheet){0};
}

static void span(th_group_sheet *s, const th_vec3 *point, float square) {
  float x1 = -INFINITY, y1 = -INFINITY;
  s->x0 = s->y0 = INFINITY;
  for (uint32_t i = 0; i < s->count; i++) {
    s->x0 = fminf(s->x0, point[i].x), x1 = fmaxf(x1, point[i].x);
    s->y0 = fminf(s->y0, point[i].y), y1 = fmaxf(y1, point[i].y);
  }
  s->square = square;
  while (s->count && (x1 - s->x0) / s->square * ((y1 - s->y0) / s->square) > 4e6f) s->square *= 2.0f;
  s->columns = s->count ? 1 + (uint32_t)((x1 - s->x0) / s->square) : 1;
  s->rows = s->count ? 1 + (uint32_t)((y1 - s->y0) / s->square) : 1;
}

bool th_group_sheet_make(th_group_sheet *sheet, const th_allocator *allocator, const th_vec3 *point, uint32_t count,
                         float square) {
  *sheet = (th_group_sheet){.count = count};
  span(sheet, point, square);
  sheet->point = TH_TAKE(allocator, th_vec3, count);
  sheet->item = TH_TAKE(allocator, uint32_t, count);
  sheet->start = TH_TAKE(allocator, uint32_t, (size_t)sheet->columns * sheet->rows + 1);
  if (!sheet->point || !sheet->item || !sheet->start) {
    th_group_sheet_free(sheet, allocator);
    return false;
  }
  for (uint32_t i = 0; i < count; i++) {
    sheet->point[i] = point[i];
    sheet->start[square_of(sheet, point[i]) + 1]++;
  }
  for (uint32_t k = 0; k < sheet->columns * sheet->rows; k++) sheet->start[k + 1] += sheet->start[k];
  for (uint32_t i = 0; i < count; i++) sheet->item[sheet->start[square_of(sheet, point[i])]++] = i;
  for (uint32_t k = sheet->columns * sheet->rows; k > 0; k--) sheet->start[k] = sheet->start[k - 1];
  sheet->start[0] = 0;
  return true;
}

uint32_t th_group_sheet_mark(const th_group_sheet *sheet, const th_group_area *area, uint8_t *inside) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < sheet->count; i++) {
    inside[i] = th_group_area_holds(area, sheet->point[i].x, sheet->point[i].y);
    count += inside[i];
  }
  return count;
}

static bool is_in_mask(const th_group_mask *mask, th_vec2 off) {
  float along = fabsf(off.x * mask->c + off.y * mask->s), across = fabsf(off.y * mask->c - off.x * mask->s);
  return (mask->along && along <= mask->arm && across <= mask->half_width) ||
         (mask->across && across <= mask->arm && along <= mask->half_width);
}

/* Calls `visit` for every marker on the floor of a point, in the squares that a distance touches; until it is true. */
static bool visit_near(const th_group_sheet *s, th_vec3 at, float reach,
                       bool (*visit)(void *context, uint32_t marker, th_vec3 off), void *context) {
  uint32_t i0 = th_bin((at.x - reach - s->x0) / s->square, s->columns);
  uint32_t i1 = th_bin((at.x + reach - s->x0) / s->square, s->columns);
  uint32_t j1 = th_bin((at.y + reach - s->y0) / s->square, s->rows);
  for (uint32_t j = th_bin((at.y - reach - s->y0) / s->square, s->rows); j <= j1 && s->count; j++)
    for (uint32_t n = s->start[j * s->columns + i0]; n < s->start[j * s->columns + i1 + 1]; n++) {
      th_vec3 off = th_minus3(s->point[s->item[n]], at);
      if (fabsf(off.z) <= STOREY && visit(context, s->item[n], off)) return true;
    }
  return false;
}

typedef struct arms {
  const th_group_mask *mask;
  float *weight;
} arms;

static bool add_weight(void *context, uint32_t marker, th_vec3 off) {
  const arms *a = context;
  if (is_in_mask(a->mask, (th_vec2){off.x, off.y})) a->weight[marker] += th_length3(off);
  return false;
}

void th_group_sheet_accumulate(const th_group_sheet *s, const th_group_mask *mask, th_vec3 agent, float *weight) {
  arms a = {mask, weight};
  (void)visit_near(s, agent, mask->arm + mask->half_width, add_weight, &a);
}

typedef struct touching {
  const uint8_t *inside;
  float square;
} touching;

static bool is_touched(void *context, uint32_t marker, th_vec3 off) {
  const touching *t = context;
  return t->inside[marker] && th_dot3(off, off) <= t->square;
}

bool th_group_sheet_touches(const th_group_sheet *sheet, const uint8_t *inside, th_vec3 at, float distance) {
  touching t = {inside, distance * distance};
  return visit_near(sheet, at, distance, is_touched, &t);
}
