/* report/metrics/metrics.c - collects the history of every agent, step by step.
 *
 * Each agent has a life: when it appeared, when it arrived, how far it walked, how much it turned. Lives are found by
 * the index of the agent's id and checked by its generation, so a reused index begins a new life. Turning is the sum of
 * |angle between headings|, from atan2 of cross and dot product, which is exact for small angles. An agent has arrived
 * when it stands at its last stop, or reached a goal in the step in which it left. Cost: O(n) per step.
 */
#include "report/metrics/metrics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

th_metrics_def th_default_metrics_def(void) {
  return (th_metrics_def){.dt = 0.1, .contact = 0.01f, .min_within = 2.0f, .sample = 1.0};
}

static th_result check_def(const th_metrics_def *def, th_error *error) {
  if (!(def->dt > 0.0 && def->dt <= 1000.0))
    return th_fail(error, TH_ERROR_RANGE, "metrics dt", "expected above 0 to 1000 s, found %g", def->dt);
  if (!(def->sample > 0.0))
    return th_fail(error, TH_ERROR_RANGE, "metrics sample", "expected above 0 s, found %g", def->sample);
  if (!(def->contact >= 0.0f && def->contact < 1.0f))
    return th_fail(error, TH_ERROR_RANGE, "metrics contact", "expected 0 to below 1, found %g", (double)def->contact);
  if (!(def->min_within >= 0.0f && def->min_within <= 100.0f))
    return th_fail(error, TH_ERROR_RANGE, "metrics min_within", "expected 0 to 100 m, found %g",
                   (double)def->min_within);
  for (uint32_t k = 0; k < def->area_count; k++)
    if (def->area[k].count < 3)
      return th_fail_at(error, TH_ERROR_RANGE, "metrics area", k, "expected 3 points or more, found %u",
                        def->area[k].count);
  return TH_OK;
}

static void copy_name(char name[48], const char *given, const char *kind, uint32_t number) {
  if (given)
    snprintf(name, 48, "%s", given);
  else
    snprintf(name, 48, "%s %u", kind, number + 1);
}

static bool copy_area(const th_allocator *allocator, th_area_log *area, const th_measure_area *given, uint32_t k) {
  copy_name(area->name, given->name, "area", k);
  area->point = TH_TAKE(allocator, th_vec2, given->count);
  if (!area->point) return false;
  area->count = given->count;
  memcpy(area->point, given->point, given->count * sizeof *given->point);
  double twice = 0.0;
  for (uint32_t i = 0, j = given->count - 1; i < given->count; j = i++)
    twice +=
        (double)given->point[j].x * (double)given->point[i].y - (double)given->point[i].x * (double)given->point[j].y;
  area->size = fmax(fabs(twice) / 2.0, 1e-12);
  return true;
}

static bool copy_measures(th_metrics *metrics, const th_metrics_def *def) {
  const th_allocator *allocator = &metrics->env.allocator;
  metrics->line = TH_TAKE(allocator, th_line_log, def->line_count);
  metrics->area = TH_TAKE(allocator, th_area_log, def->area_count);
  if (metrics->line) metrics->line_count = def->line_count;
  if (metrics->area) metrics->area_count = def->area_count;
  if (!metrics->line || !metrics->area) return false;
  for (uint32_t k = 0; k < def->line_count; k++) {
    copy_name(metrics->line[k].name, def->line[k].name, "line", k);
    metrics->line[k].a = def->line[k].a, metrics->line[k].b = def->line[k].b;
  }
  for (uint32_t k = 0; k < def->area_count; k++)
    if (!copy_area(allocator, &metrics->area[k], &def->area[k], k)) return false;
  return true;
}

th_result th_metrics_make(const th_metrics_def *def, th_metrics **metrics, th_error *error) {
  th_result result = check_def(def, error);
  if (result != TH_OK) return result;
  th_env env = th_env_complete(&def->env);
  th_metrics *made = TH_TAKE(&env.allocator, th_metrics, 1);
  if (!made) return th_fail_memory(error, "metrics");
  made->env = env;
  made->dt = def->dt, made->sample = def->sample;
  made->contact = def->contact, made->min_within = def->min_within;
  made->min_distance = INFINITY;
  if (!copy_measures(made, def) || !th_metrics_exits_make(made, def)) {
    th_metrics_free(made);
    return th_fail_memory(error, "metrics");
  }
  *metrics = made;
  return TH_OK;
}

void th_metrics_free(th_metrics *metrics) {
  if (!metrics) return;
  th_allocator allocator = metrics->env.allocator;
  for (uint32_t k = 0; k < metrics->line_count; k++)
    TH_GIVE(&allocator, metrics->line[k].crossing, metrics->line[k].capacity);
  for (uint32_t k = 0; k < metrics->area_count; k++) {
    TH_GIVE(&allocator, metrics->area[k].point, metrics->area[k].count);
    TH_GIVE(&allocator, metrics->area[k].density, metrics->area[k].density_capacity);
    TH_GIVE(&allocator, metrics->area[k].speed, metrics->area[k].speed_capacity);
  }
  TH_GIVE(&allocator, metrics->line, metrics->line_count);
  TH_GIVE(&allocator, metrics->area, metrics->area_count);
  TH_GIVE(&allocator, metrics->exit, metrics->exit_count);
  TH_GIVE(&allocator, metrics->life, metrics->life_capacity);
  TH_GIVE(&allocator, metrics->known, metrics->known_capacity);
  TH_GIVE(&allocator, metrics->row_life, metrics->row_life_capacity);
  TH_GIVE(&allocator, metrics->event_life, metrics->event_life_capacity);
  TH_GIVE(&allocator, metrics->pair, metrics->pair_capacity);
  TH_GIVE(&allocator, metrics->pair_before, metrics->pair_before_capacity);
  TH_GIVE(&allocator, metrics->wall, metrics->wall_capacity);
  TH_GIVE(&allocator, metrics->seen_from_above, metrics->overhead_capacity);
  TH_GIVE(&allocator, metrics->curve, metrics->curve_capacity);
  th_metrics_bins_free(&allocator, &metrics->cells);
  th_metrics_bins_free(&allocator, &metrics->wall_cells);
  TH_GIVE(&allocator, metrics, 1);
}

/* ---------------------------------------------------------------- lives */

/* Life of an agent, or NULL when it has none. */
static th_life *find_life(const th_metrics *metrics, th_agent_id id) {
  if (id.index >= metrics->known_capacity || metrics->known[id.index] == 0) return NULL;
  th_life *life = &metrics->life[metrics->known[id.index] - 1];
  return life->id.generation == id.generation ? life : NULL;
}

static th_life *begin_life(th_metrics *metrics, th_agent_id id) {
  const th_allocator *allocator = &metrics->env.allocator;
  if (id.index == UINT32_MAX ||
      !th_grow(allocator, (void **)&metrics->known, &metrics->known_capacity, id.index + 1, sizeof *metrics->known) ||
      !th_grow(allocator, (void **)&metrics->life, &metrics->life_capacity, metrics->life_count + 1,
               sizeof *metrics->life))
    return NULL;
  metrics->known[id.index] = ++metrics->life_count;
  th_life *life = &metrics->life[metrics->life_count - 1];
  *life = (th_life){
      .id = id, .entered = metrics->time, .set_off = NAN, .arrived = NAN, .last_arrival = NAN, .seen = UINT64_MAX};
  return life;
}

static void arrive(th_metrics *metrics, th_life *life) {
  if (!isnan(life->arrived)) return;
  life->arrived = metrics->time;
  metrics->arrived++;
}

#define NARROWED 0.99f /* of the radius: shoulders that are turned less are not */

static th_moment moment_of(const th_agents *agents, uint32_t i, double turned, bool walking) {
  const th_points *s = agents->space;
  th_moment now = {.normal = {0.0f, 0.0f, 1.0f}, .turned = turned, .walking = walking};
  now.narrowed = agents->body && agents->body[i] < NARROWED * agents->radius[i];
  now.velocity = s ? s->velocity[i] : (th_vec3){agents->vx[i], agents->vy[i], 0.0f};
  now.heading = s ? s->heading[i] : (th_vec3){agents->hx[i], agents->hy[i], 0.0f};
  if (s) now.normal = s->normal[i];
  return now;
}

static bool live_on(th_metrics *metrics, const th_agents *agents, uint32_t i, uint64_t step) {
  th_life *life = find_life(metrics, agents->id[i]);
  if (!life) life = begin_life(metrics, agents->id[i]);
  if (!life) return false;
  metrics->row_life[i] = (uint32_t)(life - metrics->life);
  float hx = agents->hx ? agents->hx[i] : 0.0f, hy = agents->hy ? agents->hy[i] : 0.0f;
  uint8_t state = agents->state ? agents->state[i] : TH_AGENT_WALKING;
  if (state != TH_AGENT_PREMOVEMENT && isnan(life->set_off)) /* at the start of the step that ends now */
    life->set_off = life->seen == UINT64_MAX ? metrics->time : metrics->time - metrics->dt;
  const bool first = life->seen == UINT64_MAX, walked = !first && !life->carried; /* not where an edit put it */
  life->carried = false;
  if (!first && isnan(life->arrived) && !isnan(life->set_off)) life->under_way += metrics->dt;
  if (walked && !th_metrics_measure_crossing(metrics, life, agents->x[i], agents->y[i])) return false;
  const double turning = life->turning;
  if (agents->space) th_metrics_live_in_space(life, agents->space, i, !walked);
  if (!agents->space && walked) {
    life->path += hypot((double)agents->x[i] - (double)life->x, (double)agents->y[i] - (double)life->y);
    double cross = (double)life->hx * (double)hy - (double)life->hy * (double)hx;
    life->turning += fabs(atan2(cross, (double)life->hx * (double)hx + (double)life->hy * (double)hy));
  }
  if (agents->vx && agents->hx) {
    const th_moment now = moment_of(agents, i, life->turning - turning, state == TH_AGENT_WALKING);
    th_metrics_motion(metrics, life, &now);
  }
  const th_vec3 flat = {agents->x[i], agents->y[i], 0.0f};
  th_metrics_rest(metrics, life, agents->space ? agents->space->point[i] : flat, state);
  life->x = agents->x[i], life->y = agents->y[i], life->hx = hx, life->hy = hy;
  life->seen = step;
  life->lost = state == TH_AGENT_LOST;
  if (state == TH_AGENT_ARRIVED) arrive(metrics, life);
  return true;
}

/* A source may give the index of an agent that left to a new agent in the same step, and with it the entry in `known`;
 * so lives with events are found before the rows are read. 0: the life begins in this step, or there is none. */
static bool find_event_lives(th_metrics *metrics, const th_event *event, uint32_t count) {
  if (!th_grow(&metrics->env.allocator, (void **)&metrics->event_life, &metrics->event_life_capacity, count,
               sizeof *metrics->event_life))
    return false;
  for (uint32_t k = 0; k < count; k++) {
    th_life *life = find_life(metrics, event[k].agent);
    metrics->event_life[k] = life ? metrics->known[event[k].agent.index] : 0;
    if (life && event[k].kind == TH_EVENT_DISPLACED) life->displaced = life->carried = true;
  }
  return true;
}

static void take_event(th_metrics *metrics, const th_event *event, uint32_t number) {
  th_life *life = number ? &metrics->life[number - 1] : find_life(metrics, event->agent);
  if (!life) return;
  if (event->kind == TH_EVENT_ARRIVED) life->last_arrival = metrics->time, life->goal = event->goal.index;
  if (event->kind == TH_EVENT_UNREACHABLE) life->lost = true;
  if (event->kind == TH_EVENT_STUCK) life->stuck = true;
  if (event->kind == TH_EVENT_QUEUES) life->queued = true;
  if (event->kind == TH_EVENT_REMOVED && life->last_arrival == metrics->time) {
    if (life->seen != UINT64_MAX && isnan(life->arrived)) life->under_way += metrics->dt; /* its last step */
    arrive(metrics, life);
  }
}

/* ---------------------------------------------------------------- a step */

static bool sample_curve(th_metrics *metrics, const th_agents *agents, bool *sampled) {
  *sampled = metrics->curve_count == 0 ||
             metrics->time >= metrics->curve[metrics->curve_count - 1].time + metrics->sample - 1e-9;
  if (!*sampled) return true;
  if (!th_grow(&metrics->env.allocator, (void **)&metrics->curve, &metrics->curve_capacity, metrics->curve_count + 1,
               sizeof *metrics->curve))
    return false;
  uint32_t present = 0;
  for (uint32_t i = 0; i < agents->count; i++)
    present += !agents->state || (agents->state[i] != TH_AGENT_DELAYED && agents->state[i] != TH_AGENT_ARRIVED);
  metrics->curve[metrics->curve_count++] = (th_curve_point){metrics->time, present, metrics->arrived};
  return true;
}

static bool take_step(th_metrics *metrics, uint64_t step, const th_agents *agents, const th_event *event,
                      uint32_t event_count) {
  bool sampled;
  if (!th_grow(&metrics->env.allocator, (void **)&metrics->row_life, &metrics->row_life_capacity, agents->count,
               sizeof *metrics->row_life) ||
      !find_event_lives(metrics, event, event_count))
    return false;
  for (uint32_t i = 0; i < agents->count; i++)
    if (!agents->state || agents->state[i] != TH_AGENT_DELAYED)
      if (!live_on(metrics, agents, i, step)) return false;
  for (uint32_t k = 0; k < event_count; k++)
    if (event[k].kind != TH_EVENT_REMOVED) take_event(metrics, &event[k], metrics->event_life[k]);
  for (uint32_t k = 0; k < event_count; k++) /* after the arrivals of the same step */
    if (event[k].kind == TH_EVENT_REMOVED) take_event(metrics, &event[k], metrics->event_life[k]);
  return th_metrics_near_pairs(metrics, agents) && th_metrics_wall_contacts(metrics, agents) &&
         sample_curve(metrics, agents, &sampled) && th_metrics_measure_areas(metrics, agents, sampled);
}

th_result th_metrics_step(th_metrics *metrics, uint64_t step, const th_agents *agents, const th_event *event,
                          uint32_t event_count, th_error *error) {
  th_agents above;
  if (agents->space) {
    const th_points *s = agents->space;
    if (agents->count && !(s->point && s->velocity && s->heading && s->normal))
      return th_fail(error, TH_ERROR_STATE, "metrics", "expected points, velocities, headings and normals in space");
    if (!th_metrics_from_above(metrics, agents, &above)) return th_fail_memory(error, "metrics");
    agents = &above;
  }
  for (uint32_t i = 0; i < agents->count; i++)
    if (!(fabsf(agents->x[i]) < 1e9f) || !(fabsf(agents->y[i]) < 1e9f) || !(agents->radius[i] > 0.0f))
      return th_fail_at(error, TH_ERROR_RANGE, "metrics", i,
                        "agent %u: expected a place within 1e9 m and a radius above 0, found %g, %g, %g", i,
                        (double)agents->x[i], (double)agents->y[i], (double)agents->radius[i]);
  metrics->time = (double)step * metrics->dt;
  metrics->step = step;
  if (!take_step(metrics, step, agents, event, event_count)) return th_fail_memory(error, "metrics");
  metrics->steps++;
  return TH_OK;
}

double th_metrics_arrival(const th_metrics *metrics, th_agent_id agent) {
  const th_life *life = find_life(metrics, agent);
  return life ? life->arrived : NAN;
}

th_summary th_metrics_summary(const th_metrics *metrics) {
  th_summary sum = {
      .agents = metrics->life_count, .duration = metrics->time, .arrival_first = NAN, .arrival_last = NAN};
  double arrivals = 0.0, path = 0.0, under_way = 0.0, turning = 0.0, n = (double)metrics->life_count;
  for (uint32_t k = 0; k < metrics->life_count; k++) {
    const th_life *life = &metrics->life[k];
    path += life->path, under_way += life->under_way, turning += life->turning;
    sum.lost += life->lost, sum.stuck += life->stuck, sum.queued += life->queued;
    sum.displaced += life->displaced;
    sum.remaining += th_metrics_remains(metrics, life);
    if (isnan(life->arrived)) continue;
    sum.arrived++;
    arrivals += life->arrived;
    if (!(sum.arrival_first <= life->arrived)) sum.arrival_first = life->arrived;
    if (!(sum.arrival_last >= life->arrived)) sum.arrival_last = life->arrived;
  }
  sum.motionless = th_metrics_motionless(metrics, NULL, 0);
  sum.arrival_mean = sum.arrived ? arrivals / sum.arrived : NAN;
  sum.path_mean = n > 0.0 ? path / n : NAN;
  sum.speed_mean = under_way > 0.0 ? path / under_way : NAN;
  sum.turning_mean = n > 0.0 ? turning / n : NAN;
  sum.jitter = path > 0.0 ? turning / path : NAN;
  th_metrics_motion_sum(metrics, &sum);
  sum.min_distance = metrics->min_distance <= (double)metrics->min_within ? metrics->min_distance : NAN;
  sum.worst_overlap = metrics->worst_overlap;
  sum.worst_full_overlap = metrics->worst_full;
  sum.contacts = metrics->contacts;
  sum.contact_seconds = metrics->contact_seconds;
  sum.wall_contacts = metrics->wall_contacts;
  sum.wall_contact_seconds = metrics->wall_seconds;
  sum.worst_wall_overlap = metrics->worst_wall;
  return sum;
}
