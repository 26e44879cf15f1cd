/* tests/support/random_plan.h - floor plans that nobody chose: a function of the seed alone.
 *
 * A floor is a rectangle that walls and corridors cut again and again; each wall gets doors of 0.8 to 2.4 m where both
 * sides are open, so all of a floor is joined (by induction over the cuts). Rooms are then furnished: rows of seats,
 * pillars, a court, blocks; nothing stands before a door. One to three exits lead outside. A quarter of the plans has a
 * second floor beside which stairs or ramps run, and half of them lie at an angle to the raster. Cost: microseconds.
 *
 *   random_plan p;  random_plan_make(&p, seed);   support/plan_scene.h writes it as a scene
 */
#ifndef TH_TESTS_SUPPORT_RANDOM_PLAN_H
#define TH_TESTS_SUPPORT_RANDOM_PLAN_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { PLAN_SOLIDS = 512, PLAN_ROOMS = 40, PLAN_DOORS = 80, PLAN_EXITS = 3, PLAN_FLIGHTS = 2, PLAN_PIECES = 12 };
#define PLAN_WALL 0.2   /* thickness [m] */
#define PLAN_BEFORE 1.0 /* free of everything before and behind a door [m] */
#define PLAN_PASS 0.8   /* least gap between furniture and anything else, but for rows of seats [m] */

typedef struct plan_rect {
  double x0, y0, x1, y1;
} plan_rect;

typedef struct plan_solid {
  plan_rect at;
  bool round; /* the octagon in the rectangle */
} plan_solid;

typedef struct plan_room {
  plan_rect at;
  bool corridor;
  double free; /* area that no furniture takes [m2] */
} plan_room;

typedef struct plan_floor {
  plan_rect at, outline[PLAN_PIECES], before[PLAN_DOORS];
  plan_solid solid[PLAN_SOLIDS];
  plan_room room[PLAN_ROOMS];
  uint32_t outlines, solids, rooms, befores;
  double narrowest; /* of its doors [m] */
} plan_floor;

typedef struct plan_exit {
  double width;
  plan_rect outside; /* where people have left */
  bool across;       /* the door is passed along x */
} plan_exit;

typedef struct plan_flight {
  plan_rect at; /* it rises to the east */
  bool ramp;
} plan_flight;

typedef struct random_plan {
  uint64_t seed, state;
  plan_floor floor[2];
  plan_exit exit[PLAN_EXITS];
  plan_flight flight[PLAN_FLIGHTS];
  uint32_t floors, exits, flights;
  uint32_t people; /* 20 to 400 */
  double turn;     /* tangent of half the angle against the raster */
  double x, y;     /* shift against the raster [m] */
  bool full;       /* no more room in an array: such a draw is made again */
} random_plan;

static inline uint64_t plan_bits(random_plan *p) { /* splitmix64 */
  uint64_t z = (p->state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static inline double plan_in(random_plan *p, double min, double max) {
  return min + (max - min) * (double)(plan_bits(p) >> 11) / 9007199254740992.0;
}

static inline bool plan_chance(random_plan *p, double chance) { return plan_in(p, 0.0, 1.0) < chance; }

static inline bool plan_meet(const plan_rect *a, const plan_rect *b, double gap) {
  return a->x0 < b->x1 + gap && b->x0 < a->x1 + gap && a->y0 < b->y1 + gap && b->y0 < a->y1 + gap;
}

static inline double plan_area(const plan_rect *r) { return (r->x1 - r->x0) * (r->y1 - r->y0); }

/* A rectangle by its extent along and across an axis. */
static inline plan_rect plan_along(bool x, double a0, double a1, double b0, double b1) {
  return x ? (plan_rect){a0, b0, a1, b1} : (plan_rect){b0, a0, b1, a1};
}

static inline void plan_add_solid(random_plan *p, plan_floor *f, plan_rect at, bool round) {
  if (f->solids == PLAN_SOLIDS) p->full = true;
  if (!p->full) f->solid[f->solids++] = (plan_solid){at, round};
}

static inline void plan_add_room(random_plan *p, plan_floor *f, const plan_rect *at, bool corridor) {
  if (f->rooms == PLAN_ROOMS) p->full = true;
  if (!p->full) f->room[f->rooms++] = (plan_room){*at, corridor, plan_area(at)};
}

static inline void plan_add_outline(random_plan *p, plan_floor *f, plan_rect at) {
  if (f->outlines == PLAN_PIECES) p->full = true;
  if (!p->full) f->outline[f->outlines++] = at;
}

/* ---------------------------------------------------------------- doors */

static inline bool plan_is_open(const plan_floor *f, const plan_rect *before) {
  for (uint32_t k = 0; k < f->solids; k++)
    if (plan_meet(&f->solid[k].at, before, 0.0)) return false;
  for (uint32_t k = 0; k < f->befores; k++)
    if (plan_meet(&f->before[k], before, 0.0)) return false;
  return true;
}

/* Finds a place for a door in a wall: `x`: the wall runs along x, from a0 to a1, and is from b0 to b1 thick. False:
 * every try met another wall or door. */
static inline bool plan_find_door(random_plan *p, plan_floor *f, bool x, const double a[2], const double b[2],
                                  double door[2]) {
  for (uint32_t k = 0; k < 80; k++) {
    const double most = fmin(2.4, a[1] - a[0]), width = k < 40 && most > 0.8 ? plan_in(p, 0.8, most) : 0.8;
    if (a[1] - a[0] < width) return false;
    const double at = plan_in(p, a[0], a[1] - width);
    const plan_rect before = plan_along(x, at, at + width, b[0] - PLAN_BEFORE, b[1] + PLAN_BEFORE);
    if (!plan_is_open(f, &before) || f->befores == PLAN_DOORS) continue;
    f->before[f->befores++] = before;
    f->narrowest = fmin(f->narrowest, width);
    door[0] = at, door[1] = at + width;
    return true;
  }
  return false;
}

/* A wall with one to `most` doors. */
static inline void plan_add_wall(random_plan *p, plan_floor *f, bool x, const plan_rect *at, uint32_t most) {
  const double a[2] = {x ? at->x0 : at->y0, x ? at->x1 : at->y1}, b[2] = {x ? at->y0 : at->x0, x ? at->y1 : at->x1};
  double door[4][2];
  uint32_t count = 0;
  for (uint32_t k = 0; k < most && (k == 0 || plan_chance(p, 0.4)); k++)
    count += plan_find_door(p, f, x, a, b, door[count]);
  if (count == 0) p->full = true;
  double from = a[0];
  while (count > 0 && !p->full) { /* pieces between the doors, from the left to the right */
    uint32_t next = 0;
    for (uint32_t k = 1; k < count; k++) next = door[k][0] < door[next][0] ? k : next;
    if (door[next][0] - from > 0.05) plan_add_solid(p, f, plan_along(x, from, door[next][0], b[0], b[1]), false);
    from = door[next][1];
    memcpy(door[next], door[--count], sizeof door[next]);
  }
  if (a[1] - from > 0.05) plan_add_solid(p, f, plan_along(x, from, a[1], b[0], b[1]), false);
}

/* ---------------------------------------------------------------- rooms */

/* Cuts the longer side by a wall, or by a corridor, until rooms are small or chance ends it. */
static inline void plan_cut(random_plan *p, plan_floor *f, const plan_rect *at, uint32_t depth) {
  const bool x = at->x1 - at->x0 > at->y1 - at->y0;
  const double a0 = x ? at->x0 : at->y0, a1 = x ? at->x1 : at->y1, b0 = x ? at->y0 : at->x0, b1 = x ? at->y1 : at->x1;
  if (depth == 0 || a1 - a0 < 9.0 || plan_chance(p, 0.12)) {
    plan_add_room(p, f, at, false);
    return;
  }
  const double middle = a0 + (a1 - a0) * plan_in(p, 0.35, 0.65);
  const bool corridor = a1 - a0 > 12.0 && plan_chance(p, 0.45);
  const double half = corridor ? plan_in(p, 0.7, 1.5) : 0.0;
  const double cut[4] = {middle - half - PLAN_WALL, middle - half, middle + half, middle + half + PLAN_WALL};
  const plan_rect left = plan_along(x, a0, cut[0], b0, b1),
                  right = plan_along(x, corridor ? cut[3] : cut[1], a1, b0, b1);
  const plan_rect between = plan_along(x, cut[1], cut[2], b0, b1);
  const plan_rect wall[2] = {plan_along(x, cut[0], cut[1], b0, b1), plan_along(x, cut[2], cut[3], b0, b1)};
  plan_cut(p, f, &left, depth - 1);
  plan_cut(p, f, &right, depth - 1);
  if (corridor) plan_add_room(p, f, &between, true);
  for (uint32_t k = 0; k < (corridor ? 2u : 1u); k++) plan_add_wall(p, f, !x, &wall[k], corridor ? 4 : 2);
}

/* ---------------------------------------------------------------- furniture */

static inline bool plan_is_before_door(const plan_floor *f, const plan_rect *at) {
  for (uint32_t k = 0; k < f->befores; k++)
    if (plan_meet(&f->before[k], at, 0.0)) return true;
  return false;
}

static inline void plan_put(random_plan *p, plan_floor *f, plan_room *room, const plan_rect *at, bool round) {
  room->free -= plan_area(at);
  plan_add_solid(p, f, *at, round);
}

/* Rows along one side of the room, with aisles; they may touch the wall at the other end, and may be cut by a middle
 * aisle. A row before a door is left out. */
static inline void plan_seats(random_plan *p, plan_floor *f, plan_room *room) {
  const bool x = plan_chance(p, 0.5);
  const plan_rect *r = &room->at;
  const double a0 = x ? r->x0 : r->y0, a1 = x ? r->x1 : r->y1, b0 = x ? r->y0 : r->x0, b1 = x ? r->y1 : r->x1;
  const double deep = plan_in(p, 0.35, 0.5), gap = plan_in(p, 0.6, 0.9), aisle = plan_in(p, 0.9, 2.2);
  const bool both = plan_chance(p, 0.4), split = a1 - a0 > 8.0 && plan_chance(p, 0.3), far = plan_chance(p, 0.5);
  const double from = a0 + (far || both ? aisle : 0.0), to = a1 - (!far || both ? aisle : 0.0);
  const double half = plan_in(p, 0.5, 0.9), middle = split ? 0.5 * (from + to) : to + half;
  for (double b = b0 + plan_in(p, 1.0, 2.0); b + deep + gap <= b1; b += deep + gap) {
    const plan_rect row[2] = {plan_along(x, from, fmin(to, middle - half), b, b + deep),
                              plan_along(x, middle + half, to, b, b + deep)};
    for (uint32_t k = 0; k < (split ? 2u : 1u); k++)
      if (!plan_is_before_door(f, &row[k])) plan_put(p, f, room, &row[k], false);
  }
}

/* Pillars or blocks of up to `size`, with room to pass round each. */
static inline void plan_scatter(random_plan *p, plan_floor *f, plan_room *room, double size, bool round) {
  const plan_rect *r = &room->at;
  const uint32_t tries = 2 + (uint32_t)plan_in(p, 0.0, 12.0);
  for (uint32_t k = 0; k < tries; k++) {
    const double w = plan_in(p, 0.3, size), h = round ? w : plan_in(p, 0.3, size);
    if (r->x1 - r->x0 < w + 2 * PLAN_PASS || r->y1 - r->y0 < h + 2 * PLAN_PASS) continue;
    const double x = plan_in(p, r->x0 + PLAN_PASS, r->x1 - PLAN_PASS - w);
    const double y = plan_in(p, r->y0 + PLAN_PASS, r->y1 - PLAN_PASS - h);
    const plan_rect at = {x, y, x + w, y + h};
    bool open = !plan_is_before_door(f, &at);
    for (uint32_t s = 0; s < f->solids && open; s++) open = !plan_meet(&f->solid[s].at, &at, PLAN_PASS);
    if (open) plan_put(p, f, room, &at, round);
  }
}

/* A court in the middle: what is left of the room runs round it. */
static inline void plan_court(random_plan *p, plan_floor *f, plan_room *room) {
  const double ring = plan_in(p, 1.2, 2.4);
  const plan_rect *r = &room->at, at = {r->x0 + ring, r->y0 + ring, r->x1 - ring, r->y1 - ring};
  if (at.x1 - at.x0 > 1.0 && at.y1 - at.y0 > 1.0 && !plan_is_before_door(f, &at)) plan_put(p, f, room, &at, false);
}

static inline void plan_furnish(random_plan *p, plan_floor *f) {
  for (uint32_t k = 0; k < f->rooms; k++) {
    plan_room *room = &f->room[k];
    const double side = fmin(room->at.x1 - room->at.x0, room->at.y1 - room->at.y0), kind = plan_in(p, 0.0, 1.0);
    if (room->corridor || kind < 0.25) continue;
    if (kind < 0.55 && side > 4.5)
      plan_seats(p, f, room);
    else if (kind < 0.7 && side > 6.0)
      plan_court(p, f, room);
    else if (kind < 0.85)
      plan_scatter(p, f, room, 0.8, true);
    else
      plan_scatter(p, f, room, 2.5, false);
  }
}

/* ---------------------------------------------------------------- the whole */

/* A door in an outer wall; a neck through it reaches from the floor into what lies outside. */
static inline bool plan_pierce(random_plan *p, plan_floor *f, int side, const double a[2], double door[2]) {
  const bool x = side < 2, high = side % 2 == 1;
  const plan_rect *r = &f->at;
  const double edge = x ? (high ? r->y1 : r->y0) : (high ? r->x1 : r->x0);
  const double b[2] = {high ? edge : edge - PLAN_WALL, high ? edge + PLAN_WALL : edge};
  if (!plan_find_door(p, f, x, a, b, door)) return false;
  plan_add_outline(p, f, plan_along(x, door[0], door[1], b[0] - 0.3, b[1] + 0.3));
  return true;
}

static inline void plan_add_exit(random_plan *p, plan_floor *f, int side) {
  const bool x = side < 2, high = side % 2 == 1;
  const plan_rect *r = &f->at;
  const double a[2] = {(x ? r->x0 : r->y0) + 1.0, (x ? r->x1 : r->y1) - 1.0};
  double door[2];
  if (!plan_pierce(p, f, side, a, door)) return;
  const double edge = x ? (high ? r->y1 : r->y0) : (high ? r->x1 : r->x0), deep = high ? 1.0 : -1.0;
  const double near = edge + PLAN_WALL * deep, end = edge + 2.4 * deep;
  const plan_rect out = plan_along(x, door[0] - 1.0, door[1] + 1.0, fmin(near, end), fmax(near, end));
  for (uint32_t k = 0; k < p->exits; k++)
    if (plan_meet(&p->exit[k].outside, &out, 0.5)) p->full = true;
  plan_add_outline(p, f, out);
  p->exit[p->exits++] = (plan_exit){door[1] - door[0], out, !x};
}

/* Stairs or a ramp along the upper or the lower side of the building, outside, between a landing on each floor. */
static inline void plan_add_flight(random_plan *p, int side) {
  const plan_rect *r = &p->floor[0].at;
  const double length = plan_in(p, 4.5, 6.5), width = plan_in(p, 1.2, 2.4),
               landing = fmax(1.4, plan_in(p, 0.9, 1.3) * width);
  const double from = plan_in(p, r->x0 + landing, r->x1 - landing - length);
  const double near = side ? r->y1 + PLAN_WALL : r->y0 - PLAN_WALL, up = side ? 1.0 : -1.0;
  const double end[2] = {near + 0.3 * up, near + (0.3 + width) * up};
  const double y0 = fmin(end[0], end[1]), y1 = fmax(end[0], end[1]);
  for (uint32_t k = 0; k < 2; k++) {
    const double a[2] = {k ? from + length : from - landing, k ? from + length + landing : from};
    double door[2];
    if (!plan_pierce(p, &p->floor[k], side, a, door)) p->full = true;
    plan_add_outline(p, &p->floor[k], (plan_rect){a[0], fmin(near, y0), a[1], fmax(near, y1)});
  }
  p->flight[p->flights++] = (plan_flight){{from, y0, from + length, y1}, plan_chance(p, 0.3)};
}

static inline void plan_draw(random_plan *p) {
  p->people = (uint32_t)(20.0 * exp2(plan_in(p, 0.0, log2(400.5 / 20.0))));
  p->floors = plan_chance(p, 0.25) ? 2 : 1;
  const double area = fmin(900.0, fmax(110.0, p->people / plan_in(p, 0.3, 1.1) / p->floors));
  const double shape = plan_in(p, 0.6, 2.0), width = fmax(p->floors == 2 ? 12.5 : 9.0, sqrt(area * shape));
  const plan_rect at = {0.0, 0.0, width, fmax(8.0, area / width)};
  for (uint32_t k = 0; k < p->floors; k++) {
    plan_floor *f = &p->floor[k];
    f->at = at, f->narrowest = 2.4;
    plan_add_outline(p, f, at);
    plan_cut(p, f, &at, 4);
  }
  const uint32_t flights = p->floors == 1 ? 0 : plan_chance(p, 0.4) ? 2 : 1, exits = 1 + (uint32_t)plan_in(p, 0.0, 3.0);
  for (uint32_t k = 0; k < flights; k++) plan_add_flight(p, k == 0);
  for (uint32_t k = 0; k < exits; k++) plan_add_exit(p, &p->floor[0], (int)plan_in(p, p->floors == 2 ? 2.0 : 0.0, 4.0));
  for (uint32_t k = 0; k < p->floors; k++) plan_furnish(p, &p->floor[k]);
  p->turn = plan_chance(p, 0.5) ? 0.0 : plan_in(p, -0.4, 0.4);
  p->x = plan_in(p, 0.0, 1.0), p->y = plan_in(p, 0.0, 1.0);
}

/* A draw in which a wall finds no place for its door, or outsides overlap, is thrown away: the next one follows. */
static inline void random_plan_make(random_plan *p, uint64_t seed) {
  uint64_t state = seed * 0x2545f4914f6cdd1du;
  do {
    memset(p, 0, sizeof *p);
    p->seed = seed, p->state = ++state;
    plan_draw(p);
  } while (p->full || p->exits == 0);
}

/* From the plan to the ground. */
static inline void random_plan_place(const random_plan *p, double x, double y, double to[2]) {
  const double t = p->turn, c = (1 - t * t) / (1 + t * t), s = 2 * t / (1 + t * t);
  to[0] = p->x + c * x - s * y, to[1] = p->y + s * x + c * y;
}

#endif
