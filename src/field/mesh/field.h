/* field/mesh/field.h - internals of fields on mesh ground. */
#ifndef TH_FIELD_MESH_FIELD_H
#define TH_FIELD_MESH_FIELD_H

#include "base/heap.h"
#include "field/field.h"
#include "field/mesh/graph.h"
#include "field/sample.h"
#include "geometry/mesh/frames.h"

/* What sampling reads of a face: one cache line. x, y are the face's frame. */
typedef struct th_face_node {
  float gx[3], gy[3]; /* grad u at x, y: gx[0] + gx[1] x + gx[2] y, in units of the face's highest u [1/m] */
  float u[3];         /* u there, likewise */
  float left[3];      /* remaining distance there [m] */
  float aim_x, aim_y; /* where faces that are not smooth lead; the goal's centre in goal faces */
  float radius;       /* goal faces: an agent this close to the aim has arrived [m] */
  int32_t code;       /* th_node_code and th_face_code */
} th_face_node;

#define TH_FACE_WORDS 16

enum th_face_code {
  TH_FACE_CENTRE = 64 /* the path is straight to the aim and `left` is measured to it: faces at the goal */
};

typedef struct th_mesh_links th_mesh_links; /* edges.h */

/* What a solver keeps of one version of a mesh ground besides factors. Made on demand. */
struct th_mesh_solver {
  th_mesh_graph graph;
  th_elimination *tree;
  float *turn;         /* cos, sin of each half-edge: from its face's frame to the frame of its vertex */
  uint32_t *fan_start; /* intrinsic half-edges that leave each vertex */
  uint32_t *fan;
  double *apex;         /* of each intrinsic half-edge, along x with its face above: the far corner */
  th_mesh_links *links; /* for fields along edges */
  float *all;           /* all of those, a row of each vertex (all_edges.c); NULL: none */
  bool ready;
};

/* A field's own part on mesh ground. */
struct th_mesh_field {
  th_ground *ground; /* retained */
  th_face_node *node;
  double *u, *log_u; /* of each vertex; log_u: -INFINITY where u = 0; geodesic fields: -left / cell */
  double *climb;     /* as log_u, but with no top besides the goal, and with blocked vertices below all free ones */
  double *left;      /* of each vertex, INFINITY where no path leads */
  double *time;  /* geodesic field of the quickest or the roomiest path: time as distance at full speed, or cost [m];
                    else NULL */
  th_place goal; /* of a point or disc; cell TH_NO_CELL otherwise */
  uint32_t top;  /* the highest corner of its face; TH_NO_ELEMENT otherwise */
  bool geodesic;
};

/* Everything that making one field needs. */
typedef struct th_mesh_field_build {
  th_solver *solver;
  const th_ground *ground;
  const th_mesh_ground *mesh;
  const th_allocator *allocator;
  const th_field_def *def;
  const th_nearest_free *nearest_free;
  uint32_t vertices, faces;
  uint8_t *kind;      /* th_cell_kind of each vertex; goal vertices are pinned */
  uint8_t *goal_face; /* 1: the whole face is goal */
  uint32_t *goal;     /* vertices of the goal, ascending */
  uint32_t goal_count, goal_capacity;
  th_place centre; /* of a point or disc; cell TH_NO_CELL otherwise */
  double centre_radius;
  bool geodesic, spread; /* spread: the source lies on the corners of the centre's face */
  bool quick;            /* faces have different speeds, and the quickest path is wanted */
  bool roomy;            /* paths cost more near walls */
  th_factor_rule rule;   /* of the operator; screens per square metre */
  th_mesh_field *field;
  th_mesh_edges edges; /* TH_FIELD_EDGES */
} th_mesh_field_build;

/* vertex_frames.c: fills solver->turn. */
void th_mesh_vertex_frames_fill(const th_mesh_ground *mesh_ground, float *turn);

/* nearest_free.c; `heap` is empty. */
void th_mesh_nearest_free_fill(const th_ground *ground, uint32_t radius_class, th_nearest_free *nearest_free,
                               th_heap *heap);

/* goal.c: kind, goal, goal_face and centre of the draft. */
th_result th_mesh_field_goal_find(th_mesh_field_build *build, th_error *error);

/* goal.c: whether a shape covers a walkable face, before there is a solver. */
th_result th_mesh_goal_check(const th_ground *ground, const th_shape *shape, th_error *error);

/* planned.c: fills log_u by the host's planner. */
th_result th_mesh_field_plan(th_mesh_field_build *build, th_error *error);

/* march.c: distance of every free vertex to the goal [m]. */
th_result th_mesh_field_march(const th_mesh_field_build *build, double *left, th_error *error);
double th_mesh_field_across_face(double l, double ta, double tb, const double *apex, double *share);

/* quickest.c: time of the quickest path to the goal, as distance at full speed, or cost of a roomy path [m], and the
 * length of that path [m]. */
th_result th_mesh_field_quickest(const th_mesh_field_build *build, double *time, double *distance, th_error *error);
bool th_mesh_ground_uneven(const th_mesh_ground *mesh_ground); /* walkable faces differ in their speed factors */

/* line_of_sight.c: what can be seen from a place, or from the goal's centre, over faces that are no further than
 * `reach`. */
typedef struct th_sight_callbacks {
  double reach;                                                              /* [m] */
  void (*vertex)(void *user, uint32_t vertex, double distance);              /* exact */
  void (*face)(void *user, uint32_t face, th_point centre, double distance); /* the centre laid out in its plane */
  void *user;
} th_sight_callbacks;
/* Follows at most `beams` beams; false when that was too few. */
bool th_sight_from_place(const th_mesh_ground *mesh_ground, th_place centre, const th_sight_callbacks *callbacks,
                         uint32_t beams);
void th_sight_from_goal(const th_mesh_field_build *build, const th_sight_callbacks *callbacks);

/* potential.c: log_u of every vertex. */
th_result th_mesh_field_potential(th_mesh_field_build *build, th_error *error);

/* climb.c: fills climb and left from log_u, left and exits. */
th_result th_mesh_field_climb(th_mesh_field_build *build, th_error *error);
uint32_t th_mesh_field_top(const th_mesh_field_build *build); /* the highest vertex of the goal */

/* aim.c: the point that a face leads to when its own slope does not lead on: round its highest corner. */
th_point th_mesh_field_aim(const th_mesh_field_build *build, uint32_t face);

/* ridge.c: gives an aim to smooth faces that would send agents back and forth. */
th_result th_mesh_field_ridges(const th_mesh_field_build *build, th_error *error);

/* node.c; th_mesh_juts_out: whether the walkable angle around a vertex on a wall is well above a half turn. */
bool th_mesh_juts_out(const th_mesh_ground *mesh_ground, uint32_t vertex);
th_result th_mesh_field_nodes(th_mesh_field_build *build, th_error *error);

/* field.c */
th_result th_mesh_field_make(th_solver *solver, const th_field_def *def, th_field **field, th_error *error);
void th_mesh_field_end(th_field *field);

/* sample.c: what the two kinds of fields on meshes share; see th_field_calls */
static inline bool th_mesh_field_is_face(const th_field *field, th_place place) {
  return place.cell < field->mesh->ground->mesh->mesh.face_count;
}
float th_mesh_field_offset(float eps, float scale, float v);
double th_mesh_field_sample_log(const th_field *field, th_place place);
double th_mesh_field_sample_u(const th_field *field, th_place place);
const double *th_mesh_field_values(const th_field *field, uint32_t *width, uint32_t *height);

/* trace.c, straighten.c: see throng/field.h. th_mesh_trace_to: a path that `trace` finds, in the layout asked for. */
typedef uint32_t (*th_mesh_trace)(const th_field *field, th_place from, th_place *place, uint32_t capacity);
uint32_t th_mesh_trace_to(const th_field *field, th_mesh_trace trace, th_place from, const th_trace_layout *to);
uint32_t th_mesh_field_trace(const th_field *field, th_place from, const th_trace_layout *to);
void th_mesh_field_straighten(const th_field *field, th_place *place, uint32_t count, uint32_t rounds);

TH_LANES_DECLARE(void, th_mesh_field_sample_lanes, const th_field *field, const th_guide_query *query,
                 const th_field_offsets *offsets);

#endif
