/* targets.c - a thousand units, each with a target of its own.
 *
 * A goal has a field that leads everybody to it; a thousand goals would need a thousand fields. Here one guide asks us
 * instead, for up to sixteen agents at a time: we answer with the direction to the unit's own target, in constant time
 * and without memory. The answers are called from several threads at once, so they only read; targets change between
 * steps. Units keep clear of each other and of walls by their model. Behind walls the direction would be that to the
 * next corner of a path of the game's own.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <throng/guide.h>
#include <throng/throng.h>

enum { UNITS = 1000, COLUMNS = 40 };

typedef struct game {
  th_ground *ground;
  th_world *world;
  th_agent_id unit[UNITS];
  th_vec2 target[UNITS + 1]; /* by the index of the unit's id, which begins at 1 */
  uint32_t random, reached;
} game;

static float draw(game *g, float min, float max) {
  g->random = g->random * 1664525u + 1013904223u;
  return min + (max - min) * (float)(g->random >> 8) / 16777216.0f;
}

static void lead(void *user, const th_guide_query *query) {
  const game *g = user;
  for (uint32_t lane = 0; lane < query->lanes; lane++) {
    const th_vec2 target = g->target[query->agent[lane]];
    const float x = target.x - query->x[lane], y = target.y - query->y[lane], left = sqrtf(x * x + y * y);
    if (left < 0.5f) continue; /* it waits until we give it another one */
    query->want[lane] = (th_guide_answer){.dx = x / left, .dy = y / left, .left = left, .state = TH_ANSWER_LEAD};
  }
}

static th_result start(game *g, th_error *error) {
  th_vec2 corner[4];
  const th_polygon field = th_box_polygon(0, 0, 60, 60, corner);
  th_flat_def flat = th_default_flat_def();
  flat.outline = &field, flat.outline_count = 1;
  th_result result = th_ground_make_flat(&flat, &g->ground, error);
  th_world_def world = th_default_world_def();
  world.ground = g->ground;
  if (!result) result = th_world_make(&world, &g->world, error);
  th_guide_id guide = TH_NULL_GUIDE;
  const th_user_guide_params ask = {lead, g};
  if (!result) result = th_world_add_guide(g->world, &th_guide_user, &ask, &guide, error);
  for (int i = 0; i < UNITS && !result; i++) {
    th_agent_def unit = th_default_agent_def();
    unit.point = (th_vec3){1.0f + 1.4f * (float)(i % COLUMNS), 1.0f + 1.4f * (float)(i / COLUMNS), 0.0f};
    unit.guide = guide;
    result = th_world_add_agent(g->world, &unit, &g->unit[i], error);
    if (!result) g->target[g->unit[i].index] = (th_vec2){draw(g, 1, 59), draw(g, 1, 59)};
  }
  return result;
}

/* Whoever is there gets a new target. */
static void give_targets(game *g) {
  for (int i = 0; i < UNITS; i++) {
    th_vec2 *target = &g->target[g->unit[i].index];
    const th_vec3 at = th_world_agent_point(g->world, g->unit[i]);
    if (hypotf(target->x - at.x, target->y - at.y) >= 0.5f) continue;
    *target = (th_vec2){draw(g, 1, 59), draw(g, 1, 59)};
    g->reached++;
  }
}

int main(void) {
  game *g = calloc(1, sizeof *g);
  th_error error;
  if (!g) return 1;
  if (start(g, &error)) return fprintf(stderr, "%s: %s\n", error.where, error.text), 1;
  while (th_world_time(g->world) < 60.0) {
    th_world_step(g->world);
    give_targets(g);
  }
  printf("%d units reached %u targets in a minute\n", UNITS, g->reached);
  th_world_free(g->world);
  th_ground_release(g->ground);
  free(g);
  return 0;
}
