/* report/metrics/decisions.c - numbers of the decisions of a crowd: neighbours, deviation, speed, the nearest pair.
 *
 * Between deciding and moving, the world holds the wanted and the advised direction of an agent in the frame of its
 * cell. Neighbours and the nearest pair are found in space, in cubes as wide as the reach, among agents whose normals
 * point in similar directions, so that the far side of a thin part does not count (Berndt 2014, chapter 5). Cost: O(n)
 * per call, some 0.2 us per agent.
 */
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/trig.h"
#include "throng/metrics.h"
#include "throng/query.h"

typedef struct cubes {
  th_vec3 *point, *normal;
  uint32_t *head, *next; /* of each bucket; of each agent */
  uint32_t buckets, count;
  float side;
} cubes;

static uint32_t bucket_at(const cubes *c, int32_t x, int32_t y, int32_t z) {
  const uint32_t h = (uint32_t)x * 73856093u ^ (uint32_t)y * 19349663u ^ (uint32_t)z * 83492791u;
  return (h ^ h >> 15) & (c->buckets - 1);
}

static int32_t cell_of(const cubes *c, float x) { return (int32_t)floorf(x / c->side); }

static void fill(cubes *c, const th_world *world) {
  th_world_points(world, &(th_points){.point = c->point, .normal = c->normal});
  for (uint32_t b = 0; b < c->buckets; b++) c->head[b] = TH_NO_ELEMENT;
  for (uint32_t i = 0; i < c->count; i++) {
    const th_vec3 p = c->point[i];
    const uint32_t b = bucket_at(c, cell_of(c, p.x), cell_of(c, p.y), cell_of(c, p.z));
    c->next[i] = c->head[b];
    c->head[b] = i;
  }
}

/* Agents within reach in one cube; buckets may hold agents of other cubes. */
static uint32_t count_in(const cubes *c, uint32_t i, const int32_t at[3], const float *radius, double *nearest) {
  uint32_t found = 0;
  const th_vec3 p = c->point[i], n = c->normal[i];
  for (uint32_t k = c->head[bucket_at(c, at[0], at[1], at[2])]; k != TH_NO_ELEMENT; k = c->next[k]) {
    const th_vec3 q = c->point[k], m = c->normal[k];
    const float x = q.x - p.x, y = q.y - p.y, z = q.z - p.z, far = x * x + y * y + z * z;
    if (k == i || far > c->side * c->side || n.x * m.x + n.y * m.y + n.z * m.z <= 0.0f) continue;
    if (cell_of(c, q.x) != at[0] || cell_of(c, q.y) != at[1] || cell_of(c, q.z) != at[2]) continue;
    *nearest = fmin(*nearest, sqrt((double)far) / ((double)radius[i] + (double)radius[k]));
    found++;
  }
  return found;
}

static void look_at_pairs(const cubes *c, const th_agents *a, th_decisions *sum) {
  for (uint32_t i = 0; i < c->count; i++) {
    const th_vec3 p = c->point[i];
    uint32_t found = 0;
    for (int32_t k = 0; k < 27; k++) {
      const int32_t at[3] = {cell_of(c, p.x) + k % 3 - 1, cell_of(c, p.y) + k / 3 % 3 - 1, cell_of(c, p.z) + k / 9 - 1};
      found += count_in(c, i, at, a->radius, &sum->nearest);
    }
    sum->neighbours += found;
  }
  sum->paired += c->count;
}

static bool pairs_of(const th_world *world, const th_allocator *al, float reach, th_decisions *sum) {
  const th_agents a = th_world_agents(world);
  cubes c = {.buckets = 1024, .count = a.count, .side = reach};
  while (c.buckets < 2 * a.count) c.buckets *= 2;
  c.point = TH_TAKE(al, th_vec3, a.count);
  c.normal = TH_TAKE(al, th_vec3, a.count);
  c.next = TH_TAKE(al, uint32_t, a.count);
  c.head = TH_TAKE(al, uint32_t, c.buckets);
  const bool got = c.point && c.normal && c.next && c.head;
  if (got) {
    fill(&c, world);
    look_at_pairs(&c, &a, sum);
  }
  TH_GIVE(al, c.head, c.buckets);
  TH_GIVE(al, c.next, a.count);
  TH_GIVE(al, c.normal, a.count);
  TH_GIVE(al, c.point, a.count);
  return got;
}

/* The angle from the wanted to the advised direction, 0 where it is to stand [degrees]. */
static double deviation(const th_guide_answer *want, double x, double y) {
  const double along = x * (double)want->dx + y * (double)want->dy;
  const double across = y * (double)want->dx - x * (double)want->dy;
  return x * x + y * y > 1e-12 ? TH_DEGREES * fabs(atan2(across, along)) : 0.0;
}

static bool decisions_of(const th_world *world, const th_allocator *al, th_decisions *sum) {
  const th_agents a = th_world_agents(world);
  th_guide_answer *want = TH_TAKE(al, th_guide_answer, a.count);
  if (!want) return false;
  th_world_wants(world, want);
  for (uint32_t row = 0; row < a.count; row++) {
    if (a.state[row] != TH_AGENT_WALKING || want[row].state != TH_ANSWER_LEAD) continue;
    const double vx = (double)a.vx[row], vy = (double)a.vy[row];
    sum->deviation += deviation(&want[row], (double)a.advised_vx[row], (double)a.advised_vy[row]);
    sum->speed += sqrt(vx * vx + vy * vy) / (double)a.speed[row];
    sum->samples++;
  }
  TH_GIVE(al, want, a.count);
  return true;
}

th_result th_decisions_look(th_decisions *sum, const th_world *world, float reach, th_error *error) {
  const th_env env = th_world_env(world);
  if (sum->steps == 0) sum->nearest = INFINITY;
  if (!decisions_of(world, &env.allocator, sum)) return th_fail_memory(error, "decisions");
  sum->steps++;
  return reach <= 0.0f || pairs_of(world, &env.allocator, reach, sum) ? TH_OK : th_fail_memory(error, "decisions");
}
