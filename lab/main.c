/* lab/main.c - the program `throng_lab`: the laboratory, which is built beside `throng` and never installed.
 *
 * It re-runs published experiments. Its subcommands work like those of `throng` (apps/throng/program.c).
 */
#include "lab/commands.h"

static const th_command commands[] = {
    {"reproduce", "[NAME]", "re-run published experiments", "json quiet out film seeds", 0, 1, th_command_reproduce,
     "Lists each experiment with measured value, band, published value and verdict. Exit code 1 when one is missing\n"
     "or fails without a reason. --seeds is for the experiments of biocrowds, which run 20 otherwise."},
    {"help", "[COMMAND]", "this text, or the options of a command", "", 0, 1, th_command_help, ""},
    {NULL, NULL, NULL, NULL, 0, 0, NULL, NULL},
};

const th_program th_this_program = {"throng_lab", "published experiments, run again",
                                    "First steps:\n  throng_lab reproduce          the list of experiments\n"
                                    "  throng_lab reproduce bvp.E13  one of them; figures in out/reproduce\n",
                                    commands};

int main(int argc, char **argv) { return th_program_run(argc, argv); }
