/* own_model.c - a model of one's own that runs with people and with bare bodies.
 *
 * The model walks where its agent wants to go and looks at nobody. What people do whatever their model, keeping a gap,
 * looking for room ahead, standing still before somebody slow, is already in the direction and the speed that it is
 * asked with; bare bodies get what their guide says, and only contacts part them.
 */
#include <stdio.h>
#include <throng/model.h>
#include <throng/throng.h>

static void decide(const th_work *work) {
  const th_view *view = work->view;
  for (uint32_t lane = 0; lane < view->lanes; lane++) {
    if (view->want[lane].state != TH_ANSWER_LEAD) continue; /* stands, as advice is preset to */
    work->advice.vx[lane] = view->want[lane].dx * view->speed[lane];
    work->advice.vy[lane] = view->want[lane].dy * view->speed[lane];
    work->advice.gait[lane] = TH_GAIT_WALK;
  }
}

static const th_pass pass = {"walk", TH_OVER_VIEWS, 0, decide};
static const th_model stroll = {.name = "stroll", .summary = "walks where it wants to", .pass = &pass, .pass_count = 1};

/* Forty through a door of 1 m; returns when the last one is out, -1 when something is wrong. */
static double walk_out(th_ground *ground, th_agent_def someone) {
  th_error error;
  th_world *world = NULL;
  th_world_def def = th_default_world_def();
  def.ground = ground;
  th_goal_def exit = th_default_goal_def();
  exit.shape = th_point_shape(19, 5);
  someone.model = &stroll, someone.route_count = 1;
  th_result result = th_world_make(&def, &world, &error);
  if (!result) result = th_world_add_goal(world, &exit, &someone.route[0].goal, &error);
  for (int i = 0; i < 40 && !result; i++) {
    someone.point = (th_vec3){1.0f + 0.8f * (float)(i % 8), 2.0f + 1.4f * (float)(i / 8), 0.0f};
    result = th_world_add_agents(world, &someone, 1, NULL, &error);
  }
  if (result) return fprintf(stderr, "%s: %s\n", error.where, error.text), -1.0;
  while (!th_world_done(world) && th_world_time(world) < 120) th_world_step(world);
  const double time = th_world_counters(world).arrived == 40 ? th_world_time(world) : -1.0;
  th_world_free(world);
  return time;
}

int main(void) {
  th_error error;
  th_ground *ground = NULL;
  th_vec2 corner[3][4];
  const th_polygon hall = th_box_polygon(0, 0, 20, 10, corner[0]);
  const th_polygon wall[] = {th_box_polygon(9.8f, 5.5f, 10.2f, 10, corner[1]),
                             th_box_polygon(9.8f, 0, 10.2f, 4.5f, corner[2])};
  th_flat_def flat = th_default_flat_def();
  flat.outline = &hall, flat.outline_count = 1, flat.obstacle = wall, flat.obstacle_count = 2;
  if (th_ground_make_flat(&flat, &ground, &error)) return fprintf(stderr, "%s: %s\n", error.where, error.text), 1;
  const double people = walk_out(ground, th_default_agent_def()), bodies = walk_out(ground, th_default_body_def());
  th_ground_release(ground);
  printf("people are out after %.1f s, bare bodies after %.1f s\n", people, bodies);
  return people > 0.0 && bodies > 0.0 ? 0 : 1;
}
