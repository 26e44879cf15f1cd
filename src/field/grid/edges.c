/* field/grid/edges.c - a field along edges on flat ground, as on a mesh (Berndt's dynamic planarization, 2014).
 *
 * The vertices are the centres of the raster's cells, the edges lead to the eight cells around; an edge over a corner
 * needs both cells beside it, so that no body is led between two blocked cells. Distances are Dijkstra's (1959). The
 * reference point of a cell is the centre where its path turns next: the straight line there stays in the cells of the
 * path and those beside its corners. (With the next centre instead, all agents would walk on the lines of the grid, and
 * two that meet head-on would be led back onto the line for ever.) Paths are up to 8.2 % longer than the shortest, 1 /
 * cos(pi / 8), and headings turn by jumps; geodesic fields have neither fault. Ties go to the lower direction, so the
 * result is a function of the map alone. Cost: O(n log n), about 0.2 us per cell.
 */
#include "field/grid/edges.h"

#include <math.h>

#include "base/error.h"
#include "base/heap.h"

#define DIAGONAL 1.41421356237309504880
#define MAX_STRAIGHT 127 /* cells: what a node can hold */

typedef struct step {
  int32_t i, j;
  double length;
} step;

/* Sides first: of equally short paths the one without corners is taken. */
static const step steps[8] = {{1, 0, 1.0},      {0, 1, 1.0},       {-1, 0, 1.0},       {0, -1, 1.0},
                              {1, 1, DIAGONAL}, {-1, 1, DIAGONAL}, {-1, -1, DIAGONAL}, {1, -1, DIAGONAL}};

static bool is_free(const th_march *grid, uint32_t c) { return grid->kind[c] != TH_CELL_WALL; }

/* The cell that step k leads to from the free cell c; TH_NO_CELL: a wall. Free cells are off the outermost ring. */
static uint32_t next_of(const th_march *grid, uint32_t c, int k) {
  const int32_t w = (int32_t)grid->width, at = (int32_t)c, aside = at + steps[k].i, above = at + steps[k].j * w;
  const uint32_t to = (uint32_t)(aside + steps[k].j * w);
  if (!is_free(grid, to)) return TH_NO_CELL;
  if (k >= 4 && !(is_free(grid, (uint32_t)aside) && is_free(grid, (uint32_t)above))) return TH_NO_CELL;
  return to;
}

th_result th_grid_edges_run(const th_allocator *allocator, const th_march *grid, double *distance, th_error *error) {
  const uint32_t size = grid->width * grid->height;
  th_heap heap;
  bool got = th_heap_make(&heap, allocator, size);
  for (uint32_t c = 0; got && c < size; c++) distance[c] = INFINITY;
  for (uint32_t n = 0; got && n < grid->goal->count; n++) {
    distance[grid->goal->cell[n]] = 0.0;
    th_heap_lower(&heap, grid->goal->cell[n], 0.0);
  }
  while (got && heap.count > 0) {
    const uint32_t c = th_heap_pop(&heap);
    for (int k = 0; k < 8; k++) {
      const uint32_t to = next_of(grid, c, k);
      if (to == TH_NO_CELL || !(distance[c] + steps[k].length < distance[to])) continue;
      distance[to] = distance[c] + steps[k].length;
      th_heap_lower(&heap, to, distance[to]);
    }
  }
  th_heap_free(&heap, allocator);
  return got ? TH_OK : th_fail_memory(error, "distances to the goal");
}

/* The step with the least remaining distance; rounding cannot make two paths of the same steps differ by more than
 * this. */
static int best_step(const th_march *grid, const double *distance, uint32_t c) {
  const double same = 1e-9;
  double min = INFINITY;
  int best = -1;
  for (int k = 0; k < 8; k++) {
    const uint32_t to = next_of(grid, c, k);
    if (to == TH_NO_CELL || !(distance[to] + steps[k].length < min - same)) continue;
    min = distance[to] + steps[k].length;
    best = k;
  }
  return best;
}

static void aim_at_next(const th_field_build *build, const th_march *grid, uint32_t c) {
  const int32_t kept = TH_NODE_FREE | TH_NODE_GOAL | TH_NODE_REACHES | TH_NODE_BESIDE_GOAL;
  th_node *node = &build->field->node[c];
  const int k = build->kind[c] == TH_CELL_PINNED ? -1 : best_step(grid, build->distance, c);
  node->code = (node->code & kept) | th_node_aim(k < 0 ? 0 : steps[k].i, k < 0 ? 0 : steps[k].j);
}

static int32_t sign_of(int32_t n) { return (n > 0) - (n < 0); }

/* Goes on to where the path turns: nodes along a straight path point in one direction, whether they aim far or near. */
static void aim_at_turn(const th_field_build *build, uint32_t c) {
  th_node *node = build->field->node;
  const int32_t i = sign_of(th_node_aim_i(node[c].code)), j = sign_of(th_node_aim_j(node[c].code));
  const int32_t by = i + j * (int32_t)build->ground->flat->width;
  int32_t at = (int32_t)c, far = 0;
  do {
    at += by;
    far++;
  } while (far < MAX_STRAIGHT && sign_of(th_node_aim_i(node[at].code)) == i &&
           sign_of(th_node_aim_j(node[at].code)) == j);
  node[c].code = (node[c].code & 0xffff) | th_node_aim(far * i, far * j);
}

void th_grid_edges_aim(th_field_build *build) {
  const th_march grid = {
      build->ground->flat->width, build->ground->flat->height, build->kind, &build->goal, NULL, NULL};
  const uint32_t size = grid.width * grid.height;
  for (uint32_t c = 0; c < size; c++)
    if (is_free(&grid, c) && isfinite(build->distance[c])) aim_at_next(build, &grid, c);
  for (uint32_t c = 0; c < size; c++)
    if (build->kind[c] == TH_CELL_FREE && isfinite(build->distance[c])) aim_at_turn(build, c);
}
