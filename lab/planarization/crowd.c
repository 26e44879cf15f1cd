/* lab/planarization/crowd.c - the crowds that dynamic planarization is measured with.
 *
 * Berndt's thesis (2014) prints neither radius nor step nor vision of its agents. With e the mean edge they are 0.15 e,
 * 0.05 e per step and 0.8 e here, with at most 64 neighbours and a horizon of 20 steps. Agents are spread over faces by
 * their area, and the remainder is carried from face to face, so the density is the same everywhere. Goals are vertices
 * drawn at random: one field per goal, 4 bytes per vertex, shared by all agents with that goal.
 */
#include "lab/planarization/crowd.h"

#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "geometry/vector.h"
#include "throng/guide.h"

static double mean_edge(const th_soup *soup) {
  double sum = 0.0;
  for (uint32_t f = 0; f < soup->face_count; f++)
    for (int k = 0; k < 3; k++) {
      const double *p = soup->xyz[soup->corner[f][k]], *q = soup->xyz[soup->corner[f][(k + 1) % 3]];
      sum += sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) + (p[2] - q[2]) * (p[2] - q[2]));
    }
  return sum / (3.0 * soup->face_count);
}

th_result th_planar_ground(const th_env *env, th_soup *soup, th_ground **ground, th_error *error) {
  th_mesh_ground_def def = th_default_mesh_ground_def();
  if (soup->failed || soup->face_count == 0) {
    th_soup_free(soup);
    return th_fail_memory(error, "surface");
  }
  const double scale = 1.0 / mean_edge(soup);
  for (uint32_t v = 0; v < soup->vertex_count; v++)
    for (int k = 0; k < 3; k++) soup->xyz[v][k] *= scale;
  if (env) def.env = *env;
  def.triangles.xyz_double = soup->xyz[0];
  def.triangles.vertex_count = soup->vertex_count;
  def.triangles.corner = soup->corner[0];
  def.triangles.face_count = soup->face_count;
  th_result result = th_ground_make_mesh(&def, ground, error);
  th_soup_free(soup);
  return result;
}

th_orca_params th_planar_params(float dt) {
  th_orca_params params = th_default_orca_params();
  params.neighbours = TH_PLANAR_NEIGHBOURS;
  params.distance = TH_PLANAR_VISION;
  params.horizon = params.wall_horizon = 20.0f * dt;
  return params;
}

th_agent_def th_planar_agent(const th_orca_params *params, float radius) {
  th_agent_def agent = th_default_body_def();
  agent.radius = radius;
  agent.speed = agent.speed_max = 1.0f;
  agent.acceleration_max = agent.turn_max = INFINITY;
  agent.model = &th_model_orca;
  agent.params = params;
  agent.collide = false; /* avoidance alone, as in the thesis */
  agent.route_count = 1;
  return agent;
}

th_result th_planar_world(const th_env *env, const th_planar_crowd *crowd, th_world **world, th_error *error) {
  th_world_def def = th_default_world_def();
  if (env) def.env = *env;
  def.ground = crowd->ground;
  def.dt = th_planar_dt(crowd);
  def.workers = crowd->workers;
  def.agent_capacity = crowd->agents;
  def.seed = crowd->seed;
  def.mesh.one_face = crowd->one_face;
  def.mesh.patch_size = crowd->patch;
  def.mesh.chart = crowd->one_face ? TH_CHART_CONFORMAL : TH_CHART_POLAR;
  return th_world_make(&def, world, error);
}

th_result th_planar_goal(th_world *world, uint32_t vertex, float arrive, th_goal_id *goal, th_error *error) {
  const double *p = th_ground_mesh(th_world_ground(world))->xyz + 3 * (size_t)vertex;
  th_vec2 at = {(float)p[0], (float)p[1]};
  float z = (float)p[2];
  th_goal_def def = th_default_goal_def();
  def.shape = th_point_shape_at((th_vec3){at.x, at.y, z});
  def.field = TH_FIELD_EDGES;
  def.arrive = arrive;
  return th_world_add_goal(world, &def, goal, error);
}

th_result th_planar_step(th_world *world, bool pairs, th_decisions *sum, th_error *error) {
  th_world_advise(world);
  th_result result = th_decisions_look(sum, world, pairs ? TH_PLANAR_VISION : 0.0f, error);
  th_world_integrate(world);
  return result;
}

static double area_of(const th_mesh *m, uint32_t f) {
  const double *a = m->xyz + 3 * (size_t)m->corner[3 * f], *b = m->xyz + 3 * (size_t)m->corner[3 * f + 1],
               *c = m->xyz + 3 * (size_t)m->corner[3 * f + 2];
  double n[3];
  th_normal3d(a, b, c, n);
  return 0.5 * th_length3d(n);
}

double th_planar_area(const th_ground *ground) {
  const th_mesh *m = th_ground_mesh(ground);
  double all = 0.0;
  for (uint32_t f = 0; f < m->face_count; f++) all += area_of(m, f);
  return all;
}

float th_planar_radius(const th_ground *ground, uint32_t agents) {
  const double area = 0.4330127 * th_ground_mesh(ground)->face_count;
  return (float)fmin((double)TH_PLANAR_RADIUS, sqrt(0.5 * area / (3.14159265 * agents)));
}

/* Fills places; the goal of each is left to the caller. */
static void spread(const th_planar_crowd *crowd, th_agent_def *agent) {
  const th_mesh *m = th_ground_mesh(crowd->ground);
  const double all = th_planar_area(crowd->ground);
  double carried = 0.0;
  uint32_t n = 0;
  for (uint32_t f = 0; f < m->face_count && n < crowd->agents; f++) {
    carried += area_of(m, f) / all * crowd->agents;
    for (; carried >= 0.5 && n < crowd->agents; carried -= 1.0, n++) {
      float a = th_random_unit(crowd->seed, 1, n, 0), b = th_random_unit(crowd->seed, 2, n, 0);
      if (a + b > 1.0f) a = 1.0f - a, b = 1.0f - b;
      th_vec3 p = th_ground_point(crowd->ground, th_ground_place_of(crowd->ground, f, (th_vec3){1.0f - a - b, a, b}));
      agent[n].point = p;
    }
  }
  for (; n < crowd->agents; n++) agent[n].point = agent[0].point;
}

static th_result people(th_world *world, const th_planar_crowd *crowd, th_goal_id *goal, th_agent_def *agent,
                        th_error *error) {
  const uint32_t vertices = th_ground_mesh(crowd->ground)->vertex_count;
  const th_orca_params params = th_planar_params(th_planar_dt(crowd));
  const th_reference_points_params guard = {true};
  th_guide_id guide;
  th_result result = th_world_add_guide(world, &th_guide_reference_points, &guard, &guide, error);
  for (uint32_t k = 0; k < crowd->goals && result == TH_OK; k++)
    result =
        th_planar_goal(world, th_random_to_below(th_random(crowd->seed, 3, k, 0), vertices), 0.5f, &goal[k], error);
  if (result != TH_OK) return result;
  for (uint32_t n = 0; n < crowd->agents; n++) {
    agent[n] = th_planar_agent(&params, crowd->radius);
    agent[n].guide = guide;
    agent[n].collide = crowd->collide;
    agent[n].route[0].goal = goal[th_random_to_below(th_random(crowd->seed, 4, n, 0), crowd->goals)];
  }
  spread(crowd, agent);
  return th_world_add_agents(world, agent, crowd->agents, NULL, error);
}

th_result th_planar_crowd_make(const th_env *env, const th_planar_crowd *crowd, th_world **world, th_error *error) {
  th_env own = th_env_complete(env);
  th_agent_def *agent = TH_TAKE(&own.allocator, th_agent_def, crowd->agents);
  th_goal_id *goal = TH_TAKE(&own.allocator, th_goal_id, crowd->goals);
  th_result result = agent && goal ? TH_OK : th_fail_memory(error, "crowd");
  *world = NULL;
  if (result == TH_OK) result = th_planar_world(env, crowd, world, error);
  if (result == TH_OK) result = people(*world, crowd, goal, agent, error);
  if (result != TH_OK && *world) {
    th_world_free(*world);
    *world = NULL;
  }
  TH_GIVE(&own.allocator, goal, crowd->goals);
  TH_GIVE(&own.allocator, agent, crowd->agents);
  return result;
}
