/* report/figure/canvas.c - opening, closing and lettering a page.
 *
 * Cairo draws the same commands to PNG, SVG and PDF. A figure is made under a temporary name, so that a full disk or a
 * stopped program leaves the former figure unchanged.
 */
#include "report/figure/canvas.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/letters.h"
#include "base/trig.h"
#include "io/recording/file.h"

const th_colour th_ink = {0.145, 0.150, 0.165}, th_soft_ink = {0.40, 0.41, 0.43}, th_faint_ink = {0.66, 0.66, 0.67},
                th_paper = {1, 1, 1}, th_floor = {0.985, 0.982, 0.975}, th_solid = {0.870, 0.863, 0.850};

static const char *ending_of(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot && !strchr(dot, '/') ? dot : "";
}

bool th_canvas_can(const char *path) {
  const char *ending = ending_of(path);
  return th_letters_same(ending, ".png") || th_letters_same(ending, ".svg") || th_letters_same(ending, ".pdf");
}

static th_result check(th_canvas *canvas, double width, double height, th_error *error) {
  const char *path = canvas->path;
  if (!th_canvas_can(path))
    return th_fail(error, TH_ERROR_FORMAT, path, "expected a name that ends in .png, .svg or .pdf, found '%s'",
                   ending_of(path));
  if (!(width >= 200.0 && width <= 20000.0 && height >= 50.0 && height <= 30000.0))
    return th_fail(error, TH_ERROR_RANGE, path, "expected a figure 200 to 20000 pixels wide, found %g x %g", width,
                   height);
  if (!th_file_is_replaceable(path))
    return th_fail(error, TH_ERROR_FILE, path, "expected a file that may be replaced, found a folder or device");
  canvas->file = th_file_fresh(canvas->part);
  if (!canvas->file) return th_fail(error, TH_ERROR_FILE, path, "cannot be written: %s", strerror(errno));
  return TH_OK;
}

static cairo_status_t put(void *file, const unsigned char *data, unsigned int length) {
  return fwrite(data, 1, length, file) == length ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

th_result th_canvas_open(th_canvas *canvas, const char *path, double width, double height, th_error *error) {
  *canvas = (th_canvas){.width = width, .height = ceil(height), .unit = width / 1600.0};
  if (strlen(path) >= sizeof canvas->path)
    return th_fail(error, TH_ERROR_FILE, path, "expected a name below %zu characters", sizeof canvas->path);
  snprintf(canvas->path, sizeof canvas->path, "%s", path);
  snprintf(canvas->part, sizeof canvas->part, "%s.part", path);
  th_result result = check(canvas, width, canvas->height, error);
  if (result != TH_OK) return result;
  const char *ending = ending_of(path);
  canvas->png = th_letters_same(ending, ".png");
  if (canvas->png)
    canvas->surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)width, (int)canvas->height);
  else if (th_letters_same(ending, ".svg"))
    canvas->surface = cairo_svg_surface_create_for_stream(put, canvas->file, width, canvas->height);
  else
    canvas->surface = cairo_pdf_surface_create_for_stream(put, canvas->file, width, canvas->height);
  canvas->cr = cairo_create(canvas->surface);
  if (cairo_status(canvas->cr) != CAIRO_STATUS_SUCCESS) {
    result =
        th_fail(error, TH_ERROR_MEMORY, path, "cannot be drawn: %s", cairo_status_to_string(cairo_status(canvas->cr)));
    th_canvas_drop(canvas);
    return result;
  }
  th_canvas_colour(canvas->cr, th_paper, 1.0);
  cairo_paint(canvas->cr);
  cairo_set_line_join(canvas->cr, CAIRO_LINE_JOIN_ROUND);
  return TH_OK;
}

th_result th_canvas_close(th_canvas *canvas, th_error *error) {
  cairo_status_t status = cairo_status(canvas->cr);
  if (status == CAIRO_STATUS_SUCCESS && canvas->png)
    status = cairo_surface_write_to_png_stream(canvas->surface, put, canvas->file);
  cairo_destroy(canvas->cr);
  cairo_surface_finish(canvas->surface);
  if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(canvas->surface);
  cairo_surface_destroy(canvas->surface);
  if (fclose(canvas->file) != 0 && status == CAIRO_STATUS_SUCCESS) status = CAIRO_STATUS_WRITE_ERROR;
  if (status == CAIRO_STATUS_SUCCESS && th_file_rename(canvas->part, canvas->path)) return TH_OK;
  const char *why = status == CAIRO_STATUS_SUCCESS ? strerror(errno) : cairo_status_to_string(status);
  th_file_remove(canvas->part);
  return th_fail(error, status == CAIRO_STATUS_NO_MEMORY ? TH_ERROR_MEMORY : TH_ERROR_FILE, canvas->path,
                 "cannot be written: %s", why);
}

void th_canvas_drop(th_canvas *canvas) {
  cairo_destroy(canvas->cr);
  cairo_surface_finish(canvas->surface);
  cairo_surface_destroy(canvas->surface);
  fclose(canvas->file);
  th_file_remove(canvas->part);
}

void th_canvas_colour(cairo_t *cr, th_colour colour, double alpha) {
  cairo_set_source_rgba(cr, colour.r, colour.g, colour.b, alpha);
}

static void choose_font(cairo_t *cr, double size, bool bold) {
  cairo_select_font_face(cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                         bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(cr, size);
}

double th_canvas_text_width(cairo_t *cr, double size, bool bold, const char *text) {
  cairo_text_extents_t extents;
  choose_font(cr, size, bold);
  cairo_text_extents(cr, text, &extents);
  return extents.x_advance;
}

double th_canvas_text(cairo_t *cr, double x, double y, const char *text, th_lettering l) {
  char line[256];
  size_t length = strlen(text);
  if (length > sizeof line - 4) length = sizeof line - 4;
  memcpy(line, text, length);
  line[length] = 0;
  double width = th_canvas_text_width(cr, l.size, l.bold, line);
  while (l.max > 0.0 && width > l.max && length > 1) {
    do length--;
    while (length > 1 && ((uint8_t)line[length] & 0xC0) == 0x80); /* not inside a UTF-8 character */
    memcpy(line + length, "\xE2\x80\xA6", 4);
    width = th_canvas_text_width(cr, l.size, l.bold, line);
  }
  cairo_move_to(cr, x - (l.align == TH_RIGHT ? width : l.align == TH_CENTRE ? width / 2 : 0.0), y);
  cairo_show_text(cr, line);
  return width;
}

void th_canvas_time_mark(cairo_t *cr, double x, double y, double unit, const char *text) {
  cairo_new_path(cr);
  cairo_arc(cr, x, y, 3.5 * unit, 0.0, TH_TURN);
  th_canvas_colour(cr, th_paper, 1.0);
  cairo_fill_preserve(cr);
  th_canvas_colour(cr, th_ink, 0.9);
  cairo_set_line_width(cr, 1.5 * unit);
  cairo_stroke(cr);
  if (text && text[0]) th_canvas_text(cr, x + 6.0 * unit, y - 6.0 * unit, text, (th_lettering){.size = 14.0 * unit});
}

double th_canvas_round_down(double max) {
  if (!(max > 0.0) || !isfinite(max)) return 1.0;
  double power = pow(10.0, floor(log10(max)));
  return power * (max >= 5.0 * power ? 5.0 : max >= 2.0 * power ? 2.0 : 1.0);
}
