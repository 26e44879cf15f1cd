/* world/shared.h - what the agents of a model, or of a guide, share on one version of the ground. */
#ifndef TH_WORLD_SHARED_H
#define TH_WORLD_SHARED_H

#include "throng/world.h"

/* One thing that is shared, and who frees it. */
typedef struct th_shared {
  void *data;
  void (*release)(const th_env *env, void *data); /* NULL: nobody */
} th_shared;

/* Of all models in use, by number, at TH_SHARED_GROUPS of the groups, and behind that of all guides, by their index,
 * for one version. */
#define TH_SHARED_GROUPS TH_MAX_MODELS
#define TH_SHARED_GUIDES (TH_SHARED_GROUPS + 1)
typedef struct th_shared_set {
  th_shared *item;
  uint32_t count;
} th_shared_set;

void th_shared_drop(const th_env *env, th_shared *shared); /* frees and empties it */

th_result th_shared_set_make(th_world *world, const th_ground *ground, th_shared_set *set, th_error *error);
void th_shared_set_free(th_world *world, th_shared_set *set);
void th_shared_set_exchange(th_world *world, th_shared_set *set); /* with what the world has */

/* For one model or guide that comes into the world: on the ground in force, and on versions that are pending. On
 * failure it shares nothing. */
th_result th_shared_join_model(th_world *world, uint32_t model, th_error *error);
th_result th_shared_join_guide(th_world *world, uint32_t guide, th_error *error);
void th_shared_leave_guide(th_world *world, uint32_t guide);
/* Groups have changed: what they have on pending versions is made again. */
th_result th_shared_renew_groups(th_world *world, th_error *error);

#endif
