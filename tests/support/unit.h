/* tests/support/unit.h - cmocka with the headers that it needs before it, in the order that it needs. */
#ifndef TH_TESTS_SUPPORT_UNIT_H
#define TH_TESTS_SUPPORT_UNIT_H

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#endif
