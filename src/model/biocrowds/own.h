/* model/biocrowds/own.h - the passes of the model. */
#ifndef TH_MODEL_BIOCROWDS_OWN_H
#define TH_MODEL_BIOCROWDS_OWN_H

#include "model/biocrowds/cells.h"

/* Over patches: owners of the patch's markers; scratch is a th_own_crowd. */
void th_biocrowds_own(const th_work *work);

/* Over views: the motion of each agent; scratch is a th_cell_owners. */
void th_biocrowds_move(const th_work *work);

/* owners.c: owners by entry, for all views of a patch; NULL: they must be read by number. */
const uint32_t *th_cell_owners_of(const th_work *work);

/* body.c: a velocity with which the body of an agent touches no neighbour of its kind and no wall, and gives way.
 * `led`: the agent heads for where its guide leads, not for a shape of its group. */
th_vec2 th_biocrowds_body_keep_clear(const th_work *work, uint32_t lane, th_vec2 velocity, bool led);

extern const th_trace th_biocrowds_traces[];
#define TH_BIOCROWDS_TRACES 3

#endif
