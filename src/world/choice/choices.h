/* world/choice/choices.h - the choices of a world, what routes have of them, and the decision. */
#ifndef TH_WORLD_CHOICE_CHOICES_H
#define TH_WORLD_CHOICE_CHOICES_H

#include "base/bytes.h"
#include "base/hash.h"
#include "base/ids.h"
#include "throng/world/choice.h"
#include "world/choice/queues.h"
#include "world/goals.h"

/* Every member of a choice but its options, once: X(type, name, default, least, most). Default, range check, hash,
 * snapshot and reading back follow. */
#define TH_CHOICE_MEMBERS(X)                                                        \
  X(int32_t, rule, TH_CHOICE_TIME, TH_CHOICE_NEAREST, TH_CHOICE_TIME)               \
  X(int32_t, sees, TH_CHOICE_SEES_ALL, TH_CHOICE_SEES_ALL, TH_CHOICE_SEES_IN_SIGHT) \
  X(float, follow, 0.0f, 0.0f, 1.0f)                                                \
  X(float, gain, 0.1f, 0.0f, 1.0f) X(float, every, 2.0f, 0.1f, 1000.0f) X(float, flow, 1.3f, 0.01f, 100.0f)

typedef struct th_choice_option {
  uint32_t goal; /* its index */
  float width, share, known;
  uint32_t taken; /* by how many agents so far */
} th_choice_option;

/* State, as bytes. What lies behind the options is zero. */
typedef struct th_choice {
#define X(type, name, initial, least, most) type name;
  TH_CHOICE_MEMBERS(X)
#undef X
  uint32_t count;
  th_choice_option option[TH_MAX_OPTIONS];
} th_choice;
_Static_assert(sizeof(th_choice) == 4 * 7 + TH_MAX_OPTIONS * 20, "no padding, since bytes are hashed");

typedef struct th_choices {
  th_ids ids;
  th_choice *choice;
  uint32_t capacity;
  th_queues queues;
  uint32_t all; /* everybody thinks again in the next step */
} th_choices;

typedef struct th_row_choice th_row_choice; /* state/rows.h */

void th_choices_free(th_choices *choices, const th_allocator *allocator);
th_result th_choice_check(const th_world *world, th_choice_id choice, const char *call, th_error *error);

/* route.c: routes whose stops have choices. The goal (index) that a stop begins with: the one it names where that is an
 * option, else the first option. */
uint32_t th_choice_route_goal(const th_world *world, const th_stop *stop);
/* The entry of the goal that a stop begins with; all fields that it may need are requested. A stop without a goal keeps
 * its field. */
th_result th_choice_route_fields(th_world *world, const th_stop *stop, th_field_key key, uint16_t *field,
                                 th_error *error);
/* A row's column, for the stops of a def whose fields are in its route; a stop with another choice is undecided. */
void th_choice_route_put(th_world *world, uint32_t row, const th_agent_def *def);
/* Writes what a row has taken of the choices that a def names at the same stops into that def. */
void th_choice_route_keep(const th_world *world, uint32_t row, th_agent_def *def);
/* A goal has gone: it is no option any more, and whoever had taken it has the first one that is left. */
void th_choice_route_forget_goal(th_world *world, uint32_t goal);
/* A choice (index) has other options: the fields that those who have it need are requested, and whoever had taken one
 * that is gone has the first one. Changes nothing when it fails. */
th_result th_choice_route_follow(th_world *world, uint32_t choice, th_error *error);
void th_choice_route_forget(th_world *world, uint32_t choice); /* it goes: stops keep the goals that were taken */

/* choices.c: a goal is no option of any choice any more. */
void th_choices_drop_goal(th_world *world, uint32_t goal);

/* decide.c: everybody who is due takes an option. Part of publish. */
void th_choices_decide(th_world *world);

/* weigh.c: what the options of a row's next stop cost, in the order of the record; `counted`: the queues are filled. */
void th_choice_weigh(const th_world *world, uint32_t row, bool counted, th_option_cost cost[TH_MAX_OPTIONS]);
/* Whether all fields that decide are there, or cannot be. */
bool th_choice_ready(const th_world *world, uint32_t row);
/* The entry of a goal for a row; TH_NO_FIELD: there is none. */
uint16_t th_choice_entry(const th_world *world, uint32_t row, uint32_t goal);
/* The choice at the next stop of a row, NULL for none. */
th_choice *th_choice_of(const th_world *world, uint32_t row);

/* state/choice_state.c */
void th_choices_hash(const th_world *world, th_hash *hash);
void th_choices_write(const th_world *world, th_byte_writer *writer);
/* Goals, rows and sources as the snapshot has them. */
typedef struct th_choices_around {
  const th_ids *goals;
  uint32_t rows, sources;
} th_choices_around;
/* `at`: by row; `stop`: TH_MAX_STOPS choices for each source, all of them zero before. */
bool th_choices_read(th_choices *choices, const th_choices_around *around, th_row_choice *at, uint16_t *stop,
                     const th_allocator *allocator, th_byte_reader *reader);

#endif
