/* model/bvp/people.c - how people follow their maps in a crowd.
 *
 * The thesis moves bare bodies: every agent nearby is drawn into the map, and an agent slows down when the slope turns.
 * In dense crowds this fails (docs/bvp.md has the figures): bodies ahead fill the map, so the only path that is left
 * leads round them or back; walls push a stream into the middle of its corridor; and a decision is half a second old
 * when others have moved on. People therefore
 *
 * - plan round agents that want to stay or to go in another direction (discs.lanes.c), and follow the others: in every
 *   step the room ahead (view/room_ahead.c), in the direction that the map has found (`aim`), gives the speed;
 * - trust the map the less, the more people walk in it, and not at all where it would lead them back: then the guide
 *   leads, which knows the walls;
 * - do not run into agents beside them: a share of the speed that would close the gap within CLOSE is taken out. For an
 *   agent that comes towards them they step aside instead, because two that both slow down lock.
 *
 * Cost: about 100 ns per agent and step in a crowd.
 */
#include <math.h>

#include "model/bvp/discs.h"
#include "model/bvp/state.h"

#define FADE 3.0f    /* weight of each walker beyond the first, that of the map being 1 */
#define STILL 0.7f   /* cosine between decision and guide from which on the decision counts wholly */
#define GONE 0.2f    /* the same below which it does not count */
#define CLOSE 0.4f   /* [s] */
#define SPARE 0.8f   /* share of the speed that closes a gap too fast which is taken out */
#define ASIDE 1.0f   /* the same towards agents that come: share that is added to the side */
#define AGAINST 0.3f /* minus this: cosine of two wanted directions below which one comes towards the other */
#define BESIDE 0.1f  /* sine: an agent straight ahead is passed on the right */
#define LOOK 1.0f    /* [m]: gaps that are wider do not matter */
#define ROUNDS 2

static float dot(th_vec2 a, th_vec2 b) { return a.x * b.x + a.y * b.y; }

/* ---------------------------------------------------------------- where to */

/* On a new map: the heading follows the slope, which never leads back. It does so by inertia when it leaves the guide's
 * direction, and at once when it returns to it, for bodies turn smoothly anyway. */
static void decide(const th_bvp_params *params, th_bvp_state *state, th_vec2 flow) {
  th_vec2 g = {state->gx, state->gy}, d = {state->dx, state->dy};
  if (dot(g, flow) <= 0.0f) g = flow;
  (void)th_bvp_steer(params, g, 1.0f, &d);
  if (dot(d, flow) < dot(g, flow)) d = g;
  state->dx = d.x;
  state->dy = d.y;
  state->lead = 1;
}

/* How much the map counts against the guide, 0 to 1. Alone it counts wholly, in company only if it says more than where
 * walls are: that somebody is to be walked round, or what v wants. */
static float weight_of(const th_view *view, uint32_t lane, const th_bvp_state *state, float cell, th_vec2 want) {
  const th_neighbours *near = &view->neighbours;
  const float half = (float)(state->n / 2) * cell;
  bool says = state->ex != 0.0f || state->ey != 0.0f;
  float walkers = 0.0f;
  for (uint32_t k = 0; k < near->pick_count; k++) {
    const uint32_t j = near->pick[k * TH_VIEW_LANES + lane];
    if (j == TH_NO_PICK) break;
    const th_vec2 to = {near->x[j] - view->x[lane], near->y[j] - view->y[lane]};
    if (!(dot(to, to) < half * half)) break;
    const th_vec2 wish = th_view_wish(view, j);
    walkers += wish.x != 0.0f || wish.y != 0.0f ? 1.0f : 0.0f;
    says |= dot(wish, want) <= TH_BVP_ALONG;
  }
  if (!says) return walkers > 0.0f ? 0.0f : 1.0f;
  return 1.0f / (1.0f + FADE * fmaxf(0.0f, walkers - 1.0f));
}

void th_bvp_aim(const th_work *work, th_guide_answer *want) {
  const th_view *view = work->view;
  for (uint32_t lane = 0; lane < view->lanes; lane++) {
    th_bvp_state *state = work->state[lane];
    const th_bvp_params *params = work->params[lane];
    if (!th_bvp_is_person(view, lane) || !state->lead || want[lane].state != TH_ANSWER_LEAD) continue;
    const th_vec2 guide = {want[lane].dx, want[lane].dy};
    if (state->lead == TH_BVP_NEW) decide(params, state, th_bvp_inward(view->frame[lane], guide.x, guide.y));
    const th_vec2 d = th_bvp_outward(view->frame[lane], state->dx, state->dy);
    const float turned = (dot(d, guide) - GONE) / (STILL - GONE); /* the guide may have turned since */
    const float k = weight_of(view, lane, state, params->cell, guide) * fmaxf(0.0f, fminf(1.0f, turned));
    const th_vec2 direction = th_bvp_unit_or(k * d.x + (1.0f - k) * guide.x, k * d.y + (1.0f - k) * guide.y, guide);
    want[lane].dx = direction.x;
    want[lane].dy = direction.y;
  }
}

/* ---------------------------------------------------------------- how */

/* Somebody close by: direction to it, speed that uses up the gap, its velocity if it comes towards the agent. */
typedef struct other {
  float nx, ny, closing, vx, vy;
  bool comes;
} other;

static uint32_t find_close(const th_view *view, uint32_t lane, other close[TH_MAX_NEAREST]) {
  const th_neighbours *near = &view->neighbours;
  const th_vec2 want = {view->want[lane].dx, view->want[lane].dy};
  uint32_t count = 0;
  for (uint32_t k = 0; k < near->pick_count; k++) {
    const uint32_t j = near->pick[k * TH_VIEW_LANES + lane];
    if (j == TH_NO_PICK) break;
    const float dx = near->x[j] - view->x[lane], dy = near->y[j] - view->y[lane], s = sqrtf(dx * dx + dy * dy);
    const float gap = s - view->body[lane] - near->radius[j];
    if (gap > LOOK || !(s > 1e-6f)) continue;
    const bool comes = dot(th_view_wish(view, j), want) <= -AGAINST;
    close[count++] = (other){.nx = dx / s,
                             .ny = dy / s,
                             .closing = fmaxf(0.0f, gap) / CLOSE,
                             .vx = comes ? near->vx[j] : 0.0f,
                             .vy = comes ? near->vy[j] : 0.0f,
                             .comes = comes};
  }
  return count;
}

static th_vec2 spare(const other *o, th_vec2 want, th_vec2 v) {
  const float over = (v.x - o->vx) * o->nx + (v.y - o->vy) * o->ny - o->closing;
  if (over <= 0.0f) return v;
  if (!o->comes) return (th_vec2){v.x - SPARE * over * o->nx, v.y - SPARE * over * o->ny};
  const bool right = want.x * o->ny - want.y * o->nx < -BESIDE; /* it is on the right: pass it on the left */
  const float side = right ? -ASIDE * over : ASIDE * over;
  return (th_vec2){v.x + side * o->ny, v.y - side * o->nx};
}

void th_bvp_walk(const th_work *work, uint32_t lane) {
  const th_view *view = work->view;
  const th_vec2 want = {view->want[lane].dx, view->want[lane].dy};
  th_vec2 v = {want.x * view->speed[lane], want.y * view->speed[lane]};
  other close[TH_MAX_NEAREST];
  const uint32_t count = find_close(view, lane, close);
  for (uint32_t round = 0; round < ROUNDS; round++)
    for (uint32_t k = 0; k < count; k++) v = spare(&close[k], want, v);
  const float back = dot(v, want);
  if (back < 0.0f) v = (th_vec2){v.x - back * want.x, v.y - back * want.y};
  work->advice.vx[lane] = v.x;
  work->advice.vy[lane] = v.y;
  work->advice.gait[lane] = (uint8_t)th_bvp_gait(sqrtf(dot(v, v)));
}
