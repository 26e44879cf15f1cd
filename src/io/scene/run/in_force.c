/* io/scene/run/in_force.c - what timing decided in a run in real time.
 *
 * The world keeps the steps in which its fields and edits came into force. An episode holds them, a run of it follows
 * them, and so it is the same run although no field takes the same time again. They are those of the log: what is still
 * to come after going back is followed until something else is done.
 */
#include "base/error.h"
#include "base/memory.h"
#include "io/scene/run.h"

th_result th_run_in_force_follow(th_run *run, th_error *error) {
  const th_scene *scene = run->scene;
  const uint32_t count = scene->in_force_count;
  if (!count) return TH_OK;
  th_in_force *list = TH_TAKE(&run->env.allocator, th_in_force, count);
  if (!list) return th_fail_memory(error, scene->path);
  for (uint32_t i = 0; i < count; i++) list[i] = (th_in_force){scene->in_force[i].step, scene->in_force[i].count};
  th_error found = {0};
  const th_result result = th_world_follow_in_force(run->world, list, count, &found);
  TH_GIVE(&run->env.allocator, list, count);
  return result == TH_OK ? TH_OK : th_scene_fail(scene, error, result, "/in_force", "%s", found.text);
}

/* Those before this step. */
static uint32_t past(const th_run *run, const th_in_force *list, uint32_t count) {
  while (count && list[count - 1].step >= th_world_step_count(run->world)) count--;
  return count;
}

void th_run_in_force_cut(th_run *run) {
  uint32_t count;
  const th_in_force *list = th_world_in_force(run->world, &count);
  const uint32_t rest = past(run, list, count);
  if (rest < count) (void)th_world_follow_in_force(run->world, list, rest, NULL); /* fewer: its memory is there */
}

/* What has not come yet comes after the last step that the run has made: an entry of none says so. */
th_scene_in_force *th_run_in_force_list(const th_run *run, uint32_t *count) {
  const uint64_t step = th_world_step_count(run->world);
  const th_in_force *list = th_world_in_force(run->world, count);
  *count = past(run, list, *count);
  const bool ends = run->scene->world.realtime && step && (!*count || list[*count - 1].step + 1 < step);
  th_scene_in_force *out = TH_TAKE(&run->env.allocator, th_scene_in_force, *count + ends + 1);
  if (!out) return NULL;
  for (uint32_t i = 0; i < *count; i++) out[i] = (th_scene_in_force){(uint32_t)list[i].step, list[i].count};
  if (ends) out[(*count)++] = (th_scene_in_force){(uint32_t)step - 1, 0};
  return out;
}
