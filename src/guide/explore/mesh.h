/* guide/explore/mesh.h - the map of mesh ground: what explorers know of each vertex. */
#ifndef TH_GUIDE_EXPLORE_MESH_H
#define TH_GUIDE_EXPLORE_MESH_H

#include "field/mesh/field.h"
#include "guide/explore/explore.h"

/* The parts of a block, and the ground that they belong to. */
typedef struct th_explore_mesh {
  th_explore_head *head;
  const th_ground *ground;
  const th_mesh_ground *mesh_ground;
  const th_mesh *mesh;
  double *u;     /* of each vertex: 0 where blocked, 1 where unknown and on the target */
  float *left;   /* distance to the target [m] */
  uint8_t *mark; /* TH_EXPLORE_KNOWN and so on */
  th_nearest_free nearest_free;
  uint32_t *stamp, *list; /* of a window: which vertices belong to it, and these in the order in which they were met */
  /* The vertices of a run of sweeps with their links, packed in its order. A free vertex is never at the border, so
   * there are at most as many links as half-edges. Between sweeps `weight` is scratch memory for other uses. */
  uint32_t *cell, *row, *neighbour;
  double *weight;
  size_t room; /* bytes of `weight` */
} th_explore_mesh;

size_t th_explore_mesh_size(const th_ground *ground);
th_explore_mesh th_explore_mesh_open(const void *memory, const th_ground *ground); /* for readers too */

static inline bool th_explore_is_free(const th_explore_mesh *explored_mesh, uint32_t v) {
  return (explored_mesh->mark[v] & (TH_EXPLORE_KNOWN | TH_EXPLORE_BLOCKED)) == TH_EXPLORE_KNOWN;
}

/* An empty heap in the scratch memory of the map. */
th_heap th_explore_mesh_heap(const th_explore_mesh *explored_mesh);

/* mesh_sense.c */
uint32_t th_explore_mesh_window(th_explore_mesh *explored_mesh, th_place from, float reach); /* fills `list` */
void th_explore_mesh_sense(void *memory, const th_guide_update *update, uint32_t explorer);
/* True when the straight path between two places is free and at most `reach` long. */
bool th_explore_mesh_sees(const th_ground *ground, th_place from, th_place to, float reach);

/* mesh_target.c */
void th_explore_mesh_seek(void *memory, const th_guide_update *update);

/* mesh_relax.c */
void th_explore_mesh_relax(void *memory, const th_guide_update *update, uint32_t explorer);
void th_explore_mesh_measure(void *memory, const th_ground *ground);
void th_explore_mesh_find_open(void *memory, const th_ground *ground);
/* The start of the distances to the target: calls back with each known free start vertex and its distance; returns how
 * many. */
uint32_t th_explore_mesh_starts(const th_explore_mesh *explored_mesh,
                                void (*start)(void *user, uint32_t v, double distance), void *user);

/* mesh_direction.c */
bool th_explore_mesh_is_open(const void *memory, const th_ground *ground, th_place place);
float th_explore_mesh_left(const void *memory, const th_ground *ground, th_place place);
th_vec2 th_explore_mesh_direction(const void *memory, const th_ground *ground, th_place place, bool by_left);

#endif
