/* ground/flat/edit.c - the next version of a flat ground: doors and obstacles.
 *
 * Edits are applied one after the other to drafts of the shapes; then the version is built once. It takes over a copy
 * of the rasters and recomputes the sides that the edit meets and the cells within the clearance limit of a changed
 * wall. Cost: about 10 wall distances per cell of that window, plus a copy of the rasters.
 */
#include "ground/edit.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "ground/flat/check.h"
#include "ground/flat/version.h"

/* Drafts of the next version while edits are applied one after the other. */
typedef struct revision {
  th_floor_polygon_draft *draft;
  uint32_t count;
  th_box changed;
  const th_allocator *allocator;
  uint32_t version;
} revision;

static void *find_shape(void *revision_of, const char *name, bool door) {
  const revision *r = revision_of;
  for (uint32_t k = 0; k < r->count; k++) {
    th_floor_polygon_draft *draft = &r->draft[k];
    bool kind = draft->kind == (door ? TH_FLOOR_DOOR : TH_FLOOR_OBSTACLE);
    if (kind && draft->shape.name && strcmp(draft->shape.name, name) == 0) return draft;
  }
  return NULL;
}

static void note_change(revision *r, const th_polygon *shape) {
  th_box box = th_polygon_box(shape->point, shape->count);
  th_box_join(&r->changed, &box);
}

static void set_door(void *revision_of, void *place, bool closed) {
  th_floor_polygon_draft *door = place;
  if (door->closed != closed) note_change(revision_of, &door->shape);
  door->closed = closed;
}

static th_result add_obstacle(void *revision_of, const th_edit *edit, uint32_t index, th_error *error) {
  revision *r = revision_of;
  th_polygon shape = edit->shape;
  if (!shape.name) shape.name = edit->name;
  th_result result = th_flat_check_polygon(r->allocator, r->draft, r->count, &shape, error);
  if (result) {
    if (error) error->element = index;
    return result;
  }
  r->draft[r->count++] = (th_floor_polygon_draft){TH_FLOOR_OBSTACLE, false, shape, UINT32_MAX};
  note_change(r, &shape);
  return TH_OK;
}

static void remove_obstacle(void *revision_of, void *place) {
  revision *r = revision_of;
  th_floor_polygon_draft *obstacle = place, *end = r->draft + r->count;
  note_change(r, &obstacle->shape);
  memmove(obstacle, obstacle + 1, (size_t)(end - obstacle - 1) * sizeof *obstacle);
  r->count--;
}

static const th_edit_rules rules = {find_shape, set_door, remove_obstacle, add_obstacle,
                                    "expected a mesh to deform, found flat ground"};

/* Smallest rectangle of cells that differ; only the window can. */
static void find_difference(th_ground *ground, const th_ground *old, const th_window *w) {
  th_flat_ground *flat = ground->flat;
  th_window d = {UINT32_MAX, UINT32_MAX, 0, 0};
  for (uint32_t j = w->j0; j < w->j1; j++)
    for (uint32_t i = w->i0; i < w->i1; i++) {
      size_t c = (size_t)j * flat->width + i;
      /* blocked follows from the two */
      if (flat->solid[c] == old->flat->solid[c] && flat->clearance[c] == old->flat->clearance[c]) continue;
      if (i < d.i0) d.i0 = i;
      if (i >= d.i1) d.i1 = i + 1;
      if (j < d.j0) d.j0 = j;
      d.j1 = j + 1;
    }
  if (d.i1 == 0) d = (th_window){0, 0, 0, 0};
  flat->changed_i0 = d.i0;
  flat->changed_j0 = d.j0;
  flat->changed_i1 = d.i1;
  flat->changed_j1 = d.j1;
}

static void copy_rasters(th_ground *ground, const th_ground *old) {
  th_flat_ground *flat = ground->flat;
  size_t cells = th_flat_version_cells(ground);
  memcpy(flat->solid, old->flat->solid, cells);
  memcpy(flat->clearance, old->flat->clearance, cells * sizeof *flat->clearance);
  for (uint32_t k = 0; k < ground->class_count; k++) memcpy(flat->blocked[k], old->flat->blocked[k], cells);
}

static bool build_next(th_ground *ground, const th_ground *old, const revision *r) {
  th_flat_ground *flat = ground->flat;
  th_box changed = r->changed;
  flat->shapes = th_shapes_make(r->allocator, r->draft, r->count, old->flat->shapes->picture);
  if (!flat->shapes || !th_flat_version_walls(ground, old, &changed) || !th_flat_version_rasters(ground)) return false;
  copy_rasters(ground, old);
  th_lattice lattice = th_ground_lattice(ground);
  th_box reach = th_box_grow(changed, (double)ground->clearance_limit + (double)flat->half_diagonal);
  th_window window = th_raster_window(&lattice, &reach);
  if (!th_flat_version_fill(ground, &window)) return false;
  find_difference(ground, old, &window);
  return true;
}

static th_result make_next(const th_ground *old, const revision *r, th_ground **next, th_error *error) {
  th_ground *ground = th_flat_version_take(&old->env, r->version);
  if (!ground) return th_fail_memory(error, "ground");
  ground->flat->x0 = old->flat->x0;
  ground->flat->y0 = old->flat->y0;
  ground->cell = old->cell;
  ground->flat->inverse_cell = old->flat->inverse_cell;
  ground->flat->width = old->flat->width;
  ground->flat->height = old->flat->height;
  ground->flat->half_diagonal = old->flat->half_diagonal;
  ground->bounds = old->bounds;
  ground->clearance_limit = old->clearance_limit;
  ground->class_count = old->class_count;
  ground->markers = old->markers;
  memcpy(ground->radius_class, old->radius_class, sizeof ground->radius_class);
  th_result result =
      build_next(ground, old, r) ? th_flat_version_check(ground, error) : th_fail_memory(error, "ground");
  if (result)
    th_flat_ground_free(ground);
  else
    *next = ground;
  return result;
}

th_result th_flat_ground_edit(const th_ground *ground, const th_edit *edit, uint32_t count, uint32_t version,
                              th_ground **next, th_error *error) {
  *next = NULL;
  const th_shapes *shapes = ground->flat->shapes;
  uint32_t max = shapes->polygon_count + count;
  const th_allocator *allocator = &ground->env.allocator;
  revision r = {TH_TAKE(allocator, th_floor_polygon_draft, max), shapes->polygon_count, th_box_empty(), allocator,
                version};
  if (!r.draft) return th_fail_memory(error, "edit");
  for (uint32_t k = 0; k < shapes->polygon_count; k++) {
    const th_floor_polygon *polygon = &shapes->polygon[k];
    r.draft[k] =
        (th_floor_polygon_draft){polygon->kind, polygon->closed, {polygon->name, polygon->point, polygon->count}, k};
  }
  th_result result = th_edit_apply(&rules, &r, edit, count, error);
  if (!result) result = make_next(ground, &r, next, error);
  TH_GIVE(allocator, r.draft, max);
  return result;
}
