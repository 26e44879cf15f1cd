/* ground/edit.c - the dispatch of edits, once for all kinds of ground.
 *
 * Each ground keeps a draft of its next version and gives functions that find, open, close, add and remove doors and
 * obstacles in it. The dispatch by kind of edit, and the error texts for unknown names, are the same for every ground.
 * Cost: only that of these functions.
 */
#include "ground/edit.h"

#include "base/error.h"

static th_result find(const th_edit_rules *rules, void *revision, const th_edit *edit, uint32_t index, void **found,
                      th_error *error) {
  bool door = edit->kind != TH_EDIT_REMOVE;
  *found = edit->name ? rules->find(revision, edit->name, door) : NULL;
  if (*found) return TH_OK;
  return th_fail_at(error, TH_ERROR_STATE, "edit", index, "expected the name of %s, found %s",
                    door ? "a door" : "an obstacle", edit->name ? edit->name : "none");
}

static th_result apply(const th_edit_rules *rules, void *revision, const th_edit *edit, uint32_t index,
                       th_error *error) {
  void *found;
  th_result result = TH_OK;
  switch (edit->kind) {
    case TH_EDIT_OPEN:
    case TH_EDIT_CLOSE:
      result = find(rules, revision, edit, index, &found, error);
      if (!result) rules->set_door(revision, found, edit->kind == TH_EDIT_CLOSE);
      return result;
    case TH_EDIT_ADD:
      return rules->add(revision, edit, index, error);
    case TH_EDIT_REMOVE:
      result = find(rules, revision, edit, index, &found, error);
      if (!result) rules->remove(revision, found);
      return result;
    case TH_EDIT_DEFORM:
      if (!rules->deform) return TH_OK;
      return th_fail_at(error, TH_ERROR_STATE, "edit", index, "%s", rules->deform);
  }
  return th_fail_at(error, TH_ERROR_RANGE, "edit", index, "expected a kind of edit, found %d", (int)edit->kind);
}

th_result th_edit_apply(const th_edit_rules *rules, void *revision, const th_edit *edit, uint32_t count,
                        th_error *error) {
  th_result result = TH_OK;
  for (uint32_t k = 0; k < count && !result; k++) result = apply(rules, revision, &edit[k], k, error);
  return result;
}
