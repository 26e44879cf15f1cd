/* group/formation.h - where the posts of a formation are, who gets which, and how they pass narrow places. */
#ifndef TH_GROUP_FORMATION_H
#define TH_GROUP_FORMATION_H

#include "base/memory.h"
#include "throng/group/formation.h"

/* A post: where it is when there is room, and where it is now. */
typedef struct th_post {
  float depth, lateral; /* behind the front; to the left of the path [m] */
  uint32_t row;         /* posts of about the same depth; posts lie by row, the middle of a row first */
  float along, aside;   /* now: distance along the path, to its left [m] */
} th_post;

/* formation.c: the spacing of a formation, with its default [m]. */
float th_formation_spacing(const th_formation *formation);

/* Posts for so many members, sorted. */
void th_formation_lay(const th_formation *formation, th_post *post, uint32_t count);

/* assign.c: which member gets which post, so that the sum of distances is least; exactly for up to
 * TH_ASSIGN_EXACT of them, else by exchanges. `first`: the member that gets post 0, or UINT32_MAX. `work`:
 * th_assign_work(count) bytes, 8-byte aligned. */
#define TH_ASSIGN_EXACT 128
size_t th_assign_work(uint32_t count);
void th_assign_posts(const th_vec2 *member, const th_vec2 *post, uint32_t count, uint32_t first, uint32_t *post_of,
                     void *work);

/* Free space beside a path for the middle of a body, at a distance along it [m]. */
typedef struct th_free_sides {
  float left, right;
} th_free_sides;
typedef th_free_sides (*th_free_sides_at)(const void *path, float along);

/* squeeze.c: where the posts are now, with the front at a distance along the path. Bodies in narrow places are `tight`
 * apart side by side and `gap` behind each other [m]. */
typedef struct th_squeeze {
  float front, tight, gap;
  th_free_sides_at sides;
  const void *path;
} th_squeeze;
void th_formation_squeeze(const th_squeeze *squeeze, th_post *post, uint32_t count);

#endif
