/* tests/world/mesh/test_mesh_carry.c - a step carries position, velocity and heading over the faces of a mesh.
 *
 * The reference is plain: the straight line over the triangles in space, in double precision; at each edge its
 * direction is turned about the edge into the plane of the next face. */
#include <math.h>

#include "support/mesh_worlds.h"
#include "support/unit.h"
#include "throng/guide.h"
#include "world/world.h"

enum { AGENTS = 40, STEPS = 25 };

/* ---------------------------------------------------------------- straight over triangles, in space */

typedef struct ray {
  double p[3], d[3]; /* a point on the face and a unit vector in it */
  uint32_t face;
} ray;

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
static void cross(const double a[3], const double b[3], double out[3]) {
  for (int k = 0; k < 3; k++) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}
static void unit(double v[3]) {
  double size = sqrt(dot(v, v));
  for (int k = 0; k < 3; k++) v[k] /= size;
}
static void normal_of(const th_mesh *m, uint32_t face, double n[3]) {
  const double *a = m->xyz + 3 * (size_t)m->corner[3 * face], *b = m->xyz + 3 * (size_t)m->corner[3 * face + 1],
               *c = m->xyz + 3 * (size_t)m->corner[3 * face + 2];
  double ab[3], ac[3];
  for (int k = 0; k < 3; k++) ab[k] = b[k] - a[k], ac[k] = c[k] - a[k];
  cross(ab, ac, n);
  unit(n);
}

/* Distance along the ray to the edge of a half-edge, from inside; INFINITY when it leads away from it. */
static double to_edge(const th_mesh *m, const ray *r, uint32_t half, const double n[3], double along[3]) {
  const double *a = m->xyz + 3 * (size_t)m->corner[half],
               *b = m->xyz + 3 * (size_t)m->corner[3 * (half / 3) + (half + 1) % 3];
  double side[3], from[3];
  for (int k = 0; k < 3; k++) along[k] = b[k] - a[k], from[k] = a[k] - r->p[k];
  unit(along);
  cross(along, n, side); /* out of the face */
  double speed = dot(r->d, side);
  return speed > 1e-12 ? fmax(0.0, dot(from, side) / speed) : (double)INFINITY;
}

/* Goes `length` metres straight on; false where the mesh ends. */
static bool go_straight(const th_mesh *m, ray *r, double length) {
  for (int crossings = 0; crossings < 50; crossings++) {
    double n[3], along[3], edge[3] = {0, 0, 0}, least = INFINITY;
    uint32_t over = 0;
    normal_of(m, r->face, n);
    for (uint32_t k = 0; k < 3; k++) {
      double far = to_edge(m, r, 3 * r->face + k, n, along);
      if (far < least) least = far, over = 3 * r->face + k, memcpy(edge, along, sizeof edge);
    }
    double way = fmin(length, least);
    for (int k = 0; k < 3; k++) r->p[k] += way * r->d[k];
    length -= way;
    if (length <= 0.0) return true;
    uint32_t twin = m->twin[over];
    if (twin == TH_NO_HALF) return false;
    double next[3], inward[3], out[3], x = dot(r->d, edge), y;
    normal_of(m, twin / 3, next);
    cross(edge, n, out);
    cross(edge, next, inward); /* the same side, in the plane of the next face */
    y = dot(r->d, out);
    for (int k = 0; k < 3; k++) r->d[k] = x * edge[k] + y * inward[k];
    unit(r->d);
    r->face = twin / 3;
  }
  return false;
}

/* ---------------------------------------------------------------- the world */

/* Straight on: along the agent's heading. */
static void ahead(void *user, const th_guide_query *q) {
  const th_world *world = *(th_world **)user;
  for (uint32_t lane = 0; lane < q->lanes; lane++) {
    uint32_t row = 0;
    while (world->rows.id[row].index != q->agent[lane]) row++;
    q->want[lane] = (th_guide_answer){world->rows.hx[row], world->rows.hy[row], 100.0f, TH_ANSWER_LEAD, {0}, 0.0f};
  }
}

static void add_walkers(th_world *world, th_world **self) {
  uint64_t seed = 36;
  th_guide_id guide;
  th_user_guide_params params = {ahead, self};
  OK(th_world_add_guide(world, &th_guide_user, &params, &guide, &error));
  for (int k = 0; k < AGENTS; k++) {
    th_place place = mesh_grounds_place(th_world_ground(world), &seed);
    th_vec3 p = th_ground_point(th_world_ground(world), place);
    th_agent_def def = worlds_agent_def(p.x, p.y, NOWHERE);
    def.point.z = p.z;
    def.guide = guide;
    def.model = &th_model_follow;
    def.speed = def.speed_max = worlds_in(&seed, 0.5f, 5.0f);
    def.acceleration_max = def.turn_max = INFINITY;
    def.collide = false;
    float turn = worlds_in(&seed, 0.0f, 6.2831853f);
    def.heading = (th_vec2){cosf(turn), sinf(turn)};
    def.radius = 0.05f;
    worlds_add(world, &def);
  }
}

static ray ray_of(const th_world *world, uint32_t row) {
  th_agents a = th_world_agents(world);
  th_place place = {a.cell[row], a.x[row], a.y[row]};
  th_vec3 p = th_ground_point(th_world_ground(world), place);
  th_vec3 d = th_ground_to_space(th_world_ground(world), place, (th_vec2){a.hx[row], a.hy[row]});
  ray r = {{(double)p.x, (double)p.y, (double)p.z}, {(double)d.x, (double)d.y, (double)d.z}, place.cell};
  unit(r.d);
  return r;
}

/* The point of face and weights, from the corners. */
static void assert_weights(const th_ground *ground, th_place place, const double p[3]) {
  const th_mesh *m = th_ground_mesh(ground);
  th_vec3 w = th_ground_weights(ground, place);
  const double weight[3] = {(double)w.x, (double)w.y, (double)w.z};
  assert_true(fabs(weight[0] + weight[1] + weight[2] - 1.0) < 1e-5);
  for (int k = 0; k < 3; k++) {
    double at = 0.0;
    for (uint32_t c = 0; c < 3; c++)
      at += weight[c] * m->xyz[3 * (size_t)m->corner[3 * (size_t)place.cell + c] + (size_t)k];
    assert_true(fabs(at - p[k]) < 2e-3);
    assert_true(weight[k] > -1e-3);
  }
  th_place back = th_ground_place_of(ground, place.cell, w);
  assert_true(back.cell == place.cell && fabsf(back.x - place.x) < 1e-3f && fabsf(back.y - place.y) < 1e-3f);
}

static double apart(const double a[3], th_vec3 b) {
  return hypot(hypot(a[0] - (double)b.x, a[1] - (double)b.y), a[2] - (double)b.z);
}

/* Steps of up to 2.5 m over edges of about 0.6 to 1 m: each ends at the face and weights that the straight line ends
 * at, with the same speed, and heading and velocity along the line's direction there. */
/* shows: PLAN-22, PLAN-36 */
static void a_step_carries_place_velocity_and_heading(void **state) {
  (void)state;
  static const int32_t shape[] = {TH_MAKE_SHAPE_PLANET, TH_MAKE_SHAPE_TORUS, TH_MAKE_SHAPE_TERRAIN};
  for (int k = 0; k < 3; k++) {
    log_capture h = {0};
    th_env env = worlds_env(&h);
    th_make_params make = mesh_grounds_shape(shape[k]);
    make.level = 4;
    make.noise = 0.2f;
    th_ground *ground = mesh_grounds_make(&env, &make);
    th_world_def def = th_default_world_def();
    th_world *world = NULL;
    def.env = env;
    def.ground = ground;
    def.dt = 0.5f;
    OK(th_world_make(&def, &world, &error));
    add_walkers(world, &world);
    worlds_steps(world, 1);
    uint32_t compared = 0, crossed = 0;
    for (int step = 0; step < STEPS; step++) {
      ray r[AGENTS];
      for (uint32_t row = 0; row < AGENTS; row++) r[row] = ray_of(world, row);
      th_world_step(world);
      th_agents a = th_world_agents(world);
      for (uint32_t row = 0; row < AGENTS; row++) {
        uint32_t face = r[row].face;
        double speed = hypot((double)a.vx[row], (double)a.vy[row]);
        double wanted = (double)world->rows.speed[row];
        if (th_ground_clearance_at(ground, (th_place){a.cell[row], a.x[row], a.y[row]}) < 1.0f) continue; /* a wall */
        if (!go_straight(th_ground_mesh(ground), &r[row], 0.5 * speed)) continue;                         /* a border */
        if (speed < 0.8 * wanted) continue; /* a border stopped it */
        assert_true(speed < 1.001 * wanted && speed > 0.8 * wanted);
        th_place place = {a.cell[row], a.x[row], a.y[row]};
        th_vec3 v = th_ground_to_space(ground, place, (th_vec2){a.vx[row], a.vy[row]});
        th_vec3 d = th_ground_to_space(ground, place, (th_vec2){a.hx[row], a.hy[row]});
        double goes[3] = {speed * r[row].d[0], speed * r[row].d[1], speed * r[row].d[2]};
        if (apart(r[row].p, th_ground_point(ground, place)) > 3e-3)
          fail_msg("shape %d, step %d: %g m off the line", k, step, apart(r[row].p, th_ground_point(ground, place)));
        assert_weights(ground, place, r[row].p);
        compared++;
        crossed += place.cell != face;
        if (place.cell != r[row].face) continue; /* on an edge: either face holds it */
        if (apart(goes, v) > 5e-3 * speed || apart(r[row].d, d) > 5e-3)
          fail_msg("shape %d, step %d: velocity %g, heading %g off", k, step, apart(goes, v) / speed,
                   apart(r[row].d, d));
      }
    }
    print_message("shape %d: %u steps compared, %u into another face\n", (int)shape[k], compared, crossed);
    assert_true(compared > AGENTS * STEPS / 2 && crossed > AGENTS * STEPS / 4);
    assert_int_equal(h.faults, 0);
    worlds_end(world, ground);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_step_carries_place_velocity_and_heading)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
