/* tests/support/probe_model.h - a model for tests that uses every pass kind, with state, scratch, shared data and a
 * period.
 *
 * patches: stamps the patch's own slots (each slot must be stamped once) and writes how many it saw
 * lanes:   counts in each agent's state, from anywhere
 * views:   reads the K nearest, adds to the state, and walks along the guide while it keeps off its neighbours
 *
 * What the passes find wrong goes to counters in the shared data, because a pass cannot fail a test from a worker.
 */
#ifndef TH_TESTS_SUPPORT_PROBE_MODEL_H
#define TH_TESTS_SUPPORT_PROBE_MODEL_H

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "throng/model.h"

#define PROBE_SLOTS 16384

typedef struct probe_params {
  float weight, reach;
  int32_t nearest;
  float period; /* [s] */
} probe_params;

typedef struct probe_state {
  uint64_t step;   /* of the last decision */
  uint32_t served; /* decisions */
  uint32_t lanes;  /* passes over lanes */
  float sum;       /* of what it saw: memory that decides */
} probe_state;

typedef struct probe_shared {
  uint32_t version;                       /* of the ground */
  _Atomic uint32_t stamped[PROBE_SLOTS];  /* by slot, in this step */
  _Atomic uint32_t patches, lanes, views; /* agents served in this step */
  _Atomic uint32_t wrong_own, wrong_barrier, wrong_twice, wrong_scratch, wrong_lane;
  _Atomic uint64_t step;
} probe_shared;

static inline th_result probe_share(const th_env *env, const th_ground *ground, void **out, th_error *error) {
  probe_shared *shared = (probe_shared *)env->allocator.allocate(env->allocator.user, sizeof *shared, 64);
  if (!shared) return th_fail_memory(error, "probe");
  memset(shared, 0, sizeof *shared);
  shared->version = th_ground_version(ground);
  *out = shared;
  return TH_OK;
}

static inline void probe_unshare(const th_env *env, void *shared) {
  env->allocator.release(env->allocator.user, shared, sizeof(probe_shared));
}

static inline void probe_begin(void *state, const void *params) {
  ((probe_state *)state)->sum = ((const probe_params *)params)->weight;
  ((probe_state *)state)->step = UINT64_MAX;
}

static inline float probe_reach(const void *params) { return ((const probe_params *)params)->reach; }
static inline uint32_t probe_nearest(const void *params) { return (uint32_t)((const probe_params *)params)->nearest; }
static inline float probe_period(const void *params) { return ((const probe_params *)params)->period; }

static inline void probe_patches(const th_work *work) {
  probe_shared *shared = (probe_shared *)work->shared;
  const th_neighbours *near = &work->view->neighbours;
  if (work->view->lanes != 0 || work->own_count == 0 || work->own_first + work->own_count > near->count)
    atomic_fetch_add(&shared->wrong_own, 1);
  for (uint32_t i = 0; i < near->count; i++) {
    bool own = i >= work->own_first && i < work->own_first + work->own_count;
    if (i && near->slot[i] <= near->slot[i - 1]) atomic_fetch_add(&shared->wrong_own, 1);
    if (own && i > work->own_first && near->slot[i] != near->slot[i - 1] + 1) atomic_fetch_add(&shared->wrong_own, 1);
    if (own && near->slot[i] < PROBE_SLOTS && atomic_fetch_add(&shared->stamped[near->slot[i]], 1) != 0)
      atomic_fetch_add(&shared->wrong_twice, 1);
  }
  atomic_fetch_add(&shared->patches, work->own_count);
  if (atomic_load(&shared->lanes) || atomic_load(&shared->views)) atomic_fetch_add(&shared->wrong_barrier, 1);
}

static inline void probe_lanes(const th_work *work) {
  probe_shared *shared = (probe_shared *)work->shared;
  if (atomic_load(&shared->views)) atomic_fetch_add(&shared->wrong_barrier, 1);
  for (uint32_t lane = 0; lane < work->view->lanes; lane++) {
    probe_state *state = (probe_state *)work->state[lane];
    uint32_t slot = work->view->slot[lane];
    if (slot >= PROBE_SLOTS || atomic_load(&shared->stamped[slot]) != 1) atomic_fetch_add(&shared->wrong_barrier, 1);
    state->lanes++;
  }
  atomic_fetch_add(&shared->lanes, work->view->lanes);
}

static inline void probe_decide(const th_work *work, uint32_t lane) {
  const th_view *view = work->view;
  probe_shared *shared = (probe_shared *)work->shared;
  probe_state *state = (probe_state *)work->state[lane];
  const probe_params *params = (const probe_params *)work->params[lane];
  float px = 0.0f, py = 0.0f;
  for (uint32_t k = 0; k < view->neighbours.pick_count && k < (uint32_t)params->nearest; k++) {
    uint32_t pick = view->neighbours.pick[k * TH_VIEW_LANES + lane];
    if (pick == TH_NO_PICK) break;
    px += (view->x[lane] - view->neighbours.x[pick]) * 0.1f;
    py += (view->y[lane] - view->neighbours.y[pick]) * 0.1f;
  }
  if (state->step == work->step) atomic_fetch_add(&shared->wrong_twice, 1);
  if (state->lanes != state->served + 1) atomic_fetch_add(&shared->wrong_barrier, 1);
  state->step = work->step;
  state->served++;
  state->sum = state->sum * 0.5f + px + py;
  const th_guide_answer *want = &view->want[lane];
  if (want->state != TH_ANSWER_LEAD) return;
  work->advice.vx[lane] = want->dx * view->speed[lane] + params->weight * (px + 0.01f * state->sum);
  work->advice.vy[lane] = want->dy * view->speed[lane] + params->weight * (py - 0.01f * state->sum);
  work->advice.gait[lane] = TH_GAIT_WALK;
}

static inline void probe_views(const th_work *work) {
  probe_shared *shared = (probe_shared *)work->shared;
  uint32_t *scratch = (uint32_t *)work->scratch;
  if ((uintptr_t)scratch % 64) atomic_fetch_add(&shared->wrong_scratch, 1);
  for (uint32_t i = 0; i < 1024; i++) scratch[i] = work->view->agent[0] + i;
  for (uint32_t lane = 0; lane < work->view->lanes; lane++) probe_decide(work, lane);
  for (uint32_t lane = work->view->lanes; lane < TH_VIEW_LANES; lane++)
    if (work->view->agent[lane] != work->view->agent[work->view->lanes - 1]) atomic_fetch_add(&shared->wrong_lane, 1);
  for (uint32_t i = 0; i < 1024; i++)
    if (scratch[i] != work->view->agent[0] + i) atomic_fetch_add(&shared->wrong_scratch, 1);
  atomic_fetch_add(&shared->views, work->view->lanes);
}

static const th_param probe_table[] = {
    {"weight", TH_PARAM_FLOAT, offsetof(probe_params, weight), "", 0, 10, 0.5, "how much neighbours push", NULL},
    {"reach", TH_PARAM_FLOAT, offsetof(probe_params, reach), "m", 0.1, 20, 3, "how far it sees", NULL},
    {"nearest", TH_PARAM_INT, offsetof(probe_params, nearest), "", 1, TH_MAX_NEAREST, 5, "how many it sees", NULL},
    {"period", TH_PARAM_FLOAT, offsetof(probe_params, period), "s", 0, 50, 0, "time between decisions", NULL},
};

static const th_pass probe_passes[] = {{"patches", TH_OVER_PATCHES, TH_SEE_NEIGHBOURS, probe_patches},
                                       {"lanes", TH_OVER_LANES, 0, probe_lanes},
                                       {"views", TH_OVER_VIEWS, TH_SEE_NEAREST | TH_SEE_BODY, probe_views}};

static const th_model probe_model = {
    .name = "probe",
    .summary = "uses every kind of pass",
    .param = probe_table,
    .param_count = 4,
    .param_size = sizeof(probe_params),
    .state_size = sizeof(probe_state),
    .scratch_size = 4096,
    .state_init = probe_begin,
    .reach = probe_reach,
    .nearest = probe_nearest,
    .period = probe_period,
    .shared_make = probe_share,
    .shared_free = probe_unshare,
    .pass = probe_passes,
    .pass_count = 3,
};

static inline void probe_clear(probe_shared *shared) { /* before a step */
  for (uint32_t i = 0; i < PROBE_SLOTS; i++) atomic_store(&shared->stamped[i], 0);
  atomic_store(&shared->patches, 0);
  atomic_store(&shared->lanes, 0);
  atomic_store(&shared->views, 0);
}

#endif
