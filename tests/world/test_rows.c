/* tests/world/test_rows.c - columns grow, move and change places together: a row never loses a part of itself. */
#include "support/allocator.h"
#include "world/state/rows.h"

/* Writes bytes that tell row and column into every column of a row. */
typedef struct stamp {
  uint32_t row, mark, column;
  bool same;
} stamp;

static uint8_t byte_of(const stamp *s, size_t i) { return (uint8_t)(s->mark * 31u + s->column * 7u + i * 3u + 1u); }

static void write_stamp(void *context, const char *name, void *column, size_t size) {
  (void)name;
  stamp *s = context;
  for (size_t i = 0; i < size; i++) ((uint8_t *)column)[s->row * size + i] = byte_of(s, i);
  s->column++;
}

static void read_stamp(void *context, const char *name, void *column, size_t size) {
  (void)name;
  stamp *s = context;
  for (size_t i = 0; i < size; i++) s->same &= ((uint8_t *)column)[s->row * size + i] == byte_of(s, i);
  s->column++;
}

static void mark_row(th_rows *rows, uint32_t row, uint32_t mark) {
  stamp s = {row, mark, 0, true};
  th_rows_each(rows, write_stamp, &s);
  rows->user[row] = (void *)(uintptr_t)(mark + 1);
}

static void check_row(const th_rows *rows, uint32_t row, uint32_t mark) {
  stamp s = {row, mark, 0, true};
  th_rows_each(rows, read_stamp, &s);
  assert_true(s.same);
  assert_ptr_equal(rows->user[row], (void *)(uintptr_t)(mark + 1));
}

static void rows_grow_and_are_copied(void **state) {
  (void)state;
  failing f = {0};
  th_allocator a = failing_allocator(&f);
  th_rows rows = {0};
  assert_true(th_rows_grow(&rows, &a, 10));
  for (uint32_t i = 0; i < 10; i++) mark_row(&rows, i, i);
  rows.count = 10;
  assert_true(th_rows_grow(&rows, &a, 5)); /* never shrinks */
  assert_int_equal(rows.capacity, 10);
  assert_true(th_rows_grow(&rows, &a, 33));
  for (uint32_t i = 0; i < 10; i++) check_row(&rows, i, i);
  th_rows_copy(&rows, 2, 9);
  check_row(&rows, 2, 9);
  check_row(&rows, 9, 9);
  check_row(&rows, 3, 3);
  th_rows_free(&rows, &a);
  failing_assert_empty(&f);
}

static void rows_are_permuted(void **state) {
  (void)state;
  failing f = {0};
  th_env env = failing_env(&f);
  for (uint32_t workers = 1; workers <= 3; workers += 2) {
    th_pool *pool = NULL;
    assert_int_equal(th_pool_make(&env, workers, &pool, NULL), TH_OK);
    th_rows rows = {0};
    enum { COUNT = 101, SCRATCH = COUNT * TH_LARGEST_COLUMN };
    assert_true(th_rows_grow(&rows, &env.allocator, COUNT));
    rows.count = COUNT;
    uint32_t from[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
      mark_row(&rows, i, i);
      from[i] = i * 17 % COUNT;
    }
    uint8_t *scratch = malloc((size_t)SCRATCH * workers);
    th_rows_permute(&rows, pool, from, scratch, SCRATCH);
    for (uint32_t i = 0; i < COUNT; i++) check_row(&rows, i, from[i]);
    free(scratch);
    th_rows_free(&rows, &env.allocator);
    th_pool_free(pool);
  }
  failing_assert_empty(&f);
}

static void columns_of_every_size_are_permuted(void **state) {
  (void)state;
  for (size_t size = 1; size <= 40; size++) {
    uint8_t column[20 * 40], scratch[20 * 40];
    uint32_t from[20];
    for (uint32_t i = 0; i < 20; i++) {
      from[i] = (i * 7 + 3) % 20;
      memset(column + i * size, (int)i + 1, size);
    }
    th_rows_permute_column(column, size, from, 20, scratch);
    for (uint32_t i = 0; i < 20; i++)
      for (size_t k = 0; k < size; k++) assert_int_equal(column[i * size + k], from[i] + 1);
  }
}

static void a_row_has_its_size(void **state) {
  (void)state;
  failing f = {0};
  th_allocator a = failing_allocator(&f);
  th_rows rows = {0};
  assert_true(th_rows_grow(&rows, &a, 1));
  const size_t loose = sizeof(void *) + sizeof(uint32_t) + sizeof(uint16_t) + sizeof(uint8_t) + sizeof(th_row_choice) +
                       sizeof(th_vec2) + sizeof(float);
  assert_int_equal((size_t)atomic_load(&f.bytes), th_rows_row_size() + loose); /* no column is forgotten */
  th_rows_free(&rows, &a);
}

static th_result grow(const th_env *env, void *context) {
  (void)context;
  th_rows rows = {0};
  th_result result = TH_ERROR_MEMORY;
  if (th_rows_grow(&rows, &env->allocator, 4)) {
    rows.count = 4;
    for (uint32_t i = 0; i < 4; i++) mark_row(&rows, i, i);
    if (th_rows_grow(&rows, &env->allocator, 9)) result = TH_OK;
    for (uint32_t i = 0; i < 4; i++) check_row(&rows, i, i); /* also after a failure */
  }
  th_rows_free(&rows, &env->allocator);
  return result;
}

static void failing_allocations_are_survived(void **state) {
  (void)state;
  assert_true(failing_every(grow, NULL) > 80);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows_grow_and_are_copied), cmocka_unit_test(rows_are_permuted),
                                     cmocka_unit_test(columns_of_every_size_are_permuted),
                                     cmocka_unit_test(a_row_has_its_size),
                                     cmocka_unit_test(failing_allocations_are_survived)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
