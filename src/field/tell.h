/* field/tell.h - writes the answers of a sampling kernel into a guide's query.
 *
 * A kernel has its answers in columns, one register each; a query stores them agent by agent. Four columns are
 * transposed in registers and stored as rows: one store per agent, where copying member by member took a third of the
 * sampling time.
 */
#ifndef TH_FIELD_TELL_H
#define TH_FIELD_TELL_H

#include <stddef.h>
#include <string.h>

#include "base/simd/rows.h"
#include "throng/query.h"

#define TH_ANSWER_WORDS 5
_Static_assert(sizeof(th_guide_answer) == TH_ANSWER_WORDS * sizeof(float), "answers are rows of five words");
_Static_assert(offsetof(th_guide_answer, dx) == 0 && offsetof(th_guide_answer, dy) == 4, "told as the first two");
_Static_assert(offsetof(th_guide_answer, left) == 8 && offsetof(th_guide_answer, state) == 12, "and the next two");

/* Answers of TH_LANES lanes from `first` on, except for lanes beyond those of the query. Fields never lower the speed:
 * the last member stays as preset. */
static inline void th_field_tell(const th_guide_query *query, uint32_t first, vf dx, vf dy, vf left, vi state) {
  const vf column[4] = {dx, dy, left, vi_as_float(state)};
  const uint32_t count = query->lanes - first;
  if (count >= TH_LANES) {
    vf_store_fours((float *)(query->want + first), TH_ANSWER_WORDS, column);
    return;
  }
  float row[TH_LANES * 4];
  vf_store_fours(row, 4, column);
  for (uint32_t i = 0; i < count; i++) memcpy(query->want + first + i, row + 4 * (size_t)i, 4 * sizeof *row);
}

#endif
