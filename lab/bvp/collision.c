/* lab/bvp/collision.c - two agents on a collision course, with and without slowing down: E21.
 *
 * Every combination of radius, offset, mass and window is run for each rule of speed, in the library's order (all
 * decide from the same state) and in the thesis' (one after the other).
 */
#include <stdio.h>

#include "lab/bvp/experiments.h"
#include "lab/bvp/lab.h"

#define NONE NAN

typedef struct course {
  float height, radius, offset, mass;
  int32_t n;
  th_bvp_speed rule;
  bool sequential;
} course;

typedef struct tally {
  uint32_t runs, overlaps, lost, clean, stopped;
} tally;

static th_result meet(const course *c, th_bvp_walker walker[2], th_bvp_trial *trial, th_bvp_run *run, th_error *error) {
  static const th_vec3 low_right[4] = {{56, 5, 0}, {57, 5, 0}, {57, 8, 0}, {56, 8, 0}},
                       low_left[4] = {{3, 5, 0}, {4, 5, 0}, {4, 8, 0}, {3, 8, 0}};
  static const th_vec3 right[4] = {{56, 9, 0}, {57, 9, 0}, {57, 12, 0}, {56, 12, 0}},
                       left[4] = {{3, 9, 0}, {4, 9, 0}, {4, 12, 0}, {3, 12, 0}};
  static const th_shape narrow[2] = {{.kind = TH_SHAPE_POLYGON, .point = low_right, .count = 4},
                                     {.kind = TH_SHAPE_POLYGON, .point = low_left, .count = 4}};
  static const th_shape wide[2] = {{.kind = TH_SHAPE_POLYGON, .point = right, .count = 4},
                                   {.kind = TH_SHAPE_POLYGON, .point = left, .count = 4}};
  for (int k = 0; k < 2; k++) {
    th_bvp_params params = th_bvp_thesis_params(c->n);
    params.mass = c->mass;
    params.speed_rule = (int32_t)c->rule;
    walker[k] = th_bvp_corridor_walker(params);
    walker[k].x = k ? 54.5f : 5.5f;
    walker[k].y = 0.5f * c->height + (k ? c->offset : 0.0f);
    walker[k].hx = k ? -1.0f : 1.0f;
    walker[k].radius = c->radius;
    walker[k].goal[0] = (uint8_t)k;
  }
  *trial = (th_bvp_trial){.width = 60,
                          .height = c->height,
                          .goal = c->height < 20.0f ? narrow : wide,
                          .goal_count = 2,
                          .walker = walker,
                          .walker_count = 2,
                          .steps = 3000,
                          .sequential = c->sequential};
  return th_bvp_try(trial, run, error);
}

static th_result count(const course *c, tally *t, th_error *error) {
  th_bvp_walker walker[2];
  th_bvp_trial trial;
  th_bvp_run run;
  th_result result = meet(c, walker, &trial, &run, error);
  if (result != TH_OK) return result;
  bool overlap = th_bvp_min(&run, 0, 1) <= 2.0 * (double)c->radius, lost = th_bvp_arrived(&run) < 2;
  t->runs++;
  t->overlaps += overlap;
  t->lost += lost;
  t->clean += !overlap && !lost;
  t->stopped += th_bvp_stops(&run, 0) + th_bvp_stops(&run, 1) > 0;
  th_bvp_run_free(&run);
  return TH_OK;
}

/* 60 x 13, radius 0.8: four offsets, two masses, two windows. */
static th_result first_series(course c, tally *t, th_error *error) {
  th_result result = TH_OK;
  c.height = 13.0f;
  c.radius = 0.8f;
  for (int k = 0; k < 16 && result == TH_OK; k++) {
    c.offset = 0.25f * (float)(k % 4);
    c.mass = k / 4 % 2 ? 12.0f : 4.0f;
    c.n = k / 8 ? 15 : 9;
    result = count(&c, t, error);
  }
  return result;
}

/* 60 x 21: four radii, six offsets, four masses, three windows. */
static th_result second_series(course c, tally *t, th_error *error) {
  static const float mass[4] = {0.0f, 1.0f, 2.0f, 4.0f};
  static const int32_t n[3] = {9, 11, 15};
  th_result result = TH_OK;
  c.height = 21.0f;
  for (int k = 0; k < 288 && result == TH_OK; k++) {
    c.radius = 0.5f + 0.2f * (float)(k % 4);
    c.offset = 0.2f * (float)(k / 4 % 6);
    c.mass = mass[k / 24 % 4];
    c.n = n[k / 96];
    result = count(&c, t, error);
  }
  return result;
}

static const char *const mirrored =
    "exactly head on and without mass, two that decide from the same state mirror each other and neither yields; in "
    "the "
    "thesis' order all arrive";

static void claim_first(th_lab *lab, const tally t[3]) {
  th_lab_claim(lab, &(th_claim){"60 x 13, speed table: clean, of 16", "", t[0].clean, 16, 16, NONE, 16, NULL});
  th_lab_claim(lab, &(th_claim){"with somebody who stops, of 16", "", t[0].stopped, 16, 16, NONE, 16, NULL});
  th_lab_claim(lab, &(th_claim){"cosine rule: clean, of 16", "", t[1].clean, 16, 16, NONE, 16, NULL});
  th_lab_claim(lab, &(th_claim){"constant speed: not clean, of 16", "", 16.0 - t[2].clean, 1, 16, NONE, 14, NULL});
}

static void claim_second(th_lab *lab, const tally *table, const tally *constant, bool sequential) {
  if (sequential) {
    th_lab_claim(
        lab, &(th_claim){"60 x 21, table, thesis' order: overlaps, of 288", "", table->overlaps, 0, 0, NONE, 0, NULL});
    th_lab_claim(lab, &(th_claim){"thesis' order: not arrived", "", table->lost, 0, 0, NONE, 0, NULL});
    th_lab_claim(lab, &(th_claim){"constant speed, thesis' order: not clean", "", 288.0 - constant->clean, 1, 288, NONE,
                                  48, NULL});
    return;
  }
  th_lab_claim(lab,
               &(th_claim){"60 x 21, table, all at once: overlaps, of 288", "", table->overlaps, 0, 0, NONE, 0, NULL});
  th_lab_claim(lab, &(th_claim){"all at once: not arrived", "", table->lost, 0, 0, NONE, 0, mirrored});
  th_lab_claim(
      lab, &(th_claim){"constant speed, all at once: not clean", "", 288.0 - constant->clean, 1, 288, NONE, 48, NULL});
}

static th_result draw(th_lab *lab, th_error *error) {
  th_bvp_walker walker[2][2];
  th_bvp_trial trial[2];
  th_bvp_run run[2] = {0};
  course c = {.height = 13.0f, .radius = 0.8f, .offset = 0.25f, .mass = 4.0f, .n = 15, .rule = TH_BVP_STEADY};
  th_result result = meet(&c, walker[0], &trial[0], &run[0], error);
  c.rule = TH_BVP_TABLE;
  if (result == TH_OK) result = meet(&c, walker[1], &trial[1], &run[1], error);
  th_bvp_panel panel[2] = {{&run[0], "(a) constant speed", &trial[0]}, {&run[1], "(b) speed table", &trial[1]}};
  if (result == TH_OK) result = th_bvp_draw(lab, panel, 2, "E21: two agents on a collision course", error);
  th_bvp_run_free(&run[0]);
  th_bvp_run_free(&run[1]);
  return result;
}

th_result th_bvp_e21(th_lab *lab, th_error *error) {
  static const th_bvp_speed rule[3] = {TH_BVP_TABLE, TH_BVP_COSINE, TH_BVP_STEADY};
  tally first[3] = {0}, second[2][2] = {0};
  th_result result = TH_OK;
  for (int k = 0; k < 3 && result == TH_OK; k++)
    result = first_series((course){.rule = rule[k], .sequential = true}, &first[k], error);
  if (result == TH_OK) claim_first(lab, first);
  for (int order = 0; order < 2 && result == TH_OK; order++) {
    for (int k = 0; k < 2 && result == TH_OK; k++)
      result = second_series((course){.rule = rule[2 * k], .sequential = order == 0}, &second[order][k], error);
    if (result == TH_OK) claim_second(lab, &second[order][0], &second[order][1], order == 0);
  }
  return result == TH_OK ? draw(lab, error) : result;
}
