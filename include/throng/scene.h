/* throng/scene.h - scenes: a text file that says everything about a run.
 *
 * A scene is read, checked as a whole and then never changed; docs/scene.md lists every key. A run is a world made
 * from a scene, with the scene's events applied at their steps. Part of throng_io, not of the core library.
 * Threads: any may read a scene; calls on one run must not overlap.
 */
#ifndef THRONG_SCENE_H
#define THRONG_SCENE_H

#include "building.h"
#include "make.h"
#include "surface.h"
#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TH_SCENE_VERSION 1
#define TH_NO_INDEX UINT32_MAX

typedef enum th_spread_kind { TH_SPREAD_NONE, TH_SPREAD_NORMAL, TH_SPREAD_UNIFORM } th_spread_kind;

/** How a number differs from agent to agent: all `a`; normal with mean a and deviation b, cut at 2 b; uniform a to b.
 */
typedef struct th_spread {
  th_spread_kind kind;
  float a, b;
} th_spread;

/** What a scene expects of a result; not `given` = nothing. */
typedef struct th_range {
  bool given;
  double min, max;
} th_range;

/** A range for one named line or area. */
typedef struct th_named_range {
  const char *name;
  th_range range;
  uint32_t index; /* of the line or area */
} th_named_range;

typedef struct th_scene_image {
  const char *file; /* NULL = none */
  float metres_per_pixel;
  th_vec2 origin;
  uint32_t dark;
} th_scene_image;

/** An area with a name: outline, obstacle, door or measured area. A disc comes as a polygon of 48 corners, a ball as
 *  TH_SHAPE_DISC; everywhere is a ball of infinite radius. */
typedef struct th_scene_area {
  const char *name; /* NULL = none */
  th_shape shape;   /* TH_SHAPE_POLYGON or TH_SHAPE_DISC */
  float low, high;  /* mesh ground: heights of a polygon [m] */
  bool closed;      /* doors */
} th_scene_area;

/** Points [x, y] or [x, y, z]; z is NULL when no point gives it. */
typedef struct th_scene_points {
  th_vec2 *point;
  float *z;
  uint32_t count;
} th_scene_points;

/** A kind of terrain on a mesh, and where it is. */
typedef struct th_scene_terrain {
  th_scene_area area;
  float speed;
  bool blocked;
} th_scene_terrain;

/** A mesh as ground: from a file or made. */
typedef struct th_scene_mesh {
  const char *file;                  /* relative to the scene file; NULL = made */
  const th_make_params *make;        /* NULL = from a file */
  struct th_building_text *building; /* NULL = none; read by th_scene_make_ground */
  float metres_per_unit, weld;
  bool drop_crowded;
  float slope_max, slope_speed, headroom; /* as in th_mesh_ground_def */
  float patch_size;                       /* as in th_world_def, with one_face, chart, renewals and overhead */
  bool one_face;
  int32_t chart; /* th_chart_kind */
  uint32_t renewals;
  bool prepare;     /* th_world_prepare before the first step */
  int32_t overhead; /* th_overhead_kind */
  th_scene_terrain *terrain;
  uint32_t terrain_count;
} th_scene_mesh;

typedef struct th_scene_ground {
  th_scene_area *outline, *obstacle, *door;
  uint32_t outline_count, obstacle_count, door_count;
  th_scene_image image;
  const char *map;     /* YAML of a robot map, NULL = none */
  th_scene_mesh *mesh; /* NULL = flat ground */
  float cell, radius_class[TH_MAX_CLASSES];
  uint32_t class_count;
} th_scene_ground;

typedef struct th_scene_goal {
  const char *name;
  th_shape shape;
  int32_t field, walls;               /* th_field_kind, th_wall_rule */
  int32_t method, storage, precision; /* th_method, th_storage, th_precision */
  uint32_t sweeps;
  float omega;
  float blend, arrive;
  bool quickest, sink;
} th_scene_goal;

typedef struct th_scene_guide {
  const char *name;
  const th_explore_params *explore; /* NULL = a path, or: */
  const th_reference_points_params *reference_points;
  th_scene_points path;
  float ahead;
  bool closed;
} th_scene_guide;

typedef struct th_scene_stop {
  const char *name; /* of the goal */
  uint32_t goal;    /* its index */
  float wait;
} th_scene_stop;

/** Populations whose first agents are known, by th_role; NULL = none. */
typedef struct th_scene_links {
  const char *name[TH_ROLE_FOCUS + 1];
  uint32_t population[TH_ROLE_FOCUS + 1];
} th_scene_links;

/** What populations, sources and changes of a population say about agents. */
typedef struct th_scene_crowd {
  th_scene_stop stop[TH_MAX_STOPS];
  uint32_t stop_count;
  bool loop, remove, collide;
  const th_model *model; /* NULL = not said */
  void *params;          /* NULL = defaults */
  const char *guide;     /* NULL = the goal's field */
  uint32_t guide_index;
  th_scene_links links;
  th_spread speed, radius, delay;
  float speed_max, height, acceleration_max, turn_max, share, eps;
  th_vec2 v, heading;
  uint32_t layers, avoids;
  uint64_t given; /* bit of each key that was given, see th_scene_crowd_key */
} th_scene_crowd;

typedef struct th_scene_population {
  th_scene_crowd crowd;
  const char *name;
  uint32_t count;
  th_shape region;          /* point NULL = explicit positions */
  th_scene_points position; /* count 0 = a region */
} th_scene_population;

typedef struct th_scene_source {
  th_scene_crowd crowd;
  const char *name;
  th_shape region;
  float rate, begin, end;
  uint32_t total;
} th_scene_source;

typedef enum th_scene_act {
  TH_ACT_NONE,
  TH_ACT_OPEN, /* a door */
  TH_ACT_CLOSE,
  TH_ACT_ADD, /* an obstacle */
  TH_ACT_REMOVE,
  TH_ACT_MOVE,   /* a goal */
  TH_ACT_CHANGE, /* what agents of a population do */
  TH_ACT_DISMISS /* takes a population out of the world */
} th_scene_act;

typedef struct th_scene_move {
  const char *goal;
  th_shape shape;
} th_scene_move;

typedef struct th_scene_change {
  th_scene_crowd crowd;
  const char *population;
} th_scene_change;

/** Something that happens at a time. */
typedef struct th_scene_event {
  float at;
  int32_t act;             /* th_scene_act */
  const char *name;        /* of the door, obstacle, goal or population */
  uint32_t index;          /* of the door, goal or population */
  uint32_t order;          /* in the file */
  th_scene_area add;       /* TH_ACT_ADD */
  th_scene_move move;      /* TH_ACT_MOVE */
  th_scene_change *change; /* TH_ACT_CHANGE, else NULL */
} th_scene_event;

typedef struct th_scene_line {
  const char *name;
  th_vec2 from, to;
} th_scene_line;

typedef struct th_scene_measure {
  th_scene_line *line;
  uint32_t line_count;
  th_scene_area *area;
  uint32_t area_count;
} th_scene_measure;

typedef struct th_scene_recording {
  float every;      /* seconds between frames; 0 = every step */
  bool events;      /* arrivals, removals ... beside the places */
  uint32_t version; /* of JuPedSim's file: 2 or 3 */
} th_scene_recording;

typedef struct th_scene_expect {
  th_range agents, arrived, lost, stuck, time, mean_time, mean_speed;
  th_range wall_contacts, worst_wall_overlap, contacts, worst_overlap, min_distance;
  th_named_range *flow, *count, *density;
  uint32_t flow_count, count_count, density_count;
} th_scene_expect;

/** A scene as it was read. Everything belongs to the scene and is valid until th_scene_free. */
typedef struct th_scene {
  uint32_t version;
  const char *name, *description;
  th_scene_ground ground;
  th_scene_goal *goal;
  th_scene_guide *guide;
  th_scene_population *population;
  th_scene_source *source;
  th_scene_event *event; /* sorted by time */
  const char **shows;
  uint32_t goal_count, guide_count, population_count, source_count, event_count, shows_count;
  th_scene_recording recording;
  th_scene_measure measure;
  th_scene_expect expect;
  float duration, dt;
  uint64_t seed;
  uint32_t workers, field_threads;
  int32_t sense;  /* th_sense */
  int32_t update; /* th_update_order */
  uint32_t contact_rounds;
  bool realtime;
  const char *path;   /* of the file, or the name given */
  const char *folder; /* of the file, "." when there is none; images are relative to it */
  const char *text;   /* of the file, as it was read */
  uint64_t hash;      /* of the text and of every override */
  struct th_scene_memory *memory;
} th_scene;

/** Where a scene comes from. Zero-initialise; give a path or a text. */
typedef struct th_scene_def {
  th_env env;
  const char *path; /* file; with a text: its name in messages and the folder of its images */
  const char *text;
  size_t length;
  const char *const *set; /* overrides such as "populations.0.speed=1.2" */
  uint32_t set_count;
} th_scene_def;

/** Reads and checks a scene. Errors name file, line, column, the key as a JSON pointer, what was expected and what was
 *  found. At most 64 MB. Any thread, as all calls here on different scenes. */
TH_API th_result th_scene_make(const th_scene_def *def, th_scene **scene, th_error *error);
TH_API th_result th_scene_load(const char *path, th_scene **scene, th_error *error);
TH_API th_result th_scene_parse(const char *text, size_t length, th_scene **scene, th_error *error);
TH_API void th_scene_free(th_scene *scene);

/** The scene's ground, version 1. */
TH_API th_result th_scene_make_ground(const th_scene *scene, const th_env *env, th_ground **ground, th_error *error);

/** The mesh of a scene on mesh ground with level and class of each face, terrain included, to be freed by
 *  th_building_free; obstacles and doors are not part of it. */
TH_API th_result th_scene_make_building(const th_scene *scene, const th_env *env, th_building *building,
                                        th_error *error);

/** The edit of an event that opens, closes, adds or removes; on a mesh it may point to `region`. */
TH_API th_edit th_scene_edit(const th_scene *scene, const th_scene_event *event, th_region *region);

/** How many agents populations and sources can bring within the duration. */
TH_API uint32_t th_scene_agents(const th_scene *scene);

/** JSON schema (draft 2020-12) of scene files; free the text with th_scene_free_text. NULL when out of memory. */
TH_API char *th_scene_schema(void);
TH_API void th_scene_free_text(char *text);

/* ---------------------------------------------------------------- runs */

typedef struct th_run th_run;

/** Differences from the scene. Zero-initialise for the scene's own values. */
typedef struct th_run_def {
  th_env env;
  const th_scene *scene; /* must outlive the run */
  uint64_t seed;         /* 0 = the scene's */
  uint32_t workers;      /* 0 = the scene's */
  float duration;        /* 0 = the scene's [s] */
  th_simd simd;
} th_run_def;

/** Makes the world: ground, goals, guides, populations at free spots that depend on the seed alone, sources. */
TH_API th_result th_run_make(const th_run_def *def, th_run **run, th_error *error);
TH_API void th_run_free(th_run *run);
TH_API th_world *th_run_world(th_run *run);
TH_API float th_run_duration(const th_run *run);
TH_API uint64_t th_run_seed(const th_run *run);

/** Applies the events that are due and makes one step. On an error (an obstacle event that the ground refuses ...)
 *  no step is made. */
TH_API th_result th_run_step(th_run *run, th_error *error);

/** True when the duration is over, or nobody is under way or will come and no event is left. */
TH_API bool th_run_done(const th_run *run);

/** Ids in this world of the scene's goal `index`; and the population of an agent, TH_NO_INDEX when it has none. */
TH_API th_goal_id th_run_goal(const th_run *run, uint32_t index);
TH_API uint32_t th_run_population(const th_run *run, th_agent_id agent);

/** A world made from a scene without the events to come; free it with th_world_free. */
TH_API th_result th_scene_make_world(const th_scene *scene, const th_run_def *def, th_world **world, th_error *error);

#ifdef __cplusplus
}
#endif
#endif
