/* tests/model/test_bvp_world.c - the model in worlds: refusals, determinism, memory, and what behaviours do to ways. */
#include <stdio.h>
#include <stdlib.h>

#include "support/allocator.h"
#include "support/bvp_reference.h"

#define MAX_WAY 4000

/* A walled room [0, width] x [0, height] with one goal; one unit of the thesis is a metre, one of its steps a second,
 * and nothing but the model limits the motion. */
typedef struct room {
  th_world *world;
  th_goal_id goal[2];
} room;

static int warnings;
static void count_warnings(void *user, th_log_level level, const char *text) {
  (void)user;
  (void)text;
  warnings += level == TH_LOG_WARNING;
}

static th_ground *make_ground(float width, float height, const th_env *env) {
  th_vec2 corner[4] = {{0, 0}, {width, 0}, {width, height}, {0, height}};
  th_polygon outline = {.point = corner, .count = 4};
  th_flat_def def = th_default_flat_def();
  def.outline = &outline;
  def.outline_count = 1;
  def.cell = 1.0f;
  def.radius_class[0] = 0.5f;
  if (env) def.env = *env;
  th_ground *ground = NULL;
  th_error error;
  if (th_ground_make_flat(&def, &ground, &error) && !env) fail_msg("%s", error.text);
  return ground;
}

static th_goal_id add_goal(th_world *world, float x, float y, float half) {
  th_vec3 corner[4] = {
      {x - half, y - half, 0}, {x + half, y - half, 0}, {x + half, y + half, 0}, {x - half, y + half, 0}};
  th_goal_def def = th_default_goal_def();
  def.field = TH_FIELD_HARMONIC;
  def.shape = (th_shape){.kind = TH_SHAPE_POLYGON, .point = corner, .count = 4};
  th_goal_id goal;
  th_error error;
  if (th_world_add_goal(world, &def, &goal, &error)) fail_msg("%s", error.text);
  return goal;
}

static room make_room(float width, float height, uint32_t workers, th_simd simd) {
  room r = {0};
  th_world_def def = th_default_world_def();
  def.ground = make_ground(width, height, NULL);
  def.env.log = (th_log){count_warnings, NULL};
  def.dt = 1.0f;
  def.workers = workers;
  def.simd = simd;
  th_error error;
  if (th_world_make(&def, &r.world, &error)) fail_msg("%s", error.text);
  th_ground_release(def.ground);
  return r;
}

static th_bvp_params thesis_params(int32_t n) {
  th_bvp_params p = th_default_bvp_params(n);
  p.cell = p.period = 1.0f;
  p.others = TH_BVP_OTHERS_ALL;
  p.foresight = 0.0f, p.mass = 4.0f;
  p.precision = TH_PRECISION_DOUBLE;
  p.flat = TH_BVP_FLAT_STAY;
  return p;
}

static th_agent_def walker(const th_bvp_params *params, float x, float y, th_goal_id goal) {
  th_agent_def def = th_default_body_def();
  def.point.x = x;
  def.point.y = y;
  def.heading.x = 1.0f;
  def.radius = 0.5f;
  def.speed = def.speed_max = 0.5f;
  def.acceleration_max = def.turn_max = INFINITY;
  def.collide = false;
  def.model = &th_model_bvp;
  def.params = params;
  def.route[0].goal = goal;
  def.route_count = goal.index ? 1 : 0;
  return def;
}

static th_agent_id add(th_world *world, const th_agent_def *def) {
  th_agent_id id;
  th_error error;
  if (th_world_add_agents(world, def, 1, &id, &error)) fail_msg("%s", error.text);
  return id;
}

/* The way of one agent until it arrives. */
typedef struct way {
  float x[MAX_WAY], y[MAX_WAY];
  int steps;
  bool arrived;
  double length, turning; /* [m], [rad] */
} way;

static void walk(th_world *world, th_agent_id id, int max, way *w) {
  *w = (way){0};
  float hx = 0.0f, hy = 0.0f;
  for (int k = 0; k < max && k < MAX_WAY; k++) {
    uint32_t row = th_world_row(world, id);
    if (row == UINT32_MAX) {
      w->arrived = true;
      break;
    }
    th_agents a = th_world_agents(world);
    w->x[w->steps] = a.x[row];
    w->y[w->steps] = a.y[row];
    if (w->steps) w->length += hypot((double)(a.x[row] - w->x[w->steps - 1]), (double)(a.y[row] - w->y[w->steps - 1]));
    if (w->steps > 2)
      w->turning += fabs(atan2((double)(hx * a.hy[row] - hy * a.hx[row]), (double)(hx * a.hx[row] + hy * a.hy[row])));
    hx = a.hx[row];
    hy = a.hy[row];
    w->steps++;
    th_world_step(world);
  }
}

static float y_at(const way *w, float x) {
  for (int k = 1; k < w->steps; k++)
    if (w->x[k - 1] < x && w->x[k] >= x)
      return w->y[k - 1] + (w->y[k] - w->y[k - 1]) * (x - w->x[k - 1]) / (w->x[k] - w->x[k - 1]);
  return NAN;
}

/* The corridor of the spec: 78 x 19 free cells, from (4.5, 9.5) to a goal at the right end, along its middle. */
static void corridor(const th_bvp_params *params, int max, way *w) {
  room r = make_room(78, 19, 1, TH_SIMD_AUTO);
  th_goal_id goal = add_goal(r.world, 75.5f, 9.5f, 1.45f);
  th_agent_def def = walker(params, 4.5f, 9.5f, goal);
  th_agent_id id = add(r.world, &def);
  walk(r.world, id, max, w);
  th_world_free(r.world);
}

static th_bvp_params printed(float eps, float x, float y) {
  th_bvp_params p = thesis_params(15);
  p.sense = TH_SENSE_LITERAL;
  p.behaviour[0].v = (th_vec2){x, y};
  p.behaviour[0].strength = eps;
  return p;
}

/* Six vectors in the corridor, eps 0.7: walls, middle, abrupt and gentle. */
/* shows: BVP-91 */
static void six_vectors(void **state) {
  (void)state;
  static const float v[6][2] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {0.7f, -0.7f}, {-0.7f, -0.7f}};
  static way w[6];
  float y[6];
  for (int k = 0; k < 6; k++) {
    th_bvp_params p = printed(0.7f, v[k][0], v[k][1]);
    corridor(&p, 600, &w[k]);
    assert_true(w[k].arrived);
    y[k] = y_at(&w[k], 39.0f);
  }
  assert_true(y[0] < 7.0f && y[1] > 12.0f);      /* to the two walls */
  ASSERT_NEAR((double)(y[0] + y[1]), 19.0, 1.0); /* mirrored */
  ASSERT_NEAR((double)y[2], 9.5, 0.5);
  assert_true(fabsf(y[2] - y[3]) < 0.5f);
  assert_true(y[4] > 10.5f && y[5] > 10.5f);
  assert_true(y_at(&w[4], 14.0f) > y_at(&w[5], 14.0f) + 0.5f); /* one turns at once, one gently */
  assert_true(w[4].turning > 1.5 * w[5].turning);
}

/* eps from -0.1 to 2: the shift grows, is mirrored, and all arrive. */
/* shows: BVP-94 */
static void sweep_of_strength(void **state) {
  (void)state;
  static const float eps[] = {-0.1f, 0.0f, 0.1f, 0.3f, 0.7f, 1.0f, 1.2f, 2.0f};
  static way w;
  float y[8];
  for (int k = 0; k < 8; k++) {
    th_bvp_params p = printed(eps[k], 0.0f, 1.0f);
    corridor(&p, 600, &w);
    assert_true(w.arrived);
    y[k] = y_at(&w, 39.0f);
    if (k) assert_true(y[k] < y[k - 1] + 0.05f);
  }
  ASSERT_NEAR((double)(y[0] + y[2]), (double)(2.0f * y[1]), 0.5);
  assert_true(y[4] - y[7] < y[1] - y[4]); /* most of the variation lies below 1 */
  for (int k = 3; k <= 4; k++) {          /* beyond the range: astray, or dithering on the way */
    warnings = 0;
    th_bvp_params p = printed((float)k, 0.0f, 1.0f);
    corridor(&p, 600, &w);
    assert_int_equal(warnings, 1);
    assert_true(!w.arrived || w.turning > 20.0);
  }
}

/* Lateral oscillation with a period of about 36 decisions. */
/* shows: BVP-43 */
static void sinusoid_in_a_corridor(void **state) {
  (void)state;
  static way w;
  room r = make_room(118, 19, 1, TH_SIMD_AUTO);
  th_goal_id goal = add_goal(r.world, 115.5f, 9.5f, 1.45f);
  th_bvp_params p = thesis_params(15);
  p.sense = TH_SENSE_LITERAL; /* the swing is wide where v points along the way as printed */
  p.behaviour[0] =
      (th_bvp_behaviour){.kind = TH_BVP_SINUSOID, .strength = 0.8f, .wave = 36.0f, .axes = TH_BVP_AXES_FLOW};
  th_agent_def def = walker(&p, 4.5f, 9.5f, goal);
  walk(r.world, add(r.world, &def), 1000, &w);
  th_world_free(r.world);
  assert_true(w.arrived);
  int crossings = 0, first = 0, last = 0;
  float low = 9.5f, high = 9.5f;
  for (int k = 41; k < w.steps - 40; k++) {
    low = fminf(low, w.y[k]);
    high = fmaxf(high, w.y[k]);
    if ((w.y[k - 1] < 9.5f) == (w.y[k] < 9.5f)) continue;
    if (!crossings++) first = k;
    last = k;
  }
  assert_true(crossings >= 5);
  ASSERT_NEAR(2.0 * (last - first) / (crossings - 1), 36.0, 3.0);
  assert_true(high - low > 2.0f);
}

/* v at the goal shortens the way; v at a standing agent brings the walker nearer to it, without contact. */
/* shows: BVP-46, BVP-47 */
static void toward_the_goal_and_toward_an_agent(void **state) {
  (void)state;
  static way w[2];
  for (int pull = 0; pull < 2; pull++) {
    room r = make_room(58, 38, 1, TH_SIMD_AUTO);
    th_goal_id goal = add_goal(r.world, 53.0f, 4.0f, 1.0f);
    th_bvp_params p = thesis_params(15);
    p.start = TH_BVP_WARM;
    p.behaviour[0].kind = pull ? TH_BVP_TOWARD : TH_BVP_HARMONIC;
    p.behaviour[0].strength = 0.8f;
    th_agent_def def = walker(&p, 4.5f, 5.5f, goal);
    def.link[0] = (th_link_def){.to_point = true, .point = {53.0f, 4.0f, 0}};
    def.link_count = 1;
    walk(r.world, add(r.world, &def), 600, &w[pull]);
    th_world_free(r.world);
    assert_true(w[pull].arrived);
  }
  assert_true(w[1].length < w[0].length - 0.5);
  double nearest[2];
  for (int pull = 0; pull < 2; pull++) {
    room r = make_room(78, 19, 1, TH_SIMD_AUTO);
    th_goal_id goal = add_goal(r.world, 75.5f, 9.5f, 1.45f);
    th_bvp_params p = thesis_params(15);
    p.start = TH_BVP_WARM;
    p.trigger = TH_BVP_AHEAD;
    p.sight = 20.0f;
    p.behaviour[TH_BVP_SIGHT].kind = pull ? TH_BVP_TOWARD : TH_BVP_HARMONIC;
    p.behaviour[TH_BVP_SIGHT].strength = 0.8f;
    th_agent_def stands = walker(&p, 40.0f, 14.5f, TH_NULL_GOAL), def = walker(&p, 4.5f, 9.5f, goal);
    def.link[0].agent = add(r.world, &stands);
    def.link_count = 1;
    walk(r.world, add(r.world, &def), 600, &w[0]);
    th_world_free(r.world);
    assert_true(w[0].arrived);
    nearest[pull] = 1e9;
    for (int k = 0; k < w[0].steps; k++)
      nearest[pull] = fmin(nearest[pull], hypot((double)w[0].x[k] - 40.0, (double)w[0].y[k] - 14.5));
  }
  assert_true(nearest[1] < nearest[0] - 1.0 && nearest[1] > 1.0);
}

/* Somebody stands in the way, and v across is in force while he is in sight: the shorter the sight, the later the
 * walker turns aside, and it turns at about that distance. Sights are longer than the map, which ends 7.5 m ahead. */
/* shows: BVP-54 */
static void short_sight_avoids_late(void **state) {
  (void)state;
  static const float sight[] = {9.0f, 14.0f, 20.0f, 30.0f};
  static way w;
  double before = 0.0;
  for (int k = 0; k < 4; k++) {
    room r = make_room(78, 19, 1, TH_SIMD_AUTO);
    th_goal_id goal = add_goal(r.world, 75.5f, 9.5f, 1.45f);
    th_bvp_params p = thesis_params(15);
    p.trigger = TH_BVP_AHEAD;
    p.sight = sight[k];
    p.behaviour[TH_BVP_FIRST].kind = TH_BVP_HARMONIC;
    p.behaviour[TH_BVP_SIGHT].v = (th_vec2){0.0f, 1.0f};
    p.behaviour[TH_BVP_SIGHT].strength = 1.0f;
    th_agent_def stands = walker(&p, 50.0f, 9.5f, TH_NULL_GOAL), def = walker(&p, 4.5f, 9.5f, goal);
    add(r.world, &stands);
    walk(r.world, add(r.world, &def), 600, &w);
    th_world_free(r.world);
    assert_true(w.arrived);
    double aside = 0.0; /* distance at which it is a metre off its line, to the side of v */
    for (int i = 0; i < w.steps && aside == 0.0; i++)
      if (w.y[i] > 10.5f) aside = 50.0 - (double)w.x[i];
    if (!(aside > before + 2.0 && aside < (double)sight[k] && aside > (double)sight[k] - 6.0))
      fail_msg("sight %g m: aside at %g m, before that at %g", (double)sight[k], aside, before);
    before = aside;
  }
}

/* Agents with steps of their own: none ever moves farther in a step than its own length, though the world would let it,
 * and each takes it whole on the straight. */
/* shows: BVP-65 */
static void steps_of_their_own(void **state) {
  (void)state;
  static const float length[] = {0.3f, 0.5f, 0.8f, 1.0f};
  room r = make_room(78, 19, 1, TH_SIMD_AUTO);
  th_goal_id goal = add_goal(r.world, 75.5f, 9.5f, 1.45f);
  th_agent_id id[4];
  float x[4], y[4];
  uint32_t whole[4] = {0}, shorter[4] = {0};
  for (int k = 0; k < 4; k++) {
    th_bvp_params p = thesis_params(15);
    p.behaviour[0].v = (th_vec2){0.0f, k % 2 ? 1.0f : -1.0f};
    p.behaviour[0].strength = 0.7f;
    th_agent_def def = walker(&p, 4.5f, 3.5f + 4.0f * (float)k, goal);
    def.heading.x = 0.0f;
    def.heading.y = 1.0f; /* it has to turn first, which the table slows down */
    def.speed = length[k];
    def.speed_max = 3.0f;
    id[k] = add(r.world, &def);
    x[k] = def.point.x;
    y[k] = def.point.y;
  }
  for (int step = 0; step < 600 && !th_world_done(r.world); step++) {
    th_world_step(r.world);
    th_agents a = th_world_agents(r.world);
    for (int k = 0; k < 4; k++) {
      uint32_t row = th_world_row(r.world, id[k]);
      if (row == UINT32_MAX) continue;
      float moved = hypotf(a.x[row] - x[k], a.y[row] - y[k]);
      if (moved > length[k] * 1.00001f + 1e-5f) fail_msg("step %g m, moved %g", (double)length[k], (double)moved);
      whole[k] += moved > 0.999f * length[k];
      shorter[k] += moved > 0.0f && moved < 0.9f * length[k];
      x[k] = a.x[row];
      y[k] = a.y[row];
    }
  }
  assert_true(th_world_done(r.world));
  for (int k = 0; k < 4; k++) assert_true(whole[k] > 40 && shorter[k] > 0);
  th_world_free(r.world);
}

/* Open room, steady speed, start 40 below the goal heading sideways: light ones arrive, a heavy one circles. */
/* shows: BVP-69 */
static void mass_and_orbits(void **state) {
  (void)state;
  static const float mass[] = {0.0f, 4.0f, 12.0f, 100.0f};
  static way w;
  for (int k = 0; k < 4; k++) {
    room r = make_room(198, 198, 1, TH_SIMD_AUTO);
    th_goal_id goal = add_goal(r.world, 99.5f, 99.5f, 0.45f);
    th_bvp_params p = thesis_params(15);
    p.mass = mass[k];
    p.speed_rule = TH_BVP_STEADY;
    th_agent_def def = walker(&p, 99.5f, 59.5f, goal);
    walk(r.world, add(r.world, &def), 1500, &w);
    th_world_free(r.world);
    assert_int_equal(w.arrived, k < 3);
    if (k == 3) assert_true(w.turning > 6.28); /* more than once around */
  }
}

/* Two agents on a collision course: with the table nobody touches, both arrive, somebody slows down. */
/* shows: BVP-66, BVP-77, SBVP-68 */
static void head_on(void **state) {
  (void)state;
  for (int run = 0; run < 16; run++) {
    room r = make_room(58, 11, 1, TH_SIMD_AUTO);
    th_goal_id east = add_goal(r.world, 56.0f, 5.5f, 1.0f), west = add_goal(r.world, 2.0f, 5.5f, 1.0f);
    th_bvp_params p = thesis_params(run & 1 ? 15 : 9);
    p.mass = run & 2 ? 12.0f : 4.0f;
    float offset = 0.25f * (float)(run >> 2) + 0.01f;
    th_agent_def a = walker(&p, 4.5f, 5.5f, east), b = walker(&p, 53.5f, 5.5f + offset, west);
    b.heading.x = -1.0f;
    a.radius = b.radius = run & 4 ? 0.5f : 0.8f;
    th_agent_id ia = add(r.world, &a), ib = add(r.world, &b);
    double min = 1e9;
    bool slowed = false;
    int k = 0;
    for (; k < 3000 && !th_world_done(r.world); k++) {
      th_world_step(r.world);
      uint32_t ra = th_world_row(r.world, ia), rb = th_world_row(r.world, ib);
      if (ra == UINT32_MAX || rb == UINT32_MAX) continue;
      th_agents s = th_world_agents(r.world);
      min = fmin(min, hypot((double)(s.x[ra] - s.x[rb]), (double)(s.y[ra] - s.y[rb])));
      for (int i = 0; i < 2 && k > 3; i++) {
        uint32_t row = i ? rb : ra;
        slowed |= hypot((double)s.vx[row], (double)s.vy[row]) < 0.45;
      }
    }
    th_counters c = th_world_counters(r.world);
    th_world_free(r.world);
    if (c.arrived != 2 || min < 2.0 * (double)a.radius || !slowed)
      fail_msg("run %d: %u arrived after %d steps, least distance %g, slowed %d", run, (unsigned)c.arrived, k, min,
               slowed);
  }
}

/* Eight side by side to one goal: the heavier the heading, the less they turn. */
/* shows: BVP-68 */
static void race(void **state) {
  (void)state;
  static const int32_t motion[] = {TH_BVP_GRADIENT, TH_BVP_MEAN, TH_BVP_MASS};
  double turning[3] = {0};
  for (int k = 0; k < 3; k++) {
    room r = make_room(118, 23, 1, TH_SIMD_AUTO);
    th_goal_id goal = add_goal(r.world, 114.0f, 11.5f, 1.5f);
    th_agent_id id[8];
    float hx[8], hy[8];
    for (int i = 0; i < 8; i++) {
      th_bvp_params p = thesis_params(15);
      p.motion = motion[k];
      p.behaviour[0].v = (th_vec2){(float)cos(i * 0.785), (float)sin(i * 0.785)};
      p.behaviour[0].strength = 0.7f;
      th_agent_def def = walker(&p, 3.5f + 2.0f * (float)(i % 2), 2.5f + 2.4f * (float)i, goal);
      id[i] = add(r.world, &def);
      hx[i] = 1.0f;
      hy[i] = 0.0f;
    }
    for (int step = 0; step < 1500 && !th_world_done(r.world); step++) {
      th_world_step(r.world);
      th_agents a = th_world_agents(r.world);
      for (int i = 0; i < 8; i++) {
        uint32_t row = th_world_row(r.world, id[i]);
        if (row == UINT32_MAX) continue;
        turning[k] += fabs(
            atan2((double)(hx[i] * a.hy[row] - hy[i] * a.hx[row]), (double)(hx[i] * a.hx[row] + hy[i] * a.hy[row])));
        hx[i] = a.hx[row];
        hy[i] = a.hy[row];
      }
    }
    th_world_free(r.world);
  }
  if (!(turning[0] > turning[1] && turning[1] > turning[2]))
    fail_msg("turning %g, %g, %g rad", turning[0], turning[1], turning[2]);
}

/* ---------------------------------------------------------------- sizes, bits, memory */

static room make_crowd(uint32_t workers, th_simd simd) {
  room r = make_room(40, 30, workers, simd);
  r.goal[0] = add_goal(r.world, 37.0f, 15.0f, 1.5f);
  r.goal[1] = add_goal(r.world, 3.0f, 15.0f, 1.5f);
  for (uint32_t i = 0; i < 70; i++) {
    th_bvp_params p = th_default_bvp_params(i % 7 == 3 ? 21 : i % 7 == 5 ? 35 : 15);
    p.period = 2.0f;
    p.start = i % 3 == 0;
    p.precision = i % 5 == 0 ? TH_PRECISION_DOUBLE : TH_PRECISION_FLOAT;
    p.motion = (int32_t)(i % 5);
    p.trigger = i % 2 ? TH_BVP_AHEAD : TH_BVP_NEVER;
    p.behaviour[0].kind = (int32_t)(i % 8);
    p.behaviour[0].v = (th_vec2){0.5f, -0.5f};
    p.behaviour[0].strength = 0.7f;
    p.behaviour[TH_BVP_SIGHT].kind = TH_BVP_ACROSS;
    p.behaviour[TH_BVP_SIGHT].strength = 0.9f;
    th_agent_def def = walker(&p, 6.0f + 3.0f * (float)(i % 10), 4.0f + 3.4f * (float)(i / 10), r.goal[i & 1]);
    def.radius = 0.25f;
    def.collide = true;
    add(r.world, &def);
  }
  return r;
}

/* shows: BVP-76 */
static void same_bits_for_every_width_and_worker(void **state) {
  (void)state;
  static const th_simd simd[] = {TH_SIMD_FOUR, TH_SIMD_AVX2, TH_SIMD_AVX512, TH_SIMD_AUTO, TH_SIMD_AUTO};
  static const uint32_t workers[] = {1, 1, 1, 2, 3};
  uint64_t hash[5];
  for (int k = 0; k < 5; k++) {
    room r = make_crowd(workers[k], simd[k]);
    for (int step = 0; step < 60; step++) th_world_step(r.world);
    hash[k] = th_world_hash(r.world);
    th_world_free(r.world);
    assert_true(hash[k] == hash[0]);
  }
}

static void snapshots_keep_maps(void **state) {
  (void)state;
  room r = make_crowd(1, TH_SIMD_AUTO);
  for (int step = 0; step < 20; step++) th_world_step(r.world);
  size_t size = th_world_snapshot(r.world, NULL, 0);
  void *memory = malloc(size);
  assert_int_equal(th_world_snapshot(r.world, memory, size), size);
  uint64_t before = th_world_hash(r.world);
  for (int step = 0; step < 20; step++) th_world_step(r.world);
  uint64_t after = th_world_hash(r.world);
  /* a wider state in between: the largest map there is, kept in double */
  th_agent_def def;
  th_agent_id id = th_world_agents(r.world).id[0];
  assert_true(th_world_agent_def(r.world, id, &def));
  th_bvp_params p = *(const th_bvp_params *)def.params;
  p.n = 63;
  p.start = TH_BVP_WARM;
  p.precision = TH_PRECISION_DOUBLE;
  def.params = &p;
  assert_int_equal(th_world_change_agent(r.world, id, &def, NULL), TH_OK);
  th_world_step(r.world);
  th_error error;
  if (th_world_restore(r.world, memory, size, &error)) fail_msg("%s", error.text);
  assert_true(th_world_hash(r.world) == before);
  for (int step = 0; step < 20; step++) th_world_step(r.world);
  assert_true(th_world_hash(r.world) == after);
  free(memory);
  th_world_free(r.world);
}

/* Settings change while running: size, motion, behaviour; the agent goes on to its goal. */
/* shows: BVP-38, BVP-40, BVP-74 */
static void settings_change_while_running(void **state) {
  (void)state;
  static way w;
  room r = make_room(78, 19, 1, TH_SIMD_AUTO);
  th_goal_id goal = add_goal(r.world, 75.5f, 9.5f, 1.45f);
  th_bvp_params p = thesis_params(15);
  th_agent_def def = walker(&p, 4.5f, 9.5f, goal);
  th_agent_id id = add(r.world, &def);
  for (int k = 0; k < 40; k++) th_world_step(r.world);
  float before = th_world_agents(r.world).y[0];
  assert_true(th_world_agent_def(r.world, id, &def));
  p.n = 21;
  p.sweeps = 60;
  p.motion = TH_BVP_BLEND;
  p.behaviour[0].v = (th_vec2){0.0f, 1.0f};
  p.behaviour[0].strength = 0.8f;
  def.params = &p;
  assert_int_equal(th_world_change_agent(r.world, id, &def, NULL), TH_OK);
  walk(r.world, id, 600, &w);
  th_world_free(r.world);
  assert_true(w.arrived);
  ASSERT_NEAR((double)before, 9.5, 0.6);
  assert_true(y_at(&w, 50.0f) > 11.5f);
}

static void refuse(th_world *world, th_goal_id goal, const th_bvp_params *p, const char *where, const char *range) {
  th_agent_def def = walker(p, 4.5f, 9.5f, goal);
  th_error error = {0};
  assert_int_not_equal(th_world_add_agents(world, &def, 1, NULL, &error), TH_OK);
  if (strcmp(error.where, where) || !strstr(error.text, range)) fail_msg("%s: %s", error.where, error.text);
  assert_int_equal(th_world_agents(world).count, 0);
}

static void bad_parameters_are_refused(void **state) {
  (void)state;
  room r = make_room(78, 19, 1, TH_SIMD_AUTO);
  th_goal_id goal = add_goal(r.world, 75.5f, 9.5f, 1.45f);
  th_bvp_params p = thesis_params(15);
  p.n = 14;
  refuse(r.world, goal, &p, "n", "odd whole number from 5 to 63, found 14");
  p.n = 3;
  refuse(r.world, goal, &p, "n", "from 5 to 63");
  p.n = 65;
  refuse(r.world, goal, &p, "n", "from 5 to 63");
  p = thesis_params(15);
  p.sweeps = 0;
  refuse(r.world, goal, &p, "sweeps", "from 1 to 1000");
  p = thesis_params(15);
  p.cell = 79.0f;
  refuse(r.world, goal, &p, "cell", "0.01 to 78 m");
  p = thesis_params(5);
  p.free_ring = 1;
  refuse(r.world, goal, &p, "free_ring", "0 to 0");
  p = thesis_params(15);
  p.behaviour[0].kind = TH_BVP_USER;
  refuse(r.world, goal, &p, "choose", "callback");
  p = thesis_params(15);
  p.trigger = TH_BVP_TOLD;
  refuse(r.world, goal, &p, "criterion", "callback");
  p = thesis_params(15);
  p.table_below[1] = 0.7f;
  refuse(r.world, goal, &p, "table_below", "ascending");
  p = thesis_params(15);
  p.mass = NAN;
  refuse(r.world, goal, &p, "mass", "0 to 10000");
  th_world_free(r.world);
}

/* |eps v| above 2 is told once and taken. */
/* shows: BVP-10 */
static void strong_vectors_warn_once(void **state) {
  (void)state;
  room r = make_room(78, 19, 1, TH_SIMD_AUTO);
  th_goal_id goal = add_goal(r.world, 75.5f, 9.5f, 1.45f);
  warnings = 0;
  th_bvp_params p = printed(2.0f, 0.0f, 1.0f);
  th_agent_def def = walker(&p, 4.5f, 9.5f, goal);
  add(r.world, &def);
  assert_int_equal(warnings, 0);
  p.behaviour[0].strength = 2.4f;
  for (int k = 0; k < 3; k++) add(r.world, &def);
  assert_int_equal(warnings, 1);
  for (int k = 0; k < 20; k++) th_world_step(r.world);
  th_world_free(r.world);
}

/* Without memory for larger states the world stays as it was; nothing leaks, whichever allocation fails. */
static th_result grow_states(const th_env *env, void *context) {
  (void)context;
  th_world_def def = th_default_world_def();
  def.env = *env;
  def.agent_capacity = 4;
  def.ground = make_ground(12, 10, env);
  th_world *world = NULL;
  if (!def.ground) return TH_ERROR_MEMORY;
  th_result result = th_world_make(&def, &world, NULL);
  th_ground_release(def.ground);
  for (int32_t n = 5; n <= 63 && !result; n += 29) {
    th_bvp_params p = thesis_params(n);
    p.start = n > 5 ? TH_BVP_WARM : TH_BVP_COLD;
    p.free_ring = 0;
    th_agent_def agent = walker(n > 40 ? &p : n > 5 ? NULL : &p, 4.0f + 0.04f * (float)n, 5.0f, TH_NULL_GOAL);
    uint32_t before = th_world_agents(world).count;
    result = th_world_add_agents(world, &agent, 1, NULL, NULL);
    if (result) assert_int_equal(th_world_agents(world).count, before);
  }
  if (!result) th_world_step(world);
  th_world_free(world);
  return result;
}
static void survives_every_failing_allocation(void **state) {
  (void)state;
  assert_true(failing_every(grow_states, NULL) > 10);
}

/* A step allocates nothing, whatever the maps. */
static void steps_allocate_nothing(void **state) {
  (void)state;
  failing f = {0};
  th_world_def def = th_default_world_def();
  def.env = failing_env(&f);
  def.ground = make_ground(40, 30, NULL);
  th_world *world = NULL;
  assert_int_equal(th_world_make(&def, &world, NULL), TH_OK);
  th_ground_release(def.ground);
  th_goal_id goal = add_goal(world, 37.0f, 15.0f, 1.5f);
  for (int i = 0; i < 20; i++) {
    th_bvp_params p = th_default_bvp_params(5 + 2 * i);
    p.cell = 0.2f;
    p.start = i & 1;
    p.free_ring = 0;
    p.speed_rule = TH_BVP_MODULUS;
    th_agent_def agent = walker(&p, 4.0f + (float)i, 8.0f + 0.5f * (float)i, goal);
    agent.radius = 0.2f;
    add(world, &agent);
  }
  for (int k = 0; k < 3; k++) th_world_step(world);
  failing_lock(&f);
  for (int k = 0; k < 40; k++) th_world_step(world);
  failing_unlock(&f);
  th_world_free(world);
  failing_assert_empty(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(six_vectors),
      cmocka_unit_test(sweep_of_strength),
      cmocka_unit_test(sinusoid_in_a_corridor),
      cmocka_unit_test(toward_the_goal_and_toward_an_agent),
      cmocka_unit_test(short_sight_avoids_late),
      cmocka_unit_test(steps_of_their_own),
      cmocka_unit_test(mass_and_orbits),
      cmocka_unit_test(head_on),
      cmocka_unit_test(race),
      cmocka_unit_test(same_bits_for_every_width_and_worker),
      cmocka_unit_test(snapshots_keep_maps),
      cmocka_unit_test(settings_change_while_running),
      cmocka_unit_test(bad_parameters_are_refused),
      cmocka_unit_test(strong_vectors_warn_once),
      cmocka_unit_test(survives_every_failing_allocation),
      cmocka_unit_test(steps_allocate_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
