/* Tests of CSV: the same content as a recording, errors with their position, and plans as WKT. */
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "io/text.h"
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
  if (th_csv_read(&(th_tracks_def){.path = path}, &tracks, &error) != TH_OK) fail_msg("%s", error.text);
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
      {"# fps: 2\nframe,id,x,y,goal\n1,1,1,3,\"exit\n", 3, 9},
      {"# fps: 2\nframe,id,x,y,narrowed\n1,1,1,3,1\n", 3, 9},
      {"# fps: 2\n# frames: 5 to 4\nframe,id,x,y\n", 2, 0},
      {"# fps: 2\n# dt: 0\nframe,id,x,y\n", 2, 0},
      {"# fps: 2\n# every: 0\nframe,id,x,y\n", 2, 0},
  };
  for (size_t k = 0; k < sizeof each / sizeof *each; k++) {
    th_tracks tracks = {0};
    th_error error = {0};
    put(each[k].text);
    if (th_csv_read(&(th_tracks_def){.path = path}, &tracks, &error) != TH_ERROR_FORMAT)
      fail_msg("case %zu was accepted", k);
    if (error.line != each[k].line || error.column != each[k].column)
      fail_msg("case %zu: found %u:%u, %s", k, error.line, error.column, error.text);
  }
  assert_int_equal(th_csv_read(&(th_tracks_def){.path = "/no/such/file.csv"}, NULL, NULL), TH_ERROR_FILE);
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
  assert_memory_equal(a->heading, b->heading, a->sample_count * sizeof *a->heading);
  assert_memory_equal(a->narrowed, b->narrowed, a->sample_count * sizeof *a->narrowed);
  assert_true(a->frame_first == b->frame_first && a->frame_last == b->frame_last);
  assert_true(a->dt == b->dt && a->every == b->every);
  for (uint32_t k = 0; k < a->track_count; k++) assert_true(a->track[k].radius == b->track[k].radius);
}

static void csv_and_sqlite_hold_the_same(void **state) {
  (void)state;
  FILE *out = fopen(path, "w");
  fputs("# fps: 8\n# ground from 0: POLYGON ((0 0, 9 0, 9 9, 0 0), (4 1, 5 1, 5 2, 4 1))\n", out);
  fputs("frame,id,x,y,vx,vy,heading,radius,narrowed,gait,state\n", out);
  for (int frame = 0; frame < 40; frame++)
    for (int id = 1; id < 9; id++)
      if (frame > 2 * id && frame < 40 - id)
        fprintf(out, "%d,%d,%.9g,%.9g,%.9g,%.9g,%.9g,0.25,0.%03d,1,1\n", frame, id, sin(frame * 0.1 + id),
                cos(id * 0.3 * frame), 1.0 / (id + frame), 0.1 * id, sin(id), 37 * (frame % 8) + id);
  fclose(out);
  th_tracks first = {0}, second = {0}, third = {0};
  th_error error = {0};
  assert_int_equal(th_csv_read(&(th_tracks_def){.path = path}, &first, &error), TH_OK);
  assert_int_equal(th_tracks_record(&first, file, &error), TH_OK);
  assert_int_equal(th_recording_read(&(th_tracks_def){.path = file}, &second, &error), TH_OK);
  assert_same(&first, &second);
  assert_true(second.narrowed[5] > 0.0f);
  assert_int_equal(th_csv_write(&second, path, &error), TH_OK);
  assert_int_equal(th_csv_read(&(th_tracks_def){.path = path}, &third, &error), TH_OK);
  assert_same(&second, &third);
  assert_int_equal(th_csv_write(&third, "/no/such/folder/a.csv", &error), TH_ERROR_FILE);
  th_tracks_free(&first);
  th_tracks_free(&second);
  th_tracks_free(&third);
}

static void assert_same_files(const char *a, const char *b) {
  FILE *first = fopen(a, "rb"), *second = fopen(b, "rb");
  assert_true(first && second);
  for (int sign = 0; sign != EOF;) {
    sign = fgetc(first);
    assert_int_equal(sign, fgetc(second));
  }
  fclose(first);
  fclose(second);
}

/* Headings of all kinds, frames without agents at both ends, ids with gaps and out of order, names that need quotation
 * marks, a number of frames per second without an inverse: a file comes back to the bit. */
static void a_round_trip_keeps_every_bit(void **state) {
  (void)state;
  static const char *const back = "/tmp/throng_test_csv_back.csv";
  static const char *const name[] = {"", "red", "\"blue, and \"\"green\"\"\"", "a\tb"};
  FILE *out = fopen(path, "w");
  uint32_t seed = 7;
  fputs(
      "# fps: 49\n# frames: 2 to 61\n# dt: 0.006802721088435373\n# every: 3\n"
      "# ground from 2: POLYGON ((0 0, 9 0, 9 9, 0 0))\n",
      out);
  fputs("frame,id,x,y,vx,vy,heading,radius,gait,state,goal,population,model\n", out);
  for (int frame = 5; frame < 55; frame++)
    for (int id = 3; id < 40; id += 4) {
      seed = seed * 1664525u + 1013904223u;
      if (frame < 45 - id) continue; /* the last id comes first */
      double angle = ldexp((double)seed, -32) * 6.283185 - 3.1415925;
      fprintf(out, "%d,%d,%.9g,%.9g,%.9g,0.1,%.9g,0.%d,1,1,%s,%s,orca\n", frame, id, sin(seed), cos(seed),
              1.0 / (id + frame), (double)(float)angle, id + 11, id % 8 == 3 ? "exit" : "", name[id / 4 % 4]);
    }
  fclose(out);
  th_tracks tracks[3] = {0};
  th_error error = {0};
  if (th_csv_read(&(th_tracks_def){.path = path}, &tracks[0], &error) != TH_OK)
    fail_msg("%u: %s", error.line, error.text);
  assert_int_equal(th_csv_write(&tracks[0], path, &error), TH_OK);
  assert_int_equal(th_tracks_record(&tracks[0], file, &error), TH_OK);
  assert_int_equal(th_recording_read(&(th_tracks_def){.path = file}, &tracks[1], &error), TH_OK);
  assert_same(&tracks[0], &tracks[1]);
  assert_int_equal(tracks[1].frame_last, 61);
  assert_int_equal(tracks[1].population_count, 3);
  assert_string_equal(tracks[1].population[tracks[1].track[2].population].text, "blue, and \"green\"");
  for (uint32_t k = 0; k < tracks[0].track_count; k++) assert_int_equal(tracks[1].track[k].id, 3 + 4 * k);
  assert_int_equal(th_csv_write(&tracks[1], back, &error), TH_OK);
  assert_same_files(path, back);
  assert_int_equal(th_csv_read(&(th_tracks_def){.path = back}, &tracks[2], &error), TH_OK);
  assert_int_equal(th_tracks_record(&tracks[2], "/tmp/throng_test_csv_back.sqlite", &error), TH_OK);
  assert_same_files(file, "/tmp/throng_test_csv_back.sqlite"); /* orientations too */
  for (int k = 0; k < 3; k++) th_tracks_free(&tracks[k]);
  unlink(back);
  unlink("/tmp/throng_test_csv_back.sqlite");
}

static void names_may_be_quoted(void **state) {
  (void)state;
  put("# fps: 4\nframe,id,population,x,y,note\n1,1,\"a, \"\"b\"\"\",2,3,\"x,y\"\n1,2,,2,4,\n1,3,c,2,5,6\" door\n");
  th_tracks tracks = {0};
  th_error error = {0};
  if (th_csv_read(&(th_tracks_def){.path = path}, &tracks, &error) != TH_OK) fail_msg("%s", error.text);
  assert_int_equal(tracks.population_count, 2);
  assert_string_equal(tracks.population[tracks.track[0].population].text, "a, \"b\"");
  assert_true(tracks.track[1].population >= tracks.population_count);
  assert_string_equal(tracks.population[tracks.track[2].population].text, "c");
  th_tracks_free(&tracks);
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
    th_number_of_float(text, value);
    if ((float)th_text_number(text, &end) != value || *end) fail_msg("seed 12345, draw %d: %s", k, text);
  }
  assert_string_equal(th_number_of_float(text, 0.1f), "0.1");
  assert_string_equal(th_number_of_double(text, 10.0), "10");
}

static void a_default_plan_is_of_nothing(void **state) {
  (void)state;
  th_floor_plan plan = th_default_floor_plan();
  assert_true(plan.point_count == 0 && plan.ring_count == 0);
  char *text = NULL;
  assert_int_equal(th_floor_plan_wkt(&plan, &text, NULL), TH_OK);
  assert_string_equal(text, "POLYGON EMPTY");
  th_text_free(text);
  th_floor_plan_free(&plan);
}

/* Rooms of an L that overlap along two borders: figures and recordings need the whole of them. */
static void rooms_with_common_borders_are_one_outline(void **state) {
  (void)state;
  th_vec2 corner[2][4];
  const th_polygon rooms[2] = {th_box_polygon(0, 0, 44, 20, corner[0]), th_box_polygon(24, 0, 44, 50, corner[1])};
  th_flat_def flat = th_default_flat_def();
  flat.outline = rooms;
  flat.outline_count = 2;
  th_ground *ground = NULL;
  char *text = NULL;
  assert_int_equal(th_ground_make_flat(&flat, &ground, NULL), TH_OK);
  assert_int_equal(th_ground_wkt(ground, &text, NULL), TH_OK);
  assert_string_equal(text, "POLYGON ((0 0, 44 0, 44 20, 44 50, 24 50, 24 20, 0 20, 0 0))");
  th_text_free(text);
  th_ground_release(ground);
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
    assert_int_equal(th_floor_plan_make(&(th_floor_plan_def){.wkt = good[k]}, &plan, NULL), TH_OK);
    assert_int_equal(th_floor_plan_wkt(&plan, &text, NULL), TH_OK);
    assert_string_equal(text, good[k]);
    th_text_free(text);
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
    assert_int_equal(th_floor_plan_make(&(th_floor_plan_def){.wkt = bad[k]}, &plan, NULL), TH_ERROR_FORMAT);
  }
  th_floor_plan plan = {0};
  assert_int_equal(
      th_floor_plan_make(
          &(th_floor_plan_def){.wkt = "GEOMETRYCOLLECTION(POLYGON Z((0 0 1, 0 1 2, 1 1 3)), POINT(1 2))"}, &plan, NULL),
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
  assert_int_equal(th_floor_plan_make(&(th_floor_plan_def){.wall = used, .wall_count = n}, &plan, NULL), TH_OK);
  assert_int_equal(plan.ring_count, 3);
  assert_false(plan.ring[0].hole);
  assert_true(plan.ring[1].hole && plan.ring[2].hole);
  for (uint32_t k = 0; k < 3; k++) assert_int_equal(plan.ring[k].count, 4);
  th_floor_plan_free(&plan);
}

static th_result all_of_it(const th_env *env, void *context) {
  (void)context;
  th_tracks tracks = {0}, again = {0};
  th_result result = th_csv_read(&(th_tracks_def){.env = *env, .path = path}, &tracks, NULL);
  if (result == TH_OK) result = th_csv_write(&tracks, "/tmp/throng_test_csv_copy.csv", NULL);
  if (result == TH_OK) result = th_tracks_record(&tracks, file, NULL);
  if (result == TH_OK) result = th_recording_read(&(th_tracks_def){.env = *env, .path = file}, &again, NULL);
  th_tracks_free(&tracks);
  th_tracks_free(&again);
  return result;
}

static th_result join_walls(const th_env *env, void *context) {
  (void)context;
  static const th_segment wall[] = {{0, 0, 9, 0}, {9, 0, 9, 9}, {9, 9, 0, 0}};
  th_floor_plan plan = {0};
  th_result result = th_floor_plan_make(&(th_floor_plan_def){.env = *env, .wall = wall, .wall_count = 3}, &plan, NULL);
  th_floor_plan_free(&plan);
  return result;
}

static void every_failing_allocation_is_survived(void **state) {
  (void)state;
  put("# fps: 4\n# ground from 0: POLYGON ((0 0, 9 0, 9 9, 0 "
      "0))\nframe,id,x,y,population,goal\n1,1,2,3,a,b\n2,1,3,3,a,b\n2,2,5,5,c,\n");
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
      cmocka_unit_test(a_round_trip_keeps_every_bit),
      cmocka_unit_test(names_may_be_quoted),
      cmocka_unit_test(numbers_keep_their_bits),
      cmocka_unit_test(a_default_plan_is_of_nothing),
      cmocka_unit_test(rooms_with_common_borders_are_one_outline),
      cmocka_unit_test(plans_survive_wkt),
      cmocka_unit_test(walls_join_to_rings),
      cmocka_unit_test(every_failing_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
