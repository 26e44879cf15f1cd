/* tests/model/steering/test_steering_calls.c - the model through its calls: switching, weights and memory while
 * walking, a steering of the host, what is refused, who is left alone, when decisions fall. */
#include "support/steering_stage.h"
#include "support/steering_walk.h"

/* ---------------------------------------------------------------- changes while walking */

/* shows: STEER-05, STEER-06 */
static void switched_and_weighted_while_walking(void **state) {
  (void)state;
  static walk w;
  th_steering_params p = walk_to(0, 3000), off = p, heavy = p;
  off.target.on = false;
  heavy.target.weight = 4.0f;
  walk_begin(&w, NULL, 0);
  walk_add(&w, 0, 0, 1000, 0, &off);
  walk_ticks(&w, 8);
  assert_float_equal(walk_now(&w, 0).y, 0.0f, 1e-3f);
  assert_int_equal(th_world_set_params(w.world, w.id[0], &p, NULL), TH_OK);
  walk_ticks(&w, 1); /* takes effect in the next tick */
  const float gentle = walk_now(&w, 0).y;
  assert_true(gentle > 5.0f);
  walk_ticks(&w, 10);
  assert_int_equal(th_world_set_params(w.world, w.id[0], &off, NULL), TH_OK);
  walk_ticks(&w, 1);
  assert_float_equal(walk_turning(&w, 0, 18, 20, NULL), 0.0f, 0.5f);
  walk_end(&w);
  walk_begin(&w, NULL, 0);
  walk_add(&w, 0, 0, 1000, 0, &heavy);
  walk_ticks(&w, 1);
  assert_true(walk_now(&w, 0).y > 1.5f * gentle);
  walk_end(&w);
}

/* A wall follower whose weights change keeps to its side; a path follower keeps its corner. */
/* shows: STEER-05 */
static void memory_survives_changes(void **state) {
  (void)state;
  static walk w;
  const walk_box house = {0, 0, 2000, 1500};
  walk_begin(&w, &house, 1);
  th_steering_params p = walk_params();
  p.wall.on = true;
  walk_add(&w, 1500, -160, 2500, -160, &p);
  walk_ticks(&w, 10); /* near the corner, about to lose the wall */
  uint64_t turns = 0;
  for (int i = 0; i < 40; i++) {
    p.wall.force = i % 2 ? 1.0f : 1.1f;
    assert_int_equal(th_world_set_params(w.world, w.id[0], &p, NULL), TH_OK);
    walk_ticks(&w, 1);
    turns += walk_now(&w, 0).y > 300.0f;
  }
  assert_true(turns > 0); /* round the corner: it still knew its side */
  walk_end(&w);
}

/* shows: STEER-116 */
static void basic_and_full(void **state) {
  (void)state;
  th_steering_params p = th_default_steering_params(), full = p;
  th_steering_basic(&p);
  assert_false(p.obstacle.front || p.obstacle.tree || p.people.circumvention || p.people.deceleration ||
               p.people.acceleration || p.wall.my_side || p.wall.front || p.leader.deceleration || p.leader.memory ||
               p.leader.circumvention || p.along.give_way || p.along.wait);
  assert_true(p.path.regulation == 0.0f && p.people.projection == 0.0f);
  assert_true(p.obstacle.on && p.people.on && p.target.on);
  th_steering_full(&p);
  assert_memory_equal(&p, &full, sizeof p);
}

/* ---------------------------------------------------------------- a steering of the host */

typedef struct host {
  uint32_t calls;
  float memory;
  th_steering_force force;
} host;

static void behave(void *user, const th_steering_moment *moment, th_steering_force *force) {
  host *h = user;
  h->calls++;
  h->memory = moment->memory;
  assert_true(moment->walk == 2.2f && moment->tick == 0.25f);
  *force = h->force;
}

/* shows: STEER-08, STEER-09, STEER-17 */
static void a_steering_of_the_host(void **state) {
  (void)state;
  static walk w;
  host h = {.force = {.force = {0, -2}, .agrees = true}};
  th_steering_params p = walk_to(7000, 0);
  p.behave = behave;
  p.user = &h;
  walk_begin(&w, NULL, 0);
  walk_add(&w, 0, 0, 1000, 0, &p);
  walk_ticks(&w, 20);
  assert_int_equal(h.calls, 20);
  assert_true(walk_now(&w, 0).y > 300.0f && walk_now(&w, 0).x > 100.0f); /* to the right, and to the target */
  assert_true(h.memory >= 1.0f && h.memory <= 2.0f);
  h.force = (th_steering_force){.stop = true, .looks = true, .focus = {0, 100}}; /* to the left */
  walk_ticks(&w, 2);
  assert_true(walk_speed(&w, 0, 22) > 1.0f); /* the target still pulls */
  p.target.on = false;
  assert_int_equal(th_world_set_params(w.world, w.id[0], &p, NULL), TH_OK);
  walk_ticks(&w, 2);
  assert_float_equal(walk_speed(&w, 0, 24), 0.0f, 1e-3f);
  assert_true(th_world_agent_heading(w.world, w.id[0]).y > 0.99f);
  assert_int_equal(th_world_agents(w.world).gait[0], TH_GAIT_STAND);
  /* forces that are no numbers count as none, however large ones as the largest */
  h.force = (th_steering_force){.force = {NAN, 1}, .agrees = true};
  walk_ticks(&w, 2);
  assert_float_equal(walk_speed(&w, 0, 26), 0.0f, 1e-3f);
  h.force = (th_steering_force){.force = {1e20f, 0}, .agrees = true};
  walk_ticks(&w, 2);
  assert_true(walk_speed(&w, 0, 28) > 100.0f && walk_speed(&w, 0, 28) <= 792.0f); /* the fastest run: 1.8 of 440 */
  walk_end(&w);
}

/* ---------------------------------------------------------------- what is refused */

static void refused(walk *w, const th_agent_def *def, const char *where, const char *text) {
  th_error error = {0};
  const uint32_t before = th_world_agents(w->world).count;
  assert_int_not_equal(th_world_add_agent(w->world, def, NULL, &error), TH_OK);
  if (strcmp(error.where, where) || !strstr(error.text, text)) fail_msg("%s: %s", error.where, error.text);
  assert_int_equal(th_world_agents(w->world).count, before);
}

/* shows: STEER-117 */
static void values_out_of_range(void **state) {
  (void)state;
  static walk w;
  walk_begin(&w, NULL, 0);
  th_steering_params p = walk_params();
  const th_agent_def def = walk_def(0, 0, 1, 0, &p);
  p.obstacle.front_ray = 0.0f;
  refused(&w, &def, "obstacle_front_ray", "0.1 to 50");
  p.obstacle.front_ray = 6.25f;
  p.people.force = NAN;
  refused(&w, &def, "people_force", "0 to 10");
  p.people.force = 10.5f;
  refused(&w, &def, "people_force", "0 to 10");
  p.people.force = 2.0f;
  p.leader.angle = 181.0f;
  refused(&w, &def, "leader_angle", "-180 to 180");
  p.leader.angle = 180.0f;
  p.leader.force_distance = 0.0f;
  refused(&w, &def, "leader_force_distance", "0.01 to 20");
  walk_end(&w);
  /* every number of the table, a little beyond both ends */
  for (uint32_t i = 0; i < th_model_steering.param_count; i++) {
    const th_param *row = &th_model_steering.param[i];
    if (row->type != TH_PARAM_FLOAT) continue;
    for (int end = 0; end < 2; end++) {
      th_steering_params q = th_default_steering_params();
      const float value = (float)(end ? row->max + 0.01 * (1 + row->max) : row->min - 0.01);
      memcpy((char *)&q + row->offset, &value, sizeof value);
      th_error error = {0};
      assert_int_not_equal(th_param_check(th_model_steering.param, th_model_steering.param_count, &q, &error), TH_OK);
      assert_string_equal(error.where, row->name);
    }
  }
}

/* shows: STEER-117 */
static void nobody_to_follow(void **state) {
  (void)state;
  static walk w;
  walk_begin(&w, NULL, 0);
  th_steering_params off = walk_params(), p = off, q = off, r = off;
  p.leader.on = true;
  q.along.on = true;
  r.path.on = true;
  th_agent_def def = walk_def(0, 0, 1, 0, &p);
  refused(&w, &def, "leader", "a link with the role leader, found none");
  def.params = &q;
  refused(&w, &def, "partner", "a link with the role partner, found none");
  def.params = &r;
  refused(&w, &def, "guide", "a guide that has a path, found none");
  walk_add(&w, 0, 0, 1, 0, &off);
  walk_add(&w, 500, 0, 1, 0, &off);
  walk_add(&w, 900, 0, 1, 0, &off);
  th_error error = {0};
  assert_int_not_equal(th_world_set_params(w.world, w.id[0], &p, &error), TH_OK);
  assert_string_equal(error.where, "leader");
  /* one that has left */
  def.params = &p;
  def.link_count = 1;
  def.link[0] = th_default_link_def();
  def.link[0].role = TH_ROLE_LEADER;
  def.link[0].agent = w.id[2];
  th_world_remove_agent(w.world, w.id[2]);
  refused(&w, &def, "leader", "found one that does not");
  /* a circle, and oneself */
  walk_link(&w, 0, 1, TH_ROLE_LEADER, &p);
  th_agent_def own;
  assert_true(th_world_agent_def(w.world, w.id[1], &own));
  own.link[0] = th_default_link_def();
  own.link[0].role = TH_ROLE_LEADER;
  own.link[0].agent = w.id[0];
  own.link_count = 1;
  own.params = &p;
  assert_int_not_equal(th_world_change_agent(w.world, w.id[1], &own, &error), TH_OK);
  assert_non_null(strstr(error.text, "circle of 2"));
  own.link[0].agent = w.id[1];
  assert_int_not_equal(th_world_change_agent(w.world, w.id[1], &own, &error), TH_OK);
  assert_non_null(strstr(error.text, "found itself"));
  walk_ticks(&w, 2);
  walk_end(&w);
}

static uint32_t told(const th_world *world, th_event_kind kind, th_agent_id agent) {
  uint32_t count, found = 0;
  const th_event *event = th_world_events(world, &count);
  for (uint32_t i = 0; i < count; i++) found += event[i].kind == kind && th_same_agent(event[i].agent, agent);
  return found;
}

/* shows: STEER-63 */
static void a_leader_who_leaves(void **state) {
  (void)state;
  static walk w;
  th_steering_params leader = walk_to(6000, 0), off = walk_params(), p = off;
  p.leader.on = true;
  walk_begin(&w, NULL, 0);
  walk_add(&w, 0, 0, 1000, 0, &leader);
  walk_add(&w, -300, 0, 0, 0, &off);
  walk_link(&w, 1, 0, TH_ROLE_LEADER, &p);
  walk_ticks(&w, 20);
  th_world_remove_agent(w.world, w.id[0]);
  th_world_step(w.world);
  assert_int_equal(told(w.world, TH_EVENT_LINK_GONE, w.id[1]), 1);
  const th_vec3 here = th_world_agent_point(w.world, w.id[1]);
  for (int i = 0; i < 20; i++) {
    th_world_step(w.world);
    assert_int_equal(told(w.world, TH_EVENT_LINK_GONE, w.id[1]), 0); /* once */
  }
  const th_vec3 now = th_world_agent_point(w.world, w.id[1]);
  assert_true(hypotf(now.x - here.x, now.y - here.y) < 0.01f);
  assert_int_equal(th_world_agents(w.world).gait[0], TH_GAIT_STAND);
  /* other changes of the follower are still possible */
  assert_int_equal(th_world_set_params(w.world, w.id[1], &p, NULL), TH_OK);
  walk_end(&w);
}

/* ---------------------------------------------------------------- decisions and layers */

/* Decisions fall at multiples of 0.25 s for every dt, and motion in between is smooth. */
/* shows: STEER-04 */
static void decisions_every_quarter_second(void **state) {
  (void)state;
  const float dt[] = {0.25f, 0.1f, 0.05f, 0.01f};
  float jump[4] = {0};
  th_vec2 end[4];
  for (int k = 0; k < 4; k++) {
    static walk w;
    const th_steering_params p = walk_to(3000, 3000);
    walk_begin(&w, NULL, 0);
    assert_int_equal(th_world_set_dt(w.world, dt[k], NULL), TH_OK);
    walk_add(&w, 0, 0, 1000, 0, &p);
    const int steps = (int)(8.0f / dt[k] + 0.5f);
    th_vec3 last = th_world_agent_velocity(w.world, w.id[0]);
    for (int i = 0; i < steps; i++) {
      th_world_step(w.world);
      th_vec3 v = th_world_agent_velocity(w.world, w.id[0]);
      jump[k] = fmaxf(jump[k], hypotf(v.x - last.x, v.y - last.y));
      last = v;
    }
    const th_vec3 at = th_world_agent_point(w.world, w.id[0]);
    end[k] = (th_vec2){at.x, at.y};
    walk_end(&w);
  }
  for (int k = 1; k < 4; k++) {
    const float share = 2.5f / (dt[0] / dt[k] + 1.5f); /* of a change taken in one step: no kink */
    assert_true(jump[k] < 1.01f * share * jump[0]);
    assert_true(hypotf(end[k].x - end[0].x, end[k].y - end[0].y) < 0.5f * 0.25f * 2.2f); /* half a decision */
  }
  /* a count of decisions */
  for (int k = 0; k < 4; k++) {
    static walk w;
    host counted = {.force = {.agrees = true}};
    th_steering_params p = walk_params();
    p.user = &counted;
    p.behave = behave;
    walk_begin(&w, NULL, 0);
    assert_int_equal(th_world_set_dt(w.world, dt[k], NULL), TH_OK);
    walk_add(&w, 0, 0, 1000, 0, &p);
    const int steps = (int)(8.0f / dt[k] + 0.5f);
    for (int i = 0; i < steps; i++) th_world_step(w.world);
    assert_true(counted.calls >= 32 && counted.calls <= 33);
    walk_end(&w);
  }
}

/* The host may move the bodies itself: it gets the same advice, and the steerings are none the wiser. */
/* shows: STEER-01, STEER-02, STEER-86 */
static void bodies_moved_by_the_host(void **state) {
  (void)state;
  static walk one, other;
  const walk_box box = {1000, -100, 1200, 100};
  th_steering_params p = walk_to(2400, 0);
  p.obstacle.on = true;
  walk_begin(&one, &box, 1);
  walk_begin(&other, &box, 1);
  walk_add(&one, 0, 20, 1000, 20, &p);
  walk_add(&other, 0, 20, 1000, 20, &p);
  for (int i = 0; i < 40; i++) {
    th_world_step(one.world);
    th_world_advise(other.world);
    th_agents a = th_world_agents(other.world);
    const th_vec3 to = {a.x[0] + 0.25f * a.advised_vx[0], a.y[0] + 0.25f * a.advised_vy[0], 0};
    th_world_accept(other.world, &to, 1);
  }
  const th_vec3 a = th_world_agent_point(one.world, one.id[0]), b = th_world_agent_point(other.world, other.id[0]);
  assert_true(hypotf(a.x - b.x, a.y - b.y) < 1e-3f && a.x > 8.0f);
  walk_end(&one);
  walk_end(&other);
}

/* What others intend, with which settings, is nothing that an agent could know: it goes by places and velocities. */
/* shows: STEER-03 */
static void only_what_is_sensed(void **state) {
  (void)state;
  th_vec2 v[2];
  for (int k = 0; k < 2; k++) {
    static walk w;
    th_steering_params p = walk_to(3000, 0), q = walk_to(0, 30);
    p.people.on = q.people.on = true;
    if (k) q.people.character = TH_CHARACTER_SHY, q.target.place = walk_point(-500, 900), q.multiplier = 2.0f;
    walk_begin(&w, NULL, 0);
    walk_add(&w, 0, 0, 3000, 0, &p);
    walk_add(&w, 900, 30, 0, 30, &q);
    walk_ticks(&w, 1); /* the other one's first decision shows only in the next step */
    const th_vec3 now = th_world_agent_velocity(w.world, w.id[0]);
    v[k] = (th_vec2){now.x, now.y};
    walk_end(&w);
  }
  assert_true(v[0].x == v[1].x && v[0].y == v[1].y);
}

/* The same seed gives the same run, another seed other draws. */
/* shows: STEER-13 */
static void seeds(void **state) {
  (void)state;
  float y[20];
  for (uint64_t i = 0; i < 20; i++) {
    static walk w;
    th_vec2 corner[4], point[4];
    th_polygon outline = th_box_polygon(-50, -50, 50, 50, corner), wall = th_box_polygon(10, -45, 10.1f, 45, point);
    memset(&w, 0, sizeof w);
    th_flat_def flat = th_default_flat_def();
    flat.outline = &outline;
    flat.outline_count = 1;
    flat.obstacle = &wall;
    flat.obstacle_count = 1;
    th_world_def def = th_default_world_def();
    def.dt = 0.25f;
    def.seed = i / 2 * 1000 + 1;
    assert_int_equal(th_ground_make_flat(&flat, &def.ground, NULL), TH_OK);
    assert_int_equal(th_world_make(&def, &w.world, NULL), TH_OK);
    th_ground_release(def.ground);
    th_steering_params p = walk_params();
    p.obstacle.on = true;
    walk_add(&w, 0, 0, 1000, 0, &p); /* exactly head-on: the side is drawn */
    walk_ticks(&w, 40);
    y[i] = walk_now(&w, 0).y;
    walk_end(&w);
  }
  uint32_t left = 0;
  for (int i = 0; i < 20; i += 2) {
    assert_true(y[i] == y[i + 1]);
    left += y[i] < 0.0f;
  }
  assert_true(left > 0 && left < 10);
}

static const th_trace_item *published(const th_trace_item *item, uint32_t count, const char *name) {
  for (uint32_t i = 0; i < count; i++)
    if (!strcmp(item[i].trace->name, name)) return &item[i];
  return NULL;
}

/* Each force is published with what caused it; forces and the velocity before give the new one. */
/* shows: STEER-09 */
static void traces_explain_a_decision(void **state) {
  (void)state;
  static walk w;
  static th_trace_item item[64];
  const walk_box box = {500, -100, 700, 100};
  th_steering_params p = walk_to(2400, 0), other = walk_params();
  p.obstacle.on = p.people.on = true;
  walk_begin(&w, &box, 1);
  walk_add(&w, 0, 20, 1000, 20, &p);
  walk_add_at_rest(&w, 150, 200, &other);
  th_trace_def def = th_default_trace_def();
  def.items = 64;
  assert_int_equal(th_world_trace(w.world, &def, NULL), TH_OK);
  assert_int_equal(th_world_trace_agent(w.world, w.id[0], true, NULL), TH_OK);
  th_world_step(w.world);
  const uint32_t count = th_world_traces(w.world, w.id[0], item, 64);
  assert_true(count > 6 && count < 64);
  const char *const force[] = {"obstacle", "people", "target"};
  const th_trace_item *v = published(item, count, "previous"), *to = published(item, count, "new");
  assert_non_null(v);
  assert_non_null(to);
  assert_float_equal(v->a.x, 1.87f, 1e-3f);
  assert_float_equal(v->value, 2.0f, 1e-6f); /* its weight */
  float x = 2.0f * v->a.x, y = 2.0f * v->a.y;
  for (int i = 0; i < 3; i++) {
    const th_trace_item *f = published(item, count, force[i]);
    assert_non_null(f);
    x += f->a.x;
    y += f->a.y;
  }
  assert_true(fabsf(x * to->a.y - y * to->a.x) < 1e-3f * hypotf(x, y) * hypotf(to->a.x, to->a.y)); /* one direction */
  const th_trace_item *ray = published(item, count, "ray"), *seen = published(item, count, "seen"),
                      *place = published(item, count, "place");
  assert_non_null(ray);
  assert_non_null(seen);
  assert_non_null(place);
  assert_float_equal(ray->b.x, 5.0f, 1e-2f); /* meets the box, and is buried as deep as it is long beyond it */
  assert_float_equal(ray->value, 1.25f, 1e-2f);
  assert_float_equal(seen->a.x, 1.5f, 1e-3f);
  assert_float_equal(place->a.x, 24.0f, 1e-3f);
  walk_end(&w);
}

/* A leader is published while it is in sight, and behind a wall it is not. */
static void only_a_leader_in_sight_is_published(void **state) {
  (void)state;
  static walk w;
  static th_trace_item item[64];
  const walk_box box = {400, -300, 450, 300};
  th_steering_params off = walk_params(), p = off;
  p.leader.on = true;
  for (uint32_t boxes = 0; boxes < 2; boxes++) {
    walk_begin(&w, &box, boxes);
    walk_add_at_rest(&w, 600, 0, &off);
    walk_add_at_rest(&w, 200, 0, &off);
    walk_link(&w, 1, 0, TH_ROLE_LEADER, &p);
    th_trace_def def = th_default_trace_def();
    assert_int_equal(th_world_trace(w.world, &def, NULL), TH_OK);
    assert_int_equal(th_world_trace_agent(w.world, w.id[1], true, NULL), TH_OK);
    th_world_step(w.world);
    const uint32_t count = th_world_traces(w.world, w.id[1], item, 64);
    const th_trace_item *whom = published(item, count, "whom");
    assert_non_null(published(item, count, "new"));
    if (!whom != (boxes > 0)) fail_msg("%u boxes: %s", boxes, whom ? "published" : "not published");
    if (whom) assert_float_equal(whom->a.x, 6.0f, 1e-3f);
    walk_end(&w);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(switched_and_weighted_while_walking),
                                     cmocka_unit_test(memory_survives_changes),
                                     cmocka_unit_test(basic_and_full),
                                     cmocka_unit_test(a_steering_of_the_host),
                                     cmocka_unit_test(values_out_of_range),
                                     cmocka_unit_test(nobody_to_follow),
                                     cmocka_unit_test(a_leader_who_leaves),
                                     cmocka_unit_test(decisions_every_quarter_second),
                                     cmocka_unit_test(bodies_moved_by_the_host),
                                     cmocka_unit_test(only_what_is_sensed),
                                     cmocka_unit_test(seeds),
                                     cmocka_unit_test(traces_explain_a_decision),
                                     cmocka_unit_test(only_a_leader_in_sight_is_published)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
