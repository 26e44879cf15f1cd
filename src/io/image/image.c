/* io/image/image.c - images from files and from memory.
 *
 * A file is read whole and recognised by its first bytes, never by its name; only maps, which are text, are recognised
 * by their file name extension. Sizes are checked against the size of the file before the pixels are allocated, so a
 * forged header cannot make the reader allocate memory. Cost: one pass over the file.
 */
#include "io/image/image.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/platform/path.h"
#include "io/whole_file.h"

#define MAX_PIXELS (1u << 28)
#define MAX_BYTES ((size_t)1 << 30) /* of a file */

th_result th_image_take(const th_image_source *source, uint32_t width, uint32_t height, uint8_t **grey,
                        th_error *error) {
  if (!width || !height)
    return th_fail(error, TH_ERROR_FORMAT, source->where, "expected 1 or more pixels, found %u x %u", width, height);
  if ((uint64_t)width * height > MAX_PIXELS)
    return th_fail(error, TH_ERROR_CAPACITY, source->where, "expected at most %u pixels, found %u x %u", MAX_PIXELS,
                   width, height);
  *grey = TH_TAKE(source->allocator, uint8_t, (size_t)width * height);
  return *grey ? TH_OK : th_fail_memory(error, source->where);
}

static th_result decode(const th_image_source *source, th_image *image, th_error *error) {
  static const uint8_t png[4] = {0x89, 'P', 'N', 'G'};
  *image = th_default_image();
  if (source->size >= 4 && memcmp(source->bytes, png, 4) == 0) return th_png_decode(source, image, error);
  if (source->size >= 2 && source->bytes[0] == 'P' && (source->bytes[1] == '2' || source->bytes[1] == '5'))
    return th_pgm_decode(source, image, error);
  return th_fail(error, TH_ERROR_FORMAT, source->where, "expected a PNG or PGM (P2, P5) image, found %s",
                 source->size ? "other bytes at its start" : "an empty file");
}

void th_image_file_free(th_image_file *file) {
  const th_image *image = &file->image;
  th_give(&file->tail.allocator, (void *)(uintptr_t)image->grey, (size_t)image->width * image->height, 1);
  *file = (th_image_file){0};
}

static th_result read_file(const th_allocator *allocator, const char *path, th_image_source *source, th_error *error) {
  th_file_bytes file;
  th_result result = th_file_load(allocator, path, MAX_BYTES, &file, error);
  if (result == TH_OK) *source = (th_image_source){allocator, path, file.bytes, file.size};
  return result;
}

static void free_source(th_image_source *source) {
  th_give(source->allocator, (void *)(uintptr_t)source->bytes, source->size, 1);
}

static bool ends_with(const char *text, const char *end) {
  size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

/* The image a map names, relative to the map's folder. */
static th_result load_map(const th_image_source *yaml, th_image *image, th_error *error) {
  th_robot_map map;
  th_result result = th_robot_map_parse(yaml, &map, error);
  if (result) return result;
  const char *slash = th_path_is_absolute(map.image) ? NULL : th_path_last_separator(yaml->where);
  char path[1536];
  int length =
      snprintf(path, sizeof path, "%.*s%s", slash ? (int)(slash + 1 - yaml->where) : 0, yaml->where, map.image);
  if (length < 0 || (size_t)length >= sizeof path)
    return th_fail(error, TH_ERROR_FILE, yaml->where, "expected a path below %zu bytes, found %d", sizeof path, length);
  th_image_source pixels = {0};
  result = read_file(yaml->allocator, path, &pixels, error);
  if (result) return result;
  result = decode(&pixels, image, error);
  free_source(&pixels);
  if (!result) th_robot_map_apply(&map, (uint8_t *)(uintptr_t)image->grey, image);
  return result;
}

static th_result load(const th_allocator *allocator, const char *path, th_image *image, th_error *error) {
  th_image_source source = {.allocator = allocator, .where = path};
  th_result result = read_file(allocator, path, &source, error);
  if (result) return result;
  bool is_map = ends_with(path, ".yaml") || ends_with(path, ".yml");
  result = is_map ? load_map(&source, image, error) : decode(&source, image, error);
  free_source(&source);
  return result;
}

th_image_def th_default_image_def(void) { return (th_image_def){.path = NULL}; }

th_result th_image_read(const th_image_def *def, th_image_file *file, th_error *error) {
  th_env full = th_env_complete(&def->env);
  th_image_source source = {&full.allocator, "image", def->bytes, def->size};
  th_image image;
  *file = (th_image_file){0};
  th_result result = def->path ? load(&full.allocator, def->path, &image, error) : decode(&source, &image, error);
  if (!result) *file = (th_image_file){.image = image, .tail = {full.allocator}};
  return result;
}
