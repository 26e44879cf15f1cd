/* Drawing: what is drawn is counted and looked at, on flat and on mesh ground. */
#include "support/mesh_worlds.h"
#include "throng/draw.h"
#include "throng/model/orca.h"

enum { PARTS = 9 };

typedef struct tally {
  uint32_t line[PARTS], disc[PARTS], triangle[PARTS], text[PARTS];
  uint32_t last;   /* part */
  bool backwards;  /* parts came out of order */
  float low, high; /* z of everything */
  float longest;   /* line of a link */
  char words[256];
} tally;

static uint32_t number_of(uint32_t part) {
  uint32_t k = 0;
  while (k < PARTS && 1u << k != part) k++;
  assert_true(k < PARTS);
  return k;
}

static void note(tally *t, uint32_t part, th_vec3 at) {
  assert_true(isfinite(at.x) && isfinite(at.y) && isfinite(at.z));
  t->low = fminf(t->low, at.z), t->high = fmaxf(t->high, at.z);
  t->backwards |= part < t->last;
  t->last = part;
}

static void on_line(void *user, uint32_t part, th_vec3 from, th_vec3 to) {
  tally *t = user;
  t->line[number_of(part)]++;
  note(t, part, from), note(t, part, to);
  if (part == TH_DRAW_LINKS) t->longest = fmaxf(t->longest, mesh_grounds_apart(from, to));
}

static void on_disc(void *user, uint32_t part, th_vec3 centre, th_vec3 normal, float radius) {
  tally *t = user;
  t->disc[number_of(part)]++;
  note(t, part, centre);
  assert_float_equal(mesh_grounds_apart(normal, (th_vec3){0, 0, 0}), 1.0f, 1e-4f);
  assert_true(radius > 0.0f);
}

static void on_triangle(void *user, uint32_t part, const th_vec3 *corner) {
  tally *t = user;
  t->triangle[number_of(part)]++;
  for (int k = 0; k < 3; k++) note(t, part, corner[k]);
}

static void on_text(void *user, uint32_t part, th_vec3 at, const char *text) {
  tally *t = user;
  t->text[number_of(part)]++;
  note(t, part, at);
  strncat(t->words, text, sizeof t->words - strlen(t->words) - 2);
  strcat(t->words, ";");
}

static tally draw(const th_world *world, uint32_t parts) {
  tally t = {.low = INFINITY, .high = -INFINITY};
  th_draw d = th_default_draw();
  assert_int_equal(d.parts, TH_DRAW_ALL);
  d.line = on_line, d.disc = on_disc, d.triangle = on_triangle, d.text = on_text, d.user = &t;
  d.parts = parts;
  uint64_t before = th_world_hash(world);
  th_world_draw(world, &d);
  assert_true(th_world_hash(world) == before);
  assert_false(t.backwards);
  return t;
}

/* Three goals and three agents: the first linked to the second and to a point, all within sight of each other; one more
 * that has not entered yet. */
static void people(th_world *world, const th_vec3 *at, const th_vec3 *goal) {
  th_goal_def def = th_default_goal_def();
  th_goal_id id[3];
  static const th_shape_kind kind[3] = {TH_SHAPE_POINT, TH_SHAPE_DISC, TH_SHAPE_LINE};
  for (uint32_t k = 0; k < 3; k++) {
    th_vec3 point[2] = {goal[k], {goal[k].x, goal[k].y + 0.5f, goal[k].z}};
    def.shape = (th_shape){.kind = kind[k], .point = point, .count = k == 2 ? 2 : 1, .radius = 0.7f};
    OK(th_world_add_goal(world, &def, &id[k], &error));
  }
  th_orca_params params = th_default_orca_params();
  th_agent_id agent[4];
  for (uint32_t k = 0; k < 4; k++) {
    th_agent_def a = th_default_body_def();
    a.point = at[k];
    a.model = &th_model_orca, a.params = &params;
    a.route[0].goal = id[k % 3], a.route_count = 1;
    a.delay = k == 3 ? 100.0f : 0.0f;
    OK(th_world_add_agents(world, &a, 1, &agent[k], &error));
  }
  th_agent_def first;
  assert_true(th_world_agent_def(world, agent[0], &first));
  first.link[0] = (th_link_def){.agent = agent[1]};
  first.link[1] = (th_link_def){.to_point = true, .point = at[2]};
  first.link_count = 2;
  OK(th_world_change_agent(world, agent[0], &first, &error));
}

static void check_people(const tally *t) {
  uint32_t goals = number_of(TH_DRAW_GOALS), agents = number_of(TH_DRAW_AGENTS), ids = number_of(TH_DRAW_IDS);
  assert_int_equal(t->disc[goals], 2);
  assert_int_equal(t->line[goals], 1);
  assert_int_equal(t->disc[agents], 3);
  assert_int_equal(t->triangle[agents], 3);
  assert_int_equal(t->line[number_of(TH_DRAW_ADVICE)], 9);     /* an arrow is three lines */
  assert_int_equal(t->line[number_of(TH_DRAW_NEIGHBOURS)], 6); /* each sees two */
  assert_int_equal(t->line[number_of(TH_DRAW_LINKS)], 2);
  assert_true(t->line[number_of(TH_DRAW_FIELDS)] > 30 && t->line[number_of(TH_DRAW_FIELDS)] % 3 == 0);
  assert_int_equal(t->text[ids], 6);
  assert_true(strncmp(t->words, "goal 1;goal 2;goal 3;", 21) == 0);
  assert_true(strstr(t->words, ";1;") && strstr(t->words, ";2;") && strstr(t->words, ";3;"));
}

static void flat_ground(void **unused) {
  (void)unused;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_house(&env);
  th_world *world = worlds_make(ground, &env);
  const th_vec3 at[4] = {{2, 2, 0}, {3, 2, 0}, {2, 3.2f, 0}, {3, 3, 0}}, goal[3] = {{4, 4, 0}, {1, 4, 0}, {4, 1, 0}};
  people(world, at, goal);
  for (int k = 0; k < 2; k++) th_world_step(world);
  tally t = draw(world, TH_DRAW_ALL);
  check_people(&t);
  uint32_t walls;
  th_ground_walls(ground, &walls);
  assert_int_equal(t.line[number_of(TH_DRAW_WALLS)], walls);
  assert_int_equal(t.triangle[number_of(TH_DRAW_WALLS)], 0);
  assert_true(t.line[number_of(TH_DRAW_CHARTS)] >= 4);
  assert_true(t.low == 0.02f && t.high == 0.02f);
  assert_true(t.longest > 0.9f && t.longest < 1.5f);
  th_world_free(world);
  th_ground_release(ground);
}

static void mesh_ground(void **unused) {
  (void)unused;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_PLANET);
  make.level = 4;
  th_region pole = {.kind = TH_REGION_BALL, .centre = {0, 0, -make.radius}, .radius = 2.0f};
  th_mesh_ground_def def = th_default_mesh_ground_def();
  def.blocked = &pole, def.blocked_count = 1;
  th_ground *ground = mesh_grounds_make_of(&env, &make, def);
  th_world *world = worlds_make(ground, &env);
  const float r = make.radius;
  const th_vec3 at[4] = {{0, 0, r}, {1, 0, r}, {0, 1.2f, r}, {1, 1, r}};
  const th_vec3 goal[3] = {{r, 0, 0}, {0, r, 0}, {-r, 0, 0}};
  people(world, at, goal);
  for (int k = 0; k < 2; k++) th_world_step(world);
  tally t = draw(world, TH_DRAW_ALL);
  check_people(&t);
  uint32_t walls, blocked = 0;
  th_ground_wall_halves(ground, &walls);
  for (uint32_t f = 0; f < th_ground_mesh(ground)->face_count; f++) blocked += th_ground_blocked_faces(ground)[f];
  assert_true(walls > 0 && blocked > 0);
  assert_int_equal(t.line[number_of(TH_DRAW_WALLS)], walls);
  assert_int_equal(t.triangle[number_of(TH_DRAW_WALLS)], blocked);
  assert_true(t.line[number_of(TH_DRAW_CHARTS)] > 100);
  assert_true(t.low < -0.9f * r && t.high > 0.99f * r && t.high < r + 0.1f);
  th_world_free(world);
  th_ground_release(ground);
}

/* Only what was asked for is drawn, and callbacks that are not there are not called. */
static void parts_are_chosen(void **unused) {
  (void)unused;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_house(&env);
  th_world *world = worlds_make(ground, &env);
  const th_vec3 at[4] = {{2, 2, 0}, {3, 2, 0}, {2, 3, 0}, {3, 3, 0}}, goal[3] = {{4, 4, 0}, {1, 4, 0}, {4, 1, 0}};
  people(world, at, goal);
  for (int k = 0; k < 2; k++) th_world_step(world);
  for (uint32_t k = 0; k < PARTS; k++) {
    tally t = draw(world, 1u << k);
    for (uint32_t i = 0; i < PARTS; i++)
      assert_int_equal(t.line[i] + t.disc[i] + t.triangle[i] + t.text[i] > 0, i == k);
    for (uint32_t i = 0; i < k; i++) assert_true(th_draw_colour(1u << i) != th_draw_colour(1u << k));
  }
  tally t = draw(world, 0);
  assert_int_equal(t.last, 0);
  th_draw silent = th_default_draw();
  th_world_draw(world, &silent);
  th_world_free(world);
  th_ground_release(ground);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(flat_ground), cmocka_unit_test(mesh_ground),
                                     cmocka_unit_test(parts_are_chosen)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
