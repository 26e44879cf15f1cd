/* view/room_ahead.h - sixteen people compare the ways ahead of them. */
#ifndef TH_VIEW_ROOM_AHEAD_H
#define TH_VIEW_ROOM_AHEAD_H

#include "view/patch_crowd.h"

#define TH_ROOM_AGAINST 0.3f  /* cosine of a wish with the opposite of another, from which on it is against that one */
#define TH_ROOM_APART 1.2f    /* half width of the strip where nobody presses, of the sum l */
#define TH_ROOM_PRESSED 0.5f  /* the same under pressure: of those who are followed */
#define TH_ROOM_PASSABLE 1.0f /* the same under pressure: of those who are to be passed */
#define TH_ROOM_KEEP 0.3f     /* [m/s]: worth of the heading that one has */
#define TH_ROOM_LEAVE 0.1f    /* [m/s]: cost of another direction than the wanted one */
#define TH_ROOM_AT_EASE                                                                     \
  0.4f /* [m/s]: who wants to be this fast and has nobody close takes the wanted direction: \
          KEEP |u - e| - LEAVE is less than (1 - c) of it for every way u */

enum { TH_ROOM_WAYS = 5 };

/* Cosine and sine of 0, -0.25, 0.25, -0.5 and 0.5 rad: of two that are as good, the right one. */
extern const float th_room_turn_c[TH_ROOM_WAYS], th_room_turn_s[TH_ROOM_WAYS];

typedef struct th_room_lanes {
  const th_view *view;  /* with picks, bodies, headings, time gaps and wishes */
  float ex[16], ey[16]; /* wanted direction */
  float pressure[16];   /* 0 to 1 */
  float widest;         /* no neighbour's body is wider [m] */

  uint32_t close;                 /* out: lanes that somebody is close to */
  int32_t best[16];               /* out: the way of most worth, of equal ones the first, whatever the walls */
  float follow[TH_ROOM_WAYS][16]; /* out: free metres to whoever is followed, by way */
  float worth[TH_ROOM_WAYS][16];  /* out: [m/s] */
} th_room_lanes;

/* Ways of all sixteen lanes; those without a time gap have any numbers. */
TH_LANES_DECLARE(void, th_room_compare, th_room_lanes *lanes);

/* th_view_wish, where calls cost. */
static inline th_vec2 th_room_wish(const th_view *view, uint32_t candidate) {
  const th_view_space *space = view->space;
  uint32_t at = view->neighbours.slot[candidate];
  if (space && at >= space->crowd->order.count) return (th_vec2){0.0f, 0.0f}; /* a body above the ground */
  const th_guide_answer *want = &view->neighbours.wish[space ? space->crowd->slot[at] : at];
  if (want->state != TH_ANSWER_LEAD) return (th_vec2){0.0f, 0.0f};
  return space ? th_chart_vector(th_patch_crowd_map(space->crowd, at), want->dx, want->dy)
               : (th_vec2){want->dx, want->dy};
}

#endif
