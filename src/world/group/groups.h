/* world/group/groups.h - the groups of a world, and what their shapes are on one version of the ground. */
#ifndef TH_WORLD_GROUPS_H
#define TH_WORLD_GROUPS_H

#include "base/bytes.h"
#include "base/hash.h"
#include "base/ids.h"
#include "group/shape.h"
#include "world/group/march.h"
#include "world/group/members.h"
#include "world/shared.h"

/* The numbers of a def and what a group counts: state, as bytes. */
typedef struct th_group_numbers {
#define X(type, name, initial, min, max) type name;
  TH_GROUP_MEMBERS(X)
#undef X
  uint32_t draws;     /* common points drawn so far */
  uint32_t goal;      /* index of the group's own goal, 0: none */
  th_agent_id leader; /* without a tag */
  th_vec3 point;      /* common point of the area */
} th_group_numbers;
_Static_assert(sizeof(th_group_numbers) % 4 == 0 && _Alignof(th_group_numbers) == 4,
               "no padding, since bytes are hashed");

typedef struct th_group {
  th_group_numbers numbers;
  th_group_area area;
  th_polygon *polygon; /* of th_world_group_def; they point into the area */
  th_image image;
  th_marching march;
} th_group;

typedef struct th_groups {
  th_ids ids;
  th_group *group;
  uint32_t capacity;
  th_shared on_ground; /* th_groups_on_ground of the version in force; empty without shapes that markers take */
  uint32_t marches;    /* groups with a formation */
} th_groups;

/* Shared by mechanism of world/shared.c: made for each version when there are groups. */
th_result th_groups_share(th_world *world, const th_ground *ground, th_shared *shared, th_error *error);

/* A marker of the area of a group, by random bits; returns how many there are. */
uint32_t th_groups_pick(const th_shared *shared, uint32_t group, uint64_t bits, th_vec3 *point);

/* NULL, with an error, for an id that is stale or of another world. */
th_group *th_groups_find(const th_world *world, th_group_id id, const char *call, th_error *error);

/* weights.c: the mask of a group that lines up, as its leader stands now. */
th_group_mask th_groups_mask(const th_world *world, const th_group *group);

void th_groups_weigh(th_world *world);                       /* before models decide */
th_result th_groups_renew(th_world *world, th_error *error); /* after a restore: for the version in force */
void th_groups_forget(th_world *world, uint32_t row);        /* an agent leaves the world */
void th_groups_free(th_groups *groups, const th_allocator *allocator);

/* point.c: whether an agent, or all members and these agents, can be sent to the common point; then th_group_point_send
 * does not fail. */
th_result th_group_point_may_send(th_world *world, uint32_t row, const th_group *group, th_error *error);
th_result th_group_point_may_send_all(th_world *world, uint32_t index, const th_agent_id *agent, uint32_t count,
                                      th_error *error);
void th_group_point_send(th_world *world, uint32_t row, const th_group *group);
/* point.c: a new common point, and what groups have on the version in force and on pending ones, unless a member or one
 * of these agents could not follow. */
th_result th_group_reshape(th_world *world, uint32_t index, const th_agent_id *agent, uint32_t count, th_error *error);
void th_group_point_drop(th_world *world, uint32_t goal); /* 0: none */

/* traces.c: for a row that is traced; `mask`: of an alignment, or NULL */
void th_groups_trace_publish(const th_world *world, uint32_t row, const th_group *group, const th_group_mask *mask);

/* group_state.c */
void th_groups_hash(const th_world *world, th_hash *hash);
void th_groups_write(const th_world *world, th_byte_writer *writer);
bool th_groups_read(th_groups *groups, uint16_t *of_row, uint32_t rows, const th_allocator *allocator,
                    th_byte_reader *reader);

#endif
