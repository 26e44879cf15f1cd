/* view/sight.c - rays, sight and clearance inside a view.
 *
 * A view's walls are few (those within reach), so each ray tests all of them; on flat ground and in charts alike a ray
 * is a straight line. Cost: about 2 ns per wall.
 */
#include <math.h>

#include "view/rays.h"
#include "view/view.h"

/* Distance along o + t d at which the ray meets segment a-b, or `length`:
 *   t = cross(a - o, e) / cross(d, e),  s = cross(a - o, d) / cross(d, e),  e = b - a,  0 <= s <= 1,  t >= 0 */
static float meet(const th_segment *wall, const float o[2], const float d[2], float length) {
  float ex = wall->bx - wall->ax, ey = wall->by - wall->ay, ax = wall->ax - o[0], ay = wall->ay - o[1];
  float slope = d[0] * ey - d[1] * ex;
  if (slope == 0.0f) return length;
  float t = (ax * ey - ay * ex) / slope, s = (ax * d[1] - ay * d[0]) / slope;
  return s >= 0.0f && s <= 1.0f && t >= 0.0f && t < length ? t : length;
}

float th_view_ray(const th_view *view, float x, float y, float dx, float dy, float length) {
  const float o[2] = {x, y}, d[2] = {dx, dy};
  for (uint32_t i = 0; i < view->wall_count; i++) length = meet(&view->wall[i], o, d, length);
  return length;
}

bool th_view_sees(const th_view *view, float ax, float ay, float bx, float by) {
  const float o[2] = {ax, ay}, d[2] = {bx - ax, by - ay};
  for (uint32_t i = 0; i < view->wall_count; i++)
    if (meet(&view->wall[i], o, d, 1.0f) < 1.0f) return false;
  return true;
}

/* A box of the view. */
typedef struct extent {
  float x0, y0, x1, y1;
} extent;

static inline void reach_out(extent *e, float x, float y) {
  e->x0 = x < e->x0 ? x : e->x0;
  e->y0 = y < e->y0 ? y : e->y0;
  e->x1 = x > e->x1 ? x : e->x1;
  e->y1 = y > e->y1 ? y : e->y1;
}

static extent extent_of_lanes(const th_view *view) {
  extent e = {view->x[0], view->y[0], view->x[0], view->y[0]};
  for (uint32_t lane = 1; lane < TH_VIEW_LANES; lane++) reach_out(&e, view->x[lane], view->y[lane]);
  return e;
}

/* Leaves the copy of a view only the walls that touch the box, in their order. Every wall is tested against all rays or
 * neighbours, and most of these are nearer than most walls of the view. */
static void keep_walls_in(th_view *some, const extent *e, th_segment *kept) {
  if (some->wall_count > TH_MAX_VIEW_WALLS) return;
  some->wall_count = th_walls_in(some->wall, some->wall_count, (th_vec2){e->x0, e->y0}, (th_vec2){e->x1, e->y1}, kept,
                                 TH_MAX_VIEW_WALLS);
  some->wall = kept;
}

/* Rounding may put the end of a ray this far beyond its length. */
#define SLACK 1e-3f /* [m] */

static void widen(extent *e) { *e = (extent){e->x0 - SLACK, e->y0 - SLACK, e->x1 + SLACK, e->y1 + SLACK}; }

void th_view_cast(const th_view *view, th_rays *rays, uint32_t count, uint32_t simd) {
  th_segment kept[TH_MAX_VIEW_WALLS];
  extent e = extent_of_lanes(view);
  for (uint32_t k = 0; k < count; k++)
    for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++)
      reach_out(&e, view->x[lane] + rays[k].length[lane] * rays[k].dx[lane],
                view->y[lane] + rays[k].length[lane] * rays[k].dy[lane]);
  widen(&e);
  th_view some = *view;
  keep_walls_in(&some, &e, kept);
  TH_LANES_PICK(simd, th_rays_cast)(&some, rays, count);
}

void th_view_visible(const th_view *view, const float *range, uint32_t *seen, uint32_t simd) {
  const th_neighbours *near = &view->neighbours;
  th_segment kept[TH_MAX_VIEW_WALLS];
  extent e = extent_of_lanes(view);
  for (uint32_t k = 0; !near->in_sight && near->count && k < near->pick_count * TH_VIEW_LANES; k++)
    if (near->pick[k] != TH_NO_PICK) reach_out(&e, near->x[near->pick[k]], near->y[near->pick[k]]);
  widen(&e);
  th_view some = *view;
  if (near->in_sight) some.wall_count = 0;
  keep_walls_in(&some, &e, kept);
  TH_LANES_PICK(simd, th_rays_visible)(&some, range, seen);
}

float th_view_clearance(const th_view *view, float x, float y) {
  const th_raster *raster = &view->clearance;
  if (!raster->sample) return 0.0f;
  float fx = (x - raster->x0) / raster->cell, fy = (y - raster->y0) / raster->cell;
  if (!(fx >= 0.0f) || !(fy >= 0.0f) || fx >= (float)(raster->width - 1) || fy >= (float)(raster->height - 1))
    return 0.0f;
  uint32_t i = (uint32_t)fx, j = (uint32_t)fy;
  float u = fx - (float)i, v = fy - (float)j;
  const float *low = raster->sample + (size_t)j * raster->width + i, *high = low + raster->width;
  return (low[0] * (1.0f - u) + low[1] * u) * (1.0f - v) + (high[0] * (1.0f - u) + high[1] * u) * v;
}

const th_link *th_view_link(const th_view *view, uint32_t lane, uint32_t role) {
  const th_link *link = view->link + (size_t)lane * view->link_count;
  for (uint32_t k = 0; k < view->link_count; k++)
    if (link[k].role == role && link[k].exists) return &link[k];
  return NULL;
}
