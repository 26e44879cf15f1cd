/* lab/published/grid/subgoals.c - a stack of sub-goals that leads out of flat regions.
 *
 * The contour p = p_min, which lies just inside the region that is not flat, becomes a goal (a ring), and a hundred
 * sweeps carry a gradient from there into the flat region. If they do not reach far enough, the next ring is put on the
 * contour of that new field, and so on. A walker that reaches a ring drops it and follows the field of the level below,
 * down to the field of the goal itself (Dapper 2007, section 4.2). p_min cannot be met by equality in floating point: a
 * ring is every free cell with p <= p_min next to a free one above. Levels depend on the map only and are shared by all
 * walkers; each walker only keeps the number of its level. Cost of a level: one copy of the map and the sweeps.
 */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "lab/published/grid/relaxation.h"

typedef struct level {
  th_relaxation *field;
  uint8_t *ring; /* width * height; NULL for level 0 */
} level;

struct th_subgoals {
  th_env env;
  th_flatness_def def;
  uint32_t width, height;
  level *level;
  uint32_t count, capacity; /* of levels, level 0 included */
};

static size_t cells_of(const th_subgoals *s) { return (size_t)s->width * s->height; }

static th_result check_def(const th_flatness_def *def, th_error *error) {
  if (!(def->null_gradient >= 0.0 && def->null_gradient <= 1.0))
    return th_fail(error, TH_ERROR_RANGE, "flatness.null_gradient", "expected 0 to 1, found %g", def->null_gradient);
  if (!(def->ring > 0.0 && def->ring < 1.0))
    return th_fail(error, TH_ERROR_RANGE, "flatness.ring", "expected above 0 and below 1, found %g", def->ring);
  if (def->sweeps == 0 || def->max_subgoals == 0)
    return th_fail(error, TH_ERROR_RANGE, "flatness", "expected at least 1 sweep and 1 sub-goal, found %u and %u",
                   def->sweeps, def->max_subgoals);
  return TH_OK;
}

static void level_free(const th_subgoals *s, level *l) {
  th_relaxation_free(l->field);
  TH_GIVE(&s->env.allocator, l->ring, cells_of(s));
}

void th_subgoals_free(th_subgoals *s) {
  if (!s) return;
  th_allocator allocator = s->env.allocator;
  for (uint32_t n = 0; n < s->count; n++) level_free(s, &s->level[n]);
  TH_GIVE(&allocator, s->level, s->capacity);
  TH_GIVE(&allocator, s, 1);
}

/* Reserves one more level on the stack. */
static bool grow_levels(th_subgoals *s) {
  return th_grow(&s->env.allocator, (void **)&s->level, &s->capacity, s->count + 1, sizeof *s->level);
}

th_result th_subgoals_make(const th_relaxation *field, const th_flatness_def *def, th_subgoals **subgoals,
                           th_error *error) {
  *subgoals = NULL;
  th_result result = check_def(def, error);
  if (result != TH_OK) return result;
  const th_env full = field->env;
  th_subgoals *s = TH_TAKE(&full.allocator, th_subgoals, 1);
  if (!s) return th_fail_memory(error, "sub-goals");
  s->env = full;
  s->def = *def;
  th_relaxation_size(field, &s->width, &s->height);
  level first = {NULL, NULL};
  result = grow_levels(s) ? th_relaxation_copy(field, &first.field, error) : th_fail_memory(error, "sub-goals");
  if (result == TH_OK) {
    s->level[s->count++] = first;
    *subgoals = s;
  } else {
    th_subgoals_free(s);
  }
  return result;
}

/* p <= p_min as u >= ring or as p <= 1 - ring, whichever the field stores. */
static bool is_below(const th_subgoals *s, const th_relaxation *field, size_t at) {
  const double stored = th_relaxation_stored(field, at);
  return field->def.storage == TH_STORAGE_U ? stored >= s->def.ring : stored <= th_p_of(s->def.ring);
}

static bool is_contour(const th_subgoals *s, const th_relaxation *field, size_t at) {
  if (field->tile[at] != TH_TILE_FREE || !is_below(s, field, at)) return false;
  const size_t side[4] = {at + 1, at + field->width, at - 1, at - field->width};
  for (int k = 0; k < 4; k++)
    if (field->tile[side[k]] == TH_TILE_FREE && !is_below(s, field, side[k])) return true;
  return false;
}

static uint32_t find_ring(const th_subgoals *s, const th_relaxation *field, uint8_t *ring) {
  uint32_t count = 0;
  for (uint32_t j = 0; j < s->height; j++)
    for (uint32_t i = 0; i < s->width; i++) {
      bool on = is_contour(s, field, th_relaxation_at(field, i, j));
      ring[(size_t)j * s->width + i] = on;
      count += on;
    }
  return count;
}

/* Relaxes by Gauss-Seidel, whatever rule the field uses: 100 sweeps of the other rules are too few or not smooth. */
static void relax_ring(const th_subgoals *s, level *l) {
  for (uint32_t j = 0; j < s->height; j++)
    for (uint32_t i = 0; i < s->width; i++)
      if (l->ring[(size_t)j * s->width + i]) th_relaxation_mark(l->field, i, j, TH_TILE_GOAL);
  if (l->field->def.method != TH_METHOD_SEIDEL_ALTERNATING) l->field->def.method = TH_METHOD_SEIDEL;
  th_relaxation_sweep(l->field, s->def.sweeps);
}

static th_result push(th_subgoals *s, th_error *error) {
  if (s->count > s->def.max_subgoals)
    return th_fail(error, TH_ERROR_CAPACITY, "sub-goals", "expected at most %u, found that more are needed",
                   s->def.max_subgoals);
  if (!grow_levels(s)) return th_fail_memory(error, "sub-goals");
  level made = {NULL, NULL};
  th_result result = th_relaxation_copy(s->level[s->count - 1].field, &made.field, error);
  if (result != TH_OK) return result;
  made.ring = TH_TAKE(&s->env.allocator, uint8_t, cells_of(s));
  if (!made.ring) {
    level_free(s, &made);
    return th_fail_memory(error, "sub-goals");
  }
  if (find_ring(s, made.field, made.ring) == 0) {
    level_free(s, &made);
    return th_fail(error, TH_ERROR_UNREACHABLE, "sub-goals",
                   "expected cells at p = 1 - %g to lead on from, found none after %u sub-goals", s->def.ring,
                   s->count - 1);
  }
  relax_ring(s, &made);
  s->level[s->count++] = made;
  return TH_OK;
}

th_result th_subgoals_reach(th_subgoals *s, uint32_t i, uint32_t j, uint32_t *level_found, th_error *error) {
  for (uint32_t n = 0;; n++) {
    if (n == s->count) {
      th_result result = push(s, error);
      if (result != TH_OK) return result;
    }
    if (th_relaxation_is_flat(s->level[n].field, i, j, s->def.null_gradient)) continue;
    *level_found = n;
    return TH_OK;
  }
}

uint32_t th_subgoals_drop(const th_subgoals *s, uint32_t on, uint32_t i, uint32_t j) {
  if (on >= s->count) on = s->count - 1;
  if (i >= s->width || j >= s->height) return on;
  while (on > 0 && s->level[on].ring[(size_t)j * s->width + i]) on--;
  return on;
}

uint32_t th_subgoals_count(const th_subgoals *s) { return s->count - 1; }

const th_relaxation *th_subgoals_field(const th_subgoals *s, uint32_t on) {
  return s->level[on < s->count ? on : s->count - 1].field;
}

const uint8_t *th_subgoals_ring(const th_subgoals *s, uint32_t on) { return on < s->count ? s->level[on].ring : NULL; }

double th_subgoals_null_gradient(const th_subgoals *s) { return s->def.null_gradient; }
