/* throng/recording.h - trajectories on disk: SQLite in JuPedSim's schema, and CSV. Part of throng_io.
 *
 * A recording is one SQLite file. The tables trajectory_data, metadata, geometry and frame_data are JuPedSim's, column
 * by column, so PedPy and JuPedSim open it. Everything else is in further tables, whose names begin with throng_
 * (docs/recordings.md lists all). When the program is killed at any moment, every frame older than one second is in the
 * file. Threads: any; calls on one recording, plan or set of tracks must not overlap.
 */
#ifndef THRONG_RECORDING_H
#define THRONG_RECORDING_H

#include "group.h"
#include "mesh.h"
#include "text.h"
#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------- plans: ground as rings of points */

/** One closed ring; its last point is joined to its first. */
typedef struct th_ring {
  uint32_t first, count; /* points */
  bool hole;             /* solid inside: an obstacle; it belongs to the last outline before it */
} th_ring;

/** Walkable space as outlines and holes, for recordings and drawing. Free with th_floor_plan_free. */
typedef struct th_floor_plan {
  th_env env;
  th_vec2 *point;
  th_ring *ring;
  uint32_t point_count, ring_count;
  struct {
    uint32_t point_capacity, ring_capacity;
  } tail; /* the library's own */
} th_floor_plan;

TH_API th_floor_plan th_default_floor_plan(void); /* of nothing */

/** What a plan is made of. */
typedef struct th_floor_plan_def {
  th_env env;
  const char *wkt; /* POLYGON, MULTIPOLYGON, GEOMETRYCOLLECTION of these, LINESTRING and POINT (as open rings of 1 or 2
                      and more points); the error's element is the character at which reading stopped */
  const th_segment *wall; /* without WKT: segments with walkable space on their left, such as th_ground_walls() */
  uint32_t wall_count;
} th_floor_plan_def;

TH_API th_floor_plan_def th_default_floor_plan_def(void); /* of nothing */
TH_API th_result th_floor_plan_make(const th_floor_plan_def *def, th_floor_plan *plan, th_error *error);

/** Writes a plan as WKT, a POLYGON or MULTIPOLYGON; `*text` is released with th_text_free. */
TH_API th_result th_floor_plan_wkt(const th_floor_plan *plan, char **text, th_error *error);
TH_API void th_floor_plan_bounds(const th_floor_plan *plan, th_vec2 *lower, th_vec2 *upper);
TH_API void th_floor_plan_free(th_floor_plan *plan);

/** The ground as WKT: the plan of its walls, then th_floor_plan_wkt. For a mesh: its bounding rectangle seen from
 *  above.
 */
TH_API th_result th_ground_wkt(const th_ground *ground, char **text, th_error *error);

/* ---------------------------------------------------------------- writing */

typedef struct th_recording th_recording;
struct th_run; /* scene.h */

typedef struct th_recording_def {
  th_env env;
  double dt;         /* step of the world [s] (0, 10], default 0.1 */
  uint32_t every;    /* record every n-th step, at least 1, default 1; frame = step / every, fps = 1 / (dt * every) */
  uint64_t seed;     /* of the world */
  const char *name;  /* of the scene, or NULL */
  const char *scene; /* whole text of the scene file, or NULL */
  const th_ground *ground; /* at the first frame, needed by this call only; NULL: wkt and mesh are given instead */
  const char *wkt;         /* instead of the ground: as WKT */
  uint32_t version; /* JuPedSim's file version: 2 (default), with ori_x and ori_y, or 3, without them; PedPy's loader of
                       walkable areas takes 1 and 2 only */
  bool mesh;        /* instead of the ground: it is a mesh, with tables for th_recording_mesh and for places in space;
                       default false */
  bool events;      /* th_recording_step records events too; default true */
} th_recording_def;

TH_API th_recording_def th_default_recording_def(void);

/** Starts a recording. The new file is built under `path`.part and takes the name `path` when its tables exist; a
 *  former file is kept as `path`.old until th_recording_close succeeds. Nothing changes when this call fails. */
TH_API th_result th_recording_make(const char *path, const th_recording_def *def, th_recording **recording,
                                   th_error *error);

/** Records a step of a world: its ground when that is new, its agents when the step is a multiple of `every`, its
 *  events. Call it once before the first step and once after each. It does everything that the calls below do one by
 *  one; those are for hosts that have no world. Not while another call changes the world. */
TH_API th_result th_recording_step(th_recording *recording, const th_world *world, th_error *error);

/** Names a goal of the world, so that throng_goal says what the goals of agents and events are. Goals that are not
 *  named get a row without a name. */
TH_API th_result th_recording_goal(th_recording *recording, th_goal_id goal, const char *name, th_error *error);

/** Names a group of the world, so that throng_group says what the groups of agents are called; th_recording_step finds
 *  out who is in them. Groups that are not named get a row without a name. */
TH_API th_result th_recording_group(th_recording *recording, th_group_id group, const char *name, th_error *error);

/** What a recording knows about an agent; members that are NULL, null or 0 stay as they are. */
typedef struct th_recording_agent_def {
  const char *population; /* name of the group that it is part of */
  const char *model;      /* name of its model; th_recording_step finds this and the rest itself */
  th_goal_id goal;        /* the last of its route */
  float radius;           /* [m] */
} th_recording_agent_def;

TH_API th_recording_agent_def th_default_recording_agent_def(void); /* nothing */

/** Sets what is known about an agent, before or after its first frame. Texts are copied. */
TH_API th_result th_recording_agent(th_recording *recording, th_agent_id agent, const th_recording_agent_def *def,
                                    th_error *error);

/** Agents that this source emits from now on are of `population`; th_recording_step finds them by its events. */
TH_API th_result th_recording_source(th_recording *recording, th_source_id source, const char *population,
                                     th_error *error);

/** All three at once for the run of a scene, by the names in the scene: its goals, the agents of its populations, its
 *  groups and its sources. Call it before the first frame. */
TH_API th_result th_recording_names(th_recording *recording, const struct th_run *run, th_error *error);

/** Keeps a shape for drawing: kind is "goal", "door", "source", "line" or "area"; `name` may be NULL. With mesh ground
 *  the place of its middle on the surface, if there is one, is kept too, with the outline of a line or polygon on the
 *  surface, otherwise as a circle; the radius of a point is then that of the circle (such as the distance at which a
 *  goal counts as reached), 0 = 0.5 m. `ground` may be NULL. */
TH_API th_result th_recording_mark(th_recording *recording, const char *kind, const char *name, const th_shape *shape,
                                   const th_ground *ground, th_error *error);

/** Records one frame when `step` is a multiple of `every`; other steps cost nothing. Agents whose delay has not ended
 *  are left out. On mesh ground `agents->space` holds points, velocities and headings in space and weights: JuPedSim's
 *  columns hold the view from above, and throng_places holds the rest. Ids in the file count up from 1 in order of
 *  first appearance; an agent keeps its own, and none is used twice. A write that failed in the background (full disk)
 *  is reported by the next call. */
TH_API th_result th_recording_write(th_recording *recording, uint64_t step, const th_agents *agents, th_error *error);

/** Records events, as th_world_events gives them. */
TH_API th_result th_recording_events(th_recording *recording, const th_event *event, uint32_t count, th_error *error);

/** Keeps what the run has counted (th_metrics_save), at its end; later ones replace earlier ones. */
TH_API th_result th_recording_numbers(th_recording *recording, const void *bytes, size_t size, th_error *error);

/** Records a named number of an agent ({0, 0} = of the world) at a spot, for debugging. */
TH_API th_result th_recording_debug(th_recording *recording, uint64_t step, th_agent_id agent, const char *name,
                                    th_vec2 at, double value);

/** The ground has changed: frames from the next one on refer to this geometry. Unchanged text costs nothing. */
TH_API th_result th_recording_ground(th_recording *recording, const char *wkt, th_error *error);

/** The mesh of the frames from the next one on, with 1 for each blocked face (or NULL); called before the first frame
 *  and after each deformation, door and obstacle. A mesh equal to the previous one is not written again. */
TH_API th_result th_recording_mesh(th_recording *recording, const th_mesh *mesh, const uint8_t *blocked,
                                   th_error *error);

/** Writes what is left, closes and frees. When writing failed, the incomplete file is kept as `path`.part, a former
 *  file gets its name back, and the error says so. NULL is allowed. */
TH_API th_result th_recording_close(th_recording *recording, th_error *error);

/* ---------------------------------------------------------------- reading */

/** Path of one agent: samples first ... first + count - 1, in order of their frames. */
typedef struct th_track {
  int64_t id;
  uint32_t first, count;
  float radius;                     /* [m]; 0.2 when the file does not say */
  uint32_t population, model, goal; /* index into the names of th_tracks; the count or more: unknown. The goal is the
                                       last of its route */
} th_track;

/** A population, a model, a goal, a group or a terrain. Longer names are cut off. */
typedef struct th_recorded_name {
  int64_t id; /* of a goal: its number in the tables throng_goal, throng_agent and throng_event */
  char text[48];
} th_recorded_name;

/** A goal, door, source, line or area, drawn as its plan shows. */
typedef struct th_mark {
  char kind[16], name[48];
  th_floor_plan plan;
} th_mark;

/** Where a goal, door, source, line or area is on a mesh: around `point`, or along and inside its outline. */
typedef struct th_mesh_mark {
  char kind[16], name[48];
  uint32_t face;
  th_vec3 point;          /* its middle, on the surface */
  float radius;           /* [m] */
  const th_vec3 *outline; /* of a line or polygon: points on the surface, close enough to follow it; NULL: a circle */
  uint32_t outline_count;
  bool closed;     /* it is a polygon seen from above, and what lies inside it belongs to it */
  float low, high; /* heights that belong to a shape with an outline [m]; -INFINITY, INFINITY: all */
} th_mesh_mark;

/** An event of the file. */
typedef struct th_recorded_event {
  char kind[16]; /* "arrived", "removed" ... */
  int64_t id;
  double time;   /* [s] when its step began */
  uint32_t goal; /* index into th_tracks.goal; the count or more: none */
} th_recorded_event;

/** A mesh that holds from a frame on. */
typedef struct th_tracks_mesh {
  uint32_t frame;
  th_mesh mesh;
  uint8_t *blocked; /* of each face */
} th_tracks_mesh;

/** What a model, guide or layer published, as its table says. Longer texts are cut off. */
typedef struct th_recorded_trace_row {
  char source[32], name[48], unit[16], text[160];
  th_trace_type type;
  uint32_t colour; /* 0xRRGGBB; 0: one of the figure's own */
} th_recorded_trace_row;

/** An item of a traced agent; its vectors and its value are those of th_trace_item. */
typedef struct th_recorded_trace {
  int64_t id;     /* of the agent */
  uint32_t frame; /* with which it was written; it was published between the frame before and this one */
  uint32_t row;   /* index into th_tracks.trace_row */
  uint64_t step;  /* in which it was published */
  th_vec3 at, a, b, c;
  float value;
  uint32_t columns, rows; /* of a raster, else 0 */
  uint32_t first;         /* of its values in th_tracks.trace_value */
} th_recorded_trace;

/** A whole recording in memory, agent by agent. Free with th_tracks_free. */
typedef struct th_tracks {
  th_env env;
  char name[64];
  double fps;
  uint64_t seed;
  uint32_t version;                 /* of the file: 1, 2, 3; 0 for CSV */
  uint32_t frame_first, frame_last; /* frames without agents count */
  double dt;                        /* step [s]; of files of other programs 1 / fps */
  uint32_t every;                   /* steps from frame to frame; of files of other programs 1 */
  uint32_t track_count, sample_count, plan_count, mark_count, happening_count;
  th_track *track;
  uint32_t *frame;                  /* per sample */
  float *x, *y, *vx, *vy, *heading; /* per sample [m], [m/s], [rad]; computed from places when not in the file */
  float *narrowed;                  /* per sample: part of the radius by which shoulders are turned; NULL: none is */
  uint8_t *gait, *state;            /* per sample; zeros when not in the file */
  uint32_t *group;                  /* per sample: index into `group_name`; UINT32_MAX: none. NULL: nobody is in one */
  float *z, *vz;                    /* per sample, as the next three: NULL when the ground was flat */
  uint32_t *face;
  th_vec3 *weights, *head; /* barycentric; heading in space, a unit vector */
  th_tracks_mesh *mesh;    /* in order of their frames */
  th_mesh_mark *spot;      /* of a mesh */
  uint8_t *terrain_of;     /* of each face of a mesh: index into `terrain`; NULL: there is one only */
  th_recorded_name *terrain;
  uint32_t mesh_count, spot_count, terrain_count;
  th_floor_plan *plan;  /* ground, in order of first use */
  uint32_t *plan_frame; /* first frame of each */
  th_mark *mark;
  th_recorded_event *happening;
  th_recorded_name *population, *model, *goal; /* in order of first use; goals in order of their numbers */
  uint32_t population_count, model_count, goal_count;
  th_recorded_name *group_name; /* "": one without a name */
  uint32_t group_name_count;
  th_recorded_trace_row *trace_row;
  th_recorded_trace *trace; /* in the order of their frames, agents and publishing */
  float *trace_value;
  uint32_t trace_row_count, trace_count, trace_value_count;
  uint8_t *numbers; /* what the run itself has counted, see th_metrics_of_run; NULL: not known */
  size_t numbers_size;
  struct {
    uint32_t track_capacity, sample_capacity, plan_capacity, plan_frame_capacity, mark_capacity, happening_capacity;
    uint32_t mesh_capacity, spot_capacity, population_capacity, model_capacity, goal_capacity;
    uint32_t trace_row_capacity, trace_capacity, trace_value_capacity, terrain_capacity;
    uint32_t group_name_capacity;
  } tail; /* the library's own */
} th_tracks;

/** What a recording holds, without reading its frames. */
typedef struct th_recording_info {
  char name[64];
  uint32_t version;
  double fps;
  uint64_t seed, frames, agents, rows, events, geometries;
  uint32_t frame_first, frame_last;
  uint32_t meshes, vertices, faces; /* of mesh ground: versions, and the size of the first */
  th_vec2 lower, upper;             /* of all places */
  float lowest, highest;            /* of all places on mesh ground */
} th_recording_info;

TH_API th_result th_recording_read_info(const char *path, th_recording_info *info, th_error *error);

/** What is counted: the agents of each population, the agents of each model, the arrivals at each goal. */
typedef enum th_recorded_by { TH_RECORDED_POPULATION, TH_RECORDED_MODEL, TH_RECORDED_GOAL } th_recorded_by;

typedef struct th_recorded_count {
  char name[48];
  uint64_t count;
} th_recorded_count;

/** Counts by name, without reading frames: writes up to `capacity` names, in order of first use; `*count` is how many
 *  there are. None in files without names. */
TH_API th_result th_recording_read_counts(const char *path, th_recorded_by by, th_recorded_count *list,
                                          uint32_t capacity, uint32_t *count, th_error *error);

/** Where tracks come from. */
typedef struct th_tracks_def {
  th_env env;
  const char *path; /* of the file */
  /** th_recording_read: only `frames` frames from `first` on, so that a long recording is read piece by piece, a frame
   * if that is wanted; 0 frames = all. Frames keep their numbers, agents that are in none of them are left out, and
   * events and the run's own numbers are whole. CSV files are read whole. */
  uint32_t first, frames;
} th_tracks_def;

TH_API th_tracks_def th_default_tracks_def(void); /* from nowhere */

/** Reads a recording: ours, or a file of JuPedSim (version 1, 2 or 3). */
TH_API th_result th_recording_read(const th_tracks_def *def, th_tracks *tracks, th_error *error);

/** Text of the scene that a recording was made from; TH_ERROR_STATE when it holds none. Release with th_text_free. */
TH_API th_result th_recording_read_scene(const th_tracks_def *def, char **text, th_error *error);

/** Copies a recording whole: frames, events, shapes, the scene, and what other programs have put into the file. The
 *  copy must be another file. Replaces `to` through `to`.part. */
TH_API th_result th_recording_copy(const char *from, const char *to, th_error *error);

/** Writes tracks as a recording (CSV to SQLite, or a part of a recording): frames, ground and names. Events, groups,
 * shapes and the scene stay behind; th_recording_copy keeps them. Ids stay as they are when all are above 0. */
TH_API th_result th_tracks_record(const th_tracks *tracks, const char *path, th_error *error);

/** The mesh that holds at a frame, NULL when the ground was flat. */
TH_API const th_tracks_mesh *th_tracks_mesh_at(const th_tracks *tracks, uint32_t frame);

/** Index of the sample of `track` at `frame`, or of the last one before it; UINT32_MAX outside its life. */
TH_API uint32_t th_tracks_find(const th_tracks *tracks, const th_track *track, uint32_t frame);
TH_API void th_tracks_free(th_tracks *tracks);

/* ---------------------------------------------------------------- CSV */

/** Lines of comments (# key: value), then frame,time,id,x,y,vx,vy,heading,radius,gait,state; from mesh ground also
 *  z,vz,face,weight_1,weight_2,head_x,head_y,head_z (the mesh itself is not written); where names are known also
 *  population,model,goal. Replaces `path` through `path`.part. Numbers are written so that reading gives the same bits
 *  back. */
TH_API th_result th_csv_write(const th_tracks *tracks, const char *path, th_error *error);

/** Reads such a file. Columns may come in any order; frame, id, x and y must be there. The error has line and
 *  column. */
TH_API th_result th_csv_read(const th_tracks_def *def, th_tracks *tracks, th_error *error);

/** Writes the traces of a recording, one item per line: frame,time,id,source,name,type,unit,step,at_x ... c_z,value,
 *  and of a raster columns, rows and its values, separated by spaces. Replaces `path` through `path`.part. */
TH_API th_result th_csv_write_traces(const th_tracks *tracks, const char *path, th_error *error);

#ifdef __cplusplus
}
#endif
#endif
