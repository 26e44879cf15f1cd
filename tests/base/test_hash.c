/* Tests of base/hash.h: independence of cutting, sensitivity to every bit, order and length, known values, speed. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/platform/clock.h"
#include "base/random.h"
#include "support/unit.h"

#define SEED 55u
#define AGREED 0x147aa95ec7c4c3e2u
#define SIZE 300

static uint8_t data[SIZE];

static int fill(void **state) {
  (void)state;
  for (uint32_t i = 0; i < SIZE; i++) data[i] = (uint8_t)th_random(SEED, 0, i, 0);
  return 0;
}

static uint64_t hash_of(const void *bytes, size_t size) {
  th_hash hash = th_hash_begin(0);
  th_hash_bytes(&hash, bytes, size);
  return th_hash_end(&hash);
}

static void cutting_does_not_matter(void **state) {
  (void)state;
  for (uint32_t round = 0; round < 500; round++) {
    uint32_t size = th_random_to_below(th_random(SEED, 1, 0, round), SIZE + 1), done = 0, cut = 0;
    th_hash hash = th_hash_begin(0);
    while (done < size) {
      uint32_t piece = th_random_to_below(th_random(SEED, 2, cut++, round), round % 90 + 2);
      if (piece > size - done) piece = size - done;
      th_hash_bytes(&hash, data + done, piece);
      done += piece;
    }
    if (th_hash_end(&hash) != hash_of(data, size)) print_error("size %u, round %u, seed %u\n", size, round, SEED);
    assert_true(th_hash_end(&hash) == hash_of(data, size));
    assert_true(th_hash_end(&hash) == th_hash_end(&hash));
  }
}

static void every_bit_changes_half_of_the_hash(void **state) {
  (void)state;
  uint64_t plain = hash_of(data, SIZE);
  double flips = 0;
  for (uint32_t bit = 0; bit < 8 * SIZE; bit++) {
    data[bit / 8] ^= (uint8_t)(1u << (bit % 8));
    uint64_t changed = plain ^ hash_of(data, SIZE);
    data[bit / 8] ^= (uint8_t)(1u << (bit % 8));
    int count = __builtin_popcountll(changed);
    assert_true(count >= 10 && count <= 54);
    flips += count;
  }
  assert_true(fabs(flips / (8.0 * SIZE) - 32) < 4.5 * 4 / sqrt(8.0 * SIZE));
}

/* Two flipped bits in different words must not cancel: the pairs include neighbours in one lane. */
static void pairs_of_flips_do_not_cancel(void **state) {
  (void)state;
  uint64_t plain = hash_of(data, SIZE);
  for (uint32_t i = 0; i < 200000; i++) {
    uint32_t a = th_random_to_below(th_random(SEED, 3, i, 0), 8 * SIZE), b = (a + 256 + i % 64) % (8 * SIZE);
    data[a / 8] ^= (uint8_t)(1u << (a % 8));
    data[b / 8] ^= (uint8_t)(1u << (b % 8));
    uint64_t changed = hash_of(data, SIZE);
    data[a / 8] ^= (uint8_t)(1u << (a % 8));
    data[b / 8] ^= (uint8_t)(1u << (b % 8));
    assert_true(changed != plain);
  }
}

static void length_order_and_seed_count(void **state) {
  (void)state;
  uint8_t zeros[200] = {0};
  uint64_t seen[200];
  for (size_t n = 0; n < 200; n++) {
    seen[n] = hash_of(zeros, n);
    for (size_t m = 0; m < n; m++) assert_true(seen[m] != seen[n]);
  }
  uint64_t words[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  uint64_t plain = hash_of(words, sizeof words);
  for (int a = 0; a < 8; a++) {
    for (int b = 0; b < a; b++) {
      uint64_t kept = words[a];
      words[a] = words[b];
      words[b] = kept;
      assert_true(hash_of(words, sizeof words) != plain);
      words[b] = words[a];
      words[a] = kept;
    }
  }
  th_hash zero = th_hash_begin(0), one = th_hash_begin(1);
  assert_true(th_hash_end(&zero) != th_hash_end(&one));
}

static void typed_calls_hash_little_endian_bytes(void **state) {
  (void)state;
  const uint32_t u32[2] = {0x04030201u, 0x08070605u};
  const uint64_t u64 = 0x0807060504030201u;
  const float f = 1.0f;
  const double d = 1.0;
  const uint8_t bytes[] = {1, 2, 3, 4, 5, 6, 7, 8}, float_bytes[] = {0, 0, 0x80, 0x3f};
  const uint8_t double_bytes[] = {0, 0, 0, 0, 0, 0, 0xf0, 0x3f};
  th_hash a = th_hash_begin(0), b = a, c = a, e = a;
  th_hash_u32(&a, u32, 2);
  th_hash_u64(&b, &u64, 1);
  th_hash_float(&c, &f, 1);
  th_hash_double(&e, &d, 1);
  assert_true(th_hash_end(&a) == hash_of(bytes, 8));
  assert_true(th_hash_end(&b) == hash_of(bytes, 8));
  assert_true(th_hash_end(&c) == hash_of(float_bytes, 4));
  assert_true(th_hash_end(&e) == hash_of(double_bytes, 8));
}

static void hashes_are_the_agreed_ones(void **state) {
  (void)state;
  if (hash_of(data, SIZE) != AGREED) print_error("found 0x%016llx\n", (unsigned long long)hash_of(data, SIZE));
  assert_true(hash_of(data, SIZE) == AGREED);
  /* published values of FNV-1a, 64 bits */
  assert_true(th_hash_fnv1a_text("") == 0xcbf29ce484222325u);
  assert_true(th_hash_fnv1a_text("a") == 0xaf63dc4c8601ec8cu);
  assert_true(th_hash_fnv1a_text("foobar") == 0x85944171f73967e8u);
  assert_true(th_hash_fnv1a(th_hash_fnv1a_text("foo"), "bar", 3) == th_hash_fnv1a_text("foobar"));
}

static void print_the_speed(void **state) {
  (void)state;
  static uint8_t block[1 << 16];
  uint64_t sum = 0;
  double start = th_clock_seconds();
  for (int i = 0; i < 1000; i++) sum ^= hash_of(block, sizeof block);
  double seconds = th_clock_seconds() - start;
  printf("             %.1f GB/s (%d)\n", 1000.0 * sizeof block / seconds / 1e9, (int)(sum & 1));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cutting_does_not_matter),
      cmocka_unit_test(every_bit_changes_half_of_the_hash),
      cmocka_unit_test(pairs_of_flips_do_not_cancel),
      cmocka_unit_test(length_order_and_seed_count),
      cmocka_unit_test(typed_calls_hash_little_endian_bytes),
      cmocka_unit_test(hashes_are_the_agreed_ones),
      cmocka_unit_test(print_the_speed),
  };
  return cmocka_run_group_tests(tests, fill, NULL);
}
