/* apps/throng/options.c - the command line of every subcommand, from one table.
 *
 * getopt_long splits the arguments. A row of the table says what an option takes, what it means and how it is read;
 * help prints the same rows. A number is read whole or refused.
 */
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "io/json.h"

typedef struct option_row option_row;
typedef bool option_reader(const option_row *row, const char *text, th_options *options);

struct option_row {
  const char *name, *takes, *text; /* takes: NULL = nothing */
  option_reader *read;             /* NULL: help */
  size_t at;                       /* of the member that it sets, for the readers of plain values */
  double min, max;                 /* of a number */
};

/* ---------------------------------------------------------------- values */

static bool parse_number(const char *text, double min, double max, double *value) {
  char *end;
  errno = 0;
  double found = strtod(text, &end);
  if (end == text || *end || errno || !(found >= min && found <= max)) return false;
  *value = found;
  return true;
}

static bool parse_whole(const char *text, uint64_t max, uint64_t *value) {
  char *end;
  errno = 0;
  if (*text < '0' || *text > '9') return false;
  unsigned long long found = strtoull(text, &end, 10);
  if (*end || errno || found < 1 || found > max) return false;
  *value = found;
  return true;
}

static void *member(const option_row *row, th_options *options) { return (char *)options + row->at; }

static bool read_flag(const option_row *row, const char *text, th_options *options) {
  (void)text;
  return *(bool *)member(row, options) = true;
}

static bool read_text(const option_row *row, const char *text, th_options *options) {
  *(const char **)member(row, options) = text;
  return *text != 0;
}

static bool read_double(const option_row *row, const char *text, th_options *options) {
  return parse_number(text, row->min, row->max, member(row, options));
}

static bool read_float(const option_row *row, const char *text, th_options *options) {
  double number = 0;
  bool good = parse_number(text, row->min, row->max, &number);
  *(float *)member(row, options) = (float)number;
  return good;
}

static bool read_whole(const option_row *row, const char *text, th_options *options) {
  return parse_whole(text, (uint64_t)row->max, member(row, options));
}

static bool read_count(const option_row *row, const char *text, th_options *options) {
  uint64_t whole = 0;
  bool good = parse_whole(text, (uint64_t)row->max, &whole) && whole >= (uint64_t)row->min;
  *(uint32_t *)member(row, options) = (uint32_t)whole;
  return good;
}

static bool read_unit(const option_row *row, const char *text, th_options *options) {
  return th_cli_unit(text, member(row, options)) || parse_number(text, 1e-6, 1e6, member(row, options));
}

static bool read_seeds(const option_row *row, const char *text, th_options *options) {
  (void)row;
  char first[32];
  const char *dots = strstr(text, "..");
  options->seeds_of_scene = strcmp(text, "expect") == 0;
  if (options->seeds_of_scene) return true;
  if (!dots || (size_t)(dots - text) >= sizeof first) return false;
  memcpy(first, text, (size_t)(dots - text));
  first[dots - text] = 0;
  bool good =
      parse_whole(first, UINT32_MAX, &options->seed_first) && parse_whole(dots + 2, UINT32_MAX, &options->seed_last);
  return good && options->seed_last >= options->seed_first && options->seed_last - options->seed_first < 10000;
}

/* Numbers between commas; returns how many, 0 when something else is there. */
static uint32_t read_list(const char *text, double *value, uint32_t max) {
  uint32_t count = 0;
  for (const char *at = text;; at++) {
    char *end;
    errno = 0;
    double found = strtod(at, &end);
    if (count == max || end == at || (*end && *end != ',') || errno || !(fabs(found) <= 1e7)) return 0;
    value[count++] = found;
    if (!*end) return count;
    at = end;
  }
}

static bool read_from(const option_row *row, const char *text, th_options *options) {
  (void)row;
  double v[3] = {0, 0, 0};
  uint32_t count = read_list(text, v, 3);
  if (count < 2 || fabs(v[0]) > 1e5 || fabs(v[1]) > 1e5) return false;
  options->from = (th_vec3){(float)v[0], (float)v[1], (float)v[2]};
  return options->from_given = true;
}

static bool read_camera(const option_row *row, const char *text, th_options *options) {
  (void)row;
  if (options->camera_count == TH_CLI_MAX_CAMERAS) return false;
  th_camera *camera = &options->camera[options->camera_count++];
  *camera = th_default_camera();
  double v[6];
  uint32_t count = read_list(text, v, 6);
  if (strcmp(text, "behind") == 0) camera->kind = TH_CAMERA_BEHIND;
  if (count == 2) {
    camera->kind = TH_CAMERA_ANGLES;
    camera->azimuth = v[0];
    camera->elevation = v[1];
  }
  if (count == 6) {
    camera->kind = TH_CAMERA_POSITION;
    camera->eye = (th_vec3){(float)v[0], (float)v[1], (float)v[2]};
    camera->target = (th_vec3){(float)v[3], (float)v[4], (float)v[5]};
    camera->lens = 60;
  }
  return strcmp(text, "auto") == 0 || camera->kind != TH_CAMERA_AUTO;
}

static bool read_simd(const option_row *row, const char *text, th_options *options) {
  (void)row;
  static const char *const name[] = {"auto", "four", "avx2", "avx512"};
  for (uint32_t i = 0; i < 4; i++) {
    if (strcmp(text, name[i]) != 0) continue;
    options->simd = (th_simd)i;
    return i == 0 || th_simd_has((th_simd)i);
  }
  return false;
}

static bool read_colour(const option_row *row, const char *text, th_options *options) {
  (void)row;
  options->colour = text;
  return !strcmp(text, "time") || !strcmp(text, "speed") || !strcmp(text, "agent") || !strcmp(text, "population");
}

static bool read_set(const option_row *row, const char *text, th_options *options) {
  (void)row;
  if (options->set_count == TH_CLI_MAX_SETS) return false;
  options->set[options->set_count++] = text;
  return true;
}

static bool read_event(const option_row *row, const char *text, th_options *options) {
  (void)row;
  if (options->event_count == TH_CLI_MAX_SETS) return false;
  options->event[options->event_count++] = text;
  return true;
}

/* ---------------------------------------------------------------- the table */

#define AT(member) offsetof(th_options, member)

static const option_row rows[] = {
    {"out", "PATH", "where results go", read_text, AT(out), 0, 0},
    {"log", "FILE", "a line for each second of the scene: speed, phases, neighbours, deviation, arrivals (CSV)",
     read_text, AT(log), 0, 0},
    {"model", "NAME", "only this model", read_text, AT(model), 0, 0},
    {"seed", "N", "another seed than the scene's, 1 to 2^53", read_whole, AT(seed), 1, 0x1p53},
    {"seeds", "A..B",
     "one run for each seed, up to 10000 and A <= B, or expect: those the scene's expect block is for; mean, spread "
     "and 95 % interval in the report",
     read_seeds, 0, 0, 0},
    {"duration", "S", "another duration than the scene's [s]", read_float, AT(duration), 1e-3, 1e9},
    {"set", "KEY=VALUE", "override a value of the scene, such as populations.0.speed=1.2; may be repeated", read_set, 0,
     0, 0},
    {"do", "EVENT", "an event beside those of the scene, as JSON with `at` or `step`; may be repeated", read_event, 0,
     0, 0},
    {"interactive", NULL, "commands as lines of JSON on standard input, answers and states on standard output",
     read_flag, AT(interactive), 0, 0},
    {"episode", "FILE", "the scene with everything that was done and with marks, for replay", read_text, AT(episode), 0,
     0},
    {"workers", "N", "threads, 1 to 64; the result does not depend on it", read_count, AT(workers), 1, 64},
    {"simd", "SET", "four, avx2 or avx512 instead of the widest; the result does not depend on it", read_simd, 0, 0, 0},
    {"json", NULL, "one JSON document on standard output, nothing else", read_flag, AT(json), 0, 0},
    {"quiet", NULL, "no progress, no summary", read_flag, AT(quiet), 0, 0},
    {"no-figures", NULL, "no figure.png and figure.svg", read_flag, AT(no_figures), 0, 0},
    {"no-open", NULL, "do not open the page", read_flag, AT(no_open), 0, 0},
    {"no-expect", NULL, "do not test the scene's expectations", read_flag, AT(no_expect), 0, 0},
    {"schema", NULL, "print the JSON schema of scenes", read_flag, AT(schema), 0, 0},
    {"models", NULL, "print every model with its parameters", read_flag, AT(models), 0, 0},
    {"people", NULL, "print the parameters of people, and where their numbers come from", read_flag, AT(people), 0, 0},
    {"traces", NULL, "print everything that models and guides publish about decisions", read_flag, AT(traces), 0, 0},
    {"man", NULL, "print all of it as a page for man", read_flag, AT(man), 0, 0},
    {"make", NULL, "print every mesh that can be made, with its parameters", read_flag, AT(make), 0, 0},
    {"force", NULL, "replace the file if it is there", read_flag, AT(force), 0, 0},
    {"goal", "NAME", "which goal", read_text, AT(goal), 0, 0},
    {"from", "X,Y", "where the path begins [m]; on a mesh X,Y,Z", read_from, 0, 0, 0},
    {"radius", "R", "of the body that walks there [m], 0.01 to 10, default 0.2", read_double, AT(radius), 0.01, 10},
    {"width", "PIXELS", "of the picture, 200 to 20000, default 1600", read_count, AT(width), 200, 20000},
    {"corners", NULL, "only the corners: between these the path is straight", read_flag, AT(corners), 0, 0},
    {"colour", "BY", "of paths: time, speed, agent or population", read_colour, 0, 0, 0},
    {"trace", "WHAT",
     "run: traces these agents: all, populations or indices, with commas; plot, film: shows these traces: all, vectors "
     "or names; convert: all traces as CSV",
     read_text, AT(trace), 0, 0},
    {"marks", "S", "time marks on paths every so many seconds", read_double, AT(marks), 0.01, 1e6},
    {"density", NULL, "show density instead of paths", read_flag, AT(density), 0, 0},
    {"bodies", NULL, "show the agents at --time", read_flag, AT(bodies), 0, 0},
    {"time", "S", "moment of the picture [s], default the end; save: the world as it stands then", read_double,
     AT(time), 0, 1e9},
    {"trail", "S", "paths show only so many last seconds; 0 = all", read_double, AT(trail), 0, 1e9},
    {"fps", "N", "pictures per second of the film, 1 to 120, default 25", read_double, AT(fps), 1, 120},
    {"speed", "N", "seconds of the scene per second of film, default 1", read_double, AT(speed), 1e-3, 1e4},
    {"camera", "VIEW", "of a mesh: auto, behind, AZIMUTH,ELEVATION [degrees] or X,Y,Z,X,Y,Z (eye, target); up to 6",
     read_camera, 0, 0, 0},
    {"lens", "DEGREES", "field of view, 0 to 120, default 0 (parallel); 60 for an eye given by its place", read_double,
     AT(lens), 0, 120},
    {"zoom", "N", "how much larger than as it fits, 0.1 to 100", read_double, AT(zoom), 0.1, 100},
    {"stretch", "N", "of the heights of a mesh, 0.1 to 20, default 1", read_double, AT(stretch), 0.1, 20},
    {"thesis", NULL, "meshes in the colours of the 3DS-BVP thesis", read_flag, AT(thesis), 0, 0},
    {"edges", NULL, "show the triangles of a mesh", read_flag, AT(edges), 0, 0},
    {"cut-away", NULL, "leave out faces seen from behind: the inside of tubes", read_flag, AT(cut_away), 0, 0},
    {"layers", "ROLES", "of a plan: outline=A,obstacles=B+C,doors=D,exits=E; default by their names", read_text,
     AT(layers), 0, 0},
    {"unit", "UNIT", "of a plan: mm, cm, dm, m, km, in, ft, or metres per unit", read_unit, AT(unit), 0, 0},
    {"film", NULL, "also films of the figures", read_flag, AT(film), 0, 0},
    {"help", NULL, "options of this command", NULL, 0, 0, 0},
};
enum { ROWS = sizeof rows / sizeof *rows };

int th_cli_usage(const char *command, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "%s: ", th_this_program.name);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fprintf(stderr, "\nSee: %s help%s%s\n", th_this_program.name, command ? " " : "", command ? command : "");
  return TH_EXIT_USAGE;
}

static bool takes(const th_command *command, const char *name) {
  size_t length = strlen(name);
  for (const char *at = strstr(command->options, name); at; at = strstr(at + 1, name)) {
    bool begins = at == command->options || at[-1] == ' ';
    if (begins && (at[length] == ' ' || at[length] == 0)) return true;
  }
  return strcmp(name, "help") == 0;
}

void th_options_each(const th_command *command, th_option_visitor *visit) {
  for (int i = 0; i < ROWS; i++)
    if (takes(command, rows[i].name)) visit(rows[i].name, rows[i].takes, rows[i].text);
}

static void print_one(const char *name, const char *takes_what, const char *text) {
  char head[40];
  snprintf(head, sizeof head, "--%s%s%s", name, takes_what ? " " : "", takes_what ? takes_what : "");
  printf("  %-18s %s\n", head, text);
}

void th_options_print(const th_command *command) { th_options_each(command, print_one); }

/* ---------------------------------------------------------------- reading */

static int read_one(const th_command *command, const option_row *row, th_options *options) {
  if (!row->read) {
    options->argument[0] = command->name;
    options->argument_count = 1;
    return th_command_help(options);
  }
  if (!takes(command, row->name)) {
    return th_cli_usage(command->name, "%s does not take --%s", command->name, row->name);
  }
  bool good = row->read(row, optarg, options);
  if (good) return -1;
  return th_cli_usage(command->name, "--%s: expected %s (%s), found \"%s\"", row->name, row->takes, row->text, optarg);
}

/* An option that the command takes and that is nearly what was written; "" when none is. */
static const char *nearest(const th_command *command, const char *word) {
  char written[40];
  uint32_t best = 3;
  const char *hint = "";
  snprintf(written, sizeof written, "%.*s", (int)strcspn(word + strspn(word, "-"), "="), word + strspn(word, "-"));
  for (int i = 0; i < ROWS; i++) {
    uint32_t distance = takes(command, rows[i].name) ? th_json_distance(written, rows[i].name) : best;
    if (distance >= best) continue;
    best = distance;
    hint = rows[i].name;
  }
  return hint;
}

static int unknown(const th_command *command, const char *word) {
  const char *hint = nearest(command, word);
  return th_cli_usage(command->name, "unknown option %s%s%s%s", word, *hint ? "; did you mean --" : "", hint,
                      *hint ? "?" : "");
}

/* "compare expects two or more arguments (RECORDING...), found 1". */
static int wrong_count(const th_command *command, uint32_t found) {
  static const char *const word[] = {"none", "one", "two"};
  const char *least = word[command->min], *most = command->max < 3 ? word[command->max] : "more";
  const bool single = command->min == command->max;
  return th_cli_usage(command->name, "%s expects %s%s%s argument%s (%s), found %u", command->name, least,
                      single ? "" : " or ", single ? "" : most, command->max == 1 ? "" : "s", command->arguments,
                      found);
}

int th_options_read(const th_command *command, int argc, char **argv, th_options *options) {
  struct option list[ROWS + 1];
  memset(list, 0, sizeof list);
  for (int i = 0; i < ROWS; i++) {
    list[i].name = rows[i].name;
    list[i].has_arg = rows[i].takes ? required_argument : no_argument;
  }
  *options = (th_options){.time = NAN,
                          .trail = NAN,
                          .fps = NAN,
                          .speed = NAN,
                          .radius = 0.2,
                          .marks = NAN,
                          .lens = NAN,
                          .zoom = NAN,
                          .stretch = NAN};
  opterr = 0;
  for (int found, which = -1; (found = getopt_long(argc, argv, ":h", list, &which)) != -1;) {
    const char *word = argv[optind - 1];
    if (found == ':') return th_cli_usage(command->name, "%s expects a value", word);
    if (found == '?') return unknown(command, word);
    int code = read_one(command, found == 'h' ? &rows[ROWS - 1] : &rows[which], options);
    if (code >= 0) return code;
  }
  for (; optind < argc && options->argument_count < TH_CLI_MAX_ARGUMENTS; optind++) {
    options->argument[options->argument_count++] = argv[optind];
  }
  if (options->argument_count >= command->min && options->argument_count <= command->max && optind == argc) return -1;
  return wrong_count(command, options->argument_count + (uint32_t)(argc - optind));
}
