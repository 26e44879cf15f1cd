/* tests/install/parts.c - a user's program that links a part beside the core: it makes a mesh by name. */
#include <stdio.h>
#include <throng/make.h>

int main(void) {
  th_make_params make = th_default_make_params();
  make.level = 2;
  th_mesh mesh;
  if (th_mesh_generate(&make, &mesh, NULL) != TH_OK) return 1;
  printf("a planet of %u faces\n", mesh.face_count);
  th_mesh_free(&mesh);
  return 0;
}
