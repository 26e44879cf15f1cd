/* tests/lab/test_planarization_page.c - the page of planarization holds every table of the thesis, made with a commit.
 *
 * Five meshes with six crowds each, and maps and fields of five meshes, take minutes on a machine with nothing else to
 * do, so `./dev test` runs those of one mesh (test_planarization.c) and the others are written down by
 * lab/reproduce_page. Here the page is read: nothing is missing, nothing failed, and the
 * sizes of maps are those that the program has today (lab/pins.c), or the page is of another program. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/judge.h"
#include "support/unit.h"

enum { MESHES = 5, CROWDS = 6, LENGTH = 1 << 17 };

static const char *const mesh_name[MESHES] = {"bunny", "hepto", "ferti", "glob", "ball"};
static const char *const crowd_name[CROWDS] = {"20,160", "40,000", "60,000", "80,000", "100,000", "120,000"};
static char page[LENGTH];

static int read_page(void **state) {
  (void)state;
  FILE *file = fopen("lab/planarization.md", "r");
  if (!file) return -1;
  size_t length = fread(page, 1, sizeof page - 1, file);
  page[length] = 0;
  return fclose(file) || length + 1 == sizeof page ? -1 : 0;
}

/* The text of an experiment, from its heading to the next; it did not fail. */
static void find_section(const char *kind, const char *mesh, char *section, size_t size) {
  char heading[64];
  snprintf(heading, sizeof heading, "\n### %s-%s ", kind, mesh);
  const char *from = strstr(page, heading);
  if (!from) fail_msg("no section %s-%s", kind, mesh);
  const char *to = strstr(from + 5, "\n### ");
  size_t length = to ? (size_t)(to - from) : strlen(from);
  assert_true(length < size);
  memcpy(section, from, length);
  section[length] = 0;
  if (!strstr(section, "Verdict: **holds") && !strstr(section, "Verdict: **does not hold"))
    fail_msg("%s-%s neither holds nor differs as is known", kind, mesh);
}

/* The number that was measured in a row. */
static double measured(const char *section, const char *claim) {
  char row[96];
  snprintf(row, sizeof row, "\n| %s | ", claim);
  const char *at = strstr(section, row);
  if (!at) fail_msg("no row \"%s\"", claim);
  at += strlen(row);
  if (!isdigit((unsigned char)*at)) fail_msg("%s: no number", claim);
  return strtod(at, NULL);
}

static void the_page_has_its_commit(void **state) {
  (void)state;
  char commit[48] = "";
  const char *line = strstr(page, "\nFound with commit ");
  assert_non_null(line);
  assert_int_equal(sscanf(line, "\nFound with commit %47[0-9a-f].", commit), 1);
  assert_true(strlen(commit) >= 7 && line[19 + strlen(commit)] == '.'); /* not "-dirty", not "unknown" */
}

static void six_crowds_on_each_of_five_meshes(void **state) {
  (void)state;
  static char section[1 << 14];
  for (int m = 0; m < MESHES; m++) {
    double before = 0.0;
    find_section("crowd", mesh_name[m], section, sizeof section);
    for (int c = 0; c < CROWDS; c++) {
      char claim[64];
      snprintf(claim, sizeof claim, "%s agents: processor time of a step", crowd_name[c]);
      double time = measured(section, claim);
      if (!(time > before)) fail_msg("%s, %s agents: %g ms, %g with fewer", mesh_name[m], crowd_name[c], time, before);
      before = time;
    }
  }
}

static double pinned(const char *experiment, const char *claim) {
  for (const th_pin *pin = th_pins; pin->experiment; pin++)
    if (strcmp(pin->experiment, experiment) == 0 && strcmp(pin->claim, claim) == 0) return pin->value;
  fail_msg("%s: \"%s\" has no pin", experiment, claim);
  return NAN;
}

/* shows: PLAN-63 */
static void maps_and_fields_of_five_meshes(void **state) {
  (void)state;
  static const char *const claim[] = {"memory of all maps", "bytes of a map"};
  static char section[1 << 14];
  for (int m = 0; m < MESHES; m++) {
    char id[48];
    snprintf(id, sizeof id, "planarization.cost-%s", mesh_name[m]);
    find_section("cost", mesh_name[m], section, sizeof section);
    double map = measured(section, "time of a map"), field = measured(section, "time of a field");
    assert_true(map > 0.0 && map <= 0.02 && field > map);
    double bytes = measured(section, "memory of a field");
    assert_true(bytes >= 4.0 && bytes < 4.1 && measured(section, "memory of all fields") > 0.39);
    for (int k = 0; k < 2; k++)
      if (fabs(measured(section, claim[k]) / pinned(id, claim[k]) - 1.0) > 1e-3)
        fail_msg("%s, %s: the page has %g, the program %g: lab/reproduce_page PROGRAM planarization", mesh_name[m],
                 claim[k], measured(section, claim[k]), pinned(id, claim[k]));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_page_has_its_commit),
      cmocka_unit_test(six_crowds_on_each_of_five_meshes),
      cmocka_unit_test(maps_and_fields_of_five_meshes),
  };
  return cmocka_run_group_tests(tests, read_page, NULL);
}
