/* guide/target/mesh.c - paths on a mesh: searched, kept while bodies are pushed about, followed.
 *
 * A path is the sides that it crosses next. When the body comes into another face, the sides before it are dropped, or,
 * when it was pushed beside its path, those that lead back are put before them; the path is then pulled tight again,
 * and the next corner is kept in the frame of the face. A body that is pushed farther searches a new path. Cost: 20 ns
 * per step, 1 us when the face changes.
 */
#include <math.h>
#include <string.h>

#include "guide/target/target.h"

#define NEAR_CORNER 0.3f /* a corner this near is looked at again in every step [m] */
#define AGAIN 8          /* the others once in so many steps */
#define ASTRAY 1.0f      /* farther from the end than once before on this path: it is searched again [m] */
#define BACK 2           /* sides that lead back to the path, at most */

static const th_path_portals *portals_of(const th_target_shared *shared, const th_target_row *row) {
  return shared->on[row->radius_class].portals;
}

/* The path from a point of row->face. */
static uint32_t pull(const th_target_shared *shared, const th_target_row *row, th_vec2 from,
                     th_corridor_corner corner[TH_TARGET_CORNERS], th_vec3 *point) {
  th_point left[TH_TARGET_HALVES], right[TH_TARGET_HALVES];
  const th_corridor c = {
      portals_of(shared, row), row->half, row->half_count, {(double)from.x, (double)from.y}, row->stop, left, right};
  uint32_t count = th_corridor_pull(&c, corner, TH_TARGET_CORNERS, NULL);
  if (count > TH_TARGET_CORNERS) count = TH_TARGET_CORNERS;
  for (uint32_t k = 0; point && k < count; k++)
    point[k] = th_ground_point(shared->ground, th_corridor_place(&c, &corner[k]));
  return count;
}

/* Finds the next corner again. */
static void tighten(const th_target_shared *shared, th_target_row *row, th_vec2 from) {
  th_corridor_corner corner[TH_TARGET_CORNERS];
  row->count = pull(shared, row, from, corner, NULL);
  row->at = (th_vec2){(float)corner[0].at.x, (float)corner[0].at.y};
  row->tail = row->rest;
  for (uint32_t k = 1; k < row->count; k++) row->tail += (float)th_length2d(th_minus2d(corner[k].at, corner[k - 1].at));
}

static bool aim(const th_target_job *job) {
  th_target_row *row = job->row;
  const th_path_portals *p = portals_of(job->shared, row);
  const th_mesh_ground *s = job->shared->ground->mesh;
  const uint32_t part = p->part[job->place.cell];
  row->goal = th_ground_locate_at(job->shared->ground, row->point, TH_ANY_LEVEL, INFINITY);
  row->moved = row->goal.cell == TH_NO_CELL;
  if (row->moved) {
    const double at[3] = {(double)row->point.x, (double)row->point.y, (double)row->point.z};
    const th_bvh_hit hit = th_bvh_nearest(&s->bvh, at, HUGE_VAL);
    if (hit.face == TH_NO_ELEMENT) return false;
    row->goal = th_portal_search_nearest(job->shared->crossing, p, hit.face, part);
    if (row->goal.cell == TH_NO_CELL) return false;
  }
  row->end = th_ground_point(job->shared->ground, row->goal);
  return p->part[row->goal.cell] == part;
}

static void search(const th_target_job *job) {
  th_target_row *row = job->row;
  const th_path_portals *p = portals_of(job->shared, row);
  const th_portal_path path =
      th_portal_search_run(job->shared->crossing, p, (th_place[]){job->place, row->goal}, job->nodes);
  row->effort = path.found && !path.whole ? row->effort + 1 : 0;
  row->does = path.found ? TH_TARGET_WALKS : TH_TARGET_IS_LOST;
  row->passed = row->count = row->half_count = 0;
  row->face = job->place.cell;
  if (!path.found) return;
  row->half_count = path.count < TH_TARGET_HALVES ? path.count : TH_TARGET_HALVES;
  memcpy(row->half, path.half, sizeof *row->half * row->half_count);
  row->whole = path.whole && path.count <= TH_TARGET_HALVES;
  row->stop = path.end;
  if (path.count > TH_TARGET_HALVES) {
    const uint32_t last = row->half[row->half_count - 1];
    const th_mesh_frames *f = &p->mesh->frames;
    const th_point a = th_frames_corner(f, last), b = th_frames_corner(f, th_half_next(last));
    const double t = 0.5 * (double)(p->low[last] + p->high[last]);
    row->stop = (th_place){last / 3, (float)(a.x + t * (b.x - a.x)), (float)(a.y + t * (b.y - a.y))};
  }
  row->rest = 0.0f;
  const th_vec2 from = {job->place.x, job->place.y};
  tighten(job->shared, row, from);
  const float known = th_length2(th_minus2(row->at, from)) + row->tail;
  if (!row->whole && (float)path.length > known) row->rest = (float)path.length - known;
  row->tail += row->rest;
}

/* The end may move on to the face beside the last one, or back to the one before. */
static bool shift(const th_target_job *job) {
  th_target_row *row = job->row;
  const th_path_portals *p = portals_of(job->shared, row);
  const uint32_t last = row->half_count ? row->half[row->half_count - 1] / 3 : row->face, cell = row->goal.cell;
  if (cell != last) {
    const uint32_t back = row->half_count ? p->mesh->mesh.twin[row->half[row->half_count - 1]] : TH_NOWHERE;
    uint32_t over = TH_NOWHERE;
    for (uint32_t h = 3 * cell; h < 3 * cell + 3; h++)
      if (th_path_portals_open(p, h) && p->mesh->mesh.twin[h] / 3 == last) over = h;
    if (back != TH_NOWHERE && back / 3 == cell)
      row->half_count--;
    else if (over != TH_NOWHERE && row->half_count < TH_TARGET_HALVES)
      row->half[row->half_count++] = over;
    else
      return false;
  }
  row->stop = row->goal;
  return true;
}

/* The first portals of the path that lead into a face, and those before it, are dropped. */
static bool drop_until(th_target_row *row, uint32_t face) {
  if (face == row->face) return true;
  for (uint32_t k = 0; k < row->half_count; k++) {
    if (row->half[k] / 3 != face) continue;
    row->half_count -= k + 1;
    memmove(row->half, row->half + k + 1, sizeof *row->half * row->half_count);
    row->passed++;
    return true;
  }
  return false;
}

/* From the body's face over at most BACK sides onto the path. */
static bool come_back(const th_path_portals *p, th_target_row *row, uint32_t face, uint32_t most) {
  if (drop_until(row, face)) return true;
  for (uint32_t out = 3 * face; most && out < 3 * face + 3; out++) {
    if (!th_path_portals_open(p, out)) continue;
    const uint32_t half = p->mesh->mesh.twin[out];
    if (!come_back(p, row, half / 3, most - 1)) continue;
    if (row->half_count == TH_TARGET_HALVES) return false;
    memmove(row->half + 1, row->half, sizeof *row->half * row->half_count++);
    row->half[0] = half;
    return true;
  }
  return false;
}

/* Nearest first: none, one, two sides. */
static bool enter(const th_path_portals *p, th_target_row *row, uint32_t face) {
  for (uint32_t most = 0; most <= BACK; most++)
    if (come_back(p, row, face, most)) {
      row->face = face;
      return true;
    }
  return false;
}

static void lead(const th_guide_query *query, uint32_t lane) {
  const th_target_shared *shared = query->shared;
  th_target_row *row = query->row[lane];
  const uint32_t face = query->cell[lane];
  const th_vec2 p = {query->x[lane], query->y[lane]};
  bool again = face != row->face || (query->step + query->agent[lane]) % AGAIN == 0;
  if (face != row->face && !enter(portals_of(shared, row), row, face)) {
    row->need = TH_TARGET_MUST_SEARCH;
    return; /* it waits until it is its turn */
  }
  again = again || th_length2(th_minus2(row->at, p)) < NEAR_CORNER;
  if (again) tighten(shared, row, p);
  const th_vec2 to = th_minus2(row->at, p);
  const float left = th_length2(to) + row->tail;
  if (left < row->best) row->best = left;
  if (left > row->best + ASTRAY && row->need == TH_TARGET_HAS_PATH) row->need = TH_TARGET_MAY_SEARCH;
  th_target_answer(query, lane, to.x, to.y);
}

static uint32_t corners(const th_guide_query *query, th_vec3 corner[TH_TARGET_CORNERS]) {
  const th_target_row *row = query->row[0];
  th_corridor_corner pulled[TH_TARGET_CORNERS];
  if (query->cell[0] != row->face) return 0;
  return pull(query->shared, row, (th_vec2){query->x[0], query->y[0]}, pulled, corner);
}

const th_target_kind th_target_kind_mesh = {aim, search, shift, lead, corners};
