/* apps/throng/drive/replay.c - `throng replay`: an episode run again, its hashes compared at its marks.
 *
 * An episode is a scene, so there is nothing to do but run it. The marks say what every machine, any number of workers
 * and any instruction set must find.
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "io/scene/scene.h"
#include "run.h"

typedef struct replay {
  const th_scene *scene;
  th_run *run;
  uint32_t next; /* mark */
  char found[24];
} replay;

/* Compares the marks of this step; false at one that differs. */
static bool compare(replay *r) {
  const uint64_t step = th_world_step_count(th_run_world(r->run));
  for (; r->next < r->scene->mark_count && r->scene->mark[r->next].step <= step; r->next++) {
    snprintf(r->found, sizeof r->found, "%016llx", (unsigned long long)th_world_hash(th_run_world(r->run)));
    if (r->scene->mark[r->next].step < step || strcmp(r->found, r->scene->mark[r->next].hash) != 0) return false;
  }
  return true;
}

static int tell(const th_options *options, const replay *r, bool same) {
  const th_scene_mark *mark = same ? NULL : &r->scene->mark[r->next];
  if (options->json)
    th_cli_print_json(json_pack("{s:s, s:i, s:i, s:b}", "episode", r->scene->path, "marks", (int)r->scene->mark_count,
                                "same", (int)r->next, "good", same));
  else if (same && !options->quiet)
    printf("%s: %u marks, all the same\n", r->scene->path, r->scene->mark_count);
  if (!same)
    fprintf(stderr, "%s: %s: step %u: expected the hash %.40s, found %s\n", th_this_program.name, r->scene->path,
            mark->step, mark->hash, r->found);
  return same ? TH_EXIT_OK : TH_EXIT_FAILED;
}

static int run_again(const th_options *options, replay *r) {
  th_error error = {0};
  const th_run_def def = {.scene = r->scene, .workers = options->workers, .simd = options->simd};
  th_result result = th_run_make(&def, &r->run, &error);
  bool same = result == TH_OK && compare(r);
  while (same && result == TH_OK && r->next < r->scene->mark_count && !th_cli_interrupted()) {
    result = th_run_step(r->run, &error);
    if (result == TH_OK) same = compare(r);
  }
  th_run_free(r->run);
  if (result != TH_OK) return th_cli_fail(&error, th_cli_code(result));
  return tell(options, r, same);
}

int th_command_replay(const th_options *options) {
  th_error error = {0};
  th_scene *scene;
  th_result result = th_cli_scene(options, options->argument[0], &scene, &error);
  if (result != TH_OK) return th_cli_fail(&error, th_cli_code(result));
  if (!scene->mark_count) {
    result = th_fail(&error, TH_ERROR_FORMAT, scene->path, "expected an episode with marks, found a scene without");
    th_scene_free(scene);
    return th_cli_fail(&error, th_cli_code(result));
  }
  th_cli_catch_interrupt();
  replay r = {.scene = scene};
  const int code = run_again(options, &r);
  th_scene_free(scene);
  return code;
}
