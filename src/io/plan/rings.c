/* io/plan/rings.c - lines as they are drawn become rings.
 *
 * Drawings hold a room's wall as four lines as often as one ring, and repeat points. Each open line is followed from
 * end to end through the unused lines of its layer, first forwards, then, turned round, from its beginning; of several
 * that begin there the first of the file goes on, so the result does not depend on rounding. Cost: O(lines^2) in a
 * layer.
 */
#include "io/plan/rings.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/plan/shapes.h"

#define SAME 1e-4 /* [m] */
#define MEET 1e-3 /* [m] */

typedef struct joining {
  const th_plan *from;
  th_plan *to;
  double unit;
  bool *used; /* by shape of `from` */
} joining;

static bool near(th_plan_point a, th_plan_point b, double within) { return hypot(a.x - b.x, a.y - b.y) <= within; }

static th_plan_point point_of(const joining *j, const th_plan_shape *shape, uint32_t k) {
  const th_plan_point p = j->from->point[shape->first + k];
  return (th_plan_point){p.x * j->unit, p.y * j->unit};
}

static th_plan_point last_of(const th_plan *plan) { return plan->point[plan->point_count - 1]; }

/* To the shape begun last; not twice the same. */
static bool add(th_plan *to, th_plan_point p) {
  const bool first = to->shape[to->shape_count - 1].count == 0;
  return (!first && near(last_of(to), p, SAME)) || th_shapes_point(to, p.x, p.y);
}

/* The points of a shape, `back`: from its end. */
static bool add_all(const joining *j, const th_plan_shape *shape, bool back) {
  for (uint32_t k = 0; k < shape->count; k++)
    if (!add(j->to, point_of(j, shape, back ? shape->count - 1 - k : k))) return false;
  return true;
}

/* An unused open line of the layer that begins or ends at a point; UINT32_MAX: none. */
static uint32_t next_at(const joining *j, uint32_t layer, th_plan_point at, bool *back) {
  for (uint32_t i = 0; i < j->from->shape_count; i++) {
    const th_plan_shape *shape = &j->from->shape[i];
    if (j->used[i] || shape->closed || shape->layer != layer || shape->count < 2) continue;
    *back = near(point_of(j, shape, shape->count - 1), at, MEET);
    if (*back || near(point_of(j, shape, 0), at, MEET)) return i;
  }
  return UINT32_MAX;
}

static bool follow(const joining *j, uint32_t layer) {
  bool back;
  for (uint32_t i; (i = next_at(j, layer, last_of(j->to), &back)) != UINT32_MAX;) {
    j->used[i] = true;
    if (!add_all(j, &j->from->shape[i], back)) return false;
  }
  return true;
}

static void turn_round(th_plan *plan) {
  const th_plan_shape *shape = &plan->shape[plan->shape_count - 1];
  for (uint32_t a = shape->first, b = shape->first + shape->count - 1; a < b; a++, b--) {
    const th_plan_point p = plan->point[a];
    plan->point[a] = plan->point[b], plan->point[b] = p;
  }
}

static bool before(th_plan_point a, th_plan_point b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }

static double twice_area(const th_plan_point *p, uint32_t count) {
  double twice = 0.0; /* sum of (x_i y_(i+1) - x_(i+1) y_i) */
  for (uint32_t i = 0, k = count - 1; i < count; k = i++) twice += p[k].x * p[i].y - p[i].x * p[k].y;
  return twice;
}

/* The same ring or line however it was drawn: rings run counter-clockwise from their leftmost point, lines from the end
 * farther left. */
static void straighten(th_plan *plan) {
  const th_plan_shape *shape = &plan->shape[plan->shape_count - 1];
  th_plan_point *p = &plan->point[shape->first];
  const uint32_t n = shape->count;
  if (shape->closed ? twice_area(p, n) < 0.0 : before(p[n - 1], p[0])) turn_round(plan);
  uint32_t least = 0;
  for (uint32_t k = 1; k < n && shape->closed; k++)
    if (before(p[k], p[least])) least = k;
  for (; least > 0; least--) {
    const th_plan_point first = p[0];
    memmove(p, p + 1, (n - 1) * sizeof *p);
    p[n - 1] = first;
  }
}

/* Takes the shape begun last away when nothing is left of it. */
static void finish(joining *j, uint32_t *dropped) {
  th_plan *to = j->to;
  th_plan_shape *shape = &to->shape[to->shape_count - 1];
  const bool returns = shape->count > 1 && near(to->point[shape->first], last_of(to), MEET);
  if (returns) shape->count--, to->point_count--;
  if (returns && !shape->closed) {
    shape->closed = true;
    to->layer[shape->layer].lines--, to->layer[shape->layer].rings++;
  }
  if (shape->count >= (shape->closed ? 3u : 2u)) {
    straighten(to);
    return;
  }
  *dropped += 1;
  to->point_count = shape->first;
  to->shape_count--;
}

static bool join_all(joining *j, uint32_t *dropped) {
  for (uint32_t i = 0; i < j->from->shape_count; i++) {
    const th_plan_shape *shape = &j->from->shape[i];
    if (j->used[i]) continue;
    j->used[i] = true;
    if (!th_shapes_begin(j->to, shape->layer, shape->closed, shape->hole)) return false;
    if (!add_all(j, shape, false)) return false;
    if (!shape->closed && shape->count) {
      if (!follow(j, shape->layer)) return false;
      turn_round(j->to);
      if (!near(j->to->point[j->to->shape[j->to->shape_count - 1].first], last_of(j->to), MEET) &&
          !follow(j, shape->layer))
        return false;
    }
    finish(j, dropped);
  }
  return true;
}

th_result th_rings_make(const th_plan *plan, double unit, th_plan *rings, uint32_t *dropped, th_error *error) {
  *rings = (th_plan){.env = th_env_complete(&plan->env)};
  *dropped = 0;
  joining j = {plan, rings, unit, TH_TAKE(&rings->env.allocator, bool, plan->shape_count)};
  bool good = j.used != NULL;
  for (uint32_t i = 0, layer; i < plan->layer_count && good; i++)
    good = th_shapes_layer(rings, plan->layer[i].name, &layer);
  good = good && join_all(&j, dropped);
  TH_GIVE(&rings->env.allocator, j.used, plan->shape_count);
  if (good) return TH_OK;
  th_plan_free(rings);
  return th_fail_memory(error, "plan");
}
