/* io/plan/load.c - plans by the endings of their names, and those in well-known text. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/letters.h"
#include "base/memory.h"
#include "io/json.h"
#include "io/plan/shapes.h"
#include "io/whole_file.h"
#include "io/wkt.h"

static bool begin_shape(void *to, bool closed, bool hole) {
  th_plan *plan = to;
  uint32_t layer;
  return th_shapes_layer(plan, closed ? "outline" : "lines", &layer) && th_shapes_begin(plan, layer, closed, hole);
}

static bool add_point(void *to, double x, double y) { return th_shapes_point(to, x, y); }

static bool end_shape(void *to, uint32_t *points) {
  th_plan *plan = to;
  th_plan_shape *shape = &plan->shape[plan->shape_count - 1];
  const th_plan_point *a = &plan->point[shape->first], *b = &plan->point[plan->point_count - 1];
  if (shape->closed && shape->count > 1 && a->x == b->x && a->y == b->y) shape->count--, plan->point_count--;
  *points = shape->count;
  return true;
}

static th_result read_wkt(th_plan *plan, const char *path, th_error *error) {
  th_file_bytes file;
  th_result result = th_file_load(&plan->env.allocator, path, TH_JSON_MAX_BYTES, &file, error);
  if (result) return result;
  char *text = TH_TAKE(&plan->env.allocator, char, file.size + 1);
  if (!text) {
    th_file_unload(&plan->env.allocator, &file);
    return th_fail_memory(error, path);
  }
  memcpy(text, file.bytes, file.size);
  const th_wkt_sink sink = {plan, begin_shape, add_point, end_shape};
  result = th_wkt_read(text, &sink, error);
  if (result && error) snprintf(error->where, sizeof error->where, "%s", path);
  TH_GIVE(&plan->env.allocator, text, file.size + 1);
  th_file_unload(&plan->env.allocator, &file);
  return result;
}

static bool ends(const char *path, const char *ending) {
  const size_t a = strlen(path), b = strlen(ending);
  return a > b && th_letters_same(path + a - b, ending);
}

th_result th_plan_load(const th_env *env, const char *path, th_plan *plan, th_error *error) {
  *plan = (th_plan){.env = th_env_complete(env)};
  const bool json = ends(path, ".geojson") || ends(path, ".json");
  if (!json && !ends(path, ".wkt"))
    return th_fail(error, TH_ERROR_FORMAT, path, "expected a name that ends in .geojson, .json or .wkt");
  th_result result = json ? th_geojson_read(plan, path, error) : read_wkt(plan, path, error);
  if (result) th_plan_free(plan);
  return result;
}
