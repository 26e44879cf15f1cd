/* world/ask.c - phase 3: each guide tells its agents which way.
 *
 * Agents of one patch are grouped by (guide, field) so that up to 16 of them ask one field at once. Answers are a
 * function of an agent's own place, so grouping changes nothing but speed. Cost: about 15 ns an agent.
 */
#include <math.h>
#include <string.h>

#include "field/field.h"
#include "world.h"

typedef struct ask_lanes {
  uint32_t row[16], agent[16], cell[16], count;
  float x[16], y[16], eps[16];
  th_vec2 v[16];
  void *state[16];
  th_want want[16];
} ask_lanes;

static void collect(const th_world *world, ask_lanes *lanes, uint32_t row) {
  const th_rows *rows = &world->rows;
  uint32_t lane = lanes->count++;
  lanes->row[lane] = row;
  lanes->agent[lane] = rows->agent[row];
  lanes->cell[lane] = rows->cell[row];
  lanes->x[lane] = rows->x[row];
  lanes->y[lane] = rows->y[row];
  lanes->eps[lane] = rows->eps[row];
  if (rows->eps[row] != 0.0f) lanes->v[lane] = rows->v[row];
  lanes->state[lane] = &rows->guide_memory[row];
}

static void answer_all(th_world *world, ask_lanes *lanes, const th_field_entry *entry) {
  uint32_t index = world->rows.guide[lanes->row[0]];
  const th_guide_use *use = index ? &world->guides.guide[index - 1] : NULL;
  th_question question = {.params = use ? use->params : NULL,
                          .ground = world->ground,
                          .lanes = lanes->count,
                          .agent = lanes->agent,
                          .cell = lanes->cell,
                          .x = lanes->x,
                          .y = lanes->y,
                          .v = lanes->v,
                          .eps = lanes->eps,
                          .field = entry ? entry->field : NULL,
                          .memory = use ? use->memory : NULL,
                          .state = lanes->state,
                          .dt = world->dt,
                          .step = world->step,
                          .sense = world->def.sense,
                          .simd = (uint32_t)world->simd,
                          .want = lanes->want};
  /* a goal without a way: its field cannot be made */
  uint8_t preset = !use && entry && entry->failed ? TH_WANT_LOST : TH_WANT_WAIT;
  for (uint32_t lane = 0; lane < lanes->count; lane++) lanes->want[lane] = (th_want){.left = INFINITY, .state = preset};
  for (uint32_t lane = lanes->count; lane < 16; lane++) {
    lanes->x[lane] = lanes->x[0];
    lanes->y[lane] = lanes->y[0];
  }
  (use ? use->kind : &th_guide_field)->ask(&question);
}

/* Progress is a new least of the metres left; whoever makes none for a while is stuck. */
static uint8_t notice_of(th_world *world, uint32_t row, const th_want *want) {
  th_rows *rows = &world->rows;
  if (want->state == TH_WANT_ARRIVED) return TH_NOTICE_ARRIVED;
  if (want->state == TH_WANT_LOST) return TH_NOTICE_LOST;
  if (want->state == TH_WANT_WAIT) return 0;
  if (want->left < rows->best[row] - TH_STUCK_METRES || rows->best[row] == INFINITY) {
    rows->best[row] = want->left;
    rows->best_step[row] = world->step;
    return 0;
  }
  return (float)(world->step - rows->best_step[row]) * world->dt >= TH_STUCK_SECONDS ? TH_NOTICE_STUCK : 0;
}

static void flush(th_world *world, ask_lanes *lanes) {
  th_rows *rows = &world->rows;
  uint16_t number = rows->field[lanes->row[0]];
  answer_all(world, lanes, number == TH_NO_FIELD ? NULL : &world->entry[number]);
  for (uint32_t lane = 0; lane < lanes->count; lane++) {
    uint32_t row = lanes->row[lane];
    th_want want = lanes->want[lane];
    if (!((want.dx - want.dx) + (want.dy - want.dy) == 0.0f) || want.left != want.left) /* a host's guide may err */
      want = (th_want){.left = INFINITY, .state = TH_WANT_WAIT};
    if (want.state == TH_WANT_LEAD && want.left <= rows->arrive[row]) want.state = TH_WANT_ARRIVED;
    memset(want.unused, 0, sizeof want.unused);
    rows->want[row] = want;
    rows->left[row] = want.left;
    rows->notice[row] = notice_of(world, row, &want);
  }
  lanes->count = 0;
}

/* Keeps the compiler from dropping a value that only serves to load memory. */
static inline void keep_alive(float value) { __asm__ volatile("" : : "x"(value)); }

static uint64_t kind_of(const th_rows *rows, uint32_t row) {
  return (uint64_t)rows->guide[row] << 16 | rows->field[row];
}

/* Fields are larger than the caches near a core. Touching the nodes of a whole patch first lets their misses overlap;
 * a real load did it in half the time of a prefetch instruction. */
static float touch(const th_world *world, uint32_t row) {
  uint16_t entry = world->rows.field[row];
  if (entry == TH_NO_FIELD || !world->entry[entry].field) return 0.0f;
  return world->entry[entry].field->node[world->rows.cell[row]].left;
}

/* Asks for all rows of one kind (guide and field) in the list; the others are moved to its front. Returns how many. */
static uint32_t ask_kind(th_world *world, uint32_t *list, uint32_t count, uint64_t kind) {
  ask_lanes lanes;
  uint32_t kept = 0;
  lanes.count = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t row = list[i];
    if (kind_of(&world->rows, row) != kind) {
      list[kept++] = row;
      continue;
    }
    collect(world, &lanes, row);
    if (lanes.count == 16) flush(world, &lanes);
  }
  if (lanes.count) flush(world, &lanes);
  return kept;
}

static void ask_patch(th_world *world, uint32_t first, uint32_t last) {
  const th_order *order = &world->order;
  th_rows *rows = &world->rows;
  uint32_t *list = world->ask_list + first, count = 0;
  float touched = 0.0f;
  for (uint32_t slot = first; slot < last; slot++) {
    uint32_t row = order->row[slot];
    if (rows->state[row] == TH_AGENT_WALKING) {
      list[count++] = row;
      touched += touch(world, row);
      continue;
    }
    rows->want[row] = (th_want){.left = rows->left[row], .state = TH_WANT_WAIT};
    rows->notice[row] = rows->state[row] == TH_AGENT_WAITING && rows->due[row] <= world->step ? TH_NOTICE_AWAKE : 0;
  }
  keep_alive(touched);
  while (count) count = ask_kind(world, list, count, kind_of(rows, list[0]));
}

static void ask_patches(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  (void)worker;
  th_world *world = context;
  for (uint32_t patch = begin; patch < end; patch++) {
    uint32_t first, last;
    th_order_patch(&world->order, patch, &first, &last);
    first = world->order.start[first];
    last = world->order.start[last];
    if (last > first) ask_patch(world, first, last);
  }
}

void th_phase_ask(th_world *world) {
  th_guides_grow(world);
  th_parallel_for(world->pool, th_order_patches(&world->order), 4, ask_patches, world);
}
