/* ground/chart/chart.h - charts: flat maps, each shared by the agents of one patch.
 *
 * A chart lays a patch and the surface within `reach` of it flat. For every cluster that it overlaps it holds one 2x3
 * map per face, from the face's frame to the chart:
 *
 *   for (uint32_t n = 0; n < chart->cluster_count; n++) {
 *     uint32_t cluster = chart->cluster[n];                     ascending, so agents come in slot order
 *     const th_chart_map *map = th_chart_maps(chart, n);        by rank_of[face] - start[cluster]
 *     for each agent of the cluster:
 *       const th_chart_map *m = &map[patches->rank_of[face] - patches->start[cluster]];
 *       x' = m->a x + m->b y + m->tx, y' = m->c x + m->d y + m->ty;   velocities without tx, ty
 *   }
 *
 * Faces that the chart does not hold have NaN in all six numbers, so a comparison drops their agents. Own faces are
 * always held. Faces that are not joined with the patch over walkable surface are never held: agents do not see each
 * other through a thin sheet.
 */
#ifndef TH_GROUND_CHART_CHART_H
#define TH_GROUND_CHART_CHART_H

#include "geometry/mesh/conformal_map.h"
#include "ground/chart/patches.h"
#include "throng/ground.h"

typedef enum th_chart_method {
  TH_CHART_DGPC, /* geodesic polar coordinates about the patch's centre */
  TH_CHART_LSCM  /* least squares conformal, the central triangle pinned; region by edge distances */
} th_chart_method;

typedef struct th_chart_def {
  th_chart_method method;
  float reach;           /* what agents of the patch must see [m] */
  float clearance_cell;  /* of the clearance raster [m]; 0: no raster */
  float clearance_limit; /* [m] */
} th_chart_def;

typedef struct th_chart_map {
  float a, b, c, d, tx, ty;
} th_chart_map;

#define TH_CHART_WORDS 6 /* of a map */

typedef struct th_chart_box {
  float x0, y0, x1, y1;
} th_chart_box;

/* An octagon: a box, and one along the diagonals, where x is (x + y) / sqrt 2 and y is (y - x) / sqrt 2. Patches are
 * roundish: a box alone would take in a fifth more. */
typedef struct th_chart_octagon {
  th_chart_box box, slant;
} th_chart_octagon;

#define TH_SLANT 0.70710678f

static inline th_chart_box th_chart_box_grown(th_chart_box b, float by) {
  return (th_chart_box){b.x0 - by, b.y0 - by, b.x1 + by, b.y1 + by};
}

/* Everything within `by` of it, and little more. */
static inline th_chart_octagon th_chart_octagon_grown(const th_chart_octagon *o, float by) {
  return (th_chart_octagon){th_chart_box_grown(o->box, by), th_chart_box_grown(o->slant, by)};
}

/* One block of memory; pointers lead into it. */
typedef struct th_chart {
  size_t bytes; /* of the block */
  uint32_t patch;
  float cover;          /* within this distance of an own face every walkable point is held [m], at most reach */
  bool polar;           /* geodesic polar coordinates: also where LSCM was asked for and the region is no disc */
  uint32_t torn;        /* edges within reach where the chart ends although the surface goes on */
  uint32_t face_count;  /* held */
  th_chart_octagon own; /* round the patch */
  th_chart_box box;     /* of everything held */
  uint32_t cluster_count, own_first; /* own clusters are cluster[own_first ...] */
  uint32_t map_count, wall_count, vertex_count;
  const uint32_t *cluster;
  const float *away;     /* of each cluster: `own` grown by this may overlap what the chart holds of it [m]; infinite in
                            up to 15 more entries that fill the last 16 */
  const uint32_t *first; /* first map of each cluster; NULL: cluster n has one map, map[n] */
  const th_chart_map *map;       /* map_count of them, and one that holds no agent; 8 more bytes may be read */
  const th_segment *wall;        /* walkable space on the left */
  const uint32_t *vertex;        /* of the mesh: moving any of these changes the chart, moving others does not */
  th_raster clearance;           /* distance to the nearest wall [m], 0 outside; no samples without a raster */
  struct th_marker_sheet *sheet; /* owned block of its own: markers, where the cache was asked for them; else NULL */
} th_chart;

static inline uint32_t th_chart_first(const th_chart *chart, uint32_t n) { return chart->first ? chart->first[n] : n; }

static inline const th_chart_map *th_chart_maps(const th_chart *chart, uint32_t n) {
  return chart->map + th_chart_first(chart, n);
}

static inline bool th_chart_holds(const th_chart_map *map) { return map->a == map->a; }

/* Which map a face has; map_count where the chart does not overlap its cluster. O(log clusters). */
uint32_t th_chart_lookup(const th_chart *chart, const th_patches *patches, uint32_t face);

/* The map of a face, NULL when the chart does not hold it. O(log clusters). */
const th_chart_map *th_chart_find(const th_chart *chart, const th_patches *patches, uint32_t face);

static inline th_vec2 th_chart_point(const th_chart_map *m, float x, float y) {
  return (th_vec2){m->a * x + m->b * y + m->tx, m->c * x + m->d * y + m->ty};
}

static inline th_vec2 th_chart_vector(const th_chart_map *m, float x, float y) {
  return (th_vec2){m->a * x + m->b * y, m->c * x + m->d * y};
}

/* A vector of the chart in the frame of the face. */
static inline th_vec2 th_chart_to_face(const th_chart_map *m, float x, float y) {
  float inverse = 1.0f / (m->a * m->d - m->b * m->c);
  return (th_vec2){(m->d * x - m->b * y) * inverse, (m->a * y - m->c * x) * inverse};
}

/* One worker's memory for making charts. */
typedef struct th_chart_maker {
  th_allocator allocator;
  th_polar_map map;
  uint32_t face_capacity, cluster_capacity;
  uint32_t *mark;         /* of each face: 2 run = may enter, 2 run + 1 = held */
  uint32_t *face;         /* held, nearest to the patch first */
  uint32_t *cluster_mark; /* run of the last chart that overlapped the cluster */
  uint32_t *cluster;
  uint32_t *wall, *rim, *tear; /* half-edges: walls, sides of the patch, where the chart ends */
  uint32_t wall_capacity, rim_capacity, tear_capacity;
  uint32_t face_count, cluster_count, wall_count, rim_count, tear_count;
  uint32_t *bucket, *bucket_entry; /* faces by place, for the test of overlaps; first entry of each bucket */
  th_box *bucket_box;              /* of each face of the map */
  uint32_t bucket_capacity, bucket_entry_capacity, bucket_box_capacity;
  uint8_t *cell; /* raster cells with ground */
  uint32_t cell_capacity;
  th_conformal_map conformal_map; /* made when first used */
  th_box own, box;
  double radius; /* of the patch [m] */
  float cover;
  uint32_t torn;
} th_chart_maker;

bool th_chart_maker_make(th_chart_maker *maker, const th_allocator *allocator, const th_mesh *mesh,
                         const th_patches *patches);
void th_chart_maker_free(th_chart_maker *maker);

/* A pure function of all arguments but the maker; NULL when out of memory. */
th_chart *th_chart_build(th_chart_maker *maker, const th_mesh_frames *frames, const th_patches *patches,
                         const th_chart_def *def, uint32_t patch);
void th_chart_free(th_chart *chart, const th_allocator *allocator);

#endif
