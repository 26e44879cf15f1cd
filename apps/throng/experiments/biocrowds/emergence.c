/* apps/throng/experiments/biocrowds/emergence.c - lanes, slowing, doors and cells: what crowds do by themselves.
 *
 * The thesis reports these without numbers. Agents are points as published: no contacts, no limits of acceleration or
 * turning, markers seen through walls, 1.8 m/s, 30 decisions a second. Each experiment runs twenty crowds, whose
 * starts and markers differ by the seed, and claims the mean, or the worst of all where something must always hold.
 */
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "experiments/biocrowds/experiments.h"
#include "throng/guide.h"
#include "throng/model/biocrowds.h"
#include "throng/throng.h"

enum { SEEDS = 20, MAX = 512 };
#define DT (1.0f / 30.0f)

typedef struct crowd {
  th_ground *ground;
  th_world *world;
  th_guide_id guide;
  uint32_t count;
  th_vec2 goal[MAX];
  th_agent_id id[MAX];
  float length; /* of the corridor [m] */
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
  c->length = length;
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
  th_agent_def def = th_default_agent_def();
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

/* Those who come to an end of the corridor begin again at the other one, where there is room. */
static void recycle(crowd *c) {
  for (uint32_t i = 0; i < c->count; i++) {
    th_vec3 p = th_world_agent_point(c->world, c->id[i]);
    const bool east = c->goal[i].x > 0.0f;
    if (east ? p.x < c->length - 1.0f : p.x > 1.0f) continue;
    p.x = east ? 0.6f : c->length - 0.6f;
    if (is_free(c, p, i, 1.0f)) th_world_place_agent(c->world, c->id[i], p, NULL);
  }
}

/* ---------------------------------------------------------------- lanes */

/* Of those within 2 m ahead and 0.4 m to the side, the share that walks the same way. */
static double same_way(const crowd *c) {
  uint32_t same = 0, all = 0;
  for (uint32_t i = 0; i < c->count; i++)
    for (uint32_t k = 0; k < c->count; k++) {
      const th_vec3 p = th_world_agent_point(c->world, c->id[i]), q = th_world_agent_point(c->world, c->id[k]);
      const bool east = c->goal[i].x > 0.0f;
      const float ahead = east ? q.x - p.x : p.x - q.x;
      if (i == k || ahead < 0.0f || ahead > 2.0f || fabsf(p.y - q.y) > 0.4f) continue;
      all++;
      same += (c->goal[k].x > 0.0f) == east;
    }
  return all ? (double)same / all : 0.0;
}

TH_BIO_EXPERIMENT(lanes) {
  double first = 0.0, last = 0.0;
  uint32_t formed = 0;
  static crowd c;
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    th_result result = begin(&c, 30, 5, 0, seed, error);
    if (!result) result = people(&c, 80, (const float[4]){1, 0.3f, 29, 4.7f}, 2, seed, error);
    double early = 0.0, late = 0.0;
    for (int n = 0; n < 900 && !result; n++) {
      th_world_step(c.world);
      recycle(&c);
      if (n % 30 == 0 && n < 60) early += same_way(&c) / 2.0;
      if (n % 30 == 0 && n >= 600) late += same_way(&c) / 10.0;
    }
    first += early / SEEDS;
    last += late / SEEDS;
    formed += late > 0.75;
    end(&c);
    if (result) return result;
  }
  th_lab_claim(lab,
               &(th_claim){"neighbours ahead that walk the same way, first 2 s", "", first, 0.4, 0.65, NAN, NAN, NULL});
  th_lab_claim(lab, &(th_claim){"the same after 20 s", "", fmin(last, 1.0), 0.8, 1, NAN, NAN, NULL});
  th_lab_claim(lab, &(th_claim){"crowds of 20 in which lanes formed (0.75)", "", formed, 18, 20, NAN, NAN, NULL});
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
    recycle(&c);
  }
  *speed = seen ? sum / seen : 0.0;
  end(&c);
  return result;
}

TH_BIO_EXPERIMENT(density) {
  static const struct {
    double density, earlier;
    const char *text;
  } row[] = {{0.11, 1.71, "mean speed at 0.11 agents per m2"},
             {0.22, 1.62, "0.22"},
             {0.44, 1.28, "0.44"},
             {0.89, 0.89, "0.89"},
             {1.78, 0.61, "1.78"}};
  double last = 1.8, falls = 0.0;
  for (int k = 0; k < 5; k++) {
    double mean = 0.0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
      double speed;
      th_result result = stream(row[k].density, seed, &speed, error);
      if (result) return result;
      mean += speed / SEEDS;
    }
    th_lab_claim(lab, &(th_claim){row[k].text, "m/s", mean, row[k].earlier - 0.15, row[k].earlier + 0.15, NAN,
                                  row[k].earlier, NULL});
    falls += mean < last;
    last = mean;
  }
  th_lab_claim(lab, &(th_claim){"steps of density at which the speed falls", "of 5", falls, 5, 5, NAN, NAN, NULL});
  return TH_OK;
}

/* ---------------------------------------------------------------- doors */

static th_result pass(float opening, uint64_t seed, double *seconds, double *before, th_error *error) {
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
    th_world_step(c.world);
    *seconds += (double)DT;
  }
  end(&c);
  return result;
}

TH_BIO_EXPERIMENT(door) {
  double seconds[2] = {0}, before[2] = {0};
  static const float opening[2] = {1.5f, 4.0f};
  for (int k = 0; k < 2; k++)
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
      double s, b;
      th_result result = pass(opening[k], seed, &s, &b, error);
      if (result) return result;
      seconds[k] += s / SEEDS;
      before[k] += b / SEEDS;
    }
  th_lab_claim(lab, &(th_claim){"60 people through a door of 1.5 m", "s", seconds[0], 15, 60, NAN, NAN, NULL});
  th_lab_claim(lab, &(th_claim){"through one of 4 m", "s", seconds[1], 10, seconds[0], NAN, NAN, NULL});
  th_lab_claim(lab, &(th_claim){"flow through 1.5 m", "1/s", 60.0 / seconds[0], 1, 4, NAN, NAN, NULL});
  th_lab_claim(lab, &(th_claim){"people in the arc of 2.5 m before it, against 4 m", "times", before[0] / before[1],
                                1.1, INFINITY, NAN, NAN, NULL});
  return TH_OK;
}

/* ---------------------------------------------------------------- cells */

TH_BIO_EXPERIMENT(cells) {
  static crowd c;
  static th_vec3 from[MAX];
  double steps = 0.0, outside = 0.0, nearest = INFINITY;
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
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
      recycle(&c);
    }
    end(&c);
    if (result) return result;
  }
  th_lab_claim(lab, &(th_claim){"agent-steps of dense counterflow", "", steps, 700000, INFINITY, NAN, NAN, NULL});
  th_lab_claim(lab, &(th_claim){"that end outside the agent's old cell", "", outside, 0, 0, NAN, 0, NULL});
  th_lab_claim(lab, &(th_claim){"nearest two agents", "m", nearest, 1e-3, INFINITY, NAN, NAN, NULL});
  return TH_OK;
}
