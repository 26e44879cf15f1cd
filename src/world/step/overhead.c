/* world/step/overhead.c - bodies that meet above the surface: shows them to agents, and pushes them apart.
 *
 * Bodies are capsules along the normals of their faces, or vertical, from the foot up to the agent's height. Two that
 * are far apart along the surface may meet in space: in a valley, inside a tube, between facing walls, on floors closer
 * than a body is high. The clusters that can be concerned are known beforehand (ground/chart/overhead.h); in those
 * every agent gets *ghosts*: the others' bodies as discs in the plane of its own face, which its model avoids like any
 * other body.
 *
 * With w the least vector between the two axes, z its part along the agent's normal, R the sum of radii: moving in the
 * plane changes w only by its other part, so contact in space is contact in the plane with a disc of
 *
 *   rho^2 = R^2 - z^2,   z taken when the two are nearest in the plane, at their present velocities;
 *
 * and no disc when z >= R: that always keeps floors, and the two sides of a thin sheet, apart, since bodies touch the
 * ground from above. Each body takes the share k^2 / (k^2 + k'^2) of the avoidance, with k = |part of w in its own
 * plane| / |w| and k' that of the other: one half on flat ground, zero for an agent that cannot change the distance by
 * moving in its plane. Cost: nothing in clusters without a list; else about 100 instructions for each body within 4 m.
 */
#include "world/step/overhead.h"

#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "world/step/contacts.h"
#include "world/world.h"

#define SLOP 0.05f   /* bodies may overlap by this part of the radii */
#define AHEAD 2.0f   /* seconds */
#define MIN_K2 0.04f /* of k^2 when bodies are pushed: straight overhead no direction is good */
#define DAMP 0.8f
#define STRAYED 0.3f /* corrections, and bodies that tilt from face to face, bring two closer, about [m] */
#define LEVEL 0.6f   /* two bodies closer than this may touch in this step [m] */
#define OUT_OF_REACH 1e15f

/* The part of a vector that lies in the plane of a normal. */
static th_vec3 in_plane(th_vec3 w, th_vec3 n) { return th_minus3(w, th_scaled3(n, th_dot3(w, n))); }

/* Where agents stand: at the start of the step, or during contacts. */
typedef struct look_work {
  th_world *world;
  const th_overhead *lists;
  th_world_overhead *overhead;
  const uint32_t *cell;
  const float *x, *y;
  const float *hops; /* contacts: by cluster, how far one of its bodies went [m]; NULL: as `farthest` says */
  uint8_t *now;      /* contacts: by cluster, a body is pushed */
} look_work;

/* Contacts: bodies that were farther apart than this cannot meet in this step. If one agent moved far, the bound is
 * taken per cluster, so that only its neighbours are tested again. */
static float tight_of(const look_work *w, uint32_t cluster) {
  const th_overhead *lists = w->lists;
  float others = 0.0f;
  if (!w->hops) return 2.0f * w->world->farthest + STRAYED;
  for (uint32_t i = lists->first[cluster]; i < lists->first[cluster + 1]; i++)
    for (uint32_t c = lists->run[i].first; c < lists->run[i].last; c++)
      others = w->hops[c] > others ? w->hops[c] : others;
  return w->hops[cluster] + others + STRAYED;
}

static th_vec3 in_space(const th_overhead_face *f, float x, float y) {
  return (th_vec3){f->x.x * x + f->y.x * y, f->x.y * x + f->y.y * y, f->x.z * x + f->y.z * y};
}
static th_vec2 in_face(const th_overhead_face *f, th_vec3 v) { return (th_vec2){th_dot3(v, f->x), th_dot3(v, f->y)}; }
static const th_overhead_face *face_of(const look_work *w, uint32_t slot) { return &w->lists->face[w->cell[slot]]; }

static void stand(const look_work *w, uint32_t slot) {
  const th_rows *rows = &w->world->rows;
  const th_overhead_face *face = face_of(w, slot);
  th_stander *s = &w->overhead->stander[slot];
  uint32_t row = w->world->order.row[slot];
  th_vec3 from = in_space(face, w->x[slot], w->y[slot]);
  s->foot = (th_vec3){face->origin.x + from.x, face->origin.y + from.y, face->origin.z + from.z};
  s->normal = face->normal;
  s->body = th_capsule_standing(s->foot, w->lists->def.plumb ? (th_vec3){0.0f, 0.0f, 1.0f} : s->normal,
                                rows->height[row], rows->radius[row]);
  s->velocity = in_space(face, rows->vx[row], rows->vy[row]);
  w->overhead->ball[slot] = (th_ball){s->body.middle, s->body.length + s->body.radius};
}

/* A body that cannot meet any other, or not in this step, is out of reach. */
static void stand_clusters(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  (void)worker;
  const look_work *w = context;
  const th_order *order = &w->world->order;
  for (uint32_t c = begin; c < end; c++) {
    if (w->lists->first[c] == w->lists->first[c + 1]) continue;
    const float tight = w->now ? tight_of(w, c) : 0.0f;
    for (uint32_t slot = order->start[c]; slot < order->start[c + 1]; slot++) {
      if (w->now ? w->overhead->tight[slot] < tight : w->lists->crowded[w->cell[slot]])
        stand(w, slot);
      else
        w->overhead->ball[slot].centre.x = OUT_OF_REACH;
    }
  }
}

/* Two bodies, seen from the first. */
typedef struct pair {
  th_vec3 w;          /* from its axis to the other's */
  float d, radii;     /* length of w; sum of radii, less the slop */
  th_vec3 flat;       /* w in the plane of the first */
  float k2, other_k2; /* how much of w lies in the planes of the two, squared: 0 to 1 */
} pair;

/* When a body is straight overhead, or the axes cross, no direction is the shortest: both then use that of the lower
 * slot. */
static th_vec3 any_direction(const look_work *w, uint32_t low, uint32_t high) {
  th_vec3 axis = th_cross3(w->overhead->stander[low].normal, w->overhead->stander[high].normal);
  float size2 = th_dot3(axis, axis);
  return size2 > 1e-2f ? th_scaled3(axis, 1.0f / sqrtf(size2)) : face_of(w, low)->x;
}

/* A bound that saves most of the work where the ground bends gently (ground/chart/overhead.c): D^2 >= c^2 - 2 S (a +
 * b), or c^2 - h^2 for vertical bodies. */
static bool bends(const th_stander *s, const th_stander *o, th_vec3 feet, bool plumb) {
  float a = th_dot3(feet, s->normal), b = -th_dot3(feet, o->normal), c2 = th_dot3(feet, feet);
  if (plumb) return feet.z * feet.z >= 0.35f * c2;
  float top = 2.0f * fmaxf(s->body.length, o->body.length) + fmaxf(s->body.radius, o->body.radius);
  return 2.0f * top * ((a > 0.0f ? a : 0.0f) + (b > 0.0f ? b : 0.0f)) >= 0.35f * c2;
}

/* A second bound: along the agent's normal the two come no closer than the distance of their middles less the extent of
 * the axes, and no faster than the other's speed along the normal. Beyond the sum of radii there is no disc (below). */
static bool level(const th_stander *s, const th_stander *o) {
  float z = th_dot3(th_minus3(o->body.middle, s->body.middle), s->normal), vz = AHEAD * th_dot3(o->velocity, s->normal);
  float axes = fabsf(th_dot3(s->body.half, s->normal)) + fabsf(th_dot3(o->body.half, s->normal)),
        come = z > 0.0f ? -vz : vz;
  return fabsf(z) - axes < s->body.radius + o->body.radius + (come > LEVEL ? come : LEVEL);
}

/* The parts of w in the two planes. */
static void project(const look_work *work, uint32_t a, uint32_t b, pair *p) {
  th_vec3 n = work->overhead->stander[a].normal, m = work->overhead->stander[b].normal;
  float d2 = p->d * p->d;
  p->flat = in_plane(p->w, n);
  p->k2 = d2 > 0.0f ? th_dot3(p->flat, p->flat) / d2 : 0.0f;
  p->other_k2 = d2 > 0.0f ? fmaxf(0.0f, 1.0f - th_dot3(p->w, m) * th_dot3(p->w, m) / d2) : 0.0f;
  if (p->d >= 1e-3f && (p->k2 >= 1e-4f || p->other_k2 >= 1e-4f)) return;
  p->flat = in_plane(a < b ? any_direction(work, a, b) : th_scaled3(any_direction(work, b, a), -1.0f), n);
  p->k2 = p->other_k2 = p->d < 1e-3f ? 1.0f : 0.01f;
}

/* False when the two cannot meet above the surface. Sums are formed with the lower slot first, so both agents get
 * exactly the same numbers. */
static bool meet(const look_work *work, uint32_t a, uint32_t b, float gap, pair *p) {
  const th_stander *s = &work->overhead->stander[a], *o = &work->overhead->stander[b];
  th_vec3 feet = th_minus3(o->foot, s->foot);
  if (!bends(s, o, feet, work->lists->def.plumb) || !level(s, o)) return false;
  float radii = s->body.radius + o->body.radius;
  th_vec3 w = a < b ? th_capsule_apart(&s->body, &o->body) : th_scaled3(th_capsule_apart(&o->body, &s->body), -1.0f);
  float d = th_length3(w), c = th_length3(feet);
  if (!(d < radii + gap) || !th_overhead_counts(c, d, radii)) return false;
  *p = (pair){.w = w, .d = d, .radii = radii * (1.0f - SLOP)};
  project(work, a, b, p);
  return true;
}

/* The next after `at` of the slots up to `end` whose bodies may come within `gap` of this one; `end` when there is
 * none. */
static uint32_t next_near(const look_work *w, uint32_t slot, uint32_t at, uint32_t end, float gap) {
  const th_ball own = w->overhead->ball[slot], *ball = w->overhead->ball;
  for (; at < end; at++) {
    th_vec3 e = th_minus3(ball[at].centre, own.centre);
    float far = own.radius + ball[at].radius + gap;
    if (th_dot3(e, e) < far * far && at != slot) return at;
  }
  return end;
}

/* ---------------------------------------------------------------- ghosts */

/* How far apart along the agent's normal the two are when they are nearest in its plane. */
static float height_then(const th_stander *s, const th_stander *o, const pair *p) {
  float z = th_dot3(p->w, s->normal), vz = th_dot3(o->velocity, s->normal);
  th_vec3 rel = in_plane(th_minus3(o->velocity, s->velocity), s->normal);
  float square = th_dot3(rel, rel), t = AHEAD;
  if (square > 1e-6f) t = -th_dot3(p->flat, rel) / square;
  t = t > AHEAD ? AHEAD : t > 0.0f ? t : 0.0f;
  float then = z + vz * t;
  return z * then > 0.0f ? fminf(fabsf(z), fabsf(then)) : 0.0f;
}

/* The other's body as a disc in the agent's own plane; false when the two pass over each other. */
static bool see_ghost(const look_work *w, uint32_t slot, uint32_t other, const pair *p, th_ghost *ghost) {
  const th_stander *s = &w->overhead->stander[slot], *o = &w->overhead->stander[other];
  const th_world *world = w->world;
  float z = height_then(s, o, p), rho2 = p->radii * p->radii - z * z, size2 = th_dot3(p->flat, p->flat);
  if (!(rho2 > 0.0f) || !(size2 > 0.0f)) return false;
  float rho = sqrtf(rho2), size = sqrtf(size2), away = p->d < 1e-3f ? 1e-3f : sqrtf(p->k2) * p->d;
  if (p->d > p->radii) away = fmaxf(away, rho + p->d - p->radii); /* it comes from above: not here yet */
  float radius = rho - s->body.radius;
  if (radius < 0.0f) away -= radius;
  th_vec2 offset = in_face(face_of(w, slot), th_scaled3(p->flat, away / size));
  th_vec2 velocity = in_face(face_of(w, slot), o->velocity);
  float share = world->rows.share[world->order.row[other]] * fminf(p->other_k2 / fmaxf(p->k2, 1e-3f), 1e3f);
  *ghost = (th_ghost){.x = offset.x,
                      .y = offset.y,
                      .vx = velocity.x,
                      .vy = velocity.y,
                      .radius = fmaxf(radius, 0.0f),
                      .share = share,
                      .gap = away - rho,
                      .slot = other,
                      .layers = world->rows.layers[world->order.row[other]]};
  return true;
}

/* Keeps the nearest; candidates come in slot order, so the lower slot wins ties. */
static void keep_ghost(th_world_overhead *overhead, uint32_t slot, const th_ghost *ghost) {
  th_ghost *list = overhead->ghost + (size_t)slot * TH_MAX_GHOSTS;
  uint32_t count = overhead->count[slot], k;
  if (count == TH_MAX_GHOSTS && !(ghost->gap < list[count - 1].gap)) return;
  k = count < TH_MAX_GHOSTS ? count : TH_MAX_GHOSTS - 1;
  for (; k > 0 && ghost->gap < list[k - 1].gap; k--) list[k] = list[k - 1];
  list[k] = *ghost;
  overhead->count[slot] = (uint8_t)(count < TH_MAX_GHOSTS ? count + 1 : count);
}

static void look_up(const look_work *w, uint32_t cluster, uint32_t slot) {
  const th_world *world = w->world;
  const th_order *order = &world->order;
  const float gap = w->lists->def.gap;
  float tight = INFINITY;
  for (uint32_t i = w->lists->first[cluster]; i < w->lists->first[cluster + 1]; i++) {
    uint32_t other = order->start[w->lists->run[i].first], end = order->start[w->lists->run[i].last];
    for (; (other = next_near(w, slot, other, end, gap)) < end; other++) {
      pair p;
      th_ghost ghost;
      if (!meet(w, slot, other, gap, &p)) continue;
      tight = fminf(tight, p.d - p.radii);
      if (see_ghost(w, slot, other, &p, &ghost)) keep_ghost(w->overhead, slot, &ghost);
    }
  }
  w->overhead->tight[slot] = tight;
}

static void look_clusters(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  (void)worker;
  const look_work *w = context;
  const th_order *order = &w->world->order;
  for (uint32_t c = begin; c < end; c++) {
    bool listed = w->lists->first[c] != w->lists->first[c + 1];
    for (uint32_t slot = order->start[c]; slot < order->start[c + 1]; slot++) {
      w->overhead->count[slot] = 0;
      w->overhead->tight[slot] = INFINITY;
      if (listed && w->lists->crowded[w->cell[slot]]) look_up(w, c, slot);
    }
  }
}

static look_work work_of(th_world *world) {
  return (look_work){.world = world,
                     .lists = world->mesh->overhead->lists,
                     .overhead = world->mesh->overhead,
                     .cell = world->mesh->cell,
                     .x = world->order.x,
                     .y = world->order.y};
}

void th_world_overhead_look(th_world *world) {
  if (th_world_overhead_fit(world, NULL)) /* another version of the ground, or larger bodies by a snapshot */
    th_fault(&world->env, "out of memory: bodies above the surface are not all seen");
  look_work work = work_of(world);
  if (!work.lists || !work.lists->runs) return;
  th_parallel_for(world->pool, world->order.grid.cluster_count, 64, stand_clusters, &work);
  th_parallel_for(world->pool, world->order.grid.cluster_count, 16, look_clusters, &work);
}

/* ---------------------------------------------------------------- parting */

/* Adds the correction that moves the body out of the others it meets: a displacement m along the plane changes the
 * distance by k m, so the pair shares the missing length as m = length k / (k^2 + k'^2). */
static bool push(const look_work *w, uint32_t cluster, uint32_t slot) {
  th_world *world = w->world;
  const th_order *order = &world->order;
  th_vec3 sum = {0.0f, 0.0f, 0.0f};
  bool any = false;
  for (uint32_t i = w->lists->first[cluster]; i < w->lists->first[cluster + 1]; i++) {
    uint32_t other = order->start[w->lists->run[i].first], end = order->start[w->lists->run[i].last];
    for (; (other = next_near(w, slot, other, end, 0.0f)) < end; other++) {
      pair p;
      if (world->mobile[other] < 0.0f || !meet(w, slot, other, 0.0f, &p) || p.d >= p.radii) continue;
      float size2 = th_dot3(p.flat, p.flat), both = world->mobile[other] > 0.0f ? p.k2 + p.other_k2 : p.k2;
      if (!(size2 > 0.0f)) continue;
      float push = DAMP * (p.radii - p.d) * sqrtf(p.k2) / fmaxf(both, MIN_K2);
      sum = th_minus3(sum, th_scaled3(p.flat, push / sqrtf(size2)));
      any = true;
    }
  }
  if (!any) return false;
  th_vec2 q = in_face(face_of(w, slot), sum);
  world->push_x[slot] += q.x;
  world->push_y[slot] += q.y;
  return true;
}

static void push_clusters(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  const look_work *w = context;
  const th_order *order = &w->world->order;
  for (uint32_t c = begin; c < end; c++) {
    if (w->lists->first[c] == w->lists->first[c + 1]) continue;
    const float tight = tight_of(w, c);
    for (uint32_t slot = order->start[c]; slot < order->start[c + 1]; slot++) {
      if (!(w->overhead->tight[slot] < tight) || !(w->world->mobile[slot] > 0.0f)) continue;
      w->world->scratch[worker].looked_up++;
      if (push(w, c, slot)) w->now[c] = 1;
    }
  }
}

void th_world_overhead_contacts(const th_contact_round *round) {
  th_world *world = round->world;
  look_work work = work_of(world);
  if (!work.lists || !work.lists->runs) return;
  work.cell = world->mesh->mcell;
  work.x = world->moved_x;
  work.y = world->moved_y;
  work.now = round->now;
  work.hops = round->hops;
  th_parallel_for(world->pool, world->order.grid.cluster_count, 64, stand_clusters, &work);
  th_parallel_for(world->pool, world->order.grid.cluster_count, 16, push_clusters, &work);
}
