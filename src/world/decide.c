/* world/decide.c - phase 4: models give advice from views.
 *
 * Passes run one after the other with a barrier between them, over patches, over views of up to 16 agents of one patch,
 * or over 16 agents from anywhere. An agent decides every `period` steps, staggered by its id; in between the last
 * advice holds. Only agents that are due fill lanes; all stay visible.
 */
#include <string.h>

#include "world.h"

typedef struct pass_work {
  th_world *world;
  const th_pass *pass;
  uint32_t model;
  uint32_t listed; /* TH_OVER_LANES: agents in lane_list */
  th_view_source source;
} pass_work;

typedef struct advice_lanes {
  float vx[16], vy[16], hx[16], hy[16];
  uint8_t gait[16];
  uint32_t row[16];
  const void *params[16];
  void *state[16];
} advice_lanes;

static bool due(const th_world *world, uint32_t slot, uint32_t row) {
  const th_rows *rows = &world->rows;
  return rows->state[row] != TH_AGENT_EXTERNAL &&
         (rows->period[row] == 1 || rows->fresh[row] || world->want[slot].state != TH_WANT_LEAD ||
          (world->step + rows->agent[row]) % rows->period[row] == 0);
}

/* A fresh agent decides as one that already looks where its guide leads (move.c turns it for good). */
static void face_guide(th_rows *rows, uint32_t row, const th_want *want) {
  if (want->state != TH_WANT_LEAD || (want->dx == 0.0f && want->dy == 0.0f)) return;
  rows->hx[row] = want->dx;
  rows->hy[row] = want->dy;
}

/* Stand still, keep the heading. Piece by piece: gcc clears larger blocks by a string instruction, which is slow. */
static void clear(advice_lanes *lanes) {
  memset(lanes->vx, 0, sizeof lanes->vx);
  memset(lanes->vy, 0, sizeof lanes->vy);
  memset(lanes->hx, 0, sizeof lanes->hx);
  memset(lanes->hy, 0, sizeof lanes->hy);
  memset(lanes->gait, 0, sizeof lanes->gait);
  memset(lanes->state, 0, sizeof lanes->state / 2);
  memset(lanes->state + 8, 0, sizeof lanes->state / 2);
}

static void preset(const pass_work *work, advice_lanes *lanes, const uint32_t *slot, uint32_t count) {
  th_world *world = work->world;
  const th_model_use *use = &world->model[work->model];
  const uint8_t *fresh = world->rows.fresh;
  clear(lanes);
  for (uint32_t lane = 0; lane < 16; lane++) {
    uint32_t own = slot[lane < count ? lane : count - 1], row = world->order.row[own];
    lanes->row[lane] = row;
    lanes->params[lane] = use->params + row * use->param_stride;
    if (fresh[row]) face_guide(&world->rows, row, &world->want[own]);
  }
  for (uint32_t lane = 0; use->model->state_size && lane < 16; lane++)
    lanes->state[lane] = use->states + lanes->row[lane] * use->state_stride;
}

/* A host's model may return NaN or infinity: then the agent stands. */
static void make_sound(advice_lanes *lanes) {
  for (uint32_t lane = 0; lane < 16; lane++) {
    float vx = lanes->vx[lane], vy = lanes->vy[lane], hx = lanes->hx[lane], hy = lanes->hy[lane];
    bool moves = (vx - vx) + (vy - vy) == 0.0f, turns = (hx - hx) + (hy - hy) == 0.0f;
    lanes->vx[lane] = moves ? vx : 0.0f;
    lanes->vy[lane] = moves ? vy : 0.0f;
    lanes->hx[lane] = turns ? hx : 0.0f;
    lanes->hy[lane] = turns ? hy : 0.0f;
  }
}

/* Advice of an early pass is replaced by that of a later one; the last pass counts. */
static void keep(th_world *world, advice_lanes *lanes, uint32_t count) {
  th_rows *rows = &world->rows;
  make_sound(lanes);
  for (uint32_t lane = 0; lane < count; lane++) {
    uint32_t row = lanes->row[lane];
    rows->ax[row] = lanes->vx[lane];
    rows->ay[row] = lanes->vy[lane];
    rows->ahx[row] = lanes->hx[lane];
    rows->ahy[row] = lanes->hy[lane];
  }
  /* bytes may alias anything: stored on their own, they spare loading every pointer again */
  for (uint32_t lane = 0; lane < count; lane++) rows->advised_gait[lanes->row[lane]] = lanes->gait[lane];
}

static void run_lanes(pass_work *work, th_worker_room *room, const uint32_t *slot, uint32_t count) {
  th_world *world = work->world;
  const th_model_use *use = &world->model[work->model];
  advice_lanes lanes;
  preset(work, &lanes, slot, count);
  th_view_wish wish = use->wish;
  wish.see = work->pass->over == TH_OVER_VIEWS ? work->pass->see : 0;
  th_view_fill(&room->view, &work->source, slot, count, &wish);
  th_work one = {.view = &room->view.view,
                 .params = lanes.params,
                 .state = lanes.state,
                 .advice = {lanes.vx, lanes.vy, lanes.hx, lanes.hy, lanes.gait},
                 .shared = use->shared,
                 .scratch = room->scratch,
                 .dt = world->dt,
                 .step = world->step,
                 .seed = world->def.seed,
                 .simd = (uint32_t)world->simd};
  work->pass->run(&one);
  if (work->pass == &use->model->pass[use->model->pass_count - 1]) keep(world, &lanes, count);
}

static void over_views(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  pass_work *work = context;
  th_world *world = work->world;
  const th_order *order = &world->order;
  for (uint32_t patch = begin; patch < end; patch++) {
    uint32_t first, last, slot[16], count = 0;
    th_order_patch(order, patch, &first, &last);
    for (uint32_t s = order->start[first]; s < order->start[last]; s++) {
      uint32_t row = order->row[s];
      if (world->rows.model[row] != work->model || !due(world, s, row)) continue;
      slot[count++] = s;
      if (count < 16) continue;
      run_lanes(work, &world->room[worker], slot, count);
      count = 0;
    }
    if (count) run_lanes(work, &world->room[worker], slot, count);
  }
}

static void over_patches(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  pass_work *work = context;
  th_world *world = work->world;
  const th_model_use *use = &world->model[work->model];
  th_worker_room *room = &world->room[worker];
  for (uint32_t patch = begin; patch < end; patch++) {
    uint32_t first, last, own_first = 0;
    th_order_patch(&world->order, patch, &first, &last);
    if (world->order.start[first] == world->order.start[last]) continue;
    th_view_wish wish = use->wish;
    wish.see = work->pass->see;
    uint32_t own = th_view_fill_patch(&room->view, &work->source, patch, &wish, &own_first);
    th_work one = {.view = &room->view.view,
                   .shared = use->shared,
                   .scratch = room->scratch,
                   .dt = world->dt,
                   .step = world->step,
                   .seed = world->def.seed,
                   .own_first = own_first,
                   .own_count = own,
                   .simd = (uint32_t)world->simd};
    work->pass->run(&one);
  }
}

static void over_lanes(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  pass_work *work = context;
  for (uint32_t group = begin; group < end; group++) {
    uint32_t first = group * 16, count = work->listed - first < 16 ? work->listed - first : 16;
    run_lanes(work, &work->world->room[worker], work->world->lane_list + first, count);
  }
}

static uint32_t list_due(th_world *world, uint32_t model) {
  uint32_t count = 0;
  for (uint32_t slot = 0; slot < world->order.count; slot++) {
    uint32_t row = world->order.row[slot];
    if (world->rows.model[row] == model && due(world, slot, row)) world->lane_list[count++] = slot;
  }
  return count;
}

static void run_pass(pass_work *work) {
  th_world *world = work->world;
  uint32_t patches = th_order_patches(&world->order);
  switch (work->pass->over) {
    case TH_OVER_PATCHES:
      th_parallel_for(world->pool, patches, 4, over_patches, work);
      break;
    case TH_OVER_VIEWS:
      th_parallel_for(world->pool, patches, 4, over_views, work);
      break;
    case TH_OVER_LANES:
      work->listed = list_due(world, work->model);
      th_parallel_for(world->pool, (work->listed + 15) / 16, 8, over_lanes, work);
      break;
  }
}

void th_phase_decide(th_world *world) {
  th_rows *rows = &world->rows;
  pass_work work = {.world = world,
                    .source = {.ground = world->ground,
                               .order = &world->order,
                               .columns = {rows->hx, rows->hy, rows->speed, rows->speed_max, rows->sees, rows->frame,
                                           world->want, rows->links, rows->link_count},
                               .simd = world->simd}};
  for (uint32_t model = 0; model < world->model_count; model++) {
    work.model = model;
    for (uint32_t i = 0; i < world->model[model].model->pass_count; i++) {
      work.pass = &world->model[model].model->pass[i];
      run_pass(&work);
    }
  }
}
