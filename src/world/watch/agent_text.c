/* world/watch/agent_text.c - everything that makes an agent what it is, as lines of text.
 *
 * Own numbers come from the lists of world/agent/members.h, parameters from the tables of the agent's model, guide and
 * people, so a new one needs no line here. Values are those that th_param_set takes. Cost: linear in the text.
 */
#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"
#include "base/number.h"
#include "throng/guide.h"
#include "throng/model.h"
#include "throng/param.h"
#include "throng/people.h"
#include "throng/watch.h"
#include "world/agent/members.h"
#include "world/world.h"

typedef struct lines {
  char *text;
  size_t size, used;
} lines;

static void add(lines *l, const char *format, ...) TH_PRINTF(2, 3);
static void add(lines *l, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const bool room = l->used < l->size;
  l->used += (size_t)vsnprintf(room ? l->text + l->used : NULL, room ? l->size - l->used : 0, format, arguments);
  va_end(arguments);
}

static void add_number(lines *l, const char *name, float value) {
  char text[TH_NUMBER_ROOM];
  add(l, "%s %s\n", name, th_number_of_float(text, value));
}

static void add_pair(lines *l, const char *name, th_vec2 value) {
  char x[TH_NUMBER_ROOM], y[TH_NUMBER_ROOM];
  add(l, "%s %s %s\n", name, th_number_of_float(x, value.x), th_number_of_float(y, value.y));
}

static void add_params(lines *l, const char *of, const th_param *row, uint32_t count, const void *values) {
  char text[TH_PARAM_TEXT_MAX];
  for (uint32_t i = 0; i < count && values; i++) {
    th_param_get(&row[i], values, text, sizeof text);
    add(l, "%s.%s %s%s%s\n", of, row[i].name, text, row[i].unit && *row[i].unit ? " " : "",
        row[i].unit ? row[i].unit : "");
  }
}

static void add_own(lines *l, const th_agent_def *def) {
#define NUMBER(to, type, member, initial, min, max, draw) add_number(l, #member, def->member);
#define WORD(to, type, member, initial) add(l, #member " %u\n", (unsigned)def->member);
#define PAIR(member, limit) add_pair(l, #member, def->member);
  TH_AGENT_NUMBERS(NUMBER, NUMBER, )
  TH_AGENT_WORDS(WORD, )
  TH_AGENT_PAIRS(PAIR)
#undef PAIR
#undef WORD
#undef NUMBER
  add(l, "external %s\nloop %s\nremove %s\n", def->external ? "true" : "false", def->loop ? "true" : "false",
      def->remove ? "true" : "false");
}

static void add_route(lines *l, const th_world *world, const th_agent_def *def) {
  for (uint32_t i = 0; i < def->route_count; i++) {
    th_goal_def goal;
    char wait[TH_NUMBER_ROOM];
    const bool known =
        th_world_has_goal(world, def->route[i].goal) && th_world_goal_def(world, def->route[i].goal, &goal);
    add(l, "route.%u %s wait %s s\n", i, known && goal.name ? goal.name : "?",
        th_number_of_float(wait, def->route[i].wait));
  }
  for (uint32_t i = 0; i < def->link_count; i++)
    add(l, "link.%u role %u agent %u\n", i, def->link[i].role, def->link[i].agent.index);
}

size_t th_world_agent_text(const th_world *world, th_agent_id agent, char *text, size_t size) {
  th_agent_def def;
  lines l = {text, size, 0};
  if (size) *text = 0;
  if (!th_world_agent_def(world, agent, &def)) return 0;
  const th_vec3 at = def.point;
  char x[TH_NUMBER_ROOM], y[TH_NUMBER_ROOM], z[TH_NUMBER_ROOM];
  add(&l, "agent %u\npoint %s %s %s m\n", agent.index, th_number_of_float(x, at.x), th_number_of_float(y, at.y),
      th_number_of_float(z, at.z));
  add_own(&l, &def);
  add_route(&l, world, &def);
  add(&l, "model %s\n", def.model->name);
  add_params(&l, def.model->name, def.model->param, def.model->param_count, def.params);
  if (!th_is_null_guide(def.guide) && th_world_has_guide(world, def.guide)) {
    const th_guide *kind = th_world_guide_kind(world, def.guide);
    add(&l, "guide %s\n", kind->name);
    add_params(&l, kind->name, kind->param, kind->param_count, th_world_guide_params(world, def.guide));
  }
  uint32_t rows;
  const th_param *table = th_people_table(&rows);
  add(&l, "people %s\n", def.people ? "true" : "false");
  add_params(&l, "people", table, rows, def.people);
  return l.used;
}
