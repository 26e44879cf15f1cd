/* ground/mesh/walk.c - moving a disc over a mesh.
 *
 * Far from walls the body walks straight over the faces (geometry/mesh/straight_walk.c). Near walls it goes in legs:
 * the walls that can be seen from the place are laid out in the plane (visible_walls.c), the disc is swept against them
 * as on flat ground (slide.h), the leg up to the first contact is walked over the faces, and the rest goes on along the
 * contact's tangent from there, with a new search for walls. Frame, direction and earlier contacts are carried along.
 * Where the surface is so rough that a wall comes nearer than the plane predicts, the last search finds it and a
 * shorter displacement is tried. The mesh walker itself never leaves a walkable face, so no error of the sweep can
 * bring a centre through a wall. Cost: 10 ns inside a face, some 40 ns over an edge; near walls about 0.3 us per leg.
 * (The displacements of a step cross edges in ground/mesh/walk.lanes.c, with the arithmetic of walk_lightly.)
 */
#include "geometry/mesh/straight_walk.h"
#include "geometry/vector.h"
#include "ground/mesh/visible_walls.h"
#include "ground/slide.h"

#define MAX_LEGS 64
#define LONGEST_LEG 2.0    /* [m]: a longer path is swept in parts */
#define MAX_FACES 1000000u /* walked through in one leg */
#define HAIR 1e-8          /* [m]; each leg keeps this much less distance from walls than the leg before */
#define MAX_HALVINGS 3     /* of a displacement that came too near a wall */

/* Where the body is, and how its frame has turned since the start. */
typedef struct stand {
  uint32_t face;
  th_point p;
  double c, s;
} stand;

typedef struct slider {
  const th_mesh_ground *mesh;
  double radius; /* skin included */
  double sweep;  /* that of the leg */
  double least;  /* the sweep is not smaller */
  th_mesh_near_walls near;
} slider;

static void look(slider *m, const stand *at, double length) {
  double leg = length < LONGEST_LEG ? length : LONGEST_LEG;
  th_mesh_near_walls_find(m->mesh, at->face, at->p, m->radius + leg + TH_PUSH_MAX, &m->near);
  /* A wall of many edges is swept with a hair less than its distance: rounding must not make the ends of edges that
   * run on straight stick out. The skin has room for it. */
  m->sweep = fmax(fmin(m->sweep, m->near.nearest) - HAIR, m->least);
}

/* Straight on by d; returns the walker, whose rotation is that of this leg alone. */
static th_mesh_walker advance(const th_mesh_ground *s, stand *at, th_point d) {
  th_mesh_walker w = th_mesh_walker_begin(at->face, at->p, d, th_length2d(d));
  th_mesh_walk(&s->frames, &w, MAX_FACES);
  double c = w.c * at->c - w.s * at->s, t = w.s * at->c + w.c * at->s;
  *at = (stand){w.face, w.p, c, t};
  return w;
}

/* First contact of the displacement d from here; a path beyond what the search covers ends there, without a normal. */
static th_contact first_contact(const slider *m, th_point d, double length, bool *cut) {
  const th_point here = {0.0, 0.0};
  th_contact first = {1.0, {0.0, 0.0}};
  double known = fmin(m->near.cover - m->sweep, LONGEST_LEG);
  *cut = known < length;
  if (*cut) first.t = known > 0.0 ? known / length : 0.0;
  for (uint32_t k = 0; k < m->near.count; k++) {
    double before = first.t;
    th_slide_meet(&m->near.line[k], m->sweep, here, d, length, &first);
    if (first.t < before) *cut = false;
  }
  return first;
}

/* Moves by d, sliding along walls; m->near holds the walls seen from the start. *leg is the end of the first straight
 * path. Returns true when a wall was met. */
static bool glide(slider *m, stand *at, th_point d, stand *leg) {
  th_point normal[TH_SLIDE_MAX + 1];
  double length = th_length2d(d);
  uint32_t slides = 0;
  for (uint32_t n = 0; n < MAX_LEGS; n++) {
    bool cut;
    th_contact first = first_contact(m, d, length, &cut);
    if (cut && first.t <= 0.0) return true;
    th_mesh_walker w = advance(m->mesh, at, (th_point){first.t * d.x, first.t * d.y});
    if (slides == 0) *leg = *at;
    if (w.touched) return true;
    if (!cut && first.t >= 1.0) return slides > 0;
    d = cut ? (th_point){(1.0 - first.t) * d.x, (1.0 - first.t) * d.y} : th_slide_rest(d, &first);
    d = th_turned2d(d, w.c, w.s);
    length = th_length2d(d);
    for (uint32_t k = 0; k < slides; k++) normal[k] = th_turned2d(normal[k], w.c, w.s);
    if (!cut) {
      if (length < TH_SLIDE_TOUCH || slides == TH_SLIDE_MAX) return true;
      for (uint32_t k = 0; k < slides; k++)
        if (th_dot2d(d, normal[k]) < -TH_SLIDE_TOUCH * length) return true; /* a corner: it stops */
      normal[slides++] = th_turned2d(first.normal, w.c, w.s);
    }
    look(m, at, length);
  }
  return true;
}

/* Out of an overlap, by `push`. A body deep in a wall of many edges has their common ends within its radius, straight
 * ahead as it moves along the wall; so it is swept with its distance from walls, and comes no nearer to any. */
static void leave_wall(slider *m, stand *at, th_point push, stand *leg) {
  const double sweep = m->sweep, least = m->least;
  m->least = (double)TH_WALK_SKIN;
  m->sweep = fmax(m->near.nearest - HAIR, m->least);
  glide(m, at, push, leg);
  m->sweep = sweep;
  m->least = least;
}

/* The test at the end of a path, of the place as it is stored: within the tolerance of the radius, or no nearer to
 * walls than before. */
static bool is_clear(const slider *m, const stand *at, double before) {
  double enough = m->radius - 0.5 * (double)TH_WALK_TOLERANCE, need = before < enough ? before - 1e-6 : enough;
  if (need <= 0.0) return true;
  return th_mesh_clearance(m->mesh, at->face, th_rounded2d(at->p), need) >= need;
}

/* One try: out of an overlap, then by d. Returns true when a wall changed the path. */
static bool try_leg(slider *m, stand *at, th_point d, stand *leg) {
  bool changed = false;
  if (m->near.nearest < m->radius) {
    th_point push = {0.0, 0.0};
    const th_point here = {0.0, 0.0};
    for (uint32_t k = 0; k < m->near.count; k++) th_slide_push(&m->near.line[k], m->radius, here, &push);
    push = th_slide_share(push);
    if (th_dot2d(push, push) > 0.0) {
      leave_wall(m, at, push, leg);
      d = th_turned2d(d, at->c, at->s);
      look(m, at, th_length2d(d));
      changed = true;
    }
  }
  *leg = *at;
  if (!(th_dot2d(d, d) > 0.0)) return changed;
  return glide(m, at, d, leg) || changed;
}

static bool walk_near_walls(const th_mesh_ground *s, stand *at, th_point d, double radius) {
  slider m;
  m.mesh = s;
  m.radius = m.sweep = radius + (double)TH_WALK_SKIN;
  m.least = m.radius - 0.25 * (double)TH_WALK_SKIN;
  const stand from = *at;
  stand leg;
  double length = th_length2d(d);
  if (length < LONGEST_LEG && th_mesh_clearance(s, at->face, at->p, m.radius + length) == HUGE_VAL) {
    advance(s, at, d); /* no wall in reach of the disc on its path */
    return false;
  }
  look(&m, at, length);
  double before = m.near.nearest;
  bool changed = try_leg(&m, at, d, &leg);
  if (is_clear(&m, at, before)) return changed;
  *at = leg;
  for (int n = 0; !is_clear(&m, at, before); n++) {
    *at = from;
    if (n == MAX_HALVINGS) return true;
    d = (th_point){0.5 * d.x, 0.5 * d.y};
    m.sweep = m.radius;
    look(&m, at, th_length2d(d));
    try_leg(&m, at, d, &leg);
  }
  return true;
}

/* Moves straight to a point of the face, at most by the distance *left [m]. True when it got there. */
static bool go_to(stand *at, th_point to, double *left) {
  double x = to.x - at->p.x, y = to.y - at->p.y, length = sqrt(x * x + y * y);
  if (length <= *left) {
    at->p = to;
    *left -= length;
    return true;
  }
  at->p = (th_point){at->p.x + *left / length * x, at->p.y + *left / length * y};
  *left = 0.0;
  return false;
}

/* Over side h into the neighbour, at the same point. */
static void cross_side(const th_mesh_ground *s, stand *at, uint32_t h) {
  const th_edge_map *e = &s->frames.edge[h];
  at->p = (th_point){e->c * at->p.x - e->s * at->p.y + e->tx, e->s * at->p.x + e->c * at->p.y + e->ty};
  at->face = s->mesh.twin[h] / 3;
  double c = e->c * at->c - e->s * at->s;
  at->s = e->s * at->c + e->c * at->s;
  at->c = c;
}

/* Leaves blocked faces by the sides that lead out, over a bounded distance per call; then into the walkable face
 * towards its middle, which lies straight ahead from everywhere in it. */
static void escape(const th_mesh_ground *s, stand *at, double radius) {
  static const double third[3] = {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0};
  double left = TH_ESCAPE_MAX;
  while (s->blocked[at->face]) {
    uint32_t h = s->exit_half[at->face];
    if (h == TH_NO_HALF) return;
    th_point a = th_frames_corner(&s->frames, h), b = th_frames_corner(&s->frames, th_half_next(h));
    double ex = b.x - a.x, ey = b.y - a.y, t = ((at->p.x - a.x) * ex + (at->p.y - a.y) * ey) / (ex * ex + ey * ey);
    t = t > 0.01 ? (t < 0.99 ? t : 0.99) : 0.01; /* beside the ends, which other walls may share */
    th_point to = {a.x + t * ex, a.y + t * ey};
    if (!go_to(at, to, &left)) return;
    cross_side(s, at, h);
  }
  left = fmin(left, radius + (double)TH_WALK_SKIN);
  go_to(at, th_frames_at(&s->frames, at->face, third), &left);
}

/* How far p lies inside of each side, times that side's length: negative beyond it. */
typedef struct inside {
  float side[3];
} inside;

static inline inside inside_of(const th_face_walk *f, float x, float y) {
  return (inside){{f->bx * y, (f->cx - f->bx) * y - f->cy * (x - f->bx), f->cy * x - f->cx * y}};
}

/* The corner at which a side of the face starts. */
static inline th_vec2 start_of(const th_face_walk *f, uint32_t side) {
  return (th_vec2){side == 0 ? 0.0f : side == 1 ? f->bx : f->cx, side == 2 ? f->cy : 0.0f};
}

/* A straight path in the frame of a face, and the rotation since its beginning. */
typedef struct light_step {
  uint32_t face;
  float x0, y0, x, y, c, s;
} light_step;

/* Crosses side k into the neighbour; the path goes on from where it meets the side. False near a vertex or at the
 * border.
 */
static bool cross_lightly(const th_mesh_frames *frames, light_step *w, uint32_t k, const inside *end) {
  const th_face_walk *f = &frames->walk[w->face];
  const uint32_t left = (k + 1) % 3, right = (k + 2) % 3, over = f->over[k];
  inside begin = inside_of(f, w->x0, w->y0);
  float from = begin.side[k] > 0.0f ? begin.side[k] : 0.0f, t = from / (from - end->side[k]);
  float at_left = begin.side[left] + t * (end->side[left] - begin.side[left]);
  float at_right = begin.side[right] + t * (end->side[right] - begin.side[right]);
  const float min = TH_LIGHT_VERTEX * f->bx * f->cy;
  if (over == TH_NO_HALF || !(at_left > min) || !(at_right > min)) return false;
  const th_face_walk *g = &frames->walk[over / 4];
  th_vec2 a = start_of(f, k), b = start_of(g, over % 4);
  float c = f->c[k], s = f->s[k], ex = w->x - a.x, ey = w->y - a.y;
  float mx = w->x0 + t * (w->x - w->x0) - a.x, my = w->y0 + t * (w->y - w->y0) - a.y;
  *w = (light_step){over / 4,
                    b.x + (c * mx - s * my),
                    b.y + (s * mx + c * my),
                    b.x + (c * ex - s * ey),
                    b.y + (s * ex + c * ey),
                    c * w->c - s * w->s,
                    s * w->c + c * w->s};
  return true;
}

/* Crosses at most TH_LIGHT_CROSSINGS edges in single precision, with one cache line per face. Inside a triangle a path
 * that ends beyond one side alone leaves by that side. Beyond an edge no rest is known, and none is kept: it is a few
 * millionths of a percent of the face. Returns false and changes nothing when the path comes too near a vertex to tell,
 * or crosses more edges. */
static bool walk_lightly(const th_mesh_frames *frames, th_footing *f, th_vec2 v) {
  const th_place from = f->place;
  const th_vec2 d = {v.x + f->rest.x, v.y + f->rest.y};
  light_step w = {from.cell, from.x, from.y, from.x + d.x, from.y + d.y, 1.0f, 0.0f};
  for (int n = 0; n <= TH_LIGHT_CROSSINGS; n++) {
    inside end = inside_of(&frames->walk[w.face], w.x, w.y);
    uint32_t out =
        (uint32_t)(end.side[0] < 0.0f) | (uint32_t)(end.side[1] < 0.0f) << 1 | (uint32_t)(end.side[2] < 0.0f) << 2;
    if (!out) {
      f->place = (th_place){w.face, w.x, w.y};
      f->rest = n ? (th_vec2){0.0f, 0.0f} : (th_vec2){d.x - (w.x - from.x), d.y - (w.y - from.y)};
      if (n) f->turn = (th_turn){w.c * f->turn.c - w.s * f->turn.s, w.s * f->turn.c + w.c * f->turn.s};
      f->moved = (th_vec2){w.c * v.x - w.s * v.y, w.s * v.x + w.c * v.y};
      return true;
    }
    if (out & (out - 1) || !cross_lightly(frames, &w, out >> 1, &end)) return false;
  }
  return false;
}

static void finish(const stand *at, th_footing *f) {
  const th_point to = th_rounded2d(at->p);
  f->place = (th_place){at->face, (float)to.x, (float)to.y};
  f->rest = (th_vec2){(float)(at->p.x - to.x), (float)(at->p.y - to.y)};
  double c = at->c * (double)f->turn.c - at->s * (double)f->turn.s;
  double s = at->s * (double)f->turn.c + at->c * (double)f->turn.s;
  double scale = 1.5 - 0.5 * (c * c + s * s); /* a rotation again: errors of many steps must not add up */
  f->turn = (th_turn){(float)(scale * c), (float)(scale * s)};
}

/* A wall changed the path: the chord, seen in the last face. In double precision, because meshes may lie far from the
 * origin of space. */
static th_vec2 chord(const th_mesh_frames *frames, const stand *from, const stand *to) {
  double a[3], b[3], x[3], y[3], moved[2] = {0.0, 0.0};
  th_frames_point(frames, from->face, from->p, a);
  th_frames_point(frames, to->face, to->p, b);
  th_frames_axes(frames, to->face, x, y);
  for (int k = 0; k < 3; k++) {
    moved[0] += x[k] * (b[k] - a[k]);
    moved[1] += y[k] * (b[k] - a[k]);
  }
  return (th_vec2){(float)moved[0], (float)moved[1]};
}

bool th_mesh_ground_walk(const th_ground *ground, th_footing *f, th_vec2 v, float radius) {
  const th_mesh_ground *s = ground->mesh;
  const th_place place = f->place;
  if (place.cell >= s->mesh.face_count) return false;
  float dx = v.x + f->rest.x, dy = v.y + f->rest.y, length2 = dx * dx + dy * dy;
  float spare = s->face_clearance[place.cell] - radius - TH_WALK_SKIN;
  bool free = spare > 0.0f && length2 < spare * spare;
  if (!free && !(length2 < 1e12f && radius >= 0.0f && radius < 1e6f && isfinite(place.x) && isfinite(place.y)))
    return false;
  const stand from = {place.cell, {(double)place.x + (double)f->rest.x, (double)place.y + (double)f->rest.y}, 1.0, 0.0};
  stand at = from;
  th_point d = {(double)v.x, (double)v.y};
  bool changed = false;
  if (free || s->closed) {
    if (walk_lightly(&s->frames, f, v)) return false;
    advance(s, &at, d);
  } else if (s->blocked[at.face]) {
    escape(s, &at, (double)radius);
    changed = true;
  } else {
    changed = walk_near_walls(s, &at, d, (double)radius);
  }
  finish(&at, f);
  th_point moved = th_turned2d(d, at.c, at.s);
  f->moved = changed ? chord(&s->frames, &from, &at) : (th_vec2){(float)moved.x, (float)moved.y};
  return changed;
}
