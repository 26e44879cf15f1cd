/* world/watch/chart.c - the flat map in which an agent decides, for hosts that draw or explain it.
 *
 * It is the chart by which views are made, moved so that the agent stands at 0, 0: on flat ground the ground itself.
 * How a face is stretched are the singular values of its map, 1 and 1 where lengths are kept. Cost: linear in what lies
 * within reach, on flat ground also in the walls, and a ray per neighbour for what is seen.
 */
#include <math.h>

#include "base/error.h"
#include "geometry/vector.h"
#include "ground/mesh/ground.h"
#include "throng/watch.h"
#include "world/agent/agents.h"
#include "world/nearby.h"
#include "world/step/mesh_charts.h"

/* Where the agent stands; `chart` and `own`, the map of its face, on mesh ground only. */
typedef struct stand {
  const th_world *world;
  uint32_t row;
  th_place at;
  const th_chart *chart;
  const th_chart_map *own;
  th_vec2 origin; /* in the chart */
} stand;

static const th_patches *patches_of(const stand *s) { return &s->world->mesh->atlas->patches; }

static th_vec2 vector_of(const stand *s, const th_chart_map *map, float x, float y) {
  return s->chart ? th_chart_vector(map, x, y) : (th_vec2){x, y};
}

/* ---------------------------------------------------------------- agents */

/* False when the chart does not hold it. */
static bool show_agent(const stand *s, uint32_t row, th_chart_agent *out) {
  const th_rows *rows = &s->world->rows;
  const th_chart_map *map = s->chart ? th_chart_find(s->chart, patches_of(s), rows->cell[row]) : NULL;
  if (s->chart && !map) return false;
  const th_vec2 at = s->chart ? th_chart_point(map, rows->x[row], rows->y[row]) : (th_vec2){rows->x[row], rows->y[row]};
  const th_vec2 v = vector_of(s, map, rows->vx[row], rows->vy[row]);
  *out =
      (th_chart_agent){.agent = rows->id[row], .x = at.x - s->origin.x, .y = at.y - s->origin.y, .vx = v.x, .vy = v.y};
  out->radius = rows->radius[row];
  out->distance = th_length2((th_vec2){out->x, out->y});
  return true;
}

static bool is_seen(const stand *s, const th_chart_agent *other) {
  if (!(other->distance > 0.0f)) return true;
  const th_vec2 flat = {other->x / other->distance, other->y / other->distance};
  th_vec2 along = s->chart ? th_chart_to_face(s->own, flat.x, flat.y) : flat;
  const float size = th_length2(along);
  if (!(size > 0.0f)) return true;
  along.x /= size, along.y /= size;
  return th_ground_ray(s->world->ground, s->at, along, other->distance).wall == UINT32_MAX;
}

/* The nearest ones are kept, in their order. */
static void keep_agent(th_agent_chart *chart, const th_chart_agent *other) {
  uint32_t k = chart->agent_count < chart->agent_capacity ? chart->agent_count : chart->agent_capacity;
  chart->agent_count++;
  while (k > 0 && other->distance < chart->agent[k - 1].distance) {
    if (k < chart->agent_capacity) chart->agent[k] = chart->agent[k - 1];
    k--;
  }
  if (k < chart->agent_capacity) chart->agent[k] = *other;
}

static void show_agents(const stand *s, th_agent_chart *chart) {
  uint32_t row;
  th_chart_agent other;
  chart->agent_count = 0;
  for (th_nearby n = th_nearby_begin(s->world, th_row_point(s->world, s->row), chart->reach);
       th_nearby_next(&n, &row);) {
    if (row == s->row || s->world->rows.state[row] == TH_AGENT_DELAYED) continue;
    if (show_agent(s, row, &other) && other.distance <= chart->reach) keep_agent(chart, &other);
  }
  for (uint32_t i = 0; i < chart->agent_count && i < chart->agent_capacity; i++)
    chart->agent[i].seen = is_seen(s, &chart->agent[i]);
}

/* ---------------------------------------------------------------- walls and faces */

static float distance_to(const th_segment *w) {
  const th_vec2 along = {w->bx - w->ax, w->by - w->ay};
  const float size = along.x * along.x + along.y * along.y;
  const float t = size > 0.0f ? -(w->ax * along.x + w->ay * along.y) / size : 0.0f, u = fminf(fmaxf(t, 0.0f), 1.0f);
  return th_length2((th_vec2){w->ax + u * along.x, w->ay + u * along.y});
}

static void show_walls(const stand *s, th_agent_chart *chart) {
  uint32_t count;
  const th_segment *wall = s->chart ? s->chart->wall : th_ground_walls(s->world->ground, &count);
  if (s->chart) count = s->chart->wall_count;
  chart->wall_count = 0;
  for (uint32_t i = 0; i < count; i++) {
    const float x = s->origin.x, y = s->origin.y;
    const th_segment moved = {wall[i].ax - x, wall[i].ay - y, wall[i].bx - x, wall[i].by - y};
    if (distance_to(&moved) > chart->reach || chart->wall_count++ >= chart->wall_capacity) continue;
    chart->wall[chart->wall_count - 1] = moved;
  }
}

static void measure_stretch(const th_chart_map *m, th_chart_face *face) {
  const float sum = th_length2((th_vec2){m->a + m->d, m->b - m->c}),
              rest = th_length2((th_vec2){m->a - m->d, m->b + m->c});
  face->most = 0.5f * (sum + rest);
  face->least = 0.5f * fabsf(sum - rest);
}

/* False when no corner is within reach. */
static bool show_face(const stand *s, uint32_t f, float reach, th_chart_face *out) {
  const th_chart_map *map = th_chart_find(s->chart, patches_of(s), f);
  bool near = false;
  if (!map) return false;
  out->face = f;
  for (uint32_t k = 0; k < 3; k++) {
    const th_place corner = th_ground_place_of(s->world->ground, f, (th_vec3){k == 0, k == 1, k == 2});
    const th_vec2 at = th_chart_point(map, corner.x, corner.y);
    out->corner[k] = (th_vec2){at.x - s->origin.x, at.y - s->origin.y};
    near |= th_length2(out->corner[k]) <= reach;
  }
  measure_stretch(map, out);
  return near;
}

static void show_faces(const stand *s, th_agent_chart *chart) {
  th_chart_face face;
  chart->face_count = 0;
  for (uint32_t n = 0; s->chart && n < s->chart->cluster_count; n++) {
    const uint32_t cluster = s->chart->cluster[n];
    for (uint32_t k = patches_of(s)->start[cluster]; k < patches_of(s)->start[cluster + 1]; k++) {
      if (!show_face(s, patches_of(s)->face[k], chart->reach, &face)) continue;
      if (chart->face_count++ < chart->face_capacity) chart->face[chart->face_count - 1] = face;
    }
  }
}

/* ---------------------------------------------------------------- the map */

static th_result find_chart(stand *s, th_error *error) {
  const th_world *world = s->world;
  s->origin = (th_vec2){s->at.x, s->at.y};
  if (!world->mesh) return TH_OK;
  const uint32_t patch = patches_of(s)->patch_of[s->at.cell];
  s->chart = patch == TH_NO_ELEMENT ? NULL : th_atlas_chart(world->mesh->atlas, patch);
  s->own = s->chart ? th_chart_find(s->chart, patches_of(s), s->at.cell) : NULL;
  if (!s->own)
    return th_fail(error, TH_ERROR_STATE, "chart", "expected a patch with a chart, which steps make, found none");
  s->origin = th_chart_point(s->own, s->at.x, s->at.y);
  return TH_OK;
}

static void show_self(const stand *s, th_agent_chart *chart) {
  const th_world *world = s->world;
  const th_rows *rows = &world->rows;
  chart->velocity = vector_of(s, s->own, rows->vx[s->row], rows->vy[s->row]);
  chart->heading = vector_of(s, s->own, rows->hx[s->row], rows->hy[s->row]);
  chart->want = (th_vec2){0.0f, 0.0f};
  chart->radius = rows->radius[s->row];
  chart->cover = s->chart ? s->chart->cover : INFINITY;
  for (uint32_t slot = 0; slot < world->order.count; slot++)
    if (world->order.row[slot] == s->row)
      chart->want = vector_of(s, s->own, world->want[slot].dx, world->want[slot].dy);
}

th_result th_world_chart(const th_world *world, th_agent_id agent, th_agent_chart *chart, th_error *error) {
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  stand s = {.world = world};
  th_result result = th_agent_find(world, agent, "th_world_chart", &s.row, error);
  if (result) return result;
  if (!(chart->reach > 0.0f && chart->reach <= 100.0f))
    return th_fail(error, TH_ERROR_RANGE, "reach", "expected more than 0 to 100 m, found %g", (double)chart->reach);
  s.at = th_row_place(world, s.row);
  result = find_chart(&s, error);
  if (result) return result;
  show_self(&s, chart);
  show_agents(&s, chart);
  show_walls(&s, chart);
  show_faces(&s, chart);
  return TH_OK;
}
