/* tests/model/steering/test_steering_mesh.c - steerings on curved ground: formations on a planet, walls inside a tube,
 * sight round a pillar, encounters on hills. No steering knows that the ground is curved. */
#include "support/mesh_grounds.h"
#include "support/mesh_worlds.h"
#include "throng/guide.h"
#include "throng/model.h"
#include "throng/model/steering.h"

static th_world *world_on(const th_make_params *make, float dt) {
  static log_capture h;
  th_env env = worlds_env(&h);
  th_ground *ground = mesh_grounds_make(&env, make);
  th_world_def def = th_default_world_def();
  th_world *world = NULL;
  def.ground = ground;
  def.dt = dt;
  assert_int_equal(th_world_make(&def, &world, NULL), TH_OK);
  th_ground_release(ground);
  return world;
}

static th_steering_params nothing_on(void) {
  th_steering_params p = th_default_steering_params();
  p.obstacle.on = p.people.on = p.target.on = false;
  return p;
}

static th_agent_id walker(th_world *world, th_vec3 at, th_vec2 heading, const th_steering_params *p,
                          const th_agent_id *leader) {
  th_agent_def def = th_default_body_def();
  th_agent_id id;
  th_error error;
  def.point = at;
  def.heading = heading;
  def.model = &th_model_steering;
  def.params = p;
  def.speed_max = 6.0f;
  def.start_speed = 1.3f;
  def.collide = false;
  if (leader) def.link[0] = th_default_link_def(), def.link[0].agent = *leader, def.link[0].role = TH_ROLE_LEADER;
  def.link_count = leader ? 1 : 0;
  if (th_world_add_agent(world, &def, &id, &error)) fail_msg("%s: %s", error.where, error.text);
  return id;
}

static th_vec3 cross(th_vec3 a, th_vec3 b) {
  return (th_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static float dot(th_vec3 a, th_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static float size(th_vec3 a) { return sqrtf(dot(a, a)); }

/* A leader walks along the equator of a planet; the places of its followers, seen from above and in its direction. */
/* shows: STEER-65, STEER-66, STEER-69 */
static void a_formation_on_a_planet(void **state) {
  (void)state;
  th_make_params planet = mesh_grounds_shape(TH_MAKE_SHAPE_PLANET);
  planet.radius = 20.0f;
  planet.edge = 1.0f;
  th_world *world = world_on(&planet, 0.125f);
  th_steering_params none = nothing_on(), p = none;
  p.leader.on = true;
  p.leader.type = TH_FOLLOW_FORMATION;
  th_agent_id leader = walker(world, (th_vec3){20, 0, 0}, (th_vec2){0, 1}, &none, NULL), follower[3];
  const float angle[] = {90, -90, 180};
  const th_vec3 at[] = {{19.8f, 0, -3}, {19.8f, 0, 3}, {19.8f, -3, 0}};
  for (int i = 0; i < 3; i++) {
    p.leader.angle = angle[i];
    follower[i] = walker(world, at[i], (th_vec2){0, 1}, &p, &leader);
  }
  for (int step = 0; step < 400; step++) {
    th_world_step(world);
    if (step < 80) continue;
    th_vec3 here = th_world_agent_point(world, leader), v = th_world_agent_velocity(world, leader);
    th_vec3 left = cross(here, v);
    const float k = 1.0f / size(left), f = 1.0f / size(v);
    assert_true(size(v) > 1.0f);
    for (int i = 0; i < 3; i++) { /* within 0.2: on the flat a formation is off by 0.5 on average, bends included */
      th_vec3 p3 = th_world_agent_point(world, follower[i]), d = {p3.x - here.x, p3.y - here.y, p3.z - here.z};
      const float to_left = k * dot(left, d), ahead = f * dot(v, d);
      if (angle[i] == 180.0f)
        assert_true(fabsf(ahead + 3.0f) < 0.2f && fabsf(to_left) < 0.2f);
      else
        assert_true(fabsf((angle[i] > 0.0f ? -to_left : to_left) - 3.0f) < 0.2f && fabsf(ahead) < 0.2f);
    }
    assert_true(fabsf(here.z) < 0.1f); /* straight on is a great circle */
  }
  th_world_free(world);
}

/* Inside a tube the rim is a wall; it is followed round and round at half the length of the side ray. */
/* shows: STEER-52, STEER-60 */
static void a_wall_inside_a_tube(void **state) {
  (void)state;
  th_make_params tube = mesh_grounds_shape(TH_MAKE_SHAPE_TUBE);
  tube.radius = 6.0f;
  tube.length = 20.0f;
  tube.edge = 0.7f;
  tube.inside = true;
  th_world *world = world_on(&tube, 0.125f);
  th_steering_params p = nothing_on();
  p.wall.on = true;
  th_agent_id id = walker(world, (th_vec3){6, 0, 2.0f}, (th_vec2){0, 1}, &p, NULL);
  float turned = 0.0f, least = INFINITY, most = 0.0f;
  for (int step = 0; step < 600; step++) {
    th_vec3 before = th_world_agent_point(world, id);
    th_world_step(world);
    th_vec3 now = th_world_agent_point(world, id);
    turned += atan2f(before.x * now.y - before.y * now.x, before.x * now.x + before.y * now.y);
    if (step < 80) continue;
    least = fminf(least, now.z);
    most = fmaxf(most, now.z);
  }
  assert_true(turned > 6.2831853f * 1.5f); /* more than once round */
  assert_true(least > 1.49f && most < 1.51f);
  th_world_free(world);
}

/* Two walk towards each other on hills; how near they come. Both arrive. */
static float meet_on_hills(bool avoid) {
  th_make_params hills = mesh_grounds_shape(TH_MAKE_SHAPE_TERRAIN);
  hills.length = 40.0f;
  hills.width = 20.0f;
  hills.height = 2.0f;
  hills.edge = 1.0f;
  th_world *world = world_on(&hills, 0.125f);
  th_steering_params p = nothing_on();
  p.people.on = avoid;
  p.target.on = true;
  p.target.by = TH_STEER_PLACE;
  p.target.place = (th_vec3){35, 10, 1};
  th_agent_id a = walker(world, (th_vec3){5, 10.2f, 1}, (th_vec2){1, 0}, &p, NULL);
  p.target.place = (th_vec3){5, 10, 1};
  th_agent_id b = walker(world, (th_vec3){35, 9.8f, 1}, (th_vec2){-1, 0}, &p, NULL);
  float least = INFINITY;
  for (int step = 0; step < 400; step++) {
    th_world_step(world);
    least = fminf(least, mesh_grounds_apart(th_world_agent_point(world, a), th_world_agent_point(world, b)));
  }
  assert_true(mesh_grounds_apart(th_world_agent_point(world, a), (th_vec3){35, 10, 1}) < 1.5f);
  assert_true(mesh_grounds_apart(th_world_agent_point(world, b), (th_vec3){5, 10, 1}) < 1.5f);
  th_world_free(world);
  return least;
}

/* shows: STEER-33 */
static void people_on_hills(void **state) {
  (void)state;
  assert_true(meet_on_hills(false) < 0.5f); /* contact */
  assert_true(meet_on_hills(true) > 2.5f);  /* nearly the distance of 3 */
}

/* Somebody walks along a mesh plane, where a pillar may stand and another one may come; the velocity after a second. */
static th_vec3 walk_on_a_plane(bool pillar, bool other) {
  th_vec2 corner[4];
  th_box_polygon(9, 4, 11, 6, corner);
  const th_region solid = {.kind = TH_REGION_PRISM, .outline = corner, .outline_count = 4, .low = -1.0f, .high = 1.0f};
  th_soup soup = th_soup_begin(NULL);
  th_make_plane(&soup, 40, 20, 0.5, 0.5);
  th_mesh_ground_def mesh = mesh_kind_def(&soup);
  mesh.blocked = &solid, mesh.blocked_count = pillar;
  th_world_def def = th_default_world_def();
  def.ground = mesh_kind_ground_of(&mesh);
  def.dt = 0.25f;
  th_soup_free(&soup);
  th_world *world = NULL;
  assert_int_equal(th_world_make(&def, &world, NULL), TH_OK);
  th_ground_release(def.ground);
  th_steering_params p = nothing_on();
  p.people.on = true;
  th_agent_id id = walker(world, (th_vec3){6, 5, 0}, (th_vec2){1, 0}, &p, NULL);
  if (other) walker(world, (th_vec3){14, 5.2f, 0}, (th_vec2){-1, 0}, &p, NULL);
  for (int step = 0; step < 4; step++) th_world_step(world);
  const th_vec3 v = th_world_agent_velocity(world, id);
  th_world_free(world);
  return v;
}

/* shows: STEER-16 */
static void people_behind_a_pillar(void **state) {
  (void)state;
  const th_vec3 alone = walk_on_a_plane(true, false), hidden = walk_on_a_plane(true, true),
                open = walk_on_a_plane(false, true);
  assert_true(hidden.x == alone.x && hidden.y == alone.y);
  assert_true(fabsf(open.y) > 0.1f); /* it makes way */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_formation_on_a_planet), cmocka_unit_test(a_wall_inside_a_tube),
                                     cmocka_unit_test(people_on_hills), cmocka_unit_test(people_behind_a_pillar)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
