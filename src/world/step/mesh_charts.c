/* world/step/mesh_charts.c - what a world needs on mesh ground only: patches, charts, and memory for laying them flat.
 *
 * Patches are those of a version of the ground and stay while its vertices move; charts are made for the patches that
 * hold agents, before the parallel phases of the step that first needs them, or all at once when the host asks for it,
 * and kept under a budget. Cost: nothing while agents stay in patches that have a chart.
 */
#include "world/step/mesh_charts.h"

#include <math.h>
#include <stdio.h>

#include "ground/mesh/ground.h"
#include "people/room_ahead.h"
#include "world/field_requests.h"

/* Patches of a flat mesh come out about three quarters as wide as asked. Larger ones find fewer neighbours twice: 8 m
 * cost 11 % more instructions on a crowd of one agent per square metre. */
#define PATCH_SIZE 12.0f

/* Arrays by slot; views read a group past the end. */
#define SLOT_ARRAYS(X) X(cell) X(mcell) X(turn) X(decided) X(rank) X(mrank) X(hop2)
#define PADDED(slots) ((size_t)(slots) + 16)

bool th_world_mesh_grow(th_world *world, uint32_t agents) {
  th_world_mesh *m = world->mesh;
  if (!m || agents <= m->slot_capacity) return true;
  const th_allocator *a = &world->env.allocator;
  bool made = true;
#define X(name)                                             \
  void *name = th_take(a, PADDED(agents), sizeof *m->name); \
  made &= name != NULL;
  SLOT_ARRAYS(X)
#undef X
#define X(name)                                                                                         \
  th_give(a, made ? (void *)m->name : name, PADDED(made ? m->slot_capacity : agents), sizeof *m->name); \
  if (made) m->name = name;
  SLOT_ARRAYS(X)
#undef X
  if (made) m->slot_capacity = agents;
  if (made) world->order_holds = false;
  return made && th_world_overhead_grow(world, agents);
}

static void free_workers(th_world_mesh *m, const th_allocator *a) {
  for (uint32_t i = 0; m->crowd && i < m->workers; i++) th_patch_crowd_free(&m->crowd[i]);
  for (uint32_t i = 0; m->contact && i < m->workers; i++) th_contact_scratch_free(&m->contact[i], a);
  TH_GIVE(a, m->crowd, m->workers);
  TH_GIVE(a, m->contact, m->workers);
}

void th_world_mesh_free(th_world *world) {
  th_world_mesh *m = world->mesh;
  if (!m) return;
  const th_allocator *a = &world->env.allocator;
#define X(name) TH_GIVE(a, m->name, PADDED(m->slot_capacity));
  SLOT_ARRAYS(X)
#undef X
  free_workers(m, a);
  TH_GIVE(a, m->patch_list, m->patch_capacity);
  TH_GIVE(a, m->patch_mark, m->patch_capacity);
  th_world_overhead_free(world);
  th_atlas_free(m->atlas);
  TH_GIVE(a, m, 1);
  world->mesh = NULL;
}

/* The clusters of the order are those of the patches. */
th_atlas *th_world_mesh_use(th_world *world, th_atlas *atlas) {
  th_atlas *old = world->mesh->atlas;
  world->mesh->atlas = atlas;
  if (world->mesh->overhead) world->mesh->overhead->lists_version = 0; /* indexed by patch; patches may have changed */
  world->order.patch_first = atlas->patches.first;
  world->order.patch_count = atlas->patches.count;
  world->order.grid.cluster_count = world->order.grid.rows = atlas->patches.cluster_count;
  world->order.grid.columns = world->order.grid.strips = 1;
  return old;
}

th_result th_world_mesh_atlas(const th_world *world, const th_ground *ground, th_atlas **atlas, th_error *error) {
  th_atlas_def def = th_default_atlas_def();
  def.allocator = world->chart_allocator;
  def.patches.one_face = world->def.mesh.one_face;
  def.patches.size = world->def.mesh.patch_size > 0.0f ? world->def.mesh.patch_size : PATCH_SIZE;
  def.charts.chart.method = (th_chart_method)world->def.mesh.chart;
  def.charts.chart.clearance_cell = 0.25f;
  def.charts.chart.clearance_limit = ground->clearance_limit;
  def.charts.renewals = world->def.mesh.renewals;
  def.charts.budget = (size_t)world->def.mesh.chart_memory << 20;
  return th_atlas_make(&def, ground, world->pool, atlas, error);
}

th_result th_world_mesh_make(th_world *world, th_error *error) {
  const th_allocator *a = &world->env.allocator;
  th_world_mesh *m = world->mesh = TH_TAKE(a, th_world_mesh, 1);
  if (!m) return th_fail_memory(error, "world");
  m->workers = world->scratch_count;
  m->crowd = TH_TAKE(a, th_patch_crowd, m->workers);
  m->contact = TH_TAKE(a, th_contact_scratch, m->workers);
  bool made = m->crowd && m->contact;
  for (uint32_t i = 0; made && i < m->workers; i++)
    made = th_patch_crowd_make(&m->crowd[i], a) && th_contact_scratch_make(&m->contact[i], a);
  if (made && world->def.mesh.overhead) made = (m->overhead = TH_TAKE(a, th_world_overhead, 1)) != NULL;
  if (!made) return th_fail_memory(error, "world");
  th_atlas *atlas;
  th_result result = th_world_mesh_atlas(world, world->ground, &atlas, error);
  if (result) return result;
  m->patch_capacity = th_ground_mesh(world->ground)->face_count;
  m->patch_list = TH_TAKE(a, uint32_t, m->patch_capacity);
  m->patch_mark = TH_TAKE(a, uint8_t, m->patch_capacity);
  th_world_mesh_use(world, atlas);
  return m->patch_list && m->patch_mark ? TH_OK : th_fail_memory(error, "world");
}

th_patch_crowd_input th_world_mesh_crowd_input(const th_world *world, th_view_columns columns) {
  return (th_patch_crowd_input){.ground = world->ground,
                                .patches = &world->mesh->atlas->patches,
                                .order = &world->order,
                                .cell = world->mesh->cell,
                                .rank = world->mesh->rank,
                                .x = world->order.x,
                                .y = world->order.y,
                                .columns = columns,
                                .speed_of = world->ground->mesh->even ? NULL : world->ground->mesh->speed,
                                .climbing = world->ground->mesh->climb ? world->ground->mesh : NULL,
                                .simd = world->simd};
}

static void copy_cells(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  (void)worker;
  th_world *world = context;
  th_world_mesh *m = world->mesh;
  const uint32_t *rank_of = m->atlas->patches.rank_of;
  for (uint32_t slot = begin; slot < end; slot++) {
    uint32_t row = world->order.row[slot], cell = world->rows.cell[row];
    m->cell[slot] = cell;
    m->rank[slot] = rank_of[cell];
  }
}

/* Fills patch_list with the patches that hold agents between steps. */
static uint32_t list_patches(th_world *world) {
  th_world_mesh *m = world->mesh;
  const uint32_t *patch_of = m->atlas->patches.patch_of;
  uint32_t count = 0;
  for (uint32_t row = 0; row < world->rows.count; row++) {
    uint32_t patch = world->rows.in[row] ? patch_of[world->rows.cell[row]] : TH_NO_ELEMENT;
    if (patch == TH_NO_ELEMENT || m->patch_mark[patch]) continue;
    m->patch_mark[patch] = 1;
    m->patch_list[count++] = patch;
  }
  for (uint32_t n = 0; n < count; n++) m->patch_mark[m->patch_list[n]] = 0;
  return count;
}

/* The ground in force moves from one version to the next. The places of agents decide which charts wait for their turn,
 * never which charts happen to be kept. */
void th_world_mesh_follow(th_world *world, const th_ground *from, const th_ground *to) {
  th_world_mesh *m = world->mesh;
  uint32_t count = list_patches(world);
  if (th_atlas_follow(m->atlas, from, to, m->patch_list, count, world->pool))
    th_fault(&world->env, "out of memory for charts of the form before: some are rebuilt at once");
}

uint32_t th_world_backlog(const th_world *world) {
  if (th_no_world(world, __func__)) return 0;
  return world->mesh && world->mesh->atlas->charted ? world->mesh->atlas->charts.backlog : 0;
}

/* As far as agents see, and as far as two bodies can come together in a step. */
static float reach_of(const th_world *world) {
  float reach = world->people.any ? TH_ROOM_AHEAD : 0.0f;
  for (uint32_t i = 0; i < world->model_count; i++) reach = fmaxf(reach, world->model[i].need.reach);
  return reach;
}

/* Charts of worlds whose models see markers have sheets of them, as far as these models see. */
static void show_markers(th_world *world) {
  const th_markers_def def = th_ground_markers_def(world->ground);
  const th_markers *set = NULL;
  float reach = 0.0f;
  bool seen = false;
  for (uint32_t i = 0; i < world->model_count; i++) {
    const th_view_need *need = &world->model[i].need;
    if (!(need->see & TH_SEE_MARKERS)) continue;
    seen = true;
    reach = fmaxf(reach, need->reach);
  }
  if (seen && th_ground_markers(world->ground, &def, 1, &set, NULL)) set = NULL;
  th_atlas_show(world->mesh->atlas, set, set ? reach : 0.0f);
}

/* Once in the life of a world. */
static void tell_when_tight(th_world *world) {
  th_world_mesh *m = world->mesh;
  if (m->told || !m->atlas->charted || !m->atlas->charts.tight) return;
  char text[256];
  m->told = true;
  snprintf(text, sizeof text,
           "charts do not fit the %u MiB of chart_memory: %u of %u patches have one; others are made again whenever an "
           "agent comes to them, which is slow; a larger chart_memory, or a shorter sight, keeps them",
           world->def.mesh.chart_memory, m->atlas->charts.kept, m->atlas->patches.count);
  world->env.log.write(world->env.log.user, TH_LOG_WARNING, text);
}

/* Adds to the list of patches that hold agents those whose markers such a patch shows: they get their owners in their
 * own charts. Returns how many there are then. */
static uint32_t list_around(th_world *world, uint32_t count) {
  th_world_mesh *m = world->mesh;
  const th_patches *patches = &m->atlas->patches;
  const float reach = m->atlas->def.charts.sheet.reach;
  uint32_t all = count;
  for (uint32_t n = 0; n < count; n++) m->patch_mark[m->patch_list[n]] = 1;
  for (uint32_t n = 0; n < count; n++) {
    const th_chart *chart = th_atlas_chart(m->atlas, m->patch_list[n]);
    for (uint32_t c = 0; chart && c < chart->cluster_count; c++) {
      uint32_t patch = patches->patch_of[patches->face[patches->start[chart->cluster[c]]]];
      if (chart->away[c] > reach || m->patch_mark[patch]) continue;
      m->patch_mark[patch] = 1;
      m->patch_list[all++] = patch;
    }
  }
  for (uint32_t n = 0; n < all; n++) m->patch_mark[m->patch_list[n]] = 0;
  return all;
}

void th_world_mesh_prepare(th_world *world) {
  th_world_mesh *m = world->mesh;
  const th_order *order = &world->order;
  th_parallel_for(world->pool, order->count, 1024, copy_cells, world);
  uint32_t count = 0;
  for (uint32_t patch = 0; patch < order->patch_count; patch++) {
    uint32_t first = order->start[order->patch_first[patch]], last = order->start[order->patch_first[patch + 1]];
    if (first < last) m->patch_list[count++] = patch;
  }
  show_markers(world);
  th_result result = TH_OK;
  if (m->atlas->def.charts.sheet.markers) {
    result = th_atlas_require(m->atlas, world->ground, reach_of(world), m->patch_list, count, world->pool);
    if (!result) count = list_around(world, count);
  }
  if (!result) result = th_atlas_prepare(m->atlas, world->ground, reach_of(world), m->patch_list, count, world->pool);
  if (result) th_fault(&world->env, "out of memory for charts: this step's agents on new patches stand still");
  tell_when_tight(world);
}

/* Charts for a greater reach replace all others, waiting ones included, and a step begins them after the moves of the
 * ground that are due in it. Begun earlier, they would discard waiting charts, or wait for such a move themselves: then
 * results would depend on whether the host had asked for them. */
static bool may_begin_anew(const th_world *world) {
  if (th_world_backlog(world)) return false;
  for (const th_request *r = world->request; r; r = r->next)
    if (r->edits && r->step <= world->step) return false;
  return true;
}

th_result th_world_prepare(th_world *world, th_error *error) {
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  th_result result = th_world_idle(world, "th_world_prepare", error);
  if (result || !world->mesh) return result;
  th_world_mesh *m = world->mesh;
  float reach = reach_of(world);
  if (!th_atlas_reaches(m->atlas, reach) && !may_begin_anew(world)) return TH_OK;
  uint32_t count = list_patches(world);
  show_markers(world);
  result = th_atlas_fill(m->atlas, world->ground, reach, m->patch_list, count, world->pool);
  tell_when_tight(world);
  return result ? th_fail_memory(error, "charts") : TH_OK;
}
