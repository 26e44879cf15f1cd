/* io/scene/write/params.c - routes, models and parameters as JSON: the reverse of io/scene/params.c and people.c.
 *
 * Parameters are written by their own tables, those that differ from their defaults, so a new parameter needs no line
 * here. Cost: constant per row.
 */
#include <math.h>
#include <string.h>

#include "base/param/value.h"
#include "io/scene/write/write.h"
#include "throng/guide.h"
#include "throng/make.h"
#include "throng/model.h"

/* ---------------------------------------------------------------- one parameter */

static void append_numbers(th_scene_writer *writer, const float *number, int count) {
  for (int i = 0; i < count; i++) {
    th_text_append(&writer->text, i ? ", " : "[");
    th_write_value_float(writer, number[i]);
  }
  th_text_append(&writer->text, "]");
}

static void append_place(th_scene_writer *writer, th_vec3 place) {
  append_numbers(writer, &place.x, place.z == 0.0f && !signbit(place.z) ? 2 : 3);
}

static void append_points(th_scene_writer *writer, const th_param_points *points) {
  th_text_append(&writer->text, "[");
  for (uint32_t i = 0; i < points->count; i++) {
    if (i) th_text_append(&writer->text, ", ");
    append_place(writer, points->point[i]);
  }
  th_text_append(&writer->text, "]");
}

static void append_param(th_scene_writer *writer, const th_param *row, const void *values) {
  th_param_value v;
  memcpy(&v, (const uint8_t *)values + row->offset, th_param_value_bytes(row));
  switch (row->type) {
    case TH_PARAM_FLOAT:
      th_write_value_float(writer, v.number);
      break;
    case TH_PARAM_INT:
      th_write_value_whole(writer, v.whole);
      break;
    case TH_PARAM_BOOL:
      th_text_append(&writer->text, v.truth ? "true" : "false");
      break;
    case TH_PARAM_ENUM:
      th_write_value_text(writer, row->choice[v.whole]);
      break;
    case TH_PARAM_VEC2:
      append_numbers(writer, &v.vector.x, 2);
      break;
    case TH_PARAM_PLACE:
      append_place(writer, v.place);
      break;
    case TH_PARAM_POINTS:
      append_points(writer, &v.points);
      break;
  }
}

/* A table of parameters, and the struct that it describes. */
typedef struct rows {
  const th_param *row;
  uint32_t count;
  size_t size;
} rows;

/* What differs from the defaults, as members. */
static void append_rows(th_scene_writer *writer, const rows *all, const void *values) {
  uint8_t *initial = th_take(&writer->text.allocator, all->size, 1);
  if (!initial) {
    writer->text.failed = true;
    return;
  }
  th_param_defaults(all->row, all->count, initial);
  for (uint32_t i = 0; i < all->count; i++) {
    const th_param *row = &all->row[i];
    if (memcmp((const uint8_t *)values + row->offset, initial + row->offset, th_param_value_bytes(row)) == 0) continue;
    th_write_object_name(writer, row->name);
    append_param(writer, row, values);
  }
  th_give(&writer->text.allocator, initial, all->size, 1);
}

static bool write_rows(th_scene_writer *writer, const th_write *write, const rows *all) {
  const void *values;
  memcpy(&values, write->object + write->key->offset, sizeof values);
  if (!values) return false;
  th_text_append(&writer->text, "{");
  append_rows(writer, all, values);
  th_text_append(&writer->text, "}");
  return true;
}

/* ---------------------------------------------------------------- kinds */

bool th_write_param_route(th_scene_writer *writer, const th_write *write) {
  const th_scene_stop *stop = (const th_scene_stop *)(const void *)(write->object + write->key->offset);
  uint32_t count;
  memcpy(&count, write->object + write->key->count_offset, sizeof count);
  for (uint32_t i = 0; i < count; i++) {
    th_text_append(&writer->text, i ? ", " : "[");
    if (stop[i].wait == 0.0f) {
      th_write_value_text(writer, stop[i].name);
      continue;
    }
    th_text_append(&writer->text, "{");
    th_write_object_name(writer, "goal");
    th_write_value_text(writer, stop[i].name);
    th_write_object_name(writer, "wait");
    th_write_value_float(writer, stop[i].wait);
    th_text_append(&writer->text, "}");
  }
  th_text_append(&writer->text, "]");
  return count > 0;
}

bool th_write_param_model(th_scene_writer *writer, const th_write *write) {
  const th_model *model;
  memcpy(&model, write->object + write->key->offset, sizeof model);
  if (model) th_write_value_text(writer, model->name);
  return model != NULL;
}

/* They belong to the model of the same crowd. */
bool th_write_param_params(th_scene_writer *writer, const th_write *write) {
  const th_model *model = ((const th_scene_crowd *)(const void *)write->object)->def.model;
  return write_rows(writer, write, &(rows){model->param, model->param_count, model->param_size});
}

bool th_write_param_people(th_scene_writer *writer, const th_write *write) {
  const th_scene_people *people = (const th_scene_people *)(const void *)(write->object + write->key->offset);
  uint32_t count;
  const th_param *table = th_people_table(&count);
  if (people->is == TH_SCENE_AS_SCENE) return false;
  if (people->is == TH_SCENE_BODIES || !people->given) {
    th_text_append(&writer->text, people->is == TH_SCENE_PEOPLE ? "true" : "false");
    return people->is == TH_SCENE_BODIES || write->always; /* true is what nobody needs to say */
  }
  th_text_append(&writer->text, "{");
  for (uint32_t i = 0; i < count; i++) {
    if (!(people->given >> i & 1u)) continue; /* of a population, one that it has instead of the scene's */
    th_write_object_name(writer, table[i].name);
    append_param(writer, &table[i], &people->params);
  }
  th_text_append(&writer->text, "}");
  return true;
}

/* The points and edges of a path that was planned, in place of the path; or its points. */
static void append_path(th_scene_writer *writer, const th_scene_guide *guide) {
  const th_path_params *path = guide->params;
  th_scene_points points = guide->given;
  if (!points.point) {
    points = (th_scene_points){(th_vec3 *)(uintptr_t)path->point, path->count, false};
    for (uint32_t i = 0; i < path->count; i++) points.deep |= path->point[i].z != 0.0f;
  }
  th_write_object_name(writer, "points");
  th_write_shape_points(writer, &points);
  if (!guide->edge_count) return;
  th_write_object_name(writer, "graph");
  for (uint32_t i = 0; i < guide->edge_count; i++) {
    th_text_append(&writer->text, i ? ", " : "[");
    th_write_shape_points(writer, &guide->edge[i]);
  }
  th_text_append(&writer->text, "]");
}

bool th_write_param_guide(th_scene_writer *writer, const th_write *write) {
  const th_scene_guide *guide = (const th_scene_guide *)(const void *)write->object;
  if (!guide->kind || strcmp(guide->kind->name, write->key->name) != 0) return false;
  th_text_append(&writer->text, "{");
  if (guide->kind == &th_guide_path) append_path(writer, guide);
  append_rows(writer, &(rows){guide->kind->param, guide->kind->param_count, guide->kind->param_size}, guide->params);
  th_text_append(&writer->text, "}");
  return true;
}

bool th_write_param_make(th_scene_writer *writer, const th_write *write) {
  uint32_t count;
  const th_param *table = th_make_table(&count);
  return write_rows(writer, write, &(rows){table, count, sizeof(th_make_params)});
}

/* Of a host's planner the scene keeps the values, its table the host knows. */
void th_write_param_planner(th_scene_writer *writer, const void *object) {
  const th_scene_goal *goal = object;
  const th_scene_planner *planner = writer->planner;
  if (!goal->planner) return;
  if (planner)
    append_rows(writer, &(rows){planner->param, planner->param_count, planner->param_size}, goal->planner);
  else
    th_write_object_fail(writer, TH_ERROR_STATE, goal->name,
                         "expected the planner that this goal was read with, found none");
}
