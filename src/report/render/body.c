/* report/render/body.c - agents on a surface: discs that lie on it, or upright bodies that stand along its normal.
 *
 * Each is a closed formula per sample instead of a mesh: a disc is the unit circle under a linear map; an upright body
 * is the set of points within its radius of a line, with the depth and the normal of the round shape. So a body is
 * round at any size, occlusion is decided sample by sample, and 100,000 bodies cost no memory. Cost: O(samples
 * covered).
 */
#include <string.h>

#include "report/render/view.h"

#define UPRIGHT_FROM 3.5 /* radius on the page from which bodies stand */

void th_render_agent_point(const th_render_mesh *drawn, uint32_t agent, double point[3]) {
  const th_mesh_figure_bodies *agents = &drawn->def->agents;
  if (agents->point) {
    const th_vec3 *p = &agents->point[agent];
    point[0] = (double)p->x, point[1] = (double)p->y, point[2] = (double)p->z * drawn->def->stretch;
    return;
  }
  const uint32_t *corner = drawn->def->mesh->corner + 3 * (size_t)agents->face[agent];
  const float *weight = &agents->weights[agent].x;
  for (size_t i = 0; i < 3; i++) {
    point[i] = 0.0;
    for (int k = 0; k < 3; k++) point[i] += (double)weight[k] * drawn->xyz[3 * (size_t)corner[k] + i];
  }
}

/* The part of the heading in the tangent plane, and the vector to its left. */
static void make_axes(const th_render_mesh *drawn, uint32_t agent, th_render_body *body) {
  const th_vec3 *heading = drawn->def->agents.heading ? &drawn->def->agents.heading[agent] : NULL;
  if (heading) {
    double h[3] = {(double)heading->x, (double)heading->y, (double)heading->z * drawn->def->stretch};
    double off = th_dot3d(h, body->normal);
    for (int k = 0; k < 3; k++) body->ahead[k] = h[k] - off * body->normal[k];
    body->heading = th_unit3d(body->ahead) > 1e-6;
  }
  if (!body->heading) { /* any tangent */
    double axis[3] = {0.0, 0.0, 0.0};
    axis[fabs(body->normal[0]) < 0.7 ? 0 : 1] = 1.0;
    th_cross3d(body->normal, axis, body->ahead);
    th_unit3d(body->ahead);
  }
  th_cross3d(body->normal, body->ahead, body->side);
}

bool th_render_body_of(const th_render_mesh *drawn, const th_render_camera *eye, uint32_t agent, double unit,
                       th_render_body *body) {
  const th_mesh_figure_bodies *agents = &drawn->def->agents;
  uint32_t face = agents->face[agent];
  double ray[3];
  th_render_point spot;
  *body = (th_render_body){0};
  if (eye->hidden && eye->hidden[face]) return false;
  th_render_agent_point(drawn, agent, body->foot);
  if (!th_render_camera_see(eye, body->foot, &spot)) return false;
  const float *n = drawn->normal + 9 * (size_t)face; /* smooth: neighbours on a round surface stand alike */
  for (int k = 0; k < 3; k++) body->normal[k] = (double)n[k] + (double)n[3 + k] + (double)n[6 + k];
  th_unit3d(body->normal);
  th_render_camera_ray(eye, body->foot, ray);
  body->up[2] = 1.0;
  if (!agents->plumb) memcpy(body->up, body->normal, sizeof body->up);
  double facing = th_dot3d(ray, body->normal), metre = th_render_camera_metre(eye, spot.depth) / unit;
  if (facing < -0.25) return false;
  double radius = (double)(agents->radius ? agents->radius[agent] : agents->same_radius);
  body->radius = fmax(radius, 1.7 / metre);
  body->across = body->radius * (1.0 - (agents->narrowed ? (double)agents->narrowed[agent] : 0.0));
  body->height = fmax((double)agents->height, 2.0 * body->radius);
  body->upright = agents->shape == TH_BODY_UPRIGHT || (agents->shape == TH_BODY_AUTO && radius * metre >= UPRIGHT_FROM);
  make_axes(drawn, agent, body);
  return body->upright || facing > 0.04;
}

static uint32_t pack(th_colour c, double light) {
  uint32_t r = (uint32_t)(255.0 * fmin(1.0, light * c.r) + 0.5), g = (uint32_t)(255.0 * fmin(1.0, light * c.g) + 0.5),
           b = (uint32_t)(255.0 * fmin(1.0, light * c.b) + 0.5);
  return 0xff000000u | r << 16 | g << 8 | b;
}

static th_colour towards(th_colour c, th_colour with, double share) {
  return (th_colour){c.r + share * (with.r - c.r), c.g + share * (with.g - c.g), c.b + share * (with.b - c.b)};
}

static uint32_t shadow_on(uint32_t pixel, double share) {
  uint32_t out = 0xff;
  if (!pixel) return 0;
  for (int k = 16; k >= 0; k -= 8) out = out << 8 | (uint32_t)((double)(pixel >> k & 0xff) * (1.0 - share));
  return out;
}

typedef struct window {
  size_t left, right, top, bottom; /* samples; empty when left > right or top > bottom */
} window;

/* Samples of the band within `reach` of a box of two points. */
static bool window_of(const th_render_rows *band, const th_render_point *a, const th_render_point *b, double reach,
                      window *w) {
  double left = fmax(0.0, floor(fmin(a->x, b->x) - reach)),
         right = fmin(band->width - 1.0, ceil(fmax(a->x, b->x) + reach));
  double top = fmax(band->top, floor(fmin(a->y, b->y) - reach)),
         bottom = fmin((double)band->top + band->rows - 1.0, ceil(fmax(a->y, b->y) + reach));
  if (!(left <= right && top <= bottom)) return false;
  *w = (window){(size_t)left, (size_t)right, (size_t)top, (size_t)bottom};
  return true;
}

static float key_of(const th_render_camera *eye, double depth) {
  return (float)(eye->lens ? 1.0 / fmax(depth, eye->nearest) : -depth);
}

/* The disc as a linear map from the page: (s, t) = m (x - centre), depth = at + ds s + dt t. */
typedef struct disc {
  th_render_point centre;
  double m[4], ds, dt, reach;
} disc;

static bool disc_of(const th_render_camera *eye, const th_render_body *body, double wide, disc *d) {
  double ahead[3], side[3];
  th_render_point a, s;
  for (int k = 0; k < 3; k++) {
    ahead[k] = body->foot[k] + wide * body->radius * body->ahead[k];
    side[k] = body->foot[k] + wide * body->across * body->side[k];
  }
  if (!th_render_camera_see(eye, body->foot, &d->centre) || !th_render_camera_see(eye, ahead, &a) ||
      !th_render_camera_see(eye, side, &s))
    return false;
  double ax = a.x - d->centre.x, ay = a.y - d->centre.y, sx = s.x - d->centre.x, sy = s.y - d->centre.y;
  double area = ax * sy - ay * sx;
  if (!(fabs(area) > 1e-6)) return false;
  d->m[0] = sy / area, d->m[1] = -sx / area, d->m[2] = -ay / area, d->m[3] = ax / area;
  d->ds = a.depth - d->centre.depth, d->dt = s.depth - d->centre.depth;
  d->reach = hypot(ax, ay) + hypot(sx, sy);
  return true;
}

/* The colour of a disc at (s, t): a pale rim, a mark that points ahead, else the agent's colour. */
static th_colour disc_colour(const th_render_body *body, th_colour colour, double s, double t, double fine) {
  double rim = 1.0 - fmin(0.16, fine), mark = fmax(0.13, 0.5 * fine);
  if (fine < 0.4 && s * s + t * t > rim * rim) return towards(colour, th_paper, 0.9);
  if (fine < 0.4 && body->heading && s > 0.1 && s < 0.85 && fabs(t) < mark) return th_paper;
  return colour;
}

static void raster_disc(const th_render_camera *eye, th_render_rows *band, const th_render_body *body, th_colour colour,
                        bool shadow) {
  disc d;
  window w;
  if (!disc_of(eye, body, shadow ? 1.35 : 1.0, &d) || !window_of(band, &d.centre, &d.centre, d.reach, &w)) return;
  double ray[3], light, lift = (shadow ? 0.35 : 0.6) * body->radius + 2.0 / th_render_camera_metre(eye, d.centre.depth);
  th_render_camera_ray(eye, body->foot, ray);
  light = 0.35 + 0.65 * th_render_light(eye, body->normal, ray);
  double fine = band->unit / (body->radius * th_render_camera_metre(eye, d.centre.depth));
  for (size_t y = w.top; y <= w.bottom; y++)
    for (size_t x = w.left; x <= w.right; x++) {
      double px = (double)x + 0.5 - d.centre.x, py = (double)y + 0.5 - d.centre.y;
      double s = d.m[0] * px + d.m[1] * py, t = d.m[2] * px + d.m[3] * py, r2 = s * s + t * t;
      if (r2 > 1.0) continue;
      size_t i = (y - band->top) * band->width + x;
      float key = key_of(eye, d.centre.depth + s * d.ds + t * d.dt - lift);
      if (!(key > band->key[i])) continue;
      if (shadow) {
        band->colour[i] = shadow_on(band->colour[i], 0.42 * (1.0 - r2));
        continue;
      }
      band->key[i] = key;
      band->colour[i] = pack(disc_colour(body, colour, s, t, fine), light);
    }
}

/* The ellipsoid with the half axes radius, across and radius: its shadow on the page is the sum of v v^T over its axes
 * v, of which this is the root. */
th_render_outline th_render_outline_of(const th_render_camera *eye, const th_render_body *body, double metre) {
  const double *axis[3] = {body->ahead, body->side, body->normal};
  const double half[3] = {metre * body->radius, metre * body->across, metre * body->radius};
  double xx = 0.0, yx = 0.0, yy = 0.0;
  for (int k = 0; k < 3; k++) {
    double x = half[k] * th_dot3d(axis[k], eye->right), y = -half[k] * th_dot3d(axis[k], eye->up);
    xx += x * x, yx += x * y, yy += y * y;
  }
  double root = sqrt(fmax(xx, 1e-12)), low = yx / root;
  return (th_render_outline){root, low, sqrt(fmax(yy - low * low, 1e-12))};
}

/* The axis of an upright body on the page. */
typedef struct stand {
  th_render_point low, high;
  th_render_outline outline;
  double radius, nose[3]; /* samples; ahead in the eye's axes */
} stand;

/* A vector on the page in units of the outline. */
static void in_outline(const th_render_outline *o, double x, double y, double out[2]) {
  out[0] = x / o->xx;
  out[1] = (y - o->yx * out[0]) / o->yy;
}

static bool stand_of(const th_render_camera *eye, const th_render_body *body, stand *s) {
  double low[3], high[3];
  for (int k = 0; k < 3; k++) {
    low[k] = body->foot[k] + body->radius * body->up[k];
    high[k] = body->foot[k] + (body->height - body->radius) * body->up[k];
  }
  if (!th_render_camera_see(eye, low, &s->low) || !th_render_camera_see(eye, high, &s->high)) return false;
  double metre = th_render_camera_metre(eye, 0.5 * (s->low.depth + s->high.depth));
  s->radius = body->radius * metre;
  s->outline = th_render_outline_of(eye, body, metre);
  s->nose[0] = th_dot3d(body->ahead, eye->right), s->nose[1] = th_dot3d(body->ahead, eye->up);
  s->nose[2] = th_dot3d(body->ahead, eye->back);
  return true;
}

/* Head paler than the trunk; a pale face ahead; a dark rim, so that bodies in a crowd can be distinguished. */
static th_colour stand_colour(const th_render_body *body, const stand *s, th_colour colour, const double n[3],
                              double along) {
  double ahead = n[0] * s->nose[0] + n[1] * s->nose[1] + n[2] * s->nose[2];
  double head = 1.0 - 1.1 * body->radius / fmax(body->height - 2.0 * body->radius, body->radius);
  if (n[2] < 0.42) return towards(colour, th_ink, 0.45);
  if (along <= head) return colour;
  if (body->heading && ahead > 0.55) return th_paper;
  return towards(colour, th_paper, 0.38);
}

static void raster_stand(const th_render_camera *eye, th_render_rows *band, const th_render_body *body,
                         th_colour colour) {
  stand s;
  window w;
  static const double ray[3] = {0.0, 0.0, 1.0};
  double light[3] = {-0.46, 0.62, 0.64};
  if (!stand_of(eye, body, &s) || !window_of(band, &s.low, &s.high, s.radius, &w)) return;
  th_unit3d(light);
  th_render_camera straight = *eye; /* the light in the eye's own axes */
  memcpy(straight.light, light, sizeof light);
  double axis[2], p[2];
  in_outline(&s.outline, s.high.x - s.low.x, s.high.y - s.low.y, axis);
  double length = axis[0] * axis[0] + axis[1] * axis[1];
  for (size_t y = w.top; y <= w.bottom; y++)
    for (size_t x = w.left; x <= w.right; x++) {
      in_outline(&s.outline, (double)x + 0.5 - s.low.x, (double)y + 0.5 - s.low.y, p);
      double along = length > 1e-9 ? fmin(1.0, fmax(0.0, (p[0] * axis[0] + p[1] * axis[1]) / length)) : 1.0;
      double n[3] = {p[0] - along * axis[0], -(p[1] - along * axis[1]), 0.0};
      double out = 1.0 - n[0] * n[0] - n[1] * n[1];
      if (out < 0.0) continue;
      n[2] = sqrt(out);
      double depth = s.low.depth + along * (s.high.depth - s.low.depth) - body->radius * n[2];
      size_t i = (y - band->top) * band->width + x;
      float key = key_of(eye, depth - 0.1 * body->radius);
      if (!(key > band->key[i])) continue;
      band->key[i] = key;
      band->colour[i] = pack(stand_colour(body, &s, colour, n, along), 1.08 * th_render_light(&straight, n, ray));
    }
}

void th_raster_body(const th_render_mesh *drawn, const th_render_camera *eye, th_render_rows *band, uint32_t agent) {
  th_render_body body;
  if (!th_render_body_of(drawn, eye, agent, band->unit, &body)) return;
  th_colour colour = th_agent_colour(drawn, agent);
  raster_disc(eye, band, &body, colour, body.upright);
  if (body.upright) raster_stand(eye, band, &body, colour);
}
