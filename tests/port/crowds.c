/* tests/port/crowds.c - the crowds of the golden file on a platform that has the core alone, with one worker and with
 * two.
 *
 *   crowds [early [TEXT]]   in the root of the tree; prints each line that differs, ends with 1 when one does; with
 * `early` only their first steps, and only of those with this text in their names
 */
#include <stdio.h>

#include "support/golden.h"
#include "support/golden_crowds.h"

static bool play(const golden_line *line, uint32_t workers, bool brief) {
  th_workload_world crowd;
  uint64_t early = 0;
  if (!golden_crowd_make(&crowd, line->name, TH_SIMD_AUTO, workers)) {
    printf("%s cannot be made\n", line->name);
    return false;
  }
  for (uint32_t step = 1; step <= (brief ? GOLDEN_EARLY : line->steps); step++) {
    th_world_step(crowd.world);
    if (step == GOLDEN_EARLY) early = golden_hash(crowd.world);
  }
  const uint64_t last = golden_hash(crowd.world);
  th_workload_world_free(&crowd);
  if (early == line->early && (brief || last == line->hash)) return true;
  printf("%s with %u workers: expected %016" PRIx64 " and %016" PRIx64 ", found %016" PRIx64 " and %016" PRIx64 "\n",
         line->name, workers, line->early, line->hash, early, last);
  return false;
}

static bool is_wanted(const char *name, const char *text) { return golden_is_crowd(name) && strstr(name, text); }

int main(int count, char **words) {
  const bool brief = count > 1 && !strcmp(words[1], "early");
  const char *wanted = count > 2 ? words[2] : "crowd/";
  static golden_lines golden;
  uint32_t same = 0, runs = 0;
  const uint32_t wrong = golden_read(&golden);
  if (wrong) return printf("%s:%u: expected NAME STEPS HASH EARLY\n", GOLDEN_FILE, wrong), 2;
  for (uint32_t i = 0; i < golden.count; i++)
    for (uint32_t workers = 1; workers <= 2 && is_wanted(golden.line[i].name, wanted); workers++)
      runs++, same += play(&golden.line[i], workers, brief);
  printf("%u of %u runs of crowds have the hashes of %s\n", same, runs, GOLDEN_FILE);
  return same == runs && runs > 0 ? 0 : 1;
}
