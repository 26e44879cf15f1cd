/* io/scene/run/keep.c - the snapshots that a run keeps, so that it can go back.
 *
 * One is taken at the beginning of a step, before its events, every 16 steps. When they take more than the budget, the
 * one goes that is missed least: whose neighbours lie closest together for their age. So recent ones stay dense and old
 * ones become sparse, with about as many for each doubling of the age, and the first stays.
 * Cost: a copy of the rows every 16 steps.
 */
#include <string.h>

#include "base/memory.h"
#include "io/scene/run.h"

enum { EVERY = 16 }; /* steps */

static void drop(th_run *run, uint32_t k) {
  th_run_kept *kept = &run->kept[k];
  run->kept_bytes -= kept->size;
  TH_GIVE(&run->env.allocator, kept->bytes, kept->size);
  memmove(kept, kept + 1, sizeof *kept * (run->kept_count - k - 1));
  run->kept_count--;
}

void th_run_keep_cut(th_run *run) {
  while (run->kept_count && run->kept[run->kept_count - 1].step > th_world_step_count(run->world))
    drop(run, run->kept_count - 1);
}

void th_run_keep_free(th_run *run) {
  while (run->kept_count) drop(run, run->kept_count - 1);
  TH_GIVE(&run->env.allocator, run->kept, run->kept_capacity);
  run->kept = NULL;
  run->kept_capacity = 0;
}

/* The least missed for a new one at `step`; 0: none but the first is left. */
static uint32_t least_missed(const th_run *run, uint64_t step) {
  uint32_t best = 0;
  double least = 0.0;
  for (uint32_t k = 1; k < run->kept_count; k++) {
    const uint64_t next = k + 1 < run->kept_count ? run->kept[k + 1].step : step;
    const double gap = (double)(next - run->kept[k - 1].step) / (double)(step - run->kept[k].step + EVERY);
    if (best && gap >= least) continue;
    least = gap;
    best = k;
  }
  return best;
}

static bool make_room(th_run *run, size_t size, uint64_t step) {
  while (run->kept_count && run->kept_bytes + size > run->history) {
    const uint32_t k = least_missed(run, step);
    if (!k) return false;
    drop(run, k);
  }
  return size <= run->history;
}

static bool is_due(th_run *run, uint64_t step) {
  if (!run->history || run->looked_at == step + 1) return false;
  run->looked_at = step + 1;
  return !run->kept_count || step >= run->kept[run->kept_count - 1].step + EVERY;
}

/* Without memory there is one less to go back to. */
void th_run_keep(th_run *run) {
  const uint64_t step = th_world_step_count(run->world);
  if (!is_due(run, step)) return;
  const size_t size = th_run_snapshot(run, NULL, 0);
  void *memory = run->kept;
  bool room = make_room(run, size, step) &&
              th_grow(&run->env.allocator, &memory, &run->kept_capacity, run->kept_count + 1, sizeof *run->kept);
  run->kept = memory;
  uint8_t *bytes = room ? TH_TAKE(&run->env.allocator, uint8_t, size) : NULL;
  if (!bytes) return;
  th_run_snapshot(run, bytes, size);
  run->kept[run->kept_count++] = (th_run_kept){step, bytes, size};
  run->kept_bytes += size;
}

static bool has_done(const th_run *run, uint64_t step) {
  return run->log_done && run->log[run->log_done - 1].step == step;
}

static th_result go_back(th_run *run, uint64_t step, th_error *error) {
  uint32_t k = run->kept_count;
  while (k > 0 && run->kept[k - 1].step > step) k--;
  if (!k)
    return th_fail(error, TH_ERROR_STATE, "th_run_go_to",
                   "expected a step that a kept snapshot reaches (th_run_def.history), found %llu",
                   (unsigned long long)step);
  return th_run_restore(run, run->kept[k - 1].bytes, run->kept[k - 1].size, error);
}

th_result th_run_go_to(th_run *run, uint64_t step, th_error *error) {
  const uint64_t now = th_world_step_count(run->world);
  th_result result = TH_OK;
  if (step < now || (step == now && (has_done(run, now) || run->accepted))) result = go_back(run, step, error);
  while (!result && th_world_step_count(run->world) < step) result = th_run_step(run, error);
  return result;
}
