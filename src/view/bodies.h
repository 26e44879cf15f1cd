/* view/bodies.h - the nearest of each lane, read once for all who need them.
 *
 * Every lane has neighbours of its own, so their places, velocities and widths lie scattered among the candidates.
 * Gathering a word of each takes as long as loading a row of eight words of each and transposing, so the first reader
 * lays the candidates out as rows. People's layer keeps what it has read (people/room_ahead.c), by lane and register,
 * and a model that reads the same neighbours after it just loads them. Cost: about 1 ns per candidate, 2 ns per
 * register that is read from rows.
 */
#ifndef TH_VIEW_BODIES_H
#define TH_VIEW_BODIES_H

#include "base/simd/rows.h"
#include "view/view.h"

/* Lays all candidates and their padding out, unless somebody has done so. The first row is read where there is no
 * neighbour (number -1). */
static inline void th_bodies_lay(const th_neighbours *near) {
  th_bodies *b = near->bodies;
  if (b->laid) return;
  b->laid = true;
  for (uint32_t i = 0; i < near->count; i += TH_LANES) {
    vf body[TH_BODY_WORDS] = {vf_load(near->x + i),
                              vf_load(near->y + i),
                              vf_load(near->vx + i),
                              vf_load(near->vy + i),
                              vf_load(near->radius + i),
                              vf_load(near->share + i),
                              vf_zero(),
                              vf_zero()};
    vf_store_rows(b->row + ((size_t)i + 1) * TH_BODY_WORDS, body);
  }
}

/* The k-th nearest of the lanes from `first` on; rows are laid out. */
static inline void th_bodies_read(const th_neighbours *near, uint32_t k, uint32_t first, vf body[TH_BODY_WORDS]) {
  const int32_t *pick = (const int32_t *)near->pick + k * TH_VIEW_LANES + first;
  vf_load_rows_at(near->bodies->row + TH_BODY_WORDS, TH_BODY_WORDS, pick, body);
}

/* Keeps what was read of the k-th nearest, but for shares. All up to the k-th are kept, in order. */
static inline void th_bodies_keep(const th_neighbours *near, uint32_t k, uint32_t first, const vf body[TH_BODY_WORDS]) {
  th_bodies *b = near->bodies;
  for (int word = 0; word < TH_KEPT_WORDS; word++) vf_store(b->kept[k][word] + first, body[word]);
  b->kept_count[first / 4] = k + 1;
}

static inline bool th_bodies_kept(const th_neighbours *near, uint32_t k, uint32_t first) {
  return k < near->bodies->kept_count[first / 4];
}

static inline void th_bodies_recall(const th_neighbours *near, uint32_t k, uint32_t first, vf body[TH_BODY_WORDS]) {
  for (int word = 0; word < TH_KEPT_WORDS; word++) body[word] = vf_load(near->bodies->kept[k][word] + first);
}

#endif
