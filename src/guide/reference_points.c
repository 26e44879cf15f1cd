/* guide/reference_points.c - walks on a field along edges from reference point to reference point.
 *
 * The guide of Berndt's dynamic planarization (2014, section 4.3.2; see field/mesh/reference.c): an agent keeps one
 * point to walk to as long as it stays in its face, so the field is read only when the face or the field changes. Two
 * faces may point at each other; the guard counts how often an agent came into the last six faces, and from the third
 * return on it heads for the lowest vertex of the map. Without the guard the guide is the thesis' own rule. On other
 * kinds of fields it acts as the guide `field`. Agents are not sorted by field before they are asked, because nothing
 * would be gained. State per agent: 56 bytes. Cost: about 10 ns, 100 ns where the face changed.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/platform/compiler.h"
#include "base/platform/fetch.h"
#include "field/mesh/edges.h"
#include "ground/mesh/ground.h"
#include "throng/guide.h"

#define RETURNS 3u

enum { FACES = 6 };

typedef struct edge_state {
  uint32_t face[FACES];   /* + 1; the last ones, the present one first; 0: none */
  uint8_t entries[FACES]; /* into each */
  uint8_t arrives, lost;  /* the reference is the goal; no path leads from here */
  uint32_t mark;          /* of the field */
  float x, y;             /* reference, in the frame of the face */
  float left[3];          /* distance at x, y [m]: left[0] + left[1] x + left[2] y */
} edge_state;

_Static_assert(sizeof(edge_state) <= 64, "state of a guide");

/* Moves the face to the front of the list; returns how often the agent has entered it. */
static uint32_t enter(edge_state *state, uint32_t face) {
  uint32_t at = 0, entries = 0;
  while (at < FACES - 1 && state->face[at] != face) at++;
  if (state->face[at] == face) entries = state->entries[at];
  memmove(state->face + 1, state->face, at * sizeof *state->face);
  memmove(state->entries + 1, state->entries, at * sizeof *state->entries);
  entries += entries < UINT8_MAX;
  state->face[0] = face;
  state->entries[0] = (uint8_t)entries;
  return entries;
}

static void renew(edge_state *state, const th_field *field, uint32_t face, bool guard) {
  if (state->mark != field->edges.mark) *state = (edge_state){.mark = field->edges.mark};
  bool back = enter(state, face + 1) > RETURNS;
  state->lost = !th_mesh_edges_left(field, face, state->left);
  if (state->lost) return;
  th_reference r = th_mesh_field_reference(field, face, guard && back);
  state->x = r.x;
  state->y = r.y;
  state->arrives = r.arrives;
  if (!th_mesh_edges_goal(field, face)) return;
  state->left[0] = state->left[1] = state->left[2] = 0.0f;
  state->arrives = 2;
}

static void lead(const th_guide_query *query, const th_field *field, uint32_t lane) {
  const th_reference_points_params *params = query->params;
  edge_state *state = query->state[lane];
  th_guide_answer *want = &query->want[lane];
  uint32_t face = query->cell[lane];
  if (state->face[0] != face + 1 || state->mark != field->edges.mark) renew(state, field, face, params->guard);
  float x = state->x - query->x[lane], y = state->y - query->y[lane], far = sqrtf(x * x + y * y);
  float along = state->left[0] + state->left[1] * query->x[lane] + state->left[2] * query->y[lane];
  *want = (th_guide_answer){.left = INFINITY, .state = TH_ANSWER_LOST};
  if (state->lost) return;
  float left = state->arrives == 1 ? far - field->edges.radius : along;
  want->left = left > 0.0f ? left : 0.0f;
  want->state = state->arrives == 2 || (state->arrives && want->left <= 0.0f) ? TH_ANSWER_ARRIVED : TH_ANSWER_LEAD;
  if (want->state == TH_ANSWER_ARRIVED || !(far > 0.0f)) return;
  want->dx = x / far;
  want->dy = y / far;
}

/* The guide `field` for those of the lanes that follow `field`. */
static void climb(const th_guide_query *query, const th_field *field, uint32_t lanes) {
  uint32_t agent[16], cell[16] = {0}, of[16], count = 0;
  float x[16] = {0}, y[16] = {0}, eps[16];
  th_vec2 v[16];
  th_guide_answer want[16];
  for (; lanes; lanes &= lanes - 1, count++) {
    uint32_t lane = of[count] = th_lowest_bit(lanes);
    agent[count] = query->agent[lane];
    cell[count] = query->cell[lane];
    x[count] = query->x[lane];
    y[count] = query->y[lane];
    eps[count] = query->eps[lane];
    if (eps[count] != 0.0f) v[count] = query->v[lane];
    want[count] = query->want[lane];
  }
  th_guide_query part = *query;
  part.lanes = count;
  part.agent = agent, part.cell = cell, part.x = x, part.y = y, part.eps = eps, part.v = v, part.want = want;
  part.field = field, part.fields = NULL;
  th_guide_field.ask(&part);
  for (uint32_t i = 0; i < count; i++) query->want[of[i]] = want[i];
}

/* An agent that has no field yet waits. */
static void answer(const th_guide_query *query) {
  uint32_t others = 0;
  for (uint32_t lane = 0; lane < query->lanes; lane++) {
    const th_field *field = query->fields[lane];
    if (field && field->edges.left)
      lead(query, field, lane);
    else
      others |= (uint32_t)(field != NULL) << lane;
  }
  while (others) {
    const th_field *field = query->fields[th_lowest_bit(others)];
    uint32_t same = 0;
    for (uint32_t lane = 0; lane < query->lanes; lane++) same |= (uint32_t)(query->fields[lane] == field) << lane;
    climb(query, field, same);
    others &= ~same;
  }
}

/* One read depends on the other, so there are two stages. The first: where a field is, what the guide remembers of an
 * agent, and the shape of a face that it has just come into. */
static void prefetch_far(const th_guide_ahead *ahead) {
  const th_mesh_ground *s = ahead->ground->mesh;
  for (uint32_t i = 0; s && i < ahead->count; i++) {
    uint32_t face = ahead->cell[i];
    th_fetch_line(ahead->state[i]);
    if (ahead->fields[i]) th_fetch_line(ahead->fields[i]);
    if (face == ahead->previous_cell[i]) continue;
    th_fetch_line(&s->mesh.corner[3 * (size_t)face]);
    th_fetch_line(&s->frames.face[face]);
  }
}

/* The second: the distances at the corners of such a face. */
static void prefetch(const th_guide_ahead *ahead) {
  const th_mesh_ground *s = ahead->ground->mesh;
  if (!s) th_field_prefetch(ahead->fields, ahead->cell, ahead->count);
  for (uint32_t i = 0; s && i < ahead->count; i++) {
    uint32_t face = ahead->cell[i];
    if (face == ahead->previous_cell[i]) continue;
    const float *left = ahead->fields[i] ? ahead->fields[i]->edges.left : NULL;
    for (size_t k = 0; left && k < 3; k++) th_fetch_line(&left[s->mesh.corner[3 * (size_t)face + k]]);
  }
}

static const th_param params[] = {
    {"guard", TH_PARAM_BOOL, offsetof(th_reference_points_params, guard), "", 0, 1, 1,
     "whoever comes back into a face for the third time heads for the lowest vertex around it", NULL},
};

const th_guide th_guide_reference_points = {
    .name = "reference_points",
    .summary = "walks on a field along edges from reference point to reference point",
    .param = params,
    .param_count = sizeof params / sizeof *params,
    .param_size = sizeof(th_reference_points_params),
    .state_size = sizeof(edge_state),
    .needs_field = true,
    .own_fields = true,
    .ask = answer,
    .prefetch = prefetch,
    .prefetch_far = prefetch_far,
};

th_reference_points_params th_default_reference_points_params(void) {
  th_reference_points_params values;
  memset(&values, 0, sizeof values); /* padding too: equal parameters are found by their bytes */
  th_param_defaults(th_guide_reference_points.param, th_guide_reference_points.param_count, &values);
  return values;
}
