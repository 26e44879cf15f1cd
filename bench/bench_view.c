/* bench/bench_view.c - the cost of finding the ten nearest neighbours of every agent.
 *
 * Agents of the cross workload walk freely; each step sorts them by place and fills all views.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "throng/throng.h"
#include "view/view.h"
#include "workloads.h"

typedef struct crowd {
  th_workload work;
  th_order order;
  th_view_scratch room;
  float *zero, *vx, *radius, *share;
  uint32_t *agent, *layers, *avoids;
  uint8_t *in;
  th_turn *frame;
  th_guide_answer *want;
  uint8_t *links;
  float *x, *y;
} crowd;

/* The lattice is written column by column; rows of a world are in the order of places, row by row. */
static th_vec2 position(const crowd *c, uint32_t i) {
  uint32_t side = (uint32_t)(sqrt((double)c->work.count) + 0.5);
  return c->work.position[i % side * side + i / side];
}

static void fill_columns(crowd *c) {
  uint32_t n = c->work.count, side = (uint32_t)(sqrt((double)n) + 0.5);
  c->zero = calloc(n, sizeof *c->zero);
  c->vx = calloc(n, sizeof *c->vx);
  c->x = calloc(n, sizeof *c->x);
  c->y = calloc(n, sizeof *c->y);
  c->radius = calloc(n, sizeof *c->radius);
  c->share = calloc(n, sizeof *c->share);
  c->agent = calloc(n, sizeof *c->agent);
  c->layers = calloc(n, sizeof *c->layers);
  c->avoids = calloc(n, sizeof *c->avoids);
  c->in = calloc(n, 1);
  c->frame = calloc(n, sizeof *c->frame);
  c->want = calloc(n, sizeof *c->want);
  c->links = calloc(n, 1);
  for (uint32_t i = 0; i < n; i++) {
    c->x[i] = position(c, i).x;
    c->y[i] = position(c, i).y;
    c->vx[i] = c->work.goal[i % side * side + i / side].x > c->x[i] ? c->work.speed : -c->work.speed;
    c->radius[i] = c->work.radius;
    c->agent[i] = i + 1;
    c->layers[i] = 1;
    c->avoids[i] = UINT32_MAX;
    c->in[i] = 1;
  }
}

static void free_columns(crowd *c) {
  void *all[] = {c->zero,   c->vx,     c->x,  c->y,     c->radius, c->share, c->agent,
                 c->layers, c->avoids, c->in, c->frame, c->want,   c->links};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

/* One step: order, then every view. Returns seconds, and those of the order alone. */
static double step(crowd *c, double *order_seconds) {
  const th_workload *w = &c->work;
  th_order_input input = {.count = w->count,
                          .in = c->in,
                          .agent = c->agent,
                          .layers = c->layers,
                          .x = c->x,
                          .y = c->y,
                          .vx = c->vx,
                          .vy = c->zero,
                          .radius = c->radius,
                          .share = c->share};
  c->order.radius_max = 0.2f;
  th_view_source source = {.order = &c->order,
                           .columns = {.hx = c->vx,
                                       .hy = c->zero,
                                       .speed = c->radius,
                                       .speed_max = c->radius,
                                       .avoids = c->avoids,
                                       .frame = c->frame,
                                       .want = c->want,
                                       .link_count = c->links},
                           .cover = INFINITY,
                           .simd = th_simd_level()};
  th_view_need wish = {TH_SEE_NEAREST, w->reach, w->neighbours};
  double begin = th_bench_now();
  th_order_build(&c->order, NULL, &input);
  *order_seconds = th_bench_now() - begin;
  for (uint32_t patch = 0; patch < th_order_patches(&c->order); patch++) {
    uint32_t first, last, slot[16];
    th_order_patch(&c->order, patch, &first, &last);
    for (uint32_t s = c->order.start[first]; s < c->order.start[last]; s += 16) {
      uint32_t lanes = c->order.start[last] - s < 16 ? c->order.start[last] - s : 16;
      for (uint32_t i = 0; i < lanes; i++) slot[i] = s + i;
      th_view_fill(&c->room, &source, slot, lanes, &wish);
    }
  }
  double seconds = th_bench_now() - begin;
  for (uint32_t i = 0; i < w->count; i++) c->x[i] += c->vx[i] * w->dt;
  return seconds;
}

static void measure(th_bench *bench, uint32_t count) {
  char name[64];
  snprintf(name, sizeof name, "view.flat.%u", count);
  if (!th_bench_wants(bench, name)) return;
  crowd c = {0};
  if (!th_workload_make(&c.work, "cross", count)) return;
  fill_columns(&c);
  th_env env = th_env_complete(NULL);
  if (!th_order_make(&c.order, &env.allocator, c.work.count, 1, 0) || !th_view_scratch_make(&c.room, &env.allocator))
    return;
  float side = c.work.position[c.work.count - 1].x + 1.0f;
  th_order_fit(&c.order, (th_vec2){-40.0f, -1.0f}, (th_vec2){side + 40.0f, side}, c.work.count, 1.0f);
  double total[TH_BENCH_STEPS], order[TH_BENCH_STEPS], scale = 1e6 / c.work.count;
  for (uint32_t i = 0; i < c.work.count; i++) c.x[i] = position(&c, i).x;
  for (int i = 0; i < TH_BENCH_WARM; i++) step(&c, &order[0]);
  for (int i = 0; i < TH_BENCH_STEPS; i++) total[i] = step(&c, &order[i]);
  snprintf(name, sizeof name, "view.flat.%u.us", count);
  th_bench_report(bench, name, th_bench_median(total, TH_BENCH_STEPS) * scale, "us");
  snprintf(name, sizeof name, "view.flat.%u.order_us", count);
  th_bench_report(bench, name, th_bench_median(order, TH_BENCH_STEPS) * scale, "us");
  th_view_scratch_free(&c.room, &env.allocator);
  th_order_free(&c.order);
  free_columns(&c);
  th_workload_free(&c.work);
}

void th_bench_view(th_bench *bench) {
  measure(bench, 10000);
  measure(bench, 100000);
}
