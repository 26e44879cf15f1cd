/* world/edits.c - doors and obstacles change while the world runs.
 *
 * The call makes the next version of the ground at once and its fields as a job; both come into force together. Edits
 * are kept, because a snapshot describes the ground by version 1 and the edits since; those that later ones made void
 * are forgotten (world/edit_fold.c). The hash of the world reads one hash of all edits in force, so it does not depend
 * on what was forgotten.
 */
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "ground/edit_record.h"
#include "world/events.h"
#include "world/field_requests.h"
#include "world/step/mesh_turn.h"

bool th_edit_record_make(const th_allocator *allocator, th_edit_record *record, const th_edit *edit) {
  record->words = th_edit_write(edit, NULL);
  record->word = TH_TAKE(allocator, uint32_t, record->words);
  if (record->word) th_edit_write(edit, record->word);
  return record->word != NULL;
}

void th_edit_record_free(const th_allocator *allocator, th_edit_record *record) {
  TH_GIVE(allocator, record->word, record->words);
  *record = (th_edit_record){0};
}

void th_edit_records_free(const th_allocator *allocator, th_edit_record *record, uint32_t count, uint32_t capacity) {
  for (uint32_t i = 0; record && i < count; i++) th_edit_record_free(allocator, &record[i]);
  TH_GIVE(allocator, record, capacity);
}

static void forget_last(th_world *world, uint32_t count) {
  while (count-- > 0) th_edit_record_free(&world->env.allocator, &world->edit[--world->edit_count]);
}

static th_result remember(th_world *world, const th_edit *edit, uint32_t count, th_edit_record common,
                          th_error *error) {
  const th_allocator *a = &world->env.allocator;
  void *memory = world->edit;
  bool made = th_grow(a, &memory, &world->edit_capacity, world->edit_count + count, sizeof *world->edit);
  world->edit = memory;
  uint32_t done = 0;
  for (; made && done < count; done += made) {
    th_edit_record *record = &world->edit[world->edit_count];
    *record = common;
    made = th_edit_record_make(a, record, &edit[done]);
    world->edit_count += made;
  }
  if (made) return TH_OK;
  forget_last(world, done);
  return th_fail_memory(error, "edit");
}

void th_edits_free(th_world *world) {
  th_edit_records_free(&world->env.allocator, world->edit, world->edit_count, world->edit_capacity);
  world->edit = NULL;
  world->edit_count = world->edit_capacity = 0;
}

void th_edits_in_force(th_world *world, uint32_t version) {
  for (uint32_t i = 0; i < world->edit_count; i++) {
    const th_edit_record *record = &world->edit[i];
    if (record->version != version) continue;
    th_hash hash = th_hash_begin(world->history);
    th_hash_u32(&hash, &record->version, 1);
    th_hash_u32(&hash, record->word, record->words);
    world->history = th_hash_end(&hash);
  }
}

th_result th_world_edit(th_world *world, const th_edit *edit, uint32_t count, th_error *error) {
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  th_ground *next = NULL;
  uint64_t step = world->step + world->def.latency;
  th_result result = th_ground_edit(world->latest_ground, edit, count, &next, error);
  if (result) return result;
  th_edits_fold(world);
  result = remember(world, edit, count, (th_edit_record){.step = step, .version = th_ground_version(next)}, error);
  if (!result) {
    uint32_t live = 0;
    for (uint32_t i = 0; i < world->entry_count; i++)
      if (world->entry[i].live) world->entry_scratch[live++] = i;
    th_request_def ask = {
        .step = step, .entry = world->entry_scratch, .count = live, .ground = next, .before = world->latest_ground};
    result = th_request_entries(world, &ask, error);
    if (result) forget_last(world, count);
  }
  th_ground *drop = result ? next : world->latest_ground;
  if (!result) world->latest_ground = next;
  th_ground_release(drop);
  return result;
}

/* An agent that stands where a wall appeared is put beside the wall; links, routes and states stay. */
void th_world_displace(th_world *world) {
  th_rows *rows = &world->rows;
  for (uint32_t row = 0; row < rows->count; row++) {
    if (rows->state[row] == TH_AGENT_LOST) rows->state[row] = TH_AGENT_WALKING; /* there may be a path now */
    th_place place = {rows->cell[row], rows->x[row], rows->y[row]};
    bool moved = th_ground_displace(world->ground, &place);
    if (moved && world->mesh) th_world_mesh_push_to(world, row, place);
    rows->cell[row] = place.cell;
    if (!moved) continue;
    rows->previous_cell[row] = place.cell;
    rows->x[row] = rows->previous_x[row] = place.x;
    rows->y[row] = rows->previous_y[row] = place.y;
    rows->rest[row] = (th_vec2){0.0f, 0.0f};
    th_event_add(world, TH_EVENT_DISPLACED, rows->id[row], 0);
  }
}

/* A mesh that was deformed has the same faces in other frames: agents keep their weights in them. */
void th_world_carry(th_world *world, const th_ground *from, const th_ground *to) {
  th_rows *rows = &world->rows;
  if (!th_ground_is_mesh(to)) return;
  for (uint32_t row = 0; row < rows->count; row++) {
    th_place place = {rows->cell[row], rows->x[row], rows->y[row]};
    th_place before = {rows->previous_cell[row], rows->previous_x[row], rows->previous_y[row]};
    place = th_ground_place_of(to, place.cell, th_ground_weights(from, place));
    before = th_ground_place_of(to, before.cell, th_ground_weights(from, before));
    rows->x[row] = place.x;
    rows->y[row] = place.y;
    rows->previous_x[row] = before.x;
    rows->previous_y[row] = before.y;
    rows->rest[row] = (th_vec2){0.0f, 0.0f};
  }
}
