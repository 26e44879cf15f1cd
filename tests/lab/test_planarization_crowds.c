/* tests/lab/test_planarization_crowds.c - the thesis' crowds on surfaces like its own, at a twentieth of their size:
 * the same agents per face, so the same neighbours; and whole trips, with the trends that its figures show.
 *
 * Crowds of 20,160 to 120,000 on the full meshes take minutes to hours. What they gave is written down in
 * lab/planarization.md and lab/planarization-trips.md, with the commits that found it; here the same code
 * runs. */
#include <math.h>

#include "lab/planarization/crowd.h"
#include "support/unit.h"

enum { MESHES = 5, CROWDS = 6, STEPS = 5 };

/* Genus 0, 22, 4, 7 and 0: with a tenth to a twentieth of the faces of Bunny, Fertility, Glob and the sphere. So many
 * holes need the Heptoroid's own number of faces. */
static th_ground *ground_of(int mesh) {
  th_soup soup = th_soup_begin(NULL);
  th_ground *ground = NULL;
  th_result made = mesh == 0   ? th_make_statue(&soup, 0, 3448, NULL)
                   : mesh == 1 ? th_make_sized(&soup, TH_MAKE_HEPTOROID, NULL)
                   : mesh == 2 ? th_make_statue(&soup, 4, 4000, NULL)
                   : mesh == 3 ? th_make_sieve(&soup, 7, 2976, NULL)
                               : th_make_icosphere(&soup, 3, 10.0, 0.05, NULL);
  assert_int_equal(made, TH_OK);
  assert_int_equal(th_planar_ground(NULL, &soup, &ground, NULL), TH_OK);
  return ground;
}

/* Means over all decisions of some steps. */
typedef struct means {
  double arrived, time, distance, neighbours, deviation, speed;
} means;

static means of_decisions(const th_decisions *d) {
  return (means){.neighbours = d->neighbours / (double)d->paired,
                 .deviation = d->deviation / (double)d->samples,
                 .speed = d->speed / (double)d->samples};
}

/* A few steps of a crowd that has just started. Nothing is drawn: a world does not draw. */
static means start(th_ground *ground, uint32_t agents) {
  const th_planar_crowd crowd = {.ground = ground,
                                 .agents = agents,
                                 .goals = 16,
                                 .workers = 1,
                                 .radius = th_planar_radius(ground, agents),
                                 .seed = 1};
  th_world *world = NULL;
  th_decisions d = {0};
  assert_int_equal(th_planar_crowd_make(NULL, &crowd, &world, NULL), TH_OK);
  assert_int_equal(th_world_agents(world).count, agents);
  for (int k = 0; k < STEPS; k++) assert_int_equal(th_planar_step(world, true, &d, NULL), TH_OK);
  const th_agents a = th_world_agents(world);
  for (uint32_t i = 0; i < a.count; i++) assert_true(a.cell[i] < th_ground_mesh(ground)->face_count);
  th_world_free(world);
  return of_decisions(&d);
}

/* shows: PLAN-61 */
static void five_surfaces_with_six_crowds_each(void **state) {
  (void)state;
  static const uint32_t agents[CROWDS] = {1008, 2000, 3000, 4000, 5000, 6000};
  for (int m = 0; m < MESHES; m++) {
    th_ground *ground = ground_of(m);
    means m0 = {0}, before = {0};
    for (int c = 0; c < CROWDS; c++) {
      const means now = start(ground, agents[c]);
      if (c == 0) m0 = now;
      if (c && !(now.neighbours > before.neighbours))
        fail_msg("surface %d: neighbours do not grow with %u", m, agents[c]);
      assert_true(now.speed > 0.0 && now.speed <= 1.001 && now.deviation >= 0.0);
      before = now;
    }
    print_message("surface %d: neighbours %.2f to %.2f, deviation %.1f to %.1f, speed %.2f to %.2f\n", m, m0.neighbours,
                  before.neighbours, m0.deviation, before.deviation, m0.speed, before.speed);
    assert_true(before.neighbours > 4.0 * m0.neighbours);
    assert_true(before.deviation > m0.deviation && before.speed < m0.speed);
    th_ground_release(ground);
  }
}

/* All walk to their vertices and leave there. */
static means walk(th_ground *ground, uint32_t agents, float radius) {
  const float dt = radius / 3.0f;
  const th_planar_crowd crowd = {
      .ground = ground, .agents = agents, .goals = 64, .workers = 1, .radius = radius, .dt = dt, .seed = 1};
  th_world *world = NULL;
  th_decisions d = {0};
  double present = 0.0, walked = 0.0;
  assert_int_equal(th_planar_crowd_make(NULL, &crowd, &world, NULL), TH_OK);
  for (uint32_t step = 0; (float)step * dt < 400.0f && th_world_agents(world).count > 0; step++) {
    if (step % 10 == 9)
      assert_int_equal(th_planar_step(world, true, &d, NULL), TH_OK);
    else
      th_world_step(world);
    const th_agents a = th_world_agents(world);
    present += a.count;
    for (uint32_t i = 0; i < a.count; i++) walked += hypot((double)a.vx[i], (double)a.vy[i]);
  }
  means t = of_decisions(&d);
  t.arrived = 1.0 - th_world_agents(world).count / (double)agents;
  t.time = present * (double)dt / agents;
  t.distance = walked * (double)dt / agents;
  th_world_free(world);
  return t;
}

/* On a bumpy sphere and on a plate with seven holes: all arrive; neighbours and deviation grow, speed falls and stays
 * near the wanted one, time and distance change by less than a quarter (A8). */
/* shows: PLAN-62 */
static void whole_trips_show_the_trends_of_the_thesis(void **state) {
  (void)state;
  static const uint32_t agents[3] = {100, 400, 1200};
  for (int k = 0; k < 2; k++) {
    th_ground *ground = ground_of(k ? 3 : 4);
    const double cover = k ? 0.015 : 0.05; /* of the surface, by the largest crowd */
    const float radius = (float)sqrt(cover * th_planar_area(ground) / (3.14159265 * agents[2]));
    means t[3];
    for (int c = 0; c < 3; c++) {
      t[c] = walk(ground, agents[c], radius);
      print_message("%u: %.3f arrive, %.1f s, %.1f m, %.2f neighbours, %.2f degrees, speed %.3f\n", agents[c],
                    t[c].arrived, t[c].time, t[c].distance, t[c].neighbours, t[c].deviation, t[c].speed);
      assert_true(t[c].arrived == 1.0);
      assert_true(t[c].speed > 0.9 && t[c].speed <= 1.001);
      assert_true(t[c].distance <= t[c].time * 1.001); /* at 1 m/s */
      if (!c) continue;
      assert_true(t[c].neighbours > t[c - 1].neighbours && t[c].deviation > t[c - 1].deviation);
      assert_true(t[c].speed < t[c - 1].speed);
      assert_true(fabs(t[c].time / t[0].time - 1.0) < 0.25 && fabs(t[c].distance / t[0].distance - 1.0) < 0.25);
    }
    th_ground_release(ground);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(five_surfaces_with_six_crowds_each),
                                     cmocka_unit_test(whole_trips_show_the_trends_of_the_thesis)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
