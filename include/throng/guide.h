/* throng/guide.h - a guide tells agents in which direction they want to go.
 *
 * Built-in: `field` (climbs the field of the agent's goal), `reference_points` (the same along edges of a mesh, from
 * reference point to reference point), `path` (walks a polyline), `target` (a shortest path to a target of each agent's
 * own), `explore` (discovers the map and searches), `user` (asks the host). A guide answers up to 16 agents at a time
 * and reads the state at the start of the step. A guide that learns also has a memory of its own, which is updated for
 * all its agents once per step, or a row of memory for each agent, or both. Threads: any; guides and their tables are
 * constant.
 */
#ifndef THRONG_GUIDE_H
#define THRONG_GUIDE_H

#include "field.h"
#include "param.h"
#include "trace.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TH_MAX_GUIDE_ROW (1u << 20) /* bytes */

/** Where a link of an agent leads. */
typedef struct th_guide_link {
  th_place place; /* cell = TH_NO_CELL when there is no such link, or no such agent any more */
  uint32_t agent; /* index of its id; 0: a point */
  uint32_t role;  /* th_role, or the host's own */
  bool to_point;  /* the link names a point, `point`, which may lie in a wall: `place` has no cell then */
  th_vec3 point;  /* [m] */
} th_guide_link;

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
  const th_guide_link *link;   /* link[i * TH_MAX_LINKS + k]: link k of agent i */
  const th_shape *const *goal; /* shape of the goal it heads for; NULL when it has none */
  void *const *row;            /* rows of guides with `row_size`; else NULL */
  const uint32_t *member;      /* the agents that this call is for: i = member[k], in the order of their ids */
  uint32_t member_count;       /* all, but for guides with `unit_of` */
  const void *shared;          /* what shared_make returned, or NULL */
  float dt;
  uint64_t step, seed; /* seed: of the world's random numbers */
} th_guide_update;

/** The next corners of the path that a guide leads an agent along, in space. */
typedef struct th_guide_corners {
  uint32_t count;  /* 0 to TH_PATH_CORNERS, the path's end among them */
  uint32_t number; /* of the first of them on the path; the path's start is 0 */
  th_vec3 back;    /* start of the path's segment that the agent is on */
  th_vec3 corner[TH_PATH_CORNERS];
  float left, right; /* free width on either side [m]; preset to INFINITY: unknown */
} th_guide_corners;

/** Agents whose queries come soon, perhaps to another guide: a hint to prefetch the memory that the answers will
 *  read. */
typedef struct th_guide_ahead {
  const th_ground *ground;
  uint32_t count;                /* up to 16 */
  const uint32_t *cell;          /* of this step */
  const uint32_t *previous_cell; /* of the step before; for guides with `state_size`, else NULL */
  const th_field *const *fields; /* NULL where there is none */
  const void *const *state;      /* 64 bytes per agent; for guides with `state_size`, else NULL */
} th_guide_ahead;

typedef struct th_guide {
  const char *name, *summary;
  const th_param *param;
  uint32_t param_count;
  size_t param_size, state_size; /* state_size at most 64 bytes per agent */
  bool needs_field;
  bool own_points; /* places of links to points are not looked up: the guide uses their `point` */
  bool own_fields; /* one query may come from agents that head for different goals: it has `fields`, not `field` */
  void (*ask)(const th_guide_query *query);
  th_result (*check)(const void *params, th_error *error); /* what the table cannot say; NULL: nothing */
  /* A guide that learns: the world keeps one block of memory for it, zeroed before memory_init. The block holds no
   * pointers: it is hashed, saved and restored as bytes. `learn` changes it before the guide answers, once per step in
   * which the guide has agents; guides learn in parallel, and none allocates. All NULL: a guide without memory. */
  size_t (*memory_size)(const void *params, const th_ground *ground);
  void (*memory_init)(void *memory, const void *params, const th_ground *ground); /* NULL: zeros */
  void (*learn)(const th_guide_update *update);
  /* A guide that keeps much data for each agent: the world has a row of this size [1, TH_MAX_GUIDE_ROW bytes] for each
   * agent of the guide, 64-byte aligned, zeroed when the agent comes to the guide and kept as long as it stays,
   * whatever its route. Rows hold no pointers: they are hashed, saved and restored as bytes. Both `learn` and `ask` may
   * change the rows of the agents that they are called for, and read no other ones. Rows are allocated when agents are
   * added or change to the guide, by th_world_reserve for all guides of the world, and by th_world_add_source; never in
   * a step. NULL: none. */
  size_t (*row_size)(const void *params, const th_ground *ground);
  /* Agents that return the same number learn together; `learn` is then called once for each number, with their
   * `member` list, for different numbers in parallel, and must not change `memory`. NULL: one call for all.
   *   static uint32_t alone(const th_guide_update *update, uint32_t i) { return update->agent[i]; }
   *   static void grow(const th_guide_update *update) {
   *     for (uint32_t k = 0; k < update->member_count; k++) {
   *       uint32_t i = update->member[k];
   *       tree_grow(update->row[i], update->place[i], update->link[i * TH_MAX_LINKS].place);
   *     }
   *   }
   *   {.row_size = tree_size, .unit_of = alone, .learn = grow, .ask = follow, ...} */
  uint32_t (*unit_of)(const th_guide_update *update, uint32_t i);
  /* Fills in the path of the one agent of the query, for models that see it (TH_SEE_PATH); after `ask` of the same
   * step, perhaps several times and from any thread, so it changes nothing. `want` is NULL. NULL: the guide has no
   * path. */
  void (*corners)(const th_guide_query *query, th_guide_corners *path);
  /* Reading memory takes longer than computing an answer. `prefetch` may prefetch the data for the agents after the
   * next ones; prefetch_far, which is called earlier, the data that `prefetch` itself reads. NULL: the frames of their
   * cells. They change nothing. */
  void (*prefetch)(const th_guide_ahead *ahead);
  void (*prefetch_far)(const th_guide_ahead *ahead);
  const th_trace *trace; /* what it publishes in `ask` */
  uint32_t trace_count;
  th_trace_size (*trace_size)(const void *params); /* about one agent; NULL: a few items, no raster */
  /* What all agents of the guide share on one version of the ground, as of models (model.h): made for each version
   * outside steps, and given to `learn` and `ask`. NULL: nothing. */
  th_result (*shared_make)(const th_env *env, const void *params, const th_ground *ground, void **shared,
                           th_error *error);
  void (*shared_free)(const th_env *env, void *shared);
  /* A warning, logged when the guide is added, or NULL; NULL: none. */
  const char *(*warn)(const void *params, const th_ground *ground);
} th_guide;

/** Climbs the goal's field, bent by the agent's own v and eps. The default guide of agents. */
TH_API extern const th_guide th_guide_field;

/** Walks on a goal's field of kind TH_FIELD_EDGES as dynamic planarization does: an agent heads for one reference point
 *  as long as it stays in a face. With another kind of field, and on flat ground, where cells cannot point at each
 *  other, it works as th_guide_field. */
typedef struct th_reference_points_params {
  bool guard; /* an agent that enters a face for the third time heads for the lowest vertex around it. Without the guard
                 two faces that point at each other may hold an agent for ever, as in the thesis; default true */
} th_reference_points_params;
TH_API th_reference_points_params th_default_reference_points_params(void); /* any thread, as all th_default_... */
TH_API extern const th_guide th_guide_reference_points;

/** Walks along a polyline. The caller keeps the points as long as the guide is in a world. */
typedef struct th_path_params {
  const th_vec3 *point; /* [m]; flat ground ignores z */
  uint32_t count;       /* 2 or more */
  bool closed;          /* the path is a loop: agents never arrive */
  float ahead;          /* aims at the point this far along the path [m] (0, 100], default 1 */
  float width; /* free width of the path, half of it on either side, for models that see it [m] [0, 1000]; default 0:
                  unknown */
} th_path_params;
TH_API th_path_params th_default_path_params(void); /* without points */
TH_API extern const th_guide th_guide_path;

/** Leads in one direction for ever, as in a corridor whose ends join. */
typedef struct th_direction_params {
  th_vec3 vector; /* in space, any length; agents walk along its part in the surface. No default: it must be given */
  bool around;    /* `vector` is an axis through the origin: agents go round it, to the left seen from its tip; default
                     false */
} th_direction_params;
TH_API th_direction_params th_default_direction_params(void); /* without a vector */
TH_API extern const th_guide th_guide_direction;

/** Discovers the map while walking. Explorers of one guide share what they see; they head for unknown places until the
 *  target is found. When no unknown place can be reached any more, an explorer without a target has arrived, and one
 *  whose goal or point was not found is lost. A link may have moved past the explorers, so for a link the search starts
 *  again. */
typedef enum th_explore_where { TH_EXPLORE_WINDOW, TH_EXPLORE_SENSED } th_explore_where;
typedef enum th_explore_target {
  TH_EXPLORE_FOR_NOTHING, /* explores everything */
  TH_EXPLORE_FOR_GOAL,    /* the goal that the explorer heads for; found once its place is known */
  TH_EXPLORE_FOR_POINT,   /* `point`; found likewise */
  TH_EXPLORE_FOR_LINK     /* the explorer's first link, such as another agent; found once it is seen */
} th_explore_target;

typedef struct th_explore_params {
  float sight;        /* how far an explorer sees [m] [0.1, 50], default 4; also half the side of its window */
  int32_t sweeps;     /* per step [1, 1000], default 30 */
  int32_t relax;      /* th_explore_where: the cells or vertices that are relaxed; default window */
  float fade;         /* the pull of the unknown falls by 1/e over this distance [m] [0, 1000]; default 0: walls alone
                         weaken it, as published, and where none is known it falls over the sight distance */
  int32_t target;     /* th_explore_target, default nothing; one for all explorers of a guide: that of the lowest id */
  th_vec3 point;      /* TH_EXPLORE_FOR_POINT [m]; on mesh ground the place that th_ground_locate_at finds */
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
  uint32_t rounds; /* how often the map was cleared because a link was not found */
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
