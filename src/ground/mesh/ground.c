/* ground/mesh/ground.c - versions of a mesh ground.
 *
 * A version is built in one direction: form and regions -> blocked faces -> walls -> clearance. Each stage is a pure
 * function of the one before, so an edited ground has the same bits as a new one. Building 70,000 faces takes some tens
 * of milliseconds, most of it for the clearance.
 */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "ground/calls.h"
#include "ground/markers/shelf.h"
#include "ground/mesh/check.h"
#include "ground/mesh/version.h"
#include "ground/mesh/walls.h"
#include "ground/path/shelf.h"

th_mesh_ground_def th_default_mesh_ground_def(void) {
  return (th_mesh_ground_def){.triangles = th_default_mesh_def(),
                              .slope_max = 180.0f,
                              .radius_class = {0.25f},
                              .class_count = 1,
                              .clearance_limit = 4.0f,
                              .markers = th_default_markers_def()};
}

static void free_mesh_ground(th_mesh_ground *s) {
  if (!s) return;
  th_allocator allocator = s->form->allocator;
  uint32_t faces = s->mesh.face_count, vertices = s->mesh.vertex_count;
  TH_GIVE(&allocator, s->blocked, faces);
  TH_GIVE(&allocator, s->cover, faces);
  TH_GIVE(&allocator, s->exit_half, faces);
  TH_GIVE(&allocator, s->face_clearance, faces);
  TH_GIVE(&allocator, s->on_wall, vertices);
  TH_GIVE(&allocator, s->vertex_clearance, vertices);
  TH_GIVE(&allocator, s->vertex_bound, vertices);
  TH_GIVE(&allocator, s->sight, vertices);
  TH_GIVE(&allocator, s->far, vertices);
  TH_GIVE(&allocator, s->wall_half, s->wall_count);
  for (uint32_t k = 0; k < s->use_count && s->use; k++) th_mesh_region_release(s->use[k].part);
  TH_GIVE(&allocator, s->use, s->use_count);
  th_mesh_form_release(s->form);
  TH_GIVE(&allocator, s, 1);
}

void th_mesh_ground_free(th_ground *ground) {
  th_allocator allocator = ground->env.allocator;
  free_mesh_ground(ground->mesh);
  th_marker_shelf_free(ground->shelf, &allocator);
  th_path_shelf_free(ground->paths, &allocator);
  TH_GIVE(&allocator, ground, 1);
}

static void adopt_form(th_mesh_ground *s, th_mesh_form *form) {
  atomic_fetch_add(&form->references, 1);
  s->form = form;
  s->mesh = form->mesh;
  s->frames = form->frames;
  s->frames.mesh = &s->mesh;
  s->bvh = form->bvh;
  s->bvh.mesh = &s->mesh;
  s->speed = form->speed;
  s->climb = form->climb;
  s->even = form->even;
  s->terrain_of = form->terrain_of;
  s->level_of = form->level_of;
  s->mean_edge = (float)form->mean_edge;
  s->shortest_edge = (float)form->shortest_edge;
}

static bool take_lists(th_mesh_ground *s, uint32_t uses) {
  const th_allocator *a = &s->form->allocator;
  uint32_t faces = s->mesh.face_count, vertices = s->mesh.vertex_count;
  s->blocked = TH_TAKE(a, uint8_t, faces);
  s->cover = TH_TAKE(a, uint32_t, faces);
  s->exit_half = TH_TAKE(a, uint32_t, faces);
  s->face_clearance = TH_TAKE(a, float, faces);
  s->on_wall = TH_TAKE(a, uint8_t, vertices);
  s->vertex_clearance = TH_TAKE(a, float, vertices);
  s->vertex_bound = TH_TAKE(a, float, vertices);
  s->sight = TH_TAKE(a, double, vertices);
  s->far = TH_TAKE(a, double, vertices);
  s->use = TH_TAKE(a, th_mesh_barrier, uses);
  s->frames.blocked = s->blocked;
  return s->blocked && s->cover && s->exit_half && s->face_clearance && s->on_wall && s->vertex_clearance &&
         s->vertex_bound && s->sight && s->far && s->use;
}

static void cover_faces(th_mesh_ground *s, const th_mesh_region *part, bool more) {
  for (uint32_t f = 0; f < s->mesh.face_count; f++)
    if (th_mesh_region_holds(part, &s->mesh, f)) s->cover[f] += more ? 1u : UINT32_MAX;
}

static bool is_used(const th_mesh_ground *s, const th_mesh_region *part) {
  for (uint32_t k = 0; k < s->use_count; k++)
    if (s->use[k].part == part && s->use[k].closed) return true;
  return false;
}

/* Starts from the counts of the version before and visits only regions that were added or removed. */
static void block_faces(th_mesh_ground *s, const th_mesh_ground *old) {
  if (old && old->form != s->form) old = NULL;
  if (old) memcpy(s->cover, old->cover, s->mesh.face_count * sizeof *s->cover);
  for (uint32_t k = 0; old && k < old->use_count; k++)
    if (old->use[k].closed && !is_used(s, old->use[k].part)) cover_faces(s, old->use[k].part, false);
  for (uint32_t k = 0; k < s->use_count; k++)
    if (s->use[k].closed && !(old && is_used(old, s->use[k].part))) cover_faces(s, s->use[k].part, true);
  for (uint32_t f = 0; f < s->mesh.face_count; f++) s->blocked[f] = s->form->fixed[f] || s->cover[f];
}

static th_mesh_ground *make_mesh_ground(const th_mesh_ground_version *d) {
  th_mesh_ground *s = TH_TAKE(&d->env->allocator, th_mesh_ground, 1);
  if (!s) return NULL;
  adopt_form(s, d->form);
  bool done = take_lists(s, d->use_count);
  s->use_count = d->use_count;
  if (done) {
    for (uint32_t k = 0; k < d->use_count; k++) {
      s->use[k] = d->use[k];
      th_mesh_region_retain(s->use[k].part);
    }
    block_faces(s, d->old);
    done = th_mesh_find_walls(s) &&
           th_mesh_clearance_measure(s, d->old && d->old->form == s->form ? d->old : NULL, (double)d->clearance_limit);
  }
  if (done) return s;
  free_mesh_ground(s);
  return NULL;
}

static th_box bounds_of(const th_mesh *m) {
  th_box box = th_box_empty();
  for (size_t v = 0; v < m->vertex_count; v++) th_box_add(&box, m->xyz[3 * v], m->xyz[3 * v + 1]);
  return box;
}

th_result th_mesh_ground_build(const th_mesh_ground_version *d, th_ground **out, th_error *error) {
  *out = NULL;
  th_ground *ground = TH_TAKE(&d->env->allocator, th_ground, 1);
  if (!ground) return th_fail_memory(error, "ground");
  ground->references = 1;
  ground->calls = &th_mesh_ground_calls;
  ground->env = *d->env;
  ground->version = d->version;
  ground->class_count = d->class_count;
  memcpy(ground->radius_class, d->radius_class, sizeof ground->radius_class);
  ground->clearance_limit = d->clearance_limit;
  ground->markers = d->markers;
  ground->shelf = th_marker_shelf_make(&d->env->allocator);
  ground->paths = th_path_shelf_make(&d->env->allocator);
  ground->mesh = ground->shelf && ground->paths ? make_mesh_ground(d) : NULL;
  th_result result = ground->mesh ? TH_OK : th_fail_memory(error, "ground");
  if (ground->mesh && !memchr(ground->mesh->blocked, 0, ground->mesh->mesh.face_count))
    result = th_fail(error, TH_ERROR_GEOMETRY, "ground", "expected a walkable face, found all %u blocked",
                     ground->mesh->mesh.face_count);
  if (result || !ground->mesh) {
    th_mesh_ground_free(ground);
    return result;
  }
  ground->cell = ground->mesh->mean_edge;
  ground->bounds = bounds_of(&ground->mesh->mesh);
  *out = ground;
  return TH_OK;
}

static th_result check_regions(const th_mesh_ground_def *def, const th_mesh *mesh, th_error *error) {
  th_result result = TH_OK;
  for (uint32_t k = 0; k < def->door_count && !result; k++)
    result = th_mesh_region_check(&def->door[k].region, mesh, "door", k, error);
  for (uint32_t k = 0; k < def->blocked_count && !result; k++)
    result = th_mesh_region_check(&def->blocked[k], mesh, "blocked", k, error);
  return result;
}

static th_result check_doors(const th_mesh_barrier *use, uint32_t count, const th_mesh *mesh, th_error *error) {
  for (uint32_t k = 0; k < count; k++) {
    uint32_t f = 0;
    while (f < mesh->face_count && !th_mesh_region_holds(use[k].part, mesh, f)) f++;
    if (f == mesh->face_count)
      return th_fail_at(error, TH_ERROR_GEOMETRY, "door", k, "expected faces in door %s, found none",
                        use[k].part->region.name);
  }
  return TH_OK;
}

/* Doors, then obstacles, as copies. */
static bool make_uses(const th_mesh_ground_def *def, const th_allocator *a, th_mesh_barrier *use) {
  for (uint32_t k = 0; k < def->door_count + def->blocked_count; k++) {
    bool door = k < def->door_count;
    const th_region *region = door ? &def->door[k].region : &def->blocked[k - def->door_count];
    use[k] = (th_mesh_barrier){th_mesh_region_make(a, region, region->name), door, !door || def->door[k].closed};
    if (!use[k].part) return false;
  }
  return true;
}

static th_result build_first(const th_mesh_ground_def *def, const th_env *env, th_mesh_form *form, th_ground **ground,
                             th_error *error) {
  uint32_t count = def->door_count + def->blocked_count;
  th_mesh_barrier *use = TH_TAKE(&env->allocator, th_mesh_barrier, count);
  if (!use) return th_fail_memory(error, "ground");
  th_mesh_ground_version build = {
      .env = env,
      .form = form,
      .use = use,
      .use_count = count,
      .version = 1,
      .radius_class = def->radius_class,
      .class_count = def->class_count,
      .markers = def->markers,
      .clearance_limit = fmaxf(def->clearance_limit, def->radius_class[def->class_count - 1])};
  th_result result = make_uses(def, &env->allocator, use) ? TH_OK : th_fail_memory(error, "ground");
  if (!result) result = check_doors(use, def->door_count, &form->mesh, error);
  if (!result) result = th_mesh_ground_build(&build, ground, error);
  for (uint32_t k = 0; k < count; k++) th_mesh_region_release(use[k].part);
  TH_GIVE(&env->allocator, use, count);
  return result;
}

th_result th_ground_make_mesh(const th_mesh_ground_def *def, th_ground **ground, th_error *error) {
  *ground = NULL;
  th_env env = th_env_complete(&def->env);
  th_result result = th_mesh_ground_check(def, error);
  if (result) return result;
  th_mesh_form *form;
  result = th_mesh_form_make(def, &env, &form, error);
  if (result) return result;
  result = check_regions(def, &form->mesh, error);
  if (!result) result = build_first(def, &env, form, ground, error);
  th_mesh_form_release(form);
  return result;
}
