/* world/state/restore_read.c - from bytes to a draft of a world's state.
 *
 * A hash guards the block, so what is read here was written by snapshot.c; the checks find snapshots of other worlds.
 * Everything is copied, because the bytes are unaligned and belong to the caller.
 */
#include <string.h>

#include "base/hash.h"
#include "base/param/value.h"
#include "geometry/shape.h"
#include "world/state/restore.h"

th_result th_restore_fail(th_error *error, const char *what) {
  return th_fail(error, TH_ERROR_FORMAT, "snapshot", "expected a snapshot of this world, found %s", what);
}

static th_result check_guard(const void *memory, size_t size, th_error *error) {
  uint64_t guard;
  if (!memory || size < sizeof(th_snapshot_head) + sizeof guard) return th_restore_fail(error, "too few bytes");
  memcpy(&guard, (const uint8_t *)memory + size - sizeof guard, sizeof guard);
  th_hash hash = th_hash_begin(TH_SNAPSHOT_MAGIC);
  th_hash_bytes(&hash, memory, size - sizeof guard);
  return th_hash_end(&hash) == guard ? TH_OK : th_restore_fail(error, "damaged bytes");
}

static th_result check_head(const th_restore *r, th_error *error) {
  const th_world *world = r->world;
  const th_ground_name *g = &r->head.ground;
  const th_lattice base = th_ground_lattice(world->base_ground);
  if (r->head.magic != TH_SNAPSHOT_MAGIC || r->head.row_size != th_rows_row_size())
    return th_restore_fail(error, "another format");
  if (r->head.seed != world->def.seed) return th_restore_fail(error, "one with another seed");
  if ((double)g->x0 != base.x0 || (double)g->y0 != base.y0 || (double)g->cell != base.cell || g->width != base.width ||
      g->height != base.height || g->base != world->base_ground->version)
    return th_restore_fail(error, "one on another ground");
  return TH_OK;
}

static bool read_ids(th_restore *r, th_byte_reader *reader, th_ids *ids) {
  uint32_t count;
  TH_READ(reader, count);
  const void *from = th_bytes_in_place(reader, sizeof(uint32_t) * (size_t)count);
  uint32_t *copy = from ? TH_TAKE(r->allocator, uint32_t, count) : NULL;
  if (!copy) return false;
  memcpy(copy, from, sizeof *copy * count);
  bool made = th_ids_make(ids, r->allocator, count) && th_ids_restore(ids, copy, count);
  ids->tag = r->world->def.tag;
  TH_GIVE(r->allocator, copy, count);
  return made;
}

typedef struct column_reader {
  th_byte_reader *reader;
  uint32_t count;
} column_reader;

static void read_column(void *context, const char *name, void *column, size_t size) {
  (void)name;
  column_reader *columns = context;
  th_bytes_read(columns->reader, column, size * columns->count);
}

static th_result read_rows(th_restore *r, th_byte_reader *reader, th_error *error) {
  th_world *world = r->world;
  if (!read_ids(r, reader, &r->ids)) return th_fail_memory(error, "snapshot");
  if (r->ids.alive != r->head.rows) return th_restore_fail(error, "broken ids");
  if (!th_world_capacity_reserve(world, r->ids.capacity) || !th_ids_grow(&r->ids, r->allocator, world->ids.capacity) ||
      !th_rows_grow(&r->rows, r->allocator, world->rows.capacity))
    return th_fail_memory(error, "snapshot");
  r->rows.count = r->head.rows;
  column_reader columns = {reader, r->head.rows};
  th_rows_each(&r->rows, read_column, &columns);
  th_rows_set_tag(&r->rows, world->def.tag);
  return TH_OK;
}

/* The snapshot has parameters for every row; those of this model join equal ones. */
static void read_params(th_restore *r, th_byte_reader *reader, uint32_t number, uint32_t found) {
  th_param_sets *sets = &r->sets[found];
  for (uint32_t row = 0; row < r->head.rows; row++) {
    if (r->rows.model[row] != number) {
      th_bytes_in_place(reader, sets->stride);
      continue;
    }
    th_bytes_read(reader, th_param_sets_draft(sets), sets->stride);
    r->set[found][row] = th_param_sets_join(sets);
  }
}

static th_result read_model(th_restore *r, th_byte_reader *reader, uint32_t number, th_error *error) {
  th_world *world = r->world;
  uint32_t length, found = 0;
  uint64_t stride[2];
  TH_READ(reader, length);
  const char *name = th_bytes_in_place(reader, length);
  if (!name || !length || name[length - 1]) return th_restore_fail(error, "a model without a name");
  while (found < world->model_count && strcmp(world->model[found].model->name, name) != 0) found++;
  if (found == world->model_count) {
    const th_model *model = th_model_find(name);
    if (!model) return th_restore_fail(error, "a model that this world does not have");
    th_result result = th_model_slot_find(world, model, &found, error);
    if (result) return result;
  }
  if (r->states[found]) return th_restore_fail(error, "a model twice");
  const th_model_slot *use = &world->model[found];
  th_view_need need;
  TH_READ(reader, stride);
  TH_READ(reader, need);
  bool wider = use->model->state_bytes && stride[1] <= reader->size; /* states grow with what agents need */
  if (stride[0] != use->sets.stride || (stride[1] != use->state_stride && !wider))
    return th_restore_fail(error, "a model with other parameters");
  if (!th_model_slot_widen(world, found, (size_t)stride[1])) return th_fail_memory(error, "snapshot");
  r->model_of[number] = (uint8_t)found;
  r->need[found] = need;
  r->block_capacity[found] = use->capacity;
  bool made = th_param_sets_make(&r->sets[found], r->allocator, use->sets.stride, use->capacity);
  r->set[found] = TH_TAKE(r->allocator, uint32_t, use->capacity);
  r->states[found] = th_take(r->allocator, use->capacity, use->state_stride);
  if (!made || !r->set[found] || !r->states[found]) return th_fail_memory(error, "snapshot");
  read_params(r, reader, number, found);
  for (uint32_t row = 0; row < r->head.rows; row++)
    th_bytes_read(reader, r->states[found] + row * use->state_stride, (size_t)stride[1]);
  return TH_OK;
}

static th_result read_models(th_restore *r, th_byte_reader *reader, th_error *error) {
  TH_READ(reader, r->model_count);
  if (r->model_count > TH_MAX_MODELS) return th_restore_fail(error, "too many models");
  for (uint32_t i = 0; i < r->model_count; i++) {
    th_result result = read_model(r, reader, i, error);
    if (result) return result;
  }
  for (uint32_t row = 0; row < r->rows.count; row++) {
    if (r->rows.model[row] >= r->model_count) return th_restore_fail(error, "a broken row");
    r->rows.model[row] = r->model_of[r->rows.model[row]];
  }
  return TH_OK;
}

bool th_restore_read_shape(th_restore *r, th_byte_reader *reader, th_shape *shape) {
  uint32_t key[3];
  th_shape found = {0};
  *shape = found;
  TH_READ(reader, key);
  TH_READ(reader, found.radius);
  TH_READ(reader, found.level);
  found.kind = (th_shape_kind)key[0];
  th_shape_set_flags(&found, key[2]);
  const void *point = th_bytes_in_place(reader, sizeof(th_vec3) * (size_t)key[1]);
  if (!point || !key[1]) return point;
  found.count = key[1];
  found.point = point;
  return th_shape_copy(r->allocator, &found, shape);
}

/* Planners are the host's: that of a goal with one must still be there. */
static bool find_planner(const th_restore *r, uint32_t goal, th_goal_def *def) {
  const th_id id = th_ids_at(&r->goal_ids, goal);
  if (!id.index) return true; /* a goal that was removed */
  if (th_ids_valid(&r->world->goals.ids, id)) def->planner = r->world->goals.goal[goal].def.planner;
  return def->planner;
}

static th_result read_goals(th_restore *r, th_byte_reader *reader, th_error *error) {
  if (!read_ids(r, reader, &r->goal_ids)) return th_fail_memory(error, "snapshot");
  r->goal = TH_TAKE(r->allocator, th_goal, r->goal_ids.capacity);
  if (!r->goal) return th_fail_memory(error, "snapshot");
  r->goal_capacity = r->goal_ids.capacity;
  for (uint32_t i = 0; i < r->goal_capacity; i++) {
    th_goal_def *def = &r->goal[i].def;
#define X(type, name, other) TH_READ(reader, def->name);
    TH_GOAL_MEMBERS(X)
#undef X
    uint32_t planned;
    TH_READ(reader, planned);
    if (planned && !find_planner(r, i, def)) return th_restore_fail(error, "a goal whose planner is gone");
    if (!th_restore_read_shape(r, reader, &def->shape)) return th_fail_memory(error, "snapshot");
  }
  return TH_OK;
}

static bool read_entries(th_restore *r, th_byte_reader *reader) {
  uint32_t count;
  TH_READ(reader, count);
  if (count > TH_NO_FIELD || reader->broken) return false;
  r->entry = TH_TAKE(r->allocator, th_field_entry, count);
  if (!r->entry) return false;
  r->entry_capacity = count;
  for (; r->entry_count < count; r->entry_count++) {
    uint32_t key[6];
    TH_READ(reader, key);
    th_field_entry *entry = &r->entry[r->entry_count];
    *entry = (th_field_entry){.goal = key[0],
                              .radius_class = (uint8_t)key[1],
                              .eps_level = (uint8_t)key[2],
                              .live = key[3] != 0,
                              .wanted = key[4] != 0,
                              .failed = key[5] != 0};
    if (!th_restore_read_shape(r, reader, &entry->shape)) return false;
  }
  return true;
}

/* Guides and sources hold what a snapshot cannot (callbacks, models): those it names must still be there. */
static bool still_there(const th_ids *saved, const th_ids *own) {
  for (uint32_t row = 0; row < saved->capacity; row++) {
    th_id id = th_ids_at(saved, row);
    if (id.index && !th_ids_valid(own, id)) return false;
  }
  return saved->capacity <= own->capacity;
}

/* The parameters in its table fit together, with those beside it that the guide has. */
static th_result check_guide_params(th_restore *r, const th_guide_slot *use, th_byte_reader *reader, th_error *error) {
  const th_guide *kind = use->kind;
  uint8_t *draft = th_take(r->allocator, kind->param_size, 1);
  if (!draft) return th_fail_memory(error, "snapshot");
  memcpy(draft, use->params, kind->param_size);
  bool same = true;
  for (uint32_t k = 0; k < kind->param_count; k++) {
    uint8_t *value = draft + kind->param[k].offset;
    th_bytes_read(reader, value, th_param_value_bytes(&kind->param[k]));
    same = same && memcmp(value, use->params + kind->param[k].offset, th_param_value_bytes(&kind->param[k])) == 0;
  }
  bool fits = same || (!kind->shared_make && !th_param_check(kind->param, kind->param_count, draft, NULL) &&
                       !(kind->check && kind->check(draft, NULL)));
  th_give(r->allocator, draft, kind->param_size, 1);
  return fits ? TH_OK : th_restore_fail(error, "a guide with other parameters");
}

/* What guides remember stays in the bytes until nothing can fail any more. */
static th_result read_guides(th_restore *r, th_byte_reader *reader, th_error *error) {
  if (!read_ids(r, reader, &r->guide_ids)) return th_fail_memory(error, "snapshot");
  if (!still_there(&r->guide_ids, &r->world->guides.ids)) return th_restore_fail(error, "a guide that is gone");
  th_result result;
  r->memories = *reader;
  for (uint32_t i = 0; i < r->guide_ids.capacity; i++) {
    th_guide_state_head head;
    th_guide_slot *use = &r->world->guides.guide[i];
    if (!th_ids_at(&r->guide_ids, i).index) continue;
    TH_READ(reader, head);
    if (head.memory != use->memory_size || head.row != use->rows.size)
      return th_restore_fail(error, "a guide with another memory");
    result = check_guide_params(r, use, reader, error);
    if (result) return result;
    th_bytes_in_place(reader, (size_t)head.memory);
    if (head.rows > r->head.rows) return th_restore_fail(error, "a guide with too many rows");
    if (!th_guide_rows_reserve(r->allocator, &use->rows, (uint32_t)head.rows)) return th_fail_memory(error, "snapshot");
    for (uint64_t k = 0; k < head.rows; k++) {
      uint32_t agent;
      TH_READ(reader, agent);
      th_bytes_in_place(reader, use->rows.size);
      if (!agent || agent > r->ids.capacity || !th_ids_at(&r->ids, agent - 1).index)
        return th_restore_fail(error, "a guide's row without an agent");
    }
  }
  return TH_OK;
}

static th_result read_sources(th_restore *r, th_byte_reader *reader, th_error *error) {
  if (!read_ids(r, reader, &r->source_ids)) return th_fail_memory(error, "snapshot");
  if (!still_there(&r->source_ids, &r->world->sources.ids)) return th_restore_fail(error, "a source that is gone");
  r->source = TH_TAKE(r->allocator, th_source_mark, r->source_ids.capacity);
  if (!r->source) return th_fail_memory(error, "snapshot");
  r->source_count = r->source_ids.capacity;
  th_bytes_read(reader, r->source, sizeof *r->source * r->source_count);
  for (uint32_t i = 0; i < r->source_count; i++) th_source_mark_tag(&r->source[i], r->world->def.tag);
  return TH_OK;
}

static bool read_edits(th_restore *r, th_byte_reader *reader) {
  uint32_t count;
  TH_READ(reader, count);
  if (reader->broken || count > reader->size) return false;
  r->edit = TH_TAKE(r->allocator, th_edit_record, count);
  if (!r->edit) return false;
  r->edit_capacity = r->edit_count = count;
  for (uint32_t i = 0; i < count; i++) {
    th_edit_record *record = &r->edit[i];
    uint32_t key[2];
    TH_READ(reader, record->step);
    TH_READ(reader, key);
    record->version = key[0];
    const void *from = th_bytes_in_place(reader, sizeof *record->word * (size_t)key[1]);
    record->word = from ? TH_TAKE(r->allocator, uint32_t, key[1]) : NULL;
    if (!record->word) return false;
    record->words = key[1];
    memcpy(record->word, from, sizeof *record->word * key[1]);
  }
  return true;
}

static bool read_charts(th_restore *r, th_byte_reader *reader) {
  th_charts_name name;
  TH_READ(reader, name);
  const void *from = th_bytes_in_place(reader, sizeof *r->wait * (size_t)name.waiting);
  r->wait = from ? TH_TAKE(r->allocator, th_chart_wait, name.waiting) : NULL;
  if (!r->wait) return false;
  memcpy(r->wait, from, sizeof *r->wait * name.waiting);
  r->charts = name;
  return true;
}

static bool read_choices(th_restore *r, th_byte_reader *reader) {
  const th_choices_around around = {&r->goal_ids, r->rows.count, r->source_count};
  r->stop = TH_TAKE(r->allocator, uint16_t, (size_t)r->source_count * TH_MAX_STOPS);
  if (!r->stop || !th_choices_read(&r->choices, &around, r->rows.choice, r->stop, r->allocator, reader)) return false;
  r->choices.ids.tag = r->world->def.tag;
  return true;
}

th_result th_restore_read(th_restore *r, const void *memory, size_t size, th_error *error) {
  th_result result = check_guard(memory, size, error);
  if (result) return result;
  th_byte_reader reader = {memory, size - sizeof(uint64_t), 0, false};
  TH_READ(&reader, r->head);
  result = check_head(r, error);
  if (!result) result = read_rows(r, &reader, error);
  if (!result) result = read_models(r, &reader, error);
  if (result) return result;
  th_people_sets_read(&r->people, &r->rows, &reader);
  if (reader.broken) return th_restore_fail(error, "people that do not fit");
  result = read_goals(r, &reader, error);
  if (!result) result = read_guides(r, &reader, error);
  if (result) return result;
  if (!read_entries(r, &reader)) return th_fail_memory(error, "snapshot");
  result = read_sources(r, &reader, error);
  if (result) return result;
  if (!read_edits(r, &reader) || !read_charts(r, &reader)) return th_fail_memory(error, "snapshot");
  if (!th_groups_read(&r->groups, r->rows.group, r->rows.count, r->allocator, &reader))
    return reader.broken ? th_restore_fail(error, "groups that do not fit") : th_fail_memory(error, "snapshot");
  r->groups.ids.tag = r->world->def.tag;
  if (!read_choices(r, &reader))
    return reader.broken ? th_restore_fail(error, "choices that do not fit") : th_fail_memory(error, "snapshot");
  r->requests = reader;
  return reader.broken ? th_restore_fail(error, "too few bytes") : TH_OK;
}

void th_restore_free(th_restore *r) {
  const th_allocator *a = r->allocator;
  th_ids *ids[] = {&r->ids, &r->goal_ids, &r->guide_ids, &r->source_ids};
  for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) th_ids_free(ids[i], a);
  th_rows_free(&r->rows, a);
  for (uint32_t i = 0; i < r->world->model_count; i++) {
    const th_model_slot *use = &r->world->model[i];
    th_param_sets_free(&r->sets[i], a);
    TH_GIVE(a, r->set[i], r->block_capacity[i]);
    th_give(a, r->states[i], r->block_capacity[i], use->state_stride);
  }
  th_shared_set_free(r->world, &r->shared);
  th_groups_free(&r->groups, a);
  th_choices_free(&r->choices, a);
  TH_GIVE(a, r->stop, (size_t)r->source_count * TH_MAX_STOPS);
  for (uint32_t i = 0; r->goal && i < r->goal_capacity; i++) th_shape_free(a, &r->goal[i].def.shape);
  TH_GIVE(a, r->goal, r->goal_capacity);
  for (uint32_t i = 0; r->entry && i < r->entry_count; i++) {
    th_field_release(r->entry[i].field);
    th_shape_free(a, &r->entry[i].shape);
  }
  TH_GIVE(a, r->entry, r->entry_capacity);
  TH_GIVE(a, r->source, r->source_count);
  th_edit_records_free(a, r->edit, r->edit_count, r->edit_capacity);
  TH_GIVE(a, r->wait, r->charts.waiting);
  th_requests_free(r->world, r->request);
  th_atlas_free(r->atlas);
  th_ground_release(r->ground);
  th_ground_release(r->latest);
}
