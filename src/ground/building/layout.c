/* ground/building/layout.c - from levels, flights and lifts to storeys and strips.
 *
 * A lift becomes a spiral in its shaft: from the right half of the door up to a landing at the back, and from there up
 * to the left half of the door on the next floor. So no edge has more than two faces, however many floors there are,
 * all faces look up, and no two strips lie above each other closer than a storey. Its speed factor is
 *   f = path / (pace * (height / speed + wait)),
 * path = 2 sqrt(lane^2 + (height / 2)^2) + half the door. An agent that wants to walk at `pace` takes as long as the
 * ride.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "ground/building/building.h"

#define STEEPEST 2.0

static th_storey *add_storey(th_builder *b) {
  if (!th_grow(&b->allocator, (void **)&b->storey, &b->storey_capacity, b->storey_count + 1, sizeof *b->storey))
    return NULL;
  return &b->storey[b->storey_count++];
}

static th_strip *add_strip(th_builder *b) {
  if (!th_grow(&b->allocator, (void **)&b->strip, &b->strip_capacity, b->strip_count + 1, sizeof *b->strip))
    return NULL;
  return &b->strip[b->strip_count++];
}

static uint32_t storey_of(const th_builder *b, int32_t number) {
  uint32_t i = 0;
  while (b->storey[i].number != number) i++; /* checked: it exists */
  return i;
}

th_result th_building_terrain(th_builder *b, const th_terrain *kind, uint32_t *number) {
  for (uint32_t i = 0; i < b->terrain_count; i++) {
    const th_terrain *c = &b->terrain[i];
    *number = i;
    if (strcmp(c->name, kind->name) == 0 && c->speed == kind->speed && c->blocked == kind->blocked &&
        c->speed_up == kind->speed_up && c->speed_down == kind->speed_down)
      return TH_OK;
  }
  if (b->terrain_count == TH_MAX_TERRAINS)
    return th_fail(b->error, TH_ERROR_CAPACITY, "building", "expected at most %d terrains, found more",
                   TH_MAX_TERRAINS);
  *number = b->terrain_count;
  b->terrain[b->terrain_count++] = *kind;
  return TH_OK;
}

static double edge_of(const th_builder *b, double wide) {
  double edge = (double)b->def->edge * TH_LATTICE, fine = 0.25 * wide, min = 0.1 * TH_LATTICE;
  fine = fine > min ? fine : min;
  return edge < fine ? edge : fine;
}

/* ---------------------------------------------------------------- flights */

static double width_of(const th_strip *s) {
  double fx = (double)s->foot[1].x - s->foot[0].x, fy = (double)s->foot[1].y - s->foot[0].y;
  double hx = (double)s->head[1].x - s->head[0].x, hy = (double)s->head[1].y - s->head[0].y;
  double foot = sqrt(fx * fx + fy * fy), head = sqrt(hx * hx + hy * hy);
  return foot < head ? foot : head;
}

static void swap(th_lattice_point *a, th_lattice_point *b) {
  th_lattice_point t = *a;
  *a = *b, *b = t;
}

/* All four corners turn left, by more than rounding. */
static bool is_convex(const th_strip *s) {
  const th_lattice_point p[4] = {s->foot[0], s->foot[1], s->head[1], s->head[0]};
  for (int i = 0; i < 4; i++)
    if (th_lattice_side(p[i], p[(i + 1) % 4], p[(i + 2) % 4]) <= TH_LATTICE) return false;
  return true;
}

static bool turn_strip(th_strip *s) {
  for (int i = 0; i < 4; i++) { /* either edge may have been drawn in either direction */
    if (is_convex(s)) return true;
    swap(&s->foot[0], &s->foot[1]);
    if (i == 1) swap(&s->head[0], &s->head[1]);
  }
  return false;
}

/* Weidmann 1993: people climb stairs at 0.610 and descend at 0.694 m/s, measured along the plan, where they walk at
 * 1.34 m/s on the level; along a flight of 30 degrees that is 0.53 and 0.60 of their speed. */
static th_terrain flight_terrain(const th_flight_def *f) {
  const char *name = f->kind ? f->kind : "stairs";
  th_terrain kind = {.name = name, .speed = f->speed, .speed_up = f->speed_up, .speed_down = f->speed_down};
  if (f->speed != 0.0f) return kind;
  const bool stairs = strcmp(name, "stairs") == 0;
  kind.speed = stairs ? 0.56f : 1.0f;
  if (stairs && f->speed_up == 0.0f) kind.speed_up = 0.53f;
  if (stairs && f->speed_down == 0.0f) kind.speed_down = 0.60f;
  return kind;
}

/* Steep stairs rise by 1 m over 1 m; what rises more than twice as much is a ladder. */
static th_result check_rise(const th_builder *b, const th_flight_def *f, uint32_t i) {
  const double rise = fabs(b->storey[storey_of(b, f->from)].z - b->storey[storey_of(b, f->to)].z);
  const double x = 0.5 * ((double)f->head[0].x + (double)f->head[1].x - (double)f->foot[0].x - (double)f->foot[1].x);
  const double y = 0.5 * ((double)f->head[0].y + (double)f->head[1].y - (double)f->foot[0].y - (double)f->foot[1].y);
  const double along = sqrt(x * x + y * y);
  if (rise <= STEEPEST * along) return TH_OK;
  return th_fail_at(b->error, TH_ERROR_GEOMETRY, "flight", i,
                    "expected a flight that rises by at most %g m for each metre, found %g m over %.3g m", STEEPEST,
                    rise, along);
}

static th_result plan_flight(th_builder *b, uint32_t i) {
  const th_flight_def *f = &b->def->flight[i];
  const th_terrain kind = flight_terrain(f);
  uint32_t terrain = 0;
  th_result result = th_building_terrain(b, &kind, &terrain);
  if (result != TH_OK) return result;
  th_strip *s = add_strip(b);
  if (!s) return th_fail_memory(b->error, "building");
  *s = (th_strip){.from = storey_of(b, f->from),
                  .to = storey_of(b, f->to),
                  .terrain = terrain,
                  .cuts = true,
                  .list = "flight",
                  .element = i};
  bool down = b->storey[s->from].z > b->storey[s->to].z;
  for (int k = 0; k < 2; k++) {
    s->foot[k] = th_building_lattice(down ? f->head[k] : f->foot[k]);
    s->head[k] = th_building_lattice(down ? f->foot[k] : f->head[k]);
  }
  if (down) {
    uint32_t t = s->from;
    s->from = s->to, s->to = t;
  }
  s->edge = edge_of(b, width_of(s));
  if (turn_strip(s)) return check_rise(b, f, i);
  return th_fail_at(b->error, TH_ERROR_GEOMETRY, "flight", i,
                    "expected two edges that span a convex quadrangle, found (%g, %g) (%g, %g) and (%g, %g) (%g, %g)",
                    (double)f->foot[0].x, (double)f->foot[0].y, (double)f->foot[1].x, (double)f->foot[1].y,
                    (double)f->head[0].x, (double)f->head[0].y, (double)f->head[1].x, (double)f->head[1].y);
}

/* ---------------------------------------------------------------- lifts */

/* A shaft's own axes: u along the door, v into the shaft, u right of v. */
typedef struct shaft {
  th_lattice_point at, u, v;
  int32_t wide, deep, back, rail; /* back: depth of the landing; rail: gap beside lanes */
} shaft;

static shaft shaft_of(const th_lift_def *l) {
  static const th_lattice_point axis[4] = {{0, 1}, {-1, 0}, {0, -1}, {1, 0}}; /* u of east, north, west, south */
  th_lattice_point p = th_building_lattice(l->corner[0]), q = th_building_lattice(l->corner[1]);
  int32_t x0 = p.x < q.x ? p.x : q.x, x1 = p.x < q.x ? q.x : p.x;
  int32_t y0 = p.y < q.y ? p.y : q.y, y1 = p.y < q.y ? q.y : p.y;
  const th_lattice_point at[4] = {{x1, y0}, {x1, y1}, {x0, y1}, {x0, y0}};
  bool along_y = l->door == TH_SIDE_EAST || l->door == TH_SIDE_WEST;
  shaft s = {.at = at[l->door], .u = axis[l->door]};
  s.v = (th_lattice_point){-s.u.y, s.u.x};
  s.wide = along_y ? y1 - y0 : x1 - x0;
  s.deep = along_y ? x1 - x0 : y1 - y0;
  s.back = (int32_t)(0.35 * s.deep);
  if (s.back < (int32_t)(0.65 * TH_LATTICE)) s.back = (int32_t)(0.65 * TH_LATTICE);
  s.rail = s.wide / 20; /* flat maps of both lanes must not share a wall */
  return s;
}

static th_lattice_point in_shaft(const shaft *s, int32_t u, int32_t v) {
  return (th_lattice_point){s->at.x + u * s->u.x + v * s->v.x, s->at.y + u * s->u.y + v * s->v.y};
}

void th_building_shaft(const th_lift_def *lift, th_lattice_point corner[4]) {
  shaft s = shaft_of(lift);
  corner[0] = in_shaft(&s, 0, 0), corner[1] = in_shaft(&s, s.wide, 0);
  corner[2] = in_shaft(&s, s.wide, s.deep), corner[3] = in_shaft(&s, 0, s.deep);
}

static float speed_of(const th_lift_def *l, const shaft *s, double height) {
  double lane = (double)(s->deep - s->back) / TH_LATTICE;
  double length = 2.0 * sqrt(lane * lane + 0.25 * height * height) + 0.5 * (double)s->wide / TH_LATTICE;
  double factor = length / ((double)l->pace * (height / (double)l->speed + (double)l->wait));
  return (float)(factor < 0.01 ? 0.01 : factor > 10.0 ? 10.0 : factor);
}

/* Both lanes of one storey; the first rises on the right of an agent that enters. */
static bool add_lanes(th_builder *b, const shaft *s, const th_strip *base, uint32_t landing) {
  int32_t half = s->wide / 2, end = s->deep - s->back;
  th_strip *one = add_strip(b);
  if (!one) return false;
  *one = *base;
  one->to = landing;
  one->foot[0] = in_shaft(s, half + s->rail, 0), one->foot[1] = in_shaft(s, s->wide - s->rail, 0);
  one->head[0] = in_shaft(s, half + s->rail, end), one->head[1] = in_shaft(s, s->wide - s->rail, end);
  th_strip *two = add_strip(b);
  if (!two) return false;
  *two = *base;
  two->from = landing;
  two->foot[0] = in_shaft(s, half - s->rail, end), two->foot[1] = in_shaft(s, s->rail, end);
  two->head[0] = in_shaft(s, half - s->rail, 0), two->head[1] = in_shaft(s, s->rail, 0);
  return true;
}

static th_result plan_storey(th_builder *b, uint32_t lift, uint32_t k) {
  const th_lift_def *l = &b->def->lift[lift];
  shaft s = shaft_of(l);
  uint32_t from = storey_of(b, l->level[k]), to = storey_of(b, l->level[k + 1]), terrain = 0;
  double low = b->storey[from].z, high = b->storey[to].z;
  th_terrain kind = {"lift", speed_of(l, &s, high - low), false, 0.0f, 0.0f};
  th_result result = th_building_terrain(b, &kind, &terrain);
  if (result != TH_OK) return result;
  th_storey *landing = add_storey(b);
  if (!landing) return th_fail_memory(b->error, "building");
  *landing = (th_storey){
      .level = TH_NO_LEVEL, .z = 0.5 * (low + high), .terrain = terrain, .edge = edge_of(b, (double)s.back)};
  int32_t end = s.deep - s.back;
  landing->landing[0] = in_shaft(&s, 0, end), landing->landing[1] = in_shaft(&s, s.wide, end);
  landing->landing[2] = in_shaft(&s, s.wide, s.deep), landing->landing[3] = in_shaft(&s, 0, s.deep);
  th_strip base = {.from = from,
                   .to = to,
                   .terrain = terrain,
                   .edge = edge_of(b, 0.5 * s.wide - 2.0 * s.rail),
                   .list = "lift",
                   .element = lift};
  return add_lanes(b, &s, &base, b->storey_count - 1) ? TH_OK : th_fail_memory(b->error, "building");
}

th_result th_building_layout(th_builder *b) {
  const th_building_def *def = b->def;
  b->terrain[b->terrain_count++] = (th_terrain){.name = "floor", .speed = 1.0f};
  for (uint32_t i = 0; i < def->level_count; i++) {
    th_storey *s = add_storey(b);
    if (!s) return th_fail_memory(b->error, "building");
    *s = (th_storey){.level = i,
                     .number = def->level[i].number,
                     .edge = (double)def->edge * TH_LATTICE,
                     .z = (double)def->level[i].z};
  }
  th_result result = TH_OK;
  for (uint32_t i = 0; result == TH_OK && i < def->flight_count; i++) result = plan_flight(b, i);
  for (uint32_t i = 0; result == TH_OK && i < def->lift_count; i++)
    for (uint32_t k = 0; result == TH_OK && k + 1 < def->lift[i].level_count; k++) result = plan_storey(b, i, k);
  return result;
}
