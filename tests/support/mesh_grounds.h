/* tests/support/mesh_grounds.h - generated mesh grounds for tests. */
#ifndef TH_TESTS_SUPPORT_MESH_GROUNDS_H
#define TH_TESTS_SUPPORT_MESH_GROUNDS_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "geometry/make/shapes.h"
#include "ground/mesh/ground.h"
#include "ground/walk.h"
#include "support/allocator.h"

typedef enum surface_kind {
  SURFACE_PLANE,       /* 20 x 20 m, right triangles of 1 m */
  SURFACE_EQUILATERAL, /* 20 x 17 m */
  SURFACE_NOISY,       /* shaken by 0.4 of the edge */
  SURFACE_SLIVERS,     /* shaken, with slivers of 1e-5 */
  SURFACE_NEEDLES,     /* triangles 0.05 x 4 m */
  SURFACE_SPHERE,      /* radius 5, 1,280 faces */
  SURFACE_BALL,        /* waved sphere */
  SURFACE_TORUS,
  SURFACE_TUBE, /* inside of a bent tube */
  SURFACE_COSTA,
  SURFACE_HOUSE,
  SURFACE_STATUE, /* genus 4, shaken */
  SURFACE_CAR,
  SURFACE_KINDS
} surface_kind;

static const char *const surface_name[SURFACE_KINDS] = {"plane",  "equilateral", "noisy", "slivers", "needles",
                                                        "sphere", "ball",        "torus", "tube",    "costa",
                                                        "house",  "statue",      "car"};

static inline void surface_soup(th_soup *soup, surface_kind kind, uint64_t seed) {
  th_make_pipe pipe = {.around = 24, .along = 30, .length = 20.0, .low = 2.5, .high = 2.5, .bend = 1.0, .inside = true};
  th_result result = TH_OK;
  *soup = th_soup_begin(NULL);
  switch (kind) {
    case SURFACE_PLANE:
      th_make_plane(soup, 20, 20, 1.0, 1.0);
      break;
    case SURFACE_EQUILATERAL:
      th_make_equilateral(soup, 20, 20, 1.0);
      break;
    case SURFACE_NOISY:
    case SURFACE_SLIVERS:
      th_make_equilateral(soup, 20, 20, 1.0);
      break;
    case SURFACE_NEEDLES:
      th_make_plane(soup, 200, 3, 0.05, 4.0);
      break;
    case SURFACE_SPHERE:
      result = th_make_icosphere(soup, 3, 5.0, 0.0, NULL);
      break;
    case SURFACE_BALL:
      result = th_make_icosphere(soup, 4, 5.0, 0.15, NULL);
      break;
    case SURFACE_TORUS:
      th_make_torus(soup, 24, 60, 6.0, 2.0);
      break;
    case SURFACE_TUBE:
      th_make_tube(soup, &pipe);
      break;
    case SURFACE_COSTA:
      th_make_costa(soup, 36, 8.0);
      break;
    case SURFACE_HOUSE:
      th_make_house(soup, 1);
      break;
    case SURFACE_STATUE:
      result = th_make_statue(soup, 4, 4000, NULL);
      break;
    case SURFACE_CAR:
      th_make_car(soup);
      break;
    case SURFACE_KINDS:
      break;
  }
  if (!result && (kind == SURFACE_NOISY || kind == SURFACE_SLIVERS || kind == SURFACE_STATUE))
    result = th_soup_shake(soup, kind == SURFACE_STATUE ? 0.3 : 0.4, seed, NULL);
  if (kind == SURFACE_SLIVERS) th_soup_spoil(soup, 0.3, 1e-5, seed);
  assert_int_equal(result, TH_OK);
}

/* The def points into the soup, which is freed by the caller. */
static inline th_surface_def surface_def(const th_soup *soup) {
  th_surface_def def = th_default_surface_def();
  assert_false(soup->failed);
  def.mesh.xyz_double = soup->xyz[0];
  def.mesh.vertex_count = soup->vertex_count;
  def.mesh.corner = soup->corner[0];
  def.mesh.face_count = soup->face_count;
  return def;
}

static inline th_ground *surface_ground(const th_surface_def *def) {
  th_error error = {0};
  th_ground *ground = NULL;
  if (th_ground_make_surface(def, &ground, &error) != TH_OK) fail_msg("%s: %s", error.where, error.text);
  return ground;
}

static inline th_ground *surface_make(surface_kind kind, uint64_t seed) {
  th_soup soup;
  surface_soup(&soup, kind, seed);
  th_surface_def def = surface_def(&soup);
  th_ground *ground = surface_ground(&def);
  th_soup_free(&soup);
  return ground;
}

/* A random place on a walkable face. */
static inline th_place surface_any_place(const th_ground *ground, uint64_t seed, uint32_t n) {
  const th_surface *s = ground->surface;
  for (uint64_t k = 0;; k++) {
    uint32_t face = th_random_to_below(th_random(seed, 0, n, k), s->mesh.face_count);
    if (s->blocked[face]) continue;
    float a = th_random_unit(seed, 1, n, k), b = th_random_unit(seed, 2, n, k);
    if (a + b > 1.0f) a = 1.0f - a, b = 1.0f - b;
    return th_ground_place_of(ground, face, (th_vec3){1.0f - a - b, a, b});
  }
}

#endif
