/* world/state/restore.c - puts a world back into the state of a snapshot.
 *
 * The snapshot is read into a draft beside the world (rows, goals, the ground by its edits, all fields), and the two
 * are exchanged. Pending requests are then made again; if that fails, draft and world are exchanged back. So a failure
 * leaves the world as it was. Ground and fields that the world still has are kept: stepping back costs a copy of the
 * rows. When charts wait for renewal, the draft is taken through all versions of the ground since the oldest of them,
 * because each waiting chart may belong to another version.
 */
#include "world/state/restore.h"

#include <string.h>

#include "base/param/value.h"
#include "base/swap.h"
#include "field/field.h"
#include "geometry/shape.h"
#include "ground/edit.h"
#include "ground/edit_record.h"
#include "ground/mesh/ground.h"
#include "world/agent/agents.h"

/* ---------------------------------------------------------------- ground */

/* True when the same edits made the world's ground in force. */
static bool same_history(const th_restore *r) {
  return th_ground_version(r->world->ground) == r->head.ground.version && r->world->history == r->head.history;
}

typedef struct records {
  const th_edit_record *record;
  uint32_t count;
  const th_allocator *allocator;
} records;

/* Reads the records of the versions after `from` up to `to` as edits; UINT32_MAX when one is broken. */
static uint32_t tell(const records *all, uint32_t from, uint32_t to, th_edit *edit, th_region *region) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < all->count; i++) {
    const th_edit_record *record = &all->record[i];
    if (record->version <= from || record->version > to) continue;
    if (!th_edit_read(record->word, record->words, &edit[n], &region[n])) return UINT32_MAX;
    n++;
  }
  return n;
}

/* A later version of `ground`. The edits between are applied at once: some may have been folded, and what is left of
 * them need not make sense version by version. */
static th_result later_version(const records *all, uint32_t version, th_ground **ground, th_error *error) {
  const th_allocator *a = all->allocator;
  const uint32_t count = all->count;
  th_ground *next = NULL;
  th_edit *edit = TH_TAKE(a, th_edit, count);
  th_region *region = TH_TAKE(a, th_region, count);
  th_result result = edit && region ? TH_OK : th_fail_memory(error, "snapshot");
  uint32_t n = result ? 0 : tell(all, th_ground_version(*ground), version, edit, region);
  if (n == UINT32_MAX) result = th_restore_fail(error, "a broken edit");
  if (!result) result = th_ground_revise(*ground, edit, n, version, &next, error);
  TH_GIVE(a, edit, count);
  TH_GIVE(a, region, count);
  if (result) return result;
  th_ground_release(*ground);
  *ground = next;
  return TH_OK;
}

/* True when the world's charts already are those of the snapshot. */
static bool same_charts(const th_restore *r) {
  const th_charts_name now = th_snapshot_charts_name(r->world);
  if (now.charted && r->charts.charted && now.reach != r->charts.reach) return false; /* agents saw farther since */
  return now.version == r->charts.version && !now.waiting && !r->charts.waiting;
}

/* Makes the patches and charts of the version that the draft has reached. */
static th_result make_charts(th_restore *r, th_error *error) {
  const uint32_t version = th_ground_version(r->ground);
  th_result result = TH_OK;
  if (!r->world->mesh || r->same_ground) return TH_OK;
  if (version == r->charts.version) {
    result = th_world_mesh_atlas(r->world, r->ground, &r->atlas, error);
    if (!result && r->charts.charted && th_atlas_chart_for(r->atlas, r->ground, r->charts.reach))
      result = th_fail_memory(error, "snapshot");
  }
  if (result || !r->atlas || !r->atlas->charted) return result;
  return th_atlas_resume(r->atlas, r->ground, r->wait, r->charts.waiting, r->world->pool)
             ? th_fail_memory(error, "snapshot")
             : TH_OK;
}

/* The next version that matters: the one that patches were cut from, and all since the oldest chart that waits. */
static uint32_t next_stop(const th_restore *r) {
  const uint32_t version = th_ground_version(r->ground);
  uint32_t stop = r->head.ground.version;
  if (r->charts.version > version && r->charts.version < stop) stop = r->charts.version;
  for (uint32_t n = 0; n < r->charts.waiting; n++) {
    const uint32_t waits = r->wait[n].version > version ? r->wait[n].version : version + 1;
    stop = waits < stop ? waits : stop;
  }
  return stop;
}

static th_result go_on(th_restore *r, th_error *error) {
  th_ground *before = th_ground_retain(r->ground);
  const records all = {r->edit, r->edit_count, r->allocator};
  th_result result = later_version(&all, next_stop(r), &r->ground, error);
  if (!result && r->atlas && r->atlas->charted)
    th_chart_renewal_carry(&r->atlas->charts, &before->mesh->frames, &r->ground->mesh->frames, r->world->pool);
  if (!result) result = make_charts(r, error);
  th_ground_release(before);
  return result;
}

static th_result make_ground(th_restore *r, th_error *error) {
  r->same_ground = same_history(r) && same_charts(r);
  r->ground = th_ground_retain(r->same_ground ? r->world->ground : r->world->base_ground);
  th_result result = make_charts(r, error);
  while (!result && th_ground_version(r->ground) < r->head.ground.version) result = go_on(r, error);
  if (result) return result;
  r->latest = th_ground_retain(r->ground);
  if (!r->world->mesh || r->same_ground) return TH_OK;
  if (!r->atlas) return th_restore_fail(error, "patches of another version");
  if (r->atlas->charted) th_chart_renewal_queue(&r->atlas->charts, r->wait, r->charts.waiting);
  return TH_OK;
}

/* ---------------------------------------------------------------- fields and shared data */

/* A field that the world has already for the same ground, goal and key. */
static th_field *kept_field(const th_restore *r, const th_field_entry *entry, uint32_t number) {
  const th_world *world = r->world;
  if (!r->same_ground || number >= world->entry_count) return NULL;
  const th_field_entry *own = &world->entry[number];
  if (!own->field || own->goal != entry->goal || own->radius_class != entry->radius_class ||
      own->eps_level != entry->eps_level || !th_shape_same(&own->shape, &entry->shape))
    return NULL;
  const th_goal_def *a = &world->goals.goal[own->goal - 1].def, *b = &r->goal[entry->goal - 1].def;
  bool same = true;
#define X(type, name, other) same = same && memcmp(&a->name, &b->name, sizeof a->name) == 0;
  TH_GOAL_FIELD_MEMBERS(X)
#undef X
  same = same && a->planner == b->planner;
  return same ? own->field : NULL;
}

static th_result make_field(const th_restore *r, th_solver *solver, th_field_entry *entry, th_error *error) {
  const th_goal_def *goal = &r->goal[entry->goal - 1].def;
  th_field_def def = th_goal_field_def(goal, entry, &entry->shape);
  return th_field_make(solver, &def, &entry->field, error);
}

static th_result make_fields(th_restore *r, th_error *error) {
  th_solver *solver = NULL;
  th_result result = TH_OK;
  for (uint32_t i = 0; i < r->entry_count && !result; i++) {
    th_field_entry *entry = &r->entry[i];
    if (!entry->live || !entry->wanted) continue;
    th_field *kept = kept_field(r, entry, i);
    if (kept) entry->field = th_field_retain(kept);
    if (kept) continue;
    if (!solver)
      result = th_solver_make(&(th_solver_def){r->world->field_env, r->ground, r->world->simd}, &solver, error);
    if (!result) result = make_field(r, solver, entry, error);
  }
  th_solver_release(solver);
  return result;
}

/* ---------------------------------------------------------------- exchange */

static void exchange_agents(th_restore *r) {
  th_world *world = r->world;
  for (uint32_t row = 0; row < r->rows.count; row++) { /* the host's pointers stay with the agents that are there */
    uint32_t old = th_world_row(world, r->rows.id[row]);
    if (old != UINT32_MAX) r->rows.user[row] = world->rows.user[old];
  }
  TH_SWAP(th_rows, world->rows, r->rows);
  for (uint32_t row = 0; row < world->rows.count; row++) th_agent_note_waits(world, &world->rows.route[row]);
  TH_SWAP(th_ids, world->ids, r->ids);
  TH_SWAP(th_people_sets, world->people, r->people);
  th_people_sets_point(&world->people);
  th_people_sets_point(&r->people);
  for (uint32_t i = 0; i < world->model_count; i++) {
    th_model_slot *use = &world->model[i];
    TH_SWAP(th_view_need, use->need, r->need[i]);
    if (!r->states[i]) continue;
    TH_SWAP(th_param_sets, use->sets, r->sets[i]);
    TH_SWAP(uint32_t *, use->set, r->set[i]);
    TH_SWAP(uint8_t *, use->states, r->states[i]);
  }
  for (uint32_t row = 0; row < world->rows.count; row++) world->row_of[world->rows.id[row].index - 1] = row;
}

static void exchange_tables(th_restore *r) {
  th_world *world = r->world;
  for (uint32_t i = 0; i < world->goals.capacity && i < r->goal_capacity; i++) /* names are the host's */
    if (world->goals.ids.generation[i] == r->goal_ids.generation[i])
      memcpy(r->goal[i].name, world->goals.goal[i].name, sizeof r->goal[i].name);
  TH_SWAP(th_ids, world->goals.ids, r->goal_ids);
  TH_SWAP(th_goal *, world->goals.goal, r->goal);
  TH_SWAP(uint32_t, world->goals.capacity, r->goal_capacity);
  TH_SWAP(th_field_entry *, world->entry, r->entry);
  TH_SWAP(uint32_t, world->entry_count, r->entry_count);
  TH_SWAP(uint32_t, world->entry_capacity, r->entry_capacity);
  TH_SWAP(th_edit_record *, world->edit, r->edit);
  TH_SWAP(uint32_t, world->edit_count, r->edit_count);
  TH_SWAP(uint32_t, world->edit_capacity, r->edit_capacity);
  TH_SWAP(th_request *, world->request, r->request);
  TH_SWAP(th_ground *, world->ground, r->ground);
  TH_SWAP(th_ground *, world->latest_ground, r->latest);
  TH_SWAP(th_groups, world->groups, r->groups);
  TH_SWAP(th_choices, world->choices, r->choices);
  th_shared_set_exchange(world, &r->shared);
}

static void exchange(th_restore *r) {
  th_snapshot_head now = th_snapshot_head_of(r->world);
  th_world *world = r->world;
  exchange_agents(r);
  exchange_tables(r);
  world->step = r->head.step;
  world->history = r->head.history;
  world->time = r->head.time;
  world->dt = r->head.dt;
  world->area = r->head.area;
  world->counters = r->head.counters;
  world->order.grid = r->head.order;
  if (r->atlas) r->atlas = th_world_mesh_use(world, r->atlas);
  world->order_holds = false;
  th_traces_restored(world);
  r->head = now;
}

/* ---------------------------------------------------------------- what is pending */

static th_result read_request(th_restore *r, th_request_def *def, th_shape *shape, th_error *error) {
  for (uint32_t i = 0; i < def->count; i++) {
    TH_READ(&r->requests, r->world->entry_scratch[i]);
    if (!th_restore_read_shape(r, &r->requests, &shape[i])) return th_fail_memory(error, "snapshot");
    if (r->world->entry_scratch[i] >= r->world->entry_count || !r->world->entry[r->world->entry_scratch[i]].live)
      return th_restore_fail(error, "a broken request");
    if (th_shape_check(&shape[i], "goal", NULL)) return th_restore_fail(error, "a broken request");
  }
  def->entry = r->world->entry_scratch;
  def->shape = shape;
  return TH_OK;
}

static th_result ask_for(th_restore *r, const uint32_t key[3], th_error *error) {
  th_world *world = r->world;
  th_request_def def = {.count = key[1]};
  TH_READ(&r->requests, def.step);
  if (def.count > world->entry_count) return th_restore_fail(error, "a broken request");
  th_shape *shape = TH_TAKE(r->allocator, th_shape, def.count);
  if (!shape) return th_fail_memory(error, "snapshot");
  th_result result = read_request(r, &def, shape, error);
  if (!result && key[0] == TH_PENDING_EDIT) {
    def.before = th_ground_retain(world->latest_ground);
    const records all = {world->edit, world->edit_count, r->allocator};
    result = later_version(&all, th_ground_version(def.before) + 1, &world->latest_ground, error);
    def.ground = world->latest_ground;
  }
  if (!result) result = th_request_entries(world, &def, error);
  th_ground_release(def.before);
  for (uint32_t i = 0; i < def.count; i++) th_shape_free(r->allocator, &shape[i]);
  TH_GIVE(r->allocator, shape, def.count);
  return result;
}

/* Asks again for what was pending, in the same order and for the same steps. */
static th_result ask_again(th_restore *r, th_error *error) {
  for (;;) {
    uint32_t key[3] = {0};
    TH_READ(&r->requests, key[0]);
    if (key[0] == TH_PENDING_NONE) return r->requests.broken ? th_restore_fail(error, "too few bytes") : TH_OK;
    TH_READ(&r->requests, key[1]);
    TH_READ(&r->requests, key[2]);
    th_result result = ask_for(r, key, error);
    if (result) return result;
  }
}

/* ---------------------------------------------------------------- models, guides and sources */

/* No agent is left of a model that came after the snapshot. */
static void settle_models(th_restore *r) {
  for (uint32_t i = 0; i < r->world->model_count; i++)
    if (!r->states[i]) th_param_sets_clear(&r->world->model[i].sets);
}

/* Assigns the rows of a guide again, in the order of ids. There are enough rows, and their numbers are no state. Agents
 * have none yet. */
static void settle_guide_rows(th_restore *r, th_guide_rows *pool, uint64_t count) {
  th_world *world = r->world;
  if (pool->ids.capacity) th_ids_restore(&pool->ids, NULL, 0);
  for (uint64_t k = 0; k < count; k++) {
    uint32_t agent;
    TH_READ(&r->memories, agent);
    th_bytes_read(&r->memories, th_guide_row_take(world, world->row_of[agent - 1]), pool->size);
  }
}

/* Removes those that came after the snapshot and restores what changed in the others. Nothing here can fail. */
static void settle_guides(th_restore *r) {
  th_world *world = r->world;
  for (uint32_t i = 0; i < world->guides.ids.capacity; i++) {
    th_id id = th_ids_at(&world->guides.ids, i);
    if (id.index && !th_ids_valid(&r->guide_ids, id))
      th_world_remove_guide(world, (th_guide_id){id.index, id.generation, id.tag});
  }
  if (world->guides.ids.capacity) th_ids_restore(&world->guides.ids, r->guide_ids.generation, r->guide_ids.capacity);
  for (uint32_t i = 0; i < r->guide_ids.capacity; i++) {
    th_guide_slot *use = &world->guides.guide[i];
    th_guide_state_head head;
    if (!th_ids_at(&r->guide_ids, i).index) continue;
    TH_READ(&r->memories, head);
    for (uint32_t k = 0; k < use->kind->param_count; k++)
      th_bytes_read(&r->memories, use->params + use->kind->param[k].offset, th_param_value_bytes(&use->kind->param[k]));
    th_bytes_read(&r->memories, use->memory, use->memory_size);
    settle_guide_rows(r, &use->rows, head.rows);
  }
}

static void settle_sources(th_restore *r) {
  th_world *world = r->world;
  for (uint32_t i = 0; i < world->sources.ids.capacity; i++) {
    th_id id = th_ids_at(&world->sources.ids, i);
    th_source *source = &world->sources.source[i];
    if (!id.index) continue;
    if (!th_ids_valid(&r->source_ids, id)) {
      th_source_clear(world, source);
      continue;
    }
    const th_source_mark *mark = &r->source[i];
    source->debt = mark->debt;
    source->emitted = mark->emitted;
    source->def.rate = mark->flow.rate, source->def.begin = mark->flow.begin;
    source->def.end = mark->flow.end, source->def.total = mark->flow.total;
    source->def.agent.guide = mark->guide;
    for (uint32_t k = 0; k < TH_MAX_STOPS; k++) {
      th_stop *stop = &source->def.agent.route[k];
      const uint16_t of = r->stop[i * TH_MAX_STOPS + k];
      const th_id choice = of ? th_ids_at(&world->choices.ids, of - 1u) : (th_id){0};
      stop->goal = mark->goal[k];
      stop->choice = (th_choice_id){choice.index, choice.generation, choice.tag};
    }
    memcpy(source->field, mark->field, sizeof source->field);
  }
  if (world->sources.ids.capacity)
    th_ids_restore(&world->sources.ids, r->source_ids.generation, r->source_ids.capacity);
}

th_result th_world_restore(th_world *world, const void *memory, size_t size, th_error *error) {
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  th_result result = th_world_idle(world, "th_world_restore", error);
  if (result) return result;
  th_restore r = {.world = world, .allocator = &world->env.allocator};
  th_requests_wait(world); /* from here on no job uses the solver */
  result = th_restore_read(&r, memory, size, error);
  if (!result) result = make_ground(&r, error);
  if (!result) result = th_restore_check(&r, error);
  if (!result) result = make_fields(&r, error);
  if (!result && !r.same_ground) result = th_shared_set_make(world, r.ground, &r.shared, error);
  if (!result && !th_world_capacity_entry_scratch(world, r.entry_count)) result = th_fail_memory(error, "snapshot");
  if (!result) {
    exchange(&r);
    th_requests_forget_solver(world); /* it may know another version by the same number */
    result = th_groups_renew(world, error);
    if (!result) result = ask_again(&r, error);
    th_requests_wait(world);
    if (result) exchange(&r);
  }
  if (!result) {
    settle_models(&r);
    settle_guides(&r);
    settle_sources(&r);
    world->event_count = 0;
    for (uint32_t row = 0; row < world->rows.count; row++) {
      th_agent_limits(world, row); /* bounds of the order */
      th_agent_write_route(world, row, &world->rows.route[row]);
    }
  }
  th_restore_free(&r);
  return result;
}
