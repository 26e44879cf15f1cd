/* base/error.h - filling th_error, and reporting programmer errors. */
#ifndef TH_BASE_ERROR_H
#define TH_BASE_ERROR_H

#include "throng/base.h"

/* Fills `error` (may be NULL) and returns `code`, so that a check reads: return th_fail(error, TH_ERROR_RANGE, ...). */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
th_result
th_fail(th_error *error, th_result code, const char *where, const char *format, ...);

/* As th_fail, naming the element (polygon, agent ...) that is wrong. */
#if defined(__GNUC__)
__attribute__((format(printf, 5, 6)))
#endif
th_result
th_fail_at(th_error *error, th_result code, const char *where, uint32_t element, const char *format, ...);

/* Whether there are no control characters in it; they become question marks. */
bool th_is_printable(const char *text);
void th_make_printable(char *text);

th_result th_fail_memory(th_error *error, const char *where);

/* Reports a programmer error to the host's log. The caller then returns without effect. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void th_fault(const th_env *env, const char *format, ...);

#endif
