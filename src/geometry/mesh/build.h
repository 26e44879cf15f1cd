/* geometry/mesh/build.h - the internal stages by which triangles become a mesh. */
#ifndef TH_GEOMETRY_MESH_BUILD_H
#define TH_GEOMETRY_MESH_BUILD_H

#include "throng/mesh.h"

/* Vertices keep the numbers they were given until the last stage. */
typedef struct th_mesh_builder {
  const th_mesh_def *def;
  const char *where;
  th_mesh *mesh; /* receives the notes, and everything in the end */
  th_error *error;
  double *xyz;      /* [m] */
  uint32_t *of;     /* the vertex that each given one became */
  uint32_t *corner; /* of the faces still there */
  uint32_t *from;   /* the face given */
  uint32_t *twin;
  uint32_t face_count;
} th_mesh_builder;

/* True when its normal, whose length is twice the area, exceeds rounding relative to the square of the longest edge. */
bool th_mesh_triangle_has_area(const double *a, const double *b, const double *c);

/* The number by which the host knows a vertex; TH_NO_ELEMENT when it has none. */
uint32_t th_mesh_vertex_number(const th_mesh_builder *build, uint32_t vertex);

/* "vertex 7 at (1, 2, 3)", or without the number where it is unknown. */
enum { TH_VERTEX_TEXT = 96 };
const char *th_mesh_vertex_text(const th_mesh_builder *build, uint32_t vertex, char text[TH_VERTEX_TEXT]);

th_result th_mesh_note_add(th_mesh_builder *build, th_mesh_note_kind kind, uint32_t index, uint32_t other);

/* Fills `of`. */
th_result th_mesh_weld(th_mesh_builder *build);

/* Fills `twin` (the two may run in the same direction), after dropping repeated faces and those beyond two on an edge.
 */
th_result th_mesh_pair(th_mesh_builder *build);

/* Turns faces until twins run against each other. */
th_result th_mesh_orient(th_mesh_builder *build);

/* Renumbers the vertices, one for each fan of faces, and fills the mesh. */
th_result th_mesh_split_fans(th_mesh_builder *build);

#endif
