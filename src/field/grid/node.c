/* field/grid/node.c - what each cell contributes to directions, before anyone asks.
 *
 * Sampling takes the gradient of a quadratic spline over u in the 3 x 3 cells around a place (see sample_kernel.h).
 * Only the ratios of the eight neighbours to the cell enter it, and these stay of the order of 1 however small u is;
 * what they differ from 1 is formed in double and stored in 16 bits relative to the largest. Blocked neighbours hold 0
 * (Dirichlet) or mirror the free side (Neumann); a geodesic field is u = exp(-T) with mirrors, T in cells. Cost: one
 * pass, eight quotients a cell.
 */
#include <math.h>

#include "base/trig.h"
#include "field/grid/point_goal.h"

/* The cells around one cell. */
typedef struct around {
  uint32_t at[8];
  bool free[8];
  double more[8];
} around;

static around look_around(const th_draft *draft, uint32_t c) {
  const uint32_t w = draft->ground->width;
  around a = {.at = {c + 1, c + w, c - 1, c - w, c + w + 1, c + w - 1, c - w - 1, c - w + 1}};
  for (int k = 0; k < 8; k++) a.free[k] = th_is_free(draft, a.at[k]);
  return a;
}

/* What cell n holds more than c, relative to it; both free and able to reach the goal. */
static double more_of(const th_draft *draft, uint32_t n, uint32_t c) {
  const th_field *field = draft->field;
  if (draft->geodesic) return th_expm1_double(draft->distance[c] - draft->distance[n]);
  if (field->log_u) return th_expm1_double(field->log_u[n] - field->log_u[c]);
  return (field->u[n] - field->u[c]) / field->u[c];
}

/* Corner k between the sides k and `next`: it counts when a free side leads there, so nothing leaks between two blocked
 * cells. With mirrors a blocked side repeats the line beside it. */
static double corner_more(const th_draft *draft, const around *a, uint32_t c, int k) {
  const int next = (k + 1) % 4;
  const bool side = a->free[k], other = a->free[next], free = a->free[4 + k];
  if (!draft->field->mirror) return free && (side || other) ? more_of(draft, a->at[4 + k], c) : -1.0;
  if (!side) return a->more[next];
  if (!other) return a->more[k];
  return free ? more_of(draft, a->at[4 + k], c) : 0.5 * (a->more[k] + a->more[next]);
}

static void fill_more(const th_draft *draft, uint32_t c, around *a) {
  const double blocked = draft->field->mirror ? 0.0 : -1.0;
  for (int k = 0; k < 4; k++) a->more[k] = a->free[k] ? more_of(draft, a->at[k], c) : blocked;
  for (int k = 0; k < 4; k++) a->more[4 + k] = corner_more(draft, a, c, k);
}

static uint32_t packed(double low, double high) {
  return (uint32_t)(lrint(low) + 32768) | (uint32_t)(lrint(high) + 32768) << 16;
}

static void store_more(const double more[8], th_node *node) {
  double most = 0.0;
  for (int k = 0; k < 8; k++) most = fmax(most, fabs(more[k]));
  const double unit = most > 0.0 ? 32767.0 / most : 0.0;
  for (int k = 0; k < 4; k++) node->more[k] = packed(more[2 * k] * unit, more[2 * k + 1] * unit);
  node->scale = (float)(most / 32767.0);
}

/* Half the difference of the distances on both sides, where a blocked side counts as level. */
static double left_slope(const th_draft *draft, const around *a, uint32_t c, int up, int down) {
  const double *t = draft->distance;
  double high = a->free[up] ? t[a->at[up]] : t[c], low = a->free[down] ? t[a->at[down]] : t[c];
  return fmax(-1.9, fmin(0.5 * (high - low), 1.9)) * 16384.0;
}

/* Whether a goal is among the eight neighbours, and not behind a corner between two blocked cells. */
static bool beside_goal(const th_draft *draft, const around *a) {
  for (int k = 0; k < 4; k++) {
    bool joined = a->free[k] || a->free[(k + 1) % 4];
    if (draft->kind[a->at[k]] == TH_CELL_PINNED || (joined && draft->kind[a->at[4 + k]] == TH_CELL_PINNED)) return true;
  }
  return false;
}

/* A cell with two ways up and a blocked cell between them: the spline may rise to a point between the two instead of
 * leading into either. The blocked cell is the corner between two sides, or any corner between opposite sides. */
static bool is_fork(const around *a) {
  const bool open = a->free[4] && a->free[5] && a->free[6] && a->free[7];
  for (int k = 0; k < 4; k++) {
    if (!(a->more[k] > 0.0)) continue;
    if (a->more[(k + 1) % 4] > 0.0 && !a->free[4 + k]) return true;
    if (a->more[(k + 2) % 4] > 0.0 && !open) return true;
  }
  return false;
}

static int32_t highest_side(const around *a) {
  static const int32_t step[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  int best = 0;
  for (int k = 1; k < 4; k++)
    if (a->more[k] > a->more[best]) best = k;
  return th_node_aim(step[best][0], step[best][1]);
}

static th_node free_node(const th_draft *draft, const th_round *round, uint32_t c) {
  th_node node = {.code = TH_NODE_FREE};
  if (draft->kind[c] == TH_CELL_PINNED) node.code |= TH_NODE_GOAL;
  if (!isfinite(draft->distance[c])) return node;
  around a = look_around(draft, c);
  fill_more(draft, c, &a);
  node.left = (float)(draft->distance[c] * (double)draft->ground->cell);
  node.left_more = packed(left_slope(draft, &a, c, TH_EAST, TH_WEST), left_slope(draft, &a, c, TH_NORTH, TH_SOUTH));
  node.code |= TH_NODE_REACHES | TH_NODE_SMOOTH | highest_side(&a);
  if (beside_goal(draft, &a)) node.code |= TH_NODE_BESIDE_GOAL;
  if (is_fork(&a)) node.code |= TH_NODE_FORK;
  if (th_round_holds(round, c, draft->ground->width)) th_round_more(round, c, draft->ground->width, a.more);
  store_more(a.more, &node);
  return node;
}

/* A blocked cell aims at its exit. */
static th_node blocked_node(const th_draft *draft, uint32_t c) {
  th_node node = {.left_more = packed(0.0, 0.0)};
  uint32_t out = draft->exits[c], w = draft->ground->width;
  if (out == TH_NO_CELL || !isfinite(draft->distance[out])) return node;
  int32_t di = (int32_t)(out % w) - (int32_t)(c % w), dj = (int32_t)(out / w) - (int32_t)(c / w);
  node.left = (float)((draft->distance[out] + th_hypot_double((double)di, (double)dj)) * (double)draft->ground->cell);
  node.code = TH_NODE_REACHES | th_node_aim(di, dj);
  return node;
}

void th_node_fill(th_draft *draft) {
  const uint32_t w = draft->ground->width, h = draft->ground->height;
  th_round round;
  th_round_make(draft, &round);
  for (uint32_t j = 1; j + 1 < h; j++)
    for (uint32_t c = j * w + 1; c < (j + 1) * w - 1; c++)
      draft->field->node[c] = th_is_free(draft, c) ? free_node(draft, &round, c) : blocked_node(draft, c);
}
