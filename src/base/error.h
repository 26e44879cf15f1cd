/* base/error.h - filling th_error, and reporting programmer errors. */
#ifndef TH_BASE_ERROR_H
#define TH_BASE_ERROR_H

#include "base/platform/compiler.h"
#include "throng/base.h"

/* Fills `error` (may be NULL) and returns `code`, so that a check reads: return th_fail(error, TH_ERROR_RANGE, ...). */
th_result th_fail(th_error *error, th_result code, const char *where, const char *format, ...) TH_PRINTF(4, 5);

/* As th_fail, naming the element (polygon, agent ...) that is wrong. */
th_result th_fail_at(th_error *error, th_result code, const char *where, uint32_t element, const char *format, ...)
    TH_PRINTF(5, 6);

/* Whether there are no control characters in it; they become question marks. */
bool th_is_printable(const char *text);
void th_make_printable(char *text);

th_result th_fail_memory(th_error *error, const char *where);

/* Reports a programmer error to the host's log. The caller then returns without effect. */
void th_fault(const th_env *env, const char *format, ...) TH_PRINTF(2, 3);

#endif
