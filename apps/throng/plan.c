/* apps/throng/plan.c - `throng convert PLAN SCENE`: a drawing of a building becomes a scene to go on with.
 *
 * GeoJSON and well-known text are read by the library. Everything else that GDAL reads, DXF first, is turned into
 * GeoJSON by its program ogr2ogr, as films are by ffmpeg: a library of a hundred others is not loaded for a conversion
 * in a hundred. GDAL does not hand on the unit that a DXF file names, so that is looked for in its header.
 */
#include "throng/file/plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/letters.h"
#include "base/platform/child.h"
#include "base/platform/file.h"
#include "cli.h"

typedef struct unit_row {
  const char *name;
  int code;      /* of $INSUNITS in DXF */
  double length; /* [m] */
} unit_row;

static const unit_row units[] = {{"in", 1, 0.0254}, {"ft", 2, 0.3048}, {"mm", 4, 0.001}, {"cm", 5, 0.01},
                                 {"m", 6, 1.0},     {"km", 7, 1000.0}, {"dm", 14, 0.1},  {NULL, 0, 0.0}};

bool th_cli_unit(const char *name, double *length) {
  for (const unit_row *row = units; row->name; row++) {
    if (!th_letters_same(row->name, name)) continue;
    *length = row->length;
    return true;
  }
  return false;
}

/* ---------------------------------------------------------------- other formats */

/* A line without blanks at both ends. */
static char *next_line(FILE *in, char line[256]) {
  if (!fgets(line, 256, in)) return NULL;
  line[strcspn(line, "\r\n")] = 0;
  return line + strspn(line, " ");
}

/* $INSUNITS of a DXF text: its name, a line with the group code 70, the code. NULL: unknown or none. */
static const unit_row *unit_of_dxf(const char *path) {
  char line[256], *at;
  FILE *in = th_file_open(path, NULL);
  int code = 0;
  for (int k = 0; in && k < 10000 && (at = next_line(in, line)); k++) {
    if (strcmp(at, "$INSUNITS") != 0) continue;
    if (next_line(in, line) && (at = next_line(in, line))) code = atoi(at);
    break;
  }
  if (in) fclose(in);
  for (const unit_row *row = units; row->name; row++)
    if (row->code == code) return row;
  return NULL;
}

static th_result through_ogr(const char *from, const char *part, th_error *error) {
  const char *argument[] = {"ogr2ogr", "-f", "GeoJSON", "-dim", "XY", part, from, NULL};
  th_child child;
  th_file_remove(part);
  FILE *in = th_file_open(from, error);
  if (!in) return error->code;
  fclose(in);
  const int reason = th_child_start(&child, argument);
  if (reason == ENOENT)
    return th_fail(error, TH_ERROR_FILE, from,
                   "expected .geojson or .wkt, or GDAL's program ogr2ogr for other plans, which is not installed (of "
                   "Debian the package gdal-bin)");
  if (reason) return th_fail(error, TH_ERROR_FILE, "ogr2ogr", "cannot be started: %s", strerror(reason));
  if (th_child_end(&child) == 0) return TH_OK;
  return th_fail(error, TH_ERROR_FORMAT, from, "expected a plan that ogr2ogr reads");
}

static th_result load(const th_options *options, th_plan_def *def, th_plan *plan, th_error *error) {
  const char *from = options->argument[0];
  char part[1024];
  if (th_cli_ends(from, ".geojson") || th_cli_ends(from, ".json") || th_cli_ends(from, ".wkt"))
    return th_plan_load(NULL, from, plan, error);
  const unit_row *unit = th_cli_ends(from, ".dxf") && def->unit == 0.0 ? unit_of_dxf(from) : NULL;
  if (unit) def->unit = unit->length;
  if (unit && !options->quiet) printf("%s: in %s, as it says itself\n", from, unit->name);
  if (snprintf(part, sizeof part, "%s.part.geojson", options->argument[1]) >= (int)sizeof part)
    return th_fail(error, TH_ERROR_FILE, options->argument[1], "expected a shorter name");
  th_result result = through_ogr(from, part, error);
  if (!result) result = th_plan_load(NULL, part, plan, error);
  th_file_remove(part);
  return result;
}

/* ---------------------------------------------------------------- layers */

/* "outline=A,obstacles=B+C" cut up in place; false when a word is unknown. */
static bool read_roles(char *text, th_plan_def *def) {
  for (char *at = text, *next; at && *at; at = next) {
    next = strchr(at, ',');
    if (next) *next++ = 0;
    char *value = strchr(at, '=');
    if (!value || !value[1]) return false;
    *value++ = 0;
    const char **role = strcmp(at, "outline") == 0     ? &def->outline
                        : strcmp(at, "obstacles") == 0 ? &def->obstacles
                        : strcmp(at, "doors") == 0     ? &def->doors
                        : strcmp(at, "exits") == 0     ? &def->exits
                                                       : NULL;
    if (!role) return false;
    *role = value;
  }
  return true;
}

static void tell(const th_plan *plan, const th_plan_made *made, const char *to) {
  printf("%s: %u outlines, %u obstacles, %u doors, %u exits; %.2f m x %.2f m\n", to, made->outlines, made->obstacles,
         made->doors, made->exits, made->size[0], made->size[1]);
  if (made->moved[0] != 0.0 || made->moved[1] != 0.0)
    printf("  moved by %.0f m, %.0f m\n", made->moved[0], made->moved[1]);
  if (made->dropped) printf("  %u shapes without an extent were left out\n", made->dropped);
  if (made->filled) printf("  %u holes of obstacles were filled\n", made->filled);
  if (plan->skipped) printf("  %u points were left out\n", plan->skipped);
  if (!made->exits) printf("  no exits: goals and populations are yours to add\n");
}

/* The name of a file without folder and ending. */
static const char *bare_name(const char *path, char name[64]) {
  const char *slash = strrchr(path, '/'), *from = slash ? slash + 1 : path;
  snprintf(name, 64, "%.*s", (int)strcspn(from, "."), from);
  return name;
}

int th_cli_plan_convert(const th_options *options) {
  const char *from = options->argument[0], *to = options->argument[1];
  char roles[512] = "", name[64], *text = NULL;
  th_error error = {0};
  th_plan_def def = th_default_plan_def();
  th_plan plan;
  th_plan_made made;
  if (options->layers && snprintf(roles, sizeof roles, "%s", options->layers) >= (int)sizeof roles)
    return th_cli_usage("convert", "--layers: expected fewer than %zu characters", sizeof roles);
  if (!read_roles(roles, &def))
    return th_cli_usage("convert", "--layers: expected outline=A,obstacles=B+C,doors=D,exits=E, found \"%s\"",
                        options->layers);
  if (!options->force && th_file_look(to) != TH_FILE_NOTHING) {
    fprintf(stderr, "throng: %s is there already; give another name, or --force to replace it\n", to);
    return TH_EXIT_ENVIRONMENT;
  }
  def.name = bare_name(from, name), def.unit = options->unit;
  th_result result = load(options, &def, &plan, &error);
  if (result) return th_cli_fail(&error, th_cli_code(result));
  result = th_plan_scene(&plan, &def, &text, &made, &error);
  if (result) snprintf(error.where, sizeof error.where, "%s", from);
  int code = result ? th_cli_fail(&error, th_cli_code(result)) : TH_EXIT_OK;
  if (!result) {
    text[strlen(text) - 1] = 0; /* a new line follows */
    result = th_cli_write_text(to, text, &error);
    if (result) code = th_cli_fail(&error, th_cli_output_code(result));
  }
  if (!result && !options->quiet) tell(&plan, &made, to);
  th_text_free(text);
  th_plan_free(&plan);
  return code;
}
