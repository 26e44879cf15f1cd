/* tests/whole/test_param_lists.c - parameters that hold places and lists: a model with up to eight targets, each with a
 * place and up to eight points of a force, as a crowd, on flat ground and on a mesh; their sets, hash and snapshot; and
 * what a scene writes for them. */
#include <jansson.h>
#include <stddef.h>

#include "io/scene/read.h"
#include "support/mesh_worlds.h"
#include "support/worlds.h"
#include "world/world.h"

enum { TARGETS = 8, POINTS = 8, SEEN = 16 };

typedef struct force {
  uint32_t count;
  th_vec3 point[POINTS]; /* distance [m], force, 1 = goes on to the next one */
} force;

typedef struct draw_params {
  struct {
    uint32_t count;
    th_vec3 place[TARGETS];
  } targets;
  force force[TARGETS];
  th_vec3 home;
} draw_params;

#define AT(member) (uint32_t) offsetof(draw_params, member)
#define FORCE(k) \
  { "force_" #k, TH_PARAM_POINTS, AT(force[k]), "", -1e4, 1e4, POINTS, "distance, force, whether it goes on", NULL }
static const th_param table[] = {
    {"targets", TH_PARAM_POINTS, AT(targets), "m", -1e4, 1e4, TARGETS, "what draws it", NULL},
    FORCE(0),
    FORCE(1),
    FORCE(2),
    FORCE(3),
    FORCE(4),
    FORCE(5),
    FORCE(6),
    FORCE(7),
    {"home", TH_PARAM_PLACE, AT(home), "m", -1e4, 1e4, 0, "where it lives", NULL},
};
enum { TABLE = sizeof table / sizeof *table };

typedef struct draw_state {
  th_vec2 seen; /* home, from where it stands */
  uint32_t targets, points;
} draw_state;

static void draw(const th_work *work) {
  for (uint32_t lane = 0; lane < work->view->lanes; lane++) {
    const draw_params *params = work->params[lane];
    draw_state *state = work->state[lane];
    th_vec2 home = th_view_place(work->view, lane, params->home);
    state->seen = (th_vec2){home.x - work->view->x[lane], home.y - work->view->y[lane]};
    state->targets = params->targets.count;
    state->points = 0;
    for (uint32_t k = 0; k < params->targets.count; k++) state->points += params->force[k].count;
  }
}

static const th_pass passes[] = {{"draw", TH_OVER_VIEWS, TH_SEE_BODY, draw}};
static const th_model draw_model = {.name = "draw",
                                    .summary = "is drawn to places",
                                    .param = table,
                                    .param_count = TABLE,
                                    .param_size = sizeof(draw_params),
                                    .state_size = sizeof(draw_state),
                                    .pass = passes,
                                    .pass_count = 1};

/* Lists as a host fills them that does not clear its memory. */
static draw_params filled(uint8_t junk) {
  draw_params p;
  memset(&p, junk, sizeof p);
  p.targets.count = 2;
  p.targets.place[0] = (th_vec3){1, 2, 0};
  p.targets.place[1] = (th_vec3){3, 4, 0};
  for (uint32_t k = 0; k < TARGETS; k++) p.force[k].count = 0;
  p.force[0].count = p.force[1].count = 3;
  for (uint32_t i = 0; i < 3; i++) {
    p.force[0].point[i] = (th_vec3){(float)i, 100.0f, 1.0f};
    p.force[1].point[i] = (th_vec3){(float)i, -100.0f, 0.0f};
  }
  p.home = (th_vec3){12, 5, 0};
  return p;
}

static const draw_state *state_of(const th_world *world, th_agent_id id) {
  uint32_t row = th_world_row(world, id);
  const th_model_slot *use = &world->model[world->rows.model[row]];
  return (const draw_state *)(const void *)(use->states + row * use->state_stride);
}

typedef struct stage {
  log_capture h;
  th_ground *ground;
  th_world *world;
  th_agent_id id[SEEN];
} stage;

static void begin(stage *s, uint8_t junk) {
  memset(s, 0, sizeof *s);
  th_env env = worlds_env(&s->h);
  s->ground = worlds_box(&env, 20, 10);
  s->world = worlds_make(s->ground, &env);
  for (uint32_t i = 0; i < SEEN; i++) {
    draw_params params = filled((uint8_t)(junk * (i + 1)));
    th_agent_def def = worlds_agent_def(2.0f + (float)i, 5, NOWHERE);
    def.model = &draw_model;
    def.params = &params;
    s->id[i] = worlds_add(s->world, &def);
  }
  worlds_steps(s->world, 3);
}

static void end(stage *s) {
  assert_int_equal(s->h.faults, 0);
  worlds_end(s->world, s->ground);
}

/* What lists do not use makes no difference: equal ones are one set, and worlds have the same hash. */
static void unused_points_do_not_count(void **state) {
  (void)state;
  stage clean, dirty;
  begin(&clean, 0);
  begin(&dirty, 0x5b);
  assert_int_equal(dirty.world->model[0].sets.used, 1);
  assert_true(th_world_hash(clean.world) == th_world_hash(dirty.world));
  th_agent_def def;
  assert_true(th_world_agent_def(dirty.world, dirty.id[3], &def));
  const draw_params *params = def.params;
  assert_true(params->targets.count == 2 && params->targets.place[1].y == 4.0f && params->targets.place[2].x == 0.0f);
  assert_true(params->force[0].point[2].x == 2.0f && params->force[0].point[3].x == 0.0f);
  draw_params other = *params;
  other.force[1].point[2].y = -99.0f;
  def.params = &other;
  uint64_t before = th_world_hash(dirty.world);
  OK(th_world_change_agent(dirty.world, dirty.id[3], &def, &error));
  assert_true(th_world_hash(dirty.world) != before); /* what they use does */
  end(&clean);
  end(&dirty);
}

static void lists_survive_a_snapshot(void **state) {
  (void)state;
  stage s, other;
  begin(&s, 0x33);
  begin(&other, 0x77);
  worlds_saved saved = worlds_save(s.world);
  worlds_steps(other.world, 5);
  OK(th_world_restore(other.world, saved.memory, saved.size, &error));
  free(saved.memory);
  assert_true(th_world_hash(s.world) == th_world_hash(other.world));
  worlds_steps(other.world, 1);
  assert_true(state_of(other.world, other.id[0])->targets == 2 && state_of(other.world, other.id[0])->points == 6);
  end(&s);
  end(&other);
}

static void wrong_lists_are_refused(void **state) {
  (void)state;
  stage s;
  begin(&s, 0);
  draw_params params = filled(0);
  th_agent_def def = worlds_agent_def(5, 5, NOWHERE);
  def.model = &draw_model;
  def.params = &params;
  params.force[5].count = POINTS + 1;
  REFUSED(s.world, th_world_add_agents(s.world, &def, 1, NULL, &error), TH_ERROR_RANGE, "force_5");
  params = filled(0);
  params.targets.place[1].z = NAN;
  REFUSED(s.world, th_world_add_agents(s.world, &def, 1, NULL, &error), TH_ERROR_RANGE, "targets");
  end(&s);
}

/* A place is seen from where an agent stands. */
static void places_are_seen_on_flat_ground(void **state) {
  (void)state;
  stage s;
  begin(&s, 0);
  for (uint32_t i = 0; i < SEEN; i++) {
    const draw_state *seen = state_of(s.world, s.id[i]);
    assert_true(fabsf(seen->seen.x - (10.0f - (float)i)) < 1e-4f && fabsf(seen->seen.y) < 1e-4f);
  }
  end(&s);
}

static void places_are_seen_on_a_mesh(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_PLANET);
  make.level = 4;
  th_ground *ground = mesh_grounds_make(&env, &make);
  th_world *world = worlds_make(ground, &env);
  draw_params params = filled(0);
  params.home = (th_vec3){0, 0, 10}; /* the pole, from the equator: a quarter of the way round, 14.1 m in space */
  th_agent_def def = worlds_agent_def(10, 0, NOWHERE);
  def.model = &draw_model;
  def.params = &params;
  th_agent_id id = worlds_add(world, &def);
  worlds_steps(world, 2);
  th_vec2 seen = state_of(world, id)->seen;
  assert_true(fabsf(hypotf(seen.x, seen.y) - 14.14f) < 0.3f);
  assert_int_equal(h.faults, 0);
  worlds_end(world, ground);
}

/* ---------------------------------------------------------------- scenes */

static th_result set(draw_params *params, const char *name, const char *json, th_error *error) {
  char text[TH_PARAM_TEXT];
  json_t *value = json_loads(json, JSON_DECODE_ANY, NULL);
  assert_non_null(value);
  bool good = th_param_text(value, text, sizeof text);
  json_decref(value);
  if (!good) return TH_ERROR_FORMAT;
  return th_param_set(table, TABLE, params, name, text, error);
}

static void scenes_write_lists(void **state) {
  (void)state;
  draw_params params;
  th_error error;
  memset(&params, 0x11, sizeof params);
  th_param_defaults(table, TABLE, &params);
  assert_int_equal(set(&params, "targets", "[[1, 2], [3, 4, 0.1]]", &error), TH_OK);
  assert_true(params.targets.count == 2 && params.targets.place[1].z == 0.1f && params.targets.place[0].z == 0.0f);
  assert_int_equal(set(&params, "force_7", "[[0, -180, 1], [1500, -100, 0]]", &error), TH_OK);
  assert_true(params.force[7].count == 2 && params.force[7].point[0].y == -180.0f);
  assert_int_equal(set(&params, "force_7", "\"1 2 3; 4 5 6\"", &error), TH_OK); /* as --set may have it */
  assert_true(params.force[7].count == 2 && params.force[7].point[1].x == 4.0f);
  assert_int_equal(set(&params, "force_7", "[]", &error), TH_OK);
  assert_int_equal(params.force[7].count, 0);
  assert_int_equal(set(&params, "home", "[1, 2, 3]", &error), TH_OK);
  assert_true(params.home.x == 1.0f && params.home.z == 3.0f);
  static const char *const bad[][2] = {{"home", "[[1, 2]]"},       {"home", "[1]"},
                                       {"home", "[1, 2, 3, 4]"},   {"home", "[1, true]"},
                                       {"targets", "[[1]]"},       {"targets", "[[1, \"2\"]]"},
                                       {"targets", "[[1, 2], 3]"}, {"targets", "[[[1, 2]]]"},
                                       {"targets", "{}"},          {"targets", "[1, [2, 3]]"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    if (set(&params, bad[i][0], bad[i][1], &error) != TH_ERROR_FORMAT) fail_msg("%s: %s", bad[i][0], bad[i][1]);
  assert_int_equal(set(&params, "targets", "[[1,1],[1,1],[1,1],[1,1],[1,1],[1,1],[1,1],[1,1],[1,1]]", &error),
                   TH_ERROR_RANGE);
  assert_non_null(strstr(error.text, "at most 8 points"));
  assert_non_null(strstr(error.text, "found 9 points"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(unused_points_do_not_count), cmocka_unit_test(lists_survive_a_snapshot),
      cmocka_unit_test(wrong_lists_are_refused),    cmocka_unit_test(places_are_seen_on_flat_ground),
      cmocka_unit_test(places_are_seen_on_a_mesh),  cmocka_unit_test(scenes_write_lists),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
