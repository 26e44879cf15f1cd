/* throng/building.h - buildings: level floors, ramps, stairs and lifts as one mesh.
 *
 * Floors are polygons; each becomes triangles of an even size. A flight (ramp or stairs) is an inclined strip between
 * an edge of the lower floor and an edge of the upper one; both floors share its end points, so the whole is one
 * surface, on which all agents walk and all fields are solved. docs/buildings.md explains the rules.
 * Threads: any; calls on one building must not overlap.
 */
#ifndef THRONG_BUILDING_H
#define THRONG_BUILDING_H

#include "ground.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A terrain on a part of a level; a later one lies on top. */
typedef struct th_level_terrain {
  th_terrain kind;
  th_polygon area;
} th_level_terrain;

typedef struct th_level_def {
  const char *name;          /* for people, or NULL */
  int32_t number;            /* each its own, not 0: faces of flights and lifts have level 0 */
  float z;                   /* [m] */
  const th_polygon *outline; /* walkable: all of these */
  uint32_t outline_count;
  const th_polygon *obstacle;
  uint32_t obstacle_count;
  const th_level_terrain *terrain;
  uint32_t terrain_count;
} th_level_def;

/** A ramp or a flight of stairs, straight, its plan a convex quadrangle. Two parts of the floors are cut out: the part
 *  of the lower floor that lies less than `under` below the flight, and the whole plan of the flight in every higher
 *  floor up to its head. */
typedef struct th_flight_def {
  const char *name, *kind;    /* terrain of its faces, "stairs" or "ramp" */
  int32_t from, to;           /* numbers of levels of different heights */
  th_vec2 foot[2];            /* edge on `from` [m] */
  th_vec2 head[2];            /* edge on `to` [m]; the flight rises by at most 2 m for each metre */
  float speed;                /* factor of the wanted speed [0.01, 10]; default 0 = on stairs 0.53 up and 0.60 down
                                 (Weidmann 1993), 1 on ramps */
  float speed_up, speed_down; /* instead, uphill and downhill [0.01, 10]; default 0 = as speed */
} th_flight_def;

typedef enum th_side { TH_SIDE_EAST, TH_SIDE_NORTH, TH_SIDE_WEST, TH_SIDE_SOUTH } th_side;

/** Agents walk through a lift: its shaft holds a spiral with a landing between any two floors. An agent that goes up
 *  enters by the right half of the door and leaves by the left half. The speed factor of the spiral is set so that an
 *  agent with the wanted speed `pace` takes as long as the ride. */
typedef struct th_lift_def {
  const char *name;
  th_vec2 corner[2];    /* of the shaft, opposite [m]; the door side at least 1.6, the other 1.4 long */
  th_side door;         /* the side of the shaft that is open, on every level */
  const int32_t *level; /* numbers, ascending in height */
  uint32_t level_count; /* 2 or more */
  float speed;          /* of the cabin [m/s] [0.05, 20], default 1 */
  float wait;           /* added for each floor, doors and waiting [s] [0, 600], default 5 */
  float pace;           /* [m/s] [0.1, 10], default 1.34 */
} th_lift_def;

typedef struct th_building_def {
  th_env env;
  const th_level_def *level;
  uint32_t level_count;
  const th_flight_def *flight;
  uint32_t flight_count;
  const th_lift_def *lift;
  uint32_t lift_count;
  float edge;          /* wanted length of edges [m] [0.05, 10], default 0.5 */
  float under;         /* [m] [0.3, 10], default 0.5 */
  float railing;       /* floor beside a flight that is left out with it [m] [0, 2], default 0.1 */
  bool apart;          /* allow pieces that are not connected; default false */
  uint32_t face_limit; /* floors that need more triangles are refused before anything is made, default 1,000,000 */
} th_building_def;

/** Faces are those of the mesh. Terrain 0 is "floor"; those of levels, flights and lifts follow. */
typedef struct th_building {
  th_allocator allocator;
  th_mesh mesh;
  int32_t *level_of;
  uint8_t *terrain_of;
  th_terrain *terrain;
  uint32_t face_count, terrain_count, pieces;
  char *names;      /* of the terrains */
  double min_angle; /* of the floors' triangles [degrees] */
  struct {
    size_t names_size;
  } tail; /* the library's own */
} th_building;

TH_API th_building_def th_default_building_def(void);
TH_API th_level_def th_default_level_def(void);   /* without a number and without floors */
TH_API th_flight_def th_default_flight_def(void); /* stairs without a place */
TH_API th_lift_def th_default_lift_def(void);     /* without a place and without levels */

/** `where` of an error is "level", "flight" or "lift" with the element; lines closer than half a millimetre count as
 *  touching. Coordinates are rounded to 1/16384 m. Any thread. */
TH_API th_result th_building_make(const th_building_def *def, th_building *building, th_error *error);
TH_API void th_building_free(th_building *building);

#ifdef __cplusplus
}
#endif
#endif
