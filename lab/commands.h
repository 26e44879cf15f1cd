/* lab/commands.h - subcommands of throng_lab that throng does not have. */
#ifndef TH_LAB_COMMANDS_H
#define TH_LAB_COMMANDS_H

#include "cli.h"

int th_command_reproduce(const th_options *options);

#endif
