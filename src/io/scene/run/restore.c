/* io/scene/run/restore.c - puts a run back into the state of a snapshot.
 *
 * Everything is read into a draft and checked; then the world is restored, which is the last thing that can fail, and
 * the draft takes the place of what the run had. Names that the run has already at the same place are used on. Where
 * the log of the run begins with that of the snapshot, the rest stays as what is still to come.
 */
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/swap.h"
#include "geometry/shape.h"
#include "io/scene/read.h"
#include "io/scene/run/snapshot.h"
#include "io/text.h"

typedef struct draft {
  th_run *run;
  th_run_head head;
  th_run_list list[TH_NAMED_KINDS];
  th_run_member *member;
  th_run_entry *log;
  uint32_t log_count; /* read so far */
  bool same_log;      /* the run's begins with it */
  th_vec3 *accepted;
  th_in_force *in_force, *had; /* of the snapshot; of the run */
  uint32_t had_count;
  const void *world;
} draft;

static th_result fail(th_error *error, const char *found) {
  return th_fail(error, TH_ERROR_FORMAT, "snapshot", "expected a snapshot of a run of this scene, found %s", found);
}

static th_result check_head(draft *d, const void *memory, size_t size, th_error *error) {
  uint64_t guard;
  if (!memory || size < sizeof d->head + sizeof guard) return fail(error, "too few bytes");
  memcpy(&d->head, memory, sizeof d->head);
  memcpy(&guard, (const uint8_t *)memory + size - sizeof guard, sizeof guard);
  if (d->head.magic != TH_RUN_MAGIC) return fail(error, "another format");
  if (d->head.world_size > size - sizeof d->head - sizeof guard) return fail(error, "too few bytes");
  th_hash hash = th_hash_begin(TH_RUN_MAGIC);
  th_hash_bytes(&hash, memory, size - sizeof guard - (size_t)d->head.world_size);
  if (th_hash_end(&hash) != guard) return fail(error, "damaged bytes");
  d->world = (const uint8_t *)memory + size - sizeof guard - (size_t)d->head.world_size;
  if (d->head.scene != th_scene_hash(d->run->scene)) return fail(error, "one of another scene");
  if (d->head.seed != d->run->seed) return fail(error, "one with another seed");
  const th_scene *scene = d->run->scene;
  if (d->head.next_step_event > scene->step_event_count || d->head.next_event > scene->event_count ||
      d->head.next_event < scene->step_event_count)
    return fail(error, "events that are not there");
  return TH_OK;
}

/* A text in the block; NULL in `text` for none. False when it is broken. */
static bool read_text(th_byte_reader *reader, const char **text) {
  uint32_t length;
  TH_READ(reader, length);
  *text = length ? th_bytes_in_place(reader, length) : NULL;
  return !reader->broken && (!length || (*text && !(*text)[length - 1]));
}

/* The run's own copy of a name that it has at the same place already, or a new one. */
static bool own_name(th_run *run, const char *had, const char *name, const char **own) {
  *own = NULL;
  if (!name) return true;
  *own = had && strcmp(had, name) == 0 ? had : th_scene_memory_text(run->memory, name);
  return *own != NULL;
}

static bool same_area(const th_scene_area *had, const th_run_area *head, const char *name, const void *point) {
  return had && name && had->shape.kind == (th_shape_kind)head->kind && had->shape.count == head->count &&
         had->shape.level == head->level && had->shape.radius == head->radius && had->low == head->low &&
         had->high == head->high && strcmp(had->name, name) == 0 &&
         memcmp(had->shape.point, point, sizeof(th_vec3) * head->count) == 0;
}

static th_scene_area *make_area(th_run *run, const th_run_area *head, const char *name, const void *point) {
  th_scene_area *area = th_scene_memory_take(run->memory, 1, sizeof *area);
  th_vec3 *own = th_scene_memory_take(run->memory, head->count, sizeof(th_vec3) + sizeof(th_vec2));
  const char *text = th_scene_memory_text(run->memory, name);
  if (!area || !own || !text) return NULL;
  memcpy(own, point, sizeof *own * head->count);
  th_vec2 *plan = (th_vec2 *)(own + head->count); /* where th_scene_polygon looks for it */
  for (uint32_t i = 0; i < head->count; i++) plan[i] = (th_vec2){own[i].x, own[i].y};
  *area = (th_scene_area){.name = text, .low = head->low, .high = head->high, .closed = head->closed != 0};
  area->shape = (th_shape){.kind = (th_shape_kind)head->kind, .point = own, .count = head->count};
  area->shape.radius = head->radius, area->shape.level = head->level;
  th_shape_set_flags(&area->shape, head->flags);
  return area;
}

static th_result read_area(draft *d, const th_scene_area *had, th_byte_reader *reader, th_run_item *item,
                           th_error *error) {
  th_run_area head;
  const char *name;
  TH_READ(reader, head);
  const bool good = read_text(reader, &name) && name && head.count <= reader->size &&
                    (head.kind == TH_SHAPE_POLYGON || head.kind == TH_SHAPE_DISC);
  const void *point = good ? th_bytes_in_place(reader, sizeof(th_vec3) * (size_t)head.count) : NULL;
  if (!point || !head.count) return fail(error, "a broken door");
  item->area = same_area(had, &head, name, point) ? had : make_area(d->run, &head, name, point);
  return item->area ? TH_OK : th_fail_memory(error, "snapshot");
}

static th_result read_item(draft *d, int kind, uint32_t i, th_byte_reader *reader, th_error *error) {
  const th_run_list *own = &d->run->list[kind];
  const th_run_item *had = i < own->count ? &own->item[i] : NULL;
  th_run_item *item = &d->list[kind].item[i];
  uint32_t bits;
  const char *name;
  TH_READ(reader, item->id);
  TH_READ(reader, bits);
  if (!read_text(reader, &name)) return fail(error, "a broken name");
  item->closed = bits & TH_RUN_CLOSED;
  item->gone = bits & TH_RUN_GONE;
  if (!own_name(d->run, had ? had->name : NULL, name, &item->name)) return th_fail_memory(error, "snapshot");
  return bits & TH_RUN_AREA ? read_area(d, had ? had->area : NULL, reader, item, error) : TH_OK;
}

static th_result read_lists(draft *d, th_byte_reader *reader, th_error *error) {
  for (int kind = 0; kind < TH_NAMED_KINDS; kind++) {
    th_run_list *list = &d->list[kind];
    const uint32_t count = d->head.count[kind];
    if (count > reader->size) return fail(error, "too many names");
    list->item = TH_TAKE(&d->run->env.allocator, th_run_item, count);
    if (!list->item) return th_fail_memory(error, "snapshot");
    list->capacity = count;
    for (; list->count < count; list->count++) {
      th_result result = read_item(d, kind, list->count, reader, error);
      if (result) return result;
    }
  }
  return TH_OK;
}

static th_result read_members(draft *d, th_byte_reader *reader, th_error *error) {
  if (d->head.members > reader->size) return fail(error, "too many members");
  d->member = TH_TAKE(&d->run->env.allocator, th_run_member, d->head.members);
  if (!d->member) return th_fail_memory(error, "snapshot");
  for (uint32_t i = 0; i < d->head.members; i++) {
    TH_READ(reader, d->member[i].id);
    TH_READ(reader, d->member[i].population);
    if (d->member[i].population >= d->list[TH_NAMED_POPULATION].count || d->member[i].id.index > 1u << 26)
      return fail(error, "a broken member");
  }
  return TH_OK;
}

static th_result read_log(draft *d, th_byte_reader *reader, th_error *error) {
  const th_run *run = d->run;
  if (d->head.entries > reader->size) return fail(error, "too long a log");
  d->log = TH_TAKE(&run->env.allocator, th_run_entry, d->head.entries);
  if (!d->log) return th_fail_memory(error, "snapshot");
  d->same_log = d->head.entries <= run->log_count;
  for (; d->log_count < d->head.entries; d->log_count++) {
    th_run_entry *entry = &d->log[d->log_count];
    const char *text;
    TH_READ(reader, entry->step);
    if (!read_text(reader, &text) || !text) return fail(error, "a broken log");
    d->same_log =
        d->same_log && run->log[d->log_count].step == entry->step && strcmp(run->log[d->log_count].text, text) == 0;
    entry->text = th_text_copy(&run->env.allocator, text);
    if (!entry->text) return th_fail_memory(error, "snapshot");
  }
  return TH_OK;
}

static th_result read_accepted(draft *d, th_byte_reader *reader, th_error *error) {
  if (!d->head.accepted) return TH_OK;
  const size_t size = sizeof *d->accepted * (size_t)d->head.accepted;
  const void *from = th_bytes_in_place(reader, size);
  if (!from) return fail(error, "too few bytes");
  d->accepted = TH_TAKE(&d->run->env.allocator, th_vec3, d->head.accepted);
  if (!d->accepted) return th_fail_memory(error, "snapshot");
  memcpy(d->accepted, from, size);
  return TH_OK;
}

static th_result read_in_force(draft *d, th_byte_reader *reader, th_error *error) {
  const th_allocator *a = &d->run->env.allocator;
  if (d->head.in_force > reader->size) return fail(error, "too many steps");
  const th_in_force *own = th_world_in_force(d->run->world, &d->had_count);
  d->in_force = TH_TAKE(a, th_in_force, d->head.in_force);
  d->had = TH_TAKE(a, th_in_force, d->had_count);
  if (!d->in_force || !d->had) return th_fail_memory(error, "snapshot");
  for (uint32_t i = 0; i < d->had_count; i++) d->had[i] = own[i];
  for (uint32_t i = 0; i < d->head.in_force; i++) {
    uint64_t entry[2];
    TH_READ(reader, entry);
    d->in_force[i] = (th_in_force){entry[0], (uint32_t)entry[1]};
  }
  return TH_OK;
}

/* Where the run's list begins with that of the snapshot, the rest is still to come. */
static bool goes_on(const draft *d) {
  bool same = d->same_log && d->head.in_force <= d->had_count;
  for (uint32_t i = 0; same && i < d->head.in_force; i++)
    same = d->had[i].step == d->in_force[i].step && d->had[i].count == d->in_force[i].count;
  return same;
}

/* The world's own is taken up again when it cannot be restored: its memory is there. */
static th_result restore_world(draft *d, th_error *error) {
  th_world *world = d->run->world;
  const bool follows = !goes_on(d);
  th_result result = follows ? th_world_follow_in_force(world, d->in_force, d->head.in_force, error) : TH_OK;
  if (!result) result = th_world_restore(world, d->world, (size_t)d->head.world_size, error);
  if (result && follows && d->had_count) (void)th_world_follow_in_force(world, d->had, d->had_count, NULL);
  return result;
}

/* Finding members by ids takes memory: as much as the largest id of the draft needs. */
static bool reserve_owner(draft *d) {
  th_run *run = d->run;
  uint32_t max = 0;
  for (uint32_t i = 0; i < d->head.members; i++) max = d->member[i].id.index > max ? d->member[i].id.index : max;
  void *memory = run->owner;
  bool grown = th_grow(&run->env.allocator, &memory, &run->owner_count, max + 1, sizeof *run->owner);
  run->owner = memory;
  return grown;
}

/* After it the draft has what the run had. */
static void exchange(draft *d) {
  th_run *run = d->run;
  uint32_t members = run->member_capacity, entries = run->log_capacity, accepted = run->accepted_count;
  for (int kind = 0; kind < TH_NAMED_KINDS; kind++) TH_SWAP(th_run_list, run->list[kind], d->list[kind]);
  TH_SWAP(th_run_member *, run->member, d->member);
  run->member_count = run->member_capacity = d->head.members;
  run->log_done = d->head.entries;
  if (!d->same_log) {
    TH_SWAP(th_run_entry *, run->log, d->log);
    TH_SWAP(uint32_t, run->log_count, d->log_count);
    run->log_capacity = d->head.entries;
    d->head.entries = entries;
    th_run_keep_free(run);
  }
  TH_SWAP(th_vec3 *, run->accepted, d->accepted);
  run->accepted_count = d->head.accepted;
  run->next_step_event = d->head.next_step_event;
  run->next_event = d->head.next_event;
  run->busy_until = d->head.busy_until;
  run->begun = d->head.begun != 0;
  run->looked_at = 0;
  d->head.members = members;
  d->head.accepted = accepted;
}

static void give(draft *d) {
  const th_allocator *a = &d->run->env.allocator;
  for (int kind = 0; kind < TH_NAMED_KINDS; kind++) TH_GIVE(a, d->list[kind].item, d->list[kind].capacity);
  TH_GIVE(a, d->member, d->head.members);
  for (uint32_t i = 0; i < d->log_count; i++) th_text_free(d->log[i].text);
  TH_GIVE(a, d->log, d->head.entries);
  TH_GIVE(a, d->accepted, d->head.accepted);
  TH_GIVE(a, d->in_force, d->head.in_force);
  TH_GIVE(a, d->had, d->had_count);
}

th_result th_run_restore(th_run *run, const void *memory, size_t size, th_error *error) {
  draft d = {.run = run};
  th_result result = check_head(&d, memory, size, error);
  if (result) return result;
  th_byte_reader reader = {memory, size - sizeof(uint64_t) - (size_t)d.head.world_size, sizeof d.head, false};
  result = read_lists(&d, &reader, error);
  if (!result) result = read_members(&d, &reader, error);
  if (!result) result = read_log(&d, &reader, error);
  if (!result) result = read_in_force(&d, &reader, error);
  if (!result) result = read_accepted(&d, &reader, error);
  if (!result && reader.broken) result = fail(error, "too few bytes");
  if (!result && !reserve_owner(&d)) result = th_fail_memory(error, "snapshot");
  if (!result) result = restore_world(&d, error);
  if (!result) {
    exchange(&d);
    (void)th_run_members_own(run, NULL); /* its memory is there */
  }
  give(&d);
  return result;
}
