/* lab/bench/bench_thesis.c - the top load of dynamic planarization: 120,000 agents on a mesh of 68,958 faces.
 *
 * Radius 0.15 e, vision 0.8 e and at most 64 neighbours with e the mean edge, two workers. Every agent heads for a
 * vertex drawn at random, by the Dijkstra field of that vertex. The thesis gave each agent a goal of its own; fields of
 * 4 bytes per vertex would take 16.5 GB for that, so there are as many distinct goals as fit 4 GiB (`goals` tells the
 * number).
 *
 *   steps_per_s               our patches, bodies that touch are moved apart: what a user gets
 *   as_published_steps_per_s  one conformal map per face and avoidance alone: what the thesis did
 *   flat_steps_per_s          a crowd of the same density on a flat square that walks straight to random goals
 *
 * The worlds are measured one after the other, because two of them would hold 8 GiB of fields. Mean neighbours are
 * those within vision. Making the fields takes minutes.
 */
#include <math.h>
#include <stdio.h>

#include "base/random.h"
#include "bench.h"
#include "lab/planarization/crowd.h"
#include "throng/guide.h"

enum { AGENTS = 120000, KINDS = 3 };
#define FIELD_BYTES (4.0 * 1024 * 1024 * 1024)

static void report(th_bench *bench, const char *kind, th_world *world, double step) {
  char name[96];
  th_decisions decisions = {0};
  snprintf(name, sizeof name, "orca.thesis.120000.%s", kind);
  th_bench_report(bench, name, 1.0 / step, "steps/s");
  th_bench_report_phases(bench, name, world, step * 1e3, "ms");
  th_planar_step(world, true, &decisions, NULL);
  snprintf(name, sizeof name, "orca.thesis.120000.%s.neighbours", kind);
  th_bench_report(bench, name, decisions.neighbours / (double)decisions.paired, "neighbours");
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
  th_planar_crowd crowd = {.agents = AGENTS, .workers = 2, .radius = TH_PLANAR_RADIUS, .seed = 1};
  th_user_guide_params host = {straight, (void *)(uintptr_t)side};
  th_guide_id guide;
  if (th_ground_make_flat(&def, &crowd.ground, error)) return false;
  bool made = th_planar_world(NULL, &crowd, world, error) == TH_OK;
  th_ground_release(crowd.ground);
  const th_orca_params params = th_planar_params(TH_PLANAR_DT);
  th_agent_def agent = th_planar_agent(&params, TH_PLANAR_RADIUS);
  agent.route_count = 0;
  agent.collide = true;
  made = made && th_world_add_guide(*world, &th_guide_user, &host, &guide, error) == TH_OK;
  for (uint32_t n = 0; n < AGENTS && made; n++) {
    th_vec2 at = anywhere(6, n, *side);
    agent.guide = guide;
    agent.point.x = at.x;
    agent.point.y = at.y;
    made = th_world_add_agents(*world, &agent, 1, NULL, error) == TH_OK;
  }
  return made;
}

/* The kinds of the head comment, in turn. */
static bool run_kind(th_bench *bench, th_ground *ground, int kind, th_error *error) {
  static const char *const name[KINDS] = {"steps_per_s", "as_published_steps_per_s", "flat_steps_per_s"};
  const double field = 4.0 * th_ground_mesh(ground)->vertex_count;
  const float side = (float)sqrt(th_planar_area(ground));
  th_planar_crowd crowd = {.ground = ground,
                           .agents = AGENTS,
                           .goals = (uint32_t)(FIELD_BYTES / field),
                           .workers = 2,
                           .radius = TH_PLANAR_RADIUS,
                           .seed = 1,
                           .one_face = kind == 1,
                           .collide = kind == 0};
  th_world *world = NULL;
  char full[96];
  snprintf(full, sizeof full, "orca.thesis.120000.%s", name[kind]);
  if (!th_bench_wants(bench, full)) return true;
  bool made = kind == 2 ? make_flat(&side, &world, error) : !th_planar_crowd_make(NULL, &crowd, &world, error);
  if (made) {
    th_bench_side stepping = th_bench_stepping(world);
    th_bench_time(&stepping, 1, th_bench_wall);
    report(bench, name[kind], world, stepping.median);
  }
  if (kind == 0) th_bench_report(bench, "orca.thesis.120000.goals", crowd.goals, "goals");
  th_world_free(world);
  return made;
}

void th_bench_thesis(th_bench *bench) {
  if (!th_bench_wants(bench, "orca.thesis.120000")) return;
  th_soup soup = th_soup_begin(NULL);
  th_ground *ground = NULL;
  th_error error = {0};
  bool made = th_make_sized(&soup, TH_MAKE_BUNNY, &error) == TH_OK;
  if (!made) th_soup_free(&soup);
  made = made && th_planar_ground(NULL, &soup, &ground, &error) == TH_OK;
  for (int kind = 0; kind < KINDS && made; kind++) made = run_kind(bench, ground, kind, &error);
  if (!made) fprintf(stderr, "bench: %s\n", error.text);
  th_ground_release(ground);
}
