/* tests/fuzz/fuzz_image.c - any bytes as an image and as a map: an error or an image, never a crash or a leak. */
#include <stdlib.h>

#include "io/image/image.h"

static volatile unsigned long long sink;

static void *allocate(void *user, size_t size, size_t align) {
  (void)user;
  /* A small input that asks for much is refused: forged headers must not take memory. */
  if (size > (size_t)1 << 28) return NULL;
  return aligned_alloc(align, (size + align - 1) / align * align);
}

static void release(void *user, void *memory, size_t size) {
  (void)user;
  (void)size;
  free(memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  th_env env = {.allocator = {allocate, release, NULL}};
  th_image_file file;
  th_error error;
  th_robot_map map;
  if (th_image_read(&(th_image_def){.env = env, .bytes = data, .size = size}, &file, &error) == TH_OK) {
    unsigned long long sum = 0;
    for (size_t k = 0; k < (size_t)file.image.width * file.image.height; k++) sum += file.image.grey[k];
    sink = sum;
  }
  th_image_file_free(&file);
  th_image_source source = {&env.allocator, "map", data, size};
  if (th_robot_map_parse(&source, &map, &error) == TH_OK && !(map.resolution > 0.0)) abort();
  return 0;
}
