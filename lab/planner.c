/* lab/planner.c - keys of goals that choose a published relaxation: `throng_lab run` reads them, `throng` does not.
 *
 * A goal with "method": "sor" and a harmonic field is planned by throng_published; everything else of the scene is as
 * for everybody. Cost: that of the relaxation, whenever the ground changes.
 */
#include "lab/planner.h"

#include <stddef.h>

#include "throng/param.h"
#include "throng/published/planner.h"

typedef struct settings {
  int32_t method, storage, precision, sweeps;
  float omega;
  th_relax_def def; /* what they come to */
} settings;

static const char *const methods[] = {"direct", "jacobi", "seidel", "alternating", "sor", NULL};
static const char *const storages[] = {"u", "p", NULL};
static const char *const precisions[] = {"double", "float", NULL};

#define AT(member) offsetof(settings, member)
static const th_param table[] = {
    {"method", TH_PARAM_ENUM, AT(method), "", 0, 4, TH_METHOD_DIRECT,
     "direct, or a relaxation of the literature for a harmonic field", methods},
    {"storage", TH_PARAM_ENUM, AT(storage), "", 0, 1, TH_STORAGE_U,
     "relaxations keep u (0 on walls) or, as the literature, p = 1 - u", storages},
    {"precision", TH_PARAM_ENUM, AT(precision), "", 0, 1, TH_PRECISION_DOUBLE, "of a relaxation", precisions},
    {"sweeps", TH_PARAM_INT, AT(sweeps), "", 0, 1e9, 0, "exactly so many of a relaxation; 0 = until it converges",
     NULL},
    {"omega", TH_PARAM_FLOAT, AT(omega), "", 0, 2, 1.8, "factor of sor; 0 = the best one for the map", NULL},
};

static bool make(void *params, th_planner *planner) {
  settings *s = params;
  s->def = th_default_relax_def();
  s->def.method = (th_method)s->method;
  s->def.storage = (th_storage)s->storage;
  s->def.precision = (th_precision)s->precision;
  s->def.sweeps = (uint32_t)s->sweeps;
  s->def.omega = (double)s->omega;
  *planner = th_relax_planner(&s->def);
  return s->def.method != TH_METHOD_DIRECT;
}

const th_scene_planner th_lab_planner = {table, sizeof table / sizeof *table, sizeof(settings), make};
