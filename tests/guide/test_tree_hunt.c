/* tests/guide/test_tree_hunt.c - a fugitive and those who chase it: whose markers are whose, which circle is left, and
 * how four against one goes. */
#include "support/slow.h"
#include "support/tree_worlds.h"

enum { MARKERS = 4096 };

static void mark(const stage *s, th_agent_id agent, uint8_t *held) {
  static uint32_t list[MARKERS];
  const uint32_t count = th_tree_retained(th_world_guide_row(s->world, agent, NULL), list, MARKERS);
  for (uint32_t i = 0; i < count; i++) held[list[i]] = 1;
}

/* Hunters stand still, so that their trees keep what they have. The fugitive's tree never takes a marker that the tree
 * of a hunter retains. */
/* shows: BIO-46 */
static void markers_of_hunters_are_blocked(void **state) {
  (void)state;
  uint32_t taken = 0, held_near = 0;
  for (uint64_t seed = 1; seed <= LONG_RUN(6u, 2u); seed++) {
    stage s = {0};
    th_tree_params params = th_default_tree_params();
    params.collaborate = true;
    stage_begin(&s, grove_ground(NULL, 0), &params, seed);
    th_agent_def def = someone(&s, 23, 16, 0.6f);
    th_agent_id fugitive = add(&s, &def), hunter[2];
    hunter[0] = add_pursuer(&s, 14, 12, 1.5f, fugitive);
    hunter[1] = add_pursuer(&s, 30, 21, 1.5f, fugitive);
    for (int k = 0; k < 2; k++) OK(th_world_set_speed(s.world, hunter[k], 0.0f, &error));
    for (int n = 0; n < 240; n++) {
      static uint8_t theirs[MARKERS], before[MARKERS], after[MARKERS];
      memset(theirs, 0, sizeof theirs), memset(before, 0, sizeof before), memset(after, 0, sizeof after);
      if (n) {
        for (int k = 0; k < 2; k++) mark(&s, hunter[k], theirs);
        mark(&s, fugitive, before);
      }
      worlds_steps(s.world, 1);
      mark(&s, fugitive, after);
      for (uint32_t m = 0; m < MARKERS; m++) {
        taken += after[m] && !before[m];
        held_near += theirs[m];
        if (after[m] && !before[m] && theirs[m]) fail_msg("seed %d, step %d: marker %u of a hunter", (int)seed, n, m);
      }
    }
    stage_end(&s);
  }
  assert_true(taken > 100 && held_near > 1000);
}

/* Three guards and a fugitive in no symmetry, and again when one of them has moved: the circle is the smallest one. */
/* shows: BIO-45 */
static void the_area_is_the_smallest_circle(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 10; seed++) {
    stage s = {0};
    uint64_t random = seed;
    th_tree_params params = th_default_tree_params();
    stage_begin(&s, grove_ground(NULL, 0), &params, seed);
    th_agent_id guard[3];
    th_vec3 all[4];
    for (int k = 0; k < 3; k++) {
      all[k] = (th_vec3){worlds_in(&random, 10, 36), worlds_in(&random, 6, 26), 0};
      th_agent_def def = someone(&s, all[k].x, all[k].y, 0.0f);
      def.guide = TH_NULL_GUIDE;
      guard[k] = add(&s, &def);
    }
    all[3] = (th_vec3){worlds_in(&random, 10, 36), worlds_in(&random, 6, 26), 0};
    th_agent_def def = someone(&s, all[3].x, all[3].y, 0.0f);
    for (int k = 0; k < 3; k++) def.link[k] = (th_link_def){.agent = guard[k], .role = TH_ROLE_PURSUER};
    def.link_count = 3;
    const th_agent_id fugitive = add(&s, &def);
    for (int moved = 0; moved < 2; moved++) {
      if (moved) {
        all[1] = (th_vec3){worlds_in(&random, 10, 36), worlds_in(&random, 6, 26), 0};
        OK(th_world_place_agent(s.world, guard[1], all[1], &error));
      }
      worlds_steps(s.world, 1);
      const th_tree_state tree = tree_of(&s, fugitive);
      /* two or three of the four lie on its border, all inside, and no half of the border is free of them */
      uint32_t on = 0;
      float widest = 0.0f, angle[4];
      for (int k = 0; k < 4; k++) {
        const float d = th_tree_apart(all[k], tree.area);
        assert_true(d <= tree.area_radius + 1e-3f);
        if (d > tree.area_radius - 1e-3f) angle[on++] = atan2f(all[k].y - tree.area.y, all[k].x - tree.area.x);
      }
      assert_true(on >= 2);
      for (uint32_t i = 0; i < on; i++) {
        float next = 7.0f;
        for (uint32_t j = 0; j < on; j++) {
          const float by = fmodf(angle[j] - angle[i] + 12.566371f, 6.2831853f);
          if (j != i && by < next) next = by;
        }
        widest = fmaxf(widest, next);
      }
      assert_true(widest <= 3.1416f + 2e-3f);
    }
    stage_end(&s);
  }
}

/* Four hunters who collaborate, from the corners of the ground and at some seeds: the fugitive runs as long as it is
 * free, every hunter's tree reaches it at some time, they come from more than one side, and the hunt ends. */
/* shows: BIO-48 */
static void hunts_of_four_against_one(void **state) {
  (void)state;
  const uint32_t runs = LONG_RUN(4u, 1u);
  uint32_t caught = 0;
  for (uint64_t seed = 1; seed <= runs; seed++) {
    stage s = {0};
    th_tree_params params = th_default_tree_params();
    params.collaborate = true;
    stage_begin(&s, grove_ground(block, 1), &params, seed);
    th_agent_def def = someone(&s, 30, 16, 1.2f);
    th_agent_id fugitive = add(&s, &def), hunter[4];
    const float at[4][2] = {{3, 3}, {43, 3}, {43, 29}, {3, 29}};
    for (int k = 0; k < 4; k++) hunter[k] = add_pursuer(&s, at[k][0], at[k][1], 1.8f, fugitive);
    bool reached[4] = {false}, over = false;
    uint32_t quarters = 0;
    float gone = 0.0f;
    for (int n = 0; n < LONG_RUN(1800, 600) && !over; n++) {
      worlds_steps(s.world, 1);
      const th_vec3 p = th_world_agent_point(s.world, fugitive);
      gone += th_tree_apart(p, th_world_agent_previous(s.world, fugitive));
      assert_int_equal(tree_of(&s, fugitive).does, TH_TREE_ESCAPES);
      for (int k = 0; k < 4; k++) {
        const th_vec3 h = th_world_agent_point(s.world, hunter[k]);
        assert_true(h.x > 0 && h.x < 46 && h.y > 0 && h.y < 32);
        reached[k] |= tree_of(&s, hunter[k]).reached;
        if (apart(&s, hunter[k], fugitive) < 8) quarters |= 1u << ((h.x > p.x ? 1 : 0) + (h.y > p.y ? 2 : 0));
        over |= worlds_state(s.world, hunter[k]) == TH_AGENT_ARRIVED;
      }
    }
    print_message("seed %d: caught %d, ran %.1f m, trees reached %d %d %d %d, quarters %x\n", (int)seed, over,
                  (double)gone, reached[0], reached[1], reached[2], reached[3], quarters);
    assert_true(gone > 2.0f);
    assert_true(reached[0] + reached[1] + reached[2] + reached[3] >= 2);
    assert_true(quarters & (quarters - 1)); /* from more than one quarter of the compass */
    caught += over;
    stage_end(&s);
  }
  assert_int_equal(caught, LONG_RUN(runs, caught)); /* they are half as quick again */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(markers_of_hunters_are_blocked),
                                     cmocka_unit_test(the_area_is_the_smallest_circle),
                                     cmocka_unit_test(hunts_of_four_against_one)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
