/* guide/guide_dijkstra.c - walks on a field along edges from reference point to reference point.
 *
 * The guide of Berndt's dynamic planarization (2014, section 4.3.2; see field/surface_reference.c): an agent keeps one
 * point to walk to as long as it stays in its face, so the field is read only when the face or the field changes. Two
 * faces may point at each other; the guard counts how often an agent came into the last six faces, and from the third
 * return on it heads for the lowest vertex of the map. Off, the guide is the thesis' own rule. On other kinds of fields
 * it is the guide `field`. State per agent: 56 bytes. Cost: about 10 ns, 200 ns where the face changed.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "field/surface_edges.h"
#include "throng/guide.h"

#define RETURNS 3u

enum { FACES = 6 };

typedef struct edge_state {
  uint32_t face[FACES];   /* + 1; the last ones, the present one first; 0: none */
  uint8_t entries[FACES]; /* into each */
  uint8_t arrives, lost;  /* the reference is the goal; no way leads from here */
  uint32_t mark;          /* of the field */
  float x, y;             /* reference, in the frame of the face */
  float left[3];          /* metres at x, y: left[0] + left[1] x + left[2] y */
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
  if (state->mark != field->surface->edges->mark) *state = (edge_state){.mark = field->surface->edges->mark};
  bool back = enter(state, face + 1) > RETURNS;
  state->lost = !th_surface_edges_left(field, face, state->left);
  if (state->lost) return;
  th_reference r = th_surface_reference(field, face, guard && back);
  state->x = r.x;
  state->y = r.y;
  state->arrives = r.arrives;
  if (!th_surface_edges_goal(field, face)) return;
  state->left[0] = state->left[1] = state->left[2] = 0.0f;
  state->arrives = 2;
}

static void lead(const th_question *question, uint32_t lane) {
  const th_dijkstra_params *params = question->params;
  const th_surface_edges *edges = question->field->surface->edges;
  edge_state *state = question->state[lane];
  th_want *want = &question->want[lane];
  uint32_t face = question->cell[lane];
  if (state->face[0] != face + 1 || state->mark != edges->mark) renew(state, question->field, face, params->guard);
  float x = state->x - question->x[lane], y = state->y - question->y[lane], far = sqrtf(x * x + y * y);
  float along = state->left[0] + state->left[1] * question->x[lane] + state->left[2] * question->y[lane];
  *want = (th_want){.left = INFINITY, .state = TH_WANT_LOST};
  if (state->lost) return;
  want->left = fmaxf(state->arrives == 1 ? far - edges->radius : along, 0.0f);
  want->state = state->arrives == 2 || (state->arrives && want->left <= 0.0f) ? TH_WANT_ARRIVED : TH_WANT_LEAD;
  if (want->state == TH_WANT_ARRIVED || !(far > 0.0f)) return;
  want->dx = x / far;
  want->dy = y / far;
}

static void answer(const th_question *question) {
  const th_field *field = question->field;
  if (!field) return; /* not there yet: wait */
  if (!field->surface || !field->surface->edges) {
    th_guide_field.ask(question);
    return;
  }
  for (uint32_t lane = 0; lane < question->lanes; lane++) lead(question, lane);
}

static const th_param params[] = {
    {"guard", TH_PARAM_BOOL, offsetof(th_dijkstra_params, guard), "", 0, 1, 1,
     "whoever comes back into a face for the third time heads for the lowest vertex around it", NULL},
};

const th_guide th_guide_dijkstra = {
    .name = "dijkstra",
    .summary = "walks on a field along edges from reference point to reference point",
    .param = params,
    .param_count = sizeof params / sizeof *params,
    .param_size = sizeof(th_dijkstra_params),
    .state_size = sizeof(edge_state),
    .needs_field = true,
    .ask = answer,
};
