/* lab/planarization/crowd.h - the crowds and maps that dynamic planarization is measured with. */
#ifndef TH_LAB_PLANARIZATION_CROWD_H
#define TH_LAB_PLANARIZATION_CROWD_H

#include "geometry/mesh/stretch.h"
#include "make/shapes.h"
#include "throng/ground.h"
#include "throng/metrics.h"
#include "throng/model/orca.h"
#include "throng/world.h"

/* Lengths of the thesis' missing parameters, in mean edges e; grounds are scaled to e = 1 m. */
#define TH_PLANAR_RADIUS 0.15f
#define TH_PLANAR_VISION 0.8f
#define TH_PLANAR_DT 0.05f /* with 1 m/s: a third of a radius per step */
#define TH_PLANAR_NEIGHBOURS 64

/* Frees the soup in any case. */
th_result th_planar_ground(const th_env *env, th_soup *soup, th_ground **ground, th_error *error);
double th_planar_area(const th_ground *ground); /* of all faces of its mesh [m^2] */

typedef struct th_planar_crowd {
  th_ground *ground; /* retained by the world */
  uint32_t agents, goals, workers;
  float radius;
  float dt; /* [s], a third of a radius at 1 m/s; 0 = TH_PLANAR_DT */
  uint64_t seed;
  bool one_face; /* the maps of the thesis: one conformal map per face */
  float patch;   /* else patches of this size [m], 0 = those of any world */
  bool collide;  /* bodies that touch are parted; the thesis had avoidance alone */
} th_planar_crowd;

/* Spread evenly over the surface, each heading for one of `goals` vertices that were drawn at random. */
th_result th_planar_crowd_make(const th_env *env, const th_planar_crowd *crowd, th_world **world, th_error *error);
/* An empty world with the thesis' step and maps; the guide `reference_points`; one agent as the crowd has them. */
th_result th_planar_world(const th_env *env, const th_planar_crowd *crowd, th_world **world, th_error *error);
th_agent_def th_planar_agent(const th_orca_params *params, float radius);
th_orca_params th_planar_params(float dt);
th_result th_planar_goal(th_world *world, uint32_t vertex, float arrive, th_goal_id *goal, th_error *error);

/* The step of a crowd. */
static inline float th_planar_dt(const th_planar_crowd *crowd) { return crowd->dt > 0.0f ? crowd->dt : TH_PLANAR_DT; }

/* 0.15 e, or less where bodies would cover more than half of the surface. */
float th_planar_radius(const th_ground *ground, uint32_t agents);

/* One step, whose decisions are added to `sum`; with `pairs` neighbours within the vision and the nearest pair, too. */
th_result th_planar_step(th_world *world, bool pairs, th_decisions *sum, th_error *error);

/* L2 of every triangle of every map of a surface, one map per face or one per patch. */
typedef struct th_planar_maps {
  th_stretch_table stretch;
  uint32_t maps;
  double faces;   /* of a map, mean */
  double seconds; /* of processor time for all maps */
  double bytes;   /* of all maps */
} th_planar_maps;

th_result th_planar_maps_measure(const th_env *env, th_ground *ground, bool one_face, th_planar_maps *maps,
                                 th_error *error);

#endif
