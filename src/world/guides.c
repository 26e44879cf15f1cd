/* world/guides.c - guides that agents of a world may name.
 *
 * A guide is a kind with its own parameters and, when it learns, its own memory (guide_memory.c). Cost: removing one
 * is a pass over the agents.
 */
#include <string.h>

#include "base/param/value.h"
#include "world/world.h"

static bool reserve(th_world *world) {
  const th_allocator *a = &world->env.allocator;
  th_guides_in_use *guides = &world->guides;
  if (guides->ids.alive < guides->ids.capacity) return true;
  uint32_t larger = guides->ids.capacity ? guides->ids.capacity * 2 : 16;
  void *memory = guides->guide;
  bool grown = th_grow(a, &memory, &guides->capacity, larger, sizeof *guides->guide);
  guides->guide = memory;
  return grown && th_ids_grow(&guides->ids, a, larger);
}

/* Checked parameters, and memory where the guide learns. On failure everything is given back. */
static th_result make_use(th_world *world, const th_guide *kind, const void *params, th_guide_slot *use,
                          th_error *error) {
  uint8_t *copy = th_take(&world->env.allocator, kind->param_size, 1);
  if (!copy) return th_fail_memory(error, "guide");
  if (params)
    memcpy(copy, params, kind->param_size);
  else
    th_param_defaults(kind->param, kind->param_count, copy);
  *use = (th_guide_slot){.kind = kind, .params = copy};
  th_result result = th_param_check(kind->param, kind->param_count, copy, error);
  if (!result) th_param_table_tidy(kind->param, kind->param_count, copy);
  if (!result && kind->check) result = kind->check(copy, error);
  if (!result && !reserve(world)) result = th_fail_memory(error, "guide");
  if (!result) result = th_guide_remember(world, use, error);
  if (result) th_guide_slot_free(world, use);
  return result;
}

th_result th_world_add_guide(th_world *world, const th_guide *kind, const void *params, th_guide_id *guide,
                             th_error *error) {
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  th_guides_in_use *guides = &world->guides;
  if (!kind || !kind->ask) return th_fail(error, TH_ERROR_STATE, "guide", "expected a guide that answers");
  if (kind->state_size > TH_GUIDE_STATE)
    return th_fail(error, TH_ERROR_CAPACITY, kind->name, "expected at most %d bytes of state per agent, found %zu",
                   TH_GUIDE_STATE, kind->state_size);
  th_guide_slot use;
  th_result result = make_use(world, kind, params, &use, error);
  if (result) return result;
  uint32_t row = 0; /* the one that its id will have: an id that is taken and given back leaves a trace */
  while (th_ids_at(&guides->ids, row).index) row++;
  guides->guide[row] = use;
  result = th_shared_join_guide(world, row, error);
  if (result) {
    th_guide_slot_free(world, &guides->guide[row]);
    return result;
  }
  th_id id = th_ids_take(&guides->ids);
  const char *warning = kind->warn ? kind->warn(use.params, world->ground) : NULL;
  if (warning) world->env.log.write(world->env.log.user, TH_LOG_WARNING, warning);
  if (guide) *guide = (th_guide_id){id.index, id.generation, id.tag};
  return TH_OK;
}

void th_guide_of_sources(th_world *world, th_guide_id from, th_guide_id to) {
  for (uint32_t i = 0; i < world->sources.capacity; i++) {
    th_guide_id *guide = &world->sources.source[i].def.agent.guide;
    if (guide->index == from.index) *guide = to;
  }
}

void th_world_remove_guide(th_world *world, th_guide_id guide) {
  if (th_no_world(world, __func__)) return;
  if (th_world_id_check(world, &world->guides.ids, TH_ID(guide), "guide", "th_world_remove_guide", NULL)) return;
  th_ids_give(&world->guides.ids, TH_ID(guide));
  th_shared_leave_guide(world, guide.index - 1);
  th_guide_slot_free(world, &world->guides.guide[guide.index - 1]);
  for (uint32_t row = 0; row < world->rows.count; row++)
    if (world->rows.guide[row] == guide.index) world->rows.guide[row] = world->rows.guide_row[row] = 0;
  th_guide_of_sources(world, guide, TH_NULL_GUIDE);
}

/* What the table of the kind knows, from one set of parameters into another. */
static void copy_table(const th_guide *kind, void *to, const void *from) {
  for (uint32_t i = 0; i < kind->param_count; i++) {
    const th_param *param = &kind->param[i];
    memcpy((uint8_t *)to + param->offset, (const uint8_t *)from + param->offset, th_param_value_bytes(param));
  }
}

static th_result check_change(const th_world *world, const th_guide_slot *use, const void *params, th_error *error) {
  const th_guide *kind = use->kind;
  if (kind->shared_make)
    return th_fail(error, TH_ERROR_STATE, kind->name, "expected a guide that shares nothing made of its parameters");
  th_result result = th_param_check(kind->param, kind->param_count, params, error);
  if (!result && kind->check) result = kind->check(params, error);
  if (result) return result;
  const size_t size = kind->memory_size ? kind->memory_size(params, world->ground) : use->memory_size;
  const size_t row = kind->row_size ? kind->row_size(params, world->ground) : use->rows.size;
  if (size == use->memory_size && row == use->rows.size) return TH_OK;
  return th_fail(error, TH_ERROR_STATE, kind->name, "expected parameters that leave its memory as large as it is");
}

th_result th_world_change_guide(th_world *world, th_guide_id guide, const void *params, th_error *error) {
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  th_result result =
      th_world_id_check(world, &world->guides.ids, TH_ID(guide), "guide", "th_world_change_guide", error);
  if (!result) result = th_world_idle(world, "th_world_change_guide", error);
  if (result) return result;
  th_guide_slot *use = &world->guides.guide[guide.index - 1];
  uint8_t *changed = th_take(&world->env.allocator, use->kind->param_size, 1);
  if (!changed) return th_fail_memory(error, "guide");
  memcpy(changed, use->params, use->kind->param_size);
  copy_table(use->kind, changed, params);
  th_param_table_tidy(use->kind->param, use->kind->param_count, changed);
  result = check_change(world, use, changed, error);
  uint8_t *drop = result ? changed : use->params;
  if (!result) use->params = changed;
  th_give(&world->env.allocator, drop, use->kind->param_size, 1);
  return result;
}

bool th_world_has_guide(const th_world *world, th_guide_id guide) {
  if (th_no_world(world, __func__)) return false;
  return th_ids_valid(&world->guides.ids, TH_ID(guide));
}

uint32_t th_world_guides(const th_world *world, th_guide_id *ids, uint32_t capacity) {
  if (th_no_world(world, __func__)) return 0;
  uint32_t count = 0;
  for (uint32_t i = 0; i < world->guides.ids.capacity; i++) {
    th_id id = th_ids_at(&world->guides.ids, i);
    if (id.index && count++ < capacity) ids[count - 1] = (th_guide_id){id.index, id.generation, id.tag};
  }
  return count;
}

static const th_guide_slot *slot_of(const th_world *world, th_guide_id guide, const char *call) {
  th_result stale = th_world_id_check(world, &world->guides.ids, TH_ID(guide), "guide", call, NULL);
  return stale ? NULL : &world->guides.guide[guide.index - 1];
}

const th_guide *th_world_guide_kind(const th_world *world, th_guide_id guide) {
  if (th_no_world(world, __func__)) return NULL;
  const th_guide_slot *use = slot_of(world, guide, "th_world_guide_kind");
  return use ? use->kind : NULL;
}

const void *th_world_guide_params(const th_world *world, th_guide_id guide) {
  if (th_no_world(world, __func__)) return NULL;
  const th_guide_slot *use = slot_of(world, guide, "th_world_guide_params");
  return use ? use->params : NULL;
}

const void *th_world_guide_memory(const th_world *world, th_guide_id guide, size_t *size) {
  if (th_no_world(world, __func__)) return NULL;
  const th_guide_slot *use = slot_of(world, guide, "th_world_guide_memory");
  if (size) *size = use ? use->memory_size : 0;
  return use ? use->memory : NULL;
}
