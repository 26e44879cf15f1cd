/* throng/throng.h - everything. */
#ifndef THRONG_THRONG_H
#define THRONG_THRONG_H

#include "base.h"
#include "building.h"
#include "bvp.h"
#include "field.h"
#include "ground.h"
#include "guide.h"
#include "make.h"
#include "mesh.h"
#include "model.h"
#include "orca.h"
#include "param.h"
#include "query.h"
#include "relax_mesh.h"
#include "simd.h"
#include "surface.h"
#include "view.h"
#include "world.h"

#endif
