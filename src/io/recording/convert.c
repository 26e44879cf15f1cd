/* io/recording/convert.c - tracks back into a recording, frame by frame; used to convert CSV.
 *
 * The agents of one frame are collected into columns as a world would show them and written like any step. A track is
 * the agent whose index is its position; it gets the number that it had, so that a file comes back with the same ids.
 * Angles are handed over as they are: from cosine and sine they would come back with another last bit. Cost: O(frames x
 * agents).
 */

#include "base/error.h"
#include "base/memory.h"
#include "io/recording/recording.h"

enum { COLUMNS = 7 };

typedef struct columns {
  th_agent_id *id;
  float *value; /* seven columns of `capacity` */
  uint8_t *gait, *state;
  uint32_t *face;
  th_vec3 *space; /* mesh ground: points, velocities, headings, weights, `capacity` each */
  th_points points;
  uint32_t capacity, count;
} columns;

static void add_agent(columns *c, const th_tracks *tracks, uint32_t t, uint32_t i) {
  uint32_t k = c->count++, capacity = c->capacity;
  c->id[k] = (th_agent_id){t + 1, 1, 0};
  const float radius = tracks->track[t].radius;
  const float value[COLUMNS] = {tracks->x[i],       tracks->y[i], tracks->vx[i],      tracks->vy[i],
                                tracks->heading[i], radius,       tracks->narrowed[i]};
  for (uint32_t column = 0; column < COLUMNS; column++) c->value[column * capacity + k] = value[column];
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
  uint32_t capacity = c->capacity;
  return (th_agents){.count = c->count,
                     .id = c->id,
                     .cell = c->face,
                     .x = v,
                     .y = v + capacity,
                     .vx = v + 2 * capacity,
                     .vy = v + 3 * capacity,
                     .radius = v + 5 * capacity,
                     .gait = c->gait,
                     .state = c->state,
                     .space = c->space ? &c->points : NULL};
}

static th_result record_ground(th_recording *recording, const th_tracks *tracks, uint32_t plan, th_error *error) {
  char *wkt = NULL;
  th_result result = th_floor_plan_wkt(&tracks->plan[plan], &wkt, error);
  if (result == TH_OK) result = th_recording_ground(recording, wkt, error);
  th_text_free(wkt);
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
    recording->heading = c->value + 4 * (size_t)c->capacity;
    recording->narrowed = c->value + 6 * (size_t)c->capacity;
    if (result == TH_OK) result = th_recording_write(recording, (uint64_t)frame * recording->every, &agents, error);
    if (frame >= tracks->frame_last) break;
  }
  return result;
}

/* Numbers stay when they are such as a recording gives. */
static bool keep_number(th_numbers *numbers, const th_allocator *allocator, uint32_t index, int64_t number) {
  th_numbered *owner = th_numbers_owner(numbers, allocator, index, 1);
  if (owner) owner->number = number;
  return owner != NULL;
}

static th_result record_names(th_recording *recording, const th_tracks *tracks, th_error *error) {
  const th_allocator *allocator = &recording->env.allocator;
  bool keep = tracks->track_count && tracks->track[0].id > 0; /* in order of their ids */
  th_result result = TH_OK;
  for (uint32_t k = 0; k < tracks->goal_count && result == TH_OK; k++)
    result = keep_number(&recording->goals, allocator, k + 1, tracks->goal[k].id)
                 ? th_recording_goal(recording, (th_goal_id){k + 1, 1, 0}, tracks->goal[k].text, error)
                 : th_fail_memory(error, recording->path);
  for (uint32_t t = 0; t < tracks->track_count && result == TH_OK; t++) {
    const th_track *track = &tracks->track[t];
    th_recording_agent_def about = {.radius = track->radius};
    if (track->population < tracks->population_count) about.population = tracks->population[track->population].text;
    if (track->model < tracks->model_count) about.model = tracks->model[track->model].text;
    if (track->goal < tracks->goal_count) about.goal = (th_goal_id){track->goal + 1, 1, 0};
    if (keep && !keep_number(&recording->agents, allocator, t + 1, track->id))
      result = th_fail_memory(error, recording->path);
    else
      result = th_recording_agent(recording, (th_agent_id){t + 1, 1, 0}, &about, error);
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
  def.dt = tracks->dt > 0.0 ? tracks->dt : 1.0 / tracks->fps;
  def.every = tracks->every ? tracks->every : 1;
  def.seed = tracks->seed;
  def.name = tracks->name[0] ? tracks->name : NULL;
  def.wkt = wkt;
  def.mesh = tracks->z != NULL;
  th_recording *recording = NULL;
  result = th_recording_open(path, &def, tracks->fps, &recording, error);
  th_text_free(wkt);
  if (result != TH_OK) return result;
  result = record_names(recording, tracks, error);
  for (uint32_t k = 0; k < tracks->spot_count && result == TH_OK; k++)
    result = th_recording_mesh_mark(recording, &tracks->spot[k], error);
  for (uint32_t k = 0; k < tracks->terrain_count && result == TH_OK; k++) {
    th_recorded_name terrain = tracks->terrain[k];
    terrain.id = k;
    result = th_recording_terrain(recording, &terrain, tracks->terrain_of, tracks->mesh[0].mesh.face_count, error);
  }
  if (result == TH_OK) result = record_frames(recording, tracks, c, error);
  th_result closed = th_recording_close(recording, result == TH_OK ? error : NULL);
  return result == TH_OK ? closed : result;
}

th_result th_tracks_record(const th_tracks *tracks, const char *path, th_error *error) {
  th_env env = th_env_complete(&tracks->env);
  const th_allocator *allocator = &env.allocator;
  size_t capacity = tracks->track_count;
  columns c = {.capacity = tracks->track_count,
               .id = TH_TAKE(allocator, th_agent_id, capacity),
               .value = TH_TAKE(allocator, float, COLUMNS *capacity),
               .gait = TH_TAKE(allocator, uint8_t, capacity),
               .state = TH_TAKE(allocator, uint8_t, capacity)};
  bool good = c.id && c.value && c.gait && c.state;
  if (good && tracks->z) {
    c.face = TH_TAKE(allocator, uint32_t, capacity);
    c.space = TH_TAKE(allocator, th_vec3, 4 * capacity);
    good = c.face && c.space;
    if (good)
      c.points = (th_points){.point = c.space,
                             .velocity = c.space + capacity,
                             .heading = c.space + 2 * capacity,
                             .weights = c.space + 3 * capacity};
  }
  th_result result = good ? record_all(tracks, path, &c, error) : th_fail_memory(error, path);
  TH_GIVE(allocator, c.face, capacity);
  TH_GIVE(allocator, c.space, 4 * capacity);
  TH_GIVE(allocator, c.id, capacity);
  TH_GIVE(allocator, c.value, COLUMNS * capacity);
  TH_GIVE(allocator, c.gait, capacity);
  TH_GIVE(allocator, c.state, capacity);
  return result;
}
