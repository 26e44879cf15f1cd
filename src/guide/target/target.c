/* guide/target/target.c - the guide `target`: a shortest path for every agent, to a target of its own.
 *
 * What is shared is made once per version of the ground: triangles or portals (ground/path), and the memory of
 * searches. A row keeps the next corners of an agent's path, so an agent takes 0.2 kB on flat ground and 0.4 kB on a
 * mesh. Searching is in learn.c, the rest on each kind of ground.
 */
#include "guide/target/target.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

#define WIDEST 10.0f /* free width is looked for as far as this [m] */

/* ---------------------------------------------------------------- answers */

void th_target_answer(const th_guide_query *query, uint32_t lane, float x, float y) {
  const th_target_params *params = query->params;
  th_target_row *row = query->row[lane];
  th_guide_answer *want = &query->want[lane];
  const float far = sqrtf(x * x + y * y), left = far + row->tail;
  row->left = left;
  /* behind an agent that walks on nobody comes nearer, and yet is not stuck */
  *want = (th_guide_answer){.left = row->follows ? INFINITY : left, .state = TH_ANSWER_LEAD};
  if (row->whole && left <= (row->follows ? params->keep : params->arrive))
    want->state = row->follows ? TH_ANSWER_WAIT : TH_ANSWER_ARRIVED;
  if (!(far > 0.0f)) return;
  want->dx = x / far;
  want->dy = y / far;
}

static const th_trace traces[] = {
    {"corner", TH_TRACE_POINT, "m", "the next corner of the path; value: what is left of the path [m]", 0},
};

static void answer(const th_guide_query *query) {
  const th_target_shared *shared = query->shared;
  for (uint32_t lane = 0; lane < query->lanes; lane++) {
    const th_target_row *row = query->row[lane];
    th_guide_answer *want = &query->want[lane];
    if (row->does == TH_TARGET_IS_LOST) *want = (th_guide_answer){.left = INFINITY, .state = TH_ANSWER_LOST};
    if (row->does != TH_TARGET_WALKS) continue; /* the preset: wait */
    shared->kind->lead(query, lane);
    if (!th_trace_wants(query->trace, lane)) continue;
    const float far = row->left - row->tail;
    th_trace_point(query->trace, lane, traces,
                   (th_vec2){query->x[lane] + far * want->dx, query->y[lane] + far * want->dy}, row->left);
  }
}

static void corners(const th_guide_query *query, th_guide_corners *path) {
  const th_target_shared *shared = query->shared;
  const th_target_row *row = query->row[0];
  th_vec3 corner[TH_TARGET_CORNERS];
  if (row->does != TH_TARGET_WALKS || !row->count) return;
  const th_place place = {query->cell[0], query->x[0], query->y[0]};
  const uint32_t count = shared->kind->corners(query, corner);
  path->count = count < TH_PATH_CORNERS ? count : TH_PATH_CORNERS;
  path->number = row->passed + 1;
  path->back = th_ground_point(query->ground, place); /* a path is searched from the body: it is always on it */
  for (uint32_t k = 0; k < path->count; k++) path->corner[k] = corner[k];
  const th_vec3 to = th_minus3(corner[0], path->back);
  const th_vec2 along = th_unit2(th_ground_to_cell(query->ground, place, to));
  if (!(th_dot2(along, along) > 0.0f)) return;
  path->left = th_ground_ray(query->ground, place, th_left2(along), WIDEST).distance;
  path->right = th_ground_ray(query->ground, place, th_right2(along), WIDEST).distance;
}

th_target_state th_target_read(const void *memory) {
  const th_target_row *row = memory;
  if (!row) return (th_target_state){0};
  const bool walks = row->begun && row->does == TH_TARGET_WALKS;
  return (th_target_state){.point = row->begun ? row->end : (th_vec3){0},
                           .left = walks ? row->left : INFINITY,
                           .corners = walks ? row->count : 0,
                           .moved = row->begun && row->moved,
                           .waits = row->begun && row->need != TH_TARGET_HAS_PATH,
                           .lost = row->does == TH_TARGET_IS_LOST};
}

/* ---------------------------------------------------------------- what is shared */

static void shared_free(const th_env *env, void *memory) {
  th_target_shared *shared = memory;
  for (uint32_t k = 0; k < TH_MAX_CLASSES; k++) th_path_search_free(shared->search[k]);
  th_portal_search_free(shared->crossing);
  TH_GIVE(&env->allocator, shared, 1);
}

static th_result make_class(th_target_shared *shared, uint32_t k, th_error *error) {
  const th_result result = th_path_shelf_find(shared->ground, k, &shared->on[k], error);
  if (result) return result;
  if (shared->on[k].space) shared->search[k] = th_path_search_make(shared->on[k].space);
  if (shared->on[k].portals && !shared->crossing) shared->crossing = th_portal_search_make(shared->on[k].portals);
  return shared->search[k] || shared->crossing ? TH_OK : th_fail_memory(error, "target");
}

static th_result shared_make(const th_env *env, const void *params, const th_ground *ground, void **out,
                             th_error *error) {
  (void)params;
  th_target_shared *shared = TH_TAKE(&env->allocator, th_target_shared, 1);
  *out = NULL;
  if (!shared) return th_fail_memory(error, "target");
  shared->ground = ground;
  shared->kind = th_ground_is_mesh(ground) ? &th_target_kind_mesh : &th_target_kind_flat;
  th_result result = TH_OK;
  for (uint32_t k = 0; k < ground->class_count && !result; k++) result = make_class(shared, k, error);
  if (result)
    shared_free(env, shared);
  else
    *out = shared;
  return result;
}

/* ---------------------------------------------------------------- the table */

static size_t row_size(const void *params, const th_ground *ground) {
  (void)params;
  return th_ground_is_mesh(ground) ? sizeof(th_target_row) : offsetof(th_target_row, half);
}

static size_t memory_size(const void *params, const th_ground *ground) {
  (void)params, (void)ground;
  return sizeof(uint32_t); /* whose turn it was */
}

static th_trace_size trace_size(const void *params) {
  (void)params;
  return (th_trace_size){.items = 1};
}

#define AT(member) (uint32_t) offsetof(th_target_params, member)
static const th_param params[] = {
    {"arrive", TH_PARAM_FLOAT, AT(arrive), "m", 0.05, 100, 0.5, "a point counts as reached within this distance", NULL},
    {"keep", TH_PARAM_FLOAT, AT(keep), "m", 0.05, 100, 1, "stands this far from an agent that it follows", NULL},
    {"searches", TH_PARAM_INT, AT(searches), "", 1, 100000, 64, "greatest number of paths searched in a step", NULL},
    {"nodes", TH_PARAM_INT, AT(nodes), "", 64, 1000000, 16384,
     "of one search at first; one that is not enough is repeated with twice as many", NULL},
};

const th_guide th_guide_target = {
    .name = "target",
    .summary = "leads everybody on a shortest path to a target of their own",
    .param = params,
    .param_count = sizeof params / sizeof *params,
    .param_size = sizeof(th_target_params),
    .own_points = true,
    .ask = answer,
    .memory_size = memory_size,
    .learn = th_target_learn,
    .row_size = row_size,
    .corners = corners,
    .trace = traces,
    .trace_count = sizeof traces / sizeof *traces,
    .trace_size = trace_size,
    .shared_make = shared_make,
    .shared_free = shared_free,
};

th_target_params th_default_target_params(void) {
  th_target_params values;
  memset(&values, 0, sizeof values); /* padding too: equal parameters are found by their bytes */
  th_param_defaults(th_guide_target.param, th_guide_target.param_count, &values);
  return values;
}
