/* model/biocrowds/body.c - bodies that never overlap, and give way: the option `body`.
 *
 * In one decision an agent approaches a neighbour at distance D by at most (D - sum of radii) / 2, and so does the
 * neighbour; it approaches a wall at most until its body touches it. Each of these bounds is a half-plane of
 * displacements. The displacement is projected onto each half-plane that it violates, one after the other in several
 * rounds, so that the agent slides along a neighbour instead of stopping. Bodies that all press on lock in arcs before
 * a narrow door (79 of 360 passed 0.8 m). Two rules undo arcs. Of two agents that are led somewhere, the one with less
 * distance left goes first: the other keeps ROOM free for it and steps back. This order has no circles, so somebody
 * can always go. And close to a wall an agent leaves the wall at least as quickly as its guide leads it away: else the
 * mean of its markers draws it into door posts. Both rules bend the wish only; the half-planes come last and hold.
 * Cost: sixteen rounds over the neighbours within two personal spaces.
 */
#include <math.h>

#include "model/biocrowds/own.h"
#include "view/wish.h"

#define PLANES 256 /* neighbours and walls that bound a displacement */
#define ROUNDS 8
#define GAP 2e-3f       /* [m] left between bodies: rounding adds up between a wall and a neighbour */
#define ROOM 0.05f      /* [m] between bodies, kept from those that go first: more slows the crowd down */
#define CLOSE 0.2f      /* [m] from the body to a wall that is close */
#define SHORTEST 1e-12f /* square of the distance of two that stand on each other [m2] */

/* Half-planes n . displacement <= h about an agent; those of walls from `walls` on. */
typedef struct bounds {
  uint32_t count, walls;
  float nx[PLANES], ny[PLANES];
  float h[PLANES];      /* [m] */
  float polite[PLANES]; /* less than h towards those who go first [m] */
} bounds;

static void add(bounds *b, th_vec2 to, float distance, float h, float polite) {
  if (b->count == PLANES) return;
  b->nx[b->count] = to.x / distance;
  b->ny[b->count] = to.y / distance;
  b->polite[b->count] = polite < h ? polite : h;
  b->h[b->count++] = h;
}

/* The slot of the world: views of two patches number the same two agents differently. */
static uint32_t world_slot(const th_view *view, uint32_t slot) {
  return view->markers.world_of ? view->markers.world_of[slot] : slot;
}

/* True for a neighbour with less distance left; of two with the same, the one with the lower slot. */
static bool goes_first(const th_view *view, uint32_t lane, uint32_t candidate) {
  const th_guide_answer *other = th_wish_answer(view, candidate), *own = &view->want[lane];
  if (!other || own->state != TH_ANSWER_LEAD) return false;
  if (other->left != own->left) return other->left < own->left;
  return world_slot(view, view->neighbours.slot[candidate]) < world_slot(view, view->slot[lane]);
}

static void add_neighbours(bounds *b, const th_view *view, uint32_t lane, float reach) {
  const th_neighbours *n = &view->neighbours;
  for (uint32_t k = 0; k < n->count; k++) {
    const float x = n->x[k] - view->x[lane], y = n->y[k] - view->y[lane], sum = view->radius[lane] + n->radius[k];
    const float far = 2.0f * reach + sum, square = x * x + y * y;
    if (n->slot[k] == view->slot[lane] || square >= far * far || !(square > SHORTEST)) continue;
    const float d = sqrtf(square), h = 0.5f * (d - sum - GAP);
    add(b, (th_vec2){x, y}, d, h, goes_first(view, lane, k) ? d - sum - ROOM : h);
  }
}

/* Up to the nearest point of each wall. */
static void add_walls(bounds *b, const th_view *view, uint32_t lane, float reach) {
  b->walls = b->count;
  for (uint32_t k = 0; k < view->wall_count; k++) {
    const th_segment *w = &view->wall[k];
    const float ex = w->bx - w->ax, ey = w->by - w->ay, ox = view->x[lane] - w->ax, oy = view->y[lane] - w->ay;
    const float size = ex * ex + ey * ey, along = size > 0.0f ? (ox * ex + oy * ey) / size : 0.0f;
    const float t = along > 0.0f ? (along < 1.0f ? along : 1.0f) : 0.0f;
    const float x = t * ex - ox, y = t * ey - oy, d = sqrtf(x * x + y * y), h = d - view->radius[lane];
    if (d <= reach && d > 1e-6f) add(b, (th_vec2){x, y}, d, h, h);
  }
}

/* Close to a wall the displacement leads towards it no more than the guide does. */
static th_vec2 leave_walls(const bounds *b, const th_guide_answer *want, th_vec2 u) {
  const float length = sqrtf(u.x * u.x + u.y * u.y);
  for (uint32_t k = b->walls; k < b->count; k++) {
    const float led = b->nx[k] * want->dx + b->ny[k] * want->dy;
    const float over = b->nx[k] * u.x + b->ny[k] * u.y - length * led;
    if (b->h[k] < CLOSE && over > 0.0f) u.x -= over * b->nx[k], u.y -= over * b->ny[k];
  }
  return u;
}

static th_vec2 put_back(const bounds *b, const float *h, th_vec2 u) {
  for (int round = 0; round < ROUNDS; round++)
    for (uint32_t k = 0; k < b->count; k++) {
      const float over = b->nx[k] * u.x + b->ny[k] * u.y - h[k];
      if (over > 0.0f) u.x -= over * b->nx[k], u.y -= over * b->ny[k];
    }
  return u;
}

/* Where the last round leaves a bound violated, the whole displacement is shortened. An agent that is too near already
 * may only go away. */
static float share_of(const bounds *b, th_vec2 u) {
  float share = 1.0f;
  for (uint32_t k = 0; k < b->count; k++) {
    const float along = b->nx[k] * u.x + b->ny[k] * u.y, most = b->h[k] > 0.0f ? b->h[k] : 0.0f;
    if (along > most && most / along < share) share = most / along;
  }
  return share;
}

static th_vec2 shorten(th_vec2 u, float most) {
  const float length = sqrtf(u.x * u.x + u.y * u.y);
  return length > most ? (th_vec2){u.x * most / length, u.y * most / length} : u;
}

th_vec2 th_biocrowds_body_keep_clear(const th_work *work, uint32_t lane, th_vec2 velocity, bool led) {
  const th_view *view = work->view;
  const th_biocrowds_params *p = work->params[lane];
  const float period = 1.0f / p->rate, time = period > work->dt ? period : work->dt;
  bounds b = {.count = 0};
  add_neighbours(&b, view, lane, p->radius);
  add_walls(&b, view, lane, p->radius);
  th_vec2 u = {velocity.x * time, velocity.y * time};
  if (led) u = leave_walls(&b, &view->want[lane], u);
  u = shorten(put_back(&b, b.polite, u), view->speed[lane] * time);
  u = put_back(&b, b.h, u);
  const float share = share_of(&b, u) / time;
  return (th_vec2){share * u.x, share * u.y};
}
