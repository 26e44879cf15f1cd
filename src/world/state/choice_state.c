/* world/state/choice_state.c - choices in hash and snapshot. A world that never had a choice hashes and saves nothing.
 *
 * Records and the column of the rows are state as bytes; sources keep which choice each of their stops has. Hash,
 * snapshot and restore visit the same parts, so none of them can forget one. Cost: 20 bytes per row.
 */
#include <string.h>

#include "world/world.h"

typedef void (*part_visit)(void *context, const void *part, size_t size);

static void visit_choices(const th_world *world, uint32_t used, part_visit visit, void *context) {
  const th_choices *choices = &world->choices;
  visit(context, choices->ids.generation, sizeof(uint32_t) * used);
  visit(context, choices->choice, sizeof *choices->choice * used);
  visit(context, &choices->all, sizeof choices->all);
  visit(context, world->rows.choice, sizeof *world->rows.choice * world->rows.count);
  for (uint32_t i = 0; i < th_ids_used(&world->sources.ids); i++)
    for (uint32_t k = 0; k < TH_MAX_STOPS; k++) {
      const uint16_t choice = (uint16_t)world->sources.source[i].def.agent.route[k].choice.index;
      visit(context, &choice, sizeof choice);
    }
}

static void hash_part(void *context, const void *part, size_t size) { th_hash_bytes(context, part, size); }
static void write_part(void *context, const void *part, size_t size) { th_bytes_write(context, part, size); }

void th_choices_hash(const th_world *world, th_hash *hash) {
  const uint32_t used = th_ids_used(&world->choices.ids);
  if (used) visit_choices(world, used, hash_part, hash);
}

void th_choices_write(const th_world *world, th_byte_writer *writer) {
  const uint32_t used = th_ids_used(&world->choices.ids);
  TH_WRITE(writer, used);
  if (used) visit_choices(world, used, write_part, writer);
}

/* ---------------------------------------------------------------- reading */

static bool option_fits(const th_choice_option *option, const th_ids *goals) {
  return option->goal && th_ids_at(goals, option->goal - 1).index && option->width >= 0.0f && option->width <= 1e3f &&
         option->share >= 0.0f && option->share <= 1e6f && option->known >= 0.0f && option->known <= 1.0f;
}

static bool choice_fits(const th_choice *choice, const th_ids *goals) {
  bool fits = choice->count <= TH_MAX_OPTIONS;
#define X(type, name, initial, least, most) fits = fits && choice->name >= least && choice->name <= most;
  TH_CHOICE_MEMBERS(X)
#undef X
  for (uint32_t i = 0; fits && i < choice->count; i++) fits = option_fits(&choice->option[i], goals);
  return fits;
}

static bool is_choice(const th_choices *choices, uint16_t index) {
  return !index || th_ids_at(&choices->ids, index - 1u).index;
}

static bool all_fit(const th_choices *choices, const th_choices_around *around, const th_row_choice *at,
                    const uint16_t *stop) {
  bool fits = choices->all <= 1;
  for (uint32_t i = 0; fits && i < choices->capacity; i++)
    fits = th_ids_at(&choices->ids, i).index ? choice_fits(&choices->choice[i], around->goals)
                                             : choices->choice[i].count == 0;
  for (uint32_t row = 0; fits && row < around->rows; row++) {
    fits = at[row].decided <= 1 && at[row].radius_class < TH_MAX_CLASSES;
    for (uint32_t k = 0; fits && k < TH_MAX_STOPS; k++) fits = is_choice(choices, at[row].of[k]);
  }
  for (uint32_t k = 0; fits && k < around->sources * TH_MAX_STOPS; k++) fits = is_choice(choices, stop[k]);
  return fits;
}

/* Every option that a choice has gets a queue. */
static bool make_queues(th_choices *choices, const th_choices_around *around, const th_allocator *a) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < choices->capacity; i++) count += choices->choice[i].count;
  if (!th_queues_reserve(&choices->queues, a, around->goals->capacity, count)) return false;
  for (uint32_t i = 0; i < choices->capacity; i++)
    for (uint32_t k = 0; k < choices->choice[i].count; k++)
      th_queues_add(&choices->queues, choices->choice[i].option[k].goal);
  return true;
}

static bool take_records(th_choices *choices, uint32_t used, const th_allocator *a, th_byte_reader *reader) {
  const void *from = th_bytes_in_place(reader, sizeof(uint32_t) * (size_t)used);
  uint32_t *generation = from && used <= TH_MAX_CHOICES ? TH_TAKE(a, uint32_t, used) : NULL;
  if (!generation) return false;
  memcpy(generation, from, sizeof *generation * used);
  const bool made = th_ids_make(&choices->ids, a, used) && th_ids_restore(&choices->ids, generation, used);
  TH_GIVE(a, generation, used);
  choices->choice = made ? TH_TAKE(a, th_choice, used) : NULL;
  choices->capacity = choices->choice ? used : 0;
  return choices->choice != NULL;
}

bool th_choices_read(th_choices *choices, const th_choices_around *around, th_row_choice *at, uint16_t *stop,
                     const th_allocator *a, th_byte_reader *reader) {
  uint32_t used;
  TH_READ(reader, used);
  if (!used) return true;
  if (!take_records(choices, used, a, reader)) return false;
  th_bytes_read(reader, choices->choice, sizeof *choices->choice * used);
  TH_READ(reader, choices->all);
  th_bytes_read(reader, at, sizeof *at * around->rows);
  th_bytes_read(reader, stop, sizeof *stop * TH_MAX_STOPS * around->sources);
  reader->broken |= !all_fit(choices, around, at, stop);
  return !reader->broken && make_queues(choices, around, a);
}
