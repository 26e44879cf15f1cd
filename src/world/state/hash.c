/* world/state/hash.c - one number for the whole state.
 *
 * Columns are hashed as they lie in memory (rows depend on the calls alone), parameters through their tables so that
 * pointers and padding stay out. What is a pure function of the ground version and a key (fields, order) is left out,
 * and so are capacities: memory reserved for later is not state. Cost: about 0.3 ns per byte of the rows.
 */
#include "base/hash.h"

#include "base/param/value.h"
#include "geometry/shape.h"
#include "world/field_requests.h"
#include "world/goal_members.h"

typedef struct column_hash {
  th_hash hash;
  uint32_t count;
  const th_world *world;
} column_hash;

static void add_column(void *context, const char *name, void *column, size_t size) {
  (void)name;
  column_hash *hash = context;
  const uint32_t ids = hash->world->def.tag ? th_rows_ids(&hash->world->rows, column) * hash->count : 0;
  for (uint32_t i = 0; i < ids; i++) {
    const th_agent_id id = th_without_tag(((const th_agent_id *)column)[i]);
    th_hash_bytes(&hash->hash, &id, sizeof id);
  }
  if (!ids) th_hash_bytes(&hash->hash, column, size * hash->count);
}

static void add_params(th_hash *hash, const th_param *param, uint32_t count, const uint8_t *values) {
  for (uint32_t i = 0; i < count; i++) th_hash_bytes(hash, values + param[i].offset, th_param_value_bytes(&param[i]));
}

static void add_ids(th_hash *hash, const th_ids *ids) {
  uint32_t used = th_ids_used(ids);
  th_hash_u32(hash, &used, 1);
  th_hash_u32(hash, ids->generation, used);
}

static void add_shape(th_hash *hash, const th_shape *shape) {
  const uint32_t key[4] = {shape->kind, shape->count, (uint32_t)shape->level, th_shape_flags(shape)};
  th_hash_u32(hash, key, 4);
  th_hash_float(hash, &shape->radius, 1);
  if (shape->count) th_hash_float(hash, &th_shape_points(shape)->x, 3 * (size_t)shape->count);
}

static void add_models(const th_world *world, th_hash *hash) {
  for (uint32_t row = 0; row < world->rows.count; row++) {
    const th_model_slot *use = &world->model[world->rows.model[row]];
    add_params(hash, use->model->param, use->model->param_count, th_model_params(use, row));
    th_hash_bytes(hash, use->states + row * use->state_stride, th_model_state_bytes(use, row));
  }
}

static void add_people(const th_world *world, th_hash *hash) {
  uint32_t count;
  const th_param *table = th_people_table(&count);
  for (uint32_t row = 0; world->people.any && row < world->rows.count; row++) {
    const th_people_params *people = world->people.of[world->rows.people[row]];
    if (!people) continue;
    add_params(hash, table, count, (const uint8_t *)people);
    th_hash_float(hash, &world->rows.away[row].x, 2);
    th_hash_float(hash, &world->rows.held[row], 1);
  }
}

static void add_goals(const th_world *world, th_hash *hash) {
  add_ids(hash, &world->goals.ids);
  for (uint32_t i = 0; i < th_ids_used(&world->goals.ids); i++) {
    const th_goal_def *def = &world->goals.goal[i].def;
    const uint32_t planned = def->planner != NULL;
    add_shape(hash, &def->shape);
    th_hash_u32(hash, &planned, 1);
#define X(type, name, other) th_hash_bytes(hash, &def->name, sizeof def->name);
    TH_GOAL_MEMBERS(X)
#undef X
  }
  for (uint32_t i = 0; i < world->entry_count; i++) {
    const th_field_entry *entry = &world->entry[i];
    const uint32_t key[5] = {entry->goal, entry->radius_class, entry->eps_level, entry->live,
                             entry->failed || entry->field};
    th_hash_u32(hash, key, 5);
    add_shape(hash, &entry->shape);
  }
}

static void add_guide_row(void *context, uint32_t agent, const void *row, size_t size) {
  th_hash_u32(context, &agent, 1);
  th_hash_bytes(context, row, size);
}

static void add_guides(const th_world *world, th_hash *hash) {
  add_ids(hash, &world->guides.ids);
  for (uint32_t i = 0; i < th_ids_used(&world->guides.ids); i++) {
    const th_guide_slot *use = &world->guides.guide[i];
    if (!use->kind) continue;
    add_params(hash, use->kind->param, use->kind->param_count, use->params);
    if (use->memory) th_hash_bytes(hash, use->memory, use->memory_size);
    th_guide_rows_each(world, i, add_guide_row, hash);
  }
}

static void add_sources(const th_world *world, th_hash *hash) {
  add_ids(hash, &world->sources.ids);
  for (uint32_t i = 0; i < th_ids_used(&world->sources.ids); i++) {
    const th_source *source = &world->sources.source[i];
    const th_source_def *def = &source->def;
    const float number[4] = {def->rate, def->begin, def->end, def->agent.speed};
    th_hash_double(hash, &source->debt, 1);
    th_hash_u32(hash, &source->emitted, 1);
    th_hash_u32(hash, &def->total, 1);
    th_hash_float(hash, number, 4);
    th_hash_bytes(hash, &def->spread, sizeof def->spread);
    th_hash_bytes(hash, def->region.point, sizeof(th_vec2) * def->region.count);
  }
}

static void add_pending(const th_world *world, th_hash *hash) {
  const uint32_t version = th_ground_version(world->ground);
  if (world->history) th_hash_u64(hash, &world->history, 1);
  for (uint32_t i = 0; i < world->edit_count; i++) {
    const th_edit_record *record = &world->edit[i];
    if (record->version <= version) continue; /* in the history */
    th_hash_u64(hash, &record->step, 1);
    th_hash_u32(hash, &record->version, 1);
    th_hash_u32(hash, record->word, record->words);
  }
  for (const th_request *request = world->request; request; request = request->next) {
    const uint32_t edits = request->edits;
    if (!edits && !th_request_alive(world, request)) continue; /* as in a snapshot */
    th_hash_u64(hash, &request->step, 1);
    th_hash_u32(hash, &edits, 1);
    for (uint32_t i = 0; i < request->count; i++) {
      if (!th_request_item_lives(world, &request->item[i])) continue;
      th_hash_u32(hash, &request->item[i].entry, 1);
      add_shape(hash, &request->item[i].def.goal);
    }
  }
}

/* Hashes the charts that are older than the ground; all others follow from it. */
static void add_charts(const th_world *world, th_hash *hash) {
  th_chart_wait wait;
  for (uint32_t at = 0; th_world_backlog(world) && th_chart_renewal_waiting(&world->mesh->atlas->charts, &at, &wait);) {
    th_hash_u32(hash, &wait.patch, 1);
    th_hash_u32(hash, &wait.version, 1);
  }
}

static void add_head(const th_world *world, th_hash *hash) {
  const th_order *order = &world->order;
  const th_counters *c = &world->counters;
  const uint32_t word[6] = {world->rows.count,
                            th_ground_version(world->ground),
                            th_ground_version(world->latest_ground),
                            world->entry_count,
                            order->grid.columns,
                            order->grid.rows};
  const float number[3] = {world->dt, world->area, order->grid.side};
  const uint64_t count[6] = {c->added, c->arrived, c->removed, c->unreachable, c->stuck, c->wall_contacts};
  th_hash_u64(hash, &world->step, 1);
  th_hash_double(hash, &world->time, 1);
  th_hash_float(hash, number, 3);
  th_hash_u32(hash, word, 6);
  th_hash_u64(hash, count, 6);
}

uint64_t th_world_hash(const th_world *world) {
  if (th_no_world(world, __func__)) return 0;
  column_hash columns = {th_hash_begin(world->def.seed), world->rows.count, world};
  add_head(world, &columns.hash);
  add_ids(&columns.hash, &world->ids);
  th_rows_each(&world->rows, add_column, &columns);
  th_groups_hash(world, &columns.hash);
  th_choices_hash(world, &columns.hash);
  add_models(world, &columns.hash);
  add_people(world, &columns.hash);
  add_goals(world, &columns.hash);
  add_guides(world, &columns.hash);
  add_sources(world, &columns.hash);
  add_pending(world, &columns.hash);
  add_charts(world, &columns.hash);
  return th_hash_end(&columns.hash);
}
