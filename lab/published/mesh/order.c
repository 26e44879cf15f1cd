/* lab/published/mesh/order.c - the order of the cells in a sweep, and colours for several workers.
 *
 * The source leaves the order open and asks which is best. Orders are lists, so a sweep only follows one; the links of
 * its cells are packed in that order. For several workers the cells are coloured greedily in index order: no two of a
 * colour share an edge, so a colour can be relaxed in any order, or at once, with the same bits. Cost: O(edges).
 */
#include <string.h>

#include "base/random.h"
#include "lab/published/mesh/relaxation.h"

enum { STREAM_SHUFFLE = 0x5e1f };

/* Breadth first from the goals through free cells; `queue` ends up in the order of hops. Returns its length. */
static uint32_t find_hops(th_mesh_relax *r, uint32_t *queue) {
  const th_mesh_relax_weights *w = r->weights;
  const uint32_t size = th_mesh_relax_size(r);
  uint32_t head = 0, tail = 0;
  for (uint32_t v = 0; v < size; v++) {
    r->hops[v] = r->tile[v] == TH_TILE_GOAL ? 0 : TH_NO_ELEMENT;
    if (r->tile[v] == TH_TILE_GOAL) queue[tail++] = v;
  }
  while (head < tail) {
    const uint32_t v = queue[head++];
    for (uint32_t k = w->row[v]; k < w->row[v + 1]; k++) {
      const uint32_t j = w->neighbour[k];
      if (r->tile[j] != TH_TILE_FREE || r->hops[j] != TH_NO_ELEMENT) continue;
      r->hops[j] = r->hops[v] + 1;
      queue[tail++] = j;
    }
  }
  return tail;
}

/* Lists the cells that are connected with a goal in the order of the queue, then the others by number. */
static void order_from_goal(th_mesh_relax *r, uint32_t queued) {
  uint32_t kept = 0;
  for (uint32_t n = 0; n < queued; n++)
    if (r->tile[r->cell[n]] == TH_TILE_FREE) r->cell[kept++] = r->cell[n];
  for (uint32_t v = 0; v < th_mesh_relax_size(r); v++)
    if (r->tile[v] == TH_TILE_FREE && r->hops[v] == TH_NO_ELEMENT) r->cell[kept++] = v;
  r->count = kept;
}

static void order_by_index(th_mesh_relax *r) {
  r->count = 0;
  for (uint32_t v = 0; v < th_mesh_relax_size(r); v++)
    if (r->tile[v] == TH_TILE_FREE) r->cell[r->count++] = v;
}

static void swap_cells(th_mesh_relax *r, uint32_t a, uint32_t b) {
  const uint32_t kept = r->cell[a];
  r->cell[a] = r->cell[b];
  r->cell[b] = kept;
}

static void reverse(th_mesh_relax *r) {
  for (uint32_t n = 0; n < r->count / 2; n++) swap_cells(r, n, r->count - 1 - n);
}

static void shuffle(th_mesh_relax *r) {
  for (uint32_t n = r->count; n > 1; n--)
    swap_cells(r, n - 1, th_random_to_below(th_random(r->def.seed, STREAM_SHUFFLE, n, 0), n));
}

static uint32_t free_colour(const th_mesh_relax *r, uint32_t v) {
  const th_mesh_relax_weights *w = r->weights;
  for (uint32_t colour = 0;; colour++) {
    uint32_t k = w->row[v];
    while (k < w->row[v + 1] && r->colour[w->neighbour[k]] != colour) k++;
    if (k == w->row[v + 1]) return colour;
  }
}

/* Colours all free cells and sorts them by colour, then by number. */
static void order_by_colour(th_mesh_relax *r) {
  const uint32_t size = th_mesh_relax_size(r);
  for (uint32_t v = 0; v < size; v++) r->colour[v] = TH_NO_ELEMENT;
  memset(r->colour_start, 0, sizeof *r->colour_start * (size + 2));
  r->colours = 0;
  r->count = 0;
  for (uint32_t v = 0; v < size; v++) {
    if (r->tile[v] != TH_TILE_FREE) continue;
    const uint32_t c = r->colour[v] = free_colour(r, v);
    r->colours = c + 1 > r->colours ? c + 1 : r->colours;
    r->colour_start[c + 2]++;
    r->count++;
  }
  for (uint32_t c = 2; c <= r->colours + 1; c++) r->colour_start[c] += r->colour_start[c - 1];
  for (uint32_t v = 0; v < size; v++)
    if (r->tile[v] == TH_TILE_FREE) r->cell[r->colour_start[r->colour[v] + 1]++] = v;
}

static void put_weight(th_mesh_relax *r, uint32_t at, double weight) {
  if (r->def.precision == TH_PRECISION_FLOAT)
    ((float *)r->weight)[at] = (float)weight;
  else
    ((double *)r->weight)[at] = weight;
}

/* A cell without any influence keeps its value: it gets itself as its only neighbour, so the order stays whole. */
static void pack(th_mesh_relax *r) {
  uint32_t at = 0;
  for (uint32_t n = 0; n < r->count; n++) {
    const uint32_t *neighbour;
    const double *weight;
    const uint32_t links = th_mesh_relax_weights_of(r->weights, r->cell[n], &neighbour, &weight);
    r->row[n] = at;
    for (uint32_t k = 0; k < links; k++, at++) {
      r->neighbour[at] = neighbour[k];
      put_weight(r, at, weight[k]);
    }
    if (links > 0) continue;
    r->neighbour[at] = r->cell[n];
    put_weight(r, at++, 1.0);
  }
  r->row[r->count] = at;
}

void th_mesh_relax_plan(th_mesh_relax *r) {
  const uint32_t queued = find_hops(r, r->cell);
  if (r->def.rule == TH_MESH_RELAX_COLOURED)
    order_by_colour(r);
  else if (r->def.rule == TH_MESH_RELAX_SEIDEL && r->def.order == TH_MESH_RELAX_FROM_GOAL)
    order_from_goal(r, queued);
  else
    order_by_index(r);
  if (r->def.rule == TH_MESH_RELAX_SEIDEL && r->def.order == TH_MESH_RELAX_REVERSE) reverse(r);
  if (r->def.rule == TH_MESH_RELAX_SEIDEL && r->def.order == TH_MESH_RELAX_RANDOM) shuffle(r);
  pack(r);
}
