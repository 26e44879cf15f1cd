/* model/bvp/bvp.c - the model's table: parameters, checks, passes.
 *
 * A decision is three passes: `map` draws what an agent perceives into bits, `relax` solves the maps of 16 agents from
 * any places at once, `turn` computes heading and speed from the slope. Cost per agent for 15 x 15 cells and 30 sweeps
 * with AVX2, at one person per square metre: about 0.9 us to relax, 0.5 to map, 0.1 to turn.
 */
#include <math.h>
#include <stddef.h>

#include "base/error.h"
#include "model/bvp/relax.h"

#define AT(member) (uint32_t) offsetof(th_bvp_params, member)
#define NUMBER(name, member, unit, min, max, initial, text) \
  { name, TH_PARAM_FLOAT, AT(member), unit, min, max, initial, text, NULL }
#define WHOLE(name, member, min, max, initial, text) \
  { name, TH_PARAM_INT, AT(member), "", min, max, initial, text, NULL }
#define PICK(name, member, choices, initial, text) \
  { name, TH_PARAM_ENUM, AT(member), "", 0, 0, initial, text, choices }

/* The nine numbers of one behaviour. */
#define BEHAVIOUR(prefix, slot, kind_name, initial, when)                                                           \
  PICK(kind_name, behaviour[slot].kind, kinds, initial, when),                                                      \
      {prefix "v", TH_PARAM_VEC2, AT(behaviour[slot].v), "", -100, 100, 0, "vector of a constant behaviour", NULL}, \
      NUMBER(prefix "strength", behaviour[slot].strength, "1/m", -20, 20, 0, "how much v counts: eps / cell"),      \
      PICK(prefix "axes", behaviour[slot].axes, axes, 0, "v lies in the agent's frame, or x runs along the guide"), \
      NUMBER(prefix "wave", behaviour[slot].wave, "s", 0.01, 1e4, 18, "period of a sinusoid"),                      \
      WHOLE(prefix "link", behaviour[slot].link, 0, TH_MAX_LINKS - 1, 0, "link that toward and across point to"),   \
      PICK(prefix "hand", behaviour[slot].hand, hands, 1, "side of across"),                                        \
      NUMBER(prefix "hold_min", behaviour[slot].hold_min, "s", 0, 1e4, 1, "shortest time of a random vector"),      \
      NUMBER(prefix "hold_max", behaviour[slot].hold_max, "s", 0, 1e4, 5, "longest time of a random vector")

static const char *const kinds[] = {"constant",       "harmonic", "sinusoid", "double_sinusoid",
                                    "cross_sinusoid", "toward",   "across",   "random",
                                    "user",           NULL};
static const char *const axes[] = {"ground", "flow", NULL};
static const char *const hands[] = {"left", "right", NULL};
static const char *const triggers[] = {"never", "ahead", "crowd", "link", "user", NULL};
static const char *const motions[] = {"gradient", "mean", "mass", "blend", "angle", NULL};
static const char *const speeds[] = {"table", "cosine", "modulus", "constant", NULL};
static const char *const perceptions[] = {"square", "cone", NULL};
static const char *const local_goals[] = {"always", "unless_inside", NULL};
static const char *const others[] = {"closing", "all", NULL};
static const char *const starts[] = {"cold", "warm", NULL};
static const char *const orders[] = {"alternating", "fixed", NULL};
static const char *const precisions[] = {"double", "float", NULL};
static const char *const senses[] = {"pull", "literal", NULL};
static const char *const flats[] = {"guide", "stay", NULL};

static const th_param params[] = {
    WHOLE("n", n, 5, TH_BVP_MAX_N, 15, "cells a side of the local map, odd"),
    WHOLE("sweeps", sweeps, 1, 1000, 30, "sweeps of relaxation a decision; large maps need more"),
    NUMBER("cell", cell, "m", 0.01, 100, 0.4, "size of a cell of the local map"),
    WHOLE("free_ring", free_ring, 0, 5, 1, "cells inside the border that nothing blocks"),
    WHOLE("goal_width", goal_width, 1, 15, 3, "border cells of the local goal"),
    PICK("perception", perception, perceptions, 0, "what is mapped: all around, or a cone ahead"),
    NUMBER("cone", cone, "rad", 0.01, 6.2832, 2.0944, "full angle of the view cone"),
    PICK("local_goal", local_goal, local_goals, 0, "in the border always, or unless the goal itself is inside"),
    PICK("start", start, starts, 0, "values at the start of a decision: none, or those of the last one"),
    PICK("order", order, orders, 0, "sweeps in four directions in turn, or always in one"),
    PICK("precision", precision, precisions, TH_PRECISION_FLOAT, "of the local map"),
    PICK("sense", sense, senses, 0, "v pulls the path to its side, or as the equation is printed"),
    PICK("flat", flat, flats, 0, "without a slope: follow the guide, or stay"),
    NUMBER("period", period, "s", 0.001, 10, 0.5, "time between decisions"),
    PICK("others", others, others, 0, "who is drawn: those who come nearer or keep their distance, or all"),
    NUMBER("foresight", foresight, "s", 0, 5, 0.4, "others are drawn where they will be after this time"),
    PICK("trigger", trigger, triggers, 0, "when the behaviour on sight is in force"),
    NUMBER("sight", sight, "m", 0, 50, 4, "how far ahead the trigger looks"),
    WHOLE("crowd", crowd, 1, 1000, 3, "how many ahead are a crowd for the trigger"),
    NUMBER("later_after", later_after, "s", 0, 1e9, 1e9, "when the later behaviour replaces the first"),
    PICK("motion", motion, motions, 2, "how the heading follows the slope"),
    PICK("speed_rule", speed_rule, speeds, 0, "how the speed follows the turn that the slope demands"),
    NUMBER("mass", mass, "", 0, 1e4, 1.5, "weight of the heading before, for motion mass"),
    NUMBER("eta", eta, "", 0, 0.9999, 0.5, "share of the heading before, for motions blend and angle"),
    NUMBER("reference", reference, "", 0, 1, 0, "slope of full speed for modulus; 0 = that of an empty map"),
    NUMBER("table_below_1", table_below[0], "", -1, 1, 0.01, "cosine below which the first speed holds"),
    NUMBER("table_below_2", table_below[1], "", -1, 1, 0.30, "cosine below which the second speed holds"),
    NUMBER("table_below_3", table_below[2], "", -1, 1, 0.60, "cosine below which the third speed holds"),
    NUMBER("table_below_4", table_below[3], "", -1, 1, 0.71, "cosine below which the fourth speed holds"),
    NUMBER("table_below_5", table_below[4], "", -1, 1, 0.92, "cosine below which the fifth speed holds"),
    NUMBER("table_speed_1", table_speed[0], "", 0, 1, 0, "share of the speed"),
    NUMBER("table_speed_2", table_speed[1], "", 0, 1, 0.05, "share of the speed"),
    NUMBER("table_speed_3", table_speed[2], "", 0, 1, 0.2, "share of the speed"),
    NUMBER("table_speed_4", table_speed[3], "", 0, 1, 0.5, "share of the speed"),
    NUMBER("table_speed_5", table_speed[4], "", 0, 1, 0.8, "share of the speed"),
    NUMBER("table_speed_6", table_speed[5], "", 0, 1, 1, "share of the speed above the last cosine"),
    BEHAVIOUR("", TH_BVP_FIRST, "behaviour", 0, "how v comes about"),
    BEHAVIOUR("sight_", TH_BVP_SIGHT, "sight_behaviour", 0, "how v comes about while the trigger fires"),
    BEHAVIOUR("later_", TH_BVP_LATER, "later_behaviour", 0, "how v comes about after later_after"),
};

int32_t th_bvp_sweeps(int32_t n) { return n <= 17 ? 30 : 30 + (n - 17) * 70 / 18; }

th_bvp_params th_default_bvp_params(int32_t n) {
  th_bvp_params values = {0};
  th_param_defaults(params, sizeof params / sizeof *params, &values);
  values.n = n;
  values.sweeps = th_bvp_sweeps(n);
  return values;
}

/* ---------------------------------------------------------------- what the table cannot say */

static th_result check_callbacks(const th_bvp_params *p, th_error *error) {
  for (int slot = 0; slot < TH_BVP_SLOTS; slot++) {
    const th_bvp_behaviour *b = &p->behaviour[slot];
    if (b->kind == TH_BVP_USER && !p->choose)
      return th_fail(error, TH_ERROR_STATE, "choose", "expected a callback for the behaviour user, found none");
    if (b->hold_max < b->hold_min)
      return th_fail(error, TH_ERROR_RANGE, "hold_max", "expected at least hold_min (%g s), found %g",
                     (double)b->hold_min, (double)b->hold_max);
  }
  if (p->trigger == TH_BVP_TOLD && !p->criterion)
    return th_fail(error, TH_ERROR_STATE, "criterion", "expected a callback for the trigger user, found none");
  return TH_OK;
}

static th_result check(const void *values, const th_ground *ground, th_error *error) {
  const th_bvp_params *p = values;
  if (p->n % 2 == 0)
    return th_fail(error, TH_ERROR_RANGE, "n", "expected an odd whole number from 5 to %d, found %d", TH_BVP_MAX_N,
                   (int)p->n);
  if (2 * p->free_ring + 5 > p->n)
    return th_fail(error, TH_ERROR_RANGE, "free_ring", "expected 0 to %d for maps of %d cells a side, found %d",
                   (int)(p->n - 5) / 2, (int)p->n, (int)p->free_ring);
  for (int i = 0; i + 2 < TH_BVP_TABLE_STEPS; i++)
    if (!(p->table_below[i] <= p->table_below[i + 1]))
      return th_fail(error, TH_ERROR_RANGE, "table_below", "expected ascending cosines, found %g before %g",
                     (double)p->table_below[i], (double)p->table_below[i + 1]);
  th_vec2 lower, upper;
  th_ground_bounds(ground, &lower, &upper);
  float size = fmaxf(upper.x - lower.x, upper.y - lower.y);
  if (p->cell > size && th_ground_kind_of(ground) == TH_GROUND_FLAT) /* a mesh may stand upright */
    return th_fail(error, TH_ERROR_RANGE, "cell", "expected 0.01 to %g m (the size of the ground), found %g",
                   (double)size, (double)p->cell);
  return check_callbacks(p, error);
}

static float largest_component(const th_bvp_behaviour *b) {
  switch (b->kind) {
    case TH_BVP_CONSTANT: {
      float along = fabsf(b->v.x), across = fabsf(b->v.y);
      return b->axes == TH_BVP_AXES_FLOW ? sqrtf(along * along + across * across) : fmaxf(along, across);
    }
    case TH_BVP_HARMONIC:
    case TH_BVP_USER: /* the host's own business */
      return 0.0f;
    case TH_BVP_DOUBLE_SINUSOID:
      return 2.0f;
    default:
      return 1.0f;
  }
}

static const char *warn(const void *values) {
  const th_bvp_params *p = values;
  for (int slot = 0; slot < TH_BVP_SLOTS; slot++) {
    bool used = slot == TH_BVP_FIRST || (slot == TH_BVP_SIGHT ? p->trigger != TH_BVP_NEVER : p->later_after < 1e9f);
    const th_bvp_behaviour *b = &p->behaviour[slot];
    if (used && largest_component(b) * fabsf(b->strength) * p->cell > 2.0001f)
      return "bvp: |eps v| = strength * cell * |v| is above 2: potentials leave their range, paths may oscillate or "
             "miss the goal";
  }
  return NULL;
}

/* ---------------------------------------------------------------- sizes */

static size_t state_bytes(const void *values) {
  const th_bvp_params *p = values;
  size_t n = (size_t)p->n, value = p->precision == TH_PRECISION_DOUBLE ? sizeof(double) : sizeof(float);
  return sizeof(th_bvp_state) + n * sizeof(uint64_t) + (p->start == TH_BVP_WARM ? n * n * value : 0);
}

static float reach(const void *values) { return th_bvp_reach(values); }

static float period(const void *values) { return ((const th_bvp_params *)values)->period; }

const th_trace th_bvp_trace[TH_BVP_TRACES] = {
    [TH_BVP_TRACE_MAP] = {"map", TH_TRACE_RASTER, "",
                          "the relaxed map around the agent: 0 where blocked, 1 at the goal", 0},
    [TH_BVP_TRACE_GRADIENT] = {"gradient", TH_TRACE_VECTOR, "",
                               "unit vector of the slope at the agent; value: its modulus per cell", 0x0072b2},
    [TH_BVP_TRACE_V] = {"v", TH_TRACE_VECTOR, "1/cell",
                        "vector of the behaviour in force, times its strength; value: number of the behaviour",
                        0x009e73},
    [TH_BVP_TRACE_HEADING] = {"heading", TH_TRACE_VECTOR, "",
                              "unit heading after inertia; value: share of the wanted speed", 0xd55e00},
};

static const th_pass passes[] = {
    {"map", TH_OVER_VIEWS, TH_SEE_NEIGHBOURS | TH_SEE_CLEARANCE | TH_SEE_LINKS | TH_SEE_BODY, th_bvp_map},
    {"relax", TH_OVER_LANES, 0, th_bvp_relax},
    {"turn", TH_OVER_VIEWS, TH_SEE_BODY, th_bvp_turn},
};

/* Its maps are the only rasters; of each it publishes one at a time. */
static th_trace_size trace_size(const void *values) {
  const uint32_t n = (uint32_t)((const th_bvp_params *)values)->n;
  return (th_trace_size){32, n * n};
}

const th_model th_model_bvp = {
    .name = "bvp",
    .summary = "solves a small map around each agent; behaviours bend the path",
    .param = params,
    .param_count = sizeof params / sizeof *params,
    .param_size = sizeof(th_bvp_params),
    .state_size = sizeof(th_bvp_state),
    .scratch_size = TH_BVP_SCRATCH,
    .reach = reach,
    .period = period,
    .pass = passes,
    .pass_count = 3,
    .state_bytes = state_bytes,
    .check = check,
    .warn = warn,
    .aim = th_bvp_people_aim,
    .trace = th_bvp_trace,
    .trace_count = TH_BVP_TRACES,
    .trace_size = trace_size,
};
