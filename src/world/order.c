/* world/order.c - phase 2: agents sorted by patch, cluster and id.
 *
 * The cluster size follows the crowd's density; it is reconsidered at fixed steps only, from the state alone, so that
 * every run agrees on it.
 */
#include "view/order.h"

#include "world.h"

static uint32_t visible(const th_rows *rows) {
  uint32_t count = 0;
  for (uint32_t row = 0; row < rows->count; row++) count += rows->in[row];
  return count;
}

static void refit(th_world *world) {
  th_vec2 lower, upper;
  th_ground_bounds(world->ground, &lower, &upper);
  uint32_t count = visible(&world->rows);
  if (world->area <= 0.0f) { /* nothing known yet: start from an even spread over the ground */
    float whole = (upper.x - lower.x) * (upper.y - lower.y);
    world->area = count ? whole / (float)count : whole;
  }
  th_order_fit(&world->order, lower, upper, count, world->area);
}

void th_phase_order(th_world *world) {
  th_rows *rows = &world->rows;
  th_order_input input = {.count = rows->count,
                          .in = rows->in,
                          .agent = rows->agent,
                          .layers = rows->layers,
                          .x = rows->x,
                          .y = rows->y,
                          .vx = rows->vx,
                          .vy = rows->vy,
                          .radius = rows->radius,
                          .share = rows->share};
  bool known = world->area > 0.0f;
  if (!known || world->step % TH_REFIT_STEPS == 0 || !world->order.cluster_count) refit(world);
  th_order_build(&world->order, world->pool, &input);
  if (!known) { /* a first look told where the crowd stands: look again with clusters of its size */
    for (int i = 0; i < 4; i++) {
      world->area = th_order_area(&world->order);
      refit(world);
      th_order_build(&world->order, world->pool, &input);
    }
  }
  if (world->step % TH_REFIT_STEPS == TH_REFIT_STEPS - 1) world->area = th_order_area(&world->order);
}
