/* geometry/mesh/polar_map.h - a flat map round a point of a surface: discrete geodesic polar coordinates.
 *
 *   th_polar_map_begin(&d, &frames, face); th_polar_map_advance(&d, reach); th_polar_map_close(&d);
 *   ... d.vertex[0 .. vertex_count) with node[v].x, y; d.face[0 .. face_count): faces that kept their shape ...
 *
 * The origin is the centroid of `face`, the axes are those of its frame. Blocked faces and the border are not crossed.
 */
#ifndef TH_GEOMETRY_MESH_POLAR_MAP_H
#define TH_GEOMETRY_MESH_POLAR_MAP_H

#include "base/lazy_heap.h"
#include "geometry/mesh/frames.h"

/* A face belongs to a map only when it keeps its orientation and each of its edges its length within this share. */
#define TH_CHART_STRETCH 0.25

typedef struct th_polar_map_node {
  double x, y;      /* planar coordinates [m] */
  double key;       /* distance along the surface from the origin [m]; |(x, y)| unless the path bends */
  double inverse;   /* 1 / (x^2 + y^2) */
  uint32_t lacking; /* of a final vertex: faces that are not complete */
  bool shadow;      /* no straight path from the origin is known */
  bool whole;       /* a complete face here kept its shape */
  bool broken;      /* a complete face here did not */
  bool closed;      /* has got its last value from th_polar_map_close: with a larger limit it might be another */
} th_polar_map_node;

typedef struct th_polar_map {
  th_allocator allocator;
  const th_mesh_frames *frames;
  const uint32_t *tag; /* faces with tag[face] == own belong to the map whatever becomes of them; NULL: none */
  uint32_t own;
  double strict; /* share; faces off by more end the growth soon after: see `first_off`; default INFINITY */
  uint32_t vertex_count, face_count, vertex_capacity, face_capacity;
  th_polar_map_node *node; /* by vertex of the mesh */
  uint32_t *mark;          /* by vertex: 2 run = has a value of this run, 2 run + 1 = it is final */
  uint32_t *vertex;        /* vertices with a value, in the order of the first one */
  uint32_t *face;          /* complete faces that belong to the map, in the order of completion */
  float *off;              /* of each of these the largest relative change of an edge, with a finite `strict` */
  th_lazy_heap heap;       /* vertices by their keys as floats */
  uint32_t *fan;           /* half-edges round one vertex */
  uint32_t fan_capacity;
  uint32_t run;
  double reached;                 /* distance up to which the map has been grown */
  double first_off, first_broken; /* least key of a face that is off by more than `strict`, and by more than allowed */
  bool failed;                    /* out of memory for the heap: the map is not complete */
} th_polar_map;

/* Memory for any run on meshes of this size. False when out of memory. */
bool th_polar_map_make(th_polar_map *d, const th_allocator *allocator, const th_mesh *mesh);
void th_polar_map_free(th_polar_map *d);

void th_polar_map_begin(th_polar_map *d, const th_mesh_frames *frames, uint32_t face);

/* Continues to all vertices with keys up to `limit`, or up to 1.5 first_off when that is less. */
void th_polar_map_advance(th_polar_map *d, double limit);

/* Takes the values that the rim has so far as final, so that every face with a corner inside is complete. */
void th_polar_map_close(th_polar_map *d);

/* For other searches by distance that use the same memory: begin a run without vertices; enter a vertex; take the
 * nearest one, true unless it has received a smaller key since. */
void th_polar_map_empty(th_polar_map *d, const th_mesh_frames *frames);
void th_polar_map_push(th_polar_map *d, double key, uint32_t vertex);
bool th_polar_map_pop(th_polar_map *d, uint32_t *vertex);

/* Key of the next vertex, INFINITY when there is none. */
static inline double th_polar_map_next(const th_polar_map *d) {
  return d->heap.count > 0 ? (double)th_lazy_distance(d->heap.key[0]) : INFINITY;
}

static inline bool th_polar_map_has(const th_polar_map *d, uint32_t vertex) {
  return d->mark[vertex] == 2 * d->run + 1;
}

/* Largest relative change of an edge of a face whose corners lie at p[0 .. 2]; INFINITY when it is turned over. */
double th_polar_map_face_off(const th_face_frame *frame, const th_point *p);

#endif
