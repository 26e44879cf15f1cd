/* report/render/choose.c - chooses a view that shows the important parts.
 *
 * Each of 33 directions (four heights, eight sides, and from above) is drawn small, faces only, and scored by the
 * visible share of the walkable side, of the agents, of the points of lines and of the marks. Where scores are close, a
 * view slightly from above wins, because people look at models from there. (After viewpoint entropy, Vazquez et al.
 * 2001: the visible part of each object counts.) Cost: 33 O(faces); for meshes above 200,000 faces only 8 directions
 * are tried.
 */
#include "base/error.h"
#include "base/memory.h"
#include "report/render/view.h"

#define SMALL 144
#define MANY_FACES 200000

static const double heights[] = {28.0, 48.0, 8.0, 70.0};
static const double flatness[] = {0.0, 0.03, 0.10, 0.14, 0.20}; /* penalty of each height; the last: from above */

/* Front side towards the eye, and may be walked on. */
static bool counts(const th_render_mesh *drawn, const th_render_camera *eye, uint32_t face, double *facing) {
  double normal[3], ray[3];
  const uint32_t corner = drawn->def->mesh->corner[3 * (size_t)face];
  th_render_face_normal(drawn, face, normal);
  th_render_camera_ray(eye, drawn->xyz + 3 * (size_t)corner, ray);
  *facing = th_dot3d(normal, ray);
  return *facing > 0.0 && !(drawn->def->blocked && drawn->def->blocked[face]);
}

static double area_seen(const th_render_mesh *drawn, const th_render_camera *eye, const th_render_rows *band) {
  double sum = 0.0, facing;
  for (size_t i = 0; i < (size_t)band->width * band->rows; i++) {
    if (band->face[i] == TH_NO_ELEMENT || !counts(drawn, eye, band->face[i], &facing)) continue;
    double depth = eye->lens ? 1.0 / (double)band->key[i] : 0.0, metre = th_render_camera_metre(eye, depth);
    sum += 1.0 / (metre * metre * fmax(0.2, facing));
  }
  return sum;
}

static bool point_seen(const th_render_mesh *drawn, const th_render_camera *eye, const th_render_rows *band,
                       const double point[3]) {
  th_render_point spot;
  if (!th_render_camera_see(eye, point, &spot)) return false;
  double x = floor(spot.x), y = floor(spot.y);
  if (!(x >= 0.0 && y >= 0.0 && x < band->width && y < band->rows)) return false;
  float key = band->key[(size_t)y * band->width + (size_t)x];
  double there = eye->lens ? 1.0 / (double)key : -(double)key;
  return spot.depth - 0.012 * drawn->size <= there;
}

static double agents_seen(const th_render_mesh *drawn, const th_render_camera *eye, const th_render_rows *band) {
  const th_mesh_figure_bodies *agents = &drawn->def->agents;
  uint32_t seen = 0, step = agents->count / 2000 + 1, asked = 0;
  for (uint32_t a = 0; a < agents->count; a += step, asked++) {
    double point[3], facing;
    th_render_agent_point(drawn, a, point);
    (void)counts(drawn, eye, agents->face[a], &facing);
    if (facing > 0.1 && point_seen(drawn, eye, band, point)) seen++;
  }
  return asked ? (double)seen / asked : 0.0;
}

static double points_seen(const th_render_mesh *drawn, const th_render_camera *eye, const th_render_rows *band) {
  const th_mesh_figure_def *def = drawn->def;
  uint64_t seen = 0, asked = 0;
  for (uint32_t k = 0; k < def->line_count; k++)
    for (uint32_t i = 0; i < def->line[k].count; i += def->line[k].count / 64 + 1, asked++) {
      th_vec3 p = def->line[k].point[i];
      double point[3] = {(double)p.x, (double)p.y, (double)p.z * def->stretch};
      if (point_seen(drawn, eye, band, point)) seen++;
    }
  for (uint32_t k = 0; k < def->mark_count; k++, asked += 8) {
    th_vec3 p = def->mark[k].point;
    double point[3] = {(double)p.x, (double)p.y, (double)p.z * def->stretch}, facing;
    (void)counts(drawn, eye, def->mark[k].face, &facing);
    if (facing > 0.05 && point_seen(drawn, eye, band, point)) seen += 8;
  }
  return asked ? (double)seen / (double)asked : 0.0;
}

static double score(const th_render_mesh *drawn, const th_camera *camera, th_render_rows *band, double walkable) {
  th_render_camera eye;
  th_render_camera_aim(drawn, camera, &eye);
  th_render_camera_place(&eye, th_render_camera_fit(&eye, SMALL, SMALL), SMALL, SMALL);
  for (size_t i = 0; i < SMALL * SMALL; i++) {
    band->key[i] = -INFINITY;
    band->face[i] = TH_NO_ELEMENT;
  }
  for (uint32_t f = 0; f < drawn->faces; f++) th_raster_face(drawn, &eye, band, f, true);
  double area = fmin(1.0, area_seen(drawn, &eye, band) / walkable);
  return area + agents_seen(drawn, &eye, band) + 0.8 * points_seen(drawn, &eye, band);
}

static double walkable_area(const th_render_mesh *drawn) {
  double sum = 0.0;
  for (uint32_t f = 0; f < drawn->faces; f++) {
    const uint32_t *corner = drawn->def->mesh->corner + 3 * (size_t)f;
    const double *a = drawn->xyz + 3 * (size_t)corner[0], *b = drawn->xyz + 3 * (size_t)corner[1],
                 *c = drawn->xyz + 3 * (size_t)corner[2];
    double p[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, q[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]}, cross[3];
    th_cross3d(p, q, cross);
    if (!(drawn->def->blocked && drawn->def->blocked[f])) sum += 0.5 * th_length3d(cross);
  }
  return sum > 0.0 ? sum : 1.0;
}

th_result th_render_camera_choose(const th_render_mesh *drawn, th_camera *camera, th_error *error) {
  th_render_rows band = {.width = SMALL, .rows = SMALL, .fine = 1, .unit = 1.0};
  const size_t samples = SMALL * SMALL;
  band.key = TH_TAKE(&drawn->allocator, float, samples);
  band.colour = TH_TAKE(&drawn->allocator, uint32_t, samples);
  band.face = TH_TAKE(&drawn->allocator, uint32_t, samples);
  th_result result = band.key && band.colour && band.face ? TH_OK : th_fail_memory(error, "figure");
  double best = -1.0, walkable = walkable_area(drawn);
  int tries = drawn->faces > MANY_FACES ? 8 : 32;
  th_camera trial = *camera, chosen = *camera;
  for (int k = 0; k <= tries && result == TH_OK; k++) {
    if (k == tries && tries < 32) break;
    trial.azimuth = k < tries ? -55.0 + 45.0 * (k % 8) : -90.0;
    trial.elevation = k < tries ? heights[k / 8] : 89.0;
    double found = score(drawn, &trial, &band, walkable) - flatness[k / 8] - 0.002 * (k % 8);
    if (found > best) best = found, chosen = trial;
  }
  *camera = chosen;
  TH_GIVE(&drawn->allocator, band.key, samples);
  TH_GIVE(&drawn->allocator, band.colour, samples);
  TH_GIVE(&drawn->allocator, band.face, samples);
  return result;
}
