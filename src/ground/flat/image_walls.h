/* ground/flat/image_walls.h - the dark pixels of an image and their borders; shared by all versions of a ground. */
#ifndef TH_GROUND_FLAT_IMAGE_WALLS_H
#define TH_GROUND_FLAT_IMAGE_WALLS_H

#include <stdatomic.h>

#include "geometry/segment.h"
#include "throng/ground.h"

typedef struct th_image_walls {
  atomic_uint references;
  double x0, y0, pixel; /* lower left corner and metres per pixel */
  uint32_t width, height;
  uint8_t *dark;      /* 0 or 1, row by row from the lower left */
  th_segment *border; /* sides between dark and light pixels in long runs, light on the left */
  uint32_t border_count;
} th_image_walls;

/* Copies what matters of a checked image. NULL when out of memory. */
th_image_walls *th_image_walls_make(const th_allocator *allocator, const th_image *image);
void th_image_walls_release(th_image_walls *picture, const th_allocator *allocator);

static inline bool th_image_walls_is_dark(const th_image_walls *picture, double x, double y) {
  double i = (x - picture->x0) / picture->pixel, j = (y - picture->y0) / picture->pixel;
  if (!(i >= 0.0 && j >= 0.0 && i < (double)picture->width && j < (double)picture->height)) return false;
  return picture->dark[(size_t)(uint32_t)j * picture->width + (uint32_t)i];
}

#endif
