/* world/watch/strides.c - the phase of a stride, for legs that are drawn.
 *
 * A stride is as long as people's are at that speed, so the phase grows with the distance that was walked, and a foot
 * on the ground stays where it is. Nothing in a step reads it: it is a function of places, which are state already.
 * Cost: a root per agent.
 */
#include <math.h>

#include "throng/watch.h"
#include "world/nearby.h"

#define HIP 0.53f       /* of the height */
#define RELATIVE 1.346f /* length of a stride at a speed of 1 hip height per second, in hip heights */
#define SLOWEST 0.05f   /* [m/s]: below it a stride has the length that it has there, so it does not vanish */

float th_stride_length(float speed, float height) {
  const float hip = HIP * height;
  return RELATIVE * sqrtf(fmaxf(speed, SLOWEST) / hip) * hip;
}

float th_stride_advance(float phase, float walked, float seconds, float height) {
  if (!(walked > 0.0f) || !(seconds > 0.0f) || !(height > 0.0f)) return phase;
  const float next = phase + walked / th_stride_length(walked / seconds, height);
  const float part = next - floorf(next);
  return part < 1.0f ? part : 0.0f;
}

void th_world_strides(const th_world *world, float *phase, uint32_t capacity) {
  if (th_no_world(world, __func__)) return;
  const th_rows *rows = &world->rows;
  for (uint32_t row = 0; row < rows->count; row++) {
    const uint32_t k = rows->id[row].index;
    const th_place before = {rows->previous_cell[row], rows->previous_x[row], rows->previous_y[row]};
    if (k >= capacity || rows->state[row] == TH_AGENT_DELAYED) continue;
    const th_vec3 a = th_ground_point(world->ground, before), b = th_row_point(world, row);
    const float x = b.x - a.x, y = b.y - a.y, z = b.z - a.z;
    phase[k] = th_stride_advance(phase[k], sqrtf(x * x + y * y + z * z), world->dt, rows->height[row]);
  }
}
