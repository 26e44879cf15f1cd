/* guide/explore/mesh_sense.c - what an explorer sees of a mesh goes into the map.
 *
 * A vertex is seen when a straight line over the surface leads there within the sight distance. Light that runs over
 * the faces from the explorer finds all of them at once and exactly, also on curved ground
 * (field/mesh/line_of_sight.c); blocked faces and the border stop it. It is sent only when something in the window is
 * not known or looks otherwise. A sight of R mean edges costs about 2 R^3 faces of light, some 50 ns each; where that
 * would be too many, the sight is halved until it is not. The window is what hangs together with the explorer over
 * edges and lies within the sight distance in space.
 */
#include <math.h>

#include "geometry/mesh/straight_walk.h"
#include "guide/explore/mesh.h"

#define MOST_BEAMS 200000u
#define MOST_FACES 100000u
#define NEAR_SHARE 0.01 /* of a mean edge: a line that ends this near has arrived */

static uint8_t look_of(const th_explore_skin *skin, uint32_t v) {
  bool blocked = th_surface_vertex_blocked(skin->ground, skin->head->radius_class, v);
  return blocked ? TH_EXPLORE_KNOWN | TH_EXPLORE_BLOCKED : TH_EXPLORE_KNOWN;
}

static bool is_news(const th_explore_skin *skin, uint32_t v) {
  return (skin->mark[v] & (TH_EXPLORE_KNOWN | TH_EXPLORE_BLOCKED)) != look_of(skin, v);
}

/* A third of each walkable face round the vertex [m2]. */
static double area_of(const th_explore_skin *skin, uint32_t v) {
  const th_mesh *m = skin->mesh;
  uint32_t begin = m->leaving[v], h = begin;
  double sum = 0.0;
  do {
    const th_face_frame *f = &skin->surface->frames.face[h / 3];
    if (!skin->surface->blocked[h / 3]) sum += f->bx * f->cy / 6.0;
    h = th_half_left(m, h);
  } while (h != TH_NO_HALF && h != begin);
  return sum;
}

static void learn(th_explore_skin *skin, uint32_t v) {
  th_explore_head *head = skin->head;
  if (!is_news(skin, v)) return;
  uint8_t look = look_of(skin, v), kept = skin->mark[v] & (TH_EXPLORE_TARGET | TH_EXPLORE_PLACE);
  if (!(skin->mark[v] & TH_EXPLORE_KNOWN)) {
    head->sensed++;
    head->area += area_of(skin, v);
  }
  skin->mark[v] = (uint8_t)(look | kept | (look & TH_EXPLORE_BLOCKED ? 0 : TH_EXPLORE_OPEN));
  if (look & TH_EXPLORE_BLOCKED) skin->u[v] = 0.0;
  head->fresh = head->stale = 1;
}

/* ---------------------------------------------------------------- the window */

static bool is_within(const th_mesh *m, uint32_t v, const double *from, double reach) {
  const double *p = m->xyz + 3 * (size_t)v, x = p[0] - from[0], y = p[1] - from[1], z = p[2] - from[2];
  return x * x + y * y + z * z <= reach * reach;
}

static void meet(th_explore_skin *skin, uint32_t v, uint32_t *count) {
  if (skin->stamp[v] == skin->head->stamp) return;
  skin->stamp[v] = skin->head->stamp;
  skin->list[(*count)++] = v;
}

uint32_t th_explore_skin_window(th_explore_skin *skin, th_place from, float reach) {
  const th_mesh *m = skin->mesh;
  uint32_t count = 0;
  double centre[3];
  th_frames_point(&skin->surface->frames, from.cell, (th_point){(double)from.x, (double)from.y}, centre);
  if (++skin->head->stamp == 0) { /* old stamps must not come true again */
    for (uint32_t v = 0; v < m->vertex_count; v++) skin->stamp[v] = 0;
    skin->head->stamp = 1;
  }
  for (uint32_t k = 0; k < 3; k++) meet(skin, m->corner[3 * from.cell + k], &count);
  for (uint32_t n = 0; n < count; n++) {
    uint32_t v = skin->list[n], begin = m->leaving[v], h = begin;
    do { /* both other corners: at the border one of them has no half-edge of its own */
      uint32_t a = th_half_to(m, h), b = m->corner[th_half_previous(h)];
      if (is_within(m, a, centre, (double)reach)) meet(skin, a, &count);
      if (is_within(m, b, centre, (double)reach)) meet(skin, b, &count);
      h = th_half_left(m, h);
    } while (h != TH_NO_HALF && h != begin);
  }
  return count;
}

/* ---------------------------------------------------------------- light */

typedef struct look {
  th_explore_skin *skin;
  double sight;
} look;

static void see_vertex(void *user, uint32_t v, double metres) {
  const look *l = user;
  if (metres <= l->sight) learn(l->skin, v);
}

static void see_face(void *user, uint32_t face, th_point centre, double distance) {
  (void)user, (void)face, (void)centre, (void)distance;
}

void th_explore_skin_sense(void *memory, const th_growth *growth, uint32_t explorer) {
  const th_explore_params *params = growth->params;
  th_explore_skin skin = th_explore_skin_open(memory, growth->ground);
  th_place from = growth->place[explorer];
  uint32_t count = th_explore_skin_window(&skin, from, params->sight), news = 0;
  for (uint32_t n = 0; n < count; n++) news += is_news(&skin, skin.list[n]);
  if (params->through_walls)
    for (uint32_t n = 0; n < count; n++) learn(&skin, skin.list[n]);
  if (params->through_walls || !news) return;
  look l = {&skin, (double)params->sight};
  th_surface_seer seer = {l.sight, see_vertex, see_face, &l};
  while (!th_surface_light(skin.surface, from, &seer, MOST_BEAMS) && seer.reach > (double)skin.surface->mean_edge)
    seer.reach *= 0.5;
}

/* ---------------------------------------------------------------- one line */

/* A place in whose face the light of the other one falls, laid out in that face's frame. */
typedef struct line {
  const th_ground *ground;
  th_place from, to;
  double reach;
  bool seen;
} line;

/* Walks straight back: the light may have come over other parts of the face. */
static bool leads_back(const line *l, th_point d, double metres) {
  const th_surface *s = l->ground->surface;
  th_mesh_walker w = th_mesh_walker_begin(l->to.cell, (th_point){(double)l->to.x, (double)l->to.y}, d, metres);
  double a[3], b[3];
  if (!th_mesh_walk(&s->frames, &w, MOST_FACES) || w.touched) return false;
  th_frames_point(&s->frames, w.face, w.p, a);
  th_frames_point(&s->frames, l->from.cell, (th_point){(double)l->from.x, (double)l->from.y}, b);
  double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2], near = NEAR_SHARE * (double)s->mean_edge;
  return x * x + y * y + z * z <= near * near;
}

static void pass_vertex(void *user, uint32_t v, double metres) { (void)user, (void)v, (void)metres; }

static void fall_on(void *user, uint32_t face, th_point centre, double distance) {
  line *l = user;
  (void)distance;
  if (l->seen || face != l->to.cell) return;
  th_point d = {centre.x - (double)l->to.x, centre.y - (double)l->to.y};
  double metres = sqrt(d.x * d.x + d.y * d.y);
  if (metres <= l->reach) l->seen = face == l->from.cell || leads_back(l, d, metres);
}

bool th_explore_skin_sees(const th_ground *ground, th_place from, th_place to, float reach) {
  line l = {ground, from, to, (double)reach, false};
  th_vec3 a = th_ground_point(ground, from), b = th_ground_point(ground, to);
  float x = b.x - a.x, y = b.y - a.y, z = b.z - a.z, far = sqrtf(x * x + y * y + z * z);
  if (far > reach) return false; /* no way over the surface is shorter */
  const th_surface_seer seer = {l.reach, pass_vertex, fall_on, &l};
  (void)th_surface_light(ground->surface, from, &seer, MOST_BEAMS);
  return l.seen;
}
