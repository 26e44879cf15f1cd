/* report/render/view.h - types that the parts of the renderer of meshes share: camera, mesh, picture.
 *
 * A th_render_camera (`eye`) is a th_camera that has been placed: it maps points of space to pixels of one panel. A
 * th_render_mesh (`drawn`) is the mesh prepared for drawing: normals, edges drawn as lines, colours. A picture is what
 * the eye sees of it: colours, depths and faces, pixel by pixel.
 */
#ifndef TH_REPORT_RENDER_VIEW_H
#define TH_REPORT_RENDER_VIEW_H

#include <math.h>

#include "base/tasks.h"
#include "geometry/vector.h"
#include "report/figure/draw.h"

#define TH_MAX_CAMERAS 6
#define TH_RAMP_STEPS 512
#define TH_MAX_ISOLINES 40
#define TH_ISOLINE_INK 0.55 /* how dark isolines are */

/* Length before; a null vector stays. */

/* ---------------------------------------------------------------- skin */

typedef enum th_edge_mark { TH_EDGE_NONE, TH_EDGE_MESH, TH_EDGE_WALL, TH_EDGE_FRONTIER } th_edge_mark;

typedef struct th_render_mesh {
  const th_mesh_figure_def *def;
  th_allocator allocator;
  uint32_t vertices, faces;
  double *xyz;                   /* stretched, 3 for each vertex */
  float *normal;                 /* 9 for each face: one for each corner, smooth but for creases */
  uint8_t *edge;                 /* th_edge_mark of each half-edge */
  uint8_t *knot;                 /* of each vertex: 1 when an edge above TH_EDGE_MESH ends there */
  bool everywhere;               /* the page has room for people on every face, and so is the same for all frames */
  bool closed;                   /* no border: seen from outside, every face seen from behind is hidden */
  double middle[3], size;        /* of the box around it: middle and diagonal [m] */
  th_scale value, agents, lines; /* of the colour bars; label NULL: none */
  double level[TH_MAX_ISOLINES]; /* ascending */
  uint32_t levels;
  float ramp[TH_RAMP_STEPS][3]; /* colours of `value` */
} th_render_mesh;

/* Frees its memory when it fails. */
th_result th_render_mesh_make(const th_mesh_figure_def *def, th_render_mesh *drawn, th_error *error);
void th_render_mesh_free(th_render_mesh *drawn);

/* The colour without light at barycentric `b` of a face; what lies under lines. */
void th_render_mesh_colour(const th_render_mesh *drawn, uint32_t face, const double b[3], float rgb[3]);
/* Index of the isoline nearest to a value. */
uint32_t th_render_mesh_level(const th_render_mesh *drawn, double value);
void th_render_face_normal(const th_render_mesh *drawn, uint32_t face, double normal[3]);
/* Place of an agent in the stretched space. */
void th_render_agent_point(const th_render_mesh *drawn, uint32_t agent, double point[3]);
th_colour th_agent_colour(const th_render_mesh *drawn, uint32_t agent);
th_colour th_kind_colour(const th_render_mesh *drawn, uint32_t kind);
th_colour th_terrain_colour(uint32_t terrain);
th_colour th_value_colour(const th_render_mesh *drawn, double t);

extern const th_colour th_clay, th_blocked_dark, th_frontier_yellow, th_goal_green, th_path_blue;

/* ---------------------------------------------------------------- eye */

typedef struct th_render_camera {
  double right[3], up[3], back[3]; /* unit vectors; back points to the viewer */
  double at[3];                    /* where the eye is, or for parallel rays the middle of the scene */
  double light[3];                 /* towards the light: above the viewer's left shoulder */
  bool lens;                       /* rays meet in `at` */
  double scale, x, y;              /* pixels for one metre (one unit of the tangent), pixel of the axis */
  double box[4];                   /* of the mesh at scale 1: left, right, bottom, top */
  double nearest;                  /* nearer points are cut off [m] */
  const uint8_t *hidden;
  bool cull; /* faces seen from behind are left out */
} th_render_camera;

/* A point as an eye sees it. `key` is larger the nearer a point is and linear over a face on the page. */
typedef struct th_render_point {
  double x, y, depth, key, weight; /* pixels, pixels, metres, -, what perspective divides by */
} th_render_point;

/* Looks from a direction; all of the mesh that is not hidden fills `box`. */
void th_render_camera_aim(const th_render_mesh *drawn, const th_camera *camera, th_render_camera *eye);
/* Scale at which the box fits a panel, and the move that puts it into the middle. */
double th_render_camera_fit(const th_render_camera *eye, double width, double height);
void th_render_camera_place(th_render_camera *eye, double scale, double width, double height);
/* False behind the eye. */
bool th_render_camera_see(const th_render_camera *eye, const double point[3], th_render_point *spot);
/* Towards the viewer at that point, unit length. */
void th_render_camera_ray(const th_render_camera *eye, const double point[3], double ray[3]);
/* Pixels for one metre across the ray at that depth. */
double th_render_camera_metre(const th_render_camera *eye, double depth);
th_result th_render_camera_choose(const th_render_mesh *drawn, th_camera *camera, th_error *error);

/* How bright a side with that normal is; `ray` towards the viewer. */
static inline double th_render_light(const th_render_camera *eye, const double normal[3], const double ray[3]) {
  double lit = 0.5 + 0.5 * th_dot3d(normal, eye->light), facing = fabs(th_dot3d(normal, ray));
  return (0.60 + 0.46 * lit * lit) * (0.85 + 0.15 * sqrt(facing));
}

/* ---------------------------------------------------------------- picture */

/* Samples being painted: some rows of a picture, `fine` times finer in both directions. */
typedef struct th_render_rows {
  uint32_t width, rows, top, fine; /* samples, samples, first row, samples per pixel */
  double unit;                     /* width of lines: samples for one unit of the page */
  float *key;
  uint32_t *colour; /* 0xffrrggbb, 0: nothing */
  uint32_t *face;
} th_render_rows;

typedef struct th_render_image {
  uint32_t width, height; /* pixels of its own */
  double density;         /* its pixels per pixel of the page */
  uint32_t *colour;       /* premultiplied, as cairo's ARGB32 */
  float *depth;           /* [m] of the farthest sample, INFINITY: nothing there */
  uint8_t *dim;           /* how much corners are darkened, 200: not at all */
  uint8_t *seen;          /* of each face whether a sample shows it */
} th_render_image;

/* The samples of the ground alone, kept from one picture to the next in a film with a fixed camera. All zero: none yet.
 */
typedef struct th_render_cache {
  th_allocator allocator;
  const th_mesh *mesh;
  th_render_camera eye;
  double unit;
  uint32_t columns, rows; /* samples */
  float *key;
  uint32_t *colour;
  bool ready;
} th_render_cache;

void th_render_cache_free(th_render_cache *cache);

typedef struct th_render_image_def {
  const th_render_mesh *drawn;
  const th_render_camera *eye; /* placed for the page */
  double width, height, density, unit;
  bool bodies, seen;
  th_render_cache *cache; /* or NULL; values and marks of the ground must be those of the picture before */
} th_render_image_def;

th_result th_render_image_make(const th_render_image_def *def, th_render_image *picture, th_error *error);
void th_render_image_free(const th_render_mesh *drawn, th_render_image *picture);
/* True when a point of the page at that depth is in front of everything drawn there. */
bool th_render_image_shows(const th_render_image *picture, double x, double y, double depth);

/* Towards another colour by a share. */
static inline void th_render_mix(float rgb[3], const th_colour *with, double share) {
  rgb[0] += (float)share * ((float)with->r - rgb[0]);
  rgb[1] += (float)share * ((float)with->g - rgb[1]);
  rgb[2] += (float)share * ((float)with->b - rgb[2]);
}

/* Heavy edges near a face, as segments on the page, in samples. */
#define TH_MAX_RIMS 24
typedef struct th_render_rim {
  double x, y, dx, dy, inverse, reach; /* begin, extent, 1 / its square; half width in units of the page */
  th_edge_mark mark;
} th_render_rim;
typedef struct th_render_rims {
  uint32_t count;
  th_render_rim rim[TH_MAX_RIMS];
} th_render_rims;
void th_render_rims_find(const th_render_mesh *drawn, const th_render_camera *eye, uint32_t face, th_render_rims *rims);
/* What is drawn at a sample: a wall, a frontier, or nothing of both. */
th_edge_mark th_render_rims_at(const th_render_rims *rims, double x, double y, double unit);

/* Marks that are painted on a face. */
#define TH_MAX_FACE_MARKS 4
typedef enum th_render_inside { TH_OUTSIDE, TH_ACROSS, TH_INSIDE } th_render_inside;
typedef struct th_render_face_marks {
  uint32_t count;
  const th_mesh_figure_mark *mark[TH_MAX_FACE_MARKS];
  th_render_inside inside[TH_MAX_FACE_MARKS];
} th_render_face_marks;
typedef struct th_render_sample {
  uint32_t face;
  const double *b; /* barycentric weights */
  double unit;     /* samples for one unit of the page */
} th_render_sample;
void th_render_marks_find(const th_render_mesh *drawn, uint32_t face, th_render_face_marks *marks);
void th_render_marks_paint(const th_render_mesh *drawn, const th_render_camera *eye, const th_render_face_marks *marks,
                           const th_render_sample *at, float rgb[3]);

/* Faces into a band; `plain` leaves colours out. The eye counts in samples. */
void th_raster_face(const th_render_mesh *drawn, const th_render_camera *eye, th_render_rows *band, uint32_t face,
                    bool plain);
void th_raster_body(const th_render_mesh *drawn, const th_render_camera *eye, th_render_rows *band, uint32_t agent);

/* ---------------------------------------------------------------- drawing on the page */

/* One panel of the page. */
typedef struct th_render_panel {
  th_canvas *canvas;
  const th_render_mesh *drawn;
  th_camera camera;
  th_render_camera eye;
  th_render_image picture;
  double left, top, width, height;
  bool bodies; /* of agents are in the picture */
} th_render_panel;

/* Polygons of the faces seen, from back to front. */
th_result th_render_vector(const th_render_panel *panel, th_error *error);
void th_render_overlay_lines(const th_render_panel *panel);
void th_render_overlay_gradients(const th_render_panel *panel);
void th_render_people(const th_render_panel *panel, const uint32_t *order, uint32_t count);
void th_render_marks(const th_render_panel *panel);

/* How a line is drawn: `down` after a point that was seen. */
typedef struct th_render_pen {
  const th_render_panel *panel;
  double wide, halo;
  th_colour colour, under;
  double alpha;
  bool down;
} th_render_pen;

/* Adds the visible parts of a straight piece to the path; draws the path. */
void th_render_trace(th_render_pen *pen, const double a[3], const double b[3]);
void th_render_stroke(const th_render_pen *pen);
/* A point of the figure in its stretched space. */
void th_render_space_of(const th_render_mesh *drawn, th_vec3 p, double out[3]);
/* True when nothing lies before a point by more than `pixels`; where it is on the page. */
bool th_render_shows(const th_render_panel *panel, const double point[3], double pixels, th_render_point *spot);

/* How a body is drawn. */
typedef struct th_render_body {
  double foot[3], normal[3], up[3], ahead[3], side[3]; /* unit vectors but for foot */
  double radius, height;                               /* [m], at least what can be seen */
  double across; /* half width across the heading [m]: less with turned shoulders */
  bool upright, heading;
} th_render_body;

/* The body's outline on the page, seen along its axis or not: an ellipse, as the lower triangle xx, yx, yy of the
 * linear map from the unit circle. `metre`: pixels of 1 m. */
typedef struct th_render_outline {
  double xx, yx, yy;
} th_render_outline;
th_render_outline th_render_outline_of(const th_render_camera *eye, const th_render_body *body, double metre);

/* False when it stands on a side that is not seen. `unit`: pixels of the eye for one unit of the page. */
bool th_render_body_of(const th_render_mesh *drawn, const th_render_camera *eye, uint32_t agent, double unit,
                       th_render_body *body);

/* ---------------------------------------------------------------- around the panels */

void th_render_bar(const th_canvas *canvas, const th_scale *scale, const th_render_mesh *drawn, double x, double y,
                   double height);
void th_render_legend(const th_canvas *canvas, const th_render_mesh *drawn, double left, double right, double y);
/* A figure on a page of its size, an image, rather than in a file. `cache`: TH_MAX_CAMERAS of them, from one call to
 * the next of figures that differ in people and lines only, or NULL. */
th_result th_mesh_figure_draw(const th_mesh_figure_def *def, th_render_cache *cache, cairo_surface_t *page,
                              th_error *error);
th_result th_mesh_figure_check(const th_mesh_figure_def *def, const char *path, th_error *error);

#endif
