/* io/image/png.c - PNG images through libpng.
 *
 * libpng's transformations turn every kind of PNG into 8-bit grey with alpha, which is blended with white, so that
 * transparent pixels are walkable. libpng reports errors by longjmp; everything that must be released is in a struct of
 * the caller of setjmp, so its members keep their values. libpng's memory comes from the host's allocator. Deflate
 * compresses at most 1032 to 1 (zlib's technical details), so a header that promises more than the file can hold is
 * refused.
 */
#include <png.h>
#include <setjmp.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/image/image.h"

typedef struct reader {
  const th_image_source *source;
  th_error *error;
  th_result result;
  size_t at; /* bytes read */
  png_structp png;
  png_infop info;
  uint32_t width, height;
  uint8_t *grey;
  uint8_t *rows; /* grey and alpha: one row, or all when interlaced */
  size_t rows_size;
} reader;

/* The host's release function needs the size of the block, and libpng does not keep it. */
typedef union block {
  size_t size;
  uint8_t align[TH_ALIGN];
} block;

static png_voidp take(png_structp png, png_alloc_size_t size) {
  const reader *r = png_get_mem_ptr(png);
  if (size > SIZE_MAX - sizeof(block)) return NULL;
  block *head = th_take(r->source->allocator, size + sizeof(block), 1);
  if (!head) return NULL;
  head->size = size + sizeof(block);
  return head + 1;
}

static void give(png_structp png, png_voidp memory) {
  const reader *r = png_get_mem_ptr(png);
  if (!memory) return;
  block *head = (block *)memory - 1;
  th_give(r->source->allocator, head, head->size, 1);
}

static void on_error(png_structp png, png_const_charp text) {
  reader *r = png_get_error_ptr(png);
  bool memory = strstr(text, "memory") != NULL;
  r->result = memory ? th_fail_memory(r->error, r->source->where)
                     : th_fail(r->error, TH_ERROR_FORMAT, r->source->where,
                               "expected a whole PNG image, found at byte %zu: %s", r->at, text);
  png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text) {
  (void)png;
  (void)text;
}

static void read_bytes(png_structp png, png_bytep out, size_t size) {
  reader *r = png_get_io_ptr(png);
  if (size > r->source->size - r->at) png_error(png, "the end of the file");
  memcpy(out, r->source->bytes + r->at, size);
  r->at += size;
}

static void ask_for_grey_and_alpha(const reader *r) {
  png_structp png = r->png;
  int colour = png_get_color_type(png, r->info);
  png_set_expand(png); /* palettes, 1 to 4 bits, transparent colours */
  png_set_scale_16(png);
  if (colour & PNG_COLOR_MASK_COLOR) png_set_rgb_to_gray(png, PNG_ERROR_ACTION_NONE, -1.0, -1.0);
  if (!(colour & PNG_COLOR_MASK_ALPHA) && !png_get_valid(png, r->info, PNG_INFO_tRNS))
    png_set_add_alpha(png, 0xff, PNG_FILLER_AFTER);
}

/* Blends the pixel with white: g a + 255 (1 - a). */
static void lay_on_white(const uint8_t *row, uint32_t width, uint8_t *grey) {
  for (uint32_t i = 0; i < width; i++) {
    uint32_t g = row[2 * i], a = row[2 * i + 1];
    grey[i] = (uint8_t)((g * a + 255 * (255 - a) + 127) / 255);
  }
}

static void read_pixels(reader *r, int passes) {
  size_t stride = 2 * (size_t)r->width;
  for (int pass = 0; pass < passes; pass++)
    for (uint32_t j = 0; j < r->height; j++) {
      uint8_t *row = r->rows + (passes > 1 ? j * stride : 0);
      png_read_row(r->png, row, NULL);
      if (pass == passes - 1) lay_on_white(row, r->width, r->grey + (size_t)j * r->width);
    }
  png_read_end(r->png, NULL);
}

/* Sizes from the header, checked before anything of that size is allocated. */
static bool take_pixels(reader *r, int passes) {
  const th_image_source *source = r->source;
  uint64_t packed = (uint64_t)png_get_rowbytes(r->png, r->info) * r->height;
  if ((uint64_t)r->width * r->height <= 1u << 28 && packed > (uint64_t)source->size * 1032 + 1032) {
    r->result =
        th_fail(r->error, TH_ERROR_FORMAT, source->where,
                "expected the bytes of %u x %u pixels, found a file of %zu bytes", r->width, r->height, source->size);
    return false;
  }
  r->result = th_image_take(source, r->width, r->height, &r->grey, r->error);
  if (r->result) return false;
  r->rows_size = 2 * (size_t)r->width * (passes > 1 ? r->height : 1);
  r->rows = TH_TAKE(source->allocator, uint8_t, r->rows_size);
  if (!r->rows) r->result = th_fail_memory(r->error, source->where);
  return r->rows != NULL;
}

static void run(reader *r) {
  if (setjmp(png_jmpbuf(r->png))) return;
  png_set_read_fn(r->png, r, read_bytes);
  png_set_user_limits(r->png, 0x7fffffff, 0x7fffffff);
  png_set_chunk_malloc_max(r->png, 1 << 22);
  png_read_info(r->png, r->info);
  r->width = png_get_image_width(r->png, r->info);
  r->height = png_get_image_height(r->png, r->info);
  int passes = png_get_interlace_type(r->png, r->info) == PNG_INTERLACE_NONE ? 1 : 7;
  if (!take_pixels(r, passes)) return;
  ask_for_grey_and_alpha(r);
  if (passes > 1) passes = png_set_interlace_handling(r->png);
  png_read_update_info(r->png, r->info);
  if (png_get_rowbytes(r->png, r->info) != 2 * (size_t)r->width) png_error(r->png, "an unknown kind of pixels");
  read_pixels(r, passes);
}

th_result th_png_decode(const th_image_source *source, th_image *image, th_error *error) {
  reader r = {.source = source, .error = error};
  r.png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &r, on_error, on_warning, &r, take, give);
  if (!r.png) return th_fail_memory(error, source->where);
  r.info = png_create_info_struct(r.png);
  if (r.info)
    run(&r);
  else
    r.result = th_fail_memory(error, source->where);
  png_destroy_read_struct(&r.png, &r.info, NULL);
  TH_GIVE(source->allocator, r.rows, r.rows_size);
  if (!r.result) {
    image->grey = r.grey;
    image->width = r.width;
    image->height = r.height;
    return TH_OK;
  }
  TH_GIVE(source->allocator, r.grey, (size_t)r.width * r.height);
  return r.result;
}
