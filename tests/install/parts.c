/* tests/install/parts.c - a user's program that links parts beside the core: it makes a mesh by name, and a published
 * planner gives values to four cells in a row. */
#include <stdio.h>
#include <throng/make.h>
#include <throng/published/planner.h>

int main(void) {
  th_make_params make = th_default_make_params();
  make.level = 2;
  th_mesh mesh;
  if (th_mesh_generate(&make, &mesh, NULL) != TH_OK) return 1;
  const uint8_t kind[4] = {TH_CELL_PINNED, TH_CELL_FREE, TH_CELL_FREE, TH_CELL_WALL};
  const th_relax_def relax = th_default_relax_def();
  const th_planner planner = th_relax_planner(&relax);
  const th_planner_cells cells = {th_default_env(), NULL, 4, 1, kind};
  double u[4];
  if (planner.plan(planner.user, &cells, u, NULL) != TH_OK) return 1;
  printf("a planet of %u faces, a potential that %s\n", mesh.face_count,
         u[0] > u[1] && u[1] > u[2] ? "falls" : "does not");
  th_mesh_free(&mesh);
  return 0;
}
