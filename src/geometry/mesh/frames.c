/* geometry/mesh/frames.c - flat frames of faces and the maps between neighbours.
 *
 * Unfolding a neighbour about the common edge is a rigid motion, and it depends on the two frames only: with e the
 * edge's vector in the one and e' in the other, c = e.e'/|e||e'| and s = (e x e')/|e||e'|. No trigonometry. O(n).
 */
#include "geometry/mesh/frames.h"

#include "base/memory.h"
#include "geometry/vector.h"

static const double *vertex_of(const th_mesh *m, uint32_t h) { return m->xyz + 3 * (size_t)m->corner[h]; }

static void fit_face(th_mesh_frames *frames, uint32_t f) {
  const double *a = vertex_of(frames->mesh, 3 * f), *b = vertex_of(frames->mesh, 3 * f + 1),
               *c = vertex_of(frames->mesh, 3 * f + 2);
  double u[3], v[3], n[3];
  th_minus3d(b, a, u);
  th_minus3d(c, a, v);
  double length = th_length3d(u);
  th_cross3d(u, v, n);
  frames->face[f] = (th_face_frame){length, th_dot3d(u, v) / length, th_length3d(n) / length};
}

static void fit_edge(th_mesh_frames *frames, uint32_t h) {
  uint32_t g = frames->mesh->twin[h];
  frames->edge[h] = (th_edge_map){1.0, 0.0, 0.0, 0.0};
  if (g == TH_NO_HALF) return;
  th_point a = th_frames_corner(frames, h), b = th_frames_corner(frames, th_half_next(h));
  th_point to_b = th_frames_corner(frames, g), to_a = th_frames_corner(frames, th_half_next(g));
  double ex = b.x - a.x, ey = b.y - a.y, fx = to_b.x - to_a.x, fy = to_b.y - to_a.y;
  double size = sqrt((ex * ex + ey * ey) * (fx * fx + fy * fy));
  double c = (ex * fx + ey * fy) / size, s = (ex * fy - ey * fx) / size;
  frames->edge[h] = (th_edge_map){c, s, to_a.x - (c * a.x - s * a.y), to_a.y - (s * a.x + c * a.y)};
}

static void fit_space(th_mesh_frames *frames, uint32_t f) {
  const double *a = vertex_of(frames->mesh, 3 * f);
  double x[3], y[3];
  th_frames_axes(frames, f, x, y);
  th_face_space *s = &frames->space[f];
  for (int k = 0; k < 3; k++) {
    s->origin[k] = a[k];
    s->x[k] = (float)x[k];
    s->y[k] = (float)y[k];
    s->normal[k] = (float)(x[(k + 1) % 3] * y[(k + 2) % 3] - x[(k + 2) % 3] * y[(k + 1) % 3]);
  }
}

static void fit_walk(th_mesh_frames *frames, uint32_t f) {
  const th_face_frame *from = &frames->face[f];
  th_face_walk *w = &frames->walk[f];
  *w = (th_face_walk){.bx = (float)from->bx, .cx = (float)from->cx, .cy = (float)from->cy};
  for (uint32_t k = 0; k < 3; k++) {
    uint32_t g = frames->mesh->twin[3 * f + k];
    w->over[k] = g == TH_NO_HALF ? TH_NO_HALF : 4 * (g / 3) + th_half_next(g) % 3;
    w->c[k] = (float)frames->edge[3 * f + k].c;
    w->s[k] = (float)frames->edge[3 * f + k].s;
  }
}

void th_mesh_frames_refit(th_mesh_frames *frames) {
  const uint32_t faces = frames->mesh->face_count;
  for (uint32_t f = 0; f < faces; f++) fit_face(frames, f);
  for (uint32_t h = 0; h < 3 * faces; h++) fit_edge(frames, h);
  for (uint32_t f = 0; f < faces; f++) fit_space(frames, f);
  for (uint32_t f = 0; f < faces; f++) fit_walk(frames, f);
}

bool th_mesh_frames_make(th_mesh_frames *frames, const th_mesh *mesh) {
  *frames = (th_mesh_frames){.mesh = mesh};
  frames->face = TH_TAKE(&mesh->allocator, th_face_frame, mesh->face_count);
  frames->edge = TH_TAKE(&mesh->allocator, th_edge_map, 3 * (size_t)mesh->face_count);
  frames->space = TH_TAKE(&mesh->allocator, th_face_space, mesh->face_count);
  frames->walk = TH_TAKE(&mesh->allocator, th_face_walk, mesh->face_count);
  if (frames->face && frames->edge && frames->space && frames->walk) {
    th_mesh_frames_refit(frames);
    return true;
  }
  th_mesh_frames_free(frames);
  return false;
}

bool th_mesh_frames_make_faces(th_mesh_frames *frames, const th_mesh *mesh) {
  *frames = (th_mesh_frames){.mesh = mesh};
  frames->face = TH_TAKE(&mesh->allocator, th_face_frame, mesh->face_count);
  for (uint32_t f = 0; frames->face && f < mesh->face_count; f++) fit_face(frames, f);
  return frames->face != NULL;
}

void th_mesh_frames_free(th_mesh_frames *frames) {
  if (!frames->mesh) return;
  TH_GIVE(&frames->mesh->allocator, frames->face, frames->mesh->face_count);
  TH_GIVE(&frames->mesh->allocator, frames->edge, 3 * (size_t)frames->mesh->face_count);
  TH_GIVE(&frames->mesh->allocator, frames->space, frames->mesh->face_count);
  TH_GIVE(&frames->mesh->allocator, frames->walk, frames->mesh->face_count);
  *frames = (th_mesh_frames){0};
}

void th_frames_weights(const th_mesh_frames *frames, uint32_t face, th_point p, double *weight) {
  const th_face_frame *f = &frames->face[face];
  weight[2] = p.y / f->cy;
  weight[1] = (p.x - weight[2] * f->cx) / f->bx;
  weight[0] = 1.0 - weight[1] - weight[2];
}

th_point th_frames_at(const th_mesh_frames *frames, uint32_t face, const double *weight) {
  const th_face_frame *f = &frames->face[face];
  return (th_point){weight[1] * f->bx + weight[2] * f->cx, weight[2] * f->cy};
}

void th_frames_point(const th_mesh_frames *frames, uint32_t face, th_point p, double *xyz) {
  double w[3];
  th_frames_weights(frames, face, p, w);
  const double *a = vertex_of(frames->mesh, 3 * face), *b = vertex_of(frames->mesh, 3 * face + 1),
               *c = vertex_of(frames->mesh, 3 * face + 2);
  for (int k = 0; k < 3; k++) xyz[k] = a[k] + w[1] * (b[k] - a[k]) + w[2] * (c[k] - a[k]);
}

void th_frames_axes(const th_mesh_frames *frames, uint32_t face, double *x_axis, double *y_axis) {
  const th_face_frame *f = &frames->face[face];
  const double *a = vertex_of(frames->mesh, 3 * face), *b = vertex_of(frames->mesh, 3 * face + 1),
               *c = vertex_of(frames->mesh, 3 * face + 2);
  for (int k = 0; k < 3; k++) {
    x_axis[k] = (b[k] - a[k]) / f->bx;
    y_axis[k] = (c[k] - a[k] - f->cx * x_axis[k]) / f->cy;
  }
}
