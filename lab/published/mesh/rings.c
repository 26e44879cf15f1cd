/* lab/published/mesh/rings.c - intermediate goals that lead out of the flat parts of a field on a mesh.
 *
 * Far from the goal p rounds to 1 and the gradient is null. The rim of the part that still has a gradient, where 1 - p
 * crosses a small number, becomes a goal of its own, and the field is relaxed again. This is repeated until every face
 * with a path to the goal has a gradient in some level. A walker follows the lowest such level to its ring, then the
 * level below. The source proposes this method, taken from flat maps (Silveira et al. 2010;
 * lab/published/grid/subgoals.c). Cost: one relaxation per level.
 */
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "lab/published/mesh/height.h"
#include "lab/published/mesh/relaxation.h"

typedef struct level {
  th_mesh_relax *field;
  th_mesh_height *height_map;
} level;

struct th_mesh_relax_rings {
  th_env env;
  th_flatness_def def;
  const th_mesh *mesh;
  level *level;
  uint32_t count, capacity; /* of levels, level 0 included */
  uint32_t *of_face;
  uint8_t *tile; /* scratch */
  uint32_t faces, vertices;
};

void th_mesh_relax_rings_free(th_mesh_relax_rings *s) {
  if (!s) return;
  const th_allocator a = s->env.allocator;
  for (uint32_t n = 0; n < s->count; n++) {
    th_mesh_height_free(s->level[n].height_map);
    th_mesh_relax_free(s->level[n].field);
  }
  TH_GIVE(&a, s->level, s->capacity);
  TH_GIVE(&a, s->of_face, s->faces);
  TH_GIVE(&a, s->tile, s->vertices);
  TH_GIVE(&a, s, 1);
}

/* Adds a level over a field, which it owns from now on, and gives it the faces that have a gradient there for the first
 * time. `left` counts the faces that still have none although a path leads from there to the goal. */
static th_result add_level(th_mesh_relax_rings *s, th_mesh_relax *field, uint32_t *left, th_error *error) {
  if (!th_grow(&s->env.allocator, (void **)&s->level, &s->capacity, s->count + 1, sizeof *s->level)) {
    th_mesh_relax_free(field);
    return th_fail_memory(error, "rings");
  }
  level *l = &s->level[s->count++];
  *l = (level){field, NULL};
  th_result result = th_mesh_height_of(field, &l->height_map, error);
  if (result != TH_OK) return result;
  const uint32_t *hops = s->level[0].field->hops;
  *left = 0;
  for (uint32_t f = 0; f < s->mesh->face_count; f++) {
    const uint32_t *c = s->mesh->corner + 3 * (size_t)f;
    if (s->of_face[f] != TH_NO_ELEMENT) continue;
    if (th_mesh_height_slope_of(l->height_map, f)->steep > s->def.null_gradient) s->of_face[f] = s->count - 1;
    bool connected = false;
    for (int k = 0; k < 3; k++) connected |= hops[c[k]] != TH_NO_ELEMENT;
    *left += connected && s->of_face[f] == TH_NO_ELEMENT;
  }
  return TH_OK;
}

/* 1 - p >= ring as u >= ring or as p <= 1 - ring, whichever is stored. */
static bool is_inside(const th_mesh_relax_rings *s, const th_mesh_relax *field, uint32_t v) {
  const double stored = th_mesh_relax_stored(field, v);
  return field->def.storage == TH_STORAGE_U ? stored >= s->def.ring : stored <= th_p_of(s->def.ring);
}

static bool is_ring(const th_mesh_relax_rings *s, const th_mesh_relax *field, uint32_t v) {
  const th_mesh_relax_weights *w = field->weights;
  if (field->tile[v] != TH_TILE_FREE || !is_inside(s, field, v)) return false;
  for (uint32_t k = w->row[v]; k < w->row[v + 1]; k++) {
    const uint32_t j = w->neighbour[k];
    if (field->tile[j] == TH_TILE_FREE && !is_inside(s, field, j)) return true;
  }
  return false;
}

static th_result push(th_mesh_relax_rings *s, uint32_t *left, th_error *error) {
  const th_mesh_relax *below = s->level[s->count - 1].field;
  th_mesh_relax *field = NULL;
  uint32_t found = 0;
  for (uint32_t v = 0; v < s->mesh->vertex_count; v++) {
    const bool ring = is_ring(s, below, v);
    s->tile[v] = ring ? (uint8_t)TH_TILE_GOAL : below->tile[v];
    found += ring;
  }
  if (found == 0)
    return th_fail(error, TH_ERROR_UNREACHABLE, "rings",
                   "expected cells at p = 1 - %g to lead on from, found none after %u rings; %u faces are still flat",
                   s->def.ring, s->count - 1, *left);
  th_result result = th_mesh_relax_copy(below, &field, error);
  if (result != TH_OK) return result;
  th_mesh_relax_retag(field, s->tile, true);
  (void)th_mesh_relax_sweep(field, s->def.sweeps);
  (void)th_mesh_relax_converge(field);
  return add_level(s, field, left, error);
}

static th_result make_levels(th_mesh_relax_rings *s, const th_mesh_relax *field, th_error *error) {
  uint32_t left = 0;
  th_mesh_relax *first = NULL;
  th_result result = th_mesh_relax_copy(field, &first, error);
  if (result != TH_OK) return result;
  (void)th_mesh_relax_converge(first);
  result = add_level(s, first, &left, error);
  while (result == TH_OK && left > 0) {
    if (s->count > s->def.max_subgoals)
      return th_fail(error, TH_ERROR_CAPACITY, "rings", "expected at most %u, found that more are needed",
                     s->def.max_subgoals);
    result = push(s, &left, error);
  }
  return result;
}

th_result th_mesh_relax_rings_make(const th_mesh_relax *field, const th_flatness_def *def, th_mesh_relax_rings **rings,
                                   th_error *error) {
  *rings = NULL;
  if (!(def->null_gradient >= 0.0) || !(def->ring > 0.0 && def->ring < 1.0) || def->max_subgoals == 0)
    return th_fail(error, TH_ERROR_RANGE, "rings",
                   "expected a null gradient of 0 or more, a ring between 0 and 1, at least 1 level, found %g, %g, %u",
                   def->null_gradient, def->ring, def->max_subgoals);
  const th_allocator a = field->def.env.allocator;
  th_mesh_relax_rings *s = TH_TAKE(&a, th_mesh_relax_rings, 1);
  if (!s) return th_fail_memory(error, "rings");
  s->env = field->def.env;
  s->def = *def;
  s->mesh = field->weights->mesh;
  s->faces = s->mesh->face_count;
  s->vertices = s->mesh->vertex_count;
  s->of_face = TH_TAKE(&a, uint32_t, s->mesh->face_count);
  s->tile = TH_TAKE(&a, uint8_t, s->mesh->vertex_count);
  for (uint32_t f = 0; s->of_face && f < s->mesh->face_count; f++) s->of_face[f] = TH_NO_ELEMENT;
  th_result result = s->of_face && s->tile ? make_levels(s, field, error) : th_fail_memory(error, "rings");
  if (result == TH_OK)
    *rings = s;
  else
    th_mesh_relax_rings_free(s);
  return result;
}

uint32_t th_mesh_relax_rings_count(const th_mesh_relax_rings *s) { return s->count - 1; }
const th_mesh_relax *th_mesh_relax_rings_field(const th_mesh_relax_rings *s, uint32_t on) {
  return s->level[on < s->count ? on : s->count - 1].field;
}
uint32_t th_mesh_relax_rings_level(const th_mesh_relax_rings *s, uint32_t face) { return s->of_face[face]; }

/* ---------------------------------------------------------------- walking */

/* After an arrival, goes down to the first level of which this spot is no goal. False on the goal itself. */
static bool drop(const th_mesh_relax_rings *s, uint32_t *on, const th_mesh_spot *spot) {
  while (th_mesh_height_is_goal(s->level[*on].height_map, spot)) {
    if (*on == 0) return false;
    --*on;
  }
  return true;
}

/* Without a gradient on this level, goes up to the next level that has one here. */
static bool climb(const th_mesh_relax_rings *s, uint32_t *on, uint32_t face) {
  for (uint32_t n = *on + 1; n < s->count; n++) {
    if (!(th_mesh_height_slope_of(s->level[n].height_map, face)->steep > s->def.null_gradient)) continue;
    *on = n;
    return true;
  }
  return false;
}

static bool walk(th_mesh_relax_rings *s, th_mesh_height_walker *w, uint32_t on, th_mesh_height_path *path) {
  const uint64_t max = 16 * (uint64_t)s->mesh->face_count * s->count + 1000;
  for (uint64_t n = 0; n < max; n++) {
    th_mesh_height_leg leg;
    th_mesh_height *height_map = s->level[on].height_map;
    path->end = th_mesh_height_walk_leg(height_map, w, HUGE_VAL, &leg);
    if (leg.length > 0.0 && !th_mesh_height_path_add(path, height_map, w, &leg)) return false;
    if (path->end == TH_DESCENT_MOVED) continue;
    if (path->end == TH_DESCENT_ARRIVED ? !drop(s, &on, &w->spot) : !climb(s, &on, w->spot.face)) return true;
    *w = th_mesh_height_walker_at(s->mesh, &w->spot);
    path->end = TH_DESCENT_MOVED;
  }
  return true;
}

th_result th_mesh_relax_rings_trace(th_mesh_relax_rings *s, const th_mesh_spot *from, th_mesh_height_path *path,
                                    th_error *error) {
  if (from->face >= s->mesh->face_count)
    return th_fail(error, TH_ERROR_RANGE, "mesh path", "expected a face below %u, found %u", s->mesh->face_count,
                   from->face);
  const uint32_t on = s->of_face[from->face];
  th_mesh_height_walker w = th_mesh_height_walker_at(s->mesh, from);
  th_mesh_height_path_free(path);
  path->allocator = s->env.allocator;
  path->end = TH_DESCENT_NULL;
  if (th_mesh_height_path_start(path, s->level[0].height_map, &w) && (on == TH_NO_ELEMENT || walk(s, &w, on, path)))
    return TH_OK;
  th_mesh_height_path_free(path);
  return th_fail_memory(error, "mesh path");
}
