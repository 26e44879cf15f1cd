/* apps/throng/measures.c - what is measured of a run or of a recording, and how it is told: lines and areas of the
 * scene, arrivals, paths, overlaps. `run` and `report` share it, so that the same crowd gives the same lines. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "cli.h"

th_result th_measures_make(const th_scene *scene, th_measures *m, th_error *error) {
  *m = (th_measures){.def = th_default_metrics_def()};
  if (!scene) return TH_OK;
  const th_scene_measure *from = &scene->measure;
  m->line = calloc(from->line_count + 1u, sizeof *m->line);
  m->area = calloc(from->area_count + 1u, sizeof *m->area);
  m->goal = calloc(scene->goal_count + 1u, sizeof *m->goal);
  if (!m->line || !m->area || !m->goal) return th_fail_memory(error, "measure");
  for (uint32_t i = 0; i < from->line_count; i++)
    m->line[i] = (th_measure_line){from->line[i].name, from->line[i].from, from->line[i].to};
  for (uint32_t i = 0; i < from->area_count; i++) {
    const th_scene_area *area = &from->area[i];
    m->area[i] = (th_measure_area){area->name, th_scene_polygon(area->name, &area->shape).point, area->shape.count};
  }
  m->def.dt = th_cli_dt(scene);
  m->def.line = m->line;
  m->def.line_count = from->line_count;
  m->def.area = m->area;
  m->def.area_count = from->area_count;
  for (uint32_t i = 0; i < scene->goal_count; i++) m->goal[i] = scene->goal[i].name;
  m->def.goal = m->goal;
  m->def.goal_count = scene->goal_count;
  return TH_OK;
}

void th_measures_free(th_measures *m) {
  free(m->line);
  free(m->area);
  free(m->goal);
}

th_result th_measures_of(const th_tracks *tracks, const th_scene *scene, bool other, th_metrics **metrics,
                         th_error *error) {
  th_measures measures;
  if (!other && th_metrics_of_run(NULL, tracks, metrics, NULL) == TH_OK) return TH_OK;
  th_result result = th_measures_make(scene, &measures, error);
  if (result == TH_OK) result = th_metrics_of_tracks(&measures.def, tracks, metrics, error);
  th_measures_free(&measures);
  return result;
}

/* How far people walked; nothing where nobody did. */
static void print_walk(const th_summary *sum) {
  if (!sum->agents) {
    printf("  nobody was there: the scene has no populations and no source brought anyone\n");
    return;
  }
  printf("  %u arrived", sum->arrived);
  if (sum->arrived) printf(", the last after %.1f s", sum->arrival_last);
  if (isfinite(sum->speed_mean))
    printf("; mean speed %.2f m/s, mean path %.1f m\n", sum->speed_mean, sum->path_mean);
  else
    printf("; nobody walked: none has a route to a goal\n");
}

/* Of scenes in which people choose: who left by which goal. */
static void print_exits(const th_metrics *metrics, const th_scene *scene) {
  for (uint32_t i = 0; i < scene->choice_count; i++)
    for (uint32_t k = 0; k < scene->choice[i].option_count; k++) {
      const char *name = scene->choice[i].option[k].goal;
      uint32_t arrived;
      double first, last;
      if (!th_metrics_exit(metrics, name, &arrived, &first, &last)) continue;
      printf("  %s: %u left by %s", scene->choice[i].name, arrived, name);
      if (arrived) printf(", the last after %.1f s", last);
      printf("\n");
    }
}

static void print_measured(const th_metrics *metrics, const th_scene_measure *measure) {
  for (uint32_t i = 0; i < measure->line_count; i++) {
    uint32_t forwards = 0, backwards = 0;
    double flow = NAN;
    if (!th_metrics_line(metrics, measure->line[i].name, &forwards, &backwards, &flow)) continue;
    printf("  line %s: %u crossed it", measure->line[i].name, forwards + backwards);
    if (forwards && backwards) printf(" (%u one way, %u the other)", forwards, backwards);
    if (isfinite(flow) && flow > 0) printf(", flow %.2f /s", flow);
    printf("\n");
  }
  for (uint32_t i = 0; i < measure->area_count; i++) {
    double density = NAN, speed = NAN;
    if (!th_metrics_area(metrics, measure->area[i].name, &density, &speed) || !isfinite(density)) continue;
    double peak = 0.0, when = 0.0;
    (void)th_metrics_area_peak(metrics, measure->area[i].name, &peak, &when);
    printf("  area %s: mean density %.2f /m2", measure->area[i].name, density);
    if (peak > 0) printf(", most %.2f /m2 after %.1f s", peak, when);
    if (isfinite(speed)) printf(", mean speed %.2f m/s", speed);
    printf("\n");
  }
}

/* People who stand for ever: no evacuation time of such a run means anything. */
static void print_motionless(const th_metrics *metrics) {
  th_vec3 first;
  const uint32_t count = th_metrics_motionless(metrics, &first, 1);
  if (!count) return;
  printf("  %u %s: %s not moved for 60 s although %s a path, %s at %.1f, %.1f", count,
         count > 1 ? "people stand" : "person stands", count > 1 ? "they have" : "it has",
         count > 1 ? "they have" : "it has", count > 1 ? "the first" : "it is", (double)first.x, (double)first.y);
  if (first.z != 0.0f) printf(", %.1f", (double)first.z);
  printf("\n");
}

void th_measures_print(const th_metrics *metrics, const th_scene *scene) {
  const th_summary sum = th_metrics_summary(metrics);
  print_walk(&sum);
  if (sum.agents)
    printf("  worst overlap %.1f %%, %llu contacts with walls, %u without a path (lost)\n", 100 * sum.worst_overlap,
           (unsigned long long)sum.wall_contacts, sum.lost);
  if (sum.narrowed > 0.0) {
    printf("  shoulders turned %.0f %% of the time", 100 * sum.narrowed);
    if (isfinite(sum.narrowed_free)) printf(", outside jams %.1f %%", 100 * sum.narrowed_free);
    printf("; full bodies overlapped by up to %.1f %%\n", 100 * sum.worst_full_overlap);
  }
  if (sum.displaced)
    printf("  %u %s moved: an obstacle or a closed door was put where %s stood\n", sum.displaced,
           sum.displaced > 1 ? "were" : "was", sum.displaced > 1 ? "they" : "it");
  if (sum.queued) printf("  %u queued: they got no nearer to their goal for 10 s, behind people who did\n", sum.queued);
  if (sum.stuck)
    printf("  %u were stuck: they got no nearer to their goal for 10 s, with nobody to wait for\n", sum.stuck);
  print_motionless(metrics);
  if (scene) print_exits(metrics, scene);
  if (scene) print_measured(metrics, &scene->measure);
}
