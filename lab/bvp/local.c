/* lab/bvp/local.c - experiments on local maps and on one decision: E06, E12, E15, E40.
 *
 * The numbers of an empty 15 x 15 map are known to six digits from our own earlier re-run; the band of each is half of
 * its last digit.
 */
#include <string.h>

#include "lab/bvp/cells.h"
#include "lab/bvp/experiments.h"

#define NONE NAN

/* ---------------------------------------------------------------- E06: the free zone */

/* Steps that an agent makes towards a row of people that fills the map in front of its local goal. */
static th_result try_zone(int32_t free_ring, th_bvp_run *run, th_bvp_walker *walker, th_bvp_trial *trial,
                          th_error *error) {
  th_bvp_params params = th_bvp_thesis_params(15);
  params.free_ring = free_ring;
  walker[0] = th_bvp_corridor_walker(params);
  walker[0].x = 30.5f;
  for (uint32_t k = 0; k < 15; k++) walker[1 + k] = th_bvp_stander(36.5f, 3.5f + (float)k, 0.5f);
  th_bvp_window *window = trial->window;
  *trial = th_bvp_corridor(walker, 16, 1);
  trial->window = window;
  return th_bvp_try(trial, run, error);
}

th_result th_bvp_e06(th_lab *lab, th_error *error) {
  th_bvp_walker walker[2][16];
  th_bvp_window window[2];
  th_bvp_trial trial[2] = {{.window = &window[0]}, {.window = &window[1]}};
  th_bvp_run run[2] = {0};
  th_result result = try_zone(1, &run[0], walker[0], &trial[0], error);
  if (result == TH_OK) result = try_zone(0, &run[1], walker[1], &trial[1], error);
  if (result == TH_OK) {
    double with = th_bvp_length(&run[0], 0), without = th_bvp_length(&run[1], 0);
    th_lab_claim(lab, &(th_claim){"first step with the free zone", "cells", with, 0.01, 0.5, NONE, NONE, NULL});
    th_lab_claim(lab, &(th_claim){"first step without it", "cells", without, 0, 0, 0, NONE, NULL});
    const th_bvp_inset inset[2] = {{&run[0], &trial[0], &window[0], "with the free zone"},
                                   {&run[1], &trial[1], &window[1], "without it"}};
    result = th_bvp_draw_insets(lab, inset, 2, "E06: people right in front of the local goal", error);
  }
  th_bvp_run_free(&run[0]);
  th_bvp_run_free(&run[1]);
  return result;
}

/* ---------------------------------------------------------------- E12: blending headings */

/* Two walkers whose slope points to +y and whose heading is +x. */
th_result th_bvp_e12(th_lab *lab, th_error *error) {
  th_bvp_walker walker[2];
  th_bvp_run run;
  double degrees[2];
  th_shape goal = th_box_shape(30.0f, 50.0f, 31.0f, 51.0f);
  for (int k = 0; k < 2; k++) {
    th_bvp_params params = th_bvp_thesis_params(15);
    params.mass = k ? 4.0f : 1.0f;
    params.speed_rule = TH_BVP_STEADY;
    walker[k] = th_bvp_corridor_walker(params);
    walker[k].x = 30.5f;
    walker[k].y = 30.5f;
  }
  th_bvp_trial trial = {.width = 61,
                        .height = 61,
                        .goal = &goal,
                        .goal_count = 1,
                        .walker = walker,
                        .walker_count = 2,
                        .steps = 100,
                        .alone = true};
  th_result result = th_bvp_try(&trial, &run, error);
  if (result != TH_OK) return result;
  for (int k = 0; k < 2; k++)
    degrees[k] = (double)run.tracks.heading[run.tracks.track[k].first + 1] * 57.29577951308232;
  /* 30 sweeps leave the slope of a goal straight ahead up to 0.2 degrees off its axis */
  th_lab_claim(lab, &(th_claim){"gradient at a right angle, mass 1", "degrees", degrees[0], 44.8, 45.2, 45, 45, NULL});
  th_lab_claim(
      lab, &(th_claim){"gradient at a right angle, mass 4", "degrees", degrees[1], 13.99, 14.09, NONE, 14.04, NULL});
  th_bvp_panel panel = {&run, "", &trial};
  result = th_bvp_draw(lab, &panel, 1, "E12: mass 1 and 4 turn towards a goal above", error);
  th_bvp_run_free(&run);
  return result;
}

/* ---------------------------------------------------------------- E15: five vectors */

typedef struct reference {
  float vx, vy;
  double p, angle, p30, angle30; /* converged; after 30 alternating sweeps from p = 1 */
} reference;

static const reference table[7] = {
    {0.0f, 0.0f, 0.911401, 0.00, 0.942033, 0.14},     {0.0f, 1.0f, 0.972992, -35.45, 0.975328, -33.15},
    {0.0f, -1.0f, 0.972992, 35.45, 0.975323, 33.22},  {1.0f, 0.0f, 0.708871, 0.00, 0.735799, 0.17},
    {-1.0f, 0.0f, 0.998254, 0.00, 0.998415, 0.02},    {0.7f, -0.7f, 0.852464, 48.15, 0.866310, 42.99},
    {-0.7f, -0.7f, 0.995550, 16.55, 0.995968, 15.58},
};

typedef struct deviation {
  double p, angle, p30, angle30;
  uint32_t wrong_side; /* vectors across the path whose descent turns to the side that they point to */
  double coverage[7];  /* share of the cells with a gradient after 30 sweeps */
} deviation;

static double share_with_gradient(const th_relaxation *field) {
  return 1.0 - (double)th_relaxation_flat(field, 1e-8, NULL) / (13.0 * 13.0);
}

static th_result compare(deviation *d, const th_bvp_grid *grid, int k, th_relaxation **early, th_error *error) {
  const reference *r = &table[k];
  th_relax_def def = th_bvp_relax_def(TH_METHOD_SEIDEL_ALTERNATING, 0.7, r->vx, r->vy);
  th_relaxation *field = NULL;
  th_result result = th_bvp_relax_grid(grid, &def, 0, &field, error);
  if (result == TH_OK) result = th_bvp_relax_grid(grid, &def, 30, early, error);
  if (result == TH_OK) {
    double angle = th_bvp_angle(field, 7, 7);
    d->p = fmax(d->p, fabs(th_relaxation_p(field, 7, 7) - r->p));
    d->angle = fmax(d->angle, fabs(angle - r->angle));
    d->p30 = fmax(d->p30, fabs(th_relaxation_p(*early, 7, 7) - r->p30));
    d->angle30 = fmax(d->angle30, fabs(th_bvp_angle(*early, 7, 7) - r->angle30));
    d->wrong_side += r->vy != 0.0f && angle * (double)r->vy >= 0.0;
    d->coverage[k] = share_with_gradient(*early);
  }
  th_relaxation_free(field);
  return result;
}

static void claim_e15(th_lab *lab, const deviation *d) {
  double lost = fmax(d->coverage[4], d->coverage[6]), max = fmin(d->coverage[3], d->coverage[5]);
  th_lab_claim(lab, &(th_claim){"largest deviation of p, converged", "", d->p, 0, 5.1e-7, NONE, 0, NULL});
  th_lab_claim(lab, &(th_claim){"of the angle, converged", "degrees", d->angle, 0, 0.0051, NONE, 0, NULL});
  th_lab_claim(lab, &(th_claim){"of p after 30 sweeps", "", d->p30, 0, 5.1e-7, NONE, 0, NULL});
  th_lab_claim(lab, &(th_claim){"of the angle after 30 sweeps", "degrees", d->angle30, 0, 0.0051, NONE, 0, NULL});
  th_lab_claim(lab, &(th_claim){"vectors with the valley on their own side", "", d->wrong_side, 0, 0, 0, 0, NULL});
  th_lab_claim(
      lab, &(th_claim){"cells with a gradient, v against the goal by v along it", "", lost / max, 0, 0.9999, NONE, NONE,
                       "every cell keeps a gradient above 1e-8 after 30 sweeps; the field is weak there, not "
                       "null"});
}

th_result th_bvp_e15(th_lab *lab, th_error *error) {
  static const char *const name[6] = {"harmonic",    "v = (0, 1)",      "v = (1, 0)",
                                      "v = (-1, 0)", "v = (0.7, -0.7)", "v = (-0.7, -0.7)"};
  static const int shown[6] = {0, 1, 3, 4, 5, 6};
  th_bvp_grid grid;
  th_relaxation *field[7] = {NULL};
  deviation d = {0};
  th_result result = TH_OK;
  th_bvp_grid_local(&grid, 15);
  for (int k = 0; k < 7 && result == TH_OK; k++) result = compare(&d, &grid, k, &field[k], error);
  if (result == TH_OK) {
    claim_e15(lab, &d);
    const th_relaxation *six[6];
    for (int k = 0; k < 6; k++) six[k] = field[shown[k]];
    result = th_bvp_draw_cells(lab, six, name, 6, "E15: local field for five vectors, eps = 0.7", error);
  }
  for (int k = 0; k < 7; k++) th_relaxation_free(field[k]);
  return result;
}

/* ---------------------------------------------------------------- E40: fewer sweeps */

/* A sweep in a fixed order that runs against the goal's direction carries its value only one cell further, and the
 * centre is seven cells away. */
th_result th_bvp_e40(th_lab *lab, th_error *error) {
  static const int32_t sweeps[5] = {5, 8, 15, 30, 60};
  th_bvp_walker walker[5];
  th_bvp_run run;
  for (int k = 0; k < 5; k++) {
    walker[k] = th_bvp_corridor_walker(th_bvp_constant_params(15, 0.7f, -0.7f, 0.7f));
    walker[k].params.sweeps = sweeps[k];
    walker[k].params.order = TH_BVP_FIXED;
  }
  th_bvp_trial trial = th_bvp_corridor(walker, 5, 600);
  trial.alone = true;
  th_result result = th_bvp_try(&trial, &run, error);
  if (result != TH_OK) return result;
  double few = th_bvp_length(&run, 0), side = fabs(th_bvp_y_at(&run, 1, 40.0) - th_bvp_y_at(&run, 3, 40.0));
  th_lab_claim(lab, &(th_claim){"path of an agent with 5 sweeps: no gradient", "cells", few, 0, 0, NONE, NONE, NULL});
  th_lab_claim(
      lab, &(th_claim){"8 sweeps walk elsewhere than 30, at x = 40", "cells", side, 0.5, INFINITY, NONE, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"30 sweeps arrive", "", run.arrived[3] != 0, 1, 1, 1, NONE, NULL});
  th_bvp_panel panel = {&run, "", &trial};
  result = th_bvp_draw(lab, &panel, 1, "E40: 5, 8, 15, 30 and 60 sweeps in a fixed order, v = (0.7, -0.7)", error);
  th_bvp_run_free(&run);
  return result;
}
