/* ground/ground.c - versions of a ground of either kind: references and edits. */
#include "ground/ground.h"

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
