/* world/step/mesh_move.c - walking on a mesh, and what it does to vectors.
 *
 * A step is a straight way in the frame of the face it starts in; crossing an edge turns the frame, and with it
 * everything the agent carries: velocity, heading, advice, personal vector, memory. What it carries is turned as soon
 * as its way is known, while the columns that move has read are still at hand; only those whom contacts pushes over an
 * edge turn when the step is committed. Source: straightest geodesics (Polthier and Schmies 1998). Both move and commit
 * wait for memory more than they compute: lines are asked for ahead, and who crosses an edge or turns is listed first,
 * so that many such misses are under way at once. Cost: about 25 ns an agent to walk and 10 ns to commit, when one in
 * five crosses an edge.
 */
#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "ground/mesh/ground.h"
#include "ground/mesh/walk.h"
#include "world/state/columns.h"
#include "world/world.h"

#define AHEAD 32         /* slots */
#define COMMIT_BLOCK 256 /* slots */

static th_vec2 turned(th_turn t, float x, float y) { return (th_vec2){t.c * x - t.s * y, t.s * x + t.c * y}; }

/* Rounding must not make a rotation grow or shrink over many steps. */
static th_turn composed(th_turn by, th_turn t) {
  float c = by.c * t.c - by.s * t.s, s = by.s * t.c + by.c * t.s, k = 1.0f / sqrtf(c * c + s * s);
  return (th_turn){c * k, s * k};
}

bool th_world_mesh_walk_slot(th_world *world, uint32_t slot, th_vec2 way) {
  th_world_mesh *mesh = world->mesh;
  th_place place = {mesh->mcell[slot], world->moved_x[slot], world->moved_y[slot]}, from = place;
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
  world->moved_x[slot] = place.x;
  world->moved_y[slot] = place.y;
  mesh->turn[slot] = composed(turn, mesh->turn[slot]);
  mesh->wayx[slot] = before.x + walked.x;
  mesh->wayy[slot] = before.y + walked.y;
  return wall;
}

/* Everything the agent carries but its way, in the frame of the face it has come to. */
static void turn_row(th_rows *rows, uint32_t row, th_turn t) {
  th_vec2 w = turned(t, rows->walk_vx[row], rows->walk_vy[row]), h = turned(t, rows->hx[row], rows->hy[row]);
  th_vec2 a = turned(t, rows->advised_vx[row], rows->advised_vy[row]),
          ah = turned(t, rows->advised_hx[row], rows->advised_hy[row]);
  float k = 1.0f / sqrtf(h.x * h.x + h.y * h.y);
  rows->walk_vx[row] = w.x;
  rows->walk_vy[row] = w.y;
  rows->hx[row] = h.x * k;
  rows->hy[row] = h.y * k;
  rows->advised_vx[row] = a.x;
  rows->advised_vy[row] = a.y;
  rows->advised_hx[row] = ah.x;
  rows->advised_hy[row] = ah.y;
  rows->v[row] = turned(t, rows->v[row].x, rows->v[row].y);
  rows->frame[row] = composed(t, rows->frame[row]);
}

/* A rotation that changes nothing must not round either. */
static bool turns(th_turn t) { return t.s != 0.0f || !(t.c > 0.0f); }

/* What the next call needs comes while the other slots move: the faces beyond, and what is carried but not used by
 * move. */
static void list_crossers(const th_world *world, const th_motion *m, const th_staying *s, uint32_t first,
                          th_crossers *list) {
  const uint32_t *rank_of = world->mesh->atlas->patches.rank_of;
  const uint32_t *row = world->order.row + first;
  const th_face_way *way = s->mesh->frames.way;
  for (uint32_t rest = s->movers & ~s->inside & ~s->still; rest; rest &= rest - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(rest), face = s->over[lane] / 4, at;
    if (s->free >> lane & 1u && s->over[lane] != TH_NO_HALF) {
      at = list->count++;
      th_fetch_line(&way[face]);
      th_fetch_line(&rank_of[face]);
    } else {
      at = TH_MOVE_BLOCK - ++list->beside_walls;
    }
    th_fetch_line(&world->rows.v[row[lane]]);
    th_fetch_line(&world->rows.frame[row[lane]]);
    list->slot[at] = first + lane;
    list->dx[at] = m->dx[lane];
    list->dy[at] = m->dy[lane];
  }
}

void th_world_mesh_move(th_world *world, th_motion *m, uint32_t first, uint32_t movers, th_crossers *list) {
  th_world_mesh *mesh = world->mesh;
  uint32_t rest = world->order.count - first, face[TH_GROUP];
  th_staying s;
  s.mesh = world->ground->mesh;
  s.face = mesh->cell + first;
  s.movers = movers;
  s.x = world->moved_x + first;
  s.y = world->moved_y + first;
  s.wayx = mesh->wayx + first;
  s.wayy = mesh->wayy + first;
  s.turn = mesh->turn + first;
  if (rest < TH_GROUP) { /* slots behind the last may hold faces of another mesh */
    memset(face, 0, sizeof face);
    memcpy(face, s.face, rest * sizeof *face);
    s.face = face;
  }
  TH_LANES_PICK(world->simd, th_motion_stay)(m, &s);
  memcpy(mesh->mcell + first, mesh->cell + first, TH_GROUP * sizeof *mesh->cell);
  memcpy(mesh->mrank + first, mesh->rank + first, TH_GROUP * sizeof *mesh->rank);
  list_crossers(world, m, &s, first, list);
}

/* Walked on its own. */
static void walk_alone(th_world *world, uint32_t slot, th_vec2 way) {
  th_world_mesh *mesh = world->mesh;
  world->touched[slot] = th_world_mesh_walk_slot(world, slot, way);
  uint32_t row = world->order.row[slot];
  th_turn t = mesh->turn[slot];
  float wx = mesh->wayx[slot], wy = mesh->wayy[slot], rate = 1.0f / world->dt;
  world->rows.walk_vx[row] = (t.c * wx + t.s * wy) * rate; /* in the frame of the start, as everything that turns now */
  world->rows.walk_vy[row] = (t.c * wy - t.s * wx) * rate;
  mesh->turn[slot] = (th_turn){1.0f, 0.0f};
  if (turns(t)) turn_row(&world->rows, row, t);
}

static void keep_crossing(th_world *world, uint32_t slot, const th_edge_crossing *k, uint32_t lane) {
  th_world_mesh *mesh = world->mesh;
  uint32_t row = world->order.row[slot], face = k->face[lane];
  mesh->mcell[slot] = face;
  mesh->mrank[slot] = mesh->atlas->patches.rank_of[face];
  world->moved_x[slot] = k->x[lane];
  world->moved_y[slot] = k->y[lane];
  th_turn t = {k->c[lane], k->s[lane]};
  mesh->wayx[slot] = k->wayx[lane];
  mesh->wayy[slot] = k->wayy[lane];
  world->rows.walk_vx[row] = k->vx[lane];
  world->rows.walk_vy[row] = k->vy[lane];
  if (turns(t)) turn_row(&world->rows, row, t);
}

static void cross_group(th_world *world, const th_crossers *list, uint32_t begin, uint32_t count) {
  th_edge_crossing k;
  if (count < TH_GROUP) memset(&k, 0, sizeof k);
  k.rate = 1.0f / world->dt;
  for (uint32_t lane = 0; lane < count; lane++) {
    uint32_t slot = list->slot[begin + lane];
    k.face[lane] = world->mesh->cell[slot];
    k.x[lane] = world->order.x[slot];
    k.y[lane] = world->order.y[slot];
    k.dx[lane] = list->dx[begin + lane];
    k.dy[lane] = list->dy[begin + lane];
  }
  uint32_t done = TH_LANES_PICK(world->simd, th_motion_cross)(&k, world->ground->mesh->frames.way);
  for (uint32_t lane = 0; lane < count; lane++) {
    uint32_t slot = list->slot[begin + lane];
    if (done >> lane & 1u)
      keep_crossing(world, slot, &k, lane);
    else
      walk_alone(world, slot, (th_vec2){k.dx[lane], k.dy[lane]});
  }
}

void th_world_mesh_cross(th_world *world, const th_crossers *list) {
  for (uint32_t begin = 0; begin < list->count; begin += TH_GROUP)
    cross_group(world, list, begin, list->count - begin < TH_GROUP ? list->count - begin : TH_GROUP);
  for (uint32_t at = TH_MOVE_BLOCK - list->beside_walls; at < TH_MOVE_BLOCK; at++)
    walk_alone(world, list->slot[at], (th_vec2){list->dx[at], list->dy[at]});
}

/* Nobody knows along which faces a body went: vectors turn as the normal does, by the least rotation that takes one
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

/* Whom contacts has turned, by row. */
typedef struct turners {
  uint32_t count, row[COMMIT_BLOCK];
  th_turn turn[COMMIT_BLOCK];
} turners;

static void fetch_carried(const th_rows *rows, uint32_t row) {
  const float *const column[] = {rows->walk_vx,    rows->walk_vy,    rows->hx,         rows->hy,
                                 rows->advised_vx, rows->advised_vy, rows->advised_hx, rows->advised_hy};
  for (uint32_t k = 0; k < sizeof column / sizeof *column; k++) th_fetch_line(&column[k][row]);
  th_fetch_line(&rows->v[row]);
  th_fetch_line(&rows->frame[row]);
}

static void list_turners(const th_world *world, uint32_t turned, uint32_t first, turners *list) {
  for (; turned; turned &= turned - 1) {
    uint32_t slot = first + (uint32_t)__builtin_ctz(turned) / 2, row = world->order.row[slot];
    th_turn t = world->mesh->turn[slot];
    if (world->rows.state[row] == TH_AGENT_EXTERNAL || !turns(t)) continue;
    fetch_carried(&world->rows, row);
    list->row[list->count] = row;
    list->turn[list->count++] = t;
  }
}

/* Returns the lanes of those who are not moved by the caller. */
static uint32_t commit_bytes(th_world *world, uint32_t slow, uint32_t first, uint32_t count) {
  th_rows *rows = &world->rows;
  const uint8_t *touched = world->touched + first, *state = rows->state, *advised = rows->advised_gait;
  uint8_t *gait = rows->gait, *notice = rows->notice;
  const uint32_t *row = world->order.row + first;
  uint32_t lanes = 0;
  for (uint32_t lane = 0; lane < count; lane++) {
    uint32_t at = row[lane];
    if (state[at] == TH_AGENT_EXTERNAL) continue;
    lanes |= 1u << lane;
    gait[at] = slow >> lane & 1u ? (uint8_t)TH_GAIT_STAND : advised[at];
    if (touched[lane]) notice[at] |= TH_NOTICE_WALL;
  }
  return lanes;
}

/* One line of every column that is written: the rows of a group lie near each other. */
static void fetch_rows(const th_world *world, uint32_t slot) {
  if (slot >= world->order.count) return;
  const th_rows *rows = &world->rows;
  const void *const column[] = {
      rows->previous_cell, rows->cell, rows->previous_x, rows->previous_y, rows->x, rows->y, rows->vx, rows->vy};
  for (uint32_t k = 0; k < sizeof column / sizeof *column; k++)
    th_fetch_line((const float *)column[k] + world->order.row[slot]);
}

/* The rows take over what move and contacts found; the slots still hold the old places. */
static void commit_group(th_world *world, uint32_t first, uint32_t count, turners *list) {
  const th_world_mesh *mesh = world->mesh;
  th_rows *rows = &world->rows;
  const uint32_t *row = world->order.row + first;
  th_arrival a;
  a.wayx = mesh->wayx + first;
  a.wayy = mesh->wayy + first;
  a.turn = mesh->turn + first;
  a.rate = 1.0f / world->dt;
  fetch_rows(world, first + AHEAD);
  TH_LANES_PICK(world->simd, th_motion_arrive)(&a);
  uint32_t lanes = commit_bytes(world, a.slow, first, count);
  th_column_put_cells(rows->previous_cell, row, mesh->cell + first, lanes);
  th_column_put_cells(rows->cell, row, mesh->mcell + first, lanes);
  th_column_put(rows->previous_x, row, world->order.x + first, lanes);
  th_column_put(rows->previous_y, row, world->order.y + first, lanes);
  th_column_put(rows->x, row, world->moved_x + first, lanes);
  th_column_put(rows->y, row, world->moved_y + first, lanes);
  th_column_put(rows->vx, row, a.vx, lanes);
  th_column_put(rows->vy, row, a.vy, lanes);
  list_turners(world, count < TH_GROUP ? a.turned & ((1u << 2 * count) - 1u) : a.turned, first, list);
}

static void commit(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  (void)worker;
  th_world *world = context;
  turners list;
  list.count = 0;
  for (uint32_t group = begin; group < end; group++) {
    uint32_t first = group * TH_GROUP, rest = world->order.count - first;
    commit_group(world, first, rest < TH_GROUP ? rest : TH_GROUP, &list);
  }
  for (uint32_t n = 0; n < list.count; n++) turn_row(&world->rows, list.row[n], list.turn[n]);
}

void th_world_mesh_commit(th_world *world) {
  th_parallel_for(world->pool, (world->order.count + TH_GROUP - 1) / TH_GROUP, COMMIT_BLOCK / TH_GROUP, commit, world);
}
