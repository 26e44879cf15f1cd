/* field/node.c - the direction of each cell, before anyone asks.
 *
 * A node holds grad log u = grad u / u from central differences. The quotient is scale free: it stays of the order of
 * 1/cell however small u is, so floats carry it. Walls enter as u = 0 (Dirichlet) or as a mirror (Neumann); geodesic
 * fields use -grad T, upwind where T bends. On the axis of a symmetric map an agent walks straight into the saddle
 * before an obstacle and its lateral slope is 0 or rounding noise; where both sides of a cell lie higher, the slope
 * is therefore kept at a quarter of the lower rise, which leaves it an ascent. Cost: one pass, four quotients a cell.
 */
#include <math.h>

#include "field/field.h"

#define LEAST_TURN 0.25

enum { EAST, NORTH, WEST, SOUTH };

typedef struct around {
  uint32_t at[4]; /* cells to the east, north, west and south */
} around;

static around around_of(const th_draft *draft, uint32_t c) {
  uint32_t w = draft->ground->width;
  return (around){{c + 1, c + w, c - 1, c - w}};
}

static int32_t code_of(const th_draft *draft, uint32_t c) {
  uint32_t w = draft->ground->width;
  bool e = th_is_free(draft, c + 1), n = th_is_free(draft, c + w), t = th_is_free(draft, c - 1),
       s = th_is_free(draft, c - w);
  int32_t code = TH_NODE_FREE | (e ? TH_NODE_EAST : 0) | (n ? TH_NODE_NORTH : 0) | (t ? TH_NODE_WEST : 0) |
                 (s ? TH_NODE_SOUTH : 0);
  if ((n || e) && th_is_free(draft, c + w + 1)) code |= TH_NODE_NORTH_EAST;
  if ((n || t) && th_is_free(draft, c + w - 1)) code |= TH_NODE_NORTH_WEST;
  if ((s || t) && th_is_free(draft, c - w - 1)) code |= TH_NODE_SOUTH_WEST;
  if ((s || e) && th_is_free(draft, c - w + 1)) code |= TH_NODE_SOUTH_EAST;
  if (draft->kind[c] == TH_CELL_PINNED) code |= TH_NODE_GOAL;
  if (isfinite(draft->distance[c])) code |= TH_NODE_REACHES;
  return code;
}

/* (ahead - behind) / 2, where both are ratios to the cell's own value; see the head of this file for the turn. */
static double central(double ahead, double behind) {
  double slope = 0.5 * (ahead - behind), rise = fmin(ahead, behind) - 1.0;
  if (rise > 0.0 && fabs(slope) < LEAST_TURN * rise) return slope < 0.0 ? -LEAST_TURN * rise : LEAST_TURN * rise;
  return slope;
}

/* u of each neighbour over the cell's own. */
static void potential_slope(const th_draft *draft, uint32_t c, double *gx, double *gy) {
  const th_field *field = draft->field;
  around near = around_of(draft, c);
  double ratio[4];
  for (int k = 0; k < 4; k++) {
    uint32_t n = near.at[k];
    if (!th_is_free(draft, n))
      ratio[k] = draft->def->walls == TH_WALLS_NEUMANN ? 1.0 : 0.0;
    else if (field->log_u)
      ratio[k] = exp(field->log_u[n] - field->log_u[c]);
    else
      ratio[k] = field->u[n] / field->u[c];
  }
  *gx = central(ratio[EAST], ratio[WEST]);
  *gy = central(ratio[NORTH], ratio[SOUTH]);
}

/* -dT along one axis: central where T runs straight through, else towards the lower side. */
static double distance_slope(double own, double ahead, double behind) {
  double up = ahead - own, down = own - behind;
  if (up * down > 0.0 && isfinite(up) && isfinite(down)) return -0.5 * (up + down);
  if (up < 0.0 && -up > down) return -up;
  return down > 0.0 ? -down : 0.0;
}

static void geodesic_slope(const th_draft *draft, uint32_t c, double *gx, double *gy) {
  around near = around_of(draft, c);
  const double *t = draft->distance;
  *gx = distance_slope(t[c], t[near.at[EAST]], t[near.at[WEST]]);
  *gy = distance_slope(t[c], t[near.at[NORTH]], t[near.at[SOUTH]]);
}

static th_node free_node(const th_draft *draft, uint32_t c) {
  th_node node = {.code = code_of(draft, c)};
  if (!(node.code & TH_NODE_REACHES)) return node;
  const double cell = (double)draft->ground->cell;
  node.left = (float)(draft->distance[c] * cell);
  if (node.code & TH_NODE_GOAL) return node;
  double gx, gy;
  if (draft->geodesic)
    geodesic_slope(draft, c, &gx, &gy);
  else
    potential_slope(draft, c, &gx, &gy);
  node.gx = (float)(gx / cell);
  node.gy = (float)(gy / cell);
  return node;
}

/* In a blocked cell: straight to its exit, at twice 1/cell so that no behaviour vector outweighs it. */
static th_node blocked_node(const th_draft *draft, uint32_t c) {
  th_node node = {0};
  uint32_t out = draft->exits[c];
  if (out == TH_NO_CELL || !isfinite(draft->distance[out])) return node;
  uint32_t w = draft->ground->width;
  double di = (double)(out % w) - (double)(c % w), dj = (double)(out / w) - (double)(c / w);
  double length = sqrt(di * di + dj * dj), cell = (double)draft->ground->cell;
  node.gx = (float)(2.0 * di / (length * cell));
  node.gy = (float)(2.0 * dj / (length * cell));
  node.left = (float)((draft->distance[out] + length) * cell);
  node.code = TH_NODE_REACHES;
  return node;
}

void th_node_fill(th_draft *draft) {
  const uint32_t w = draft->ground->width, h = draft->ground->height;
  for (uint32_t j = 1; j + 1 < h; j++)
    for (uint32_t c = j * w + 1; c < (j + 1) * w - 1; c++)
      draft->field->node[c] = th_is_free(draft, c) ? free_node(draft, c) : blocked_node(draft, c);
}
