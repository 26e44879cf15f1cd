/* people/room_ahead.h - sixteen people compare the directions ahead of them. */
#ifndef TH_PEOPLE_ROOM_AHEAD_H
#define TH_PEOPLE_ROOM_AHEAD_H

#include "throng/people.h"
#include "view/wish.h"

/* What people see of a view beside what their model sees; how far ahead they look [m], and at how many others. */
#define TH_PEOPLE_SEE (TH_SEE_NEAREST | TH_SEE_BODY | TH_SEE_CLEARANCE)
#define TH_ROOM_AHEAD 4.0f
#define TH_ROOM_NEAREST 8

/* They feel for walls as far as this times their radius, and twice as far. */
#define TH_ROOM_FEEL 2.0f

enum { TH_ROOM_DIRECTIONS = 5 };

/* Cosine and sine of 0, -0.25, 0.25, -0.5 and 0.5 rad. Of two equally good directions the right one comes first. */
extern const float th_room_turn_c[TH_ROOM_DIRECTIONS], th_room_turn_s[TH_ROOM_DIRECTIONS];

/* What the parameters of each lane say; of a bare body they change nothing. */
typedef struct th_room_params {
  float strip[16], strip_pressed[16]; /* half width of the strip of anybody, and of those who are followed under full
                                         pressure, of both bodies */
  float hurry[16];                    /* part of the time gap that is left under full pressure */
  float keep[16], leave[16];          /* worth of the heading, cost of leaving the wanted direction [m/s] */
  float at_ease[16];                  /* who wants to be this fast and has nobody close takes the wanted direction */
  float hindered[16], patience[16];
  float touching[16]; /* bodies that are nearer to a wall touch it, or nearly so [m] */
} th_room_params;

/* Pairs of a lane and one of its nearest: bit 16 (k % 4) + lane of word k / 4. */
typedef uint64_t th_room_pairs[TH_MAX_NEAREST / 4];

typedef struct th_room_lanes {
  const th_view *view; /* with picks, headings, present time gaps and wishes */
  th_bodies *bodies;   /* of the view: what is read of the nearest is kept there */
  uint32_t people;     /* lanes that are people */
  th_room_params of;   /* these lanes */
  float followed[16];  /* half width of the strip of those who are followed, of both bodies */
  float widest;        /* no neighbour's body is wider [m] */
  float room;          /* no place between the lanes has less clearance [m] */
  float dt;            /* of the step [s] */

  uint32_t looking;                        /* out: people who are led; only they have results */
  uint32_t alone;                          /* out: those of them that have nobody close */
  uint32_t looks;                          /* out: those of them that are slow or have somebody close */
  uint32_t turning;                        /* out: those of them whose best direction is not the wanted one */
  uint32_t open;                           /* out: lanes near which there is no wall to feel */
  float ex[16], ey[16];                    /* out: wanted direction */
  int32_t best[16];                        /* out: the best direction, walls left aside; of equal ones the first */
  float worth[TH_ROOM_DIRECTIONS][16];     /* out: [m/s] */
  float ux[16], uy[16];                    /* out: the direction taken */
  uint32_t words;                          /* out: of pairs in use */
  th_room_pairs front[TH_ROOM_DIRECTIONS]; /* out: of each direction, neighbours that can slow the lane down and stand
                                              in the strip of those who are followed */
  float free[TH_MAX_NEAREST][16];          /* out: free distance to each [m] */
} th_room_lanes;

/* Compares the directions of all sixteen lanes. */
TH_LANES_DECLARE(void, th_room_compare, th_room_lanes *lanes);

/* Wanted directions and speeds of people in a view, by the room ahead of them. Call it when the nearest and the
 * clearance are known. */
void th_room_look_ahead(th_view_scratch *scratch, const th_view_source *source);

/* step_round.c: true when the lane steps round somebody slow, in a direction and at a speed that it has changed. */
bool th_room_step_round(th_view_scratch *scratch, const th_room_lanes *lanes, uint32_t lane);

/* Whether a direction leads to a wall. */
bool th_room_leads_to_wall(const th_room_lanes *lanes, uint32_t lane, th_vec2 direction);

/* Wanted directions are changed in a copy. */
void th_room_own_wants(th_view_scratch *scratch);

#endif
