/* ground/mesh/wall_in_sight.c - the nearest wall in sight of a vertex.
 *
 * Searching all directions for it costs more the finer the mesh is. But the straight distance in space bounds the
 * answer from below, and a walk over the surface towards that nearest point bounds it from above once it meets a wall.
 * Where both agree, on everything flat, that is the answer; 1 m and more away they need to agree to 1 % only, which
 * covers gentle curvature. Only where they differ, visible_walls.c searches with its cones, up to the walk's length.
 * About 1.5 us per vertex with agreement.
 */
#include "ground/mesh/wall_in_sight.h"

#include "geometry/mesh/straight_walk.h"
#include "geometry/vector.h"
#include "ground/mesh/visible_walls.h"

#define NEAR 1.0        /* [m]: below, answers are exact */
#define FAR_SHARE 0.01  /* beyond, they may be this much too long */
#define SAME_SHARE 1e-7 /* agreement of exact answers */
#define MAX_FACES 10000u

/* The half-edge leaving v in whose face the direction `towards` of space lies best, and that direction in its frame. */
static uint32_t face_towards(const th_mesh_ground *s, uint32_t v, const double *towards, th_point *d) {
  uint32_t begin = s->mesh.leaving[v], h = begin, best = begin;
  double max = -HUGE_VAL;
  do {
    double x[3], y[3];
    th_frames_axes(&s->frames, h / 3, x, y);
    th_point o = th_frames_corner(&s->frames, h), a = th_frames_corner(&s->frames, th_half_next(h));
    th_point b = th_frames_corner(&s->frames, th_half_previous(h)), w = {th_dot3d(towards, x), th_dot3d(towards, y)};
    double size = sqrt(w.x * w.x + w.y * w.y);
    a = (th_point){a.x - o.x, a.y - o.y};
    b = (th_point){b.x - o.x, b.y - o.y};
    /* Sines of the angles to both sides: the smaller one is positive inside the face. */
    double right = (a.x * w.y - a.y * w.x) / sqrt(a.x * a.x + a.y * a.y);
    double left = (w.x * b.y - w.y * b.x) / sqrt(b.x * b.x + b.y * b.y), inside = right < left ? right : left;
    bool ahead = w.x * (a.x + b.x) + w.y * (a.y + b.y) > 0.0;
    if (size > 0.0 && ahead && inside > max) {
      max = inside;
      best = h;
      *d = w;
    }
    h = th_half_left(&s->mesh, h);
  } while (h != begin);
  return best;
}

/* Distance until a straight walk meets a wall [m]; infinite when there is none within `max`. */
static double walk_to_wall(const th_mesh_ground *s, uint32_t half, th_point d, double max) {
  th_mesh_walker w = th_mesh_walker_begin(half / 3, th_frames_corner(&s->frames, half), d, max);
  for (uint32_t n = 0; n < MAX_FACES; n++) {
    th_mesh_walker before = w;
    bool more = th_mesh_walker_advance(&s->frames, &w);
    if (w.touched) { /* the path to the wall lies in one face; the walk behind it does not count */
      double x = w.p.x - before.p.x, y = w.p.y - before.p.y;
      return w.face == before.face ? max - before.left + sqrt(x * x + y * y) : HUGE_VAL;
    }
    if (!more) break;
  }
  return HUGE_VAL;
}

double th_mesh_wall_in_sight(const th_mesh_ground *s, const th_bvh *walls, uint32_t v, double limit, double *straight) {
  *straight = limit;
  if (!walls->mesh) return HUGE_VAL;
  const double *p = s->mesh.xyz + 3 * (size_t)v;
  th_bvh_hit hit = th_bvh_nearest(walls, p, limit);
  if (hit.face == TH_NO_ELEMENT) return HUGE_VAL;
  *straight = hit.distance;
  const double towards[3] = {hit.point[0] - p[0], hit.point[1] - p[1], hit.point[2] - p[2]};
  th_point d = {0.0, 0.0};
  uint32_t half = face_towards(s, v, towards, &d);
  double max = hit.distance * (1.0 + FAR_SHARE), upper = walk_to_wall(s, half, d, max);
  bool close = upper <= hit.distance * (1.0 + SAME_SHARE) || (upper <= max && hit.distance >= NEAR);
  if (close) return upper < limit ? upper : HUGE_VAL;
  return th_mesh_vertex_wall_distance(s, v, upper < limit ? upper : limit);
}
