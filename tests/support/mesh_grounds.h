/* tests/support/mesh_grounds.h - generated mesh grounds for tests. */
#ifndef TH_TESTS_SUPPORT_MESH_GROUNDS_H
#define TH_TESTS_SUPPORT_MESH_GROUNDS_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "ground/mesh/ground.h"
#include "ground/walk.h"
#include "make/shapes.h"
#include "support/allocator.h"

typedef enum mesh_kind {
  MESH_PLANE,       /* 20 x 20 m, right triangles of 1 m */
  MESH_EQUILATERAL, /* 20 x 17 m */
  MESH_NOISY,       /* shaken by 0.4 of the edge */
  MESH_SLIVERS,     /* shaken, with slivers of 1e-5 */
  MESH_NEEDLES,     /* triangles 0.05 x 4 m */
  MESH_SPHERE,      /* radius 5, 1,280 faces */
  MESH_BALL,        /* waved sphere */
  MESH_TORUS,
  MESH_TUBE, /* inside of a bent tube */
  MESH_COSTA,
  MESH_HOUSE,
  MESH_STATUE, /* genus 4, shaken */
  MESH_CAR,
  MESH_KINDS
} mesh_kind;

static const char *const mesh_kind_name[MESH_KINDS] = {"plane",  "equilateral", "noisy", "slivers", "needles",
                                                       "sphere", "ball",        "torus", "tube",    "costa",
                                                       "house",  "statue",      "car"};

static inline void mesh_kind_soup(th_soup *soup, mesh_kind kind, uint64_t seed) {
  th_make_pipe pipe = {.around = 24, .along = 30, .length = 20.0, .low = 2.5, .high = 2.5, .bend = 1.0, .inside = true};
  th_result result = TH_OK;
  *soup = th_soup_begin(NULL);
  switch (kind) {
    case MESH_PLANE:
      th_make_plane(soup, 20, 20, 1.0, 1.0);
      break;
    case MESH_EQUILATERAL:
      th_make_equilateral(soup, 20, 20, 1.0);
      break;
    case MESH_NOISY:
    case MESH_SLIVERS:
      th_make_equilateral(soup, 20, 20, 1.0);
      break;
    case MESH_NEEDLES:
      th_make_plane(soup, 200, 3, 0.05, 4.0);
      break;
    case MESH_SPHERE:
      result = th_make_icosphere(soup, 3, 5.0, 0.0, NULL);
      break;
    case MESH_BALL:
      result = th_make_icosphere(soup, 4, 5.0, 0.15, NULL);
      break;
    case MESH_TORUS:
      th_make_torus(soup, 24, 60, 6.0, 2.0);
      break;
    case MESH_TUBE:
      th_make_tube(soup, &pipe);
      break;
    case MESH_COSTA:
      th_make_costa(soup, 36, 8.0);
      break;
    case MESH_HOUSE:
      th_make_house(soup, 1);
      break;
    case MESH_STATUE:
      result = th_make_statue(soup, 4, 4000, NULL);
      break;
    case MESH_CAR:
      th_make_car(soup);
      break;
    case MESH_KINDS:
      break;
  }
  if (!result && (kind == MESH_NOISY || kind == MESH_SLIVERS || kind == MESH_STATUE))
    result = th_soup_shake(soup, kind == MESH_STATUE ? 0.3 : 0.4, seed, NULL);
  if (kind == MESH_SLIVERS) th_soup_spoil(soup, 0.3, 1e-5, seed);
  assert_int_equal(result, TH_OK);
}

/* The def points into the soup, which is freed by the caller. */
static inline th_mesh_ground_def mesh_kind_def(const th_soup *soup) {
  th_mesh_ground_def def = th_default_mesh_ground_def();
  assert_false(soup->failed);
  def.triangles.xyz_double = soup->xyz[0];
  def.triangles.vertex_count = soup->vertex_count;
  def.triangles.corner = soup->corner[0];
  def.triangles.face_count = soup->face_count;
  return def;
}

static inline th_ground *mesh_kind_ground_of(const th_mesh_ground_def *def) {
  th_error error = {0};
  th_ground *ground = NULL;
  if (th_ground_make_mesh(def, &ground, &error) != TH_OK) fail_msg("%s: %s", error.where, error.text);
  return ground;
}

static inline th_ground *mesh_kind_ground(mesh_kind kind, uint64_t seed) {
  th_soup soup;
  mesh_kind_soup(&soup, kind, seed);
  th_mesh_ground_def def = mesh_kind_def(&soup);
  th_ground *ground = mesh_kind_ground_of(&def);
  th_soup_free(&soup);
  return ground;
}

/* A random place on a walkable face. */
static inline th_place mesh_kind_any_place(const th_ground *ground, uint64_t seed, uint32_t n) {
  const th_mesh_ground *s = ground->mesh;
  for (uint64_t k = 0;; k++) {
    uint32_t face = th_random_to_below(th_random(seed, 0, n, k), s->mesh.face_count);
    if (s->blocked[face]) continue;
    float a = th_random_unit(seed, 1, n, k), b = th_random_unit(seed, 2, n, k);
    if (a + b > 1.0f) a = 1.0f - a, b = 1.0f - b;
    return th_ground_place_of(ground, face, (th_vec3){1.0f - a - b, a, b});
  }
}

#endif
