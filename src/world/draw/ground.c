/* world/draw/ground.c - the parts of a drawing that belong to the ground: walls, patches, goals.
 *
 * Drawing only reads, and passes on one primitive at a time, so it needs no memory, whatever the size of the world.
 * Places become points by th_ground_point, which is the identity on flat ground: the same code serves both kinds of
 * ground.
 */
#include <math.h>

#include "geometry/shape.h"
#include "world/draw/pen.h"

th_draw th_default_draw(void) { return (th_draw){.parts = TH_DRAW_ALL, .lift = 0.02f, .field_reach = 1.0f}; }

/* Colours of Okabe and Ito, grey for walls and black for texts. */
uint32_t th_draw_colour(uint32_t part) {
  static const struct {
    uint32_t part, colour;
  } list[] = {{TH_DRAW_WALLS, 0x606060},  {TH_DRAW_CHARTS, 0x56b4e9},     {TH_DRAW_GOALS, 0x009e73},
              {TH_DRAW_FIELDS, 0xe69f00}, {TH_DRAW_AGENTS, 0x0072b2},     {TH_DRAW_ADVICE, 0xd55e00},
              {TH_DRAW_LINKS, 0xf0e442},  {TH_DRAW_NEIGHBOURS, 0xcc79a7}, {TH_DRAW_IDS, 0x000000},
              {TH_DRAW_TRACES, 0x8c510a}};
  for (size_t k = 0; k < sizeof list / sizeof *list; k++)
    if (list[k].part == part) return list[k].colour;
  return 0;
}

/* Corner k of a face. */
static th_vec3 corner_point(const th_pen *pen, uint32_t half) {
  const th_vec3 weights = {half % 3 == 0, half % 3 == 1, half % 3 == 2};
  return th_pen_point(pen, th_ground_place_of(pen->world->ground, half / 3, weights), (th_vec2){0.0f, 0.0f});
}

static void draw_half(const th_pen *pen, uint32_t half) {
  th_pen_line(pen, corner_point(pen, half), corner_point(pen, th_half_next(half)));
}

static void draw_walls(const th_pen *pen) {
  const th_ground *ground = pen->world->ground;
  const float z = pen->draw->lift;
  uint32_t count;
  const th_segment *wall = th_ground_walls(ground, &count);
  for (uint32_t k = 0; k < count; k++)
    th_pen_line(pen, (th_vec3){wall[k].ax, wall[k].ay, z}, (th_vec3){wall[k].bx, wall[k].by, z});
  const uint32_t *half = th_ground_wall_halves(ground, &count);
  for (uint32_t k = 0; k < count; k++) draw_half(pen, half[k]);
  const uint8_t *blocked = th_ground_blocked_faces(ground);
  for (uint32_t f = 0; blocked && pen->draw->triangle && f < th_ground_mesh(ground)->face_count; f++) {
    if (!blocked[f]) continue;
    const th_vec3 corner[3] = {corner_point(pen, 3 * f), corner_point(pen, 3 * f + 1), corner_point(pen, 3 * f + 2)};
    pen->draw->triangle(pen->draw->user, pen->part, corner);
  }
}

/* Flat ground: strips of clusters, once the first step has laid them out. */
static void draw_strips(const th_pen *pen) {
  const th_cluster_grid *o = &pen->world->order.grid;
  const float z = pen->draw->lift, x1 = o->x0 + o->side * (float)o->columns, y1 = o->y0 + o->side * (float)o->rows;
  if (!o->cluster_count) return;
  for (uint32_t j = 0; j <= o->rows; j++) {
    float y = o->y0 + o->side * (float)j;
    th_pen_line(pen, (th_vec3){o->x0, y, z}, (th_vec3){x1, y, z});
  }
  for (uint32_t i = 0; i <= o->strips; i++) {
    float x = fminf(o->x0 + o->side * (float)(i * TH_STRIP), x1);
    th_pen_line(pen, (th_vec3){x, o->y0, z}, (th_vec3){x, y1, z});
  }
}

/* Mesh ground: edges between two patches, once each. */
static void draw_patches(const th_pen *pen) {
  const th_mesh *mesh = th_ground_mesh(pen->world->ground);
  const uint32_t *patch = pen->world->mesh->atlas->patches.patch_of;
  for (uint32_t h = 0; h < 3 * mesh->face_count; h++) {
    uint32_t twin = mesh->twin[h];
    if (twin != TH_NO_HALF && h < twin && patch[h / 3] != patch[twin / 3]) draw_half(pen, h);
  }
}

static void draw_charts(const th_pen *pen) {
  if (pen->world->mesh)
    draw_patches(pen);
  else
    draw_strips(pen);
}

/* The place of point k of a goal; nowhere when the point lies in a wall or off the ground. */
static th_place goal_place(const th_pen *pen, const th_shape *shape, uint32_t k) {
  return th_ground_locate_at(pen->world->ground, th_shape_at(shape, k), shape->level, INFINITY);
}

static void draw_outline(const th_pen *pen, const th_shape *shape) {
  for (uint32_t k = 0, from, to; th_shape_side(shape, k, &from, &to); k++) {
    th_place a = goal_place(pen, shape, from), b = goal_place(pen, shape, to);
    if (a.cell == TH_NO_CELL || b.cell == TH_NO_CELL) continue;
    th_pen_line(pen, th_pen_point(pen, a, (th_vec2){0.0f, 0.0f}), th_pen_point(pen, b, (th_vec2){0.0f, 0.0f}));
  }
}

static void draw_goal(const th_pen *pen, const th_goal_def *goal) {
  const th_shape *shape = &goal->shape;
  if (shape->kind == TH_SHAPE_LINE || shape->kind == TH_SHAPE_POLYGON) {
    draw_outline(pen, shape);
    return;
  }
  th_place place = goal_place(pen, shape, 0);
  if (place.cell != TH_NO_CELL) th_pen_disc(pen, place, shape->kind == TH_SHAPE_DISC ? shape->radius : goal->arrive);
}

static void each_goal(const th_pen *pen, bool names) {
  const th_goals *goals = &pen->world->goals;
  for (uint32_t k = 0; k < th_ids_used(&goals->ids); k++) {
    th_id id = th_ids_at(&goals->ids, k);
    if (!id.index) continue;
    const th_goal_def *goal = &goals->goal[k].def;
    th_place place = goal_place(pen, &goal->shape, 0);
    if (!names)
      draw_goal(pen, goal);
    else if (place.cell != TH_NO_CELL)
      th_pen_text(pen, place, "goal %u", id.index);
  }
}

static void draw_goals(const th_pen *pen) { each_goal(pen, false); }

static void draw_ids(const th_pen *pen) {
  each_goal(pen, true);
  th_draw_agent_ids(pen);
}

void th_world_draw(const th_world *world, const th_draw *draw) {
  if (th_no_world(world, __func__)) return;
  static const struct {
    uint32_t part;
    void (*run)(const th_pen *pen);
  } list[] = {{TH_DRAW_WALLS, draw_walls},
              {TH_DRAW_CHARTS, draw_charts},
              {TH_DRAW_GOALS, draw_goals},
              {TH_DRAW_FIELDS, th_draw_fields},
              {TH_DRAW_AGENTS, th_draw_agents},
              {TH_DRAW_ADVICE, th_draw_advice},
              {TH_DRAW_NEIGHBOURS, th_draw_neighbours},
              {TH_DRAW_LINKS, th_draw_links},
              {TH_DRAW_IDS, draw_ids},
              {TH_DRAW_TRACES, th_draw_traces}};
  for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
    const th_pen pen = {draw, world, list[k].part};
    if (draw->parts & list[k].part) list[k].run(&pen);
  }
}
