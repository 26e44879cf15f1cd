/* apps/throng/validation/page.h - results of validation as JSON, as a page and as figures. */
#ifndef TH_APPS_VALIDATION_PAGE_H
#define TH_APPS_VALIDATION_PAGE_H

#include "validation/lab.h"

/* What a test found for a model: readings, curves, and "published" and "ours", each "holds", "misses", "undecided" or
 * "none": the worst verdict of its readings. */
json_t *th_valid_result(const th_valid_test *test, const th_valid_lab *lab, double seconds);

/* Members of results: "" and NAN where there is none. */
const char *th_valid_text(const json_t *row, const char *key);
double th_valid_number(const json_t *row, const char *key);
/* The result of a test and a model; NULL: not run. */
json_t *th_valid_find(const json_t *all, const char *test, const char *model);

/* "1.6 to 2 /m/s", and "1.99 +- 0.03, n 20" of a reading. */
void th_valid_band(char *text, size_t size, const json_t *band, const char *unit);
void th_valid_measured(char *text, size_t size, const json_t *reading);

/* folder/validation/results.json: the results that are there with `fresh` in place of those of the same test and model.
 * The caller releases them. */
th_result th_valid_merge(const char *folder, const json_t *fresh, json_t **all, th_error *error);

/* folder/validation.md, and the figures beside it. */
th_result th_valid_page(const char *folder, const json_t *all, th_error *error);
th_result th_valid_figures(const char *folder, const json_t *all, th_error *error);

/* The figures that there are: name, title, axes, and a published curve. */
typedef struct th_valid_figure {
  const char *name, *title, *x, *y, *published; /* published: name of the curve, NULL = none */
  double (*curve)(double x);
  double low, high; /* of the published curve */
} th_valid_figure;
extern const th_valid_figure th_valid_figure_list[];

#endif
