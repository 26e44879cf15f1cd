/* tests/world/test_world_property.c - random maps, speeds and steps: nobody crosses a wall or leaves the ground,
 * nothing is NaN, everyone who can arrive does, and who cannot is told and stands. Seeds are printed on failure. */
#include "geometry/polygon.h"
#include "support/floor_plans.h"
#include "support/worlds.h"
#include "throng/guide.h"
#include "throng/model.h"

static double side_of(const th_segment *w, double x, double y) {
  return ((double)w->bx - (double)w->ax) * (y - (double)w->ay) - ((double)w->by - (double)w->ay) * (x - (double)w->ax);
}

/* Does the straight way properly cross a wall? */
static bool crosses(const th_segment *w, th_vec2 p, th_vec2 q) {
  double a = side_of(w, (double)p.x, (double)p.y), b = side_of(w, (double)q.x, (double)q.y);
  th_segment way = {p.x, p.y, q.x, q.y};
  double c = side_of(&way, (double)w->ax, (double)w->ay), d = side_of(&way, (double)w->bx, (double)w->by);
  return a * b < 0.0 && c * d < 0.0;
}

static void check_sound(const th_world *world, uint64_t seed, bool straight) {
  th_agents a = th_world_agents(world);
  uint32_t count;
  const th_ground *ground = th_world_ground(world);
  const th_segment *wall = th_ground_walls(ground, &count);
  for (uint32_t i = 0; i < a.count; i++) {
    CHECK_SEED(isfinite(a.x[i]) && isfinite(a.y[i]) && isfinite(a.vx[i]) && isfinite(a.vy[i]), seed, "a place is NaN");
    CHECK_SEED(fabsf(hypotf(a.hx[i], a.hy[i]) - 1.0f) < 1e-3f, seed, "a heading is no unit vector");
    CHECK_SEED(th_ground_locate(ground, a.x[i], a.y[i]).cell == a.cell[i], seed, "agent %u stands in a wall",
               a.id[i].index);
    th_vec2 p = {a.previous_x[i], a.previous_y[i]}, q = {a.x[i], a.y[i]};
    for (uint32_t k = 0; straight && k < count; k++)
      CHECK_SEED(!crosses(&wall[k], p, q), seed, "agent %u walked through wall %u", a.id[i].index, k);
  }
}

static void restless(void *user, const th_work *work) {
  (void)user;
  for (uint32_t lane = 0; lane < work->view->lanes; lane++) {
    uint64_t random = work->step / 4 * 977u + work->view->agent[lane];
    float angle = worlds_in(&random, 0, 6.28f), speed = work->view->speed[lane];
    work->advice.vx[lane] = speed * cosf(angle);
    work->advice.vy[lane] = speed * sinf(angle);
  }
}

typedef struct trial {
  plan p;
  th_ground *ground;
  th_world *world;
  uint64_t random;
} trial;

/* Four bars that shut off a square of the map. */
static void shut_off(plan *p, uint64_t seed) {
  float x = 3.0f + (float)(seed % 6), y = 3.0f + (float)(seed % 5), d = 7.0f;
  const float bar[4][4] = {{x, y, x + d, y + 0.1f},
                           {x, y + d, x + d, y + d + 0.1f},
                           {x, y, x + 0.1f, y + d},
                           {x + d, y, x + d + 0.1f, y + d + 0.1f}};
  for (uint32_t i = 0; i < 4; i++) {
    uint32_t k = p->def.obstacle_count++;
    p->obstacle[k] = plan_box(p->point[k], bar[i][0], bar[i][1], bar[i][2], bar[i][3]);
  }
}

static void begin(trial *t, uint64_t seed, uint32_t rounds, bool shut) {
  plan_make(&t->p, seed, 14, 20.0f);
  if (shut) shut_off(&t->p, seed);
  t->ground = plan_ground(&t->p);
  t->random = seed * 31;
  th_world_def def = th_default_world_def();
  static const float steps[] = {0.01f, 0.1f, 0.5f, 1.0f};
  def.ground = t->ground;
  def.dt = steps[seed % 4];
  def.contact_rounds = rounds;
  def.seed = seed;
  OK(th_world_make(&def, &t->world, &error));
}

static void end(trial *t) { worlds_end(t->world, t->ground); }

/* Wild walkers at up to 100 m/s on maps of thin walls and sharp corners. */
static void populate(trial *t, uint32_t count) {
  static const th_user_params host = {restless, NULL, 1.0f, 1};
  for (uint32_t i = 0, tries = 0; i < count && tries < 5000; tries++) {
    th_agent_def def = worlds_agent_def(worlds_in(&t->random, 0, 22), worlds_in(&t->random, 0, 20), NOWHERE);
    def.model = &th_model_user;
    def.params = &host;
    def.radius = worlds_in(&t->random, 0.01f, 0.6f);
    def.speed = def.speed_max = i % 3 ? worlds_in(&t->random, 0, 3) : worlds_in(&t->random, 0, 100);
    def.acceleration_max = INFINITY;
    if (th_ground_clearance(t->ground, def.point.x, def.point.y) < def.radius) continue;
    i += th_world_add_agents(t->world, &def, 1, NULL, NULL) == TH_OK;
  }
}

static void no_wall_is_crossed(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    trial t;
    begin(&t, seed, 0, false);
    populate(&t, 30);
    for (int n = 0; n < 40; n++) {
      th_world_step(t.world);
      check_sound(t.world, seed, true);
    }
    end(&t);
  }
}

/* With bodies pushing each other, and doors that close. */
static void no_wall_is_crossed_by_pushed_bodies(void **state) {
  (void)state;
  for (uint64_t seed = 41; seed <= 60; seed++) {
    trial t;
    begin(&t, seed, 3, false);
    populate(&t, 80);
    for (int n = 0; n < 40; n++) {
      if (n % 8 == 3) {
        th_edit edit = {.kind = n % 16 == 3 ? TH_EDIT_CLOSE : TH_EDIT_OPEN, .name = n % 3 ? "north" : "east"};
        OK(th_world_edit(t.world, &edit, 1, &error));
      }
      th_world_step(t.world);
      check_sound(t.world, seed, false);
    }
    end(&t);
  }
}

/* A crowd pressed against a thin wall stays on its side. */
static void a_pressed_crowd_stays_on_its_side(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  for (uint64_t seed = 1; seed <= 6; seed++) {
    const worlds_rect rect[] = {worlds_rectangle(0, 0, 16, 8), worlds_rectangle(7.99f, 0, 8.01f, 8)};
    th_ground *ground = NULL;
    OK(worlds_try_ground(&env, &(worlds_plan){rect, 1, 0, 0.25f, 0}, &ground, &error));
    th_world_def def = th_default_world_def();
    th_world *world = NULL;
    def.ground = ground;
    def.dt = seed % 2 ? 0.1f : 1.0f;
    OK(th_world_make(&def, &world, &error));
    static const th_vec3 through[2] = {{1, 4, 0}, {15, 4, 0}};
    th_path_params path = {.point = through, .count = 2, .ahead = 2.0f};
    th_guide_id guide;
    OK(th_world_add_guide(world, &th_guide_path, &path, &guide, &error));
    uint64_t random = seed;
    for (int i = 0; i < 120; i++) {
      th_agent_def agent = worlds_agent_def(worlds_in(&random, 1, 7.5f), worlds_in(&random, 1, 7), NOWHERE);
      agent.guide = guide;
      agent.speed = agent.speed_max = worlds_in(&random, 0.5f, 10);
      worlds_add(world, &agent);
    }
    for (int n = 0; n < 80; n++) {
      th_world_step(world);
      th_agents a = th_world_agents(world);
      for (uint32_t i = 0; i < a.count; i++) CHECK_SEED(a.x[i] < 8.0f && a.x[i] > 0.0f, seed, "pushed through a wall");
      check_sound(world, seed, false);
    }
    worlds_end(world, ground);
  }
}

/* Wide maps: boxes on a lattice with two metres between them. */
static th_ground *wide_map(uint64_t *random) {
  th_vec2 point[16][4];
  th_polygon obstacle[16];
  worlds_rect outline = worlds_rectangle(0, 0, 26, 26);
  th_polygon border = {NULL, outline.point, 4};
  for (uint32_t i = 0; i < 16; i++) {
    float x = 3.0f + 6.0f * (float)(i % 4), y = 3.0f + 6.0f * (float)(i / 4);
    float w = worlds_in(random, 0.2f, 2.0f), h = worlds_in(random, 0.2f, 2.0f);
    worlds_rect box = worlds_rectangle(x - w + 1.0f, y - h + 1.0f, x + w + 1.0f, y + h + 1.0f);
    memcpy(point[i], box.point, sizeof point[i]);
    obstacle[i] = (th_polygon){NULL, point[i], 4};
  }
  th_flat_def def = th_default_flat_def();
  def.outline = &border;
  def.outline_count = 1;
  def.obstacle = obstacle;
  def.obstacle_count = 16;
  th_ground *ground = NULL;
  OK(th_ground_make_flat(&def, &ground, &error));
  return ground;
}

static void everyone_arrives(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 12; seed++) {
    uint64_t random = seed;
    th_ground *ground = wide_map(&random);
    th_world_def def = th_default_world_def();
    th_world *world = NULL;
    def.ground = ground;
    def.workers = 2;
    OK(th_world_make(&def, &world, &error));
    th_goal_id goal[3];
    static const float corner[3][2] = {{1, 1}, {25, 1}, {13.5f, 25}};
    for (int i = 0; i < 3; i++) {
      th_vec2 at = {corner[i][0], corner[i][1]};
      th_goal_def g = worlds_point_def(&at);
      g.field = (th_field_kind)((seed + (uint64_t)i) % 3);
      g.blend = 0.3f;
      OK(th_world_add_goal(world, &g, &goal[i], &error));
    }
    uint32_t added = 0;
    for (int i = 0; i < 400 && added < 60; i++) {
      th_agent_def agent =
          worlds_agent_def(worlds_in(&random, 0.3f, 25.7f), worlds_in(&random, 0.3f, 25.7f), goal[i % 3]);
      agent.speed = worlds_in(&random, 0.8f, 1.8f);
      if (th_ground_clearance(ground, agent.point.x, agent.point.y) < agent.radius) continue;
      worlds_add(world, &agent);
      added++;
    }
    while (!th_world_done(world) && th_world_step_count(world) < 1500) {
      th_world_step(world);
      check_sound(world, seed, false);
    }
    th_counters c = th_world_counters(world);
    CHECK_SEED(c.arrived == added && c.unreachable == 0, seed, "%u of %u arrived, %u lost", (unsigned)c.arrived, added,
               (unsigned)c.unreachable);
    worlds_end(world, ground);
  }
}

/* On any map: whoever has a way is on it or arrives, whoever has none is told once and stands. */
static void those_without_a_way_are_told_and_stand(void **state) {
  (void)state;
  uint32_t lost = 0, found = 0;
  for (uint64_t seed = 100; seed <= 130; seed++) {
    trial t;
    begin(&t, seed, 3, seed % 2 == 0);
    th_vec2 at = {worlds_in(&t.random, 1, 19), worlds_in(&t.random, 1, 19)};
    th_goal_def def = worlds_point_def(&at);
    th_goal_id goal;
    if (th_world_add_goal(t.world, &def, &goal, NULL)) {
      end(&t);
      continue;
    }
    th_agent_id id[40];
    th_vec2 start[40];
    uint32_t count = 0, told[40] = {0};
    for (int i = 0; i < 2000 && count < 40; i++) {
      th_agent_def agent = worlds_agent_def(worlds_in(&t.random, 0, 20), worlds_in(&t.random, 0, 20), goal);
      agent.collide = false;
      if (th_ground_clearance(t.ground, agent.point.x, agent.point.y) < 0.5f) continue;
      start[count] = (th_vec2){agent.point.x, agent.point.y};
      id[count++] = worlds_add(t.world, &agent);
    }
    for (int n = 0; n < 60; n++) {
      th_world_step(t.world);
      for (uint32_t i = 0; i < count; i++) told[i] += worlds_events(t.world, TH_EVENT_UNREACHABLE, id[i]);
    }
    const th_field *field = th_world_field(t.world, goal, 0.2f);
    for (uint32_t i = 0; i < count; i++) {
      bool way = field && th_field_reaches(field, th_ground_locate(t.ground, start[i].x, start[i].y));
      CHECK_SEED(told[i] == (way ? 0u : 1u), seed, "agent %u: told %u times, %s", i, told[i],
                 way ? "has a way" : "has none");
      if (!way) {
        th_vec2 p = worlds_at(t.world, id[i]);
        CHECK_SEED(p.x == start[i].x && p.y == start[i].y, seed, "agent %u wanders without a way", i);
      }
      lost += !way;
      found += way;
    }
    end(&t);
  }
  assert_true(lost > 20 && found > 200); /* both happen */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_wall_is_crossed),
      cmocka_unit_test(no_wall_is_crossed_by_pushed_bodies),
      cmocka_unit_test(a_pressed_crowd_stays_on_its_side),
      cmocka_unit_test(everyone_arrives),
      cmocka_unit_test(those_without_a_way_are_told_and_stand),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
