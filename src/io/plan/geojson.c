/* io/plan/geojson.c - polygons and lines of GeoJSON (RFC 7946).
 *
 * A file is a collection of features, one feature, or a bare geometry; geometries nest in collections only. A feature's
 * property "layer", in any case, names its layer, as GDAL names those of DXF ("Layer"); without one it is "". Every
 * message tells which feature is meant. Cost: O(coordinates).
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/letters.h"
#include "base/memory.h"
#include "io/json.h"
#include "io/plan/shapes.h"

typedef struct geojson {
  th_plan *plan;
  const char *path;
  uint32_t feature, layer;
  th_error *error;
} geojson;

static th_result refuse(const geojson *in, const char *expected, const json_t *found) {
  return th_fail_at(in->error, TH_ERROR_FORMAT, in->path, in->feature, "expected %s in this feature, found %s",
                    expected, th_json_kind(found));
}

/* A list of positions; a ring repeats its first one at the end, which is left out. */
static th_result read_points(geojson *in, const json_t *list, bool closed, bool hole) {
  const size_t count = json_array_size(list);
  if (count < (closed ? 4u : 2u)) return refuse(in, closed ? "a ring of 4 positions" : "a line of 2 positions", list);
  if (!th_shapes_begin(in->plan, in->layer, closed, hole)) return th_fail_memory(in->error, in->path);
  for (size_t i = 0; i + (closed ? 1 : 0) < count; i++) {
    const json_t *position = json_array_get(list, i), *x = json_array_get(position, 0),
                 *y = json_array_get(position, 1);
    if (!json_is_number(x) || !json_is_number(y)) return refuse(in, "a position of two numbers", position);
    if (!th_shapes_point(in->plan, json_number_value(x), json_number_value(y)))
      return th_fail_memory(in->error, in->path);
  }
  return TH_OK;
}

static th_result read_line(geojson *in, const json_t *list) { return read_points(in, list, false, false); }

static th_result read_polygon(geojson *in, const json_t *rings) {
  if (!json_is_array(rings)) return refuse(in, "a list of rings", rings);
  th_result result = TH_OK;
  for (size_t i = 0; i < json_array_size(rings) && !result; i++)
    result = read_points(in, json_array_get(rings, i), true, i > 0);
  return result;
}

typedef th_result shape_reader(geojson *in, const json_t *coordinates);

static th_result read_each(geojson *in, const json_t *list, shape_reader *read) {
  if (!json_is_array(list)) return refuse(in, "a list", list);
  th_result result = TH_OK;
  for (size_t i = 0; i < json_array_size(list) && !result; i++) result = read(in, json_array_get(list, i));
  return result;
}

/* Not a collection, which holds these. */
static th_result read_simple(geojson *in, const json_t *geometry) {
  const char *type = json_string_value(json_object_get(geometry, "type"));
  const json_t *at = json_object_get(geometry, "coordinates");
  if (!type) return refuse(in, "a geometry with a type", geometry);
  if (strcmp(type, "Polygon") == 0) return read_polygon(in, at);
  if (strcmp(type, "LineString") == 0) return read_line(in, at);
  if (strcmp(type, "MultiPolygon") == 0) return read_each(in, at, read_polygon);
  if (strcmp(type, "MultiLineString") == 0) return read_each(in, at, read_line);
  if (strcmp(type, "Point") != 0 && strcmp(type, "MultiPoint") != 0)
    return refuse(in, "a polygon, a line, a point or several of them", geometry);
  in->plan->skipped++;
  return TH_OK;
}

static th_result read_geometry(geojson *in, const json_t *geometry) {
  if (json_is_null(geometry)) return TH_OK;
  const char *type = json_string_value(json_object_get(geometry, "type"));
  if (!type || strcmp(type, "GeometryCollection") != 0) return read_simple(in, geometry);
  return read_each(in, json_object_get(geometry, "geometries"), read_simple);
}

static const char *layer_of(const json_t *feature) {
  const char *key;
  json_t *value;
  json_object_foreach(json_object_get(feature, "properties"), key, value) {
    if (th_letters_same(key, "layer") && json_is_string(value)) return json_string_value(value);
  }
  return "";
}

static th_result read_feature(geojson *in, const json_t *feature) {
  if (!th_shapes_layer(in->plan, layer_of(feature), &in->layer)) return th_fail_memory(in->error, in->path);
  return read_geometry(in, json_object_get(feature, "geometry"));
}

static th_result read_document(geojson *in, const json_t *root) {
  const char *type = json_string_value(json_object_get(root, "type"));
  if (!type) return th_fail(in->error, TH_ERROR_FORMAT, in->path, "expected GeoJSON, an object with a type");
  if (strcmp(type, "Feature") == 0) return read_feature(in, root);
  if (strcmp(type, "FeatureCollection") != 0) {
    if (!th_shapes_layer(in->plan, "", &in->layer)) return th_fail_memory(in->error, in->path);
    return read_geometry(in, root);
  }
  const json_t *features = json_object_get(root, "features");
  if (!json_is_array(features)) return refuse(in, "a list of features", features);
  th_result result = TH_OK;
  for (; in->feature < json_array_size(features) && !result; in->feature++)
    result = read_feature(in, json_array_get(features, in->feature));
  return result;
}

th_result th_geojson_read(th_plan *plan, const char *path, th_error *error) {
  geojson in = {.plan = plan, .path = path, .error = error};
  th_json_file file = {0};
  json_t *root = NULL;
  th_result result = th_json_load(&plan->env, path, &file, error);
  if (result) return result;
  th_json_text text = {path, file.text, file.length};
  th_json_skip_mark(&text);
  result = th_json_parse(&text, &root, error);
  th_json_unload(&plan->env, &file);
  if (!result) result = read_document(&in, root);
  json_decref(root);
  return result;
}
