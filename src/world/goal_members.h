/* world/goal_members.h - lists every member of a goal's definition except its shape and the host's pointers, once.
 *
 * Defaults, fields, hash, snapshot, restore and the comparison of two goals read these lists, so a new member of
 * th_goal_def is entered here and nowhere else in the world. In the order of their declaration.
 */
#ifndef TH_WORLD_GOAL_MEMBERS_H
#define TH_WORLD_GOAL_MEMBERS_H

#include "throng/world.h"

/* X(type, member, member of th_field_def): what the goal's field depends on. */
#define TH_GOAL_FIELD_MEMBERS(X)     \
  X(th_field_kind, field, kind)      \
  X(float, blend, blend)             \
  X(bool, quickest, quickest)        \
  X(float, room_weight, room_weight) \
  X(float, room_within, room_within) \
  X(th_wall_rule, walls, walls)

/* X(type, member, ): what only the world reads. */
#define TH_GOAL_OWN_MEMBERS(X) \
  X(float, arrive, )           \
  X(bool, sink, )

#define TH_GOAL_MEMBERS(X) TH_GOAL_FIELD_MEMBERS(X) TH_GOAL_OWN_MEMBERS(X)

#define X(type, name, other) type name;
typedef struct th_goal_mirror {
  th_shape shape;
  const char *name;
  const th_planner *planner;
  TH_GOAL_MEMBERS(X)
} th_goal_mirror;
#undef X
_Static_assert(sizeof(th_goal_mirror) == sizeof(th_goal_def), "every member of a goal stands in the lists");

/* The field that leads to a goal of this definition, for radius class 0 and eps 0. Its shape is not copied. */
static inline th_field_def th_field_def_of_goal(const th_goal_def *goal) {
  th_field_def def = th_default_field_def();
#define X(type, name, other) def.other = goal->name;
  TH_GOAL_FIELD_MEMBERS(X)
#undef X
  def.goal = goal->shape;
  def.planner = goal->planner;
  return def;
}

#endif
