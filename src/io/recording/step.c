/* io/recording/step.c - a whole step of a world in one call.
 *
 * Without this call a host that records would have to follow the versions of the ground, turn walls into WKT, name the
 * terrains and keep memory for points in space. Cost in addition to the calls it makes: one comparison of versions per
 * step.
 */
#include "base/error.h"
#include "io/recording/recording.h"
#include "throng/ground.h"

static th_result follow_ground(th_recording *recording, const th_ground *ground, th_error *error) {
  if (th_ground_version(ground) == recording->ground_version) return TH_OK;
  const th_mesh *mesh = th_ground_mesh(ground);
  char *wkt = NULL;
  th_result result = th_ground_wkt(ground, &wkt, error);
  if (result == TH_OK) result = th_recording_ground(recording, wkt, error);
  if (result == TH_OK && mesh) result = th_recording_mesh(recording, mesh, th_ground_blocked_faces(ground), error);
  if (result == TH_OK && mesh && !recording->terrains) result = th_recording_terrains(recording, ground, error);
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
  if (result == TH_OK) result = th_recording_members(recording, world, error);
  return result == TH_OK ? th_recording_traces(recording, world, error) : result;
}

static th_result record_step(th_recording *recording, const th_world *world, th_error *error) {
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

/* One transaction has it all: a frame whose events are not there would be wrong after a crash. */
th_result th_recording_step(th_recording *recording, const th_world *world, th_error *error) {
  th_record_begin_step(recording);
  th_result result = record_step(recording, world, error);
  th_record_end_step(recording);
  return result;
}
