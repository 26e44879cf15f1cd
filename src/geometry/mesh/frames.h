/* geometry/mesh/frames.h - every face has a flat frame of its own, with coordinates [m] on the face.
 *
 * Corner 0 is the origin, corner 1 lies on the x axis, corner 2 above it. A place on a mesh is a face with x, y in its
 * frame; crossing an edge is one rotation and one translation, kept for each half-edge.
 */
#ifndef TH_GEOMETRY_MESH_FRAMES_H
#define TH_GEOMETRY_MESH_FRAMES_H

#include "geometry/mesh/halfedge.h"
#include "geometry/segment.h"

typedef struct th_face_frame {
  double bx, cx, cy; /* corner 1 is (bx, 0), corner 2 (cx, cy) */
} th_face_frame;

/* From the frame of a half-edge's face to that of its twin's: x' = c x - s y + tx, y' = s x + c y + ty. */
typedef struct th_edge_map {
  double c, s, tx, ty;
} th_edge_map;

/* The frame in space, one cache line: p = origin + px x + py y. */
typedef struct th_face_space {
  double origin[3];
  float x[3], y[3], normal[3];
  float spare;
} th_face_space;

/* The same as face and edge in one cache line, for bodies that cross few edges in a step. Single precision suffices for
 * TH_LIGHT_CROSSINGS edges, unless one is crossed within TH_LIGHT_VERTEX of the face's height from a vertex. */
typedef struct th_face_walk {
  float bx, cx, cy;
  uint32_t over[3]; /* beyond each side: 4 x face + that face's corner where the side starts; TH_NO_HALF: border */
  float c[3], s[3]; /* rotation over each side */
  float spare[4];
} th_face_walk;
#define TH_LIGHT_CROSSINGS 2
#define TH_LIGHT_VERTEX 1e-4f

typedef struct th_mesh_frames {
  const th_mesh *mesh;                 /* not owned */
  const uint8_t *blocked;              /* 1 for faces that may not be entered; NULL: none; not owned */
  const struct th_mesh_frames *walked; /* of a surface without fine relief: the frames that places lie in; else NULL */
  th_face_frame *face;
  th_edge_map *edge; /* the identity at the border */
  th_face_space *space;
  th_face_walk *walk;
} th_mesh_frames;

bool th_mesh_frames_make(th_mesh_frames *frames, const th_mesh *mesh);       /* false when out of memory; O(n) */
bool th_mesh_frames_make_faces(th_mesh_frames *frames, const th_mesh *mesh); /* `face` alone; the others are NULL */
void th_mesh_frames_free(th_mesh_frames *frames);

/* Recomputes the frames from the mesh's vertices, which may have moved. Allocates nothing. */
void th_mesh_frames_refit(th_mesh_frames *frames);

static inline const th_mesh_frames *th_frames_walked(const th_mesh_frames *frames) {
  return frames->walked ? frames->walked : frames;
}

/* The start of half-edge h in its face's frame. */
static inline th_point th_frames_corner(const th_mesh_frames *frames, uint32_t h) {
  const th_face_frame *f = &frames->face[h / 3];
  return h % 3 == 0 ? (th_point){0.0, 0.0} : h % 3 == 1 ? (th_point){f->bx, 0.0} : (th_point){f->cx, f->cy};
}

/* Barycentric weights of a point of the frame, and back. */
void th_frames_weights(const th_mesh_frames *frames, uint32_t face, th_point p, double *weight);
th_point th_frames_at(const th_mesh_frames *frames, uint32_t face, const double *weight);

/* The point in space, and the frame's two axes there. */
void th_frames_point(const th_mesh_frames *frames, uint32_t face, th_point p, double *xyz);
void th_frames_axes(const th_mesh_frames *frames, uint32_t face, double *x_axis, double *y_axis);

#endif
