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
  TH_PARAM_VEC2,  /* th_vec2; range and default hold for both components */
  TH_PARAM_PLACE, /* th_vec3, a point in space; range and default hold for all three. In text and scenes z may be left
                     out: 0. th_view_place shows it in a view */
  TH_PARAM_POINTS /* a list: struct {uint32_t count; th_vec3 point[N]}, empty by default; any triples of numbers */
} th_param_type;

#define TH_MAX_PARAM_POINTS 64

typedef struct th_param {
  const char *name;
  th_param_type type;
  uint32_t offset;           /* in the parameter struct */
  const char *unit;          /* "m", "m/s", "" */
  double min, max;           /* allowed range, inclusive */
  double initial;            /* default; of a list of points: N, how many it may hold [1, TH_MAX_PARAM_POINTS] */
  const char *text;          /* one sentence */
  const char *const *choice; /* names of an enum, NULL-terminated */
} th_param;

/** Writes every default into `values`. Any thread. */
TH_API void th_param_defaults(const th_param *param, uint32_t count, void *values);

/** Checks every value against its range; the error names the first one that fails. Any thread. */
TH_API th_result th_param_check(const th_param *param, uint32_t count, const void *values, th_error *error);

/** Sets one value from text ("1.5", "true", "pull", "0.3 0.1", points as "1 2; 3 4 0.5"). Points of a list that are not
 *  given become 0. Nothing changes on an error. Any thread. */
TH_API th_result th_param_set(const th_param *param, uint32_t count, void *values, const char *name, const char *text,
                              th_error *error);

/** The reverse for one row of a table: the text that th_param_set takes and that gives the same bits, with as few
 * digits as that needs. Of a list of no points it is empty. Writes at most `size` bytes with the end, TH_PARAM_TEXT_MAX
 * always suffice; returns the length without the end, as snprintf does. Any thread. */
TH_API size_t th_param_get(const th_param *row, const void *values, char *text, size_t size);
#define TH_PARAM_TEXT_MAX (48 * TH_MAX_PARAM_POINTS)

#ifdef __cplusplus
}
#endif
#endif
