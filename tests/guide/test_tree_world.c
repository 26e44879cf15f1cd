/* tests/guide/test_tree_world.c - trees in worlds: what agents do, pursuit, collaboration, escape, every ground. */
#include "support/mesh_worlds.h"
#include "support/slow.h"
#include "support/tree_worlds.h"

/* shows: BIO-26, BIO-37 */
static void seeks_a_goal(void **state) {
  (void)state;
  stage s = {0};
  th_tree_params params = th_default_tree_params();
  stage_begin(&s, grove_ground(block, 1), &params, 1);
  th_agent_def def = someone(&s, 6, 16, 1.8f);
  def.route_count = 1, def.route[0].goal = worlds_goal(s.world, 40, 16);
  th_agent_id id = add(&s, &def);
  float ahead = 0;
  for (int n = 0; n < 30; n++) {
    worlds_steps(s.world, 1);
    th_tree_node node[1024];
    uint32_t count = th_tree_nodes(th_world_guide_row(s.world, id, NULL), node, 1024);
    for (uint32_t i = 0; i < count; i++) ahead = fmaxf(ahead, node[i].point.x - 6);
  }
  float gone = th_world_agent_point(s.world, id).x - 6;
  assert_true(ahead > 8 && gone > 1 && gone < 2); /* one step of each per step of the world; the front is far ahead */
  worlds_steps(s.world, 1200);
  assert_int_equal(worlds_state(s.world, id), TH_AGENT_ARRIVED);
  assert_int_equal(th_world_counters(s.world).stuck, 0);
  stage_end(&s);
}

/* An agent that stands, so that nothing is pruned: its tree grows until it has reached the target, not any more then,
 * and again when the target is lost. */
/* shows: BIO-24 */
static void growth_stops_at_the_target(void **state) {
  (void)state;
  stage s = {0};
  th_tree_params params = th_default_tree_params();
  stage_begin(&s, grove_ground(block, 1), &params, 1);
  th_agent_def def = someone(&s, 6, 16, 1.8f);
  th_goal_id goal = worlds_goal(s.world, 30, 16);
  def.route_count = 1, def.route[0].goal = goal;
  th_agent_id id = add(&s, &def);
  OK(th_world_set_speed(s.world, id, 0.0f, &error));
  int steps = 0;
  for (; steps < 2000 && !tree_of(&s, id).reached; steps++) worlds_steps(s.world, 1);
  uint32_t nodes = tree_of(&s, id).nodes;
  assert_true(steps > 20 && steps < 2000 && nodes > 40);
  for (int n = 0; n < 60; n++) {
    worlds_steps(s.world, 1);
    th_tree_state now = tree_of(&s, id);
    if (!now.reached || now.nodes != nodes)
      fail_msg("%s, %u nodes, %u before", now.reached ? "reached" : "lost", now.nodes, nodes);
  }
  th_shape elsewhere = th_point_shape(42, 28);
  OK(th_world_move_goal(s.world, goal, &elsewhere, &error));
  worlds_steps(s.world, 2);
  assert_false(tree_of(&s, id).reached);
  uint32_t left = tree_of(&s, id).nodes;
  worlds_steps(s.world, 30);
  assert_true(tree_of(&s, id).nodes > left + 5);
  stage_end(&s);
}

/* shows: BIO-38, BIO-39 */
static void pursues_a_wanderer(void **state) {
  (void)state;
  uint32_t caught = 0, adjusted = 0;
  for (uint64_t seed = 1; seed <= LONG_RUN(8u, 2u); seed++) {
    stage s = {0};
    th_tree_params params = th_default_tree_params();
    params.wander = true;
    stage_begin(&s, grove_ground(block, 1), &params, seed);
    th_agent_def def = someone(&s, 38, 16, 0.9f);
    th_agent_id target = add(&s, &def);
    th_guide_id wanderer = s.guide;
    params.wander = false;
    OK(th_world_add_guide(s.world, &th_guide_tree, &params, &s.guide, &error));
    th_agent_id hunter = add_pursuer(&s, 6, 16, 1.8f, target);
    assert_false(th_same_guide(wanderer, s.guide));
    float far = 0;
    th_vec3 from = th_world_agent_point(s.world, target);
    bool had = false;
    for (int n = 0; n < 3000 && worlds_state(s.world, hunter) != TH_AGENT_ARRIVED; n++) {
      uint32_t nodes = tree_of(&s, hunter).nodes;
      worlds_steps(s.world, 1);
      th_tree_state now = tree_of(&s, hunter);
      assert_int_equal(now.does, TH_TREE_PURSUES);
      assert_int_equal(tree_of(&s, target).does, TH_TREE_WANDERS);
      if (had && !now.reached && now.nodes < nodes) adjusted++;
      had = now.reached;
      far = fmaxf(far, th_tree_apart(th_world_agent_point(s.world, target), from));
    }
    assert_true(far > 3);
    caught += worlds_state(s.world, hunter) == TH_AGENT_ARRIVED && apart(&s, hunter, target) <= 1.1f;
    stage_end(&s);
  }
  assert_int_equal(caught, LONG_RUN(8u, 2u));
  assert_true(adjusted >= LONG_RUN(8u, 1u));
}

/* shows: BIO-25, BIO-40, BIO-43 */
static void collaborates(void **state) {
  (void)state;
  uint32_t both_sides = 0, crossings = 0;
  for (uint64_t seed = 1; seed <= LONG_RUN(10u, 2u); seed++) {
    for (int together = 0; together < 2; together++) {
      stage s = {0};
      th_tree_params params = th_default_tree_params();
      params.collaborate = together;
      stage_begin(&s, grove_ground(block, 1), &params, seed);
      th_agent_def def = someone(&s, 38, 16, 0.0f);
      def.guide = TH_NULL_GUIDE;
      th_agent_id target = add(&s, &def);
      th_agent_id a = add_pursuer(&s, 8, 14.5f, 1.8f, target), b = add_pursuer(&s, 8, 17.5f, 1.8f, target);
      float ya = 0, yb = 0;
      for (int n = 0; n < 1500; n++) {
        worlds_steps(s.world, 1);
        uint32_t both = shared_markers(&s, a, b);
        if (together) assert_int_equal(both, 0); /* at every iteration */
        if (!together) crossings += both > 0;
        th_vec3 pa = th_world_agent_point(s.world, a), pb = th_world_agent_point(s.world, b);
        if (pa.x < 23) ya = pa.y;
        if (pb.x < 23) yb = pb.y;
      }
      if (together) both_sides += (ya > 16) != (yb > 16);
      stage_end(&s);
    }
  }
  assert_true(crossings > 0);
  assert_true(both_sides >= LONG_RUN(6u, 1u)); /* of ten pairs most go round both sides of the block */
}

/* shows: BIO-45, BIO-46, BIO-47 */
static void escapes_from_guards(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= LONG_RUN(10u, 2u); seed++) {
    stage s = {0};
    th_tree_params params = th_default_tree_params();
    stage_begin(&s, grove_ground(NULL, 0), &params, seed);
    th_agent_id guard[4];
    const float at[4][2] = {{17, 10}, {29, 10}, {29, 22}, {17, 22}};
    for (int k = 0; k < 4; k++) {
      th_agent_def def = someone(&s, at[k][0], at[k][1], 0.0f);
      def.guide = TH_NULL_GUIDE;
      guard[k] = add(&s, &def);
    }
    th_agent_def def = someone(&s, 23.4f, 16.2f, 1.8f);
    for (int k = 0; k < 4; k++) def.link[k] = (th_link_def){.agent = guard[k], .role = TH_ROLE_PURSUER};
    def.link_count = 4;
    th_agent_id fugitive = add(&s, &def);
    bool out = false;
    for (int n = 0; n < 900 && !out; n++) {
      worlds_steps(s.world, 1);
      th_tree_state tree = tree_of(&s, fugitive);
      assert_int_equal(tree.does, TH_TREE_ESCAPES);
      if (n == 0) /* of four corners of a square of 12 m */
        assert_true(fabsf(tree.area_radius - 6 * sqrtf(2)) < 0.01f && fabsf(tree.area.x - 23) < 0.01f);
      for (int k = 0; k < 4; k++) {
        assert_true(apart(&s, fugitive, guard[k]) > 0.4f);
        assert_true(th_tree_apart(th_world_agent_point(s.world, guard[k]), tree.area) <= tree.area_radius + 1e-3f);
      }
      out = th_tree_apart(th_world_agent_point(s.world, fugitive), (th_vec3){23, 16, 0}) > 6 * sqrtf(2);
    }
    if (!out) fail_msg("seed %d: still inside after 30 s", (int)seed);
    stage_end(&s);
  }
}

/* shows: BIO-44 */
static void leaves_an_area(void **state) {
  (void)state;
  stage s = {0};
  th_tree_params params = th_default_tree_params();
  params.area = (th_vec3){23, 16, 0}, params.area_radius = 8;
  stage_begin(&s, grove_ground(NULL, 0), &params, 1);
  th_agent_def def = someone(&s, 22, 15, 1.8f);
  th_agent_id id = add(&s, &def);
  worlds_steps(s.world, 600);
  assert_int_equal(worlds_state(s.world, id), TH_AGENT_ARRIVED);
  float far = th_tree_apart(th_world_agent_point(s.world, id), params.area);
  assert_true(far > 8 && far < 9);
  stage_end(&s);
}

/* shows: BIO-48 */
static void four_against_one(void **state) {
  (void)state;
  stage s = {0};
  th_tree_params params = th_default_tree_params();
  params.collaborate = true;
  stage_begin(&s, grove_ground(block, 1), &params, 3);
  th_agent_def def = someone(&s, 40, 16, 1.8f);
  th_agent_id fugitive = add(&s, &def), hunter[4];
  const float at[4][2] = {{6, 4}, {6, 28}, {30, 4}, {30, 28}};
  for (int k = 0; k < 4; k++) hunter[k] = add_pursuer(&s, at[k][0], at[k][1], 1.5f, fugitive);
  float gone[5] = {0};
  for (int n = 0; n < LONG_RUN(900, 200); n++) {
    worlds_steps(s.world, 1);
    th_tree_state tree = tree_of(&s, fugitive);
    assert_int_equal(tree.does, TH_TREE_ESCAPES);
    for (int k = 0; k < 4; k++) { /* the circle holds all five where they were when it was made */
      th_vec3 p = th_world_agent_previous(s.world, hunter[k]);
      assert_true(th_tree_apart(p, tree.area) <= tree.area_radius + 1e-3f);
      gone[k] += th_tree_apart(p, th_world_agent_point(s.world, hunter[k]));
      for (int j = 0; j < k; j++) assert_int_equal(shared_markers(&s, hunter[k], hunter[j]), 0);
    }
    th_vec3 own = th_world_agent_previous(s.world, fugitive);
    assert_true(th_tree_apart(own, tree.area) <= tree.area_radius + 1e-3f);
    gone[4] += th_tree_apart(own, th_world_agent_point(s.world, fugitive));
  }
  for (int k = 0; k < 5; k++)
    if (gone[k] < LONG_RUN(3.0f, 1.0f)) fail_msg("agent %d moved by %g m only", k, (double)gone[k]);
  stage_end(&s);
}

/* shows: BIO-49 */
static void changes_its_mind(void **state) {
  (void)state;
  stage s = {0};
  th_tree_params params = th_default_tree_params();
  stage_begin(&s, grove_ground(block, 1), &params, 1);
  th_agent_def def = someone(&s, 6, 16, 1.8f);
  th_agent_id other, id;
  def.guide = TH_NULL_GUIDE, def.speed = 0;
  other = add(&s, &def);
  def = someone(&s, 12, 16, 1.8f);
  id = add(&s, &def);
  worlds_steps(s.world, 2);
  assert_int_equal(tree_of(&s, id).does, TH_TREE_WAITS);
  OK(th_world_set_goal(s.world, id, worlds_goal(s.world, 40, 16), &error));
  worlds_steps(s.world, 5);
  assert_true(tree_of(&s, id).does == TH_TREE_SEEKS && tree_of(&s, id).nodes > 3);
  assert_true(th_world_agent_def(s.world, id, &def));
  def.link[0] = (th_link_def){.agent = other, .role = TH_ROLE_TARGET}, def.link_count = 1;
  OK(th_world_change_agent(s.world, id, &def, &error));
  worlds_steps(s.world, 5);
  assert_int_equal(tree_of(&s, id).does, TH_TREE_PURSUES);
  def.link[0].role = TH_ROLE_PURSUER, def.route_count = 0;
  OK(th_world_change_agent(s.world, id, &def, &error));
  worlds_steps(s.world, 5);
  assert_int_equal(tree_of(&s, id).does, TH_TREE_ESCAPES);
  params.wander = true;
  th_guide_id wander;
  OK(th_world_add_guide(s.world, &th_guide_tree, &params, &wander, &error));
  def.link_count = 0, def.guide = wander;
  OK(th_world_change_agent(s.world, id, &def, &error));
  worlds_steps(s.world, 5);
  assert_int_equal(tree_of(&s, id).does, TH_TREE_WANDERS);
  stage_end(&s);
}

/* A target that leaves: its pursuers are lost, with an event, unless they have a goal. */
static void loses_its_target(void **state) {
  (void)state;
  stage s = {0};
  th_tree_params params = th_default_tree_params();
  params.collaborate = true;
  stage_begin(&s, grove_ground(block, 1), &params, 1);
  th_agent_def def = someone(&s, 38, 16, 0.9f);
  th_agent_id target = add(&s, &def), hunter = add_pursuer(&s, 6, 16, 1.8f, target);
  def = someone(&s, 6, 18, 1.8f);
  def.link[0] = (th_link_def){.agent = target, .role = TH_ROLE_TARGET}, def.link_count = 1;
  def.route_count = 1, def.route[0].goal = worlds_goal(s.world, 10, 28);
  th_agent_id second = add(&s, &def);
  worlds_steps(s.world, 60);
  th_world_remove_agent(s.world, target);
  worlds_steps(s.world, 1);
  uint32_t count, lost = 0;
  const th_event *event = th_world_events(s.world, &count);
  for (uint32_t i = 0; i < count; i++)
    lost += event[i].kind == TH_EVENT_UNREACHABLE && th_same_agent(event[i].agent, hunter);
  assert_int_equal(lost, 1);
  assert_int_equal(worlds_state(s.world, hunter), TH_AGENT_LOST);
  worlds_steps(s.world, 600);
  assert_int_equal(worlds_state(s.world, second), TH_AGENT_ARRIVED);
  stage_end(&s);
}

/* An obstacle appears: trees on the new ground, no node in it. A snapshot continues with the same bits, for any
 * workers.
 */
static void keeps_its_bits(void **state) {
  (void)state;
  uint64_t hash[3];
  for (int run = 0; run < 3; run++) {
    stage s = {0};
    th_tree_params params = th_default_tree_params();
    params.collaborate = true;
    th_env env = worlds_env(&s.log);
    s.ground = grove_ground(block, 1);
    th_world_def def = th_default_world_def();
    def.env = env, def.ground = s.ground, def.dt = 1.0f / 30.0f, def.workers = run == 1 ? 3 : 1;
    OK(th_world_make(&def, &s.world, &error));
    OK(th_world_add_guide(s.world, &th_guide_tree, &params, &s.guide, &error));
    th_agent_def one = someone(&s, 40, 16, 1.2f);
    one.route_count = 1, one.route[0].goal = worlds_goal(s.world, 4, 4);
    th_agent_id target = add(&s, &one);
    for (int k = 0; k < 4; k++) add_pursuer(&s, 6, 4 + 6 * (float)k, 1.5f, target);
    worlds_steps(s.world, 40);
    size_t size = th_world_snapshot(s.world, NULL, 0);
    void *bytes = malloc(size);
    th_world_snapshot(s.world, bytes, size);
    if (run == 2) { /* there and back */
      worlds_steps(s.world, 50);
      OK(th_world_restore(s.world, bytes, size, &error));
    }
    free(bytes);
    const worlds_rect more = worlds_rectangle(10, 6, 14, 26);
    th_polygon shape = {"more", more.point, 4};
    OK(th_world_edit(s.world, &(th_edit){.kind = TH_EDIT_ADD, .shape = shape}, 1, &error));
    worlds_steps(s.world, 60);
    th_tree_node node[1024];
    th_agents all = th_world_agents(s.world);
    for (uint32_t i = 0; i < all.count; i++) {
      uint32_t count = th_tree_nodes(th_world_guide_row(s.world, all.id[i], NULL), node, 1024);
      for (uint32_t n = 0; n < count; n++)
        assert_true(th_ground_clearance(th_world_ground(s.world), node[n].point.x, node[n].point.y) >= 0);
    }
    hash[run] = th_world_hash(s.world);
    stage_end(&s);
  }
  assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
}

/* On a mesh the same: hills with a block, and round a ball, where the straight line leads through the ground. */
/* shows: BIO-36 */
static void walks_on_meshes(void **state) {
  (void)state;
  for (int kind = 0; kind < 2; kind++) {
    stage s = {0};
    th_env env = worlds_env(&s.log);
    th_make_params make = mesh_grounds_shape(kind ? TH_MAKE_SHAPE_PLANET : TH_MAKE_SHAPE_TERRAIN);
    if (kind)
      make.radius = 8;
    else
      make.length = 40, make.width = 20, make.height = 2, make.wave = 16;
    const th_vec2 box[4] = {{18, 4}, {22, 4}, {22, 16}, {18, 16}};
    const th_region wall = {.kind = TH_REGION_PRISM, .outline = box, .outline_count = 4, .low = -10, .high = 10};
    th_mesh_ground_def def = th_default_mesh_ground_def();
    if (!kind) def.blocked = &wall, def.blocked_count = 1;
    th_tree_params params = th_default_tree_params();
    stage_begin(&s, mesh_grounds_make_of(&env, &make, def), &params, 2);
    th_agent_def one = someone(&s, 0, 0, 1.5f);
    th_vec3 from = kind ? (th_vec3){8, 0, 0} : (th_vec3){5, 10, 1},
            to = kind ? (th_vec3){-7, 0, 4} : (th_vec3){35, 10, 1};
    one.point = from;
    th_goal_def goal = th_default_goal_def();
    goal.field = TH_FIELD_HARMONIC;
    goal.shape = th_point_shape_at(to);
    OK(th_world_add_goal(s.world, &goal, &one.route[0].goal, &error));
    one.route_count = 1;
    th_agent_id id = add(&s, &one);
    bool longest = true;
    for (int n = 0; n < 1800 && worlds_state(s.world, id) != TH_AGENT_ARRIVED; n++) {
      worlds_steps(s.world, 1);
      if (n != 60) continue;
      th_tree_node node[1024];
      uint32_t count = th_tree_nodes(th_world_guide_row(s.world, id, NULL), node, 1024);
      assert_true(count > 20);
      for (uint32_t i = 1; i < count; i++) { /* segments lie on the ground and are as long as ever */
        float length = th_tree_apart(node[i].point, node[node[i].parent].point);
        assert_true(length < 0.85f && length > 0.35f);
        th_place at = th_ground_locate_at(s.ground, node[i].point, TH_ANY_LEVEL, 0.05f);
        longest = longest && at.cell != TH_NO_CELL;
      }
    }
    assert_true(longest);
    if (worlds_state(s.world, id) != TH_AGENT_ARRIVED) {
      th_vec3 p = th_world_agent_point(s.world, id);
      th_tree_state t = tree_of(&s, id);
      fail_msg("kind %d: at %g %g %g after 60 s, %u nodes, reached %d", kind, (double)p.x, (double)p.y, (double)p.z,
               t.nodes, t.reached);
    }
    stage_end(&s);
  }
}

static uint32_t nodes_of(const stage *s, th_agent_id id, th_tree_node node[1024]) {
  return th_tree_nodes(th_world_guide_row(s->world, id, NULL), node, 1024);
}

/* A block appears beside the way: what grew elsewhere stays, node by node, and what grew in it or behind it goes. */
static void keeps_what_stays_free(void **state) {
  (void)state;
  for (int sight = 0; sight < 2; sight++) {
    stage s = {0};
    th_tree_params params = th_default_tree_params();
    params.line_of_sight = sight;
    stage_begin(&s, grove_ground(block, 1), &params, 1);
    th_agent_def def = someone(&s, 6, 16, 1.8f);
    def.route_count = 1, def.route[0].goal = worlds_goal(s.world, 40, 16);
    th_agent_id id = add(&s, &def);
    static th_tree_node before[1024], after[1024];
    const worlds_rect more = worlds_rectangle(28, 2, 33, 8);
    th_polygon shape = {"more", more.point, 4};
    worlds_steps(s.world, 90);
    OK(th_world_edit(s.world, &(th_edit){.kind = TH_EDIT_ADD, .shape = shape}, 1, &error));
    uint32_t version = th_ground_version(th_world_ground(s.world)), old = 0, kept = 0, lost = 0;
    while (th_ground_version(th_world_ground(s.world)) == version) {
      old = nodes_of(&s, id, before);
      worlds_steps(s.world, 1);
    }
    uint32_t now = nodes_of(&s, id, after);
    for (uint32_t i = 0; i < old; i++) {
      bool there = false,
           in = before[i].point.x > 28 && before[i].point.x < 33 && before[i].point.y > 2 && before[i].point.y < 8;
      for (uint32_t k = 0; k < now && !there; k++) there = th_tree_apart(before[i].point, after[k].point) < 1e-4f;
      kept += there && !in, lost += !there;
      bool deep = before[i].point.x > 28.7f && before[i].point.x < 32.3f && before[i].point.y > 2.7f &&
                  before[i].point.y < 7.3f;
      assert_false(there && (sight ? in : deep));
    }
    print_message("sight %d: %u of %u nodes stay, %u go\n", sight, kept, old, lost);
    assert_true(old > 60 && 10 * kept > 7 * old);
    assert_true(lost > 0);
    uint32_t markers[2048];
    assert_true(th_tree_retained(th_world_guide_row(s.world, id, NULL), markers, 2048) > 20);
    worlds_steps(s.world, 1200);
    assert_int_equal(worlds_state(s.world, id), TH_AGENT_ARRIVED);
    stage_end(&s);
  }
}

/* The ground heaves in every step: the tree goes on growing and leads its agent there. */
static void grows_on_moving_ground(void **state) {
  (void)state;
  stage s = {0};
  th_env env = worlds_env(&s.log);
  th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_TERRAIN);
  make.length = 24, make.width = 12, make.height = 1, make.wave = 12;
  th_tree_params params = th_default_tree_params();
  stage_begin(&s, mesh_grounds_make_of(&env, &make, th_default_mesh_ground_def()), &params, 2);
  th_agent_def one = someone(&s, 3, 6, 1.5f);
  one.point = (th_vec3){3, 6, 1};
  th_goal_def goal = th_default_goal_def();
  goal.field = TH_FIELD_HARMONIC;
  goal.shape = th_point_shape_at((th_vec3){21, 6, 1});
  goal.arrive = 1.5f;
  OK(th_world_add_goal(s.world, &goal, &one.route[0].goal, &error));
  one.route_count = 1;
  th_agent_id id = add(&s, &one);
  const th_mesh *mesh = th_ground_mesh(s.ground);
  const double *corner = mesh->xyz + 3 * (size_t)(mesh->vertex_count / 2);
  uint32_t most = 0, versions = 0;
  for (int n = 0; n < LONG_RUN(900, 200) && worlds_state(s.world, id) != TH_AGENT_ARRIVED; n++) {
    th_vertex_move up = {mesh->vertex_count / 2,
                         {(float)corner[0], (float)corner[1], (float)corner[2] + 0.05f * (float)(n % 4)}};
    uint32_t version = th_ground_version(th_world_ground(s.world));
    OK(th_world_edit(s.world, &(th_edit){.kind = TH_EDIT_DEFORM, .move = &up, .move_count = 1}, 1, &error));
    worlds_steps(s.world, 1);
    versions += th_ground_version(th_world_ground(s.world)) != version;
    th_tree_state tree = tree_of(&s, id);
    most = tree.nodes > most ? tree.nodes : most;
  }
  print_message("%u versions, up to %u nodes\n", versions, most);
  assert_true(versions > LONG_RUN(150u, 50u) && most > 20);
  if (!SLOW_BUILD) assert_int_equal(worlds_state(s.world, id), TH_AGENT_ARRIVED);
  stage_end(&s);
}

static th_vec3 root_of(const stage *s, th_agent_id id) {
  static th_tree_node node[1024];
  uint32_t root = tree_of(s, id).root;
  assert_true(root < nodes_of(s, id, node));
  return node[root].point;
}

/* Somebody who gets no nearer to the next node has come to it after five seconds: who circles round a node, or whom
 * others hold up there, is led on. */
static void a_node_beside_the_agent_counts_after_a_while(void **state) {
  (void)state;
  stage s = {0};
  th_tree_params params = th_default_tree_params();
  stage_begin(&s, grove_ground(block, 1), &params, 1);
  th_agent_def def = someone(&s, 6, 16, 0.0f); /* it wants to stand */
  def.route_count = 1, def.route[0].goal = worlds_goal(s.world, 40, 16);
  th_agent_id id = add(&s, &def);
  worlds_steps(s.world, 140); /* of 1/30 s */
  th_vec3 before = root_of(&s, id);
  assert_true(th_tree_apart(before, (th_vec3){6, 16, 0}) < 1e-4f);
  worlds_steps(s.world, 20);
  th_vec3 after = root_of(&s, id);
  assert_true(fabsf(th_tree_apart(after, before) - params.segment) < 1e-4f);
  stage_end(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(seeks_a_goal),          cmocka_unit_test(growth_stops_at_the_target),
      cmocka_unit_test(pursues_a_wanderer),    cmocka_unit_test(collaborates),
      cmocka_unit_test(escapes_from_guards),   cmocka_unit_test(leaves_an_area),
      cmocka_unit_test(four_against_one),      cmocka_unit_test(changes_its_mind),
      cmocka_unit_test(loses_its_target),      cmocka_unit_test(keeps_its_bits),
      cmocka_unit_test(walks_on_meshes),       cmocka_unit_test(a_node_beside_the_agent_counts_after_a_while),
      cmocka_unit_test(keeps_what_stays_free), cmocka_unit_test(grows_on_moving_ground)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
