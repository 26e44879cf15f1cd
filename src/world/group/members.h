/* world/group/members.h - lists every member of a group's definition except its leader, area and formation, once.
 *
 * Defaults, range checks, what a group keeps (with hash, snapshot and restore) and reading it back follow from these
 * lists, so a new number of th_group_def is entered here and nowhere else in the world.
 */
#ifndef TH_WORLD_GROUP_MEMBERS_H
#define TH_WORLD_GROUP_MEMBERS_H

#include "throng/group.h"

/* X(type, member, default, min, max) */
#define TH_GROUP_NUMBERS(X)               \
  X(float, factor, 10.0f, 1.0f, 1000.0f)  \
  X(float, angle, 0.0f, -360.0f, 360.0f)  \
  X(float, spacing, 1.6f, 0.1f, 10.0f)    \
  X(float, half_width, 0.3f, 0.01f, 5.0f) \
  X(float, base, 1.0f, 0.0f, 100.0f)

/* X(type, member, default, first, last): enumerations; groups.c says what their values are called. */
#define TH_GROUP_CHOICES(X) X(int32_t, align, TH_ALIGN_NONE, TH_ALIGN_NONE, TH_ALIGN_QUEUE)

#define TH_GROUP_MEMBERS(X) TH_GROUP_NUMBERS(X) TH_GROUP_CHOICES(X)

#define X(type, name, initial, min, max) type name;
typedef struct th_group_mirror {
  th_agent_id leader;
  const th_polygon *area;
  uint32_t area_count;
  const th_image *image;
  TH_GROUP_MEMBERS(X)
  th_formation formation;
} th_group_mirror;
#undef X
_Static_assert(sizeof(th_group_mirror) == sizeof(th_group_def), "every member of a group stands in the lists");

#endif
