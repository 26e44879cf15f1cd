/* guide/tree/space.h - the markers that trees grow through, and straight paths over the ground to them. */
#ifndef TH_GUIDE_TREE_SPACE_H
#define TH_GUIDE_TREE_SPACE_H

#include "ground/ground.h"
#include "throng/guide.h"

/* What all trees of one ground version share. */
typedef struct th_tree_space {
  th_allocator allocator;
  const th_ground *ground; /* not retained: the world keeps both for the same version */
  uint32_t count;
  th_place *place; /* of each marker */
  th_vec3 *point;
  uint32_t *start, *item; /* markers by bucket; start has mask + 2 entries */
  uint32_t mask;
  float cell; /* of a bucket [m] */
} th_tree_space;

typedef struct th_tree_space_def {
  const th_ground *ground;
  const th_place *place; /* of each marker, copied */
  uint32_t count;
  float reach; /* at least the greatest distance that th_tree_near is called with, best exactly that [m] */
} th_tree_space_def;

th_result th_tree_space_make(const th_env *env, const th_tree_space_def *def, th_tree_space **space, th_error *error);
void th_tree_space_free(th_tree_space *space);

/* How a tree sees: whether walls hide, and the radius of the body that will walk [m]. */
typedef struct th_tree_eye {
  const th_tree_space *space;
  bool sight;
  float radius;
} th_tree_eye;

/* The offset of a place from another, along a straight path over the ground of at most `reach`, as a vector of the cell
 * of `from`. False when it is farther, or a wall hides it. On a mesh it is the logarithmic map of the surface: the
 * coordinates of `to` in the geodesic polar chart about `from`; there a straight path must exist even where walls do
 * not hide. */
bool th_tree_offset(const th_tree_eye *eye, th_place from, th_place to, float reach, th_vec2 *offset);

/* Calls `visit` for every marker within `reach` that can be seen from a place, with its offset; in a fixed order. */
typedef void (*th_tree_visit)(void *context, uint32_t marker, th_vec2 offset);
void th_tree_near(const th_tree_eye *eye, th_place from, float reach, th_tree_visit visit, void *context);

/* Goes straight by a vector; false when a wall stops it, or a body of the eye's radius could not follow. With sight the
 * end is moved off walls that are nearer than the body's radius. */
bool th_tree_go(const th_tree_eye *eye, th_place from, th_vec2 offset, th_place *to);

/* The direction over the ground to a point in space, of any length, in the frame of the cell. */
th_vec2 th_tree_towards(const th_ground *ground, th_place from, th_vec3 point);

#endif
