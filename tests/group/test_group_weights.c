/* tests/model/test_group_weights.c - the weights that members of a group give their markers, one by one: inside an
 * area, in masks, in both; and of whom each marker is. Read from traces. */
#include "support/worlds.h"
#include "throng/group.h"
#include "throng/markers.h"
#include "throng/model/biocrowds.h"
#include "throng/trace.h"

enum { MOST = 8, ITEMS = 1024 };

typedef struct stage {
  th_ground *ground;
  th_world *world;
  th_agent_id agent[MOST];
  uint32_t count;
} stage;

/* Members stand at these places of a field of 20 m x 12 m. */
static void begin(stage *s, const float (*at)[2], uint32_t count) {
  th_vec2 corner[4];
  const th_polygon outline = th_box_polygon(0, 0, 20, 12, corner);
  th_flat_def flat = th_default_flat_def();
  flat.outline = &outline, flat.outline_count = 1;
  *s = (stage){0};
  OK(th_ground_make_flat(&flat, &s->ground, &error));
  th_world_def def = th_default_world_def();
  def.ground = s->ground, def.dt = 1.0f / 30.0f, def.contact_rounds = 0;
  OK(th_world_make(&def, &s->world, &error));
  for (; s->count < count; s->count++) {
    th_agent_def one = th_default_body_def();
    one.model = &th_model_biocrowds, one.collide = false, one.remove = false;
    one.point = (th_vec3){at[s->count][0], at[s->count][1], 0};
    OK(th_world_add_agent(s->world, &one, &s->agent[s->count], &error));
  }
  const th_trace_def room = {.agents = MOST, .items = ITEMS, .values = 0};
  OK(th_world_trace(s->world, &room, &error));
  for (uint32_t i = 0; i < s->count; i++) OK(th_world_trace_agent(s->world, s->agent[i], true, &error));
}

static void end(stage *s) {
  th_world_free(s->world);
  th_ground_release(s->ground);
}

/* The own markers of a member in the last decision: places, and weights as values. */
static uint32_t own_markers(const stage *s, uint32_t agent, th_trace_item own[ITEMS]) {
  static th_trace_item item[ITEMS];
  const uint32_t count = th_world_traces(s->world, s->agent[agent], item, ITEMS);
  uint32_t found = 0;
  for (uint32_t i = 0; i < count; i++)
    if (!strcmp(item[i].trace->name, "own markers")) own[found++] = item[i];
  return found;
}

static bool in_area(th_vec3 p) { return p.x >= 5.0f && p.x <= 9.0f && p.y >= 3.0f && p.y <= 9.0f; }

static const th_vec2 corner[4] = {{5, 3}, {9, 3}, {9, 9}, {5, 9}};

/* What masks add to the weight of a marker, before the step: distances from all members whose arms hold it. */
static float of_masks(const th_vec3 *member, uint32_t count, const th_group_def *def, th_vec3 marker) {
  float sum = def->base;
  for (uint32_t i = 0; i < count; i++) {
    const float x = fabsf(marker.x - member[i].x), y = fabsf(marker.y - member[i].y), arm = 2.0f * def->spacing;
    if ((x <= arm && y <= def->half_width) || (y <= arm && x <= def->half_width)) sum += hypotf(x, y);
  }
  return sum;
}

/* Steps once and compares the weight of every own marker; returns how many lie in the area. */
static uint32_t check_weights(stage *s, const th_group_def *def, uint32_t *outside) {
  static th_trace_item own[ITEMS];
  th_vec3 before[MOST];
  uint32_t inside = 0;
  *outside = 0;
  for (uint32_t i = 0; i < s->count; i++) before[i] = th_world_agent_point(s->world, s->agent[i]);
  worlds_steps(s->world, 1);
  for (uint32_t i = 0; i < s->count; i++) {
    const uint32_t count = own_markers(s, i, own);
    assert_true(count > 5);
    for (uint32_t k = 0; k < count; k++) {
      const bool in = def->area && in_area(own[k].a);
      const float masks = def->align == TH_ALIGN_BOTH ? of_masks(before, s->count, def, own[k].a) : 1.0f;
      assert_float_equal(own[k].value, masks * (in ? def->factor : 1.0f), 1e-3f);
      inside += in;
      *outside += !in;
    }
  }
  return inside;
}

/* Markers of the area weigh `factor` times those outside, whatever it is set to, also while the world runs. */
/* shows: BIO-53 */
static void factors_are_weights(void **state) {
  (void)state;
  const float at[][2] = {{5.2f, 6}, {8.8f, 6}, {7, 3.1f}}, factor[] = {10, 1, 3, 25, 1000};
  const th_polygon area = {NULL, corner, 4};
  th_group_def def = th_default_group_def();
  assert_true(def.factor == 10.0f);
  def.area = &area, def.area_count = 1;
  stage s;
  th_group_id group;
  begin(&s, at, 3);
  OK(th_world_add_group(s.world, &def, s.agent, s.count, &group, &error));
  for (int k = 0; k < 5; k++) {
    uint32_t outside;
    def.factor = factor[k];
    OK(th_world_change_group(s.world, group, &def, &error));
    const uint32_t inside = check_weights(&s, &def, &outside);
    assert_true(inside > 20 && outside > (k ? 0u : 20u));
  }
  end(&s);
}

/* Area and masks at once: the weights are multiplied. */
/* shows: BIO-62 */
static void areas_and_masks_multiply(void **state) {
  (void)state;
  const float at[][2] = {{5.4f, 5}, {8.6f, 5.3f}, {7, 4.9f}, {7.1f, 7}};
  const th_polygon area = {NULL, corner, 4};
  th_group_def def = th_default_group_def();
  def.area = &area, def.area_count = 1, def.align = TH_ALIGN_BOTH, def.factor = 4.0f;
  stage s;
  begin(&s, at, 4);
  OK(th_world_add_group(s.world, &def, s.agent, s.count, NULL, &error));
  for (int n = 0; n < 5; n++) {
    uint32_t outside;
    assert_true(check_weights(&s, &def, &outside) > 40);
  }
  end(&s);
}

/* Every marker draws the member nearest to it and no other, with the weight that all masks together give it. */
/* shows: BIO-58, BIO-59 */
static void each_marker_draws_its_nearest_member(void **state) {
  (void)state;
  static th_trace_item own[MOST][ITEMS];
  const float at[][2] = {{6, 6}, {7.2f, 6.3f}, {6.4f, 7.1f}, {7.9f, 7.4f}, {12, 6}};
  th_group_def def = th_default_group_def();
  def.align = TH_ALIGN_BOTH;
  stage s;
  uint32_t count[MOST], shared = 0;
  begin(&s, at, 5);
  OK(th_world_add_group(s.world, &def, s.agent, s.count, NULL, &error));
  th_vec3 before[MOST];
  for (uint32_t i = 0; i < s.count; i++) before[i] = th_world_agent_point(s.world, s.agent[i]);
  worlds_steps(s.world, 1);
  for (uint32_t i = 0; i < s.count; i++) {
    count[i] = own_markers(&s, i, own[i]);
    for (uint32_t k = 0; k < count[i]; k++) {
      const th_vec3 marker = own[i][k].a;
      const float far = hypotf(marker.x - before[i].x, marker.y - before[i].y);
      uint32_t others = 0;
      assert_true(far <= 1.25f + 1e-4f);
      for (uint32_t j = 0; j < s.count; j++) {
        const float other = hypotf(marker.x - before[j].x, marker.y - before[j].y);
        assert_true(far <= other + 1e-5f);
        others += j != i && of_masks(&before[j], 1, &def, marker) > def.base;
      }
      assert_float_equal(own[i][k].value, of_masks(before, s.count, &def, marker), 1e-3f);
      shared += others > 0;
      for (uint32_t j = 0; j < i; j++)
        for (uint32_t m = 0; m < count[j]; m++) assert_false(own[j][m].a.x == marker.x && own[j][m].a.y == marker.y);
    }
  }
  assert_true(shared > 10); /* masks of others weigh on many of them */
  end(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(factors_are_weights), cmocka_unit_test(areas_and_masks_multiply),
                                     cmocka_unit_test(each_marker_draws_its_nearest_member)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
