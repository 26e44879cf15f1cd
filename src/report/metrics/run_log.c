/* report/metrics/run_log.c - the log of a run as a table: one line for every second of the scene.
 *
 * A line holds means over its own interval: steps per second of real time (the phases alone, without recording), the
 * time of each phase, neighbours, deviation from the wanted direction, realised speed; and the arrivals so far. It is
 * written and flushed at once, so that a run that dies leaves what it had logged. Cost: that of th_decisions_look in
 * each step.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/platform/file.h"
#include "throng/metrics.h"

struct th_run_log {
  th_env env;
  FILE *file;
  char path[1024];
  double every, next; /* [s] */
  float reach;
  uint64_t steps; /* when the last line was written */
  double phase[TH_PHASE_COUNT];
  th_decisions interval;
};

th_run_log_def th_default_run_log_def(void) { return (th_run_log_def){.every = 1.0, .reach = 2.0f}; }

static th_result fail_writing(const th_run_log *log, th_error *error) {
  return th_fail(error, TH_ERROR_FILE, log->path, "cannot write the log: %s", strerror(errno));
}

static th_result write_head(th_run_log *log, th_error *error) {
  fprintf(log->file, "time_s,agents,arrived,steps_per_s");
  for (int i = 0; i < TH_PHASE_COUNT; i++) fprintf(log->file, ",%s_ms", th_phase_name((th_phase)i));
  fprintf(log->file, ",neighbours,deviation_deg,speed_ratio,nearest_ratio,arrival_mean_s,path_mean_m\n");
  return fflush(log->file) ? fail_writing(log, error) : TH_OK;
}

th_result th_run_log_make(const th_run_log_def *def, th_run_log **log, th_error *error) {
  if (!(def->every > 0.0) || !(def->reach >= 0.0f && def->reach <= 1000.0f))
    return th_fail(error, TH_ERROR_RANGE, "run log",
                   "expected an interval above 0 s and a reach of 0 to 1000 m, found %g and %g", def->every,
                   (double)def->reach);
  if (!def->path) return th_fail(error, TH_ERROR_RANGE, "run log", "expected a path, found none");
  th_env env = th_env_complete(&def->env);
  th_run_log *made = TH_TAKE(&env.allocator, th_run_log, 1);
  if (!made) return th_fail_memory(error, "run log");
  made->env = env;
  made->every = made->next = def->every;
  made->reach = def->reach;
  snprintf(made->path, sizeof made->path, "%s", def->path);
  made->file = th_file_stream(def->path, "wb");
  th_result result = made->file ? write_head(made, error) : fail_writing(made, error);
  if (result == TH_OK)
    *log = made;
  else
    th_run_log_free(made);
  return result;
}

void th_run_log_free(th_run_log *log) {
  if (!log) return;
  th_allocator allocator = log->env.allocator;
  if (log->file) fclose(log->file);
  TH_GIVE(&allocator, log, 1);
}

th_result th_run_log_advice(th_run_log *log, const th_world *world, th_error *error) {
  return th_decisions_look(&log->interval, world, log->reach, error);
}

/* An empty field where nothing was measured. */
static void put(FILE *file, double value) {
  if (isfinite(value))
    fprintf(file, ",%.6g", value);
  else
    fprintf(file, ",");
}

static void write_line(th_run_log *log, const th_world *world, const th_summary *sum) {
  const th_decisions *d = &log->interval;
  double phase[TH_PHASE_COUNT], all = 0.0, steps = (double)(th_world_step_count(world) - log->steps);
  th_world_profile(world, phase);
  for (int i = 0; i < TH_PHASE_COUNT; i++) all += phase[i] - log->phase[i];
  fprintf(log->file, "%.6g,%u,%u", th_world_time(world), th_world_agents(world).count, sum->arrived);
  put(log->file, steps / all);
  for (int i = 0; i < TH_PHASE_COUNT; i++) put(log->file, 1e3 * (phase[i] - log->phase[i]) / steps);
  put(log->file, d->neighbours / (double)d->paired);
  put(log->file, d->deviation / (double)d->samples);
  put(log->file, d->speed / (double)d->samples);
  put(log->file, d->nearest);
  put(log->file, sum->arrival_mean);
  put(log->file, sum->path_mean);
  fprintf(log->file, "\n");
  memcpy(log->phase, phase, sizeof phase);
}

th_result th_run_log_step(th_run_log *log, const th_world *world, const th_metrics *metrics, th_error *error) {
  return th_world_time(world) < log->next - 1e-9 ? TH_OK : th_run_log_flush(log, world, metrics, error);
}

th_result th_run_log_flush(th_run_log *log, const th_world *world, const th_metrics *metrics, th_error *error) {
  if (th_world_step_count(world) == log->steps) return TH_OK;
  const th_summary sum = th_metrics_summary(metrics);
  write_line(log, world, &sum);
  while (log->next <= th_world_time(world) + 1e-9) log->next += log->every;
  log->steps = th_world_step_count(world);
  log->interval = (th_decisions){0};
  return fflush(log->file) || ferror(log->file) ? fail_writing(log, error) : TH_OK;
}
