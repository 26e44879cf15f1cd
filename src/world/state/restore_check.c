/* world/state/restore_check.c - whether what a snapshot says can be the state of this world.
 *
 * The guard of a snapshot has no key, so a block with a right one may still name rows, cells, goals or fields that are
 * not there. Everything that the world itself uses as an index or counts by is checked once the ground of the draft
 * exists; the memory of guides and the states of models are bytes that only these understand (throng/world.h says so).
 * Cost: one pass over the draft.
 */
#include <math.h>
#include <string.h>

#include "base/param/value.h"
#include "geometry/shape.h"
#include "world/state/restore.h"

#define FARTHEST 1e7f /* [m] */

static bool is_flag(const bool *flag) {
  uint8_t byte; /* what was read may be no bool, which must not be loaded as one */
  memcpy(&byte, flag, sizeof byte);
  return byte <= 1;
}

/* ---------------------------------------------------------------- agents */

static bool entry_fits(const th_restore *r, uint16_t entry) { return entry == TH_NO_FIELD || entry < r->entry_count; }

static bool route_fits(const th_restore *r, const th_route *route) {
  bool fits = route->count <= TH_MAX_STOPS && route->next <= route->count;
  for (uint32_t i = 0; fits && i < route->count; i++)
    fits = route->goal[i] <= r->goal_capacity && entry_fits(r, route->field[i]) && route->wait[i] >= 0.0f;
  return fits && is_flag(&route->loop) && is_flag(&route->remove);
}

static bool links_fit(const th_rows *rows, uint32_t row) {
  bool fits = rows->link_count[row] <= TH_MAX_LINKS;
  for (uint32_t i = 0; fits && i < rows->link_count[row]; i++) fits = rows->links[row].target[i].kind <= TH_LINK_POINT;
  return fits;
}

static bool place_fits(const th_ground *ground, uint32_t cell, float x, float y) {
  const uint32_t cells = th_ground_is_mesh(ground) ? th_ground_mesh(ground)->face_count
                                                   : th_ground_lattice(ground).width * th_ground_lattice(ground).height;
  return cell < cells && fabsf(x) <= FARTHEST && fabsf(y) <= FARTHEST;
}

static bool numbers_fit(const th_rows *rows, uint32_t row) {
  const float moves[] = {rows->vx[row], rows->vy[row],     rows->walk_vx[row], rows->walk_vy[row], rows->hx[row],
                         rows->hy[row], rows->rest[row].x, rows->rest[row].y,  rows->speed[row],   rows->height[row]};
  bool fits = rows->radius[row] > 0.0f && rows->radius[row] <= 100.0f && rows->body[row] <= rows->radius[row];
  for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) fits = fits && isfinite(moves[i]);
  return fits;
}

static bool kinds_fit(const th_rows *rows, uint32_t row) {
  return rows->state[row] <= TH_AGENT_PREMOVEMENT && rows->gait[row] <= TH_GAIT_RUN &&
         rows->advised_gait[row] <= TH_GAIT_RUN && rows->in[row] <= 1 && rows->collide[row] <= 1 &&
         rows->fresh[row] <= 1;
}

static bool row_fits(const th_restore *r, uint32_t row) {
  const th_rows *rows = &r->rows;
  const uint32_t guide = rows->guide[row];
  return rows->agent[row] == rows->id[row].index && kinds_fit(rows, row) && numbers_fit(rows, row) &&
         place_fits(r->ground, rows->cell[row], rows->x[row], rows->y[row]) &&
         place_fits(r->ground, rows->previous_cell[row], rows->previous_x[row], rows->previous_y[row]) &&
         route_fits(r, &rows->route[row]) && entry_fits(r, rows->field[row]) && links_fit(rows, row) &&
         (!guide || (guide <= r->guide_ids.capacity && th_ids_at(&r->guide_ids, guide - 1).index));
}

/* Each agent has one row: fills `row_of`, which holds UINT32_MAX. */
static bool rows_fit(const th_restore *r, uint32_t *row_of) {
  for (uint32_t row = 0; row < r->rows.count; row++) {
    const th_agent_id id = r->rows.id[row];
    if (!th_ids_valid(&r->ids, TH_ID(id)) || row_of[id.index - 1] != UINT32_MAX || !row_fits(r, row)) return false;
    row_of[id.index - 1] = row;
  }
  return true;
}

/* A guide with rows has one for each of its agents and for nobody else. */
static bool guide_rows_fit(const th_restore *r, const uint32_t *row_of) {
  th_byte_reader reader = r->memories;
  for (uint32_t i = 0; i < r->guide_ids.capacity; i++) {
    if (!th_ids_at(&r->guide_ids, i).index) continue;
    const size_t size = r->world->guides.guide[i].rows.size;
    uint32_t members = 0, last = 0;
    th_guide_state_head head;
    TH_READ(&reader, head);
    const th_guide *kind = r->world->guides.guide[i].kind;
    for (uint32_t k = 0; k < kind->param_count; k++) th_bytes_in_place(&reader, th_param_value_bytes(&kind->param[k]));
    th_bytes_in_place(&reader, (size_t)head.memory);
    for (uint32_t row = 0; size && row < r->rows.count; row++) members += r->rows.guide[row] == i + 1;
    if (head.rows != members) return false;
    for (uint32_t k = 0; k < members; k++) {
      uint32_t agent;
      TH_READ(&reader, agent);
      th_bytes_in_place(&reader, size);
      if (agent <= last || r->rows.guide[row_of[agent - 1]] != i + 1) return false;
      last = agent;
    }
  }
  return true;
}

/* ---------------------------------------------------------------- formations */

static bool trail_fits(const th_restore *r, const th_marching *march) {
  const th_march_numbers *n = &march->numbers;
  bool fits = true;
  for (uint32_t k = n->first; k < n->end && fits; k++) {
    const th_trail_sample *sample = &march->trail[k & (n->samples - 1)];
    const float number[] = {sample->at.x, sample->at.y, sample->at.z, sample->free.left, sample->free.right};
    fits = place_fits(r->ground, sample->place.cell, sample->place.x, sample->place.y);
    for (size_t i = 0; i < sizeof number / sizeof *number; i++) fits = fits && fabsf(number[i]) <= FARTHEST;
  }
  return fits;
}

static bool marches_fit(const th_restore *r) {
  for (uint32_t i = 0; i < r->groups.capacity && r->groups.marches; i++) {
    const th_marching *march = &r->groups.group[i].march;
    if (march->numbers.kind == TH_FORMATION_NONE) continue;
    if (!th_march_fits(march) || !trail_fits(r, march)) return false;
  }
  return true;
}

/* ---------------------------------------------------------------- goals, fields, sources, models */

static bool goals_fit(const th_restore *r) {
  for (uint32_t i = 0; i < r->goal_capacity; i++) {
    const th_goal_def *def = &r->goal[i].def;
    if (!th_ids_at(&r->goal_ids, i).index) continue;
    if (!is_flag(&def->quickest) || !is_flag(&def->sink)) return false;
    if (th_goal_check_members(def, NULL) || th_shape_check(&def->shape, "goal", NULL)) return false;
  }
  return true;
}

static bool entries_fit(const th_restore *r) {
  for (uint32_t i = 0; i < r->entry_count; i++) {
    const th_field_entry *entry = &r->entry[i];
    if (!entry->live) continue;
    if (!entry->goal || entry->goal > r->goal_capacity || !th_ids_at(&r->goal_ids, entry->goal - 1).index) return false;
    if (entry->radius_class >= r->ground->class_count || entry->eps_level > TH_EPS_LEVELS) return false;
    if (entry->wanted && th_shape_check(&entry->shape, "goal", NULL)) return false;
  }
  return true;
}

static bool sources_fit(const th_restore *r) {
  for (uint32_t i = 0; i < r->source_count; i++) {
    const th_source_mark *mark = &r->source[i];
    const th_id guide = TH_ID(mark->guide);
    if (!th_ids_at(&r->source_ids, i).index) continue;
    if (!(mark->flow.rate > 0.0f && mark->flow.rate <= 1e4f && mark->flow.end >= mark->flow.begin)) return false;
    if (!isfinite(mark->debt) || (guide.index && !th_ids_valid(&r->guide_ids, guide))) return false;
    for (uint32_t k = 0; k < r->world->sources.source[i].def.agent.route_count; k++)
      if (mark->goal[k].index > r->goal_capacity || !entry_fits(r, mark->field[k])) return false;
  }
  return true;
}

static bool models_fit(const th_restore *r) {
  for (uint32_t i = 0; i < r->world->model_count; i++) {
    const th_model *model = r->world->model[i].model;
    const th_view_need *need = &r->need[i];
    if (!r->states[i]) continue;
    uint32_t see = 0;
    for (uint32_t k = 0; k < model->pass_count; k++) see |= model->pass[k].see;
    if (need->see & ~see || !(need->reach >= 0.0f && need->reach <= 50.0f) || need->nearest > TH_MAX_NEAREST)
      return false;
    for (uint32_t n = 0; n < r->sets[i].used; n++)
      if (th_param_check(model->param, model->param_count, th_param_sets_bytes(&r->sets[i], n), NULL)) return false;
  }
  return true;
}

/* ---------------------------------------------------------------- the whole */

/* The clusters in which agents are sorted: on a mesh those of its patches. */
static bool grid_fits(const th_restore *r) {
  const th_cluster_grid *grid = &r->head.order;
  if (!grid->cluster_count) return !r->rows.count || !r->head.step;
  if (grid->cluster_count > r->world->order.cluster_capacity) return false;
  if (r->world->mesh) return !r->same_ground || grid->cluster_count == r->world->order.grid.cluster_count;
  th_vec2 lower, upper;
  th_ground_bounds(r->ground, &lower, &upper);
  return (uint64_t)grid->columns * grid->rows == grid->cluster_count && grid->x0 == lower.x && grid->y0 == lower.y &&
         grid->strips == (grid->columns - 1) / TH_STRIP + 1 && grid->side > 0.0f && grid->inverse == 1.0f / grid->side;
}

static bool head_fits(const th_restore *r) {
  return isfinite(r->head.time) && r->head.dt > 0.0f && r->head.dt <= 10.0f && fabsf(r->head.area) <= 1e15f &&
         grid_fits(r);
}

th_result th_restore_check(const th_restore *r, th_error *error) {
  uint32_t *row_of = TH_TAKE(r->allocator, uint32_t, r->ids.capacity);
  if (!row_of) return th_fail_memory(error, "snapshot");
  memset(row_of, 0xff, sizeof *row_of * r->ids.capacity);
  const char *wrong = !head_fits(r)                ? "a broken head"
                      : !rows_fit(r, row_of)       ? "a broken row"
                      : !guide_rows_fit(r, row_of) ? "guides whose rows are of others"
                      : !goals_fit(r)              ? "a broken goal"
                      : !entries_fit(r)            ? "a broken field"
                      : !sources_fit(r)            ? "a broken source"
                      : !marches_fit(r)            ? "a broken formation"
                      : !models_fit(r)             ? "parameters out of range"
                                                   : NULL;
  TH_GIVE(r->allocator, row_of, r->ids.capacity);
  return wrong ? th_restore_fail(error, wrong) : TH_OK;
}
