/* Tests of CSV: the same content as a recording, errors with their position, and plans as WKT. */
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "io/recording/text.h"
#include "support/allocator.h"
#include "throng/recording.h"

static const char *const path = "/tmp/throng_test_csv.csv", *const file = "/tmp/throng_test_csv.sqlite";

static void put(const char *text) {
  FILE *out = fopen(path, "w");
  fputs(text, out);
  fclose(out);
}

static void a_file_is_read_in_any_order(void **state) {
  (void)state;
  put("# fps: 4\r\n# name: two walkers\r\n# ground from 0: POLYGON ((0 0, 9 0, 9 9, 0 0))\r\ny,id,x,extra,frame\r\n"
      "2,7,1.5,hello,3\r\n1,7,1,there,2\r\n4,3,5,,2\r\n");
  th_tracks tracks = {0};
  th_error error = {0};
  if (th_csv_read(NULL, path, &tracks, &error) != TH_OK) fail_msg("%s", error.text);
  assert_int_equal(tracks.track_count, 2);
  assert_int_equal(tracks.track[0].id, 3);
  assert_int_equal(tracks.track[1].count, 2);
  assert_true(tracks.x[1] == 1.0f && tracks.x[2] == 1.5f && tracks.y[2] == 2.0f);
  assert_true(fabsf(tracks.vx[1] - 2.0f) < 1e-6f && fabsf(tracks.vy[2] - 4.0f) < 1e-6f);
  assert_int_equal(tracks.frame_first, 2);
  assert_int_equal(tracks.frame_last, 3);
  assert_string_equal(tracks.name, "two walkers");
  assert_int_equal(tracks.plan[0].point_count, 3);
  th_tracks_free(&tracks);
}

typedef struct wrong {
  const char *text;
  uint32_t line, column;
} wrong;

static void errors_have_a_position(void **state) {
  (void)state;
  static const wrong each[] = {
      {"", 0, 0},
      {"# fps: 0\nframe,id,x,y\n", 1, 0},
      {"frame,id,x,y\n0,1,2,3\n", 2, 0},
      {"# fps: 2\nframe,id,x\n", 2, 1},
      {"# fps: 2\nframe,id,x,x,y\n", 2, 12},
      {"# fps: 2\nframe,id,x,y\n0,1,2\n", 3, 6},
      {"# fps: 2\nframe,id,x,y\n0,1,2,3,4\n", 3, 8},
      {"# fps: 2\nframe,id,x,y\n0,1,two,3\n", 3, 5},
      {"# fps: 2\nframe,id,x,y\n0,1,1e99,3\n", 3, 5},
      {"# fps: 2\nframe,id,x,y\n0.5,1,1,3\n", 3, 1},
      {"# fps: 2\nframe,id,x,y\n-1,1,1,3\n", 3, 1},
      {"# fps: 2\nframe,id,x,y\n1,1,1,3\n1,1,2,3\n", 4, 1},
  };
  for (size_t k = 0; k < sizeof each / sizeof *each; k++) {
    th_tracks tracks = {0};
    th_error error = {0};
    put(each[k].text);
    if (th_csv_read(NULL, path, &tracks, &error) != TH_ERROR_FORMAT) fail_msg("case %zu was accepted", k);
    if (error.line != each[k].line || error.column != each[k].column)
      fail_msg("case %zu: found %u:%u, %s", k, error.line, error.column, error.text);
  }
  assert_int_equal(th_csv_read(NULL, "/no/such/file.csv", NULL, NULL), TH_ERROR_FILE);
}

static void assert_same(const th_tracks *a, const th_tracks *b) {
  assert_int_equal(a->sample_count, b->sample_count);
  assert_int_equal(a->track_count, b->track_count);
  assert_true(a->fps == b->fps);
  assert_int_equal(a->plan_count, b->plan_count);
  assert_memory_equal(a->frame, b->frame, a->sample_count * sizeof *a->frame);
  assert_memory_equal(a->x, b->x, a->sample_count * sizeof *a->x);
  assert_memory_equal(a->y, b->y, a->sample_count * sizeof *a->y);
  assert_memory_equal(a->vx, b->vx, a->sample_count * sizeof *a->vx);
  for (uint32_t k = 0; k < a->sample_count; k++) assert_true(fabsf(a->heading[k] - b->heading[k]) < 1e-6f);
  for (uint32_t k = 0; k < a->track_count; k++) assert_true(a->track[k].radius == b->track[k].radius);
}

static void csv_and_sqlite_hold_the_same(void **state) {
  (void)state;
  FILE *out = fopen(path, "w");
  fputs("# fps: 8\n# ground from 0: POLYGON ((0 0, 9 0, 9 9, 0 0), (4 1, 5 1, 5 2, 4 1))\n", out);
  fputs("frame,id,x,y,vx,vy,heading,radius,gait,state\n", out);
  for (int frame = 0; frame < 40; frame++)
    for (int id = 1; id < 9; id++)
      if (frame > 2 * id && frame < 40 - id)
        fprintf(out, "%d,%d,%.9g,%.9g,%.9g,%.9g,%.9g,0.25,1,1\n", frame, id, sin(frame * 0.1 + id),
                cos(id * 0.3 * frame), 1.0 / (id + frame), 0.1 * id, sin(id));
  fclose(out);
  th_tracks first = {0}, second = {0}, third = {0};
  th_error error = {0};
  assert_int_equal(th_csv_read(NULL, path, &first, &error), TH_OK);
  assert_int_equal(th_tracks_record(&first, file, &error), TH_OK);
  assert_int_equal(th_recording_read(NULL, file, &second, &error), TH_OK);
  assert_same(&first, &second);
  assert_int_equal(th_csv_write(&second, path, &error), TH_OK);
  assert_int_equal(th_csv_read(NULL, path, &third, &error), TH_OK);
  assert_same(&second, &third);
  assert_int_equal(th_csv_write(&third, "/no/such/folder/a.csv", &error), TH_ERROR_FILE);
  th_tracks_free(&first);
  th_tracks_free(&second);
  th_tracks_free(&third);
}

static void numbers_keep_their_bits(void **state) {
  (void)state;
  char text[TH_NUMBER_ROOM];
  uint32_t seed = 12345;
  for (int k = 0; k < 20000; k++) {
    seed = seed * 1664525u + 1013904223u;
    float value;
    memcpy(&value, &seed, sizeof value);
    if (!isfinite(value)) continue;
    const char *end;
    th_float_text(text, value);
    if ((float)th_text_number(text, &end) != value || *end) fail_msg("seed 12345, draw %d: %s", k, text);
  }
  assert_string_equal(th_float_text(text, 0.1f), "0.1");
  assert_string_equal(th_double_text(text, 10.0), "10");
}

static void plans_survive_wkt(void **state) {
  (void)state;
  static const char *const good[] = {
      "POLYGON ((0 0, 4 0, 4 4, 0 0))", "POLYGON EMPTY",
      "POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0), (1 1, 1 2, 2 2, 1 1), (5 5, 5 6, 6 6, 5 5))",
      "MULTIPOLYGON (((0 0, 4 0, 4 4, 0 0)), ((9 9, 19 9, 19 19, 9 9), (12 10, 12 11, 13 11, 12 10)))"};
  for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
    th_floor_plan plan = {0};
    char *text = NULL;
    assert_int_equal(th_floor_plan_from_wkt(NULL, good[k], &plan, NULL), TH_OK);
    assert_int_equal(th_floor_plan_wkt(&plan, &text, NULL), TH_OK);
    assert_string_equal(text, good[k]);
    th_text_free(NULL, text);
    th_floor_plan_free(&plan);
  }
  static const char *const bad[] = {"",
                                    "POLYGON",
                                    "POLYGON ((0 0, 1 0))",
                                    "POLYGON ((0 0, 1 a, 2 2))",
                                    "POLYGON ((0 0, 1 0, 1 1)) x",
                                    "CIRCLE (0 0)",
                                    "POLYGON ((0 nan, 1 0, 1 1))",
                                    "GEOMETRYCOLLECTION (GEOMETRYCOLLECTION (POINT (1 1)))"};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    th_floor_plan plan = {0};
    assert_int_equal(th_floor_plan_from_wkt(NULL, bad[k], &plan, NULL), TH_ERROR_FORMAT);
  }
  th_floor_plan plan = {0};
  assert_int_equal(
      th_floor_plan_from_wkt(NULL, "GEOMETRYCOLLECTION(POLYGON Z((0 0 1, 0 1 2, 1 1 3)), POINT(1 2))", &plan, NULL),
      TH_OK);
  assert_int_equal(plan.ring_count, 2);
  th_floor_plan_free(&plan);
}

static void walls_join_to_rings(void **state) {
  (void)state;
  /* a square with two square holes that touch in a point, segments in disorder */
  static const th_segment wall[] = {{3, 3, 2, 3}, {0, 0, 9, 0}, {2, 2, 1, 2}, {9, 9, 0, 9}, {1, 1, 1, 2},
                                    {2, 2, 2, 1}, {1, 2, 2, 2}, {9, 0, 9, 9}, {2, 1, 1, 1}, {2, 2, 2, 3},
                                    {0, 9, 0, 0}, {2, 3, 3, 3}, {3, 3, 3, 2}, {3, 2, 2, 2}};
  th_segment used[12];
  uint32_t n = 0;
  for (uint32_t k = 0; k < 14; k++)
    if (k != 0 && k != 2) used[n++] = wall[k]; /* the two that run backwards */
  th_floor_plan plan = {0};
  assert_int_equal(th_floor_plan_from_walls(NULL, used, n, &plan, NULL), TH_OK);
  assert_int_equal(plan.ring_count, 3);
  assert_false(plan.ring[0].hole);
  assert_true(plan.ring[1].hole && plan.ring[2].hole);
  for (uint32_t k = 0; k < 3; k++) assert_int_equal(plan.ring[k].count, 4);
  th_floor_plan_free(&plan);
}

static th_result all_of_it(const th_env *env, void *context) {
  (void)context;
  th_tracks tracks = {0}, again = {0};
  th_result result = th_csv_read(env, path, &tracks, NULL);
  if (result == TH_OK) result = th_csv_write(&tracks, "/tmp/throng_test_csv_copy.csv", NULL);
  if (result == TH_OK) result = th_tracks_record(&tracks, file, NULL);
  if (result == TH_OK) result = th_recording_read(env, file, &again, NULL);
  th_tracks_free(&tracks);
  th_tracks_free(&again);
  return result;
}

static th_result join_walls(const th_env *env, void *context) {
  (void)context;
  static const th_segment wall[] = {{0, 0, 9, 0}, {9, 0, 9, 9}, {9, 9, 0, 0}};
  th_floor_plan plan = {0};
  th_result result = th_floor_plan_from_walls(env, wall, 3, &plan, NULL);
  th_floor_plan_free(&plan);
  return result;
}

static void every_failing_allocation_is_survived(void **state) {
  (void)state;
  put("# fps: 4\n# ground from 0: POLYGON ((0 0, 9 0, 9 9, 0 0))\nframe,id,x,y\n1,1,2,3\n2,1,3,3\n2,2,5,5\n");
  assert_true(failing_every(all_of_it, NULL) > 10);
  assert_true(failing_every(join_walls, NULL) > 5);
  unlink(path);
  unlink(file);
  unlink("/tmp/throng_test_csv_copy.csv");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_file_is_read_in_any_order),
      cmocka_unit_test(errors_have_a_position),
      cmocka_unit_test(csv_and_sqlite_hold_the_same),
      cmocka_unit_test(numbers_keep_their_bits),
      cmocka_unit_test(plans_survive_wkt),
      cmocka_unit_test(walls_join_to_rings),
      cmocka_unit_test(every_failing_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
