/* world/goals.h - goals, and the table of fields that lead to them. */
#ifndef TH_WORLD_GOALS_H
#define TH_WORLD_GOALS_H

#include "base/ids.h"
#include "throng/world.h"

#define TH_EPS_LEVELS 8
#define TH_EPS_STEP 0.25f

typedef struct th_goal {
  th_goal_def def; /* shape.point is owned; `name` is NULL here */
  char name[48];   /* of the host, for messages; not part of the state */
} th_goal;

typedef struct th_goals {
  th_ids ids;
  th_goal *goal;
  uint32_t capacity;
} th_goals;

/* One field of the table: leads to a goal, for a radius class and an eps level. */
typedef struct th_field_entry {
  uint32_t goal;
  uint8_t radius_class, eps_level;
  bool live;       /* the goal exists */
  bool failed;     /* it cannot be made for the version in force */
  bool wanted;     /* restore: the snapshot had a field here */
  bool draft;      /* made by a call that may still fail */
  bool renewed;    /* it has got a field in this step */
  th_field *field; /* NULL until published */
  th_shape shape;  /* what that field leads to (the goal may have moved since); points owned */
} th_field_entry;

th_result th_goal_known(const th_world *world, th_goal_id goal, const char *call, th_error *error);
/* Asks for all fields of a goal as it is now; `alone`: those asked for before are withdrawn. */
th_result th_goal_request_fields(th_world *world, th_goal_id goal, bool alone, th_error *error);
void th_goal_entry_clear(th_world *world, th_field_entry *entry);
/* Ends a call that may have made entries: keeps them, or removes all but the first `before` entries. */
void th_goal_entries_end(th_world *world, uint32_t before, bool keep);
typedef struct th_field_key {
  uint32_t goal, radius_class, eps_level;
} th_field_key;
/* The entry for a key; a new key gets an entry, and its field is requested. */
th_result th_goal_entry_for(th_world *world, const th_field_key *key, uint16_t *entry, th_error *error);
uint32_t th_goal_eps_level(float eps);
/* The field of an entry; `shape` is borrowed. */
th_field_def th_goal_field_def(const th_goal_def *goal, const th_field_entry *entry, const th_shape *shape);

/* The numbers of a goal, without its shape. */
th_result th_goal_check_members(const th_goal_def *def, th_error *error);
/* goal_check.c: the shape of a goal meets the ground. */
th_result th_goal_touches(const th_ground *ground, const th_shape *shape, th_error *error);

#endif
