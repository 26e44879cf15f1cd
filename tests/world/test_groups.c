/* tests/world/test_groups.c - groups are made, changed, merged, split, saved; who leaves the world leaves its group. */
#include "support/worlds.h"
#include "throng/group.h"
#include "world/world.h"

typedef struct stage {
  log_capture log;
  th_ground *ground;
  th_world *world;
  th_agent_id agent[6];
  worlds_rect rect;
  th_polygon area;
} stage;

static void begin(stage *s) {
  *s = (stage){0};
  th_env env = worlds_env(&s->log);
  s->ground = worlds_house(&env);
  s->world = worlds_make(s->ground, &env);
  for (int k = 0; k < 6; k++) {
    th_agent_def def = worlds_agent_def(1.5f, 1.5f + (float)k, TH_NULL_GOAL);
    def.route_count = 0, def.model = &th_model_follow;
    s->agent[k] = worlds_add(s->world, &def);
  }
}

static void end(stage *s) {
  th_world_free(s->world);
  th_ground_release(s->ground);
}

static th_polygon box(worlds_rect *r, float x0, float y0, float x1, float y1) {
  *r = worlds_rectangle(x0, y0, x1, y1);
  return (th_polygon){NULL, r->point, 4};
}

/* A group with this area. */
static th_group_def with_area(stage *s, float x0, float y0, float x1, float y1) {
  th_group_def def = th_default_group_def();
  s->area = box(&s->rect, x0, y0, x1, y1);
  def.area = &s->area, def.area_count = 1;
  return def;
}

static void members_join_leave_and_merge(void **state) {
  (void)state;
  stage s;
  begin(&s);
  th_group_def def = th_default_group_def();
  th_group_id a, b, c;
  def.leader = s.agent[1];
  OK(th_world_add_group(s.world, &def, s.agent, 3, &a, &error));
  assert_int_equal(worlds_events(s.world, TH_EVENT_JOINED, NOBODY), 3);
  def.leader = TH_NULL_AGENT;
  OK(th_world_add_group(s.world, &def, s.agent + 3, 2, &b, &error));
  assert_true(th_same_group(th_world_agent_group(s.world, s.agent[4]), b));
  assert_true(th_is_null_group(th_world_agent_group(s.world, s.agent[5])));
  th_agent_id list[6];
  assert_int_equal(th_world_group_members(s.world, a, list, 6), 3);
  assert_true(th_same_agent(list[2], s.agent[2]));
  worlds_steps(s.world, 1);
  OK(th_world_join_group(s.world, b, &s.agent[0], 1, &error)); /* leaves the other one */
  assert_int_equal(th_world_group_members(s.world, a, NULL, 0), 2);
  assert_int_equal(th_world_group_members(s.world, b, NULL, 0), 3);
  assert_int_equal(worlds_events(s.world, TH_EVENT_LEFT, s.agent[0]), 1);
  th_world_remove_agent(s.world, s.agent[1]); /* the leader */
  assert_int_equal(worlds_events(s.world, TH_EVENT_LEFT, s.agent[1]), 1);
  assert_int_equal(th_world_group_members(s.world, a, NULL, 0), 1);
  assert_true(th_world_group_def(s.world, a, &def) && th_is_null_agent(def.leader));
  OK(th_world_merge_groups(s.world, b, a, &error));
  assert_false(th_world_has_group(s.world, a));
  assert_int_equal(th_world_group_members(s.world, b, NULL, 0), 4);
  OK(th_world_split_group(s.world, b, s.agent + 3, 2, &c, &error));
  assert_true(th_world_group_members(s.world, b, NULL, 0) == 2 && th_world_group_members(s.world, c, NULL, 0) == 2);
  th_group_id ids[4];
  assert_int_equal(th_world_groups(s.world, ids, 4), 2);
  OK(th_world_leave_group(s.world, s.agent[3], &error));
  assert_int_equal(th_world_group_members(s.world, c, NULL, 0), 1);
  th_world_remove_group(s.world, c);
  assert_true(th_is_null_group(th_world_agent_group(s.world, s.agent[4])));
  assert_int_equal(s.log.faults, 0);
  th_world_remove_group(s.world, c); /* stale */
  assert_int_equal(s.log.faults, 1);
  end(&s);
}

/* The last row fills the gap of one who left; who is added behind it is in no group, by call or by source. */
/* shows: BIO-52, BIO-56 */
static void newcomers_are_in_no_group(void **state) {
  (void)state;
  stage s;
  begin(&s);
  th_group_def def = th_default_group_def();
  th_group_id group;
  OK(th_world_add_group(s.world, &def, &s.agent[4], 2, &group, &error));
  th_world_remove_agent(s.world, s.agent[0]);
  th_agent_id called = worlds_walker(s.world, 5, 2, TH_NULL_GOAL);
  assert_true(th_is_null_group(th_world_agent_group(s.world, called)));
  th_world_remove_agent(s.world, called);
  th_world_remove_agent(s.world, s.agent[1]);
  worlds_rect rect = worlds_rectangle(4, 1, 6, 3);
  th_source_def source = th_default_source_def();
  source.agent = worlds_agent_def(0, 0, TH_NULL_GOAL);
  source.region = (th_polygon){NULL, rect.point, 4};
  source.rate = 10, source.total = 1;
  OK(th_world_add_source(s.world, &source, NULL, &error));
  worlds_steps(s.world, 10);
  assert_int_equal(th_world_agents(s.world).count, 5);
  assert_int_equal(th_world_group_members(s.world, group, NULL, 0), 2);
  end(&s);
}

static void one_point_for_all(void **state) {
  (void)state;
  stage s;
  begin(&s);
  worlds_rect other;
  th_polygon second = box(&other, 2, 6, 4, 8);
  th_group_def def = with_area(&s, 10, 6, 12, 8);
  th_group_id group;
  OK(th_world_add_group(s.world, &def, s.agent, 4, &group, &error));
  th_vec3 point;
  assert_true(th_world_group_point(s.world, group, &point));
  assert_true(point.x > 10 && point.x < 12 && point.y > 6 && point.y < 8);
  th_agent_def one, two;
  assert_true(th_world_agent_def(s.world, s.agent[0], &one) && th_world_agent_def(s.world, s.agent[3], &two));
  assert_true(one.route_count == 1 && !one.remove && th_same_goal(one.route[0].goal, two.route[0].goal));
  OK(th_world_join_group(s.world, group, &s.agent[5], 1, &error)); /* who comes later gets the same */
  assert_true(th_world_agent_def(s.world, s.agent[5], &two) && th_same_goal(one.route[0].goal, two.route[0].goal));
  def.area = &second;
  OK(th_world_change_group(s.world, group, &def, &error));
  assert_true(th_world_group_point(s.world, group, &point) && point.x > 2 && point.x < 4);
  assert_false(th_world_has_goal(s.world, one.route[0].goal));
  worlds_steps(s.world, 300);
  for (int k = 0; k < 4; k++) {
    th_vec3 at = th_world_agent_point(s.world, s.agent[k]);
    assert_true(hypotf(at.x - point.x, at.y - point.y) < 2); /* any model walks there; only some spread */
    assert_true(th_world_has_agent(s.world, s.agent[k]));
  }
  end(&s);
}

static void bad_input_is_refused(void **state) {
  (void)state;
  stage s;
  begin(&s);
  th_group_def def = with_area(&s, 100, 100, 102, 102);
  th_group_id group;
  th_agent_def before, after;
  th_world_agent_def(s.world, s.agent[0], &before);
  th_error fault = {0};
  assert_int_equal(th_world_add_group(s.world, &def, s.agent, 4, &group, &fault), TH_ERROR_GEOMETRY);
  assert_string_equal(fault.where, "area");
  assert_int_equal(th_world_groups(s.world, NULL, 0), 0);
  th_world_agent_def(s.world, s.agent[0], &after);
  assert_int_equal(before.route_count, after.route_count);
  assert_true(th_is_null_group(th_world_agent_group(s.world, s.agent[0])));
  def = with_area(&s, 10, 6, 12, 8);
  assert_int_equal(th_world_add_group(s.world, &def, s.agent, 4, &group, &fault), TH_OK);
  th_vec3 point, now;
  th_world_group_point(s.world, group, &point);
  def = with_area(&s, 100, 100, 102, 102); /* a change to nowhere changes nothing */
  assert_int_equal(th_world_change_group(s.world, group, &def, &fault), TH_ERROR_GEOMETRY);
  assert_true(th_world_group_point(s.world, group, &now) && now.x == point.x && now.y == point.y);
  worlds_steps(s.world, 5);
  const struct {
    float *number;
    float wrong;
    const char *name;
  } row[] = {{&def.factor, 0.5f, "factor"},
             {&def.spacing, 0, "spacing"},
             {&def.half_width, 6, "half_width"},
             {&def.base, -1, "base"},
             {&def.angle, NAN, "angle"}};
  def.area_count = 0;
  for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
    float kept = *row[k].number;
    *row[k].number = row[k].wrong;
    REFUSED(s.world, th_world_add_group(s.world, &def, NULL, 0, &group, &error), TH_ERROR_RANGE, row[k].name);
    *row[k].number = kept;
  }
  th_world_remove_agent(s.world, s.agent[5]);
  REFUSED(s.world, th_world_add_group(s.world, &def, &s.agent[5], 1, &group, &error), TH_ERROR_STATE, "");
  end(&s);
}

static void saved_groups_go_on_alike(void **state) {
  (void)state;
  stage s;
  begin(&s);
  th_group_def def = with_area(&s, 10, 6, 12, 8);
  uint64_t none = th_world_hash(s.world);
  def.align = TH_ALIGN_BOTH;
  th_group_id group, second;
  OK(th_world_add_group(s.world, &def, s.agent, 4, &group, &error));
  assert_true(th_world_hash(s.world) != none);
  worlds_steps(s.world, 20);
  worlds_saved saved = worlds_save(s.world);
  uint64_t here = th_world_hash(s.world);
  worlds_steps(s.world, 30);
  uint64_t later = th_world_hash(s.world);
  OK(th_world_leave_group(s.world, s.agent[0], &error));
  OK(th_world_add_group(s.world, &def, s.agent + 4, 2, &second, &error));
  assert_int_equal(th_world_edit(s.world, &(th_edit){.kind = TH_EDIT_CLOSE, .name = "west"}, 1, NULL), TH_OK);
  worlds_steps(s.world, 10); /* shapes on the new ground, too */
  OK(th_world_restore(s.world, saved.memory, saved.size, &error));
  assert_true(th_world_hash(s.world) == here);
  assert_true(!th_world_has_group(s.world, second) && th_world_group_members(s.world, group, NULL, 0) == 4);
  worlds_steps(s.world, 30);
  assert_true(th_world_hash(s.world) == later);
  free(saved.memory);
  end(&s);
}

/* Of two worlds that differ only in where the pixels of an area lie, or how large they are, the hashes differ; all
 * pixels are light, so that nothing else depends on them. */
static void place_and_size_of_pixels_are_hashed(void **state) {
  (void)state;
  uint8_t grey[6] = {250, 250, 250, 250, 250, 250};
  const struct {
    float pixel;
    th_vec2 origin;
  } row[] = {{2.0f, {2, 4}}, {2.0f, {2, 4}}, {2.0f, {2, 5}}, {1.0f, {2, 4}}};
  uint64_t hash[4];
  for (int k = 0; k < 4; k++) {
    stage s;
    begin(&s);
    const th_image image = {grey, 3, 2, row[k].pixel, row[k].origin, 128};
    th_group_def def = with_area(&s, 10, 6, 12, 8);
    def.image = &image;
    OK(th_world_add_group(s.world, &def, s.agent, 4, NULL, &error));
    hash[k] = th_world_hash(s.world);
    end(&s);
  }
  assert_true(hash[0] == hash[1]);
  assert_true(hash[0] != hash[2] && hash[0] != hash[3]);
}

/* The pixels of an area are there again: in the def, after a change of something else, in a part that is split off, and
 * in a restored world. */
static void images_stay(void **state) {
  (void)state;
  stage s;
  begin(&s);
  uint8_t grey[6] = {250, 20, 250, 20, 20, 250}; /* 3 x 2 pixels of 2 m; row 0 is the upper one */
  const th_image image = {.grey = grey, .width = 3, .height = 2, .metres_per_pixel = 2, .origin = {2, 4}, .dark = 128};
  th_group_def def = th_default_group_def(), found;
  def.image = &image;
  th_group_id group, part;
  OK(th_world_add_group(s.world, &def, s.agent, 4, &group, &error));
  memset(grey, 250, sizeof grey); /* it was copied */
  for (int k = 0; k < 3; k++) {
    assert_true(th_world_group_def(s.world, k == 2 ? part : group, &found));
    assert_non_null(found.image);
    assert_true(found.image->width == 3 && found.image->height == 2 && found.image->metres_per_pixel == 2);
    assert_true(found.image->origin.x == 2 && found.image->origin.y == 4);
    static const bool in[6] = {false, true, false, true, true, false};
    for (int i = 0; i < 6; i++) assert_int_equal(found.image->grey[i] < found.image->dark, in[i]);
    th_vec3 point;
    assert_true(th_world_group_point(s.world, k == 2 ? part : group, &point));
    bool high = point.x > 4 && point.x < 6 && point.y > 6 && point.y < 8, low = point.x < 6 && point.y < 6;
    assert_true(high || low);
    found.spacing = 1.0f;
    if (k == 0) OK(th_world_change_group(s.world, group, &found, &error));
    if (k == 1) OK(th_world_split_group(s.world, group, s.agent, 2, &part, &error));
  }
  size_t size = th_world_snapshot(s.world, NULL, 0);
  void *bytes = malloc(size);
  th_world_snapshot(s.world, bytes, size);
  OK(th_world_restore(s.world, bytes, size, &error));
  assert_true(th_world_group_def(s.world, part, &found) && found.image && found.image->grey[0] >= found.image->dark);
  free(bytes);
  const uint64_t hash = th_world_hash(s.world);
  th_group_area *area = &s.world->groups.group[0].area; /* the place of an image is state */
  area->origin.x += 1;
  assert_true(th_world_hash(s.world) != hash);
  area->origin.x -= 1, area->pixel += 1;
  assert_true(th_world_hash(s.world) != hash);
  area->pixel -= 1;
  assert_true(th_world_hash(s.world) == hash);
  end(&s);
}

/* Whichever allocation fails: all join or none, nobody leaves another group, no event tells of what did not happen. */
static void all_or_none_join(void **state) {
  (void)state;
  failing f = {0};
  th_env env = failing_env(&f);
  th_ground *ground = worlds_house(&env);
  th_world *world = worlds_make(ground, &env);
  th_agent_id agent[6];
  for (int k = 0; k < 6; k++) {
    th_agent_def def = worlds_agent_def(1.5f, 1.5f + (float)k, TH_NULL_GOAL);
    def.route_count = 0, def.model = &th_model_follow, def.radius = 0.1f + 0.04f * (float)k; /* classes of fields */
    agent[k] = worlds_add(world, &def);
  }
  worlds_rect r;
  th_polygon area = box(&r, 10, 6, 12, 8);
  th_group_def def = th_default_group_def();
  th_group_id old, group = TH_NULL_GROUP;
  OK(th_world_add_group(world, &def, agent, 3, &old, &error));
  def.area = &area, def.area_count = 1;
  worlds_steps(world, 1);
  uint32_t failures = 0;
  for (uint64_t n = 1; n < 2000; n++) { /* a group is made of members of another one */
    f.fail_at = f.calls + n;
    th_result result = th_world_add_group(world, &def, agent + 1, 3, &group, NULL);
    f.fail_at = 0;
    if (result == TH_OK) break;
    failures++;
    assert_int_equal(result, TH_ERROR_MEMORY);
    assert_int_equal(th_world_group_members(world, old, NULL, 0), 3);
    assert_int_equal(worlds_events(world, TH_EVENT_JOINED, NOBODY) + worlds_events(world, TH_EVENT_LEFT, NOBODY), 0);
  }
  assert_true(failures > 3 && th_world_group_members(world, group, NULL, 0) == 3);
  worlds_steps(world, 1);
  for (uint64_t n = 1; n < 2000; n++) {
    f.fail_at = f.calls + n;
    th_result result = th_world_join_group(world, group, (th_agent_id[]){agent[0], agent[4], agent[5]}, 3, NULL);
    f.fail_at = 0;
    if (result == TH_OK) break;
    assert_int_equal(th_world_group_members(world, group, NULL, 0), 3);
    assert_int_equal(th_world_group_members(world, old, NULL, 0), 1);
    assert_int_equal(worlds_events(world, TH_EVENT_JOINED, NOBODY) + worlds_events(world, TH_EVENT_LEFT, NOBODY), 0);
  }
  assert_int_equal(th_world_group_members(world, group, NULL, 0), 6);
  assert_int_equal(worlds_events(world, TH_EVENT_JOINED, NOBODY), 3);
  th_agent_id stale = agent[5];
  th_world_remove_agent(world, stale); /* one of two does not exist: the other one stays where it is */
  REFUSED(world, th_world_join_group(world, old, (th_agent_id[]){agent[1], stale}, 2, &error), TH_ERROR_STATE, "");
  def.leader = agent[0];
  REFUSED(world, th_world_add_group(world, &def, agent + 1, 2, NULL, &error), TH_ERROR_STATE, "leader");
  th_world_free(world);
  th_ground_release(ground);
  assert_int_equal(f.blocks, 0);
}

/* Whichever allocation fails, everything is given back by the size that was asked for, and a slot that was free when
 * the world was saved keeps nothing. */
static void restored_groups_give_everything_back(void **state) {
  (void)state;
  uint8_t grey[6] = {250, 20, 250, 20, 20, 250};
  const th_image image = {.grey = grey, .width = 3, .height = 2, .metres_per_pixel = 2, .origin = {2, 4}, .dark = 128};
  failing f = {0};
  th_env env = failing_env(&f);
  th_ground *ground = worlds_house(&env);
  th_world *world = worlds_make(ground, &env);
  worlds_rect r;
  th_polygon area = box(&r, 10, 6, 12, 8);
  th_group_def def = th_default_group_def();
  th_group_id group[3];
  for (int k = 0; k < 3; k++) {
    def.area = k == 1 ? &area : NULL, def.area_count = k == 1, def.image = k == 2 ? &image : NULL;
    OK(th_world_add_group(world, &def, NULL, 0, &group[k], &error));
  }
  th_world_remove_group(world, group[0]);
  worlds_saved saved = worlds_save(world);
  uint64_t n = 1;
  for (th_result result = TH_ERROR_MEMORY; result != TH_OK; n++) {
    f.fail_at = f.calls + n;
    result = th_world_restore(world, saved.memory, saved.size, NULL);
    f.fail_at = 0;
    if (result != TH_OK) assert_int_equal(result, TH_ERROR_MEMORY);
  }
  assert_true(n > 10);
  OK(th_world_add_group(world, &def, NULL, 0, &group[0], &error));
  free(saved.memory);
  th_world_free(world);
  th_ground_release(ground);
  failing_assert_empty(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(members_join_leave_and_merge),
                                     cmocka_unit_test(newcomers_are_in_no_group),
                                     cmocka_unit_test(one_point_for_all),
                                     cmocka_unit_test(bad_input_is_refused),
                                     cmocka_unit_test(saved_groups_go_on_alike),
                                     cmocka_unit_test(place_and_size_of_pixels_are_hashed),
                                     cmocka_unit_test(images_stay),
                                     cmocka_unit_test(all_or_none_join),
                                     cmocka_unit_test(restored_groups_give_everything_back)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
