/* base/number.h - numbers from text and to text, the same in every locale. */
#ifndef TH_BASE_NUMBER_H
#define TH_BASE_NUMBER_H

#include <stdbool.h>

/* Reads a decimal number such as "-1.5e-3" at *text and moves *text behind it; false, with nothing changed, when there
 * is none. No leading space, no hexadecimal, no "nan" or "inf"; too large a number gives an infinity. Up to 15
 * digits, the last between the places 10^-22 and 10^22, are correctly rounded; others are within 8 ulp of double. */
bool th_number_read(const char **text, double *value);

#define TH_NUMBER_ROOM 40

/* Shortest decimal that reads back to the same bits, of a float also through a double. Not finite: "nan", "inf",
 * "-inf". */
const char *th_number_of_float(char buffer[TH_NUMBER_ROOM], float value);
const char *th_number_of_double(char buffer[TH_NUMBER_ROOM], double value);

#endif
