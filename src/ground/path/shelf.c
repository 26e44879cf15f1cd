/* ground/path/shelf.c - free spaces of a version of flat ground, portals of one of a mesh, one for each radius class.
 *
 * They are a pure function of the version, so no reader can tell whether they were kept or made again. A lock guards
 * the list; a caller that asks for one that is being made waits for it.
 */
#include "ground/path/shelf.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/platform/mutex.h"

#define SPARE 0.002 /* paths keep this far off touching a wall, so that bodies do not rub along it [m] */

struct th_path_shelf {
  th_mutex lock;
  th_free_space *space[TH_MAX_CLASSES];
  th_path_portals *portals[TH_MAX_CLASSES];
};

th_path_shelf *th_path_shelf_make(const th_allocator *allocator) {
  th_path_shelf *shelf = TH_TAKE(allocator, th_path_shelf, 1);
  if (!shelf || th_mutex_make(&shelf->lock)) return shelf;
  TH_GIVE(allocator, shelf, 1);
  return NULL;
}

void th_path_shelf_free(th_path_shelf *shelf, const th_allocator *allocator) {
  if (!shelf) return;
  for (uint32_t k = 0; k < TH_MAX_CLASSES; k++) {
    th_free_space_free(shelf->space[k]);
    th_path_portals_free(shelf->portals[k]);
  }
  th_mutex_free(&shelf->lock);
  TH_GIVE(allocator, shelf, 1);
}

th_result th_path_shelf_find(const th_ground *ground, uint32_t radius_class, th_path_ground *found, th_error *error) {
  th_path_shelf *shelf = ground->paths;
  const double radius = (double)ground->radius_class[radius_class] + SPARE;
  th_result result = TH_OK;
  th_mutex_lock(&shelf->lock);
  if (th_ground_is_mesh(ground) && !shelf->portals[radius_class])
    result = th_path_portals_make(ground, radius, &shelf->portals[radius_class], error);
  if (!th_ground_is_mesh(ground) && !shelf->space[radius_class])
    result = th_free_space_make(ground, radius, &shelf->space[radius_class], error);
  *found = (th_path_ground){shelf->space[radius_class], shelf->portals[radius_class]};
  th_mutex_unlock(&shelf->lock);
  return result;
}
