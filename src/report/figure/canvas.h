/* report/figure/canvas.h - a page to draw on, and the map from ground to page. */
#ifndef TH_REPORT_FIGURE_CANVAS_H
#define TH_REPORT_FIGURE_CANVAS_H

#include <cairo.h>
#include <stdio.h>

#include "report/figure/colour.h"

/* A page of one file, in units of a 1600 pixels wide figure: `unit` pixels each. */
typedef struct th_canvas {
  cairo_t *cr;
  cairo_surface_t *surface;
  double width, height, unit; /* pixels; pixels */
  char path[1024], part[1040];
  FILE *file; /* path.part */
  bool png;
} th_canvas;

/* Ground to page: x to right, y up. */
typedef struct th_page_map {
  double left, bottom, scale; /* page of the lower corner; pixels per metre */
  th_vec2 lower, upper;
} th_page_map;

static inline double th_page_map_x(const th_page_map *map, float x) {
  return map->left + ((double)x - (double)map->lower.x) * map->scale;
}
static inline double th_page_map_y(const th_page_map *map, float y) {
  return map->bottom - ((double)y - (double)map->lower.y) * map->scale;
}

/* True when `path` ends in a format that can be drawn: .png, .svg, .pdf. */
bool th_canvas_can(const char *path);

/* Starts the file path.part. */
th_result th_canvas_open(th_canvas *canvas, const char *path, double width, double height, th_error *error);
/* Finishes the file and gives it its name. Frees in any case. */
th_result th_canvas_close(th_canvas *canvas, th_error *error);
/* Discards the page; the former file stays. */
void th_canvas_drop(th_canvas *canvas);

typedef enum th_text_align { TH_LEFT, TH_CENTRE, TH_RIGHT } th_text_align;

void th_canvas_colour(cairo_t *cr, th_colour colour, double alpha);
/* How a text is written; zero-initialised: from the left, of any width. */
typedef struct th_lettering {
  double size; /* [pixels] */
  bool bold;
  th_text_align align;
  double max; /* a wider text is cut with an ellipsis [pixels]; 0: no limit */
} th_lettering;

/* Text with its baseline at (x, y); returns its width. */
double th_canvas_text(cairo_t *cr, double x, double y, const char *text, th_lettering lettering);
/* A dot on a path at (x, y), with the time beside it unless `text` is NULL or empty; `unit` is that of the canvas. */
void th_canvas_time_mark(cairo_t *cr, double x, double y, double unit, const char *text);
double th_canvas_text_width(cairo_t *cr, double size, bool bold, const char *text);

/* The greys of all figures. */
extern const th_colour th_ink, th_soft_ink, th_faint_ink, th_paper, th_floor, th_solid;

/* 1, 2 or 5 times a power of ten, not above `max`. */
double th_canvas_round_down(double max);

#endif
