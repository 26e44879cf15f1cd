/* io/without/png.c - in place of io/image/png.c where libpng is not there: packs hold pixels. */
#include "base/error.h"
#include "io/image/image.h"

th_result th_png_decode(const th_image_source *source, th_image *image, th_error *error) {
  (void)image;
  return th_fail(error, TH_ERROR_FILE, source->where,
                 "expected a build with libpng for a PNG, found one without; throng pack SCENE makes a file that needs "
                 "none");
}
