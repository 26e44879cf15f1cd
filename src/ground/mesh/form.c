/* ground/mesh/form.c - making and moving the lasting part of a mesh ground.
 *
 * Doors and obstacles change nothing here, so the versions that they make share one form; moving vertices makes another
 * with the same links. The tree of boxes is rebuilt rather than refitted: that is as cheap (linear), stays good after
 * large moves, and gives the same tree as a new ground. O(n log n) once, O(n) when vertices move.
 */
#include "ground/mesh/form.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

static bool take_lists(th_mesh_form *form) {
  const th_allocator *a = &form->allocator;
  uint32_t faces = form->mesh.face_count;
  form->fixed = TH_TAKE(a, uint8_t, faces);
  form->speed = TH_TAKE(a, float, faces);
  form->terrain_of = TH_TAKE(a, uint8_t, faces);
  form->level_of = TH_TAKE(a, int32_t, faces);
  return form->fixed && form->speed && form->terrain_of && form->level_of;
}

static void measure_edges(th_mesh_form *form) {
  double sum = 0.0, min = HUGE_VAL;
  uint32_t halves = 3 * form->mesh.face_count;
  for (uint32_t h = 0; h < halves; h++) {
    th_point a = th_frames_corner(&form->frames, h), b = th_frames_corner(&form->frames, th_half_next(h));
    double length = sqrt((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y));
    sum += length;
    min = length < min ? length : min;
  }
  form->mean_edge = sum / halves;
  form->shortest_edge = min;
}

/* Everything that follows from the mesh, the terrains and the rules. */
static bool derive(th_mesh_form *form) {
  if (form->rules.climbs) form->climb = TH_TAKE(&form->allocator, float, 2 * (size_t)form->mesh.face_count);
  if (form->rules.climbs && !form->climb) return false;
  if (!th_mesh_frames_make(&form->frames, &form->mesh) || !th_bvh_make(&form->bvh, &form->mesh)) return false;
  measure_edges(form);
  th_mesh_slope_judge(form);
  return true;
}

static void fill_rules(th_mesh_ground_rules *rules, const th_mesh_ground_def *def) {
  rules->slope_max = (double)def->slope_max;
  rules->slope_speed = (double)def->slope_speed;
  rules->slope_up = (double)def->slope_up;
  rules->slope_down = (double)def->slope_down;
  rules->climbs = def->slope_up != 0.0f || def->slope_down != 0.0f;
  rules->headroom = (double)def->headroom;
  rules->terrain_speed[0] = rules->terrain_up[0] = rules->terrain_down[0] = 1.0f;
  for (uint32_t k = 0; k < def->terrain_count; k++) {
    const th_terrain *kind = &def->terrain[k];
    rules->terrain_speed[k] = kind->speed;
    rules->terrain_up[k] = kind->speed_up > 0.0f ? kind->speed_up / kind->speed : 1.0f;
    rules->terrain_down[k] = kind->speed_down > 0.0f ? kind->speed_down / kind->speed : 1.0f;
    rules->climbs |= rules->terrain_up[k] != 1.0f || rules->terrain_down[k] != 1.0f;
    rules->terrain_blocked[k] = def->terrain[k].blocked;
    snprintf(rules->terrain_name[k], sizeof rules->terrain_name[k], "%s", kind->name ? kind->name : "");
  }
}

static void *copy_of(const th_allocator *a, const void *from, size_t count, size_t size) {
  void *to = th_take(a, count, size);
  if (to && count) memcpy(to, from, count * size);
  return to;
}

static bool copy_links(th_mesh *to, const th_mesh *from, const th_allocator *a) {
  size_t vertices = from->vertex_count, faces = from->face_count;
  *to = (th_mesh){.allocator = *a, .vertex_count = from->vertex_count, .face_count = from->face_count};
  to->xyz = copy_of(a, from->xyz, 3 * vertices, sizeof *to->xyz);
  to->corner = copy_of(a, from->corner, 3 * faces, sizeof *to->corner);
  to->twin = copy_of(a, from->twin, 3 * faces, sizeof *to->twin);
  to->leaving = copy_of(a, from->leaving, vertices, sizeof *to->leaving);
  return to->xyz && to->corner && to->twin && to->leaving;
}

static bool copy_notes(th_mesh *to, const th_mesh *from, const th_allocator *a) {
  to->note_count = to->tail.note_capacity = from->note_count;
  memcpy(to->count, from->count, sizeof to->count);
  to->note = copy_of(a, from->note, from->note_count, sizeof *to->note);
  return to->note;
}

/* Where vertices and faces come from, and what was repaired. */
static bool copy_history(th_mesh *to, const th_mesh *from, const th_allocator *a) {
  to->given_vertices = from->given_vertices;
  to->given_faces = from->given_faces;
  to->vertex_of = copy_of(a, from->vertex_of, from->given_vertices, sizeof *to->vertex_of);
  to->face_from = copy_of(a, from->face_from, from->face_count, sizeof *to->face_from);
  return to->vertex_of && to->face_from && copy_notes(to, from, a);
}

/* The mesh is what was given: each vertex and face comes from itself. */
static bool begin_history(th_mesh *to, const th_allocator *a) {
  to->given_vertices = to->vertex_count;
  to->given_faces = to->face_count;
  to->vertex_of = TH_TAKE(a, uint32_t, to->vertex_count);
  to->face_from = TH_TAKE(a, uint32_t, to->face_count);
  if (!to->vertex_of || !to->face_from) return false;
  for (uint32_t v = 0; v < to->vertex_count; v++) to->vertex_of[v] = v;
  for (uint32_t f = 0; f < to->face_count; f++) to->face_from[f] = f;
  return true;
}

static th_result take_mesh(const th_mesh_ground_def *def, const th_env *env, th_mesh *mesh, th_error *error) {
  const th_allocator *a = &env->allocator;
  if (def->mesh)
    return copy_links(mesh, def->mesh, a) && begin_history(mesh, a) && copy_notes(mesh, def->mesh, a)
               ? TH_OK
               : th_fail_memory(error, "ground");
  th_mesh_def triangles = def->triangles;
  triangles.env = *env;
  return th_mesh_build(&triangles, mesh, error);
}

th_result th_mesh_form_make(const th_mesh_ground_def *def, const th_env *env, th_mesh_form **out, th_error *error) {
  *out = NULL;
  th_mesh_form *form = TH_TAKE(&env->allocator, th_mesh_form, 1);
  if (!form) return th_fail_memory(error, "ground");
  form->references = 1;
  form->allocator = env->allocator;
  th_result result = take_mesh(def, env, &form->mesh, error);
  bool done = !result && take_lists(form);
  if (done) {
    fill_rules(&form->rules, def);
    for (uint32_t f = 0; f < form->mesh.face_count; f++) {
      form->terrain_of[f] = def->terrain_of ? def->terrain_of[form->mesh.face_from[f]] : 0;
      form->level_of[f] = def->level_of ? def->level_of[form->mesh.face_from[f]] : 0;
    }
    done = derive(form);
  }
  if (!result && !done) result = th_fail_memory(error, "ground");
  if (result)
    th_mesh_form_release(form);
  else
    *out = form;
  return result;
}

th_mesh_form *th_mesh_form_moved(const th_mesh_form *old, const double *xyz) {
  th_mesh_form *form = TH_TAKE(&old->allocator, th_mesh_form, 1);
  if (!form) return NULL;
  form->references = 1;
  form->allocator = old->allocator;
  form->rules = old->rules;
  const th_allocator *a = &form->allocator;
  if (copy_links(&form->mesh, &old->mesh, a) && copy_history(&form->mesh, &old->mesh, a) && take_lists(form)) {
    memcpy(form->mesh.xyz, xyz, 3 * (size_t)form->mesh.vertex_count * sizeof *xyz);
    memcpy(form->terrain_of, old->terrain_of, form->mesh.face_count);
    memcpy(form->level_of, old->level_of, form->mesh.face_count * sizeof *form->level_of);
    if (derive(form)) return form;
  }
  th_mesh_form_release(form);
  return NULL;
}

void th_mesh_form_release(th_mesh_form *form) {
  if (!form || atomic_fetch_sub(&form->references, 1) != 1) return;
  th_allocator allocator = form->allocator;
  uint32_t faces = form->mesh.face_count;
  th_bvh_free(&form->bvh);
  th_mesh_frames_free(&form->frames);
  TH_GIVE(&allocator, form->fixed, faces);
  TH_GIVE(&allocator, form->speed, faces);
  TH_GIVE(&allocator, form->climb, 2 * (size_t)faces);
  TH_GIVE(&allocator, form->terrain_of, faces);
  TH_GIVE(&allocator, form->level_of, faces);
  th_mesh_free(&form->mesh);
  TH_GIVE(&allocator, form, 1);
}
