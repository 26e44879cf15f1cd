/* world/events.c - what happened, as an array in a fixed order.
 *
 * Events are sorted by (kind, agent), so their order does not depend on rows. When the array is full, further events
 * are counted.
 */
#include "world/events.h"

#include <string.h>

#include "world/world.h"

static void add(th_world *world, th_event event) {
  event.step = world->step;
  if (world->event_count == world->def.event_capacity)
    world->counters.dropped_events++;
  else
    world->event[world->event_count++] = event;
}

void th_events_begin(th_world *world) {
  if (world->events_begun) return;
  world->event_count = 0;
  world->events_begun = true;
}

void th_event_add(th_world *world, th_event_kind kind, th_agent_id agent, uint32_t goal) {
  th_id id = goal ? th_ids_at(&world->goals.ids, goal - 1) : (th_id){0};
  add(world, (th_event){.kind = kind, .agent = agent, .goal = {id.index, id.generation, id.tag}});
}

void th_event_add_emitted(th_world *world, th_event_kind kind, th_agent_id agent, uint32_t source) {
  th_id id = th_ids_at(&world->sources.ids, source - 1);
  add(world, (th_event){.kind = kind, .agent = agent, .source = {id.index, id.generation, id.tag}});
}

static int compare(const void *left, const void *right) {
  const th_event *a = left, *b = right;
  if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
  if (a->agent.index != b->agent.index) return a->agent.index < b->agent.index ? -1 : 1;
  return (a->agent.generation > b->agent.generation) - (a->agent.generation < b->agent.generation);
}

/* Insertion sort: stable, allocates nothing (qsort may), and events come nearly sorted in small numbers. Long lists
 * are cut into sorted runs by a bottom-up shell pattern. */
void th_events_sort(th_world *world) {
  th_event *event = world->event;
  uint32_t count = world->event_count, gap = 1;
  while (gap < count / 9) gap = 3 * gap + 1;
  for (; gap > 0; gap /= 3) {
    for (uint32_t i = gap; i < count; i++) {
      th_event held = event[i];
      uint32_t k = i;
      for (; k >= gap && compare(&event[k - gap], &held) > 0; k -= gap) event[k] = event[k - gap];
      event[k] = held;
    }
  }
}

const th_event *th_world_events(const th_world *world, uint32_t *count) {
  *count = 0;
  if (th_no_world(world, __func__)) return NULL;
  *count = world->event_count;
  return world->event;
}

/* Without a default, so that the compiler names a kind that has no word. */
const char *th_event_word(th_event_kind kind) {
  switch (kind) {
    case TH_EVENT_ARRIVED:
      return "arrived";
    case TH_EVENT_UNREACHABLE:
      return "unreachable";
    case TH_EVENT_REMOVED:
      return "removed";
    case TH_EVENT_STUCK:
      return "stuck";
    case TH_EVENT_ADDED:
      return "added";
    case TH_EVENT_FULL:
      return "full";
    case TH_EVENT_DISPLACED:
      return "displaced";
    case TH_EVENT_REFUSED:
      return "refused";
    case TH_EVENT_SET_OFF:
      return "set_off";
    case TH_EVENT_LINK_GONE:
      return "link_gone";
    case TH_EVENT_QUEUES:
      return "queues";
    case TH_EVENT_JOINED:
      return "joined";
    case TH_EVENT_LEFT:
      return "left";
  }
  return NULL;
}

bool th_event_of_word(const char *word, th_event_kind *kind) {
  for (int k = 0; th_event_word((th_event_kind)k); k++) {
    *kind = (th_event_kind)k;
    if (strcmp(word, th_event_word(*kind)) == 0) return true;
  }
  return false;
}
