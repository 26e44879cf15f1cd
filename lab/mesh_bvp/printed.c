/* lab/mesh_bvp/printed.c - the walk of 3DS-BVP exactly as its listing prints it, from all faces:
 * AT-2-walk.
 *
 * The thesis reports that every path arrived. Its Algorithm 4 adds the gradient, which points uphill; with the sign
 * corrected an agent alternates for ever between two faces whose descents point at each other. Steps are 0.3 of an
 * edge, as in the earlier re-run; the sheet and its three obstacles are the same.
 */
#include "geometry/mesh/halfedge.h"
#include "lab/mesh_bvp/experiments.h"
#include "lab/mesh_bvp/lab.h"

#define NONE NAN

static th_result make_layout(double noise, th_mesh_lab *s, th_error *error) {
  static const th_mesh_lab_box_def box[3] = {{0.25, 0.35, 0.4, 0.62}, {0.55, 0.1, 0.65, 0.5}, {0.6, 0.65, 0.85, 0.75}};
  static const th_mesh_lab_box_def goal = {-0.1, 0.45, 0.001, 0.55};
  th_result result = th_mesh_lab_sheet(50, 57, noise, s, error);
  if (result != TH_OK) return result;
  for (int k = 0; k < 3; k++) th_mesh_lab_box(s, TH_TILE_WALL, &box[k]);
  th_mesh_lab_box(s, TH_TILE_GOAL, &goal);
  const th_mesh_relax_def def = th_mesh_lab_def(1e-9);
  return th_mesh_lab_relax(s, &def, error);
}

/* Share of the starts that arrive within STEPS calls of Algorithm 4. */
static double arrive(th_mesh_lab *s, double speed, th_mesh_printed_sign sign) {
  enum { STEPS = 1500 };
  uint32_t starts = 0, arrived = 0;
  for (uint32_t f = 0; f < s->mesh.face_count; f += 3) {
    if (!th_mesh_lab_is_start(s, f)) continue;
    const th_mesh_spot middle = {f, {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0}};
    th_mesh_printed_walker agent = {.face = f};
    th_descent end = TH_DESCENT_MOVED;
    th_mesh_spot_xyz(&s->mesh, &middle, agent.xyz);
    for (int k = 0; k < STEPS && end == TH_DESCENT_MOVED; k++)
      end = th_mesh_printed_walker_update(s->height_map, &agent, speed, sign);
    starts++;
    arrived += end == TH_DESCENT_ARRIVED;
  }
  return starts ? (double)arrived / starts : NAN;
}

/* Whether the descent of a half-edge's face leads out over it: against the inner normal of the edge. */
static bool pushes_out(th_mesh_lab *s, uint32_t half) {
  const double *a = s->mesh.xyz + 3 * (size_t)th_half_from(&s->mesh, half);
  const double *b = s->mesh.xyz + 3 * (size_t)th_half_to(&s->mesh, half);
  double g[3];
  th_mesh_height_gradient(s->height_map, th_half_face(half), g);
  return -g[0] * -(b[1] - a[1]) + -g[1] * (b[0] - a[0]) < 0.0; /* the face lies left of its half-edges */
}

/* Share of the inner edges between free faces into which the descents of both faces point. Flat sheets only. */
static double valleys(th_mesh_lab *s) {
  uint32_t edges = 0, found = 0;
  for (uint32_t h = 0; h < 3 * s->mesh.face_count; h++) {
    const uint32_t twin = s->mesh.twin[h];
    if (twin == TH_NO_HALF || twin < h) continue;
    if (!th_mesh_lab_is_start(s, h / 3) || !th_mesh_lab_is_start(s, twin / 3)) continue;
    edges++;
    found += pushes_out(s, h) && pushes_out(s, twin);
  }
  return edges ? (double)found / edges : NAN;
}

th_result th_mesh_at2_walk(th_lab *lab, th_error *error) {
  static const char *const uphill = "the printed sign leads uphill: (4.14) is the gradient, and Algorithm 4 adds it";
  static const char *const stuck =
      "where two faces push against their common edge the listing hands the agent to and fro without moving it";
  static const char *const share[2] = {"regular mesh, sign put right: share of starts that arrives",
                                       "noise of 40 %, sign put right: share of starts that arrives"};
  static const char *const valley[2] = {"regular mesh: share of edges that both faces push into",
                                        "noise of 40 %: share of edges that both faces push into"};
  static const double earlier[2] = {0.22, 0.025};
  for (int k = 0; k < 2; k++) {
    th_mesh_lab s;
    th_mesh_lab_paths paths;
    th_result result = make_layout(0.4 * k, &s, error);
    if (result == TH_OK) result = th_mesh_lab_walk_all(&s, 1, &paths, error);
    if (result == TH_OK && k == 0)
      th_lab_claim(lab, &(th_claim){"regular mesh, as printed: share of starts that arrives", "",
                                    arrive(&s, 0.3 / 50.0, TH_MESH_PRINTED_UP), 1, 1, 1, NONE, uphill});
    if (result == TH_OK) {
      th_lab_claim(lab,
                   &(th_claim){share[k], "", arrive(&s, 0.3 / 50.0, TH_MESH_PRINTED_DOWN), 1, 1, 1, earlier[k], stuck});
      th_lab_claim(lab, &(th_claim){valley[k], "", valleys(&s), 0.01, 0.2, NONE, k ? 0.08 : 0.035, NULL});
      th_lab_claim(lab, &(th_claim){"with rules for edges and vertices: share of starts that arrives", "",
                                    (double)paths.arrived / paths.starts, 1, 1, 1, 1, NULL});
    }
    th_mesh_lab_free(&s);
    if (result != TH_OK) return result;
  }
  return TH_OK;
}
