/* apps/throng/findings.c - finds what is probably not meant in a scene that can run.
 *
 * `check` and `run` share these findings, so that a run reports whatever a check would. Nothing here changes the world:
 * places are compared in a separate list, and paths are read from fields that exist. Cost: one search for passages in
 * the raster, then linear in agents.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli.h"
#include "geometry/shape.h"
#include "io/scene/world.h"
#include "throng/model.h"
#include "throng/model/biocrowds.h"
#include "throng/run.h"

#define TOLERATED 0.1f /* part of two bodies that may overlap without a word */
#define BEYOND 0.05    /* part of a region that may lie beyond the ground without a word */
#define FASTEST 12.5f  /* the fastest sprinters [m/s] */
#define MANY_CELLS 4e6 /* of a raster */
#define STEP_EDGES 6u  /* of three steps: fewer are a kerb or a threshold */
#define COARSE 0.5f    /* half a second: a person walks its own width and more */

static void warn(th_findings *f, const char *format, ...) TH_PRINTF(2, 3);
static void warn(th_findings *f, const char *format, ...) {
  char text[400];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  json_array_append_new(f->warnings, json_string(text));
  if (f->out) fprintf(f->out, "%s%s%s: warning: %s\n", f->program, *f->program ? ": " : "", f->scene->path, text);
}

/* ---------------------------------------------------------------- before the first step */

/* A slip of the pen in one number makes a plan of kilometres, which takes seconds and gigabytes before anybody walks.
 */
static void tell_large(th_findings *f, const th_ground *ground) {
  const th_raster raster = th_ground_clearance_raster(ground);
  const double cells = (double)raster.width * (double)raster.height, cell = (double)raster.cell;
  if (!th_ground_mesh(ground) && cells > MANY_CELLS)
    warn(f,
         "/ground: it is %.4g x %.4g m, %.2g million cells of %.2g m: are these metres? A larger cell takes less time",
         raster.width * cell, raster.height * cell, 1e-6 * cells, cell);
}

/* The search takes about 200 bytes and 0.6 us per cell. */
static bool is_large(const th_ground *ground) {
  const th_raster raster = th_ground_clearance_raster(ground);
  return (double)raster.width * (double)raster.height > 1e6;
}

static void tell_passage(th_findings *f, const th_passage *passage, float cell) {
  const double radius = (double)f->scene->ground.def.radius_class[passage->radius_class];
  const double room = (double)passage->width - 2.0 * radius;
  if (passage->closed)
    warn(f,
         "/ground: a passage of %.2f m at %.2f, %.2f is open, but the raster closes it for a radius of %.2f m; "
         "people walk through it one behind the other, and a smaller cell opens it",
         (double)passage->width, (double)passage->x, (double)passage->y, radius);
  else
    warn(f,
         "/ground: a passage of %.2f m at %.2f, %.2f leaves %.1f cells of room beside a radius of %.2f m; below %g its "
         "flow depends on where the raster falls: a cell of %.2g m would tell it",
         (double)passage->width, (double)passage->x, (double)passage->y, room / (double)cell, radius,
         (double)TH_ROOM_CELLS, room / (double)TH_ROOM_CELLS);
}

static void find_passages(th_findings *f, const th_ground *ground) {
  enum { MAX = 8 };
  if (f->passages) return;
  f->passages = true;
  th_passage passage[MAX];
  uint32_t count = th_ground_passages(ground, TH_ROOM_CELLS, passage, MAX);
  if (count == UINT32_MAX) {
    warn(f, "/ground: memory was too short to look for passages");
    return;
  }
  for (uint32_t i = 0; i < count && i < MAX; i++) tell_passage(f, &passage[i], th_ground_clearance_raster(ground).cell);
  if (count > MAX) warn(f, "/ground: %u more such passages", count - MAX);
}

static void find_late_events(th_findings *f, float duration) {
  for (uint32_t i = 0; i < f->scene->event_count; i++) {
    const th_scene_event *event = &f->scene->event[i];
    if (event->step != TH_NO_INDEX || event->at < duration) continue;
    warn(f, "/events/%u: expected a time before the end at %g s, found %g s: it will not happen", event->order,
         (double)duration, (double)event->at);
  }
}

/* A change may give a population the route that it lacks at the start. */
static bool gets_route(const th_scene *scene, uint32_t population) {
  for (uint32_t i = 0; i < scene->event_count; i++) {
    const th_scene_event *event = &scene->event[i];
    if (event->act != TH_ACT_CHANGE || event->index != population) continue;
    if (event->change->crowd.stop_count || event->change->crowd.guide) return true;
  }
  return false;
}

/* Those who have nowhere to go; a speed of 0 says that this is meant. */
static bool is_aimless(const th_scene_crowd *crowd) {
  bool stands = th_scene_spread(&crowd->spread.speed, crowd->def.speed).max == 0.0f;
  return !crowd->stop_count && !crowd->guide && !stands && !crowd->def.model->alone;
}

/* Where goals are, a crowd without one is hardly meant; people who stand at given positions may be. */
static void find_aimless(th_findings *f) {
  uint32_t aimless = 0;
  for (uint32_t i = 0; i < f->scene->population_count; i++) aimless += is_aimless(&f->scene->population[i].crowd);
  for (uint32_t i = 0; i < f->scene->population_count && f->scene->goal_count; i++) {
    const th_scene_population *population = &f->scene->population[i];
    bool placed = population->position.count && aimless < f->scene->population_count;
    if (is_aimless(&population->crowd) && !placed && !gets_route(f->scene, i))
      warn(f, "/populations/%u: \"%.60s\" has no route: they stay where they are", i, population->name);
  }
  for (uint32_t i = 0; i < f->scene->source_count && f->scene->goal_count; i++)
    if (is_aimless(&f->scene->source[i].crowd))
      warn(f, "/sources/%u: \"%.60s\" has no route: they stay where they appear", i, f->scene->source[i].name);
}

/* How many given positions of a population lie in bodies that were placed before. */
static uint32_t count_stacked(th_run *run, const th_agents *agents, uint32_t population, th_spots *spots) {
  const th_ground *ground = th_world_ground(th_run_world(run));
  uint32_t stacked = 0;
  for (uint32_t i = 0; i < agents->count; i++) {
    if (th_run_population(run, agents->id[i]) != population) continue;
    const float radius = (1.0f - TOLERATED) * agents->radius[i];
    th_vec3 point = th_ground_point(ground, (th_place){agents->cell[i], agents->x[i], agents->y[i]});
    stacked += !th_spots_free_at(spots, point, radius);
    th_spots_take(spots, point, radius);
  }
  return stacked;
}

static bool has_positions(const th_scene *scene) {
  bool any = false;
  for (uint32_t i = 0; i < scene->population_count; i++) any |= scene->population[i].position.count > 0;
  return any;
}

static void find_stacked(th_findings *f, th_run *run) {
  if (!has_positions(f->scene)) return;
  th_agents agents = th_world_agents(th_run_world(run));
  float largest = 0.01f;
  for (uint32_t i = 0; i < agents.count; i++) largest = fmaxf(largest, agents.radius[i]);
  th_spots *spots;
  if (th_spots_make(NULL, th_world_ground(th_run_world(run)), agents.count, largest, &spots, NULL) != TH_OK) return;
  for (uint32_t p = 0; p < f->scene->population_count; p++) {
    const th_scene_population *population = &f->scene->population[p];
    if (!population->crowd.def.collide || !population->position.count) continue;
    uint32_t stacked = count_stacked(run, &agents, p, spots);
    if (stacked)
      warn(f, "/populations/%u/positions: %u of %u start on top of others (by more than %g %% of the bodies)", p,
           stacked, population->position.count, 100 * (double)TOLERATED);
  }
  th_spots_free(spots);
}

/* The part of a region that lies beyond flat ground: outside its bounds or all of its outlines. Walls inside the ground
 * do not count, for regions around pillars and shelves are meant so. */
static double part_beyond(const th_findings *f, const th_ground *ground, const th_shape *region) {
  enum { LINES = 64 };
  const th_scene_ground *plan = &f->scene->ground;
  const th_box box = th_shape_bounds(region);
  th_vec2 lower, upper;
  uint32_t inside = 0, beyond = 0;
  th_ground_bounds(ground, &lower, &upper);
  for (uint32_t k = 0; k < LINES * LINES; k++) {
    const double x = box.x0 + (k % LINES + 0.5) / LINES * (box.x1 - box.x0);
    const double y = box.y0 + (k / LINES + 0.5) / LINES * (box.y1 - box.y0);
    if (!th_shape_covers(region, x, y)) continue;
    bool on = x >= (double)lower.x && x <= (double)upper.x && y >= (double)lower.y && y <= (double)upper.y;
    bool outlined = !plan->outline_count;
    for (uint32_t i = 0; i < plan->outline_count && !outlined; i++)
      outlined = th_shape_covers(&plan->outline[i].shape, x, y);
    inside++;
    beyond += !on || !outlined;
  }
  return inside ? (double)beyond / inside : 0.0;
}

static void find_beyond(th_findings *f, const th_ground *ground, const char *list, uint32_t i, const th_shape *region) {
  if (!region->point || !(region->kind == TH_SHAPE_POLYGON || region->radius < INFINITY)) return;
  const double part = part_beyond(f, ground, region);
  if (part > BEYOND)
    warn(f, "/%s/%u/region: %.0f %% of it lie beyond the ground: agents appear in the rest only", list, i, 100 * part);
}

/* On a mesh a region is a space that cuts out some of the surface. */
static void find_cut_regions(th_findings *f, const th_ground *ground) {
  if (th_ground_mesh(ground)) return;
  for (uint32_t i = 0; i < f->scene->population_count; i++)
    find_beyond(f, ground, "populations", i, &f->scene->population[i].region);
  for (uint32_t i = 0; i < f->scene->source_count; i++)
    find_beyond(f, ground, "sources", i, &f->scene->source[i].region);
}

/* What is measured where nobody can be. */
static void find_idle_measures(th_findings *f, const th_ground *ground) {
  const th_scene_measure *measure = &f->scene->measure;
  for (uint32_t i = 0; i < measure->line_count; i++) {
    const th_scene_line *line = &measure->line[i];
    if (line->from.x == line->to.x && line->from.y == line->to.y)
      warn(f, "/measure/lines/%u: \"%.60s\" begins where it ends: nobody crosses it", i, line->name);
  }
  for (uint32_t i = 0; i < measure->area_count && !th_ground_mesh(ground); i++)
    if (part_beyond(f, ground, &measure->area[i].shape) > 1.0 - BEYOND)
      warn(f, "/measure/areas/%u: \"%.60s\" lies beyond the ground: nobody is in it", i, measure->area[i].name);
}

/* Groups and sources that never have anybody, and frames that never come. */
/* Masks weigh markers, which only one model reads, and they leave next to nothing of the pull of a goal. */
static void find_idle_alignment(th_findings *f, uint32_t g) {
  const th_scene_group *group = &f->scene->group[g];
  if (group->def.align == TH_ALIGN_NONE) return;
  for (uint32_t i = 0; i < f->scene->population_count; i++) {
    const th_scene_population *p = &f->scene->population[i];
    bool member = false;
    for (uint32_t k = 0; k < group->population_count; k++) member = member || !strcmp(group->population[k], p->name);
    if (member && p->crowd.def.model != &th_model_biocrowds)
      warn(f, "/groups/%u/align: it moves agents of the model biocrowds, not \"%.60s\" with %s", g, p->name,
           p->crowd.def.model->name);
    else if (member && p->crowd.stop_count && !group->area_count && !group->image.file)
      warn(f, "/groups/%u/align: \"%.60s\" has a route, but agents in a line hardly leave their place", g, p->name);
  }
}

static void find_idle_parts(th_findings *f, float duration) {
  for (uint32_t i = 0; i < f->scene->group_count; i++)
    if (!f->scene->group[i].population_count) warn(f, "/groups/%u: it has no populations: nobody is in it", i);
  for (uint32_t i = 0; i < f->scene->group_count; i++) find_idle_alignment(f, i);
  for (uint32_t i = 0; i < f->scene->source_count; i++)
    if (f->scene->source[i].def.begin >= duration)
      warn(f, "/sources/%u: \"%.60s\" begins at %g s, when the run has ended at %g s: nobody comes", i,
           f->scene->source[i].name, (double)f->scene->source[i].def.begin, (double)duration);
  if (f->scene->recording.every > duration)
    warn(f, "/recording/every: %g s is longer than the run of %g s: there is one frame, and no paths to draw",
         (double)f->scene->recording.every, (double)duration);
}

static void tell_speed(th_findings *f, const char *list, uint32_t i, const th_scene_crowd *crowd) {
  const float speed = th_scene_spread(&crowd->spread.speed, crowd->def.speed).max;
  if (crowd->def.people && speed > FASTEST)
    warn(f, "/%s/%u/speed: nobody runs at %g m/s: are these metres per second?", list, i, (double)speed);
}

/* Numbers that a run takes and that no crowd has. */
static void find_odd_numbers(th_findings *f) {
  for (uint32_t i = 0; i < f->scene->population_count; i++)
    tell_speed(f, "populations", i, &f->scene->population[i].crowd);
  for (uint32_t i = 0; i < f->scene->source_count; i++) tell_speed(f, "sources", i, &f->scene->source[i].crowd);
  if (f->scene->world.dt > COARSE)
    warn(f, "/dt: people see each other in steps of %g s: above %g s they come late", (double)f->scene->world.dt,
         (double)COARSE);
}

static void find_walled_sources(th_findings *f, th_run *run) {
  for (uint32_t i = 0; i < f->scene->source_count; i++) {
    const th_scene_source *source = &f->scene->source[i];
    th_spots *spots;
    th_vec3 spot;
    float radius = th_scene_spread(&source->crowd.spread.radius, source->crowd.def.radius).min;
    if (th_spots_make(NULL, th_world_ground(th_run_world(run)), 1, radius, &spots, NULL)) return;
    if (th_spots_find(spots, &source->region, radius, th_run_seed(run), &spot))
      warn(f,
           "/sources/%u/region: \"%.60s\" has no spot where a body of radius %g m keeps clear of walls: nobody comes",
           i, source->name, (double)radius);
    th_spots_free(spots);
  }
}

static void find_mended(th_findings *f, const th_ground *ground) {
  const th_mesh *mesh = th_ground_mesh(ground);
  char text[TH_MEND_ROOM];
  for (int kind = 0; mesh && kind < TH_MESH_NOTES; kind++)
    if (kind != TH_MESH_UNUSED && th_cli_mended(mesh, (th_mesh_note_kind)kind, text)) warn(f, "/ground/mesh: %s", text);
}

static void find_risers(th_findings *f, const th_ground *ground) {
  const th_mesh *mesh = th_ground_mesh(ground);
  th_vec3 at;
  const uint32_t count = mesh ? th_cli_risers(mesh, &at) : 0;
  if (count >= STEP_EDGES)
    warn(f,
         "/ground/mesh: it has steps with risers (%u edges of them, one at %.2f, %.2f, %.2f): people walk up their "
         "fronts as well, so paths are longer and bodies overlap; a slope instead, as `stairs` of a building are, has "
         "neither",
         count, (double)at.x, (double)at.y, (double)at.z);
}

void th_findings_at_start(th_findings *f, th_run *run) {
  const th_ground *ground = th_world_ground(th_run_world(run));
  tell_large(f, ground);
  if (f->deep || !is_large(ground)) find_passages(f, ground);
  find_late_events(f, th_run_duration(run));
  find_aimless(f);
  find_stacked(f, run);
  find_cut_regions(f, ground);
  find_walled_sources(f, run);
  find_idle_measures(f, ground);
  find_idle_parts(f, th_run_duration(run));
  find_odd_numbers(f);
  find_mended(f, ground);
  find_risers(f, ground);
}

/* ---------------------------------------------------------------- later */

/* An agent with a strength of its own uses a field of its own, which only its state has; without determinism a field
 * may come later. */
static bool is_lost(th_run *run, const th_agents *agents, uint32_t i, const th_scene_crowd *crowd, bool realtime) {
  const th_ground *ground = th_world_ground(th_run_world(run));
  bool mesh = th_ground_mesh(ground) != NULL; /* there x and y are in a face's frame */
  if (crowd->def.eps > 0 || mesh || realtime) return agents->state[i] == TH_AGENT_LOST;
  th_vec3 from = th_ground_point(ground, (th_place){agents->cell[i], agents->x[i], agents->y[i]});
  const uint32_t choice = crowd->stop[0].choice;
  const th_scene_choice *options = choice == UINT32_MAX ? NULL : &th_run_scene(run)->choice[choice];
  const uint32_t count = options ? options->option_count : 1;
  for (uint32_t k = 0; k < count; k++) {
    const th_goal_id goal = th_run_goal(run, options ? options->option[k].index : crowd->stop[0].goal);
    if (!isinf(th_world_distance(th_run_world(run), from, goal, agents->radius[i]))) return false;
  }
  return true;
}

void th_findings_of_paths(th_findings *f, th_run *run) {
  th_agents agents = th_world_agents(th_run_world(run));
  for (uint32_t p = 0; p < f->scene->population_count; p++) {
    const th_scene_crowd *crowd = &f->scene->population[p].crowd;
    uint32_t lost = 0, all = 0;
    for (uint32_t i = 0; i < agents.count && crowd->stop_count; i++) {
      if (th_run_population(run, agents.id[i]) != p) continue;
      all++;
      lost += is_lost(run, &agents, i, crowd, f->scene->world.realtime);
    }
    if (lost) find_passages(f, th_world_ground(th_run_world(run))); /* one may be the reason */
    if (lost)
      warn(f, "/populations/%u: %u of %u agents have no path to \"%.60s\" at the start", p, lost, all,
           crowd->stop[0].name);
  }
}

/* How many agents a source should have brought by now. */
static double owed(const th_source_def *source, double now) {
  double seconds = fmin((double)source->end, now) - (double)source->begin;
  double due = floor(fmax(0.0, (double)source->rate * seconds));
  return source->total ? fmin(due, source->total) : due;
}

void th_findings_at_end(th_findings *f, th_run *run) {
  const th_world *world = th_run_world(run);
  th_source_id *id = calloc((size_t)f->scene->source_count + 1, sizeof *id);
  uint32_t count = id ? th_world_sources(world, id, f->scene->source_count) : 0; /* none was removed */
  for (uint32_t i = 0; i < count && i < f->scene->source_count; i++) {
    const th_scene_source *source = &f->scene->source[i];
    uint32_t brought = th_world_source_emitted(world, id[i]);
    double due = owed(&source->def, th_world_time(world));
    if (due - brought > 1.0)
      warn(f, "/sources/%u: \"%.60s\" brought %u of %.0f agents: there was no free spot in its region", i, source->name,
           brought, due);
  }
  free(id);
}

void th_findings_of_numbers(th_findings *f, const th_summary *worst) {
  if (worst->worst_overlap > (double)TOLERATED)
    warn(f, "bodies overlapped by up to %.0f %% of their width: flows of such a crowd are too high, times too short",
         100 * worst->worst_overlap);
}
