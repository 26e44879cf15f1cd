/* throng/trace.h - traces: models, guides and people's layer publish the data behind a decision; hosts read and draw
 * them.
 *
 * A table declares what can be published, as a table declares parameters. A pass or a guide that gets a tracer (`trace`
 * of th_work and th_guide_query) publishes by the calls below. The tracer is NULL while no lane is traced; every call
 * then does nothing, so a publisher need not test for it. th_trace_wants tells whether work that only traces need can
 * be left out.
 * Coordinates are those of the pass: the view's chart; in passes over lanes the agent's own frame with the agent at
 * 0, 0; in guides the frame of its cell. The world turns them into space, so readers of a trace need not know charts.
 * A list is published entry by entry: the items of one row of the table are its list, in the order of the calls.
 * Hosts choose agents and read items by th_world_trace and its companions (throng/world.h). Tracing changes no result.
 * Threads: publishers, as the pass or guide to which the tracer was given.
 */
#ifndef THRONG_TRACE_H
#define THRONG_TRACE_H

#include "geometry.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum th_trace_type {
  TH_TRACE_SCALAR,  /* a number */
  TH_TRACE_VECTOR,  /* a vector at the agent, with a value */
  TH_TRACE_POINT,   /* a place, with a value */
  TH_TRACE_SEGMENT, /* from a place to a place, with a value */
  TH_TRACE_LINE,    /* in the plane of vectors at the agent: a point and a unit direction, with a value; as a half-plane
                       it permits the left of the direction */
  TH_TRACE_RASTER   /* numbers on a square grid */
} th_trace_type;

/** As the colour of a row: pictures use the colour of the agent, for example for its share of the ground. */
#define TH_TRACE_OF_AGENT 0x1000000u

/** One row of the table of a model, guide or layer: one quantity that it publishes. */
typedef struct th_trace {
  const char *name;
  th_trace_type type;
  const char *unit; /* of the scalar, the vector, the plane of a line, the values of a raster; of points and segments
                       that of their value; "m/s", "" */
  const char *text; /* one sentence */
  uint32_t colour;  /* in pictures, 0xRRGGBB or TH_TRACE_OF_AGENT; 0: one is chosen by the place in the table */
} th_trace;

/** One item that was published about an agent. All coordinates are in space. */
typedef struct th_trace_item {
  const th_trace *trace; /* its row in the table; valid as long as the model or guide */
  const char *source;    /* name of the model or guide; "world", "people" */
  uint64_t step;         /* in which it was published; a model's items stay until the agent decides again */
  th_vec3 at;            /* where the agent was then [m] */
  th_vec3 a;   /* the vector; the point [m]; start of a segment [m]; point of a line; middle of the first cell [m] */
  th_vec3 b;   /* end of a segment [m]; unit direction of a line; from a cell to the next one of the row [m] */
  th_vec3 c;   /* of a raster: from a cell to the one in the next row [m] */
  float value; /* the scalar; the value of a vector, point, segment or line */
  uint32_t columns, rows; /* of a raster, else 0 */
  const float *raster;    /* columns x rows values, row by row; valid until the next step */
} th_trace_item;

/** How much one agent publishes at once, at most. */
typedef struct th_trace_size {
  uint32_t items;
  uint32_t values; /* of its rasters, together */
} th_trace_size;

/** The grid of a raster in the coordinates of the pass. */
typedef struct th_trace_grid {
  float x0, y0; /* middle of the first cell [m] */
  float ux, uy; /* unit direction of the rows; columns run to its left */
  float cell;   /* [m] */
  uint32_t columns, rows;
} th_trace_grid;

/** Publishes for one pass or guide; made by the world. */
typedef struct th_tracer th_tracer;

/** True when the agent of this lane is traced. False without a tracer. */
TH_API bool th_trace_wants(const th_tracer *tracer, uint32_t lane);

/** Publish one item each for the agent of a lane; nothing happens without a tracer, or when the agent is not traced.
 *  The row's type must be that of the call, else the world logs a fault once. What does not fit into the agent's
 *  capacity (th_trace_def) is left out, and the log says so once. */
TH_API void th_trace_scalar(th_tracer *tracer, uint32_t lane, const th_trace *row, float value);
TH_API void th_trace_vector(th_tracer *tracer, uint32_t lane, const th_trace *row, th_vec2 vector, float value);
TH_API void th_trace_point(th_tracer *tracer, uint32_t lane, const th_trace *row, th_vec2 point, float value);
TH_API void th_trace_segment(th_tracer *tracer, uint32_t lane, const th_trace *row, const th_segment *segment,
                             float value);
TH_API void th_trace_line(th_tracer *tracer, uint32_t lane, const th_trace *row, const th_vec2 line[2], float value);
TH_API void th_trace_raster(th_tracer *tracer, uint32_t lane, const th_trace *row, const th_trace_grid *grid,
                            const float *values);

#ifdef __cplusplus
}
#endif
#endif
