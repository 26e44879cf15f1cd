/* ground/path/portals.c - where the centre of a body may cross the edges of a mesh.
 *
 * Away from walls it may cross an edge anywhere. Beside one, points of the edge are asked for their distance from
 * walls, a third of the radius apart, and the ends of the longest row of free ones are found by halving. Cost: O(n) for
 * n faces, some 10 us for an edge beside a wall.
 */
#include "ground/path/portals.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

#define HALVINGS 10
#define MOST_SAMPLES 256.0

typedef struct maker {
  const th_ground *ground;
  th_path_portals *portals;
  double radius;
} maker;

static bool is_free(const maker *m, uint32_t half, double share) {
  const th_mesh_frames *f = &m->ground->mesh->frames;
  const th_point a = th_frames_corner(f, half), b = th_frames_corner(f, th_half_next(half));
  const th_place place = {half / 3, (float)(a.x + share * (b.x - a.x)), (float)(a.y + share * (b.y - a.y))};
  return (double)th_ground_clearance_at(m->ground, place) >= m->radius;
}

/* Between a share that is free and one that is not. */
static double border(const maker *m, uint32_t half, double free, double blocked) {
  for (int k = 0; k < HALVINGS; k++) {
    const double middle = 0.5 * (free + blocked);
    if (is_free(m, half, middle))
      free = middle;
    else
      blocked = middle;
  }
  return free;
}

static void sample(const maker *m, uint32_t half, float *low, float *high) {
  const th_mesh_frames *f = &m->ground->mesh->frames;
  const double length = th_length2d(th_minus2d(th_frames_corner(f, th_half_next(half)), th_frames_corner(f, half)));
  const double parts = fmin(fmax(ceil(3.0 * length / m->radius), 4.0), MOST_SAMPLES);
  uint32_t best = 0, best_first = 0, first = 0, run = 0;
  for (uint32_t k = 0; k <= (uint32_t)parts; k++) {
    run = is_free(m, half, k / parts) ? run + 1 : 0;
    if (run == 1) first = k;
    if (run > best) best = run, best_first = first;
  }
  *low = 1.0f, *high = 0.0f;
  if (!best) return;
  const uint32_t last = best_first + best - 1;
  *low = best_first ? (float)border(m, half, best_first / parts, (best_first - 1) / parts) : 0.0f;
  *high = last < (uint32_t)parts ? (float)border(m, half, last / parts, (last + 1) / parts) : 1.0f;
}

static void find_portals(const maker *m) {
  const th_mesh_ground *s = m->ground->mesh;
  th_path_portals *p = m->portals;
  for (uint32_t h = 0; h < 3 * s->mesh.face_count; h++) {
    const uint32_t twin = s->mesh.twin[h];
    p->low[h] = 1.0f, p->high[h] = 0.0f;
    if (s->blocked[h / 3] || th_mesh_is_wall(s, h)) continue;
    if (twin < h) {
      if (th_path_portals_open(p, twin)) p->low[h] = 1.0f - p->high[twin], p->high[h] = 1.0f - p->low[twin];
      continue;
    }
    const double room = fmax((double)s->face_clearance[h / 3], (double)s->face_clearance[twin / 3]);
    if (room >= m->radius)
      p->low[h] = 0.0f, p->high[h] = 1.0f;
    else
      sample(m, h, &p->low[h], &p->high[h]);
  }
}

static bool find_parts(th_path_portals *p) {
  const th_mesh *mesh = &p->mesh->mesh;
  uint32_t *list = TH_TAKE(&p->allocator, uint32_t, mesh->face_count), parts = 0;
  if (!list) return false;
  memset(p->part, 0xff, sizeof *p->part * mesh->face_count);
  for (uint32_t f = 0; f < mesh->face_count; f++) {
    if (p->mesh->blocked[f] || p->part[f] != TH_ANY_PART) continue;
    uint32_t count = 1;
    list[0] = f;
    p->part[f] = parts;
    for (uint32_t i = 0; i < count; i++)
      for (uint32_t h = 3 * list[i]; h < 3 * list[i] + 3; h++) {
        if (!th_path_portals_open(p, h) || p->part[mesh->twin[h] / 3] != TH_ANY_PART) continue;
        p->part[mesh->twin[h] / 3] = parts;
        list[count++] = mesh->twin[h] / 3;
      }
    parts++;
  }
  TH_GIVE(&p->allocator, list, mesh->face_count);
  return true;
}

th_result th_path_portals_make(const th_ground *ground, double radius, th_path_portals **portals, th_error *error) {
  const th_allocator *a = &ground->env.allocator;
  const uint32_t faces = ground->mesh->mesh.face_count;
  th_path_portals *p = TH_TAKE(a, th_path_portals, 1);
  *portals = NULL;
  if (!p) return th_fail_memory(error, "paths");
  *p = (th_path_portals){.allocator = *a, .mesh = ground->mesh, .faces = faces};
  p->low = TH_TAKE(a, float, 3 * (size_t)faces);
  p->high = TH_TAKE(a, float, 3 * (size_t)faces);
  p->part = TH_TAKE(a, uint32_t, faces);
  p->landmark = TH_TAKE(a, float, TH_LANDMARKS *(size_t)faces);
  bool made = p->low && p->high && p->part && p->landmark;
  if (made) find_portals(&(maker){ground, p, radius});
  made = made && find_parts(p) && th_path_landmarks_find(p);
  if (made)
    *portals = p;
  else
    th_path_portals_free(p);
  return made ? TH_OK : th_fail_memory(error, "paths");
}

void th_path_portals_free(th_path_portals *p) {
  if (!p) return;
  const th_allocator a = p->allocator;
  const uint32_t faces = p->faces; /* the mesh may be gone by now */
  TH_GIVE(&a, p->low, 3 * (size_t)faces);
  TH_GIVE(&a, p->high, 3 * (size_t)faces);
  TH_GIVE(&a, p->part, faces);
  TH_GIVE(&a, p->landmark, TH_LANDMARKS * (size_t)faces);
  TH_GIVE(&a, p, 1);
}
