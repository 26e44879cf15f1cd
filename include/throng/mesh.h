/* throng/mesh.h - triangle meshes in arrays: checked, repaired by fixed rules, and linked by half-edges.
 *
 * Rules of repair, in this order. Notes report each vertex and face that was dropped or changed by its index in the
 * input.
 *   refused   no face; a coordinate that is not finite or beyond TH_MESH_MAX_COORDINATE; a face that names a vertex
 *             which does not exist; an edge of three faces or more (dropped instead when the def says so); a surface
 *             with one side only, such as a Moebius strip
 *   welded    a vertex within `weld` of one with a lower index that was kept becomes that one
 *   dropped   faces with two equal corners or without area; faces that repeat another one; vertices without a face
 *   turned    faces against the direction of most faces of their piece (of halves, against that of its first face)
 *   parted    a vertex that is the only common point of several pieces of surface is doubled, once per piece
 * Threads: any; calls that change one mesh must not overlap.
 */
#ifndef THRONG_MESH_H
#define THRONG_MESH_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TH_MESH_MAX_COORDINATE 1e7
#define TH_MESH_MAX_FACES (1u << 28)
#define TH_NO_HALF UINT32_MAX /* the twin of a half-edge at the border */

typedef enum th_mesh_note_kind {
  TH_MESH_WELDED,     /* only counted: th_mesh.vertex_of says which */
  TH_MESH_UNUSED,     /* vertex `index` has no face: dropped */
  TH_MESH_DEGENERATE, /* face `index` has two equal corners or no area: dropped */
  TH_MESH_DUPLICATE,  /* face `index` has the corners of face `other`: dropped */
  TH_MESH_CROWDED,    /* face `index` would be the third on an edge; `other` is the first there: dropped */
  TH_MESH_TURNED,     /* face `index` was turned over */
  TH_MESH_PARTED,     /* vertex `index` was doubled; its copy is vertex `other` of the mesh */
  TH_MESH_NOTES
} th_mesh_note_kind;

typedef struct th_mesh_note {
  th_mesh_note_kind kind;
  uint32_t index, other; /* TH_NO_ELEMENT where there is no other */
  th_vec3 at;            /* the vertex, or the first corner of the face [m] */
} th_mesh_note;

/** Vertices come as floats or as doubles: exactly one of the two pointers is set. */
typedef struct th_mesh_def {
  th_env env;
  const char *where;        /* names the mesh in errors; default "mesh" */
  const float *xyz_float;   /* 3 for each vertex */
  const double *xyz_double; /* 3 for each vertex */
  const uint32_t *corner;   /* 3 for each face, counter-clockwise seen from the walkable side */
  uint32_t vertex_count, face_count;
  double metres_per_unit; /* (0, 1e6], default 1 */
  double weld;            /* [m]; 0 (default): equal coordinates only; negative: nothing */
  bool drop_crowded;      /* an edge of three faces or more keeps its first two; default: refused */
  uint32_t (*number)(const void *user, const double xyz[3]); /* for messages: the number by which the host knows the
                                                                vertex at xyz, in its own units; NULL: none */
  const void *number_user;
} th_mesh_def;

/** Half-edge h = 3 f + k runs from corner[h] to the next corner of face f. Everything is read-only for users. */
typedef struct th_mesh {
  th_allocator allocator;
  uint32_t vertex_count, face_count;
  double *xyz;         /* 3 for each vertex [m] */
  uint32_t *corner;    /* 3 for each face */
  uint32_t *twin;      /* of each half-edge the one that runs back, TH_NO_HALF at the border */
  uint32_t *leaving;   /* of each vertex a half-edge that leaves it; at the border the one without twin */
  uint32_t *vertex_of; /* of each vertex given its vertex here, TH_NO_ELEMENT when dropped */
  uint32_t *face_from; /* of each face here the face given */
  uint32_t given_vertices, given_faces;
  th_mesh_note
      *note; /* by kind of check, then ascending; the mesh of a ground keeps those of the mesh it was made of */
  uint32_t note_count;
  uint32_t count[TH_MESH_NOTES]; /* of each kind */
  struct {
    uint32_t note_capacity;
  } tail; /* the library's own */
} th_mesh;

TH_API th_mesh_def th_default_mesh_def(void);

/** Checks, repairs and links; all data are copied. On failure `mesh` is empty. O(n log n). Any thread. */
TH_API th_result th_mesh_build(const th_mesh_def *def, th_mesh *mesh, th_error *error);

/** A zeroed mesh is allowed. */
TH_API void th_mesh_free(th_mesh *mesh);

/** One connected piece of surface. Euler number = vertices - edges + faces = 2 - 2 genus - borders. */
typedef struct th_mesh_piece {
  uint32_t vertices, edges, faces, borders; /* borders: closed loops of edges with one face */
  int32_t euler;
  uint32_t genus;
} th_mesh_piece;

/** Connected pieces, in order of their first face. */
typedef struct th_mesh_pieces {
  th_mesh_piece *piece;
  uint32_t *of_face; /* piece of each face */
  uint32_t count, faces;
} th_mesh_pieces;

TH_API th_result th_mesh_pieces_make(const th_mesh *mesh, th_mesh_pieces *pieces, th_error *error);
TH_API void th_mesh_pieces_free(const th_mesh *mesh, th_mesh_pieces *pieces);

/** Loops of border half-edges; the surface lies left of each. Loop i is half[start[i]] ... half[start[i + 1] - 1]. */
typedef struct th_mesh_borders {
  uint32_t *start, *half;
  uint32_t count, halves;
} th_mesh_borders;

TH_API th_result th_mesh_borders_make(const th_mesh *mesh, th_mesh_borders *borders, th_error *error);
TH_API void th_mesh_borders_free(const th_mesh *mesh, th_mesh_borders *borders);

#ifdef __cplusplus
}
#endif
#endif
