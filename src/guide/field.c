/* guide/field.c - climbs the field of the agent's goal.
 *
 * One field serves all agents with its goal, radius class and eps level; v bends each agent's own direction by
 * what it adds to grad log u. Cost: about 10 ns an agent, 16 at a time; three times that with a v.
 */
#include <string.h>

#include "field/sample.h"
#include "throng/guide.h"

static void answer(const th_guide_query *query) {
  const th_field *field = query->field;
  th_field_query ask;
  if (!field) return; /* not there yet: wait */
  memcpy(ask.x, query->x, sizeof ask.x);
  memcpy(ask.y, query->y, sizeof ask.y);
  if (field->mesh) {
    memset(ask.cell, 0, sizeof ask.cell);
    memcpy(ask.cell, query->cell, query->lanes * sizeof *ask.cell);
  }
  memset(ask.ox, 0, sizeof ask.ox);
  memset(ask.oy, 0, sizeof ask.oy);
  for (uint32_t lane = 0; lane < query->lanes; lane++) {
    if (query->eps[lane] == 0.0f) continue;
    th_vec2 offset = th_field_offset(field, query->v[lane], query->sense);
    ask.ox[lane] = offset.x;
    ask.oy[lane] = offset.y;
  }
  th_field_answer(field, &ask, (th_simd)query->simd);
  for (uint32_t lane = 0; lane < query->lanes; lane++)
    query->want[lane] = (th_guide_answer){ask.dx[lane], ask.dy[lane], ask.left[lane], (uint8_t)ask.state[lane], {0}};
}

_Static_assert((int)TH_ASK_LEAD == (int)TH_ANSWER_LEAD && (int)TH_ASK_ARRIVED == (int)TH_ANSWER_ARRIVED &&
                   (int)TH_ASK_LOST == (int)TH_ANSWER_LOST,
               "a field's answer is a want");

const th_guide th_guide_field = {
    .name = "field",
    .summary = "climbs the field of the agent's goal",
    .needs_field = true,
    .ask = answer,
};
