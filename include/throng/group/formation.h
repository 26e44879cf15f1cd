/* throng/group/formation.h - how members of a group stand to each other while they travel.
 *
 * Threads: data only.
 */
#ifndef THRONG_GROUP_FORMATION_H
#define THRONG_GROUP_FORMATION_H

#include "../base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How members stand to each other while they travel. */
typedef enum th_formation_kind {
  TH_FORMATION_NONE,
  TH_FORMATION_POINTS,  /* posts as listed, one for each member */
  TH_FORMATION_LINE,    /* side by side */
  TH_FORMATION_COLUMN,  /* `columns` files, one by default */
  TH_FORMATION_WEDGE,   /* rows of 1, 2, 3, ... behind each other */
  TH_FORMATION_CIRCLE,  /* `spacing` apart on a circle */
  TH_FORMATION_GRID,    /* `columns` files, by default as many as rows */
  TH_FORMATION_OUTLINE, /* along the closed line of `point`, in equal distances */
  TH_FORMATION_FRIENDS  /* up to three side by side, more of them in pairs; all wait for whoever falls behind */
} th_formation_kind;

/** A formation travels where the guide of its members leads: its front walks as one agent would, and each member has a
 *  post behind or beside it. The shape turns with the path, thins where there is no room, and closes again. The front
 * is as fast as the slowest member and slows down for whoever is farthest behind. At a stop where members wait or stay
 *  they arrive in their posts, all at once. Posts are given out when the group is made or changes, so that the sum of
 *  all distances is least; the leader gets the first one. Guides with rows for each agent (tree, target) have no
 *  formation: their agents walk as without. */
typedef struct th_formation {
  int32_t kind;         /* th_formation_kind, default none */
  const th_vec2 *point; /* points, outline: x ahead, y to the left, about any origin [m]; copied */
  uint32_t point_count; /* points: as many as members or more; outline: 3 or more; at most 65536 */
  float spacing;        /* between neighbours [m] [0, 100]; default 0: 1.2, of friends 0.8 */
  float speed;          /* of the front [m/s] [0, 100]; default 0: that of the slowest member */
  uint32_t columns;     /* files of a column or grid, most side by side of friends [0, 65536]; default 0: as the kind */
} th_formation;

#ifdef __cplusplus
}
#endif
#endif
