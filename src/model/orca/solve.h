/* model/orca/solve.h - what both back-ends of the model orca work on: sixteen agents, their wishes and wall lines.
 *
 * A line is a point and a unit direction in the plane of velocities; its left side is permitted. A line with the
 * direction 0, 0 is never violated and bounds nothing, so rows need no counts per lane.
 */
#ifndef TH_MODEL_ORCA_SOLVE_H
#define TH_MODEL_ORCA_SOLVE_H

#include "base/simd/simd.h"
#include "throng/model/orca.h"
#include "throng/trace.h"
#include "view/view.h"

#define TH_ORCA_WALLS 16 /* wall lines per agent; the nearest walls are kept */
#define TH_ORCA_LINES (TH_ORCA_WALLS + TH_MAX_NEAREST)
#define TH_ORCA_FLAT 1e-5f   /* sine below which two lines are parallel */
#define TH_ORCA_BESIDE 1.5f  /* of the radii's sum: a neighbour nearer to the path than this blocks it */
#define TH_ORCA_IN_LINE 0.1f /* of the radii's sum: a neighbour nearer to the path than this is straight ahead */
#define TH_ORCA_TURN 0.5f    /* tangent of the angle by which an agent turns away from a neighbour straight ahead */
#define TH_ORCA_STIFF 6.0f   /* soft: weight of a violated half-plane against the wanted velocity */
#define TH_ORCA_WALL_STIFF 1000.0f /* soft: the same of walls, which are held exactly afterwards */
#define TH_ORCA_SOFT_STEPS 6       /* soft: of Newton's, at most; most agents need none to three */
#define TH_ORCA_SOFT_END 1e-3f     /* [m/s]: soft: a shorter step is the last */
#define TH_ORCA_SQUEEZE 0.02f      /* of the radii's sum: bodies in a crush may overlap by this part */
#define TH_ORCA_ALONG 0.1f /* [m/s]: an agent does not turn for a neighbour that moves in its direction faster */

typedef struct th_orca_batch {
  const th_view *view;
  const th_lane_bodies *body;            /* of its nearest, by rank; one lane at a time reads the candidates instead */
  float ux[16], uy[16];                  /* unit vector of the wanted direction; 0, 0 when there is none */
  float wx[16], wy[16];                  /* wanted velocity, at most speed_max */
  float inverse_horizon[16], reach2[16]; /* [1/s], [m2] */
  float side[16];                        /* 1 = turns right, -1 = left, 0 = neither */
  int32_t neighbours[16];                /* at most */
  int32_t soft[16];                      /* 1: the least cost, 0: the programme */
  int32_t either[16];                    /* 1: turns away from whoever is in the way, to either side */
  float inverse_dt;                      /* [1/s] */
  uint32_t wall_rows;                    /* lines of walls in use, at most TH_ORCA_WALLS */
  float wall[TH_ORCA_WALLS][4][16];      /* point x, y, direction x, y by lane; zeros where there is none */
  float vx[16], vy[16];                  /* out */
} th_orca_batch;

/* Lanes: all sixteen. */
TH_LANES_DECLARE(void, th_orca_solve, th_orca_batch *batch);

/* scalar.c: one lane. */
void th_orca_solve_scalar(th_orca_batch *batch, uint32_t lane);

/* scalar.c: publishes the lines of a lane and the velocity that it aims at; whichever back-end has solved it, they are
 * those it has used, to the bit. */
enum { TH_ORCA_TRACE_PEOPLE, TH_ORCA_TRACE_WALL, TH_ORCA_TRACE_AIM, TH_ORCA_TRACE_CHOSEN, TH_ORCA_TRACES };
extern const th_trace th_orca_trace[TH_ORCA_TRACES];
void th_orca_publish(const th_orca_batch *batch, uint32_t lane, th_tracer *tracer);

/* scalar.c: a lane's own share, found among the candidates, which ascend by slot. */
float th_orca_own_share(const th_view *view, uint32_t lane);

/* A wall of the view as the lines need it. */
typedef struct th_orca_wall {
  float ax, ay, bx, by, ux, uy, length; /* ends, unit direction; walkable space on the left */
  float nx, ny, px, py;                 /* unit directions of the walls that go on from b, and that lead to a */
  bool joined, after, before;           /* the next three are known; there is such a wall at b, at a */
  bool convex_a, convex_b;              /* the solid space ends there, or has a corner that juts out */
} th_orca_wall;

#define TH_ORCA_MAX_WALLS 512 /* of a view */

/* walls.c: fills wall_rows and wall of a batch whose other inputs are set. `wall` is scratch for the walls of the view,
 * `horizon` and `distance` are by lane. */
void th_orca_find_walls(th_orca_batch *batch, th_orca_wall *wall, const float *inverse_horizon, const float *distance);

#endif
