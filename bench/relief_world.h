/* bench/relief_world.h - a crowd on a pillar with strong relief, as a scan would show it: 60 m tall, 9 m thick.
 *
 * The relief is a sum of waves, each half as long and `rough` times as high as the one before, so there is relief at
 * every scale down to the edges of the mesh. With longer edges the same pillar lacks only the waves that are shorter
 * than they can show. Everybody walks along the pillar and a little around it, turns back at its ends, and avoids the
 * others (orca).
 *
 *   th_relief_world w;  if (th_relief_world_make(&w, &def)) ...  th_relief_world_free(&w);
 */
#ifndef TH_BENCH_RELIEF_WORLD_H
#define TH_BENCH_RELIEF_WORLD_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/trig.h"
#include "make/shapes.h"
#include "throng/guide.h"
#include "throng/model/orca.h"
#include "throng/throng.h"

typedef struct th_relief_world_def {
  double edge;   /* of the faces [m]; 0.2 makes about 100,000 with a height of 60 m */
  double height; /* of the pillar [m] */
  double rough;  /* height of a wave over that of the one twice as long; 0.4 is strong, 0 one smooth wave */
  uint32_t agents;
  uint32_t workers;
  uint32_t chart_memory; /* as in th_world_mesh_def; 0 = default */
  th_log log;            /* of the world; empty = default */
} th_relief_world_def;

typedef struct th_relief_world {
  th_world *world;
  uint8_t *down; /* by agent: walks down */
  double height;
} th_relief_world;

#define TH_RELIEF_RADIUS 4.6 /* of the pillar without relief [m] */

/* Height above the pillar; each wave has a whole number of crests around it. */
static inline double th_relief_at(double angle, double z, double rough) {
  double length = 14.0, high = 0.8, sum = 0.0;
  for (int wave = 0; wave < 7; wave++) {
    double k = 2.0 * TH_PI_DOUBLE / length, around = floor(TH_RELIEF_RADIUS * k + 0.5);
    sum += high * th_sin_double(around * angle + 0.4 * k * z + 1.3 * wave) * th_sin_double(k * z + 0.7 * wave) +
           0.5 * high * th_sin_double(2.0 * around * angle - 0.9 * k * z + wave);
    length *= 0.5;
    high *= rough;
  }
  return sum;
}

static inline th_result th_relief_mesh(const th_relief_world_def *def, th_mesh *mesh, th_error *error) {
  const double turn = 2.0 * TH_PI_DOUBLE;
  th_make_pipe pipe = {.around = (uint32_t)(turn * TH_RELIEF_RADIUS / def->edge + 0.5),
                       .along = (uint32_t)(def->height / (0.866 * def->edge) + 0.5),
                       .length = def->height,
                       .low = TH_RELIEF_RADIUS,
                       .high = TH_RELIEF_RADIUS};
  th_soup soup = th_soup_begin(NULL);
  th_make_tube(&soup, &pipe);
  for (uint32_t v = 0; v < soup.vertex_count; v++) {
    double *p = soup.xyz[v], k = 1.0 + th_relief_at(atan2(p[1], p[0]), p[2], def->rough) / TH_RELIEF_RADIUS;
    p[0] *= k;
    p[1] *= k;
  }
  return th_soup_mesh(&soup, mesh, error);
}

static inline void th_relief_answer(void *user, const th_guide_query *query) {
  const th_relief_world *w = (const th_relief_world *)user;
  for (uint32_t lane = 0; lane < query->lanes; lane++) {
    const uint32_t agent = query->agent[lane];
    th_place place = {query->cell[lane], query->x[lane], query->y[lane]};
    th_vec3 p = th_ground_point(query->ground, place);
    if ((double)p.z < 3.0 || (double)p.z > w->height - 3.0) w->down[agent] = (double)p.z > 3.0;
    float up = w->down[agent] ? -1.0f : 1.0f, round = 0.1f * (float)((int)(agent % 7) - 3);
    th_vec2 d = th_ground_to_cell(query->ground, place, (th_vec3){-round * p.y, round * p.x, 5.0f * up});
    float length = sqrtf(d.x * d.x + d.y * d.y), k = length > 0.0f ? 1.0f / length : 0.0f;
    query->want[lane] = (th_guide_answer){.dx = d.x * k, .dy = d.y * k, .left = 1e3f, .state = TH_ANSWER_LEAD};
  }
}

static inline bool th_relief_people(th_relief_world *w, const th_relief_world_def *def) {
  th_user_guide_params host = {th_relief_answer, w};
  const th_ground *ground = th_world_ground(w->world);
  const uint32_t faces = th_ground_mesh(ground)->face_count;
  th_guide_id guide;
  if (th_world_add_guide(w->world, &th_guide_user, &host, &guide, NULL)) return false;
  for (uint32_t n = 0; n < def->agents; n++) {
    uint32_t face = (uint32_t)(((uint64_t)n * 2 + 1) * faces / (2 * (uint64_t)def->agents));
    th_vec3 p = th_ground_point(ground, th_ground_place_of(ground, face, (th_vec3){0.3f, 0.3f, 0.4f}));
    th_agent_def agent = th_default_body_def();
    agent.point = p;
    agent.model = &th_model_orca;
    agent.guide = guide;
    if (th_world_add_agent(w->world, &agent, NULL, NULL)) return false;
  }
  return true;
}

static inline void th_relief_world_free(th_relief_world *w) {
  th_world_free(w->world);
  free(w->down);
  *w = (th_relief_world){0};
}

/* `w` must not move in memory while the world exists. */
static inline bool th_relief_world_make(th_relief_world *w, const th_relief_world_def *def) {
  th_mesh mesh;
  th_mesh_ground_def ground = th_default_mesh_ground_def();
  th_world_def world = th_default_world_def();
  *w = (th_relief_world){.height = def->height, .down = (uint8_t *)calloc(def->agents + 1, 1)};
  if (!w->down || th_relief_mesh(def, &mesh, NULL)) return false;
  for (uint32_t n = 0; n <= def->agents; n++) w->down[n] = n & 1;
  ground.mesh = &mesh;
  bool made = !th_ground_make_mesh(&ground, &world.ground, NULL);
  th_mesh_free(&mesh);
  world.workers = def->workers;
  world.agent_capacity = def->agents;
  world.env.log = def->log;
  if (def->chart_memory) world.mesh.chart_memory = def->chart_memory;
  made = made && !th_world_make(&world, &w->world, NULL);
  th_ground_release(world.ground);
  made = made && th_relief_people(w, def);
  if (!made) th_relief_world_free(w);
  return made;
}

#endif
