/* Tests of the time gap: people behind others, against others and across, on flat ground and on a mesh. */
#include "support/mesh_worlds.h"
#include "throng/guide.h"
#include "throng/model.h"
#include "throng/model/orca.h"

/* Everybody walks along the direction that `user` holds, seen from above. */
static void along(void *user, const th_guide_query *q) {
  const th_vec2 *d = user;
  for (uint32_t lane = 0; lane < q->lanes; lane++) {
    th_place place = {q->cell[lane], q->x[lane], q->y[lane]};
    th_vec2 to = th_ground_to_cell(q->ground, place, (th_vec3){d->x, d->y, 0.0f});
    q->want[lane] = (th_guide_answer){.dx = to.x, .dy = to.y, .left = 100.0f, .state = TH_ANSWER_LEAD};
  }
}

static th_guide_id guide_along(th_world *world, th_vec2 *direction) {
  th_user_guide_params host = {along, direction};
  th_guide_id guide;
  OK(th_world_add_guide(world, &th_guide_user, &host, &guide, &error));
  return guide;
}

typedef struct person {
  float x, y, speed, time_gap;
  const th_model *model;
} person;

static th_agent_id add(th_world *world, th_guide_id guide, const person *p) {
  th_agent_def def = worlds_agent_def(p->x, p->y, NOWHERE);
  th_people_params people = th_default_people;
  people.time_gap = p->time_gap, people.time_gap_spread = 0.0f;
  def.guide = guide;
  def.speed = p->speed;
  def.people = p->time_gap > 0.0f ? &people : NULL;
  def.model = p->model;
  return worlds_add(world, &def);
}

static float speed_of(const th_world *world, th_agent_id id) {
  th_vec3 v = th_world_agent_velocity(world, id);
  return sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
}

/* A follower that would like to walk faster ends up at  l + T v  behind its leader, at the leader's speed, where the
 * corridor is too narrow to overtake. */
static void follows_at_the_gap(th_ground *ground, const th_env *env, const th_model *model) {
  static th_vec2 east = {1.0f, 0.0f};
  th_world *world = worlds_make(ground, env);
  th_guide_id guide = guide_along(world, &east);
  th_agent_id leader = add(world, guide, &(person){12.0f, 0.4f, 0.5f, 0.0f, model});
  th_agent_id follower = add(world, guide, &(person){9.0f, 0.41f, 1.34f, 1.2f, model});
  worlds_steps(world, 200);
  float apart = mesh_grounds_apart(th_world_agent_point(world, leader), th_world_agent_point(world, follower));
  if (!(fabsf(apart - (0.4f + 1.2f * 0.5f)) < 0.03f && fabsf(speed_of(world, follower) - 0.5f) < 0.02f))
    fail_msg("%s: %g m behind at %g m/s", model->name, (double)apart, (double)speed_of(world, follower));
  th_world_free(world);
}

static void people_follow_at_their_gap(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_TERRAIN);
  make.length = 40.0f, make.width = 0.8f, make.edge = 0.4f, make.height = 0.05f;
  th_ground *ground[2] = {worlds_box(&env, 40.0f, 0.8f), mesh_grounds_make(&env, &make)};
  for (int g = 0; g < 2; g++) {
    follows_at_the_gap(ground[g], &env, &th_model_follow);
    follows_at_the_gap(ground[g], &env, &th_model_orca);
    th_ground_release(ground[g]);
  }
  assert_int_equal(h.faults, 0);
}

/* People that are held up follow closer, at the part `hurry` of their time gap. */
static void people_who_are_held_up_follow_closer(void **state) {
  (void)state;
  static th_vec2 east = {1.0f, 0.0f};
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_box(&env, 40.0f, 0.8f);
  th_world *world = worlds_make(ground, &env);
  th_guide_id guide = guide_along(world, &east);
  th_agent_id leader = add(world, guide, &(person){12.0f, 0.4f, 0.3f, 0.0f, &th_model_orca});
  th_agent_id follower = add(world, guide, &(person){9.0f, 0.41f, 1.34f, 1.2f, &th_model_orca});
  worlds_steps(world, 300);
  const float apart = th_world_agent_point(world, leader).x - th_world_agent_point(world, follower).x;
  if (!(fabsf(apart - (0.4f + th_default_people.hurry * 1.2f * 0.3f)) < 0.04f)) fail_msg("%g m behind", (double)apart);
  worlds_end(world, ground);
}

/* Somebody close ahead stands in all directions that are compared: it is walked round where there is room, straight
 * ahead, beside a wall, and when it never moves. */
static void nobody_follows_a_slow_one_for_ever(void **state) {
  (void)state;
  static th_vec2 east = {1.0f, 0.0f};
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_TERRAIN);
  make.length = 30.0f, make.width = 3.0f, make.edge = 0.5f, make.height = 0.05f;
  th_ground *ground[2] = {worlds_box(&env, 30.0f, 3.0f), mesh_grounds_make(&env, &make)};
  static const float at[3][2] = {{1.5f, 1.5f}, {0.3f, 0.3f}, {0.62f, 0.66f}}, speed[2] = {0.0f, 0.1f};
  for (int k = 0; k < 24; k++) {
    th_world *world = worlds_make(ground[k % 2], &env);
    th_guide_id guide = guide_along(world, &east);
    const float *y = at[k / 2 % 3];
    const th_model *model = k / 12 ? &th_model_follow : &th_model_orca;
    th_agent_id walker = add(world, guide, &(person){10.0f, y[0], 1.34f, 0.85f, model});
    add(world, guide, &(person){10.42f, y[1], speed[k / 6 % 2], 0.85f, model});
    worlds_steps(world, 120);
    const float x = th_world_agent_point(world, walker).x;
    if (!(x > 18.0f)) fail_msg("case %d: at %g m", k, (double)x);
    th_world_free(world);
  }
  for (int g = 0; g < 2; g++) th_ground_release(ground[g]);
}

/* Nobody slows down for people who come towards it. */
static void oncoming_people_do_not_count(void **state) {
  (void)state;
  static th_vec2 east = {1.0f, 0.0f}, west = {-1.0f, 0.0f};
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_box(&env, 40.0f, 10.0f);
  th_world *world = worlds_make(ground, &env);
  th_guide_id to_east = guide_along(world, &east), to_west = guide_along(world, &west);
  th_agent_id a = add(world, to_east, &(person){5.0f, 5.0f, 1.0f, 1.0f, &th_model_follow});
  add(world, to_west, &(person){12.0f, 5.25f, 1.0f, 1.0f, &th_model_follow});
  float slowest = 1.0f;
  for (int step = 0; step < 60; step++) {
    th_world_step(world);
    th_agents all = th_world_agents(world);
    uint32_t row = th_world_row(world, a);
    float speed = hypotf(all.advised_vx[row], all.advised_vy[row]);
    slowest = speed < slowest ? speed : slowest;
  }
  assert_true(slowest > 0.999f);
  assert_true(th_world_agent_point(world, a).x > 10.0f);
  worlds_end(world, ground);
}

/* Two whose ways cross, each in the strip ahead of the other: neither waits for ever. */
static void people_who_cross_do_not_wait_for_each_other(void **state) {
  (void)state;
  static th_vec2 east = {1.0f, 0.0f}, south = {-0.2f, -0.98f};
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_box(&env, 40.0f, 20.0f);
  th_world *world = worlds_make(ground, &env);
  th_guide_id to_east = guide_along(world, &east), to_south = guide_along(world, &south);
  th_agent_id a = add(world, to_east, &(person){20.201f, 10.609f, 1.34f, 0.6f, &th_model_orca});
  th_agent_id b = add(world, to_south, &(person){20.5158f, 10.8558f, 1.34f, 0.6f, &th_model_orca});
  worlds_steps(world, 50);
  assert_true(th_world_agent_point(world, a).x > 24.0f && th_world_agent_point(world, b).y < 8.0f);
  worlds_end(world, ground);
}

/* A queue behind somebody who stands at the end of its route is none: people go round whoever wants to stay. */
static void people_go_round_those_who_stay(void **state) {
  (void)state;
  static th_vec2 east = {1.0f, 0.0f};
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_box(&env, 40.0f, 10.0f);
  th_world *world = worlds_make(ground, &env);
  th_guide_id guide = guide_along(world, &east);
  th_agent_def stander = worlds_agent_def(15.0f, 5.0f, NOWHERE);
  worlds_add(world, &stander);
  th_agent_id a = add(world, guide, &(person){10.0f, 5.0f, 1.34f, 0.6f, &th_model_orca});
  worlds_steps(world, 80);
  assert_true(th_world_agent_point(world, a).x > 18.0f);
  worlds_end(world, ground);
}

/* Gaps and what follows from them are state: a restored world goes on with the same bits, whatever the workers. */
static void gaps_survive_a_snapshot(void **state) {
  (void)state;
  static th_vec2 east = {1.0f, 0.0f};
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_box(&env, 40.0f, 10.0f);
  uint64_t hash[2];
  for (uint32_t k = 0; k < 2; k++) {
    th_world_def def = th_default_world_def();
    th_world *world = NULL;
    def.env = env, def.ground = ground, def.workers = 1 + 2 * k;
    OK(th_world_make(&def, &world, &error));
    th_guide_id guide = guide_along(world, &east);
    for (uint32_t i = 0; i < 60; i++)
      add(world, guide,
          &(person){1.0f + 0.6f * (float)(i % 10), 2.0f + 0.7f * (float)(i / 10), 0.6f + 0.02f * (float)i,
                    0.1f * (float)(i % 7), i % 3 ? &th_model_orca : &th_model_follow});
    worlds_steps(world, 20);
    worlds_saved saved = worlds_save(world);
    if (k) worlds_steps(world, 7);
    if (k) OK(th_world_restore(world, saved.memory, saved.size, &error));
    worlds_steps(world, 30);
    hash[k] = th_world_hash(world);
    free(saved.memory);
    th_world_free(world);
  }
  assert_true(hash[0] == hash[1]);
  th_ground_release(ground);
}

static void wrong_gaps_are_refused(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_box(&env, 10.0f, 10.0f);
  th_world *world = worlds_make(ground, &env);
  static const float wrong[] = {-0.1f, 11.0f, NAN};
  for (int i = 0; i < 3; i++) {
    th_agent_def def = worlds_agent_def(5.0f, 5.0f, NOWHERE);
    th_people_params people = th_default_people;
    people.time_gap = wrong[i];
    def.people = &people;
    REFUSED(world, th_world_add_agents(world, &def, 1, NULL, &error), TH_ERROR_RANGE, "time_gap");
  }
  worlds_end(world, ground);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(people_follow_at_their_gap),
      cmocka_unit_test(people_who_are_held_up_follow_closer),
      cmocka_unit_test(nobody_follows_a_slow_one_for_ever),
      cmocka_unit_test(oncoming_people_do_not_count),
      cmocka_unit_test(people_who_cross_do_not_wait_for_each_other),
      cmocka_unit_test(people_go_round_those_who_stay),
      cmocka_unit_test(gaps_survive_a_snapshot),
      cmocka_unit_test(wrong_gaps_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
