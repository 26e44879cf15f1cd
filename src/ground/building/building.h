/* ground/building/building.h - parts of making a building: storeys and strips between them. */
#ifndef TH_GROUND_BUILDING_BUILDING_H
#define TH_GROUND_BUILDING_BUILDING_H

#include "geometry/triangulate_floor.h"
#include "throng/building.h"

#define TH_NO_LEVEL UINT32_MAX

/* A level of the building, or a landing of a lift. */
typedef struct th_storey {
  uint32_t level; /* index in the def, TH_NO_LEVEL for a landing */
  int32_t number;
  double z;
  th_lattice_point landing[4];
  uint32_t terrain; /* of a landing */
  double edge;      /* wanted length [units] */
  th_floor floor;
} th_storey;

/* A flight, or half of a lift's ascent between two floors. foot[0], foot[1], head[1], head[0] run counter-clockwise. */
typedef struct th_strip {
  uint32_t from, to; /* storeys; `to` is higher */
  th_lattice_point foot[2], head[2];
  uint32_t terrain;
  double edge; /* wanted length [units]: a quarter of its width at most, so that paths fit between its sides */
  bool cuts;   /* leaves out floor by its own plan; lifts do it by their shaft */
  const char *list;
  uint32_t element; /* the element that it belongs to, for errors */
  th_floor floor;
  double *z; /* of each point of the floor */
} th_strip;

typedef struct th_builder {
  const th_building_def *def;
  th_allocator allocator;
  th_error *error;
  th_storey *storey;
  th_strip *strip;
  uint32_t storey_count, storey_capacity, strip_count, strip_capacity;
  th_terrain terrain[TH_MAX_TERRAINS];
  uint32_t terrain_count;
} th_builder;

static inline th_lattice_point th_building_lattice(th_vec2 p) {
  double x = (double)p.x * TH_LATTICE, y = (double)p.y * TH_LATTICE;
  return (th_lattice_point){(int32_t)(x < 0 ? x - 0.5 : x + 0.5), (int32_t)(y < 0 ? y - 0.5 : y + 0.5)};
}

th_result th_building_check(const th_building_def *def, th_error *error);

/* Storeys and strips of the def, without their triangles. */
th_result th_building_layout(th_builder *builder);
void th_building_shaft(const th_lift_def *lift, th_lattice_point corner[4]);

/* The number of a terrain, added when it is new. */
th_result th_building_terrain(th_builder *builder, const th_terrain *kind, uint32_t *number);

/* Triangles of the storeys, then of the strips, whose ends take the points of the floors that they meet. */
th_result th_building_floors(th_builder *builder);
th_result th_building_flights(th_builder *builder);

/* No face may have another one close above: overlapping parts. */
th_result th_building_overlap(const th_builder *builder, const th_mesh *mesh, const uint32_t *part);

#endif
