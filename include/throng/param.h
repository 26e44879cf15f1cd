/* throng/param.h - one table describes the parameters of a model, guide or behaviour.
 *
 * Scene reader, command line, viewer, documentation, range checks and state hash all read the same table, so a
 * parameter is declared once.
 * Threads: any; calls that change the same values must not overlap.
 */
#ifndef THRONG_PARAM_H
#define THRONG_PARAM_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum th_param_type {
  TH_PARAM_FLOAT, /* float */
  TH_PARAM_INT,   /* int32_t */
  TH_PARAM_BOOL,  /* bool */
  TH_PARAM_ENUM,  /* int32_t, index into `choice` */
  TH_PARAM_VEC2   /* th_vec2; range and default hold for both components */
} th_param_type;

typedef struct th_param {
  const char *name;
  th_param_type type;
  uint32_t offset;           /* in the parameter struct */
  const char *unit;          /* "m", "m/s", "" */
  double min, max;           /* allowed range, inclusive */
  double initial;            /* default */
  const char *text;          /* one sentence */
  const char *const *choice; /* names of an enum, NULL-terminated */
} th_param;

/** Writes every default into `values`. Any thread. */
TH_API void th_param_defaults(const th_param *param, uint32_t count, void *values);

/** Checks every value against its range; the error names the first one that fails. Any thread. */
TH_API th_result th_param_check(const th_param *param, uint32_t count, const void *values, th_error *error);

/** Sets one value from text ("1.5", "true", "pull", "0.3 0.1"). Nothing changes on an error. Any thread. */
TH_API th_result th_param_set(const th_param *param, uint32_t count, void *values, const char *name, const char *text,
                              th_error *error);

#ifdef __cplusplus
}
#endif
#endif
