/* world/state/snapshot.c - writes the state of a world into a block of bytes.
 *
 * What is a pure function of other state (order, fields, charts) is not written: the snapshot names it, and restore
 * rebuilds it. A hash at the end guards the block, so a damaged one is refused before anything is read from it.
 */
#include "world/state/snapshot.h"

#include <string.h>

#include "base/hash.h"
#include "base/param/value.h"
#include "geometry/shape.h"

typedef struct column_writer {
  th_byte_writer *writer;
  const th_world *world;
} column_writer;

static void write_column(void *context, const char *name, void *column, size_t size) {
  (void)name;
  column_writer *columns = context;
  const uint32_t count = columns->world->rows.count;
  const uint32_t ids = columns->world->def.tag ? th_rows_ids(&columns->world->rows, column) * count : 0;
  for (uint32_t i = 0; i < ids; i++) {
    const th_agent_id id = th_without_tag(((const th_agent_id *)column)[i]);
    TH_WRITE(columns->writer, id);
  }
  if (!ids) th_bytes_write(columns->writer, column, size * count);
}

static void write_text(th_byte_writer *writer, const char *text) {
  uint32_t length = text ? (uint32_t)strlen(text) + 1 : 0;
  TH_WRITE(writer, length);
  if (text) th_bytes_write(writer, text, length);
}

static void write_ids(th_byte_writer *writer, const th_ids *ids) {
  uint32_t used = th_ids_used(ids);
  TH_WRITE(writer, used);
  th_bytes_write(writer, ids->generation, sizeof *ids->generation * used);
}

/* For every row; zeros for those of another model. */
static void write_params(const th_world *world, uint32_t model, th_byte_writer *writer) {
  static const uint8_t none[16]; /* strides are multiples of its size */
  const th_model_slot *use = &world->model[model];
  for (uint32_t row = 0; row < world->rows.count; row++) {
    if (world->rows.model[row] == model)
      th_bytes_write(writer, th_model_params(use, row), use->sets.stride);
    else
      for (size_t at = 0; at < use->sets.stride; at += sizeof none) th_bytes_write(writer, none, sizeof none);
  }
}

static void write_models(const th_world *world, th_byte_writer *writer) {
  TH_WRITE(writer, world->model_count);
  for (uint32_t i = 0; i < world->model_count; i++) {
    const th_model_slot *use = &world->model[i];
    const uint64_t stride[2] = {use->sets.stride, use->state_stride};
    write_text(writer, use->model->name);
    TH_WRITE(writer, stride);
    TH_WRITE(writer, use->need); /* the widest of all its agents so far: how far views and charts reach */
    write_params(world, i, writer);
    th_bytes_write(writer, use->states, use->state_stride * world->rows.count);
  }
}

static void write_shape(th_byte_writer *writer, const th_shape *shape) {
  const uint32_t key[3] = {shape->kind, shape->count, th_shape_flags(shape)};
  TH_WRITE(writer, key);
  TH_WRITE(writer, shape->radius);
  TH_WRITE(writer, shape->level);
  th_bytes_write(writer, th_shape_points(shape), sizeof(th_vec3) * shape->count);
}

static void write_goals(const th_world *world, th_byte_writer *writer) {
  write_ids(writer, &world->goals.ids);
  for (uint32_t i = 0; i < th_ids_used(&world->goals.ids); i++) {
    const th_goal_def *def = &world->goals.goal[i].def;
#define X(type, name, other) TH_WRITE(writer, def->name);
    TH_GOAL_MEMBERS(X)
#undef X
    const uint32_t planned = def->planner != NULL;
    TH_WRITE(writer, planned);
    write_shape(writer, &def->shape);
  }
}

static void write_entries(const th_world *world, th_byte_writer *writer) {
  TH_WRITE(writer, world->entry_count);
  for (uint32_t i = 0; i < world->entry_count; i++) {
    const th_field_entry *entry = &world->entry[i];
    const uint32_t key[6] = {entry->goal, entry->radius_class,  entry->eps_level,
                             entry->live, entry->field != NULL, entry->failed};
    TH_WRITE(writer, key);
    write_shape(writer, &entry->shape);
  }
}

static void write_guide_row(void *context, uint32_t agent, const void *row, size_t size) {
  TH_WRITE((th_byte_writer *)context, agent);
  th_bytes_write(context, row, size);
}

/* Guides hold callbacks and are not written; the parameters in their tables and what they remember are, in the order of
 * their ids. */
static void write_guides(const th_world *world, th_byte_writer *writer) {
  write_ids(writer, &world->guides.ids);
  for (uint32_t i = 0; i < th_ids_used(&world->guides.ids); i++) {
    const th_guide_slot *use = &world->guides.guide[i];
    const th_guide_state_head head = {use->memory_size, use->rows.size, use->rows.ids.alive};
    if (!use->kind) continue;
    TH_WRITE(writer, head);
    for (uint32_t k = 0; k < use->kind->param_count; k++)
      th_bytes_write(writer, use->params + use->kind->param[k].offset, th_param_value_bytes(&use->kind->param[k]));
    th_bytes_write(writer, use->memory, use->memory_size);
    th_guide_rows_each(world, i, write_guide_row, writer);
  }
}

static void write_sources(const th_world *world, th_byte_writer *writer) {
  write_ids(writer, &world->sources.ids);
  for (uint32_t i = 0; i < th_ids_used(&world->sources.ids); i++) {
    const th_source *source = &world->sources.source[i];
    th_source_mark mark = {.debt = source->debt,
                           .emitted = source->emitted,
                           .flow = {source->def.rate, source->def.begin, source->def.end, source->def.total},
                           .guide = source->def.agent.guide};
    for (uint32_t k = 0; k < TH_MAX_STOPS; k++) mark.goal[k] = source->def.agent.route[k].goal;
    th_source_mark_tag(&mark, 0);
    memcpy(mark.field, source->field, sizeof mark.field);
    TH_WRITE(writer, mark);
  }
}

static void write_edits(const th_world *world, th_byte_writer *writer) {
  TH_WRITE(writer, world->edit_count);
  for (uint32_t i = 0; i < world->edit_count; i++) {
    const th_edit_record *record = &world->edit[i];
    const uint32_t key[2] = {record->version, record->words};
    TH_WRITE(writer, record->step);
    TH_WRITE(writer, key);
    th_bytes_write(writer, record->word, sizeof *record->word * record->words);
  }
}

th_charts_name th_snapshot_charts_name(const th_world *world) {
  if (!world->mesh) return (th_charts_name){0};
  const th_atlas *atlas = world->mesh->atlas;
  return (th_charts_name){atlas->version, atlas->charted, atlas->def.charts.chart.reach, th_world_backlog(world)};
}

/* Charts follow from the ground, except for charts older than it, which follow from an earlier version. They are
 * written in the order of their turn. */
static void write_charts(const th_world *world, th_byte_writer *writer) {
  const th_charts_name name = th_snapshot_charts_name(world);
  TH_WRITE(writer, name);
  th_chart_wait wait;
  for (uint32_t at = 0; name.waiting && th_chart_renewal_waiting(&world->mesh->atlas->charts, &at, &wait);)
    TH_WRITE(writer, wait);
}

/* Writes the pending requests, oldest first, with the shapes they were made for: goals may have moved since. */
static void write_requests(const th_world *world, th_byte_writer *writer) {
  const uint32_t end = TH_PENDING_NONE;
  for (const th_request *request = world->request; request; request = request->next) {
    const uint32_t lives = th_request_alive(world, request);
    if (!request->edits && !lives) continue;
    const uint32_t key[3] = {request->edits ? TH_PENDING_EDIT : TH_PENDING_FIELDS, lives,
                             th_ground_version(request->ground)};
    TH_WRITE(writer, key);
    TH_WRITE(writer, request->step);
    for (uint32_t i = 0; i < request->count; i++) {
      if (!th_request_item_lives(world, &request->item[i])) continue;
      TH_WRITE(writer, request->item[i].entry);
      write_shape(writer, &request->item[i].def.goal);
    }
  }
  TH_WRITE(writer, end);
}

th_snapshot_head th_snapshot_head_of(const th_world *world) {
  const th_lattice g = th_ground_lattice(world->base_ground);
  return (th_snapshot_head){.magic = TH_SNAPSHOT_MAGIC,
                            .row_size = (uint32_t)th_rows_row_size(),
                            .rows = world->rows.count,
                            .step = world->step,
                            .time = world->time,
                            .dt = world->dt,
                            .area = world->area,
                            .seed = world->def.seed,
                            .order = world->order.grid,
                            .ground = {(float)g.x0, (float)g.y0, (float)g.cell, g.width, g.height,
                                       world->base_ground->version, world->ground->version},
                            .history = world->history,
                            .counters = world->counters};
}

size_t th_world_snapshot(const th_world *world, void *memory, size_t size) {
  if (th_no_world(world, __func__)) return 0;
  if (world->advised) {
    th_fault(&world->env, "th_world_snapshot: called between advise and integrate");
    return 0;
  }
  th_byte_writer writer = {memory, size, 0};
  th_snapshot_head head = th_snapshot_head_of(world);
  TH_WRITE(&writer, head);
  write_ids(&writer, &world->ids);
  column_writer columns = {&writer, world};
  th_rows_each(&world->rows, write_column, &columns);
  write_models(world, &writer);
  th_people_sets_write(&world->people, &world->rows, &writer);
  write_goals(world, &writer);
  write_guides(world, &writer);
  write_entries(world, &writer);
  write_sources(world, &writer);
  write_edits(world, &writer);
  write_charts(world, &writer);
  th_groups_write(world, &writer);
  th_choices_write(world, &writer);
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
