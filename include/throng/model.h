/* throng/model.h - a model decides how agents move, from views alone.
 *
 * A model is a table of passes with a barrier after each. A host may hand its own table to an agent def; built-in
 * models are ordinary tables. Passes must not allocate, must not keep pointers, and must compute each lane
 * independently of its companions.
 *
 * When an agent decides. With a period of P seconds an agent decides at the times P (k + f), k = 0, 1, 2 ...; f is a
 * fraction in [0, 1) that depends on the agent's id, so that decisions are spread over the steps; it is 0 when the
 * model sets `together`. It is due in the step from t to t + dt when at least one of these times lies in [t, t + dt),
 * whatever dt and also after th_world_set_dt; so there are T / P decisions in T seconds, give or take one. A period of
 * at most dt means every step. In addition, an agent whose guide does not lead it, or has not led it yet, decides in
 * every step, unless its model walks alone. Between decisions the last advice holds, and the agent follows it smoothly.
 * Threads: any; models and their tables are constant.
 */
#ifndef THRONG_MODEL_H
#define THRONG_MODEL_H

#include "param.h"
#include "trace.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a model returns, one entry per lane. Preset to: stand still, keep the heading. */
typedef struct th_advice {
  float *vx, *vy; /* wanted velocity, chart frame [m/s] */
  float *hx, *hy; /* wanted heading, unit vector; 0, 0 = along the velocity */
  uint8_t *gait;  /* th_gait */
} th_advice;

typedef enum th_over {
  TH_OVER_PATCHES, /* once per patch: view->lanes = 0, candidates = every agent within reach of the patch */
  TH_OVER_VIEWS,   /* once per 16 agents of a patch that are due */
  TH_OVER_LANES    /* once per 16 agents that are due, from anywhere: no neighbourhood, states and parameters only */
} th_over;

/** What one call of a pass works on. */
typedef struct th_work {
  const th_view *view;       /* for TH_OVER_LANES only lanes, slot and agent are filled */
  const void *const *params; /* per lane; agents with equal ones share them */
  void *const *state;        /* per lane; NULL when state_size is 0 */
  th_advice advice;          /* not for TH_OVER_PATCHES */
  void *shared;              /* what shared_make returned, or NULL */
  void *scratch;             /* scratch_size bytes, 64-byte aligned; kept from view to view of a patch, see `earlier` */
  float dt;                  /* step [s] */
  uint64_t step, seed;
  uint32_t own_first, own_count; /* TH_OVER_PATCHES: the patch's own agents within the candidates */
  uint32_t
      earlier; /* TH_OVER_VIEWS: views of the patch that this pass has run on before, whose scratch is left; 0: none */
  uint32_t simd;    /* th_simd of the world */
  th_tracer *trace; /* publishes what decides (throng/trace.h); NULL: no lane is traced */
} th_work;

typedef struct th_pass {
  const char *name;
  th_over over;
  uint32_t see; /* th_see flags this pass needs */
  void (*run)(const th_work *work);
} th_pass;

/** What an agent must have for a model to work: links with a role, a guide that has a path. */
typedef enum th_need { TH_NEED_LEADER = 1, TH_NEED_PARTNER = 2, TH_NEED_TARGET = 4, TH_NEED_PATH = 8 } th_need;

typedef struct th_model {
  const char *name, *summary;
  const th_param *param;
  uint32_t param_count;
  size_t param_size, state_size, scratch_size;
  void (*state_init)(void *state, const void *params); /* NULL: zeros */
  float (*reach)(const void *params);                  /* how far it sees [m] (0, 50]; NULL: 0 */
  uint32_t (*nearest)(const void *params);             /* K for TH_SEE_NEAREST, at most 64; NULL: 0 */
  float (*period)(const void *params);                 /* time between decisions [s]; 0 = every step; NULL: 0 */
  th_result (*shared_make)(const th_env *env, const th_ground *ground, void **shared, th_error *error);
  void (*shared_free)(const th_env *env, void *shared); /* shared data are remade for each ground version */
  const th_pass *pass;
  uint32_t pass_count;
  size_t (*state_bytes)(const void *params); /* state of an agent, at least state_size; NULL: state_size */
  /* What the table cannot say: refuses parameters that do not go together or do not fit the ground; NULL: none. */
  th_result (*check)(const void *params, const th_ground *ground, th_error *error);
  const char *(*warn)(const void *params); /* a warning, logged once per world, or NULL; the agent is added */
  const th_trace *trace;                   /* what it publishes */
  uint32_t trace_count;
  th_trace_size (*trace_size)(const void *params); /* in one decision; NULL: not more than 128 items and 1024 values */
  bool together; /* all its agents of one period decide in the same steps; false: spread over the period */
  uint32_t (*needs)(const void *params); /* th_need flags: agents without them are refused, and circles of leaders;
                                            default parameters need nothing. NULL: nothing */
  /* What the last pass sees beside its own flags as soon as an agent has these parameters (th_see); NULL: nothing. */
  uint32_t (*see)(const void *params);
  /* The longest displacement in one step that the model allows [m]: agents whose wanted speed times dt is longer are
   * refused, and so is a dt that would make it longer; NULL: any. */
  float (*displacement_max)(const void *params);
  /* For models with a period that people use: the direction in which they want to go now, given where their guide leads
   * (`want`, one entry per lane, in the chart). Called before people look for free space ahead. For people of such a
   * model its last pass runs in every step, and they follow its advice within their `take_up`. People of other models
   * want to go where the guide leads. */
  void (*aim)(const th_work *work, th_guide_answer *want);
  /* For models that compete for markers: who owns each marker since the last decision, by marker number, as a slot of
   * all agents of the world (th_view_markers.world_of), UINT32_MAX for nobody. `shared` is what shared_make returned.
   * th_world_marker_owners reads it. NULL: its agents own none. */
  const uint32_t *(*marker_owners)(const void *shared, uint32_t *count);
  bool alone; /* its agents also walk without a guide that leads them; they keep to their period then */
} th_model;

/** Goes along the guide and respects walls; does not see other agents. */
typedef struct th_follow_params {
  float slow_within; /* slows down over this last distance [m] */
} th_follow_params;
TH_API th_follow_params th_default_follow_params(void); /* any thread, as all th_default_... */
TH_API extern const th_model th_model_follow;

/** Calls the host once for each view. `decide` may be called from several threads at once. */
typedef struct th_user_params {
  void (*decide)(void *user, const th_work *work);
  void *user;
  float reach;     /* [m] */
  int32_t nearest; /* K */
} th_user_params;
TH_API th_user_params th_default_user_params(void); /* without a callback */
TH_API extern const th_model th_model_user;

/** Every built-in model, NULL-terminated; and one by name. Any thread. */
TH_API const th_model *const *th_models(void);
TH_API const th_model *th_model_find(const char *name);

#ifdef __cplusplus
}
#endif
#endif
