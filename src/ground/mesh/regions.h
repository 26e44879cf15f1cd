/* ground/mesh/regions.h - regions of a surface: checked, copied once, shared by the versions that use them. */
#ifndef TH_GROUND_MESH_REGIONS_H
#define TH_GROUND_MESH_REGIONS_H

#include "ground/mesh/ground.h"

struct th_mesh_region {
  atomic_uint references;
  th_allocator allocator;
  th_region region; /* everything in it is owned; `face` ascends */
  size_t name_size;
};

/* `where` and `element` name the region in errors. */
th_result th_mesh_region_check(const th_region *region, const th_mesh *mesh, const char *where, uint32_t element,
                               th_error *error);

/* A copy; `name` replaces the region's. NULL when out of memory. */
th_mesh_region *th_mesh_region_make(const th_allocator *allocator, const th_region *region, const char *name);
th_mesh_region *th_mesh_region_retain(th_mesh_region *part);
void th_mesh_region_release(th_mesh_region *part);

/* True when the region holds the face, by its centroid or by its number. */
bool th_mesh_region_holds(const th_mesh_region *part, const th_mesh *mesh, uint32_t face);

#endif
