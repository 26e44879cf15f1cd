/* ground/building/floors.c - the floor of each level: outlines without obstacles, stairwells and shafts.
 *
 * A floor leaves out area for a flight. The lower floor leaves out the part of the flight's plan where the flight is
 * still low, so that the edge at its foot has the floor on one side and the flight on the other; the floors above, up
 * to its head, leave out its whole plan. The floor farther below a flight stays: the ground's headroom rule blocks it
 * where people would hit their heads.
 */
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "ground/building/building.h"

#define MAX_PARTS 64 /* of a seam */
#define PASSAGE 0.4  /* people with shoulders of this width must find a path through [m] */
#define MIN_CUT 0.3  /* least length of a flight's plan that the lower floor leaves out [m] */

typedef struct areas {
  th_lattice_point *point;
  th_floor_area *area;
  th_lattice_point (*seam)[2];
  uint32_t point_count, area_count, seam_count; /* taken */
  uint32_t points, count, seams;                /* used */
} areas;

static void add_area(areas *a, const th_lattice_point *p, uint32_t count, int32_t label, bool on_top) {
  th_lattice_point *to = a->point + a->points;
  for (uint32_t i = 0; i < count; i++) to[i] = p[i];
  a->area[a->count++] = (th_floor_area){to, count, label, on_top};
  a->points += count;
}

static void add_polygon(areas *a, const th_polygon *p, int32_t label, bool on_top) {
  th_lattice_point *to = a->point + a->points;
  for (uint32_t i = 0; i < p->count; i++) to[i] = th_building_lattice(p->point[i]);
  a->area[a->count++] = (th_floor_area){to, p->count, label, on_top};
  a->points += p->count;
}

static bool take_areas(const th_builder *b, const th_storey *s, areas *a) {
  uint32_t extra = b->strip_count + b->def->lift_count + 1;
  a->area_count = extra;
  a->point_count = 4 * extra;
  a->seam_count = MAX_PARTS * b->strip_count;
  if (s->level != TH_NO_LEVEL) {
    const th_level_def *l = &b->def->level[s->level];
    a->area_count += l->outline_count + l->obstacle_count + l->terrain_count;
    for (uint32_t i = 0; i < l->outline_count; i++) a->point_count += l->outline[i].count;
    for (uint32_t i = 0; i < l->obstacle_count; i++) a->point_count += l->obstacle[i].count;
    for (uint32_t i = 0; i < l->terrain_count; i++) a->point_count += l->terrain[i].area.count;
  }
  a->point = TH_TAKE(&b->allocator, th_lattice_point, a->point_count);
  a->area = TH_TAKE(&b->allocator, th_floor_area, a->area_count);
  a->seam = th_take(&b->allocator, a->seam_count, sizeof *a->seam);
  return a->point && a->area && a->seam;
}

static void give_areas(const th_builder *b, areas *a) {
  TH_GIVE(&b->allocator, a->point, a->point_count);
  TH_GIVE(&b->allocator, a->area, a->area_count);
  TH_GIVE(&b->allocator, a->seam, a->seam_count);
}

static th_result add_level(th_builder *b, const th_level_def *l, areas *a) {
  for (uint32_t i = 0; i < l->outline_count; i++) add_polygon(a, &l->outline[i], 1, false);
  for (uint32_t i = 0; i < l->terrain_count; i++) {
    uint32_t terrain = 0;
    th_terrain kind = l->terrain[i].kind;
    if (!kind.name) kind.name = "terrain";
    th_result result = th_building_terrain(b, &kind, &terrain);
    if (result != TH_OK) return result;
    add_polygon(a, &l->terrain[i].area, (int32_t)terrain + 1, true);
  }
  for (uint32_t i = 0; i < l->obstacle_count; i++) add_polygon(a, &l->obstacle[i], 0, false);
  return TH_OK;
}

static th_lattice_point between(th_lattice_point a, th_lattice_point b, double t) {
  return (th_lattice_point){(int32_t)floor(a.x + t * ((double)b.x - a.x) + 0.5),
                            (int32_t)floor(a.y + t * ((double)b.y - a.y) + 0.5)};
}

/* Share of the flight's plan, from its foot, over which it is lower than `under`. */
static double low_share(const th_builder *b, const th_strip *s) {
  double rise = b->storey[s->to].z - b->storey[s->from].z;
  double x = 0.5 * ((double)s->head[0].x + s->head[1].x - s->foot[0].x - s->foot[1].x);
  double y = 0.5 * ((double)s->head[0].y + s->head[1].y - s->foot[0].y - s->foot[1].y);
  double run = sqrt(x * x + y * y) / TH_LATTICE, share = fmax((double)b->def->under / rise, MIN_CUT / run);
  return share < 1.0 ? share : 1.0;
}

/* The plan without its `share`, wider by the railing on both sides; at the end that meets the floor only sideways. */
static void cut_plan(const th_strip *s, double share, double railing, bool from_foot, th_lattice_point p[4]) {
  const th_lattice_point *near = from_foot ? s->foot : s->head, *far = from_foot ? s->head : s->foot;
  double x = (double)near[1].x - near[0].x, y = (double)near[1].y - near[0].y, length = sqrt(x * x + y * y);
  th_lattice_point aside = {(int32_t)floor(x / length * railing + 0.5), (int32_t)floor(y / length * railing + 0.5)};
  for (int k = 0; k < 2; k++) {
    th_lattice_point end = between(near[k], far[k], share);
    int sign = k ? 1 : -1;
    p[k] = (th_lattice_point){near[k].x + sign * aside.x, near[k].y + sign * aside.y};
    p[3 - k] = (th_lattice_point){end.x + sign * aside.x, end.y + sign * aside.y};
  }
}

static void cut_strip(const th_builder *b, const th_storey *here, const th_strip *s, areas *a) {
  double low = b->storey[s->from].z, high = b->storey[s->to].z;
  if (!s->cuts || here->z < low || here->z > high) return;
  bool foot = here->z <= low;
  th_lattice_point p[4];
  cut_plan(s, foot ? low_share(b, s) : 1.0, (double)b->def->railing * TH_LATTICE, foot, p);
  add_area(a, p, 4, 0, false);
}

static double height_of(const th_builder *b, int32_t number) {
  double z = 0.0;
  for (uint32_t i = 0; i < b->storey_count; i++)
    if (b->storey[i].level != TH_NO_LEVEL && b->storey[i].number == number) z = b->storey[i].z;
  return z;
}

static void cut_lift(const th_builder *b, const th_storey *here, const th_lift_def *l, areas *a) {
  double low = height_of(b, l->level[0]), high = height_of(b, l->level[l->level_count - 1]);
  if (here->z < low || here->z > high) return;
  th_lattice_point corner[4];
  th_building_shaft(l, corner);
  add_area(a, corner, 4, 0, false);
}

/* Cut as finely as the strip is, so that the floor's border has the points that the strip's end needs. */
static uint32_t seam_parts(const th_strip *s, const th_lattice_point *end) {
  double x = (double)end[1].x - end[0].x, y = (double)end[1].y - end[0].y;
  double parts = floor(sqrt(x * x + y * y) / s->edge + 0.5);
  return parts < 1.0 ? 1 : parts > MAX_PARTS ? MAX_PARTS : (uint32_t)parts;
}

static void add_seams(const th_builder *b, uint32_t storey, areas *a) {
  for (uint32_t i = 0; i < b->strip_count; i++) {
    const th_strip *s = &b->strip[i];
    if (s->from != storey && s->to != storey) continue;
    const th_lattice_point *end = s->from == storey ? s->foot : s->head;
    uint32_t parts = seam_parts(s, end);
    for (uint32_t k = 0; k < parts; k++) {
      a->seam[a->seams][0] = between(end[0], end[1], (double)k / parts);
      a->seam[a->seams++][1] = between(end[0], end[1], (double)(k + 1) / parts);
    }
  }
}

static th_result make_storey(th_builder *b, uint32_t storey, areas *a) {
  th_storey *s = &b->storey[storey];
  if (s->level == TH_NO_LEVEL) {
    add_area(a, s->landing, 4, (int32_t)s->terrain + 1, false);
  } else {
    th_result result = add_level(b, &b->def->level[s->level], a);
    if (result != TH_OK) return result;
    for (uint32_t i = 0; i < b->strip_count; i++) cut_strip(b, s, &b->strip[i], a);
    for (uint32_t i = 0; i < b->def->lift_count; i++) cut_lift(b, s, &b->def->lift[i], a);
  }
  add_seams(b, storey, a);
  th_floor_def def = {.allocator = b->allocator,
                      .area = a->area,
                      .area_count = a->count,
                      .seam = (const th_lattice_point(*)[2])a->seam,
                      .seam_count = a->seams,
                      .edge = s->edge,
                      .passage = PASSAGE * TH_LATTICE};
  th_error found = {0};
  th_result result = th_floor_make(&def, &s->floor, &found);
  if (result == TH_OK && !s->floor.face_count) {
    return th_fail_at(b->error, TH_ERROR_GEOMETRY, "level", s->level, "expected floor, found none that is left");
  }
  return result == TH_OK ? TH_OK : th_fail_at(b->error, result, "level", s->level, "%s", found.text);
}

th_result th_building_floors(th_builder *b) {
  th_result result = TH_OK;
  for (uint32_t i = 0; result == TH_OK && i < b->storey_count; i++) {
    areas a = {0};
    result = take_areas(b, &b->storey[i], &a) ? make_storey(b, i, &a) : th_fail_memory(b->error, "building");
    give_areas(b, &a);
  }
  return result;
}
