/* ground/path/portals.h - where the centre of a body may cross the edges of a mesh, and paths over them.
 *
 * A path is a corridor: the edges that it crosses, each as the half-edge of the face that is entered. Seen from where
 * it is entered, the half-edge's start is on the left.
 */
#ifndef TH_GROUND_PATH_PORTALS_H
#define TH_GROUND_PATH_PORTALS_H

#include "ground/mesh/ground.h"
#include "ground/path/free_space.h"

#define TH_LANDMARKS 8

typedef struct th_path_portals {
  th_allocator allocator;
  const th_mesh_ground *mesh; /* of the ground */
  uint32_t faces;
  float *low,
      *high;       /* of each half-edge the shares from its start between which a centre may cross; low > high: none */
  uint32_t *part;  /* of each face: from one part there is no path to another; TH_ANY_PART: blocked */
  float *landmark; /* of each face its distance from TH_LANDMARKS others [m]; INFINITY: of another part */
} th_path_portals;

/* landmarks.c: fills them in; false when out of memory. */
bool th_path_landmarks_find(th_path_portals *portals);

/* For a centre that keeps `radius` [m] from the walls. */
th_result th_path_portals_make(const th_ground *ground, double radius, th_path_portals **portals, th_error *error);
void th_path_portals_free(th_path_portals *portals); /* NULL is ignored */

static inline bool th_path_portals_open(const th_path_portals *p, uint32_t half) {
  return p->low[half] <= p->high[half];
}

/* The middle of what is open of an edge, in the frame of the half-edge's face. */
static inline th_point th_path_portals_middle(const th_path_portals *p, uint32_t half) {
  const th_mesh_frames *f = &p->mesh->frames;
  const th_point a = th_frames_corner(f, half), b = th_frames_corner(f, th_half_next(half));
  const double t = 0.5 * (double)(p->low[half] + p->high[half]);
  return (th_point){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
}

/* ---------------------------------------------------------------- corridors: corridor.c */

/* A corner of the path that is pulled tight in a corridor. */
typedef struct th_corridor_corner {
  th_point at;     /* in the frame of the first face */
  uint32_t portal; /* that it lies on; the number of portals: the end */
  bool left;       /* at the portal's left end */
} th_corridor_corner;

typedef struct th_corridor {
  const th_path_portals *portals;
  const uint32_t *half;
  uint32_t count;
  th_point from;          /* in the frame of the face before the first portal */
  th_place to;            /* in the face behind the last one */
  th_point *left, *right; /* of `count` points: memory for the portals, unfolded into the first face */
} th_corridor;

/* The corners of the shortest path in the corridor, up to `capacity`, the end among them; returns how many there are.
 * `length` [m] may be NULL. */
uint32_t th_corridor_pull(const th_corridor *corridor, th_corridor_corner *corner, uint32_t capacity, double *length);

/* The place of a corner, in the face behind its portal. */
th_place th_corridor_place(const th_corridor *corridor, const th_corridor_corner *corner);

/* The other way round the vertex at a corner: writes the new portals, `first` and `last` of the old ones are those that
 * they replace. 0: there is none. */
uint32_t th_corridor_other_side(const th_corridor *corridor, const th_corridor_corner *corner, uint32_t *half,
                                uint32_t capacity, uint32_t *first, uint32_t *last);

/* ---------------------------------------------------------------- searches: portal_search.c */

typedef struct th_portal_search th_portal_search;

/* NULL when out of memory. For any portals of the same mesh. */
th_portal_search *th_portal_search_make(const th_path_portals *portals);
void th_portal_search_free(th_portal_search *search); /* NULL is ignored */

typedef struct th_portal_path {
  const uint32_t *half; /* of the search, until its next run */
  uint32_t count;
  double length;
  bool found, whole; /* whole: it leads to the target; else to where the search came nearest */
  th_place end;
} th_portal_path;
/* From end[0] to end[1]; a search of more than `most` nodes ends early. */
th_portal_path th_portal_search_run(th_portal_search *search, const th_path_portals *portals, const th_place end[2],
                                    uint32_t most);

/* The free place nearest to `place`, whose face is blocked or of another part, in `part`; cell = TH_NO_CELL: none. */
th_place th_portal_search_nearest(th_portal_search *search, const th_path_portals *portals, uint32_t face,
                                  uint32_t part);

uint32_t th_portal_search_query(const th_ground *ground, const th_path_portals *portals, const th_place end[2],
                                th_place *place, uint32_t capacity);

#endif
