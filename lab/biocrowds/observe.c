/* lab/biocrowds/observe.c - reads trees through the public calls and compares them.
 *
 * A tree is pruned at the beginning of a step and grows by one segment before a host can read it. So what pruning left
 * is found through the parents: the parent of a node that was made in this step was there before. Cost: 30 us per tree;
 * crossings of two trees: the product of their numbers of segments.
 */
#include "lab/biocrowds/observe.h"

th_agent_id th_bio_agent(const th_world *world, uint32_t number) {
  const th_agents agents = th_world_agents(world);
  for (uint32_t i = 0; i < agents.count; i++)
    if (agents.id[i].index == number) return agents.id[i];
  return TH_NULL_AGENT;
}

th_vec3 th_bio_at(const th_world *world, uint32_t number) {
  return th_world_agent_point(world, th_bio_agent(world, number));
}

th_vec3 th_bio_before(const th_world *world, uint32_t number) {
  return th_world_agent_previous(world, th_bio_agent(world, number));
}

double th_bio_apart(th_vec3 a, th_vec3 b) { return hypot((double)a.x - (double)b.x, (double)a.y - (double)b.y); }

bool th_bio_arrived(const th_world *world, uint32_t number) {
  return th_world_agent_state(world, th_bio_agent(world, number)) == TH_AGENT_ARRIVED;
}

void th_bio_look(const th_world *world, uint32_t number, th_bio_tree *tree) {
  const void *row = th_world_guide_row(world, th_bio_agent(world, number), NULL);
  tree->state = th_tree_read(row);
  tree->count = th_tree_nodes(row, tree->node, TH_BIO_NODES);
  tree->retained = th_tree_retained(row, tree->marker, TH_BIO_MARKERS);
}

uint32_t th_bio_left_near(const th_bio_tree *tree, th_vec3 point, double distance) {
  uint32_t left = 0;
  for (uint32_t i = 0; i < tree->count; i++) {
    const uint32_t parent = tree->node[i].parent;
    if (i == tree->state.root || parent == tree->state.root || parent >= tree->count) continue;
    left += th_bio_apart(tree->node[i].point, point) <= distance &&
            th_bio_apart(tree->node[parent].point, point) <= distance;
  }
  return left;
}

uint32_t th_bio_shared(const th_bio_tree *a, const th_bio_tree *b) {
  uint32_t both = 0;
  for (uint32_t i = 0, k = 0; i < a->retained && k < b->retained;) {
    const uint32_t one = a->marker[i], two = b->marker[k];
    both += one == two;
    i += one <= two;
    k += two <= one;
  }
  return both;
}

static double side_of(th_vec3 a, th_vec3 b, th_vec3 p) {
  return ((double)b.x - (double)a.x) * ((double)p.y - (double)a.y) -
         ((double)b.y - (double)a.y) * ((double)p.x - (double)a.x);
}

static bool crosses(th_vec3 a, th_vec3 b, th_vec3 c, th_vec3 d) {
  return side_of(a, b, c) * side_of(a, b, d) < 0.0 && side_of(c, d, a) * side_of(c, d, b) < 0.0;
}

bool th_bio_cross(const th_bio_tree *a, const th_bio_tree *b) {
  for (uint32_t i = 0; i < a->count; i++)
    for (uint32_t k = 0; k < b->count && a->node[i].parent < a->count; k++) {
      if (b->node[k].parent >= b->count || th_bio_apart(a->node[i].point, b->node[k].point) > 1.2) continue;
      if (crosses(a->node[i].point, a->node[a->node[i].parent].point, b->node[k].point,
                  b->node[b->node[k].parent].point))
        return true;
    }
  return false;
}

void th_bio_claim(th_lab *lab, const char *text, const char *unit, double value, double min, double max) {
  th_lab_claim(lab, &(th_claim){text, unit, value, min, max, NAN, NAN, NULL});
}
