/* tests/support/plain_crowds.h - random crowds as plain arrays with an order and a view source, without a world.
 *
 *   crowd c; crowd_make(&c, ground, 300, seed, CROWD_EVEN); crowd_order(&c, pool); ... crowd_free(&c);
 */
#ifndef TH_TESTS_SUPPORT_PLAIN_CROWDS_H
#define TH_TESTS_SUPPORT_PLAIN_CROWDS_H

#include "support/worlds.h"
#include "view/view.h"

enum { CROWD_EVEN, CROWD_DENSE, CROWD_SPARSE, CROWD_STACKED, CROWD_BORDER, CROWD_KINDS };

typedef struct crowd {
  th_env env;
  const th_ground *ground;
  uint64_t state;
  uint32_t count;
  uint8_t *in, *link_count;
  uint32_t *agent, *layers, *avoids;
  float *x, *y, *vx, *vy, *radius, *share, *hx, *hy, *speed, *speed_max;
  th_turn *frame;
  th_guide_answer *want;
  th_link_targets *links;
  th_order order;
  th_view_source source;
} crowd;

static inline void *crowd_array(uint32_t count, size_t size) {
  void *memory = calloc(count ? count : 1, size);
  assert_non_null(memory);
  return memory;
}

static inline void crowd_place(crowd *c, uint32_t i, int kind) {
  th_vec2 low, high;
  th_ground_bounds(c->ground, &low, &high);
  float w = high.x - low.x, h = high.y - low.y;
  c->x[i] = low.x + worlds_in(&c->state, 0.0f, w);
  c->y[i] = low.y + worlds_in(&c->state, 0.0f, h);
  if (kind == CROWD_DENSE && i % 4) { /* most of them in a spot of half a metre */
    c->x[i] = low.x + 0.5f * w + worlds_in(&c->state, -0.25f, 0.25f);
    c->y[i] = low.y + 0.5f * h + worlds_in(&c->state, -0.25f, 0.25f);
  }
  if (kind == CROWD_STACKED && i % 3 && i) c->x[i] = c->x[i - 1], c->y[i] = c->y[i - 1];
  if (kind == CROWD_BORDER) {
    if (i % 4 == 0) c->x[i] = low.x;
    if (i % 4 == 1) c->x[i] = high.x;
    if (i % 4 == 2) c->y[i] = low.y;
    if (i % 4 == 3) c->y[i] = high.y;
  }
}

static inline void crowd_make(crowd *c, const th_ground *ground, uint32_t count, uint64_t seed, int kind) {
  *c = (crowd){.ground = ground, .state = seed, .count = count};
  c->env = th_env_complete(NULL);
  c->in = (uint8_t *)crowd_array(count, 1);
  c->link_count = (uint8_t *)crowd_array(count, 1);
  uint32_t **words[] = {&c->agent, &c->layers, &c->avoids};
  for (int i = 0; i < 3; i++) *words[i] = (uint32_t *)crowd_array(count, sizeof(uint32_t));
  float **floats[] = {&c->x, &c->y, &c->vx, &c->vy, &c->radius, &c->share, &c->hx, &c->hy, &c->speed, &c->speed_max};
  for (int i = 0; i < 10; i++) *floats[i] = (float *)crowd_array(count, sizeof(float));
  c->frame = (th_turn *)crowd_array(count, sizeof(th_turn));
  c->want = (th_guide_answer *)crowd_array(count, sizeof(th_guide_answer));
  c->links = (th_link_targets *)crowd_array(count, sizeof(th_link_targets));
  for (uint32_t i = 0; i < count; i++) {
    crowd_place(c, i, kind);
    for (int k = 2; k < 10; k++) (*floats[k])[i] = worlds_in(&c->state, 0.1f, 1.0f);
    c->agent[i] = count - i; /* ids that run against the rows */
    c->in[i] = 1;
    c->layers[i] = 1;
    c->avoids[i] = UINT32_MAX;
    c->frame[i] = (th_turn){1.0f, 0.0f};
    c->want[i] = (th_guide_answer){.dx = 1.0f, .left = (float)i, .state = TH_ANSWER_LEAD};
  }
  assert_true(th_order_make(&c->order, &c->env.allocator, count, 3, 0));
}

static inline void crowd_order(crowd *c, th_pool *pool, float area) {
  th_vec2 low, high;
  th_ground_bounds(c->ground, &low, &high);
  float radius = 0.0f;
  bool layered = false;
  for (uint32_t i = 0; i < c->count; i++) {
    radius = fmaxf(radius, c->radius[i]);
    layered |= c->layers[i] != 1u || !(c->avoids[i] & 1u);
  }
  th_order_fit(&c->order, low, high, c->count, area);
  th_order_input input = {.count = c->count,
                          .in = c->in,
                          .agent = c->agent,
                          .layers = c->layers,
                          .x = c->x,
                          .y = c->y,
                          .vx = c->vx,
                          .vy = c->vy,
                          .radius = c->radius,
                          .share = c->share};
  c->order.layered = layered;
  c->order.radius_max = radius;
  th_order_build(&c->order, pool, &input);
  c->source = (th_view_source){.ground = c->ground,
                               .order = &c->order,
                               .columns = {.hx = c->hx,
                                           .hy = c->hy,
                                           .speed = c->speed,
                                           .speed_max = c->speed_max,
                                           .avoids = c->avoids,
                                           .frame = c->frame,
                                           .want = c->want,
                                           .link = c->links,
                                           .link_count = c->link_count},
                               .cover = INFINITY,
                               .simd = th_simd_level()};
}

static inline void crowd_free(crowd *c) {
  void *all[] = {c->in,     c->link_count, c->agent, c->layers, c->avoids, c->x,         c->y,     c->vx,   c->vy,
                 c->radius, c->share,      c->hx,    c->hy,     c->speed,  c->speed_max, c->frame, c->want, c->links};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
  th_order_free(&c->order);
}

#endif
