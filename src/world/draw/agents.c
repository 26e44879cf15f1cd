/* world/draw/agents.c - the parts of a drawing that belong to agents.
 *
 * Agents that have not entered the world yet are left out. Arrows of fields stand at sample points of the field, in the
 * middle of raster cells or faces around each agent. They are not smoothed, so an arrow shows what an agent would be
 * told at that point.
 */
#include <math.h>

#include "geometry/vector.h"
#include "world/draw/pen.h"

#define NEIGHBOURS 16

static th_place place_of(const th_pen *pen, uint32_t row) {
  const th_rows *rows = &pen->world->rows;
  return (th_place){rows->cell[row], rows->x[row], rows->y[row]};
}

/* Calls `run` for the row of every agent in the world. */
static void each_agent(const th_pen *pen, void (*run)(const th_pen *pen, uint32_t row)) {
  const th_rows *rows = &pen->world->rows;
  for (uint32_t row = 0; row < rows->count; row++)
    if (rows->in[row]) run(pen, row);
}

static void draw_sample(const th_pen *pen, const th_field *field, th_place place, float length) {
  th_field_gradient g = th_field_gradient_at(field, place);
  if (g.dx != 0.0f || g.dy != 0.0f) th_pen_arrow(pen, place, (th_vec2){length * g.dx, length * g.dy});
}

static void sample_cells(const th_pen *pen, const th_field *field, th_place at) {
  const float reach = pen->draw->field_reach;
  th_raster r = th_ground_clearance_raster(pen->world->ground);
  int32_t around = (int32_t)(reach / r.cell);
  int32_t ci = (int32_t)lroundf((at.x - r.x0) / r.cell), cj = (int32_t)lroundf((at.y - r.y0) / r.cell);
  for (int32_t j = cj - around; j <= cj + around; j++)
    for (int32_t i = ci - around; i <= ci + around; i++) {
      float x = r.x0 + r.cell * (float)i, y = r.y0 + r.cell * (float)j;
      if ((x - at.x) * (x - at.x) + (y - at.y) * (y - at.y) > reach * reach) continue;
      th_place place = th_ground_locate(pen->world->ground, x, y);
      if (place.cell != TH_NO_CELL) draw_sample(pen, field, place, 0.4f * r.cell);
    }
}

static void sample_faces(const th_pen *pen, const th_field *field, th_place at) {
  const th_ground *ground = pen->world->ground;
  const th_mesh_ground *s = ground->mesh;
  const th_vec3 p = th_ground_point(ground, at), middle = {1.0f / 3.0f, 1.0f / 3.0f, 1.0f / 3.0f};
  const double point[3] = {(double)p.x, (double)p.y, (double)p.z};
  uint32_t face;
  for (th_bvh_walk w = th_bvh_walk_begin(&s->bvh, point, (double)pen->draw->field_reach);
       th_bvh_walk_next(&w, &face);) {
    th_place place = th_ground_place_of(ground, face, middle);
    th_vec3 c = th_ground_point(ground, place);
    if (!s->blocked[face] && th_length3(th_minus3(c, p)) <= pen->draw->field_reach)
      draw_sample(pen, field, place, 0.4f * s->mean_edge);
  }
}

static void draw_field(const th_pen *pen, uint32_t row) {
  uint16_t entry = pen->world->rows.field[row];
  const th_field *field = entry == TH_NO_FIELD ? NULL : pen->world->entry[entry].field;
  if (!field || !pen->draw->line) return;
  if (pen->world->mesh)
    sample_faces(pen, field, place_of(pen, row));
  else
    sample_cells(pen, field, place_of(pen, row));
}

static void draw_body(const th_pen *pen, uint32_t row) {
  const th_rows *rows = &pen->world->rows;
  th_place place = place_of(pen, row);
  float r = rows->radius[row], x = r * rows->hx[row], y = r * rows->hy[row];
  th_pen_disc(pen, place, r);
  const th_vec3 corner[3] = {th_pen_point(pen, place, (th_vec2){x, y}),
                             th_pen_point(pen, place, (th_vec2){-0.3f * x - 0.6f * y, -0.3f * y + 0.6f * x}),
                             th_pen_point(pen, place, (th_vec2){-0.3f * x + 0.6f * y, -0.3f * y - 0.6f * x})};
  if (pen->draw->triangle) pen->draw->triangle(pen->draw->user, pen->part, corner);
}

static void draw_velocity(const th_pen *pen, uint32_t row) {
  const th_rows *rows = &pen->world->rows;
  th_pen_arrow(pen, place_of(pen, row), (th_vec2){rows->advised_vx[row], rows->advised_vy[row]});
}

static void line_to(const th_pen *pen, uint32_t row, th_place to) {
  const th_vec2 none = {0.0f, 0.0f};
  if (to.cell != TH_NO_CELL) th_pen_line(pen, th_pen_point(pen, place_of(pen, row), none), th_pen_point(pen, to, none));
}

static void draw_neighbours(const th_pen *pen, uint32_t row) {
  const th_world *world = pen->world;
  const th_view_need *need = &world->model[world->rows.model[row]].need;
  th_agent_id near[NEIGHBOURS + 1];
  if (!(need->see & (TH_SEE_NEIGHBOURS | TH_SEE_NEAREST))) return;
  uint32_t wanted = need->see & TH_SEE_NEAREST ? need->nearest : NEIGHBOURS;
  uint32_t most = 1 + (wanted < NEIGHBOURS ? wanted : NEIGHBOURS);
  uint32_t count = th_world_within(world, th_row_point(world, row), need->reach, NULL, near, most);
  for (uint32_t k = 0; k < count && k < most; k++) {
    uint32_t other = world->row_of[near[k].index - 1];
    if (other != row) line_to(pen, row, place_of(pen, other));
  }
}

static void draw_links(const th_pen *pen, uint32_t row) {
  th_agent_def def;
  if (!th_world_agent_def(pen->world, pen->world->rows.id[row], &def)) return;
  for (uint32_t k = 0; k < def.link_count; k++) {
    const th_link_def *link = &def.link[k];
    uint32_t other = link->agent.index ? th_world_row(pen->world, link->agent) : UINT32_MAX;
    if (other != UINT32_MAX && pen->world->rows.in[other])
      line_to(pen, row, place_of(pen, other));
    else if (link->to_point)
      line_to(pen, row, th_ground_locate_at(pen->world->ground, link->point, TH_ANY_LEVEL, INFINITY));
  }
}

static void draw_id(const th_pen *pen, uint32_t row) {
  th_pen_text(pen, place_of(pen, row), "%u", pen->world->rows.agent[row]);
}

void th_draw_fields(const th_pen *pen) { each_agent(pen, draw_field); }
void th_draw_agents(const th_pen *pen) { each_agent(pen, draw_body); }
void th_draw_advice(const th_pen *pen) { each_agent(pen, draw_velocity); }
void th_draw_neighbours(const th_pen *pen) { each_agent(pen, draw_neighbours); }
void th_draw_links(const th_pen *pen) { each_agent(pen, draw_links); }
void th_draw_agent_ids(const th_pen *pen) { each_agent(pen, draw_id); }
