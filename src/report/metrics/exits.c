/* report/metrics/exits.c - who left by which goal.
 *
 * A life has the goal of its last arrival, which of those who have arrived where they wanted to go is the one by which
 * they left. Names come from the host, since worlds have none that can be read. Cost: a pass over the lives.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "report/metrics/metrics.h"

bool th_metrics_exits_make(th_metrics *metrics, const th_metrics_def *def) {
  metrics->exit = TH_TAKE(&metrics->env.allocator, th_exit_log, def->goal_count);
  if (!metrics->exit) return false;
  metrics->exit_count = def->goal_count;
  for (uint32_t k = 0; k < def->goal_count; k++)
    if (def->goal[k]) snprintf(metrics->exit[k].name, sizeof metrics->exit[k].name, "%s", def->goal[k]);
  return true;
}

bool th_metrics_exit(const th_metrics *metrics, const char *name, uint32_t *arrived, double *first, double *last) {
  uint32_t goal = 0;
  while (goal < metrics->exit_count && strcmp(metrics->exit[goal].name, name) != 0) goal++;
  *arrived = 0;
  *first = *last = NAN;
  if (goal == metrics->exit_count || !*name) return false;
  for (uint32_t k = 0; k < metrics->life_count; k++) {
    const th_life *life = &metrics->life[k];
    if (life->goal != goal + 1 || isnan(life->arrived)) continue;
    ++*arrived;
    if (!(*first <= life->arrived)) *first = life->arrived;
    if (!(*last >= life->arrived)) *last = life->arrived;
  }
  return true;
}
