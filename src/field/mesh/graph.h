/* field/mesh/graph.h - the vertices of a mesh ground as a weighted graph: the operator that fields are solved with.
 */
#ifndef TH_FIELD_MESH_GRAPH_H
#define TH_FIELD_MESH_GRAPH_H

#include "field/direct/elimination.h"
#include "field/direct/graph.h"
#include "geometry/mesh/delaunay.h"
#include "ground/mesh/ground.h"

/* Cotangent weights of the intrinsic Delaunay triangulation of the walkable faces, row by row. */
typedef struct th_mesh_graph {
  th_allocator allocator;
  uint32_t vertex_count, face_count;
  th_delaunay intrinsic; /* blocked faces are in it, but joined to nothing */
  uint32_t *start;       /* vertex_count + 1 */
  uint32_t *other;       /* ascending in each row */
  double *weight;        /* > 0 */
  double *mass;          /* a third of the walkable area around each vertex [m2]; 0: on no walkable face */
  uint32_t entry_capacity;
  double diameter; /* of the bounding box [m] */
} th_mesh_graph;

th_result th_mesh_graph_make(th_mesh_graph *graph, const th_ground *ground, const th_allocator *allocator,
                             th_error *error);
void th_mesh_graph_free(th_mesh_graph *graph);

/* Its operator; sink: >= 0, one per vertex. */
th_graph_operator th_mesh_graph_operator(const th_mesh_graph *graph, const uint8_t *kind, const double *sink,
                                         bool neumann);

#define TH_MESH_DISSECTION_LEAF 32   /* vertices of a part that is not cut further: see field/grid/factor.c */
#define TH_MESH_DISSECTION_PIECE 128 /* vertices of a piece */

/* dissection.c: an elimination tree of the graph; NULL when out of memory. */
th_elimination *th_mesh_dissection_make(const th_mesh_graph *graph, const double *xyz, uint32_t leaf,
                                        uint32_t piece_unknowns);

#endif
