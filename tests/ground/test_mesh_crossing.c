/* tests/ground/test_mesh_crossing.c - ways over edges in lanes end where the walk of one body ends, bit for bit, on
 * every instruction set.
 */
#include "base/simd/simd.h"
#include "ground/mesh/ground.h"
#include "ground/mesh/walk.h"
#include "ground/walk.h"
#include "support/mesh_worlds.h"
#include "world/step/motion.h"

enum { ROUNDS = 400 };

static const th_simd sets[] = {TH_SIMD_FOUR, TH_SIMD_AVX2, TH_SIMD_AVX512};

static bool same_bits(const void *a, const void *b, size_t bytes) { return memcmp(a, b, bytes) == 0; }

/* Sixteen places with ways of up to `max` metres. */
static th_edge_crossing sixteen(const th_ground *ground, uint64_t *state, float max) {
  th_edge_crossing k;
  memset(&k, 0, sizeof k);
  k.rate = 10.0f;
  for (uint32_t lane = 0; lane < 16; lane++) {
    th_place place = mesh_grounds_place(ground, state);
    float angle = worlds_in(state, 0.0f, 6.2831853f), length = worlds_in(state, 0.0f, max);
    k.face[lane] = place.cell;
    k.x[lane] = place.x;
    k.y[lane] = place.y;
    k.dx[lane] = length * cosf(angle);
    k.dy[lane] = length * sinf(angle);
  }
  return k;
}

/* What a step keeps of the walk of one body: the reference, in plain arithmetic. */
typedef struct kept {
  th_place place;
  th_turn turn;
  th_vec2 way, velocity;
} kept;

static kept walk_one(const th_ground *ground, const th_edge_crossing *k, uint32_t lane, float radius) {
  kept r = {.place = {k->face[lane], k->x[lane], k->y[lane]}, .turn = {1.0f, 0.0f}};
  th_vec2 way = {k->dx[lane], k->dy[lane]};
  assert_false(th_ground_walk(ground, &r.place, way, radius, &r.turn));
  th_turn t = r.turn;
  r.way = (th_vec2){(t.c * 0.0f - t.s * 0.0f) + (t.c * way.x - t.s * way.y),
                    (t.s * 0.0f + t.c * 0.0f) + (t.s * way.x + t.c * way.y)};
  float c = t.c * 1.0f - t.s * 0.0f, s = t.s * 1.0f + t.c * 0.0f, scale = 1.0f / sqrtf(c * c + s * s);
  r.turn = (th_turn){c * scale, s * scale};
  r.velocity = (th_vec2){(r.turn.c * r.way.x + r.turn.s * r.way.y) * k->rate,
                         (r.turn.c * r.way.y - r.turn.s * r.way.x) * k->rate};
  return r;
}

static void assert_as_alone(const th_edge_crossing *k, uint32_t lane, const kept *r, uint64_t seed) {
  const float got[8] = {k->x[lane],       k->y[lane],       k->c[lane],  k->s[lane],
                        k->moved_x[lane], k->moved_y[lane], k->vx[lane], k->vy[lane]};
  const float want[8] = {r->place.x, r->place.y, r->turn.c,     r->turn.s,
                         r->way.x,   r->way.y,   r->velocity.x, r->velocity.y};
  if (k->face[lane] == r->place.cell && same_bits(got, want, sizeof got)) return;
  fail_msg("seed %llu, lane %u: face %u, not %u; (%a, %a), not (%a, %a)", (unsigned long long)seed, lane, k->face[lane],
           r->place.cell, (double)got[0], (double)got[1], (double)want[0], (double)want[1]);
}

/* Where no wall is near: the lanes that say they are done agree with the walk. Returns how many of them crossed. */
static uint32_t compare(const th_ground *ground, uint64_t seed, float max, uint32_t *left) {
  const th_mesh_ground *mesh_ground = ground->mesh;
  const float radius = 0.01f;
  uint64_t state = seed;
  const th_edge_crossing in = sixteen(ground, &state, max);
  uint32_t done = 0, crossed = 0;
  for (uint32_t n = 0; n < 3; n++) {
    if (th_simd_choose(sets[n]) != sets[n]) continue;
    th_edge_crossing k = in;
    uint32_t bits = TH_LANES_PICK(sets[n], th_mesh_walk_cross)(&k, mesh_ground->frames.walk);
    if (n == 0) done = bits;
    assert_int_equal(bits, done);
    for (uint32_t lane = 0; lane < 16; lane++) {
      bool free =
          mesh_ground->closed || mesh_ground->face_clearance[in.face[lane]] > radius + TH_WALK_SKIN + 1.01f * max;
      *left += free && !(done >> lane & 1u);
      if (!free || !(done >> lane & 1u)) continue;
      kept alone = walk_one(ground, &in, lane, radius);
      assert_as_alone(&k, lane, &alone, seed);
      crossed += k.face[lane] != in.face[lane];
    }
  }
  return crossed;
}

static void compare_on(th_make_params make, float max) {
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = mesh_grounds_make(&env, &make);
  uint32_t crossed = 0, left = 0;
  for (uint64_t seed = 1; seed <= ROUNDS; seed++) crossed += compare(ground, seed, max, &left);
  /* Most ways over edges are done in lanes, and those that come too near a vertex or go too far are not. */
  assert_true(crossed > ROUNDS);
  assert_true(left > 0 && left < crossed);
  th_ground_release(ground);
}

/* A square of triangles with edges of a metre. */
static th_make_params square(int32_t shape, float side) {
  th_make_params make = mesh_grounds_shape(shape);
  make.length = make.width = side;
  make.edge = 1.0f;
  return make;
}

static void lanes_cross_as_one_body_does(void **unused) {
  (void)unused;
  th_make_params planet = mesh_grounds_shape(TH_MAKE_SHAPE_PLANET), torus = mesh_grounds_shape(TH_MAKE_SHAPE_TORUS);
  planet.radius = 8.0f;
  planet.level = 4;
  planet.bumps = 0.1f;
  torus.radius = 4.0f;
  torus.large = 9.0f;
  torus.edge = 1.0f;
  compare_on(planet, 0.8f);
  compare_on(torus, 1.2f);
}

/* A plane has right angles, where rotations are exactly 0 or 1 and zeros have signs; hills have a border. */
static void lanes_cross_in_the_plane_and_on_hills(void **unused) {
  (void)unused;
  th_make_params hills = square(TH_MAKE_SHAPE_TERRAIN, 20.0f);
  hills.height = 2.0f;
  hills.noise = 0.3f;
  compare_on(square(TH_MAKE_SHAPE_PLANE, 20.0f), 1.0f);
  compare_on(hills, 1.0f);
}

/* At the border, and where numbers are no numbers, no lane says that it is done. */
static void lanes_leave_the_border_alone(void **unused) {
  (void)unused;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_make_params plane = square(TH_MAKE_SHAPE_PLANE, 4.0f);
  th_ground *ground = mesh_grounds_make(&env, &plane);
  const th_mesh *mesh = th_ground_mesh(ground);
  for (uint32_t n = 0; n < 3; n++) {
    if (th_simd_choose(sets[n]) != sets[n]) continue;
    uint32_t borders = 0;
    for (uint32_t half = 0; half < 3 * mesh->face_count; half++) {
      if (mesh->twin[half] != TH_NO_HALF) continue;
      uint64_t state = half;
      th_edge_crossing k = sixteen(ground, &state, 0.01f);
      th_point a = th_frames_corner(&ground->mesh->frames, half),
               b = th_frames_corner(&ground->mesh->frames, th_half_next(half));
      th_place middle = th_ground_place_of(ground, half / 3, (th_vec3){1.0f / 3.0f, 1.0f / 3.0f, 1.0f / 3.0f});
      k.face[5] = k.face[6] = half / 3;
      k.x[5] = k.x[6] = middle.x;
      k.y[5] = k.y[6] = middle.y;
      k.dx[5] = 1.5f * ((float)(0.5 * (a.x + b.x)) - middle.x);
      k.dy[5] = 1.5f * ((float)(0.5 * (a.y + b.y)) - middle.y);
      k.dx[6] = NAN;
      uint32_t done = TH_LANES_PICK(sets[n], th_mesh_walk_cross)(&k, ground->mesh->frames.walk);
      assert_false(done >> 5 & 3u);
      assert_true(done & 0xff1fu);
      borders++;
    }
    assert_int_equal(borders, 16);
  }
  th_ground_release(ground);
}

typedef struct stay {
  th_motion m;
  th_staying s;
  float x[16], y[16], dx[16], dy[16];
  th_turn turn[16];
} stay;

/* One of the lanes has no way, another one does not walk. */
enum { STILL = 3, STANDS = 15 };

static void stay_on(th_simd set, const th_ground *ground, const th_edge_crossing *in, stay *r) {
  memset(r, 0, sizeof *r);
  memcpy(r->m.x, in->x, sizeof in->x);
  memcpy(r->m.y, in->y, sizeof in->y);
  memcpy(r->m.dx, in->dx, sizeof in->dx);
  memcpy(r->m.dy, in->dy, sizeof in->dy);
  r->m.dx[STILL] = r->m.dy[STILL] = 0.0f;
  r->m.dt = 0.1f;
  for (uint32_t lane = 0; lane < 16; lane++) r->m.radius[lane] = 0.2f;
  r->s.mesh = ground->mesh;
  r->s.face = in->face;
  r->s.movers = 0xffffu & ~(1u << STANDS);
  r->s.x = r->x;
  r->s.y = r->y;
  r->s.dx = r->dx;
  r->s.dy = r->dy;
  r->s.turn = r->turn;
  TH_LANES_PICK(set, th_motion_stay)(&r->m, &r->s);
}

static void assert_stay_alike(const stay *a, const stay *b) {
  assert_true(a->s.inside == b->s.inside && a->s.free == b->s.free && a->s.still == b->s.still);
  assert_true(same_bits(a->s.over, b->s.over, sizeof a->s.over) && same_bits(&a->m, &b->m, sizeof a->m));
  assert_true(same_bits(a->x, b->x, sizeof a->x) && same_bits(a->y, b->y, sizeof a->y));
  assert_true(same_bits(a->dx, b->dx, sizeof a->x) && same_bits(a->dy, b->dy, sizeof a->x));
  assert_true(same_bits(a->turn, b->turn, sizeof a->turn));
}

/* Returns the lanes whose way ends in their face: they are where the walk of one body ends, the others where they were.
 */
static uint32_t assert_as_walked(const th_ground *ground, const th_edge_crossing *in, const stay *r) {
  uint32_t count = 0;
  for (uint32_t lane = 0; lane < 16; lane++) {
    bool inside = r->s.inside >> lane & 1u;
    th_place place = {in->face[lane], in->x[lane], in->y[lane]};
    if (inside) assert_false(th_ground_walk(ground, &place, (th_vec2){r->m.dx[lane], r->m.dy[lane]}, 0.2f, NULL));
    assert_true(place.cell == in->face[lane] && place.x == r->x[lane] && place.y == r->y[lane]);
    assert_true(r->turn[lane].c == 1.0f && r->turn[lane].s == 0.0f);
    count += inside;
  }
  assert_true(r->s.still >> STILL & 1u && !(r->s.inside >> STANDS & 1u));
  return count;
}

static void lanes_stay_alike(void **unused) {
  (void)unused;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_make_params hills = mesh_grounds_shape(TH_MAKE_SHAPE_TERRAIN);
  hills.length = hills.width = 12.0f;
  hills.edge = 1.0f;
  th_ground *ground = mesh_grounds_make(&env, &hills);
  uint32_t inside = 0;
  for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
    uint64_t state = seed;
    const th_edge_crossing in = sixteen(ground, &state, 0.6f);
    stay r[3];
    for (uint32_t n = 0; n < 3; n++) {
      if (th_simd_choose(sets[n]) != sets[n]) continue;
      stay_on(sets[n], ground, &in, &r[n]);
      assert_stay_alike(&r[n], &r[0]);
    }
    inside += assert_as_walked(ground, &in, &r[0]);
  }
  assert_true(inside > ROUNDS && inside < 15 * ROUNDS);
  th_ground_release(ground);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lanes_cross_as_one_body_does),
      cmocka_unit_test(lanes_cross_in_the_plane_and_on_hills),
      cmocka_unit_test(lanes_leave_the_border_alone),
      cmocka_unit_test(lanes_stay_alike),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
