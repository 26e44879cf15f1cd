/* field/grid/false_tops.c - removes false maxima of the spline, where a walk would end.
 *
 * As values of cells, u has no maximum but the goal; the spline over it may have one, in a cell with two paths up and a
 * blocked cell between them. Such forks are few, so each is tested when the field is made: short walks from five of its
 * points must get past the middle of a cell that lies higher. Where one does not, the cells it ended in leave the
 * spline and aim at the centre of their highest side, which always leads on; then all forks are tested again, as a walk
 * may now stop where aim and spline meet. Cost: some 10 steps per point; maps with thick walls have hardly any forks.
 */
#include "field/grid/field.h"
#include "field/sample.h"

#define ROUNDS 4
#define STEPS 80
#define STRIDE 0.1f /* cells */

static bool is_higher(const th_field_build *build, uint32_t a, uint32_t b) {
  const th_field *field = build->field;
  if (build->geodesic) return build->lead[a] < build->lead[b];
  return field->log_u ? field->log_u[a] > field->log_u[b] : field->u[a] > field->u[b];
}

/* True beyond the middle of a higher neighbour: a walk that swings across the border does not get there. */
static bool is_past(const th_field_build *build, uint32_t start, uint32_t c, th_vec2 p) {
  const th_field *field = build->field;
  if (field->node[c].code & TH_NODE_GOAL) return true;
  if (!(field->node[c].code & TH_NODE_FREE) || !is_higher(build, c, start)) return false;
  float di = (p.x - field->x0) * field->inverse_cell - ((float)(start % field->width) + 0.5f);
  float dj = (p.y - field->y0) * field->inverse_cell - ((float)(start / field->width) + 0.5f);
  return di > 1.0f || di < -1.0f || dj > 1.0f || dj < -1.0f;
}

/* The cell that it aims at leaves the spline too, for there the same top may push back. A free cell that is not
 * reached, of which a field of few sweeps has some, has neither spline nor aim. */
static void leave_spline(th_field *field, uint32_t c) {
  th_node *node = &field->node[c];
  if (!(node->code & TH_NODE_FREE) || !(node->code & TH_NODE_REACHES)) return;
  node->code &= ~TH_NODE_SMOOTH;
  th_node *next = node + th_node_aim_i(node->code) + th_node_aim_j(node->code) * (int64_t)field->width;
  next->code &= ~TH_NODE_SMOOTH;
}

/* Walks from `p` in cell `start`. False when the walk gets no higher; its last cells then leave the spline. */
static bool walk_climbs(th_field_build *build, uint32_t start, th_vec2 p) {
  th_field *field = build->field;
  const float stride = STRIDE * field->cell;
  uint32_t c = start, last = start;
  for (int n = 0; n < STEPS; n++) {
    th_field_gradient s = th_field_gradient_at(field, (th_place){c, p.x, p.y});
    p = th_trace_step(field, p, stride * s.dx, stride * s.dy);
    uint32_t next = th_field_cell(field, p);
    if (next != c) last = c;
    c = next;
    if (c != start && is_past(build, start, c, p)) return true;
  }
  leave_spline(field, c);
  leave_spline(field, last);
  return false;
}

static bool fork_holds(th_field_build *build, uint32_t c) {
  static const float offset[5][2] = {{0.5f, 0.5f}, {0.2f, 0.2f}, {0.8f, 0.2f}, {0.2f, 0.8f}, {0.8f, 0.8f}};
  const th_field *field = build->field;
  bool holds = true;
  for (int k = 0; k < 5; k++) {
    float i = (float)(c % field->width) + offset[k][0], j = (float)(c / field->width) + offset[k][1];
    holds &= walk_climbs(build, c, (th_vec2){field->x0 + i * field->cell, field->y0 + j * field->cell});
  }
  return holds;
}

void th_false_tops_remove(th_field_build *build) {
  bool all = false;
  for (int round = 0; round < ROUNDS && !all; round++) {
    all = true;
    for (uint32_t c = 0; c < (uint32_t)build->size; c++)
      if (build->field->node[c].code & TH_NODE_FORK) all &= fork_holds(build, c);
  }
}
