/* tests/lab/test_bvp_figures.c - what the planner's figures show: worlds, trails, local maps with zones and arrows,
 * windows, rings of sub-goals, fields. They are SVG: what is drawn can be counted. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/folder.h"
#include "support/unit.h"

#ifndef TH_LAB_PROGRAM
#define TH_LAB_PROGRAM "build/release/throng_lab"
#endif

static char text[4u << 20];

static void slurp(const char *name) {
  FILE *file = fopen(in_folder(name), "r");
  assert_non_null(file);
  size_t n = fread(text, 1, sizeof text - 1, file);
  text[n] = '\0';
  fclose(file);
}

static void draw(const char *id) {
  char command[512], name[32];
  snprintf(command, sizeof command, "'" TH_LAB_PROGRAM "' reproduce bvp.%s --out %s --quiet", id, folder);
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

/* ---------------------------------------------------------------- fields */

/* A map whose field is relaxed here in plain code: u on a grid, walls 0, goals 1, eps v as printed. */
typedef struct plain_map {
  int w, h;
  bool open[40 * 30];
  double u[40 * 30], ex, ey;
} plain_map;

static void plain_fill(plain_map *m, int i0, int j0, int i1, int j1, bool open, double u) {
  for (int j = j0; j < j1; j++)
    for (int i = i0; i < i1; i++) m->open[j * m->w + i] = open, m->u[j * m->w + i] = u;
}

/* Gauss-Seidel in the four orders in turn. */
static void plain_relax(plain_map *m, int sweeps) {
  for (int k = 0; k < sweeps; k++)
    for (int b = 0; b < m->h; b++)
      for (int a = 0; a < m->w; a++) {
        int i = k & 1 ? m->w - 1 - a : a, j = k & 2 ? m->h - 1 - b : b;
        double *at = &m->u[j * m->w + i];
        if (!m->open[j * m->w + i]) continue;
        *at = (at[1] + at[-1] + at[m->w] + at[-m->w]) / 4 +
              ((at[1] - at[-1]) * m->ex + (at[m->w] - at[-m->w]) * m->ey) / 8;
      }
}

/* The drawing of one field, from its first block on: shades cell by cell, then the arrows, against the map. */
static const char *compare_field(const char *at, const plain_map *m) {
  double least = 0.0, length = 0.0;
  uint32_t cells = 0, arrows = 0;
  for (int c = 0; c < m->w * m->h; c++)
    if (m->open[c] && m->u[c] > 0.0) least = fmin(least, log10(m->u[c]));
  double x0 = 0.0, y0 = 0.0, size = 0.0;
  for (int c = 0; c < m->w * m->h; c++) {
    char kind[16];
    unsigned shade;
    double x, y, side;
    at = strstr(at, "<rect class=");
    assert_non_null(at);
    assert_int_equal(sscanf(at, "<rect class=\"%15[a-z]\" x=\"%lf\" y=\"%lf\" width=\"%lf\"", kind, &x, &y, &side), 4);
    if (c == 0) x0 = x, y0 = y + side, size = side;
    assert_true(fabs(x - x0 - size * (c % m->w)) < 4.0 && fabs(y0 - size * (c / m->w + 1) - y) < 4.0);
    assert_string_equal(kind, m->open[c] ? "potential" : "fixed");
    assert_int_equal(sscanf(strstr(at, "fill=\"#") + 7, "%2x", &shade), 1);
    if (m->open[c] && fabs(shade - 255.0 * (1.0 - log10(m->u[c]) / least)) > 1.01)
      fail_msg("cell %d: shade %u for u = %g of 1e%g", c, shade, m->u[c], least);
    cells += m->open[c];
    at++;
  }
  at = strstr(at, "class=\"directions\"");
  assert_non_null(at);
  const char *end = strstr(at, "/>");
  for (at = strstr(at, " d=\"") + 4; at && at < end && *at == 'M'; arrows++) {
    double x, y, dx, dy, hx, hy;
    int used;
    assert_int_equal(sscanf(at, "M%lf %lfl%lf %lfl%lf %lf%n", &x, &y, &dx, &dy, &hx, &hy, &used), 6);
    int i = (int)((x + 0.5 * dx - x0) / size), j = (int)((y0 - y - 0.5 * dy) / size), c = j * m->w + i;
    if (i >= m->w) i = m->w - 1;
    assert_true(c >= 0 && c < m->w * m->h && m->open[c]);
    double gx = m->u[c + 1] - m->u[c - 1], gy = m->u[c + m->w] - m->u[c - m->w];
    double off = remainder(atan2(-dy, dx) - atan2(gy, gx), 6.283185307179586);
    if (fabs(off) > 0.01) fail_msg("cell %d %d: an arrow %g rad off", i, j, off);
    length = arrows ? length : hypot(dx, dy);
    assert_true(fabs(hypot(dx, dy) - length) < 0.02 && length > 0.5 * size);
    at += used;
  }
  assert_int_equal(arrows, cells);
  return end;
}

/* Local maps of E15 for six vectors, and the shared map of E01: the program draws the potential of every cell and the
 * direction there, normalised, as plain code finds them. */
/* shows: BVP-85, BVP-86 */
static void fields_of_any_map(void **state) {
  (void)state;
  static const double v[6][2] = {{0, 0}, {0, 1}, {1, 0}, {-1, 0}, {0.7, -0.7}, {-0.7, -0.7}};
  static plain_map m;
  draw("E15");
  const char *at = text;
  for (int k = 0; k < 6; k++) {
    m = (plain_map){.w = 15, .h = 15, .ex = 0.7 * v[k][0], .ey = 0.7 * v[k][1]};
    plain_fill(&m, 1, 1, 14, 14, true, 0.0);
    plain_fill(&m, 14, 6, 15, 9, false, 1.0);
    plain_relax(&m, 30);
    at = compare_field(at, &m);
  }
  draw("E01");
  m = (plain_map){.w = 36, .h = 26};
  plain_fill(&m, 1, 1, 35, 25, true, 0.0);
  plain_fill(&m, 9, 7, 13, 18, false, 0.0);
  plain_fill(&m, 18, 1, 21, 9, false, 0.0);
  plain_fill(&m, 19, 16, 28, 20, false, 0.0);
  plain_fill(&m, 30, 4, 33, 7, false, 1.0);
  plain_relax(&m, 4000);
  compare_field(text, &m);
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
