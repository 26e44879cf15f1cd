/* bench/bench_groups.c - what formations cost: 200 wedges of 50 on a plain, against the same people on their own.
 *
 * Everybody walks to the far side by one field, with the model `orca`; the wedges have formed and nobody is in the way.
 * Both worlds are stepped in turns.
 */
#include "bench.h"
#include "throng/group.h"
#include "throng/model.h"
#include "throng/world.h"

enum { GROUPS = 200, MEMBERS = 50, COLUMNS = 20 };
#define FORMED 100 /* steps */

static th_ground *plain(void) {
  th_vec2 corner[4];
  const th_polygon outline = th_box_polygon(0, 0, 420, 320, corner);
  th_flat_def def = th_default_flat_def();
  def.outline = &outline, def.outline_count = 1, def.cell = 0.5f;
  th_ground *ground = NULL;
  return th_ground_make_flat(&def, &ground, NULL) ? NULL : ground;
}

static bool fill(th_world *world, bool grouped) {
  th_goal_def goal = th_default_goal_def();
  th_goal_id id;
  goal.shape = th_line_shape(419, 1, 419, 319);
  bool made = th_world_add_goal(world, &goal, &id, NULL) == TH_OK;
  for (uint32_t g = 0; g < GROUPS && made; g++) {
    th_agent_def def[MEMBERS];
    th_agent_id agent[MEMBERS];
    for (uint32_t i = 0; i < MEMBERS; i++) {
      def[i] = th_default_agent_def();
      def[i].point.x = 5.0f + 16.0f * (float)(g % COLUMNS) + 1.2f * (float)(i % 7);
      def[i].point.y = 8.0f + 31.0f * (float)(g / COLUMNS) + 1.2f * (float)(i / 7);
      def[i].route[0].goal = id, def[i].route_count = 1;
    }
    th_group_def group = th_default_group_def();
    group.formation.kind = TH_FORMATION_WEDGE;
    made = th_world_add_agents(world, def, MEMBERS, agent, NULL) == TH_OK;
    if (grouped && made) made = th_world_add_group(world, &group, agent, MEMBERS, NULL, NULL) == TH_OK;
  }
  for (int step = 0; step < FORMED && made; step++) th_world_step(world);
  return made;
}

static th_world *make(th_ground *ground, bool grouped) {
  th_world_def def = th_default_world_def();
  th_world *world = NULL;
  def.ground = ground;
  if (!ground || th_world_make(&def, &world, NULL)) return NULL;
  if (fill(world, grouped)) return world;
  th_world_free(world);
  return NULL;
}

void th_bench_groups(th_bench *bench) {
  static const char name[] = "groups.200x50.over_ungrouped";
  if (!th_bench_wants(bench, name)) return;
  th_ground *ground = plain();
  th_world *world[2] = {make(ground, true), make(ground, false)};
  if (world[0] && world[1]) {
    th_bench_side side[2] = {th_bench_stepping(world[0]), th_bench_stepping(world[1])};
    th_bench_time(side, 2, th_bench_now);
    th_bench_report(bench, name, side[0].median / side[1].median, "x");
  }
  for (int k = 0; k < 2; k++)
    if (world[k]) th_world_free(world[k]);
  th_ground_release(ground);
}
