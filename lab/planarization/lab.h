/* lab/planarization/lab.h - surfaces and crossings for the experiments with dynamic planarization.
 */
#ifndef TH_LAB_PLANARIZATION_LAB_H
#define TH_LAB_PLANARIZATION_LAB_H

#include <math.h>

#include "lab/planarization/crowd.h"
#include "lab/table.h"
#include "throng/figure.h"

/* A mesh of the thesis' table 5.1 with what its tables print. */
typedef struct th_planar_mesh {
  const char *name;
  th_make_size size;
  double faces, vertices, map_faces;          /* table 5.1 */
  double map_ms, field_ms, field_gb, maps_mb; /* table 5.2 */
} th_planar_mesh;

enum { TH_PLANAR_MESHES = 5 };
extern const th_planar_mesh th_planar_meshes[TH_PLANAR_MESHES];

th_result th_planar_mesh_ground(const th_planar_mesh *mesh, th_ground **ground, th_error *error);
th_result th_planar_sphere(uint32_t level, double bumps, th_ground **ground, th_error *error);

/* Agents that exchange places: from vertex to vertex. */
typedef struct th_planar_swap {
  th_ground *ground;
  const th_vec3 *from;
  const uint32_t *to; /* vertices */
  uint32_t agents;
  bool guard, one_face, collide; /* collide: bodies that touch are moved apart, as worlds do by default */
  uint32_t max_steps;
} th_planar_swap;

enum { TH_PLANAR_TRAIL = 400 };

typedef struct th_planar_result {
  th_decisions decisions;
  uint32_t arrived, steps;
  double time, distance; /* of the agents that arrived: mean time [s] and distance [m] */
  double detour;         /* mean of distance walked / distance of the field */
  th_vec3 *trail;        /* TH_PLANAR_TRAIL points of each agent, or NULL */
  uint32_t *trail_count;
  uint32_t agents;
} th_planar_result;

th_result th_planar_swap_run(const th_planar_swap *swap, bool trails, th_planar_result *result, th_error *error);
void th_planar_result_free(th_planar_result *result);

/* The vertex of the ground's mesh that is nearest to a point. */
uint32_t th_planar_nearest(const th_ground *ground, th_vec3 p);

/* The lab's figure: folder/id.png. False when the lab draws none. */
bool th_planar_figure_path(th_lab *lab, char *path, size_t size);

#endif
