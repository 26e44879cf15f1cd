/* io/scene/populate/darts.c - random points of a region of a mesh.
 *
 * The walkable faces that may touch the region are listed with the sum of their areas; a dart picks a face by its area
 * and a point in it by the square root rule (Osada et al. 2002), and is kept when that point lies in the region. Cost:
 * one pass over the faces per region, one binary search per dart.
 */
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "geometry/shape.h"
#include "io/scene/world.h"

struct th_darts {
  th_env env;
  const th_ground *ground;
  const th_shape *region;
  uint32_t count, capacity;
  uint32_t *face;
  double *sum; /* of the areas up to and with each */
};

static void corners_of(const th_mesh *mesh, uint32_t face, double p[3][3]) {
  for (uint32_t k = 0; k < 3; k++)
    for (uint32_t i = 0; i < 3; i++) p[k][i] = mesh->xyz[3 * (size_t)mesh->corner[3 * face + k] + i];
}

static double area_of(double p[3][3]) {
  double n[3];
  th_normal3d(p[0], p[1], p[2], n);
  return 0.5 * th_length3d(n);
}

/* The region's box in x and y; a face beside it has no point in the region. */
static bool may_touch(const th_shape *region, double p[3][3]) {
  const th_box bounds = th_shape_bounds(region);
  th_box face = th_box_empty();
  for (int k = 0; k < 3; k++) th_box_add(&face, p[k][0], p[k][1]);
  return th_box_meets(&bounds, &face);
}

static void list_faces(th_darts *darts) {
  const th_mesh *mesh = th_ground_mesh(darts->ground);
  const uint8_t *blocked = th_ground_blocked_faces(darts->ground);
  double sum = 0.0;
  for (uint32_t face = 0; face < mesh->face_count; face++) {
    double p[3][3];
    corners_of(mesh, face, p);
    if (blocked[face] || !may_touch(darts->region, p)) continue;
    sum += area_of(p);
    darts->face[darts->count] = face;
    darts->sum[darts->count++] = sum;
  }
}

double th_darts_area(const th_ground *ground) {
  const th_mesh *mesh = th_ground_mesh(ground);
  const uint8_t *blocked = th_ground_blocked_faces(ground);
  double sum = 0.0;
  for (uint32_t face = 0; face < mesh->face_count; face++) {
    double p[3][3];
    corners_of(mesh, face, p);
    if (!blocked[face]) sum += area_of(p);
  }
  return sum;
}

th_result th_darts_make(const th_env *env, const th_ground *ground, const th_shape *region, th_darts **darts,
                        th_error *error) {
  th_env full = th_env_complete(env);
  th_darts *d = *darts = TH_TAKE(&full.allocator, th_darts, 1);
  if (!d) return th_fail_memory(error, "region");
  *d = (th_darts){.env = full, .ground = ground, .region = region, .capacity = th_ground_mesh(ground)->face_count};
  d->face = TH_TAKE(&full.allocator, uint32_t, d->capacity);
  d->sum = TH_TAKE(&full.allocator, double, d->capacity);
  if (!d->face || !d->sum) {
    th_darts_free(d);
    *darts = NULL;
    return th_fail_memory(error, "region");
  }
  list_faces(d);
  return TH_OK;
}

void th_darts_free(th_darts *darts) {
  if (!darts) return;
  th_env env = darts->env;
  TH_GIVE(&env.allocator, darts->face, darts->capacity);
  TH_GIVE(&env.allocator, darts->sum, darts->capacity);
  TH_GIVE(&env.allocator, darts, 1);
}

bool th_darts_throw(const th_darts *darts, const float random[3], th_place *place) {
  if (!darts->count) return false;
  double aimed = (double)random[0] * darts->sum[darts->count - 1];
  uint32_t low = 0, high = darts->count - 1;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (darts->sum[middle] < aimed)
      low = middle + 1;
    else
      high = middle;
  }
  float root = sqrtf(random[1]);
  th_vec3 weights = {1.0f - root, root * (1.0f - random[2]), root * random[2]};
  *place = th_ground_place_of(darts->ground, darts->face[low], weights);
  return th_scene_inside(darts->ground, darts->region, *place);
}
