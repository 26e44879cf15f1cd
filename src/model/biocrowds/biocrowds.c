/* model/biocrowds/biocrowds.c - the model's table, and the owner of each marker.
 *
 * Two passes: own (over patches) gives each marker its owner, move (over views) moves each agent. All agents of a rate
 * decide in the same steps, from the same snapshot. Owners are stored by marker number. Those of markers far from all
 * agents are out of date, and no pass reads them.
 */
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "model/biocrowds/own.h"
#include "throng/markers.h"

static th_result shared_make(const th_env *env, const th_ground *ground, void **shared, th_error *error) {
  const th_markers_def def = th_ground_markers_def(ground);
  const th_markers *markers;
  th_result result = th_ground_markers(ground, &def, 0, &markers, error);
  if (result) return result;
  th_biocrowds_shared *s = TH_TAKE(&env->allocator, th_biocrowds_shared, 1);
  if (!s) return th_fail_memory(error, "biocrowds");
  s->count = th_markers_count(markers);
  s->owner = TH_TAKE(&env->allocator, uint32_t, (size_t)s->count + 16);
  if (!s->owner) {
    TH_GIVE(&env->allocator, s, 1);
    return th_fail_memory(error, "biocrowds");
  }
  for (uint32_t n = 0; n < s->count + 16; n++) s->owner[n] = TH_NO_OWNER;
  *shared = s;
  return TH_OK;
}

static void shared_free(const th_env *env, void *shared) {
  th_biocrowds_shared *s = shared;
  TH_GIVE(&env->allocator, s->owner, (size_t)s->count + 16);
  TH_GIVE(&env->allocator, s, 1);
}

static const uint32_t *marker_owners(const void *shared, uint32_t *count) {
  const th_biocrowds_shared *s = shared;
  *count = s->count;
  return s->owner;
}

/* ---------------------------------------------------------------- table */

#define AT(member) (uint32_t) offsetof(th_biocrowds_params, member)

static const char *const limits[] = {"slowing", "clipped", NULL};

static const th_param params[] = {
    {"radius", TH_PARAM_FLOAT, AT(radius), "m", 0.2, 5, 1.25, "personal space: markers farther away are not used",
     NULL},
    {"step", TH_PARAM_FLOAT, AT(step), "m", 0.01, 5, 0.4, "motion vectors of this length or more mean full speed",
     NULL},
    {"limit", TH_PARAM_ENUM, AT(limit), "", 0, 0, 0, "shorter motion vectors slow the agent down, or only end its step",
     limits},
    {"rate", TH_PARAM_FLOAT, AT(rate), "1/s", 1, 1000, 30, "decisions per second, at most one per step", NULL},
    {"body", TH_PARAM_BOOL, AT(body), "", 0, 1, 0, "cells end before the bodies of others, so that none overlap", NULL},
};

th_biocrowds_params th_default_biocrowds_params(void) {
  th_biocrowds_params values;
  memset(&values, 0, sizeof values);
  th_param_defaults(params, sizeof params / sizeof *params, &values);
  return values;
}

/* With bodies a cell is bounded by neighbours up to two radii and two bodies away. */
static float reach(const void *values) {
  const th_biocrowds_params *p = values;
  return (p->body ? 2.0f * p->radius + 1.0f : p->radius) + TH_OWN_MARGIN;
}

static float period(const void *values) { return 1.0f / ((const th_biocrowds_params *)values)->rate; }
static float displacement_max(const void *values) { return ((const th_biocrowds_params *)values)->radius; }

static uint32_t see(const void *values) {
  return ((const th_biocrowds_params *)values)->body ? TH_SEE_NEIGHBOURS | TH_SEE_WALLS | TH_SEE_BODY : 0;
}

/* No place of the ground is farther than the least distance of markers from one of them: an agent whose personal space
 * is that wide always has one, unless it stands in a crowd. */
static th_result check(const void *values, const th_ground *ground, th_error *error) {
  const th_biocrowds_params *p = values;
  const float distance = th_ground_markers_def(ground).distance;
  if (p->radius >= distance) return TH_OK;
  return th_fail(error, TH_ERROR_RANGE, "radius",
                 "expected at least the %g m between markers, or an agent may own none, found %g m", (double)distance,
                 (double)p->radius);
}

/* Of either pass. */
typedef union scratch {
  th_own_crowd own;
  th_cell_owners move;
} scratch;

static const th_pass passes[] = {
    {"own", TH_OVER_PATCHES, TH_SEE_NEIGHBOURS | TH_SEE_MARKERS | TH_SEE_WALLS, th_biocrowds_own},
    {"move", TH_OVER_VIEWS, TH_SEE_MARKERS, th_biocrowds_move},
};

const th_model th_model_biocrowds = {
    .name = "biocrowds",
    .summary = "competition for space: everyone walks among the markers nearest to them",
    .param = params,
    .param_count = sizeof params / sizeof *params,
    .param_size = sizeof(th_biocrowds_params),
    .scratch_size = sizeof(scratch),
    .reach = reach,
    .period = period,
    .shared_make = shared_make,
    .shared_free = shared_free,
    .pass = passes,
    .pass_count = 2,
    .trace = th_biocrowds_traces,
    .trace_count = TH_BIOCROWDS_TRACES,
    .together = true,
    .see = see,
    .displacement_max = displacement_max,
    .marker_owners = marker_owners,
    .check = check,
};
