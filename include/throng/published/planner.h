/* throng/published/planner.h - published relaxations as planners of fields and goals. Part of throng_published, not of
 * the core library.
 *
 *   th_relax_def relax = th_default_relax_def();
 *   const th_planner planner = th_relax_planner(&relax);
 *   th_goal_def goal = th_default_goal_def();
 *   goal.field = TH_FIELD_HARMONIC;
 *   goal.planner = &planner;
 *
 * Threads: any.
 */
#ifndef THRONG_PUBLISHED_PLANNER_H
#define THRONG_PUBLISHED_PLANNER_H

#include "../field.h"
#include "relax_def.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A planner that relaxes as `def` says, which must outlive every field of it: on flat ground by relax.h, on meshes by
 *  relax_mesh.h with its default weights, where eps v must be 0 and a wall must be somewhere. With def.sweeps it ends
 *  after so many, else when it has converged; one that has not is used as it is, and the log gets a warning. Cells
 * where the stored potential is flat (u = 0, or |grad p| < 1e-8 when it stores p on flat ground) have no direction. */
TH_API th_planner th_relax_planner(const th_relax_def *def);

#ifdef __cplusplus
}
#endif
#endif
