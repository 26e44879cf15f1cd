/* field/grid/blocked/exit.c - chooses the exit of a blocked cell for one goal.
 *
 * A body that is smaller than its class, or was pushed, stands in the band that inflation blocks. The nearest free cell
 * may lie behind it: two people who leave a row of seats and are pressed to its end are then led against each other
 * for ever. So the exit is the nearest free cell that does not lead back: what is left there is no more than what is
 * left here by the best free cell around, the distance there included; in roomy fields, what that costs. (The best one
 * itself leads along the wall, and whoever is beside would be pushed against it: at a pillar walls stopped four times
 * as many steps.) An exit is hardly farther than the nearest free cell; a body that walks there straight comes no
 * closer to a wall; and it is joined to the nearest by free cells around, so that nobody is led through a gap that the
 * class does not fit. A wall may run through a solid cell, so from there only what the nearest free cell sees too
 * counts. Of equal ones the lowest number wins. Cost: some 50 cells looked at for each blocked one, lines of sight for
 * a few of them; about 2 us.
 */
#include "field/grid/blocked/exit.h"

#include <math.h>

#include "base/trig.h"
#include "field/grid/geodesic.h"

#define FURTHER 2.0   /* cells beyond the nearest free one: enough to get round a corner that juts out */
#define BACK 0.5      /* cells: what is left may be this much more at the exit */
#define GRAZE 0.1f    /* cells: clearances are those of centres */
#define MAX_REACH 16u /* cells; deeper in the band the nearest free cell will do */

/* The cells around a blocked one that may be its exit. */
typedef struct surroundings {
  const th_field_build *build;
  uint32_t cell, nearest;
  uint32_t i0, i1, j0, j1;                                   /* columns and rows */
  uint8_t joined[(2 * MAX_REACH + 1) * (2 * MAX_REACH + 1)]; /* to the nearest by free cells; valid once known */
  bool known;
} surroundings;

static double steps_between(uint32_t width, uint32_t a, uint32_t b) {
  return th_hypot_double((double)(a % width) - (double)(b % width), (double)(a / width) - (double)(b / width));
}

static uint8_t *joined_at(surroundings *s, uint32_t i, uint32_t j) {
  return &s->joined[(j - s->j0) * (2 * MAX_REACH + 1) + i - s->i0];
}

/* Marks a free cell beside a marked one; true when it is new. */
static bool join(surroundings *s, uint32_t i, uint32_t j) {
  uint8_t *at = joined_at(s, i, j);
  if (*at || !th_is_free(s->build, (size_t)j * s->build->ground->flat->width + i)) return false;
  *at = (i > s->i0 && *joined_at(s, i - 1, j)) || (i + 1 < s->i1 && *joined_at(s, i + 1, j)) ||
        (j > s->j0 && *joined_at(s, i, j - 1)) || (j + 1 < s->j1 && *joined_at(s, i, j + 1));
  return *at;
}

/* Sweeps to and fro: two or three rounds settle all but spirals. */
static void join_all(surroundings *s) {
  const uint32_t w = s->build->ground->flat->width;
  for (uint32_t j = s->j0; j < s->j1; j++)
    for (uint32_t i = s->i0; i < s->i1; i++) *joined_at(s, i, j) = j * w + i == s->nearest;
  for (bool grows = true; grows;) {
    grows = false;
    for (uint32_t j = s->j0; j < s->j1; j++)
      for (uint32_t i = s->i0; i < s->i1; i++) grows |= join(s, i, j);
    for (uint32_t j = s->j1; j-- > s->j0;)
      for (uint32_t i = s->i1; i-- > s->i0;) grows |= join(s, i, j);
  }
  s->known = true;
}

/* Clearance at (x, y), in cells from the centre of the first cell, between those of the centres around [m]. */
static float clearance_at(const th_flat_ground *flat, float x, float y) {
  const uint32_t i = (uint32_t)x, j = (uint32_t)y;
  const float *c = flat->clearance + (size_t)j * flat->width + i, u = x - (float)i, v = y - (float)j;
  return (1.0f - v) * (c[0] + u * (c[1] - c[0])) + v * (c[flat->width] + u * (c[flat->width + 1] - c[flat->width]));
}

/* Whether a body that stands at (x, y) touches no wall on its path to cell c: nowhere is it closer to one. */
static bool keeps_clear(const surroundings *s, float x, float y, uint32_t c) {
  const th_flat_ground *flat = s->build->ground->flat;
  const float dx = (float)(c % flat->width) - x, dy = (float)(c / flat->width) - y;
  const float own = clearance_at(flat, x, y) - GRAZE * s->build->ground->cell;
  const int parts = 2 * (int)(fabsf(dx) > fabsf(dy) ? fabsf(dx) : fabsf(dy)) + 2;
  for (int k = 1; k < parts; k++) {
    const float t = (float)k / (float)parts;
    if (clearance_at(flat, x + t * dx, y + t * dy) < own) return false;
  }
  return true;
}

/* The same from the middle and the corners of the blocked cell. */
static bool all_keep_clear(const surroundings *s, uint32_t c) {
  const uint32_t w = s->build->ground->flat->width;
  const float x = (float)(s->cell % w), y = (float)(s->cell / w);
  return keeps_clear(s, x, y, c) && keeps_clear(s, x - 0.5f, y - 0.5f, c) && keeps_clear(s, x + 0.5f, y - 0.5f, c) &&
         keeps_clear(s, x - 0.5f, y + 0.5f, c) && keeps_clear(s, x + 0.5f, y + 0.5f, c);
}

/* Whether a body may walk straight from the blocked cell to a free one. */
static bool leads_to(surroundings *s, uint32_t c) {
  const th_flat_ground *flat = s->build->ground->flat;
  const th_grid_sight walkable = {flat->width, flat->solid, 1}, free = {flat->width, s->build->kind, TH_CELL_WALL};
  if (!all_keep_clear(s, c) || !th_grid_sees(&walkable, s->cell, c)) return false;
  if (th_grid_sees(&free, s->nearest, c)) return true;
  if (flat->solid[s->cell] && !th_grid_sees(&walkable, s->nearest, c)) return false;
  if (!s->known) join_all(s);
  return *joined_at(s, c % flat->width, c / flat->width);
}

static uint32_t low_end(uint32_t at, uint32_t reach) { return at > reach ? at - reach : 0; }
static uint32_t high_end(uint32_t at, uint32_t reach, uint32_t size) {
  return at + reach + 1 < size ? at + reach + 1 : size;
}

/* The free cell that leaves the least, the distance there included. */
static double least_left(surroundings *s, double reach, uint32_t *best) {
  const uint32_t w = s->build->ground->flat->width;
  double min = s->build->band * steps_between(w, s->cell, s->nearest) + s->build->lead[s->nearest];
  *best = s->nearest;
  for (uint32_t row = s->j0; row < s->j1; row++)
    for (uint32_t c = row * w + s->i0; c < row * w + s->i1; c++) {
      if (!th_is_free(s->build, c) || !(s->build->lead[c] < min)) continue;
      const double span = steps_between(w, s->cell, c), left = s->build->lead[c] + s->build->band * span;
      if (left < min && span <= reach && leads_to(s, c)) min = left, *best = c;
    }
  return min;
}

/* The nearest free cell from where no more is left than `most`; `best` is one. */
static uint32_t nearest_ahead(surroundings *s, double most, uint32_t best) {
  const uint32_t w = s->build->ground->flat->width;
  double min = steps_between(w, s->cell, best);
  for (uint32_t row = s->j0; row < s->j1; row++)
    for (uint32_t c = row * w + s->i0; c < row * w + s->i1; c++) {
      if (!th_is_free(s->build, c) || !(s->build->lead[c] <= most)) continue;
      const double span = steps_between(w, s->cell, c);
      if (span < min && leads_to(s, c)) min = span, best = c;
    }
  return best;
}

static void look_as_far_as(surroundings *s, double reach) {
  const th_flat_ground *flat = s->build->ground->flat;
  const uint32_t i = s->cell % flat->width, j = s->cell / flat->width, side = (uint32_t)reach;
  s->i0 = low_end(i, side), s->i1 = high_end(i, side, flat->width);
  s->j0 = low_end(j, side), s->j1 = high_end(j, side, flat->height);
}

/* The nearest free cell may lie round a corner, or beyond a gap that the class does not fit: then the nearest of those
 * in sight and with a path, if there is one. */
static void find_in_sight(surroundings *s) {
  const th_flat_ground *flat = s->build->ground->flat;
  const th_grid_sight walkable = {flat->width, flat->solid, 1};
  if (th_grid_sees(&walkable, s->cell, s->nearest)) return;
  double min = INFINITY;
  look_as_far_as(s, (double)MAX_REACH);
  for (uint32_t row = s->j0; row < s->j1; row++)
    for (uint32_t c = row * flat->width + s->i0; c < row * flat->width + s->i1; c++) {
      if (!th_is_free(s->build, c) || !isfinite(s->build->lead[c])) continue;
      const double far = steps_between(flat->width, s->cell, c);
      if (far < min && th_grid_sees(&walkable, s->cell, c)) min = far, s->nearest = c;
    }
}

uint32_t th_exit_of(const th_field_build *build, uint32_t cell) {
  const uint32_t w = build->ground->flat->width;
  surroundings s;
  s.build = build, s.cell = cell, s.nearest = build->nearest_free[cell], s.known = false;
  if (s.nearest == TH_NO_CELL) return s.nearest;
  find_in_sight(&s);
  const double reach = steps_between(w, cell, s.nearest) + FURTHER;
  if (reach > (double)MAX_REACH) return s.nearest;
  look_as_far_as(&s, reach);
  uint32_t best;
  const double left = least_left(&s, reach, &best);
  return nearest_ahead(&s, left + BACK, best);
}
