/* ground/path/portal_search.c - which edges a path over a mesh crosses.
 *
 * A* over the middles of portals (Hart, Nilsson and Raphael 1968) finds a corridor. Paths from middle to middle are
 * some percent longer than straight ones, so the distance to the target counts a little more than it is: else all of an
 * ellipse round the path would be searched. Landmarks
 * (landmarks.c) tell of walls in between. The corridor is then pulled tight and led round the other side of the
 * vertices that it turns at, as long as that shortens it (corridor.c). Which obstacles it passes on which side is as A*
 * has found it, so it is a local minimum, some percent above the shortest path at the worst. Cost: 0.1 us for each
 * portal that is looked at.
 */
#include <string.h>

#include "base/lazy_heap.h"
#include "ground/path/portals.h"

#define EAGER 1.1f     /* weight of the distance to the target */
#define MOST_TURNS 64u /* corners that are led round the other side, in one path */
#define MOST_FAN 64u

struct th_portal_search {
  th_allocator allocator;
  uint32_t halves, faces, most, now;
  uint32_t *stamp, *before; /* of each half-edge that is entered: the run that reached it, and the one before it */
  float *gone;              /* [m] */
  uint32_t *seen;           /* of each face, in th_portal_search_nearest */
  th_lazy_heap open;
  uint32_t *half, count, capacity; /* of the corridor */
  th_point *left, *right;
  double target[3];
  uint32_t face; /* the target's */
};

void th_portal_search_free(th_portal_search *s) {
  if (!s) return;
  const th_allocator a = s->allocator;
  TH_GIVE(&a, s->stamp, s->halves);
  TH_GIVE(&a, s->before, s->halves);
  TH_GIVE(&a, s->gone, s->halves);
  TH_GIVE(&a, s->seen, s->faces);
  TH_GIVE(&a, s->half, s->capacity);
  TH_GIVE(&a, s->left, s->capacity);
  TH_GIVE(&a, s->right, s->capacity);
  th_lazy_heap_free(&s->open, &a);
  TH_GIVE(&a, s, 1);
}

th_portal_search *th_portal_search_make(const th_path_portals *portals) {
  const th_allocator *a = &portals->allocator;
  th_portal_search *s = TH_TAKE(a, th_portal_search, 1);
  if (!s) return NULL;
  *s = (th_portal_search){.allocator = *a, .faces = portals->mesh->mesh.face_count};
  s->halves = 3 * s->faces;
  s->capacity = s->faces + MOST_TURNS * MOST_FAN + 1;
  s->stamp = TH_TAKE(a, uint32_t, s->halves);
  s->before = TH_TAKE(a, uint32_t, s->halves);
  s->gone = TH_TAKE(a, float, s->halves);
  s->seen = TH_TAKE(a, uint32_t, s->faces);
  s->half = TH_TAKE(a, uint32_t, s->capacity);
  s->left = TH_TAKE(a, th_point, s->capacity);
  s->right = TH_TAKE(a, th_point, s->capacity);
  if (s->stamp && s->before && s->gone && s->seen && s->half && s->left && s->right &&
      th_lazy_heap_reserve(&s->open, a, 2 * s->halves))
    return s;
  th_portal_search_free(s);
  return NULL;
}

/* ---------------------------------------------------------------- A* */

static float distance_left(const th_portal_search *s, const th_path_portals *p, uint32_t face, th_point at) {
  double xyz[3];
  th_frames_point(&p->mesh->frames, face, at, xyz);
  return (float)th_distance3d(xyz, s->target);
}

/* What is left of a path from a point of the face: as the landmarks say, or a little more than the straight line. */
static float guess_left(const th_portal_search *s, const th_path_portals *p, uint32_t face, th_point at) {
  float left = EAGER * distance_left(s, p, face, at);
  const float *here = &p->landmark[TH_LANDMARKS * (size_t)face], *there = &p->landmark[TH_LANDMARKS * (size_t)s->face];
  for (uint32_t k = 0; k < TH_LANDMARKS; k++) {
    const float bound = fabsf(here[k] - there[k]); /* not a number, or infinite, where parts differ */
    if (bound > left && bound < INFINITY) left = bound;
  }
  return left;
}

/* Looks over the sides of a face, from a point in it. */
static void look_over(th_portal_search *s, const th_path_portals *p, uint32_t face, uint32_t in, th_point at,
                      float gone) {
  for (uint32_t out = 3 * face; out < 3 * face + 3; out++) {
    if (out == in || !th_path_portals_open(p, out)) continue;
    const uint32_t half = p->mesh->mesh.twin[out];
    const th_point to = th_path_portals_middle(p, out);
    const float sum = gone + (float)th_length2d(th_minus2d(to, at));
    if ((s->stamp[half] == s->now && s->gone[half] <= sum) || s->open.count == s->open.capacity) continue;
    s->stamp[half] = s->now;
    s->gone[half] = sum;
    s->before[half] = in;
    th_lazy_heap_push(&s->open, th_lazy_key(sum + guess_left(s, p, half / 3, th_path_portals_middle(p, half)), half));
  }
}

/* The last portal of a corridor; TH_NOWHERE: none is needed or there is none. */
static uint32_t find_corridor(th_portal_search *s, const th_path_portals *p, th_place from, th_place to, bool *whole) {
  uint32_t nearest = TH_NOWHERE, taken = 0;
  float least = INFINITY;
  s->now++;
  s->open.count = 0;
  *whole = from.cell == to.cell;
  if (*whole) return TH_NOWHERE;
  th_frames_point(&p->mesh->frames, to.cell, (th_point){(double)to.x, (double)to.y}, s->target);
  s->face = to.cell;
  look_over(s, p, from.cell, TH_NOWHERE, (th_point){(double)from.x, (double)from.y}, 0.0f);
  while (s->open.count && taken++ < s->most) {
    const uint64_t key = th_lazy_heap_pop(&s->open);
    const uint32_t half = th_lazy_number(key);
    const th_point at = th_path_portals_middle(p, half);
    const float left = guess_left(s, p, half / 3, at);
    if (th_lazy_distance(key) > s->gone[half] + left) continue; /* it was reached on a shorter path */
    if (left < least) least = left, nearest = half;
    *whole = half / 3 == to.cell;
    if (*whole) return half;
    look_over(s, p, half / 3, half, at, s->gone[half]);
  }
  return nearest;
}

static void list_corridor(th_portal_search *s, uint32_t last) {
  s->count = 0;
  for (uint32_t h = last; h != TH_NOWHERE && s->count < s->faces; h = s->before[h]) s->half[s->count++] = h;
  for (uint32_t i = 0; i < s->count / 2; i++) {
    const uint32_t h = s->half[i];
    s->half[i] = s->half[s->count - 1 - i];
    s->half[s->count - 1 - i] = h;
  }
}

/* ---------------------------------------------------------------- shortening */

/* Puts other portals in the place of first ... last. */
static void replace(th_portal_search *s, uint32_t first, uint32_t last, const uint32_t *half, uint32_t count) {
  const uint32_t behind = s->count - last - 1;
  memmove(s->half + first + count, s->half + last + 1, sizeof *s->half * behind);
  memcpy(s->half + first, half, sizeof *half * count);
  s->count = first + count + behind;
}

/* The part of a corridor from the corner before corner k to the one behind it, when that alone is to change. */
typedef struct stretch {
  uint32_t first, last; /* portals; last = the number of portals: the end */
  th_place from, to;
} stretch;

static stretch stretch_at(const th_corridor *c, const th_corridor_corner *corner, uint32_t k, th_place from) {
  stretch s = {0, corner[k + 1].portal, from, th_corridor_place(c, &corner[k + 1])};
  if (k) s.first = corner[k - 1].portal + 1, s.from = th_corridor_place(c, &corner[k - 1]);
  return s;
}

static double length_of(const th_corridor *c, const stretch *s, uint32_t count) {
  const th_corridor part = {
      c->portals, c->half + s->first, count, {(double)s->from.x, (double)s->from.y}, s->to, c->left, c->right};
  double length;
  th_corridor_pull(&part, NULL, 0, &length);
  return length;
}

/* Leads the path round the other side of corner k; false, with nothing changed, where that is not shorter. */
static bool turn_round(th_portal_search *s, th_corridor *c, const th_corridor_corner *corner, uint32_t k,
                       th_place from) {
  uint32_t other[MOST_FAN], old[MOST_FAN], first, last;
  const uint32_t more = th_corridor_other_side(c, &corner[k], other, MOST_FAN, &first, &last);
  if (!more) return false;
  const stretch at = stretch_at(c, corner, k, from);
  const uint32_t had = last - first + 1, ends = at.last < c->count ? at.last + 1 : c->count, count = ends - at.first;
  if (had > MOST_FAN || first < at.first || last >= at.last) return false;
  const double before = length_of(c, &at, count);
  memcpy(old, s->half + first, sizeof *old * had);
  replace(s, first, last, other, more);
  c->count = s->count;
  if (length_of(c, &at, count - had + more) < before - 1e-6) return true;
  replace(s, first, first + more - 1, old, had);
  c->count = s->count;
  return false;
}

/* One corner after the other is led round the other side where that is shorter. */
static double shorten(th_portal_search *s, th_corridor *c, th_place from) {
  th_corridor_corner corner[MOST_TURNS];
  double length;
  uint32_t count = th_corridor_pull(c, corner, MOST_TURNS, &length), turns = 0;
  for (uint32_t k = 0; k + 1 < count && k + 1 < MOST_TURNS && turns < MOST_TURNS;) {
    if (!turn_round(s, c, corner, k, from)) {
      k++;
      continue;
    }
    count = th_corridor_pull(c, corner, MOST_TURNS, &length);
    turns++;
    k = k ? k - 1 : 0; /* the corner before may go, too */
  }
  return length;
}

th_portal_path th_portal_search_run(th_portal_search *s, const th_path_portals *p, const th_place end[2],
                                    uint32_t most) {
  const th_place from = end[0], to = end[1];
  s->most = most;
  th_portal_path path = {.half = s->half, .end = to};
  if (p->part[from.cell] == TH_ANY_PART || p->part[from.cell] != p->part[to.cell]) return path;
  const uint32_t last = find_corridor(s, p, from, to, &path.whole);
  if (last == TH_NOWHERE && !path.whole) return path;
  list_corridor(s, last);
  if (!path.whole) {
    const th_point at = th_path_portals_middle(p, last);
    path.end = (th_place){last / 3, (float)at.x, (float)at.y};
  }
  th_corridor c = {p, s->half, s->count, {(double)from.x, (double)from.y}, path.end, s->left, s->right};
  path.length = shorten(s, &c, from);
  path.count = s->count;
  path.found = true;
  return path;
}

/* ---------------------------------------------------------------- the nearest place */

/* Faces are looked at from the blocked one on, over all edges, the nearest middle first. */
th_place th_portal_search_nearest(th_portal_search *s, const th_path_portals *p, uint32_t face, uint32_t part) {
  const th_mesh_frames *f = &p->mesh->frames;
  static const double third[3] = {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0};
  s->now++;
  s->open.count = 0;
  th_frames_point(f, face, th_frames_at(f, face, third), s->target);
  s->seen[face] = s->now;
  th_lazy_heap_push(&s->open, th_lazy_key(0.0f, face));
  while (s->open.count) {
    const uint32_t at = th_lazy_number(th_lazy_heap_pop(&s->open));
    const th_point middle = th_frames_at(f, at, third);
    if (p->part[at] == part) return (th_place){at, (float)middle.x, (float)middle.y};
    for (uint32_t h = 3 * at; h < 3 * at + 3; h++) {
      const uint32_t twin = p->mesh->mesh.twin[h];
      if (twin == TH_NO_HALF || s->seen[twin / 3] == s->now || s->open.count == s->open.capacity) continue;
      s->seen[twin / 3] = s->now;
      const float far = distance_left(s, p, twin / 3, th_frames_at(f, twin / 3, third));
      th_lazy_heap_push(&s->open, th_lazy_key(far, twin / 3));
    }
  }
  return (th_place){TH_NO_CELL, 0.0f, 0.0f};
}

/* ---------------------------------------------------------------- one path */

#define QUERY_CORNERS 256u

uint32_t th_portal_search_query(const th_ground *ground, const th_path_portals *portals, const th_place end[2],
                                th_place *place, uint32_t capacity) {
  const uint32_t faces = ground->mesh->mesh.face_count;
  if (end[0].cell >= faces || end[1].cell >= faces) return 0;
  th_portal_search *s = th_portal_search_make(portals);
  if (!s) return 0;
  const uint32_t part = portals->part[end[0].cell];
  th_corridor_corner corner[QUERY_CORNERS];
  const th_portal_path path = th_portal_search_run(s, portals, end, UINT32_MAX);
  const th_corridor c = {portals, path.half, path.count, {(double)end[0].x, (double)end[0].y},
                         end[1],  s->left,   s->right};
  uint32_t count =
      path.found && path.whole && part != TH_ANY_PART ? th_corridor_pull(&c, corner, QUERY_CORNERS, NULL) : 0;
  if (count > QUERY_CORNERS) count = QUERY_CORNERS;
  for (uint32_t i = 0; i <= count && count && i < capacity; i++)
    place[i] = i ? th_corridor_place(&c, &corner[i - 1]) : end[0];
  th_portal_search_free(s);
  return count ? count + 1 : 0;
}
