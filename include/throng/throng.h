/* throng/throng.h - the core: grounds, fields, worlds, choices, groups, the models that come with them, and drawing for
 * debugging.
 *
 * Headers that it does not include:
 *   guide.h query.h    guides that lead along paths or explore, and guides of your own
 *   guide/target.h     the guide that leads everybody to a target of their own
 *   guide/tree.h       the guide that grows trees of paths
 *   model.h view.h     models of your own: what a model reads and returns
 *   watch.h            what editors and viewers read of a world
 *   make.h                                              made meshes (libthrong_make)
 *   published/planner.h published/relax_def.h           published planners, as planners of fields, on plain arrays of
 *   published/relax.h published/relax_mesh.h            cells, and on meshes (libthrong_published)
 *   scene.h run.h recording.h mesh_file.h image.h       files, runs of scenes
 *   file/plan.h text.h                                  (libthrong_io)
 *   metrics.h figure.h                                  numbers and pictures (libthrong_report)
 */
#ifndef THRONG_THRONG_H
#define THRONG_THRONG_H

#include "agent.h"
#include "base.h"
#include "building.h"
#include "draw.h"
#include "field.h"
#include "ground.h"
#include "group.h"
#include "markers.h"
#include "mesh.h"
#include "model/biocrowds.h"
#include "model/bvp.h"
#include "model/orca.h"
#include "model/steering.h"
#include "people.h"
#include "world.h"
#include "world/choice.h"

#endif
