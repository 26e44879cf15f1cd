/* io/scene/cell.c - the raster cell of a flat ground that names none.
 *
 * In a passage where a body has few cells of room beside itself, flow depends on where the raster falls: 24 people
 * through a door of 0.8 m that moves by 10 cm take 17.7 and 23.4 s in cells of 0.25 m (1.2 cells of room), 21.9 and
 * 21.2 s in cells of 0.0625 m (4.8 cells). So the usual cell is halved, once or twice, until the narrowest passage has
 * three cells of room; not if the raster gets more cells than
 * LIMIT, with which a harmonic field takes 150 MB. Doors count as open. Halves keep walls that lie on the usual raster
 * on the finer one. Cost: a ground in cells of the usual size and a search for passages, at most 40 ms.
 */
#include <math.h>

#include "base/error.h"
#include "io/scene/world.h"

#define LIMIT 250000.0
#define MAX_PASSAGES 256u
#define MIN_CELL 0.0625f

static double cells_in(const th_ground *ground, float cell) {
  th_vec2 lower, upper;
  th_ground_bounds(ground, &lower, &upper);
  return (double)(upper.x - lower.x) * (double)(upper.y - lower.y) / ((double)cell * (double)cell);
}

/* The least room that a body has in a passage; infinite without one, negative when memory is short. */
static float least_room(const th_ground *ground, const float *radius_class) {
  th_passage passage[MAX_PASSAGES];
  uint32_t count = th_ground_passages(ground, TH_ROOM_CELLS, passage, MAX_PASSAGES);
  float least = count == UINT32_MAX ? -1.0f : INFINITY;
  for (uint32_t i = 0; i < count && i < MAX_PASSAGES && count < UINT32_MAX; i++)
    least = fminf(least, fmaxf(passage[i].width - 2.0f * radius_class[passage[i].radius_class], 0.0f));
  return least;
}

static bool may_halve(const th_ground *ground, float cell) {
  return cell > MIN_CELL && cells_in(ground, 0.5f * cell) <= LIMIT;
}

th_result th_scene_fit_cell(const th_flat_def *def, float *cell, th_error *error) {
  th_ground *ground;
  th_flat_def trial = *def;
  trial.cell = th_default_flat_def().cell;
  th_result result = th_ground_make_flat(&trial, &ground, error);
  if (result != TH_OK) return result;
  float fitted = trial.cell;
  if (may_halve(ground, fitted)) {
    const float room = least_room(ground, def->radius_class);
    if (room < 0.0f) result = th_fail_memory(error, "passages");
    while (room < TH_ROOM_CELLS * fitted && may_halve(ground, fitted)) fitted *= 0.5f;
  }
  th_ground_release(ground);
  if (result == TH_OK) *cell = fitted;
  return result;
}
