/* tests/app/test_pieces.c - a recording that is read piece by piece holds what it holds as a whole, on flat and on mesh
 * ground. */
#include <stdlib.h>
#include <string.h>

#include "support/folder.h"
#include "throng/recording.h"

static th_tracks read_piece(const char *path, uint32_t first, uint32_t frames) {
  th_tracks tracks;
  th_error error = {0};
  const th_tracks_def def = {.path = path, .first = first, .frames = frames};
  if (th_recording_read(&def, &tracks, &error)) fail_msg("%s: %s", error.where, error.text);
  return tracks;
}

static const th_track *track_of(const th_tracks *tracks, int64_t id) {
  for (uint32_t i = 0; i < tracks->track_count; i++)
    if (tracks->track[i].id == id) return &tracks->track[i];
  return NULL;
}

static void assert_same_samples(const th_tracks *whole, const th_tracks *piece, const th_track *track) {
  const th_track *of = track_of(whole, track->id);
  assert_non_null(of);
  for (uint32_t i = track->first; i < track->first + track->count; i++) {
    const uint32_t k = th_tracks_find(whole, of, piece->frame[i]);
    assert_true(k != UINT32_MAX && whole->frame[k] == piece->frame[i]);
    assert_true(whole->x[k] == piece->x[i] && whole->y[k] == piece->y[i] && whole->heading[k] == piece->heading[i]);
    assert_true(whole->state[k] == piece->state[i] && whole->vx[k] == piece->vx[i]);
    assert_true((whole->z != NULL) == (piece->z != NULL));
    if (whole->z) assert_true(whole->z[k] == piece->z[i] && whole->face[k] == piece->face[i]);
  }
  assert_true(of->population < whole->population_count && track->population < piece->population_count);
  assert_string_equal(whole->population[of->population].text, piece->population[track->population].text);
}

static void compare(const char *scene) {
  char command[400], path[160];
  snprintf(command, sizeof command, "%s run %s --duration 4 --no-figures --no-expect --quiet --trace 1 --out %s/%s",
           TH_PROGRAM, scene, folder, strrchr(scene, '/') + 1);
  assert_int_equal(system(command), 0);
  snprintf(path, sizeof path, "%s/%s/trajectory.sqlite", folder, strrchr(scene, '/') + 1);
  th_tracks whole = read_piece(path, 0, 0);
  uint32_t samples = 0, traces = 0;
  assert_true(whole.sample_count > 100 && whole.trace_count > 0);
  for (uint32_t first = whole.frame_first; first <= whole.frame_last; first += 7) {
    th_tracks piece = read_piece(path, first, 7);
    assert_true(piece.frame_first == first && piece.frame_last < first + 7 && piece.frame_last <= whole.frame_last);
    for (uint32_t i = 0; i < piece.track_count; i++) assert_same_samples(&whole, &piece, &piece.track[i]);
    assert_true(piece.mesh_count == whole.mesh_count && piece.plan_count == whole.plan_count);
    samples += piece.sample_count, traces += piece.trace_count;
    th_tracks_free(&piece);
  }
  assert_int_equal(samples, whole.sample_count);
  assert_int_equal(traces, whole.trace_count);
  th_tracks none = read_piece(path, whole.frame_last + 1, 5);
  assert_int_equal(none.sample_count, 0);
  th_tracks_free(&none);
  th_tracks_free(&whole);
}

static void pieces_of_flat_ground(void **state) {
  (void)state;
  compare("scenes/corridor.json");
}

static void pieces_of_a_mesh(void **state) {
  (void)state;
  compare("scenes/house.json");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pieces_of_flat_ground),
      cmocka_unit_test(pieces_of_a_mesh),
  };
  return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
