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
 * - do not run into agents beside them: a share of the speed that would use up the gap within CLOSE is taken out, and
 *   where nobody presses they keep more distance than that;
 * - step aside for agents that come towards them, a second ahead, by a part of what both lack to miss each other. They
 *   hardly slow down, because two that both slow down lock;
 * - lean against whoever pushes them back.
 *
 * Cost: about 100 ns per agent and step in a crowd.
 */
#include <math.h>

#include "geometry/vector.h"
#include "model/bvp/discs.h"
#include "model/bvp/state.h"

#define FADE 3.0f    /* weight of each walker beyond the first, that of the map being 1 */
#define STILL 0.7f   /* cosine between decision and guide from which on the decision counts wholly */
#define GONE 0.2f    /* the same below which it does not count */
#define AGAINST 0.3f /* minus this: cosine of two wanted directions below which one comes towards the other */
#define LOOK 2.5f    /* [m]: gaps that are wider do not matter */
#define ROUNDS 2

#define CLOSE 0.31f    /* [s]: a gap is not to be used up within this time, under pressure */
#define DISTANCE 0.26f /* [s]: more of it where nobody presses */
#define SPARE 0.72f    /* share of the speed that uses up a gap too fast which is taken out */
#define TOUCH 0.15f    /* [s]: the same time for agents that come, */
#define PRESS 0.15f    /* and share: two that hold back more lock */
#define SLIDE 0.4f     /* share of the speed of both that is turned along the contact */
#define IN_LINE 0.2f   /* sine: an agent straight ahead is slid round on the right */

#define HORIZON 1.0f /* [s]: those who meet later are left alone */
#define BERTH 0.02f  /* [m]: between two bodies that pass */
#define ASIDE 0.5f   /* share of what they lack: the other does the rest */
#define BESIDE 0.3f  /* of the distance at which they pass: an agent less off the line is passed on the right */
#define SOON 0.15f   /* [s]: least time to step aside in */
#define QUICK 1.0f   /* [m/s]: largest speed aside */
#define PUSH 0.3f    /* [m/s]: faster back than this somebody walks by itself */
#define LEAN 6.0f    /* how much faster someone who is pushed back wants to walk, of the speed it is pushed with */

/* ---------------------------------------------------------------- where to */

/* On a new map: the heading follows the slope, which never leads back. It does so by inertia when it leaves the guide's
 * direction, and at once when it returns to it, for bodies turn smoothly anyway. */
static void decide(const th_bvp_params *params, th_bvp_state *state, th_vec2 flow) {
  th_vec2 g = {state->gx, state->gy}, d = {state->dx, state->dy};
  if (th_dot2(g, flow) <= 0.0f) g = flow;
  (void)th_bvp_steer(params, g, 1.0f, &d);
  if (th_dot2(d, flow) < th_dot2(g, flow)) d = g;
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
    if (!(th_dot2(to, to) < half * half)) break;
    const th_vec2 wish = th_view_wish(view, j);
    walkers += wish.x != 0.0f || wish.y != 0.0f ? 1.0f : 0.0f;
    says |= th_dot2(wish, want) <= TH_BVP_ALONG;
  }
  if (!says) return walkers > 0.0f ? 0.0f : 1.0f;
  return 1.0f / (1.0f + FADE * fmaxf(0.0f, walkers - 1.0f));
}

void th_bvp_people_aim(const th_work *work, th_guide_answer *want) {
  const th_view *view = work->view;
  for (uint32_t lane = 0; lane < view->lanes; lane++) {
    th_bvp_state *state = work->state[lane];
    const th_bvp_params *params = work->params[lane];
    if (!th_bvp_is_person(view, lane) || !state->lead || want[lane].state != TH_ANSWER_LEAD) continue;
    const th_vec2 guide = {want[lane].dx, want[lane].dy};
    if (state->lead == TH_BVP_NEW) decide(params, state, th_inward2(guide, view->frame[lane]));
    const th_vec2 d = th_outward2((th_vec2){state->dx, state->dy}, view->frame[lane]);
    const float turned = (th_dot2(d, guide) - GONE) / (STILL - GONE); /* the guide may have turned since */
    const float k = weight_of(view, lane, state, params->cell, guide) * fmaxf(0.0f, fminf(1.0f, turned));
    const th_vec2 direction = th_bvp_unit_or(k * d.x + (1.0f - k) * guide.x, k * d.y + (1.0f - k) * guide.y, guide);
    want[lane].dx = direction.x;
    want[lane].dy = direction.y;
  }
}

/* ---------------------------------------------------------------- how */

/* Somebody near by: offset, unit vector to it, gap and sum of both half widths, velocity, whether it comes towards the
 * agent. */
typedef struct other {
  float dx, dy, nx, ny, gap, sum, vx, vy;
  bool comes;
} other;

static uint32_t find_near(const th_view *view, uint32_t lane, other found[TH_MAX_NEAREST]) {
  const th_neighbours *near = &view->neighbours;
  const th_vec2 want = {view->want[lane].dx, view->want[lane].dy};
  uint32_t count = 0;
  for (uint32_t k = 0; k < near->pick_count; k++) {
    const uint32_t j = near->pick[k * TH_VIEW_LANES + lane];
    if (j == TH_NO_PICK) break;
    const float dx = near->x[j] - view->x[lane], dy = near->y[j] - view->y[lane], s = sqrtf(dx * dx + dy * dy);
    const float sum = view->body[lane] + near->radius[j], gap = fmaxf(0.0f, s - sum);
    if (gap > LOOK || !(s > 1e-6f)) continue;
    found[count++] = (other){.dx = dx,
                             .dy = dy,
                             .nx = dx / s,
                             .ny = dy / s,
                             .gap = gap,
                             .sum = sum,
                             .vx = near->vx[j],
                             .vy = near->vy[j],
                             .comes = th_dot2(th_view_wish(view, j), want) <= -AGAINST};
  }
  return count;
}

/* Takes out a share of the speed that would use up the gap within a time. */
static th_vec2 hold_back(const other *o, float share, float time, th_vec2 v) {
  const float over = v.x * o->nx + v.y * o->ny - o->gap / time;
  if (over <= 0.0f) return v;
  return (th_vec2){v.x - share * over * o->nx, v.y - share * over * o->ny};
}

/* Steps aside for somebody who comes: a share of what both bodies lack to miss each other, in the time that is left
 * until they meet, across the relative velocity w. Both reckon alike, so both choose the same side of their own. */
static th_vec2 step_aside(const other *o, th_vec2 v) {
  const th_vec2 w = {v.x - o->vx, v.y - o->vy};
  const float w2 = th_dot2(w, w), along = o->dx * w.x + o->dy * w.y;
  if (!(along > 0.0f) || along > HORIZON * w2) return v;
  const float speed = sqrtf(w2), off = (o->dy * w.x - o->dx * w.y) / speed; /* it passes on the left by this */
  const float apart = o->sum + BERTH;
  const bool right = off > -BESIDE * apart;
  const float lack = right ? apart - off : apart + off;
  if (lack <= 0.0f) return v;
  const float k = fminf(QUICK, ASIDE * lack / fmaxf(along / w2, SOON)) / (right ? speed : -speed);
  return (th_vec2){v.x + k * w.y, v.y - k * w.x};
}

/* An agent that is about to touch one that comes slides round it: along the contact, which leads on. */
static th_vec2 slide_round(const other *o, th_vec2 want, th_vec2 v) {
  const float over = (v.x - o->vx) * o->nx + (v.y - o->vy) * o->ny - o->gap / TOUCH;
  if (over <= 0.0f) return v;
  const bool right = want.x * o->ny - want.y * o->nx > -IN_LINE;
  const float k = fminf(QUICK, SLIDE * over) * (right ? 1.0f : -1.0f);
  return (th_vec2){v.x + k * o->ny, v.y - k * o->nx};
}

/* None of it leads back, and someone who is pushed back leans against it. */
static th_vec2 stand_firm(const th_view *view, uint32_t lane, th_vec2 want, th_vec2 v) {
  const th_vec2 now = {view->vx[lane], view->vy[lane]};
  const float pushed = fminf(PUSH, fmaxf(0.0f, -th_dot2(now, want)));
  const float k = LEAN * pushed + fmaxf(0.0f, -th_dot2(v, want));
  return (th_vec2){v.x + k * want.x, v.y + k * want.y};
}

void th_bvp_people_walk(const th_work *work, uint32_t lane) {
  const th_view *view = work->view;
  const th_vec2 want = {view->want[lane].dx, view->want[lane].dy};
  const float close = CLOSE + DISTANCE * (1.0f - view->pressure[lane]);
  th_vec2 v = {want.x * view->speed[lane], want.y * view->speed[lane]};
  other near[TH_MAX_NEAREST];
  const uint32_t count = find_near(view, lane, near);
  for (uint32_t k = 0; k < ROUNDS * count; k++) {
    const other *o = &near[k % count];
    v = o->comes ? hold_back(o, PRESS, TOUCH, slide_round(o, want, step_aside(o, v))) : hold_back(o, SPARE, close, v);
  }
  v = stand_firm(view, lane, want, v);
  work->advice.vx[lane] = v.x;
  work->advice.vy[lane] = v.y;
  work->advice.gait[lane] = (uint8_t)th_bvp_gait(sqrtf(th_dot2(v, v)));
}
