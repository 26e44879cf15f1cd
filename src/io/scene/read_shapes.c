/* io/scene/read_shapes.c - reading points and shapes.
 *
 * A point is [x, y] or, on a mesh, [x, y, z]. A rectangle is two opposite corners; a disc that stands for an area
 * becomes a polygon (geometry/shape.c). Cost: constant per point.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "geometry/shape.h"
#include "io/scene/read.h"

#define FAR 1e5 /* coordinates [m] */

static const th_key far_key = {.name = "", .min = -FAR, .max = FAR, .unit = "m"};

/* All numbers of a list, whose length is known. */
static th_result read_numbers(th_scene_reader *reader, const json_t *value, const th_key *key, double *number) {
  for (size_t i = 0; i < json_array_size(value); i++) {
    size_t mark = th_reader_enter_index(reader, i);
    th_result result = th_read_number(reader, json_array_get(value, i), key, &number[i]);
    if (result != TH_OK) return result;
    th_reader_back(reader, mark);
  }
  return TH_OK;
}

th_result th_read_pair(th_scene_reader *reader, const json_t *value, th_vec2 *pair) {
  char found[TH_FOUND];
  if (json_array_size(value) != 2) {
    return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected two numbers [x, y], found %s of %zu",
                          th_reader_found(value, found), json_array_size(value));
  }
  double number[2] = {0, 0};
  th_result result = read_numbers(reader, value, &far_key, number);
  if (result != TH_OK) return result;
  *pair = (th_vec2){(float)number[0], (float)number[1]};
  return TH_OK;
}

/* [x, y] or [x, y, z]; true in `deep` when there is a z. */
static th_result read_point(th_scene_reader *reader, const json_t *value, th_vec3 *point, bool *deep) {
  char found[TH_FOUND];
  size_t size = json_array_size(value);
  if (size != 2 && size != 3) {
    return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected numbers [x, y] or [x, y, z], found %s of %zu",
                          th_reader_found(value, found), size);
  }
  double number[3] = {0, 0, 0};
  th_result result = read_numbers(reader, value, &far_key, number);
  if (result != TH_OK) return result;
  *point = (th_vec3){(float)number[0], (float)number[1], (float)number[2]};
  *deep |= size == 3;
  return TH_OK;
}

/* Points, and behind them in memory the same points seen from above: see th_scene_polygon. */
static th_vec3 *take_points(th_scene_reader *reader, size_t count) {
  return th_scene_memory_take(reader->memory, count, sizeof(th_vec3) + sizeof(th_vec2));
}

static th_result read_points(th_scene_reader *reader, const json_t *value, uint32_t min, th_scene_points *points) {
  char found[TH_FOUND];
  size_t size = json_array_size(value);
  if (size < min || size > UINT32_MAX) {
    return th_reader_fail(reader, TH_ERROR_FORMAT, false,
                          "expected a list of at least %u points [x, y], found %s of %zu", min,
                          th_reader_found(value, found), size);
  }
  points->point = take_points(reader, size);
  if (!points->point) return th_reader_fail_memory(reader);
  for (size_t i = 0; i < size; i++) {
    size_t mark = th_reader_enter_index(reader, i);
    th_result result = read_point(reader, json_array_get(value, i), &points->point[i], &points->deep);
    if (result != TH_OK) return result;
    th_reader_back(reader, mark);
  }
  points->count = (uint32_t)size;
  return TH_OK;
}

th_result th_read_pair_key(th_scene_reader *reader, const th_read *read) {
  th_vec2 pair = {0, 0};
  th_result result = th_read_pair(reader, read->value, &pair);
  if (result == TH_OK) memcpy(read->object + read->key->offset, &pair, sizeof pair);
  return result;
}

th_result th_read_triple_key(th_scene_reader *reader, const th_read *read) {
  char found[TH_FOUND];
  double number[3];
  if (json_array_size(read->value) != 3)
    return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected three numbers [x, y, z], found %s of %zu",
                          th_reader_found(read->value, found), json_array_size(read->value));
  th_result result = read_numbers(reader, read->value, read->key, number);
  if (result == TH_OK) memcpy(read->object + read->key->offset, number, sizeof number);
  return result;
}

th_result th_read_points_key(th_scene_reader *reader, const th_read *read) {
  th_scene_points points = {0};
  th_result result = read_points(reader, read->value, (uint32_t)read->key->min, &points);
  if (result == TH_OK) memcpy(read->object + read->key->offset, &points, sizeof points);
  return result;
}

/* ---------------------------------------------------------------- shapes */

th_polygon th_scene_polygon(const char *name, const th_shape *shape) {
  return (th_polygon){name, (const th_vec2 *)(shape->point + shape->count), shape->count};
}

/* Keeps a shape whose points are those of take_points. `level` is a key beside the shape and may have been read
 * already. */
static th_result keep_shape(const th_read *read, const th_shape *shape, th_vec3 *point) {
  th_shape kept = *shape;
  kept.point = point;
  th_vec2 *plan = (th_vec2 *)(point + kept.count);
  for (uint32_t i = 0; i < kept.count; i++) plan[i] = (th_vec2){point[i].x, point[i].y};
  memcpy(&kept.level, read->object + read->key->offset + offsetof(th_shape, level), sizeof kept.level);
  memcpy(read->object + read->key->offset, &kept, sizeof kept);
  return TH_OK;
}

static th_result read_shape(th_scene_reader *reader, const th_read *read, th_shape_kind kind, uint32_t min) {
  th_scene_points points = {0};
  th_result result = read_points(reader, read->value, min, &points);
  th_shape shape = {.kind = kind, .count = points.count, .any_z = !points.deep};
  return result == TH_OK ? keep_shape(read, &shape, points.point) : result;
}

th_result th_read_line_key(th_scene_reader *reader, const th_read *read) {
  return read_shape(reader, read, TH_SHAPE_LINE, 2);
}

/* One of several lines. */
static th_result read_two(th_scene_reader *reader, const json_t *line, th_vec3 point[2], bool *deep) {
  char found[TH_FOUND];
  if (json_array_size(line) != 2)
    return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected two points [[x, y], [x, y]], found %s of %zu",
                          th_reader_found(line, found), json_array_size(line));
  for (size_t k = 0; k < 2; k++) {
    size_t mark = th_reader_enter_index(reader, k);
    th_result result = read_point(reader, json_array_get(line, k), &point[k], deep);
    if (result != TH_OK) return result;
    th_reader_back(reader, mark);
  }
  return TH_OK;
}

th_result th_read_lines_key(th_scene_reader *reader, const th_read *read) {
  char found[TH_FOUND];
  const size_t lines = json_array_size(read->value);
  bool deep = false;
  if (!lines || lines > UINT32_MAX / 2)
    return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected a list of lines [[x, y], [x, y]], found %s of %zu",
                          th_reader_found(read->value, found), lines);
  th_vec3 *point = take_points(reader, 2 * lines);
  if (!point) return th_reader_fail_memory(reader);
  for (size_t n = 0; n < lines; n++) {
    size_t mark = th_reader_enter_index(reader, n);
    th_result result = read_two(reader, json_array_get(read->value, n), &point[2 * n], &deep);
    if (result != TH_OK) return result;
    th_reader_back(reader, mark);
  }
  const th_shape shape = {.kind = TH_SHAPE_LINE, .count = (uint32_t)(2 * lines), .any_z = !deep, .apart = true};
  return keep_shape(read, &shape, point);
}

th_result th_read_polygon_key(th_scene_reader *reader, const th_read *read) {
  return read_shape(reader, read, TH_SHAPE_POLYGON, 3);
}

/* A shape around one point. */
static th_result keep_around(th_scene_reader *reader, const th_read *read, th_vec3 centre, th_shape shape) {
  th_vec3 *point = take_points(reader, 1);
  if (!point) return th_reader_fail_memory(reader);
  *point = centre;
  shape.count = 1;
  return keep_shape(read, &shape, point);
}

th_result th_read_point_key(th_scene_reader *reader, const th_read *read) {
  th_vec3 centre = {0, 0, 0};
  bool deep = false;
  th_result result = read_point(reader, read->value, &centre, &deep);
  if (result != TH_OK) return result;
  return keep_around(reader, read, centre, (th_shape){.kind = TH_SHAPE_POINT});
}

th_result th_read_everywhere_key(th_scene_reader *reader, const th_read *read) {
  char found[TH_FOUND];
  if (!json_is_true(read->value)) {
    return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected true, found %s",
                          th_reader_found(read->value, found));
  }
  return keep_around(reader, read, (th_vec3){0, 0, 0}, (th_shape){.kind = TH_SHAPE_DISC, .radius = INFINITY});
}

th_result th_read_rectangle_key(th_scene_reader *reader, const th_read *read) {
  th_vec3 a = {0, 0, 0}, b = {0, 0, 0};
  th_scene_points corners = {0};
  th_result result = read_points(reader, read->value, 2, &corners);
  if (result != TH_OK) return result;
  if (corners.count >= 2) {
    a = corners.point[0];
    b = corners.point[1];
  }
  if (corners.count != 2 || a.x == b.x || a.y == b.y) {
    return th_reader_fail(reader, TH_ERROR_GEOMETRY, false,
                          "expected two opposite corners that differ in x and y, found %u from %g, %g to %g, %g",
                          corners.count, (double)a.x, (double)a.y, (double)b.x, (double)b.y);
  }
  th_vec3 *point = take_points(reader, 4);
  if (!point) return th_reader_fail_memory(reader);
  th_shape box = th_box_shape(fminf(a.x, b.x), fminf(a.y, b.y), fmaxf(a.x, b.x), fmaxf(a.y, b.y));
  for (int i = 0; i < 4; i++) point[i] = (th_vec3){box.own[i].x, box.own[i].y, 0.5f * (a.z + b.z)};
  box.any_z = !corners.deep;
  return keep_shape(read, &box, point);
}

static const th_key disc_radius = {.name = "radius", .min = 0.01, .max = 1e4, .unit = "m"};

typedef struct round_shape {
  th_vec3 centre;
  bool deep;
  double radius;
} round_shape;

static th_result read_disc(th_scene_reader *reader, const json_t *value, round_shape *disc) {
  const char *name;
  json_t *member;
  json_object_foreach((json_t *)value, name, member) {
    size_t mark = th_reader_enter(reader, name);
    th_result result;
    if (strcmp(name, "centre") == 0)
      result = read_point(reader, member, &disc->centre, &disc->deep);
    else if (strcmp(name, "radius") == 0)
      result = th_read_number(reader, member, &disc_radius, &disc->radius);
    else
      result =
          th_reader_fail(reader, TH_ERROR_FORMAT, true, "expected \"centre\" or \"radius\", found \"%.60s\"", name);
    if (result != TH_OK) return result;
    th_reader_back(reader, mark);
  }
  if (json_object_get(value, "centre") && json_object_get(value, "radius")) return TH_OK;
  return th_reader_fail(reader, TH_ERROR_FORMAT, false,
                        "expected an object such as {\"centre\": [5, 3], \"radius\": 2}, found %s without them",
                        th_json_kind(value));
}

th_result th_read_disc_key(th_scene_reader *reader, const th_read *read) {
  round_shape disc = {0};
  th_result result = read_disc(reader, read->value, &disc);
  if (result != TH_OK) return result;
  if (!(read->key->flags & TH_KEY_CORNERS)) {
    th_shape shape = {.kind = TH_SHAPE_DISC, .radius = (float)disc.radius};
    return keep_around(reader, read, disc.centre, shape);
  }
  th_vec3 *point = take_points(reader, TH_DISC_CORNERS + 1); /* the centre lies behind the points of th_scene_polygon */
  if (!point) return th_reader_fail_memory(reader);
  const th_shape round = th_disc_shape_at(disc.centre, (float)disc.radius);
  th_shape outline = th_shape_outline(&round, point);
  outline.any_z = !disc.deep;
  outline.radius = (float)disc.radius;
  memcpy((uint8_t *)point + TH_DISC_CORNERS * (sizeof(th_vec3) + sizeof(th_vec2)), &disc.centre, sizeof disc.centre);
  return keep_shape(read, &outline, point);
}

bool th_scene_shape_disc(const th_shape *shape, th_vec3 *centre) {
  if (shape->kind != TH_SHAPE_POLYGON || !(shape->radius > 0.0f)) return false;
  memcpy(centre, (const uint8_t *)shape->point + shape->count * (sizeof(th_vec3) + sizeof(th_vec2)), sizeof *centre);
  return true;
}
