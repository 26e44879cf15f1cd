/* bench/bench_bvp.c - local maps: relaxation alone, and whole worlds in which every agent decides in every step.
 *
 * The baseline of the speed-ups is the plain loop in C: one map after the other in place, weights hoisted, one byte per
 * cell that says whether it is relaxed, compiled for this processor's vector instructions without contraction, in the
 * same precision. Both sides do the same sweeps on the same maps and must give the same bits.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/random.h"
#include "bench.h"
#include "model/bvp/relax.h"
#include "street.h"
#include "throng/throng.h"
#include "workloads.h"

#define MAPS 64
#define NATIVE __attribute__((target("avx2,bmi,bmi2"), noinline))

typedef struct maps {
  uint32_t n, sweeps;
  th_bvp_state *state[MAPS];
  void *plain[MAPS]; /* values of the baseline */
  uint8_t *open[MAPS];
  void *scratch;
} maps;

/* The baseline: sweeps in four orders, the new neighbour of the row added last, as in the lanes. */
#define PLAIN(name, real)                                                                                        \
  NATIVE static void name(real *u, const uint8_t *open, const maps *m, const th_bvp_state *s) {                  \
    const ptrdiff_t n = (ptrdiff_t)m->n;                                                                         \
    const real ex = (real)s->ex * (real)0.125, ey = (real)s->ey * (real)0.125;                                   \
    const real right = (real)0.25 + ex, left = (real)0.25 - ex;                                                  \
    const real top = (real)0.25 + ey, bottom = (real)0.25 - ey;                                                  \
    for (uint32_t k = 0; k < m->sweeps; k++) {                                                                   \
      const bool back = k & 1u, down = k & 2u;                                                                   \
      const ptrdiff_t x = back ? -1 : 1, y = down ? -n : n;                                                      \
      const real far = back ? left : right, near = back ? right : left;                                          \
      const real ahead = down ? bottom : top, behind = down ? top : bottom;                                      \
      for (ptrdiff_t b = 1; b < n - 1; b++) {                                                                    \
        ptrdiff_t at = (down ? n - 1 - b : b) * n + (back ? n - 2 : 1);                                          \
        for (ptrdiff_t a = 1; a < n - 1; a++, at += x)                                                           \
          if (open[at]) u[at] = ((far * u[at + x] + ahead * u[at + y]) + behind * u[at - y]) + near * u[at - x]; \
      }                                                                                                          \
    }                                                                                                            \
  }
PLAIN(plain_float, float)
PLAIN(plain_double, double)

static bool make_maps(maps *m, uint32_t n, uint32_t sweeps) {
  size_t bytes = sizeof(th_bvp_state) + n * sizeof(uint64_t), cells = (size_t)n * n;
  *m = (maps){.n = n, .sweeps = sweeps, .scratch = aligned_alloc(64, TH_BVP_SCRATCH)};
  bool made = m->scratch != NULL;
  for (uint32_t i = 0; i < MAPS; i++) {
    m->state[i] = calloc(1, bytes);
    m->plain[i] = calloc(cells, sizeof(double));
    m->open[i] = calloc(cells, 1);
    made = made && m->state[i] && m->plain[i] && m->open[i];
  }
  return made;
}

static void free_maps(maps *m) {
  for (uint32_t i = 0; i < MAPS; i++) {
    free(m->state[i]);
    free(m->plain[i]);
    free(m->open[i]);
  }
  free(m->scratch);
}

/* A share of the inner cells is blocked, goals lie all around, v points anywhere. */
static void fill_maps(maps *m, float blocked) {
  uint32_t n = m->n, c = n / 2;
  for (uint32_t k = 0; k < MAPS; k++) {
    th_bvp_state *s = m->state[k];
    uint32_t goal = (uint32_t)(th_random(5, 1, k, 0) % (4 * (n - 1))), i, j;
    th_bvp_ring_cell(n, goal, &i, &j);
    s->n = (uint16_t)n;
    s->lead = 1;
    s->goal_i = (uint16_t)i;
    s->goal_j = (uint16_t)j;
    s->goal_width = 3;
    s->seen_i = s->seen_j = TH_BVP_NO_CELL;
    s->ex = th_random_range(5, 2, k, 0, -0.7f, 0.7f);
    s->ey = th_random_range(5, 3, k, 0, -0.7f, 0.7f);
    for (j = 2; j + 2 < n; j++)
      for (i = 2; i + 2 < n; i++)
        if ((i != c || j != c) && th_random_unit(5, 4, k, j * n + i) < blocked) s->row[j] |= (uint64_t)1 << i;
    for (j = 1; j + 1 < n; j++)
      for (i = 1; i + 1 < n; i++) m->open[k][j * n + i] = !(s->row[j] >> i & 1u);
  }
}

static double relax_plain(maps *m, bool twice) {
  uint32_t n = m->n, ring = 4 * (n - 1);
  double begin = th_bench_now();
  for (uint32_t k = 0; k < MAPS; k++) {
    const th_bvp_state *s = m->state[k];
    for (uint32_t i = 0; i < n * n; i++) {
      if (twice)
        ((double *)m->plain[k])[i] = TH_BVP_FLOOR_DOUBLE;
      else
        ((float *)m->plain[k])[i] = TH_BVP_FLOOR;
    }
    for (uint32_t g = 0; g < 3; g++) {
      uint32_t i, j;
      th_bvp_ring_cell(n, (th_bvp_ring_number(n, s->goal_i, s->goal_j) + ring + g - 1) % ring, &i, &j);
      if (twice)
        ((double *)m->plain[k])[j * n + i] = 1.0;
      else
        ((float *)m->plain[k])[j * n + i] = 1.0f;
    }
    if (twice)
      plain_double(m->plain[k], m->open[k], m, s);
    else
      plain_float(m->plain[k], m->open[k], m, s);
  }
  double seconds = th_bench_now() - begin;
  return seconds / MAPS;
}

static double relax_lanes(maps *m, bool twice) {
  th_simd simd = th_simd_level();
  double begin = th_bench_now();
  for (uint32_t first = 0; first < MAPS; first += 16) {
    th_bvp_batch batch = {
        .count = 16, .n = m->n, .sweeps = m->sweeps, .alternate = true, .twice = twice, .scratch = m->scratch};
    memcpy(batch.state, m->state + first, sizeof batch.state);
    TH_LANES_PICK(simd, th_bvp_relax_agents)(&batch);
  }
  return (th_bench_now() - begin) / MAPS;
}

/* The slope of the baseline's field must be the one that the lanes found, to the last bit. */
static void compare(const maps *m, bool twice) {
  uint32_t n = m->n;
  for (uint32_t k = 0; k < MAPS; k++) {
    size_t c = (size_t)(n / 2) * n + n / 2;
    const float *f = m->plain[k];
    const double *d = m->plain[k];
    double gx = twice ? d[c + 1] - d[c - 1] : (double)f[c + 1] - (double)f[c - 1];
    double gy = twice ? d[c + n] - d[c - n] : (double)f[c + n] - (double)f[c - n];
    gx *= 0.5;
    gy *= 0.5;
    double max = fmax(fabs(gx), fabs(gy)), x = gx / max, y = gy / max, length = sqrt(x * x + y * y);
    if (m->state[k]->gx != (float)(x / length) || m->state[k]->modulus != (float)(max * length))
      fprintf(stderr, "bench: lanes and plain loop differ on map %u\n", k);
  }
}

typedef struct pair {
  double lanes, plain; /* seconds per map */
} pair;

/* Both sides in turns with the same number of tries; the lanes do ten rounds a try, so that a try takes as long. */
static pair measure(uint32_t n, uint32_t sweeps, bool twice) {
  enum { TRIES = 40, ROUNDS = 10 };
  maps m;
  double lanes[TRIES] = {0}, plain[TRIES];
  if (!make_maps(&m, n, sweeps)) return (pair){0};
  fill_maps(&m, 0.1f);
  for (double begin = th_bench_now(); th_bench_now() - begin < 0.1;) relax_lanes(&m, twice); /* until the clock is up */
  for (int i = 0; i < TRIES; i++) {
    plain[i] = relax_plain(&m, twice);
    for (int again = 0; again < ROUNDS; again++) lanes[i] += relax_lanes(&m, twice) / ROUNDS;
  }
  compare(&m, twice);
  free_maps(&m);
  return (pair){th_bench_median(lanes, TRIES), th_bench_median(plain, TRIES)};
}

static void relaxation(th_bench *bench) {
  if (th_bench_wants(bench, "bvp.n15.")) {
    const double updates = 30.0 * 13 * 13;
    pair single = measure(15, 30, false), twice = measure(15, 30, true);
    th_bench_report(bench, "bvp.n15.us", single.lanes * 1e6, "us");
    th_bench_report(bench, "bvp.n15.speedup", single.plain / single.lanes, "x");
    th_bench_report(bench, "bvp.n15.plain_ns", single.plain * 1e9 / updates, "ns/update");
    th_bench_report(bench, "bvp.n15.us_double", twice.lanes * 1e6, "us");
    th_bench_report(bench, "bvp.n15.speedup_double", twice.plain / twice.lanes, "x");
    th_bench_report(bench, "bvp.n15.plain_ns_double", twice.plain * 1e9 / updates, "ns/update");
  }
  static const uint32_t sizes[] = {11, 15, 21, 33};
  for (int i = 0; i < 4; i++) {
    char name[64];
    snprintf(name, sizeof name, "bvp.n%u.agents_per_s", sizes[i]);
    if (!th_bench_wants(bench, name)) continue;
    pair one = measure(sizes[i], (uint32_t)th_bvp_sweeps((int32_t)sizes[i]), false);
    th_bench_report(bench, name, 1.0 / one.lanes, "agents/s");
  }
}

/* How cost grows: twice the sweeps, twice the side (per inner cell), no obstacles against two cells in five. */
static void laws(th_bench *bench) {
  static const struct {
    uint32_t n, sweeps;
    float blocked;
  } kind[4] = {{15, 30, 0.0f}, {15, 60, 0.0f}, {31, 30, 0.0f}, {15, 30, 0.4f}};
  enum { TRIES = 400 };
  static double seconds[4][TRIES];
  double median[4];
  maps m[4];
  bool made = true;
  if (!th_bench_wants(bench, "bvp.cost.")) return;
  for (int k = 0; k < 4; k++) made &= make_maps(&m[k], kind[k].n, kind[k].sweeps);
  for (int k = 0; made && k < 4; k++) fill_maps(&m[k], kind[k].blocked);
  for (int i = 0; made && i < TRIES; i++) /* in turns, so that all see the same machine */
    for (int k = 0; k < 4; k++) seconds[k][i] = relax_lanes(&m[k], false);
  for (int k = 0; k < 4; k++) median[k] = th_bench_median(seconds[k], TRIES);
  for (int k = 0; k < 4; k++) free_maps(&m[k]);
  if (!made) return;
  th_bench_report(bench, "bvp.cost.sweeps60_over_30", median[1] / median[0], "x");
  th_bench_report(bench, "bvp.cost.n31_over_n15_per_cell", median[2] / median[0] * (13.0 * 13) / (29.0 * 29), "x");
  th_bench_report(bench, "bvp.cost.obstacles_over_none", median[3] / median[0], "x");
}

/* ---------------------------------------------------------------- worlds */

/* A street on which everyone decides in every step. */
static th_world *make_world(uint32_t count, uint32_t workers, int32_t sweeps) {
  th_bvp_params params = th_default_bvp_params(15);
  params.sweeps = sweeps;
  params.period = th_default_world_def().dt;
  params.others = TH_BVP_OTHERS_ALL; /* all of them, though most move apart */
  th_agent_def like = th_default_body_def();
  like.model = &th_model_bvp;
  like.params = &params;
  return th_street_make(count, workers, &like);
}

/* The world's memory is what th_world_memory counts, and the largest that the process ever had. */
static void big_world(th_bench *bench) {
  struct rusage used;
  if (!th_bench_wants(bench, "bvp.world.100000")) return;
  th_world *world = make_world(100000, 2, 30);
  if (!world) return;
  th_bench_side side = th_bench_stepping(world);
  double phase[TH_PHASE_COUNT], all = 0;
  th_bench_time(&side, 1, th_bench_wall);
  th_bench_report(bench, "bvp.world.100000.steps_per_s", 1.0 / side.median, "steps/s");
  th_world_profile(world, phase);
  for (int i = 0; i < TH_PHASE_COUNT; i++) all += phase[i];
  th_bench_report(bench, "bvp.world.100000.decide_share", phase[TH_PHASE_DECIDE] / all, "");
  th_bench_report(bench, "bvp.world.100000.memory", (double)th_world_memory(world).total / 1048576.0, "MiB");
  if (getrusage(RUSAGE_SELF, &used) == 0)
    th_bench_report(bench, "bvp.world.100000.peak", (double)used.ru_maxrss / 1024.0, "MiB");
  th_world_free(world);
}

/* Planner steps of one worker [agents x steps / s] with 30 and 60 sweeps: the thesis had 300 agents at 2 steps/s. */
static void curve(th_bench *bench) {
  static const uint32_t counts[] = {300, 1000, 3000, 10000};
  for (int i = 0; i < 4; i++)
    for (int32_t sweeps = 30; sweeps <= 60; sweeps += 30) {
      char name[64];
      snprintf(name, sizeof name, "bvp.world.%u.sweeps%d.decisions_per_s", counts[i], (int)sweeps);
      if (!th_bench_wants(bench, name)) continue;
      th_world *world = make_world(counts[i], 1, sweeps);
      if (!world) return;
      th_bench_side side = th_bench_stepping(world);
      th_bench_time(&side, 1, th_bench_now);
      th_bench_report(bench, name, th_world_agents(world).count / side.median, "agents/s");
      th_world_free(world);
    }
}

void th_bench_bvp(th_bench *bench) {
  relaxation(bench);
  laws(bench);
  big_world(bench);
  curve(bench);
}
