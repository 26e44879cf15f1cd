/* world/group/march.c - groups that travel in formation.
 *
 * The front of a formation walks along its path (trail.c) as fast as its slowest member; posts lie behind and beside
 * it, and members hear of them as the answer of their guide (posts.c), so models know nothing of groups. The front
 * slows down for whoever is farthest behind, down to a creeping pace, so that a formation waits before doors and in
 * bends and one that nobody can reach does not hold all for ever. Posts are given out once, when the members or the
 * shape change (Companion B of the planner; waiting: Moussaid 2010, people walk as fast as the slowest of their group).
 * Cost: some 0.2 us per member and step.
 */
#include "world/group/march.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "geometry/vector.h"
#include "world/agent/agents.h"
#include "world/world.h"

#define TIGHT 0.15f    /* between bodies side by side in narrow places [m] */
#define BEHIND 0.35f   /* between bodies behind each other there [m] */
#define EASY 0.5f      /* nobody waits for a member so near to its post [m] */
#define FAR 1.5f       /* all wait for a member so far off [m] */
#define PATIENCE 10.0f /* for those that do not get to their post at a stop [s] */
#define IN_POST 0.5f   /* [m] */
#define MOST 1e6f      /* [m], [s]: nothing in a snapshot is more */

enum { SAMPLES_AT_ONCE = 16 };

/* ---------------------------------------------------------------- making */

th_result th_march_check(const th_formation *f, th_error *error) {
  static const uint32_t least[] = {[TH_FORMATION_POINTS] = 1, [TH_FORMATION_OUTLINE] = 3, [TH_FORMATION_FRIENDS] = 0};
  if (f->kind < TH_FORMATION_NONE || f->kind > TH_FORMATION_FRIENDS)
    return th_fail(error, TH_ERROR_RANGE, "formation", "expected none, points, line, ... or friends, found %d",
                   f->kind);
  if (f->point_count < least[f->kind])
    return th_fail(error, TH_ERROR_RANGE, "formation", "expected at least %u points, found %u", least[f->kind],
                   f->point_count);
  if (f->point_count > UINT16_MAX + 1u || f->columns > UINT16_MAX + 1u)
    return th_fail(error, TH_ERROR_RANGE, "formation", "expected at most 65536 points and columns, found %u and %u",
                   f->point_count, f->columns);
  for (uint32_t i = 0; i < f->point_count; i++)
    if (!(fabsf(f->point[i].x) <= 1e4f && fabsf(f->point[i].y) <= 1e4f))
      return th_fail_at(error, TH_ERROR_RANGE, "formation", i, "point %u: expected at most 10000 m from the origin", i);
  th_result result = th_agent_check_number("formation spacing", f->spacing, 0.0f, 100.0f, error);
  return result ? result : th_agent_check_number("formation speed", f->speed, 0.0f, TH_MAX_SPEED, error);
}

th_result th_march_check_size(const th_marching *march, uint32_t members, th_error *error) {
  const th_march_numbers *n = &march->numbers;
  if (n->kind != TH_FORMATION_POINTS || members <= n->points) return TH_OK;
  return th_fail(error, TH_ERROR_CAPACITY, "formation", "expected a point for each of %u members, found %u", members,
                 n->points);
}

th_formation th_march_formation(const th_marching *march) {
  const th_march_numbers *n = &march->numbers;
  return (th_formation){n->kind, n->points ? march->point : NULL, n->points, n->spacing, n->speed, n->columns};
}

bool th_march_make(const th_allocator *a, const th_formation *f, th_marching *march) {
  *march = (th_marching){.numbers = {.kind = f->kind, .spacing = f->spacing, .speed = f->speed, .columns = f->columns}};
  if (!f->point_count) return true;
  march->point = TH_TAKE(a, th_vec2, f->point_count);
  if (!march->point) return false;
  memcpy(march->point, f->point, sizeof *f->point * f->point_count);
  march->numbers.points = f->point_count;
  return true;
}

static size_t work_size(uint32_t members) {
  return th_assign_work(members) + (2 * sizeof(th_vec2) + sizeof(uint32_t) + sizeof(th_holder)) * ((size_t)members + 2);
}

static void free_members(th_marching *march, const th_allocator *a) {
  TH_GIVE(a, march->post, march->room);
  TH_GIVE(a, march->holder, march->room);
  TH_GIVE(a, march->trail, march->numbers.samples);
  th_give(a, march->work, work_size(march->room), 1);
  march->post = NULL, march->holder = NULL, march->trail = NULL, march->work = NULL;
  march->room = march->numbers.samples = march->numbers.members = 0;
}

void th_march_free(th_marching *march, const th_allocator *a) {
  free_members(march, a);
  TH_GIVE(a, march->point, march->numbers.points);
  *march = (th_marching){0};
}

bool th_march_take(th_marching *march, const th_allocator *a) {
  th_march_numbers *n = &march->numbers;
  march->room = n->members;
  march->post = TH_TAKE(a, th_post, n->members);
  march->holder = TH_TAKE(a, th_holder, n->members);
  march->trail = TH_TAKE(a, th_trail_sample, n->samples);
  march->work = th_take(a, work_size(n->members), 1);
  if (march->post && march->holder && march->trail && march->work) return true;
  free_members(march, a);
  return false;
}

static bool all_within(const float *value, size_t count, float most) {
  bool within = true;
  for (size_t i = 0; i < count; i++) within = within && fabsf(value[i]) <= most; /* false for NaN */
  return within;
}

bool th_march_fits(const th_marching *march) {
  const th_march_numbers *n = &march->numbers;
  const th_formation formation = th_march_formation(march);
  const float number[] = {n->front,     n->pace,      n->waited, n->lag,    n->worst,
                          n->heading.x, n->heading.y, n->widest, n->radius, n->slowest};
  bool fits = th_march_check(&formation, NULL) == TH_OK && n->left == n->left;
  fits = fits && all_within(number, sizeof number / sizeof *number, MOST);
  for (uint32_t i = 0; i < n->members && fits; i++) {
    const th_post *p = &march->post[i];
    const th_holder *h = &march->holder[i];
    const float of_one[] = {p->depth, p->lateral, p->along,      p->aside,      h->off,       h->at.x,
                            h->at.y,  h->at.z,    h->velocity.x, h->velocity.y, h->velocity.z};
    fits = all_within(of_one, sizeof of_one / sizeof *of_one, MOST);
  }
  return fits;
}

static float gap_of(const th_march_numbers *n, float between) {
  const th_formation f = {.kind = n->kind, .spacing = n->spacing};
  return fminf(th_formation_spacing(&f), 2.0f * n->radius + between);
}

static float lead_of(const th_march_numbers *n) { return fminf(n->widest, 6.0f) + 1.0f; }

static void measure(th_marching *march, uint32_t members) {
  th_march_numbers *n = &march->numbers;
  n->widest = 0.0f;
  for (uint32_t i = 0; i < members; i++) n->widest = fmaxf(n->widest, fabsf(march->post[i].lateral));
}

float th_march_deepest(const th_marching *march) {
  float deepest = 0.0f;
  for (uint32_t i = 0; i < march->numbers.members; i++) deepest = fmaxf(deepest, march->post[i].depth);
  return deepest;
}

/* In narrow places members may have to walk in one file. */
static uint32_t samples_for(const th_marching *march, uint32_t members) {
  const float longest = th_march_deepest(march) + (float)members * 1.2f + 2.0f * lead_of(&march->numbers);
  uint32_t samples = 32;
  while ((float)(samples - 16) * TH_TRAIL_STEP < longest) samples *= 2;
  return samples;
}

bool th_march_reserve(th_marching *march, const th_allocator *a, uint32_t members) {
  const th_formation formation = th_march_formation(march);
  th_marching fresh = {.numbers = march->numbers};
  fresh.numbers.members = members, fresh.numbers.samples = 0, fresh.numbers.begun = 0;
  th_post *post = TH_TAKE(a, th_post, members);
  if (!post) return false;
  th_formation_lay(&formation, post, members);
  fresh.post = post;
  measure(&fresh, members);
  const uint32_t samples = samples_for(&fresh, members);
  TH_GIVE(a, post, members);
  fresh.post = NULL, fresh.numbers.samples = samples;
  if (!th_march_take(&fresh, a)) return false;
  free_members(march, a);
  fresh.point = march->point;
  *march = fresh;
  return true;
}

void th_march_muster(const th_world *world, uint32_t group, th_marching *march) {
  th_march_numbers *n = &march->numbers;
  const th_formation formation = th_march_formation(march);
  const uint32_t used = th_ids_used(&world->ids);
  n->members = 0, n->begun = 0, n->radius = n->pace = n->slowest = 0.0f;
  for (uint32_t i = 0; i < used && n->members < march->room; i++) {
    const uint32_t row = th_ids_at(&world->ids, i).index ? world->row_of[i] : UINT32_MAX;
    if (row == UINT32_MAX || world->rows.group[row] != group) continue;
    n->radius = fmaxf(n->radius, world->rows.radius[row]);
    march->holder[n->members++] = (th_holder){.agent = th_without_tag(world->rows.id[row]), .off = -1.0f};
  }
  th_formation_lay(&formation, march->post, n->members);
  measure(march, n->members);
}

/* ---------------------------------------------------------------- beginning */

static uint32_t row_of(const th_world *world, th_agent_id agent) {
  agent.tag = world->def.tag;
  return th_world_row(world, agent);
}

/* The member nearest to the middle of all, UINT32_MAX without one. */
static uint32_t middle_row(const th_world *world, const th_marching *march) {
  double x = 0, y = 0, z = 0, best = INFINITY;
  uint32_t count = 0, found = UINT32_MAX;
  for (uint32_t i = 0; i < march->numbers.members; i++) {
    const uint32_t row = row_of(world, march->holder[i].agent);
    if (row == UINT32_MAX) continue;
    const th_vec3 p = th_world_agent_point(world, world->rows.id[row]);
    x += p.x, y += p.y, z += p.z, count++;
  }
  for (uint32_t i = 0; i < march->numbers.members; i++) {
    const uint32_t row = row_of(world, march->holder[i].agent);
    if (row == UINT32_MAX) continue;
    const th_vec3 p = th_world_agent_point(world, world->rows.id[row]);
    const double dx = p.x - x / count, dy = p.y - y / count, dz = p.z - z / count, d2 = dx * dx + dy * dy + dz * dz;
    if (d2 < best) best = d2, found = row;
  }
  return found;
}

static void grow_trail(const th_trail_guide *guide, uint32_t most) {
  th_march_numbers *n = &guide->march->numbers;
  for (uint32_t k = 0; k < most && !n->ended; k++)
    if ((float)(n->end - 1) * TH_TRAIL_STEP >= n->front + lead_of(n) || !th_trail_grow(guide)) return;
}

static void squeeze(th_marching *march) {
  const th_march_numbers *n = &march->numbers;
  const th_squeeze q = {
      .front = n->front, .tight = gap_of(n, TIGHT), .gap = gap_of(n, BEHIND), .sides = th_trail_sides, .path = march};
  th_formation_squeeze(&q, march->post, n->members);
}

/* Gives out the posts: members and posts in the plane of the place where the path begins. */
static void give_posts(const th_world *world, th_marching *march, uint32_t row, float begin) {
  const th_march_numbers *n = &march->numbers;
  const th_place from = {world->rows.cell[row], world->rows.x[row], world->rows.y[row]};
  const th_vec3 origin = th_ground_point(world->ground, from);
  th_vec2 *member = (th_vec2 *)(void *)((uint8_t *)march->work + th_assign_work(n->members)),
          *post = member + n->members;
  th_holder *old = (th_holder *)(void *)(post + n->members);
  uint32_t *post_of = (uint32_t *)(void *)(old + n->members), first = UINT32_MAX;
  const th_agent_id leader = world->groups.group[world->rows.group[row] - 1].numbers.leader;
  th_vec3 ahead = th_minus3(march->trail[1].at, march->trail[0].at);
  th_vec2 forward = th_unit2(th_ground_to_cell(world->ground, from, ahead));
  for (uint32_t i = 0; i < n->members; i++) {
    const uint32_t own = row_of(world, march->holder[i].agent);
    const th_vec3 p = own == UINT32_MAX ? origin : th_world_agent_point(world, world->rows.id[own]);
    const th_vec2 d = th_ground_to_cell(world->ground, from, th_minus3(p, origin));
    member[i] = (th_vec2){th_dot2(d, forward), th_cross2(forward, d)};
    post[i] = (th_vec2){march->post[i].along - begin, march->post[i].aside};
    old[i] = march->holder[i];
    if (leader.index && th_same_agent(old[i].agent, leader)) first = i;
  }
  th_assign_posts(member, post, n->members, first, post_of, march->work);
  for (uint32_t i = 0; i < n->members; i++) march->holder[post_of[i]] = old[i];
}

static bool begin(const th_world *world, th_marching *march, uint32_t reference) {
  th_march_numbers *n = &march->numbers;
  const uint32_t row = middle_row(world, march);
  const th_trail_guide guide = {world, march, reference};
  if (row == UINT32_MAX || !th_trail_begin(&guide, row)) return false;
  const float begins = n->front;
  n->front += 0.5f * th_march_deepest(march);
  grow_trail(&guide, n->samples);
  if (n->end < 2) return false;
  n->front = fminf(n->front, (float)(n->end - 1) * TH_TRAIL_STEP);
  squeeze(march);
  give_posts(world, march, row, begins);
  n->begun = 1, n->pace = n->lag = n->worst = n->waited = 0.0f;
  th_posts_move(world, march, true);
  return true;
}

/* ---------------------------------------------------------------- each step */

static uint32_t goal_of(const th_world *world, uint32_t row) {
  const th_route *route = &world->rows.route[row];
  return route->next < route->count ? route->goal[route->next] : 0;
}

/* The first member that walks: the formation goes where it goes. */
static uint32_t find_reference(const th_world *world, uint32_t group, const th_marching *march) {
  for (uint32_t i = 0; i < march->numbers.members; i++) {
    const uint32_t row = row_of(world, march->holder[i].agent);
    if (row == UINT32_MAX || world->rows.group[row] != group) continue;
    if (world->rows.in[row] && world->rows.state[row] == TH_AGENT_WALKING) return row;
  }
  return UINT32_MAX;
}

static void follow(th_marching *march, uint32_t goal, uint32_t guide) {
  th_march_numbers *n = &march->numbers;
  if (n->goal == goal && n->guide == guide) return;
  n->goal = goal, n->guide = guide;
  n->ended = 0, n->waited = 0.0f;
  memset(n->guide_memory, 0, sizeof n->guide_memory);
}

typedef enum at_stop { PASSES, HALTS, LEAVES } at_stop;

/* What members do at the stop that they head for. */
static at_stop stop_of(const th_world *world, uint32_t row) {
  const th_route *route = &world->rows.route[row];
  const uint32_t goal = goal_of(world, row);
  if (goal && world->goals.goal[goal - 1].def.sink) return LEAVES;
  if (route->next < route->count && route->wait[route->next] > 0.0f) return HALTS;
  if (route->next + 1 < route->count || (route->count > 1 && route->loop)) return PASSES;
  return route->remove ? LEAVES : HALTS;
}

/* The pace changes by 1 per second, so that nobody has to brake hard. */
static void advance(const th_world *world, th_marching *march, bool through) {
  th_march_numbers *n = &march->numbers;
  const float least = n->kind == TH_FORMATION_FRIENDS ? 0.05f : 0.15f;
  const float wanted = fmaxf(least, fminf(1.0f, (FAR - n->lag) / (FAR - EASY)));
  n->pace += fmaxf(-world->dt, fminf(world->dt, wanted - n->pace));
  n->front += n->pace * (n->speed > 0.0f ? n->speed : n->slowest) * world->dt;
  const float end = (float)(n->end - 1) * TH_TRAIL_STEP;
  if (n->front > end && !(through && n->ended)) n->front = end;
}

static void end_stop(th_world *world, uint32_t group, th_marching *march, at_stop stop) {
  th_march_numbers *n = &march->numbers;
  const float short_of = (float)(n->end - 1) * TH_TRAIL_STEP - n->front;
  if (!n->ended || stop == LEAVES || short_of > (stop == PASSES ? TH_TRAIL_STEP : 0.01f)) return;
  n->waited += world->dt;
  if (stop == PASSES)
    th_posts_arrive(world, group, march, INFINITY);
  else if (n->worst < IN_POST)
    th_posts_arrive(world, group, march, IN_POST);
  else if (n->waited > PATIENCE)
    th_posts_arrive(world, group, march, 2.0f * IN_POST);
}

static void go(th_world *world, uint32_t group, th_marching *march) {
  th_march_numbers *n = &march->numbers;
  const uint32_t reference = find_reference(world, group, march);
  if (reference == UINT32_MAX) return;
  follow(march, goal_of(world, reference), world->rows.guide[reference]);
  if (!n->begun && !begin(world, march, reference)) return;
  const th_trail_guide guide = {world, march, reference};
  const at_stop stop = stop_of(world, reference);
  grow_trail(&guide, SAMPLES_AT_ONCE);
  advance(world, march, stop == LEAVES);
  squeeze(march);
  th_posts_move(world, march, false);
  th_posts_tell(world, group, march, stop == LEAVES);
  end_stop(world, group, march, stop);
}

static void go_some(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  th_world *world = context;
  (void)worker;
  for (uint32_t g = begin; g < end; g++)
    if (world->groups.group[g].march.numbers.kind != TH_FORMATION_NONE) go(world, g + 1, &world->groups.group[g].march);
}

void th_marches_go(th_world *world) {
  if (world->groups.marches) th_parallel_for(world->pool, world->groups.capacity, 4, go_some, world);
}
