/* make/plane.c - sheets over a plane: rectangles, equilateral rows, terrain, the shell of a car.
 *
 * A sheet is a graph of heights, so its topology is that of the plane grid: one piece, one border. O(n).
 */
#include <math.h>

#include "make/shapes.h"

static void add_cells(th_soup *soup, uint32_t first, uint32_t columns, uint32_t rows) {
  for (uint32_t j = 0; j < rows; j++) {
    for (uint32_t i = 0; i < columns; i++) {
      uint32_t a = first + j * (columns + 1) + i, d = a + columns + 1;
      th_soup_quad(soup, a, a + 1, d + 1, d);
    }
  }
}

void th_make_plane(th_soup *soup, uint32_t columns, uint32_t rows, double dx, double dy) {
  uint32_t first = soup->vertex_count;
  for (uint32_t j = 0; j <= rows; j++)
    for (uint32_t i = 0; i <= columns; i++) th_soup_vertex(soup, dx * i, dy * j, 0.0);
  add_cells(soup, first, columns, rows);
}

/* Even rows have columns + 1 vertices; odd rows are shifted by half an edge and end on the border all the same, so
 * they have one more. */
void th_make_equilateral(th_soup *soup, uint32_t columns, uint32_t rows, double edge) {
  const double high = edge * sqrt(0.75);
  uint32_t below = 0;
  for (uint32_t j = 0; j <= rows; j++) {
    uint32_t row = soup->vertex_count, count = columns + 1 + (j & 1);
    for (uint32_t i = 0; i < count; i++) {
      double x = j & 1 ? (i == 0 ? 0.0 : i == count - 1 ? columns : i - 0.5) : i;
      th_soup_vertex(soup, edge * x, high * j, 0.0);
    }
    uint32_t wide = j & 1 ? row : below, even = j & 1 ? below : row; /* of the two rows of this strip */
    bool up = j & 1;
    for (uint32_t i = 0; j > 0 && i <= columns; i++) {
      /* vertex i of the even row lies between i and i + 1 of the wide one */
      if (up)
        th_soup_face(soup, even + i, wide + i + 1, wide + i);
      else
        th_soup_face(soup, even + i, wide + i, wide + i + 1);
      if (i == columns) break;
      if (up)
        th_soup_face(soup, even + i, even + i + 1, wide + i + 1);
      else
        th_soup_face(soup, even + i + 1, even + i, wide + i + 1);
    }
    below = row;
  }
}

void th_make_terrain(th_soup *soup, th_make_height height, void *user) {
  for (uint32_t v = 0; v < soup->vertex_count; v++) {
    double *p = soup->xyz[v];
    p[2] = height(user, p[0], p[1]);
  }
}

void th_make_grey_terrain(th_soup *soup, const th_make_grey *image) {
  uint32_t first = soup->vertex_count;
  if (image->width < 2 || image->height < 2) return;
  for (uint32_t j = 0; j < image->height; j++) {
    const uint8_t *row = image->grey + (size_t)(image->height - 1 - j) * image->width;
    for (uint32_t i = 0; i < image->width; i++)
      th_soup_vertex(soup, image->metres_per_pixel * i, image->metres_per_pixel * j,
                     image->low + (image->high - image->low) * row[i] / 255.0);
  }
  add_cells(soup, first, image->width - 1, image->height - 1);
}

/* 0 below a, 1 above b, with a flat start and end. */
static double ramp(double x, double a, double b) {
  double t = (x - a) / (b - a);
  t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
  return t * t * (3.0 - 2.0 * t);
}

/* Bonnet, cabin and boot along x; both fall off towards the sides. */
static double car_height(void *user, double x, double y) {
  (void)user;
  double side = ramp(y, 0.0, 0.35) * ramp(1.8 - y, 0.0, 0.35), ends = ramp(x, 0.0, 0.3) * ramp(4.4 - x, 0.0, 0.3);
  double inner = ramp(y, 0.1, 0.6) * ramp(1.8 - y, 0.1, 0.6);
  double cabin = ramp(x, 1.2, 2.0) * ramp(4.0 - x, 0.0, 0.7);
  return 0.75 * side * ends + 0.65 * inner * cabin;
}

void th_make_car(th_soup *soup) {
  th_make_plane(soup, 34, 18, 4.4 / 34.0, 1.8 / 18.0); /* 35 x 19 = 665 vertices */
  th_make_terrain(soup, car_height, NULL);
}
