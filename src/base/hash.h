/* base/hash.h - 64-bit hashes of bytes.
 *
 * th_hash: streaming, for the state of a world; depends on the order of bytes, not on how they are divided into calls,
 * and is the same on little- and big-endian machines as long as arrays of numbers go through the typed calls.
 * th_hash_fnv1a: for short names (Fowler, Noll, Vo; 64 bits). Neither is cryptographic.
 */
#ifndef TH_BASE_HASH_H
#define TH_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define TH_HASH_LANES 4

typedef struct th_hash {
  uint64_t lane[TH_HASH_LANES];
  uint64_t length; /* bytes so far */
  uint8_t rest[8 * TH_HASH_LANES];
} th_hash;

/* Begins a hash; different seeds give unrelated hashes. */
th_hash th_hash_begin(uint64_t seed);

void th_hash_bytes(th_hash *hash, const void *data, size_t size);

/* Numbers as little-endian bytes, whatever the machine. Floats: pass their array; the bits count, so -0 is not 0. */
void th_hash_u32(th_hash *hash, const uint32_t *value, size_t count);
void th_hash_u64(th_hash *hash, const uint64_t *value, size_t count);
void th_hash_float(th_hash *hash, const float *value, size_t count);
void th_hash_double(th_hash *hash, const double *value, size_t count);

/* The hash of all bytes so far; more may follow. */
uint64_t th_hash_end(const th_hash *hash);

#define TH_FNV1A_BEGIN 0xcbf29ce484222325u

/* Continues `hash`, or starts from TH_FNV1A_BEGIN. */
uint64_t th_hash_fnv1a(uint64_t hash, const void *data, size_t size);
uint64_t th_hash_fnv1a_text(const char *text);

#endif
