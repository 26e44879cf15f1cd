/* field/mesh/climb.c - heights of all vertices such that every one but the goal's has a higher neighbour.
 *
 * u is harmonic on the Delaunay triangulation, so a vertex has a higher neighbour there; along the edges of the mesh
 * itself a badly shaped face may hide it, and rounding may level two vertices. Such false tops are cut down to just
 * below the pass that leads out of them: vertices are visited from the goal outwards, highest first, and no vertex may
 * lie above the neighbour that it was reached from (priority flood, Barnes, Lehman and Mulla 2014, upside down).
 * Vertices that a class blocks follow below, led by their exits. Cost: one pass over the edges; O(n log n) where tops
 * are cut.
 */
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "field/mesh/field.h"
#include "geometry/mesh/halfedge.h"

#define BELOW -1e9     /* blocked vertices with Dirichlet walls lie below this: u = 0 beside any free one */
#define STEP 1e-9      /* how far a cut top lies below its pass, at least */
#define OUTWARDS 0.8   /* cosine with the path to the exit from which on an edge leads to the next layer of a band */
#define LEAN 0.4       /* slope by which blocked vertices of a geodesic field lead out, of that along a path */
#define SHED 0.1       /* cells that neighbours on both sides lie above the lowest one, where paths part at a corner */
#define BAND_LOSS 0.25 /* share of the differences around it by which a blocked vertex of a band lies lower */

static bool climbs(const th_mesh_field_build *d, uint32_t v) {
  return d->kind[v] != TH_CELL_WALL && d->field->climb[v] > -INFINITY;
}

/* Calls for each neighbour of v over walkable faces. */
static void each_neighbour(const th_mesh_field_build *d, uint32_t v,
                           void (*call)(void *user, uint32_t v, uint32_t other), void *user) {
  const th_mesh *m = &d->mesh->mesh;
  uint32_t begin = m->leaving[v], h = begin;
  do {
    if (!d->mesh->blocked[h / 3]) {
      call(user, v, th_half_to(m, h));
      call(user, v, th_half_from(m, th_half_previous(h)));
    }
    h = th_half_left(m, h);
  } while (h != TH_NO_HALF && h != begin);
}

uint32_t th_mesh_field_top(const th_mesh_field_build *d) {
  uint32_t top = d->goal[0];
  for (uint32_t n = 0; n < d->goal_count; n++)
    if (d->field->climb[d->goal[n]] > d->field->climb[top]) top = d->goal[n];
  return top;
}

/* Of a goal in one face the highest corner alone is a true top. */
static bool is_top(const th_mesh_field_build *d, uint32_t v, uint32_t top) {
  return d->kind[v] == TH_CELL_PINNED && (!d->spread || v == top);
}

/* Whether some vertex has no higher neighbour. `higher` is scratch. */
static bool has_false_top(const th_mesh_field_build *d, uint8_t *higher) {
  const th_mesh *m = &d->mesh->mesh;
  const double *climb = d->field->climb;
  const uint32_t top = th_mesh_field_top(d);
  for (uint32_t v = 0; v < d->vertices; v++) higher[v] = !climbs(d, v) || is_top(d, v, top);
  for (uint32_t h = 0; h < 3 * d->faces; h++) {
    if (d->mesh->blocked[h / 3]) continue;
    uint32_t a = th_half_from(m, h), b = th_half_to(m, h);
    if (!climbs(d, a) || !climbs(d, b)) continue;
    if (climb[b] > climb[a]) higher[a] = 1;
    if (climb[a] > climb[b]) higher[b] = 1;
  }
  for (uint32_t v = 0; v < d->vertices; v++)
    if (!higher[v]) return true;
  return false;
}

typedef struct flood {
  const th_mesh_field_build *build;
  th_heap heap;
  uint8_t *met;
} flood;

static void flow(void *user, uint32_t v, uint32_t other) {
  flood *f = user;
  const th_mesh_field_build *d = f->build;
  double *climb = d->field->climb;
  if (f->met[other] || d->kind[other] == TH_CELL_WALL || !(d->field->left[other] < INFINITY)) return;
  f->met[other] = 1;
  double max = climb[v] - STEP * (1.0 + fabs(climb[v]));
  if (!(climb[other] <= max) || climb[other] == -INFINITY) climb[other] = max;
  th_heap_lower(&f->heap, other, -climb[other]);
}

/* From the goal outwards, highest first. */
static void run_flood(flood *f) {
  const th_mesh_field_build *d = f->build;
  const uint32_t top = th_mesh_field_top(d);
  for (uint32_t n = 0; n < d->goal_count; n++) {
    uint32_t v = d->goal[n];
    if (!is_top(d, v, top)) continue;
    f->met[v] = 1;
    th_heap_lower(&f->heap, v, -d->field->climb[v]);
  }
  while (f->heap.count > 0) {
    uint32_t v = th_heap_pop(&f->heap);
    each_neighbour(d, v, flow, f);
  }
  /* A vertex that no free edge joins to the goal cannot climb to it, even if the march reached it over a flipped
   * edge. */
  for (uint32_t v = 0; v < d->vertices; v++)
    if (!f->met[v]) d->field->climb[v] = -INFINITY, d->field->left[v] = INFINITY;
}

static th_result cut_tops(const th_mesh_field_build *d, uint8_t *scratch, th_error *error) {
  flood f = {.build = d, .met = scratch};
  bool got = th_heap_make(&f.heap, d->allocator, d->vertices);
  for (uint32_t v = 0; v < d->vertices; v++) scratch[v] = 0;
  if (got) run_flood(&f);
  th_heap_free(&f.heap, d->allocator);
  return got ? TH_OK : th_fail_memory(error, "field");
}

/* How far below its exit a blocked vertex lies. Fields of distances lean out less: their directions are means over the
 * faces around, and a steep band would lead people away from walls far beyond it. But a metre counts as one at corners
 * that jut out, which would else lie above the free vertices before them and draw people to the tip for ever, and
 * deeper in, between rows of seats, say, where vertices with different exits lie beside each other. */
static double descent(const th_mesh_field_build *d, uint32_t v, bool juts_out) {
  const double cell = (double)d->ground->cell, deep = (double)d->ground->radius_class[d->def->radius_class] + cell;
  const double far = d->nearest_free->far[v];
  if (!d->geodesic || juts_out) return far / cell;
  return far > deep ? (LEAN * deep + (far - deep)) / cell : LEAN * far / cell;
}

/* The neighbours of a corner, from wall to wall. */
typedef struct round_corner {
  double top;    /* highest before */
  double low;    /* lowest after a higher one */
  double lowest; /* of those with a higher one on either side */
} round_corner;

static void pass_neighbour(const th_mesh_field_build *d, uint32_t v, round_corner *r) {
  const double climb = d->field->climb[v];
  if (!climbs(d, v)) return;
  if (climb < r->top - SHED) r->low = fmin(r->low, climb);
  if (climb > r->low + SHED) r->lowest = fmin(r->lowest, r->low);
  r->top = fmax(r->top, climb);
}

/* Paths may part before a corner that juts out: some lead past it, some the other way. Its exit lies on one side and is
 * as high as that side; from the other the tip would be a top, and draw people to it for ever. So it lies no higher
 * than the lowest free vertex before it that has higher ones on either side; INFINITY where there is none. */
static double shed_before(const th_mesh_field_build *d, uint32_t v) {
  const th_mesh *m = &d->mesh->mesh;
  const uint32_t begin = m->leaving[v];
  uint32_t h = begin, right = th_half_right(m, h);
  while (right != TH_NO_HALF && !d->mesh->blocked[right / 3] && right != begin) h = right, right = th_half_right(m, h);
  round_corner r = {-INFINITY, INFINITY, INFINITY};
  const uint32_t first = h;
  do {
    if (d->mesh->blocked[h / 3]) {
      r.top = -INFINITY, r.low = INFINITY;
    } else {
      pass_neighbour(d, th_half_to(m, h), &r);
      pass_neighbour(d, th_half_from(m, th_half_previous(h)), &r);
    }
    h = th_half_left(m, h);
  } while (h != TH_NO_HALF && h != first);
  return r.lowest;
}

/* Height of a vertex that the class blocks in a field whose walls do not repel. */
static double height_below(const th_mesh_field_build *d, uint32_t v, uint32_t exit) {
  const bool juts_out = d->geodesic && th_mesh_juts_out(d->mesh, v);
  const double height = d->field->climb[exit] - descent(d, v, juts_out);
  return juts_out ? fmin(height, shed_before(d, v)) : height;
}

/* Blocked vertices: the distance of their exit plus that of the path to it. */
static void lead_out(const th_mesh_field_build *d) {
  const double cell = (double)d->ground->cell;
  const bool repel = !d->geodesic && d->def->walls == TH_WALLS_DIRICHLET;
  for (uint32_t v = 0; v < d->vertices; v++) {
    if (d->kind[v] != TH_CELL_WALL) continue;
    uint32_t out = d->nearest_free->owner[v];
    bool leads = out != TH_NO_ELEMENT && d->field->left[out] < INFINITY;
    double far = leads ? d->nearest_free->far[v] : INFINITY;
    d->field->left[v] = leads ? d->field->left[out] + far : INFINITY;
    d->field->climb[v] = !leads ? -INFINITY : repel ? BELOW - far / cell : height_below(d, v, out);
  }
}

/* Heights of the neighbours of a vertex that are nearer to the exit. */
typedef struct band {
  const th_mesh_field_build *build;
  double least; /* cosine of an edge that counts */
  double min, max;
} band;

static double edge_length(const th_mesh_field_build *d, uint32_t a, uint32_t b) {
  const double *xyz = d->mesh->mesh.xyz, *p = xyz + 3 * (size_t)a, *q = xyz + 3 * (size_t)b;
  const double x = q[0] - p[0], y = q[1] - p[1], z = q[2] - p[2];
  return sqrt(x * x + y * y + z * z);
}

static void look_out(void *user, uint32_t v, uint32_t other) {
  band *b = user;
  const double *far = b->build->nearest_free->far, climb = b->build->field->climb[other];
  if (!(far[other] < far[v]) || climb == -INFINITY) return;
  if (far[v] - far[other] < b->least * edge_length(b->build, v, other)) return;
  b->min = fmin(b->min, climb);
  b->max = fmax(b->max, climb);
}

/* Where walls do not repel, and in fields of distances, blocked vertices lie below all their neighbours on the path to
 * the exit, layer by layer: no agent is led into a wall by a vertex that bodies cannot reach. They lie lower only by a
 * share of the differences around: the slope along the wall must still decide, and the means at the rim are not those
 * of the band. Neighbours of the same layer do not count: each would lie below the one before it, all along the wall.
 */
static th_result sink_bands(const th_mesh_field_build *d, th_error *error) {
  th_heap heap;
  bool got = th_heap_make(&heap, d->allocator, d->vertices);
  for (uint32_t v = 0; got && v < d->vertices; v++)
    if (d->kind[v] == TH_CELL_WALL && d->field->left[v] < INFINITY) th_heap_lower(&heap, v, d->nearest_free->far[v]);
  while (got && heap.count > 0) {
    uint32_t v = th_heap_pop(&heap);
    band b = {d, d->geodesic ? OUTWARDS : 0.0, INFINITY, -INFINITY};
    each_neighbour(d, v, look_out, &b);
    if (!(b.max > -INFINITY)) b.least = 0.0, each_neighbour(d, v, look_out, &b);
    if (!(b.max > -INFINITY)) continue;
    const double below = b.min - fmax(BAND_LOSS * (b.max - b.min), STEP * (1.0 + fabs(b.min)));
    if (!d->geodesic || below < d->field->climb[v]) d->field->climb[v] = below;
  }
  th_heap_free(&heap, d->allocator);
  return got ? TH_OK : th_fail_memory(error, "field");
}

th_result th_mesh_field_climb(th_mesh_field_build *d, th_error *error) {
  const double cell = (double)d->ground->cell;
  double *climb = d->field->climb;
  for (uint32_t v = 0; v < d->vertices; v++) {
    bool reaches = d->field->left[v] < INFINITY;
    const double *cost = d->field->time ? d->field->time : d->field->left;
    climb[v] = !reaches ? -INFINITY : d->geodesic ? -cost[v] / cell : d->field->log_u[v];
  }
  uint8_t *scratch = TH_TAKE(d->allocator, uint8_t, d->vertices);
  if (!scratch) return th_fail_memory(error, "field");
  th_result result = TH_OK;
  if (has_false_top(d, scratch)) result = cut_tops(d, scratch, error);
  TH_GIVE(d->allocator, scratch, d->vertices);
  if (result == TH_OK) lead_out(d);
  if (result == TH_OK && (d->geodesic || d->def->walls == TH_WALLS_NEUMANN)) result = sink_bands(d, error);
  return result;
}
