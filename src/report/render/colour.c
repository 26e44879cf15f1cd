/* report/render/colour.c - the colour of a point of a surface, of a terrain or of an agent.
 *
 * Fields use a map from cream over teal to deep blue, light enough for shading, so that agents, whose colour map ends
 * in warm colours, stand out from it. The thesis' colours are kept as printed: potential 0 green, 1 red.
 */
#include "report/render/view.h"

const th_colour th_clay = {0.880, 0.865, 0.835}, th_blocked_dark = {0.480, 0.485, 0.505},
                th_frontier_yellow = {0.985, 0.860, 0.100}, th_goal_green = {0.120, 0.720, 0.300},
                th_path_blue = {0.080, 0.160, 0.860};

static const th_colour unreached = {0.740, 0.740, 0.745};

th_colour th_value_colour(const th_render_mesh *drawn, double t) {
  if (drawn->def->colours == TH_MESH_FIGURE_THESIS) return th_colour_potential(t);
  return isfinite(drawn->def->value.middle) ? th_colour_split(t) : th_colour_relief(t);
}

static const th_colour *cell_colour(const th_render_mesh *drawn, const uint32_t corner[3], const double b[3]) {
  int max = b[0] >= b[1] ? (b[0] >= b[2] ? 0 : 2) : (b[1] >= b[2] ? 1 : 2);
  uint8_t cell = drawn->def->cell[corner[max]];
  static const th_colour full = {0.86, 0.05, 0.05};
  if (cell == TH_FIGURE_CELL_GOAL) return &th_goal_green;
  if (cell != TH_FIGURE_CELL_OCCUPIED) return NULL;
  return drawn->def->colours == TH_MESH_FIGURE_THESIS ? &full : &th_blocked_dark;
}

static void put(float rgb[3], th_colour c) { rgb[0] = (float)c.r, rgb[1] = (float)c.g, rgb[2] = (float)c.b; }

static void put_value(const th_render_mesh *drawn, double value, float rgb[3]) {
  if (!isfinite(value)) {
    put(rgb, unreached);
    return;
  }
  double t = (value - drawn->value.min) / (drawn->value.max - drawn->value.min);
  int step = (int)(fmin(1.0, fmax(0.0, t)) * (TH_RAMP_STEPS - 1) + 0.5);
  for (int k = 0; k < 3; k++) rgb[k] = drawn->ramp[step][k];
}

void th_render_mesh_colour(const th_render_mesh *drawn, uint32_t face, const double b[3], float rgb[3]) {
  const th_mesh_figure_def *def = drawn->def;
  const uint32_t *corner = def->mesh->corner + 3 * (size_t)face;
  const th_colour *cell = def->cell ? cell_colour(drawn, corner, b) : NULL;
  if (def->blocked && def->blocked[face]) {
    put(rgb, def->colours == TH_MESH_FIGURE_THESIS ? th_colour_potential(1.0) : th_blocked_dark);
  } else if (cell) {
    put(rgb, *cell);
  } else if (def->value.vertex) {
    double sum = 0.0;
    for (int k = 0; k < 3; k++) sum += b[k] * (double)def->value.vertex[corner[k]];
    put_value(drawn, sum, rgb);
  } else if (def->value.face) {
    put_value(drawn, (double)def->value.face[face], rgb);
  } else {
    put(rgb, def->terrain_of ? th_terrain_colour(def->terrain_of[face]) : th_clay);
  }
}

/* The first is the plain ground; the next ones are muted colours that say nothing about what a terrain is. */
th_colour th_terrain_colour(uint32_t terrain) {
  static const double lch[7][3] = {{0.90, 0.016, 85.0}, {0.79, 0.070, 125.0}, {0.80, 0.075, 75.0}, {0.76, 0.060, 235.0},
                                   {0.80, 0.050, 10.0}, {0.70, 0.060, 150.0}, {0.72, 0.030, 50.0}};
  if (terrain < 7) return th_colour_oklch(lch[terrain][0], lch[terrain][1], lch[terrain][2]);
  return th_colour_oklch(0.80, 0.07, fmod(40.0 + 137.50776405 * terrain, 360.0));
}

th_colour th_kind_colour(const th_render_mesh *drawn, uint32_t kind) {
  static const double lch[8][3] = {{0.62, 0.200, 30.0}, {0.55, 0.180, 262.0}, {0.66, 0.160, 145.0},
                                   {0.78, 0.160, 80.0}, {0.58, 0.190, 330.0}, {0.72, 0.120, 200.0},
                                   {0.50, 0.090, 50.0}, {0.45, 0.020, 260.0}};
  if (drawn->def->agents.kind_count && kind >= drawn->def->agents.kind_count) return th_colour_oklch(0.6, 0.0, 0.0);
  bool few = drawn->def->agents.kind_count && drawn->def->agents.kind_count <= 8;
  if (few && kind < 8) return th_colour_oklch(lch[kind][0], lch[kind][1], lch[kind][2]);
  return th_colour_oklch(0.55 + 0.06 * (double)(kind % 4), 0.14, fmod(250.0 + 137.50776405 * (kind % 1000), 360.0));
}

th_colour th_agent_colour(const th_render_mesh *drawn, uint32_t agent) {
  const th_mesh_figure_bodies *agents = &drawn->def->agents;
  if (agents->value) {
    double range = drawn->agents.max - drawn->agents.min;
    return th_colour_ramp(((double)agents->value[agent] - drawn->agents.min) / range);
  }
  return agents->kind ? th_kind_colour(drawn, agents->kind[agent]) : th_colour_oklch(0.58, 0.19, 32.0);
}
