/* world/step/path_view.c - shows models the paths of their guides.
 *
 * A guide that leads along a path gives its next corners in space; a view shows them in its chart. Guides are asked
 * only for views whose model reads paths, so other models pay nothing. Cost on a mesh: about 1 us per corner, to find
 * it in the chart.
 */
#include <math.h>

#include "world/step/decide.h"

static th_guide_corners corners_of(const th_world *world, uint32_t row) {
  const th_rows *rows = &world->rows;
  th_guide_corners path = {.left = INFINITY, .right = INFINITY};
  const th_guide_slot *use = rows->guide[row] ? &world->guides.guide[rows->guide[row] - 1] : NULL;
  if (!use || !use->kind->corners) return path;
  const th_field *field = rows->field[row] == TH_NO_FIELD ? NULL : world->entry[rows->field[row]].field;
  void *state = &rows->guide_memory[row], *memory = th_guide_row(&use->rows, rows->guide_row[row]);
  /* kernels may read all sixteen lanes */
  const uint32_t agent[16] = {rows->agent[row]}, cell[16] = {rows->cell[row]};
  const float x[16] = {rows->x[row]}, y[16] = {rows->y[row]};
  use->kind->corners(&(th_guide_query){.params = use->params,
                                       .ground = world->ground,
                                       .lanes = 1,
                                       .agent = agent,
                                       .cell = cell,
                                       .x = x,
                                       .y = y,
                                       .v = &rows->v[row],
                                       .eps = &rows->eps[row],
                                       .field = field,
                                       .fields = use->kind->own_fields ? &field : NULL,
                                       .memory = use->memory,
                                       .shared = use->shared.data,
                                       .state = use->kind->state_size ? &state : NULL,
                                       .row = use->rows.size ? &memory : NULL,
                                       .dt = world->dt,
                                       .step = world->step,
                                       .sense = (uint32_t)world->def.sense,
                                       .simd = (uint32_t)world->simd},
                     &path);
  if (path.count > TH_PATH_CORNERS) path.count = TH_PATH_CORNERS; /* a host's guide may err */
  return path;
}

/* A point of space as the agent of a lane sees it: in the chart when that holds it. */
static th_vec2 seen_from(const th_path_sight *sight, uint32_t at, th_vec3 point) {
  if (!sight->crowd) return (th_vec2){point.x, point.y};
  const th_patch_crowd_input *input = sight->input;
  th_place place = th_ground_locate_at(input->ground, point, TH_ANY_LEVEL, INFINITY);
  const th_chart_map *map =
      place.cell == TH_NO_CELL ? NULL : th_chart_find(sight->crowd->chart, input->patches, place.cell);
  if (map) return th_chart_point(map, place.x, place.y);
  return th_patch_crowd_towards(sight->crowd, input, at, point);
}

void th_world_show_paths(const th_world *world, th_worker_scratch *scratch, const uint32_t *row,
                         const th_path_sight *sight) {
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) {
    th_view_path *to = &scratch->path[lane];
    *to = lane ? scratch->path[lane - 1] : (th_view_path){0};
    if (lane >= scratch->view.view.lanes) continue; /* they repeat the last agent */
    const th_guide_corners path = corners_of(world, row[lane]);
    *to = (th_view_path){.count = path.count,
                         .guide = world->rows.guide[row[lane]],
                         .number = path.number,
                         .left = path.left,
                         .right = path.right};
    if (!path.count) continue;
    const uint32_t at = scratch->view.slot[lane];
    const th_vec2 back = seen_from(sight, at, path.back);
    to->back_x = back.x;
    to->back_y = back.y;
    for (uint32_t i = 0; i < path.count; i++) {
      const th_vec2 p = seen_from(sight, at, path.corner[i]);
      to->x[i] = p.x;
      to->y[i] = p.y;
    }
  }
  scratch->view.view.path = scratch->path;
}
