/* report/render/mark.h - from a recorded mark to one of a figure. */
#ifndef TH_REPORT_RENDER_MARK_H
#define TH_REPORT_RENDER_MARK_H

#include "throng/figure.h"

/* Texts and outline stay those of `mark`. */
static inline th_mesh_figure_mark th_mesh_figure_mark_of(const th_mesh_mark *mark) {
  return (th_mesh_figure_mark){.kind = mark->kind,
                               .name = mark->name,
                               .face = mark->face,
                               .point = mark->point,
                               .radius = mark->radius,
                               .outline = mark->outline,
                               .outline_count = mark->outline_count,
                               .closed = mark->closed,
                               .low = mark->low,
                               .high = mark->high};
}

#endif
