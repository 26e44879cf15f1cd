/* world/choice/queues.c - how many people are nearer to a goal along its field.
 *
 * Whoever weighs up goals asks for a number of people below a distance, and each decision moves one of them to another
 * goal, so every goal has a Fenwick tree (Fenwick 1994) over distances left in bins of half a metre, which is about a
 * person's depth in a queue; what lies beyond 512 m counts as there. All trees are filled from the rows in steps in
 * which somebody decides. Cost: one pass over the rows, 4 KB per goal, then ten additions per question and change.
 */
#include "world/choice/queues.h"

#include <math.h>
#include <string.h>

#include "world/world.h"

bool th_queues_reserve(th_queues *queues, const th_allocator *a, uint32_t goals, uint32_t count) {
  const uint32_t had = queues->goals;
  void *memory = queues->of_goal;
  bool grown = goals <= had || th_grow(a, &memory, &queues->goals, goals, sizeof *queues->of_goal);
  queues->of_goal = memory;
  for (uint32_t i = had; i < queues->goals; i++) queues->of_goal[i] = TH_NO_QUEUE;
  if (!grown || count <= queues->capacity) return grown;
  uint32_t *bin = TH_TAKE(a, uint32_t, (size_t)count * TH_QUEUE_BINS);
  if (!bin) return false;
  TH_GIVE(a, queues->bin, (size_t)queues->capacity * TH_QUEUE_BINS); /* scratch of a step: nothing to copy */
  queues->bin = bin;
  queues->capacity = count;
  return true;
}

void th_queues_free(th_queues *queues, const th_allocator *a) {
  TH_GIVE(a, queues->of_goal, queues->goals);
  TH_GIVE(a, queues->bin, (size_t)queues->capacity * TH_QUEUE_BINS);
  *queues = (th_queues){0};
}

void th_queues_clear(th_queues *queues) {
  for (uint32_t i = 0; i < queues->goals; i++) queues->of_goal[i] = TH_NO_QUEUE;
  queues->count = 0;
}

void th_queues_add(th_queues *queues, uint32_t goal) {
  if (queues->of_goal[goal - 1] == TH_NO_QUEUE) queues->of_goal[goal - 1] = queues->count++;
}

static uint32_t bin_of(float left) {
  const float bin = left / TH_QUEUE_BIN;
  return bin < (float)(TH_QUEUE_BINS - 1) ? (uint32_t)bin : TH_QUEUE_BINS - 1;
}

/* The tree of a goal; NULL for none. */
static uint32_t *tree_of(const th_queues *queues, uint32_t goal) {
  if (!goal || goal > queues->goals || queues->of_goal[goal - 1] == TH_NO_QUEUE) return NULL;
  return queues->bin + (size_t)queues->of_goal[goal - 1] * TH_QUEUE_BINS;
}

/* The goal that a row walks to, when that is settled and its distance known; else 0. */
static uint32_t goal_of(const th_rows *rows, uint32_t row) {
  const th_route *route = &rows->route[row];
  const th_row_choice *choice = &rows->choice[row];
  if (rows->state[row] != TH_AGENT_WALKING || route->next >= route->count || !(rows->left[row] < INFINITY)) return 0;
  return choice->of[route->next] && !choice->decided ? 0 : route->goal[route->next];
}

/* Plain counts become a tree when each element is added to its parent, in order. */
static void join(uint32_t *bin) {
  for (uint32_t n = 1; n <= TH_QUEUE_BINS; n++) {
    const uint32_t parent = n + (n & (0u - n));
    if (parent <= TH_QUEUE_BINS) bin[parent - 1] += bin[n - 1];
  }
}

void th_queues_fill(const th_world *world, th_queues *queues) {
  const th_rows *rows = &world->rows;
  if (queues->count) memset(queues->bin, 0, sizeof *queues->bin * TH_QUEUE_BINS * queues->count);
  for (uint32_t row = 0; row < rows->count; row++) {
    uint32_t *bin = tree_of(queues, goal_of(rows, row));
    if (bin) bin[bin_of(rows->left[row])]++;
  }
  for (uint32_t k = 0; k < queues->count; k++) join(queues->bin + (size_t)k * TH_QUEUE_BINS);
}

static void add(th_queues *queues, uint32_t goal, float left, uint32_t by) {
  uint32_t *bin = left < INFINITY ? tree_of(queues, goal) : NULL;
  for (uint32_t n = bin ? bin_of(left) + 1 : TH_QUEUE_BINS + 1; n <= TH_QUEUE_BINS; n += n & (0u - n)) bin[n - 1] += by;
}

void th_queue_enter(th_queues *queues, uint32_t goal, float left) { add(queues, goal, left, 1u); }
void th_queue_leave(th_queues *queues, uint32_t goal, float left) { add(queues, goal, left, 0u - 1u); }

uint32_t th_queue_ahead(const th_queues *queues, uint32_t goal, float left) {
  const uint32_t *bin = left < INFINITY ? tree_of(queues, goal) : NULL;
  uint32_t ahead = 0;
  for (uint32_t n = bin ? bin_of(left) : 0; n; n &= n - 1) ahead += bin[n - 1];
  return ahead;
}

uint32_t th_queue_count(const th_world *world, uint32_t goal, float left) {
  const th_rows *rows = &world->rows;
  uint32_t ahead = 0;
  for (uint32_t row = 0; left < INFINITY && row < rows->count; row++)
    ahead += goal_of(rows, row) == goal && bin_of(rows->left[row]) < bin_of(left);
  return ahead;
}
