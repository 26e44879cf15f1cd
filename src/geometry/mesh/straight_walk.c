/* geometry/mesh/straight_walk.c - straightest lines on a mesh (Polthier and Schmies 1998).
 *
 * Inside a face a line is straight; over an edge it goes on in the unfolded neighbour; through a vertex it leaves so
 * that half of the vertex' total angle lies on each side. After each crossing the point is put back onto the edge by
 * its share of that edge, and the side it came in by is not tested again: rounding cannot push it out of a face,
 * however thin, and cannot make it cross the same edge twice. At a wall the rest of the displacement is projected onto
 * the wall; past the wall's end the walk continues straight, or along the next wall if that blocks it. The rotation
 * carried along is the product of all crossings (parallel transport). Measured: 29 ns per face in cache, 85 ns on
 * 70,000 faces, where it waits for memory.
 */
#include "geometry/mesh/straight_walk.h"

#include "base/trig.h"
#include "geometry/vector.h"

#define VERTEX_SHARE 1e-11 /* of an edge: nearer to its end than this is the vertex */
#define START_SHARE 1e-6   /* of an edge: less is no move; places are rounded to about a tenth of it */
#define ALONG_WALL 1e-9    /* radians: a direction this near a wall follows it */
#define STILL 1e-12        /* a slide slower than this share is a stop */

th_mesh_walker th_mesh_walker_begin(uint32_t face, th_point p, th_point d, double length) {
  double size = th_length2d(d);
  bool goes = size > 0.0 && size < HUGE_VAL && length > 0.0 && length < HUGE_VAL;
  th_mesh_walker w = {.face = face, .p = p, .d = {1.0, 0.0}, .c = 1.0};
  if (!goes) return w;
  w.d = (th_point){d.x / size, d.y / size};
  w.left = length;
  return w;
}

static th_point side_of(const th_mesh_frames *f, uint32_t h) {
  return th_minus2d(th_frames_corner(f, th_half_next(h)), th_frames_corner(f, h));
}

/* A walker that stands on a blocked face may cross other blocked faces, so that it can leave. */
static bool is_held(const th_mesh_frames *f, const th_mesh_walker *w) { return f->blocked && !f->blocked[w->face]; }

static bool is_wall(const th_mesh_frames *f, uint32_t h, bool held) {
  uint32_t g = f->mesh->twin[h];
  return g == TH_NO_HALF || (held && f->blocked[g / 3]);
}

static double corner_angle(const th_mesh_frames *f, uint32_t h) {
  th_point out = side_of(f, h), in = side_of(f, th_half_previous(h));
  th_point back = {-in.x, -in.y};
  return th_atan2_double(th_cross2d(out, back), th_dot2d(out, back));
}

/* What was `was` in the old frame is `is` in the new one: turns the carried rotation by the difference. */
static void carry(th_mesh_walker *w, th_point was, th_point is) {
  double c = th_dot2d(was, is), s = th_cross2d(was, is), size = sqrt(c * c + s * s);
  c /= size;
  s /= size;
  double turned = c * w->c - s * w->s;
  w->s = s * w->c + c * w->s;
  w->c = turned;
}

/* The same for what was one before rounding: one step of Newton's for 1 / size, without root or division. */
static th_point unit_again(th_point v) {
  double scale = 1.5 - 0.5 * th_dot2d(v, v);
  return (th_point){scale * v.x, scale * v.y};
}

static void stop(th_mesh_walker *w) {
  w->left = 0.0;
  w->touched = true;
}

/* Along the wall side h from `along`; ahead: towards its end. */
static void slide(const th_mesh_frames *f, th_mesh_walker *w, uint32_t h, double along, bool ahead) {
  th_point e = th_unit2d(side_of(f, h));
  w->d = ahead ? e : (th_point){-e.x, -e.y};
  w->face = h / 3;
  w->stand = TH_STAND_WALL;
  w->at = h % 3;
  w->along = along;
  w->touched = true;
}

static void meet_wall(const th_mesh_frames *f, th_mesh_walker *w, uint32_t h, double along) {
  double share = th_dot2d(w->d, th_unit2d(side_of(f, h)));
  if (fabs(share) < STILL) {
    stop(w);
    return;
  }
  w->left *= fabs(share);
  slide(f, w, h, along, share > 0.0);
}

static void cross_edge(const th_mesh_frames *f, th_mesh_walker *w, uint32_t h, double along) {
  const th_edge_map *m = &f->edge[h];
  uint32_t g = f->mesh->twin[h];
  th_point from = th_frames_corner(f, g), e = side_of(f, g);
  w->face = g / 3;
  w->p = (th_point){from.x + (1.0 - along) * e.x, from.y + (1.0 - along) * e.y};
  w->d = unit_again(th_turned2d(w->d, m->c, m->s)); /* a unit vector again: errors of many crossings must not add up */
  th_point carried = unit_again(th_turned2d((th_point){w->c, w->s}, m->c, m->s));
  w->c = carried.x;
  w->s = carried.y;
  w->stand = TH_STAND_SIDE;
  w->at = g % 3;
}

/* The faces round a vertex that can be reached from one of them without passing a wall. */
typedef struct fan {
  uint32_t first; /* half-edge leaving the vertex, in the rightmost face */
  double total;   /* angle of all faces */
  double before;  /* of those right of the one asked for */
  bool whole;     /* no wall: once round */
  bool held;      /* blocked faces are walls */
} fan;

static fan look_round(const th_mesh_frames *f, uint32_t h, bool held) {
  fan n = {.first = h, .held = held};
  while (!is_wall(f, n.first, held)) {
    n.first = th_half_right(f->mesh, n.first);
    if (n.first == h) {
      n.whole = true;
      break;
    }
  }
  bool seen = false;
  for (uint32_t at = n.first;;) {
    seen = seen || at == h;
    double angle = corner_angle(f, at);
    n.total += angle;
    if (!seen) n.before += angle;
    if (is_wall(f, th_half_previous(at), held)) break;
    at = th_half_left(f->mesh, at);
    if (at == n.first) break;
  }
  return n;
}

/* Leaves the fan's vertex at `angle` from its right side, between 0 and the total. */
static void leave(const th_mesh_frames *f, th_mesh_walker *w, const fan *n, double angle) {
  uint32_t h = n->first;
  for (double wide; angle > (wide = corner_angle(f, h)); angle -= wide) {
    if (is_wall(f, th_half_previous(h), n->held) || th_half_left(f->mesh, h) == n->first) {
      angle = wide; /* rounding of the sum */
      break;
    }
    h = th_half_left(f->mesh, h);
  }
  double s, c;
  th_sincos_double(angle, &s, &c);
  th_point was = w->d;
  w->d = th_unit2d(th_turned2d(th_unit2d(side_of(f, h)), c, s));
  carry(w, was, w->d);
  w->face = h / 3;
  w->p = th_frames_corner(f, h);
  w->stand = TH_STAND_CORNER;
  w->at = h % 3;
}

/* The straight continuation lies `off` radians behind the wall, right of the fan or left of it. */
static void slide_off(const th_mesh_frames *f, th_mesh_walker *w, const fan *n, double off, bool right) {
  uint32_t h = n->first;
  if (!right) {
    while (!is_wall(f, th_half_previous(h), n->held)) h = th_half_left(f->mesh, h);
    h = th_half_previous(h);
  }
  double s, c;
  th_sincos_double(right ? -off : off, &s, &c);
  th_point e = th_unit2d(side_of(f, h)), away = right ? e : (th_point){-e.x, -e.y};
  carry(w, w->d, th_turned2d(away, c, s)); /* the frame goes on straight although the walker does not */
  w->p = th_frames_corner(f, right ? h : th_half_next(h));
  w->left *= c;
  slide(f, w, h, right ? 0.0 : 1.0, right);
}

/* Arrived at the start of h; `back`: the angle from h to where the walker came from, inside h's face. */
static void pass_vertex(const th_mesh_frames *f, th_mesh_walker *w, uint32_t h, double back) {
  fan n = look_round(f, h, is_held(f, w));
  back += n.before;
  if (n.whole) {
    double on = back + 0.5 * n.total;
    leave(f, w, &n, on >= n.total ? on - n.total : on);
    return;
  }
  double right = TH_PI - back,
         left = back + TH_PI - n.total; /* how far the straight continuation lies beyond each wall */
  w->p = th_frames_corner(f, h);
  if (right <= -ALONG_WALL) {
    leave(f, w, &n, -right);
  } else if (left <= -ALONG_WALL) {
    leave(f, w, &n, n.total + left);
  } else {
    double min = right < left ? right : left;
    if (!(min < 0.5 * TH_PI - STILL)) {
      w->face = h / 3;
      stop(w);
      return;
    }
    slide_off(f, w, &n, min > 0.0 ? min : 0.0, right < left);
  }
}

/* Arrived at share `along` of side h after some distance. A walker that did not move has not arrived at a vertex but
 * starts there, and crosses one side after the other until its direction lies in the face. */
static void arrive(const th_mesh_frames *f, th_mesh_walker *w, uint32_t h, double along, double length) {
  bool at_end = along > 1.0 - VERTEX_SHARE;
  th_point from = th_frames_corner(f, h), e = side_of(f, h);
  if ((at_end || along < VERTEX_SHARE) && length * length > START_SHARE * START_SHARE * th_dot2d(e, e)) {
    uint32_t leaving = at_end ? th_half_next(h) : h;
    th_point out = side_of(f, leaving), back = {-w->d.x, -w->d.y};
    double angle = th_atan2_double(th_cross2d(out, back), th_dot2d(out, back)), wide = corner_angle(f, leaving);
    /* Inside the corner except for rounding; a direction behind the vertex is nearer to one of its sides. */
    if (angle < 0.0) angle = angle < 0.5 * wide - TH_PI ? wide : 0.0;
    pass_vertex(f, w, leaving, angle < wide ? angle : wide);
    return;
  }
  w->p = (th_point){from.x + along * e.x, from.y + along * e.y};
  if (is_wall(f, h, is_held(f, w)))
    meet_wall(f, w, h, along);
  else
    cross_edge(f, w, h, along);
}

/* First side that the line from p along d meets, and the distance to it. */
static uint32_t find_exit(const th_mesh_frames *f, const th_mesh_walker *w, double *length) {
  const th_face_frame *frame = &f->face[w->face];
  const th_point corner[4] = {{0.0, 0.0}, {frame->bx, 0.0}, {frame->cx, frame->cy}, {0.0, 0.0}};
  double far = 1.0, fast = 0.0; /* best so far: distance far / fast; compared without dividing */
  uint32_t best = TH_NO_HALF;
  for (uint32_t k = 0; k < 3; k++) {
    if (w->stand == TH_STAND_SIDE && k == w->at) continue;
    if (w->stand == TH_STAND_CORNER && k != (w->at + 1) % 3) continue;
    th_point e = th_minus2d(corner[k + 1], corner[k]);
    double away = th_cross2d(e, th_minus2d(w->p, corner[k])), speed = -th_cross2d(e, w->d);
    away = away > 0.0 ? away : 0.0;
    if (!(speed > 0.0 && away * fast < far * speed)) continue;
    far = away;
    fast = speed;
    best = 3 * w->face + k;
  }
  *length = far / fast;
  return best;
}

static void walk_wall(const th_mesh_frames *f, th_mesh_walker *w) {
  uint32_t h = 3 * w->face + w->at;
  th_point from = th_frames_corner(f, h), e = side_of(f, h);
  double length = th_length2d(e);
  bool ahead = th_dot2d(w->d, e) > 0.0;
  double rest = length * (ahead ? 1.0 - w->along : w->along);
  if (w->left >= rest) {
    w->left -= rest;
    uint32_t leaving = ahead ? th_half_next(h) : h;
    w->p = th_frames_corner(f, leaving);
    pass_vertex(f, w, leaving, ahead ? corner_angle(f, leaving) : 0.0);
    return;
  }
  w->along += (ahead ? w->left : -w->left) / length;
  w->p = (th_point){from.x + w->along * e.x, from.y + w->along * e.y};
  w->left = 0.0;
}

/* Parallel to the side it came in by, to rounding: along it to the end. */
static void walk_grazing(const th_mesh_frames *f, th_mesh_walker *w) {
  uint32_t h = 3 * w->face + (w->stand == TH_STAND_INSIDE ? 0 : w->stand == TH_STAND_CORNER ? (w->at + 1) % 3 : w->at);
  th_point e = side_of(f, h);
  bool ahead = th_dot2d(w->d, e) > 0.0;
  th_point rest = th_minus2d(th_frames_corner(f, ahead ? th_half_next(h) : h), w->p);
  double length = th_length2d(rest);
  if (w->left < length) {
    w->p = (th_point){w->p.x + w->left * w->d.x, w->p.y + w->left * w->d.y};
    w->left = 0.0;
    return;
  }
  w->left -= length;
  arrive(f, w, h, ahead ? 1.0 : 0.0, length);
}

bool th_mesh_walker_advance(const th_mesh_frames *f, th_mesh_walker *w) {
  if (!(w->left > 0.0)) return false;
  w->faces++;
  if (w->stand == TH_STAND_WALL) {
    walk_wall(f, w);
    return w->left > 0.0;
  }
  double length;
  uint32_t h = find_exit(f, w, &length);
  if (h == TH_NO_HALF) {
    walk_grazing(f, w);
    return w->left > 0.0;
  }
  if (length >= w->left) {
    w->p = (th_point){w->p.x + w->left * w->d.x, w->p.y + w->left * w->d.y};
    w->left = 0.0;
    w->stand = TH_STAND_INSIDE;
    return false;
  }
  w->left -= length;
  th_point e = side_of(f, h), q = {w->p.x + length * w->d.x, w->p.y + length * w->d.y};
  double along = th_dot2d(th_minus2d(q, th_frames_corner(f, h)), e) / th_dot2d(e, e);
  arrive(f, w, h, along > 0.0 ? (along < 1.0 ? along : 1.0) : 0.0, length);
  return w->left > 0.0;
}

bool th_mesh_walk(const th_mesh_frames *frames, th_mesh_walker *walker, uint32_t max) {
  for (uint32_t i = 0; i < max; i++)
    if (!th_mesh_walker_advance(frames, walker)) return true;
  return !(walker->left > 0.0);
}
