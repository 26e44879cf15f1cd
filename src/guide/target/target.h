/* guide/target/target.h - what an agent of the guide `target` remembers, and how paths are kept on a kind of ground. */
#ifndef TH_GUIDE_TARGET_TARGET_H
#define TH_GUIDE_TARGET_TARGET_H

#include "ground/path/search.h"
#include "ground/path/shelf.h"
#include "throng/guide/target.h"

typedef enum th_target_does { TH_TARGET_WAITS, TH_TARGET_WALKS, TH_TARGET_IS_LOST } th_target_does;
typedef enum th_target_need { TH_TARGET_HAS_PATH, TH_TARGET_MAY_SEARCH, TH_TARGET_MUST_SEARCH } th_target_need;

#define TH_TARGET_HALVES 48 /* sides of a mesh that are kept of a path */

/* The row of an agent. It has no padding that is written, and no pointers. */
typedef struct th_target_row {
  th_vec3 point;   /* where it wants to go [m] */
  th_vec3 aimed;   /* `point` when `end` was found */
  th_vec3 end;     /* what stands for that */
  th_vec3 planned; /* `point` when the path was searched */
  float tail;      /* from the first corner along the path to its end [m] */
  float rest;      /* the part of it behind the last corner kept [m] */
  float best;      /* the least that was left of this path so far [m] */
  float left;      /* of the path, as answered last [m] */
  uint32_t begun;  /* it has a target */
  uint32_t version, radius_class;
  uint32_t does, need; /* th_target_does, th_target_need */
  uint32_t moved, follows, whole;
  uint32_t effort; /* how often in a row a search has ended early */
  uint32_t count;  /* corners kept */
  uint32_t passed; /* before these */
  uint32_t face;   /* where the body is, in the free space or the mesh; TH_NOWHERE: not known */
  th_vec2 at; /* flat ground: its nearest point of the free space; a mesh: the next corner in the frame of `face` */
  th_vec2 corner[TH_TARGET_CORNERS]; /* flat ground */
  /* on a mesh only: the sides that it crosses next, as half-edges of the faces that are entered, and the end of the
   * last one */
  uint32_t half_count;
  uint32_t half[TH_TARGET_HALVES];
  th_place stop;
  th_place goal; /* the place of `end` */
} th_target_row;

/* What all share on one version of the ground. */
typedef struct th_target_shared {
  const th_ground *ground; /* not retained: the world keeps both for the same version */
  th_path_ground on[TH_MAX_CLASSES];
  th_path_search *search[TH_MAX_CLASSES]; /* of flat ground; only `learn` uses it */
  th_portal_search *crossing;             /* of a mesh, likewise */
  const struct th_target_kind *kind;
} th_target_shared;

/* An agent while the guide learns. */
typedef struct th_target_job {
  const th_target_shared *shared;
  th_target_row *row;
  th_place place;
  uint32_t nodes; /* that a search may take */
} th_target_job;

/* How paths are found and kept. */
typedef struct th_target_kind {
  /* Finds `end`, and whether it was moved; false: there is no path to it. */
  bool (*aim)(const th_target_job *job);
  void (*search)(const th_target_job *job);
  bool (*shift)(const th_target_job *job); /* `end` has changed a little: false when the path does not lead there */
  void (*lead)(const th_guide_query *query, uint32_t lane); /* advances along the path and answers */
  uint32_t (*corners)(const th_guide_query *query, th_vec3 corner[TH_TARGET_CORNERS]); /* those that are kept */
} th_target_kind;
extern const th_target_kind th_target_kind_flat, th_target_kind_mesh;

void th_target_learn(const th_guide_update *update);

/* Direction and distance left, once the first corner is `x`, `y` away. */
void th_target_answer(const th_guide_query *query, uint32_t lane, float x, float y);

#endif
