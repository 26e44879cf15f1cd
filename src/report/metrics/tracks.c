/* report/metrics/tracks.c - metrics of a recording, frame by frame.
 *
 * Each frame is put into columns as a world would show it and handed to th_metrics_step; recorded events go with the
 * frame that ends their step. Files of other programs have no events: there an agent counts as arrived when its rows
 * end before the recording does. Walls are the rings of the recorded ground. Cost: O(samples + frames x agents).
 */
#include "io/recording/tracks.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "report/metrics/metrics.h"
#include "throng/ground.h"
#include "world/events.h"

typedef struct replay {
  const th_tracks *tracks;
  th_metrics *metrics;
  const th_allocator *allocator;
  th_agent_id *id;
  float *value; /* eight columns of `capacity` */
  uint8_t *state;
  th_event *event;
  th_segment *wall;
  uint32_t *face;
  th_vec3 *space; /* mesh ground: four columns of `capacity` */
  float *clearance;
  th_points points;
  th_ground *ground;                                           /* of the mesh that holds now */
  uint32_t capacity, event_capacity, wall_capacity, happening; /* next recorded event */
} replay;

static bool set_walls(replay *r, const th_floor_plan *plan, th_error *error) {
  uint32_t count = 0;
  if (!th_grow(r->allocator, (void **)&r->wall, &r->wall_capacity, plan->point_count, sizeof *r->wall)) return false;
  for (uint32_t k = 0; k < plan->ring_count; k++) {
    const th_ring *ring = &plan->ring[k];
    for (uint32_t i = 0; i < ring->count; i++) {
      th_vec2 a = plan->point[ring->first + i], b = plan->point[ring->first + (i + 1) % ring->count];
      r->wall[count++] = (th_segment){a.x, a.y, b.x, b.y};
    }
  }
  return th_metrics_walls(r->metrics, r->wall, count, error) == TH_OK;
}

/* The mesh of a recording as ground again, for normals and the distance to the walls. */
static th_result set_mesh(replay *r, const th_tracks_mesh *from, th_error *error) {
  const th_mesh *mesh = &from->mesh;
  th_mesh_ground_def def = th_default_mesh_ground_def();
  uint32_t *face = TH_TAKE(r->allocator, uint32_t, mesh->face_count), count = 0;
  if (!face) return th_fail_memory(error, "metrics");
  for (uint32_t f = 0; f < mesh->face_count; f++)
    if (from->blocked[f]) face[count++] = f;
  th_region blocked = {.kind = TH_REGION_FACES, .face = face, .face_count = count};
  def.env = (th_env){.allocator = *r->allocator};
  def.mesh = mesh;
  def.blocked = &blocked;
  def.blocked_count = count ? 1 : 0;
  th_ground *ground = NULL;
  th_result result = th_ground_make_mesh(&def, &ground, error);
  TH_GIVE(r->allocator, face, mesh->face_count);
  if (result != TH_OK) return result;
  th_ground_release(r->ground);
  r->ground = ground;
  return TH_OK;
}

static void lift(replay *r, uint32_t n, uint32_t i) {
  const th_tracks *tracks = r->tracks;
  th_place place = th_ground_place_of(r->ground, tracks->face[i], tracks->weights[i]);
  r->face[n] = tracks->face[i];
  r->points.point[n] = (th_vec3){tracks->x[i], tracks->y[i], tracks->z[i]};
  r->points.velocity[n] = (th_vec3){tracks->vx[i], tracks->vy[i], tracks->vz[i]};
  r->points.heading[n] = tracks->head[i];
  r->points.normal[n] = th_ground_normal(r->ground, place);
  r->points.clearance[n] = th_ground_clearance_at(r->ground, place);
}

static bool take_space(replay *r) {
  size_t capacity = r->capacity;
  if (r->tracks->mesh_count == 0) return true;
  r->face = TH_TAKE(r->allocator, uint32_t, capacity);
  r->space = TH_TAKE(r->allocator, th_vec3, 4 * capacity);
  r->clearance = TH_TAKE(r->allocator, float, capacity);
  if (!r->face || !r->space || !r->clearance) return false;
  r->points = (th_points){.point = r->space,
                          .velocity = r->space + capacity,
                          .heading = r->space + 2 * capacity,
                          .normal = r->space + 3 * capacity,
                          .clearance = r->clearance};
  return true;
}

static th_agents frame_agents(replay *r, uint32_t frame) {
  const th_tracks *tracks = r->tracks;
  uint32_t n = 0, capacity = r->capacity;
  float *v = r->value;
  for (uint32_t t = 0; t < tracks->track_count; t++) {
    uint32_t i = th_tracks_find(tracks, &tracks->track[t], frame);
    if (i == UINT32_MAX || tracks->frame[i] != frame) continue;
    r->id[n] = (th_agent_id){t + 1, 1, 0};
    v[n] = tracks->x[i], v[capacity + n] = tracks->y[i];
    v[2 * capacity + n] = tracks->vx[i], v[3 * capacity + n] = tracks->vy[i];
    v[4 * capacity + n] = cosf(tracks->heading[i]), v[5 * capacity + n] = sinf(tracks->heading[i]);
    v[6 * capacity + n] = tracks->track[t].radius;
    v[7 * capacity + n] = tracks->track[t].radius * (1.0f - (tracks->narrowed ? tracks->narrowed[i] : 0.0f));
    if (r->ground) lift(r, n, i);
    r->state[n++] = tracks->state[i] == TH_AGENT_DELAYED ? TH_AGENT_WALKING : tracks->state[i]; /* 0: unknown */
  }
  return (th_agents){.count = n,
                     .id = r->id,
                     .cell = r->face,
                     .x = v,
                     .y = v + capacity,
                     .vx = v + 2 * capacity,
                     .vy = v + 3 * capacity,
                     .hx = v + 4 * capacity,
                     .hy = v + 5 * capacity,
                     .radius = v + 6 * capacity,
                     .body = v + 7 * capacity,
                     .state = r->state,
                     .space = r->ground ? &r->points : NULL};
}

static bool add_event(replay *r, uint32_t *count, th_event_kind kind, uint32_t track) {
  if (!th_grow(r->allocator, (void **)&r->event, &r->event_capacity, *count + 1, sizeof *r->event)) return false;
  r->event[(*count)++] = (th_event){.kind = kind, .agent = {.index = track + 1, .generation = 1}};
  return true;
}

/* Events of the steps before a frame (an event has the time at which its step began); in a file without events, agents
 * whose rows end have arrived. */
static bool frame_events(replay *r, uint32_t frame, uint32_t *count) {
  const th_tracks *tracks = r->tracks;
  for (; r->happening < tracks->happening_count; r->happening++) {
    const th_recorded_event *h = &tracks->happening[r->happening];
    th_event_kind kind;
    if (h->time * tracks->fps > (double)frame - 1e-6) break;
    const th_track *track = th_tracks_of(tracks, h->id);
    if (track && th_event_of_word(h->kind, &kind) && !add_event(r, count, kind, (uint32_t)(track - tracks->track)))
      return false;
  }
  if (tracks->happening_count > 0) return true;
  for (uint32_t t = 0; t < tracks->track_count; t++) {
    const th_track *track = &tracks->track[t];
    if (track->count == 0 || tracks->frame[track->first + track->count - 1] + 1 != frame) continue;
    if (!add_event(r, count, TH_EVENT_ARRIVED, t) || !add_event(r, count, TH_EVENT_REMOVED, t)) return false;
  }
  return true;
}

static th_result watch(replay *r, th_error *error) {
  const th_tracks *tracks = r->tracks;
  uint32_t plan = tracks->mesh_count ? tracks->plan_count : 0, mesh = 0; /* a mesh's plan is only its bounds */
  for (uint32_t frame = tracks->frame_first; tracks->sample_count; frame++) {
    for (; plan < tracks->plan_count && tracks->plan_frame[plan] <= frame; plan++)
      if (!set_walls(r, &tracks->plan[plan], error)) return th_fail_memory(error, "metrics");
    for (; mesh < tracks->mesh_count && (mesh == 0 || tracks->mesh[mesh].frame <= frame); mesh++) {
      th_result made = set_mesh(r, &tracks->mesh[mesh], error);
      if (made != TH_OK) return made;
    }
    th_agents agents = frame_agents(r, frame);
    uint32_t events = 0;
    if (!frame_events(r, frame, &events)) return th_fail_memory(error, "metrics");
    th_result result = th_metrics_step(r->metrics, frame, &agents, r->event, events, error);
    bool more = frame == tracks->frame_last && r->happening < tracks->happening_count; /* when the last agents left */
    if (result != TH_OK || (frame >= tracks->frame_last && !more)) return result;
  }
  return TH_OK;
}

th_result th_metrics_of_tracks(const th_metrics_def *def, const th_tracks *tracks, th_metrics **metrics,
                               th_error *error) {
  th_metrics_def own = *def;
  own.dt = 1.0 / tracks->fps;
  th_env env = th_env_complete(&def->env);
  const th_allocator *allocator = &env.allocator;
  replay r = {.tracks = tracks, .allocator = allocator, .capacity = tracks->track_count};
  th_result result = th_metrics_make(&own, &r.metrics, error);
  if (result != TH_OK) return result;
  size_t capacity = r.capacity;
  r.id = TH_TAKE(allocator, th_agent_id, capacity);
  r.value = TH_TAKE(allocator, float, 8 * capacity);
  r.state = TH_TAKE(allocator, uint8_t, capacity);
  result = r.id && r.value && r.state && take_space(&r) ? watch(&r, error) : th_fail_memory(error, "metrics");
  th_ground_release(r.ground);
  TH_GIVE(allocator, r.face, capacity);
  TH_GIVE(allocator, r.space, 4 * capacity);
  TH_GIVE(allocator, r.clearance, capacity);
  TH_GIVE(allocator, r.id, capacity);
  TH_GIVE(allocator, r.value, 8 * capacity);
  TH_GIVE(allocator, r.state, capacity);
  TH_GIVE(allocator, r.event, r.event_capacity);
  TH_GIVE(allocator, r.wall, r.wall_capacity);
  if (result != TH_OK)
    th_metrics_free(r.metrics);
  else
    *metrics = r.metrics;
  return result;
}
