/* io/recording/write.c - the calls of a host that records: each appends its data to the log and returns.
 *
 * All memory a call needs is allocated before the log changes, so that a failed call leaves no partial frame. A caller
 * that is faster than the disk has to wait, so that all data older than a second are in the file at any speed. Cost per
 * frame: one copy of its columns.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "geometry/shape.h"
#include "io/recording/plan.h"
#include "io/recording/recording.h"
#include "io/text.h"
#include "world/events.h"

bool th_record_geometry_seen(th_recording *recording, int64_t hash) {
  if (!th_grow(&recording->env.allocator, (void **)&recording->geometry_seen, &recording->geometry_capacity,
               recording->geometry_count + 1, sizeof *recording->geometry_seen))
    return false;
  recording->geometry_seen[recording->geometry_count++] = hash;
  return true;
}

/* ---------------------------------------------------------------- the log */

/* With the mutex. The log of a step that has begun is not taken, so it would never get empty. */
static void wait_for_room(th_recording *recording) {
  const th_record_log *log = &recording->filling;
  while (!recording->failed && !recording->in_step && log->row_count + log->record_count >= recording->limit)
    th_condition_wait(&recording->emptied, &recording->mutex);
}

void th_record_begin_step(th_recording *recording) {
  th_mutex_lock(&recording->mutex);
  wait_for_room(recording);
  recording->in_step = true;
  th_mutex_unlock(&recording->mutex);
}

void th_record_end_step(th_recording *recording) {
  th_mutex_lock(&recording->mutex);
  recording->in_step = false;
  th_record_end(recording);
}

th_result th_record_begin(th_recording *recording, uint32_t records, uint32_t rows, th_error *error) {
  th_record_log *log = &recording->filling;
  const th_allocator *allocator = &recording->env.allocator;
  th_mutex_lock(&recording->mutex);
  wait_for_room(recording);
  th_result result = TH_OK;
  if (recording->failed) {
    result = recording->why.code;
    if (error) *error = recording->why;
  } else if (!th_grow(allocator, (void **)&log->record, &log->record_capacity, log->record_count + records,
                      sizeof *log->record) ||
             !th_grow(allocator, (void **)&log->row, &log->row_capacity, log->row_count + rows, sizeof *log->row)) {
    result = th_fail_memory(error, recording->path);
  }
  if (result != TH_OK) th_mutex_unlock(&recording->mutex);
  return result;
}

void th_record_end(th_recording *recording) {
  th_condition_tell_one(&recording->filled);
  th_mutex_unlock(&recording->mutex);
}

void th_record_add(th_recording *recording, th_record record) {
  recording->filling.record[recording->filling.record_count++] = record;
}

static float narrowed_of(const th_recording *recording, const th_agents *agents, uint32_t i) {
  if (recording->narrowed) return recording->narrowed[i];
  const float part = agents->body ? 1.0f - agents->body[i] / agents->radius[i] : 0.0f;
  return part > 0.0f && part <= 1.0f ? part : 0.0f;
}

static void add_row(th_recording *recording, const th_agents *agents, uint32_t i, uint32_t row) {
  float hx = agents->hx ? agents->hx[i] : 1.0f, hy = agents->hy ? agents->hy[i] : 0.0f;
  recording->filling.row[row] = (th_record_row){.id = th_record_number(recording, agents->id[i]),
                                                .x = agents->x[i],
                                                .y = agents->y[i],
                                                .vx = agents->vx ? agents->vx[i] : 0.0f,
                                                .vy = agents->vy ? agents->vy[i] : 0.0f,
                                                .hx = hx,
                                                .hy = hy,
                                                .heading = recording->heading ? recording->heading[i] : NAN,
                                                .gait = agents->gait ? agents->gait[i] : 0,
                                                .state = agents->state ? agents->state[i] : TH_AGENT_WALKING,
                                                .narrowed = narrowed_of(recording, agents, i)};
}

/* The row of an agent on a mesh: what is seen from above, and the rest. */
static void lift_row(th_recording *recording, const th_agents *agents, uint32_t i, uint32_t row) {
  const th_points *space = agents->space;
  th_record_row *r = &recording->filling.row[row];
  r->x = space->point[i].x, r->y = space->point[i].y, r->z = space->point[i].z;
  r->vx = space->velocity[i].x, r->vy = space->velocity[i].y, r->vz = space->velocity[i].z;
  r->hx = space->heading[i].x, r->hy = space->heading[i].y, r->hz = space->heading[i].z;
  r->weight_1 = space->weights[i].x, r->weight_2 = space->weights[i].y;
  r->face = agents->cell[i];
}

static th_result check_agents(const th_recording *recording, const th_agents *agents, th_error *error) {
  const th_points *s = agents->space;
  bool whole = s && s->point && s->velocity && s->heading && s->weights && agents->cell;
  if (recording->mesh && agents->count && !whole)
    return th_fail(error, TH_ERROR_STATE, recording->path,
                   "expected points, velocities, headings and weights in space, found none: this is mesh ground");
  for (uint32_t i = 0; i < agents->count; i++) {
    bool good = isfinite(agents->x[i]) && isfinite(agents->y[i]);
    if (recording->mesh) good = isfinite(s->point[i].x) && isfinite(s->point[i].y) && isfinite(s->point[i].z);
    if (!good) return th_fail_at(error, TH_ERROR_RANGE, recording->path, i, "agent %u: its place is not a number", i);
  }
  return TH_OK;
}

static bool appears(const th_agents *agents, uint32_t i) {
  return !agents->state || agents->state[i] != TH_AGENT_DELAYED;
}

th_result th_recording_write(th_recording *recording, uint64_t step, const th_agents *agents, th_error *error) {
  if (step % recording->every != 0) return TH_OK;
  th_result result = check_agents(recording, agents, error);
  uint32_t records = 1;
  for (uint32_t i = 0; i < agents->count && result == TH_OK; i++)
    if (appears(agents, i) && !th_record_meet(recording, agents->id[i], agents->radius[i], &records))
      result = th_fail_memory(error, recording->path);
  if (result == TH_OK) result = th_record_begin(recording, records, agents->count, error);
  if (result != TH_OK) return result;
  uint32_t first = recording->filling.row_count, count = 0;
  for (uint32_t i = 0; i < agents->count; i++) {
    if (!appears(agents, i)) continue;
    add_row(recording, agents, i, first + count);
    if (recording->mesh) lift_row(recording, agents, i, first + count);
    count++;
  }
  recording->frame_next = (uint32_t)(step / recording->every) + 1;
  recording->filling.row_count += count;
  th_record_add(recording, (th_record){.kind = TH_RECORD_FRAME,
                                       .step = step / recording->every,
                                       .id = recording->geometry,
                                       .first = first,
                                       .count = count});
  th_record_end(recording);
  return TH_OK;
}

/* ---------------------------------------------------------------- the rest */

th_result th_recording_events(th_recording *recording, const th_event *event, uint32_t count, th_error *error) {
  if (count == 0) return TH_OK;
  if (count > UINT32_MAX / 4) return th_fail(error, TH_ERROR_CAPACITY, recording->path, "too many events: %u", count);
  for (uint32_t i = 0; i < count; i++)
    if (!th_event_word(event[i].kind))
      return th_fail(error, TH_ERROR_RANGE, recording->path, "event %u: expected a th_event_kind, found %d", i,
                     (int)event[i].kind);
  uint32_t records = count;
  for (uint32_t i = 0; i < count; i++)
    if (!th_record_meet(recording, event[i].agent, 0.0f, &records) ||
        !th_record_meet_goal(recording, event[i].goal, &records))
      return th_fail_memory(error, recording->path);
  th_result result = th_record_begin(recording, records, 0, error);
  if (result != TH_OK) return result;
  for (uint32_t i = 0; i < count; i++) {
    int64_t id = th_record_number(recording, event[i].agent), goal = th_record_goal_number(recording, event[i].goal);
    th_record_add(recording, (th_record){.kind = TH_RECORD_EVENT,
                                         .step = event[i].step,
                                         .id = id,
                                         .goal = goal,
                                         .word = th_event_word(event[i].kind)});
  }
  th_record_end(recording);
  return TH_OK;
}

th_result th_recording_debug(th_recording *recording, uint64_t step, th_agent_id agent, const char *name, th_vec2 at,
                             double value) {
  char *text = th_text_copy(&recording->env.allocator, name);
  uint32_t records = 1;
  th_result result = text && th_record_meet(recording, agent, 0.0f, &records)
                         ? th_record_begin(recording, records, 0, NULL)
                         : TH_ERROR_MEMORY;
  if (result != TH_OK) {
    th_text_free(text);
    return result;
  }
  int64_t id = th_record_number(recording, agent);
  th_record_add(recording, (th_record){.kind = TH_RECORD_DEBUG,
                                       .step = step,
                                       .id = id,
                                       .x = isfinite(at.x) ? (double)at.x : 0.0,
                                       .y = isfinite(at.y) ? (double)at.y : 0.0,
                                       .value = isfinite(value) ? value : 0.0,
                                       .text = text});
  th_record_end(recording);
  return TH_OK;
}

th_result th_recording_numbers(th_recording *recording, const void *bytes, size_t size, th_error *error) {
  const th_allocator *a = &recording->env.allocator;
  th_record_blob *blob = th_record_blob_take(a, size);
  th_result result = blob ? th_record_begin(recording, 1, 0, error) : th_fail_memory(error, recording->path);
  if (result != TH_OK) {
    th_record_blobs_free(a, blob);
    return result;
  }
  memcpy(blob[0].bytes, bytes, size);
  th_record_add(recording, (th_record){.kind = TH_RECORD_NUMBERS, .blob = blob});
  th_record_end(recording);
  return TH_OK;
}

th_result th_recording_ground(th_recording *recording, const char *wkt, th_error *error) {
  int64_t hash = th_recording_wkt_hash(wkt);
  bool seen = false;
  for (uint32_t k = 0; k < recording->geometry_count; k++) seen = seen || recording->geometry_seen[k] == hash;
  if (!seen) {
    char *text = th_text_copy(&recording->env.allocator, wkt);
    if (!text) return th_fail_memory(error, recording->path);
    th_result result = th_record_begin(recording, 1, 0, error);
    if (result == TH_OK && !th_record_geometry_seen(recording, hash)) {
      th_mutex_unlock(&recording->mutex);
      result = th_fail_memory(error, recording->path);
    }
    if (result != TH_OK) {
      th_text_free(text);
      return result;
    }
    th_record_add(recording, (th_record){.kind = TH_RECORD_GEOMETRY, .id = hash, .text = text});
    th_record_end(recording);
  }
  recording->geometry = hash;
  return TH_OK;
}

/* A disc is kept as a polygon. */
static bool shape_points(th_floor_plan *plan, const th_shape *shape) {
  th_vec3 corner[TH_DISC_CORNERS];
  const th_shape outline = th_shape_outline(shape, corner);
  for (uint32_t k = 0; k < outline.count; k++) {
    const th_vec3 p = th_shape_at(&outline, k);
    if (!th_floor_plan_add_point(plan, (th_vec2){p.x, p.y})) return false;
  }
  return th_floor_plan_add_ring(plan, 0, false);
}

static char *shape_wkt(const th_env *env, const th_shape *shape) {
  th_floor_plan plan = {.env = *env};
  char *wkt = NULL;
  if (shape_points(&plan, shape)) {
    if (shape->kind == TH_SHAPE_POINT || shape->kind == TH_SHAPE_LINE) {
      th_text out = {.allocator = env->allocator};
      th_text_append(&out, shape->kind == TH_SHAPE_POINT ? "POINT ("
                           : shape->apart                ? "MULTILINESTRING (("
                                                         : "LINESTRING (");
      for (uint32_t k = 0; k < plan.point_count; k++) {
        th_text_append(&out, !k ? "" : shape->apart && k % 2 == 0 ? "), (" : ", ");
        th_text_append_float(&out, plan.point[k].x);
        th_text_append(&out, " ");
        th_text_append_float(&out, plan.point[k].y);
      }
      th_text_append(&out, shape->apart ? "))" : ")");
      wkt = th_text_finish(&out);
    } else if (th_floor_plan_wkt(&plan, &wkt, NULL) != TH_OK) {
      wkt = NULL;
    }
  }
  th_floor_plan_free(&plan);
  return wkt;
}

th_result th_recording_shape(th_recording *recording, const char *kind, const char *name, const th_shape *shape,
                             th_error *error) {
  const th_allocator *allocator = &recording->env.allocator;
  th_record record = {.kind = TH_RECORD_SHAPE,
                      .text = th_text_copy(allocator, kind),
                      .more = th_text_copy(allocator, name ? name : ""),
                      .wkt = shape_wkt(&recording->env, shape)};
  th_result result = record.text && record.more && record.wkt ? th_record_begin(recording, 1, 0, error)
                                                              : th_fail_memory(error, recording->path);
  if (result != TH_OK) {
    th_text_free(record.text);
    th_text_free(record.more);
    th_text_free(record.wkt);
    return result;
  }
  th_record_add(recording, record);
  th_record_end(recording);
  return TH_OK;
}
