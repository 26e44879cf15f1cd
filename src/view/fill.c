/* view/fill.c - fills a view with what its model asks for.
 *
 * All lanes share one list of candidates. For the K nearest we scan the clusters around the lanes, then widen the
 * rectangle ring by ring until every lane's K-th distance lies inside what was scanned: a lane is done when nobody
 * outside can be nearer. Cost on a crowd of one person a square metre, K = 10: about 60 ns an agent with AVX2.
 */
#include <math.h>
#include <string.h>

#include "ground/walk.h"
#include "view.h"

static void point_at_room(th_view_room *room) {
  room->view = (th_view){
      .slot = room->slot,
      .hx = room->hx,
      .hy = room->hy,
      .speed = room->speed,
      .speed_max = room->speed_max,
      .sees = room->sees,
      .frame = room->frame,
      .near = {.x = room->nx,
               .y = room->ny,
               .vx = room->nvx,
               .vy = room->nvy,
               .radius = room->nradius,
               .share = room->nshare,
               .slot = room->nslot,
               .layers = room->nlayers,
               .pick = room->pick},
      .wall = room->wall,
      .link = room->link,
  };
}

bool th_view_room_make(th_view_room *room, const th_allocator *allocator) {
  memset(room, 0, sizeof *room);
  size_t size = TH_MOST_CANDIDATES + 32;
  float **floats[] = {&room->nx, &room->ny, &room->nvx, &room->nvy, &room->nradius, &room->nshare};
  bool made = true;
  for (size_t i = 0; i < 6; i++) made &= (*floats[i] = TH_TAKE(allocator, float, size)) != NULL;
  made &= (room->nslot = TH_TAKE(allocator, uint32_t, size)) != NULL;
  made &= (room->nlayers = TH_TAKE(allocator, uint32_t, size)) != NULL;
  if (!made)
    th_view_room_free(room, allocator);
  else
    point_at_room(room);
  return made;
}

void th_view_room_free(th_view_room *room, const th_allocator *allocator) {
  size_t size = TH_MOST_CANDIDATES + 32;
  float *floats[] = {room->nx, room->ny, room->nvx, room->nvy, room->nradius, room->nshare};
  for (size_t i = 0; i < 6; i++) TH_GIVE(allocator, floats[i], size);
  TH_GIVE(allocator, room->nslot, size);
  TH_GIVE(allocator, room->nlayers, size);
  memset(room, 0, sizeof *room);
}

void th_view_begin(th_view *view, uint32_t lanes) {
  view->lanes = lanes;
  view->near.count = view->near.pick_count = 0;
  view->near.cover = 0.0f;
  view->wall_count = view->link_count = 0;
  view->clearance = (th_raster){0};
}

/* Sixteen slots in a row lie in the order as a view needs them. */
static void point_at_order(th_view *view, const th_view_source *source, uint32_t first) {
  const th_order *order = source->order;
  view->agent = order->agent + first;
  view->x = order->x + first;
  view->y = order->y + first;
  view->vx = order->vx + first;
  view->vy = order->vy + first;
  view->radius = order->radius + first;
  view->layers = order->layers + first;
  view->want = source->columns.want + first;
}

static void point_at_copies(th_view *view, const th_view_room *room) {
  view->agent = room->agent;
  view->x = room->x;
  view->y = room->y;
  view->vx = room->vx;
  view->vy = room->vy;
  view->radius = room->radius;
  view->layers = room->layers;
  view->want = room->want;
}

/* Returns true when the order's own columns serve. */
static bool fill_own(th_view_room *room, const th_view_source *source, const uint32_t *slot, uint32_t lanes) {
  const th_order *order = source->order;
  const float *speed = source->columns.speed;
  bool run = lanes == TH_VIEW_LANES && slot[lanes - 1] - slot[0] == lanes - 1;
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) {
    uint32_t s = slot[lane < lanes ? lane : lanes - 1];
    room->slot[lane] = s;
    room->speed[lane] = speed[order->row[s]];
  }
  if (run) {
    point_at_order(&room->view, source, slot[0]);
    return true;
  }
  point_at_copies(&room->view, room);
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) {
    uint32_t s = room->slot[lane];
    room->agent[lane] = order->agent[s];
    room->x[lane] = order->x[s];
    room->y[lane] = order->y[s];
    room->want[lane] = source->columns.want[s];
  }
  return false;
}

static void copy_body(th_view_room *room, const th_order *order) {
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) {
    uint32_t s = room->slot[lane];
    room->vx[lane] = order->vx[s];
    room->vy[lane] = order->vy[s];
    room->radius[lane] = order->radius[s];
    room->layers[lane] = order->layers[s];
  }
}

static void fill_body(th_view_room *room, const th_view_source *source) {
  const th_view_columns *columns = &source->columns;
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) {
    uint32_t row = source->order->row[room->slot[lane]];
    room->hx[lane] = columns->hx[row];
    room->hy[lane] = columns->hy[row];
    room->speed_max[lane] = columns->speed_max[row];
    room->frame[lane] = columns->frame[row];
    room->sees[lane] = columns->sees[row];
  }
}

/* What was scanned around four lanes [m]; the ground's own border hides nobody. With one ring each four lanes scan
 * their own columns and the next ones; with more they scan everything that was copied. */
typedef struct extent {
  float x0, y0, x1, y1;
} extent;

static extent extent_of(const th_order *order, const th_rectangle *box, uint32_t rings) {
  extent e = {-1e30f, -1e30f, 1e30f, 1e30f};
  float side = order->side;
  if (box->column0 > rings) e.x0 = order->x0 + (float)(box->column0 - rings) * side;
  if (box->column1 + rings + 1 < order->columns) e.x1 = order->x0 + (float)(box->column1 + rings + 1) * side;
  if (box->row > rings) e.y0 = order->y0 + (float)(box->row - rings) * side;
  if (box->row1 + rings + 1 < order->rows) e.y1 = order->y0 + (float)(box->row1 + rings + 1) * side;
  return e;
}

/* The columns of four lanes: slots, and so columns, ascend within a view. */
static th_rectangle quarter_of(const th_view_room *room, const th_order *order, const th_rectangle *box, uint32_t q) {
  uint32_t base = box->row * order->columns;
  uint32_t first = order->cluster[order->row[room->slot[4 * q]]],
           last = order->cluster[order->row[room->slot[4 * q + 3]]];
  return (th_rectangle){first - base, last - base, box->row, box->row};
}

static float smaller(float a, float b) { return a < b ? a : b; }
static float larger(float a, float b) { return a > b ? a : b; }

/* Distance from each lane to the border of what was scanned for it. The cluster of a place on a border is a matter of
 * rounding, hence the last digits. */
static void cover_lanes(const th_view_room *room, const th_order *order, const th_rectangle *box, uint32_t rings,
                        float cover[TH_VIEW_LANES]) {
  for (uint32_t q = 0; q < 4; q++) {
    th_rectangle own = room->quarters ? quarter_of(room, order, box, q) : *box;
    extent e = extent_of(order, &own, rings);
    for (uint32_t lane = 4 * q; lane < 4 * q + 4; lane++) {
      float x = smaller(room->view.x[lane] - e.x0, e.x1 - room->view.x[lane]);
      float y = smaller(room->view.y[lane] - e.y0, e.y1 - room->view.y[lane]);
      cover[lane] = smaller(x, y) * 0.9999f;
    }
  }
}

/* The runs of candidates in the own row and in the rows below and above it. */
static void choose_runs(const th_view_room *room, const th_order *order, const th_rectangle *box, th_nearest *s) {
  for (uint32_t q = 0; q < 4; q++) {
    memcpy(s->first[q], room->run_first, sizeof s->first[q]);
    memcpy(s->last[q], room->run_last, sizeof s->last[q]);
    if (!room->quarters) continue;
    th_rectangle own = quarter_of(room, order, box, q);
    uint32_t column0 = own.column0 ? own.column0 - 1 : 0;
    uint32_t column1 = own.column1 + 1 < order->columns ? own.column1 + 1 : order->columns - 1;
    for (uint32_t run = 0; run < 3; run++) {
      uint32_t row = run == 0 ? box->row : run == 1 ? box->row - 1 : box->row + 1;
      if (room->run_first[run] == room->run_last[run]) continue;
      const uint32_t *start = order->start + (size_t)row * order->columns;
      uint32_t base = room->run_first[run] - start[room->column0];
      s->first[q][run] = base + start[column0];
      s->last[q][run] = base + start[column1 + 1];
    }
  }
}

static void search(th_view_room *room, const th_view_source *source, const th_view_wish *wish,
                   const th_rectangle *box) {
  const th_order *order = source->order;
  for (uint32_t lane = 0; order->layered && lane < TH_VIEW_LANES; lane++)
    room->sees[lane] = source->columns.sees[order->row[room->slot[lane]]];
  /* own number: position in the own row's run, which is a run of slots */
  uint32_t base = room->run_first[0], slot0 = room->nslot[base];
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) room->own[lane] = base + room->slot[lane] - slot0;
  th_nearest s = {.x = room->view.x,
                  .y = room->view.y,
                  .own = room->own,
                  .sees = order->layered ? room->sees : NULL,
                  .cx = room->nx,
                  .cy = room->ny,
                  .clayers = room->nlayers,
                  .reach = wish->reach,
                  .k = wish->nearest,
                  .pick = room->pick,
                  .farthest = room->farthest};
  choose_runs(room, order, box, &s);
  if (room->view.near.count <= TH_MOST_KEYED)
    TH_LANES_PICK(source->simd, th_nearest_find)(&s);
  else
    th_nearest_find_many(&s);
}

/* The k-th distance was truncated down by at most 2^-14 of its value. */
static bool all_done(const th_view_room *room, const float cover[TH_VIEW_LANES], float reach) {
  uint32_t open = 0;
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++)
    open |= cover[lane] < reach && room->farthest[lane] * 1.0001f >= cover[lane] * cover[lane];
  return !open;
}

/* No lane's K-th neighbour is farther away than `cover`. */
static bool known_within(const th_view_room *room, float cover) {
  float lanes[TH_VIEW_LANES];
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) lanes[lane] = cover;
  return room->view.near.pick_count && all_done(room, lanes, INFINITY);
}

/* Copies as many rings as asked for and as the room holds; returns how many. */
static uint32_t copy_rings(th_view_room *room, const th_view_source *source, const th_rectangle *box, uint32_t rings) {
  while (!th_candidates_copy(room, source->order, box, rings, source->simd)) {
    if (!rings) {
      room->view.near.count = 0;
      break;
    }
    rings--;
  }
  return rings;
}

/* Candidates alone need rings enough for the reach; the K nearest start with one ring and widen. When a crowd is too
 * dense for the room, the rectangle stays smaller and `cover` says so. */
static void fill_near(th_view_room *room, const th_view_source *source, const th_rectangle *box,
                      const th_view_wish *wish) {
  const th_order *order = source->order;
  /* a little more than the reach, so that rounding at a cluster's border can hide nobody */
  float wide = floorf(wish->reach * order->inverse * 1.001f) + 1.0f, most = (float)(order->columns + order->rows);
  uint32_t enough = (uint32_t)smaller(wide, most > 1.0f ? most : 1.0f), asked = wish->see & TH_SEE_NEAR ? enough : 1;
  uint32_t rings = copy_rings(room, source, box, asked);
  bool full = rings < asked;
  float cover[TH_VIEW_LANES], least = smaller(wish->reach, source->cover);
  room->quarters = rings == 1 && !full && box->row == box->row1;
  cover_lanes(room, order, box, rings, cover);
  if (wish->see & TH_SEE_NEAREST && room->view.near.count) {
    search(room, source, wish, box);
    while (!full && rings < enough && !all_done(room, cover, wish->reach)) {
      full = copy_rings(room, source, box, rings + 1) == rings;
      rings += !full;
      room->quarters = false; /* registers of other widths scan other unions of quarters: all must see the same */
      cover_lanes(room, order, box, rings, cover);
      search(room, source, wish, box);
    }
    room->view.near.pick_count = wish->nearest;
  }
  room->whole = source->cover >= wish->reach || full || known_within(room, source->cover);
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) least = smaller(least, cover[lane]);
  room->view.near.cover = room->view.near.count ? least : 0.0f;
}

/* A chart has few walls: all are looked at. */
static void chart_walls(th_view_room *room, const th_chart *chart, th_vec2 lower, th_vec2 upper) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < chart->wall_count && count < TH_MOST_VIEW_WALLS; i++) {
    const th_segment *w = &chart->wall[i];
    bool beside = larger(w->ax, w->bx) < lower.x || smaller(w->ax, w->bx) > upper.x || larger(w->ay, w->by) < lower.y ||
                  smaller(w->ay, w->by) > upper.y;
    if (!beside) room->wall[count++] = *w;
  }
  room->view.wall_count = count;
}

static th_raster clearance_of(const th_view_source *source) {
  return source->chart ? source->chart->clearance : th_ground_clearance_raster(source->ground);
}

static void fill_walls(th_view_room *room, const th_view_source *source, const th_view_wish *wish) {
  th_vec2 lower = {INFINITY, INFINITY}, upper = {-INFINITY, -INFINITY};
  for (uint32_t lane = 0; lane < room->view.lanes; lane++) {
    lower.x = smaller(lower.x, room->view.x[lane] - wish->reach);
    lower.y = smaller(lower.y, room->view.y[lane] - wish->reach);
    upper.x = larger(upper.x, room->view.x[lane] + wish->reach);
    upper.y = larger(upper.y, room->view.y[lane] + wish->reach);
  }
  if (source->chart) {
    chart_walls(room, source->chart, lower, upper);
    return;
  }
  uint32_t index[TH_MOST_VIEW_WALLS];
  uint32_t count = th_walls_near(source->ground, lower, upper, index, TH_MOST_VIEW_WALLS);
  if (count > TH_MOST_VIEW_WALLS) count = TH_MOST_VIEW_WALLS;
  for (uint32_t i = 0; i < count; i++) room->wall[i] = source->ground->wall[index[i]];
  room->view.wall_count = count;
}

static th_link link_to(const th_view_room *room, const th_view_source *source, const th_link_target *target,
                       uint32_t lane) {
  th_link link = {0};
  const th_order *order = source->order;
  if (target->kind == TH_LINK_NONE) return link;
  uint32_t slot = target->kind == TH_LINK_AGENT ? order->slot_of[target->row] : 0;
  if (slot == UINT32_MAX) return link;
  link.exists = true;
  link.x = target->kind == TH_LINK_AGENT ? order->x[slot] : target->at.x;
  link.y = target->kind == TH_LINK_AGENT ? order->y[slot] : target->at.y;
  float dx = link.x - room->view.x[lane], dy = link.y - room->view.y[lane];
  link.distance = sqrtf(dx * dx + dy * dy);
  if (link.distance > 0.0f) {
    link.dx = dx / link.distance;
    link.dy = dy / link.distance;
  }
  if (target->kind == TH_LINK_AGENT) {
    link.vx = order->vx[slot];
    link.vy = order->vy[slot];
  }
  return link;
}

static void fill_links(th_view_room *room, const th_view_source *source, const th_view_wish *wish) {
  room->view.link_count = TH_MOST_LINKS;
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) {
    uint32_t row = source->order->row[room->slot[lane]];
    for (uint32_t k = 0; k < TH_MOST_LINKS; k++) {
      th_link link = {0};
      if (k < source->columns.link_count[row]) link = link_to(room, source, &source->columns.link[row].target[k], lane);
      link.inside = link.exists && link.distance <= wish->reach;
      link.seen = link.inside && th_view_sees(&room->view, room->view.x[lane], room->view.y[lane], link.x, link.y);
      if (!link.inside) link.x = link.y = link.vx = link.vy = 0.0f;
      room->link[lane * TH_MOST_LINKS + k] = link;
    }
  }
}

static th_rectangle box_of(const th_order *order, const uint32_t *slot, uint32_t lanes) {
  uint32_t first = order->cluster[order->row[slot[0]]], last = order->cluster[order->row[slot[lanes - 1]]];
  uint32_t row = first / order->columns, row1 = last / order->columns;
  if (row == row1) return (th_rectangle){first % order->columns, last % order->columns, row, row};
  return (th_rectangle){0, order->columns - 1, row, row1}; /* whole rows are one run of slots */
}

void th_view_fill(th_view_room *room, const th_view_source *source, const uint32_t *slot, uint32_t lanes,
                  const th_view_wish *wish) {
  th_view_begin(&room->view, lanes);
  bool run = fill_own(room, source, slot, lanes);
  if (wish->see & TH_SEE_BODY) {
    fill_body(room, source);
    if (!run) copy_body(room, source->order);
  }
  th_rectangle box = box_of(source->order, slot, lanes);
  room->view.patch = source->chart ? source->chart->patch : box.row * source->order->strips + box.column0 / TH_STRIP;
  if (wish->see & (TH_SEE_NEAR | TH_SEE_NEAREST)) fill_near(room, source, &box, wish);
  if (wish->see & (TH_SEE_WALLS | TH_SEE_LINKS)) fill_walls(room, source, wish);
  if (wish->see & TH_SEE_CLEARANCE) room->view.clearance = clearance_of(source);
  if (wish->see & TH_SEE_LINKS) fill_links(room, source, wish);
}

uint32_t th_view_fill_patch(th_view_room *room, const th_view_source *source, uint32_t patch, const th_view_wish *wish,
                            uint32_t *own_first) {
  const th_order *order = source->order;
  uint32_t first, last;
  th_order_patch(order, patch, &first, &last);
  th_view_begin(&room->view, 0);
  room->view.patch = patch;
  uint32_t row = first / order->columns;
  th_rectangle box = {first % order->columns, (last - 1) % order->columns, row, row};
  uint32_t rings = copy_rings(room, source, &box, (uint32_t)ceilf(wish->reach * order->inverse));
  room->view.near.cover = smaller((float)rings * order->side, wish->reach);
  if (wish->see & TH_SEE_CLEARANCE) room->view.clearance = clearance_of(source);
  uint32_t own = order->start[last] - order->start[first];
  *own_first = own ? room->run_first[0] + order->start[first] - room->nslot[room->run_first[0]] : 0;
  return own;
}
