/* model/bvp/relax_kernel.h - the relaxation for one precision; relax.lanes.c includes it twice.
 *
 * REAL, REGISTER, V(operation), V_LANES, FLOOR, LEAST and KERNEL(name) are defined by the includer. One cell of one
 * sweep is
 *
 *   u = ((w_far far + w_ahead ahead) + w_behind behind) + w_near near,  but at most the limit of the cell
 *
 * with near and behind already new, far and ahead still old. The new neighbour of the same row
 * comes from a register and is added last, so the chain from cell to cell is one product, one sum and the mask. Several
 * rows advance together, each one cell behind the one before: their chains hide each other's latency, and inner rows
 * take two of their neighbours from registers. Two registers of agents lie side by side, cell by cell, and take two
 * rows each: all weights then stay in 16 registers (more rows spill them), and half as many rows start and end. A
 * register that is alone takes three or four rows.
 */

typedef struct KERNEL(weights) {
  REGISTER far, ahead, behind, near;
} KERNEL(weights);

static TH_INLINE REGISTER KERNEL(cell)(const KERNEL(weights) * w, REGISTER far, REGISTER ahead, REGISTER behind,
                                       REGISTER near) {
  REGISTER a = V(add)(V(add)(V(mul)(w->far, far), V(mul)(w->ahead, ahead)), V(mul)(w->behind, behind));
  return V(add)(a, V(mul)(w->near, near));
}

/* As the least of u and limit where u is positive; else open cells may have any sign, walls may not, and what lies
 * between the floor and INFINITY is a goal that keeps its value. */
static TH_INLINE REGISTER KERNEL(general)(REGISTER u, REGISTER limit, REGISTER old) {
  const REGISTER value = V(keep)(V(lt)(V(set)(LEAST), V(abs)(u)), u);
  const REGISTER closed = V(select)(V(lt)(V(set)(FLOOR), limit), old, V(min)(V(abs)(value), limit));
  return V(select)(V(lt)(limit, V(set)((REAL)INFINITY)), closed, value);
}

/* Where a front starts: the first inner cell of its first row in the order of the sweep. */
typedef struct KERNEL(lines) {
  REAL *u;
  const REAL *limit;
  ptrdiff_t x, y;       /* to the next cell, to the next row */
  ptrdiff_t count;      /* inner cells per row */
  KERNEL(weights) w[2]; /* of each register */
} KERNEL(lines);

/* One column of a front: row r is r cells behind row 0, for r from hi down to lo; `at` is the cell of row 0. A row's
 * ahead neighbour is what the row before it loads as far, its behind neighbour what that row stored one column ago. */
static TH_INLINE void KERNEL(front)(const KERNEL(lines) * l, ptrdiff_t at, int lo, int hi, REGISTER near[][4],
                                    const int registers, bool general) {
  REGISTER ahead[2];
  for (int m = 0; m < registers; m++) ahead[m] = V(load)(l->u + at + (hi + 1) * l->y - hi * l->x + m * V_LANES);
  for (int r = hi; r >= lo; r--)
    for (int m = 0; m < registers; m++) {
      ptrdiff_t cell = at + r * l->y - r * l->x + m * V_LANES;
      REGISTER far = V(load)(l->u + cell + l->x), behind = r ? near[m][r ? r - 1 : 0] : V(load)(l->u + cell - l->y);
      REGISTER limit = V(load)(l->limit + cell), u = KERNEL(cell)(&l->w[m], far, ahead[m], behind, near[m][r]);
      near[m][r] = general ? KERNEL(general)(u, limit, V(load)(l->u + cell)) : V(min)(u, limit);
      V(store)(l->u + cell, near[m][r]);
      ahead[m] = far;
    }
}

/* `rows` rows, each one cell behind the one before. */
static TH_INLINE void KERNEL(rows)(const KERNEL(lines) * l, const int rows, const int registers, bool general) {
  REGISTER near[2][4];
  ptrdiff_t at = 0;
  for (int m = 0; m < registers; m++)
    for (int r = 0; r < rows; r++) near[m][r] = V(load)(l->u + r * l->y - l->x + m * V_LANES);
  for (int k = 0; k < rows - 1; k++, at += l->x) KERNEL(front)(l, at, 0, k, near, registers, general);
  for (ptrdiff_t k = rows - 1; k < l->count; k++, at += l->x)
    KERNEL(front)(l, at, 0, rows - 1, near, registers, general);
  for (int k = 1; k < rows; k++, at += l->x) KERNEL(front)(l, at, k, rows - 1, near, registers, general);
}

/* Callers pass constants as `back` and `registers`, so that the steps along a row are constants, too. */
static TH_INLINE void KERNEL(sweep)(const th_bvp_maps *maps, const bool back, bool down, const int registers,
                                    bool general) {
  const ptrdiff_t n = (ptrdiff_t)maps->n, lanes = V_LANES * registers;
  const REAL *right = maps->weight, *left = right + lanes, *top = left + lanes, *bottom = top + lanes;
  const ptrdiff_t first = ((down ? n - 2 : 1) * n + (back ? n - 2 : 1)) * lanes;
  KERNEL(lines)
  l = {.u = (REAL *)maps->u + first,
       .limit = (const REAL *)maps->limit + first,
       .x = back ? -lanes : lanes,
       .y = down ? -n * lanes : n * lanes,
       .count = n - 2};
  for (int m = 0; m < registers; m++)
    l.w[m] =
        (KERNEL(weights)){V(load)((back ? left : right) + m * V_LANES), V(load)((down ? bottom : top) + m * V_LANES),
                          V(load)((down ? top : bottom) + m * V_LANES), V(load)((back ? right : left) + m * V_LANES)};
  for (ptrdiff_t rest = n - 2, rows; rest > 0; rest -= rows, l.u += rows * l.y, l.limit += rows * l.y) {
    rows = registers == 2 ? (rest < 2 ? rest : 2) : rest < 3 ? rest : rest % 3 && rest != 5 ? 4 : 3;
    if (rows == 1)
      KERNEL(rows)(&l, 1, registers, general);
    else if (rows == 2)
      KERNEL(rows)(&l, 2, registers, general);
    else if (registers == 1 && rows == 3)
      KERNEL(rows)(&l, 3, registers, general);
    else if (registers == 1)
      KERNEL(rows)(&l, 4, registers, general);
  }
}

#define SWEEP(name, back, registers, general)                        \
  static TH_NOINLINE void name(const th_bvp_maps *maps, bool down) { \
    KERNEL(sweep)(maps, back, down, registers, general);             \
  }
SWEEP(KERNEL(sweep_one), false, 1, false)
SWEEP(KERNEL(sweep_one_back), true, 1, false)
SWEEP(KERNEL(sweep_one_general), false, 1, true)
SWEEP(KERNEL(sweep_one_general_back), true, 1, true)
SWEEP(KERNEL(sweep_two), false, 2, false)
SWEEP(KERNEL(sweep_two_back), true, 2, false)
SWEEP(KERNEL(sweep_two_general), false, 2, true)
SWEEP(KERNEL(sweep_two_general_back), true, 2, true)
#undef SWEEP

void TH_LANES_NAME(KERNEL_EXPORT)(const th_bvp_maps *maps) {
  static void (*const sweep[2][2][2])(const th_bvp_maps *, bool) = {
      {{KERNEL(sweep_one), KERNEL(sweep_one_back)}, {KERNEL(sweep_one_general), KERNEL(sweep_one_general_back)}},
      {{KERNEL(sweep_two), KERNEL(sweep_two_back)}, {KERNEL(sweep_two_general), KERNEL(sweep_two_general_back)}}};
  for (uint32_t k = 0; k < maps->sweeps; k++) {
    uint32_t order = th_bvp_sweep_order(k, maps->alternate);
    sweep[maps->lanes > V_LANES][maps->general][order & 1u](maps, order & 2u);
  }
}

/* ---------------------------------------------------------------- from states to lanes and back */

/* The agents of one call, first to first + lanes of the batch; its last one fills the lanes that are left over. */
typedef struct KERNEL(group) {
  const th_bvp_batch *batch;
  uint32_t first, lanes; /* lanes: those of one register or of two */
  REAL *u, *weight, *limit;
} KERNEL(group);

static inline th_bvp_state *KERNEL(state_of)(const KERNEL(group) * g, uint32_t lane) {
  return g->batch->state[g->first + lane < g->batch->count ? g->first + lane : g->batch->count - 1];
}

/* Returns true when a weight is negative, as |eps v| beyond 2 makes it. */
static bool KERNEL(weigh)(const KERNEL(group) * g) {
  bool negative = false;
  for (uint32_t lane = 0; lane < g->lanes; lane++) {
    const th_bvp_state *s = KERNEL(state_of)(g, lane);
    REAL ex = (REAL)s->ex * (REAL)0.125, ey = (REAL)s->ey * (REAL)0.125;
    g->weight[lane] = (REAL)0.25 + ex;
    g->weight[g->lanes + lane] = (REAL)0.25 - ex;
    g->weight[2 * g->lanes + lane] = (REAL)0.25 + ey;
    g->weight[3 * g->lanes + lane] = (REAL)0.25 - ey;
    negative |= !(ex >= (REAL)-0.25 && ex <= (REAL)0.25 && ey >= (REAL)-0.25 && ey <= (REAL)0.25);
  }
  return negative;
}

/* Limits of the inner cells of one register: a cell is open where its bit in the row is clear. Rows are read in pieces
 * of a word, so that shifts stay as narrow as the values. */
static void KERNEL(open_cells)(const KERNEL(group) * g, uint32_t lane0) {
  const uint32_t n = g->batch->n, bits = 8 * sizeof(WORD);
  for (uint32_t j = 1; j + 1 < n; j++)
    for (uint32_t begin = 0; begin + 1 < n; begin += bits) {
      WORD row[V_LANES];
      for (uint32_t lane = 0; lane < V_LANES; lane++)
        row[lane] = (WORD) ~(KERNEL(state_of)(g, lane0 + lane)->row[j] >> begin);
      uint32_t i = begin ? begin : 1, end = n - 1 < begin + bits ? n - 1 : begin + bits;
      REAL *to = g->limit + ((size_t)j * n + i) * g->lanes + lane0;
      for (; i < end; i++, to += g->lanes)
        for (uint32_t lane = 0; lane < V_LANES; lane++)
          to[lane] = row[lane] >> (i - begin) & 1u ? (REAL)INFINITY : FLOOR;
    }
}

/* Goals are 1, scaled. Returns true when a lane has a goal inside the border; that cell is then closed. */
static bool KERNEL(place_goals)(const KERNEL(group) * g) {
  const uint32_t n = g->batch->n, ring = 4 * (n - 1);
  bool inside = false;
  for (uint32_t lane = 0; lane < g->lanes; lane++) {
    const th_bvp_state *s = KERNEL(state_of)(g, lane);
    if (s->goal_i != TH_BVP_NO_CELL) {
      uint32_t number = th_bvp_ring_number(n, s->goal_i, s->goal_j) + ring - s->goal_width / 2, i, j;
      for (uint32_t k = 0; k < s->goal_width; k++) {
        th_bvp_ring_cell(n, number + k, &i, &j);
        g->u[((size_t)j * n + i) * g->lanes + lane] = (REAL)TH_BVP_SCALE;
      }
    }
    if (s->seen_i == TH_BVP_NO_CELL) continue;
    size_t at = ((size_t)s->seen_j * n + s->seen_i) * g->lanes + lane;
    inside = true;
    g->u[at] = (REAL)TH_BVP_SCALE;
    g->limit[at] = (REAL)TH_BVP_SCALE;
  }
  return inside;
}

/* A cold map starts at the floor, a warm one from the values of the last decision. */
static void KERNEL(begin)(const KERNEL(group) * g) {
  const uint32_t n = g->batch->n;
  for (size_t k = 0; k < (size_t)n * n * g->lanes; k++) g->u[k] = FLOOR;
  for (uint32_t lane = 0; g->batch->warm && lane < g->lanes; lane++) {
    const REAL *value = th_bvp_values(KERNEL(state_of)(g, lane));
    for (uint32_t j = 1; j + 1 < n; j++)
      for (uint32_t i = 1; i + 1 < n; i++) {
        const size_t k = (size_t)j * n + i, at = k * g->lanes + lane;
        if (g->limit[at] == (REAL)INFINITY && value[k] != (REAL)0) g->u[at] = value[k] * (REAL)TH_BVP_SCALE;
      }
  }
}

/* Gradient at the centre: ((right - left) / 2, (top - bottom) / 2), scaled before it is squared because u may be
 * tiny. */
static void KERNEL(read_slope)(const KERNEL(group) * g, th_bvp_state *state, uint32_t lane) {
  const ptrdiff_t n = state->n, c = n / 2, x = (ptrdiff_t)g->lanes, y = n * x;
  const REAL *at = g->u + (c * n + c) * x + lane;
  const double half = 0.5 / TH_BVP_SCALE;
  th_bvp_keep_slope(state, FLOOR / TH_BVP_SCALE, half * ((double)at[x] - (double)at[-x]),
                    half * ((double)at[y] - (double)at[-y]));
}

static void KERNEL(end)(const KERNEL(group) * g) {
  const uint32_t n = g->batch->n;
  for (uint32_t lane = 0; lane < g->lanes && g->first + lane < g->batch->count; lane++) {
    th_bvp_state *state = g->batch->state[g->first + lane];
    KERNEL(read_slope)(g, state, lane);
    if (g->batch->traced) th_bvp_publish_map(g->batch, g->first + lane, g->u + lane, g->lanes);
    REAL *value = th_bvp_values(state);
    for (size_t k = 0; g->batch->warm && k < (size_t)n * n; k++) {
      const REAL u = g->u[k * g->lanes + lane], v = u > 2 * FLOOR || u < -2 * FLOOR ? u / (REAL)TH_BVP_SCALE : (REAL)0;
      value[k] = v > (REAL)-2 && v < (REAL)2 ? v : (REAL)0; /* a field that diverged with |eps v| > 2 restarts */
    }
  }
}

static void KERNEL(relax_agents)(const th_bvp_batch *batch) {
  const size_t cells = (size_t)batch->n * batch->n;
  for (uint32_t first = 0, lanes; first < batch->count; first += lanes) {
    lanes = batch->count - first > V_LANES ? V_LANES * V_REGISTERS : V_LANES;
    REAL *u = batch->scratch;
    KERNEL(group) g = {batch, first, lanes, u, u + 2 * cells * lanes, u + cells * lanes};
    bool general = KERNEL(weigh)(&g);
    for (uint32_t lane0 = 0; lane0 < lanes; lane0 += V_LANES) KERNEL(open_cells)(&g, lane0);
    KERNEL(begin)(&g);
    general |= KERNEL(place_goals)(&g);
    th_bvp_maps maps = {batch->n, batch->sweeps, lanes, batch->alternate, general, u, g.limit, g.weight};
    TH_LANES_NAME(KERNEL_EXPORT)(&maps);
    KERNEL(end)(&g);
  }
}
