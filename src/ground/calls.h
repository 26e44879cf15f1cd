/* ground/calls.h - the functions that each kind of ground supplies: ground/flat/query.c, ground/mesh/query.c.
 *
 * The public calls of throng/ground.h check what is the same for both and hand on to one of these tables; files of one
 * kind never ask for the other.
 */
#ifndef TH_GROUND_CALLS_H
#define TH_GROUND_CALLS_H

#include "ground/walk.h"

struct th_ground_calls {
  void (*free)(th_ground *ground);
  th_result (*edit)(const th_ground *ground, const th_edit *edit, uint32_t count, uint32_t version, th_ground **next,
                    th_error *error);
  th_place (*locate)(const th_ground *ground, th_vec3 point, int32_t level, float reach);
  float (*clearance)(const th_ground *ground, float x, float y);
  float (*clearance_at)(const th_ground *ground, th_place place);
  bool (*holds)(const th_ground *ground, th_place place);           /* th_ground_holds */
  th_place (*nearest_free)(const th_ground *ground, th_place from); /* `from` where it holds */
  th_hit (*ray)(const th_ground *ground, th_place from, th_vec2 direction, float length);
  th_hit (*nearest_wall)(const th_ground *ground, th_place from, float reach);
  bool (*pick)(const th_ground *ground, th_vec3 origin, th_vec3 direction, float length,
               th_place *place); /* `direction`: unit */
  bool (*walk)(const th_ground *ground, th_footing *footing, th_vec2 vector, float radius);
  th_vec3 (*point)(const th_ground *ground, th_place place);
  th_vec3 (*normal)(const th_ground *ground, th_place place);
  th_vec3 (*to_space)(const th_ground *ground, th_place place, th_vec2 v);
  th_vec2 (*to_cell)(const th_ground *ground, th_place place, th_vec3 v);
};
extern const th_ground_calls th_flat_ground_calls, th_mesh_ground_calls;

/* flat/nearest_free.c, mesh/nearest_free.c */
th_place th_flat_ground_nearest_free(const th_ground *ground, th_place from);
th_place th_mesh_ground_nearest_free(const th_ground *ground, th_place from);

#endif
