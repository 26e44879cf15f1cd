/* world/restore.c - puts a world back into the state of a snapshot.
 *
 * First everything is read and made beside the world (rows, goals, the ground by its edits, all fields), then swapped
 * in; a failure leaves the world as it was. Fields of an unchanged goal on an unchanged ground are kept, so stepping
 * back in a viewer costs a copy of the rows.
 */
#include <string.h>

#include "base/hash.h"
#include "snapshot.h"

typedef struct draft {
  th_world *world;
  const th_allocator *allocator;
  th_snapshot_head head;
  th_ids ids, goal_ids, source_ids;
  th_rows rows;
  uint8_t model_of[TH_MOST_MODELS]; /* the snapshot's number -> this world's */
  const uint8_t *params[TH_MOST_MODELS], *states[TH_MOST_MODELS];
  uint32_t model_count;
  th_goal *goal;
  th_field_entry *entry;
  uint32_t entry_count;
  th_reader sources; /* position of the sources' records */
  th_reader edits, requests;
  uint32_t edit_count;
  th_ground *ground;
  void *shared[TH_MOST_MODELS]; /* what models share on that ground, when it is another version */
  uint32_t shared_count;
} draft;

static th_result fail(th_error *error, const char *what) {
  return th_fail(error, TH_ERROR_FORMAT, "snapshot", "expected a snapshot of this world, found %s", what);
}

static th_result check_guard(const void *memory, size_t size, th_error *error) {
  uint64_t guard;
  if (!memory || size < sizeof(th_snapshot_head) + sizeof guard) return fail(error, "too few bytes");
  memcpy(&guard, (const uint8_t *)memory + size - sizeof guard, sizeof guard);
  th_hash hash = th_hash_begin(TH_SNAPSHOT_MAGIC);
  th_hash_bytes(&hash, memory, size - sizeof guard);
  return th_hash_end(&hash) == guard ? TH_OK : fail(error, "damaged bytes");
}

static bool read_ids(draft *d, th_reader *reader, th_ids *ids) {
  uint32_t count;
  TH_READ(reader, count);
  const void *from = th_read_in_place(reader, sizeof(uint32_t) * (size_t)count);
  uint32_t *copy = from ? TH_TAKE(d->allocator, uint32_t, count) : NULL;
  if (!copy) return false;
  memcpy(copy, from, sizeof *copy * count);
  bool made = th_ids_make(ids, d->allocator, count) && th_ids_restore(ids, copy, count);
  TH_GIVE(d->allocator, copy, count);
  return made;
}

typedef struct column_reader {
  th_reader *reader;
  uint32_t count;
} column_reader;

static void read_column(void *context, const char *name, void *column, size_t size) {
  (void)name;
  column_reader *columns = context;
  th_read(columns->reader, column, size * columns->count);
}

static th_result read_models(draft *d, th_reader *reader, th_error *error) {
  TH_READ(reader, d->model_count);
  if (d->model_count > TH_MOST_MODELS) return fail(error, "too many models");
  for (uint32_t i = 0; i < d->model_count; i++) {
    uint32_t length, found = 0;
    TH_READ(reader, length);
    const char *name = th_read_in_place(reader, length);
    if (!name || !length || name[length - 1]) return fail(error, "a model without a name");
    while (found < d->world->model_count && strcmp(d->world->model[found].model->name, name)) found++;
    if (found == d->world->model_count) {
      const th_model *model = th_model_find(name);
      if (!model) return fail(error, "a model that this world does not have");
      th_result result = th_model_use_find(d->world, model, &found, error);
      if (result) return result;
    }
    d->model_of[i] = (uint8_t)found;
    d->params[i] = th_read_in_place(reader, d->world->model[found].param_stride * d->head.rows);
    d->states[i] = th_read_in_place(reader, d->world->model[found].state_stride * d->head.rows);
  }
  return reader->broken ? fail(error, "too few bytes") : TH_OK;
}

static bool read_goals(draft *d, th_reader *reader) {
  if (!read_ids(d, reader, &d->goal_ids)) return false;
  d->goal = TH_TAKE(d->allocator, th_goal, d->goal_ids.capacity);
  if (!d->goal) return false;
  for (uint32_t i = 0; i < d->goal_ids.capacity; i++) {
    th_goal_def *def = &d->goal[i].def;
    TH_READ(reader, *def);
    size_t bytes = sizeof(th_vec2) * (size_t)def->shape.count;
    const void *from = th_read_in_place(reader, bytes);
    th_vec2 *point = from && def->shape.count ? TH_TAKE(d->allocator, th_vec2, def->shape.count) : NULL;
    if (point) memcpy(point, from, bytes);
    bool empty = !def->shape.count;
    def->shape.point = point;
    if (!point) def->shape.count = 0;
    if (!empty && !point) return false;
  }
  return true;
}

static bool read_entries(draft *d, th_reader *reader) {
  TH_READ(reader, d->entry_count);
  if (d->entry_count > TH_NO_FIELD || reader->broken) return false;
  d->entry = TH_TAKE(d->allocator, th_field_entry, d->entry_count);
  if (!d->entry) return false;
  for (uint32_t i = 0; i < d->entry_count; i++) {
    uint32_t key[6];
    TH_READ(reader, key);
    d->entry[i] = (th_field_entry){.goal = key[0],
                                   .radius_class = (uint8_t)key[1],
                                   .eps_level = (uint8_t)key[2],
                                   .live = key[3] != 0,
                                   .wanted = key[4] != 0,
                                   .failed = key[5] != 0};
  }
  return true;
}

static void skip_source(th_reader *reader) { th_read_in_place(reader, sizeof(uint32_t) + sizeof(double)); }

/* One edit; names point into the snapshot, points are copied to keep them aligned. */
static bool read_edit(draft *d, th_reader *reader, th_edit_record *record) {
  uint32_t kind, length;
  *record = (th_edit_record){0};
  TH_READ(reader, record->step);
  TH_READ(reader, kind);
  record->edit.kind = (th_edit_kind)kind;
  const char **text[2] = {&record->edit.name, &record->edit.shape.name};
  for (int i = 0; i < 2; i++) {
    TH_READ(reader, length);
    *text[i] = length ? th_read_in_place(reader, length) : NULL;
    if (length && (!*text[i] || (*text[i])[length - 1])) return false;
  }
  TH_READ(reader, record->edit.shape.count);
  size_t bytes = sizeof(th_vec2) * (size_t)record->edit.shape.count;
  const void *from = th_read_in_place(reader, bytes);
  if (!from || !record->edit.shape.count) return !reader->broken;
  th_vec2 *point = TH_TAKE(d->allocator, th_vec2, record->edit.shape.count);
  if (point) memcpy(point, from, bytes);
  record->edit.shape.point = point;
  return point != NULL;
}

static void drop_edit(draft *d, th_edit_record *record) {
  th_give(d->allocator, (void *)(uintptr_t)record->edit.shape.point, record->edit.shape.count, sizeof(th_vec2));
}

/* Applies the edits up to the snapshot's step to version 1, one version for each step at which edits came into force.
 */
static th_result read_ground(draft *d, th_reader *reader, th_error *error) {
  TH_READ(reader, d->edit_count);
  d->edits = *reader;
  d->ground = th_ground_retain(d->world->base_ground);
  for (uint32_t i = 0; i < d->edit_count; i++) {
    th_edit_record record;
    th_ground *next = NULL;
    th_result result = read_edit(d, reader, &record) ? TH_OK : fail(error, "a broken edit");
    if (!result && record.step <= d->head.step) result = th_ground_edit(d->ground, &record.edit, 1, &next, error);
    drop_edit(d, &record);
    if (result) return result;
    if (!next) continue;
    th_ground_release(d->ground);
    d->ground = next;
  }
  d->requests = *reader;
  return TH_OK;
}

static th_result read_all(draft *d, th_reader *reader, th_error *error) {
  TH_READ(reader, d->head);
  const th_world *world = d->world;
  if (d->head.magic != TH_SNAPSHOT_MAGIC || d->head.row_size != th_rows_row_size())
    return fail(error, "another format");
  if (d->head.seed != world->def.seed || d->head.guides != world->guides.ids.alive)
    return fail(error, "one of another world (seed or guides differ)");
  if (!read_ids(d, reader, &d->ids) || d->ids.alive != d->head.rows) return fail(error, "broken ids");
  if (!th_world_make_room(d->world, d->ids.capacity) || !th_ids_grow(&d->ids, d->allocator, world->ids.capacity) ||
      !th_rows_grow(&d->rows, d->allocator, world->rows.capacity))
    return th_fail_memory(error, "snapshot");
  d->rows.count = d->head.rows;
  column_reader columns = {reader, d->head.rows};
  th_rows_each(&d->rows, read_column, &columns);
  th_result result = read_models(d, reader, error);
  if (result) return result;
  if (!read_goals(d, reader) || !read_entries(d, reader)) return fail(error, "broken goals");
  if (!read_ids(d, reader, &d->source_ids) || d->source_ids.capacity != world->sources.ids.capacity)
    return fail(error, "other sources");
  d->sources = *reader;
  for (uint32_t i = 0; i < d->source_ids.capacity; i++) skip_source(reader);
  result = read_ground(d, reader, error);
  return result ? result : reader->broken ? fail(error, "too few bytes") : TH_OK;
}

static bool same_goal(const th_goal_def *a, const th_goal_def *b) {
  return a->shape.kind == b->shape.kind && a->shape.count == b->shape.count && a->shape.radius == b->shape.radius &&
         a->field == b->field && a->blend == b->blend && a->walls == b->walls &&
         !memcmp(a->shape.point, b->shape.point, sizeof *a->shape.point * a->shape.count);
}

/* A field that the world has already for the same ground, goal and key. */
static th_field *kept_field(const draft *d, const th_field_entry *entry, uint32_t number) {
  const th_world *world = d->world;
  if (number >= world->entry_count || th_ground_version(world->ground) != th_ground_version(d->ground)) return NULL;
  if (world->edit_count < d->edit_count && th_ground_version(d->ground) > 1) return NULL;
  const th_field_entry *own = &world->entry[number];
  if (!own->field || own->goal != entry->goal || own->radius_class != entry->radius_class ||
      own->eps_level != entry->eps_level)
    return NULL;
  return same_goal(&world->goals.goal[own->goal - 1].def, &d->goal[entry->goal - 1].def) ? own->field : NULL;
}

static th_result make_fields(draft *d, th_error *error) {
  th_solver *solver = NULL;
  th_result result = TH_OK;
  bool same_ground = th_ground_version(d->ground) == 1;
  for (uint32_t i = 0; i < d->entry_count && !result; i++) {
    th_field_entry *entry = &d->entry[i];
    if (!entry->live || !entry->wanted) continue;
    th_field *kept = same_ground ? kept_field(d, entry, i) : NULL;
    if (kept) {
      entry->field = th_field_retain(kept);
      continue;
    }
    if (!solver) result = th_solver_make(&d->world->env, d->ground, &solver, error);
    if (result) break;
    const th_goal_def *goal = &d->goal[entry->goal - 1].def;
    th_field_def def = th_default_field_def();
    def.kind = goal->field;
    def.blend = goal->blend;
    def.walls = goal->walls;
    def.eps = (float)entry->eps_level * TH_EPS_STEP;
    def.radius_class = entry->radius_class;
    def.goal = goal->shape;
    result = th_field_make(solver, &def, &entry->field, error);
  }
  th_solver_release(solver);
  return result;
}

static th_result share_models(draft *d, th_error *error) {
  th_result result = TH_OK;
  if (th_ground_version(d->ground) == th_ground_version(d->world->ground)) return TH_OK;
  for (; d->shared_count < d->world->model_count && !result; d->shared_count++) {
    const th_model *model = d->world->model[d->shared_count].model;
    if (model->shared_make) result = model->shared_make(&d->world->env, d->ground, &d->shared[d->shared_count], error);
  }
  return result;
}

static void free_goals(const th_allocator *a, th_goal *goal, uint32_t count) {
  for (uint32_t i = 0; goal && i < count; i++)
    th_give(a, (void *)(uintptr_t)goal[i].def.shape.point, goal[i].def.shape.count, sizeof(th_vec2));
  TH_GIVE(a, goal, count);
}

static void free_draft(draft *d) {
  const th_allocator *a = d->allocator;
  th_ids_free(&d->ids, a);
  th_rows_free(&d->rows, a);
  free_goals(a, d->goal, d->goal_ids.capacity);
  th_ids_free(&d->goal_ids, a);
  th_ids_free(&d->source_ids, a);
  for (uint32_t i = 0; d->entry && i < d->entry_count; i++) th_field_release(d->entry[i].field);
  TH_GIVE(a, d->entry, d->entry_count);
  for (uint32_t i = 0; i < d->shared_count; i++)
    if (d->shared[i]) d->world->model[i].model->shared_free(&d->world->env, d->shared[i]);
  th_ground_release(d->ground);
}

static void install_agents(draft *d) {
  th_world *world = d->world;
  th_rows rows = world->rows;
  th_ids ids = world->ids;
  world->rows = d->rows;
  world->ids = d->ids;
  d->rows = rows;
  d->ids = ids;
  for (uint32_t i = 0; i < d->model_count; i++) {
    th_model_use *use = &world->model[d->model_of[i]];
    memcpy(use->params, d->params[i], use->param_stride * d->head.rows);
    memcpy(use->states, d->states[i], use->state_stride * d->head.rows);
  }
  for (uint32_t row = 0; row < world->rows.count; row++) {
    world->rows.model[row] = d->model_of[world->rows.model[row]];
    world->row_of[world->rows.id[row].index - 1] = row;
    world->rows.user[row] = NULL;
  }
}

static void install_tables(draft *d) {
  th_world *world = d->world;
  th_goals goals = world->goals;
  world->goals = (th_goals){d->goal_ids, d->goal, d->goal_ids.capacity};
  d->goal_ids = goals.ids;
  d->goal = goals.goal;
  th_field_entry *entry = world->entry;
  uint32_t count = world->entry_count, capacity = world->entry_capacity;
  world->entry = d->entry;
  world->entry_count = world->entry_capacity = d->entry_count;
  for (uint32_t i = 0; i < count; i++) th_field_release(entry[i].field);
  TH_GIVE(d->allocator, entry, capacity);
  d->entry = NULL;
  th_ids sources = world->sources.ids;
  world->sources.ids = d->source_ids;
  d->source_ids = sources;
  for (uint32_t i = 0; i < world->sources.capacity && i < d->source_ids.capacity; i++) {
    TH_READ(&d->sources, world->sources.source[i].emitted);
    TH_READ(&d->sources, world->sources.source[i].debt);
  }
}

static void install_ground(draft *d) {
  th_world *world = d->world;
  for (uint32_t i = 0; i < d->shared_count; i++) {
    th_model_share(world, i, d->shared[i]);
    d->shared[i] = NULL;
  }
  th_ground_release(world->ground);
  th_ground_release(world->latest_ground);
  world->ground = th_ground_retain(d->ground);
  world->latest_ground = th_ground_retain(d->ground);
  th_solver_release(world->solver); /* nothing is pending: the solver is ours */
  world->solver = NULL;
  world->edit_count = 0;
}

/* What was pending in the snapshot is asked for again, for the same steps. */
static th_result ask_again(draft *d, th_error *error) {
  th_world *world = d->world;
  th_result result = TH_OK;
  for (uint32_t i = 0; i < d->edit_count && !result; i++) {
    th_edit_record record;
    if (!read_edit(d, &d->edits, &record)) return th_fail_memory(error, "snapshot");
    if (record.step <= d->head.step)
      result = th_edits_record(world, &record.edit, 1, record.step, error);
    else
      result = th_world_edit_at(world, &record.edit, 1, record.step, error);
    drop_edit(d, &record);
  }
  for (;;) {
    th_request_def def = {0};
    TH_READ(&d->requests, def.count);
    if (result || !def.count) return result;
    TH_READ(&d->requests, def.step);
    const void *from = th_read_in_place(&d->requests, sizeof(uint32_t) * (size_t)def.count);
    if (!from || def.count > world->entry_count) return fail(error, "broken requests");
    memcpy(world->entry_scratch, from, sizeof(uint32_t) * def.count);
    def.entry = world->entry_scratch;
    result = th_request_entries(world, &def, error);
  }
}

th_result th_world_restore(th_world *world, const void *memory, size_t size, th_error *error) {
  if (world->advised) return th_fail(error, TH_ERROR_STATE, "snapshot", "expected a world between two steps");
  th_result result = check_guard(memory, size, error);
  if (result) return result;
  draft d = {.world = world, .allocator = &world->env.allocator};
  th_reader reader = {memory, size - sizeof(uint64_t), 0, false};
  th_requests_wait(world);
  result = read_all(&d, &reader, error);
  if (!result) result = make_fields(&d, error);
  if (!result) result = share_models(&d, error);
  if (!result && !th_world_entry_scratch(world, d.entry_count)) result = th_fail_memory(error, "snapshot");
  if (!result) {
    th_requests_free(world);
    th_edits_free(world);
    install_agents(&d);
    install_tables(&d);
    install_ground(&d);
    world->step = d.head.step;
    world->time = d.head.time;
    world->dt = d.head.dt;
    world->area = d.head.area;
    world->counters = d.head.counters;
    world->event_count = 0;
    for (uint32_t row = 0; row < world->rows.count; row++) th_agent_limits(world, row);
    result = ask_again(&d, error);
  }
  free_draft(&d);
  return result;
}
