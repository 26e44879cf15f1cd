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
 * Cost: about 10 ns per agent in the open, 100 ns in a crowd.
 */
#include <math.h>
#include <string.h>

#include "view/patch_crowd.h"
#include "view/trace.h"

#define AGAINST                                                                                                       \
  0.3f                /* cosine of the angle between a wish and the opposite of another, from which it counts as such \
                       */
#define APART 1.2f    /* half width of the strip where nobody presses, of the sum l */
#define PRESSED 0.5f  /* the same under pressure: of those who are followed */
#define PASSABLE 1.0f /* the same under pressure: of those who are to be passed */
#define KEEP 0.3f     /* [m/s]: worth of the heading that one has */
#define LEAVE 0.1f    /* [m/s]: cost of another direction than the wanted one */
#define FEEL 0.4f     /* [m]: walls are felt at this distance and at twice of it */
#define BERTH 0.05f   /* [m]: that a way beside the wanted one leaves to walls */

#define AT_EASE                                                                             \
  0.4f /* [m/s]: who wants to be this fast and has nobody close takes the wanted direction: \
          KEEP |u - e| - LEAVE is less than (1 - c) of it for every way u */

enum { WAYS = 5 };
/* Cosine and sine of 0, -0.25, 0.25, -0.5 and 0.5 rad: of two that are as good, the right one. */
static const float turn_c[WAYS] = {1.0f, 0.96891242f, 0.96891242f, 0.87758256f, 0.87758256f};
static const float turn_s[WAYS] = {0.0f, -0.24740396f, 0.24740396f, -0.47942554f, 0.47942554f};

/* One direction of an agent: free metres to those that it follows, and to anybody. */
typedef struct way {
  float x, y, follow, any;
} way;

typedef struct walker {
  const th_view_scratch *room;
  const th_view_columns *columns;
  uint32_t lane;
  float ex, ey, follow, pass; /* wanted direction; half widths of the strips, of l */
  way way[WAYS];
} walker;

/* The direction in which a candidate wants to go, in the chart; 0, 0 when it wants to stay. */
static th_vec2 wish_of(const walker *w, uint32_t candidate) {
  const th_view_space *space = w->room->view.space;
  uint32_t at = w->room->view.neighbours.slot[candidate];
  if (space && at >= space->crowd->order.count) return (th_vec2){0.0f, 0.0f}; /* a body above the ground */
  const th_guide_answer *want = &w->columns->want[space ? space->crowd->slot[at] : at];
  if (want->state != TH_ANSWER_LEAD) return (th_vec2){0.0f, 0.0f};
  return space ? th_chart_vector(th_patch_crowd_map(space->crowd, at), want->dx, want->dy)
               : (th_vec2){want->dx, want->dy};
}

/* How far an agent has turned its shoulders, 0 to 1. */
static float pressure_of(const walker *w) {
  const th_view *view = &w->room->view;
  float least = w->columns->shoulders[w->room->row[w->lane]];
  if (!(least < 1.0f)) return 0.0f;
  return (1.0f - view->body[w->lane] / view->radius[w->lane]) / (1.0f - least);
}

static walker walker_of(const th_view_scratch *room, const th_view_columns *columns, uint32_t lane) {
  walker w = {
      .room = room, .columns = columns, .lane = lane, .ex = room->view.want[lane].dx, .ey = room->view.want[lane].dy};
  float free = 1.0f - pressure_of(&w);
  w.follow = PRESSED + (APART - PRESSED) * free;
  w.pass = PASSABLE + (APART - PASSABLE) * free;
  for (int k = 0; k < WAYS; k++)
    w.way[k] = (way){turn_c[k] * w.ex - turn_s[k] * w.ey, turn_s[k] * w.ex + turn_c[k] * w.ey, INFINITY, INFINITY};
  return w;
}

/* One of the nearest shortens the ways that it stands in. */
static void meet(walker *w, uint32_t j) {
  const th_view *view = &w->room->view;
  const th_neighbours *near = &view->neighbours;
  float dx = near->x[j] - view->x[w->lane], dy = near->y[j] - view->y[w->lane], s = sqrtf(dx * dx + dy * dy);
  float l = view->radius[w->lane] + near->radius[j];
  if (s >= TH_ROOM_AHEAD) return;
  th_vec2 e = wish_of(w, j);
  bool against = e.x * w->ex + e.y * w->ey <= -AGAINST, stays = e.x * e.x + e.y * e.y == 0.0f;
  bool mutual = dx * e.x + dy * e.y < 0.0f && fabsf(dx * e.y - dy * e.x) < APART * l;
  bool followed = !against && !stays && !mutual;
  for (int k = 0; k < WAYS; k++) {
    way *u = &w->way[k];
    float beside = fabsf(dx * u->y - dy * u->x);
    if (!(dx * u->x + dy * u->y > 0.0f)) continue;
    if (beside < w->pass * l) u->any = fminf(u->any, s - l);
    if (followed && beside < w->follow * l) u->follow = fminf(u->follow, s - l);
  }
}

static bool leads_to_wall(const walker *w, const way *u) {
  const th_view *view = &w->room->view;
  const float x = view->x[w->lane], y = view->y[w->lane], r = view->radius[w->lane] + BERTH;
  return th_view_clearance(view, x + FEEL * u->x, y + FEEL * u->y) < r ||
         th_view_clearance(view, x + 2.0f * FEEL * u->x, y + 2.0f * FEEL * u->y) < r;
}

static const way *best_way(const walker *w, float speed, float gap) {
  const th_view *view = &w->room->view;
  const way *best = &w->way[0];
  float most = -INFINITY;
  for (int k = 0; k < WAYS; k++) {
    const way *u = &w->way[k];
    float worth = turn_c[k] * fminf(speed, fmaxf(0.0f, u->any / gap));
    worth += KEEP * (u->x * view->hx[w->lane] + u->y * view->hy[w->lane]) - (k ? LEAVE : 0.0f);
    if (!(worth > most) || (k && leads_to_wall(w, u))) continue;
    most = worth;
    best = u;
  }
  return best;
}

enum { GAP, KEPT, WAY };
const th_trace th_people_trace[TH_PEOPLE_TRACES] = {
    [GAP] = {"gap", TH_TRACE_SCALAR, "m", "free distance to whoever is followed; infinite: nobody", 0},
    [KEPT] = {"kept", TH_TRACE_SCALAR, "m/s", "wanted speed that the gap leaves", 0},
    [WAY] = {"way", TH_TRACE_VECTOR, "m/s", "direction with the most room", 0},
};

static void publish(const th_view_scratch *room, uint32_t lane, const way *chosen) {
  th_tracer *tracer = room->trace;
  if (!th_trace_wants(tracer, lane)) return;
  const char *source = tracer->source;
  tracer->source = "people";
  th_trace_scalar(tracer, lane, &th_people_trace[GAP], chosen->follow);
  th_trace_scalar(tracer, lane, &th_people_trace[KEPT], room->speed[lane]);
  th_trace_vector(tracer, lane, &th_people_trace[WAY], (th_vec2){chosen->x, chosen->y}, room->speed[lane]);
  tracer->source = source;
}

/* Who is so far away that it slows nobody down changes nothing. Finds those who do, at most TH_MAX_NEAREST. */
static uint32_t find_close(const th_view_scratch *room, uint32_t lane, float free, uint32_t *close) {
  const th_view *view = &room->view;
  const th_neighbours *near = &view->neighbours;
  const float x = view->x[lane], y = view->y[lane], r = view->radius[lane] + free;
  uint32_t count = 0;
  for (uint32_t k = 0; k < near->pick_count; k++) {
    uint32_t j = near->pick[k * TH_VIEW_LANES + lane];
    if (j == TH_NO_PICK) break;
    float dx = near->x[j] - x, dy = near->y[j] - y, far = r + near->radius[j];
    close[count] = j;
    count += dx * dx + dy * dy < far * far;
  }
  return count;
}

static void look_ahead(th_view_scratch *room, const th_view_columns *columns, uint32_t lane, float gap) {
  uint32_t close[TH_MAX_NEAREST], count = find_close(room, lane, room->speed[lane] * gap, close);
  if (!count && room->speed[lane] >= AT_EASE) return;
  walker w = walker_of(room, columns, lane);
  for (uint32_t k = 0; k < count; k++) meet(&w, close[k]);
  const way *chosen = best_way(&w, room->speed[lane], gap);
  room->want[lane].dx = chosen->x;
  room->want[lane].dy = chosen->y;
  room->speed[lane] = fminf(room->speed[lane], fmaxf(0.0f, chosen->follow / gap));
  publish(room, lane, chosen);
}

void th_view_look_ahead(th_view_scratch *room, const th_view_columns *columns) {
  if (room->view.want != room->want) memcpy(room->want, room->view.want, sizeof room->want);
  room->view.want = room->want;
  for (uint32_t lane = 0; lane < room->view.lanes; lane++) {
    float gap = columns->time_gap[room->row[lane]];
    if (gap > 0.0f && room->view.want[lane].state == TH_ANSWER_LEAD) look_ahead(room, columns, lane, gap);
  }
}
