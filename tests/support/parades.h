/* tests/support/parades.h - a group in formation that goes round a corner of 90 degrees and through a door of 1.2 m. */
#ifndef TH_TESTS_SUPPORT_PARADES_H
#define TH_TESTS_SUPPORT_PARADES_H

#include "support/worlds.h"
#include "throng/group.h"
#include "throng/model/biocrowds.h"
#include "throng/model/steering.h"
#include "throng/throng.h"
#include "world/world.h"

#define PARADE_SIZE 50
#define PARADE_DOOR 45.6f /* y of the wall's far side [m] */

typedef struct parade {
  log_capture log;
  th_ground *ground;
  th_world *world;
  th_agent_id agent[PARADE_SIZE];
  th_group_id group;
  th_goal_id goal;
} parade;

/* 80 x 75 m without its upper left half, with a wall of 0.6 m at y = 45 and a door in it. */
static const float parade_walls[3][4] = {{0, 21, 40.2f, 75}, {40.2f, 45, 59.4f, 45.6f}, {60.6f, 45, 80, 45.6f}};

static inline th_ground *parade_flat(const th_env *env) {
  th_flat_def def = th_default_flat_def();
  worlds_rect all = worlds_rectangle(0, 0, 80, 75), wall[3];
  th_polygon outline = {NULL, all.point, 4}, obstacle[3];
  for (int i = 0; i < 3; i++) {
    const float *w = parade_walls[i];
    wall[i] = worlds_rectangle(w[0], w[1], w[2], w[3]);
    obstacle[i] = (th_polygon){NULL, wall[i].point, 4};
  }
  def.env = *env, def.outline = &outline, def.outline_count = 1, def.obstacle = obstacle, def.obstacle_count = 3;
  def.cell = 0.2f;
  th_ground *ground = NULL;
  OK(th_ground_make_flat(&def, &ground, &error));
  return ground;
}

#define PARADE_EDGE 0.6f
enum { PARADE_COLUMNS = 133, PARADE_ROWS = 125 };

static inline void parade_grid(double (*xyz)[3], uint32_t (*corner)[3]) {
  for (uint32_t j = 0; j <= PARADE_ROWS; j++)
    for (uint32_t i = 0; i <= PARADE_COLUMNS; i++) {
      const double x = 0.6 * i, y = 0.6 * j, z = 0.8 * sin(x / 7.0) * cos(y / 9.0);
      memcpy(xyz[j * (PARADE_COLUMNS + 1) + i], (double[3]){x, y, z}, sizeof *xyz);
    }
  for (uint32_t j = 0; j < PARADE_ROWS; j++)
    for (uint32_t i = 0; i < PARADE_COLUMNS; i++) {
      const uint32_t a = j * (PARADE_COLUMNS + 1) + i, b = a + 1, d = a + PARADE_COLUMNS + 1, c = d + 1;
      uint32_t *t = corner[2 * (j * PARADE_COLUMNS + i)];
      memcpy(t, (uint32_t[6]){a, b, c, a, c, d}, 6 * sizeof *t);
    }
}

/* The same on hills of 0.8 m. */
static inline th_ground *parade_hills(const th_env *env) {
  static double xyz[(PARADE_COLUMNS + 1) * (PARADE_ROWS + 1)][3];
  static uint32_t corner[2 * PARADE_COLUMNS * PARADE_ROWS][3];
  parade_grid(xyz, corner);
  th_mesh_ground_def def = th_default_mesh_ground_def();
  worlds_rect wall[3];
  th_region blocked[3];
  for (int i = 0; i < 3; i++) {
    const float *w = parade_walls[i];
    wall[i] = worlds_rectangle(w[0], w[1], w[2], w[3]);
    blocked[i] =
        (th_region){.kind = TH_REGION_PRISM, .outline = wall[i].point, .outline_count = 4, .low = -9, .high = 9};
  }
  def.env = *env, def.blocked = blocked, def.blocked_count = 3;
  def.triangles = (th_mesh_def){.where = "hills",
                                .xyz_double = xyz[0],
                                .corner = corner[0],
                                .vertex_count = (PARADE_COLUMNS + 1) * (PARADE_ROWS + 1),
                                .face_count = 2 * PARADE_COLUMNS * PARADE_ROWS,
                                .metres_per_unit = 1.0};
  th_ground *ground = NULL;
  OK(th_ground_make_mesh(&def, &ground, &error));
  return ground;
}

/* A soldier. Steerings keep 3 m from others and turn slowly; for soldiers they are set to keep 0.5 m, and to obey. */
static inline th_agent_def parade_member(const parade *p, const th_model *model, uint32_t i) {
  static th_steering_params drilled;
  th_agent_def def = th_default_agent_def();
  def.point = (th_vec3){6 + 1.3f * (float)(i % 8), 5 + 1.4f * (float)(i / 8), 0};
  def.model = model, def.speed = 1.3f, def.remove = false;
  def.route[0].goal = p->goal, def.route_count = 1;
  if (model == &th_model_biocrowds) def.people = NULL;
  drilled = th_default_steering_params();
  drilled.people.distance = 0.5f, drilled.people.weight = 0.3f, drilled.target.force = 4.0f, drilled.period = 0.1f;
  if (model == &th_model_steering) def.params = &drilled;
  return def;
}

static inline void parade_begin(parade *p, const th_model *model, bool hills, uint32_t workers) {
  *p = (parade){0};
  const th_env env = worlds_env(&p->log);
  p->ground = hills ? parade_hills(&env) : parade_flat(&env);
  th_world_def world = th_default_world_def();
  world.env = env, world.ground = p->ground, world.workers = workers;
  OK(th_world_make(&world, &p->world, &error));
  th_goal_def goal = th_default_goal_def();
  goal.shape = th_point_shape_at((th_vec3){60, 68, 0});
  OK(th_world_add_goal(p->world, &goal, &p->goal, &error));
  for (uint32_t i = 0; i < PARADE_SIZE; i++) {
    const th_agent_def def = parade_member(p, model, i);
    OK(th_world_add_agent(p->world, &def, &p->agent[i], &error));
  }
}

static inline void parade_form(parade *p, th_formation_kind kind) {
  th_group_def group = th_default_group_def();
  group.formation.kind = (int32_t)kind;
  OK(th_world_add_group(p->world, &group, p->agent, PARADE_SIZE, &p->group, &error));
}

static inline void parade_end(parade *p) {
  assert_int_equal(p->log.faults, 0);
  th_world_free(p->world);
  th_ground_release(p->ground);
}

/* How far the posts are from where they would be in the open, at most [m]. */
static inline float parade_odd(const parade *p) {
  const th_marching *march = &p->world->groups.group[p->group.index - 1].march;
  float odd = 0.0f;
  for (uint32_t i = 0; i < march->numbers.members; i++) {
    const th_post *post = &march->post[i];
    odd = fmaxf(odd, fabsf(post->aside - post->lateral));
    odd = fmaxf(odd, fabsf(march->numbers.front - post->depth - post->along));
  }
  return odd;
}

static inline double parade_off(const parade *p) {
  th_group_fit fit;
  OK(th_world_group_fit(p->world, p->group, &fit, &error));
  return fit.off_post;
}

#endif
