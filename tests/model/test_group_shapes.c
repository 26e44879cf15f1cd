/* tests/model/test_group_shapes.c - formation and alignment: what weights of markers make of a crowd of biocrowds. */
#include "geometry/polygon.h"
#include "support/slow.h"
#include "support/worlds.h"
#include "throng/group.h"
#include "throng/markers.h"
#include "throng/model/biocrowds.h"
#include "throng/trace.h"

typedef struct stage {
  th_ground *ground;
  th_world *world;
  th_agent_id agent[64];
  uint32_t count;
} stage;

static void begin(stage *s, float width, float height, int32_t layout, uint64_t seed) {
  th_vec2 corner[4];
  const th_polygon outline = th_box_polygon(0, 0, width, height, corner);
  th_flat_def flat = th_default_flat_def();
  flat.outline = &outline, flat.outline_count = 1, flat.markers.layout = layout;
  *s = (stage){0};
  OK(th_ground_make_flat(&flat, &s->ground, &error));
  th_world_def def = th_default_world_def();
  def.ground = s->ground, def.dt = 1.0f / 30.0f, def.seed = seed, def.contact_rounds = 0;
  OK(th_world_make(&def, &s->world, &error));
}

static void end(stage *s) {
  th_world_free(s->world);
  th_ground_release(s->ground);
}

/* A random place, not on somebody's toes: alignments err where agents start very close. */
static th_vec3 place(const stage *s, uint64_t *seed, const float box[4]) {
  for (int tries = 0;; tries++) {
    th_vec3 at = {worlds_in(seed, box[0], box[2]), worlds_in(seed, box[1], box[3]), 0};
    bool free = true;
    for (uint32_t i = 0; i < s->count && free; i++) {
      th_vec3 other = th_world_agent_point(s->world, s->agent[i]);
      free = hypotf(other.x - at.x, other.y - at.y) > 0.8f;
    }
    if (free || tries > 1000) return at;
  }
}

/* Points, as in the thesis: no bodies, no limits. */
static void add(stage *s, uint32_t count, float x0, float y0, float x1, float y1, uint64_t seed) {
  const float box[4] = {x0, y0, x1, y1};
  for (uint32_t i = 0; i < count; i++) {
    th_agent_def def = th_default_body_def();
    def.model = &th_model_biocrowds, def.speed = 1.8f, def.speed_max = 1.8f, def.collide = false, def.remove = false;
    def.acceleration_max = def.turn_max = INFINITY;
    def.point = place(s, &seed, box);
    OK(th_world_add_agent(s->world, &def, &s->agent[s->count++], &error));
  }
}

/* A star with five points of about `area` square metres. */
static void star(th_vec2 point[10], float x, float y, float area) {
  float outer = sqrtf(area / 1.1226f); /* of a star whose inner radius is 0.382 of the outer one */
  for (int k = 0; k < 10; k++) {
    float r = k % 2 ? 0.382f * outer : outer, angle = 1.5707963f + 0.62831853f * (float)k;
    point[k] = (th_vec2){x + r * cosf(angle), y + r * sinf(angle)};
  }
}

static float residual(stage *s, uint32_t steps) { /* mean step [m] */
  double sum = 0;
  for (uint32_t n = 0; n < steps; n++) {
    th_world_step(s->world);
    for (uint32_t i = 0; i < s->count; i++) {
      th_vec3 a = th_world_agent_point(s->world, s->agent[i]), b = th_world_agent_previous(s->world, s->agent[i]);
      sum += (double)hypotf(a.x - b.x, a.y - b.y);
    }
  }
  return (float)(sum / steps / s->count);
}

static uint32_t inside(const stage *s, const th_vec2 *point, uint32_t n) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < s->count; i++) {
    const th_vec3 at = th_world_agent_point(s->world, s->agent[i]);
    count += th_polygon_holds(point, n, (double)at.x, (double)at.y);
  }
  return count;
}

static th_group_fit fit_of(const stage *s, th_group_id group) {
  th_group_fit fit;
  OK(th_world_group_fit(s->world, group, &fit, &error));
  assert_int_equal(fit.members, s->count);
  return fit;
}

/* shows: BIO-53, BIO-54, BIO-56 */
static void fills_a_star(void **state) {
  (void)state;
  uint32_t all = 0, runs = LONG_RUN(5u, 1u);
  for (uint64_t seed = 1; seed <= runs; seed++) {
    stage s;
    begin(&s, 46, 32, TH_MARKERS_RANDOM, seed);
    add(&s, 21, 2, 8, 10, 24, seed);
    th_vec2 corner[10], other[10];
    star(corner, 26, 16, 21 * 4.0f);
    star(other, 34, 14, 26 * 4.0f);
    th_polygon area = {NULL, corner, 10};
    th_group_def def = th_default_group_def();
    def.area = &area, def.area_count = 1;
    th_group_id group;
    OK(th_world_add_group(s.world, &def, s.agent, s.count, &group, &error));
    worlds_steps(s.world, 1800);
    uint32_t in = inside(&s, corner, 10);
    assert_true(fabs(1.0 - fit_of(&s, group).outside - in / 21.0) < 1e-12);
    float rest = residual(&s, 30);
    print_message("star, seed %d: %u of 21 inside, residual step %.4f m\n", (int)seed, in, (double)rest);
    assert_true(in >= 19 && rest < 0.002f);
    all += in;
    add(&s, 5, 2, 8, 10, 24, seed + 100); /* five more, and another star, without goals of their own */
    OK(th_world_join_group(s.world, group, s.agent + 21, 5, &error));
    area.point = other;
    OK(th_world_change_group(s.world, group, &def, &error));
    worlds_steps(s.world, 1500);
    in = inside(&s, other, 10);
    assert_true(in >= 23);
    end(&s);
  }
  assert_true(all >= runs * 20);
}

/* Two letters: competition sends members to both. */
/* shows: BIO-55 */
static void writes_letters(void **state) {
  (void)state;
  stage s;
  begin(&s, 46, 32, TH_MARKERS_RANDOM, 3);
  add(&s, 40, 16, 2, 32, 6, 3);
  const th_vec2 v[7] = {{12, 24}, {16, 10}, {18, 10}, {22, 24}, {19.5f, 24}, {17, 15}, {14.5f, 24}};
  const th_vec2 h[12] = {{22.5f, 10}, {25, 10}, {25, 16},    {28, 16},    {28, 10}, {30.5f, 10},
                         {30.5f, 24}, {28, 24}, {28, 18.5f}, {25, 18.5f}, {25, 24}, {22.5f, 24}};
  const th_polygon letter[2] = {{NULL, v, 7}, {NULL, h, 12}};
  th_group_def def = th_default_group_def();
  def.area = letter, def.area_count = 2;
  OK(th_world_add_group(s.world, &def, s.agent, s.count, NULL, &error));
  worlds_steps(s.world, 2400);
  uint32_t in_v = inside(&s, v, 7), in_h = inside(&s, h, 12);
  print_message("letters: %u in V, %u in H of 40\n", in_v, in_h);
  assert_true(in_v + in_h >= 36 && in_v >= 5 && in_h >= 5);
  end(&s);
}

static float align(int32_t kind, int32_t layout, float spacing, uint64_t seed, float *before, float *rest) {
  stage s;
  begin(&s, 12, 8, layout, seed);
  add(&s, 51, 0.3f, 0.3f, 11.7f, 7.7f, seed);
  th_group_def def = th_default_group_def();
  def.align = kind;
  def.spacing = spacing;
  th_group_id group;
  OK(th_world_add_group(s.world, &def, s.agent, s.count, &group, &error));
  *before = (float)fit_of(&s, group).askew;
  worlds_steps(s.world, 600);
  float after = (float)fit_of(&s, group).askew;
  *rest = residual(&s, 10);
  end(&s);
  return after;
}

/* With arms of 2.5 m, the specification's, the mean of 20 crowds just misses its 8 degrees; with ours, the default, it
 * is clearly below. Ten of these crowds. */
/* shows: BIO-57, BIO-60, BIO-61 */
static void stands_in_rows_and_columns(void **state) {
  (void)state;
  float mean[3] = {0, 0, 0}, before, rest;
  const float spacing = th_default_group_def().spacing;
  uint32_t runs = LONG_RUN(20u, 2u);
  for (uint64_t seed = 1; seed <= runs; seed++)
    for (int layout = 0; layout < 3; layout++) {
      float after = align(TH_ALIGN_BOTH, layout == 1 ? TH_MARKERS_GRID : TH_MARKERS_RANDOM,
                          layout == 2 ? 1.25f : spacing, seed, &before, &rest);
      mean[layout] += after / (float)runs;
      assert_true(before > 12);
    }
  print_message("mean: random %.1f, grid %.1f, arms of 2.5 m %.1f degrees\n", (double)mean[0], (double)mean[1],
                (double)mean[2]);
  assert_true(mean[0] < 8);
  assert_true(mean[1] < mean[0] + 1);
  if (runs == 20) assert_true(mean[2] > 8 && mean[2] < 8.5f); /* that is why arms are longer here */
  for (int kind = TH_ALIGN_HORIZONTAL; kind <= TH_ALIGN_VERTICAL; kind++) {
    float after = align(kind, TH_MARKERS_RANDOM, spacing, 2, &before, &rest);
    print_message("kind %d: %.1f to %.1f degrees\n", kind, (double)before, (double)after);
    assert_true(after < 0.7f * before);
  }
}

/* An area, and rows in it while the group stands there: most are still inside, and nearer to the axes than before. */
static void fill_and_align(uint64_t seed) {
  stage s;
  begin(&s, 46, 32, TH_MARKERS_RANDOM, seed);
  add(&s, 30, 2, 8, 10, 24, seed);
  const th_vec2 corner[4] = {{20, 10}, {30, 10}, {30, 20}, {20, 20}};
  th_polygon area = {NULL, corner, 4};
  th_group_def def = th_default_group_def();
  def.area = &area, def.area_count = 1;
  th_group_id group;
  OK(th_world_add_group(s.world, &def, s.agent, s.count, &group, &error));
  worlds_steps(s.world, 1500);
  assert_true(isnan(fit_of(&s, group).askew));
  def.align = TH_ALIGN_BOTH; /* while it stands there */
  OK(th_world_change_group(s.world, group, &def, &error));
  float loose = (float)fit_of(&s, group).askew;
  worlds_steps(s.world, 1200);
  float aligned = (float)fit_of(&s, group).askew;
  uint32_t in = inside(&s, corner, 4);
  print_message("area alone %.1f degrees, with rows %.1f, %u of 30 inside\n", (double)loose, (double)aligned, in);
  assert_true(in >= 27 && aligned < loose && aligned < 12);
  end(&s);
}

/* shows: BIO-62 */
static void both_at_once(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= LONG_RUN(4u, 1u); seed++) fill_and_align(seed);
}

/* Share of members that stand in line with another one: within an arm along the direction, and 0.1 m across. */
static double in_line(const stage *s, double angle) {
  const double c = cos(angle), k = sin(angle);
  uint32_t count = 0;
  for (uint32_t i = 0; i < s->count; i++) {
    bool found = false;
    for (uint32_t j = 0; j < s->count && !found; j++) {
      th_vec3 a = th_world_agent_point(s->world, s->agent[i]), b = th_world_agent_point(s->world, s->agent[j]);
      double x = (double)b.x - (double)a.x, y = (double)b.y - (double)a.y;
      found = i != j && fabs(x * c + y * k) <= 3.2 && fabs(y * c - x * k) <= 0.1;
    }
    count += found;
  }
  return (double)count / s->count;
}

/* A member at random in a strip of 10 m x 4 m along a direction. */
static void add_to_strip(stage *s, double angle, uint64_t *seed) {
  const float c = (float)cos(angle), k = (float)sin(angle);
  for (int tries = 0; tries < 1000; tries++) {
    float along = worlds_in(seed, -5, 5), across = worlds_in(seed, -2, 2);
    th_agent_def def = th_default_body_def();
    def.point = (th_vec3){10 + along * c - across * k, 10 + along * k + across * c, 0};
    bool free = true;
    for (uint32_t i = 0; i < s->count && free; i++) {
      th_vec3 other = th_world_agent_point(s->world, s->agent[i]);
      free = hypotf(other.x - def.point.x, other.y - def.point.y) > 0.8f;
    }
    if (!free) continue;
    def.model = &th_model_biocrowds, def.speed = def.speed_max = 1.8f, def.collide = def.remove = false;
    def.acceleration_max = def.turn_max = INFINITY;
    OK(th_world_add_agent(s->world, &def, &s->agent[s->count++], &error));
    return;
  }
}

/* Members come to stand in lines along the heading of their leader, whichever that is, and not across it; without a
 * leader along x. */
/* shows: BIO-57 */
static void queues_behind_its_leader(void **state) {
  (void)state;
  const double heading[3] = {0, 0.7, 1.57079632679};
  for (int h = 0; h < 3; h++) {
    double before = 0, after = 0, across = 0;
    const uint32_t runs = LONG_RUN(6u, 2u);
    for (uint64_t seed = 1; seed <= runs; seed++) {
      stage s;
      uint64_t bits = seed;
      begin(&s, 20, 20, TH_MARKERS_RANDOM, seed);
      th_agent_def leader = th_default_body_def(); /* stands and looks that way */
      leader.model = &th_model_follow, leader.point = (th_vec3){10, 10, 0}, leader.collide = false;
      leader.heading = (th_vec2){(float)cos(heading[h]), (float)sin(heading[h])};
      OK(th_world_add_agent(s.world, &leader, &s.agent[s.count++], &error));
      for (int k = 0; k < 15; k++) add_to_strip(&s, heading[h], &bits);
      th_group_def def = th_default_group_def();
      def.align = TH_ALIGN_QUEUE;
      if (h) def.leader = s.agent[0];
      OK(th_world_add_group(s.world, &def, s.agent, s.count, NULL, &error));
      before += in_line(&s, heading[h]) / runs;
      worlds_steps(s.world, 900);
      after += in_line(&s, heading[h]) / runs;
      across += in_line(&s, heading[h] + 1.57079632679) / runs;
      end(&s);
    }
    print_message("queue along %.2f rad: %.2f to %.2f stand in line; across %.2f\n", heading[h], before, after, across);
    assert_true(after > before + 0.3 && after > across + 0.5);
  }
}

/* A group that lines up goes on to its goal; and lines up better than one that only walks. Seeds 1 to 4. */
static void aligned_groups_travel(void **state) {
  (void)state;
  double askew[2] = {0, 0}, speed[2] = {0, 0};
  const uint32_t runs = LONG_RUN(4u, 1u);
  for (uint32_t k = 0; k < 2 * runs; k++) {
    stage s;
    begin(&s, 60, 8, TH_MARKERS_RANDOM, 1 + k / 2);
    add(&s, 24, 1, 1, 7, 7, 1 + k / 2);
    th_goal_def goal = th_default_goal_def();
    th_goal_id id;
    goal.shape = th_point_shape(55, 4);
    OK(th_world_add_goal(s.world, &goal, &id, &error));
    for (uint32_t i = 0; i < s.count; i++) OK(th_world_set_goal(s.world, s.agent[i], id, &error));
    th_group_def def = th_default_group_def();
    th_group_id group;
    def.align = k % 2 ? TH_ALIGN_BOTH : TH_ALIGN_NONE;
    OK(th_world_add_group(s.world, &def, s.agent, s.count, &group, &error));
    worlds_steps(s.world, 540);
    def.align = TH_ALIGN_BOTH; /* to measure with */
    OK(th_world_change_group(s.world, group, &def, &error));
    askew[k % 2] += fit_of(&s, group).askew / runs;
    for (uint32_t i = 0; i < s.count; i++)
      speed[k % 2] += (double)(th_world_agent_point(s.world, s.agent[i]).x - 4) / 18 / s.count / runs;
    end(&s);
  }
  print_message("%.2f m/s and %.1f degrees; lining up %.2f m/s and %.1f degrees\n", speed[0], askew[0], speed[1],
                askew[1]);
  assert_true(speed[1] > 0.5 * speed[0]);
  assert_true(askew[1] < askew[0] - 2.0);
}

static uint32_t count_items(const stage *s, uint32_t agent, const char *name, th_trace_item *last) {
  static th_trace_item item[512];
  uint32_t count = th_world_traces(s->world, s->agent[agent], item, 512), found = 0;
  for (uint32_t i = 0; i < count; i++)
    if (!strcmp(item[i].trace->name, name)) *last = item[i], found++;
  return found;
}

/* What a member's group is up to stands in its trace: sides of the area, the common point, arms of the mask, and its
 * own markers with the weights of the group. Decisions do not pile up. */
static void groups_are_traced(void **state) {
  (void)state;
  stage s;
  begin(&s, 20, 12, TH_MARKERS_RANDOM, 2);
  add(&s, 6, 4, 4, 8, 8, 2);
  const th_vec2 corner[4] = {{2, 2}, {10, 2}, {10, 10}, {2, 10}};
  uint8_t pixel[4] = {0, 0, 200, 0}; /* an L of three dark pixels of 1 m beside it */
  const th_image image = {
      .grey = pixel, .width = 2, .height = 2, .metres_per_pixel = 1, .origin = {12, 4}, .dark = 128};
  th_polygon area = {NULL, corner, 4};
  th_group_def def = th_default_group_def();
  def.area = &area, def.area_count = 1, def.align = TH_ALIGN_BOTH, def.image = &image;
  OK(th_world_add_group(s.world, &def, s.agent, s.count, NULL, &error));
  const th_trace_def room = {.agents = 2, .items = 512, .values = 0};
  OK(th_world_trace(s.world, &room, &error));
  OK(th_world_trace_agent(s.world, s.agent[0], true, &error));
  uint32_t markers = 0;
  th_trace_item last = {0};
  for (int n = 0; n < 20; n++) {
    worlds_steps(s.world, 1);
    assert_int_equal(count_items(&s, 0, "group area", &last), 4 + 6); /* an L has six sides */
    assert_float_equal(last.value, def.factor, 0);
    assert_int_equal(count_items(&s, 0, "group point", &last), 1);
    assert_float_equal(last.value, 1, 0); /* it stands in the area */
    assert_int_equal(count_items(&s, 0, "group mask", &last), 2);
    th_vec3 arm = {last.b.x - last.a.x, last.b.y - last.a.y, 0};
    assert_true(fabsf(hypotf(arm.x, arm.y) - 4 * def.spacing) < 1e-4f && last.value == def.half_width);
    markers = count_items(&s, 0, "own markers", &last);
    assert_true(markers > 10 && markers < 110); /* of one decision */
    assert_true(last.value >= 10);              /* base 1 and what masks add, ten times as much inside */
    assert_int_equal(count_items(&s, 1, "own markers", &last), 0);
  }
  end(&s);
}

/* In a corridor that is narrower than the reach a row of squares ends where the next one begins: still no marker is
 * told twice. */
static void own_markers_are_traced_once(void **state) {
  (void)state;
  stage s;
  begin(&s, 1.2f, 6, TH_MARKERS_RANDOM, 2);
  th_agent_def def = th_default_body_def();
  def.model = &th_model_biocrowds, def.collide = false, def.point = (th_vec3){0.6f, 5.5f, 0};
  def.route_count = 1, def.route[0].goal = worlds_goal(s.world, 0.6f, 1.0f);
  OK(th_world_add_agent(s.world, &def, &s.agent[s.count++], &error));
  const th_trace_def room = {.agents = 2, .items = 512, .values = 0};
  OK(th_world_trace(s.world, &room, &error));
  OK(th_world_trace_agent(s.world, s.agent[0], true, &error));
  static th_trace_item item[512];
  uint32_t own = 0;
  worlds_steps(s.world, 10);
  const uint32_t count = th_world_traces(s.world, s.agent[0], item, 512);
  for (uint32_t i = 0; i < count; i++) {
    if (strcmp(item[i].trace->name, "own markers") != 0) continue;
    own++;
    for (uint32_t k = 0; k < i; k++)
      assert_false(item[k].trace == item[i].trace && !memcmp(&item[k].a, &item[i].a, sizeof item[i].a));
  }
  assert_true(own > 5);
  end(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(groups_are_traced),
                                     cmocka_unit_test(own_markers_are_traced_once),
                                     cmocka_unit_test(queues_behind_its_leader),
                                     cmocka_unit_test(aligned_groups_travel),
                                     cmocka_unit_test(fills_a_star),
                                     cmocka_unit_test(writes_letters),
                                     cmocka_unit_test(stands_in_rows_and_columns),
                                     cmocka_unit_test(both_at_once)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
