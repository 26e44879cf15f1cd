/* guide/guide_field.c - climbs the field of the agent's goal.
 *
 * One field serves all agents with its goal, radius class and eps level; v bends each agent's own direction by one
 * vector added to grad log u. Cost: about 10 ns an agent, 16 at a time.
 */
#include "field/sample.h"
#include "throng/guide.h"

static void answer(const th_question *question) {
  const th_field *field = question->field[0];
  th_ask ask;
  if (!field) return; /* not there yet: wait */
  for (uint32_t lane = 0; lane < TH_ASK_PLACES; lane++) {
    uint32_t from = lane < question->lanes ? lane : 0;
    th_vec2 offset = {0.0f, 0.0f};
    if (question->eps[from] != 0.0f) offset = th_field_offset(field, question->v[from], question->sense);
    ask.x[lane] = question->place[from].x;
    ask.y[lane] = question->place[from].y;
    ask.ox[lane] = offset.x;
    ask.oy[lane] = offset.y;
  }
  th_field_ask(field, &ask, (th_simd)question->simd);
  for (uint32_t lane = 0; lane < question->lanes; lane++)
    question->want[lane] = (th_want){ask.dx[lane], ask.dy[lane], ask.left[lane], (uint8_t)ask.state[lane], {0}};
}

_Static_assert((int)TH_ASK_LEAD == (int)TH_WANT_LEAD && (int)TH_ASK_ARRIVED == (int)TH_WANT_ARRIVED &&
                   (int)TH_ASK_LOST == (int)TH_WANT_LOST,
               "a field's answer is a want");

const th_guide th_guide_field = {
    .name = "field",
    .summary = "climbs the field of the agent's goal",
    .needs_field = true,
    .ask = answer,
};
