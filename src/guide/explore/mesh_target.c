/* guide/explore/mesh_target.c - the target of a search on a mesh, and whether an explorer sees it.
 *
 * As on flat ground all explorers of a guide search for one thing (flat_target.c). A point or link has a place: the
 * corners of its face are its vertices, and distances count from the place itself. The vertices of a goal's shape are
 * those that a field would have (field/mesh/goal.c), found again when the shape or the ground changes, in the scratch
 * memory of the map. A target is found once one of its vertices where a body can stand is known, a link once an
 * explorer sees it. Cost: locating a point, 1 us; a goal's shape, one pass over the faces when it moves.
 */
#include <math.h>

#include "base/hash.h"
#include "base/memory.h"
#include "geometry/shape.h"
#include "guide/explore/mesh.h"

#define MOVED_SHARE                                                                                 \
  0.25f /* of a mean edge: distances are measured again when the target has moved farther than this \
         */

typedef struct target_place {
  bool known;
  th_place place; /* cell TH_NO_CELL: a goal's shape */
  const th_shape *shape;
} target_place;

static target_place find_target(const th_guide_update *update) {
  const th_explore_params *params = update->params;
  if (params->target == TH_EXPLORE_FOR_POINT) {
    th_place place = th_ground_locate_at(update->ground, params->point, TH_ANY_LEVEL, INFINITY);
    return (target_place){.known = place.cell != TH_NO_CELL, .place = place};
  }
  for (uint32_t k = 0; k < update->count && params->target != TH_EXPLORE_FOR_NOTHING; k++) {
    if (update->state[k] != TH_AGENT_WALKING) continue;
    if (params->target == TH_EXPLORE_FOR_GOAL && update->goal[k])
      return (target_place){.known = true, .place = {TH_NO_CELL, 0.0f, 0.0f}, .shape = update->goal[k]};
    if (params->target == TH_EXPLORE_FOR_LINK && update->link[k * TH_MAX_LINKS].place.cell != TH_NO_CELL)
      return (target_place){.known = true, .place = update->link[k * TH_MAX_LINKS].place};
  }
  return (target_place){0};
}

/* ---------------------------------------------------------------- where it is */

static void clear(th_explore_mesh *explored_mesh, uint8_t bits) {
  for (uint32_t v = 0; v < explored_mesh->mesh->vertex_count; v++) explored_mesh->mark[v] &= (uint8_t)~bits;
}

static uint64_t mixed(uint64_t sum, const void *data, size_t size) { return th_hash_fnv1a(sum, data, size); }

/* Tells one target from another: what it is made of, and the version and class that its vertices depend on. */
static uint64_t sum_of(const th_explore_mesh *explored_mesh, const target_place *q) {
  const uint32_t number[3] = {explored_mesh->head->version, explored_mesh->head->exits_class, q->place.cell};
  uint64_t sum = mixed(TH_FNV1A_BEGIN, number, sizeof number);
  const th_shape *s = q->shape;
  if (!s) return sum;
  const int32_t kind[4] = {(int32_t)s->kind, (int32_t)s->count, s->level, (int32_t)th_shape_flags(s)};
  sum = mixed(sum, kind, sizeof kind);
  sum = mixed(sum, &s->radius, sizeof s->radius);
  return mixed(sum, th_shape_points(s), sizeof(th_vec3) * s->count);
}

static void *take_from(void *user, size_t size, size_t align) {
  (void)align; /* pieces are 64-byte aligned */
  return th_arena_take(user, size);
}

static void give_nothing(void *user, void *memory, size_t size) { (void)user, (void)memory, (void)size; }

/* The vertices that a field for this goal would have. */
static void find_goal(th_explore_mesh *explored_mesh, const th_shape *shape) {
  th_arena arena = {.memory = (uint8_t *)explored_mesh->weight, .size = explored_mesh->room};
  const th_allocator allocator = {take_from, give_nothing, &arena};
  const th_mesh *m = explored_mesh->mesh;
  const th_field_def def = {.goal = *shape, .radius_class = explored_mesh->head->exits_class};
  th_mesh_field_build d = {.ground = explored_mesh->ground,
                           .mesh = explored_mesh->mesh_ground,
                           .allocator = &allocator,
                           .def = &def,
                           .nearest_free = &explored_mesh->nearest_free,
                           .vertices = m->vertex_count,
                           .faces = m->face_count,
                           .kind = TH_TAKE(&allocator, uint8_t, m->vertex_count),
                           .goal_face = TH_TAKE(&allocator, uint8_t, m->face_count)};
  explored_mesh->head->target.cell = TH_NO_CELL;
  if (!d.kind || !d.goal_face) return;
  for (uint32_t v = 0; v < d.vertices; v++)
    d.kind[v] = explored_mesh->nearest_free.owner[v] == v ? TH_CELL_FREE : TH_CELL_WALL;
  if (th_mesh_field_goal_find(&d, NULL) != TH_OK) return; /* no body can go there */
  for (uint32_t n = 0; n < d.goal_count; n++) explored_mesh->mark[d.goal[n]] |= TH_EXPLORE_PLACE;
  if (d.spread) explored_mesh->head->target = d.centre;
  explored_mesh->head->radius = (float)d.centre_radius;
}

static void find_place(th_explore_mesh *explored_mesh, const target_place *q) {
  clear(explored_mesh, TH_EXPLORE_PLACE);
  if (q->shape) {
    find_goal(explored_mesh, q->shape);
    return;
  }
  explored_mesh->head->target = q->place;
  explored_mesh->head->radius = 0.0f;
  for (uint32_t k = 0; k < 3; k++)
    explored_mesh->mark[explored_mesh->mesh->corner[3 * q->place.cell + k]] |= TH_EXPLORE_PLACE;
}

/* ---------------------------------------------------------------- where distances begin */

/* Adds the distance from the target's place to a corner of its face, and on to the corner's nearest free vertex when a
 * body cannot stand there. */
static uint32_t start_at(const th_explore_mesh *explored_mesh, uint32_t h, void (*start)(void *, uint32_t, double),
                         void *user) {
  const th_place *at = &explored_mesh->head->target;
  uint32_t v = explored_mesh->mesh->corner[h], out = v;
  th_point p = th_frames_corner(&explored_mesh->mesh_ground->frames, h);
  double x = p.x - (double)at->x, y = p.y - (double)at->y,
         distance = sqrt(x * x + y * y) - (double)explored_mesh->head->radius;
  if (!(explored_mesh->mark[v] & TH_EXPLORE_KNOWN)) return 0;
  if (explored_mesh->mark[v] & TH_EXPLORE_BLOCKED) {
    out = explored_mesh->nearest_free.owner[v];
    distance += explored_mesh->nearest_free.far[v];
  }
  if (out == TH_NO_ELEMENT || !th_explore_is_free(explored_mesh, out)) return 0;
  start(user, out, fmax(distance, 0.0));
  return 1;
}

uint32_t th_explore_mesh_starts(const th_explore_mesh *explored_mesh,
                                void (*start)(void *user, uint32_t v, double distance), void *user) {
  uint32_t count = 0, cell = explored_mesh->head->target.cell;
  if (cell != TH_NO_CELL) {
    for (uint32_t h = 3 * cell; h < 3 * cell + 3; h++) count += start_at(explored_mesh, h, start, user);
    return count;
  }
  for (uint32_t v = 0; v < explored_mesh->mesh->vertex_count; v++) {
    if (!(explored_mesh->mark[v] & TH_EXPLORE_PLACE) || !th_explore_is_free(explored_mesh, v)) continue;
    start(user, v, 0.0);
    count++;
  }
  return count;
}

/* ---------------------------------------------------------------- whether it is found */

static void mark_start(void *user, uint32_t v, double distance) {
  th_explore_mesh *explored_mesh = user;
  (void)distance;
  explored_mesh->mark[v] |= TH_EXPLORE_TARGET;
  explored_mesh->u[v] = 1.0;
}

static bool is_seen(const th_guide_update *update, th_place target) {
  const th_explore_params *params = update->params;
  for (uint32_t k = 0; k < update->count; k++) {
    th_vec3 a = th_ground_point(update->ground, update->place[k]), b = th_ground_point(update->ground, target);
    float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    if (params->through_walls && x * x + y * y + z * z <= params->sight * params->sight) return true;
    if (!params->through_walls && th_explore_mesh_sees(update->ground, update->place[k], target, params->sight))
      return true;
  }
  return false;
}

/* Ends the search: the searching explorers have arrived, or the target is gone. */
static void give_up(th_explore_mesh *explored_mesh) {
  if (explored_mesh->head->mark_sum) clear(explored_mesh, TH_EXPLORE_TARGET | TH_EXPLORE_PLACE);
  explored_mesh->head->found = explored_mesh->head->marks = 0;
  explored_mesh->head->mark_sum = 0;
  explored_mesh->head->target.cell = TH_NO_CELL;
}

/* Distances stay valid until the target leaves its face or moves some distance in it. */
static void follow(th_explore_mesh *explored_mesh, const target_place *q) {
  th_explore_head *head = explored_mesh->head;
  const uint64_t sum = sum_of(explored_mesh, q);
  if (sum != head->mark_sum) {
    find_place(explored_mesh, q);
    head->mark_sum = sum;
    head->stale = 1;
  }
  if (q->shape) return;
  head->target = q->place;
  float x = q->place.x - head->measured.x, y = q->place.y - head->measured.y,
        near = MOVED_SHARE * explored_mesh->ground->cell;
  if (head->measured.cell == q->place.cell && x * x + y * y > near * near) head->stale = 1;
}

void th_explore_mesh_seek(void *memory, const th_guide_update *update) {
  const th_explore_params *params = update->params;
  th_explore_mesh explored_mesh = th_explore_mesh_open(memory, update->ground);
  th_explore_head *head = explored_mesh.head;
  target_place q = find_target(update);
  if (!q.known) {
    give_up(&explored_mesh);
    return;
  }
  follow(&explored_mesh, &q);
  const bool walks = params->target == TH_EXPLORE_FOR_LINK;
  if (walks && !head->found && is_seen(update, q.place)) head->found = head->stale = 1;
  if (!head->stale || (walks && !head->found)) return;
  clear(&explored_mesh, TH_EXPLORE_TARGET);
  head->marks = th_explore_mesh_starts(&explored_mesh, mark_start, &explored_mesh);
  if (!walks) head->found = head->marks > 0; /* a place is found when it is known */
}
