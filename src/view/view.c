/* view/view.c - fills a view with what its model asks for.
 *
 * Each part is filled, and paid for, only when asked for: the agents themselves, others around them (neighbours.c),
 * walls, links.
 */
#include "view/view.h"

#include <math.h>
#include <string.h>

#include "ground/walk.h"

static void point_at_capacity(th_view_scratch *room) {
  room->view = (th_view){
      .slot = room->slot,
      .hx = room->hx,
      .hy = room->hy,
      .speed = room->speed,
      .speed_max = room->speed_max,
      .time_gap = room->time_gap,
      .avoids = room->avoids,
      .frame = room->frame,
      .neighbours = {.x = room->nx,
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
  room->nearest = (th_nearest){.own = room->own,
                               .cx = room->nx,
                               .cy = room->ny,
                               .clayers = room->nlayers,
                               .pick = room->pick,
                               .farthest = room->farthest};
}

bool th_view_scratch_make(th_view_scratch *room, const th_allocator *allocator) {
  memset(room, 0, sizeof *room);
  size_t size = TH_MAX_CANDIDATES + 32;
  float **floats[] = {&room->nx, &room->ny, &room->nvx, &room->nvy, &room->nradius, &room->nshare};
  bool made = true;
  for (size_t i = 0; i < 6; i++) made &= (*floats[i] = TH_TAKE(allocator, float, size)) != NULL;
  made &= (room->nslot = TH_TAKE(allocator, uint32_t, size)) != NULL;
  made &= (room->nlayers = TH_TAKE(allocator, uint32_t, size)) != NULL;
  if (!made)
    th_view_scratch_free(room, allocator);
  else
    point_at_capacity(room);
  return made;
}

void th_view_scratch_free(th_view_scratch *room, const th_allocator *allocator) {
  size_t size = TH_MAX_CANDIDATES + 32;
  float *floats[] = {room->nx, room->ny, room->nvx, room->nvy, room->nradius, room->nshare};
  for (size_t i = 0; i < 6; i++) TH_GIVE(allocator, floats[i], size);
  TH_GIVE(allocator, room->nslot, size);
  TH_GIVE(allocator, room->nlayers, size);
  memset(room, 0, sizeof *room);
}

void th_view_begin(th_view *view, uint32_t lanes) {
  view->lanes = lanes;
  view->neighbours.count = view->neighbours.pick_count = 0;
  view->neighbours.cover = 0.0f;
  view->wall_count = view->link_count = 0;
  view->clearance = (th_raster){0};
  view->path = NULL;
  view->markers = (th_view_markers){0};
  view->space = NULL;
}

/* Sixteen consecutive slots have the layout that a view needs, so the view points into the order. */
static void point_at_order(th_view *view, const th_order *order, uint32_t first) {
  view->agent = order->agent + first;
  view->x = order->x + first;
  view->y = order->y + first;
  view->vx = order->vx + first;
  view->vy = order->vy + first;
  view->radius = order->radius + first;
  view->body = order->body + first;
  view->layers = order->layers + first;
}

static void point_at_copies(th_view *view, const th_view_scratch *room) {
  view->agent = room->agent;
  view->x = room->x;
  view->y = room->y;
  view->vx = room->vx;
  view->vy = room->vy;
  view->radius = room->radius;
  view->body = room->body;
  view->layers = room->layers;
}

static void copy_place(th_view_scratch *room, const th_order *order) {
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) {
    uint32_t s = room->slot[lane];
    room->agent[lane] = order->agent[s];
    room->x[lane] = order->x[s];
    room->y[lane] = order->y[s];
  }
}

static void copy_body(th_view_scratch *room, const th_order *order) {
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) {
    uint32_t s = room->slot[lane];
    room->vx[lane] = order->vx[s];
    room->vy[lane] = order->vy[s];
    room->radius[lane] = order->radius[s];
    room->body[lane] = order->body[s];
    room->layers[lane] = order->layers[s];
  }
}

static void fill_body(th_view_scratch *room, const th_view_columns *columns) {
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) {
    uint32_t row = room->row[lane];
    room->hx[lane] = columns->hx[row];
    room->hy[lane] = columns->hy[row];
    room->speed_max[lane] = columns->speed_max[row];
    room->frame[lane] = columns->frame[row];
    room->avoids[lane] = columns->avoids[row];
  }
  for (uint32_t lane = 0; columns->time_gap && lane < TH_VIEW_LANES; lane++)
    room->time_gap[lane] = columns->time_gap[room->row[lane]];
}

void th_view_slow_down(th_view_scratch *room, const th_view_columns *columns, const float *terrain) {
  const th_guide_answer *want = room->view.want;
  const float *speed = columns->speed;
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) room->speed[lane] = speed[room->row[lane]];
  for (uint32_t lane = 0; columns->slowed && lane < TH_VIEW_LANES; lane++) room->speed[lane] *= 1.0f - want[lane].slow;
  for (uint32_t lane = 0; terrain && lane < TH_VIEW_LANES; lane++) {
    room->speed[lane] *= terrain[lane];
    room->speed_max[lane] *= terrain[lane];
  }
}

bool th_view_fill_own(th_view_scratch *room, const th_view_source *source, uint32_t lanes, uint32_t see) {
  const uint32_t *slot = room->slot;
  uint32_t apart = 0;
  th_view_begin(&room->view, lanes);
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) apart |= slot[lane] - slot[0] - lane;
  if (see & TH_SEE_BODY) fill_body(room, &source->columns);
  if (!apart) {
    point_at_order(&room->view, source->order, slot[0]);
    return true;
  }
  point_at_copies(&room->view, room);
  copy_place(room, source->order);
  if (see & TH_SEE_BODY) copy_body(room, source->order);
  return false;
}

static float smaller(float a, float b) { return a < b ? a : b; }
static float larger(float a, float b) { return a > b ? a : b; }

/* A chart has few walls, so all are tested. */
static void chart_walls(th_view_scratch *room, const th_chart *chart, th_vec2 lower, th_vec2 upper) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < chart->wall_count && count < TH_MAX_VIEW_WALLS; i++) {
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

static void fill_walls(th_view_scratch *room, const th_view_source *source, const th_view_need *wish) {
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
  uint32_t index[TH_MAX_VIEW_WALLS];
  uint32_t count = th_walls_near(source->ground, lower, upper, index, TH_MAX_VIEW_WALLS);
  if (count > TH_MAX_VIEW_WALLS) count = TH_MAX_VIEW_WALLS;
  for (uint32_t i = 0; i < count; i++) room->wall[i] = source->ground->flat->wall[index[i]];
  room->view.wall_count = count;
}

static th_link link_to(const th_view_scratch *room, const th_view_source *source, const th_link_target *target,
                       uint32_t lane) {
  th_link link = {.role = target->role};
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

static void fill_links(th_view_scratch *room, const th_view_source *source, const th_view_need *wish) {
  room->view.link_count = TH_MAX_LINKS;
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) {
    for (uint32_t k = 0; k < TH_MAX_LINKS; k++) {
      th_link link = {0};
      if (k < room->target_count[lane]) link = link_to(room, source, &room->target[lane]->target[k], lane);
      link.inside = link.exists && link.distance <= wish->reach;
      link.seen = link.inside && th_view_sees(&room->view, room->view.x[lane], room->view.y[lane], link.x, link.y);
      if (!link.inside) link.x = link.y = link.vx = link.vy = 0.0f;
      room->link[lane * TH_MAX_LINKS + k] = link;
    }
  }
}

void th_view_fill_around(th_view_scratch *room, const th_view_source *source, const th_view_need *wish) {
  th_view_find_boxes(room, source->order);
  const th_rectangle *box = &room->box;
  room->view.patch =
      source->chart ? source->chart->patch : box->row * source->order->grid.strips + box->column0 / TH_STRIP;
  if (wish->see & (TH_SEE_NEIGHBOURS | TH_SEE_NEAREST)) th_view_fill_neighbours(room, source, wish);
  if (wish->see & (TH_SEE_WALLS | TH_SEE_LINKS)) fill_walls(room, source, wish);
  if (wish->see & TH_SEE_CLEARANCE) room->view.clearance = clearance_of(source);
  if (wish->see & TH_SEE_LINKS) fill_links(room, source, wish);
}

void th_view_fill(th_view_scratch *room, const th_view_source *source, const uint32_t *slot, uint32_t lanes,
                  const th_view_need *wish) {
  const th_view_columns *columns = &source->columns;
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) {
    room->slot[lane] = slot[lane < lanes ? lane : lanes - 1];
    room->row[lane] = source->order->row[room->slot[lane]];
  }
  bool run = th_view_fill_own(room, source, lanes, wish->see);
  room->view.want = run ? columns->want + slot[0] : room->want;
  for (uint32_t lane = 0; !run && lane < TH_VIEW_LANES; lane++) room->want[lane] = columns->want[room->slot[lane]];
  room->view.neighbours.wish = columns->want;
  th_view_slow_down(room, columns, NULL);
  for (uint32_t lane = 0; wish->see & TH_SEE_LINKS && lane < TH_VIEW_LANES; lane++) {
    room->target[lane] = &columns->link[room->row[lane]];
    room->target_count[lane] = columns->link_count[room->row[lane]];
  }
  th_view_fill_around(room, source, wish);
}

uint32_t th_view_fill_patch(th_view_scratch *room, const th_view_source *source, uint32_t patch,
                            const th_view_need *wish, uint32_t *own_first) {
  const th_order *order = source->order;
  uint32_t first, last;
  th_order_patch(order, patch, &first, &last);
  th_view_begin(&room->view, 0);
  room->view.patch = patch;
  uint32_t row = first / order->grid.columns;
  th_rectangle box = {first % order->grid.columns, (last - 1) % order->grid.columns, row, row};
  uint32_t rings = th_view_copy_rings(room, source, &box, (uint32_t)ceilf(wish->reach * order->grid.inverse));
  room->view.neighbours.cover = smaller((float)rings * order->grid.side, wish->reach);
  if (wish->see & TH_SEE_CLEARANCE) room->view.clearance = clearance_of(source);
  uint32_t own = order->start[last] - order->start[first];
  *own_first = own ? room->run_first[0] + order->start[first] - room->nslot[room->run_first[0]] : 0;
  return own;
}
