/* io/recording/ground.c - a ground's walls as WKT.
 *
 * A mesh may lie above itself, so its walls seen from above are no plan: for a mesh its bounding rectangle is written
 * instead.
 */
#include "ground/ground.h"

#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/recording/plan.h"
#include "throng/recording.h"

static th_result box_plan(const th_env *env, const th_mesh *mesh, th_floor_plan *plan, th_error *error) {
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  for (uint32_t v = 0; v < mesh->vertex_count; v++)
    for (int k = 0; k < 2; k++) {
      low[k] = fmin(low[k], mesh->xyz[3 * v + (uint32_t)k]);
      high[k] = fmax(high[k], mesh->xyz[3 * v + (uint32_t)k]);
    }
  const double corner[4][2] = {{low[0], low[1]}, {high[0], low[1]}, {high[0], high[1]}, {low[0], high[1]}};
  *plan = (th_floor_plan){.env = th_env_complete(env)};
  bool good = true;
  for (int k = 0; k < 4 && good; k++)
    good = th_floor_plan_add_point(plan, (th_vec2){(float)corner[k][0], (float)corner[k][1]});
  if (good && th_floor_plan_add_ring(plan, 0, false)) return TH_OK;
  th_floor_plan_free(plan);
  return th_fail_memory(error, "ground");
}

th_result th_ground_wkt(const th_ground *ground, char **text, th_error *error) {
  const th_env *env = &ground->env;
  const th_mesh *mesh = th_ground_mesh(ground);
  th_floor_plan_def def = {.env = *env};
  if (!mesh) def.wall = th_ground_walls(ground, &def.wall_count);
  th_floor_plan plan = th_default_floor_plan();
  th_result result = mesh ? box_plan(env, mesh, &plan, error) : th_floor_plan_make(&def, &plan, error);
  if (result != TH_OK) return result;
  result = th_floor_plan_wkt(&plan, text, error);
  th_floor_plan_free(&plan);
  return result;
}
