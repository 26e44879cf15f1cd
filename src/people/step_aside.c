/* people/step_aside.c - people who stand make way for somebody who comes.
 *
 * Somebody who waits, or has not set off, may block another's path: a body pushed along a corridor stays in it, and
 * may end up in an exit. So a person that no guide leads wants to step aside while somebody walks up to it: across the
 * other's path, to the side on which it stands already (straight in the way: to the left, for the other keeps right),
 * so fast that the other does not touch it. With v the other's velocity, a and b the person's place along and across
 * it, l the sum of both half widths, T the person's time gap, the other is there in t = (a - l) / |v| and the wanted
 * speed is (l - |b|) / max(t, 0.35 T), at most the person's own. When nobody comes any more, it goes back to where it
 * stood, unhurried: as fast as its time gap would let it walk up to somebody there; nearer than a radius and a half
 * would be fidgeting. The model walks there as to any goal. Cost: next to nothing where nobody stands.
 */
#include "people/step_aside.h"

#include <math.h>

/* A neighbour that walks up to a lane, seen along its velocity. */
typedef struct passer {
  float wx, wy, speed;        /* direction and speed */
  float ahead, beside, clear; /* where the lane is: along and to the left of it; half width that it needs [m] */
} passer;

static passer passer_of(const th_view *view, uint32_t lane, uint32_t j) {
  const th_neighbours *near = &view->neighbours;
  const float vx = near->vx[j], vy = near->vy[j], speed = sqrtf(vx * vx + vy * vy),
              k = speed > 0.0f ? 1.0f / speed : 0.0f;
  const float dx = view->x[lane] - near->x[j], dy = view->y[lane] - near->y[j], wx = k * vx, wy = k * vy;
  return (passer){wx, wy, speed, wx * dx + wy * dy, wx * dy - wy * dx, view->radius[lane] + near->radius[j]};
}

/* The nearest one that will touch the lane within its time gap, if it stays. */
static bool find_passer(const th_view *view, uint32_t lane, passer *found) {
  const th_neighbours *near = &view->neighbours;
  for (uint32_t k = 0; k < near->pick_count; k++) {
    const uint32_t j = near->pick[k * TH_VIEW_LANES + lane];
    if (j == TH_NO_PICK) return false;
    const passer p = passer_of(view, lane, j);
    const bool comes = p.ahead > 0.0f && p.speed > view->people[lane]->standing && fabsf(p.beside) < p.clear;
    if (!comes || p.ahead - p.clear > p.speed * view->people[lane]->time_gap) continue;
    *found = p;
    return true;
  }
  return false;
}

/* Whether nobody stands between a lane and a place that lies `far` from it in direction u. */
static bool is_free(const th_view *view, uint32_t lane, th_vec2 u, float far) {
  const th_neighbours *near = &view->neighbours;
  for (uint32_t k = 0; k < near->pick_count; k++) {
    const uint32_t j = near->pick[k * TH_VIEW_LANES + lane];
    if (j == TH_NO_PICK) break;
    const float x = near->x[j] - view->x[lane], y = near->y[j] - view->y[lane],
                l = view->radius[lane] + near->radius[j];
    const float along = x * u.x + y * u.y;
    if (along > 0.0f && along < far + l && fabsf(x * u.y - y * u.x) < l) return false;
  }
  return true;
}

/* Back to where it stood, unhurried, unless somebody else stands there now. */
static bool come_back(th_view_scratch *scratch, const th_view_source *source, uint32_t lane) {
  const th_vec2 away = source->columns.away[scratch->row[lane]];
  const float far = sqrtf(away.x * away.x + away.y * away.y);
  if (!(far > 1.5f * scratch->view.radius[lane])) return false;
  const th_turn f = scratch->view.frame[lane];
  const th_vec2 u = {-(f.c * away.x - f.s * away.y) / far, -(f.s * away.x + f.c * away.y) / far};
  if (!is_free(&scratch->view, lane, u, far)) return false;
  scratch->want[lane] = (th_guide_answer){.dx = u.x, .dy = u.y, .left = far, .state = TH_ANSWER_LEAD};
  scratch->speed[lane] = fminf(scratch->speed[lane], far / scratch->time_gap[lane]);
  return true;
}

bool th_people_step_aside(th_view_scratch *scratch, const th_view_source *source, uint32_t lane) {
  passer p;
  if (!find_passer(&scratch->view, lane, &p)) return come_back(scratch, source, lane);
  const float side = p.beside < 0.0f ? -1.0f : 1.0f,
              time = fmaxf(0.35f * scratch->time_gap[lane], (p.ahead - p.clear) / p.speed);
  th_guide_answer *want = &scratch->want[lane];
  *want = (th_guide_answer){.dx = -side * p.wy, .dy = side * p.wx, .left = INFINITY, .state = TH_ANSWER_LEAD};
  scratch->speed[lane] = fminf(scratch->speed[lane], (p.clear - fabsf(p.beside)) / time);
  return true;
}
