/* apps/throng/plan_crowds.c - five meshes, six crowds from 20,160 to 120,000: figures 5.2 to 5.7 of the thesis.
 *
 * Everyone heads for one of 64 vertices that were drawn at random. After three untimed steps some steps are timed with
 * two workers, then one is looked at for neighbours and deviation; whole trips are in the experiment "trends", since
 * they would take hours here. Bodies have a radius of 0.15 e where they cover at most half of the surface, else less.
 */
#include <stdio.h>
#include <time.h>

#include "experiments_plan.h"
#include "plan_lab.h"

#define NONE NAN

enum { CROWDS = 6, WARM = 3, GOALS = 64 };

typedef struct load {
  double per_second, neighbours, deviation, speed;
} load;

static double wall_seconds(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static float radius_for(const th_ground *ground, uint32_t agents) {
  const double area = 0.4330127 * th_ground_mesh(ground)->face_count;
  return (float)fmin((double)TH_PLAN_RADIUS, sqrt(0.5 * area / (3.14159265 * agents)));
}

static th_result measure(th_ground *ground, uint32_t agents, load *found, th_error *error) {
  const th_plan_crowd crowd = {ground, agents, GOALS, 2, radius_for(ground, agents), 1, false};
  th_world *world = NULL;
  th_result result = th_plan_crowd_make(NULL, &crowd, &world, error);
  if (result != TH_OK) return result;
  const int steps = agents > 70000 ? 4 : 8;
  double least = INFINITY;
  for (int k = 0; k < WARM; k++) th_world_step(world);
  for (int k = 0; k < steps; k++) {
    const double begin = wall_seconds();
    th_world_step(world);
    least = fmin(least, wall_seconds() - begin);
  }
  th_plan_log log = {0};
  th_plan_step(world, TH_PLAN_VISION, true, &log);
  *found = (load){1.0 / least, log.neighbours / (double)log.paired, log.deviation / (double)log.samples,
                  log.speed / (double)log.samples};
  th_world_free(world);
  return TH_OK;
}

/* Of the pairs of crowds, the share in which more neighbours took more time. */
static double agreement(const load *l) {
  uint32_t pairs = 0, agree = 0;
  for (int a = 0; a < CROWDS; a++)
    for (int b = a + 1; b < CROWDS; b++) {
      pairs++;
      agree += (l[b].neighbours > l[a].neighbours) == (l[b].per_second < l[a].per_second);
    }
  return (double)agree / pairs;
}

static th_result crowds(th_lab *lab, const th_plan_mesh *mesh, th_error *error) {
  static const uint32_t count[CROWDS] = {20160, 40000, 60000, 80000, 100000, 120000};
  static const char *const name[CROWDS] = {"20,160 agents", "40,000 agents",  "60,000 agents",
                                           "80,000 agents", "100,000 agents", "120,000 agents"};
  load l[CROWDS];
  th_ground *ground = NULL;
  lab->timed = true;
  th_result result = th_plan_mesh_ground(mesh, &ground, error);
  for (int k = 0; k < CROWDS && result == TH_OK; k++) result = measure(ground, count[k], &l[k], error);
  th_ground_release(ground);
  if (result != TH_OK) return result;
  for (int k = 0; k < CROWDS; k++)
    th_lab_claim(lab, &(th_claim){name[k], "steps/s", l[k].per_second, 0, INFINITY, NONE, NONE, NULL});
  const load *first = &l[0], *last = &l[CROWDS - 1];
  th_lab_claim(
      lab, &(th_claim){"neighbours of 120,000", "", last->neighbours, first->neighbours, INFINITY, NONE, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"neighbours of 20,160", "", first->neighbours, 0, last->neighbours, NONE, NONE, NULL});
  th_lab_claim(lab,
               &(th_claim){"deviation of 20,160", "degrees", first->deviation, 0, last->deviation, NONE, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"deviation of 120,000", "degrees", last->deviation, first->deviation, INFINITY, NONE,
                                NONE, NULL});
  th_lab_claim(lab, &(th_claim){"speed by wanted speed, 120,000", "", last->speed, 0, first->speed, NONE, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"pairs of crowds in which more neighbours cost more time", "", agreement(l), 0.8, 1,
                                NONE, NONE, NULL});
  return TH_OK;
}

th_result th_plan_crowd_bunny(th_lab *lab, th_error *error) { return crowds(lab, &th_plan_meshes[0], error); }
th_result th_plan_crowd_heptoroid(th_lab *lab, th_error *error) { return crowds(lab, &th_plan_meshes[1], error); }
th_result th_plan_crowd_fertility(th_lab *lab, th_error *error) { return crowds(lab, &th_plan_meshes[2], error); }
th_result th_plan_crowd_glob(th_lab *lab, th_error *error) { return crowds(lab, &th_plan_meshes[3], error); }
th_result th_plan_crowd_ball(th_lab *lab, th_error *error) { return crowds(lab, &th_plan_meshes[4], error); }
