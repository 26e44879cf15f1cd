/* model/bvp/relax_kernel.h - the relaxation for one precision; relax.lanes.c includes it twice.
 *
 * REAL, V (register), V_* (operations), KERNEL(name) are defined by the includer. One cell of one sweep is
 *
 *   u = ((w_far far + w_ahead ahead) + w_behind behind) + w_near near
 *
 * with near and behind already new, far and ahead still old. The new neighbour of the same row comes from a register
 * and is added last, so the chain from cell to cell is one product, one sum and the mask. Several rows advance
 * together, each one cell behind the one before: their chains hide each other's latency, and inner rows take two of
 * their neighbours from registers. Two registers of agents lie side by side, cell by cell, and take two rows each: all
 * weights then stay in 16 registers (more rows spill them), and half as many rows start and end. A register that is
 * alone takes three or four rows.
 */

typedef struct KERNEL(weights) {
  V far, ahead, behind, near;
} KERNEL(weights);

static inline __attribute__((always_inline)) V KERNEL(cell)(const KERNEL(weights) * w, V far, V ahead, V behind,
                                                            V near) {
  V a = V_ADD(V_ADD(V_MUL(w->far, far), V_MUL(w->ahead, ahead)), V_MUL(w->behind, behind));
  return V_ADD(a, V_MUL(w->near, near));
}

/* Where a front starts: the first inner cell of its first row in the order of the sweep. */
typedef struct KERNEL(lines) {
  REAL *u;
  const REAL *open;
  ptrdiff_t x, y;       /* to the next cell, to the next row */
  ptrdiff_t count;      /* inner cells per row */
  KERNEL(weights) w[2]; /* of each register */
} KERNEL(lines);

/* One column of a front: row r is r cells behind row 0, for r from hi down to lo; `at` is the cell of row 0. A row's
 * ahead neighbour is what the row before it loads as far, its behind neighbour what that row stored one column ago. */
static inline __attribute__((always_inline)) void KERNEL(front)(const KERNEL(lines) * l, ptrdiff_t at, int lo, int hi,
                                                                V near[][4], const int registers, bool goals) {
  V ahead[2];
  for (int m = 0; m < registers; m++) ahead[m] = V_LOAD(l->u + at + (hi + 1) * l->y - hi * l->x + m * V_LANES);
  for (int r = hi; r >= lo; r--)
    for (int m = 0; m < registers; m++) {
      ptrdiff_t cell = at + r * l->y - r * l->x + m * V_LANES;
      V far = V_LOAD(l->u + cell + l->x), behind = r ? near[m][r ? r - 1 : 0] : V_LOAD(l->u + cell - l->y);
      V open = V_LOAD(l->open + cell), u = KERNEL(cell)(&l->w[m], far, ahead[m], behind, near[m][r]);
      near[m][r] = goals ? V_SELECT(open, u, V_LOAD(l->u + cell)) : V_AND(u, open);
      V_STORE(l->u + cell, near[m][r]);
      ahead[m] = far;
    }
}

/* `rows` rows, each one cell behind the one before. */
static inline __attribute__((always_inline)) void KERNEL(rows)(const KERNEL(lines) * l, const int rows,
                                                               const int registers, bool goals) {
  V near[2][4];
  ptrdiff_t at = 0;
  for (int m = 0; m < registers; m++)
    for (int r = 0; r < rows; r++) near[m][r] = V_LOAD(l->u + r * l->y - l->x + m * V_LANES);
  for (int k = 0; k < rows - 1; k++, at += l->x) KERNEL(front)(l, at, 0, k, near, registers, goals);
  for (ptrdiff_t k = rows - 1; k < l->count; k++, at += l->x) KERNEL(front)(l, at, 0, rows - 1, near, registers, goals);
  for (int k = 1; k < rows; k++, at += l->x) KERNEL(front)(l, at, k, rows - 1, near, registers, goals);
}

/* Callers pass constants as `back` and `registers`, so that the steps along a row are constants, too. */
static inline __attribute__((always_inline)) void KERNEL(sweep)(const th_bvp_maps *maps, const bool back, bool down,
                                                                const int registers, bool goals) {
  const ptrdiff_t n = (ptrdiff_t)maps->n, lanes = V_LANES * registers;
  const REAL *right = maps->weight, *left = right + lanes, *top = left + lanes, *bottom = top + lanes;
  const ptrdiff_t first = ((down ? n - 2 : 1) * n + (back ? n - 2 : 1)) * lanes;
  KERNEL(lines)
  l = {.u = (REAL *)maps->u + first,
       .open = (const REAL *)maps->open + first,
       .x = back ? -lanes : lanes,
       .y = down ? -n * lanes : n * lanes,
       .count = n - 2};
  for (int m = 0; m < registers; m++)
    l.w[m] =
        (KERNEL(weights)){V_LOAD((back ? left : right) + m * V_LANES), V_LOAD((down ? bottom : top) + m * V_LANES),
                          V_LOAD((down ? top : bottom) + m * V_LANES), V_LOAD((back ? right : left) + m * V_LANES)};
  for (ptrdiff_t rest = n - 2, rows; rest > 0; rest -= rows, l.u += rows * l.y, l.open += rows * l.y) {
    rows = registers == 2 ? (rest < 2 ? rest : 2) : rest < 3 ? rest : rest % 3 && rest != 5 ? 4 : 3;
    if (rows == 1)
      KERNEL(rows)(&l, 1, registers, goals);
    else if (rows == 2)
      KERNEL(rows)(&l, 2, registers, goals);
    else if (registers == 1 && rows == 3)
      KERNEL(rows)(&l, 3, registers, goals);
    else if (registers == 1)
      KERNEL(rows)(&l, 4, registers, goals);
  }
}

#define SWEEP(name, back, registers, goals)                                        \
  static __attribute__((noinline)) void name(const th_bvp_maps *maps, bool down) { \
    KERNEL(sweep)(maps, back, down, registers, goals);                             \
  }
SWEEP(KERNEL(sweep_one), false, 1, false)
SWEEP(KERNEL(sweep_one_back), true, 1, false)
SWEEP(KERNEL(sweep_one_goals), false, 1, true)
SWEEP(KERNEL(sweep_one_goals_back), true, 1, true)
SWEEP(KERNEL(sweep_two), false, 2, false)
SWEEP(KERNEL(sweep_two_back), true, 2, false)
SWEEP(KERNEL(sweep_two_goals), false, 2, true)
SWEEP(KERNEL(sweep_two_goals_back), true, 2, true)
#undef SWEEP

void TH_LANES_NAME(KERNEL_EXPORT)(const th_bvp_maps *maps) {
  static void (*const sweep[2][2][2])(const th_bvp_maps *, bool) = {
      {{KERNEL(sweep_one), KERNEL(sweep_one_back)}, {KERNEL(sweep_one_goals), KERNEL(sweep_one_goals_back)}},
      {{KERNEL(sweep_two), KERNEL(sweep_two_back)}, {KERNEL(sweep_two_goals), KERNEL(sweep_two_goals_back)}}};
  for (uint32_t k = 0; k < maps->sweeps; k++) {
    uint32_t order = th_bvp_sweep_order(k, maps->alternate);
    sweep[maps->lanes > V_LANES][maps->goals][order & 1u](maps, order & 2u);
  }
}

/* ---------------------------------------------------------------- from states to lanes and back */

/* The agents of one call, first to first + lanes of the batch; its last one fills the lanes that are left over. */
typedef struct KERNEL(group) {
  const th_bvp_batch *batch;
  uint32_t first, lanes; /* lanes: those of one register or of two */
  REAL *u, *weight;
  WORD *open;
} KERNEL(group);

static inline th_bvp_state *KERNEL(state_of)(const KERNEL(group) * g, uint32_t lane) {
  return g->batch->state[g->first + lane < g->batch->count ? g->first + lane : g->batch->count - 1];
}

static void KERNEL(weigh)(const KERNEL(group) * g) {
  for (uint32_t lane = 0; lane < g->lanes; lane++) {
    const th_bvp_state *s = KERNEL(state_of)(g, lane);
    REAL ex = (REAL)s->ex * (REAL)0.125, ey = (REAL)s->ey * (REAL)0.125;
    g->weight[lane] = (REAL)0.25 + ex;
    g->weight[g->lanes + lane] = (REAL)0.25 - ex;
    g->weight[2 * g->lanes + lane] = (REAL)0.25 + ey;
    g->weight[3 * g->lanes + lane] = (REAL)0.25 - ey;
  }
}

/* Masks of the inner cells of one register: all bits of a word where the cell's bit in the row is clear. Rows are read
 * in pieces of a word, so that shifts stay as narrow as the values. */
static void KERNEL(open_cells)(const KERNEL(group) * g, uint32_t lane0) {
  const uint32_t n = g->batch->n, bits = 8 * sizeof(WORD);
  for (uint32_t j = 1; j + 1 < n; j++)
    for (uint32_t begin = 0; begin + 1 < n; begin += bits) {
      WORD row[V_LANES];
      for (uint32_t lane = 0; lane < V_LANES; lane++)
        row[lane] = (WORD) ~(KERNEL(state_of)(g, lane0 + lane)->row[j] >> begin);
      uint32_t i = begin ? begin : 1, end = n - 1 < begin + bits ? n - 1 : begin + bits;
      WORD *to = g->open + ((size_t)j * n + i) * g->lanes + lane0;
      for (; i < end; i++, to += g->lanes)
        for (uint32_t lane = 0; lane < V_LANES; lane++) to[lane] = (WORD)0 - (row[lane] >> (i - begin) & 1u);
    }
}

/* Goals are 1. Returns true when a lane has a goal inside the border; the mask of that cell is then closed. */
static bool KERNEL(place_goals)(const KERNEL(group) * g) {
  const uint32_t n = g->batch->n, ring = 4 * (n - 1);
  bool inside = false;
  for (uint32_t lane = 0; lane < g->lanes; lane++) {
    const th_bvp_state *s = KERNEL(state_of)(g, lane);
    if (s->goal_i != TH_BVP_NO_CELL) {
      uint32_t number = th_bvp_ring_number(n, s->goal_i, s->goal_j) + ring - s->goal_width / 2, i, j;
      for (uint32_t k = 0; k < s->goal_width; k++) {
        th_bvp_ring_cell(n, number + k, &i, &j);
        g->u[((size_t)j * n + i) * g->lanes + lane] = (REAL)1;
      }
    }
    if (s->seen_i == TH_BVP_NO_CELL) continue;
    size_t at = ((size_t)s->seen_j * n + s->seen_i) * g->lanes + lane;
    inside = true;
    g->u[at] = (REAL)1;
    g->open[at] = 0;
  }
  return inside;
}

/* A cold map starts at 0 everywhere, a warm one from the values of the last decision. */
static void KERNEL(begin)(const KERNEL(group) * g) {
  const uint32_t n = g->batch->n;
  memset(g->u, 0, sizeof *g->u * n * n * g->lanes);
  for (uint32_t lane = 0; g->batch->warm && lane < g->lanes; lane++) {
    const REAL *value = th_bvp_values(KERNEL(state_of)(g, lane));
    for (uint32_t j = 1; j + 1 < n; j++)
      for (uint32_t i = 1; i + 1 < n; i++) {
        size_t k = (size_t)j * n + i;
        g->u[k * g->lanes + lane] = g->open[k * g->lanes + lane] ? value[k] : (REAL)0;
      }
  }
}

/* Gradient at the centre: ((right - left) / 2, (top - bottom) / 2), scaled before it is squared because u may be
 * tiny. */
static void KERNEL(read_slope)(const KERNEL(group) * g, th_bvp_state *state, uint32_t lane) {
  const ptrdiff_t n = state->n, c = n / 2, x = g->lanes, y = n * x;
  const REAL *at = g->u + (c * n + c) * x + lane;
  th_bvp_keep_slope(state, 0.5 * ((double)at[x] - (double)at[-x]), 0.5 * ((double)at[y] - (double)at[-y]));
}

static void KERNEL(end)(const KERNEL(group) * g) {
  const uint32_t n = g->batch->n;
  for (uint32_t lane = 0; lane < g->lanes && g->first + lane < g->batch->count; lane++) {
    th_bvp_state *state = g->batch->state[g->first + lane];
    KERNEL(read_slope)(g, state, lane);
    if (g->batch->traced) th_bvp_publish_map(g->batch, g->first + lane, g->u + lane, g->lanes);
    REAL *value = th_bvp_values(state);
    for (size_t k = 0; g->batch->warm && k < (size_t)n * n; k++) {
      REAL v = g->u[k * g->lanes + lane];
      value[k] = v > (REAL)-2 && v < (REAL)2 ? v : (REAL)0; /* a field that diverged with |eps v| > 2 restarts */
    }
  }
}

static void KERNEL(relax_agents)(const th_bvp_batch *batch) {
  const size_t cells = (size_t)batch->n * batch->n;
  for (uint32_t first = 0, lanes; first < batch->count; first += lanes) {
    lanes = batch->count - first > V_LANES ? V_LANES * V_REGISTERS : V_LANES;
    REAL *u = batch->scratch;
    WORD *open = (WORD *)(void *)(u + cells * lanes);
    KERNEL(group) g = {batch, first, lanes, u, u + 2 * cells * lanes, open};
    KERNEL(weigh)(&g);
    for (uint32_t lane0 = 0; lane0 < lanes; lane0 += V_LANES) KERNEL(open_cells)(&g, lane0);
    KERNEL(begin)(&g);
    bool goals = KERNEL(place_goals)(&g);
    th_bvp_maps maps = {batch->n, batch->sweeps, lanes, batch->alternate, goals, u, open, g.weight};
    TH_LANES_NAME(KERNEL_EXPORT)(&maps);
    KERNEL(end)(&g);
  }
}
