/* world/step/step.h - the phases of a step, and what they share. */
#ifndef TH_WORLD_STEP_STEP_H
#define TH_WORLD_STEP_STEP_H

#include <math.h>

#include "world/step/motion.h"
#include "world/world.h"

#define TH_STUCK_SECONDS 10.0f
#define TH_STUCK_DISTANCE 0.3f
#define TH_REFIT_STEPS 32 /* cluster size and rows are reconsidered every so many steps */

/* The phases of a step, one file each. */
void th_phase_publish(th_world *world);
void th_phase_order(th_world *world);
void th_phase_guide(th_world *world);
void th_phase_people(th_world *world);
void th_phase_decide(th_world *world);
void th_phase_move(th_world *world);
void th_phase_contacts(th_world *world);
void th_phase_commit(th_world *world);
void th_phase_finish(th_world *world);

/* What happens to an agent in a step; found by guide and commit, handled by finish. */
enum {
  TH_NOTICE_ARRIVED = 1,
  TH_NOTICE_LOST = 2,
  TH_NOTICE_AWAKE = 4,
  TH_NOTICE_STUCK = 8,
  TH_NOTICE_WALL = 16,
  TH_NOTICE_GONE = 32
};

/* Steps without progress after which an agent is told to be stuck or to queue. */
static inline uint64_t th_stuck_steps(float dt) { return (uint64_t)ceilf(TH_STUCK_SECONDS / dt); }

/* answers.c: checks answers of guides, notes arrivals, progress and the lack of it, for up to sixteen rows. */
void th_answers_conclude(th_world *world, const uint32_t *row, uint32_t count, th_guide_answer *want);

/* queue.c: an agent without progress waits for somebody who gets on. After commit, before rows change. */
bool th_agent_queues(const th_world *world, uint32_t row);

/* agent/stop_distance.c: how far it still walks to where it will wait [m]; infinite: it will not */
float th_agent_stop_distance(const th_world *world, uint32_t row);

/* one_by_one.c: decide and move, one agent after the other */
void th_world_one_by_one(th_world *world);
void th_order_again(th_world *world);                /* order.c: agents have moved, rows are the same */
void th_move_slot(th_world *world, uint32_t slot);   /* move.c */
void th_commit_slot(th_world *world, uint32_t slot); /* commit.c: as if no body touched it; flat ground */

/* move.c: the longest displacement that workers have noted since the reset [m] */
void th_move_farthest_reset(th_world *world);
float th_move_farthest_found(const th_world *world);

/* An agent that hardly moves counts as standing, whatever was advised. */
static inline uint8_t th_gait_of(const th_rows *rows, uint32_t row) {
  float speed2 = rows->vx[row] * rows->vx[row] + rows->vy[row] * rows->vy[row];
  return speed2 < TH_SLOW2 ? (uint8_t)TH_GAIT_STAND : rows->advised_gait[row];
}

#endif
