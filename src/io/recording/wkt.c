/* io/recording/wkt.c - plans as well-known text, the geometry column of recordings. */
#include "io/wkt.h"

#include "base/error.h"
#include "io/recording/plan.h"
#include "io/text.h"

/* ---------------------------------------------------------------- reading */

typedef struct plan_sink {
  th_floor_plan *plan;
  uint32_t first;
  bool closed, hole;
} plan_sink;

static bool begin_ring(void *to, bool closed, bool hole) {
  plan_sink *sink = to;
  sink->first = sink->plan->point_count, sink->closed = closed, sink->hole = hole;
  return true;
}

static bool add_point(void *to, double x, double y) {
  return th_floor_plan_add_point(((plan_sink *)to)->plan, (th_vec2){(float)x, (float)y});
}

/* A closed ring is kept without its repeated last point. */
static bool end_ring(void *to, uint32_t *points) {
  const plan_sink *sink = to;
  th_floor_plan *plan = sink->plan;
  const uint32_t last = plan->point_count - 1;
  const th_vec2 *a = &plan->point[sink->first], *b = &plan->point[last];
  if (sink->closed && last > sink->first && a->x == b->x && a->y == b->y) plan->point_count--;
  *points = plan->point_count - sink->first;
  return th_floor_plan_add_ring(plan, sink->first, sink->hole);
}

th_result th_floor_plan_of_wkt(const th_env *env, const char *wkt, th_floor_plan *plan, th_error *error) {
  th_floor_plan made = {.env = *env};
  plan_sink to = {.plan = &made};
  const th_wkt_sink sink = {&to, begin_ring, add_point, end_ring};
  th_result result = th_wkt_read(wkt, &sink, error);
  if (result) {
    th_floor_plan_free(&made);
    return result;
  }
  *plan = made;
  return TH_OK;
}

/* ---------------------------------------------------------------- writing */

static void append_point(th_text *text, th_vec2 p) {
  th_text_append_float(text, p.x);
  th_text_append(text, " ");
  th_text_append_float(text, p.y);
}

static void append_ring(th_text *text, const th_floor_plan *plan, const th_ring *ring) {
  th_text_append(text, "(");
  for (uint32_t k = 0; k < ring->count; k++) {
    append_point(text, plan->point[ring->first + k]);
    th_text_append(text, ", ");
  }
  append_point(text, plan->point[ring->first]);
  th_text_append(text, ")");
}

/* POLYGON for one outline, MULTIPOLYGON for several, POLYGON EMPTY for none. */
th_result th_floor_plan_wkt(const th_floor_plan *plan, char **text, th_error *error) {
  th_text out = {.allocator = th_env_complete(&plan->env).allocator};
  uint32_t outlines = 0, closed = 0;
  for (uint32_t r = 0; r < plan->ring_count; r++) outlines += !plan->ring[r].hole;
  th_text_append(&out, outlines > 1 ? "MULTIPOLYGON (" : outlines ? "POLYGON " : "POLYGON EMPTY");
  for (uint32_t r = 0; r < plan->ring_count && outlines; r++) {
    bool starts = !plan->ring[r].hole || r == 0;
    if (starts && closed++) th_text_append(&out, "), ");
    th_text_append(&out, starts ? "(" : ", ");
    append_ring(&out, plan, &plan->ring[r]);
  }
  if (outlines) th_text_append(&out, outlines > 1 ? "))" : ")");
  char *finished = th_text_finish(&out);
  if (!finished) return th_fail_memory(error, "WKT");
  *text = finished;
  return TH_OK;
}
