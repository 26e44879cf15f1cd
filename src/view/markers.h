/* view/markers.h - markers in the chart of a patch, in squares. */
#ifndef TH_VIEW_MARKERS_H
#define TH_VIEW_MARKERS_H

#include "ground/chart/sheet.h"
#include "view/view.h"

/* A part of the sheet of a chart; `world_of` is as in th_view_markers. */
th_view_markers th_view_markers_chart(const th_sheet_part *part, const uint32_t *world_of);

/* Flat ground: all markers, and the squares that belong to a patch of the order (UINT32_MAX: none). A square belongs to
 * the patch that holds its middle; the ones at the rim of the order's clusters also have what lies beyond. */
th_view_markers th_view_markers_flat(const th_ground *ground, const th_markers *set, const th_order *order,
                                     uint32_t patch);

#endif
