/* guide/tree/grow_random.c - a rapidly exploring random tree (LaValle 1998), for comparison.
 *
 * The thesis names it as the nearest relative of its own trees. Each iteration draws some random points of free space,
 * here markers, and one time in ten the target instead; the node nearest to each point is extended by one segment
 * towards it. The new node retains markers too, so that collaborators share them out. Cost: a pass over the nodes for
 * each point.
 */
#include <math.h>

#include "base/random.h"
#include "geometry/vector.h"
#include "guide/tree/tree.h"

#define POINTS 16      /* in one iteration */
#define TO_TARGET 0.1f /* share of them */

static uint16_t nearest_to(const th_tree *tree, th_vec3 point) {
  uint16_t best = tree->head->root;
  float least = INFINITY;
  for (uint32_t i = 0; i < tree->head->used; i++) {
    th_vec3 off = th_minus3(tree->node[i].point, point);
    float far = th_dot3(off, off);
    if (th_tree_lives(tree, i) && far < least) least = far, best = (uint16_t)i;
  }
  return best;
}

static bool extend(th_tree_job *job, th_vec3 point) {
  uint16_t from = nearest_to(&job->tree, point);
  th_place at = job->tree.node[from].place, to;
  th_vec2 offset = th_tree_towards(job->eye.space->ground, at, point);
  float length = th_length2(offset);
  if (!(length > 0.0f)) return false;
  if (!th_tree_go(&job->eye, at, th_scaled2(offset, job->params->segment / length), &to)) return false;
  uint16_t node = th_tree_node_add(&job->tree, job->params, &job->eye, from, to);
  if (node != TH_TREE_NONE) th_tree_retain(job, node);
  return node != TH_TREE_NONE;
}

uint32_t th_tree_grow_random(th_tree_job *job) {
  const th_tree_space *space = job->eye.space;
  uint32_t made = 0;
  for (int k = 0; k < POINTS && space->count; k++) {
    bool aims = th_tree_draw(job) < TO_TARGET && job->target.exists;
    uint32_t marker = (uint32_t)(th_tree_draw(job) * (float)space->count);
    if (marker >= space->count) marker = space->count - 1;
    if (!aims && !th_tree_is_free(job, marker)) continue;
    made += extend(job, aims ? th_tree_nearest_of(&job->target, job->point) : space->point[marker]);
  }
  return made;
}
