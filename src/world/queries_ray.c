/* world/queries_ray.c - the first body that a ray meets.
 *
 * Flat ground: the root of |o + t d - p| = r for the agents about each piece of the ray, one piece after the other
 * until it hits one, at a few ns each. Mesh: the ray walks straight ahead over the faces (straightest geodesics,
 * Polthier and Schmies 1998) in pieces of half a metre, whose chords are tested against the bodies near them on the
 * same side of the surface; within a piece the surface counts as flat. Cost there: about a microsecond per piece.
 */
#include <math.h>

#include "world/nearby.h"

#define PIECE 0.5f      /* on a mesh [m] */
#define FLAT_PIECE 4.0f /* on flat ground, or more [m] */
enum { MAX_PIECES = 64 };

/* First root of |o + t d - p| = r for a unit vector d, or INFINITY. */
static float meet_ball(th_vec3 o, th_vec3 d, th_vec3 p, float r) {
  float fx = o.x - p.x, fy = o.y - p.y, fz = o.z - p.z;
  float b = fx * d.x + fy * d.y + fz * d.z, c = fx * fx + fy * fy + fz * fz - r * r;
  if (c <= 0.0f) return 0.0f;
  float root = b * b - c;
  if (b > 0.0f || root < 0.0f) return INFINITY;
  return -b - sqrtf(root);
}

typedef struct ray_hit {
  th_agent_id id;
  float distance;
} ray_hit;

typedef struct ray {
  th_vec3 o, d;
  const th_vec3 *up; /* mesh ground: the normal there */
  const th_agent_filter *filter;
} ray;

/* The nearest body that the ray meets between t0 and t1, nearer than the hit so far; a tie falls to the lower id.
 * Bodies on the other side of the surface do not count. */
static void meet_piece(const th_world *world, const ray *r, float t0, float t1, ray_hit *hit) {
  const th_rows *rows = &world->rows;
  float at = 0.5f * (t0 + t1), reach = 0.5f * (t1 - t0) + world->order.radius_max;
  th_vec3 middle = {r->o.x + at * r->d.x, r->o.y + at * r->d.y, r->o.z + at * r->d.z};
  uint32_t row;
  for (th_nearby walk = th_nearby_begin(world, middle, reach); th_nearby_next(&walk, &row);) {
    float t = meet_ball(r->o, r->d, th_row_point(world, row), rows->radius[row]);
    if (!(t < hit->distance || (t == hit->distance && hit->id.index > rows->agent[row]))) continue;
    if (th_row_hidden(world, row, r->filter)) continue;
    if (r->up) {
      th_vec3 n = th_ground_normal(world->ground, (th_place){rows->cell[row], rows->x[row], rows->y[row]});
      if (n.x * r->up->x + n.y * r->up->y + n.z * r->up->z <= 0.0f) continue;
    }
    *hit = (ray_hit){rows->id[row], t};
  }
}

/* A body that is first met in a piece is near it: the first piece with a hit decides. An endless ray is one piece. */
static ray_hit ray_on_flat(const th_world *world, const ray *r, float length) {
  const th_vec3 from = r->o, d = r->d;
  ray_hit hit = {.distance =
                     th_ground_ray(world->ground, (th_place){0, from.x, from.y}, (th_vec2){d.x, d.y}, length).distance};
  float limit = hit.distance, piece = fmaxf(FLAT_PIECE, limit / (float)MAX_PIECES), t = 0.0f;
  do {
    float end = fminf(t + piece, limit);
    meet_piece(world, r, t, end, &hit);
    t = end;
  } while (t < limit && !(hit.id.index && hit.distance <= t));
  return hit;
}

static th_vec3 between(th_vec3 a, th_vec3 b, float *apart) {
  th_vec3 d = {b.x - a.x, b.y - a.y, b.z - a.z};
  float size = *apart = sqrtf(d.x * d.x + d.y * d.y + d.z * d.z), k = size > 0.0f ? 1.0f / size : 0.0f;
  return (th_vec3){d.x * k, d.y * k, d.z * k};
}

/* Walks piece by piece until a body, a wall or the end. */
static ray_hit ray_on_mesh(const th_world *world, th_place place, th_vec2 direction, float length,
                           const th_agent_filter *filter) {
  const th_ground *ground = world->ground;
  float gone = 0.0f;
  while (gone < length) {
    float piece = fminf(PIECE, length - gone), apart;
    th_vec3 a = th_ground_point(ground, place), up = th_ground_normal(ground, place);
    th_turn turn = {1.0f, 0.0f};
    bool wall = th_ground_walk(ground, &place, (th_vec2){direction.x * piece, direction.y * piece}, 0.0f, &turn);
    th_vec3 d = between(a, th_ground_point(ground, place), &apart);
    ray_hit hit = {.distance = apart};
    meet_piece(world, &(ray){a, d, &up, filter}, 0.0f, apart, &hit);
    if (hit.id.index) return (ray_hit){hit.id, gone + hit.distance};
    if (wall) return (ray_hit){.distance = gone + apart};
    direction = (th_vec2){turn.c * direction.x - turn.s * direction.y, turn.s * direction.x + turn.c * direction.y};
    gone += piece;
  }
  return (ray_hit){.distance = length};
}

th_agent_id th_world_ray(const th_world *world, th_vec3 from, th_vec3 direction, float length,
                         const th_agent_filter *filter, float *distance) {
  if (th_no_world(world, __func__)) return TH_NULL_AGENT;
  const th_ground *ground = world->ground;
  bool mesh = world->mesh != NULL;
  if (distance) *distance = length;
  th_place place = mesh ? th_ground_locate_at(ground, from, TH_ANY_LEVEL, INFINITY) : (th_place){0, from.x, from.y};
  if (place.cell == TH_NO_CELL) return TH_NULL_AGENT;
  th_vec2 ahead = mesh ? th_ground_to_cell(ground, place, direction) : (th_vec2){direction.x, direction.y};
  float size = sqrtf(ahead.x * ahead.x + ahead.y * ahead.y);
  if (!(size > 0.0f) || !(length >= 0.0f)) return TH_NULL_AGENT;
  ahead = (th_vec2){ahead.x / size, ahead.y / size};
  const ray flat = {.o = {from.x, from.y, 0.0f}, .d = {ahead.x, ahead.y, 0.0f}, .filter = filter};
  ray_hit hit = mesh ? ray_on_mesh(world, place, ahead, length, filter) : ray_on_flat(world, &flat, length);
  if (distance) *distance = hit.distance;
  return hit.id;
}
