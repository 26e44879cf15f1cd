/* field/sample.c - the way at any place, smooth below the cell.
 *
 * The nodes' grad log u are interpolated bilinearly between the four nearest centres, over those that hang together
 * with the cell of the place: continuous in the open, and nothing leaks through a blocked corner. Where the nodes
 * point apart and cancel (a saddle, the far side of an obstacle) the mean says nothing, and the place's own cell
 * decides; so nobody comes to rest between two ways. A personal vector v is one addition, since
 * grad log h = grad log Q -/+ (eps/2) v / cell. Cost: four nodes, some 60 operations. sample.lanes.c is the same text
 * in lanes: keep the order of every operation equal in both.
 */
#include "field/sample.h"

#include <math.h>

#include "base/error.h"

#define CANCELLED 0.25f /* squared mean over mean square below which nodes contradict each other */

typedef struct spot {
  uint32_t cell;
  bool east, north; /* the half of the cell that the place lies in */
  float wi, wj;     /* weight of the neighbour on that side, 0 to 1/2 */
} spot;

static spot spot_of(const th_field *field, float x, float y) {
  float fi = (x - field->x0) * field->inverse_cell, fj = (y - field->y0) * field->inverse_cell;
  fi = fi > 1.0f ? fi : 1.0f, fi = fi < field->most_i ? fi : field->most_i;
  fj = fj > 1.0f ? fj : 1.0f, fj = fj < field->most_j ? fj : field->most_j;
  int32_t i = (int32_t)fi, j = (int32_t)fj;
  float a = (fi - (float)i) - 0.5f, b = (fj - (float)j) - 0.5f;
  return (spot){(uint32_t)(j * (int32_t)field->width + i), !(a < 0.0f), !(b < 0.0f), fabsf(a), fabsf(b)};
}

static bool may_mix(int32_t code, const spot *s, bool across, bool along) {
  if (across && along)
    return code & (s->north ? (s->east ? TH_NODE_NORTH_EAST : TH_NODE_NORTH_WEST)
                            : (s->east ? TH_NODE_SOUTH_EAST : TH_NODE_SOUTH_WEST));
  if (across) return code & (s->east ? TH_NODE_EAST : TH_NODE_WEST);
  return code & (s->north ? TH_NODE_NORTH : TH_NODE_SOUTH);
}

th_sample th_field_sample(const th_field *field, float x, float y) {
  const spot s = spot_of(field, x, y);
  const int32_t w = (int32_t)field->width, di = s.east ? 1 : -1, dj = s.north ? w : -w;
  const th_node *a = &field->node[s.cell], *b = a + di, *c = a + dj, *d = a + di + dj;
  const float ri = 1.0f - s.wi, rj = 1.0f - s.wj;
  const float wa = ri * rj, wb = may_mix(a->code, &s, true, false) ? s.wi * rj : 0.0f;
  const float wc = may_mix(a->code, &s, false, true) ? ri * s.wj : 0.0f;
  const float wd = may_mix(a->code, &s, true, true) ? s.wi * s.wj : 0.0f;
  const float whole = 1.0f / ((wa + wb) + (wc + wd));
  float gx = ((wa * a->gx + wb * b->gx) + (wc * c->gx + wd * d->gx)) * whole;
  float gy = ((wa * a->gy + wb * b->gy) + (wc * c->gy + wd * d->gy)) * whole;
  const float left = ((wa * a->left + wb * b->left) + (wc * c->left + wd * d->left)) * whole;
  const float pa = a->gx * a->gx + a->gy * a->gy, pb = b->gx * b->gx + b->gy * b->gy;
  const float pc = c->gx * c->gx + c->gy * c->gy, pd = d->gx * d->gx + d->gy * d->gy;
  const float power = ((wa * pa + wb * pb) + (wc * pc + wd * pd)) * whole;
  if (gx * gx + gy * gy < CANCELLED * power) gx = a->gx, gy = a->gy;
  if (a->code & TH_NODE_GOAL) return (th_sample){0.0f, 0.0f, 0.0f, a->code};
  if (!(a->code & TH_NODE_REACHES)) return (th_sample){0.0f, 0.0f, INFINITY, a->code};
  return (th_sample){gx, gy, left, a->code};
}

static th_vec2 unit(float gx, float gy) {
  float length = sqrtf(gx * gx + gy * gy);
  return length > 0.0f ? (th_vec2){gx / length, gy / length} : (th_vec2){0.0f, 0.0f};
}

static bool leads(int32_t code) { return (code & (TH_NODE_GOAL | TH_NODE_REACHES)) == TH_NODE_REACHES; }

th_slope th_field_slope(const th_field *field, th_place place) {
  if (place.cell == TH_NO_CELL) return (th_slope){.left = INFINITY};
  th_sample s = th_field_sample(field, place.x, place.y);
  th_vec2 d = unit(s.gx, s.gy);
  return (th_slope){d.x, d.y, s.gx, s.gy, s.left};
}

th_vec2 th_field_offset(const th_field *field, th_vec2 v, th_sense sense) {
  float scale = 0.5f * field->eps * field->inverse_cell;
  if (sense == TH_SENSE_LITERAL) scale = -scale;
  return (th_vec2){scale * v.x, scale * v.y};
}

th_result th_field_admits(const th_field *field, th_vec2 v, th_error *error) {
  float most = field->eps > 0.0f ? 2.0f / field->eps : INFINITY;
  if (fabsf(v.x) <= most && fabsf(v.y) <= most && isfinite(v.x) && isfinite(v.y)) return TH_OK;
  return th_fail(error, TH_ERROR_RANGE, "v",
                 "expected components of at most %g (|eps v| <= 2 at eps %g), found (%g, %g)", (double)most,
                 (double)field->eps, (double)v.x, (double)v.y);
}

th_vec2 th_field_direction(const th_field *field, th_place place, th_vec2 v, th_sense sense) {
  if (place.cell == TH_NO_CELL) return (th_vec2){0.0f, 0.0f};
  th_error error;
  if (th_field_admits(field, v, &error) != TH_OK) {
    th_fault(&field->env, "th_field_direction: %s", error.text);
    v = (th_vec2){0.0f, 0.0f};
  }
  th_sample s = th_field_sample(field, place.x, place.y);
  if (!leads(s.code)) return (th_vec2){0.0f, 0.0f};
  th_vec2 offset = th_field_offset(field, v, sense);
  return unit(s.gx + offset.x, s.gy + offset.y);
}

void th_field_ask(const th_field *field, th_ask *ask, th_simd level) {
  TH_LANES_PICK(level, th_field_ask_lanes)(field, ask);
}

static const th_node *node_at(const th_field *field, th_place place) {
  return place.cell == TH_NO_CELL ? NULL : &field->node[spot_of(field, place.x, place.y).cell];
}

double th_field_log(const th_field *field, th_place place) {
  const th_node *node = node_at(field, place);
  if (!node || !(node->code & TH_NODE_FREE) || !(node->code & TH_NODE_REACHES)) return -INFINITY;
  if (field->log_u) return field->log_u[node - field->node];
  if (field->u) return log(field->u[node - field->node]);
  return -(double)node->left / (double)field->cell;
}

double th_field_potential(const th_field *field, th_place place) {
  const th_node *node = node_at(field, place);
  if (!node || !(node->code & TH_NODE_FREE)) return 0.0;
  return field->u ? field->u[node - field->node] : exp(th_field_log(field, place));
}

bool th_field_reaches(const th_field *field, th_place place) {
  const th_node *node = node_at(field, place);
  return node && (node->code & TH_NODE_REACHES);
}
