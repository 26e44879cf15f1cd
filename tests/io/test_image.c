/* tests/io/test_image.c - PNG, PGM and robot maps become grey values; broken ones are refused. */
#include <png.h>
#include <stdio.h>
#include <unistd.h>

#include "io/image/image.h"
#include "support/allocator.h"

typedef struct bytes {
  uint8_t data[65536];
  size_t size;
} bytes;

static void append(png_structp png, png_bytep data, size_t size) {
  bytes *out = png_get_io_ptr(png);
  assert_true(out->size + size <= sizeof out->data);
  memcpy(out->data + out->size, data, size);
  out->size += size;
}

static void flush(png_structp png) { (void)png; }

/* A PNG of any kind; `row` holds the packed rows. */
static void write_png(bytes *out, uint32_t width, uint32_t height, int depth, int colour, int interlace,
                      const uint8_t *pixels) {
  out->size = 0;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png_create_info_struct(png);
  png_set_write_fn(png, out, append, flush);
  png_set_IHDR(png, info, width, height, depth, colour, interlace, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  png_color palette[2] = {{255, 255, 255}, {0, 0, 0}};
  if (colour == PNG_COLOR_TYPE_PALETTE) png_set_PLTE(png, info, palette, 2);
  png_write_info(png, info);
  size_t stride = png_get_rowbytes(png, info);
  int passes = png_set_interlace_handling(png);
  for (int pass = 0; pass < passes; pass++)
    for (uint32_t j = 0; j < height; j++) png_write_row(png, pixels + j * stride);
  png_write_end(png, NULL);
  png_destroy_write_struct(&png, &info);
}

static void expect(const void *data, size_t size, uint32_t width, uint32_t height, const uint8_t *grey) {
  failing f = {0};
  th_env env = failing_env(&f);
  th_image_file file;
  th_error error = {0};
  if (th_image_read(&(th_image_def){.env = env, .bytes = data, .size = size}, &file, &error))
    fail_msg("%s", error.text);
  assert_int_equal(file.image.width, width);
  assert_int_equal(file.image.height, height);
  assert_memory_equal(file.image.grey, grey, (size_t)width * height);
  assert_int_equal(file.image.dark, 128);
  th_image_file_free(&file);
  failing_assert_empty(&f);
}

static void every_kind_of_png_becomes_grey(void **unused) {
  (void)unused;
  static bytes b;
  const uint8_t grey[6] = {0, 50, 100, 150, 200, 255};
  write_png(&b, 3, 2, 8, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, grey);
  expect(b.data, b.size, 3, 2, grey);
  write_png(&b, 3, 2, 8, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_ADAM7, grey);
  expect(b.data, b.size, 3, 2, grey);
  uint8_t rgb[18], alpha[12], deep[12];
  for (uint32_t k = 0; k < 6; k++) {
    memset(rgb + 3 * k, grey[k], 3);
    alpha[2 * k] = grey[k];
    alpha[2 * k + 1] = k % 2 ? 255 : 0;
    deep[2 * k] = deep[2 * k + 1] = grey[k];
  }
  write_png(&b, 3, 2, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, rgb);
  expect(b.data, b.size, 3, 2, grey);
  write_png(&b, 3, 2, 16, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, deep);
  expect(b.data, b.size, 3, 2, grey);
  const uint8_t on_white[6] = {255, 50, 255, 150, 255, 255};
  write_png(&b, 3, 2, 8, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_INTERLACE_NONE, alpha);
  expect(b.data, b.size, 3, 2, on_white);
  const uint8_t bits[2] = {0x40, 0xA0}, painted[6] = {255, 0, 255, 0, 255, 0};
  write_png(&b, 3, 2, 1, PNG_COLOR_TYPE_PALETTE, PNG_INTERLACE_NONE, bits);
  expect(b.data, b.size, 3, 2, painted);
  const uint8_t drawn[6] = {0, 255, 0, 255, 0, 255};
  write_png(&b, 3, 2, 1, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, bits);
  expect(b.data, b.size, 3, 2, drawn);
}

static void pgm_is_read_as_text_and_bytes(void **unused) {
  (void)unused;
  const uint8_t grey[6] = {0, 50, 100, 150, 200, 255};
  const char text[] = "P2 # by hand\n3 2\n# most\n255\n0 50 100\n150 200 255";
  expect(text, sizeof text - 1, 3, 2, grey);
  const char raw[] = "P5\n3 2 255\n\x00\x32\x64\x96\xc8\xff";
  expect(raw, sizeof raw - 1, 3, 2, grey);
  const char wide[] = "P5 2 1 65535 \x80\x80\xff\xff";
  expect(wide, sizeof wide - 1, 2, 1, (const uint8_t[2]){128, 255});
  expect("P2 3 1 10 0 5 99", 16, 3, 1, (const uint8_t[3]){0, 128, 255});
}

static void refuse(const void *data, size_t size, th_result code, const char *part) {
  failing f = {0};
  th_env env = failing_env(&f);
  th_image_file file;
  th_error error = {0};
  assert_int_equal(th_image_read(&(th_image_def){.env = env, .bytes = data, .size = size}, &file, &error), code);
  assert_int_equal(error.code, code);
  if (!strstr(error.text, part)) fail_msg("expected '%s' in '%s'", part, error.text);
  assert_null(file.image.grey);
  assert_int_equal(th_image_read(&(th_image_def){.env = env, .bytes = data, .size = size}, &file, NULL), code);
  th_image_file_free(&file);
  failing_assert_empty(&f);
  assert_true(f.peak < 1 << 22);
}

static void broken_pgm_is_refused(void **unused) {
  (void)unused;
  refuse("", 0, TH_ERROR_FORMAT, "empty");
  refuse("P3 1 1 1 1", 10, TH_ERROR_FORMAT, "PNG or PGM");
  refuse("P2", 2, TH_ERROR_FORMAT, "width");
  refuse("P2 3 x", 6, TH_ERROR_FORMAT, "width");
  refuse("P5 0 5 255 ", 11, TH_ERROR_FORMAT, "0 x 5");
  refuse("P5 2 2 0 1234", 13, TH_ERROR_FORMAT, "65535");
  refuse("P5 2 2 70000 12345678", 21, TH_ERROR_FORMAT, "65535");
  refuse("P5 2 2 255 123", 14, TH_ERROR_FORMAT, "2 x 2");
  refuse("P2 2 2 255 1 2 3 x", 18, TH_ERROR_FORMAT, "pixel");
  refuse("P5 16000 16000 255 12", 21, TH_ERROR_FORMAT, "16000");
  refuse("P5 50000 50000 255 12", 21, TH_ERROR_CAPACITY, "50000");
  refuse("P5 99999999999999999999 1 255 1", 31, TH_ERROR_FORMAT, "width");
}

/* Width and height of a PNG's header, with the check sum made right again. */
static void forge(bytes *b, uint32_t width, uint32_t height) {
  const uint32_t value[2] = {width, height};
  for (uint32_t k = 0; k < 8; k++) b->data[16 + k] = (uint8_t)(value[k / 4] >> (24 - 8 * (k % 4)));
  uint32_t crc = 0xffffffffu;
  for (uint32_t k = 12; k < 29; k++) {
    crc ^= b->data[k];
    for (uint32_t n = 0; n < 8; n++) crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
  }
  for (uint32_t k = 0; k < 4; k++) b->data[29 + k] = (uint8_t)(~crc >> (24 - 8 * k));
}

static void broken_png_is_refused(void **unused) {
  (void)unused;
  static bytes b;
  uint8_t grey[400];
  for (uint32_t k = 0; k < 400; k++) grey[k] = (uint8_t)(k * 37);
  write_png(&b, 20, 20, 8, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, grey);
  expect(b.data, b.size, 20, 20, grey);
  for (size_t cut = 4; cut < b.size; cut++) refuse(b.data, cut, TH_ERROR_FORMAT, "PNG");
  b.data[50] ^= 0x10;
  refuse(b.data, b.size, TH_ERROR_FORMAT, "byte");
  b.data[50] ^= 0x10;
  forge(&b, 60000, 40000); /* says 2.4 GB */
  refuse(b.data, b.size, TH_ERROR_CAPACITY, "60000 x 40000");
  forge(&b, 0x7fffffff, 0x7fffffff);
  refuse(b.data, b.size, TH_ERROR_CAPACITY, "2147483647");
  forge(&b, 16000, 16000);
  refuse(b.data, b.size, TH_ERROR_FORMAT, "16000");
  forge(&b, 0, 20);
  refuse(b.data, b.size, TH_ERROR_FORMAT, "byte");
}

static th_result parse(const char *text, th_robot_map *map, th_error *error) {
  th_image_source source = {NULL, "map.yaml", (const uint8_t *)text, strlen(text)};
  return th_robot_map_parse(&source, map, error);
}

static void maps_are_parsed(void **unused) {
  (void)unused;
  th_robot_map map;
  assert_int_equal(parse("image: \"my hall.pgm\"  # drawn by hand\nmode: trinary\nresolution: 0.05\n"
                         "origin: [-10.5, 2e1, 0.0]\nnegate: 1\noccupied_thresh: 0.7\nfree_thresh: 0.3\n",
                         &map, NULL),
                   TH_OK);
  assert_string_equal(map.image, "my hall.pgm");
  assert_true(map.resolution == 0.05 && map.origin[0] == -10.5 && map.origin[1] == 20.0 && map.negate);
  assert_true(map.occupied == 0.7 && map.free == 0.3);
  const struct {
    const char *text, *part;
    th_result code;
    uint32_t line;
  } bad[] = {{"resolution: 0.05\norigin: [0, 0, 0]\n", "image", TH_ERROR_FORMAT, 0},
             {"image: a.pgm\n", "resolution", TH_ERROR_RANGE, 0},
             {"image: a.pgm\nresolution: -1\n", "-1", TH_ERROR_RANGE, 0},
             {"image: a.pgm\nresolution: nan\n", "value", TH_ERROR_FORMAT, 2},
             {"image: a.pgm\nresolution: 1\norigin: [1, 2]\n", "origin", TH_ERROR_FORMAT, 3},
             {"image: a.pgm\nresolution: 1\norigin: [1, 2, 0.5]\n", "yaw", TH_ERROR_RANGE, 0},
             {"image: a.pgm\nresolution: 1\norigin: [1e9, 2, 0]\n", "origin", TH_ERROR_RANGE, 0},
             {"image: a.pgm\nresolution: 1\nnegate: maybe\n", "negate", TH_ERROR_FORMAT, 3},
             {"image: a.pgm\nresolution: 1\nfree_thresh: 0.9\n", "free_thresh", TH_ERROR_RANGE, 0},
             {"image: a.pgm\n\njust words\n", "key", TH_ERROR_FORMAT, 3}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    th_error error = {0};
    assert_int_equal(parse(bad[k].text, &map, &error), bad[k].code);
    assert_int_equal(error.line, bad[k].line);
    if (!strstr(error.text, bad[k].part)) fail_msg("expected '%s' in '%s'", bad[k].part, error.text);
  }
}

static void write_file(const char *folder, const char *name, const void *data, size_t size) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *stream = fopen(path, "wb");
  assert_non_null(stream);
  assert_int_equal(fwrite(data, 1, size, stream), size);
  fclose(stream);
}

static const char *const files[] = {"hall.pgm", "hall.yaml", "lost.yaml", "empty.png"};

static th_result load_hall(const th_env *env, void *context) {
  char path[256];
  snprintf(path, sizeof path, "%s/hall.yaml", (const char *)context);
  th_image_file file;
  th_result result = th_image_read(&(th_image_def){.env = *env, .path = path}, &file, NULL);
  th_image_file_free(&file);
  return result;
}

static th_result load(const char *folder, const char *name, th_image_file *file, th_error *error) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return th_image_read(&(th_image_def){.path = path}, file, error);
}

static void files_are_loaded_relative_to_the_map(void **unused) {
  (void)unused;
  char folder[] = "/tmp/throng-image-XXXXXX";
  assert_non_null(mkdtemp(folder));
  const char yaml[] = "image: hall.pgm\nresolution: 0.1\norigin: [1, 2, 0]\nnegate: 0\n",
             lost[] = "image: no.pgm\nresolution: 1\n";
  const char pgm[] = "P5 3 1 255\n\x00\xcd\xfe"; /* occupied, unknown, free */
  write_file(folder, "hall.pgm", pgm, sizeof pgm - 1);
  write_file(folder, "hall.yaml", yaml, sizeof yaml - 1);
  write_file(folder, "lost.yaml", lost, sizeof lost - 1);
  write_file(folder, "empty.png", "", 0);
  th_image_file file;
  th_error error = {0};
  assert_int_equal(load(folder, "hall.yaml", &file, &error), TH_OK);
  assert_memory_equal(file.image.grey, ((const uint8_t[3]){0, 0, 255}), 3);
  assert_true(file.image.metres_per_pixel == 0.1f && file.image.origin.x == 1.0f && file.image.origin.y == 2.0f);
  th_image_file_free(&file);
  assert_int_equal(load(folder, "lost.yaml", &file, &error), TH_ERROR_FILE);
  assert_non_null(strstr(error.where, "no.pgm"));
  assert_int_equal(load(folder, "absent.png", &file, &error), TH_ERROR_FILE);
  assert_int_equal(load(folder, "empty.png", &file, &error), TH_ERROR_FORMAT);
  assert_int_not_equal(load(folder, "", &file, &error), TH_OK); /* a folder */
  assert_true(failing_every(load_hall, folder) >= 3);
  for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, files[k]);
    unlink(path);
  }
  assert_int_equal(rmdir(folder), 0);
}

static th_result decode_png(const th_env *env, void *context) {
  const bytes *b = context;
  th_image_file file;
  th_result result = th_image_read(&(th_image_def){.env = *env, .bytes = b->data, .size = b->size}, &file, NULL);
  th_image_file_free(&file);
  return result;
}

static void failing_allocations_are_survived(void **unused) {
  (void)unused;
  static bytes b;
  uint8_t rgb[20 * 20 * 3];
  for (uint32_t k = 0; k < sizeof rgb; k++) rgb[k] = (uint8_t)(k * 91);
  write_png(&b, 20, 20, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_ADAM7, rgb);
  assert_true(failing_every(decode_png, &b) > 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kind_of_png_becomes_grey),
      cmocka_unit_test(pgm_is_read_as_text_and_bytes),
      cmocka_unit_test(broken_pgm_is_refused),
      cmocka_unit_test(broken_png_is_refused),
      cmocka_unit_test(maps_are_parsed),
      cmocka_unit_test(files_are_loaded_relative_to_the_map),
      cmocka_unit_test(failing_allocations_are_survived),
  };
  return cmocka_run_group_tests_name("image", tests, NULL, NULL);
}
