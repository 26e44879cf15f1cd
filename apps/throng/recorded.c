/* apps/throng/recorded.c - `throng report`: the numbers of a recording that exists, ours or another program's.
 *
 * The numbers of a run are those that the run has counted. A scene that is given has lines and areas of its own: one
 * can measure a recording at places that nobody thought of when it was made, from its frames. Cost: the recording is
 * read once.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli.h"
#include "throng/text.h"

/* The scene that tells what to measure; NULL when there is none. */
static th_result find_scene(const th_options *options, th_scene **scene, th_error *error) {
  *scene = NULL;
  if (options->argument_count > 1) return th_cli_scene(options, options->argument[1], scene, error);
  const th_tracks_def def = {.path = options->argument[0]};
  th_error none = {0};
  char *text = NULL;
  if (th_recording_read_scene(&def, &text, &none) != TH_OK) return TH_OK;
  if (th_scene_parse(text, strlen(text), scene, &none) != TH_OK) *scene = NULL; /* of another version */
  th_text_free(text);
  return TH_OK;
}

static int write_report(const th_options *options, const th_tracks *tracks, const th_metrics *metrics) {
  th_error error = {0};
  const uint64_t seed = tracks->seed;
  th_report_def def = {.scene = tracks->name, .seed = &seed, .run = &metrics, .run_count = 1};
  char *text = NULL;
  th_result result = th_report_text(&def, &text, &error);
  if (result == TH_OK && options->out) result = th_cli_write_text(options->out, text, &error);
  int code = result == TH_OK ? TH_EXIT_OK : th_cli_fail(&error, th_cli_output_code(result));
  if (result == TH_OK && options->json) code = th_cli_print_json(json_loads(text, 0, NULL));
  if (result == TH_OK && options->out && !options->json && !options->quiet) printf("%s\n", options->out);
  th_text_free(text);
  return code;
}

static int report(const th_options *options, const th_scene *scene, const th_tracks *tracks) {
  th_error error = {0};
  th_metrics *metrics = NULL;
  th_result result = th_measures_of(tracks, scene, options->argument_count > 1, &metrics, &error);
  if (result != TH_OK) return th_cli_fail(&error, th_cli_code(result));
  if (!options->json && !options->quiet) {
    const th_summary sum = th_metrics_summary(metrics);
    printf("%s: %u agents, %.1f s\n", options->argument[0], sum.agents, sum.duration);
    th_measures_print(metrics, scene);
  }
  int code = write_report(options, tracks, metrics);
  th_metrics_free(metrics);
  return code;
}

int th_command_report(const th_options *options) {
  th_error error = {0};
  th_scene *scene;
  th_tracks tracks = {0};
  th_result result = th_cli_tracks(options->argument[0], &tracks, &error);
  if (result != TH_OK) return th_cli_fail(&error, th_cli_code(result));
  result = find_scene(options, &scene, &error);
  int code = result == TH_OK ? report(options, scene, &tracks) : th_cli_fail(&error, th_cli_code(result));
  th_scene_free(scene);
  th_tracks_free(&tracks);
  return code;
}
