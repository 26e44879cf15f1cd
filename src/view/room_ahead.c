/* view/room_ahead.c - people keep a distance to whoever walks ahead of them.
 *
 * With s the distance between the centres of an agent and the nearest one ahead of it, in a strip as wide as its
 * shoulders, l the sum of both radii and T its time gap, the wanted speed is at most
 *
 *   max(0, (s - l) / T)
 *
 * which makes speed fall with density as it does in crowds (Weidmann 1993; Seyfried et al. 2005 found headways that
 * grow linearly with speed). Three kinds of others do not count: people who want to go the other way are to be passed,
 * and a crowd that waits for them locks; people who have this agent ahead of them would wait for it in turn, for ever;
 * and people who want to stay are walked round. Cost: about 10 ns per agent.
 */
#include <math.h>

#include "view/patch_crowd.h"
#include "view/trace.h"

#define STRIP 0.7f /* half width of the strip, of the radii's sum */
#define AGAINST \
  0.3f /* cosine between the wanted direction and the opposite of another one's, from which it counts as such */

/* The direction in which a candidate wants to go, in the chart; 0, 0 when it wants to stay. */
static th_vec2 wish_of(const th_view_scratch *room, const th_view_columns *columns, uint32_t candidate) {
  const th_view_space *space = room->view.space;
  uint32_t at = room->view.neighbours.slot[candidate];
  if (space && at >= space->crowd->order.count) return (th_vec2){0.0f, 0.0f}; /* a body above the ground */
  const th_guide_answer *want = &columns->want[space ? space->crowd->slot[at] : at];
  if (want->state != TH_ANSWER_LEAD) return (th_vec2){0.0f, 0.0f};
  return space ? th_chart_vector(th_patch_crowd_map(space->crowd, at), want->dx, want->dy)
               : (th_vec2){want->dx, want->dy};
}

/* s - l to the nearest one ahead that counts; INFINITY: there is none. */
static float gap_of(const th_view_scratch *room, const th_view_columns *columns, uint32_t lane) {
  const th_view *view = &room->view;
  const th_neighbours *near = &view->neighbours;
  const float ex = view->want[lane].dx, ey = view->want[lane].dy;
  float min = INFINITY;
  for (uint32_t k = 0; k < near->pick_count; k++) {
    uint32_t j = near->pick[k * TH_VIEW_LANES + lane];
    if (j == TH_NO_PICK) break;
    float dx = near->x[j] - view->x[lane], dy = near->y[j] - view->y[lane], l = view->radius[lane] + near->radius[j];
    float ahead = dx * ex + dy * ey, beside = dx * ey - dy * ex, s = sqrtf(dx * dx + dy * dy);
    if (!(ahead > 0.0f) || fabsf(beside) >= STRIP * l || s >= TH_ROOM_AHEAD || s - l >= min) continue;
    th_vec2 e = wish_of(room, columns, j);
    bool against = e.x * ex + e.y * ey <= -AGAINST, stays = e.x * e.x + e.y * e.y == 0.0f;
    bool mutual = dx * e.x + dy * e.y < 0.0f && fabsf(dx * e.y - dy * e.x) < STRIP * l;
    if (!against && !stays && !mutual) min = s - l;
  }
  return min;
}

enum { GAP, KEPT };
const th_trace th_people_trace[TH_PEOPLE_TRACES] = {
    [GAP] = {"gap", TH_TRACE_SCALAR, "m", "free distance to whoever counts as ahead; infinite: nobody", 0},
    [KEPT] = {"kept", TH_TRACE_SCALAR, "m/s", "wanted speed that the gap leaves", 0},
};

static void publish(const th_view_scratch *room, uint32_t lane, float gap) {
  th_tracer *tracer = room->trace;
  if (!th_trace_wants(tracer, lane)) return;
  const char *source = tracer->source;
  tracer->source = "people";
  th_trace_scalar(tracer, lane, &th_people_trace[GAP], gap);
  th_trace_scalar(tracer, lane, &th_people_trace[KEPT], room->speed[lane]);
  tracer->source = source;
}

void th_view_keep_gaps(th_view_scratch *room, const th_view_columns *columns) {
  for (uint32_t lane = 0; lane < room->view.lanes; lane++) {
    float gap = columns->time_gap[room->row[lane]];
    if (!(gap > 0.0f) || room->view.want[lane].state != TH_ANSWER_LEAD) continue;
    const float ahead = gap_of(room, columns, lane);
    room->speed[lane] = fminf(room->speed[lane], fmaxf(0.0f, ahead / gap));
    publish(room, lane, ahead);
  }
}
