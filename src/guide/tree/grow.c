/* guide/tree/grow.c - one iteration of growth: space colonisation towards a target.
 *
 * A node uses the markers within the action radius whose nearest node it is and which no other node retains (Runions et
 * al. 2005; Rodrigues 2010, section 4.1). It grows with probability d_min / d, with d its distance to the target and
 * d_min that of the nearest node (the thesis prints the inverse). So the tree grows surely near the target and now and
 * then elsewhere. The child stands one segment off, in the mean direction of the markers; near markers and those
 * towards the target weigh more. The child retains the free markers around it. Then the parent may grow another child
 * from the markers that it still has: it becomes a key node. An escaping tree has no target: all markers weigh the same
 * and every node grows. Cost: 2 us for a node that grows; a node without markers of its own is skipped until nodes are
 * cut.
 */
#include <math.h>

#include "base/random.h"
#include "geometry/segment.h"
#include "geometry/shape.h"
#include "geometry/vector.h"
#include "guide/tree/tree.h"

#define STREAM 0x7265u /* of random numbers */
#define STILL 1e-6f    /* [m]: a direction shorter than this is none */

float th_tree_draw(th_tree_job *job) { return th_random_unit(job->seed, STREAM, job->agent, job->tree.head->draws++); }

th_vec3 th_tree_nearest_of(const th_tree_target *target, th_vec3 from) {
  return target->shape ? th_shape_nearest(target->shape, from) : target->point;
}

bool th_tree_is_free(const th_tree_job *job, uint32_t marker) {
  for (uint32_t k = 0; k < job->rival_count; k++) {
    const th_tree_marker *entry = th_tree_entry(&job->rival[k], marker);
    if (entry && entry->owner != TH_TREE_NONE) return false;
  }
  for (uint32_t k = 0; k < job->guard_count; k++)
    if (th_tree_apart(job->eye.space->point[marker], job->guard[k]) <= job->params->restriction) return false;
  return true;
}

/* ---------------------------------------------------------------- one node */

typedef struct pulling {
  const th_tree_job *job;
  uint16_t node;
  th_vec2 aim; /* unit vector to the target; 0, 0: none */
  th_tree_pull sum;
  /* The strongest single marker that is weaker than `below`: what is tried when the mean leads into a wall. */
  float below, strongest;
  th_vec2 to;
} pulling;

static void pull(void *context, uint32_t marker, th_vec2 offset) {
  pulling *p = context;
  const th_tree_marker *entry = th_tree_entry(&p->job->tree, marker);
  if (!entry || entry->nearest != p->node || (entry->owner != TH_TREE_NONE && entry->owner != p->node)) return;
  if (!th_tree_is_free(p->job, marker)) return;
  float length = th_length2(offset), f = 1.0f;
  if (p->job->target.exists) {
    float cosine = length > STILL ? th_dot2(p->aim, offset) / length : 0.0f;
    f = (1.0f + cosine) / (1.0f + length);
    if (f < 0.0f) f = 0.0f;
  }
  p->sum.sum = th_along2(p->sum.sum, f, offset);
  p->sum.weight += f;
  p->sum.markers++;
  if (f < p->below && f > p->strongest) p->strongest = f, p->to = offset;
}

static pulling begin(const th_tree_job *job, uint16_t node) {
  const th_tree_slot *n = &job->tree.node[node];
  pulling p = {.job = job, .node = node, .below = INFINITY};
  if (!job->target.exists) return p;
  th_vec2 aim = th_tree_towards(job->eye.space->ground, n->place, th_tree_nearest_of(&job->target, n->point));
  float length = th_length2(aim);
  if (length > STILL) p.aim = th_scaled2(aim, 1.0f / length);
  return p;
}

static void sum_up(pulling *p) {
  th_tree_near(&p->job->eye, p->job->tree.node[p->node].place, p->job->params->action, pull, p);
}

th_tree_pull th_tree_pull_of(const th_tree_job *job, uint16_t node) {
  pulling p = begin(job, node);
  sum_up(&p);
  return p.sum;
}

float th_tree_chance(const th_tree_job *job, float nearest, uint16_t node) {
  if (!job->target.exists) return 1.0f;
  th_vec3 at = job->tree.node[node].point;
  float own = th_tree_apart(th_tree_nearest_of(&job->target, at), at);
  return own > nearest ? nearest / own : 1.0f;
}

typedef struct retaining {
  th_tree_job *job;
  uint16_t node;
} retaining;

static void retain(void *context, uint32_t marker, th_vec2 offset) {
  const retaining *r = context;
  (void)offset;
  th_tree_marker *entry = th_tree_entry(&r->job->tree, marker);
  if (entry && entry->owner == TH_TREE_NONE && th_tree_is_free(r->job, marker)) entry->owner = r->node;
}

void th_tree_retain(th_tree_job *job, uint16_t node) {
  retaining r = {job, node};
  th_tree_near(&job->eye, job->tree.node[node].place, job->params->restriction, retain, &r);
}

static bool bear(th_tree_job *job, uint16_t node, th_vec2 offset) {
  float length = th_length2(offset);
  th_place to;
  if (length < STILL) return false;
  if (!th_tree_go(&job->eye, job->tree.node[node].place, th_scaled2(offset, job->params->segment / length), &to))
    return false;
  uint16_t child = th_tree_node_add(&job->tree, job->params, &job->eye, node, to);
  if (child == TH_TREE_NONE) return false;
  th_tree_retain(job, child);
  return true;
}

/* The mean direction; where walls count and forbid it, towards one marker after the other, the strongest first. */
static bool bear_towards(th_tree_job *job, pulling p) {
  if (!(p.sum.weight > 0.0f)) return false;
  if (bear(job, p.node, th_scaled2(p.sum.sum, 1.0f / p.sum.weight))) return true;
  for (uint32_t k = p.sum.markers; job->eye.sight && k > 0 && p.strongest > 0.0f; k--) {
    if (bear(job, p.node, p.to)) return true;
    p = (pulling){.job = job, .node = p.node, .aim = p.aim, .below = p.strongest};
    sum_up(&p);
  }
  return false;
}

/* Each further child is drawn with the probability again, from the markers that are left. */
static uint32_t grow_node(th_tree_job *job, uint16_t node, float nearest) {
  float chance = th_tree_chance(job, nearest, node);
  uint32_t made = 0;
  for (; made < (uint32_t)job->params->children; made++) {
    pulling p = begin(job, node);
    sum_up(&p);
    if (p.sum.markers && chance < 1.0f && th_tree_draw(job) >= chance) break;
    if (p.sum.markers && bear_towards(job, p)) continue;
    if (!p.sum.markers) job->tree.node[node].flags |= TH_TREE_IDLE;
    break;
  }
  return made;
}

/* A node that cannot grow is not tried again until something changes its markers. */
static void wake(th_tree_job *job, th_tree_slot *node) {
  const th_tree_head *head = job->tree.head;
  bool moved = job->target.exists && !job->target.shape && th_tree_apart(job->target.point, head->point) > 0.0f;
  node->flags &= (uint16_t) ~(TH_TREE_FRESH | (moved || job->rival_count || job->guard_count ? TH_TREE_IDLE : 0));
}

uint32_t th_tree_grow(th_tree_job *job) {
  th_tree *tree = &job->tree;
  uint32_t used = tree->head->used, made = 0;
  float nearest = INFINITY;
  for (uint32_t i = 0; i < used; i++) {
    if (!th_tree_lives(tree, i)) continue;
    wake(job, &tree->node[i]);
    if (!job->target.exists) continue;
    nearest = fminf(nearest, th_tree_apart(th_tree_nearest_of(&job->target, tree->node[i].point), tree->node[i].point));
  }
  for (uint32_t i = 0; i < used; i++) {
    if (!th_tree_lives(tree, i) || (tree->node[i].flags & (TH_TREE_FRESH | TH_TREE_IDLE))) continue;
    made += grow_node(job, (uint16_t)i, nearest);
    if (tree->head->count == tree->head->capacity) break;
  }
  return made;
}
