/* base/param/value.h - one value of a parameter table: its bytes, its range, its text. */
#ifndef TH_BASE_PARAM_VALUE_H
#define TH_BASE_PARAM_VALUE_H

#include "throng/param.h"

typedef struct th_param_points {
  uint32_t count;
  th_vec3 point[TH_MAX_PARAM_POINTS];
} th_param_points;

/* Any value of a table; th_param_value_bytes tells how many of its bytes are used. */
typedef union th_param_value {
  th_param_points points;
  float number;
  int32_t whole;
  uint8_t truth;
  th_vec2 vector;
  th_vec3 place;
} th_param_value;

#define TH_PARAM_FOUND 64 /* characters that describe a value */

size_t th_param_value_bytes(const th_param *param); /* of the value in its struct */
bool th_param_value_fits(const th_param *param, const th_param_value *value);
/* "0 to 5 m/s", "true or false", "one of pull, literal" */
void th_param_value_describe_range(const th_param *param, char *text, size_t size);
/* For a list, only the part that is wrong. */
void th_param_value_describe(const th_param *param, const th_param_value *value, char text[TH_PARAM_FOUND]);
/* TH_ERROR_FORMAT when the text is no value of the type, TH_ERROR_RANGE when it does not fit. `value` is 0 before. */
th_result th_param_value_read(const th_param *param, const char *text, th_param_value *value);

/* The text that th_param_value_read takes for the same bits; its length, as snprintf. */
size_t th_param_value_text(const th_param *param, const th_param_value *value, char *text, size_t size);

/* Clears the unused part of lists, so that equal values have equal bytes. */
void th_param_table_tidy(const th_param *param, uint32_t count, void *values);

#endif
