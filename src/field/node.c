/* field/node.c - what each cell contributes to directions, before anyone asks.
 *
 * Sampling takes the gradient of a quadratic spline over u (see sample_kernel.h). Only ratios of neighbouring cells
 * enter it, and these stay of the order of 1 however small u is, so their differences, formed in double, are stored
 * as floats. Walls enter as u = 0 (Dirichlet) or as mirrors (Neumann); a geodesic field is u = exp(-T) with mirrors,
 * T in cells. Cost: one pass, four quotients a cell.
 */
#include <math.h>

#include "field/field.h"

enum { EAST, NORTH, WEST, SOUTH };

/* u of cell n over u of cell c, both free and able to reach the goal. */
static double ratio(const th_draft *draft, uint32_t n, uint32_t c) {
  const th_field *field = draft->field;
  if (draft->geodesic) return exp(draft->distance[c] - draft->distance[n]);
  return field->log_u ? exp(field->log_u[n] - field->log_u[c]) : field->u[n] / field->u[c];
}

/* Whether a goal is among the eight neighbours, and not behind a corner between two blocked cells. */
static bool beside_goal(const th_draft *draft, uint32_t c, int32_t code) {
  const uint32_t w = draft->ground->width, side[4] = {c + 1, c + w, c - 1, c - w};
  const uint32_t corner[4] = {c + w + 1, c + w - 1, c - w - 1, c - w + 1};
  for (int k = 0; k < 4; k++) {
    bool joined = code & ((1 << k) | (1 << (k + 1) % 4));
    if (draft->kind[side[k]] == TH_CELL_PINNED || (joined && draft->kind[corner[k]] == TH_CELL_PINNED)) return true;
  }
  return false;
}

static void fill_differences(const th_draft *draft, const uint32_t at[4], uint32_t c, th_node *node) {
  double r[4];
  for (int k = 0; k < 4; k++) r[k] = node->code & (1 << k) ? ratio(draft, at[k], c) : draft->field->mirror ? 1.0 : 0.0;
  double east = r[EAST] - 1.0, west = 1.0 - r[WEST], north = r[NORTH] - 1.0, south = 1.0 - r[SOUTH];
  node->gx = (float)(0.5 * (east + west));
  node->hx = (float)(east - west);
  node->gy = (float)(0.5 * (north + south));
  node->hy = (float)(north - south);
}

/* A cell with two ways up and a blocked cell between them: the spline may rise to a point between the two instead of
 * leading into either. The blocked cell is the corner between two sides, or any corner between opposite sides. */
static bool is_fork(const th_draft *draft, uint32_t c, const th_node *node) {
  const uint32_t w = draft->ground->width, corner[4] = {c + w + 1, c + w - 1, c - w - 1, c - w + 1};
  const float rise[4] = {node->hx * 0.5f + node->gx, node->hy * 0.5f + node->gy, node->hx * 0.5f - node->gx,
                         node->hy * 0.5f - node->gy};
  bool shut[4];
  for (int k = 0; k < 4; k++) shut[k] = !th_is_free(draft, corner[k]);
  for (int k = 0; k < 4; k++) {
    if (!(rise[k] > 0.0f)) continue;
    if (rise[(k + 1) % 4] > 0.0f && shut[k]) return true;
    if (rise[(k + 2) % 4] > 0.0f && (shut[0] || shut[1] || shut[2] || shut[3])) return true;
  }
  return false;
}

/* The centre of the highest side. */
static int32_t highest_side(const th_node *node) {
  const float east = node->hx * 0.5f + node->gx, west = node->hx * 0.5f - node->gx;
  const float north = node->hy * 0.5f + node->gy, south = node->hy * 0.5f - node->gy;
  const float across = east > west ? east : west, along = north > south ? north : south;
  if (across > along) return th_node_aim(east > west ? 1 : -1, 0);
  return th_node_aim(0, north > south ? 1 : -1);
}

/* Half the difference of the distances on both sides; a blocked side counts as level. */
static float left_slope(const th_draft *draft, uint32_t c, uint32_t up, uint32_t down) {
  const double *t = draft->distance;
  double high = th_is_free(draft, up) ? t[up] : t[c], low = th_is_free(draft, down) ? t[down] : t[c];
  return (float)(0.5 * (high - low) * (double)draft->ground->cell);
}

static th_node free_node(const th_draft *draft, uint32_t c) {
  const uint32_t w = draft->ground->width, at[4] = {c + 1, c + w, c - 1, c - w};
  th_node node = {.code = TH_NODE_FREE};
  for (int k = 0; k < 4; k++)
    if (th_is_free(draft, at[k])) node.code |= 1 << k;
  if (draft->kind[c] == TH_CELL_PINNED) node.code |= TH_NODE_GOAL;
  if (!isfinite(draft->distance[c])) return node;
  node.code |= TH_NODE_REACHES;
  node.left = (float)(draft->distance[c] * (double)draft->ground->cell);
  fill_differences(draft, at, c, &node);
  if (beside_goal(draft, c, node.code)) node.code |= TH_NODE_BESIDE_GOAL;
  node.code |= TH_NODE_SMOOTH | (is_fork(draft, c, &node) ? TH_NODE_FORK : 0);
  node.code |= highest_side(&node);
  node.lx = left_slope(draft, c, at[EAST], at[WEST]);
  node.ly = left_slope(draft, c, at[NORTH], at[SOUTH]);
  return node;
}

/* A blocked cell aims at its exit. */
static th_node blocked_node(const th_draft *draft, uint32_t c) {
  th_node node = {0};
  uint32_t out = draft->exits[c], w = draft->ground->width;
  if (out == TH_NO_CELL || !isfinite(draft->distance[out])) return node;
  int32_t di = (int32_t)(out % w) - (int32_t)(c % w), dj = (int32_t)(out / w) - (int32_t)(c / w);
  node.left = (float)((draft->distance[out] + hypot((double)di, (double)dj)) * (double)draft->ground->cell);
  node.code = TH_NODE_REACHES | th_node_aim(di, dj);
  return node;
}

void th_node_fill(th_draft *draft) {
  const uint32_t w = draft->ground->width, h = draft->ground->height;
  for (uint32_t j = 1; j + 1 < h; j++)
    for (uint32_t c = j * w + 1; c < (j + 1) * w - 1; c++)
      draft->field->node[c] = th_is_free(draft, c) ? free_node(draft, c) : blocked_node(draft, c);
}
