/* ground/walk.c - moving a place over flat ground.
 *
 * A disc is swept against the walls near its way: each wall, grown by the radius and a skin, is a capsule, and the
 * first capsule that the centre's ray enters stops it; the rest of the step continues along the contact's tangent
 * (the collide-and-slide scheme of Fauerby 2003, in the plane, where two contacts that oppose each other end the
 * step). The distance to a convex set is convex along a line, so a body inside a capsule that does not move towards
 * the wall at once never comes nearer: overlap needs no special case. A last test in double precision compares old
 * and new place with every wall near, so that no error of the sweep can bring a centre through a wall. Cost: away
 * from walls one look at the clearance raster; near walls a bucket or two and about 10 ns per wall.
 */
#include "ground/walk.h"

#define MOST_NEAR 64
#define MOST_SLIDES 4
#define TOUCH 1e-9      /* metres: a centre this near the capsule's border is on it */
#define PUSH_SHARE 0.25 /* of an overlap, per call */
#define PUSH_MOST 0.02  /* metres per call */
#define ESCAPE_MOST 0.1 /* metres per call */

typedef struct mover {
  const th_ground *ground;
  double radius; /* skin included */
  const th_segment *near[MOST_NEAR];
  uint32_t count;
  bool full;                 /* more walls near than `near` holds */
  const th_segment *nearest; /* and the distance of the start from it */
  double nearest2, nearest_at;
} mover;

typedef struct contact {
  double t; /* share of the way until it; above 1: none */
  th_point normal;
} contact;

static double dot(th_point a, th_point b) { return a.x * b.x + a.y * b.y; }

static void keep(mover *m, const th_segment *s, th_point p, double reach2) {
  double at;
  th_point c = th_segment_nearest(s, p.x, p.y, &at);
  double d2 = (p.x - c.x) * (p.x - c.x) + (p.y - c.y) * (p.y - c.y);
  if (d2 > reach2) return;
  for (uint32_t k = 0; k < m->count; k++)
    if (m->near[k] == s) return; /* listed in two buckets */
  if (d2 < m->nearest2) {
    m->nearest2 = d2;
    m->nearest = s;
    m->nearest_at = at;
  }
  if (m->count == MOST_NEAR)
    m->full = true;
  else
    m->near[m->count++] = s;
}

static void gather(mover *m, th_point p, double reach) {
  const th_segment_grid *grid = &m->ground->wall_grid;
  m->count = 0;
  m->full = false;
  m->nearest = NULL;
  m->nearest2 = HUGE_VAL;
  if (!grid->segment_count) return;
  uint32_t i0 = th_grid_column(grid, p.x - reach), i1 = th_grid_column(grid, p.x + reach);
  uint32_t j0 = th_grid_row(grid, p.y - reach), j1 = th_grid_row(grid, p.y + reach);
  for (uint32_t j = j0; j <= j1; j++) {
    const uint32_t *start = grid->start + (size_t)j * grid->columns;
    for (uint32_t n = start[i0]; n < start[i1 + 1]; n++) keep(m, &grid->segment[grid->item[n]], p, reach * reach);
  }
}

/* Unit vector from the nearest point of the wall to p, and their distance. */
static th_point away_from(const th_segment *s, th_point p, double *distance) {
  double at;
  th_point c = th_segment_nearest(s, p.x, p.y, &at), n = {p.x - c.x, p.y - c.y};
  *distance = sqrt(dot(n, n));
  if (*distance > 1e-12) return (th_point){n.x / *distance, n.y / *distance};
  double length = th_segment_length(s);
  return (th_point){((double)s->ay - (double)s->by) / length, ((double)s->bx - (double)s->ax) / length};
}

/* Ray p + t d enters the circle about (x, y): |p - c|^2 + 2 t (p - c).d + t^2 d^2 = r^2, the smaller root. */
static void enter_circle(double x, double y, double radius, th_point p, th_point d, contact *first) {
  th_point o = {p.x - x, p.y - y};
  double b = dot(o, d), a = dot(d, d), c = dot(o, o) - radius * radius, root = b * b - a * c;
  if (b >= 0.0 || root < 0.0) return;
  double t = (-b - sqrt(root)) / a;
  if (t < 0.0) t = 0.0;
  if (t >= first->t) return;
  first->t = t;
  first->normal = (th_point){(o.x + t * d.x) / radius, (o.y + t * d.y) / radius};
}

/* The flat flanks of the capsule: the distance from the line shrinks from |h| to the radius, between the ends. */
static bool enter_flank(const th_segment *s, double radius, th_point p, th_point d, contact *first) {
  th_point e = {(double)s->bx - (double)s->ax, (double)s->by - (double)s->ay};
  double length = sqrt(dot(e, e));
  if (!(length > 0.0)) return false;
  e = (th_point){e.x / length, e.y / length};
  th_point n = {-e.y, e.x}, o = {p.x - (double)s->ax, p.y - (double)s->ay};
  double h = dot(o, n);
  if (h < 0.0) {
    h = -h;
    n = (th_point){-n.x, -n.y};
  }
  double speed = -dot(d, n);
  if (h < radius) return false;  /* beyond an end, or it would overlap: the ends decide */
  if (speed <= 0.0) return true; /* never nears the line */
  double t = (h - radius) / speed;
  if (t >= first->t) return true; /* the ends are not met sooner than the flank's line */
  double along = dot(o, e) + t * dot(d, e);
  if (along < 0.0 || along > length) return false;
  *first = (contact){t, n};
  return true;
}

static void meet(const mover *m, const th_segment *s, th_point p, th_point d, contact *first) {
  double distance, length = sqrt(dot(d, d));
  th_point n = away_from(s, p, &distance);
  if (distance > m->radius + length) return;
  if (distance <= m->radius + TOUCH) {
    if (first->t > 0.0 && dot(d, n) < -TOUCH * length) *first = (contact){0.0, n};
    return;
  }
  if (enter_flank(s, m->radius, p, d, first)) return;
  enter_circle((double)s->ax, (double)s->ay, m->radius, p, d, first);
  enter_circle((double)s->bx, (double)s->by, m->radius, p, d, first);
}

/* Moves *p by d; *leg is where the first contact ended the straight way. Returns true when a wall was met. */
static bool slide(const mover *m, th_point *p, th_point d, th_point *leg) {
  th_point normal[MOST_SLIDES + 1];
  for (uint32_t n = 0; n <= MOST_SLIDES; n++) {
    contact first = {1.0, {0.0, 0.0}};
    bool met = false;
    for (uint32_t k = 0; k < m->count; k++) meet(m, m->near[k], *p, d, &first);
    met = first.t < 1.0;
    *p = (th_point){p->x + first.t * d.x, p->y + first.t * d.y};
    if (n == 0) *leg = *p;
    if (!met) return n > 0;
    double into = dot(d, first.normal), rest = 1.0 - first.t;
    if (into > 0.0) into = 0.0;
    d = (th_point){rest * (d.x - into * first.normal.x), rest * (d.y - into * first.normal.y)};
    normal[n] = first.normal;
    double length = sqrt(dot(d, d));
    if (length < TOUCH) return true;
    for (uint32_t k = 0; k < n; k++)
      if (dot(d, normal[k]) < -TOUCH * length) return true; /* a corner: no way on */
  }
  return true;
}

/* Displacement that takes part of all overlaps away: each wall adds what the others have not given yet. */
static th_point push_out(const mover *m, th_point p) {
  th_point push = {0.0, 0.0};
  for (uint32_t k = 0; k < m->count; k++) {
    double distance;
    th_point n = away_from(m->near[k], p, &distance);
    double need = m->radius - distance - dot(push, n);
    if (m->radius - distance < 0.25 * (double)TH_WALK_SKIN || need <= 0.0) continue;
    push = (th_point){push.x + need * n.x, push.y + need * n.y};
  }
  double length = PUSH_SHARE * sqrt(dot(push, push));
  double scale = length > PUSH_MOST ? PUSH_SHARE * PUSH_MOST / length : PUSH_SHARE;
  return (th_point){scale * push.x, scale * push.y};
}

/* The centre's way from left of the wall to its right side or onto it. The other direction is free: it leads out of
 * solid space. */
static bool passes(const th_segment *wall, th_point from, th_point to) {
  double s = th_segment_side(wall, from.x, from.y), e = th_segment_side(wall, to.x, to.y);
  if (s < 0.0 || e > 0.0 || (s == 0.0 && e == 0.0)) return false;
  double wx = to.x - from.x, wy = to.y - from.y;
  double a = wx * ((double)wall->ay - from.y) - wy * ((double)wall->ax - from.x);
  double b = wx * ((double)wall->by - from.y) - wy * ((double)wall->bx - from.x);
  return !((a > 0.0 && b > 0.0) || (a < 0.0 && b < 0.0));
}

static bool is_barred(const mover *m, th_point from, th_point to) {
  if (!m->full) {
    for (uint32_t k = 0; k < m->count; k++)
      if (passes(m->near[k], from, to)) return true;
    return false;
  }
  const th_segment_grid *grid = &m->ground->wall_grid;
  uint32_t i0 = th_grid_column(grid, fmin(from.x, to.x)), i1 = th_grid_column(grid, fmax(from.x, to.x));
  uint32_t j0 = th_grid_row(grid, fmin(from.y, to.y)), j1 = th_grid_row(grid, fmax(from.y, to.y));
  for (uint32_t j = j0; j <= j1; j++) {
    const uint32_t *start = grid->start + (size_t)j * grid->columns;
    for (uint32_t n = start[i0]; n < start[i1 + 1]; n++)
      if (passes(&grid->segment[grid->item[n]], from, to)) return true;
  }
  return false;
}

/* With more walls near than the sweep saw, depth is measured instead of known. */
static bool is_deeper(const mover *m, th_point from, th_point to) {
  if (!m->full) return false;
  th_point on;
  double before, after;
  th_segment_grid_nearest(&m->ground->wall_grid, from, m->radius, &on, &before);
  th_segment_grid_nearest(&m->ground->wall_grid, to, m->radius, &on, &after);
  return after < before - 0.5 * (double)TH_WALK_TOLERANCE;
}

static th_point rounded(th_point p) { return (th_point){(double)(float)p.x, (double)(float)p.y}; }

static void put(const th_ground *ground, th_place *place, th_point p) {
  place->x = (float)p.x;
  place->y = (float)p.y;
  place->cell = th_ground_cell(ground, place->x, place->y);
}

/* Out of solid space: to the nearest wall, through it by its right side, a bounded way per call. */
static void escape(mover *m, th_place *place, th_point from) {
  th_point on;
  double distance;
  double farthest = 2.0 * (double)m->ground->clearance_limit + 1.0;
  uint32_t wall = th_segment_grid_nearest(&m->ground->wall_grid, from, farthest, &on, &distance);
  if (wall == UINT32_MAX) return;
  const th_segment *s = &m->ground->wall[wall];
  th_point n = away_from(s, from, &distance);
  if (distance > 1e-12) n = (th_point){-n.x, -n.y};
  gather(m, from, ESCAPE_MOST + m->radius);
  const double beyond[3] = {m->radius, (double)TH_WALK_SKIN, 0.1 * (double)TH_WALK_SKIN};
  for (uint32_t k = 0; k < 3; k++) {
    double way = fmin(ESCAPE_MOST, distance + beyond[k]);
    th_point to = rounded((th_point){from.x + way * n.x, from.y + way * n.y});
    if (is_barred(m, from, to)) continue;
    put(m->ground, place, to);
    return;
  }
}

static bool starts_in_solid(const mover *m, th_point p) {
  if (!m->nearest) return m->ground->clearance[th_ground_cell(m->ground, (float)p.x, (float)p.y)] < 0.0f;
  /* Beside the nearest wall its side tells; at an end two walls may disagree. */
  if (m->nearest_at > 0.0 && m->nearest_at < 1.0) return th_segment_side(m->nearest, p.x, p.y) < 0.0;
  return !th_shapes_walkable(m->ground->shapes, p.x, p.y);
}

static bool walk_near_walls(const th_ground *ground, th_place *place, th_point d, double radius) {
  mover m;
  m.ground = ground;
  m.radius = radius + (double)TH_WALK_SKIN;
  th_point from = {(double)place->x, (double)place->y}, p = from, leg, unused;
  gather(&m, from, sqrt(dot(d, d)) + m.radius + PUSH_MOST);
  if (starts_in_solid(&m, from)) {
    escape(&m, place, from);
    return true;
  }
  bool changed = false;
  if (m.nearest2 < m.radius * m.radius) {
    th_point push = push_out(&m, p);
    if (dot(push, push) > 0.0) {
      slide(&m, &p, push, &unused);
      changed = true;
    }
  }
  changed = slide(&m, &p, d, &leg) || changed;
  th_point to = rounded(p);
  if (is_barred(&m, from, to) || is_deeper(&m, from, to)) {
    to = rounded(leg);
    changed = true;
    if (is_barred(&m, from, to) || is_deeper(&m, from, to)) to = from;
  }
  put(ground, place, to);
  return changed;
}

bool th_walk(const th_ground *ground, th_place *place, float dx, float dy, float radius) {
  float length = sqrtf(dx * dx + dy * dy), x = place->x, y = place->y;
  float clearance = ground->clearance[th_ground_cell(ground, x, y)];
  if (clearance - ground->half_diagonal > length + radius + TH_WALK_SKIN) {
    place->x = x + dx;
    place->y = y + dy;
    place->cell = th_ground_cell(ground, place->x, place->y);
    return false;
  }
  if (!(length < 1e6f && radius >= 0.0f && radius < 1e6f && isfinite(x) && isfinite(y))) return false;
  return walk_near_walls(ground, place, (th_point){(double)dx, (double)dy}, (double)radius);
}
