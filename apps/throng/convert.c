/* apps/throng/convert.c - `throng convert`: recording to CSV and back, by the endings of the names. */
#include <stdio.h>
#include <string.h>

#include "cli.h"

static bool is_recording(const char *path) { return th_cli_ends(path, ".sqlite") || th_cli_ends(path, ".db"); }

int th_command_convert(const th_options *options) {
  const char *from = options->argument[0], *to = options->argument[1];
  bool csv = th_cli_ends(to, ".csv");
  if (!csv && !is_recording(to)) {
    return th_cli_usage("convert", "expected a name that ends in .sqlite, .db or .csv, found \"%s\"", to);
  }
  th_tracks tracks;
  th_error error = {0};
  th_result result = th_cli_tracks(from, &tracks, &error);
  if (result != TH_OK) return th_cli_fail(&error, th_cli_code(result));
  result = csv ? th_csv_write(&tracks, to, &error) : th_tracks_record(&tracks, to, &error);
  uint32_t agents = tracks.track_count, samples = tracks.sample_count;
  th_tracks_free(&tracks);
  if (result != TH_OK) return th_cli_fail(&error, TH_EXIT_ENVIRONMENT);
  if (!options->quiet) printf("%s: %u agents, %u places\n", to, agents, samples);
  return TH_EXIT_OK;
}
