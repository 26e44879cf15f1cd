/* geometry/mesh/build.c - builds a checked mesh from arbitrary triangles.
 *
 * Each stage has a file of its own and does one thing for the whole mesh: weld, pair, orient, split_fans. A stage
 * either repairs by the rule that throng/mesh.h states and leaves a note, or refuses and names the element. Costs are
 * linear except for sorting the edges of each vertex: 1,000,000 faces take well below a second.
 */
#include "geometry/mesh/build.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "geometry/vector.h"

/* A face whose height over its longest edge is below this share of that edge has no area in double precision. */
#define FLAT_SHARE 1e-13

uint32_t th_mesh_vertex_number(const th_mesh_builder *b, uint32_t vertex) {
  const double *p = b->xyz + 3 * (size_t)vertex, unit = b->def->metres_per_unit;
  const double given[3] = {p[0] / unit, p[1] / unit, p[2] / unit};
  return b->def->number ? b->def->number(b->def->number_user, given) : TH_NO_ELEMENT;
}

const char *th_mesh_vertex_text(const th_mesh_builder *b, uint32_t vertex, char text[TH_VERTEX_TEXT]) {
  const double *p = b->xyz + 3 * (size_t)vertex;
  const uint32_t number = th_mesh_vertex_number(b, vertex);
  if (number == TH_NO_ELEMENT)
    snprintf(text, TH_VERTEX_TEXT, "(%g, %g, %g)", p[0], p[1], p[2]);
  else
    snprintf(text, TH_VERTEX_TEXT, "vertex %u at (%g, %g, %g)", number, p[0], p[1], p[2]);
  return text;
}

th_mesh_def th_default_mesh_def(void) { return (th_mesh_def){.where = "mesh", .metres_per_unit = 1.0}; }

th_result th_mesh_note_add(th_mesh_builder *build, th_mesh_note_kind kind, uint32_t index, uint32_t other) {
  th_mesh *m = build->mesh;
  void *note = m->note;
  bool grown = th_grow(&m->allocator, &note, &m->tail.note_capacity, m->note_count + 1, sizeof *m->note);
  m->note = note;
  if (!grown) return th_fail_memory(build->error, build->where);
  const bool vertex = kind == TH_MESH_UNUSED || kind == TH_MESH_PARTED;
  const double *at = build->xyz + 3 * (size_t)(vertex ? index : build->def->corner[3 * (size_t)index]);
  const th_vec3 place = {(float)at[0], (float)at[1], (float)at[2]};
  m->note[m->note_count++] = (th_mesh_note){kind, index, other, place};
  m->count[kind]++;
  return TH_OK;
}

static th_result check_def(const th_mesh_def *def, const char *where, th_error *error) {
  if (!def->face_count) return th_fail(error, TH_ERROR_GEOMETRY, where, "expected triangles, found none");
  if (!def->corner || !def->vertex_count || !def->xyz_float == !def->xyz_double)
    return th_fail(error, TH_ERROR_GEOMETRY, where, "expected vertices as floats or as doubles, and faces");
  if (def->face_count > TH_MESH_MAX_FACES || def->vertex_count > 3u * TH_MESH_MAX_FACES)
    return th_fail(error, TH_ERROR_CAPACITY, where, "expected at most %u faces, found %u and %u vertices",
                   TH_MESH_MAX_FACES, def->face_count, def->vertex_count);
  if (!(def->metres_per_unit > 0.0 && def->metres_per_unit <= 1e6))
    return th_fail(error, TH_ERROR_RANGE, where, "expected metres per unit in (0, 1e6], found %g",
                   def->metres_per_unit);
  if (!(def->weld <= TH_MESH_MAX_COORDINATE))
    return th_fail(error, TH_ERROR_RANGE, where, "expected a welding distance in metres, found %g", def->weld);
  return TH_OK;
}

static th_result read_vertices(th_mesh_builder *b) {
  const th_mesh_def *def = b->def;
  for (size_t v = 0; v < def->vertex_count; v++) {
    for (size_t k = 0; k < 3; k++) {
      double given = def->xyz_float ? (double)def->xyz_float[3 * v + k] : def->xyz_double[3 * v + k];
      double c = given * def->metres_per_unit;
      if (!(fabs(c) <= TH_MESH_MAX_COORDINATE))
        return th_fail_at(b->error, TH_ERROR_RANGE, b->where, (uint32_t)v,
                          "expected coordinates within +-%g m, found %g in vertex %zu", TH_MESH_MAX_COORDINATE, c, v);
      b->xyz[3 * v + k] = c + 0.0; /* -0 and 0 are one place */
    }
  }
  return TH_OK;
}

static th_result check_corners(th_mesh_builder *b) {
  const th_mesh_def *def = b->def;
  for (size_t h = 0; h < 3 * (size_t)def->face_count; h++) {
    if (def->corner[h] < def->vertex_count) continue;
    return th_fail_at(b->error, TH_ERROR_GEOMETRY, b->where, (uint32_t)(h / 3),
                      "expected a vertex below %u, found %u in face %zu", def->vertex_count, def->corner[h], h / 3);
  }
  return TH_OK;
}

bool th_mesh_triangle_has_area(const double *a, const double *b, const double *c) {
  double n[3], longest = 0.0;
  const double *corner[4] = {a, b, c, a};
  for (int k = 0; k < 3; k++) {
    double edge[3];
    th_minus3d(corner[k + 1], corner[k], edge);
    longest = fmax(longest, th_dot3d(edge, edge));
  }
  th_normal3d(a, b, c, n);
  return th_length3d(n) > FLAT_SHARE * longest;
}

static bool has_area(const double *xyz, const uint32_t *corner) {
  return th_mesh_triangle_has_area(xyz + 3 * (size_t)corner[0], xyz + 3 * (size_t)corner[1],
                                   xyz + 3 * (size_t)corner[2]);
}

static th_result keep_faces(th_mesh_builder *b) {
  for (uint32_t f = 0; f < b->def->face_count; f++) {
    uint32_t *c = b->corner + 3 * (size_t)b->face_count;
    for (size_t k = 0; k < 3; k++) c[k] = b->of[b->def->corner[3 * (size_t)f + k]];
    if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0] || !has_area(b->xyz, c)) {
      if (th_mesh_note_add(b, TH_MESH_DEGENERATE, f, TH_NO_ELEMENT) != TH_OK) return TH_ERROR_MEMORY;
      continue;
    }
    b->from[b->face_count++] = f;
  }
  if (b->face_count) return TH_OK;
  return th_fail(b->error, TH_ERROR_GEOMETRY, b->where, "expected a triangle with an area, found none among %u faces",
                 b->def->face_count);
}

static th_result run_stages(th_mesh_builder *b) {
  th_result (*const stage[])(th_mesh_builder *) = {read_vertices, check_corners,  th_mesh_weld,      keep_faces,
                                                   th_mesh_pair,  th_mesh_orient, th_mesh_split_fans};
  for (size_t i = 0; i < sizeof stage / sizeof *stage; i++) {
    th_result result = stage[i](b);
    if (result != TH_OK) return result;
  }
  return TH_OK;
}

static th_result build_mesh(th_mesh_builder *b) {
  const th_allocator *a = &b->mesh->allocator;
  size_t v = b->def->vertex_count, f = b->def->face_count;
  b->xyz = TH_TAKE(a, double, 3 * v);
  b->of = TH_TAKE(a, uint32_t, v);
  b->corner = TH_TAKE(a, uint32_t, 3 * f);
  b->from = TH_TAKE(a, uint32_t, f);
  b->twin = TH_TAKE(a, uint32_t, 3 * f);
  bool got = b->xyz && b->of && b->corner && b->from && b->twin;
  th_result result = got ? run_stages(b) : th_fail_memory(b->error, b->where);
  TH_GIVE(a, b->xyz, 3 * v);
  TH_GIVE(a, b->of, v);
  TH_GIVE(a, b->corner, 3 * f);
  TH_GIVE(a, b->from, f);
  TH_GIVE(a, b->twin, 3 * f);
  return result;
}

th_result th_mesh_build(const th_mesh_def *def, th_mesh *mesh, th_error *error) {
  const char *where = def->where ? def->where : "mesh";
  *mesh = (th_mesh){.allocator = th_env_complete(&def->env).allocator};
  th_result result = check_def(def, where, error);
  if (result != TH_OK) return result;
  mesh->given_vertices = def->vertex_count;
  mesh->given_faces = def->face_count;
  th_mesh_builder build = {.def = def, .where = where, .mesh = mesh, .error = error};
  result = build_mesh(&build);
  if (result != TH_OK) th_mesh_free(mesh);
  return result;
}

void th_mesh_free(th_mesh *mesh) {
  if (!mesh->allocator.release) return;
  const th_allocator *a = &mesh->allocator;
  TH_GIVE(a, mesh->xyz, 3 * (size_t)mesh->vertex_count);
  TH_GIVE(a, mesh->corner, 3 * (size_t)mesh->face_count);
  TH_GIVE(a, mesh->twin, 3 * (size_t)mesh->face_count);
  TH_GIVE(a, mesh->leaving, mesh->vertex_count);
  TH_GIVE(a, mesh->vertex_of, mesh->given_vertices);
  TH_GIVE(a, mesh->face_from, mesh->face_count);
  TH_GIVE(a, mesh->note, mesh->tail.note_capacity);
  memset(mesh, 0, sizeof *mesh);
}
