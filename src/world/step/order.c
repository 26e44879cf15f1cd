/* world/step/order.c - phase 2: agents sorted by patch, cluster and id.
 *
 * The cluster size follows the crowd's density, and rows are put into slot order so that later phases read memory in
 * sequence (random rows cost three times as much). Both happen at fixed steps only, from the state alone, so that every
 * run agrees on them.
 */
#include "view/order.h"

#include <string.h>

#include "world/agent/agents.h"
#include "world/events.h"
#include "world/step/step.h"

static uint32_t visible(const th_rows *rows) {
  uint32_t count = 0;
  for (uint32_t row = 0; row < rows->count; row++) count += rows->in[row];
  return count;
}

static void refit(th_world *world) {
  th_vec2 lower, upper;
  th_ground_bounds(world->ground, &lower, &upper);
  uint32_t count = visible(&world->rows);
  if (world->area <= 0.0f) { /* nothing known yet: start from an even spread over the ground */
    float whole = (upper.x - lower.x) * (upper.y - lower.y);
    world->area = count ? whole / (float)count : whole;
  }
  th_order_fit(&world->order, lower, upper, count, world->area);
}

/* True when somebody reads how others, or its own agents, move. */
static bool anyone_looks(const th_world *world) {
  if (world->people.any) return true;
  for (uint32_t i = 0; i < world->model_count; i++) {
    const th_model *model = world->model[i].model;
    for (uint32_t k = 0; k < model->pass_count; k++)
      if (model->pass[k].over == TH_OVER_PATCHES ||
          model->pass[k].see & (TH_SEE_NEIGHBOURS | TH_SEE_NEAREST | TH_SEE_LINKS | TH_SEE_BODY))
        return true;
  }
  return false;
}

static void build(th_world *world) {
  const th_rows *rows = &world->rows;
  th_order_input input = {.count = rows->count,
                          .in = rows->in,
                          .agent = rows->agent,
                          .layers = rows->layers,
                          .x = rows->x,
                          .y = rows->y,
                          .vx = anyone_looks(world) ? rows->vx : NULL,
                          .vy = rows->vy,
                          .cell = rows->cell,
                          .cluster_of = world->mesh ? world->mesh->atlas->patches.cluster_of : NULL,
                          .radius = rows->radius,
                          .body = world->people.narrow ? rows->body : NULL,
                          .share = rows->share};
  th_order_build(&world->order, world->pool, &input);
}

void th_order_again(th_world *world) { build(world); }

/* Rows in slot order; those that are not in the world follow in their old order. */
static void permute_rows(th_world *world) {
  th_rows *rows = &world->rows;
  uint32_t *from = world->lane_list, count = world->order.count;
  memcpy(from, world->order.row, sizeof *from * count);
  for (uint32_t row = 0; row < rows->count; row++)
    if (!rows->in[row]) from[count++] = row;
  th_rows_permute(rows, world->pool, from, world->permute_scratch, world->permute_size);
  for (uint32_t i = 0; i < world->model_count; i++) {
    th_model_slot *use = &world->model[i];
    th_rows_permute_column((uint8_t *)use->set, sizeof *use->set, from, rows->count, use->spare);
    th_rows_permute_column(use->states, use->state_stride, from, rows->count, use->spare);
  }
  for (uint32_t row = 0; row < rows->count; row++) world->row_of[rows->agent[row] - 1] = row;
}

/* The next row from `row` on that has links; few have, so eight are tested at once. */
static uint32_t next_linked(const th_rows *rows, uint32_t row) {
  uint64_t eight = 0;
  for (; row + 8 <= rows->count && !eight; row += eight ? 0 : 8) memcpy(&eight, rows->link_count + row, sizeof eight);
  while (row < rows->count && !rows->link_count[row]) row++;
  return row;
}

static void find_links(th_world *world) {
  th_rows *rows = &world->rows;
  world->linked = false;
  for (uint32_t row = next_linked(rows, 0); row < rows->count; row = next_linked(rows, row + 1)) {
    world->linked = true;
    for (uint32_t i = 0; i < rows->link_count[row]; i++) {
      th_link_target *target = &rows->links[row].target[i];
      if (target->kind == TH_LINK_POINT) continue;
      bool there = target->kind == TH_LINK_AGENT;
      target->row = th_world_row(world, rows->names[row].agent[i]);
      if (there && target->row == UINT32_MAX) th_event_add(world, TH_EVENT_LINK_GONE, rows->id[row], 0);
      target->kind = target->row == UINT32_MAX ? TH_LINK_NONE : TH_LINK_AGENT;
    }
  }
}

/* What nearby.c reads between this step and the next. */
static void hold_order(th_world *world) {
  world->order_holds = true;
  world->strayed = 0.0f;
  world->tail = world->rows.count;
  world->anyone_fresh = memchr(world->rows.fresh, 1, world->rows.count) != NULL;
}

/* The clusters of a mesh follow from its patches. */
static void order_mesh(th_world *world) {
  build(world);
  if (world->step % TH_REFIT_STEPS == 0) {
    permute_rows(world);
    build(world);
  }
  th_world_mesh_prepare(world);
  find_links(world);
  hold_order(world);
}

void th_phase_order(th_world *world) {
  if (world->mesh) {
    order_mesh(world);
    return;
  }
  if (world->step % TH_REFIT_STEPS == 0 || !world->order.grid.cluster_count) {
    bool first = !(world->area > 0.0f);
    refit(world);
    build(world);
    for (int i = 0; first && i < 4;
         i++) { /* the first sort tells where the crowd stands: sort again with clusters of its size */
      world->area = th_order_area(&world->order);
      refit(world);
      build(world);
    }
    permute_rows(world);
  }
  build(world);
  if (world->step % TH_REFIT_STEPS == TH_REFIT_STEPS - 1) world->area = th_order_area(&world->order);
  find_links(world);
  hold_order(world);
}
