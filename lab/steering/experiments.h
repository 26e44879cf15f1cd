/* lab/steering/experiments.h - acceptance scenes of the steering library. */
#ifndef TH_LAB_STEERING_EXPERIMENTS_H
#define TH_LAB_STEERING_EXPERIMENTS_H

#include "lab/table.h"

/* id, title, what the publication reports, function */
#define TH_STEER_EXPERIMENTS(X)                                                                                      \
  X("AT-01", "Straight at a wall", "without front collisions it bounces back, with them it goes on along the wall",  \
    th_steer_front)                                                                                                  \
  X("AT-02", "A tree between two rays", "with tree collisions it passes on the near side", th_steer_tree)            \
  X("AT-03", "6.1.1 Behind a small obstacle", "walks round fairly smoothly", th_steer_small)                         \
  X("AT-04", "6.1.2 Behind a building", "A hesitates, B may cling to the wall, C leaves it in time, D is natural",   \
    th_steer_large)                                                                                                  \
  X("AT-05", "6.1.3 S-bend", "passes fairly smoothly", th_steer_bend)                                                \
  X("AT-06", "6.1.4 Behind a room that is open towards the start",                                                   \
    "A never arrives, B fails, C succeeds, D never enters", th_steer_room)                                           \
  X("town", "6.1.5 Through a town", "A ignores pavements, B and C walk along walls, D is smooth and stable",         \
    th_steer_town)                                                                                                   \
  X("AT-07", "6.2.1 Head-on beside an obstacle", "avoid each other and the obstacle", th_steer_beside)               \
  X("AT-08", "Overtaking", "with circumvention it passes", th_steer_overtake)                                        \
  X("AT-09", "Head-on, 40 crowds", "no contact with circumvention", th_steer_head_on)                                \
  X("AT-10", "Crossing, 40 crowds", "pushing grows with circumvention alone and vanishes with changes of speed",     \
    th_steer_pushing)                                                                                                \
  X("AT-11", "6.2.2 Surprise at a corner", "no collision, one brakes, the other hurries", th_steer_surprise)         \
  X("AT-12", "6.2.3 Four meet in one point, 40 crowds", "A collides, C is a mill, D bumps within pairs, E is best",  \
    th_steer_four)                                                                                                   \
  X("AT-13", "6.2.4 Three and one who crosses", "B pushes most, D waits or hurries through", th_steer_group)         \
  X("AT-14", "Path: projection", "too small winds, too large stands and turns", th_steer_projection)                 \
  X("AT-15", "Path: regulation", "cuts bends on the inside", th_steer_regulation)                                    \
  X("AT-17", "Along the walls of a building and a room", "keeps half a ray away, round all corners", th_steer_walls) \
  X("AT-19", "Following a leader", "comes up to a little more than its distance, without swinging", th_steer_follow) \
  X("AT-21", "6.3.3 B Cross", "tight keeps the formation, smooth turns less", th_steer_cross)                        \
  X("AT-22", "Memory of the leader's velocity", "the follower turns much less", th_steer_memory)                     \
  X("AT-23", "Round the leader", "with circumvention it keeps clear", th_steer_round)                                \
  X("AT-24", "6.3.3 A Snake", "keeps together; who falls behind runs", th_steer_snake)                               \
  X("AT-25", "6.3.2 Partners", "side by side at their distance, both stop", th_steer_pairs)                          \
  X("AT-26", "Give way", "abreast much sooner", th_steer_give_way)                                                   \
  X("AT-27", "Wait for the partner", "waits instead of running back", th_steer_wait)                                 \
  X("AT-28", "6.3.4 Secret following", "far behind, along the walls", th_steer_secret)                               \
  X("AT-30", "Making room at a target", "steps aside and returns", th_steer_return)                                  \
  X("AT-31", "Speed returns", "slowed, then at its walking speed again", th_steer_speed_up)                          \
  X("quality", "Smoothness in full mode, all scenes", "no bouncing, spinning or flipping", th_steer_quality)

#define X(id, title, text, run) th_result run(th_lab *lab, th_error *error);
TH_STEER_EXPERIMENTS(X)
#undef X

#endif
