/* ground/flat/image_walls.c - the dark pixels of an image as solid squares.
 *
 * Walls are the pixel sides between dark and light. Sides in one line with the light pixels on the same side are
 * joined, so a room drawn with a thousand pixels has four walls. Beyond the image every pixel counts as light; the
 * outline decides there. Two passes over the pixel sides, one to count and one to write: O(pixels).
 */
#include "ground/flat/image_walls.h"

#include "base/memory.h"

/* -1: light before the line and dark after it, 1: the other way round, 0: no border. */
typedef int (*border_rule)(const th_image_walls *picture, uint32_t line, uint32_t along);

static int is_dark(const th_image_walls *picture, uint32_t i, uint32_t j) {
  return picture->dark[(size_t)j * picture->width + i];
}

static int across_rows(const th_image_walls *picture, uint32_t line, uint32_t along) {
  int below = line > 0 ? is_dark(picture, along, line - 1) : 0;
  int above = line < picture->height ? is_dark(picture, along, line) : 0;
  return below - above;
}

static int across_columns(const th_image_walls *picture, uint32_t line, uint32_t along) {
  int before = line > 0 ? is_dark(picture, line - 1, along) : 0;
  int after = line < picture->width ? is_dark(picture, line, along) : 0;
  return before - after;
}

static th_segment run_segment(const th_image_walls *p, bool rows, uint32_t line, uint32_t from, uint32_t to) {
  double u = (rows ? p->y0 : p->x0) + line * p->pixel, v0 = (rows ? p->x0 : p->y0) + from * p->pixel;
  double v1 = (rows ? p->x0 : p->y0) + to * p->pixel;
  if (rows) return (th_segment){(float)v0, (float)u, (float)v1, (float)u};
  return (th_segment){(float)u, (float)v0, (float)u, (float)v1};
}

static th_segment turned(th_segment s) { return (th_segment){s.bx, s.by, s.ax, s.ay}; }

/* Runs of one direction; writes them when `out` is given and returns how many there are. */
static uint32_t runs(const th_image_walls *picture, bool rows, th_segment *out) {
  border_rule rule = rows ? across_rows : across_columns;
  uint32_t lines = rows ? picture->height : picture->width, length = rows ? picture->width : picture->height;
  uint32_t count = 0;
  for (uint32_t line = 0; line <= lines; line++) {
    int current = 0;
    uint32_t from = 0;
    for (uint32_t at = 0; at <= length; at++) {
      int now = at < length ? rule(picture, line, at) : 0;
      if (now == current) continue;
      if (current && out) {
        /* Left of a side that runs along +x is above it, left of one along +y is before it. */
        bool forward = rows ? current > 0 : current < 0;
        th_segment s = run_segment(picture, rows, line, from, at);
        out[count] = forward ? s : turned(s);
      }
      count += current != 0;
      current = now;
      from = at;
    }
  }
  return count;
}

th_image_walls *th_image_walls_make(const th_allocator *allocator, const th_image *image) {
  th_image_walls *picture = TH_TAKE(allocator, th_image_walls, 1);
  if (!picture) return NULL;
  picture->references = 1;
  picture->x0 = (double)image->origin.x;
  picture->y0 = (double)image->origin.y;
  picture->pixel = (double)image->metres_per_pixel;
  picture->width = image->width;
  picture->height = image->height;
  picture->dark = TH_TAKE(allocator, uint8_t, (size_t)image->width * image->height);
  if (picture->dark) {
    for (uint32_t j = 0; j < image->height; j++) {
      const uint8_t *row = image->grey + (size_t)(image->height - 1 - j) * image->width;
      for (uint32_t i = 0; i < image->width; i++) picture->dark[(size_t)j * image->width + i] = row[i] < image->dark;
    }
    uint32_t across = runs(picture, true, NULL);
    picture->border_count = across + runs(picture, false, NULL);
    picture->border = TH_TAKE(allocator, th_segment, picture->border_count);
    if (picture->border) {
      runs(picture, true, picture->border);
      runs(picture, false, picture->border + across);
      return picture;
    }
  }
  th_image_walls_release(picture, allocator);
  return NULL;
}

void th_image_walls_release(th_image_walls *picture, const th_allocator *allocator) {
  if (!picture || atomic_fetch_sub(&picture->references, 1) != 1) return;
  if (picture->dark) TH_GIVE(allocator, picture->dark, (size_t)picture->width * picture->height);
  if (picture->border) TH_GIVE(allocator, picture->border, picture->border_count);
  TH_GIVE(allocator, picture, 1);
}
