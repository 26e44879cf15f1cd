/* tests/model/test_biocrowds.c - owners and motion against an oracle, on flat and mesh ground, for every instruction
 * set and number of workers. */
#include "support/biocrowds_worlds.h"
#include "support/floor_plans.h"
#include "support/mesh_grounds.h"
#include "support/mesh_worlds.h"
#include "support/slow.h"

static uint32_t owner_of[1 << 20];

/* ---------------------------------------------------------------- flat ground */

static void add_random(arena *a, uint64_t *state, const plan *p, float size, uint32_t count) {
  while (a->count < count) {
    float x = worlds_in(state, 0.0f, size), y = worlds_in(state, 0.0f, size);
    if (p ? !plan_walkable(p, (double)x, (double)y) : false) continue;
    if (th_ground_clearance(th_world_ground(a->world), x, y) < 0.01f) continue;
    arena_add(a, x, y, (th_vec2){worlds_in(state, 0.0f, size), worlds_in(state, 0.0f, size)}, NULL);
  }
}

static void check_owners(const arena *a, const th_vec2 *at, uint64_t seed) {
  const th_markers *markers = arena_markers(a);
  uint32_t owned = 0;
  assert_int_equal(th_world_marker_owners(a->world, owner_of, 1 << 20), th_markers_count(markers));
  for (uint32_t n = 0; n < th_markers_count(markers); n++) {
    th_place m = th_markers_places(markers)[n];
    uint32_t expected = arena_owner(a, at, (th_vec2){m.x, m.y}, 1.25f);
    if (owner_of[n] != expected)
      print_error("marker %u at %g %g: %u, expected %u\n", n, (double)m.x, (double)m.y, owner_of[n], expected);
    CHECK_SEED(owner_of[n] == expected, seed, "owner");
    owned += expected != 0;
  }
  assert_true(owned > 0);
}

/* The motion vector by the equations, in double. */
static void motion(const arena *a, const th_vec2 *at, uint32_t i, double m[2], double *weights) {
  const th_markers *markers = arena_markers(a);
  double gx = (double)a->goal[i].x - (double)at[i].x, gy = (double)a->goal[i].y - (double)at[i].y;
  double g = sqrt(gx * gx + gy * gy), sum = 0.0;
  m[0] = m[1] = *weights = 0.0;
  for (int round = 0; round < 2; round++)
    for (uint32_t n = 0; n < th_markers_count(markers); n++) {
      if (owner_of[n] != i + 1) continue;
      th_place p = th_markers_places(markers)[n];
      double dx = (double)p.x - (double)at[i].x, dy = (double)p.y - (double)at[i].y, d = sqrt(dx * dx + dy * dy);
      if (d > 1.25) continue;
      double f = (1.0 + (d > 1e-6 ? (gx * dx + gy * dy) / (g * d) : 0.0)) / (1.0 + d);
      if (round == 0) sum += f;
      if (round == 0) continue;
      m[0] += f / sum * dx;
      m[1] += f / sum * dy;
      *weights += f / sum;
    }
}

static void check_motion(const arena *a, const th_vec2 *at, uint64_t seed) {
  for (uint32_t i = 0; i < a->count; i++) {
    double m[2], weights;
    motion(a, at, i, m, &weights);
    double length = sqrt(m[0] * m[0] + m[1] * m[1]), k = length > 0.0 ? 1.8 * fmin(length, 0.4) / 0.4 / length : 0.0;
    uint32_t row = a->world->row_of[i];
    CHECK_SEED(weights == 0.0 || fabs(weights - 1.0) < 1e-5, seed, "weights");
    CHECK_SEED(fabs((double)a->world->rows.advised_vx[row] - k * m[0]) < 2e-5 &&
                   fabs((double)a->world->rows.advised_vy[row] - k * m[1]) < 2e-5,
               seed, "agent %u: %g %g, expected %g %g", i, (double)a->world->rows.advised_vx[row],
               (double)a->world->rows.advised_vy[row], k * m[0], k * m[1]);
  }
}

/* Clipped, a decision moves an agent by its motion vector, or by its greatest step if that is shorter. */
/* shows: BIO-07 */
static void steps_are_no_longer_than_the_motion(void **unused) {
  (void)unused;
  th_biocrowds_params params = th_default_biocrowds_params();
  params.limit = TH_BIOCROWDS_CLIPPED;
  params.rate = 4.0f; /* a quarter of a second: 0.45 m at 1.8 m/s */
  th_vec2 at[ARENA_MAX];
  th_ground *ground = worlds_box(&(th_env){0}, 14.0f, 14.0f);
  arena a;
  arena_make(&a, ground, &(arena_def){.workers = 1});
  uint64_t state = 7;
  while (a.count < 60)
    arena_add(&a, worlds_in(&state, 1.0f, 13.0f), worlds_in(&state, 1.0f, 13.0f),
              (th_vec2){worlds_in(&state, 0.0f, 14.0f), worlds_in(&state, 0.0f, 14.0f)}, &params);
  arena_places(&a, at);
  th_world_advise(a.world);
  check_owners(&a, at, 7);
  uint32_t whole = 0, clipped = 0;
  for (uint32_t i = 0; i < a.count; i++) {
    double m[2], weights;
    motion(&a, at, i, m, &weights);
    const uint32_t row = a.world->row_of[i];
    const double length = sqrt(m[0] * m[0] + m[1] * m[1]), speed = fmin(1.8, 4.0 * length);
    const double found = hypot((double)a.world->rows.advised_vx[row], (double)a.world->rows.advised_vy[row]);
    if (fabs(found - speed) > 1e-4) fail_msg("agent %u: %g m/s, m is %g m long", i, found, length);
    clipped += speed == 1.8;
    whole += speed < 1.8 && speed > 0.0;
  }
  print_message("%u go by their motion vector, %u by the greatest step\n", whole, clipped);
  assert_true(whole > 5 && clipped > 5);
  arena_free(&a);
  th_ground_release(ground);
}

/* shows: BIO-04, BIO-05, BIO-07 */
static void owners_and_motion_are_those_of_the_oracle(void **unused) {
  (void)unused;
  th_vec2 at[ARENA_MAX];
  for (uint64_t seed = 1; seed <= LONG_RUN(8u, 2u); seed++) {
    plan p;
    plan_make(&p, seed, (uint32_t)(seed % 5 * 3), 14.0f);
    if (seed % 4 == 0) p.def.markers = (th_markers_def){.distance = 0.2f, .layout = TH_MARKERS_GRID, .seed = 1};
    p.def.markers.through_walls = seed % 3 == 0;
    th_ground *ground = plan_ground(&p);
    arena a;
    arena_make(&a, ground, &(arena_def){.workers = 1 + (uint32_t)seed % 3});
    uint64_t state = seed;
    add_random(&a, &state, &p, 14.0f, 20 + 30 * (uint32_t)(seed % 4));
    for (int step = 0; step < 2; step++) {
      arena_places(&a, at);
      th_world_advise(a.world);
      check_owners(&a, at, seed);
      check_motion(&a, at, seed);
      th_world_integrate(a.world);
    }
    arena_free(&a);
    th_ground_release(ground);
  }
}

static uint64_t run_flat(th_simd simd, uint32_t workers, bool body) {
  plan p;
  plan_make(&p, 5, 9, 20.0f);
  th_ground *ground = plan_ground(&p);
  arena a;
  arena_make(&a, ground, &(arena_def){.workers = workers, .simd = simd});
  uint64_t state = 3;
  th_biocrowds_params params = th_default_biocrowds_params();
  params.body = body;
  while (a.count < 150) {
    float x = worlds_in(&state, 0.3f, 19.7f), y = worlds_in(&state, 0.3f, 19.7f);
    if (th_ground_clearance(ground, x, y) < 0.25f) continue;
    arena_add(&a, x, y, (th_vec2){20.0f - x, 20.0f - y}, &params);
  }
  for (int step = 0; step < 60; step++) th_world_step(a.world);
  uint64_t hash = th_world_hash(a.world);
  arena_free(&a);
  th_ground_release(ground);
  return hash;
}

static th_ground *torus(void) {
  th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_TORUS);
  return mesh_grounds_make(&(th_env){0}, &make);
}

static void add_on_mesh(arena *a, const th_ground *ground, uint32_t count) {
  uint64_t state = 11;
  while (a->count < count) {
    th_place place = mesh_grounds_place(ground, &state);
    th_vec3 p = th_ground_point(ground, place);
    th_agent_def def = arena_agent(a, p.x, p.y);
    def.point.z = p.z;
    arena_put(a, &def, (th_vec2){-p.x, -p.y});
  }
}

static uint64_t run_mesh(th_simd simd, uint32_t workers) {
  th_ground *ground = torus();
  arena a;
  arena_make(&a, ground, &(arena_def){.workers = workers, .simd = simd});
  add_on_mesh(&a, ground, 150);
  for (int step = 0; step < LONG_RUN(40, 8); step++) th_world_step(a.world);
  uint64_t hash = th_world_hash(a.world);
  arena_free(&a);
  th_ground_release(ground);
  return hash;
}

static void instruction_sets_and_workers_agree(void **unused) {
  (void)unused;
  static const th_simd simd[] = {TH_SIMD_FOUR, TH_SIMD_AVX2, TH_SIMD_AVX512};
  static const uint32_t workers[] = {1, 2, 3, 8};
  uint64_t flat = run_flat(TH_SIMD_AUTO, 1, false), body = run_flat(TH_SIMD_AUTO, 1, true),
           mesh = run_mesh(TH_SIMD_AUTO, 1);
  for (int s = 0; s < 3; s++) {
    if (!th_simd_has(simd[s])) continue;
    assert_true(run_flat(simd[s], 1, false) == flat);
    assert_true(run_flat(simd[s], 1, true) == body);
    assert_true(run_mesh(simd[s], 1) == mesh);
  }
  for (int k = 1; k < LONG_RUN(4, 2); k++) {
    assert_true(run_flat(TH_SIMD_AUTO, workers[k], false) == flat);
    assert_true(run_mesh(TH_SIMD_AUTO, workers[k]) == mesh);
  }
}

/* ---------------------------------------------------------------- mesh ground */

/* The nearest agent in the chart of the marker's own patch, by brute force. */
static uint32_t mesh_owner(const arena *a, const th_place *at, th_place m) {
  const th_atlas *atlas = a->world->mesh->atlas;
  const th_chart *chart = th_atlas_chart(atlas, atlas->patches.patch_of[m.cell]);
  if (!chart) return 0;
  th_vec2 p = th_chart_point(th_chart_find(chart, &atlas->patches, m.cell), m.x, m.y);
  uint32_t owner = 0;
  float best = 1.25f * 1.25f;
  for (uint32_t i = 0; i < a->count; i++) {
    const th_chart_map *map = th_chart_find(chart, &atlas->patches, at[i].cell);
    if (!map) continue;
    th_vec2 q = th_chart_point(map, at[i].x, at[i].y);
    float dx = p.x - q.x, dy = p.y - q.y, d2 = dx * dx + dy * dy;
    bool hidden = false;
    if (d2 > best) continue;
    for (uint32_t k = 0; k < chart->wall_count && !hidden; k++) {
      th_view view = {.wall = &chart->wall[k], .wall_count = 1};
      hidden = !th_view_sees(&view, q.x, q.y, p.x, p.y);
    }
    if (hidden) continue;
    best = d2;
    owner = i + 1;
  }
  return owner;
}

/* shows: BIO-04, BIO-36 */
static void a_marker_of_a_mesh_is_judged_in_the_chart_of_its_patch(void **unused) {
  (void)unused;
  static const mesh_kind kind[] = {MESH_PLANE, MESH_NOISY, MESH_TORUS, MESH_HOUSE};
  for (int k = 0; k < LONG_RUN(4, 2); k++) {
    th_ground *ground = mesh_kind_ground(kind[k], 2);
    arena a;
    arena_make(&a, ground, &(arena_def){.workers = 2});
    for (uint32_t n = 0; n < 90; n++) {
      th_vec3 p = th_ground_point(ground, mesh_kind_any_place(ground, 7, n));
      th_agent_def def = arena_agent(&a, p.x, p.y);
      def.point.z = p.z;
      arena_put(&a, &def, (th_vec2){-p.x, -p.y});
    }
    const th_markers *markers = arena_markers(&a);
    uint32_t owned = 0, wrong = 0;
    th_place at[ARENA_MAX];
    for (uint32_t i = 0; i < a.count; i++) {
      uint32_t row = a.world->row_of[i];
      at[i] = (th_place){a.world->rows.cell[row], a.world->rows.x[row], a.world->rows.y[row]};
    }
    th_world_advise(a.world);
    th_world_marker_owners(a.world, owner_of, 1 << 20);
    for (uint32_t n = 0; n < th_markers_count(markers); n++) {
      uint32_t expected = mesh_owner(&a, at, th_markers_places(markers)[n]);
      if (owner_of[n] != expected) print_message("marker %u: %u, expected %u\n", n, owner_of[n], expected);
      wrong += owner_of[n] != expected;
      owned += expected != 0;
    }
    print_message("%s: %u of %u markers owned, %u wrong\n", mesh_kind_name[kind[k]], owned, th_markers_count(markers),
                  wrong);
    assert_true(owned > 1000);
    assert_int_equal(wrong, 0);
    arena_free(&a);
    th_ground_release(ground);
  }
}

/* ---------------------------------------------------------------- the rest of the checklist */

/* shows: BIO-05, BIO-06 */
static void coherence_falls_with_angle_and_distance(void **unused) {
  (void)unused;
  th_flat_def flat = th_default_flat_def();
  th_vec2 corner[4];
  const th_polygon outline = th_box_polygon(0, 0, 10, 10, corner);
  flat.outline = &outline, flat.outline_count = 1;
  flat.markers = (th_markers_def){.distance = 0.2f, .layout = TH_MARKERS_GRID, .seed = 1};
  th_ground *ground;
  OK(th_ground_make_flat(&flat, &ground, &error));
  arena a;
  arena_make(&a, ground, &(arena_def){0});
  arena_add(&a, 5.1f, 5.1f, (th_vec2){9.0f, 5.1f}, NULL);
  th_trace_def trace = th_default_trace_def();
  trace.items = 512;
  OK(th_world_trace(a.world, &trace, &error));
  OK(th_world_trace_agent(a.world, a.id[0], true, &error));
  th_world_step(a.world);
  static th_trace_item item[512];
  uint32_t count = th_world_traces(a.world, a.id[0], item, 512);
  uint32_t markers = 0;
  double ahead = 0.0, behind = 1.0, beside = 0.0, far = 0.0, sum = 0.0;
  for (uint32_t n = 0; n < count; n++) {
    if (strcmp(item[n].trace->name, "own markers") != 0) continue;
    double x = (double)item[n].a.x - 5.1, y = (double)item[n].a.y - 5.1, f = (double)item[n].value;
    double d = sqrt(x * x + y * y);
    markers++;
    sum += f;
    assert_true(f >= 0.0 && d <= 1.25);
    if (fabs(x - 0.4) < 0.01 && fabs(y) < 0.01) ahead = f;
    if (fabs(x + 0.4) < 0.01 && fabs(y) < 0.01) behind = f;
    if (fabs(x) < 0.01 && fabs(y - 0.4) < 0.01) beside = f;
    if (fabs(x - 1.2) < 0.01 && fabs(y) < 0.01) far = f;
  }
  assert_true(markers > 100 && sum > 0.0);
  assert_true(fabs(ahead - 2.0 / 1.4) < 1e-3 && fabs(beside - 1.0 / 1.4) < 1e-3 && behind < 1e-6);
  assert_true(fabs(far - 2.0 / 2.2) < 1e-3);
  arena_free(&a);
  th_ground_release(ground);
}

static th_ground *box(float width, float height) { return worlds_box(&(th_env){0}, width, height); }

static float walked_speed(uint32_t limit, float dt) {
  th_ground *ground = box(60.0f, 8.0f);
  arena a;
  arena_make(&a, ground, &(arena_def){.dt = dt});
  th_biocrowds_params params = th_default_biocrowds_params();
  params.limit = (int32_t)limit;
  arena_add(&a, 3.0f, 4.0f, (th_vec2){200.0f, 4.0f}, &params);
  int steps = (int)(20.0f / dt);
  for (int n = 0; n < steps; n++) th_world_step(a.world);
  float x = th_world_agent_point(a.world, a.id[0]).x;
  arena_free(&a);
  th_ground_release(ground);
  return (x - 3.0f) / (dt * (float)steps);
}

/* shows: BIO-08 */
static void a_free_agent_walks_at_nearly_full_speed(void **unused) {
  (void)unused;
  float slowing = walked_speed(TH_BIOCROWDS_SLOWING, 1.0f / 30.0f), fine = walked_speed(TH_BIOCROWDS_SLOWING, 0.01f),
        coarse = walked_speed(TH_BIOCROWDS_SLOWING, 0.1f), clipped = walked_speed(TH_BIOCROWDS_CLIPPED, 1.0f / 30.0f);
  print_message("%.3f, with steps of 0.01 s %.3f, of 0.1 s %.3f; clipped %.3f m/s\n", (double)slowing, (double)fine,
                (double)coarse, (double)clipped);
  assert_true(slowing > 1.7f && slowing <= 1.8f);
  assert_true(fine > 1.7f && fine <= 1.8f && coarse > 1.7f && coarse <= 1.8f);
  assert_true(clipped > 1.78f && clipped <= 1.8f + 1e-3f);
}

/* shows: BIO-09 */
static void without_markers_or_at_its_goal_an_agent_stays(void **unused) {
  (void)unused;
  th_flat_def flat = th_default_flat_def();
  th_vec2 corner[4];
  const th_polygon outline = th_box_polygon(0, 0, 12, 12, corner);
  flat.outline = &outline, flat.outline_count = 1;
  flat.markers = (th_markers_def){.distance = 1.0f, .layout = TH_MARKERS_GRID, .seed = 1};
  th_ground *ground;
  OK(th_ground_make_flat(&flat, &ground, &error));
  arena a;
  arena_make(&a, ground, &(arena_def){0});
  arena_add(&a, 4.0f, 4.0f, (th_vec2){10.0f, 4.0f}, NULL); /* four markers within 1.25 m, each with somebody on it */
  for (int k = 0; k < 4; k++) {
    const th_vec2 marker = {k % 2 ? 4.5f : 3.5f, k / 2 ? 4.5f : 3.5f};
    arena_add(&a, marker.x, marker.y, marker, NULL);
  }
  for (int n = 0; n < 10; n++) th_world_step(a.world);
  th_vec3 p = th_world_agent_point(a.world, a.id[0]);
  assert_true(p.x == 4.0f && p.y == 4.0f);
  arena_free(&a);
  th_ground_release(ground);
  ground = box(12.0f, 12.0f);
  arena_make(&a, ground, &(arena_def){0});
  arena_add(&a, 5.0f, 5.0f, (th_vec2){5.0f, 5.05f}, NULL);
  arena_add(&a, 2.0f, 5.0f, (th_vec2){7.0f, 5.0f}, NULL);
  for (int n = 0; n < 200; n++) th_world_step(a.world);
  p = th_world_agent_point(a.world, a.id[0]);
  assert_true(p.x == 5.0f && p.y == 5.0f);
  p = th_world_agent_point(a.world, a.id[1]); /* and one that arrives stays there */
  assert_true(fabsf(p.x - 7.0f) < 0.12f && fabsf(p.y - 5.0f) < 0.12f);
  arena_free(&a);
  th_ground_release(ground);
}

/* shows: BIO-10 */
static void a_marker_left_behind_is_free_for_others(void **unused) {
  (void)unused;
  th_ground *ground = box(30.0f, 6.0f);
  arena a;
  arena_make(&a, ground, &(arena_def){0});
  arena_add(&a, 5.0f, 3.0f, (th_vec2){100.0f, 3.0f}, NULL);
  arena_add(&a, 1.0f, 3.0f, (th_vec2){100.0f, 3.0f}, NULL);
  const th_markers *markers = arena_markers(&a);
  uint32_t near = 0;
  for (uint32_t n = 0; n < th_markers_count(markers); n++) {
    th_place m = th_markers_places(markers)[n], b = th_markers_places(markers)[near];
    if (hypotf(m.x - 5.5f, m.y - 3.0f) < hypotf(b.x - 5.5f, b.y - 3.0f)) near = n;
  }
  uint32_t owner[3], count = 0, last = UINT32_MAX;
  for (int n = 0; n < 200; n++) {
    th_world_step(a.world);
    th_world_marker_owners(a.world, owner_of, 1 << 20);
    if (owner_of[near] != last && count < 3) owner[count++] = last = owner_of[near];
  }
  assert_int_equal(count, 3);
  assert_int_equal(owner[0], 1);
  assert_int_equal(owner[1], 0);
  assert_int_equal(owner[2], 2);
  arena_free(&a);
  th_ground_release(ground);
}

/* shows: BIO-12 */
static void the_order_of_agents_does_not_matter(void **unused) {
  (void)unused;
  th_vec3 end[2][60];
  for (int back = 0; back < 2; back++) {
    th_ground *ground = box(12.0f, 10.0f);
    arena a;
    arena_make(&a, ground, &(arena_def){0});
    for (uint32_t n = 0; n < 60; n++) {
      uint64_t state = 100 + (back ? 59 - n : n);
      float x = worlds_in(&state, 0.5f, 11.5f), y = worlds_in(&state, 0.5f, 9.5f);
      arena_add(&a, x, y, (th_vec2){12.0f - x, 10.0f - y}, NULL);
    }
    for (int n = 0; n < 90; n++) th_world_step(a.world);
    for (uint32_t n = 0; n < 60; n++) end[back][back ? 59 - n : n] = th_world_agent_point(a.world, a.id[n]);
    arena_free(&a);
    th_ground_release(ground);
  }
  assert_memory_equal(end[0], end[1], sizeof end[0]);
}

/* shows: BIO-13 */
static void an_agent_goes_round_ground_without_markers(void **unused) {
  (void)unused;
  th_vec2 corner[4], round[16];
  const th_polygon outline = th_box_polygon(0, 0, 24, 16, corner), column = {NULL, round, 16};
  for (int k = 0; k < 16; k++)
    round[k] = (th_vec2){11.5f + 2.5f * cosf(0.3927f * (float)k), 8.0f + 2.5f * sinf(0.3927f * (float)k)};
  th_flat_def flat = th_default_flat_def();
  flat.outline = &outline, flat.outline_count = 1, flat.obstacle = &column, flat.obstacle_count = 1;
  th_ground *ground;
  OK(th_ground_make_flat(&flat, &ground, &error));
  arena a;
  arena_make(&a, ground, &(arena_def){0});
  arena_add(&a, 3.0f, 8.5f, (th_vec2){20.0f, 8.5f}, NULL);
  float widest = 0.0f;
  for (int n = 0; n < 1500; n++) {
    th_world_step(a.world);
    widest = fmaxf(widest, th_world_agent_point(a.world, a.id[0]).y);
  }
  th_vec3 p = th_world_agent_point(a.world, a.id[0]);
  print_message("at %.2f %.2f, widest %.2f\n", (double)p.x, (double)p.y, (double)widest);
  assert_true(hypotf(p.x - 20.0f, p.y - 8.5f) < 0.3f && widest > 10.5f);
  arena_free(&a);
  th_ground_release(ground);
}

/* A wall of 5 cm: nobody uses markers behind it, and no body passes it, also when the markers there attract. */
/* shows: BIO-04 */
static void walls_hide_markers_and_stop_bodies(void **unused) {
  (void)unused;
  for (int literal = 0; literal < 2; literal++) {
    th_vec2 corner[4], thin[4];
    const th_polygon outline = th_box_polygon(0, 0, 12, 8, corner), wall = th_box_polygon(6, 0, 6.05f, 8, thin);
    th_flat_def flat = th_default_flat_def();
    flat.outline = &outline, flat.outline_count = 1, flat.obstacle = &wall, flat.obstacle_count = 1;
    flat.markers.through_walls = literal;
    th_ground *ground;
    OK(th_ground_make_flat(&flat, &ground, &error));
    arena a;
    arena_make(&a, ground, &(arena_def){0});
    for (uint32_t n = 0; n < 20; n++)
      arena_add(&a, n % 2 ? 7.0f + 0.2f * (float)(n / 2) : 5.0f - 0.2f * (float)(n / 2), 0.5f + 0.35f * (float)n,
                (th_vec2){n % 2 ? 1.0f : 11.0f, 0.5f + 0.35f * (float)n}, NULL);
    const th_markers *markers = arena_markers(&a);
    uint32_t through = 0;
    for (int step = 0; step < 300; step++) {
      th_world_advise(a.world);
      th_world_marker_owners(a.world, owner_of, 1 << 20);
      for (uint32_t n = 0; n < th_markers_count(markers); n++)
        through += owner_of[n] && (th_markers_places(markers)[n].x > 6.0f) == (owner_of[n] % 2 == 1);
      th_world_integrate(a.world);
      for (uint32_t n = 0; n < 20; n++) {
        float x = th_world_agent_point(a.world, a.id[n]).x;
        assert_true(n % 2 ? x > 6.05f + 0.19f : x < 6.0f - 0.19f);
      }
    }
    print_message("%s: %u markers across the wall\n", literal ? "through walls" : "hidden", through);
    assert_true(literal ? through > 1000 : through == 0);
    arena_free(&a);
    th_ground_release(ground);
  }
}

/* Agents of other models have cells, too, and biocrowds keep out of them. */
static void agents_of_other_models_own_markers(void **unused) {
  (void)unused;
  th_ground *ground = box(16.0f, 6.0f);
  arena a;
  arena_make(&a, ground, &(arena_def){0});
  arena_add(&a, 2.0f, 3.0f, (th_vec2){14.0f, 3.0f}, NULL);
  th_agent_def other = arena_agent(&a, 8.0f, 3.6f);
  other.model = &th_model_follow;
  arena_put(&a, &other, (th_vec2){8.0f, 3.6f});
  float least = INFINITY;
  for (int n = 0; n < 400; n++) {
    th_world_step(a.world);
    th_vec3 p = th_world_agent_point(a.world, a.id[0]);
    least = fminf(least, hypotf(p.x - 8.0f, p.y - 3.6f));
  }
  th_world_marker_owners(a.world, owner_of, 1 << 20);
  uint32_t theirs = 0;
  for (uint32_t n = 0; n < th_markers_count(arena_markers(&a)); n++) theirs += owner_of[n] == 2;
  print_message("passed at %.2f m; %u markers are its\n", (double)least, theirs);
  assert_true(theirs > 50 && least > 0.3f);
  assert_true(th_world_agent_point(a.world, a.id[0]).x > 13.5f);
  arena_free(&a);
  th_ground_release(ground);
}

/* Somebody whose personal space is smaller than the distance of markers may own none, and would stand for ever. */
static void personal_spaces_without_markers_are_refused(void **unused) {
  (void)unused;
  th_vec2 corner[4];
  const th_polygon hall = th_box_polygon(0, 0, 10, 8, corner);
  th_flat_def flat = th_default_flat_def();
  flat.outline = &hall, flat.outline_count = 1, flat.markers.distance = 0.5f;
  th_ground *ground;
  OK(th_ground_make_flat(&flat, &ground, &error));
  static arena a;
  arena_make(&a, ground, &(arena_def){0});
  th_biocrowds_params params = th_default_biocrowds_params();
  th_agent_def def = arena_agent(&a, 5, 4);
  def.params = &params;
  params.radius = 0.49f;
  REFUSED(a.world, th_world_add_agent(a.world, &def, NULL, &error), TH_ERROR_RANGE, "radius");
  params.radius = 0.5f;
  OK(th_world_add_agent(a.world, &def, NULL, &error));
  arena_free(&a);
  th_ground_release(ground);
}

static void steps_beyond_the_personal_space_are_refused(void **unused) {
  (void)unused;
  th_ground *ground = box(8.0f, 6.0f);
  arena a;
  arena_make(&a, ground, &(arena_def){.dt = 0.5f});
  arena_add(&a, 2.0f, 3.0f, (th_vec2){6.0f, 3.0f}, NULL);
  REFUSED(a.world, th_world_set_dt(a.world, 0.8f, &error), TH_ERROR_RANGE, "dt");
  th_agent_def fast = arena_agent(&a, 4.0f, 3.0f);
  fast.speed = 3.0f;
  REFUSED(a.world, th_world_add_agent(a.world, &fast, NULL, &error), TH_ERROR_RANGE, "dt");
  OK(th_world_set_dt(a.world, 0.69f, &error));
  arena_free(&a);
  th_ground_release(ground);
}

/* A door closes while people walk: markers follow, also after a snapshot was restored. */
static void edits_and_snapshots(void **unused) {
  (void)unused;
  th_ground *ground = worlds_house(&(th_env){0});
  arena a, b;
  arena *both[] = {&a, &b};
  for (int k = 0; k < 2; k++) {
    arena_make(both[k], ground, &(arena_def){.workers = 1 + (uint32_t)k});
    uint64_t state = 2;
    for (uint32_t n = 0; n < 40; n++)
      arena_add(both[k], worlds_in(&state, 0.5f, 7.0f), worlds_in(&state, 0.5f, 9.0f), (th_vec2){20.0f, 4.0f}, NULL);
  }
  const th_edit close = {.kind = TH_EDIT_CLOSE, .name = "west"};
  const th_markers *markers = arena_markers(&a);
  uint32_t in_door = 0, in_wall = 0;
  for (uint32_t n = 0; n < th_markers_count(markers); n++)
    in_door += fabsf(markers->place[n].x - 8.0f) < 0.1f && fabsf(markers->place[n].y - 4.0f) < 1.0f;
  for (int n = 0; n < 60; n++) th_world_step(a.world);
  OK(th_world_edit(a.world, &close, 1, &error));
  for (int n = 0; n < 60; n++) th_world_step(a.world);
  markers = arena_markers(&a);
  for (uint32_t n = 0; n < th_markers_count(markers); n++)
    in_wall += fabsf(markers->place[n].x - 8.0f) < 0.1f && fabsf(markers->place[n].y - 4.0f) < 1.0f;
  assert_true(in_door > 3 && in_wall == 0);
  size_t size = th_world_snapshot(a.world, NULL, 0);
  uint8_t *memory = malloc(size);
  assert_int_equal(th_world_snapshot(a.world, memory, size), size);
  OK(th_world_restore(b.world, memory, size, &error));
  for (int n = 0; n < 60; n++) th_world_step(a.world), th_world_step(b.world);
  assert_true(th_world_hash(a.world) == th_world_hash(b.world));
  free(memory);
  arena_free(&a);
  arena_free(&b);
  th_ground_release(ground);
}

/* Weights of a group: who owns a marker inside uses them, others walk to their goal. */
static void groups_may_weigh_markers(void **unused) {
  (void)unused;
  th_ground *ground = box(16.0f, 10.0f);
  arena a;
  arena_make(&a, ground, &(arena_def){0});
  arena_add(&a, 2.0f, 5.0f, (th_vec2){12.0f, 5.0f}, NULL);
  arena_add(&a, 2.0f, 2.0f, (th_vec2){14.0f, 2.0f}, NULL);
  th_vec2 corner[4];
  const th_polygon area = th_box_polygon(8.0f, 4.0f, 10.0f, 6.0f, corner);
  th_group_def def = th_default_group_def();
  def.area = &area, def.area_count = 1;
  th_group_id group;
  OK(th_world_add_group(a.world, &def, a.id, 1, &group, &error));
  for (int n = 0; n < 900; n++) th_world_step(a.world);
  th_vec3 p = th_world_agent_point(a.world, a.id[0]), q = th_world_agent_point(a.world, a.id[1]);
  print_message("%.2f %.2f and %.2f %.2f\n", (double)p.x, (double)p.y, (double)q.x, (double)q.y);
  assert_true(hypotf(p.x - 9.0f, p.y - 5.0f) < 0.6f);
  assert_true(q.x > 13.5f);
  arena_free(&a);
  th_ground_release(ground);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(owners_and_motion_are_those_of_the_oracle),
      cmocka_unit_test(steps_are_no_longer_than_the_motion),
      cmocka_unit_test(instruction_sets_and_workers_agree),
      cmocka_unit_test(a_marker_of_a_mesh_is_judged_in_the_chart_of_its_patch),
      cmocka_unit_test(coherence_falls_with_angle_and_distance),
      cmocka_unit_test(a_free_agent_walks_at_nearly_full_speed),
      cmocka_unit_test(without_markers_or_at_its_goal_an_agent_stays),
      cmocka_unit_test(a_marker_left_behind_is_free_for_others),
      cmocka_unit_test(the_order_of_agents_does_not_matter),
      cmocka_unit_test(an_agent_goes_round_ground_without_markers),
      cmocka_unit_test(walls_hide_markers_and_stop_bodies),
      cmocka_unit_test(agents_of_other_models_own_markers),
      cmocka_unit_test(steps_beyond_the_personal_space_are_refused),
      cmocka_unit_test(personal_spaces_without_markers_are_refused),
      cmocka_unit_test(edits_and_snapshots),
      cmocka_unit_test(groups_may_weigh_markers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
