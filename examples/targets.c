/* targets.c - a thousand units on hills, each with a target of its own, and a gate that closes.
 *
 * A goal has a field that leads everybody to it; a thousand goals would need a thousand fields. th_world_move_to
 * instead gives a unit a path of its own. The ground is a mesh of triangles with two walls across it: one leaves 4 m
 * free at its end, the other has a gate in its middle that closes for a third of the time. Whoever is then behind it
 * has no path, which is told once; when the gate opens, they set off by themselves.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <throng/guide/target.h>
#include <throng/throng.h>

enum { UNITS = 1000, SIDE = 60, POINTS = (SIDE + 1) * (SIDE + 1), FACES = 2 * SIDE * SIDE };

typedef struct game {
  th_world *world;
  th_agent_id unit[UNITS];
  th_vec2 target[UNITS];
  uint32_t random, reached, cut_off;
  double xyz[3 * POINTS];
  uint32_t corner[3 * FACES];
} game;

static float draw(game *g, float min, float max) {
  g->random = g->random * 1664525u + 1013904223u;
  return min + (max - min) * (float)(g->random >> 8) / 16777216.0f;
}

/* Hills of 2 m, one point in every metre. */
static void make_hills(game *g) {
  for (uint32_t i = 0; i < POINTS; i++) {
    const double x = i % (SIDE + 1), y = i / (SIDE + 1);
    g->xyz[3 * i] = x, g->xyz[3 * i + 1] = y, g->xyz[3 * i + 2] = sin(0.2 * x) * cos(0.2 * y);
  }
  for (uint32_t f = 0; f < FACES; f++) {
    const uint32_t a = f / 2 / SIDE * (SIDE + 1) + f / 2 % SIDE, b = a + 1, c = a + SIDE + 1, d = c + 1;
    const uint32_t lower[3] = {a, b, d}, upper[3] = {a, d, c};
    for (uint32_t k = 0; k < 3; k++) g->corner[3 * f + k] = f % 2 ? upper[k] : lower[k];
  }
}

static th_region block(const th_vec2 *outline, const char *name) {
  return (th_region){
      .name = name, .kind = TH_REGION_PRISM, .outline = outline, .outline_count = 4, .low = -9, .high = 9};
}

static th_result make_ground(game *g, th_ground **ground, th_error *error) {
  th_vec2 corner[4][4];
  th_box_polygon(19, 0, 20, 56, corner[0]), th_box_polygon(40, 0, 41, 27, corner[1]);
  th_box_polygon(40, 33, 41, 60, corner[2]), th_box_polygon(40, 27, 41, 33, corner[3]);
  const th_region wall[3] = {block(corner[0], NULL), block(corner[1], NULL), block(corner[2], NULL)};
  const th_mesh_door gate = {block(corner[3], "gate"), false};
  make_hills(g);
  th_mesh_ground_def def = th_default_mesh_ground_def();
  def.triangles.xyz_double = g->xyz, def.triangles.vertex_count = POINTS;
  def.triangles.corner = g->corner, def.triangles.face_count = FACES;
  def.blocked = wall, def.blocked_count = 3;
  def.door = &gate, def.door_count = 1;
  return th_ground_make_mesh(&def, ground, error);
}

/* Any place, perhaps in a wall: the nearest one that the unit can reach then stands for it. */
static void send(game *g, int i) {
  g->target[i] = (th_vec2){draw(g, 1, SIDE - 1), draw(g, 1, SIDE - 1)};
  th_world_move_to(g->world, g->unit[i], (th_vec3){g->target[i].x, g->target[i].y, 0}, NULL);
}

static th_result start(game *g, th_error *error) {
  th_world_def world = th_default_world_def();
  th_result result = make_ground(g, &world.ground, error);
  if (!result) result = th_world_make(&world, &g->world, error);
  th_ground_release(world.ground);
  for (int i = 0; i < UNITS && !result; i++) {
    th_agent_def unit = th_default_agent_def();
    unit.point = (th_vec3){1.2f + 0.5f * (float)(i % 34), 2.0f + 1.8f * (float)(i / 34), 0};
    result = th_world_add_agent(g->world, &unit, &g->unit[i], error);
    if (!result) send(g, i);
  }
  return result;
}

static void work_gate(game *g, uint64_t step) {
  if (step % 300 != 100 && step % 300 != 200) return;
  const th_edit gate = {.kind = step % 300 == 100 ? TH_EDIT_CLOSE : TH_EDIT_OPEN, .name = "gate"};
  th_world_edit(g->world, &gate, 1, NULL);
}

/* Whoever is there gets a new target. */
static void look_at_events(game *g) {
  uint32_t count;
  const th_event *event = th_world_events(g->world, &count);
  for (uint32_t k = 0; k < count; k++) g->cut_off += event[k].kind == TH_EVENT_UNREACHABLE;
  for (int i = 0; i < UNITS; i++)
    if (th_world_agent_state(g->world, g->unit[i]) == TH_AGENT_ARRIVED) g->reached++, send(g, i);
}

int main(void) {
  game *g = calloc(1, sizeof *g);
  th_error error;
  if (!g) return 1;
  if (start(g, &error)) return fprintf(stderr, "%s: %s\n", error.where, error.text), 1;
  for (uint64_t step = 0; step < 900; step++) {
    work_gate(g, step);
    th_world_step(g->world);
    look_at_events(g);
  }
  printf("%d units reached %u targets in 90 s; %u times there was no path\n", UNITS, g->reached, g->cut_off);
  th_world_free(g->world);
  free(g);
  return 0;
}
