/* report/figure/draw.h - the layers of a figure; each draws on a canvas through a map. */
#ifndef TH_REPORT_FIGURE_DRAW_H
#define TH_REPORT_FIGURE_DRAW_H

#include "report/figure/canvas.h"

/* What a colour bar needs. */
typedef struct th_scale {
  double min, max;
  const char *label; /* NULL: no bar */
  bool wash;         /* colours of th_colour_wash, else th_colour_ramp */
} th_scale;

typedef struct th_scene_view {
  th_canvas *canvas;
  th_page_map map;
  const th_figure_def *def;
  const th_floor_plan *plan; /* may be NULL */
  th_scale paths, field;
  double time;   /* of the bodies */
  double detail; /* 1 on a page of its own, less in a small panel: lines are thinner, names left out */
} th_scene_view;

void th_draw_floor(const th_scene_view *view);         /* walkable area */
void th_draw_walls(const th_scene_view *view);         /* obstacles and walls */
void th_draw_marks(const th_scene_view *view);         /* goals, doors, sources, lines, areas */
void th_draw_labels(const th_scene_view *view);        /* their names */
void th_draw_clip_to_floor(const th_scene_view *view); /* until cairo_restore */
void th_draw_paths(const th_scene_view *view);
void th_draw_bodies(const th_scene_view *view);
/* What decisions were made of: what covers ground, below paths and bodies; then the rest with time marks, above. */
void th_draw_trace_layer(const th_scene_view *view, bool ground);
double th_draw_trace_legend(const th_scene_view *view, double right, double y); /* as th_draw_legend */
th_result th_draw_density(th_scene_view *view, th_error *error);                /* sets the scale `field` */
th_result th_draw_field(th_scene_view *view, th_error *error);                  /* sets the scale `field` */

/* True when a list of names (th_figure_def.traces) holds the row. */
bool th_trace_shown(const char *list, const th_recorded_trace_row *row);
/* The first item of an agent's last decision up to a frame; UINT32_MAX: none. */
uint32_t th_trace_find(const th_tracks *tracks, int64_t id, uint32_t frame);

/* Minimum and maximum of the quantity that colours the paths. */
th_scale th_paths_scale(const th_figure_def *def);
th_colour th_figure_mark_colour(const char *kind);
/* Names on a figure: left, top, right and bottom of each. */
#define TH_MAX_LABELS 128
typedef struct th_label_list {
  double box[TH_MAX_LABELS][4];
  uint32_t count;
} th_label_list;
/* Moves a box down until it overlaps no other, and adds it; false when three places are taken. */
bool th_figure_label_put(th_label_list *list, double box[4]);
/* Lines, areas and sources, which nobody walks to, are dashed and pale. */
bool th_figure_mark_quiet(const char *kind);

/* A figure inside a rectangle of a page: all layers, no title. */
th_result th_draw_layers(th_scene_view *view, th_error *error);
void th_draw_scale_bar(const th_scene_view *view, double x, double y, double max);
/* Ticks and numbers of a scale to the right of a bar (x, y, width, height), in letters of this size. */
void th_draw_ticks(const th_canvas *canvas, const th_scale *scale, const double bar[4], double size);
void th_draw_colour_bar(const th_canvas *canvas, const th_scale *scale, double x, double y, double height);
void th_draw_legend(const th_scene_view *view, double right, double y);

/* What a film draws once for each ground, and what it draws again for each frame: note, paths, bodies, names. */
typedef enum th_figure_layers { TH_LAYERS_ALL, TH_LAYERS_STILL, TH_LAYERS_MOVING } th_figure_layers;

/* A figure on a page of th_figure_size; `scale` is th_paths_scale(def), which reads every sample. */
bool th_figure_size(const th_figure_def *def, double *width, double *height);
th_result th_figure_draw(th_canvas *canvas, const th_figure_def *def, const th_scale *scale, th_figure_layers part,
                         th_error *error);

/* A figure of tracks on mesh ground. */
th_result th_figure_write_mesh(const th_figure_def *def, const char *path, th_error *error);
/* On an image of the figure's size; `cache` as in th_mesh_figure_draw. */
struct th_render_cache;
th_result th_figure_draw_mesh(const th_figure_def *def, struct th_render_cache *cache, cairo_surface_t *page,
                              th_error *error);

/* The ground that a figure must show; false when there is none. */
bool th_figure_bounds(const th_figure_def *def, th_vec2 *lower, th_vec2 *upper);
const th_floor_plan *th_figure_plan(const th_figure_def *def, double time);
double th_figure_end(const th_figure_def *def);

/* Colours that stay the same along a path: by agent or population. */
bool th_figure_colour_stays(const th_figure_def *def);
/* Colour of a population of the tracks; UINT32_MAX or an index that is none: grey. */
th_colour th_figure_population_colour(const th_tracks *tracks, uint32_t population);

/* Colour of a path and its agent: that of its population where the figure is coloured so, else its own. */
th_colour th_figure_track_colour(const th_figure_def *def, const th_track *track);

#endif
