/* apps/page/listing.c - one agent in words and by tables, and who stands at a point. */
#include <jansson.h>
#include <stdlib.h>

#include "io/scene/run.h"
#include "page.h"
#include "throng/guide.h"
#include "throng/model.h"
#include "throng/param.h"
#include "throng/people.h"
#include "throng/watch.h"

const char *th_page_agent_text(th_page *page, uint32_t agent) {
  th_agent_id id;
  if (!th_page_agent(page, agent, &id)) return "";
  const size_t length = th_world_agent_text(th_page_world(page), id, NULL, 0);
  free(page->text);
  page->text = malloc(length + 1);
  if (!page->text) return "";
  page->text[0] = 0;
  th_world_agent_text(th_page_world(page), id, page->text, length + 1);
  return page->text;
}

/* The name of a goal or a guide of the run; "" without one. */
static const char *name_of(const th_page *page, th_named kind, uint32_t index) {
  const th_run_list *list = &page->run->list[kind];
  for (uint32_t i = list->count; index && i-- > 0;)
    if (!list->item[i].gone && list->item[i].id.index == index && list->item[i].name) return list->item[i].name;
  return "";
}

static json_t *route_of(const th_page *page, const th_agent_def *def) {
  json_t *route = json_array();
  for (uint32_t i = 0; i < def->route_count; i++)
    json_array_append_new(route, json_pack("{s:s, s:f}", "goal", name_of(page, TH_NAMED_GOAL, def->route[i].goal.index),
                                           "wait", (double)def->route[i].wait));
  return route;
}

static json_t *links_of(const th_agent_def *def) {
  static const char *const role[] = {"", "leader", "partner", "target", "focus", "pursuer"};
  json_t *links = json_array();
  for (uint32_t i = 0; i < def->link_count; i++) {
    const th_link_def *link = &def->link[i];
    const char *is = link->role < sizeof role / sizeof *role ? role[link->role] : "";
    json_t *one = json_pack("{s:s}", "role", is);
    if (link->to_point)
      json_object_set_new(one, "point", th_page_vector(link->point));
    else
      json_object_set_new(one, "agent", json_integer((json_int_t)link->agent.index));
    json_array_append_new(links, one);
  }
  return links;
}

const char *th_page_agent_now(th_page *page, uint32_t agent) {
  th_agent_id id;
  th_agent_def def;
  uint32_t rows;
  if (!th_page_agent(page, agent, &id) || !th_world_agent_def(th_page_world(page), id, &def))
    return th_page_say(page, json_null());
  const th_param *people = th_people_table(&rows);
  json_t *now = json_object();
  json_object_set_new(now, "model", json_string(def.model->name));
  json_object_set_new(now, "guide", json_string(name_of(page, TH_NAMED_GUIDE, def.guide.index)));
  json_object_set_new(now, "route", route_of(page, &def));
  json_object_set_new(now, "links", links_of(&def));
  json_object_set_new(now, "params", th_page_params(def.model->param, def.model->param_count, def.params));
  json_object_set_new(now, "people", def.people ? th_page_params(people, rows, def.people) : json_null());
  return th_page_say(page, now);
}

uint32_t th_page_nearest(const th_page *page, const float *point, float reach) {
  return th_world_nearest(th_page_world(page), (th_vec3){point[0], point[1], point[2]}, reach, NULL).index;
}
