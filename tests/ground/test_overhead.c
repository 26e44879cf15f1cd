/* Where bodies can meet above a surface: the distance of bodies, what counts, and that nobody who counts is missing. */
#include "base/memory.h"
#include "ground/chart/atlas.h"
#include "support/bodies.h"
#include "support/slow.h"
#include "support/unit.h"

static const uint64_t seed_of_all = 20141215;

/* ---------------------------------------------------------------- bodies */

static th_vec3 any_unit(uint64_t *state) {
  for (;;) {
    th_vec3 v = {worlds_in(state, -1, 1), worlds_in(state, -1, 1), worlds_in(state, -1, 1)};
    float size = bodies_size(v);
    if (size > 0.1f && size < 1.0f) return (th_vec3){v.x / size, v.y / size, v.z / size};
  }
}

/* The least distance of points on the two axes, `steps` on each. */
static float sampled(const th_capsule *a, const th_capsule *b, int steps) {
  float min = INFINITY;
  for (int i = 0; i <= steps; i++)
    for (int k = 0; k <= steps; k++) {
      float s = 2.0f * (float)i / (float)steps - 1.0f, t = 2.0f * (float)k / (float)steps - 1.0f;
      th_vec3 d = {b->middle.x + t * b->half.x - a->middle.x - s * a->half.x,
                   b->middle.y + t * b->half.y - a->middle.y - s * a->half.y,
                   b->middle.z + t * b->half.z - a->middle.z - s * a->half.z};
      min = fminf(min, bodies_size(d));
    }
  return min;
}

static void bodies_are_as_far_apart_as_their_nearest_points(void **unused) {
  (void)unused;
  uint64_t state = seed_of_all;
  for (int i = 0; i < LONG_RUN(3000, 300); i++) {
    th_vec3 n = any_unit(&state), m = any_unit(&state), p = {0, 0, 0};
    th_vec3 q = {worlds_in(&state, -2, 2), worlds_in(&state, -2, 2), worlds_in(&state, -2, 2)};
    if (i % 7 == 0) m = n;                                /* side by side */
    if (i % 7 == 1) m = (th_vec3){-n.x, -n.y, -n.z};      /* head to head */
    if (i % 7 == 2) m = (th_vec3){n.x + 1e-5f, n.y, n.z}; /* nearly */
    float high = i % 5 == 0 ? 0.2f : worlds_in(&state, 0.5f, 3.0f), radius = worlds_in(&state, 0.1f, 0.4f);
    th_capsule a = th_capsule_standing(p, n, worlds_in(&state, 0.5f, 3.0f), 0.2f);
    th_capsule b = th_capsule_standing(q, m, high, radius);
    th_vec3 w = th_capsule_apart(&a, &b), back = th_capsule_apart(&b, &a);
    float found = bodies_size(w), max = sampled(&a, &b, 60), step = (a.length + b.length) / 60.0f;
    if (found > max + 1e-4f || found < max - step)
      fail_msg("pair %d of seed %llu: found %g, sampled %g", i, (unsigned long long)seed_of_all, (double)found,
               (double)max);
    assert_true(fabsf(bodies_size(back) - found) < 1e-4f);
  }
}

/* Feet stand on the ground, heads at the height; who is wider than high is a ball on the ground. */
static void bodies_stand_on_the_ground(void **unused) {
  (void)unused;
  th_capsule man = th_capsule_standing((th_vec3){1, 2, 3}, (th_vec3){0, 0, 1}, 1.75f, 0.2f);
  assert_true(fabsf(man.middle.z - man.length - man.radius - 3.0f) < 1e-6f);
  assert_true(fabsf(man.middle.z + man.length + man.radius - 4.75f) < 1e-6f);
  th_capsule ball = th_capsule_standing((th_vec3){0, 0, 0}, (th_vec3){1, 0, 0}, 0.3f, 0.5f);
  assert_true(ball.length == 0.0f && ball.middle.x == 0.5f);
}

/* ---------------------------------------------------------------- lists */

typedef struct lists {
  th_env env;
  log_capture h;
  th_ground *ground;
  th_atlas *atlas;
  th_overhead *overhead;
  bool plumb;
  float radius_min; /* 0: that of people [m] */
} lists;

static const th_overhead_def people = {.height = 2.0f, .radius_min = 0.15f, .radius_max = 0.3f, .gap = 2.0f};

static void lists_make(lists *l, th_ground *ground) {
  th_atlas_def def = th_default_atlas_def();
  def.allocator = th_env_complete(&l->env).allocator;
  th_overhead_def bodies = people;
  bodies.plumb = l->plumb;
  if (l->radius_min > 0.0f) bodies.radius_min = l->radius_min;
  l->ground = ground;
  OK(th_atlas_make(&def, ground, NULL, &l->atlas, &error));
  const th_overhead_input input = {&def.allocator, &ground->mesh->frames, &l->atlas->patches, NULL};
  OK(th_overhead_make(&input, &bodies, &l->overhead, &error));
}

static void lists_free(lists *l) {
  th_overhead_free(l->overhead);
  th_atlas_free(l->atlas);
  th_ground_release(l->ground);
}

static bool listed(const lists *l, uint32_t a, uint32_t b) {
  const uint32_t *cluster_of = l->atlas->patches.cluster_of;
  if (!l->overhead->crowded[a] || !l->overhead->crowded[b]) return false;
  for (uint32_t i = l->overhead->first[cluster_of[a]]; i < l->overhead->first[cluster_of[a] + 1]; i++)
    if (cluster_of[b] >= l->overhead->run[i].first && cluster_of[b] < l->overhead->run[i].last) return true;
  return false;
}

typedef struct stander {
  th_place place;
  th_vec3 foot, normal;
  th_capsule body;
} stander;

enum { STANDERS = 1500 };

static float along(th_vec3 a, th_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/* Everyone against everyone: pairs that count, are near and level with each other must be listed. */
static uint32_t check_all(const lists *l, const char *name, uint64_t seed) {
  static stander s[STANDERS];
  uint32_t count = LONG_RUN(STANDERS, 300), found = 0;
  for (uint32_t i = 0; i < count; i++) {
    s[i].place = mesh_grounds_place(l->ground, &seed);
    s[i].foot = th_ground_point(l->ground, s[i].place);
    s[i].normal = th_ground_normal(l->ground, s[i].place);
    th_vec3 up = l->plumb ? (th_vec3){0, 0, 1} : s[i].normal;
    s[i].body = th_capsule_standing(s[i].foot, up, worlds_in(&seed, 1.0f, 2.0f),
                                    worlds_in(&seed, l->overhead->def.radius_min, 0.3f));
  }
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = i + 1; k < count; k++) {
      th_vec3 w = th_capsule_apart(&s[i].body, &s[k].body);
      float radii = s[i].body.radius + s[k].body.radius, axes = bodies_size(w);
      if (!th_overhead_counts(mesh_grounds_apart(s[i].foot, s[k].foot), axes, radii)) continue;
      bool level = fabsf(along(w, s[i].normal)) < radii && fabsf(along(w, s[k].normal)) < radii;
      if (!level || axes > radii + people.gap) continue;
      found++;
      if (!listed(l, s[i].place.cell, s[k].place.cell) || !listed(l, s[k].place.cell, s[i].place.cell))
        fail_msg("%s, pair %u %u: axes %g m apart, not listed", name, i, k, (double)axes);
    }
  uint32_t crowded = 0, faces = l->overhead->face_count;
  for (uint32_t f = 0; f < faces; f++) crowded += l->overhead->crowded[f];
  print_message("%s%s: %u of %u faces, %u pairs of %u clusters in %u runs, %u pairs that count\n", name,
                l->plumb ? ", plumb" : "", crowded, faces, l->overhead->pairs, l->overhead->cluster_count,
                l->overhead->runs, found);
  return found;
}

static th_ground *made(const th_env *env, int32_t shape) {
  th_make_params make = mesh_grounds_shape(shape);
  if (shape == TH_MAKE_SHAPE_TERRAIN) make.length = make.width = 40, make.height = 6, make.wave = 12;
  if (shape == TH_MAKE_SHAPE_STATUE) make.faces = 4000, make.scale = 3;
  return mesh_grounds_make(env, &make);
}

/* shows: PLAN-64 */
static void nobody_who_counts_is_missing(void **unused) {
  (void)unused;
  const char *const name[] = {"valley",       "gentle valley", "tube inside", "floors",
                              "facing walls", "terrain",       "statue",      "torus"};
  /* once more with people who stand upright, on some; then all of it with some that are thin */
  for (int k = 0; k < 24; k += LONG_RUN(1, 5)) {
    int j = k % 12, i = j < 8 ? j : j == 8 ? 0 : j == 9 ? 3 : j - 5;
    lists l = {.radius_min = k < 12 ? 0.0f : 0.02f};
    l.env = worlds_env(&l.h);
    l.plumb = j >= 8;
    th_ground *ground = i == 0   ? bodies_valley(&l.env, 50, 20, 6)
                        : i == 1 ? bodies_valley(&l.env, 6, 20, 6)
                        : i == 2 ? bodies_tube(&l.env, 2.0f, 12.0f, 0.5f)
                        : i == 3 ? bodies_floors(&l.env, 12, 1.7, false)
                        : i == 4 ? bodies_floors(&l.env, 12, 3.0, true)
                                 : made(&l.env, i == 5   ? TH_MAKE_SHAPE_TERRAIN
                                                : i == 6 ? TH_MAKE_SHAPE_STATUE
                                                         : TH_MAKE_SHAPE_TORUS);
    lists_make(&l, ground);
    uint32_t found = check_all(&l, name[i], seed_of_all + (uint64_t)i);
    if ((i < 5 || l.plumb) && !SLOW_BUILD) assert_true(found > 0);
    lists_free(&l);
  }
}

/* shows: PLAN-64 PLAN-41 */
static void flat_and_convex_ground_lists_nobody(void **unused) {
  (void)unused;
  const char *const name[] = {"plane", "planet", "tube outside", "thin sheet", "floors 3 m apart"};
  for (int k = 0; k < 7; k++) {
    int i = k < 5 ? k : k == 5 ? 0 : 4;
    lists l = {0};
    l.env = worlds_env(&l.h);
    l.plumb = k >= 5;
    th_make_params tube = mesh_grounds_shape(TH_MAKE_SHAPE_TUBE);
    th_ground *ground = i == 0   ? made(&l.env, TH_MAKE_SHAPE_PLANE)
                        : i == 1 ? made(&l.env, TH_MAKE_SHAPE_PLANET)
                        : i == 2 ? mesh_grounds_make(&l.env, &tube)
                        : i == 3 ? bodies_floors(&l.env, 12, -0.02, false)
                                 : bodies_floors(&l.env, 12, 3.0, false);
    lists_make(&l, ground);
    check_all(&l, name[i], seed_of_all);
    assert_int_equal(l.overhead->runs, 0);
    lists_free(&l);
  }
}

/* Counts pairs of facets, not seconds: a body of 0.02 m took 280 times as long as one of 0.2 m. */
static void a_thin_body_costs_no_more(void **unused) {
  (void)unused;
  const int32_t shape[] = {TH_MAKE_SHAPE_TERRAIN, TH_MAKE_SHAPE_TORUS, TH_MAKE_SHAPE_STATUE};
  for (int k = 0; k < 6; k += LONG_RUN(1, 4)) {
    uint64_t tested[2];
    for (int thin = 0; thin < 2; thin++) {
      lists l = {.plumb = k >= 3, .radius_min = thin ? 0.01f : 0.2f};
      l.env = worlds_env(&l.h);
      lists_make(&l, made(&l.env, shape[k % 3]));
      tested[thin] = l.overhead->tested;
      lists_free(&l);
    }
    print_message("shape %d%s: %llu pairs, with a thin body %llu\n", (int)shape[k % 3], k >= 3 ? ", plumb" : "",
                  (unsigned long long)tested[0], (unsigned long long)tested[1]);
    assert_true(tested[1] <= 2 * tested[0]);
  }
}

static void workers_make_the_same_lists(void **unused) {
  (void)unused;
  lists l = {0};
  l.env = worlds_env(&l.h);
  lists_make(&l, bodies_valley(&l.env, 50, 20, 6));
  th_pool *pool;
  th_overhead *again;
  OK(th_pool_make(&l.env, 3, &pool, &error));
  const th_overhead_input input = {&l.overhead->allocator, &l.ground->mesh->frames, &l.atlas->patches, pool};
  OK(th_overhead_make(&input, &people, &again, &error));
  assert_int_equal(again->runs, l.overhead->runs);
  assert_memory_equal(again->first, l.overhead->first, sizeof *again->first * (again->cluster_count + 1));
  assert_memory_equal(again->run, l.overhead->run, sizeof *again->run * again->runs);
  assert_memory_equal(again->crowded, l.overhead->crowded, again->face_count);
  th_overhead_free(again);
  th_pool_free(pool);
  lists_free(&l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bodies_are_as_far_apart_as_their_nearest_points),
      cmocka_unit_test(bodies_stand_on_the_ground),
      cmocka_unit_test(nobody_who_counts_is_missing),
      cmocka_unit_test(flat_and_convex_ground_lists_nobody),
      cmocka_unit_test(a_thin_body_costs_no_more),
      cmocka_unit_test(workers_make_the_same_lists),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
