/* guide/explore/mesh_target.c - what is searched for on a mesh, and whether someone sees it.
 *
 * As on flat ground all explorers of a guide search for one thing (flat_target.c). A point or link has a place: the
 * corners of its face are its vertices, and metres count from the place itself. The vertices of a goal's shape are
 * those that a field would have (field/mesh/goal.c), found anew when the shape or the ground changes, with the
 * skin's room as memory. A target is found once one of its vertices where a body can stand is known, a link once an
 * explorer sees it. Cost: locating a point, 1 us; a goal's shape, one pass over the faces when it moves.
 */
#include <math.h>

#include "base/hash.h"
#include "base/memory.h"
#include "guide/explore/mesh.h"

#define MOVED_SHARE                                                                                 \
  0.25f /* of a mean edge: nearer to where it was measured than this, metres are not measured again \
         */

typedef struct quarry {
  bool known;
  th_place place; /* cell TH_NO_CELL: a goal's shape */
  const th_shape *shape;
} quarry;

static quarry sought(const th_growth *growth) {
  const th_explore_params *params = growth->params;
  if (params->target == TH_EXPLORE_FOR_POINT) {
    th_vec3 point = {params->point.x, params->point.y, params->z};
    th_place place = th_ground_locate_at(growth->ground, point, TH_ANY_LEVEL, INFINITY);
    return (quarry){.known = place.cell != TH_NO_CELL, .place = place};
  }
  for (uint32_t k = 0; k < growth->count && params->target != TH_EXPLORE_FOR_NOTHING; k++) {
    if (growth->state[k] != TH_AGENT_WALKING) continue;
    if (params->target == TH_EXPLORE_FOR_GOAL && growth->goal[k])
      return (quarry){.known = true, .place = {TH_NO_CELL, 0.0f, 0.0f}, .shape = growth->goal[k]};
    if (params->target == TH_EXPLORE_FOR_LINK && growth->link[k].cell != TH_NO_CELL)
      return (quarry){.known = true, .place = growth->link[k]};
  }
  return (quarry){0};
}

/* ---------------------------------------------------------------- where it is */

static void clear(th_explore_skin *skin, uint8_t bits) {
  for (uint32_t v = 0; v < skin->mesh->vertex_count; v++) skin->mark[v] &= (uint8_t)~bits;
}

static uint64_t mixed(uint64_t sum, const void *data, size_t size) { return th_fnv1a(sum, data, size); }

/* Tells one target from another: what it is made of, and the version and class that its vertices depend on. */
static uint64_t sum_of(const th_explore_skin *skin, const quarry *q) {
  const uint32_t number[3] = {skin->head->version, skin->head->exits_class, q->place.cell};
  uint64_t sum = mixed(TH_FNV1A_BEGIN, number, sizeof number);
  const th_shape *s = q->shape;
  if (!s) return sum;
  const int32_t kind[3] = {(int32_t)s->kind, (int32_t)s->count, s->level};
  sum = mixed(sum, kind, sizeof kind);
  sum = mixed(sum, &s->radius, sizeof s->radius);
  sum = mixed(sum, s->point, s->count * sizeof *s->point);
  return s->z ? mixed(sum, s->z, s->count * sizeof *s->z) : sum;
}

static void *take_from(void *user, size_t size, size_t align) {
  (void)align; /* pieces are 64-byte aligned */
  return th_arena_take(user, size);
}

static void give_nothing(void *user, void *memory, size_t size) { (void)user, (void)memory, (void)size; }

/* The vertices that a field for this goal would have. */
static void find_goal(th_explore_skin *skin, const th_shape *shape) {
  th_arena arena = {.memory = (uint8_t *)skin->weight, .size = skin->room};
  const th_allocator allocator = {take_from, give_nothing, &arena};
  const th_mesh *m = skin->mesh;
  const th_field_def def = {.goal = *shape, .radius_class = skin->head->exits_class};
  th_surface_draft d = {.ground = skin->ground,
                        .surface = skin->surface,
                        .allocator = &allocator,
                        .def = &def,
                        .exits = &skin->exits,
                        .vertices = m->vertex_count,
                        .faces = m->face_count,
                        .kind = TH_TAKE(&allocator, uint8_t, m->vertex_count),
                        .goal_face = TH_TAKE(&allocator, uint8_t, m->face_count)};
  skin->head->target.cell = TH_NO_CELL;
  if (!d.kind || !d.goal_face) return;
  for (uint32_t v = 0; v < d.vertices; v++) d.kind[v] = skin->exits.owner[v] == v ? TH_CELL_FREE : TH_CELL_WALL;
  if (th_surface_goal_find(&d, NULL) != TH_OK) return; /* no body can go there */
  for (uint32_t n = 0; n < d.goal_count; n++) skin->mark[d.goal[n]] |= TH_EXPLORE_PLACE;
  if (d.spread) skin->head->target = d.centre;
  skin->head->radius = (float)d.centre_radius;
}

static void find_place(th_explore_skin *skin, const quarry *q) {
  clear(skin, TH_EXPLORE_PLACE);
  if (q->shape) {
    find_goal(skin, q->shape);
    return;
  }
  skin->head->target = q->place;
  skin->head->radius = 0.0f;
  for (uint32_t k = 0; k < 3; k++) skin->mark[skin->mesh->corner[3 * q->place.cell + k]] |= TH_EXPLORE_PLACE;
}

/* ---------------------------------------------------------------- where metres begin */

/* From the target's place to a corner of its face, and on to the corner's exit when a body cannot stand there. */
static uint32_t start_at(const th_explore_skin *skin, uint32_t h, void (*start)(void *, uint32_t, double), void *user) {
  const th_place *at = &skin->head->target;
  uint32_t v = skin->mesh->corner[h], out = v;
  th_point p = th_frames_corner(&skin->surface->frames, h);
  double x = p.x - (double)at->x, y = p.y - (double)at->y, metres = sqrt(x * x + y * y) - (double)skin->head->radius;
  if (!(skin->mark[v] & TH_EXPLORE_KNOWN)) return 0;
  if (skin->mark[v] & TH_EXPLORE_BLOCKED) {
    out = skin->exits.owner[v];
    metres += skin->exits.far[v];
  }
  if (out == TH_NO_ELEMENT || !th_explore_is_free(skin, out)) return 0;
  start(user, out, fmax(metres, 0.0));
  return 1;
}

uint32_t th_explore_skin_starts(const th_explore_skin *skin, void (*start)(void *user, uint32_t v, double metres),
                                void *user) {
  uint32_t count = 0, cell = skin->head->target.cell;
  if (cell != TH_NO_CELL) {
    for (uint32_t h = 3 * cell; h < 3 * cell + 3; h++) count += start_at(skin, h, start, user);
    return count;
  }
  for (uint32_t v = 0; v < skin->mesh->vertex_count; v++) {
    if (!(skin->mark[v] & TH_EXPLORE_PLACE) || !th_explore_is_free(skin, v)) continue;
    start(user, v, 0.0);
    count++;
  }
  return count;
}

/* ---------------------------------------------------------------- whether it is found */

static void mark_start(void *user, uint32_t v, double metres) {
  th_explore_skin *skin = user;
  (void)metres;
  skin->mark[v] |= TH_EXPLORE_TARGET;
  skin->u[v] = 1.0;
}

static bool is_seen(const th_growth *growth, th_place target) {
  const th_explore_params *params = growth->params;
  for (uint32_t k = 0; k < growth->count; k++) {
    th_vec3 a = th_ground_point(growth->ground, growth->place[k]), b = th_ground_point(growth->ground, target);
    float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    if (params->through_walls && x * x + y * y + z * z <= params->sight * params->sight) return true;
    if (!params->through_walls && th_explore_skin_sees(growth->ground, growth->place[k], target, params->sight))
      return true;
  }
  return false;
}

/* Whoever searched has arrived, or what was searched has gone. */
static void give_up(th_explore_skin *skin) {
  if (skin->head->mark_sum) clear(skin, TH_EXPLORE_TARGET | TH_EXPLORE_PLACE);
  skin->head->found = skin->head->marks = 0;
  skin->head->mark_sum = 0;
  skin->head->target.cell = TH_NO_CELL;
}

/* Metres are good until the target leaves its face or goes some way in it. */
static void follow(th_explore_skin *skin, const quarry *q) {
  th_explore_head *head = skin->head;
  const uint64_t sum = sum_of(skin, q);
  if (sum != head->mark_sum) {
    find_place(skin, q);
    head->mark_sum = sum;
    head->stale = 1;
  }
  if (q->shape) return;
  head->target = q->place;
  float x = q->place.x - head->measured.x, y = q->place.y - head->measured.y, near = MOVED_SHARE * skin->ground->cell;
  if (head->measured.cell == q->place.cell && x * x + y * y > near * near) head->stale = 1;
}

void th_explore_skin_seek(void *memory, const th_growth *growth) {
  const th_explore_params *params = growth->params;
  th_explore_skin skin = th_explore_skin_open(memory, growth->ground);
  th_explore_head *head = skin.head;
  quarry q = sought(growth);
  if (!q.known) {
    give_up(&skin);
    return;
  }
  follow(&skin, &q);
  const bool walks = params->target == TH_EXPLORE_FOR_LINK;
  if (walks && !head->found && is_seen(growth, q.place)) head->found = head->stale = 1;
  if (!head->stale || (walks && !head->found)) return;
  clear(&skin, TH_EXPLORE_TARGET);
  head->marks = th_explore_skin_starts(&skin, mark_start, &skin);
  if (!walks) head->found = head->marks > 0; /* a place is found when it is known */
}
