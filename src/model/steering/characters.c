/* model/steering/characters.c - settings of people avoidance that make a character, and the two modes.
 *
 * The table of the thesis (3.2): how much an agent gives way, how early and how far, looks like personality, age or
 * mood. Cost: reading one row.
 */
#include "model/steering/people.h"

#define KEEP -1.0f

typedef struct character {
  float force, distance, projection; /* KEEP: as they are */
  bool circumvention, deceleration, acceleration;
} character;

static const character table[] = {
    [TH_CHARACTER_DOMINANT] = {KEEP, KEEP, 0.0f, false, false, false},
    [TH_CHARACTER_SHY] = {2.5f, 6.0f, KEEP, true, true, true},
    [TH_CHARACTER_FRIEND] = {KEEP, 1.5f, KEEP, true, true, true},
    [TH_CHARACTER_THOUGHTFUL] = {2.5f, 1.5f, 0.75f, true, true, true},
    [TH_CHARACTER_OLD] = {KEEP, KEEP, KEEP, true, true, false},
    [TH_CHARACTER_HURRIED] = {KEEP, KEEP, KEEP, true, false, true},
    [TH_CHARACTER_INTRUSIVE] = {KEEP, 1.0f, KEEP, true, true, true},
    [TH_CHARACTER_ALOOF] = {KEEP, 5.0f, KEEP, true, true, true},
    [TH_CHARACTER_CROWD] = {KEEP, KEEP, 0.0f, false, false, false},
    [TH_CHARACTER_INDIVIDUAL] = {KEEP, KEEP, KEEP, true, true, true},
};

static void take(float *to, float from) {
  if (from != KEEP) *to = from;
}

th_steering_people th_steering_character_of(th_steering_people own) {
  if (own.character <= TH_CHARACTER_OWN || own.character > TH_CHARACTER_INDIVIDUAL) return own;
  const character *c = &table[own.character];
  take(&own.force, c->force);
  take(&own.distance, c->distance);
  take(&own.projection, c->projection);
  own.circumvention = c->circumvention;
  own.deceleration = c->deceleration;
  own.acceleration = c->acceleration;
  return own;
}

static void switch_all(th_steering_params *p, bool on) {
  p->obstacle.front = p->obstacle.tree = on;
  p->people.circumvention = p->people.deceleration = p->people.acceleration = on;
  p->wall.my_side = p->wall.front = on;
  p->leader.deceleration = p->leader.memory = p->leader.circumvention = on;
  p->along.give_way = p->along.wait = on;
}

void th_steering_basic(th_steering_params *p) {
  switch_all(p, false);
  p->people.projection = 0.0f;
  p->path.projection = 1.25f;
  p->path.regulation = 0.0f;
}

void th_steering_full(th_steering_params *p) {
  switch_all(p, true);
  p->people.projection = 4.0f;
  p->path.projection = 3.75f;
  p->path.regulation = 0.5f;
  p->leader.memory_size = 5;
}
