/* throng/group.h - groups: agents that belong together, and the shape that they take while they walk.
 *
 * An agent is in one group at most. A group may have a leader and a shape: an area that its members fill (formation:
 * polygons, or the dark pixels of an image, both seen from above), an alignment in rows and columns, or both. These
 * act on members whose model competes for markers (biocrowds): markers get weights, and competition spreads the
 * members; no member has a fixed place, so members may come and go and the shape may change at any time. Members of a
 * group with an area head for one common point in it until they own a marker of it. Or it travels in formation: each
 * member has a post, which reaches any model as the answer of a guide. A member that leaves the world leaves its group;
 * a group without members stays until it is removed. Sources: Rodrigues, "Controle de comportamentos de grupos de
 * personagens virtuais", 2010, chapter 5; Silveira et al., formations on group maps, MIG 2010. Threads: as
 * throng/world.h.
 */
#ifndef THRONG_GROUP_H
#define THRONG_GROUP_H

#include "group/formation.h"
#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct th_group_id {
  uint32_t index;
  uint16_t generation, tag;
} th_group_id;
#define TH_NULL_GROUP TH_ZERO_OF(th_group_id)
static inline bool th_is_null_group(th_group_id id) { return id.index == 0; }
static inline bool th_same_group(th_group_id a, th_group_id b) {
  return a.index == b.index && a.generation == b.generation && a.tag == b.tag;
}

#define TH_MAX_GROUPS 16384

/** Along which axes members line up. */
typedef enum th_align {
  TH_ALIGN_NONE,
  TH_ALIGN_HORIZONTAL, /* rows along x */
  TH_ALIGN_VERTICAL,   /* columns along y */
  TH_ALIGN_BOTH,       /* rows and columns */
  TH_ALIGN_QUEUE       /* one row along the leader's heading; without a leader along x */
} th_align;

typedef struct th_group_def {
  th_agent_id leader;     /* a member, or TH_NULL_AGENT */
  const th_polygon *area; /* what members fill: the union of these, copied; a sketched line is closed by its ends */
  uint32_t area_count;    /* 0: no area, unless there is an image */
  const th_image *image;  /* or NULL: its dark pixels are area, too; copied */
  float factor;           /* weight of markers in the area, against 1 outside [1, 1000], default 10 */
  int32_t align;          /* th_align, default none */
  float angle;            /* turns the axes of an alignment [degrees] [-360, 360], default 0 */
  float spacing;          /* arms of the masks are twice this long [m] [0.1, 10], default 1.6 */
  float half_width;       /* of an arm [m] [0.01, 5], default 0.3 */
  float base;             /* weight of a marker outside all masks [0, 100], default 1 */
  th_formation formation; /* default none; not together with an area or an alignment */
} th_group_def;

TH_API th_group_def th_default_group_def(void);

/** Makes a group of these agents, who leave their old groups. Fails when the area holds no marker of the ground, with
 *  all unchanged. With an area a goal is made at a random point of it, and members get it as their route. */
TH_API th_result th_world_add_group(th_world *world, const th_group_def *def, const th_agent_id *member, uint32_t count,
                                    th_group_id *group, th_error *error);
/** Members stay in the world and keep their routes; a goal of the group is removed. */
TH_API void th_world_remove_group(th_world *world, th_group_id group);
TH_API bool th_world_has_group(const th_world *world, th_group_id group);
/** Writes up to `capacity`, returns how many there are. */
TH_API uint32_t th_world_groups(const th_world *world, th_group_id *ids, uint32_t capacity);
/** Another leader or shape, while it walks; members head for a common point of the new area. */
TH_API th_result th_world_change_group(th_world *world, th_group_id group, const th_group_def *def, th_error *error);
/** The def as it is now; its pointers are valid until the next call that changes the world. False for a stale id. */
TH_API bool th_world_group_def(const th_world *world, th_group_id group, th_group_def *def);
/** The common point of a group with an area; false without one. */
TH_API bool th_world_group_point(const th_world *world, th_group_id group, th_vec3 *point);

/** The post of an agent in a formation that travels; false: it has none now. */
TH_API bool th_world_agent_post(const th_world *world, th_agent_id agent, th_vec3 *post);

/** How well a group has taken its shape. */
typedef struct th_group_fit {
  uint32_t members; /* that are in the world */
  double outside;   /* share of them outside the area [0, 1]; NAN without members or an area */
  double askew;     /* mean angle between the axes and the nearest member within 45 degrees of one, from above [degrees]
                       [0, 45], 22.5 by chance; NAN without an alignment, or with nobody there */
  double off_post;  /* mean distance of members from their posts, along the ground [m]; NAN without a formation */
} th_group_fit;
/** O(rows), with an alignment O(members x members); allocates. */
TH_API th_result th_world_group_fit(const th_world *world, th_group_id group, th_group_fit *fit, th_error *error);

/** All agents or none join; they leave their old groups. Event joined for each. */
TH_API th_result th_world_join_group(th_world *world, th_group_id group, const th_agent_id *agent, uint32_t count,
                                     th_error *error);
/** Event left. An agent without a group is no error. */
TH_API th_result th_world_leave_group(th_world *world, th_agent_id agent, th_error *error);
/** Members of `from` join `into`, and `from` is removed. */
TH_API th_result th_world_merge_groups(th_world *world, th_group_id into, th_group_id from, th_error *error);
/** These members of a group form a new one with the same shape, without a leader. */
TH_API th_result th_world_split_group(th_world *world, th_group_id group, const th_agent_id *member, uint32_t count,
                                      th_group_id *split, th_error *error);
/** In the order of their ids. */
TH_API uint32_t th_world_group_members(const th_world *world, th_group_id group, th_agent_id *ids, uint32_t capacity);
TH_API th_group_id th_world_agent_group(const th_world *world, th_agent_id agent); /* TH_NULL_GROUP: none */

#ifdef __cplusplus
}
#endif
#endif
