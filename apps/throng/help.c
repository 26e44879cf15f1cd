/* apps/throng/help.c - the list of subcommands, and the options of one. */
#include <stdio.h>

#include "cli.h"

static int list_all(void) {
  const th_program *program = &th_this_program;
  printf("%s %s - %s\n\nUsage: %s COMMAND [ARGUMENTS] [OPTIONS]\n\n", program->name, th_version(), program->summary,
         program->name);
  for (const th_command *c = program->command; c->name; c++) {
    char head[40];
    snprintf(head, sizeof head, "%s %s", c->name, c->arguments);
    printf("  %-24s %s\n", head, c->summary);
  }
  printf(
      "\n%s\n"
      "Exit codes: 0 good, 1 an expectation failed, 2 wrong command line, 3 wrong input,\n"
      "4 memory, disk or permissions, 130 interrupted (what was written is complete)\n",
      program->steps);
  return TH_EXIT_OK;
}

int th_command_help(const th_options *options) {
  if (options->argument_count == 0) return list_all();
  const th_command *command = th_command_find(options->argument[0]);
  if (!command) return th_cli_usage(NULL, "unknown command \"%s\"", options->argument[0]);
  printf("%s %s %s - %s\n\n", th_this_program.name, command->name, command->arguments, command->summary);
  if (*command->text) printf("%s\n\n", command->text);
  printf("Options:\n");
  th_options_print(command);
  return TH_EXIT_OK;
}
