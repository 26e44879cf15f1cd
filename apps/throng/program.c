/* apps/throng/program.c - finds the subcommand of a command line and runs it; for every program that has subcommands.
 *
 * The table of subcommands is the program's own (th_this_program): `throng` has one in main.c, `throng_lab` another.
 */
#include <stdio.h>
#include <string.h>

#include "base/platform/compiler.h"
#include "cli.h"
#include "io/json.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TH_ADDRESS_SANITIZER
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define TH_ADDRESS_SANITIZER
#endif
#ifdef TH_ADDRESS_SANITIZER
/* fontconfig keeps a pattern of its own after the last font is gone. The sanitizer asks by these names, from outside.
 */
TH_VISIBLE const char *__lsan_default_suppressions(void);
TH_VISIBLE const char *__lsan_default_options(void);
const char *__lsan_default_suppressions(void) { return "leak:libfontconfig"; }
const char *__lsan_default_options(void) { return "print_suppressions=0"; }
#endif

const th_command *th_command_find(const char *name) {
  for (const th_command *c = th_this_program.command; c->name; c++) {
    if (strcmp(c->name, name) == 0) return c;
  }
  return NULL;
}

static int unknown(const char *name) {
  const char *hint = NULL;
  uint32_t best = 3;
  for (const th_command *c = th_this_program.command; c->name; c++) {
    uint32_t distance = th_json_distance(name, c->name);
    if (distance >= best) continue;
    best = distance;
    hint = c->name;
  }
  return th_cli_usage(NULL, "unknown command \"%s\"%s%s%s", name, hint ? "; did you mean \"" : "", hint ? hint : "",
                      hint ? "\"?" : "");
}

int th_program_run(int argc, char **argv) {
  th_options options = {0};
  if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
    int code = th_command_help(&options);
    return argc < 2 ? TH_EXIT_USAGE : code;
  }
  if (strcmp(argv[1], "--version") == 0) {
    printf("%s %s\n", th_this_program.name, th_version());
    return TH_EXIT_OK;
  }
  const th_command *command = th_command_find(argv[1]);
  if (!command) return unknown(argv[1]);
  int code = th_options_read(command, argc - 1, argv + 1, &options);
  return code >= 0 ? code : command->run(&options);
}
