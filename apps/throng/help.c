/* apps/throng/help.c - the list of subcommands, and the options of one. */
#include <stdio.h>

#include "cli.h"

const th_exit_row th_exit_rows[] = {
    {TH_EXIT_OK, "good"},
    {TH_EXIT_FAILED, "an expectation failed"},
    {TH_EXIT_USAGE, "wrong command line"},
    {TH_EXIT_INPUT, "wrong input"},
    {TH_EXIT_ENVIRONMENT, "memory, disk or permissions"},
    {TH_EXIT_INTERRUPTED, "interrupted (what was written is complete)"},
    {0, NULL},
};

static int list_all(void) {
  const th_program *program = &th_this_program;
  printf("%s %s - %s\n\nUsage: %s COMMAND [ARGUMENTS] [OPTIONS]\n\n", program->name, th_version(), program->summary,
         program->name);
  for (const th_command *c = program->command; c->name; c++) {
    char head[40];
    snprintf(head, sizeof head, "%s %s", c->name, c->arguments);
    printf("  %-24s %s\n", head, c->summary);
  }
  printf("\n%s\nExit codes:", program->steps);
  for (const th_exit_row *row = th_exit_rows; row->text; row++)
    printf("%c%d %s%s", row->code == TH_EXIT_ENVIRONMENT ? '\n' : ' ', row->code, row->text, row[1].text ? "," : "\n");
  return TH_EXIT_OK;
}

int th_command_help(const th_options *options) {
  if (options->man) return th_manual_print(), TH_EXIT_OK;
  if (options->argument_count == 0) return list_all();
  const th_command *command = th_command_find(options->argument[0]);
  if (!command) return th_cli_usage(NULL, "unknown command \"%s\"", options->argument[0]);
  printf("%s %s %s - %s\n\n", th_this_program.name, command->name, command->arguments, command->summary);
  if (*command->text) printf("%s\n\n", command->text);
  printf("Options:\n");
  th_options_print(command);
  return TH_EXIT_OK;
}
