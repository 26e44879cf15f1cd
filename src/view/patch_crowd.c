/* view/patch_crowd.c - gathers the agents in and around a patch into its chart.
 *
 * Agents are found cluster by cluster, in slot order; one 2x3 map per face takes place and velocity into the chart. A
 * counting sort puts them into squares, wide enough for ten neighbours, so that neighbours are runs of slots in rows of
 * squares, as on flat ground. The order depends on places and slots alone. Cost: about 10 ns per agent found; a patch
 * of 8 m with a reach of 4 m finds four times the number of its own agents.
 */
#include "view/patch_crowd.h"

#include <math.h>
#include <string.h>

#include "ground/mesh/ground.h"
#include "throng/ground.h"

/* Every array of a crowd, and how many elements it has. */
#define CROWD (TH_MAX_PATCH_CROWD + 16)
#define SQUARES (TH_MAX_PATCH_SQUARES + 1)
/* clang-format off */
#define ARRAYS(X) \
  X(slot, CROWD) X(map, CROWD) X(own, CROWD) \
  X(fx, CROWD) X(fy, CROWD) X(fslot, CROWD) X(fmap, CROWD) X(fcluster, CROWD) X(pack, TH_PACK_ROWS) \
  X(order.start, SQUARES) X(order.row, CROWD) X(order.agent, CROWD) X(order.x, CROWD) X(order.y, CROWD) \
  X(order.vx, CROWD) X(order.vy, CROWD) X(order.radius, CROWD) X(order.turned, CROWD) X(order.share, CROWD) X(order.layers, CROWD) \
  X(order.cluster, CROWD) X(order.slot_of, CROWD)
/* clang-format on */

bool th_patch_crowd_make(th_patch_crowd *crowd, const th_allocator *allocator) {
  *crowd = (th_patch_crowd){.allocator = *allocator};
  bool made = true;
#define X(name, count) made &= (crowd->name = th_take(allocator, count, sizeof *crowd->name)) != NULL;
  ARRAYS(X)
#undef X
  if (!made) th_patch_crowd_free(crowd);
  if (!made) return false;
  for (uint32_t i = 0; i < CROWD; i++) crowd->order.row[i] = crowd->order.slot_of[i] = i;
  th_pack_fill(crowd->pack);
  return true;
}

void th_patch_crowd_free(th_patch_crowd *crowd) {
  if (!crowd->allocator.release) return;
#define X(name, count) TH_GIVE(&crowd->allocator, crowd->name, count);
  ARRAYS(X)
#undef X
  *crowd = (th_patch_crowd){0};
}

typedef th_chart_box box;

/* The area that a slanted side, `depth` inside of a corner, cuts off. */
static float cut_off(float depth) { return depth > 0.0f ? depth * depth : 0.0f; }

static float octagon_area(const th_chart_octagon *o) {
  const box *b = &o->box, *s = &o->slant;
  float k = TH_SLANT, whole = (b->x1 - b->x0 + 0.1f) * (b->y1 - b->y0 + 0.1f);
  float rest = whole - cut_off(k * (b->x1 + b->y1) - s->x1) - cut_off(s->x0 - k * (b->x0 + b->y0)) -
               cut_off(k * (b->y1 - b->x0) - s->y1) - cut_off(s->y0 - k * (b->y0 - b->x1));
  return fmaxf(rest, 0.01f); /* rounding may leave nothing of a sliver */
}

/* Squares that hold about ten neighbours in a ring of three, as on flat ground; a little larger, since a group that
 * turns into the next row scans four rows: 1.15 cost the fewest instructions of 1.1 to 1.25. */
static void lay_squares(th_order *o, const th_chart_octagon *around) {
  const box *b = &around->box;
  float width = b->x1 - b->x0, height = b->y1 - b->y0;
  float side = 1.15f * sqrtf(10.0f * octagon_area(around) / (3.14159265f * (float)o->count));
  for (;; side *= 1.25f) {
    float columns = floorf(width / side) + 1.0f, rows = floorf(height / side) + 1.0f;
    if (columns * rows > (float)TH_MAX_PATCH_SQUARES) continue;
    o->grid.columns = (uint32_t)columns;
    o->grid.rows = (uint32_t)rows;
    break;
  }
  o->grid.x0 = b->x0;
  o->grid.y0 = b->y0;
  o->grid.side = side;
  o->grid.inverse = 1.0f / side;
  o->grid.strips = 1;
  o->grid.cluster_count = o->grid.columns * o->grid.rows;
}

static void count_squares(th_patch_crowd *l) {
  const th_order *o = &l->order;
  uint32_t *start = o->start, sum = 0;
  const uint32_t *square = l->fcluster, count = o->count;
  memset(start, 0, sizeof *start * ((size_t)o->grid.cluster_count + 1));
  for (uint32_t k = 0; k < count; k++) start[square[k]]++;
  for (uint32_t c = 0; c <= o->grid.cluster_count; c++) {
    uint32_t n = start[c];
    start[c] = sum;
    sum += n;
  }
}

/* Scatters the found agents into their squares; `start` is used up and set again. Every array has a local name here;
 * through the structs the compiler would reload each pointer that a store might have changed. */
static void scatter(th_patch_crowd *l, const th_patch_crowd_input *in) {
  th_order *o = &l->order;
  const float *fx = l->fx, *fy = l->fy, *radius = in->order->radius;
  const uint32_t *square = l->fcluster, *fslot = l->fslot, *fmap = l->fmap;
  float *x = o->x, *y = o->y, *r = o->radius;
  uint32_t *start = o->start, *cluster = o->cluster, *to = l->slot, *map = l->map, count = o->count;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t at = start[square[i]]++, slot = fslot[i];
    x[at] = fx[i];
    y[at] = fy[i];
    r[at] = radius[slot];
    cluster[at] = square[i];
    to[at] = slot;
    map[at] = fmap[i];
  }
  o->body = in->order->body == in->order->radius ? o->radius : o->turned;
  for (uint32_t at = 0; o->body == o->turned && at < count; at++) o->turned[at] = in->order->body[to[at]];
  memmove(start + 1, start, sizeof *start * o->grid.cluster_count);
  start[0] = 0;
}

void th_patch_crowd_begin(th_patch_crowd *l, const th_patch_crowd_input *in, const th_chart *chart) {
  const uint32_t *first = in->patches->first + chart->patch;
  l->chart = chart;
  l->own_first = in->order->start[first[0]];
  l->own_last = in->order->start[first[1]];
}

/* About k others stand within this distance if the crowd around is as dense as the patch's own. */
float th_patch_crowd_guess(const th_patch_crowd *l, uint32_t k, float max) {
  uint32_t own = l->own_last - l->own_first;
  const box *b = &l->chart->own.box;
  float width = b->x1 - b->x0, height = b->y1 - b->y0;
  if (own < 8) return max;
  float guess = 1.4f * sqrtf((float)(k + 1) * (width + 0.5f) * (height + 0.5f) / (3.14159265f * (float)own));
  return guess < max ? guess : max;
}

void th_patch_crowd_gather(th_patch_crowd *l, const th_patch_crowd_input *in, float reach) {
  const th_chart *chart = l->chart;
  bool held = false;
  for (; !held; reach *= held ? 1.0f : 0.5f) { /* when the crowd is too dense for the memory, the reach shrinks */
    th_chart_octagon around = th_chart_octagon_grown(&chart->own, reach);
    held = TH_LANES_PICK(in->simd, th_patch_crowd_find)(l, in, reach);
    if (held && l->order.count) lay_squares(&l->order, &around);
    if (held || reach < 1e-3f) break;
  }
  l->crowded = !held;
  l->reach = fminf(reach, chart->cover);
  l->order.layered = in->order->layered;
  l->order.radius_max = in->order->radius_max;
  l->own_count = 0;
  if (!l->order.count) return;
  TH_LANES_PICK(in->simd, th_patch_crowd_squares)(l);
  count_squares(l);
  scatter(l, in);
  TH_LANES_PICK(in->simd, th_patch_crowd_list_own)(l);
}

void th_patch_crowd_names(th_patch_crowd *l, const th_patch_crowd_input *in) {
  for (uint32_t n = 0; n < l->own_count; n++) l->order.agent[l->own[n]] = in->order->agent[l->slot[l->own[n]]];
}

void th_patch_crowd_neighbours(th_patch_crowd *l, const th_patch_crowd_input *in) {
  th_order *o = &l->order;
  const float *share = in->order->share;
  const uint32_t *layers = in->order->layers, *slot_of = l->slot, count = o->count;
  float *to_share = o->share;
  uint32_t *to_layers = o->layers;
  for (uint32_t at = 0; at < count; at++) {
    uint32_t slot = slot_of[at];
    to_share[at] = share[slot];
    to_layers[at] = layers[slot];
  }
  th_patch_crowd_names(l, in);
  TH_LANES_PICK(in->simd, th_patch_crowd_velocities)(l, in);
}

/* A unit vector of a face in the chart; the map is near enough to a rotation that no vector vanishes. */
static th_vec2 turned(const th_chart_map *m, float x, float y) {
  th_vec2 v = th_chart_vector(m, x, y);
  float square = v.x * v.x + v.y * v.y, k = square > 0.0f ? 1.0f / sqrtf(square) : 1.0f;
  return (th_vec2){k * v.x, k * v.y};
}

th_vec2 th_patch_crowd_towards(const th_patch_crowd *l, const th_patch_crowd_input *in, uint32_t at, th_vec3 there) {
  uint32_t own = l->slot[at];
  th_place here = {in->cell[own], in->x[own], in->y[own]};
  th_vec3 p = th_ground_point(in->ground, here), d = {there.x - p.x, there.y - p.y, there.z - p.z};
  float distance = sqrtf(d.x * d.x + d.y * d.y + d.z * d.z);
  th_vec2 flat = th_ground_to_cell(in->ground, here, d);
  th_vec2 direction = turned(th_patch_crowd_map(l, at), flat.x, flat.y);
  return (th_vec2){l->order.x[at] + direction.x * distance, l->order.y[at] + direction.y * distance};
}

th_vec2 th_view_place(const th_view *view, uint32_t lane, th_vec3 point) {
  const th_view_space *space = th_view_space_of(view);
  return space ? th_patch_crowd_towards(space->crowd, space->input, view->slot[lane], point)
               : (th_vec2){point.x, point.y};
}

th_vec3 th_view_point(const th_view *view, uint32_t lane, float x, float y) {
  const th_view_space *space = th_view_space_of(view);
  if (!space) return (th_vec3){x, y, 0.0f};
  const th_patch_crowd *l = space->crowd;
  const th_patch_crowd_input *in = space->input;
  uint32_t at = view->slot[lane], own = l->slot[at];
  const th_place here = {in->cell[own], in->x[own], in->y[own]};
  const th_chart_map *m = th_patch_crowd_map(l, at);
  float dx = x - l->order.x[at], dy = y - l->order.y[at], distance = sqrtf(dx * dx + dy * dy);
  th_vec2 flat = th_chart_to_face(m, dx, dy);
  float length = sqrtf(flat.x * flat.x + flat.y * flat.y), k = length > 0.0f ? distance / length : 0.0f;
  th_vec3 p = th_ground_point(in->ground, here),
          d = th_ground_to_space(in->ground, here, (th_vec2){k * flat.x, k * flat.y});
  return (th_vec3){p.x + d.x, p.y + d.y, p.z + d.z};
}

/* A link's place in the chart when the chart holds it, else a point in its direction at its distance in space. */
static th_link_target seen_link(const th_patch_crowd *l, const th_patch_crowd_input *in, uint32_t at,
                                th_link_target link) {
  if (link.kind == TH_LINK_NONE) return link; /* it has left */
  th_vec3 there = link.at;
  if (link.kind == TH_LINK_AGENT) {
    uint32_t slot = in->order->slot_of[link.row];
    if (slot == UINT32_MAX) return (th_link_target){.kind = TH_LINK_NONE, .role = link.role};
    for (uint32_t i = 0; i < l->order.count; i++)
      if (l->slot[i] == slot) return (th_link_target){.kind = TH_LINK_AGENT, .role = link.role, .row = i};
    there = th_ground_point(in->ground, (th_place){in->cell[slot], in->x[slot], in->y[slot]});
  }
  th_vec2 p = th_patch_crowd_towards(l, in, at, there);
  return (th_link_target){.kind = TH_LINK_POINT, .role = link.role, .at = {p.x, p.y, 0.0f}};
}

/* Lists own agents in alternating directions (boustrophedon), so that sixteen in turn stay close together where a row
 * of squares ends. A row of a patch holds about sixteen, so two groups of three continue into the next row. */
static void list_to_and_fro(th_patch_crowd *l) {
  const th_order *o = &l->order;
  uint32_t n = 0;
  bool back = false;
  for (uint32_t row = 0; n < l->own_count; row++) {
    uint32_t first = n, end = o->start[(row + 1) * o->grid.columns];
    while (n < l->own_count && l->own[n] < end) n++;
    for (uint32_t a = first, b = n; back && a + 1 < b; a++) {
      uint32_t other = l->own[--b];
      l->own[b] = l->own[a];
      l->own[a] = other;
    }
    back ^= first < n;
  }
}

void th_patch_crowd_line_up(th_patch_crowd *l, const th_patch_crowd_input *in) {
  list_to_and_fro(l);
  l->source = (th_view_source){.ground = in->ground,
                               .order = &l->order,
                               .columns = in->columns,
                               .chart = l->chart,
                               .cover = l->reach,
                               .simd = in->simd};
}

static void find_targets(th_patch_crowd *l, const th_patch_crowd_input *in, th_view_scratch *scratch) {
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) {
    uint32_t row = scratch->row[lane], count = in->columns.link_count[row];
    scratch->target[lane] = &l->link[lane];
    scratch->target_count[lane] = count;
    for (uint32_t k = 0; k < count; k++)
      l->link[lane].target[k] = seen_link(l, in, scratch->slot[lane], in->columns.link[row].target[k]);
  }
}

void th_patch_crowd_fill(th_patch_crowd *l, const th_patch_crowd_input *in, th_view_scratch *scratch,
                         const uint32_t *slot, uint32_t lanes, const th_view_need *need) {
  float terrain[TH_VIEW_LANES];
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) {
    uint32_t at = slot[lane < lanes ? lane : lanes - 1], from = l->slot[at];
    scratch->slot[lane] = at;
    scratch->row[lane] = in->order->row[from];
    scratch->want[lane] = in->columns.want[from];
    if (in->speed_of) terrain[lane] = in->speed_of[in->cell[from]];
    if (in->climbing)
      terrain[lane] *= th_mesh_climb(in->climbing, in->cell[from], scratch->want[lane].dx, scratch->want[lane].dy);
  }
  th_view_fill_own(scratch, &l->source, lanes, need->see | (in->speed_of ? TH_SEE_BODY : 0u));
  scratch->view.want = scratch->want;
  scratch->view.neighbours.wish = in->columns.want;
  TH_LANES_PICK(in->simd, th_patch_crowd_turn)(l, scratch);
  th_view_slow_down(scratch, &in->columns, in->speed_of ? terrain : NULL);
  if (need->see & TH_SEE_LINKS) find_targets(l, in, scratch);
  l->space = (th_view_space){l, in};
  scratch->space = &l->space;
  th_view_fill_around(scratch, &l->source, need);
}

static void add_candidate(th_view_scratch *scratch, const th_order *o, uint32_t from, uint32_t to) {
  scratch->nx[to] = o->x[from];
  scratch->ny[to] = o->y[from];
  scratch->nvx[to] = o->vx[from];
  scratch->nvy[to] = o->vy[from];
  scratch->nradius[to] = o->body[from];
  scratch->nshare[to] = o->share[from];
  scratch->nlayers[to] = o->layers[from];
  scratch->nslot[to] = from;
}

uint32_t th_patch_crowd_fill_patch(th_patch_crowd *l, th_view_scratch *scratch, const th_view_need *need,
                                   th_simd simd) {
  th_view_begin(&scratch->view, 0);
  scratch->view.patch = l->chart->patch;
  uint32_t count = 0, own = 0;
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t at = 0; at < l->order.count && count < TH_MAX_CANDIDATES; at++)
      if (th_patch_crowd_owns(l, at) == (pass == 0)) add_candidate(scratch, &l->order, at, count++);
    if (!pass) own = count;
  }
  TH_LANES_PICK(simd, th_candidates_pad)(scratch, count);
  scratch->view.neighbours.count = count;
  scratch->view.neighbours.cover = fminf(need->reach, l->reach);
  if (need->see & TH_SEE_CLEARANCE) scratch->view.clearance = l->chart->clearance;
  return own;
}
