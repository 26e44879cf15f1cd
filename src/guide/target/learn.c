/* guide/target/learn.c - which agents search a path in this step.
 *
 * Every agent looks where its target is; where that has moved a little, the end of the path follows it. An agent that
 * has no path or has left it must search a new one; one whose target has gone far since, or that was pushed back, may.
 * They take turns: those that must come first, then those that may, each in the order of ids from the one behind the
 * last that had its turn, until the searches of this step are used up. One thread does it, so nothing depends on
 * workers. Cost: 20 ns per agent, 0.2 us for one whose target moves, and the searches.
 */
#include <math.h>

#include "geometry/shape.h"
#include "guide/target/target.h"

#define FAR_SHARE 0.1f /* of the path that is left: a target that moved farther is searched again */
#define FAR_LEAST 1.0f /* [m] */
#define SLACK 0.25f    /* on a mesh a place that moves is looked up again when it has gone as far [m] */
#define NEAR_END 3.0f  /* of what is known of a long path: it is searched on from there [m] */

typedef struct target_turn {
  uint32_t after; /* the agent that had the last one */
} target_turn;

static float apart(th_vec3 a, th_vec3 b) { return th_length3(th_minus3(a, b)); }

/* A target that has gone farther since the path was searched is worth another search [m]. */
static float far_of(const th_target_row *row) { return fmaxf(FAR_LEAST, FAR_SHARE * row->tail); }

/* Where the agent is to go: true when there is such a place. */
static bool target_of(const th_guide_update *update, uint32_t i, th_vec3 *point, uint32_t *follows, bool *gone) {
  const th_guide_link *link = update->link + (size_t)i * TH_MAX_LINKS;
  *gone = false;
  *follows = 0;
  for (uint32_t k = 0; k < TH_MAX_LINKS; k++) {
    if (link[k].role != TH_ROLE_TARGET) continue;
    *gone = !link[k].to_point && link[k].place.cell == TH_NO_CELL;
    if (*gone) continue;
    *follows = !link[k].to_point;
    *point = link[k].to_point ? link[k].point : th_ground_point(update->ground, link[k].place);
    return true;
  }
  if (!update->goal[i]) return false;
  th_vec3 at = th_ground_point(update->ground, update->place[i]);
  if (!th_ground_mesh(update->ground)) at.z = th_shape_at(update->goal[i], 0).z;
  *point = th_shape_nearest(update->goal[i], at);
  *gone = false;
  return true;
}

static void forget(th_target_row *row, uint32_t does) {
  row->begun = row->effort = 0;
  row->does = does;
  row->need = TH_TARGET_HAS_PATH;
  row->count = row->half_count = 0;
  row->face = TH_NOWHERE;
}

static void ask_for_search(th_target_row *row, uint32_t need) {
  if (row->need < need) row->need = need;
}

/* The target is somewhere else, or the ground has changed. */
static void look(const th_target_job *job, bool fresh) {
  th_target_row *row = job->row;
  row->aimed = row->point;
  if (!job->shared->kind->aim(job)) {
    row->does = TH_TARGET_IS_LOST;
    row->need = TH_TARGET_HAS_PATH;
    row->count = 0;
    return;
  }
  if (row->does == TH_TARGET_IS_LOST) row->does = TH_TARGET_WAITS;
  if (fresh || !row->count) {
    ask_for_search(row, TH_TARGET_MUST_SEARCH);
    return;
  }
  if (row->whole && !job->shared->kind->shift(job)) ask_for_search(row, TH_TARGET_MUST_SEARCH);
  if (apart(row->point, row->planned) > far_of(row)) ask_for_search(row, TH_TARGET_MAY_SEARCH);
}

static void learn_one(const th_guide_update *update, uint32_t i) {
  const th_target_shared *shared = update->shared;
  th_target_row *row = update->row[i];
  th_vec3 point = {0};
  uint32_t follows;
  bool gone;
  if (!target_of(update, i, &point, &follows, &gone)) {
    forget(row, gone ? TH_TARGET_IS_LOST : TH_TARGET_WAITS);
    return;
  }
  const th_target_job job = {shared, row, update->place[i], 0};
  const uint32_t version = th_ground_version(update->ground);
  const uint32_t radius_class = th_ground_class(update->ground, update->radius[i]);
  const bool fresh = !row->begun || row->version != version || row->radius_class != radius_class;
  const bool rests = apart(point, row->point) == 0.0f;
  const float moved = apart(point, row->aimed);
  const float slack = !th_ground_mesh(update->ground) || rests ? 0.0f : row->whole ? SLACK : far_of(row);
  row->follows = follows;
  if (fresh) row->face = TH_NOWHERE;
  row->begun = 1;
  row->version = version;
  row->radius_class = radius_class;
  row->point = point;
  if (fresh || moved > slack) look(&job, fresh);
  if (row->effort) ask_for_search(row, TH_TARGET_MAY_SEARCH);
  if (row->does == TH_TARGET_WALKS && !row->whole && row->left - row->rest < NEAR_END)
    ask_for_search(row, TH_TARGET_MUST_SEARCH);
}

/* A search that was not enough is repeated with twice the nodes. */
static uint32_t nodes_of(const th_target_params *params, const th_target_row *row) {
  const uint64_t nodes = (uint64_t)params->nodes << (row->effort < 32 ? row->effort : 32);
  return nodes < UINT32_MAX ? (uint32_t)nodes : UINT32_MAX;
}

/* The members from the one behind `after` on, in a ring. */
static uint32_t search_turns(const th_guide_update *update, uint32_t first, uint32_t need, uint32_t left,
                             target_turn *turn) {
  const th_target_shared *shared = update->shared;
  for (uint32_t k = 0; k < update->member_count && left; k++) {
    const uint32_t i = update->member[(first + k) % update->member_count];
    th_target_row *row = update->row[i];
    if (row->need != need || update->state[i] != TH_AGENT_WALKING) continue;
    shared->kind->search(&(th_target_job){shared, row, update->place[i], nodes_of(update->params, row)});
    row->need = TH_TARGET_HAS_PATH;
    row->planned = row->point;
    row->best = row->left = INFINITY;
    turn->after = update->agent[i];
    left--;
  }
  return left;
}

void th_target_learn(const th_guide_update *update) {
  const th_target_params *params = update->params;
  target_turn *turn = update->memory;
  uint32_t first = 0;
  for (uint32_t k = 0; k < update->member_count; k++) {
    const uint32_t i = update->member[k];
    if (update->state[i] == TH_AGENT_WALKING) learn_one(update, i);
    if (update->agent[i] <= turn->after) first = k + 1;
  }
  uint32_t left = (uint32_t)params->searches;
  left = search_turns(update, first, TH_TARGET_MUST_SEARCH, left, turn);
  search_turns(update, first, TH_TARGET_MAY_SEARCH, left, turn);
}
