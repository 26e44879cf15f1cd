/* ground/mesh/regions.c - regions of a surface.
 *
 * A region holds whole faces, by their centroids or by number, so walls run along edges of the mesh and need no
 * cutting. Cost per face: 9 operations for a ball, the number of outline points for a prism, a binary search for a
 * list.
 */
#include "ground/mesh/regions.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "geometry/polygon.h"
#include "geometry/vector.h"

static th_result check_ball(const th_region *r, const char *where, uint32_t element, th_error *error) {
  if (!th_finite3(r->centre))
    return th_fail_at(error, TH_ERROR_RANGE, where, element, "expected a finite centre, found (%g, %g, %g)",
                      (double)r->centre.x, (double)r->centre.y, (double)r->centre.z);
  if (!(r->radius > 0.0f && r->radius <= 1e6f))
    return th_fail_at(error, TH_ERROR_RANGE, where, element, "expected a radius in (0, 1e6] m, found %g",
                      (double)r->radius);
  return TH_OK;
}

static th_result check_prism(const th_region *r, const th_mesh *mesh, const char *where, uint32_t element,
                             th_error *error) {
  if (!(r->low <= r->high))
    return th_fail_at(error, TH_ERROR_RANGE, where, element, "expected low below high, found %g and %g", (double)r->low,
                      (double)r->high);
  if (!r->outline) return th_fail_at(error, TH_ERROR_RANGE, where, element, "expected an outline, found none");
  th_polygon outline = {r->name, r->outline, r->outline_count};
  return th_polygon_check(&mesh->allocator, &outline, where, element, error);
}

static th_result check_list(const th_region *r, const th_mesh *mesh, const char *where, uint32_t element,
                            th_error *error) {
  if (!r->face || !r->face_count)
    return th_fail_at(error, TH_ERROR_RANGE, where, element, "expected a list of faces, found none");
  for (uint32_t k = 0; k < r->face_count; k++)
    if (r->face[k] >= mesh->given_faces)
      return th_fail_at(error, TH_ERROR_RANGE, where, element, "expected faces below %u, found %u", mesh->given_faces,
                        r->face[k]);
  return TH_OK;
}

th_result th_mesh_region_check(const th_region *region, const th_mesh *mesh, const char *where, uint32_t element,
                               th_error *error) {
  switch (region->kind) {
    case TH_REGION_BALL:
      return check_ball(region, where, element, error);
    case TH_REGION_PRISM:
      return check_prism(region, mesh, where, element, error);
    case TH_REGION_FACES:
      return check_list(region, mesh, where, element, error);
  }
  return th_fail_at(error, TH_ERROR_RANGE, where, element, "expected a kind of region, found %d", (int)region->kind);
}

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static bool copy_lists(th_mesh_region *p, const th_region *from) {
  th_region *r = &p->region;
  if (from->kind == TH_REGION_PRISM) {
    th_vec2 *outline = TH_TAKE(&p->allocator, th_vec2, from->outline_count);
    if (outline) memcpy(outline, from->outline, from->outline_count * sizeof *outline);
    r->outline = outline;
    r->outline_count = from->outline_count;
    return outline != NULL;
  }
  if (from->kind == TH_REGION_FACES) {
    uint32_t *face = TH_TAKE(&p->allocator, uint32_t, from->face_count);
    if (face) {
      memcpy(face, from->face, from->face_count * sizeof *face);
      qsort(face, from->face_count, sizeof *face, by_number);
    }
    r->face = face;
    r->face_count = from->face_count;
    return face != NULL;
  }
  return true;
}

th_mesh_region *th_mesh_region_make(const th_allocator *allocator, const th_region *region, const char *name) {
  th_mesh_region *p = TH_TAKE(allocator, th_mesh_region, 1);
  if (!p) return NULL;
  p->references = 1;
  p->allocator = *allocator;
  p->region = (th_region){.kind = region->kind,
                          .centre = region->centre,
                          .radius = region->radius,
                          .low = region->low,
                          .high = region->high};
  bool done = copy_lists(p, region);
  if (done && name) {
    size_t size = strlen(name) + 1;
    char *copy = TH_TAKE(allocator, char, size);
    if (copy) memcpy(copy, name, size);
    p->region.name = copy;
    p->name_size = size;
    done = copy != NULL;
  }
  if (done) return p;
  th_mesh_region_release(p);
  return NULL;
}

th_mesh_region *th_mesh_region_retain(th_mesh_region *part) {
  atomic_fetch_add(&part->references, 1);
  return part;
}

void th_mesh_region_release(th_mesh_region *part) {
  if (!part || atomic_fetch_sub(&part->references, 1) != 1) return;
  th_allocator allocator = part->allocator;
  th_give(&allocator, (void *)(uintptr_t)part->region.outline, part->region.outline_count, sizeof(th_vec2));
  th_give(&allocator, (void *)(uintptr_t)part->region.face, part->region.face_count, sizeof(uint32_t));
  th_give(&allocator, (void *)(uintptr_t)part->region.name, part->name_size, 1);
  TH_GIVE(&allocator, part, 1);
}

static void centroid(const th_mesh *m, uint32_t face, double *c) {
  const uint32_t *v = m->corner + 3 * (size_t)face;
  for (size_t k = 0; k < 3; k++)
    c[k] = (m->xyz[3 * (size_t)v[0] + k] + m->xyz[3 * (size_t)v[1] + k] + m->xyz[3 * (size_t)v[2] + k]) / 3.0;
}

bool th_mesh_region_holds(const th_mesh_region *part, const th_mesh *mesh, uint32_t face) {
  const th_region *r = &part->region;
  if (r->kind == TH_REGION_FACES)
    return bsearch(&mesh->face_from[face], r->face, r->face_count, sizeof *r->face, by_number) != NULL;
  double c[3];
  centroid(mesh, face, c);
  if (r->kind == TH_REGION_BALL) {
    double x = c[0] - (double)r->centre.x, y = c[1] - (double)r->centre.y, z = c[2] - (double)r->centre.z;
    return x * x + y * y + z * z <= (double)r->radius * (double)r->radius;
  }
  return c[2] >= (double)r->low && c[2] <= (double)r->high &&
         th_polygon_holds(r->outline, r->outline_count, c[0], c[1]);
}
