/* io/scene/scene.h - a scene as it was read.
 *
 * Structs embed the defs of what they describe (world, goal, agent, source, ground), and the tables of keys point into
 * them: a setting is a member of a def and a row of a table, and nothing is copied by hand. Other members stand for
 * values that are known only in a run: names for ids, spreads for numbers, shapes for places. Everything belongs to the
 * scene and is valid until th_scene_free.
 */
#ifndef TH_IO_SCENE_SCENE_H
#define TH_IO_SCENE_SCENE_H

#include "io/scene/events/acts.h"
#include "throng/group.h"
#include "throng/mesh_file.h"
#include "throng/scene.h"
#include "throng/world/choice.h"

/* What a scene expects of a result; not `given` = nothing. */
typedef struct th_range {
  bool given;
  double min, max;
} th_range;

/* A range for one named line or area. */
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

/* An area with a name: outline, obstacle, door or measured area. A disc comes as a polygon of 48 corners, a ball as
 *  TH_SHAPE_DISC; everywhere is a ball of infinite radius. */
typedef struct th_scene_area {
  const char *name; /* NULL = none */
  th_shape shape;   /* TH_SHAPE_POLYGON or TH_SHAPE_DISC */
  float low, high;  /* mesh ground: heights of a polygon [m] */
  bool closed;      /* doors */
} th_scene_area;

/* Points [x, y] or [x, y, z]. */
typedef struct th_scene_points {
  th_vec3 *point;
  uint32_t count;
  bool deep; /* at least one gives its z */
} th_scene_points;

/* A shape of a scene seen from above: grounds and measured areas are made of plane polygons. The points lie behind
 * those of the shape, so this costs nothing, and live as long as the scene. */
th_polygon th_scene_polygon(const char *name, const th_shape *shape);

/* The centre of a disc that became a polygon, which keeps its radius; false: it never was one. */
bool th_scene_shape_disc(const th_shape *shape, th_vec3 *centre);

/* A kind of terrain on a mesh, and where it is. */
typedef struct th_scene_terrain {
  th_scene_area area;
  float speed, speed_up, speed_down;
  bool blocked;
} th_scene_terrain;

/* A mesh as ground: from a file or made. */
typedef struct th_scene_mesh {
  const char *file;                  /* relative to the scene file; NULL = made */
  const th_make_params *make;        /* NULL = from a file */
  struct th_building_text *building; /* NULL = none; read by th_scene_make_ground */
  th_mesh_def def;                   /* how the file is read */
  th_mesh_axes axes;                 /* of the file */
  th_mesh_ground_def ground;         /* slopes and headroom */
  th_world_mesh_def world;
  bool prepare;      /* th_world_prepare before the first step */
  double all_fields; /* th_world_prepare_fields within so many MiB; 0 = not */
  th_scene_terrain *terrain;
  uint32_t terrain_count;
} th_scene_mesh;

typedef struct th_scene_markers {
  th_markers_def def;
  const char *file; /* relative to the scene file; NULL = none */
} th_scene_markers;

typedef struct th_scene_ground {
  th_scene_area *outline, *obstacle, *door;
  uint32_t outline_count, obstacle_count, door_count;
  th_scene_image image;
  const char *map;     /* YAML of a robot map, NULL = none */
  th_scene_mesh *mesh; /* NULL = flat ground */
  bool periodic;       /* the left and right ends of the one outline join: `mesh` is a cylinder made of it */
  th_flat_def def;     /* cell (0: fitted) and radius classes; the classes are those of a mesh too */
  th_scene_markers markers;
} th_scene_ground;

typedef struct th_scene_goal {
  const char *name;
  th_goal_def def;
  void *planner; /* parameters of the host's planner; NULL = none were given */
} th_scene_goal;

typedef struct th_scene_guide {
  const char *name;
  const th_guide *kind;  /* a registered guide */
  const void *params;    /* of that guide */
  th_scene_points given; /* of a path that was planned over `edge`: the points to visit */
  th_scene_points *edge;
  uint32_t edge_count;
} th_scene_guide;

typedef struct th_scene_stop {
  const char *name; /* of the goal or the choice */
  uint32_t goal;    /* its index; TH_NO_INDEX where it is a choice */
  uint32_t choice;  /* its index; TH_NO_INDEX where it is a goal */
  float wait;
} th_scene_stop;

typedef struct th_scene_option {
  const char *goal; /* its name */
  uint32_t index;   /* of it */
  th_option def;    /* but for the goal */
} th_scene_option;

typedef struct th_scene_choice {
  const char *name;
  th_scene_option *option;
  uint32_t option_count;
  th_choice_def def; /* but for the options */
} th_scene_choice;

/* Populations whose first agents are known, by th_role; NULL = none. */
typedef struct th_scene_links {
  const char *name[TH_ROLE_PURSUER + 1];
  uint32_t population[TH_ROLE_PURSUER + 1];
} th_scene_links;

/* How members of a group stand to each other while they travel. */
typedef struct th_scene_formation {
  th_formation def; /* but for its points */
  th_scene_points points;
} th_scene_formation;

/* Populations that form a group. */
typedef struct th_scene_group {
  const char *name;
  const char **population; /* names */
  uint32_t population_count;
  const char *leader; /* a population, whose first agent leads; NULL = none */
  th_scene_area *area;
  uint32_t area_count;
  th_scene_image image;
  th_scene_formation *formation; /* NULL = none */
  th_group_def def;              /* its numbers */
} th_scene_group;

/* Whether agents are people, and what was said about them. */
typedef enum th_scene_people_are { TH_SCENE_AS_SCENE, TH_SCENE_PEOPLE, TH_SCENE_BODIES } th_scene_people_are;
typedef struct th_scene_people {
  th_scene_people_are is;
  th_people_params params;
  uint64_t given; /* bit of each row of th_people_table that was given; the others do not count */
} th_scene_people;

/* What populations, sources and changes of a population say about agents. */
typedef struct th_scene_crowd {
  th_agent_def def; /* but for what follows: ids and draws are those of a run */
  th_scene_stop stop[TH_MAX_STOPS];
  uint32_t stop_count;
  const char *guide; /* NULL = the goal's field */
  uint32_t guide_index;
  th_scene_links links;
  th_agent_spread spread;
  th_scene_people people; /* def.people is made of it, th_scene_people_link */
  uint64_t given;         /* bit of each key that was given, see th_scene_crowd_key_bit */
} th_scene_crowd;

/* What a crowd's number is drawn from, whether it was given as a spread or not at all. */
static inline th_spread th_scene_spread(const th_spread *given, float otherwise) {
  return given->kind == TH_SPREAD_NONE ? th_constant_spread(otherwise) : *given;
}

/* One agent of a population: what its crowd was given counts instead of the population's. */
typedef struct th_scene_single {
  th_scene_crowd crowd;
  th_shape point, velocity; /* one point each; the velocity may have none */
  uint32_t stop;            /* of its route; as many as it has: it has arrived */
  float delay;              /* [s]; below 0: the population's */
} th_scene_single;

typedef struct th_scene_population {
  th_scene_crowd crowd;
  const char *name;
  uint32_t count;
  th_shape region;          /* point NULL = explicit positions */
  th_scene_points position; /* count 0 = a region */
  th_scene_single *single;  /* each one's own, or NULL; `position` has their points, too */
  uint32_t single_count;
  float friends; /* of the sizes of groups of friends; 0: all walk alone */
} th_scene_population;

typedef struct th_scene_source {
  th_scene_crowd crowd;
  const char *name;
  th_shape region;
  th_source_def def; /* rate, times and total; agent and region are those of a run */
} th_scene_source;

/* Kinds of things that have names. */
typedef enum th_named {
  TH_NAMED_NONE,
  TH_NAMED_GOAL,
  TH_NAMED_GUIDE,
  TH_NAMED_POPULATION,
  TH_NAMED_SOURCE,
  TH_NAMED_GROUP,
  TH_NAMED_DOOR,
  TH_NAMED_OBSTACLE,
  TH_NAMED_CHOICE,
  TH_NAMED_KINDS
} th_named;

/* Whom an event means; exactly one is given. */
typedef struct th_scene_whom {
  const char *population, *group;
  int32_t *agent; /* indices of ids */
  uint32_t agent_count;
  th_shape region; /* no points: not given */
} th_scene_whom;

typedef struct th_scene_move {
  const char *goal;
  th_shape shape;
} th_scene_move;

typedef struct th_scene_change {
  th_scene_crowd crowd;
  th_scene_whom whom;
} th_scene_change;

typedef struct th_scene_push {
  th_scene_whom whom;
  double velocity[3];
} th_scene_push;

typedef struct th_scene_send {
  th_scene_whom whom;
  th_shape point;
} th_scene_send;

/* Agents by their indices, and what each of them gets. */
typedef struct th_scene_drive {
  int32_t *agent;
  uint32_t agent_count;
  th_scene_points point, velocity, heading;
} th_scene_drive;

/* A link to an agent, or to a point. */
typedef struct th_scene_link_to {
  int32_t role; /* th_role without none */
  uint32_t agent;
  th_shape point;
} th_scene_link_to;

typedef struct th_scene_relink {
  th_scene_whom whom;
  th_scene_link_to *link;
  uint32_t link_count;
} th_scene_relink;

/* Vertices of a mesh and where they are from then on. */
typedef struct th_scene_deform {
  int32_t *vertex;
  uint32_t vertex_count;
  th_scene_points point;
} th_scene_deform;

/* Something that happens at a time, or before a step. */
typedef struct th_scene_event {
  float at;         /* [s]; below 0: not given */
  uint32_t step;    /* TH_NO_INDEX: not given */
  int32_t act;      /* th_scene_act */
  const char *name; /* of what it is about; NULL = nothing with a name */
  uint32_t index;   /* of that in its list of the scene, TH_NO_INDEX = made by an event */
  uint32_t order;   /* in the file; of events by hand it goes on behind them */
  float number;
  uint32_t count;
  union { /* what the act's key holds, else NULL */
    void *part;
    th_scene_area *area;
    th_scene_move *move;
    th_scene_change *change;
    th_scene_whom *whom;
    th_scene_population *enter;
    th_scene_drive *drive;
    th_scene_push *push;
    th_scene_send *send;
    th_scene_points *accept;
    th_scene_relink *relink;
    th_scene_goal *goal;
    th_scene_choice *choice;
    th_scene_guide *guide;
    th_scene_source *source;
    th_scene_group *group;
    th_scene_deform *deform;
  };
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
  float every;        /* seconds between frames; 0 = every step */
  bool events;        /* arrivals, removals ... beside the places */
  uint32_t version;   /* of JuPedSim's file: 2 or 3 */
  const char **trace; /* populations whose agents are traced, or "all" */
  uint32_t trace_count;
} th_scene_recording;

typedef struct th_scene_expect {
  th_range agents, arrived, lost, stuck, queued, time, mean_time, mean_speed;
  th_range wall_contacts, worst_wall_overlap, contacts, worst_overlap, worst_full_overlap, narrowed_free, min_distance;
  th_named_range *flow, *count, *density, *inside, *outside, *askew, *off_post, *left_by, *last_by;
  uint32_t flow_count, count_count, density_count, inside_count, outside_count, askew_count, off_post_count,
      left_by_count, last_by_count;
  uint32_t seeds; /* the block holds for this many, from the scene's on */
} th_scene_expect;

/* The hash that the world of a run has at the beginning of a step. */
typedef struct th_scene_mark {
  uint32_t step;
  const char *hash; /* 16 hexadecimal digits */
} th_scene_mark;

/* How many fields and edits came into force in a step of a run in real time. */
typedef struct th_scene_in_force {
  uint32_t step, count;
} th_scene_in_force;

/* A scene as it was read. Everything belongs to the scene and is valid until th_scene_free. */
struct th_scene {
  const char *schema; /* NULL = none is named */
  uint32_t version;
  th_world_def world; /* ground and env are those of a run */
  th_scene_people people;
  const char *name, *description;
  th_scene_ground ground;
  th_scene_goal *goal;
  th_scene_choice *choice;
  th_scene_guide *guide;
  th_scene_population *population;
  th_scene_source *source;
  th_scene_group *group;
  uint32_t group_count;
  th_scene_event *event; /* those with a step first, by step; the others by time */
  const char **shows;
  uint32_t goal_count, choice_count, guide_count, population_count, source_count, event_count, shows_count;
  uint32_t step_event_count; /* of `event`: those with a step */
  th_scene_mark *mark;       /* hashes that a run must have, by step */
  uint32_t mark_count;
  th_scene_in_force *in_force; /* with world.realtime, by step */
  uint32_t in_force_count;
  th_scene_recording recording;
  th_scene_measure measure;
  th_scene_expect expect;
  float duration;
  const char *path;       /* of the file, or the name given; in a pack PACK/NAME */
  struct th_files *files; /* that it names: beside the file, or in the pack */
  const char *text;       /* of the file, as it was read */
  uint64_t hash;          /* of the text and of every override */
  struct th_scene_memory *memory;
};

/* people.c: what a crowd has of people, of its own keys and those of the scene. */
struct th_scene_reader;
th_result th_scene_people_link(struct th_scene_reader *reader, const th_scene *scene, th_scene_crowd *crowd);
/* People of whom a crowd says nothing. */
void th_scene_people_usual(const th_scene *scene, th_people_params *people);

/* Whether an event opens, closes, adds or removes, and its edit; on a mesh it may point to `region`. */
bool th_scene_event_is_edit(const th_scene_event *event);
th_edit th_scene_event_edit(const th_scene *scene, const th_scene_event *event, th_region *region);
th_edit th_scene_add_edit(const th_scene *scene, const th_scene_area *area, th_region *region); /* of an obstacle */

#endif
