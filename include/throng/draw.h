/* throng/draw.h - draws a world as lines, discs, triangles and texts in space, through callbacks of any engine.
 *
 * This header is for debugging; throng/figure.h makes pictures. The host gives callbacks; each call names the part that
 * it draws, so that the host can choose a colour, with th_draw_colour or otherwise. All coordinates are in metres, z
 * up, on flat and on mesh ground alike. Nothing is allocated and nothing changes. Threads: as for every call that takes
 * a const world; callbacks come from the calling thread.
 */
#ifndef THRONG_DRAW_H
#define THRONG_DRAW_H

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What is drawn, and by which callbacks. */
typedef enum th_draw_part {
  TH_DRAW_WALLS = 1,       /* lines; blocked faces of a mesh as triangles */
  TH_DRAW_CHARTS = 2,      /* lines: borders of the patches whose agents share one chart */
  TH_DRAW_GOALS = 4,       /* points and discs as discs, lines and polygons as lines */
  TH_DRAW_FIELDS = 8,      /* lines: arrows of each agent's field in the cells or faces around it */
  TH_DRAW_AGENTS = 16,     /* a disc of the body's radius and a triangle that points where it heads */
  TH_DRAW_ADVICE = 32,     /* lines: an arrow as long as the displacement in one second at the advised velocity */
  TH_DRAW_NEIGHBOURS = 64, /* lines to the nearest agents that its model sees; at most 16 */
  TH_DRAW_LINKS = 128,     /* lines to the agents and points that it is linked to */
  TH_DRAW_IDS = 256,       /* texts: the index of an agent's id, "goal" and the index of a goal's */
  TH_DRAW_TRACES =
      512, /* what traced agents have published: vectors as arrows, one metre for a unit; segments, half-planes
               with strokes on the forbidden side and outlines of rasters as lines; places as discs */
  TH_DRAW_ALL = 1023
} th_draw_part;

/** Callbacks; one that is NULL is not called. `part` is one th_draw_part. */
typedef struct th_draw {
  void (*line)(void *user, uint32_t part, th_vec3 from, th_vec3 to);
  void (*disc)(void *user, uint32_t part, th_vec3 centre, th_vec3 normal, float radius);
  void (*triangle)(void *user, uint32_t part, const th_vec3 *corner); /* 3, counter-clockwise seen from above */
  void (*text)(void *user, uint32_t part, th_vec3 at, const char *text);
  void *user;
  uint32_t parts;    /* sum of th_draw_part, default TH_DRAW_ALL */
  float lift;        /* height above the ground at which everything is drawn [m] [0, 10], default 0.02 */
  float field_reach; /* arrows of fields are drawn within this distance of their agents [m] [0, 100], default 1 */
} th_draw;

TH_API th_draw th_default_draw(void);

/** Draws part by part in the order of th_draw_part, each in the order of rows or ids. */
TH_API void th_world_draw(const th_world *world, const th_draw *draw);

/** A colour for one part, 0xRRGGBB; all parts have different colours, also for viewers with red-green colour
 *  blindness. */
TH_API uint32_t th_draw_colour(uint32_t part);

#ifdef __cplusplus
}
#endif
#endif
