/* tests/support/trees.h - a tree on hand-made markers, without a world.
 *
 *   grove g;  grove_make(&g, walls, 1, &params);       46 m x 32 m with these walls, markers every 1.5 m, jittered
 *   grove_plant(&g, 4, 4);  grove_aim(&g, 42, 4);      a root and a target
 *   grove_grow(&g, 100);                               iterations of growth alone
 */
#ifndef TH_TESTS_SUPPORT_TREES_H
#define TH_TESTS_SUPPORT_TREES_H

#include "base/memory.h"
#include "base/random.h"
#include "guide/tree/tree.h"
#include "support/worlds.h"

#define GROVE_MARKERS 4096

typedef struct grove {
  th_ground *ground;
  th_tree_space *space;
  th_tree_params params;
  th_place marker[GROVE_MARKERS];
  uint32_t markers;
  void *row;
  th_tree_job job;
} grove;

/* A tree that runs straight along a row of such a grid retains the rows beside it and sees no others: it cannot branch
 * until its agent has walked on. So rows lie at multiples of 1.5 m, and starts and targets do not. */
static inline void grove_scatter(grove *g, uint64_t seed) {
  uint32_t n = 0;
  g->markers = 0;
  for (float y = 0.0f; y < 32.0f; y += 1.5f) {
    for (float x = 0.0f; x < 46.0f; x += 1.5f, n++) {
      float dx = th_random_range(seed, 1, n, 0, -0.1f, 0.1f), dy = th_random_range(seed, 2, n, 0, -0.1f, 0.1f);
      th_place place = th_ground_locate(g->ground, x + dx, y + dy);
      if (place.cell != TH_NO_CELL) g->marker[g->markers++] = place;
    }
  }
}

static inline void grove_open(grove *g, uint64_t seed, float radius) {
  th_env env = th_env_complete(&(th_env){0});
  OK(th_tree_space_make(&env, &(th_tree_space_def){g->ground, g->marker, g->markers, g->params.action}, &g->space,
                        &error));
  g->row = calloc(1, th_tree_row_size(&g->params));
  g->job = (th_tree_job){.params = &g->params,
                         .eye = {g->space, g->params.line_of_sight, radius},
                         .tree = th_tree_open(g->row),
                         .seed = seed,
                         .agent = 1,
                         .dt = 1.0f / 30.0f};
}

static inline th_ground *grove_ground(const worlds_rect *wall, uint32_t count) {
  worlds_rect rect[11] = {worlds_rectangle(0, 0, 46, 32)};
  for (uint32_t i = 0; i < count; i++) rect[1 + i] = wall[i];
  worlds_plan plan = {.rect = rect, .walls = count, .cell = 0.25f};
  th_ground *ground = NULL;
  OK(worlds_try_ground(&(th_env){0}, &plan, &ground, &error));
  return ground;
}

static inline void grove_make(grove *g, const worlds_rect *wall, uint32_t count, const th_tree_params *params,
                              uint64_t seed) {
  memset(g, 0, sizeof *g);
  g->params = *params;
  g->ground = grove_ground(wall, count);
  grove_scatter(g, seed);
  grove_open(g, seed, 0.2f);
}

static inline void grove_end(grove *g) {
  th_tree_space_free(g->space);
  free(g->row);
  th_ground_release(g->ground);
}

static inline void grove_stand(grove *g, float x, float y) {
  g->job.at = th_ground_locate(g->ground, x, y);
  g->job.point = (th_vec3){x, y, 0};
}

static inline void grove_plant(grove *g, float x, float y) {
  grove_stand(g, x, y);
  th_tree_plant(&g->job.tree, &g->params, &g->job.eye, g->job.at);
}

static inline void grove_aim(grove *g, float x, float y) {
  g->job.target = (th_tree_target){.exists = true, .point = {x, y, 0}};
}

/* Until it is reached, for at most this many iterations; returns how many were made. */
static inline uint32_t grove_grow(grove *g, uint32_t iterations) {
  uint32_t n = 0;
  th_tree_judge(&g->job);
  for (; n < iterations && !g->job.tree.head->reached; n++) {
    th_tree_grow(&g->job);
    th_tree_judge(&g->job);
  }
  return n;
}

/* Metres from the root to the best node along the tree, and on to the target. */
static inline float grove_length(const grove *g) {
  const th_tree *tree = &g->job.tree;
  uint32_t segments = tree->node[tree->head->best].depth - (uint32_t)tree->node[tree->head->root].depth;
  th_vec3 end = tree->node[tree->head->best].point;
  return g->params.segment * (float)segments + th_tree_apart(end, th_tree_nearest_of(&g->job.target, end));
}

#endif
