/* report/render/ground_marks.c - marks painted on the ground: circles in space, and polygons seen from above.
 *
 * A face lies inside a polygon, outside it, or on its border: the first two are decided once per face, so that only
 * samples of faces on the border are tested one by one. Outlines themselves are lines (marks.c). Cost: O(points of the
 * outlines) per face that is near, and per sample on a border.
 */
#include "geometry/polygon.h"
#include "report/render/view.h"

static void point_of(const th_render_mesh *drawn, uint32_t face, const double b[3], double p[3]) {
  const uint32_t *corner = drawn->def->mesh->corner + 3 * (size_t)face;
  p[0] = p[1] = p[2] = 0.0;
  for (int k = 0; k < 3; k++)
    for (size_t i = 0; i < 3; i++) p[i] += b[k] * drawn->xyz[3 * (size_t)corner[k] + i];
}

static bool holds(const th_mesh_figure_mark *mark, const double p[3], double stretch) {
  const double z = p[2] / stretch;
  return z >= (double)mark->low && z <= (double)mark->high &&
         th_polygon_ring_holds(&mark->outline->x, 3, mark->outline_count, p[0], p[1]);
}

/* Whether a side of the outline may pass over the box around a face, seen from above. */
static bool cuts(const th_mesh_figure_mark *mark, const double low[2], const double high[2]) {
  for (uint32_t k = 0; k < mark->outline_count; k++) {
    const th_vec3 a = mark->outline[k], b = mark->outline[(k + 1) % mark->outline_count];
    const double ax = (double)a.x, ay = (double)a.y, bx = (double)b.x, by = (double)b.y;
    if (fmax(ax, bx) >= low[0] && fmin(ax, bx) <= high[0] && fmax(ay, by) >= low[1] && fmin(ay, by) <= high[1])
      return true;
  }
  return false;
}

static th_render_inside polygon_on(const th_render_mesh *drawn, const th_mesh_figure_mark *mark, uint32_t face) {
  const uint32_t *corner = drawn->def->mesh->corner + 3 * (size_t)face;
  static const double third[3] = {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0};
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, middle[3];
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 3; i++) {
      const double x = drawn->xyz[3 * (size_t)corner[k] + (size_t)i] / (i == 2 ? drawn->def->stretch : 1.0);
      low[i] = fmin(low[i], x), high[i] = fmax(high[i], x);
    }
  if (high[2] < (double)mark->low || low[2] > (double)mark->high) return TH_OUTSIDE;
  const bool whole = low[2] >= (double)mark->low && high[2] <= (double)mark->high;
  if (!whole || cuts(mark, low, high)) return TH_ACROSS;
  point_of(drawn, face, third, middle);
  return holds(mark, middle, drawn->def->stretch) ? TH_INSIDE : TH_OUTSIDE;
}

static bool circle_near(const th_render_mesh *drawn, const th_mesh_figure_mark *mark, uint32_t face) {
  const uint32_t *corner = drawn->def->mesh->corner + 3 * (size_t)face;
  double c[3], near = INFINITY, longest = 0.0, own[3], there[3];
  th_render_space_of(drawn, mark->point, c);
  for (int k = 0; k < 3; k++) {
    const double *a = drawn->xyz + 3 * (size_t)corner[k], *b = drawn->xyz + 3 * (size_t)corner[(k + 1) % 3];
    double d[3] = {a[0] - c[0], a[1] - c[1], a[2] - c[2]}, e[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    near = fmin(near, th_length3d(d));
    longest = fmax(longest, th_length3d(e));
  }
  if (near > 1.2 * (double)mark->radius + longest) return false;
  th_render_face_normal(drawn, face, own);
  th_render_face_normal(drawn, mark->face, there);
  return th_dot3d(own, there) > 0.0; /* on the same side of the surface */
}

void th_render_marks_find(const th_render_mesh *drawn, uint32_t face, th_render_face_marks *marks) {
  const th_mesh_figure_def *def = drawn->def;
  marks->count = 0;
  for (uint32_t m = 0; m < def->mark_count && marks->count < TH_MAX_FACE_MARKS; m++) {
    const th_mesh_figure_mark *mark = &def->mark[m];
    th_render_inside inside = TH_OUTSIDE;
    if (mark->outline)
      inside = mark->closed ? polygon_on(drawn, mark, face) : TH_OUTSIDE;
    else if (circle_near(drawn, mark, face))
      inside = TH_ACROSS;
    if (inside == TH_OUTSIDE) continue;
    marks->inside[marks->count] = inside;
    marks->mark[marks->count++] = mark;
  }
}

/* A disc in space, with a rim. */
static void paint_circle(const th_render_mesh *drawn, const th_mesh_figure_mark *mark, const double p[3], double pixel,
                         float rgb[3]) {
  double c[3];
  th_render_space_of(drawn, mark->point, c);
  double d[3] = {p[0] - c[0], p[1] - c[1], p[2] - c[2]}, off = (double)mark->radius - th_length3d(d);
  th_colour colour = th_figure_mark_colour(mark->kind);
  if (off < -1.2 * pixel) return;
  if (off < 0.0 || (off > 2.6 * pixel && off < 3.8 * pixel))
    th_render_mix(rgb, &th_paper, 0.85);
  else
    th_render_mix(rgb, &colour, off < 2.6 * pixel ? 1.0 : 0.5);
}

void th_render_marks_paint(const th_render_mesh *drawn, const th_render_camera *eye, const th_render_face_marks *marks,
                           const th_render_sample *at, float rgb[3]) {
  double p[3];
  th_render_point spot;
  point_of(drawn, at->face, at->b, p);
  if (!th_render_camera_see(eye, p, &spot)) return;
  for (uint32_t m = 0; m < marks->count; m++) {
    const th_mesh_figure_mark *mark = marks->mark[m];
    const th_colour colour = th_figure_mark_colour(mark->kind);
    if (!mark->outline)
      paint_circle(drawn, mark, p, at->unit / th_render_camera_metre(eye, spot.depth), rgb);
    else if (marks->inside[m] == TH_INSIDE || holds(mark, p, drawn->def->stretch))
      th_render_mix(rgb, &colour, th_figure_mark_quiet(mark->kind) ? 0.15 : 0.45);
  }
}
