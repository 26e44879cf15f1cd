/* ground/building/building.c - a building as one welded mesh.
 *
 * Floors are triangulated first, then the strips between them with the floors' own points along their ends; equal
 * points of both become one vertex. Then the whole is checked: one piece, and nothing close above anything else. Each
 * face remembers its level and its terrain. Cost: the triangulations and one ray per face.
 */
#include "ground/building/building.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "geometry/mesh/bvh.h"

#define MIN_GAP 0.25 /* distance between a face and the next one above [m] */

typedef struct given {
  double *xyz;
  uint32_t *corner, *part; /* part: storey, or storeys + strip */
  int32_t *level;
  uint8_t *terrain;
  uint32_t vertices, faces, vertex_count, face_count;
} given;

th_building_def th_default_building_def(void) {
  return (th_building_def){.edge = 0.5f, .under = 0.5f, .railing = 0.1f, .face_limit = 1000000};
}

th_level_def th_default_level_def(void) { return (th_level_def){0}; }

th_flight_def th_default_flight_def(void) { return (th_flight_def){.kind = "stairs"}; }

th_lift_def th_default_lift_def(void) { return (th_lift_def){.speed = 1.0f, .wait = 5.0f, .pace = 1.34f}; }

static bool take_given(const th_builder *b, given *g) {
  for (uint32_t i = 0; i < b->storey_count + b->strip_count; i++) {
    const th_floor *f = i < b->storey_count ? &b->storey[i].floor : &b->strip[i - b->storey_count].floor;
    g->vertices += f->point_count;
    g->faces += f->face_count;
  }
  const th_allocator *a = &b->allocator;
  g->xyz = TH_TAKE(a, double, 3 * (size_t)g->vertices);
  g->corner = TH_TAKE(a, uint32_t, 3 * (size_t)g->faces);
  g->part = TH_TAKE(a, uint32_t, g->faces);
  g->level = TH_TAKE(a, int32_t, g->faces);
  g->terrain = TH_TAKE(a, uint8_t, g->faces);
  return g->xyz && g->corner && g->part && g->level && g->terrain;
}

static void give_given(const th_builder *b, given *g) {
  const th_allocator *a = &b->allocator;
  TH_GIVE(a, g->xyz, 3 * (size_t)g->vertices);
  TH_GIVE(a, g->corner, 3 * (size_t)g->faces);
  TH_GIVE(a, g->part, g->faces);
  TH_GIVE(a, g->level, g->faces);
  TH_GIVE(a, g->terrain, g->faces);
}

static void add_floor(given *g, const th_floor *f, const double *z, double same_z, int32_t level, uint32_t part) {
  for (uint32_t i = 0; i < f->point_count; i++) {
    double *at = g->xyz + 3 * (size_t)(g->vertex_count + i);
    at[0] = (double)f->point[i].x / TH_LATTICE;
    at[1] = (double)f->point[i].y / TH_LATTICE;
    at[2] = z ? z[i] : same_z;
  }
  for (uint32_t t = 0; t < f->face_count; t++) {
    for (uint32_t k = 0; k < 3; k++)
      g->corner[3 * (size_t)(g->face_count + t) + k] = g->vertex_count + f->corner[3 * (size_t)t + k];
    g->level[g->face_count + t] = level;
    g->terrain[g->face_count + t] = (uint8_t)(f->label[t] - 1);
    g->part[g->face_count + t] = part;
  }
  g->vertex_count += f->point_count;
  g->face_count += f->face_count;
}

static void collect(const th_builder *b, given *g) {
  for (uint32_t i = 0; i < b->storey_count; i++)
    add_floor(g, &b->storey[i].floor, NULL, b->storey[i].z, b->storey[i].number, i);
  for (uint32_t i = 0; i < b->strip_count; i++)
    add_floor(g, &b->strip[i].floor, b->strip[i].z, 0.0, 0, b->storey_count + i);
}

/* ---------------------------------------------------------------- checks of the whole */

static th_result fail_part(const th_builder *b, uint32_t part, uint32_t other, const double *at) {
  const char *list[2];
  uint32_t element[2];
  const uint32_t which[2] = {part, other};
  for (int i = 0; i < 2; i++) {
    bool strip = which[i] >= b->storey_count;
    const th_strip *s = strip ? &b->strip[which[i] - b->storey_count] : NULL;
    list[i] = strip ? s->list : b->storey[which[i]].level == TH_NO_LEVEL ? "lift" : "level";
    element[i] = strip ? s->element : b->storey[which[i]].level == TH_NO_LEVEL ? 0 : b->storey[which[i]].level;
  }
  return th_fail_at(b->error, TH_ERROR_GEOMETRY, list[1], element[1],
                    "expected %g m above %s %u, found less at (%g, %g, %g): these parts overlap", MIN_GAP, list[0],
                    element[0], at[0], at[1], at[2]);
}

th_result th_building_overlap(const th_builder *b, const th_mesh *mesh, const uint32_t *part) {
  th_bvh bvh;
  if (!th_bvh_make(&bvh, mesh)) return th_fail_memory(b->error, "building");
  th_result result = TH_OK;
  for (uint32_t f = 0; f < mesh->face_count && result == TH_OK; f++) {
    th_bvh_ray ray = {.direction = {0.0, 0.0, 1.0}, .from = 1e-6, .length = MIN_GAP};
    for (uint32_t k = 0; k < 9; k++)
      ray.point[k % 3] += mesh->xyz[3 * (size_t)mesh->corner[3 * (size_t)f + k / 3] + k % 3] / 3.0;
    th_bvh_hit hit = th_bvh_ray_first(&bvh, &ray);
    if (hit.face == TH_NO_ELEMENT || hit.face == f) {
      /* at the same height a ray meets both at its start: look from just below, past the face itself */
      ray.point[2] -= 1e-5, ray.from = 0.0, ray.length = 2e-5;
      hit = th_bvh_ray_first(&bvh, &ray);
    }
    if (hit.face != TH_NO_ELEMENT && hit.face != f)
      result = fail_part(b, part[mesh->face_from[f]], part[mesh->face_from[hit.face]], hit.point);
  }
  th_bvh_free(&bvh);
  return result;
}

static th_result check_pieces(const th_builder *b, const given *g, th_building *building) {
  th_mesh_pieces pieces;
  th_result result = th_mesh_pieces_make(&building->mesh, &pieces, b->error);
  if (result != TH_OK) return result;
  building->pieces = pieces.count;
  uint32_t apart = 0; /* the first face of a second piece */
  while (apart < building->mesh.face_count && pieces.of_face[apart] == 0) apart++;
  if (pieces.count > 1 && !b->def->apart) {
    uint32_t part = g->part[building->mesh.face_from[apart]];
    const double *at = building->mesh.xyz + 3 * (size_t)building->mesh.corner[3 * (size_t)apart];
    bool strip = part >= b->storey_count;
    result = th_fail_at(b->error, TH_ERROR_GEOMETRY, strip ? b->strip[part - b->storey_count].list : "level",
                        strip ? b->strip[part - b->storey_count].element : b->storey[part].level,
                        "expected one connected building, found %u pieces: no path leads to (%g, %g, %g); \"apart\" "
                        "allows it",
                        pieces.count, at[0], at[1], at[2]);
  }
  th_mesh_pieces_free(&building->mesh, &pieces);
  return result;
}

/* ---------------------------------------------------------------- result */

static bool copy_terrains(const th_builder *b, th_building *building) {
  building->terrain_count = b->terrain_count;
  for (uint32_t i = 0; i < b->terrain_count; i++) building->tail.names_size += strlen(b->terrain[i].name) + 1;
  building->terrain = TH_TAKE(&b->allocator, th_terrain, b->terrain_count);
  building->names = TH_TAKE(&b->allocator, char, building->tail.names_size);
  if (!building->terrain || !building->names) return false;
  char *to = building->names;
  for (uint32_t i = 0; i < b->terrain_count; i++) {
    size_t size = strlen(b->terrain[i].name) + 1;
    memcpy(to, b->terrain[i].name, size);
    building->terrain[i] = b->terrain[i];
    building->terrain[i].name = to;
    to += size;
  }
  return true;
}

static th_result copy_marks(const th_builder *b, const given *g, th_building *building) {
  uint32_t faces = building->face_count = building->mesh.face_count;
  building->level_of = TH_TAKE(&b->allocator, int32_t, faces);
  building->terrain_of = TH_TAKE(&b->allocator, uint8_t, faces);
  if (!building->level_of || !building->terrain_of || !copy_terrains(b, building))
    return th_fail_memory(b->error, "building");
  for (uint32_t f = 0; f < faces; f++) {
    building->level_of[f] = g->level[building->mesh.face_from[f]];
    building->terrain_of[f] = g->terrain[building->mesh.face_from[f]];
  }
  building->min_angle = 180.0;
  for (uint32_t i = 0; i < b->storey_count; i++) {
    double angle = th_floor_min_angle(&b->storey[i].floor);
    if (angle < building->min_angle) building->min_angle = angle;
  }
  return TH_OK;
}

static th_result weld(const th_builder *b, const given *g, th_building *building) {
  th_mesh_def def = th_default_mesh_def();
  def.env = b->def->env;
  def.where = "building";
  def.xyz_double = g->xyz;
  def.corner = g->corner;
  def.vertex_count = g->vertices;
  def.face_count = g->faces;
  th_result result = th_mesh_build(&def, &building->mesh, b->error);
  if (result == TH_OK) result = copy_marks(b, g, building);
  if (result == TH_OK) result = th_building_overlap(b, &building->mesh, g->part);
  if (result == TH_OK) result = check_pieces(b, g, building);
  return result;
}

static th_result build(th_builder *b, th_building *building) {
  th_result result = th_building_layout(b);
  if (result == TH_OK) result = th_building_floors(b);
  if (result == TH_OK) result = th_building_flights(b);
  if (result != TH_OK) return result;
  given g = {0};
  if (take_given(b, &g)) {
    collect(b, &g);
    result = weld(b, &g, building);
  } else {
    result = th_fail_memory(b->error, "building");
  }
  give_given(b, &g);
  return result;
}

th_result th_building_make(const th_building_def *def, th_building *building, th_error *error) {
  th_builder b = {.def = def, .allocator = th_env_complete(&def->env).allocator, .error = error};
  *building = (th_building){.allocator = b.allocator};
  th_result result = th_building_check(def, error);
  if (result == TH_OK) result = build(&b, building);
  for (uint32_t i = 0; i < b.storey_count; i++) th_floor_free(&b.storey[i].floor);
  for (uint32_t i = 0; i < b.strip_count; i++) {
    TH_GIVE(&b.allocator, b.strip[i].z, b.strip[i].floor.point_count);
    th_floor_free(&b.strip[i].floor);
  }
  TH_GIVE(&b.allocator, b.storey, b.storey_capacity);
  TH_GIVE(&b.allocator, b.strip, b.strip_capacity);
  if (result != TH_OK) th_building_free(building);
  return result;
}

void th_building_free(th_building *building) {
  const th_allocator *a = &building->allocator;
  TH_GIVE(a, building->level_of, building->face_count);
  TH_GIVE(a, building->terrain_of, building->face_count);
  TH_GIVE(a, building->terrain, building->terrain_count);
  TH_GIVE(a, building->names, building->tail.names_size);
  th_mesh_free(&building->mesh);
  *building = (th_building){0};
}
