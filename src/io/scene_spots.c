/* io/scene_spots.c - random free spots.
 *
 * Darts: a random point of the region's box is kept when it lies in the region, has no wall within the body's radius
 * and overlaps no body so far. Random numbers are a function of (seed, agent, try), so a scene gives the same crowd on
 * every machine. Bodies are found through a hash of square cells as wide as the largest body. Darts fill a region up to
 * about half of its area (the jamming limit of discs is 0.547: Feder, 1980). Cost: tries per agent, each about 50 ns.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "scene_world.h"

enum { STREAM = 0x53430000, MOST_TRIES = 20000 };

typedef struct body {
  float x, y, radius;
  uint32_t next; /* in its cell, plus 1 */
} body;

struct th_spots {
  th_env env;
  const th_ground *ground;
  float cell;
  uint32_t count, capacity, heads; /* heads: a power of two */
  uint32_t *head;                  /* first body of a hashed cell, plus 1 */
  body *body;
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
  TH_GIVE(&env.allocator, spots->head, spots->heads);
  TH_GIVE(&env.allocator, spots->body, spots->capacity);
  TH_GIVE(&env.allocator, spots, 1);
}

static uint32_t *head_of(const th_spots *spots, int32_t i, int32_t j) {
  uint64_t key = (uint64_t)(uint32_t)i << 32 | (uint32_t)j;
  return &spots->head[th_random_mix(key) & (spots->heads - 1)];
}

static int32_t cell_of(const th_spots *spots, float x) { return (int32_t)floorf(x / spots->cell); }

void th_spots_take(th_spots *spots, th_vec2 spot, float radius) {
  if (spots->count == spots->capacity) return;
  uint32_t *head = head_of(spots, cell_of(spots, spot.x), cell_of(spots, spot.y));
  spots->body[spots->count] = (body){spot.x, spot.y, radius, *head};
  *head = ++spots->count;
}

static bool overlaps(const th_spots *spots, float x, float y, float radius) {
  int32_t i0 = cell_of(spots, x), j0 = cell_of(spots, y);
  for (int32_t j = j0 - 1; j <= j0 + 1; j++) {
    for (int32_t i = i0 - 1; i <= i0 + 1; i++) {
      for (uint32_t n = *head_of(spots, i, j); n; n = spots->body[n - 1].next) {
        const body *other = &spots->body[n - 1];
        float dx = other->x - x, dy = other->y - y, apart = other->radius + radius;
        if (dx * dx + dy * dy < apart * apart) return true;
      }
    }
  }
  return false;
}

/* Even-odd rule along a ray to the right. */
static bool inside(const th_shape *region, float x, float y) {
  bool in = false;
  for (uint32_t i = 0, j = region->count - 1; i < region->count; j = i++) {
    th_vec2 a = region->point[i], b = region->point[j];
    if ((a.y > y) != (b.y > y) && x < (b.x - a.x) * (y - a.y) / (b.y - a.y) + a.x) in = !in;
  }
  return in;
}

bool th_spots_find(th_spots *spots, const th_shape *region, float radius, uint64_t seed, th_vec2 *spot) {
  th_vec2 lower = region->point[0], upper = lower;
  for (uint32_t i = 1; i < region->count; i++) {
    lower = (th_vec2){fminf(lower.x, region->point[i].x), fminf(lower.y, region->point[i].y)};
    upper = (th_vec2){fmaxf(upper.x, region->point[i].x), fmaxf(upper.y, region->point[i].y)};
  }
  for (uint64_t try = 0; try < MOST_TRIES; try++) {
    float x = th_random_range(seed, STREAM + TH_DRAW_X, spots->count, try, lower.x, upper.x);
    float y = th_random_range(seed, STREAM + TH_DRAW_Y, spots->count, try, lower.y, upper.y);
    if (!inside(region, x, y) || overlaps(spots, x, y, radius)) continue;
    if (th_ground_locate(spots->ground, x, y).cell == TH_NO_CELL) continue;
    if (th_ground_clearance(spots->ground, x, y) < radius) continue;
    *spot = (th_vec2){x, y};
    th_spots_take(spots, *spot, radius);
    return true;
  }
  return false;
}

float th_scene_draw(const th_spread *spread, uint64_t seed, uint32_t use, uint32_t agent) {
  if (spread->kind == TH_SPREAD_NONE) return spread->a;
  uint64_t bits = th_random(seed, STREAM + use, agent, 0);
  if (spread->kind == TH_SPREAD_UNIFORM) return spread->a + (spread->b - spread->a) * th_random_to_float(bits);
  double normal = th_random_to_normal(bits);
  if (normal > 2) normal = 2;
  if (normal < -2) normal = -2;
  float value = spread->a + spread->b * (float)normal;
  float least = use == TH_DRAW_RADIUS ? 0.01f : 0;
  return value > least ? value : least;
}
