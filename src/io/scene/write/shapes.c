/* io/scene/write/shapes.c - points and shapes as JSON: the reverse of io/scene/read_shapes.c.
 *
 * A shape is of one kind, so of the keys that a table has for shapes exactly one writes it. A polygon that is a box is
 * written as the rectangle that would be read as it, one that was a disc as that disc. The z of points is written where
 * it was given. Cost: constant per point.
 */
#include <math.h>
#include <string.h>

#include "geometry/shape.h"
#include "io/scene/write/write.h"

static void append_point(th_scene_writer *writer, th_vec3 point, bool deep) {
  const float number[3] = {point.x, point.y, point.z};
  for (int i = 0; i < (deep ? 3 : 2); i++) {
    th_text_append(&writer->text, i ? ", " : "[");
    th_write_value_float(writer, number[i]);
  }
  th_text_append(&writer->text, "]");
}

void th_write_shape_points(th_scene_writer *writer, const th_scene_points *points) {
  th_text_append(&writer->text, "[");
  for (uint32_t i = 0; i < points->count; i++) {
    if (i) th_text_append(&writer->text, ", ");
    append_point(writer, points->point[i], points->deep);
  }
  th_text_append(&writer->text, "]");
}

bool th_write_shape_of_points(th_scene_writer *writer, const th_write *write) {
  th_scene_points points;
  memcpy(&points, write->object + write->key->offset, sizeof points);
  if (!points.point) return false;
  th_write_shape_points(writer, &points);
  return true;
}

/* ---------------------------------------------------------------- shapes */

/* The shape of a key, or NULL when none was given. */
static const th_shape *shape_of(const th_write *write, th_shape *shape) {
  memcpy(shape, write->object + write->key->offset, sizeof *shape);
  return shape->point ? shape : NULL;
}

/* Points and discs do not tell whether their z was given. */
static bool is_deep(const th_shape *shape) {
  for (uint32_t i = 0; i < shape->count; i++)
    if (shape->point[i].z != 0.0f || signbit(shape->point[i].z)) return true;
  return (shape->kind == TH_SHAPE_POLYGON || shape->kind == TH_SHAPE_LINE) && !shape->any_z;
}

static void append_corners(th_scene_writer *writer, const th_shape *shape) {
  th_write_shape_points(writer, &(th_scene_points){(th_vec3 *)(uintptr_t)shape->point, shape->count, is_deep(shape)});
}

bool th_write_shape_point(th_scene_writer *writer, const th_write *write) {
  th_shape copy;
  const th_shape *shape = shape_of(write, &copy);
  if (!shape || shape->kind != TH_SHAPE_POINT) return false;
  append_point(writer, shape->point[0], is_deep(shape));
  return true;
}

bool th_write_shape_line(th_scene_writer *writer, const th_write *write) {
  th_shape copy;
  const th_shape *shape = shape_of(write, &copy);
  if (!shape || shape->kind != TH_SHAPE_LINE || shape->apart) return false;
  append_corners(writer, shape);
  return true;
}

bool th_write_shape_lines(th_scene_writer *writer, const th_write *write) {
  th_shape copy;
  const th_shape *shape = shape_of(write, &copy);
  if (!shape || shape->kind != TH_SHAPE_LINE || !shape->apart) return false;
  th_text_append(&writer->text, "[");
  for (uint32_t i = 0; i < shape->count; i += 2) {
    if (i) th_text_append(&writer->text, ", ");
    th_write_shape_points(writer, &(th_scene_points){(th_vec3 *)(uintptr_t)shape->point + i, 2, is_deep(shape)});
  }
  th_text_append(&writer->text, "]");
  return true;
}

static void append_disc(th_scene_writer *writer, th_vec3 centre, bool deep, float radius) {
  th_text_append(&writer->text, "{");
  th_write_object_name(writer, "centre");
  append_point(writer, centre, deep);
  th_write_object_name(writer, "radius");
  th_write_value_float(writer, radius);
  th_text_append(&writer->text, "}");
}

/* Discs and balls; of polygons those that were discs, by the key whose discs become polygons. */
bool th_write_shape_disc(th_scene_writer *writer, const th_write *write) {
  th_shape copy;
  th_vec3 centre;
  const th_shape *shape = shape_of(write, &copy);
  if (!shape) return false;
  if (write->key->flags & TH_KEY_CORNERS) {
    const bool was = th_scene_shape_disc(shape, &centre);
    if (was) append_disc(writer, centre, !shape->any_z, shape->radius);
    return was;
  }
  if (shape->kind != TH_SHAPE_DISC || !(shape->radius < INFINITY)) return false;
  append_disc(writer, shape->point[0], is_deep(shape), shape->radius);
  return true;
}

bool th_write_shape_everywhere(th_scene_writer *writer, const th_write *write) {
  th_shape copy;
  const th_shape *shape = shape_of(write, &copy);
  if (!shape || shape->kind != TH_SHAPE_DISC || shape->radius < INFINITY) return false;
  th_text_append(&writer->text, "true");
  return true;
}

/* Whether the reader makes these corners of the rectangle from corner 0 to corner 2. */
static bool is_box(const th_shape *shape) {
  const th_vec3 *p = shape->point;
  if (shape->kind != TH_SHAPE_POLYGON || shape->count != 4 || shape->radius > 0.0f) return false;
  const th_shape box = th_box_shape(p[0].x, p[0].y, p[2].x, p[2].y);
  for (int i = 0; i < 4; i++)
    if (memcmp(&p[i].x, &box.own[i].x, 2 * sizeof(float)) || memcmp(&p[i].z, &p[0].z, sizeof(float))) return false;
  return p[0].x < p[2].x && p[0].y < p[2].y;
}

bool th_write_shape_polygon(th_scene_writer *writer, const th_write *write) {
  th_shape copy;
  th_vec3 centre;
  const th_shape *shape = shape_of(write, &copy);
  if (!shape || shape->kind != TH_SHAPE_POLYGON || is_box(shape) || th_scene_shape_disc(shape, &centre)) return false;
  append_corners(writer, shape);
  return true;
}

bool th_write_shape_rectangle(th_scene_writer *writer, const th_write *write) {
  th_shape copy;
  const th_shape *shape = shape_of(write, &copy);
  if (!shape || !is_box(shape)) return false;
  th_vec3 corner[2] = {shape->point[0], shape->point[2]};
  th_write_shape_points(writer, &(th_scene_points){corner, 2, is_deep(shape)});
  return true;
}
