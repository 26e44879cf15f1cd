/* world/ask.c - phase 3: each guide tells its agents which way.
 *
 * Up to 16 agents of one patch that share guide and field ask at once. Where a whole patch shares them, which is the
 * rule in a stream, the question is a run of slots and nothing is copied; elsewhere agents are collected kind by kind.
 * Answers are a function of an agent's own place, so grouping changes nothing but speed. They are kept by slot: nobody
 * needs them after the step. Cost: about 20 ns an agent.
 */
#include <math.h>
#include <string.h>

#include "field/field.h"
#include "world.h"

/* Agents that share guide and field, and those columns of their question that do not lie in the order. */
typedef struct ask_lanes {
  uint32_t count, row[16], cell[16];
  float eps[16];
  th_vec2 v[16];
  void *state[16];
} ask_lanes;

/* Copies of the columns that do, for agents that are collected. */
typedef struct ask_copies {
  uint32_t agent[16];
  float x[16], y[16];
  th_want want[16];
} ask_copies;

typedef struct ask_kind {
  uint32_t guide;
  uint16_t field;
} ask_kind;

static ask_kind kind_of(const th_rows *rows, uint32_t row) { return (ask_kind){rows->guide[row], rows->field[row]}; }

static void gather(const th_rows *rows, ask_lanes *lanes) {
  for (uint32_t lane = 0; lane < lanes->count; lane++) {
    uint32_t row = lanes->row[lane];
    lanes->cell[lane] = rows->cell[row];
    lanes->eps[lane] = rows->eps[row];
    if (lanes->eps[lane] != 0.0f) lanes->v[lane] = rows->v[row];
  }
}

/* Asks; `question` already names the agents, their places and where the answers go. */
static void answer_all(th_world *world, ask_lanes *lanes, ask_kind kind, th_question *question) {
  const th_guide_use *use = kind.guide ? &world->guides.guide[kind.guide - 1] : NULL;
  const th_guide *guide = use ? use->kind : &th_guide_field;
  const th_field_entry *entry = kind.field == TH_NO_FIELD ? NULL : &world->entry[kind.field];
  gather(&world->rows, lanes);
  for (uint32_t lane = 0; guide->state_size && lane < lanes->count; lane++)
    lanes->state[lane] = &world->rows.guide_memory[lanes->row[lane]];
  question->params = use ? use->params : NULL;
  question->ground = world->ground;
  question->lanes = lanes->count;
  question->cell = lanes->cell;
  question->v = lanes->v;
  question->eps = lanes->eps;
  question->field = entry ? entry->field : NULL;
  question->memory = use ? use->memory : NULL;
  question->state = guide->state_size ? lanes->state : NULL;
  question->dt = world->dt;
  question->step = world->step;
  question->sense = world->def.sense;
  question->simd = (uint32_t)world->simd;
  /* a goal without a way: its field cannot be made */
  uint8_t preset = !use && entry && entry->failed ? TH_WANT_LOST : TH_WANT_WAIT;
  for (uint32_t lane = 0; lane < lanes->count; lane++)
    question->want[lane] = (th_want){.left = INFINITY, .state = preset};
  guide->ask(question);
}

/* A host's guide may err; an answer within reach of the stop is an arrival. */
static inline th_want sound(th_want want, float arrive) {
  if (!((want.dx - want.dx) + (want.dy - want.dy) == 0.0f) || want.left != want.left)
    want = (th_want){.left = INFINITY, .state = TH_WANT_WAIT};
  if (want.state == TH_WANT_LEAD && want.left <= arrive) want.state = TH_WANT_ARRIVED;
  memset(want.unused, 0, sizeof want.unused);
  return want;
}

/* Progress is a new least of the metres left; whoever makes none for a while is stuck. */
static inline uint8_t notice_of(th_world *world, uint32_t row, const th_want *want) {
  static const uint8_t notice[] = {[TH_WANT_WAIT] = 0, [TH_WANT_ARRIVED] = TH_NOTICE_ARRIVED, TH_NOTICE_LOST};
  th_rows *rows = &world->rows;
  if (want->state != TH_WANT_LEAD) return want->state <= TH_WANT_LOST ? notice[want->state] : 0;
  float best = rows->best[row];
  bool progress = want->left < best - TH_STUCK_METRES || best == INFINITY;
  uint64_t since = progress ? world->step : rows->best_step[row];
  rows->best[row] = progress ? want->left : best;
  rows->best_step[row] = since;
  return (float)(int64_t)(world->step - since) * world->dt >= TH_STUCK_SECONDS ? TH_NOTICE_STUCK : 0;
}

static void conclude(th_world *world, const ask_lanes *lanes, th_want *want) {
  th_rows *rows = &world->rows;
  uint8_t notice[16]; /* bytes may alias anything: stored on their own, they spare loading every pointer again */
  for (uint32_t lane = 0; lane < lanes->count; lane++) {
    uint32_t row = lanes->row[lane];
    th_want answer = sound(want[lane], rows->arrive[row]);
    want[lane] = answer;
    rows->left[row] = answer.left;
    notice[lane] = notice_of(world, row, &answer);
  }
  for (uint32_t lane = 0; lane < lanes->count; lane++) rows->notice[lanes->row[lane]] = notice[lane];
}

static void ask_run(th_world *world, uint32_t first, uint32_t count, ask_kind kind) {
  const th_order *order = &world->order;
  ask_lanes lanes;
  lanes.count = count;
  memcpy(lanes.row, order->row + first, sizeof lanes.row);
  th_question question;
  question.agent = order->agent + first;
  question.x = order->x + first;
  question.y = order->y + first;
  question.want = world->want + first;
  answer_all(world, &lanes, kind, &question);
  conclude(world, &lanes, question.want);
}

static void ask_collected(th_world *world, const uint32_t *slot, uint32_t count, ask_kind kind) {
  const th_order *order = &world->order;
  ask_lanes lanes;
  ask_copies copies;
  lanes.count = count;
  for (uint32_t lane = 0; lane < 16; lane++) {
    uint32_t s = slot[lane < count ? lane : 0];
    lanes.row[lane] = order->row[s];
    copies.agent[lane] = order->agent[s];
    copies.x[lane] = order->x[s];
    copies.y[lane] = order->y[s];
  }
  th_question question;
  question.agent = copies.agent;
  question.x = copies.x;
  question.y = copies.y;
  question.want = copies.want;
  answer_all(world, &lanes, kind, &question);
  conclude(world, &lanes, copies.want);
  for (uint32_t lane = 0; lane < count; lane++) world->want[slot[lane]] = copies.want[lane];
}

/* Keeps the compiler from dropping a value that only serves to load memory. */
static inline void keep_alive(float value) { __asm__ volatile("" : : "x"(value)); }

static const th_node *nodes_of(const th_world *world, uint16_t entry) {
  return entry == TH_NO_FIELD || !world->entry[entry].field ? NULL : world->entry[entry].field->node;
}

/* True when all agents of the slots walk and are of one kind. Fields are larger than the caches near a core, so their
 * nodes are touched here: the misses of a whole patch overlap. (A real load took half the time of a prefetch.) */
static bool alike(const th_world *world, uint32_t first, uint32_t last, ask_kind kind) {
  const th_rows *rows = &world->rows;
  const th_node *node = nodes_of(world, kind.field);
  float touched = 0.0f;
  uint32_t odd = 0;
  for (uint32_t slot = first; slot < last && !odd; slot++) {
    uint32_t row = world->order.row[slot];
    odd = (uint32_t)(rows->state[row] ^ TH_AGENT_WALKING) | (rows->guide[row] ^ kind.guide) |
          (uint32_t)(rows->field[row] ^ kind.field);
    if (node) touched += node[rows->cell[row]].left;
  }
  keep_alive(touched);
  return !odd;
}

/* Asks for all slots of one kind in the list; the others are moved to its front. Returns how many. */
static uint32_t ask_one_kind(th_world *world, uint32_t *list, uint32_t count, ask_kind kind) {
  uint32_t kept = 0, found = 0, slot[16];
  for (uint32_t i = 0; i < count; i++) {
    ask_kind own = kind_of(&world->rows, world->order.row[list[i]]);
    if (own.guide != kind.guide || own.field != kind.field) {
      list[kept++] = list[i];
      continue;
    }
    slot[found++] = list[i];
    if (found < 16) continue;
    ask_collected(world, slot, found, kind);
    found = 0;
  }
  if (found) ask_collected(world, slot, found, kind);
  return kept;
}

/* Sets who does not walk; lists the others, and touches the nodes they will need. */
static uint32_t list_walkers(th_world *world, uint32_t first, uint32_t last, uint32_t *list) {
  th_rows *rows = &world->rows;
  float touched = 0.0f;
  uint32_t count = 0;
  for (uint32_t slot = first; slot < last; slot++) {
    uint32_t row = world->order.row[slot];
    if (rows->state[row] == TH_AGENT_WALKING) {
      const th_node *node = nodes_of(world, rows->field[row]);
      if (node) touched += node[rows->cell[row]].left;
      list[count++] = slot;
      continue;
    }
    world->want[slot] = (th_want){.left = rows->left[row], .state = TH_WANT_WAIT};
    rows->notice[row] = rows->state[row] == TH_AGENT_WAITING && rows->due[row] <= world->step ? TH_NOTICE_AWAKE : 0;
  }
  keep_alive(touched);
  return count;
}

static void ask_patch(th_world *world, uint32_t first, uint32_t last) {
  const th_rows *rows = &world->rows;
  ask_kind kind = kind_of(rows, world->order.row[first]);
  if (alike(world, first, last, kind)) {
    for (; first < last; first += 16) ask_run(world, first, last - first < 16 ? last - first : 16, kind);
    return;
  }
  uint32_t *list = world->ask_list + first, count = list_walkers(world, first, last, list);
  while (count) count = ask_one_kind(world, list, count, kind_of(rows, world->order.row[list[0]]));
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
