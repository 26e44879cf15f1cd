/* ground/path/portals.h - where the centre of a body may cross the edges of a mesh. */
#ifndef TH_GROUND_PATH_PORTALS_H
#define TH_GROUND_PATH_PORTALS_H

#include "ground/ground.h"

typedef struct th_path_portals {
  th_allocator allocator;
} th_path_portals;

th_result th_path_portals_make(const th_ground *ground, double radius, th_path_portals **portals, th_error *error);
void th_path_portals_free(th_path_portals *portals); /* NULL is ignored */
uint32_t th_path_portals_query(const th_ground *ground, const th_path_portals *portals, const th_place end[2],
                               th_place *place, uint32_t capacity);

#endif
