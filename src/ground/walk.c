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
  uint32_t near[MOST_NEAR];
  uint32_t count;
  bool full;        /* more walls near than `near` holds */
  uint32_t nearest; /* and where the start's distance from it is taken */
  double nearest2, nearest_at;
} mover;

typedef struct contact {
  double t; /* share of the way until it; 1: none */
  th_point normal;
} contact;

static double dot(th_point a, th_point b) { return a.x * b.x + a.y * b.y; }

/* Vector from the nearest point of the line to p; *at metres from the line's start. */
static th_point off_line(const th_wall_line *line, th_point p, double *at) {
  double ox = p.x - line->ax, oy = p.y - line->ay, along = ox * line->ux + oy * line->uy;
  along = along > 0.0 ? (along < line->length ? along : line->length) : 0.0;
  *at = along;
  return (th_point){ox - along * line->ux, oy - along * line->uy};
}

static void keep(mover *m, uint32_t wall, th_point p, double reach2) {
  double at;
  th_point off = off_line(&m->ground->line[wall], p, &at);
  double d2 = dot(off, off);
  if (d2 > reach2) return;
  for (uint32_t k = 0; k < m->count; k++)
    if (m->near[k] == wall) return; /* listed in two buckets */
  if (d2 < m->nearest2) {
    m->nearest2 = d2;
    m->nearest = wall;
    m->nearest_at = at;
  }
  if (m->count == MOST_NEAR)
    m->full = true;
  else
    m->near[m->count++] = wall;
}

static void gather(mover *m, th_point p, double reach) {
  const th_segment_grid *grid = &m->ground->wall_grid;
  m->count = 0;
  m->full = false;
  m->nearest = UINT32_MAX;
  m->nearest2 = HUGE_VAL;
  if (!grid->segment_count) return;
  uint32_t i0 = th_grid_column(grid, p.x - reach), i1 = th_grid_column(grid, p.x + reach);
  uint32_t j0 = th_grid_row(grid, p.y - reach), j1 = th_grid_row(grid, p.y + reach);
  for (uint32_t j = j0; j <= j1; j++) {
    const uint32_t *start = grid->start + (size_t)j * grid->columns;
    for (uint32_t n = start[i0]; n < start[i1 + 1]; n++) keep(m, grid->item[n], p, reach * reach);
  }
}

/* Unit vector away from the wall, and the distance; on the wall itself its left normal. */
static th_point away_from(const th_wall_line *line, th_point p, double *distance) {
  double at;
  th_point off = off_line(line, p, &at);
  *distance = sqrt(dot(off, off));
  if (!(*distance > 1e-12)) return (th_point){-line->uy, line->ux};
  double inverse = 1.0 / *distance;
  return (th_point){off.x * inverse, off.y * inverse};
}

/* Ray p + t d enters the circle about c: |p - c|^2 + 2 t (p - c).d + t^2 d^2 = r^2, the smaller root. */
static void enter_circle(th_point c, double radius, th_point p, th_point d, contact *first) {
  th_point o = {p.x - c.x, p.y - c.y};
  double b = dot(o, d), a = dot(d, d), root = b * b - a * (dot(o, o) - radius * radius);
  if (b >= 0.0 || root < 0.0) return;
  double t = (-b - sqrt(root)) / a;
  if (t < 0.0) t = 0.0;
  if (t >= first->t) return;
  first->t = t;
  first->normal = (th_point){(o.x + t * d.x) / radius, (o.y + t * d.y) / radius};
}

/* The flat flanks of the capsule: the distance h from the line shrinks to the radius between the ends of the wall.
 * Returns false when the round ends decide. */
static bool enter_flank(const th_wall_line *line, double radius, th_point p, th_point d, contact *first) {
  th_point o = {p.x - line->ax, p.y - line->ay}, u = {line->ux, line->uy}, n = {-u.y, u.x};
  double h = dot(o, n);
  if (h < 0.0) {
    h = -h;
    n = (th_point){-n.x, -n.y};
  }
  double speed = -dot(d, n);
  if (h < radius) return false;
  if (h - speed >= radius) return true; /* stays beside the line's strip in this step */
  double t = (h - radius) / speed;
  if (t >= first->t) return true; /* an end is not met sooner than the flank's line */
  double along = dot(o, u) + t * dot(d, u);
  if (along < 0.0 || along > line->length) return false;
  *first = (contact){t, n};
  return true;
}

/* Earliest contact of the way p + t d with one wall, when it comes before *first. */
static void meet(const mover *m, const th_wall_line *line, th_point p, th_point d, double length, contact *first) {
  double at, border = m->radius + TOUCH, reach = border + length;
  th_point off = off_line(line, p, &at);
  double d2 = dot(off, off);
  if (d2 > reach * reach) return;
  if (d2 <= border * border) {
    double distance;
    th_point n = away_from(line, p, &distance);
    if (first->t > 0.0 && dot(d, n) < -TOUCH * length) *first = (contact){0.0, n};
    return;
  }
  if (enter_flank(line, m->radius, p, d, first)) return;
  th_point a = {line->ax, line->ay}, b = {line->ax + line->length * line->ux, line->ay + line->length * line->uy};
  enter_circle(a, m->radius, p, d, first);
  enter_circle(b, m->radius, p, d, first);
}

/* Moves *p by d; *leg is where the first contact ended the straight way. Returns true when a wall was met. */
static bool slide(const mover *m, th_point *p, th_point d, th_point *leg) {
  th_point normal[MOST_SLIDES + 1];
  double length = sqrt(dot(d, d));
  for (uint32_t n = 0; n <= MOST_SLIDES; n++) {
    contact first = {1.0, {0.0, 0.0}};
    for (uint32_t k = 0; k < m->count; k++) meet(m, &m->ground->line[m->near[k]], *p, d, length, &first);
    *p = (th_point){p->x + first.t * d.x, p->y + first.t * d.y};
    if (n == 0) *leg = *p;
    if (first.t >= 1.0) return n > 0;
    double into = fmin(dot(d, first.normal), 0.0), rest = 1.0 - first.t;
    d = (th_point){rest * (d.x - into * first.normal.x), rest * (d.y - into * first.normal.y)};
    normal[n] = first.normal;
    length = sqrt(dot(d, d));
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
    th_point n = away_from(&m->ground->line[m->near[k]], p, &distance);
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
  double hair = TOUCH * (fabs(wx) + fabs(wy)); /* a way past the very end of a wall counts as through it */
  return !((a > hair && b > hair) || (a < -hair && b < -hair));
}

static bool is_barred(const mover *m, th_point from, th_point to) {
  if (!m->full) {
    for (uint32_t k = 0; k < m->count; k++)
      if (passes(&m->ground->wall[m->near[k]], from, to)) return true;
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

/* The point as a place stores it. Volatile, because gcc 12's vectoriser of straight code (-O2 and up) drops a pair of
 * conversions to float and back, and the last test would then judge another point than the one that is stored. */
static th_point rounded(th_point p) {
  volatile float x = (float)p.x, y = (float)p.y;
  return (th_point){(double)x, (double)y};
}

static void put(const th_ground *ground, th_place *place, th_point p) {
  place->x = (float)p.x;
  place->y = (float)p.y;
  place->cell = th_ground_cell(ground, place->x, place->y);
}

/* A place in the open `beyond` metres past the wall's point `on`: straight on, else (at a corner that other solids
 * share) in the direction nearest to that. */
static bool step_out(const mover *m, th_place *place, th_point from, th_point on, th_point ahead, double beyond) {
  /* 0, +-22.5, +-45 ... degrees: each turn goes on from the one before the last. */
  const th_point turn = {0.9238795325112867, 0.3826834323650898};
  th_point left = ahead, right = ahead;
  for (uint32_t k = 0; k < 16; k++) {
    th_point *d = k % 2 ? &left : &right;
    double s = k % 2 ? turn.y : -turn.y;
    if (k) *d = (th_point){turn.x * d->x - s * d->y, s * d->x + turn.x * d->y};
    th_point to = rounded((th_point){on.x + beyond * d->x, on.y + beyond * d->y});
    if (is_barred(m, from, to) || !th_ground_is_walkable(m->ground, (float)to.x, (float)to.y)) continue;
    put(m->ground, place, to);
    return true;
  }
  return false;
}

/* A place beside some near wall a little away from its end: the way out into an acute corner. */
static bool step_beside(const mover *m, th_place *place, th_point from) {
  for (uint32_t k = 0; k < m->count; k++) {
    const th_wall_line *line = &m->ground->line[m->near[k]];
    double at, inset = fmin(0.5 * ESCAPE_MOST, 0.5 * line->length), side = 0.01 * inset;
    off_line(line, from, &at);
    at = fmin(fmax(at, inset), line->length - inset);
    th_point to = {line->ax + at * line->ux - side * line->uy, line->ay + at * line->uy + side * line->ux};
    double way2 = (to.x - from.x) * (to.x - from.x) + (to.y - from.y) * (to.y - from.y);
    to = rounded(to);
    if (way2 > ESCAPE_MOST * ESCAPE_MOST || is_barred(m, from, to)) continue;
    if (!th_ground_is_walkable(m->ground, (float)to.x, (float)to.y)) continue;
    put(m->ground, place, to);
    return true;
  }
  return false;
}

/* Out of solid space: to the nearest wall, which nothing can bar, and through it, a bounded way per call. */
static void escape(mover *m, th_place *place, th_point from) {
  th_point on;
  double distance, farthest = 2.0 * (double)m->ground->clearance_limit + 1.0, skin = (double)TH_WALK_SKIN;
  uint32_t wall = th_segment_grid_nearest(&m->ground->wall_grid, from, farthest, &on, &distance);
  if (wall == UINT32_MAX) return;
  th_point n = away_from(&m->ground->line[wall], from, &distance);
  if (distance > 1e-12) n = (th_point){-n.x, -n.y};
  if (distance > ESCAPE_MOST - skin) {
    double way = fmin(ESCAPE_MOST, distance - 0.5 * skin);
    put(m->ground, place, (th_point){from.x + way * n.x, from.y + way * n.y});
    return;
  }
  gather(m, from, ESCAPE_MOST + m->radius);
  if (step_out(m, place, from, on, n, fmin(m->radius, ESCAPE_MOST - distance))) return;
  if (step_out(m, place, from, on, n, skin) || step_out(m, place, from, on, n, 0.1 * skin)) return;
  if (step_beside(m, place, from) || distance < skin) return;
  double way = distance - 0.5 * skin; /* from the corner itself the next call sees further */
  put(m->ground, place, (th_point){from.x + way * n.x, from.y + way * n.y});
}

static bool starts_in_solid(const mover *m, th_point p) {
  /* Beside the nearest wall its side tells; at an end two walls may disagree; far from all the raster mostly knows. */
  if (m->nearest == UINT32_MAX) return !th_ground_is_walkable(m->ground, (float)p.x, (float)p.y);
  if (m->nearest_at > 0.0 && m->nearest_at < m->ground->line[m->nearest].length)
    return th_segment_side(&m->ground->wall[m->nearest], p.x, p.y) < 0.0;
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
  float x = place->x, y = place->y, length2 = dx * dx + dy * dy;
  float spare = ground->clearance[th_ground_cell(ground, x, y)] - ground->half_diagonal - radius - TH_WALK_SKIN;
  if (spare > 0.0f && length2 < spare * spare) {
    place->x = x + dx;
    place->y = y + dy;
    place->cell = th_ground_cell(ground, place->x, place->y);
    return false;
  }
  if (!(length2 < 1e12f && radius >= 0.0f && radius < 1e6f && isfinite(x) && isfinite(y))) return false;
  return walk_near_walls(ground, place, (th_point){(double)dx, (double)dy}, (double)radius);
}
