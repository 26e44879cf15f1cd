#include "ground/path/portals.h"

#include "base/error.h"
th_result th_path_portals_make(const th_ground *ground, double radius, th_path_portals **portals, th_error *error) {
  (void)ground, (void)radius, (void)portals;
  return th_fail(error, TH_ERROR_STATE, "paths", "mesh");
}
void th_path_portals_free(th_path_portals *portals) { (void)portals; }
uint32_t th_path_portals_query(const th_ground *ground, const th_path_portals *portals, const th_place end[2],
                               th_place *place, uint32_t capacity) {
  (void)ground, (void)portals, (void)end, (void)place, (void)capacity;
  return 0;
}
