/* apps/throng/check.c - `throng check`: all checks that need no run.
 *
 * After the scene is read and the world is made, the edits of all events are applied to the ground one after another;
 * findings.c finds what is probably not meant and, after two steps, when fields exist, agents without a path. Findings
 * are warnings; only what would stop a run is an error.
 */
#include <stdio.h>

#include "base/error.h"
#include "cli.h"
#include "io/scene/world.h"

/* Applies every edit in order, as the run will. */
static th_result try_edits(const th_scene *scene, th_error *error) {
  th_ground *ground, *next;
  th_result result = th_scene_make_ground(scene, &ground, error);
  if (result != TH_OK) return result;
  for (uint32_t i = 0; i < scene->event_count && result == TH_OK; i++) {
    const th_scene_event *event = &scene->event[i];
    if (!th_scene_event_is_edit(event)) continue;
    th_region region;
    th_edit edit = th_scene_event_edit(scene, event, &region);
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

/* Told before anybody asks for them: what all fields along edges would take, where a goal has such a field. */
static void tell_fields(const th_scene *scene, const char *path, const th_ground *ground) {
  uint32_t goals = 0;
  for (uint32_t i = 0; i < scene->goal_count; i++) goals += scene->goal[i].def.field == TH_FIELD_EDGES;
  if (!scene->ground.mesh || !goals) return;
  printf("%s: all fields along edges take %.1f MiB, 4 bytes times the square of %u vertices (ground.mesh.all_fields)\n",
         path, (double)th_fields_bytes(ground) / 1048576.0, th_ground_mesh(ground)->vertex_count);
}

static th_result check(const th_options *options, const char *path, json_t *warnings, th_error *error) {
  th_scene *scene;
  th_result result = th_cli_scene(options, path, &scene, error);
  if (result != TH_OK) return result;
  th_findings findings = {options->json ? NULL : stdout, "", scene, warnings, true, false};
  th_run *run = NULL;
  result = th_run_make(&(th_run_def){.scene = scene}, &run, error);
  if (result == TH_OK) result = try_edits(scene, error);
  if (result == TH_OK) {
    th_findings_at_start(&findings, run);
    th_world_step(th_run_world(run));
    th_world_step(th_run_world(run));
    th_findings_of_paths(&findings, run);
    if (!options->quiet && !options->json) {
      printf("%s: good: %u goals, %u populations, %u sources, %u events, up to %u agents\n", path, scene->goal_count,
             scene->population_count, scene->source_count, scene->event_count, th_scene_agents(scene));
      tell_fields(scene, path, th_world_ground(th_run_world(run)));
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
    json_t *warnings = json_array();
    th_error error = {0};
    th_result result = check(options, options->argument[i], warnings, &error);
    json_t *row =
        json_pack("{s:s, s:b, s:o}", "file", options->argument[i], "good", result == TH_OK, "warnings", warnings);
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
