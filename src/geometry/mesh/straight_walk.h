/* geometry/mesh/straight_walk.h - walking straight over faces, the direction carried along, stopping and sliding at
 * walls.
 *
 *   th_mesh_walker w = th_mesh_walker_begin(face, p, d, length);
 *   while (th_mesh_walker_advance(&frames, &w)) { ... w.face, w.p after each face ... }      or th_mesh_walk
 *
 * Walls are the border and the sides of blocked faces. A walker that starts on a blocked face may leave it.
 */
#ifndef TH_GEOMETRY_MESH_STRAIGHT_WALK_H
#define TH_GEOMETRY_MESH_STRAIGHT_WALK_H

#include "geometry/mesh/frames.h"

typedef enum th_mesh_stand {
  TH_STAND_INSIDE, /* or anywhere: nothing is assumed */
  TH_STAND_SIDE,   /* came in over side `at` of the face */
  TH_STAND_CORNER, /* leaves corner `at` of the face */
  TH_STAND_WALL    /* slides along side `at` */
} th_mesh_stand;

typedef struct th_mesh_walker {
  uint32_t face;
  th_point p;     /* in the face's frame */
  th_point d;     /* unit direction, in the face's frame */
  double left;    /* distance still to go [m] */
  double c, s;    /* rotation from the frame of the start to the frame here, carried along the path */
  bool touched;   /* a wall has changed the displacement */
  uint32_t faces; /* moved through */
  th_mesh_stand stand;
  uint32_t at;
  double along; /* on a wall: share of the side, from its start */
} th_mesh_walker;

/* `d` need not be a unit vector; a zero or infinite one, or a length that is not positive, makes a walker that does not
 * move. `p` lies on the face or within rounding of it. */
th_mesh_walker th_mesh_walker_begin(uint32_t face, th_point p, th_point d, double length);

/* Moves to the other end of the face, or as far as `left` goes. False when nothing is left to do. */
bool th_mesh_walker_advance(const th_mesh_frames *frames, th_mesh_walker *walker);

/* Walks to the end. False when `max` faces did not suffice; the place is valid all the same. */
bool th_mesh_walk(const th_mesh_frames *frames, th_mesh_walker *walker, uint32_t max);

#endif
