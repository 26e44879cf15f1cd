/* bench/workloads.h - four crowds on which every model, and every other library, is timed.
 *
 *   ring    agents on a circle whose radius grows with their number, everyone walks to the opposite point
 *   disc    the same goals, but a sunflower spiral of 25 m2 per agent: dense from the first step
 *   blocks  four square lattices behind four square walls, each crosses to the opposite corner
 *   cross   pedestrians at one per square metre, neighbours walk against each other along x
 *
 * A workload is a pure function of its name and count, the same data to the last bit everywhere: its hash is tested.
 */
#ifndef TH_BENCH_WORKLOADS_H
#define TH_BENCH_WORKLOADS_H

#include "throng/base.h"

typedef struct th_workload {
  uint32_t count;           /* agents; blocks and cross round up to fill their lattices */
  th_vec2 *position, *goal; /* [m] */
  th_vec2 wall[4][4];       /* counter-clockwise squares */
  uint32_t wall_count;
  float dt;                    /* [s] */
  float speed, max_speed;      /* wanted, allowed [m/s] */
  float radius, reach;         /* of a body; within which others are seen [m] */
  float horizon, wall_horizon; /* how far ahead collisions with agents and walls count [s] */
  uint32_t neighbours;         /* at most this many are seen */
  float margin;                /* of the ground round the starts, for those who make it [m]; 0 = as they like */
} th_workload;

/* False when the name is unknown, the count is 0 or above 2^24, or memory is out; then nothing is to be freed. */
bool th_workload_make(th_workload *work, const char *name, uint32_t count);
void th_workload_free(th_workload *work);

/* FNV-1a, 64 bits, over the bytes of all positions, then of all goals. */
uint64_t th_workload_hash(const th_workload *work);

#endif
