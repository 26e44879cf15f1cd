/* tests/guide/test_explore_mesh.c - unknown meshes: what is sensed, what is relaxed, which way that leads. */
#include "field/mesh/mean.h"
#include "geometry/mesh/halfedge.h"
#include "support/mesh_explorers.h"

static double apart(const double *p, const double *q) {
  return sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) + (p[2] - q[2]) * (p[2] - q[2]));
}

/* ---------------------------------------------------------------- sensing */

/* On a sphere straight lines are great circles: what is known after one look is a cap. */
static void a_cap_is_seen(void **state) {
  (void)state;
  static const float sight[] = {1.0f, 4.0f, 9.0f};
  for (int k = 0; k < 3; k++) {
    crew c;
    th_explore_params params = th_default_explore_params();
    params.sight = sight[k];
    th_make_params make = sphere_of(6, 4);
    crew_make(&c, &make, &params, 1);
    crew_add(&c, 1.1f, 2.3f, 5.4f);
    assert_int_equal(explored(&c).sensed, 0);
    th_vec3 at = point_of(&c, c.agent[0]);
    worlds_steps(c.world, 1);
    const th_explore_mesh explored_mesh = map_of(&c);
    uint32_t known = 0;
    for (uint32_t v = 0; v < explored_mesh.mesh->vertex_count; v++) {
      const double *p = explored_mesh.mesh->xyz + 3 * (size_t)v;
      double cosine = (p[0] * (double)at.x + p[1] * (double)at.y + p[2] * (double)at.z) /
                      (apart(p, (double[3]){0, 0, 0}) * sqrt((double)(at.x * at.x + at.y * at.y + at.z * at.z)));
      double arc = 6.0 * acos(fmin(cosine, 1.0));
      bool is_known = explored_mesh.mark[v] & TH_EXPLORE_KNOWN;
      known += is_known;
      /* the mesh is a little smaller than the sphere */
      if (arc < 0.98 * (double)sight[k] - 0.02 && !is_known)
        fail_msg("sight %g: vertex at %g m is unknown", sight[k], arc);
      if (arc > 1.02 * (double)sight[k] + 0.02 && is_known)
        fail_msg("sight %g: vertex at %g m is known", sight[k], arc);
      assert_true(explored_mesh.u[v] >= 0.0 && explored_mesh.u[v] <= 1.0);
      if (!is_known) assert_true(explored_mesh.u[v] == 1.0);
      assert_false(explored_mesh.mark[v] & TH_EXPLORE_BLOCKED);
    }
    assert_int_equal(explored(&c).sensed, known);
    double cap = 2.0 * 3.14159265 * 36.0 * (1.0 - cos((double)sight[k] / 6.0));
    assert_true(fabs((double)explored(&c).area - cap) < 0.15 * cap + 1.0);
    crew_end(&c);
  }
}

/* A plane of 12 x 8 m with a wall from (5.5, 2) to (6.5, 8): what is behind the wall stays unknown. */
static th_ground *walled_plane(const th_env *env, bool door) {
  static const th_vec2 wall[4] = {{5.5f, 2}, {6.5f, 2}, {6.5f, 8}, {5.5f, 8}},
                       gap[4] = {{5.5f, 0}, {6.5f, 0}, {6.5f, 2}, {5.5f, 2}};
  th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_PLANE);
  make.length = 12, make.width = 8, make.edge = 0.25f;
  th_mesh_ground_def def = th_default_mesh_ground_def();
  const th_region blocked = {.kind = TH_REGION_PRISM, .outline = wall, .outline_count = 4, .low = -1, .high = 1};
  const th_mesh_door gate = {
      {.name = "gate", .kind = TH_REGION_PRISM, .outline = gap, .outline_count = 4, .low = -1, .high = 1}, false};
  def.blocked = &blocked;
  def.blocked_count = 1;
  def.door = &gate;
  def.door_count = door;
  return mesh_grounds_make_of(env, &make, def);
}

/* Whether the segment passes the box, grown by `by`. */
static bool passes(double ax, double ay, double bx, double by, double grow) {
  double low = 0.0, high = 1.0, dx = bx - ax, dy = by - ay;
  const double from[2] = {ax, ay}, way[2] = {dx, dy}, lo[2] = {5.5 - grow, 2 - grow}, hi[2] = {6.5 + grow, 9};
  for (int k = 0; k < 2; k++) {
    if (fabs(way[k]) < 1e-12) {
      if (from[k] < lo[k] || from[k] > hi[k]) return false;
      continue;
    }
    double s = (lo[k] - from[k]) / way[k], t = (hi[k] - from[k]) / way[k];
    low = fmax(low, fmin(s, t));
    high = fmin(high, fmax(s, t));
  }
  return low < high;
}

static void nothing_is_seen_behind_walls(void **state) {
  (void)state;
  for (int through = 0; through < 2; through++) {
    crew c = {0};
    th_env env = worlds_env(&c.h);
    th_explore_params params = th_default_explore_params();
    params.sight = 6.0f;
    params.through_walls = through;
    crew_on(&c, walled_plane(&env, false), &params, 1);
    crew_add(&c, 3.1f, 3.2f, 0);
    worlds_steps(c.world, 1);
    const th_explore_mesh explored_mesh = map_of(&c);
    uint32_t hidden = 0, walls = 0;
    for (uint32_t v = 0; v < explored_mesh.mesh->vertex_count; v++) {
      const double *p = explored_mesh.mesh->xyz + 3 * (size_t)v, far = hypot(p[0] - 3.1, p[1] - 3.2);
      bool is_known = explored_mesh.mark[v] & TH_EXPLORE_KNOWN;
      bool inside = p[0] > 5.8 && p[0] < 6.2 && p[1] > 2.3; /* the wall's own interior */
      bool near_edge = passes(3.1, 3.2, p[0], p[1], 0.3) != passes(3.1, 3.2, p[0], p[1], -0.3);
      if (far > 5.99 || near_edge) continue;
      bool wanted = through || (!inside && !passes(3.1, 3.2, p[0], p[1], 0.0));
      if (is_known != wanted) fail_msg("vertex %g, %g: known %d", p[0], p[1], is_known);
      hidden += !wanted;
      if (is_known && (explored_mesh.mark[v] & TH_EXPLORE_BLOCKED)) walls++, assert_true(explored_mesh.u[v] == 0.0);
    }
    if (!through) assert_true(hidden > 20);
    assert_true(walls > 20);
    uint32_t count = explored_mesh.mesh->vertex_count, sum[3] = {0, 0, 0};
    uint8_t *copy = malloc(count);
    memset(copy, 9, count);
    assert_int_equal(th_explore_known(memory_of(&c), c.ground, copy, 7), count); /* no more than there is room for */
    assert_int_equal(copy[7], 9);
    th_explore_known(memory_of(&c), c.ground, copy, count);
    for (uint32_t v = 0; v < count; v++) sum[copy[v]]++;
    assert_int_equal(sum[TH_EXPLORED_FREE] + sum[TH_EXPLORED_BLOCKED], explored(&c).sensed);
    assert_true(sum[TH_EXPLORED_BLOCKED] >= walls && sum[TH_EXPLORED_NOT] > 0);
    free(copy);
    crew_end(&c);
  }
}

/* Lines of sight have no direction, are as long as the straight way, and agree with walking it. */
static void lines_of_sight_are_straight(void **state) {
  (void)state;
  const int shapes[] = {TH_MAKE_SHAPE_TORUS, TH_MAKE_SHAPE_HOUSE, TH_MAKE_SHAPE_TERRAIN};
  for (int k = 0; k < 3; k++) {
    log_capture h = {0};
    th_env env = worlds_env(&h);
    th_make_params make = mesh_grounds_shape(shapes[k]);
    make.radius = 5, make.large = 12, make.length = make.width = 20;
    th_ground *ground = mesh_grounds_make(&env, &make);
    uint64_t seed = 17;
    uint32_t seen = 0;
    for (int n = 0; n < LONG_RUN(400, 60); n++) {
      th_place a = mesh_grounds_place(ground, &seed), b = a;
      float angle = worlds_in(&seed, 0, 6.28f), far = worlds_in(&seed, 0.2f, 5);
      bool wall = th_ground_walk(ground, &b, (th_vec2){far * cosf(angle), far * sinf(angle)}, 0.0f, NULL);
      if (wall) continue; /* it slid along */
      bool there = th_explore_mesh_sees(ground, a, b, far + 0.05f),
           back = th_explore_mesh_sees(ground, b, a, far + 0.05f);
      seen += there;
      if (!there || !back) fail_msg("shape %d, seed 17, case %d: %g m, seen %d and %d", shapes[k], n, far, there, back);
      assert_false(th_explore_mesh_sees(
          ground, a, b, 0.5f * mesh_grounds_apart(th_ground_point(ground, a), th_ground_point(ground, b))));
    }
    assert_true(seen > LONG_RUN(20, 5));
    th_ground_release(ground);
  }
}

static uint32_t vertex_at(const th_ground *ground, double x, double y) {
  const th_mesh *m = &ground->mesh->mesh;
  uint32_t best = 0;
  for (uint32_t v = 1; v < m->vertex_count; v++)
    if (hypot(m->xyz[3 * v] - x, m->xyz[3 * v + 1] - y) < hypot(m->xyz[3 * best] - x, m->xyz[3 * best + 1] - y))
      best = v;
  return best;
}

/* A door that closes is learnt when it is seen, not before. */
static void doors_are_seen(void **state) {
  (void)state;
  crew c = {0};
  th_env env = worlds_env(&c.h);
  th_explore_params params = th_default_explore_params();
  crew_on(&c, walled_plane(&env, true), &params, 1);
  th_agent_def def = crew_def(&c, 1, 1, 0);
  def.speed = 0.0f;
  c.agent[c.count++] = worlds_add(c.world, &def);
  worlds_steps(c.world, 2);
  th_edit close = {.kind = TH_EDIT_CLOSE, .name = "gate"};
  OK(th_world_edit(c.world, &close, 1, &error));
  worlds_steps(c.world, 3);
  uint32_t v = vertex_at(c.ground, 5.5, 1.0), w = vertex_at(c.ground, 6.0, 1.0);
  assert_false(map_of(&c).mark[v] & TH_EXPLORE_KNOWN);
  OK(th_world_place_agent(c.world, c.agent[0], (th_vec3){3, 1, 0}, &error));
  worlds_steps(c.world, 2);
  assert_true(map_of(&c).mark[v] & TH_EXPLORE_BLOCKED);
  assert_true(map_of(&c).u[v] == 0.0);
  th_edit open = {.kind = TH_EDIT_OPEN, .name = "gate"};
  OK(th_world_edit(c.world, &open, 1, &error));
  worlds_steps(c.world, 3);
  assert_int_equal(map_of(&c).mark[w] & (TH_EXPLORE_KNOWN | TH_EXPLORE_BLOCKED), TH_EXPLORE_KNOWN);
  crew_end(&c);
}

/* ---------------------------------------------------------------- relaxing */

/* In-place sweeps as 3DS-BVP writes them, on p = 1 - u with the weights of the whole mesh; the order is that of the
 * list. Where no wall is known, 1 - p loses a share in every update. */
static void reference(const th_mesh *mesh, const uint32_t *list, uint32_t count, double *p, double sink) {
  static const double plain[3] = {1.0, 1.0, 1.0};
  for (int s = 0; s < 30; s++)
    for (uint32_t n = 0; n < count; n++) {
      uint32_t v = list[s & 1 ? count - 1 - n : n], neighbour[64];
      double weight[64], sum = 0.0;
      uint32_t links = th_mesh_vertex_neighbours(mesh, v, neighbour, 64);
      assert_true(links <= 64);
      (void)th_mean_weigh(mesh, v, plain, (th_mean_row){neighbour, weight, links});
      for (uint32_t k = 0; k < links; k++) sum += weight[k] * p[neighbour[k]];
      p[v] = 1.0 - (1.0 - sink) * (1.0 - sum);
    }
}

/* 30 sweeps a step over the known free vertices of the window; everything else keeps its value. */
static void check_window(crew *c, float sight, double sink) {
  const th_mesh *mesh = &c->ground->mesh->mesh;
  const uint32_t size = mesh->vertex_count;
  double *before = malloc(size * sizeof *before);
  uint32_t *list = malloc(size * sizeof *list), outside = 0;
  for (int s = 0; s < 3; s++) {
    th_explore_mesh explored_mesh = map_of(c);
    th_place at = place_of(c, c->agent[0]);
    memcpy(before, explored_mesh.u, size * sizeof *before);
    worlds_steps(c->world, 1);
    uint32_t listed = th_explore_mesh_window(&explored_mesh, at, sight), count = 0;
    for (uint32_t n = 0; n < listed; n++)
      if (th_explore_is_free(&explored_mesh, explored_mesh.list[n])) list[count++] = explored_mesh.list[n];
    for (uint32_t v = 0; v < size; v++) before[v] = explored_mesh.mark[v] & TH_EXPLORE_BLOCKED ? 1.0 : 1.0 - before[v];
    reference(mesh, list, count, before, sink);
    assert_true(count > 50);
    for (uint32_t v = 0; v < size; v++) {
      if (fabs(1.0 - explored_mesh.u[v] - before[v]) > 1e-12)
        fail_msg("vertex %u: %g, not %g", v, 1 - explored_mesh.u[v], before[v]);
      if (!(explored_mesh.mark[v] & TH_EXPLORE_KNOWN)) assert_true(explored_mesh.u[v] == 1.0);
      outside += th_explore_is_free(&explored_mesh, v) && explored_mesh.stamp[v] != explored_mesh.head->stamp;
    }
  }
  assert_true(outside > 10); /* the window has moved on */
  free(list);
  free(before);
}

/* shows: BVP-78 */
static void the_window_is_relaxed(void **state) {
  (void)state;
  crew c;
  th_explore_params params = th_default_explore_params();
  params.sight = 3.0f;
  th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_HOUSE);
  crew_make(&c, &make, &params, 1);
  crew_add(&c, 2, 6, 0);
  worlds_steps(c.world, 40);
  check_window(&c, 3.0f, 0.0);
  crew_end(&c);
  make = sphere_of(6, 4); /* no wall anywhere */
  crew_make(&c, &make, &params, 1);
  crew_add(&c, 0, 0, 6);
  worlds_steps(c.world, 40);
  double share = 0.5 * (double)c.ground->cell / 3.0;
  check_window(&c, 3.0f, share * share);
  crew_end(&c);
  params.fade = 2.0f; /* asked for */
  make = mesh_grounds_shape(TH_MAKE_SHAPE_HOUSE);
  crew_make(&c, &make, &params, 1);
  crew_add(&c, 2, 6, 0);
  worlds_steps(c.world, 40);
  share = 0.5 * (double)c.ground->cell / 2.0;
  check_window(&c, 3.0f, share * share);
  crew_end(&c);
}

/* shows: BVP-79 */
static void everything_sensed_is_relaxed(void **state) {
  (void)state;
  uint32_t moved[2] = {0, 0};
  for (int relax = 0; relax < 2; relax++) {
    crew c;
    th_explore_params params = th_default_explore_params();
    params.relax = relax;
    params.sight = 3.0f;
    th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_HOUSE);
    crew_make(&c, &make, &params, 1);
    crew_add(&c, 2, 6, 0);
    worlds_steps(c.world, 60);
    th_explore_mesh explored_mesh = map_of(&c);
    const uint32_t size = explored_mesh.mesh->vertex_count;
    double *before = malloc(size * sizeof *before);
    memcpy(before, explored_mesh.u, size * sizeof *before);
    th_place at = place_of(&c, c.agent[0]);
    worlds_steps(c.world, 1);
    th_explore_mesh_window(&explored_mesh, at, params.sight);
    for (uint32_t v = 0; v < size; v++) {
      moved[relax] += explored_mesh.stamp[v] != explored_mesh.head->stamp && explored_mesh.u[v] != before[v];
      if (!(explored_mesh.mark[v] & TH_EXPLORE_KNOWN)) assert_true(explored_mesh.u[v] == 1.0);
    }
    free(before);
    crew_end(&c);
  }
  assert_int_equal(moved[TH_EXPLORE_WINDOW], 0);
  assert_true(moved[TH_EXPLORE_SENSED] > 100);
}

/* ---------------------------------------------------------------- ways */

/* Directions do not jump over edges: two places on both sides of an edge, a hair apart, are led the same way. */
static void directions_are_smooth(void **state) {
  (void)state;
  crew c;
  th_explore_params params = th_default_explore_params();
  params.target = TH_EXPLORE_FOR_POINT;
  params.point = (th_vec3){0, 6, 0};
  th_make_params make = sphere_of(6, 4);
  crew_make(&c, &make, &params, 1);
  crew_add(&c, 0, 0, 6);
  uint32_t checked[2] = {0, 0};
  for (int found = 0; found < 2; found++) {
    uint32_t s = 0;
    while (s++ < 20 || (found && s < 4000 && !explored(&c).found)) worlds_steps(c.world, 1);
    const th_explore_mesh explored_mesh = map_of(&c);
    for (uint32_t h = 0; h < 3 * explored_mesh.mesh->face_count; h += 7) {
      bool known = true;
      for (uint32_t k = 0; k < 3; k++) {
        const uint32_t *a = explored_mesh.mesh->corner + 3 * (size_t)(h / 3),
                       *b = explored_mesh.mesh->corner + 3 * (size_t)(explored_mesh.mesh->twin[h] / 3);
        known = known && th_explore_is_free(&explored_mesh, a[k]) && th_explore_is_free(&explored_mesh, b[k]);
        if (found)
          known = known && explored_mesh.left[a[k]] < 1e6f && explored_mesh.left[a[k]] > 1.5f &&
                  explored_mesh.left[b[k]] < 1e6f;
      }
      if (!known) continue;
      th_point p = th_frames_corner(&explored_mesh.mesh_ground->frames, h),
               q = th_frames_corner(&explored_mesh.mesh_ground->frames, th_half_next(h));
      double x = 0.6 * p.x + 0.4 * q.x, y = 0.6 * p.y + 0.4 * q.y;
      const th_edge_map *m = &explored_mesh.mesh_ground->frames.edge[h];
      th_place here = {h / 3, (float)x, (float)y};
      th_place there = {explored_mesh.mesh->twin[h] / 3, (float)(m->c * x - m->s * y + m->tx),
                        (float)(m->s * x + m->c * y + m->ty)};
      th_vec2 a = th_explore_mesh_direction(memory_of(&c), c.ground, here, found),
              b = th_explore_mesh_direction(memory_of(&c), c.ground, there, found);
      double ax = m->c * (double)a.x - m->s * (double)a.y, ay = m->s * (double)a.x + m->c * (double)a.y;
      checked[found]++;
      if (!(ax * (double)b.x + ay * (double)b.y > 0.99)) fail_msg("edge %u: %g, %g and %g, %g", h, ax, ay, b.x, b.y);
    }
  }
  assert_true(checked[0] > 20 && checked[1] > 20);
  crew_end(&c);
}

/* Metres to a found point are those of the sphere. */
static void distances_are_those_of_paths(void **state) {
  (void)state;
  crew c;
  th_explore_params params = th_default_explore_params();
  params.target = TH_EXPLORE_FOR_POINT;
  params.point = (th_vec3){6, 0, 0};
  params.sight = 12; /* from the pole down to 30 degrees south */
  th_make_params make = sphere_of(6, 4);
  crew_make(&c, &make, &params, 1);
  crew_add(&c, 0, 0, 6);
  worlds_steps(c.world, 1);
  assert_true(explored(&c).found);
  const th_explore_mesh explored_mesh = map_of(&c);
  double worst = 0.0;
  uint32_t measured = 0;
  for (uint32_t v = 0; v < explored_mesh.mesh->vertex_count; v++) {
    double arc = 6.0 * acos(fmax(fmin(explored_mesh.mesh->xyz[3 * v] / 6.0, 1.0), -1.0));
    if (explored_mesh.mesh->xyz[3 * v + 2] < -1.0 || arc > 15.0) continue; /* ways there may leave what is known */
    measured++;
    worst = fmax(worst, fabs((double)explored_mesh.left[v] - arc));
  }
  print_message("metres on a sphere of 6 m: at most %.3f m off\n", worst);
  assert_true(measured > 1000 && worst < 0.15);
  crew_end(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_cap_is_seen),
      cmocka_unit_test(nothing_is_seen_behind_walls),
      cmocka_unit_test(lines_of_sight_are_straight),
      cmocka_unit_test(doors_are_seen),
      cmocka_unit_test(the_window_is_relaxed),
      cmocka_unit_test(everything_sensed_is_relaxed),
      cmocka_unit_test(directions_are_smooth),
      cmocka_unit_test(distances_are_those_of_paths),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
