/* people/room_ahead.c - people look for room ahead of them, and walk as fast as it allows.
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
 * keep a distance to the side. Under pressure (pressure.c) people give up this distance, and the strip shrinks to
 * `strip_pressed` of both bodies for those who are followed; and they follow closer, at `hurry` of their time gap. One
 * gap cannot fit both: free walkers keep about 1 s (Seyfried 2005), but the flow through a door needs two thirds of it.
 * Whoever will be gone when this person gets to its place is not followed: people who come, cross, or want to stay and
 * are walked round.
 *
 * Direction. Fields lead everyone along the same lines: to the corners of an opening, or into the middle of a coarse
 * raster's doorway, and behind whoever is slow. So people compare five directions, the wanted one and two on either
 * side, by how fast they would get on: the cosine with the wanted direction times the speed that the nearest agent in
 * this direction allows, whoever it is. A direction that leads to a wall does not count; the present heading gets a
 * small bonus, and every direction but the wanted one a small penalty, so that nobody dithers (in the manner of
 * Moussaid, Helbing and Theraulaz 2011). As a result crowds use the whole width of an opening, people overtake, and in
 * opposed streams they follow those who go in their own direction.
 *
 * People who are held up by somebody so close that it stands in all five directions step round it (step_round.c);
 * people who have nobody close keep off walls, and nobody rubs along them (berth.c).
 *
 * The comparison works on sixteen people at once (room_ahead.lanes.c); only those who leave the wanted direction feel
 * for walls. Cost: about 20 ns per agent at one person per square metre.
 */
#include "people/room_ahead.h"

#include <math.h>

#include "base/platform/compiler.h"
#include "geometry/vector.h"
#include "people/berth.h"
#include "people/stand_off.h"
#include "people/step_aside.h"
#include "view/trace.h"

const float th_room_turn_c[TH_ROOM_DIRECTIONS] = {1.0f, 0.96891242f, 0.96891242f, 0.87758256f, 0.87758256f};
const float th_room_turn_s[TH_ROOM_DIRECTIONS] = {0.0f, -0.24740396f, 0.24740396f, -0.47942554f, 0.47942554f};

static th_vec2 direction_of(const th_room_lanes *r, uint32_t lane, int k) {
  const float c = th_room_turn_c[k], s = th_room_turn_s[k];
  return (th_vec2){c * r->ex[lane] - s * r->ey[lane], s * r->ex[lane] + c * r->ey[lane]};
}

/* Clearances are samples of a distance between which it is interpolated: over a distance they change by no more than it
 * and one and a half cells. So where there is much room, one look is enough. */
bool th_room_leads_to_wall(const th_room_lanes *lanes, uint32_t lane, th_vec2 u) {
  const th_view *view = lanes->view;
  const float x = view->x[lane], y = view->y[lane], r = view->radius[lane], feel = TH_ROOM_FEEL * r;
  if (lanes->open >> lane & 1u) return false;
  if (th_view_clearance(view, x, y) > r + 2.0f * feel + 1.5f * view->clearance.cell) return false;
  return th_view_clearance(view, x + feel * u.x, y + feel * u.y) < r ||
         th_view_clearance(view, x + 2.0f * feel * u.x, y + 2.0f * feel * u.y) < r;
}

/* Walls are tested only in the direction that would be taken: most people take the wanted one, which needs no test. */
static int choose(const th_room_lanes *r, uint32_t lane) {
  uint32_t shut = 0;
  int best = r->best[lane];
  while (best && th_room_leads_to_wall(r, lane, direction_of(r, lane, best))) {
    shut |= 1u << best;
    best = 0;
    for (int k = 1; k < TH_ROOM_DIRECTIONS; k++)
      if (!(shut >> k & 1u) && r->worth[k][lane] > r->worth[best][lane]) best = k;
  }
  return best;
}

enum { GAP, KEPT, DIRECTION };
static const th_trace traces[] = {
    [GAP] = {"gap", TH_TRACE_SCALAR, "m", "free distance to whoever is followed; infinite: nobody", 0},
    [KEPT] = {"kept", TH_TRACE_SCALAR, "m/s", "wanted speed that the gap leaves", 0},
    [DIRECTION] = {"direction", TH_TRACE_VECTOR, "m/s", "direction with the most room", 0},
};

const th_trace *th_people_trace_table(uint32_t *count) {
  *count = sizeof traces / sizeof *traces;
  return traces;
}

static void publish(const th_view_scratch *scratch, uint32_t lane, float follow) {
  th_tracer *tracer = scratch->trace;
  if (!th_trace_wants(tracer, lane)) return;
  const char *source = tracer->source;
  const th_vec2 direction = {scratch->view.want[lane].dx, scratch->view.want[lane].dy};
  tracer->source = "people";
  th_trace_scalar(tracer, lane, &traces[GAP], follow);
  th_trace_scalar(tracer, lane, &traces[KEPT], scratch->speed[lane]);
  th_trace_vector(tracer, lane, &traces[DIRECTION], direction, scratch->speed[lane]);
  tracer->source = source;
}

/* Wanted directions are changed in a copy. It is made one by one: gcc copies all at once by a string instruction, which
 * is slow. */
void th_room_own_wants(th_view_scratch *scratch) {
  const th_guide_answer *from = scratch->view.want;
  for (uint32_t lane = 0; from != scratch->want && lane < TH_VIEW_LANES; lane++) scratch->want[lane] = from[lane];
  scratch->view.want = scratch->want;
}

/* ---------------------------------------------------------------- who is followed */

/* True when a neighbour at x will still be ahead when this person has walked to its place and a little on: x changes
 * by what both walk along their wishes, this person along `own` and the other along e. */
static bool stays_ahead(const th_people_params *people, th_vec2 own, th_vec2 x, float l, th_vec2 e) {
  const float d = th_dot2(x, own) + people->beyond;
  const th_vec2 then = {x.x + d * (e.x - own.x), x.y + d * (e.y - own.y)};
  const bool ahead = th_dot2(then, own) > 0.0f, inside = fabsf(th_cross2(own, then)) < people->strip * l;
  return ahead & inside;
}

/* The bodies in front of each lane, in the direction that it takes. */
static void face(const th_room_lanes *r, th_room_pairs front) {
  uint32_t takes[TH_ROOM_DIRECTIONS] = {0};
  for (uint32_t left = r->turning; left; left &= left - 1) takes[r->best[th_lowest_bit(left)]] |= left & (0u - left);
  takes[0] = ~r->turning & 0xffffu;
  for (uint32_t i = 0; i < r->words; i++) {
    front[i] = 0;
    for (int k = 0; k < TH_ROOM_DIRECTIONS; k++) front[i] |= r->front[k][i] & (takes[k] * UINT64_C(0x0001000100010001));
  }
}

/* Free distance to the nearest that is followed, by lane, at the end of the step. Returns the lanes that have somebody
 * in front. */
static uint32_t find_followed(const th_room_lanes *r, float follow[TH_VIEW_LANES]) {
  const th_view *view = r->view;
  const uint32_t *pick = view->neighbours.pick;
  uint64_t some = 0;
  th_room_pairs front;
  face(r, front);
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) follow[lane] = INFINITY;
  for (uint32_t i = 0; i < r->words; some |= front[i++])
    for (uint64_t left = front[i]; left; left &= left - 1) {
      const uint32_t pair = 64 * i + th_lowest_bit64(left), lane = pair % TH_VIEW_LANES;
      const th_lane_bodies *other = &r->bodies->kept[pair / TH_VIEW_LANES];
      const th_vec2 own = {r->ex[lane], r->ey[lane]};
      const th_vec2 leaves = {other->vx[lane] - view->vx[lane], other->vy[lane] - view->vy[lane]};
      const float free = r->free[pair / TH_VIEW_LANES][lane] + r->dt * th_dot2(leaves, own);
      if (free >= follow[lane]) continue; /* mostly so from the second one on */
      const th_vec2 x = {other->x[lane] - view->x[lane], other->y[lane] - view->y[lane]};
      const float l = view->radius[lane] + other->radius[lane];
      follow[lane] = stays_ahead(view->people[lane], own, x, l, th_wish_of(view, pick[pair])) ? free : follow[lane];
    }
  return (uint32_t)((some | some >> 16 | some >> 32 | some >> 48) & 0xffff);
}

/* The speed that the person ahead allows; a person that is held up by it may step round. */
static void slow_down(th_view_scratch *scratch, const th_room_lanes *r, uint32_t lane, float follow) {
  const float gap = follow / scratch->time_gap[lane], most = gap > 0.0f ? gap : 0.0f;
  if (!(most < scratch->speed[lane])) return;
  const bool held = scratch->pressure[lane] == 1.0f && most < r->of.hindered[lane] * scratch->speed[lane];
  if (held && (r->looks >> lane & 1u) && th_room_step_round(scratch, r, lane)) return;
  scratch->speed[lane] = most;
}

/* ---------------------------------------------------------------- all of it */

/* The lane takes direction k, for the best one leads to a wall. */
static void take(th_room_lanes *r, uint32_t lane, int k) {
  const th_vec2 direction = direction_of(r, lane, k);
  if (!k) r->turning &= ~(1u << lane);
  r->best[lane] = k;
  r->ux[lane] = direction.x;
  r->uy[lane] = direction.y;
}

/* People take the best direction that leads to no wall; that may be the wanted one. */
static void turn_all(th_view_scratch *scratch, th_room_lanes *r) {
  for (uint32_t left = r->turning & ~r->open; left; left &= left - 1) {
    const uint32_t lane = th_lowest_bit(left);
    take(r, lane, choose(r, lane));
  }
  th_room_own_wants(scratch);
  for (uint32_t left = r->turning; left; left &= left - 1) {
    const uint32_t lane = th_lowest_bit(left);
    scratch->want[lane].dx = r->ux[lane];
    scratch->want[lane].dy = r->uy[lane];
  }
}

/* Bodies above the ground come last; they may be wider than those on it. */
static float widest_of(const th_view *view, float widest) {
  const th_neighbours *near = &view->neighbours;
  const th_view_space *space = th_view_space_of(view);
  for (uint32_t j = near->count; space && j > 0 && near->slot[j - 1] >= space->crowd->order.count; j--)
    widest = fmaxf(widest, near->radius[j - 1]);
  return widest;
}

/* What nobody close can change: with u at an angle a from the wanted direction e, the heading is worth at most
 * keep |u - e| = keep 2 sin(a / 2) more there, and u loses 1 - cos a of the speed. */
static float ease_of(const th_people_params *p) {
  const float near = (0.2494f * p->keep_heading - p->leave_wanted) / 0.03108f;
  const float wide = (0.4949f * p->keep_heading - p->leave_wanted) / 0.12241f;
  return 1.01f * (near > wide ? near : wide);
}

static void set_params(th_room_params *of, uint32_t begin, uint32_t end, const th_people_params *people) {
  const th_people_params p = *people;
  const float ease = ease_of(&p);
  for (uint32_t lane = begin; lane < end; lane++) {
    of->strip[lane] = p.strip;
    of->strip_pressed[lane] = p.strip_pressed;
    of->hurry[lane] = p.hurry;
    of->keep[lane] = p.keep_heading;
    of->leave[lane] = p.leave_wanted;
    of->at_ease[lane] = ease;
    of->hindered[lane] = p.hindered;
    of->patience[lane] = p.patience;
    of->touching[lane] = TH_BERTH_TOUCHING * p.wall_berth;
  }
}

/* The numbers of each lane; mostly all share one set. */
static void read_params(const th_view_scratch *scratch, th_room_lanes *r) {
  static const th_people_params bare = {.hurry = 1.0f, .patience = INFINITY};
  const th_people_params *const *people = scratch->view.people;
  r->people = 0;
  for (uint32_t begin = 0, end; begin < TH_VIEW_LANES; begin = end) {
    for (end = begin + 1; end < TH_VIEW_LANES && people[end] == people[begin];) end++;
    if (people[begin]) r->people |= (1u << end) - (1u << begin);
    set_params(&r->of, begin, end, people[begin] ? people[begin] : &bare);
  }
}

/* They follow closer under pressure, and keep less distance beside them. */
static void press(th_view_scratch *scratch, th_room_lanes *r) {
  const th_room_params *of = &r->of;
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) {
    const float pressure = scratch->pressure[lane];
    r->followed[lane] = of->strip_pressed[lane] + (of->strip[lane] - of->strip_pressed[lane]) * (1.0f - pressure);
    scratch->time_gap[lane] *= 1.0f - (1.0f - of->hurry[lane]) * pressure;
  }
}

/* Four independent chains of each: no operation waits for all before it. */
static void extend(const float value[TH_VIEW_LANES], float *low, float *high) {
  float l[4], h[4];
  for (uint32_t k = 0; k < 4; k++) l[k] = h[k] = value[k];
  for (uint32_t lane = 4; lane < TH_VIEW_LANES; lane += 4)
    for (uint32_t k = 0; k < 4; k++) {
      l[k] = value[lane + k] < l[k] ? value[lane + k] : l[k];
      h[k] = value[lane + k] > h[k] ? value[lane + k] : h[k];
    }
  *low = th_min(th_min(l[0], l[1]), th_min(l[2], l[3]));
  *high = th_max(th_max(h[0], h[1]), th_max(h[2], h[3]));
}

/* On flat ground clearances change as th_room_leads_to_wall says: that of the middle bounds all of them, and mostly the
 * model has found no wall around. A chart may end somewhere, and has none there. */
static float room_between(const th_view_scratch *scratch, const th_view_source *source) {
  const th_view *view = &scratch->view;
  const float slack = 1.5f * view->clearance.cell;
  if (source->chart) return -INFINITY;
  if (view->wall_count == 0 && scratch->wall_reach > 0.0f)
    return th_min(scratch->wall_reach, source->ground->clearance_limit) - slack;
  float x0, x1, y0, y1;
  extend(view->x, &x0, &x1);
  extend(view->y, &y0, &y1);
  const th_vec2 half = {0.501f * (x1 - x0), 0.501f * (y1 - y0)};
  return th_view_clearance(view, 0.5f * (x0 + x1), 0.5f * (y0 + y1)) - th_length2(half) - slack;
}

/* People that are not led may have to step aside. */
static void make_way(th_view_scratch *scratch, const th_view_source *source, uint32_t people) {
  uint32_t standing = 0;
  for (uint32_t lane = 0; lane < scratch->view.lanes; lane++)
    standing |= (uint32_t)(scratch->view.want[lane].state != TH_ANSWER_LEAD) << lane;
  if (!(standing & people)) return;
  th_room_own_wants(scratch);
  for (uint32_t left = standing & people; left; left &= left - 1)
    (void)th_people_step_aside(scratch, source, th_lowest_bit(left));
}

/* Before they look: who stands makes way, who is stuck loses patience, who is pressed turns off walls. */
static void want_otherwise(th_view_scratch *scratch, const th_room_lanes *r, const th_view_source *source) {
  int stuck = 0, beside = 0;
  make_way(scratch, source, r->people);
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) {
    stuck |= scratch->held[lane] > r->of.patience[lane];
    beside |= (scratch->pressure[lane] > 0.0f) & (r->room <= r->of.touching[lane] + scratch->view.radius[lane]);
  }
  if (!stuck && !beside) return;
  for (uint32_t left = r->people; left; left &= left - 1) {
    const uint32_t lane = th_lowest_bit(left);
    if (scratch->held[lane] > r->of.patience[lane]) (void)th_people_stand_off(scratch, source, lane);
    th_people_berth_touching(scratch, r, lane);
  }
}

void th_room_look_ahead(th_view_scratch *scratch, const th_view_source *source) {
  th_room_lanes r;
  r.view = &scratch->view;
  r.bodies = scratch->bodies;
  r.dt = source->dt;
  read_params(scratch, &r);
  if (!r.people) return;
  r.widest = widest_of(&scratch->view, source->order->radius_max);
  r.room = room_between(scratch, source);
  press(scratch, &r);
  want_otherwise(scratch, &r, source);
  TH_LANES_PICK(source->simd, th_room_compare)(&r);
  if (r.turning) turn_all(scratch, &r);
  for (uint32_t left = r.alone & ~r.turning; left; left &= left - 1) th_people_berth(scratch, &r, th_lowest_bit(left));
  float follow[TH_VIEW_LANES];
  for (uint32_t left = find_followed(&r, follow); left; left &= left - 1)
    slow_down(scratch, &r, th_lowest_bit(left), follow[th_lowest_bit(left)]);
  for (uint32_t lane = 0; scratch->trace && lane < TH_VIEW_LANES; lane++)
    if (r.looks >> lane & 1u) publish(scratch, lane, follow[lane]);
}
