/* world/draw/pen.h - internals of drawing: the callbacks together with the world that is drawn. */
#ifndef TH_WORLD_DRAW_PEN_H
#define TH_WORLD_DRAW_PEN_H

#include "throng/draw.h"
#include "world/nearby.h"

typedef struct th_pen {
  const th_draw *draw;
  const th_world *world;
  uint32_t part;
} th_pen;

/* A lifted point of the ground, at the distance `off` [m] from the place in the plane of its cell. */
th_vec3 th_pen_point(const th_pen *pen, th_place place, th_vec2 off);
void th_pen_line(const th_pen *pen, th_vec3 from, th_vec3 to);
void th_pen_arrow(const th_pen *pen, th_place from, th_vec2 offset);
void th_pen_disc(const th_pen *pen, th_place place, float radius);
void th_pen_text(const th_pen *pen, th_place place, const char *format, uint32_t number);

/* agents.c */
void th_draw_fields(const th_pen *pen);
void th_draw_agents(const th_pen *pen);
void th_draw_advice(const th_pen *pen);
void th_draw_neighbours(const th_pen *pen);
void th_draw_links(const th_pen *pen);
void th_draw_agent_ids(const th_pen *pen);
void th_draw_traces(const th_pen *pen); /* traces.c */

#endif
