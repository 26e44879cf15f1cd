/* bench/workloads.c - the four crowds of workloads.h.
 *
 * Ring and blocks are the two examples that come with RVO2, scaled to any number of agents; disc adds a crowd that is
 * dense from the start, cross adds pedestrian sizes and speeds. Angles and radii are computed in double and rounded
 * once to float; lattices are computed in float. Cost: O(count).
 */
#include "workloads.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/trig.h"

static const double turn = 6.28318530717958648, half_turn = 3.14159265358979324;
static const double golden_angle = 2.39996322972865332; /* pi * (3 - sqrt 5) */

static const th_allocator *allocator(th_env *env) {
  *env = th_env_complete(&(th_env){0});
  return &env->allocator;
}

static bool take(th_workload *work, uint32_t count) {
  th_env env;
  const th_allocator *from = allocator(&env);
  work->count = count;
  work->position = TH_TAKE(from, th_vec2, count);
  work->goal = TH_TAKE(from, th_vec2, count);
  if (work->position && work->goal) return true;
  th_workload_free(work);
  return false;
}

void th_workload_free(th_workload *work) {
  th_env env;
  const th_allocator *to = allocator(&env);
  TH_GIVE(to, work->position, work->count);
  TH_GIVE(to, work->goal, work->count);
  memset(work, 0, sizeof *work);
}

/* Side of the smallest square lattice that holds `count`. */
static uint32_t side(double count) { return (uint32_t)ceil(sqrt(count)); }

static void set_round(th_workload *work) {
  work->radius = 1.5f;
  work->horizon = work->wall_horizon = 10.0f;
}

static void place_polar(th_workload *work, uint32_t i, double radius, double angle) {
  double sine, cosine;
  th_sincos_double(angle, &sine, &cosine); /* the same on every machine */
  th_vec2 p = {(float)(radius * cosine), (float)(radius * sine)};
  work->position[i] = p;
  work->goal[i] = (th_vec2){-p.x, -p.y};
}

static bool make_ring(th_workload *work, uint32_t count) {
  set_round(work);
  if (!take(work, count)) return false;
  for (uint32_t i = 0; i < count; i++) place_polar(work, i, 0.8 * count, i * turn / count);
  return true;
}

/* Radius of the i-th agent: i + 1/2 agents of 25 m2 each lie inside, pi r^2 = 25 (i + 1/2). */
static bool make_disc(th_workload *work, uint32_t count) {
  set_round(work);
  if (!take(work, count)) return false;
  for (uint32_t i = 0; i < count; i++) place_polar(work, i, sqrt(25.0 * (i + 0.5) / half_turn), i * golden_angle);
  return true;
}

/* Four squares of 30 m, each starting at the corner where RVO2's example starts it. */
static void set_walls(th_workload *work) {
  static const float corner[4][4][2] = {{{-10, 40}, {-40, 40}, {-40, 10}, {-10, 10}},
                                        {{10, 40}, {10, 10}, {40, 10}, {40, 40}},
                                        {{10, -40}, {40, -40}, {40, -10}, {10, -10}},
                                        {{-10, -40}, {-10, -10}, {-40, -10}, {-40, -40}}};
  work->wall_count = 4;
  for (uint32_t w = 0; w < 4; w++)
    for (uint32_t c = 0; c < 4; c++) work->wall[w][c] = (th_vec2){corner[w][c][0], corner[w][c][1]};
}

static bool make_blocks(th_workload *work, uint32_t count) {
  uint32_t k = side(count / 4.0), m = 0;
  work->radius = 2.0f;
  work->horizon = work->wall_horizon = 5.0f;
  set_walls(work);
  if (!take(work, 4 * k * k)) return false;
  for (uint32_t i = 0; i < k; i++)
    for (uint32_t j = 0; j < k; j++)
      for (uint32_t corner = 0; corner < 4; corner++, m++) {
        float sx = corner & 1 ? -1.0f : 1.0f, sy = corner & 2 ? -1.0f : 1.0f;
        work->position[m] = (th_vec2){sx * (55.0f + 10.0f * (float)i), sy * (55.0f + 10.0f * (float)j)};
        work->goal[m] = (th_vec2){-sx * 75.0f, -sy * 75.0f};
      }
  return true;
}

/* Uniform in [-0.2, 0.2): the upper 24 bits of a linear congruential generator. */
static float jitter(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return 0.4f * ((float)(*state >> 8) * (1.0f / 16777216.0f) - 0.5f);
}

static bool make_cross(th_workload *work, uint32_t count) {
  uint32_t k = side(count), m = 0, state = 12345;
  work->dt = 0.1f;
  work->speed = 1.34f;
  work->radius = 0.2f;
  work->reach = 5.0f;
  work->horizon = work->wall_horizon = 2.0f;
  if (!take(work, k * k)) return false;
  for (uint32_t i = 0; i < k; i++)
    for (uint32_t j = 0; j < k; j++, m++) {
      float x = (float)i + jitter(&state), y = (float)j + jitter(&state);
      work->position[m] = (th_vec2){x, y};
      work->goal[m] = (th_vec2){x + ((i + j) & 1 ? -1000.0f : 1000.0f), y};
    }
  return true;
}

bool th_workload_make(th_workload *work, const char *name, uint32_t count) {
  static const struct {
    const char *name;
    bool (*make)(th_workload *work, uint32_t count);
  } known[] = {{"ring", make_ring}, {"disc", make_disc}, {"blocks", make_blocks}, {"cross", make_cross}};
  memset(work, 0, sizeof *work);
  if (count == 0 || count > 1u << 24) return false;
  work->dt = 0.25f;
  work->speed = 1.0f;
  work->max_speed = 2.0f;
  work->reach = 15.0f;
  work->neighbours = 10;
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (strcmp(name, known[i].name) == 0) return known[i].make(work, count);
  return false;
}

static uint64_t fnv1a(uint64_t hash, const void *data, size_t size) {
  const uint8_t *byte = data;
  for (size_t i = 0; i < size; i++) hash = (hash ^ byte[i]) * 0x100000001B3u;
  return hash;
}

uint64_t th_workload_hash(const th_workload *work) {
  uint64_t hash = fnv1a(0xCBF29CE484222325u, work->position, work->count * sizeof *work->position);
  return fnv1a(hash, work->goal, work->count * sizeof *work->goal);
}
