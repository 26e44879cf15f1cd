/* walk.c - the smallest whole program, as the README shows it: one hall, one door, one walker. */
#include <stdio.h>
#include <throng/throng.h>

int main(void) {
  th_vec2 corner[4];
  const th_polygon hall = th_box_polygon(0, 0, 20, 10, corner);
  th_flat_def flat = th_default_flat_def();
  flat.outline = &hall, flat.outline_count = 1;
  th_goal_def door = th_default_goal_def();
  door.shape = th_point_shape(19, 5);
  th_agent_def someone = th_default_agent_def();
  someone.point = (th_vec3){2, 3, 0}, someone.route_count = 1;
  th_world_def def = th_default_world_def();
  th_world *world = NULL;
  th_error error;
  if (th_ground_make_flat(&flat, &def.ground, &error) || th_world_make(&def, &world, &error) ||
      th_world_add_goal(world, &door, &someone.route[0].goal, &error) ||
      th_world_add_agents(world, &someone, 1, NULL, &error))
    return fprintf(stderr, "%s: %s\n", error.where, error.text), 1;
  while (!th_world_done(world) && th_world_time(world) < 60) th_world_step(world);
  printf("at the door after %.1f s\n", th_world_time(world));
  th_world_free(world), th_ground_release(def.ground);
}
