/* world/edits.c - doors and obstacles change while the world runs.
 *
 * The next version of the ground is made at once, its fields as a job; both come into force together. Edits are kept,
 * because a snapshot names the ground by version 1 and the edits since.
 */
#include <math.h>
#include <string.h>

#include "world.h"

static void free_record(th_world *world, th_edit_record *record) {
  const th_allocator *a = &world->env.allocator;
  th_edit *edit = &record->edit;
  if (edit->name) th_give(a, (void *)(uintptr_t)edit->name, strlen(edit->name) + 1, 1);
  if (edit->shape.name) th_give(a, (void *)(uintptr_t)edit->shape.name, strlen(edit->shape.name) + 1, 1);
  th_give(a, (void *)(uintptr_t)edit->shape.point, edit->shape.count, sizeof *edit->shape.point);
  *record = (th_edit_record){0};
}

static bool copy_text(th_world *world, const char **to, const char *from) {
  *to = NULL;
  if (!from) return true;
  char *copy = th_take(&world->env.allocator, strlen(from) + 1, 1);
  if (copy) memcpy(copy, from, strlen(from) + 1);
  *to = copy;
  return copy != NULL;
}

static bool copy_record(th_world *world, th_edit_record *record, const th_edit *edit) {
  *record = (th_edit_record){.edit = {.kind = edit->kind}};
  th_vec2 *point = TH_TAKE(&world->env.allocator, th_vec2, edit->shape.count);
  if (point && edit->shape.count) memcpy(point, edit->shape.point, sizeof *point * edit->shape.count);
  record->edit.shape.point = point;
  record->edit.shape.count = point ? edit->shape.count : 0;
  if (point && copy_text(world, &record->edit.name, edit->name) &&
      copy_text(world, &record->edit.shape.name, edit->shape.name))
    return true;
  free_record(world, record);
  return false;
}

th_result th_edits_record(th_world *world, const th_edit *edit, uint32_t count, uint64_t step, th_error *error) {
  void *memory = world->edit;
  bool made =
      th_grow(&world->env.allocator, &memory, &world->edit_capacity, world->edit_count + count, sizeof *world->edit);
  world->edit = memory;
  uint32_t done = 0;
  for (; made && done < count; done++) {
    th_edit_record *record = &world->edit[world->edit_count + done];
    made = copy_record(world, record, &edit[done]);
    if (!made) break;
    record->step = step;
  }
  if (made) {
    world->edit_count += count;
    return TH_OK;
  }
  while (done-- > 0) free_record(world, &world->edit[world->edit_count + done]);
  return th_fail_memory(error, "edit");
}

void th_edits_free(th_world *world) {
  for (uint32_t i = 0; i < world->edit_count; i++) free_record(world, &world->edit[i]);
  TH_GIVE(&world->env.allocator, world->edit, world->edit_capacity);
  world->edit = NULL;
  world->edit_count = world->edit_capacity = 0;
}

static void forget_last(th_world *world, uint32_t count) {
  while (count-- > 0) free_record(world, &world->edit[--world->edit_count]);
}

th_result th_world_edit(th_world *world, const th_edit *edit, uint32_t count, th_error *error) {
  return th_world_edit_at(world, edit, count, world->step + world->def.latency, error);
}

th_result th_world_edit_at(th_world *world, const th_edit *edit, uint32_t count, uint64_t step, th_error *error) {
  th_ground *next = NULL;
  th_result result = th_ground_edit(world->latest_ground, edit, count, &next, error);
  if (result) return result;
  uint32_t live = 0;
  result = th_edits_record(world, edit, count, step, error);
  if (!result) {
    for (uint32_t i = 0; i < world->entry_count; i++)
      if (world->entry[i].live) world->entry_scratch[live++] = i;
    th_request_def ask = {step, world->entry_scratch, live, next};
    result = th_request_entries(world, &ask, error);
    if (result) forget_last(world, count);
  }
  if (result) {
    th_ground_release(next);
    return result;
  }
  th_ground_release(world->latest_ground);
  world->latest_ground = next;
  return TH_OK;
}

/* The nearest cell that is not solid, by rings around (x, y); the ground always has one. */
static th_place nearest_free(const th_ground *ground, float x, float y) {
  uint32_t cell = th_ground_cell(ground, x, y);
  int32_t ci = (int32_t)(cell % ground->width), cj = (int32_t)(cell / ground->width);
  int32_t width = (int32_t)ground->width, height = (int32_t)ground->height, most = width > height ? width : height;
  for (int32_t ring = 1; ring < most; ring++) {
    th_place best = {TH_NO_CELL, 0.0f, 0.0f};
    float least = INFINITY;
    for (int32_t j = cj - ring; j <= cj + ring; j++) {
      bool edge = j == cj - ring || j == cj + ring;
      for (int32_t i = ci - ring; i <= ci + ring; i += edge ? 1 : 2 * ring) {
        if (i < 0 || j < 0 || i >= width || j >= height || ground->solid[(size_t)j * ground->width + (size_t)i])
          continue;
        float px = ground->x0 + ((float)i + 0.5f) * ground->cell, py = ground->y0 + ((float)j + 0.5f) * ground->cell;
        float d = (px - x) * (px - x) + (py - y) * (py - y);
        if (d < least) {
          least = d;
          best = (th_place){(uint32_t)j * ground->width + (uint32_t)i, px, py};
        }
      }
    }
    if (best.cell != TH_NO_CELL) return best;
  }
  return (th_place){cell, x, y};
}

/* Whoever stands where a wall appeared is put beside it; links, routes and states stay. */
void th_world_displace(th_world *world) {
  th_rows *rows = &world->rows;
  for (uint32_t row = 0; row < rows->count; row++) {
    if (rows->state[row] == TH_AGENT_LOST) rows->state[row] = TH_AGENT_WALKING; /* there may be a way now */
    th_place place = th_ground_locate(world->ground, rows->x[row], rows->y[row]);
    if (place.cell != TH_NO_CELL) {
      rows->cell[row] = place.cell;
      continue;
    }
    place = nearest_free(world->ground, rows->x[row], rows->y[row]);
    rows->cell[row] = place.cell;
    rows->x[row] = rows->px[row] = place.x;
    rows->y[row] = rows->py[row] = place.y;
    th_event_add(world, TH_EVENT_DISPLACED, rows->id[row], 0);
  }
}
