/* tests/support/biocrowds_worlds.h - worlds of the model biocrowds in which nothing but the model moves agents, and an
 * oracle that looks at every marker and every agent.
 *
 *   arena a;  arena_make(&a, ground, &(arena_def){.workers = 1});  arena_add(&a, x, y, goal, NULL);
 *   th_world_step(a.world);  ...  arena_free(&a);
 */
#ifndef TH_TESTS_SUPPORT_BIOCROWDS_WORLDS_H
#define TH_TESTS_SUPPORT_BIOCROWDS_WORLDS_H

#include "ground/markers/markers.h"
#include "support/worlds.h"
#include "throng/guide.h"
#include "throng/model/biocrowds.h"
#include "world/world.h"

#define ARENA_MAX 4096

typedef struct arena {
  th_world *world;
  th_guide_id guide;
  th_vec2 goal[ARENA_MAX]; /* of each agent, by the index of its id - 1 */
  th_agent_id id[ARENA_MAX];
  uint32_t count;
  float width; /* of that corridor [m] */
  float wrap;  /* agents that arrive begin again at the other end of a corridor of this length [m]; 0: they stand */
} arena;

typedef struct arena_def {
  uint32_t workers;
  th_simd simd;
  float dt; /* 0: 1/30 s */
} arena_def;

/* Straight at the goal, seen from above. */
static inline void arena_answer(void *user, const th_guide_query *query) {
  const arena *a = (const arena *)user;
  for (uint32_t lane = 0; lane < query->lanes; lane++) {
    th_place place = {query->cell[lane], query->x[lane], query->y[lane]};
    th_vec2 goal = a->goal[query->agent[lane] - 1];
    th_vec3 p = th_ground_point(query->ground, place), to = {goal.x - p.x, goal.y - p.y, 0.0f};
    float left = sqrtf(to.x * to.x + to.y * to.y);
    th_vec2 d = th_ground_to_cell(query->ground, place, to);
    float length = sqrtf(d.x * d.x + d.y * d.y), k = length > 0.0f ? 1.0f / length : 0.0f;
    query->want[lane] = (th_guide_answer){
        .dx = d.x * k, .dy = d.y * k, .left = left, .state = left > 0.1f ? TH_ANSWER_LEAD : TH_ANSWER_WAIT};
  }
}

static inline void arena_make(arena *a, th_ground *ground, const arena_def *d) {
  memset(a, 0, sizeof *a);
  th_world_def def = th_default_world_def();
  def.ground = ground;
  def.dt = d->dt > 0.0f ? d->dt : 1.0f / 30.0f;
  def.workers = d->workers ? d->workers : 1;
  def.simd = d->simd;
  def.contact_rounds = 0;
  OK(th_world_make(&def, &a->world, &error));
  th_user_guide_params host = {arena_answer, a};
  OK(th_world_add_guide(a->world, &th_guide_user, &host, &a->guide, &error));
}

static inline void arena_free(arena *a) { th_world_free(a->world); }

static inline th_agent_def arena_agent(const arena *a, float x, float y) {
  th_agent_def def = th_default_body_def();
  def.point = (th_vec3){x, y, 0.0f};
  def.speed = 1.8f;
  def.speed_max = 100.0f;
  def.acceleration_max = def.turn_max = INFINITY;
  def.model = &th_model_biocrowds;
  def.guide = a->guide;
  def.collide = false;
  return def;
}

static inline void arena_put(arena *a, const th_agent_def *def, th_vec2 goal) {
  assert_true(a->count < ARENA_MAX);
  a->goal[a->count] = goal;
  OK(th_world_add_agent(a->world, def, &a->id[a->count], &error));
  assert_int_equal(a->id[a->count].index, a->count + 1);
  a->count++;
}

static inline void arena_add(arena *a, float x, float y, th_vec2 goal, const th_biocrowds_params *params) {
  th_agent_def def = arena_agent(a, x, y);
  def.params = params;
  arena_put(a, &def, goal);
}

/* Two streams through a corridor; those who come to an end begin again at the other one. */
static inline void arena_streams(arena *a, float length, float width, uint32_t count, const th_biocrowds_params *params,
                                 uint64_t seed) {
  uint64_t state = seed;
  a->wrap = length;
  a->width = width;
  for (uint32_t i = 0; i < count; i++) {
    bool east = i % 2 == 0;
    float x = 0.0f, y = 0.0f;
    bool free = false;
    for (int tries = 0; tries < 2000 && !free; tries++) {
      x = worlds_in(&state, 1.0f, length - 1.0f);
      y = worlds_in(&state, 0.3f, width - 0.3f);
      free = true;
      for (uint32_t k = 0; k < a->count && free; k++) {
        th_vec3 p = th_world_agent_point(a->world, a->id[k]);
        free = (p.x - x) * (p.x - x) + (p.y - y) * (p.y - y) > 0.42f * 0.42f;
      }
    }
    arena_add(a, x, y, (th_vec2){east ? length + 100.0f : -100.0f, y}, params);
  }
}

static inline bool arena_room(const arena *a, uint32_t but, th_vec3 p) {
  for (uint32_t k = 0; k < a->count; k++) {
    th_vec3 q = th_world_agent_point(a->world, a->id[k]);
    if (k != but && (p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y) < 0.25f) return false;
  }
  return true;
}

/* Those at an end of the corridor begin again at the other one, as near to their own line as there is room: streams
 * would pile up at both ends else. */
static inline void arena_recycle(arena *a) {
  for (uint32_t i = 0; i < a->count; i++) {
    th_vec3 p = th_world_agent_point(a->world, a->id[i]);
    const float y = p.y;
    bool east = a->goal[i].x > 0.0f;
    if (east ? p.x < a->wrap - 1.0f : p.x > 1.0f) continue;
    p.x = east ? 0.6f : a->wrap - 0.6f;
    for (int k = 0; k < 80; k++) {
      p.y = y + 0.25f * (float)(k % 2 ? (k + 1) / 2 : -k / 2);
      if (p.y < 0.3f || p.y > a->width - 0.3f || !arena_room(a, i, p)) continue;
      OK(th_world_place_agent(a->world, a->id[i], p, &error));
      break;
    }
  }
}

static inline const th_markers *arena_markers(const arena *a) {
  const th_ground *ground = th_world_ground(a->world);
  const th_markers_def def = th_ground_markers_def(ground);
  const th_markers *markers = NULL;
  OK(th_ground_markers(ground, &def, 1, &markers, &error));
  return markers;
}

static inline bool arena_walls_between(const th_ground *ground, th_vec2 a, th_vec2 b) {
  uint32_t count;
  const th_segment *wall = th_ground_walls(ground, &count);
  for (uint32_t k = 0; k < count; k++) {
    double ex = (double)wall[k].bx - (double)wall[k].ax, ey = (double)wall[k].by - (double)wall[k].ay;
    double s0 = ex * ((double)a.y - (double)wall[k].ay) - ey * ((double)a.x - (double)wall[k].ax);
    double s1 = ex * ((double)b.y - (double)wall[k].ay) - ey * ((double)b.x - (double)wall[k].ax);
    double fx = (double)b.x - (double)a.x, fy = (double)b.y - (double)a.y;
    double t0 = fx * ((double)wall[k].ay - (double)a.y) - fy * ((double)wall[k].ax - (double)a.x);
    double t1 = fx * ((double)wall[k].by - (double)a.y) - fy * ((double)wall[k].bx - (double)a.x);
    if (((s0 >= 0.0) != (s1 >= 0.0)) && ((t0 >= 0.0) != (t1 >= 0.0))) return true;
  }
  return false;
}

/* Flat ground, by definition: the nearest agent within reach that sees the marker; 0: none. `at` are the places of all
 * agents by id. */
static inline uint32_t arena_owner(const arena *a, const th_vec2 *at, th_vec2 m, float reach) {
  const th_ground *ground = th_world_ground(a->world);
  bool literal = th_ground_markers_def(ground).through_walls;
  uint32_t owner = 0;
  float best = reach * reach;
  for (uint32_t i = 0; i < a->count; i++) {
    float dx = m.x - at[i].x, dy = m.y - at[i].y, d2 = dx * dx + dy * dy;
    if (d2 > best || (owner && d2 == best)) continue;
    if (!literal && arena_walls_between(ground, at[i], m)) continue;
    best = d2;
    owner = i + 1;
  }
  return owner;
}

static inline void arena_places(const arena *a, th_vec2 *at) {
  for (uint32_t i = 0; i < a->count; i++) {
    th_vec3 p = th_world_agent_point(a->world, a->id[i]);
    at[i] = (th_vec2){p.x, p.y};
  }
}

#endif
