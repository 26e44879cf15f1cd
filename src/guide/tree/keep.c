/* guide/tree/keep.c - a tree on the next version of its ground.
 *
 * An edit or a deformation gives the ground another version, with other cells and other numbers of markers. Nodes that
 * are still on free ground stay, with their branches; those in a new wall are deleted with their descendants. The
 * markers that nodes are nearest to or retain are searched again. A tree that had to begin again with every version
 * would never get far on ground that moves. Cost: as much as growing it, some microseconds per node.
 */
#include <string.h>

#include "guide/tree/tree.h"

#define FREE_SHARE 0.8f /* of the body's radius that a node keeps from walls, where walls count */

static th_place place_on(const th_ground *ground, th_vec3 point, float reach) {
  return th_ground_is_mesh(ground) ? th_ground_locate_at(ground, point, TH_ANY_LEVEL, reach)
                                   : th_ground_locate(ground, point.x, point.y);
}

/* In the published form a path that shaves a corner has nodes in walls: they stay where they are, unless everything
 * within a segment is solid. */
static bool may_shave(const th_tree_job *job, th_vec3 p) {
  static const float side[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
  const th_ground *ground = job->eye.space->ground;
  const float a = job->params->segment;
  bool near = false;
  for (int k = 0; k < 4; k++)
    near |= th_ground_locate(ground, p.x + a * side[k][0], p.y + a * side[k][1]).cell != TH_NO_CELL;
  return near && !job->eye.sight && !th_ground_is_mesh(ground);
}

static bool stays(const th_tree_job *job, th_tree_slot *node) {
  const th_ground *ground = job->eye.space->ground;
  th_place place = place_on(ground, node->point, 0.5f * job->params->segment);
  if (place.cell == TH_NO_CELL) return may_shave(job, node->point);
  node->place = place;
  node->point = th_ground_point(ground, place);
  return !job->eye.sight || th_ground_clearance_at(ground, place) >= FREE_SHARE * job->eye.radius;
}

static bool is_joined(const th_tree_job *job, const th_tree_slot *node) {
  const th_tree_slot *parent = &job->tree.node[node->parent];
  th_vec2 offset;
  return !job->eye.sight || th_tree_offset(&job->eye, parent->place, node->place, 2.0f * job->params->segment, &offset);
}

/* Two passes: all nodes get their new places before sight between them is tested. */
static void cut_lost(th_tree_job *job) {
  th_tree *tree = &job->tree;
  for (uint32_t i = 0; i < tree->head->used; i++)
    if (th_tree_lives(tree, i) && i != tree->head->root && !stays(job, &tree->node[i]))
      th_tree_node_cut(tree, (uint16_t)i);
  for (uint32_t i = 0; i < tree->head->used; i++) {
    const th_tree_slot *node = &tree->node[i];
    bool looked_at = th_tree_lives(tree, i) && !(node->flags & TH_TREE_DOOMED) && node->parent != TH_TREE_NONE;
    if (looked_at && !is_joined(job, node)) th_tree_node_cut(tree, (uint16_t)i);
  }
}

bool th_tree_keep(th_tree_job *job) {
  th_tree *tree = &job->tree;
  th_tree_head *head = tree->head;
  if (!stays(job, &tree->node[head->root])) return false;
  memset(tree->table, 0, sizeof *tree->table * (head->mask + 1));
  head->kept = 0;
  head->version = th_ground_version(job->eye.space->ground);
  cut_lost(job);
  th_tree_settle(tree, job->params, &job->eye);
  for (uint32_t i = 0; i < head->used; i++) {
    if (!th_tree_lives(tree, i)) continue;
    tree->node[i].flags = TH_TREE_ALIVE;
    th_tree_node_claim(tree, job->params, &job->eye, (uint16_t)i);
  }
  for (uint32_t i = 0; i < head->used; i++)
    if (th_tree_lives(tree, i) && tree->node[i].parent != TH_TREE_NONE) th_tree_retain(job, (uint16_t)i);
  return true;
}
