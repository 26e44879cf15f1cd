/* apps/page/deeds.c - what a person does to a run: events of the scene language, their log, and back in time. */
#include <jansson.h>

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
