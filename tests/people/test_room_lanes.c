/* tests/people/test_room_lanes.c - room ahead of sixteen people at once: against one at a time in plain code, with the
 * same bits on every instruction set. */
#include <stdlib.h>

#include "people/room_ahead.h"
#include "support/worlds.h"

#define CROWD 60
#define NEAREST 8
#define SIDE 24
#define DT 0.1f

/* People in a square of 6 m with walls somewhere. */
typedef struct crowd {
  float x[CROWD + 16], y[CROWD + 16], vx[CROWD + 16], vy[CROWD + 16], radius[CROWD + 16], share[CROWD + 16];
  uint32_t slot[CROWD + 16], pick[NEAREST * 16];
  float sample[SIDE * SIDE];
  th_guide_answer want[CROWD], own[16]; /* of all, as their guides answer; of the lanes, off walls */
  th_vec2 away[1];                      /* nobody was moved */
  th_order order;
  th_view_source source;
  th_view_scratch room;
  th_bodies bodies;
} crowd;

static const crowd *sorted; /* of by_distance */
static uint32_t sorted_lane;

static float square_to(const crowd *c, uint32_t lane, uint32_t j) {
  float dx = c->x[j] - c->x[lane], dy = c->y[j] - c->y[lane];
  return dx * dx + dy * dy;
}

static int by_distance(const void *a, const void *b) {
  float near = square_to(sorted, sorted_lane, *(const uint32_t *)a);
  float far = square_to(sorted, sorted_lane, *(const uint32_t *)b);
  return (near > far) - (near < far);
}

static void pick_nearest(crowd *c, uint32_t lane, uint32_t count) {
  uint32_t list[CROWD], n = 0;
  for (uint32_t j = 0; j < CROWD; j++)
    if (j != lane) list[n++] = j;
  sorted = c;
  sorted_lane = lane;
  qsort(list, n, sizeof *list, by_distance);
  for (uint32_t k = 0; k < NEAREST; k++) c->pick[k * 16 + lane] = k < count ? list[k] : TH_NO_PICK;
}

static void make_people(crowd *c, uint64_t *random) {
  for (uint32_t j = 0; j < CROWD; j++) {
    float angle = worlds_in(random, 0, 6.28f);
    c->x[j] = worlds_in(random, 0, 6);
    c->y[j] = worlds_in(random, 0, 6);
    c->vx[j] = worlds_in(random, -1, 1);
    c->vy[j] = worlds_in(random, -1, 1);
    c->radius[j] = worlds_in(random, 0.15f, 0.25f);
    c->slot[j] = j;
    c->want[j] = (th_guide_answer){.dx = cosf(angle), .dy = sinf(angle), .left = 9.0f, .state = TH_ANSWER_LEAD};
    if (worlds_below(random, 6) == 0) c->want[j].state = TH_ANSWER_WAIT;
    if (j % 3 == 0) c->want[j].left = 0.1f * (float)(j % 7); /* goals that are near are walked to, beside a wall, too */
  }
}

static void make_lane(crowd *c, uint32_t lane, uint64_t *random) {
  th_view_scratch *room = &c->room;
  float angle = worlds_in(random, 0, 6.28f);
  room->pressure[lane] = fminf(1.0f, worlds_below(random, 3) ? worlds_in(random, 0, 1.5f) : 0.0f);
  room->x[lane] = c->x[lane];
  room->y[lane] = c->y[lane];
  room->vx[lane] = c->vx[lane];
  room->vy[lane] = c->vy[lane];
  room->hx[lane] = cosf(angle);
  room->hy[lane] = sinf(angle);
  room->radius[lane] = c->radius[lane];
  room->body[lane] = c->radius[lane];
  room->people[lane] = worlds_below(random, 8) ? &th_default_people : NULL;
  room->time_gap[lane] = worlds_in(random, 0.1f, 1.0f);
  room->speed[lane] = worlds_in(random, 0, 1.6f);
  room->want[lane] = c->want[lane];
  pick_nearest(c, lane, worlds_below(random, NEAREST + 1));
}

/* Distances to two walls that cross, and to the border, beyond which there is nothing to walk on. */
static void make_clearance(crowd *c, uint64_t *random) {
  const float angle = worlds_in(random, 0, 6.28f), nx = cosf(angle), ny = sinf(angle);
  const float end = 0.25f * (float)(SIDE - 1), px = worlds_in(random, 0, end), py = worlds_in(random, 0, end);
  for (uint32_t i = 0; i < SIDE * SIDE; i++) {
    const float x = 0.25f * (float)(i % SIDE), y = 0.25f * (float)(i / SIDE), dx = x - px, dy = y - py;
    const float border = fminf(fminf(x, end - x), fminf(y, end - y));
    c->sample[i] = fminf(border, fminf(fabsf(nx * dx + ny * dy), fabsf(nx * dy - ny * dx + 1.0f)));
  }
}

static void make(crowd *c, uint64_t seed) {
  uint64_t random = seed;
  memset(c, 0, sizeof *c);
  make_people(c, &random);
  make_clearance(c, &random);
  for (uint32_t lane = 0; lane < 16; lane++) make_lane(c, lane, &random);
  c->order.radius_max = 0.25f;
  th_view_scratch *room = &c->room;
  room->view = (th_view){.lanes = 1 + worlds_below(&random, 16),
                         .x = room->x,
                         .y = room->y,
                         .vx = room->vx,
                         .vy = room->vy,
                         .hx = room->hx,
                         .hy = room->hy,
                         .radius = room->radius,
                         .body = room->body,
                         .people = room->people,
                         .pressure = room->pressure,
                         .time_gap = room->time_gap,
                         .speed = room->speed,
                         .want = room->want,
                         .clearance = {SIDE, SIDE, 0.0f, 0.0f, 0.25f, c->sample},
                         .neighbours = {.count = CROWD,
                                        .x = c->x,
                                        .y = c->y,
                                        .vx = c->vx,
                                        .vy = c->vy,
                                        .radius = c->radius,
                                        .share = c->share,
                                        .slot = c->slot,
                                        .wish = c->want,
                                        .pick = c->pick,
                                        .pick_count = NEAREST},
                         .scratch = room};
  room->bodies = &c->bodies;
  c->source = (th_view_source){.order = &c->order, .columns = {.away = c->away}, .dt = DT};
}

/* ---------------------------------------------------------------- in plain code */

#define p th_default_people

typedef struct direction {
  float x, y, follow, any;
} direction;

/* One of the nearest shortens the directions that it stands in. */
static void meet(const crowd *c, uint32_t lane, float strip, uint32_t j, direction *u) {
  const th_view *view = &c->room.view;
  const th_guide_answer *own = &c->own[lane], *want = &c->want[j];
  float dx = c->x[j] - view->x[lane], dy = c->y[j] - view->y[lane], s = sqrtf(dx * dx + dy * dy);
  float l = view->radius[lane] + c->radius[j];
  float ux = c->vx[j] - view->vx[lane], uy = c->vy[j] - view->vy[lane], away = ux * own->dx + uy * own->dy;
  float ex = want->state == TH_ANSWER_LEAD ? want->dx : 0.0f, ey = want->state == TH_ANSWER_LEAD ? want->dy : 0.0f;
  const float d = dx * own->dx + dy * own->dy + p.beyond;
  const float tx = dx + d * (ex - own->dx), ty = dy + d * (ey - own->dy); /* where it will be */
  const bool ahead = tx * own->dx + ty * own->dy > 0.0f && fabsf(own->dx * ty - own->dy * tx) < p.strip * l;
  float a = dx * own->dx + dy * own->dy, b = own->dx * dy - own->dy * dx; /* along and across the wanted direction */
  for (int k = 0; k < TH_ROOM_DIRECTIONS; k++) {
    const float t = th_room_turn_c[k], r = th_room_turn_s[k], beside = fabsf(r * a - t * b);
    if (!(t * a + r * b > 0.0f)) continue;
    if (beside < p.strip * l) u[k].any = fminf(u[k].any, s - l);
    if (ahead && beside < strip * l) u[k].follow = fminf(u[k].follow, s - l + DT * away);
  }
}

static bool leads_to_wall(const th_view *view, uint32_t lane, const direction *u) {
  const float x = view->x[lane], y = view->y[lane], r = view->radius[lane], feel = 2.0f * r;
  return th_view_clearance(view, x + feel * u->x, y + feel * u->y) < r ||
         th_view_clearance(view, x + 2.0f * feel * u->x, y + 2.0f * feel * u->y) < r;
}

/* Who is pressed and touches a wall turns off it. */
static void do_not_rub(crowd *c, uint32_t lane) {
  const th_view *view = &c->room.view;
  th_guide_answer *own = &c->own[lane];
  const float x = view->x[lane], y = view->y[lane], r = view->radius[lane], near = 0.25f * p.wall_berth;
  const float d = th_view_clearance(view, x, y) - r, k = fminf(1.0f, 1.0f - d / near) / r;
  if (!(d < near) || !(view->pressure[lane] > 0.0f) || own->left < 2.0f * r) return;
  const float gx = th_view_clearance(view, x + 0.5f * r, y) - th_view_clearance(view, x - 0.5f * r, y);
  const float gy = th_view_clearance(view, x, y + 0.5f * r) - th_view_clearance(view, x, y - 0.5f * r);
  const float ex = own->dx + k * gx, ey = own->dy + k * gy, length = sqrtf(ex * ex + ey * ey);
  if (!(length > 0.1f)) return;
  own->dx = ex / length;
  own->dy = ey / length;
}

/* People at ease with nobody close turn to the side that has more room one body ahead. */
static void keep_off_walls(crowd *c, uint32_t lane) {
  const th_view *view = &c->room.view;
  th_guide_answer *own = &c->own[lane];
  if (!view->people[lane] || own->state != TH_ANSWER_LEAD || view->pressure[lane] > 0.0f) return;
  const float r = view->radius[lane], most = r + p.wall_berth, feel = 2.0f * r, aside = 0.5f * p.wall_berth;
  const float x = view->x[lane] + feel * own->dx, y = view->y[lane] + feel * own->dy;
  const float left = fminf(th_view_clearance(view, x - aside * own->dy, y + aside * own->dx), most);
  const float right = fminf(th_view_clearance(view, x + aside * own->dy, y - aside * own->dx), most);
  if (own->left < feel) return;
  const float more = fabsf(left - right) - 0.125f, turn = copysignf(more, left - right) / most;
  const float k = 1.0f / sqrtf(1.0f + turn * turn);
  if (!(more > 0.0f)) return;
  const th_vec2 e = {own->dx, own->dy};
  own->dx = k * (e.x - turn * e.y);
  own->dy = k * (e.y + turn * e.x);
}

/* Every direction that is not the wanted one is felt for walls; the first of the best counts. */
static direction best_direction(const crowd *c, uint32_t lane, const direction *u, float gap) {
  const th_view *view = &c->room.view;
  const float ex = c->own[lane].dx, ey = c->own[lane].dy, hx = view->hx[lane], hy = view->hy[lane];
  const float along = ex * hx + ey * hy, across = ex * hy - ey * hx;
  int best = 0;
  float most = -INFINITY;
  for (int k = 0; k < TH_ROOM_DIRECTIONS; k++) {
    float worth = th_room_turn_c[k] * fminf(view->speed[lane], fmaxf(0.0f, u[k].any / gap));
    worth += p.keep_heading * (th_room_turn_c[k] * along + th_room_turn_s[k] * across) - (k ? p.leave_wanted : 0.0f);
    if (!(worth > most) || (k && leads_to_wall(view, lane, &u[k]))) continue;
    most = worth;
    best = k;
  }
  return u[best];
}

/* How many stand in a strip; many where the ten nearest do not reach as far, and where somebody comes. */
static uint32_t count_in(const crowd *c, uint32_t lane, const direction *u, float wide, float range) {
  const th_view *view = &c->room.view;
  uint32_t count = 0;
  bool known = false;
  for (uint32_t k = 0; k < NEAREST && !known; k++) {
    uint32_t j = c->pick[k * 16 + lane];
    known = j == TH_NO_PICK || !(square_to(c, lane, j) < range * range);
    if (known) break;
    float dx = c->x[j] - view->x[lane], dy = c->y[j] - view->y[lane], l = view->radius[lane] + c->radius[j];
    const th_guide_answer *own = &c->own[lane], *want = &c->want[j];
    if (want->state == TH_ANSWER_LEAD && want->dx * own->dx + want->dy * own->dy < 0.0f) return 100;
    count += dx * u->x + dy * u->y > 0.0f && fabsf(dx * u->y - dy * u->x) < wide * l;
  }
  return known ? count : 100;
}

/* Round somebody slow, at 1 rad or straight to a side. */
static bool round_somebody(const crowd *c, uint32_t lane, direction *best) {
  static const float turn[4][2] = {{0.54030231f, -0.84147098f}, {0.54030231f, 0.84147098f}, {0, -1}, {0, 1}};
  const float ex = c->own[lane].dx, ey = c->own[lane].dy;
  for (int k = 0; k < 4; k++) {
    const direction u = {turn[k][0] * ex - turn[k][1] * ey, turn[k][1] * ex + turn[k][0] * ey, 0.0f, 0.0f};
    if (count_in(c, lane, &u, 0.82f, p.round_room) > 0 || leads_to_wall(&c->room.view, lane, &u)) continue;
    *best = u;
    return true;
  }
  return false;
}

/* The direction and the speed of one person; `want` when it keeps its wish. */
static direction one_by_one(crowd *c, uint32_t lane, float *speed) {
  const th_view *view = &c->room.view;
  c->own[lane] = c->want[lane];
  if (view->people[lane] && c->want[lane].state == TH_ANSWER_LEAD) do_not_rub(c, lane);
  const float ex = c->own[lane].dx, ey = c->own[lane].dy, pressure = c->room.pressure[lane];
  const float gap = view->time_gap[lane] * (1.0f - (1.0f - p.hurry) * pressure);
  direction u[TH_ROOM_DIRECTIONS] = {{ex, ey, 0.0f, 0.0f}};
  *speed = view->speed[lane];
  if (!view->people[lane] || c->want[lane].state != TH_ANSWER_LEAD) return u[0];
  float strip = p.strip_pressed + (p.strip - p.strip_pressed) * (1.0f - pressure);
  for (int k = 0; k < TH_ROOM_DIRECTIONS; k++) {
    const float t = th_room_turn_c[k], s = th_room_turn_s[k];
    u[k] = (direction){t * ex - s * ey, s * ex + t * ey, INFINITY, INFINITY};
  }
  bool alone = true;
  for (uint32_t k = 0; k < NEAREST && c->pick[k * 16 + lane] != TH_NO_PICK; k++) {
    uint32_t j = c->pick[k * 16 + lane];
    float far = view->radius[lane] + view->speed[lane] * gap + c->radius[j];
    if (!(square_to(c, lane, j) < far * far)) continue;
    meet(c, lane, strip, j, u);
    alone = false;
  }
  direction best = best_direction(c, lane, u, gap);
  if (alone && best.x == ex && best.y == ey) {
    keep_off_walls(c, lane);
    best = (direction){c->own[lane].dx, c->own[lane].dy, INFINITY, INFINITY};
  }
  const float most = fmaxf(0.0f, best.follow / gap);
  if (pressure == 1.0f && most < p.hindered * *speed && round_somebody(c, lane, &best)) return best;
  *speed = fminf(*speed, most);
  return best;
}

/* What was read of the nearest is kept for a model. */
static uint32_t check_kept(const crowd *c) {
  uint32_t kept = 0;
  for (uint32_t lane = 0; lane < 16; lane++)
    for (uint32_t k = 0; k < c->bodies.kept_count[lane / 4]; k++, kept++) {
      const uint32_t j = c->pick[k * 16 + lane];
      const th_lane_bodies *b = &c->bodies.kept[k];
      if (j == TH_NO_PICK) continue;
      assert_true(b->x[lane] == c->x[j] && b->y[lane] == c->y[j] && b->vx[lane] == c->vx[j] &&
                  b->vy[lane] == c->vy[j] && b->radius[lane] == c->radius[j] && b->share[lane] == c->share[j]);
    }
  return kept;
}

static void lanes_are_people_one_by_one(void **state) {
  (void)state;
  uint32_t turned = 0, slowed = 0, kept = 0, stepped = 0;
  for (uint64_t seed = 1; seed <= 2000; seed++) {
    static crowd c;
    for (th_simd simd = TH_SIMD_FOUR; simd <= th_simd_level(); simd++) {
      float speed[16];
      direction expected[16];
      make(&c, seed);
      c.source.simd = simd;
      for (uint32_t lane = 0; lane < c.room.view.lanes; lane++) expected[lane] = one_by_one(&c, lane, &speed[lane]);
      th_room_look_ahead(&c.room, &c.source);
      kept += check_kept(&c);
      for (uint32_t lane = 0; lane < c.room.view.lanes; lane++) {
        const th_guide_answer *got = &c.room.view.want[lane];
        if (c.room.people[lane] && c.want[lane].state != TH_ANSWER_LEAD) continue; /* it may step aside */
        if (got->dx != expected[lane].x || got->dy != expected[lane].y || c.room.speed[lane] != speed[lane])
          fail_msg("seed %u, lane %u: %g, %g at %g instead of %g, %g at %g", (unsigned)seed, lane, (double)got->dx,
                   (double)got->dy, (double)c.room.speed[lane], (double)expected[lane].x, (double)expected[lane].y,
                   (double)speed[lane]);
        turned += got->dx != c.want[lane].dx;
        stepped += got->dx != c.want[lane].dx && got->dx * c.want[lane].dx + got->dy * c.want[lane].dy < 0.6f;
        slowed += c.room.speed[lane] == 0.0f;
      }
    }
  }
  assert_true(turned > 1000 && slowed > 1000 && kept > 1000 && stepped > 20);
}

/* A view may read the answers of the world itself: they stay as they are, and people do the same. */
static void answers_of_the_world_are_left_alone(void **state) {
  (void)state;
  uint32_t aside = 0;
  for (uint64_t seed = 1; seed <= 200; seed++) {
    static crowd own, reads;
    th_guide_answer shared[16];
    make(&own, seed);
    make(&reads, seed);
    own.source.simd = reads.source.simd = th_simd_level();
    memcpy(shared, reads.want, sizeof shared);
    memset(reads.room.want, 0, sizeof reads.room.want);
    reads.room.view.want = shared;
    th_room_look_ahead(&own.room, &own.source);
    th_room_look_ahead(&reads.room, &reads.source);
    assert_memory_equal(shared, reads.want, sizeof shared);
    for (uint32_t lane = 0; lane < own.room.view.lanes; lane++) {
      const th_guide_answer *a = &own.room.view.want[lane], *b = &reads.room.view.want[lane];
      if (a->dx != b->dx || a->dy != b->dy || a->state != b->state || own.room.speed[lane] != reads.room.speed[lane])
        fail_msg("seed %u, lane %u", (unsigned)seed, lane);
      aside += own.want[lane].state != TH_ANSWER_LEAD && a->state == TH_ANSWER_LEAD;
    }
  }
  assert_true(aside > 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lanes_are_people_one_by_one),
      cmocka_unit_test(answers_of_the_world_are_left_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
