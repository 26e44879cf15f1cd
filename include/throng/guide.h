/* throng/guide.h - a guide tells agents which way they want to go.
 *
 * Built-in: `field` (climbs the field of the agent's goal), `reference_points` (the same along edges
 * of a mesh, from reference point to reference point), `path` (walks a polyline), `explore` (discovers the map and
 * searches), `user` (asks the host). A guide answers up to 16 agents at a time and reads the state at the start of the
 * step. A guide that learns also has a memory of its own, which its agents change together once a step.
 */
#ifndef THRONG_GUIDE_H
#define THRONG_GUIDE_H

#include "field.h"
#include "param.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A question of up to 16 agents that head for the same goal, or each for its own if the guide allows it. Answers go to
 * `want`, preset to TH_ANSWER_WAIT. */
typedef struct th_guide_query {
  const void *params;      /* of the guide */
  const th_ground *ground; /* version in force */
  uint32_t lanes;
  const uint32_t *agent, *cell; /* index of the agent's id; cell of its place */
  const float *x, *y;           /* place in that cell's frame [m]; all 16 entries may be read */
  const th_vec2 *v;             /* personal vector, cell frame; read it only where eps is not 0 */
  const float *eps;
  const th_field *field; /* of the goal that all lanes share; NULL while it is not there or when there is no goal */
  const th_field *const *fields; /* the same of each lane, for guides with `own_fields`; else NULL */
  const void *memory;            /* of a guide that learns, as this step's update left it; else NULL */
  void *const *state;            /* per lane; NULL when state_size is 0 */
  float dt;
  uint64_t step;
  th_sense sense;
  uint32_t simd; /* th_simd */
  th_guide_answer *want;
} th_guide_query;

typedef enum th_agent_state {
  TH_AGENT_DELAYED, /* not in the world yet */
  TH_AGENT_WALKING,
  TH_AGENT_WAITING, /* at a stop, or for its field */
  TH_AGENT_ARRIVED, /* at its last stop, still standing there */
  TH_AGENT_LOST,    /* no way to its goal */
  TH_AGENT_EXTERNAL
} th_agent_state;

/** All agents of one guide that are in the world, at the start of a step, in the order of their ids. */
typedef struct th_guide_update {
  const void *params;      /* of the guide */
  const th_ground *ground; /* version in force */
  void *memory;            /* of the guide, 64-byte aligned */
  uint32_t count;          /* 1 or more */
  const uint32_t *agent;   /* index of the agent's id */
  const th_place *place;
  const float *radius;         /* [m] */
  const uint8_t *state;        /* th_agent_state */
  const th_place *link;        /* its first link, an agent or a point; cell = TH_NO_CELL when it has none */
  const th_shape *const *goal; /* shape of the goal it heads for; NULL when it has none */
  float dt;
  uint64_t step;
} th_guide_update;

typedef struct th_guide {
  const char *name, *summary;
  const th_param *param;
  uint32_t param_count;
  size_t param_size, state_size; /* state_size at most 64 bytes per agent */
  bool needs_field;
  bool own_fields; /* one question may come from agents that head for different goals: it has `fields`, not `field` */
  void (*ask)(const th_guide_query *query);
  th_result (*check)(const void *params, th_error *error); /* what the table cannot say; NULL: nothing */
  /* A guide that learns: the world keeps one block of memory for it, zeroed before memory_init. The block holds no
   * pointers: it is hashed, saved and restored as bytes. `learn` changes it before the guide answers, once a step in
   * which the guide has agents; guides learn in parallel, and none allocates. All NULL: a guide without memory. */
  size_t (*memory_size)(const void *params, const th_ground *ground);
  void (*memory_init)(void *memory, const void *params, const th_ground *ground); /* NULL: zeros */
  void (*learn)(const th_guide_update *update);
} th_guide;

/** Climbs the goal's field, bent by the agent's own v and eps. The guide of every agent that names none. */
TH_API extern const th_guide th_guide_field;

/** Walks on a goal's field of kind TH_FIELD_EDGES as dynamic planarization does: while it stays in a face an agent
 * heads for one reference point. With another kind of field, and on flat ground, where cells cannot point at each
 * other, it is th_guide_field. */
typedef struct th_reference_points_params {
  bool guard; /* whoever comes back into a face for the third time heads for the lowest vertex around it: without, two
                 faces that point at each other may hold an agent for ever, as in the thesis; default true */
} th_reference_points_params;
TH_API th_reference_points_params th_default_reference_points_params(void); /* any thread, as all th_default_... */
TH_API extern const th_guide th_guide_reference_points;

/** Walks along a polyline. Points are kept by the caller as long as the guide lives in a world. */
typedef struct th_path_params {
  const th_vec2 *point;
  const float *z; /* mesh ground: height of each point [m]; NULL = all 0 */
  uint32_t count; /* 2 or more */
  bool closed;    /* round and round: never arrives */
  float ahead;    /* aims at the point this far along the path [m] (0, 100], default 1 */
} th_path_params;
TH_API th_path_params th_default_path_params(void); /* without points */
TH_API extern const th_guide th_guide_path;

/** Discovers the map while walking. Explorers of one guide share what they see; they are drawn to what is unknown,
 * until the target is found. Where nothing unknown can be reached any more, an explorer without a target has arrived,
 * and one whose goal or point was not found is lost; a link may have walked past, so all is searched again. */
typedef enum th_explore_where { TH_EXPLORE_WINDOW, TH_EXPLORE_SENSED } th_explore_where;
typedef enum th_explore_target {
  TH_EXPLORE_FOR_NOTHING, /* everything is to be seen */
  TH_EXPLORE_FOR_GOAL,    /* the goal that the explorer heads for; found once its place is known */
  TH_EXPLORE_FOR_POINT,   /* `point`; found likewise */
  TH_EXPLORE_FOR_LINK     /* the explorer's first link, such as another agent; found once it is seen */
} th_explore_target;

typedef struct th_explore_params {
  float sight;        /* how far an explorer sees [m] [0.1, 50], default 4; also half the side of its window */
  int32_t sweeps;     /* a step [1, 1000], default 30 */
  int32_t relax;      /* th_explore_where: the cells or vertices that are relaxed; default window */
  float fade;         /* the pull of the unknown falls by 1/e over this distance [m] [0, 1000]; default 0: walls alone
                         weaken it, as published, and where none is known it falls over the sight distance */
  int32_t target;     /* th_explore_target, default nothing; one for all explorers of a guide: that of the lowest id */
  th_vec2 point;      /* TH_EXPLORE_FOR_POINT [m]; on mesh ground the place that th_ground_locate_at finds */
  float z;            /* its height there [m], default 0 */
  float arrive;       /* a point or link counts as reached within this distance [m] [0.05, 100], default 1 */
  bool through_walls; /* senses the whole window, as the thesis does; default false: what is in sight */
} th_explore_params;
TH_API th_explore_params th_default_explore_params(void);
TH_API extern const th_guide th_guide_explore;

/** What explorers have found so far. */
typedef struct th_explored {
  uint32_t sensed; /* raster cells, on mesh ground vertices */
  float area;      /* of these [m2]; raster cells with walls, on mesh ground walkable */
  bool found;      /* the target */
  uint32_t rounds; /* how often everything was forgotten because a link was nowhere */
} th_explored;

/** Reads the memory of an explore guide, see th_world_guide_memory. Any thread. */
TH_API th_explored th_explore_read(const void *memory);

typedef enum th_explored_as { TH_EXPLORED_NOT, TH_EXPLORED_FREE, TH_EXPLORED_BLOCKED } th_explored_as;

/** The map itself: th_explored_as of each raster cell, row by row from the lower left, or of each vertex of a mesh.
 *  `ground` is that of the world. Writes up to `capacity`, returns how many there are. Any thread. */
TH_API uint32_t th_explore_known(const void *memory, const th_ground *ground, uint8_t *known, uint32_t capacity);

/** Asks the host; `answer` may be called from several threads at once. */
typedef struct th_user_guide_params {
  void (*answer)(void *user, const th_guide_query *query);
  void *user;
} th_user_guide_params;
TH_API th_user_guide_params th_default_user_guide_params(void); /* without a callback */
TH_API extern const th_guide th_guide_user;

TH_API const th_guide *const *th_guides(void);
TH_API const th_guide *th_guide_find(const char *name);

#ifdef __cplusplus
}
#endif
#endif
