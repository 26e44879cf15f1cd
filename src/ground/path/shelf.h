/* ground/path/shelf.h - what paths on one version of a ground need, made when somebody asks for it first. */
#ifndef TH_GROUND_PATH_SHELF_H
#define TH_GROUND_PATH_SHELF_H

#include "ground/path/free_space.h"
#include "ground/path/portals.h"

/* NULL when out of memory. */
th_path_shelf *th_path_shelf_make(const th_allocator *allocator);
void th_path_shelf_free(th_path_shelf *shelf, const th_allocator *allocator); /* NULL is ignored */

/* For bodies of a radius class. They belong to the ground. On flat ground `space` is set, on a mesh `portals`. */
typedef struct th_path_ground {
  const th_free_space *space;
  const th_path_portals *portals;
} th_path_ground;
th_result th_path_shelf_find(const th_ground *ground, uint32_t radius_class, th_path_ground *found, th_error *error);

#endif
