/* tests/field/test_dissection.c - the elimination tree of a grid: a permutation whose separators separate. */
#include <stdlib.h>

#include "base/memory.h"
#include "field/grid/dissection.h"
#include "support/allocator.h"
#include "support/unit.h"

static bool above(const th_elimination *tree, uint32_t low, uint32_t high) {
  while (low != TH_NO_NODE && low < high) low = tree->node[low].parent;
  return low == high;
}

static bool related(const th_elimination *tree, uint32_t cell, uint32_t other) {
  uint32_t a = th_elimination_node_of(tree, cell), b = th_elimination_node_of(tree, other);
  return a < b ? above(tree, a, b) : above(tree, b, a);
}

static void check_order(const th_elimination *tree) {
  uint8_t *seen = calloc(tree->unknown_count, 1);
  for (uint32_t rank = 0; rank < tree->unknown_count; rank++) {
    uint32_t cell = tree->order[rank];
    assert_true(cell < tree->unknown_count && !seen[cell]);
    assert_int_equal(tree->rank[cell], rank);
    seen[cell] = 1;
  }
  free(seen);
}

static void check_nodes(const th_elimination *tree, uint32_t leaf) {
  uint32_t next = 0, roots = 0;
  for (uint32_t at = 0; at < tree->node_count; at++) {
    const th_elimination_node *node = &tree->node[at];
    assert_int_equal(node->first, next);
    next += node->count;
    roots += node->parent == TH_NO_NODE;
    if (node->child[0] == TH_NO_NODE && node->child[1] == TH_NO_NODE) assert_true(node->count <= leaf || leaf < 4);
    for (int c = 0; c < 2; c++) {
      if (node->child[c] == TH_NO_NODE) continue;
      assert_true(node->child[c] < at && node->child[c] >= node->begin);
      assert_int_equal(tree->node[node->child[c]].parent, at);
      assert_int_equal(tree->node[node->child[c]].depth, node->depth + 1);
    }
    for (uint32_t rank = node->first; rank < next; rank++) {
      assert_int_equal(th_elimination_node_of(tree, tree->order[rank]), at);
    }
  }
  assert_int_equal(next, tree->unknown_count);
  assert_int_equal(roots, 1);
}

/* Pieces are intervals of nodes; each is a whole subtree of limited size or one node. */
static void check_pieces(const th_elimination *tree, uint32_t max) {
  uint32_t begin = 0;
  for (uint32_t piece = 0; piece < tree->piece_count; piece++) {
    uint32_t end = tree->piece_end[piece];
    const th_elimination_node *last = &tree->node[end];
    assert_int_equal(th_elimination_piece_begin(tree, piece), begin);
    assert_true(begin == end || last->begin == begin);
    if (begin < end) assert_true(last->first + last->count - tree->node[begin].first <= max);
    for (uint32_t node = begin; node <= end; node++) assert_int_equal(th_elimination_piece_of(tree, node), piece);
    begin = end + 1;
  }
  assert_int_equal(begin, tree->node_count);
}

static void separators_separate(void **state) {
  (void)state;
  const uint32_t size[][2] = {{1, 1}, {2, 2}, {1, 40},  {40, 1},  {2, 31},
                              {3, 3}, {5, 9}, {17, 16}, {64, 33}, {100, 100}};
  const uint32_t leaf[] = {1, 4, 20, 32};
  th_env env = th_env_complete(NULL);
  for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
    for (size_t l = 0; l < 4; l++) {
      uint32_t width = size[i][0], height = size[i][1];
      th_elimination *tree = th_dissection_make(&env.allocator, width, height, leaf[l], 128);
      assert_non_null(tree);
      assert_int_equal(tree->unknown_count, width * height);
      check_order(tree);
      check_nodes(tree, leaf[l]);
      check_pieces(tree, 128);
      for (uint32_t cell = 0; cell < width * height; cell++) {
        if (cell % width + 1 < width) assert_true(related(tree, cell, cell + 1));
        if (cell + width < width * height) assert_true(related(tree, cell, cell + width));
      }
      th_elimination_release(tree);
    }
  }
}

static th_result build(const th_env *env, void *context) {
  (void)context;
  th_elimination *tree = th_dissection_make(&env->allocator, 20, 30, 8, 64);
  if (!tree) return TH_ERROR_MEMORY;
  assert_true(th_elimination_bytes(tree) > 20 * 30 * 2 * sizeof(uint32_t));
  th_elimination_release(th_elimination_retain(tree));
  th_elimination_release(tree);
  return TH_OK;
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  assert_true(failing_every(build, NULL) >= 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(separators_separate),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
