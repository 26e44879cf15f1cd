/* world/agent/members.h - lists every member of an agent's definition, once.
 *
 * Defaults, range checks, columns of rows (with growing, moving, hash, snapshot and restore), putting a def into a row,
 * reading it back and spreads follow from these lists, so a new number of th_agent_def is entered here and nowhere else
 * in the world. `to` is handed through to each row of a list, for lists made of lists; most readers leave it empty.
 */
#ifndef TH_WORLD_AGENT_MEMBERS_H
#define TH_WORLD_AGENT_MEMBERS_H

#include <math.h>

#include "throng/agent.h"

#define TH_MIN_RADIUS 0.01f
#define TH_MAX_RADIUS 10.0f
#define TH_MAX_SPEED 100.0f

/* X(to, type, member, default, min, max, ): numbers that a row keeps as the def gives them; a bound may read other
 * members of `def`. S(..., draw) is X for a member that th_agent_spread has, too; `draw` is which of an agent's draws
 * it takes, never that of another member (world/agent/spread.c), and its bounds are constants. */
#define TH_AGENT_KEPT_NUMBERS(X, S, to)                       \
  S(to, float, radius, 0.2f, TH_MIN_RADIUS, TH_MAX_RADIUS, 1) \
  X(to, float, height, 1.75f, 0.1f, 100.0f, )                 \
  S(to, float, speed, 1.34f, 0.0f, TH_MAX_SPEED, 0)           \
  X(to, float, speed_max, 2.0f, def->speed, TH_MAX_SPEED, )   \
  X(to, float, acceleration_max, 2.0f, 1e-6f, INFINITY, )     \
  X(to, float, turn_max, 6.3f, 1e-6f, INFINITY, )             \
  S(to, float, share, 0.5f, 0.0f, 1.0f, 5)

/* The same for numbers that a row keeps in another form: rows.c puts them in, read.c reads them back. */
#define TH_AGENT_OTHER_NUMBERS(X, S, to)                  \
  X(to, float, start_speed, 0.0f, 0.0f, def->speed_max, ) \
  X(to, float, eps, 0.0f, 0.0f, 2.0f, )                   \
  S(to, float, delay, 0.0f, 0.0f, 1e9f, 2)                \
  S(to, float, premovement, 0.0f, 0.0f, 1e9f, 3)

#define TH_AGENT_NUMBERS(X, S, to) TH_AGENT_KEPT_NUMBERS(X, S, to) TH_AGENT_OTHER_NUMBERS(X, S, to)

/* X(to, type of the column, member, default): masks and flags that a row keeps as they are; any value will do. */
#define TH_AGENT_WORDS(X, to)         \
  X(to, uint32_t, layers, 1u)         \
  X(to, uint32_t, avoids, UINT32_MAX) \
  X(to, uint8_t, collide, true)

/* X(member, limit): vectors whose parts lie in [-limit, limit], default 0, 0. A row keeps them in the frame of its
 * cell. */
#define TH_AGENT_PAIRS(X) \
  X(heading, 1e6f)        \
  X(v, 1e3f)

/* X(member): places, names and lists, which have code of their own. */
/* clang-format off */
#define TH_AGENT_BY_HAND(X) \
  X(point) X(level) X(model) X(params) X(people) X(guide) X(route) X(route_count) X(loop) X(remove) X(external) \
  X(link) X(link_count) X(user)
/* clang-format on */

/* Columns of rows, as X(type, member). */
#define TH_AGENT_NUMBER_COLUMN(X, type, member, initial, min, max, draw) X(type, member)
#define TH_AGENT_WORD_COLUMN(X, type, member, initial) X(type, member)
#define TH_AGENT_COLUMNS(X)                                                \
  TH_AGENT_KEPT_NUMBERS(TH_AGENT_NUMBER_COLUMN, TH_AGENT_NUMBER_COLUMN, X) \
  TH_AGENT_WORDS(TH_AGENT_WORD_COLUMN, X)

#define SIZE(member) +sizeof(((th_agent_def *)0)->member)
#define NUMBER(to, type, member, initial, min, max, draw) SIZE(member)
#define WORD(to, type, member, initial) SIZE(member)
#define PAIR(member, limit) SIZE(member)
#define PADDING sizeof(void *) /* 8, and 4 where pointers are short */
_Static_assert(sizeof(th_agent_def) == PADDING TH_AGENT_NUMBERS(NUMBER, NUMBER, ) TH_AGENT_WORDS(WORD, )
                                           TH_AGENT_PAIRS(PAIR) TH_AGENT_BY_HAND(SIZE),
               "every member of an agent stands in the lists");
#undef PADDING
#undef PAIR
#undef WORD
#undef NUMBER
#undef SIZE

#endif
