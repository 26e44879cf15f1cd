/* world/group/trail.c - the path of a group in formation: walked ahead of its front as one agent would walk it.
 *
 * The head asks the guide of the members where to go, turns no sharper than there is room for, and leaves a sample
 * every half metre with the free width on either side. Rows of the formation are laid across this path (Companion B of
 * the planner: the group moves as if it were one agent), so a shape turns with the path; the width of a place is
 * limited by that of places nearby, so that shapes thin before they reach a narrow one. Where a post lies to the side,
 * the path's direction is that of a chord as long as the post is far out: outer posts are at most 1.8 times as fast as
 * the front in a bend, whatever its sharpness. The path begins behind those who begin it. Cost: some 3 us per sample
 * on flat ground.
 */
#include <math.h>
#include <string.h>

#include "base/trig.h"
#include "geometry/vector.h"
#include "world/world.h"

#define SUBSTEPS 4    /* of a sample; the free width is measured at each of them */
#define FAR_SIDE 1e3f /* [m]: nothing is there */
#define TAPER 1.0f    /* change of the free width per metre of the path */
#define SKIN 0.05f    /* between a body and a wall [m] */
#define SHARPEST 0.3f /* radius of a turn [m] */

_Static_assert(sizeof(((th_march_numbers *)0)->guide_memory) == TH_GUIDE_STATE, "as of an agent");

static th_trail_sample *sample_at(const th_marching *march, uint32_t k) {
  return &march->trail[k & (march->numbers.samples - 1)];
}

/* ---------------------------------------------------------------- the guide */

static th_guide_answer ask(const th_trail_guide *g, th_place place) {
  const th_world *world = g->world;
  const th_rows *rows = &world->rows;
  const uint32_t number = rows->guide[g->row];
  const th_guide_slot *use = number ? &world->guides.guide[number - 1] : NULL;
  const th_guide *kind = use ? use->kind : &th_guide_field;
  const th_field_entry *entry = rows->field[g->row] == TH_NO_FIELD ? NULL : &world->entry[rows->field[g->row]];
  th_guide_answer want[16] = {{.left = INFINITY, .state = TH_ANSWER_WAIT}};
  if (kind->row_size) return want[0];
  uint32_t agent[16] = {rows->agent[g->row]}, cell[16] = {place.cell};
  float x[16] = {place.x}, y[16] = {place.y}, eps[16] = {world->mesh ? 0.0f : rows->eps[g->row]};
  th_vec2 v[16] = {rows->v[g->row]};
  const th_field *fields[16] = {entry ? entry->field : NULL};
  void *state[16] = {g->march->numbers.guide_memory};
  th_guide_query query = {.params = use ? use->params : NULL,
                          .ground = world->ground,
                          .lanes = 1,
                          .agent = agent,
                          .cell = cell,
                          .x = x,
                          .y = y,
                          .v = v,
                          .eps = eps,
                          .field = kind->own_fields ? NULL : fields[0],
                          .fields = kind->own_fields ? fields : NULL,
                          .memory = use ? use->memory : NULL,
                          .shared = use ? use->shared.data : NULL,
                          .state = kind->state_size ? state : NULL,
                          .dt = world->dt,
                          .step = world->step,
                          .sense = (uint32_t)world->def.sense,
                          .simd = (uint32_t)world->simd,
                          .want = want};
  kind->ask(&query);
  const bool sound = isfinite(want[0].dx) && isfinite(want[0].dy) && want[0].left == want[0].left;
  if (!sound) want[0].state = TH_ANSWER_WAIT;
  if (want[0].state == TH_ANSWER_LEAD && want[0].left <= rows->arrive[g->row]) want[0].state = TH_ANSWER_ARRIVED;
  return want[0];
}

/* ---------------------------------------------------------------- samples */

static float side_free(const th_world *world, const th_marching *march, th_place place, th_vec2 to) {
  const float reach = march->numbers.widest + 1.0f;
  const th_hit hit = th_ground_ray(world->ground, place, to, reach);
  return hit.distance < reach ? hit.distance - march->numbers.radius - SKIN : FAR_SIDE;
}

static void measure(const th_world *world, const th_marching *march, th_place place, th_vec2 heading,
                    th_free_sides *free) {
  free->left = fminf(free->left, side_free(world, march, place, th_left2(heading)));
  free->right = fminf(free->right, side_free(world, march, place, th_right2(heading)));
}

/* Widths change by TAPER at most, forwards and backwards. */
static void add_sample(th_marching *march, th_trail_sample fresh) {
  th_march_numbers *n = &march->numbers;
  const float slope = TAPER * TH_TRAIL_STEP;
  if (n->end > n->first) {
    const th_free_sides before = sample_at(march, n->end - 1)->free;
    fresh.free.left = fminf(fresh.free.left, before.left + slope);
    fresh.free.right = fminf(fresh.free.right, before.right + slope);
  }
  *sample_at(march, n->end++) = fresh;
  if (n->end - n->first > n->samples) n->first++;
  float left = fresh.free.left, right = fresh.free.right;
  for (uint32_t k = n->end - 1; k > n->first; k--) {
    th_free_sides *free = &sample_at(march, k - 1)->free;
    left += slope, right += slope;
    if (free->left <= left && free->right <= right) return;
    free->left = left = fminf(free->left, left);
    free->right = right = fminf(free->right, right);
  }
}

static th_vec2 turned(th_vec2 v, th_turn turn) { return th_turned2(v, turn.c, turn.s); }

/* The heading turns towards the guide's direction, by so much at most. */
static th_vec2 turn_to(th_vec2 heading, th_vec2 to, float most) {
  const float across = th_cross2(heading, to), along = th_dot2(heading, to);
  if (along > 0.0f && fabsf(across) < most) return to;
  float s, c;
  th_sincosf(across >= 0.0f ? most : -most, &s, &c);
  return th_turned2(heading, c, s);
}

/* A turn is no sharper than needed for the formation, where there is room for that. */
static float sharpest_turn(const th_trail_guide *g, th_place place, float left) {
  const float room = th_ground_clearance_at(g->world->ground, place);
  const float wide = fminf(fminf(g->march->numbers.widest, room), 0.3f * left);
  return fmaxf(wide, SHARPEST);
}

bool th_trail_grow(const th_trail_guide *g) {
  th_march_numbers *n = &g->march->numbers;
  th_trail_sample fresh = *sample_at(g->march, n->end - 1);
  th_vec2 heading = n->heading;
  const float piece = TH_TRAIL_STEP / SUBSTEPS;
  fresh.free = (th_free_sides){FAR_SIDE, FAR_SIDE};
  for (int k = 0; k < SUBSTEPS; k++) {
    const th_guide_answer want = ask(g, fresh.place);
    n->ended = want.state == TH_ANSWER_ARRIVED;
    n->left = want.left;
    if (want.state != TH_ANSWER_LEAD) return false;
    const th_vec2 to = {want.dx, want.dy};
    heading = turn_to(heading, to, piece / sharpest_turn(g, fresh.place, want.left));
    th_turn turn = {1.0f, 0.0f};
    const bool wall = th_ground_walk(g->world->ground, &fresh.place, th_scaled2(heading, piece), 0.2f, &turn);
    heading = turned(wall ? to : heading, turn);
    measure(g->world, g->march, fresh.place, heading, &fresh.free);
  }
  n->heading = heading;
  fresh.at = th_ground_point(g->world->ground, fresh.place);
  add_sample(g->march, fresh);
  return true;
}

/* ---------------------------------------------------------------- the beginning */

/* The path behind the place where it begins: straight back, as far as there is room. Samples come in the order of the
 * path, so the farthest is found first and then walked back from. */
bool th_trail_begin(const th_trail_guide *g, uint32_t row) {
  const th_world *world = g->world;
  th_march_numbers *n = &g->march->numbers;
  th_place place = {world->rows.cell[row], world->rows.x[row], world->rows.y[row]};
  memset(n->guide_memory, 0, sizeof n->guide_memory);
  const th_guide_answer want = ask(g, place);
  if (want.state != TH_ANSWER_LEAD || (want.dx == 0.0f && want.dy == 0.0f)) return false;
  th_vec2 back = {-want.dx, -want.dy};
  uint32_t steps = 0;
  const uint32_t most = (uint32_t)(0.5f * th_march_deepest(g->march) / TH_TRAIL_STEP) + 2;
  for (bool wall = false; steps < most && !wall; steps++) {
    th_turn turn = {1.0f, 0.0f};
    const th_hit hit = th_ground_ray(world->ground, place, back, TH_TRAIL_STEP + n->radius);
    wall = hit.distance < TH_TRAIL_STEP + n->radius;
    if (wall) break;
    (void)th_ground_walk(world->ground, &place, th_scaled2(back, TH_TRAIL_STEP), 0.0f, &turn);
    back = turned(back, turn);
  }
  n->first = n->end = 0;
  n->ended = 0;
  for (uint32_t k = 0; k <= steps; k++) {
    th_trail_sample fresh = {place, th_ground_point(world->ground, place), {FAR_SIDE, FAR_SIDE}};
    n->heading = (th_vec2){-back.x, -back.y};
    measure(world, g->march, place, n->heading, &fresh.free);
    add_sample(g->march, fresh);
    th_turn turn = {1.0f, 0.0f};
    if (k < steps) (void)th_ground_walk(world->ground, &place, th_scaled2(back, -TH_TRAIL_STEP), 0.0f, &turn);
    back = turned(back, turn);
  }
  n->front = (float)steps * TH_TRAIL_STEP;
  return true;
}

/* ---------------------------------------------------------------- reading it */

static uint32_t sample_before(const th_march_numbers *n, float along) {
  const float k = floorf(along / TH_TRAIL_STEP);
  if (!(k > (float)n->first)) return n->first;
  return k < (float)(n->end - 1) ? (uint32_t)k : n->end - 1;
}

th_free_sides th_trail_sides(const void *path, float along) {
  const th_marching *march = path;
  const uint32_t k = sample_before(&march->numbers, along);
  const th_free_sides a = sample_at(march, k)->free;
  const th_free_sides b = k + 1 < march->numbers.end ? sample_at(march, k + 1)->free : a;
  return (th_free_sides){fminf(a.left, b.left), fminf(a.right, b.right)};
}

static th_vec3 on_path(const th_marching *march, float along) {
  const th_march_numbers *n = &march->numbers;
  const uint32_t k = sample_before(n, along);
  const th_vec3 a = sample_at(march, k)->at;
  if (k + 1 >= n->end) return a;
  const th_vec3 d = th_minus3(sample_at(march, k + 1)->at, a);
  const float t = fmaxf(0.0f, along / TH_TRAIL_STEP - (float)k);
  return (th_vec3){a.x + t * d.x, a.y + t * d.y, a.z + t * d.z};
}

bool th_trail_point(const th_world *world, const th_marching *march, float along, float aside, th_vec3 *at) {
  const th_march_numbers *n = &march->numbers;
  if (along < (float)n->first * TH_TRAIL_STEP) return false;
  const float half = fmaxf(0.5f, fabsf(aside));
  const th_vec3 p = on_path(march, along), d = th_minus3(on_path(march, along + half), on_path(march, along - half));
  const th_vec3 up = th_ground_normal(world->ground, sample_at(march, sample_before(n, along))->place);
  const th_vec3 left = th_cross3(up, d);
  const float length = th_length3(left), k = length > 0.0f ? aside / length : 0.0f;
  *at = (th_vec3){p.x + k * left.x, p.y + k * left.y, p.z + k * left.z};
  return true;
}
