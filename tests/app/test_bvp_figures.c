/* tests/app/test_bvp_figures.c - what the planner's figures show: worlds, trails, local maps with zones and arrows,
 * windows, rings of sub-goals, fields. They are SVG: what is drawn can be counted. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/unit.h"
#include "throng/figure.h"
#include "throng/relax.h"

/* what fontconfig keeps until the process ends is no leak of ours */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libfontconfig"; }

#ifndef TH_PROGRAM
#define TH_PROGRAM "build/release/throng"
#endif

static char folder[] = "/tmp/throng-figures-XXXXXX";
static char text[4u << 20];

static int make_folder(void **state) {
  (void)state;
  return mkdtemp(folder) ? 0 : -1;
}

static int drop_folder(void **state) {
  (void)state;
  char command[96];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  return system(command);
}

static void slurp(const char *name) {
  char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  size_t n = fread(text, 1, sizeof text - 1, file);
  text[n] = '\0';
  fclose(file);
}

static void draw(const char *id) {
  char command[512], name[32];
  snprintf(command, sizeof command, "'" TH_PROGRAM "' reproduce bvp.%s --out %s --quiet", id, folder);
  assert_int_equal(system(command), 0);
  snprintf(name, sizeof name, "%s.svg", id);
  slurp(name);
}

static uint32_t count(const char *word) {
  uint32_t n = 0;
  for (const char *at = text; (at = strstr(at, word)); at += strlen(word)) n++;
  return n;
}

static uint32_t drawn(const char *kind) {
  char word[64];
  snprintf(word, sizeof word, "class=\"%s\"", kind);
  return count(word);
}

/* Both maps of E06: 56 cells of border of which three are the local goal, one free ring in the first, people as blocked
 * cells, the agent's cell; a global gradient each, and a local one where the goal is not cut off. */
/* shows: BVP-87, BVP-88 */
static void local_maps(void **state) {
  (void)state;
  draw("E06");
  assert_int_equal(drawn("border"), 2 * (56 - 3));
  assert_int_equal(drawn("local-goal"), 2 * 3);
  assert_int_equal(drawn("own-cell"), 2);
  assert_int_equal(drawn("free"), 4 * 12);
  assert_int_equal(drawn("blocked"), 11 + 2 * 13);
  assert_int_equal(drawn("global-gradient"), 2);
  assert_int_equal(drawn("local-gradient"), 1);
  assert_int_equal(drawn("window"), 2);
  draw("E07");
  assert_int_equal(drawn("v"), 1);
  assert_int_equal(drawn("window"), 1);
}

/* The world of E07: two agents with heading, trail and name, two goals with theirs; E06 has people who stand. */
/* shows: BVP-83, BVP-84 */
static void worlds_and_trails(void **state) {
  (void)state;
  draw("E07");
  assert_int_equal(drawn("agent"), 2);
  assert_int_equal(drawn("heading"), 2);
  assert_int_equal(drawn("trail"), 2);
  assert_int_equal(drawn("goal"), 2);
  assert_int_equal(count(">a1<") + count(">a2<") + count(">o1<") + count(">o2<"), 4);
  const char *trail = strstr(text, "class=\"trail\"");
  assert_non_null(trail);
  uint32_t points = 0;
  for (const char *at = strstr(trail, "points=\"") + 8; *at != '"'; at++) points += *at == ',';
  assert_true(points > 100); /* every step of the way */
  draw("E06");
  assert_int_equal(drawn("agent"), 2 * 16);
}

/* shows: BVP-89 */
static void rings_of_sub_goals(void **state) {
  (void)state;
  draw("E05");
  assert_true(drawn("ring") >= 21 * 2); /* 21 rings, several rows each */
  assert_true(drawn("flat") > 100);
  assert_int_equal(drawn("goal"), 1);
  assert_int_equal(drawn("trail"), 1);
}

typedef struct pick {
  const th_relaxation *field;
  bool values, directions;
} pick;

static bool field_at(void *user, float x, float y, double *value, th_vec2 *direction) {
  const pick *p = user;
  if (!(x >= 0.0f && y >= 0.0f)) return false;
  uint32_t i = (uint32_t)x, j = (uint32_t)y;
  if (th_relaxation_tile(p->field, i, j) == TH_TILE_WALL) return false;
  double gx, gy;
  th_relaxation_descent(p->field, i, j, &gx, &gy);
  double modulus = hypot(gx, gy);
  *value = p->values ? log10(th_relaxation_u(p->field, i, j)) : 1.0;
  *direction = (th_vec2){0.0f, 0.0f};
  if (p->directions && modulus > 0.0) *direction = (th_vec2){(float)(gx / modulus), (float)(gy / modulus)};
  return true;
}

static size_t field_figure(const th_relaxation *field, uint32_t side, bool values, bool directions) {
  char path[128], wkt[128];
  pick p = {field, values, directions};
  th_plot_field plot = {field_at, &p, "log u"};
  th_floor_plan plan = {0};
  snprintf(wkt, sizeof wkt, "POLYGON ((0 0, %u 0, %u %u, 0 %u, 0 0))", side, side, side, side);
  assert_int_equal(th_floor_plan_from_wkt(NULL, wkt, &plan, NULL), TH_OK);
  th_figure_def def = th_default_figure_def();
  def.width = 600;
  def.plan = &plan;
  def.field = &plot;
  snprintf(path, sizeof path, "%s/field.svg", folder);
  assert_int_equal(th_figure_write(&def, path, NULL), TH_OK);
  th_floor_plan_free(&plan);
  slurp("field.svg");
  return count("<path");
}

/* A local map and a shared one: directions add lines with arrows, and they are those of unit vectors; values that vary
 * add isolines. */
/* shows: BVP-85, BVP-86 */
static void fields_of_any_map(void **state) {
  (void)state;
  for (uint32_t side = 15; side <= 45; side += 30) {
    static uint8_t cell[45 * 45];
    memset(cell, TH_TILE_WALL, sizeof cell);
    for (uint32_t j = 1; j + 1 < side; j++) memset(cell + j * side + 1, TH_TILE_FREE, side - 2);
    if (side > 15)
      for (uint32_t j = 20; j < 26; j++) memset(cell + j * side + 15, TH_TILE_WALL, 10);
    for (uint32_t j = side / 2 - 1; j <= side / 2 + 1; j++) cell[j * side + side - 1] = TH_TILE_GOAL;
    const th_grid grid = {side, side, cell};
    th_relax_def def = th_default_relax_def();
    th_relaxation *field = NULL;
    assert_int_equal(th_relaxation_make(NULL, &def, &grid, &field, NULL), TH_OK);
    th_relaxation_converge(field);
    size_t none = field_figure(field, side, false, false), arrows = field_figure(field, side, false, true);
    size_t potential = field_figure(field, side, true, false);
    if (!(arrows > none + 10 && potential > none + 3))
      fail_msg("side %u: %zu paths, %zu with directions, %zu with values", side, none, arrows, potential);
    th_relaxation_free(field);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(local_maps),
      cmocka_unit_test(worlds_and_trails),
      cmocka_unit_test(rings_of_sub_goals),
      cmocka_unit_test(fields_of_any_map),
  };
  return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
