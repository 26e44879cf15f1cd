/* ground/chart/sheet.h - the markers of a chart, laid flat and sorted into squares. */
#ifndef TH_GROUND_CHART_SHEET_H
#define TH_GROUND_CHART_SHEET_H

#include "ground/chart/chart.h"
#include "ground/markers/markers.h"

/* Markers of a box of the chart. Columns may be read TH_MARKER_PAD entries past the end. */
typedef struct th_sheet_part {
  float x0, y0, inverse; /* lower left corner [m]; 1 / side of a square [1/m] */
  uint32_t columns, rows, count;
  float *x, *y, *clearance; /* by square, row by row: chart [m]; no wall is nearer [m] */
  uint32_t *number;         /* of each in the set; 0 in the entries past the end */
  uint32_t *start;          /* first marker of each square; columns x rows + 1 */
} th_sheet_part;

/* One block of memory; pointers lead into it. */
typedef struct th_marker_sheet {
  size_t bytes;
  th_sheet_part own, around; /* those on faces of the patch; all within reach of it */
} th_marker_sheet;

typedef struct th_sheet_def {
  const th_markers *markers; /* of the ground that the charts belong to; NULL: no sheets are wanted */
  float reach;               /* [m] */
} th_sheet_def;

/* A pure function of its arguments; NULL when out of memory. */
th_marker_sheet *th_marker_sheet_make(const th_sheet_def *def, const th_patches *patches, const th_chart *chart,
                                      const th_allocator *allocator);
void th_marker_sheet_free(th_marker_sheet *sheet, const th_allocator *allocator); /* NULL is ignored */

#endif
