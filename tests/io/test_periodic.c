/* tests/io/test_periodic.c - a corridor whose ends join: as flat as the plane, and people go round it for ever. */
#include <math.h>
#include <stdio.h>

#include "support/worlds.h"
#include "throng/guide.h"
#include "throng/mesh.h"
#include "throng/scene.h"

static const char corridor[] =
    "{\"version\": 1, \"name\": \"ring\", \"duration\": 100, \"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [40, "
    "4]]}], \"periodic\": true},\n"
    " \"guides\": [{\"name\": \"left\", \"direction\": {\"vector\": [0, 0, 1], \"around\": true}},\n"
    "  {\"name\": \"right\", \"direction\": {\"vector\": [0, 0, -1], \"around\": true}}],\n"
    " \"populations\": [{\"name\": \"a\", \"count\": %u, \"region\": {\"everywhere\": true}, \"guide\": \"left\", "
    "\"speed\": 1},\n"
    "  {\"name\": \"b\", \"count\": %u, \"region\": {\"everywhere\": true}, \"guide\": \"right\", \"speed\": 1}]}";

typedef struct ring {
  th_scene *scene;
  th_run *run;
  th_world *world;
} ring;

static ring make(uint32_t left, uint32_t right) {
  char text[2000];
  ring r = {0};
  snprintf(text, sizeof text, corridor, left, right);
  OK(th_scene_parse(text, strlen(text), &r.scene, &error));
  OK(th_run_make(&(th_run_def){.scene = r.scene}, &r.run, &error));
  r.world = th_run_world(r.run);
  return r;
}

static void end(ring *r) {
  th_run_free(r->run);
  th_scene_free(r->scene);
}

static double side(const th_mesh *mesh, uint32_t a, uint32_t b) {
  double sum = 0.0;
  for (int k = 0; k < 3; k++) {
    const double d = mesh->xyz[3 * (size_t)a + (uint32_t)k] - mesh->xyz[3 * (size_t)b + (uint32_t)k];
    sum += d * d;
  }
  return sqrt(sum);
}

/* The angles round every inner vertex make 360 degrees, along the rims 180; the area is that of the rectangle. */
static void it_is_as_flat_as_the_plane(void **state) {
  (void)state;
  ring r = make(1, 1);
  const th_mesh *mesh = th_ground_mesh(th_world_ground(r.world));
  double *angle = calloc(mesh->vertex_count, sizeof *angle), area = 0.0;
  for (uint32_t f = 0; f < mesh->face_count; f++)
    for (uint32_t k = 0; k < 3; k++) {
      const uint32_t *c = &mesh->corner[3 * f];
      const double a = side(mesh, c[k], c[(k + 1) % 3]), b = side(mesh, c[k], c[(k + 2) % 3]),
                   o = side(mesh, c[(k + 1) % 3], c[(k + 2) % 3]);
      const double cosine = (a * a + b * b - o * o) / (2 * a * b);
      angle[c[k]] += acos(cosine);
      area += k ? 0.0 : 0.5 * a * b * sqrt(1 - cosine * cosine);
    }
  for (uint32_t v = 0; v < mesh->vertex_count; v++) {
    const double z = mesh->xyz[3 * (size_t)v + 2], all = z < 1e-6 || z > 4 - 1e-6 ? 1 : 2;
    if (fabs(angle[v] - all * 3.14159265358979) > 1e-5) fail_msg("vertex %u: %.9g", v, angle[v]);
  }
  assert_true(fabs(area - 160.0) < 1e-4);
  free(angle);
  end(&r);
}

/* 80 s at 1 m/s are two rounds: it is where it was. Nobody arrives, is stuck or leaves its height. */
static void people_go_round_for_ever(void **state) {
  (void)state;
  ring r = make(1, 1);
  th_agents a = th_world_agents(r.world);
  const th_agent_id id[2] = {a.id[0], a.id[1]};
  th_vec3 from[2];
  double turned[2] = {0};
  for (int i = 0; i < 2; i++) from[i] = th_world_agent_point(r.world, id[i]);
  for (int step = 0; step < 800; step++) {
    th_vec3 before[2];
    for (int i = 0; i < 2; i++) before[i] = th_world_agent_point(r.world, id[i]);
    OK(th_run_step(r.run, &error));
    for (int i = 0; i < 2; i++) {
      const th_vec3 p = th_world_agent_point(r.world, id[i]), q = before[i];
      turned[i] += (double)atan2f(q.x * p.y - q.y * p.x, q.x * p.x + q.y * p.y);
    }
  }
  for (int i = 0; i < 2; i++) {
    if (fabs(turned[i] - (i ? -4 : 4) * 3.14159265) > 0.2) fail_msg("%d: %g rad", i, turned[i]);
    assert_true(fabsf(th_world_agent_point(r.world, id[i]).z - from[i].z) < 1.0f);
  }
  th_counters all = th_world_counters(r.world);
  assert_true(all.arrived == 0 && all.stuck == 0 && all.unreachable == 0);
  end(&r);
}

static void anything_but_one_rectangle_is_refused(void **state) {
  (void)state;
  static const char *const wrong[] = {
      "\"outline\": [{\"polygon\": [[0, 0], [40, 0], [40, 4]]}]",
      "\"outline\": [{\"rectangle\": [[0, 0], [40, 4]]}, {\"rectangle\": [[0, 0], [40, 4]]}]",
      "\"outline\": [{\"rectangle\": [[0, 0], [40, 4]]}], \"obstacles\": [{\"rectangle\": [[1, 1], [2, 2]]}]",
      "\"outline\": [{\"rectangle\": [[0, 0], [5, 4]]}]"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    char text[600];
    th_scene *scene = NULL;
    th_error error = {0};
    snprintf(text, sizeof text,
             "{\"version\": 1, \"name\": \"ring\", \"duration\": 9, \"ground\": {%s, \"periodic\": true}}", wrong[i]);
    assert_int_not_equal(th_scene_parse(text, strlen(text), &scene, &error), TH_OK);
    if (!strstr(error.text, "periodic")) fail_msg("%s", error.text);
  }
}

/* On flat ground the guide leads straight on; a direction without a length is refused. */
static void a_direction_leads_on_flat_ground_too(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_box(&env, 30, 10);
  th_world *world = worlds_make(ground, &env);
  th_direction_params params = th_default_direction_params();
  th_agent_def def = worlds_agent_def(2, 5, NOWHERE);
  REFUSED(world, th_world_add_guide(world, &th_guide_direction, &params, NULL, &error), TH_ERROR_RANGE, "direction");
  params.vector = (th_vec3){0, 3, 0};
  OK(th_world_add_guide(world, &th_guide_direction, &params, &def.guide, &error));
  th_agent_id id = worlds_add(world, &def);
  worlds_steps(world, 20);
  assert_true(fabsf(worlds_at(world, id).x - 2.0f) < 1e-3f && worlds_at(world, id).y > 7.0f);
  worlds_end(world, ground);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_is_as_flat_as_the_plane),
      cmocka_unit_test(people_go_round_for_ever),
      cmocka_unit_test(anything_but_one_rectangle_is_refused),
      cmocka_unit_test(a_direction_leads_on_flat_ground_too),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
