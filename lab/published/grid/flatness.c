/* lab/published/grid/flatness.c - where a potential has no slope left.
 *
 * In a passage of free width W, 1 - p falls like exp(-pi distance / (W + 1)): a few widths from the goal p cannot be
 * told from 1, whatever the cell size. There are two measures. A cell is flat when its gradient is below a threshold
 * (Dapper 2007, section 4.2). A cell is lost when steps to the best of its four neighbours do not end on a goal, which
 * tells what an agent would experience: a field with tiny but correct slopes has no lost cells. Cost: one pass each;
 * the second measure follows each cell's steps once, because the result beyond a settled cell is known.
 */
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/trig.h"
#include "lab/published/grid/relaxation.h"

th_flatness_def th_default_flatness_def(void) {
  return (th_flatness_def){.null_gradient = 1e-8, .ring = 1e-5, .sweeps = 100, .max_subgoals = 1000};
}

bool th_relaxation_is_flat(const th_relaxation *r, uint32_t i, uint32_t j, double null_gradient) {
  if (th_relaxation_tile(r, i, j) != TH_TILE_FREE) return false;
  double gx, gy;
  th_relaxation_descent(r, i, j, &gx, &gy);
  return (gx == 0.0 && gy == 0.0) || th_hypot_double(gx, gy) < null_gradient;
}

uint32_t th_relaxation_flat(const th_relaxation *r, double null_gradient, uint8_t *mark) {
  uint32_t width, height, count = 0;
  th_relaxation_size(r, &width, &height);
  for (uint32_t j = 0; j < height; j++)
    for (uint32_t i = 0; i < width; i++) {
      bool flat = th_relaxation_is_flat(r, i, j, null_gradient);
      if (mark) mark[(size_t)j * width + i] = flat;
      count += flat;
    }
  return count;
}

enum { UNSEEN, ON_THE_WAY, LEADS, LOST };

typedef struct climb {
  const th_grid *grid;
  const double *height;
  uint8_t *state;
  size_t *path; /* cells of the current run of steps */
} climb;

/* The highest of the four neighbours if it lies above c, else c. */
static size_t best_of(const climb *s, size_t c) {
  const size_t w = s->grid->width, i = c % w, j = c / w;
  const bool there[4] = {i + 1 < w, j + 1 < s->grid->height, i > 0, j > 0};
  const size_t side[4] = {c + 1, c + w, c - 1, c - w};
  size_t best = c;
  for (int k = 0; k < 4; k++)
    if (there[k] && s->grid->cell[side[k]] != TH_TILE_WALL && s->height[side[k]] > s->height[best]) best = side[k];
  return best;
}

/* Steps from c to a cell whose result is known, and gives that result to all cells on the path. Heights rise, so no
 * step returns. */
static void settle_from(climb *s, size_t c) {
  size_t count = 0;
  while (s->state[c] == UNSEEN) {
    s->path[count++] = c;
    s->state[c] = ON_THE_WAY;
    size_t next = best_of(s, c);
    if (s->grid->cell[c] == TH_TILE_GOAL)
      s->state[c] = LEADS;
    else if (next == c)
      s->state[c] = LOST;
    else
      c = next;
  }
  const uint8_t end = s->state[c];
  while (count > 0) s->state[s->path[--count]] = end;
}

th_result th_grid_lost(const th_grid *grid, const double *height, uint32_t *lost, th_error *error) {
  const th_env full = th_env_complete(&grid->env);
  const size_t cells = (size_t)grid->width * grid->height;
  climb s = {grid, height, TH_TAKE(&full.allocator, uint8_t, cells), TH_TAKE(&full.allocator, size_t, cells)};
  th_result result = TH_OK;
  if (s.state && s.path) {
    *lost = 0;
    for (size_t c = 0; c < cells; c++) {
      if (grid->cell[c] != TH_TILE_FREE) continue;
      settle_from(&s, c);
      *lost += s.state[c] == LOST;
    }
  } else {
    result = th_fail_memory(error, "lost cells");
  }
  TH_GIVE(&full.allocator, s.path, cells);
  TH_GIVE(&full.allocator, s.state, cells);
  return result;
}
