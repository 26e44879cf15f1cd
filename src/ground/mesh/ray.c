/* ground/mesh/ray.c - walls along a ray and near a place of a mesh, and the face that a ray in space meets.
 *
 * A ray along the surface is a straight walk (straight_walk.c) that ends where a wall would turn it, at some 30 to 90
 * ns per face. The nearest wall comes from the cones of visible_walls.c, a ray in space from the tree of boxes.
 */
#include "ground/mesh/ray.h"

#include "geometry/mesh/straight_walk.h"
#include "geometry/vector.h"
#include "ground/mesh/visible_walls.h"

#define MAX_FACES 1000000u /* of a ray: on a closed surface an endless one would go on for ever */
#define TOUCH 1e-6         /* of the shortest edge: nearer to a side than this is on it */
#define FARTHEST 1e30      /* [m]; endless */

static bool is_free(const th_ground *ground, th_place place) {
  return place.cell < ground->mesh->mesh.face_count && !ground->mesh->blocked[place.cell];
}

static th_place place_of(uint32_t face, th_point p) { return (th_place){face, (float)p.x, (float)p.y}; }

static double apart(const th_mesh_frames *f, const th_mesh_walker *a, const th_mesh_walker *b) {
  double p[3], q[3];
  th_frames_point(f, a->face, a->p, p);
  th_frames_point(f, b->face, b->p, q);
  return th_distance3d(p, q);
}

/* Distance of p from the line of side h. */
static double off_side(const th_mesh_frames *f, uint32_t h, th_point p) {
  th_point a = th_frames_corner(f, h), e = th_minus2d(th_frames_corner(f, th_half_next(h)), a);
  return fabs(th_cross2d(e, th_minus2d(p, a))) / th_length2d(e);
}

/* The wall that stopped a walker: the one it slides along, or that it stands at, or that ends in the vertex there. */
static uint32_t wall_of(const th_mesh_ground *s, const th_mesh_walker *w) {
  if (w->stand == TH_STAND_WALL) return 3 * w->face + w->at;
  uint32_t corner = 3 * w->face;
  double min = HUGE_VAL, along;
  for (uint32_t h = 3 * w->face; h < 3 * w->face + 3; h++) {
    if (th_mesh_is_wall(s, h) && off_side(&s->frames, h, w->p) < TOUCH * (double)s->shortest_edge) return h;
    double d = th_length2d(th_minus2d(w->p, th_frames_corner(&s->frames, h)));
    if (!(d < min)) continue;
    min = d;
    corner = h;
  }
  return th_mesh_wall_at(s, s->mesh.corner[corner], &along);
}

th_hit th_mesh_ray(const th_ground *ground, th_place from, th_vec2 direction, float length) {
  th_hit hit = {from, length, UINT32_MAX};
  if (!is_free(ground, from)) return hit;
  const th_mesh_ground *s = ground->mesh;
  th_point p = {(double)from.x, (double)from.y}, d = {(double)direction.x, (double)direction.y};
  th_mesh_walker w = th_mesh_walker_begin(from.cell, p, d, fmin((double)length, FARTHEST));
  double gone = 0.0;
  for (uint32_t n = 0; n < MAX_FACES; n++) {
    th_mesh_walker before = w;
    bool more = th_mesh_walker_advance(&s->frames, &w);
    if (w.touched)
      return (th_hit){place_of(w.face, w.p), (float)(gone + apart(&s->frames, &before, &w)), wall_of(s, &w)};
    if (!more) break;
    gone += apart(&s->frames, &before, &w);
  }
  return hit;
}

th_hit th_mesh_wall_near(const th_ground *ground, th_place from, float reach) {
  th_hit hit = {from, reach, UINT32_MAX};
  if (!is_free(ground, from) || !(isfinite(from.x) && isfinite(from.y))) return hit;
  const th_mesh_frames *f = &ground->mesh->frames;
  th_point p = {(double)from.x, (double)from.y};
  double limit = fmin((double)reach, (double)ground->clearance_limit);
  th_mesh_wall_point found = th_mesh_nearest_wall(ground->mesh, from.cell, p, limit);
  if (!(found.distance <= limit)) return hit;
  th_point a = th_frames_corner(f, found.half), b = th_frames_corner(f, th_half_next(found.half));
  th_point on = {a.x + found.along * (b.x - a.x), a.y + found.along * (b.y - a.y)};
  return (th_hit){place_of(found.half / 3, on), (float)found.distance, found.half};
}

bool th_mesh_pick(const th_ground *ground, th_vec3 origin, th_vec3 direction, float length, th_place *place) {
  th_bvh_ray ray = {{(double)origin.x, (double)origin.y, (double)origin.z},
                    {(double)direction.x, (double)direction.y, (double)direction.z},
                    0.0,
                    (double)length};
  th_bvh_hit hit = th_bvh_ray_first(&ground->mesh->bvh, &ray);
  if (hit.face == TH_NO_ELEMENT || ground->mesh->blocked[hit.face]) return false;
  *place = place_of(hit.face, th_frames_at(&ground->mesh->frames, hit.face, hit.weight));
  return true;
}

const uint32_t *th_ground_wall_halves(const th_ground *ground, uint32_t *count) {
  *count = ground->mesh ? ground->mesh->wall_count : 0;
  return ground->mesh ? ground->mesh->wall_half : NULL;
}
