/* apps/throng/validation/groups.c - people who belong together.
 *
 * NIST 2.9: four people and one who is slow, who are friends, leave a hall among strangers: the four wait for the slow
 * one, so all five arrive within 10 s of each other. The same five without friendship are told beside it.
 */
#include <math.h>
#include <stdio.h>

#include "validation/lab.h"

#define HEAD "{\"version\": 1, \"name\": \"validation\", "
enum { FRIENDS = 5 };

typedef struct arrivals {
  th_agent_id friend[FRIENDS];
  double at[FRIENDS]; /* NAN: not yet [s] */
  bool begun;
} arrivals;

static void watch_friends(void *user, th_run *run) {
  arrivals *a = user;
  const th_world *world = th_run_world(run);
  for (uint32_t i = 0; i < FRIENDS && !a->begun; i++) a->friend[i] = th_world_agents(world).id[i];
  a->begun = true;
  for (uint32_t i = 0; i < FRIENDS; i++)
    if (isnan(a->at[i]) && !th_world_has_agent(world, a->friend[i])) a->at[i] = th_world_time(world);
}

/* Between the first and the last of them [s]; NAN when one has not arrived. */
static double apart(const arrivals *a) {
  double first = INFINITY, last = 0.0;
  for (uint32_t i = 0; i < FRIENDS; i++) {
    if (isnan(a->at[i])) return NAN;
    first = fmin(first, a->at[i]);
    last = fmax(last, a->at[i]);
  }
  return last - first;
}

th_result th_valid_friends(th_valid_lab *lab, th_error *error) {
  static const char *const group[2] = {
      "", ", \"groups\": [{\"populations\": [\"slow\", \"fast\"], \"formation\": {\"shape\": \"friends\"}}]"};
  char text[2][1600];
  for (int k = 0; k < 2; k++)
    snprintf(
        text[k], sizeof text[k],
        HEAD
        "\"duration\": 200, \"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [40, 8]]}]}, \"goals\": [{\"name\":"
        "\"end\", \"line\": [[39, 0.5], [39, 7.5]], \"sink\": true}], \"populations\": [{\"name\": \"slow\","
        "\"count\": 1, \"region\": {\"rectangle\": [[1, 1], [7, 7]]}, \"route\": [\"end\"], \"model\": \"@model@\","
        "\"speed\": 0.5}, {\"name\": \"fast\", \"count\": 4, \"region\": {\"rectangle\": [[1, 1], [7, 7]]}, "
        "\"route\": [\"end\"], \"model\": \"@model@\", \"speed\": 1.25}, {\"name\": \"strangers\", \"count\": 10,"
        "\"region\": {\"rectangle\": [[1, 1], [7, 7]]}, \"route\": [\"end\"], \"model\": \"@model@\","
        "\"speed\": {\"mean\": 1.34, \"spread\": 0.26}}]%s}",
        group[k]);
  th_reading *together = th_valid_reading(lab, "between the first and the last of five friends", "s", 0.0, 10.0);
  th_valid_published(together, 0.0, 10.0, "NIST");
  th_reading *alone = th_valid_reading(lab, "the same without friendship", "s", NAN, NAN);
  th_reading *all = th_valid_reading(lab, "arrive, of 15", "", 15.0, 15.0);
  for (uint32_t i = 0; i < lab->seed_count; i++)
    for (int k = 0; k < 2; k++) {
      arrivals a = {.at = {NAN, NAN, NAN, NAN, NAN}};
      th_trial trial = {.text = text[k], .seed = lab->seed_first + i, .watch = watch_friends, .user = &a};
      th_result result = th_trial_run(lab, &trial, error);
      if (result != TH_OK) return result;
      th_valid_note(k ? together : alone, apart(&a));
      if (k) th_valid_note(all, trial.sum.arrived);
      th_trial_end(&trial);
    }
  return TH_OK;
}
