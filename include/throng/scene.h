/* throng/scene.h - scenes: a text file that says everything about a run.
 *
 * A scene is read, checked as a whole and then never changed; docs/scene.md lists every key. A run is a world made
 * from a scene, with the scene's events applied at their steps. Part of throng_io, not of the core library.
 * Threads: any may read a scene; calls on one run must not overlap.
 */
#ifndef THRONG_SCENE_H
#define THRONG_SCENE_H

#include "building.h"
#include "ground.h"
#include "make.h"
#include "markers.h"
#include "text.h"
#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TH_SCENE_VERSION 1
#define TH_NO_INDEX UINT32_MAX

typedef struct th_param th_param; /* param.h */

/** A scene as it was read. */
typedef struct th_scene th_scene;

/** A kind of planner of the host (throng/field.h) for goals of scenes. The names of its parameters are keys of goals
 *  beside ours; a goal that has one of them gets a planner. */
typedef struct th_scene_planner {
  const th_param *param;
  uint32_t param_count;
  size_t param_size;
  /** Makes the planner of a goal; false: the goal has none after all. `params` live as long as the scene and may be
   *  changed in this call. */
  bool (*make)(void *params, th_planner *planner);
} th_scene_planner;

/** Where a scene comes from: a path or a text, of a scene or of a pack. */
typedef struct th_scene_def {
  th_env env;
  const char *path; /* file; with a text: its name in messages and the folder of its images */
  const char *text;
  size_t length;
  const char *const *set; /* overrides such as "populations.0.speed=1.2" */
  uint32_t set_count;
  const th_scene_planner *planner; /* NULL: goals are solved by our own solver; must outlive the call */
} th_scene_def;

TH_API th_scene_def th_default_scene_def(void); /* from nowhere */

/** Reads and checks a scene. Errors name file, line, column, the key as a JSON pointer, what was expected and what was
 *  found. At most 64 MB. Any thread, as all calls here on different scenes. */
TH_API th_result th_scene_make(const th_scene_def *def, th_scene **scene, th_error *error);
TH_API th_result th_scene_load(const char *path, th_scene **scene, th_error *error);
TH_API th_result th_scene_parse(const char *text, size_t length, th_scene **scene, th_error *error);
TH_API void th_scene_free(th_scene *scene);

/** How a scene is written. */
typedef struct th_scene_write_def {
  const char *path;                /* of the file that the text is for: files that the scene names are named from its
                                      folder, which exists; NULL = the scene's own place */
  bool replace;                    /* th_scene_save: a file that is there; default false */
  const th_scene_planner *planner; /* the one that the scene was read with; NULL = none */
} th_scene_write_def;

TH_API th_scene_write_def th_default_scene_write_def(void);

/** The scene as JSON, overrides included: what is not default, keys in the order of docs/scene.md, numbers as the
 * shortest decimals that are read as the same bits. Read again it is the same scene, and written again the same text.
 * Markers are the exception among files: they are made again beside the new file. Free the text with th_text_free. */
TH_API th_result th_scene_write(const th_scene *scene, const th_scene_write_def *def, char **text, th_error *error);
/** The same into def->path. */
TH_API th_result th_scene_save(const th_scene *scene, const th_scene_write_def *def, th_error *error);

/** The scene's ground, version 1, with the env of the scene's def. */
TH_API th_result th_scene_make_ground(const th_scene *scene, th_ground **ground, th_error *error);

/** Markers (throng/markers.h) in a file, so that they need not be made again. The file knows the def and the ground: it
 *  is refused for another ground or def than its own. Loading gives the ground the set as th_ground_markers would. */
TH_API th_result th_markers_save(const th_ground *ground, const th_markers *markers, const char *path, th_error *error);
TH_API th_result th_markers_load(const th_ground *ground, const char *path, const th_markers **markers,
                                 th_error *error);

/** The mesh of a scene on mesh ground with level and terrain of each face, to be freed by
 *  th_building_free; obstacles and doors are not part of it. */
TH_API th_result th_scene_make_building(const th_scene *scene, th_building *building, th_error *error);

/** A pack: one text that holds the scene and all files that it names, decoded, so that it is read where no file and no
 *  library of meshes and images is. th_scene_make reads it wherever it reads a scene, from a file or from memory, and a
 *  run of it has the same bits. JSON in ASCII, without <, > and &, which may stand in a page as it is; docs/scene.md
 * has its form. Overrides of the scene's def are not in it. At most 64 MB. Free the text with th_text_free. Any thread.
 */
TH_API th_result th_scene_pack(const th_scene *scene, char **text, th_error *error);

/** What a scene says. Texts and defs belong to the scene and are valid until th_scene_free; an index out of range gives
 *  NULL. Any thread, as all reading calls here. */
TH_API const char *th_scene_name(const th_scene *scene);
TH_API const char *th_scene_text(const th_scene *scene);              /* of the file, as it was read */
TH_API uint64_t th_scene_hash(const th_scene *scene);                 /* of the text and of every override */
TH_API float th_scene_duration(const th_scene *scene);                /* [s] */
TH_API const th_world_def *th_scene_world_def(const th_scene *scene); /* dt, seed, workers ...; without a ground */
TH_API uint32_t th_scene_goal_count(const th_scene *scene);
TH_API const char *th_scene_goal_name(const th_scene *scene, uint32_t goal);
TH_API const th_goal_def *th_scene_goal_def(const th_scene *scene, uint32_t goal);
TH_API uint32_t th_scene_population_count(const th_scene *scene);
TH_API const char *th_scene_population_name(const th_scene *scene, uint32_t population);

/* ---------------------------------------------------------------- the parts of a scene */

/** Entries of the lists of a scene, which have the names of the file: "goals", "guides", "populations", "sources",
 * "groups", "events", "ground.outline", "ground.obstacles", "ground.doors", "ground.mesh.terrain", "measure.lines",
 *  "measure.areas" and every other list of objects (docs/scene.md). How many there are; 0 of what is no list. */
TH_API uint32_t th_scene_part_count(const th_scene *scene, const char *list);
/** The name of an entry; NULL when it has none, or is out of range. */
TH_API const char *th_scene_part_name(const th_scene *scene, const char *list, uint32_t entry);
/** Its shape: where a goal is, the region of a population or a source, an area. Its points belong to the scene. False
 * when it has none. */
TH_API bool th_scene_part_shape(const th_scene *scene, const char *list, uint32_t entry, th_shape *shape);
/** Everything in it as JSON in one line, as th_scene_write writes it; of an object that is no list ("ground", "expect")
 *  with any entry. NULL when there is none, or no memory. Free it with th_text_free. */
TH_API char *th_scene_part_text(const th_scene *scene, const char *list, uint32_t entry);

/** What agents of a population are made of, and what is drawn for each; where they are given one by one, what they have
 * in common, while th_scene_part_text of "populations" has what is each one's own; ids of goals, guides and links are
 * those of a run and null here. False: out of range. The same of a source. */
TH_API bool th_scene_population_def(const th_scene *scene, uint32_t population, th_agent_def *def,
                                    th_agent_spread *spread);
TH_API bool th_scene_source_def(const th_scene *scene, uint32_t source, th_source_def *def);
/** How many agents a population has at the start, and where, when its places are given: else NULL. */
TH_API uint32_t th_scene_population_size(const th_scene *scene, uint32_t population);
TH_API const th_vec3 *th_scene_population_positions(const th_scene *scene, uint32_t population);
/** Kind and parameters of a guide; NULL: out of range. */
TH_API const th_guide *th_scene_guide_kind(const th_scene *scene, uint32_t guide);
TH_API const void *th_scene_guide_params(const th_scene *scene, uint32_t guide);
/** The numbers of a group; its leader and area are those of a run. False: out of range. */
struct th_group_def; /* group.h */
TH_API bool th_scene_group_def(const th_scene *scene, uint32_t group, struct th_group_def *def);
/** Whether a door is closed at the start. */
TH_API bool th_scene_door_closed(const th_scene *scene, uint32_t door);

/** The def of the field that leads agents of `radius` [m] to a goal on this ground, as the goal's keys (field, walls,
 *  blend ...) say; for th_field_make. The shape in it belongs to the scene. `goal` < th_scene_goal_count. */
TH_API th_field_def th_scene_goal_field(const th_scene *scene, uint32_t goal, const th_ground *ground, float radius);

/** The greatest number of agents that populations and sources can add within the duration. */
TH_API uint32_t th_scene_agents(const th_scene *scene);

/** JSON schema (draft 2020-12) of scene files; free the text with th_text_free. NULL when out of memory. */
TH_API char *th_scene_schema(void);

/* ---------------------------------------------------------------- runs */

typedef struct th_run th_run;

/** Differences from the scene. */
typedef struct th_run_def {
  th_env env;
  const th_scene *scene; /* must outlive the run */
  uint64_t seed;         /* 0 = the scene's */
  uint32_t workers;      /* 0 = the scene's */
  float duration;        /* 0 = the scene's [s] */
  th_simd simd;
  uint64_t history; /* bytes of snapshots that are kept for th_run_go_to (throng/run.h); default 0 = none */
} th_run_def;

TH_API th_run_def th_default_run_def(void); /* the scene's own values, of no scene yet */

/** Makes the world: ground, goals, guides, populations at free spots that depend on the seed alone, sources. */
TH_API th_result th_run_make(const th_run_def *def, th_run **run, th_error *error);
TH_API void th_run_free(th_run *run);
TH_API th_world *th_run_world(th_run *run);
TH_API float th_run_duration(const th_run *run);
TH_API uint64_t th_run_seed(const th_run *run);

/** Applies the events that are due and makes one step. On an error (an obstacle event that the ground refuses ...)
 *  no step is made. */
TH_API th_result th_run_step(th_run *run, th_error *error);

/** The first half of th_run_step: applies the events that are due and advises; th_world_integrate is the other half.
 *  Not for worlds whose agents take turns (TH_UPDATE_ONE_BY_ONE). */
TH_API th_result th_run_advise(th_run *run, th_error *error);

/** True when the duration is over, or when no agent is under way or still to be added and no event is left. */
TH_API bool th_run_done(const th_run *run);

/** Ids in this world of the scene's goal `index`; and the population of an agent, TH_NO_INDEX when it has none. */
TH_API th_goal_id th_run_goal(const th_run *run, uint32_t index);
TH_API uint32_t th_run_population(const th_run *run, th_agent_id agent);

/** Traces the agents that `list` names, separated by commas: populations, indices of ids, or "all" (also those added
 *  later); in place of what the scene says under recording. Items and raster values of each agent suffice for every
 *  model that is built in. */
TH_API th_result th_run_trace(th_run *run, const char *list, th_error *error);

/** A world made from a scene, without the scene's events; free it with th_world_free. */
TH_API th_result th_scene_make_world(const th_scene *scene, const th_run_def *def, th_world **world, th_error *error);

#ifdef __cplusplus
}
#endif
#endif
