/* lab/planarization/lab.c - surfaces and crossings for the experiments with dynamic planarization.
 *
 * The thesis' models are public scans; ours are generated with the same numbers of faces and vertices and the same
 * genus, scaled so that the mean edge e is 1 m.
 */
#include "lab/planarization/lab.h"

#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli.h"
#include "throng/guide.h"

const th_planar_mesh th_planar_meshes[TH_PLANAR_MESHES] = {
    {"Stanford Bunny", TH_MAKE_BUNNY, 68958, 34481, 13.37, 0.0162, 4.6971, 4.43, 24.88},
    {"Heptoroid", TH_MAKE_HEPTOROID, 40084, 20000, 13.60, 0.0166, 3.0032, 1.49, 14.46},
    {"Fertility", TH_MAKE_FERTILITY, 40000, 19994, 13.48, 0.0164, 2.6485, 1.49, 14.43},
    {"Glob", TH_MAKE_GLOB, 29774, 14875, 13.42, 0.0167, 1.9496, 0.82, 10.74},
    {"Distorted sphere", TH_MAKE_BALL, 20480, 10242, 12.98, 0.0148, 1.1191, 0.40, 7.39},
};

th_result th_planar_mesh_ground(const th_planar_mesh *mesh, th_ground **ground, th_error *error) {
  th_soup soup = th_soup_begin(NULL);
  th_result result = th_make_sized(&soup, mesh->size, error);
  if (result == TH_OK) return th_planar_ground(NULL, &soup, ground, error);
  th_soup_free(&soup);
  return result;
}

th_result th_planar_sphere(uint32_t level, double bumps, th_ground **ground, th_error *error) {
  th_soup soup = th_soup_begin(NULL);
  th_result result = th_make_icosphere(&soup, level, 10.0, bumps, error);
  if (result == TH_OK) return th_planar_ground(NULL, &soup, ground, error);
  th_soup_free(&soup);
  return result;
}

uint32_t th_planar_nearest(const th_ground *ground, th_vec3 p) {
  const th_mesh *m = th_ground_mesh(ground);
  uint32_t best = 0;
  double min = INFINITY;
  for (uint32_t v = 0; v < m->vertex_count; v++) {
    const double *q = m->xyz + 3 * (size_t)v;
    const double x = q[0] - (double)p.x, y = q[1] - (double)p.y, z = q[2] - (double)p.z, far = x * x + y * y + z * z;
    if (far < min) min = far, best = v;
  }
  return best;
}

bool th_planar_figure_path(th_lab *lab, char *path, size_t size) {
  if (!lab->folder) return false;
  snprintf(lab->figure, sizeof lab->figure, "%s.png", lab->id);
  th_cli_join(path, size, lab->folder, lab->figure);
  return true;
}

/* ---------------------------------------------------------------- crossings */

typedef struct walk {
  th_world *world;
  th_agent_id *id;
  th_vec3 *at;
  double *gone, *whole;
  uint8_t *arrived;
} walk;

static th_result add_people(const th_planar_swap *swap, walk *w, th_error *error) {
  const th_orca_params params = th_planar_params(TH_PLANAR_DT);
  const th_reference_points_params guard = {swap->guard};
  th_guide_id guide;
  th_result result = th_world_add_guide(w->world, &th_guide_reference_points, &guard, &guide, error);
  for (uint32_t k = 0; k < swap->agents && result == TH_OK; k++) {
    th_agent_def agent = th_planar_agent(&params, TH_PLANAR_RADIUS);
    agent.point = swap->from[k];
    agent.guide = guide;
    agent.collide = swap->collide;
    result = th_planar_goal(w->world, swap->to[k], 0.3f, &agent.route[0].goal, error);
    if (result == TH_OK) result = th_world_add_agents(w->world, &agent, 1, &w->id[k], error);
  }
  return result;
}

static double apart(th_vec3 a, th_vec3 b) {
  const double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y, z = (double)a.z - (double)b.z;
  return sqrt(x * x + y * y + z * z);
}

/* The positions of all agents after a step; an agent that has left the world has arrived. */
static void look(walk *w, uint32_t step, uint32_t agents, th_planar_result *r) {
  const th_agents a = th_world_agents(w->world);
  const th_ground *ground = th_world_ground(w->world);
  for (uint32_t k = 0; k < agents; k++) {
    if (w->arrived[k]) continue;
    const uint32_t row = th_world_row(w->world, w->id[k]);
    if (row == UINT32_MAX) {
      w->arrived[k] = 1;
      r->arrived++;
      r->time += step * (double)TH_PLANAR_DT;
      r->distance += w->gone[k];
      r->detour += w->gone[k] / w->whole[k];
      continue;
    }
    const th_vec3 p = th_ground_point(ground, (th_place){a.cell[row], a.x[row], a.y[row]});
    if (step > 0) w->gone[k] += apart(p, w->at[k]);
    if (step == 2) w->whole[k] = fmax((double)a.left[row] - 0.3, 1e-6) + w->gone[k];
    w->at[k] = p;
    if (r->trail && step % 5 == 0 && r->trail_count[k] < TH_PLANAR_TRAIL)
      r->trail[k * TH_PLANAR_TRAIL + r->trail_count[k]++] = p;
  }
}

static th_result run(const th_planar_swap *swap, walk *w, th_planar_result *r, th_error *error) {
  const th_planar_crowd crowd = {.ground = swap->ground,
                                 .agents = swap->agents,
                                 .workers = 1,
                                 .radius = TH_PLANAR_RADIUS,
                                 .seed = 1,
                                 .one_face = swap->one_face,
                                 .patch = 6.0f};
  th_result result = th_planar_world(NULL, &crowd, &w->world, error);
  if (result == TH_OK) result = add_people(swap, w, error);
  for (uint32_t step = 0; step < swap->max_steps && result == TH_OK && r->arrived < swap->agents; step++) {
    look(w, step, swap->agents, r);
    result = th_planar_step(w->world, step % 4 == 0 || r->trail, &r->decisions, error);
    r->steps = step;
  }
  if (r->arrived) r->time /= r->arrived, r->distance /= r->arrived, r->detour /= r->arrived;
  return result;
}

th_result th_planar_swap_run(const th_planar_swap *swap, bool trails, th_planar_result *r, th_error *error) {
  const th_allocator a = th_env_complete(NULL).allocator;
  const uint32_t n = swap->agents;
  *r = (th_planar_result){.agents = n};
  walk w = {NULL,
            TH_TAKE(&a, th_agent_id, n),
            TH_TAKE(&a, th_vec3, n),
            TH_TAKE(&a, double, n),
            TH_TAKE(&a, double, n),
            TH_TAKE(&a, uint8_t, n)};
  bool got = w.id && w.at && w.gone && w.whole && w.arrived;
  if (trails) {
    r->trail = TH_TAKE(&a, th_vec3, (size_t)n * TH_PLANAR_TRAIL);
    r->trail_count = TH_TAKE(&a, uint32_t, n);
    got = got && r->trail && r->trail_count;
  }
  for (uint32_t k = 0; k < n && got; k++) w.whole[k] = 1.0;
  th_result result = got ? run(swap, &w, r, error) : th_fail_memory(error, "crossing");
  th_world_free(w.world);
  TH_GIVE(&a, w.arrived, n);
  TH_GIVE(&a, w.whole, n);
  TH_GIVE(&a, w.gone, n);
  TH_GIVE(&a, w.at, n);
  TH_GIVE(&a, w.id, n);
  return result;
}

void th_planar_result_free(th_planar_result *r) {
  const th_allocator a = th_env_complete(NULL).allocator;
  TH_GIVE(&a, r->trail_count, r->agents);
  TH_GIVE(&a, r->trail, (size_t)r->agents * TH_PLANAR_TRAIL);
}
