/* lab/published/grid/kernel.h - the sweeps of Jacobi, Gauss-Seidel and over-relaxation, written once for float and
 * double.
 *
 * All of them use s = wE E + wW W + wN N + wS S, the printed update of the biased equation solved for its weights. The
 * weights sum to 1, so the same line serves p and u = 1 - p. In an in-place sweep a cell depends on the previous one
 * only through the neighbour updated just before. The other three neighbours are summed for a whole run at once, which
 * vectorises, and that neighbour is added last. Rows before columns or columns before rows gives the same result,
 * because in both orders a cell sees the new values of the same two neighbours. Denormals would cost a hundred times as
 * much as normal numbers and are useless, so they become 0. Cost: about 5 operations per free cell; the chain of an
 * in-place run is one product and one sum long.
 *
 * A file that includes this defines real, absolute(x), tiny and named(x).
 */
#include "lab/published/grid/sweep.h"

typedef struct weights {
  real east, west, north, south, omega;
} weights;

static weights weights_of(const th_sweep *s) {
  return (weights){(real)s->east, (real)s->west, (real)s->north, (real)s->south, (real)s->omega};
}

/* Sets denormals to 0, and tells whether some cell still changes: |is - was| > tolerance * max(|is|, min) + 2 tiny.
 * The last term ignores cells that rounding moves back and forth across the limit of underflow. */
static bool finish(const th_sweep *s, real *is, const real *was, uint32_t count) {
  for (uint32_t k = 0; k < count; k++) is[k] = absolute(is[k]) < tiny ? (real)0 : is[k];
  if (!s->judge) return false;
  const real tolerance = (real)s->tolerance, min = (real)s->min;
  real worst = -1;
  for (uint32_t k = 0; k < count; k++) {
    real size = absolute(is[k]) > min ? absolute(is[k]) : min;
    real excess = absolute(is[k] - was[k]) - (tolerance * size + 2 * tiny);
    worst = excess > worst ? excess : worst;
  }
  return worst > 0;
}

static void keep(const real *own, real *was, uint32_t count) {
  for (uint32_t k = 0; k < count; k++) was[k] = own[k];
}

/* Sums the part of a run that does not depend on new values of the same row. */
static void gather(weights w, const real *own, uint32_t width, uint32_t count, real *line) {
  const real *north = own + width, *south = own - width;
  for (uint32_t k = 0; k < count; k++) line[k] = w.north * north[k] + w.south * south[k];
}

bool named(th_sweep_jacobi)(const th_sweep *s) {
  const weights w = weights_of(s);
  bool moving = false;
  for (uint32_t n = 0; n < s->run_count; n++) {
    const uint32_t begin = s->run[n].begin, count = s->run[n].end - begin;
    const real *own = (const real *)s->value + begin;
    real *next = (real *)s->other + begin, *line = (real *)s->line;
    gather(w, own, s->width, count, line);
    for (uint32_t k = 0; k < count; k++) next[k] = (w.east * own[k + 1] + w.west * *(own + k - 1)) + line[k];
    moving |= finish(s, next, own, count);
  }
  return moving;
}

/* u = (wN N + wS S) + wE E + wW W with W new, or the mirror image with E new. */
static void seidel_run(weights w, real *own, uint32_t count, real *line, bool back) {
  if (back) {
    real last = own[count];
    for (uint32_t k = 0; k < count; k++) line[k] += w.west * *(own + k - 1);
    for (uint32_t k = count; k-- > 0;) own[k] = last = line[k] + w.east * last;
  } else {
    real last = *(own - 1);
    for (uint32_t k = 0; k < count; k++) line[k] += w.east * own[k + 1];
    for (uint32_t k = 0; k < count; k++) own[k] = last = line[k] + w.west * last;
  }
}

/* u + omega (u_seidel - u) */
static void sor_run(weights w, real *own, uint32_t count, real *line, bool back) {
  if (back) {
    real last = own[count];
    for (uint32_t k = 0; k < count; k++) line[k] += w.west * *(own + k - 1);
    for (uint32_t k = count; k-- > 0;) own[k] = last = own[k] + w.omega * ((line[k] + w.east * last) - own[k]);
  } else {
    real last = *(own - 1);
    for (uint32_t k = 0; k < count; k++) line[k] += w.east * own[k + 1];
    for (uint32_t k = 0; k < count; k++) own[k] = last = own[k] + w.omega * ((line[k] + w.west * last) - own[k]);
  }
}

/* Between two runs of a row lies a fixed cell, so only the order of rows matters here. */
static bool in_place(const th_sweep *s, void (*relax)(weights w, real *own, uint32_t count, real *line, bool back)) {
  const weights w = weights_of(s);
  real *line = (real *)s->line, *was = line + s->width;
  bool moving = false;
  for (uint32_t n = 0; n < s->run_count; n++) {
    const th_run_of_cells run = s->run[s->down ? s->run_count - 1 - n : n];
    const uint32_t count = run.end - run.begin;
    real *own = (real *)s->value + run.begin;
    if (s->judge) keep(own, was, count);
    gather(w, own, s->width, count, line);
    relax(w, own, count, line, s->back);
    moving |= finish(s, own, was, count);
  }
  return moving;
}

bool named(th_sweep_seidel)(const th_sweep *s) { return in_place(s, seidel_run); }
bool named(th_sweep_sor)(const th_sweep *s) { return in_place(s, sor_run); }
