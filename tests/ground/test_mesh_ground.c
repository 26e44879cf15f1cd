/* tests/ground/test_mesh_ground.c - mesh ground: made, asked, blocked, measured. */
#include "ground/mesh/visible_walls.h"
#include "support/mesh_grounds.h"

static double wall_distance(const th_mesh_ground *s, const double *p) {
  double best = HUGE_VAL;
  for (uint32_t k = 0; k < s->wall_count; k++) {
    const double *a = s->mesh.xyz + 3 * (size_t)th_half_from(&s->mesh, s->wall_half[k]);
    const double *b = s->mesh.xyz + 3 * (size_t)th_half_to(&s->mesh, s->wall_half[k]);
    double e = 0.0, o = 0.0, d = 0.0;
    for (int i = 0; i < 3; i++) e += (b[i] - a[i]) * (b[i] - a[i]), o += (p[i] - a[i]) * (b[i] - a[i]);
    double t = fmin(fmax(o / e, 0.0), 1.0);
    for (int i = 0; i < 3; i++) d += (p[i] - a[i] - t * (b[i] - a[i])) * (p[i] - a[i] - t * (b[i] - a[i]));
    best = fmin(best, sqrt(d));
  }
  return best;
}

/* Place -> point -> place, weights, and vectors to space and back, on every generator. */
static void places_and_points_agree(void **unused) {
  (void)unused;
  for (int kind = 0; kind < MESH_KINDS; kind++) {
    th_ground *ground = mesh_kind_ground((mesh_kind)kind, 3);
    assert_int_equal(th_ground_kind_of(ground), TH_GROUND_MESH);
    assert_int_equal(th_ground_version(ground), 1);
    assert_true(th_ground_mesh(ground) == &ground->mesh->mesh);
    for (uint32_t i = 0; i < 300; i++) {
      th_place at = mesh_kind_any_place(ground, 1, i);
      th_vec3 p = th_ground_point(ground, at), n = th_ground_normal(ground, at);
      th_place back = th_ground_locate_at(ground, p, TH_ANY_LEVEL, 0.1f);
      assert_true(back.cell != TH_NO_CELL);
      th_vec3 q = th_ground_point(ground, back);
      double off = fabs((double)(p.x - q.x)) + fabs((double)(p.y - q.y)) + fabs((double)(p.z - q.z));
      if (off > 1e-4) fail_msg("%s, place %u: %g m off", mesh_kind_name[kind], i, off);
      th_vec3 w = th_ground_weights(ground, at);
      th_place again = th_ground_place_of(ground, at.cell, w);
      assert_true(fabsf(w.x + w.y + w.z - 1.0f) < 1e-5f && w.x >= 0.0f && w.y >= 0.0f && w.z >= 0.0f);
      assert_true(fabsf(again.x - at.x) < 1e-5f && fabsf(again.y - at.y) < 1e-5f && again.cell == at.cell);
      th_vec3 v = th_ground_to_space(ground, at, (th_vec2){0.6f, -0.8f});
      th_vec2 u = th_ground_to_cell(ground, at, v);
      assert_true(fabsf(v.x * v.x + v.y * v.y + v.z * v.z - 1.0f) < 1e-5f);
      assert_true(fabsf(u.x - 0.6f) < 1e-5f && fabsf(u.y + 0.8f) < 1e-5f);
      assert_true(fabsf(n.x * v.x + n.y * v.y + n.z * v.z) < 1e-5f);
    }
    th_ground_release(ground);
  }
}

/* A room with a pillar and an alcove: the distance along the floor is that in the plane, unless a wall hides it. */
static void clearance_is_exact(void **unused) {
  (void)unused;
  for (int kind = MESH_PLANE; kind <= MESH_NEEDLES; kind++) {
    th_soup soup;
    mesh_kind_soup(&soup, (mesh_kind)kind, 4);
    th_mesh_ground_def def = mesh_kind_def(&soup);
    th_region pillar = {.kind = TH_REGION_BALL, .centre = {5.0f, 5.0f, 0.0f}, .radius = 1.5f};
    def.blocked = &pillar;
    def.blocked_count = 1;
    th_ground *ground = mesh_kind_ground_of(&def);
    const th_mesh_ground *s = ground->mesh;
    assert_false(s->closed);
    double worst = 0.0;
    for (uint32_t v = 0; v < s->mesh.vertex_count; v++) {
      double wish = fmin(wall_distance(s, s->mesh.xyz + 3 * (size_t)v), 4.0);
      if (s->on_wall[v]) assert_true(s->vertex_clearance[v] == 0.0f);
      if (!s->on_wall[v]) worst = fmax(worst, fabs((double)s->vertex_clearance[v] - wish));
      assert_true((double)s->vertex_bound[v] <= (s->on_wall[v] ? 0.0 : wish));
      if (!s->on_wall[v]) assert_true((double)s->vertex_bound[v] > wish - 1e-4);
    }
    for (uint32_t i = 0; i < 2000; i++) {
      th_place at = mesh_kind_any_place(ground, 2, i);
      double p[3];
      th_frames_point(&s->frames, at.cell, (th_point){(double)at.x, (double)at.y}, p);
      double wish = fmin(wall_distance(s, p), 4.0), is = (double)th_ground_clearance_at(ground, at);
      worst = fmax(worst, fabs(is - wish));
      assert_true((double)s->face_clearance[at.cell] <= is + 1e-6);
    }
    printf("%s: clearance off by %.2g m at most\n", mesh_kind_name[kind], worst);
    assert_true(worst < 1e-5);
    th_ground_release(ground);
    th_soup_free(&soup);
  }
}

static bool ends_at(const th_wall_line *wall, double x, double y) {
  double bx = wall->ax + wall->length * wall->ux, by = wall->ay + wall->length * wall->uy;
  return hypot(wall->ax - x, wall->ay - y) < 1e-9 || hypot(bx - x, by - y) < 1e-9;
}

/* A corner that is seen is listed by the walls that end there; as a single point only where none of them is seen. */
static void corners_in_sight_are_listed_once(void **unused) {
  (void)unused;
  th_soup soup;
  mesh_kind_soup(&soup, MESH_PLANE, 4);
  th_mesh_ground_def def = mesh_kind_def(&soup);
  th_region pillar = {.kind = TH_REGION_BALL, .centre = {5.0f, 5.0f, 0.0f}, .radius = 1.5f};
  def.blocked = &pillar;
  def.blocked_count = 1;
  th_ground *ground = mesh_kind_ground_of(&def);
  static th_mesh_near_walls near;
  uint32_t listed = 0;
  for (uint32_t i = 0; i < 2000; i++) {
    th_place at = mesh_kind_any_place(ground, 3, i);
    th_mesh_near_walls_find(ground->mesh, at.cell, (th_point){(double)at.x, (double)at.y}, 2.0, &near);
    listed += near.count;
    for (uint32_t k = 0; k < near.count; k++) {
      const th_wall_line *point = &near.line[k];
      if (point->length > 0.0) continue;
      assert_true(near.from[k] == near.to[k] && ground->mesh->on_wall[near.from[k]]);
      for (uint32_t n = 0; n < near.count; n++)
        if (near.line[n].length > 0.0 && ends_at(&near.line[n], point->ax, point->ay))
          fail_msg("place %u: a corner and a wall that ends there are both listed", i);
    }
  }
  assert_true(listed > 1000);
  th_ground_release(ground);
  th_soup_free(&soup);
}

/* On curved surfaces: never below the distance in space, and between places no jump beyond their distance but for what
 * the edges that a way round a saddle follows add. */
static void clearance_is_a_distance(void **unused) {
  (void)unused;
  for (int kind = 0; kind < MESH_KINDS; kind++) {
    th_soup soup;
    mesh_kind_soup(&soup, (mesh_kind)kind, 4);
    th_mesh_ground_def def = mesh_kind_def(&soup);
    uint32_t face[8];
    for (uint32_t k = 0; k < 8; k++) face[k] = k * soup.face_count / 8;
    th_region spots = {.kind = TH_REGION_FACES, .face = face, .face_count = 8};
    def.blocked = &spots;
    def.blocked_count = 1;
    th_ground *ground = mesh_kind_ground_of(&def);
    const th_mesh_ground *s = ground->mesh;
    for (uint32_t v = 0; v < s->mesh.vertex_count; v++)
      assert_true((double)s->vertex_bound[v] <= fmin(wall_distance(s, s->mesh.xyz + 3 * (size_t)v), 4.0));
    for (uint32_t i = 0; i < 500; i++) {
      th_place at = mesh_kind_any_place(ground, 6, i), to = at;
      double p[3], is = (double)th_ground_clearance_at(ground, at);
      th_frames_point(&s->frames, at.cell, (th_point){(double)at.x, (double)at.y}, p);
      if (is < fmin(wall_distance(s, p), 4.0) - 1e-5)
        fail_msg("%s: is %g wish %g", mesh_kind_name[kind], is, wall_distance(s, p));
      assert_true((double)s->face_clearance[at.cell] <= is + 1e-6);
      float a = 6.2831853f * th_random_unit(6, 3, i, 0), length = 0.2f * th_random_unit(6, 4, i, 0);
      if (length + 0.001f >= s->face_clearance[at.cell]) continue;
      th_ground_walk(ground, &to, (th_vec2){length * cosf(a), length * sinf(a)}, 0.0f, NULL);
      double there = (double)th_ground_clearance_at(ground, to);
      if (fabs(there - is) > (double)length + 0.01 + 0.1 * is)
        fail_msg("%s, place %u: %g and %g m, %g m apart", mesh_kind_name[kind], i, is, there, (double)length);
    }
    th_ground_release(ground);
    th_soup_free(&soup);
  }
}

/* A sheet under a sloping roof from 0.5 m up to 3.5 m: who needs 2 m stands where the roof is that high. */
/* shows: SBVP-115 */
static void low_ceilings_block(void **unused) {
  (void)unused;
  th_soup soup = th_soup_begin(NULL);
  th_make_plane(&soup, 10, 4, 1.0, 1.0);
  uint32_t floor_faces = soup.face_count;
  uint32_t a = th_soup_vertex(&soup, -0.5, -0.5, 0.35), b = th_soup_vertex(&soup, 10.5, -0.5, 3.65);
  uint32_t c = th_soup_vertex(&soup, 10.5, 4.5, 3.65), d = th_soup_vertex(&soup, -0.5, 4.5, 0.35);
  th_soup_quad(&soup, a, b, c, d);
  th_mesh_ground_def def = mesh_kind_def(&soup);
  for (int need = 0; need < 2; need++) {
    def.headroom = need ? 2.0f : 0.0f;
    th_ground *ground = mesh_kind_ground_of(&def);
    const th_mesh_ground *s = ground->mesh;
    for (uint32_t f = 0; f < s->mesh.face_count; f++) {
      uint32_t column = f / 2 % 10;
      bool low = need && f < floor_faces && column < 5;
      if (s->blocked[f] != low) fail_msg("face %u, column %u: %d", f, column, s->blocked[f]);
    }
    /* The first 2 m high place is at x = 5: nobody gets below. */
    th_place at = th_ground_locate_at(ground, (th_vec3){7.0f, 2.0f, 0.0f}, TH_ANY_LEVEL, 0.1f);
    assert_true(at.cell != TH_NO_CELL);
    for (int n = 0; n < 100; n++)
      th_ground_walk(ground, &at, th_ground_to_cell(ground, at, (th_vec3){-0.1f, 0.0f, 0.0f}), 0.3f, NULL);
    float stop = need ? 5.301f : 0.301f;
    assert_float_equal(th_ground_point(ground, at).x, stop, 2e-3f);
    assert_int_equal(th_ground_locate_at(ground, (th_vec3){2.0f, 2.0f, 0.0f}, TH_ANY_LEVEL, 0.1f).cell == TH_NO_CELL,
                     need);
    th_ground_release(ground);
  }
  th_soup_free(&soup);
}

/* The tube's inside: slope limits leave the bottom, terrains and slope slow down. */
static void slopes_and_terrains_count(void **unused) {
  (void)unused;
  th_soup soup = th_soup_begin(NULL);
  th_make_icosphere(&soup, 3, 5.0, 0.0, NULL);
  th_mesh_ground_def def = mesh_kind_def(&soup);
  uint8_t *terrain_of = calloc(soup.face_count, 1);
  for (uint32_t f = 0; f < soup.face_count; f++) terrain_of[f] = (uint8_t)(f % 3);
  const th_terrain kinds[3] = {{.name = "grass", .speed = 1.0f},
                               {.name = "mud", .speed = 0.5f},
                               {.name = "water", .speed = 1.0f, .blocked = true}};
  def.terrain = kinds;
  def.terrain_count = 3;
  def.terrain_of = terrain_of;
  def.slope_max = 40.0f;
  def.slope_speed = 0.9f;
  th_ground *ground = mesh_kind_ground_of(&def);
  uint32_t walkable = 0;
  for (uint32_t f = 0; f < ground->mesh->mesh.face_count; f++) {
    th_vec3 n = th_ground_normal(ground, (th_place){f, 0.0f, 0.0f});
    double slope = acos(fmin(fmax((double)n.z, -1.0), 1.0)) * 57.29577951308232;
    uint32_t kind = ground->mesh->mesh.face_from[f] % 3;
    assert_int_equal(th_ground_terrain(ground, f), kind);
    if (fabs(slope - 40.0) > 0.01) assert_int_equal(th_ground_blocked_faces(ground)[f], kind == 2 || slope > 40.0);
    double speed = fmax(1.0 - 0.9 * slope / 90.0, 0.1) * (kind == 1 ? 0.5 : 1.0);
    assert_float_equal(th_ground_speed(ground, f), (float)speed, 1e-3f);
    walkable += !th_ground_blocked_faces(ground)[f];
  }
  assert_true(walkable > 50);
  th_ground_release(ground);
  th_soup_free(&soup);
  free(terrain_of);
}

/* Two floors above each other: level or height tells which is meant. */
static void levels_are_told_apart(void **unused) {
  (void)unused;
  th_soup soup;
  mesh_kind_soup(&soup, MESH_HOUSE, 0);
  th_mesh_ground_def def = mesh_kind_def(&soup);
  int32_t *level = calloc(soup.face_count, sizeof *level);
  for (uint32_t f = 0; f < soup.face_count; f++) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int k = 0; k < 3; k++) {
      low = fmin(low, soup.xyz[soup.corner[f][k]][2]);
      high = fmax(high, soup.xyz[soup.corner[f][k]][2]);
    }
    level[f] = high < 0.01 ? 1 : low > 2.99 ? 2 : -7;
  }
  def.level_of = level;
  th_ground *ground = mesh_kind_ground_of(&def);
  const th_vec3 low = {3.0f, 5.0f, 0.1f}, high = {3.0f, 5.0f, 2.8f};
  for (int32_t l = 1; l <= 2; l++) {
    th_place at = th_ground_locate_at(ground, low, l, 10.0f);
    assert_true(at.cell != TH_NO_CELL);
    assert_int_equal(th_ground_level(ground, at.cell), l);
    assert_float_equal(th_ground_point(ground, at).z, 3.0f * (float)(l - 1), 1e-6f);
  }
  assert_int_equal(th_ground_level(ground, th_ground_locate_at(ground, low, TH_ANY_LEVEL, 10.0f).cell), 1);
  assert_int_equal(th_ground_level(ground, th_ground_locate_at(ground, high, TH_ANY_LEVEL, 10.0f).cell), 2);
  assert_int_equal(th_ground_locate_at(ground, low, 2, 1.0f).cell, TH_NO_CELL);
  assert_int_equal(th_ground_locate_at(ground, low, 3, 10.0f).cell, TH_NO_CELL);
  /* Up the stairs: from one level over the flight to the other, always on the surface. */
  th_place at = th_ground_locate_at(ground, (th_vec3){3.5f, 1.2f, 0.0f}, 1, 0.5f);
  bool seen = false;
  for (int n = 0; n < 200; n++) {
    th_ground_walk(ground, &at, th_ground_to_cell(ground, at, (th_vec3){0.1f, 0.0f, 0.0f}), 0.25f, NULL);
    seen = seen || th_ground_level(ground, at.cell) == -7;
  }
  assert_true(seen);
  assert_int_equal(th_ground_level(ground, at.cell), 2);
  assert_float_equal(th_ground_point(ground, at).x, 11.5f - 0.251f, 2e-3f);
  th_ground_release(ground);
  th_soup_free(&soup);
  free(level);
}

/* Calls of flat ground on a mesh answer or say that there is nothing. */
static void flat_questions_are_safe(void **unused) {
  (void)unused;
  th_ground *ground = mesh_kind_ground(MESH_PLANE, 1);
  th_vec2 lower, upper;
  uint32_t count = 7, index[4];
  th_ground_bounds(ground, &lower, &upper);
  assert_true(lower.x == 0.0f && lower.y == 0.0f && upper.x == 20.0f && upper.y == 20.0f);
  assert_true(th_ground_locate(ground, 3.2f, 4.1f).cell != TH_NO_CELL);
  assert_int_equal(th_ground_locate(ground, NAN, 4.1f).cell, TH_NO_CELL);
  assert_float_equal(th_ground_clearance(ground, 3.2f, 1.0f), 1.0f, 1e-6f);
  th_ground_walls(ground, &count);
  assert_int_equal(count, 0);
  assert_int_equal(th_ground_clearance_raster(ground).width, 0);
  assert_int_equal(th_ground_passages(ground, 3.0f, NULL, 0), 0);
  assert_int_equal(th_flat_query_walls(ground, lower, upper, index, 4), 0);
  assert_int_equal(th_ground_class(ground, 0.1f), 0);
  th_place nowhere = {TH_NO_CELL, 1.0f, 2.0f};
  assert_false(th_ground_walk(ground, &nowhere, (th_vec2){1.0f, 0.0f}, 0.2f, NULL));
  assert_true(th_ground_clearance_at(ground, nowhere) == 0.0f);
  th_place at = th_ground_locate(ground, 3.2f, 4.1f), before = at;
  assert_false(th_ground_walk(ground, &at, (th_vec2){NAN, 0.0f}, 0.2f, NULL));
  assert_false(th_ground_walk(ground, &at, (th_vec2){INFINITY, 0.0f}, 0.2f, NULL));
  assert_false(th_ground_walk(ground, &at, (th_vec2){1.0f, 0.0f}, NAN, NULL));
  assert_memory_equal(&at, &before, sizeof at);
  assert_true(th_ground_walk(ground, &at, (th_vec2){-50.0f, 0.0f}, 0.2f, NULL)); /* a way of many legs to the wall */
  assert_true(th_ground_clearance_at(ground, at) > 0.19f);
  th_ground_release(ground);
}

typedef struct mistake {
  th_result code;
  const char *text;
} mistake;

static void expect(const th_mesh_ground_def *def, mistake m) {
  th_ground *ground = (th_ground *)(uintptr_t)1;
  th_error error = {0};
  th_result result = th_ground_make_mesh(def, &ground, &error);
  if (result != m.code || !strstr(error.text, m.text))
    fail_msg("expected %d \"%s\", found %d \"%s\"", m.code, m.text, result, error.text);
  assert_null(ground);
}

static void mistakes_are_named(void **unused) {
  (void)unused;
  th_soup soup;
  mesh_kind_soup(&soup, MESH_PLANE, 1);
  const th_mesh_ground_def good = mesh_kind_def(&soup);
  th_mesh_ground_def def = good;
#define WRONG(change, code, text)        \
  do {                                   \
    def = good;                          \
    change;                              \
    expect(&def, (mistake){code, text}); \
  } while (0)
  WRONG(def.slope_max = 0.0f, TH_ERROR_RANGE, "(0, 180], found 0");
  WRONG(def.slope_speed = NAN, TH_ERROR_RANGE, "found nan");
  WRONG(def.headroom = -1.0f, TH_ERROR_RANGE, "found -1");
  WRONG(def.class_count = 0, TH_ERROR_RANGE, "1 to 4, found 0");
  WRONG(def.radius_class[0] = 100.5f, TH_ERROR_RANGE, "0 to 100 m, found 100.5");
  def = good, def.radius_class[0] = 100.0f; /* the greatest one */
  th_ground_release(mesh_kind_ground_of(&def));
  WRONG(def.clearance_limit = 0.001f, TH_ERROR_RANGE, "0.01 to 1000, found 0.001");
  WRONG(def.triangles.face_count = 0, TH_ERROR_GEOMETRY, "expected triangles");
  th_mesh empty = {0};
  WRONG((def.mesh = &empty, def.triangles.face_count = 0), TH_ERROR_GEOMETRY, "found an empty mesh");
  WRONG(def.mesh = &empty, TH_ERROR_GEOMETRY, "found an empty mesh");
  empty.face_count = 1;
  WRONG(def.mesh = &empty, TH_ERROR_GEOMETRY, "expected a mesh or triangles, found both");
  uint8_t *terrain_of = calloc(soup.face_count, 1);
  terrain_of[5] = 3;
  WRONG(def.terrain_of = terrain_of, TH_ERROR_RANGE, "below 1, found 3 in face 5");
  const th_terrain slow = {.name = "slow"}, rock = {.name = "rock", .speed = 1.0f, .blocked = true};
  WRONG((def.terrain = &slow, def.terrain_count = 1), TH_ERROR_RANGE, "found 0");
  WRONG((def.terrain = &rock, def.terrain_count = 1), TH_ERROR_GEOMETRY, "found all 800 blocked");
  th_region ball = {.kind = TH_REGION_BALL, .radius = -1.0f}, list = {.kind = TH_REGION_FACES}, prism = list,
            odd = ball;
  uint32_t far_face = 800;
  WRONG((def.blocked = &ball, def.blocked_count = 1), TH_ERROR_RANGE, "(0, 1e6] m, found -1");
  WRONG((def.blocked = &list, def.blocked_count = 1), TH_ERROR_RANGE, "list of faces");
  list.face = &far_face;
  list.face_count = 1;
  WRONG((def.blocked = &list, def.blocked_count = 1), TH_ERROR_RANGE, "below 800, found 800");
  prism.kind = TH_REGION_PRISM;
  WRONG((def.blocked = &prism, def.blocked_count = 1), TH_ERROR_RANGE, "an outline");
  prism.low = 1.0f;
  WRONG((def.blocked = &prism, def.blocked_count = 1), TH_ERROR_RANGE, "low below high");
  odd.kind = (th_region_kind)9;
  WRONG((def.blocked = &odd, def.blocked_count = 1), TH_ERROR_RANGE, "found 9");
  ball.radius = 1.0f;
  ball.centre.z = 100.0f;
  th_mesh_door door[2] = {{ball, true}, {ball, true}};
  WRONG((def.door = door, def.door_count = 1), TH_ERROR_FORMAT, "a name, found none");
  door[0].region.name = door[1].region.name = "gate";
  WRONG((def.door = door, def.door_count = 2), TH_ERROR_FORMAT, "gate a second time");
  WRONG((def.door = door, def.door_count = 1), TH_ERROR_GEOMETRY, "faces in door gate, found none");
  WRONG(def.blocked_count = 1, TH_ERROR_RANGE, "found NULL");
#undef WRONG
  th_soup_free(&soup);
  free(terrain_of);
}

static th_result make_from_mesh(const th_env *env, void *context) {
  th_mesh_ground_def def = th_default_mesh_ground_def();
  def.env = *env;
  def.mesh = context;
  th_ground *ground = NULL;
  th_result result = th_ground_make_mesh(&def, &ground, NULL);
  th_ground_release(ground);
  return result;
}

/* A mesh is taken as it is: every bit of the ground is that of one made of the mesh's triangles. */
static void a_mesh_is_not_checked_again(void **unused) {
  (void)unused;
  for (mesh_kind kind = 0; kind < MESH_KINDS; kind++) {
    th_soup soup;
    th_mesh mesh;
    mesh_kind_soup(&soup, kind, 2);
    assert_int_equal(th_soup_mesh(&soup, &mesh, NULL), TH_OK);
    th_mesh_ground_def def = th_default_mesh_ground_def(), raw = def;
    def.mesh = &mesh;
    raw.triangles.xyz_double = mesh.xyz, raw.triangles.vertex_count = mesh.vertex_count;
    raw.triangles.corner = mesh.corner, raw.triangles.face_count = mesh.face_count;
    th_ground *ground = mesh_kind_ground_of(&def), *again = mesh_kind_ground_of(&raw);
    const th_mesh *a = th_ground_mesh(ground), *b = th_ground_mesh(again);
    assert_int_equal(a->vertex_count, b->vertex_count);
    assert_int_equal(a->face_count, b->face_count);
    assert_memory_equal(a->xyz, b->xyz, 3 * sizeof *a->xyz * a->vertex_count);
    assert_memory_equal(a->corner, b->corner, 3 * sizeof *a->corner * a->face_count);
    assert_memory_equal(a->twin, b->twin, 3 * sizeof *a->twin * a->face_count);
    assert_memory_equal(a->leaving, b->leaving, sizeof *a->leaving * a->vertex_count);
    assert_memory_equal(a->face_from, b->face_from, sizeof *a->face_from * a->face_count);
    assert_memory_equal(ground->mesh->vertex_clearance, again->mesh->vertex_clearance, sizeof(float) * a->vertex_count);
    th_ground_release(again);
    th_ground_release(ground);
    if (kind == MESH_PLANE) assert_true(failing_every(make_from_mesh, &mesh) > 10);
    th_mesh_free(&mesh);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_mesh_is_not_checked_again), cmocka_unit_test(places_and_points_agree),
      cmocka_unit_test(clearance_is_exact),          cmocka_unit_test(corners_in_sight_are_listed_once),
      cmocka_unit_test(clearance_is_a_distance),     cmocka_unit_test(low_ceilings_block),
      cmocka_unit_test(slopes_and_terrains_count),   cmocka_unit_test(levels_are_told_apart),
      cmocka_unit_test(flat_questions_are_safe),     cmocka_unit_test(mistakes_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
