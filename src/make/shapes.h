/* make/shapes.h - generated surfaces for tests, benchmarks and the gallery. Lengths in metres.
 *
 * Each adds triangles to a soup, counter-clockwise seen from the walkable side; th_soup_mesh makes the mesh. Those that
 * can fail for another reason than memory return a result.
 */
#ifndef TH_MAKE_SHAPES_H
#define TH_MAKE_SHAPES_H

#include "make/soup.h"

#define TH_PI_DOUBLE 3.14159265358979323846

/* Rectangles (0, 0) to (columns dx, rows dy) in z = 0, each cell cut along one diagonal. dy much larger than dx gives
 * long thin triangles, a usual test case of bad meshes. */
void th_make_plane(th_soup *soup, uint32_t columns, uint32_t rows, double dx, double dy);

/* Rows of equilateral triangles with edge `edge` between straight borders; the last triangle of each row is half. */
void th_make_equilateral(th_soup *soup, uint32_t columns, uint32_t rows, double edge);

/* Sets z of every vertex from its x and y. */
typedef double (*th_make_height)(void *user, double x, double y);
void th_make_terrain(th_soup *soup, th_make_height height, void *user);

/* Grey values, row 0 at the top, as heights from `low` (0) to `high` (255); one vertex per pixel. */
typedef struct th_make_grey {
  const uint8_t *grey;
  uint32_t width, height;
  double metres_per_pixel, low, high;
} th_make_grey;

void th_make_grey_terrain(th_soup *soup, const th_make_grey *image);

/* The shell of a car, open below: 665 vertices. */
void th_make_car(th_soup *soup);

/* 20 * 4^level faces. `bumps` > 0 adds smooth radial waves of that share of the radius (below 0.5). */
th_result th_make_icosphere(th_soup *soup, uint32_t level, double radius, double bumps, th_error *error);

/* 2 * around * along faces; `around` the small circle. */
void th_make_torus(th_soup *soup, uint32_t around, uint32_t along, double large, double small);

/* A tube open at both ends, about the z axis from 0 to `length`, radius from `low` to `high` (0 makes a cone's tip).
 * `bend` shifts its axis sideways along a sine of that amplitude. Inside is the walkable side when `inside`. */
typedef struct th_make_pipe {
  uint32_t around, along;
  double length, low, high, bend;
  bool inside;
} th_make_pipe;

void th_make_tube(th_soup *soup, const th_make_pipe *pipe);

/* Costa's minimal surface: genus 1, three ends cut off as border loops; n about 36 gives 1,259 vertices. */
void th_make_costa(th_soup *soup, uint32_t n, double size);

/* Two floors of 12 x 8 m with walls and doors, 3 m apart, joined by a flight of stairs (inclined); `cell` in m divides
 * 0.5 m into `fine` parts. */
void th_make_house(th_soup *soup, uint32_t fine);

/* A solid by the sign of a function (negative inside), smooth enough to be projected on. */
typedef double (*th_make_solid)(void *user, const double *p);

typedef struct th_make_hull {
  th_make_solid solid;
  void *user;
  double lower[3], upper[3]; /* the surface lies inside */
  uint32_t faces;            /* exactly; even */
  uint32_t genus;            /* of the solid; checked */
} th_make_hull;

/* The skin of a solid with exactly that many faces. Fails when no grid of reasonable size shows that genus. */
th_result th_make_hull_of(th_soup *soup, const th_make_hull *skin, th_error *error);

/* A standing figure with `genus` (at most 12) handles, 5 m high. */
th_result th_make_statue(th_soup *soup, uint32_t genus, uint32_t faces, th_error *error);

/* A curved plate with `genus` round holes, 2 m apart. */
th_result th_make_sieve(th_soup *soup, uint32_t genus, uint32_t faces, th_error *error);

/* The surfaces that the reproduced works name, by the sizes they print. */
typedef enum th_make_size {
  TH_MAKE_CAR,       /* 665 vertices, open */
  TH_MAKE_COSTA,     /* 1,259 vertices, genus 1, three borders */
  TH_MAKE_MOTHER,    /* 10,000 faces, genus 4 */
  TH_MAKE_BUNNY,     /* 68,958 faces, genus 0 */
  TH_MAKE_HEPTOROID, /* 40,084 faces, genus 22 */
  TH_MAKE_FERTILITY, /* 40,000 faces, genus 4 */
  TH_MAKE_GLOB,      /* 29,774 faces, genus 7 */
  TH_MAKE_BALL,      /* 20,480 faces, genus 0, distorted sphere */
  TH_MAKE_SIZES
} th_make_size;

th_result th_make_sized(th_soup *soup, th_make_size size, th_error *error);

#endif
