/* world/step/answers.c - what follows from the answers of guides: arrivals, lost agents, progress.
 *
 * Answers of a host's guide may be wrong, so they are checked. Progress is a new minimum of the remaining distance; an
 * agent without progress gets a notice, which step/finish.c and step/queue.c handle. Cost: about 2 ns per agent.
 */
#include <math.h>
#include <string.h>

#include "world/step/step.h"
#include "world/world.h"

/* What conclusions read and write, by row: pointers that stay in registers, where those of the world are loaded again
 * after every byte that is stored. */
typedef struct ask_ends {
  float *left, *best;
  const float *arrive;
  uint64_t *best_step, step, stuck; /* steps without progress, after which agents are told */
} ask_ends;

/* Progress is a new minimum of the remaining distance; an agent that makes none for a while is stuck, or queues. */
static inline uint8_t progress_of(const ask_ends *ends, uint32_t row, float left) {
  float best = ends->best[row];
  bool better = left < best - TH_STUCK_DISTANCE || best == INFINITY;
  uint64_t since = ends->best_step[row];
  if (better) {
    ends->best[row] = left;
    ends->best_step[row] = since = ends->step;
  }
  since = ends->step - since;
  return since >= ends->stuck && since % ends->stuck == 0 ? TH_NOTICE_STUCK : 0;
}

/* The bits of a share of speed that is taken off: at most those of 1 when it lies in [0, 1]. */
static inline uint32_t slow_bits(float slow) {
  uint32_t bits;
  slow += 0.0f; /* no sign for zero */
  memcpy(&bits, &slow, sizeof bits);
  return bits;
}
#define SLOW_ONE 0x3f800000u

/* A host's guide may err; an answer within reach of the stop is an arrival. */
static inline uint8_t conclude_one(const ask_ends *ends, uint32_t row, th_guide_answer *want) {
  float dx = want->dx, dy = want->dy, left = want->left;
  uint8_t state = want->state;
  bool sound = (dx - dx) + (dy - dy) == 0.0f && left == left && state <= TH_ANSWER_LOST;
  if (!sound || slow_bits(want->slow) > SLOW_ONE)
    *want = (th_guide_answer){.left = left = INFINITY, .state = state = TH_ANSWER_WAIT};
  if (state == TH_ANSWER_LEAD && left <= ends->arrive[row]) want->state = state = TH_ANSWER_ARRIVED;
  ends->left[row] = left;
  static const uint8_t notice[] = {
      [TH_ANSWER_WAIT] = 0, [TH_ANSWER_ARRIVED] = TH_NOTICE_ARRIVED, [TH_ANSWER_LOST] = TH_NOTICE_LOST};
  return state == TH_ANSWER_LEAD ? progress_of(ends, row, left) : notice[state];
}

/* Bytes may alias anything: stored on their own, they spare loading every pointer again. */
static void put_notices(uint8_t *column, const uint32_t *row, const uint8_t *notice, uint32_t count) {
  for (uint32_t lane = 0; lane < count; lane++) column[row[lane]] = notice[lane];
}

void th_answers_conclude(th_world *world, const uint32_t *row, uint32_t count, th_guide_answer *want) {
  const th_rows *rows = &world->rows;
  const ask_ends ends = {rows->left, rows->best, rows->arrive, rows->best_step, world->step, th_stuck_steps(world->dt)};
  uint32_t slowed = 0;
  uint8_t notice[16];
  for (uint32_t lane = 0; lane < count; lane++) {
    notice[lane] = conclude_one(&ends, row[lane], &want[lane]);
    slowed |= slow_bits(want[lane].slow);
  }
  if (slowed) atomic_store_explicit(&world->slowed, true, memory_order_relaxed);
  put_notices(world->rows.notice, row, notice, count);
}
