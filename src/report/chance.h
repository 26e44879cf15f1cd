/* report/chance.h - how likely chance alone is to make a difference of means. */
#ifndef TH_REPORT_CHANCE_H
#define TH_REPORT_CHANCE_H

#include <stdbool.h>
#include <stdint.h>

/* The probability that Student's t with `freedom` degrees, 1 or more, is farther from 0 than t. */
double th_chance_student(double t, uint32_t freedom);

/* Of `count` numbers that were tested together, with the chance of each: which differ, so that the probability to name
 * even one that does not is at most `level`. A chance of NAN was not tested. */
void th_chance_holm(const double *chance, uint32_t count, double level, bool *differs);

#endif
