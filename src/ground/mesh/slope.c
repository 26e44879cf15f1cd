/* ground/mesh/slope.c - which faces are blocked by their slope, their terrain or a low ceiling, and the speed factors
 * of the others.
 *
 * Slope is the angle between a face's normal and +z. Headroom is looked for along +z from seven points of each face
 * that looks upwards: the centroid, the corners and the middles of the sides, moved in a little, so that neighbours
 * which share an edge do not count as ceilings. One ray costs about a microsecond; faces that are blocked anyway need
 * none.
 */
#include "base/trig.h"
#include "geometry/vector.h"
#include "ground/mesh/form.h"

#define SLOPE_SLACK 1e-9 /* degrees: rounding of a face that is meant to be as steep as the limit */
#define MIN_SPEED 0.1    /* of the slope's factor */
#define MOVED_IN 0.02    /* share of the distance to the centroid */
#define MIN_ABOVE 1e-4   /* [m]: nearer than this is the face itself */

/* Degrees from level, 0 to 180. */
static double slope_of(const th_mesh_form *form, uint32_t face) {
  double x[3], y[3], n[3];
  th_frames_axes(&form->frames, face, x, y);
  th_cross3d(x, y, n);
  return TH_DEGREES * th_atan2_double(sqrt(n[0] * n[0] + n[1] * n[1]), n[2]);
}

static bool is_low_at(const th_mesh_form *form, uint32_t face, const double *weight) {
  th_bvh_ray ray = {.direction = {0.0, 0.0, 1.0}, .from = MIN_ABOVE, .length = form->rules.headroom};
  th_frames_point(&form->frames, face, th_frames_at(&form->frames, face, weight), ray.point);
  return th_bvh_ray_first(&form->bvh, &ray).face != TH_NO_ELEMENT;
}

static bool is_low(const th_mesh_form *form, uint32_t face) {
  static const double point[7][3] = {{1, 1, 1},     {3, 0, 0},     {0, 3, 0},    {0, 0, 3},
                                     {1.5, 1.5, 0}, {0, 1.5, 1.5}, {1.5, 0, 1.5}};
  for (int i = 0; i < 7; i++) {
    double w[3];
    for (int k = 0; k < 3; k++) w[k] = ((1.0 - MOVED_IN) * point[i][k] + MOVED_IN) / 3.0;
    if (is_low_at(form, face, w)) return true;
  }
  return false;
}

static float at_slope(double share, double slope) {
  const double factor = 1.0 - share * slope / 90.0;
  return (float)(factor > MIN_SPEED ? factor : MIN_SPEED);
}

void th_mesh_slope_judge(th_mesh_form *form) {
  const th_mesh_ground_rules *r = &form->rules;
  form->even = !form->climb;
  for (uint32_t f = 0; f < form->mesh.face_count; f++) {
    const double slope = slope_of(form, f);
    const uint8_t kind = form->terrain_of[f];
    form->speed[f] = at_slope(r->slope_speed, slope) * r->terrain_speed[kind];
    if (form->climb) {
      form->climb[2 * (size_t)f] = at_slope(r->slope_up, slope) * r->terrain_up[kind];
      form->climb[2 * (size_t)f + 1] = at_slope(r->slope_down, slope) * r->terrain_down[kind];
    }
    form->even = form->even && form->speed[f] == 1.0f;
    bool closed = r->terrain_blocked[kind] || slope > r->slope_max + SLOPE_SLACK;
    if (!closed && r->headroom > 0.0 && slope < 90.0) closed = is_low(form, f);
    form->fixed[f] = closed;
  }
}
