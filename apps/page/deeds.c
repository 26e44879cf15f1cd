/* apps/page/deeds.c - what a person does to a run: events of the scene language, their log, and back in time. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "page.h"

uint32_t th_page_do(th_page *page, const char *event) {
  return (uint32_t)th_run_do(page->run, event, &page->answer, &page->error);
}

const char *th_page_answer(th_page *page) {
  const th_run_answer *a = &page->answer;
  json_t *agents = json_array();
  for (uint32_t i = 0; i < a->agent_count; i++) json_array_append_new(agents, json_integer(a->agent[i].index));
  return th_page_say(page, json_pack("{s:o, s:I, s:I, s:I, s:I}", "agents", agents, "goal", (json_int_t)a->goal.index,
                                     "guide", (json_int_t)a->guide.index, "source", (json_int_t)a->source.index,
                                     "group", (json_int_t)a->group.index));
}

const char *th_page_log(th_page *page) {
  json_t *list = json_array();
  for (uint32_t i = 0; i < th_run_log_count(page->run); i++)
    json_array_append_new(list, json_pack("{s:I, s:o}", "step", (json_int_t)th_run_log_when(page->run, i), "event",
                                          json_loads(th_run_log_text(page->run, i), 0, NULL)));
  return th_page_say(page, list);
}

uint32_t th_page_go_to(th_page *page, double step) {
  if (!(step >= 0 && step < 9007199254740992.0)) return th_page_fail(page, "step", "expected a step from 0 on");
  page->answer = (th_run_answer){0};
  return (uint32_t)th_run_go_to(page->run, (uint64_t)step, &page->error);
}

/* The texts of the log from `first` on, which cutting it frees. */
static char **copy_log(const th_run *run, uint32_t first, uint32_t count) {
  char **text = calloc(count + 1, sizeof *text);
  for (uint32_t i = 0; text && i < count; i++) {
    const char *from = th_run_log_text(run, first + i);
    text[i] = malloc(strlen(from) + 1);
    if (text[i]) strcpy(text[i], from);
  }
  return text;
}

static void free_texts(char **text, uint32_t count) {
  for (uint32_t i = 0; text && i < count; i++) free(text[i]);
  free(text);
}

/* Back to the beginning of the step, then all again that was done in it, but the last. */
uint32_t th_page_undo(th_page *page) {
  th_run *run = page->run;
  const uint32_t done = th_run_log_done(run);
  if (!done) return 0;
  const uint64_t step = th_run_log_when(run, done - 1);
  uint32_t first = done - 1;
  while (first && th_run_log_when(run, first - 1) == step) first--;
  const uint32_t count = done - 1 - first;
  char **text = copy_log(run, first, count);
  if (!text) return th_page_fail(page, "undo", "out of memory");
  page->answer = (th_run_answer){0};
  th_result result = th_run_go_to(run, step, &page->error);
  if (result == TH_OK) th_run_log_cut(run);
  for (uint32_t i = 0; i < count && result == TH_OK; i++)
    result = text[i] ? th_run_do(run, text[i], &page->answer, &page->error)
                     : (th_result)th_page_fail(page, "undo", "out of memory");
  free_texts(text, count);
  return (uint32_t)result;
}
