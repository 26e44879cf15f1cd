/* throng/world/choice.h - choices: a stop of a route that is one of several goals, and how people take one of them.
 *
 * A stop names a choice instead of a goal (th_stop.choice). An agent that heads for it takes one of its options, at
 * once when the stop becomes the next one, and thinks again every `every` seconds, staggered by id, and whenever a
 * field, a goal or the choice itself has changed. Everything else about the agent is as with that goal:
 * th_world_agent_def shows it as the goal of the stop, and events tell by which goal somebody has left. Options that no
 * path leads to are never taken while there is another one. A choice of the rule `nearest` is also what makes one goal
 * of several shapes of any kind.
 *
 * Sources: quickest route by walking and queueing time, Kretz, "Pedestrian traffic: on the quickest path", 2009, and
 * Kemloh Wagoum, Seyfried, Holl, "Modeling the dynamic route choice of pedestrians to assess the criticality of
 * building evacuation", 2012; the influence of others, NIST TN 1822 (Ronchi et al. 2013), test 3.2; familiar exits,
 * Sime, "Movement toward the familiar", 1985. Threads: as throng/world.h.
 */
#ifndef THRONG_WORLD_CHOICE_H
#define THRONG_WORLD_CHOICE_H

#include "../world.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TH_MAX_CHOICES 1024
#define TH_MAX_OPTIONS 16

typedef enum th_choice_rule {
  TH_CHOICE_NEAREST, /* the shortest path */
  TH_CHOICE_SHARES,  /* whichever is farthest behind its share; nobody thinks again unless no path is left */
  TH_CHOICE_TIME     /* the least time: path / wanted speed + people ahead / (flow * width) */
} th_choice_rule;

/** Between which options people weigh up. */
typedef enum th_choice_sees {
  TH_CHOICE_SEES_ALL,     /* all that they know; how many are ahead is known everywhere, as to people who are told */
  TH_CHOICE_SEES_IN_SIGHT /* the one that they head for and those in sight: the path is at most 1.05 times the straight
                             line and 0.5 m. The first time, with none in sight, the shortest path among all */
} th_choice_sees;

/** One of the goals of a choice. */
typedef struct th_option {
  th_goal_id goal;
  float width; /* through which people leave there [m] [0.01, 1000]; 0 = the length of its line, 1 m for other shapes;
                  default 0 */
  float share; /* of the people, against the shares of the other options [0, 1e6], default 1 */
  float known; /* part of the people who know of it before they see it [0, 1], default 1. An agent that knows of none
                  knows of all
                */
} th_option;

typedef struct th_choice_def {
  int32_t rule; /* th_choice_rule, default time */
  int32_t sees; /* th_choice_sees, default all */
  th_option option[TH_MAX_OPTIONS];
  uint32_t option_count;
  float follow; /* how far the wish rises to go where others go: the cost of an option is lowered by this part times the
                   share of those within 10 m who head for it [0, 1], default 0 */
  float gain;   /* part of the cost by which another option must be better than the present one [0, 1], default 0.1, so
                   that small differences turn nobody round */
  float every;  /* seconds until somebody thinks again [0.1, 1000], default 2, which is when people are seen to look for
                   another queue at the earliest */
  float flow;   /* people per metre of width and second [0.01, 100], default 1.3: the most of a door in the SFPE
                   handbook (Nelson, Mowrer 2002) */
} th_choice_def;

TH_API th_choice_def th_default_choice_def(void); /* without options */
TH_API th_option th_default_option(th_goal_id goal);

/** Adds a choice of 1 to TH_MAX_OPTIONS goals, none of them twice. */
TH_API th_result th_world_add_choice(th_world *world, const th_choice_def *def, th_choice_id *choice, th_error *error);
/** Changes it for all who head for it: those whose option is still there keep it until they think again, which all do
 *  in the next step. How many have taken an option counts on. Fields that are missing are made. */
TH_API th_result th_world_change_choice(th_world *world, th_choice_id choice, const th_choice_def *def,
                                        th_error *error);
/** Those who head for it keep the goal that they have taken. */
TH_API void th_world_remove_choice(th_world *world, th_choice_id choice);
TH_API bool th_world_has_choice(const th_world *world, th_choice_id choice);
/** The ids of all choices, in the order of their indices: writes up to `capacity`, returns how many there are. */
TH_API uint32_t th_world_choices(const th_world *world, th_choice_id *ids, uint32_t capacity);
/** The def as it is now: a goal that was removed is no option any more. False for a stale id. */
TH_API bool th_world_choice_def(const th_world *world, th_choice_id choice, th_choice_def *def);
/** How often an option has been taken, by the order of the def; 0 for one that is not there. */
TH_API uint32_t th_world_choice_taken(const th_world *world, th_choice_id choice, uint32_t option);

/** What an option would cost an agent now. */
typedef struct th_option_cost {
  th_goal_id goal;
  float left;     /* path [m]; INFINITY without one, or while its field is not ready */
  uint32_t ahead; /* people who head for the goal and are nearer to it along its field, by half metres */
  float time;     /* left / speed + ahead / (flow * width) [s] */
  float cost; /* what is compared: path or time, lowered by `follow`; INFINITY: not between which the agent weighs */
  bool seen, known;
} th_option_cost;

/** For watching: the options of the choice at an agent's next stop, in the order of its def; writes up to `capacity`,
 *  returns how many there are, 0 without a choice. O(agents). */
TH_API uint32_t th_world_choice_costs(const th_world *world, th_agent_id agent, th_option_cost *cost,
                                      uint32_t capacity);

#ifdef __cplusplus
}
#endif
#endif
