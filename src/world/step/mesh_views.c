/* world/step/mesh_views.c - views of agents on a mesh.
 *
 * A patch is laid flat first, with everyone in it and within reach; its views are then those of flat ground. The
 * nearest agents are searched close by, then farther off for agents that have not found enough, because a wider search
 * costs more than a second one. Cost: that of laying a patch flat (view/patch_crowd.c), beside that of the views.
 */
#include <math.h>
#include <string.h>

#include "view/markers.h"
#include "world/step/decide.h"
#include "world/step/step.h"

#define BODIES \
  (TH_SEE_NEIGHBOURS | TH_SEE_NEAREST | TH_SEE_LINKS | TH_SEE_BODY) /* what shows more of agents than places */

/* A group of one row in the order of its slots; views need not copy it. */
static void set_forward(th_pass_group *g) {
  if (!g->count || g->seen[0] < g->seen[g->count - 1]) return;
  for (uint32_t a = 0, b = g->count - 1; a < b; a++, b--) {
    uint32_t slot = g->slot[a], seen = g->seen[a];
    g->slot[a] = g->slot[b];
    g->seen[a] = g->seen[b];
    g->slot[b] = slot;
    g->seen[b] = seen;
  }
}

/* Runs the group and notes the agents that have decided. */
static bool decide_group(th_pass_work *work, uint32_t worker, th_pass_group *g) {
  set_forward(g);
  bool done = !g->count || th_decide_run(work, &work->world->scratch[worker], g);
  g->earlier += done && g->count;
  for (uint32_t lane = 0; done && lane < g->count; lane++) work->world->mesh->decided[g->slot[lane]] = 1;
  g->count = 0;
  return done;
}

/* One search around a patch. True when every agent that is due has decided. */
static bool look_round(th_pass_work *work, uint32_t worker, bool last) {
  th_world *world = work->world;
  th_patch_crowd *crowd = &world->mesh->crowd[worker];
  th_pass_group g = {.crowd = crowd, .last = last};
  bool all = true;
  for (uint32_t n = 0; n < crowd->own_count; n++) {
    uint32_t s = crowd->own[n], slot = crowd->slot[s], row = world->order.row[slot];
    if (world->rows.model[row] != work->model || world->mesh->decided[slot] || !th_decide_due(work, slot, row))
      continue;
    g.slot[g.count] = slot;
    g.seen[g.count++] = s;
    if (g.count == 16) all &= decide_group(work, worker, &g);
  }
  return decide_group(work, worker, &g) && all;
}

/* Views on a mesh: the patch is laid flat first. The nearest agents are searched close by, then farther off for agents
 * that have not found enough. */
static void run_chart(th_pass_work *work, const th_chart *chart, uint32_t worker) {
  th_world *world = work->world;
  th_patch_crowd *crowd = &world->mesh->crowd[worker];
  const th_view_need need = th_decide_need(work);
  uint32_t see = need.see;
  float max = see & (TH_SEE_NEIGHBOURS | TH_SEE_NEAREST | TH_SEE_LINKS) ? need.reach : 0.0f;
  th_patch_crowd_begin(crowd, &work->input, chart);
  memset(world->mesh->decided + crowd->own_first, 0, crowd->own_last - crowd->own_first);
  float reach = see & (TH_SEE_NEIGHBOURS | TH_SEE_LINKS) ? max : th_patch_crowd_guess(crowd, need.nearest, max);
  for (bool all = false; !all; reach = fminf(2.0f * reach, max)) {
    th_patch_crowd_gather(crowd, &work->input, reach);
    (see & BODIES ? th_patch_crowd_neighbours : th_patch_crowd_names)(crowd, &work->input);
    th_patch_crowd_line_up(crowd, &work->input);
    all = look_round(work, worker, reach >= max || crowd->crowded || reach > chart->cover);
  }
}

/* NULL when there was no memory for it, or for the markers that the pass sees. Markers are read last: the
 * head of their sheet is fetched here. */
static const th_chart *chart_of(const th_pass_work *work, uint32_t patch) {
  const th_atlas *atlas = work->world->mesh->atlas;
  const th_chart *chart = th_atlas_chart(atlas, patch);
  th_atlas_fetch_after(atlas, patch);
  if (chart && work->markers && chart->sheet) th_fetch_lines(chart->sheet, sizeof *chart->sheet);
  return chart && work->markers && !chart->sheet ? NULL : chart;
}

static void over_charts(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  th_pass_work *work = context;
  const th_order *order = &work->world->order;
  for (uint32_t patch = begin; patch < end; patch++) {
    uint32_t first, last;
    th_order_patch(order, patch, &first, &last);
    const th_chart *chart = chart_of(work, patch);
    if (chart && th_decide_anyone_due(work, order->start[first], order->start[last])) run_chart(work, chart, worker);
  }
}

/* Candidates and markers of a patch of a mesh; false when nobody is near. */
static bool fill_chart(th_pass_work *work, uint32_t patch, uint32_t worker, const th_view_need *need, th_own_run *own) {
  th_world *world = work->world;
  th_patch_crowd *crowd = &world->mesh->crowd[worker];
  th_view_scratch *scratch = &world->scratch[worker].view;
  const th_chart *chart = chart_of(work, patch);
  if (!chart) return false;
  th_patch_crowd_begin(crowd, &work->input, chart);
  th_patch_crowd_gather(crowd, &work->input, need->reach);
  if (!crowd->order.count) return false;
  th_patch_crowd_neighbours(crowd, &work->input);
  *own = (th_own_run){0, th_patch_crowd_fill_patch(crowd, scratch, need, world->simd)};
  if (need->see & TH_SEE_WALLS) scratch->view.wall = chart->wall, scratch->view.wall_count = chart->wall_count;
  if (!(need->see & TH_SEE_MARKERS)) return true;
  scratch->view.markers = th_view_markers_chart(&chart->sheet->own, crowd->slot);
  return true;
}

static void begin_charts(th_pass_work *work) {
  work->input = th_world_mesh_crowd_input(work->world, work->source.columns);
  if (work->world->mesh->overhead) th_world_overhead_look(work->world);
}

const th_view_calls th_mesh_view_calls = {begin_charts, over_charts, 1, fill_chart};
