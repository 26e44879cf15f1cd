/* apps/throng/experiments/planarization/log.c - the log of dynamic planarization: neighbours, deviation, speed,
 * distortion.
 *
 * Between deciding and moving, the world holds the wanted and the advised direction of an agent in the frame of its
 * face. Neighbours and the nearest pair are found in space, in cubes as wide as the vision, among agents whose normals
 * point in similar directions, so that the far side of a thin part does not count. Cost: O(n) per step, some 0.2 us per
 * agent.
 */
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/memory.h"
#include "experiments/planarization/crowd.h"
#include "ground/chart/atlas.h"
#include "world/world.h"

#define DEGREES 57.29577951308232

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

static void look_at_pairs(const cubes *c, const th_agents *a, th_planar_log *log) {
  for (uint32_t i = 0; i < c->count; i++) {
    const th_vec3 p = c->point[i];
    uint32_t found = 0;
    for (int32_t k = 0; k < 27; k++) {
      const int32_t at[3] = {cell_of(c, p.x) + k % 3 - 1, cell_of(c, p.y) + k / 3 % 3 - 1, cell_of(c, p.z) + k / 9 - 1};
      found += count_in(c, i, at, a->radius, &log->nearest);
    }
    log->neighbours += found;
  }
  log->paired += c->count;
}

static bool pairs_of(const th_world *world, float vision, th_planar_log *log) {
  const th_allocator *al = &world->env.allocator;
  const th_agents a = th_world_agents(world);
  cubes c = {.buckets = 1024, .count = a.count, .side = vision};
  while (c.buckets < 2 * a.count) c.buckets *= 2;
  c.point = TH_TAKE(al, th_vec3, a.count);
  c.normal = TH_TAKE(al, th_vec3, a.count);
  c.next = TH_TAKE(al, uint32_t, a.count);
  c.head = TH_TAKE(al, uint32_t, c.buckets);
  const bool got = c.point && c.normal && c.next && c.head;
  if (got) {
    fill(&c, world);
    look_at_pairs(&c, &a, log);
  }
  TH_GIVE(al, c.head, c.buckets);
  TH_GIVE(al, c.next, a.count);
  TH_GIVE(al, c.normal, a.count);
  TH_GIVE(al, c.point, a.count);
  return got;
}

bool th_planar_step(th_world *world, float vision, bool pairs, th_planar_log *log) {
  if (log->steps == 0) log->nearest = INFINITY;
  th_world_advise(world);
  const th_rows *rows = &world->rows;
  for (uint32_t slot = 0; slot < world->order.count; slot++) {
    const uint32_t row = world->order.row[slot];
    const th_guide_answer *want = &world->want[slot];
    if (rows->state[row] != TH_AGENT_WALKING || want->state != TH_ANSWER_LEAD) continue;
    const th_agents a = th_world_agents(world);
    const double x = (double)a.advised_vx[row], y = (double)a.advised_vy[row], size = sqrt(x * x + y * y);
    const double along = x * (double)want->dx + y * (double)want->dy,
                 across = y * (double)want->dx - x * (double)want->dy;
    log->deviation += size > 1e-6 ? DEGREES * fabs(atan2(across, along)) : 0.0;
    log->speed += size / (double)rows->speed[row];
    log->samples++;
  }
  log->steps++;
  const bool done = !pairs || pairs_of(world, vision, log);
  th_world_integrate(world);
  return done;
}

/* ---------------------------------------------------------------- maps */

static void add_chart(const th_atlas *atlas, const th_mesh_frames *frames, const th_chart *chart,
                      th_planar_maps *maps) {
  const th_patches *p = &atlas->patches;
  for (uint32_t n = 0; n < chart->cluster_count; n++) {
    const th_chart_map *map = th_chart_maps(chart, n);
    for (uint32_t k = p->start[chart->cluster[n]]; k < p->start[chart->cluster[n] + 1]; k++) {
      const uint32_t face = p->face[k];
      const th_chart_map *m = &map[k - p->start[chart->cluster[n]]];
      th_point corner[3];
      if (!th_chart_holds(m)) continue;
      for (uint32_t i = 0; i < 3; i++) {
        const th_point q = th_frames_corner(frames, 3 * face + i);
        const th_vec2 at = th_chart_point(m, (float)q.x, (float)q.y);
        corner[i] = (th_point){(double)at.x, (double)at.y};
      }
      const bool own = p->patch_of[face] == chart->patch;
      th_stretch_add(&maps->stretch, th_stretch_of(&frames->face[face], corner).l2,
                     face == p->centre[chart->patch] ? TH_STRETCH_CENTRAL
                     : own                           ? TH_STRETCH_INNER
                                                     : TH_STRETCH_RIM);
    }
  }
}

static th_result measure(th_atlas *atlas, th_ground *ground, uint32_t *all, th_planar_maps *maps) {
  const float reach = atlas->def.patches.one_face ? 0.01f : TH_PLANAR_VISION;
  for (uint32_t k = 0; k < atlas->patches.count; k++) all[k] = k;
  const double begin = (double)clock() / CLOCKS_PER_SEC;
  th_result result = th_atlas_prepare(atlas, ground, reach, all, atlas->patches.count, NULL);
  if (result != TH_OK) return result;
  maps->seconds = (double)clock() / CLOCKS_PER_SEC - begin;
  maps->maps = atlas->patches.count;
  maps->bytes = (double)atlas->charts.bytes;
  for (uint32_t k = 0; k < atlas->patches.count; k++)
    add_chart(atlas, &ground->mesh->frames, th_atlas_chart(atlas, k), maps);
  maps->faces = (double)maps->stretch.count / maps->maps;
  return TH_OK;
}

th_result th_planar_maps_measure(const th_env *env, th_ground *ground, bool one_face, th_planar_maps *maps,
                                 th_error *error) {
  const th_env own = th_env_complete(env);
  th_atlas_def def = th_default_atlas_def();
  th_atlas *atlas = NULL;
  *maps = (th_planar_maps){0};
  def.allocator = own.allocator;
  def.patches.one_face = one_face;
  if (one_face) def.charts.chart.method = TH_CHART_LSCM;
  th_result result = th_atlas_make(&def, ground, NULL, &atlas, error);
  if (result != TH_OK) return result;
  const uint32_t count = atlas->patches.count;
  uint32_t *all = TH_TAKE(&own.allocator, uint32_t, count);
  result = all ? measure(atlas, ground, all, maps) : TH_ERROR_MEMORY;
  if (result != TH_OK) result = th_fail_memory(error, "maps");
  TH_GIVE(&own.allocator, all, count);
  th_atlas_free(atlas);
  return result;
}
