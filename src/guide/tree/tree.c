/* guide/tree/tree.c - the guide `tree`: what each agent does, and one iteration of its tree per step.
 *
 * Trees that depend on each other (collaborators, an agent that escapes and its pursuers) learn as one unit: one after
 * the other in the order of ids, from the places at the start of the step. Units learn in parallel. In each step a tree
 * is pruned (when its target is lost or others are near, and when its agent has come to a node), grows by one
 * iteration, and the next node is chosen. The whole tree is in the row of the agent. Cost: 12 us per step for a tree of
 * some 500 nodes on flat ground, growing or not; on a mesh 350 us while it grows.
 */
#include "guide/tree/tree.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "geometry/ball.h"
#include "guide/tree/rules.h"
#include "throng/markers.h"

#define OTHERS 256 /* trees or bodies of a unit that one tree looks at, the first by id */
#define WANDER_STREAM 0x7766u
#define WANDER_SECONDS 5.0f /* a wanderer has another aim after this time and up to twice more */
#define PATIENCE 0.5f       /* [s] without seeing the next node */
#define IDLE_SECONDS 1.0f   /* without a node to go to */

/* ---------------------------------------------------------------- what agents do */

typedef struct plan {
  th_tree_does does;
  const th_guide_link *target; /* pursues */
  bool lost;                   /* had a target that is gone, and no goal */
} plan;

static const th_guide_link *target_of(const th_guide_update *update, uint32_t i, bool *gone) {
  const th_guide_link *link = update->link + (size_t)i * TH_MAX_LINKS;
  *gone = false;
  for (uint32_t k = 0; k < TH_MAX_LINKS; k++) {
    if (link[k].role != TH_ROLE_TARGET) continue;
    if (link[k].place.cell != TH_NO_CELL) return &link[k];
    *gone = true;
  }
  return NULL;
}

static bool pursues(const th_guide_update *update, uint32_t i, uint32_t agent) {
  bool gone;
  const th_guide_link *target = target_of(update, i, &gone);
  return target && target->agent == agent;
}

/* Bodies that chase agent i: members of its unit, and its links. Returns how many. */
static uint32_t pursuers_of(const th_guide_update *update, uint32_t i, uint32_t *member, uint32_t *members,
                            th_vec3 body[OTHERS]) {
  uint32_t count = 0;
  *members = 0;
  for (uint32_t k = 0; k < update->member_count && count < OTHERS - TH_MAX_LINKS; k++) {
    uint32_t j = update->member[k];
    if (j == i || !pursues(update, j, update->agent[i])) continue;
    member[(*members)++] = j;
    body[count++] = th_ground_point(update->ground, update->place[j]);
  }
  for (uint32_t k = 0; k < TH_MAX_LINKS; k++) {
    const th_guide_link *link = &update->link[(size_t)i * TH_MAX_LINKS + k];
    if (link->role == TH_ROLE_PURSUER && link->place.cell != TH_NO_CELL)
      body[count++] = th_ground_point(update->ground, link->place);
  }
  return count;
}

static plan plan_of(const th_guide_update *update, uint32_t i, uint32_t pursuers) {
  const th_tree_params *params = update->params;
  plan p = {.does = TH_TREE_WAITS};
  bool gone;
  p.target = target_of(update, i, &gone);
  if (p.target)
    p.does = TH_TREE_PURSUES;
  else if (update->goal[i])
    p.does = TH_TREE_SEEKS;
  else if (gone)
    p.lost = true;
  else if (pursuers || params->area_radius > 0.0f)
    p.does = TH_TREE_ESCAPES;
  else if (params->wander)
    p.does = TH_TREE_WANDERS;
  return p;
}

static uint32_t unit_of(const th_guide_update *update, uint32_t i) {
  bool gone;
  const th_guide_link *target = target_of(update, i, &gone);
  return target && target->agent ? target->agent : update->agent[i];
}

/* ---------------------------------------------------------------- targets */

/* A random marker, exchanged when it is reached and after a while. */
static void choose_aim(th_tree_job *job) {
  th_tree_head *head = job->tree.head;
  const th_tree_space *space = job->eye.space;
  bool there = head->aim && head->aim <= space->count &&
               th_tree_apart(job->point, space->point[head->aim - 1]) <= job->params->reach;
  head->aim_left -= job->dt;
  if (head->aim && head->aim <= space->count && !there && head->aim_left > 0.0f) return;
  uint64_t bits = th_random(job->seed, WANDER_STREAM, job->agent, head->draws++);
  head->aim = space->count ? 1 + th_random_to_below(bits, space->count) : 0;
  head->aim_left = WANDER_SECONDS * (1.0f + 2.0f * th_random_to_float(th_random_mix(bits)));
}

/* A point of a mesh stands for the place on the ground that a field would lead to. */
static void aim_at_goal(th_tree_job *job, const th_ground *ground, const th_shape *goal) {
  job->target.shape = goal;
  if (!th_ground_is_mesh(ground) || goal->kind != TH_SHAPE_POINT) return;
  th_place foot = th_ground_foot(ground, th_shape_at(goal, 0), goal->level);
  if (foot.cell == TH_NO_CELL) return;
  job->target.shape = NULL;
  job->target.point = th_ground_point(ground, foot);
}

static void find_target(th_tree_job *job, const th_guide_update *update, uint32_t i, const plan *p) {
  job->target = (th_tree_target){.exists = p->does != TH_TREE_ESCAPES};
  if (p->does == TH_TREE_SEEKS) aim_at_goal(job, update->ground, update->goal[i]);
  if (p->does == TH_TREE_PURSUES) job->target.point = th_ground_point(update->ground, p->target->place);
  if (p->does != TH_TREE_WANDERS) return;
  choose_aim(job);
  uint32_t aim = job->tree.head->aim;
  job->target.point = aim ? job->eye.space->point[aim - 1] : job->point;
}

static void find_area(th_tree_job *job, const th_vec3 *body, uint32_t count) {
  const th_tree_params *params = job->params;
  th_tree_head *head = job->tree.head;
  if (params->area_radius > 0.0f) {
    head->area = params->area;
    head->area_radius = params->area_radius;
    return;
  }
  th_vec3 all[OTHERS + 1];
  memcpy(all, body, sizeof *body * count);
  all[count] = job->point;
  th_ball ball = th_smallest_ball(all, count + 1);
  head->area = ball.centre;
  head->area_radius = ball.radius;
}

/* ---------------------------------------------------------------- one agent */

/* The tree no longer fits: the ground has another version that does not hold it, the agent has another task, or it was
 * put elsewhere. */
static bool must_plant(th_tree_job *job, const plan *p, uint32_t target) {
  const th_tree *tree = &job->tree;
  const th_tree_head *head = tree->head;
  if (!head->begun) return true;
  if (head->does != (uint32_t)p->does || head->target != target) return true;
  if (head->blind > PATIENCE || head->idle > IDLE_SECONDS) return true;
  if (head->version != th_ground_version(job->eye.space->ground) && !th_tree_keep(job)) return true;
  float far = job->params->action + job->params->segment;
  if (th_tree_apart(job->point, tree->node[head->root].point) <= far) return false;
  return head->next == TH_TREE_NONE || th_tree_apart(job->point, tree->node[head->next].point) > far;
}

static void plant(th_tree_job *job, const plan *p, uint32_t target) {
  job->tree.head->does = (uint32_t)p->does;
  job->tree.head->target = target;
  th_tree_plant(&job->tree, job->params, &job->eye, job->at);
}

static void note_trouble(th_tree_job *job, uint32_t made) {
  th_tree_head *head = job->tree.head;
  bool stands = head->answer.state == TH_ANSWER_WAIT && !made;
  head->idle = stands ? head->idle + job->dt : 0.0f;
  th_vec2 offset;
  bool seen = head->next == TH_TREE_NONE || !job->eye.sight ||
              th_tree_offset(&job->eye, job->at, job->tree.node[head->next].place, 1e6f, &offset);
  head->blind = seen ? 0.0f : head->blind + job->dt;
  bool beside = head->next != TH_TREE_NONE &&
                th_tree_apart(job->point, job->tree.node[head->next].point) <= 2.0f * job->params->segment;
  head->beside = beside ? head->beside + job->dt : 0.0f;
}

static void conclude(th_tree_job *job, const plan *p) {
  th_tree_head *head = job->tree.head;
  if (p->does == TH_TREE_PURSUES && th_tree_apart(job->point, job->target.point) <= job->params->arrive)
    head->answer.state = TH_ANSWER_ARRIVED;
  bool out = th_tree_apart(job->point, head->area) > head->area_radius;
  if (p->does == TH_TREE_ESCAPES && job->params->area_radius > 0.0f && out) head->answer.state = TH_ANSWER_ARRIVED;
  head->point = job->target.exists ? th_tree_nearest_of(&job->target, job->point) : head->area;
}

static void iterate(th_tree_job *job, const plan *p, const th_vec3 *body, uint32_t bodies) {
  th_tree_head *head = job->tree.head;
  th_tree_pursue(job);
  th_tree_keep_clear(job, body, bodies);
  th_tree_advance(job);
  uint32_t made = 0;
  if (!head->reached) {
    made = job->params->growth == TH_TREE_RRT ? th_tree_grow_random(job) : th_tree_grow(job);
    th_tree_judge(job);
  }
  th_tree_follow(job);
  note_trouble(job, made);
  conclude(job, p);
}

/* Rivals: trees of collaborators, of pursuers. Their bodies cut; links that pursue are guards without a tree. */
static uint32_t rivals_of(const th_guide_update *update, const uint32_t *member, uint32_t members, th_tree *rival) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < members; k++) {
    th_tree tree = th_tree_open(update->row[member[k]]);
    if (tree.head->begun && tree.head->version == th_ground_version(update->ground)) rival[count++] = tree;
  }
  return count;
}

static uint32_t collaborators_of(const th_guide_update *update, uint32_t i, uint32_t target, uint32_t *member,
                                 th_vec3 body[OTHERS]) {
  const th_tree_params *params = update->params;
  uint32_t count = 0;
  for (uint32_t k = 0; params->collaborate && target && k < update->member_count && count < OTHERS; k++) {
    uint32_t j = update->member[k];
    if (j == i || !pursues(update, j, target)) continue;
    body[count] = th_ground_point(update->ground, update->place[j]);
    member[count++] = j;
  }
  return count;
}

static void learn_one(const th_guide_update *update, uint32_t i) {
  uint32_t member[OTHERS], members;
  th_vec3 body[OTHERS];
  th_tree rival[OTHERS];
  th_tree_job job = {.params = update->params, .tree = th_tree_open(update->row[i]), .at = update->place[i]};
  uint32_t bodies = pursuers_of(update, i, member, &members, body);
  plan p = plan_of(update, i, bodies);
  uint32_t target = p.target ? p.target->agent : 0;
  job.eye = (th_tree_eye){update->shared, job.params->line_of_sight, update->radius[i]};
  job.point = th_ground_point(update->ground, job.at);
  job.seed = update->seed, job.agent = update->agent[i], job.dt = update->dt;
  if (p.does == TH_TREE_WAITS) {
    job.tree.head->begun = 0;
    job.tree.head->does = TH_TREE_WAITS;
    job.tree.head->answer = (th_guide_answer){.left = INFINITY, .state = p.lost ? TH_ANSWER_LOST : TH_ANSWER_WAIT};
    return;
  }
  if (p.does == TH_TREE_PURSUES) bodies = members = collaborators_of(update, i, target, member, body);
  if (p.does == TH_TREE_SEEKS || p.does == TH_TREE_WANDERS) bodies = members = 0;
  job.rival = rival, job.rival_count = rivals_of(update, member, members, rival);
  job.guard = body + members, job.guard_count = bodies - members;
  find_target(&job, update, i, &p);
  if (must_plant(&job, &p, target)) plant(&job, &p, target);
  if (p.does == TH_TREE_ESCAPES) find_area(&job, body, bodies);
  iterate(&job, &p, body, bodies);
}

static void learn(const th_guide_update *update) {
  for (uint32_t k = 0; k < update->member_count; k++)
    if (update->state[update->member[k]] == TH_AGENT_WALKING) learn_one(update, update->member[k]);
}

static void answer(const th_guide_query *query) {
  for (uint32_t lane = 0; lane < query->lanes; lane++) {
    query->want[lane] = ((const th_tree_head *)query->row[lane])->answer;
    if (th_trace_wants(query->trace, lane)) th_tree_trace_publish(query, lane);
  }
}

static void corners(const th_guide_query *query, th_guide_corners *path) {
  const th_tree tree = th_tree_open(query->row[0]);
  const th_tree_head *head = tree.head;
  if (!head->begun || head->next == TH_TREE_NONE) return;
  path->back = tree.node[head->root].point;
  for (uint16_t at = head->root; path->count < TH_PATH_CORNERS && at != head->best;) {
    at = th_tree_step_to(&tree, at, head->best);
    path->corner[path->count++] = tree.node[at].point;
  }
}

/* ---------------------------------------------------------------- the table */

static size_t row_size(const void *params, const th_ground *ground) {
  (void)ground;
  return th_tree_row_size(params);
}

static th_result shared_make(const th_env *env, const void *params, const th_ground *ground, void **shared,
                             th_error *error) {
  const th_tree_params *p = params;
  th_markers_def def = th_sparse_markers_def();
  def.distance = p->spacing, def.noise = p->jitter, def.seed = (uint64_t)p->marker_seed;
  const th_markers *markers;
  th_result result = th_ground_markers(ground, &def, 1, &markers, error);
  if (result) return result;
  th_tree_space *space;
  const th_tree_space_def in = {ground, th_markers_places(markers), th_markers_count(markers), p->action};
  result = th_tree_space_make(env, &in, &space, error);
  *shared = space;
  return result;
}

static void shared_free(const th_env *env, void *shared) {
  (void)env;
  th_tree_space_free(shared);
}

static const char *const growth_names[] = {"colonise", "rrt", NULL};

#define AT(member) (uint32_t) offsetof(th_tree_params, member)
static const th_param params[] = {
    {"action", TH_PARAM_FLOAT, AT(action), "m", 0.1, 50, 2.75, "a node uses markers within this distance", NULL},
    {"restriction", TH_PARAM_FLOAT, AT(restriction), "m", 0.05, 50, 1.75,
     "a new node retains markers within this distance", NULL},
    {"segment", TH_PARAM_FLOAT, AT(segment), "m", 0.05, 20, 0.6, "length between a node and its child", NULL},
    {"spacing", TH_PARAM_FLOAT, AT(spacing), "m", 0.1, 50, 1.5, "distance between markers", NULL},
    {"jitter", TH_PARAM_FLOAT, AT(jitter), "m", 0, 10, 0.1, "of a marker on flat ground, along x and y", NULL},
    {"marker_seed", TH_PARAM_INT, AT(marker_seed), "", 0, 2147483647, 1, "of the markers", NULL},
    {"reach", TH_PARAM_FLOAT, AT(reach), "m", 0.05, 50, 1.75, "a node this near to the target reaches it", NULL},
    {"node_reach", TH_PARAM_FLOAT, AT(node_reach), "m", 0.01, 20, 0.3, "an agent this near to a node has come to it",
     NULL},
    {"adjust", TH_PARAM_FLOAT, AT(adjust), "m", 0, 1000, 10, "nodes this near to a target that was lost are deleted",
     NULL},
    {"cut", TH_PARAM_FLOAT, AT(cut), "m", 0, 1000, 2.5, "nodes this near to a collaborator or pursuer are deleted",
     NULL},
    {"arrive", TH_PARAM_FLOAT, AT(arrive), "m", 0.05, 100, 1, "a target is caught within this distance", NULL},
    {"area", TH_PARAM_PLACE, AT(area), "m", -1e6, 1e6, 0, "centre of the circle that is to be left", NULL},
    {"area_radius", TH_PARAM_FLOAT, AT(area_radius), "m", 0, 1e4, 0,
     "of that circle; 0: the smallest one round an agent and its pursuers", NULL},
    {"cost", TH_PARAM_FLOAT, AT(cost), "", 0, 1, 0, "share of the path's length in the choice of the best node", NULL},
    {"nodes", TH_PARAM_INT, AT(nodes), "", 8, 8192, 1024, "greatest number in a tree", NULL},
    {"children", TH_PARAM_INT, AT(children), "", 1, 64, 8, "greatest number that a node gets in a step", NULL},
    {"growth", TH_PARAM_ENUM, AT(growth), "", 0, 1, 0, "by space colonisation, or as a random tree", growth_names},
    {"collaborate", TH_PARAM_BOOL, AT(collaborate), "", 0, 1, 0, "pursuers of one agent come from several sides", NULL},
    {"line_of_sight", TH_PARAM_BOOL, AT(line_of_sight), "", 0, 1, 1, "walls hide markers and targets", NULL},
    {"regrow", TH_PARAM_BOOL, AT(regrow), "", 0, 1, 0, "a tree whose target was lost is grown again at once", NULL},
    {"wander", TH_PARAM_BOOL, AT(wander), "", 0, 1, 0, "an agent without a target walks about", NULL},
};

const th_guide th_guide_tree = {
    .name = "tree",
    .summary = "grows a tree of paths through free space and walks along it",
    .param = params,
    .param_count = sizeof params / sizeof *params,
    .param_size = sizeof(th_tree_params),
    .ask = answer,
    .check = th_tree_check,
    .warn = th_tree_warn,
    .learn = learn,
    .row_size = row_size,
    .unit_of = unit_of,
    .corners = corners,
    .trace = th_tree_traces,
    .trace_count = TH_TREE_TRACES,
    .trace_size = th_tree_trace_size,
    .shared_make = shared_make,
    .shared_free = shared_free,
};

th_tree_params th_default_tree_params(void) {
  th_tree_params values;
  memset(&values, 0, sizeof values); /* padding too: equal parameters are found by their bytes */
  th_param_defaults(th_guide_tree.param, th_guide_tree.param_count, &values);
  return values;
}
