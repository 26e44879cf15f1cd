/* model/orca/orca.c - the model's table and its one pass: wishes and walls in, velocities out.
 *
 * The wanted velocity goes along the guide at the wanted speed, and no farther than the goal in one step. A standing
 * agent wants velocity 0, and still avoids others if it `yields`. Everything else is in solve.lanes.c (or scalar.c) and
 * walls.c. Cost: see there; about 15 ns per agent here.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "model/orca/solve.h"
#include "throng/model.h"

typedef struct scratch {
  th_orca_batch batch;
  float wall_rate[16], distance[16];
  th_orca_wall wall[TH_ORCA_MAX_WALLS];
} scratch;

static float rate_of(float horizon) { return 1.0f / horizon; }

/* Speed at which the goal is not overshot: the wanted speed, limited to the distance left per step and to the maximum
 * speed. */
static float speed_of(const th_work *work, uint32_t lane) {
  const th_view *view = work->view;
  float speed = view->speed[lane], left = view->want[lane].left * (1.0f / work->dt), max = view->speed_max[lane];
  speed = speed < left ? speed : left;
  return speed < max ? speed : max;
}

static void wish(const th_work *work, scratch *r, uint32_t lane) {
  const th_view *view = work->view;
  const th_orca_params *p = work->params[lane];
  th_orca_batch *b = &r->batch;
  const th_guide_answer *want = &view->want[lane];
  float lead = want->state == TH_ANSWER_LEAD ? 1.0f : 0.0f, speed = lead > 0.0f ? speed_of(work, lane) : 0.0f;
  b->ux[lane] = lead * want->dx;
  b->uy[lane] = lead * want->dy;
  b->wx[lane] = b->ux[lane] * speed;
  b->wy[lane] = b->uy[lane] * speed;
  b->inverse_horizon[lane] = rate_of(p->horizon);
  b->reach2[lane] = p->distance * p->distance;
  b->side[lane] = p->side == TH_ORCA_RIGHT ? 1.0f : p->side == TH_ORCA_LEFT ? -1.0f : 0.0f;
  b->neighbours[lane] = p->neighbours;
  b->soft[lane] = p->solve == TH_ORCA_SOFT || (p->solve == TH_ORCA_AUTO && view->people[lane]);
  b->either[lane] = view->people[lane] && view->pressure[lane] == 0.0f;
  r->wall_rate[lane] = rate_of(p->wall_horizon);
  r->distance[lane] = p->distance;
}

/* A direction of length 0 (no known path) stays 0; a host's direction may be longer than 1. */
static void solve(const th_work *work, th_orca_batch *b) {
  uint32_t lanes = work->view->lanes, scalar = 0;
  for (uint32_t lane = 0; lane < lanes; lane++)
    scalar += ((const th_orca_params *)work->params[lane])->backend == TH_ORCA_SCALAR;
  if (scalar < lanes) {
    b->body = th_view_bodies(work->view, work->view->neighbours.pick_count, work->simd);
    TH_LANES_PICK(work->simd, th_orca_solve)(b);
  }
  for (uint32_t lane = 0; scalar && lane < lanes; lane++)
    if (((const th_orca_params *)work->params[lane])->backend == TH_ORCA_SCALAR) th_orca_solve_scalar(b, lane);
}

static void advise(const th_work *work, const th_orca_batch *b, uint32_t lane) {
  const th_orca_params *p = work->params[lane];
  if (work->view->want[lane].state != TH_ANSWER_LEAD && !p->yields) return;
  const float x = b->vx[lane], y = b->vy[lane], speed2 = x * x + y * y;
  work->advice.vx[lane] = x;
  work->advice.vy[lane] = y;
  work->advice.gait[lane] = speed2 > TH_GAIT_RUN_SPEED * TH_GAIT_RUN_SPEED ? TH_GAIT_RUN
                            : speed2 > 0.0f                                ? TH_GAIT_WALK
                                                                           : TH_GAIT_STAND;
}

static void decide(const th_work *work) {
  scratch *r = work->scratch;
  r->batch.view = work->view;
  r->batch.inverse_dt = 1.0f / work->dt;
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) wish(work, r, lane);
  th_orca_find_walls(&r->batch, r->wall, r->wall_rate, r->distance);
  solve(work, &r->batch);
  for (uint32_t lane = 0; lane < work->view->lanes; lane++) advise(work, &r->batch, lane);
  for (uint32_t lane = 0; work->trace && lane < work->view->lanes; lane++)
    if (th_trace_wants(work->trace, lane)) th_orca_publish(&r->batch, lane, work->trace);
}

/* ---------------------------------------------------------------- table */

#define AT(member) (uint32_t) offsetof(th_orca_params, member)

static const char *const sides[] = {"right", "left", "neither", NULL};
static const char *const solves[] = {"auto", "programme", "soft", NULL};
static const char *const backends[] = {"lanes", "scalar", NULL};

static const th_param params[] = {
    {"neighbours", TH_PARAM_INT, AT(neighbours), "", 1, TH_MAX_NEAREST, 10, "how many are avoided, the nearest ones",
     NULL},
    {"distance", TH_PARAM_FLOAT, AT(distance), "m", 0.1, 50, 5, "neighbours and walls farther away are not seen", NULL},
    {"horizon", TH_PARAM_FLOAT, AT(horizon), "s", 0.05, 100, 2, "how far ahead collisions with agents count", NULL},
    {"wall_horizon", TH_PARAM_FLOAT, AT(wall_horizon), "s", 0.05, 100, 1, "how far ahead collisions with walls count",
     NULL},
    {"side", TH_PARAM_ENUM, AT(side), "", 0, 0, 0, "where to turn when somebody is straight ahead", sides},
    {"solve", TH_PARAM_ENUM, AT(solve), "", 0, 0, 0,
     "the published linear programme, or least cost with soft half-planes; auto: soft for people", solves},
    {"backend", TH_PARAM_ENUM, AT(backend), "", 0, 0, 0, "sixteen agents at once, or one at a time: the same bits",
     backends},
    {"yields", TH_PARAM_BOOL, AT(yields), "", 0, 1, 1, "makes way for others while it stands", NULL},
};

th_orca_params th_default_orca_params(void) {
  th_orca_params values;
  memset(&values, 0, sizeof values);
  th_param_defaults(params, sizeof params / sizeof *params, &values);
  return values;
}

static float reach(const void *values) { return ((const th_orca_params *)values)->distance; }
static uint32_t nearest(const void *values) { return (uint32_t)((const th_orca_params *)values)->neighbours; }

static const th_pass passes[] = {{"avoid", TH_OVER_VIEWS, TH_SEE_NEAREST | TH_SEE_WALLS | TH_SEE_BODY, decide}};

const th_model th_model_orca = {
    .name = "orca",
    .summary = "reciprocal avoidance: everyone does their share of not colliding",
    .param = params,
    .param_count = sizeof params / sizeof *params,
    .param_size = sizeof(th_orca_params),
    .scratch_size = sizeof(scratch),
    .reach = reach,
    .nearest = nearest,
    .pass = passes,
    .pass_count = 1,
    .trace = th_orca_trace,
    .trace_count = TH_ORCA_TRACES,
};
