/* view/room_ahead.c - people look for room ahead of them, and walk as fast as it allows.
 *
 * Speed. With s the distance between the centres of an agent and the nearest one ahead of it, l its radius and the half
 * width of the other, and T its time gap, the wanted speed is at most
 *
 *   max(0, (s - l) / T)
 *
 * which makes speed fall with density as it does in crowds (Weidmann 1993; Seyfried et al. 2005 found headways that
 * grow linearly with speed). Ahead is a strip. It is wider than both bodies, for people keep a distance beside them,
 * too; under pressure, which turned shoulders tell (world/step/shoulders.c), this distance gives way and the strip
 * shrinks to half of both. Three kinds of others do not count: people who want to go the other way are to be passed,
 * and a crowd that waits for them locks; people who have this agent ahead of them would wait for it in turn, for ever;
 * and people who want to stay are walked round.
 *
 * Way. Fields lead everyone along the same lines: to the corners of an opening, or into the middle of a coarse raster's
 * doorway, and behind whoever is slow. So people compare five directions, the wanted one and two on either side, by how
 * fast each brings them on: its cosine with the wanted one times the speed that the nearest one in it allows, whoever
 * that is. A direction that leads to a wall does not count; the old heading counts a little, and leaving the wanted
 * direction costs a little, so that nobody dithers (in the manner of Moussaid, Helbing and Theraulaz 2011). This fills
 * openings over their whole width, overtakes, and makes streams follow whoever goes their way.
 *
 * The comparison works on sixteen people at once (room_ahead.lanes.c); only those who leave the wanted direction feel
 * for walls. Cost: about 15 ns per agent at one person per square metre.
 */
#include "view/room_ahead.h"

#include <math.h>
#include <string.h>

#include "view/trace.h"

#define FEEL 0.4f   /* [m]: walls are felt at this distance and at twice of it */
#define BERTH 0.05f /* [m]: that a way beside the wanted one leaves to walls */

const float th_room_turn_c[TH_ROOM_WAYS] = {1.0f, 0.96891242f, 0.96891242f, 0.87758256f, 0.87758256f};
const float th_room_turn_s[TH_ROOM_WAYS] = {0.0f, -0.24740396f, 0.24740396f, -0.47942554f, 0.47942554f};

static th_vec2 way_of(const th_room_lanes *r, uint32_t lane, int k) {
  const float c = th_room_turn_c[k], s = th_room_turn_s[k];
  return (th_vec2){c * r->ex[lane] - s * r->ey[lane], s * r->ex[lane] + c * r->ey[lane]};
}

static bool leads_to_wall(const th_view *view, uint32_t lane, th_vec2 u) {
  const float x = view->x[lane], y = view->y[lane], r = view->radius[lane] + BERTH;
  return th_view_clearance(view, x + FEEL * u.x, y + FEEL * u.y) < r ||
         th_view_clearance(view, x + 2.0f * FEEL * u.x, y + 2.0f * FEEL * u.y) < r;
}

/* Walls are felt on the way that one would take: most take the wanted one, and feel none. */
static int choose(const th_room_lanes *r, uint32_t lane) {
  uint32_t shut = 0;
  int best = r->best[lane];
  while (best && leads_to_wall(r->view, lane, way_of(r, lane, best))) {
    shut |= 1u << best;
    best = 0;
    for (int k = 1; k < TH_ROOM_WAYS; k++)
      if (!(shut >> k & 1u) && r->worth[k][lane] > r->worth[best][lane]) best = k;
  }
  return best;
}

th_vec2 th_view_wish(const th_view *view, uint32_t candidate) { return th_room_wish(view, candidate); }

enum { GAP, KEPT, WAY };
const th_trace th_people_trace[TH_PEOPLE_TRACES] = {
    [GAP] = {"gap", TH_TRACE_SCALAR, "m", "free distance to whoever is followed; infinite: nobody", 0},
    [KEPT] = {"kept", TH_TRACE_SCALAR, "m/s", "wanted speed that the gap leaves", 0},
    [WAY] = {"way", TH_TRACE_VECTOR, "m/s", "direction with the most room", 0},
};

static void publish(const th_view_scratch *room, uint32_t lane, float follow) {
  th_tracer *tracer = room->trace;
  if (!th_trace_wants(tracer, lane)) return;
  const char *source = tracer->source;
  const th_vec2 way = {room->want[lane].dx, room->want[lane].dy};
  tracer->source = "people";
  th_trace_scalar(tracer, lane, &th_people_trace[GAP], follow);
  th_trace_scalar(tracer, lane, &th_people_trace[KEPT], room->speed[lane]);
  th_trace_vector(tracer, lane, &th_people_trace[WAY], way, room->speed[lane]);
  tracer->source = source;
}

static void look_ahead(th_view_scratch *room, const th_room_lanes *r, uint32_t lane) {
  const int k = r->best[lane] ? choose(r, lane) : 0;
  if (k) {
    const th_vec2 way = way_of(r, lane, k);
    room->want[lane].dx = way.x;
    room->want[lane].dy = way.y;
  }
  room->speed[lane] = fminf(room->speed[lane], fmaxf(0.0f, r->follow[k][lane] / room->time_gap[lane]));
  publish(room, lane, r->follow[k][lane]);
}

/* Bodies above the ground come last; they may be wider than those on it. */
static float widest_of(const th_view *view, float widest) {
  const th_neighbours *near = &view->neighbours;
  for (uint32_t j = near->count; view->space && j > 0 && near->slot[j - 1] >= view->space->crowd->order.count; j--)
    widest = fmaxf(widest, near->radius[j - 1]);
  return widest;
}

/* Lanes that keep a gap; `slow` ones look even if nobody is close. */
static uint32_t begin(const th_view_scratch *room, const float *pressure, th_room_lanes *r, uint32_t *slow) {
  uint32_t looking = 0;
  *slow = 0;
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) {
    const th_guide_answer *want = &room->want[lane];
    r->ex[lane] = want->dx;
    r->ey[lane] = want->dy;
    looking |= (uint32_t)((room->time_gap[lane] > 0.0f) & (want->state == TH_ANSWER_LEAD)) << lane;
    *slow |= (uint32_t)(room->speed[lane] < TH_ROOM_AT_EASE) << lane;
  }
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) r->pressure[lane] = pressure[room->row[lane]];
  return looking & ((1u << room->view.lanes) - 1u);
}

void th_view_look_ahead(th_view_scratch *room, const th_view_source *source) {
  th_room_lanes r;
  uint32_t slow;
  if (room->view.want != room->want) memcpy(room->want, room->view.want, sizeof room->want);
  room->view.want = room->want;
  const uint32_t looking = begin(room, source->columns.pressure, &r, &slow);
  if (!looking) return;
  r.view = &room->view;
  r.widest = widest_of(&room->view, source->order->radius_max);
  TH_LANES_PICK(source->simd, th_room_compare)(&r);
  for (uint32_t left = looking & (r.close | slow); left; left &= left - 1)
    look_ahead(room, &r, (uint32_t)__builtin_ctz(left));
}
