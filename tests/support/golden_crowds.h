/* tests/support/golden_crowds.h - the crowds of tests/whole/golden.txt: workloads of bench/workloads.h for each model.
 */
#ifndef TH_TESTS_SUPPORT_GOLDEN_CROWDS_H
#define TH_TESTS_SUPPORT_GOLDEN_CROWDS_H

#include "workload_world.h"

typedef struct golden_crowd_kind {
  const char *name, *workload;
  uint32_t count;
  float edge, height; /* as in th_workload_world_def */
} golden_crowd_kind;

static const golden_crowd_kind golden_crowd_kinds[] = {
    {"flat_ring", "ring", 40, 0.0f, 0.0f}, /* small, so that all meet in its middle within the steps */
    {"flat_disc", "disc", 2000, 0.0f, 0.0f},   {"flat_blocks", "blocks", 2000, 0.0f, 0.0f},
    {"flat_cross", "cross", 2000, 0.0f, 0.0f}, {"plane_cross", "cross", 2000, 1.0f, 0.0f},
    {"hills_cross", "cross", 2000, 1.0f, 2.0f}};
static const th_model *const golden_crowd_models[] = {&th_model_follow, &th_model_bvp, &th_model_orca,
                                                      &th_model_steering};
enum {
  GOLDEN_CROWD_KINDS = sizeof golden_crowd_kinds / sizeof *golden_crowd_kinds,
  GOLDEN_CROWD_MODELS = sizeof golden_crowd_models / sizeof *golden_crowd_models,
  GOLDEN_CROWDS = GOLDEN_CROWD_KINDS * GOLDEN_CROWD_MODELS
};

static inline void golden_crowd_name(uint32_t crowd, char name[64]) {
  snprintf(name, 64, "crowd/%s_%s", golden_crowd_models[crowd / GOLDEN_CROWD_KINDS]->name,
           golden_crowd_kinds[crowd % GOLDEN_CROWD_KINDS].name);
}

static inline bool golden_is_crowd(const char *name) { return strncmp(name, "crowd/", 6) == 0; }

/* False for a name that no crowd has, and when it cannot be made. */
static inline bool golden_crowd_make(th_workload_world *crowd, const char *name, th_simd simd, uint32_t workers) {
  for (uint32_t i = 0; i < GOLDEN_CROWDS; i++) {
    char found[64];
    golden_crowd_name(i, found);
    if (strcmp(found, name) != 0) continue;
    const golden_crowd_kind *kind = &golden_crowd_kinds[i % GOLDEN_CROWD_KINDS];
    const th_workload_world_def def = {.name = kind->workload,
                                       .count = kind->count,
                                       .workers = workers,
                                       .simd = simd,
                                       .model = golden_crowd_models[i / GOLDEN_CROWD_KINDS],
                                       .edge = kind->edge,
                                       .height = kind->height,
                                       .brief = true};
    return th_workload_world_make(crowd, &def);
  }
  return false;
}

#endif
