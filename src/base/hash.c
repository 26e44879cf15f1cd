/* base/hash.c - four independent lanes of rotate and multiply.
 *
 * A step of a lane, lane = rotl(lane + word * a, 31) * b with odd a and b, is a bijection of the lane for a fixed word
 * and of the word for a fixed lane, so a single changed word always changes its lane. The first multiplication spreads
 * every change of a word over many bits before it is added to the lane: without it, a flip of the top bit could be
 * undone by one flip of the next word. Four lanes hide the latency (the scheme of the xxHash family; constants and
 * finish are ours). At the end lanes, remaining bytes and length are combined, each with a full finaliser. Cost: about
 * 4 bytes per cycle.
 */
#include "base/hash.h"

#include <string.h>

#include "base/platform/compiler.h"
#include "base/random.h"

#define STRIPE (8 * TH_HASH_LANES)

/* b above: powers of the golden ratio and its generalisations to higher dimensions, as fractions of 2^64 */
static const uint64_t odd[TH_HASH_LANES] = {0x9e3779b97f4a7c15u, 0xd1b54a32d192ed03u, 0xaef17502108ef2d9u,
                                            0xdb4f0b9175ae2165u};

static const uint64_t spread = 0xa54ff53a5f1d36f1u; /* a above: the fraction of sqrt(7) */

static inline uint64_t rotl(uint64_t x, int n) { return x << n | x >> (64 - n); }

static inline uint64_t read_word(const uint8_t *p) {
  uint64_t word;
  memcpy(&word, p, 8);
  return th_little_endian64(word);
}

th_hash th_hash_begin(uint64_t seed) {
  th_hash hash = {.length = 0};
  for (int i = 0; i < TH_HASH_LANES; i++) hash.lane[i] = th_random_mix(seed + odd[i]);
  return hash;
}

static void eat_stripes(uint64_t lane[TH_HASH_LANES], const uint8_t *data, size_t stripes) {
  uint64_t a = lane[0], b = lane[1], c = lane[2], d = lane[3];
  for (; stripes > 0; stripes--, data += STRIPE) {
    a = rotl(a + read_word(data) * spread, 31) * odd[0];
    b = rotl(b + read_word(data + 8) * spread, 31) * odd[1];
    c = rotl(c + read_word(data + 16) * spread, 31) * odd[2];
    d = rotl(d + read_word(data + 24) * spread, 31) * odd[3];
  }
  lane[0] = a, lane[1] = b, lane[2] = c, lane[3] = d;
}

void th_hash_bytes(th_hash *hash, const void *data, size_t size) {
  if (size == 0) return;
  const uint8_t *bytes = data;
  size_t held = (size_t)(hash->length % STRIPE);
  hash->length += size;
  if (held > 0) {
    size_t fill = STRIPE - held < size ? STRIPE - held : size;
    memcpy(hash->rest + held, bytes, fill);
    bytes += fill;
    size -= fill;
    if (held + fill < STRIPE) return;
    eat_stripes(hash->lane, hash->rest, 1);
  }
  eat_stripes(hash->lane, bytes, size / STRIPE);
  memcpy(hash->rest, bytes + size / STRIPE * STRIPE, size % STRIPE);
}

uint64_t th_hash_end(const th_hash *hash) {
  uint8_t rest[STRIPE] = {0}; /* zeros after the last byte; the length tells them from real ones */
  memcpy(rest, hash->rest, (size_t)(hash->length % STRIPE));
  uint64_t sum = th_random_mix(hash->length + odd[0]);
  for (int i = 0; i < TH_HASH_LANES; i++) {
    sum = th_random_mix((sum ^ hash->lane[i]) + odd[i]);
    sum = th_random_mix((sum ^ read_word(rest + 8 * i)) + odd[i]);
  }
  return sum;
}

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
static void hash_numbers(th_hash *hash, const uint8_t *data, size_t count, size_t size) {
  uint8_t turned[8];
  for (size_t i = 0; i < count; i++) {
    for (size_t j = 0; j < size; j++) turned[j] = data[i * size + size - 1 - j];
    th_hash_bytes(hash, turned, size);
  }
}
#else
static void hash_numbers(th_hash *hash, const void *data, size_t count, size_t size) {
  th_hash_bytes(hash, data, count * size);
}
#endif

void th_hash_u32(th_hash *hash, const uint32_t *value, size_t count) {
  hash_numbers(hash, (const void *)value, count, 4);
}
void th_hash_u64(th_hash *hash, const uint64_t *value, size_t count) {
  hash_numbers(hash, (const void *)value, count, 8);
}
void th_hash_float(th_hash *hash, const float *value, size_t count) {
  hash_numbers(hash, (const void *)value, count, 4);
}
void th_hash_double(th_hash *hash, const double *value, size_t count) {
  hash_numbers(hash, (const void *)value, count, 8);
}

uint64_t th_hash_fnv1a(uint64_t hash, const void *data, size_t size) {
  const uint8_t *byte = data;
  for (size_t i = 0; i < size; i++) hash = (hash ^ byte[i]) * 0x100000001b3u;
  return hash;
}

uint64_t th_hash_fnv1a_text(const char *text) { return th_hash_fnv1a(TH_FNV1A_BEGIN, text, strlen(text)); }
