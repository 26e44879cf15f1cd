/* tests/fuzz/fuzz_event.c - any lines as events done by hand, on a small flat ground or, when the first line says so, a
 * mesh.
 *
 * An event that is refused leaves the hash of the world as it was. What was done is written as an episode, and the
 * world as it stands as a new scene; the reader must accept both. Few lines count, so that the search spends its time
 * in the events, not in steps.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "throng/run.h"

#define GROUND_FLAT                                                                                                  \
  "{\"outline\": [{\"rectangle\": [[0, 0], [20, 10]]}], \"cell\": 0.5, \"doors\": [{\"name\":"                       \
  " \"exit\", \"rectangle\": [[12, 0], [12.5, 10]]}], \"obstacles\": [{\"name\": \"desk\", \"rectangle\": [[9, 8], " \
  "[11, 9]]}]}"
#define GROUND_MESH                                                                                    \
  "{\"mesh\": {\"make\": {\"shape\": \"plane\", \"length\": 20, \"width\": 10, \"edge\": 2}}, "        \
  "\"doors\": [{\"name\": \"exit\", \"rectangle\": [[12, 0], [15, 10]]}], \"obstacles\": [{\"name\": " \
  "\"desk\", \"rectangle\": [[6, 6], [11, 9.5]]}]}"
#define WORLD(ground)                                                                                              \
  "{\"version\": 1, \"name\": \"events\", \"duration\": 200, \"ground\": " ground                                  \
  ", \"goals\": [{\"name\": \"east\", \"point\": [19, 5]}, {\"name\": \"west\", \"point\": [1, 5]}], \"guides\": " \
  "[{\"name\": \"curious\", \"explore\": {\"sight\": 3}}, {\"name\": \"path\", \"path\": {\"points\": [[2, 1], "   \
  "[18, 1]]}}], \"populations\": [{\"name\": \"walkers\", \"count\": 4, \"region\": {\"rectangle\": [[1, 2], [5, " \
  "8]]}, \"route\": [\"east\", \"west\"]}, {\"name\": \"strollers\", \"positions\": [[2, 1], [3, 0.8]], "          \
  "\"guide\": \"path\"}, {\"name\": \"puppets\", \"positions\": [[10, 3], [10, 5]], \"external\": true}], "        \
  "\"sources\": [{\"name\": \"gate\", \"region\": {\"rectangle\": [[1, 8.5], [5, 9.5]]}, \"rate\": 0.5, "          \
  "\"route\": [\"east\"]}], \"groups\": [{\"name\": \"band\", \"populations\": [\"walkers\"]}]}"

enum { LINES = 12, EACH = 3 }; /* lines for a step */

static void hush(void *user, th_log_level level, const char *text) {
  (void)user;
  (void)level;
  (void)text;
}

static const th_env quiet = {.log = {hush, NULL}};

static th_scene *read(const char *text) {
  const th_scene_def def = {.env = quiet, .text = text, .length = strlen(text)};
  th_scene *scene = NULL;
  if (th_scene_make(&def, &scene, NULL) != TH_OK) abort();
  return scene;
}

static void do_line(th_run *run, const char *line) {
  const th_world *world = th_run_world(run);
  const uint64_t before = th_world_hash(world);
  const uint32_t done = th_run_log_done(run);
  if (th_run_do(run, line, NULL, NULL) != TH_OK) {
    if (th_world_hash(world) != before || th_run_log_done(run) != done) abort();
  } else if (th_run_log_done(run) != done + 1)
    abort();
}

static void write_down(const th_run *run) {
  const th_scene_write_def def = th_default_scene_write_def();
  char *text = NULL;
  if (th_run_write(run, &def, NULL, 0, &text, NULL) != TH_OK) abort();
  th_scene_free(read(text));
  th_text_free(text);
  if (th_run_write_moment(run, &def, &text, NULL, NULL) != TH_OK) abort();
  th_scene_free(read(text));
  th_text_free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1);
  if (!text) abort();
  memcpy(text, data, size);
  text[size] = 0;
  const bool mesh = size > 4 && memcmp(text, "mesh", 4) == 0;
  th_scene *scene = read(mesh ? WORLD(GROUND_MESH) : WORLD(GROUND_FLAT));
  th_run *run = NULL;
  if (th_run_make(&(th_run_def){.env = quiet, .scene = scene}, &run, NULL) != TH_OK) abort();
  char *line = text;
  for (int n = 0; line && n < LINES && th_world_agents(th_run_world(run)).count < 300; n++) {
    char *end = strchr(line, '\n');
    if (end) *end = 0;
    do_line(run, line);
    if (n % EACH == EACH - 1) (void)th_run_step(run, NULL);
    line = end ? end + 1 : NULL;
  }
  write_down(run);
  th_run_free(run);
  th_scene_free(scene);
  free(text);
  return 0;
}
