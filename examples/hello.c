/* hello.c - forty people walk through a door and leave.
 *
 *   cc hello.c $(pkg-config --cflags --libs throng) -Wl,-rpath,$(pkg-config --variable=libdir throng) && ./a.out
 */
#include <stdio.h>
#include <throng/throng.h>

static th_result make_ground(th_ground **ground, th_error *error) {
  th_vec2 corner[3][4];
  const th_polygon hall = th_box_polygon(0, 0, 20, 10, corner[0]);
  const th_polygon wall[] = {th_box_polygon(9.8f, 6, 10.2f, 10, corner[1]),
                             th_box_polygon(9.8f, 0, 10.2f, 4, corner[2])};
  th_flat_def def = th_default_flat_def();
  def.outline = &hall;
  def.outline_count = 1;
  def.obstacle = wall;
  def.obstacle_count = 2;
  return th_ground_make_flat(&def, ground, error);
}

int main(void) {
  th_error error;
  th_ground *ground = NULL;
  th_world *world = NULL;
  if (make_ground(&ground, &error)) return fprintf(stderr, "%s: %s\n", error.where, error.text), 1;

  th_world_def world_def = th_default_world_def();
  world_def.ground = ground;
  if (th_world_make(&world_def, &world, &error)) return fprintf(stderr, "%s: %s\n", error.where, error.text), 1;

  th_goal_def goal_def = th_default_goal_def();
  goal_def.shape = th_point_shape(19, 5);
  th_goal_id goal;
  if (th_world_add_goal(world, &goal_def, &goal, &error))
    return fprintf(stderr, "%s: %s\n", error.where, error.text), 1;

  for (int i = 0; i < 40; i++) {
    th_agent_def agent = th_default_agent_def();
    agent.point.x = 1.0f + 0.8f * (float)(i % 8);
    agent.point.y = 2.0f + 1.4f * (float)(i / 8);
    agent.route[0].goal = goal;
    agent.route_count = 1;
    if (th_world_add_agents(world, &agent, 1, NULL, &error)) return fprintf(stderr, "%s\n", error.text), 1;
  }
  while (!th_world_done(world) && th_world_time(world) < 120) th_world_step(world);

  printf("%llu of 40 people left the hall after %.1f s\n", (unsigned long long)th_world_counters(world).arrived,
         th_world_time(world));
  int code = th_world_counters(world).arrived == 40 ? 0 : 1;
  th_world_free(world);
  th_ground_release(ground);
  return code;
}
