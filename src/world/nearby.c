/* world/nearby.c - finds the agents around a point without looking at all of them.
 *
 * The last step's order still says roughly where everybody is: `strayed` bounds how far anyone has come since, so a
 * rectangle of clusters that is wider by that much holds all agents that had a slot. Agents that came later stand in
 * the rows from `tail` on. A slot names its agent by the index of its id, because rows move when others leave. Where
 * the order does not hold (before the first step, after a restore) and on meshes all rows are looked at. Cost: a few
 * nanoseconds for each agent in the rectangle.
 */
#include "nearby.h"

static uint32_t line_of(float value, uint32_t count) {
  if (!(value > 0.0f)) return 0;
  return value < (float)count ? (uint32_t)value : count - 1;
}

static void open_line(th_nearby *n) {
  const th_order *order = &n->world->order;
  const uint32_t *start = order->start + (size_t)n->line * order->columns;
  n->slot = start[n->column0];
  n->end = start[n->column1 + 1];
}

th_nearby th_nearby_begin(const th_world *world, float x, float y, float reach) {
  const th_order *order = &world->order;
  th_nearby n = {.world = world, .line = 1}; /* no lines: all rows */
  if (!world->order_holds || world->mesh) return n;
  float wide = (reach + world->strayed) * 1.0001f + 1e-3f, left = x - order->x0, low = y - order->y0;
  n.column0 = line_of((left - wide) * order->inverse, order->columns);
  n.column1 = line_of((left + wide) * order->inverse, order->columns);
  n.line = line_of((low - wide) * order->inverse, order->rows);
  n.line1 = line_of((low + wide) * order->inverse, order->rows);
  n.row = world->tail;
  open_line(&n);
  return n;
}

/* The row of a slot's agent, or UINT32_MAX when it has left (its index may serve a later agent by now). */
static uint32_t row_of_slot(const th_world *world, uint32_t slot) {
  uint32_t agent = world->order.agent[slot], row = world->row_of[agent - 1];
  return row < world->tail && world->rows.agent[row] == agent ? row : UINT32_MAX;
}

bool th_nearby_next(th_nearby *n, uint32_t *row) {
  const th_world *world = n->world;
  while (n->line <= n->line1) {
    while (n->slot < n->end)
      if ((*row = row_of_slot(world, n->slot++)) != UINT32_MAX) return true;
    if (++n->line <= n->line1) open_line(n);
  }
  while (n->row < world->rows.count) {
    *row = n->row++;
    if (world->rows.in[*row]) return true;
  }
  return false;
}
