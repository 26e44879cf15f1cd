/* view/view.c - fills a view with what its model asks for.
 *
 * Each part is filled, and paid for, only when asked for: the agents themselves, others around them (neighbours.c),
 * walls, links.
 */
#include "view/view.h"

#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "ground/walk.h"
#include "view/rays.h"

static void point_at_capacity(th_view_scratch *scratch) {
  scratch->view = (th_view){
      .slot = scratch->slot,
      .hx = scratch->hx,
      .hy = scratch->hy,
      .speed = scratch->speed,
      .speed_max = scratch->speed_max,
      .people = scratch->people,
      .time_gap = scratch->time_gap,
      .pressure = scratch->pressure,
      .avoids = scratch->avoids,
      .frame = scratch->frame,
      .neighbours = {.x = scratch->nx,
                     .y = scratch->ny,
                     .vx = scratch->nvx,
                     .vy = scratch->nvy,
                     .radius = scratch->nradius,
                     .share = scratch->nshare,
                     .slot = scratch->nslot,
                     .layers = scratch->nlayers,
                     .pick = scratch->pick},
      .wall = scratch->wall,
      .link = scratch->link,
      .scratch = scratch,
  };
  scratch->nearest = (th_nearest){
      .own = scratch->own, .cx = scratch->nx, .cy = scratch->ny, .pick = scratch->pick, .farthest = scratch->farthest};
}

bool th_view_scratch_make(th_view_scratch *scratch, const th_allocator *allocator) {
  memset(scratch, 0, sizeof *scratch);
  size_t size = TH_MAX_CANDIDATES + 32;
  float **floats[] = {&scratch->nx, &scratch->ny, &scratch->nvx, &scratch->nvy, &scratch->nradius, &scratch->nshare};
  bool made = true;
  for (size_t i = 0; i < 6; i++) made &= (*floats[i] = TH_TAKE(allocator, float, size)) != NULL;
  made &= (scratch->nslot = TH_TAKE(allocator, uint32_t, size)) != NULL;
  made &= (scratch->nlayers = TH_TAKE(allocator, uint32_t, size)) != NULL;
  made &= (scratch->nopen = TH_TAKE(allocator, uint32_t, size)) != NULL;
  made &= (scratch->bodies = TH_TAKE(allocator, th_bodies, 1)) != NULL;
  if (!made)
    th_view_scratch_free(scratch, allocator);
  else
    point_at_capacity(scratch);
  return made;
}

void th_view_scratch_free(th_view_scratch *scratch, const th_allocator *allocator) {
  size_t size = TH_MAX_CANDIDATES + 32;
  float *floats[] = {scratch->nx, scratch->ny, scratch->nvx, scratch->nvy, scratch->nradius, scratch->nshare};
  for (size_t i = 0; i < 6; i++) TH_GIVE(allocator, floats[i], size);
  TH_GIVE(allocator, scratch->nslot, size);
  TH_GIVE(allocator, scratch->nlayers, size);
  TH_GIVE(allocator, scratch->nopen, size);
  TH_GIVE(allocator, scratch->bodies, 1);
  memset(scratch, 0, sizeof *scratch);
}

void th_view_begin(th_view *view, uint32_t lanes) {
  view->lanes = lanes;
  view->neighbours.count = view->neighbours.pick_count = 0;
  view->neighbours.cover = 0.0f;
  view->neighbours.in_sight = false;
  view->scratch->bodies->laid = false;
  memset(view->scratch->bodies->kept_count, 0, sizeof view->scratch->bodies->kept_count);
  view->wall_count = view->link_count = 0;
  view->scratch->wall_reach = 0.0f;
  view->clearance = (th_raster){0};
  view->path = NULL;
  view->markers = (th_view_markers){0};
  view->scratch->space = NULL;
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

static void point_at_copies(th_view *view, const th_view_scratch *scratch) {
  view->agent = scratch->agent;
  view->x = scratch->x;
  view->y = scratch->y;
  view->vx = scratch->vx;
  view->vy = scratch->vy;
  view->radius = scratch->radius;
  view->body = scratch->body;
  view->layers = scratch->layers;
}

static void copy_place(th_view_scratch *scratch, const th_order *order) {
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) {
    uint32_t s = scratch->slot[lane];
    scratch->agent[lane] = order->agent[s];
    scratch->x[lane] = order->x[s];
    scratch->y[lane] = order->y[s];
  }
}

static void copy_body(th_view_scratch *scratch, const th_order *order) {
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) {
    uint32_t s = scratch->slot[lane];
    scratch->vx[lane] = order->vx[s];
    scratch->vy[lane] = order->vy[s];
    scratch->radius[lane] = order->radius[s];
    scratch->body[lane] = order->body[s];
    scratch->layers[lane] = order->layers[s];
  }
}

static void fill_body(th_view_scratch *scratch, const th_view_columns *columns) {
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) {
    uint32_t row = scratch->row[lane];
    scratch->hx[lane] = columns->hx[row];
    scratch->hy[lane] = columns->hy[row];
    scratch->speed_max[lane] = columns->speed_max[row];
    scratch->frame[lane] = columns->frame[row];
    scratch->avoids[lane] = columns->avoids[row];
  }
  for (uint32_t lane = 0; columns->people && lane < TH_VIEW_LANES; lane++) {
    const uint32_t row = scratch->row[lane];
    scratch->people[lane] = columns->people_set[columns->people[row]];
    scratch->pressure[lane] = columns->pressure[row];
    scratch->time_gap[lane] = columns->time_gap[row];
    scratch->held[lane] = columns->held[row];
  }
}

void th_view_slow_down(th_view_scratch *scratch, const th_view_columns *columns, const float *terrain) {
  const th_guide_answer *want = scratch->view.want;
  const float *speed = columns->speed;
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) scratch->speed[lane] = speed[scratch->row[lane]];
  for (uint32_t lane = 0; columns->slowed && lane < TH_VIEW_LANES; lane++)
    scratch->speed[lane] *= 1.0f - want[lane].slow;
  for (uint32_t lane = 0; terrain && lane < TH_VIEW_LANES; lane++) {
    scratch->speed[lane] *= terrain[lane];
    scratch->speed_max[lane] *= terrain[lane];
  }
}

bool th_view_fill_own(th_view_scratch *scratch, const th_view_source *source, uint32_t lanes, uint32_t see) {
  const uint32_t *slot = scratch->slot;
  uint32_t apart = 0;
  th_view_begin(&scratch->view, lanes);
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) apart |= slot[lane] - slot[0] - lane;
  if (see & TH_SEE_BODY) fill_body(scratch, &source->columns);
  if (!apart) {
    point_at_order(&scratch->view, source->order, slot[0]);
    return true;
  }
  point_at_copies(&scratch->view, scratch);
  copy_place(scratch, source->order);
  if (see & TH_SEE_BODY) copy_body(scratch, source->order);
  return false;
}

static th_raster clearance_of(const th_view_source *source) {
  return source->chart ? source->chart->clearance : th_ground_clearance_raster(source->ground);
}

static void fill_walls(th_view_scratch *scratch, const th_view_source *source, const th_view_need *need) {
  th_vec2 lower = {INFINITY, INFINITY}, upper = {-INFINITY, -INFINITY};
  for (uint32_t lane = 0; lane < scratch->view.lanes; lane++) {
    lower.x = th_min(lower.x, scratch->view.x[lane] - need->reach);
    lower.y = th_min(lower.y, scratch->view.y[lane] - need->reach);
    upper.x = th_max(upper.x, scratch->view.x[lane] + need->reach);
    upper.y = th_max(upper.y, scratch->view.y[lane] + need->reach);
  }
  scratch->wall_reach = need->reach;
  if (source->chart) { /* a chart has few walls, so all are tested */
    scratch->view.wall_count =
        th_walls_in(source->chart->wall, source->chart->wall_count, lower, upper, scratch->wall, TH_MAX_VIEW_WALLS);
    return;
  }
  uint32_t index[TH_MAX_VIEW_WALLS];
  uint32_t count = th_flat_query_walls(source->ground, lower, upper, index, TH_MAX_VIEW_WALLS);
  if (count > TH_MAX_VIEW_WALLS) count = TH_MAX_VIEW_WALLS;
  for (uint32_t i = 0; i < count; i++) scratch->wall[i] = source->ground->flat->wall[index[i]];
  scratch->view.wall_count = count;
}

static th_link link_to(const th_view_scratch *scratch, const th_view_source *source, const th_link_target *target,
                       uint32_t lane) {
  th_link link = {.role = target->role};
  const th_order *order = source->order;
  if (target->kind == TH_LINK_NONE) return link;
  uint32_t slot = target->kind == TH_LINK_AGENT ? order->slot_of[target->row] : 0;
  if (slot == UINT32_MAX) return link;
  link.exists = true;
  link.x = target->kind == TH_LINK_AGENT ? order->x[slot] : target->at.x;
  link.y = target->kind == TH_LINK_AGENT ? order->y[slot] : target->at.y;
  float dx = link.x - scratch->view.x[lane], dy = link.y - scratch->view.y[lane];
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

static void fill_links(th_view_scratch *scratch, const th_view_source *source, const th_view_need *need) {
  scratch->view.link_count = TH_MAX_LINKS;
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) {
    for (uint32_t k = 0; k < TH_MAX_LINKS; k++) {
      th_link link = {0};
      if (k < scratch->target_count[lane]) link = link_to(scratch, source, &scratch->target[lane]->target[k], lane);
      link.inside = link.exists && link.distance <= need->reach;
      link.seen =
          link.inside && th_view_sees(&scratch->view, scratch->view.x[lane], scratch->view.y[lane], link.x, link.y);
      if (!link.inside) link.x = link.y = link.vx = link.vy = 0.0f;
      scratch->link[lane * TH_MAX_LINKS + k] = link;
    }
  }
}

void th_view_fill_around(th_view_scratch *scratch, const th_view_source *source, const th_view_need *need) {
  th_view_find_boxes(scratch, source->order);
  const th_rectangle *box = &scratch->box;
  scratch->view.patch =
      source->chart ? source->chart->patch : box->row * source->order->grid.strips + box->column0 / TH_STRIP;
  if (need->see & (TH_SEE_WALLS | TH_SEE_LINKS)) fill_walls(scratch, source, need); /* they may hide neighbours */
  if (need->see & (TH_SEE_NEIGHBOURS | TH_SEE_NEAREST)) th_view_fill_neighbours(scratch, source, need);
  if (need->see & TH_SEE_CLEARANCE) scratch->view.clearance = clearance_of(source);
  if (need->see & TH_SEE_LINKS) fill_links(scratch, source, need);
}

void th_view_fill(th_view_scratch *scratch, const th_view_source *source, const uint32_t *slot, uint32_t lanes,
                  const th_view_need *need) {
  const th_view_columns *columns = &source->columns;
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) {
    scratch->slot[lane] = slot[lane < lanes ? lane : lanes - 1];
    scratch->row[lane] = source->order->row[scratch->slot[lane]];
  }
  bool run = th_view_fill_own(scratch, source, lanes, need->see);
  scratch->view.want = run ? columns->want + slot[0] : scratch->want;
  for (uint32_t lane = 0; !run && lane < TH_VIEW_LANES; lane++)
    scratch->want[lane] = columns->want[scratch->slot[lane]];
  scratch->view.neighbours.wish = columns->want;
  th_view_slow_down(scratch, columns, NULL);
  for (uint32_t lane = 0; need->see & TH_SEE_LINKS && lane < TH_VIEW_LANES; lane++) {
    scratch->target[lane] = &columns->link[scratch->row[lane]];
    scratch->target_count[lane] = columns->link_count[scratch->row[lane]];
  }
  th_view_fill_around(scratch, source, need);
}

uint32_t th_view_fill_patch(th_view_scratch *scratch, const th_view_source *source, uint32_t patch,
                            const th_view_need *need, uint32_t *own_first) {
  const th_order *order = source->order;
  uint32_t first, last;
  th_order_patch(order, patch, &first, &last);
  th_view_begin(&scratch->view, 0);
  scratch->view.patch = patch;
  uint32_t row = first / order->grid.columns;
  th_rectangle box = {first % order->grid.columns, (last - 1) % order->grid.columns, row, row};
  uint32_t rings = th_view_copy_rings(scratch, source, &box, (uint32_t)ceilf(need->reach * order->grid.inverse));
  scratch->view.neighbours.cover = th_min((float)rings * order->grid.side, need->reach);
  if (need->see & TH_SEE_CLEARANCE) scratch->view.clearance = clearance_of(source);
  uint32_t own = order->start[last] - order->start[first];
  *own_first = own ? scratch->run_first[0] + order->start[first] - scratch->nslot[scratch->run_first[0]] : 0;
  return own;
}
