/* lab/planarization/map.c - the flat map of one agent in a crowd, as the thesis' prototype shows it
 * for a selected agent.
 *
 * The map is the conformal one of the agent's face with its ring. All agents on it are drawn by their place in a face;
 * the reference point lies in the wanted direction, at the remaining distance.
 */
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "ground/chart/atlas.h"
#include "lab/planarization/experiments.h"
#include "lab/planarization/lab.h"

#define NONE NAN

enum { MAX = 64, AGENTS = 60000 };

typedef struct layout {
  th_vec2 vertex[3 * MAX], neighbour[4 * MAX], velocity[4 * MAX];
  uint32_t corner[3 * MAX];
  float stretch[MAX], radius[4 * MAX];
  uint8_t seen[4 * MAX];
  uint32_t faces, neighbours, within;
  double worst; /* largest |L2 - 1| */
} layout;

/* One held face: its triangle, its L2, its agents; the selected agent lies at (0, 0). */
static void add_face(layout *s, const th_world *world, uint32_t face, const th_chart_map *m, th_vec2 origin) {
  const th_mesh_frames *frames = &th_world_ground(world)->mesh->frames;
  const th_agents a = th_world_agents(world);
  th_point corner[3];
  if (s->faces == MAX) return;
  for (uint32_t k = 0; k < 3; k++) {
    const th_point q = th_frames_corner(frames, 3 * face + k);
    const th_vec2 at = th_chart_point(m, (float)q.x, (float)q.y);
    corner[k] = (th_point){(double)at.x, (double)at.y};
    s->vertex[3 * s->faces + k] = (th_vec2){at.x - origin.x, at.y - origin.y};
    s->corner[3 * s->faces + k] = 3 * s->faces + k;
  }
  const double l2 = th_stretch_of(&frames->face[face], corner).l2;
  s->worst = fmax(s->worst, fabs(l2 - 1.0));
  s->stretch[s->faces++] = (float)l2;
  for (uint32_t row = 0; row < a.count; row++) {
    if (a.cell[row] != face || s->neighbours == 4 * MAX) continue;
    const th_vec2 p = th_chart_point(m, a.x[row], a.y[row]), q = {p.x - origin.x, p.y - origin.y};
    if (q.x == 0.0f && q.y == 0.0f) continue; /* itself */
    const bool near = q.x * q.x + q.y * q.y <= TH_PLANAR_VISION * TH_PLANAR_VISION;
    s->neighbour[s->neighbours] = q;
    s->velocity[s->neighbours] = th_chart_vector(m, a.vx[row], a.vy[row]);
    s->radius[s->neighbours] = a.radius[row];
    s->seen[s->neighbours++] = near;
    s->within += near;
  }
}

static void fill(layout *s, const th_atlas *atlas, const th_chart *chart, const th_world *world, th_vec2 origin) {
  const th_patches *p = &atlas->patches;
  for (uint32_t n = 0; n < chart->cluster_count; n++)
    for (uint32_t k = p->start[chart->cluster[n]]; k < p->start[chart->cluster[n] + 1]; k++) {
      const th_chart_map *m = &th_chart_maps(chart, n)[k - p->start[chart->cluster[n]]];
      if (th_chart_holds(m)) add_face(s, world, p->face[k], m, origin);
    }
}

/* The agent whose map is shown: its row, the map of its face, its reference point in the map. */
typedef struct shown {
  uint32_t row;
  const th_chart_map *map;
  th_vec2 reference;
} shown;

static th_result draw(th_lab *lab, const layout *s, const th_world *world, const shown *agent, th_error *error) {
  const uint32_t row = agent->row;
  const th_chart_map *m = agent->map;
  const th_vec2 reference = agent->reference;
  char path[1024];
  const th_agents a = th_world_agents(world);
  if (!th_planar_figure_path(lab, path, sizeof path)) return TH_OK;
  const float size = sqrtf(reference.x * reference.x + reference.y * reference.y);
  th_chart_figure_def def = th_default_chart_figure_def();
  def.width = 800;
  def.title = "The map of one of 60,000 agents";
  def.note = "conformal map of its face and the ring around";
  def.vertex = s->vertex;
  def.corner = s->corner;
  def.vertex_count = 3 * s->faces;
  def.triangle_count = s->faces;
  def.stretch = s->stretch;
  def.neighbour = s->neighbour;
  def.neighbour_velocity = s->velocity;
  def.neighbour_radius = s->radius;
  def.neighbour_seen = s->seen;
  def.neighbour_count = s->neighbours;
  def.radius = a.radius[row];
  def.reach = TH_PLANAR_VISION;
  def.velocity = th_chart_vector(m, a.vx[row], a.vy[row]);
  def.heading = th_chart_vector(m, a.hx[row], a.hy[row]);
  if (size > 0.0f) def.wanted = (th_vec2){reference.x / size, reference.y / size};
  if (size < 2.0f) def.reference = &reference;
  return th_chart_figure_write(&def, path, error);
}

/* The agent in the middle of the list, in its own map. */
static th_result show(th_lab *lab, th_world *world, th_atlas *atlas, layout *s, th_error *error) {
  th_ground *ground = (th_ground *)th_world_ground(world);
  const th_agents a = th_world_agents(world);
  const uint32_t row = a.count / 2, face = a.cell[row], patch = atlas->patches.patch_of[face];
  if (th_atlas_prepare(atlas, ground, 0.01f, &patch, 1, NULL) != TH_OK) return th_fail_memory(error, "map");
  const th_chart *chart = th_atlas_chart(atlas, patch);
  const th_chart_map *m = th_chart_find(chart, &atlas->patches, face);
  const th_vec2 origin = th_chart_point(m, a.x[row], a.y[row]);
  fill(s, atlas, chart, world, origin);
  th_agent_def own;
  th_world_agent_def(world, a.id[row], &own);
  const th_field *field = th_world_field(world, own.route[0].goal, own.radius);
  const th_field_gradient slope = th_field_gradient_at(field, (th_place){face, a.x[row], a.y[row]});
  const th_vec2 reference = th_chart_vector(m, slope.dx * slope.left, slope.dy * slope.left);
  return draw(lab, s, world, &(shown){row, m, reference}, error);
}

th_result th_planar_map(th_lab *lab, th_error *error) {
  th_ground *ground = NULL;
  th_world *world = NULL;
  th_atlas *atlas = NULL;
  layout s = {0};
  th_atlas_def def = th_default_atlas_def();
  def.allocator = th_env_complete(NULL).allocator;
  def.patches.one_face = true;
  def.charts.chart.method = TH_CHART_LSCM;
  th_result result = th_planar_mesh_ground(&th_planar_meshes[4], &ground, error);
  const th_planar_crowd crowd = {
      .ground = ground, .agents = AGENTS, .goals = 16, .workers = 1, .radius = 0.12f, .seed = 1};
  if (result == TH_OK) result = th_planar_crowd_make(NULL, &crowd, &world, error);
  if (result == TH_OK) result = th_atlas_make(&def, ground, NULL, &atlas, error);
  for (int k = 0; k < 10 && result == TH_OK; k++) th_world_step(world);
  if (result == TH_OK) result = show(lab, world, atlas, &s, error);
  if (result == TH_OK) {
    th_lab_claim(lab, &(th_claim){"faces of the map", "", s.faces, 10, 20, 12.98, NONE, NULL});
    th_lab_claim(lab, &(th_claim){"others on the map", "", s.neighbours, s.within, INFINITY, NONE, NONE, NULL});
    th_lab_claim(lab, &(th_claim){"of these within vision", "", s.within, 1, s.neighbours, NONE, NONE, NULL});
    th_lab_claim(lab, &(th_claim){"largest |L2 - 1|", "", s.worst, 0, 0.2, NONE, 0.04, NULL});
  }
  th_atlas_free(atlas);
  th_world_free(world);
  th_ground_release(ground);
  return result;
}
