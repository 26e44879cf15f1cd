/* lab/published/mesh/trace.c - the path of steepest descent on a mesh, exact and without the gaps of Algorithm 4.
 *
 * A walker goes from border to border of each face along the face's own gradient. At an edge it enters the face beyond
 * when that leads away from the edge; when the descent of both faces points into the edge (a valley), or there is no
 * face beyond, it follows the edge to its lower end. At a vertex it takes the steepest descent: a face whose descent
 * points into it, or an edge to a lower neighbour. The position is stored as weights, not as a point, so it cannot
 * drift off the surface; every move goes down, so the walker cannot run in circles. The goal is reached where a piece
 * first meets a goal's cell. Cost: O(1) per face, O(degree) per vertex.
 */
#include <math.h>

#include "base/error.h"
#include "geometry/mesh/halfedge.h"
#include "lab/published/mesh/height.h"

#define NEAR 1e-12 /* weights below count as 0: the walker stands on the vertex */

static double length_of(const th_mesh *m, uint32_t half) {
  const double *p = m->xyz + 3 * (size_t)th_half_from(m, half), *q = m->xyz + 3 * (size_t)th_half_to(m, half);
  const double x = q[0] - p[0], y = q[1] - p[1], z = q[2] - p[2];
  return sqrt(x * x + y * y + z * z);
}

static void stand_on_corner(const th_mesh *m, th_mesh_height_walker *w, uint32_t corner) {
  for (uint32_t c = 0; c < 3; c++) w->spot.weight[c] = c == corner;
  w->vertex = m->corner[3 * (size_t)w->spot.face + corner];
  w->half = TH_NO_HALF;
  w->sliding = false;
}

/* Puts the walker on a vertex when two weights are almost 0. */
static bool settle_on_vertex(const th_mesh *m, th_mesh_height_walker *w) {
  for (uint32_t c = 0; c < 3; c++) {
    if (w->spot.weight[(c + 1) % 3] > NEAR || w->spot.weight[(c + 2) % 3] > NEAR) continue;
    stand_on_corner(m, w, c);
    return true;
  }
  return false;
}

th_mesh_height_walker th_mesh_height_walker_at(const th_mesh *mesh, const th_mesh_spot *spot) {
  th_mesh_height_walker w = {*spot, TH_NO_HALF, TH_NO_ELEMENT, false};
  double sum = 0.0;
  for (int c = 0; c < 3; c++) sum += w.spot.weight[c] = fmax(spot->weight[c], 0.0);
  for (int c = 0; c < 3; c++) w.spot.weight[c] = sum > 0.0 ? w.spot.weight[c] / sum : 1.0 / 3.0;
  settle_on_vertex(mesh, &w);
  return w;
}

/* ---------------------------------------------------------------- on a vertex */

typedef struct choice {
  double steep;
  uint32_t half; /* TH_NO_HALF: none yet */
  bool edge;     /* along the half-edge, else into its face */
} choice;

static void offer(choice *best, double steep, uint32_t half, bool edge) {
  if (steep > best->steep) *best = (choice){steep, half, edge};
}

static void offer_edge(const th_mesh_height *h, choice *best, uint32_t v, uint32_t half) {
  const uint32_t to = th_half_from(h->mesh, half) == v ? th_half_to(h->mesh, half) : th_half_from(h->mesh, half);
  if (h->height[to] < h->height[v]) offer(best, (h->height[v] - h->height[to]) / length_of(h->mesh, half), half, true);
}

/* Steepest of the faces whose descent points into them and of the edges to lower neighbours. */
static choice steepest(th_mesh_height *h, uint32_t v) {
  choice best = {0.0, TH_NO_HALF, false};
  const uint32_t first = h->mesh->leaving[v];
  uint32_t half = first, last;
  do {
    const th_mesh_height_slope *s = th_mesh_height_slope_of(h, th_half_face(half));
    const uint32_t k = half % 3;
    offer_edge(h, &best, v, half);
    if (s->rate[(k + 1) % 3] > 0.0 && s->rate[(k + 2) % 3] > 0.0) offer(&best, s->steep, half, false);
    last = half;
    half = th_half_left(h->mesh, half);
  } while (half != TH_NO_HALF && half != first);
  if (half == TH_NO_HALF) offer_edge(h, &best, v, th_half_previous(last)); /* the border edge that comes in */
  return best;
}

static bool leave_vertex(th_mesh_height *h, th_mesh_height_walker *w) {
  const uint32_t v = w->vertex;
  const choice best = steepest(h, v);
  if (best.half == TH_NO_HALF) return false;
  w->spot.face = th_half_face(best.half);
  for (uint32_t c = 0; c < 3; c++) w->spot.weight[c] = h->mesh->corner[3 * (size_t)w->spot.face + c] == v;
  w->vertex = TH_NO_ELEMENT;
  w->half = best.edge ? best.half : TH_NO_HALF;
  w->sliding = best.edge;
  return true;
}

/* ---------------------------------------------------------------- along an edge */

static void slide(const th_mesh_height *h, th_mesh_height_walker *w, double max) {
  const uint32_t from = w->half % 3, to = (from + 1) % 3, f = 3 * w->spot.face;
  const uint32_t *corner = h->mesh->corner;
  const uint32_t end = h->height[corner[f + from]] < h->height[corner[f + to]] ? from : to;
  const double length = length_of(h->mesh, w->half), here = w->spot.weight[end];
  double there = h->tile[corner[f + end]] == TH_TILE_GOAL ? fmax(here, 0.5) : 1.0;
  const bool short_of = (there - here) * length > max;
  if (short_of) there = here + max / length;
  if (there >= 1.0) {
    stand_on_corner(h->mesh, w, end);
    return;
  }
  w->spot.weight[end] = there;
  w->spot.weight[from + to - end] = 1.0 - there;
  w->spot.weight[3 - from - to] = 0.0;
}

/* ---------------------------------------------------------------- through a face */

/* Distance [m] after which the piece b + t r, 0 <= t <= max, first lies in the cell of corner c; INFINITY: never. */
static double enters_cell(const double b[3], const double r[3], uint32_t c, double max) {
  double low = 0.0, high = max;
  for (uint32_t k = 1; k < 3; k++) {
    const uint32_t j = (c + k) % 3;
    const double lead = b[c] - b[j], gain = r[c] - r[j]; /* lead + t gain >= 0 */
    if (gain > 0.0)
      low = fmax(low, -lead / gain);
    else if (gain < 0.0)
      high = fmin(high, lead / -gain);
    else if (lead < 0.0)
      return INFINITY;
  }
  return low <= high ? low : INFINITY;
}

static void go(th_mesh_height_walker *w, const double rate[3], double length, uint32_t side) {
  double sum = 0.0;
  for (uint32_t c = 0; c < 3; c++) {
    const double b = w->spot.weight[c] + rate[c] * length;
    sum += w->spot.weight[c] = c == side || b < 0.0 ? 0.0 : b;
  }
  for (uint32_t c = 0; c < 3; c++) w->spot.weight[c] /= sum;
}

/* On the edge opposite corner `side`: moves on into the face beyond when its descent leads away from the edge, else
 * along the edge. */
static void hand_over(th_mesh_height *h, th_mesh_height_walker *w, uint32_t side) {
  const th_mesh *m = h->mesh;
  w->half = 3 * w->spot.face + (side + 1) % 3;
  const uint32_t twin = m->twin[w->half];
  w->sliding = twin == TH_NO_HALF || !(th_mesh_height_slope_of(h, th_half_face(twin))->rate[(twin + 2) % 3] > 0.0);
  if (w->sliding) return;
  const double from = w->spot.weight[(side + 1) % 3], to = w->spot.weight[(side + 2) % 3];
  w->half = twin;
  w->spot.face = th_half_face(twin);
  w->spot.weight[twin % 3] = to; /* the twin begins where the half-edge ended */
  w->spot.weight[(twin + 1) % 3] = from;
  w->spot.weight[(twin + 2) % 3] = 0.0;
}

static th_descent cross_face(th_mesh_height *h, th_mesh_height_walker *w, double max) {
  const th_mesh_height_slope *s = th_mesh_height_slope_of(h, w->spot.face);
  const uint32_t *corner = h->mesh->corner + 3 * (size_t)w->spot.face;
  if (!(s->steep > 0.0)) return TH_DESCENT_NULL;
  uint32_t side = 3;
  double length = max;
  for (uint32_t c = 0; c < 3; c++) {
    const double after = s->rate[c] < 0.0 ? w->spot.weight[c] / -s->rate[c] : INFINITY;
    if (!(after < length)) continue;
    side = c;
    length = after;
  }
  double goal = INFINITY;
  for (uint32_t c = 0; c < 3; c++)
    if (h->tile[corner[c]] == TH_TILE_GOAL) goal = fmin(goal, enters_cell(w->spot.weight, s->rate, c, length));
  go(w, s->rate, goal < length ? goal : length, goal < length ? 3 : side);
  w->half = TH_NO_HALF;
  if (goal <= length) return TH_DESCENT_ARRIVED;
  if (!settle_on_vertex(h->mesh, w) && side < 3) hand_over(h, w, side);
  return TH_DESCENT_MOVED;
}

/* ---------------------------------------------------------------- one piece after the other */

static double leg_length(const th_mesh *m, const th_mesh_height_leg *leg) {
  double xyz[3][3], sum = 0.0;
  th_mesh_height_corners(m, leg->face, xyz);
  for (uint32_t k = 0; k < 3; k++) {
    double d = 0.0;
    for (uint32_t c = 0; c < 3; c++) d += (leg->to[c] - leg->from[c]) * xyz[c][k];
    sum += d * d;
  }
  return sqrt(sum);
}

/* The end of a leg in the weights of the leg's own face: a walker that crossed an edge is in the next one. */
static void end_leg(const th_mesh *m, const th_mesh_height_walker *w, th_mesh_height_leg *leg) {
  for (uint32_t c = 0; c < 3; c++) leg->to[c] = w->spot.weight[c];
  if (w->spot.face != leg->face) {
    const uint32_t back = m->twin[w->half];
    leg->to[back % 3] = w->spot.weight[(w->half + 1) % 3];
    leg->to[(back + 1) % 3] = w->spot.weight[w->half % 3];
    leg->to[(back + 2) % 3] = 0.0;
  }
  leg->length = leg_length(m, leg);
}

th_descent th_mesh_height_walk_leg(th_mesh_height *h, th_mesh_height_walker *w, double max, th_mesh_height_leg *leg) {
  *leg = (th_mesh_height_leg){.face = w->spot.face, .half = TH_NO_HALF};
  if (th_mesh_height_is_goal(h, &w->spot)) return TH_DESCENT_ARRIVED;
  if (w->vertex != TH_NO_ELEMENT && !leave_vertex(h, w)) return TH_DESCENT_NULL;
  leg->face = w->spot.face;
  for (uint32_t c = 0; c < 3; c++) leg->from[c] = w->spot.weight[c];
  th_descent end = TH_DESCENT_MOVED;
  if (w->sliding) {
    leg->half = w->half;
    slide(h, w, max);
  } else {
    end = cross_face(h, w, max);
  }
  end_leg(h->mesh, w, leg);
  return end == TH_DESCENT_MOVED && th_mesh_height_is_goal(h, &w->spot) ? TH_DESCENT_ARRIVED : end;
}

th_descent th_mesh_height_walker_advance(th_mesh_height *h, th_mesh_height_walker *w, double max) {
  th_mesh_height_leg leg;
  return th_mesh_height_walk_leg(h, w, max, &leg);
}

th_result th_mesh_height_trace(th_mesh_height *h, const th_mesh_spot *from, th_mesh_height_path *path,
                               th_error *error) {
  if (from->face >= h->mesh->face_count)
    return th_fail(error, TH_ERROR_RANGE, "mesh path", "expected a face below %u, found %u", h->mesh->face_count,
                   from->face);
  const uint64_t max = 16 * (uint64_t)h->mesh->face_count + 1000; /* a descent meets each face a few times */
  th_mesh_height_walker w = th_mesh_height_walker_at(h->mesh, from);
  th_mesh_height_path_free(path);
  path->allocator = h->env.allocator;
  path->end = TH_DESCENT_MOVED;
  bool stored = th_mesh_height_path_start(path, h, &w);
  for (uint64_t n = 0; n < max && stored && path->end == TH_DESCENT_MOVED; n++) {
    th_mesh_height_leg leg;
    path->end = th_mesh_height_walk_leg(h, &w, INFINITY, &leg);
    if (leg.length > 0.0) stored = th_mesh_height_path_add(path, h, &w, &leg);
  }
  if (stored) return TH_OK;
  th_mesh_height_path_free(path);
  return th_fail_memory(error, "mesh path");
}
