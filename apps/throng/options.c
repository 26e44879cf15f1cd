/* apps/throng/options.c - the command line of every subcommand, from one table.
 *
 * getopt_long splits the arguments; the table says what each option takes and what it means, for reading and for help.
 * A number is read whole or refused.
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

typedef enum option_id {
  OUT = 1,
  LOG,
  MODEL,
  SEED,
  SEEDS,
  DURATION,
  SET,
  WORKERS,
  SIMD,
  JSON,
  QUIET,
  NO_EXPECT,
  SCHEMA,
  MODELS,
  TRACE,
  TRACES,
  MARKS,
  FORCE,
  GOAL,
  FROM,
  RADIUS,
  WIDTH,
  COLOUR,
  DENSITY,
  BODIES,
  TIME,
  TRAIL,
  FPS,
  SPEED,
  CAMERA,
  LENS,
  ZOOM,
  STRETCH,
  THESIS,
  EDGES,
  CUT_AWAY,
  MAKE,
  FILM,
  HELP
} option_id;

typedef struct option_row {
  const char *name, *takes, *text; /* takes: NULL = nothing */
  option_id id;
} option_row;

static const option_row rows[] = {
    {"out", "PATH", "where results go", OUT},
    {"log", "FILE", "a line for each second of the scene: speed, phases, neighbours, deviation, arrivals (CSV)", LOG},
    {"model", "NAME", "only this model", MODEL},
    {"seed", "N", "another seed than the scene's, 1 to 2^53", SEED},
    {"seeds", "A..B",
     "one run for each seed, up to 10000 and A <= B, or expect: those the scene's expect block is for; mean, spread "
     "and "
     "95 % interval in the report",
     SEEDS},
    {"duration", "S", "another duration than the scene's [s]", DURATION},
    {"set", "KEY=VALUE", "override a value of the scene, such as populations.0.speed=1.2; may be repeated", SET},
    {"workers", "N", "threads, 1 to 64; the result does not depend on it", WORKERS},
    {"simd", "SET", "sse2, avx2 or avx512 instead of the widest; the result does not depend on it", SIMD},
    {"json", NULL, "one JSON document on standard output, nothing else", JSON},
    {"quiet", NULL, "no progress, no summary", QUIET},
    {"no-expect", NULL, "do not test the scene's expectations", NO_EXPECT},
    {"schema", NULL, "print the JSON schema of scenes", SCHEMA},
    {"models", NULL, "print every model with its parameters", MODELS},
    {"traces", NULL, "print everything that models and guides publish about decisions", TRACES},
    {"make", NULL, "print every surface that can be made, with its parameters", MAKE},
    {"force", NULL, "replace the file if it is there", FORCE},
    {"goal", "NAME", "which goal", GOAL},
    {"from", "X,Y", "where the path begins [m]; on a mesh X,Y,Z", FROM},
    {"radius", "R", "of the body that walks there [m], 0.01 to 10, default 0.2", RADIUS},
    {"width", "PIXELS", "of the picture, 200 to 20000, default 1600", WIDTH},
    {"colour", "BY", "of paths: time, speed, agent or population", COLOUR},
    {"trace", "WHAT",
     "run: traces these agents: all, populations or indices, with commas; plot, film: shows these traces: all, vectors "
     "or "
     "names; convert: all traces as CSV",
     TRACE},
    {"marks", "S", "time marks on paths every so many seconds", MARKS},
    {"density", NULL, "show density instead of paths", DENSITY},
    {"bodies", NULL, "show the agents at --time", BODIES},
    {"time", "S", "moment of the picture [s], default the end", TIME},
    {"trail", "S", "paths show only so many last seconds; 0 = all", TRAIL},
    {"fps", "N", "pictures per second of the film, 1 to 120, default 25", FPS},
    {"speed", "N", "seconds of the scene per second of film, default 1", SPEED},
    {"camera", "VIEW", "of a surface: auto, behind, AZIMUTH,ELEVATION [degrees] or X,Y,Z,X,Y,Z (eye, target); up to 6",
     CAMERA},
    {"lens", "DEGREES", "field of view, 0 to 120, default 0 (parallel); 60 for an eye given by its place", LENS},
    {"zoom", "N", "how much larger than as it fits, 0.1 to 100", ZOOM},
    {"stretch", "N", "of the heights of a surface, 0.1 to 20, default 1", STRETCH},
    {"thesis", NULL, "surfaces in the colours of the 3DS-BVP thesis", THESIS},
    {"edges", NULL, "show the triangles of a surface", EDGES},
    {"cut-away", NULL, "leave out faces seen from behind: the inside of tubes", CUT_AWAY},
    {"film", NULL, "also films of what figures show", FILM},
    {"help", NULL, "options of this command", HELP},
};
enum { ROWS = sizeof rows / sizeof *rows };

int th_cli_usage(const char *command, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "throng: ");
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fprintf(stderr, "\nSee: throng help%s%s\n", command ? " " : "", command ? command : "");
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

void th_options_print(const th_command *command) {
  for (int i = 0; i < ROWS; i++) {
    char head[40];
    if (!takes(command, rows[i].name)) continue;
    snprintf(head, sizeof head, "--%s%s%s", rows[i].name, rows[i].takes ? " " : "", rows[i].takes ? rows[i].takes : "");
    printf("  %-18s %s\n", head, rows[i].text);
  }
}

/* ---------------------------------------------------------------- values */

static bool read_number(const char *text, double min, double max, double *value) {
  char *end;
  errno = 0;
  double found = strtod(text, &end);
  if (end == text || *end || errno || !(found >= min && found <= max)) return false;
  *value = found;
  return true;
}

static bool read_whole(const char *text, uint64_t max, uint64_t *value) {
  char *end;
  errno = 0;
  if (*text < '0' || *text > '9') return false;
  unsigned long long found = strtoull(text, &end, 10);
  if (*end || errno || found < 1 || found > max) return false;
  *value = found;
  return true;
}

static bool read_seeds(const char *text, th_options *options) {
  char first[32];
  const char *dots = strstr(text, "..");
  options->seeds_of_scene = strcmp(text, "expect") == 0;
  if (options->seeds_of_scene) return true;
  if (!dots || (size_t)(dots - text) >= sizeof first) return false;
  memcpy(first, text, (size_t)(dots - text));
  first[dots - text] = 0;
  bool good =
      read_whole(first, UINT32_MAX, &options->seed_first) && read_whole(dots + 2, UINT32_MAX, &options->seed_last);
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

static bool read_from(const char *text, th_options *options) {
  double v[3] = {0, 0, 0};
  uint32_t count = read_list(text, v, 3);
  if (count < 2 || fabs(v[0]) > 1e5 || fabs(v[1]) > 1e5) return false;
  options->from = (th_vec3){(float)v[0], (float)v[1], (float)v[2]};
  return options->from_given = true;
}

static bool read_camera(const char *text, th_options *options) {
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

static bool read_simd(const char *text, th_options *options) {
  static const char *const name[] = {"auto", "sse2", "avx2", "avx512"};
  for (uint32_t i = 0; i < 4; i++) {
    if (strcmp(text, name[i]) != 0) continue;
    options->simd = (th_simd)i;
    return i == 0 || th_simd_has((th_simd)i);
  }
  return false;
}

static bool read_colour(const char *text, th_options *options) {
  options->colour = text;
  return !strcmp(text, "time") || !strcmp(text, "speed") || !strcmp(text, "agent") || !strcmp(text, "population");
}

static bool read_set(const char *text, th_options *options) {
  if (options->set_count == TH_CLI_MAX_SETS) return false;
  options->set[options->set_count++] = text;
  return true;
}

static bool take_flag(option_id id, th_options *options) {
  switch (id) {
    case JSON:
      return options->json = true;
    case QUIET:
      return options->quiet = true;
    case NO_EXPECT:
      return options->no_expect = true;
    case SCHEMA:
      return options->schema = true;
    case MODELS:
      return options->models = true;
    case TRACES:
      return options->traces = true;
    case FORCE:
      return options->force = true;
    case DENSITY:
      return options->density = true;
    case BODIES:
      return options->bodies = true;
    case THESIS:
      return options->thesis = true;
    case EDGES:
      return options->edges = true;
    case CUT_AWAY:
      return options->cut_away = true;
    case MAKE:
      return options->make = true;
    case FILM:
      return options->film = true;
    default:
      return false;
  }
}

#define AT(member) offsetof(th_options, member)

/* Options that are a number in a range, and those that are a text. */
static const struct {
  option_id id;
  size_t at;
  double min, max;
} numbers[] = {{MARKS, AT(marks), 0.01, 1e6},   {LENS, AT(lens), 0, 120},       {ZOOM, AT(zoom), 0.1, 100},
               {STRETCH, AT(stretch), 0.1, 20}, {RADIUS, AT(radius), 0.01, 10}, {TIME, AT(time), 0, 1e9},
               {TRAIL, AT(trail), 0, 1e9},      {FPS, AT(fps), 1, 120},         {SPEED, AT(speed), 1e-3, 1e4}};

static const struct {
  option_id id;
  size_t at;
} texts[] = {{LOG, AT(log)}, {TRACE, AT(trace)}, {OUT, AT(out)}, {GOAL, AT(goal)}};

static bool take_member(option_id id, const char *text, th_options *options, bool *good) {
  char *base = (char *)options;
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    if (numbers[i].id != id) continue;
    *good = read_number(text, numbers[i].min, numbers[i].max, (double *)(void *)(base + numbers[i].at));
    return true;
  }
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    if (texts[i].id != id) continue;
    *(const char **)(void *)(base + texts[i].at) = text;
    *good = *text != 0;
    return true;
  }
  return false;
}

static bool take_value(option_id id, const char *text, th_options *options) {
  uint64_t whole = 0;
  double number = 0;
  bool good;
  if (take_member(id, text, options, &good)) return good;
  switch (id) {
    case MODEL:
      options->model = text;
      return true;
    case SET:
      return read_set(text, options);
    case SEED:
      return read_whole(text, (uint64_t)1 << 53, &options->seed);
    case SEEDS:
      return read_seeds(text, options);
    case SIMD:
      return read_simd(text, options);
    case COLOUR:
      return read_colour(text, options);
    case CAMERA:
      return read_camera(text, options);
    case FROM:
      return read_from(text, options);
    case WORKERS:
      good = read_whole(text, 64, &whole);
      options->workers = (uint32_t)whole;
      return good;
    case WIDTH:
      good = read_whole(text, 20000, &whole) && whole >= 200;
      options->width = (uint32_t)whole;
      return good;
    case DURATION:
      good = read_number(text, 1e-3, 1e9, &number);
      options->duration = (float)number;
      return good;
    default:
      return false;
  }
}

/* ---------------------------------------------------------------- reading */

static int read_one(const th_command *command, const option_row *row, th_options *options) {
  if (row->id == HELP) {
    options->argument[0] = command->name;
    options->argument_count = 1;
    return th_command_help(options);
  }
  if (!takes(command, row->name)) {
    return th_cli_usage(command->name, "%s does not take --%s", command->name, row->name);
  }
  bool good = row->takes ? take_value(row->id, optarg, options) : take_flag(row->id, options);
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
  return th_cli_usage(command->name, "%s expects %s", command->name, command->arguments);
}
