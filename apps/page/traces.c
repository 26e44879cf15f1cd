/* apps/page/traces.c - what the decisions of one agent were made of, as JSON; a page knows their kinds, not their
 * names.
 */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "page.h"

uint32_t th_page_trace(th_page *page, uint32_t agent) {
  th_world *world = th_page_world(page);
  th_agent_id id;
  th_trace_def def = th_world_trace_def(world);
  if (agent == TH_NO_INDEX) {
    def.agents = TH_PAGE_TRACED, def.all = true;
    return (uint32_t)th_world_trace(world, &def, &page->error);
  }
  if (!agent || !th_page_agent(page, agent, &id)) return (uint32_t)th_world_trace(world, NULL, &page->error);
  if (th_world_trace(world, &def, &page->error)) return page->error.code;
  return (uint32_t)th_world_trace_agent(world, id, true, &page->error);
}

/* Numbers that are not finite have no text in JSON. */
static json_t *number(float value) { return isfinite(value) ? json_real((double)value) : json_null(); }

static json_t *describe(const th_trace_item *item, uint32_t agent) {
  json_t *o = json_object();
  json_object_set_new(o, "agent", json_integer(agent));
  json_object_set_new(o, "name", json_string(item->trace->name));
  json_object_set_new(o, "source", json_string(item->source));
  json_object_set_new(o, "unit", json_string(item->trace->unit ? item->trace->unit : ""));
  json_object_set_new(o, "text", json_string(item->trace->text ? item->trace->text : ""));
  json_object_set_new(o, "type", json_integer(item->trace->type));
  json_object_set_new(o, "colour", json_integer(item->trace->colour));
  json_object_set_new(o, "at", th_page_vector(item->at));
  json_object_set_new(o, "a", th_page_vector(item->a));
  json_object_set_new(o, "b", th_page_vector(item->b));
  json_object_set_new(o, "c", th_page_vector(item->c));
  json_object_set_new(o, "value", number(item->value));
  json_object_set_new(o, "columns", json_integer(item->columns));
  json_object_set_new(o, "rows", json_integer(item->rows));
  if (!item->columns) return o;
  json_t *raster = json_array();
  for (uint32_t i = 0; i < item->columns * item->rows; i++) json_array_append_new(raster, number(item->raster[i]));
  json_object_set_new(o, "raster", raster);
  return o;
}

const char *th_page_traces(th_page *page, uint32_t agent) {
  json_t *list = json_array();
  th_agent_id id;
  if (th_page_agent(page, agent, &id)) {
    const th_world *world = th_page_world(page);
    const uint32_t count = th_world_traces(world, id, NULL, 0);
    th_trace_item *item = count ? malloc(count * sizeof *item) : NULL;
    const uint32_t found = item ? th_world_traces(world, id, item, count) : 0;
    for (uint32_t i = 0; i < found; i++) json_array_append_new(list, describe(&item[i], agent));
    free(item);
  }
  return th_page_say(page, list);
}
