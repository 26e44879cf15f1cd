/* tests/report/test_curves.c - figures of curves are drawn; numbers that cannot be are refused. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/pictures.h"
#include "support/unit.h"
#include "throng/figure.h"

static void curves_are_drawn(void **state) {
  (void)state;
  const double x[3] = {0, 1, 2}, y[3] = {1.3, 1.0, 0.6};
  th_plotted_curve curve[2] = {{"published", x, y, 3, true}, {"measured", x, y, 3, false}};
  th_curves_figure_def def = th_default_curves_figure_def();
  def.title = "Speed over density", def.x = "people per m2", def.y = "m/s";
  def.curve = curve, def.count = 2, def.width = 500;
  const char *path = in_folder("curves.png");
  th_error error = {0};
  assert_int_equal(th_curves_figure_write(&def, path, &error), TH_OK);
  struct stat about;
  assert_true(stat(path, &about) == 0 && about.st_size > 2000);
}

static void wrong_curves_are_refused(void **state) {
  (void)state;
  const double x[2] = {0, NAN}, y[2] = {1, -1};
  th_plotted_curve curve = {"bad", x, y, 2, false};
  th_curves_figure_def def = th_default_curves_figure_def();
  th_error error = {0};
  assert_int_equal(th_curves_figure_write(&def, "/tmp/none.png", &error), TH_ERROR_STATE);
  def.curve = &curve, def.count = 1;
  assert_int_equal(th_curves_figure_write(&def, "/tmp/none.png", &error), TH_ERROR_RANGE);
  curve.x = curve.y = y;
  assert_int_equal(th_curves_figure_write(&def, "/tmp/none.png", &error), TH_ERROR_RANGE);
  def.width = 1;
  assert_int_equal(th_curves_figure_write(&def, "/tmp/none.png", &error), TH_ERROR_RANGE);
  assert_non_null(strstr(error.text, "pixels"));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(curves_are_drawn), cmocka_unit_test(wrong_curves_are_refused)};
  return cmocka_run_group_tests(tests, make_folder, drop_pictures);
}
