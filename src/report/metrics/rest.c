/* report/metrics/rest.c - people who stand for ever although they have somewhere to go.
 *
 * A life keeps the place from which its agent has not moved by 0.1 m, and since when. An agent that walks, by its
 * state, and has stood for a minute at the end of a run is told, if the world once found it without progress: agents
 * that want to stand make no progress to lose. A crowd that leaves such people behind seems to leave sooner, the more
 * are trapped, so runs with people who remain are told apart from complete ones. Cost: three subtractions per agent
 * and step.
 */
#include <math.h>

#include "report/metrics/metrics.h"

#define NEAR 0.1     /* [m] */
#define MINUTE 59.95 /* [s]; steps of 0.1 s do not add up to whole seconds exactly */

void th_metrics_rest(const th_metrics *metrics, th_life *life, th_vec3 point, uint8_t state) {
  const double x = (double)point.x - (double)life->rest.x, y = (double)point.y - (double)life->rest.y,
               z = (double)point.z - (double)life->rest.z;
  const bool first = life->seen == UINT64_MAX, walks = state == TH_AGENT_WALKING;
  if (first || !walks || x * x + y * y + z * z > NEAR * NEAR) life->rest = point, life->rest_since = metrics->time;
  life->walks = walks;
  life->bound = life->bound || walks || state == TH_AGENT_LOST || state == TH_AGENT_PREMOVEMENT;
}

static bool is_there(const th_metrics *metrics, const th_life *life) {
  return life->seen == metrics->step && isnan(life->arrived);
}

bool th_metrics_remains(const th_metrics *metrics, const th_life *life) {
  return is_there(metrics, life) && life->bound;
}

uint32_t th_metrics_motionless(const th_metrics *metrics, th_vec3 *point, uint32_t capacity) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < metrics->life_count; k++) {
    const th_life *life = &metrics->life[k];
    if (!is_there(metrics, life) || !life->walks || !(life->stuck || life->queued)) continue;
    if (metrics->time - life->rest_since < MINUTE) continue;
    if (count < capacity) point[count] = life->rest;
    count++;
  }
  return count;
}
