/* apps/page/page.c - a run of a scene, made from a text, step by step.
 *
 * The scene is one packed text (throng/scene.h), for a page has no files. One worker: a page's engine has one thread.
 */
#include "page.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

th_page *th_page_make(const char *text, uint32_t length, double seed) {
  th_page *page = calloc(1, sizeof *page);
  if (!page) return NULL;
  json_object_seed((size_t)time(NULL) | 1); /* or it would ask for a file of the system */
  th_scene_def def = th_default_scene_def();
  def.text = text, def.length = length, def.path = "scene";
  if (th_scene_make(&def, &page->scene, &page->error)) return page;
  th_run_def run = th_default_run_def();
  run.scene = page->scene, run.workers = 1, run.history = TH_PAGE_HISTORY;
  run.seed = seed > 0 && seed < 9007199254740992.0 ? (uint64_t)seed : 0;
  th_run_make(&run, &page->run, &page->error);
  return page;
}

void th_page_free(th_page *page) {
  if (!page) return;
  th_run_free(page->run);
  th_scene_free(page->scene);
  for (int i = 0; i < TH_PAGE_COLUMNS; i++) free(page->column[i]);
  for (int i = 0; i < TH_PAGE_DRAWN; i++) free(page->drawn[i].at);
  free(page->events.at);
  free(page->field.at);
  free(page->path.at);
  free(page->markers.at);
  free(page->text);
  json_decref(page->labels);
  free(page);
}

uint32_t th_page_fail(th_page *page, const char *where, const char *text) {
  page->error = (th_error){.code = TH_ERROR_STATE};
  snprintf(page->error.where, sizeof page->error.where, "%s", where);
  snprintf(page->error.text, sizeof page->error.text, "%s", text);
  return TH_ERROR_STATE;
}

void th_page_put(th_page_numbers *numbers, const float *value, uint32_t count) {
  if (numbers->failed) return;
  if (count > numbers->capacity - numbers->count) {
    const uint32_t wanted = 2 * (numbers->capacity + count);
    float *grown = realloc(numbers->at, wanted * sizeof *grown);
    numbers->failed = !grown;
    if (!grown) return;
    numbers->at = grown, numbers->capacity = wanted;
  }
  memcpy(numbers->at + numbers->count, value, count * sizeof *value);
  numbers->count += count;
}

th_goal_id th_page_goal(const th_page *page, uint32_t index) {
  const uint32_t count = th_world_goals(th_page_world(page), NULL, 0);
  th_goal_id *all = malloc((count + 1) * sizeof *all), found = TH_NULL_GOAL;
  if (all) th_world_goals(th_page_world(page), all, count);
  for (uint32_t i = 0; all && i < count; i++)
    if (all[i].index == index) found = all[i];
  free(all);
  return found;
}

uint32_t th_page_failed(const th_page *page) { return !page->run; }

th_world *th_page_world(const th_page *page) { return th_run_world(page->run); }

const char *th_page_say(th_page *page, json_t *root) {
  free(page->text);
  page->text = json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(9));
  json_decref(root);
  return page->text ? page->text : "null";
}

const char *th_page_error(th_page *page) {
  return th_page_say(page, json_pack("{s:s, s:s}", "where", page->error.where, "text", page->error.text));
}

json_t *th_page_vector(th_vec3 vector) {
  const double x = isfinite(vector.x) ? (double)vector.x : 0, y = isfinite(vector.y) ? (double)vector.y : 0;
  return json_pack("[f, f, f]", x, y, isfinite(vector.z) ? (double)vector.z : 0);
}

uint32_t th_page_step(th_page *page) {
  page->answer = (th_run_answer){0};
  return (uint32_t)th_run_step(page->run, &page->error);
}

uint32_t th_page_done(const th_page *page) { return th_run_done(page->run); }

double th_page_time(const th_page *page) { return th_world_time(th_page_world(page)); }

double th_page_steps(const th_page *page) { return (double)th_world_step_count(th_page_world(page)); }

const char *th_page_hash(th_page *page) {
  enum { DIGITS = 17 };
  free(page->text);
  page->text = malloc(DIGITS);
  if (page->text) snprintf(page->text, DIGITS, "%016" PRIx64, th_world_hash(th_page_world(page)));
  return page->text ? page->text : "";
}
