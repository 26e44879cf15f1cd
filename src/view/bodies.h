/* view/bodies.h - the nearest of each lane, read once for all who need them.
 *
 * Every lane has neighbours of its own, so their places, velocities and widths lie scattered among the candidates.
 * Gathering a word of each takes as long as loading a row of eight words of each and transposing, so the first reader
 * lays the candidates out as rows. What was read is kept by lane: people's layer reads as many as are close
 * (people/room_ahead.c), and th_view_bodies only the rest. Cost: about 1 ns per candidate, 2 ns per register that is
 * read from rows.
 */
#ifndef TH_VIEW_BODIES_H
#define TH_VIEW_BODIES_H

#include "base/simd/rows.h"
#include "view/view.h"

/* Lays all candidates and their padding out, unless somebody has done so. The first row is read where there is no
 * neighbour (number -1). */
static inline void th_bodies_lay(th_bodies *bodies, const th_neighbours *near) {
  if (bodies->laid) return;
  bodies->laid = true;
  for (uint32_t i = 0; i < near->count; i += TH_LANES) {
    vf body[TH_BODY_WORDS] = {vf_load(near->x + i),
                              vf_load(near->y + i),
                              vf_load(near->vx + i),
                              vf_load(near->vy + i),
                              vf_load(near->radius + i),
                              vf_load(near->share + i),
                              vf_zero(),
                              vf_zero()};
    vf_store_rows(bodies->row + ((size_t)i + 1) * TH_BODY_WORDS, body);
  }
}

/* Reads the k-th nearest of the lanes from `first` on, and keeps it; rows are laid out, and all up to the k-th are kept
 * already. */
static inline void th_bodies_read(th_bodies *bodies, const th_neighbours *near, uint32_t k, uint32_t first,
                                  vf body[TH_BODY_WORDS]) {
  const int32_t *pick = (const int32_t *)near->pick + k * TH_VIEW_LANES + first;
  vf_load_rows_at(bodies->row + TH_BODY_WORDS, TH_BODY_WORDS, pick, body);
  th_lane_bodies *kept = &bodies->kept[k];
  vf_store(kept->x + first, body[TH_BODY_X]);
  vf_store(kept->y + first, body[TH_BODY_Y]);
  vf_store(kept->vx + first, body[TH_BODY_VX]);
  vf_store(kept->vy + first, body[TH_BODY_VY]);
  vf_store(kept->radius + first, body[TH_BODY_RADIUS]);
  vf_store(kept->share + first, body[TH_BODY_SHARE]);
  bodies->kept_count[first / 4] = k + 1;
}

#endif
