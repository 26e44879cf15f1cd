/* lab/planarization/crowds.c - five meshes, six crowds from 20,160 to 120,000: figures 5.2 to 5.7
 * of the thesis.
 *
 * Every agent heads for one of 64 vertices that were drawn at random. After three untimed steps the processor time of
 * some steps is measured with two workers, then one step is measured for neighbours and deviation; whole trips are in
 * the experiment "trends", since they would take hours here. Bodies have a radius of 0.15 e where they cover at most
 * half of the surface, else less.
 */
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/platform/clock.h"
#include "lab/planarization/experiments.h"
#include "lab/planarization/lab.h"

#define NONE NAN

#define REAL_TIME 80.0 /* ms: 25 steps a second on two cores; the thesis says "real time", its numbers are in plots */

static const char *const slow = "the thesis' avoidance ran on a graphics card; here two processor cores do everything";

enum { CROWDS = 6, WARM = 3, GOALS = 64 };

typedef struct load {
  double seconds, neighbours, deviation, speed;
} load;

/* Processor time of all workers; other programs on the machine do not count. */
/* All agents on the surface, coloured by speed. */
static th_result draw(th_lab *lab, const char *title, const th_world *world, th_error *error) {
  char path[1024];
  const th_allocator al = th_env_complete(NULL).allocator;
  const th_agents a = th_world_agents(world);
  if (!th_planar_figure_path(lab, path, sizeof path)) return TH_OK;
  th_vec3 *point = TH_TAKE(&al, th_vec3, a.count);
  float *speed = TH_TAKE(&al, float, a.count);
  th_result result = point && speed ? TH_OK : th_fail_memory(error, "figure");
  if (result == TH_OK) {
    th_world_points(world, &(th_points){.point = point});
    for (uint32_t k = 0; k < a.count; k++) speed[k] = sqrtf(a.vx[k] * a.vx[k] + a.vy[k] * a.vy[k]);
    th_mesh_figure_def def = th_default_mesh_figure_def();
    def.width = 900;
    def.title = title;
    def.note = "20,160 agents, coloured by speed";
    def.mesh = th_ground_mesh(th_world_ground(world));
    def.agents.count = a.count;
    def.agents.face = a.cell;
    def.agents.point = point;
    def.agents.radius = a.radius;
    def.agents.shape = TH_BODY_DISC;
    def.agents.value = speed;
    def.agents.label = "speed [m/s]";
    result = th_mesh_figure_write(&def, path, error);
  }
  TH_GIVE(&al, speed, a.count);
  TH_GIVE(&al, point, a.count);
  return result;
}

static const char *const packed =
    "with our radius, for the thesis prints none, bodies cover a quarter to a half of the surface; whole trips with "
    "smaller bodies are in planarization-trips.md";

static th_result measure(th_lab *lab, const char *title, const th_planar_crowd *crowd, load *found, th_error *error) {
  th_world *world = NULL;
  th_result result = th_planar_crowd_make(NULL, crowd, &world, error);
  if (result != TH_OK) return result;
  const int steps = crowd->agents > 70000 ? 4 : 8;
  double min = INFINITY;
  for (int k = 0; k < WARM; k++) th_world_step(world);
  for (int k = 0; k < steps; k++) {
    const double begin = th_clock_processor_seconds();
    th_world_step(world);
    min = fmin(min, th_clock_processor_seconds() - begin);
  }
  th_decisions d = {0};
  result = th_planar_step(world, true, &d, error);
  *found = (load){min, d.neighbours / (double)d.paired, d.deviation / (double)d.samples, d.speed / (double)d.samples};
  if (result == TH_OK && title) result = draw(lab, title, world, error);
  th_world_free(world);
  return result;
}

/* The share of the pairs of crowds in which more neighbours took more time. */
static double agreement(const load *l) {
  uint32_t pairs = 0, agree = 0;
  for (int a = 0; a < CROWDS; a++)
    for (int b = a + 1; b < CROWDS; b++) {
      pairs++;
      agree += (l[b].neighbours > l[a].neighbours) == (l[b].seconds > l[a].seconds);
    }
  return (double)agree / pairs;
}

static th_result crowds(th_lab *lab, const th_planar_mesh *mesh, th_error *error) {
  static const uint32_t count[CROWDS] = {20160, 40000, 60000, 80000, 100000, 120000};
  static const char *const name[CROWDS] = {
      "20,160 agents: processor time of a step",  "40,000 agents: processor time of a step",
      "60,000 agents: processor time of a step",  "80,000 agents: processor time of a step",
      "100,000 agents: processor time of a step", "120,000 agents: processor time of a step"};
  load l[CROWDS];
  th_ground *ground = NULL;
  lab->timed = true;
  th_result result = th_planar_mesh_ground(mesh, &ground, error);
  for (int k = 0; k < CROWDS && result == TH_OK; k++) {
    const th_planar_crowd crowd = {.ground = ground,
                                   .agents = count[k],
                                   .goals = GOALS,
                                   .workers = 2,
                                   .radius = th_planar_radius(ground, count[k]),
                                   .seed = 1};
    result = measure(lab, k == 0 ? mesh->name : NULL, &crowd, &l[k], error);
  }
  th_ground_release(ground);
  if (result != TH_OK) return result;
  for (int k = 0; k < CROWDS; k++)
    th_lab_claim(lab, &(th_claim){name[k], "ms", 1e3 * l[k].seconds, 0, REAL_TIME, NONE, NONE, slow});
  const load *first = &l[0], *last = &l[CROWDS - 1];
  th_lab_claim(lab, &(th_claim){"neighbours of 120,000 by those of 20,160", "", last->neighbours / first->neighbours, 1,
                                INFINITY, NONE, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"deviation of 120,000 by that of 20,160", "", last->deviation / first->deviation, 1,
                                INFINITY, NONE, NONE, NULL});
  th_lab_claim(
      lab, &(th_claim){"speed of 120,000 by that of 20,160", "", last->speed / first->speed, 0, 1, NONE, NONE, NULL});
  th_lab_claim(lab,
               &(th_claim){"speed by wanted speed, 120,000: near it", "", last->speed, 0.9, 1, NONE, NONE, packed});
  th_lab_claim(lab, &(th_claim){"pairs of crowds in which more neighbours cost more time", "", agreement(l), 0.8, 1,
                                NONE, NONE, NULL});
  return TH_OK;
}

th_result th_planar_crowd_bunny(th_lab *lab, th_error *error) { return crowds(lab, &th_planar_meshes[0], error); }
th_result th_planar_crowd_heptoroid(th_lab *lab, th_error *error) { return crowds(lab, &th_planar_meshes[1], error); }
th_result th_planar_crowd_fertility(th_lab *lab, th_error *error) { return crowds(lab, &th_planar_meshes[2], error); }
th_result th_planar_crowd_glob(th_lab *lab, th_error *error) { return crowds(lab, &th_planar_meshes[3], error); }
th_result th_planar_crowd_ball(th_lab *lab, th_error *error) { return crowds(lab, &th_planar_meshes[4], error); }
