/* world/step/motion.h - kernels of move, contacts and commit, and what differs between the kinds of ground in move. */
#ifndef TH_WORLD_STEP_MOTION_H
#define TH_WORLD_STEP_MOTION_H

#include "base/simd/simd.h"
#include "ground/mesh/ground.h"
#include "throng/world.h"
#include "view/order.h"

/* Sixteen agents that are about to move, gathered from their columns. */
typedef struct th_motion {
  float x[16], y[16], vx[16], vy[16];     /* place; velocity by walking, replaced by that of this step */
  th_vec2 rest[16];                       /* exact place minus the rounded one [m] */
  float ax[16], ay[16], ahx[16], ahy[16]; /* advice */
  float hx[16], hy[16];                   /* heading; replaced */
  float ease[16]; /* share of the change from the last velocity and heading to the advised ones; 1 = at once */
  bool eases;     /* else `ease` is not read, and counts as 1 */
  float speed_step[16], speed_max[16], turn_c[16], turn_s[16], radius[16];
  float clear[16]; /* distance around the agent's cell that is free of walls [m] */
  float dt;
  float dx[16], dy[16]; /* out: the wanted displacement [m] */
  float nx[16], ny[16]; /* out: the place at its end */
  th_vec2 left[16];     /* out: the rest there; of th_motion_stay on a mesh [m] */
  float length2[16];    /* out: squared distance between the rounded places [m^2] */
  uint32_t safe;        /* out: bit set when no wall can be in the way */
} th_motion;

TH_LANES_DECLARE(void, th_motion_plan, th_motion *motion);

/* On a mesh: moves each of the sixteen in its face. An agent whose displacement ends in the face is put at the end; the
 * others stay where they stood, with velocity to match. length2 becomes the squared length of the wanted displacement.
 */
typedef struct th_staying {
  const th_mesh_ground *mesh;
  const uint32_t *face;
  uint32_t movers;        /* bit set for agents that walk */
  float *x, *y, *dx, *dy; /* out: place; displacement [m] */
  th_turn *turn;          /* out: none */
  uint32_t inside,
      still;         /* out: bit set when the displacement ends in the face, with no wall in reach; when it is zero */
  uint32_t free;     /* out: bit set when no wall can be in the way */
  uint32_t over[16]; /* out: th_face_walk's word for a side beyond which the displacement ends */
} th_staying;

TH_LANES_DECLARE(void, th_motion_stay, th_motion *motion, th_staying *staying);

/* Displacements of a block of slots that leave their face, in two lists: those that no wall can change fill the arrays
 * from the start, the others from the end down. */
#define TH_MOVE_BLOCK 512 /* slots */
typedef struct th_crossers {
  uint32_t count, beside_walls;
  uint32_t slot[TH_MOVE_BLOCK];
  float dx[TH_MOVE_BLOCK], dy[TH_MOVE_BLOCK]; /* [m] */
} th_crossers;

/* Sixteen agents at the end of their step: velocity, and which of them hardly move. */
typedef struct th_landing {
  const float *dx, *dy; /* displacement, on a mesh in the frame of the last face [m] */
  const th_turn *turn;  /* on a mesh: rotation by contacts; else NULL */
  float rate;           /* 1 / dt */
  float vx[16], vy[16]; /* out */
  uint32_t slow;        /* out: bit set when the squared speed is below TH_SLOW2 */
  uint32_t turned;      /* out, with `turn`: bit 2 n set when turn n is not the identity */
} th_landing;
#define TH_SLOW2 0.0025f /* (0.05 m/s)^2 */

TH_LANES_DECLARE(void, th_motion_land, th_landing *landing);

/* The raster cell of sixteen places, as th_ground_cell. */
typedef struct th_cell_grid {
  float x0, y0, inverse;
  uint32_t width, height;
} th_cell_grid;

TH_LANES_DECLARE(void, th_motion_cells, const th_cell_grid *grid, const float *x, const float *y, uint32_t cell[16]);

#define TH_CONTACT_SLOP 0.005f /* of the radii's sum: bodies that are pushed apart still overlap by this part */

/* Bodies that overlap, for clusters of one row. Arrays by slot may be read 16 entries past the end. */
typedef struct th_contacts {
  const float *x, *y, *radius; /* by slot */
  const float *mobile;         /* 1 may be pushed, 0 stands fast, -1 takes no part */
  const uint32_t *from;        /* by slot: number in `mobile`; NULL: the slot */
  const uint32_t *start;       /* first slot of each cluster */
  th_cluster_grid grid;
  uint32_t rings;      /* clusters that a contact can reach across */
  float radius_max;    /* no body is larger [m] */
  float reach;         /* how far beyond its own radius a body must look [m] */
  float least;         /* overlaps below this part of the radii's sum are left alone; TH_CONTACT_SLOP at least */
  const uint32_t *far; /* slots, ascending, of bodies that may be farther from their clusters: looked at one by one */
  uint32_t far_count;
  const uint8_t *before; /* by cluster: a body moved there in the round before; NULL in the first round */
  uint8_t *now;          /* out: a body there must move; NULL: not asked for */
  float *dx, *dy;        /* out, by slot, in clusters that are marked: the correction [m] */
  uint64_t *looked;      /* counts the bodies among which others are looked for */
} th_contacts;

TH_LANES_DECLARE(void, th_contacts_find, const th_contacts *contacts, uint32_t first, uint32_t last);

/* Corrections of the bodies in a list of slots, ascending, by their number in it. Bodies lie inside their clusters.
 * False when nobody is pushed. */
TH_LANES_DECLARE(bool, th_contacts_listed, const th_contacts *contacts, const uint32_t *list, uint32_t count);

/* mesh_move.c: true when a wall changed the path. */
bool th_world_mesh_walk_slot(th_world *world, uint32_t slot, th_vec2 displacement);

/* What differs between the kinds of ground when a group of sixteen from `first` on moves. */
#define TH_MOVE_AHEAD 32 /* slots: how far ahead cache lines are prefetched */
typedef struct th_move_calls {
  void (*look)(const th_world *world, th_motion *motion, uint32_t first, uint32_t count); /* sets `clear` */
  /* Moves the lanes of `movers` after they have been planned; those that leave their face may be put on the list. */
  void (*walk)(th_world *world, th_motion *motion, uint32_t first, uint32_t movers, th_crossers *list);
  void (*end)(th_world *world, const th_crossers *list); /* of a block: moves those on the list */
} th_move_calls;
extern const th_move_calls th_mesh_move_calls;

#endif
