/* view/markers.h - markers in the chart of a patch, in squares. */
#ifndef TH_VIEW_MARKERS_H
#define TH_VIEW_MARKERS_H

#include "ground/markers/set.h"
#include "view/patch_crowd.h"
#include "view/view.h"

#define TH_MAX_SHEET 65536u /* markers in and around one patch of a mesh; more are left out */
#define TH_MAX_SHEET_SQUARES 16384u

/* One worker's memory for the markers of one patch of a mesh. */
typedef struct th_marker_sheet {
  float *x, *y, *clearance, *found_x, *found_y; /* by square; as found */
  uint32_t *number, *found_number, *found_square, *start;
  uint32_t count;
  th_view_markers view;
} th_marker_sheet;

bool th_marker_sheet_make(th_marker_sheet *sheet, const th_allocator *allocator);
void th_marker_sheet_free(th_marker_sheet *sheet, const th_allocator *allocator);

/* Lays the markers of a patch flat that lie within `reach` of it; with `own` only those of its own faces. */
typedef struct th_marker_sheet_def {
  const th_markers *set;
  const th_patches *patches;
  const th_chart *chart;
  float reach; /* [m] */
  bool own;
} th_marker_sheet_def;
void th_marker_sheet_lay(th_marker_sheet *sheet, const th_marker_sheet_def *def);

/* Flat ground: all markers, and the squares that belong to a patch of the order (UINT32_MAX: none). A square belongs to
 * the patch that holds its middle; the ones at the rim of the order's clusters also have what lies beyond. */
th_view_markers th_view_markers_flat(const th_ground *ground, const th_markers *set, const th_order *order,
                                     uint32_t patch);

#endif
