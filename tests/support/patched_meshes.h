/* tests/support/patched_meshes.h - surfaces that tests cut into patches and lay flat. */
#ifndef TH_TESTS_SUPPORT_PATCHED_MESHES_H
#define TH_TESTS_SUPPORT_PATCHED_MESHES_H

#include <stdio.h>

#include "base/memory.h"
#include "base/random.h"
#include "ground/chart/cache.h"
#include "make/shapes.h"
#include "support/meshes.h"

typedef struct charting {
  th_mesh mesh;
  th_mesh_frames frames;
  uint8_t *blocked;
} charting;

typedef enum charting_kind {
  CHARTING_GRID,
  CHARTING_SHAKEN,
  CHARTING_SLIVERS,
  CHARTING_HILLS,
  CHARTING_SPHERE,
  CHARTING_TORUS,
  CHARTING_TUBE,
  CHARTING_THIN_TUBE,
  CHARTING_HOUSE,
  CHARTING_BUMPY,
  CHARTING_HANDLES,
  CHARTING_KINDS
} charting_kind;

static inline double charting_hill(void *user, double x, double y) {
  (void)user;
  return 2.0 * sin(0.25 * x) * cos(0.2 * y);
}

static inline void charting_soup(th_soup *soup, charting_kind kind) {
  th_make_pipe tube = {.around = 40, .along = 40, .length = 40.0, .low = 6.0, .high = 6.0, .inside = true};
  th_make_pipe thin = {.around = 12, .along = 40, .length = 20.0, .low = 0.6, .high = 0.6};
  if (kind == CHARTING_GRID) th_make_plane(soup, 40, 40, 1.0, 1.0);
  if (kind == CHARTING_SHAKEN || kind == CHARTING_SLIVERS) {
    th_make_equilateral(soup, 40, 40, 1.0);
    assert_int_equal(th_soup_shake(soup, 0.4, 11, NULL), TH_OK);
    if (kind == CHARTING_SLIVERS) th_soup_spoil(soup, 0.3, 1e-4, 5);
  }
  if (kind == CHARTING_HILLS) {
    th_make_plane(soup, 60, 60, 1.0, 1.0);
    th_make_terrain(soup, charting_hill, NULL);
  }
  if (kind == CHARTING_SPHERE) assert_int_equal(th_make_icosphere(soup, 4, 15.0, 0.0, NULL), TH_OK);
  if (kind == CHARTING_TORUS) th_make_torus(soup, 40, 100, 20.0, 6.0);
  if (kind == CHARTING_TUBE) th_make_tube(soup, &tube);
  if (kind == CHARTING_THIN_TUBE) th_make_tube(soup, &thin);
  if (kind == CHARTING_HOUSE) th_make_house(soup, 1);
  if (kind == CHARTING_BUMPY) assert_int_equal(th_make_icosphere(soup, 4, 15.0, 0.25, NULL), TH_OK);
  if (kind == CHARTING_HANDLES) assert_int_equal(th_make_sieve(soup, 4, 6000, NULL), TH_OK);
}

static inline void charting_finish(charting *s, th_soup *soup) {
  th_error error = {0};
  if (th_soup_mesh(soup, &s->mesh, &error) != TH_OK) fail_msg("%s", error.text);
  assert_true(th_mesh_frames_make(&s->frames, &s->mesh));
  s->blocked = TH_TAKE(&s->mesh.allocator, uint8_t, s->mesh.face_count);
  assert_non_null(s->blocked);
  s->frames.blocked = s->blocked;
}

static inline void charting_make(charting *s, charting_kind kind) {
  th_soup soup = th_soup_begin(NULL);
  charting_soup(&soup, kind);
  charting_finish(s, &soup);
}

/* Blocks faces with that chance. */
static inline void charting_block(charting *s, double chance, uint64_t seed) {
  for (uint32_t f = 0; f < s->mesh.face_count; f++) s->blocked[f] = th_random_unit_double(seed, 0, f, 0) < chance;
}

static inline void charting_free(charting *s) {
  TH_GIVE(&s->mesh.allocator, s->blocked, s->mesh.face_count);
  th_mesh_frames_free(&s->frames);
  th_mesh_free(&s->mesh);
}

static inline th_patches charting_patches(const charting *s, float size, bool one_face) {
  th_patches patches;
  th_patches_def def = th_default_patches_def();
  def.size = size;
  def.one_face = one_face;
  assert_int_equal(th_patches_make(&patches, &s->mesh.allocator, &s->frames, &def, NULL, NULL), TH_OK);
  return patches;
}

#endif
