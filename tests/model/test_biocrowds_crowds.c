/* tests/model/test_biocrowds_crowds.c - what crowds of the model do by themselves: cells, bodies, lanes, slowing,
 * doors. */
#include "support/biocrowds_streams.h"
#include "support/mesh_grounds.h"
#include "support/slow.h"

/* shows: BIO-11 */
static void nobody_leaves_its_old_cell(void **unused) {
  (void)unused;
  const streams s = {30.0f, 6.0f, 200, LONG_RUN(600, 60), false, 1};
  streams_seen seen = streams_run(&s);
  print_message("%llu agent-steps, %llu outside, deepest %g m\n", (unsigned long long)seen.agent_steps,
                (unsigned long long)seen.outside, seen.deepest);
  assert_int_equal(seen.outside, 0);
}

static void bodies_never_overlap(void **unused) {
  (void)unused;
  const streams s = {30.0f, 6.0f, 200, LONG_RUN(600, 60), true, 1};
  streams_seen seen = streams_run(&s);
  print_message("closest pair %g mm beyond touching, %llu outside their cells\n", 1e3 * seen.closest,
                (unsigned long long)seen.outside);
  assert_true(seen.closest > -1e-3);
  assert_int_equal(seen.outside, 0);
}

/* Mean speed along the corridor of one stream of so many agents per square metre. */
static double stream_speed(double density, uint64_t seed) {
  const float length = 24.0f, width = 5.0f;
  th_ground *ground = worlds_box(&(th_env){0}, length, width);
  static arena a;
  arena_make(&a, ground, &(arena_def){0});
  arena_streams(&a, length, width, (uint32_t)(density * (double)(length * width)), NULL, seed);
  for (uint32_t i = 0; i < a.count; i++) a.goal[i].x = length + 100.0f;
  double sum = 0.0;
  uint64_t count = 0;
  for (int n = 0; n < LONG_RUN(300, 60); n++) {
    th_world_step(a.world);
    for (uint32_t i = 0; i < a.count; i++) {
      th_vec3 p = th_world_agent_point(a.world, a.id[i]);
      if (n < LONG_RUN(150, 20) || p.x < 6.0f || p.x > 18.0f) continue;
      sum += (double)th_world_agent_velocity(a.world, a.id[i]).x;
      count++;
    }
    arena_recycle(&a);
  }
  arena_free(&a);
  th_ground_release(ground);
  return sum / (double)count;
}

/* shows: BIO-15 */
static void dense_streams_are_slower(void **unused) {
  (void)unused;
  static const double density[] = {0.1, 0.3, 0.6, 1.2, 1.8};
  double last = 1.8;
  for (int k = 0; k < 5; k++) {
    double speed = stream_speed(density[k], 4);
    print_message("%.1f per m2: %.2f m/s\n", density[k], speed);
    assert_true(speed < last - 0.02);
    last = speed;
  }
  assert_true(last < 1.1);
}

/* How much more often than by chance the neighbours ahead within 2 m and half a metre to the side go the same way. */
static double lane_order(const arena *a) {
  uint32_t same = 0, all = 0;
  for (uint32_t i = 0; i < a->count; i++)
    for (uint32_t k = 0; k < a->count; k++) {
      th_vec3 p = th_world_agent_point(a->world, a->id[i]), q = th_world_agent_point(a->world, a->id[k]);
      bool east = a->goal[i].x > 0.0f;
      float ahead = east ? q.x - p.x : p.x - q.x;
      if (i == k || ahead < 0.0f || ahead > 2.0f || fabsf(p.y - q.y) > 0.4f) continue;
      all++;
      same += (a->goal[k].x > 0.0f) == east;
    }
  return all ? (double)same / (double)all : 0.0;
}

/* shows: BIO-14 */
static void lanes_form_in_counterflow(void **unused) {
  (void)unused;
  double before = 0.0, after = 0.0;
  const int seeds = LONG_RUN(3, 1);
  for (int seed = 1; seed <= seeds; seed++) {
    th_ground *ground = worlds_box(&(th_env){0}, 30.0f, 5.0f);
    static arena a;
    arena_make(&a, ground, &(arena_def){0});
    arena_streams(&a, 30.0f, 5.0f, 80, NULL, (uint64_t)seed);
    double first = 0.0, last = 0.0;
    for (int n = 0; n < 900; n++) {
      th_world_step(a.world);
      arena_recycle(&a);
      if (n % 30 == 0 && n < 60) first += lane_order(&a) / 2.0;
      if (n % 30 == 0 && n >= 600) last += lane_order(&a) / 10.0;
    }
    before += first / seeds;
    after += last / seeds;
    arena_free(&a);
    th_ground_release(ground);
  }
  print_message("same way ahead: %.2f at first, %.2f after 20 s\n", before, after);
  assert_true(after > before + 0.15 && after > 0.7);
}

/* A crowd before an opening. */
typedef struct door {
  float opening; /* [m] */
  bool body, mesh;
  uint64_t seed;
  double before;  /* out: people within 2.5 m before it, mean of 4 s */
  double closest; /* out: pair, as the distance less the sum of radii [m] */
} door;

static double closest_pair(const arena *a) {
  static th_vec2 at[ARENA_MAX];
  double closest = INFINITY;
  arena_places(a, at);
  for (uint32_t i = 0; i < a->count; i++)
    for (uint32_t k = 0; k < i; k++) {
      const double x = (double)at[i].x - (double)at[k].x, y = (double)at[i].y - (double)at[k].y;
      closest = fmin(closest, x * x + y * y);
    }
  return sqrt(closest) - 0.4;
}

/* The same hall as triangles of 0.2 m, without those of the wall, which is two of them thick. */
static th_ground *mesh_door(float opening) {
  th_soup soup = th_soup_begin(NULL);
  th_make_plane(&soup, 100, 50, 0.2, 0.2);
  uint32_t kept = 0;
  for (uint32_t f = 0; f < soup.face_count; f++) {
    const uint32_t *c = soup.corner[f];
    const double x = (soup.xyz[c[0]][0] + soup.xyz[c[1]][0] + soup.xyz[c[2]][0]) / 3.0,
                 y = (soup.xyz[c[0]][1] + soup.xyz[c[1]][1] + soup.xyz[c[2]][1]) / 3.0;
    if (x < 12.0 || x > 12.4 || fabs(y - 5.0) < 0.5 * (double)opening)
      memcpy(soup.corner[kept++], c, sizeof *soup.corner);
  }
  soup.face_count = kept;
  const th_mesh_ground_def def = mesh_kind_def(&soup);
  th_ground *ground = mesh_kind_ground_of(&def);
  th_soup_free(&soup);
  return ground;
}

static th_ground *flat_door(float opening) {
  const worlds_rect rect[] = {worlds_rectangle(0, 0, 20, 10), worlds_rectangle(12, 0, 12.3f, 5.0f - 0.5f * opening),
                              worlds_rectangle(12, 5.0f + 0.5f * opening, 12.3f, 10)};
  th_ground *ground = NULL;
  OK(worlds_try_ground(&(th_env){0}, &(worlds_plan){rect, opening < 9.0f ? 2 : 0, 0, 0.1f, 0}, &ground, &error));
  return ground;
}

/* Seconds until all of 60 people have passed. */
static double pass_time(door *d) {
  th_ground *ground = d->mesh ? mesh_door(d->opening) : flat_door(d->opening);
  static arena a;
  arena_make(&a, ground, &(arena_def){0});
  uint64_t state = d->seed;
  th_biocrowds_params params = th_default_biocrowds_params();
  params.body = d->body;
  while (a.count < 60) {
    const th_vec3 p = {worlds_in(&state, 1.0f, 9.0f), worlds_in(&state, 0.7f, 9.3f), 0.0f};
    if (!d->body || arena_room(&a, UINT32_MAX, p)) arena_add(&a, p.x, p.y, (th_vec2){12.2f, 5.0f}, &params);
  }
  double time = 0.0;
  uint32_t in = 60;
  d->before = 0.0;
  d->closest = INFINITY;
  while (in && time < 200.0) {
    th_world_step(a.world);
    time += 1.0 / 30.0;
    in = 0;
    uint32_t close = 0;
    for (uint32_t i = 0; i < 60; i++) {
      th_vec3 p = th_world_agent_point(a.world, a.id[i]);
      if (p.x > 11.9f) a.goal[i] = (th_vec2){18.5f, p.y};
      in += p.x < 12.3f;
      close += hypotf(p.x - 12.0f, p.y - 5.0f) < 2.5f && p.x < 12.0f;
    }
    if (time > 8.0 && time < 12.0) d->before += close / 120.0;
    if (d->body) d->closest = fmin(d->closest, closest_pair(&a));
  }
  arena_free(&a);
  th_ground_release(ground);
  return time;
}

/* shows: BIO-16 */
static void a_door_limits_the_flow(void **unused) {
  (void)unused;
  door narrow = {.opening = 1.5f, .seed = 8}, wide = {.opening = 3.0f, .seed = 8}, open = {.opening = 10.0f, .seed = 8};
  const double slow = pass_time(&narrow), quick = pass_time(&wide), free = pass_time(&open);
  print_message("door of 1.5 m: %.1f s, 3 m: %.1f s, none: %.1f s; before it %.1f, %.1f and %.1f people\n", slow, quick,
                free, narrow.before, wide.before, open.before);
  assert_true(slow < 200.0 && slow > 1.15 * quick && slow > 1.3 * free);
  assert_true(narrow.before > 1.2 * wide.before && narrow.before > 1.6 * open.before);
}

/* Bodies that never overlap get through, too, where two do not fit side by side: who is nearest goes first. */
static void bodies_pass_a_door(void **unused) {
  (void)unused;
  static const struct {
    float opening;
    double most; /* [s] */
    uint64_t seeds;
    bool mesh;
  } of[] = {{1.5f, 35.0, 2, false},
            {1.0f, 45.0, 2, false},
            {0.8f, 55.0, 5, false},
            {0.6f, 65.0, 1, false},
            {0.8f, 55.0, 2, true}};
  for (uint32_t k = 0; k < sizeof of / sizeof *of; k++)
    for (uint64_t seed = 1; seed <= LONG_RUN(of[k].seeds, 1u); seed++) {
      door d = {.opening = of[k].opening, .body = true, .mesh = of[k].mesh, .seed = seed};
      const double time = pass_time(&d);
      print_message("bodies, %s, seed %d: through %.1f m in %.1f s, closest pair %.2f mm beyond touching\n",
                    d.mesh ? "mesh" : "flat", (int)seed, (double)of[k].opening, time, 1e3 * d.closest);
      assert_true(time < of[k].most);
      assert_true(d.closest > -1e-3);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nobody_leaves_its_old_cell), cmocka_unit_test(bodies_never_overlap),
      cmocka_unit_test(dense_streams_are_slower),   cmocka_unit_test(lanes_form_in_counterflow),
      cmocka_unit_test(a_door_limits_the_flow),     cmocka_unit_test(bodies_pass_a_door),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
