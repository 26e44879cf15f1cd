/* io/scene/populate/spots.c - finds random free spots.
 *
 * Darts: a random point of the region is kept when no wall lies within the body's radius and it overlaps no body so
 * far. Random numbers are a function of (seed, agent, try), so a scene gives the same crowd on every machine. Bodies
 * are found through a hash of cubes as wide as the largest body. Darts fill a region up to about half of its area (the
 * jamming limit of discs is 0.547: Feder, 1980). Cost: about 50 ns per try.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "geometry/shape.h"
#include "io/scene/world.h"

enum { STREAM = 0x53430000, MAX_TRIES = 20000 };

typedef struct body {
  th_vec3 at;
  float radius;
  uint32_t next; /* in its cell, plus 1 */
} body;

struct th_spots {
  th_env env;
  const th_ground *ground;
  float cell;
  uint32_t count, capacity, heads; /* heads: a power of two */
  uint32_t *head;                  /* first body of a hashed cell, plus 1 */
  body *body;
  const th_shape *aimed; /* the region that the darts are for */
  th_darts *darts;
};

th_result th_spots_make(const th_env *env, const th_ground *ground, uint32_t capacity, float largest_radius,
                        th_spots **spots, th_error *error) {
  th_env full = th_env_complete(env);
  *spots = TH_TAKE(&full.allocator, th_spots, 1);
  if (!*spots) return th_fail_memory(error, "spots");
  **spots = (th_spots){.env = full, .ground = ground, .cell = 2 * largest_radius, .capacity = capacity, .heads = 16};
  while ((*spots)->heads < capacity && (*spots)->heads < 1u << 28) (*spots)->heads *= 2;
  (*spots)->head = TH_TAKE(&full.allocator, uint32_t, (*spots)->heads);
  (*spots)->body = TH_TAKE(&full.allocator, body, capacity);
  if ((*spots)->head && (*spots)->body) return TH_OK;
  th_spots_free(*spots);
  *spots = NULL;
  return th_fail_memory(error, "spots");
}

void th_spots_free(th_spots *spots) {
  if (!spots) return;
  th_env env = spots->env;
  th_darts_free(spots->darts);
  TH_GIVE(&env.allocator, spots->head, spots->heads);
  TH_GIVE(&env.allocator, spots->body, spots->capacity);
  TH_GIVE(&env.allocator, spots, 1);
}

typedef struct cube {
  int32_t i, j, k;
} cube;

static cube cube_of(const th_spots *spots, th_vec3 p) {
  return (cube){(int32_t)floorf(p.x / spots->cell), (int32_t)floorf(p.y / spots->cell),
                (int32_t)floorf(p.z / spots->cell)};
}

static uint32_t *head_of(const th_spots *spots, cube c) {
  uint64_t key = (uint64_t)(uint32_t)c.i << 32 | (uint32_t)c.j;
  return &spots->head[th_random_mix(key ^ th_random_mix((uint64_t)(uint32_t)c.k)) & (spots->heads - 1)];
}

void th_spots_take(th_spots *spots, th_vec3 spot, float radius) {
  if (spots->count == spots->capacity) return;
  uint32_t *head = head_of(spots, cube_of(spots, spot));
  spots->body[spots->count] = (body){spot, radius, *head};
  *head = ++spots->count;
}

static bool overlaps_in(const th_spots *spots, cube c, th_vec3 p, float radius) {
  for (uint32_t n = *head_of(spots, c); n; n = spots->body[n - 1].next) {
    const body *other = &spots->body[n - 1];
    float dx = other->at.x - p.x, dy = other->at.y - p.y, dz = other->at.z - p.z, apart = other->radius + radius;
    if (dx * dx + dy * dy + dz * dz < apart * apart) return true;
  }
  return false;
}

bool th_spots_free_at(const th_spots *spots, th_vec3 p, float radius) {
  cube own = cube_of(spots, p);
  for (int32_t k = own.k - 1; k <= own.k + 1; k++)
    for (int32_t j = own.j - 1; j <= own.j + 1; j++)
      for (int32_t i = own.i - 1; i <= own.i + 1; i++)
        if (overlaps_in(spots, (cube){i, j, k}, p, radius)) return false;
  return true;
}

bool th_scene_inside(const th_ground *ground, const th_shape *region, th_place place) {
  if (region->level && th_ground_level(ground, place.cell) != region->level) return false;
  const th_vec3 p = th_ground_point(ground, place);
  return th_shape_holds(region, (double)p.x, (double)p.y, (double)p.z);
}

/* The rectangle that flat darts aim at. */
static void box_of(const th_spots *spots, const th_shape *region, th_vec2 *lower, th_vec2 *upper) {
  th_ground_bounds(spots->ground, lower, upper);
  if (region->kind == TH_SHAPE_DISC && !(region->radius < INFINITY)) return;
  const th_box box = th_shape_bounds(region);
  *lower = (th_vec2){(float)box.x0, (float)box.y0};
  *upper = (th_vec2){(float)box.x1, (float)box.y1};
}

/* Bodies keep clear of walls, so that whole discs lie on the ground and, seen from above, in the region's box grown by
 * a radius. On a mesh discs may be smaller than flat ones where it bends: four times the whole area is enough for all.
 */
double th_spots_bound(const th_ground *ground, const th_shape *region, float radius) {
  const double disc = 3.14159265 * (double)radius * (double)radius;
  if (th_ground_kind_of(ground) == TH_GROUND_MESH) return 4.0 * 0.9069 * th_darts_area(ground) / disc;
  th_vec2 lower, upper;
  const th_spots spots = {.ground = ground};
  box_of(&spots, region, &lower, &upper);
  double x = (double)upper.x - (double)lower.x, y = (double)upper.y - (double)lower.y, wide = 2.0 * (double)radius;
  return 0.9069 * (x + wide) * (y + wide) / disc + 1.0;
}

static bool throw_flat(const th_spots *spots, const th_shape *region, uint64_t seed, uint64_t try, th_place *place) {
  th_vec2 lower, upper;
  box_of(spots, region, &lower, &upper);
  float x = th_random_range(seed, STREAM + TH_DRAW_X, spots->count, try, lower.x, upper.x);
  float y = th_random_range(seed, STREAM + TH_DRAW_Y, spots->count, try, lower.y, upper.y);
  if (!th_shape_covers(region, (double)x, (double)y)) return false;
  *place = th_ground_locate(spots->ground, x, y);
  return place->cell != TH_NO_CELL;
}

static bool throw_at_mesh(const th_spots *spots, uint64_t seed, uint64_t try, th_place *place) {
  float random[3];
  for (uint32_t i = 0; i < 3; i++)
    random[i] = th_random_to_float(th_random(seed, STREAM + TH_DRAW_X, spots->count, 3 * try + i));
  return th_darts_throw(spots->darts, random, place);
}

static th_result aim(th_spots *spots, const th_shape *region) {
  if (spots->aimed == region) return TH_OK;
  th_darts_free(spots->darts);
  spots->darts = NULL;
  spots->aimed = NULL;
  th_result result = th_darts_make(&spots->env, spots->ground, region, &spots->darts, NULL);
  if (!result) spots->aimed = region;
  return result;
}

th_result th_spots_find(th_spots *spots, const th_shape *region, float radius, uint64_t seed, th_vec3 *spot) {
  bool mesh = th_ground_kind_of(spots->ground) == TH_GROUND_MESH;
  th_result result = mesh ? aim(spots, region) : TH_OK;
  if (result) return result;
  for (uint64_t try = 0; try < MAX_TRIES; try++) {
    th_place place;
    if (!(mesh ? throw_at_mesh(spots, seed, try, &place) : throw_flat(spots, region, seed, try, &place))) continue;
    th_vec3 p = th_ground_point(spots->ground, place);
    if (!th_spots_free_at(spots, p, radius) || th_ground_clearance_at(spots->ground, place) < radius) continue;
    *spot = p;
    th_spots_take(spots, p, radius);
    return TH_OK;
  }
  return TH_ERROR_CAPACITY;
}

uint64_t th_scene_bits(uint64_t seed, uint32_t use, uint32_t agent) { return th_random(seed, STREAM + use, agent, 0); }
