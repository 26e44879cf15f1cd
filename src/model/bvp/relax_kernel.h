/* model/bvp/relax_kernel.h - the relaxation for one precision; relax.lanes.c includes it twice.
 *
 * REAL, V (register), V_* (operations), KERNEL(name) are defined by the includer. One cell of one sweep is
 *
 *   u = ((w_far far + w_ahead ahead) + w_behind behind) + w_near near
 *
 * with near and behind already new, far and ahead still old. The new neighbour of the same row comes from a register
 * and is added last, so the chain from cell to cell is one product and one sum; a closed cell is a + 0 near with a = 0
 * or its own value. Three or four rows advance together, each one cell behind the one before: their chains hide each
 * other's latency, and inner rows take two of their neighbours from registers. (Two rows, or two maps, left the adders
 * idle for a third of the time.)
 */

typedef struct KERNEL(weights) {
  V far, ahead, behind, near;
} KERNEL(weights);

/* Where a front starts: the first inner cell of its first row in the order of the sweep. */
typedef struct KERNEL(lines) {
  REAL *u;
  const REAL *open;
  ptrdiff_t x, y;  /* to the next cell, to the next row */
  ptrdiff_t count; /* inner cells a row */
  KERNEL(weights) w;
} KERNEL(lines);

static inline __attribute__((always_inline)) V KERNEL(cell)(const KERNEL(weights) * w, V far, V ahead, V behind, V near,
                                                            V open, V self, bool goals) {
  V a = V_ADD(V_ADD(V_MUL(w->far, far), V_MUL(w->ahead, ahead)), V_MUL(w->behind, behind));
  a = goals ? V_SELECT(open, a, self) : V_AND(a, open);
  return V_ADD(a, V_MUL(V_AND(w->near, open), near));
}

/* One column of a front: row r stands at column k - r, for r from hi down to lo. A row's ahead neighbour is what the
 * row before it loads as far, its behind neighbour what that row stored one column ago. */
static inline __attribute__((always_inline)) void KERNEL(front)(const KERNEL(lines) * l, ptrdiff_t k, int lo, int hi,
                                                                V *near, bool goals) {
  V ahead = V_LOAD(l->u + (hi + 1) * l->y + (k - hi) * l->x);
  for (int r = hi; r >= lo; r--) {
    ptrdiff_t at = r * l->y + (k - r) * l->x;
    V far = V_LOAD(l->u + at + l->x), behind = r ? near[r ? r - 1 : 0] : V_LOAD(l->u + at - l->y);
    near[r] = KERNEL(cell)(&l->w, far, ahead, behind, near[r], V_LOAD(l->open + at), V_LOAD(l->u + at), goals);
    V_STORE(l->u + at, near[r]);
    ahead = far;
  }
}

/* `rows` rows, each one cell behind the one before. */
static inline __attribute__((always_inline)) void KERNEL(rows)(const KERNEL(lines) * l, const int rows, bool goals) {
  V near[4];
  ptrdiff_t k = 0;
  for (int r = 0; r < rows; r++) near[r] = V_LOAD(l->u + r * l->y - l->x);
  for (; k < rows - 1; k++) KERNEL(front)(l, k, 0, (int)k, near, goals);
  for (; k < l->count; k++) KERNEL(front)(l, k, 0, rows - 1, near, goals);
  for (; k < l->count + rows - 1; k++) KERNEL(front)(l, k, (int)(k - l->count) + 1, rows - 1, near, goals);
}

static inline __attribute__((always_inline)) void KERNEL(sweep)(const th_bvp_maps *maps, uint32_t order, bool goals) {
  const ptrdiff_t n = (ptrdiff_t)maps->n, lanes = V_LANES;
  const REAL *right = maps->weight, *left = right + lanes, *top = left + lanes, *bottom = top + lanes;
  const bool back = order & 1u, down = order & 2u;
  const ptrdiff_t first = ((down ? n - 2 : 1) * n + (back ? n - 2 : 1)) * lanes;
  KERNEL(lines)
  l = {.u = (REAL *)maps->u + first,
       .open = (const REAL *)maps->open + first,
       .x = back ? -lanes : lanes,
       .y = down ? -n * lanes : n * lanes,
       .count = n - 2,
       .w = {V_LOAD(back ? left : right), V_LOAD(down ? bottom : top), V_LOAD(down ? top : bottom),
             V_LOAD(back ? right : left)}};
  for (ptrdiff_t rest = n - 2, rows; rest > 0; rest -= rows, l.u += rows * l.y, l.open += rows * l.y) {
    rows = rest < 3 ? rest : rest % 3 && rest != 5 ? 4 : 3;
    if (rows == 4)
      KERNEL(rows)(&l, 4, goals);
    else if (rows == 3)
      KERNEL(rows)(&l, 3, goals);
    else if (rows == 2)
      KERNEL(rows)(&l, 2, goals);
    else
      KERNEL(rows)(&l, 1, goals);
  }
}

void TH_LANES_NAME(KERNEL_EXPORT)(const th_bvp_maps *maps) {
  for (uint32_t k = 0; k < maps->sweeps; k++) {
    uint32_t order = th_bvp_sweep_order(k, maps->alternate);
    if (maps->goals)
      KERNEL(sweep)(maps, order, true);
    else
      KERNEL(sweep)(maps, order, false);
  }
}

/* ---------------------------------------------------------------- from states to lanes and back */

static void KERNEL(weigh)(const th_bvp_batch *batch, uint32_t first, REAL *weight) {
  for (uint32_t lane = 0; lane < V_LANES; lane++) {
    const th_bvp_state *s = batch->state[first + lane < batch->count ? first + lane : batch->count - 1];
    REAL ex = (REAL)s->ex * (REAL)0.125, ey = (REAL)s->ey * (REAL)0.125;
    weight[lane] = (REAL)0.25 + ex;
    weight[V_LANES + lane] = (REAL)0.25 - ex;
    weight[2 * V_LANES + lane] = (REAL)0.25 + ey;
    weight[3 * V_LANES + lane] = (REAL)0.25 - ey;
  }
}

/* Masks of all inner cells: all bits of a word where the cell's bit in the row is clear. Rows are read in pieces of a
 * word, so that shifts stay as narrow as the values. */
static void KERNEL(open_cells)(const th_bvp_batch *batch, uint32_t first, WORD *open) {
  const uint32_t n = batch->n, bits = 8 * sizeof(WORD);
  for (uint32_t j = 1; j + 1 < n; j++)
    for (uint32_t begin = 0; begin + 1 < n; begin += bits) {
      WORD row[V_LANES];
      for (uint32_t lane = 0; lane < V_LANES; lane++)
        row[lane] =
            (WORD) ~(batch->state[first + lane < batch->count ? first + lane : batch->count - 1]->row[j] >> begin);
      uint32_t i = begin ? begin : 1, end = n - 1 < begin + bits ? n - 1 : begin + bits;
      WORD *to = open + ((size_t)j * n + i) * V_LANES;
      for (; i < end; i++, to += V_LANES)
        for (uint32_t lane = 0; lane < V_LANES; lane++) to[lane] = (WORD)0 - (row[lane] >> (i - begin) & 1u);
    }
}

/* Goals are 1. Returns true when a lane has one inside the border, whose mask is closed then. */
static bool KERNEL(place_goals)(const th_bvp_batch *batch, uint32_t first, REAL *u, WORD *open) {
  const uint32_t n = batch->n;
  bool inside = false;
  for (uint32_t lane = 0; lane < V_LANES; lane++) {
    const th_bvp_state *s = batch->state[first + lane < batch->count ? first + lane : batch->count - 1];
    uint32_t ring = 4 * (n - 1), i, j;
    if (s->goal_i != TH_BVP_NO_CELL)
      for (uint32_t k = 0; k < s->goal_width; k++) {
        th_bvp_ring_cell(n, (th_bvp_ring_number(n, s->goal_i, s->goal_j) + ring + k - s->goal_width / 2) % ring, &i,
                         &j);
        u[((size_t)j * n + i) * V_LANES + lane] = (REAL)1;
      }
    if (s->seen_i == TH_BVP_NO_CELL) continue;
    size_t at = ((size_t)s->seen_j * n + s->seen_i) * V_LANES + lane;
    inside = true;
    u[at] = (REAL)1;
    open[at] = 0;
  }
  return inside;
}

/* A cold map starts at 0 everywhere, a warm one from the values of the last decision. */
static void KERNEL(begin)(const th_bvp_batch *batch, uint32_t first, REAL *u, const WORD *open) {
  const uint32_t n = batch->n;
  memset(u, 0, sizeof *u * n * n * V_LANES);
  for (uint32_t lane = 0; batch->warm && lane < V_LANES; lane++) {
    const REAL *value = th_bvp_values(batch->state[first + lane < batch->count ? first + lane : batch->count - 1]);
    for (uint32_t j = 1; j + 1 < n; j++)
      for (uint32_t i = 1; i + 1 < n; i++) {
        size_t k = (size_t)j * n + i;
        u[k * V_LANES + lane] = open[k * V_LANES + lane] ? value[k] : (REAL)0;
      }
  }
}

/* Way up at the centre: ((right - left) / 2, (top - bottom) / 2), scaled before it is squared because u may be tiny. */
static void KERNEL(read_slope)(th_bvp_state *state, const REAL *u, uint32_t lane) {
  const uint32_t n = state->n, c = n / 2;
  const REAL *at = u + ((size_t)c * n + c) * V_LANES + lane;
  double gx = 0.5 * ((double)at[V_LANES] - (double)at[-V_LANES]);
  double gy = 0.5 * ((double)at[(ptrdiff_t)n * V_LANES] - (double)at[-(ptrdiff_t)n * V_LANES]);
  th_bvp_keep_slope(state, gx, gy);
}

static void KERNEL(end)(const th_bvp_batch *batch, uint32_t first, const REAL *u) {
  const uint32_t n = batch->n;
  for (uint32_t lane = 0; lane < V_LANES && first + lane < batch->count; lane++) {
    th_bvp_state *state = batch->state[first + lane];
    KERNEL(read_slope)(state, u, lane);
    REAL *value = th_bvp_values(state);
    for (size_t k = 0; batch->warm && k < (size_t)n * n; k++) {
      REAL v = u[k * V_LANES + lane];
      value[k] = v > (REAL)-2 && v < (REAL)2 ? v : (REAL)0; /* a field that |eps v| > 2 tore apart starts anew */
    }
  }
}

static void KERNEL(relax_agents)(const th_bvp_batch *batch) {
  const size_t cells = (size_t)batch->n * batch->n * V_LANES;
  REAL *u = batch->scratch, *weight = u + 2 * cells;
  WORD *open = (WORD *)(void *)(u + cells);
  for (uint32_t first = 0; first < batch->count; first += V_LANES) {
    KERNEL(weigh)(batch, first, weight);
    KERNEL(open_cells)(batch, first, open);
    KERNEL(begin)(batch, first, u, open);
    bool goals = KERNEL(place_goals)(batch, first, u, open);
    th_bvp_maps maps = {batch->n, batch->sweeps, batch->alternate, goals, u, open, weight};
    TH_LANES_NAME(KERNEL_EXPORT)(&maps);
    KERNEL(end)(batch, first, u);
  }
}
