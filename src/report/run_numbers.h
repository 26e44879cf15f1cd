/* report/run_numbers.h - the numbers of one run by their names, from its part of report.json. */
#ifndef TH_REPORT_RUN_NUMBERS_H
#define TH_REPORT_RUN_NUMBERS_H

#include <jansson.h>

/* A new object of names and numbers, null where nothing was measured: those of the summary, lines.NAME.flow and the
 * rest of each line, areas.NAME.density and the rest of each area. NULL: out of memory. */
json_t *th_run_numbers(const json_t *run);

/* Of several runs, an array of such objects: mean, standard deviation and half width of the 95 % interval of each
 * number of the first. */
json_t *th_run_numbers_over(const json_t *numbers);

/* One number of such an object; NAN when it was not measured. */
double th_run_number(const json_t *numbers, const char *name);

#endif
