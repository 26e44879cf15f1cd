/* io/image/image.h - the decoders of images (internal). */
#ifndef TH_IO_IMAGE_IMAGE_H
#define TH_IO_IMAGE_IMAGE_H

#include "throng/image.h"

/* What a decoder works on. `allocator` is complete. */
typedef struct th_image_source {
  const th_allocator *allocator;
  const char *where; /* for errors */
  const uint8_t *bytes;
  size_t size;
} th_image_source;

/* Each fills grey, width and height of `image`, or nothing. */
th_result th_png_decode(const th_image_source *source, th_image *image, th_error *error);
th_result th_pgm_decode(const th_image_source *source, th_image *image, th_error *error);

/* Allocates width * height grey values, or fails when the image is empty or beyond the documented limit. */
th_result th_image_take(const th_image_source *source, uint32_t width, uint32_t height, uint8_t **grey,
                        th_error *error);

/* The YAML of a robot map (ROS map_server): the keys that matter here. */
typedef struct th_robot_map {
  char image[512];
  double resolution, origin[3], occupied, free;
  bool negate;
} th_robot_map;

th_result th_robot_map_parse(const th_image_source *source, th_robot_map *map, th_error *error);

/* Turns grey values into 0 (occupied, unknown) and 255 (free) by the map's thresholds, and sets scale and origin. */
void th_robot_map_apply(const th_robot_map *map, uint8_t *grey, th_image *image);

#endif
