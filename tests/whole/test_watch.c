/* tests/whole/test_watch.c - what a world shows between steps (throng/watch.h), on flat and on mesh ground. */
#include <math.h>
#include <stdlib.h>

#include "support/allocator.h"
#include "support/scene_runs.h"
#include "throng/guide.h"
#include "throng/markers.h"
#include "throng/model.h"
#include "throng/model/bvp.h"
#include "throng/model/orca.h"
#include "throng/param.h"
#include "throng/watch.h"

#define PEOPLE                                                                                                         \
  "\"goals\": [{\"name\": \"out\", \"point\": [18, 5], \"field\": \"%s\"}], \"populations\": [{\"name\": \"p\", "      \
  "\"positions\": [[4, 5], [4.25, 5], [6, 5], [14, 5]], \"route\": [\"out\"], \"remove\": false, \"people\": false}]," \
  " \"events\": [{\"at\": 0.5, \"close\": \"gate\"}, {\"at\": 0.5, \"add\": {\"name\": \"box\", \"rectangle\": [[1, "  \
  "8], "                                                                                                               \
  "[2, 9]]}}]}"
#define HEAD "{\"version\": 1, \"name\": \"watch\", \"duration\": 20, "
static const char flat[] = HEAD
    "\"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [20, 10]]}], \"cell\": 0.25, \"obstacles\": [{\"rectangle\": "
    "[[9.8, 0], [10, 4]]}, {\"rectangle\": [[9.8, 6], [10, 10]]}], \"doors\": [{\"name\": \"gate\", \"rectangle\": "
    "[[9.8, 4], [10, 6]]}]}, " PEOPLE;
static const char mesh[] = HEAD
    "\"ground\": {\"mesh\": {\"make\": {\"shape\": \"plane\", \"length\": 20, \"width\": 10, \"edge\": 0.5}}, "
    "\"doors\": "
    "[{\"name\": \"gate\", \"rectangle\": [[9.5, 3], [10.5, 7]]}], \"obstacles\": [{\"rectangle\": [[9.5, 0], [10.5, "
    "3]]}, {\"rectangle\": [[9.5, 7], [10.5, 10]]}]}, " PEOPLE;
static const char *const both[] = {flat, mesh};

static scene_run open_after(const char *text, const char *field, double seconds) {
  scene_run s = scene_run_make(text, field, (th_run_def){.seed = 0});
  scene_run_to(&s, seconds);
  return s;
}

static const th_barrier *barrier_of(const th_barrier *list, uint32_t count, const char *name) {
  for (uint32_t i = 0; i < count; i++)
    if (list[i].name && strcmp(list[i].name, name) == 0) return &list[i];
  return NULL;
}

static void doors_and_obstacles_are_those_in_force(void **state) {
  (void)state;
  for (int m = 0; m < 2; m++) {
    scene_run s = open_after(both[m], "geodesic", 0.4);
    th_barrier list[8];
    assert_int_equal(th_world_barriers(th_run_world(s.run), NULL, 0), 3);
    assert_int_equal(th_world_barriers(th_run_world(s.run), list, 8), 3);
    const th_barrier *gate = barrier_of(list, 3, "gate");
    assert_true(gate && gate->door && !gate->closed);
    assert_true((gate->region != NULL) == (m == 1) && (gate->outline.count == 4) == (m == 0));
    scene_run_to(&s, 1.0);
    const uint32_t count = th_world_barriers(th_run_world(s.run), list, 8);
    assert_int_equal(count, 4);
    gate = barrier_of(list, count, "gate");
    assert_true(gate && gate->closed);
    const th_barrier *box = barrier_of(list, count, "box");
    assert_true(box && !box->door && box->closed);
    const th_vec2 *corner = m ? box->region->outline : box->outline.point;
    float most = 0;
    for (int k = 0; k < 4; k++) most = fmaxf(most, corner[k].x + corner[k].y);
    assert_true(most == 11.0f);
    scene_run_free(&s);
  }
}

static void fields_of_every_kind_are_arrays(void **state) {
  (void)state;
  static const char *const kind[] = {"geodesic", "roomy", "harmonic"};
  for (int m = 0; m < 2; m++)
    for (int k = 0; k < 3; k++) {
      scene_run s = open_after(both[m], kind[k], 0.4);
      th_world *world = th_run_world(s.run);
      const th_ground *ground = th_world_ground(world);
      const th_field *field = th_world_field(world, th_run_goal(s.run, 0), 0.2f);
      const uint32_t count = th_world_field_left(world, field, NULL, 0);
      float *left = calloc(count, sizeof *left);
      assert_int_equal(th_world_field_left(world, field, left, count), count);
      uint32_t finite = 0;
      for (uint32_t i = 0; i < count; i++) finite += isfinite(left[i]) ? 1 : 0;
      assert_true(finite > count / 2 && finite <= count);
      if (m) {
        const th_mesh *of = th_ground_mesh(ground);
        assert_int_equal(count, of->vertex_count);
        for (uint32_t v = 0; v < count; v++) {
          const double x = of->xyz[3 * v] - 18, y = of->xyz[3 * v + 1] - 5;
          if (of->xyz[3 * v] > 11) assert_float_equal(left[v], sqrt(x * x + y * y), 0.6);
        }
      } else {
        const th_raster raster = th_ground_clearance_raster(ground);
        const th_place at = th_ground_locate(ground, 14, 5);
        assert_int_equal(count, raster.width * raster.height);
        assert_float_equal(left[at.cell], 4.0f, 0.3f);
      }
      free(left);
      scene_run_free(&s);
    }
}

static void a_source_tells_its_def(void **state) {
  (void)state;
  static const char text[] = HEAD
      "\"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [20, 10]]}]}, \"goals\": [{\"name\": \"out\", \"point\": "
      "[18, "
      "5]}], \"sources\": [{\"name\": \"in\", \"rate\": 2.5, \"total\": 7, \"region\": {\"rectangle\": [[1, 1], [3, "
      "3]]}, "
      "\"model\": \"%s\", \"params\": {\"sweeps\": 31}, \"speed\": {\"mean\": 1.2, \"spread\": 0.1}, \"route\": "
      "[\"out\"]}]}";
  scene_run s = open_after(text, "bvp", 1.0);
  th_world *world = th_run_world(s.run);
  th_source_id id;
  th_source_def def;
  assert_int_equal(th_world_sources(world, &id, 1), 1);
  assert_true(th_world_source_def(world, id, &def));
  assert_true(def.rate == 2.5f && def.total == 7 && def.region.count == 4 && def.spread.speed.mean == 1.2f);
  assert_true(def.agent.model == &th_model_bvp && def.agent.people && def.agent.route_count == 1);
  char value[TH_PARAM_TEXT_MAX] = "";
  for (uint32_t i = 0; i < def.agent.model->param_count; i++)
    if (strcmp(def.agent.model->param[i].name, "sweeps") == 0)
      th_param_get(&def.agent.model->param[i], def.agent.params, value, sizeof value);
  assert_string_equal(value, "31");
  th_source_id again; /* the def makes the same source */
  th_error error = {0};
  assert_int_equal(th_world_add_source(world, &def, &again, &error), TH_OK);
  th_world_remove_source(world, id);
  assert_false(th_world_source_def(world, id, &def));
  scene_run_free(&s);
}

static void weights_of_a_group_are_those_of_its_area(void **state) {
  (void)state;
  static const char text[] = HEAD
      "\"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [10, 10]]}]}, \"populations\": [{\"name\": \"p\", "
      "\"count\": 4, "
      "\"region\": {\"rectangle\": [[1, 1], [3, 3]]}, \"model\": \"biocrowds\"}], \"groups\": [{\"name\": \"g\", "
      "\"populations\": [\"p\"], \"factor\": %s, \"area\": [{\"rectangle\": [[5, 5], [8, 8]]}]}]}";
  scene_run s = open_after(text, "12", 0.3);
  th_world *world = th_run_world(s.run);
  const th_ground *ground = th_world_ground(world);
  const th_markers_def def = th_ground_markers_def(ground);
  const th_markers *markers;
  th_group_id group;
  uint32_t count, inside = 0;
  assert_int_equal(th_ground_markers(ground, &def, 0, &markers, NULL), TH_OK);
  assert_int_equal(th_world_groups(world, &group, 1), 1);
  const th_marker_weights *weights = th_world_group_weights(world, group, &count);
  assert_non_null(weights);
  assert_int_equal(count, th_markers_count(markers));
  for (uint32_t i = 0; i < count; i++) {
    const th_vec3 at = th_ground_point(ground, th_markers_places(markers)[i]);
    const bool in = at.x > 5 && at.x < 8 && at.y > 5 && at.y < 8;
    assert_true(weights->inside[i] == in && weights->weight[i] == (in ? 12.0f : 1.0f));
    inside += in;
  }
  assert_true(inside > 100);
  assert_null(th_world_group_weights(world, TH_NULL_GROUP, &count));
  assert_int_equal(count, 0);
  scene_run_free(&s);
}

/* ---------------------------------------------------------------- one agent */

static void the_chart_of_an_agent_is_flat_and_true(void **state) {
  (void)state;
  for (int m = 0; m < 2; m++) {
    scene_run s = open_after(both[m], "geodesic", 0.5);
    th_world *world = th_run_world(s.run);
    const th_agent_id me = th_world_agents(world).id[0];
    th_chart_agent other[2];
    th_segment wall[200];
    static th_chart_face face[4000];
    th_agent_chart chart = {.reach = 11, .agent = other, .agent_capacity = 2, .wall = wall, .wall_capacity = 200};
    th_error error = {0};
    chart.face = face, chart.face_capacity = 4000;
    assert_int_equal(th_world_chart(world, me, &chart, &error), TH_OK);
    const th_vec3 mine = th_world_agent_point(world, me);
    assert_true(chart.agent_count >= 2);
    for (uint32_t i = 0; i < 2; i++) {
      const th_vec3 at = th_world_agent_point(world, other[i].agent);
      assert_float_equal(other[i].distance, hypotf(at.x - mine.x, at.y - mine.y), 0.01);
      assert_float_equal(hypotf(other[i].x, other[i].y), other[i].distance, 1e-5);
      assert_true(other[i].seen && (i == 0 || other[1].distance >= other[0].distance));
    }
    assert_float_equal(hypotf(chart.want.x, chart.want.y), 1.0f, 0.01);
    assert_float_equal(chart.radius, 0.2f, 0);
    assert_true(chart.wall_count > 0);
    assert_true((chart.face_count > 0) == (m == 1));
    for (uint32_t f = 0; f < chart.face_count && f < 4000; f++)
      assert_true(face[f].least > 0.999f && face[f].most < 1.001f && face[f].least <= face[f].most);
    chart.reach = 0;
    assert_int_equal(th_world_chart(world, me, &chart, &error), TH_ERROR_RANGE);
    chart.reach = 5;
    assert_int_equal(th_world_chart(world, TH_NULL_AGENT, &chart, &error), TH_ERROR_STATE);
    scene_run_free(&s);
  }
}

/* The gate is closed from 0.5 s on: the one behind it is in the map and out of sight. */
static void walls_hide_whom_they_hide(void **state) {
  (void)state;
  scene_run s = open_after(flat, "geodesic", 1.0);
  th_world *world = th_run_world(s.run);
  th_chart_agent other[3];
  th_agent_chart chart = {.reach = 15, .agent = other, .agent_capacity = 3};
  assert_int_equal(th_world_chart(world, th_world_agents(world).id[0], &chart, NULL), TH_OK);
  assert_int_equal(chart.agent_count, 3);
  assert_true(other[0].seen && other[1].seen && !other[2].seen);
  scene_run_free(&s);
}

static void a_ball_is_stretched(void **state) {
  (void)state;
  static const char text[] = HEAD
      "\"ground\": {\"mesh\": {\"make\": {\"shape\": \"planet\", \"radius\": 6}}}, \"populations\": [{\"name\": "
      "\"p\", \"count\": 5, \"region\": {\"everywhere\": true}, \"%s\": [\"pole\"]}], \"goals\": [{\"name\": \"pole\", "
      "\"point\": [0, 0, 6]}]}";
  scene_run s = open_after(text, "route", 0.5);
  th_world *world = th_run_world(s.run);
  static th_chart_face face[4000];
  float most = 1;
  th_agent_chart chart = {.reach = 3, .face = face, .face_capacity = 4000};
  assert_int_equal(th_world_chart(world, th_world_agents(world).id[0], &chart, NULL), TH_OK);
  for (uint32_t f = 0; f < chart.face_count && f < 4000; f++) most = fmaxf(most, face[f].most / face[f].least);
  if (!(chart.face_count > 10 && most > 1.001f && most < 1.3f))
    fail_msg("%u faces, stretch %g", chart.face_count, (double)most);
  assert_true(chart.cover > 0);
  scene_run_free(&s);
}

static void an_agent_is_listed_as_text(void **state) {
  (void)state;
  scene_run s = open_after(flat, "geodesic", 0.2);
  th_world *world = th_run_world(s.run);
  const th_agent_id me = th_world_agents(world).id[0];
  char text[8192], few[16];
  const size_t length = th_world_agent_text(world, me, text, sizeof text);
  assert_int_equal(length, strlen(text));
  assert_int_equal(th_world_agent_text(world, me, few, sizeof few), length);
  assert_int_equal(strlen(few), sizeof few - 1);
  static const char *const line[] = {"\nradius 0.2\n",   "\nspeed 1.34\n",           "\nmodel orca\n",
                                     "\npeople false\n", "\nroute.0 out wait 0 s\n", "\navoids 4294967295\n",
                                     "\ncollide 1\n"};
  for (size_t i = 0; i < sizeof line / sizeof *line; i++)
    if (!strstr(text, line[i])) fail_msg("no %s in %s", line[i] + 1, text);
  const th_model *model = &th_model_orca;
  for (uint32_t i = 0; i < model->param_count; i++) {
    char name[64];
    snprintf(name, sizeof name, "\norca.%s ", model->param[i].name);
    if (!strstr(text, name)) fail_msg("no %s in %s", name + 1, text);
  }
  assert_int_equal(th_world_agent_text(world, TH_NULL_AGENT, text, sizeof text), 0);
  scene_run_free(&s);
}

/* ---------------------------------------------------------------- a moment */

static void densities_and_overlaps_are_counted(void **state) {
  (void)state;
  for (int m = 0; m < 2; m++) {
    scene_run s = open_after(both[m], "geodesic", 0.0);
    th_world *world = th_run_world(s.run);
    const th_agents a = th_world_agents(world);
    float density[4];
    th_overlap pair[4];
    th_world_density(world, 1.0f, density);
    for (uint32_t row = 0; row < 4; row++) {
      const float x = th_world_agent_point(world, a.id[row]).x;
      assert_float_equal(density[row], (x < 5 ? 2 : 1) / 3.14159265f, 1e-5);
    }
    assert_int_equal(th_world_overlaps(world, 0.2f, pair, 4), 0);
    assert_int_equal(th_world_overlaps(world, 0.01f, pair, 4), 1);
    assert_float_equal(pair[0].depth, 0.15f, 0.001);
    assert_false(th_same_agent(pair[0].a, pair[0].b));
    scene_run_free(&s);
  }
}

static void strides_follow_the_distance_walked(void **state) {
  (void)state;
  assert_float_equal(th_stride_length(1.34f, 1.75f), 1.5, 0.02); /* two steps of 0.75 m */
  assert_true(th_stride_advance(0.3f, 0.0f, 0.1f, 1.75f) == 0.3f);
  const float length = th_stride_length(1.0f, 1.75f);
  assert_float_equal(th_stride_advance(0.75f, 0.5f * length, 0.5f * length, 1.75f), 0.25, 1e-5);
  for (int m = 0; m < 2; m++) {
    scene_run s = open_after(both[m], "geodesic", 0.4);
    th_world *world = th_run_world(s.run);
    const uint64_t hash = th_world_hash(world);
    const th_agent_id last = th_world_nearest(world, (th_vec3){14, 5, 0}, 3, NULL); /* behind the gate */
    float phase[8] = {0}, walked = 0, mine = 0;
    for (int i = 0; i < 10; i++) {
      assert_int_equal(th_run_step(s.run, NULL), TH_OK);
      th_world_strides(world, phase, 8);
      const th_vec3 a = th_world_agent_previous(world, last), b = th_world_agent_point(world, last);
      walked += hypotf(b.x - a.x, b.y - a.y);
      mine = th_stride_advance(mine, hypotf(b.x - a.x, b.y - a.y), 0.1f, 1.75f);
    }
    assert_true(walked > 0.5f);
    assert_float_equal(phase[last.index], mine, 1e-4);
    assert_true(phase[0] == 0.0f && hash != th_world_hash(world));
    scene_run_free(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(doors_and_obstacles_are_those_in_force),
      cmocka_unit_test(fields_of_every_kind_are_arrays),
      cmocka_unit_test(a_source_tells_its_def),
      cmocka_unit_test(weights_of_a_group_are_those_of_its_area),
      cmocka_unit_test(the_chart_of_an_agent_is_flat_and_true),
      cmocka_unit_test(walls_hide_whom_they_hide),
      cmocka_unit_test(a_ball_is_stretched),
      cmocka_unit_test(an_agent_is_listed_as_text),
      cmocka_unit_test(densities_and_overlaps_are_counted),
      cmocka_unit_test(strides_follow_the_distance_walked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
