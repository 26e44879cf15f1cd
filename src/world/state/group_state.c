/* world/state/group_state.c - groups in hash and snapshot. A world that never had a group hashes and saves nothing. */
#include "world/world.h"

static uint32_t area_words(const th_group *group, uint32_t word[6]) {
  word[0] = group->area.polygons, word[1] = group->area.point_count;
  word[2] = group->area.width, word[3] = group->area.height;
  return 4;
}

void th_groups_hash(const th_world *world, th_hash *hash) {
  uint32_t used = th_ids_used(&world->groups.ids);
  if (!used) return;
  th_hash_u32(hash, world->groups.ids.generation, used);
  for (uint32_t i = 0; i < used; i++) {
    const th_group *group = &world->groups.group[i];
    uint32_t word[6];
    th_hash_u32(hash, word, area_words(group, word));
    th_hash_bytes(hash, &group->numbers, sizeof group->numbers);
    th_hash_bytes(hash, group->area.point, sizeof(th_vec2) * group->area.point_count);
    th_hash_bytes(hash, group->area.end, sizeof(uint32_t) * group->area.polygons);
    th_hash_bytes(hash, group->area.light, (size_t)group->area.width * group->area.height);
    if (!group->area.width) continue; /* of an image: where it lies */
    th_hash_bytes(hash, &group->area.pixel, sizeof group->area.pixel);
    th_hash_bytes(hash, &group->area.origin, sizeof group->area.origin);
  }
  th_hash_bytes(hash, world->rows.group, sizeof *world->rows.group * world->rows.count);
}

void th_groups_write(const th_world *world, th_byte_writer *writer) {
  uint32_t used = th_ids_used(&world->groups.ids);
  TH_WRITE(writer, used);
  if (!used) return;
  th_bytes_write(writer, world->groups.ids.generation, sizeof(uint32_t) * used);
  for (uint32_t i = 0; i < used; i++) {
    const th_group *group = &world->groups.group[i];
    uint32_t word[6];
    th_bytes_write(writer, word, sizeof *word * area_words(group, word));
    TH_WRITE(writer, group->numbers);
    TH_WRITE(writer, group->area.pixel);
    TH_WRITE(writer, group->area.origin);
    th_bytes_write(writer, group->area.point, sizeof(th_vec2) * group->area.point_count);
    th_bytes_write(writer, group->area.end, sizeof(uint32_t) * group->area.polygons);
    th_bytes_write(writer, group->area.light, (size_t)group->area.width * group->area.height);
  }
  th_bytes_write(writer, world->rows.group, sizeof *world->rows.group * world->rows.count);
}

/* Each block is given back by the size that stands beside it, so it is set with the block. */
static bool take_area(th_group *group, const th_allocator *a, const uint32_t word[4]) {
  th_group_area *area = &group->area;
  area->point = TH_TAKE(a, th_vec2, word[1]), area->point_count = area->point ? word[1] : 0;
  area->end = TH_TAKE(a, uint32_t, word[0]), area->polygons = area->end ? word[0] : 0;
  group->polygon = area->end ? TH_TAKE(a, th_polygon, word[0]) : NULL;
  if (word[2]) area->light = TH_TAKE(a, uint8_t, (size_t)word[2] * word[3]);
  if (area->light) area->width = word[2], area->height = word[3];
  return area->point && group->polygon && (!word[2] || area->light);
}

static bool join_polygons(th_group *group) {
  const th_group_area *area = &group->area;
  uint32_t first = 0;
  for (uint32_t i = 0; i < area->polygons; first = area->end[i++]) {
    if (area->end[i] < first || area->end[i] > area->point_count) return false;
    group->polygon[i] = (th_polygon){NULL, area->point + first, area->end[i] - first};
  }
  return first == area->point_count;
}

/* A slot that is free owns nothing. False: out of memory, or the reader is broken. */
static bool read_one(th_group *group, bool alive, const th_allocator *a, th_byte_reader *reader) {
  uint32_t word[4];
  th_group_area *area = &group->area;
  TH_READ(reader, word);
  TH_READ(reader, group->numbers);
  TH_READ(reader, area->pixel);
  TH_READ(reader, area->origin);
  reader->broken |= word[0] > reader->size || word[1] > reader->size || (uint64_t)word[2] * word[3] > reader->size;
  reader->broken |= !alive && (word[0] || word[1] || word[2] || word[3]);
  if (reader->broken || !alive) return !reader->broken;
  if (!take_area(group, a, word)) return false;
  th_bytes_read(reader, area->point, sizeof(th_vec2) * word[1]);
  th_bytes_read(reader, area->end, sizeof(uint32_t) * word[0]);
  th_bytes_read(reader, area->light, (size_t)word[2] * word[3]);
  group->image = th_group_area_image(area);
  reader->broken |= !join_polygons(group);
  return !reader->broken;
}

/* Each agent is in no group or in one that is there. */
static bool members_fit(const th_groups *groups, const uint16_t *of_row, uint32_t rows) {
  for (uint32_t row = 0; row < rows; row++)
    if (of_row[row] && !th_ids_at(&groups->ids, of_row[row] - 1u).index) return false;
  return true;
}

bool th_groups_read(th_groups *groups, uint16_t *of_row, uint32_t rows, const th_allocator *a, th_byte_reader *reader) {
  uint32_t used;
  TH_READ(reader, used);
  if (!used) return true;
  const void *from = th_bytes_in_place(reader, sizeof(uint32_t) * (size_t)used);
  uint32_t *generation = from && used <= TH_MAX_GROUPS ? TH_TAKE(a, uint32_t, used) : NULL;
  if (!generation) return false;
  memcpy(generation, from, sizeof *generation * used);
  bool made = th_ids_make(&groups->ids, a, used) && th_ids_restore(&groups->ids, generation, used);
  TH_GIVE(a, generation, used);
  groups->group = made ? TH_TAKE(a, th_group, used) : NULL;
  groups->capacity = groups->group ? used : 0;
  made = groups->group != NULL;
  for (uint32_t i = 0; i < used && made; i++)
    made = read_one(&groups->group[i], groups->ids.generation[i] & 1, a, reader);
  if (made) th_bytes_read(reader, of_row, sizeof *of_row * rows);
  reader->broken |= made && !members_fit(groups, of_row, rows);
  return made && !reader->broken;
}
