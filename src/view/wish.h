/* view/wish.h - what other agents want: the answers of their guides, in the chart of a view. */
#ifndef TH_VIEW_WISH_H
#define TH_VIEW_WISH_H

#include "view/patch_crowd.h"

/* The answer of a candidate's guide, in the frame of the candidate's place; NULL when the guide does not lead it. */
static inline const th_guide_answer *th_wish_answer(const th_view *view, uint32_t candidate) {
  const th_view_space *space = th_view_space_of(view);
  const uint32_t at = view->neighbours.slot[candidate];
  if (space && at >= space->crowd->order.count) return NULL; /* a body above the ground */
  const th_guide_answer *want = &view->neighbours.wish[space ? space->crowd->slot[at] : at];
  return want->state == TH_ANSWER_LEAD ? want : NULL;
}

/* As th_view_wish, inline for loops in which a call would cost too much. */
static inline th_vec2 th_wish_of(const th_view *view, uint32_t candidate) {
  const th_view_space *space = th_view_space_of(view);
  const th_guide_answer *want = th_wish_answer(view, candidate);
  if (!want) return (th_vec2){0.0f, 0.0f};
  return space ? th_chart_vector(th_patch_crowd_map(space->crowd, view->neighbours.slot[candidate]), want->dx, want->dy)
               : (th_vec2){want->dx, want->dy};
}

#endif
