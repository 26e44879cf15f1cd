/* apps/throng/validation/figure.c - curves of validation: one line per model, the published one in grey. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "validation/page.h"

static double weidmann(double rho) { return 1.34 * (1.0 - exp(-1.913 * (1.0 / rho - 1.0 / 5.4))); }
static double headway(double rho) { return fmin(1.34, fmax(0.0, (1.0 / rho - 0.36) / 1.06)); }
static double seyfried(double width) { return (1.61 + 0.9 * (width - 0.8)) * width; }
static double limit(double against) {
  if (against <= 10.0) return 55.0 + against;
  return against <= 50.0 ? 65.0 + 0.375 * (against - 10.0) : 80.0 + 0.6 * (against - 50.0);
}

const th_valid_figure th_valid_figure_list[] = {
    {"diagram", "Speed over density, one way", "people per m2", "m/s", "Weidmann 1993", weidmann, 0.25, 5.0},
    {"two-way", "Speed over density, two ways", "people per m2", "m/s", "Weidmann (one way)", weidmann, 0.25, 3.0},
    {"single-file", "Speed over density in single file", "people per m", "m/s", "Seyfried 2005", headway, 0.4, 2.2},
    {"bottleneck", "Flow of bottlenecks over their width", "m", "people per s", "Seyfried 2009", seyfried, 0.8, 1.2},
    {"counterflow", "100 against others through a corridor of 2 m: last arrival", "people against them", "s",
     "our limit", limit, 0.0, 100.0},
    {"counterflow-hills", "The same on hills", "people against them", "s", NULL, NULL, 0.0, 0.0},
    {"egress", "100 people leave by a door of 1 m", "s", "people out", NULL, NULL, 0.0, 0.0},
    {"egress-hills", "The same on hills", "s", "people out", NULL, NULL, 0.0, 0.0},
    {"house", "96 people leave three storeys: last arrival over their speed", "m/s", "s", NULL, NULL, 0.0, 0.0},
    {"room", "1000 people leave by four doors", "s", "people out", NULL, NULL, 0.0, 0.0},
    {0},
};

enum { MOST = 16, STEPS = 100 };

typedef struct drawn {
  th_plotted_curve curve[MOST + 1];
  double x[MOST + 1][TH_VALID_POINTS], y[MOST + 1][TH_VALID_POINTS];
  uint32_t count;
} drawn;

static void add_published(drawn *d, const th_valid_figure *f) {
  if (!f->curve) return;
  const uint32_t k = d->count++;
  for (uint32_t i = 0; i <= STEPS; i++) {
    d->x[k][i] = f->low + (f->high - f->low) * i / STEPS;
    d->y[k][i] = fmax(0.0, f->curve(d->x[k][i]));
  }
  d->curve[k] = (th_plotted_curve){f->published, d->x[k], d->y[k], STEPS + 1, true};
}

static void add(drawn *d, const json_t *curve) {
  const json_t *x = json_object_get(curve, "x"), *y = json_object_get(curve, "y");
  if (d->count == MOST + 1) return;
  const uint32_t k = d->count++;
  uint32_t n = 0;
  for (size_t i = 0; i < json_array_size(x) && n < TH_VALID_POINTS; i++, n++) {
    d->x[k][n] = fmax(0.0, json_number_value(json_array_get(x, i)));
    d->y[k][n] = fmax(0.0, json_number_value(json_array_get(y, i))); /* people who walk back on the whole: none */
  }
  d->curve[k] = (th_plotted_curve){json_string_value(json_object_get(curve, "name")), d->x[k], d->y[k], n, false};
}

static th_result draw(const char *folder, const json_t *all, const th_valid_figure *f, drawn *d, th_error *error) {
  char path[1024], name[64];
  size_t i, k;
  json_t *row, *curve;
  d->count = 0;
  add_published(d, f);
  const uint32_t before = d->count;
  json_array_foreach(all, i, row) json_array_foreach(
      json_object_get(row, "curves"), k,
      curve) if (!strcmp(json_string_value(json_object_get(curve, "figure")), f->name)) add(d, curve);
  if (d->count == before) return TH_OK;
  snprintf(name, sizeof name, "validation/%s.png", f->name);
  th_cli_join(path, sizeof path, folder, name);
  th_curves_figure_def def = th_default_curves_figure_def();
  def.title = f->title, def.x = f->x, def.y = f->y;
  def.curve = d->curve, def.count = d->count;
  return th_curves_figure_write(&def, path, error);
}

th_result th_valid_figures(const char *folder, const json_t *all, th_error *error) {
  drawn *d = malloc(sizeof *d);
  if (!d) return th_fail_memory(error, "figures");
  th_result result = TH_OK;
  for (const th_valid_figure *f = th_valid_figure_list; f->name && result == TH_OK; f++)
    result = draw(folder, all, f, d, error);
  free(d);
  return result;
}
