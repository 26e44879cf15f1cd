/* field/room.h - what a metre of path costs near walls, in roomy fields.
 *
 * People keep a little off walls and cut no corner as closely as they could, yet use the whole width of a corridor. A
 * weak and wide cost does that: with 0.1 over 4 m a crowd spreads before a corner, and files neither along the walls
 * nor in the middle, as it does with a strong cost.
 */
#ifndef TH_FIELD_ROOM_H
#define TH_FIELD_ROOM_H

#include "ground/ground.h"
#include "throng/field.h"

/* Whether paths differ from the shortest ones: without a weight the field is the geodesic one, to the last bit. */
static inline bool th_room_matters(const th_field_def *def) {
  return def->kind == TH_FIELD_ROOMY && def->room_weight > 0.0f;
}

/* Cost of a metre at this clearance [m], 1 to 1 + room_weight: bodies of the class come no closer than their radius. */
static inline double th_room_cost(const th_ground *ground, const th_field_def *def, double clearance) {
  const double free = clearance - (double)ground->radius_class[def->radius_class];
  const double near = 1.0 - free / (double)def->room_within;
  return 1.0 + (double)def->room_weight * (near > 0.0 ? (near < 1.0 ? near : 1.0) : 0.0);
}

#endif
