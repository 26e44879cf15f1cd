/* tests/world/mesh/test_scan.c - crowds on scans: few charts, each made once; how much memory they may keep. */
#include "relief_world.h"
#include "support/slow.h"
#include "support/unit.h"
#include "world/world.h"

typedef struct diary {
  uint32_t about_charts;
} diary;

static void note(void *user, th_log_level level, const char *text) {
  diary *d = user;
  if (level == TH_LOG_WARNING && strstr(text, "chart_memory")) d->about_charts++;
}

typedef struct figures {
  uint64_t hash;
  uint32_t built, kept, patches, faces, told;
  double mb, cover;
} figures;

/* 26 m of the pillar of the benchmark charts.scan, with somewhat longer edges. */
static figures walk(uint32_t workers, uint32_t chart_memory) {
  diary d = {0};
  figures f = {0};
  th_relief_world w;
  assert_true(th_relief_world_make(&w, &(th_relief_world_def){.edge = 0.25,
                                                              .height = 26.0,
                                                              .rough = 0.3,
                                                              .agents = 60,
                                                              .workers = workers,
                                                              .chart_memory = chart_memory,
                                                              .log = {note, &d}}));
  const th_atlas *atlas = w.world->mesh->atlas;
  for (uint32_t step = 0; step < LONG_RUN(120, 12); step++) {
    th_world_step(w.world);
    f.built += atlas->charts.built;
  }
  uint32_t charts = 0;
  for (uint32_t p = 0; p < atlas->patches.count; p++) {
    const th_chart *chart = th_atlas_chart(atlas, p);
    if (!chart) continue;
    f.cover += (double)chart->cover;
    charts++;
  }
  f.cover /= charts;
  f.kept = atlas->charts.kept;
  f.patches = atlas->patches.count;
  f.faces = th_ground_mesh(w.world->ground)->face_count;
  f.mb = (double)th_world_memory(w.world).charts / 1e6;
  f.hash = th_world_hash(w.world);
  f.told = d.about_charts;
  th_relief_world_free(&w);
  return f;
}

/* Patches of the true faces were 0.7 m2 large, and their charts covered 1.6 m. */
static void every_chart_is_made_once(void **state) {
  (void)state;
  figures f = walk(1, 0);
  print_message("%u faces: %u patches, %u charts made, %u kept, %.1f MB, cover %.2f m\n", f.faces, f.patches, f.built,
                f.kept, f.mb, f.cover);
  assert_int_equal(f.built, f.kept);
  assert_true(f.patches < f.faces / 100);
  assert_true(f.cover > 2.0);
  assert_int_equal(f.told, 0);
}

static void workers_change_nothing(void **state) {
  (void)state;
  assert_true(walk(1, 0).hash == walk(3, 0).hash);
}

/* Too little memory makes charts again and again, says so once, and changes no result. */
static void too_little_memory_is_told_once(void **state) {
  (void)state;
  figures tight = walk(1, 1), wide = walk(1, 0);
  print_message("1 MiB: %u charts made, %u kept\n", tight.built, tight.kept);
  assert_true(tight.built > tight.kept);
  assert_int_equal(tight.told, 1);
  assert_true(tight.hash == wide.hash);
}

static void memory_is_checked(void **state) {
  (void)state;
  th_relief_world w;
  th_world_def def = th_default_world_def();
  th_world *world = NULL;
  th_error error = {0};
  assert_true(th_relief_world_make(
      &w, &(th_relief_world_def){.edge = 2.0, .height = 6.0, .rough = 0.0, .agents = 1, .workers = 1}));
  def.ground = w.world->ground;
  def.mesh.chart_memory = 0;
  assert_int_equal(th_world_make(&def, &world, &error), TH_ERROR_RANGE);
  assert_non_null(strstr(error.where, "chart_memory"));
  th_relief_world_free(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_chart_is_made_once),
      cmocka_unit_test(workers_change_nothing),
      cmocka_unit_test(too_little_memory_is_told_once),
      cmocka_unit_test(memory_is_checked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
