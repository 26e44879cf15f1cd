/* model/biocrowds/move.c - second pass: an agent moves along the weighted mean of the vectors to its own markers.
 *
 * The mean m lies in the convex hull of markers that are all in the agent's cell, and so does every point between the
 * agent and it; a decision moves the agent by m at most. So every agent stays in its own old cell, and no two meet.
 * With `body` half-planes then bound the displacement (body.c). Cost: see move.lanes.c.
 */
#include <math.h>

#include "model/biocrowds/own.h"

const th_trace th_biocrowds_traces[] = {
    {"own markers", TH_TRACE_POINT, "", "markers that the agent owns, with their weight before it is normalised",
     TH_TRACE_OF_AGENT},
    {"motion", TH_TRACE_VECTOR, "m", "weighted mean of the vectors to its own markers", 0xc0392b},
    {"markers", TH_TRACE_SCALAR, "", "how many markers it owns", 0},
};

static uint32_t number_of(const th_view_markers *m, uint32_t entry) { return m->number ? m->number[entry] : entry; }

/* Calls `visit` for each marker of the agent, in the order of the sums; for what only few agents need. */
static void each_own(const th_cell_batch *b, void (*visit)(void *context, uint32_t entry), void *context) {
  const th_view_markers *m = b->markers;
  const th_cell_range r = th_cell_squares(m, b->x, b->y, b->reach);
  for (uint32_t j = r.j0; j <= r.j1; j++)
    for (uint32_t at = m->start[j * m->columns + r.i0]; at < m->start[j * m->columns + r.i1 + 1]; at++) {
      const float dx = m->x[at] - b->x, dy = m->y[at] - b->y;
      if (b->owner[number_of(m, at)] == b->me && sqrtf(dx * dx + dy * dy) <= b->reach) visit(context, at);
    }
}

typedef struct search {
  const th_cell_batch *batch;
  const uint8_t *inside;
  bool found;
} search;

static void look_inside(void *context, uint32_t entry) {
  search *s = context;
  s->found |= s->inside[number_of(s->batch->markers, entry)] != 0;
}

/* The weights of the agent's group, when it uses them now. */
static const float *weights_of(const th_view_markers *m, const th_cell_batch *b, uint32_t lane) {
  const th_marker_weights *w = m->weights ? m->weights[lane] : NULL;
  if (!w || !w->inside) return w ? w->weight : NULL;
  search s = {b, w->inside, false};
  each_own(b, look_inside, &s);
  return s.found ? w->weight : NULL;
}

typedef struct publication {
  const th_work *work;
  const th_cell_batch *batch;
  uint32_t lane, count;
} publication;

static void publish_marker(void *context, uint32_t entry) {
  publication *p = context;
  const th_cell_batch *b = p->batch;
  const float dx = b->markers->x[entry] - b->x, dy = b->markers->y[entry] - b->y, d = sqrtf(dx * dx + dy * dy);
  float f = (1.0f + (d > 1e-6f ? (b->ux * dx + b->uy * dy) / d : 0.0f)) / (1.0f + d);
  if (b->weight) f = b->weight[number_of(b->markers, entry)] * (b->travels ? f : 1.0f);
  th_trace_point(p->work->trace, p->lane, &th_biocrowds_traces[0],
                 (th_vec2){b->markers->x[entry], b->markers->y[entry]}, f);
  p->count++;
}

static void publish(const th_work *work, const th_cell_batch *b, uint32_t lane, th_vec2 m) {
  if (!th_trace_wants(work->trace, lane)) return;
  publication p = {work, b, lane, 0};
  each_own(b, publish_marker, &p);
  th_trace_vector(work->trace, lane, &th_biocrowds_traces[1], m, 0.0f);
  th_trace_scalar(work->trace, lane, &th_biocrowds_traces[2], (float)p.count);
}

/* Speed for a motion vector of this length: at most the vector itself in one decision. */
static float speed_of(const th_work *work, uint32_t lane, float length, bool goal) {
  const th_biocrowds_params *p = work->params[lane];
  const th_view *view = work->view;
  const float wanted = view->speed[lane], period = 1.0f / p->rate, time = period > work->dt ? period : work->dt;
  float speed = wanted, most = length / time, left = view->want[lane].left / work->dt;
  if (p->limit == TH_BIOCROWDS_SLOWING && length < p->step) speed = wanted * length / p->step;
  speed = speed < most ? speed : most;
  return goal && left < speed ? left : speed;
}

static void move_one(const th_work *work, uint32_t lane, const uint32_t *near) {
  const th_view *view = work->view;
  const th_biocrowds_params *p = work->params[lane];
  const th_biocrowds_shared *shared = work->shared;
  const th_guide_answer *want = &view->want[lane];
  th_cell_batch b;
  b.markers = &view->markers;
  b.owner = shared->owner;
  b.near = near;
  b.me = view->markers.world_of ? view->markers.world_of[view->slot[lane]] : view->slot[lane];
  b.x = view->x[lane];
  b.y = view->y[lane];
  b.reach = p->radius;
  b.ux = b.uy = 0.0f;
  b.weight = weights_of(&view->markers, &b, lane);
  const bool led = want->state == TH_ANSWER_LEAD;
  b.travels = b.weight && led && !view->markers.weights[lane]->inside;
  const bool goal = !b.weight || b.travels;
  if (goal && !led) return;
  const float square = want->dx * want->dx + want->dy * want->dy;
  if (goal && square > 0.0f) b.ux = want->dx / sqrtf(square), b.uy = want->dy / sqrtf(square);
  TH_LANES_PICK(work->simd, th_biocrowds_move_sum)(&b);
  const float mx = b.sum > 0.0f ? b.mx / b.sum : 0.0f, my = b.sum > 0.0f ? b.my / b.sum : 0.0f;
  const float length = sqrtf(mx * mx + my * my);
  publish(work, &b, lane, (th_vec2){mx, my});
  const bool moves = length > 1e-6f;
  if (!moves && !p->body) return;
  float speed = moves ? speed_of(work, lane, length, goal) : 0.0f;
  th_vec2 v = moves ? (th_vec2){mx / length * speed, my / length * speed} : (th_vec2){0.0f, 0.0f};
  if (p->body) { /* also without a marker: who is in the way steps back */
    v = th_biocrowds_body_keep_clear(work, lane, v, goal);
    speed = sqrtf(v.x * v.x + v.y * v.y);
  }
  work->advice.vx[lane] = v.x;
  work->advice.vy[lane] = v.y;
  work->advice.gait[lane] = speed > TH_GAIT_RUN_SPEED ? TH_GAIT_RUN : speed > 0.0f ? TH_GAIT_WALK : TH_GAIT_STAND;
}

void th_biocrowds_move(const th_work *work) {
  const uint32_t *near = th_cell_owners_of(work);
  for (uint32_t lane = 0; lane < work->view->lanes; lane++) move_one(work, lane, near);
}
