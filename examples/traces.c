/* examples/traces.c - why does an agent go there? Two people meet, and one of them publishes what its decision was made
 * of. */
#include <stdio.h>
#include <throng/throng.h>

static th_agent_id add(th_world *world, float x, float y, th_goal_id goal) {
  th_agent_def def = th_default_agent_def();
  th_agent_id id;
  def.point = (th_vec3){x, y, 0};
  def.route[0].goal = goal;
  def.route_count = 1;
  return th_world_add_agent(world, &def, &id, NULL) ? TH_NULL_AGENT : id;
}

static th_goal_id goal_at(th_world *world, float x, float y) {
  th_goal_def def = th_default_goal_def();
  th_goal_id goal;
  def.shape = th_point_shape(x, y);
  return th_world_add_goal(world, &def, &goal, NULL) ? TH_NULL_GOAL : goal;
}

int main(void) {
  th_vec2 corner[4];
  const th_polygon hall = th_box_polygon(0, 0, 20, 10, corner);
  th_flat_def flat = th_default_flat_def();
  flat.outline = &hall, flat.outline_count = 1;
  th_world_def def = th_default_world_def();
  th_world *world = NULL;
  th_error error;
  if (th_ground_make_flat(&flat, &def.ground, &error) || th_world_make(&def, &world, &error))
    return fprintf(stderr, "%s: %s\n", error.where, error.text), 1;
  const th_agent_id west = add(world, 2, 5, goal_at(world, 18, 5));
  add(world, 18, 5, goal_at(world, 2, 5));

  th_trace_def trace = th_default_trace_def();
  if (th_world_trace(world, &trace, &error) || th_world_trace_agent(world, west, true, &error))
    return fprintf(stderr, "%s: %s\n", error.where, error.text), 1;
  while (th_world_time(world) < 5.5) th_world_step(world);

  th_trace_item item[64];
  const uint32_t count = th_world_traces(world, west, item, 64);
  for (uint32_t i = 0; i < count && i < 64; i++)
    printf("%-6s %-8s (%6.3f, %6.3f) %6.3f  %s\n", item[i].source, item[i].trace->name, (double)item[i].a.x,
           (double)item[i].a.y, (double)item[i].value, item[i].trace->text);
  printf("%u items of one decision\n", count);
  th_world_free(world), th_ground_release(def.ground);
}
