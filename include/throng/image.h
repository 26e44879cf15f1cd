/* throng/image.h - files of images that grounds are made of.
 *
 * Part of throng_io, not of the core library. Scenes and recordings have headers of their own.
 * Threads: any; calls on one image must not overlap.
 */
#ifndef THRONG_IMAGE_H
#define THRONG_IMAGE_H

#include "ground.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An image in memory; th_image_file_free releases it. */
typedef struct th_image_file {
  th_image image;
  struct {
    th_allocator allocator;
  } tail; /* the library's own */
} th_image_file;

/** Where an image comes from: a file, or bytes. */
typedef struct th_image_def {
  th_env env;
  const char *path;  /* of a PNG, a PGM (P2 or P5), or the YAML of a robot map that names one of these */
  const void *bytes; /* without a path: of a PNG or PGM */
  size_t size;
} th_image_def;

TH_API th_image_def th_default_image_def(void); /* from nowhere */

/** Reads an image. A PNG is turned into grey values on white paper. PNG and PGM leave metres_per_pixel, origin and dark
 *  at their defaults; a map sets them, and its pixels are 0 (occupied or unknown) or 255 (free). At most 2^28 pixels.
 *  Any thread. */
TH_API th_result th_image_read(const th_image_def *def, th_image_file *file, th_error *error);

/** Releases the pixels; a zeroed file is allowed. Any thread. */
TH_API void th_image_file_free(th_image_file *file);

#ifdef __cplusplus
}
#endif
#endif
