/* lab/bvp/explore.c - a guest looks for another one in a house that it does not know: E25.
 *
 * The house has four rooms on 60 x 60 cells. The explorer senses the square of its local map, walls included, and
 * relaxes its known cells with 30 sweeps per step, as the thesis does.
 */
#include <stdio.h>

#include "lab/bvp/experiments.h"
#include "lab/bvp/lab.h"

#define NONE NAN

enum { WALLS = 7, ROOMS = 4 };

static const th_vec2 corner[WALLS][4] = {
    {{29, 1}, {31, 1}, {31, 13}, {29, 13}},   {{29, 17}, {31, 17}, {31, 43}, {29, 43}},
    {{29, 47}, {31, 47}, {31, 59}, {29, 59}}, {{1, 29}, {13, 29}, {13, 31}, {1, 31}},
    {{17, 29}, {29, 29}, {29, 31}, {17, 31}}, {{31, 29}, {43, 29}, {43, 31}, {31, 31}},
    {{47, 29}, {59, 29}, {59, 31}, {47, 31}},
};

/* Where the other guest is: in each of the four rooms. */
static const th_vec2 guest[ROOMS] = {{24, 5}, {54, 8}, {6, 54}, {52, 52}};

typedef struct house {
  th_polygon wall[WALLS];
  th_shape goal[ROOMS];
  th_explore_params explore;
} house;

static void build(house *h) {
  for (int k = 0; k < WALLS; k++) h->wall[k] = (th_polygon){NULL, corner[k], 4};
  for (int k = 0; k < ROOMS; k++)
    h->goal[k] = th_box_shape(guest[k].x, guest[k].y, guest[k].x + 1.0f, guest[k].y + 1.0f);
  th_param_defaults(th_guide_explore.param, th_guide_explore.param_count, &h->explore);
  h->explore.sight = 7.0f;
  h->explore.sweeps = 30;
  h->explore.relax = TH_EXPLORE_WINDOW;
  h->explore.target = TH_EXPLORE_FOR_GOAL;
  h->explore.through_walls = true;
}

static th_bvp_trial visit(const house *h, const th_bvp_walker *walker, uint32_t count, bool known) {
  return (th_bvp_trial){.width = 60,
                        .height = 60,
                        .obstacle = h->wall,
                        .obstacle_count = WALLS,
                        .goal = h->goal,
                        .goal_count = ROOMS,
                        .walker = walker,
                        .walker_count = count,
                        .steps = 4000,
                        .guide = known ? NULL : &th_guide_explore,
                        .guide_params = known ? NULL : &h->explore};
}

static th_bvp_walker explorer(float x, float y, uint8_t goal) {
  th_bvp_walker w = th_bvp_corridor_walker(th_bvp_thesis_params(15));
  w.x = x;
  w.y = y;
  w.radius = 0.3f;
  w.goal[0] = goal;
  return w;
}

/* One searcher, four places of the goal; then the same with a map. */
static th_result search(th_lab *lab, house *h, th_error *error) {
  uint32_t found = 0, grown = 0;
  double detour = INFINITY;
  for (uint32_t k = 0; k < ROOMS; k++) {
    th_bvp_walker walker = explorer(8.5f, 8.5f, (uint8_t)k);
    th_bvp_run run = {0}, known = {0};
    th_bvp_trial trial = visit(h, &walker, 1, false), map = visit(h, &walker, 1, true);
    th_result result = th_bvp_try(&trial, &run, error);
    if (result == TH_OK) result = th_bvp_try(&map, &known, error);
    if (result == TH_OK) {
      found += run.arrived[0] != 0;
      grown += run.ended.sensed > run.begun.sensed;
      detour = fmin(detour, th_bvp_length(&run, 0) / th_bvp_length(&known, 0));
      th_bvp_panel panel[2] = {{&run, "unknown house", &trial}, {&known, "known house", &map}};
      if (k == 3) result = th_bvp_draw(lab, panel, 2, "E25: looking for somebody in another room", error);
    }
    th_bvp_run_free(&run);
    th_bvp_run_free(&known);
    if (result != TH_OK) return result;
  }
  th_lab_claim(lab, &(th_claim){"goal found, of four places", "", found, 4, 4, 4, 4, NULL});
  th_lab_claim(lab, &(th_claim){"searches in which the known area grew", "", grown, 4, 4, 4, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"path by that with a map, least of four", "", detour, 1, INFINITY, NONE, NONE, NULL});
  return TH_OK;
}

/* The searched guest walks slowly; two guests search together. */
static th_result search_moving(th_lab *lab, house *h, uint32_t searchers, th_error *error) {
  th_bvp_walker walker[3];
  th_bvp_run run;
  h->explore.target = TH_EXPLORE_FOR_LINK;
  for (uint32_t k = 0; k < searchers; k++) {
    walker[k] = explorer(k ? 24.5f : 8.5f, 8.5f, 3);
    walker[k].link = searchers + 1;
  }
  walker[searchers] = explorer(50.5f, 50.5f, 2);
  walker[searchers].step = 0.01f;
  walker[searchers].by_field = true;
  th_bvp_trial trial = visit(h, walker, searchers + 1, false);
  th_result result = th_bvp_try(&trial, &run, error);
  if (result != TH_OK) return result;
  uint32_t found = 0;
  for (uint32_t k = 0; k < searchers; k++) found += run.arrived[k] != 0;
  const char *text = searchers == 1 ? "a guest who walks is found" : "two search for the same guest: found it";
  th_lab_claim(lab, &(th_claim){text, "", found, searchers, searchers, searchers, NONE, NULL});
  th_bvp_run_free(&run);
  return TH_OK;
}

th_result th_bvp_e25(th_lab *lab, th_error *error) {
  house h;
  build(&h);
  th_result result = search(lab, &h, error);
  if (result == TH_OK) result = search_moving(lab, &h, 1, error);
  return result == TH_OK ? search_moving(lab, &h, 2, error) : result;
}
