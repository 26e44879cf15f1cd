/* lab/biocrowds/shapes.c - formation and alignment: crowds shaped by weights of markers.
 *
 * The scenes formation and alignment of scenes/biocrowds with twenty seeds each. After a minute five more agents join
 * the formation and its star moves and grows, without a goal for any of them. Cost: 2 s per seed.
 */
#include "lab/biocrowds/observe.h"
#include "throng/group.h"
#include "throng/model/biocrowds.h"

enum { FIRST = 21, MORE = 5, SETTLED = 1800, RESTED = 1830, MOVED = 3449, ALIGNED = 600 };

/* ---------------------------------------------------------------- T6 */

typedef struct formation {
  double inside, rest; /* share of the agents in the first star; distance per step afterwards [m] */
  double again;        /* share of the second star */
} formation;

static th_group_fit fit_of(const th_world *world) {
  th_group_id group;
  th_group_fit fit = {0, NAN, NAN, NAN};
  if (th_world_groups(world, &group, 1) == 1) (void)th_world_group_fit(world, group, &fit, NULL);
  return fit;
}

static double mean_step(const th_world *world) {
  const th_agents a = th_world_agents(world);
  double sum = 0.0;
  for (uint32_t i = 0; i < a.count; i++)
    sum += hypot((double)a.x[i] - (double)a.previous_x[i], (double)a.y[i] - (double)a.previous_y[i]);
  return sum / a.count;
}

/* The star moved to the right and down, 26/21 times as large. */
static void move_star(const th_vec2 from[10], th_vec2 to[10]) {
  const float k = sqrtf(26.0f / 21.0f);
  for (int i = 0; i < 10; i++) to[i] = (th_vec2){34.0f + k * (from[i].x - 26.0f), 14.0f + k * (from[i].y - 16.0f)};
}

static void add_more(th_world *world) {
  th_group_id group;
  th_group_def def;
  if (th_world_groups(world, &group, 1) != 1 || !th_world_group_def(world, group, &def)) return;
  th_vec2 star[10];
  move_star(def.area[0].point, star);
  th_agent_def one;
  th_agent_id more[MORE];
  th_world_agent_def(world, th_bio_agent(world, 1), &one);
  one.route_count = 0;
  for (uint32_t k = 0; k < MORE; k++) {
    one.point = (th_vec3){4.0f, 12.0f + 2.0f * (float)k, 0.0f};
    if (th_world_add_agent(world, &one, &more[k], NULL) != TH_OK) return;
  }
  const th_polygon area = {NULL, star, 10};
  def.area = &area;
  if (th_world_join_group(world, group, more, MORE, NULL) == TH_OK) th_world_change_group(world, group, &def, NULL);
}

static bool look_at_formation(void *user, th_world *world, uint32_t step) {
  formation *f = user;
  if (step == SETTLED) f->inside = 1.0 - fit_of(world).outside;
  if (step > SETTLED && step <= RESTED) f->rest += mean_step(world) / (RESTED - SETTLED);
  if (step == RESTED) add_more(world);
  if (step == MOVED) {
    const th_group_fit fit = fit_of(world);
    f->again = fit.members == FIRST + MORE ? 1.0 - fit.outside : 0.0;
  }
  return true;
}

th_result th_bio_formation(th_lab *lab, th_error *error) {
  const double n = th_bio_runs(lab);
  double inside = 0, least = 1, rest = 0, again = 0, least_again = 1;
  const th_figure_def figure = th_lab_moment("21 agents fill a star, 60 s", "own markers,group area,group point");
  for (uint64_t seed = lab->first; seed <= lab->last; seed++) {
    formation f = {.inside = 0};
    th_result result = th_lab_run_scene(lab,
                                        &(th_lab_run){.scene = "biocrowds/formation",
                                                      .seed = seed,
                                                      .seconds = 115.0f,
                                                      .look = look_at_formation,
                                                      .user = &f,
                                                      .figure = seed == lab->first ? &figure : NULL,
                                                      .moment = SETTLED},
                                        error);
    if (result) return result;
    inside += f.inside / n, least = fmin(least, f.inside), rest = fmax(rest, f.rest);
    again += f.again / n, least_again = fmin(least_again, f.again);
  }
  th_bio_claim(lab, "share of 21 inside the star after 60 s, mean", "", inside, 0.9, 1);
  th_bio_claim(lab, "least of a run", "", least, 0.9, 1);
  th_bio_claim(lab, "mean step after that, worst run", "m", rest, 0, 0.002);
  th_bio_claim(lab, "five join, the star moves and grows: share of 26 inside 54 s later, mean", "", again, 0.9, 1);
  th_bio_claim(lab, "least of a run of that", "", least_again, 0.85, 1);
  return TH_OK;
}

/* ---------------------------------------------------------------- T7 */

typedef struct alignment {
  double before, after, rest;
} alignment;

static bool look_at_alignment(void *user, th_world *world, uint32_t step) {
  alignment *a = user;
  if (!step) a->before = fit_of(world).askew;
  if (step == ALIGNED) a->after = fit_of(world).askew;
  a->rest = step ? mean_step(world) : 0.0;
  return step < ALIGNED;
}

th_result th_bio_alignment(th_lab *lab, th_error *error) {
  const double n = th_bio_runs(lab);
  double before = 0, after = 0, worst = 0, rest = 0, below = 0;
  const th_figure_def figure = th_lab_moment("51 agents align, 20 s", "own markers");
  for (uint64_t seed = lab->first; seed <= lab->last; seed++) {
    alignment a = {0};
    th_result result = th_lab_run_scene(lab,
                                        &(th_lab_run){.scene = "biocrowds/alignment",
                                                      .seed = seed,
                                                      .look = look_at_alignment,
                                                      .user = &a,
                                                      .figure = seed == lab->first ? &figure : NULL,
                                                      .moment = 599},
                                        error);
    if (result) return result;
    before += a.before / n, after += a.after / n, worst = fmax(worst, a.after);
    rest += a.rest / n, below += a.after < 8.0;
  }
  const double earlier_before = 18.1, earlier_after = 4.6;
  th_lab_claim(lab, &(th_claim){"angle between nearest neighbours and axes at the start, mean", "degrees", before, 15,
                                30, NAN, earlier_before, NULL});
  th_lab_claim(lab, &(th_claim){"after 20 s, mean", "degrees", after, 0, 8, NAN, earlier_after, NULL});
  /* No run ends where chance begins, and the middle one is below 8 degrees. Narrower bands hold for lucky seeds only:
   * seeds 21 to 120, in twenties, have worst runs of 11.3 to 14.0 degrees and shares of 0.6 to 0.8. */
  th_bio_claim(lab, "worst run", "degrees", worst, 0, 15);
  th_bio_claim(lab, "share of runs below 8 degrees", "", below / n, 0.5, 1);
  th_bio_claim(lab, "mean step at the end", "m", rest, 0, 0.001);
  return TH_OK;
}
