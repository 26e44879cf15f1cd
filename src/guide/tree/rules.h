/* guide/tree/rules.h - parts of the guide's table that judge parameters. */
#ifndef TH_GUIDE_TREE_RULES_H
#define TH_GUIDE_TREE_RULES_H

#include "ground/flat/shapes.h"
#include "ground/ground.h"
#include "throng/guide/tree.h"

#define TH_TREE_STEP_MAX 0.4f /* of the model biocrowds [m] */

th_result th_tree_check(const void *params, th_error *error);
const char *th_tree_warn(const void *params, const th_ground *ground); /* NULL: nothing to warn of */

#endif
