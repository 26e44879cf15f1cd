/* lab/bvp/ambush.c - groups and pockets of standing people: E18, E26 to E29.
 *
 * A pocket is open towards the walker: two rows of people along its path, closed at the far end. Walkers of several
 * kinds that do not see each other try it in one world.
 */
#include <stdio.h>

#include "lab/bvp/experiments.h"
#include "lab/bvp/lab.h"

#define NONE NAN

enum { MAX_STANDERS = 64, KINDS = 6 };

/* harmonic; v on sight; v constant with eps = 1.2 and 0.7; larger windows */
typedef enum kind { HARMONIC, ON_SIGHT, CONSTANT, WEAK, WINDOW_25, WINDOW_35 } kind;

typedef struct pocket {
  float height, centre, half, depth; /* of the corridor; of the pocket: middle y, half width, length */
} pocket;

/* ---------------------------------------------------------------- pockets */

static uint32_t stand_around(const pocket *p, th_bvp_walker *walker) {
  uint32_t count = 0;
  float end = 36.0f + p->depth;
  for (float x = 36.0f; x < end; x += 1.0f) {
    walker[count++] = th_bvp_stander(x, p->centre - p->half, 0.5f);
    walker[count++] = th_bvp_stander(x, p->centre + p->half, 0.5f);
  }
  for (float y = p->centre - p->half; y <= p->centre + p->half + 0.01f; y += 1.0f)
    walker[count++] = th_bvp_stander(end, y, 0.5f);
  return count;
}

static th_bvp_params params_of(kind k) {
  th_bvp_params p = th_bvp_thesis_params(k == WINDOW_25 ? 25 : k == WINDOW_35 ? 35 : 15);
  if (k == CONSTANT || k == WEAK) p = th_bvp_constant_params(15, 0.0f, -1.0f, k == CONSTANT ? 1.2f : 0.7f);
  if (k == WINDOW_25 || k == WINDOW_35) p.sweeps = 100;
  if (k != ON_SIGHT) return p;
  p.trigger = TH_BVP_AHEAD;
  p.sight = 20.0f;
  p.behaviour[TH_BVP_SIGHT].kind = TH_BVP_CONSTANT;
  p.behaviour[TH_BVP_SIGHT].v = (th_vec2){0.0f, -1.0f};
  p.behaviour[TH_BVP_SIGHT].strength = 1.2f;
  return p;
}

typedef struct attempt {
  th_bvp_walker walker[KINDS + MAX_STANDERS];
  th_shape goal;
  th_bvp_trial trial;
  th_bvp_run run;
} attempt;

/* All kinds from `first` on to `last` try a pocket. */
static th_result try_pocket(attempt *a, const pocket *p, kind first, kind last, uint32_t steps, th_error *error) {
  uint32_t kinds = (uint32_t)(last - first) + 1;
  float middle = 0.5f * p->height;
  for (uint32_t k = 0; k < kinds; k++) {
    a->walker[k] = th_bvp_corridor_walker(params_of((kind)((uint32_t)first + k)));
    a->walker[k].y = middle;
  }
  uint32_t count = kinds + stand_around(p, a->walker + kinds);
  a->goal = th_box_shape(76.0f, middle - 1.5f, 77.0f, middle + 1.5f);
  a->trial = (th_bvp_trial){.width = 80,
                            .height = p->height,
                            .goal = &a->goal,
                            .goal_count = 1,
                            .walker = a->walker,
                            .walker_count = count,
                            .steps = steps,
                            .alone = true};
  return th_bvp_try(&a->trial, &a->run, error);
}

/* The pocket of E26 to E28: half width 2, from x = 36 to 47, closed at 48. */
static const pocket classic = {21.0f, 10.5f, 2.0f, 12.0f};

typedef struct scan {
  uint32_t pockets, trapped, freed[KINDS]; /* freed: out of the pockets that trap the harmonic agent */
} scan;

static void count_pocket(scan *s, const th_bvp_run *run) {
  s->pockets++;
  if (run->arrived[HARMONIC]) return;
  s->trapped++;
  for (int k = 1; k < KINDS; k++) s->freed[k] += run->arrived[k] != 0;
}

/* 27 pockets on the axis: three corridors, half widths and depths. */
static th_result scan_centred(scan *s, kind last, th_error *error) {
  static const float height[3] = {21.0f, 27.0f, 33.0f}, half[3] = {2.0f, 3.0f, 4.0f}, depth[3] = {4.0f, 8.0f, 12.0f};
  th_result result = TH_OK;
  *s = (scan){0};
  for (int k = 0; k < 27 && result == TH_OK; k++) {
    attempt a;
    pocket p = {height[k % 3], 0.5f * height[k % 3], half[k / 3 % 3], depth[k / 9]};
    result = try_pocket(&a, &p, HARMONIC, last, 800, error);
    if (result != TH_OK) return result;
    count_pocket(s, &a.run);
    th_bvp_run_free(&a.run);
  }
  return result;
}

static th_result one_kind(th_lab *lab, kind k, uint32_t steps, const char *title, double *arrival, th_error *error) {
  attempt a;
  th_result result = try_pocket(&a, &classic, k, k, steps, error);
  if (result != TH_OK) return result;
  *arrival = a.run.arrived[0] ? (double)a.run.arrived[0] : NAN;
  th_bvp_panel panel = {&a.run, "", &a.trial};
  result = th_bvp_draw(lab, &panel, 1, title, error);
  th_bvp_run_free(&a.run);
  return result;
}

th_result th_bvp_e26(th_lab *lab, th_error *error) {
  scan s;
  double arrival = NAN;
  th_result result = one_kind(lab, HARMONIC, 3000, "E26: a harmonic agent in an ambush", &arrival, error);
  if (result == TH_OK) result = scan_centred(&s, HARMONIC, error);
  if (result != TH_OK) return result;
  th_lab_claim(lab, &(th_claim){"trapped for 3000 steps", "", isnan(arrival), 1, 1, 1, 1, NULL});
  th_lab_claim(lab, &(th_claim){"pockets that trap it, of 27", "", s.trapped, 14, 27, NONE, 23, NULL});
  return TH_OK;
}

/* Variant (b) of E27: the pocket is shifted and a row of people closes the side that v leads to. */
static th_result other_exit(double *arrival, th_error *error) {
  th_bvp_walker walker[1 + MAX_STANDERS];
  th_bvp_run run;
  uint32_t count = 1;
  walker[0] = th_bvp_corridor_walker(params_of(ON_SIGHT));
  for (float y = 1.5f; y < 13.0f; y += 1.0f) walker[count++] = th_bvp_stander(45.5f, y, 0.5f);
  th_bvp_trial trial = th_bvp_corridor(walker, count, 3000);
  th_result result = th_bvp_try(&trial, &run, error);
  if (result != TH_OK) return result;
  *arrival = run.arrived[0] ? (double)run.arrived[0] : NAN;
  th_bvp_run_free(&run);
  return TH_OK;
}

th_result th_bvp_e27(th_lab *lab, th_error *error) {
  scan s;
  double arrival = NAN, other = NAN;
  th_result result =
      one_kind(lab, ON_SIGHT, 3000, "E27: v = (0, -1), eps = 1.2 when somebody is within 20", &arrival, error);
  if (result == TH_OK) result = other_exit(&other, error);
  if (result == TH_OK) result = scan_centred(&s, ON_SIGHT, error);
  if (result != TH_OK) return result;
  th_lab_claim(lab, &(th_claim){"arrival", "steps", arrival, 1, 3000, NONE, 157, NULL});
  th_lab_claim(lab, &(th_claim){"freed, by those that trap the harmonic agent", "",
                                (double)s.freed[ON_SIGHT] / s.trapped, 0.01, 1, NONE, 0.52, NULL});
  th_lab_claim(lab, &(th_claim){"(b) row of people with the exit on the other side: arrival", "steps", other, 1, 3000,
                                NONE, NONE, NULL});
  return TH_OK;
}

th_result th_bvp_e28(th_lab *lab, th_error *error) {
  scan s;
  double arrival = NAN;
  th_result result = one_kind(lab, CONSTANT, 3000, "E28: constant v = (0, -1), eps = 1.2", &arrival, error);
  if (result == TH_OK) result = scan_centred(&s, WEAK, error);
  if (result != TH_OK) return result;
  th_lab_claim(lab, &(th_claim){"arrival", "steps", arrival, 1, 3000, NONE, 165, NULL});
  th_lab_claim(
      lab, &(th_claim){"freed with eps = 1.2", "", (double)s.freed[CONSTANT] / s.trapped, 0.01, 1, NONE, 0.74, NULL});
  th_lab_claim(lab, &(th_claim){"freed with eps = 0.7: fewer", "", (double)s.freed[WEAK] / s.trapped, 0,
                                (double)s.freed[CONSTANT] / s.trapped, NONE, 0.30, NULL});
  return TH_OK;
}

/* Ten pockets beside the axis. */
static th_result scan_beside(scan *s, th_error *error) {
  static const float shift[5] = {1.0f, 1.5f, 2.0f, 2.5f, 3.0f};
  th_result result = TH_OK;
  *s = (scan){0};
  for (int k = 0; k < 10 && result == TH_OK; k++) {
    attempt a;
    pocket p = {21.0f, 10.5f + shift[k % 5], k < 5 ? 2.0f : 3.0f, 6.0f};
    result = try_pocket(&a, &p, HARMONIC, WINDOW_35, 800, error);
    if (result != TH_OK) return result;
    count_pocket(s, &a.run);
    th_bvp_run_free(&a.run);
  }
  return result;
}

th_result th_bvp_e29(th_lab *lab, th_error *error) {
  static const pocket beside = {21.0f, 12.5f, 3.0f, 6.0f};
  attempt a;
  scan s, centred;
  th_result result = try_pocket(&a, &beside, HARMONIC, WINDOW_35, 3000, error);
  if (result != TH_OK) return result;
  double small = a.run.arrived[HARMONIC], wide = a.run.arrived[WINDOW_25], widest = a.run.arrived[WINDOW_35];
  th_bvp_panel panel = {&a.run, "", &a.trial};
  result = th_bvp_draw(lab, &panel, 1, "E29: a pocket beside the axis, all kinds of walkers", error);
  th_bvp_run_free(&a.run);
  if (result == TH_OK) result = scan_beside(&s, error);
  if (result == TH_OK) result = scan_centred(&centred, WINDOW_35, error);
  if (result != TH_OK) return result;
  th_lab_claim(lab, &(th_claim){"pocket shifted by 2, n = 15: stuck", "", small == 0.0, 1, 1, 1, 1, NULL});
  th_lab_claim(lab, &(th_claim){"n = 25: arrival", "steps", wide, 1, 3000, NONE, 150, NULL});
  th_lab_claim(lab, &(th_claim){"n = 35: arrival", "steps", widest, 1, 3000, NONE, 150, NULL});
  th_lab_claim(lab, &(th_claim){"off-centre pockets that trap n = 15, of 10", "", s.trapped, 1, 10, NONE, 5, NULL});
  th_lab_claim(lab, &(th_claim){"of these freed by n = 25", "", s.freed[WINDOW_25], 1, s.trapped, NONE, 3, NULL});
  th_lab_claim(
      lab, &(th_claim){"of these freed by n = 35", "", s.freed[WINDOW_35], s.trapped, s.trapped, s.trapped, 5, NULL});
  th_lab_claim(lab, &(th_claim){"centred pockets freed by n = 35, by those that trap", "",
                                (double)centred.freed[WINDOW_35] / centred.trapped, 1, 1, 1, 0,
                                "foretold: on the axis a window that covers the whole pocket does not free the agent"});
  return TH_OK;
}

/* ---------------------------------------------------------------- E18: a group ahead */

th_result th_bvp_e18(th_lab *lab, th_error *error) {
  th_bvp_walker walker[8];
  th_bvp_run run;
  walker[0] = th_bvp_corridor_walker(th_bvp_thesis_params(11));
  walker[1] = th_bvp_corridor_walker(th_bvp_thesis_params(21));
  walker[1].params.sweeps = 100;
  for (int k = 0; k < 2; k++) walker[k].radius = 0.3f;
  for (int k = 0; k < 6; k++)
    walker[2 + k] = th_bvp_stander(40.0f + 2.0f * (float)(k / 2), k % 2 ? 14.5f : 10.5f, 0.4f);
  th_bvp_trial trial = th_bvp_corridor(walker, 8, 1000);
  trial.alone = true;
  th_result result = th_bvp_try(&trial, &run, error);
  if (result != TH_OK) return result;
  th_lab_claim(lab, &(th_claim){"n = 11, y at x = 41: between the rows", "cells", th_bvp_y_at(&run, 0, 41.0), 10.5,
                                14.5, NONE, 12.8, NULL});
  th_lab_claim(lab, &(th_claim){"n = 21, y at x = 41: around the group", "cells", th_bvp_y_at(&run, 1, 41.0), 1, 9.8,
                                NONE, 7.1, NULL});
  th_lab_claim(lab, &(th_claim){"arrive", "", th_bvp_arrived(&run), 2, 2, 2, 2, NULL});
  th_bvp_panel panel = {&run, "", &trial};
  result = th_bvp_draw(lab, &panel, 1, "E18: windows of 11 and 21 cells and a group that stands", error);
  th_bvp_run_free(&run);
  return result;
}
