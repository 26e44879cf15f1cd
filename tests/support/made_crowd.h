/* tests/support/made_crowd.h - a crowd of plain arrays that a test fills by hand, as the library sees agents. */
#ifndef TH_TESTS_SUPPORT_MADE_CROWD_H
#define TH_TESTS_SUPPORT_MADE_CROWD_H

#include "throng/world.h"

enum { CROWD_MAX = 512 };

typedef struct crowd {
  th_agent_id id[CROWD_MAX];
  float x[CROWD_MAX], y[CROWD_MAX], vx[CROWD_MAX], vy[CROWD_MAX], hx[CROWD_MAX], hy[CROWD_MAX], radius[CROWD_MAX];
  uint8_t gait[CROWD_MAX], state[CROWD_MAX];
  uint32_t count;
} crowd;

/* The first `count` of them. */
static inline th_agents crowd_agents(crowd *c, uint32_t count) {
  c->count = count;
  return (th_agents){.count = count,
                     .id = c->id,
                     .x = c->x,
                     .y = c->y,
                     .vx = c->vx,
                     .vy = c->vy,
                     .hx = c->hx,
                     .hy = c->hy,
                     .radius = c->radius,
                     .gait = c->gait,
                     .state = c->state};
}

#endif
