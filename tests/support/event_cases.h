/* tests/support/event_cases.h - two small worlds, flat and mesh, and a good and a bad event for every row of the
 * vocabulary. Agents 1 to 6 walk, 7 and 8 are external. */
#ifndef TESTS_EVENT_CASES_H
#define TESTS_EVENT_CASES_H

#include <stdio.h>
#include <string.h>

#include "io/scene/events/acts.h"
#include "support/scene_runs.h"
#include "throng/run.h"

/* Markers are made again round all that an event changes; 0.5 m apart they are a sixth of the usual ones. */
#define EVENT_FLAT                                                                                         \
  "{\"outline\": [{\"rectangle\": [[0, 0], [20, 10]]}], \"cell\": 0.25, \"markers\": {\"distance\": 0.5}," \
  " \"doors\": [{\"name\": \"exit\", \"rectangle\": [[12, 0], [12.5, 10]]}],"                              \
  " \"obstacles\": [{\"name\": \"desk\", \"rectangle\": [[9, 8], [11, 9]]}]}"
#define EVENT_MESH                                                                                             \
  "{\"mesh\": {\"make\": {\"shape\": \"plane\", \"length\": 20, \"width\": 10, \"edge\": 0.8}}, \"markers\": " \
  "{\"distance\": 0.5},"                                                                                       \
  " \"doors\": [{\"name\": \"exit\", \"rectangle\": [[12, 0], [13.5, 10]]}],"                                  \
  " \"obstacles\": [{\"name\": \"desk\", \"rectangle\": [[8, 7.5], [11, 9.5]]}]}"

/* %s: the ground, then more members. */
#define EVENT_WORLD                                                                                         \
  "{\"version\": 1, \"name\": \"events\", \"duration\": 200, \"ground\": %s,"                               \
  " \"goals\": [{\"name\": \"east\", \"point\": [19, 5]}, {\"name\": \"west\", \"point\": [1, 5]}],"        \
  " \"choices\": [{\"name\": \"either\", \"options\": [{\"goal\": \"east\"}, {\"goal\": \"west\"}]}],"      \
  " \"guides\": [{\"name\": \"curious\", \"explore\": {\"sight\": 3}},"                                     \
  "  {\"name\": \"path\", \"path\": {\"points\": [[2, 1], [10, 1], [18, 1]]}}],"                            \
  " \"populations\": [{\"name\": \"walkers\", \"count\": 4, \"region\": {\"rectangle\": [[1, 2], [5, 8]]}," \
  "   \"speed\": {\"mean\": 1.3, \"spread\": 0.1}, \"route\": [\"east\", \"west\"], \"loop\": true},"       \
  "  {\"name\": \"strollers\", \"positions\": [[2, 1], [3, 0.8]], \"guide\": \"path\"},"                    \
  "  {\"name\": \"puppets\", \"positions\": [[10, 3], [10, 7]], \"external\": true}],"                      \
  " \"sources\": [{\"name\": \"gate\", \"region\": {\"rectangle\": [[1, 8.5], [5, 9.5]]}, \"rate\": 0.5,"   \
  "   \"route\": [\"east\"]}],"                                                                             \
  " \"groups\": [{\"name\": \"band\", \"populations\": [\"walkers\"]}] %s}"

typedef struct event_case {
  th_scene_act act;
  const char *good, *bad;
  bool mesh_only;
} event_case;

static const event_case event_cases[] = {
    {TH_ACT_OPEN, "{\"open\": \"exit\"}", "{\"open\": \"exi\"}", false},
    {TH_ACT_CLOSE, "{\"close\": \"exit\"}", "{\"close\": \"nobody\"}", false},
    {TH_ACT_ADD, "{\"add\": {\"name\": \"crate\", \"rectangle\": [[6, 3], [8, 5]]}}",
     "{\"add\": {\"name\": \"desk\", \"rectangle\": [[6, 3], [8, 5]]}}", false},
    {TH_ACT_REMOVE, "{\"remove\": \"desk\"}", "{\"remove\": \"desks\"}", false},
    {TH_ACT_MOVE, "{\"move\": {\"goal\": \"east\", \"point\": [16, 8]}}",
     "{\"move\": {\"goal\": \"east\", \"point\": [70, 8]}}", false},
    {TH_ACT_CHANGE, "{\"change\": {\"group\": \"band\", \"speed\": 0.6, \"v\": [1, 0], \"eps\": 0.5, \"loop\": false}}",
     "{\"change\": {\"agents\": [1, 2, 3], \"guide\": \"path\", \"model\": \"steering\", \"params\": {\"leader_type\": "
     "1e30}}}",
     false},
    {TH_ACT_DISMISS, "{\"dismiss\": \"strollers\"}", "{\"dismiss\": \"stroller\"}", false},
    {TH_ACT_GROUP, "{\"group\": {\"name\": \"pair\", \"populations\": [\"strollers\"], \"leader\": \"strollers\"}}",
     "{\"group\": {\"name\": \"pair\", \"populations\": [\"strollers\"], \"leader\": \"walkers\"}}", false},
    {TH_ACT_ENTER,
     "{\"enter\": {\"name\": \"guests\", \"count\": 3, \"region\": {\"rectangle\": [[14, 1], [18, 9]]}, \"route\": "
     "[\"west\"], \"links\": {\"leader\": \"guests\"}}}",
     "{\"enter\": {\"name\": \"guests\", \"positions\": [[14, 6], [50, 6]], \"route\": [\"west\"]}}", false},
    {TH_ACT_LEAVE, "{\"leave\": {\"region\": {\"rectangle\": [[0, 0], [10, 10]]}}}",
     "{\"leave\": {\"agents\": [1, 100]}}", false},
    {TH_ACT_PLACE, "{\"place\": {\"agents\": [1, 2], \"points\": [[16, 4], [16, 6]]}}",
     "{\"place\": {\"agents\": [1, 2], \"points\": [[16, 4], [70, 6]]}}", false},
    {TH_ACT_DRIVE,
     "{\"drive\": {\"agents\": [7, 8], \"points\": [[7, 3], [7, 6]], \"velocities\": [[1, 0], [0, 1]], "
     "\"headings\": [[1, 0], [0, 1]]}}",
     "{\"drive\": {\"agents\": [7, 1], \"points\": [[7, 3], [7, 6]]}}", false},
    {TH_ACT_ACCEPT, NULL, "{\"accept\": {\"points\": [[10, 5]]}}", false},
    {TH_ACT_PUSH, "{\"push\": {\"population\": \"walkers\", \"velocity\": [0, 2, 0]}}",
     "{\"push\": {\"population\": \"walkers\", \"velocity\": [0, 99, 99]}}", false},
    {TH_ACT_SEND, "{\"send\": {\"group\": \"band\", \"point\": [4, 8]}}",
     "{\"send\": {\"agents\": [1, 99], \"point\": [4, 8]}}", false},
    {TH_ACT_LINK,
     "{\"link\": {\"agents\": [2, 3], \"links\": [{\"role\": \"leader\", \"agent\": 1}, {\"role\": \"focus\", "
     "\"point\": [10, 5]}]}}",
     "{\"link\": {\"agents\": [2, 3], \"links\": [{\"role\": \"leader\", \"agent\": 99}]}}", false},
    {TH_ACT_GOAL,
     "{\"goal\": {\"name\": \"east\", \"disc\": {\"centre\": [17, 7], \"radius\": 1}, \"field\": \"geodesic\", "
     "\"sink\": true}}",
     "{\"goal\": {\"name\": \"new\", \"point\": [80, 7]}}", false},
    {TH_ACT_REMOVE_GOAL, "{\"remove_goal\": \"east\"}", "{\"remove_goal\": \"North\"}", false},
    {TH_ACT_CHOICE,
     "{\"choice\": {\"name\": \"exits\", \"rule\": \"shares\", \"options\": [{\"goal\": \"east\", \"share\": 2}, "
     "{\"goal\": \"west\"}]}}",
     "{\"choice\": {\"name\": \"exits\", \"options\": [{\"goal\": \"east\"}, {\"goal\": \"east\"}]}}", false},
    {TH_ACT_REMOVE_CHOICE, "{\"remove_choice\": \"either\"}", "{\"remove_choice\": \"neither\"}", false},
    {TH_ACT_GUIDE, "{\"guide\": {\"name\": \"path\", \"path\": {\"points\": [[2, 9], [18, 5]]}}}",
     "{\"guide\": {\"name\": \"path\", \"path\": {\"points\": [[2, 9]]}}}", false},
    {TH_ACT_REMOVE_GUIDE, "{\"remove_guide\": \"path\"}", "{\"remove_guide\": \"paths\"}", false},
    {TH_ACT_SOURCE,
     "{\"source\": {\"name\": \"gate\", \"region\": {\"rectangle\": [[1, 8.5], [5, 9.5]]}, \"rate\": 3, \"route\": "
     "[\"west\"]}}",
     "{\"source\": {\"name\": \"gate\", \"region\": {\"rectangle\": [[-80, 8.5], [-75, 9.5]]}, \"rate\": 3}}", false},
    {TH_ACT_REMOVE_SOURCE, "{\"remove_source\": \"gate\"}", "{\"remove_source\": \"gates\"}", false},
    {TH_ACT_REMOVE_GROUP, "{\"remove_group\": \"band\"}", "{\"remove_group\": \"bands\"}", false},
    {TH_ACT_DOOR, "{\"door\": {\"name\": \"exit\", \"closed\": true, \"rectangle\": [[7, 0], [8.5, 10]]}}",
     "{\"door\": {\"name\": \"exit\"}}", false},
    {TH_ACT_REMOVE_DOOR, "{\"remove_door\": \"exit\"}", "{\"remove_door\": \"exits\"}", false},
    {TH_ACT_OBSTACLE, "{\"obstacle\": {\"name\": \"desk\", \"rectangle\": [[6, 2], [8, 6]]}}",
     "{\"obstacle\": {\"name\": \"exit\", \"rectangle\": [[6, 2], [8, 6]]}}", false},
    {TH_ACT_DEFORM, "{\"deform\": {\"vertices\": [3, 40], \"points\": [[3, 0, 0.1], [11.01, 7.02, 0.2]]}}",
     "{\"deform\": {\"vertices\": [3, 999999], \"points\": [[10, 5, 0], [10, 5, 0]]}}", true},
    {TH_ACT_DT, "{\"dt\": 0.05}", "{\"dt\": 2}", false},
};
enum { EVENT_CASES = sizeof event_cases / sizeof *event_cases };

/* An event that accepts places for as many agents as there are. */
static inline const char *event_accept(const th_run *run, char *text, size_t size) {
  const th_world *world = th_run_world((th_run *)run);
  const th_agents agents = th_world_agents(world);
  size_t used = (size_t)snprintf(text, size, "{\"accept\": {\"points\": [");
  for (uint32_t row = 0; row < agents.count && used < size; row++) {
    const th_vec3 p = th_world_agent_point(world, agents.id[row]);
    used += (size_t)snprintf(text + used, size - used, "%s[%.9g, %.9g, %.9g]", row ? ", " : "", (double)p.x + 0.02,
                             (double)p.y, (double)p.z);
  }
  snprintf(text + used, size - used, "]}}");
  return text;
}

static inline scene_run event_world(bool mesh, const char *more, uint32_t workers, uint64_t history, char *text,
                                    size_t size) {
  scene_run s = {0};
  th_error error = {0};
  assert_true(snprintf(text, size, EVENT_WORLD, mesh ? EVENT_MESH : EVENT_FLAT, more) < (int)size);
  if (th_scene_parse(text, strlen(text), &s.scene, &error)) fail_msg("%s: %s", error.where, error.text);
  const th_run_def def = {.scene = s.scene, .workers = workers, .history = history};
  if (th_run_make(&def, &s.run, &error)) fail_msg("%s: %s", error.where, error.text);
  return s;
}

static inline void event_steps(scene_run *s, uint64_t step) {
  th_error error = {0};
  while (th_world_step_count(th_run_world(s->run)) < step)
    if (th_run_step(s->run, &error))
      fail_msg("step %u: %u: %s", (unsigned)th_world_step_count(th_run_world(s->run)), error.line, error.text);
}

static inline uint64_t event_hash(const scene_run *s) { return th_world_hash(th_run_world(s->run)); }

#endif
