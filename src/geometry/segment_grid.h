/* geometry/segment_grid.h - segments in uniform buckets: those in a box, the nearest one, the first one on a ray. */
#ifndef TH_GEOMETRY_SEGMENT_GRID_H
#define TH_GEOMETRY_SEGMENT_GRID_H

#include "geometry/segment.h"
#include "geometry/vector.h"

typedef struct th_segment_grid {
  const th_segment *segment; /* not owned */
  uint32_t segment_count;
  double x0, y0, size, inverse, pad; /* a segment is listed in every bucket within `pad` of it */
  uint32_t columns, rows;
  uint32_t *start; /* columns * rows + 1 */
  uint32_t *item;  /* ascending in each bucket */
  uint32_t item_count;
} th_segment_grid;

/* Buckets hold few segments: their size follows the density, at most `widest` [m]. False when out of memory. */
bool th_segment_grid_make(th_segment_grid *grid, const th_allocator *allocator, const th_segment *segment,
                          uint32_t count, double widest, double pad);
void th_segment_grid_free(th_segment_grid *grid, const th_allocator *allocator);

static inline uint32_t th_grid_column(const th_segment_grid *grid, double x) {
  return th_bin_double((x - grid->x0) * grid->inverse, grid->columns);
}

static inline uint32_t th_grid_row(const th_segment_grid *grid, double y) {
  return th_bin_double((y - grid->y0) * grid->inverse, grid->rows);
}

/* Columns of the buckets at Chebyshev distance `ring` from column `ci` in one row: all of them at the ring's lower and
 * upper `edge`, else its two ends. */
typedef struct th_ring_row {
  int64_t first, last, step; /* none: the first is beyond the last */
} th_ring_row;

static inline th_ring_row th_segment_grid_ring(const th_segment_grid *grid, int64_t ci, int64_t ring, bool edge) {
  const int64_t left = ci - ring, right = ci + ring, end = grid->columns;
  if (edge) return (th_ring_row){left < 0 ? 0 : left, right < end ? right : end - 1, 1};
  return (th_ring_row){left < 0 ? right : left, right < end ? right : left, 2 * ring};
}

/* Rows a segment is listed in, and its columns in one of these rows. */
void th_segment_grid_rows(const th_segment_grid *grid, const th_segment *s, uint32_t *first, uint32_t *last);
void th_segment_grid_span(const th_segment_grid *grid, const th_segment *s, uint32_t row, uint32_t *first,
                          uint32_t *last);

/* Segments that share a point with the closed box: the `capacity` lowest indices, ascending; returns how many there
 * are. */
uint32_t th_segment_grid_near(const th_segment_grid *grid, const th_box *box, uint32_t *index, uint32_t capacity);

/* Nearest segment within `reach` (the lowest index of equals), UINT32_MAX when there is none. */
uint32_t th_segment_grid_nearest(const th_segment_grid *grid, th_point p, double reach, th_point *on, double *distance);

/* First segment on the ray from p along the unit vector d, at most `length` away; the ray meets a segment from either
 * side and ignores one that is parallel to it. UINT32_MAX when it meets none. */
uint32_t th_segment_grid_ray(const th_segment_grid *grid, th_point p, th_point d, double length, double *distance);

#endif
