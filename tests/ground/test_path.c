/* tests/ground/test_path.c - shortest paths against a visibility graph that knows nothing of triangles. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "support/slow.h"
#include "support/unit.h"
#include "throng/ground.h"

#define RADIUS 0.25
#define CUT (RADIUS / 0.92387953 + 0.003) /* how far the tips of the pieces of a corner stand out, and a little */
enum { BOXES = 24, TURNS = 5, NODES = BOXES * 4 * TURNS + 2, WALLS = BOXES * 4, WIDE = 30, DEEP = 20 };

typedef struct plan {
  th_vec2 corner[BOXES][4];
  th_vec2 wall[WALLS][2];
  double x[NODES], y[NODES], length[NODES];
  bool done[NODES];
  uint32_t nodes;
  double keep; /* from walls [m] */
  uint64_t seed;
  uint8_t *sees; /* NODES x NODES, of the fixed ones */
  th_ground *ground;
} plan;

static float draw(uint64_t seed, uint32_t *n, float min, float max) {
  return min + (max - min) * th_random_to_float(th_random(seed, 0x7061u, 0, (*n)++));
}

/* Boxes at any angle; they may overlap each other and the rim. */
static void furnish(plan *p, uint64_t seed) {
  uint32_t n = 0;
  for (uint32_t b = 0; b < BOXES; b++) {
    const float x = draw(seed, &n, 1, WIDE - 1), y = draw(seed, &n, 1, DEEP - 1), turn = draw(seed, &n, 0, 3.14f);
    const float w = draw(seed, &n, 0.1f, 2.5f), h = draw(seed, &n, 0.1f, 2.5f), c = cosf(turn), s = sinf(turn);
    const float u[4] = {-w, w, w, -w}, v[4] = {-h, -h, h, h};
    for (uint32_t k = 0; k < 4; k++) p->corner[b][k] = (th_vec2){x + c * u[k] - s * v[k], y + s * u[k] + c * v[k]};
    for (uint32_t k = 0; k < 4; k++) {
      p->wall[4 * b + k][0] = p->corner[b][k];
      p->wall[4 * b + k][1] = p->corner[b][(k + 1) % 4];
    }
  }
}

static th_ground *ground_of(const plan *p) {
  static const th_vec2 rim[4] = {{0, 0}, {WIDE, 0}, {WIDE, DEEP}, {0, DEEP}};
  const th_polygon outline = {NULL, rim, 4};
  th_polygon box[BOXES];
  for (uint32_t b = 0; b < BOXES; b++) box[b] = (th_polygon){NULL, p->corner[b], 4};
  th_flat_def def = th_default_flat_def();
  def.outline = &outline, def.outline_count = 1;
  def.obstacle = box, def.obstacle_count = BOXES;
  th_ground *ground = NULL;
  assert_int_equal(th_ground_make_flat(&def, &ground, NULL), TH_OK);
  return ground;
}

static double point_to_line(double px, double py, const th_vec2 w[2]) {
  const double ax = (double)w[0].x, ay = (double)w[0].y, ex = (double)w[1].x - ax, ey = (double)w[1].y - ay;
  const double t = fmin(fmax(((px - ax) * ex + (py - ay) * ey) / (ex * ex + ey * ey), 0.0), 1.0);
  return hypot(px - ax - t * ex, py - ay - t * ey);
}

static double side(double ax, double ay, double bx, double by, double cx, double cy) {
  return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
}

/* Least distance of two lines. */
static double line_to_line(const double p[4], const th_vec2 w[2]) {
  const double ax = (double)w[0].x, ay = (double)w[0].y, bx = (double)w[1].x, by = (double)w[1].y;
  if (side(p[0], p[1], p[2], p[3], ax, ay) * side(p[0], p[1], p[2], p[3], bx, by) < 0.0 &&
      side(ax, ay, bx, by, p[0], p[1]) * side(ax, ay, bx, by, p[2], p[3]) < 0.0)
    return 0.0;
  const th_vec2 line[2] = {{(float)p[0], (float)p[1]}, {(float)p[2], (float)p[3]}};
  return fmin(fmin(point_to_line(p[0], p[1], w), point_to_line(p[2], p[3], w)),
              fmin(point_to_line(ax, ay, line), point_to_line(bx, by, line)));
}

static bool inside_a_box(const plan *p, double x, double y) {
  for (uint32_t b = 0; b < BOXES; b++) {
    bool in = true;
    for (uint32_t k = 0; k < 4; k++) {
      const th_vec2 *c = p->corner[b], e = c[(k + 1) % 4];
      in = in && side((double)c[k].x, (double)c[k].y, (double)e.x, (double)e.y, x, y) > 0.0;
    }
    if (in) return true;
  }
  return false;
}

/* A body has room there, `spare` more or less. */
static bool has_room(const plan *p, double x, double y, double spare) {
  const double keep = p->keep + spare;
  if (x < keep || y < keep || x > WIDE - keep || y > DEEP - keep || inside_a_box(p, x, y)) return false;
  for (uint32_t k = 0; k < WALLS; k++)
    if (point_to_line(x, y, p->wall[k]) < keep) return false;
  return true;
}

static bool passes(const plan *p, uint32_t i, uint32_t j) {
  const double line[4] = {p->x[i], p->y[i], p->x[j], p->y[j]};
  for (uint32_t k = 0; k < WALLS; k++)
    if (line_to_line(line, p->wall[k]) < p->keep - 1e-5) return false;
  return true;
}

/* Points on a circle of the radius round each corner, a little outside it, so that their joints clear the circle. */
static void list_nodes(plan *p) {
  p->nodes = 2;
  for (uint32_t b = 0; b < BOXES; b++)
    for (uint32_t k = 0; k < 4; k++) {
      const th_vec2 at = p->corner[b][k], last = p->corner[b][(k + 3) % 4];
      const double from = atan2((double)(at.y - last.y), (double)(at.x - last.x)) - 1.5707963267948966;
      const double turn = 1.5707963267948966 / (TURNS - 1), far = p->keep / cos(0.5 * turn) + 1e-5;
      for (uint32_t n = 0; n < TURNS; n++) {
        const double x = (double)at.x + far * cos(from + n * turn), y = (double)at.y + far * sin(from + n * turn);
        if (!has_room(p, x, y, -1e-5)) continue;
        p->x[p->nodes] = x, p->y[p->nodes] = y;
        p->nodes++;
      }
    }
  for (uint32_t i = 2; i < p->nodes; i++)
    for (uint32_t j = i + 1; j < p->nodes; j++) p->sees[i * NODES + j] = p->sees[j * NODES + i] = passes(p, i, j);
}

/* Dijkstra from node 0 to node 1; INFINITY: no path. */
static double reference(plan *p) {
  uint8_t *sees = p->sees;
  for (uint32_t i = 0; i < p->nodes; i++) {
    p->length[i] = i ? INFINITY : 0.0, p->done[i] = false;
    for (uint32_t e = 0; e < 2; e++) sees[i * NODES + e] = sees[e * NODES + i] = i != e && passes(p, i, e);
  }
  for (;;) {
    uint32_t at = NODES;
    for (uint32_t i = 0; i < p->nodes; i++)
      if (!p->done[i] && (at == NODES || p->length[i] < p->length[at])) at = i;
    if (at == NODES || at == 1 || isinf(p->length[at])) return p->length[1];
    p->done[at] = true;
    for (uint32_t i = 0; i < p->nodes; i++)
      if (sees[at * NODES + i])
        p->length[i] = fmin(p->length[i], p->length[at] + hypot(p->x[i] - p->x[at], p->y[i] - p->y[at]));
  }
}

static plan *make(uint64_t seed, double keep) {
  plan *p = calloc(1, sizeof *p);
  assert_non_null(p);
  p->keep = keep, p->seed = seed;
  furnish(p, seed);
  p->ground = ground_of(p);
  p->sees = calloc(NODES * NODES, 1);
  assert_non_null(p->sees);
  list_nodes(p);
  return p;
}

static void drop(plan *p) {
  th_ground_release(p->ground);
  free(p->sees);
  free(p);
}

static void put_free(plan *p, uint32_t node, uint64_t seed, uint32_t *n) {
  do {
    p->x[node] = (double)draw(seed, n, 0, WIDE), p->y[node] = (double)draw(seed, n, 0, DEEP);
  } while (!has_room(p, p->x[node], p->y[node], 0.01));
}

static double length_of(const th_place *place, uint32_t count) {
  double sum = 0.0;
  for (uint32_t i = 1; i < count; i++)
    sum += hypot((double)place[i].x - (double)place[i - 1].x, (double)place[i].y - (double)place[i - 1].y);
  return sum;
}

/* How near the path comes to walls [m]. */
static double room_of(const plan *p, const th_place *place, uint32_t count) {
  double least = INFINITY;
  for (uint32_t i = 1; i < count; i++) {
    const double line[4] = {(double)place[i - 1].x, (double)place[i - 1].y, (double)place[i].x, (double)place[i].y};
    for (uint32_t k = 0; k < WALLS; k++) least = fmin(least, line_to_line(line, p->wall[k]));
  }
  return least;
}

typedef struct tally {
  double sum, worst, least_room;
  uint32_t count, lost, narrow, odd;
} tally;

/* Only a gap that the cut corners close joins the two points. */
static bool is_narrow(const plan *p) {
  plan *wider = make(p->seed, CUT);
  for (uint32_t i = 0; i < 2; i++) wider->x[i] = p->x[i], wider->y[i] = p->y[i];
  const bool none = isinf(reference(wider));
  drop(wider);
  return none;
}

static void walk_one(plan *p, tally *t) {
  th_place place[64];
  const th_place from = th_ground_locate(p->ground, (float)p->x[0], (float)p->y[0]);
  const th_place to = th_ground_locate(p->ground, (float)p->x[1], (float)p->y[1]);
  const uint32_t count = th_ground_path(p->ground, from, to, (float)RADIUS, place, 64);
  const double best = reference(p);
  assert_true(count <= 64);
  if (isinf(best) || !count) {
    assert_int_equal(count, 0);
    t->lost++;
    t->narrow += !isinf(best) && is_narrow(p);
    t->odd += !isinf(best) && !is_narrow(p);
    return;
  }
  const double ratio = length_of(place, count) / best;
  t->sum += ratio, t->count++;
  t->worst = fmax(t->worst, ratio);
  t->least_room = fmin(t->least_room, room_of(p, place, count));
  assert_true(ratio > 0.995);
}

/* A thousand random pairs among boxes that overlap as they like. */
static void paths_are_as_short_as_those_of_a_visibility_graph(void **state) {
  (void)state;
  tally t = {.least_room = INFINITY};
  const uint32_t plans = LONG_RUN(10, 1), pairs = LONG_RUN(100, 20);
  for (uint32_t seed = 1; seed <= plans; seed++) {
    plan *p = make(seed, RADIUS);
    uint32_t n = 1000;
    for (uint32_t k = 0; k < pairs; k++) {
      put_free(p, 0, seed, &n);
      put_free(p, 1, seed, &n);
      walk_one(p, &t);
    }
    drop(p);
  }
  print_message(
      "paths of %u pairs: mean %.5f, worst %.5f of the shortest; %.4f m from walls; %u without a path, %u of them for "
      "a narrow "
      "gap\n",
      t.count, t.sum / t.count, t.worst, t.least_room, t.lost, t.narrow);
  assert_true(t.sum / t.count <= 1.02 && t.worst <= 1.10);
  assert_true(t.least_room > RADIUS - 0.001);
  assert_int_equal(t.odd, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(paths_are_as_short_as_those_of_a_visibility_graph),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
