/* throng/model/biocrowds.h - the model `biocrowds`: competition for space.
 *
 * The free ground is full of markers (throng/markers.h; the ground's def says how dense). In every decision a marker
 * belongs to the agent nearest to it, whatever that agent's model. An agent moves along the mean of the vectors to its
 * own markers within its personal space, weighted towards its goal. Since that mean lies in the agent's own cell, no
 * two agents come to the same point. Lanes, slowing in dense crowds and arcs before doors follow from this rule alone.
 * An agent does not own markers that a wall hides from it, unless the def of the markers sets `through_walls`.
 * Source: the BioCrowds model, a variant of space colonisation.
 * Threads: any.
 */
#ifndef THRONG_MODEL_BIOCROWDS_H
#define THRONG_MODEL_BIOCROWDS_H

#include "../base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct th_model th_model; /* model.h */
typedef struct th_world th_world; /* world.h */

/** What the length of the motion vector means. */
typedef enum th_biocrowds_limit {
  TH_BIOCROWDS_SLOWING, /* a vector of length `step` or more means the wanted speed, a shorter one means a speed in
                           proportion: crowds slow down as they get denser */
  TH_BIOCROWDS_CLIPPED  /* the agent walks at the wanted speed unless the vector itself is shorter than its
                           displacement in one decision */
} th_biocrowds_limit;

typedef struct th_biocrowds_params {
  float radius;  /* of the personal space [m] [0.2, 5], default 1.25; also the longest displacement in one step */
  float step;    /* longest motion vector that counts [m] [0.01, 5], default 0.4 */
  int32_t limit; /* th_biocrowds_limit, default slowing */
  float rate; /* decisions per second [1, 1000], default 30: all agents of one rate together, at most once per step */
  bool body;  /* the cell of an agent keeps half a body away from the cells of others: bodies of such agents never
                 overlap as long as nothing else moves them (contacts, limits of acceleration); default false:
                 agents are points */
} th_biocrowds_params;

TH_API th_biocrowds_params th_default_biocrowds_params(void);
TH_API extern const th_model th_model_biocrowds;

#ifdef __cplusplus
}
#endif
#endif
