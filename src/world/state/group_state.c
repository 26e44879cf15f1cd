/* world/state/group_state.c - groups in hash and snapshot. A world that never had a group hashes and saves nothing.
 *
 * Hash, snapshot and restore visit the same parts, so none of them can forget one.
 */
#include "world/world.h"

typedef void (*part_visit)(void *context, void *part, size_t size);

/* The counts come first: a reader takes the arrays by them. */
static void visit_values(th_group *group, part_visit visit, void *context) {
  th_group_area *area = &group->area;
  visit(context, &area->polygons, sizeof area->polygons);
  visit(context, &area->point_count, sizeof area->point_count);
  visit(context, &area->width, sizeof area->width);
  visit(context, &area->height, sizeof area->height);
  visit(context, &group->numbers, sizeof group->numbers);
  visit(context, &area->pixel, sizeof area->pixel);
  visit(context, &area->origin, sizeof area->origin);
}

static void visit_arrays(th_group *group, part_visit visit, void *context) {
  th_group_area *area = &group->area;
  visit(context, area->point, sizeof *area->point * area->point_count);
  visit(context, area->end, sizeof *area->end * area->polygons);
  visit(context, area->light, (size_t)area->width * area->height);
}

/* Arrays of the sizes that its numbers tell. */
static void visit_march(th_marching *march, part_visit visit, void *context) {
  const th_march_numbers *n = &march->numbers;
  visit(context, march->point, sizeof *march->point * n->points);
  visit(context, march->post, sizeof *march->post * n->members);
  visit(context, march->holder, sizeof *march->holder * n->members);
  visit(context, march->trail, sizeof *march->trail * n->samples);
}

/* In a hash a group without a formation leaves no trace of one. */
static void visit_marches(const th_world *world, uint32_t used, part_visit visit, void *context) {
  for (uint32_t i = 0; i < used && world->groups.marches; i++) {
    th_marching *march = &world->groups.group[i].march;
    visit(context, &march->numbers, sizeof march->numbers);
    visit_march(march, visit, context);
  }
}

static void visit_groups(const th_world *world, uint32_t used, part_visit visit, void *context) {
  visit(context, world->groups.ids.generation, sizeof(uint32_t) * used);
  for (uint32_t i = 0; i < used; i++) {
    visit_values(&world->groups.group[i], visit, context);
    visit_arrays(&world->groups.group[i], visit, context);
  }
  visit(context, world->rows.group, sizeof *world->rows.group * world->rows.count);
  visit_marches(world, used, visit, context);
}

static void hash_part(void *context, void *part, size_t size) { th_hash_bytes(context, part, size); }
static void write_part(void *context, void *part, size_t size) { th_bytes_write(context, part, size); }
static void read_part(void *context, void *part, size_t size) { th_bytes_read(context, part, size); }

void th_groups_hash(const th_world *world, th_hash *hash) {
  uint32_t used = th_ids_used(&world->groups.ids);
  if (used) visit_groups(world, used, hash_part, hash);
}

void th_groups_write(const th_world *world, th_byte_writer *writer) {
  uint32_t used = th_ids_used(&world->groups.ids);
  TH_WRITE(writer, used);
  if (used) TH_WRITE(writer, world->groups.marches);
  if (used) visit_groups(world, used, write_part, writer);
}

/* Takes the arrays by the counts that were read. Each block is given back by the size that stands beside it, so a size
 * is set with its block. */
static bool take_area(th_group *group, const th_allocator *a, const th_group_area *has) {
  th_group_area *area = &group->area;
  area->point = TH_TAKE(a, th_vec2, has->point_count), area->point_count = area->point ? has->point_count : 0;
  area->end = TH_TAKE(a, uint32_t, has->polygons), area->polygons = area->end ? has->polygons : 0;
  group->polygon = area->end ? TH_TAKE(a, th_polygon, has->polygons) : NULL;
  if (has->width) area->light = TH_TAKE(a, uint8_t, (size_t)has->width * has->height);
  if (area->light) area->width = has->width, area->height = has->height;
  return area->point && group->polygon && (!has->width || area->light);
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
  visit_values(group, read_part, reader);
  const th_group_area has = group->area;
  group->area.polygons = group->area.point_count = group->area.width = group->area.height = 0;
  reader->broken |=
      has.polygons > reader->size || has.point_count > reader->size || (uint64_t)has.width * has.height > reader->size;
  reader->broken |= !alive && (has.polygons || has.point_count || has.width || has.height);
  if (reader->broken || !alive) return !reader->broken;
  if (!take_area(group, a, &has)) return false;
  visit_arrays(group, read_part, reader);
  group->image = th_group_area_image(&group->area);
  reader->broken |= !join_polygons(group);
  return !reader->broken;
}

static bool read_march(th_marching *march, bool alive, const th_allocator *a, th_byte_reader *reader) {
  TH_READ(reader, march->numbers);
  th_march_numbers *n = &march->numbers;
  const th_march_numbers has = *n;
  n->points = n->members = n->samples = 0;
  reader->broken |= has.points > reader->size || has.members > reader->size || has.samples > reader->size;
  reader->broken |= has.first > has.end || has.end - has.first > has.samples || (has.samples & (has.samples - 1)) ||
                    (has.begun && has.end - has.first < 2);
  reader->broken |= !alive && (has.points || has.members || has.samples);
  if (reader->broken || !alive || has.kind == TH_FORMATION_NONE) return !reader->broken;
  march->point = TH_TAKE(a, th_vec2, has.points);
  if (!march->point) return false;
  *n = has;
  if (!th_march_take(march, a)) return false;
  visit_march(march, read_part, reader);
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
  TH_READ(reader, groups->marches);
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
  for (uint32_t i = 0; i < used && made && groups->marches; i++)
    made = read_march(&groups->group[i].march, groups->ids.generation[i] & 1, a, reader);
  reader->broken |= made && !members_fit(groups, of_row, rows);
  return made && !reader->broken;
}
