/* world/queries.c - who is near, what does a ray meet, how far is a goal.
 *
 * Every agent is looked at: a query costs about 1 ns an agent and is asked rarely; models read views instead.
 * Called between steps, from any thread.
 */
#include <math.h>

#include "world.h"

typedef struct found {
  float d2;
  uint32_t row;
} found;

static bool nearer(const th_rows *rows, found a, found b) {
  return a.d2 < b.d2 || (a.d2 == b.d2 && rows->agent[a.row] < rows->agent[b.row]);
}

static void insert(const th_rows *rows, found *list, uint32_t count, uint32_t capacity, found item) {
  uint32_t at = count < capacity ? count : capacity;
  while (at > 0 && nearer(rows, item, list[at - 1])) {
    if (at < capacity) list[at] = list[at - 1];
    at--;
  }
  if (at < capacity) list[at] = item;
}

#define MOST_FOUND 4096

uint32_t th_world_within(const th_world *world, float x, float y, float radius, th_agent_id *ids, uint32_t capacity) {
  const th_rows *rows = &world->rows;
  found list[MOST_FOUND];
  uint32_t count = 0, room = capacity < MOST_FOUND ? capacity : MOST_FOUND;
  for (uint32_t row = 0; row < rows->count; row++) {
    float dx = rows->x[row] - x, dy = rows->y[row] - y, d2 = dx * dx + dy * dy;
    if (!rows->in[row] || !(d2 <= radius * radius)) continue;
    insert(rows, list, count++, room, (found){d2, row});
  }
  for (uint32_t i = 0; i < count && i < room; i++) ids[i] = rows->id[list[i].row];
  return count;
}

th_agent_id th_world_nearest(const th_world *world, float x, float y, float reach) {
  th_agent_id id = {0, 0};
  th_world_within(world, x, y, reach, &id, 1);
  return id;
}

/* First root of |o + t d - p| = r, or INFINITY. */
static float meet_disc(th_vec2 o, th_vec2 d, float px, float py, float r) {
  float fx = o.x - px, fy = o.y - py, b = fx * d.x + fy * d.y, c = fx * fx + fy * fy - r * r;
  if (c <= 0.0f) return 0.0f;
  float root = b * b - c;
  if (b > 0.0f || root < 0.0f) return INFINITY;
  return -b - sqrtf(root);
}

th_agent_id th_world_ray(const th_world *world, th_vec2 from, th_vec2 direction, float length, float *distance) {
  const th_rows *rows = &world->rows;
  float size = sqrtf(direction.x * direction.x + direction.y * direction.y);
  th_agent_id hit = {0, 0};
  if (!(size > 0.0f)) return hit;
  th_vec2 d = {direction.x / size, direction.y / size};
  float best = th_ground_ray(world->ground, from.x, from.y, d.x, d.y, length).distance;
  for (uint32_t row = 0; row < rows->count; row++) {
    if (!rows->in[row]) continue;
    float t = meet_disc(from, d, rows->x[row], rows->y[row], rows->radius[row]);
    if (t < best || (t == best && hit.index > rows->agent[row])) {
      best = t;
      hit = rows->id[row];
    }
  }
  if (distance) *distance = best;
  return hit;
}

const th_field *th_world_field(const th_world *world, th_goal_id goal, float radius) {
  uint32_t radius_class = th_ground_class(world->ground, radius);
  if (!th_ids_valid(&world->goals.ids, (th_id){goal.index, goal.generation})) return NULL;
  const th_field_entry *best = NULL; /* the lowest eps level that someone walks */
  for (uint32_t i = 0; i < world->entry_count; i++) {
    const th_field_entry *entry = &world->entry[i];
    if (!entry->live || entry->goal != goal.index || entry->radius_class != radius_class) continue;
    if (!best || entry->eps_level < best->eps_level) best = entry;
  }
  return best ? best->field : NULL;
}

uint32_t th_world_path(const th_world *world, th_vec2 from, th_goal_id goal, float radius, th_vec2 *point,
                       uint32_t capacity) {
  const th_field *field = th_world_field(world, goal, radius);
  th_place place = th_ground_locate(world->ground, from.x, from.y);
  return field && place.cell != TH_NO_CELL ? th_field_trace(field, place, point, capacity) : 0;
}

float th_world_distance(const th_world *world, th_vec2 from, th_goal_id goal, float radius) {
  const th_field *field = th_world_field(world, goal, radius);
  th_place place = th_ground_locate(world->ground, from.x, from.y);
  return field && place.cell != TH_NO_CELL ? th_field_slope(field, place).left : INFINITY;
}
