/* report/render/rim.c - heavy lines on the ground: borders, walls and frontiers.
 *
 * A line is wider than it looks in the mesh: where faces are thin or seen from the side it covers the neighbours of the
 * faces that it parts. So each face paints the heavy edges of all faces round its corners, by the distance of a sample
 * to the edge on the page; joints are round by this, and lines have one width everywhere. Cost: O(1) per face, O(lines
 * near the face) per sample of such faces.
 */
#include "geometry/mesh/halfedge.h"
#include "report/render/view.h"

/* Half the width in units of the page; a border has one side only, and so is drawn in full width on it. */
static double reach_of(const th_render_mesh *drawn, uint32_t half) {
  if (drawn->edge[half] == TH_EDGE_FRONTIER) return 1.3;
  return drawn->def->mesh->twin[half] == TH_NO_HALF ? 1.8 : 0.95;
}

static void add(const th_render_mesh *drawn, const th_render_camera *eye, uint32_t half, th_render_rims *rims) {
  const th_mesh *mesh = drawn->def->mesh;
  th_render_point a, b;
  if (drawn->edge[half] < TH_EDGE_WALL || rims->count == TH_MAX_RIMS) return;
  if (!th_render_camera_see(eye, drawn->xyz + 3 * (size_t)mesh->corner[half], &a) ||
      !th_render_camera_see(eye, drawn->xyz + 3 * (size_t)mesh->corner[th_half_next(half)], &b))
    return;
  const double x = b.x - a.x, y = b.y - a.y, square = x * x + y * y;
  rims->rim[rims->count++] = (th_render_rim){.x = a.x,
                                             .y = a.y,
                                             .dx = x,
                                             .dy = y,
                                             .inverse = square > 0.0 ? 1.0 / square : 0.0,
                                             .reach = reach_of(drawn, half),
                                             .mark = (th_edge_mark)drawn->edge[half]};
}

void th_render_rims_find(const th_render_mesh *drawn, const th_render_camera *eye, uint32_t face,
                         th_render_rims *rims) {
  const th_mesh *mesh = drawn->def->mesh;
  rims->count = 0;
  for (uint32_t k = 0; k < 3; k++) {
    const uint32_t vertex = mesh->corner[3 * face + k], begin = mesh->leaving[vertex];
    if (!drawn->knot[vertex]) continue;
    uint32_t at = begin;
    do { /* a border vertex begins at the end of its fan */
      add(drawn, eye, at, rims);
      add(drawn, eye, th_half_previous(at), rims);
      at = th_half_left(mesh, at);
    } while (at != TH_NO_HALF && at != begin);
  }
}

th_edge_mark th_render_rims_at(const th_render_rims *rims, double x, double y, double unit) {
  th_edge_mark mark = TH_EDGE_NONE;
  for (uint32_t k = 0; k < rims->count; k++) {
    const th_render_rim *rim = &rims->rim[k];
    const double px = x - rim->x, py = y - rim->y, reach = rim->reach * unit;
    const double s = fmin(1.0, fmax(0.0, (px * rim->dx + py * rim->dy) * rim->inverse));
    const double ox = px - s * rim->dx, oy = py - s * rim->dy;
    if (ox * ox + oy * oy < reach * reach && (mark == TH_EDGE_NONE || rim->mark == TH_EDGE_WALL)) mark = rim->mark;
  }
  return mark;
}
