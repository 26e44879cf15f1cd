/* guide/explore/explore.c - leads agents into unknown ground, and to a target once it is found.
 *
 * Explorers share one map of the ground that begins unknown: of the raster's cells on flat ground (flat.c), of the
 * vertices on mesh ground (mesh.c). In each step they record what they see, some sweeps relax the potential of the
 * known part (the unknown part keeps the value of a goal, so it attracts), and every explorer climbs the potential: to
 * the nearest region that no explorer has seen. Two variants: sweeps in the window around each explorer (Dapper 2007,
 * section 6.3.3), or over everything sensed so far (Dapper et al., CGI 2007, section 6.4). When an explorer sees the
 * target, the exploration ends: explorers take the shortest known path there. Where nothing unknown can be reached any
 * more, an explorer without a target has arrived and one with a target is lost. A target that walks may have slipped
 * past, so for a link the map is reset and the search restarts. Cost: the sweeps, about 3 ns per cell and sweep, 10 ns
 * per vertex.
 */
#include "guide/explore/explore.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "ground/mesh/ground.h"

#define LOOK_EVERY 16 /* steps between two tests whether anything unknown can still be reached */

static const th_explore_kind *kind_of(const th_ground *ground) {
  return th_ground_is_mesh(ground) ? &th_explore_on_mesh : &th_explore_on_flat;
}

static size_t memory_size(const void *params, const th_ground *ground) {
  (void)params;
  return kind_of(ground)->size(ground);
}

static void memory_init(void *memory, const void *params, const th_ground *ground) {
  (void)params;
  kind_of(ground)->init(memory, ground);
}

th_explored th_explore_read(const void *memory) {
  const th_explore_head *head = memory;
  float area = head->vertices ? (float)head->area : (float)head->sensed * head->cell * head->cell;
  return (th_explored){.sensed = head->sensed, .area = area, .found = head->found != 0, .rounds = head->rounds};
}

uint32_t th_explore_known(const void *memory, const th_ground *ground, uint8_t *known, uint32_t capacity) {
  const uint8_t *mark = kind_of(ground)->mark(memory, ground);
  uint32_t count =
      th_ground_is_mesh(ground) ? ground->mesh->mesh.vertex_count : ground->flat->width * ground->flat->height;
  for (uint32_t i = 0; i < count && i < capacity; i++) {
    bool is_known = mark[i] & TH_EXPLORE_KNOWN, blocked = mark[i] & TH_EXPLORE_BLOCKED;
    known[i] = (uint8_t)(!is_known ? TH_EXPLORED_NOT : blocked ? TH_EXPLORED_BLOCKED : TH_EXPLORED_FREE);
  }
  return count;
}

/* ---------------------------------------------------------------- growing */

static void sense_all(const th_explore_kind *kind, const th_guide_update *update) {
  th_explore_head *head = update->memory;
  for (uint32_t k = 0; k < update->count; k++) {
    uint32_t wanted = th_ground_class(update->ground, update->radius[k]);
    if (wanted > head->radius_class) head->radius_class = wanted;
  }
  if (kind->renew) kind->renew(update->memory, update->ground);
  for (uint32_t k = 0; k < update->count; k++) kind->sense(update->memory, update, k);
}

/* True when the target has been found and a known path leads there. */
static bool is_led(const th_explore_kind *kind, const void *memory, const th_ground *ground, th_place place) {
  return ((const th_explore_head *)memory)->found && kind->left(memory, ground, place) < INFINITY;
}

/* Nothing is left to see, so the target has moved to ground that explorers have already left. */
static bool all_seen(const th_explore_kind *kind, const th_guide_update *update) {
  for (uint32_t k = 0; k < update->count; k++)
    if (update->state[k] == TH_AGENT_WALKING && kind->is_open(update->memory, update->ground, update->place[k]))
      return false;
  return true;
}

static void look_for_more(const th_explore_kind *kind, const th_guide_update *update) {
  const th_explore_params *params = update->params;
  th_explore_head *head = update->memory;
  if (!head->fresh || update->step % LOOK_EVERY) return;
  kind->find_open(update->memory, update->ground);
  if (params->target != TH_EXPLORE_FOR_LINK || head->found || !all_seen(kind, update)) return;
  kind->forget(update->memory, update->ground);
  head->rounds++;
  sense_all(kind, update);
}

static void relax_all(const th_explore_kind *kind, const th_guide_update *update) {
  const th_explore_params *params = update->params;
  bool led = true;
  for (uint32_t k = 0; k < update->count; k++) {
    if (update->state[k] != TH_AGENT_WALKING || is_led(kind, update->memory, update->ground, update->place[k]))
      continue;
    led = false;
    if (params->relax == TH_EXPLORE_WINDOW) kind->relax(update->memory, update, k);
  }
  if (!led && params->relax == TH_EXPLORE_SENSED) kind->relax(update->memory, update, update->count);
}

static bool anyone_walks(const th_guide_update *update) {
  for (uint32_t k = 0; k < update->count; k++)
    if (update->state[k] == TH_AGENT_WALKING) return true;
  return false;
}

static void grow(const th_guide_update *update) {
  if (!anyone_walks(update)) return; /* no explorer asks */
  const th_explore_kind *kind = kind_of(update->ground);
  const th_explore_head *head = update->memory;
  sense_all(kind, update);
  kind->seek(update->memory, update);
  look_for_more(kind, update);
  if (head->found && head->stale) kind->measure(update->memory, update->ground);
  relax_all(kind, update);
}

/* ---------------------------------------------------------------- answers */

static void head_along(const th_explore_kind *kind, const th_guide_query *query, uint32_t lane, bool by_left) {
  th_place place = {query->cell[lane], query->x[lane], query->y[lane]};
  th_vec2 direction = kind->direction(query->memory, query->ground, place, by_left);
  query->want[lane].dx = direction.x;
  query->want[lane].dy = direction.y;
}

static void lead(const th_explore_kind *kind, const th_guide_query *query, uint32_t lane) {
  const th_explore_params *params = query->params;
  th_place place = {query->cell[lane], query->x[lane], query->y[lane]};
  th_guide_answer *want = &query->want[lane];
  want->state = TH_ANSWER_LEAD;
  if (is_led(kind, query->memory, query->ground, place)) {
    want->left = kind->left(query->memory, query->ground, place);
    if (params->target != TH_EXPLORE_FOR_GOAL && want->left <= params->arrive) want->state = TH_ANSWER_ARRIVED;
    head_along(kind, query, lane, true);
    return;
  }
  if (!kind->is_open(query->memory, query->ground, place)) {
    static const th_guide_answer_state end[] = {TH_ANSWER_ARRIVED, TH_ANSWER_LOST, TH_ANSWER_LOST, TH_ANSWER_WAIT};
    want->state = (uint8_t)end[params->target];
    return;
  }
  head_along(kind, query, lane, false);
}

static void answer(const th_guide_query *query) {
  const th_explore_kind *kind = kind_of(query->ground);
  for (uint32_t lane = 0; lane < query->lanes; lane++) {
    lead(kind, query, lane);
    if (!th_trace_wants(query->trace, lane)) continue;
    const th_place place = {query->cell[lane], query->x[lane], query->y[lane]};
    th_explore_trace_publish(query, lane, is_led(kind, query->memory, query->ground, place));
  }
}

static const char *const relax_names[] = {"window", "sensed", NULL};
static const char *const target_names[] = {"nothing", "goal", "point", "link", NULL};

#define AT(member) (uint32_t) offsetof(th_explore_params, member)
static const th_param params[] = {
    {"sight", TH_PARAM_FLOAT, AT(sight), "m", 0.1, 50, 4, "how far an explorer sees", NULL},
    {"sweeps", TH_PARAM_INT, AT(sweeps), "", 1, 1000, 30, "relaxation sweeps a step", NULL},
    {"relax", TH_PARAM_ENUM, AT(relax), "", 0, 1, 0, "the window around each explorer, or everything sensed so far",
     relax_names},
    {"fade", TH_PARAM_FLOAT, AT(fade), "m", 0, 1000, 0,
     "the pull of the unknown falls by 1/e over this distance; 0: walls alone weaken it, as published", NULL},
    {"target", TH_PARAM_ENUM, AT(target), "", 0, 3, 0,
     "what is searched: nothing, the explorer's goal, a point, or the explorer's first link", target_names},
    {"point", TH_PARAM_PLACE, AT(point), "m", -1e6, 1e6, 0, "the point that is searched; z counts on mesh ground",
     NULL},
    {"arrive", TH_PARAM_FLOAT, AT(arrive), "m", 0.05, 100, 1, "a point or link counts as reached within this distance",
     NULL},
    {"through_walls", TH_PARAM_BOOL, AT(through_walls), "", 0, 1, 0,
     "senses the whole square of the window, walls or not", NULL},
};

const th_guide th_guide_explore = {
    .name = "explore",
    .summary = "discovers the map while walking, and searches",
    .param = params,
    .param_count = sizeof params / sizeof *params,
    .param_size = sizeof(th_explore_params),
    .ask = answer,
    .memory_size = memory_size,
    .memory_init = memory_init,
    .learn = grow,
    .trace = th_explore_traces,
    .trace_count = TH_EXPLORE_TRACES,
};

th_explore_params th_default_explore_params(void) {
  th_explore_params values;
  memset(&values, 0, sizeof values); /* padding too: equal parameters are found by their bytes */
  th_param_defaults(th_guide_explore.param, th_guide_explore.param_count, &values);
  return values;
}
