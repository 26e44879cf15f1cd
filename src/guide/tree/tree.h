/* guide/tree/tree.h - one tree: nodes and the markers around them, in one flat row of bytes without pointers. */
#ifndef TH_GUIDE_TREE_TREE_H
#define TH_GUIDE_TREE_TREE_H

#include <math.h>

#include "guide/tree/space.h"
#include "throng/guide/tree.h"
#include "throng/trace.h"

#define TH_TREE_NONE UINT16_MAX /* no node */

enum { TH_TREE_ALIVE = 1, TH_TREE_FRESH = 2, TH_TREE_IDLE = 4, TH_TREE_DOOMED = 8 };

/* A node. */
typedef struct th_tree_slot {
  th_place place;
  th_vec3 point;
  uint16_t parent, child, sibling; /* first child, next sibling; a free slot: the next free one in `child` */
  uint16_t children;               /* that are alive */
  uint16_t depth;                  /* segments from where the tree began */
  uint16_t flags;                  /* FRESH: made in this iteration. IDLE: no marker of its own, until nodes are cut */
} th_tree_slot;

/* A marker within the action radius of some node. */
typedef struct th_tree_marker {
  uint32_t marker; /* + 1; 0: empty */
  uint16_t nearest, owner;
  float distance; /* of the nearest [m] */
} th_tree_marker;

typedef struct th_tree_head {
  uint32_t begun, version;    /* the ground's */
  uint32_t does, target;      /* th_tree_does; index of the target's id, 0: none */
  uint32_t capacity, mask;    /* nodes; entries of the table less 1 */
  uint32_t count, used, free; /* nodes alive; slots in use at some time; first free slot */
  uint32_t kept;              /* entries of the table */
  uint16_t root, next, best;
  uint16_t reached;
  uint32_t draws;    /* random numbers used so far */
  uint32_t aim;      /* wandering: marker + 1 */
  uint32_t cut;      /* nodes are doomed since the last th_tree_settle */
  float aim_left;    /* wandering: time until another one [s] */
  float idle, blind; /* for how long it has had no node to go to, or not seen the next one [s] */
  float beside;      /* for how long it has been within two segments of the next node [s] */
  th_vec3 point;     /* the target */
  th_vec3 area;      /* escaping */
  float area_radius;
  th_guide_answer answer;
} th_tree_head;

typedef struct th_tree {
  th_tree_head *head;
  th_tree_slot *node;
  th_tree_marker *table;
} th_tree;

/* nodes.c */
size_t th_tree_row_size(const th_tree_params *params);
th_tree th_tree_open(const void *row); /* for readers too: they write nothing */
/* Empties a row and plants the root. */
void th_tree_plant(th_tree *tree, const th_tree_params *params, const th_tree_eye *eye, th_place place);
/* A child; TH_TREE_NONE when the tree is full or a node stands there already. It retains nothing yet. */
uint16_t th_tree_node_add(th_tree *tree, const th_tree_params *params, const th_tree_eye *eye, uint16_t parent,
                          th_place place);
/* The markers that it is nearest to become its own. */
void th_tree_node_claim(th_tree *tree, const th_tree_params *params, const th_tree_eye *eye, uint16_t node);
/* Dooms a node with all its descendants. */
void th_tree_node_cut(th_tree *tree, uint16_t node);
/* Removes what is doomed, releases its markers and gives the markers that it was nearest to, to others. */
void th_tree_settle(th_tree *tree, const th_tree_params *params, const th_tree_eye *eye);
th_tree_marker *th_tree_entry(const th_tree *tree, uint32_t marker); /* NULL: not in the table */
static inline bool th_tree_lives(const th_tree *tree, uint32_t node) { return tree->node[node].flags & TH_TREE_ALIVE; }

/* What a tree grows towards or away from, in one iteration. */
typedef struct th_tree_target {
  bool exists;           /* false: escapes, all markers weigh the same and every node grows */
  th_vec3 point;         /* [m] */
  const th_shape *shape; /* of a goal; then `point` is not used */
} th_tree_target;

/* What one iteration needs. */
typedef struct th_tree_job {
  const th_tree_params *params;
  th_tree_eye eye;
  th_tree tree;
  th_tree_target target;
  th_place at;   /* of the agent */
  th_vec3 point; /* in space */
  uint64_t seed;
  uint32_t agent;
  float dt;
  /* Trees whose markers it may not use, and points round which markers are blocked. */
  const th_tree *rival;
  uint32_t rival_count;
  const th_vec3 *guard;
  uint32_t guard_count;
} th_tree_job;

th_vec3 th_tree_nearest_of(const th_tree_target *target, th_vec3 from); /* the target's point nearest to `from` */
static inline float th_tree_apart(th_vec3 a, th_vec3 b) {
  float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
  return sqrtf(x * x + y * y + z * z);
}
float th_tree_draw(th_tree_job *job);                          /* [0, 1) */
bool th_tree_is_free(const th_tree_job *job, uint32_t marker); /* for other trees and guards */

/* grow.c: one iteration; returns how many nodes were made. grow_random.c: the same as a random tree. */
uint32_t th_tree_grow(th_tree_job *job);
uint32_t th_tree_grow_random(th_tree_job *job);
void th_tree_retain(th_tree_job *job, uint16_t node);
/* The unnormalised direction in which a node would grow, the markers that it may use, and the best of them. */
typedef struct th_tree_pull {
  th_vec2 sum;
  float weight;
  uint32_t markers;
} th_tree_pull;
th_tree_pull th_tree_pull_of(const th_tree_job *job, uint16_t node);
float th_tree_chance(const th_tree_job *job, float nearest, uint16_t node);

/* follow.c */
void th_tree_judge(th_tree_job *job);                                      /* finds `best` and `reached` */
void th_tree_advance(th_tree_job *job);                                    /* the agent has come to nodes: prunes */
void th_tree_follow(th_tree_job *job);                                     /* next, and the answer */
uint16_t th_tree_step_to(const th_tree *tree, uint16_t from, uint16_t to); /* child of `from` towards `to`, or none */

/* trace.c */
enum { TH_TREE_TRACES = 5 };
extern const th_trace th_tree_traces[TH_TREE_TRACES];
void th_tree_trace_publish(const th_guide_query *query, uint32_t lane);
th_trace_size th_tree_trace_size(const void *params);

/* keep.c: the ground has another version; false when the root is no longer on it */
bool th_tree_keep(th_tree_job *job);

/* pursue.c */
void th_tree_pursue(th_tree_job *job); /* a target that was reached has been lost */
void th_tree_keep_clear(th_tree_job *job, const th_vec3 *other, uint32_t count); /* nodes near others are cut */

#endif
