/* bench/bench_thesis.c - the top load of dynamic planarization: 120,000 agents on a mesh of 68,958 faces.
 *
 * Radius 0.15 e, vision 0.8 e and at most 64 neighbours with e the mean edge, two workers; every agent heads for one of
 * 1,024 vertices that were drawn at random, by the Dijkstra field of that vertex (141 MB; one for each agent would take
 * 16.5 GB). Three cases are compared: our patches; one conformal map per face, as in the thesis; and, to show the cost
 * of avoidance alone, the same crowd with the same density on a flat square, walking straight to random goals. Their
 * steps are timed in turn; the median step counts. Mean neighbours are those within vision.
 */
#include <math.h>
#include <stdio.h>

#include "base/random.h"
#include "bench.h"
#include "experiments/planarization/crowd.h"
#include "throng/guide.h"

enum { AGENTS = 120000, GOALS = 1024, TURNS = 10, STEPS = 6, WARM = 4, KINDS = 3 };

static double steps(th_world *world, int count) {
  double seconds[STEPS];
  for (int k = 0; k < count; k++) {
    double begin = th_bench_wall();
    th_world_step(world);
    seconds[k] = th_bench_wall() - begin;
  }
  return th_bench_median(seconds, (uint32_t)count);
}

static void report(th_bench *bench, const char *kind, th_world *world, const double *warm, double min) {
  char name[96];
  double phase[TH_PHASE_COUNT], all = 0;
  th_planar_log log = {0};
  snprintf(name, sizeof name, "orca.thesis.120000.%s", kind);
  th_bench_report(bench, name, 1.0 / min, "steps/s");
  th_world_profile(world, phase);
  for (int i = 0; i < TH_PHASE_COUNT; i++) all += phase[i] -= warm[i];
  for (int i = 0; i < TH_PHASE_COUNT; i++) {
    snprintf(name, sizeof name, "orca.thesis.120000.%s.%s_ms", kind, th_phase_name((th_phase)i));
    th_bench_report(bench, name, min * 1e3 * phase[i] / all, "ms");
  }
  th_planar_step(world, TH_PLANAR_VISION, true, &log);
  snprintf(name, sizeof name, "orca.thesis.120000.%s.neighbours", kind);
  th_bench_report(bench, name, log.neighbours / (double)log.paired, "neighbours");
}

/* Somewhere on a square from the origin to `side`. */
static th_vec2 anywhere(uint32_t use, uint32_t agent, float side) {
  return (th_vec2){side * th_random_unit(1, use, agent, 0), side * th_random_unit(1, use, agent, 1)};
}

static void straight(void *user, const th_guide_query *q) {
  const float *side = user;
  for (uint32_t lane = 0; lane < q->lanes; lane++) {
    th_vec2 goal = anywhere(5, q->agent[lane], *side);
    float dx = goal.x - q->x[lane], dy = goal.y - q->y[lane], left = sqrtf(dx * dx + dy * dy);
    float k = left > 0.0f ? 1.0f / left : 0.0f;
    q->want[lane] = (th_guide_answer){.dx = dx * k, .dy = dy * k, .left = left, .state = TH_ANSWER_LEAD};
  }
}

/* The crowd on a flat square; `side` stays with the caller as long as the world. */
static bool make_flat(const float *side, th_world **world, th_error *error) {
  th_vec2 corner[4] = {{0.0f, 0.0f}, {*side, 0.0f}, {*side, *side}, {0.0f, *side}};
  th_polygon outline = {.point = corner, .count = 4};
  th_flat_def def = th_default_flat_def();
  def.outline = &outline;
  def.outline_count = 1;
  th_planar_crowd crowd = {NULL, AGENTS, 0, 2, TH_PLANAR_RADIUS, 1, false, 0.0f};
  th_user_guide_params host = {straight, (void *)(uintptr_t)side};
  th_guide_id guide;
  if (th_ground_make_flat(&def, &crowd.ground, error)) return false;
  bool made = th_planar_world(NULL, &crowd, world, error) == TH_OK;
  th_ground_release(crowd.ground);
  const th_orca_params params = th_planar_params();
  th_agent_def agent = th_planar_agent(&params, TH_PLANAR_RADIUS);
  agent.route_count = 0;
  made = made && th_world_add_guide(*world, &th_guide_user, &host, &guide, error) == TH_OK;
  for (uint32_t n = 0; n < AGENTS && made; n++) {
    th_vec2 at = anywhere(6, n, *side);
    agent.guide = guide;
    agent.x = at.x;
    agent.y = at.y;
    made = th_world_add_agents(*world, &agent, 1, NULL, error) == TH_OK;
  }
  return made;
}

void th_bench_thesis(th_bench *bench) {
  static const char *const kind[KINDS] = {"steps_per_s", "one_face_steps_per_s", "flat_steps_per_s"};
  if (!th_bench_wants(bench, "orca.thesis.120000")) return;
  th_soup soup = th_soup_begin(NULL);
  th_ground *ground = NULL;
  th_world *world[KINDS] = {NULL, NULL, NULL};
  double min[KINDS] = {INFINITY, INFINITY, INFINITY}, warm[KINDS][TH_PHASE_COUNT];
  float side = 0.0f;
  th_error error = {0};
  bool made = th_make_sized(&soup, TH_MAKE_BUNNY, &error) == TH_OK;
  if (!made) th_soup_free(&soup);
  made = made && th_planar_ground(NULL, &soup, &ground, &error) == TH_OK;
  if (made) side = (float)sqrt(th_planar_area(ground));
  for (int k = 0; k < KINDS && made; k++) {
    th_planar_crowd crowd = {ground, AGENTS, GOALS, 2, TH_PLANAR_RADIUS, 1, k == 1, 0.0f};
    made = k == 2 ? make_flat(&side, &world[k], &error) : !th_planar_crowd_make(NULL, &crowd, &world[k], &error);
    if (made) steps(world[k], WARM);
    if (made) th_world_profile(world[k], warm[k]);
  }
  for (int turn = 0; turn < TURNS && made; turn++)
    for (int k = 0; k < KINDS; k++) min[k] = fmin(min[k], steps(world[k], k == 1 ? 2 : STEPS));
  for (int k = 0; k < KINDS && made; k++) report(bench, kind[k], world[k], warm[k], min[k]);
  if (!made) fprintf(stderr, "bench: %s\n", error.text);
  for (int k = 0; k < KINDS; k++) th_world_free(world[k]);
  th_ground_release(ground);
}
