/* tests/base/test_bytes.c - a block of bytes: what is written comes back, and no bound is ever crossed. */
#include <string.h>

#include "base/bytes.h"
#include "support/unit.h"

static void what_was_written_is_read(void **state) {
  (void)state;
  uint8_t memory[64];
  uint32_t a = 0x01020304, c;
  double b = 2.5, d;
  th_byte_writer writer = {memory, sizeof memory, 0};
  TH_WRITE(&writer, a);
  TH_WRITE(&writer, b);
  th_bytes_write(&writer, "text", 5);
  th_bytes_write(&writer, NULL, 0);
  assert_int_equal(writer.used, 17);
  th_byte_reader reader = {memory, writer.used, 0, false};
  TH_READ(&reader, c);
  TH_READ(&reader, d);
  assert_int_equal(c, a);
  assert_true(d == b);
  assert_string_equal(th_bytes_in_place(&reader, 5), "text");
  assert_false(reader.broken);
  assert_int_equal(reader.used, reader.size);
}

static void counting_equals_writing(void **state) {
  (void)state;
  th_byte_writer writer = {NULL, 0, 0};
  uint64_t value = 1;
  for (int i = 0; i < 5; i++) TH_WRITE(&writer, value);
  assert_int_equal(writer.used, 40);
}

/* A block that is too small is never written past, and later pieces that would fit are not written out of place. */
static void too_little_memory_is_told(void **state) {
  (void)state;
  uint8_t memory[16];
  memset(memory, 0x77, sizeof memory);
  th_byte_writer writer = {memory, 10, 0};
  uint64_t value = 0;
  TH_WRITE(&writer, value);
  TH_WRITE(&writer, value);
  uint8_t small = 1;
  TH_WRITE(&writer, small);
  assert_int_equal(writer.used, 17);
  for (int i = 8; i < 16; i++) assert_int_equal(memory[i], 0x77);
}

static void broken_bytes_are_refused(void **state) {
  (void)state;
  const uint8_t memory[6] = {1, 2, 3, 4, 5, 6};
  th_byte_reader reader = {memory, sizeof memory, 0, false};
  uint32_t word = 9, more = 9;
  TH_READ(&reader, word);
  assert_int_equal(word, 0x04030201);
  TH_READ(&reader, more);
  assert_true(reader.broken);
  assert_int_equal(more, 0); /* zeros, not garbage */
  uint8_t byte = 9;
  TH_READ(&reader, byte); /* would fit, but the reader stays broken */
  assert_int_equal(byte, 0);
  assert_null(th_bytes_in_place(&reader, 0));
  th_byte_reader huge = {memory, sizeof memory, 2, false};
  assert_null(th_bytes_in_place(&huge, SIZE_MAX)); /* no overflow of used + size */
  assert_true(huge.broken);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_was_written_is_read), cmocka_unit_test(counting_equals_writing),
      cmocka_unit_test(too_little_memory_is_told), cmocka_unit_test(broken_bytes_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
