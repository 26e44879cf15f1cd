/* view/room_ahead.c - people look for room ahead of them, and walk as fast as it allows.
 *
 * Speed. With s the distance between the centres of an agent and the nearest one ahead of it, l its radius and the half
 * width of the other, and T its present time gap, the wanted speed is at most
 *
 *   max(0, (s + u dt - l) / T)
 *
 * where u is how fast the other gets away from it along its wanted direction, so the room is that at the end of the
 * step: without u a crowd before a door took 8 % longer with steps of 0.2 s than with 0.1 s. The law makes speed fall
 * with density as it does in crowds (Weidmann 1993; Seyfried et al. 2005 found headways that grow linearly with speed).
 * "Ahead" means inside a strip along the direction of walking. The strip is wider than both bodies, because people also
 * keep a distance to the side. Under pressure (world/step/shoulders.c) people give up this distance, and the strip
 * shrinks to TH_ROOM_PRESSED of both bodies for those who are followed; and they follow closer, at TH_ROOM_HURRIED of
 * their time gap. One gap for both cannot fit: people at ease follow at about 1 s (Seyfried), a door passes twice as
 * many as that would give. Three kinds of others do not count: people who want to go in the opposite direction have to
 * be passed, and a crowd that waits for them locks; people who have this agent ahead of them would wait for it while it
 * waits for them; and people who want to stay are walked round.
 *
 * Direction. Fields lead everyone along the same lines: to the corners of an opening, or into the middle of a coarse
 * raster's doorway, and behind whoever is slow. So people compare five directions, the wanted one and two on either
 * side, by how fast they would get on: the cosine with the wanted direction times the speed that the nearest agent in
 * this direction allows, whoever it is. A direction that leads to a wall does not count; the present heading gets a
 * small bonus, and every direction but the wanted one a small penalty, so that nobody dithers (in the manner of
 * Moussaid, Helbing and Theraulaz 2011). As a result crowds use the whole width of an opening, people overtake, and in
 * opposed streams they follow those who go in their own direction.
 *
 * People who are held up by somebody so close that it stands in all five directions step round it where the ground is
 * clear of people for ROOM: in the open nobody follows a slow one for ever, and in a crowd, where there is no such
 * room, nobody steps out of its stream.
 *
 * The comparison works on sixteen people at once (room_ahead.lanes.c); only those who leave the wanted direction feel
 * for walls. Cost: about 20 ns per agent at one person per square metre.
 */
#include "view/room_ahead.h"

#include <math.h>

#include "geometry/vector.h"
#include "view/trace.h"

#define FEEL 0.4f   /* [m]: walls are felt at this distance and at twice of it */
#define BERTH 0.05f /* [m]: distance to walls that a direction other than the wanted one must leave */

#define HELD 0.99f   /* pressure from which on people step round somebody slow */
#define SLOWER 0.36f /* of the wanted speed: who is let walk slower is held up */
#define ROOM 2.0f    /* [m]: as far as this nobody may stand in the direction of the step */
#define QUEUE 1.5f   /* [m]: more than one ahead within this are a queue */
#define PAST 0.82f   /* half width of the strip for it, of l: bodies that touch are passed at 1 rad */
#define STEP 0.5f    /* of the wanted speed */

const float th_room_turn_c[TH_ROOM_DIRECTIONS] = {1.0f, 0.96891242f, 0.96891242f, 0.87758256f, 0.87758256f};
const float th_room_turn_s[TH_ROOM_DIRECTIONS] = {0.0f, -0.24740396f, 0.24740396f, -0.47942554f, 0.47942554f};

static th_vec2 direction_of(const th_room_lanes *r, uint32_t lane, int k) {
  const float c = th_room_turn_c[k], s = th_room_turn_s[k];
  return (th_vec2){c * r->ex[lane] - s * r->ey[lane], s * r->ex[lane] + c * r->ey[lane]};
}

/* Clearances are samples of a distance between which it is interpolated: over a distance they change by no more than it
 * and one and a half cells. So where there is much room, one look is enough. */
static bool leads_to_wall(const th_view *view, uint32_t lane, th_vec2 u) {
  const float x = view->x[lane], y = view->y[lane], r = view->radius[lane] + BERTH;
  if (th_view_clearance(view, x, y) > r + 2.0f * FEEL + 1.5f * view->clearance.cell) return false;
  return th_view_clearance(view, x + FEEL * u.x, y + FEEL * u.y) < r ||
         th_view_clearance(view, x + 2.0f * FEEL * u.x, y + 2.0f * FEEL * u.y) < r;
}

/* Walls are tested only in the direction that would be taken: most people take the wanted one, which needs no test. */
static int choose(const th_room_lanes *r, uint32_t lane) {
  uint32_t shut = 0;
  int best = r->best[lane];
  while (best && leads_to_wall(r->view, lane, direction_of(r, lane, best))) {
    shut |= 1u << best;
    best = 0;
    for (int k = 1; k < TH_ROOM_DIRECTIONS; k++)
      if (!(shut >> k & 1u) && r->worth[k][lane] > r->worth[best][lane]) best = k;
  }
  return best;
}

th_vec2 th_view_wish(const th_view *view, uint32_t candidate) { return th_room_wish(view, candidate); }

enum { GAP, KEPT, DIRECTION };
const th_trace th_people_trace[TH_PEOPLE_TRACES] = {
    [GAP] = {"gap", TH_TRACE_SCALAR, "m", "free distance to whoever is followed; infinite: nobody", 0},
    [KEPT] = {"kept", TH_TRACE_SCALAR, "m/s", "wanted speed that the gap leaves", 0},
    [DIRECTION] = {"direction", TH_TRACE_VECTOR, "m/s", "direction with the most room", 0},
};

static void publish(const th_view_scratch *scratch, uint32_t lane, float follow) {
  th_tracer *tracer = scratch->trace;
  if (!th_trace_wants(tracer, lane)) return;
  const char *source = tracer->source;
  const th_vec2 direction = {scratch->view.want[lane].dx, scratch->view.want[lane].dy};
  tracer->source = "people";
  th_trace_scalar(tracer, lane, &th_people_trace[GAP], follow);
  th_trace_scalar(tracer, lane, &th_people_trace[KEPT], scratch->speed[lane]);
  th_trace_vector(tracer, lane, &th_people_trace[DIRECTION], direction, scratch->speed[lane]);
  tracer->source = source;
}

/* ---------------------------------------------------------------- who is followed */

/* True for a neighbour at x that is not followed: it wants to go along e. Without branches, as they would be hard to
 * predict. */
static bool passes(th_vec2 own, th_vec2 x, float l, th_vec2 e) {
  const float along = th_dot2(e, own), length2 = th_dot2(e, e), towards = th_dot2(x, e);
  const float beside = fabsf(th_cross2(x, e));
  const bool against = along <= -TH_ROOM_AGAINST, stays = length2 == 0.0f;
  const bool mutual = (towards < 0.0f) & (beside < TH_ROOM_APART * l);
  return against | stays | mutual;
}

/* Free distance to the nearest that is followed, by lane, at the end of the step. */
static void find_followed(const th_room_lanes *r, float dt, float follow[TH_VIEW_LANES]) {
  const th_view *view = r->view;
  const uint32_t *pick = view->neighbours.pick;
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) follow[lane] = INFINITY;
  for (uint32_t i = 0; i < r->words; i++)
    for (uint64_t left = r->front[0][i]; left; left &= left - 1) {
      const uint32_t pair = 64 * i + (uint32_t)__builtin_ctzll(left), lane = pair % TH_VIEW_LANES;
      const float(*other)[16] = view->neighbours.bodies->kept[pair / TH_VIEW_LANES];
      const th_vec2 own = {r->ex[lane], r->ey[lane]};
      const th_vec2 leaves = {other[TH_BODY_VX][lane] - view->vx[lane], other[TH_BODY_VY][lane] - view->vy[lane]};
      const float free = r->free[pair / TH_VIEW_LANES][lane] + dt * th_dot2(leaves, own);
      if (free >= follow[lane]) continue; /* mostly so from the second one on */
      const th_vec2 x = {other[TH_BODY_X][lane] - view->x[lane], other[TH_BODY_Y][lane] - view->y[lane]};
      const float l = view->radius[lane] + other[TH_BODY_RADIUS][lane];
      follow[lane] = passes(own, x, l, th_room_wish(view, pick[pair])) ? follow[lane] : free;
    }
}

/* The lane takes direction k: others are in front. */
static void face(th_room_lanes *r, uint32_t lane, int k) {
  const uint64_t own = UINT64_C(0x0001000100010001) << lane;
  for (uint32_t i = 0; i < r->words; i++) r->front[0][i] = (r->front[0][i] & ~own) | (r->front[k][i] & own);
}

/* Wanted directions are changed in a copy. It is made one by one: gcc copies all at once by a string instruction, which
 * is slow. */
static void own_wants(th_view_scratch *scratch) {
  const th_guide_answer *from = scratch->view.want;
  for (uint32_t lane = 0; from != scratch->want && lane < TH_VIEW_LANES; lane++) scratch->want[lane] = from[lane];
  scratch->view.want = scratch->want;
}

/* ---------------------------------------------------------------- past somebody slow */

/* How many stand in direction u within `range` [m], in a strip of half width `wide` l. UINT32_MAX where all of the
 * nearest are closer than that, for others may stand behind them, and where somebody comes: a stream against this one
 * is not to be walked into. */
static uint32_t count_in(const th_room_lanes *r, uint32_t lane, th_vec2 u, float wide, float range) {
  const th_view *view = r->view;
  const th_neighbours *near = &view->neighbours;
  const th_vec2 own = {r->ex[lane], r->ey[lane]};
  uint32_t count = 0;
  for (uint32_t n = 0; n < near->pick_count; n++) {
    const uint32_t j = near->pick[n * TH_VIEW_LANES + lane];
    if (j == TH_NO_PICK) return count;
    const th_vec2 x = {near->x[j] - view->x[lane], near->y[j] - view->y[lane]};
    const float l = view->radius[lane] + near->radius[j];
    if (!(th_dot2(x, x) < range * range)) return count;
    if (th_dot2(th_room_wish(view, j), own) <= -TH_ROOM_AGAINST) return UINT32_MAX;
    count += th_dot2(x, u) > 0.0f && fabsf(th_cross2(x, u)) < wide * l;
  }
  return UINT32_MAX;
}

/* Somebody close ahead stands in all five directions, and would be followed for ever. An agent that is held up by it
 * alone, not by a queue, steps round it where there is room: at 1 rad to the right or left, else straight to a side. */
static bool step_round(th_view_scratch *scratch, const th_room_lanes *r, uint32_t lane) {
  static const float c[4] = {0.54030231f, 0.54030231f, 0.0f, 0.0f}, s[4] = {-0.84147098f, 0.84147098f, -1.0f, 1.0f};
  const float ex = r->ex[lane], ey = r->ey[lane];
  if (count_in(r, lane, (th_vec2){ex, ey}, TH_ROOM_APART, QUEUE) > 1) return false;
  for (int k = 0; k < 4; k++) {
    const th_vec2 u = {c[k] * ex - s[k] * ey, s[k] * ex + c[k] * ey};
    if (count_in(r, lane, u, PAST, ROOM) > 0 || leads_to_wall(r->view, lane, u)) continue;
    own_wants(scratch);
    scratch->want[lane].dx = u.x;
    scratch->want[lane].dy = u.y;
    scratch->speed[lane] *= STEP;
    return true;
  }
  return false;
}

/* The speed that the one who is followed allows. */
static void slow_down(th_view_scratch *scratch, const th_room_lanes *r, uint32_t lane, float follow) {
  const float gap = follow / scratch->time_gap[lane], most = gap > 0.0f ? gap : 0.0f;
  const bool held = r->pressure[lane] > HELD && most < SLOWER * scratch->speed[lane];
  if (held && (r->looks >> lane & 1u) && step_round(scratch, r, lane)) return;
  scratch->speed[lane] = scratch->speed[lane] < most ? scratch->speed[lane] : most;
}

/* ---------------------------------------------------------------- all of it */

/* Takes the best direction that leads to no wall. */
static void turn(th_view_scratch *scratch, th_room_lanes *r, uint32_t lane) {
  const int k = choose(r, lane);
  if (!k) return;
  const th_vec2 direction = direction_of(r, lane, k);
  face(r, lane, k);
  scratch->want[lane].dx = direction.x;
  scratch->want[lane].dy = direction.y;
}

static void turn_all(th_view_scratch *scratch, th_room_lanes *r) {
  own_wants(scratch);
  for (uint32_t left = r->turning; left; left &= left - 1) turn(scratch, r, (uint32_t)__builtin_ctz(left));
}

/* Bodies above the ground come last; they may be wider than those on it. */
static float widest_of(const th_view *view, float widest) {
  const th_neighbours *near = &view->neighbours;
  for (uint32_t j = near->count; view->space && j > 0 && near->slot[j - 1] >= view->space->crowd->order.count; j--)
    widest = fmaxf(widest, near->radius[j - 1]);
  return widest;
}

void th_view_look_ahead(th_view_scratch *scratch, const th_view_source *source) {
  th_room_lanes r;
  float follow[TH_VIEW_LANES];
  r.view = &scratch->view;
  r.pressure = scratch->pressure;
  r.widest = widest_of(&scratch->view, source->order->radius_max);
  TH_LANES_PICK(source->simd, th_room_compare)(&r);
  if (r.turning) turn_all(scratch, &r);
  find_followed(&r, source->dt, follow);
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) slow_down(scratch, &r, lane, follow[lane]);
  for (uint32_t lane = 0; scratch->trace && lane < TH_VIEW_LANES; lane++)
    if (r.looks >> lane & 1u) publish(scratch, lane, follow[lane]);
}
