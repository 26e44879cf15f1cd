/* report/render/people.c - agents in vector files: the shapes of body.c as paths, from back to front.
 *
 * A body is drawn whole when most of its middle line is visible in the picture, else left out: vector files cannot hide
 * a part of it without cutting the shape. Cost: O(agents).
 */
#include "base/trig.h"
#include "report/render/view.h"

static bool part_shows(const th_render_panel *panel, const th_render_body *body, double up, th_render_point *spot) {
  double p[3];
  for (int k = 0; k < 3; k++) p[k] = body->foot[k] + up * body->height * body->up[k];
  if (!th_render_camera_see(&panel->eye, p, spot)) return false;
  double lift = 0.8 * body->radius + 2.0 / th_render_camera_metre(&panel->eye, spot->depth);
  return th_render_image_shows(&panel->picture, spot->x, spot->y, spot->depth - lift);
}

/* Makes the tangent plane, with the unit circle in it, the coordinate system of the path. */
static bool lay(const th_render_panel *panel, const th_render_body *body) {
  th_render_point middle, a, s;
  double ahead[3], side[3];
  for (int k = 0; k < 3; k++) {
    ahead[k] = body->foot[k] + body->radius * body->ahead[k];
    side[k] = body->foot[k] + body->across * body->side[k];
  }
  if (!th_render_camera_see(&panel->eye, body->foot, &middle) || !th_render_camera_see(&panel->eye, ahead, &a) ||
      !th_render_camera_see(&panel->eye, side, &s))
    return false;
  cairo_matrix_t map;
  cairo_matrix_init(&map, a.x - middle.x, a.y - middle.y, s.x - middle.x, s.y - middle.y, middle.x, middle.y);
  if (fabs(map.xx * map.yy - map.xy * map.yx) < 1e-6) return false;
  cairo_transform(panel->canvas->cr, &map);
  return true;
}

static void draw_disc(const th_render_panel *panel, const th_render_body *body, th_colour colour) {
  cairo_t *cr = panel->canvas->cr;
  cairo_save(cr);
  cairo_new_path(cr);
  if (lay(panel, body)) {
    cairo_arc(cr, 0.0, 0.0, 1.0, 0.0, TH_TURN);
    th_canvas_colour(cr, th_paper, 1.0);
    cairo_fill(cr);
    cairo_arc(cr, 0.0, 0.0, 0.84, 0.0, TH_TURN);
    th_canvas_colour(cr, colour, 1.0);
    cairo_fill(cr);
    if (body->heading) {
      cairo_rectangle(cr, 0.1, -0.13, 0.75, 0.26);
      th_canvas_colour(cr, th_paper, 1.0);
      cairo_fill(cr);
    }
  }
  cairo_restore(cr);
}

static void draw_shadow(const th_render_panel *panel, const th_render_body *body) {
  cairo_t *cr = panel->canvas->cr;
  cairo_save(cr);
  cairo_new_path(cr);
  if (lay(panel, body)) {
    cairo_arc(cr, 0.0, 0.0, 1.15, 0.0, TH_TURN);
    th_canvas_colour(cr, th_ink, 0.25);
    cairo_fill(cr);
  }
  cairo_restore(cr);
}

static void round_line(cairo_t *cr, const th_render_point *a, const th_render_point *b, double radius,
                       th_colour colour) {
  cairo_new_path(cr);
  cairo_move_to(cr, a->x, a->y);
  cairo_line_to(cr, b->x, b->y + 1e-3); /* a point has no cap in some viewers */
  cairo_set_line_width(cr, 2.0 * radius);
  th_canvas_colour(cr, colour, 1.0);
  cairo_stroke(cr);
}

/* Half the width of the outline across a line on the page. */
static double half_width(const th_render_outline *o, const th_render_point *a, const th_render_point *b) {
  double x = b->x - a->x, y = b->y - a->y, length = hypot(x, y);
  if (!(length > 1e-6)) return sqrt(o->xx * o->yy); /* seen from above: as much area */
  return hypot(o->xx * y - o->yx * x, o->yy * x) / length;
}

static th_colour shaded(th_colour c, th_colour with, double share) {
  return (th_colour){c.r + share * (with.r - c.r), c.g + share * (with.g - c.g), c.b + share * (with.b - c.b)};
}

static void draw_standing(const th_render_panel *panel, const th_render_body *body, th_colour colour) {
  cairo_t *cr = panel->canvas->cr;
  double at[3][3]; /* low and high end of the axis, chin */
  th_render_point spot[3];
  for (int k = 0; k < 3; k++) {
    at[0][k] = body->foot[k] + body->radius * body->up[k];
    at[1][k] = body->foot[k] + (body->height - body->radius) * body->up[k];
    at[2][k] = at[1][k] + 0.35 * body->radius * body->ahead[k];
  }
  for (int k = 0; k < 3; k++)
    if (!th_render_camera_see(&panel->eye, at[k], &spot[k])) return;
  double metre = th_render_camera_metre(&panel->eye, 0.5 * (spot[0].depth + spot[1].depth));
  const th_render_outline outline = th_render_outline_of(&panel->eye, body, metre);
  double radius = half_width(&outline, &spot[0], &spot[1]);
  cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND);
  round_line(cr, &spot[0], &spot[1], radius, shaded(colour, th_ink, 0.45));
  round_line(cr, &spot[0], &spot[1], 0.86 * radius, colour);
  round_line(cr, &spot[1], &spot[1], 0.86 * radius, shaded(colour, th_paper, 0.38));
  if (body->heading && th_dot3d(body->ahead, panel->eye.back) > -0.2)
    round_line(cr, &spot[2], &spot[2], 0.42 * radius, th_paper);
  cairo_set_line_cap(cr, CAIRO_LINE_CAP_BUTT);
}

void th_render_people(const th_render_panel *panel, const uint32_t *order, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    th_render_body body;
    th_render_point spot;
    if (!th_render_body_of(panel->drawn, &panel->eye, order[i], panel->canvas->unit, &body)) continue;
    bool low = part_shows(panel, &body, 0.0, &spot), high = body.upright && part_shows(panel, &body, 0.6, &spot);
    if (!(body.upright ? high : low)) continue;
    th_colour colour = th_agent_colour(panel->drawn, order[i]);
    if (!body.upright)
      draw_disc(panel, &body, colour);
    else if (low)
      draw_shadow(panel, &body);
    if (body.upright) draw_standing(panel, &body, colour);
  }
}
