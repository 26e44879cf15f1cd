/* tests/port/crowds.c - the crowds of the golden file on a platform that has the core alone, with one worker and with
 * two.
 *
 *   crowds        in the root of the tree; prints each line that differs, ends with 1 when one does
 */
#include <stdio.h>

#include "support/golden.h"
#include "support/golden_crowds.h"

static bool play(const golden_line *line, uint32_t workers) {
  th_workload_world crowd;
  uint64_t early = 0;
  if (!golden_crowd_make(&crowd, line->name, TH_SIMD_AUTO, workers)) {
    printf("%s cannot be made\n", line->name);
    return false;
  }
  for (uint32_t step = 1; step <= line->steps; step++) {
    th_world_step(crowd.world);
    if (step == GOLDEN_EARLY) early = golden_hash(crowd.world);
  }
  const uint64_t last = golden_hash(crowd.world);
  th_workload_world_free(&crowd);
  if (early == line->early && last == line->hash) return true;
  printf("%s with %u workers: expected %016" PRIx64 " and %016" PRIx64 ", found %016" PRIx64 " and %016" PRIx64 "\n",
         line->name, workers, line->early, line->hash, early, last);
  return false;
}

int main(void) {
  static golden_lines golden;
  uint32_t same = 0, runs = 0;
  const uint32_t wrong = golden_read(&golden);
  if (wrong) return printf("%s:%u: expected NAME STEPS HASH EARLY\n", GOLDEN_FILE, wrong), 2;
  for (uint32_t i = 0; i < golden.count; i++)
    for (uint32_t workers = 1; workers <= 2 && golden_is_crowd(golden.line[i].name); workers++)
      runs++, same += play(&golden.line[i], workers);
  printf("%u of %u runs of crowds have the hashes of %s\n", same, runs, GOLDEN_FILE);
  return same == runs && runs > 0 ? 0 : 1;
}
