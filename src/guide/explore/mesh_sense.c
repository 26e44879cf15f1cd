/* guide/explore/mesh_sense.c - writes what an explorer sees of a mesh into the map.
 *
 * A vertex is seen when a straight line over the surface leads there within the sight distance. Cones of straight lines
 * from the explorer find all of them at once and exactly, also on curved ground (field/mesh/line_of_sight.c); blocked
 * faces and the border stop them. This search runs only when a vertex in the window is unknown or has changed. A sight
 * of R mean edges visits about 2 R^3 faces, some 50 ns each; where that would be too many, the sight is halved until it
 * is not. The window holds the vertices that are connected with the explorer over edges and lie within the sight
 * distance in space.
 */
#include <math.h>

#include "geometry/mesh/straight_walk.h"
#include "guide/explore/mesh.h"

#define MAX_BEAMS 200000u
#define MAX_FACES 100000u
#define NEAR_SHARE 0.01 /* of a mean edge: a line that ends this near has arrived */

static uint8_t look_of(const th_explore_mesh *explored_mesh, uint32_t v) {
  bool blocked = th_mesh_vertex_blocked(explored_mesh->ground, explored_mesh->head->radius_class, v);
  return blocked ? TH_EXPLORE_KNOWN | TH_EXPLORE_BLOCKED : TH_EXPLORE_KNOWN;
}

static bool is_news(const th_explore_mesh *explored_mesh, uint32_t v) {
  return (explored_mesh->mark[v] & (TH_EXPLORE_KNOWN | TH_EXPLORE_BLOCKED)) != look_of(explored_mesh, v);
}

/* A third of each walkable face round the vertex [m2]. */
static double area_of(const th_explore_mesh *explored_mesh, uint32_t v) {
  const th_mesh *m = explored_mesh->mesh;
  uint32_t begin = m->leaving[v], h = begin;
  double sum = 0.0;
  do {
    const th_face_frame *f = &explored_mesh->mesh_ground->frames.face[h / 3];
    if (!explored_mesh->mesh_ground->blocked[h / 3]) sum += f->bx * f->cy / 6.0;
    h = th_half_left(m, h);
  } while (h != TH_NO_HALF && h != begin);
  return sum;
}

static void learn(th_explore_mesh *explored_mesh, uint32_t v) {
  th_explore_head *head = explored_mesh->head;
  if (!is_news(explored_mesh, v)) return;
  uint8_t look = look_of(explored_mesh, v), kept = explored_mesh->mark[v] & (TH_EXPLORE_TARGET | TH_EXPLORE_PLACE);
  if (!(explored_mesh->mark[v] & TH_EXPLORE_KNOWN)) {
    head->sensed++;
    head->area += area_of(explored_mesh, v);
  }
  explored_mesh->mark[v] = (uint8_t)(look | kept | (look & TH_EXPLORE_BLOCKED ? 0 : TH_EXPLORE_OPEN));
  if (look & TH_EXPLORE_BLOCKED) explored_mesh->u[v] = 0.0;
  head->fresh = head->stale = 1;
}

/* ---------------------------------------------------------------- the window */

static bool is_within(const th_mesh *m, uint32_t v, const double *from, double reach) {
  const double *p = m->xyz + 3 * (size_t)v, x = p[0] - from[0], y = p[1] - from[1], z = p[2] - from[2];
  return x * x + y * y + z * z <= reach * reach;
}

static void meet(th_explore_mesh *explored_mesh, uint32_t v, uint32_t *count) {
  if (explored_mesh->stamp[v] == explored_mesh->head->stamp) return;
  explored_mesh->stamp[v] = explored_mesh->head->stamp;
  explored_mesh->list[(*count)++] = v;
}

uint32_t th_explore_mesh_window(th_explore_mesh *explored_mesh, th_place from, float reach) {
  const th_mesh *m = explored_mesh->mesh;
  uint32_t count = 0;
  double centre[3];
  th_frames_point(&explored_mesh->mesh_ground->frames, from.cell, (th_point){(double)from.x, (double)from.y}, centre);
  if (++explored_mesh->head->stamp == 0) { /* old stamps must not become valid again */
    for (uint32_t v = 0; v < m->vertex_count; v++) explored_mesh->stamp[v] = 0;
    explored_mesh->head->stamp = 1;
  }
  for (uint32_t k = 0; k < 3; k++) meet(explored_mesh, m->corner[3 * from.cell + k], &count);
  for (uint32_t n = 0; n < count; n++) {
    uint32_t v = explored_mesh->list[n], begin = m->leaving[v], h = begin;
    do { /* both other corners: at the border one of them has no half-edge of its own */
      uint32_t a = th_half_to(m, h), b = m->corner[th_half_previous(h)];
      if (is_within(m, a, centre, (double)reach)) meet(explored_mesh, a, &count);
      if (is_within(m, b, centre, (double)reach)) meet(explored_mesh, b, &count);
      h = th_half_left(m, h);
    } while (h != TH_NO_HALF && h != begin);
  }
  return count;
}

/* ---------------------------------------------------------------- light */

typedef struct look {
  th_explore_mesh *explored_mesh;
  double sight;
} look;

static void see_vertex(void *user, uint32_t v, double distance) {
  const look *l = user;
  if (distance <= l->sight) learn(l->explored_mesh, v);
}

static void see_face(void *user, uint32_t face, th_point centre, double distance) {
  (void)user, (void)face, (void)centre, (void)distance;
}

void th_explore_mesh_sense(void *memory, const th_guide_update *update, uint32_t explorer) {
  const th_explore_params *params = update->params;
  th_explore_mesh explored_mesh = th_explore_mesh_open(memory, update->ground);
  th_place from = update->place[explorer];
  uint32_t count = th_explore_mesh_window(&explored_mesh, from, params->sight), news = 0;
  for (uint32_t n = 0; n < count; n++) news += is_news(&explored_mesh, explored_mesh.list[n]);
  if (params->through_walls)
    for (uint32_t n = 0; n < count; n++) learn(&explored_mesh, explored_mesh.list[n]);
  if (params->through_walls || !news) return;
  look l = {&explored_mesh, (double)params->sight};
  th_sight_callbacks callbacks = {l.sight, see_vertex, see_face, &l};
  while (!th_sight_from_place(explored_mesh.mesh_ground, from, &callbacks, MAX_BEAMS) &&
         callbacks.reach > (double)explored_mesh.mesh_ground->mean_edge)
    callbacks.reach *= 0.5;
}

/* ---------------------------------------------------------------- one line */

/* A test of sight between two places: the cones from `from` look for `to`, in the frame of the face of `to`. */
typedef struct line {
  const th_ground *ground;
  th_place from, to;
  double reach;
  bool seen;
} line;

/* Checks with a straight walk back, because the cones may have reached other parts of the face only. */
static bool leads_back(const line *l, th_point d, double distance) {
  const th_mesh_ground *s = l->ground->mesh;
  th_mesh_walker w = th_mesh_walker_begin(l->to.cell, (th_point){(double)l->to.x, (double)l->to.y}, d, distance);
  double a[3], b[3];
  if (!th_mesh_walk(&s->frames, &w, MAX_FACES) || w.touched) return false;
  th_frames_point(&s->frames, w.face, w.p, a);
  th_frames_point(&s->frames, l->from.cell, (th_point){(double)l->from.x, (double)l->from.y}, b);
  double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2], near = NEAR_SHARE * (double)s->mean_edge;
  return x * x + y * y + z * z <= near * near;
}

static void pass_vertex(void *user, uint32_t v, double distance) { (void)user, (void)v, (void)distance; }

static void fall_on(void *user, uint32_t face, th_point centre, double distance) {
  line *l = user;
  (void)distance;
  if (l->seen || face != l->to.cell) return;
  th_point d = {centre.x - (double)l->to.x, centre.y - (double)l->to.y};
  double length = sqrt(d.x * d.x + d.y * d.y);
  if (length <= l->reach) l->seen = face == l->from.cell || leads_back(l, d, length);
}

bool th_explore_mesh_sees(const th_ground *ground, th_place from, th_place to, float reach) {
  line l = {ground, from, to, (double)reach, false};
  th_vec3 a = th_ground_point(ground, from), b = th_ground_point(ground, to);
  float x = b.x - a.x, y = b.y - a.y, z = b.z - a.z, far = sqrtf(x * x + y * y + z * z);
  if (far > reach) return false; /* no path over the surface is shorter */
  const th_sight_callbacks callbacks = {l.reach, pass_vertex, fall_on, &l};
  (void)th_sight_from_place(ground->mesh, from, &callbacks, MAX_BEAMS);
  return l.seen;
}
