/* tests/fuzz/replay.c - a main for fuzz targets where libFuzzer is not at hand.
 *
 * Feeds every file of a corpus folder to LLVMFuzzerTestOneInput as it is, cut at every length of its first bytes, and
 * then, until the time is up, with a few random changes (bytes, bits, ranges repeated or removed). The sequence depends
 * on the seed alone, so a crash is repeated by running again. No coverage feedback: this keeps known inputs and their
 * neighbourhood safe, libFuzzer looks further. Usage: fuzz_x SECONDS CORPUS [SEED]
 */
#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_FILES = 256, MAX_BYTES = 1 << 16, CUTS = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct corpus {
  uint8_t *data[MAX_FILES];
  size_t size[MAX_FILES];
  uint32_t count;
} corpus;

/* splitmix64 */
static uint64_t draw(uint64_t *state) {
  uint64_t z = (*state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

static size_t below(uint64_t *state, size_t limit) { return (size_t)(draw(state) % limit); }

/* A block of exactly `size` bytes, so that the sanitizer sees a read one byte past the end. */
static void feed(const uint8_t *data, size_t size) {
  uint8_t *exact = malloc(size ? size : 1);
  if (!exact) abort();
  memcpy(exact, data, size);
  LLVMFuzzerTestOneInput(exact, size);
  free(exact);
}

static bool load(corpus *all, const char *folder, const char *name) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  if (!file) return false;
  uint8_t *data = malloc(MAX_BYTES);
  if (!data) abort();
  all->size[all->count] = fread(data, 1, MAX_BYTES, file);
  all->data[all->count++] = data;
  fclose(file);
  return true;
}

static int by_name(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }

/* In order of names: the order in which a folder lists them differs from machine to machine. */
static void load_all(corpus *all, const char *folder) {
  struct dirent **entry = NULL;
  int count = scandir(folder, &entry, NULL, by_name);
  for (int i = 0; i < count; i++) {
    if (entry[i]->d_name[0] != '.' && all->count < MAX_FILES) load(all, folder, entry[i]->d_name);
    free(entry[i]);
  }
  free(entry);
}

static size_t change(uint8_t *data, size_t size, uint64_t *state) {
  size_t at = below(state, size), length = 1 + below(state, size - at);
  if (length > 32) length = 1 + length % 32;
  switch (below(state, 5)) {
    case 0:
      data[at] = (uint8_t)draw(state);
      break;
    case 1:
      data[at] = (uint8_t)(data[at] ^ (1u << below(state, 8)));
      break;
    case 2:
      memset(data + at, (int)(draw(state) & 1 ? 0xFF : 0), length);
      break;
    case 3: /* repeat a range */
      if (size + length > MAX_BYTES) break;
      memmove(data + at + length, data + at, size - at);
      size += length;
      break;
    default: /* remove a range, but keep one byte */
      if (length == size) break;
      memmove(data + at, data + at + length, size - at - length);
      size -= length;
  }
  return size;
}

static uint64_t mutate_until(const corpus *all, time_t end, uint64_t seed) {
  static uint8_t work[MAX_BYTES];
  uint64_t runs = 0;
  do {
    size_t pick = below(&seed, all->count), size = all->size[pick];
    if (size == 0) work[size++] = 0;
    memcpy(work, all->data[pick], all->size[pick]);
    for (size_t n = 1 + below(&seed, 8); n > 0; n--) size = change(work, size, &seed);
    feed(work, size);
    runs++;
  } while (time(NULL) < end);
  return runs;
}

int main(int argc, char **argv) {
  if (argc < 3) return fprintf(stderr, "usage: %s SECONDS CORPUS [SEED]\n", argv[0]), 2;
  time_t end = time(NULL) + atoi(argv[1]);
  uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
  static corpus all;
  load_all(&all, argv[2]);
  if (all.count == 0) return fprintf(stderr, "%s holds no inputs; put at least one valid file there\n", argv[2]), 1;
  for (uint32_t i = 0; i < all.count; i++) {
    feed(all.data[i], all.size[i]);
    for (size_t cut = 0; cut < CUTS && cut < all.size[i]; cut++) feed(all.data[i], cut);
  }
  uint64_t runs = mutate_until(&all, end, seed);
  printf("%u inputs, %llu changed copies, seed %llu\n", all.count, (unsigned long long)runs, (unsigned long long)seed);
  for (uint32_t i = 0; i < all.count; i++) free(all.data[i]);
  return 0;
}
