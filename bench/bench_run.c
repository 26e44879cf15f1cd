/* bench/bench_run.c - going back in a run: 100 steps of a crowd like `cross`, within a budget of snapshots.
 *
 * One bare body of the model orca per square metre, neighbours walk against each other. The run keeps at most 64 MB;
 * what is timed is th_run_go_to, 100 steps back from step 400 and from later ones, which lie differently between
 * snapshots: a restore, and the steps from the snapshot on.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "throng/run.h"

enum { SIDE = 100, STEPS = 400, BACK = 100, ROUNDS = 5, APART = 7, BUDGET = 64 << 20 };

static size_t add_population(char *text, size_t used, const char *name, const char *goal, int odd) {
  used += (size_t)sprintf(text + used,
                          "%s{\"name\": \"%s\", \"people\": false, \"route\": [\"%s\"], \"remove\": false, "
                          "\"positions\": [",
                          odd ? ", " : "", name, goal);
  for (int i = 0, n = 0; i < SIDE * SIDE; i++) {
    const int x = i % SIDE, y = i / SIDE;
    if ((x + y) % 2 == odd) used += (size_t)sprintf(text + used, "%s[%d, %d]", n++ ? "," : "", x, y);
  }
  return used + (size_t)sprintf(text + used, "]}");
}

static char *scene_text(void) {
  char *text = malloc((size_t)1 << 20);
  if (!text) return NULL;
  size_t used = (size_t)sprintf(text,
                                "{\"version\": 1, \"name\": \"cross\", \"duration\": 1000, \"ground\": {\"cell\": 0.5, "
                                "\"outline\": [{\"rectangle\": [[-30, -5], [130, 105]]}]}, \"goals\": ["
                                "{\"name\": \"east\", \"line\": [[128, 0], [128, 100]]}, "
                                "{\"name\": \"west\", \"line\": [[-28, 0], [-28, 100]]}], \"populations\": [");
  used = add_population(text, used, "left", "east", 0);
  used = add_population(text, used, "right", "west", 1);
  sprintf(text + used, "]}");
  return text;
}

static th_run *open_run(th_scene **scene) {
  char *text = scene_text();
  th_run *run = NULL;
  th_error error = {0};
  if (text && th_scene_parse(text, strlen(text), scene, &error) == TH_OK) {
    th_run_def def = th_default_run_def();
    def.scene = *scene;
    def.history = BUDGET;
    (void)th_run_make(&def, &run, &error);
  }
  if (!run) fprintf(stderr, "bench run: %s\n", error.text);
  free(text);
  return run;
}

void th_bench_run(th_bench *bench);

void th_bench_run(th_bench *bench) {
  if (!th_bench_wants(bench, "run.back.10000")) return;
  th_scene *scene = NULL;
  th_run *run = open_run(&scene);
  double seconds[ROUNDS];
  bool good = run != NULL;
  for (int k = 0; k < ROUNDS && good; k++) {
    const uint64_t from = STEPS + (uint64_t)k * APART;
    good = th_run_go_to(run, from, NULL) == TH_OK;
    const double begin = th_bench_now();
    good = good && th_run_go_to(run, from - BACK, NULL) == TH_OK;
    seconds[k] = th_bench_now() - begin;
  }
  if (good) th_bench_report(bench, "run.back.10000", th_bench_median(seconds, ROUNDS), "s");
  th_run_free(run);
  th_scene_free(scene);
}
