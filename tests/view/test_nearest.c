/* tests/view/test_nearest.c - the K nearest of each lane, against sorting; all instruction sets and the long form
 * agree. */
#include "support/worlds.h"
#include "view/nearest.h"

#define MAX 700

typedef struct bench {
  float x[16], y[16], cx[MAX + 16], cy[MAX + 16], farthest[16];
  uint32_t own[16], avoids[16], clayers[MAX + 16], pick[TH_MAX_NEAREST * 16];
  th_nearest s;
} bench;

static void fill(bench *b, uint32_t count, uint64_t *state, int kind) {
  memset(b, 0, sizeof *b);
  for (uint32_t i = 0; i < count; i++) {
    b->cx[i] = kind == 1 ? (float)worlds_below(state, 4) : worlds_in(state, -5, 5); /* kind 1: many at the same place */
    b->cy[i] = kind == 1 ? (float)worlds_below(state, 4) : worlds_in(state, -5, 5);
    b->clayers[i] = 1u << worlds_below(state, 3);
  }
  for (uint32_t i = count; i < count + 16; i++) b->cx[i] = b->cy[i] = 1e15f;
  for (uint32_t lane = 0; lane < 16; lane++) {
    b->own[lane] = worlds_below(state, count);
    b->x[lane] = b->cx[b->own[lane]];
    b->y[lane] = b->cy[b->own[lane]];
    b->avoids[lane] = worlds_below(state, 8);
  }
  b->s = (th_nearest){.x = b->x,
                      .y = b->y,
                      .own = b->own,
                      .cx = b->cx,
                      .cy = b->cy,
                      .clayers = b->clayers,
                      .pick = b->pick,
                      .farthest = b->farthest};
  for (int q = 0; q < 4; q++) { /* three runs that cover all, the middle one first */
    b->s.first[0][q] = count / 3, b->s.last[0][q] = count / 2;
    b->s.first[1][q] = 0, b->s.last[1][q] = count / 3;
    b->s.first[2][q] = count / 2, b->s.last[2][q] = count;
  }
  b->s.runs = 3;
}

typedef struct entry {
  uint32_t key, number;
} entry;

static int by_key(const void *left, const void *right) {
  const entry *a = left, *b = right;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  return (a->number > b->number) - (a->number < b->number);
}

static uint32_t key_of(float square) {
  uint32_t bits;
  memcpy(&bits, &square, sizeof bits);
  return bits & ~((1u << TH_KEY_BITS) - 1u);
}

/* By definition: all that are seen within the reach, sorted by (truncated squared distance, number). */
static void expect(const bench *b, uint32_t count, uint64_t seed) {
  static entry list[MAX];
  uint32_t limit = key_of(b->s.reach * b->s.reach);
  for (uint32_t lane = 0; lane < 16; lane++) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
      float dx = b->cx[i] - b->x[lane], dy = b->cy[i] - b->y[lane];
      if (i == b->own[lane] || (b->s.avoids && !(b->avoids[lane] & b->clayers[i]))) continue;
      entry e = {key_of(dx * dx + dy * dy), i};
      if (e.key <= limit) list[n++] = e;
    }
    qsort(list, n, sizeof *list, by_key);
    for (uint32_t k = 0; k < b->s.k; k++) {
      uint32_t found = b->pick[k * 16 + lane];
      if (found == TH_NO_PICK && k < n && list[k].key == limit) break; /* at the rim either answer is right */
      uint32_t wanted = k < n ? list[k].number : TH_NO_PICK;
      if (found != wanted)
        fail_msg("seed %llu: lane %u, pick %u: %u, not %u", (unsigned long long)seed, lane, k, found, wanted);
    }
  }
}

static void run_one(bench *b, uint32_t count, uint64_t seed) {
  uint32_t picks[TH_MAX_NEAREST * 16];
  float farthest[16];
  th_nearest_find_many(&b->s);
  expect(b, count, seed);
  memcpy(picks, b->pick, sizeof picks);
  memcpy(farthest, b->farthest, sizeof farthest);
  if (count > TH_MAX_KEYED) return;
  for (th_simd simd = TH_SIMD_FOUR; simd <= TH_SIMD_AVX512; simd++) {
    if (!th_simd_has(simd)) continue;
    memset(b->pick, 0xee, sizeof b->pick);
    TH_LANES_PICK(simd, th_nearest_find)(&b->s);
    expect(b, count, seed);
    if (memcmp(picks, b->pick, sizeof(uint32_t) * 16 * b->s.k))
      fail_msg("seed %llu: %s and the long form differ", (unsigned long long)seed, th_simd_name(simd));
    assert_memory_equal(farthest, b->farthest, sizeof farthest);
  }
}

static void nearest_equal_brute_force(void **state) {
  (void)state;
  static bench b;
  for (uint64_t seed = 1; seed <= 400; seed++) {
    uint64_t random = seed;
    uint32_t count = seed % 5 == 0 ? 512 + worlds_below(&random, MAX - 512) : 1 + worlds_below(&random, TH_MAX_KEYED);
    fill(&b, count, &random, (int)(seed % 2));
    b.s.k = 1 + worlds_below(&random, TH_MAX_NEAREST);
    b.s.reach = worlds_in(&random, 0.1f, 20.0f);
    b.s.avoids = seed % 3 == 0 ? b.avoids : NULL;
    run_one(&b, count, seed);
  }
}

/* `within` of the candidates stand around the lanes, the others out of reach, mixed; some lanes are out of reach too.
 */
static void fill_around(bench *b, uint32_t count, uint32_t within, uint64_t *state) {
  fill(b, count, state, 0);
  for (uint32_t i = 0, left = within; i < count; i++) {
    bool near = worlds_below(state, count - i) < left;
    b->cx[i] = worlds_in(state, -0.5f, 0.5f) + (near ? 0.0f : 100.0f);
    b->cy[i] = worlds_in(state, -0.5f, 0.5f);
    left -= near;
  }
  uint32_t away = worlds_below(state, 3); /* nobody, or one in two, or two in three lanes */
  for (uint32_t lane = 0; lane < 16; lane++) {
    b->x[lane] = worlds_in(state, -0.5f, 0.5f) - (worlds_below(state, away + 1) ? 50.0f : 0.0f);
    b->y[lane] = worlds_in(state, -0.5f, 0.5f);
  }
}

/* Lists that stay empty, that are just full, that overflow once and again: the outcome is always the sorted one. */
static void any_number_within_reach_is_found(void **state) {
  (void)state;
  static bench b;
  for (uint32_t within = 0; within <= 200; within++) {
    for (uint32_t turn = 0; turn < 3; turn++) {
      uint64_t seed = within * 3 + turn + 1, random = seed;
      uint32_t count = within + 1 + worlds_below(&random, TH_MAX_KEYED - within);
      fill_around(&b, count, within, &random);
      b.s.k = turn == 0 ? TH_MAX_NEAREST : 1 + worlds_below(&random, TH_MAX_NEAREST);
      b.s.reach = worlds_in(&random, 0.2f, 3.0f); /* 1.5 m: all that stand around */
      b.s.avoids = turn == 2 ? b.avoids : NULL;
      run_one(&b, count, seed);
    }
  }
}

/* A line of people, sixteen lanes along a stretch of it; each four look only where their reach goes, in two runs. */
static void fill_line(bench *b, uint32_t count, float reach, uint64_t *state) {
  fill(b, count, state, 0);
  b->s.reach = reach;
  const uint32_t stretch = 1 + worlds_below(state, count), begin = worlds_below(state, count - stretch + 1);
  for (uint32_t i = 0; i < count; i++) b->cx[i] = 0.1f * (float)i, b->cy[i] = worlds_in(state, 0, 0.1f);
  for (uint32_t lane = 0; lane < 16; lane++) {
    b->own[lane] = begin + (lane * (stretch - 1) + worlds_below(state, 15)) / 16;
    b->x[lane] = b->cx[b->own[lane]];
    b->y[lane] = b->cy[b->own[lane]];
  }
  b->s.runs = 2;
  for (uint32_t q = 0; q < 4; q++) {
    uint32_t low = MAX, high = 0, around = (uint32_t)(reach * 10.0f) + 2 + worlds_below(state, 4);
    for (uint32_t lane = 4 * q; lane < 4 * q + 4; lane++) {
      low = b->own[lane] < low ? b->own[lane] : low;
      high = b->own[lane] > high ? b->own[lane] : high;
    }
    low = low > around ? low - around : 0;
    high = high + around + 1 < count ? high + around + 1 : count;
    const uint32_t half = count / 2;
    b->s.first[0][q] = low < half ? low : TH_NO_RUN, b->s.last[0][q] = low < half ? (high < half ? high : half) : 0;
    b->s.first[1][q] = high > half ? (low > half ? low : half) : TH_NO_RUN, b->s.last[1][q] = high > half ? high : 0;
  }
}

/* Registers of any width scan what their quarters need together; known quarters keep what they had. */
static void quarters_find_the_same(void **state) {
  (void)state;
  static bench b;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    uint64_t random = seed;
    uint32_t count = 2 + worlds_below(&random, TH_MAX_KEYED - 1), wanted[TH_MAX_NEAREST * 16];
    float reach = worlds_in(&random, 0.05f, seed % 2 ? 2.0f : 8.0f);
    fill_line(&b, count, reach, &random);
    b.s.k = 1 + worlds_below(&random, TH_MAX_NEAREST);
    b.s.avoids = seed % 3 == 0 ? b.avoids : NULL;
    run_one(&b, count, seed);
    memcpy(wanted, b.pick, sizeof wanted);
    for (int q = 0; q < 4; q++) b.s.known[q] = worlds_below(&random, 2);
    for (th_simd simd = TH_SIMD_FOUR; simd <= TH_SIMD_AVX512; simd++) {
      if (!th_simd_has(simd)) continue;
      for (uint32_t i = 0; i < b.s.k * 16; i++) b.pick[i] = b.s.known[i % 16 / 4] ? wanted[i] : 0xeeeeeeeeu;
      TH_LANES_PICK(simd, th_nearest_find)(&b.s);
      if (memcmp(wanted, b.pick, sizeof(uint32_t) * 16 * b.s.k))
        fail_msg("seed %llu: %s: known quarters changed the picks", (unsigned long long)seed, th_simd_name(simd));
    }
  }
}

/* Some more stand in between now, all too far away: numbers move, and nobody else is nearest. */
static void insert_far(bench *b, uint32_t count, uint32_t gap) {
  bench old = *b;
  b->s.moved = 3;
  for (uint32_t r = 0; r < 3; r++) {
    uint32_t from = r == 0 ? 0 : r == 1 ? count / 3 : count / 2;
    b->s.moved_from[r] = from;
    b->s.moved_by[r] = (r + 1) * gap;
    for (uint32_t i = from; i < (r == 0 ? count / 3 : r == 1 ? count / 2 : count); i++) {
      b->cx[i + b->s.moved_by[r]] = old.cx[i];
      b->cy[i + b->s.moved_by[r]] = old.cy[i];
      b->clayers[i + b->s.moved_by[r]] = old.clayers[i];
    }
    for (uint32_t i = from + r * gap; i < from + (r + 1) * gap; i++) b->cx[i] = b->cy[i] = 1e6f;
  }
  for (uint32_t lane = 0; lane < 16; lane++) {
    uint32_t r = old.own[lane] >= count / 2 ? 2 : old.own[lane] >= count / 3;
    b->own[lane] = old.own[lane] + b->s.moved_by[r];
  }
  b->s.runs = 1;
  for (int q = 0; q < 4; q++) b->s.first[0][q] = 0, b->s.last[0][q] = count + 3 * gap;
}

/* Lanes that are known keep their picks under new numbers; the others look again. */
static void known_lanes_keep_their_picks(void **state) {
  (void)state;
  static bench b;
  for (uint64_t seed = 1; seed <= 200; seed++) {
    uint64_t random = seed;
    uint32_t count = 3 + worlds_below(&random, 400), gap = 1 + worlds_below(&random, 30), old[TH_MAX_NEAREST * 16];
    fill(&b, count, &random, (int)(seed % 2));
    b.s.k = 1 + worlds_below(&random, TH_MAX_NEAREST);
    b.s.reach = worlds_in(&random, 0.1f, 20.0f);
    b.s.avoids = seed % 3 == 0 ? b.avoids : NULL;
    th_nearest_find_many(&b.s);
    memcpy(old, b.pick, sizeof old);
    insert_far(&b, count, gap);
    for (int q = 0; q < 4; q++) b.s.known[q] = worlds_below(&random, 3) > 0;
    for (th_simd simd = TH_SIMD_AUTO; simd <= TH_SIMD_AVX512; simd++) {
      if (simd && !th_simd_has(simd)) continue;
      memcpy(b.pick, old, sizeof old);
      if (simd)
        TH_LANES_PICK(simd, th_nearest_find)(&b.s);
      else
        th_nearest_find_many(&b.s);
      expect(&b, count + 3 * gap, seed);
    }
  }
}

static void who_is_alone_finds_nobody(void **state) {
  (void)state;
  static bench b;
  uint64_t random = 3;
  fill(&b, 1, &random, 0);
  b.s.k = 4;
  b.s.reach = 10.0f;
  run_one(&b, 1, 3);
  for (uint32_t lane = 0; lane < 16; lane++) assert_int_equal(b.pick[lane], TH_NO_PICK);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nearest_equal_brute_force), cmocka_unit_test(any_number_within_reach_is_found),
      cmocka_unit_test(quarters_find_the_same), cmocka_unit_test(known_lanes_keep_their_picks),
      cmocka_unit_test(who_is_alone_finds_nobody)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
