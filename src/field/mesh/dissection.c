/* field/mesh/dissection.c - nested dissection of a mesh's graph.
 *
 * A part of the vertices is cut in two halves by a plane across the axis along which it is widest; of the edges
 * between the halves the smallest set of vertices that touches all of them is the separator (Koenig's theorem, by
 * augmenting paths; the use for orderings: Pothen and Fan 1990). Surfaces have separators of O(sqrt n) vertices, so
 * fill is O(n log n) as on a grid. Everything follows from positions and numbers: the tree is a pure function of the
 * mesh. Cost: O(n log n).
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "field/mesh/graph.h"

#define NONE UINT32_MAX
#define FEW 48 /* up to this many are sorted faster by insertion */

typedef struct cutting {
  const th_mesh_graph *graph;
  const double *xyz;
  th_elimination *tree;
  uint32_t *list;  /* vertices; a part is an interval */
  uint32_t *spare; /* as long as list */
  uint32_t *stamp; /* the cut a vertex took part in last, times 2, + its half */
  uint32_t *mate;  /* of a vertex on a cut its partner across, NONE: none */
  uint32_t *seen;  /* search that met a vertex last */
  uint32_t *trail; /* stack of the search */
  uint32_t leaf, cuts, searches;
} cutting;

static bool before(const cutting *c, int axis, uint32_t a, uint32_t b) {
  double x = c->xyz[3 * (size_t)a + (size_t)axis], y = c->xyz[3 * (size_t)b + (size_t)axis];
  return x < y || (x == y && a < b);
}

static uint32_t median_of(const cutting *c, int axis, const uint32_t *v, uint32_t count) {
  uint32_t a = v[0], b = v[count / 2], d = v[count - 1];
  if (before(c, axis, b, a)) {
    uint32_t t = a;
    a = b, b = t;
  }
  return before(c, axis, d, a) ? a : before(c, axis, d, b) ? d : b;
}

/* Rearranges v so that the first `half` are those that come first along the axis. */
static void split_at(const cutting *c, int axis, uint32_t *v, uint32_t count, uint32_t half) {
  uint32_t low = 0, high = count;
  while (high - low > 1) {
    uint32_t pivot = median_of(c, axis, v + low, high - low), i = low, j = high - 1;
    for (;;) {
      while (before(c, axis, v[i], pivot)) i++;
      while (before(c, axis, pivot, v[j])) j--;
      if (i >= j) break;
      uint32_t t = v[i];
      v[i] = v[j], v[j] = t;
    }
    /* v[j] is the pivot now, all before it come first */
    if (j == half) return;
    if (half < j) {
      high = j;
    } else {
      low = j + 1;
    }
  }
}

static int widest_axis(const cutting *c, const uint32_t *v, uint32_t count) {
  double low[3], high[3];
  memcpy(low, c->xyz + 3 * (size_t)v[0], sizeof low);
  memcpy(high, low, sizeof high);
  for (uint32_t i = 1; i < count; i++) {
    const double *p = c->xyz + 3 * (size_t)v[i];
    for (int k = 0; k < 3; k++) {
      low[k] = p[k] < low[k] ? p[k] : low[k];
      high[k] = p[k] > high[k] ? p[k] : high[k];
    }
  }
  int best = 0;
  for (int k = 1; k < 3; k++)
    if (high[k] - low[k] > high[best] - low[best]) best = k;
  return best;
}

/* Neighbours of v in the other half of the running cut. */
static inline bool is_across(const cutting *c, uint32_t v, uint32_t other) {
  return c->stamp[other] == (c->stamp[v] ^ 1u);
}

/* One augmenting path from a free vertex of the low half: depth first over unmatched edges forth and matched ones back.
 * `spare` holds the place reached in each vertex's row. */
static bool augment(cutting *c, uint32_t root) {
  const th_mesh_graph *g = c->graph;
  uint32_t depth = 0;
  c->trail[0] = root;
  c->spare[root] = g->start[root];
  for (;;) {
    uint32_t v = c->trail[depth], at = c->spare[v];
    while (at < g->start[v + 1] && (!is_across(c, v, g->other[at]) || c->seen[g->other[at]] == c->searches)) at++;
    c->spare[v] = at + 1;
    if (at >= g->start[v + 1]) {
      if (depth == 0) return false;
      depth--;
      continue;
    }
    uint32_t w = g->other[at];
    c->seen[w] = c->searches;
    if (c->mate[w] != NONE) {
      c->trail[++depth] = c->mate[w];
      c->spare[c->mate[w]] = g->start[c->mate[w]];
      continue;
    }
    for (uint32_t d = depth + 1; d-- > 0;) { /* turn the path over */
      uint32_t u = c->trail[d], next = c->mate[u];
      c->mate[w] = u;
      c->mate[u] = w;
      w = next;
    }
    return true;
  }
}

static bool touches_across(const cutting *c, uint32_t v) {
  const th_mesh_graph *g = c->graph;
  for (uint32_t at = g->start[v]; at < g->start[v + 1]; at++)
    if (is_across(c, v, g->other[at])) return true;
  return false;
}

/* A largest matching of the edges between the halves. */
static void match(cutting *c, const uint32_t *low, uint32_t count) {
  const th_mesh_graph *g = c->graph;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t v = low[i];
    for (uint32_t at = g->start[v]; at < g->start[v + 1] && c->mate[v] == NONE; at++) {
      uint32_t w = g->other[at];
      if (is_across(c, v, w) && c->mate[w] == NONE) c->mate[v] = w, c->mate[w] = v;
    }
  }
  for (uint32_t i = 0; i < count; i++) {
    if (c->mate[low[i]] != NONE || !touches_across(c, low[i])) continue;
    c->searches++;
    (void)augment(c, low[i]);
  }
}

/* Koenig: with Z all that alternating paths from unmatched low vertices reach, the cover is (low matched not in Z) and
 * (high in Z). Marks Z by `seen`. */
static void reach(cutting *c, const uint32_t *low, uint32_t count) {
  const th_mesh_graph *g = c->graph;
  uint32_t depth = 0;
  c->searches++;
  for (uint32_t i = 0; i < count; i++) {
    if (c->mate[low[i]] != NONE || !touches_across(c, low[i])) continue;
    c->seen[low[i]] = c->searches;
    c->trail[depth++] = low[i];
    while (depth > 0) {
      uint32_t v = c->trail[--depth];
      for (uint32_t at = g->start[v]; at < g->start[v + 1]; at++) {
        uint32_t w = g->other[at];
        if (!is_across(c, v, w) || c->seen[w] == c->searches) continue;
        c->seen[w] = c->searches;
        uint32_t u = c->mate[w]; /* there is one: otherwise the matching would not be the largest */
        if (u == NONE || c->seen[u] == c->searches) continue;
        c->seen[u] = c->searches;
        c->trail[depth++] = u;
      }
    }
  }
}

/* A part before it is cut, and after: [low][high][separator]. */
typedef struct part {
  uint32_t *v;
  uint32_t count, low, high;
} part;

static void cut(cutting *c, part *p) {
  uint32_t half = p->count / 2;
  split_at(c, widest_axis(c, p->v, p->count), p->v, p->count, half);
  c->cuts++;
  for (uint32_t i = 0; i < p->count; i++) {
    c->stamp[p->v[i]] = 2 * c->cuts + (i >= half);
    c->mate[p->v[i]] = NONE;
  }
  match(c, p->v, half);
  reach(c, p->v, half);
  uint32_t low = 0, high = 0, between = 0;
  for (uint32_t i = 0; i < p->count; i++) {
    uint32_t v = p->v[i];
    bool in_z = c->seen[v] == c->searches, covers = i < half ? c->mate[v] != NONE && !in_z : in_z;
    if (covers) {
      c->trail[between++] = v;
    } else if (i < half) {
      p->v[low++] = v;
    } else {
      c->spare[high++] = v;
    }
  }
  memcpy(p->v + low, c->spare, high * sizeof *p->v);
  memcpy(p->v + low + high, c->trail, between * sizeof *p->v);
  p->low = low;
  p->high = high;
}

static int by_number(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static void sort_numbers(uint32_t *v, uint32_t count) {
  if (count > FEW) {
    qsort(v, count, sizeof *v, by_number);
    return;
  }
  for (uint32_t i = 1; i < count; i++) {
    uint32_t x = v[i], at = i;
    for (; at > 0 && v[at - 1] > x; at--) v[at] = v[at - 1];
    v[at] = x;
  }
}

/* A node lists its vertices by number, so that it is the same after others have moved. */
static uint32_t add_node(const cutting *c, uint32_t *v, uint32_t count, const uint32_t child[2]) {
  sort_numbers(v, count);
  return th_elimination_add(c->tree, count, child[0], child[1]);
}

static uint32_t dissect(cutting *c, uint32_t *v, uint32_t count) {
  uint32_t child[2] = {TH_NO_NODE, TH_NO_NODE};
  if (count <= c->leaf) return add_node(c, v, count, child);
  part p = {v, count, 0, 0};
  cut(c, &p);
  if (p.low) child[0] = dissect(c, v, p.low);
  if (p.high) child[1] = dissect(c, v + p.low, p.high);
  return add_node(c, v + p.low + p.high, count - p.low - p.high, child);
}

/* Halves are rounded down and up, so a part at depth d has at most n / 2^d + 1 vertices. */
static uint32_t node_capacity(uint32_t count, uint32_t leaf) {
  uint32_t pieces = 1, max = count;
  while (max > leaf) {
    max = max / 2 + 1;
    pieces = 2 * pieces + 1;
  }
  return 2 * pieces + 1;
}

th_elimination *th_mesh_dissection_make(const th_mesh_graph *graph, const double *xyz, uint32_t leaf,
                                        uint32_t piece_unknowns) {
  const th_allocator *a = &graph->allocator;
  const uint32_t n = graph->vertex_count;
  cutting c = {.graph = graph, .xyz = xyz, .leaf = leaf};
  c.tree = th_elimination_make(a, n, node_capacity(n, leaf));
  uint32_t **array[5] = {&c.spare, &c.stamp, &c.mate, &c.seen, &c.trail};
  bool got = c.tree != NULL;
  for (int k = 0; k < 5; k++) {
    *array[k] = TH_TAKE(a, uint32_t, n);
    got = got && *array[k];
  }
  if (got) {
    c.list = c.tree->order;
    for (uint32_t v = 0; v < n; v++) c.list[v] = v;
    dissect(&c, c.list, n);
    th_elimination_finish(c.tree, piece_unknowns);
  }
  for (int k = 0; k < 5; k++) TH_GIVE(a, *array[k], n);
  if (got) return c.tree;
  th_elimination_release(c.tree);
  return NULL;
}
