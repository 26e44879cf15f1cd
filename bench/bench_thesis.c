/* bench/bench_thesis.c - the top load of dynamic planarization: 120,000 agents on a mesh of 68,958 faces.
 *
 * Radius 0.15 e, vision 0.8 e and at most 64 neighbours with e the mean edge, two workers; every agent heads for one of
 * 1,024 vertices that were drawn at random, by the Dijkstra field of that vertex (141 MB; one for each agent would take
 * 16.5 GB). Our patches, and beside them one conformal map a face as the thesis has them. The steps of both take turns;
 * the median step counts. Mean neighbours are those within vision.
 */
#include <math.h>
#include <stdio.h>

#include "bench.h"
#include "report/planarization.h"

enum { AGENTS = 120000, GOALS = 1024, TURNS = 3, STEPS = 8, WARM = 4 };

static double steps(th_world *world, int count) {
  double seconds[STEPS];
  for (int k = 0; k < count; k++) {
    double begin = th_bench_wall();
    th_world_step(world);
    seconds[k] = th_bench_wall() - begin;
  }
  return th_bench_median(seconds, (uint32_t)count);
}

static void report(th_bench *bench, const char *kind, th_world *world, const double *warm, double least) {
  char name[96];
  double phase[TH_PHASE_COUNT], all = 0;
  th_plan_log log = {0};
  snprintf(name, sizeof name, "orca.thesis.120000.%s", kind);
  th_bench_report(bench, name, 1.0 / least, "steps/s");
  th_world_profile(world, phase);
  for (int i = 0; i < TH_PHASE_COUNT; i++) all += phase[i] -= warm[i];
  for (int i = 0; i < TH_PHASE_COUNT; i++) {
    snprintf(name, sizeof name, "orca.thesis.120000.%s.%s_ms", kind, th_phase_name((th_phase)i));
    th_bench_report(bench, name, least * 1e3 * phase[i] / all, "ms");
  }
  th_plan_step(world, TH_PLAN_VISION, true, &log);
  snprintf(name, sizeof name, "orca.thesis.120000.%s.neighbours", kind);
  th_bench_report(bench, name, log.neighbours / (double)log.paired, "neighbours");
}

void th_bench_thesis(th_bench *bench) {
  static const char *const kind[2] = {"steps_per_s", "one_face_steps_per_s"};
  if (!th_bench_wants(bench, "orca.thesis.120000")) return;
  th_soup soup = th_soup_begin(NULL);
  th_ground *ground = NULL;
  th_world *world[2] = {NULL, NULL};
  double least[2] = {INFINITY, INFINITY}, warm[2][TH_PHASE_COUNT];
  th_error error = {0};
  bool made = th_make_sized(&soup, TH_MAKE_BUNNY, &error) == TH_OK;
  if (!made) th_soup_free(&soup);
  made = made && th_plan_ground(NULL, &soup, &ground, &error) == TH_OK;
  for (int k = 0; k < 2 && made; k++) {
    th_plan_crowd crowd = {ground, AGENTS, GOALS, 2, TH_PLAN_RADIUS, 1, k == 1, 0.0f};
    made = th_plan_crowd_make(NULL, &crowd, &world[k], &error) == TH_OK;
    if (made) steps(world[k], WARM);
    if (made) th_world_profile(world[k], warm[k]);
  }
  for (int turn = 0; turn < TURNS && made; turn++)
    for (int k = 0; k < 2; k++) least[k] = fmin(least[k], steps(world[k], k ? 2 : STEPS));
  for (int k = 0; k < 2 && made; k++) report(bench, kind[k], world[k], warm[k], least[k]);
  if (!made) fprintf(stderr, "bench: %s\n", error.text);
  for (int k = 0; k < 2; k++) th_world_free(world[k]);
  th_ground_release(ground);
}
