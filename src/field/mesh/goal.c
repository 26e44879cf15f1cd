/* field/mesh/goal.c - from a goal's shape to vertices and faces of a mesh.
 *
 * A point lies in a face and stays a point: its face leads to it exactly. A line is every face it passes over, a
 * polygon the faces whose centroid it holds seen from above (its outline when it is too small for any), a disc the
 * whole faces within its radius that are connected with its centre (too small for any: a point with a radius). Such
 * faces belong to the goal as a whole, and their free corners are pinned. When a class blocks all corners, the goal
 * moves to the exits of these, if they are within the radius plus two mean edges. Cost: one pass over the faces at
 * most.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "field/mesh/field.h"
#include "geometry/mesh/halfedge.h"
#include "geometry/shape.h"

#define FAR_EXIT 2.0 /* mean edges beyond the radius */
#define STEPS 4.0    /* points of a line per mean edge */

/* Of a point or disc: what is near in space goes before what is straight below. */
static th_place locate_centre(const th_ground *ground, const th_shape *shape) {
  const th_vec3 p = th_shape_at(shape, 0);
  th_place place = th_ground_locate_at(ground, p, shape->level, th_ground_beside(ground));
  return place.cell != TH_NO_CELL ? place : th_ground_foot(ground, p, shape->level);
}

/* Points of a line lie close to the surface, so that one that leads off a floor does not go on below it. */
static th_place locate(const th_mesh_field_build *d, const double *p) {
  th_vec3 point = {(float)p[0], (float)p[1], (float)p[2]};
  return th_ground_locate_at(d->ground, point, d->def->goal.level, th_ground_beside(d->ground));
}

/* Marks the faces below points of the segment, close enough to each other that only faces cut at a corner can be
 * missed. */
static bool mark_segment(th_mesh_field_build *d, uint32_t a, uint32_t b) {
  const th_vec3 from = th_shape_at(&d->def->goal, a), to = th_shape_at(&d->def->goal, b);
  const double p[3] = {(double)from.x, (double)from.y, (double)from.z};
  const double q[3] = {(double)to.x, (double)to.y, (double)to.z};
  const double length = th_distance3d(q, p);
  double steps = ceil(length * STEPS / (double)d->ground->cell) + 1.0;
  steps = fmin(steps, 1e6);
  bool any = false;
  for (double n = 0.0; n <= steps; n += 1.0) {
    double t = n / steps, at[3];
    for (int k = 0; k < 3; k++) at[k] = p[k] + t * (q[k] - p[k]);
    th_place place = locate(d, at);
    if (place.cell == TH_NO_CELL) continue;
    d->goal_face[place.cell] = 1;
    any = true;
  }
  return any;
}

static bool mark_outline(th_mesh_field_build *d) {
  const th_shape *s = &d->def->goal;
  bool any = false;
  for (uint32_t n = 0, a, b; th_shape_side(s, n, &a, &b); n++) any |= mark_segment(d, a, b);
  return any;
}

static bool mark_polygon(th_mesh_field_build *d) {
  const th_shape *shape = &d->def->goal;
  const th_mesh *m = &d->mesh->mesh;
  double mean = 0.0;
  for (uint32_t n = 0; n < shape->count; n++) mean += (double)th_shape_at(shape, n).z / (double)shape->count;
  bool any = false;
  for (uint32_t f = 0; f < d->faces; f++) {
    if (d->mesh->blocked[f]) continue;
    double c[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < 9; k++)
      c[k % 3] += m->xyz[3 * (size_t)m->corner[3 * (size_t)f + (size_t)(k / 3)] + (size_t)(k % 3)] / 3.0;
    bool level =
        shape->level ? d->mesh->level_of[f] == shape->level : shape->any_z || fabs(c[2] - mean) <= TH_SHAPE_STOREY;
    if (!level || !th_shape_covers(shape, c[0], c[1])) continue;
    d->goal_face[f] = 1;
    any = true;
  }
  return any || mark_outline(d);
}

static bool mark_lines(th_mesh_field_build *d) {
  return d->def->goal.kind == TH_SHAPE_POLYGON ? mark_polygon(d) : mark_outline(d);
}

static bool within(const th_mesh_field_build *d, uint32_t v, const th_vec3 *c) {
  const double *p = d->mesh->mesh.xyz + 3 * (size_t)v, r = (double)d->def->goal.radius;
  double x = p[0] - (double)c->x, y = p[1] - (double)c->y, z = p[2] - (double)c->z;
  return x * x + y * y + z * z <= r * r;
}

static uint32_t corners_within(const th_mesh_field_build *d, uint32_t f, const th_vec3 *c) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < 3; k++) count += within(d, d->mesh->mesh.corner[3 * f + k], c);
  return count;
}

/* Spreads from the centre's face over faces with a corner inside; those with all three are goal. */
static th_result mark_disc(th_mesh_field_build *d, bool *any, th_error *error) {
  const th_mesh *m = &d->mesh->mesh;
  const th_vec3 c = th_ground_point(d->ground, d->centre);
  uint32_t *list = TH_TAKE(d->allocator, uint32_t, d->faces), count = 1;
  uint8_t *met = TH_TAKE(d->allocator, uint8_t, d->faces);
  bool got = list && met;
  if (got) {
    list[0] = d->centre.cell;
    met[d->centre.cell] = 1;
    for (uint32_t n = 0; n < count; n++) {
      uint32_t f = list[n], inside = corners_within(d, f, &c);
      if (inside == 3) d->goal_face[f] = 1, *any = true;
      for (uint32_t k = 0; k < 3; k++) {
        uint32_t twin = m->twin[3 * f + k], next = twin == TH_NO_HALF ? f : twin / 3;
        if (met[next] || d->mesh->blocked[next] || corners_within(d, next, &c) == 0) continue;
        met[next] = 1;
        list[count++] = next;
      }
    }
  }
  TH_GIVE(d->allocator, met, d->faces);
  TH_GIVE(d->allocator, list, d->faces);
  return got ? TH_OK : th_fail_memory(error, "goal");
}

/* A walkable half-edge that leaves a vertex. */
static uint32_t half_of(const th_mesh_ground *s, uint32_t v) {
  uint32_t begin = s->mesh.leaving[v], h = begin;
  do {
    if (!s->blocked[h / 3]) return h;
    h = th_half_left(&s->mesh, h);
  } while (h != TH_NO_HALF && h != begin);
  return TH_NO_HALF;
}

static bool has_free_corner(const th_mesh_field_build *d, uint32_t f) {
  const uint32_t *corner = d->mesh->mesh.corner + 3 * (size_t)f;
  return d->kind[corner[0]] != TH_CELL_WALL || d->kind[corner[1]] != TH_CELL_WALL || d->kind[corner[2]] != TH_CELL_WALL;
}

static double max_exit(const th_mesh_field_build *d) {
  return (double)d->ground->radius_class[d->def->radius_class] + FAR_EXIT * (double)d->ground->cell;
}

/* The exit of a face that the class blocks: the nearest of those of its corners, TH_NO_ELEMENT when all are far. */
static uint32_t exit_of(const th_mesh_field_build *d, uint32_t f) {
  uint32_t best = TH_NO_ELEMENT;
  double min = max_exit(d);
  for (uint32_t k = 0; k < 3; k++) {
    uint32_t v = d->mesh->mesh.corner[3 * (size_t)f + k];
    if (d->nearest_free->owner[v] == TH_NO_ELEMENT || d->nearest_free->far[v] > min) continue;
    if (d->nearest_free->far[v] == min && d->nearest_free->owner[v] > best) continue;
    best = d->nearest_free->owner[v];
    min = d->nearest_free->far[v];
  }
  return best;
}

/* Moves a point goal to its exit. False when there is none. */
static bool move_centre(th_mesh_field_build *d) {
  if (has_free_corner(d, d->centre.cell)) return true;
  uint32_t out = exit_of(d, d->centre.cell), h = out == TH_NO_ELEMENT ? TH_NO_HALF : half_of(d->mesh, out);
  if (h == TH_NO_HALF) return false;
  th_point p = th_frames_corner(&d->mesh->frames, h);
  d->centre = (th_place){h / 3, (float)p.x, (float)p.y};
  return true;
}

/* Pins the free corners of goal faces; when there is none, pins the exits of all goal faces, and adds a face at each
 * exit to the goal. */
static bool pin_corners(th_mesh_field_build *d) {
  const uint32_t *corner = d->mesh->mesh.corner;
  bool any = false;
  for (uint32_t f = 0; f < d->faces; f++) {
    for (uint32_t k = 0; k < 3 && d->goal_face[f]; k++) {
      uint32_t v = corner[3 * (size_t)f + k];
      if (d->kind[v] == TH_CELL_WALL) continue;
      d->kind[v] = TH_CELL_PINNED;
      any = true;
    }
  }
  if (any) return true;
  for (uint32_t f = 0; f < d->faces; f++) {
    uint32_t out = d->goal_face[f] == 1 ? exit_of(d, f) : TH_NO_ELEMENT;
    uint32_t h = out == TH_NO_ELEMENT ? TH_NO_HALF : half_of(d->mesh, out);
    if (h == TH_NO_HALF) continue;
    d->kind[out] = TH_CELL_PINNED;
    if (!d->goal_face[h / 3]) d->goal_face[h / 3] = 2; /* not to be followed in turn */
    any = true;
  }
  return any;
}

static th_result collect(th_mesh_field_build *d, th_error *error) {
  uint32_t count = 0;
  for (uint32_t v = 0; v < d->vertices; v++) count += d->kind[v] == TH_CELL_PINNED;
  d->goal = TH_TAKE(d->allocator, uint32_t, count);
  if (!d->goal) return th_fail_memory(error, "goal");
  d->goal_capacity = count;
  for (uint32_t v = 0; v < d->vertices; v++)
    if (d->kind[v] == TH_CELL_PINNED) d->goal[d->goal_count++] = v;
  return TH_OK;
}

static th_result refuse(const th_mesh_field_build *d, bool found, th_error *error) {
  const th_vec3 p = th_shape_at(&d->def->goal, 0);
  return th_fail(error, TH_ERROR_GEOMETRY, "goal",
                 "expected a goal where a body of radius %g m can stand; the goal at (%g, %g, %g) is %s",
                 (double)d->ground->radius_class[d->def->radius_class], (double)p.x, (double)p.y, (double)p.z,
                 found ? "too close to walls" : "off the ground");
}

/* The corners of the centre's face, for a point. */
static th_result take_point(th_mesh_field_build *d, th_error *error) {
  if (!move_centre(d)) return refuse(d, true, error);
  d->spread = true;
  const uint32_t *corner = d->mesh->mesh.corner + 3 * (size_t)d->centre.cell;
  for (int k = 0; k < 3; k++)
    if (d->kind[corner[k]] != TH_CELL_WALL) d->kind[corner[k]] = TH_CELL_PINNED;
  return collect(d, error);
}

th_result th_mesh_field_goal_find(th_mesh_field_build *d, th_error *error) {
  const th_shape *shape = &d->def->goal;
  bool any = false;
  d->centre.cell = TH_NO_CELL;
  if (shape->kind == TH_SHAPE_POINT || shape->kind == TH_SHAPE_DISC) {
    d->centre = locate_centre(d->ground, shape);
    if (d->centre.cell == TH_NO_CELL) return refuse(d, false, error);
    if (shape->kind == TH_SHAPE_DISC) {
      d->centre_radius = (double)shape->radius;
      th_result result = mark_disc(d, &any, error);
      if (result != TH_OK) return result;
    }
    if (!any) return take_point(d, error);
  } else {
    any = mark_lines(d);
  }
  if (!any) return refuse(d, false, error);
  if (!pin_corners(d)) return refuse(d, true, error);
  return collect(d, error);
}

static bool covers_ground(const th_ground *ground, const th_shape *shape, bool *any) {
  if (shape->kind == TH_SHAPE_POINT || shape->kind == TH_SHAPE_DISC) {
    *any = locate_centre(ground, shape).cell != TH_NO_CELL;
    return true;
  }
  const th_field_def def = {.goal = *shape};
  th_mesh_field_build d = {.ground = ground, .mesh = ground->mesh, .def = &def, .faces = ground->mesh->mesh.face_count};
  d.goal_face = TH_TAKE(&ground->env.allocator, uint8_t, d.faces);
  const bool made = d.goal_face != NULL;
  if (made) *any = mark_lines(&d);
  TH_GIVE(&ground->env.allocator, d.goal_face, d.faces);
  return made;
}

th_result th_mesh_goal_check(const th_ground *ground, const th_shape *shape, th_error *error) {
  bool any = false;
  if (!covers_ground(ground, shape, &any)) return th_fail_memory(error, "goal");
  if (any) return TH_OK;
  const th_vec3 p = th_shape_middle(shape);
  return th_fail(error, TH_ERROR_GEOMETRY, "goal",
                 "expected a goal on walkable ground or at most %g m beside it, found (%g, %g, %g)",
                 (double)th_ground_beside(ground), (double)p.x, (double)p.y, (double)p.z);
}
