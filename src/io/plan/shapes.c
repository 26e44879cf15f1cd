/* io/plan/shapes.c - plans in memory: points of all shapes in one list, shapes and layers beside it. */
#include "io/plan/shapes.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

bool th_shapes_layer(th_plan *plan, const char *name, uint32_t *layer) {
  for (*layer = 0; *layer < plan->layer_count; ++*layer)
    if (strncmp(plan->layer[*layer].name, name, sizeof plan->layer->name - 1) == 0) return true;
  if (!th_grow(&plan->env.allocator, (void **)&plan->layer, &plan->tail.layer_capacity, plan->layer_count + 1,
               sizeof *plan->layer))
    return false;
  th_plan_layer *made = &plan->layer[plan->layer_count++];
  *made = (th_plan_layer){.rings = 0};
  snprintf(made->name, sizeof made->name, "%s", name);
  return true;
}

bool th_shapes_begin(th_plan *plan, uint32_t layer, bool closed, bool hole) {
  if (!th_grow(&plan->env.allocator, (void **)&plan->shape, &plan->tail.shape_capacity, plan->shape_count + 1,
               sizeof *plan->shape))
    return false;
  plan->shape[plan->shape_count++] = (th_plan_shape){layer, plan->point_count, 0, closed, hole};
  if (closed)
    plan->layer[layer].rings++;
  else
    plan->layer[layer].lines++;
  return true;
}

bool th_shapes_point(th_plan *plan, double x, double y) {
  if (!th_grow(&plan->env.allocator, (void **)&plan->point, &plan->tail.point_capacity, plan->point_count + 1,
               sizeof *plan->point))
    return false;
  plan->point[plan->point_count++] = (th_plan_point){x, y};
  plan->shape[plan->shape_count - 1].count++;
  return true;
}

void th_plan_free(th_plan *plan) {
  const th_env env = th_env_complete(&plan->env);
  TH_GIVE(&env.allocator, plan->point, plan->tail.point_capacity);
  TH_GIVE(&env.allocator, plan->shape, plan->tail.shape_capacity);
  TH_GIVE(&env.allocator, plan->layer, plan->tail.layer_capacity);
  *plan = (th_plan){0};
}
