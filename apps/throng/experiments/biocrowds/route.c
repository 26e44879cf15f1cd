/* apps/throng/experiments/biocrowds/route.c - routes of Tree Paths: their length against A*, thin walls, seeds.
 *
 * The layout of the thesis' scene is unknown; ours is a slalom of three walls in its 46 m x 32 m, 20 seeds, walked by
 * an agent of biocrowds without body, contacts and limits. A* runs on 1 m cells with eight neighbours and cuts no
 * corners. Cost: half a second a seed.
 */
#include <math.h>
#include <stdio.h>

#include "experiments/biocrowds/experiments.h"
#include "throng/guide/tree.h"
#include "throng/model/biocrowds.h"
#include "throng/throng.h"

enum { SEEDS = 20, WIDE = 46, HIGH = 32, STEPS = 4500 };

static th_result make_ground(const th_polygon *wall, uint32_t walls, th_ground **ground, th_error *error) {
  th_vec2 corner[4];
  const th_polygon outline = th_box_polygon(0, 0, WIDE, HIGH, corner);
  th_flat_def flat = th_default_flat_def();
  flat.outline = &outline, flat.outline_count = 1;
  flat.obstacle = wall, flat.obstacle_count = walls;
  return th_ground_make_flat(&flat, ground, error);
}

/* One walk; `way` gets its length [m], 0 when it did not arrive, `sum` a hash of its tree after 30 steps, `farthest`
 * the largest x of a node. */
typedef struct walk {
  double way, sum, farthest;
} walk;

static void look(const th_world *world, th_agent_id id, walk *w, bool keep) {
  static th_tree_node node[1024];
  uint32_t count = th_tree_nodes(th_world_guide_row(world, id, NULL), node, 1024);
  if (keep) w->sum = 0;
  for (uint32_t i = 0; i < count; i++) {
    w->farthest = fmax(w->farthest, (double)node[i].point.x);
    if (keep) w->sum += (double)node[i].point.x * (i + 1) + (double)node[i].point.y;
  }
}

static th_result walk_once(th_ground *ground, uint64_t seed, th_vec2 from, th_vec2 to, uint32_t steps, walk *w,
                           th_error *error) {
  th_world_def def = th_default_world_def();
  def.ground = ground, def.dt = 1.0f / 30.0f, def.seed = seed, def.contact_rounds = 0;
  th_world *world = NULL;
  th_result result = th_world_make(&def, &world, error);
  th_goal_def goal = th_default_goal_def();
  goal.shape = th_point_shape(to.x, to.y);
  th_agent_def one = th_default_agent_def();
  one.point = (th_vec3){from.x, from.y, 0}, one.speed = one.speed_max = 1.8f, one.route_count = 1;
  one.model = &th_model_biocrowds, one.collide = one.remove = false;
  one.acceleration_max = one.turn_max = INFINITY;
  th_tree_params params = th_default_tree_params();
  params.line_of_sight = false;
  if (!result) result = th_world_add_goal(world, &goal, &one.route[0].goal, error);
  if (!result) result = th_world_add_guide(world, &th_guide_tree, &params, &one.guide, error);
  th_agent_id id;
  if (!result) result = th_world_add_agent(world, &one, &id, error);
  *w = (walk){0};
  bool there = false;
  for (uint32_t n = 0; n < steps && !result && !there; n++) {
    th_vec3 a = th_world_agent_point(world, id);
    th_world_step(world);
    th_vec3 b = th_world_agent_point(world, id);
    w->way += hypot((double)(b.x - a.x), (double)(b.y - a.y));
    look(world, id, w, n == 30);
    there = th_world_agent_state(world, id) == TH_AGENT_ARRIVED;
  }
  if (!there) w->way = 0;
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
      double way = cost[best] + hypot(k % 3 - 1, k / 3 - 1);
      if (way < cost[n]) cost[n] = way, open[n] = true;
    }
  }
}

/* ---------------------------------------------------------------- claims */

static void claim(th_lab *lab, const char *text, const char *unit, double value, double min, double max,
                  double thesis) {
  th_lab_claim(lab, &(th_claim){text, unit, value, min, max, thesis, NAN, NULL});
}

static th_result slalom(th_ground **ground, th_error *error) {
  th_vec2 corner[3][4];
  const th_polygon wall[3] = {th_box_polygon(12, 0, 16, 20, corner[0]), th_box_polygon(22, 12, 26, 32, corner[1]),
                              th_box_polygon(32, 0, 36, 20, corner[2])};
  return make_ground(wall, 3, ground, error);
}

th_result th_bio_route(th_lab *lab, th_error *error) {
  th_ground *ground = NULL;
  th_result result = slalom(&ground, error);
  if (result) return result;
  double mean = 0, least = HUGE_VAL, most = 0, failed = 0, a = a_star(ground, 4 * WIDE + 4, 4 * WIDE + 42);
  for (uint64_t seed = 1; seed <= SEEDS && !result; seed++) {
    walk w;
    result = walk_once(ground, seed, (th_vec2){4.5f, 4.5f}, (th_vec2){42.5f, 4.5f}, STEPS, &w, error);
    failed += w.way == 0;
    mean += w.way / SEEDS, least = fmin(least, w.way), most = fmax(most, w.way);
  }
  claim(lab, "A* on cells of 1 m", "m", a, 70, 80, 78.05);
  claim(lab, "walked along trees, mean of 20 seeds", "m", mean, 75, 88, 83.60);
  claim(lab, "shortest of them", "m", least, 67, 88, NAN);
  claim(lab, "longest of them", "m", most, 75, 100, NAN);
  claim(lab, "mean ratio to A*", "", mean / a, 1, 1.20, 83.60 / 78.05);
  claim(lab, "runs that did not arrive", "", failed, 0, 0, NAN);
  th_ground_release(ground);
  return result;
}

th_result th_bio_thin_walls(th_lab *lab, th_error *error) {
  const float thick[3] = {0.5f, 2.0f, 3.4f};
  double crossed[3] = {0}, bodies = 0;
  th_result result = TH_OK;
  for (int k = 0; k < 3 && !result; k++) {
    th_vec2 corner[4];
    const th_polygon wall = th_box_polygon(21.3f, -1, 21.3f + thick[k], HIGH + 1, corner);
    th_ground *ground = NULL;
    result = make_ground(&wall, 1, &ground, error);
    for (uint64_t seed = 1; seed <= SEEDS && !result; seed++) {
      walk w;
      result = walk_once(ground, seed, (th_vec2){8, 16}, (th_vec2){38, 16}, 300, &w, error);
      crossed[k] += w.farthest > 21.4 + (double)thick[k];
      bodies += w.way > 0;
    }
    th_ground_release(ground);
  }
  claim(lab, "trees of 20 that cross a wall of 0.5 m", "", crossed[0], 15, 20, NAN);
  claim(lab, "trees of 20 that cross a wall of 2.0 m", "", crossed[1], 0, 10, NAN);
  claim(lab, "trees of 20 that cross a wall of 3.4 m", "", crossed[2], 0, 0, NAN);
  claim(lab, "bodies that cross any", "", bodies, 0, 0, NAN);
  return result;
}

th_result th_bio_seeds(th_lab *lab, th_error *error) {
  th_ground *ground = NULL;
  th_result result = slalom(&ground, error);
  if (result) return result;
  double sum[SEEDS], equal = 0, again = 0;
  for (uint64_t seed = 1; seed <= SEEDS && !result; seed++) {
    walk w, second;
    result = walk_once(ground, seed, (th_vec2){4.5f, 4.5f}, (th_vec2){42.5f, 4.5f}, 40, &w, error);
    if (!result) result = walk_once(ground, seed, (th_vec2){4.5f, 4.5f}, (th_vec2){42.5f, 4.5f}, 40, &second, error);
    sum[seed - 1] = w.sum;
    again += w.sum == second.sum;
    for (uint64_t k = 0; k + 1 < seed; k++) equal += sum[k] == w.sum;
  }
  claim(lab, "trees of a seed that are the same again, of 20", "", again, SEEDS, SEEDS, NAN);
  claim(lab, "pairs of seeds with the same tree", "", equal, 0, 0, NAN);
  th_ground_release(ground);
  return result;
}
