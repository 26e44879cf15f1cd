/* guide/tree/trace.c - what a tree publishes of itself: segments, key nodes, best path, what it grows for.
 *
 * Places are given in the frame of the agent's cell. On flat ground they are exact. On a mesh nodes are projected onto
 * the plane of that cell, so distant nodes of a curved mesh are drawn beside their place; th_tree_nodes has the exact
 * ones. Cost: a pass over the nodes, only for agents that are traced.
 */
#include "base/trig.h"
#include "geometry/vector.h"
#include "guide/tree/tree.h"

#define SIDES 48 /* of a circle */

const th_trace th_tree_traces[TH_TREE_TRACES] = {
    {"tree", TH_TRACE_SEGMENT, "", "from a node to its child, with the children of that", 0x7fa07f},
    {"key", TH_TRACE_POINT, "", "a node with several children, where the agent decides", 0x205020},
    {"path", TH_TRACE_SEGMENT, "m", "of the best path; value: distance left from there", 0xd08000},
    {"target", TH_TRACE_POINT, "", "what the tree grows towards, 1 when a node has reached it", 0x0050d0},
    {"area", TH_TRACE_SEGMENT, "m", "of the circle that is escaped from, as a polygon; value: its radius", 0xd02020},
};

static th_vec2 in_cell(const th_guide_query *query, uint32_t lane, th_vec3 point) {
  th_place at = {query->cell[lane], query->x[lane], query->y[lane]};
  th_vec2 offset = th_tree_towards(query->ground, at, point);
  return (th_vec2){at.x + offset.x, at.y + offset.y};
}

static th_segment between(const th_guide_query *query, uint32_t lane, th_vec3 from, th_vec3 to) {
  th_vec2 a = in_cell(query, lane, from), b = in_cell(query, lane, to);
  return (th_segment){a.x, a.y, b.x, b.y};
}

static void publish_path(const th_guide_query *query, uint32_t lane, const th_tree *tree) {
  float length = ((const th_tree_params *)query->params)->segment, left = 0.0f;
  for (uint16_t at = tree->head->best; at != TH_TREE_NONE && tree->node[at].parent != TH_TREE_NONE;) {
    uint16_t parent = tree->node[at].parent;
    th_segment s = between(query, lane, tree->node[parent].point, tree->node[at].point);
    th_trace_segment(query->trace, lane, &th_tree_traces[2], &s, left += length);
    at = parent;
  }
}

/* In the plane of the agent's cell. */
static void publish_area(const th_guide_query *query, uint32_t lane, const th_tree_head *head) {
  th_vec2 centre = in_cell(query, lane, head->area), from = {centre.x + head->area_radius, centre.y};
  for (int k = 1; k <= SIDES; k++) {
    float c, s;
    th_sincosf((float)TH_TURN * (float)k / SIDES, &s, &c);
    th_vec2 to = {centre.x + head->area_radius * c, centre.y + head->area_radius * s};
    th_trace_segment(query->trace, lane, &th_tree_traces[4], &(th_segment){from.x, from.y, to.x, to.y},
                     head->area_radius);
    from = to;
  }
}

void th_tree_trace_publish(const th_guide_query *query, uint32_t lane) {
  const th_tree tree = th_tree_open(query->row[lane]);
  const th_tree_head *head = tree.head;
  if (!head->begun) return;
  for (uint32_t i = 0; i < head->used; i++) {
    const th_tree_slot *node = &tree.node[i];
    if (!th_tree_lives(&tree, i)) continue;
    if (node->children > 1)
      th_trace_point(query->trace, lane, &th_tree_traces[1], in_cell(query, lane, node->point), node->children);
    if (node->parent == TH_TREE_NONE) continue;
    th_segment s = between(query, lane, tree.node[node->parent].point, node->point);
    th_trace_segment(query->trace, lane, &th_tree_traces[0], &s, node->children);
  }
  publish_path(query, lane, &tree);
  if (head->does == TH_TREE_ESCAPES)
    publish_area(query, lane, head);
  else
    th_trace_point(query->trace, lane, &th_tree_traces[3], in_cell(query, lane, head->point), head->reached);
}

/* Of each node: its segment, whether it is a key node, its share of the path. */
th_trace_size th_tree_trace_size(const void *params) {
  return (th_trace_size){3 * (uint32_t)((const th_tree_params *)params)->nodes + SIDES, 0};
}
