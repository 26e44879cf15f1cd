/* io/scene/events/act_links.c - resolves the names in events.
 *
 * Of a scene's event every name must be one that a list of the scene has, or that an event makes; of an event by hand,
 * one that the run has now. Cost: names times lists.
 */
#include <string.h>

#include "io/scene/events/events.h"

/* One name below the reader's position. */
static th_result link_key(th_scene_reader *reader, const th_scene *scene, th_named kind, const char *key,
                          const char *name, uint32_t *index) {
  uint32_t unused;
  if (!name) return TH_OK;
  const size_t mark = th_reader_enter(reader, key);
  th_result result = th_scene_link_name(reader, scene, kind, name, index ? index : &unused);
  if (!result) th_reader_back(reader, mark);
  return result;
}

static th_result link_whom(th_scene_reader *reader, const th_scene *scene, const th_scene_whom *whom, uint32_t *index) {
  th_result result = link_key(reader, scene, TH_NAMED_POPULATION, "population", whom->population, index);
  return result ? result : link_key(reader, scene, TH_NAMED_GROUP, "group", whom->group, NULL);
}

static th_result link_people(th_scene_reader *reader, const th_scene *scene, th_scene_crowd *crowd) {
  th_result result = th_scene_people_link(reader, scene, crowd);
  return result ? result : th_scene_link_crowd(reader, scene, crowd);
}

#define LINK(name) th_result th_act_link_##name(th_scene_reader *reader, const th_scene *scene, th_scene_event *event)
#define NOTHING(name)                       \
  LINK(name) {                              \
    (void)reader, (void)scene, (void)event; \
    return TH_OK;                           \
  }

LINK(add) { return th_scene_link_outline(reader, scene, event->area); }
LINK(obstacle) { return th_scene_link_outline(reader, scene, event->area); }
LINK(door) { return th_scene_link_outline(reader, scene, event->area); }
LINK(move) { return link_key(reader, scene, TH_NAMED_GOAL, "goal", event->name, &event->index); }
LINK(leave) { return link_whom(reader, scene, event->whom, NULL); }
LINK(push) { return link_whom(reader, scene, &event->push->whom, NULL); }
LINK(send) { return link_whom(reader, scene, &event->send->whom, NULL); }
LINK(link) { return link_whom(reader, scene, &event->relink->whom, NULL); }
LINK(choice) { return th_scene_choices_link(reader, scene, event->choice); }
LINK(group) { return th_scene_link_group(reader, scene, event->group); }
/* Those who enter may know each other. */
LINK(enter) {
  th_scene_links *links = &event->enter->crowd.links;
  const th_scene_links all = *links;
  for (int role = TH_ROLE_LEADER; role <= TH_ROLE_PURSUER; role++)
    if (links->name[role] && strcmp(links->name[role], event->name) == 0) links->name[role] = NULL;
  th_result result = th_scene_link_population(reader, scene, event->enter);
  *links = all;
  return result;
}
/* A stop names a goal or a choice. */
LINK(goal) {
  if (!th_scene_link_known(reader, scene, TH_NAMED_CHOICE, event->name)) return TH_OK;
  th_reader_enter(reader, "name");
  return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected a name that no choice has, found \"%.60s\" again",
                        event->name);
}
LINK(source) { return link_people(reader, scene, &event->source->crowd); }
LINK(change) {
  th_result result = link_people(reader, scene, &event->change->crowd);
  return result ? result : link_whom(reader, scene, &event->change->whom, &event->index);
}
NOTHING(guide)
NOTHING(place)
NOTHING(drive)
NOTHING(accept)
NOTHING(deform)

th_result th_act_link_event(th_scene_reader *reader, const th_scene *scene, th_scene_event *event) {
  const th_act_row *row = &th_act_rows[event->act];
  const size_t mark = th_reader_enter(reader, row->name);
  th_result result = row->link ? row->link(reader, scene, event) : TH_OK;
  if (row->of != TH_NAMED_NONE) result = th_scene_link_name(reader, scene, row->of, event->name, &event->index);
  if (!result) th_reader_back(reader, mark);
  return result;
}
