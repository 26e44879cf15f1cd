/* model/bvp/relax_kernel.h - the relaxation for one precision; relax.lanes.c includes it twice.
 *
 * REAL, V (register), V_* (operations), KERNEL(name) are defined by the includer. One cell of one sweep is
 *
 *   u = ((w_far far + w_ahead ahead) + w_behind behind) + w_near near
 *
 * with near and behind already new, far and ahead still old. The new neighbour of the same row comes from a register
 * and is added last, so the chain from cell to cell is one product and one sum; a closed cell is a + 0 near with a = 0
 * or its own value. Two rows advance together, the second one cell behind the first: two chains hide each other's
 * latency, and the second row takes two of its neighbours from registers.
 */

typedef struct KERNEL(weights) {
  V far, ahead, behind, near;
} KERNEL(weights);

static inline __attribute__((always_inline)) V KERNEL(cell)(const KERNEL(weights) * w, V far, V ahead, V behind, V near,
                                                            V open, V self, bool goals) {
  V a = V_ADD(V_ADD(V_MUL(w->far, far), V_MUL(w->ahead, ahead)), V_MUL(w->behind, behind));
  a = goals ? V_SELECT(open, a, self) : V_AND(a, open);
  return V_ADD(a, V_MUL(V_AND(w->near, open), near));
}

/* `a` and `open` point to the first inner cell of the row in the order of the sweep; x and y are the ways to the next
 * cell and the next row. */
static inline __attribute__((always_inline)) void KERNEL(one_row)(REAL *a, const REAL *open, ptrdiff_t x, ptrdiff_t y,
                                                                  uint32_t count, const KERNEL(weights) * w,
                                                                  bool goals) {
  V near = V_LOAD(a - x);
  for (uint32_t k = 0; k < count; k++, a += x, open += x) {
    near = KERNEL(cell)(w, V_LOAD(a + x), V_LOAD(a + y), V_LOAD(a - y), near, V_LOAD(open), V_LOAD(a), goals);
    V_STORE(a, near);
  }
}

static inline __attribute__((always_inline)) void KERNEL(two_rows)(REAL *a, const REAL *open, ptrdiff_t x, ptrdiff_t y,
                                                                   uint32_t count, const KERNEL(weights) * w,
                                                                   bool goals) {
  REAL *b = a + y;
  const REAL *open_b = open + y;
  V near_b = V_LOAD(b - x), old_b = V_LOAD(b);
  V near_a = KERNEL(cell)(w, V_LOAD(a + x), old_b, V_LOAD(a - y), V_LOAD(a - x), V_LOAD(open), V_LOAD(a), goals);
  V_STORE(a, near_a);
  for (uint32_t k = 1; k < count; k++) {
    a += x;
    open += x;
    V next_b = V_LOAD(b + x);
    V next_a = KERNEL(cell)(w, V_LOAD(a + x), next_b, V_LOAD(a - y), near_a, V_LOAD(open), V_LOAD(a), goals);
    near_b = KERNEL(cell)(w, next_b, V_LOAD(b + y), near_a, near_b, V_LOAD(open_b), old_b, goals);
    V_STORE(a, next_a);
    V_STORE(b, near_b);
    near_a = next_a;
    old_b = next_b;
    b += x;
    open_b += x;
  }
  V_STORE(b, KERNEL(cell)(w, V_LOAD(b + x), V_LOAD(b + y), near_a, near_b, V_LOAD(open_b), old_b, goals));
}

static inline __attribute__((always_inline)) void KERNEL(sweep)(const th_bvp_maps *maps, uint32_t order, bool goals) {
  const ptrdiff_t n = (ptrdiff_t)maps->n, lanes = V_LANES;
  const REAL *right = maps->weight, *left = right + lanes, *top = left + lanes, *bottom = top + lanes;
  const bool back = order & 1u, down = order & 2u;
  const KERNEL(weights) w = {V_LOAD(back ? left : right), V_LOAD(down ? bottom : top), V_LOAD(down ? top : bottom),
                             V_LOAD(back ? right : left)};
  const ptrdiff_t x = back ? -lanes : lanes, y = down ? -n * lanes : n * lanes;
  const ptrdiff_t first = ((down ? n - 2 : 1) * n + (back ? n - 2 : 1)) * lanes;
  REAL *u = (REAL *)maps->u + first;
  const REAL *open = (const REAL *)maps->open + first;
  uint32_t count = maps->n - 2, row = 0;
  for (; row + 1 < count; row += 2, u += 2 * y, open += 2 * y) KERNEL(two_rows)(u, open, x, y, count, &w, goals);
  if (row < count) KERNEL(one_row)(u, open, x, y, count, &w, goals);
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

/* Masks of all inner cells: all bits of a word where the cell's bit in the row is clear. */
static void KERNEL(open_cells)(const th_bvp_batch *batch, uint32_t first, WORD *open) {
  const uint32_t n = batch->n;
  for (uint32_t j = 1; j + 1 < n; j++) {
    uint64_t row[V_LANES];
    for (uint32_t lane = 0; lane < V_LANES; lane++)
      row[lane] = ~batch->state[first + lane < batch->count ? first + lane : batch->count - 1]->row[j];
    WORD *to = open + ((size_t)j * n + 1) * V_LANES;
    for (uint32_t i = 1; i + 1 < n; i++, to += V_LANES)
      for (uint32_t lane = 0; lane < V_LANES; lane++) to[lane] = (WORD)0 - (WORD)(row[lane] >> i & 1u);
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
    for (size_t k = 0; batch->warm && k < (size_t)n * n; k++) value[k] = u[k * V_LANES + lane];
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
