/* report/render/mesh.c - prepares a mesh for drawing: normals, edges drawn as lines, levels of isolines.
 *
 * A corner's normal is the mean of the faces around its vertex that differ from its own face by less than 40 degrees,
 * weighted by their angles at the vertex (Thuermer and Wuethrich 1998), so that a statue looks smooth while the edge of
 * a stair stays an edge. Cost: O(faces), and O(vertices log vertices) for the scale of a field.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "geometry/mesh/halfedge.h"
#include "report/render/view.h"

#define CREASE 0.766 /* cosine of 40 degrees */
#define EVEN_ISOLINES 14.0

void th_render_face_normal(const th_render_mesh *drawn, uint32_t face, double normal[3]) {
  const uint32_t *corner = drawn->def->mesh->corner + 3 * (size_t)face;
  const double *a = drawn->xyz + 3 * (size_t)corner[0], *b = drawn->xyz + 3 * (size_t)corner[1],
               *c = drawn->xyz + 3 * (size_t)corner[2];
  double p[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, q[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
  th_cross3d(p, q, normal);
  th_unit3d(normal);
}

/* Angle of a face at the start of half-edge h. */
static double angle_at(const th_render_mesh *drawn, uint32_t h) {
  const th_mesh *mesh = drawn->def->mesh;
  const double *a = drawn->xyz + 3 * (size_t)mesh->corner[h],
               *b = drawn->xyz + 3 * (size_t)mesh->corner[th_half_next(h)],
               *c = drawn->xyz + 3 * (size_t)mesh->corner[th_half_previous(h)];
  double p[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, q[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]}, cross[3];
  th_cross3d(p, q, cross);
  return atan2(th_length3d(cross), th_dot3d(p, q));
}

static void add_normal(const th_render_mesh *drawn, uint32_t h, const double own[3], double sum[3]) {
  double normal[3];
  th_render_face_normal(drawn, h / 3, normal);
  if (th_dot3d(normal, own) < CREASE) return;
  double angle = angle_at(drawn, h);
  for (int k = 0; k < 3; k++) sum[k] += angle * normal[k];
}

static void corner_normal(const th_render_mesh *drawn, uint32_t h) {
  const th_mesh *mesh = drawn->def->mesh;
  double own[3], sum[3] = {0.0, 0.0, 0.0};
  uint32_t at = mesh->leaving[mesh->corner[h]], begin = at;
  th_render_face_normal(drawn, h / 3, own);
  do { /* a border vertex begins at the end of its fan */
    add_normal(drawn, at, own, sum);
    at = th_half_left(mesh, at);
  } while (at != TH_NO_HALF && at != begin);
  if (th_unit3d(sum) == 0.0) memcpy(sum, own, sizeof sum);
  for (int k = 0; k < 3; k++) drawn->normal[3 * (size_t)h + (size_t)k] = (float)sum[k];
}

static bool differ(const th_render_mesh *drawn, uint32_t a, uint32_t b) {
  const th_mesh_figure_def *def = drawn->def;
  return def->blocked && (def->blocked[a] != 0) != (def->blocked[b] != 0);
}

static void mark_edges(th_render_mesh *drawn) {
  drawn->closed = true;
  const th_mesh_figure_def *def = drawn->def;
  for (uint32_t h = 0; h < 3 * drawn->faces; h++) {
    uint32_t twin = def->mesh->twin[h];
    th_edge_mark mark = def->edges ? TH_EDGE_MESH : TH_EDGE_NONE;
    bool thesis = def->colours == TH_MESH_FIGURE_THESIS;
    if (twin == TH_NO_HALF)
      mark = TH_EDGE_WALL;
    else if (differ(drawn, h / 3, twin / 3))
      mark = thesis ? TH_EDGE_FRONTIER : TH_EDGE_WALL;
    else if (thesis && def->terrain_of && def->terrain_of[h / 3] != def->terrain_of[twin / 3])
      mark = TH_EDGE_FRONTIER;
    drawn->edge[h] = (uint8_t)mark;
    if (twin == TH_NO_HALF) drawn->closed = false;
    if (mark < TH_EDGE_WALL) continue;
    drawn->knot[def->mesh->corner[h]] = drawn->knot[def->mesh->corner[th_half_next(h)]] = 1;
  }
}

static void stretch(th_render_mesh *drawn) {
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (uint32_t v = 0; v < drawn->vertices; v++)
    for (size_t k = 0; k < 3; k++) {
      double x = drawn->def->mesh->xyz[3 * (size_t)v + k] * (k == 2 ? drawn->def->stretch : 1.0);
      drawn->xyz[3 * (size_t)v + k] = x;
      low[k] = fmin(low[k], x), high[k] = fmax(high[k], x);
    }
  for (int k = 0; k < 3; k++) {
    drawn->middle[k] = 0.5 * (low[k] + high[k]);
    drawn->size += (high[k] - low[k]) * (high[k] - low[k]);
  }
  drawn->size = sqrt(drawn->size);
}

static int by_value(const void *a, const void *b) {
  float p = *(const float *)a, q = *(const float *)b;
  return p < q ? -1 : p > q;
}

/* Finite values, sorted. */
static uint32_t sorted_values(const float *value, uint32_t count, float *sorted) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < count; i++)
    if (isfinite(value[i])) sorted[n++] = value[i];
  qsort(sorted, n, sizeof *sorted, by_value);
  return n;
}

static void choose_levels(th_render_mesh *drawn, const float *sorted, uint32_t n) {
  th_isolines how = drawn->def->value.isolines;
  double range = drawn->value.max - drawn->value.min, step = th_canvas_round_down(range / EVEN_ISOLINES * 1.5);
  if (!drawn->def->value.vertex || how == TH_ISOLINES_NONE || n < 2) return;
  if (how == TH_ISOLINES_RANKED) {
    for (uint32_t k = 1; k <= 16; k++) {
      double level = (double)sorted[(uint32_t)((double)(n - 1) * k / 17.0)];
      if (drawn->levels == 0 || level > drawn->level[drawn->levels - 1]) drawn->level[drawn->levels++] = level;
    }
    return;
  }
  double first = ceil(drawn->value.min / step);
  for (uint32_t k = 0; k < TH_MAX_ISOLINES && (first + k) * step <= drawn->value.max; k++)
    drawn->level[drawn->levels++] = (first + k) * step;
}

static th_scale scale_of(const float *sorted, uint32_t n, float min, float max, const char *label) {
  th_scale scale = {0.0, 1.0, label, false};
  uint32_t outer = n / 200;
  if (n) scale.min = (double)sorted[outer], scale.max = (double)sorted[n - 1 - outer];
  if (isfinite(min)) scale.min = (double)min;
  if (isfinite(max)) scale.max = (double)max;
  if (!(scale.max > scale.min)) scale.max = scale.min + 1.0;
  return scale;
}

/* Makes the range symmetric about the middle, so that the middle value has the middle colour. */
static void centre_scale(th_render_mesh *drawn) {
  double middle = (double)drawn->def->value.middle;
  if (!isfinite(middle)) return;
  double reach = fmax(drawn->value.max - middle, middle - drawn->value.min);
  drawn->value.min = middle - reach, drawn->value.max = middle + reach;
}

static th_result choose_scales(th_render_mesh *drawn, th_error *error) {
  const th_mesh_figure_value *value = &drawn->def->value;
  const th_mesh_figure_bodies *agents = &drawn->def->agents;
  const float *painted = value->vertex ? value->vertex : value->face;
  uint32_t count = value->vertex ? drawn->vertices : drawn->faces;
  uint32_t max = painted && count > agents->count ? count : agents->count;
  float *sorted = TH_TAKE(&drawn->allocator, float, max);
  if (!sorted) return th_fail_memory(error, "figure");
  if (painted) {
    uint32_t n = sorted_values(painted, count, sorted);
    drawn->value = scale_of(sorted, n, value->min, value->max, value->label);
    centre_scale(drawn);
    choose_levels(drawn, sorted, n);
  }
  if (agents->value && (agents->count || isfinite(agents->max))) {
    uint32_t n = sorted_values(agents->value, agents->count, sorted);
    drawn->agents = scale_of(sorted, n, agents->min, agents->max, agents->label);
  }
  if (drawn->def->line_value)
    drawn->lines =
        (th_scale){(double)drawn->def->line_min, (double)drawn->def->line_max, drawn->def->line_label, false};
  TH_GIVE(&drawn->allocator, sorted, max);
  return TH_OK;
}

uint32_t th_render_mesh_level(const th_render_mesh *drawn, double value) {
  uint32_t lo = 0, hi = drawn->levels - 1;
  while (lo < hi) {
    uint32_t mid = (lo + hi) / 2;
    if (drawn->level[mid] < value)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo > 0 && value - drawn->level[lo - 1] < drawn->level[lo] - value ? lo - 1 : lo;
}

void th_render_mesh_free(th_render_mesh *drawn) {
  TH_GIVE(&drawn->allocator, drawn->xyz, 3 * (size_t)drawn->vertices);
  TH_GIVE(&drawn->allocator, drawn->normal, 9 * (size_t)drawn->faces);
  TH_GIVE(&drawn->allocator, drawn->edge, 3 * (size_t)drawn->faces);
  TH_GIVE(&drawn->allocator, drawn->knot, drawn->vertices);
  *drawn = (th_render_mesh){0};
}

th_result th_render_mesh_make(const th_mesh_figure_def *def, th_render_mesh *drawn, th_error *error) {
  th_env env = th_env_complete(&def->env);
  *drawn = (th_render_mesh){
      .def = def, .allocator = env.allocator, .vertices = def->mesh->vertex_count, .faces = def->mesh->face_count};
  drawn->xyz = TH_TAKE(&env.allocator, double, 3 * (size_t)drawn->vertices);
  drawn->normal = TH_TAKE(&env.allocator, float, 9 * (size_t)drawn->faces);
  drawn->edge = TH_TAKE(&env.allocator, uint8_t, 3 * (size_t)drawn->faces);
  drawn->knot = TH_TAKE(&env.allocator, uint8_t, drawn->vertices);
  th_result result =
      drawn->xyz && drawn->normal && drawn->edge && drawn->knot ? TH_OK : th_fail_memory(error, "figure");
  if (result == TH_OK) result = choose_scales(drawn, error);
  if (result != TH_OK) {
    th_render_mesh_free(drawn);
    return result;
  }
  stretch(drawn);
  for (uint32_t h = 0; h < 3 * drawn->faces; h++) corner_normal(drawn, h);
  mark_edges(drawn);
  for (uint32_t k = 0; k < TH_RAMP_STEPS; k++) {
    th_colour c = th_value_colour(drawn, (k + 0.5) / TH_RAMP_STEPS);
    drawn->ramp[k][0] = (float)c.r, drawn->ramp[k][1] = (float)c.g, drawn->ramp[k][2] = (float)c.b;
  }
  return TH_OK;
}
