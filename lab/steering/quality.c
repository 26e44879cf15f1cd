/* lab/steering/quality.c - how smooth the paths of all scenes are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/steering/experiments.h"
#include "lab/steering/lab.h"

/* All scenes in which every steering that is on has all of its extensions, but for those that the publication documents
 * as failing: target approaching with obstacle avoidance, or with wall following at its own weights, before a building
 * or a room (large_obstacle_a and _b, u_obstacle_a and _b, town_a and _b); and secret following, which passes its
 * leader in the end and turns back. */
static const char *const full[] = {
    "small_obstacle", "large_obstacle_c", "large_obstacle_d", "s_bend",         "u_obstacle_c",    "u_obstacle_d",
    "town_c",         "town_d",           "head_on_obstacle", "head_on_full",   "pushing_full",    "surprise_full",
    "four_e",         "zigzag_smooth",    "wall_outside",     "wall_inside",    "wall_front_on",   "tree_on",
    "speeds_up",      "changes",          "leader_far",       "leader_near_on", "snake_walks",     "snake_first_runs",
    "snake_runs",     "cross_tight",      "cross_smooth",     "memory_on",      "round_leader_on", "pair_a",
    "pair_c",         "beside",           "give_way_on",      "wait_on"};

/* Their steady stretches, from tick to tick: along a straight wall, in a straight corridor, freely to a target, behind
 * or beside somebody who walks straight on. */
static const struct {
  const char *name;
  uint32_t agent, from, to;
} steady[] = {{"wall_outside", 0, 4, 24},      {"wall_inside", 0, 2, 18},       {"secret", 0, 4, 120},
              {"zigzag_smooth", 0, 2, 18},     {"large_obstacle_d", 0, 45, 75}, {"u_obstacle_d", 0, 25, 50},
              {"town_d", 0, 60, 150},          {"small_obstacle", 0, 2, 10},    {"head_on_full", 0, 45, 60},
              {"changes", 0, 2, 18},           {"leader_far", 0, 10, 110},      {"leader_far", 1, 20, 110},
              {"leader_near_on", 1, 20, 80},   {"snake_walks", 1, 20, 45},      {"snake_walks", 4, 30, 55},
              {"snake_runs", 4, 15, 30},       {"cross_tight", 1, 20, 45},      {"cross_smooth", 2, 20, 45},
              {"round_leader_on", 1, 80, 160}, {"pair_a", 1, 20, 100},          {"pair_c", 0, 30, 90},
              {"beside", 0, 20, 80},           {"give_way_on", 1, 40, 90},      {"wait_on", 0, 80, 110}};

/* It turns by more than a full circle while it walks one metre: it spins on the spot. */
static bool spins(const th_steer_run *r, uint32_t agent) {
  for (uint32_t from = 2; from < r->ticks; from++) {
    double walked = 0, turn = 0;
    for (uint32_t t = from; t <= r->ticks && walked < 100 && t < from + 60; t++) {
      walked += th_steer_speed(r, agent, t) / 4.0;
      turn += fabs(th_steer_turn(r, agent, t));
      if (turn > 360) return true;
    }
  }
  return false;
}

th_result th_steer_quality(th_lab *lab, th_error *error) {
  th_steer_run *r = calloc(1, sizeof *r);
  th_result result = r ? TH_OK : TH_ERROR_MEMORY;
  double spun = 0, back = 0, touches = 0, contacts = 0, flips = 0, agents = 0;
  for (size_t k = 0; k < sizeof full / sizeof *full && result == TH_OK; k++) {
    result = th_steer_scene_run(lab, full[k], 0, false, r, error);
    contacts += result == TH_OK && r->agents > 1 && th_steer_least(r) < 50;
    for (uint32_t i = 0; i < r->agents && result == TH_OK; i++, agents++) {
      touches += r->clear[i] < TH_STEER_CLEAR;
      back += th_steer_sharpest(r, i, 2) > 90; /* bounces: it goes back within one tick */
      spun += spins(r, i);
    }
  }
  for (size_t k = 0; k < sizeof steady / sizeof *steady && result == TH_OK; k++) {
    result = th_steer_scene_run(lab, steady[k].name, 0, false, r, error);
    if (result == TH_OK) flips = fmax(flips, th_steer_flips(r, steady[k].agent, steady[k].from, steady[k].to));
  }
  free(r);
  if (result != TH_OK) return result;
  TH_STEER_CLAIM(lab, "agents in 34 scenes", "", agents, 68, 68, NAN, NULL);
  TH_STEER_CLAIM(lab, "scenes in which two touch", "", contacts, 0, 0, 0, NULL);
  TH_STEER_CLAIM(lab, "agents that touch a wall", "", touches, 0, 0, 0,
                 "that of large_obstacle_c, where the target pulls straight through the wall (see AT-04)");
  TH_STEER_CLAIM(lab, "agents that go back within a tick", "", back, 0, 0, 0, NULL);
  TH_STEER_CLAIM(lab, "agents that spin on the spot", "", spun, 0, 0, 0, NULL);
  TH_STEER_CLAIM(lab, "most flips of turn or speed in 24 steady stretches, per tick", "", flips, 0, 0.02, 0, NULL);
  return TH_OK;
}
