/* world/models.h - the models in use, and what their agents have of them. */
#ifndef TH_WORLD_MODELS_H
#define TH_WORLD_MODELS_H

#include "throng/model.h"
#include "world/shared.h"
#include "world/state/param_sets.h"
#include "world/state/rows.h"

#define TH_MAX_MODELS 16

/* A model in use: its parameters and states by row. Only rows of this model have a set; in rows of other models the
 * number and the state mean nothing. */
typedef struct th_model_slot {
  const th_model *model;
  th_param_sets sets;
  uint32_t *set;   /* by row: the number of its parameters */
  uint8_t *states; /* capacity x state_stride, which keeps rows aligned */
  size_t state_stride;
  uint32_t capacity; /* rows */
  uint8_t *spare;    /* scratch for either column, for moving rows */
  th_shared shared;  /* for the ground in force */
  th_view_need need; /* the widest of all its agents */
  uint32_t also;     /* what the last pass sees beside its own flags */
  bool warned;       /* the model's warning has been logged */
} th_model_slot;

th_result th_model_slot_find(th_world *world, const th_model *model, uint32_t *index, th_error *error);
/* The same for an agent with these parameters (NULL: defaults): checked, with memory reserved for its state. */
th_result th_model_slot_for(th_world *world, const th_model *model, const void *params, uint32_t *index,
                            th_error *error);
bool th_model_slot_grow(th_world *world, uint32_t capacity);
void th_model_slot_settle(th_world *world); /* frees outgrown arrays, which nothing points to any more */
bool th_model_slot_widen(th_world *world, uint32_t model, size_t stride); /* states of at least `stride` bytes */
size_t th_model_state_bytes(const th_model_slot *use, uint32_t row);      /* of the agent in a row */
/* Assigns the row to the model with a fresh state; with `again` the row already has the model and gets other
 * parameters. */
void th_model_slot_set(th_world *world, uint32_t model, uint32_t row, const void *params, bool again);
void th_model_slot_leave(th_world *world, uint32_t model, uint32_t row); /* the row is no longer one of the model's */
void th_model_slot_move(th_world *world, uint32_t model, uint32_t to, uint32_t from);
static inline const void *th_model_params(const th_model_slot *use, uint32_t row) {
  return th_param_sets_bytes(&use->sets, use->set[row]);
}
void th_model_slot_free(th_world *world);

#endif
