/* throng/guide/target.h - the guide `target`: every agent has a target of its own, and walks to it on a shortest path.
 *
 * A field leads everybody to one goal and is solved as a whole; this guide searches one path for one agent, through the
 * triangles of the ground, round corners at the distance of the body's radius class. What an agent walks to, the first
 * that it has:
 *   1. a link of role target: a point, or an agent, wherever it goes. th_world_move_to (agent.h) sets one to a point
 *   2. the nearest point of the goal that it heads for
 * It has arrived at a point or a goal within `arrive`. Behind an agent it stands `keep` from it and goes on when that
 * one does; when that one is gone, it is lost if it has no goal. A target in a wall, or in a place where the body has
 * no room, stands for the nearest place that it can reach; one in free ground to which there is no path is
 * TH_EVENT_UNREACHABLE. An edit of the ground lets all search again.
 * In a step at most `searches` paths are searched, by turns in the order of ids; until it is its turn an agent keeps
 * its old path. A search of more than `nodes` nodes ends early: it leads to the place nearest to the target that it has
 * found, and is repeated with twice as many at its next turn.
 * Works on every ground and with every model. Threads: any.
 */
#ifndef THRONG_GUIDE_TARGET_H
#define THRONG_GUIDE_TARGET_H

#include "../guide.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct th_target_params {
  float arrive;     /* a point counts as reached within this distance [m] [0.05, 100], default 0.5 */
  float keep;       /* from the centre of an agent that is followed [m] [0.05, 100], default 1 */
  int32_t searches; /* per step and guide [1, 100000], default 64 */
  int32_t nodes; /* of one search [64, 1000000], default 16384; one takes 80 bytes, once per guide and radius class */
} th_target_params;

TH_API th_target_params th_default_target_params(void);
TH_API extern const th_guide th_guide_target;

/** What an agent of the guide is doing. */
typedef struct th_target_state {
  th_vec3 point;    /* that it walks to [m] */
  float left;       /* along its path [m]; INFINITY: it has none */
  uint32_t corners; /* of the path that it knows, the last one among them; at most TH_TARGET_CORNERS are kept */
  bool moved;       /* the target lies in a wall: `point` is the nearest place that can be reached */
  bool waits;       /* for its turn to search */
  bool lost;        /* there is no path */
} th_target_state;

#define TH_TARGET_CORNERS 8

/** Reads the row that an agent has in a target guide, see th_world_guide_row; NULL gives zeros. Any thread. */
TH_API th_target_state th_target_read(const void *row);

#ifdef __cplusplus
}
#endif
#endif
