/* tests/world/test_march.c - formations travel: round bends, through doors, on flat ground and terrain. */
#include "support/worlds.h"
#include "throng/group.h"
#include "throng/make.h"
#include "throng/model/biocrowds.h"
#include "world/world.h"

#define SOLDIERS 50

/* From the left along a block, round its corner by 90 degrees, and through a door of 1.2 m. */
typedef struct parade {
  log_capture log;
  th_ground *ground;
  th_world *world;
  th_agent_id agent[SOLDIERS];
  th_group_id group;
  th_goal_id goal;
} parade;

static th_ground *parade_ground(const th_env *env) {
  th_flat_def def = th_default_flat_def();
  worlds_rect all = worlds_rectangle(0, 0, 80, 75), block = worlds_rectangle(0, 20, 40, 75);
  worlds_rect left = worlds_rectangle(40, 45, 59.4f, 45.3f), right = worlds_rectangle(60.6f, 45, 80, 45.3f);
  th_polygon outline = {NULL, all.point, 4};
  th_polygon obstacle[] = {{NULL, block.point, 4}, {NULL, left.point, 4}, {NULL, right.point, 4}};
  def.env = *env, def.outline = &outline, def.outline_count = 1, def.obstacle = obstacle, def.obstacle_count = 3;
  def.cell = 0.2f;
  th_ground *ground;
  OK(th_ground_make_flat(&def, &ground, &error));
  return ground;
}

static void parade_begin(parade *p, const th_model *model) {
  *p = (parade){0};
  th_env env = worlds_env(&p->log);
  p->ground = parade_ground(&env);
  p->world = worlds_make(p->ground, &env);
  th_goal_def goal = th_default_goal_def();
  goal.shape = th_point_shape_at((th_vec3){60, 68, 0});
  OK(th_world_add_goal(p->world, &goal, &p->goal, &error));
  for (uint32_t i = 0; i < SOLDIERS; i++) {
    th_agent_def def = th_default_agent_def();
    def.point = (th_vec3){6 + 1.3f * (float)(i % 8), 5 + 1.4f * (float)(i / 8), 0};
    def.model = model, def.speed = 1.3f, def.remove = false;
    def.route[0].goal = p->goal, def.route_count = 1;
    if (model == &th_model_biocrowds) def.people = NULL;
    OK(th_world_add_agent(p->world, &def, &p->agent[i], &error));
  }
  th_group_def group = th_default_group_def();
  group.formation.kind = TH_FORMATION_WEDGE;
  OK(th_world_add_group(p->world, &group, p->agent, SOLDIERS, &p->group, &error));
}

static void parade_end(parade *p) {
  th_world_free(p->world);
  th_ground_release(p->ground);
}

int main(int argc, char **argv) {
  const th_model *model = th_model_find(argc > 1 ? argv[1] : "orca");
  parade p;
  parade_begin(&p, model);
  double t = 0, worst = 0, sum = 0, last = -1, formed = -1; int n = 0; bool first = false;
  for (int step = 0; step < 8000; step++) {
    th_world_step(p.world);
    t = th_world_time(p.world);
    th_group_fit fit;
    OK(th_world_group_fit(p.world, p.group, &fit, &error));
    const th_march *m = &p.world->groups.group[0].march;
    uint32_t through = 0; float front = 0, maxx = 0, odd = 0;
    for (int i = 0; i < SOLDIERS; i++) {
      th_vec3 at = th_world_agent_point(p.world, p.agent[i]);
      through += at.y > 45.3f && at.x > 40; if (at.x>40) front = at.y > front ? at.y : front; maxx = at.x > maxx ? at.x : maxx;
      odd = fmaxf(odd, fabsf(m->post[i].aside - m->post[i].lateral) + fabsf(m->numbers.front - m->post[i].depth - m->post[i].along));
    }
    if (!first && fit.off_post < 0.4) { first = true; printf("formed at %.1f\n", t); }
    if (first && front < 30) { worst = fmax(worst, fit.off_post); sum += fit.off_post; n++; }
    if (through == SOLDIERS && last < 0) last = t;
    if (last > 0 && formed < 0 && fit.off_post < 0.5 && odd < 0.3f) formed = t;
    if (step % 200 == 0) printf("%.0f s: off %.2f worst %.2f lag %.2f pace %.2f front %.1f end %u x %.1f y %.1f through %u odd %.2f\n", t, fit.off_post, m->numbers.worst, m->numbers.lag, m->numbers.pace, m->numbers.front, m->numbers.ended, maxx, front, through, odd);
    if (th_world_agent_state(p.world, p.agent[0]) == TH_AGENT_ARRIVED && formed > 0) break;
  }
  int arrived = 0;
  for (int i = 0; i < SOLDIERS; i++) arrived += th_world_agent_state(p.world, p.agent[i]) == TH_AGENT_ARRIVED;
  printf("%s: bend mean %.3f worst %.3f; last through %.1f formed %.1f (%.1f s); arrived %d at %.1f\n", model->name, sum / n, worst, last, formed, formed - last, arrived, t);
  parade_end(&p);
  return 0;
}
