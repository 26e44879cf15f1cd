/* io/plan/shapes.h - a plan that grows. */
#ifndef TH_IO_PLAN_SHAPES_H
#define TH_IO_PLAN_SHAPES_H

#include "throng/file/plan.h"

/* Each is false when out of memory. */
bool th_shapes_layer(th_plan *plan, const char *name, uint32_t *layer); /* the one of that name, made if need be */
bool th_shapes_begin(th_plan *plan, uint32_t layer, bool closed, bool hole);
bool th_shapes_point(th_plan *plan, double x, double y); /* to the shape begun last */

/* io/plan/geojson.c */
th_result th_geojson_read(th_plan *plan, const char *path, th_error *error);

#endif
