/* lab/biocrowds/route.c - routes of Tree Paths: their length against A*, thin walls, seeds.
 *
 * The layout of the thesis' scene is unknown; ours is a slalom of three walls in its 46 m x 32 m, 20 seeds, walked by
 * an agent of biocrowds without body, contacts and limits. A* runs on 1 m cells with eight neighbours and cuts no
 * corners. Cost: half a second per seed.
 */
#include "lab/biocrowds/observe.h"
#include "throng/model/biocrowds.h"

enum { WIDE = 46, HIGH = 32, STEPS = 4500, SEEDS_MOST = 10000 };

static th_result make_ground(const th_polygon *wall, uint32_t walls, th_ground **ground, th_error *error) {
  th_vec2 corner[4];
  const th_polygon outline = th_box_polygon(0, 0, WIDE, HIGH, corner);
  th_flat_def flat = th_default_flat_def();
  flat.outline = &outline, flat.outline_count = 1;
  flat.obstacle = wall, flat.obstacle_count = walls;
  return th_ground_make_flat(&flat, ground, error);
}

/* One walk. */
typedef struct walk {
  double length;     /* its length [m]; 0: it did not arrive */
  double sum;        /* a hash of its tree after 30 steps */
  double farthest;   /* largest x of a node [m] */
  double deepest;    /* how far a node lies inside one of the slalom's walls [m] */
  double body;       /* how far the body reached into a wall [m] */
  double most, last; /* nodes of the tree: largest number, and a second before the end */
  double grew;       /* steps in which it grew although it had reached the goal */
  bool had;
  uint32_t had_count;
} walk;

/* What is walked, and which step is drawn. */
typedef struct task {
  th_ground *ground;
  uint64_t seed;
  th_vec2 from, to;
  uint32_t steps, moment; /* moment: 0 = nothing is drawn */
  const th_figure_def *figure;
} task;

static const float slalom_box[3][4] = {{12, 0, 16, 20}, {22, 12, 26, 32}, {32, 0, 36, 20}};

/* From a free side of a wall; the outline is no free side. */
static double depth_of(th_vec3 p) {
  double depth = 0.0;
  for (int k = 0; k < 3; k++) {
    const float *b = slalom_box[k], end = b[1] > 0.0f ? p.y - b[1] : b[3] - p.y;
    depth = fmax(depth, (double)fminf(fminf(p.x - b[0], b[2] - p.x), end));
  }
  return depth;
}

static void look(const th_world *world, th_agent_id id, walk *w, uint32_t step) {
  static th_bio_tree tree;
  th_bio_look(world, id.index, &tree);
  if (step == 30) w->sum = 0;
  for (uint32_t i = 0; i < tree.count; i++) {
    const th_vec3 p = tree.node[i].point;
    w->farthest = fmax(w->farthest, (double)p.x);
    w->deepest = fmax(w->deepest, depth_of(p));
    if (step == 30) w->sum += (double)p.x * (i + 1) + (double)p.y;
  }
  w->grew += w->had && tree.state.reached && tree.count > w->had_count;
  w->had = tree.state.reached, w->had_count = tree.count;
  w->most = fmax(w->most, tree.count), w->last = tree.count;
  const th_agents agents = th_world_agents(world);
  const th_place at = {agents.cell[0], agents.x[0], agents.y[0]};
  w->body = fmax(w->body, (double)(agents.radius[0] - th_ground_clearance_at(th_world_ground(world), at)));
}

static th_result make_world(const task *t, th_world **world, th_agent_id *id, th_error *error) {
  th_world_def def = th_default_world_def();
  def.ground = t->ground, def.dt = 1.0f / 30.0f, def.seed = t->seed, def.contact_rounds = 0;
  th_result result = th_world_make(&def, world, error);
  th_goal_def goal = th_default_goal_def();
  goal.field = TH_FIELD_HARMONIC;
  goal.shape = th_point_shape(t->to.x, t->to.y);
  th_agent_def one = th_default_body_def();
  one.point = (th_vec3){t->from.x, t->from.y, 0}, one.speed = one.speed_max = 1.8f, one.route_count = 1;
  one.model = &th_model_biocrowds, one.collide = one.remove = false;
  one.acceleration_max = one.turn_max = INFINITY;
  th_tree_params params = th_default_tree_params();
  params.line_of_sight = false;
  if (!result) result = th_world_add_goal(*world, &goal, &one.route[0].goal, error);
  if (!result) result = th_world_add_guide(*world, &th_guide_tree, &params, &one.guide, error);
  return result ? result : th_world_add_agent(*world, &one, id, error);
}

/* Records up to the moment that is drawn; traces are on in that step, for a film in all steps up to it. */
static th_result draw_step(th_lab *lab, const task *t, th_world *world, th_lab_picture *picture, uint32_t step,
                           th_error *error) {
  if (!picture->recording) return TH_OK;
  th_result result = th_lab_picture_step(picture, world, error);
  if (step + 1 == t->moment && !lab->film && !result) result = th_lab_trace(world, true, error);
  if (step < t->moment || result) return result;
  result = th_lab_picture_end(lab, picture, t->figure, result, error);
  return result ? result : th_lab_trace(world, false, error);
}

static th_result walk_once(th_lab *lab, const task *t, walk *w, th_error *error) {
  th_world *world = NULL;
  th_agent_id id;
  th_lab_picture picture = {0};
  th_result result = make_world(t, &world, &id, error);
  if (!result && t->moment) result = th_lab_picture_begin(lab, world, NULL, 1.0 / 30.0, &picture, error);
  if (!result && t->moment && lab->film) result = th_lab_trace(world, true, error);
  *w = (walk){0};
  bool there = false;
  for (uint32_t n = 1; n <= t->steps && !result && !there; n++) {
    th_vec3 a = th_world_agent_point(world, id);
    th_world_step(world);
    th_vec3 b = th_world_agent_point(world, id);
    w->length += hypot((double)(b.x - a.x), (double)(b.y - a.y));
    look(world, id, w, n);
    there = th_world_agent_state(world, id) == TH_AGENT_ARRIVED;
    result = draw_step(lab, t, world, &picture, n, error);
  }
  result = th_lab_picture_end(lab, &picture, t->figure, result, error);
  if (!there) w->length = 0;
  th_world_free(world);
  return result;
}

/* ---------------------------------------------------------------- A* */

static bool is_open(const th_ground *ground, int i, int j) {
  return i >= 0 && j >= 0 && i < WIDE && j < HIGH &&
         th_ground_locate(ground, (float)i + 0.5f, (float)j + 0.5f).cell != TH_NO_CELL;
}

/* Length of the best path over cells [m]; the queue is a scan over 1472 cells. */
static double a_star(const th_ground *ground, int from, int to) {
  static double cost[WIDE * HIGH];
  static bool open[WIDE * HIGH], closed[WIDE * HIGH];
  for (int c = 0; c < WIDE * HIGH; c++) cost[c] = HUGE_VAL, open[c] = closed[c] = false;
  cost[from] = 0, open[from] = true;
  for (;;) {
    int best = -1;
    double least = HUGE_VAL;
    for (int c = 0; c < WIDE * HIGH; c++) {
      double left = hypot(c % WIDE - to % WIDE, c / WIDE - to / WIDE);
      if (open[c] && cost[c] + left < least) least = cost[c] + left, best = c;
    }
    if (best < 0 || best == to) return best < 0 ? NAN : cost[to];
    open[best] = false, closed[best] = true;
    for (int k = 0; k < 9; k++) {
      int i = best % WIDE + k % 3 - 1, j = best / WIDE + k / 3 - 1, n = j * WIDE + i;
      if (!is_open(ground, i, j) || closed[n]) continue;
      if (!is_open(ground, i, best / WIDE) || !is_open(ground, best % WIDE, j)) continue; /* no corner is cut */
      double length = cost[best] + hypot(k % 3 - 1, k / 3 - 1);
      if (length < cost[n]) cost[n] = length, open[n] = true;
    }
  }
}

/* ---------------------------------------------------------------- claims */

static th_result slalom(th_ground **ground, th_error *error) {
  th_vec2 corner[3][4];
  th_polygon wall[3];
  for (int k = 0; k < 3; k++) {
    const float *b = slalom_box[k];
    wall[k] = th_box_polygon(b[0], b[1], b[2], b[3], corner[k]);
  }
  return make_ground(wall, 3, ground, error);
}

static const th_vec2 from = {4.5f, 4.5f}, to = {42.5f, 4.5f};

th_result th_bio_route(th_lab *lab, th_error *error) {
  th_ground *ground = NULL;
  th_result result = slalom(&ground, error);
  if (result) return result;
  const double n = th_bio_runs(lab);
  double mean = 0, least = HUGE_VAL, most = 0, failed = 0, a = a_star(ground, 4 * WIDE + 4, 4 * WIDE + 42);
  walk all = {0};
  const th_figure_def figure = th_lab_moment("Route through a slalom, 20 s", "tree,key,path,target");
  for (uint64_t seed = lab->first; seed <= lab->last && !result; seed++) {
    walk w;
    result = walk_once(lab, &(task){ground, seed, from, to, STEPS, seed == lab->first ? 600 : 0, &figure}, &w, error);
    failed += w.length == 0;
    mean += w.length / n, least = fmin(least, w.length), most = fmax(most, w.length);
    all.deepest = fmax(all.deepest, w.deepest), all.body = fmax(all.body, w.body), all.grew += w.grew;
    all.most += w.most / n, all.last = fmax(all.last, w.last);
  }
  const double thesis = 83.60, thesis_a = 78.05;
  th_lab_claim(lab, &(th_claim){"A* on cells of 1 m", "m", a, 70, 80, thesis_a, NAN, NULL});
  th_lab_claim(lab, &(th_claim){"walked along trees, mean", "m", mean, 75, 88, thesis, 78.3, NULL});
  th_bio_claim(lab, "shortest of them", "m", least, 67, 88);
  th_bio_claim(lab, "longest of them", "m", most, 75, 100);
  th_lab_claim(lab, &(th_claim){"mean ratio to A*", "", mean / a, 1, 1.20, thesis / thesis_a, 1.10, NULL});
  th_bio_claim(lab, "runs that did not arrive", "", failed, 0, 0);
  th_lab_claim(lab, &(th_claim){"deepest node inside a wall of 4 m", "m", all.deepest, 0, 0.7, NAN, 0.61, NULL});
  th_bio_claim(lab, "deepest body at walls and corners", "m", all.body, -INFINITY, 0.3);
  th_bio_claim(lab, "steps in which a tree grew that had reached the flag", "", all.grew, 0, 0);
  th_bio_claim(lab, "most nodes of a tree, mean", "", all.most, 100, 1024);
  th_bio_claim(lab, "nodes left at the flag, largest", "", all.last, 1, 20);
  th_ground_release(ground);
  return result;
}

th_result th_bio_thin_walls(th_lab *lab, th_error *error) {
  const float thick[3] = {0.5f, 2.0f, 3.4f};
  const double n = th_bio_runs(lab);
  double crossed[3] = {0}, bodies = 0;
  th_result result = TH_OK;
  const th_figure_def figure = th_lab_moment("A tree crosses a wall of 0.5 m, 1.5 s", "tree,key,path,target");
  for (int k = 0; k < 3 && !result; k++) {
    th_vec2 corner[4];
    const th_polygon wall = th_box_polygon(21.3f, -1, 21.3f + thick[k], HIGH + 1, corner);
    th_ground *ground = NULL;
    result = make_ground(&wall, 1, &ground, error);
    for (uint64_t seed = lab->first; seed <= lab->last && !result; seed++) {
      walk w;
      const uint32_t moment = k == 0 && seed == lab->first ? 45 : 0;
      result = walk_once(lab, &(task){ground, seed, {8, 16}, {38, 16}, 300, moment, &figure}, &w, error);
      crossed[k] += w.farthest > 21.4 + (double)thick[k];
      bodies += w.length > 0;
    }
    th_ground_release(ground);
  }
  th_bio_claim(lab, "share of trees that cross a wall of 0.5 m", "", crossed[0] / n, 0.75, 1);
  th_bio_claim(lab, "share of trees that cross a wall of 2.0 m", "", crossed[1] / n, 0, 0.5);
  th_bio_claim(lab, "share of trees that cross a wall of 3.4 m", "", crossed[2] / n, 0, 0);
  th_bio_claim(lab, "bodies that cross any", "", bodies, 0, 0);
  return result;
}

th_result th_bio_seeds(th_lab *lab, th_error *error) {
  th_ground *ground = NULL;
  th_result result = slalom(&ground, error);
  if (result) return result;
  static double sum[SEEDS_MOST];
  double equal = 0, again = 0;
  for (uint64_t seed = lab->first; seed <= lab->last && !result; seed++) {
    walk w, second;
    const task t = {ground, seed, from, to, 40, 0, NULL};
    const uint64_t own = (seed - lab->first) % SEEDS_MOST;
    result = walk_once(lab, &t, &w, error);
    if (!result) result = walk_once(lab, &t, &second, error);
    sum[own] = w.sum;
    again += w.sum == second.sum;
    for (uint64_t k = 0; k < own; k++) equal += sum[k] == w.sum;
  }
  th_bio_claim(lab, "share of seeds whose tree is the same again", "", again / th_bio_runs(lab), 1, 1);
  th_bio_claim(lab, "pairs of seeds with the same tree", "", equal, 0, 0);
  th_ground_release(ground);
  return result;
}
