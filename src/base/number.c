/* base/number.c - decimal numbers in the locale of nobody.
 *
 * The digits are gathered in a 64-bit integer and scaled once by a power of ten. Integers below 2^53 and powers up to
 * 10^22 are exact doubles, so their quotient or product is the correctly rounded number (Clinger, "How to read
 * floating point numbers accurately", 1990); parameters and coordinates are of that kind. Cost: about 20 ns.
 *
 * printf and strtod follow the locale of the host program, where the decimal point may be a comma; files must not. A
 * number is formatted with more and more digits in the host's locale and read back there until it has the same bits,
 * then it gets a decimal point. Six digits always suffice for what six digits said, so shorter forms need no try, but
 * for numbers below the normal ones, which have fewer. Cost: up to three formats per number.
 */
#include "base/number.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static double scale(double x, int power) {
  static const double ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                               1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  while (power > 22 && x != 0 && x < 1e300) x *= 1e22, power -= 22;
  while (power < -22 && x != 0) x /= 1e22, power += 22;
  if (x == 0) return 0;
  return power > 22 ? x * 1e22 * 1e300 : power >= 0 ? x * ten[power] : x / ten[-power];
}

/* Digits from *p into *sum; once 64 bits are full, further digits are only counted. Returns how many digits the sum
 * does not hold. */
static int read_digits(const char **p, uint64_t *sum, int *seen) {
  int skipped = 0;
  for (; is_digit(**p); ++*p) {
    if (*sum <= (UINT64_MAX - 9) / 10)
      *sum = *sum * 10 + (uint64_t)(**p - '0');
    else if (skipped < 100000)
      skipped++;
    if (*seen < 100000) ++*seen;
  }
  return skipped;
}

/* "e-3" at *p, if it is complete. */
static int read_power(const char **p) {
  const char *q = *p;
  if (*q != 'e' && *q != 'E') return 0;
  q++;
  bool negative = *q == '-';
  if (*q == '-' || *q == '+') q++;
  if (!is_digit(*q)) return 0;
  int power = 0;
  for (; is_digit(*q); q++)
    if (power < 100000) power = power * 10 + (*q - '0');
  *p = q;
  return negative ? -power : power;
}

bool th_number_read(const char **text, double *value) {
  const char *p = *text;
  bool negative = *p == '-';
  if (*p == '-' || *p == '+') p++;
  uint64_t sum = 0;
  int whole = 0, fraction = 0, power = read_digits(&p, &sum, &whole);
  if (*p == '.') {
    p++;
    int skipped = read_digits(&p, &sum, &fraction);
    power -= fraction - skipped;
  }
  if (whole + fraction == 0) return false;
  power += read_power(&p);
  double x = scale((double)sum, power);
  *value = negative ? -x : x;
  *text = p;
  return true;
}

static const char *with_point(char *buffer) {
  char sign = localeconv()->decimal_point[0];
  char *at = sign == '.' ? NULL : strchr(buffer, sign);
  if (at) *at = '.';
  return buffer;
}

const char *th_number_of_float(char buffer[TH_NUMBER_ROOM], float value) {
  for (int digits = fabsf(value) < FLT_MIN ? 1 : 6; digits <= 9; digits++) {
    snprintf(buffer, TH_NUMBER_ROOM, "%.*g", digits, (double)value);
    if (strtof(buffer, NULL) == value && (float)strtod(buffer, NULL) == value) break;
  }
  return with_point(buffer);
}

const char *th_number_of_double(char buffer[TH_NUMBER_ROOM], double value) {
  static const int many[] = {6, 12, 15, 16, 17};
  const bool tiny = fabs(value) < DBL_MIN;
  for (int k = 0; k < (tiny ? 17 : 5); k++) {
    snprintf(buffer, TH_NUMBER_ROOM, "%.*g", tiny ? k + 1 : many[k], value);
    if (strtod(buffer, NULL) == value) break;
  }
  return with_point(buffer);
}
