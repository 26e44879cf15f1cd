/* ground/mesh/walk.h - straight paths over edges of a mesh in lanes: the walk of walk.c where no wall is near. */
#ifndef TH_GROUND_MESH_WALK_H
#define TH_GROUND_MESH_WALK_H

#include "base/simd/simd.h"
#include "geometry/mesh/frames.h"

/* Sixteen paths over edges. The bits returned tell which paths are done; the outputs are valid for these only. */
typedef struct th_edge_crossing {
  uint32_t face[16];    /* in and out */
  float x[16], y[16];   /* place; in and out */
  float dx[16], dy[16]; /* displacement in the frame of the start [m] */
  th_vec2 rest[16];     /* what the place lacks to where the body is, see ground/walk.h; none in the end [m] */
  float rate;           /* 1 / dt */
  float c[16], s[16];   /* out: rotation from the first frame to the last */
  float moved_x[16], moved_y[16]; /* out: displacement in the last frame */
  float vx[16], vy[16];           /* out: velocity in the first frame */
} th_edge_crossing;

TH_LANES_DECLARE(uint32_t, th_mesh_walk_cross, th_edge_crossing *crossing, const th_face_walk *walk);

#endif
