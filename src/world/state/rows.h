/* world/state/rows.h - the agents' state as columns, one row per agent. */
#ifndef TH_WORLD_STATE_ROWS_H
#define TH_WORLD_STATE_ROWS_H

#include "base/ids.h"
#include "base/memory.h"
#include "base/tasks.h"
#include "throng/world.h"
#include "view/view.h"
#include "world/agent/members.h"
#include "world/choice/choices.h"

#define TH_GUIDE_STATE 64
#define TH_NO_FIELD UINT16_MAX

typedef struct th_route {
  uint32_t goal[TH_MAX_STOPS];  /* goal's index; 0 once the goal is gone */
  uint16_t field[TH_MAX_STOPS]; /* entry of the field table, or TH_NO_FIELD */
  float wait[TH_MAX_STOPS];     /* [s] */
  uint8_t count, next;          /* stops; the one it heads for */
  bool loop, remove;
} th_route;

/* What a row has of choices (throng/world/choice.h). */
struct th_row_choice {
  uint16_t of[TH_MAX_STOPS]; /* by stop: index of its choice, 0 for none */
  uint8_t decided;           /* an option of the choice at the next stop has been taken: it stands in the route */
  uint8_t radius_class;      /* of the fields of all options */
};

typedef struct th_guide_memory {
  uint8_t byte[TH_GUIDE_STATE];
} th_guide_memory;

typedef struct th_link_names {
  th_agent_id agent[TH_MAX_LINKS];
} th_link_names;

/* Every column, once: growing, moving, hashing and snapshots read this list. Units as in throng/world.h. Those of the
 * def stand in world/agent/members.h. `rest`: exact place minus the rounded x and y (ground/walk.h); `turn_c`,
 * `turn_s`: the largest turn of one step; `speed_step`: the largest change of speed of one step [m/s]; `walk_vx`,
 * `walk_vy`: velocity by its own walking, without what contacts added: the one that accelerates; `arrive`: remaining
 * distance at which its stop counts as reached [m]; `notice`: what happens to it, see world/step/finish.c; `due`: step
 * at which a wait, a delay or a premovement ends; `period`: seconds between decisions, 0 = every step; `phase`:
 * fraction of it by which they are late; `ease`: share of the difference to its advice that a velocity covers in one
 * step; `best`, `best_step`: least remaining distance so far [m], and its step; `time_gap`: its own, 0 of bare bodies
 * [s]; `pressure`: from 0 to 1 (people/pressure.c). */
/* clang-format off */
#define TH_COLUMNS(X) \
  X(th_agent_id, id) X(uint32_t, agent) X(uint32_t, cell) X(float, x) X(float, y) X(th_vec2, rest) \
  X(uint32_t, previous_cell) \
  X(float, previous_x) X(float, previous_y) \
  X(float, walk_vx) X(float, walk_vy) X(float, vx) X(float, vy) X(float, hx) X(float, hy) X(th_turn, frame) \
  TH_AGENT_COLUMNS(X) \
  X(float, speed_step) X(float, period) X(float, phase) X(float, ease) X(float, turn_c) X(float, turn_s) \
  X(float, time_gap) X(float, body) X(float, pressure) X(float, premovement) X(th_vec2, v) X(float, eps) \
  X(float, advised_vx) X(float, advised_vy) X(float, advised_hx) X(float, advised_hy)\
  X(float, left) X(float, arrive) X(float, best) X(uint64_t, best_step) X(uint64_t, due) X(th_route, route) \
  X(uint32_t, guide) X(th_guide_memory, guide_memory) X(uint16_t, field) X(th_link_targets, links) \
  X(th_link_names, names) X(uint8_t, link_count) X(uint8_t, gait) X(uint8_t, advised_gait) X(uint8_t, state) \
  X(uint8_t, in) X(uint8_t, model) X(uint8_t, fresh) X(uint8_t, notice)
/* clang-format on */

/* Columns that move with rows but are not state: neither hashed nor restored as they are. `guide_row`: the number of
 * the agent's row in its guide, 0 for none; `group`: index of its group, 0 for none (state of the groups);
 * `people`: number of its set of parameters of people, 0 for a bare body (world/state/people_sets.h); `choice`: of the
 * stops of its route (state of the choices); `away`: how far it was moved since it stands, in its own frame [m], and
 * `held`: how long it has stood though it wants to walk [s], of people (state of the people). */
#define TH_LOOSE_COLUMNS(X) \
  X(void *, user)           \
  X(uint32_t, guide_row) X(uint16_t, group) X(uint8_t, people) X(th_row_choice, choice) X(th_vec2, away) X(float, held)

typedef struct th_rows {
  uint32_t count, capacity;
#define X(type, name) type *name;
  TH_COLUMNS(X)
  TH_LOOSE_COLUMNS(X)
#undef X
} th_rows;

/* A change of capacity copies every column; false, with nothing changed, when out of memory. */
bool th_rows_grow(th_rows *rows, const th_allocator *allocator, uint32_t capacity);
void th_rows_free(th_rows *rows, const th_allocator *allocator);

/* Copies row `from` over row `to` in every column. */
void th_rows_copy(th_rows *rows, uint32_t to, uint32_t from);

/* Row `from[i]` becomes row i, in every column; scratch holds TH_LARGEST_COLUMN bytes per row for each worker. */
#define TH_LARGEST_COLUMN 160
void th_rows_permute(th_rows *rows, th_pool *pool, const uint32_t *from, uint8_t *scratch, size_t scratch_size);

/* The same for one array of `count` elements. */
void th_rows_permute_column(uint8_t *column, size_t size, const uint32_t *from, uint32_t count, uint8_t *scratch);

/* Bytes of one row, and a walk over all columns in the order of TH_COLUMNS. */
size_t th_rows_row_size(void);
void th_rows_each(const th_rows *rows, void (*visit)(void *context, const char *name, void *column, size_t size),
                  void *context);

/* How many ids a row has in this column; they are hashed and saved without their tags, which are not state. */
uint32_t th_rows_ids(const th_rows *rows, const void *column);
static inline th_agent_id th_without_tag(th_agent_id id) { return (th_agent_id){id.index, id.generation, 0}; }
void th_rows_set_tag(th_rows *rows, uint16_t tag); /* of every id in every row */

#endif
