/* ground/flat/shapes.c - the shapes a flat ground is made of.
 *
 * A point is walkable when it lies in some outline and in nothing solid, by the even-odd rule of each polygon in
 * double precision. Sides are listed by horizontal stripe; a stripe's list is ascending and therefore grouped by
 * polygon, so one pass over it decides a point (cost: the sides that cross the stripe) and one pass decides a whole
 * row of cells by filling between the crossings (the scanline method of Wylie et al. 1967).
 */
#include "ground/flat/shapes.h"

#include <string.h>

#include "base/memory.h"

static bool has_sides(const th_floor_polygon *polygon) { return polygon->kind != TH_FLOOR_DOOR || polygon->closed; }

/* Copies points, cleaned and turned so that walkable space is on their left. */
static uint32_t copy_points(const th_floor_polygon_draft *draft, th_vec2 *out) {
  uint32_t n = th_polygon_clean(draft->shape.point, draft->shape.count, out);
  bool counterclockwise = th_polygon_area(out, n) > 0.0;
  if (counterclockwise == (draft->kind == TH_FLOOR_OUTLINE)) return n;
  for (uint32_t a = 0, b = n - 1; a < b; a++, b--) {
    th_vec2 swap = out[a];
    out[a] = out[b];
    out[b] = swap;
  }
  return n;
}

static bool copy_parts(th_shapes *shapes, const th_allocator *allocator, const th_floor_polygon_draft *draft,
                       uint32_t count) {
  for (uint32_t k = 0; k < count; k++) {
    shapes->point_count += draft[k].shape.count;
    if (draft[k].shape.name) shapes->name_size += strlen(draft[k].shape.name) + 1;
  }
  shapes->polygon = TH_TAKE(allocator, th_floor_polygon, count);
  shapes->polygon_count = count;
  shapes->point_pool = TH_TAKE(allocator, th_vec2, shapes->point_count);
  shapes->name_pool = TH_TAKE(allocator, char, shapes->name_size);
  if (!shapes->polygon || !shapes->point_pool || !shapes->name_pool) return false;
  th_vec2 *point = shapes->point_pool;
  char *name = shapes->name_pool;
  for (uint32_t k = 0; k < count; k++) {
    th_floor_polygon *polygon = &shapes->polygon[k];
    *polygon =
        (th_floor_polygon){.kind = draft[k].kind, .closed = draft[k].closed, .point = point, .origin = draft[k].origin};
    polygon->count = copy_points(&draft[k], point);
    point += draft[k].shape.count;
    if (!draft[k].shape.name) continue;
    size_t size = strlen(draft[k].shape.name) + 1;
    polygon->name = memcpy(name, draft[k].shape.name, size);
    name += size;
  }
  return true;
}

static bool list_sides(th_shapes *shapes, const th_allocator *allocator) {
  for (uint32_t k = 0; k < shapes->polygon_count; k++) {
    shapes->polygon[k].first_side = shapes->polygon_side_count;
    if (has_sides(&shapes->polygon[k])) shapes->polygon_side_count += shapes->polygon[k].count;
  }
  uint32_t borders = shapes->picture ? shapes->picture->border_count : 0;
  shapes->side_count = shapes->polygon_side_count + borders;
  shapes->side = TH_TAKE(allocator, th_segment, shapes->side_count);
  shapes->side_polygon = TH_TAKE(allocator, uint32_t, shapes->polygon_side_count);
  if (!shapes->side || !shapes->side_polygon) return false;
  for (uint32_t k = 0; k < shapes->polygon_count; k++) {
    const th_floor_polygon *polygon = &shapes->polygon[k];
    for (uint32_t n = 0; has_sides(polygon) && n < polygon->count; n++) {
      th_vec2 a = polygon->point[n], b = polygon->point[n + 1 < polygon->count ? n + 1 : 0];
      shapes->side[polygon->first_side + n] = (th_segment){a.x, a.y, b.x, b.y};
      shapes->side_polygon[polygon->first_side + n] = k;
    }
  }
  if (borders) memcpy(shapes->side + shapes->polygon_side_count, shapes->picture->border, borders * sizeof(th_segment));
  return true;
}

#define MAX_STRIPES 2048

static uint32_t stripe_of(const th_shapes *shapes, double y) {
  double s = (y - shapes->stripe_y0) * shapes->stripe_inverse, max = (double)(shapes->stripe_count - 1);
  return s > 0.0 ? (s < max ? (uint32_t)s : (uint32_t)max) : 0;
}

static void stripes_of_side(const th_shapes *shapes, const th_segment *s, uint32_t *first, uint32_t *last) {
  *first = stripe_of(shapes, (double)(s->ay < s->by ? s->ay : s->by));
  *last = stripe_of(shapes, (double)(s->ay < s->by ? s->by : s->ay));
}

static bool list_stripes(th_shapes *shapes, const th_allocator *allocator) {
  th_box box = th_box_empty();
  uint32_t n = shapes->polygon_side_count, first, last;
  for (uint32_t k = 0; k < n; k++) th_box_add_segment(&box, &shapes->side[k]);
  shapes->stripe_y0 = n ? box.y0 : 0.0;
  shapes->stripe_count = n < MAX_STRIPES / 4 ? 4 * n + 1 : MAX_STRIPES;
  shapes->stripe_inverse = n ? shapes->stripe_count / (box.y1 - box.y0) : 0.0;
  uint32_t *start = shapes->stripe_start = TH_TAKE(allocator, uint32_t, (size_t)shapes->stripe_count + 1);
  if (!start) return false;
  for (uint32_t k = 0; k < n; k++) {
    stripes_of_side(shapes, &shapes->side[k], &first, &last);
    for (uint32_t s = first; s <= last; s++) start[s]++;
  }
  uint32_t sum = 0;
  for (uint32_t s = 0; s < shapes->stripe_count; s++) {
    uint32_t here = start[s];
    start[s] = sum;
    sum += here;
  }
  shapes->stripe_item_count = sum;
  shapes->stripe_item = TH_TAKE(allocator, uint32_t, sum);
  if (!shapes->stripe_item) return false;
  for (uint32_t k = 0; k < n; k++) {
    stripes_of_side(shapes, &shapes->side[k], &first, &last);
    for (uint32_t s = first; s <= last; s++) shapes->stripe_item[start[s]++] = k;
  }
  memmove(start + 1, start, shapes->stripe_count * sizeof *start);
  start[0] = 0;
  return true;
}

th_shapes *th_shapes_make(const th_allocator *allocator, const th_floor_polygon_draft *draft, uint32_t count,
                          th_image_walls *picture) {
  th_shapes *shapes = TH_TAKE(allocator, th_shapes, 1);
  if (!shapes) return NULL;
  if (picture) atomic_fetch_add(&picture->references, 1);
  shapes->picture = picture;
  if (copy_parts(shapes, allocator, draft, count) && list_sides(shapes, allocator) && list_stripes(shapes, allocator))
    return shapes;
  th_shapes_free(shapes, allocator);
  return NULL;
}

void th_shapes_free(th_shapes *shapes, const th_allocator *allocator) {
  if (!shapes) return;
  th_image_walls_release(shapes->picture, allocator);
  TH_GIVE(allocator, shapes->polygon, shapes->polygon_count);
  TH_GIVE(allocator, shapes->point_pool, shapes->point_count);
  TH_GIVE(allocator, shapes->name_pool, shapes->name_size);
  TH_GIVE(allocator, shapes->side, shapes->side_count);
  TH_GIVE(allocator, shapes->side_polygon, shapes->polygon_side_count);
  if (shapes->stripe_start) TH_GIVE(allocator, shapes->stripe_start, (size_t)shapes->stripe_count + 1);
  TH_GIVE(allocator, shapes->stripe_item, shapes->stripe_item_count);
  TH_GIVE(allocator, shapes, 1);
}

/* Where the side crosses the line of constant y; half-open, so a corner counts once. */
static bool crosses(const th_segment *s, double y, double *x) {
  double ay = (double)s->ay, by = (double)s->by;
  if ((ay > y) == (by > y)) return false;
  *x = (double)s->ax + (y - ay) * ((double)s->bx - (double)s->ax) / (by - ay);
  return true;
}

bool th_shapes_walkable(const th_shapes *shapes, double x, double y) {
  uint32_t stripe = stripe_of(shapes, y), end = shapes->stripe_start[stripe + 1];
  bool in_outline = false;
  for (uint32_t n = shapes->stripe_start[stripe]; n < end;) {
    uint32_t polygon = shapes->side_polygon[shapes->stripe_item[n]];
    bool odd = false;
    for (; n < end && shapes->side_polygon[shapes->stripe_item[n]] == polygon; n++) {
      double at;
      if (crosses(&shapes->side[shapes->stripe_item[n]], y, &at) && x < at) odd = !odd;
    }
    if (!odd) continue;
    if (shapes->polygon[polygon].kind != TH_FLOOR_OUTLINE) return false;
    in_outline = true;
  }
  return in_outline && !(shapes->picture && th_image_walls_is_dark(shapes->picture, x, y));
}

/* Crossings of one row, in pairs: between an odd and the next one lies the inside. */
typedef struct row_fill {
  const th_shapes *shapes;
  const th_lattice *lattice;
  const th_window *window;
  double *cut;
} row_fill;

static void sort_cuts(double *cut, uint32_t n) {
  for (uint32_t k = 1; k < n; k++) {
    double value = cut[k];
    uint32_t at = k;
    for (; at > 0 && cut[at - 1] > value; at--) cut[at] = cut[at - 1];
    cut[at] = value;
  }
}

/* First cell of the window whose centre is at or right of x: the test of th_shapes_walkable is centre < cut. */
static uint32_t first_centre(const row_fill *fill, double x) {
  const th_lattice *lattice = fill->lattice;
  double guess = floor((x - lattice->x0) / lattice->cell - 0.5);
  uint32_t low = fill->window->i0, high = fill->window->i1;
  uint32_t i = guess > (double)low ? (guess < (double)high ? (uint32_t)guess : high) : low;
  while (i > low && !(th_lattice_x(lattice, i - 1) < x)) i--;
  while (i < high && th_lattice_x(lattice, i) < x) i++;
  return i;
}

/* row: 2 = not yet in an outline, 0 = walkable, 1 = solid. */
static void fill_polygon(const row_fill *fill, uint32_t cuts, bool outline, uint8_t *row) {
  sort_cuts(fill->cut, cuts);
  for (uint32_t k = 0; k + 1 < cuts; k += 2) {
    uint32_t from = first_centre(fill, fill->cut[k]), to = first_centre(fill, fill->cut[k + 1]);
    for (uint32_t i = from; i < to; i++) {
      if (!outline)
        row[i] = 1;
      else if (row[i] == 2)
        row[i] = 0;
    }
  }
}

static void fill_row(const row_fill *fill, double y, uint8_t *row) {
  const th_shapes *shapes = fill->shapes;
  uint32_t stripe = stripe_of(shapes, y), end = shapes->stripe_start[stripe + 1];
  for (uint32_t n = shapes->stripe_start[stripe]; n < end;) {
    uint32_t polygon = shapes->side_polygon[shapes->stripe_item[n]], cuts = 0;
    for (; n < end && shapes->side_polygon[shapes->stripe_item[n]] == polygon; n++)
      cuts += crosses(&shapes->side[shapes->stripe_item[n]], y, &fill->cut[cuts]);
    fill_polygon(fill, cuts, shapes->polygon[polygon].kind == TH_FLOOR_OUTLINE, row);
  }
  for (uint32_t i = fill->window->i0; i < fill->window->i1; i++) {
    if (row[i] == 2) row[i] = 1;
    if (shapes->picture && th_image_walls_is_dark(shapes->picture, th_lattice_x(fill->lattice, i), y)) row[i] = 1;
  }
}

bool th_shapes_fill(const th_shapes *shapes, const th_lattice *lattice, const th_window *window, uint8_t *solid,
                    const th_allocator *allocator) {
  uint32_t max = shapes->polygon_side_count + 1;
  row_fill fill = {shapes, lattice, window, TH_TAKE(allocator, double, max)};
  if (!fill.cut) return false;
  for (uint32_t j = window->j0; j < window->j1; j++) {
    uint8_t *row = solid + (size_t)j * lattice->width;
    memset(row + window->i0, 2, window->i1 - window->i0);
    fill_row(&fill, th_lattice_y(lattice, j), row);
  }
  TH_GIVE(allocator, fill.cut, max);
  return true;
}
