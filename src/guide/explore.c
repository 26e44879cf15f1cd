/* guide/explore.c - walks into the unknown, and to what is searched once it is found.
 *
 * Explorers share one map of the ground's raster that begins unknown. Each step they write down what they see, the
 * potential of the known cells is relaxed some sweeps (unknown cells keep the value of a goal, so they attract), and
 * everyone climbs it: to the nearest region that nobody has seen. Two variants: sweeps in the window around each
 * explorer (Dapper 2007, section 6.3.3), or over everything sensed so far (Dapper et al., CGI 2007, section 6.4). A
 * target that someone sees ends the exploration: explorers take the shortest known way there. Where nothing unknown
 * can be reached any more, an explorer without a target has arrived and one with a target is lost; a target that walks
 * may have slipped past, so for a link everything is forgotten and searched again. Cost: the sweeps, about 3 ns a cell
 * and sweep; memory: 13 bytes a raster cell.
 */
#include "guide/explore.h"

#include <math.h>
#include <stddef.h>

#define LOOK_EVERY 16 /* steps between two looks whether anything unknown can still be reached */

/* ---------------------------------------------------------------- memory */

static size_t cells_of(const th_ground *ground) { return (size_t)ground->width * ground->height; }

static size_t rounded(size_t size) { return (size + 63) / 64 * 64; }

size_t th_explore_size(const th_ground *ground) {
  size_t cells = cells_of(ground);
  return rounded(sizeof(th_explore_head)) + rounded(cells * sizeof(double)) + rounded(cells * sizeof(float)) +
         rounded(cells);
}

th_explore_map th_explore_open(const void *memory) {
  uint8_t *at = (uint8_t *)(uintptr_t)memory;
  th_explore_map map = {.head = (th_explore_head *)(void *)at};
  size_t cells = (size_t)map.head->width * map.head->height;
  at += rounded(sizeof(th_explore_head));
  map.u = (double *)(void *)at;
  at += rounded(cells * sizeof(double));
  map.left = (float *)(void *)at;
  map.mark = at + rounded(cells * sizeof(float));
  return map;
}

void th_explore_forget(th_explore_map *map) {
  th_explore_head *head = map->head;
  for (uint32_t j = 0; j < head->height; j++) {
    for (uint32_t i = 0; i < head->width; i++) {
      bool ring = i == 0 || j == 0 || i + 1 == head->width || j + 1 == head->height;
      size_t c = (size_t)j * head->width + i;
      map->u[c] = ring ? 0.0 : 1.0;
      map->left[c] = INFINITY;
      map->mark[c] = ring ? TH_EXPLORE_KNOWN | TH_EXPLORE_BLOCKED : 0;
    }
  }
  head->known = (th_explore_box){head->width, head->height, 0, 0};
  head->marked = (th_explore_box){0, 0, 0, 0};
  head->sensed = head->found = head->marks = head->stale = head->fresh = 0;
  head->mark_sum = 0;
}

void th_explore_init(void *memory, const th_ground *ground) {
  th_explore_head *head = memory;
  head->width = ground->width;
  head->height = ground->height;
  head->cell = ground->cell;
  th_explore_map map = th_explore_open(memory);
  th_explore_forget(&map);
}

static size_t memory_size(const void *params, const th_ground *ground) {
  (void)params;
  return th_explore_size(ground);
}

static void memory_init(void *memory, const void *params, const th_ground *ground) {
  (void)params;
  th_explore_init(memory, ground);
}

th_explored th_explore_read(const void *memory) {
  const th_explore_head *head = memory;
  return (th_explored){.sensed = head->sensed,
                       .area = (float)head->sensed * head->cell * head->cell,
                       .found = head->found != 0,
                       .rounds = head->rounds};
}

/* ---------------------------------------------------------------- growing */

static void sense_all(th_explore_map *map, const th_growth *growth) {
  for (uint32_t k = 0; k < growth->count; k++) {
    uint32_t wanted = th_ground_class(growth->ground, growth->radius[k]);
    if (wanted > map->head->radius_class) map->head->radius_class = wanted;
  }
  for (uint32_t k = 0; k < growth->count; k++) th_explore_sense(map, growth, k);
}

/* The target has been found and a known way leads there. */
static bool is_led(const th_explore_map *map, uint32_t cell) {
  return map->head->found && map->left[th_explore_stand(map, cell, true)] < INFINITY;
}

static bool has_open(const th_explore_map *map, uint32_t cell) {
  return map->mark[th_explore_stand(map, cell, false)] & TH_EXPLORE_OPEN;
}

/* Nobody has anything left to see: what is searched has moved to where they were. */
static bool all_seen(const th_explore_map *map, const th_growth *growth) {
  for (uint32_t k = 0; k < growth->count; k++)
    if (growth->state[k] == TH_AGENT_WALKING && has_open(map, growth->place[k].cell)) return false;
  return true;
}

static void look_for_more(th_explore_map *map, const th_growth *growth) {
  const th_explore_params *params = growth->params;
  if (!map->head->fresh || growth->step % LOOK_EVERY) return;
  th_explore_find_open(map);
  if (params->target != TH_EXPLORE_FOR_LINK || map->head->found || !all_seen(map, growth)) return;
  th_explore_forget(map);
  map->head->rounds++;
  sense_all(map, growth);
}

static void relax_all(th_explore_map *map, const th_growth *growth) {
  const th_explore_params *params = growth->params;
  bool led = true;
  for (uint32_t k = 0; k < growth->count; k++) {
    if (growth->state[k] != TH_AGENT_WALKING || is_led(map, growth->place[k].cell)) continue;
    led = false;
    th_explore_box window = th_explore_window(map, growth->place[k].cell, params->sight);
    if (params->relax == TH_EXPLORE_WINDOW) th_explore_relax(map, window, (uint32_t)params->sweeps);
  }
  if (!led && params->relax == TH_EXPLORE_SENSED) th_explore_relax(map, map->head->known, (uint32_t)params->sweeps);
}

static bool anyone_walks(const th_growth *growth) {
  for (uint32_t k = 0; k < growth->count; k++)
    if (growth->state[k] == TH_AGENT_WALKING) return true;
  return false;
}

static void grow(const th_growth *growth) {
  if (!anyone_walks(growth)) return; /* nobody asks */
  th_explore_map map = th_explore_open(growth->memory);
  sense_all(&map, growth);
  th_explore_seek(&map, growth);
  look_for_more(&map, growth);
  if (map.head->found && map.head->stale) th_explore_measure(&map);
  relax_all(&map, growth);
}

/* ---------------------------------------------------------------- answers */

/* Double: u spans more powers of ten than a float. */
typedef struct way {
  double x, y;
} way;

/* Way up at one cell: grad u by central differences (times 2 h), or the upwind descent of `left`. */
static way slope(const th_explore_map *map, uint32_t c, bool by_left) {
  uint32_t width = map->head->width;
  const double *u = map->u;
  if (!by_left) return (way){u[c + 1] - u[c - 1], u[c + width] - u[c - width]};
  const float *left = map->left;
  float w = left[c - 1], e = left[c + 1], s = left[c - width], n = left[c + width], here = left[c];
  way up = {0.0, 0.0};
  if (!(here < INFINITY)) return up;
  if (fminf(w, e) < here) up.x = (double)(e < w ? here - e : w - here);
  if (fminf(s, n) < here) up.y = (double)(n < s ? here - n : s - here);
  return up;
}

/* Slopes of the four cells around a place, weighted by nearness: headings turn without jumps. */
static way blended(const th_explore_map *map, const th_ground *ground, th_vec2 at, bool by_left) {
  uint32_t width = map->head->width;
  float fi = (at.x - ground->x0) * ground->inverse_cell - 0.5f, fj = (at.y - ground->y0) * ground->inverse_cell - 0.5f;
  fi = fmaxf(fminf(fi, (float)width - 2.5f), 1.0f);
  fj = fmaxf(fminf(fj, (float)map->head->height - 2.5f), 1.0f);
  uint32_t i = (uint32_t)fi, j = (uint32_t)fj, c = j * width + i;
  double a = (double)(fi - (float)i), b = (double)(fj - (float)j);
  const uint32_t cell[4] = {c, c + 1, c + width, c + width + 1};
  const double weight[4] = {(1 - a) * (1 - b), a * (1 - b), (1 - a) * b, a * b};
  way sum = {0.0, 0.0};
  for (int k = 0; k < 4; k++) {
    if (weight[k] == 0.0) continue;
    way one = slope(map, cell[k], by_left);
    sum.x += weight[k] * one.x;
    sum.y += weight[k] * one.y;
  }
  return sum;
}

static void head_along(const th_explore_map *map, const th_question *question, uint32_t lane, bool by_left) {
  const th_ground *ground = question->ground;
  th_vec2 at = {question->x[lane], question->y[lane]};
  way up = blended(map, ground, at, by_left);
  double largest = fmax(fabs(up.x), fabs(up.y));
  if (!(largest > 0.0)) { /* flat, or between walls: to the best cell near by */
    uint32_t best = th_explore_stand(map, question->cell[lane], by_left);
    up.x = (double)(ground->x0 + ((float)(best % ground->width) + 0.5f) * ground->cell - at.x);
    up.y = (double)(ground->y0 + ((float)(best / ground->width) + 0.5f) * ground->cell - at.y);
    largest = fmax(fabs(up.x), fabs(up.y));
  }
  if (!(largest > 0.0)) return;
  float x = (float)(up.x / largest), y = (float)(up.y / largest), length = sqrtf(x * x + y * y);
  question->want[lane].dx = x / length;
  question->want[lane].dy = y / length;
}

static void lead(const th_explore_map *map, const th_question *question, uint32_t lane) {
  const th_explore_params *params = question->params;
  th_want *want = &question->want[lane];
  uint32_t cell = question->cell[lane];
  want->state = TH_WANT_LEAD;
  if (is_led(map, cell)) {
    want->left = map->left[th_explore_stand(map, cell, true)];
    if (params->target != TH_EXPLORE_FOR_GOAL && want->left <= params->arrive) want->state = TH_WANT_ARRIVED;
    head_along(map, question, lane, true);
    return;
  }
  if (!has_open(map, cell)) {
    static const th_want_state end[] = {TH_WANT_ARRIVED, TH_WANT_LOST, TH_WANT_LOST, TH_WANT_WAIT};
    want->state = (uint8_t)end[params->target];
    return;
  }
  head_along(map, question, lane, false);
}

static void answer(const th_question *question) {
  th_explore_map map = th_explore_open(question->memory);
  for (uint32_t lane = 0; lane < question->lanes; lane++) lead(&map, question, lane);
}

static const char *const relax_names[] = {"window", "sensed", NULL};
static const char *const target_names[] = {"nothing", "goal", "point", "link", NULL};

#define AT(member) (uint32_t) offsetof(th_explore_params, member)
static const th_param params[] = {
    {"sight", TH_PARAM_FLOAT, AT(sight), "m", 0.1, 50, 4, "how far an explorer sees", NULL},
    {"sweeps", TH_PARAM_INT, AT(sweeps), "", 1, 1000, 30, "relaxation sweeps a step", NULL},
    {"relax", TH_PARAM_ENUM, AT(relax), "", 0, 1, 0, "the window around each explorer, or every cell sensed so far",
     relax_names},
    {"target", TH_PARAM_ENUM, AT(target), "", 0, 3, 0,
     "what is searched: nothing, the explorer's goal, a point, or the explorer's first link", target_names},
    {"point", TH_PARAM_VEC2, AT(point), "m", -1e6, 1e6, 0, "the point that is searched", NULL},
    {"arrive", TH_PARAM_FLOAT, AT(arrive), "m", 0.05, 100, 1, "a point or link counts as reached within this distance",
     NULL},
    {"through_walls", TH_PARAM_BOOL, AT(through_walls), "", 0, 1, 0,
     "senses the whole square of the window, walls or not", NULL},
};

const th_guide th_guide_explore = {
    .name = "explore",
    .summary = "discovers the map while walking, and searches",
    .param = params,
    .param_count = sizeof params / sizeof *params,
    .param_size = sizeof(th_explore_params),
    .ask = answer,
    .memory_size = memory_size,
    .memory_init = memory_init,
    .grow = grow,
};
