/* ground/ground.c - a ground of either kind: references, edits, and where agents can be. */
#include "ground/ground.h"

#include <math.h>

#include "base/error.h"
#include "ground/calls.h"
#include "ground/edit.h"
#include "ground/markers/shelf.h"

th_ground *th_ground_retain(th_ground *ground) {
  if (ground) atomic_fetch_add(&ground->references, 1);
  return ground;
}

void th_ground_release(th_ground *ground) {
  if (ground && atomic_fetch_sub(&ground->references, 1) == 1) ground->calls->free(ground);
}

th_result th_ground_revise(const th_ground *ground, const th_edit *edit, uint32_t count, uint32_t version,
                           th_ground **next, th_error *error) {
  th_result result = ground->calls->edit(ground, edit, count, version, next, error);
  if (!result) result = th_marker_shelf_follow(ground, *next, error);
  if (!result) return TH_OK;
  th_ground_release(*next);
  *next = NULL;
  return result;
}

th_edit th_default_edit(void) { return (th_edit){.kind = TH_EDIT_OPEN}; }

th_result th_ground_edit(const th_ground *ground, const th_edit *edit, uint32_t count, th_ground **next,
                         th_error *error) {
  for (uint32_t k = 0; k < count && count > 1 && th_ground_is_mesh(ground); k++)
    if (edit[k].kind == TH_EDIT_DEFORM) {
      *next = NULL;
      return th_fail_at(error, TH_ERROR_STATE, "edit", k, "expected a deformation alone in its call");
    }
  return th_ground_revise(ground, edit, count, ground->version + 1, next, error);
}

/* ---------------------------------------------------------------- where agents can be */

bool th_ground_is_walkable(const th_ground *ground, float x, float y) {
  return th_ground_locate(ground, x, y).cell != TH_NO_CELL;
}

th_place th_ground_foot(const th_ground *ground, th_vec3 point, int32_t level) {
  th_place place = th_ground_locate_at(ground, point, level, INFINITY);
  if (place.cell == TH_NO_CELL) return place;
  const th_vec3 p = th_ground_point(ground, place);
  const float x = p.x - point.x, y = p.y - point.y, beside = th_ground_beside(ground);
  return x * x + y * y <= beside * beside ? place : (th_place){TH_NO_CELL, point.x, point.y};
}

bool th_ground_holds(const th_ground *ground, th_place place) { return ground->calls->holds(ground, place); }

bool th_ground_displace(const th_ground *ground, th_place *place) {
  const bool stays = th_ground_holds(ground, *place);
  *place = ground->calls->nearest_free(ground, *place);
  return !stays;
}
