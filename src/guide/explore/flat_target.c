/* guide/explore/flat_target.c - the target of the search, and whether an explorer sees it.
 *
 * All explorers of a guide search for one thing: the target of the walking explorer with the lowest id that has one. A
 * place (goal, point) is found once one of its cells is known; a link, which may walk, once an explorer sees it. From
 * then on its known cells carry a mark that follows it (Dapper 2007, section 6.3.3: one free cell beside the person
 * that is searched for is marked as the goal). Cost: the cells of the target's box, and a line of sight from each
 * explorer until a link is found.
 */
#include <math.h>

#include "geometry/shape.h"
#include "guide/explore/explore.h"

/* One cell, or the cells of a shape. */
typedef struct target_place {
  bool known;
  uint32_t cell;
  const th_shape *shape;
  th_explore_box box;
} target_place;

static target_place one_cell(const th_explore_map *map, uint32_t cell) {
  uint32_t i = cell % map->head->width, j = cell / map->head->width;
  return (target_place){.known = true, .cell = cell, .box = {i, j, i + 1, j + 1}};
}

static target_place a_shape(const th_explore_map *map, const th_ground *ground, const th_shape *shape) {
  const th_vec3 first = th_shape_at(shape, 0);
  if (shape->kind == TH_SHAPE_POINT) return one_cell(map, th_ground_cell(ground, first.x, first.y));
  const th_box box = th_box_grow(th_shape_bounds(shape), (double)ground->cell);
  uint32_t low = th_ground_cell(ground, (float)box.x0, (float)box.y0), width = ground->flat->width;
  uint32_t high = th_ground_cell(ground, (float)box.x1, (float)box.y1);
  return (target_place){.known = true,
                        .cell = TH_NO_CELL,
                        .shape = shape,
                        .box = {low % width, low / width, high % width + 1, high / width + 1}};
}

static target_place find_target(const th_explore_map *map, const th_guide_update *update) {
  const th_explore_params *params = update->params;
  if (params->target == TH_EXPLORE_FOR_POINT)
    return one_cell(map, th_ground_cell(update->ground, params->point.x, params->point.y));
  for (uint32_t k = 0; k < update->count && params->target != TH_EXPLORE_FOR_NOTHING; k++) {
    if (update->state[k] != TH_AGENT_WALKING) continue;
    if (params->target == TH_EXPLORE_FOR_GOAL && update->goal[k]) return a_shape(map, update->ground, update->goal[k]);
    if (params->target == TH_EXPLORE_FOR_LINK && update->link[k * TH_MAX_LINKS].place.cell != TH_NO_CELL)
      return one_cell(map, update->link[k * TH_MAX_LINKS].place.cell);
  }
  return (target_place){0};
}

/* A disc or polygon covers cells whose centre lies in it or less than half a cell outside; a line those it touches. */
static bool covers(const target_place *q, const th_ground *ground, uint32_t cell) {
  const th_shape *shape = q->shape;
  if (!shape) return cell == q->cell;
  float x = ground->flat->x0 + ((float)(cell % ground->flat->width) + 0.5f) * ground->cell;
  float y = ground->flat->y0 + ((float)(cell / ground->flat->width) + 0.5f) * ground->cell;
  const float reach = (shape->kind == TH_SHAPE_LINE ? 0.7072f : 0.5f) * ground->cell;
  return th_shape_near(shape, (double)x, (double)y) <= (double)reach;
}

static bool seen_from(uint32_t cell, const th_guide_update *update, uint32_t from) {
  const th_explore_params *params = update->params;
  uint32_t width = update->ground->flat->width;
  float reach = params->sight / update->ground->cell, di = (float)(cell % width) - (float)(from % width);
  float dj = (float)(cell / width) - (float)(from / width);
  if (params->through_walls) return fmaxf(fabsf(di), fabsf(dj)) <= reach;
  return di * di + dj * dj <= reach * reach && th_explore_sees(update->ground, from, cell);
}

static void clear_marks(th_explore_map *map) {
  th_explore_head *head = map->head;
  for (uint32_t j = head->marked.j0; j < head->marked.j1; j++)
    for (uint32_t i = head->marked.i0; i < head->marked.i1; i++)
      map->mark[j * head->width + i] &= (uint8_t)~TH_EXPLORE_TARGET;
  head->marked = (th_explore_box){0, 0, 0, 0};
}

static void put_mark(th_explore_map *map, uint32_t cell, uint64_t *sum) {
  th_explore_head *head = map->head;
  th_explore_box *box = &head->marked;
  uint32_t i = cell % head->width, j = cell / head->width;
  if (box->i1 == 0) *box = (th_explore_box){i, j, i + 1, j + 1};
  if (i < box->i0) box->i0 = i;
  if (j < box->j0) box->j0 = j;
  if (i >= box->i1) box->i1 = i + 1;
  if (j >= box->j1) box->j1 = j + 1;
  map->mark[cell] |= TH_EXPLORE_TARGET;
  map->u[cell] = 1.0;
  head->marks++;
  *sum += cell + 1u;
}

/* Known cells of the target where a body can stand; when there is none, one beside it. */
static void put_marks(th_explore_map *map, const th_guide_update *update, const target_place *q) {
  const uint8_t both = TH_EXPLORE_KNOWN | TH_EXPLORE_BLOCKED;
  uint32_t any = TH_NO_CELL, before = map->head->marks;
  uint64_t sum = 0;
  clear_marks(map);
  map->head->marks = 0;
  for (uint32_t j = q->box.j0; j < q->box.j1; j++)
    for (uint32_t i = q->box.i0; i < q->box.i1; i++) {
      uint32_t cell = j * map->head->width + i;
      if (!(map->mark[cell] & TH_EXPLORE_KNOWN) || !covers(q, update->ground, cell)) continue;
      any = cell;
      if ((map->mark[cell] & both) == TH_EXPLORE_KNOWN) put_mark(map, cell, &sum);
    }
  if (!map->head->marks && any != TH_NO_CELL) {
    uint32_t beside = th_explore_stand(map, any, false);
    if ((map->mark[beside] & both) == TH_EXPLORE_KNOWN) put_mark(map, beside, &sum);
  }
  if (sum != map->head->mark_sum || before != map->head->marks) map->head->stale = 1;
  map->head->mark_sum = sum;
}

void th_explore_flat_seek(th_explore_map *map, const th_guide_update *update) {
  const th_explore_params *params = update->params;
  th_explore_head *head = map->head;
  target_place q = find_target(map, update);
  if (!q.known) { /* the searching explorers have arrived, or the target is gone */
    clear_marks(map);
    head->found = head->marks = 0;
    head->mark_sum = 0;
    return;
  }
  if (params->target != TH_EXPLORE_FOR_LINK) { /* a place is found when it is known */
    put_marks(map, update, &q);
    head->found = head->marks > 0;
    return;
  }
  for (uint32_t k = 0; k < update->count && !head->found; k++) {
    head->found = seen_from(q.cell, update, update->place[k].cell);
    if (head->found) head->stale = 1;
  }
  if (head->found) put_marks(map, update, &q);
}
