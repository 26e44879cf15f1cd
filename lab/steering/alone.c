/* lab/steering/alone.c - experiments with one agent: walls, obstacles, paths, a town. */
#include <stdlib.h>

#include "lab/steering/experiments.h"
#include "lab/steering/lab.h"

/* Two or more runs of scenes are large: they live here for the time of an experiment. */
typedef struct runs {
  th_steer_run run[5];
} runs;

static runs *take(void) { return calloc(1, sizeof(runs)); }

/* Runs scenes name_a, name_b ...; the figure shows number `shown`. */
static th_result run_all(th_lab *lab, const char *const *name, uint32_t count, uint32_t shown, runs *r,
                         th_error *error) {
  th_result result = r ? TH_OK : TH_ERROR_MEMORY;
  for (uint32_t i = 0; i < count && result == TH_OK; i++)
    result = th_steer_scene_run(lab, name[i], 0, i == shown, &r->run[i], error);
  return result;
}

/* Cosine between the last step and the x axis. */
static double last_cosine(const th_steer_run *r) {
  const double x = r->at[0][r->ticks][0] - r->at[0][r->ticks - 1][0];
  return x / hypot(x, r->at[0][r->ticks][1] - r->at[0][r->ticks - 1][1]);
}

th_result th_steer_front(th_lab *lab, th_error *error) {
  static const char *const name[] = {"wall_front_off", "wall_front_on"};
  runs *r = take();
  th_result result = run_all(lab, name, 2, 1, r, error);
  if (result == TH_OK) {
    TH_STEER_CLAIM(lab, "off: cosine of the last step to the wall", "", last_cosine(&r->run[0]), -1.0, -0.99, -1, NULL);
    TH_STEER_CLAIM(lab, "off: farthest x", "cm", th_steer_most(&r->run[0], 0, 0, false), 300, 975, 486, NULL);
    TH_STEER_CLAIM(lab, "on: cosine of the last step to the wall", "", fabs(last_cosine(&r->run[1])), 0, 0.1, 0, NULL);
    TH_STEER_CLAIM(lab, "on: farthest x", "cm", th_steer_most(&r->run[1], 0, 0, false), 500, 975, 808, NULL);
    TH_STEER_CLAIM(lab, "on: least distance from the wall", "cm", r->run[1].clear[0], TH_STEER_CLEAR, INFINITY, 192,
                   NULL);
  }
  free(r);
  return result;
}

static double from_tree(const th_steer_run *r) {
  double least = INFINITY;
  for (uint32_t t = 0; t <= r->ticks; t++) least = fmin(least, hypot(r->at[0][t][0] - 600, r->at[0][t][1] - 80));
  return least;
}

th_result th_steer_tree(th_lab *lab, th_error *error) {
  static const char *const name[] = {"tree_off", "tree_on"};
  runs *r = take();
  th_result result = run_all(lab, name, 2, 1, r, error);
  if (result == TH_OK) {
    TH_STEER_CLAIM(lab, "off: farthest y, towards the tree", "cm", th_steer_most(&r->run[0], 0, 1, false), 5, INFINITY,
                   NAN, NULL);
    TH_STEER_CLAIM(lab, "on: farthest y", "cm", th_steer_most(&r->run[1], 0, 1, false), -INFINITY, 0.001, 0, NULL);
    TH_STEER_CLAIM(lab, "off: then dodges: least distance of the centres, less than with the switch on", "cm",
                   from_tree(&r->run[0]), 55, 185, 104,
                   "the first push turns it by 60 degrees, past the tree on its own side, and no ray meets it again");
    TH_STEER_CLAIM(lab, "on: least distance of the centres", "cm", from_tree(&r->run[1]), 55, INFINITY, 185, NULL);
  }
  free(r);
  return result;
}

th_result th_steer_small(th_lab *lab, th_error *error) {
  static const char *const name[] = {"small_obstacle"};
  runs *r = take();
  th_result result = run_all(lab, name, 1, 0, r, error);
  if (result == TH_OK) {
    TH_STEER_CLAIM(lab, "arrives after", "ticks", th_steer_last(&r->run[0]), 1, 90, 58, NULL);
    TH_STEER_CLAIM(lab, "least distance from the obstacle", "cm", r->run[0].clear[0], TH_STEER_CLEAR, INFINITY, 32,
                   NULL);
    TH_STEER_CLAIM(lab, "turning", "degrees", th_steer_turning(&r->run[0], 0), 0, 360, NAN, NULL);
  }
  free(r);
  return result;
}

th_result th_steer_large(th_lab *lab, th_error *error) {
  static const char *const name[] = {"large_obstacle_a", "large_obstacle_b", "large_obstacle_c", "large_obstacle_d"};
  runs *r = take();
  th_result result = run_all(lab, name, 4, 2, r, error);
  if (result == TH_OK) {
    double turning[4], arrived = 0;
    for (int k = 0; k < 4; k++) turning[k] = th_steer_turning(&r->run[k], 0), arrived += th_steer_arrived(&r->run[k]);
    TH_STEER_CLAIM(lab, "of four solutions arrive", "", arrived, 4, 4, 4, NULL);
    TH_STEER_CLAIM(lab, "A, obstacle avoidance: turning", "degrees", turning[0], 900, 1140, 1020,
                   "5 % above the range of the earlier re-run; why is not known");
    TH_STEER_CLAIM(lab, "B, wall following: turning", "degrees", turning[1], 740, 1840, 1290,
                   "it clings to the wall behind which the target lies, and winds between the two for 78 s longer");
    TH_STEER_CLAIM(lab, "C, weights 0.8 and 1.2: turning", "degrees", turning[2], 1030, 1660, 1345, NULL);
    TH_STEER_CLAIM(lab, "D, path: turning", "degrees", turning[3], 0, 400, 250, NULL);
    TH_STEER_CLAIM(lab, "D, path: turning by the least of the others", "",
                   turning[3] / fmin(fmin(turning[0], turning[1]), turning[2]), 0, 0.5, 0.28, NULL);
    TH_STEER_CLAIM(lab, "C arrives sooner than B by", "ticks",
                   (double)th_steer_last(&r->run[1]) - (double)th_steer_last(&r->run[2]), 1, INFINITY, NAN, NULL);
    TH_STEER_CLAIM(
        lab, "C: least distance from the wall", "cm", r->run[2].clear[0], TH_STEER_CLEAR, INFINITY, 39,
        "where the target pulls straight through the wall it touches it before it turns along; walls are solid "
        "here and were not in the earlier re-run");
    TH_STEER_CLAIM(lab, "D: least distance from the wall", "cm", r->run[3].clear[0], 200, INFINITY, 423, NULL);
  }
  free(r);
  return result;
}

th_result th_steer_bend(th_lab *lab, th_error *error) {
  static const char *const name[] = {"s_bend"};
  runs *r = take();
  th_result result = run_all(lab, name, 1, 0, r, error);
  if (result == TH_OK) {
    TH_STEER_CLAIM(lab, "arrives after", "ticks", th_steer_last(&r->run[0]), 1, 140, 92, NULL);
    TH_STEER_CLAIM(lab, "least distance from a wall", "cm", r->run[0].clear[0], TH_STEER_CLEAR, INFINITY, NAN, NULL);
  }
  free(r);
  return result;
}

/* Ticks inside the room. */
static double inside(const th_steer_run *r) {
  double count = 0;
  for (uint32_t t = 0; t <= r->ticks; t++)
    count += r->at[0][t][0] > 0 && r->at[0][t][0] < 1200 && fabs(r->at[0][t][1]) < 690;
  return count;
}

th_result th_steer_room(th_lab *lab, th_error *error) {
  static const char *const name[] = {"u_obstacle_a", "u_obstacle_b", "u_obstacle_c", "u_obstacle_d",
                                     "u_obstacle_c_weak"};
  runs *r = take();
  th_result result = run_all(lab, name, 5, 2, r, error);
  if (result == TH_OK) {
    TH_STEER_CLAIM(lab, "A arrives", "", th_steer_arrived(&r->run[0]), 0, 0, 0, NULL);
    TH_STEER_CLAIM(lab, "A: turning in 150 s", "degrees", th_steer_turning(&r->run[0], 0), 3000, INFINITY, 11000, NULL);
    TH_STEER_CLAIM(lab, "B arrives", "", th_steer_arrived(&r->run[1]), 0, 0, 1, NULL);
    TH_STEER_CLAIM(lab, "C, with a pull of 200, arrives after", "ticks", th_steer_last(&r->run[2]), 1, 600, NAN, NULL);
    TH_STEER_CLAIM(lab, "C, with a pull of 100 as in the earlier re-run, arrives", "", th_steer_arrived(&r->run[4]), 1,
                   1, 1,
                   "two rays hold it to the wall as strongly as the target pulls, and it goes round the room for ever");
    TH_STEER_CLAIM(lab, "C: inside the room", "ticks", inside(&r->run[2]), 1, INFINITY, NAN, NULL);
    TH_STEER_CLAIM(lab, "D arrives after", "ticks", th_steer_last(&r->run[3]), 1, 120, 85, NULL);
    TH_STEER_CLAIM(lab, "D: inside the room", "ticks", inside(&r->run[3]), 0, 0, 0, NULL);
  }
  free(r);
  return result;
}

/* Share of the ticks within 3 m of a wall of a block: on the pavement. */
static double pavement(const th_steer_run *r) {
  static const double block[4][4] = {
      {0, 0, 3000, 2500}, {4200, 0, 7500, 2500}, {0, 3700, 3000, 6200}, {4200, 3700, 7500, 6200}};
  double count = 0;
  for (uint32_t t = 0; t <= r->ticks; t++) {
    bool near = false;
    for (int k = 0; k < 4; k++) {
      const double x = r->at[0][t][0], y = r->at[0][t][1];
      const double dx = fmax(fmax(block[k][0] - x, x - block[k][2]), 0);
      near |= hypot(dx, fmax(fmax(block[k][1] - y, y - block[k][3]), 0)) < 300;
    }
    count += near;
  }
  return count / (r->ticks + 1);
}

/* Least distance from the middle of the crossing. */
static double from_middle(const th_steer_run *r) {
  double least = INFINITY;
  for (uint32_t t = 0; t <= r->ticks; t++) least = fmin(least, hypot(r->at[0][t][0] - 3600, r->at[0][t][1] - 3100));
  return least;
}

th_result th_steer_town(th_lab *lab, th_error *error) {
  static const char *const name[] = {"town_a", "town_b", "town_c", "town_d"};
  runs *r = take();
  th_result result = run_all(lab, name, 4, 3, r, error);
  if (result == TH_OK) {
    const double on[3] = {pavement(&r->run[0]), pavement(&r->run[1]), pavement(&r->run[2])};
    TH_STEER_CLAIM(lab, "A arrives", "", th_steer_arrived(&r->run[0]), 1, 1, NAN, NULL);
    TH_STEER_CLAIM(lab, "A is on pavements less of the time than B by", "", on[1] - on[0], 0.1, 1, NAN, NULL);
    TH_STEER_CLAIM(lab, "B: share of time on pavements", "", on[1], 0.5, 1, NAN, NULL);
    TH_STEER_CLAIM(lab, "B comes too close to a wall: least distance", "cm", r->run[1].clear[0], 0, TH_STEER_CLEAR, NAN,
                   NULL);
    TH_STEER_CLAIM(lab, "B follows walls away from the target: its path by that of A", "",
                   th_steer_length(&r->run[1], 0) / th_steer_length(&r->run[0], 0), 1.5, INFINITY, NAN, NULL);
    TH_STEER_CLAIM(lab, "C is on pavements more than A by", "", on[2] - on[0], 0, 1, NAN, NULL);
    TH_STEER_CLAIM(lab, "C, a compromise of A and B, is on pavements less than B by", "", on[1] - on[2], 0.05, 1, NAN,
                   "it follows the same walls as B nearly all of the time");
    TH_STEER_CLAIM(lab, "C, with less of both risks, arrives", "", th_steer_arrived(&r->run[2]), 1, 1, NAN,
                   "it follows a wall away from the target, as B does");
    TH_STEER_CLAIM(lab, "C: least distance from a wall", "cm", r->run[2].clear[0], TH_STEER_CLEAR, INFINITY, NAN, NULL);
    TH_STEER_CLAIM(lab, "C: least distance from the middle of the crossing", "cm", from_middle(&r->run[2]), 450,
                   INFINITY, NAN, NULL);
    TH_STEER_CLAIM(lab, "D arrives after", "ticks", th_steer_last(&r->run[3]), 1, 300, NAN, NULL);
    TH_STEER_CLAIM(lab, "D: sharpest turn in a tick", "degrees", th_steer_sharpest(&r->run[3], 0, 0), 0, 45, NAN, NULL);
  }
  free(r);
  return result;
}

th_result th_steer_projection(th_lab *lab, th_error *error) {
  static const char *const name[] = {"zigzag_projection_1", "zigzag_projection_5", "zigzag_projection_15",
                                     "zigzag_projection_50"};
  runs *r = take();
  th_result result = run_all(lab, name, 4, 1, r, error);
  if (result == TH_OK) {
    double turning[4];
    for (int k = 0; k < 4; k++) turning[k] = th_steer_turning(&r->run[k], 0);
    TH_STEER_CLAIM(lab, "1 tick: turning", "degrees", turning[0], 700, 2500, 975, NULL);
    TH_STEER_CLAIM(lab, "5 ticks: turning", "degrees", turning[1], 300, 700, 429, NULL);
    TH_STEER_CLAIM(lab, "15 ticks: turning", "degrees", turning[2], 300, 800, 523, NULL);
    TH_STEER_CLAIM(lab, "50 ticks: turning", "degrees", turning[3], 5000, INFINITY, 35000, NULL);
    TH_STEER_CLAIM(lab, "5 and 15 ticks: arrive", "", th_steer_arrived(&r->run[1]) + th_steer_arrived(&r->run[2]), 2, 2,
                   2, NULL);
    TH_STEER_CLAIM(lab, "50 ticks: arrives", "", th_steer_arrived(&r->run[3]), 0, 0, 0, NULL);
  }
  free(r);
  return result;
}

/* Farthest from the centre line of the zig-zag. */
static double stray(const th_steer_run *r) {
  static const double p[6][2] = {{0, 0}, {1500, 0}, {1500, 1500}, {3500, 1500}, {3500, 0}, {5000, 0}};
  double most = 0;
  for (uint32_t t = 0; t <= r->ticks; t++) {
    double least = INFINITY;
    for (int k = 0; k < 5; k++) {
      const double ex = p[k + 1][0] - p[k][0], ey = p[k + 1][1] - p[k][1], ee = ex * ex + ey * ey;
      const double ox = r->at[0][t][0] - p[k][0], oy = r->at[0][t][1] - p[k][1];
      const double s = fmin(1, fmax(0, (ox * ex + oy * ey) / ee));
      least = fmin(least, hypot(ox - s * ex, oy - s * ey));
    }
    most = fmax(most, least);
  }
  return most;
}

th_result th_steer_regulation(th_lab *lab, th_error *error) {
  static const char *const name[] = {"zigzag_regulation_10", "zigzag_regulation_50", "zigzag_regulation_200",
                                     "zigzag_smooth"};
  runs *r = take();
  th_result result = run_all(lab, name, 4, 3, r, error);
  if (result == TH_OK) {
    double length[4];
    for (int k = 0; k < 4; k++) length[k] = th_steer_length(&r->run[k], 0);
    TH_STEER_CLAIM(lab, "regulation 10: length", "cm", length[0], 7000, 9000, 8166, NULL);
    TH_STEER_CLAIM(lab, "50 is shorter by", "cm", length[0] - length[1], 1, INFINITY, 195, NULL);
    TH_STEER_CLAIM(lab, "200 is shorter still by", "cm", length[1] - length[2], 1, INFINITY, 570, NULL);
    TH_STEER_CLAIM(lab, "smooth: sharpest turn in a tick, on the way", "degrees", th_steer_sharpest(&r->run[3], 0, 0),
                   0, 30, 11, NULL);
    TH_STEER_CLAIM(lab, "smooth: farthest from the path", "cm", stray(&r->run[3]), 0, 450, 213, NULL);
    const double *end = r->run[3].at[0][r->run[3].ticks];
    TH_STEER_CLAIM(lab, "smooth: stops at this distance from the end", "cm", hypot(end[0] - 5000, end[1]), 0, 150, 150,
                   NULL);
  }
  free(r);
  return result;
}

/* Distance from the walls after the first 40 ticks: the mean. */
static double mean_wall(const th_steer_run *r, const double b[4], bool room) {
  double sum = 0;
  for (uint32_t t = 40; t <= r->ticks; t++) {
    const double x = r->at[0][t][0], y = r->at[0][t][1];
    const double in = fmin(fmin(x - b[0], b[2] - x), fmin(y - b[1], b[3] - y));
    const double out = hypot(fmax(fmax(b[0] - x, x - b[2]), 0), fmax(fmax(b[1] - y, y - b[3]), 0));
    sum += room ? in : out;
  }
  return sum / (r->ticks - 39);
}

/* Times round a point. */
static double laps(const th_steer_run *r, double cx, double cy) {
  double sum = 0;
  for (uint32_t t = 1; t <= r->ticks; t++) {
    const double *a = r->at[0][t - 1], *b = r->at[0][t];
    sum += remainder(atan2(b[1] - cy, b[0] - cx) - atan2(a[1] - cy, a[0] - cx), 6.283185307179586);
  }
  return fabs(sum) / 6.283185307179586;
}

th_result th_steer_walls(th_lab *lab, th_error *error) {
  static const char *const name[] = {"wall_outside", "wall_inside"};
  static const double building[4] = {0, 0, 2000, 1500}, room[4] = {0, 0, 2500, 2000};
  runs *r = take();
  th_result result = run_all(lab, name, 2, 0, r, error);
  if (result == TH_OK) {
    TH_STEER_CLAIM(lab, "building: mean distance from its wall", "cm", mean_wall(&r->run[0], building, false), 130, 200,
                   150, NULL);
    TH_STEER_CLAIM(lab, "building: laps in 65 s", "", laps(&r->run[0], 1000, 750), 1.2, 2, 1.5, NULL);
    TH_STEER_CLAIM(lab, "building: least distance", "cm", r->run[0].clear[0], 100, 160, 129, NULL);
    TH_STEER_CLAIM(lab, "room: mean distance from its wall", "cm", mean_wall(&r->run[1], room, true), 130, 250, 200,
                   NULL);
    TH_STEER_CLAIM(lab, "room: laps in 65 s", "", laps(&r->run[1], 1250, 1000), 1, 3, NAN, NULL);
    TH_STEER_CLAIM(lab, "room: least distance", "cm", r->run[1].clear[0], 100, INFINITY, 150, NULL);
  }
  free(r);
  return result;
}

th_result th_steer_speed_up(th_lab *lab, th_error *error) {
  static const char *const name[] = {"speeds_up"};
  runs *r = take();
  th_result result = run_all(lab, name, 1, 0, r, error);
  if (result == TH_OK) {
    double slowest = INFINITY;
    for (uint32_t t = 1; t <= r->run[0].ticks; t++) slowest = fmin(slowest, th_steer_speed(&r->run[0], 0, t));
    TH_STEER_CLAIM(lab, "slowest", "cm/s", slowest, 20, 180, 85, NULL);
    TH_STEER_CLAIM(lab, "in the end", "cm/s", th_steer_speed(&r->run[0], 0, r->run[0].ticks), 210, 222, 217, NULL);
  }
  free(r);
  return result;
}
