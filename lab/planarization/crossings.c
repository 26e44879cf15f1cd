/* lab/planarization/crossings.c - crossings: figure 5.9 of the thesis, and whole trips of growing
 * crowds.
 *
 * A ring and a block of agents start around the pole of a sphere, lightly and strongly deformed; every agent walks to
 * the opposite side of the arrangement, so all meet in the middle. Whole trips: two caps of a plain sphere exchange
 * places. Distances of pairs are measured in space, which differs from the map by less than a thousandth at two radii.
 */
#include "base/error.h"
#include "base/memory.h"
#include "lab/planarization/experiments.h"
#include "lab/planarization/lab.h"

#define NONE NAN

enum { RING = 40, BLOCK = 10, MAX = 1600, LINES = 120 };

typedef struct crossing {
  bool block;
  double bumps;
  const char *title;
} crossing;

/* The point of the surface below a point: the vertex nearest to its direction from the centre gives the first guess. */
static th_vec3 on_surface(const th_ground *ground, double x, double y, double z) {
  const th_mesh *m = th_ground_mesh(ground);
  double best = -INFINITY, size = sqrt(x * x + y * y + z * z), radius = 0.0;
  for (uint32_t v = 0; v < m->vertex_count; v++) {
    const double *p = m->xyz + 3 * (size_t)v, far = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    const double close = (p[0] * x + p[1] * y + p[2] * z) / (far * size);
    if (close > best) best = close, radius = far;
  }
  const th_vec3 guess = {(float)(x / size * radius), (float)(y / size * radius), (float)(z / size * radius)};
  return th_ground_point(ground, th_ground_locate_at(ground, guess, 0, 4.0f));
}

/* Places in the plane at the pole: a ring, or a block; both symmetric about the middle. */
static uint32_t arrange(bool block, double (*at)[2]) {
  for (uint32_t k = 0; k < (block ? BLOCK * BLOCK : RING); k++) {
    const double turn = 6.283185307179586 * k / RING;
    at[k][0] = block ? 1.0 * (k % BLOCK) - 4.5 : 9.0 * cos(turn);
    at[k][1] = block ? 1.0 * (k / BLOCK) - 4.5 : 9.0 * sin(turn);
  }
  return block ? BLOCK * BLOCK : RING;
}

static th_result draw(th_lab *lab, const crossing *c, const th_planar_swap *swap, const th_planar_result *r,
                      th_error *error) {
  char path[1024];
  th_mesh_figure_line line[LINES];
  th_mesh_figure_def def = th_default_mesh_figure_def();
  th_camera camera = th_default_camera();
  if (!th_planar_figure_path(lab, path, sizeof path)) return TH_OK;
  uint32_t lines = 0;
  for (uint32_t k = 0; k < swap->agents && lines < LINES; k++)
    if (r->trail_count[k] > 1)
      line[lines++] =
          (th_mesh_figure_line){TH_MESH_FIGURE_TRAIL, r->trail + (size_t)k * TH_PLANAR_TRAIL, r->trail_count[k], k};
  camera.kind = TH_CAMERA_ANGLES;
  camera.elevation = 90.0;
  camera.zoom = 2.2;
  def.width = 900;
  def.title = c->title;
  def.note = "everyone walks to the opposite side";
  def.mesh = th_ground_mesh(swap->ground);
  def.edges = true;
  def.line = line;
  def.line_count = lines;
  def.camera = &camera;
  def.camera_count = 1;
  return th_mesh_figure_write(&def, path, error);
}

/* Crossings are chaotic: by avoidance alone the nearest pair of a run lies between 0.86 and 0.97 of the radii for
 * patches of 3, 4, 6, 8 and 12 edges, in no order. */
static void claim_crossing(th_lab *lab, const th_planar_swap *swap, const th_planar_result *r, double alone) {
  th_lab_claim(lab, &(th_claim){"share that arrives", "", (double)r->arrived / swap->agents, 1, 1, NONE, NONE, NULL});
  th_lab_claim(
      lab, &(th_claim){"nearest pair by the sum of radii", "", r->decisions.nearest, 0.9, INFINITY, NONE, 0.93, NULL});
  th_lab_claim(lab, &(th_claim){"the same, by avoidance alone", "", alone, 0.9, INFINITY, NONE, 0.93,
                                "where the crowd is packed no velocity is free of collisions, and the least bad one is "
                                "taken"});
  th_lab_claim(lab, &(th_claim){"walked by the path along edges", "", r->detour, 0, 1.5, NONE, NONE, NULL});
}

static th_result cross(th_lab *lab, const crossing *c, th_error *error) {
  double at[BLOCK * BLOCK][2];
  th_vec3 from[BLOCK * BLOCK];
  uint32_t to[BLOCK * BLOCK];
  th_ground *ground = NULL;
  th_result result = th_planar_sphere(5, c->bumps, &ground, error);
  if (result != TH_OK) return result;
  const uint32_t agents = arrange(c->block, at);
  for (uint32_t k = 0; k < agents; k++) {
    from[k] = on_surface(ground, at[k][0], at[k][1], 26.0);
    to[k] = th_planar_nearest(ground, on_surface(ground, -at[k][0], -at[k][1], 26.0));
  }
  const th_planar_swap swap = {ground, from, to, agents, true, false, true, 4000};
  th_planar_swap alone = swap;
  alone.collide = false;
  th_planar_result r;
  result = th_planar_swap_run(&alone, false, &r, error);
  const double nearest = r.decisions.nearest;
  th_planar_result_free(&r);
  if (result == TH_OK) result = th_planar_swap_run(&swap, true, &r, error);
  if (result == TH_OK) claim_crossing(lab, &swap, &r, nearest);
  if (result == TH_OK) result = draw(lab, c, &swap, &r, error);
  th_planar_result_free(&r);
  th_ground_release(ground);
  return result;
}

th_result th_planar_ring_low(th_lab *lab, th_error *error) {
  return cross(lab, &(crossing){false, 0.02, "40 agents on a ring, light deformation"}, error);
}

th_result th_planar_ring_strong(th_lab *lab, th_error *error) {
  return cross(lab, &(crossing){false, 0.15, "40 agents on a ring, strong deformation"}, error);
}

th_result th_planar_block_low(th_lab *lab, th_error *error) {
  return cross(lab, &(crossing){true, 0.02, "100 agents in a block, light deformation"}, error);
}

th_result th_planar_block_strong(th_lab *lab, th_error *error) {
  return cross(lab, &(crossing){true, 0.15, "100 agents in a block, strong deformation"}, error);
}

/* ---------------------------------------------------------------- whole trips */

/* Two opposite caps: agents on a spiral around each pole, each walks to the point opposite to its start. */
static void caps(const th_ground *ground, uint32_t agents, th_vec3 *from, uint32_t *to) {
  const double radius = sqrt(0.4330127 * th_ground_mesh(ground)->face_count / 12.566370614359172);
  for (uint32_t k = 0; k < agents; k++) {
    const double n = k / 2, turn = 2.399963229728653 * n, arc = 0.75 * sqrt(n + 0.5) / radius,
                 side = k % 2 ? -1.0 : 1.0;
    const double x = radius * sin(arc) * cos(turn), y = radius * sin(arc) * sin(turn), z = radius * cos(arc) * side;
    from[k] = th_ground_point(ground, th_ground_locate_at(ground, (th_vec3){(float)x, (float)y, (float)z}, 0, 4.0f));
    to[k] = th_planar_nearest(ground, (th_vec3){(float)-x, (float)-y, (float)-z});
  }
}

static th_result trip(uint32_t agents, th_planar_result *r, th_error *error) {
  const th_allocator a = th_env_complete(NULL).allocator;
  th_ground *ground = NULL;
  th_vec3 *from = TH_TAKE(&a, th_vec3, agents);
  uint32_t *to = TH_TAKE(&a, uint32_t, agents);
  th_result result = from && to ? th_planar_sphere(5, 0.0, &ground, error) : th_fail_memory(error, "trip");
  *r = (th_planar_result){0};
  if (result == TH_OK) {
    caps(ground, agents, from, to);
    const th_planar_swap swap = {ground, from, to, agents, true, false, false, 6000};
    result = th_planar_swap_run(&swap, false, r, error);
  }
  th_ground_release(ground);
  TH_GIVE(&a, to, agents);
  TH_GIVE(&a, from, agents);
  return result;
}

th_result th_planar_trends(th_lab *lab, th_error *error) {
  static const uint32_t count[3] = {100, 400, MAX};
  th_planar_result r[3];
  for (int k = 0; k < 3; k++) {
    th_result result = trip(count[k], &r[k], error);
    if (result != TH_OK) return result;
  }
  const th_decisions *l = &r[2].decisions, *f = &r[0].decisions;
  const double deviation[2] = {f->deviation / (double)f->samples, l->deviation / (double)l->samples};
  const double arrived = (r[0].arrived + r[1].arrived + r[2].arrived) / 2100.0;
  th_lab_claim(lab, &(th_claim){"100, 400 and 1,600: share that arrives", "", arrived, 1, 1, NONE, 1, NULL});
  th_lab_claim(lab, &(th_claim){"100: neighbours", "", f->neighbours / (double)f->paired, 0, 0.5, NONE, 0.06, NULL});
  th_lab_claim(lab, &(th_claim){"1,600: neighbours", "", l->neighbours / (double)l->paired, 0.3, 4, NONE, 1.13, NULL});
  th_lab_claim(lab, &(th_claim){"100: deviation", "degrees", deviation[0], 0, 2, NONE, 0.2, NULL});
  th_lab_claim(lab, &(th_claim){"1,600: deviation", "degrees", deviation[1], deviation[0], 20, NONE, 4.0, NULL});
  th_lab_claim(
      lab, &(th_claim){"1,600: speed by wanted speed", "", l->speed / (double)l->samples, 0.9, 1, NONE, 0.976, NULL});
  th_lab_claim(lab, &(th_claim){"1,600: walked by the path along edges", "", r[2].detour, 0.9, 1.1, NONE, 0.994, NULL});
  th_lab_claim(lab, &(th_claim){"1,600 by 100: time to the destination", "", r[2].time / r[0].time, 0.75, 1.25, NONE,
                                NONE, NULL});
  th_lab_claim(lab, &(th_claim){"1,600 by 100: distance walked", "", r[2].distance / r[0].distance, 0.75, 1.25, NONE,
                                NONE, NULL});
  th_lab_claim(lab, &(th_claim){"1,600: nearest pair by the sum of radii", "", l->nearest, 0.9, INFINITY, NONE, 0.945,
                                "by avoidance alone; 4 of 10 such crowds come closer, to 0.887"});
  return TH_OK;
}
