/* ground/mesh/visible_walls.c - walls seen from a place.
 *
 * Straight lines from the place run over the faces like light: a cone of them enters a neighbour through an edge, the
 * neighbour is unfolded into the plane, and its apex splits the cone in two (the windows of Mitchell, Mount and
 * Papadimitriou 1987, from one point and without their intervals' upkeep). The points that a cone meets get exact
 * geodesic polar coordinates about the place, also on curved surfaces. A disc that moves straight on from the place
 * never meets a hidden wall first: the wall that hides it lies nearer to the disc's path and is met before it.
 *
 * A cone ends where nothing in its next face can be within reach: its distance plus the face's clearance. That leaves a
 * strip of faces along the nearest walls, some 10 ns each. The number of cones is bounded; `cover` is the distance up
 * to which nothing was left out.
 */
#include "ground/mesh/visible_walls.h"

#include "geometry/vector.h"

#define MAX_CONES 128
#define MAX_FACES 4096
#define MAX_POINTS 32
#define MIN_WEIGHT 1e-7

typedef struct cone {
  uint32_t half;        /* of the face it leaves; a to b */
  th_point a, b;        /* ends of the edge: right and left seen from the start */
  th_point right, left; /* rays that bound it */
  double min;           /* no wall behind it is nearer than this */
} cone;

typedef struct line_of_sight {
  const th_mesh_ground *s;
  th_mesh_near_walls *near;
  double reach;
  bool only_nearest; /* then `reach` shrinks to the nearest wall found, and none is listed */
  uint32_t half;     /* that wall, or TH_NO_HALF and its end `vertex` */
  uint32_t vertex;
  double along; /* share of it */
  cone stack[MAX_CONES];
  uint32_t depth;
  uint32_t point[MAX_POINTS]; /* wall vertices seen */
  th_point at[MAX_POINTS];
  uint32_t points;
} line_of_sight;

static double edge_distance(th_point a, th_point b) {
  th_point e = th_minus2d(b, a);
  double t = -th_dot2d(a, e) / th_dot2d(e, e);
  t = t > 0.0 ? (t < 1.0 ? t : 1.0) : 0.0;
  double x = a.x + t * e.x, y = a.y + t * e.y;
  return sqrt(x * x + y * y);
}

static void lose(line_of_sight *l, double distance) {
  if (distance < l->near->cover) l->near->cover = distance;
}

/* When the list is full, the farthest wall is dropped. */
static uint32_t place_of(line_of_sight *l, double distance) {
  th_mesh_near_walls *n = l->near;
  if (n->count < TH_NEAR_WALLS_MAX) return n->count++;
  uint32_t worst = 0;
  double far = -1.0;
  for (uint32_t k = 0; k < n->count; k++) {
    th_point a = {n->line[k].ax, n->line[k].ay};
    th_point b = {a.x + n->line[k].length * n->line[k].ux, a.y + n->line[k].length * n->line[k].uy};
    double d = n->line[k].length > 0.0 ? edge_distance(a, b) : th_length2d(a);
    if (d <= far) continue;
    far = d;
    worst = k;
  }
  lose(l, far > distance ? far : distance);
  return far > distance ? worst : TH_NEAR_WALLS_MAX;
}

static void add_wall(line_of_sight *l, const th_wall_line *line, uint32_t from, uint32_t to, double distance) {
  th_mesh_near_walls *n = l->near;
  if (distance < n->nearest) n->nearest = distance;
  if (l->only_nearest) {
    l->reach = distance;
    return;
  }
  uint32_t k = place_of(l, distance);
  if (k == TH_NEAR_WALLS_MAX) return;
  n->line[k] = *line;
  n->from[k] = from;
  n->to[k] = to;
}

/* Share of the wall from a to b of the point nearest to the start on its part from p to q. */
static double share_of(th_point p, th_point q, th_point a, th_point b) {
  th_point e = th_minus2d(q, p), w = th_minus2d(b, a);
  double t = -th_dot2d(p, e) / th_dot2d(e, e);
  t = t > 0.0 ? (t < 1.0 ? t : 1.0) : 0.0;
  t = th_dot2d(th_minus2d((th_point){p.x + t * e.x, p.y + t * e.y}, a), w) / th_dot2d(w, w);
  return t > 0.0 ? (t < 1.0 ? t : 1.0) : 0.0;
}

/* Adds the part of the wall from a to b between the two rays. Other cones see the rest of the wall, perhaps in another
 * direction. */
static void see_wall(line_of_sight *l, uint32_t half, th_point a, th_point b, const th_point *ray) {
  const th_mesh *m = &l->s->mesh;
  uint32_t from = th_half_from(m, half), to = th_half_to(m, half);
  th_point e = th_minus2d(b, a), start = a, whole = b;
  double right = th_cross2d(ray[0], a), left = th_cross2d(b, ray[1]);
  if (right < 0.0) { /* a + t e on the right ray */
    double t = fmin(-right / th_cross2d(ray[0], e), 1.0);
    start = (th_point){a.x + t * e.x, a.y + t * e.y};
    from = TH_NO_ELEMENT;
  }
  if (left < 0.0) {
    double t = fmin(-left / th_cross2d(ray[1], e), 1.0);
    b = (th_point){b.x - t * e.x, b.y - t * e.y};
    to = TH_NO_ELEMENT;
  }
  e = th_minus2d(b, start);
  double length = th_length2d(e);
  if (!(length > 0.0)) return;
  double distance = edge_distance(start, b);
  if (distance > l->reach) return;
  if (l->only_nearest) {
    l->half = half;
    l->along = share_of(start, b, a, whole);
  }
  th_wall_line line = {start.x, start.y, e.x / length, e.y / length, length};
  add_wall(l, &line, from, to, distance);
}

static void see_vertex(line_of_sight *l, uint32_t v, th_point at) {
  if (!l->s->on_wall[v]) return;
  double distance = th_length2d(at);
  if (distance > l->reach) return;
  if (l->only_nearest) {
    l->reach = l->near->nearest = distance;
    l->half = TH_NO_HALF;
    l->vertex = v;
    return;
  }
  if (l->points == MAX_POINTS) {
    lose(l, distance);
    return;
  }
  l->point[l->points] = v;
  l->at[l->points++] = at;
}

/* An edge with the rays between which it is seen: a wall, or the entrance to the next face. */
static void see_edge(line_of_sight *l, uint32_t half, th_point a, th_point b, const th_point *ray) {
  uint32_t twin = l->s->mesh.twin[half];
  if (twin == TH_NO_HALF || l->s->blocked[twin / 3]) {
    see_wall(l, half, a, b, ray);
    return;
  }
  double min = edge_distance(a, b) + (double)l->s->face_clearance[twin / 3];
  if (min > l->reach) return;
  if (l->depth == MAX_CONES)
    lose(l, min);
  else
    l->stack[l->depth++] = (cone){half, a, b, ray[0], ray[1], min};
}

/* Unfolds the face behind the cone's edge: its apex c stands over the edge as in its own frame. */
static void enter(line_of_sight *l, const cone *in) {
  const th_mesh_frames *f = &l->s->frames;
  const uint32_t depth = l->depth;
  uint32_t back = f->mesh->twin[in->half], next = th_half_next(back), last = th_half_next(next);
  th_point b = th_frames_corner(f, back), e = th_minus2d(th_frames_corner(f, next), b);
  th_point o = th_minus2d(th_frames_corner(f, last), b), u = th_minus2d(in->a, in->b);
  double size = th_dot2d(e, e), along = th_dot2d(o, e) / size, aside = th_cross2d(e, o) / size;
  th_point c = {in->b.x + along * u.x - aside * u.y, in->b.y + along * u.y + aside * u.x};
  bool right = th_cross2d(in->right, c) > 0.0, left = th_cross2d(c, in->left) > 0.0;
  if (th_cross2d(in->right, c) >= 0.0 && th_cross2d(c, in->left) >= 0.0) see_vertex(l, f->mesh->corner[last], c);
  const th_point over_right[2] = {in->right, left ? c : in->left}, over_left[2] = {right ? c : in->right, in->left};
  if (right) see_edge(l, next, in->a, c, over_right);
  if (left) see_edge(l, last, c, in->b, over_left);
  if (l->depth == depth + 2 && l->stack[depth].min < l->stack[depth + 1].min) { /* the more promising one first */
    cone swap = l->stack[depth];
    l->stack[depth] = l->stack[depth + 1];
    l->stack[depth + 1] = swap;
  }
}

/* A wall's end that is seen while the wall itself is not, such as the tip of one that runs straight away. */
static void add_points(line_of_sight *l) {
  th_mesh_near_walls *n = l->near;
  for (uint32_t i = 0; i < l->points; i++) {
    uint32_t k = 0;
    while (k < n->count && n->from[k] != l->point[i] && n->to[k] != l->point[i]) k++;
    if (k < n->count) continue;
    th_wall_line tip = {l->at[i].x, l->at[i].y, 1.0, 0.0, 0.0};
    add_wall(l, &tip, l->point[i], l->point[i], th_length2d(l->at[i]));
  }
}

/* The place moved in by a hair, so that every side is seen from its inner side and no corner is at the origin. */
static th_point inner_point(const th_mesh_ground *s, uint32_t face, th_point p) {
  double w[3], sum = 0.0;
  th_frames_weights(&s->frames, face, p, w);
  for (int k = 0; k < 3; k++) {
    w[k] = w[k] > MIN_WEIGHT ? w[k] : MIN_WEIGHT;
    sum += w[k];
  }
  for (int k = 0; k < 3; k++) w[k] /= sum;
  return th_frames_at(&s->frames, face, w);
}

static void begin(line_of_sight *l, const th_mesh_ground *s, double reach, th_mesh_near_walls *near,
                  bool only_nearest) {
  l->only_nearest = only_nearest;
  l->s = s;
  l->near = near;
  l->reach = reach;
  l->depth = l->points = 0;
  l->half = TH_NO_HALF;
  l->along = 0.0;
  near->count = 0;
  near->cover = near->nearest = HUGE_VAL;
}

static void look_on(line_of_sight *l) {
  for (uint32_t n = 0; l->depth > 0; n++) {
    cone in = l->stack[--l->depth];
    if (in.min > l->reach) continue;
    if (n < MAX_FACES)
      enter(l, &in);
    else
      lose(l, in.min);
  }
  add_points(l);
}

static void look_from(line_of_sight *l, uint32_t face, th_point p) {
  const th_mesh_ground *s = l->s;
  if ((double)s->face_clearance[face] > l->reach) return;
  th_point corner[3], from = inner_point(s, face, p);
  for (uint32_t k = 0; k < 3; k++) {
    corner[k] = th_minus2d(th_frames_corner(&s->frames, 3 * face + k), from);
    see_vertex(l, s->mesh.corner[3 * face + k], corner[k]);
  }
  for (uint32_t k = 0; k < 3; k++) {
    const th_point ray[2] = {corner[k], corner[(k + 1) % 3]};
    see_edge(l, 3 * face + k, ray[0], ray[1], ray);
  }
  look_on(l);
}

void th_mesh_near_walls_find(const th_mesh_ground *s, uint32_t face, th_point p, double reach,
                             th_mesh_near_walls *near) {
  line_of_sight l;
  begin(&l, s, reach, near, false);
  look_from(&l, face, p);
}

/* Starts a cone through the far side of each face round v. Directions differ from face to face; distances do not. */
double th_mesh_vertex_wall_distance(const th_mesh_ground *s, uint32_t v, double reach) {
  th_mesh_near_walls near;
  line_of_sight l;
  begin(&l, s, reach, &near, true);
  uint32_t first = s->mesh.leaving[v], h = first;
  do {
    uint32_t far = th_half_next(h);
    th_point o = th_frames_corner(&s->frames, h), a = th_minus2d(th_frames_corner(&s->frames, far), o);
    const th_point ray[2] = {a, th_minus2d(th_frames_corner(&s->frames, th_half_next(far)), o)};
    see_vertex(&l, s->mesh.corner[far], a);
    see_edge(&l, far, ray[0], ray[1], ray);
    h = th_half_left(&s->mesh, h);
  } while (h != first);
  look_on(&l);
  return near.nearest;
}

/* True when a corner of the face is so far from all walls that none is within reach of p. Most places beside a wall are
 * beyond its reach; this reads a tenth of what a search does. */
static bool corner_is_clear(const th_mesh_ground *s, uint32_t face, th_point p, double reach) {
  for (uint32_t h = 3 * face; h < 3 * face + 3; h++) {
    const double bound = (double)s->vertex_bound[s->mesh.corner[h]] - reach;
    th_point o = th_minus2d(th_frames_corner(&s->frames, h), p);
    if (bound > 0.0 && th_dot2d(o, o) < bound * bound) return true;
  }
  return false;
}

double th_mesh_clearance(const th_mesh_ground *s, uint32_t face, th_point p, double reach) {
  th_mesh_near_walls near;
  double best = HUGE_VAL;
  if ((double)s->face_clearance[face] > reach || corner_is_clear(s, face, p, reach)) return best;
  for (uint32_t h = 3 * face; h < 3 * face + 3; h++) {
    th_point o = th_minus2d(th_frames_corner(&s->frames, h), p);
    best = fmin(best, s->far[s->mesh.corner[h]] + th_length2d(o));
  }
  line_of_sight l;
  begin(&l, s, best < reach ? best : reach, &near, true);
  look_from(&l, face, p);
  best = near.nearest < best ? near.nearest : best;
  return best <= reach ? best : HUGE_VAL;
}

uint32_t th_mesh_wall_at(const th_mesh_ground *s, uint32_t v, double *along) {
  uint32_t begin = s->mesh.leaving[v], h = begin;
  do {
    uint32_t in = th_half_previous(h);
    bool out = th_mesh_is_wall(s, h);
    if (!s->blocked[h / 3] && (out || th_mesh_is_wall(s, in))) {
      *along = out ? 0.0 : 1.0;
      return out ? h : in;
    }
    h = th_half_left(&s->mesh, h);
  } while (h != begin && h != TH_NO_HALF);
  return TH_NO_HALF;
}

/* The path along the edges bounds the search where it leads to a wall in sight; else the whole reach is searched. */
th_mesh_wall_point th_mesh_nearest_wall(const th_mesh_ground *s, uint32_t face, th_point p, double reach) {
  th_mesh_near_walls near;
  line_of_sight l;
  double bound = th_mesh_clearance(s, face, p, reach) * (1.0 + 1e-9);
  begin(&l, s, bound < reach ? bound : reach, &near, true);
  if (bound < HUGE_VAL) look_from(&l, face, p);
  if (bound < reach && !(near.nearest < HUGE_VAL)) {
    begin(&l, s, reach, &near, true);
    look_from(&l, face, p);
  }
  th_mesh_wall_point found = {near.nearest, l.half, l.along};
  if (near.nearest < HUGE_VAL && l.half == TH_NO_HALF) found.half = th_mesh_wall_at(s, l.vertex, &found.along);
  return found;
}
