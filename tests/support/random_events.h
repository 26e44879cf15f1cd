/* tests/support/random_events.h - events of all kinds drawn from a seed, for the worlds of event_cases.h. Most can
 * happen, some cannot: what they name may be gone, or there may be no room. */
#ifndef TESTS_RANDOM_EVENTS_H
#define TESTS_RANDOM_EVENTS_H

#include "base/random.h"
#include "support/event_cases.h"

typedef struct random_events {
  uint64_t seed, drawn;
  bool mesh;
} random_events;

static inline uint32_t event_draw(random_events *r, uint32_t below) {
  return (uint32_t)(th_random(r->seed, 0xe7e47, 0, r->drawn++) % below);
}

static inline double event_real(random_events *r, double low, double high) {
  return low + (high - low) * (double)event_draw(r, 10000) / 10000.0;
}

static inline const char *event_pick(random_events *r, const char *const *list, uint32_t count) {
  return list[event_draw(r, count)];
}

#define EVENT_PICK(r, ...) \
  event_pick(r, (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))
#define EVENT_GOAL(r) EVENT_PICK(r, "east", "west", "north", "south")
#define EVENT_STOP(r) EVENT_PICK(r, "east", "west", "north", "either", "exits")
#define EVENT_CROWD(r) EVENT_PICK(r, "walkers", "strollers", "guests", "others")

static inline void event_box(random_events *r, double size, char box[80]) {
  const double x = event_real(r, 0.5, 19.0 - size), y = event_real(r, 0.5, 9.3 - size);
  snprintf(box, 80, "\"rectangle\": [[%.3f, %.3f], [%.3f, %.3f]]", x, y, x + size, y + size);
}

static inline const char *event_whom(random_events *r, char whom[120]) {
  char box[80];
  event_box(r, 4.0, box);
  switch (event_draw(r, 4)) {
    case 0:
      snprintf(whom, 120, "\"population\": \"%s\"", EVENT_CROWD(r));
      break;
    case 1:
      snprintf(whom, 120, "\"agents\": [%u, %u]", 1 + event_draw(r, 8), 1 + event_draw(r, 14));
      break;
    case 2:
      snprintf(whom, 120, "\"group\": \"%s\"", EVENT_PICK(r, "band", "pair"));
      break;
    default:
      snprintf(whom, 120, "\"region\": {%s}", box);
  }
  return whom;
}

/* What changes of agents say. */
static inline const char *event_about(random_events *r, char about[160]) {
  switch (event_draw(r, 6)) {
    case 0:
      snprintf(about, 160, "\"speed\": {\"mean\": %.2f, \"spread\": 0.1}", event_real(r, 0.5, 1.6));
      break;
    case 1:
      snprintf(about, 160, "\"route\": [\"%s\", \"%s\"], \"loop\": true", EVENT_STOP(r), EVENT_STOP(r));
      break;
    case 2:
      snprintf(about, 160, "\"guide\": \"%s\"", EVENT_PICK(r, "path", "curious", "tour"));
      break;
    case 3:
      snprintf(about, 160, "\"model\": \"%s\"", EVENT_PICK(r, "orca", "follow", "steering", "bvp"));
      break;
    case 4:
      snprintf(about, 160, "\"radius\": %.2f, \"people\": %s", event_real(r, 0.15, 0.3),
               EVENT_PICK(r, "true", "false"));
      break;
    default:
      snprintf(about, 160, "\"v\": [%.2f, 1], \"eps\": 0.5, \"layers\": %u, \"links\": {\"leader\": \"%s\"}",
               event_real(r, -1, 1), 1 + event_draw(r, 3), EVENT_CROWD(r));
  }
  return about;
}

static inline void event_of_agents(random_events *r, const th_run *run, uint32_t kind, char *text, size_t size) {
  char box[80], whom[120], about[160];
  const double x = event_real(r, 0.5, 19.5), y = event_real(r, 0.5, 9.5);
  event_box(r, 3.0, box);
  switch (kind) {
    case 0:
    case 1:
    case 2:
    case 3:
      snprintf(text, size, "{\"change\": {%s, %s}}", event_whom(r, whom), event_about(r, about));
      break;
    case 4:
    case 5:
      snprintf(text, size, "{\"enter\": {\"name\": \"%s\", \"count\": %u, \"region\": {%s}, %s}}",
               EVENT_PICK(r, "guests", "others", "strollers"), 1 + event_draw(r, 3), box, event_about(r, about));
      break;
    case 6:
      snprintf(text, size, "{\"leave\": {\"region\": {%s}}}", box);
      break;
    case 7:
      snprintf(text, size, "{\"dismiss\": \"%s\"}", EVENT_PICK(r, "guests", "others", "strollers"));
      break;
    case 8:
      snprintf(text, size, "{\"place\": {\"agents\": [%u], \"points\": [[%.3f, %.3f]]}}", 1 + event_draw(r, 14), x, y);
      break;
    case 9:
      snprintf(text, size, "{\"drive\": {\"agents\": [%u], \"points\": [[%.3f, %.3f]], \"velocities\": [[1, 0.5]]}}",
               7 + event_draw(r, 2), x, y);
      break;
    case 10:
      snprintf(text, size, "{\"push\": {%s, \"velocity\": [%.2f, 0.5, 0]}}", event_whom(r, whom), event_real(r, -2, 2));
      break;
    case 11:
      event_accept(run, text, size);
      break;
    case 12:
      snprintf(text, size, "{\"send\": {%s, \"point\": [%.2f, %.2f]}}", event_whom(r, whom), x, y);
      break;
    default:
      snprintf(text, size, "{\"link\": {%s, \"links\": [{\"role\": \"target\", \"point\": [%.2f, %.2f]}]}}",
               event_whom(r, whom), x, y);
  }
}

static inline void event_of_ground(random_events *r, uint32_t kind, char *text, size_t size) {
  char box[80];
  event_box(r, 1.5, box);
  switch (kind) {
    case 0:
      snprintf(text, size, "{\"%s\": \"%s\"}", EVENT_PICK(r, "open", "close"), EVENT_PICK(r, "exit", "side"));
      break;
    case 1:
      snprintf(text, size, "{\"add\": {\"name\": \"%s\", %s}}", EVENT_PICK(r, "crate", "box"), box);
      break;
    case 2:
      snprintf(text, size, "{\"remove\": \"%s\"}", EVENT_PICK(r, "crate", "box", "desk"));
      break;
    case 3:
      snprintf(text, size, "{\"obstacle\": {\"name\": \"%s\", %s}}", EVENT_PICK(r, "crate", "desk"), box);
      break;
    case 4:
      snprintf(text, size, "{\"door\": {\"name\": \"%s\", \"closed\": %s, %s}}", EVENT_PICK(r, "exit", "side"),
               EVENT_PICK(r, "true", "false"), box);
      break;
    case 5:
      snprintf(text, size, "{\"remove_door\": \"%s\"}", EVENT_PICK(r, "exit", "side"));
      break;
    default:
      if (r->mesh)
        snprintf(text, size, "{\"deform\": {\"vertices\": [%u], \"points\": [[%.2f, %.2f, %.2f]]}}", event_draw(r, 60),
                 event_real(r, 0, 20), event_real(r, 0, 10), event_real(r, 0, 0.3));
      else
        snprintf(text, size, "{\"dt\": %s}", EVENT_PICK(r, "0.1", "0.05", "0.08"));
  }
}

static inline void event_of_things(random_events *r, uint32_t kind, char *text, size_t size) {
  const double x = event_real(r, 0.5, 19.5), y = event_real(r, 0.5, 9.5);
  switch (kind) {
    case 0:
      snprintf(text, size, "{\"move\": {\"goal\": \"%s\", \"point\": [%.3f, %.3f]}}", EVENT_GOAL(r), x, y);
      break;
    case 1:
    case 2:
      snprintf(text, size, "{\"goal\": {\"name\": \"%s\", \"point\": [%.3f, %.3f], \"field\": \"%s\", \"sink\": %s}}",
               EVENT_GOAL(r), x, y, EVENT_PICK(r, "roomy", "geodesic", "harmonic"), EVENT_PICK(r, "true", "false"));
      break;
    case 3:
      snprintf(text, size, "{\"remove_goal\": \"%s\"}", EVENT_GOAL(r));
      break;
    case 4:
      snprintf(text, size, "{\"guide\": {\"name\": \"%s\", \"path\": {\"points\": [[%.2f, %.2f], [%.2f, 5]]}}}",
               EVENT_PICK(r, "path", "tour"), x, y, 20 - x);
      break;
    case 5:
      snprintf(text, size, "{\"guide\": {\"name\": \"curious\", \"explore\": {\"sight\": %.2f}}}", event_real(r, 2, 5));
      break;
    case 6:
      snprintf(text, size, "{\"remove_guide\": \"%s\"}", EVENT_PICK(r, "path", "tour", "curious"));
      break;
    case 7:
      snprintf(text, size,
               "{\"source\": {\"name\": \"%s\", \"region\": {\"rectangle\": [[1, 1], [3, 3]]}, \"rate\": %.2f, "
               "\"total\": 3, \"route\": [\"%s\"]}}",
               EVENT_PICK(r, "gate", "lift"), event_real(r, 0.1, 3), EVENT_STOP(r));
      break;
    case 8:
      snprintf(text, size, "{\"remove_source\": \"%s\"}", EVENT_PICK(r, "gate", "lift"));
      break;
    case 9:
      snprintf(text, size, "{\"group\": {\"name\": \"%s\", \"populations\": [\"%s\"], \"align\": \"both\"}}",
               EVENT_PICK(r, "band", "pair"), EVENT_CROWD(r));
      break;
    case 10:
      snprintf(text, size,
               "{\"choice\": {\"name\": \"%s\", \"rule\": \"%s\", \"follow\": %.2f, \"every\": 0.5, \"options\": "
               "[{\"goal\": \"%s\"}, {\"goal\": \"%s\", \"known\": 0.5}]}}",
               EVENT_PICK(r, "either", "exits"), EVENT_PICK(r, "nearest", "shares", "time"), event_real(r, 0, 1),
               EVENT_GOAL(r), EVENT_GOAL(r));
      break;
    case 11:
      snprintf(text, size, "{\"remove_choice\": \"%s\"}", EVENT_PICK(r, "either", "exits"));
      break;
    default:
      snprintf(text, size, "{\"remove_group\": \"%s\"}", EVENT_PICK(r, "band", "pair"));
  }
}

static inline const char *event_random(random_events *r, const th_run *run, char *text, size_t size) {
  const uint32_t kind = event_draw(r, 10);
  if (kind < 5) event_of_agents(r, run, event_draw(r, 14), text, size);
  if (kind >= 5 && kind < 7) event_of_ground(r, event_draw(r, 7), text, size);
  if (kind >= 7) event_of_things(r, event_draw(r, 13), text, size);
  return text;
}

#endif
