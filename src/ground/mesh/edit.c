/* ground/mesh/edit.c - the next version of a mesh ground: doors, obstacles, moved vertices.
 *
 * Edits are applied one after the other to the list of regions in use; then the version is built once. Doors come
 * before obstacles and obstacles in the order they were added, as in a new ground. An edit costs a copy of the lists
 * and what its walls reach; a deformation costs as much as a new ground without the welding.
 */
#include "ground/edit.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "geometry/mesh/build.h"
#include "ground/mesh/version.h"

/* as in geometry/mesh/build.c: height over the longest edge below which a face has no area */
typedef struct revision {
  const th_ground *ground;
  th_mesh_barrier *use; /* each with a reference */
  uint32_t count;
} revision;

static void *find_use(void *revision_of, const char *name, bool door) {
  const revision *r = revision_of;
  for (uint32_t k = 0; k < r->count; k++) {
    const char *other = r->use[k].part->region.name;
    if (r->use[k].door == door && other && strcmp(other, name) == 0) return &r->use[k];
  }
  return NULL;
}

static void set_door(void *revision_of, void *door, bool closed) {
  (void)revision_of;
  ((th_mesh_barrier *)door)->closed = closed;
}

static th_result add_region(void *revision_of, const th_edit *edit, uint32_t index, th_error *error) {
  revision *r = revision_of;
  if (!edit->region)
    return th_fail_at(error, TH_ERROR_RANGE, "edit", index, "expected a region of the surface, found none");
  const th_mesh *mesh = &r->ground->mesh->mesh;
  th_result result = th_mesh_region_check(edit->region, mesh, "edit", index, error);
  if (result) return result;
  const char *name = edit->region->name ? edit->region->name : edit->name;
  if (name && (find_use(r, name, true) || find_use(r, name, false)))
    return th_fail_at(error, TH_ERROR_FORMAT, "edit", index, "expected a name of its own, found %s a second time",
                      name);
  th_mesh_region *part = th_mesh_region_make(&r->ground->env.allocator, edit->region, name);
  if (!part) return th_fail_memory(error, "edit");
  r->use[r->count++] = (th_mesh_barrier){part, false, true};
  return TH_OK;
}

static void remove_region(void *revision_of, void *obstacle) {
  revision *r = revision_of;
  th_mesh_barrier *use = obstacle;
  th_mesh_region_release(use->part);
  memmove(use, use + 1, (size_t)(r->use + r->count - use - 1) * sizeof *use);
  r->count--;
}

static const th_edit_rules rules = {find_use, set_door, remove_region, add_region, NULL};

static th_result move_vertices(double *xyz, uint32_t vertices, const th_vertex_move *move, uint32_t count,
                               th_error *error) {
  for (uint32_t k = 0; k < count; k++) {
    const double to[3] = {(double)move[k].to.x, (double)move[k].to.y, (double)move[k].to.z};
    if (move[k].vertex >= vertices)
      return th_fail_at(error, TH_ERROR_RANGE, "deform", k, "expected a vertex below %u, found %u", vertices,
                        move[k].vertex);
    for (size_t i = 0; i < 3; i++) {
      if (!(fabs(to[i]) <= TH_MESH_MAX_COORDINATE))
        return th_fail_at(error, TH_ERROR_RANGE, "deform", k, "expected coordinates within +-%g m, found %g",
                          TH_MESH_MAX_COORDINATE, to[i]);
      xyz[3 * (size_t)move[k].vertex + i] = to[i] + 0.0;
    }
  }
  return TH_OK;
}

static th_result check_areas(const double *xyz, const th_mesh *mesh, th_error *error) {
  for (uint32_t f = 0; f < mesh->face_count; f++) {
    const uint32_t *c = mesh->corner + 3 * (size_t)f;
    if (!th_mesh_triangle_has_area(xyz + 3 * (size_t)c[0], xyz + 3 * (size_t)c[1], xyz + 3 * (size_t)c[2]))
      return th_fail_at(error, TH_ERROR_GEOMETRY, "deform", f,
                        "expected faces that keep an area, found face %u without", f);
  }
  return TH_OK;
}

/* The form after all deformations of the list; a reference is given. */
static th_result moved_form(const th_ground *ground, const th_edit *edit, uint32_t count, th_mesh_form **form,
                            th_error *error) {
  const th_mesh *mesh = &ground->mesh->mesh;
  const th_allocator *a = &ground->env.allocator;
  size_t numbers = 3 * (size_t)mesh->vertex_count;
  double *xyz = TH_TAKE(a, double, numbers);
  *form = NULL;
  if (!xyz) return th_fail_memory(error, "deform");
  memcpy(xyz, mesh->xyz, numbers * sizeof *xyz);
  th_result result = TH_OK;
  for (uint32_t k = 0; k < count && !result; k++)
    if (edit[k].kind == TH_EDIT_DEFORM)
      result = move_vertices(xyz, mesh->vertex_count, edit[k].move, edit[k].move_count, error);
  if (!result) result = check_areas(xyz, mesh, error);
  if (!result) *form = th_mesh_form_moved(ground->mesh->form, xyz);
  TH_GIVE(a, xyz, numbers);
  return result || *form ? result : th_fail_memory(error, "deform");
}

static th_result find_form(const th_ground *ground, const th_edit *edit, uint32_t count, th_mesh_form **form,
                           th_error *error) {
  for (uint32_t k = 0; k < count; k++)
    if (edit[k].kind == TH_EDIT_DEFORM) return moved_form(ground, edit, count, form, error);
  *form = ground->mesh->form;
  atomic_fetch_add(&(*form)->references, 1);
  return TH_OK;
}

static th_result build_next(const revision *r, th_mesh_form *form, uint32_t version, th_ground **next,
                            th_error *error) {
  const th_ground *ground = r->ground;
  const th_mesh_ground_version build = {.env = &ground->env,
                                        .form = form,
                                        .use = r->use,
                                        .use_count = r->count,
                                        .radius_class = ground->radius_class,
                                        .class_count = ground->class_count,
                                        .version = version,
                                        .clearance_limit = ground->clearance_limit,
                                        .markers = ground->markers,
                                        .old = ground->mesh};
  return th_mesh_ground_build(&build, next, error);
}

th_result th_mesh_ground_edit(const th_ground *ground, const th_edit *edit, uint32_t count, uint32_t version,
                              th_ground **next, th_error *error) {
  const th_mesh_ground *s = ground->mesh;
  const th_allocator *a = &ground->env.allocator;
  th_mesh_form *form;
  *next = NULL;
  th_result result = find_form(ground, edit, count, &form, error);
  if (result) return result;
  uint32_t max = s->use_count + count;
  revision r = {ground, TH_TAKE(a, th_mesh_barrier, max), 0};
  for (; r.use && r.count < s->use_count; r.count++) {
    r.use[r.count] = s->use[r.count];
    th_mesh_region_retain(r.use[r.count].part);
  }
  result = r.use ? th_edit_apply(&rules, &r, edit, count, error) : th_fail_memory(error, "edit");
  if (!result) result = build_next(&r, form, version, next, error);
  for (uint32_t k = 0; k < r.count; k++) th_mesh_region_release(r.use[k].part);
  TH_GIVE(a, r.use, max);
  th_mesh_form_release(form);
  return result;
}

th_result th_ground_deform(const th_ground *ground, const th_vertex_move *move, uint32_t count, th_ground **next,
                           th_error *error) {
  *next = NULL;
  if (!th_ground_is_mesh(ground))
    return th_fail(error, TH_ERROR_STATE, "deform", "expected a mesh ground, found a flat one");
  const th_edit edit = {.kind = TH_EDIT_DEFORM, .move = move, .move_count = count};
  return th_ground_edit(ground, &edit, 1, next, error);
}
