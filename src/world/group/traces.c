/* world/group/traces.c - publishes the group of a traced agent: the area it fills, its common point, its mask.
 *
 * The weights of the agent's own markers are published by its model. The sides of an area from an image lie between
 * dark and light pixels; consecutive ones of a row or column are joined into one. Everything is seen from above, at the
 * agent's height. Cost: only for traced members, the sides of the area.
 */
#include "world/traces.h"

#include "geometry/vector.h"
#include "world/world.h"

typedef struct publisher {
  th_tracer tracer;
  const th_ground *ground;
  th_place place;
  th_vec3 at;
} publisher;

/* A point seen from above, in the frame of the agent's cell. */
static th_vec2 in_cell(const publisher *p, float x, float y) {
  th_vec2 offset = th_ground_to_cell(p->ground, p->place, (th_vec3){x - p->at.x, y - p->at.y, 0.0f});
  return (th_vec2){p->place.x + offset.x, p->place.y + offset.y};
}

static void segment(publisher *p, int row, th_vec2 from, th_vec2 to, float value) {
  th_vec2 a = in_cell(p, from.x, from.y), b = in_cell(p, to.x, to.y);
  th_trace_segment(&p->tracer, 0, &th_world_own_trace[row], &(th_segment){a.x, a.y, b.x, b.y}, value);
}

static bool is_dark(const th_group_area *area, int64_t i, int64_t j) {
  return i >= 0 && j >= 0 && i < area->width && j < area->height && !area->light[(size_t)j * area->width + (size_t)i];
}

/* A corner of pixels; row 0 is at the top. */
static th_vec2 corner_of(const th_group_area *area, int64_t i, int64_t j) {
  return (th_vec2){area->origin.x + area->pixel * (float)i,
                   area->origin.y + area->pixel * (float)((int64_t)area->height - j)};
}

/* Along one line between rows (or, turned, columns) of pixels. */
static void publish_line(publisher *p, const th_group *group, int64_t line, bool turned) {
  const th_group_area *area = &group->area;
  int64_t count = turned ? area->height : area->width, begun = -1;
  for (int64_t k = 0; k <= count; k++) {
    bool side = k < count && (turned ? is_dark(area, line - 1, k) != is_dark(area, line, k)
                                     : is_dark(area, k, line - 1) != is_dark(area, k, line));
    if (side && begun < 0) begun = k;
    if (side || begun < 0) continue;
    th_vec2 from = turned ? corner_of(area, line, begun) : corner_of(area, begun, line);
    segment(p, TH_OWN_GROUP_AREA, from, turned ? corner_of(area, line, k) : corner_of(area, k, line),
            group->numbers.factor);
    begun = -1;
  }
}

static void publish_area(publisher *p, const th_group *group) {
  const th_group_area *area = &group->area;
  for (uint32_t i = 0; i < area->polygons; i++) {
    uint32_t first = i ? area->end[i - 1] : 0, count = area->end[i] - first;
    for (uint32_t k = 0; k < count; k++)
      segment(p, TH_OWN_GROUP_AREA, area->point[first + k], area->point[first + (k + 1) % count],
              group->numbers.factor);
  }
  for (uint32_t j = 0; area->light && j <= area->height; j++) publish_line(p, group, j, false);
  for (uint32_t i = 0; area->light && i <= area->width; i++) publish_line(p, group, i, true);
}

void th_groups_trace_publish(const th_world *world, uint32_t row, const th_group *group, const th_group_mask *mask) {
  publisher p = {.ground = world->ground, .place = {world->rows.cell[row], world->rows.x[row], world->rows.y[row]}};
  p.at = th_ground_point(p.ground, p.place);
  th_traces_of_guide(world, &p.tracer, &row, 1, "world");
  if (!th_group_area_is_empty(&group->area)) {
    const th_vec3 point = group->numbers.point;
    publish_area(&p, group);
    th_trace_point(&p.tracer, 0, &th_world_own_trace[TH_OWN_GROUP_POINT], in_cell(&p, point.x, point.y),
                   th_group_area_holds(&group->area, p.at.x, p.at.y) ? 1.0f : 0.0f);
  }
  for (int k = 0; mask && k < 2; k++) {
    if (!(k ? mask->across : mask->along)) continue;
    const th_vec2 arm =
        k ? (th_vec2){-mask->arm * mask->s, mask->arm * mask->c} : (th_vec2){mask->arm * mask->c, mask->arm * mask->s};
    segment(&p, TH_OWN_GROUP_MASK, (th_vec2){p.at.x - arm.x, p.at.y - arm.y}, (th_vec2){p.at.x + arm.x, p.at.y + arm.y},
            mask->half_width);
  }
}
