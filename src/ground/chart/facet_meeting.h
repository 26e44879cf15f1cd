/* ground/chart/facet_meeting.h - whether a body on one face of a mesh can meet a body on another above the surface. */
#ifndef TH_GROUND_CHART_FACET_MEETING_H
#define TH_GROUND_CHART_FACET_MEETING_H

#include "ground/chart/overhead.h"

typedef struct th_facet_box {
  double low[3], high[3];
} th_facet_box;

/* A face, or a part of one, with the plane of the face. */
typedef struct th_facet {
  double p[3][3], centre[3], radius; /* all corners are within `radius` of the centre */
  double normal[3], level;           /* the plane: normal . x = level */
  double up[3];                      /* along which bodies stand */
} th_facet;

/* The bodies, and what follows from them. */
typedef struct th_meeting {
  double top, reach, min, max; /* of axes; farthest that counts; least and largest sum of radii [m] */
  double beside, gain;         /* no nearer feet count; no smaller gain can do (facet_meeting.c) */
  bool plumb;
} th_meeting;

th_facet_box th_facet_box_empty(void);
void th_facet_box_join(th_facet_box *box, const double *point);
double th_facet_box_apart2(const th_facet_box *a, const th_facet_box *b); /* squared distance */

th_facet th_facet_of(const th_mesh *mesh, uint32_t face, bool plumb);
th_facet_box th_facet_axes(const th_facet *facet, double top); /* holds the axes of all bodies on the facet */

th_meeting th_meeting_of(const th_overhead_def *def);

/* False only where no two bodies on f and g meet as overhead.h says. Adds the pairs of facets that it looked at to
 * `tested`. */
bool th_facets_may_meet(const th_meeting *meeting, const th_facet *f, const th_facet *g, uint64_t *tested);

#endif
