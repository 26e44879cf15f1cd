/* bench/workload_world.h - a workload as a world of one model, for benchmarks and for tests of behaviour.
 *
 * Every agent has its own goal and walks straight to it, as in the drivers of other libraries; only the model limits
 * the motion. The ground is a square with a margin on all sides, or a mesh with the same starts and goals seen from
 * above. With `hold` agents that have arrived stay at their goals, and go back when they are pushed away; else they
 * leave.
 *
 *   th_workload_world w;  if (th_workload_world_make(&w, &def)) ...  th_workload_world_free(&w);
 */
#ifndef TH_BENCH_WORKLOAD_WORLD_H
#define TH_BENCH_WORKLOAD_WORLD_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "throng/guide.h"
#include "throng/make.h"
#include "throng/model.h"
#include "throng/throng.h"
#include "workloads.h"

typedef struct th_workload_world_def {
  const char *name; /* of the workload */
  uint32_t count, workers;
  th_simd simd;
  const th_model *model; /* NULL = orca; others have their default parameters */
  th_orca_backend backend;
  th_orca_side side;
  float edge;   /* of the faces of a mesh that reaches 30 m beyond the starts [m]; 0 = flat ground */
  float height; /* of its hills [m]; 0 = a plane */
  bool hold;
  bool brief;      /* for a few steps: flat ground reaches 100 m beyond the starts, not to the goals */
  float margin;    /* of the ground round the starts instead of the usual [m]; 0 = the usual */
  bool own_params; /* `orca`: everybody has a distance and a horizon of its own, up to a tenth off the workload's */
  bool people;     /* of th_default_agent_def */
  bool space;      /* flat ground: the guide asks the ground where agents are, as it does on a mesh */
  float pillars;   /* square pillars of 1 m as far apart as this among the starts [m]; who would start near one is left
                      out; 0 = none */
  const void *params; /* of a model that is not `orca`; NULL = defaults */
  bool apart;         /* bodies that touch are not moved apart */
} th_workload_world_def;

typedef struct th_workload_world {
  th_workload work;
  th_world *world;
  bool hold;
} th_workload_world;

static inline void th_workload_answer(void *user, const th_guide_query *query) {
  const th_workload_world *w = (const th_workload_world *)user;
  for (uint32_t lane = 0; lane < query->lanes; lane++) {
    th_vec2 goal = w->work.goal[query->agent[lane] - 1];
    float dx = goal.x - query->x[lane], dy = goal.y - query->y[lane], left = sqrtf(dx * dx + dy * dy);
    float k = left > 0.0f ? 1.0f / left : 0.0f;
    uint8_t state = left <= w->work.radius && !w->hold ? TH_ANSWER_ARRIVED : TH_ANSWER_LEAD;
    query->want[lane] = (th_guide_answer){.dx = dx * k, .dy = dy * k, .left = left, .state = state};
  }
}

/* Straight at the goal seen from above, on any ground. */
static inline void th_workload_answer_in_space(void *user, const th_guide_query *query) {
  const th_workload_world *w = (const th_workload_world *)user;
  for (uint32_t lane = 0; lane < query->lanes; lane++) {
    th_place place = {query->cell[lane], query->x[lane], query->y[lane]};
    th_vec2 goal = w->work.goal[query->agent[lane] - 1];
    th_vec3 p = th_ground_point(query->ground, place), to = {goal.x - p.x, goal.y - p.y, 0.0f};
    float left = sqrtf(to.x * to.x + to.y * to.y);
    th_vec2 d = th_ground_to_cell(query->ground, place, to);
    float length = sqrtf(d.x * d.x + d.y * d.y), k = length > 0.0f ? 1.0f / length : 0.0f;
    uint8_t state = left <= w->work.radius && !w->hold ? TH_ANSWER_ARRIVED : TH_ANSWER_LEAD;
    query->want[lane] = (th_guide_answer){.dx = d.x * k, .dy = d.y * k, .left = left, .state = state};
  }
}

#define TH_WORKLOAD_PILLARS 1024

/* Squares among the starts. */
typedef struct th_workload_pillars {
  uint32_t count;
  th_vec2 corner[TH_WORKLOAD_PILLARS][4];
} th_workload_pillars;

static inline void th_workload_set_pillars(th_workload *work, float apart, th_workload_pillars *p) {
  float x1 = 0, y1 = 0;
  uint32_t kept = 0;
  p->count = 0;
  for (uint32_t i = 0; i < work->count; i++) x1 = fmaxf(x1, work->position[i].x), y1 = fmaxf(y1, work->position[i].y);
  for (float x = 0.5f * apart; apart > 0.0f && x < x1; x += apart)
    for (float y = 0.5f * apart; y < y1 && p->count < TH_WORKLOAD_PILLARS; y += apart)
      th_box_polygon(x - 0.5f, y - 0.5f, x + 0.5f, y + 0.5f, p->corner[p->count++]);
  for (uint32_t i = 0; i < work->count; i++) {
    th_vec2 at = work->position[i];
    float x = fabsf(remainderf(at.x - 0.5f * apart, apart)), y = fabsf(remainderf(at.y - 0.5f * apart, apart));
    if (p->count && fmaxf(x, y) < 1.5f) continue;
    work->position[kept] = at;
    work->goal[kept++] = work->goal[i];
  }
  work->count = kept;
}

static inline th_ground *th_workload_ground(const th_workload *work, const th_workload_pillars *pillars, bool brief) {
  float x0 = 0, x1 = 0, y0 = 0, y1 = 0;
  for (uint32_t i = 0; i < work->count; i++) {
    th_vec2 p = work->position[i], g = brief ? p : work->goal[i];
    x0 = fminf(x0, fminf(p.x, g.x)), x1 = fmaxf(x1, fmaxf(p.x, g.x));
    y0 = fminf(y0, fminf(p.y, g.y)), y1 = fmaxf(y1, fmaxf(p.y, g.y));
  }
  float margin = work->margin > 0.0f ? work->margin
                 : brief             ? 100.0f
                                     : 40.0f,
        side = fmaxf(x1 - x0, y1 - y0) + 2.0f * margin;
  th_vec2 corner[4] = {
      {x0 - margin, y0 - margin}, {x1 + margin, y0 - margin}, {x1 + margin, y1 + margin}, {x0 - margin, y1 + margin}};
  th_polygon outline = {.point = corner, .count = 4}, block[4 + TH_WORKLOAD_PILLARS];
  for (uint32_t i = 0; i < work->wall_count; i++) block[i] = (th_polygon){.point = work->wall[i], .count = 4};
  for (uint32_t i = 0; i < pillars->count; i++)
    block[work->wall_count + i] = (th_polygon){.point = pillars->corner[i], .count = 4};
  th_flat_def def = th_default_flat_def();
  def.outline = &outline;
  def.outline_count = 1;
  def.obstacle = block;
  def.obstacle_count = work->wall_count + pillars->count;
  def.cell = fmaxf(1.0f, side / 1024.0f);
  def.radius_class[0] = work->radius;
  def.clearance_limit = 8.0f * def.cell;
  th_ground *ground = NULL;
  th_error error;
  if (th_ground_make_flat(&def, &ground, &error)) fprintf(stderr, "workload: %s\n", error.text);
  return ground;
}

static inline th_ground *th_workload_mesh(const th_workload *work, const th_workload_pillars *pillars, float edge,
                                          float height) {
  float x0 = INFINITY, x1 = -INFINITY, y0 = INFINITY, y1 = -INFINITY;
  float margin = work->margin > 0.0f ? work->margin : 30.0f;
  for (uint32_t i = 0; i < work->count; i++) {
    x0 = fminf(x0, work->position[i].x), x1 = fmaxf(x1, work->position[i].x);
    y0 = fminf(y0, work->position[i].y), y1 = fmaxf(y1, work->position[i].y);
  }
  th_make_params make = th_default_make_params();
  make.shape = height > 0.0f ? TH_MAKE_SHAPE_TERRAIN : TH_MAKE_SHAPE_PLANE;
  make.length = x1 - x0 + 2.0f * margin;
  make.width = y1 - y0 + 2.0f * margin;
  make.edge = edge;
  make.height = height;
  th_mesh mesh;
  th_ground *ground = NULL;
  if (th_mesh_generate(&make, &mesh, NULL)) return NULL;
  for (uint32_t v = 0; v < mesh.vertex_count; v++) {
    mesh.xyz[3 * v] += (double)(x0 - margin);
    mesh.xyz[3 * v + 1] += (double)(y0 - margin);
  }
  th_region block[TH_WORKLOAD_PILLARS];
  for (uint32_t i = 0; i < pillars->count; i++)
    block[i] = (th_region){
        .kind = TH_REGION_PRISM, .outline = pillars->corner[i], .outline_count = 4, .low = -100.0f, .high = 100.0f};
  th_mesh_ground_def def = th_default_mesh_ground_def();
  def.mesh = &mesh;
  def.blocked = block;
  def.blocked_count = pillars->count;
  th_error error;
  if (th_ground_make_mesh(&def, &ground, &error)) fprintf(stderr, "workload: %s\n", error.text);
  th_mesh_free(&mesh);
  return ground;
}

static inline bool th_workload_people(th_workload_world *w, const th_workload_world_def *def) {
  th_orca_params params = th_default_orca_params();
  params.neighbours = (int32_t)w->work.neighbours;
  params.distance = w->work.reach;
  params.horizon = w->work.horizon;
  params.wall_horizon = w->work.wall_horizon;
  params.backend = (int32_t)def->backend;
  params.side = (int32_t)def->side;
  th_user_guide_params host = {def->edge > 0.0f || def->space ? th_workload_answer_in_space : th_workload_answer, w};
  th_guide_id guide;
  th_error error = {0};
  th_agent_def *agent = (th_agent_def *)calloc(w->work.count, sizeof *agent);
  th_orca_params *own = (th_orca_params *)calloc(w->work.count, sizeof *own);
  bool made = agent && own && !th_world_add_guide(w->world, &th_guide_user, &host, &guide, &error);
  for (uint32_t i = 0; made && i < w->work.count; i++) {
    agent[i] = def->people ? th_default_agent_def() : th_default_body_def();
    agent[i].point.x = w->work.position[i].x;
    agent[i].point.y = w->work.position[i].y;
    agent[i].speed = w->work.speed;
    agent[i].speed_max = w->work.max_speed;
    agent[i].radius = w->work.radius;
    agent[i].acceleration_max = agent[i].turn_max = INFINITY;
    agent[i].model = def->model ? def->model : &th_model_orca;
    own[i] = params;
    own[i].distance *= 0.9f + 0.2f * (float)(i * 7919u % 10007u) / 10007.0f;
    own[i].horizon *= 0.9f + 0.2f * (float)(i * 6007u % 10009u) / 10009.0f;
    agent[i].params = agent[i].model != &th_model_orca ? def->params : def->own_params ? &own[i] : &params;
    agent[i].collide = !def->apart;
    agent[i].guide = guide;
  }
  made = made && !th_world_add_agents(w->world, agent, w->work.count, NULL, &error);
  if (!made) fprintf(stderr, "workload: %s\n", error.text);
  free(own);
  free(agent);
  return made;
}

static inline void th_workload_world_free(th_workload_world *w) {
  th_world_free(w->world);
  th_workload_free(&w->work);
  w->world = NULL;
}

/* `w` must not move in memory while the world exists. */
static inline bool th_workload_world_make(th_workload_world *w, const th_workload_world_def *def) {
  *w = (th_workload_world){.hold = def->hold};
  if (!th_workload_make(&w->work, def->name, def->count)) return false;
  w->work.margin = def->margin;
  th_world_def world = th_default_world_def();
  th_workload_pillars *pillars = (th_workload_pillars *)calloc(1, sizeof *pillars);
  if (pillars && def->pillars > 0.0f) th_workload_set_pillars(&w->work, def->pillars, pillars);
  if (pillars)
    world.ground = def->edge > 0.0f ? th_workload_mesh(&w->work, pillars, def->edge, def->height)
                                    : th_workload_ground(&w->work, pillars, def->brief);
  free(pillars);
  world.dt = w->work.dt;
  world.workers = def->workers;
  world.simd = def->simd;
  world.agent_capacity = w->work.count;
  bool made = world.ground && !th_world_make(&world, &w->world, NULL);
  th_ground_release(world.ground);
  made = made && th_workload_people(w, def);
  if (!made) th_workload_world_free(w);
  return made;
}

/* The state of the crowd: the deepest overlap as a part of the radii's sum, and how many are at their goals or have
 * left. */
typedef struct th_workload_state {
  float overlap;
  uint32_t arrived;
} th_workload_state;

static inline int th_workload_by_x(const void *a, const void *b) {
  const float *p = (const float *)a, *q = (const float *)b;
  return (p[0] > q[0]) - (p[0] < q[0]);
}

static inline th_workload_state th_workload_look(const th_workload_world *w) {
  th_agents a = th_world_agents(w->world);
  float reach = 2.0f * w->work.radius, (*p)[2] = (float(*)[2])malloc((a.count + 1) * sizeof *p);
  th_workload_state s = {0.0f, w->work.count - a.count};
  if (!p) return s;
  for (uint32_t i = 0; i < a.count; i++) {
    th_vec2 goal = w->work.goal[a.id[i].index - 1];
    p[i][0] = a.x[i];
    p[i][1] = a.y[i];
    s.arrived += hypotf(goal.x - a.x[i], goal.y - a.y[i]) <= w->work.radius;
  }
  qsort(p, a.count, sizeof *p, th_workload_by_x);
  for (uint32_t i = 0; i < a.count; i++)
    for (uint32_t j = i + 1; j < a.count && p[j][0] - p[i][0] < reach; j++)
      s.overlap = fmaxf(s.overlap, 1.0f - hypotf(p[j][0] - p[i][0], p[j][1] - p[i][1]) / reach);
  free(p);
  return s;
}

#endif
