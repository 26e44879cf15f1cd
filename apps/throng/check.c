/* apps/throng/check.c - `throng check`: all checks that need no run.
 *
 * After the scene is read and the world is made, the edits of all events are applied to the ground one after another,
 * passages that the raster closes are named, and each population's first path is looked up after one step, when fields
 * exist. Findings are warnings; only a finding that would stop a run is an error.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli.h"
#include "io/scene/world.h"

typedef struct findings {
  const th_options *options;
  json_t *warnings;
  uint32_t count;
} findings;

static void warn(findings *f, const char *path, const char *text) {
  f->count++;
  json_array_append_new(f->warnings, json_string(text));
  if (!f->options->json) printf("%s: warning: %s\n", path, text);
}

/* Applies every edit in order, as the run will. */
static th_result try_edits(const th_scene *scene, th_error *error) {
  th_ground *ground, *next;
  th_result result = th_scene_make_ground(scene, NULL, &ground, error);
  if (result != TH_OK) return result;
  for (uint32_t i = 0; i < scene->event_count && result == TH_OK; i++) {
    const th_scene_event *event = &scene->event[i];
    if (event->act < TH_ACT_OPEN || event->act > TH_ACT_REMOVE) continue;
    th_region region;
    th_edit edit = th_scene_edit(scene, event, &region);
    th_error found = {0};
    result = th_ground_edit(ground, &edit, 1, &next, &found);
    if (result != TH_OK) {
      char pointer[32];
      snprintf(pointer, sizeof pointer, "/events/%u", event->order);
      th_scene_fail(scene, error, result, pointer, "%s", found.text);
      break;
    }
    th_ground_release(ground);
    ground = next;
  }
  th_ground_release(ground);
  return result;
}

static void find_passages(findings *f, const th_scene *scene, const th_ground *ground) {
  enum { MAX = 8 };
  th_passage passage[MAX];
  uint32_t count = th_ground_passages(ground, passage, MAX);
  char text[200];
  for (uint32_t i = 0; i < count && i < MAX; i++) {
    snprintf(text, sizeof text,
             "/ground: a passage of %.2f m at %.2f, %.2f is open, but the raster closes it for a radius of %.2f m; "
             "a smaller cell opens it",
             (double)passage[i].width, (double)passage[i].x, (double)passage[i].y,
             (double)scene->ground.def.radius_class[passage[i].radius_class]);
    warn(f, scene->path, text);
  }
  if (count > MAX) {
    snprintf(text, sizeof text, "/ground: %u more such passages", count - MAX);
    warn(f, scene->path, text);
  }
}

/* An agent with a strength of its own uses a field of its own, which only its state has. */
static bool is_lost(th_run *run, const th_agents *agents, uint32_t i, const th_scene_crowd *crowd) {
  bool mesh = th_ground_mesh(th_world_ground(th_run_world(run))) != NULL; /* there x and y are in a face's frame */
  if (crowd->def.eps > 0 || mesh) return agents->state[i] == TH_AGENT_LOST;
  const th_ground *ground = th_world_ground(th_run_world(run));
  th_vec3 from = th_ground_point(ground, (th_place){agents->cell[i], agents->x[i], agents->y[i]});
  th_goal_id goal = th_run_goal(run, crowd->stop[0].goal);
  return isinf(th_world_distance(th_run_world(run), from, goal, agents->radius[i]));
}

static void find_lost(findings *f, const th_scene *scene, th_run *run) {
  th_agents agents = th_world_agents(th_run_world(run));
  for (uint32_t p = 0; p < scene->population_count; p++) {
    const th_scene_crowd *crowd = &scene->population[p].crowd;
    uint32_t lost = 0, all = 0;
    for (uint32_t i = 0; i < agents.count && crowd->stop_count; i++) {
      if (th_run_population(run, agents.id[i]) != p) continue;
      all++;
      lost += is_lost(run, &agents, i, crowd);
    }
    char text[240];
    snprintf(text, sizeof text, "/populations/%u: %u of %u agents have no way to \"%.60s\" at the start", p, lost, all,
             crowd->stop_count ? crowd->stop[0].name : "");
    if (lost) warn(f, scene->path, text);
  }
}

static th_result check(findings *f, const char *path, th_error *error) {
  th_scene *scene;
  th_result result = th_cli_scene(f->options, path, &scene, error);
  if (result != TH_OK) return result;
  th_run *run = NULL;
  result = th_run_make(&(th_run_def){.scene = scene}, &run, error);
  if (result == TH_OK) result = try_edits(scene, error);
  if (result == TH_OK) {
    find_passages(f, scene, th_world_ground(th_run_world(run)));
    th_world_step(th_run_world(run));
    th_world_step(th_run_world(run));
    find_lost(f, scene, run);
    if (!f->options->quiet && !f->options->json) {
      printf("%s: good: %u goals, %u populations, %u sources, %u events, up to %u agents\n", path, scene->goal_count,
             scene->population_count, scene->source_count, scene->event_count, th_scene_agents(scene));
    }
  }
  th_run_free(run);
  th_scene_free(scene);
  return result;
}

int th_command_check(const th_options *options) {
  json_t *results = json_array();
  int code = TH_EXIT_OK;
  for (uint32_t i = 0; i < options->argument_count; i++) {
    findings f = {options, json_array(), 0};
    th_error error = {0};
    th_result result = check(&f, options->argument[i], &error);
    json_t *row =
        json_pack("{s:s, s:b, s:o}", "file", options->argument[i], "good", result == TH_OK, "warnings", f.warnings);
    if (result != TH_OK) {
      code = th_cli_fail(&error, th_cli_code(result));
      json_object_set_new(row, "error", json_string(error.text));
      json_object_set_new(row, "line", json_integer(error.line));
      json_object_set_new(row, "column", json_integer(error.column));
    }
    json_array_append_new(results, row);
  }
  if (!options->json) {
    json_decref(results);
    return code;
  }
  int printed = th_cli_print_json(json_pack("{s:o}", "results", results));
  return code ? code : printed;
}
