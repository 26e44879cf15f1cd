/* world/draw/pen.c - what all parts of a drawing are drawn with: points lifted off the ground, and shapes from them. A
 * primitive that the host has no callback for is not drawn. */
#include "world/draw/pen.h"

#include <stdio.h>

th_vec3 th_pen_point(const th_pen *pen, th_place place, th_vec2 off) {
  const th_ground *ground = pen->world->ground;
  th_vec3 p = th_ground_point(ground, place), d = th_ground_to_space(ground, place, off);
  th_vec3 n = th_ground_normal(ground, place);
  float lift = pen->draw->lift;
  return (th_vec3){p.x + d.x + lift * n.x, p.y + d.y + lift * n.y, p.z + d.z + lift * n.z};
}

void th_pen_line(const th_pen *pen, th_vec3 from, th_vec3 to) {
  if (pen->draw->line) pen->draw->line(pen->draw->user, pen->part, from, to);
}

void th_pen_arrow(const th_pen *pen, th_place from, th_vec2 offset) {
  const float back = 0.75f, aside = 0.15f;
  const th_vec2 left = {back * offset.x - aside * offset.y, back * offset.y + aside * offset.x};
  const th_vec2 right = {back * offset.x + aside * offset.y, back * offset.y - aside * offset.x};
  th_vec3 tip = th_pen_point(pen, from, offset);
  th_pen_line(pen, th_pen_point(pen, from, (th_vec2){0.0f, 0.0f}), tip);
  th_pen_line(pen, th_pen_point(pen, from, left), tip);
  th_pen_line(pen, th_pen_point(pen, from, right), tip);
}

void th_pen_disc(const th_pen *pen, th_place place, float radius) {
  if (!pen->draw->disc) return;
  th_vec3 normal = th_ground_normal(pen->world->ground, place);
  pen->draw->disc(pen->draw->user, pen->part, th_pen_point(pen, place, (th_vec2){0.0f, 0.0f}), normal, radius);
}

void th_pen_text(const th_pen *pen, th_place place, const char *format, uint32_t number) {
  char text[32];
  if (!pen->draw->text) return;
  snprintf(text, sizeof text, format, number);
  pen->draw->text(pen->draw->user, pen->part, th_pen_point(pen, place, (th_vec2){0.0f, 0.0f}), text);
}
