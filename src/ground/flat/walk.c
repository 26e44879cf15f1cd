/* ground/flat/walk.c - moving a place over flat ground.
 *
 * A disc is swept against the walls near its path: each wall, grown by the radius and a skin, is a capsule, and the
 * first capsule that the centre's ray enters stops it; the rest of the step continues along the contact's tangent (the
 * collide-and-slide scheme of Fauerby 2003, in the plane, where two contacts that oppose each other end the step). The
 * distance to a convex set is convex along a line, so a body inside a capsule that does not move towards the wall at
 * once never comes nearer: overlap needs no special case. A last test in double precision compares old and new place
 * with every wall near, so that no error of the sweep can bring a centre through a wall. Cost: away from walls one look
 * at the clearance raster; near walls a bucket or two and about 10 ns per wall.
 */
#include "ground/walk.h"

#include "geometry/vector.h"
#include "ground/slide.h"

#define MAX_NEAR 64

typedef struct mover {
  const th_ground *ground;
  double radius; /* skin included */
  uint32_t near[MAX_NEAR];
  uint32_t count;
  bool full;        /* more walls near than `near` holds */
  uint32_t nearest; /* and where the start's distance from it is taken */
  double nearest2, nearest_at;
} mover;

static void keep(mover *m, uint32_t wall, th_point p, double reach2) {
  double at;
  th_point off = th_slide_off(&m->ground->flat->line[wall], p, &at);
  double d2 = th_dot2d(off, off);
  if (d2 > reach2) return;
  for (uint32_t k = 0; k < m->count; k++)
    if (m->near[k] == wall) return; /* listed in two buckets */
  if (d2 < m->nearest2) {
    m->nearest2 = d2;
    m->nearest = wall;
    m->nearest_at = at;
  }
  if (m->count == MAX_NEAR)
    m->full = true;
  else
    m->near[m->count++] = wall;
}

static void gather(mover *m, th_point p, double reach) {
  const th_segment_grid *grid = &m->ground->flat->wall_grid;
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

/* Moves *p by d; *leg is where the first contact ended the straight path. Returns true when a wall was met. */
static bool slide(const mover *m, th_point *p, th_point d, th_point *leg) {
  th_point normal[TH_SLIDE_MAX + 1];
  double length = th_length2d(d);
  for (uint32_t n = 0; n <= TH_SLIDE_MAX; n++) {
    th_contact first = {1.0, {0.0, 0.0}};
    for (uint32_t k = 0; k < m->count; k++)
      th_slide_meet(&m->ground->flat->line[m->near[k]], m->radius, *p, d, length, &first);
    *p = (th_point){p->x + first.t * d.x, p->y + first.t * d.y};
    if (n == 0) *leg = *p;
    if (first.t >= 1.0) return n > 0;
    d = th_slide_rest(d, &first);
    normal[n] = first.normal;
    length = th_length2d(d);
    if (length < TH_SLIDE_TOUCH) return true;
    for (uint32_t k = 0; k < n; k++)
      if (th_dot2d(d, normal[k]) < -TH_SLIDE_TOUCH * length) return true; /* a corner: it stops */
  }
  return true;
}

/* Displacement that takes part of all overlaps away: each wall adds what the others have not given yet. */
static th_point push_out(const mover *m, th_point p) {
  th_point push = {0.0, 0.0};
  for (uint32_t k = 0; k < m->count; k++) th_slide_push(&m->ground->flat->line[m->near[k]], m->radius, p, &push);
  return th_slide_share(push);
}

/* True when the centre's path leads from left of the wall to its right side or onto it. The other direction is free: it
 * leads out of solid space. */
static bool passes(const th_segment *wall, th_point from, th_point to) {
  double s = th_segment_side(wall, from.x, from.y), e = th_segment_side(wall, to.x, to.y);
  if (s < 0.0 || e > 0.0 || (s == 0.0 && e == 0.0)) return false;
  double wx = to.x - from.x, wy = to.y - from.y;
  double a = wx * ((double)wall->ay - from.y) - wy * ((double)wall->ax - from.x);
  double b = wx * ((double)wall->by - from.y) - wy * ((double)wall->bx - from.x);
  double hair = TH_SLIDE_TOUCH * (fabs(wx) + fabs(wy)); /* a path past the very end of a wall counts as crossing it */
  return !((a > hair && b > hair) || (a < -hair && b < -hair));
}

static bool is_barred(const mover *m, th_point from, th_point to) {
  if (!m->full) {
    for (uint32_t k = 0; k < m->count; k++)
      if (passes(&m->ground->flat->wall[m->near[k]], from, to)) return true;
    return false;
  }
  const th_segment_grid *grid = &m->ground->flat->wall_grid;
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
  th_segment_grid_nearest(&m->ground->flat->wall_grid, from, m->radius, &on, &before);
  th_segment_grid_nearest(&m->ground->flat->wall_grid, to, m->radius, &on, &after);
  return after < before - 0.5 * (double)TH_WALK_TOLERANCE;
}

/* The point as a place stores it. Volatile, because gcc 12's vectoriser of straight code (-O2 and up) drops a pair of
 * conversions to float and back, and the last test would then judge another point than the one that is stored. */

static void put(const th_ground *ground, th_place *place, th_point p) {
  place->x = (float)p.x;
  place->y = (float)p.y;
  place->cell = th_ground_cell(ground, place->x, place->y);
}

/* Finds a free place at the distance `beyond` past the wall's point `on`: straight on, else (at a corner that other
 * solids share) in the direction nearest to that. */
static bool step_out(const mover *m, th_place *place, th_point from, th_point on, th_point ahead, double beyond) {
  /* 0, +-22.5, +-45 ... degrees: each direction is turned from the one before the last. */
  const th_point turn = {0.9238795325112867, 0.3826834323650898};
  th_point left = ahead, right = ahead;
  for (uint32_t k = 0; k < 16; k++) {
    th_point *d = k % 2 ? &left : &right;
    double s = k % 2 ? turn.y : -turn.y;
    if (k) *d = (th_point){turn.x * d->x - s * d->y, s * d->x + turn.x * d->y};
    th_point to = th_rounded2d((th_point){on.x + beyond * d->x, on.y + beyond * d->y});
    if (is_barred(m, from, to) || !th_ground_is_walkable(m->ground, (float)to.x, (float)to.y)) continue;
    put(m->ground, place, to);
    return true;
  }
  return false;
}

/* Finds a place beside some near wall, a little away from its end: this leads out into an acute corner. */
static bool step_beside(const mover *m, th_place *place, th_point from) {
  for (uint32_t k = 0; k < m->count; k++) {
    const th_wall_line *line = &m->ground->flat->line[m->near[k]];
    double at, inset = fmin(0.5 * TH_ESCAPE_MAX, 0.5 * line->length), side = 0.01 * inset;
    th_slide_off(line, from, &at);
    at = fmin(fmax(at, inset), line->length - inset);
    th_point to = {line->ax + at * line->ux - side * line->uy, line->ay + at * line->uy + side * line->ux};
    double step2 = (to.x - from.x) * (to.x - from.x) + (to.y - from.y) * (to.y - from.y);
    to = th_rounded2d(to);
    if (step2 > TH_ESCAPE_MAX * TH_ESCAPE_MAX || is_barred(m, from, to)) continue;
    if (!th_ground_is_walkable(m->ground, (float)to.x, (float)to.y)) continue;
    put(m->ground, place, to);
    return true;
  }
  return false;
}

/* Out of solid space: to the nearest wall, which nothing can bar, and through it, over a bounded distance per call. */
static void escape(mover *m, th_place *place, th_point from) {
  th_point on;
  double distance, farthest = 2.0 * (double)m->ground->clearance_limit + 1.0, skin = (double)TH_WALK_SKIN;
  uint32_t wall = th_segment_grid_nearest(&m->ground->flat->wall_grid, from, farthest, &on, &distance);
  if (wall == UINT32_MAX) return;
  th_point n = th_slide_away(&m->ground->flat->line[wall], from, &distance);
  if (distance > 1e-12) n = (th_point){-n.x, -n.y};
  if (distance > TH_ESCAPE_MAX - skin) {
    double step = fmin(TH_ESCAPE_MAX, distance - 0.5 * skin);
    put(m->ground, place, (th_point){from.x + step * n.x, from.y + step * n.y});
    return;
  }
  gather(m, from, TH_ESCAPE_MAX + m->radius);
  if (step_out(m, place, from, on, n, fmin(m->radius, TH_ESCAPE_MAX - distance))) return;
  if (step_out(m, place, from, on, n, skin) || step_out(m, place, from, on, n, 0.1 * skin)) return;
  if (step_beside(m, place, from) || distance < skin) return;
  double step = distance - 0.5 * skin; /* from the corner itself the next call sees further */
  put(m->ground, place, (th_point){from.x + step * n.x, from.y + step * n.y});
}

static bool starts_in_solid(const mover *m, th_point p) {
  /* Beside the nearest wall the side of the wall decides. At an end two walls may disagree; far from walls the raster
   * mostly decides. */
  if (m->nearest == UINT32_MAX) return !th_ground_is_walkable(m->ground, (float)p.x, (float)p.y);
  if (m->nearest_at > 0.0 && m->nearest_at < m->ground->flat->line[m->nearest].length)
    return th_segment_side(&m->ground->flat->wall[m->nearest], p.x, p.y) < 0.0;
  return !th_shapes_walkable(m->ground->flat->shapes, p.x, p.y);
}

/* The body goes from where it is, in double precision, and the place is where it ends, rounded. The last tests are
 * about places, which others see. */
static bool walk_near_walls(const th_ground *ground, th_footing *f, th_point d, double radius) {
  mover m;
  m.ground = ground;
  m.radius = radius + (double)TH_WALK_SKIN;
  th_point from = {(double)f->place.x, (double)f->place.y}, rest = {(double)f->rest.x, (double)f->rest.y}, leg, unused;
  const th_point start = {from.x + rest.x, from.y + rest.y};
  th_point p = start;
  gather(&m, start, th_length2d(d) + th_length2d(rest) + m.radius + TH_PUSH_MAX);
  if (starts_in_solid(&m, start)) {
    escape(&m, &f->place, from);
    f->moved = (th_vec2){(float)((double)f->place.x - start.x), (float)((double)f->place.y - start.y)};
    f->rest = (th_vec2){0.0f, 0.0f};
    return true;
  }
  bool changed = false;
  if (m.nearest2 < m.radius * m.radius) {
    th_point push = push_out(&m, p);
    if (th_dot2d(push, push) > 0.0) {
      slide(&m, &p, push, &unused);
      changed = true;
    }
  }
  changed = slide(&m, &p, d, &leg) || changed;
  th_point to = th_rounded2d(p);
  if (is_barred(&m, from, to) || is_deeper(&m, from, to)) {
    p = leg;
    to = th_rounded2d(leg);
    changed = true;
    if (is_barred(&m, from, to) || is_deeper(&m, from, to)) {
      p = start;
      to = from;
    }
  }
  if (is_barred(&m, to, p)) p = to;
  put(ground, &f->place, to);
  f->rest = (th_vec2){(float)(p.x - to.x), (float)(p.y - to.y)};
  f->moved = (th_vec2){(float)(p.x - start.x), (float)(p.y - start.y)};
  return changed;
}

bool th_flat_ground_walk(const th_ground *ground, th_footing *f, th_vec2 vector, float radius) {
  float x = f->place.x, y = f->place.y, dx = vector.x + f->rest.x, dy = vector.y + f->rest.y;
  float length2 = dx * dx + dy * dy;
  float spare =
      ground->flat->clearance[th_ground_cell(ground, x, y)] - ground->flat->half_diagonal - radius - TH_WALK_SKIN;
  if (spare > 0.0f && length2 < spare * spare) {
    f->place.x = x + dx;
    f->place.y = y + dy;
    f->place.cell = th_ground_cell(ground, f->place.x, f->place.y);
    f->rest = (th_vec2){dx - (f->place.x - x), dy - (f->place.y - y)};
    f->moved = vector;
    return false;
  }
  if (!(length2 < 1e12f && radius >= 0.0f && radius < 1e6f && isfinite(x) && isfinite(y))) return false;
  return walk_near_walls(ground, f, (th_point){(double)vector.x, (double)vector.y}, (double)radius);
}
