/* view/trace.c - publishing: from the coordinates of a pass into space, and into the agent's memory.
 *
 * Models and guides know flat coordinates only; readers of traces know space only. A vector is turned into the frame of
 * the agent's cell and from there into space. A place is converted as its offset from the agent. On a mesh it therefore
 * lies in the plane that touches the ground at the agent, in the direction and at the distance that it has in the
 * chart. Nothing is allocated. Cost: some 50 ns per item, of traced agents alone.
 */
#include "view/trace.h"

#include <string.h>

void th_trace_clear_guide(th_trace_block *block) { block->front = block->value_front = 0; }
void th_trace_clear_decision(th_trace_block *block) { block->back = block->value_back = 0; }

bool th_trace_wants(const th_tracer *tracer, uint32_t lane) {
  return tracer && lane < TH_VIEW_LANES && tracer->lane[lane].block;
}

/* A vector of the pass in space. */
static th_vec3 vector_of(const th_tracer *t, uint32_t lane, float x, float y) {
  const th_trace_lane *l = &t->lane[lane];
  return th_ground_to_space(t->ground, l->place, (th_vec2){l->m[0] * x + l->m[1] * y, l->m[2] * x + l->m[3] * y});
}

/* A place of the pass in space. */
static th_vec3 point_of(const th_tracer *t, uint32_t lane, float x, float y) {
  const th_trace_lane *l = &t->lane[lane];
  th_vec3 p = th_ground_point(t->ground, l->place), offset = vector_of(t, lane, x - l->x, y - l->y);
  return (th_vec3){p.x + offset.x, p.y + offset.y, p.z + offset.z};
}

static th_trace_item *take_item(th_trace_block *block, bool guide) {
  if (block->front + block->back >= block->items) {
    block->dropped++;
    return NULL;
  }
  return guide ? &block->item[block->front++] : &block->item[block->items - ++block->back];
}

static float *take_values(th_trace_block *block, bool guide, uint32_t count) {
  if (count > block->values - block->value_front - block->value_back) return NULL;
  float *values = guide ? block->value + block->value_front : block->value + block->values - block->value_back - count;
  *(guide ? &block->value_front : &block->value_back) += count;
  return values;
}

/* A new item for the lane with everything but its numbers; NULL: not wanted, memory full, or a row of another type. */
static th_trace_item *begin(th_tracer *t, uint32_t lane, const th_trace *row, th_trace_type type) {
  if (!th_trace_wants(t, lane)) return NULL;
  th_trace_block *block = t->lane[lane].block;
  if (row->type != type) {
    block->wrong = row;
    return NULL;
  }
  th_trace_item *item = take_item(block, t->guide);
  if (!item) return NULL;
  *item = (th_trace_item){
      .trace = row, .source = t->source, .step = t->step, .at = th_ground_point(t->ground, t->lane[lane].place)};
  return item;
}

void th_trace_scalar(th_tracer *tracer, uint32_t lane, const th_trace *row, float value) {
  th_trace_item *item = begin(tracer, lane, row, TH_TRACE_SCALAR);
  if (item) item->value = value;
}

void th_trace_vector(th_tracer *tracer, uint32_t lane, const th_trace *row, th_vec2 vector, float value) {
  th_trace_item *item = begin(tracer, lane, row, TH_TRACE_VECTOR);
  if (!item) return;
  item->a = vector_of(tracer, lane, vector.x, vector.y);
  item->value = value;
}

void th_trace_point(th_tracer *tracer, uint32_t lane, const th_trace *row, th_vec2 point, float value) {
  th_trace_item *item = begin(tracer, lane, row, TH_TRACE_POINT);
  if (!item) return;
  item->a = point_of(tracer, lane, point.x, point.y);
  item->value = value;
}

void th_trace_segment(th_tracer *tracer, uint32_t lane, const th_trace *row, const th_segment *segment, float value) {
  th_trace_item *item = begin(tracer, lane, row, TH_TRACE_SEGMENT);
  if (!item) return;
  item->a = point_of(tracer, lane, segment->ax, segment->ay);
  item->b = point_of(tracer, lane, segment->bx, segment->by);
  item->value = value;
}

void th_trace_line(th_tracer *tracer, uint32_t lane, const th_trace *row, const th_vec2 line[2], float value) {
  th_trace_item *item = begin(tracer, lane, row, TH_TRACE_LINE);
  if (!item) return;
  item->a = vector_of(tracer, lane, line[0].x, line[0].y);
  item->b = vector_of(tracer, lane, line[1].x, line[1].y);
  item->value = value;
}

void th_trace_raster(th_tracer *tracer, uint32_t lane, const th_trace *row, const th_trace_grid *grid,
                     const float *values) {
  if (!th_trace_wants(tracer, lane)) return;
  th_trace_block *block = tracer->lane[lane].block;
  const uint64_t count = (uint64_t)grid->columns * grid->rows;
  const uint32_t left = block->values - block->value_front - block->value_back;
  if (row->type == TH_TRACE_RASTER && count > left) {
    block->dropped++;
    return;
  }
  th_trace_item *item = begin(tracer, lane, row, TH_TRACE_RASTER);
  if (!item) return;
  float *to = take_values(block, tracer->guide, (uint32_t)count);
  memcpy(to, values, sizeof *to * (size_t)count);
  item->a = point_of(tracer, lane, grid->x0, grid->y0);
  item->b = vector_of(tracer, lane, grid->ux * grid->cell, grid->uy * grid->cell);
  item->c = vector_of(tracer, lane, -grid->uy * grid->cell, grid->ux * grid->cell);
  item->columns = grid->columns;
  item->rows = grid->rows;
  item->raster = to;
}
