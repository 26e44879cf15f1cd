/* world/step/guide.c - phase 3: each guide tells its agents where to go.
 *
 * One query serves up to 16 agents of one patch that share guide and field; some guides accept agents of different
 * fields in one query. Sixteen such neighbours, the usual case in a stream, are a run of slots and nothing is copied;
 * the other agents of a patch are collected kind by kind. Answers are a function of an agent's own place, so grouping
 * changes nothing but speed. They are kept by slot: they are not needed after the step. Cost: about 20 ns per agent, 50
 * ns where each agent follows a field of its own along edges.
 */
#include <math.h>
#include <string.h>

#include "ground/mesh/ground.h"
#include "world/step/step.h"

#define AHEAD 32 /* slots */

enum { KINDS = 256 }; /* buckets */

/* Agents that share guide and field, and those columns of their query that do not lie in the order. */
typedef struct ask_lanes {
  uint32_t count, row[16], cell[16];
  float eps[16];
  th_vec2 v[16];
  void *state[16], *memory[16];
  const th_field *fields[16];
} ask_lanes;

/* Copies of the columns that lie in the order, for agents that are collected. */
typedef struct ask_copies {
  uint32_t agent[16];
  float x[16], y[16];
  th_guide_answer want[16];
} ask_copies;

/* What agents must share to ask together; `mask` is 0 where their fields may differ. */
typedef struct ask_kind {
  uint32_t guide;
  uint16_t field, mask;
} ask_kind;

static ask_kind kind_of(const th_world *world, uint32_t row) {
  uint32_t guide = world->rows.guide[row];
  bool own = guide && world->guides.guide[guide - 1].kind->own_fields;
  return (ask_kind){guide, own ? 0 : world->rows.field[row], own ? 0 : UINT16_MAX};
}

static bool is_of(const th_rows *rows, uint32_t row, ask_kind kind) {
  return !((rows->guide[row] ^ kind.guide) | ((uint32_t)(rows->field[row] ^ kind.field) & kind.mask));
}

static uint32_t kind_bits(const th_world *world, uint32_t row) {
  ask_kind kind = kind_of(world, row);
  return (kind.field ^ kind.guide * 37u) & (KINDS - 1);
}

static const th_field *field_of(const th_world *world, uint16_t entry) {
  return entry == TH_NO_FIELD ? NULL : world->entry[entry].field;
}

static void gather(const th_rows *rows, ask_lanes *lanes) {
  for (uint32_t lane = 0; lane < lanes->count; lane++) {
    uint32_t row = lanes->row[lane];
    lanes->cell[lane] = rows->cell[row];
    lanes->eps[lane] = rows->eps[row];
    if (lanes->eps[lane] != 0.0f) lanes->v[lane] = rows->v[row];
  }
  for (uint32_t lane = lanes->count; lane < 16; lane++) lanes->cell[lane] = 0;
}

/* Asks; `query` already names the agents, their places and where the answers go. */
static void answer_all(th_world *world, ask_lanes *lanes, ask_kind kind, th_guide_query *query) {
  const th_guide_slot *use = kind.guide ? &world->guides.guide[kind.guide - 1] : NULL;
  const th_guide *guide = use ? use->kind : &th_guide_field;
  const th_field_entry *entry = !kind.mask || kind.field == TH_NO_FIELD ? NULL : &world->entry[kind.field];
  th_tracer tracer;
  gather(&world->rows, lanes);
  for (uint32_t lane = 0; guide->state_size && lane < lanes->count; lane++)
    lanes->state[lane] = &world->rows.guide_memory[lanes->row[lane]];
  for (uint32_t lane = 0; !kind.mask && lane < lanes->count; lane++)
    lanes->fields[lane] = field_of(world, world->rows.field[lanes->row[lane]]);
  for (uint32_t lane = 0; use && use->rows.size && lane < lanes->count; lane++)
    lanes->memory[lane] = th_guide_row(&use->rows, world->rows.guide_row[lanes->row[lane]]);
  query->params = use ? use->params : NULL;
  query->ground = world->ground;
  query->lanes = lanes->count;
  query->cell = lanes->cell;
  query->v = lanes->v;
  query->eps = lanes->eps;
  query->field = entry ? entry->field : NULL;
  query->fields = kind.mask ? NULL : lanes->fields;
  query->memory = use ? use->memory : NULL;
  query->shared = use ? use->shared.data : NULL;
  query->state = guide->state_size ? lanes->state : NULL;
  query->row = use && use->rows.size ? lanes->memory : NULL;
  query->dt = world->dt;
  query->step = world->step;
  query->sense = (uint32_t)world->def.sense;
  query->simd = (uint32_t)world->simd;
  query->trace = NULL;
  if (world->traces && th_traces_any(world->traces, lanes->row, lanes->count))
    query->trace = th_traces_of_guide(world, &tracer, lanes->row, lanes->count, guide->name);
  /* a goal without a path: its field cannot be made */
  uint8_t preset = !use && entry && entry->failed ? TH_ANSWER_LOST : TH_ANSWER_WAIT;
  for (uint32_t lane = 0; lane < lanes->count; lane++)
    query->want[lane] = (th_guide_answer){.left = INFINITY, .state = preset};
  guide->ask(query);
}

static void ask_run(th_world *world, uint32_t first, uint32_t count, ask_kind kind) {
  const th_order *order = &world->order;
  ask_lanes lanes;
  lanes.count = count;
  memcpy(lanes.row, order->row + first, sizeof lanes.row);
  th_guide_query query;
  query.agent = order->agent + first;
  query.x = order->x + first;
  query.y = order->y + first;
  query.want = world->want + first;
  answer_all(world, &lanes, kind, &query);
  th_answers_conclude(world, lanes.row, lanes.count, query.want);
}

static void ask_collected(th_world *world, const uint32_t *slot, uint32_t count, ask_kind kind) {
  const th_order *order = &world->order;
  ask_lanes lanes;
  ask_copies copies;
  lanes.count = count;
  for (uint32_t lane = 0; lane < count; lane++) {
    uint32_t s = slot[lane];
    lanes.row[lane] = order->row[s];
    copies.agent[lane] = order->agent[s];
    copies.x[lane] = order->x[s];
    copies.y[lane] = order->y[s];
  }
  for (uint32_t lane = count; lane < 16; lane++) copies.x[lane] = copies.y[lane] = 0.0f; /* any finite number */
  th_guide_query query;
  query.agent = copies.agent;
  query.x = copies.x;
  query.y = copies.y;
  query.want = copies.want;
  answer_all(world, &lanes, kind, &query);
  th_answers_conclude(world, lanes.row, lanes.count, copies.want);
  for (uint32_t lane = 0; lane < count; lane++) world->want[slot[lane]] = copies.want[lane];
}

/* Rows lie almost in slot order: prefetching one of sixteen brings the columns of the others. */
static void fetch_columns(const th_rows *rows, uint32_t row) {
  th_fetch_line(&rows->cell[row]);
  th_fetch_line(&rows->previous_cell[row]);
  th_fetch_line(&rows->guide[row]);
  th_fetch_line(&rows->field[row]);
  th_fetch_line(&rows->left[row]);
  th_fetch_line(&rows->arrive[row]);
  th_fetch_line(&rows->best[row]);
  th_fetch_line(&rows->best_step[row & ~8u]);
  if ((row | 8u) < rows->count) th_fetch_line(&rows->best_step[row | 8u]);
}

/* Hands up to sixteen slots from `first` on to a guide that fetches for them. */
static void fetch_ahead(const th_world *world, uint32_t first, uint32_t last, const th_guide *guide,
                        void (*run)(const th_guide_ahead *)) {
  const th_rows *rows = &world->rows;
  uint32_t cell[16], previous[16], count = 0;
  const th_field *fields[16];
  const void *state[16];
  if (last > world->order.count) last = world->order.count;
  const uint32_t *row = world->order.row + first, total = last > first ? last - first : 0;
  uint16_t entry = TH_NO_FIELD; /* neighbours mostly follow one field: it is looked up once */
  const th_field *field = NULL;
  for (; count < total; count++) {
    cell[count] = rows->cell[row[count]];
    if (rows->field[row[count]] != entry) field = field_of(world, entry = rows->field[row[count]]);
    fields[count] = field;
  }
  for (uint32_t i = 0; guide->state_size && i < count; i++) {
    previous[i] = rows->previous_cell[row[i]];
    state[i] = &rows->guide_memory[row[i]];
  }
  bool remembers = guide->state_size > 0;
  run(&(th_guide_ahead){world->ground, count, cell, remembers ? previous : NULL, fields, remembers ? state : NULL});
}

static void fetch_frames(const th_guide_ahead *ahead) {
  const th_face_space *space = ahead->ground->mesh ? ahead->ground->mesh->frames.space : NULL;
  for (uint32_t i = 0; space && i < ahead->count; i++) th_fetch_line(&space[ahead->cell[i]]);
}

/* Fields and meshes are larger than the caches near a core: data for later slots is prefetched while these slots are
 * answered. */
static void fetch(const th_world *world, uint32_t first, uint32_t last, ask_kind kind) {
  const th_guide *guide = kind.guide ? world->guides.guide[kind.guide - 1].kind : &th_guide_field;
  if (first + 4 * AHEAD < world->order.count) fetch_columns(&world->rows, world->order.row[first + 4 * AHEAD]);
  if (guide->prefetch || world->mesh)
    fetch_ahead(world, first + AHEAD, last + AHEAD, guide, guide->prefetch ? guide->prefetch : fetch_frames);
  if (guide->prefetch_far) fetch_ahead(world, first + 2 * AHEAD, last + 2 * AHEAD, guide, guide->prefetch_far);
}

/* True when all agents of the slots walk and are of one kind. */
static bool alike(const th_world *world, uint32_t first, uint32_t last, ask_kind kind) {
  const th_rows *rows = &world->rows;
  for (uint32_t slot = first; slot < last; slot++) {
    uint32_t row = world->order.row[slot];
    if (rows->state[row] != TH_AGENT_WALKING || !is_of(rows, row, kind)) return false;
  }
  return true;
}

/* Asks for all slots of one kind in the list; the others are moved to its front. Returns how many. */
static uint32_t ask_one_kind(th_world *world, uint32_t *list, uint32_t count, ask_kind kind) {
  uint32_t kept = 0, found = 0, slot[16];
  for (uint32_t i = 0; i < count; i++) {
    if (!is_of(&world->rows, world->order.row[list[i]], kind)) {
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

/* Writes the answer of agents that do not walk; lists the others. */
static uint32_t list_walkers(th_world *world, uint32_t first, uint32_t last, uint32_t *list) {
  th_rows *rows = &world->rows;
  uint32_t count = 0;
  for (uint32_t slot = first; slot < last; slot++) {
    uint32_t row = world->order.row[slot];
    if (rows->state[row] == TH_AGENT_WALKING) {
      list[count++] = slot;
      continue;
    }
    world->want[slot] = (th_guide_answer){.left = rows->left[row], .state = TH_ANSWER_WAIT};
    rows->notice[row] = rows->state[row] == TH_AGENT_WAITING && rows->due[row] <= world->step ? TH_NOTICE_AWAKE : 0;
  }
  return count;
}

/* Brings slots of one kind close together: a permutation in place by a few bits of the kind (American flag sort). Where
 * every agent has its own goal, a pass over all agents per kind would cost the square of the patch's agents. */
static void ask_by_kind(th_world *world, uint32_t *list, uint32_t count) {
  uint32_t next[KINDS] = {0}, end[KINDS], sum = 0;
  const uint32_t *row = world->order.row;
  for (uint32_t i = 0; i < count; i++) next[kind_bits(world, row[list[i]])]++;
  for (uint32_t k = 0; k < KINDS; k++) {
    uint32_t size = next[k];
    next[k] = sum;
    end[k] = sum += size;
  }
  for (uint32_t k = 0; k < KINDS; k++) {
    uint32_t first = k ? end[k - 1] : 0;
    while (next[k] < end[k]) {
      uint32_t slot = list[next[k]], to = kind_bits(world, row[slot]);
      list[next[k]] = list[next[to]];
      list[next[to]++] = slot;
    }
    for (uint32_t left = end[k] - first; left;)
      left = ask_one_kind(world, list + first, left, kind_of(world, row[list[first]]));
  }
}

static void ask_patch(th_world *world, uint32_t first, uint32_t last) {
  const uint32_t *row = world->order.row;
  uint32_t *list = world->ask_list + first, count = 0;
  for (uint32_t slot = first; slot < last; slot += 16) {
    uint32_t end = last - slot < 16 ? last : slot + 16;
    ask_kind kind = kind_of(world, row[slot]);
    fetch(world, slot, end, kind);
    if (alike(world, slot, end, kind))
      ask_run(world, slot, end - slot, kind);
    else
      count += list_walkers(world, slot, end, list + count);
  }
  if (count > KINDS / 4) {
    ask_by_kind(world, list, count);
    return;
  }
  while (count) count = ask_one_kind(world, list, count, kind_of(world, row[list[0]]));
}

/* A fresh agent looks where its guide leads before it turns at a limited rate. It stays fresh until move. */
static void face_guide(th_world *world, uint32_t first, uint32_t last) {
  th_rows *rows = &world->rows;
  for (uint32_t slot = first; slot < last; slot++) {
    uint32_t row = world->order.row[slot];
    const th_guide_answer *want = &world->want[slot];
    if (!rows->fresh[row] || want->state != TH_ANSWER_LEAD || (want->dx == 0.0f && want->dy == 0.0f)) continue;
    rows->hx[row] = want->dx;
    rows->hy[row] = want->dy;
  }
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
    if (world->anyone_fresh) face_guide(world, first, last);
  }
}

void th_phase_guide(th_world *world) {
  if (world->traces) th_traces_begin(world);
  atomic_store_explicit(&world->slowed, false, memory_order_relaxed);
  th_guides_learn(world);
  th_parallel_for(world->pool, th_order_patches(&world->order), 4, ask_patches, world);
  th_marches_go(world);
}
