/* report/figure/colour.c - colours from a space in which equal steps look equal.
 *
 * OKLab (Ottosson 2020) is a space in which distance is perceived difference. The colour map is a helix in it:
 * lightness and hue change linearly and chroma is constant, so that equal steps of t are equal steps of colour by
 * construction, and lightness alone still orders them in grey print. Lightness ends at 0.80, because thin lines must
 * show on white paper.
 */
#include "report/figure/colour.h"

#include <math.h>

#include "base/trig.h"

static double clamp01(double a) { return a < 0.0 ? 0.0 : a > 1.0 ? 1.0 : a; }

/* Linear light to sRGB (IEC 61966-2-1). */
static double encode(double a) {
  a = clamp01(a);
  return a <= 0.0031308 ? 12.92 * a : 1.055 * pow(a, 1.0 / 2.4) - 0.055;
}

th_colour th_colour_oklch(double lightness, double chroma, double hue) {
  double a = chroma * cos(hue * TH_DEGREE), b = chroma * sin(hue * TH_DEGREE);
  /* cube roots of cone responses, then the responses themselves */
  double l = lightness + 0.3963377774 * a + 0.2158037573 * b, m = lightness - 0.1055613458 * a - 0.0638541728 * b,
         s = lightness - 0.0894841775 * a - 1.2914855480 * b;
  l = l * l * l, m = m * m * m, s = s * s * s;
  return (th_colour){encode(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
                     encode(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
                     encode(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

/* Blue, plum, coral, amber: hue 265 to 440 degrees through red. */
th_colour th_colour_ramp(double t) {
  t = isfinite(t) ? clamp01(t) : 0.0;
  return th_colour_oklch(0.38 + 0.43 * t, 0.14, 265.0 + 173.0 * t);
}

/* Almost white to slate blue. */
th_colour th_colour_wash(double t) {
  t = isfinite(t) ? clamp01(t) : 0.0;
  return th_colour_oklch(0.985 - 0.30 * t, 0.008 + 0.075 * t, 215.0 + 40.0 * t);
}

/* Hues a golden angle apart, so that neighbours in number differ. */
th_colour th_colour_of(uint64_t number) {
  double hue = 137.50776405 * (double)(number % 1000);
  return th_colour_oklch(0.52 + 0.06 * (double)(number % 4), 0.095, fmod(250.0 + hue, 360.0));
}

/* Cream, green, teal, deep blue. Lightness falls evenly; chroma stays low at the light end, because shading is added to
 * it. */
th_colour th_colour_relief(double t) {
  t = isfinite(t) ? clamp01(t) : 0.0;
  return th_colour_oklch(0.96 - 0.50 * t, 0.045 + 0.065 * t, 95.0 + 170.0 * t);
}

/* Chroma grows evenly from the middle to both sides. */
th_colour th_colour_split(double t) {
  t = isfinite(t) ? clamp01(t) : 0.5;
  double off = fabs(2.0 * t - 1.0);
  return th_colour_oklch(0.96 - 0.36 * off, 0.17 * off, t < 0.5 ? 255.0 : 30.0);
}

th_colour th_colour_potential(double t) {
  t = isfinite(t) ? clamp01(t) : 1.0;
  return (th_colour){0.05 + 0.81 * t, 0.75 - 0.70 * t, 0.05};
}

void th_colour_map(double t, double rgb[3]) {
  th_colour c = th_colour_ramp(t);
  rgb[0] = c.r, rgb[1] = c.g, rgb[2] = c.b;
}
