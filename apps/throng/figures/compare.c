/* apps/throng/figures/compare.c - `throng compare`: recordings side by side on one scale, with their numbers; reports
 * are the matter of variants.c. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figures/plot.h"

enum { MAX = 16 };

/* What one population of a recording did. */
typedef struct part {
  uint32_t agents, arrived;
  double last; /* arrival [s]; NAN: none */
} part;

typedef struct set {
  th_tracks tracks[MAX];
  th_summary numbers[MAX];
  th_panel panel[MAX];
  char title[MAX][256];
  part *part[MAX]; /* one per population */
  uint32_t count;
} set;

/* Two runs of one scene have the same name, so panels are named by the paths of their files. */
static const char *title_of(char title[256], const char *path) {
  static const char usual[] = "/trajectory.sqlite";
  size_t length = strlen(path), end = sizeof usual - 1;
  if (length > end && strcmp(path + length - end, usual) == 0) length -= end;
  snprintf(title, 256, "%.*s", (int)(length < 255 ? length : 255), path);
  return title;
}

static part *parts_of(const th_tracks *tracks, const th_metrics *metrics) {
  part *list = calloc(tracks->population_count + 1u, sizeof *list);
  for (uint32_t p = 0; list && p < tracks->population_count; p++) list[p].last = NAN;
  for (uint32_t t = 0; list && t < tracks->track_count; t++) {
    uint32_t p = tracks->track[t].population;
    double arrival = th_metrics_arrival(metrics, (th_agent_id){t + 1, 1, 0});
    if (p >= tracks->population_count) continue;
    list[p].agents++;
    if (isnan(arrival)) continue;
    list[p].arrived++;
    list[p].last = fmax(list[p].last, arrival); /* NAN is the smaller one */
  }
  return list;
}

static th_result add(set *s, const th_options *options, const char *path, th_error *error) {
  th_tracks *tracks = &s->tracks[s->count];
  th_result result = th_cli_tracks(path, tracks, error);
  if (result != TH_OK) return result;
  s->count++;
  th_metrics *metrics = NULL, *frames = NULL; /* of the run; by tracks, which have populations */
  result = th_measures_of(tracks, NULL, false, &metrics, error);
  if (result == TH_OK) result = th_measures_of(tracks, NULL, true, &frames, error);
  uint32_t i = s->count - 1;
  if (result == TH_OK) {
    s->numbers[i] = th_metrics_summary(metrics);
    s->part[i] = parts_of(tracks, frames);
  }
  th_metrics_free(metrics);
  th_metrics_free(frames);
  if (result != TH_OK) return result;
  s->panel[i] = (th_panel){th_plot_def(options, tracks), &s->numbers[i]};
  s->panel[i].figure.title = title_of(s->title[i], path);
  return TH_OK;
}

static json_t *number(double value) { return isfinite(value) ? json_real(value) : json_null(); }

static json_t *row(const char *path, const th_summary *s) {
  return json_pack("{s:s, s:i, s:i, s:o, s:o, s:o, s:o, s:I, s:I}", "file", path, "agents", (int)s->agents, "arrived",
                   (int)s->arrived, "time", number(s->arrival_last), "mean_speed", number(s->speed_mean), "mean_path",
                   number(s->path_mean), "worst_overlap", number(s->worst_overlap), "contacts", (json_int_t)s->contacts,
                   "wall_contacts", (json_int_t)s->wall_contacts);
}

/* Numbers of each population, where there are several. */
static json_t *parts(const set *s, uint32_t i, bool text) {
  const th_tracks *tracks = &s->tracks[i];
  json_t *list = json_array();
  for (uint32_t p = 0; s->part[i] && p < tracks->population_count; p++) {
    const part *n = &s->part[i][p];
    const char *name = tracks->population[p].text;
    json_array_append_new(list, json_pack("{s:s, s:i, s:i, s:o}", "name", name, "agents", (int)n->agents, "arrived",
                                          (int)n->arrived, "time", number(n->last)));
    if (!text || tracks->population_count < 2) continue;
    printf("  %s: %u agents, %u arrived", name, n->agents, n->arrived);
    if (n->arrived) printf(", last after %.1f s", n->last);
    printf("\n");
  }
  return list;
}

static int print(const set *s, const th_options *options, const char *path) {
  json_t *rows = json_array();
  for (uint32_t i = 0; i < s->count; i++) {
    const th_summary *n = &s->numbers[i];
    json_t *entry = row(options->argument[i], n);
    json_array_append_new(rows, entry);
    if (options->json) json_object_set_new(entry, "populations", parts(s, i, false));
    if (options->json || options->quiet) continue;
    printf("%s: %u agents, %u arrived", options->argument[i], n->agents, n->arrived);
    if (n->arrived) printf(", last after %.1f s", n->arrival_last);
    if (isfinite(n->speed_mean)) printf(", %.2f m/s", n->speed_mean);
    printf(", worst overlap %.1f %%\n", 100 * n->worst_overlap);
    json_decref(parts(s, i, true));
  }
  if (options->json) return th_cli_print_json(json_pack("{s:s, s:o}", "file", path, "recordings", rows));
  json_decref(rows);
  if (!options->quiet) printf("%s\n", path);
  return TH_EXIT_OK;
}

int th_command_compare(const th_options *options) {
  if (th_cli_ends(options->argument[0], ".json")) return th_cli_variants(options);
  const char *path = options->out ? options->out : "compare.png";
  set s = {.count = 0};
  th_error error = {0};
  th_result result = TH_OK;
  for (uint32_t i = 0; i < options->argument_count && result == TH_OK; i++) {
    result = add(&s, options, options->argument[i], &error);
  }
  int code = result == TH_OK ? TH_EXIT_OK : th_cli_fail(&error, th_cli_code(result));
  if (result == TH_OK) {
    uint32_t width = options->width ? options->width : th_default_figure_def().width;
    result = th_figure_compare(s.panel, s.count, NULL, width, path, &error);
    code = result == TH_OK ? print(&s, options, path) : th_cli_fail(&error, th_cli_output_code(result));
  }
  for (uint32_t i = 0; i < s.count; i++) {
    th_tracks_free(&s.tracks[i]);
    free(s.part[i]);
  }
  return code;
}
