/* io/scene/graph.c - a path planned on a navigation graph: from point to point along the shortest path over its edges.
 *
 * Planning is separate from walking: a guide gets a plain list of points. Lengths of all
 * pairs of nodes are found at once (Floyd 1962, Warshall 1962), as in the application of Popelova 2011, because scenes
 * ask for many paths over few nodes. A point joins the graph at the node nearest to it. Cost: O(nodes^3), once per
 * path.
 */
#include <math.h>
#include <string.h>

#include "io/scene/read.h"
#include "throng/guide.h"

enum { NODES = 128 };

typedef struct graph {
  th_vec3 node[NODES];
  uint32_t count;
  double length[NODES][NODES];
  uint16_t next[NODES][NODES]; /* the node after i on the way to j */
} graph;

static double apart(th_vec3 a, th_vec3 b) {
  const double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y, z = (double)a.z - (double)b.z;
  return sqrt(x * x + y * y + z * z);
}

/* The node at this place, which is added when it is new; NODES: there are too many. */
static uint32_t node_at(graph *g, th_vec3 point) {
  for (uint32_t i = 0; i < g->count; i++)
    if (apart(g->node[i], point) < 1e-3) return i;
  if (g->count == NODES) return NODES;
  const uint32_t fresh = g->count++;
  for (uint32_t i = 0; i <= fresh; i++) g->length[i][fresh] = g->length[fresh][i] = i == fresh ? 0.0 : INFINITY;
  g->node[fresh] = point;
  return fresh;
}

static bool add_edge(graph *g, th_vec3 from, th_vec3 to) {
  const uint32_t a = node_at(g, from), b = a < NODES ? node_at(g, to) : NODES;
  if (b == NODES) return false;
  g->length[a][b] = g->length[b][a] = fmin(g->length[a][b], apart(from, to));
  g->next[a][b] = (uint16_t)b;
  g->next[b][a] = (uint16_t)a;
  return true;
}

static void find_paths(graph *g) {
  for (uint32_t k = 0; k < g->count; k++)
    for (uint32_t i = 0; i < g->count; i++)
      for (uint32_t j = 0; j < g->count; j++) {
        if (!(g->length[i][k] + g->length[k][j] < g->length[i][j])) continue;
        g->length[i][j] = g->length[i][k] + g->length[k][j];
        g->next[i][j] = g->next[i][k];
      }
}

static uint32_t nearest(const graph *g, th_vec3 point) {
  uint32_t best = 0;
  for (uint32_t i = 1; i < g->count; i++)
    if (apart(g->node[i], point) < apart(g->node[best], point)) best = i;
  return best;
}

/* Each edge is a list of two or more points, of which every two that follow each other are joined. */
static th_result read_edges(th_scene_reader *reader, const json_t *edges, graph *g, th_scene_guide *guide) {
  char found[TH_FOUND];
  if (!json_is_array(edges) || !json_array_size(edges))
    return th_reader_fail(reader, TH_ERROR_FORMAT, false,
                          "expected a list of edges, each of 2 or more points, found %s",
                          th_reader_found(edges, found));
  const th_key key = {.name = "edge", .kind = TH_KEY_POINTS, .min = 2};
  guide->edge_count = (uint32_t)json_array_size(edges);
  guide->edge = th_scene_memory_take(reader->memory, guide->edge_count, sizeof *guide->edge);
  if (!guide->edge) return th_reader_fail_memory(reader);
  for (size_t e = 0; e < json_array_size(edges); e++) {
    th_scene_points points = {0};
    const size_t mark = th_reader_enter_index(reader, e);
    th_result result =
        th_read_points_key(reader, &(th_read){&key, json_array_get(edges, e), edges, (uint8_t *)&points});
    if (result) return result;
    for (uint32_t i = 0; i + 1 < points.count; i++)
      if (!add_edge(g, points.point[i], points.point[i + 1]))
        return th_reader_fail(reader, TH_ERROR_CAPACITY, false, "expected at most %d nodes, found more", NODES);
    guide->edge[e] = points;
    th_reader_back(reader, mark);
  }
  return TH_OK;
}

/* Adds a point unless it is the last one already. */
static void put(th_vec3 *route, uint32_t *count, th_vec3 point) {
  if (!*count || apart(route[*count - 1], point) > 1e-3) route[(*count)++] = point;
}

static th_result plan(th_scene_reader *reader, const graph *g, th_path_params *path) {
  th_vec3 *route = th_scene_memory_take(reader->memory, path->count * (size_t)(NODES + 1), sizeof *route);
  uint32_t count = 0;
  if (!route) return th_reader_fail_memory(reader);
  for (uint32_t p = 0; p + 1 < path->count; p++) {
    uint32_t at = nearest(g, path->point[p]);
    const uint32_t end = nearest(g, path->point[p + 1]);
    if (!(g->length[at][end] < INFINITY))
      return th_reader_fail(reader, TH_ERROR_RANGE, false,
                            "expected edges that lead from point %u to point %u, found none", p, p + 1);
    put(route, &count, path->point[p]);
    for (; at != end; at = g->next[at][end]) put(route, &count, g->node[at]);
    put(route, &count, g->node[end]);
  }
  put(route, &count, path->point[path->count - 1]);
  path->point = route;
  path->count = count;
  return TH_OK;
}

th_result th_read_graph(th_scene_reader *reader, const json_t *edges, th_scene_guide *guide, th_path_params *path) {
  graph *g = th_scene_memory_take(reader->memory, 1, sizeof *g);
  if (!g) return th_reader_fail_memory(reader);
  const size_t mark = th_reader_enter(reader, "graph");
  th_result result = read_edges(reader, edges, g, guide);
  if (result) return result;
  find_paths(g);
  result = plan(reader, g, path);
  if (!result) th_reader_back(reader, mark);
  return result;
}
