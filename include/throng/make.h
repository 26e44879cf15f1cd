/* throng/make.h - surfaces made by name: for scenes, tests and first tries without a mesh file. Part of
 * throng_make, not of the core library.
 *
 * Threads: any.
 */
#ifndef THRONG_MAKE_H
#define THRONG_MAKE_H

#include "mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct th_param th_param; /* param.h */

typedef enum th_make_shape {
  TH_MAKE_SHAPE_PLANE,   /* length x width, z = 0 */
  TH_MAKE_SHAPE_TERRAIN, /* the same with hills */
  TH_MAKE_SHAPE_PLANET,  /* a sphere of `radius` */
  TH_MAKE_SHAPE_TORUS,   /* a tube of `radius` round a circle of `large` */
  TH_MAKE_SHAPE_TUBE,    /* along z, open at both ends */
  TH_MAKE_SHAPE_COSTA,   /* Costa's minimal surface: genus 1, three borders */
  TH_MAKE_SHAPE_HOUSE,   /* two floors of 12 x 8 m with walls, doors and stairs */
  TH_MAKE_SHAPE_STATUE,  /* a standing figure with `genus` handles */
  TH_MAKE_SHAPE_SIEVE,   /* a curved plate with `genus` holes */
  TH_MAKE_SHAPE_CAR      /* the shell of a car, open below */
} th_make_shape;

/** One struct for all shapes; each shape reads the members that its description in the parameter table names. */
typedef struct th_make_params {
  int32_t shape;             /* th_make_shape, default planet */
  float length, width, edge; /* plane, terrain; length and edge also of a tube, edge of a torus [m] */
  float height, wave;        /* terrain: hills [m] */
  float radius, large;       /* planet, torus, tube [m] */
  float bumps;               /* planet: share of the radius */
  float end_radius, bend;    /* tube [m] */
  int32_t level, detail;     /* planet; costa and house */
  int32_t faces, genus;      /* statue, sieve */
  float scale;               /* of the whole */
  float noise;               /* moves vertices by up to this share of an edge */
  int32_t seed;
  bool inside;        /* tube: the inner side is walkable */
  int32_t face_limit; /* more faces are refused before anything is made, default 1,000,000 */
  th_env env;
} th_make_params;

/** The parameter table of th_make_params. */
TH_API const th_param *th_make_table(uint32_t *count);
TH_API th_make_params th_default_make_params(void);

/** Makes the surface of the parameters; `mesh` is freed with th_mesh_free. Any thread. */
TH_API th_result th_mesh_generate(const th_make_params *params, th_mesh *mesh, th_error *error);

#ifdef __cplusplus
}
#endif
#endif
