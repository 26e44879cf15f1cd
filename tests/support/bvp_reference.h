/* tests/support/bvp_reference.h - the relaxation in plain code, and one agent with a view of its own.
 *
 * reference_relax_float and _double are what the lanes must equal bit for bit: one map, in place, cell after cell.
 */
#ifndef TH_TESTS_SUPPORT_BVP_REFERENCE_H
#define TH_TESTS_SUPPORT_BVP_REFERENCE_H

#include <math.h>
#include <string.h>

#include "model/bvp/relax.h"
#include "support/unit.h"
#include "throng/throng.h"

#define DEGREES (180.0 / 3.14159265358979323846)

#define ASSERT_NEAR(found, expected, tolerance)                                                     \
  do {                                                                                              \
    double near_a = (found), near_b = (expected);                                                   \
    if (!(fabs(near_a - near_b) <= (tolerance)))                                                    \
      fail_msg("%s is %.9g, expected %.9g within %g", #found, near_a, near_b, (double)(tolerance)); \
  } while (0)

typedef struct reference {
  uint32_t n, sweeps;
  bool alternate;
  float ex, ey; /* eps v as printed */
} reference;

/* Closed cells above the floor are goals. */
#define REFERENCE(name, real, floor, least)                                                      \
  static inline void name(real *u, const uint8_t *open, const reference *m) {                    \
    const ptrdiff_t n = (ptrdiff_t)m->n;                                                         \
    const real ex = (real)m->ex * (real)0.125, ey = (real)m->ey * (real)0.125;                   \
    const real right = (real)0.25 + ex, left = (real)0.25 - ex;                                  \
    const real top = (real)0.25 + ey, bottom = (real)0.25 - ey;                                  \
    for (uint32_t k = 0; k < m->sweeps; k++) {                                                   \
      const bool back = m->alternate && (k & 1u), down = m->alternate && (k & 2u);               \
      for (ptrdiff_t b = 1; b < n - 1; b++)                                                      \
        for (ptrdiff_t a = 1; a < n - 1; a++) {                                                  \
          const ptrdiff_t i = back ? n - 1 - a : a, j = down ? n - 1 - b : b;                    \
          real *at = u + j * n + i;                                                              \
          if (!open[j * n + i] && *at > (floor)) continue;                                       \
          const real r = right * at[1], l = left * at[-1], t = top * at[n], d = bottom * at[-n]; \
          real v = (((back ? l : r) + (down ? d : t)) + (down ? t : d)) + (back ? r : l);        \
          v = v > (least) || v < -(least) ? v : (real)0;                                         \
          at[0] = open[j * n + i] ? v : (real)fmin((floor), fabs((double)v));                    \
        }                                                                                        \
    }                                                                                            \
  }
REFERENCE(reference_relax_float, float, TH_BVP_FLOOR, TH_BVP_LEAST)
REFERENCE(reference_relax_double, double, TH_BVP_FLOOR_DOUBLE, TH_BVP_LEAST_DOUBLE)

/* An empty map in double: everything closed on the border, the goal there as `goal` says, start value of u given. */
typedef struct field {
  uint32_t n;
  double u[63 * 63];
  uint8_t open[63 * 63];
} field;

static inline void field_make(field *f, uint32_t n, double start) {
  f->n = n;
  for (uint32_t j = 0; j < n; j++)
    for (uint32_t i = 0; i < n; i++) {
      bool inner = i > 0 && j > 0 && i + 1 < n && j + 1 < n;
      f->open[j * n + i] = inner;
      f->u[j * n + i] = inner ? start : 0.0;
    }
}

/* By the library, the same map in every lane. */
static inline void field_relax(field *f, uint32_t sweeps, bool alternate, double ex, double ey) {
  static _Alignas(64) double u[63 * 63 * 8], weight[4 * 8], limit[63 * 63 * 8];
  th_simd simd = th_simd_level();
  const uint32_t lanes = simd == TH_SIMD_AVX512 ? 8 : simd == TH_SIMD_AVX2 ? 4 : 2, cells = f->n * f->n;
  const double w[4] = {0.25 + ex / 8, 0.25 - ex / 8, 0.25 + ey / 8, 0.25 - ey / 8};
  for (uint32_t k = 0; k < cells * lanes; k++) {
    u[k] = f->u[k / lanes];
    limit[k] = f->open[k / lanes] ? INFINITY : 0.0;
  }
  for (uint32_t k = 0; k < 4 * lanes; k++) weight[k] = w[k / lanes];
  th_bvp_maps maps = {f->n, sweeps, lanes, alternate, fabs(ex) > 2 || fabs(ey) > 2, u, limit, weight};
  TH_LANES_PICK(simd, th_bvp_relax_double)(&maps);
  for (uint32_t k = 0; k < cells; k++) f->u[k] = u[k * lanes];
}

/* p = 1 - u at a cell; angle of the way up at the centre [degrees]. */
static inline double field_p(const field *f, uint32_t i, uint32_t j) { return 1.0 - f->u[j * f->n + i]; }
static inline double field_angle(const field *f) {
  uint32_t n = f->n, c = n / 2 * n + n / 2;
  return atan2(f->u[c + n] - f->u[c - n], f->u[c + 1] - f->u[c - 1]) * DEGREES;
}

/* One agent at the origin of an open place: change what a test is about, then map, relax and turn. */
typedef struct one {
  th_bvp_params params;
  float x[16], y[16], vx[16], vy[16], hx[16], hy[16], radius[16], speed[16], speed_max[16], time_gap[16], pressure[16];
  const th_people_params *people[16];
  uint32_t slot[16], agent[16], layers[16], avoids[16];
  th_turn frame[16];
  th_guide_answer want[16];
  th_link link[16 * TH_MAX_LINKS];
  float nx[64], ny[64], nvx[64], nvy[64], nshare[64], nradius[64];
  uint32_t nslot[64], nlayers[64], near_count, pick[64 * 16];
  th_guide_answer wish[64]; /* of those who are seen: to stay */
  float clearance[81 * 81]; /* 0.25 m, from -10 to 10 */
  th_view view;
  const void *param[16];
  void *state[16];
  float avx[16], avy[16], ahx[16], ahy[16];
  uint8_t gait[16];
  uint64_t memory[5000];
  th_work work;
} one;

static inline void one_make(one *o, void *scratch) {
  memset(o, 0, sizeof *o);
  o->params = th_default_bvp_params(15);
  o->params.cell = 0.5f;
  for (uint32_t k = 0; k < 64; k++) o->nx[k] = o->ny[k] = 1e15f, o->nslot[k] = UINT32_MAX;
  for (uint32_t k = 0; k < 81 * 81; k++) o->clearance[k] = 4.0f;
  for (uint32_t k = 0; k < 16; k++) {
    o->radius[k] = 0.2f;
    o->speed[k] = o->speed_max[k] = 1.0f;
    o->hx[k] = 1.0f;
    o->layers[k] = 1;
    o->avoids[k] = UINT32_MAX;
    o->agent[k] = 1;
    o->slot[k] = 1000;
    o->frame[k] = (th_turn){1.0f, 0.0f};
    o->want[k] = (th_guide_answer){1.0f, 0.0f, INFINITY, TH_ANSWER_LEAD, {0}, 0.0f};
    o->param[k] = &o->params;
    o->state[k] = o->memory;
  }
  o->view = (th_view){.lanes = 1,
                      .slot = o->slot,
                      .agent = o->agent,
                      .x = o->x,
                      .y = o->y,
                      .speed = o->speed,
                      .want = o->want,
                      .vx = o->vx,
                      .vy = o->vy,
                      .hx = o->hx,
                      .hy = o->hy,
                      .radius = o->radius,
                      .body = o->radius,
                      .people = o->people,
                      .time_gap = o->time_gap,
                      .pressure = o->pressure,
                      .speed_max = o->speed_max,
                      .layers = o->layers,
                      .avoids = o->avoids,
                      .frame = o->frame,
                      .neighbours = {.x = o->nx,
                                     .y = o->ny,
                                     .vx = o->nvx,
                                     .vy = o->nvy,
                                     .radius = o->nradius,
                                     .share = o->nshare,
                                     .slot = o->nslot,
                                     .layers = o->nlayers,
                                     .wish = o->wish,
                                     .pick = o->pick,
                                     .cover = 50.0f},
                      .clearance = {81, 81, -10.0f, -10.0f, 0.25f, o->clearance},
                      .link = o->link,
                      .link_count = TH_MAX_LINKS};
  o->work = (th_work){.view = &o->view,
                      .params = o->param,
                      .state = o->state,
                      .advice = {o->avx, o->avy, o->ahx, o->ahy, o->gait},
                      .scratch = scratch,
                      .dt = 0.1f,
                      .seed = 7,
                      .simd = (uint32_t)th_simd_level()};
}

static inline void one_sees(one *o, float x, float y, float radius) {
  uint32_t k = o->near_count++;
  o->wish[k].state = TH_ANSWER_WAIT;
  for (uint32_t lane = 0; lane < 16; lane++) o->pick[k * 16 + lane] = k;
  o->nx[k] = x;
  o->ny[k] = y;
  o->nradius[k] = radius;
  o->nslot[k] = k;
  o->nlayers[k] = 1;
  o->view.neighbours.count = o->near_count;
}

static inline th_bvp_state *one_decide(one *o) {
  th_bvp_map(&o->work);
  th_bvp_relax(&o->work);
  th_bvp_turn(&o->work);
  o->work.step++;
  return (th_bvp_state *)o->memory;
}

static inline bool one_blocked(const one *o, uint32_t i, uint32_t j) {
  return ((const th_bvp_state *)o->memory)->row[j] >> i & 1u;
}

static inline double one_angle(const one *o) {
  const th_bvp_state *s = (const th_bvp_state *)o->memory;
  return atan2((double)s->gy, (double)s->gx) * DEGREES;
}

#endif
