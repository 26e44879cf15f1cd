/* report/figure/colour.h - colours of figures. */
#ifndef TH_REPORT_FIGURE_COLOUR_H
#define TH_REPORT_FIGURE_COLOUR_H

#include "throng/figure.h"

typedef struct th_colour {
  double r, g, b;
} th_colour;

/* Lightness 0 to 1, chroma (0 grey, about 0.2 vivid), hue in degrees; clipped to what a screen shows. */
th_colour th_colour_oklch(double lightness, double chroma, double hue);

/* The map of th_colour_map; a light one for backgrounds under lines; one muted colour per number. */
th_colour th_colour_ramp(double t);
th_colour th_colour_wash(double t);
th_colour th_colour_of(uint64_t number);

/* For surfaces: cream to deep blue; blue over paper to red, parting at 0.5; green to red as 3DS-BVP prints potentials.
 */
th_colour th_colour_relief(double t);
th_colour th_colour_split(double t);
th_colour th_colour_potential(double t);

#endif
