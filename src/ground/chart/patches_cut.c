/* ground/chart/patches_cut.c - cutting a surface into patches.
 *
 * Centres are placed so that they are one patch size apart along the surface and none could be added: the next one is
 * always the face just outside the discs of those before it, which packs them almost as hexagons; every face goes to
 * the nearest centre (a geodesic Voronoi diagram; distances from geometry/mesh/polar_map.h). Curvature shrinks the
 * discs: a disc ends where the flat map about its centre is off by `rim`. The tangential error of polar coordinates
 * grows as the square of the radius, a^2 / 6 R^2 on a sphere, and a cell reaches about 0.58 of its disc, so 4 % at the
 * disc's rim leaves less than 2 % at the patch's. A disc also ends halfway to the first face that its map cannot hold,
 * so that a patch on a thin tube never meets itself, and at faces that lean away from its centre's by more than `lean`:
 * a floor and the stairs from it have no curvature, and a map of both would lie twice over itself. Faces that no centre
 * takes form patches of their own, at least one face large. Patches are numbered along a curve through space, so the
 * data that the agents of one patch read from its neighbours is still in the caches for the next patch. Cost: every
 * vertex is mapped about six times.
 */

#include "base/heap.h"
#include "geometry/mesh/face_curve.h"
#include "geometry/mesh/polar_map.h"
#include "ground/chart/patches.h"

#define LOOK 1.2 /* a disc's map is made this much larger than the disc, to find the next centres */

typedef struct cutter {
  const th_allocator *allocator;
  const th_mesh_frames *frames;
  const th_patches_def *def;
  th_patches *patches;
  th_polar_map map;
  double *best;    /* of each face the distance from its centre; INFINITY: none yet */
  uint32_t *stack; /* faces */
  uint8_t *mark;   /* of each face: accepted by the map at hand */
  th_heap front;   /* faces outside the discs by their distance over the disc's radius */
  uint32_t centre_capacity;
  double up[3]; /* normal of the face in the middle of the map at hand */
  bool failed;
} cutter;

static bool open_face(const cutter *c, uint32_t f) { return !c->frames->blocked || !c->frames->blocked[f]; }

static void put_in_front(cutter *c, double key, uint32_t face) {
  if (!th_heap_holds(&c->front, face) || key < c->front.entry[c->front.at[face]].key)
    th_heap_lower(&c->front, face, key);
}

static uint32_t add_centre(cutter *c, uint32_t face) {
  th_patches *p = c->patches;
  void *memory = p->centre;
  if (!th_grow(c->allocator, &memory, &c->centre_capacity, p->count + 1, sizeof *p->centre)) c->failed = true;
  p->centre = memory;
  if (c->failed) return 0;
  p->centre[p->count] = face;
  return p->count++;
}

static void normal_of(const th_mesh_frames *frames, uint32_t face, double *up) {
  double x[3], y[3];
  th_frames_axes(frames, face, x, y);
  for (int k = 0; k < 3; k++) up[k] = x[(k + 1) % 3] * y[(k + 2) % 3] - x[(k + 2) % 3] * y[(k + 1) % 3];
}

static bool leans(const cutter *c, uint32_t face) {
  double up[3];
  normal_of(c->frames, face, up);
  return up[0] * c->up[0] + up[1] * c->up[1] + up[2] * c->up[2] < c->def->lean;
}

/* The map of a disc about the face; the distance up to which it holds. */
static double map_disc(cutter *c, uint32_t face) {
  normal_of(c->frames, face, c->up);
  th_polar_map_begin(&c->map, c->frames, face);
  th_polar_map_advance(&c->map, LOOK * (double)c->def->size);
  th_polar_map_close(&c->map);
  if (c->map.failed) c->failed = true;
  return fmin((double)c->def->size, fmin(1.5 * c->map.first_off, 0.5 * c->map.first_broken));
}

/* Distance of a mapped face from the centre; INFINITY when a corner's value is not settled or the face is off. */
static double face_key(const cutter *c, uint32_t n) {
  const uint32_t *corner = &c->frames->mesh->corner[3 * (size_t)c->map.face[n]];
  double sum = 0.0;
  for (int k = 0; k < 3; k++) {
    if (c->map.node[corner[k]].closed) return INFINITY;
    sum += c->map.node[corner[k]].key;
  }
  return (double)c->map.off[n] <= c->def->rim && !leans(c, c->map.face[n]) ? sum / 3.0 : INFINITY;
}

static void take_disc(cutter *c, uint32_t face) {
  uint32_t patch = add_centre(c, face);
  if (c->failed) return;
  double radius = map_disc(c, face);
  for (uint32_t n = 0; n < c->map.face_count && !c->failed; n++) {
    uint32_t f = c->map.face[n];
    double key = f == face ? 0.0 : face_key(c, n);
    if (key <= radius || f == face) {
      if (key >= c->best[f]) continue;
      c->best[f] = key;
      c->patches->patch_of[f] = patch;
    } else if (c->patches->patch_of[f] == TH_NO_ELEMENT) {
      put_in_front(c, key < INFINITY ? key / radius : LOOK, f);
    }
  }
}

static void place_centres(cutter *c) {
  uint32_t next = 0, faces = c->patches->face_count;
  while (!c->failed) {
    uint32_t face;
    if (c->front.count > 0) {
      face = th_heap_pop(&c->front);
    } else {
      while (next < faces && (c->patches->patch_of[next] != TH_NO_ELEMENT || !open_face(c, next))) next++;
      if (next == faces) return;
      face = next;
    }
    if (c->patches->patch_of[face] == TH_NO_ELEMENT) take_disc(c, face);
  }
}

/* Marks with 2 the faces of `patch` that are connected with `face`. */
static void flood(cutter *c, uint32_t face, uint32_t patch) {
  const th_mesh *m = c->frames->mesh;
  uint32_t count = 0;
  c->stack[count++] = face;
  c->mark[face] = 2;
  while (count > 0) {
    uint32_t f = c->stack[--count];
    for (uint32_t h = 3 * f; h < 3 * f + 3; h++) {
      uint32_t g = m->twin[h] == TH_NO_HALF ? TH_NO_ELEMENT : m->twin[h] / 3;
      if (g == TH_NO_ELEMENT || c->mark[g] == 2 || c->patches->patch_of[g] != patch) continue;
      c->mark[g] = 2;
      c->stack[count++] = g;
    }
  }
}

/* Removes faces that are not connected with their patch's centre. */
static void drop_islands(cutter *c) {
  for (uint32_t p = 0; p < c->patches->count; p++) flood(c, c->patches->centre[p], p);
  for (uint32_t f = 0; f < c->patches->face_count; f++) {
    if (c->mark[f] != 2) c->patches->patch_of[f] = TH_NO_ELEMENT;
    c->mark[f] = 0;
  }
}

static bool touches(const cutter *c, uint32_t f, uint32_t patch) {
  for (uint32_t h = 3 * f; h < 3 * f + 3; h++) {
    uint32_t twin = c->frames->mesh->twin[h];
    if (twin != TH_NO_HALF && c->patches->patch_of[twin / 3] == patch) return true;
  }
  return false;
}

/* Adds left-over faces beside a patch to it, as far as its map is valid. */
static void absorb(cutter *c, uint32_t patch) {
  double radius = map_disc(c, c->patches->centre[patch]);
  for (bool more = true; more;) {
    more = false;
    for (uint32_t n = 0; n < c->map.face_count; n++) {
      uint32_t f = c->map.face[n];
      if (c->patches->patch_of[f] != TH_NO_ELEMENT || !(face_key(c, n) <= radius) || !touches(c, f, patch)) continue;
      c->patches->patch_of[f] = patch;
      more = true;
    }
  }
}

/* Bisectors of regular meshes leave single faces on the wrong side; they go to a patch beside them. */
static bool absorb_islands(cutter *c) {
  th_patches *p = c->patches;
  uint8_t *beside = TH_TAKE(c->allocator, uint8_t, p->count);
  if (!beside) return false;
  for (uint32_t f = 0; f < p->face_count; f++) {
    if (p->patch_of[f] != TH_NO_ELEMENT || !open_face(c, f)) continue;
    for (uint32_t h = 3 * f; h < 3 * f + 3; h++) {
      uint32_t twin = c->frames->mesh->twin[h];
      if (twin != TH_NO_HALF && p->patch_of[twin / 3] != TH_NO_ELEMENT) beside[p->patch_of[twin / 3]] = 1;
    }
  }
  for (uint32_t patch = 0; patch < p->count && !c->failed; patch++)
    if (beside[patch]) absorb(c, patch);
  TH_GIVE(c->allocator, beside, p->count);
  return !c->failed;
}

/* Makes a patch of the left-over faces that are connected with this one, as far as its map is valid. */
static void take_rest(cutter *c, uint32_t face) {
  const th_mesh *m = c->frames->mesh;
  uint32_t patch = add_centre(c, face), count = 0;
  if (c->failed) return;
  double radius = map_disc(c, face);
  for (uint32_t n = 0; n < c->map.face_count; n++) c->mark[c->map.face[n]] = face_key(c, n) <= radius;
  c->stack[count++] = face;
  c->patches->patch_of[face] = patch;
  while (count > 0) {
    uint32_t f = c->stack[--count];
    for (uint32_t h = 3 * f; h < 3 * f + 3; h++) {
      uint32_t g = m->twin[h] == TH_NO_HALF ? TH_NO_ELEMENT : m->twin[h] / 3;
      if (g == TH_NO_ELEMENT || !c->mark[g] || c->patches->patch_of[g] != TH_NO_ELEMENT) continue;
      c->patches->patch_of[g] = patch;
      c->stack[count++] = g;
    }
  }
  for (uint32_t n = 0; n < c->map.face_count; n++) c->mark[c->map.face[n]] = 0;
}

static void cut(cutter *c) {
  place_centres(c);
  if (c->failed) return;
  drop_islands(c);
  if (!absorb_islands(c)) c->failed = true;
  for (uint32_t f = 0; f < c->patches->face_count && !c->failed; f++)
    if (c->patches->patch_of[f] == TH_NO_ELEMENT && open_face(c, f)) take_rest(c, f);
}

/* Numbers the patches along a curve if the cut is complete; the list of centres comes to its exact size in any case. */
static bool number_patches(cutter *c, bool complete) {
  th_patches *p = c->patches;
  uint32_t *centre = TH_TAKE(c->allocator, uint32_t, p->count), *order = TH_TAKE(c->allocator, uint32_t, p->count);
  uint32_t *number = TH_TAKE(c->allocator, uint32_t, p->count);
  bool done = complete && centre && order && number && th_face_curve(c->frames->mesh, p->centre, p->count, order);
  for (uint32_t n = 0; done && n < p->count; n++) {
    centre[n] = p->centre[order[n]];
    number[order[n]] = n;
  }
  for (uint32_t f = 0; done && f < p->face_count; f++)
    if (p->patch_of[f] != TH_NO_ELEMENT) p->patch_of[f] = number[p->patch_of[f]];
  TH_GIVE(c->allocator, order, p->count);
  TH_GIVE(c->allocator, number, p->count);
  TH_GIVE(c->allocator, p->centre, c->centre_capacity);
  p->centre = centre;
  return done;
}

bool th_patches_cut(th_patches *patches, const th_mesh_frames *frames, const th_patches_def *def) {
  uint32_t faces = patches->face_count;
  cutter c = {.allocator = &patches->allocator, .frames = frames, .def = def, .patches = patches};
  c.best = TH_TAKE(c.allocator, double, faces);
  c.stack = TH_TAKE(c.allocator, uint32_t, faces);
  c.mark = TH_TAKE(c.allocator, uint8_t, faces);
  bool done = th_heap_make(&c.front, c.allocator, faces) && c.best && c.stack && c.mark &&
              th_polar_map_make(&c.map, c.allocator, frames->mesh);
  if (done) {
    c.map.strict = def->rim;
    for (uint32_t f = 0; f < faces; f++) {
      c.best[f] = INFINITY;
      patches->patch_of[f] = TH_NO_ELEMENT;
    }
    cut(&c);
  }
  done = number_patches(&c, done && !c.failed);
  th_polar_map_free(&c.map);
  TH_GIVE(c.allocator, c.best, faces);
  TH_GIVE(c.allocator, c.stack, faces);
  TH_GIVE(c.allocator, c.mark, faces);
  th_heap_free(&c.front, c.allocator);
  return done;
}
