/* apps/throng/new.c - `throng new`: a starter scene that passes `check`. */
#include <stdio.h>

#include "base/platform/file.h"
#include "cli.h"

static const char *const starter[] = {
    "{",
    "  \"version\": 1,",
    "  \"name\": \"first\",",
    "  \"description\": \"Two groups leave a hall through one opening. Lengths are metres, times seconds.\",",
    "",
    "  \"ground\": {",
    "    \"outline\": [{\"rectangle\": [[0, 0], [24, 12]]}],",
    "    \"obstacles\": [",
    "      {\"rectangle\": [[14, 0], [14.5, 4.5]]},",
    "      {\"rectangle\": [[14, 7.5], [14.5, 12]]},",
    "      {\"name\": \"pillar\", \"disc\": {\"centre\": [19, 6], \"radius\": 0.8}}",
    "    ]",
    "  },",
    "",
    "  \"goals\": [",
    "    {\"name\": \"exit\", \"line\": [[23.5, 2], [23.5, 10]], \"sink\": true}",
    "  ],",
    "",
    "  \"populations\": [",
    "    {\"name\": \"walkers\", \"model\": \"orca\", \"count\": 30, \"region\": {\"rectangle\": [[1, 1], [6, 11]]},",
    "     \"speed\": {\"mean\": 1.34, \"spread\": 0.2}, \"radius\": {\"from\": 0.2, \"to\": 0.25},",
    "     \"route\": [\"exit\"]},",
    "    {\"name\": \"runners\", \"model\": \"orca\", \"count\": 5,",
    "     \"region\": {\"disc\": {\"centre\": [9, 6], \"radius\": 2}},",
    "     \"speed\": 2.5, \"route\": [\"exit\"], \"delay\": {\"from\": 0, \"to\": 3}}",
    "  ],",
    "",
    "  \"measure\": {\"lines\": [{\"name\": \"opening\", \"from\": [14.25, 4.5], \"to\": [14.25, 7.5]}]},",
    "",
    "  \"duration\": 120,",
    "  \"expect\": {\"arrived\": 35, \"lost\": 0}",
    "}",
};

int th_command_new(const th_options *options) {
  const char *path = options->argument_count ? options->argument[0] : "scene.json";
  if (!options->force && th_file_look(path) != TH_FILE_NOTHING) {
    fprintf(stderr, "throng: %s is there already; give another name, or --force to replace it\n", path);
    return TH_EXIT_ENVIRONMENT;
  }
  char text[4096];
  size_t used = 0;
  for (size_t i = 0; i < sizeof starter / sizeof *starter; i++) {
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i ? "\n" : "", starter[i]);
  }
  th_error error = {0};
  if (th_cli_write_text(path, text, &error) != TH_OK) return th_cli_fail(&error, TH_EXIT_ENVIRONMENT);
  if (!options->quiet) printf("%s\nNext: throng check %s, then throng run %s\n", path, path, path);
  return TH_EXIT_OK;
}
