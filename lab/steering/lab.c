/* lab/steering/lab.c - runs scenes of the steering library and measures where people went.
 *
 * The scenes are those of scenes/steering, compiled into the program. Claims are about what an observer of the
 * trajectories would see. A figure shows the recording with time marks, and the forces of the decisions at these times.
 * Cost: some milliseconds per scene.
 */
#include "lab/steering/lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/scenes.h"

#define DEGREES 57.29577951308232

/* ---------------------------------------------------------------- running */

/* Agents in the order of the scene: ids count up from 1. */
static void look(th_steer_run *run, const th_world *world) {
  const th_agents agents = th_world_agents(world);
  const th_ground *ground = th_world_ground(world);
  for (uint32_t i = 0; i < agents.count; i++) {
    const uint32_t who = agents.id[i].index - 1;
    if (who >= TH_STEER_AGENTS) continue;
    const double x = (double)agents.x[i], y = (double)agents.y[i];
    run->at[who][run->ticks][0] = 100.0 * x;
    run->at[who][run->ticks][1] = -100.0 * y;
    run->look[who][run->ticks][0] = (double)agents.hx[i];
    run->look[who][run->ticks][1] = -(double)agents.hy[i];
    const th_place place = {agents.cell[i], agents.x[i], agents.y[i]};
    run->clear[who] = fmin(run->clear[who], 100.0 * (double)th_ground_clearance_at(ground, place));
  }
}

static void note_arrivals(th_steer_run *run, const th_world *world) {
  uint32_t count;
  const th_event *event = th_world_events(world, &count);
  for (uint32_t k = 0; k < count; k++)
    if (event[k].kind == TH_EVENT_ARRIVED && event[k].agent.index <= TH_STEER_AGENTS &&
        !run->arrived[event[k].agent.index - 1])
      run->arrived[event[k].agent.index - 1] = run->ticks;
}

typedef struct watched {
  th_steer_run *run;
  th_figure_def figure;
} watched;

/* Ten to twenty time marks, whatever the run turns out to last. */
static bool watch(void *user, th_world *world, uint32_t tick) {
  watched *w = user;
  th_steer_run *run = w->run;
  w->figure.marks = fmax(0.5, pow(2.0, round(log2(0.25 * tick / 10.0))));
  run->ticks = tick;
  if (!tick) run->agents = th_world_agents(world).count;
  for (uint32_t i = 0; !tick && i < TH_STEER_AGENTS; i++) run->clear[i] = INFINITY;
  look(run, world);
  if (tick) note_arrivals(run, world);
  return tick < TH_STEER_TICKS;
}

th_result th_steer_scene_run(th_lab *lab, const char *name, uint64_t seed, bool figure, th_steer_run *run,
                             th_error *error) {
  char scene[64];
  snprintf(scene, sizeof scene, "steering/%s", name);
  memset(run, 0, sizeof *run);
  watched w = {run, th_default_figure_def()};
  w.figure.title = name;
  w.figure.width = 1200;
  w.figure.traces = "vectors";
  return th_lab_run_scene(
      lab, &(th_lab_run){.scene = scene, .seed = seed, .look = watch, .user = &w, .figure = figure ? &w.figure : NULL},
      error);
}

th_result th_steer_scenes_run(th_lab *lab, const char *const *name, uint32_t count, uint32_t shown, th_steer_run **runs,
                              th_error *error) {
  *runs = calloc(count, sizeof **runs);
  th_result result = *runs ? TH_OK : TH_ERROR_MEMORY;
  for (uint32_t i = 0; i < count && result == TH_OK; i++)
    result = th_steer_scene_run(lab, name[i], 0, i == shown, *runs + i, error);
  return result;
}

/* ---------------------------------------------------------------- measures */

double th_steer_apart(const th_steer_run *run, uint32_t a, uint32_t b, uint32_t tick) {
  return hypot(run->at[a][tick][0] - run->at[b][tick][0], run->at[a][tick][1] - run->at[b][tick][1]);
}

double th_steer_least(const th_steer_run *run) {
  double least = INFINITY;
  for (uint32_t a = 0; a < run->agents; a++)
    for (uint32_t b = 0; b < a; b++)
      for (uint32_t t = 0; t <= run->ticks; t++) least = fmin(least, th_steer_apart(run, a, b, t));
  return least;
}

static double step_of(const th_steer_run *run, uint32_t agent, uint32_t tick) {
  return hypot(run->at[agent][tick][0] - run->at[agent][tick - 1][0],
               run->at[agent][tick][1] - run->at[agent][tick - 1][1]);
}

double th_steer_turn(const th_steer_run *run, uint32_t agent, uint32_t tick) {
  if (tick < 2 || step_of(run, agent, tick) < 2.0 || step_of(run, agent, tick - 1) < 2.0) return 0.0;
  const double(*p)[2] = run->at[agent];
  const double now = atan2(p[tick][1] - p[tick - 1][1], p[tick][0] - p[tick - 1][0]);
  const double before = atan2(p[tick - 1][1] - p[tick - 2][1], p[tick - 1][0] - p[tick - 2][0]);
  return DEGREES * remainder(now - before, 6.283185307179586);
}

double th_steer_turning(const th_steer_run *run, uint32_t agent) {
  double sum = 0.0;
  for (uint32_t t = 2; t <= run->ticks; t++) sum += fabs(th_steer_turn(run, agent, t));
  return sum;
}

double th_steer_sharpest(const th_steer_run *run, uint32_t agent, uint32_t from) {
  double most = 0.0;
  for (uint32_t t = from < 2 ? 2 : from; t <= run->ticks; t++) most = fmax(most, fabs(th_steer_turn(run, agent, t)));
  return most;
}

double th_steer_length(const th_steer_run *run, uint32_t agent) {
  double sum = 0.0;
  for (uint32_t t = 1; t <= run->ticks; t++) sum += step_of(run, agent, t);
  return sum;
}

double th_steer_speed(const th_steer_run *run, uint32_t agent, uint32_t tick) {
  return 4.0 * step_of(run, agent, tick);
}

uint32_t th_steer_arrived(const th_steer_run *run) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < run->agents; i++) count += run->arrived[i] > 0;
  return count;
}

uint32_t th_steer_last(const th_steer_run *run) {
  uint32_t last = 0;
  for (uint32_t i = 0; i < run->agents; i++) last = run->arrived[i] > last ? run->arrived[i] : last;
  return last;
}

double th_steer_most(const th_steer_run *run, uint32_t agent, int axis, bool low) {
  double most = low ? INFINITY : -INFINITY;
  for (uint32_t t = 0; t <= run->ticks; t++)
    most = low ? fmin(most, run->at[agent][t][axis]) : fmax(most, run->at[agent][t][axis]);
  return most;
}

double th_steer_flips(const th_steer_run *run, uint32_t agent, uint32_t from, uint32_t to) {
  uint32_t flips = 0;
  for (uint32_t t = from + 3; t <= to; t++) {
    const double a = th_steer_turn(run, agent, t - 1), b = th_steer_turn(run, agent, t);
    const double u = th_steer_speed(run, agent, t - 1) - th_steer_speed(run, agent, t - 2);
    const double v = th_steer_speed(run, agent, t) - th_steer_speed(run, agent, t - 1);
    const bool turns = a * b < 0.0 && fmin(fabs(a), fabs(b)) > 5.0;
    const bool changes = u * v < 0.0 && fmin(fabs(u), fabs(v)) > 10.0;
    flips += turns || changes;
  }
  return to > from + 3 ? (double)flips / (to - from - 2) : 0.0;
}
