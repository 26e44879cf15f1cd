/* tests/whole/soak_plans.c - random floor plans with random crowds: does everybody leave?
 *
 *   soak_plans [--count N] [--seed S] [--model NAME] [--ground flat|mesh] [--field NAME] [--seconds S] [--jobs N]
 * [--out DIR] [--keep all|wrong]
 *
 * Runs the plans of seeds S, S + 1, ... each in a process of its own, so that a crash is the fault of one seed. A plan
 * that leaves people at its limit (support/plan_run.h), whose people have no path, or that is refused, is told with its
 * seed, and its scene is written to DIR to look at. `./dev soak --plans` is this program.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/plan_run.h"

enum { LIMIT = 1800, JOBS = 64 };

typedef struct options {
  uint64_t seed, count, jobs;
  double seconds; /* 0 = no limit */
  const char *out;
  bool keep; /* the scenes of all plans */
  plan_scene_def def;
} options;

/* What children add to. */
typedef struct totals {
  _Atomic uint64_t plans, people, left, plans_left, pathless, wrong;
} totals;

static bool take_word(options *o, const char *key, const char *value) {
  if (!strcmp(key, "--model"))
    o->def.model = value;
  else if (!strcmp(key, "--field"))
    o->def.field = value;
  else if (!strcmp(key, "--out"))
    o->out = value;
  else if (!strcmp(key, "--ground") && (!strcmp(value, "mesh") || !strcmp(value, "flat")))
    o->def.mesh = *value == 'm';
  else if (!strcmp(key, "--keep") && (!strcmp(value, "all") || !strcmp(value, "wrong")))
    o->keep = *value == 'a';
  else
    return false;
  return true;
}

static bool take_number(options *o, const char *key, const char *value) {
  char *end;
  const double number = strtod(value, &end);
  if (!*value || *end || !(number >= 0.0)) return false;
  if (!strcmp(key, "--seed"))
    o->seed = (uint64_t)number;
  else if (!strcmp(key, "--count"))
    o->count = (uint64_t)number;
  else if (!strcmp(key, "--jobs") && number >= 1.0 && number <= JOBS)
    o->jobs = (uint64_t)number;
  else if (!strcmp(key, "--seconds"))
    o->seconds = number;
  else
    return false;
  return true;
}

static bool read_options(options *o, int count, char **word) {
  for (int k = 1; k + 1 < count; k += 2)
    if (!take_word(o, word[k], word[k + 1]) && !take_number(o, word[k], word[k + 1])) return false;
  return count % 2 == 1;
}

/* ---------------------------------------------------------------- one plan */

static void name_scene(const options *o, uint64_t seed, char path[512]) {
  snprintf(path, 512, "%s/plan-%llu-%s%s%s.json", o->out, (unsigned long long)seed, o->def.mesh ? "mesh" : "flat",
           o->def.model ? "-" : "", o->def.model ? o->def.model : "");
}

/* The scene with the limit as its duration. */
static void keep_scene(const options *o, uint64_t seed, double limit) {
  char path[512];
  plan_scene_def def = o->def;
  def.duration = fmax(1.0, limit);
  name_scene(o, seed, path);
  char *text = plan_scene_text(seed, &def, NULL, NULL);
  mkdir(o->out, 0777);
  FILE *file = text ? fopen(path, "w") : NULL;
  if (!file || fputs(text, file) < 0) fprintf(stderr, "soak_plans: cannot write %s: %s\n", path, strerror(errno));
  if (file) fclose(file);
  free(text);
}

/* In a child. The exit code says whether all is well. */
static int run_seed(const options *o, uint64_t seed, totals *sum) {
  plan_result r;
  char path[512];
  const th_result result = plan_run(seed, o->def, &r);
  name_scene(o, seed, path);
  sum->plans++;
  sum->people += r.people;
  sum->left += r.left;
  sum->pathless += r.pathless;
  sum->plans_left += r.left > 0;
  sum->wrong += result || r.left || r.pathless;
  const bool good = !result && !r.left && !r.pathless;
  if (!good || o->keep) keep_scene(o, seed, r.limit);
  if (good) return 0;
  if (result)
    printf("plan %llu: refused: %s: %s", (unsigned long long)seed, r.error.where, r.error.text);
  else
    printf(
        "plan %llu: %u of %u people left after %.0f s, %u of them still for 60 s, first at (%.2f, %.2f, %.2f); "
        "longest walk %.0f s; %u without a path",
        (unsigned long long)seed, r.left, r.people, r.time, r.still, (double)r.first.x, (double)r.first.y,
        (double)r.first.z, r.walk, r.pathless);
  printf("; throng run %s --seed %llu\n", path, (unsigned long long)seed);
  fflush(stdout);
  return 1;
}

/* ---------------------------------------------------------------- all plans */

static void start_seed(const options *o, uint64_t seed, totals *sum, pid_t *child) {
  fflush(stdout);
  *child = fork();
  if (*child) return;
  setrlimit(RLIMIT_CPU, &(struct rlimit){LIMIT, LIMIT + 5});
  _exit(run_seed(o, seed, sum));
}

/* Waits for one child; a crash is told with its seed. */
static void end_seed(const options *o, pid_t *child, const uint64_t *seed, totals *sum) {
  int status = 0;
  pid_t ended;
  while ((ended = waitpid(-1, &status, 0)) < 0 && errno == EINTR) continue;
  for (uint64_t k = 0; k < o->jobs; k++) {
    if (ended < 0 || child[k] != ended) continue;
    child[k] = 0;
    if (!WIFSIGNALED(status)) continue;
    sum->wrong++;
    printf("plan %llu: ended by signal %d%s\n", (unsigned long long)seed[k], WTERMSIG(status),
           WTERMSIG(status) == SIGXCPU ? ", it took too long" : "");
    keep_scene(o, seed[k], 3600.0);
  }
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void run_all(const options *o, totals *sum) {
  pid_t child[JOBS] = {0};
  uint64_t seed[JOBS] = {0}, next = o->seed, busy = 0;
  const double begin = now();
  while (busy || next < o->seed + o->count) {
    const bool more = next < o->seed + o->count && (o->seconds <= 0.0 || now() - begin < o->seconds);
    if (!more && !busy) break;
    for (uint64_t k = 0; more && busy < o->jobs && k < o->jobs && next < o->seed + o->count; k++)
      if (!child[k]) seed[k] = next++, start_seed(o, seed[k], sum, &child[k]), busy++;
    end_seed(o, child, seed, sum), busy--;
  }
  printf(
      "%llu plans from seed %llu (next: --seed %llu), %llu people: %llu plans left people, %llu people in all, %llu "
      "without a path; %llu plans wrong, %.0f s\n",
      (unsigned long long)sum->plans, (unsigned long long)o->seed, (unsigned long long)next,
      (unsigned long long)sum->people, (unsigned long long)sum->plans_left, (unsigned long long)sum->left,
      (unsigned long long)sum->pathless, (unsigned long long)sum->wrong, now() - begin);
}

int main(int count, char **word) {
  options o = {.seed = 1, .count = 1000, .jobs = 2, .seconds = 60, .out = "out/plans"};
  if (!read_options(&o, count, word)) {
    fprintf(stderr,
            "usage: soak_plans [--count N] [--seed S] [--model NAME] [--ground flat|mesh] [--field NAME] "
            "[--seconds S] [--jobs N] [--out DIR] [--keep all|wrong]\n");
    return 2;
  }
  totals *sum = mmap(NULL, sizeof *sum, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (sum == MAP_FAILED) return fprintf(stderr, "soak_plans: out of memory\n"), 2;
  run_all(&o, sum);
  return sum->wrong || !sum->plans ? 1 : 0;
}
