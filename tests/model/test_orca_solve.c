/* tests/model/test_orca_solve.c - half-planes and programmes of the model orca, against brute force; both back-ends and
 * all instruction sets give the same bits, whatever the companions of a lane. */
#include "model/orca/solve.h"
#include "support/orca_reference.h"
#include "support/worlds.h"

#define CROWD 24

/* Sixteen agents and what they see, made by hand: the agents themselves are candidates 0 to 15. */
typedef struct sight {
  float x[16], y[16], vx[16], vy[16], radius[16], speed_max[16];
  uint32_t slot[16], pick[TH_MAX_NEAREST * 16];
  float nx[CROWD + 16], ny[CROWD + 16], nvx[CROWD + 16], nvy[CROWD + 16], nradius[CROWD + 16], nshare[CROWD + 16];
  uint32_t nslot[CROWD + 16];
  th_segment wall[8];
  th_orca_wall room[8];
  float wall_rate[16], distance[16];
  th_view view;
  th_bodies bodies;
  th_orca_batch batch;
} sight;

typedef struct sight_def {
  uint32_t neighbours; /* of each lane */
  float spread, radius, speed;
  bool shares, sides, walls;
  uint32_t soft; /* 1: all lanes, 2: every other one */
} sight_def;

static void pick_for(sight *s, uint32_t lane, uint32_t neighbours, uint64_t *random) {
  uint32_t from = worlds_below(random, CROWD);
  for (uint32_t k = 0; k < TH_MAX_NEAREST; k++) {
    uint32_t other = (from + k) % CROWD;
    s->pick[k * 16 + lane] = k < neighbours && other != lane ? other : TH_NO_PICK;
    if (other == lane) neighbours = k; /* the list ends where the lane itself would be */
  }
}

static float square_to(const sight *s, uint32_t lane, uint32_t other) {
  float dx = s->nx[other] - s->nx[lane], dy = s->ny[other] - s->ny[lane];
  return dx * dx + dy * dy;
}

/* As views have them. */
static void sort_picks(sight *s, uint32_t lane) {
  for (uint32_t k = 1; k < TH_MAX_NEAREST && s->pick[k * 16 + lane] != TH_NO_PICK; k++) {
    uint32_t moved = s->pick[k * 16 + lane], at = k;
    for (; at && square_to(s, lane, s->pick[(at - 1) * 16 + lane]) > square_to(s, lane, moved); at--)
      s->pick[at * 16 + lane] = s->pick[(at - 1) * 16 + lane];
    s->pick[at * 16 + lane] = moved;
  }
}

static void set_lane(sight *s, const sight_def *def, uint32_t lane, uint64_t *random) {
  th_orca_batch *b = &s->batch;
  float angle = worlds_in(random, -3.14f, 3.14f), speed = worlds_in(random, 0.0f, 1.9f);
  s->x[lane] = s->nx[lane];
  s->y[lane] = s->ny[lane];
  s->vx[lane] = s->nvx[lane];
  s->vy[lane] = s->nvy[lane];
  s->radius[lane] = s->nradius[lane];
  s->slot[lane] = s->nslot[lane];
  s->speed_max[lane] = 2.0f;
  b->ux[lane] = cosf(angle);
  b->uy[lane] = sinf(angle);
  b->wx[lane] = b->ux[lane] * speed;
  b->wy[lane] = b->uy[lane] * speed;
  b->inverse_horizon[lane] = 1.0f / worlds_in(random, 0.5f, 5.0f);
  b->reach2[lane] = 1e4f;
  b->side[lane] = def->sides ? (float)worlds_below(random, 3) - 1.0f : 0.0f;
  b->neighbours[lane] = TH_MAX_NEAREST;
  b->soft[lane] = def->soft == 1 || (def->soft == 2 && lane % 2);
  s->wall_rate[lane] = 1.0f / worlds_in(random, 0.5f, 3.0f);
  s->distance[lane] = 20.0f;
  pick_for(s, lane, def->neighbours, random);
  sort_picks(s, lane);
}

static void set_walls(sight *s, uint64_t *random) {
  s->view.wall_count = 8;
  for (uint32_t i = 0; i < 8; i++) { /* a chain, so that corners of both kinds come up */
    th_segment *w = &s->wall[i], *before = i ? &s->wall[i - 1] : NULL;
    w->ax = before ? before->bx : worlds_in(random, -6, 6);
    w->ay = before ? before->by : worlds_in(random, -6, 6);
    w->bx = w->ax + worlds_in(random, -3, 3);
    w->by = w->ay + worlds_in(random, -3, 3);
  }
  th_orca_find_walls(&s->batch, s->room, s->wall_rate, s->distance);
}

static void look_around(sight *s, const sight_def *def, uint64_t seed) {
  uint64_t random = seed;
  memset(s, 0, sizeof *s);
  for (uint32_t i = 0; i < CROWD; i++) {
    s->nx[i] = worlds_in(&random, -def->spread, def->spread);
    s->ny[i] = worlds_in(&random, -def->spread, def->spread);
    s->nvx[i] = worlds_in(&random, -def->speed, def->speed);
    s->nvy[i] = worlds_in(&random, -def->speed, def->speed);
    s->nradius[i] = def->radius * worlds_in(&random, 0.8f, 1.2f);
    s->nshare[i] = def->shares ? 0.25f * (float)worlds_below(&random, 5) : 0.5f;
    s->nslot[i] = 10 + 3 * i;
  }
  s->view = (th_view){.lanes = 16,
                      .slot = s->slot,
                      .x = s->x,
                      .y = s->y,
                      .vx = s->vx,
                      .vy = s->vy,
                      .radius = s->radius,
                      .body = s->radius,
                      .speed_max = s->speed_max,
                      .wall = s->wall,
                      .neighbours = {.count = CROWD,
                                     .x = s->nx,
                                     .y = s->ny,
                                     .vx = s->nvx,
                                     .vy = s->nvy,
                                     .radius = s->nradius,
                                     .share = s->nshare,
                                     .slot = s->nslot,
                                     .pick = s->pick,
                                     .pick_count = TH_MAX_NEAREST}};
  s->batch.body = s->bodies.kept;
  s->batch.view = &s->view;
  s->batch.inverse_dt = 1e4f; /* bodies that are apart cannot meet within the step */
  for (uint32_t lane = 0; lane < 16; lane++) set_lane(s, def, lane, &random);
  if (def->walls) set_walls(s, &random);
}

/* As th_view_bodies finds them: people's layer has read the nearest `count` of each lane, the rest is not read. */
static void read_nearest(sight *s, uint32_t count, th_simd simd) {
  s->bodies.laid = false;
  for (uint32_t k = 0; k < count; k++)
    for (uint32_t lane = 0; lane < 16; lane++) {
      const uint32_t i = s->pick[k * 16 + lane] == TH_NO_PICK ? CROWD : s->pick[k * 16 + lane];
      th_lane_bodies *body = &s->bodies.kept[k];
      body->x[lane] = s->nx[i], body->y[lane] = s->ny[i], body->vx[lane] = s->nvx[i], body->vy[lane] = s->nvy[i];
      body->radius[lane] = s->nradius[i], body->share[lane] = s->nshare[i];
    }
  for (uint32_t q = 0; q < 4; q++) s->bodies.kept_count[q] = count;
  TH_LANES_PICK(simd, th_bodies_fill)(&s->bodies, &s->view.neighbours, TH_MAX_NEAREST);
}

static void solve_lanes(sight *s) {
  read_nearest(s, 0, th_simd_level());
  TH_LANES_PICK(th_simd_level(), th_orca_solve)(&s->batch);
}

static ref_body body_of(const sight *s, uint32_t i) {
  return (ref_body){
      {(double)s->nx[i], (double)s->ny[i]}, {(double)s->nvx[i], (double)s->nvy[i]}, (double)s->nradius[i]};
}

/* Lines of one lane by definition; returns how many. */
static uint32_t reference_lines(const sight *s, uint32_t lane, ref_line *line, int *kind) {
  uint32_t count = 0;
  ref_body own = body_of(s, lane);
  double horizon = 1.0 / (double)s->batch.inverse_horizon[lane], dt = 1.0 / (double)s->batch.inverse_dt;
  for (uint32_t k = 0; k < TH_MAX_NEAREST && s->pick[k * 16 + lane] != TH_NO_PICK; k++, count++) {
    uint32_t i = s->pick[k * 16 + lane];
    ref_body other = body_of(s, i);
    double a = (double)s->nshare[lane], b = (double)s->nshare[i], part = a + b > 0.0 ? a / (a + b) : 0.5;
    line[count] = ref_half_plane(&own, &other, horizon, dt, 0.0, kind);
    ref_line full = ref_half_plane(&own, &other, horizon, dt, 1.0, kind);
    ref_vec u = ref_sub(full.p, line[count].p);
    bool collides = ref_det(full.d, u) > 0.0; /* what is ours: of the avoidance, or of the gap that is left */
    line[count].p = ref_add(own.v, collides ? part : 1.0 - part, u);
  }
  return count;
}

static ref_vec wanted_of(const sight *s, uint32_t lane) {
  return (ref_vec){(double)s->batch.wx[lane], (double)s->batch.wy[lane]};
}

/* One neighbour: the velocity is the wanted one, or its foot on the half-plane's line. All four cases come up. */
/* shows: PLAN-33 */
static void half_planes(void **state) {
  (void)state;
  static sight s;
  uint32_t seen[REF_CASES] = {0}, moved[REF_CASES] = {0};
  for (uint64_t seed = 1; seed <= 300; seed++) {
    look_around(&s, &(sight_def){.neighbours = 1, .spread = 1.5f, .radius = 0.3f, .speed = 1.4f, .shares = seed % 2},
                seed);
    s.batch.inverse_dt = 10.0f;
    solve_lanes(&s);
    for (uint32_t lane = 0; lane < 16; lane++) {
      ref_line line[2];
      ref_vec v, wanted = wanted_of(&s, lane);
      int kind = REF_DISC;
      if (!reference_lines(&s, lane, line, &kind) || !ref_best(line, 1, wanted, 2.0, &v)) continue;
      seen[kind]++;
      moved[kind] += ref_norm(ref_sub(v, wanted)) > 1e-3;
      if (hypot(v.x - (double)s.batch.vx[lane], v.y - (double)s.batch.vy[lane]) > 2e-3)
        fail_msg("seed %llu, lane %u, case %d: (%g, %g), not (%g, %g)", (unsigned long long)seed, lane, kind,
                 (double)s.batch.vx[lane], (double)s.batch.vy[lane], v.x, v.y);
    }
  }
  for (int kind = 0; kind < REF_CASES; kind++) assert_true(seen[kind] > 100 && moved[kind] > 20);
}

/* Several neighbours that leave something: the nearest permitted velocity, as brute force finds it. */
/* shows: PLAN-34 */
static void nearest_velocity(void **state) {
  (void)state;
  static sight s;
  uint32_t feasible = 0, changed = 0;
  for (uint64_t seed = 1; seed <= 150; seed++) {
    look_around(&s, &(sight_def){.neighbours = 8, .spread = 4.0f, .radius = 0.2f, .speed = 1.0f}, seed);
    solve_lanes(&s);
    for (uint32_t lane = 0; lane < 16; lane++) {
      ref_line line[TH_MAX_NEAREST];
      ref_vec v, wanted = wanted_of(&s, lane), found = {(double)s.batch.vx[lane], (double)s.batch.vy[lane]};
      int kind;
      uint32_t count = reference_lines(&s, lane, line, &kind);
      assert_true(ref_norm(found) <= 2.0001);
      if (!ref_best(line, count, wanted, 2.0, &v)) continue;
      feasible++;
      changed += ref_norm(ref_sub(v, wanted)) > 0.05;
      double far = ref_norm(ref_sub(found, wanted)), best = ref_norm(ref_sub(v, wanted));
      if (ref_deepest(line, count, found) > 1e-3 || far > best + 5e-3)
        fail_msg("seed %llu, lane %u: %g from the wanted one, not %g; depth %g", (unsigned long long)seed, lane, far,
                 best, ref_deepest(line, count, found));
    }
  }
  assert_true(feasible > 500 && changed > 200);
}

/* Nothing is left: no velocity violates the half-planes less. */
/* shows: PLAN-35 */
static void min_penetration(void **state) {
  (void)state;
  static sight s;
  uint32_t dense = 0;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    look_around(&s, &(sight_def){.neighbours = 14, .spread = 1.6f, .radius = 0.1f, .speed = 1.5f}, seed);
    solve_lanes(&s);
    for (uint32_t lane = 0; lane < 16; lane++) {
      ref_line line[TH_MAX_NEAREST];
      ref_vec v, found = {(double)s.batch.vx[lane], (double)s.batch.vy[lane]};
      int kind;
      uint32_t count = reference_lines(&s, lane, line, &kind), touching = 0;
      for (uint32_t k = 0; k < count; k++) {
        uint32_t i = s.pick[k * 16 + lane];
        touching += hypotf(s.nx[i] - s.x[lane], s.ny[i] - s.y[lane]) <= s.nradius[i] + s.radius[lane];
      }
      if (touching || ref_best(line, count, wanted_of(&s, lane), 2.0, &v)) continue;
      double min = ref_min_depth(line, count, 2.0, &v), depth = ref_deepest(line, count, found);
      dense++;
      if (depth > min + 2e-3)
        fail_msg("seed %llu, lane %u: depth %g, not %g", (unsigned long long)seed, lane, depth, min);
    }
  }
  assert_true(dense > 50);
}

static const sight_def kinds[] = {
    {.neighbours = 10, .spread = 3.0f, .radius = 0.2f, .speed = 1.3f},
    {.neighbours = 12, .spread = 1.0f, .radius = 0.2f, .speed = 1.3f, .sides = true},
    {.neighbours = 16, .spread = 2.0f, .radius = 0.2f, .speed = 1.3f, .shares = true, .walls = true},
    {.neighbours = 23, .spread = 0.5f, .radius = 0.3f, .speed = 0.5f, .shares = true, .sides = true, .walls = true},
    {.neighbours = 5, .spread = 0.0f, .radius = 0.2f, .speed = 0.0f}, /* all on one point, all still */
    {.neighbours = 0, .spread = 5.0f, .radius = 0.2f, .speed = 1.0f, .walls = true},
    {.neighbours = 12, .spread = 1.0f, .radius = 0.2f, .speed = 1.3f, .sides = true, .soft = 1},
    {.neighbours = 16, .spread = 2.0f, .radius = 0.2f, .speed = 1.3f, .shares = true, .walls = true, .soft = 2},
    {.neighbours = 5, .spread = 0.0f, .radius = 0.2f, .speed = 0.0f, .walls = true, .soft = 1},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* shows: PLAN-45 */
static void back_ends_agree(void **state) {
  (void)state;
  static sight s;
  float vx[16], vy[16];
  for (uint64_t seed = 1; seed <= 600; seed++) {
    look_around(&s, &kinds[seed % KINDS], seed);
    s.batch.inverse_dt = 10.0f;
    for (uint32_t lane = 0; lane < 16; lane++) th_orca_solve_scalar(&s.batch, lane);
    memcpy(vx, s.batch.vx, sizeof vx);
    memcpy(vy, s.batch.vy, sizeof vy);
    for (th_simd simd = TH_SIMD_FOUR; simd <= TH_SIMD_AVX512; simd++) {
      if (!th_simd_has(simd)) continue;
      memset(s.batch.vx, 0xee, sizeof vx);
      read_nearest(&s, (uint32_t)(seed % 5), simd);
      TH_LANES_PICK(simd, th_orca_solve)(&s.batch);
      for (uint32_t lane = 0; lane < 16; lane++) {
        assert_true(isfinite(vx[lane]) && isfinite(vy[lane]));
        if (memcmp(&vx[lane], &s.batch.vx[lane], 4) || memcmp(&vy[lane], &s.batch.vy[lane], 4))
          fail_msg("seed %llu, %s, lane %u: (%a, %a), scalar (%a, %a)", (unsigned long long)seed, th_simd_name(simd),
                   lane, (double)s.batch.vx[lane], (double)s.batch.vy[lane], (double)vx[lane], (double)vy[lane]);
      }
    }
  }
}

/* |v - wanted|^2 + k sum of squared depths, with the lines by definition. */
static double cost_of(const ref_line *line, uint32_t count, ref_vec wanted, ref_vec v) {
  double cost = (v.x - wanted.x) * (v.x - wanted.x) + (v.y - wanted.y) * (v.y - wanted.y);
  for (uint32_t i = 0; i < count; i++) {
    double depth = fmax(0.0, ref_det(line[i].d, ref_sub(line[i].p, v)));
    cost += (double)TH_ORCA_STIFF * depth * depth;
  }
  return cost;
}

/* The smallest cost on ever finer lattices; it is convex, so the best cell leads to the best point. */
static double min_cost(const ref_line *line, uint32_t count, ref_vec wanted) {
  ref_vec best = wanted;
  double min = cost_of(line, count, wanted, wanted);
  for (double size = 1.0; size > 1e-4; size *= 0.5)
    for (int again = 0; again < 4; again++) {
      ref_vec from = best;
      for (int k = 0; k < 9; k++) {
        ref_vec v = {from.x + size * (k % 3 - 1), from.y + size * (k / 3 - 1)};
        double cost = cost_of(line, count, wanted, v);
        if (cost < min) min = cost, best = v;
      }
    }
  return min;
}

/* Without walls, below the greatest speed. Nobody steps back: where the least cost would, there is no part along the
 * wanted direction. */
static void soft_velocities_cost_little(void **state) {
  (void)state;
  static sight s;
  uint32_t looked = 0, close = 0, back = 0;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    look_around(&s, &(sight_def){.neighbours = 8, .spread = 1.5f, .radius = 0.2f, .speed = 1.0f, .soft = 1}, seed);
    s.batch.inverse_dt = 10.0f;
    solve_lanes(&s);
    for (uint32_t lane = 0; lane < 16; lane++) {
      ref_line line[TH_MAX_NEAREST];
      int kind;
      uint32_t count = reference_lines(&s, lane, line, &kind);
      ref_vec v = {(double)s.batch.vx[lane], (double)s.batch.vy[lane]};
      const double along = v.x * (double)s.batch.ux[lane] + v.y * (double)s.batch.uy[lane];
      assert_true(along > -1e-5);
      back += along < 1e-5;
      if (hypot(v.x, v.y) > 1.99 || along < 1e-5) continue;
      double cost = cost_of(line, count, wanted_of(&s, lane), v), min = min_cost(line, count, wanted_of(&s, lane));
      if (cost > 1.25 * min + 1e-3) fail_msg("seed %d, lane %u: cost %g, not %g", (int)seed, lane, cost, min);
      looked++;
      close += cost <= 1.02 * min + 1e-4;
    }
  }
  print_message("%u of %u within a fiftieth\n", close, looked);
  assert_true(looked > 300 && close > 0.9 * looked && back > 50);
}

static void swap_floats(float *column, uint32_t a, uint32_t b) {
  float kept = column[a];
  column[a] = column[b];
  column[b] = kept;
}

/* An agent in another lane, beside other companions, decides the same. */
/* shows: PLAN-40 */
static void lanes_are_independent(void **state) {
  (void)state;
  static sight s;
  float vx[16], vy[16];
  for (uint64_t seed = 1; seed <= 200; seed++) {
    look_around(&s, &kinds[seed % KINDS], seed);
    solve_lanes(&s);
    memcpy(vx, s.batch.vx, sizeof vx);
    memcpy(vy, s.batch.vy, sizeof vy);
    th_orca_batch *b = &s.batch;
    float *column[] = {s.x,   s.y,   s.vx, s.vy, s.radius,           s.speed_max, b->ux,   b->uy,
                       b->wx, b->wy, vx,   vy,   b->inverse_horizon, b->reach2,   b->side, s.wall_rate};
    for (uint32_t lane = 0; lane < 8; lane++) {
      uint32_t other = 15 - lane;
      for (size_t c = 0; c < sizeof column / sizeof *column; c++) swap_floats(column[c], lane, other);
      for (uint32_t k = 0; k < TH_MAX_NEAREST; k++) swap_floats((float *)s.pick + k * 16, lane, other);
      swap_floats((float *)s.slot, lane, other);
      swap_floats((float *)b->soft, lane, other);
      for (uint32_t r = 0; r < b->wall_rows; r++)
        for (int c = 0; c < 4; c++) swap_floats(b->wall[r][c], lane, other);
    }
    solve_lanes(&s);
    assert_memory_equal(vx, s.batch.vx, sizeof vx);
    assert_memory_equal(vy, s.batch.vy, sizeof vy);
  }
}

/* With walls alone: whoever keeps its velocity for the wall horizon touches none of those it does not touch now. */
static void walls_are_kept(void **state) {
  (void)state;
  static sight s;
  uint32_t bent = 0;
  for (uint64_t seed = 1; seed <= 1500; seed++) {
    look_around(&s, &(sight_def){.neighbours = 0, .spread = 5.0f, .radius = 0.2f, .speed = 0.0f, .walls = true}, seed);
    s.view.wall_count = 1; /* one wall: a chain may close in on an agent from all sides */
    th_orca_find_walls(&s.batch, s.room, s.wall_rate, s.distance);
    solve_lanes(&s);
    const th_segment *w = &s.wall[0];
    float ex = w->bx - w->ax, ey = w->by - w->ay, length2 = ex * ex + ey * ey;
    for (uint32_t lane = 0; lane < 16; lane++) {
      if (ex * (s.y[lane] - w->ay) - ey * (s.x[lane] - w->ax) < 0.0f) continue; /* behind the wall */
      float min = INFINITY, now = 0.0f;
      for (int k = 0; k <= 100; k++) {
        float t = (float)k * 0.01f / s.wall_rate[lane];
        float x = s.x[lane] + t * s.batch.vx[lane] - w->ax, y = s.y[lane] + t * s.batch.vy[lane] - w->ay;
        float at = fminf(fmaxf((x * ex + y * ey) / length2, 0.0f), 1.0f), d = hypotf(x - at * ex, y - at * ey);
        if (k == 0) now = d;
        min = fminf(min, d);
      }
      bent += s.batch.vx[lane] != s.batch.wx[lane];
      if (min < fminf(now, s.radius[lane]) - 2e-3f)
        fail_msg("seed %llu, lane %u: comes to %g m", (unsigned long long)seed, lane, (double)min);
    }
  }
  assert_true(bent > 200);
}

typedef struct shadow {
  th_vec2 a, b; /* ends of a wall, seen from the agent */
  float radius, rate;
} shadow;

/* How far the shadow of a wall reaches over a line to its allowed side: the velocities that bring the disc to the wall
 * within the horizon are the wall, grown by the radius, scaled by the rate and all that lies behind. */
static float beyond(const shadow *s, th_vec2 p, th_vec2 d) {
  const th_vec2 left = {-d.y, d.x};
  float most = -INFINITY;
  for (int k = 0; k < 2; k++) {
    const th_vec2 end = k ? s->b : s->a;
    const float near = end.x * left.x + end.y * left.y + s->radius; /* of the disc at this end */
    most = fmaxf(most, near * s->rate * (near > 0.0f ? 100.0f : 1.0f));
  }
  return most - (p.x * left.x + p.y * left.y);
}

/* The line of a wall that is seen over its length holds the shadow of that wall and nothing more: it touches it, at
 * the tip or along one of its legs, and its direction has length 1. */
static void lines_touch_the_shadow_of_a_wall(void **state) {
  (void)state;
  static sight s;
  uint32_t right = 0, left = 0, tip = 0;
  for (uint64_t seed = 1; seed <= 1500; seed++) {
    look_around(&s, &(sight_def){.spread = 5.0f, .radius = 0.3f, .speed = 1.9f, .walls = true}, seed);
    s.view.wall_count = 1;
    th_orca_find_walls(&s.batch, s.room, s.wall_rate, s.distance);
    for (uint32_t lane = 0; lane < 16 && s.batch.wall_rows; lane++) {
      const th_segment *w = &s.wall[0];
      const shadow h = {{w->ax - s.x[lane], w->ay - s.y[lane]},
                        {w->bx - s.x[lane], w->by - s.y[lane]},
                        s.radius[lane],
                        s.wall_rate[lane]};
      const float length = hypotf(w->bx - w->ax, w->by - w->ay);
      const th_vec2 u = {(w->bx - w->ax) / length, (w->by - w->ay) / length};
      const float high = h.a.x * u.y - h.a.y * u.x;
      const th_vec2 p = {s.batch.wall[0][0][lane], s.batch.wall[0][1][lane]};
      const th_vec2 d = {s.batch.wall[0][2][lane], s.batch.wall[0][3][lane]};
      if ((d.x == 0.0f && d.y == 0.0f) || high <= h.radius) continue;
      const float over = beyond(&h, p, d), size = hypotf(d.x, d.y);
      if (fabsf(size - 1.0f) > 1e-4f || fabsf(over) > 2e-3f)
        fail_msg("seed %llu, lane %u: direction of length %g, shadow %g m/s beyond the line", (unsigned long long)seed,
                 lane, (double)size, (double)over);
      const float ahead = d.x * (h.a.x + h.b.x) + d.y * (h.a.y + h.b.y);
      if (fabsf(p.x * d.y - p.y * d.x) > 1e-4f)
        tip++;
      else
        *(ahead > 0.0f ? &left : &right) += 1;
    }
  }
  print_message("tips %u, left legs %u, right legs %u\n", tip, left, right);
  assert_true(tip > 200 && left > 200 && right > 200);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(half_planes),     cmocka_unit_test(nearest_velocity),
      cmocka_unit_test(min_penetration), cmocka_unit_test(soft_velocities_cost_little),
      cmocka_unit_test(back_ends_agree), cmocka_unit_test(lanes_are_independent),
      cmocka_unit_test(walls_are_kept),  cmocka_unit_test(lines_touch_the_shadow_of_a_wall),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
