/* io/recording/tracks.c - a recording in memory, agent by agent.
 *
 * Files list frames, figures draw paths: samples are kept by agent, in one block per column, and found by frame with a
 * binary search. Velocities that a file does not hold are central differences, v_k = (x_(k+1) - x_(k-1)) / (t_(k+1) -
 * t_(k-1)), one-sided at the ends. Cost: O(samples).
 */
#include "io/recording/tracks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

bool th_tracks_reserve(th_tracks *tracks, uint32_t samples) {
  const th_allocator *allocator = &tracks->env.allocator;
  tracks->tail.sample_capacity = samples;
  tracks->frame = TH_TAKE(allocator, uint32_t, samples);
  tracks->x = TH_TAKE(allocator, float, samples);
  tracks->y = TH_TAKE(allocator, float, samples);
  tracks->vx = TH_TAKE(allocator, float, samples);
  tracks->vy = TH_TAKE(allocator, float, samples);
  tracks->heading = TH_TAKE(allocator, float, samples);
  tracks->narrowed = TH_TAKE(allocator, float, samples);
  tracks->gait = TH_TAKE(allocator, uint8_t, samples);
  tracks->state = TH_TAKE(allocator, uint8_t, samples);
  return tracks->frame && tracks->x && tracks->y && tracks->vx && tracks->vy && tracks->heading && tracks->narrowed &&
         tracks->gait && tracks->state;
}

bool th_tracks_lift(th_tracks *tracks) {
  const th_allocator *allocator = &tracks->env.allocator;
  tracks->z = TH_TAKE(allocator, float, tracks->tail.sample_capacity);
  tracks->vz = TH_TAKE(allocator, float, tracks->tail.sample_capacity);
  tracks->face = TH_TAKE(allocator, uint32_t, tracks->tail.sample_capacity);
  tracks->weights = TH_TAKE(allocator, th_vec3, tracks->tail.sample_capacity);
  tracks->head = TH_TAKE(allocator, th_vec3, tracks->tail.sample_capacity);
  return tracks->z && tracks->vz && tracks->face && tracks->weights && tracks->head;
}

bool th_tracks_lift_sample(th_tracks *tracks, uint32_t sample, uint32_t face, const double value[7]) {
  for (int k = 0; k < 7; k++)
    if (!(fabs(value[k]) <= (k < 2 ? 2.0 : 1e9))) return false;
  tracks->face[sample] = face;
  tracks->weights[sample] =
      (th_vec3){(float)value[0], (float)value[1], (float)(1.0 - (double)(float)value[0] - (double)(float)value[1])};
  tracks->z[sample] = (float)value[2];
  tracks->vz[sample] = (float)value[3];
  tracks->head[sample] = (th_vec3){(float)value[4], (float)value[5], (float)value[6]};
  return true;
}

const th_tracks_mesh *th_tracks_mesh_at(const th_tracks *tracks, uint32_t frame) {
  const th_tracks_mesh *found = tracks->mesh_count ? &tracks->mesh[0] : NULL;
  for (uint32_t k = 1; k < tracks->mesh_count && tracks->mesh[k].frame <= frame; k++) found = &tracks->mesh[k];
  return found;
}

static void free_lifted(const th_allocator *allocator, th_tracks *tracks) {
  for (uint32_t k = 0; k < tracks->spot_count; k++)
    TH_GIVE(allocator, (th_vec3 *)(uintptr_t)tracks->spot[k].outline, tracks->spot[k].outline_count);
  if (tracks->mesh_count) TH_GIVE(allocator, tracks->terrain_of, tracks->mesh[0].mesh.face_count);
  TH_GIVE(allocator, tracks->terrain, tracks->tail.terrain_capacity);
  for (uint32_t k = 0; k < tracks->mesh_count; k++) {
    TH_GIVE(allocator, tracks->mesh[k].blocked, tracks->mesh[k].mesh.face_count);
    th_mesh_free(&tracks->mesh[k].mesh);
  }
  TH_GIVE(allocator, tracks->mesh, tracks->tail.mesh_capacity);
  TH_GIVE(allocator, tracks->spot, tracks->tail.spot_capacity);
  TH_GIVE(allocator, tracks->z, tracks->tail.sample_capacity);
  TH_GIVE(allocator, tracks->vz, tracks->tail.sample_capacity);
  TH_GIVE(allocator, tracks->face, tracks->tail.sample_capacity);
  TH_GIVE(allocator, tracks->weights, tracks->tail.sample_capacity);
  TH_GIVE(allocator, tracks->head, tracks->tail.sample_capacity);
}

void th_tracks_free(th_tracks *tracks) {
  if (!tracks) return;
  th_env env = th_env_complete(&tracks->env);
  const th_allocator *allocator = &env.allocator;
  for (uint32_t k = 0; k < tracks->plan_count; k++) th_floor_plan_free(&tracks->plan[k]);
  for (uint32_t k = 0; k < tracks->mark_count; k++) th_floor_plan_free(&tracks->mark[k].plan);
  free_lifted(allocator, tracks);
  TH_GIVE(allocator, tracks->track, tracks->tail.track_capacity);
  TH_GIVE(allocator, tracks->frame, tracks->tail.sample_capacity);
  TH_GIVE(allocator, tracks->x, tracks->tail.sample_capacity);
  TH_GIVE(allocator, tracks->y, tracks->tail.sample_capacity);
  TH_GIVE(allocator, tracks->vx, tracks->tail.sample_capacity);
  TH_GIVE(allocator, tracks->vy, tracks->tail.sample_capacity);
  TH_GIVE(allocator, tracks->heading, tracks->tail.sample_capacity);
  TH_GIVE(allocator, tracks->narrowed, tracks->tail.sample_capacity);
  TH_GIVE(allocator, tracks->gait, tracks->tail.sample_capacity);
  TH_GIVE(allocator, tracks->state, tracks->tail.sample_capacity);
  TH_GIVE(allocator, tracks->group, tracks->tail.sample_capacity);
  TH_GIVE(allocator, tracks->group_name, tracks->tail.group_name_capacity);
  TH_GIVE(allocator, tracks->plan, tracks->tail.plan_capacity);
  TH_GIVE(allocator, tracks->plan_frame, tracks->tail.plan_frame_capacity);
  TH_GIVE(allocator, tracks->mark, tracks->tail.mark_capacity);
  TH_GIVE(allocator, tracks->happening, tracks->tail.happening_capacity);
  TH_GIVE(allocator, tracks->population, tracks->tail.population_capacity);
  TH_GIVE(allocator, tracks->model, tracks->tail.model_capacity);
  TH_GIVE(allocator, tracks->goal, tracks->tail.goal_capacity);
  TH_GIVE(allocator, tracks->trace_row, tracks->tail.trace_row_capacity);
  TH_GIVE(allocator, tracks->trace, tracks->tail.trace_capacity);
  TH_GIVE(allocator, tracks->trace_value, tracks->tail.trace_value_capacity);
  TH_GIVE(allocator, tracks->numbers, tracks->numbers_size);
  *tracks = (th_tracks){0};
}

th_track *th_tracks_of(const th_tracks *tracks, int64_t id) {
  uint32_t lo = 0, hi = tracks->track_count;
  while (lo < hi) {
    uint32_t mid = lo + (hi - lo) / 2;
    if (tracks->track[mid].id < id)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo < tracks->track_count && tracks->track[lo].id == id ? &tracks->track[lo] : NULL;
}

uint32_t th_tracks_find(const th_tracks *tracks, const th_track *track, uint32_t frame) {
  const uint32_t *at = tracks->frame + track->first;
  if (track->count == 0 || frame < at[0] || frame > at[track->count - 1]) return UINT32_MAX;
  uint32_t lo = 0, hi = track->count; /* last sample not after `frame` */
  while (hi - lo > 1) {
    uint32_t mid = lo + (hi - lo) / 2;
    if (at[mid] <= frame)
      lo = mid;
    else
      hi = mid;
  }
  return track->first + lo;
}

void th_tracks_derive(th_tracks *tracks) {
  for (uint32_t t = 0; t < tracks->track_count; t++) {
    const th_track *track = &tracks->track[t];
    float heading = 0.0f;
    for (uint32_t k = 0; k < track->count; k++) {
      uint32_t i = track->first + k, before = k ? i - 1 : i, after = k + 1 < track->count ? i + 1 : i;
      double dt = (double)(tracks->frame[after] - tracks->frame[before]) / tracks->fps;
      if (dt <= 0.0) dt = INFINITY; /* a single sample stands still */
      tracks->vx[i] = (float)(((double)tracks->x[after] - (double)tracks->x[before]) / dt);
      tracks->vy[i] = (float)(((double)tracks->y[after] - (double)tracks->y[before]) / dt);
      if (hypotf(tracks->vx[i], tracks->vy[i]) > 0.01f) heading = atan2f(tracks->vy[i], tracks->vx[i]);
      tracks->heading[i] = heading;
    }
  }
}

th_result th_tracks_add_plan(th_tracks *tracks, const char *wkt, uint32_t frame, th_error *error) {
  const th_allocator *allocator = &tracks->env.allocator;
  uint32_t need = tracks->plan_count + 1;
  if (!th_grow(allocator, (void **)&tracks->plan_frame, &tracks->tail.plan_frame_capacity, need,
               sizeof *tracks->plan_frame) ||
      !th_grow(allocator, (void **)&tracks->plan, &tracks->tail.plan_capacity, need, sizeof *tracks->plan))
    return th_fail_memory(error, "ground");
  th_result result = th_floor_plan_make(&(th_floor_plan_def){.env = tracks->env, .wkt = wkt},
                                        &tracks->plan[tracks->plan_count], error);
  if (result == TH_OK) tracks->plan_frame[tracks->plan_count++] = frame;
  return result;
}

th_result th_tracks_add_mark(th_tracks *tracks, const char *kind, const char *name, const char *wkt, th_error *error) {
  if (!th_grow(&tracks->env.allocator, (void **)&tracks->mark, &tracks->tail.mark_capacity, tracks->mark_count + 1,
               sizeof *tracks->mark))
    return th_fail_memory(error, "mark");
  th_mark *mark = &tracks->mark[tracks->mark_count];
  *mark = (th_mark){0};
  snprintf(mark->kind, sizeof mark->kind, "%s", kind);
  snprintf(mark->name, sizeof mark->name, "%s", name);
  th_result result = th_floor_plan_make(&(th_floor_plan_def){.env = tracks->env, .wkt = wkt}, &mark->plan, error);
  if (result == TH_OK) tracks->mark_count++;
  return result;
}

bool th_tracks_add_happening(th_tracks *tracks, const char *kind, int64_t id, double time, uint32_t goal) {
  if (!th_grow(&tracks->env.allocator, (void **)&tracks->happening, &tracks->tail.happening_capacity,
               tracks->happening_count + 1, sizeof *tracks->happening))
    return false;
  th_recorded_event *happening = &tracks->happening[tracks->happening_count++];
  *happening = (th_recorded_event){.id = id, .time = time, .goal = goal};
  snprintf(happening->kind, sizeof happening->kind, "%s", kind);
  return true;
}

/* ---------------------------------------------------------------- who is who */

th_track *th_tracks_add_track(th_tracks *tracks, int64_t id, uint32_t first) {
  if (!th_grow(&tracks->env.allocator, (void **)&tracks->track, &tracks->tail.track_capacity, tracks->track_count + 1,
               sizeof *tracks->track))
    return NULL;
  th_track *track = &tracks->track[tracks->track_count++];
  *track = (th_track){
      .id = id, .first = first, .radius = 0.2f, .population = UINT32_MAX, .model = UINT32_MAX, .goal = UINT32_MAX};
  return track;
}

typedef struct names {
  th_recorded_name **name;
  uint32_t *count, *capacity;
} names;

static bool add_name(const th_tracks *tracks, names list, int64_t id, const char *text) {
  if (!th_grow(&tracks->env.allocator, (void **)list.name, list.capacity, *list.count + 1, sizeof **list.name))
    return false;
  th_recorded_name *name = &(*list.name)[(*list.count)++];
  name->id = id;
  snprintf(name->text, sizeof name->text, "%s", text);
  th_make_printable(name->text);
  return true;
}

static bool name_index(const th_tracks *tracks, names list, const char *text, uint32_t *index) {
  size_t length = sizeof(*list.name)->text - 1; /* longer names are cut off */
  for (*index = 0; *index < *list.count; ++*index)
    if (strncmp((*list.name)[*index].text, text, length) == 0) return true;
  return add_name(tracks, list, (int64_t)*index + 1, text);
}

bool th_tracks_population(th_tracks *tracks, const char *name, uint32_t *index) {
  return name_index(tracks, (names){&tracks->population, &tracks->population_count, &tracks->tail.population_capacity},
                    name, index);
}

bool th_tracks_model(th_tracks *tracks, const char *name, uint32_t *index) {
  return name_index(tracks, (names){&tracks->model, &tracks->model_count, &tracks->tail.model_capacity}, name, index);
}

bool th_tracks_goal_named(th_tracks *tracks, const char *name, uint32_t *index) {
  return name_index(tracks, (names){&tracks->goal, &tracks->goal_count, &tracks->tail.goal_capacity}, name, index);
}

bool th_tracks_add_terrain(th_tracks *tracks, int64_t id, const char *name) {
  return add_name(tracks, (names){&tracks->terrain, &tracks->terrain_count, &tracks->tail.terrain_capacity}, id, name);
}

bool th_tracks_add_group(th_tracks *tracks, int64_t id, const char *name) {
  return add_name(tracks, (names){&tracks->group_name, &tracks->group_name_count, &tracks->tail.group_name_capacity},
                  id, name);
}

bool th_tracks_add_goal(th_tracks *tracks, int64_t id, const char *name) {
  return add_name(tracks, (names){&tracks->goal, &tracks->goal_count, &tracks->tail.goal_capacity}, id, name);
}

uint32_t th_tracks_goal(const th_tracks *tracks, int64_t id) {
  for (uint32_t k = 0; k < tracks->goal_count; k++)
    if (tracks->goal[k].id == id) return k;
  return UINT32_MAX;
}
