/* world/mesh_move.c - walking on a mesh, and what it does to vectors.
 *
 * A step is a straight way in the frame of the face it starts in; crossing an edge turns the frame, and with it
 * everything the agent carries: velocity, heading, advice, personal vector, memory. The turn of a whole step is one
 * rotation an agent, applied when the step is committed. Source: straightest geodesics (Polthier and Schmies 1998).
 * Cost: about 40 ns an agent.
 */
#include <math.h>

#include "world.h"

static th_vec2 turned(th_turn t, float x, float y) { return (th_vec2){t.c * x - t.s * y, t.s * x + t.c * y}; }

/* Rounding must not make a rotation grow or shrink over many steps. */
static th_turn composed(th_turn by, th_turn t) {
  float c = by.c * t.c - by.s * t.s, s = by.s * t.c + by.c * t.s, k = 1.0f / sqrtf(c * c + s * s);
  return (th_turn){c * k, s * k};
}

bool th_world_mesh_walk_slot(th_world *world, uint32_t slot, th_vec2 way) {
  th_world_mesh *mesh = world->mesh;
  th_place place = {mesh->mcell[slot], world->mx[slot], world->my[slot]}, from = place;
  th_turn turn = {1.0f, 0.0f};
  bool wall = th_ground_walk(world->ground, &place, way, world->order.radius[slot], &turn);
  th_vec2 walked = turned(turn, way.x, way.y), before = turned(turn, mesh->wayx[slot], mesh->wayy[slot]);
  if (wall) { /* a wall changed the way: the chord, seen in the last face */
    th_vec3 a = th_ground_point(world->ground, from), b = th_ground_point(world->ground, place);
    walked = th_ground_to_cell(world->ground, place, (th_vec3){b.x - a.x, b.y - a.y, b.z - a.z});
  }
  if (place.cell != mesh->mcell[slot]) {
    mesh->mcell[slot] = place.cell;
    mesh->mrank[slot] = mesh->atlas->patches.rank_of[place.cell];
  }
  world->mx[slot] = place.x;
  world->my[slot] = place.y;
  mesh->turn[slot] = composed(turn, mesh->turn[slot]);
  mesh->wayx[slot] = before.x + walked.x;
  mesh->wayy[slot] = before.y + walked.y;
  return wall;
}

/* Everything the agent carries but its way, in the frame of the face it has come to. */
static void turn_row(th_rows *rows, uint32_t row, th_turn t) {
  th_vec2 w = turned(t, rows->wx[row], rows->wy[row]), h = turned(t, rows->hx[row], rows->hy[row]);
  th_vec2 a = turned(t, rows->ax[row], rows->ay[row]), ah = turned(t, rows->ahx[row], rows->ahy[row]);
  float k = 1.0f / sqrtf(h.x * h.x + h.y * h.y);
  rows->wx[row] = w.x;
  rows->wy[row] = w.y;
  rows->hx[row] = h.x * k;
  rows->hy[row] = h.y * k;
  rows->ax[row] = a.x;
  rows->ay[row] = a.y;
  rows->ahx[row] = ah.x;
  rows->ahy[row] = ah.y;
  rows->v[row] = turned(t, rows->v[row].x, rows->v[row].y);
  rows->frame[row] = composed(t, rows->frame[row]);
}

static void commit_slot(th_world *world, uint32_t slot) {
  th_world_mesh *mesh = world->mesh;
  th_rows *rows = &world->rows;
  uint32_t row = world->order.row[slot];
  if (rows->state[row] == TH_AGENT_EXTERNAL) return;
  th_turn t = mesh->turn[slot];
  float rate = 1.0f / world->dt;
  rows->previous_cell[row] = rows->cell[row];
  rows->px[row] = rows->x[row];
  rows->py[row] = rows->y[row];
  rows->cell[row] = mesh->mcell[slot];
  rows->x[row] = world->mx[slot];
  rows->y[row] = world->my[slot];
  rows->vx[row] = mesh->wayx[slot] * rate;
  rows->vy[row] = mesh->wayy[slot] * rate;
  rows->gait[row] = th_gait_of(rows, row);
  if (world->touched[slot]) rows->notice[row] |= TH_NOTICE_WALL;
  if (t.s != 0.0f || !(t.c > 0.0f)) turn_row(rows, row, t);
}

static float dot(th_vec3 a, th_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static th_vec3 cross(th_vec3 a, th_vec3 b) {
  return (th_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* Nobody knows along which faces a body went: vectors turn as the normal does, by the least rotation that takes one
 * normal to the other; over one edge that is what walking does. Rodrigues' formula with c = m . n and the axis m x n:
 * e' = c e + (m x n) x e + (m x n) ((m x n) . e) / (1 + c). */
static th_turn turn_with_normal(const th_ground *ground, th_place old, th_place place) {
  th_vec3 m = th_ground_normal(ground, old), n = th_ground_normal(ground, place), axis = cross(m, n);
  th_vec3 e = th_ground_to_space(ground, old, (th_vec2){1.0f, 0.0f}), across = cross(axis, e);
  float c = dot(m, n), k = c > -0.99f ? dot(axis, e) / (1.0f + c) : 0.0f;
  th_vec3 moved = {c * e.x + across.x + k * axis.x, c * e.y + across.y + k * axis.y, c * e.z + across.z + k * axis.z};
  th_vec2 x = th_ground_to_cell(ground, place, moved);
  float size = sqrtf(x.x * x.x + x.y * x.y);
  return size > 0.0f ? (th_turn){x.x / size, x.y / size} : (th_turn){1.0f, 0.0f};
}

/* The host moved a body. Returns the chord, seen in the new face. */
th_vec2 th_world_mesh_accept(th_world *world, uint32_t row, th_place place) {
  th_rows *rows = &world->rows;
  const th_ground *ground = world->ground;
  th_place old = {rows->cell[row], rows->x[row], rows->y[row]};
  th_vec3 a = th_ground_point(ground, old), b = th_ground_point(ground, place);
  if (place.cell != old.cell) turn_row(rows, row, turn_with_normal(ground, old, place));
  return th_ground_to_cell(ground, place, (th_vec3){b.x - a.x, b.y - a.y, b.z - a.z});
}

static void turn_all(th_rows *rows, uint32_t row, th_turn t) {
  th_vec2 v = turned(t, rows->vx[row], rows->vy[row]);
  rows->vx[row] = v.x;
  rows->vy[row] = v.y;
  turn_row(rows, row, t);
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
  turn_all(rows, row, composed(turn, (th_turn){1.0f, 0.0f}));
}

static void commit(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  (void)worker;
  for (uint32_t slot = begin; slot < end; slot++) commit_slot(context, slot);
}

void th_world_mesh_commit(th_world *world) { th_parallel_for(world->pool, world->order.count, 256, commit, world); }
