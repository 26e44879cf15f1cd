/* world/step/decide.c - phase 5: models give advice from views.
 *
 * Passes run one after the other with a barrier between them, over patches, over views of up to 16 agents of one patch,
 * or over 16 agents from anywhere. An agent decides at multiples of its period, staggered by its id (throng/model.h has
 * the rule); in between the last advice holds. Only agents that are due fill lanes; all stay visible.
 */
#include "world/step/decide.h"

#include <math.h>
#include <string.h>

#include "base/platform/compiler.h"
#include "people/room_ahead.h"
#include "view/markers.h"
#include "world/step/step.h"

typedef struct advice_lanes {
  float vx[16], vy[16], hx[16], hy[16];
  uint8_t gait[16];
  uint32_t row[16];
  const void *params[16];
  void *state[16];
} advice_lanes;

/* How many of the times period * (k + phase), k = 0, 1, 2 ..., lie before `time`. The count grows with time whatever
 * the rounding, and the end of a step equals the start of the next one to the last bit: no decision is lost or made
 * twice. */
static int64_t decisions_before(double time, double period, double phase) {
  double periods = time / period - phase; /* above -1, so truncation rounds negative values up */
  int64_t whole = (int64_t)periods;
  return whole + ((double)whole < periods);
}

static bool on_time(const th_world *world, uint32_t row) {
  double period = (double)world->rows.period[row], phase = (double)world->rows.phase[row];
  return decisions_before(world->time + (double)world->dt, period, phase) >
         decisions_before(world->time, period, phase);
}

static bool is_last(const th_pass_work *work) {
  const th_model *model = work->world->model[work->model].model;
  return work->pass == &model->pass[model->pass_count - 1];
}

bool th_decide_due(const th_pass_work *work, uint32_t slot, uint32_t row) {
  const th_world *world = work->world;
  const th_rows *rows = &world->rows;
  if (world->alone && rows->agent[row] != world->alone) return false;
  if (rows->state[row] == TH_AGENT_EXTERNAL) return false;
  if (!world->eases || rows->period[row] == 0.0f || on_time(world, row)) return true;
  if (world->model[work->model].model->aim && rows->people[row] && is_last(work)) return true;
  bool led = !rows->fresh[row] && world->want[slot].state == TH_ANSWER_LEAD;
  return !led && !world->model[rows->model[row]].model->alone;
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

static void preset(const th_pass_work *work, advice_lanes *lanes, const th_pass_group *g) {
  th_world *world = work->world;
  const th_model_slot *use = &world->model[work->model];
  clear(lanes);
  for (uint32_t lane = 0; lane < 16; lane++) {
    uint32_t own = g->slot[lane < g->count ? lane : g->count - 1], row = world->order.row[own];
    lanes->row[lane] = row;
    lanes->params[lane] = th_model_params(use, row);
  }
  for (uint32_t lane = 0; use->model->state_size && lane < 16; lane++) {
    lanes->state[lane] = use->states + lanes->row[lane] * use->state_stride;
    th_fetch_line(lanes->state[lane]); /* models come to it last, and the 16 lie apart */
  }
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

/* Advice comes in the chart and is kept in the frame of the agent's face. */
static void turn_back(th_world *world, advice_lanes *lanes, const th_pass_group *g) {
  uint32_t at[16];
  for (uint32_t lane = 0; lane < 16; lane++) at[lane] = g->seen[lane < g->count ? lane : 0];
  float *vector[4] = {lanes->vx, lanes->vy, lanes->hx, lanes->hy};
  TH_LANES_PICK(world->simd, th_patch_crowd_to_faces)(g->crowd, at, vector);
}

/* Advice of an early pass is replaced by that of a later one; the last pass counts. */
static void keep(th_world *world, advice_lanes *lanes, const th_pass_group *g) {
  th_rows *rows = &world->rows;
  if (g->crowd) turn_back(world, lanes, g);
  make_sound(lanes);
  for (uint32_t lane = 0; lane < g->count; lane++) {
    uint32_t row = lanes->row[lane];
    rows->advised_vx[row] = lanes->vx[lane];
    rows->advised_vy[row] = lanes->vy[lane];
    rows->advised_hx[row] = lanes->hx[lane];
    rows->advised_hy[row] = lanes->hy[lane];
  }
  /* bytes may alias anything: stored on their own, they spare loading every pointer again */
  for (uint32_t lane = 0; lane < g->count; lane++) rows->advised_gait[lanes->row[lane]] = lanes->gait[lane];
}

th_view_need th_decide_need(const th_pass_work *work) {
  th_view_need need = work->world->model[work->model].need;
  uint32_t around = TH_SEE_NEIGHBOURS | TH_SEE_NEAREST | TH_SEE_WALLS | TH_SEE_LINKS;
  need.see = work->pass->over == TH_OVER_LANES ? 0 : work->pass->see;
  if (!work->world->linked) need.see &= ~(uint32_t)TH_SEE_LINKS;
  if (!work->world->paths) need.see &= ~(uint32_t)TH_SEE_PATH;
  if (is_last(work) && work->pass->over == TH_OVER_VIEWS) need.see |= work->world->model[work->model].also;
  if (!work->world->people.any || !is_last(work) || work->pass->over != TH_OVER_VIEWS) return need;
  if (!(need.see & around)) need.reach = TH_ROOM_AHEAD;
  if (!(need.see & TH_SEE_NEAREST)) need.nearest = TH_ROOM_NEAREST;
  need.see |= TH_PEOPLE_SEE;
  return need;
}

/* Not inline: groups pay for tracing only where it is on. */
static TH_NOINLINE void trace_group(const th_pass_work *work, th_worker_scratch *scratch, const advice_lanes *lanes,
                                    const th_pass_group *g) {
  const th_world *world = work->world;
  if (!th_traces_any(world->traces, lanes->row, g->count)) return;
  scratch->view.trace = th_traces_of_pass(world, &scratch->tracer,
                                          &(th_traced_lanes){lanes->row, g->count, world->model[work->model].model,
                                                             work->pass, &scratch->view.view, g->crowd, g->seen});
}

/* Markers of a group of agents, and the weights that their groups give them. */
static void show_markers(const th_pass_work *work, th_worker_scratch *scratch, const advice_lanes *lanes,
                         const th_pass_group *g) {
  const th_world *world = work->world;
  th_view_markers *markers = &scratch->view.view.markers;
  if (g->crowd) {
    *markers = th_view_markers_chart(&g->crowd->chart->sheet->around, g->crowd->slot);
  } else {
    *markers = th_view_markers_flat(world->ground, work->markers, &world->order, UINT32_MAX);
  }
  markers->reach = world->model[work->model].need.reach;
  if (!world->weights.of_row) return;
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) {
    uint32_t use = world->weights.of_row[lanes->row[lane]];
    scratch->weights[lane] = use ? &world->weights.use[use - 1] : NULL;
  }
  markers->weights = scratch->weights;
}

/* People look for room ahead in the direction that their model has chosen for them. */
static void look_ahead(const th_pass_work *work, th_view_scratch *scratch, const th_work *one) {
  const th_model *model = work->world->model[work->model].model;
  if (model->aim) {
    if (scratch->view.want != scratch->want) memcpy(scratch->want, scratch->view.want, sizeof scratch->want);
    scratch->view.want = scratch->want;
    model->aim(one, scratch->want);
  }
  th_room_look_ahead(scratch, &work->source);
}

/* Fills the view of a group with all that the pass sees. False when it does not reach far enough. */
static inline bool fill_view(const th_pass_work *work, th_worker_scratch *scratch, const advice_lanes *lanes,
                             const th_pass_group *g) {
  const th_world *world = work->world;
  const th_view_need need = th_decide_need(work);
  scratch->view.whole = true;
  if (g->crowd)
    th_patch_crowd_fill(g->crowd, &work->input, &scratch->view, g->seen, g->count, &need);
  else
    th_view_fill(&scratch->view, &work->source, g->slot, g->count, &need);
  if (g->crowd && !scratch->view.whole && !g->last) return false;
  if (g->crowd && world->mesh->overhead)
    th_world_overhead_show(world, &(th_overhead_lanes){g->crowd, g->slot, g->seen}, &scratch->view, &need);
  scratch->view.trace = NULL;
  if (world->traces) trace_group(work, scratch, lanes, g);
  if (need.see & TH_SEE_MARKERS) show_markers(work, scratch, lanes, g);
  if (need.see & TH_SEE_PATH) th_world_show_paths(world, scratch, lanes->row, &(th_path_sight){g->crowd, &work->input});
  return true;
}

bool th_decide_run(th_pass_work *work, th_worker_scratch *scratch, const th_pass_group *g) {
  th_world *world = work->world;
  const th_model_slot *use = &world->model[work->model];
  advice_lanes lanes;
  preset(work, &lanes, g);
  if (!fill_view(work, scratch, &lanes, g)) return false;
  th_work one = {.view = &scratch->view.view,
                 .params = lanes.params,
                 .state = lanes.state,
                 .advice = {lanes.vx, lanes.vy, lanes.hx, lanes.hy, lanes.gait},
                 .shared = use->shared.data,
                 .scratch = scratch->of_model,
                 .dt = world->dt,
                 .step = world->step,
                 .seed = world->def.seed,
                 .own_first = 0,
                 .own_count = 0,
                 .earlier = g->earlier,
                 .simd = (uint32_t)world->simd,
                 .trace = scratch->view.trace};
  if (world->people.any && is_last(work)) look_ahead(work, &scratch->view, &one);
  work->pass->run(&one);
  if (!is_last(work)) return true;
  if (scratch->view.trace) th_traces_advised(scratch->view.trace, &scratch->view.view, &one.advice);
  keep(world, &lanes, g);
  return true;
}

static void over_views(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  th_pass_work *work = context;
  th_world *world = work->world;
  const th_order *order = &world->order;
  for (uint32_t patch = begin; patch < end; patch++) {
    uint32_t first, last;
    th_pass_group g = {0};
    th_order_patch(order, patch, &first, &last);
    for (uint32_t s = order->start[first]; s < order->start[last]; s++) {
      uint32_t row = order->row[s];
      if (world->rows.model[row] != work->model || !th_decide_due(work, s, row)) continue;
      g.slot[g.count++] = s;
      if (g.count < 16) continue;
      th_decide_run(work, &world->scratch[worker], &g);
      g.count = 0;
      g.earlier++;
    }
    if (g.count) th_decide_run(work, &world->scratch[worker], &g);
  }
}

bool th_decide_anyone_due(const th_pass_work *work, uint32_t first, uint32_t last) {
  const th_world *world = work->world;
  for (uint32_t s = first; s < last; s++) {
    uint32_t row = world->order.row[s];
    if (world->rows.model[row] == work->model && th_decide_due(work, s, row)) return true;
  }
  return false;
}

static void begin_flat(th_pass_work *work) { (void)work; }

static bool fill_flat(th_pass_work *work, uint32_t patch, uint32_t worker, const th_view_need *need, th_own_run *own) {
  const th_world *world = work->world;
  th_view_scratch *scratch = &world->scratch[worker].view;
  own->count = th_view_fill_patch(scratch, &work->source, patch, need, &own->first);
  if (work->markers && scratch->view.neighbours.count)
    scratch->view.markers = th_view_markers_flat(world->ground, work->markers, &world->order, patch);
  return true;
}

static const th_view_calls flat_calls = {begin_flat, over_views, 4, fill_flat};

static void over_patches(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  th_pass_work *work = context;
  th_world *world = work->world;
  const th_model_slot *use = &world->model[work->model];
  th_worker_scratch *scratch = &world->scratch[worker];
  for (uint32_t patch = begin; patch < end; patch++) {
    uint32_t first, last;
    th_order_patch(&world->order, patch, &first, &last);
    /* markers of an empty patch may belong to agents beside it */
    if (world->order.start[first] == world->order.start[last] && !work->markers) continue;
    const th_view_need need = th_decide_need(work);
    th_own_run own = {0};
    if (!work->calls->fill_patch(work, patch, worker, &need, &own)) continue;
    if (work->markers && !scratch->view.view.neighbours.count) continue;
    scratch->view.view.markers.reach = need.reach;
    th_work one = {.view = &scratch->view.view,
                   .shared = use->shared.data,
                   .scratch = scratch->of_model,
                   .dt = world->dt,
                   .step = world->step,
                   .seed = world->def.seed,
                   .own_first = own.first,
                   .own_count = own.count,
                   .simd = (uint32_t)world->simd};
    work->pass->run(&one);
    scratch->view.view.wall = scratch->view.wall;
  }
}

static void over_lanes(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  th_pass_work *work = context;
  for (uint32_t i = begin; i < end; i++) {
    uint32_t first = i * 16, count = work->listed - first < 16 ? work->listed - first : 16;
    th_pass_group g = {.count = count};
    memcpy(g.slot, work->world->lane_list + first, sizeof *g.slot * count);
    th_decide_run(work, &work->world->scratch[worker], &g);
  }
}

static uint32_t list_due(const th_pass_work *work) {
  th_world *world = work->world;
  uint32_t count = 0;
  for (uint32_t slot = 0; slot < world->order.count; slot++) {
    uint32_t row = world->order.row[slot];
    if (world->rows.model[row] == work->model && th_decide_due(work, slot, row)) world->lane_list[count++] = slot;
  }
  return count;
}

/* The markers that the pass sees; false when nobody decides who would need them. */
static bool find_markers(th_pass_work *work) {
  const th_world *world = work->world;
  work->markers = NULL;
  if (!(work->pass->see & TH_SEE_MARKERS)) return true;
  if (!th_decide_anyone_due(work, 0, world->order.count)) return false;
  const th_markers_def def = th_ground_markers_def(world->ground);
  return th_ground_markers(world->ground, &def, 1, &work->markers, NULL) == TH_OK;
}

static void run_pass(th_pass_work *work) {
  th_world *world = work->world;
  if (!find_markers(work)) return;
  uint32_t patches = th_order_patches(&world->order);
  switch (work->pass->over) {
    case TH_OVER_PATCHES:
      th_parallel_for(world->pool, patches, 4, over_patches, work);
      break;
    case TH_OVER_VIEWS:
      th_parallel_for(world->pool, patches, work->calls->block, work->calls->over_views, work);
      break;
    case TH_OVER_LANES:
      work->listed = list_due(work);
      th_parallel_for(world->pool, (work->listed + 15) / 16, 8, over_lanes, work);
      break;
  }
}

static bool some_guide_has_paths(const th_world *world) {
  bool any = false;
  for (uint32_t i = 0; i < world->guides.capacity; i++) {
    const th_guide *kind = world->guides.guide[i].kind;
    any |= kind && kind->corners;
  }
  return any;
}

void th_phase_decide(th_world *world) {
  th_rows *rows = &world->rows;
  world->paths = some_guide_has_paths(world);
  th_groups_weigh(world);
  th_pass_work work = {.world = world,
                       .calls = world->mesh ? &th_mesh_view_calls : &flat_calls,
                       .source = {.ground = world->ground,
                                  .order = &world->order,
                                  .columns = {.hx = rows->hx,
                                              .hy = rows->hy,
                                              .speed = rows->speed,
                                              .speed_max = rows->speed_max,
                                              .people = world->people.any ? rows->people : NULL,
                                              .people_set = world->people.of,
                                              .time_gap = rows->time_gap,
                                              .pressure = rows->pressure,
                                              .away = rows->away,
                                              .held = rows->held,
                                              .avoids = rows->avoids,
                                              .frame = rows->frame,
                                              .want = world->want,
                                              .link = rows->links,
                                              .link_count = rows->link_count,
                                              .slowed = atomic_load_explicit(&world->slowed, memory_order_relaxed)},
                                  .cover = INFINITY,
                                  .dt = world->dt,
                                  .time = world->time,
                                  .seed = world->def.seed,
                                  .simd = world->simd}};
  work.calls->begin(&work);
  for (uint32_t model = 0; model < world->model_count; model++) {
    work.model = model;
    for (uint32_t i = 0; i < world->model[model].model->pass_count; i++) {
      work.pass = &world->model[model].model->pass[i];
      run_pass(&work);
    }
  }
}
