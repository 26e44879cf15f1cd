/* field/grid/dissection.c - nested dissection of a grid rectangle (George 1973).
 *
 * A rectangle is cut in two by a straight line of cells across its longer side; the line is eliminated after both
 * halves, which keeps fill at O(n log n) and work at O(n^1.5) for n cells. The cuts depend on the sizes alone, so
 * versions of a map share one tree and an edit never moves an unknown. Cost: O(n), a few milliseconds at 512 x 512.
 */
#include "field/grid/dissection.h"

typedef struct box {
  uint32_t x, y, width, height;
} box;

typedef struct cutting {
  th_elimination *tree; /* NULL while nodes are only counted */
  uint32_t grid_width, leaf, next_rank;
} cutting;

static uint32_t add_cells(cutting *cut, box b, uint32_t left, uint32_t right) {
  for (uint32_t y = b.y; y < b.y + b.height; y++) {
    for (uint32_t x = b.x; x < b.x + b.width; x++) cut->tree->order[cut->next_rank++] = y * cut->grid_width + x;
  }
  return th_elimination_add(cut->tree, b.width * b.height, left, right);
}

/* Splits b into two halves and the line between them. */
static void split(box b, box *low, box *high, box *line) {
  *low = *high = *line = b;
  if (b.width >= b.height) {
    low->width = (b.width - 1) / 2;
    line->x = b.x + low->width;
    line->width = 1;
    high->x = line->x + 1;
    high->width = b.width - low->width - 1;
  } else {
    low->height = (b.height - 1) / 2;
    line->y = b.y + low->height;
    line->height = 1;
    high->y = line->y + 1;
    high->height = b.height - low->height - 1;
  }
}

static bool is_leaf(box b, uint32_t leaf) {
  return (uint64_t)b.width * b.height <= leaf || (b.width < 3 && b.height < 3);
}

static uint32_t count_nodes(box b, uint32_t leaf) {
  if (is_leaf(b, leaf)) return 1;
  box low, high, line;
  split(b, &low, &high, &line);
  return count_nodes(low, leaf) + count_nodes(high, leaf) + 1;
}

static uint32_t cut_box(cutting *cut, box b) {
  if (is_leaf(b, cut->leaf)) return add_cells(cut, b, TH_NO_NODE, TH_NO_NODE);
  box low, high, line;
  split(b, &low, &high, &line);
  uint32_t left = cut_box(cut, low), right = cut_box(cut, high);
  return add_cells(cut, line, left, right);
}

th_elimination *th_dissection_make(const th_allocator *allocator, uint32_t width, uint32_t height, uint32_t leaf,
                                   uint32_t piece_cells) {
  box whole = {0, 0, width, height};
  th_elimination *tree = th_elimination_make(allocator, width * height, count_nodes(whole, leaf));
  if (!tree) return NULL;
  cutting cut = {tree, width, leaf, 0};
  cut_box(&cut, whole);
  th_elimination_finish(tree, piece_cells);
  return tree;
}
