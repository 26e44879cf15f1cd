/* field/mesh/node.c - computes what sampling reads of each face.
 *
 * Slopes of the faces are averaged at the vertices, in the frame that vertex_frames.c gives them, and carried back into
 * each face, where they are interpolated: the direction is continuous over edges. A face takes part when at each corner
 * that direction still climbs the face's own slope, so that u rises along every path; in the others the aim of aim.c
 * decides. u is taken relative to the highest corner of each face, because it has no lower bound. Faces with a corner
 * that bodies cannot reach lean away from the wall (climb.c). Along a straight wall a field of distances leaves them
 * out of the means: else everybody drifts away from walls, and the rim of a corridor stands empty. Round a corner that
 * juts out, such as a jamb, they count, so that paths keep off it. Cost: two exponentials per corner; 4 ms for 70,000
 * faces.
 */
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/trig.h"
#include "field/mesh/field.h"
#include "geometry/mesh/halfedge.h"
#include "geometry/vector.h"

#define MIN_RISE 0.05   /* cosine between the smooth direction and the face's own slope */
#define FAR_APART 30.0  /* difference to the highest face at a vertex beyond which a face keeps its own slope [nats] */
#define BAND_SHARE 1e-6 /* weight of a face beside a straight wall: it decides only where there is no other face */
#define CORNER 3.6      /* walkable angle from which on a corner juts out [rad]; a straight wall has pi */
#define POINT_RADIUS 1e-3 /* an agent this close to a point goal, in mean edges, has arrived */
#define NEAR 1.5          /* mean edges around a point goal within which faces lead straight to it */

typedef struct fill {
  th_mesh_field_build *build;
  double *slope; /* of each face: x, y, and climb of its highest corner */
  double *sum;   /* of each vertex: x, y, area, and highest climb around */
} fill;

/* Values of the corners relative to the highest: exp(climb - top), or climb - top for distances. */
static bool values_of(const th_mesh_field_build *d, uint32_t face, double value[3], double *top) {
  const uint32_t *corner = d->mesh->mesh.corner + 3 * (size_t)face;
  double low = INFINITY;
  *top = -INFINITY;
  for (int k = 0; k < 3; k++) {
    value[k] = d->field->climb[corner[k]];
    if (value[k] > *top) *top = value[k];
    if (value[k] > -INFINITY && value[k] < low) low = value[k];
  }
  if (*top == -INFINITY) return false;
  for (int k = 0; k < 3; k++) {
    if (d->geodesic)
      value[k] = (value[k] > low ? value[k] : low) - *top;
    else
      value[k] = value[k] == *top ? 1.0 : th_exp_double(value[k] - *top);
  }
  return true;
}

/* The linear function with these values at the corners: a[0] + a[1] x + a[2] y. */
static void linear(const th_face_frame *f, const double value[3], double a[3]) {
  a[0] = value[0];
  a[1] = (value[1] - value[0]) / f->bx;
  a[2] = (value[2] - value[0] - a[1] * f->cx) / f->cy;
}

static void measure_faces(const fill *w) {
  const th_mesh_field_build *d = w->build;
  for (uint32_t f = 0; f < d->faces; f++) {
    double value[3], a[3] = {0.0, 0.0, 0.0}, top = -INFINITY;
    if (!d->mesh->blocked[f] && values_of(d, f, value, &top)) linear(&d->mesh->frames.face[f], value, a);
    double *slope = w->slope + 3 * (size_t)f;
    slope[0] = a[1], slope[1] = a[2], slope[2] = top;
    for (uint32_t k = 0; k < 3; k++) {
      double *sum = w->sum + 4 * (size_t)d->mesh->mesh.corner[3 * f + k];
      if (top > sum[3]) sum[3] = top;
    }
  }
}

/* Share of a face's slope at a vertex that sees up to `top`. */
static double scale_of(const th_mesh_field_build *d, double face_top, double top) {
  return d->geodesic || face_top == top ? 1.0 : th_exp_double(face_top - top);
}

/* Angle of a face at the corner that h leaves. */
static double angle_at(const th_mesh_frames *frames, uint32_t h) {
  const th_point a = th_frames_corner(frames, h), p = th_minus2d(th_frames_corner(frames, th_half_next(h)), a),
                 q = th_minus2d(th_frames_corner(frames, th_half_previous(h)), a);
  return th_atan2_double(th_cross2d(p, q), th_dot2d(p, q));
}

bool th_mesh_juts_out(const th_mesh_ground *mesh_ground, uint32_t v) {
  const th_mesh *m = &mesh_ground->mesh;
  const uint32_t begin = m->leaving[v];
  double angle = 0.0;
  uint32_t h = begin;
  if (!mesh_ground->on_wall[v]) return false;
  do {
    if (!mesh_ground->blocked[h / 3]) angle += angle_at(&mesh_ground->frames, h);
    h = th_half_left(m, h);
  } while (h != TH_NO_HALF && h != begin);
  return angle > CORNER;
}

/* Whether a face lies beside a straight wall, within the band that bodies cannot reach. */
static bool beside_wall(const th_mesh_field_build *d, uint32_t f) {
  const uint32_t *corner = d->mesh->mesh.corner + 3 * (size_t)f;
  bool band = false;
  for (int k = 0; k < 3; k++) {
    if (d->kind[corner[k]] != TH_CELL_WALL) continue;
    if (th_mesh_juts_out(d->mesh, corner[k])) return false;
    band = true;
  }
  return band;
}

static void sum_up(const fill *w) {
  const th_mesh_field_build *d = w->build;
  for (uint32_t f = 0; f < d->faces; f++) {
    const double *slope = w->slope + 3 * (size_t)f;
    if (slope[2] == -INFINITY) continue;
    const th_face_frame *frame = &d->mesh->frames.face[f];
    const bool band = d->geodesic && beside_wall(d, f);
    for (uint32_t k = 0; k < 3; k++) {
      const size_t h = 3 * (size_t)f + k;
      const uint32_t v = d->mesh->mesh.corner[h];
      const double area = frame->bx * frame->cy * (band && d->kind[v] != TH_CELL_WALL ? BAND_SHARE : 1.0);
      double *sum = w->sum + 4 * (size_t)v, share = area * scale_of(d, slope[2], sum[3]);
      double c = (double)d->solver->mesh->turn[2 * h], s = (double)d->solver->mesh->turn[2 * h + 1];
      sum[0] += share * (c * slope[0] - s * slope[1]);
      sum[1] += share * (s * slope[0] + c * slope[1]);
      sum[2] += area;
    }
  }
}

/* The mean slope at a corner, in the face's frame and units; the face's own where they are too far apart. */
static void corner_slope(const fill *w, size_t h, double out[2]) {
  const th_mesh_field_build *d = w->build;
  const double *slope = w->slope + h / 3 * 3, *sum = w->sum + 4 * (size_t)d->mesh->mesh.corner[h];
  out[0] = slope[0], out[1] = slope[1];
  if (!(sum[2] > 0.0) || (!d->geodesic && sum[3] - slope[2] > FAR_APART)) return;
  double c = (double)d->solver->mesh->turn[2 * h], s = (double)d->solver->mesh->turn[2 * h + 1];
  double scale = 1.0 / (sum[2] * scale_of(d, slope[2], sum[3]));
  out[0] = scale * (c * sum[0] + s * sum[1]);
  out[1] = scale * (c * sum[1] - s * sum[0]);
}

static bool touches_goal(const th_mesh_field_build *d, uint32_t f, uint32_t top) {
  for (uint32_t k = 0; k < 3; k++) {
    uint32_t v = d->mesh->mesh.corner[3 * (size_t)f + k];
    if (d->kind[v] == TH_CELL_PINNED && (!d->spread || v == top)) return true;
  }
  return false;
}

/* Whether each corner's direction climbs the face's own slope. */
static bool is_smooth(const double *slope, double corner[3][2]) {
  double own = slope[0] * slope[0] + slope[1] * slope[1];
  if (!(own > 0.0)) return false;
  for (int k = 0; k < 3; k++) {
    double dot = corner[k][0] * slope[0] + corner[k][1] * slope[1];
    double square = corner[k][0] * corner[k][0] + corner[k][1] * corner[k][1];
    if (!(dot > 0.0) || !(dot * dot > MIN_RISE * MIN_RISE * own * square)) return false;
  }
  return true;
}

static void store(float *to, const double a[3]) {
  for (int k = 0; k < 3; k++) to[k] = (float)a[k];
}

static void store_slopes(const th_face_frame *frame, double corner[3][2], th_face_node *node) {
  double a[3];
  linear(frame, (double[3]){corner[0][0], corner[1][0], corner[2][0]}, a);
  store(node->gx, a);
  linear(frame, (double[3]){corner[0][1], corner[1][1], corner[2][1]}, a);
  store(node->gy, a);
}

static void store_values(const th_mesh_field_build *d, uint32_t f, th_face_node *node) {
  const th_face_frame *frame = &d->mesh->frames.face[f];
  double value[3], top, a[3], max = 0.0;
  values_of(d, f, value, &top);
  if (d->geodesic) value[0] = value[1] = value[2] = 1.0; /* the slope is that of -left / cell itself */
  linear(frame, value, a);
  store(node->u, a);
  for (uint32_t k = 0; k < 3; k++) {
    value[k] = d->field->left[d->mesh->mesh.corner[3 * (size_t)f + k]];
    if (value[k] < INFINITY && value[k] > max) max = value[k];
  }
  for (int k = 0; k < 3; k++) value[k] = value[k] < max ? value[k] : max;
  linear(frame, value, a);
  store(node->left, a);
}

static void fill_face(const fill *w, uint32_t f, uint32_t top) {
  const th_mesh_field_build *d = w->build;
  th_face_node *node = &d->field->node[f];
  const double *slope = w->slope + 3 * (size_t)f;
  if (slope[2] == -INFINITY) return;
  double corner[3][2];
  for (uint32_t k = 0; k < 3; k++) corner_slope(w, 3 * (size_t)f + k, corner[k]);
  node->code = TH_NODE_REACHES;
  for (uint32_t k = 0; k < 3; k++)
    if (d->kind[d->mesh->mesh.corner[3 * (size_t)f + k]] != TH_CELL_WALL) node->code |= TH_NODE_FREE;
  store_values(d, f, node);
  if (!touches_goal(d, f, top) && is_smooth(slope, corner)) {
    node->code |= TH_NODE_SMOOTH;
    store_slopes(&d->mesh->frames.face[f], corner, node);
    return;
  }
  for (int k = 0; k < 3; k++) corner[k][0] = slope[0], corner[k][1] = slope[1];
  store_slopes(&d->mesh->frames.face[f], corner, node);
  th_point aim = th_mesh_field_aim(d, f);
  node->aim_x = (float)aim.x;
  node->aim_y = (float)aim.y;
  if (d->goal_face[f]) {
    node->code |= TH_NODE_GOAL;
    node->radius = INFINITY;
  }
}

/* Faces round a point goal lead straight to it when all their corners see it. */
typedef struct rosette {
  const th_mesh_field_build *build;
  uint8_t *seen;  /* of each vertex */
  double longest; /* side of a face near the goal [m] */
  bool mark;      /* last pass: vertices are known */
} rosette;

static void see_vertex(void *user, uint32_t v, double distance) {
  const rosette *r = user;
  (void)distance;
  if (!r->mark) r->seen[v] = 1;
}

static double longest_side(const th_face_frame *f) {
  return fmax(f->bx, fmax(th_hypot_double(f->cx, f->cy), th_hypot_double(f->cx - f->bx, f->cy)));
}

/* Of several views of the goal a face keeps the nearest; its `left` has no other use then. */
static void see_face(void *user, uint32_t f, th_point centre, double distance) {
  rosette *r = user;
  const th_mesh_field_build *d = r->build;
  const uint32_t *corner = d->mesh->mesh.corner + 3 * (size_t)f;
  th_face_node *node = &d->field->node[f];
  if (!r->mark) {
    r->longest = fmax(r->longest, longest_side(&d->mesh->frames.face[f]));
    return;
  }
  if (!(r->seen[corner[0]] && r->seen[corner[1]] && r->seen[corner[2]])) return;
  if ((node->code & TH_FACE_CENTRE) && !((float)distance < node->left[0])) return;
  node->aim_x = (float)centre.x;
  node->aim_y = (float)centre.y;
  node->radius = (float)fmax(d->centre_radius, POINT_RADIUS * (double)d->ground->cell);
  node->left[0] = (float)distance;
  node->code = TH_FACE_CENTRE | TH_NODE_REACHES | TH_NODE_FREE;
}

/* Three passes: the nearest faces, to find how long their sides are; then as far as their corners may be; then the
 * faces. */
static bool fill_centre(const th_mesh_field_build *d) {
  rosette r = {d, TH_TAKE(d->allocator, uint8_t, d->vertices), 0.0, false};
  if (!r.seen) return false;
  th_sight_callbacks callbacks = {.vertex = see_vertex, .face = see_face, .user = &r};
  const double near = NEAR * (double)d->mesh->mean_edge;
  callbacks.reach = near;
  th_sight_from_goal(d, &callbacks);
  callbacks.reach = near + r.longest;
  th_sight_from_goal(d, &callbacks);
  callbacks.reach = near;
  r.mark = true;
  th_sight_from_goal(d, &callbacks);
  TH_GIVE(d->allocator, r.seen, d->vertices);
  return true;
}

th_result th_mesh_field_nodes(th_mesh_field_build *d, th_error *error) {
  fill w = {d, TH_TAKE(d->allocator, double, 3 * (size_t)d->faces),
            TH_TAKE(d->allocator, double, 4 * (size_t)d->vertices)};
  bool got = w.slope && w.sum;
  if (got) {
    const uint32_t top = th_mesh_field_top(d);
    for (uint32_t v = 0; v < d->vertices; v++) w.sum[4 * (size_t)v + 3] = -INFINITY;
    measure_faces(&w);
    sum_up(&w);
    for (uint32_t f = 0; f < d->faces; f++)
      if (!d->mesh->blocked[f]) fill_face(&w, f, top);
    if (d->spread) got = fill_centre(d);
  }
  TH_GIVE(d->allocator, w.sum, 4 * (size_t)d->vertices);
  TH_GIVE(d->allocator, w.slope, 3 * (size_t)d->faces);
  return got ? TH_OK : th_fail_memory(error, "field");
}
