/* io/recording/convert.c - tracks back into a recording, frame by frame; used to convert CSV.
 *
 * The agents of one frame are collected into columns as a world would show them and written like any step. Ids of the
 * source become the indices of new ids, in the same order. Cost: O(frames x agents).
 */
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/recording/recording.h"

typedef struct columns {
  th_agent_id *id;
  float *value; /* seven columns of `room` */
  uint8_t *gait, *state;
  uint32_t *face;
  th_vec3 *space; /* mesh ground: points, velocities, headings, weights, `room` each */
  th_points points;
  uint32_t room, count;
} columns;

static void add_agent(columns *c, const th_tracks *tracks, uint32_t t, uint32_t i) {
  uint32_t k = c->count++, room = c->room;
  c->id[k] = (th_agent_id){t + 1, 1, 0};
  const float value[7] = {tracks->x[i],
                          tracks->y[i],
                          tracks->vx[i],
                          tracks->vy[i],
                          cosf(tracks->heading[i]),
                          sinf(tracks->heading[i]),
                          tracks->track[t].radius};
  for (uint32_t column = 0; column < 7; column++) c->value[column * room + k] = value[column];
  if (c->space) {
    c->face[k] = tracks->face[i];
    c->points.point[k] = (th_vec3){tracks->x[i], tracks->y[i], tracks->z[i]};
    c->points.velocity[k] = (th_vec3){tracks->vx[i], tracks->vy[i], tracks->vz[i]};
    c->points.heading[k] = tracks->head[i];
    c->points.weights[k] = tracks->weights[i];
  }
  c->gait[k] = tracks->gait[i];
  c->state[k] = tracks->state[i] == TH_AGENT_DELAYED ? TH_AGENT_WALKING : tracks->state[i]; /* unknown is 0 */
}

static th_agents as_agents(const columns *c) {
  const float *v = c->value;
  uint32_t room = c->room;
  return (th_agents){.count = c->count,
                     .id = c->id,
                     .cell = c->face,
                     .x = v,
                     .y = v + room,
                     .vx = v + 2 * room,
                     .vy = v + 3 * room,
                     .hx = v + 4 * room,
                     .hy = v + 5 * room,
                     .radius = v + 6 * room,
                     .gait = c->gait,
                     .state = c->state,
                     .space = c->space ? &c->points : NULL};
}

static th_result record_ground(th_recording *recording, const th_tracks *tracks, uint32_t plan, th_error *error) {
  char *wkt = NULL;
  th_result result = th_floor_plan_wkt(&tracks->plan[plan], &wkt, error);
  if (result == TH_OK) result = th_recording_ground(recording, wkt, error);
  th_text_free(&tracks->env, wkt);
  return result;
}

static th_result record_frames(th_recording *recording, const th_tracks *tracks, columns *c, th_error *error) {
  th_result result = TH_OK;
  for (uint32_t frame = tracks->frame_first, plan = 0, mesh = 0; result == TH_OK; frame++) {
    for (; mesh < tracks->mesh_count && tracks->mesh[mesh].frame <= frame && result == TH_OK; mesh++)
      result = th_recording_mesh(recording, &tracks->mesh[mesh].mesh, tracks->mesh[mesh].blocked, error);
    for (; plan < tracks->plan_count && tracks->plan_frame[plan] <= frame && result == TH_OK; plan++)
      result = record_ground(recording, tracks, plan, error);
    c->count = 0;
    for (uint32_t t = 0; t < tracks->track_count; t++) {
      uint32_t i = th_tracks_find(tracks, &tracks->track[t], frame);
      if (i != UINT32_MAX && tracks->frame[i] == frame) add_agent(c, tracks, t, i);
    }
    th_agents agents = as_agents(c);
    if (result == TH_OK) result = th_recording_write(recording, frame, &agents, error);
    if (frame >= tracks->frame_last) break;
  }
  return result;
}

static th_result record_all(const th_tracks *tracks, const char *path, columns *c, th_error *error) {
  th_recording_def def = th_default_recording_def();
  char *wkt = NULL;
  th_floor_plan nothing = {.env = tracks->env};
  th_result result = th_floor_plan_wkt(tracks->plan_count ? &tracks->plan[0] : &nothing, &wkt, error);
  if (result != TH_OK) return result;
  def.env = tracks->env;
  def.dt = 1.0 / tracks->fps;
  def.seed = tracks->seed;
  def.name = tracks->name[0] ? tracks->name : NULL;
  def.wkt = wkt;
  def.mesh = tracks->z != NULL;
  th_recording *recording = NULL;
  result = th_recording_create(path, &def, &recording, error);
  th_text_free(&tracks->env, wkt);
  if (result != TH_OK) return result;
  for (uint32_t k = 0; k < tracks->spot_count && result == TH_OK; k++)
    result = th_recording_spot(recording, &tracks->spot[k], error);
  if (result == TH_OK) result = record_frames(recording, tracks, c, error);
  th_result closed = th_recording_close(recording, result == TH_OK ? error : NULL);
  return result == TH_OK ? closed : result;
}

th_result th_tracks_record(const th_tracks *tracks, const char *path, th_error *error) {
  th_env env = th_env_complete(&tracks->env);
  const th_allocator *allocator = &env.allocator;
  size_t room = tracks->track_count;
  columns c = {.room = tracks->track_count,
               .id = TH_TAKE(allocator, th_agent_id, room),
               .value = TH_TAKE(allocator, float, 7 * room),
               .gait = TH_TAKE(allocator, uint8_t, room),
               .state = TH_TAKE(allocator, uint8_t, room)};
  bool good = c.id && c.value && c.gait && c.state;
  if (good && tracks->z) {
    c.face = TH_TAKE(allocator, uint32_t, room);
    c.space = TH_TAKE(allocator, th_vec3, 4 * room);
    good = c.face && c.space;
    if (good)
      c.points = (th_points){
          .point = c.space, .velocity = c.space + room, .heading = c.space + 2 * room, .weights = c.space + 3 * room};
  }
  th_result result = good ? record_all(tracks, path, &c, error) : th_fail_memory(error, path);
  TH_GIVE(allocator, c.face, room);
  TH_GIVE(allocator, c.space, 4 * room);
  TH_GIVE(allocator, c.id, room);
  TH_GIVE(allocator, c.value, 7 * room);
  TH_GIVE(allocator, c.gait, room);
  TH_GIVE(allocator, c.state, room);
  return result;
}
