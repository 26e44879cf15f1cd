/* base/error.c - texts of errors.
 *
 * The caller owns the th_error, so reporting allocates nothing and needs no thread-local storage (ufbx's scheme). Texts
 * quote files of strangers and end up in terminals, which obey control characters: these are replaced.
 */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

/* How many bytes a control character has that begins here; 0: it is none. */
static uint32_t control_bytes(const uint8_t *at) {
  if (at[0] == 0xc2 && at[1] >= 0x80 && at[1] < 0xa0) return 2; /* U+0080 to U+009F */
  return *at < 0x20 || *at == 0x7f;
}

bool th_is_printable(const char *text) {
  for (const uint8_t *at = (const uint8_t *)text; *at; at++)
    if (control_bytes(at)) return false;
  return true;
}

void th_make_printable(char *text) {
  for (uint8_t *at = (uint8_t *)text; *at; at++)
    for (uint32_t count = control_bytes(at); count > 0; count--) at[count - 1] = '?';
}

static void fill(th_error *error, th_result code, const char *where, const char *format, va_list arguments) {
  *error = (th_error){.code = code, .element = TH_NO_ELEMENT};
  snprintf(error->where, sizeof error->where, "%s", where ? where : "");
  vsnprintf(error->text, sizeof error->text, format, arguments);
  th_make_printable(error->where);
  th_make_printable(error->text);
}

th_result th_fail(th_error *error, th_result code, const char *where, const char *format, ...) {
  if (!error) return code;
  va_list arguments;
  va_start(arguments, format);
  fill(error, code, where, format, arguments);
  va_end(arguments);
  return code;
}

th_result th_fail_at(th_error *error, th_result code, const char *where, uint32_t element, const char *format, ...) {
  if (!error) return code;
  va_list arguments;
  va_start(arguments, format);
  fill(error, code, where, format, arguments);
  va_end(arguments);
  error->element = element;
  return code;
}

th_result th_fail_memory(th_error *error, const char *where) {
  return th_fail(error, TH_ERROR_MEMORY, where, "out of memory");
}

void th_fault(const th_env *env, const char *format, ...) {
  if (!env || !env->log.write) return;
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  env->log.write(env->log.user, TH_LOG_FAULT, text);
}

const char *th_result_name(th_result result) {
  static const char *const name[] = {"ok",       "memory",      "range",    "format", "file",
                                     "geometry", "unreachable", "capacity", "state",  "stopped"};
  return (unsigned)result < sizeof name / sizeof *name ? name[result] : "unknown";
}

#define TEXT_OF(x) #x
#define VERSION_TEXT(a, b, c) TEXT_OF(a) "." TEXT_OF(b) "." TEXT_OF(c)

const char *th_version(void) { return VERSION_TEXT(TH_VERSION_MAJOR, TH_VERSION_MINOR, TH_VERSION_PATCH); }
