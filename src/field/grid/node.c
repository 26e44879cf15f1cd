/* field/grid/node.c - precomputes what each cell contributes to directions.
 *
 * Sampling takes the gradient of a quadratic spline over u in the 3 x 3 cells around a place (see sample_kernel.h).
 * Only the ratios of the eight neighbours to the cell enter it, and these stay of the order of 1 however small u is;
 * their differences from 1 are computed in double and stored in 16 bits relative to the largest. Blocked neighbours
 * hold 0 (Dirichlet) or mirror the free side (Neumann); a geodesic field is u = exp(-T) with mirrors, T in cells, a
 * roomy one likewise with the cost of its path. Cost: one pass, eight quotients per cell.
 */
#include <math.h>

#include "base/trig.h"
#include "field/grid/blocked/exit.h"
#include "field/grid/point_goal.h"

/* The cells around one cell. */
typedef struct around {
  uint32_t at[8];
  bool free[8];
  double more[8];
} around;

static around look_around(const th_field_build *build, uint32_t c) {
  const uint32_t w = build->ground->flat->width;
  around a = {.at = {c + 1, c + w, c - 1, c - w, c + w + 1, c + w - 1, c - w - 1, c - w + 1}};
  for (int k = 0; k < 8; k++) a.free[k] = th_is_free(build, a.at[k]);
  return a;
}

/* u of cell n minus u of c, relative to the latter; both cells are free and can reach the goal. */
static double more_of(const th_field_build *build, uint32_t n, uint32_t c) {
  const th_field *field = build->field;
  if (build->geodesic) return th_expm1_double(build->lead[c] - build->lead[n]);
  if (field->log_u) return th_expm1_double(field->log_u[n] - field->log_u[c]);
  return (field->u[n] - field->u[c]) / field->u[c];
}

/* Corner k between the sides k and `next`: it counts when a free side leads there, so nothing leaks between two blocked
 * cells. With mirrors a blocked side repeats the line beside it. */
static double corner_more(const th_field_build *build, const around *a, uint32_t c, int k) {
  const int next = (k + 1) % 4;
  const bool side = a->free[k], other = a->free[next], free = a->free[4 + k];
  if (!build->field->mirror) return free && (side || other) ? more_of(build, a->at[4 + k], c) : -1.0;
  if (!side) return a->more[next];
  if (!other) return a->more[k];
  return free ? more_of(build, a->at[4 + k], c) : 0.5 * (a->more[k] + a->more[next]);
}

static void fill_more(const th_field_build *build, uint32_t c, around *a) {
  const double blocked = build->field->mirror ? 0.0 : -1.0;
  for (int k = 0; k < 4; k++) a->more[k] = a->free[k] ? more_of(build, a->at[k], c) : blocked;
  for (int k = 0; k < 4; k++) a->more[4 + k] = corner_more(build, a, c, k);
}

static uint32_t packed(double low, double high) {
  return (uint32_t)(lrint(low) + 32768) | (uint32_t)(lrint(high) + 32768) << 16;
}

static void store_more(const double more[8], th_node *node) {
  double max = 0.0;
  for (int k = 0; k < 8; k++) max = fmax(max, fabs(more[k]));
  const double unit = max > 0.0 ? 32767.0 / max : 0.0;
  for (int k = 0; k < 4; k++) node->more[k] = packed(more[2 * k] * unit, more[2 * k + 1] * unit);
  node->scale = (float)(max / 32767.0);
}

/* Half the difference of the distances on both sides, where a blocked side counts as level. */
static double left_slope(const th_field_build *build, const around *a, uint32_t c, int up, int down) {
  const double *t = build->distance;
  double high = a->free[up] ? t[a->at[up]] : t[c], low = a->free[down] ? t[a->at[down]] : t[c];
  return fmax(-1.9, fmin(0.5 * (high - low), 1.9)) * 16384.0;
}

/* Whether a goal is among the eight neighbours, and not behind a corner between two blocked cells. */
static bool beside_goal(const th_field_build *build, const around *a) {
  for (int k = 0; k < 4; k++) {
    bool joined = a->free[k] || a->free[(k + 1) % 4];
    if (build->kind[a->at[k]] == TH_CELL_PINNED || (joined && build->kind[a->at[4 + k]] == TH_CELL_PINNED)) return true;
  }
  return false;
}

/* A cell with two paths up and a blocked cell between them: the spline may rise to a point between the two instead of
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

static th_node free_node(const th_field_build *build, const th_point_goal *round, uint32_t c) {
  th_node node = {.code = TH_NODE_FREE};
  if (build->kind[c] == TH_CELL_PINNED) node.code |= TH_NODE_GOAL;
  if (!isfinite(build->distance[c])) return node;
  around a = look_around(build, c);
  fill_more(build, c, &a);
  node.left = (float)(build->distance[c] * (double)build->ground->cell);
  node.left_more = packed(left_slope(build, &a, c, TH_EAST, TH_WEST), left_slope(build, &a, c, TH_NORTH, TH_SOUTH));
  node.code |= TH_NODE_REACHES | TH_NODE_SMOOTH | highest_side(&a);
  if (beside_goal(build, &a)) node.code |= TH_NODE_BESIDE_GOAL;
  if (is_fork(&a)) node.code |= TH_NODE_FORK;
  if (th_point_goal_holds(round, c, build->ground->flat->width))
    th_point_goal_more(round, c, build->ground->flat->width, a.more);
  store_more(a.more, &node);
  return node;
}

/* What is left falls towards the aim. */
void th_node_lead(const th_field_build *build, uint32_t c, uint32_t aim, double left) {
  const uint32_t w = build->ground->flat->width;
  const int32_t di = (int32_t)(aim % w) - (int32_t)(c % w), dj = (int32_t)(aim / w) - (int32_t)(c / w);
  const double span = th_hypot_double((double)di, (double)dj), fall = -16384.0 / span;
  th_node *node = &build->field->node[c];
  node->left = (float)(left * (double)build->ground->cell);
  node->left_more = packed(fall * (double)di, fall * (double)dj);
  node->code = (node->code & TH_NODE_FREE) | TH_NODE_REACHES | th_node_aim(di, dj);
}

/* A blocked cell aims at its exit. */
static void fill_blocked(const th_field_build *build, uint32_t c) {
  const uint32_t out = th_exit_of(build, c), w = build->ground->flat->width;
  build->field->node[c] = (th_node){.left_more = packed(0.0, 0.0)};
  if (out == TH_NO_CELL || !isfinite(build->distance[out])) return;
  const double di = (double)(out % w) - (double)(c % w), dj = (double)(out / w) - (double)(c / w);
  th_node_lead(build, c, out, build->distance[out] + th_hypot_double(di, dj));
}

void th_node_fill(th_field_build *build) {
  const uint32_t w = build->ground->flat->width, h = build->ground->flat->height;
  th_point_goal round;
  th_point_goal_make(build, &round);
  for (uint32_t j = 1; j + 1 < h; j++)
    for (uint32_t c = j * w + 1; c < (j + 1) * w - 1; c++)
      if (th_is_free(build, c))
        build->field->node[c] = free_node(build, &round, c);
      else
        fill_blocked(build, c);
}
