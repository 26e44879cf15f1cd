/* world/snapshot.c - writes the state of a world into a block of bytes.
 *
 * What is a pure function of something else (order, fields, charts) is not written but named, and made again by
 * restore. A hash at the end guards the block, so a damaged one is refused before anything is read from it.
 */
#include "snapshot.h"

#include <string.h>

#include "base/hash.h"

typedef struct column_writer {
  th_writer *writer;
  uint32_t count;
} column_writer;

static void write_column(void *context, const char *name, void *column, size_t size) {
  (void)name;
  column_writer *columns = context;
  th_write(columns->writer, column, size * columns->count);
}

static void write_text(th_writer *writer, const char *text) {
  uint32_t length = text ? (uint32_t)strlen(text) + 1 : 0;
  TH_WRITE(writer, length);
  if (text) th_write(writer, text, length);
}

static void write_ids(th_writer *writer, const th_ids *ids) {
  TH_WRITE(writer, ids->capacity);
  th_write(writer, ids->generation, sizeof *ids->generation * ids->capacity);
}

static void write_models(const th_world *world, th_writer *writer) {
  TH_WRITE(writer, world->model_count);
  for (uint32_t i = 0; i < world->model_count; i++) {
    const th_model_use *use = &world->model[i];
    write_text(writer, use->model->name);
    th_write(writer, use->params, use->param_stride * world->rows.count);
    th_write(writer, use->states, use->state_stride * world->rows.count);
  }
}

static void write_goals(const th_world *world, th_writer *writer) {
  write_ids(writer, &world->goals.ids);
  for (uint32_t i = 0; i < world->goals.ids.capacity; i++) {
    const th_goal_def *def = &world->goals.goal[i].def;
    TH_WRITE(writer, *def);
    th_write(writer, def->shape.point, sizeof *def->shape.point * def->shape.count);
  }
}

static void write_entries(const th_world *world, th_writer *writer) {
  TH_WRITE(writer, world->entry_count);
  for (uint32_t i = 0; i < world->entry_count; i++) {
    const th_field_entry *entry = &world->entry[i];
    const uint32_t key[6] = {entry->goal, entry->radius_class,  entry->eps_level,
                             entry->live, entry->field != NULL, entry->failed};
    TH_WRITE(writer, key);
  }
}

static void write_sources(const th_world *world, th_writer *writer) {
  write_ids(writer, &world->sources.ids);
  for (uint32_t i = 0; i < world->sources.ids.capacity; i++) {
    TH_WRITE(writer, world->sources.source[i].emitted);
    TH_WRITE(writer, world->sources.source[i].debt);
  }
}

static void write_edits(const th_world *world, th_writer *writer) {
  TH_WRITE(writer, world->edit_count);
  for (uint32_t i = 0; i < world->edit_count; i++) {
    const th_edit_record *record = &world->edit[i];
    uint32_t kind = record->edit.kind;
    TH_WRITE(writer, record->step);
    TH_WRITE(writer, kind);
    write_text(writer, record->edit.name);
    write_text(writer, record->edit.shape.name);
    TH_WRITE(writer, record->edit.shape.count);
    th_write(writer, record->edit.shape.point, sizeof(th_vec2) * record->edit.shape.count);
  }
}

/* Requests for fields alone; those of an edit follow from the edits. */
static void write_requests(const th_world *world, th_writer *writer) {
  th_request_def def;
  const uint32_t end = 0;
  for (const th_request *r = th_request_next(world, NULL, &def, world->entry_scratch); r;
       r = th_request_next(world, r, &def, world->entry_scratch)) {
    if (def.ground || !def.count) continue;
    TH_WRITE(writer, def.count);
    TH_WRITE(writer, def.step);
    th_write(writer, def.entry, sizeof *def.entry * def.count);
  }
  TH_WRITE(writer, end);
}

th_snapshot_head th_snapshot_head_of(const th_world *world) {
  return (th_snapshot_head){.magic = TH_SNAPSHOT_MAGIC,
                            .row_size = (uint32_t)th_rows_row_size(),
                            .rows = world->rows.count,
                            .guides = world->guides.ids.alive,
                            .step = world->step,
                            .time = world->time,
                            .dt = world->dt,
                            .area = world->area,
                            .seed = world->def.seed,
                            .counters = world->counters};
}

size_t th_world_snapshot(const th_world *world, void *memory, size_t size) {
  if (world->advised) {
    th_fault(&world->env, "th_world_snapshot: called between advise and integrate");
    return 0;
  }
  th_writer writer = {memory, size, 0};
  th_snapshot_head head = th_snapshot_head_of(world);
  TH_WRITE(&writer, head);
  write_ids(&writer, &world->ids);
  column_writer columns = {&writer, world->rows.count};
  th_rows_each(&world->rows, write_column, &columns);
  write_models(world, &writer);
  write_goals(world, &writer);
  write_entries(world, &writer);
  write_sources(world, &writer);
  write_edits(world, &writer);
  write_requests(world, &writer);
  uint64_t guard = 0;
  if (memory && writer.used + sizeof guard <= size) {
    th_hash hash = th_hash_begin(TH_SNAPSHOT_MAGIC);
    th_hash_bytes(&hash, memory, writer.used);
    guard = th_hash_end(&hash);
  }
  TH_WRITE(&writer, guard);
  return writer.used;
}
