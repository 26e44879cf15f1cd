/* lab/main.c - the program `throng_lab`: the laboratory, which is built beside `throng` and never installed.
 *
 * It re-runs published experiments, and it runs scenes whose goals name a published relaxation (planner.c). Its
 * subcommands work like those of `throng` (apps/throng/program.c).
 */
#include "lab/commands.h"
#include "lab/planner.h"

static const th_command commands[] = {
    {"reproduce", "[NAME]", "re-run published experiments", "json quiet out film seeds", 0, 1, th_command_reproduce,
     "Lists each experiment with measured value, band, published value and verdict. Exit code 1 when one is missing\n"
     "or fails without a reason. --seeds is for the experiments of biocrowds, which run 20 otherwise."},
    {"run", "SCENE", "as throng run; goals may name a published relaxation",
     "out log trace seed seeds duration set workers simd json quiet no-expect", 1, 1, th_command_run,
     "Beside those of throng, goals with a harmonic field have the keys method (direct, jacobi, seidel, alternating,\n"
     "sor), storage (u, p), precision (double, float), sweeps and omega."},
    {"field", "SCENE", "as throng field, with the same keys",
     "goal radius out width camera lens zoom stretch thesis edges cut-away set json quiet", 1, 1, th_command_field,
     "Draws the field that leads to --goal (default: the first goal) to --out (default field.png)."},
    {"path", "SCENE", "as throng path, with the same keys",
     "goal from radius corners out width camera lens zoom stretch thesis edges cut-away set json quiet", 1, 1,
     th_command_path,
     "Prints the points of the path from --from X,Y to --goal, one per line; with --out also draws it."},
    {"help", "[COMMAND]", "this text, or the options of a command", "man", 0, 1, th_command_help, ""},
    {NULL, NULL, NULL, NULL, 0, 0, NULL, NULL},
};

const th_program th_this_program = {"throng_lab", "published experiments, run again",
                                    "First steps:\n  throng_lab reproduce          the list of experiments\n"
                                    "  throng_lab reproduce bvp.E13  one of them; figures in out/reproduce\n",
                                    commands, &th_lab_planner};

int main(int argc, char **argv) { return th_program_run(argc, argv); }
