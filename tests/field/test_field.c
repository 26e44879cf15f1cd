/* tests/field/test_field.c - fields against formulas, and their promises on hard maps. */
#include <math.h>
#include <stdio.h>

#include "field/field.h"
#include "support/allocator.h"
#include "support/raster_grounds.h"
#include "support/walker.h"

static th_field *make(th_solver *solver, th_field_def def) {
  th_field *field = NULL;
  th_error error = {0};
  th_result result = th_field_make(solver, &def, &field, &error);
  if (result != TH_OK) fail_msg("%s: %s", error.where, error.text);
  return field;
}

static th_solver *solver_for(th_ground *map) {
  th_solver *solver = NULL;
  assert_int_equal(th_solver_make(&(th_solver_def){.ground = map}, &solver, NULL), TH_OK);
  return solver;
}

static th_field_def to_point(const th_vec2 *point) {
  th_field_def def = th_default_field_def();
  def.goal = th_point_shape(point->x, point->y);
  return def;
}

static th_field_def to_line(const th_vec2 *point) {
  th_field_def def = th_default_field_def();
  def.goal = th_line_shape(point[0].x, point[0].y, point[1].x, point[1].y);
  return def;
}

/* Unit square with u = 1 on the top side: u = sum over odd n of 4/(n pi) sin(n pi x) sinh(n pi y) / sinh(n pi). */
static double square_series(double x, double y) {
  double sum = 0.0;
  for (int n = 1; n < 120; n += 2) {
    double k = n * 3.14159265358979323846;
    double grow = exp(k * (y - 1.0)) * (1.0 - exp(-2.0 * k * y)) / (1.0 - exp(-2.0 * k));
    sum += 4.0 / k * sin(k * x) * grow;
  }
  return sum;
}

/* Largest error at the points (1/4, 1/2, 3/4)^2 of a square of `n` cells between its sides. */
static double square_error(uint32_t n) {
  th_ground *map = map_open(n + 1, n + 2);
  th_vec2 top[2] = {map_centre(map, 1, n), map_centre(map, n - 1, n)};
  th_solver *solver = solver_for(map);
  th_field *field = make(solver, to_line(top));
  double worst = 0.0;
  for (uint32_t a = 1; a < 4; a++)
    for (uint32_t b = 1; b < 4; b++) {
      th_place place = map_place(map, map_centre(map, a * n / 4, b * n / 4));
      worst = fmax(worst, fabs(th_field_potential(field, place) - square_series(a / 4.0, b / 4.0)));
    }
  th_field_release(field);
  th_solver_release(solver);
  map_free(map);
  return worst;
}

static void a_rectangle_equals_its_series(void **state) {
  (void)state;
  double coarse = square_error(16), middle = square_error(32), fine = square_error(64);
  print_message("rectangle: errors %.3g %.3g %.3g, orders %.2f %.2f\n", coarse, middle, fine, log2(coarse / middle),
                log2(middle / fine));
  assert_true(log2(coarse / middle) >= 1.8);
  assert_true(log2(middle / fine) >= 1.8);
  assert_true(fine < 1e-3);
}

static void an_annulus_equals_its_logarithm(void **state) {
  (void)state;
  const uint32_t side = 161, c = 80;
  const double outer = 76.0, inner = 12.0;
  th_ground *map = map_open(side, side);
  for (uint32_t j = 0; j < side; j++)
    for (uint32_t i = 0; i < side; i++)
      if (hypot((double)i - c, (double)j - c) >= outer) map->flat->solid[j * side + i] = 1;
  map_finish(map);
  th_vec2 centre = map_centre(map, c, c);
  th_field_def def = th_default_field_def();
  def.goal = th_disc_shape(centre.x, centre.y, (float)inner * MAP_CELL);
  th_solver *solver = solver_for(map);
  th_field *field = make(solver, def);
  double worst = 0.0, worst_angle = 0.0;
  for (uint32_t j = 0; j < side; j++)
    for (uint32_t i = 0; i < side; i++) {
      double r = hypot((double)i - c, (double)j - c);
      if (r < inner + 3.0 || r > outer - 3.0) continue;
      th_place place = map_place(map, map_centre(map, i, j));
      worst = fmax(worst, fabs(th_field_potential(field, place) - log(outer / r) / log(outer / inner)));
      th_field_gradient s = th_field_gradient_at(field, place);
      th_vec2 radial = {(float)(((double)c - i) / r), (float)(((double)c - j) / r)};
      worst_angle = fmax(worst_angle, walk_turn((th_vec2){s.dx, s.dy}, radial));
    }
  print_message("annulus: largest error %.4f, largest angle %.2f degrees\n", worst, worst_angle);
  assert_true(worst < 0.025);
  assert_true(worst_angle < 3.0);
  th_field_release(field);
  th_solver_release(solver);
  map_free(map);
}

/* No free cell but a goal is as high as all its neighbours, none as low. */
static void check_no_extremum(const th_ground *map, const th_field *field, uint64_t seed) {
  uint32_t w, h;
  const double *u = th_field_values(field, &w, &h);
  for (uint32_t c = w; c < w * (h - 1); c++) {
    if (map->flat->solid[c] || !(u[c] > 0.0) || u[c] == 1.0) continue;
    double max = fmax(fmax(u[c - 1], u[c + 1]), fmax(u[c - w], u[c + w]));
    double min = fmin(fmin(u[c - 1], u[c + 1]), fmin(u[c - w], u[c + w]));
    if (!(max > u[c] && min < u[c])) fail_msg("seed %llu: extremum in cell %u", (unsigned long long)seed, c);
  }
}

static uint32_t free_cell(const th_ground *map, uint32_t radius_class, uint64_t *state) {
  for (;;) {
    uint32_t c = map_below(state, map->flat->width * map->flat->height);
    if (!map->flat->blocked[radius_class][c]) return c;
  }
}

static void check_all_arrive(const th_ground *map, const th_field *field, const walk_rule *rule, uint64_t seed) {
  for (uint32_t c = 0; c < map->flat->width * map->flat->height; c++) {
    th_vec2 start = map_centre(map, c % map->flat->width, c / map->flat->width);
    if (map->flat->blocked[rule->radius_class][c] || !th_field_reaches(field, map_place(map, start))) continue;
    assert_true(isfinite(th_field_log(field, map_place(map, start))));
    walk_result r = walk(rule, field, start);
    if (!r.arrived)
      fail_msg("seed %llu: the walk from cell (%u, %u) of %u x %u ends at (%g, %g)", (unsigned long long)seed,
               c % map->flat->width, c / map->flat->width, map->flat->width, map->flat->height,
               (double)((r.end.x - map->flat->x0) / map->cell), (double)((r.end.y - map->flat->y0) / map->cell));
  }
}

static void random_maps_lead_everywhere(void **state) {
  (void)state;
  static const th_field_kind kind[] = {TH_FIELD_HARMONIC, TH_FIELD_GEODESIC, TH_FIELD_BLEND};
  for (uint64_t seed = 1; seed <= 64; seed++) {
    uint64_t s = seed;
    uint32_t w = 12 + map_below(&s, 40), h = 12 + map_below(&s, 40);
    th_ground *map =
        seed % 2 ? map_rooms(w, h, 3 + map_below(&s, 12), seed) : map_noise(w, h, 5 + map_below(&s, 30), seed);
    uint32_t goal = free_cell(map, 0, &s);
    th_vec2 point = map_centre(map, goal % w, goal / w);
    th_field_def def = to_point(&point);
    def.kind = seed > 48 ? TH_FIELD_ROOMY : kind[seed % 3];
    def.room_weight = seed % 3 ? 0.1f : 0.5f;
    def.blend = 0.1f * (float)(1 + map_below(&s, 9));
    def.walls = seed % 5 == 0 && def.kind != TH_FIELD_GEODESIC && def.kind != TH_FIELD_ROOMY ? TH_WALLS_NEUMANN
                                                                                             : TH_WALLS_DIRICHLET;
    def.eps = seed % 4 == 0 ? 0.25f * (float)(1 + map_below(&s, 8)) : 0.0f;
    th_solver *solver = solver_for(map);
    th_field *field = make(solver, def);
    walk_rule rule = {map, 0, 0.1f, 20 * w * h, point, 1.5};
    if (def.kind == TH_FIELD_HARMONIC && def.eps == 0.0f && def.walls == TH_WALLS_DIRICHLET)
      check_no_extremum(map, field, seed);
    check_all_arrive(map, field, &rule, seed);
    th_field_release(field);
    th_solver_release(solver);
    map_free(map);
  }
}

/* Walks from a sample of cells, and checks the climb from every cell to a neighbour. */
static void check_long_map(th_ground *map, uint32_t goal, uint32_t every, float eps) {
  th_vec2 point = map_centre(map, goal % map->flat->width, goal / map->flat->width);
  th_solver *solver = solver_for(map);
  th_field_def def = to_point(&point);
  def.eps = eps;
  th_field *field = make(solver, def);
  const uint32_t w = map->flat->width, h = map->flat->height;
  double deepest = 0.0;
  for (uint32_t c = w; c < w * (h - 1); c++) {
    if (map->flat->solid[c] || c == goal) continue;
    th_place place = map_place(map, map_centre(map, c % w, c / w));
    double own = th_field_log(field, place), best = -INFINITY;
    const uint32_t side[4] = {c - 1, c + 1, c - w, c + w};
    for (int k = 0; k < 4; k++)
      best = fmax(best, th_field_log(field, map_place(map, map_centre(map, side[k] % w, side[k] / w))));
    assert_true(isfinite(own) && best > own);
    th_field_gradient s = th_field_gradient_at(field, place);
    assert_true(fabs(hypot((double)s.dx, (double)s.dy) - 1.0) < 1e-5);
    deepest = fmin(deepest, own);
  }
  print_message("%u x %u: log u down to %.0f\n", w, h, deepest);
  walk_rule rule = {map, 0, 0.25f, 40 * w * h, point, 1.5};
  for (uint32_t c = w, n = 0; c < w * (h - 1); c++)
    if (!map->flat->solid[c] && n++ % every == 0)
      assert_true(walk(&rule, field, map_centre(map, c % w, c / w)).arrived);
  th_field_release(field);
  th_solver_release(solver);
}

static void a_serpentine_leads_everywhere(void **state) {
  (void)state;
  th_ground *map = map_serpentine(129, 3);
  check_long_map(map, 2 * 129 + 2, 101, 0.0f);
  check_long_map(map, 2 * 129 + 2, 101, 0.75f);
  map_free(map);
}

static void a_long_corridor_leads_everywhere(void **state) {
  (void)state;
  th_ground *map = map_open(5002, 3);
  check_long_map(map, 5002 + 1, 499, 0.0f);
  map_free(map);
  map = map_open(15002, 5);
  check_long_map(map, 2 * 15002 + 1, 5003, 0.0f);
  map_free(map);
}

/* Gradient of the exact field of a goal g in a square room of `side` cells, up to a factor: sources at g and all its
 * images, whose signs alternate from mirror to mirror. */
static th_vec2 room_direction(double x, double y, double gx, double gy, double side) {
  double sx = 0.0, sy = 0.0;
  for (int m = -3; m <= 3; m++)
    for (int n = -3; n <= 3; n++)
      for (int k = 0; k < 4; k++) {
        double dx = 2.0 * m * side + (k & 1 ? -gx : gx) - x, dy = 2.0 * n * side + (k & 2 ? -gy : gy) - y;
        double pull = (k == 0 || k == 3 ? 1.0 : -1.0) / (dx * dx + dy * dy);
        sx += pull * dx, sy += pull * dy;
      }
  double length = hypot(sx, sy);
  return (th_vec2){(float)(sx / length), (float)(sy / length)};
}

#define ROOM 100 /* free cells on each side; the walls' u = 0 lies on the centres of solid cells, ROOM + 1 apart */

/* A place counts beyond one cell from walls (1.5 from the centres of solid cells) and from the goal's cell. */
static bool room_counts(double x, double y, const uint32_t goal[2]) {
  bool inside = x > 1.5 && y > 1.5 && x < ROOM - 0.5 && y < ROOM - 0.5;
  return inside && hypot(x - goal[0], y - goal[1]) > 1.5;
}

/* Largest turns in a step of 0.1 cell from places a given gap apart, within `reach` cells of the goal: of the field and
 * of the exact field. */
static void room_turns(const th_field *field, const uint32_t goal[2], double reach, double gap, double worst[2]) {
  for (double y = fmax(1.503, goal[1] - reach); y < fmin(ROOM, goal[1] + reach); y += gap)
    for (double x = fmax(1.507, goal[0] - reach); x < fmin(ROOM, goal[0] + reach); x += gap)
      for (int exact = 0; exact < 2; exact++) {
        th_vec2 way[2];
        double px = x, py = y;
        bool counts = true;
        for (int n = 0; n < 2; n++) {
          th_vec2 p = {field->x0 + (float)(px + 0.5) * field->cell, field->y0 + (float)(py + 0.5) * field->cell};
          th_field_gradient s = th_field_gradient_at(field, (th_place){0, p.x, p.y});
          way[n] = exact ? room_direction(px, py, goal[0], goal[1], ROOM + 1) : (th_vec2){s.dx, s.dy};
          counts &= room_counts(px, py, goal);
          px += 0.1 * (double)way[n].x, py += 0.1 * (double)way[n].y;
        }
        if (counts) worst[exact] = fmax(worst[exact], walk_turn(way[0], way[1]));
      }
}

/* The exact ways to a point at d cells from a straight wall are arcs of circles through the point and its mirror image,
 * with radii from d upwards: no solver can turn less than 5.73 / d degrees in a step of 0.1 cell, and near a corner up
 * to a tenth more. So 2 degrees can hold for goals 3 cells off a wall and no nearer, and 4 cells off a corner; we keep
 * them from 4 cells on, and stay within 0.25 degrees of the exact field's largest turn for nearer goals. */
static void directions_are_smooth_in_the_open(void **state) {
  (void)state;
  static const uint32_t at[] = {2, 3, 4, 5, 8, 20, 51};
  th_ground *map = map_open(ROOM + 2, ROOM + 2);
  th_solver *solver = solver_for(map);
  double sharpest[2][2] = {{0}};
  for (int a = 0; a < 7; a++)
    for (int b = a; b < 7; b++) {
      const uint32_t goal[2] = {b % 2 ? at[a] : ROOM + 1 - at[a], at[b]};
      th_vec2 point = map_centre(map, goal[0], goal[1]);
      th_field *field = make(solver, to_point(&point));
      double worst[2] = {0.0, 0.0}, far[2] = {0.0, 0.0};
      room_turns(field, goal, 7.0, 0.17, worst);
      room_turns(field, goal, ROOM, 2.3, far); /* too far for so few images */
      worst[0] = fmax(worst[0], far[0]);
      const bool near = at[a] < 4;
      if (worst[0] > (near ? worst[1] + 0.25 : 2.0))
        fail_msg("goal %u, %u: turns by %.2f degrees, exactly %.2f", goal[0], goal[1], worst[0], worst[1]);
      for (int k = 0; k < 2; k++) sharpest[near][k] = fmax(sharpest[near][k], worst[k]);
      th_field_release(field);
    }
  print_message(
      "open room, 0.1 cell: sharpest turn %.2f degrees (exact %.2f) with goals 4 cells off walls, %.2f (%.2f) "
      "with nearer ones\n",
      sharpest[0][0], sharpest[0][1], sharpest[1][0], sharpest[1][1]);
  assert_true(sharpest[1][1] > 2.0);
  th_solver_release(solver);
  map_free(map);
}

/* Walks from all over the room arrive, and turn no more than that. */
static void walks_in_the_open_are_smooth(void **state) {
  (void)state;
  static const uint32_t goal[][2] = {{70, 30}, {51, 51}, {8, 90}, {4, 60}};
  th_ground *map = map_open(ROOM + 2, ROOM + 2);
  th_solver *solver = solver_for(map);
  double sharpest = 0.0;
  for (int g = 0; g < 4; g++) {
    th_vec2 point = map_centre(map, goal[g][0], goal[g][1]);
    th_field *field = make(solver, to_point(&point));
    walk_rule rule = {map, 0, 0.1f, 20000, point, 1.5};
    for (uint32_t c = ROOM + 2; c < (ROOM + 2) * (ROOM + 1); c += 7) {
      if (map->flat->solid[c]) continue;
      th_vec2 start = map_centre(map, c % (ROOM + 2), c / (ROOM + 2));
      start.x += 0.2f * MAP_CELL;
      walk_result r = walk(&rule, field, start);
      assert_true(r.arrived);
      sharpest = fmax(sharpest, r.sharpest_turn);
    }
    th_field_release(field);
  }
  print_message("open room: sharpest turn of walks %.2f degrees in 0.1 cell\n", sharpest);
  assert_true(sharpest <= 2.0);
  th_solver_release(solver);
  map_free(map);
}

/* A column in the middle of a corridor, the goal at its end: agents on the axis must get round it. */
static void symmetric_maps_do_not_stall(void **state) {
  (void)state;
  for (uint32_t height = 13; height <= 16; height++)
    for (uint32_t size = 3; size <= 4; size++)
      for (int kind = 0; kind < 3; kind++) {
        th_ground *map = map_open(60, height);
        uint32_t low = (height - size) / 2;
        map_fill(map, 30, low, 30 + size, low + size, 1);
        map_finish(map);
        th_vec2 end[2] = {map_centre(map, 58, 1), map_centre(map, 58, height - 2)};
        th_field_def def = to_line(end);
        def.kind = (th_field_kind)kind;
        def.blend = 0.5f;
        th_solver *solver = solver_for(map);
        th_field *field = make(solver, def);
        walk_rule rule = {map, 0, 0.1f, 20000, end[0], 0.0};
        float axis = map->flat->y0 + 0.5f * (float)height * map->cell;
        for (uint32_t i = 1; i < 30; i++) {
          th_vec2 start = map_centre(map, i, 1);
          start.y = axis;
          assert_true(walk(&rule, field, start).arrived);
          assert_true(th_field_trace(field, map_place(map, start), NULL, 0) > 0);
        }
        check_all_arrive(map, field, &rule, height);
        th_field_release(field);
        th_solver_release(solver);
        map_free(map);
      }
}

static void neumann_paths_run_along_walls(void **state) {
  (void)state;
  th_ground *map = map_open(80, 12);
  th_vec2 end[2] = {map_centre(map, 78, 1), map_centre(map, 78, 10)};
  th_field_def def = to_line(end);
  def.walls = TH_WALLS_NEUMANN;
  th_solver *solver = solver_for(map);
  th_field *field = make(solver, def);
  for (uint32_t j = 1; j <= 10; j++)
    for (uint32_t i = 1; i < 77; i++) {
      th_field_gradient s = th_field_gradient_at(field, map_place(map, map_centre(map, i, j)));
      assert_true(s.dx > 0.9999f);
    }
  th_field_release(field);
  th_solver_release(solver);
  map_free(map);
}

static void unreachable_is_said(void **state) {
  (void)state;
  th_ground *map = map_open(40, 20);
  map_fill(map, 20, 1, 21, 19, 1);
  map_finish(map);
  th_vec2 point = map_centre(map, 5, 5);
  th_solver *solver = solver_for(map);
  for (int kind = 0; kind < 3; kind++) {
    th_field_def def = to_point(&point);
    def.kind = (th_field_kind)kind;
    def.blend = 0.3f;
    th_field *field = make(solver, def);
    th_place behind = map_place(map, map_centre(map, 30, 10)), before = map_place(map, map_centre(map, 10, 10));
    th_field_gradient s = th_field_gradient_at(field, behind);
    assert_false(th_field_reaches(field, behind));
    assert_true(th_field_reaches(field, before));
    assert_true(s.dx == 0.0f && s.dy == 0.0f && isinf(s.left) && s.left > 0.0f);
    assert_true(th_field_potential(field, behind) == 0.0);
    assert_true(isinf(th_field_log(field, behind)));
    assert_int_equal(th_field_trace(field, behind, NULL, 0), 0);
    th_field_release(field);
  }
  th_solver_release(solver);
  map_free(map);
}

static void inflated_band_leads_out(void **state) {
  (void)state;
  th_ground *map = map_rooms(60, 50, 6, 5);
  th_solver *solver = solver_for(map);
  uint64_t s = 9;
  uint32_t goal = free_cell(map, 1, &s);
  th_vec2 point = map_centre(map, goal % 60, goal / 60);
  th_field_def def = to_point(&point);
  def.radius_class = 1;
  th_field *field = make(solver, def);
  walk_rule rule = {.map = map, .step = 0.1f}; /* only solid cells stop a body on its way out */
  uint32_t band = 0;
  for (uint32_t c = 0; c < 60 * 50; c++) {
    th_vec2 p = map_centre(map, c % 60, c / 60);
    if (map->flat->solid[c] || !map->flat->blocked[1][c] || !th_field_reaches(field, map_place(map, p))) continue;
    band++;
    for (int n = 0; n < 400 && map->flat->blocked[1][th_ground_cell(map, p.x, p.y)]; n++) {
      th_vec2 d = th_field_direction(field, map_place(map, p), (th_vec2){1.0f, -1.0f}, TH_SENSE_PULL);
      p = walk_step(&rule, p, d);
    }
    assert_false(map->flat->blocked[1][th_ground_cell(map, p.x, p.y)]);
  }
  assert_true(band > 100);
  th_field_release(field);
  th_solver_release(solver);
  map_free(map);
}

/* Whoever leaves a blocked cell has no more left than by the free cells beside it, up to the width of a cell, and less
 * than before: nobody is led to an exit that lies behind. */
static uint32_t count_led_on(th_ground *map, th_solver *solver, uint64_t s) {
  uint32_t goal = free_cell(map, 1, &s), seen = 0;
  th_vec2 point = map_centre(map, goal % 60, goal / 60);
  th_field_def def = to_point(&point);
  def.radius_class = 1;
  th_field *field = make(solver, def);
  const uint8_t *blocked = map->flat->blocked[1];
  const walk_rule rule = {.map = map, .step = 0.1f};
  for (uint32_t c = 61; c < 60 * 49 - 1; c++) {
    const uint32_t side[4] = {c + 1, c + 60, c - 1, c - 60};
    th_vec2 p = map_centre(map, c % 60, c / 60);
    if (map->flat->solid[c] || !blocked[c] || !th_field_reaches(field, map_place(map, p))) continue;
    const float left = th_field_gradient_at(field, map_place(map, p)).left;
    float least = INFINITY;
    for (int k = 0; k < 4; k++) {
      const th_place beside = map_place(map, map_centre(map, side[k] % 60, side[k] / 60));
      if (!blocked[side[k]]) least = fminf(least, th_field_gradient_at(field, beside).left + map->cell);
    }
    for (int n = 0; n < 400 && blocked[th_ground_cell(map, p.x, p.y)]; n++)
      p = walk_step(&rule, p, th_field_direction(field, map_place(map, p), (th_vec2){0.0f, 0.0f}, TH_SENSE_PULL));
    assert_false(blocked[th_ground_cell(map, p.x, p.y)]);
    const float after = th_field_gradient_at(field, map_place(map, p)).left;
    assert_true(after < left && after < least + 0.75f * map->cell);
    seen++;
  }
  th_field_release(field);
  return seen;
}

static void blocked_cells_lead_on(void **state) {
  (void)state;
  th_ground *map = map_rooms(60, 50, 6, 5);
  th_solver *solver = solver_for(map);
  uint32_t seen = 0;
  for (uint64_t s = 1; s <= 10; s++) seen += count_led_on(map, solver, s);
  print_message("%u blocked cells that lead out\n", seen);
  assert_true(seen > 1000);
  th_solver_release(solver);
  map_free(map);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocked_cells_lead_on),
      cmocka_unit_test(a_rectangle_equals_its_series),
      cmocka_unit_test(an_annulus_equals_its_logarithm),
      cmocka_unit_test(random_maps_lead_everywhere),
      cmocka_unit_test(a_serpentine_leads_everywhere),
      cmocka_unit_test(a_long_corridor_leads_everywhere),
      cmocka_unit_test(directions_are_smooth_in_the_open),
      cmocka_unit_test(walks_in_the_open_are_smooth),
      cmocka_unit_test(symmetric_maps_do_not_stall),
      cmocka_unit_test(neumann_paths_run_along_walls),
      cmocka_unit_test(unreachable_is_said),
      cmocka_unit_test(inflated_band_leads_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
