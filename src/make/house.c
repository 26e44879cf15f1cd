/* make/house.c - two storeys joined by a flight of stairs, as one surface.
 *
 * Plans are drawn in characters, half a metre each: '#' is wall, '.' floor, 's' the flight, which rises to the right.
 * Only floor becomes surface, so walls and the stairwell are borders. The flight is the plane through the edges of its
 * steps, as people walk it; the vertices at its ends coincide with vertices of the two floors and are welded to them.
 */
#include "make/shapes.h"

#define WIDE 24
#define DEEP 16
#define STOREY 3.0
#define HALF_METRE 0.5

static const char *const plan[2][DEEP] = {
    {
        "########################",  //
        "#.........#............#",  //
        "#.........#............#",  //
        "#.........#............#",  //
        "#......................#",  //
        "#......................#",  //
        "#.........#............#",  //
        "#.........#............#",  //
        "####..#########..#######",  //
        "#......................#",  //
        "#......................#",  //
        "#......................#",  //
        "#.......ssssssss########",  //
        "#.......ssssssss########",  //
        "#.......ssssssss########",  //
        "########################",
    },
    {
        "########################",  //
        "#.......#......#.......#",  //
        "#.......#......#.......#",  //
        "#.......#......#.......#",  //
        "#.......#......#.......#",  //
        "#.......#......#.......#",  //
        "###..######..#####..####",  //
        "#......................#",  //
        "#......................#",  //
        "#......................#",  //
        "#......................#",  //
        "################.......#",  //
        "########ssssssss.......#",  //
        "########ssssssss.......#",  //
        "########ssssssss.......#",  //
        "########################",
    },
};

/* Row 0 of the plan is at the far end. */
static char tile(int floor, uint32_t i, uint32_t j) { return plan[floor][DEEP - 1 - j][i]; }

/* The flight begins at z = 0 with column `first` and ends at the storey with column `last` + 1. */
static double rise(double column, uint32_t first, uint32_t last) {
  return STOREY * (column - first) / (double)(last + 1 - first);
}

static void add_tile(th_soup *soup, const double *x, const double *y, const double *z) {
  uint32_t v[4];
  for (int k = 0; k < 4; k++) {
    int right = k == 1 || k == 2, up = k >= 2;
    v[k] = th_soup_vertex(soup, x[right], y[up], z[right]);
  }
  th_soup_quad(soup, v[0], v[1], v[2], v[3]);
}

/* One half-metre square in fine x fine tiles; `slope` for the flight. */
static void add_square(th_soup *soup, uint32_t i, uint32_t j, uint32_t fine, double base, bool slope) {
  for (uint32_t b = 0; b < fine; b++) {
    for (uint32_t a = 0; a < fine; a++) {
      double c0 = i + (double)a / fine, c1 = i + (double)(a + 1) / fine;
      double r0 = j + (double)b / fine, r1 = j + (double)(b + 1) / fine;
      const double x[2] = {HALF_METRE * c0, HALF_METRE * c1}, y[2] = {HALF_METRE * r0, HALF_METRE * r1};
      const double z[2] = {slope ? rise(c0, 8, 15) : base, slope ? rise(c1, 8, 15) : base};
      add_tile(soup, x, y, z);
    }
  }
}

void th_make_house(th_soup *soup, uint32_t fine) {
  for (int floor = 0; floor < 2; floor++) {
    for (uint32_t j = 0; j < DEEP; j++) {
      for (uint32_t i = 0; i < WIDE; i++) {
        char c = tile(floor, i, j);
        if (c == '.') add_square(soup, i, j, fine, floor * STOREY, false);
        if (c == 's' && floor == 0) add_square(soup, i, j, fine, 0.0, true);
      }
    }
  }
}
