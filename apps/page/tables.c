/* apps/page/tables.c - every parameter and every trace, from the tables of the library: panels are made from them. */
#include <jansson.h>
#include <math.h>

#include "page.h"
#include "throng/draw.h"
#include "throng/guide.h"
#include "throng/model.h"
#include "throng/param.h"
#include "throng/people.h"
#include "throng/text.h"

static json_t *choices_of(const th_param *p) {
  json_t *list = json_array();
  for (uint32_t k = 0; p->choice && p->choice[k]; k++) json_array_append_new(list, json_string(p->choice[k]));
  return list;
}

/* A range without an end has no number in JSON. */
static json_t *number(double value) { return isfinite(value) ? json_real(value) : json_null(); }

static json_t *describe(const th_param *p) {
  static const char *const type[] = {"float", "int", "bool", "enum", "vec2", "place", "points"};
  json_t *row =
      json_pack("{s:s, s:s, s:s, s:s}", "name", p->name, "type", type[p->type], "unit", p->unit, "text", p->text);
  json_object_set_new(row, "min", number(p->min));
  json_object_set_new(row, "max", number(p->max));
  json_object_set_new(row, "default", number(p->initial));
  if (p->type == TH_PARAM_ENUM) json_object_set_new(row, "choices", choices_of(p));
  return row;
}

static json_t *params_of(const th_param *param, uint32_t count) {
  json_t *list = json_array();
  for (uint32_t i = 0; i < count; i++) json_array_append_new(list, describe(&param[i]));
  return list;
}

static json_t *traces_of(const char *source, const th_trace *row, uint32_t count, json_t *list) {
  static const char *const type[] = {"scalar", "vector", "point", "segment", "line", "raster"};
  for (uint32_t i = 0; i < count; i++)
    json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s, s:s, s:I}", "source", source, "name", row[i].name,
                                          "type", type[row[i].type], "unit", row[i].unit ? row[i].unit : "", "text",
                                          row[i].text ? row[i].text : "", "colour", (json_int_t)row[i].colour));
  return list;
}

static json_t *all_traces(void) {
  json_t *list = json_array();
  uint32_t count;
  const th_trace *rows = th_world_trace_table(&count);
  traces_of("world", rows, count, list);
  rows = th_people_trace_table(&count);
  traces_of("people", rows, count, list);
  for (const th_model *const *m = th_models(); *m; m++) traces_of((*m)->name, (*m)->trace, (*m)->trace_count, list);
  for (const th_guide *const *g = th_guides(); *g; g++) traces_of((*g)->name, (*g)->trace, (*g)->trace_count, list);
  return list;
}

static json_t *all_draw_parts(void) {
  static const char *const name[] = {"walls",  "charts",     "goals", "fields", "agents",
                                     "advice", "neighbours", "links", "ids",    "traces"};
  json_t *list = json_array();
  for (uint32_t i = 0; i < sizeof name / sizeof *name; i++)
    json_array_append_new(
        list, json_pack("{s:s, s:i, s:i}", "name", name[i], "part", 1 << i, "colour", (int)th_draw_colour(1u << i)));
  return list;
}

const char *th_page_tables(th_page *page) {
  json_t *models = json_array(), *guides = json_array();
  uint32_t count;
  for (const th_model *const *m = th_models(); *m; m++)
    json_array_append_new(models, json_pack("{s:s, s:s, s:o}", "name", (*m)->name, "summary", (*m)->summary, "params",
                                            params_of((*m)->param, (*m)->param_count)));
  for (const th_guide *const *g = th_guides(); *g; g++)
    json_array_append_new(guides, json_pack("{s:s, s:s, s:o}", "name", (*g)->name, "summary", (*g)->summary, "params",
                                            params_of((*g)->param, (*g)->param_count)));
  const th_param *people = th_people_table(&count);
  return th_page_say(page, json_pack("{s:o, s:o, s:o, s:o, s:o}", "models", models, "guides", guides, "people",
                                     params_of(people, count), "traces", all_traces(), "draw", all_draw_parts()));
}

const char *th_page_schema(th_page *page) {
  char *text = th_scene_schema();
  json_t *schema = text ? json_loads(text, 0, NULL) : NULL;
  th_text_free(text);
  return th_page_say(page, schema ? schema : json_object());
}
