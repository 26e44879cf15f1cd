/* ground/flat/check.c - checks the description of a flat ground.
 *
 * Everything is checked before anything is built, so an error leaves nothing behind and names the element, what was
 * expected and what was found. Cost: linear in the number of points, apart from names (compared in pairs).
 */
#include "ground/flat/check.h"

#include <string.h>

#include "base/error.h"

#define BYTES_A_CELL 600.0 /* of the ground and a harmonic field, most of it for the solver; measured at 4 million */

static bool in_range(float value, float min, float max) { return value >= min && value <= max; }

static th_result check_numbers(const th_flat_def *def, th_error *error) {
  if (!in_range(def->cell, 0.01f, 100.0f))
    return th_fail(error, TH_ERROR_RANGE, "cell", "expected 0.01 to 100 m, found %g", (double)def->cell);
  if (def->class_count < 1 || def->class_count > TH_MAX_CLASSES)
    return th_fail(error, TH_ERROR_RANGE, "class_count", "expected 1 to %d, found %u", TH_MAX_CLASSES,
                   def->class_count);
  for (uint32_t k = 0; k < def->class_count; k++) {
    float r = def->radius_class[k];
    if (!in_range(r, 0.0f, 100.0f))
      return th_fail_at(error, TH_ERROR_RANGE, "radius_class", k, "expected 0 to 100 m, found %g", (double)r);
    if (k && !(r > def->radius_class[k - 1]))
      return th_fail_at(error, TH_ERROR_RANGE, "radius_class", k, "expected more than the class before, %g m, found %g",
                        (double)def->radius_class[k - 1], (double)r);
  }
  if (!in_range(def->clearance_limit, 0.01f, 1000.0f))
    return th_fail(error, TH_ERROR_RANGE, "clearance_limit", "expected 0.01 to 1000 m, found %g",
                   (double)def->clearance_limit);
  if (def->cell_limit < 1 || def->cell_limit > TH_MAX_CELLS)
    return th_fail(error, TH_ERROR_RANGE, "cell_limit", "expected 1 to %u cells, found %u", TH_MAX_CELLS,
                   def->cell_limit);
  return TH_OK;
}

static th_result check_image(const th_image *image, th_error *error) {
  if (!image->width || !image->height || !image->grey)
    return th_fail(error, TH_ERROR_RANGE, "image", "expected 1 or more pixels, found %u x %u", image->width,
                   image->height);
  if ((uint64_t)image->width * image->height > TH_MAX_CELLS)
    return th_fail(error, TH_ERROR_CAPACITY, "image", "expected at most %u pixels, found %u x %u", TH_MAX_CELLS,
                   image->width, image->height);
  if (!(image->metres_per_pixel > 0.0f && image->metres_per_pixel <= 100.0f))
    return th_fail(error, TH_ERROR_RANGE, "image", "expected metres_per_pixel in (0, 100], found %g",
                   (double)image->metres_per_pixel);
  th_vec2 corner[4];
  th_flat_image_corners(image, corner);
  for (uint32_t k = 0; k < 3; k += 2)
    if (!(fabsf(corner[k].x) <= TH_FARTHEST && fabsf(corner[k].y) <= TH_FARTHEST))
      return th_fail(error, TH_ERROR_RANGE, "image", "expected corners within +-%g m, found (%g, %g)",
                     (double)TH_FARTHEST, (double)corner[k].x, (double)corner[k].y);
  if (!(corner[2].x > corner[0].x && corner[2].y > corner[0].y))
    return th_fail(error, TH_ERROR_RANGE, "image", "expected a pixel wider than the spacing of floats at (%g, %g)",
                   (double)corner[0].x, (double)corner[0].y);
  return TH_OK;
}

void th_flat_image_corners(const th_image *image, th_vec2 corner[4]) {
  float x0 = image->origin.x, y0 = image->origin.y;
  float x1 = (float)((double)x0 + (double)image->width * (double)image->metres_per_pixel);
  float y1 = (float)((double)y0 + (double)image->height * (double)image->metres_per_pixel);
  corner[0] = (th_vec2){x0, y0};
  corner[1] = (th_vec2){x1, y0};
  corner[2] = (th_vec2){x1, y1};
  corner[3] = (th_vec2){x0, y1};
}

th_box th_flat_bounds(const th_flat_def *def) {
  th_box box = th_box_empty();
  for (uint32_t k = 0; k < def->outline_count; k++) {
    th_box one = th_polygon_box(def->outline[k].point, def->outline[k].count);
    th_box_join(&box, &one);
  }
  if (!def->outline_count && def->image) {
    th_vec2 corner[4];
    th_flat_image_corners(def->image, corner);
    box = th_polygon_box(corner, 4);
  }
  return box;
}

/* A remainder below 1e-4 of a cell is rounding, not another column. */
double th_flat_cells(double length, double cell) { return ceil(length / cell - 1e-4) + 2.0; }

static th_result check_lists(const th_flat_def *def, th_error *error) {
  if ((def->outline_count && !def->outline) || (def->obstacle_count && !def->obstacle) ||
      (def->door_count && !def->door))
    return th_fail(error, TH_ERROR_RANGE, "def", "expected a list of shapes for a count above 0, found NULL");
  if (!def->outline_count && !def->image)
    return th_fail(error, TH_ERROR_GEOMETRY, "outline", "expected an outline or an image, found neither");
  return TH_OK;
}

static th_result check_size(const th_flat_def *def, th_error *error) {
  th_box box = th_flat_bounds(def);
  double x = box.x1 - box.x0, y = box.y1 - box.y0;
  double w = th_flat_cells(x, (double)def->cell), h = th_flat_cells(y, (double)def->cell);
  if (w * h <= (double)def->cell_limit) return TH_OK;
  return th_fail(error, TH_ERROR_CAPACITY, "cell",
                 "expected at most %u cells of the raster (cell_limit), found %.0f x %.0f: %g x %g m in cells of %g m, "
                 "%.1f GB with one harmonic field; are these metres?",
                 def->cell_limit, w, h, x, y, (double)def->cell, w * h * BYTES_A_CELL * 1e-9);
}

/* True when the polygons share an inner or a border point. */
static bool polygons_meet(const th_vec2 *p, uint32_t np, const th_vec2 *q, uint32_t nq) {
  if (th_polygon_holds(p, np, (double)q[0].x, (double)q[0].y)) return true;
  if (th_polygon_holds(q, nq, (double)p[0].x, (double)p[0].y)) return true;
  for (uint32_t i = 0; i < np; i++)
    for (uint32_t j = 0; j < nq; j++) {
      th_vec2 a = p[i], b = p[(i + 1) % np], c = q[j], d = q[(j + 1) % nq];
      th_segment s = {a.x, a.y, b.x, b.y}, t = {c.x, c.y, d.x, d.y};
      if (th_segments_touch(&s, &t)) return true;
    }
  return false;
}

static th_result check_door(const th_flat_def *def, uint32_t k, th_error *error) {
  const th_polygon *shape = &def->door[k].shape;
  if (!shape->name || !shape->name[0])
    return th_fail_at(error, TH_ERROR_FORMAT, "door", k, "expected a name, found none");
  for (uint32_t n = 0; n < def->outline_count; n++)
    if (polygons_meet(def->outline[n].point, def->outline[n].count, shape->point, shape->count)) return TH_OK;
  th_vec2 corner[4];
  if (!def->outline_count) th_flat_image_corners(def->image, corner);
  if (!def->outline_count && polygons_meet(corner, 4, shape->point, shape->count)) return TH_OK;
  return th_fail_at(error, TH_ERROR_GEOMETRY, "door", k, "expected door %s on the ground, found it off it at (%g, %g)",
                    shape->name, (double)shape->point[0].x, (double)shape->point[0].y);
}

static th_result check_shapes(const th_flat_def *def, const th_allocator *allocator, th_error *error) {
  th_result result = TH_OK;
  for (uint32_t k = 0; k < def->outline_count && !result; k++)
    result = th_polygon_check(allocator, &def->outline[k], "outline", k, error);
  for (uint32_t k = 0; k < def->obstacle_count && !result; k++)
    result = th_polygon_check(allocator, &def->obstacle[k], "obstacle", k, error);
  for (uint32_t k = 0; k < def->door_count && !result; k++)
    result = th_polygon_check(allocator, &def->door[k].shape, "door", k, error);
  for (uint32_t k = 0; k < def->door_count && !result; k++) result = check_door(def, k, error);
  return result;
}

static const char *solid_name(const th_flat_def *def, uint32_t k) {
  return k < def->door_count ? def->door[k].shape.name : def->obstacle[k - def->door_count].name;
}

static th_result check_names(const th_flat_def *def, th_error *error) {
  uint32_t count = def->door_count + def->obstacle_count;
  for (uint32_t a = 0; a < count; a++) {
    const char *name = solid_name(def, a);
    for (uint32_t b = 0; name && b < a; b++) {
      const char *other = solid_name(def, b);
      if (!other || strcmp(name, other) != 0) continue;
      bool door = a < def->door_count;
      return th_fail_at(error, TH_ERROR_FORMAT, door ? "door" : "obstacle", door ? a : a - def->door_count,
                        "expected a name of its own, found %s a second time", name);
    }
  }
  return TH_OK;
}

th_result th_flat_check(const th_flat_def *def, const th_allocator *allocator, th_error *error) {
  th_result result = check_numbers(def, error);
  if (!result) result = check_lists(def, error);
  if (!result && def->image) result = check_image(def->image, error);
  if (!result) result = check_shapes(def, allocator, error);
  if (!result) result = check_names(def, error);
  if (!result) result = check_size(def, error);
  return result;
}

th_result th_flat_check_polygon(const th_allocator *allocator, const th_floor_polygon_draft *drafts, uint32_t count,
                                const th_polygon *shape, th_error *error) {
  for (uint32_t k = 0; k < count && shape->name; k++)
    if (drafts[k].kind != TH_FLOOR_OUTLINE && drafts[k].shape.name && strcmp(drafts[k].shape.name, shape->name) == 0)
      return th_fail(error, TH_ERROR_FORMAT, "edit", "expected a name of its own, found %s a second time", shape->name);
  return th_polygon_check(allocator, shape, "edit", TH_NO_ELEMENT, error);
}
