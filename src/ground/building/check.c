/* ground/building/check.c - checks a building's description before anything is built from it.
 *
 * Numbers must be in range, shapes must be polygons, and named levels must exist. Errors that only the triangles show
 * (a flight that does not lie on its floor, parts that overlap) are found later. Cost: linear, apart from pairs of
 * levels.
 */
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "geometry/polygon.h"
#include "ground/building/building.h"

#define FARTHEST 16000.0f /* [m] */

static th_result check_number(double value, double min, double max, const char *what, th_error *error) {
  if (value >= min && value <= max) return TH_OK;
  return th_fail(error, TH_ERROR_RANGE, what, "expected %s from %g to %g, found %g", what, min, max, value);
}

/* As check_number, for one element of a list. */
static th_result check_of(const char *list, uint32_t element, const char *what, double value, const double *range,
                          th_error *error) {
  if (value >= range[0] && value <= range[1]) return TH_OK;
  return th_fail_at(error, TH_ERROR_RANGE, list, element, "expected %s from %g to %g, found %g", what, range[0],
                    range[1], value);
}

static th_result check_points(const th_vec2 *p, uint32_t count, const char *list, uint32_t element, th_error *error) {
  for (uint32_t i = 0; i < count; i++)
    if (!(fabsf(p[i].x) <= FARTHEST && fabsf(p[i].y) <= FARTHEST))
      return th_fail_at(error, TH_ERROR_RANGE, list, element, "expected coordinates within %g m, found (%g, %g)",
                        (double)FARTHEST, (double)p[i].x, (double)p[i].y);
  return TH_OK;
}

static th_result check_polygons(const th_building_def *def, const th_polygon *p, uint32_t count, uint32_t level,
                                th_error *error) {
  th_allocator allocator = th_env_complete(&def->env).allocator;
  for (uint32_t i = 0; i < count; i++) {
    th_result result = th_polygon_check(&allocator, &p[i], "level", level, error);
    if (result == TH_OK) result = check_points(p[i].point, p[i].count, "level", level, error);
    if (result != TH_OK) return result;
  }
  return TH_OK;
}

static th_result check_level(const th_building_def *def, uint32_t i, th_error *error) {
  const th_level_def *l = &def->level[i];
  const double heights[2] = {-1e4, 1e4}, speeds[2] = {0.01, 10};
  if (!l->number) return th_fail_at(error, TH_ERROR_RANGE, "level", i, "expected a number such as 1 or -1, found 0");
  for (uint32_t k = 0; k < i; k++)
    if (def->level[k].number == l->number)
      return th_fail_at(error, TH_ERROR_FORMAT, "level", i, "expected a number of its own, found %d a second time",
                        l->number);
  if (!l->outline_count) return th_fail_at(error, TH_ERROR_GEOMETRY, "level", i, "expected an outline, found none");
  th_result result = check_of("level", i, "z", (double)l->z, heights, error);
  if (result == TH_OK) result = check_polygons(def, l->outline, l->outline_count, i, error);
  if (result == TH_OK) result = check_polygons(def, l->obstacle, l->obstacle_count, i, error);
  for (uint32_t k = 0; result == TH_OK && k < l->terrain_count; k++) {
    result = check_of("level", i, "a terrain's speed", (double)l->terrain[k].kind.speed, speeds, error);
    if (result == TH_OK) result = check_polygons(def, &l->terrain[k].area, 1, i, error);
  }
  return result;
}

static const th_level_def *find_level(const th_building_def *def, int32_t number) {
  for (uint32_t i = 0; i < def->level_count; i++)
    if (def->level[i].number == number) return &def->level[i];
  return NULL;
}

static th_result check_flight(const th_building_def *def, uint32_t i, th_error *error) {
  const th_flight_def *f = &def->flight[i];
  const double speeds[2] = {0.01, 10};
  const th_level_def *from = find_level(def, f->from), *to = find_level(def, f->to);
  if (!from || !to)
    return th_fail_at(error, TH_ERROR_FORMAT, "flight", i, "expected levels that exist, found %d to %d", f->from,
                      f->to);
  if (!(fabsf(from->z - to->z) >= 0.05f))
    return th_fail_at(error, TH_ERROR_GEOMETRY, "flight", i, "expected levels of different heights, found %g and %g m",
                      (double)from->z, (double)to->z);
  th_result result = TH_OK;
  if (f->speed != 0.0f) result = check_of("flight", i, "speed", (double)f->speed, speeds, error);
  if (result == TH_OK && f->speed_up != 0.0f)
    result = check_of("flight", i, "speed_up", (double)f->speed_up, speeds, error);
  if (result == TH_OK && f->speed_down != 0.0f)
    result = check_of("flight", i, "speed_down", (double)f->speed_down, speeds, error);
  if (result == TH_OK) result = check_points(f->foot, 2, "flight", i, error);
  if (result == TH_OK) result = check_points(f->head, 2, "flight", i, error);
  return result;
}

static th_result check_lift_size(const th_lift_def *l, uint32_t i, th_error *error) {
  double x = fabs((double)l->corner[1].x - (double)l->corner[0].x);
  double y = fabs((double)l->corner[1].y - (double)l->corner[0].y);
  bool along_y = l->door == TH_SIDE_EAST || l->door == TH_SIDE_WEST;
  double wide = along_y ? y : x, deep = along_y ? x : y;
  if (wide >= 1.6 - 1e-6 && deep >= 1.4 - 1e-6) return TH_OK;
  return th_fail_at(error, TH_ERROR_GEOMETRY, "lift", i,
                    "expected a shaft at least 1.6 m wide at its door and 1.4 m deep, found %g and %g m", wide, deep);
}

static th_result check_lift(const th_building_def *def, uint32_t i, th_error *error) {
  const th_lift_def *l = &def->lift[i];
  const double speeds[2] = {0.05, 20}, waits[2] = {0, 600}, paces[2] = {0.1, 10};
  if (l->level_count < 2)
    return th_fail_at(error, TH_ERROR_FORMAT, "lift", i, "expected 2 levels or more, found %u", l->level_count);
  for (uint32_t k = 0; k < l->level_count; k++) {
    const th_level_def *here = find_level(def, l->level[k]);
    if (!here)
      return th_fail_at(error, TH_ERROR_FORMAT, "lift", i, "expected levels that exist, found %d", l->level[k]);
    if (k && !(here->z >= find_level(def, l->level[k - 1])->z + 1.0f))
      return th_fail_at(error, TH_ERROR_GEOMETRY, "lift", i,
                        "expected levels from below to above at least 1 m apart, found %d after %d", l->level[k],
                        l->level[k - 1]);
  }
  th_result result = check_of("lift", i, "speed", (double)l->speed, speeds, error);
  if (result == TH_OK) result = check_of("lift", i, "wait", (double)l->wait, waits, error);
  if (result == TH_OK) result = check_of("lift", i, "pace", (double)l->pace, paces, error);
  if (result == TH_OK) result = check_points(l->corner, 2, "lift", i, error);
  if (result == TH_OK) result = check_lift_size(l, i, error);
  return result;
}

/* Triangles of about the wanted edge fill the outlines; counted before anything is made of them. */
static th_result check_size(const th_building_def *def, th_error *error) {
  double area = 0.0, widest = 0.0;
  for (uint32_t i = 0; i < def->level_count; i++)
    for (uint32_t k = 0; k < def->level[i].outline_count; k++) {
      const th_polygon *p = &def->level[i].outline[k];
      const th_box box = th_polygon_box(p->point, p->count);
      area += fabs(th_polygon_area(p->point, p->count));
      widest = fmax(widest, fmax(box.x1 - box.x0, box.y1 - box.y0));
    }
  double faces = area / (0.433 * (double)def->edge * (double)def->edge);
  if (faces <= (double)def->face_limit) return TH_OK;
  return th_fail(error, TH_ERROR_CAPACITY, "edge",
                 "expected floors of at most %u triangles (face_limit), found about %.3g: %g m2, up to %g m wide, with "
                 "edges of %g m; are these metres?",
                 def->face_limit, faces, area, widest, (double)def->edge);
}

th_result th_building_check(const th_building_def *def, th_error *error) {
  th_result result = check_number((double)def->edge, 0.05, 10, "edge", error);
  if (result == TH_OK) result = check_number((double)def->under, 0.3, 10, "under", error);
  if (result == TH_OK) result = check_number((double)def->railing, 0, 2, "railing", error);
  if (result == TH_OK && !def->level_count)
    return th_fail(error, TH_ERROR_FORMAT, "level", "expected a level, found none");
  for (uint32_t i = 0; result == TH_OK && i < def->level_count; i++) result = check_level(def, i, error);
  if (result == TH_OK) result = check_size(def, error);
  for (uint32_t i = 0; result == TH_OK && i < def->flight_count; i++) result = check_flight(def, i, error);
  for (uint32_t i = 0; result == TH_OK && i < def->lift_count; i++) result = check_lift(def, i, error);
  return result;
}
