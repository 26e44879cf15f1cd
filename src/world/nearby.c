/* world/nearby.c - finds the agents around a point without looking at all of them.
 *
 * The last step's order still gives rough places: `strayed` bounds how far any agent has moved since, so a search
 * widened by that distance finds all agents that had a slot. On flat ground it covers a rectangle of clusters; on a
 * mesh it covers the faces whose boxes come near enough (geometry/mesh/bvh.h), and searches each face's cluster for the
 * agents that were on it. Agents that came later stand in the rows from `tail` on. A slot names its agent by the index
 * of its id, because rows move when others leave. Where the order does not hold (before the first step, after a
 * restore), and on meshes where there would be more faces than agents, all rows are searched. Cost: a few nanoseconds
 * for each agent in the rectangle, and for each face and agent of its cluster.
 */
#include "world/nearby.h"

#include <math.h>

#include "ground/mesh/ground.h"

static uint32_t line_of(float value, uint32_t count) {
  if (!(value > 0.0f)) return 0;
  return value < (float)count ? (uint32_t)value : count - 1;
}

static void open_line(th_nearby *n) {
  const th_order *order = &n->world->order;
  const uint32_t *start = order->start + (size_t)n->line * order->grid.columns;
  n->slot = start[n->column0];
  n->end = start[n->column1 + 1];
}

static bool next_in_lines(th_nearby *n, uint32_t *slot) {
  while (n->line <= n->line1) {
    if (n->slot < n->end) {
      *slot = n->slot++;
      return true;
    }
    if (++n->line <= n->line1) open_line(n);
  }
  return false;
}

static void begin_flat(th_nearby *n, th_vec3 lower, th_vec3 upper, float wide) {
  const th_order *order = &n->world->order;
  const float x0 = order->grid.x0, y0 = order->grid.y0;
  n->column0 = line_of((lower.x - x0 - wide) * order->grid.inverse, order->grid.columns);
  n->column1 = line_of((upper.x - x0 + wide) * order->grid.inverse, order->grid.columns);
  n->line = line_of((lower.y - y0 - wide) * order->grid.inverse, order->grid.rows);
  n->line1 = line_of((upper.y - y0 + wide) * order->grid.inverse, order->grid.rows);
  n->row = n->world->tail;
  n->next = next_in_lines;
  open_line(n);
}

/* The next slot of an agent that was on one of the faces; false when there are no more faces. */
static bool next_on_faces(th_nearby *n, uint32_t *slot) {
  const th_world_mesh *mesh = n->world->mesh;
  for (;;) {
    for (; n->slot < n->end; n->slot++) {
      if (mesh->cell[n->slot] != n->cell) continue;
      *slot = n->slot++;
      return true;
    }
    if (!th_bvh_walk_next(&n->face, &n->cell)) return false;
    uint32_t cluster = mesh->atlas->patches.cluster_of[n->cell];
    if (cluster == TH_NO_ELEMENT) continue;
    n->slot = n->world->order.start[cluster];
    n->end = n->world->order.start[cluster + 1];
  }
}

/* Faces of two sheets that a ball is likely to hold, if they were equilateral: 2 pi w^2 / (sqrt(3) / 4 e^2). */
static bool few_faces(const th_world *world, float wide) {
  float edges = wide / world->ground->mesh->mean_edge;
  return 14.5f * edges * edges < (float)world->rows.count;
}

static void begin_mesh(th_nearby *n, th_vec3 at, float wide) {
  const double point[3] = {(double)at.x, (double)at.y, (double)at.z};
  if (!few_faces(n->world, wide)) return;
  n->face = th_bvh_walk_begin(&n->world->ground->mesh->bvh, point, (double)wide);
  n->row = n->world->tail;
  n->next = next_on_faces;
}

/* All rows are searched. */
static bool no_slot(th_nearby *n, uint32_t *slot) {
  (void)n, (void)slot;
  return false;
}

th_nearby th_nearby_begin(const th_world *world, th_vec3 at, float reach) {
  th_nearby n = {.world = world, .next = no_slot};
  float wide = (reach + world->strayed) * 1.0001f + 1e-3f;
  if (!world->order_holds || !isfinite(at.x + at.y + at.z + wide)) return n;
  if (world->mesh)
    begin_mesh(&n, at, wide);
  else
    begin_flat(&n, at, at, wide);
  return n;
}

/* On a mesh: the ball around the box. */
th_nearby th_nearby_begin_box(const th_world *world, th_vec3 lower, th_vec3 upper) {
  th_nearby n = {.world = world, .next = no_slot};
  const float wide = world->strayed * 1.0001f + 1e-3f;
  const float x = 0.5f * (upper.x - lower.x), y = 0.5f * (upper.y - lower.y), z = 0.5f * (upper.z - lower.z);
  if (!(x >= 0.0f && y >= 0.0f && z >= 0.0f)) n.row = world->rows.count; /* nobody */
  if (n.row || !world->order_holds || !isfinite(wide)) return n;
  if (world->mesh)
    return th_nearby_begin(world, (th_vec3){lower.x + x, lower.y + y, lower.z + z}, sqrtf(x * x + y * y + z * z));
  begin_flat(&n, lower, upper, wide);
  return n;
}

void th_nearby_strays(th_world *world, uint32_t row, th_place to) {
  const th_order *order = &world->order;
  const th_rows *rows = &world->rows;
  if (!world->order_holds || row >= world->tail) return;
  uint32_t slot = order->slot_of[row];
  bool known = slot < order->count && order->agent[slot] == rows->agent[row]; /* rows may have moved since */
  th_place from = {rows->cell[row], rows->x[row], rows->y[row]};
  if (known) from = (th_place){world->mesh ? world->mesh->cell[slot] : 0, order->x[slot], order->y[slot]};
  th_vec3 a = th_ground_point(world->ground, from), b = th_ground_point(world->ground, to);
  float dx = b.x - a.x, dy = b.y - a.y, dz = b.z - a.z, apart = sqrtf(dx * dx + dy * dy + dz * dz);
  world->strayed = known ? fmaxf(world->strayed, apart) : world->strayed + apart;
}

/* The row of a slot's agent, or UINT32_MAX when it has left (its index may belong to a later agent by now). */
static uint32_t row_of_slot(const th_world *world, uint32_t slot) {
  uint32_t agent = world->order.agent[slot], row = world->row_of[agent - 1];
  return row < world->tail && world->rows.agent[row] == agent ? row : UINT32_MAX;
}

bool th_nearby_next(th_nearby *n, uint32_t *row) {
  const th_world *world = n->world;
  uint32_t slot;
  while (n->next(n, &slot))
    if ((*row = row_of_slot(world, slot)) != UINT32_MAX) return true;
  while (n->row < world->rows.count) {
    *row = n->row++;
    if (world->rows.in[*row]) return true;
  }
  return false;
}
