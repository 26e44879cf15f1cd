/* io/scene/events/acts.h - the vocabulary: everything that can happen to a running world, one row each.
 *
 * X(ACT, name, value, of, text): the row is the key `name` of an event. Its value is
 *   NAME   the name of a thing; `of` is its th_named
 *   PART   an object; `of` names its table, th_scene_<of>_table, and th_act_link_<name> resolves the names in it
 *   NUMBER one number; `of` is TH_ACT_RANGE_<of>: least, most, unit
 * th_act_<name> makes it happen. Reader, writer, schema, docs, log and tests follow this list.
 */
#ifndef TH_IO_SCENE_EVENTS_ACTS_H
#define TH_IO_SCENE_EVENTS_ACTS_H

#define TH_ACT_RANGE_DT 0.001, 1, "s"

/* clang-format off */
#define TH_ACTS(X)                                                                                                    \
  X(OPEN, open, NAME, DOOR, "name of a door")                                                                         \
  X(CLOSE, close, NAME, DOOR, "name of a door")                                                                       \
  X(ADD, add, PART, obstacle, "an obstacle")                                                                          \
  X(REMOVE, remove, NAME, OBSTACLE, "name of an obstacle")                                                            \
  X(MOVE, move, PART, move, "a goal and its new shape")                                                               \
  X(CHANGE, change, PART, change, "agents and their new speed, route, model ...")                                     \
  X(DISMISS, dismiss, NAME, POPULATION, "name of a population that leaves")                                           \
  X(GROUP, group, PART, group, "a group as it is from then on, by its name; a new one when none has it")              \
  X(ENTER, enter, PART, population, "agents that come: a new population, or more of one that has the name")           \
  X(LEAVE, leave, PART, whom, "agents that leave the world")                                                          \
  X(PLACE, place, PART, place, "agents that are put somewhere else")                                                  \
  X(DRIVE, drive, PART, drive, "external agents: where they are now, and how they move")                              \
  X(ACCEPT, accept, PART, accept, "where all agents are after this step, which the host moves instead of us")         \
  X(PUSH, push, PART, push, "agents and the velocity from which their next step begins")                              \
  X(SEND, send, PART, send, "agents that go to a point of their own, on a shortest path")                             \
  X(LINK, link, PART, relink, "agents and their new links, in place of all that they had")                            \
  X(GOAL, goal, PART, goal, "a goal as it is from then on, by its name; a new one when none has it")                  \
  X(REMOVE_GOAL, remove_goal, NAME, GOAL, "name of a goal; agents that head for it are lost")                         \
  X(CHOICE, choice, PART, choice, "a choice as it is from then on, by its name; a new one when none has it")          \
  X(REMOVE_CHOICE, remove_choice, NAME, CHOICE, "name of a choice; agents keep the goals that they have taken")       \
  X(GUIDE, guide, PART, guide, "a guide as it is from then on, by its name; a new one when none has it")              \
  X(REMOVE_GUIDE, remove_guide, NAME, GUIDE, "name of a guide; its agents follow the fields of their goals")          \
  X(SOURCE, source, PART, source, "a source as it is from then on, by its name; a new one when none has it")          \
  X(REMOVE_SOURCE, remove_source, NAME, SOURCE, "name of a source that emits nobody any more")                        \
  X(REMOVE_GROUP, remove_group, NAME, GROUP, "name of a group; its members stay in the world")                        \
  X(DOOR, door, PART, door, "a door as it is from then on, by its name; a new one when none has it")                  \
  X(REMOVE_DOOR, remove_door, NAME, DOOR, "name of a door that is open and gone from then on")                        \
  X(OBSTACLE, obstacle, PART, obstacle, "an obstacle as it is from then on, by its name; a new one when none has it") \
  X(DEFORM, deform, PART, deform, "vertices of a mesh and where they are from then on")                               \
  X(DT, dt, NUMBER, DT, "time step from then on")
/* clang-format on */

typedef enum th_scene_act {
  TH_ACT_NONE,
#define X(act, name, value, of, text) TH_ACT_##act,
  TH_ACTS(X)
#undef X
      TH_ACT_COUNT
} th_scene_act;

#endif
