/* field/grid/point_goal.c - makes directions around a goal of one cell independent of the grid's axes.
 *
 * Two things make the grid visible in paths to a point. The first is the five-point equation: at r cells from a source
 * its u differs from the logarithm by cos(4 phi) / 12 r^2 of the flow, which turns directions by up to 19 / r^2
 * degrees, to and fro along a straight path. The second is the spline, which cannot follow a logarithm to its pole.
 * Both are corrected before nodes are filled, so sampling costs nothing more. In the largest rectangle of free cells
 * about the goal u is relaxed with the nine-point equation (Collatz 1960: sides 4, corners 1), which is isotropic to
 * the sixth order, with the flow F that u has out of the goal, and with u on the rim. The spline is laid through W =
 * exp(-2 TH_PI u / F), whose slope has the same direction: near the goal u is -F / 2 TH_PI log r plus something smooth,
 * so W is r times something smooth. (With the square of W, paths in the open turn even less, but paths to a goal beside
 * a wall turn more.) In narrow places the nine-point u decays at another rate than the u around it: they are left
 * alone. So are mirrors and larger goals, which show the grid less, and fields for agents with vectors of their own,
 * which need the length of the slope too. Cost: 64 sweeps over at most 25 x 25 cells.
 */
#include "field/grid/point_goal.h"

#include <math.h>

#include "base/exp_log.h"
#include "base/trig.h"

#define MIN 5 /* cells from wall to wall */
#define SWEEPS 64
#define OMEGA 1.7

static bool is_open(const th_field_build *build, size_t c, size_t stride, uint32_t count) {
  for (uint32_t n = 0; n < count; n++)
    if (!th_is_free(build, c + n * stride)) return false;
  return true;
}

/* Moves all four sides out by a row at a time, as long as every cell of the row is free. */
static void grow(const th_field_build *build, uint32_t goal, th_point_goal *round) {
  const uint32_t w = build->ground->flat->width;
  uint32_t i0 = goal % w, i1 = i0, j0 = goal / w, j1 = j0;
  bool east = true, north = true, west = true, south = true;
  for (int n = 0; n < TH_POINT_GOAL_REACH; n++) {
    if ((east = east && is_open(build, (size_t)j0 * w + i1 + 1, w, j1 - j0 + 1))) i1++;
    if ((north = north && is_open(build, (size_t)(j1 + 1) * w + i0, 1, i1 - i0 + 1))) j1++;
    if ((west = west && is_open(build, (size_t)j0 * w + i0 - 1, w, j1 - j0 + 1))) i0--;
    if ((south = south && is_open(build, (size_t)(j0 - 1) * w + i0, 1, i1 - i0 + 1))) j0--;
  }
  round->i0 = i0;
  round->j0 = j0;
  round->columns = i1 - i0 + 1;
  round->rows = j1 - j0 + 1;
}

/* Copies u with one row of rim. */
static void read_u(const th_field_build *build, th_point_goal *round) {
  const uint32_t w = build->ground->flat->width;
  const double *u = build->field->u + (size_t)(round->j0 - 1) * w + round->i0 - 1;
  for (uint32_t j = 0; j < round->rows + 2; j++)
    for (uint32_t i = 0; i < round->columns + 2; i++) round->u[j + 1][i + 1] = u[(size_t)j * w + i];
}

/* (20 + 6 screen) u = 4 sides + corners, + 6 flow in the goal. */
static void sweep(const th_field_build *build, th_point_goal *round, double flow) {
  const uint32_t w = build->ground->flat->width, goal = build->goal.cell[0];
  const double inverse = 1.0 / (20.0 + 6.0 * build->screen);
  for (uint32_t j = 2; j < round->rows + 2; j++) {
    const double *south = round->u[j - 1], *north = round->u[j + 1];
    double *u = round->u[j];
    for (uint32_t i = 2; i < round->columns + 2; i++) {
      double sides = (u[i - 1] + u[i + 1]) + (south[i] + north[i]);
      double corners = (south[i - 1] + south[i + 1]) + (north[i - 1] + north[i + 1]);
      double source = (round->j0 + j - 2) * w + round->i0 + i - 2 == goal ? 6.0 * flow : 0.0;
      u[i] += OMEGA * ((4.0 * sides + corners + source) * inverse - u[i]);
    }
  }
}

/* The second row of rim: beyond a wall u goes on as its negative mirror image, elsewhere as it is in the field. */
static void read_rim(const th_field_build *build, th_point_goal *round) {
  const uint32_t w = build->ground->flat->width, last_i = round->columns + 3, last_j = round->rows + 3;
  for (uint32_t j = 0; j <= last_j; j++)
    for (uint32_t i = 0; i <= last_i; i++) {
      const uint32_t ni = i == 0 ? 1 : i == last_i ? i - 1 : i, nj = j == 0 ? 1 : j == last_j ? j - 1 : j;
      if (ni == i && nj == j) continue;
      const size_t rim = (size_t)(round->j0 + nj - 2) * w + round->i0 + ni - 2;
      const size_t far = (size_t)(round->j0 + j - 2) * w + round->i0 + i - 2;
      round->u[j][i] = th_is_free(build, rim) ? build->field->u[far] : -round->u[2 * nj - j][2 * ni - i];
    }
}

/* Coefficients of the spline through W: W - (its discrete Laplacian) / 8, where W is 0 in the goal. */
static void fit(const th_field_build *build, th_point_goal *round) {
  double value[TH_POINT_GOAL_SIDE][TH_POINT_GOAL_SIDE];
  const uint32_t w = build->ground->flat->width, goal = build->goal.cell[0];
  for (uint32_t j = 0; j < round->rows + 4; j++)
    for (uint32_t i = 0; i < round->columns + 4; i++) {
      bool at_goal = (round->j0 + j - 2) * w + round->i0 + i - 2 == goal;
      value[j][i] = at_goal ? 0.0 : th_exp_double(-round->rate * round->u[j][i]);
    }
  for (uint32_t j = 1; j < round->rows + 3; j++)
    for (uint32_t i = 1; i < round->columns + 3; i++) {
      double sides = (value[j][i - 1] + value[j][i + 1]) + (value[j - 1][i] + value[j + 1][i]);
      round->w[j][i] = value[j][i] - 0.125 * (sides - 4.0 * value[j][i]);
    }
}

void th_point_goal_make(const th_field_build *build, th_point_goal *round) {
  round->i0 = round->j0 = round->rows = round->columns = 0;
  const th_field_def *def = build->def;
  if (build->goal.count != 1 || build->field->mirror || def->planner || def->eps != 0.0f) return;
  const uint32_t w = build->ground->flat->width, goal = build->goal.cell[0];
  const double *u = build->field->u;
  grow(build, goal, round);
  if (round->columns < MIN || round->rows < MIN) round->rows = 0;
  if (!round->rows) return;
  double flow = (4.0 + build->screen) * u[goal] - (u[goal + 1] + u[goal - 1] + u[goal + w] + u[goal - w]);
  round->rate = 2.0 * TH_PI / flow;
  read_u(build, round);
  for (int n = 0; n < SWEEPS; n++) sweep(build, round, flow);
  read_rim(build, round);
  fit(build, round);
}

/* Relative to u, as other nodes are: V = -W / (W_c rate u_c) rises like u / u_c at the cell's centre. Scaling it turns
 * no direction, and as V stays above -1, the spline's divisor stays above 0. */
void th_point_goal_more(const th_point_goal *round, uint32_t c, uint32_t width, double more[8]) {
  static const int32_t step[8][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  const uint32_t i = c % width - round->i0 + 2, j = c / width - round->j0 + 2;
  const double own = round->u[j][i], scale = th_exp_double(round->rate * own) / (round->rate * own);
  double min = 0.0;
  for (int k = 0; k < 8; k++) {
    const double *row = round->w[(int32_t)j + step[k][1]];
    more[k] = (round->w[j][i] - row[(int32_t)i + step[k][0]]) * scale;
    min = fmin(min, more[k]);
  }
  for (int k = 0; k < 8 && min < -1.0; k++) more[k] /= -min;
}
