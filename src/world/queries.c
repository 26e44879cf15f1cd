/* world/queries.c - which agents are near or in a box, what a ray hits, how far a goal is.
 *
 * Agents near a point (on a mesh: near in space) are looked up in the clusters of the last step (nearby.c); the nearest
 * agent is searched in balls of growing size. Both cost time in proportion to the agents nearby. A ray is tested
 * against the agents along its path (queries_ray.c). Models read views instead. Called between steps, from any thread.
 */
#include <math.h>

#include "world/nearby.h"

#define FIRST_BALL 1.0f /* of a search for the nearest agent [m] */
#define LAST_BALL 300.0f

/* A heap of ids with the farthest on top, in the caller's array: it takes any number of agents without memory of its
 * own, which base/heap.h would need. Squared distances of the first entries are kept beside it; those of the others are
 * computed again, at some 20 ns each on a mesh. */
enum { KEPT = 256 };

typedef struct heap {
  const th_world *world;
  th_vec3 at;
  th_agent_id *id;
  float square[KEPT];
} heap;

typedef struct near_one {
  th_agent_id id;
  float square;
} near_one;

static float square_at(const heap *n, uint32_t row) {
  th_vec3 p = th_row_point(n->world, row);
  float dx = p.x - n->at.x, dy = p.y - n->at.y, dz = p.z - n->at.z;
  return dx * dx + dy * dy + dz * dz;
}

static near_one entry_at(const heap *n, uint32_t k) {
  return (near_one){n->id[k], k < KEPT ? n->square[k] : square_at(n, n->world->row_of[n->id[k].index - 1])};
}

static void set_entry(heap *n, uint32_t k, near_one e) {
  n->id[k] = e.id;
  if (k < KEPT) n->square[k] = e.square;
}

/* Ties fall to the lower id. */
static bool farther(near_one a, near_one b) {
  return a.square > b.square || (a.square == b.square && a.id.index > b.id.index);
}

/* Puts an entry at `at` and sifts it down; or up. */
static void sink(heap *n, uint32_t at, uint32_t count, near_one held) {
  for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
    near_one next = entry_at(n, child);
    if (child + 1 < count && farther(entry_at(n, child + 1), next)) next = entry_at(n, ++child);
    if (!farther(next, held)) break;
    set_entry(n, at, next);
  }
  set_entry(n, at, held);
}

static void rise(heap *n, uint32_t at, near_one held) {
  for (; at && farther(held, entry_at(n, (at - 1) / 2)); at = (at - 1) / 2) set_entry(n, at, entry_at(n, (at - 1) / 2));
  set_entry(n, at, held);
}

static void sort(heap *n, uint32_t count) {
  while (count > 1) {
    near_one top = entry_at(n, 0), last = entry_at(n, --count);
    set_entry(n, count, top);
    sink(n, 0, count, last);
  }
}

/* Puts an agent into the heap of the nearest, which holds `held` of at most `capacity`. */
static void offer(heap *n, near_one e, uint32_t *held, uint32_t capacity) {
  if (*held < capacity)
    rise(n, (*held)++, e);
  else if (*held && farther(entry_at(n, 0), e))
    sink(n, 0, *held, e);
}

uint32_t th_world_within(const th_world *world, th_vec3 point, float radius, const th_agent_filter *filter,
                         th_agent_id *ids, uint32_t capacity) {
  if (th_no_world(world, __func__)) return 0;
  heap n = {.world = world, .at = {point.x, point.y, world->mesh ? point.z : 0.0f}, .id = ids};
  uint32_t count = 0, held = 0, row;
  if (!(radius >= 0.0f)) return 0;
  for (th_nearby walk = th_nearby_begin(world, n.at, radius); th_nearby_next(&walk, &row);) {
    near_one e = {world->rows.id[row], square_at(&n, row)};
    if (!(e.square <= radius * radius) || th_row_hidden(world, row, filter)) continue;
    count++;
    offer(&n, e, &held, capacity);
  }
  sort(&n, held);
  return count;
}

/* Of a side that has no middle: 0. */
static float middle(float low, float high) {
  const float half = 0.5f * low + 0.5f * high;
  return isfinite(half) ? half : 0.0f;
}

static bool in_box(th_vec3 p, th_vec3 low, th_vec3 high) {
  return p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y && p.z >= low.z && p.z <= high.z;
}

uint32_t th_world_inside(const th_world *world, th_vec3 lower, th_vec3 upper, const th_agent_filter *filter,
                         th_agent_id *ids, uint32_t capacity) {
  if (th_no_world(world, __func__)) return 0;
  if (!world->mesh) lower.z = upper.z = 0.0f;
  heap n = {
      .world = world, .at = {middle(lower.x, upper.x), middle(lower.y, upper.y), middle(lower.z, upper.z)}, .id = ids};
  uint32_t count = 0, held = 0, row;
  for (th_nearby walk = th_nearby_begin_box(world, lower, upper); th_nearby_next(&walk, &row);) {
    if (!in_box(th_row_point(world, row), lower, upper) || th_row_hidden(world, row, filter)) continue;
    count++;
    offer(&n, (near_one){world->rows.id[row], square_at(&n, row)}, &held, capacity);
  }
  sort(&n, held);
  return count;
}

th_agent_id th_world_nearest(const th_world *world, th_vec3 point, float reach, const th_agent_filter *filter) {
  if (th_no_world(world, __func__)) return TH_NULL_AGENT;
  th_agent_id id = TH_NULL_AGENT;
  for (float ball = FIRST_BALL; ball < reach && ball < LAST_BALL && !id.index; ball *= 4.0f)
    th_world_within(world, point, ball, filter, &id, 1);
  if (!id.index) th_world_within(world, point, reach, filter, &id, 1);
  return id;
}

static const th_field *field_to(const th_world *world, th_goal_id goal, float radius, const char *call) {
  uint32_t radius_class = th_ground_class(world->ground, radius);
  if (th_goal_known(world, goal, call, NULL)) return NULL;
  const th_field_entry *best = NULL; /* the lowest eps level that an agent uses */
  for (uint32_t i = 0; i < world->entry_count; i++) {
    const th_field_entry *entry = &world->entry[i];
    if (!entry->live || entry->goal != goal.index || entry->radius_class != radius_class) continue;
    if (!best || entry->eps_level < best->eps_level) best = entry;
  }
  return best ? best->field : NULL;
}

const th_field *th_world_field(const th_world *world, th_goal_id goal, float radius) {
  if (th_no_world(world, __func__)) return NULL;
  return field_to(world, goal, radius, "th_world_field");
}

static th_place place_at(const th_world *world, th_vec3 point) {
  bool finite = isfinite(point.x) && isfinite(point.y) && isfinite(point.z);
  return finite ? th_ground_foot(world->ground, point, TH_ANY_LEVEL) : (th_place){TH_NO_CELL, 0, 0};
}

uint32_t th_world_path(const th_world *world, th_vec3 from, th_goal_id goal, float radius, th_place *place,
                       uint32_t capacity) {
  if (th_no_world(world, __func__)) return 0;
  const th_field *field = field_to(world, goal, radius, "th_world_path");
  th_place begin = place_at(world, from);
  return field && begin.cell != TH_NO_CELL ? th_field_trace_places(field, begin, place, capacity) : 0;
}

float th_world_distance(const th_world *world, th_vec3 from, th_goal_id goal, float radius) {
  if (th_no_world(world, __func__)) return INFINITY;
  const th_field *field = field_to(world, goal, radius, "th_world_distance");
  th_place place = place_at(world, from);
  return field && place.cell != TH_NO_CELL ? th_field_gradient_at(field, place).left : INFINITY;
}

void th_world_wants(const th_world *world, th_guide_answer *want) {
  if (th_no_world(world, __func__)) return;
  for (uint32_t row = 0; row < world->rows.count; row++) want[row] = (th_guide_answer){.state = TH_ANSWER_WAIT};
  for (uint32_t slot = 0; slot < world->order.count; slot++) want[world->order.row[slot]] = world->want[slot];
}

void th_world_points(const th_world *world, const th_points *points) {
  if (th_no_world(world, __func__)) return;
  const th_rows *rows = &world->rows;
  const th_ground *ground = world->ground;
  bool mesh = th_ground_mesh(ground) != NULL;
  for (uint32_t row = 0; row < rows->count; row++) {
    th_place place = {rows->cell[row], rows->x[row], rows->y[row]};
    th_vec2 velocity = {rows->vx[row], rows->vy[row]}, heading = {rows->hx[row], rows->hy[row]};
    th_place before = {rows->previous_cell[row], rows->previous_x[row], rows->previous_y[row]};
    if (points->point) points->point[row] = th_ground_point(ground, place);
    if (points->previous) points->previous[row] = th_ground_point(ground, before);
    if (points->velocity) points->velocity[row] = th_ground_to_space(ground, place, velocity);
    if (points->heading) points->heading[row] = th_ground_to_space(ground, place, heading);
    if (points->normal) points->normal[row] = th_ground_normal(ground, place);
    if (points->weights) points->weights[row] = mesh ? th_ground_weights(ground, place) : (th_vec3){0, 0, 0};
    if (points->clearance) points->clearance[row] = th_ground_clearance_at(ground, place);
  }
}
