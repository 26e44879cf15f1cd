/* io/scene/run/snapshot.c - writes the whole state of a run.
 *
 * Around the snapshot of the world stand what has names, the members of populations, how far the events of the scene
 * have come, and the log. A hash guards the block, and its head names the scene and the seed. Cost: a copy.
 */
#include "io/scene/run/snapshot.h"

#include <string.h>

#include "base/hash.h"
#include "geometry/shape.h"

static void write_text(th_byte_writer *writer, const char *text) {
  const uint32_t length = text ? (uint32_t)strlen(text) + 1 : 0;
  TH_WRITE(writer, length);
  if (text) th_bytes_write(writer, text, length);
}

static void write_area(th_byte_writer *writer, const th_scene_area *area) {
  const th_shape *shape = &area->shape;
  const th_run_area head = {shape->kind, shape->count, th_shape_flags(shape), shape->level, shape->radius,
                            area->low,   area->high,   area->closed};
  TH_WRITE(writer, head);
  write_text(writer, area->name);
  th_bytes_write(writer, th_shape_points(shape), sizeof(th_vec3) * shape->count);
}

static void write_lists(const th_run *run, th_byte_writer *writer) {
  for (int kind = 0; kind < TH_NAMED_KINDS; kind++)
    for (uint32_t i = 0; i < run->list[kind].count; i++) {
      const th_run_item *item = &run->list[kind].item[i];
      const uint32_t bits =
          (item->closed ? TH_RUN_CLOSED : 0u) | (item->gone ? TH_RUN_GONE : 0u) | (item->area ? TH_RUN_AREA : 0u);
      TH_WRITE(writer, item->id);
      TH_WRITE(writer, bits);
      write_text(writer, item->name);
      if (item->area) write_area(writer, item->area);
    }
}

static void write_members(const th_run *run, th_byte_writer *writer) {
  for (uint32_t i = 0; i < run->member_count; i++) {
    TH_WRITE(writer, run->member[i].id);
    TH_WRITE(writer, run->member[i].population);
  }
}

static void write_log(const th_run *run, th_byte_writer *writer) {
  for (uint32_t i = 0; i < run->log_done; i++) {
    TH_WRITE(writer, run->log[i].step);
    write_text(writer, run->log[i].text);
  }
}

static void write_in_force(const th_run *run, th_byte_writer *writer) {
  uint32_t count;
  const th_in_force *list = th_world_in_force(run->world, &count);
  for (uint32_t i = 0; i < count; i++) {
    const uint64_t entry[2] = {list[i].step, list[i].count};
    TH_WRITE(writer, entry);
  }
}

static uint32_t in_force_count(const th_run *run) {
  uint32_t count;
  th_world_in_force(run->world, &count);
  return count;
}

static th_run_head head_of(const th_run *run, size_t world_size) {
  th_run_head head = {.magic = TH_RUN_MAGIC,
                      .scene = th_scene_hash(run->scene),
                      .seed = run->seed,
                      .busy_until = run->busy_until,
                      .world_size = world_size,
                      .next_step_event = run->next_step_event,
                      .next_event = run->next_event,
                      .begun = run->begun,
                      .members = run->member_count,
                      .entries = run->log_done,
                      .accepted = run->accepted_count,
                      .in_force = in_force_count(run)};
  for (int kind = 0; kind < TH_NAMED_KINDS; kind++) head.count[kind] = run->list[kind].count;
  return head;
}

size_t th_run_snapshot(const th_run *run, void *memory, size_t size) {
  const size_t world_size = th_world_snapshot(run->world, NULL, 0);
  if (!world_size) return 0;
  th_byte_writer writer = {memory, size, 0};
  const th_run_head head = head_of(run, world_size);
  TH_WRITE(&writer, head);
  write_lists(run, &writer);
  write_members(run, &writer);
  write_log(run, &writer);
  write_in_force(run, &writer);
  if (run->accepted_count) th_bytes_write(&writer, run->accepted, sizeof *run->accepted * run->accepted_count);
  if (memory && writer.used + world_size <= size)
    th_world_snapshot(run->world, (uint8_t *)memory + writer.used, world_size);
  writer.used += world_size;
  uint64_t guard = 0;
  if (memory && writer.used + sizeof guard <= size) {
    th_hash hash = th_hash_begin(TH_RUN_MAGIC);
    th_hash_bytes(&hash, memory, writer.used - world_size); /* the world guards its own */
    guard = th_hash_end(&hash);
  }
  TH_WRITE(&writer, guard);
  return writer.used;
}
