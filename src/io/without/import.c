/* io/without/import.c - in place of io/mesh/import.c where assimp is not there: packs hold triangles. */
#include "io/mesh/import.h"

#include "base/error.h"

th_result th_mesh_import_run(const th_mesh_import *import, const th_mesh_def *def, th_error *error) {
  return th_fail(error, TH_ERROR_FILE, def->where,
                 "expected a build with assimp for a %s file, found one without; throng pack SCENE makes a file that "
                 "needs none",
                 import->bytes.format);
}
