/* report/student.h - the quantile of Student's distribution (1908) for 95 % intervals of means of few runs. */
#ifndef TH_REPORT_STUDENT_H
#define TH_REPORT_STUDENT_H

#include <stdint.h>

/* t such that 95 % of Student's distribution with `freedom` degrees, 1 or more, lies within -t to t. */
static inline double th_student(uint32_t freedom) {
  static const double table[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                                 2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
                                 2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};
  const double n = freedom;
  if (freedom >= 1 && freedom <= 30) return table[freedom - 1];
  return 1.959964 + 2.3722 / n + 2.8225 / (n * n); /* Cornish-Fisher expansion of the quantile in 1 / n */
}

#endif
