/* guide/tree/pursue.c - trees whose targets move, and trees that compete with others.
 *
 * A branch that had reached a target would be stretched behind it for ever, because nodes near the target grow surely.
 * So when the target is lost, the nodes round it are deleted and other branches can win: node adjustment (Rodrigues
 * 2010, section 4.3). Their descendants are deleted with them, and the root stays, or the tree would fall apart.
 * Collaborators, and pursuers of an agent that escapes, cut the nodes of others that are near their own bodies (4.4,
 * 4.6). Where the thesis says "nodes inside the escape area" it must mean this distance, because the whole escaping
 * tree lies inside the area. Cost: a pass over the nodes for each body.
 */
#include <math.h>

#include "guide/tree/tree.h"

#define REGROWTH 4096 /* iterations at most when a whole tree is grown again at once */

static void cut_round(th_tree_job *job, th_vec3 centre, float radius) {
  th_tree *tree = &job->tree;
  for (uint32_t i = 0; i < tree->head->used; i++)
    if (th_tree_lives(tree, i) && i != tree->head->root && th_tree_apart(tree->node[i].point, centre) <= radius)
      th_tree_node_cut(tree, (uint16_t)i);
}

static void grow_anew(th_tree_job *job) {
  th_tree_plant(&job->tree, job->params, &job->eye, job->at);
  for (int n = 0; n < REGROWTH && !job->tree.head->reached; n++) {
    bool grew = job->params->growth == TH_TREE_RRT ? th_tree_grow_random(job) || true : th_tree_grow(job) > 0;
    th_tree_judge(job);
    if (!grew || job->tree.head->count == job->tree.head->capacity) return;
  }
}

void th_tree_pursue(th_tree_job *job) {
  th_tree_head *head = job->tree.head;
  bool had = head->reached;
  th_tree_judge(job);
  if (!had || head->reached || !job->target.exists) return;
  if (job->params->regrow) {
    grow_anew(job);
    return;
  }
  if (job->params->cost > 0.0f) return;
  cut_round(job, th_tree_nearest_of(&job->target, job->tree.node[head->root].point), job->params->adjust);
  th_tree_settle(&job->tree, job->params, &job->eye);
  th_tree_judge(job);
}

void th_tree_keep_clear(th_tree_job *job, const th_vec3 *other, uint32_t count) {
  for (uint32_t k = 0; k < count; k++) cut_round(job, other[k], job->params->cut);
  if (!job->tree.head->cut) return;
  th_tree_settle(&job->tree, job->params, &job->eye);
  th_tree_judge(job);
}
