/* tests/whole/test_golden.c - the results of every scene and of every crowd of bench/workloads.h stay what
 * tests/whole/golden.txt says, to the last bit, on every instruction set of this machine, with one worker or two.
 *
 * A change that should not change results thus shows that it does not. A line of the file is
 *
 *   NAME STEPS HASH EARLY      hashes after STEPS steps and after GOLDEN_EARLY, in hexadecimal
 *
 * and a hash is that of place, velocity, heading and state of all agents in the order of their ids, all read from
 * th_world_agents(): it does not depend on how a world keeps its agents. NAME is a scene under scenes/ without .json,
 * matrix/ one of those that tools/make_matrix makes, or crowd/MODEL_GROUND_WORKLOAD. Builds with sanitizers stop at the
 * early hash, and each instruction set runs a third of the lines there. UPDATE=1 writes the file again: it keeps the
 * steps of each line, gives new names USUAL_STEPS, or fewer when all agents have left by then, and drops lines that
 * name nothing. Runs take turns with one and two workers, the other way round on the next instruction set. TIMES=1
 * prints the seconds of each run.
 * GOLDEN=early stops at the early hash, and GOLDEN_PART=1/3 runs the first of every three lines:
 * for processors that are emulated.
 */
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "support/golden.h"
#include "support/golden_crowds.h"
#include "support/slow.h"
#include "support/worlds.h"
#include "throng/scene.h"

enum { USUAL_STEPS = 200 };

static golden_line *add_line(golden_lines *all, const char *name) {
  assert_true(all->count < GOLDEN_MAX_LINES && strlen(name) < sizeof all->line[0].name);
  golden_line *l = &all->line[all->count++];
  *l = (golden_line){.steps = USUAL_STEPS};
  strcpy(l->name, name);
  return l;
}

static const golden_line *find_line(const golden_lines *all, const char *name) {
  for (uint32_t i = 0; i < all->count; i++)
    if (!strcmp(all->line[i].name, name)) return &all->line[i];
  return NULL;
}

/* ---------------------------------------------------------------- what is run */

/* All that must have a line, with USUAL_STEPS and no hashes. */
static void find_runs(golden_lines *runs) {
  static const struct {
    const char *pattern;
    size_t before; /* the name */
  } set[] = {{"scenes/*.json", sizeof "scenes"},
             {TH_MATRIX "/*.json", sizeof TH_MATRIX - sizeof "matrix"},
             {"scenes/steering/*.json", sizeof "scenes"},
             {"scenes/biocrowds/*.json", sizeof "scenes"}};
  runs->count = 0;
  for (size_t s = 0; s < sizeof set / sizeof *set; s++) {
    glob_t found;
    assert_int_equal(glob(set[s].pattern, 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
      char name[64];
      const char *path = found.gl_pathv[i] + set[s].before;
      if (!strcmp(path, "schema.json")) continue;
      assert_true(strlen(path) < sizeof name);
      snprintf(name, sizeof name, "%.*s", (int)(strlen(path) - strlen(".json")), path);
      add_line(runs, name);
    }
    globfree(&found);
  }
  for (uint32_t i = 0; i < GOLDEN_CROWDS; i++) {
    char name[64];
    golden_crowd_name(i, name);
    add_line(runs, name);
  }
}

/* ---------------------------------------------------------------- runs */

typedef struct way { /* of running it */
  th_simd simd;
  uint32_t workers;
} way;

typedef struct player {
  th_scene *scene; /* NULL: a crowd */
  th_run *run;
  th_workload_world crowd;
  th_world *world;
} player;

static void open_player(player *p, const char *name, way w) {
  char path[512];
  memset(p, 0, sizeof *p);
  if (golden_is_crowd(name)) {
    if (!golden_crowd_make(&p->crowd, name, w.simd, w.workers)) fail_msg("%s cannot be made", name);
    p->world = p->crowd.world;
    return;
  }
  golden_scene_path(name, TH_MATRIX, path, sizeof path);
  OK(th_scene_load(path, &p->scene, &error));
  th_run_def def = {.scene = p->scene, .workers = w.workers, .simd = w.simd};
  OK(th_run_make(&def, &p->run, &error));
  p->world = th_run_world(p->run);
}

static void close_player(player *p) {
  if (p->scene) {
    th_run_free(p->run);
    th_scene_free(p->scene);
  } else {
    th_workload_world_free(&p->crowd);
  }
}

/* Fills the hashes of `l`; the later one only when the run is `whole`. False when all agents have left: a hash of
 * nobody shows nothing. */
static bool play(golden_line *l, way w, bool whole) {
  player p;
  clock_t begin = clock();
  open_player(&p, l->name, w);
  for (uint32_t step = 1; step <= (whole ? l->steps : GOLDEN_EARLY); step++) {
    if (p.run)
      OK(th_run_step(p.run, &error));
    else
      th_world_step(p.world);
    if (step == GOLDEN_EARLY) l->early = golden_hash(p.world);
  }
  if (whole) l->hash = golden_hash(p.world);
  bool somebody = th_world_agents(p.world).count > 0;
  close_player(&p);
  if (getenv("TIMES"))
    print_message("%-40s %-6s %6.2f s\n", l->name, th_simd_name(w.simd), (double)(clock() - begin) / CLOCKS_PER_SEC);
  return somebody;
}

/* ---------------------------------------------------------------- the file */

static void read_file(golden_lines *golden) {
  const uint32_t wrong = golden_read(golden);
  if (wrong) fail_msg("%s:%u: expected NAME STEPS HASH EARLY", GOLDEN_FILE, wrong);
  for (uint32_t i = 0; i < golden->count; i++) {
    const golden_line *l = &golden->line[i];
    if (find_line(golden, l->name) != l) fail_msg("%s: a second line for %s", GOLDEN_FILE, l->name);
    if (l->steps < GOLDEN_EARLY) fail_msg("%s: expected %d steps or more for %s", GOLDEN_FILE, GOLDEN_EARLY, l->name);
  }
}

static void write_file(const golden_lines *runs) {
  FILE *file = fopen(GOLDEN_FILE, "w");
  assert_non_null(file);
  fprintf(file, "# Results of runs, see tests/whole/test_golden.c: NAME STEPS HASH EARLY (after %d steps).\n",
          GOLDEN_EARLY);
  fprintf(file, "# Written by UPDATE=1 build/release/tests/test_golden; only STEPS may be changed by hand.\n");
  for (uint32_t i = 0; i < runs->count; i++) {
    const golden_line *l = &runs->line[i];
    fprintf(file, "%s %" PRIu32 " %016" PRIx64 " %016" PRIx64 "\n", l->name, l->steps, l->hash, l->early);
  }
  assert_int_equal(fclose(file), 0);
}

static th_simd widest_set(void) {
  th_simd simd = TH_SIMD_AVX512;
  while (!th_simd_has(simd)) simd--;
  return simd;
}

static void update_file(void) {
  golden_lines golden, runs;
  read_file(&golden);
  find_runs(&runs);
  for (uint32_t i = 0; i < runs.count; i++) {
    const golden_line *old = find_line(&golden, runs.line[i].name);
    if (old) runs.line[i].steps = old->steps;
    while (!play(&runs.line[i], (way){widest_set(), 1}, true)) {
      runs.line[i].steps /= 2;
      if (runs.line[i].steps < GOLDEN_EARLY) fail_msg("%s: all agents leave at once", runs.line[i].name);
    }
  }
  write_file(&runs);
}

/* ---------------------------------------------------------------- tests */

static void every_run_has_a_line_and_every_line_a_run(void **state) {
  (void)state;
  golden_lines golden, runs;
  uint32_t wrong = 0;
  if (getenv("UPDATE")) update_file();
  read_file(&golden);
  find_runs(&runs);
  for (uint32_t i = 0; i < runs.count; i++)
    if (!find_line(&golden, runs.line[i].name))
      wrong++, print_error("%s has no line in %s\n", runs.line[i].name, GOLDEN_FILE);
  for (uint32_t i = 0; i < golden.count; i++)
    if (!find_line(&runs, golden.line[i].name))
      wrong++, print_error("%s: %s is neither a scene nor a crowd\n", GOLDEN_FILE, golden.line[i].name);
  if (wrong) fail_msg("UPDATE=1 build/release/tests/test_golden writes %s again", GOLDEN_FILE);
}

typedef struct comparison {
  const golden_line *golden;
  way way;
  uint32_t steps;
  uint64_t expected, found;
} comparison;

static bool differs(const comparison *c) {
  if (c->expected == c->found) return false;
  print_error("%s after %u steps on %s with %u workers: expected %016" PRIx64 ", found %016" PRIx64 "\n",
              c->golden->name, c->steps, th_simd_name(c->way.simd), c->way.workers, c->expected, c->found);
  return true;
}

static bool is_whole(void) {
  const char *wish = getenv("GOLDEN");
  return !SLOW_BUILD && (!wish || strcmp(wish, "early") != 0);
}

static bool in_part(uint32_t number) {
  const char *wish = getenv("GOLDEN_PART");
  uint32_t part = 1, parts = 1;
  if (wish && (sscanf(wish, "%" SCNu32 "/%" SCNu32, &part, &parts) != 2 || part < 1 || part > parts))
    fail_msg("GOLDEN_PART: expected a part such as 1/3, found %s", wish);
  return number % parts == part - 1;
}

static void results_are_golden(void **state) {
  const th_simd simd = *(const th_simd *)*state;
  golden_lines golden;
  uint32_t wrong = 0;
  if (!th_simd_has(simd)) skip();
  read_file(&golden);
  for (uint32_t i = 0; i < golden.count; i++) {
    const golden_line *expected = &golden.line[i];
    if ((SLOW_BUILD && i % 3 != (uint32_t)simd % 3) || !in_part(i)) continue;
    way w = {simd, 1 + (i + (uint32_t)simd) % 2};
    golden_line found = *expected;
    if (!play(&found, w, is_whole())) fail_msg("%s: nobody is left", found.name);
    bool early = differs(&(comparison){expected, w, GOLDEN_EARLY, expected->early, found.early});
    wrong += early || differs(&(comparison){expected, w, expected->steps, expected->hash, found.hash});
  }
  if (wrong) fail_msg("%u of %u results changed; CONTRIBUTING.md says what to do", wrong, golden.count);
}

/* A hash that never changes would pass everything above. Where nobody moves, other models may well stand alike. */
/* Variants of one scene of steering may differ in an extension that nothing calls for there (pair_b and pair_c). */
static bool variants(const golden_line *a, const golden_line *b) {
  return !strncmp(a->name, "steering/", 9) && !strncmp(b->name, "steering/", 9) && a->early == b->early;
}

static void hashes_of_agents_that_move_differ(void **state) {
  (void)state;
  golden_lines golden;
  read_file(&golden);
  for (uint32_t i = 0; i < golden.count; i++) {
    const golden_line *a = &golden.line[i];
    for (uint32_t k = 0; k < i && a->hash != a->early; k++)
      if (a->hash == golden.line[k].hash && !variants(a, &golden.line[k]))
        fail_msg("%s and %s have the same hash", a->name, golden.line[k].name);
  }
}

int main(void) {
  static th_simd sets[] = {TH_SIMD_FOUR, TH_SIMD_AVX2, TH_SIMD_AVX512};
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_run_has_a_line_and_every_line_a_run),
      {"results_are_golden_on_four", results_are_golden, NULL, NULL, &sets[0]},
      {"results_are_golden_on_avx2", results_are_golden, NULL, NULL, &sets[1]},
      {"results_are_golden_on_avx512", results_are_golden, NULL, NULL, &sets[2]},
      cmocka_unit_test(hashes_of_agents_that_move_differ),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
