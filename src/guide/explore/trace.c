/* guide/explore/trace.c - what an exploration publishes: its direction and why, how much is known, the map around the
 * agent.
 *
 * On flat ground the map is published as a small raster of the cells around the agent; a mesh has no grid to show.
 * Cost: reading 225 cells, only for agents that are traced.
 */
#include "guide/explore/explore.h"

enum { TOWARDS, KNOWN, MAP };
const th_trace th_explore_traces[TH_EXPLORE_TRACES] = {
    [TOWARDS] = {"towards", TH_TRACE_VECTOR, "",
                 "direction, a unit vector; value: 1 to the found target, 0 to the unknown", 0x0072b2},
    [KNOWN] = {"known", TH_TRACE_SCALAR, "m2", "what all explorers together have seen", 0},
    [MAP] = {"map", TH_TRACE_RASTER, "", "flat ground around the agent: 0 blocked, 1 free, 2 unknown", 0},
};

#define SPAN 15u /* cells along a side */

static float shown(uint8_t mark) {
  if (!(mark & TH_EXPLORE_KNOWN)) return 2.0f;
  return mark & TH_EXPLORE_BLOCKED ? 0.0f : 1.0f;
}

static uint32_t first_of(uint32_t at, uint32_t count) {
  const uint32_t low = at > SPAN / 2 ? at - SPAN / 2 : 0;
  return low + SPAN < count ? low : count > SPAN ? count - SPAN : 0;
}

static void publish_map(const th_guide_query *query, uint32_t lane) {
  const th_explore_map map = th_explore_flat_open(query->memory);
  const uint32_t width = map.head->width, height = map.head->height, cell = query->cell[lane];
  const uint32_t i0 = first_of(cell % width, width), j0 = first_of(cell / width, height);
  const th_flat_ground *flat = query->ground->flat;
  th_trace_grid grid = {.x0 = flat->x0 + ((float)i0 + 0.5f) * map.head->cell,
                        .y0 = flat->y0 + ((float)j0 + 0.5f) * map.head->cell,
                        .ux = 1.0f,
                        .cell = map.head->cell,
                        .columns = width < SPAN ? width : SPAN,
                        .rows = height < SPAN ? height : SPAN};
  float value[SPAN * SPAN];
  for (uint32_t j = 0; j < grid.rows; j++)
    for (uint32_t i = 0; i < grid.columns; i++)
      value[j * grid.columns + i] = shown(map.mark[(size_t)(j0 + j) * width + i0 + i]);
  th_trace_raster(query->trace, lane, &th_explore_traces[MAP], &grid, value);
}

void th_explore_trace_publish(const th_guide_query *query, uint32_t lane, bool found) {
  const th_guide_answer *want = &query->want[lane];
  if (want->state == TH_ANSWER_LEAD)
    th_trace_vector(query->trace, lane, &th_explore_traces[TOWARDS], (th_vec2){want->dx, want->dy}, found);
  th_trace_scalar(query->trace, lane, &th_explore_traces[KNOWN], th_explore_read(query->memory).area);
  if (!th_ground_is_mesh(query->ground)) publish_map(query, lane);
}
