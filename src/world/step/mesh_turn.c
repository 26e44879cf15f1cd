/* world/step/mesh_turn.c - turns the vectors of an agent that has come to another face of a mesh.
 *
 * For an agent that walked, the rotation is the product of those of the edges it crossed (straightest geodesics,
 * Polthier and Schmies 1998). For a body that the host has put on another face the path is unknown: there vectors turn
 * as the normal does. Cost: about 10 ns, most of it for cache misses.
 */
#include "world/step/mesh_turn.h"

#include "geometry/vector.h"
#include "world/world.h"

void th_turn_carried(th_rows *rows, uint32_t row, th_turn t) {
  th_vec2 w = th_turned(t, rows->walk_vx[row], rows->walk_vy[row]), h = th_turned(t, rows->hx[row], rows->hy[row]);
  th_vec2 a = th_turned(t, rows->advised_vx[row], rows->advised_vy[row]),
          ah = th_turned(t, rows->advised_hx[row], rows->advised_hy[row]);
  float k = 1.0f / sqrtf(h.x * h.x + h.y * h.y);
  rows->walk_vx[row] = w.x;
  rows->walk_vy[row] = w.y;
  rows->hx[row] = h.x * k;
  rows->hy[row] = h.y * k;
  rows->advised_vx[row] = a.x;
  rows->advised_vy[row] = a.y;
  rows->advised_hx[row] = ah.x;
  rows->advised_hy[row] = ah.y;
  rows->v[row] = th_turned(t, rows->v[row].x, rows->v[row].y);
  rows->frame[row] = th_turn_composed(t, rows->frame[row]);
}

/* The faces along which a body went are unknown: vectors turn as the normal does, by the least rotation that takes one
 * normal to the other; over one edge that is what walking does. Rodrigues' formula with c = m . n and the axis m x n:
 * e' = c e + (m x n) x e + (m x n) ((m x n) . e) / (1 + c). */
static th_turn turn_with_normal(const th_ground *ground, th_place old, th_place place) {
  th_vec3 m = th_ground_normal(ground, old), n = th_ground_normal(ground, place), axis = th_cross3(m, n);
  th_vec3 e = th_ground_to_space(ground, old, (th_vec2){1.0f, 0.0f}), across = th_cross3(axis, e);
  float c = th_dot3(m, n), k = c > -0.99f ? th_dot3(axis, e) / (1.0f + c) : 0.0f;
  th_vec3 moved = {c * e.x + across.x + k * axis.x, c * e.y + across.y + k * axis.y, c * e.z + across.z + k * axis.z};
  th_vec2 x = th_ground_to_cell(ground, place, moved);
  float size = sqrtf(x.x * x.x + x.y * x.y);
  return size > 0.0f ? (th_turn){x.x / size, x.y / size} : (th_turn){1.0f, 0.0f};
}

th_vec2 th_world_mesh_accept(th_world *world, uint32_t row, th_place place) {
  th_rows *rows = &world->rows;
  const th_ground *ground = world->ground;
  th_place old = {rows->cell[row], rows->x[row], rows->y[row]};
  th_vec3 a = th_ground_point(ground, old), b = th_ground_point(ground, place);
  if (place.cell != old.cell) th_turn_carried(rows, row, turn_with_normal(ground, old, place));
  return th_ground_to_cell(ground, place, th_minus3(b, a));
}

static void turn_all(th_rows *rows, uint32_t row, th_turn t) {
  th_vec2 v = th_turned(t, rows->vx[row], rows->vy[row]);
  rows->vx[row] = v.x;
  rows->vy[row] = v.y;
  th_turn_carried(rows, row, t);
}

void th_world_mesh_push_to(th_world *world, uint32_t row, th_place place) {
  th_rows *rows = &world->rows;
  th_place old = {rows->cell[row], rows->x[row], rows->y[row]};
  if (place.cell != old.cell) turn_all(rows, row, turn_with_normal(world->ground, old, place));
}

/* One rotation for all: that of the heading, as long as enough of it lies in the new face. */
void th_world_mesh_turn_to(th_world *world, uint32_t row, th_place place) {
  th_rows *rows = &world->rows;
  th_place old = {rows->cell[row], rows->x[row], rows->y[row]};
  if (place.cell == old.cell) return;
  th_vec2 h = {rows->hx[row], rows->hy[row]};
  th_vec2 to = th_ground_to_cell(world->ground, place, th_ground_to_space(world->ground, old, h));
  float size = sqrtf(to.x * to.x + to.y * to.y);
  if (size < 0.05f) {
    turn_all(rows, row, turn_with_normal(world->ground, old, place));
    return;
  }
  th_turn turn = {(h.x * to.x + h.y * to.y) / size, (h.x * to.y - h.y * to.x) / size};
  turn_all(rows, row, th_turn_composed(turn, (th_turn){1.0f, 0.0f}));
}
