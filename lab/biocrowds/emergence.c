/* lab/biocrowds/emergence.c - lanes, slowing, doors and cells: emergent effects in crowds.
 *
 * The thesis reports these without numbers. Agents are points as published: no contacts, no limits of acceleration or
 * turning, markers seen through walls, 1.8 m/s, 30 decisions per second. Each experiment runs twenty crowds, whose
 * starts and markers depend on the seed. Claims are about the mean, or about the worst crowd where something must
 * always hold. Figures show markers in the colours of their owners.
 */
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "lab/biocrowds/observe.h"
#include "throng/guide.h"
#include "throng/model/biocrowds.h"

enum { MAX = 512 };
#define DT (1.0f / 30.0f)

typedef struct crowd {
  th_ground *ground;
  th_world *world;
  th_guide_id guide;
  uint32_t count;
  th_vec2 goal[MAX];
  th_agent_id id[MAX];
  float length, width; /* of the corridor [m] */
} crowd;

static void answer(void *user, const th_guide_query *query) {
  const crowd *c = user;
  for (uint32_t lane = 0; lane < query->lanes; lane++) {
    const th_vec2 goal = c->goal[query->agent[lane] - 1];
    const float x = goal.x - query->x[lane], y = goal.y - query->y[lane], left = sqrtf(x * x + y * y);
    query->want[lane] = (th_guide_answer){.dx = x / left, .dy = y / left, .left = left, .state = TH_ANSWER_LEAD};
  }
}

/* A corridor; with an opening [m] a wall across it that leaves so much free, at 12 m. */
static th_result begin(crowd *c, float length, float width, float opening, uint64_t seed, th_error *error) {
  th_vec2 corner[3][4];
  const th_polygon outline = th_box_polygon(0, 0, length, width, corner[0]);
  const th_polygon wall[2] = {th_box_polygon(12, 0, 12.3f, 0.5f * (width - opening), corner[1]),
                              th_box_polygon(12, 0.5f * (width + opening), 12.3f, width, corner[2])};
  th_flat_def flat = th_default_flat_def();
  flat.outline = &outline;
  flat.outline_count = 1;
  flat.obstacle = wall;
  flat.obstacle_count = opening > 0.0f ? 2 : 0;
  flat.cell = 0.1f;
  flat.markers.seed = seed;
  flat.markers.through_walls = true;
  memset(c, 0, sizeof *c);
  c->length = length, c->width = width;
  th_result result = th_ground_make_flat(&flat, &c->ground, error);
  if (result) return result;
  th_world_def def = th_default_world_def();
  def.ground = c->ground;
  def.dt = DT;
  def.seed = seed;
  def.contact_rounds = 0;
  result = th_world_make(&def, &c->world, error);
  const th_user_guide_params host = {answer, c};
  return result ? result : th_world_add_guide(c->world, &th_guide_user, &host, &c->guide, error);
}

static void end(crowd *c) {
  th_world_free(c->world);
  th_ground_release(c->ground);
}

static bool is_free(const crowd *c, th_vec3 p, uint32_t but, float room) {
  for (uint32_t k = 0; k < c->count; k++) {
    const th_vec3 q = th_world_agent_point(c->world, c->id[k]);
    if (k != but && (p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y) < room * room) return false;
  }
  return true;
}

/* Agents at random places of the box, at least 0.3 m apart; every `west`-th walks west, the others east; 0 = none. */
static th_result people(crowd *c, uint32_t count, const float box[4], uint32_t west, uint64_t seed, th_error *error) {
  th_agent_def def = th_default_body_def();
  def.speed = 1.8f;
  def.speed_max = 10.0f;
  def.acceleration_max = def.turn_max = INFINITY;
  def.model = &th_model_biocrowds;
  def.guide = c->guide;
  def.collide = false;
  for (uint64_t n = 0; c->count < count && n < 100000; n++) {
    def.point =
        (th_vec3){th_random_range(seed, 1, 0, n, box[0], box[2]), th_random_range(seed, 2, 0, n, box[1], box[3]), 0};
    if (!is_free(c, def.point, MAX, 0.3f)) continue;
    const bool back = west && c->count % west == 0;
    c->goal[c->count] = (th_vec2){back ? -100.0f : c->length + 100.0f, def.point.y};
    th_result result = th_world_add_agent(c->world, &def, &c->id[c->count], error);
    if (result) return result;
    c->count++;
  }
  return TH_OK;
}

/* The nearest y at which there is room at that end; false: none. */
static bool find_room(const crowd *c, uint32_t i, float room, th_vec3 *p) {
  const float y = p->y;
  for (int k = 0; k < 40; k++) {
    p->y = y + 0.25f * (float)(k % 2 ? (k + 1) / 2 : -k / 2);
    if (p->y > 0.3f && p->y < c->width - 0.3f && is_free(c, *p, i, room)) return true;
  }
  return false;
}

/* Those who come to an end of the corridor begin again at the other one, as near to their own line as there is room.
 * Returns how many wait for it. */
static uint32_t recycle(crowd *c, float room) {
  uint32_t waiting = 0;
  for (uint32_t i = 0; i < c->count; i++) {
    th_vec3 p = th_world_agent_point(c->world, c->id[i]);
    const bool east = c->goal[i].x > 0.0f;
    if (east ? p.x < c->length - 1.0f : p.x > 1.0f) continue;
    p.x = east ? 0.6f : c->length - 0.6f;
    if (find_room(c, i, room, &p))
      th_world_place_agent(c->world, c->id[i], p, NULL);
    else
      waiting++;
  }
  return waiting;
}

/* One step of the crowd, drawn: who owns which markers; those who walk east and west in two colours. */
static th_result draw(th_lab *lab, crowd *c, const char *title, bool two_ways, th_error *error) {
  th_lab_picture picture;
  th_figure_def figure = th_lab_moment(title, "own markers");
  if (two_ways) figure.colour = TH_COLOUR_POPULATION;
  th_result result = th_lab_picture_begin(lab, c->world, NULL, (double)DT, &picture, error);
  for (uint32_t i = 0; i < c->count && picture.recording && !result; i++)
    result = th_recording_agent(
        picture.recording, c->id[i],
        &(th_recording_agent_def){.population = c->goal[i].x > 0.0f ? "to the east" : "to the west"}, error);
  if (!result && picture.recording) result = th_lab_trace(c->world, true, error);
  if (!result && picture.recording) th_world_step(c->world);
  if (!result) result = th_lab_picture_step(&picture, c->world, error);
  result = th_lab_picture_end(lab, &picture, &figure, result, error);
  return result ? result : th_lab_trace(c->world, false, error);
}

/* ---------------------------------------------------------------- lanes */

/* The share of neighbours within 2 m ahead and 0.4 m to the side that walk in the same direction; away from the ends.
 */
static double same_direction(const crowd *c) {
  uint32_t same = 0, all = 0;
  for (uint32_t i = 0; i < c->count; i++)
    for (uint32_t k = 0; k < c->count; k++) {
      const th_vec3 p = th_world_agent_point(c->world, c->id[i]), q = th_world_agent_point(c->world, c->id[k]);
      if (p.x < 4.0f || p.x > c->length - 4.0f) continue;
      const bool east = c->goal[i].x > 0.0f;
      const float ahead = east ? q.x - p.x : p.x - q.x;
      if (i == k || ahead < 0.0f || ahead > 2.0f || fabsf(p.y - q.y) > 0.4f) continue;
      all++;
      same += (c->goal[k].x > 0.0f) == east;
    }
  return all ? (double)same / all : 0.0;
}

th_result th_bio_lanes(th_lab *lab, th_error *error) {
  double first = 0.0, last = 0.0, waiting = 0.0, formed = 0.0;
  static crowd c;
  for (uint64_t seed = lab->first; seed <= lab->last; seed++) {
    th_result result = begin(&c, 30, 5, 0, seed, error);
    if (!result) result = people(&c, 80, (const float[4]){1, 0.3f, 29, 4.7f}, 2, seed, error);
    double early = 0.0, late = 0.0;
    for (int n = 0; n < 900 && !result; n++) {
      th_world_step(c.world);
      waiting += recycle(&c, 0.5f) / (900.0 * c.count * th_bio_runs(lab));
      if (n % 30 == 0 && n < 60) early += same_direction(&c) / 2.0;
      if (n % 30 == 0 && n >= 600) late += same_direction(&c) / 10.0;
    }
    first += early / th_bio_runs(lab);
    last += late / th_bio_runs(lab);
    formed += late > 0.75;
    if (!result && seed == lab->first) result = draw(lab, &c, "Lanes in counterflow, 30 s", true, error);
    end(&c);
    if (result) return result;
  }
  th_bio_claim(lab, "neighbours ahead that walk in the same direction, first 2 s", "", first, 0.4, 0.65);
  th_bio_claim(lab, "the same after 20 s", "", fmin(last, 1.0), 0.8, 1);
  th_bio_claim(lab, "share of agents that wait at the ends for room to begin again", "", waiting, 0, 0.1);
  th_bio_claim(lab, "share of crowds in which lanes formed (0.75)", "", formed / th_bio_runs(lab), 0.9, 1);
  return TH_OK;
}

/* ---------------------------------------------------------------- slowing */

static th_result stream(double density, uint64_t seed, double *speed, th_error *error) {
  static crowd c;
  const float length = 24.0f, width = 5.0f;
  th_result result = begin(&c, length, width, 0, seed, error);
  const uint32_t count = (uint32_t)(density * (double)(length * width) + 0.5);
  if (!result) result = people(&c, count, (const float[4]){0.5f, 0.2f, length - 0.5f, width - 0.2f}, 0, seed, error);
  double sum = 0.0;
  uint32_t seen = 0;
  for (int n = 0; n < 300 && !result; n++) {
    th_world_step(c.world);
    for (uint32_t i = 0; i < c.count && n >= 150; i++) {
      const th_vec3 p = th_world_agent_point(c.world, c.id[i]);
      if (p.x < 6.0f || p.x > 18.0f) continue;
      sum += (double)th_world_agent_velocity(c.world, c.id[i]).x;
      seen++;
    }
    recycle(&c, 1.0f);
  }
  *speed = seen ? sum / seen : 0.0;
  end(&c);
  return result;
}

enum { DENSITIES = 5 };
static const double density_of[DENSITIES] = {0.11, 0.22, 0.44, 0.89, 1.78},
                    earlier_speed[DENSITIES] = {1.71, 1.62, 1.28, 0.89, 0.61}; /* of an independent check */

static th_result draw_speeds(th_lab *lab, const double speed[DENSITIES], th_error *error) {
  char path[1024];
  const th_plotted_curve curve[2] = {{"earlier check", density_of, earlier_speed, DENSITIES, true},
                                     {"measured", density_of, speed, DENSITIES, false}};
  th_curves_figure_def def = th_default_curves_figure_def();
  def.title = "Speed in one-way streams", def.x = "agents per m2", def.y = "speed [m/s]";
  def.curve = curve, def.count = 2;
  if (!lab->folder) return TH_OK;
  snprintf(path, sizeof path, "%s/%s.png", lab->folder, lab->id);
  snprintf(lab->figure, sizeof lab->figure, "%s.png", lab->id);
  return th_curves_figure_write(&def, path, error);
}

th_result th_bio_density(th_lab *lab, th_error *error) {
  static const char *const text[DENSITIES] = {"mean speed at 0.11 agents per m2", "0.22", "0.44", "0.89", "1.78"};
  double mean[DENSITIES] = {0}, falls = 0.0;
  for (int k = 0; k < DENSITIES; k++) {
    for (uint64_t seed = lab->first; seed <= lab->last; seed++) {
      double speed;
      th_result result = stream(density_of[k], seed, &speed, error);
      if (result) return result;
      mean[k] += speed / th_bio_runs(lab);
    }
    th_lab_claim(lab, &(th_claim){text[k], "m/s", mean[k], earlier_speed[k] - 0.15, earlier_speed[k] + 0.15, NAN,
                                  earlier_speed[k], NULL});
    falls += mean[k] < (k ? mean[k - 1] : 1.8);
  }
  th_bio_claim(lab, "steps of density at which the speed falls", "of 5", falls, 5, 5);
  return draw_speeds(lab, mean, error);
}

/* ---------------------------------------------------------------- doors */

static th_result pass(th_lab *lab, float opening, uint64_t seed, double *seconds, double *before, th_error *error) {
  static crowd c;
  th_result result = begin(&c, 20, 10, opening, seed, error);
  if (!result) result = people(&c, 60, (const float[4]){1, 0.7f, 9, 9.3f}, 0, seed, error);
  uint32_t in = 60;
  *seconds = *before = 0.0;
  while (in && *seconds < 120.0 && !result) {
    for (uint32_t i = in = 0; i < c.count; i++) {
      const th_vec3 p = th_world_agent_point(c.world, c.id[i]);
      c.goal[i] = p.x > 11.9f ? (th_vec2){60.0f, p.y} : (th_vec2){12.2f, 5.0f};
      in += p.x < 12.3f;
      if (*seconds > 8.0 && *seconds < 12.0 && p.x < 12.0f && hypotf(p.x - 12.0f, p.y - 5.0f) < 2.5f)
        *before += 1.0 / 120.0;
    }
    if (lab && *seconds > 10.0 && *seconds < 10.0 + 1.5 * (double)DT)
      result = draw(lab, &c, "Before a door of 1.5 m, 10 s", false, error);
    else
      th_world_step(c.world);
    *seconds += (double)DT;
  }
  end(&c);
  return result;
}

th_result th_bio_door(th_lab *lab, th_error *error) {
  double seconds[2] = {0}, before[2] = {0};
  static const float opening[2] = {1.5f, 4.0f};
  for (int k = 0; k < 2; k++)
    for (uint64_t seed = lab->first; seed <= lab->last; seed++) {
      double s, b;
      th_result result = pass(k == 0 && seed == lab->first ? lab : NULL, opening[k], seed, &s, &b, error);
      if (result) return result;
      seconds[k] += s / th_bio_runs(lab);
      before[k] += b / th_bio_runs(lab);
    }
  th_bio_claim(lab, "60 people through a door of 1.5 m", "s", seconds[0], 15, 60);
  th_bio_claim(lab, "through one of 4 m", "s", seconds[1], 10, seconds[0]);
  th_bio_claim(lab, "flow through 1.5 m", "1/s", 60.0 / seconds[0], 1, 4);
  th_bio_claim(lab, "people in the arc of 2.5 m before it, against 4 m", "times", before[0] / before[1], 1.1, INFINITY);
  return TH_OK;
}

/* ---------------------------------------------------------------- cells */

th_result th_bio_cells(th_lab *lab, th_error *error) {
  static crowd c;
  static th_vec3 from[MAX];
  double steps = 0.0, outside = 0.0, nearest = INFINITY;
  for (uint64_t seed = lab->first; seed <= lab->last; seed++) {
    th_result result = begin(&c, 30, 6, 0, seed, error);
    if (!result) result = people(&c, 240, (const float[4]){1, 0.2f, 29, 5.8f}, 2, seed, error);
    for (int n = 0; n < 150 && !result; n++) {
      for (uint32_t i = 0; i < c.count; i++) from[i] = th_world_agent_point(c.world, c.id[i]);
      th_world_step(c.world);
      for (uint32_t i = 0; i < c.count; i++, steps += 1.0) {
        const th_vec3 to = th_world_agent_point(c.world, c.id[i]);
        const double own = hypot((double)to.x - (double)from[i].x, (double)to.y - (double)from[i].y);
        bool left = false;
        for (uint32_t k = 0; k < c.count; k++) {
          const double other = hypot((double)to.x - (double)from[k].x, (double)to.y - (double)from[k].y);
          const th_vec3 q = th_world_agent_point(c.world, c.id[k]);
          left |= k != i && own > other + 1e-6;
          if (k < i) nearest = fmin(nearest, hypot((double)to.x - (double)q.x, (double)to.y - (double)q.y));
        }
        outside += left;
      }
      recycle(&c, 0.5f);
    }
    if (!result && seed == lab->first) result = draw(lab, &c, "Dense counterflow, 5 s", true, error);
    end(&c);
    if (result) return result;
  }
  th_bio_claim(lab, "agent-steps of dense counterflow", "", steps, 36000 * th_bio_runs(lab), INFINITY);
  th_lab_claim(lab, &(th_claim){"that end outside the agent's old cell", "", outside, 0, 0, NAN, 0, NULL});
  th_bio_claim(lab, "nearest two agents", "m", nearest, 1e-3, INFINITY);
  return TH_OK;
}
