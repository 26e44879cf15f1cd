/* world/group/march.h - a group that travels in formation: its path so far, and the posts of its members. */
#ifndef TH_WORLD_GROUP_MARCH_H
#define TH_WORLD_GROUP_MARCH_H

#include "group/formation.h"
#include "throng/guide.h"
#include "world/shared.h"

#define TH_TRAIL_STEP 0.5f /* between samples of a trail [m] */

/* A place of the path. */
typedef struct th_trail_sample {
  th_place place;
  th_vec3 at;
  th_free_sides free;
} th_trail_sample;

/* A member and its post. */
typedef struct th_holder {
  th_agent_id agent; /* without a tag */
  th_vec3 at;        /* where the post is, and how it moves [m, m/s] */
  th_vec3 velocity;
  float off; /* distance of the member from it; below 0: it has none now [m] */
} th_holder;

/* State, as bytes. The trail is a ring: sample k lies `k` steps along the path. */
typedef struct th_march_numbers {
  int32_t kind;
  float spacing, speed;
  uint32_t columns;
  uint32_t points, members, samples; /* sizes of the arrays; samples: a power of two */
  uint32_t begun;                    /* the trail has begun and posts are given out */
  uint32_t first, end;               /* samples on the trail: [first, end) */
  uint32_t goal, guide;              /* of the members that march: a march to another goal goes on from here */
  uint32_t ended;                    /* the head has reached the goal */
  float front, pace;                 /* distance along the path [m]; share of the speed [0, 1] */
  float waited;                      /* since the front has reached its stop [s] */
  float left;                        /* from the head to the goal [m] */
  float lag, worst;                  /* farthest behind, farthest off a post [m] */
  th_vec2 heading;                   /* of the head, in the frame of the last sample */
  float widest, radius;              /* of the formation and its members [m] */
  float slowest;                     /* wanted speed of a member that marches [m/s] */
  uint64_t guide_memory[8];          /* what the guide keeps about the head */
} th_march_numbers;
_Static_assert(sizeof(th_march_numbers) == 24 * 4 + 64, "no padding, since bytes are hashed");

typedef struct th_marching {
  th_march_numbers numbers;
  th_vec2 *point;
  th_post *post; /* posts[i] is that of holder[i] once the march has begun */
  th_holder *holder;
  th_trail_sample *trail;
  void *work;    /* of th_assign_posts, and room to sort holders: not state */
  uint32_t room; /* members that the arrays hold */
} th_marching;

/* march.c */
th_result th_march_check(const th_formation *formation, th_error *error);
/* Whether a formation has posts for so many. */
th_result th_march_check_size(const th_marching *march, uint32_t members, th_error *error);
bool th_march_make(const th_allocator *allocator, const th_formation *formation, th_marching *march);
void th_march_free(th_marching *march, const th_allocator *allocator);
th_formation th_march_formation(const th_marching *march);
/* Room for so many members; whoever had a post has none any more. False: out of memory, and nothing has changed. */
bool th_march_reserve(th_marching *march, const th_allocator *allocator, uint32_t members);
/* Members of a group from now on, within the room; posts are given out in the next step. */
void th_march_muster(const th_world *world, uint32_t group, th_marching *march);
bool th_march_take(th_marching *march, const th_allocator *allocator); /* arrays of the sizes in its numbers */
/* Whether what a snapshot says of it can be, but for the places of its path. */
bool th_march_fits(const th_marching *march);
float th_march_deepest(const th_marching *march); /* farthest post behind the front [m] */
void th_marches_go(th_world *world);              /* after the guides have answered */
/* The post of a row in this step; NULL: none. */
const th_holder *th_march_post_of(const th_world *world, uint32_t row);

/* trail.c: begins at a row, or goes on by one sample; false: the guide has no direction there. */
typedef struct th_trail_guide {
  const th_world *world;
  th_marching *march;
  uint32_t row; /* for whom it asks */
} th_trail_guide;
bool th_trail_begin(const th_trail_guide *guide, uint32_t row);
bool th_trail_grow(const th_trail_guide *guide);
th_free_sides th_trail_sides(const void *march, float along);
/* The point at a distance along the path and to its left; false: it lies before the beginning of the path. */
bool th_trail_point(const th_world *world, const th_marching *march, float along, float aside, th_vec3 *at);

/* posts.c: places of the posts, as the front is now; what members are told; how far behind the farthest is. */
void th_posts_move(const th_world *world, th_marching *march, bool jumps);
void th_posts_tell(th_world *world, uint32_t group, th_marching *march, bool through);
/* All whose post is at the stop have arrived. `within`: of their posts [m]. */
void th_posts_arrive(th_world *world, uint32_t group, th_marching *march, float within);
/* The row of a holder that marches with its group, or UINT32_MAX. */
uint32_t th_posts_row(const th_world *world, uint32_t group, const th_marching *march, uint32_t holder);

#endif
