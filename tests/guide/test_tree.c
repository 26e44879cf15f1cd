/* tests/guide/test_tree.c - trees on hand-made markers: growth, retention, best path, pruning, targets that move. */
#include "support/slow.h"
#include "support/trees.h"

static th_tree_params published(void) {
  th_tree_params params = th_default_tree_params();
  params.line_of_sight = false;
  return params;
}

/* What space colonisation says, straight from the definition: every marker against every node. */
static uint16_t nearest_node(const grove *g, uint32_t marker, float *distance) {
  uint16_t best = TH_TREE_NONE;
  *distance = g->params.action;
  for (uint32_t i = 0; i < g->job.tree.head->used; i++) {
    if (!th_tree_lives(&g->job.tree, i)) continue;
    float far = th_tree_apart(g->job.tree.node[i].point, g->space->point[marker]);
    if (far < *distance || (best == TH_TREE_NONE && far <= *distance)) *distance = far, best = (uint16_t)i;
  }
  return best;
}

static void check_markers(const grove *g) {
  uint32_t kept = 0, owned = 0;
  for (uint32_t m = 0; m < g->markers; m++) {
    float distance;
    uint16_t nearest = nearest_node(g, m, &distance);
    const th_tree_marker *entry = th_tree_entry(&g->job.tree, m);
    if (nearest == TH_TREE_NONE && !entry) continue;
    assert_non_null(entry);
    kept++;
    if (nearest != entry->nearest && fabsf(distance - entry->distance) > 1e-5f)
      fail_msg("marker %u: nearest is node %u at %g, kept is %u at %g", m, nearest, (double)distance, entry->nearest,
               (double)entry->distance);
    if (entry->owner == TH_TREE_NONE) continue;
    owned++;
    assert_true(th_tree_lives(&g->job.tree, entry->owner));
    assert_true(th_tree_apart(g->job.tree.node[entry->owner].point, g->space->point[m]) <=
                g->params.restriction + 1e-5f);
  }
  assert_int_equal(kept, g->job.tree.head->kept);
  uint32_t list[GROVE_MARKERS];
  assert_int_equal(th_tree_retained(g->row, list, GROVE_MARKERS), owned);
  for (uint32_t i = 1; i < owned; i++) assert_true(list[i] > list[i - 1]);
}

static void check_links(const grove *g) {
  const th_tree *tree = &g->job.tree;
  uint32_t alive = 0, children = 0;
  for (uint32_t i = 0; i < tree->head->used; i++) {
    if (!th_tree_lives(tree, i)) continue;
    alive++;
    uint32_t own = 0;
    for (uint16_t c = tree->node[i].child; c != TH_TREE_NONE; c = tree->node[c].sibling, own++)
      assert_int_equal(tree->node[c].parent, i);
    assert_int_equal(own, tree->node[i].children);
    children += own;
    bool root = tree->node[i].parent == TH_TREE_NONE;
    assert_true(root == (i == tree->head->root));
  }
  assert_int_equal(alive, tree->head->count);
  assert_int_equal(children, alive - 1); /* one tree */
}

/* shows: BIO-18, BIO-19, BIO-21 */
static void nodes_grow_along_the_mean_of_their_markers(void **state) {
  (void)state;
  grove g;
  th_tree_params params = published();
  grove_make(&g, NULL, 0, &params, 3);
  grove_plant(&g, 4, 16);
  grove_aim(&g, 34, 16);
  for (int n = 0; n < 30; n++) {
    th_tree before = g.job.tree;
    uint32_t used = before.head->used;
    th_vec2 wanted[1024];
    bool free[1024];
    for (uint32_t i = 0; i < used; i++) { /* the definition, by hand, for the first child of each node */
      th_vec3 at = before.node[i].point;
      th_vec2 to = {34 - at.x, 16 - at.y}, sum = {0, 0};
      float all = 0, far = hypotf(to.x, to.y);
      for (uint32_t m = 0; m < g.markers; m++) {
        float d;
        const th_tree_marker *entry = th_tree_entry(&before, m);
        if (nearest_node(&g, m, &d) != i || (entry->owner != TH_TREE_NONE && entry->owner != i)) continue;
        th_vec2 way = {g.space->point[m].x - at.x, g.space->point[m].y - at.y};
        float f = (1 + (to.x * way.x + to.y * way.y) / (far * d)) / (1 + d);
        sum.x += f * way.x, sum.y += f * way.y, all += f;
      }
      free[i] = all > 0;
      wanted[i] = sum;
    }
    th_tree_grow(&g.job);
    uint32_t seen = 0;
    for (uint32_t i = 0; i < g.job.tree.head->used; i++) {
      const th_tree_slot *node = &g.job.tree.node[i];
      if (!(node->flags & TH_TREE_FRESH) || i < used) continue;
      const th_tree_slot *from = &g.job.tree.node[node->parent];
      assert_true(free[node->parent] && node->parent < used); /* new nodes do not grow in the same iteration */
      assert_true(fabsf(th_tree_apart(node->point, from->point) - 0.6f) < 1e-5f);
      if (node->parent != 0 || n > 0) continue; /* later nodes have lost markers to those before them */
      th_vec2 w = wanted[node->parent];
      if (seen++ == 0) {
        float size = hypotf(w.x, w.y);
        assert_true(fabsf((node->point.x - from->point.x) / 0.6f - w.x / size) < 1e-4f);
        assert_true(fabsf((node->point.y - from->point.y) / 0.6f - w.y / size) < 1e-4f);
      }
    }
    check_markers(&g);
    check_links(&g);
  }
  th_tree_state s = th_tree_read(g.row);
  th_tree_node node[1024];
  assert_int_equal(th_tree_nodes(g.row, node, 1024), s.nodes);
  uint32_t keys = 0;
  for (uint32_t i = 0; i < s.nodes; i++) {
    assert_true(i == 0 ? node[i].parent == UINT32_MAX : node[i].parent < i);
    keys += node[i].children > 1;
  }
  assert_true(s.root == 0 && keys == s.keys && keys > 0 && node[s.best].on_path);
  grove_end(&g);
}

/* Puts a tree back as it was saved, with another seed; only one node may grow, so that markers stay. */
static void put_back(grove *g, const void *saved, uint64_t seed, uint32_t node) {
  memcpy(g->row, saved, th_tree_row_size(&g->params));
  g->job.seed = seed;
  for (uint32_t k = 0; k < g->job.tree.head->used; k++)
    if (k != node) g->job.tree.node[k].flags |= TH_TREE_IDLE;
  g->job.tree.head->point = g->job.target.point; /* it has not moved */
}

/* True when a node that has borne one child still has markers for another. */
static bool bears_twice(grove *g, const void *saved, uint32_t node) {
  const int32_t children = g->params.children;
  const uint16_t before = g->job.tree.node[node].children;
  bool left = false;
  g->params.children = 1;
  for (uint64_t seed = 1; seed < 200; seed++) {
    put_back(g, saved, seed, node);
    th_tree_grow(&g->job);
    if (g->job.tree.node[node].children == before) continue;
    left = th_tree_pull_of(&g->job, (uint16_t)node).markers > 0;
    break;
  }
  g->params.children = children;
  put_back(g, saved, 1, node);
  return left;
}

/* A node bears with a probability, and again with the same one. */
/* shows: BIO-20, BIO-23 */
static void nodes_grow_by_their_distance_to_the_target(void **state) {
  (void)state;
  grove g;
  th_tree_params params = published();
  grove_make(&g, NULL, 0, &params, 5);
  grove_plant(&g, 10, 16);
  grove_aim(&g, 40, 16);
  grove_grow(&g, 15);
  th_tree *tree = &g.job.tree;
  float nearest = th_tree_apart(tree->node[tree->head->best].point, g.job.target.point);
  assert_true(th_tree_chance(&g.job, nearest, tree->head->best) == 1.0f);
  /* The frequency with which a node bears a child, over many draws of the same situation. */
  size_t size = th_tree_row_size(&params);
  void *saved = malloc(size);
  memcpy(saved, g.row, size);
  uint32_t tried = 0, again = 0;
  for (uint32_t i = 0; i < tree->head->used && (tried < LONG_RUN(6, 3) || again < LONG_RUN(2, 1)); i++) {
    float chance = th_tree_chance(&g.job, nearest, (uint16_t)i);
    if (!th_tree_lives(tree, i) || !th_tree_pull_of(&g.job, (uint16_t)i).markers || chance > 0.98f) continue;
    uint32_t born = 0, twice = 0, runs = 2000;
    uint16_t children = tree->node[i].children;
    bool left = bears_twice(&g, saved, i);
    if (tried >= LONG_RUN(6, 3) && !left) continue;
    for (uint32_t run = 0; run < runs; run++) {
      put_back(&g, saved, 1000 + run, i);
      th_tree_grow(&g.job);
      born += tree->node[i].children > children;
      twice += tree->node[i].children > children + 1;
    }
    put_back(&g, saved, 1, i);
    float found = (float)born / (float)runs, own = th_tree_apart(tree->node[i].point, g.job.target.point);
    if (fabsf(found - nearest / own) > 0.05f * nearest / own + 0.02f)
      fail_msg("node %u: |n_g - g| / |n - g| is %g, found %g", i, (double)(nearest / own), (double)found);
    if (left && fabsf((float)twice / (float)born - found) > 0.06f)
      fail_msg("node %u: a child in %g of the draws, another one in %g of these", i, (double)found,
               (double)twice / born);
    again += left;
    tried++;
  }
  print_message("%u nodes, %u of them with markers for a second child\n", tried, again);
  assert_true(tried >= 3 && again >= 1);
  free(saved);
  grove_end(&g);
}

/* shows: BIO-22, BIO-23 */
static void children_retain_the_free_markers_around_them(void **state) {
  (void)state;
  grove g;
  th_tree_params params = published();
  grove_make(&g, NULL, 0, &params, 7);
  grove_plant(&g, 20, 16);
  grove_aim(&g, 40, 16);
  th_tree *tree = &g.job.tree;
  th_tree_grow(&g.job);
  uint16_t child = tree->node[0].child;
  while (tree->node[child].sibling != TH_TREE_NONE) child = tree->node[child].sibling; /* the first one */
  uint32_t held = 0;
  for (uint32_t m = 0; m < g.markers; m++) {
    bool near = th_tree_apart(tree->node[child].point, g.space->point[m]) <= 1.75f;
    const th_tree_marker *entry = th_tree_entry(tree, m);
    if (near) assert_int_equal(entry->owner, child), held++;
  }
  assert_true(held >= 2);
  /* The owner may use what it retains; others may not, even where they are the nearest. */
  th_tree_pull own = th_tree_pull_of(&g.job, child);
  assert_true(own.markers > 0);
  for (uint32_t m = 0; m < g.markers; m++) {
    th_tree_marker *entry = th_tree_entry(tree, m);
    if (entry && entry->owner == child) entry->owner = 0; /* as if the root retained them */
  }
  assert_true(th_tree_pull_of(&g.job, child).markers < own.markers);
  assert_true(tree->node[0].children >= 2); /* it bore again with the markers that were left: a key node */
  assert_int_equal(th_tree_read(g.row).keys, 1);
  grove_end(&g);
}

static const worlds_rect slalom[3] = {{{{12, 0}, {16, 0}, {16, 20}, {12, 20}}},
                                      {{{22, 12}, {26, 12}, {26, 32}, {22, 32}}},
                                      {{{32, 0}, {36, 0}, {36, 20}, {32, 20}}}};

/* Retention by owner, 20 seeds in the scenes of the specification: open ground, a wall, a trap, three walls. */
/* shows: BIO-22, BIO-24, BIO-31 */
static void trees_reach_targets_behind_walls_and_in_traps(void **state) {
  (void)state;
  const worlds_rect wall[1] = {worlds_rectangle(20, 4, 24, 28)};
  const worlds_rect trap[3] = {worlds_rectangle(16, 6, 26, 10), worlds_rectangle(16, 22, 26, 26),
                               worlds_rectangle(22, 6, 26, 26)};
  const struct {
    const worlds_rect *wall;
    uint32_t walls;
    th_vec2 from, to;
    float least, most;
  } scene[] = {{NULL, 0, {8, 16}, {38, 16}, 30, 34},
               {wall, 1, {8, 16}, {38, 16}, 38, 52},
               {trap, 3, {8, 16}, {38, 16}, 36, 60},
               {slalom, 3, {4, 4}, {42, 4}, 72, 92}};
  uint32_t resumed = 0;
  for (uint32_t k = 0; k < 4; k++) {
    double sum = 0, nodes = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
      grove g;
      th_tree_params params = published();
      grove_make(&g, scene[k].wall, scene[k].walls, &params, seed);
      grove_plant(&g, scene[k].from.x, scene[k].from.y);
      grove_aim(&g, scene[k].to.x, scene[k].to.y);
      grove_grow(&g, 2000);
      if (!g.job.tree.head->reached)
        fail_msg("scene %u, seed %d: not reached, %u nodes, best %g %g kept %u", k, (int)seed, g.job.tree.head->count,
                 (double)g.job.tree.node[g.job.tree.head->best].point.x,
                 (double)g.job.tree.node[g.job.tree.head->best].point.y, g.job.tree.head->kept);
      float length = grove_length(&g);
      if (length < scene[k].least || length > scene[k].most)
        fail_msg("scene %u, seed %d: %g m", k, (int)seed, (double)length);
      sum += (double)length, nodes += g.job.tree.head->count;
      for (uint32_t i = 0; i < g.job.tree.head->used; i++) { /* nodes shave corners, and no more */
        th_vec3 at = g.job.tree.node[i].point;
        float deep = -th_ground_clearance(g.ground, at.x, at.y);
        bool inside = at.x > 0 && at.y > 0 && at.x < 46 && at.y < 32;
        if (inside && deep > 0.7f) fail_msg("scene %u, seed %d: a node %g m inside", k, (int)seed, (double)deep);
      }
      uint32_t count = g.job.tree.head->count; /* reached: it does not grow any more, until the target is lost */
      grove_grow(&g, 5);
      assert_int_equal(g.job.tree.head->count, count);
      grove_aim(&g, scene[k].to.x, scene[k].to.y - 3.9f);
      th_tree_pursue(&g.job);
      uint32_t left = g.job.tree.head->count;
      bool lost = !g.job.tree.head->reached;
      grove_grow(&g, 20);
      assert_true(lost == (g.job.tree.head->count > left));
      resumed += lost;
      grove_end(&g);
    }
    print_message("scene %u: mean length %.1f m, %.0f nodes\n", k, sum / 20, nodes / 20);
  }
  assert_true(resumed >= 20);
}

/* A walk along the tree without a body: from node to node. */
static float walk(grove *g, uint32_t steps, float step) {
  float gone = 0.0f;
  for (uint32_t n = 0; n < steps; n++) {
    th_tree_pursue(&g->job);
    th_tree_advance(&g->job);
    if (!g->job.tree.head->reached) {
      th_tree_grow(&g->job);
      th_tree_judge(&g->job);
    }
    th_tree_follow(&g->job);
    const th_guide_answer *a = &g->job.tree.head->answer;
    if (a->state == TH_ANSWER_LEAD) {
      grove_stand(g, g->job.point.x + step * a->dx, g->job.point.y + step * a->dy);
      gone += step;
    }
    if (th_tree_apart(g->job.point, g->job.target.point) < 0.3f) break;
  }
  return gone;
}

/* shows: BIO-27, BIO-28, BIO-29, BIO-30, BIO-32 */
static void agents_follow_the_best_path_and_prune(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 8; seed++) {
    grove g;
    th_tree_params params = published();
    grove_make(&g, slalom, 3, &params, seed);
    grove_plant(&g, 4, 4);
    grove_aim(&g, 42, 4);
    th_tree *tree = &g.job.tree;
    g.job.tree.head->does = TH_TREE_SEEKS;
    uint16_t root = 0;
    uint32_t arrivals = 0, most = 0;
    float gone = 0;
    for (int n = 0; n < 3000 && th_tree_apart(g.job.point, g.job.target.point) > 0.3f; n++) {
      uint32_t depth = tree->node[root].depth;
      gone += walk(&g, 1, 0.06f);
      if (tree->head->count > most) most = tree->head->count;
      float least = INFINITY;
      for (uint32_t i = 0; i < tree->head->used; i++)
        if (th_tree_lives(tree, i)) least = fminf(least, th_tree_apart(tree->node[i].point, g.job.target.point));
      assert_true(th_tree_apart(tree->node[tree->head->best].point, g.job.target.point) ==
                  least); /* the plain nearest */
      if (tree->head->root == root) continue;
      arrivals++;
      root = tree->head->root;
      assert_in_range(tree->node[root].depth, depth + 1, depth + 2);      /* nodes come in order */
      assert_int_equal(tree->node[root].parent, TH_TREE_NONE);            /* the parent is gone */
      assert_false(tree->node[root].children > 1 && tree->head->reached); /* and so are branches that lost */
      check_links(&g);
      if (arrivals % 16 == 0) check_markers(&g); /* what they retained is free again */
    }
    assert_true(th_tree_apart(g.job.point, g.job.target.point) <= 0.3f);
    assert_true(gone > 70 && gone < 95 && arrivals > 100);
    assert_true(most > 300 && tree->head->count < 40); /* it has shrunk to what is ahead */
    grove_plant(&g, tree->node[tree->head->best].point.x, tree->node[tree->head->best].point.y); /* from any node */
    grove_aim(&g, 4, 4);
    grove_grow(&g, 2000);
    assert_true(tree->head->reached);
    grove_end(&g);
  }
}

/* shows: BIO-31 */
static void an_agent_leaves_a_dead_end(void **state) {
  (void)state;
  const worlds_rect trap[3] = {worlds_rectangle(12, 10, 24, 14), worlds_rectangle(12, 18, 24, 22),
                               worlds_rectangle(20, 10, 24, 22)};
  uint32_t inside = 0;
  for (uint64_t seed = 1; seed <= 10; seed++) {
    grove g;
    th_tree_params params = th_default_tree_params(); /* walls hide: the pocket is a true dead end */
    grove_make(&g, trap, 3, &params, seed);
    grove_plant(&g, 19, 16); /* at the bottom of the pocket, the target right behind it */
    grove_aim(&g, 27, 16);
    float gone = 0;
    uint32_t idle = 0;
    for (int n = 0; n < 4000 && th_tree_apart(g.job.point, g.job.target.point) > 0.3f; n++) {
      uint32_t count = g.job.tree.head->count;
      gone += walk(&g, 1, 0.06f);
      inside += g.job.tree.head->answer.state == TH_ANSWER_WAIT;
      idle = g.job.tree.head->answer.state == TH_ANSWER_WAIT && count == g.job.tree.head->count ? idle + 1 : 0;
      if (idle > 30) grove_plant(&g, g.job.point.x, g.job.point.y); /* as the guide does after a second */
    }
    if (th_tree_apart(g.job.point, g.job.target.point) > 0.3f) fail_msg("seed %d: never out of the trap", (int)seed);
    assert_true(gone > 20);
    grove_end(&g);
  }
  assert_true(inside > 0); /* it waited for the tree to grow back */
}

/* shows: BIO-38, BIO-42 */
static void a_lost_target_cuts_the_nodes_around_it(void **state) {
  (void)state;
  grove g;
  th_tree_params params = published();
  const worlds_rect wall[1] = {worlds_rectangle(20, 8, 24, 24)};
  grove_make(&g, wall, 1, &params, 11);
  grove_plant(&g, 6, 16);
  grove_aim(&g, 40, 16);
  grove_grow(&g, 2000);
  assert_true(g.job.tree.head->reached);
  for (float y = 17; y < 31 && g.job.tree.head->reached; y += 0.5f) {
    grove_aim(&g, 40, y);
    th_tree_judge(&g.job);
  }
  assert_false(g.job.tree.head->reached); /* lost */
  g.job.tree.head->reached = 1;
  uint32_t before = g.job.tree.head->count, near = 0;
  for (uint32_t i = 0; i < g.job.tree.head->used; i++)
    near += th_tree_lives(&g.job.tree, i) && th_tree_apart(g.job.tree.node[i].point, g.job.target.point) <= 10.0f;
  assert_true(near > 10);
  th_tree_pursue(&g.job);
  for (uint32_t i = 0; i < g.job.tree.head->used; i++)
    if (th_tree_lives(&g.job.tree, i) && i != g.job.tree.head->root)
      assert_true(th_tree_apart(g.job.tree.node[i].point, g.job.target.point) > 10.0f);
  assert_true(g.job.tree.head->count <= before - near);
  check_links(&g);
  check_markers(&g);
  grove_grow(&g, 2000);
  assert_true(g.job.tree.head->reached);
  grove_plant(&g, 36, 16); /* nearer than that: everything but the root goes, and grows again */
  grove_aim(&g, 42, 16);
  grove_grow(&g, 500);
  grove_aim(&g, 38, 21);
  th_tree_pursue(&g.job);
  assert_int_equal(g.job.tree.head->count, 1);
  grove_grow(&g, 500);
  assert_true(g.job.tree.head->reached);
  grove_end(&g);
}

/* shows: BIO-41, BIO-46 */
static void nodes_near_others_are_cut(void **state) {
  (void)state;
  grove g;
  th_tree_params params = published();
  grove_make(&g, NULL, 0, &params, 13);
  grove_plant(&g, 10, 16);
  grove_aim(&g, 40, 16);
  grove_grow(&g, 40);
  const th_vec3 other[2] = {{14, 16, 0}, {10, 15, 0}};
  th_tree_keep_clear(&g.job, other, 2);
  for (uint32_t i = 0; i < g.job.tree.head->used; i++)
    for (int k = 0; k < 2; k++)
      if (th_tree_lives(&g.job.tree, i) && i != g.job.tree.head->root)
        assert_true(th_tree_apart(g.job.tree.node[i].point, other[k]) > 2.5f);
  assert_true(th_tree_lives(&g.job.tree, g.job.tree.head->root)); /* though it stands 1 m from one */
  check_links(&g);
  check_markers(&g);
  /* A guard blocks the markers round it. */
  g.job.guard = other, g.job.guard_count = 1;
  grove_plant(&g, 10, 16);
  g.job.target = (th_tree_target){0};
  g.job.tree.head->area = (th_vec3){10, 16, 0}, g.job.tree.head->area_radius = 9;
  grove_grow(&g, 200);
  assert_true(g.job.tree.head->reached);
  uint32_t list[GROVE_MARKERS], count = th_tree_retained(g.row, list, GROVE_MARKERS);
  for (uint32_t i = 0; i < count; i++) assert_true(th_tree_apart(g.space->point[list[i]], other[0]) > 1.75f);
  grove_end(&g);
}

/* shows: BIO-44 */
static void an_escape_leads_out_of_the_area(void **state) {
  (void)state;
  grove g;
  th_tree_params params = published();
  grove_make(&g, NULL, 0, &params, 17);
  grove_plant(&g, 23, 16);
  th_tree_pull pull = th_tree_pull_of(&g.job, 0);
  th_vec2 sum = {0, 0};
  uint32_t near = 0;
  for (uint32_t m = 0; m < g.markers; m++)
    if (th_tree_apart(g.space->point[m], g.job.point) <= 2.75f)
      sum.x += g.space->point[m].x - 23, sum.y += g.space->point[m].y - 16, near++;
  assert_true(pull.markers == near && pull.weight == (float)near); /* all weigh the same */
  assert_true(fabsf(pull.sum.x - sum.x) < 1e-4f && fabsf(pull.sum.y - sum.y) < 1e-4f);
  g.job.tree.head->area = (th_vec3){23, 16, 0}, g.job.tree.head->area_radius = 12;
  uint32_t draws = g.job.tree.head->draws, n = 0;
  for (; !g.job.tree.head->reached; n++) {
    th_tree_grow(&g.job);
    th_tree_judge(&g.job);
    assert_true(n < 60);
  }
  assert_int_equal(g.job.tree.head->draws, draws); /* no probability */
  assert_true(n >= 20 && n <= 24);                 /* 12 m in segments of 0.6 m: 21 in the specification */
  const th_tree *tree = &g.job.tree;
  assert_true(th_tree_apart(tree->node[tree->head->best].point, tree->head->area) > 12.0f);
  assert_true(tree->node[tree->head->best].depth == n); /* the first one outside */
  grove_end(&g);
}

/* shows: BIO-35 */
static void other_seeds_grow_other_trees(void **state) {
  (void)state;
  uint64_t sum[3];
  float length[3];
  for (int k = 0; k < 3; k++) {
    grove g;
    th_tree_params params = published();
    grove_make(&g, slalom, 3, &params, 1); /* the same markers */
    g.job.seed = k < 2 ? 5 : 6;
    grove_plant(&g, 4, 4);
    grove_aim(&g, 42, 4);
    grove_grow(&g, 2000);
    length[k] = grove_length(&g);
    sum[k] = 0;
    for (uint32_t i = 0; i < g.job.tree.head->used; i++)
      sum[k] = sum[k] * 31 + (uint64_t)(g.job.tree.node[i].point.x * 1e4f) * 7 +
               (uint64_t)(g.job.tree.node[i].point.y * 1e4f);
    grove_end(&g);
  }
  assert_true(sum[0] == sum[1] && length[0] == length[1]);
  assert_true(sum[0] != sum[2]);
}

/* A thin wall that takes away no marker is crossed by every tree of the published form, by none of ours; a wall wider
 * than action + segment by nobody. */
/* shows: BIO-72 */
static void thin_walls_hold_with_line_of_sight(void **state) {
  (void)state;
  const struct {
    float thick;
    bool sight;
    uint32_t least, most;
  } row[] = {{0.5f, false, 20, 20}, {0.5f, true, 0, 0}, {0.05f, true, 0, 0}, {3.4f, false, 0, 0}};
  for (uint32_t k = 0; k < 4; k++) {
    uint32_t crossed = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
      grove g;
      th_tree_params params = published();
      params.line_of_sight = row[k].sight;
      const worlds_rect wall[1] = {worlds_rectangle(21.3f, -1, 21.3f + row[k].thick, 33)};
      grove_make(&g, wall, 1, &params, seed);
      grove_plant(&g, 8, 16);
      grove_aim(&g, 38, 16);
      grove_grow(&g, 300);
      for (uint32_t i = 0; i < g.job.tree.head->used; i++)
        if (th_tree_lives(&g.job.tree, i) && g.job.tree.node[i].point.x > 21.4f + row[k].thick) {
          crossed++;
          break;
        }
      grove_end(&g);
    }
    if (crossed < row[k].least || crossed > row[k].most)
      fail_msg("a wall of %g m, sight %d: crossed %u of 20 times", (double)row[k].thick, row[k].sight, crossed);
  }
}

/* Cost-based choice, regrowth at once and random trees: off by default, each does what it says. */
/* shows: BIO-72 */
static void each_option_does_what_it_says(void **state) {
  (void)state;
  th_tree_params params = published();
  assert_true(params.cost == 0.0f && !params.regrow && params.growth == TH_TREE_COLONISE);
  grove g;
  grove_make(&g, slalom, 3, &params, 2);
  grove_plant(&g, 4, 4);
  grove_aim(&g, 42, 4);
  grove_grow(&g, 2000);
  uint32_t count = g.job.tree.head->count;
  g.params.cost = 0.5f; /* a lost target deletes no node */
  grove_aim(&g, 42, 10);
  th_tree_pursue(&g.job);
  assert_int_equal(g.job.tree.head->count, count);
  float least = INFINITY;
  const th_tree *tree = &g.job.tree;
  for (uint32_t i = 0; i < tree->head->used; i++) {
    float cost = th_tree_apart(tree->node[i].point, g.job.target.point) + 0.5f * 0.6f * (float)tree->node[i].depth;
    if (th_tree_lives(tree, i) && cost < least) least = cost;
  }
  float own = th_tree_apart(tree->node[tree->head->best].point, g.job.target.point) +
              0.3f * (float)tree->node[tree->head->best].depth;
  assert_true(tree->head->reached || fabsf(own - least) < 1e-4f);
  g.params.cost = 0.0f, g.params.regrow = true;
  g.job.tree.head->reached = 1;
  grove_aim(&g, 28, 6);
  th_tree_pursue(&g.job);
  assert_true(g.job.tree.head->reached); /* grown anew, in this very step */
  grove_end(&g);
  params = th_default_tree_params();
  grove_make(&g, slalom, 3, &params, 2);
  grove_plant(&g, 4, 4);
  grove_aim(&g, 42, 4);
  th_tree_judge(&g.job);
  for (int n = 0; n < 2000 && !g.job.tree.head->reached; n++) {
    th_tree_grow_random(&g.job);
    th_tree_judge(&g.job);
  }
  assert_true(g.job.tree.head->reached);
  check_links(&g);
  grove_end(&g);
}

/* shows: BIO-33 */
static void the_rules_of_the_method_are_checked(void **state) {
  (void)state;
  th_tree_params params = th_default_tree_params();
  float narrowest;
  assert_int_equal(th_tree_broken_rules(&params, NULL, 0.4f, &narrowest), 0);
  assert_true(isinf(narrowest));
  params.spacing = 2.75f;
  assert_int_equal(th_tree_broken_rules(&params, NULL, 0.4f, NULL), TH_TREE_ACTION);
  th_error error = {0};
  assert_int_equal(th_guide_tree.check(&params, &error), TH_ERROR_RANGE);
  assert_string_equal(error.where, "action");
  params = th_default_tree_params();
  params.restriction = 3.0f;
  assert_int_equal(th_tree_broken_rules(&params, NULL, 0.4f, NULL), TH_TREE_RESTRICTION);
  assert_int_equal(th_guide_tree.check(&params, &error), TH_ERROR_RANGE);
  assert_string_equal(error.where, "restriction");
  params = th_default_tree_params();
  params.segment = 0.4f;
  assert_int_equal(th_tree_broken_rules(&params, NULL, 0.4f, NULL), TH_TREE_SEGMENT);
  assert_non_null(strstr(th_guide_tree.warn(&params, NULL), "segment"));
  params = th_default_tree_params();
  params.jitter = 0.6f * params.spacing;
  assert_int_equal(th_guide_tree.check(&params, &error), TH_ERROR_RANGE);
  assert_string_equal(error.where, "jitter");
  params = th_default_tree_params();
  const worlds_rect wall[2] = {worlds_rectangle(10, 10, 14, 20), worlds_rectangle(20, 10, 28, 13.3f)};
  th_ground *ground = grove_ground(wall, 2);
  assert_int_equal(th_tree_broken_rules(&params, ground, 0.4f, &narrowest), 0); /* walls hide: none is too thin */
  assert_true(fabsf(narrowest - 3.3f) < 1e-4f);
  params.line_of_sight = false;
  assert_int_equal(th_tree_broken_rules(&params, ground, 0.4f, NULL), TH_TREE_OBSTACLES);
  assert_non_null(strstr(th_guide_tree.warn(&params, ground), "obstacle"));
  params.segment = 0.5f; /* 3.25 m now */
  assert_int_equal(th_tree_broken_rules(&params, ground, 0.4f, NULL), 0);
  assert_null(th_guide_tree.warn(&params, ground));
  th_ground_release(ground);
  /* a wall at an angle is as narrow as across its own sides, of which none lies along an axis or in the fan */
  const worlds_rect slanted[1] = {{{{10, 10}, {18, 14}, {17, 16}, {9, 12}}}};
  ground = grove_ground(slanted, 1);
  (void)th_tree_broken_rules(&params, ground, 0.4f, &narrowest);
  assert_true(fabsf(narrowest - sqrtf(5.0f)) < 1e-4f);
  th_ground_release(ground);
}

/* A tree that is full stops growing and goes on when nodes are cut. */
static void a_full_tree_grows_on_when_nodes_are_cut(void **state) {
  (void)state;
  grove g;
  th_tree_params params = published();
  params.nodes = 32;
  grove_make(&g, slalom, 3, &params, 2);
  grove_plant(&g, 4, 4);
  grove_aim(&g, 42, 4);
  grove_grow(&g, 200);
  assert_true(g.job.tree.head->count == 32 && th_tree_read(g.row).full);
  check_links(&g);
  th_tree_node_cut(&g.job.tree, g.job.tree.node[g.job.tree.head->root].child);
  th_tree_settle(&g.job.tree, &params, &g.job.eye);
  uint32_t left = g.job.tree.head->count;
  assert_true(left < 32);
  grove_grow(&g, 200);
  assert_true(g.job.tree.head->count > left);
  check_links(&g);
  check_markers(&g);
  grove_end(&g);
}

/* Two markers that pull to opposite sides leave no mean direction: in the published form no node grows; with line of
 * sight one grows towards one of them. */
static void markers_that_pull_apart(void **state) {
  (void)state;
  for (int sight = 0; sight < 2; sight++) {
    static grove g;
    memset(&g, 0, sizeof g);
    g.params = published();
    g.params.line_of_sight = sight;
    g.ground = grove_ground(NULL, 0);
    g.marker[0] = th_ground_locate(g.ground, 16.0f, 17.0f);
    g.marker[1] = th_ground_locate(g.ground, 16.0f, 15.0f);
    g.markers = 2;
    grove_open(&g, 3, 0.2f);
    grove_plant(&g, 16, 16);
    grove_aim(&g, 40, 16);
    th_tree_judge(&g.job);
    uint32_t made = th_tree_grow(&g.job);
    assert_int_equal(made + 1, g.job.tree.head->count);
    assert_int_equal(made, sight ? 1 : 0);
    grove_end(&g);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(nodes_grow_along_the_mean_of_their_markers),
                                     cmocka_unit_test(nodes_grow_by_their_distance_to_the_target),
                                     cmocka_unit_test(children_retain_the_free_markers_around_them),
                                     cmocka_unit_test(trees_reach_targets_behind_walls_and_in_traps),
                                     cmocka_unit_test(agents_follow_the_best_path_and_prune),
                                     cmocka_unit_test(an_agent_leaves_a_dead_end),
                                     cmocka_unit_test(a_lost_target_cuts_the_nodes_around_it),
                                     cmocka_unit_test(nodes_near_others_are_cut),
                                     cmocka_unit_test(an_escape_leads_out_of_the_area),
                                     cmocka_unit_test(other_seeds_grow_other_trees),
                                     cmocka_unit_test(thin_walls_hold_with_line_of_sight),
                                     cmocka_unit_test(each_option_does_what_it_says),
                                     cmocka_unit_test(the_rules_of_the_method_are_checked),
                                     cmocka_unit_test(a_full_tree_grows_on_when_nodes_are_cut),
                                     cmocka_unit_test(markers_that_pull_apart)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
