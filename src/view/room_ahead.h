/* view/room_ahead.h - sixteen people compare the directions ahead of them. */
#ifndef TH_VIEW_ROOM_AHEAD_H
#define TH_VIEW_ROOM_AHEAD_H

#include "view/patch_crowd.h"

#define TH_ROOM_AGAINST 0.3f  /* two wanted directions oppose each other when their cosine is below minus this */
#define TH_ROOM_APART 1.05f   /* half width of the strip, of the sum l */
#define TH_ROOM_PRESSED 0.59f /* the same of those who are followed, under pressure */
#define TH_ROOM_HURRIED 0.52f /* the time gap under pressure, of the one at ease */
#define TH_ROOM_KEEP 0.3f     /* [m/s]: bonus for the present heading */
#define TH_ROOM_LEAVE 0.05f   /* [m/s]: cost of another direction than the wanted one */
#define TH_ROOM_AT_EASE                                                                                \
  0.81f /* [m/s]: an agent that wants to be this fast and has nobody close takes the wanted direction: \
           KEEP |u - e| - LEAVE is less than (1 - c) of it for every direction u */

enum { TH_ROOM_DIRECTIONS = 5 };

/* Cosine and sine of 0, -0.25, 0.25, -0.5 and 0.5 rad. Of two equally good directions the right one comes first. */
extern const float th_room_turn_c[TH_ROOM_DIRECTIONS], th_room_turn_s[TH_ROOM_DIRECTIONS];

/* Pairs of a lane and one of its nearest: bit 16 (k % 4) + lane of word k / 4. */
typedef uint64_t th_room_pairs[TH_MAX_NEAREST / 4];

typedef struct th_room_lanes {
  const th_view *view;   /* with picks, bodies, headings, time gaps and wishes */
  const float *pressure; /* by lane, 0 to 1 */
  float widest;          /* no neighbour's body is wider [m] */

  uint32_t looking;                        /* out: lanes that keep a gap and are led; only they have results */
  uint32_t looks;                          /* out: those of them that are slow or have somebody close */
  uint32_t turning;                        /* out: those of them whose best direction is not the wanted one */
  float ex[16], ey[16];                    /* out: wanted direction */
  int32_t best[16];                        /* out: the best direction, walls left aside; of equal ones the first */
  float worth[TH_ROOM_DIRECTIONS][16];     /* out: [m/s] */
  uint32_t words;                          /* out: of pairs in use */
  th_room_pairs front[TH_ROOM_DIRECTIONS]; /* out: of each direction, neighbours that can slow the lane down and stand
                                              in the strip of those who are followed */
  float free[TH_MAX_NEAREST][16];          /* out: free distance to each [m]; the bodies lie in neighbours.bodies */
} th_room_lanes;

/* Compares the directions of all sixteen lanes. */
TH_LANES_DECLARE(void, th_room_compare, th_room_lanes *lanes);

/* The answer of a candidate's guide, in the frame of the candidate's place; NULL when the guide does not lead it. */
static inline const th_guide_answer *th_room_answer(const th_view *view, uint32_t candidate) {
  const th_view_space *space = view->space;
  const uint32_t at = view->neighbours.slot[candidate];
  if (space && at >= space->crowd->order.count) return NULL; /* a body above the ground */
  const th_guide_answer *want = &view->neighbours.wish[space ? space->crowd->slot[at] : at];
  return want->state == TH_ANSWER_LEAD ? want : NULL;
}

/* As th_view_wish, inline for loops in which a call would cost too much. */
static inline th_vec2 th_room_wish(const th_view *view, uint32_t candidate) {
  const th_view_space *space = view->space;
  const th_guide_answer *want = th_room_answer(view, candidate);
  if (!want) return (th_vec2){0.0f, 0.0f};
  return space ? th_chart_vector(th_patch_crowd_map(space->crowd, view->neighbours.slot[candidate]), want->dx, want->dy)
               : (th_vec2){want->dx, want->dy};
}

#endif
