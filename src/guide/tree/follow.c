/* guide/tree/follow.c - walking along a tree: finds the best node and the next one, and prunes what is left behind.
 *
 * The best path ends in the node nearest to the target (Rodrigues 2010, section 4.2). For an escape it ends in a node
 * outside the area or, as long as there is none, in the node nearest to the area's border. With `cost` a share of the
 * path's length is added, so that a branch which has been stretched behind a moving target loses to a better one. When
 * an agent arrives at a node, everything that is no descendant of that node is deleted; at a key node also the branches
 * that do not lead to the best node. The markers that the deleted nodes retained may be used again. So an agent that
 * was led into a dead end gets out of it: the tree grows again over the ground that the agent has left. Cost: a pass
 * over the nodes.
 */
#include <math.h>

#include "geometry/vector.h"
#include "guide/tree/tree.h"

#define LONG 5.0f /* [s] beside a node */

/* ---------------------------------------------------------------- the best node */

static float to_target(const th_tree_job *job, uint32_t node) {
  th_vec3 at = job->tree.node[node].point;
  return th_tree_apart(th_tree_nearest_of(&job->target, at), at);
}

static bool sees_target(const th_tree_job *job, uint32_t node, float distance) {
  if (!job->eye.sight) return true;
  const th_tree_slot *n = &job->tree.node[node];
  const th_ground *ground = job->eye.space->ground;
  th_place to = th_ground_locate_at(ground, th_tree_nearest_of(&job->target, n->point), TH_ANY_LEVEL, INFINITY);
  th_vec2 offset;
  return to.cell != TH_NO_CELL && th_tree_offset(&job->eye, n->place, to, 1.5f * distance + 0.5f, &offset);
}

static float cost_of(const th_tree_job *job, uint32_t node, float distance) {
  const th_tree *tree = &job->tree;
  if (!(job->params->cost > 0.0f)) return distance;
  uint32_t segments = tree->node[node].depth - (uint32_t)tree->node[tree->head->root].depth;
  return distance + job->params->cost * job->params->segment * (float)segments;
}

static void judge_target(th_tree_job *job) {
  th_tree_head *head = job->tree.head;
  float least = INFINITY, nearest = INFINITY;
  uint16_t best = head->root, reaching = TH_TREE_NONE;
  for (uint32_t i = 0; i < head->used; i++) {
    if (!th_tree_lives(&job->tree, i)) continue;
    float distance = to_target(job, i), cost = cost_of(job, i, distance);
    if (cost < least) least = cost, best = (uint16_t)i;
    if (distance <= job->params->reach && distance < nearest && sees_target(job, i, distance))
      nearest = distance, reaching = (uint16_t)i;
  }
  head->best = reaching != TH_TREE_NONE ? reaching : best;
  head->reached = reaching != TH_TREE_NONE;
}

static float outside(const th_tree_head *head, const th_tree_slot *node) {
  return th_tree_apart(node->point, head->area) - head->area_radius;
}

/* Of the nodes outside the one with the shortest path, unless the last one is still outside. */
static void judge_escape(th_tree_job *job) {
  th_tree_head *head = job->tree.head;
  const th_tree_slot *node = job->tree.node;
  head->reached = head->best != head->root && outside(head, &node[head->best]) > 0.0f;
  if (head->reached) return;
  uint16_t best = head->root;
  for (uint32_t i = 0; i < head->used; i++) {
    if (!th_tree_lives(&job->tree, i)) continue;
    float out = outside(head, &node[i]), now = outside(head, &node[best]);
    bool better = out > 0.0f && now > 0.0f && best != head->root ? node[i].depth < node[best].depth : out > now;
    if (better) best = (uint16_t)i;
  }
  head->best = best;
  head->reached = best != head->root && outside(head, &node[best]) > 0.0f;
}

void th_tree_judge(th_tree_job *job) {
  if (job->target.exists)
    judge_target(job);
  else
    judge_escape(job);
}

/* ---------------------------------------------------------------- walking */

uint16_t th_tree_step_to(const th_tree *tree, uint16_t from, uint16_t to) {
  while (to != from && to != TH_TREE_NONE && tree->node[to].parent != from) to = tree->node[to].parent;
  return to == from ? TH_TREE_NONE : to;
}

static bool sees_node(const th_tree_job *job, uint16_t node) {
  const th_tree_slot *n = &job->tree.node[node];
  th_vec2 offset;
  float far = th_tree_apart(job->point, n->point);
  return !job->eye.sight || th_tree_offset(&job->eye, job->at, n->place, 1.5f * far + 0.5f, &offset);
}

/* How near counts as there. In the published form a path that shaves a corner has nodes in a wall, or nearer to it than
 * a body's radius. No body can stand there: one segment off is near enough. */
static float reach_of(const th_tree_job *job, uint16_t node) {
  float radius = job->eye.radius, near = fmaxf(job->params->node_reach, job->eye.sight ? radius : 0.0f);
  bool free = th_ground_clearance_at(job->eye.space->ground, job->tree.node[node].place) >= 0.5f * radius;
  return free ? near : fmaxf(near, job->params->segment + radius);
}

/* The agent stands there, or is nearer to the next node than this node is: in a crowd nobody stands exactly on a node.
 * A model that turns in wide bends may circle round a node for ever, so being beside it for a while is near enough,
 * too. */
static bool has_come_to(const th_tree_job *job, uint16_t node) {
  const th_tree *tree = &job->tree;
  if (th_tree_apart(job->point, tree->node[node].point) <= reach_of(job, node)) return true;
  if (node == tree->head->next && tree->head->beside > LONG) return true;
  uint16_t then = th_tree_step_to(tree, node, tree->head->best);
  if (then == TH_TREE_NONE) return false;
  float from_node = th_tree_apart(tree->node[node].point, tree->node[then].point);
  return th_tree_apart(job->point, tree->node[then].point) < from_node && sees_node(job, then);
}

/* The node becomes the root: its parent goes with all other branches, at a key node those that lose. */
static void come_to(th_tree_job *job, uint16_t node) {
  th_tree *tree = &job->tree;
  uint16_t parent = tree->node[node].parent, choice = th_tree_step_to(tree, node, tree->head->best);
  for (uint16_t c = tree->node[node].child; c != TH_TREE_NONE; c = tree->node[c].sibling)
    if (choice != TH_TREE_NONE && c != choice) th_tree_node_cut(tree, c);
  tree->head->root = node;
  tree->head->beside = 0.0f;
  if (parent != TH_TREE_NONE) {
    for (uint16_t c = tree->node[parent].child; c != TH_TREE_NONE; c = tree->node[c].sibling)
      if (c != node) th_tree_node_cut(tree, c);
    tree->node[parent].flags |= TH_TREE_DOOMED;
    tree->head->cut = 1;
  }
  th_tree_settle(tree, job->params, &job->eye);
}

void th_tree_advance(th_tree_job *job) {
  th_tree_head *head = job->tree.head;
  for (;;) {
    uint16_t next = th_tree_step_to(&job->tree, head->root, head->best);
    if (next == TH_TREE_NONE || !has_come_to(job, next)) return;
    come_to(job, next);
  }
}

/* The distance left is known once the tree has reached a target that does not move; before that it is no measure of
 * progress. */
static float left_of(const th_tree_job *job) {
  const th_tree *tree = &job->tree;
  const th_tree_head *head = tree->head;
  if (!job->target.exists || !head->reached || head->does != TH_TREE_SEEKS) return INFINITY;
  if (head->next == TH_TREE_NONE) return th_tree_apart(job->point, th_tree_nearest_of(&job->target, job->point));
  uint32_t segments = tree->node[head->best].depth - (uint32_t)tree->node[head->next].depth;
  return th_tree_apart(job->point, tree->node[head->next].point) + job->params->segment * (float)segments +
         to_target(job, head->best);
}

/* Towards the next node; from the last one towards the target itself, if the tree has reached it. */
void th_tree_follow(th_tree_job *job) {
  th_tree_head *head = job->tree.head;
  head->next = th_tree_step_to(&job->tree, head->root, head->best);
  head->answer = (th_guide_answer){.left = left_of(job), .state = TH_ANSWER_LEAD};
  bool to_node = head->next != TH_TREE_NONE;
  if (!to_node && !(job->target.exists && head->reached)) {
    head->answer.state = TH_ANSWER_WAIT;
    return;
  }
  th_vec2 offset;
  if (to_node) {
    const th_tree_slot *next = &job->tree.node[head->next];
    float far = th_tree_apart(job->point, next->point);
    th_tree_eye blind = {job->eye.space, false, 0.0f};
    if (!th_tree_offset(&blind, job->at, next->place, 1.5f * far + 0.5f, &offset))
      offset = th_tree_towards(job->eye.space->ground, job->at, next->point);
  } else {
    offset = th_tree_towards(job->eye.space->ground, job->at, th_tree_nearest_of(&job->target, job->point));
  }
  float length = th_length2(offset);
  if (length > 0.0f) head->answer.dx = offset.x / length, head->answer.dy = offset.y / length;
}
