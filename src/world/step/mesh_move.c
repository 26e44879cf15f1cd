/* world/step/mesh_move.c - walking on a mesh, and what it does to vectors.
 *
 * A step is a straight line in the frame of the face it starts in; crossing an edge turns the frame, and with it
 * everything the agent carries: velocity, heading, advice, personal vector, memory. These vectors are turned as soon as
 * the path is known, while the columns that move has read are still in cache; only agents that contacts pushes over an
 * edge are turned in commit. Source: straightest geodesics (Polthier and Schmies 1998). Walking waits for memory more
 * than it computes: cache lines are prefetched, and agents that cross an edge are listed first, so that many cache
 * misses are under way at once. Cost: about 25 ns per agent when one in five crosses an edge.
 */

#include <math.h>
#include <string.h>

#include "base/platform/compiler.h"
#include "geometry/vector.h"
#include "ground/mesh/ground.h"
#include "ground/mesh/walk.h"
#include "ground/walk.h"
#include "world/state/columns.h"
#include "world/step/mesh_turn.h"
#include "world/step/motion.h"
#include "world/step/step.h"

bool th_world_mesh_walk_slot(th_world *world, uint32_t slot, th_vec2 displacement) {
  th_world_mesh *mesh = world->mesh;
  uint32_t row = world->order.row[slot];
  th_footing f = {.place = {mesh->mcell[slot], world->moved_x[slot], world->moved_y[slot]},
                  .rest = world->rows.rest[row],
                  .turn = {1.0f, 0.0f}};
  bool wall = th_ground_walk_on(world->ground, &f, displacement, world->order.radius[slot]);
  th_vec2 before = th_turned(f.turn, world->displacement_x[slot], world->displacement_y[slot]);
  if (f.place.cell != mesh->mcell[slot]) {
    mesh->mcell[slot] = f.place.cell;
    mesh->mrank[slot] = mesh->atlas->patches.rank_of[f.place.cell];
  }
  world->moved_x[slot] = f.place.x;
  world->moved_y[slot] = f.place.y;
  world->rows.rest[row] = f.rest;
  mesh->turn[slot] = th_turn_composed(f.turn, mesh->turn[slot]);
  world->displacement_x[slot] = before.x + f.moved.x;
  world->displacement_y[slot] = before.y + f.moved.y;
  return wall;
}

/* What a walk beside walls reads of its first face. */
static void fetch_face(const th_mesh_ground *mesh, uint32_t face) {
  const size_t half = 3 * (size_t)face;
  th_fetch_line(&mesh->frames.face[face]);
  th_fetch_line(&mesh->frames.edge[half]);
  th_fetch_line(&mesh->frames.edge[half + 2]);
  th_fetch_line(&mesh->mesh.corner[half]);
  th_fetch_line(&mesh->mesh.twin[half]);
}

/* Prefetches what the next call needs while the other slots move: the faces beyond, and carried columns that move does
 * not use. */
static void list_crossers(const th_world *world, const th_motion *m, const th_staying *s, uint32_t first,
                          th_crossers *list) {
  const uint32_t *rank_of = world->mesh->atlas->patches.rank_of;
  const uint32_t *row = world->order.row + first;
  const th_face_walk *walk = s->mesh->frames.walk;
  for (uint32_t rest = s->movers & ~s->inside & ~s->still; rest; rest &= rest - 1) {
    uint32_t lane = th_lowest_bit(rest), face = s->over[lane] / 4, at;
    if (s->free >> lane & 1u && s->over[lane] != TH_NO_HALF) {
      at = list->count++;
      th_fetch_line(&walk[face]);
      th_fetch_line(&rank_of[face]);
    } else {
      at = TH_MOVE_BLOCK - ++list->beside_walls;
      fetch_face(s->mesh, s->face[lane]);
    }
    th_fetch_line(&world->rows.v[row[lane]]);
    th_fetch_line(&world->rows.frame[row[lane]]);
    list->slot[at] = first + lane;
    list->dx[at] = m->dx[lane];
    list->dy[at] = m->dy[lane];
  }
}

/* Faces are read at scattered places, as the raster of flat ground is. No distance is known to be free of walls. */
static void look(const th_world *world, th_motion *m, uint32_t first, uint32_t count) {
  (void)count;
  const th_mesh_ground *ground = world->ground->mesh;
  const uint32_t *face = world->mesh->cell, ahead = first + TH_MOVE_AHEAD;
  memset(m->clear, 0, sizeof m->clear);
  for (uint32_t slot = ahead; slot < ahead + TH_GROUP && slot < world->order.count; slot++) {
    th_fetch_line(&ground->frames.walk[face[slot]]);
    th_fetch_line(&ground->face_clearance[face[slot]]);
  }
}

/* Moves the agents that stay in their faces; the others are put on the list. */
static void walk(th_world *world, th_motion *m, uint32_t first, uint32_t movers, th_crossers *list) {
  th_world_mesh *mesh = world->mesh;
  uint32_t rest = world->order.count - first, face[TH_GROUP];
  th_staying s;
  s.mesh = world->ground->mesh;
  s.face = mesh->cell + first;
  s.movers = movers;
  s.x = world->moved_x + first;
  s.y = world->moved_y + first;
  s.dx = world->displacement_x + first;
  s.dy = world->displacement_y + first;
  s.turn = mesh->turn + first;
  if (rest < TH_GROUP) { /* slots behind the last may hold faces of another mesh */
    memset(face, 0, sizeof face);
    memcpy(face, s.face, rest * sizeof *face);
    s.face = face;
  }
  TH_LANES_PICK(world->simd, th_motion_stay)(m, &s);
  memcpy(mesh->mcell + first, mesh->cell + first, TH_GROUP * sizeof *mesh->cell);
  memcpy(mesh->mrank + first, mesh->rank + first, TH_GROUP * sizeof *mesh->rank);
  memcpy(mesh->hop2 + first, m->length2, sizeof m->length2);
  list_crossers(world, m, &s, first, list);
}

/* Walks one agent. */
static void walk_alone(th_world *world, uint32_t slot, th_vec2 displacement) {
  th_world_mesh *mesh = world->mesh;
  world->touched[slot] = th_world_mesh_walk_slot(world, slot, displacement);
  uint32_t row = world->order.row[slot];
  th_turn t = mesh->turn[slot];
  float wx = world->displacement_x[slot], wy = world->displacement_y[slot], rate = 1.0f / world->dt;
  world->rows.walk_vx[row] = (t.c * wx + t.s * wy) * rate; /* in the frame of the start, as everything that turns now */
  world->rows.walk_vy[row] = (t.c * wy - t.s * wx) * rate;
  mesh->turn[slot] = (th_turn){1.0f, 0.0f};
  if (th_turn_matters(t)) th_turn_carried(&world->rows, row, t);
}

static void keep_crossing(th_world *world, uint32_t slot, const th_edge_crossing *k, uint32_t lane) {
  th_world_mesh *mesh = world->mesh;
  uint32_t row = world->order.row[slot], face = k->face[lane];
  mesh->mcell[slot] = face;
  mesh->mrank[slot] = mesh->atlas->patches.rank_of[face];
  world->moved_x[slot] = k->x[lane];
  world->moved_y[slot] = k->y[lane];
  th_turn t = {k->c[lane], k->s[lane]};
  world->displacement_x[slot] = k->moved_x[lane];
  world->displacement_y[slot] = k->moved_y[lane];
  world->rows.rest[row] = (th_vec2){0.0f, 0.0f}; /* as th_mesh_ground_walk over an edge */
  world->rows.walk_vx[row] = k->vx[lane];
  world->rows.walk_vy[row] = k->vy[lane];
  if (th_turn_matters(t)) th_turn_carried(&world->rows, row, t);
}

static void cross_group(th_world *world, const th_crossers *list, uint32_t begin, uint32_t count) {
  th_edge_crossing k;
  if (count < TH_GROUP) memset(&k, 0, sizeof k);
  k.rate = 1.0f / world->dt;
  for (uint32_t lane = 0; lane < count; lane++) {
    uint32_t slot = list->slot[begin + lane], row = world->order.row[slot];
    k.face[lane] = world->mesh->cell[slot];
    k.rest[lane] = world->rows.rest[row];
    k.x[lane] = world->order.x[slot];
    k.y[lane] = world->order.y[slot];
    k.dx[lane] = list->dx[begin + lane];
    k.dy[lane] = list->dy[begin + lane];
  }
  uint32_t done = TH_LANES_PICK(world->simd, th_mesh_walk_cross)(&k, world->ground->mesh->frames.walk);
  for (uint32_t lane = 0; lane < count; lane++) {
    uint32_t slot = list->slot[begin + lane];
    if (done >> lane & 1u)
      keep_crossing(world, slot, &k, lane);
    else
      walk_alone(world, slot, (th_vec2){k.dx[lane], k.dy[lane]});
  }
}

static void cross(th_world *world, const th_crossers *list) {
  for (uint32_t begin = 0; begin < list->count; begin += TH_GROUP)
    cross_group(world, list, begin, list->count - begin < TH_GROUP ? list->count - begin : TH_GROUP);
  for (uint32_t at = TH_MOVE_BLOCK - list->beside_walls; at < TH_MOVE_BLOCK; at++)
    walk_alone(world, list->slot[at], (th_vec2){list->dx[at], list->dy[at]});
}

const th_move_calls th_mesh_move_calls = {.look = look, .walk = walk, .end = cross};
