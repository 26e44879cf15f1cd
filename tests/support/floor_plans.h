/* tests/support/floor_plans.h - random floor plans for tests of the ground: a room, boxes, rotated bars, thin walls,
 * doors.
 *
 *   plan p; plan_make(&p, seed, kind); th_ground *g = plan_ground(&p); ... th_ground_release(g);
 */
#ifndef TH_TESTS_SUPPORT_FLOOR_PLANS_H
#define TH_TESTS_SUPPORT_FLOOR_PLANS_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ground/ground.h"
#include "support/unit.h"

#define PLAN_MAX 64

typedef struct plan {
  uint64_t state;
  th_flat_def def;
  th_vec2 outline_point[2][8], point[PLAN_MAX][8], door_point[4][4];
  th_polygon outline[2], obstacle[PLAN_MAX];
  th_door door[4];
  char name[PLAN_MAX][12];
} plan;

static inline uint64_t plan_bits(uint64_t *state) { /* splitmix64 */
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static inline float plan_in(uint64_t *state, float min, float max) {
  return min + (max - min) * (float)(plan_bits(state) >> 40) / 16777216.0f;
}

/* A rotated rectangle about (x, y). */
static inline void plan_bar(th_vec2 *point, float x, float y, float w, float h, float angle) {
  float c = cosf(angle), s = sinf(angle);
  const float sx[4] = {-0.5f, 0.5f, 0.5f, -0.5f}, sy[4] = {-0.5f, -0.5f, 0.5f, 0.5f};
  for (int k = 0; k < 4; k++)
    point[k] = (th_vec2){x + c * sx[k] * w - s * sy[k] * h, y + s * sx[k] * w + c * sy[k] * h};
}

static inline th_polygon plan_box(th_vec2 *point, float x0, float y0, float x1, float y1) {
  point[0] = (th_vec2){x0, y0};
  point[1] = (th_vec2){x1, y0};
  point[2] = (th_vec2){x1, y1};
  point[3] = (th_vec2){x0, y1};
  return (th_polygon){NULL, point, 4};
}

/* One random obstacle: a box, a thin bar at any angle, or an acute triangle. */
static inline th_polygon plan_obstacle(uint64_t *state, th_vec2 *point, float size) {
  float x = plan_in(state, 0.0f, size), y = plan_in(state, 0.0f, size);
  uint64_t kind = plan_bits(state) % 3;
  if (kind == 0) {
    float w = plan_in(state, 0.2f, 3.0f), h = plan_in(state, 0.2f, 3.0f);
    return plan_box(point, x, y, x + w, y + h);
  }
  float angle = plan_in(state, 0.0f, 6.28f);
  if (kind == 1) {
    plan_bar(point, x, y, plan_in(state, 1.0f, 6.0f), plan_in(state, 0.005f, 0.1f), angle);
    return (th_polygon){NULL, point, 4};
  }
  float reach = plan_in(state, 1.0f, 4.0f), open = plan_in(state, 0.05f, 0.5f);
  point[0] = (th_vec2){x, y};
  point[1] = (th_vec2){x + reach * cosf(angle), y + reach * sinf(angle)};
  point[2] = (th_vec2){x + reach * cosf(angle + open), y + reach * sinf(angle + open)};
  return (th_polygon){NULL, point, 3};
}

static inline void plan_make(plan *p, uint64_t seed, uint32_t obstacles, float size) {
  memset(p, 0, sizeof *p);
  p->state = seed;
  p->def = th_default_flat_def();
  p->outline[0] = plan_box(p->outline_point[0], 0.0f, 0.0f, size, size);
  plan_bar(p->outline_point[1], size, 0.5f * size, 0.5f * size, 0.3f * size, plan_in(&p->state, 0.0f, 3.0f));
  p->outline[1] = (th_polygon){NULL, p->outline_point[1], 4};
  p->def.outline = p->outline;
  p->def.outline_count = 2;
  for (uint32_t k = 0; k < obstacles; k++) {
    p->obstacle[k] = plan_obstacle(&p->state, p->point[k], size);
    snprintf(p->name[k], sizeof p->name[k], "o%u", k);
    p->obstacle[k].name = p->name[k];
  }
  p->def.obstacle = p->obstacle;
  p->def.obstacle_count = obstacles;
  static const char *const names[4] = {"north", "east", "south", "west"};
  for (uint32_t k = 0; k < 4; k++) {
    plan_bar(p->door_point[k], plan_in(&p->state, 1.0f, size - 1.0f), plan_in(&p->state, 1.0f, size - 1.0f), 2.0f, 0.2f,
             plan_in(&p->state, 0.0f, 3.0f));
    p->door[k] = (th_door){{names[k], p->door_point[k], 4}, (plan_bits(&p->state) & 1) != 0};
  }
  p->def.door = p->door;
  p->def.door_count = 4;
}

static inline th_ground *plan_ground(const plan *p) {
  th_ground *ground = NULL;
  th_error error = {0};
  if (th_ground_make_flat(&p->def, &ground, &error)) fail_msg("%s: %s", error.where, error.text);
  return ground;
}

/* By definition, without any index. */
static inline bool plan_walkable(const plan *p, double x, double y) {
  bool in = false;
  for (uint32_t k = 0; k < p->def.outline_count; k++)
    in = in || th_polygon_holds(p->def.outline[k].point, p->def.outline[k].count, x, y);
  for (uint32_t k = 0; k < p->def.obstacle_count; k++)
    in = in && !th_polygon_holds(p->def.obstacle[k].point, p->def.obstacle[k].count, x, y);
  for (uint32_t k = 0; k < p->def.door_count; k++)
    in = in && !(p->def.door[k].closed && th_polygon_holds(p->def.door[k].shape.point, 4, x, y));
  return in;
}

/* Fails with the seed unless `condition` holds. */
#define CHECK_SEED(condition, seed, ...)                      \
  do {                                                        \
    if (!(condition)) {                                       \
      print_error("seed %llu: ", (unsigned long long)(seed)); \
      fail_msg(__VA_ARGS__);                                  \
    }                                                         \
  } while (0)

#endif
