/* model/bvp/map.c - pass 1: each agent draws what it perceives into its local map.
 *
 * Zones (Dapper 2007, section 5.1.2): the border is closed but for the local goal; the ring inside it stays free, so
 * that nothing can cut the goal off; in the update zone a cell is blocked when its centre is nearer to a wall than the
 * agent's radius, or within the sum of the radii of another agent. Walls come from the clearance raster, along rows:
 * clearance c at a cell frees every cell within c - radius of it, so open space costs a few samples per row. Agents are
 * drawn by discs.lanes.c. Cost: a few ns in the open, up to 0.5 us beside walls.
 */
#include <math.h>
#include <string.h>

#include "base/trig.h"
#include "geometry/vector.h"
#include "model/bvp/discs.h"
#include "model/bvp/state.h"

typedef struct window {
  const th_view *view;
  th_bvp_state *state;
  int32_t n, c, first, last; /* update zone: first to last in both directions */
  float cell, inverse, x, y, radius;
  th_turn frame;
  th_vec2 d;      /* heading, agent's frame */
  float cos_half; /* of the view cone; -2 without one */
} window;

float th_bvp_reach(const th_bvp_params *params) {
  float corner = 1.4143f * (float)(params->n / 2) * params->cell;
  bool looks = params->trigger != TH_BVP_NEVER;
  float reach = looks && params->sight > corner ? params->sight : corner;
  return reach < 50.0f ? reach : 50.0f;
}

/* ---------------------------------------------------------------- walls */

/* Bilinear, as th_view_clearance, with the division taken out of the loop. */
static inline float clearance_at(const th_raster *raster, float inverse, float x, float y) {
  float fx = (x - raster->x0) * inverse, fy = (y - raster->y0) * inverse;
  if (!(fx >= 0.0f) || !(fy >= 0.0f) || fx >= (float)(raster->width - 1) || fy >= (float)(raster->height - 1))
    return 0.0f;
  uint32_t i = (uint32_t)fx, j = (uint32_t)fy;
  float u = fx - (float)i, v = fy - (float)j;
  const float *low = raster->sample + (size_t)j * raster->width + i, *high = low + raster->width;
  float a = low[0] + u * (low[1] - low[0]), b = high[0] + u * (high[1] - high[0]);
  return a + v * (b - a);
}

static bool in_cone(const window *w, float x, float y) {
  return w->cos_half < -1.0f || x * w->d.x + y * w->d.y >= w->cos_half * sqrtf(x * x + y * y);
}

static void map_row(const window *w, float inverse, int32_t j) {
  const th_raster *raster = &w->view->clearance;
  float oy = (float)(j - w->c) * w->cell;
  for (int32_t i = w->first; i <= w->last;) {
    float ox = (float)(i - w->c) * w->cell;
    th_vec2 o = th_outward2((th_vec2){ox, oy}, w->frame);
    float spare = clearance_at(raster, inverse, w->x + o.x, w->y + o.y) - w->radius;
    if (spare < 0.0f && in_cone(w, ox, oy)) w->state->row[j] |= (uint64_t)1 << i;
    int32_t skip = spare > 0.0f ? (int32_t)(spare * w->inverse) : 0;
    i += skip > 1 ? skip : 1;
  }
}

static void map_walls(const window *w) {
  const th_raster *raster = &w->view->clearance;
  float inverse = 1.0f / raster->cell, corner = 1.4143f * (float)(w->last - w->c) * w->cell;
  if (clearance_at(raster, inverse, w->x, w->y) > w->radius + corner + 1.5f * raster->cell) return;
  for (int32_t j = w->first; j <= w->last; j++) map_row(w, inverse, j);
}

/* ---------------------------------------------------------------- agents */

static void map_agents(const window *w, uint32_t lane, const th_bvp_params *params, th_simd simd) {
  const th_guide_answer *want = &w->view->want[lane];
  const bool person = th_bvp_is_person(w->view, lane);
  const th_bvp_discs discs = {.near = &w->view->neighbours,
                              .person = person && params->others == TH_BVP_OTHERS_CLOSING ? w->view : NULL,
                              .want = {want->dx, want->dy},
                              .x = w->x,
                              .y = w->y,
                              .radius = person ? w->view->body[lane] : w->radius,
                              .frame = w->frame,
                              .slot = w->view->slot[lane],
                              .avoids = w->view->avoids[lane],
                              .reach = th_bvp_reach(params),
                              .foresight = params->foresight,
                              .vx = w->view->vx[lane],
                              .vy = w->view->vy[lane],
                              .all = params->others == TH_BVP_OTHERS_ALL,
                              .cell = w->cell,
                              .inverse = w->inverse,
                              .c = w->c,
                              .first = w->first,
                              .last = w->last,
                              .d = w->d,
                              .cos_half = w->cos_half,
                              .row = w->state->row};
  TH_LANES_PICK(simd, th_bvp_draw_discs)(&discs);
}

/* Counts the agents ahead within the sight distance, by position and not by cell, so sight may exceed the map. */
static th_bvp_sight look_ahead(const window *w, uint32_t lane, const th_bvp_params *params) {
  const th_neighbours *near = &w->view->neighbours;
  const uint32_t own = w->view->slot[lane], avoids = w->view->avoids[lane];
  const float sight2 = params->sight * params->sight;
  th_bvp_sight sight = {0, INFINITY};
  if (params->trigger == TH_BVP_NEVER) return sight;
  for (uint32_t k = 0; k < near->count; k++) {
    float dx = near->x[k] - w->x, dy = near->y[k] - w->y, d2 = dx * dx + dy * dy;
    if (d2 >= sight2 || near->slot[k] == own || !(near->layers[k] & avoids)) continue;
    th_vec2 o = th_inward2((th_vec2){dx, dy}, w->frame);
    if (o.x * w->d.x + o.y * w->d.y <= 0.0f) continue;
    float distance = sqrtf(d2);
    sight.ahead++;
    sight.nearest = distance < sight.nearest ? distance : sight.nearest;
  }
  return sight;
}

/* ---------------------------------------------------------------- goals */

/* The border cell that the guide points at, and the goal itself when it lies inside. */
static void place_goals(const window *w, const th_bvp_params *params, th_vec2 flow, float left) {
  th_bvp_state *s = w->state;
  float ax = fabsf(flow.x), ay = fabsf(flow.y), max = ax > ay ? ax : ay, half = (float)w->c;
  s->goal_i = (uint16_t)(w->c + (int32_t)floorf(flow.x / max * half + 0.5f));
  s->goal_j = (uint16_t)(w->c + (int32_t)floorf(flow.y / max * half + 0.5f));
  s->goal_width = (uint8_t)params->goal_width;
  s->seen_i = s->seen_j = TH_BVP_NO_CELL;
  if (!(left * w->inverse < 1.5f * half)) return;
  int32_t i = w->c + (int32_t)floorf(flow.x * left * w->inverse + 0.5f);
  int32_t j = w->c + (int32_t)floorf(flow.y * left * w->inverse + 0.5f);
  if (i < w->first || i > w->last || j < w->first || j > w->last || (i == w->c && j == w->c)) return;
  if (s->row[j] >> i & 1u) return;
  s->seen_i = (uint16_t)i;
  s->seen_j = (uint16_t)j;
  if (params->local_goal == TH_BVP_GOAL_UNLESS_INSIDE) s->goal_i = s->goal_j = TH_BVP_NO_CELL;
}

/* ---------------------------------------------------------------- the pass */

/* A new map, or one whose size was changed while running, starts empty. */
static void lay_out(th_bvp_state *state, const th_bvp_params *params) {
  uint8_t twice = params->start == TH_BVP_WARM ? (uint8_t)(1 + (params->precision == TH_PRECISION_DOUBLE)) : 0;
  if (state->n == params->n && state->sweeps == params->sweeps && state->twice == twice) return;
  bool kept = state->n == params->n && state->twice == twice;
  state->n = (uint16_t)params->n;
  state->sweeps = (uint16_t)params->sweeps;
  state->twice = twice;
  state->reference = 0.0f;
  size_t cells = (size_t)params->n * (size_t)params->n;
  if (twice && !kept) memset(th_bvp_values(state), 0, cells * (twice == 2 ? sizeof(double) : sizeof(float)));
}

static window window_of(const th_work *work, uint32_t lane) {
  const th_view *view = work->view;
  const th_bvp_params *params = work->params[lane];
  window w = {.view = view,
              .state = work->state[lane],
              .n = params->n,
              .c = params->n / 2,
              .first = 1 + params->free_ring,
              .last = params->n - 2 - params->free_ring,
              .cell = params->cell,
              .inverse = 1.0f / params->cell,
              .x = view->x[lane],
              .y = view->y[lane],
              .radius = view->radius[lane],
              .frame = view->frame[lane],
              .cos_half = params->perception == TH_BVP_CONE ? th_cosf(0.5f * params->cone) : -2.0f};
  w.d = (th_vec2){w.state->dx, w.state->dy};
  if (w.d.x == 0.0f && w.d.y == 0.0f) w.d = th_inward2((th_vec2){view->hx[lane], view->hy[lane]}, w.frame);
  return w;
}

static void map_lane(const th_work *work, uint32_t lane) {
  const th_bvp_params *params = work->params[lane];
  const th_guide_answer *want = &work->view->want[lane];
  th_bvp_state *state = work->state[lane];
  state->lead = want->state == TH_ANSWER_LEAD && (want->dx != 0.0f || want->dy != 0.0f);
  state->gx = state->gy = state->modulus = 0.0f;
  if (!state->lead) return;
  if (th_bvp_is_person(work->view, lane)) state->lead = TH_BVP_NEW;
  lay_out(state, params);
  window w = window_of(work, lane);
  state->dx = w.d.x;
  state->dy = w.d.y;
  memset(state->row, 0, sizeof *state->row * (size_t)params->n);
  map_walls(&w);
  map_agents(&w, lane, params, (th_simd)work->simd);
  state->row[w.c] &= ~((uint64_t)1 << w.c); /* an agent's own cell is never blocked */
  th_vec2 flow = th_inward2((th_vec2){want->dx, want->dy}, w.frame);
  place_goals(&w, params, flow, want->left);
  th_bvp_sight sight = look_ahead(&w, lane, params);
  th_bvp_behaviour_set(work, lane, flow, &sight);
}

void th_bvp_map(const th_work *work) {
  for (uint32_t lane = 0; lane < work->view->lanes; lane++) map_lane(work, lane);
}
