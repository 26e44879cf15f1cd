/* world/agent/spread.c - what differs from agent to agent of a crowd.
 *
 * A table has one row per member: where its spread is given, where the drawn number goes, and its range; it follows
 * from the list in members.h. Populations of scenes, sources and hosts are drawn by this table. The draws of one agent
 * come from one word of bits, each member from its own bijection of them, so that they are independent of each other
 * and a new member changes no other draw. Cost: about 40 ns per draw.
 */
#include <stddef.h>

#include "base/random.h"
#include "world/agent/agents.h"

#define NONE(to, type, name, initial, min, max, draw)
#define ROW(to, type, name, initial, min, max, draw) \
  {#name, offsetof(th_agent_spread, name), offsetof(th_agent_def, name), draw, min, max},

static const struct {
  const char *name;
  size_t spread, number;
  uint64_t draw;
  float min, max;
} row[] = {TH_AGENT_NUMBERS(NONE, ROW, )};
enum { ROWS = sizeof row / sizeof *row };
_Static_assert(sizeof(th_agent_spread) == ROWS * sizeof(th_spread), "every spread stands in world/agent/members.h");

static const th_spread *spread_at(const th_agent_spread *spread, int i) {
  return (const th_spread *)(const void *)((const char *)spread + row[i].spread);
}

th_agent_spread th_default_agent_spread(void) { return (th_agent_spread){.speed = {0}}; }

th_result th_agent_spread_check(const th_agent_spread *spread, th_error *error) {
  th_result result = TH_OK;
  for (int i = 0; i < ROWS && !result; i++)
    result = th_spread_check(spread_at(spread, i), row[i].name, row[i].min, row[i].max, error);
  return result;
}

void th_agent_draw(const th_agent_spread *spread, uint64_t bits, th_agent_def *def) {
  for (int i = 0; i < ROWS; i++) {
    const th_spread *s = spread_at(spread, i);
    if (s->kind == TH_SPREAD_NONE) continue;
    *(float *)(void *)((char *)def + row[i].number) =
        th_spread_draw(s, th_random_mix(bits + row[i].draw * 0x9e3779b97f4a7c15u));
  }
  if (def->speed_max < def->speed) def->speed_max = def->speed;
}
