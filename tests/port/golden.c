/* tests/port/golden.c - the golden file on another platform: every crowd, and every scene through its pack.
 *
 *   golden FOLDER [all]      in the root of the tree; FOLDER holds NAME.pack of each scene, as tests/port/packs makes
 * them
 *
 * Runs each line to its early hash, with `all` to its last step, on every instruction set that is there.
 */
#include "support/golden.h"

#include "support/golden_crowds.h"
#include "throng/scene.h"

typedef struct player {
  th_scene *scene; /* NULL: a crowd */
  th_run *run;
  th_workload_world crowd;
  th_world *world;
} player;

static bool open_player(player *p, const char *folder, const char *name, th_simd simd, th_error *error) {
  char path[512];
  memset(p, 0, sizeof *p);
  if (golden_is_crowd(name)) {
    if (!golden_crowd_make(&p->crowd, name, simd, 1)) return false;
    p->world = p->crowd.world;
    return true;
  }
  snprintf(path, sizeof path, "%s/%s.pack", folder, name);
  if (th_scene_load(path, &p->scene, error) != TH_OK) return false;
  if (th_run_make(&(th_run_def){.scene = p->scene, .workers = 1, .simd = simd}, &p->run, error) != TH_OK) return false;
  p->world = th_run_world(p->run);
  return true;
}

static void close_player(player *p) {
  if (p->crowd.world) th_workload_world_free(&p->crowd);
  th_run_free(p->run);
  th_scene_free(p->scene);
}

static bool play(const golden_line *line, const char *folder, th_simd simd, bool whole) {
  player p;
  th_error error = {0};
  bool good = open_player(&p, folder, line->name, simd, &error);
  for (uint32_t step = 1; good && step <= (whole ? line->steps : GOLDEN_EARLY); step++) {
    if (!p.run)
      th_world_step(p.world);
    else if (th_run_step(p.run, &error) != TH_OK)
      good = false;
    if (good && step == GOLDEN_EARLY) good = golden_hash(p.world) == line->early;
  }
  if (good && whole) good = golden_hash(p.world) == line->hash;
  close_player(&p);
  if (!good)
    printf("%s on %s differs %s%s%s\n", line->name, th_simd_name(simd), error.where, *error.where ? ": " : "",
           error.text);
  return good;
}

int main(int argc, char **argv) {
  static golden_lines golden;
  uint32_t equal = 0, wrong = 0;
  const bool whole = argc > 2 && strcmp(argv[2], "all") == 0;
  if (argc < 2 || golden_read(&golden))
    return fprintf(stderr, "golden: expected a folder of packs and %s\n", GOLDEN_FILE), 2;
  for (th_simd simd = TH_SIMD_FOUR; simd <= TH_SIMD_AVX512; simd++) {
    for (uint32_t i = 0; th_simd_has(simd) && i < golden.count; i++)
      if (play(&golden.line[i], argv[1], simd, whole))
        equal++;
      else
        wrong++;
  }
  printf("%u equal, %u differ\n", equal, wrong);
  return wrong || !equal;
}
