/* world/step/one_by_one.c - the reference order of the theses: one agent after the other decides and moves.
 *
 * Agents take turns in the order of their ids (Dapper 2007, section 5.2: "for each agent: next step, check goal"). Each
 * sees the agents before it at their new places and those after it at their old ones, so the result depends on ids, and
 * no two can decide at the same time: this is a reference to compare with, not meant for running a crowd. Guides are
 * asked once, at the start of the step: an answer depends on the agent's own place only. Cost: agents x agents per
 * step.
 */
#include <math.h>

#include "world/step/step.h"

/* Answers are kept by slot, and slots change with every turn; between turns they are stored by row. */
static void keep_answers(th_world *world) {
  for (uint32_t slot = 0; slot < world->order.count; slot++)
    world->answer_of[world->order.row[slot]] = world->want[slot];
}

/* Puts the answers into the current slots. Returns the slot of a row. */
static uint32_t sort_answers(th_world *world, uint32_t row) {
  uint32_t own = 0;
  for (uint32_t slot = 0; slot < world->order.count; slot++) {
    uint32_t r = world->order.row[slot];
    world->want[slot] = world->answer_of[r];
    if (r == row) own = slot;
  }
  return own;
}

void th_world_one_by_one(th_world *world) {
  const th_rows *rows = &world->rows;
  float strayed = 0.0f;
  keep_answers(world);
  for (uint32_t index = 0; index < th_ids_used(&world->ids); index++) {
    uint32_t row = world->row_of[index];
    if (row >= rows->count || rows->agent[row] != index + 1 || !rows->in[row]) continue;
    th_order_again(world);
    uint32_t slot = sort_answers(world, row);
    world->alone = index + 1;
    th_phase_decide(world);
    th_move_slot(world, slot);
    th_commit_slot(world, slot);
    strayed = fmaxf(strayed, world->farthest);
  }
  world->alone = 0;
  world->strayed += strayed;
}
