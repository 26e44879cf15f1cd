/* io/recording_ground.c - a ground's walls as WKT; apart from the rest so that recordings need no ground. */
#include "throng/recording.h"

th_result th_ground_wkt(const th_env *env, const th_ground *ground, char **text, th_error *error) {
  uint32_t count = 0;
  const th_segment *wall = th_ground_walls(ground, &count);
  th_plan plan = {0};
  th_result result = th_plan_from_walls(env, wall, count, &plan, error);
  if (result != TH_OK) return result;
  result = th_plan_wkt(&plan, text, error);
  th_plan_free(&plan);
  return result;
}
