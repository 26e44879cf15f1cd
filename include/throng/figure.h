/* throng/figure.h - pictures and films of a run. Part of throng_report.
 *
 * Figures are PNG, SVG or PDF, by the ending of the file's name. docs/figures.md shows them.
 * Threads: any; calls on one figure must not overlap.
 */
#ifndef THRONG_FIGURE_H
#define THRONG_FIGURE_H

#include "mesh.h"
#include "metrics.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------- figures of flat ground */

typedef enum th_colour_by {
  TH_COLOUR_TIME,      /* start blue, end yellow */
  TH_COLOUR_SPEED,     /* [m/s] */
  TH_COLOUR_AGENT,     /* one muted colour each */
  TH_COLOUR_POPULATION /* one colour each, named in the legend. Agents of none are grey */
} th_colour_by;

/** A scalar and a direction over the ground, for isolines and streamlines. Any continuous function will do. */
typedef struct th_plot_field {
  bool (*at)(void *user, float x, float y, double *value, th_vec2 *direction); /* false: solid or outside */
  void *user;
  const char *label; /* of the colour bar, such as "log u" or "distance to the goal [m]" */
} th_plot_field;

/** What a figure shows. Every layer that is NULL or false is left out. */
typedef struct th_figure_def {
  th_env env;
  uint32_t width;            /* pixels (points in SVG and PDF) [200, 20000], default 1600; height follows the ground */
  const char *title, *note;  /* note: a line in small type below the title */
  const th_floor_plan *plan; /* ground; NULL: the one of the tracks at `time` */
  const th_mark *mark;       /* goals, doors, areas ... in addition to those of the tracks */
  uint32_t mark_count;
  const th_tracks *tracks;
  bool paths, density, bodies, legend;
  th_colour_by colour; /* of paths and bodies */
  double time;         /* of the bodies [s]; NAN: the end. Paths are drawn up to it */
  double trail;        /* length of the paths shown before `time` [s]; 0: all */
  double marks;        /* time marks on paths, every so many seconds; 0 (default): none. Flat ground */
  const char *traces;  /* recorded traces that are shown, at the marks or at `time`: names or source.name, separated by
                          commas; "vectors": all vectors of models and guides; "all"; NULL (default): none */
  const th_plot_field *field;
  const struct th_mesh_figure_def *mesh; /* of mesh ground: cameras, colours, edges, cut_away, stretch; NULL: auto */
} th_figure_def;

TH_API th_figure_def th_default_figure_def(void);

/** Draws one figure; .png, .svg or .pdf. Replaces `path` through `path`.part. */
TH_API th_result th_figure_write(const th_figure_def *def, const char *path, th_error *error);

/** One panel of a comparison; `numbers` may be NULL. */
typedef struct th_panel {
  th_figure_def figure;
  const th_summary *numbers;
} th_panel;

/** Panels side by side (or one above another when that fits better), one scale, one colour bar, numbers below each. */
TH_API th_result th_figure_compare(const th_panel *panel, uint32_t count, const char *title, uint32_t width,
                                   const char *path, th_error *error);

typedef struct th_film_def {
  th_figure_def figure;                                         /* `time` is set for each frame */
  double fps;                                                   /* of the film [1, 120], default 25 */
  double speed;                                                 /* seconds of the scene per second of film, default 1 */
  bool (*progress)(void *user, uint32_t frame, uint32_t count); /* false stops; may be NULL */
  void *user;
} th_film_def;

TH_API th_film_def th_default_film_def(void);

/** Makes a film. `path` ends in .mp4, .webm or .gif: frames go to ffmpeg, run as a child process. Where there is no
 *  ffmpeg, frames are written as PNG files to the folder `path` without its ending, `*as_frames` becomes true and the
 *  log gets a message with the command that joins them, before the first frame is drawn. A `path` that ends in "/" asks
 *  for frames. */
TH_API th_result th_film_write(const th_film_def *def, const char *path, bool *as_frames, th_error *error);

/* ---------------------------------------------------------------- figures of surfaces
 *
 * Drawn by a software renderer: no graphics card, the same picture on every machine. Everything is given in arrays, so
 * a mesh, a field on it and a list of points are enough. docs/figures.md shows them.
 */

typedef enum th_camera_kind {
  TH_CAMERA_AUTO,    /* of 33 directions the one that shows most of the walkable side, the agents and the lines */
  TH_CAMERA_ANGLES,  /* from `azimuth` and `elevation` */
  TH_CAMERA_BEHIND,  /* opposite to the first camera: the back of a planet */
  TH_CAMERA_POSITION /* from `eye` towards `target`, also inside a tube; needs a lens */
} th_camera_kind;

typedef struct th_camera {
  th_camera_kind kind;
  double azimuth;             /* where the eye stands, seen from the middle [degrees]: 0 towards +x, 90 towards +y */
  double elevation;           /* [-90, 90] degrees; 90 looks down */
  double lens;                /* field of view [degrees] [0, 120]; 0: orthographic */
  double zoom;                /* [0.1, 100], default 1: the mesh fills its panel */
  th_vec3 eye, target;        /* TH_CAMERA_POSITION only */
  const char *caption;        /* below the panel, or NULL */
  const uint8_t *hidden_face; /* 1 for faces that this camera leaves out, with the agents on them; NULL: none */
} th_camera;

/** The colours of the surface. */
typedef enum th_mesh_figure_colours {
  TH_MESH_FIGURE_OURS,  /* equal steps look equal; dark where blocked */
  TH_MESH_FIGURE_THESIS /* potential green to red, yellow frontiers of blocked and goal cells, blue and white paths */
} th_mesh_figure_colours;

/** Of a vertex, where a cell is a vertex (the harmonic fields of 3DS-BVP). */
enum { TH_FIGURE_CELL_FREE = 0, TH_FIGURE_CELL_OCCUPIED = 1, TH_FIGURE_CELL_GOAL = 2 };

typedef enum th_isolines { TH_ISOLINES_NONE, TH_ISOLINES_EVEN, TH_ISOLINES_RANKED } th_isolines;

/** A number on each vertex or each face; NAN where there is none. */
typedef struct th_mesh_figure_value {
  const float *vertex, *face; /* at most one of both */
  const char *label;          /* of the colour bar, with its unit, such as "distance left [m]"; NULL: no bar */
  float min, max;             /* of the bar; NAN (default): from the values, without the outermost 0.5 % */
  float middle; /* when given, the two halves of the colour scale meet at this value, such as 1 for L2; default NAN */
  th_isolines isolines; /* of vertex values: at round steps (default), or by rank for fields of many orders */
} th_mesh_figure_value;

typedef enum th_body_shape {
  TH_BODY_AUTO,   /* upright where a body is wider than 7 pixels */
  TH_BODY_DISC,   /* lying on the surface */
  TH_BODY_UPRIGHT /* standing along the normal */
} th_body_shape;

/** The agents on the surface. A place is a face with barycentric weights or with a point in space. */
typedef struct th_mesh_figure_bodies {
  uint32_t count;
  const uint32_t *face;
  const th_vec3 *weights, *point; /* one of both */
  const th_vec3 *heading;         /* in space, any length, or NULL */
  const float *radius;            /* [m], or NULL: all `same_radius` */
  const float *narrowed;     /* share of the radius by which turned shoulders are narrower across the heading [0, 1), or
                                NULL: 0 */
  float same_radius, height; /* [m], default 0.25 and 1.7 */
  th_body_shape shape;
  bool plumb;           /* bodies stand along z, as in houses and on terrain; else along the normal, as on planets */
  const float *value;   /* colours by a number such as speed, or NULL */
  const char *label;    /* of its bar, such as "speed [m/s]"; NULL: no bar */
  float min, max;       /* of the bar, NAN: from the values */
  const uint32_t *kind; /* colours by goal, population or agent, or NULL; `kind_count` and more are grey */
  const char *const *kind_name; /* for the legend, or NULL */
  uint32_t kind_count;
} th_mesh_figure_bodies;

typedef enum th_mesh_figure_line_kind {
  TH_MESH_FIGURE_PATH,  /* a planned path: blue */
  TH_MESH_FIGURE_GRID,  /* a path of another planner, for comparison: white */
  TH_MESH_FIGURE_TRAIL, /* where an agent walked; fades towards its start */
  TH_MESH_FIGURE_WALL,  /* ink */
  TH_MESH_FIGURE_TRACE  /* a thin line of the colour 0xRRGGBB */
} th_mesh_figure_line_kind;

typedef struct th_mesh_figure_line {
  th_mesh_figure_line_kind kind;
  const th_vec3 *point; /* on the surface */
  uint32_t count;
  uint32_t colour; /* of a trail: the kind of its agent; of a trace: 0xRRGGBB */
} th_mesh_figure_line;

typedef struct th_mesh_figure_mark {
  const char *kind, *name; /* "goal", "door", "source", "line", "area" as on plans; "time": a dot on a path */
  uint32_t face;
  th_vec3 point;
  float radius;           /* [m] */
  const th_vec3 *outline; /* of a line or area: points on the surface, at least 2; NULL: a circle */
  uint32_t outline_count;
  bool closed;     /* the outline is a polygon seen from above, and its inside is painted */
  float low, high; /* heights between which it is painted [m]; -INFINITY, INFINITY: all */
} th_mesh_figure_mark;

/** What a figure of a surface shows. Every layer that is NULL or false is left out. */
typedef struct th_mesh_figure_def {
  th_env env;
  uint32_t width, height; /* pixels, default 1600; height of the whole figure, 0 (default): as it fits */
  const char *title, *note;
  const th_mesh *mesh;
  const uint8_t *blocked;    /* of each face */
  const uint8_t *cell;       /* of each vertex: TH_FIGURE_CELL_... */
  const uint8_t *terrain_of; /* of each face: its terrain or level */
  const char *const *terrain_name;
  uint32_t terrain_count;
  th_mesh_figure_value value;
  th_mesh_figure_colours colours;
  bool edges;     /* of the triangles */
  bool gradients; /* a short line along the gradient of the vertex values in each face that has one */
  bool cut_away;  /* leave out faces seen from behind: shows the inside of tubes and shells */
  double stretch; /* factor of heights [0.1, 20], default 1; separates the floors of a house */
  th_mesh_figure_bodies agents;
  const th_mesh_figure_line *line;
  uint32_t line_count;
  const float *const *line_value; /* of each trail: a number at each point, such as speed, that colours it; or NULL */
  const char *line_label;         /* of its bar, such as "time [s]"; NULL: no bar */
  float line_min, line_max;       /* of the bar, min < max */
  const th_mesh_figure_mark *mark;
  uint32_t mark_count;
  const th_camera *camera; /* one panel each, at most 6; NULL: one automatic */
  uint32_t camera_count;
  bool legend; /* scale bar, names of terrains and kinds; default true */
} th_mesh_figure_def;

TH_API th_camera th_default_camera(void);
TH_API th_mesh_figure_def th_default_mesh_figure_def(void);

/** Draws one figure; .png, or .svg and .pdf in which faces are polygons up to 30,000 visible ones; with more, the
 *  surface is a raster picture under vector paths and letters. Replaces `path` through `path`.part. */
TH_API th_result th_mesh_figure_write(const th_mesh_figure_def *def, const char *path, th_error *error);

/** The chart of one agent: the flat map that it decides on. Chart coordinates [m]; the agent stands at (0, 0). */
typedef struct th_chart_figure_def {
  th_env env;
  uint32_t width; /* default 1000 */
  const char *title, *note;
  const th_vec2 *vertex;  /* of the chart */
  const uint32_t *corner; /* 3 for each triangle */
  uint32_t vertex_count, triangle_count;
  const float *stretch; /* L2 of each triangle, or NULL */
  const th_segment *wall;
  uint32_t wall_count;
  const th_vec2 *neighbour, *neighbour_velocity; /* velocity [m/s] or NULL */
  const float *neighbour_radius;
  const uint8_t *neighbour_seen; /* 0: on the chart, but not seen by the agent */
  uint32_t neighbour_count;
  float radius;             /* of the agent itself [m], default 0.25 */
  float reach;              /* how far it sees [m]; 0: not drawn */
  th_vec2 heading, wanted;  /* unit vectors or 0 */
  th_vec2 velocity;         /* [m/s] */
  const th_vec2 *reference; /* the point it walks to, when on the chart, or NULL */
} th_chart_figure_def;

TH_API th_chart_figure_def th_default_chart_figure_def(void);
TH_API th_result th_chart_figure_write(const th_chart_figure_def *def, const char *path, th_error *error);

/** Bars of how often each range of a number occurs, in percent; values beyond the ends count in the outermost bars. */
typedef struct th_bars_figure_def {
  th_env env;
  uint32_t width; /* default 1000 */
  const char *title, *note, *label;
  const float *value;
  uint32_t count;
  float min, max; /* NAN: from the values */
  uint32_t bars;  /* [2, 200], default 20 */
  float middle;   /* drawn as a line, such as L2 = 1; NAN: none */
} th_bars_figure_def;

TH_API th_bars_figure_def th_default_bars_figure_def(void);
TH_API th_result th_bars_figure_write(const th_bars_figure_def *def, const char *path, th_error *error);

/** Curves over one axis, such as speed over density: measured ones coloured, published ones in grey. Axes begin at 0.
 */
typedef struct th_plotted_curve {
  const char *name;    /* in the legend */
  const double *x, *y; /* finite, not below 0 */
  uint32_t count;      /* fewer than 20 points get dots */
  bool published;      /* broad and grey */
} th_plotted_curve;
typedef struct th_curves_figure_def {
  uint32_t width;            /* default 1000 */
  const char *title, *x, *y; /* names of the axes */
  const th_plotted_curve *curve;
  uint32_t count;
} th_curves_figure_def;

TH_API th_curves_figure_def th_default_curves_figure_def(void); /* of no curve */
TH_API th_result th_curves_figure_write(const th_curves_figure_def *def, const char *path, th_error *error);

/** Our colour map, t from 0 (dark) to 1 (light), as red, green, blue from 0 to 1. */
TH_API void th_colour_map(double t, double rgb[3]);

#ifdef __cplusplus
}
#endif
#endif
