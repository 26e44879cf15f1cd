/* guide/target/flat.c - paths on flat ground: searched, kept while bodies are pushed about, followed.
 *
 * A path is its next corners. The line to the second one is tested in every other step: once it is free, the first is
 * passed, wherever the body is. The line to the first is tested in every fourth: when something has pushed the body
 * where it is not free, or far off its path, a new path is searched. A body that is nearer to a wall than its radius
 * class stands at the nearest point of the free space. Cost: 0.1 us per step, about 10 ns more for each triangle on the
 * line to the next corner.
 */
#include <math.h>
#include <string.h>

#include "guide/target/target.h"

#define NEAR_CORNER 0.1f /* a corner this near is passed [m] */
#define ASTRAY 1.0f      /* farther from the end than once before on this path: it is searched again [m] */

static th_point wide(th_vec2 p) { return (th_point){(double)p.x, (double)p.y}; }
static th_vec2 narrow(th_point p) { return (th_vec2){(float)p.x, (float)p.y}; }

static const th_free_space *space_of(const th_target_shared *shared, const th_target_row *row) {
  return shared->on[row->radius_class].space;
}

/* Where the body stands for paths; found from where it was. */
static th_free_spot stand(const th_free_space *space, th_target_row *row, float x, float y) {
  const th_point p = {(double)x, (double)y};
  th_free_spot spot = {row->face, wide(row->at)};
  if (row->face == TH_NOWHERE || !th_free_space_sees(space, spot, p, &spot)) {
    const uint32_t part = row->face == TH_NOWHERE ? TH_ANY_PART : space->part[row->face];
    spot = th_free_space_locate(space, p);
    if (spot.face == TH_NOWHERE) spot = th_free_space_nearest(space, p, part);
  }
  row->face = spot.face;
  row->at = narrow(spot.at);
  return spot;
}

static float length_between(th_vec2 a, th_vec2 b) { return th_length2(th_minus2(b, a)); }

static void measure(th_target_row *row) {
  row->tail = row->rest;
  for (uint32_t k = 1; k < row->count; k++) row->tail += length_between(row->corner[k - 1], row->corner[k]);
}

static bool aim(const th_target_job *job) {
  th_target_row *row = job->row;
  const th_free_space *space = space_of(job->shared, row);
  const th_free_spot from = row->face == TH_NOWHERE ? stand(space, row, job->place.x, job->place.y)
                                                    : (th_free_spot){row->face, wide(row->at)};
  if (from.face == TH_NOWHERE) return false;
  const th_point p = {(double)row->point.x, (double)row->point.y};
  th_free_spot to = th_free_space_locate(space, p);
  row->moved = to.face == TH_NOWHERE;
  if (row->moved) to = th_free_space_nearest(space, p, space->part[from.face]);
  row->end = (th_vec3){(float)to.at.x, (float)to.at.y, 0.0f};
  return space->part[to.face] == space->part[from.face];
}

static void search(const th_target_job *job) {
  th_target_row *row = job->row;
  const th_free_space *space = space_of(job->shared, row);
  const th_free_spot from = stand(space, row, job->place.x, job->place.y);
  const th_point end = wide((th_vec2){row->end.x, row->end.y});
  th_free_spot to = th_free_space_locate(space, end);
  if (to.face == TH_NOWHERE) to = th_free_space_nearest(space, end, space->part[from.face]);
  th_point corner[TH_TARGET_CORNERS];
  const th_path_found found = th_path_search_run(job->shared->search[row->radius_class], (th_free_spot[]){from, to},
                                                 job->nodes, corner, TH_TARGET_CORNERS);
  row->effort = found.count && !found.whole ? row->effort + 1 : 0;
  row->count = found.count < TH_TARGET_CORNERS ? found.count : TH_TARGET_CORNERS;
  row->passed = 0;
  row->does = row->count ? TH_TARGET_WALKS : TH_TARGET_IS_LOST;
  row->whole = found.whole && found.count <= TH_TARGET_CORNERS;
  row->rest = 0.0f;
  for (uint32_t k = 0; k < row->count; k++) row->corner[k] = narrow(corner[k]);
  if (!row->count) return;
  measure(row);
  const float known = row->tail + length_between(row->at, row->corner[0]);
  const float all =
      (float)found.length + (found.whole ? 0.0f : length_between(row->corner[row->count - 1], narrow(end)));
  if (!row->whole && all > known) row->rest = all - known;
  row->tail += row->rest;
}

/* The path leads on to the moved end as long as its last corner sees that. */
static bool shift(const th_target_job *job) {
  th_target_row *row = job->row;
  const th_free_space *space = space_of(job->shared, row);
  const th_vec2 end = {row->end.x, row->end.y};
  row->corner[row->count - 1] = end;
  measure(row);
  if (row->count < 2) return true; /* it is tested while the agent walks */
  const th_free_spot last = th_free_space_locate(space, wide(row->corner[row->count - 2]));
  th_free_spot there;
  return last.face != TH_NOWHERE && th_free_space_sees(space, last, wide(end), &there);
}

static void pass_corner(th_target_row *row) {
  row->tail -= length_between(row->corner[0], row->corner[1]);
  memmove(row->corner, row->corner + 1, sizeof *row->corner * --row->count);
  row->passed++;
}

static void lead(const th_guide_query *query, uint32_t lane) {
  const th_target_shared *shared = query->shared;
  th_target_row *row = query->row[lane];
  const th_free_space *space = space_of(shared, row);
  const th_vec2 p = {query->x[lane], query->y[lane]};
  const th_free_spot at = stand(space, row, p.x, p.y);
  const uint64_t turn = query->step + query->agent[lane];
  th_free_spot there;
  if (row->count > 1 && (length_between(p, row->corner[0]) < NEAR_CORNER ||
                         (turn % 2 == 0 && th_free_space_sees(space, at, wide(row->corner[1]), &there))))
    pass_corner(row);
  if (turn % 4 == 1 && !th_free_space_sees(space, at, wide(row->corner[0]), &there)) row->need = TH_TARGET_MUST_SEARCH;
  const th_vec2 to = th_minus2(row->corner[0], p);
  const float left = th_length2(to) + row->tail;
  if (left < row->best) row->best = left;
  if (left > row->best + ASTRAY && row->need == TH_TARGET_HAS_PATH) row->need = TH_TARGET_MAY_SEARCH;
  th_target_answer(query, lane, to.x, to.y);
}

static uint32_t corners(const th_guide_query *query, th_vec3 corner[TH_TARGET_CORNERS]) {
  const th_target_row *row = query->row[0];
  for (uint32_t k = 0; k < row->count; k++) corner[k] = (th_vec3){row->corner[k].x, row->corner[k].y, 0.0f};
  return row->count;
}

const th_target_kind th_target_kind_flat = {aim, search, shift, lead, corners};
