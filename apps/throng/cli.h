/* apps/throng/cli.h - what the subcommands share: options, exit codes, messages, progress. */
#ifndef TH_APPS_CLI_H
#define TH_APPS_CLI_H

#include <jansson.h>
#include <stdio.h>

#include "base/error.h"
#include "io/scene/scene.h"
#include "throng/figure.h"
#include "throng/metrics.h"

/* Exit codes, documented in docs/cli.md. */
enum {
  TH_EXIT_OK = 0,
  TH_EXIT_FAILED = 1,      /* an expectation or an experiment failed */
  TH_EXIT_USAGE = 2,       /* wrong command line */
  TH_EXIT_INPUT = 3,       /* a file or value that was given is wrong */
  TH_EXIT_ENVIRONMENT = 4, /* memory, disk, permissions, a missing program */
  TH_EXIT_INTERRUPTED = 130
};

enum { TH_CLI_MAX_ARGUMENTS = 64, TH_CLI_MAX_SETS = 64, TH_CLI_MAX_CAMERAS = 6 };

typedef struct th_options {
  const char *argument[TH_CLI_MAX_ARGUMENTS];
  uint32_t argument_count;
  const char *set[TH_CLI_MAX_SETS];
  uint32_t set_count;
  const char *event[TH_CLI_MAX_SETS]; /* --do */
  uint32_t event_count;
  uint64_t seed, seed_first, seed_last; /* 0 = not given */
  bool seeds_of_scene;                  /* as many as its expect block names */
  uint32_t workers, width;
  float duration;
  const char *out, *log, *goal, *colour, *trace, *model, *episode, *layers;
  bool json, quiet, force, density, bodies, schema, models, people, traces, no_figures, no_expect, no_open, interactive;
  double time, trail, fps, speed, radius, marks; /* NAN = not given */
  th_vec3 from;
  bool from_given;
  th_camera camera[TH_CLI_MAX_CAMERAS];
  uint32_t camera_count;
  double lens, zoom, stretch; /* NAN = not given */
  double unit;                /* [m]; 0 = not given */
  bool thesis, edges, cut_away, make, man, film, corners;
  th_simd simd;
} th_options;

typedef struct th_command {
  const char *name, *arguments, *summary;
  const char *options; /* names that it takes, separated by spaces */
  uint32_t min, max;   /* arguments */
  int (*run)(const th_options *options);
  const char *text; /* for help NAME */
} th_command;

/* A program with subcommands; each program that uses these files defines its own, beside its main function. */
typedef struct th_program {
  const char *name, *summary;
  const char *steps;               /* what to try first, for help; ends with a new line */
  const th_command *command;       /* every subcommand, ended by an entry of NULLs */
  const th_scene_planner *planner; /* of goals in scenes; NULL = none */
} th_program;
extern const th_program th_this_program;

/* Runs the subcommand of a command line; returns the exit code. */
int th_program_run(int argc, char **argv);
const th_command *th_command_find(const char *name);

/* Reads the command line after the subcommand's name; returns an exit code, or -1 to go on. */
int th_options_read(const th_command *command, int argc, char **argv, th_options *options);
typedef void th_option_visitor(const char *name, const char *takes, const char *text);
void th_options_each(const th_command *command, th_option_visitor *visit); /* that the command takes */
void th_options_print(const th_command *command);

/* What each exit code says, ended by a row of NULL. */
typedef struct th_exit_row {
  int code;
  const char *text;
} th_exit_row;
extern const th_exit_row th_exit_rows[];
/* The whole manual for man. manual.c */
void th_manual_print(void);

/* Messages on standard error. */
int th_cli_usage(const char *command, const char *format, ...) TH_PRINTF(2, 3);
int th_cli_fail(const th_error *error, int code);
/* The exit code of an error: bad input, or the environment. */
int th_cli_code(th_result result);
/* The same for a call that writes: what cannot be written is the environment's fault. */
int th_cli_output_code(th_result result);

/* Standard output. */
int th_cli_print_json(json_t *document); /* takes the reference */

/* Reads the scene of an argument with the overrides of the options. */
th_result th_cli_scene(const th_options *options, const char *path, th_scene **scene, th_error *error);

/* The time step as it was written: 0.1 and not the float next to it, so that times in files are round. */
double th_cli_dt(const th_scene *scene);

/* Makes a folder and its parents. */
th_result th_cli_make_folder(const char *path, th_error *error);
/* Writes a text and an end of line through `path`.part. */
th_result th_cli_write_text(const char *path, const char *text, th_error *error);
/* "folder/name" */
void th_cli_join(char *path, size_t size, const char *folder, const char *name);
bool th_cli_ends(const char *text, const char *ending);

/* Ctrl-C: the first sets a flag, the second ends the program. */
void th_cli_catch_interrupt(void);
bool th_cli_interrupted(void);
bool th_cli_hurried(void); /* by SIGTERM, after which a system waits for some seconds only */

/* A bar on a terminal; nothing in a pipe or with --quiet. */
void th_cli_progress(const th_options *options, double part, const char *text);
void th_cli_progress_end(const th_options *options);
/* A line of its own where the bar is not shown, as in a log. */
void th_cli_progress_line(const th_options *options, const char *text);

/* Compares a scene's expectations with the results of a run. */
typedef struct th_check {
  char name[80];
  double value, min, max;
  bool good;
} th_check;
typedef struct th_measured {
  const th_metrics *metrics;
  const th_group_fit *fit; /* of each group of the scene */
} th_measured;
uint32_t th_cli_expect(const th_scene *scene, const th_measured *found, th_check *check, uint32_t capacity);
json_t *th_cli_expect_json(const th_check *check, uint32_t count);

/* Lines and areas of a scene, as metrics take them; NULL = no scene, none. To be freed even after a failure. */
typedef struct th_measures {
  th_measure_line *line;
  th_measure_area *area;
  const char **goal;
  th_metrics_def def;
} th_measures;
th_result th_measures_make(const th_scene *scene, th_measures *measures, th_error *error);
void th_measures_free(th_measures *measures);
/* What a recording comes to: as its run counted, or, with `other` or without such numbers, by its frames and what this
 * scene measures. */
th_result th_measures_of(const th_tracks *tracks, const th_scene *scene, bool other, th_metrics **metrics,
                         th_error *error);
/* What people did, and what the scene's lines and areas counted. */
void th_measures_print(const th_metrics *metrics, const th_scene *scene);

/* What `check` and `run` tell beside errors: a scene that is right, but hardly what is meant. findings.c */
typedef struct th_findings {
  FILE *out;           /* NULL = nothing is printed */
  const char *program; /* named before the path of the scene; empty = not */
  const th_scene *scene;
  json_t *warnings; /* texts */
  bool deep;        /* looks for closed passages however large the raster; else only when that is quick */
  bool passages;    /* they were looked for */
} th_findings;

/* paths/risers.c: edges between fronts of steps and level faces, and an end of the first. */
uint32_t th_cli_risers(const th_mesh *mesh, th_vec3 *first);

/* Before the first step: passages that the raster closes, events after the end, populations without a route, bodies on
 * top of each other, sources without a free spot. */
void th_findings_at_start(th_findings *findings, th_run *run);
/* After the first steps, when fields exist: agents without a path to their goal. */
void th_findings_of_paths(th_findings *findings, th_run *run);
/* At the end: sources that brought too few. */
void th_findings_at_end(th_findings *findings, th_run *run);
/* Of the numbers of a run: bodies that overlapped. */
void th_findings_of_numbers(th_findings *findings, const th_summary *worst);

/* `convert` of a plan to a scene, and the length of a unit by its name [m]. plan.c */
int th_cli_plan_convert(const th_options *options);
bool th_cli_unit(const char *name, double *length);

/* `compare` of two reports over seeds: which numbers differ. variants.c */
int th_cli_variants(const th_options *options);

/* A shape for figures. */
th_result th_cli_mark(const char *kind, const char *name, const th_shape *shape, th_mark *mark, th_error *error);
/* The ground of a scene as a plan. */
th_result th_cli_plan(const th_ground *ground, th_floor_plan *plan, th_error *error);

/* How surfaces are shown: cameras, colours and the rest of the options. Cameras are written to `camera`. */
th_mesh_figure_def th_cli_mesh_figure(const th_options *options, th_camera camera[TH_CLI_MAX_CAMERAS]);
/* The shape of a goal as marks show it: a point is as wide as the distance at which it counts as reached. */
th_shape th_cli_goal_shape(const th_scene_goal *goal);

/* What there is to say of a ground, of a mesh file or of the description of a building. ground_info.c */
/* What the reader of a mesh has mended, one kind at a time: how many, and the first of them; false: nothing. */
#define TH_MEND_ROOM 160
bool th_cli_mended(const th_mesh *mesh, th_mesh_note_kind kind, char text[TH_MEND_ROOM]);
json_t *th_cli_ground_info(const th_ground *ground);
json_t *th_cli_mesh_info(const char *path, th_error *error);
/* A JSON file with levels is a building, another one a scene. */
bool th_cli_is_building(const char *path);
/* True for the endings of mesh files. */
bool th_cli_is_mesh(const char *path);

/* Reads a recording or a CSV file, by its file name extension. */
th_result th_cli_tracks(const char *path, th_tracks *tracks, th_error *error);

int th_command_run(const th_options *options);
int th_command_replay(const th_options *options);
int th_command_check(const th_options *options);
int th_command_report(const th_options *options);
int th_command_info(const th_options *options);
int th_command_new(const th_options *options);
int th_command_save(const th_options *options);
int th_command_pack(const th_options *options);
int th_command_view(const th_options *options);
int th_command_field(const th_options *options);
int th_command_path(const th_options *options);
int th_command_explored(const th_options *options);
int th_command_plot(const th_options *options);
int th_command_film(const th_options *options);
int th_command_compare(const th_options *options);
int th_command_convert(const th_options *options);
int th_command_validate(const th_options *options);
int th_command_bench(const th_options *options);
int th_command_help(const th_options *options);

#endif
