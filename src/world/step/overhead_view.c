/* world/step/overhead_view.c - puts ghosts into views, and keeps what bodies above the surface need.
 *
 * Ghosts follow the candidates of a view. Only a lane's own ghosts are sorted into its K nearest; models that read all
 * candidates see the ghosts of all lanes, which are parts of real bodies above the place where they are shown. Cost:
 * nothing for views without ghosts.
 */
#include <math.h>

#include "base/memory.h"
#include "ground/mesh/ground.h"
#include "world/step/overhead.h"
#include "world/world.h"

#define GAP 2.0f               /* bodies farther from each other are left alone [m] */
#define GHOST_SLOT 0x7fffffffu /* after every other slot: candidates stay in slot order */

typedef struct show_work {
  const th_patch_crowd *crowd;
  th_view_scratch *scratch;
  const uint32_t *slot, *seen; /* of the lanes: in the world's order, in that of the chart */
  const th_view_need *need;
} show_work;

/* The slot by which models that read every candidate recognise the agent itself: it does not avoid its own ghost. */
static uint32_t name_of(const show_work *w, const th_ghost *ghost) {
  if (!(w->need->see & TH_SEE_NEIGHBOURS)) return GHOST_SLOT;
  for (uint32_t lane = 0; lane < w->scratch->view.lanes; lane++)
    if (w->slot[lane] == ghost->slot) return w->seen[lane];
  return GHOST_SLOT;
}

static float square_to(const th_view_scratch *scratch, uint32_t lane, uint32_t number) {
  float dx = scratch->nx[number] - scratch->view.x[lane], dy = scratch->ny[number] - scratch->view.y[lane];
  return dx * dx + dy * dy;
}

/* Sorts candidate `number` into the picks of a lane; the last one drops out. */
static void pick(th_view_scratch *scratch, uint32_t lane, uint32_t number) {
  uint32_t *list = scratch->pick + lane, last = scratch->view.neighbours.pick_count, at = last;
  float d2 = square_to(scratch, lane, number);
  for (; at > 0; at--) {
    uint32_t rival = list[(at - 1) * TH_VIEW_LANES];
    if (rival != TH_NO_PICK && !(d2 < square_to(scratch, lane, rival))) break;
  }
  if (at == last) return;
  for (uint32_t k = last - 1; k > at; k--) list[k * TH_VIEW_LANES] = list[(k - 1) * TH_VIEW_LANES];
  list[at * TH_VIEW_LANES] = number;
}

static void show(const show_work *w, uint32_t lane, const th_ghost *ghost) {
  th_view_scratch *scratch = w->scratch;
  uint32_t at = scratch->view.neighbours.count;
  const th_chart_map *map = th_patch_crowd_map(w->crowd, w->seen[lane]);
  th_vec2 offset = th_chart_vector(map, ghost->x, ghost->y), v = th_chart_vector(map, ghost->vx, ghost->vy);
  float d2 = offset.x * offset.x + offset.y * offset.y;
  if (!(ghost->layers & scratch->avoids[lane])) return;
  if (at >= TH_MAX_CANDIDATES || d2 > w->need->reach * w->need->reach) return;
  scratch->nx[at] = scratch->view.x[lane] + offset.x;
  scratch->ny[at] = scratch->view.y[lane] + offset.y;
  scratch->nvx[at] = v.x;
  scratch->nvy[at] = v.y;
  scratch->nradius[at] = ghost->radius;
  scratch->nshare[at] = ghost->share;
  scratch->nlayers[at] = ghost->layers;
  scratch->nslot[at] = name_of(w, ghost);
  scratch->view.neighbours.count = at + 1;
  pick(scratch, lane, at);
}

void th_world_overhead_show(const th_world *world, const th_overhead_lanes *lanes, th_view_scratch *scratch,
                            const th_view_need *need) {
  const th_world_overhead *overhead = world->mesh->overhead;
  const th_overhead *lists = overhead->lists;
  if (!lists || !lists->runs || !(need->see & (TH_SEE_NEIGHBOURS | TH_SEE_NEAREST))) return;
  show_work work = {lanes->crowd, scratch, lanes->slot, lanes->seen, need};
  uint32_t before = scratch->view.neighbours.count;
  for (uint32_t lane = 0; lane < scratch->view.lanes; lane++)
    for (uint32_t i = 0; i < overhead->count[lanes->slot[lane]]; i++)
      show(&work, lane, &overhead->ghost[(size_t)lanes->slot[lane] * TH_MAX_GHOSTS + i]);
  if (scratch->view.neighbours.count == before) return;
  scratch->view.neighbours.in_sight = false; /* nobody has looked for walls before the ghosts */
  TH_LANES_PICK(world->simd, th_candidates_pad)(scratch, scratch->view.neighbours.count);
}

/* ---------------------------------------------------------------- memory and lists */

static void free_slots(const th_allocator *a, th_world_overhead *overhead) {
  size_t scratch = (size_t)overhead->capacity + 16;
  TH_GIVE(a, overhead->ball, scratch);
  TH_GIVE(a, overhead->tight, scratch);
  TH_GIVE(a, overhead->stander, scratch);
  TH_GIVE(a, overhead->ghost, scratch * TH_MAX_GHOSTS);
  TH_GIVE(a, overhead->count, scratch);
}

bool th_world_overhead_grow(th_world *world, uint32_t agents) {
  th_world_overhead *overhead = world->mesh->overhead;
  const th_allocator *a = &world->env.allocator;
  if (!overhead || agents <= overhead->capacity) return true;
  size_t scratch = (size_t)agents + 16;
  th_world_overhead larger = {.ball = TH_TAKE(a, th_ball, scratch),
                              .tight = TH_TAKE(a, float, scratch),
                              .stander = TH_TAKE(a, th_stander, scratch),
                              .ghost = TH_TAKE(a, th_ghost, scratch * TH_MAX_GHOSTS),
                              .count = TH_TAKE(a, uint8_t, scratch),
                              .capacity = agents,
                              .lists = overhead->lists,
                              .lists_version = overhead->lists_version};
  bool made = larger.ball && larger.tight && larger.stander && larger.ghost && larger.count;
  th_world_overhead *drop = made ? overhead : &larger;
  free_slots(a, drop);
  if (made) *overhead = larger;
  return made;
}

void th_world_overhead_free(th_world *world) {
  th_world_overhead *overhead = world->mesh->overhead;
  const th_allocator *a = &world->env.allocator;
  if (!overhead) return;
  free_slots(a, overhead);
  th_overhead_free(overhead->lists);
  TH_GIVE(a, overhead, 1);
  world->mesh->overhead = NULL;
}

/* Sizes grow in coarse steps, so that a crowd of many sizes rebuilds the lists only a few times. */
void th_world_overhead_size(th_world *world, float height, float radius) {
  th_overhead_def *def = &world->overhead_def;
  float min = fmaxf(floorf(radius * 20.0f) * 0.05f, 0.01f);
  def->gap = GAP;
  def->plumb = world->def.mesh.overhead == TH_OVERHEAD_PLUMB;
  def->radius_min = def->height > 0.0f ? fminf(def->radius_min, min) : min;
  def->radius_max = fmaxf(def->radius_max, ceilf(radius * 10.0f) * 0.1f);
  def->height = fmaxf(def->height, ceilf(height * 4.0f) * 0.25f);
}

static bool holds(const th_overhead_def *a, const th_overhead_def *b) {
  return a->height >= b->height && a->radius_max >= b->radius_max && a->radius_min <= b->radius_min;
}

/* Lists never affect a result: they hold every cluster that matters, and more. */
th_result th_world_overhead_fit(th_world *world, th_error *error) {
  th_world_overhead *overhead = world->mesh ? world->mesh->overhead : NULL;
  if (!overhead || !(world->overhead_def.height > 0.0f)) return TH_OK;
  uint32_t version = th_ground_version(world->ground);
  bool same = overhead->lists && overhead->lists_version == version;
  if (same && holds(&overhead->lists->def, &world->overhead_def)) return TH_OK;
  th_overhead *fresh = NULL;
  const th_overhead_input input = {&world->env.allocator, &world->ground->mesh->frames, &world->mesh->atlas->patches,
                                   world->pool};
  th_result result = th_overhead_make(&input, &world->overhead_def, &fresh, error);
  if (result && same) return result; /* those of smaller bodies are better than none */
  th_overhead_free(overhead->lists);
  overhead->lists = fresh;
  overhead->lists_version = version;
  return result;
}
