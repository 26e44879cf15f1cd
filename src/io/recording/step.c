/* io/recording/step.c - a whole step of a world in one call, and the marks of a recording.
 *
 * Without this call a host that records would have to follow the versions of the ground, turn walls into WKT, keep
 * memory for points in space and distinguish marks on meshes from shapes of plans. Cost in addition to the calls it
 * makes: one comparison of versions per step.
 */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "geometry/shape.h"
#include "io/recording/mark.h"
#include "io/recording/recording.h"
#include "throng/ground.h"

static th_result follow_ground(th_recording *recording, const th_ground *ground, th_error *error) {
  if (th_ground_version(ground) == recording->ground_version) return TH_OK;
  const th_mesh *mesh = th_ground_mesh(ground);
  char *wkt = NULL;
  th_result result = th_ground_wkt(ground, &wkt, error);
  if (result == TH_OK) result = th_recording_ground(recording, wkt, error);
  if (result == TH_OK && mesh) result = th_recording_mesh(recording, mesh, th_ground_blocked_faces(ground), error);
  th_text_free(wkt);
  if (result == TH_OK) recording->ground_version = th_ground_version(ground);
  return result;
}

static th_result record_frame(th_recording *recording, const th_world *world, th_error *error) {
  uint64_t step = th_world_step_count(world);
  if (step % recording->every != 0) return TH_OK;
  th_agents agents;
  th_result result = th_space_agents(&recording->space, world, &agents, error);
  if (result == TH_OK) result = th_recording_write(recording, step, &agents, error);
  return result == TH_OK ? th_recording_traces(recording, world, error) : result;
}

th_result th_recording_step(th_recording *recording, const th_world *world, th_error *error) {
  uint32_t count;
  const th_event *event = th_world_events(world, &count);
  th_result result = follow_ground(recording, th_world_ground(world), error);
  for (uint32_t k = 0; k < count && result == TH_OK; k++)
    if (!th_record_emitted(recording, &event[k])) result = th_fail_memory(error, recording->path);
  recording->world = world;
  if (result == TH_OK) result = record_frame(recording, world, error);
  if (result == TH_OK && recording->events) result = th_recording_events(recording, event, count, error);
  recording->world = NULL;
  return result;
}

uint32_t th_mesh_mark_parts(const th_shape *shape) { return shape->apart ? shape->count / 2 : 1; }

th_shape th_mesh_mark_part(const th_shape *shape, uint32_t n) {
  th_shape part = *shape;
  if (!shape->apart) return part;
  part.point = th_shape_points(shape) + 2 * (size_t)n;
  part.count = 2;
  part.apart = false;
  return part;
}

bool th_mesh_mark_of(const th_ground *ground, const char *kind, const char *name, const th_shape *shape,
                     th_mesh_mark *mark) {
  double sum[3] = {0, 0, 0}, reach = (double)shape->radius;
  for (uint32_t i = 0; i < shape->count; i++) {
    const th_vec3 p = th_shape_at(shape, i);
    sum[0] += (double)p.x / shape->count;
    sum[1] += (double)p.y / shape->count;
    sum[2] += (double)p.z / shape->count;
  }
  if (shape->kind == TH_SHAPE_POINT) reach = 0.0;
  for (uint32_t i = 0; i < shape->count && shape->kind != TH_SHAPE_DISC; i++)
    reach =
        fmax(reach, 0.7 * hypot((double)th_shape_at(shape, i).x - sum[0], (double)th_shape_at(shape, i).y - sum[1]));
  th_vec3 middle = {(float)sum[0], (float)sum[1], (float)sum[2]};
  th_place place = th_ground_locate_at(ground, middle, shape->level, 10.0f + (float)reach);
  if (place.cell == TH_NO_CELL) return false;
  float radius = shape->kind == TH_SHAPE_POINT && shape->radius > 0 ? shape->radius : (float)fmax(0.5, reach);
  *mark = (th_mesh_mark){.face = place.cell, .point = th_ground_point(ground, place), .radius = radius};
  snprintf(mark->kind, sizeof mark->kind, "%s", kind);
  snprintf(mark->name, sizeof mark->name, "%s", name ? name : "");
  return true;
}

th_result th_recording_mark(th_recording *recording, const char *kind, const char *name, const th_shape *shape,
                            const th_ground *ground, th_error *error) {
  th_result result = th_recording_shape(recording, kind, name, shape, error);
  if (!ground || !th_ground_mesh(ground)) return result;
  for (uint32_t n = 0; n < th_mesh_mark_parts(shape) && result == TH_OK; n++) {
    const th_shape part = th_mesh_mark_part(shape, n);
    th_mesh_mark mark;
    if (th_mesh_mark_of(ground, kind, name, &part, &mark)) result = th_recording_spot(recording, &mark, error);
  }
  return result;
}
