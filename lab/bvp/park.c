/* lab/bvp/park.c - a small town park: E30, E31, E34, E35.
 *
 * Five accesses, a lake in the middle, a popcorn stand in the south; six goals. The thesis prints no coordinates, so
 * this park is our own design, drawn on 80 x 80 cells and scaled for the paper's 60 x 60.
 */
#include <stdio.h>

#include "base/random.h"
#include "lab/bvp/experiments.h"
#include "lab/bvp/lab.h"

#define NONE NAN

enum { SHORE = 24, GOALS = 6, CROWD = 100, SEEDS = 10 };
enum { WEST, NORTH, EAST, SOUTH_EAST, SOUTH_WEST, STAND };
enum { STREAM_PLACE = 0x9a70, STREAM_VECTOR, STREAM_STEP, STREAM_GOAL };

typedef struct park {
  float scale;
  th_vec2 shore[SHORE], house[4];
  th_polygon obstacle[2];
  th_shape goal[GOALS];
} park;

static void make_park(park *p, float side) {
  static const float box[GOALS][4] = {{2, 38, 3, 42}, {38, 77, 42, 78}, {77, 50, 78, 54},
                                      {66, 2, 70, 3}, {10, 2, 14, 3},   {38, 14, 42, 15}};
  float k = p->scale = side / 80.0f;
  for (int i = 0; i < SHORE; i++) {
    double angle = 6.283185307179586 * i / SHORE;
    p->shore[i] = (th_vec2){k * (40.0f + 15.0f * (float)cos(angle)), k * (44.0f + 10.0f * (float)sin(angle))};
  }
  p->obstacle[0] = (th_polygon){NULL, p->shore, SHORE};
  p->obstacle[1] = th_box_polygon(k * 37.0f, k * 9.0f, k * 43.0f, k * 13.0f, p->house);
  for (int g = 0; g < GOALS; g++) { /* whole cells, one cell off the walls */
    float x0 = fmaxf(2.0f, floorf(k * box[g][0])), y0 = fmaxf(2.0f, floorf(k * box[g][1]));
    float x1 = x0 + ceilf(k * (box[g][2] - box[g][0])), y1 = y0 + ceilf(k * (box[g][3] - box[g][1]));
    p->goal[g] = th_box_shape(x0, y0, x1, y1);
  }
}

static th_bvp_trial park_trial(const park *p, const th_bvp_walker *walker, uint32_t count, uint32_t steps) {
  return (th_bvp_trial){.width = 80.0f * p->scale,
                        .height = 80.0f * p->scale,
                        .obstacle = p->obstacle,
                        .obstacle_count = 2,
                        .goal = p->goal,
                        .goal_count = GOALS,
                        .walker = walker,
                        .walker_count = count,
                        .steps = steps};
}

/* From the west access to the stand, then out by the north access. */
static th_bvp_walker visitor(const park *p, th_bvp_params params, float step) {
  th_bvp_walker w = {.x = p->scale * 5.5f,
                     .y = p->scale * 40.5f,
                     .hx = 1.0f,
                     .radius = 0.3f,
                     .step = step,
                     .goal = {STAND, NORTH},
                     .goal_count = 2,
                     .params = params};
  return w;
}

/* ---------------------------------------------------------------- alone and together */

typedef struct outing {
  th_bvp_run alone, together;
  th_bvp_trial trial;
} outing;

static th_result go_out(outing *o, const park *p, th_bvp_walker *walker, uint32_t count, th_error *error) {
  *o = (outing){.trial = park_trial(p, walker, count, 2000)};
  o->trial.alone = true;
  th_result result = th_bvp_try(&o->trial, &o->alone, error);
  o->trial.alone = false;
  return result == TH_OK ? th_bvp_try(&o->trial, &o->together, error) : result;
}

/* Mean distance between the two most similar paths, at equal parts of their lengths. */
static double max_alike(const th_bvp_run *run) {
  double min = INFINITY;
  for (uint32_t a = 0; a < run->walkers; a++)
    for (uint32_t b = a + 1; b < run->walkers; b++) {
      const th_track *s = &run->tracks.track[a], *t = &run->tracks.track[b];
      double sum = 0.0;
      for (uint32_t k = 0; k <= 100; k++) {
        uint32_t i = s->first + k * (s->count - 1) / 100, j = t->first + k * (t->count - 1) / 100;
        sum += hypot((double)run->tracks.x[i] - (double)run->tracks.x[j],
                     (double)run->tracks.y[i] - (double)run->tracks.y[j]);
      }
      min = fmin(min, sum / 101.0);
    }
  return min;
}

static void claim_outing(th_lab *lab, const outing *o, double count) {
  double changed = 0.0;
  for (uint32_t k = 0; k < o->alone.walkers; k++) {
    double max;
    th_bvp_apart(&o->alone, k, &o->together, k, &max);
    changed += max > 0.5;
  }
  th_lab_claim(lab,
               &(th_claim){"alone: visit both goals", "", th_bvp_arrived(&o->alone), count, count, count, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"alone: the two paths most alike differ by a mean of", "cells", max_alike(&o->alone),
                                0.3, INFINITY, NONE, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"together: visit both goals", "", th_bvp_arrived(&o->together), count, count, count,
                                NONE, NULL});
  th_lab_claim(
      lab, &(th_claim){"together: overlaps, pairs and steps", "", th_bvp_overlaps(&o->together), 0, 0, 0, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"paths that change by more than half a cell", "", changed, 1, count, NONE, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"steps in which a wall stops somebody", "",
                                (double)(o->alone.wall_contacts + o->together.wall_contacts), 0, 0, 0, NONE, NULL});
}

/* Draws and frees what go_out made; hands an earlier failure on. */
static th_result show_outing(th_lab *lab, outing *o, th_result result, const char *title, th_error *error) {
  th_bvp_panel panel[2] = {{&o->alone, "(a) one at a time", &o->trial}, {&o->together, "(b) together", &o->trial}};
  if (result == TH_OK) result = th_bvp_draw(lab, panel, 2, title, error);
  th_bvp_run_free(&o->alone);
  th_bvp_run_free(&o->together);
  return result;
}

th_result th_bvp_e30(th_lab *lab, th_error *error) {
  static const th_vec2 v[5] = {{1.0f, 0.0f}, {0.707f, 0.707f}, {0.0f, 1.0f}, {-1.0f, 0.0f}, {-0.707f, -0.707f}};
  park p;
  outing o;
  th_bvp_walker walker[5];
  make_park(&p, 80.0f);
  for (int k = 0; k < 5; k++) {
    walker[k] = visitor(&p, th_bvp_constant_params(15, v[k].x, v[k].y, 0.8f), 0.5f);
    walker[k].y += 1.5f * (float)(k - 2);
  }
  th_result result = go_out(&o, &p, walker, 5, error);
  if (result == TH_OK) claim_outing(lab, &o, 5);
  return show_outing(lab, &o, result, "E30: west access, popcorn stand, north access", error);
}

th_result th_bvp_e34(th_lab *lab, th_error *error) {
  park p;
  outing o;
  th_bvp_walker walker[4];
  make_park(&p, 60.0f);
  walker[0] = visitor(&p, th_bvp_constant_params(11, -0.707f, -0.707f, 0.8f), 0.6f);
  walker[1] = visitor(&p, th_bvp_constant_params(11, 0.707f, 0.707f, 0.8f), 0.5f);
  walker[2] = visitor(&p, th_bvp_thesis_params(11), 0.35f);
  walker[3] = visitor(&p, th_bvp_thesis_params(11), 0.46f);
  th_bvp_params *third = &walker[2].params; /* (sin wt, 1), after 100 steps (0.707, 0.707) */
  third->behaviour[TH_BVP_FIRST].kind = TH_BVP_CROSS_SINUSOID;
  third->behaviour[TH_BVP_FIRST].strength = 0.8f;
  third->behaviour[TH_BVP_LATER] =
      (th_bvp_behaviour){.kind = TH_BVP_CONSTANT, .v = {0.707f, 0.707f}, .strength = 0.8f, .wave = 18.0f};
  third->later_after = 50.0f;
  for (int k = 0; k < 4; k++) walker[k].y += 1.5f * ((float)k - 1.5f);
  th_result result = go_out(&o, &p, walker, 4, error);
  if (result == TH_OK) claim_outing(lab, &o, 4);
  return show_outing(lab, &o, result, "E34: four agents in the park, maps of 60 x 60 and 11 x 11", error);
}

/* ---------------------------------------------------------------- crowds */

typedef struct crowd {
  uint32_t arrived, overlaps;
  uint64_t walls;
} crowd;

/* A random free place at a distance from walls, lake, stand and other walkers. */
static th_vec2 free_place(const park *p, uint64_t seed, const th_bvp_walker *walker, uint32_t count) {
  for (uint32_t try = 0;; try++) {
    float side = 80.0f * p->scale;
    float x = th_random_range(seed, STREAM_PLACE, count, 2 * try, 3.0f, side - 3.0f);
    float y = th_random_range(seed, STREAM_PLACE, count, 2 * try + 1, 3.0f, side - 3.0f);
    float u = (x / p->scale - 40.0f) / 17.5f, w = (y / p->scale - 44.0f) / 12.5f;
    bool free = u * u + w * w > 1.0f;
    free = free && !(fabsf(x / p->scale - 40.0f) < 5.5f && fabsf(y / p->scale - 11.0f) < 4.5f);
    for (uint32_t k = 0; k < count && free; k++) free = hypotf(walker[k].x - x, walker[k].y - y) > 1.5f;
    if (free || try > 10000) return (th_vec2){x, y};
  }
}

/* Random places, vectors, steps and goals, a function of the seed alone. */
static void make_crowd(const park *p, uint64_t seed, int32_t n, th_bvp_speed rule, th_bvp_walker *walker,
                       uint32_t count) {
  for (uint32_t k = 0; k < count; k++) {
    th_vec2 at = free_place(p, seed, walker, k);
    float vx = th_random_range(seed, STREAM_VECTOR, k, 0, -1.0f, 1.0f);
    float vy = th_random_range(seed, STREAM_VECTOR, k, 1, -1.0f, 1.0f);
    walker[k] = (th_bvp_walker){
        .x = at.x, .y = at.y, .radius = 0.3f, .goal_count = 1, .params = th_bvp_constant_params(n, vx, vy, 0.8f)};
    walker[k].step = th_random_range(seed, STREAM_STEP, k, 0, 0.3f, 1.0f);
    walker[k].goal[0] = (uint8_t)th_random_to_below(th_random(seed, STREAM_GOAL, k, 0), GOALS);
    walker[k].params.speed_rule = (int32_t)rule;
  }
}

static th_result run_crowd(const th_bvp_trial *trial, crowd *sum, th_error *error) {
  th_bvp_run run;
  th_result result = th_bvp_try(trial, &run, error);
  if (result != TH_OK) return result;
  sum->arrived += th_bvp_arrived(&run);
  sum->overlaps += th_bvp_overlaps(&run);
  sum->walls += run.wall_contacts;
  th_bvp_run_free(&run);
  return TH_OK;
}

/* Ten seeds of 100 agents. */
static th_result run_seeds(const park *p, th_bvp_speed rule, bool sequential, crowd *sum, th_error *error) {
  th_bvp_walker walker[CROWD];
  th_result result = TH_OK;
  *sum = (crowd){0};
  for (uint64_t seed = 1; seed <= SEEDS && result == TH_OK; seed++) {
    make_crowd(p, seed, 15, rule, walker, CROWD);
    th_bvp_trial trial = park_trial(p, walker, CROWD, 1000);
    trial.sequential = sequential;
    result = run_crowd(&trial, sum, error);
  }
  return result;
}

/* A crowd of `count` with maps of n x n cells. */
typedef struct drawn_crowd {
  uint64_t seed;
  int32_t n;
  uint32_t count;
} drawn_crowd;

static th_result draw_crowd(th_lab *lab, const park *p, drawn_crowd of, const char *title, th_error *error) {
  th_bvp_walker walker[CROWD];
  th_bvp_run run;
  make_crowd(p, of.seed, of.n, TH_BVP_TABLE, walker, of.count);
  th_bvp_trial trial = park_trial(p, walker, of.count, 1000);
  th_result result = th_bvp_try(&trial, &run, error);
  if (result != TH_OK) return result;
  th_bvp_panel panel = {&run, "", &trial};
  result = th_bvp_draw(lab, &panel, 1, title, error);
  th_bvp_run_free(&run);
  return result;
}

th_result th_bvp_e31(th_lab *lab, th_error *error) {
  park p;
  crowd table, order, cosine, constant;
  make_park(&p, 80.0f);
  th_result result = run_seeds(&p, TH_BVP_TABLE, false, &table, error);
  if (result == TH_OK) result = run_seeds(&p, TH_BVP_TABLE, true, &order, error);
  if (result == TH_OK) result = run_seeds(&p, TH_BVP_COSINE, true, &cosine, error);
  if (result == TH_OK) result = run_seeds(&p, TH_BVP_STEADY, false, &constant, error);
  if (result != TH_OK) return result;
  th_lab_claim(lab, &(th_claim){"speed table: arrive, of 10 x 100", "", table.arrived, 1000, 1000, NONE, 1000, NULL});
  th_lab_claim(lab, &(th_claim){"overlaps a run, pairs and steps", "", table.overlaps / 10.0, 0, 20, NONE, 20, NULL});
  th_lab_claim(lab, &(th_claim){"steps in which a wall stops somebody", "", (double)table.walls, 0, 0, NONE, 0, NULL});
  th_lab_claim(lab, &(th_claim){"thesis' order: arrive", "", order.arrived, 1000, 1000, NONE, 1000, NULL});
  th_lab_claim(lab, &(th_claim){"thesis' order: overlaps a run", "", order.overlaps / 10.0, 0, 20, NONE, 20, NULL});
  th_lab_claim(lab,
               &(th_claim){"thesis' order: steps that end in a wall", "", (double)order.walls, 0, 0, NONE, 0, NULL});
  th_lab_claim(lab,
               &(th_claim){"cosine rule, thesis' order: arrive", "", cosine.arrived, 1000, 1000, NONE, 1000, NULL});
  th_lab_claim(lab, &(th_claim){"cosine rule, thesis' order: overlaps a run", "", cosine.overlaps / 10.0, 0, 13, NONE,
                                13, NULL});
  th_lab_claim(lab, &(th_claim){"constant speed: overlaps by those of the table", "",
                                (double)constant.overlaps / (table.overlaps ? table.overlaps : 1), 1, INFINITY, NONE,
                                NONE, NULL});
  th_lab_claim(lab, &(th_claim){"constant speed: steps in which a wall stops somebody", "", (double)constant.walls, 1,
                                INFINITY, NONE, 12, NULL});
  return draw_crowd(lab, &p, (drawn_crowd){1, 15, CROWD}, "E31: 100 agents in the park, random v, step, start and goal",
                    error);
}

th_result th_bvp_e35(th_lab *lab, th_error *error) {
  park p;
  crowd sum = {0};
  th_bvp_walker walker[12];
  th_result result = TH_OK;
  make_park(&p, 60.0f);
  for (uint64_t seed = 1; seed <= SEEDS && result == TH_OK; seed++) {
    make_crowd(&p, seed, 11, TH_BVP_TABLE, walker, 12);
    th_bvp_trial trial = park_trial(&p, walker, 12, 1000);
    result = run_crowd(&trial, &sum, error);
  }
  if (result != TH_OK) return result;
  th_lab_claim(lab, &(th_claim){"arrive, of 10 x 12", "", sum.arrived, 120, 120, 120, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"steps in which a wall stops somebody", "", (double)sum.walls, 0, 0, 0, NONE, NULL});
  return draw_crowd(lab, &p, (drawn_crowd){1, 11, 12}, "E35: twelve agents in the park, maps of 60 x 60 and 11 x 11",
                    error);
}
