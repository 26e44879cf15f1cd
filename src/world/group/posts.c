/* world/group/posts.c - posts reach members as answers of their guide.
 *
 * A member is told to walk with its post and to make up what it is off within a second or so: velocity of the post +
 * difference / TIME, as a direction and a share of its wanted speed; it may hurry a little. Where a wall stands between
 * the two it walks on as its guide says, unless it is ahead of its post: then it waits. Cost: some 0.1 us per member,
 * and a ray where a wall may be in between.
 */
#include <math.h>

#include "geometry/vector.h"
#include "world/step/step.h"
#include "world/world.h"

#define TIME 0.5f   /* in which a member makes up what it is off [s] */
#define HURRY 1.35f /* of its wanted speed */
#define REST 0.05f  /* [m/s]: slower than this is standing */
#define AHEAD 8     /* members */
#define STRAY 1.5f  /* [m]: a member farther off that gets no nearer is stuck */

uint32_t th_posts_row(const th_world *world, uint32_t group, const th_marching *march, uint32_t holder) {
  th_agent_id agent = march->holder[holder].agent;
  agent.tag = world->def.tag;
  const uint32_t row = th_world_row(world, agent);
  if (row == UINT32_MAX || world->rows.group[row] != group || !world->rows.in[row]) return UINT32_MAX;
  const th_route *route = &world->rows.route[row];
  const uint32_t goal = route->next < route->count ? route->goal[route->next] : 0;
  const bool marches = goal == march->numbers.goal && world->rows.guide[row] == march->numbers.guide;
  return marches && world->rows.state[row] == TH_AGENT_WALKING ? row : UINT32_MAX;
}

void th_posts_move(const th_world *world, th_marching *march, bool jumps) {
  for (uint32_t i = 0; i < march->numbers.members; i++) {
    th_holder *holder = &march->holder[i];
    const th_vec3 before = holder->at;
    const bool had = holder->off >= 0.0f && !jumps;
    const bool has = th_trail_point(world, march, march->post[i].along, march->post[i].aside, &holder->at);
    holder->off = has ? 0.0f : -1.0f;
    holder->velocity = has && had ? th_scaled3(th_minus3(holder->at, before), 1.0f / world->dt) : (th_vec3){0};
  }
}

/* Nothing stands between. Near places in the open need no ray. */
static bool sees(const th_world *world, th_place place, th_vec2 to, float far) {
  if (far < 0.05f || th_ground_clearance_at(world->ground, place) > far) return true;
  return th_ground_ray(world->ground, place, th_scaled2(to, 1.0f / far), far).distance >= far - 0.05f;
}

typedef struct member {
  uint32_t row, slot;
  th_place place;
  th_vec2 to; /* its post, in the frame of its cell [m] */
  float far;
} member;

static member find(const th_world *world, const th_holder *holder, uint32_t row) {
  const th_rows *rows = &world->rows;
  member m = {.row = row, .slot = world->order.slot_of[row]};
  m.place = (th_place){rows->cell[row], rows->x[row], rows->y[row]};
  m.to = th_ground_to_cell(world->ground, m.place, th_minus3(holder->at, th_ground_point(world->ground, m.place)));
  m.far = th_length2(m.to);
  return m;
}

/* With the post, and towards it. */
static void lead(th_world *world, const th_holder *holder, const member *m) {
  const th_rows *rows = &world->rows;
  th_guide_answer *want = &world->want[m->slot];
  th_vec2 v = th_ground_to_cell(world->ground, m->place, holder->velocity);
  const float wanted = rows->speed[m->row], most = fminf(HURRY * wanted, rows->speed_max[m->row]),
              drift = th_length2(v);
  if (drift > most) v = th_scaled2(v, most / drift);
  v = th_along2(v, 1.0f / TIME, m->to);
  const float speed = th_length2(v);
  if (speed < REST) {
    *want = (th_guide_answer){.left = want->left, .state = TH_ANSWER_WAIT};
    return;
  }
  want->dx = v.x / speed, want->dy = v.y / speed, want->state = TH_ANSWER_LEAD;
  want->slow = 1.0f - fminf(speed, most) / wanted;
  if (want->slow != 0.0f) atomic_store_explicit(&world->slowed, true, memory_order_relaxed);
}

/* A member that stands well is not stuck, and has not arrived before the others have. */
static void note(th_world *world, const member *m, bool through) {
  uint8_t *notice = &world->rows.notice[m->row];
  if (!through) *notice &= (uint8_t)~TH_NOTICE_ARRIVED;
  if (m->far > STRAY) return;
  *notice &= (uint8_t)~TH_NOTICE_STUCK;
  world->rows.best[m->row] = INFINITY;
}

static void tell_one(th_world *world, th_marching *march, uint32_t i, const member *m) {
  th_holder *holder = &march->holder[i];
  th_guide_answer *want = &world->want[m->slot];
  const th_march_numbers *n = &march->numbers;
  const th_vec2 ahead = th_ground_to_cell(world->ground, m->place, holder->velocity);
  holder->off = m->far;
  const bool behind = th_dot2(m->to, ahead) >= -0.3f * m->far * th_length2(ahead);
  if (behind) march->numbers.lag = fmaxf(march->numbers.lag, m->far);
  march->numbers.worst = fmaxf(march->numbers.worst, m->far);
  const th_free_sides free = th_trail_sides(march, march->post[i].along);
  const bool open = m->far < fminf(1.0f, fminf(free.left, free.right) - fabsf(march->post[i].aside));
  if (open || sees(world, m->place, m->to, m->far)) {
    lead(world, holder, m);
    return;
  }
  const float post_left = n->left + (float)(n->end - 1) * TH_TRAIL_STEP - march->post[i].along;
  if (want->left + 0.5f < post_left) *want = (th_guide_answer){.left = want->left, .state = TH_ANSWER_WAIT};
}

/* Columns of a member that is told later. */
static void fetch(const th_world *world, th_agent_id agent) {
  const th_rows *rows = &world->rows;
  const uint32_t row = world->row_of[agent.index - 1];
  if (row >= rows->count) return;
  th_fetch_line(&rows->route[row]);
  th_fetch_line(&rows->cell[row]);
  th_fetch_line(&rows->x[row]);
  th_fetch_line(&rows->y[row]);
  th_fetch_line(&rows->speed[row]);
  th_fetch_line(&world->order.slot_of[row]);
}

void th_posts_tell(th_world *world, uint32_t group, th_marching *march, bool through) {
  th_march_numbers *n = &march->numbers;
  const float end = (float)(n->end - 1) * TH_TRAIL_STEP;
  n->lag = n->worst = 0.0f;
  n->slowest = INFINITY;
  for (uint32_t i = 0; i < n->members; i++) {
    th_holder *holder = &march->holder[i];
    if (i + AHEAD < n->members) fetch(world, march->holder[i + AHEAD].agent);
    const uint32_t row = th_posts_row(world, group, march, i);
    const bool past = n->ended && march->post[i].along > end; /* it leaves as its guide says */
    if (row == UINT32_MAX || past || !(world->rows.speed[row] > 0.0f)) {
      holder->off = -1.0f;
      continue;
    }
    const member m = find(world, holder, row);
    n->slowest = fminf(n->slowest, world->rows.speed[row]);
    if (world->want[m.slot].state == TH_ANSWER_LOST) continue;
    note(world, &m, through);
    if (holder->off >= 0.0f)
      tell_one(world, march, i, &m);
    else /* its post lies before the beginning of the path */
      world->want[m.slot] = (th_guide_answer){.left = world->want[m.slot].left, .state = TH_ANSWER_WAIT};
  }
  if (n->slowest == INFINITY) n->slowest = 0.0f;
}

void th_posts_arrive(th_world *world, uint32_t group, th_marching *march, float within) {
  for (uint32_t i = 0; i < march->numbers.members; i++) {
    const uint32_t row = th_posts_row(world, group, march, i);
    const float off = march->holder[i].off;
    if (row != UINT32_MAX && (within == INFINITY || (off >= 0.0f && off < within)))
      world->rows.notice[row] |= TH_NOTICE_ARRIVED;
  }
}

const th_holder *th_march_post_of(const th_world *world, uint32_t row) {
  const uint32_t group = world->groups.marches ? world->rows.group[row] : 0;
  const th_marching *march = group ? &world->groups.group[group - 1].march : NULL;
  if (!march || !march->numbers.begun) return NULL;
  const th_agent_id id = th_without_tag(world->rows.id[row]);
  for (uint32_t i = 0; i < march->numbers.members; i++)
    if (th_same_agent(march->holder[i].agent, id)) return march->holder[i].off >= 0.0f ? &march->holder[i] : NULL;
  return NULL;
}
