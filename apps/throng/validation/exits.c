/* apps/throng/validation/exits.c - which exit people take: RiMEA 11, NIST 3.2 and 3.3.
 *
 * A thousand people packed at one side of a hall with two doors; people between two exits, with and without others who
 * walk to one of them; exits that part of the people are given, or know. What choices are told by is that of scenes
 * (throng/world/choice.h), with its defaults but where a test names something.
 */
#include <math.h>
#include <stdio.h>

#include "validation/lab.h"

#define HEAD "{\"version\": 1, \"name\": \"exits\", "

static uint32_t left_by(const th_trial *trial, const char *name, double *last) {
  uint32_t arrived = 0;
  double first;
  (void)th_metrics_exit(trial->metrics, name, &arrived, &first, last);
  return arrived;
}

/* ---------------------------------------------------------------- RiMEA 11 */

/* Doors of 1 m in one long wall of 30 m x 20 m, a quarter and three quarters along it; people fill two thirds. */
static const char hall[] = HEAD
    "\"duration\": 900, \"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [30, 20]]}, {\"rectangle\": [[7, 20],"
    "[8, 22]]}, {\"rectangle\": [[22, 20], [23, 22]]}], \"cell\": 0.2}, \"goals\": [{\"name\": \"near\", \"line\":"
    "[[7.2, 21.5], [7.8, 21.5]], \"sink\": true}, {\"name\": \"far\", \"line\": [[22.2, 21.5], [22.8, 21.5]],"
    "\"sink\": true}], \"choices\": [{\"name\": \"exits\", \"options\": [{\"goal\": \"near\", \"width\": 1},"
    "{\"goal\": \"far\", \"width\": 1}]}], \"populations\": [{\"name\": \"people\", \"count\": 1000, \"region\":"
    "{\"rectangle\": [[0.3, 0.3], [19.7, 19.7]]}, \"route\": [\"exits\"], \"model\": \"@model@\", \"speed\":"
    "{\"mean\": 1.34, \"spread\": 0.26}}]}";

th_result th_valid_two_exits(th_valid_lab *lab, th_error *error) {
  th_reading *all = th_valid_reading(lab, "leave, of 1000", "", 1000.0, 1000.0);
  th_reading *near = th_valid_reading(lab, "leave by the nearer exit, of 1000", "", 500.0, 700.0);
  th_valid_published(near, 501.0, 999.0, "RiMEA: most, some by the other one");
  th_reading *apart = th_valid_reading(lab, "last one by the nearer exit later than by the other", "s", -20.0, 20.0);
  const th_conduct conduct = th_conduct_of(lab);
  for (uint32_t i = 0; i < lab->seed_count; i++) {
    th_trial trial = {.text = hall, .seed = lab->seed_first + i};
    th_result result = th_trial_run(lab, &trial, error);
    if (result != TH_OK) return result;
    double last[2];
    th_valid_note(near, left_by(&trial, "near", &last[0]));
    (void)left_by(&trial, "far", &last[1]);
    th_valid_note(all, trial.sum.arrived);
    th_valid_note(apart, last[0] - last[1]);
    th_conduct_note(&conduct, &trial.sum);
    if (i == 0) th_trial_egress(lab, &trial, "exits");
    th_trial_end(&trial);
  }
  return TH_OK;
}

/* ---------------------------------------------------------------- NIST 3.2 and 3.3 */

/* A room of 15 m x 10 m with an exit of 1 m in the middle of either short wall; screens hide the exits where asked. */
static void room_of(char *text, size_t size, const char *screens, const char *choice, const char *people) {
  snprintf(text, size,
           HEAD
           "\"duration\": 200, \"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [15, 10]]}, {\"rectangle\": [[-2,"
           "4.5], [0, 5.5]]}, {\"rectangle\": [[15, 4.5], [17, 5.5]]}], \"obstacles\": [%s], \"cell\": 0.2},"
           "\"goals\": [{\"name\": \"one\", \"line\": [[-1.6, 4.7], [-1.6, 5.3]], \"sink\": true}, {\"name\": \"two\","
           "\"line\": [[16.6, 4.7], [16.6, 5.3]], \"sink\": true}], \"choices\": [{\"name\": \"exits\", %s}],"
           "\"populations\": [%s]}",
           screens, choice, people);
}

/* Part of 20 people in the middle who leave by exit two: it is at the same distance. The others stand near it. */
static th_result follow_others(th_valid_lab *lab, bool others, double follow, th_reading *share, th_error *error) {
  char text[2400], choice[200], people[600];
  snprintf(choice, sizeof choice,
           "\"rule\": \"nearest\", \"follow\": %g, \"options\": [{\"goal\": \"one\"}, {\"goal\": \"two\"}]", follow);
  snprintf(people, sizeof people,
           "{\"name\": \"people\", \"count\": 20, \"region\": {\"rectangle\": [[5.5, 2], [8.5, 8]]}, \"route\":"
           "[\"exits\"], \"model\": \"@model@\"}%s",
           others ? ", {\"name\": \"others\", \"count\": 10, \"region\": {\"rectangle\": [[9, 2], [10, 8]]}, \"route\":"
                    "[\"two\"], \"model\": \"@model@\"}"
                  : "");
  room_of(text, sizeof text, "", choice, people);
  for (uint32_t i = 0; i < lab->seed_count; i++) {
    double last;
    th_trial trial = {.text = text, .seed = lab->seed_first + i};
    th_result result = th_trial_run(lab, &trial, error);
    if (result != TH_OK) return result;
    th_valid_note(share, (left_by(&trial, "two", &last) - (others ? 10.0 : 0.0)) / 20.0);
    th_trial_end(&trial);
  }
  return TH_OK;
}

th_result th_valid_social_influence(th_valid_lab *lab, th_error *error) {
  th_reading *alone = th_valid_reading(lab, "part that leaves by exit 2, nobody else there", "", NAN, NAN);
  th_reading *among = th_valid_reading(lab, "with 10 others who walk there, follow 0.5", "", NAN, NAN);
  th_reading *deaf = th_valid_reading(lab, "with the 10 others, follow 0", "", NAN, NAN);
  th_result result = follow_others(lab, false, 0.5, alone, error);
  if (result == TH_OK) result = follow_others(lab, true, 0.5, among, error);
  if (result == TH_OK) result = follow_others(lab, true, 0.0, deaf, error);
  th_reading *more = th_valid_reading(lab, "more because of them", "", 0.2, 1.0);
  th_valid_published(more, 1e-6, 1.0, "NIST: others raise it");
  th_valid_note_pairs(more, among, alone);
  return result;
}

/* Part of 40 people on the side of exit one who leave by it. */
static th_result familiar(th_valid_lab *lab, const char *screens, const char *choice, th_reading *part,
                          th_error *error) {
  char text[2400];
  room_of(text, sizeof text, screens, choice,
          "{\"name\": \"people\", \"count\": 40, \"region\": {\"rectangle\": [[3.5, 2.5], [7, 7.5]]}, \"route\":"
          "[\"exits\"], \"model\": \"@model@\"}");
  for (uint32_t i = 0; i < lab->seed_count; i++) {
    double last;
    th_trial trial = {.text = text, .seed = lab->seed_first + i};
    th_result result = th_trial_run(lab, &trial, error);
    if (result != TH_OK) return result;
    th_valid_note(part, left_by(&trial, "one", &last) / 40.0);
    th_trial_end(&trial);
  }
  return TH_OK;
}

th_result th_valid_familiar_exits(th_valid_lab *lab, th_error *error) {
  static const char screens[] = "{\"rectangle\": [[2, 1], [2.3, 9]]}, {\"rectangle\": [[12.7, 1], [13, 9]]}";
  th_reading *even = th_valid_reading(lab, "shares of 50 and 50 %: part by exit 1", "", 0.45, 0.55);
  th_reading *odd = th_valid_reading(lab, "shares of 20 and 80 %: part by exit 1", "", 0.15, 0.25);
  th_reading *known = th_valid_reading(lab, "exit 1 nearer, known to 20 %: part by it", "", 0.15, 0.25);
  th_valid_published(even, 0.4, 0.6, "NIST: 50 %, 10 % off");
  th_valid_published(odd, 0.0, 0.5, "NIST: most by exit 2");
  th_valid_published(known, 0.0, 0.5, "NIST: most by exit 2");
  th_result result =
      familiar(lab, "", "\"rule\": \"shares\", \"options\": [{\"goal\": \"one\"}, {\"goal\": \"two\"}]", even, error);
  if (result == TH_OK)
    result =
        familiar(lab, "", "\"rule\": \"shares\", \"options\": [{\"goal\": \"one\"}, {\"goal\": \"two\", \"share\": 4}]",
                 odd, error);
  if (result == TH_OK)
    result = familiar(lab, screens,
                      "\"rule\": \"nearest\", \"options\": [{\"goal\": \"one\", \"known\": 0.2}, {\"goal\": \"two\"}]",
                      known, error);
  return result;
}
