/* apps/throng/main.c - the program `throng`: a table of subcommands.
 *
 * A new subcommand needs a row here and a file of its own. Options are declared once in options.c; a row names those
 * that it takes.
 */
#include <stdio.h>
#include <string.h>

#include "cli.h"

static const th_command commands[] = {
    {"run", "SCENE", "run a scene; write trajectory, figures and report",
     "out log trace seed seeds duration set do interactive episode workers simd json quiet no-figures no-expect", 1, 1,
     th_command_run,
     "Writes trajectory.sqlite, figure.png, figure.svg and report.json to the folder of --out (default out/NAME).\n"
     "Files of an earlier run are replaced only when this one has succeeded. With --seeds the recording and the\n"
     "figures show the first seed, the report covers all. Exit code 1 when the scene's expect block is not met.\n"
     "With --interactive nothing is written but --episode: each line is an event, which happens now, or one of\n"
     "{\"steps\": N}, {\"go_to\": STEP}, {\"state\": true}; each is answered by one line (docs/cli.md)."},
    {"replay", "EPISODE", "run an episode again and compare its hashes", "workers simd json quiet", 1, 1,
     th_command_replay,
     "Runs a scene that --episode wrote, with everything that was done by hand, and compares the hash of the world at\n"
     "each of its marks. Exit code 1 at the first that differs."},
    {"check", "SCENE...", "read scenes, try everything that can be tried without running", "set json quiet", 1, 64,
     th_command_check,
     "Reads the scene, makes ground, goals and agents, applies the edits of its events, looks for passages that the\n"
     "raster closes or tells by few cells and for populations that cannot reach their goals."},
    {"info", "[FILE...]", "what a scene, a recording or a mesh file holds", "json schema models people traces make set",
     0, 64, th_command_info,
     "--schema prints the JSON schema of scenes, --models every model with its parameters, --people those of people\n"
     "and where they come from, --traces what models and guides publish about decisions, --make the meshes that "
     "scenes\n"
     "and convert can make."},
    {"new", "[FILE]", "write a starter scene", "force quiet", 0, 1, th_command_new,
     "Writes a small scene with comments in its description (default scene.json). Never replaces a file unless\n"
     "--force is given."},
    {"save", "SCENE", "write a scene again, with --set in another place", "out set time seed workers force quiet", 1, 1,
     th_command_save,
     "Writes the scene to --out (default: prints it) as a person would: what is not default, in the order of the\n"
     "documentation, names of files as they are from the new folder. It runs as SCENE does, to the bit. Never "
     "replaces\n"
     "a file unless --force is given. With --time the scene is run until then, and the world as it stands becomes the\n"
     "beginning of a new scene; what no scene can hold of it is told on standard error."},
    {"pack", "SCENE", "a scene and all that it names in one file", "out quiet", 1, 1, th_command_pack,
     "Writes --out (default NAME.pack): the scene with its meshes, images, buildings and markers, decoded. It is read\n"
     "wherever a scene is, gives the same results, and may stand in a page as it is."},
    {"view", "SCENE", "a scene as a page that any browser opens", "out no-open quiet", 1, 1, th_command_view,
     "Writes --out (default NAME.html), one file with page, engine and scene, and opens it. It needs no network and\n"
     "may be mailed."},
    {"field", "SCENE", "picture of a goal's field with streamlines",
     "goal radius out width camera lens zoom stretch thesis edges cut-away set json quiet", 1, 1, th_command_field,
     "Draws the field that leads to --goal (default: the first goal) to --out (default field.png)."},
    {"path", "SCENE", "path from a point to a goal",
     "goal from radius corners out width camera lens zoom stretch thesis edges cut-away set json quiet", 1, 1,
     th_command_path,
     "Prints the points of the path from --from X,Y to --goal, one per line; with --out also draws it."},
    {"explored", "SCENE", "picture of what explorers saw, and when",
     "time out seed duration width camera lens zoom stretch edges cut-away set json quiet", 1, 1, th_command_explored,
     "Runs the scene up to --time (default: until nobody explores any more) and draws to --out (default explored.png) "
     "when the explorers "
     "of\n"
     "its guides saw each part of the ground first, with their paths; grey is what nobody has seen."},
    {"plot", "RECORDING", "figure of a recording",
     "out colour density bodies time trail trace marks width camera lens zoom stretch thesis edges cut-away quiet", 1,
     1, th_command_plot, "Draws to --out (default: beside the recording, .png; also .svg and .pdf)."},
    {"film", "RECORDING", "film of a recording",
     "out colour fps speed trail trace width camera lens zoom stretch thesis edges cut-away quiet", 1, 1,
     th_command_film,
     "Needs ffmpeg for .mp4, .webm and .gif; without it, or when --out ends in /, writes frames as PNG files."},
    {"compare", "FILE FILE...", "recordings in one figure; two reports over seeds", "out colour width json quiet", 2,
     16, th_command_compare,
     "Draws recordings on one scale to --out (default compare.png), with their numbers. Of two report.json of runs "
     "with\n"
     "--seeds it tells which numbers differ, by how much, and how likely chance alone is: runs of one seed are "
     "compared\n"
     "where both have the same seeds, and the verdicts hold for all numbers together (5 %, Holm)."},
    {"report", "RECORDING [SCENE]", "the numbers of a recording", "out set json quiet", 1, 2, th_command_report,
     "Arrivals, speeds, overlaps, and what the lines and areas of SCENE (default: the scene that the recording holds)\n"
     "count. The recording may be another program's. --out writes report.json as run does."},
    {"convert", "FROM TO", "recording to CSV and back; mesh to OBJ or PLY; plan to scene",
     "trace layers unit force quiet", 2, 2, th_command_convert,
     "The endings decide: .sqlite (or .db) and .csv for recordings; .obj and .ply for meshes, FROM a mesh file, a "
     "scene\n"
     "on mesh ground (.json), a recording of one, or a mesh to make: planet or planet,radius=20,level=4. A plan\n"
     "(.geojson, .wkt; .dxf and others through ogr2ogr) becomes a scene (.json): --layers tells which layer is what,\n"
     "--unit what it measures in. A scene that is there is replaced with --force only."},
    {"validate", "[TEST...]", "published tests of crowds, for every model", "model seeds set out json quiet", 0, 64,
     th_command_validate,
     "Runs RiMEA's and NIST's tests, Weidmann's diagram, Seyfried's bottlenecks and readings of conduct, for seeds 1 "
     "to\n"
     "20 unless --seeds names others, and writes a page with figures to the folder of --out (default out/validation),\n"
     "beside the results of earlier calls. TEST is a name such as nist.5.2, its beginning (rimea, nist.2), or quick.\n"
     "Published bands and ours are judged apart, by the 95 % interval of the mean: holds, misses, or undecided. Exit\n"
     "code 1 when the default model, or that of --model, misses a band of ours."},
    {"bench", "[PREFIX]", "benchmarks", "json", 0, 1, th_command_bench, "Only names that begin with PREFIX."},
    {"help", "[COMMAND]", "this text, or the options of a command", "man", 0, 1, th_command_help, ""},
    {NULL, NULL, NULL, NULL, 0, 0, NULL, NULL},
};

const th_program th_this_program = {
    "throng", "crowds of virtual people on any ground",
    "First steps:\n  throng new my.json        a small scene to edit\n  throng check my.json      is it right?\n"
    "  throng run my.json        trajectories, figures, numbers in out/\n",
    commands, NULL};

/* It was a subcommand once. */
static int tell_of_lab(void) {
  fprintf(stderr, "throng: published experiments are re-run by throng_lab, which is built beside throng\n");
  return TH_EXIT_USAGE;
}

int main(int argc, char **argv) {
  return argc > 1 && strcmp(argv[1], "reproduce") == 0 ? tell_of_lab() : th_program_run(argc, argv);
}
